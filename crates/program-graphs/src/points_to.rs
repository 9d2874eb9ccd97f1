//! Points-to analysis: which places each value can point to, and hence which functions
//! an indirect call can mean.
//!
//! Inclusion-based (Andersen), flow- and context-insensitive, field-sensitive by byte
//! offset, with strides for array elements. Only functions that the roots can reach take
//! part; which these are is found on the way, since calls through pointers are resolved
//! by the analysis itself. Calls of allocators, and of functions that wrap one
//! (`wrappers`), make one object each. `constraint` says what instructions mean, `solver` finds the
//! least solution, `simple` is the solver's slow twin.

mod constraint;
mod nodes;
pub mod simple;
mod solver;
mod wrappers;

pub use constraint::{CallSite, Constraint, Node, carries_pointers};

use crate::SparseSet;
use crate::assumptions::{Assumption, Assumptions};
use crate::location::{AbstractMemory, Location, LocationData, Object, ObjectKind, Offset};
use program_ir::{Constant, Func, Inst, Linkage, Module, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Functions that the outside calls: the program's start, else what it exports. Global
/// constructors and destructors count, unless the start routine is there to call them.
pub fn default_roots(module: &Module) -> Vec<Func> {
    let defined = |name: &str| {
        module
            .function_named(name)
            .filter(|&func| !module.functions[func].is_declaration())
    };
    let start = ["__parallax_start", "_start", "_start_c", "main"]
        .into_iter()
        .find_map(defined);
    let mut roots: Vec<Func> = match start {
        Some(start) => vec![start],
        None => module
            .functions
            .iter()
            .filter(|(_, function)| {
                !function.is_declaration() && function.linkage == Linkage::Exported
            })
            .map(|(func, _)| func)
            .collect(),
    };
    let tables: &[&str] = match start.map(|start| module.functions[start].name.as_str()) {
        Some("__parallax_start" | "_start" | "_start_c") => {
            &["llvm.global_ctors", "llvm.global_dtors"]
        }
        _ => &[
            "llvm.global_ctors",
            "llvm.global_dtors",
            "__init_array_start",
            "__fini_array_start",
        ],
    };
    for constructors in tables {
        if let Some(global) = module.global_named(constructors) {
            let relocations = &module.globals[global].initialiser.relocations;
            roots.extend(relocations.iter().filter_map(|entry| match entry.constant {
                Constant::FunctionAddress(func) => Some(func),
                _ => None,
            }));
        }
    }
    roots
}

/// How a call reaches its target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CallBinding {
    /// The call's arguments are the target's parameters.
    Arguments,
    /// An external that was called calls the target.
    Callback,
}

#[derive(Clone, Debug)]
pub struct PointsTo {
    pub memory: AbstractMemory,
    pub assumptions: Assumptions,
    /// Where each function's values start in `representatives`.
    value_base: Vec<u32>,
    representatives: Vec<u32>,
    sets: Vec<SparseSet>,
    /// The node of what is stored at a location.
    stored: Vec<(Location, u32)>,
    /// What unknown external code can get hold of.
    pub escaped: SparseSet,
    /// Where `errno` may be.
    pub error_numbers: SparseSet,
    /// What each reached call can call; only calls that call something are listed.
    pub targets: BTreeMap<(Func, Inst), BTreeSet<(Func, CallBinding)>>,
    /// Functions with a body that can be called, the roots included.
    pub reached: BTreeSet<Func>,
    pub roots: Vec<Func>,
    /// What unknown code was seen to call.
    pub called_by_unknown: BTreeSet<Func>,
}

/// How precisely to look.
#[derive(Clone, Copy, Debug)]
pub struct PointsToConfig {
    /// How many places inside one object are told apart.
    pub places_per_object: usize,
    /// Pointers that may point to more places than this are not told apart: each may
    /// point wherever any of them does. What is so vague already costs most and tells
    /// least.
    pub largest_set: usize,
}

impl Default for PointsToConfig {
    fn default() -> Self {
        PointsToConfig {
            places_per_object: 8,
            largest_set: 100,
        }
    }
}

impl PointsTo {
    pub fn of(module: &Module, roots: &[Func], config: &PointsToConfig) -> Self {
        solver::solve(module, roots, config)
    }

    /// The set of [`Location`]s that the value can point to.
    pub fn of_value(&self, func: Func, value: Value) -> &SparseSet {
        let node = self.value_base[func.as_u32() as usize] + value.as_u32();
        &self.sets[self.representatives[node as usize] as usize]
    }

    /// Two values with the same number have the same set.
    pub fn set_number(&self, func: Func, value: Value) -> u32 {
        let node = self.value_base[func.as_u32() as usize] + value.as_u32();
        self.representatives[node as usize]
    }

    /// Everything that is stored anywhere in each of the objects.
    pub fn contents(&self, objects: &BTreeSet<Object>) -> SparseSet {
        let mut contents = SparseSet::new();
        for &(location, node) in &self.stored {
            if objects.contains(&self.memory.locations[location].object) {
                contents.union_with(&self.sets[self.representatives[node as usize] as usize]);
            }
        }
        contents
    }

    pub fn locations(&self, set: &SparseSet) -> impl Iterator<Item = LocationData> {
        set.iter()
            .map(|location| self.memory.locations[Location::from_u32(location)])
    }

    pub fn objects(&self, set: &SparseSet) -> BTreeSet<Object> {
        self.locations(set)
            .map(|location| location.object)
            .collect()
    }

    pub fn kind(&self, object: Object) -> ObjectKind {
        self.memory.objects[object].kind
    }
}

fn general_assumptions() -> Assumptions {
    let mut assumptions = Assumptions::default();
    for assumption in [
        Assumption::NoOutOfBoundsAccess,
        Assumption::ConstantsAreNotAddresses,
        Assumption::PointersAreNotCopiedInPieces,
        Assumption::ArithmeticKeepsNoAddress,
        Assumption::IndirectCallsPassEnoughArguments,
        Assumption::NoConcurrency,
        Assumption::AllocationsAreIndependent,
    ] {
        assumptions.add(assumption);
    }
    assumptions
}

/// Where in a copied block of memory something lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Relative {
    Exact(i64),
    Any,
}

impl Relative {
    /// Of what lies at `held`, when `length` bytes from `start` on are copied. `None` if
    /// it is not among them.
    fn of(start: Offset, held: Offset, length: Option<u64>) -> Option<Relative> {
        let length = length.map_or(i64::MAX, |length| i64::try_from(length).unwrap_or(i64::MAX));
        let distance = held.first.wrapping_sub(start.first);
        let period = match (start.stride, held.stride) {
            (0, 0) => {
                return (0..length)
                    .contains(&distance)
                    .then_some(Relative::Exact(distance));
            }
            (0, _) => return Some(Relative::Any),
            (stride, 0) => stride as i64,
            (stride, other) if other % stride == 0 => stride as i64,
            _ => return Some(Relative::Any),
        };
        if length > period {
            return Some(Relative::Any);
        }
        let distance = distance.rem_euclid(period);
        (distance < length).then_some(Relative::Exact(distance))
    }

    fn from(self, start: Offset) -> Offset {
        match self {
            Relative::Exact(distance) => start.plus(distance),
            Relative::Any => Offset::ANY,
        }
    }
}
