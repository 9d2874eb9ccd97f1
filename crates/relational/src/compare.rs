//! Comparing what two versions did on one path: for which of its inputs do they behave differently?
//!
//! What is compared (docs/comparison.md): the bytes written to standard output, to standard error and to files, how
//! the run ended, and the exit status. On one path all of these are terms over the input, of fixed lengths.
//! So the inputs of the path fall into two parts: those that satisfy the *difference condition* ("some
//! observable differs") and the others. Equal terms need no solver: both versions compute in one store.
//!
//! A part is `Equal` only if its inputs were proved to behave the same, `Different` only with a witness.

use std::collections::BTreeMap;

use concolic_vm::End;
use concolic_vm::linux::{Bytes, FileState, Kernel};
use expr::{ExprId, Store};

use crate::version_run::VersionRun;
pub use search::Observable;
use search::WhyUnknown;

/// How the observables of two versions differ on one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Not at all: the terms are the same.
    Nowhere,
    /// On every input of the path, in these observables.
    Everywhere(Vec<Observable>),
    /// On the inputs that satisfy a condition; each observable has its own.
    Where(Vec<(Observable, ExprId)>),
    /// A run met a limit of ours, so its observables are not known.
    NotKnown(WhyUnknown),
}

/// Compares two runs of the same input in the same store.
pub fn difference(store: &mut Store, old: &VersionRun<'_>, new: &VersionRun<'_>) -> Difference {
    let (old_run, new_run) = (old, new);
    let (old_end, new_end) = (&old.run.outcome.end, &new.run.outcome.end);
    match (ending(old_end), ending(new_end)) {
        (Ending::Unknown(why), _) | (_, Ending::Unknown(why)) => {
            return Difference::NotKnown(WhyUnknown::Inconclusive(why));
        }
        // Whether either ends at all is not known, so neither is what they write.
        (Ending::NoEnd, Ending::NoEnd) => {
            return Difference::NotKnown(WhyUnknown::Inconclusive(old_end.to_string()));
        }
        // What a native program does then is open, and may differ.
        // So two kinds of it are no difference between the versions either.
        (Ending::Undefined(old), Ending::Undefined(new)) => {
            return Difference::NotKnown(both_undefined(store, [old_run, new_run], [old, new]));
        }
        (old, new) if old != new => return Difference::Everywhere(vec![Observable::End]),
        _ => {}
    }
    let mut found = ObservedDifferences::default();
    let (old_kernel, new_kernel) = (
        old.process.machine().kernel(),
        new.process.machine().kernel(),
    );
    found.bytes(
        store,
        Observable::Stdout,
        &old_kernel.stdout(),
        &new_kernel.stdout(),
    );
    found.bytes(
        store,
        Observable::Stderr,
        &old_kernel.stderr(),
        &new_kernel.stderr(),
    );
    found.files(store, old_kernel, new_kernel);
    // A function that returned has no exit status of its own.
    let calls = [old, new]
        .iter()
        .any(|version| !version.process.machine().returned().is_empty());
    if let (End::Exit { status: old_status }, End::Exit { status: new_status }) = (old_end, new_end)
        && !calls
    {
        let mut term = |status: i32, term: Option<ExprId>| {
            term.unwrap_or_else(|| store.constant(u128::from(status as u8), 8))
        };
        let old_status = term(*old_status, old.run.exit_status);
        let new_status = term(*new_status, new.run.exit_status);
        found.terms(store, Observable::ExitStatus, old_status, new_status);
    }
    found.returned(store, old, new);
    if !found.everywhere.is_empty() {
        return Difference::Everywhere(found.everywhere);
    }
    match found.conditions.is_empty() {
        true => Difference::Nowhere,
        false => Difference::Where(found.conditions),
    }
}

