//! Comparing what two versions did on one input, without terms.
//!
//! The same observables as in [`crate::compare`], as they are. A difference that is seen here is not yet one that counts: the input
//! goes to the search, which runs it with terms and compares the versions on all of its path.

use crate::compare::{Ending, ending, file_states};
use concolic_vm::linux::{Bytes, FileState};
use concolic_vm::{End, Machine, Outcome};
use search::Observable;

/// A run that has ended.
pub struct PlainRun<'p> {
    pub machine: Machine<'p>,
    pub outcome: Outcome,
}

/// In which observables two runs of one input differ; none if a limit of ours keeps that from being known.
pub fn difference(old: &PlainRun<'_>, new: &PlainRun<'_>) -> Vec<Observable> {
    match (ending(&old.outcome.end), ending(&new.outcome.end)) {
        (Ending::Unknown(_), _) | (_, Ending::Unknown(_)) => return Vec::new(),
        (Ending::NoEnd, Ending::NoEnd) => return Vec::new(),
        // Of whatever kinds, as where terms are compared.
        (Ending::Undefined(_), Ending::Undefined(_)) => return Vec::new(),
        (old, new) if old != new => return vec![Observable::End],
        _ => {}
    }
    let mut found = Vec::new();
    let (old_kernel, new_kernel) = (old.machine.kernel(), new.machine.kernel());
    if !same(&old_kernel.stdout(), &new_kernel.stdout()) {
        found.push(Observable::Stdout);
    }
    if !same(&old_kernel.stderr(), &new_kernel.stderr()) {
        found.push(Observable::Stderr);
    }
    for (path, old, new) in file_states(old_kernel, new_kernel) {
        if !same_file(old.as_ref(), new.as_ref()) {
            let name = String::from_utf8_lossy(&path).into_owned();
            found.push(Observable::File(name));
        }
    }
    let returned = [old, new].map(|run| run.machine.returned());
    let calls = returned.iter().any(|words| !words.is_empty());
    if let (End::Exit { status: one }, End::Exit { status: other }) =
        (&old.outcome.end, &new.outcome.end)
        && !calls
        && *one as u8 != *other as u8
    {
        found.push(Observable::ExitStatus);
    }
    if returned[0] != returned[1] {
        found.push(Observable::Returned);
    }
    found
}

fn same(old: &Bytes, new: &Bytes) -> bool {
    old.bytes() == new.bytes()
}

fn same_file(old: Option<&FileState>, new: Option<&FileState>) -> bool {
    match (old, new) {
        (
            Some(FileState::File {
                content,
                mode,
                owner,
            }),
            Some(FileState::File {
                content: other,
                mode: other_mode,
                owner: other_owner,
            }),
        ) => same(content, other) && mode == other_mode && owner == other_owner,
        (old, new) => old == new,
    }
}
