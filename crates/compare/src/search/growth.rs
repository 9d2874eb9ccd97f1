//! Bounds that grow, where nobody has said what varies.
//!
//! A check begins with the first bounds. While all inputs within them are proved equal and time is left, it goes on with the next larger
//! ones:
//!
//! - A *wider* round has more and longer arguments and more bytes of standard input, as far as the versions read these. Its inputs include those of
//!   all rounds before, so a round that is completed takes their place, and the verdict is about the last one that was.
//! - An *other* round has what the versions asked for and did not find: files of the working folder that a version opened, variables
//!   of the environment that it asks for by name. Its inputs are others; if it is completed, they are proved too.
//!
//! A round that is not completed proves nothing. It has tried inputs beyond the bounds, and what is different there is different.
//!
//! **When it ends**: with the first difference; when a wider round is not completed in its time; when the time is used up. And when the runs have
//! executed all changed lines that can be executed, and two wider rounds one after the other have executed no code that the rounds before had not:
//! larger inputs then do more of the same. As long as a changed line was not executed, a round may take all the time that
//! is left; afterwards it has a few times what was spent so far, so that a small check is still a short one.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use concolic_vm::symbolic::Coverage;
use exploration::input::{ArgSpace, StreamSpace, ValueSpace};
use exploration::{InputSpace, Strategy, Verdict};
use serde::{Deserialize, Serialize};

use super::{Round, Searched, Searching, search_round};
use crate::prepare::folder::Journals;
use crate::spec::Mode;
use crate::versions::covered::Covered;
use crate::versions::exercise::Exercised;
use crate::versions::input_sources::{environment_asked_for, reads_arguments};

/// The most arguments, the most bytes of each, and the most bytes of standard input of the wider rounds.
const WIDER: &[(usize, usize, usize)] = &[
    (3, 6, 16),
    (4, 8, 32),
    (4, 12, 64),
    (5, 16, 128),
    (6, 24, 256),
    (6, 32, 512),
];
/// The most bytes of a file or of a variable that was asked for.
const FILE: usize = 8;
const VARIABLE: usize = 4;
/// Wider rounds one after the other that execute nothing new.
const WITHOUT_NEWS: u32 = 2;
/// A round has at least this time, and at most so many times what was spent before it.
const SHORTEST: Duration = Duration::from_secs(2);
const TIMES: u32 = 4;
/// What is left of the time for anything to be begun.
const LEAST: Duration = Duration::from_millis(50);

/// How far bounds have grown.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Growth {
    /// Rounds that were completed after the first one.
    pub rounds: u32,
    /// Inputs that are proved besides those within the bounds: what was there, in words.
    pub also: Vec<String>,
    /// Runs beyond the bounds, in rounds that were not completed.
    pub beyond: u64,
}

/// A round to come.
enum Next {
    Wider(InputSpace),
    Other { space: InputSpace, what: String },
}

/// What is known of the rounds.
struct Growing<'g, 's> {
    searching: &'g Searching<'s>,
    began: Instant,
    reads_arguments: bool,
    tried: BTreeSet<Vec<u8>>,
    /// Wider rounds so far.
    level: usize,
    /// Wider rounds since one executed new code.
    without_news: u32,
    growth: Growth,
}

/// Goes on from a first round.
pub(super) fn grow(searching: &Searching<'_>, first: Searched) -> Searched {
    if !may_grow(searching) {
        return first;
    }
    let programs = searching.versions.programs.iter();
    let mut growing = Growing {
        searching,
        began: first.began,
        reads_arguments: programs
            .clone()
            .any(|program| reads_arguments(program.module())),
        tried: BTreeSet::new(),
        level: 0,
        without_news: 0,
        growth: Growth::default(),
    };
    let mut best = first;
    while let Some((next, time)) = growing.next(&best) {
        let is_wider = matches!(next, Next::Wider(_));
        let is_completed = growing.round(next, time, &mut best);
        if is_wider && !is_completed {
            break;
        }
    }
    best.growth = Some(growing.growth);
    best.began = growing.began;
    best
}

/// Bounds that somebody gave are kept; and what is not to be proved does not grow.
fn may_grow(searching: &Searching<'_>) -> bool {
    let (spec, prepared) = (searching.spec, searching.prepared);
    prepared.may_grow
        && !prepared.nothing_to_explore()
        && spec.search.mode != Mode::FindOnly
        && spec.search.strategy != Strategy::Random
        && spec.limits.runs.is_none()
}

