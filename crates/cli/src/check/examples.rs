//! One example of each kind of difference: made small, confirmed natively if that is possible, and left behind as
//! tests with a script that shows it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use concolic_vm::symbolic::SymbolicInput;
use exploration::InputRecord;
use exploration::compare::Observable;

use super::changes::ChangedLine;
use super::differences::{Group, Witness};
use super::golden::Class;
use super::paired::{Pair, Versions};
use super::reproduce;
use compare::minimise::{Minimised, minimise};
use native::confirmation::{Natively, observably_equal};
use native::test_case::{Expected, TestCase};

/// What both versions did on one input.
pub(super) struct Example {
    pub(super) input: InputRecord,
    /// The input that it was made from, and the condition of the partition that one is in.
    pub(super) found_with: InputRecord,
    pub(super) condition: Vec<String>,
    /// Whether it is known that no part of it can be left out.
    pub(super) is_minimal: bool,
    pub(super) old: Expected,
    pub(super) new: Expected,
    /// All that differs between them.
    pub(super) observables: Vec<Observable>,
    /// Of files that have another mode or owner in one version: what each has.
    pub(super) attributes: BTreeMap<String, [String; 2]>,
    /// The changed lines on its way.
    pub(super) changes: Vec<ChangedLine>,
    /// Why native runs did not show it, if so.
    pub(super) unconfirmed: Option<String>,
    /// Measured by a golden version, if there is one.
    pub(super) class: Option<Result<Class, String>>,
    pub(super) folder: PathBuf,
}

impl Example {
    /// Whether a reader sees no difference between this example and another.
    pub(super) fn reads_as(&self, other: &Example) -> bool {
        let class = |example: &Example| example.class.as_ref().map(|class| class.clone().ok());
        (&self.input, &self.observables, &self.changes)
            == (&other.input, &other.observables, &other.changes)
            && class(self) == class(other)
    }

    /// The script that shows it, if native runs do.
    pub(super) fn reproduce(&self) -> Option<PathBuf> {
        let is_seen = self.unconfirmed.is_none();
        is_seen.then(|| self.folder.join(reproduce::SCRIPT))
    }
}

/// What examples are made with.
pub(super) struct Workshop<'w> {
    pub(super) versions: &'w Versions<'w>,
    /// An example must have one of these.
    pub(super) shapes: &'w [SymbolicInput],
    pub(super) interrupt: &'w AtomicBool,
    pub(super) budget: Budget,
    pub(super) folder: &'w Path,
    /// Files of raw values that both versions write: name, format of `od`, what it is.
    pub(super) raw_files: Vec<(String, &'static str, String)>,
}

/// How much may be spent on making inputs small. It is counted in instructions, so that the same call gives the
/// same examples.
#[derive(Clone, Copy)]
pub(super) struct Budget {
    /// For each kind of difference.
    pub(super) each: u64,
    /// What is left for all.
    pub(super) left: u64,
}

/// What starting both processes counts, in instructions.
const STARTING: u64 = 50_000;

impl Budget {
    /// About a second at most.
    pub(super) const SMALL: Budget = Budget {
        each: 30_000_000,
        left: 100_000_000,
    };
    /// For `--minimise`: a bound only for programs that run long.
    pub(super) const LARGE: Budget = Budget {
        each: 20_000_000_000,
        left: u64::MAX,
    };

    /// A smaller input of one of the shapes that shows the same. `show` runs the versions on one, and says how many
    /// instructions that took and whether it shows the same; nothing if no process can be started with it.
    pub(super) fn smaller(
        &mut self,
        input: &InputRecord,
        shapes: &[SymbolicInput],
        interrupt: &AtomicBool,
        mut show: impl FnMut(&InputRecord) -> Option<(u64, bool)>,
    ) -> Minimised {
        let each = self.each.min(self.left);
        let mut left = each;
        let small = minimise(input, |input| {
            if interrupt.load(Ordering::Relaxed) || left == 0 {
                return None;
            }
            let fits = |shape: &SymbolicInput| input.in_shape(shape).is_some();
            if !shapes.iter().any(fits) {
                return Some(false);
            }
            let Some((instructions, is_same)) = show(input) else {
                return Some(false);
            };
            left = left.saturating_sub(instructions + STARTING);
            Some(is_same)
        });
        self.left -= each - left;
        small
    }
}