/// What is known of versions that both end with undefined behaviour, of these kinds. What they put out before it is seen by a user,
/// whatever the language says, and so is what a handler of the signal does: then nothing is said of them.
fn both_undefined(
    store: &mut Store,
    runs: [&VersionRun<'_>; 2],
    [old, new]: [&'static str; 2],
) -> WhyUnknown {
    let kinds = match old == new {
        true => old.to_owned(),
        false => format!("{old} in one, {new} in the other"),
    };
    let [old, new] = runs.map(|run| run.process.machine().kernel());
    let mut found = ObservedDifferences::default();
    found.bytes(store, Observable::Stdout, &old.stdout(), &new.stdout());
    found.bytes(store, Observable::Stderr, &old.stderr(), &new.stderr());
    found.files(store, old, new);
    let is_same = found.everywhere.is_empty() && found.conditions.is_empty();
    match is_same && !old.handles_faults() && !new.handles_faults() {
        true => WhyUnknown::BothUndefined(kinds),
        false => WhyUnknown::BothUndefinedAndSeen(kinds),
    }
}

/// Whether a run ended with an error after which the language promises nothing.
pub fn ends_undefined(end: &End) -> bool {
    matches!(ending(end), Ending::Undefined(_))
}

/// How a run ended, as far as a user can tell.
#[derive(PartialEq, Eq)]
enum Ending {
    Exit,
    /// The kind, and the signal if it is one.
    Abnormal(&'static str, u8),
    /// An error after which the language promises nothing; its kind.
    Undefined(&'static str),
    NoEnd,
    Unknown(String),
}

fn ending(end: &End) -> Ending {
    match end {
        End::Exit { .. } => Ending::Exit,
        End::StepLimit { .. } => Ending::NoEnd,
        End::Killed { signal } => Ending::Abnormal(end.kind().name(), signal.0),
        // Natively, stacks have other sizes and frames.
        End::StackOverflow { .. } => Ending::Unknown(end.to_string()),
        End::Memory(_)
        | End::DivisionByZero
        | End::DivisionOverflow
        | End::Unreachable
        | End::DeadJump => Ending::Undefined(end.kind().name()),
        _ if end.is_inconclusive() => Ending::Unknown(end.to_string()),
        _ => Ending::Abnormal(end.kind().name(), 0),
    }
}

#[derive(Default)]
struct ObservedDifferences {
    everywhere: Vec<Observable>,
    conditions: Vec<(Observable, ExprId)>,
}

impl ObservedDifferences {
    fn terms(&mut self, store: &mut Store, what: Observable, old: ExprId, new: ExprId) {
        let same = store.eq(old, new);
        let differs = store.not(same);
        if store.is_true(differs) {
            self.everywhere.push(what);
        } else if !store.is_false(differs) {
            self.conditions.push((what, differs));
        }
    }

    fn bytes(&mut self, store: &mut Store, what: Observable, old: &Bytes, new: &Bytes) {
        if old.len() != new.len() {
            self.everywhere.push(what);
            return;
        }
        let mut differs = store.truth(false);
        for index in 0..old.len() {
            let mut term = |bytes: &Bytes| {
                let term = bytes.terms().map_or(0, |terms| terms[index]);
                let concrete = u128::from(bytes.bytes()[index]);
                ExprId::from_raw(term).unwrap_or_else(|| store.constant(concrete, 8))
            };
            let (old, new) = (term(old), term(new));
            if old != new {
                let same = store.eq(old, new);
                let other = store.not(same);
                differs = store.or(differs, other);
            }
        }
        if store.is_true(differs) {
            self.everywhere.push(what);
        } else if !store.is_false(differs) {
            self.conditions.push((what, differs));
        }
    }

    /// The words that the entry functions returned; a program that exited otherwise returned none.
    fn returned(&mut self, store: &mut Store, old: &VersionRun<'_>, new: &VersionRun<'_>) {
        let words = |version: &VersionRun<'_>| {
            let values = version.process.machine().returned().iter().copied();
            let terms = version
                .run
                .returned
                .iter()
                .copied()
                .chain(std::iter::repeat(None));
            values.zip(terms).collect::<Vec<(u64, Option<ExprId>)>>()
        };
        let (old, new) = (words(old), words(new));
        if old.len() != new.len() {
            self.everywhere.push(Observable::Returned);
            return;
        }
        for ((old_value, old_term), (new_value, new_term)) in old.into_iter().zip(new) {
            let mut term = |value: u64, term: Option<ExprId>| match term {
                Some(term) => store.zext(term, 64),
                None => store.constant(u128::from(value), 64),
            };
            let (old, new) = (term(old_value, old_term), term(new_value, new_term));
            self.terms(store, Observable::Returned, old, new);
        }
    }

    /// Files that either version made, changed or removed; one that did not left it as it was.
    fn files(&mut self, store: &mut Store, old: &Kernel, new: &Kernel) {
        type State = Option<FileState>;
        let mut states: BTreeMap<Vec<u8>, (Option<State>, Option<State>, State)> = BTreeMap::new();
        for change in old.file_changes() {
            states.insert(change.path, (Some(change.after), None, change.before));
        }
        for change in new.file_changes() {
            let entry = states
                .entry(change.path)
                .or_insert((None, None, change.before));
            entry.1 = Some(change.after);
        }
        for (path, (old, new, before)) in states {
            let what = Observable::File(String::from_utf8_lossy(&path).into_owned());
            match (old.unwrap_or(before.clone()), new.unwrap_or(before)) {
                (
                    Some(FileState::File {
                        content: a,
                        mode: old_mode,
                        owner: old_owner,
                    }),
                    Some(FileState::File {
                        content: b,
                        mode: new_mode,
                        owner: new_owner,
                    }),
                ) if old_mode == new_mode && old_owner == new_owner => {
                    self.bytes(store, what, &a, &b);
                }
                (a, b) if a == b => {}
                _ => self.everywhere.push(what),
            }
        }
    }
}
