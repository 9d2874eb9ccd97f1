//! A search that has nothing more to do as soon as its runs have executed some changes.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use exploration::Summary;

use super::observe::Explorer;
use crate::versions::executed::ChangeNumber;

/// Between two looks at how far it is.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// Searches until the changes are executed, the user ends it, or nothing is left. `search` is stopped by `stop`.
pub(super) fn search_until(
    changes: &BTreeSet<ChangeNumber>,
    find: impl FnOnce(&Explorer<'_, '_>) -> Summary + Send,
    search: &Explorer<'_, '_>,
    stop: &AtomicBool,
    interrupt: &AtomicBool,
) -> Summary {
    std::thread::scope(|scope| {
        let searching = scope.spawn(|| find(search));
        while !searching.is_finished() {
            if interrupt.load(Ordering::Relaxed) || search.has_executed(changes) {
                stop.store(true, Ordering::Relaxed);
            }
            std::thread::sleep(BETWEEN_LOOKS);
        }
        searching.join().expect("the search does not panic")
    })
}
