//! Sequences of calls that grow longer, where nobody has said how long they are.
//!
//! Sequences of up to one call are compared, then of up to two, and so on: the shortest sequence that shows a difference is found first, and
//! all shorter ones are among those of a length, so the last length that was proved is the answer.
//!
//! **When it ends**: with a difference; when the time is used up; or when, after all changed lines that can be executed have been, two
//! lengths went by without news, but not before [`LEAST`] calls. A length has at most a few times what was spent before it; one that is
//! not completed in its time proves nothing, and the report says that it was tried.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use harness::c_sequence::MOST_LENGTH;

use crate::error::Result;
use crate::observer::Observer;
use crate::report::Report;
use crate::spec::Spec;
use crate::verdict::Verdict;

/// Without news, sequences of so many calls are enough.
const LEAST: u16 = 4;
const WITHOUT_NEWS: u32 = 2;
/// A length has at least this time, and at most so many times what was spent before it.
const SHORTEST: Duration = Duration::from_secs(4);
const TIMES: u32 = 4;

/// Compares one length after the other; `run` compares one.
pub(crate) fn grow(
    spec: &Spec,
    observer: &dyn Observer,
    run: impl Fn(&Spec) -> Result<Report>,
) -> Result<Report> {
    let began = Instant::now();
    let mut best: Option<Report> = None;
    let (mut missing, mut without_news) = (usize::MAX, 0);
    for length in 1..=MOST_LENGTH {
        let spent = began.elapsed();
        let left = spec.limits.time.saturating_sub(spent);
        let is_over = left.is_zero() || observer.interrupt().load(Ordering::Relaxed);
        if best.is_some() && is_over {
            break;
        }
        let mut round = spec.clone();
        if let Some(sequence) = &mut round.sequence {
            sequence.length = Some(length);
        }
        round.limits.time = match best {
            None => left,
            Some(_) => left.min(SHORTEST.max(spent * TIMES)),
        };
        // Each length has programs of its own, so nothing of an earlier one can be used.
        round.search.fresh = true;
        let found = run(&round)?;
        let is_answered = found.search.is_none() || found.verdict == Verdict::Different;
        if is_answered {
            return Ok(found);
        }
        let is_completed = found.search.as_ref().is_some_and(|search| search.exhausted);
        if let (Some(best), false) = (&mut best, is_completed) {
            best.bounds.input.push(tried(length, &found));
            break;
        }
        let now_missing = not_executed(&found);
        without_news = match now_missing < missing || now_missing > 0 {
            true => 0,
            false => without_news + 1,
        };
        missing = now_missing;
        let is_undecided = found.verdict == Verdict::Undecided;
        match &best {
            // What is proved of shorter sequences is more than nothing of longer ones.
            Some(before) if is_undecided && before.verdict != Verdict::Undecided => break,
            _ => best = Some(found),
        }
        if !is_completed || length >= LEAST && without_news >= WITHOUT_NEWS {
            break;
        }
    }
    Ok(best.expect("there is a first length"))
}

/// How many changed lines no run has executed on which a version is defined.
fn not_executed(found: &Report) -> usize {
    let steps = found.steps.iter();
    let exercise = steps.filter_map(|step| step.exercise.as_ref());
    let missing = exercise.map(|own| own.not_executed.len() + own.executed_undefined.len());
    missing.sum()
}

fn tried(length: u16, found: &Report) -> String {
    let runs = found.search.as_ref().map_or(0, |search| search.runs);
    format!(
        "of sequences of {length} calls, {runs} runs showed nothing different, which proves nothing"
    )
}
