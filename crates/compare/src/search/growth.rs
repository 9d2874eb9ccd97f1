//! Bounds that grow, where nobody has said what varies.
//!
//! A check begins with very small inputs. As long as time is left, it goes on with rounds of three kinds:
//!
//! - A *wider* round has more and longer arguments and more bytes of standard input, as far as the versions read these. Its inputs include those of
//!   all wider rounds before, so a round that is completed takes their place, and the verdict is about the last one that was. One that is not
//!   completed in its time proves nothing; it is taken up again when other rounds have had their turn.
//! - An *other* round has what the versions asked for and did not find: files of the working folder that a version opened, variables
//!   of the environment that it asks for by name. Its inputs are others; if it is completed, they are proved too.
//! - A round [*beyond*](super::beyond) searches inputs that are much larger, made of what the versions know, and proves nothing.
//!
//! **In which order**: small inputs are finished first. Then, or when a wider round is not completed, comes the first round beyond; with tests of the
//! user's it comes before all others, since these are the inputs that somebody cared for. What is left belongs to wider rounds, and
//! at last to the second round beyond.
//!
//! **When it ends**: with the first round that has a difference; when the time is used up; when nothing is left to try. And when the runs have
//! executed all changed lines that can be executed, and two wider rounds one after the other have executed no code that the rounds before had not:
//! larger inputs then do more of the same. As long as a changed line was not executed, a round may take all the time that
//! is left; afterwards it has a few times what was spent so far, so that a small check is still a short one.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use concolic_vm::symbolic::Coverage;
use exploration::input::{StreamSpace, ValueSpace};
use exploration::{InputSpace, Stop, Verdict};
use serde::{Deserialize, Serialize};

use super::beyond;
use super::findings::Findings;
use super::{Round, Rounds, Searched, StepsProved};
use crate::growing_bounds::{self, BEYOND, Reads, WIDER};
use crate::inspect::{Looking, Undefined};
use crate::prepare::folder::Journals;
use crate::spec::Mode;
use crate::versions::covered::Covered;
use crate::versions::exercise::Exercised;
use crate::versions::input_sources::{environment_asked_for, reads_arguments};
use crate::versions::known_words::KnownWords;

/// The round after which the first round beyond comes, if all before were completed.
const BEFORE_BEYOND: usize = 3;
/// The first round that counts where rounds execute nothing new.
const OF_SOME_SIZE: usize = 4;
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
    /// Wider rounds that were completed, after the first one.
    pub rounds: u32,
    /// Inputs that are proved besides those within the bounds: what was there, in words.
    pub also: Vec<String>,
    /// Runs beyond the bounds, in rounds that were not completed or prove nothing.
    pub beyond: u64,
}

/// What a round has come to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Different,
    /// Completed, looked at, and equal.
    Proved,
    Open,
}

/// A round to come.
enum Next {
    /// By its number in [`WIDER`].
    Wider(usize, InputSpace),
    Other {
        space: InputSpace,
        what: String,
    },
    /// By its number in [`BEYOND`].
    Beyond(usize),
}

/// What is known of the rounds.
struct Growing<'g, 'r, 's> {
    rounds: &'g Rounds<'r, 's>,
    began: Instant,
    reads_arguments: bool,
    words: KnownWords,
    tried: BTreeSet<Vec<u8>>,
    /// The wider round that comes next.
    level: usize,
    /// How often the last wider round was begun and not completed.
    not_completed: u32,
    /// Whether that was for want of time alone.
    ran_out_of_time: bool,
    /// The round beyond that comes next.
    beyond: usize,
    /// Wider rounds since one executed new code.
    without_news: u32,
    growth: Growth,
}

/// Explores one round after the other.
pub(super) fn grow(rounds: &Rounds<'_, '_>, journals: &mut Journals) -> Searched {
    let searching = rounds.searching;
    let modules = || {
        let programs = searching.versions.programs.iter();
        programs.map(|program| program.module())
    };
    let first = Round {
        time: searching.spec.limits.time / 2,
        ..Round::first(searching.prepared, searching.spec.limits.time)
    };
    let mut growing = Growing {
        rounds,
        began: Instant::now(),
        reads_arguments: modules().any(reads_arguments),
        words: KnownWords::of(modules()),
        tried: BTreeSet::new(),
        level: 1,
        not_completed: 0,
        ran_out_of_time: false,
        beyond: 0,
        without_news: 0,
        growth: Growth::default(),
    };
    let tests = &searching.prepared.seeds.records;
    let mut best = rounds.search(first, journals);
    growing.look_at(&mut best);
    if growing.outcome(&best) == Outcome::Open {
        growing.level = 0;
        growing.note_not_completed(&best);
    }
    if !tests.is_empty() && growing.outcome(&best) != Outcome::Different {
        let left = growing.left();
        growing.round(Next::Beyond(0), left / 3, &mut best);
        growing.beyond = 1;
    }
    while let Some((next, time)) = growing.next(&best) {
        growing.round(next, time, &mut best);
    }
    best.growth = Some(growing.growth);
    best.began = growing.began;
    best
}

