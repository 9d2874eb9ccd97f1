//! One example of each kind of difference: made small, and for each two versions that it tells apart, run natively and left
//! behind as tests with a script that shows it, as for a check of these two.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use concolic_vm::symbolic::SymbolicInput;
use exploration::InputRecord;

use super::super::differences::Witness;
use super::super::examples::{self, Budget};
use super::super::paired::Pair;
use super::line::{Line, Shown};
use super::search::Kind;
use compare::minimise::Minimised;
use native::confirmation::Natively;

/// What the versions did on one input.
pub(super) struct Example {
    pub(super) shown: Shown,
    pub(super) input: InputRecord,
    /// The input that it was made from, and the condition of the partition that one is in.
    pub(super) found_with: InputRecord,
    pub(super) condition: Vec<String>,
    pub(super) is_minimal: bool,
    /// For each two versions that a report compares and that differ: the example of these two, by their number.
    pub(super) pairs: Vec<(usize, examples::Example)>,
}

impl Example {
    /// Whether native runs show it, for each two versions that differ.
    pub(super) fn is_confirmed(&self) -> bool {
        !self.pairs.is_empty() && self.confirmed() == self.pairs.len()
    }

    /// The example of two versions that a report compares, by their number.
    pub(super) fn of_pair(&self, number: usize) -> Option<&examples::Example> {
        let mut pairs = self.pairs.iter();
        let own = pairs.find(|(pair, _)| *pair == number);
        own.map(|(_, example)| example)
    }

    /// How many pairs native runs tell apart.
    pub(super) fn confirmed(&self) -> usize {
        let confirmed = |pair: &&(usize, examples::Example)| pair.1.unconfirmed.is_none();
        self.pairs.iter().filter(confirmed).count()
    }
}

pub(super) struct Workshop<'w> {
    pub(super) line: &'w Line<'w>,
    /// For each two versions that a report compares.
    pub(super) natively: Vec<Natively<'w>>,
    pub(super) shapes: &'w [SymbolicInput],
    pub(super) interrupt: &'w AtomicBool,
    pub(super) folder: &'w Path,
    pub(super) budget: Budget,
}

/// Removes the examples of an earlier call, and nothing else.
pub(super) fn remove_examples(folder: &Path) -> anyhow::Result<()> {
    // The folder may have been one for two versions.
    examples::remove_examples(folder)?;
    for number in 1.. {
        let place = folder.join(format!("{number:03}"));
        if !is_example(&place) {
            return Ok(());
        }
        std::fs::remove_dir_all(&place)
            .with_context(|| format!("cannot remove the earlier example `{}`", place.display()))?;
    }
    Ok(())
}

fn is_example(place: &Path) -> bool {
    let inside = std::fs::read_dir(place).into_iter().flatten().flatten();
    let mut names = inside.map(|entry| (entry.file_name(), entry.path()));
    let is_pair = |name: &str| {
        let both = name.split_once('-');
        let is_version = |name: &str| super::LABELS.contains(&name);
        both.is_some_and(|(one, other)| is_version(one) && is_version(other))
    };
    names.any(|(name, path)| {
        name.to_str().is_some_and(is_pair)
            && path.join("old/argv").is_file()
            && path.join("new/argv").is_file()
    })
}

impl<'w> Workshop<'w> {
    /// An example of a kind of difference: the one that native runs confirm most of.
    pub(super) fn example(&mut self, kind: &Kind, number: usize) -> anyhow::Result<Example> {
        let folder = self.folder.join(format!("{number:03}"));
        let groups = &kind.symptom.groups;
        let pairs = self.line.pairs.iter().enumerate();
        let differing = pairs.filter(|(_, pair)| groups.differ(pair.one, pair.other));
        let differing: Vec<usize> = differing.map(|(pair, _)| pair).collect();
        let mut best: Option<Example> = None;
        'witnesses: for witness in &kind.witnesses {
            let shown = self.run(&witness.input)?;
            let small = self.smaller(witness, &shown);
            let is_smaller = small.input != witness.input;
            let inputs = [(small.input.clone(), small.is_minimal)]
                .into_iter()
                .chain(is_smaller.then(|| (witness.input.clone(), false)));
            for (input, is_minimal) in inputs {
                let example = self.judged(&differing, &folder, witness, input, is_minimal)?;
                let known = best.as_ref().map(Example::confirmed);
                let is_better = known.is_none_or(|known| known < example.confirmed());
                let is_whole = example.confirmed() == differing.len();
                if is_better {
                    best = Some(example);
                }
                if is_whole {
                    break 'witnesses;
                }
            }
        }
        let best = best.expect("a kind has a witness");
        for (pair, example) in &best.pairs {
            let (workshop, natively) = self.of_pair(*pair);
            workshop.write(natively, example)?;
        }
        Ok(best)
    }

    fn run(&self, input: &InputRecord) -> anyhow::Result<Shown> {
        let shown = self.line.run(input);
        shown.context("a process cannot be started with an input that was found")
    }

    /// What makes examples of two versions.
    fn of_pair(&mut self, pair: usize) -> (examples::Workshop<'w>, &mut Natively<'w>) {
        let workshop = examples::Workshop {
            versions: &self.line.pairs[pair].versions,
            shapes: self.shapes,
            interrupt: self.interrupt,
            budget: self.budget,
            folder: self.folder,
            raw_files: Vec::new(),
        };
        (workshop, &mut self.natively[pair])
    }

    fn judged(
        &mut self,
        differing: &[usize],
        folder: &Path,
        witness: &Witness,
        input: InputRecord,
        is_minimal: bool,
    ) -> anyhow::Result<Example> {
        let mut pairs = Vec::new();
        for &pair in differing {
            let (workshop, natively) = self.of_pair(pair);
            let mut example = workshop.judged(natively, witness, input.clone(), is_minimal)?;
            let names = &self.line.pairs[pair].versions.names;
            example.folder = folder.join(names.join("-"));
            pairs.push((pair, example));
        }
        Ok(Example {
            shown: self.run(&input)?,
            input,
            found_with: witness.input.clone(),
            condition: witness.condition.clone(),
            is_minimal,
            pairs,
        })
    }

    /// A smaller input within the bounds that shows the same, on the way over no other changes.
    fn smaller(&mut self, witness: &Witness, shown: &Shown) -> Minimised {
        let line = self.line;
        let show = |input: &InputRecord| {
            let other = line.run(input)?;
            let mut pairs = other.pairs.iter().zip(&shown.pairs);
            let is_same =
                other.groups == shown.groups && pairs.all(|(other, own)| shows_same(other, own));
            Some((other.instructions, is_same))
        };
        self.budget
            .smaller(&witness.input, self.shapes, self.interrupt, show)
    }
}

/// Whether two versions differ in the same way, over no other changes. What they do where they do not differ is open.
fn shows_same(other: &Pair, own: &Pair) -> bool {
    let is_open = own.symptom.observables.is_empty() && other.symptom == own.symptom;
    is_open || other.shows_same(own)
}
