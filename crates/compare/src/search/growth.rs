//! Bounds that grow, where nobody has said what varies.
//!
//! A check begins with very small inputs. As long as time is left, it goes on with rounds of three kinds:
//!
//! - A *wider* round has one more argument, longer arguments, or more bytes of standard input, as far as the versions read these. Its inputs include those of
//!   all wider rounds before that were completed, so a round that is completed takes their place, and the verdict is about the last one that was. One that is not
//!   completed in its time proves nothing; then something else is made wider, and at last it is taken up again.
//! - A round [*aside*](super::aside) has what the versions asked for and did not find: files of the working folder that a version opened, variables
//!   of the environment that it asks for by name; or, as long as a changed line was not executed, words that the versions know as whole arguments. Its inputs are
//!   others; if it is completed, they are proved too, and a larger one follows.
//! - A round [*beyond*](super::beyond) searches inputs that are much larger, made of what the versions know, and proves nothing.
//!
//! **In which order**: small inputs are finished first. Then, or when a wider round is not completed, comes the first round beyond; with tests of the
//! user's it comes before all others, since these are the inputs that somebody cared for. What is left belongs to wider rounds, and
//! at last to the second round beyond, which also has a small part of the time before them.
//!
//! **When it ends**: with the first round that has a difference, if the changed lines that can be executed were, and otherwise [later](after_difference); when the time is used up; when nothing is left to try. And when the runs have
//! executed all changed lines that can be executed, and some rounds one after the other have executed no code that the rounds before had not:
//! larger inputs then do more of the same. As long as a changed line was not executed, a round may take all the time that
//! is left; afterwards it has a few times what was spent so far, so that a small check is still a short one.

mod after_difference;

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use exploration::{InputRecord, InputSpace, Stop, Verdict};
use serde::{Deserialize, Serialize};

use super::aside::{Aside, What, around, around_in_stream};
use super::beyond;
use super::{Round, Rounds, Searched, StepsProved};
use crate::growing_bounds::{self, BEYOND, Dimension, Grown, Reads};
use crate::inspect::{Looking, Undefined};
use crate::prepare::folder::Journals;
use crate::spec::Mode;
use crate::versions::exercise::Exercised;
use crate::versions::input_sources::{environment_asked_for, reads_arguments};
use crate::versions::known_words::KnownWords;
use program_ir::Module;

/// The wider rounds after which the first round beyond comes, if all before were completed.
const BEFORE_BEYOND: u32 = 3;
/// The wider rounds after which it counts that rounds execute nothing new.
const OF_SOME_SIZE: u32 = 4;
/// Wider rounds one after the other that execute nothing new.
const WITHOUT_NEWS: u32 = 4;
/// The rounds beyond: the first, the second for a part of the time, and the second with what is left in the end.
const ROUNDS_BEYOND: usize = 3;
/// The part of the time that is left for the second round beyond when it comes first.
const PART: u32 = 6;
/// The most files, variables and words that are gone aside with.
const MOST_ASIDE: usize = 12;
/// The most of the words that are gone around while a change was not executed.
const MOST_AROUND: usize = 5;
/// The same where another part of the change was executed.
const MOST_AROUND_REST: usize = 2;
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
    /// Runs of larger inputs after the first difference.
    #[serde(default)]
    pub after_difference: u64,
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
    Wider(Grown, Option<Dimension>, InputSpace),
    /// By its number.
    Aside(usize, InputSpace, String),
    /// By its number in [`BEYOND`].
    Beyond(usize),
}

/// What is known of the rounds.
struct Growing<'g, 'r, 's> {
    rounds: &'g Rounds<'r, 's>,
    began: Instant,
    reads_arguments: bool,
    words: KnownWords,
    /// Variables of the environment that versions may ask for.
    variables: Vec<String>,
    /// How far bounds have grown by the last wider round that was completed.
    grown: Grown,
    /// What was made wider in a round that was not completed; nothing for the first round.
    stuck: Vec<Option<Dimension>>,
    /// Those that only time was missing for, to be taken up again.
    again: Vec<Option<Dimension>>,
    asides: Vec<Aside>,
    /// Inputs beyond the bounds that have executed a change.
    reaching: Vec<InputRecord>,
    /// The round beyond that comes next.
    beyond: usize,
    /// Wider rounds since one executed new code.
    without_news: u32,
    /// The user was told which changed lines no input has executed.
    is_told: bool,
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
    let words = KnownWords::of(modules());
    let mut growing = Growing {
        rounds,
        began: Instant::now(),
        reads_arguments: modules().any(reads_arguments),
        variables: variables(modules(), &words),
        words,
        grown: Grown::default(),
        stuck: Vec::new(),
        again: Vec::new(),
        asides: Vec::new(),
        reaching: Vec::new(),
        beyond: 0,
        without_news: 0,
        is_told: false,
        growth: Growth::default(),
    };
    let tests = &searching.prepared.seeds.records;
    let mut best = rounds.search(first, journals);
    growing.look_at(&mut best);
    if growing.outcome(&best) == Outcome::Open {
        growing.note_not_completed(&best, None);
    }
    if !tests.is_empty() && growing.outcome(&best) != Outcome::Different {
        let left = growing.left();
        growing.round(Next::Beyond(0), left / 3, &mut best);
    }
    while let Some((next, time)) = growing.next(&best) {
        growing.round(next, time, &mut best);
    }
    best.growth = Some(growing.growth);
    best.began = growing.began;
    best
}