impl Growing<'_, '_, '_> {
    fn left(&self) -> Duration {
        let time = self.rounds.searching.spec.limits.time;
        time.saturating_sub(self.began.elapsed())
    }

    /// What a round has come to. A round of which not all runs could be looked at is not completed.
    fn outcome(&self, round: &Searched) -> Outcome {
        let versions = self.rounds.searching.versions;
        let verdict = round.summary.as_ref().map(exploration::Summary::verdict);
        let is_looked_at = |undefined: &Undefined| undefined.cut == 0;
        match verdict {
            Some(Verdict::Different) => Outcome::Different,
            _ if round.is_proved(versions, StepsProved::All)
                && round.looked.as_ref().is_none_or(is_looked_at) =>
            {
                Outcome::Proved
            }
            _ => Outcome::Open,
        }
    }

    /// Looks at the runs of a round that is proved, before it may be an answer.
    fn look_at(&self, round: &mut Searched) {
        let searching = self.rounds.searching;
        if searching.spec.search.mode == Mode::FindOnly || self.outcome(round) != Outcome::Proved {
            return;
        }
        let looking = Looking {
            versions: searching.versions,
            harness: &*searching.prepared.harness,
            spec: searching.spec,
            observer: searching.observer,
        };
        let inputs = std::mem::take(&mut round.found.inputs);
        let looked = looking.at(&inputs, &round.shapes, self.left() / 2);
        round.looked = Some(looked);
    }

    /// The next round and its time, if there is one.
    fn next(&mut self, best: &Searched) -> Option<(Next, Duration)> {
        let searching = self.rounds.searching;
        let interrupted = searching.observer.interrupt().load(Ordering::Relaxed);
        let (spent, left) = (self.began.elapsed(), self.left());
        let outcome = self.outcome(best);
        if outcome == Outcome::Different || interrupted || left < LEAST {
            return None;
        }
        let is_missing = self.is_missing(best);
        let is_open = self.not_completed > 0;
        // What comes afterwards has its time too.
        let some = match self.beyond < BEYOND.len() {
            true => left / 2,
            false => left,
        };
        let time = match is_missing {
            true => some,
            false => some.min(SHORTEST.max(spent * TIMES)),
        };
        if outcome == Outcome::Proved
            && let Some(other) = self.other(best)
        {
            return Some((other, time));
        }
        let beyond = |number: usize| (number < BEYOND.len()).then_some(Next::Beyond(number));
        let finds_only = searching.spec.search.mode == Mode::FindOnly;
        if self.beyond == 0 && (is_open || finds_only || self.level > BEFORE_BEYOND) {
            return Some((Next::Beyond(0), time));
        }
        let is_done = !is_missing && self.without_news >= WITHOUT_NEWS;
        if is_done && !is_open {
            return None;
        }
        let may_be_completed = !is_open || self.not_completed == 1 && self.ran_out_of_time;
        if may_be_completed
            && !finds_only
            && let Some(space) = self.wider(best)
        {
            return Some((Next::Wider(self.level, space), time));
        }
        beyond(self.beyond).map(|next| (next, left))
    }

    /// Whether a changed line that can be executed was not.
    fn is_missing(&self, best: &Searched) -> bool {
        let versions = self.rounds.searching.versions;
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
        let mut space = self.rounds.searching.prepared.space.clone();
        self.leave_out_what_is_not_read(&mut space, best);
        let within = space.bounds().join(", ");
        let folder = &self.rounds.searching.prepared.kernel.working_directory;
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
            let is_possible = space.check().is_ok();
            return is_possible.then_some(Next::Other { space, what });
        }
        for program in &self.rounds.searching.versions.programs {
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
                let is_possible = space.check().is_ok();
                return is_possible.then_some(Next::Other { space, what });
            }
        }
        None
    }

    /// The bounds of the next wider round.
    fn wider(&self, best: &Searched) -> Option<InputSpace> {
        let space = growing_bounds::wider(&best.space, self.level, self.reads(best))?;
        space.check().is_ok().then_some(space)
    }

    fn reads(&self, best: &Searched) -> Reads {
        Reads {
            arguments: self.reads_arguments,
            stdin: best.found.reads_stdin,
        }
    }

    fn leave_out_what_is_not_read(&self, space: &mut InputSpace, best: &Searched) {
        let reads = self.reads(best);
        if !reads.arguments {
            space.args.clear();
        }
        if !reads.stdin {
            space.stdin = StreamSpace::default();
        }
    }

    /// Explores a round, and takes in what comes of it.
    fn round(&mut self, next: Next, time: Duration, best: &mut Searched) {
        match next {
            Next::Wider(level, space) => {
                let is_again = self.not_completed > 0;
                let mut journals = self.journals(level, is_again, &space);
                let found = self.rounds.search(Round::of(space, time), &mut journals);
                self.take_wider(found, best);
            }
            Next::Other { space, what } => {
                let mut found = self
                    .rounds
                    .search(Round::of(space, time), &mut Journals::default());
                self.look_at(&mut found);
                match self.outcome(&found) {
                    Outcome::Proved => {
                        self.growth.also.push(what);
                        best.add_other(found);
                    }
                    _ => self.take_beyond(found, best),
                }
            }
            Next::Beyond(number) => {
                self.beyond = number + 1;
                let reads = self.reads(best);
                if !reads.arguments && !reads.stdin {
                    return;
                }
                let first = &self.rounds.searching.prepared.space;
                let mut seeds = self.rounds.searching.prepared.seeds.records.clone();
                seeds.extend(beyond::seeds(&self.words, &first.program_name, reads));
                let space = growing_bounds::beyond(first, &BEYOND[number], reads, &seeds);
                let mut round = Round::of(space, time);
                round.seeds = beyond::placed(&seeds, &round.shapes);
                round.proves = false;
                let mut journals = self.journals(WIDER.len() + number, false, &round.space);
                let found = self.rounds.search(round, &mut journals);
                self.take_beyond(found, best);
            }
        }
    }

    fn journals(&self, number: usize, is_again: bool, space: &InputSpace) -> Journals {
        let searching = self.rounds.searching;
        let (prepared, spec) = (searching.prepared, searching.spec);
        let shapes = space.shapes();
        let bounds = (space, &shapes[..]);
        Journals::of_round(searching.cache, prepared, spec, (number, is_again), bounds)
    }

    fn take_wider(&mut self, mut found: Searched, best: &mut Searched) {
        self.look_at(&mut found);
        match self.outcome(&found) {
            Outcome::Proved => {}
            // What was not completed is known, and is the answer as long as nothing else is.
            _ if self.outcome(best) == Outcome::Open => {
                self.note_not_completed(&found);
                found.found.cover(&best.found.coverage);
                found.found.reads_stdin |= best.found.reads_stdin;
                *best = found;
                return;
            }
            _ => {
                self.note_not_completed(&found);
                return self.take_beyond(found, best);
            }
        }
        let is_news = adds(&best.found.coverage, &found.found.coverage);
        self.growth.rounds += 1;
        self.without_news = match is_news || self.level < OF_SOME_SIZE {
            true => 0,
            false => self.without_news + 1,
        };
        self.level += 1;
        self.not_completed = 0;
        found.found.reads_stdin |= best.found.reads_stdin;
        // Those of other rounds stay proved, and are looked at as all are.
        found.take_others(best);
        *best = found;
    }

    fn note_not_completed(&mut self, round: &Searched) {
        self.not_completed += 1;
        let stop = round.summary.as_ref().map(|summary| &summary.stop);
        self.ran_out_of_time = stop == Some(&Stop::Time);
    }

    /// Of a round that proves nothing only a difference counts.
    fn take_beyond(&mut self, mut found: Searched, best: &mut Searched) {
        if self.outcome(&found) == Outcome::Different {
            found.found.cover(&best.found.coverage);
            *best = found;
            return;
        }
        let mut beyond = Findings::default();
        beyond.cover(&best.covered_beyond);
        beyond.cover(&found.found.coverage);
        best.covered_beyond = beyond.coverage;
        self.growth.beyond += found.summary.as_ref().map_or(0, |summary| summary.runs);
        best.found.reads_stdin |= found.found.reads_stdin;
    }
}

impl Searched {
    /// Adds the inputs of a round that is no part of this one.
    fn add_other(&mut self, other: Searched) {
        self.looked_otherwise
            .merge(other.looked.unwrap_or_default());
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
        self.looked_otherwise = std::mem::take(&mut narrower.looked_otherwise);
        self.covered_beyond = std::mem::take(&mut narrower.covered_beyond);
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
}
