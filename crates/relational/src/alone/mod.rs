//! Changed functions that do the same by themselves: proved for every call in every state, without a run of the program.
//!
//! Let both versions of a program be the same but for the bodies of some functions, and let each of these return the same
//! and leave the same in memory in both versions, whatever it is called with ([`summary`]). Then a run of one version and a run of the
//! other on the same input go through the same states but for the insides of these calls, and behave the same. A summary is given
//! only of functions that always return, or fail in a way that it names, and do nothing else that could be seen.
//!
//! A changed function that does not do the same by itself, or that only one version has, may still be used so that it does not
//! matter: then its callers are asked, with the call taken in place, if nothing but calls leads to it.
//!
//! Nothing may see the inside of a call ([`surroundings`]): another thread, a signal handler, protected memory.
//!
//! What is never compared is how much a call executes and how much stack it takes until it returns: limits on steps and on
//! the stack are no behaviour of the program.

mod in_context;
mod summary;
mod surroundings;

pub use in_context::{CallsAlike, Within};

use crate::changes::begins_alike;
use crate::diffs::Diffs;
use crate::subject::{Subject, Version};
use expr::{ExprId, Store};
use program_ir::{Callee, Func, InstData, Module};
use rustc_hash::FxHashMap;
use solver::{Answer, Query, Solver};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use summary::{GlobalSize, Side, Summariser, unknown};
use version_diff::input_space::addresses_taken;
use version_diff::{ChangeSet, CommonInputSpace};

/// Functions that are compared, at most, and how long the solver may take for all of them.
const MOST_FUNCTIONS: usize = 12;
const PATIENCE: Duration = Duration::from_secs(1);

/// The functions, by their names in the new version, that do the same by themselves, if that shows that the versions
/// behave the same. `diffs` are of these versions.
pub fn same_by_themselves(
    old: &Version<'_>,
    new: &Version<'_>,
    diffs: &Diffs,
    solver: &mut dyn Solver,
) -> Option<Vec<String>> {
    let comparison = Comparison::new(old, new, diffs)?;
    let is_all = [old, new].map(|version| version.subject) == [Subject::Whole; 2]
        && comparison.is_of_bodies_alone(old, new);
    is_all.then(|| comparison.prove(solver)).flatten()
}

/// For each function that both versions have and that has changed, by its name in the new version: whether it does the same by
/// itself.
pub fn each_by_itself(
    old: &Version<'_>,
    new: &Version<'_>,
    solver: &mut dyn Solver,
) -> BTreeMap<String, bool> {
    let Some(comparison) = Comparison::new(old, new, &Diffs::default()) else {
        return BTreeMap::new();
    };
    let module = comparison.module(1);
    let judged = comparison.changes.functions.iter().map(|change| {
        let is_same = comparison.is_same((change.old, change.new), solver, PATIENCE);
        (module.functions[change.new].name.clone(), is_same)
    });
    judged.collect()
}

struct Comparison<'c> {
    sides: [Side<'c>; 2],
    changes: Arc<ChangeSet>,
    sizes: FxHashMap<usize, GlobalSize>,
}

/// A function of the old version and of the new one.
type Pair = (Func, Func);

