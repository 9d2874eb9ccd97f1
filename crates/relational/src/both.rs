//! Doing the same for both versions at the same time.

/// What is found for the old version and for the new one.
pub(crate) fn both<T: Send>(find: impl Fn(usize) -> T + Sync) -> [T; 2] {
    std::thread::scope(|scope| {
        let new = scope.spawn(|| find(1));
        let old = find(0);
        match new.join() {
            Ok(new) => [old, new],
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