/// Variables of the environment that versions may ask for. Where that is not in the text of a call, as in Rust, a word in capitals that only one
/// version knows may be one.
fn variables<'m>(modules: impl Iterator<Item = &'m Module>, words: &KnownWords) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for module in modules {
        names.extend(environment_asked_for(module));
        if module.function_named("getenv").is_some() {
            names.extend(words.capitals.iter().cloned());
        }
    }
    let mut known = BTreeSet::new();
    names.retain(|name| known.insert(name.clone()));
    names
}

impl Growing<'_, '_, '_> {
    fn left(&self) -> Duration {
        let time = self.rounds.searching.spec.limits.time;
        time.saturating_sub(self.began.elapsed())
    }

    fn finds_only(&self) -> bool {
        self.rounds.searching.spec.search.mode == Mode::FindOnly
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
        if self.finds_only() || self.outcome(round) != Outcome::Proved {
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
        if interrupted || left < LEAST {
            return None;
        }
        if outcome == Outcome::Different {
            return self.next_after_difference(best);
        }
        let (is_missing, is_executed) = self.exercise(best);
        let finds_only = self.finds_only();
        // What comes afterwards has its time too.
        let some = match self.beyond < ROUNDS_BEYOND {
            true => left / 2,
            false => left,
        };
        let time = match is_missing {
            true => some,
            false => some.min(SHORTEST.max(spent * TIMES)),
        };
        let goes_aside = outcome == Outcome::Proved || finds_only;
        if goes_aside {
            let around = match (is_missing, is_executed) {
                (false, _) => 0,
                (true, false) => MOST_AROUND,
                (true, true) => MOST_AROUND_REST,
            };
            self.find_asides(best, around);
            // They grow as the bounds do.
            let so_far = self.growth.rounds as usize + 1;
            let is_due = |aside: &Aside| {
                let is_first = aside.is_asked_for() || !is_executed;
                is_first && aside.step() < so_far
            };
            if let Some(aside) = self.aside(best, is_due) {
                return Some((aside, time));
            }
        }
        let is_open = !self.stuck.is_empty();
        if self.beyond == 0 && (is_open || finds_only || self.growth.rounds >= BEFORE_BEYOND) {
            return Some((Next::Beyond(0), time));
        }
        if self.beyond == 1 {
            return Some((Next::Beyond(1), time.min(SHORTEST.max(left / PART))));
        }
        let is_done = !is_missing && self.without_news >= WITHOUT_NEWS;
        if !is_done
            && !finds_only
            && let Some(wider) = self.wider(best)
        {
            return Some((wider, time));
        }
        if goes_aside && let Some(aside) = self.aside(best, |_| true) {
            return Some((aside, time));
        }
        if is_done && !is_open {
            return None;
        }
        if !finds_only
            && let Some(dimension) = self.again.pop()
            && let Some(again) = self.again(dimension, best)
        {
            return Some((again, time));
        }
        (self.beyond < ROUNDS_BEYOND).then_some((Next::Beyond(1), left))
    }

    /// Whether a change that can be executed was not, and whether one was.
    fn exercise(&self, best: &Searched) -> (bool, bool) {
        let versions = self.rounds.searching.versions;
        let (mut is_missing, mut is_executed) = (false, false);
        for step in versions.single_steps() {
            let exercised = Exercised::of(step, versions, &best.found.executed);
            if let Some(exercised) = exercised.filter(|_| !step.same_code) {
                is_missing |= exercised.counts.not_executed + exercised.counts.undefined > 0;
                is_executed |= exercised.counts.executed > 0;
            }
        }
        (is_missing, is_executed)
    }

    /// Takes in files and variables that were asked for and were not there, and words around which a change is executed.
    fn find_asides(&mut self, best: &Searched, most_around: usize) {
        let within = self.grown.small();
        let folder = &self.rounds.searching.prepared.kernel.working_directory;
        let folder = String::from_utf8_lossy(folder).into_owned();
        let mut found = Vec::new();
        let missing = best.summary.iter();
        for file in missing.flat_map(|summary| &summary.assumed.missing_files) {
            let name = std::str::from_utf8(file).ok();
            if let Some(name) = name.filter(|name| is_plain(name)) {
                let path = format!("{folder}/{name}");
                let name = name.to_owned();
                found.push(What::File { name, path });
            }
        }
        found.extend(self.variables.iter().cloned().map(What::Variable));
        if most_around > 0 {
            let words = &self.words.words;
            let mut ways: Vec<What> = Vec::new();
            for input in &self.reaching {
                let both = [around(input, words), around_in_stream(input, words)];
                for what in both.into_iter().flatten() {
                    if ways.len() < most_around && !ways.contains(&what) {
                        ways.push(what);
                    }
                }
            }
            found.extend(ways);
        }
        for what in found {
            let is_known = self.asides.iter().any(|aside| aside.what == what);
            if !is_known && self.asides.len() < MOST_ASIDE {
                self.asides.push(Aside::new(what, within));
            }
        }
    }

    /// A round aside, of those that have gone least far.
    fn aside(&mut self, best: &Searched, which: impl Fn(&Aside) -> bool) -> Option<Next> {
        let (first, reads) = (&self.rounds.searching.prepared.space, self.reads(best));
        let numbered = self.asides.iter().enumerate();
        let open = numbered.filter(|(_, aside)| aside.is_open(WITHOUT_NEWS) && which(aside));
        let (number, aside) = open.min_by_key(|(_, aside)| aside.step())?;
        let (space, words) = aside.next(first, reads)?;
        Some(Next::Aside(number, space, words))
    }

    /// The next wider round: one step of what has grown least.
    fn wider(&self, best: &Searched) -> Option<Next> {
        let first = &self.rounds.searching.prepared.space;
        let reads = self.reads(best);
        if self.stuck.contains(&None) {
            return None;
        }
        if self.growth.rounds == 0 && self.stuck.is_empty() {
            let second = Grown::SECOND;
            let dimension = Some(Dimension::ArgumentBytes);
            return Some(Next::Wider(second, dimension, second.space(first, reads)?));
        }
        let mut dimensions: Vec<Dimension> = Dimension::ALL.into();
        dimensions.retain(|&one| reads.has(one) && !self.stuck.contains(&Some(one)));
        dimensions.sort_by_key(|&one| self.grown.order(one));
        dimensions.into_iter().find_map(|dimension| {
            let grown = self.grown.wider(dimension)?;
            let space = grown.space(first, reads)?;
            let is_possible = space.check().is_ok();
            is_possible.then_some(Next::Wider(grown, Some(dimension), space))
        })
    }

    /// Once more what was not completed, with what has grown otherwise since then.
    fn again(&self, dimension: Option<Dimension>, best: &Searched) -> Option<Next> {
        let grown = match dimension {
            Some(dimension) => self.grown.wider(dimension)?,
            None => Grown::default(),
        };
        let first = &self.rounds.searching.prepared.space;
        let space = grown.space(first, self.reads(best))?;
        Some(Next::Wider(grown, dimension, space))
    }

    fn reads(&self, best: &Searched) -> Reads {
        Reads {
            arguments: self.reads_arguments,
            stdin: best.found.reads_stdin,
        }
    }

    /// Explores a round, and takes in what comes of it.
    fn round(&mut self, next: Next, time: Duration, best: &mut Searched) {
        if self.outcome(best) == Outcome::Different {
            return self.round_after_difference(next, time, best);
        }
        match next {
            Next::Wider(grown, dimension, space) => {
                let is_again = self.stuck.contains(&dimension);
                let number = 2 + grown.number();
                let mut journals = self.journals(number, is_again, &space);
                let found = self.rounds.search(Round::of(space, time), &mut journals);
                self.take_wider(found, (grown, dimension), best);
            }
            Next::Aside(number, space, words) => {
                let mut found = self
                    .rounds
                    .search(Round::of(space, time), &mut Journals::default());
                self.look_at(&mut found);
                let is_proved = self.outcome(&found) == Outcome::Proved;
                let is_news = best.found.executed.is_added_to_by(&found.found.executed);
                let goes_on = is_proved || self.finds_only();
                let aside = &mut self.asides[number];
                aside.went(goes_on, is_news);
                match (is_proved, aside.proved) {
                    (false, _) => return self.take_beyond(found, best),
                    (true, Some(place)) => self.growth.also[place] = words,
                    (true, None) => {
                        aside.proved = Some(self.growth.also.len());
                        self.growth.also.push(words);
                    }
                }
                best.add_other(found);
            }
            Next::Beyond(number) => {
                let Some(round) = self.beyond(number, time, best) else {
                    return;
                };
                // A journal is of all shapes of a space.
                let mut journals = match number {
                    0 => self.journals(1, false, &round.space),
                    _ => Journals::default(),
                };
                let found = self.rounds.search(round, &mut journals);
                self.take_beyond(found, best);
            }
        }
    }

    /// The next round beyond; nothing if no version reads anything.
    fn beyond(&mut self, number: usize, time: Duration, best: &Searched) -> Option<Round> {
        self.beyond += 1;
        let reads = self.reads(best);
        if !reads.arguments && !reads.stdin {
            return None;
        }
        let first = &self.rounds.searching.prepared.space;
        let mut seeds = self.rounds.searching.prepared.seeds.records.clone();
        let name = &first.program_name;
        seeds.extend(match number {
            0 => beyond::seeds(&self.words, name, reads),
            _ => beyond::large_seeds(&self.words, name, reads, &best.found.readers),
        });
        let space = growing_bounds::beyond(first, &BEYOND[number], reads, &seeds);
        let mut round = Round::of(space, time);
        round.seeds = beyond::placed(&seeds, &round.shapes);
        if number > 0 {
            // Other shapes would be run with zeros before.
            let used: BTreeSet<u32> = round.seeds.iter().map(|seed| seed.0).collect();
            let mut numbers = 0..;
            round
                .shapes
                .retain(|_| numbers.next().is_some_and(|at| used.contains(&at)));
            round.seeds = beyond::placed(&seeds, &round.shapes);
        }
        round.proves = false;
        Some(round)
    }

    fn journals(&self, number: usize, is_again: bool, space: &InputSpace) -> Journals {
        let searching = self.rounds.searching;
        let (prepared, spec) = (searching.prepared, searching.spec);
        let shapes = space.shapes();
        let bounds = (space, &shapes[..]);
        Journals::of_round(searching.cache, prepared, spec, (number, is_again), bounds)
    }

    fn take_wider(
        &mut self,
        mut found: Searched,
        (grown, dimension): (Grown, Option<Dimension>),
        best: &mut Searched,
    ) {
        self.look_at(&mut found);
        match self.outcome(&found) {
            Outcome::Proved => {}
            // What was not completed is known, and is the answer as long as nothing else is.
            _ if self.outcome(best) == Outcome::Open => {
                self.note_not_completed(&found, dimension);
                found.found.executed.merge(&best.found.executed);
                found.executed_beyond.merge(&best.executed_beyond);
                found.found.reads_stdin |= best.found.reads_stdin;
                *best = found;
                return;
            }
            _ => {
                self.note_not_completed(&found, dimension);
                return self.take_beyond(found, best);
            }
        }
        let is_news = best.found.executed.is_added_to_by(&found.found.executed);
        self.growth.rounds += 1;
        self.without_news = match is_news || self.growth.rounds < OF_SOME_SIZE {
            true => 0,
            false => self.without_news + 1,
        };
        self.grown = grown;
        self.stuck.retain(|&stuck| stuck != dimension);
        found.found.reads_stdin |= best.found.reads_stdin;
        found.found.take_readers(&mut best.found);
        // Those of other rounds stay proved, and are looked at as all are.
        found.take_others(best);
        *best = found;
    }

    fn note_not_completed(&mut self, round: &Searched, dimension: Option<Dimension>) {
        let stop = round.summary.as_ref().map(|summary| &summary.stop);
        // Once more, and not a third time.
        if !self.stuck.contains(&dimension) {
            self.stuck.push(dimension);
            if stop == Some(&Stop::Time) {
                self.again.insert(0, dimension);
            }
        }
    }

    /// Of a round that proves nothing only a difference counts.
    fn take_beyond(&mut self, mut found: Searched, best: &mut Searched) {
        if self.outcome(&found) == Outcome::Different {
            found.found.executed.merge(&best.found.executed);
            found.executed_beyond.merge(&best.executed_beyond);
            *best = found;
            return;
        }
        best.executed_beyond.merge(&found.found.executed);
        self.reaching.append(&mut found.found.reaching);
        best.found.take_readers(&mut found.found);
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
        self.found.executed.merge(&other.found.executed);
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
        self.executed_beyond = std::mem::take(&mut narrower.executed_beyond);
        self.found.executed.merge(&narrower.found.executed);
        self.assume_too(narrower.summary.as_ref());
    }
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