impl<'c> Comparison<'c> {
    /// Nothing if more than bodies of functions has changed.
    fn new(old: &Version<'c>, new: &Version<'c>, diffs: &Diffs) -> Option<Comparison<'c>> {
        let modules = [old, new].map(|version| version.program.module());
        let changes = diffs.forward(old, new);
        if !changes.globals.is_empty() {
            return None;
        }
        let mut globals = [FxHashMap::default(), FxHashMap::default()];
        let mut sizes = FxHashMap::default();
        for (number, &(old, new)) in changes.global_pairs.iter().enumerate() {
            let both = [&modules[0].globals[old], &modules[1].globals[new]];
            let [size, other] = both.map(|global| GlobalSize {
                bytes: global.size,
                constant: global.constant,
            });
            if size == other {
                globals[0].insert(old, number);
                globals[1].insert(new, number);
                sizes.insert(number, size);
            }
        }
        let [old_globals, new_globals] = globals;
        let side = |module, globals| Side { module, globals };
        Some(Comparison {
            sides: [side(modules[0], old_globals), side(modules[1], new_globals)],
            changes,
            sizes,
        })
    }

    fn module(&self, version: usize) -> &'c Module {
        self.sides[version].module
    }

    /// Whether the versions begin in the same way and nothing can see the inside of a call.
    fn is_of_bodies_alone(&self, old: &Version<'_>, new: &Version<'_>) -> bool {
        begins_alike(old, new, &self.changes)
            && surroundings::are_blind(old)
            && surroundings::are_blind(new)
    }

    /// Whether calls of both functions that look the same are the same.
    fn is_called_alike(&self, (old, new): Pair) -> bool {
        let functions = [
            &self.module(0).functions[old],
            &self.module(1).functions[new],
        ];
        // Not where parameters have changed places.
        let space = CommonInputSpace::of(functions[0], functions[1], true);
        functions[0].signature == functions[1].signature && space.is_identity()
    }

    fn prove(&self, solver: &mut dyn Solver) -> Option<Vec<String>> {
        let start = Instant::now();
        let mut open: Vec<Pair> = Vec::new();
        for change in &self.changes.functions {
            open.push((change.old, change.new));
        }
        for &func in &self.changes.removed_functions {
            open.extend(self.callers(0, func)?);
        }
        for &func in &self.changes.added_functions {
            open.extend(self.callers(1, func)?);
        }
        let mut seen: BTreeSet<Pair> = BTreeSet::new();
        let mut proved = BTreeSet::new();
        while let Some(pair) = open.pop() {
            if !seen.insert(pair) {
                continue;
            }
            if seen.len() > MOST_FUNCTIONS {
                return None;
            }
            let patience = PATIENCE.saturating_sub(start.elapsed());
            if self.is_same(pair, solver, patience) {
                proved.insert(pair.1);
                continue;
            }
            open.extend(self.callers(0, pair.0)?);
            open.extend(self.callers(1, pair.1)?);
        }
        // Nothing to prove is no proof: something else is different.
        if proved.is_empty() {
            return None;
        }
        let name = |func: &Func| self.module(1).functions[*func].name.clone();
        Some(proved.iter().map(name).collect())
    }

    /// The functions that call a function of a version, in both versions; nothing if it may be entered otherwise, or
    /// if one of them is in one version only.
    fn callers(&self, version: usize, func: Func) -> Option<Vec<Pair>> {
        let module = self.module(version);
        let mut callers = Vec::new();
        if program_graphs::default_roots(module).contains(&func)
            || addresses_taken(module)[func.as_u32() as usize]
        {
            return None;
        }
        for (caller, function) in module.functions.iter() {
            let calls = |data: &InstData| {
                data.call()
                    .is_some_and(|call| call.callee == Callee::Direct(func))
            };
            if !function.insts.values().any(|inst| calls(&inst.data)) {
                continue;
            }
            let mut matches = self.changes.matches.iter();
            let found = matches.find(|found| [found.old, found.new][version] == caller)?;
            callers.push((found.old, found.new));
        }
        Some(callers)
    }

    /// Whether both functions return the same and leave the same in memory, whatever they are called with.
    fn is_same(&self, pair: Pair, solver: &mut dyn Solver, patience: Duration) -> bool {
        if !self.is_called_alike(pair) {
            return false;
        }
        let mut store = Store::new();
        let Some(arguments) = self.unknown_arguments(&mut store, pair.0) else {
            return false;
        };
        let first_byte = |store: &mut Store, number: usize, offset: u32| {
            Some(unknown(store, &format!("global {number}"), offset))
        };
        let (sides, sizes) = (&self.sides, &self.sizes);
        let mut summariser = Summariser::new(&mut store, sides, sizes, &first_byte, None);
        let Some(differs) = summariser.difference([pair.0, pair.1], &arguments) else {
            return false;
        };
        if store.is_false(differs) || patience.is_zero() {
            return store.is_false(differs);
        }
        solver.reset();
        let query = Query {
            constraints: &[differs],
            timeout: patience,
        };
        let answer = solver.solve(&store, &query);
        solver.reset();
        matches!(answer, Answer::Unsat)
    }

    /// A symbol for each byte of the arguments. What a type does not use of its bytes is zero, as the machine has it.
    fn unknown_arguments(&self, store: &mut Store, func: Func) -> Option<Vec<ExprId>> {
        let function = &self.module(0).functions[func];
        let mut arguments = Vec::new();
        for (number, &param) in function.params().iter().enumerate() {
            let ty = function.ty(param);
            let name = format!("argument {number}");
            let bytes: Vec<ExprId> = (0..ty.store_bytes())
                .map(|offset| unknown(store, &name, offset))
                .collect();
            let whole = store.concat_le(&bytes);
            if !ty.is_int_like() {
                return None;
            }
            arguments.push(store.trunc(whole, ty.bits()));
        }
        Some(arguments)
    }
}
