//! What is reported, whatever the format.

use std::time::Duration;

use exploration::{InputSpace, Strategy, Summary, Verdict};

use super::Arguments;
use super::determinism::Dependence;
use super::differences::Group;
use super::examples::Example;
use super::function::FunctionCheck;
use super::paranoid::{Refuted, SelfCheck};
use super::partitions::Listed;
use super::undefined::{Assumed, Undefined};
use super::version_files::{VersionFiles, is_rust};
use crate::search_options::Mode;

/// What every comparison of runs takes for granted; docs/comparison.md explains it.
pub(super) const ALWAYS_ASSUMED: [&str; 4] = [
    UNDEFINED_BUT_DONE,
    "time, user, process number, host name, random bytes, the processor, the program's name and the system's limits are fixed, \
     the working folder is `/home/user`, standard input and both outputs are pipes, and no files exist but those given",
    C_LIBRARY,
    "addresses are those of the VM, where none is given out again after it was freed",
];

/// Also where nothing was run: it decides what the versions' code is.
pub(super) const C_LIBRARY: &str = "the C library does what musl does, and its headers say what the host's say, but for what docs/libc-differences.md lists";

/// Of programs in Rust.
pub(super) const PANICS_END: &str =
    "a panic ends the program, since both versions are built with `panic=abort`";

const UNDEFINED_BUT_DONE: &str = "signed overflow wraps, shifts take their distance modulo the width, and `memcpy` moves \
                                  blocks that overlap, also where no run showed it";

pub(super) struct Report<'r> {
    pub(super) arguments: &'r Arguments,
    /// What is compared, if it is not the program.
    pub(super) function: Option<&'r FunctionCheck>,
    pub(super) names: &'r VersionFiles,
    pub(super) space: &'r InputSpace,
    /// The guest's.
    pub(super) working_folder: &'r str,
    /// `None` if both versions are the same code.
    pub(super) summary: Option<&'r Summary>,
    /// Changed functions that were proved to do the same by themselves. If there are some, nothing was explored.
    pub(super) same_functions: Vec<String>,
    pub(super) differences: Vec<(Group, Example)>,
    pub(super) partitions: &'r Listed,
    pub(super) first: Option<(u64, Duration)>,
    /// Parts of the versions that the VM does not have.
    pub(super) left_out: Vec<String>,
    /// What decides the versions' behaviour besides their input.
    pub(super) dependences: Vec<Dependence>,
    /// What they do that C leaves undefined.
    pub(super) undefined: Undefined,
    /// A test that shows that pruning is wrong.
    pub(super) wrong_pruning: Option<Refuted>,
    /// With `--paranoid`: what native runs say of the proofs.
    pub(super) self_check: Option<SelfCheck>,
    pub(super) wall: Duration,
}

