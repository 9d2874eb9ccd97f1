//! Which cells each instruction reads and writes by itself: loads, stores, block copies,
//! system calls, and calls of externals. What a called function does is in `mod_ref`.

use crate::SparseSet;
use crate::call_graph::CallGraph;
use crate::cells::{Cell, CellData, Cells};
use crate::externals::{Effect, LibraryArea, external_model};
use crate::location::{Object, ObjectKind, Offset};
use crate::points_to::{CallBinding, PointsTo};
use cranelift_entity::{PrimaryMap, entity_impl};
use program_ir::{CallData, Constant, EntityRef, Func, Function, Inst, InstData, Module, Value};
use std::collections::{BTreeSet, HashMap};

/// A set of cells that several accesses share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellSet(u32);
entity_impl!(CellSet, "cells");

#[derive(Clone, Debug)]
pub struct CellSetData {
    /// The accessed cells themselves: what a read uses.
    pub cells: SparseSet,
    /// All cells that overlap them: what a write changes.
    pub overlapping: SparseSet,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    Read,
    Write,
}

/// Who does the access, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actor {
    Instruction,
    /// Passing this argument, before the callee runs: copies of arguments passed by
    /// value, variadic arguments.
    Argument(u32),
}

#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub inst: Inst,
    pub kind: AccessKind,
    pub actor: Actor,
    pub cells: CellSet,
    /// The one cell that is surely replaced as a whole.
    pub replaces: Option<Cell>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OutsideWorld {
    /// Files, streams and clock are one object that every system call reads and changes.
    #[default]
    OneObject,
    Ignored,
}

#[derive(Clone, Debug)]
pub struct MemoryAccesses {
    pub cells: Cells,
    pub sets: PrimaryMap<CellSet, CellSetData>,
    /// Per function, in order of instruction number; reads of one instruction come
    /// before its writes.
    accesses: Vec<Vec<Access>>,
    /// Cells that some access reads.
    pub read: SparseSet,
}

impl MemoryAccesses {
    pub fn of(
        module: &Module,
        points_to: &PointsTo,
        calls: &CallGraph,
        world: OutsideWorld,
    ) -> Self {
        let mut collector = Collector {
            module,
            points_to,
            calls,
            world,
            cells: Cells::default(),
            sets: PrimaryMap::new(),
            set_ids: HashMap::new(),
            by_pointer: HashMap::new(),
            singular: HashMap::new(),
            escaped: None,
            accesses: Vec::new(),
        };
        let mut accesses = vec![Vec::new(); module.functions.len()];
        for &func in &calls.reached {
            collector.function(func);
            accesses[func.index()] = std::mem::take(&mut collector.accesses);
        }
        let Collector {
            cells, mut sets, ..
        } = collector;
        let mut read = SparseSet::new();
        for access in accesses.iter().flatten() {
            if access.kind == AccessKind::Read {
                read.union_with(&sets[access.cells].cells);
            }
        }
        for set in sets.values_mut() {
            set.overlapping = cells.overlapping(&set.cells);
        }
        MemoryAccesses {
            cells,
            sets,
            accesses,
            read,
        }
    }

    pub fn of_function(&self, func: Func) -> &[Access] {
        &self.accesses[func.index()]
    }

    pub fn of_inst(&self, func: Func, inst: Inst) -> &[Access] {
        let all = self.of_function(func);
        let start = all.partition_point(|access| access.inst < inst);
        let end = all.partition_point(|access| access.inst <= inst);
        &all[start..end]
    }
}

struct Collector<'a> {
    module: &'a Module,
    points_to: &'a PointsTo,
    calls: &'a CallGraph,
    world: OutsideWorld,
    cells: Cells,
    sets: PrimaryMap<CellSet, CellSetData>,
    set_ids: HashMap<SparseSet, CellSet>,
    by_pointer: HashMap<(u32, Option<u64>), CellSet>,
    singular: HashMap<Object, bool>,
    escaped: Option<CellSet>,
    accesses: Vec<Access>,
}

