//! Ctrl-C: the first asks for a clean stop, the second ends the process at once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// A flag that becomes true when the user or the system asks for an end.
pub fn watch() -> anyhow::Result<Arc<AtomicBool>> {
    let asked = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: the second signal finds the flag set.
        flag::register_conditional_shutdown(signal, 128 + signal, asked.clone())
            .and_then(|_| flag::register(signal, asked.clone()))
            .context("cannot watch for Ctrl-C")?;
    }
    build::boxed::end_when(&asked);
    Ok(asked)
}