impl Growing<'_, '_> {
    /// The next round and its time, if there is one.
    fn next(&mut self, best: &Searched) -> Option<(Next, Duration)> {
        let is_proved = best.verdict() == Some(Verdict::Equivalent);
        let interrupted = self.searching.observer.interrupt().load(Ordering::Relaxed);
        let spent = self.began.elapsed();
        let left = self.searching.spec.limits.time.saturating_sub(spent);
        if !is_proved || interrupted || left < LEAST {
            return None;
        }
        let is_missing = self.is_missing(best);
        let time = match is_missing {
            true => left,
            false => left.min(SHORTEST.max(spent * TIMES)),
        };
        if let Some(other) = self.other(best) {
            return Some((other, time));
        }
        if !is_missing && self.without_news >= WITHOUT_NEWS {
            return None;
        }
        self.wider(best).map(|wider| (wider, time))
    }

    /// Whether a changed line that can be executed was not.
    fn is_missing(&self, best: &Searched) -> bool {
        let versions = self.searching.versions;
        let mut steps = versions.single_steps().iter();
        steps.any(|step| {
            let covered = [step.from, step.to].map(|version| Covered {
                program: versions.programs[version],
                coverage: &best.found.coverage[version],
            });
            let changes = step.changes.filter(|_| !step.same_code);
            changes.is_some_and(|changes| Exercised::of(changes, covered).counts.not_executed > 0)
        })
    }

    /// A round with files and variables that were asked for and were not there.
    fn other(&mut self, best: &Searched) -> Option<Next> {
        let summary = best.summary.as_ref()?;
        let mut space = self.searching.prepared.space.clone();
        self.leave_out_what_is_not_read(&mut space, best);
        let within = space.bounds().join(", ");
        let folder = &self.searching.prepared.kernel.working_directory;
        let folder = String::from_utf8_lossy(folder).into_owned();
        for file in &summary.assumed.missing_files {
            let name = std::str::from_utf8(file).ok();
            let name = name.filter(|name| is_plain(name));
            let (Some(name), true) = (name, self.tried.insert(file.clone())) else {
                continue;
            };
            let path = format!("{folder}/{name}");
            space.files.insert(path, StreamSpace::Symbolic(0..=FILE));
            let what = format!("a file `{name}` of up to {FILE} bytes ({within})");
            return Some(Next::Other { space, what }).filter(Next::is_possible);
        }
        for program in &self.searching.versions.programs {
            for name in environment_asked_for(program.module()) {
                if !self.tried.insert(format!("{name}=").into_bytes()) {
                    continue;
                }
                let what = format!(
                    "a variable `{name}` of up to {VARIABLE} bytes in the environment ({within})"
                );
                space
                    .environment
                    .push((name, ValueSpace::Symbolic(VARIABLE)));
                return Some(Next::Other { space, what }).filter(Next::is_possible);
            }
        }
        None
    }

    fn wider(&mut self, best: &Searched) -> Option<Next> {
        let &(most, length, bytes) = WIDER.get(self.level)?;
        self.level += 1;
        let mut space = best.space.clone();
        if self.reads_arguments {
            let count = 0..=most;
            space.args = vec![ArgSpace::Symbolic { count, length }];
        }
        if best.found.reads_stdin {
            space.stdin = StreamSpace::Symbolic(0..=bytes);
        }
        let is_wider = self.reads_arguments || best.found.reads_stdin;
        Some(Next::Wider(space)).filter(|next| is_wider && next.is_possible())
    }

    fn leave_out_what_is_not_read(&self, space: &mut InputSpace, best: &Searched) {
        if !self.reads_arguments {
            space.args.clear();
        }
        if !best.found.reads_stdin {
            space.stdin = StreamSpace::default();
        }
    }