impl Report<'_> {
    /// A difference counts when native runs have shown it; one that only the VM shows leaves the answer open.
    pub(super) fn verdict(&self) -> Verdict {
        let Some(summary) = self.summary else {
            return Verdict::Equivalent;
        };
        match summary.verdict() {
            Verdict::Equivalent if self.finds_only() => Verdict::Undecided,
            Verdict::Equivalent if self.refuted().is_some() => Verdict::Undecided,
            Verdict::Different if self.confirmed() == 0 => Verdict::Undecided,
            Verdict::Equivalent
                if !self.left_out.is_empty()
                    || !self.dependences.is_empty()
                    || !self.undefined.reads.is_empty()
                    || self.undefined.unfinished =>
            {
                Verdict::Undecided
            }
            verdict => verdict,
        }
    }

    /// Nothing was to be proved.
    pub(super) fn finds_only(&self) -> bool {
        self.arguments.search.mode() == Mode::FindOnly
    }

    /// Whether random inputs were tried: they have no paths, and no journal.
    pub(super) fn is_random(&self) -> bool {
        self.arguments.search.strategy() == Strategy::Random
    }

    /// The proof that does not hold, if there is one.
    pub(super) fn refuted(&self) -> Option<&Refuted> {
        let self_check = self.self_check.as_ref();
        let refuted = self_check.and_then(|found| found.refuted.as_ref());
        refuted.or(self.wrong_pruning.as_ref())
    }

    pub(super) fn confirmed(&self) -> usize {
        self.differences
            .iter()
            .filter(|(_, example)| example.unconfirmed.is_none())
            .count()
    }

    /// What varies.
    pub(super) fn input_bounds(&self) -> Vec<String> {
        let bounds = self.space.bounds();
        match self.function {
            Some(function) => function.bounds(bounds),
            None => bounds,
        }
    }

    /// Whether shares are looked for, and some inputs of the space have none.
    pub(super) fn leaves_out(&self) -> bool {
        !self.is_random() && self.function.is_some_and(FunctionCheck::leaves_out)
    }

    pub(super) fn bounds(&self) -> Vec<String> {
        with_surroundings(self.input_bounds(), self.space, self.arguments)
    }

    /// Values that were taken as they are, and files that were not there.
    pub(super) fn notes(&self) -> Vec<String> {
        self.summary.map_or_else(Vec::new, notes)
    }

    /// What the verdict rests on besides the bounds.
    pub(super) fn assumptions(&self) -> Vec<String> {
        let mut assumptions = self.notes();
        assumptions.extend(self.undefined.assumed.iter().map(Assumed::in_words));
        assumptions.extend(self.always_assumed());
        assumptions
    }

    /// What is taken for granted whatever the runs did.
    pub(super) fn always_assumed(&self) -> Vec<String> {
        let is_unseen =
            |summary: &Summary| summary.pruned.ways() > 0 || summary.effort.counts.sliced > 0;
        if self.summary.is_none() && self.same_functions.is_empty() {
            return vec![C_LIBRARY.to_owned()];
        }
        // A proof about functions by themselves knows of nothing else.
        let assumed = match self.summary {
            Some(_) => &ALWAYS_ASSUMED[..],
            None => &[UNDEFINED_BUT_DONE],
        };
        let mut assumed: Vec<String> = assumed.iter().map(|&one| one.to_owned()).collect();
        let mut more = |what: &str| assumed.push(what.to_owned());
        if self.summary.is_none() || self.partitions.counts.equal_called > 0 {
            more("the stack is large enough");
            more("nothing depends on where variables and blocks of memory lie");
        }
        if is_rust(&self.names.new) {
            more(PANICS_END);
        }
        let mut unseen = Vec::new();
        if self.summary.is_none_or(is_unseen) {
            unseen.extend([
                "memory that was never written is zero",
                "what C leaves undefined does the same in both versions",
            ]);
        }
        if self
            .summary
            .is_some_and(|summary| summary.effort.counts.sliced > 0)
        {
            unseen.push("an address computed from that of an object stays in it or is in none");
        }
        if !unseen.is_empty() {
            let place = match self.summary {
                Some(_) => "on ways that no run took, ",
                None => "",
            };
            assumed.insert(0, format!("{place}{}", unseen.join(", and ")));
        }
        assumed
    }
}

/// What of the runs a reader should know: values that were taken as they are, and files that were not there.
pub(super) fn notes(summary: &Summary) -> Vec<String> {
    let taken = summary.assumed.taken_as_is.iter();
    let mut notes: Vec<String> = taken.map(|taken| taken.note(summary.exhausted())).collect();
    for file in &summary.assumed.missing_files {
        let name = String::from_utf8_lossy(file).escape_debug().to_string();
        let is_plain = name.as_bytes() == &file[..] && !name.is_empty() && !name.starts_with('/');
        let how = match is_plain {
            true => {
                format!("; `--sym-file {name} 0..8` makes one of any content, `--file` copies one")
            }
            false => String::new(),
        };
        notes.push(format!(
            "the file `{name}` was opened and does not exist{how}"
        ));
    }
    notes
}

/// The bounds of the input, and what else bounds a run.
pub(super) fn with_surroundings(
    mut bounds: Vec<String>,
    space: &InputSpace,
    arguments: &Arguments,
) -> Vec<String> {
    if space.environment.is_empty() {
        bounds.push("environment: empty".to_owned());
    }
    bounds.push(format!(
        "runs of up to {} instructions and a stack of {} bytes",
        arguments.max_steps, arguments.max_stack
    ));
    bounds
}
