//! Trials: inputs that are run without terms, many at once, to see whether anything new comes of them.
//!
//! A run with terms costs ten to a hundred times one without. So what a fuzzer would find in a moment is looked for as a fuzzer does:
//! inputs are made at random ([`crate::mutate`]), run on all versions without terms, and those that show something new are kept, to be
//! changed further:
//!
//! - a **difference** goes to the search as a seed does: it is run with terms, compared on all of its path, and found again by
//!   a next session. Nothing is said of an input because of a trial alone.
//! - an input that comes to **places where no run has been** waits to be taken into the tree, when inputs of its kind have their turn.
//! - one whose run took decisions **more often, or others**, than any before is only changed further.
//!
//! **Shares.** What trials and all else have cost is measured in instructions, not by the clock ([`crate::messages::Reply::work`]).
//! One that is executed with terms is taken to cost as much as several without, and a question that only a solver's back end can
//! answer as much as very many. Trials have a third of all at first, about a second of it, then less, and little while nothing new
//! comes of them.
//!
//! Where nothing else is left to do but something could not be decided or was cut off, they go on alone for that first second.
//!
//! **Limits.** An input on which a version runs on and on is not waited for: a trial is cut off when it is many times as long as those
//! that ended. Where one version ends and the other does not, the other has much longer, for the first few such inputs.

use crate::messages::{Tried, TriedInput};
use crate::mutate::Mutator;
use crate::observable::Observable;
use concolic_vm::symbolic::{Coverage, SymbolicInput};
use inputs::CompactInput;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// What a question to a back end is taken to cost, in instructions without terms.
pub(crate) const HARD: u64 = 400_000;
/// How much more an instruction with terms costs than one without, and all that goes with it.
pub(crate) const WITH_TERMS: u64 = 6;
/// While trials have cost less, they have the first share.
const FIRST: u64 = 300_000_000;
/// Without anything new for so long, they have the least.
const STALE: u64 = 300_000_000;
/// One part of so many: at first, later, and while nothing new comes of them.
const PARTS: [u64; 3] = [3, 6, 16];
/// What the trials of one order may cost, about.
const BATCH: u64 = 1_500_000;
const FEWEST: u64 = 4;
const MOST: u64 = 256;
/// What a trial costs besides its instructions.
const FIXED: u64 = 4_000;
/// Instructions that a trial may take at first.
const STEPS: u64 = 100_000;
/// A trial may take so many times what the longest that ended has taken.
const LONGER: u64 = 8;
/// Inputs on which one version alone ends, for which the other has all the time that a run has.
const ONE_SIDED: u64 = 16;
/// Inputs that wait to be taken into the tree; of more, the latest are kept.
const WAITING: usize = 64;

/// What became of trials.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TrialCounts {
    pub inputs: u64,
    /// Those that showed something new.
    pub kept: u64,
    /// Those on which the versions differ.
    pub different: u64,
    /// Cut off in all versions.
    pub cut_off: u64,
}

/// What is known of trials.
#[derive(Debug)]
pub(crate) struct Trials {
    mutator: Mutator,
    /// What they have cost, and what all else has.
    spent: u64,
    others: u64,
    /// Orders that are under way.
    in_work: u64,
    /// What they had cost when something new was seen last.
    news_at: u64,
    longest: u64,
    one_sided: u64,
    features: FxHashSet<(u8, u32)>,
    /// By version.
    covered: Vec<Coverage>,
    /// How often the same observables have differed.
    differences: FxHashMap<Vec<Observable>, u64>,
    waiting: VecDeque<CompactInput>,
    counts: TrialCounts,
}

/// What is to be done with an input that was tried.
pub(crate) enum Worth {
    /// The versions differ on it.
    Difference,
    /// It comes to places where no run has been.
    Place,
    /// It is to be changed further.
    Change,
    Nothing,
}

impl Trials {
    pub(crate) fn new(mutator: Mutator, versions: usize) -> Trials {
        Trials {
            mutator,
            spent: 0,
            others: 0,
            in_work: 0,
            news_at: 0,
            longest: STEPS / LONGER,
            one_sided: 0,
            features: FxHashSet::default(),
            covered: vec![Coverage::default(); versions],
            differences: FxHashMap::default(),
            waiting: VecDeque::new(),
            counts: TrialCounts::default(),
        }
    }

    pub(crate) fn counts(&self) -> TrialCounts {
        self.counts
    }

    /// Something else has cost so much.
    pub(crate) fn spend_on_others(&mut self, cost: u64) {
        self.others += cost;
    }

    /// Whether it is their turn.
    pub(crate) fn are_due(&self) -> bool {
        let parts = match (self.spent < FIRST, self.spent - self.news_at < STALE) {
            (true, _) => PARTS[0],
            (false, true) => PARTS[1],
            (false, false) => PARTS[2],
        };
        let own = self.spent + BATCH * (self.in_work + 1);
        own <= (own + self.others) / parts + BATCH / 2
    }

    /// Whether they go on although nothing else is left to do, for what is left out by the rest.
    pub(crate) fn go_on_alone(&self) -> bool {
        self.spent + BATCH * self.in_work < FIRST
    }

    /// Inputs to be tried, and how many instructions each may take: usually, and where another version has ended.
    pub(crate) fn order(&mut self) -> (Vec<CompactInput>, [u64; 2]) {
        self.in_work += 1;
        let mean = match self.counts.inputs {
            0 => BATCH / FEWEST,
            inputs => self.spent / inputs + 1,
        };
        let count = (BATCH / mean).clamp(FEWEST, MOST);
        let draw = |_| {
            let (shape, input) = self.mutator.draw();
            CompactInput::new(shape, &input)
        };
        let inputs = (0..count).map(draw).collect();
        let usual = LONGER * self.longest;
        let apart = match self.one_sided < ONE_SIDED {
            true => u64::MAX,
            false => usual,
        };
        (inputs, [usual, apart])
    }