    /// Explores a round, and takes in what comes of it; whether it was completed.
    fn round(&mut self, next: Next, time: Duration, best: &mut Searched) -> bool {
        let (space, what) = match next {
            Next::Wider(space) => (space, None),
            Next::Other { space, what } => (space, Some(what)),
        };
        let shapes = space.shapes();
        let mut journals = match what {
            None => Journals::of_round(
                self.searching.cache,
                self.searching.prepared,
                self.searching.spec,
                self.level,
                (&space, &shapes),
            ),
            Some(_) => Journals::default(),
        };
        let round = Round {
            space,
            shapes,
            seeds: Vec::new(),
            time,
        };
        let mut found = search_round(self.searching, round, &mut journals);
        let verdict = found.verdict();
        if verdict == Some(Verdict::Different) {
            found.found.cover(&best.found.coverage);
            *best = found;
            return true;
        }
        if verdict != Some(Verdict::Equivalent) {
            self.growth.beyond += found.summary.as_ref().map_or(0, |summary| summary.runs);
            return false;
        }
        let is_news = adds(&best.found.coverage, &found.found.coverage);
        match what {
            None => {
                self.growth.rounds += 1;
                self.without_news = match is_news {
                    true => 0,
                    false => self.without_news + 1,
                };
                found.found.reads_stdin |= best.found.reads_stdin;
                // Those of other rounds stay proved, and are looked at as all are.
                found.take_others(best);
                *best = found;
            }
            Some(what) => {
                self.growth.also.push(what);
                best.add_other(found);
            }
        }
        true
    }
}

impl Next {
    fn is_possible(&self) -> bool {
        let (Next::Wider(space) | Next::Other { space, .. }) = self;
        space.check().is_ok()
    }
}

impl Searched {
    fn verdict(&self) -> Option<Verdict> {
        self.summary.as_ref().map(exploration::Summary::verdict)
    }

    /// Adds the inputs of a round that is no part of this one.
    fn add_other(&mut self, other: Searched) {
        let first = self.shapes.len() as u32;
        self.shapes.extend(other.shapes.iter().cloned());
        for mut input in other.found.inputs {
            input.shape += first;
            self.others.push(input);
        }
        self.found.samples.extend(other.found.samples);
        self.found.claims.extend(other.found.claims);
        self.found.meant |= other.found.meant;
        self.found.cover(&other.found.coverage);
        self.assume_too(other.summary.as_ref());
    }

    /// What a round rests on, the answer rests on too.
    fn assume_too(&mut self, other: Option<&exploration::Summary>) {
        let (Some(own), Some(other)) = (&mut self.summary, other) else {
            return;
        };
        let (own, other) = (&mut own.assumed, &other.assumed);
        for taken in &other.taken_as_is {
            let mut known = own.taken_as_is.iter();
            if !known.any(|own| own.what == taken.what && own.place == taken.place) {
                own.taken_as_is.push(taken.clone());
            }
        }
        let missing = other.missing_files.iter().cloned();
        own.missing_files.extend(missing);
    }

    /// Adds what other rounds have added to a narrower one.
    fn take_others(&mut self, narrower: &mut Searched) {
        let first = self.shapes.len() as u32;
        let used: BTreeSet<u32> = narrower.others.iter().map(|input| input.shape).collect();
        let numbers: Vec<u32> = used.into_iter().collect();
        let shape = |number: &u32| narrower.shapes[*number as usize].clone();
        self.shapes.extend(numbers.iter().map(shape));
        for mut input in std::mem::take(&mut narrower.others) {
            let place = numbers.binary_search(&input.shape);
            input.shape = first + place.expect("all numbers are there") as u32;
            self.others.push(input);
        }
        self.found.cover(&narrower.found.coverage);
        self.assume_too(narrower.summary.as_ref());
    }
}

/// Whether some code was executed that was not before.
fn adds(before: &[Coverage], after: &[Coverage]) -> bool {
    let mut versions = before.iter().zip(after);
    versions.any(|(before, after)| !before.missing(after).is_empty())
}

/// A file of the working folder.
fn is_plain(name: &str) -> bool {
    let mut parts = name.split('/');
    !name.is_empty() && parts.all(|part| !["", ".", ".."].contains(&part))
}

/// The first bounds as they are given.
pub(super) fn first_round(searching: &Searching<'_>) -> Round {
    let prepared = searching.prepared;
    Round {
        space: prepared.space.clone(),
        shapes: prepared.shapes.clone(),
        seeds: prepared.seeds.clone(),
        time: searching.spec.limits.time,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_working_folder_are_made() {
        for (name, expected) in [
            ("settings.ini", true),
            ("conf/a.txt", true),
            ("/etc/passwd", false),
            ("../a", false),
            ("", false),
        ] {
            assert_eq!(is_plain(name), expected, "{name}");
        }
    }

    /// Inputs of a wider round include those of the rounds before: only then may it take their place.
    #[test]
    fn each_round_includes_the_one_before() {
        let mut before = (2, 4, 8);
        for &round in WIDER {
            assert!(round.0 >= before.0 && round.1 >= before.1 && round.2 > before.2);
            before = round;
        }
    }
}
