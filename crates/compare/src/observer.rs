//! How a comparison tells its caller what it is doing.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use exploration::compare::Observable;
use exploration::{InputSpace, Progress};
use native::confinement::Unavailable;

use crate::given::Given;
use crate::versions::changed_line::ReportedChange;

/// Watches a comparison.
pub trait Observer: Sync {
    fn event(&self, event: Event<'_>);

    /// True when the search is to stop. What was found until then is confirmed and reported.
    fn interrupt(&self) -> &AtomicBool;
}

/// What a comparison is doing, or has found out that its report does not say.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// Long work of a build begins.
    Building(&'e str),
    /// Lines of versions in different languages are not compared.
    LanguagesDiffer,
    /// Nothing said what is symbolic: this is, or bounds grow from it.
    DefaultInput {
        space: &'e InputSpace,
        grows: bool,
    },
    /// Of all seeds, so many are used; the others, each with the reason.
    SeedsNotUsed {
        reasons: &'e [String],
        used: usize,
        all: usize,
    },
    /// What an earlier comparison left is not used.
    JournalNotUsed {
        journal: &'e Path,
        why: &'e NotUsed,
    },
    Searching {
        progress: &'e Progress,
        kinds: usize,
    },
    /// Native runs have shown a difference while the search goes on, or ends with this one.
    Confirmed {
        given: &'e Given,
        observables: &'e [Observable],
        /// Since the search began.
        after: Duration,
        is_last: bool,
    },
    /// A difference was found, and no input has executed these changed lines so far: larger inputs are tried for them.
    NotExecutedYet {
        lines: &'e [ReportedChange],
    },
    Inspecting,
    /// Nothing is run natively: there is no sandbox.
    NativeRunsOff(&'e Unavailable),
    /// Runs an example of a kind of difference natively.
    Confirming {
        number: usize,
        of: usize,
    },
    /// Runs an input natively that was proved equal.
    SelfChecking {
        number: usize,
        of: usize,
    },
    /// Nothing more comes but the report.
    Done,
}

/// Why what an earlier comparison left is not used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotUsed {
    /// These have changed since. So many inputs that showed a difference then are tried again.
    Changed { what: Vec<String>, seeds: usize },
    /// It does not say what was compared.
    SaysNothing,
    /// It was not begun here by this user's Parallax: it may have come with the files.
    Foreign,
}

/// Watches nothing, and never interrupts.
#[derive(Debug, Default)]
pub struct Unobserved {
    never: AtomicBool,
}

impl Observer for Unobserved {
    fn event(&self, _: Event<'_>) {}

    fn interrupt(&self) -> &AtomicBool {
        &self.never
    }
}
