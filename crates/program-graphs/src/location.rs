//! Abstract memory: objects, and places inside them.
//!
//! An object stands for all run-time objects made at one point of the program. A place
//! in it is known exactly, or up to a stride: `first + k·stride` for any `k`, which is
//! what indexing an array of structs yields. Stride 1 is "anywhere in the object".

use crate::externals::LibraryArea;
use cranelift_entity::{PrimaryMap, entity_impl};
use program_ir::{Func, Global, Inst, Module};
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Object(u32);
entity_impl!(Object, "object");

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location(u32);
entity_impl!(Location, "location");

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ObjectKind {
    Global(Global),
    Function(Func),
    /// Made by an `alloca`.
    Stack(Func, Inst),
    /// Made by a call of an allocating external, or by a system call.
    Heap(Func, Inst),
    /// The callee's copy of an argument passed by value.
    ByValueCopy(Func, Inst, u32),
    /// The variadic arguments of a function.
    VariadicArguments(Func),
    ThreadBlock,
    /// What the roots' parameters point to: arguments, environment.
    Environment,
    /// Memory that only external functions own.
    External,
    /// What the C library keeps, where its functions have no bodies.
    Library(LibraryArea),
    /// Files, streams, the clock: what system calls read and change.
    World,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Offset {
    /// Invariant: below `stride` unless that is zero.
    pub first: i64,
    /// Zero: exactly `first`.
    pub stride: u64,
}

impl Offset {
    pub const ANY: Offset = Offset {
        first: 0,
        stride: 1,
    };

    pub const fn exact(first: i64) -> Offset {
        Offset { first, stride: 0 }
    }

    pub fn strided(first: i64, stride: u64) -> Offset {
        if stride == 0 || stride > i64::MAX as u64 {
            return Offset::exact(first);
        }
        Offset {
            first: first.rem_euclid(stride as i64),
            stride,
        }
    }

    pub fn is_exact(self) -> bool {
        self.stride == 0
    }

    /// After adding a constant.
    pub fn plus(self, delta: i64) -> Offset {
        Offset::strided(self.first.wrapping_add(delta), self.stride)
    }

    /// After adding any multiple of `stride`.
    pub fn spread(self, stride: u64) -> Offset {
        Offset::strided(self.first, gcd(self.stride, stride))
    }

    /// Whether the two can be the same place.
    pub fn meets(self, other: Offset) -> bool {
        let step = gcd(self.stride, other.stride);
        let distance = self.first.wrapping_sub(other.first);
        match step {
            0 => distance == 0,
            step => distance.rem_euclid(step as i64) == 0,
        }
    }
}

pub fn gcd(left: u64, right: u64) -> u64 {
    let (mut left, mut right) = (left, right);
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocationData {
    pub object: Object,
    pub offset: Offset,
}

#[derive(Clone, Debug)]
pub struct ObjectData {
    pub kind: ObjectKind,
    /// `None` where unknown.
    pub size: Option<u64>,
    /// Whether places inside are told apart at all.
    pub has_fields: bool,
    pub locations: Vec<Location>,
}

const LARGEST_OFFSET: i64 = 1 << 16;

/// The objects and places met so far.
#[derive(Clone, Debug)]
pub struct AbstractMemory {
    /// How many places of one object are told apart; further ones are "anywhere", which
    /// meets them all.
    places_per_object: usize,
    pub objects: PrimaryMap<Object, ObjectData>,
    pub locations: PrimaryMap<Location, LocationData>,
    object_ids: HashMap<ObjectKind, Object>,
    location_ids: HashMap<LocationData, Location>,
}

impl AbstractMemory {
    pub fn new(places_per_object: usize) -> Self {
        AbstractMemory {
            places_per_object,
            objects: PrimaryMap::new(),
            locations: PrimaryMap::new(),
            object_ids: HashMap::new(),
            location_ids: HashMap::new(),
        }
    }

    pub fn places_per_object(&self) -> usize {
        self.places_per_object
    }

    pub fn object(&mut self, module: &Module, kind: ObjectKind) -> Object {
        if let Some(&object) = self.object_ids.get(&kind) {
            return object;
        }
        let size = match kind {
            ObjectKind::Global(global) => Some(module.globals[global].size),
            ObjectKind::Stack(func, inst) => stack_size(module, func, inst),
            ObjectKind::Library(LibraryArea::ErrorNumber) => Some(4),
            _ => None,
        };
        let has_fields = match kind {
            // Text and tables of numbers: nothing in them points anywhere.
            ObjectKind::Global(global) => {
                let data = &module.globals[global];
                !(data.constant && data.initialiser.relocations.is_empty())
            }
            ObjectKind::Stack(..) | ObjectKind::Heap(..) | ObjectKind::ByValueCopy(..) => true,
            ObjectKind::ThreadBlock => true,
            _ => false,
        };
        let object = self.objects.push(ObjectData {
            kind,
            size,
            has_fields,
            locations: Vec::new(),
        });
        self.object_ids.insert(kind, object);
        object
    }

    pub fn existing_object(&self, kind: ObjectKind) -> Option<Object> {
        self.object_ids.get(&kind).copied()
    }

    /// The place, or "anywhere" if it is too fine to be told apart.
    pub fn location(&mut self, object: Object, offset: Offset) -> Location {
        let data = LocationData {
            object,
            offset: self.normalised(object, offset),
        };
        if let Some(&location) = self.location_ids.get(&data) {
            return location;
        }
        let is_any = data.offset == Offset::ANY;
        if !is_any && self.objects[object].locations.len() >= self.places_per_object {
            return self.location(object, Offset::ANY);
        }
        let location = self.locations.push(data);
        self.location_ids.insert(data, location);
        self.objects[object].locations.push(location);
        location
    }

    fn normalised(&self, object: Object, offset: Offset) -> Offset {
        let data = &self.objects[object];
        let end = data.size.map_or(LARGEST_OFFSET, |size| {
            i64::try_from(size).unwrap_or(i64::MAX).min(LARGEST_OFFSET)
        });
        let outside = offset.is_exact() && !(0..=end).contains(&offset.first);
        if !data.has_fields || outside || self.places_per_object <= 1 {
            Offset::ANY
        } else {
            offset
        }
    }
}

fn stack_size(module: &Module, func: Func, inst: Inst) -> Option<u64> {
    let function = &module.functions[func];
    match &function.insts[inst].data {
        program_ir::InstData::Alloca {
            count,
            element_size,
            ..
        } => match function.constant(*count) {
            Some(program_ir::Constant::Bits(count)) => {
                u64::try_from(count).ok()?.checked_mul(*element_size)
            }
            _ => None,
        },
        _ => None,
    }
}
