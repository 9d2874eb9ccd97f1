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

mod summary;
mod surroundings;

use crate::changes::begins_alike;
use crate::subject::{Subject, Version};
use expr::{ExprId, Store};
use program_ir::{Callee, Func, Global, InstData, Module};
use rustc_hash::FxHashMap;
use solver::{Answer, Query, Solver};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use summary::{Summariser, Summary, first_byte};
use version_diff::input_space::addresses_taken;
use version_diff::{ChangeSet, CommonInputSpace, CompareOptions, diff_with};

/// Functions that are compared, at most, and how long the solver may take for all of them.
const MOST_FUNCTIONS: usize = 12;
const PATIENCE: Duration = Duration::from_secs(1);

const OPTIONS: CompareOptions = CompareOptions {
    ignore_line_numbers: false,
};

/// The functions, by their names in the new version, that do the same by themselves, if that shows that the versions
/// behave the same.
pub fn same_by_themselves(
    old: &Version<'_>,
    new: &Version<'_>,
    solver: &mut dyn Solver,
) -> Option<Vec<String>> {
    if [old, new].map(|version| version.subject) != [Subject::Whole; 2] {
        return None;
    }
    let modules = [old, new].map(|version| version.program.module());
    let changes = diff_with(modules[0], modules[1], OPTIONS);
    if !begins_alike(old, new, &changes)
        || !surroundings::are_blind(old)
        || !surroundings::are_blind(new)
    {
        return None;
    }
    Comparison::new(modules, &changes)?.prove(solver)
}

/// For each function that both versions have and that has changed, by its name in the new version: whether it does the same by
/// itself.
pub fn each_by_itself(
    old: &Version<'_>,
    new: &Version<'_>,
    solver: &mut dyn Solver,
) -> BTreeMap<String, bool> {
    let modules = [old, new].map(|version| version.program.module());
    let changes = diff_with(modules[0], modules[1], OPTIONS);
    let Some(comparison) = Comparison::new(modules, &changes) else {
        return BTreeMap::new();
    };
    let judged = changes.functions.iter().map(|change| {
        let is_same = comparison.is_same((change.old, change.new), solver, PATIENCE);
        (modules[1].functions[change.new].name.clone(), is_same)
    });
    judged.collect()
}

struct Comparison<'c> {
    modules: [&'c Module; 2],
    changes: &'c ChangeSet,
    globals: [FxHashMap<Global, usize>; 2],
}

/// A function of the old version and of the new one.
type Pair = (Func, Func);

impl<'c> Comparison<'c> {
    /// Nothing if more than bodies of functions has changed.
    fn new(modules: [&'c Module; 2], changes: &'c ChangeSet) -> Option<Comparison<'c>> {
        if !changes.globals.is_empty() {
            return None;
        }
        let mut globals = [FxHashMap::default(), FxHashMap::default()];
        for (number, &(old, new)) in changes.global_pairs.iter().enumerate() {
            let same_size = modules[0].globals[old].size == modules[1].globals[new].size;
            if same_size {
                globals[0].insert(old, number);
                globals[1].insert(new, number);
            }
        }
        Some(Comparison {
            modules,
            changes,
            globals,
        })
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
        let name = |func: &Func| self.modules[1].functions[*func].name.clone();
        Some(proved.iter().map(name).collect())
    }

    /// The functions that call a function of a version, in both versions; nothing if it may be entered otherwise, or
    /// if one of them is in one version only.
    fn callers(&self, version: usize, func: Func) -> Option<Vec<Pair>> {
        let module = self.modules[version];
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
    fn is_same(&self, (old, new): Pair, solver: &mut dyn Solver, patience: Duration) -> bool {
        let functions = [
            &self.modules[0].functions[old],
            &self.modules[1].functions[new],
        ];
        // Where parameters have changed places, calls that look different are the same.
        let space = CommonInputSpace::of(functions[0], functions[1], true);
        if functions[0].signature != functions[1].signature || !space.is_identity() {
            return false;
        }
        let mut store = Store::new();
        let summaries = [(0, old), (1, new)].map(|(version, func)| {
            let globals = &self.globals[version];
            Summariser::new(&mut store, self.modules[version], globals).summary(func)
        });
        let [Some(old), Some(new)] = summaries else {
            return false;
        };
        let differs = difference(&mut store, &old, &new);
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
}

/// That something after the call differs.
fn difference(store: &mut Store, old: &Summary, new: &Summary) -> ExprId {
    let mut pairs: Vec<(ExprId, ExprId)> = old
        .results
        .iter()
        .copied()
        .zip(new.results.iter().copied())
        .collect();
    let places: BTreeSet<(usize, u32)> = old
        .written
        .keys()
        .chain(new.written.keys())
        .copied()
        .collect();
    for place in places {
        let mut byte = |summary: &Summary| match summary.written.get(&place) {
            Some(term) => *term,
            None => first_byte(store, place.0, place.1),
        };
        pairs.push((byte(old), byte(new)));
    }
    let mut differs = store.truth(false);
    for (old, new) in pairs {
        let other = store.ne(old, new);
        differs = store.or(differs, other);
    }
    // A division that fails ends the run, with whatever was computed.
    let none = store.constant(0, 8);
    let returns = store.eq(old.failed, none);
    let mut differs = store.and(returns, differs);
    for (old, new) in [(old.failed, new.failed), (old.outside, new.outside)] {
        let other = store.ne(old, new);
        differs = store.or(differs, other);
    }
    differs
}
