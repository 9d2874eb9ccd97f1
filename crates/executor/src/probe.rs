//! What is to be learnt of runs besides what the search needs: a *probe* sees them in an executor, where their terms and processes are.
//! What it notes is plain data, and is sent to the [`Observer`](search::Observer) of the search.

use crate::members::{Members, PrunedInputs};
use crate::worker::{Ran, VersionRun};
use concolic_vm::symbolic::SymbolicInput;
use concolic_vm::{Outcome, linux};
use search::{Category, Note, Partition};

/// A run that is worth a test: it covers something new, or it is the first with its error.
pub struct FoundTest<'a> {
    /// The run's number from 1. A run of an earlier session is offered again, under the same number.
    pub test: u64,
    pub input: &'a SymbolicInput,
    pub outcome: &'a Outcome,
    pub kernel: &'a linux::Kernel,
    /// The run reached code or took an alternative that no run before did.
    pub covers_new: bool,
    /// The run is the first that ends abnormally in this way at this place.
    pub new_error: bool,
}

/// What is seen of runs in an executor. One for all executors of a process: what it keeps is to save work, and nothing but its notes
/// leaves it.
pub trait Probe: Sync {
    /// Whether questions are asked that serve only a proof, and not also the search for differences.
    fn proves(&self) -> bool {
        true
    }
    /// Whether an input on which the versions ran like this is one that is meant. Others count neither as equal nor as
    /// different, but they are explored.
    fn admits(&self, _: &[VersionRun<'_>]) -> bool {
        true
    }
    /// Called for every path when it is over.
    fn path(&self, _: &Ran<'_>) -> Option<Note> {
        None
    }
    /// A part of a path's inputs on which the versions were compared.
    fn partition(&self, _: &Partition, _: &Ran<'_>, _: &mut Members<'_, '_>) -> Option<Note> {
        None
    }
    /// A way that is not explored, since no difference is behind it. For tests.
    fn pruned(&self, _: Category, _: &mut PrunedInputs<'_, '_>) -> Option<Note> {
        None
    }
    /// A test, perhaps one that was noted in an earlier session.
    fn test(&self, _: &FoundTest<'_>) -> Option<Note> {
        None
    }
}