/// Removes the examples of an earlier call, and nothing else.
pub(super) fn remove_examples(folder: &Path) -> anyhow::Result<()> {
    for number in 1.. {
        let place = folder.join(format!("{number:03}"));
        if !place.join("old/argv").is_file() || !place.join("new/argv").is_file() {
            return Ok(());
        }
        std::fs::remove_dir_all(&place)
            .with_context(|| format!("cannot remove the earlier example `{}`", place.display()))?;
    }
    Ok(())
}

impl Workshop<'_> {
    /// An example of a kind of difference: the first that native runs confirm, or else the first.
    pub(super) fn example(
        &mut self,
        natively: &mut Natively<'_>,
        group: &Group,
    ) -> anyhow::Result<Example> {
        let mut best: Option<Example> = None;
        for witness in &group.witnesses {
            let pair = self.run(&witness.input)?;
            let small = self.smaller(witness, &pair);
            let is_smaller = small.input != witness.input;
            let inputs = [(small.input.clone(), small.is_minimal)]
                .into_iter()
                .chain(is_smaller.then(|| (witness.input.clone(), false)));
            for (input, is_minimal) in inputs {
                let example = self.judged(natively, witness, input, is_minimal)?;
                let is_confirmed = example.unconfirmed.is_none();
                if is_confirmed || best.is_none() {
                    best = Some(example);
                }
                if is_confirmed {
                    break;
                }
            }
            if best.as_ref().is_some_and(|best| best.unconfirmed.is_none()) {
                break;
            }
        }
        let mut example = best.expect("a group has a witness");
        if example.observables.is_empty() {
            example.observables.clone_from(&group.symptom.observables);
        }
        if let Some(golden) = self.versions.golden {
            example.class = Some(golden.classify(natively, self.versions, &example)?);
        }
        Ok(example)
    }

    /// Leaves an example behind, under its number.
    pub(super) fn leave(
        &self,
        natively: &mut Natively<'_>,
        example: &mut Example,
        number: usize,
    ) -> anyhow::Result<()> {
        example.folder = self.folder.join(format!("{number:03}"));
        self.write(natively, example)
    }

    fn run(&self, input: &InputRecord) -> anyhow::Result<Pair> {
        let pair = self.versions.run(input);
        pair.context("a process cannot be started with an input that was found")
    }

    /// A smaller input within the bounds that shows the same, on the way over no other changes.
    fn smaller(&mut self, witness: &Witness, shown: &Pair) -> Minimised {
        let versions = self.versions;
        let show = |input: &InputRecord| {
            let pair = versions.run(input)?;
            Some((pair.instructions, pair.shows_same(shown)))
        };
        self.budget
            .smaller(&witness.input, self.shapes, self.interrupt, show)
    }

    /// What an input shows natively.
    pub(super) fn judged(
        &self,
        natively: &mut Natively<'_>,
        witness: &Witness,
        input: InputRecord,
        is_minimal: bool,
    ) -> anyhow::Result<Example> {
        let pair = self.run(&input)?;
        let unconfirmed = if pair.symptom.observables.is_empty() {
            Some("given exactly this input, the versions do the same in the VM, too".to_owned())
        } else if observably_equal(&pair.old, &pair.new) {
            Some(
                "what a test records (streams, exit status, contents of files in the working folder) is the same"
                    .to_owned(),
            )
        } else {
            let old = self.test(&input, &pair.old);
            let new = self.test(&input, &pair.new);
            natively.objection(&pair.symptom.observables, &old, &new)?
        };
        Ok(Example {
            input,
            found_with: witness.input.clone(),
            condition: witness.condition.clone(),
            is_minimal,
            old: pair.old,
            new: pair.new,
            observables: pair.observables,
            attributes: pair.attributes,
            changes: pair.changes,
            unconfirmed,
            class: None,
            folder: PathBuf::new(),
        })
    }

    fn test(&self, input: &InputRecord, expected: &Expected) -> TestCase {
        let working_folder = &self.versions.kernel.working_directory;
        TestCase::new(input, working_folder, Some(expected.clone()))
    }

    /// Leaves an example behind in its folder.
    pub(super) fn write(
        &self,
        natively: &mut Natively<'_>,
        example: &Example,
    ) -> anyhow::Result<()> {
        let place = &example.folder;
        let (old, new) = (
            self.test(&example.input, &example.old),
            self.test(&example.input, &example.new),
        );
        std::fs::create_dir_all(place)
            .and_then(|()| old.write(&place.join("old")))
            .and_then(|()| new.write(&place.join("new")))
            .with_context(|| format!("cannot write the tests `{}`", place.display()))?;
        match example.unconfirmed {
            None => reproduce::write(natively, [&old, &new], place, &self.raw_files),
            Some(_) => Ok(()),
        }
    }
}