impl Collector<'_> {
    fn function(&mut self, func: Func) {
        let function = &self.module.functions[func];
        for inst in self.calls.cfg(self.module, func).all_live_insts(function) {
            let start = self.accesses.len();
            self.instruction(func, inst, &function.insts[inst].data);
            self.accesses[start..].sort_by_key(|access| match (access.actor, access.kind) {
                (Actor::Argument(_), AccessKind::Read) => 0,
                (Actor::Argument(_), AccessKind::Write) => 1,
                (Actor::Instruction, AccessKind::Read) => 2,
                (Actor::Instruction, AccessKind::Write) => 3,
            });
        }
    }

    fn instruction(&mut self, func: Func, inst: Inst, data: &InstData) {
        let function = &self.module.functions[func];
        let result_bytes = || {
            let result = function.insts[inst].first_result;
            result.map(|value| u64::from(function.ty(value).store_bytes()))
        };
        let bytes = |value: Value| Some(u64::from(function.ty(value).store_bytes()));
        match data {
            InstData::Load { address, .. } => self.read(func, inst, *address, result_bytes()),
            InstData::Store { address, value, .. } => {
                self.write(func, inst, *address, bytes(*value), true);
            }
            InstData::MemCopy {
                destination,
                source,
                length,
                ..
            } => {
                let length = constant_bits(function, *length);
                self.read(func, inst, *source, length);
                self.write(func, inst, *destination, length, true);
            }
            InstData::MemSet {
                destination,
                length,
                ..
            } => {
                let length = constant_bits(function, *length);
                self.write(func, inst, *destination, length, true);
            }
            InstData::AtomicRmw { address, value, .. } => {
                self.read(func, inst, *address, bytes(*value));
                self.write(func, inst, *address, bytes(*value), true);
            }
            InstData::CompareExchange {
                address, expected, ..
            } => {
                self.read(func, inst, *address, bytes(*expected));
                self.write(func, inst, *address, bytes(*expected), false);
            }
            InstData::VaStart { list } => self.write(func, inst, *list, Some(24), true),
            InstData::VaCopy {
                destination,
                source,
            } => {
                self.read(func, inst, *source, Some(24));
                self.write(func, inst, *destination, Some(24), true);
            }
            InstData::Syscall { args } => self.system_call(func, inst, args),
            InstData::Call(call) | InstData::Invoke { call, .. } => self.call(func, inst, call),
            _ => {}
        }
    }

    fn call(&mut self, func: Func, inst: Inst, call: &CallData) {
        for by_value in &call.by_val {
            let source = call.args[by_value.arg as usize];
            let actor = Actor::Argument(by_value.arg);
            let cells = self.through_pointer(func, source, Some(by_value.size));
            self.push(inst, AccessKind::Read, actor, cells);
            let copy = ObjectKind::ByValueCopy(func, inst, by_value.arg);
            if let Some(object) = self.points_to.memory.existing_object(copy) {
                let cells = self.interned([CellData {
                    object,
                    offset: Offset::exact(0),
                    extent: Some(by_value.size),
                }]);
                self.push(inst, AccessKind::Write, actor, cells);
            }
        }
        let targets = self.calls.targets(func, inst).to_vec();
        for target in targets {
            if target.binding == CallBinding::Callback {
                continue;
            }
            let function = &self.module.functions[target.func];
            if function.is_declaration() {
                self.external(func, inst, call, &function.name);
            } else if function.signature.variadic {
                let area = ObjectKind::VariadicArguments(target.func);
                if let Some(object) = self.points_to.memory.existing_object(area) {
                    let cells = self.interned([CellData::whole(object)]);
                    for arg in function.signature.params.len()..call.args.len() {
                        let actor = Actor::Argument(arg as u32);
                        self.push(inst, AccessKind::Write, actor, cells);
                    }
                }
            }
        }
    }

    fn external(&mut self, func: Func, inst: Inst, call: &CallData, name: &str) {
        let function = &self.module.functions[func];
        let arg = |index: u32| call.args.get(index as usize).copied();
        let Some(model) = external_model(name) else {
            let cells = self.escaped();
            self.push(inst, AccessKind::Read, Actor::Instruction, cells);
            self.push(inst, AccessKind::Write, Actor::Instruction, cells);
            self.touch_world(inst);
            return;
        };
        for &effect in model.effects {
            match effect {
                Effect::Reads(index) => {
                    if let Some(address) = arg(index) {
                        self.read(func, inst, address, None);
                    }
                }
                Effect::Writes(index) => {
                    if let Some(address) = arg(index) {
                        self.write(func, inst, address, None, false);
                    }
                }
                Effect::ReadsFrom(first) => {
                    for &address in call.args.iter().skip(first as usize) {
                        self.read(func, inst, address, None);
                    }
                }
                Effect::WritesFrom(first) => self.write_from(func, inst, call, first),
                Effect::Formats(format) => {
                    for &address in call.args.iter().skip(format as usize) {
                        self.read(func, inst, address, None);
                    }
                    if arg(format).is_none_or(|format| self.may_count(func, format)) {
                        self.write_from(func, inst, call, format + 1);
                    }
                }
                Effect::ReadsDeep(index) | Effect::WritesDeep(index) => {
                    if let Some(address) = arg(index) {
                        let objects = self
                            .points_to
                            .objects(self.points_to.of_value(func, address));
                        let kind = match effect {
                            Effect::ReadsDeep(_) => AccessKind::Read,
                            _ => AccessKind::Write,
                        };
                        let cells = self.reachable(objects);
                        self.push(inst, kind, Actor::Instruction, cells);
                    }
                }
                Effect::WritesStream(index) | Effect::ReadsStream(index) => {
                    if let Some(stream) = arg(index) {
                        let objects = self
                            .points_to
                            .objects(self.points_to.of_value(func, stream));
                        self.stream(inst, objects, matches!(effect, Effect::ReadsStream(_)));
                    }
                }
                Effect::WritesNamedStream(name) | Effect::ReadsNamedStream(name) => {
                    let stream = self.module.global_named(name).and_then(|global| {
                        let kind = ObjectKind::Global(global);
                        self.points_to.memory.existing_object(kind)
                    });
                    let objects = stream.into_iter().collect();
                    self.stream(inst, objects, matches!(effect, Effect::ReadsNamedStream(_)));
                }
                Effect::ReadsArea(area) | Effect::WritesArea(area) => {
                    let kind = match effect {
                        Effect::ReadsArea(_) => AccessKind::Read,
                        _ => AccessKind::Write,
                    };
                    self.area(inst, kind, area);
                }
                Effect::SetsErrno => {
                    let places = self.points_to.locations(&self.points_to.error_numbers);
                    let cells: Vec<CellData> = places
                        .map(|place| CellData {
                            object: place.object,
                            offset: place.offset,
                            extent: Some(4),
                        })
                        .collect();
                    let cells = self.interned(cells);
                    self.push(inst, AccessKind::Write, Actor::Instruction, cells);
                }
                Effect::RemembersAndReturns(_) => {
                    if let Some(result) = function.insts[inst].first_result {
                        self.read(func, inst, result, None);
                        self.write(func, inst, result, None, false);
                    }
                }
                Effect::AllocatesInto(index) | Effect::StoresPointer { through: index, .. } => {
                    if let Some(address) = arg(index) {
                        self.write(func, inst, address, Some(8), false);
                    }
                }
                Effect::Copies { to, from, length } => {
                    let length = arg(length).and_then(|value| constant_bits(function, value));
                    if let (Some(to), Some(from)) = (arg(to), arg(from)) {
                        self.read(func, inst, from, length);
                        self.write(func, inst, to, length, true);
                    }
                }
                Effect::CopiesString { to, from } => {
                    if let (Some(to), Some(from)) = (arg(to), arg(from)) {
                        self.read(func, inst, from, None);
                        self.write(func, inst, to, None, false);
                    }
                }
                Effect::CopiesIntoResult(from) => {
                    if let Some(from) = arg(from) {
                        self.read(func, inst, from, None);
                    }
                    if let Some(result) = function.insts[inst].first_result {
                        self.write(func, inst, result, None, false);
                    }
                }
                Effect::SystemCall => {
                    let args = call.args.to_vec();
                    self.system_call(func, inst, &args);
                }
                Effect::TouchesWorld => self.touch_world(inst),
                Effect::ReadsWorld => self.world(inst, AccessKind::Read),
                Effect::Allocates
                | Effect::ReturnsErrno
                | Effect::PlacesErrno(_)
                | Effect::ReturnsArea(_)
                | Effect::ReturnsVariable
                | Effect::ReturnsStatic
                | Effect::ReturnsInto(_)
                | Effect::CallsBack { .. }
                | Effect::SetsThreadPointer(_)
                | Effect::ReturnsThreadPointer
                | Effect::JumpsBack => {}
            }
        }
    }

    /// The kernel reads and writes what the arguments lead to: one pointer deep, deeper
    /// for the calls whose arguments are structures of pointers.
    fn system_call(&mut self, func: Func, inst: Inst, args: &[Value]) {
        let function = &self.module.functions[func];
        let number = args
            .first()
            .and_then(|&value| constant_bits(function, value));
        let depth = match number {
            // readv, writev, preadv, pwritev, execve, futex-like lists
            Some(19 | 20 | 295 | 296 | 327 | 328 | 59) => 2,
            // sendmsg, recvmsg, sendmmsg, recvmmsg
            Some(46 | 47 | 299 | 307) | None => 3,
            Some(_) => 1,
        };
        let mut objects = BTreeSet::new();
        let mut frontier: BTreeSet<Object> = BTreeSet::new();
        for &arg in args.iter().skip(1) {
            let set = self.points_to.of_value(func, arg);
            frontier.extend(self.points_to.objects(set));
        }
        for _ in 1..depth {
            objects.extend(frontier.iter().copied());
            let contents = self.points_to.contents(&frontier);
            frontier = self.points_to.objects(&contents);
            frontier.retain(|object| !objects.contains(object));
        }
        objects.extend(frontier);
        let cells = self.interned(objects.into_iter().map(CellData::whole));
        self.push(inst, AccessKind::Read, Actor::Instruction, cells);
        self.push(inst, AccessKind::Write, Actor::Instruction, cells);
        self.touch_world(inst);
    }

    fn touch_world(&mut self, inst: Inst) {
        self.world(inst, AccessKind::Read);
        self.world(inst, AccessKind::Write);
    }

    fn world(&mut self, inst: Inst, kind: AccessKind) {
        if self.world == OutsideWorld::Ignored {
            return;
        }
        if let Some(world) = self.points_to.memory.existing_object(ObjectKind::World) {
            let cells = self.interned([CellData::whole(world)]);
            self.push(inst, kind, Actor::Instruction, cells);
        }
    }

    fn area(&mut self, inst: Inst, kind: AccessKind, area: LibraryArea) {
        let object = ObjectKind::Library(area);
        if let Some(object) = self.points_to.memory.existing_object(object) {
            let cells = self.interned([CellData::whole(object)]);
            self.push(inst, kind, Actor::Instruction, cells);
        }
    }

    /// A stream is its object and what that leads to, such as a buffer that it was given.
    /// Unless it is standard output or standard error, it is a part of the world, too.
    fn stream(&mut self, inst: Inst, objects: BTreeSet<Object>, reads: bool) {
        let is_output = !objects.is_empty()
            && objects
                .iter()
                .all(|&object| match self.points_to.kind(object) {
                    ObjectKind::Global(global) => {
                        let name = self.module.globals[global].name.as_str();
                        matches!(name, "__stdout_FILE" | "__stderr_FILE")
                    }
                    _ => false,
                });
        let cells = self.reachable(objects);
        if reads {
            self.push(inst, AccessKind::Read, Actor::Instruction, cells);
        }
        self.push(inst, AccessKind::Write, Actor::Instruction, cells);
        if !is_output {
            if reads {
                self.world(inst, AccessKind::Read);
            }
            self.world(inst, AccessKind::Write);
        }
    }

    /// Whole objects, with everything that pointers in them lead to.
    fn reachable(&mut self, objects: BTreeSet<Object>) -> CellSet {
        let mut all = objects.clone();
        let mut frontier = objects;
        while !frontier.is_empty() {
            let contents = self.points_to.contents(&frontier);
            frontier = self.points_to.objects(&contents);
            frontier.retain(|object| all.insert(*object));
        }
        let is_memory = |object: &Object| {
            let kind = self.points_to.kind(*object);
            !matches!(kind, ObjectKind::Function(_))
        };
        let all: Vec<Object> = all.into_iter().filter(is_memory).collect();
        self.interned(all.into_iter().map(CellData::whole))
    }

    fn write_from(&mut self, func: Func, inst: Inst, call: &CallData, first: u32) {
        for &address in call.args.iter().skip(first as usize) {
            self.write(func, inst, address, None, false);
        }
    }

    /// Whether a format may be one with `%n`.
    fn may_count(&self, func: Func, format: Value) -> bool {
        let objects = self
            .points_to
            .objects(self.points_to.of_value(func, format));
        objects.is_empty()
            || objects
                .iter()
                .any(|&object| match self.points_to.kind(object) {
                    ObjectKind::Global(global) => {
                        let data = &self.module.globals[global];
                        !data.constant || has_count(&data.initialiser.bytes)
                    }
                    _ => true,
                })
    }

    fn escaped(&mut self) -> CellSet {
        if let Some(cells) = self.escaped {
            return cells;
        }
        let objects = self.points_to.objects(&self.points_to.escaped);
        let cells = self.interned(objects.into_iter().map(CellData::whole));
        self.escaped = Some(cells);
        cells
    }

    fn read(&mut self, func: Func, inst: Inst, address: Value, extent: Option<u64>) {
        let cells = self.through_pointer(func, address, extent);
        self.push(inst, AccessKind::Read, Actor::Instruction, cells);
    }

    fn write(&mut self, func: Func, inst: Inst, address: Value, extent: Option<u64>, surely: bool) {
        let cells = self.through_pointer(func, address, extent);
        self.push(inst, AccessKind::Write, Actor::Instruction, cells);
        if surely
            && let Some(access) = self.accesses.last_mut()
            && access.inst == inst
        {
            let set = &self.sets[cells].cells;
            let only = if set.len() == 1 {
                set.iter().next()
            } else {
                None
            };
            let replaced = only.map(Cell::from_u32).filter(|&cell| {
                let data = self.cells.cells[cell];
                data.offset.is_exact() && data.extent.is_some()
            });
            if let Some(cell) = replaced {
                let object = self.cells.cells[cell].object;
                let singular = self.is_singular(object);
                if let Some(access) = self.accesses.last_mut() {
                    access.replaces = singular.then_some(cell);
                }
            }
        }
    }

    fn push(&mut self, inst: Inst, kind: AccessKind, actor: Actor, cells: CellSet) {
        if !self.sets[cells].cells.is_empty() {
            self.accesses.push(Access {
                inst,
                kind,
                actor,
                cells,
                replaces: None,
            });
        }
    }

    fn through_pointer(&mut self, func: Func, address: Value, extent: Option<u64>) -> CellSet {
        let number = self.points_to.set_number(func, address);
        if let Some(&cells) = self.by_pointer.get(&(number, extent)) {
            return cells;
        }
        let set = self.points_to.of_value(func, address);
        let data: Vec<CellData> = self
            .points_to
            .locations(set)
            .filter(|location| {
                !matches!(
                    self.points_to.kind(location.object),
                    ObjectKind::Function(_)
                )
            })
            .map(|location| CellData {
                object: location.object,
                offset: location.offset,
                extent,
            })
            .collect();
        let cells = self.interned(data);
        self.by_pointer.insert((number, extent), cells);
        cells
    }

    fn interned(&mut self, cells: impl IntoIterator<Item = CellData>) -> CellSet {
        let set: SparseSet = cells
            .into_iter()
            .map(|data| self.cells.cell(data).as_u32())
            .collect();
        if let Some(&id) = self.set_ids.get(&set) {
            return id;
        }
        let id = self.sets.push(CellSetData {
            cells: set.clone(),
            overlapping: SparseSet::new(),
        });
        self.set_ids.insert(set, id);
        id
    }

    /// Whether at most one run-time object is meant at any time.
    fn is_singular(&mut self, object: Object) -> bool {
        if let Some(&known) = self.singular.get(&object) {
            return known;
        }
        let singular = match self.points_to.kind(object) {
            ObjectKind::Global(_) | ObjectKind::Library(_) => true,
            ObjectKind::Stack(func, inst) => {
                !self.calls.is_recursive(func) && !is_in_cycle(self.module, func, inst)
            }
            _ => false,
        };
        self.singular.insert(object, singular);
        singular
    }
}

/// Whether a text has a conversion `%n`, by the look of it.
fn has_count(text: &[u8]) -> bool {
    let is_between = |byte: u8| byte.is_ascii_digit() || b"hljztLq#+- .*'$".contains(&byte);
    let conversions = text.split(|&byte| byte == b'%').skip(1);
    let mut last = conversions.map(|rest| rest.iter().find(|&&byte| !is_between(byte)));
    last.any(|byte| byte == Some(&b'n'))
}

fn is_in_cycle(module: &Module, func: Func, inst: Inst) -> bool {
    let function = &module.functions[func];
    let Some((block, _)) = function
        .blocks
        .iter()
        .find(|(_, data)| data.insts.contains(&inst))
    else {
        return true;
    };
    if Some(block) == function.entry() {
        return false;
    }
    let cfg = crate::Cfg::of(function);
    let next = cfg.successors(block).map(|next| next.as_u32());
    cfg.graph().reachable_from(next)[block.index()]
}

fn constant_bits(function: &Function, value: Value) -> Option<u64> {
    match function.constant(value) {
        Some(Constant::Bits(bits)) => u64::try_from(bits).ok(),
        _ => None,
    }
}
