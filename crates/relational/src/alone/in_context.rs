//! Calls that do the same in both versions where a run makes them, though the functions by themselves do not.
//!
//! A run of the old version comes to its first call of a function that may execute a change. Nothing changed was executed
//! before, so every input that decides the same up to there makes this call in both versions, in the same state, which the run's
//! terms give. If the solver finds none of these inputs on which the two versions' functions do something else
//! ([`super::summary`], with these terms for arguments and globals), and nothing that comes after the call can execute a change, then
//! both versions behave the same on all of them, whatever they decide within the call and behind it.
//!
//! Functions within the call that have changed are first assumed to do the same, and it is asked whether they can do
//! something else in that state: then the rest of both functions is the same term, whatever it computes.

use super::summary::Summariser;
use super::{Comparison, Pair};
use crate::changes::ChangeFacts;
use crate::diffs::Diffs;
use crate::subject::Version;
use concolic_vm::symbolic::{Called, Entered, Watch};
use concolic_vm::{CodeSite, Program};
use expr::{ExprId, Store};
use program_ir::{Callee, EntityRef, Func, Function, Inst, Module};
use rustc_hash::{FxHashMap, FxHashSet};

pub struct CallsAlike<'p> {
    comparison: Comparison<'p>,
    program: &'p Program,
    /// Functions that may execute a change, by the old version's.
    candidates: FxHashMap<Func, Func>,
    /// The same for those that have changed themselves, by the new version's.
    changed: FxHashMap<Func, Func>,
    /// Where those of them begin that may be called last, and where all changed functions do.
    beginnings: Watch,
    changed_beginnings: Watch,
    /// Calls of the old version behind which no change comes.
    last_calls: FxHashSet<(Func, Inst)>,
}

/// How functions within a call are taken that have changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Within {
    /// As before, and it is asked whether that makes a difference.
    Assumed,
    InPlace,
}

impl<'p> CallsAlike<'p> {
    /// Nothing if there is no such call.
    pub fn of(
        [old, new]: &[Version<'p>; 2],
        facts: &ChangeFacts,
        diffs: &Diffs,
    ) -> Option<CallsAlike<'p>> {
        let comparison = Comparison::new(old, new, diffs)?;
        if !comparison.is_of_bodies_alone(old, new) {
            return None;
        }
        let module = comparison.module(0);
        let changes = &comparison.changes;
        let begin: FxHashSet<Func> = changes
            .functions
            .iter()
            .map(|change| change.old)
            .chain(changes.removed_functions.iter().copied())
            .collect();
        let reaching = callers_of(module, &begin);
        let matches = changes.matches.iter();
        let candidates: FxHashMap<Func, Func> = matches
            .map(|found| (found.old, found.new))
            .filter(|pair| reaching.contains(&pair.0) && comparison.is_called_alike(*pair))
            .collect();
        let pairs = changes.functions.iter();
        let changed = pairs
            .filter(|change| candidates.get(&change.old) == Some(&change.new))
            .map(|change| (change.new, change.old))
            .collect();
        let last_calls: Vec<(Func, Inst, Func)> = direct_calls(module)
            .filter(|(_, _, callee)| candidates.contains_key(callee))
            .filter(|&(func, inst, _)| facts.is_quiet_behind(0, func, inst))
            .collect();
        let called_last: FxHashSet<Func> = last_calls.iter().map(|call| call.2).collect();
        let watch = |functions: &mut dyn Iterator<Item = Func>| {
            let entry = |func| Some((func, module.functions[func].entry()?));
            Watch::new(old.program, functions.filter_map(entry))
        };
        (!last_calls.is_empty()).then(|| CallsAlike {
            program: old.program,
            beginnings: watch(&mut called_last.into_iter()),
            changed_beginnings: watch(&mut begin.iter().copied()),
            candidates,
            changed,
            last_calls: last_calls.iter().map(|call| (call.0, call.1)).collect(),
            comparison,
        })
    }

    /// The functions that may execute a change and that a run of the old version has entered before anything that has changed, in
    /// order, each with the events that were on its path before.
    pub fn entered_first(&self, entered: &[Entered]) -> Vec<(Pair, usize)> {
        let mut first = Vec::new();
        for entered in entered {
            if let Some((func, _)) = self.beginnings.block(entered) {
                let pair = (func, self.candidates[&func]);
                first.push((pair, entered.events as usize));
            }
            if self.changed_beginnings.contains(entered) {
                break;
            }
        }
        first
    }

    /// Whether no change is executed after the call at a place.
    pub fn is_last(&self, caller: CodeSite) -> bool {
        let inst = self.program.inst_at(caller);
        let func = Func::new(caller.function as usize);
        inst.is_some_and(|inst| self.last_calls.contains(&(func, inst)))
    }

    /// That the functions do something else, called like this. Nothing if that cannot be said.
    pub fn differ(
        &self,
        store: &mut Store,
        pair: Pair,
        called: &Called,
        within: Within,
    ) -> Option<ExprId> {
        let function = &self.comparison.module(0).functions[pair.0];
        let arguments = arguments(store, function, called)?;
        let globals = &self.comparison.changes.global_pairs;
        let first_byte = |store: &mut Store, number: usize, offset: u32| {
            let global = globals.get(number)?.0;
            // Where those of a thread are is not known here.
            if self.comparison.module(0).globals[global].thread_local {
                return None;
            }
            let address = self.program.global_address(global);
            called.byte(store, address + u64::from(offset))
        };
        let assumed = (within == Within::Assumed).then_some(&self.changed);
        let (sides, sizes) = (&self.comparison.sides, &self.comparison.sizes);
        let mut summariser = Summariser::new(store, sides, sizes, &first_byte, assumed);
        summariser.difference([pair.0, pair.1], &arguments)
    }
}

fn arguments(store: &mut Store, function: &Function, called: &Called) -> Option<Vec<ExprId>> {
    let mut word = 0;
    let mut arguments = Vec::new();
    for &param in function.params() {
        let ty = function.ty(param);
        if !ty.is_int_like() {
            return None;
        }
        let mut words = Vec::new();
        for first in (0..ty.bits()).step_by(64) {
            let width = (ty.bits() - first).min(64);
            words.push(called.word(store, word, width)?);
            word += 1;
        }
        arguments.push(store.concat_le(&words));
    }
    Some(arguments)
}

/// These functions, and those that call one of them by its name, at last.
fn callers_of(module: &Module, begin: &FxHashSet<Func>) -> FxHashSet<Func> {
    let calls: Vec<(Func, Func)> = direct_calls(module)
        .map(|(func, _, callee)| (func, callee))
        .collect();
    let mut found = begin.clone();
    loop {
        let before = found.len();
        for (caller, callee) in &calls {
            if found.contains(callee) {
                found.insert(*caller);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn direct_calls(module: &Module) -> impl Iterator<Item = (Func, Inst, Func)> + '_ {
    module.functions.iter().flat_map(|(func, function)| {
        function
            .insts
            .iter()
            .filter_map(move |(inst, node)| match node.data.call()?.callee {
                Callee::Direct(callee) => Some((func, inst, callee)),
                _ => None,
            })
    })
}
