//! Who is told of a search while it goes on. What needs terms or processes is told where these are: in an executor's thread.

use crate::members::{Members, PrunedInputs};
use crate::worker::{Ran, VersionRun};
use concolic_vm::{Outcome, linux};
use inputs::InputRecord;
use search::{Category, Partition, Progress};

/// A run that is worth a test: it covers something new, or it is the first with its error.
pub struct FoundTest<'a> {
    /// The run's number from 1. A run of an earlier session is offered again, under the same number.
    pub test: u64,
    pub input: InputRecord,
    pub outcome: &'a Outcome,
    pub kernel: &'a linux::Kernel,
    /// The run reached code or took an alternative that no run before did.
    pub covers_new: bool,
    /// The run is the first that ends abnormally in this way at this place.
    pub new_error: bool,
}

/// What is told of a search while it goes on.
pub trait Observer: Sync {
    /// A test, perhaps one that was written before; an error stops the search.
    fn found(&self, found: &FoundTest<'_>) -> std::io::Result<()>;
    /// Called a few times a second.
    fn progress(&self, progress: &Progress);
    /// A part of a path's inputs on which the versions were compared.
    fn partition(&self, _: &Partition, _: &Ran<'_>, _: &mut Members<'_, '_>) {}
    /// Whether it is to be found out how much of the input space is settled.
    fn settles(&self) -> bool {
        false
    }
    /// Whether questions are asked that serve only a proof, and not also the search for differences.
    fn proves(&self) -> bool {
        true
    }
    /// Whether every input of the space is meant. If not, [`Observer::admits`] says which.
    fn admits_all(&self) -> bool {
        true
    }
    /// Whether an input on which the versions ran like this is one that is meant. Others count neither as equal nor as
    /// different, but they are explored.
    fn admits(&self, _: &[VersionRun<'_>]) -> bool {
        true
    }
    /// A way that is not explored, since no difference is behind it. For tests.
    fn pruned(&self, _: Category, _: &mut PrunedInputs<'_, '_>) {}
    /// Called for every path when it is over. For tests.
    fn path(&self, _: &Ran<'_>) {}
}
