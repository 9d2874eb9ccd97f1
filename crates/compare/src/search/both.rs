//! Searching and proving at the same time.
//!
//! The search takes whole paths, and prefers those that may lead to a difference. Beside it one more thread takes ways in turn and
//! keeps only what matters of a path (`exploration::relevance`): each of its partitions covers more inputs, so it may come to
//! its end where the search does not. If it does so with everything equal, that is the result, and also if it meets a difference and the
//! search none: it asks the solver for inputs on which a changed function does something else. If the search is done first or has
//! found a difference, the proof is given up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use exploration::{Summary, Verdict};

use super::findings::Findings;
use super::observe::Explorer;

/// Between two looks at how far both are.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// What the search is done with so soon needs no other proof, and is reported in the same way each time.
const HEAD_START: Duration = Duration::from_millis(500);

/// Whether the search is over: nobody who waits for that sleeps longer.
#[derive(Default)]
struct Over {
    is_over: Mutex<bool>,
    changed: Condvar,
}

impl Over {
    fn tell(&self) {
        *self.is_over.lock().expect("nobody panics here") = true;
        self.changed.notify_all();
    }

    /// Waits until it is over, or until the next look is due; whether it is over.
    fn wait(&self) -> bool {
        let is_over = self.is_over.lock().expect("nobody panics here");
        let waited = self
            .changed
            .wait_timeout_while(is_over, BETWEEN_LOOKS, |is_over| !*is_over);
        *waited.expect("nobody panics here").0
    }
}

/// The summary and what was found, of the search or of the proof. `search` and `proof` are stopped by these flags.
pub(crate) fn search_and_prove(
    find: impl FnOnce(&Explorer<'_, '_>) -> Summary + Send,
    prove: impl FnOnce(&Explorer<'_, '_>) -> Summary + Send,
    [search, proof]: [Explorer<'_, '_>; 2],
    [stop_search, stop_proof]: [&AtomicBool; 2],
    interrupt: &AtomicBool,
) -> (Summary, Findings) {
    let over = Over::default();
    let (summary, proved) = std::thread::scope(|scope| {
        let searching = scope.spawn(|| {
            let summary = find(&search);
            over.tell();
            summary
        });
        let proving = scope.spawn(|| {
            let start = Instant::now();
            while start.elapsed() < HEAD_START {
                if stop_proof.load(Ordering::Relaxed) || over.wait() {
                    return None;
                }
            }
            let summary = prove(&proof);
            let is_proved = summary.verdict() == Verdict::Equivalent;
            if is_proved {
                stop_search.store(true, Ordering::Relaxed);
            }
            (is_proved || proof.has_difference()).then_some(summary)
        });
        // A search that panics tells nobody.
        while !over.wait() && !searching.is_finished() {
            if interrupt.load(Ordering::Relaxed) {
                stop_search.store(true, Ordering::Relaxed);
                stop_proof.store(true, Ordering::Relaxed);
            }
            if search.has_difference() {
                stop_proof.store(true, Ordering::Relaxed);
            }
        }
        stop_proof.store(true, Ordering::Relaxed);
        let summary = searching.join().expect("the search does not panic");
        (summary, proving.join().expect("the proof does not panic"))
    });
    let found = |search: Explorer<'_, '_>| search.found.into_inner().expect("no worker panicked");
    match proved {
        // What the search has found out in the end counts: it has seen more.
        Some(proved)
            if !search.has_difference()
                && (proof.has_difference() || summary.verdict() == Verdict::Undecided) =>
        {
            let (mut proof, search) = (found(proof), found(search));
            // What was run at all is looked at.
            proof.meant |= search.meant;
            proof.meant_in_one = proof.meant_in_one.or(search.meant_in_one);
            proof.inputs.extend(search.inputs);
            proof.samples.extend(search.samples);
            proof.reads_stdin |= search.reads_stdin;
            proof.executed.merge(&search.executed);
            (proved, proof)
        }
        _ => {
            let (proof, mut search) = (found(proof), found(search));
            search.reads_stdin |= proof.reads_stdin;
            search.meant_in_one = search.meant_in_one.or(proof.meant_in_one);
            search.executed.merge(&proof.executed);
            (summary, search)
        }
    }
}