    /// An order is over.
    pub(crate) fn take(&mut self, tried: &Tried, work: u64) {
        self.in_work -= 1;
        self.spent += work + FIXED * tried.inputs;
        self.counts.inputs += tried.inputs;
        self.counts.cut_off += tried.cut_off;
        self.longest = self.longest.max(tried.longest);
        for (name, size) in &tried.variables {
            self.mutator.learn_variable(name, *size);
        }
    }

    /// What an input that was tried is worth; `known` is what runs with terms have covered.
    pub(crate) fn worth(&mut self, tried: &TriedInput, known: &[Coverage]) -> Worth {
        let mut is_new = false;
        for (version, feature) in &tried.features {
            is_new |= self.features.insert((*version, *feature));
        }
        let mut comes_to_new_place = false;
        for ((covered, known), entered) in self.covered.iter_mut().zip(known).zip(&tried.entered) {
            if covered.add(entered) {
                let run = Coverage::of(entered.iter().copied());
                comes_to_new_place |= !known.missing(&run).is_empty();
            }
        }
        if is_new {
            self.counts.kept += 1;
            self.news_at = self.spent;
        }
        if !tried.different.is_empty() {
            self.counts.different += 1;
            self.one_sided += u64::from(tried.different == [Observable::End]);
            let times = self.differences.entry(tried.different.clone());
            let times = times.or_default();
            *times += 1;
            // Others like it may be of another kind, but most are not.
            if comes_to_new_place || times.is_power_of_two() {
                self.news_at = self.spent;
                return Worth::Difference;
            }
        }
        match (comes_to_new_place, is_new) {
            (true, _) => Worth::Place,
            (false, true) => Worth::Change,
            (false, false) => Worth::Nothing,
        }
    }

    /// Takes in an input that is worth changing.
    pub(crate) fn learn(&mut self, input: &SymbolicInput, executed_change: bool) {
        self.mutator.learn(input, executed_change);
    }

    /// Keeps an input that is to be taken into the tree.
    pub(crate) fn wait(&mut self, input: CompactInput) {
        if self.waiting.len() >= WAITING {
            self.waiting.pop_front();
        }
        self.waiting.push_back(input);
    }

    /// An input that is to be taken into the tree.
    pub(crate) fn waiting(&mut self) -> Option<CompactInput> {
        self.waiting.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trials() -> Trials {
        let shape = SymbolicInput {
            args: vec![concolic_vm::symbolic::InputBytes::concrete("program")],
            stdin: concolic_vm::symbolic::InputBytes::symbolic(vec![0; 4]),
            ..SymbolicInput::default()
        };
        Trials::new(Mutator::new(1, &[shape], &[], &[]), 2)
    }

    fn tried(features: &[u32], entered: &[u32], different: &[Observable]) -> TriedInput {
        TriedInput {
            index: 0,
            features: features.iter().map(|&feature| (0, feature)).collect(),
            entered: vec![entered.to_vec(), Vec::new()],
            different: different.to_vec(),
        }
    }

    /// The part of all work that trials have had after so much of it.
    fn part(trials: &mut Trials, work: u64, mut news: impl FnMut() -> bool) -> f64 {
        let before = (trials.spent, trials.others);
        while trials.spent + trials.others < before.0 + before.1 + work {
            match trials.are_due() {
                true => {
                    trials.order();
                    let done = Tried {
                        inputs: 100,
                        ..Tried::default()
                    };
                    trials.take(&done, BATCH);
                    if news() {
                        trials.news_at = trials.spent;
                    }
                }
                false => trials.spend_on_others(100_000),
            }
        }
        let spent = (trials.spent - before.0) as f64;
        spent / (spent + (trials.others - before.1) as f64)
    }

    #[test]
    fn trials_have_a_third_at_first_and_little_without_news() {
        let mut trials = trials();
        let first = part(&mut trials, 500_000_000, || false);
        assert!((0.30..0.36).contains(&first), "{first}");
        part(&mut trials, 6_000_000_000, || false);
        let stale = part(&mut trials, 2_000_000_000, || false);
        assert!((0.05..0.07).contains(&stale), "{stale}");
        part(&mut trials, 6_000_000_000, || true);
        let useful = part(&mut trials, 2_000_000_000, || true);
        assert!((0.15..0.18).contains(&useful), "{useful}");
    }

    #[test]
    fn what_is_new_is_kept_once_and_differences_are_handed_on_ever_more_seldom() {
        let mut trials = trials();
        let known = vec![Coverage::of([7].into_iter()), Coverage::default()];
        let worth = |trials: &mut Trials, tried| match trials.worth(&tried, &known) {
            Worth::Difference => 'd',
            Worth::Place => 'p',
            Worth::Change => 'c',
            Worth::Nothing => '-',
        };
        let mut seen = String::new();
        seen.push(worth(&mut trials, tried(&[1], &[7], &[])));
        seen.push(worth(&mut trials, tried(&[1, 2], &[7, 9], &[])));
        seen.push(worth(&mut trials, tried(&[1, 2], &[7, 9], &[])));
        for _ in 0..9 {
            let differs = tried(&[1], &[7], &[Observable::Stdout]);
            seen.push(worth(&mut trials, differs));
        }
        assert_eq!(seen, "cp-dd-d---d-");
        let other = tried(&[1], &[7], &[Observable::ExitStatus]);
        assert_eq!(worth(&mut trials, other), 'd');
    }
}
