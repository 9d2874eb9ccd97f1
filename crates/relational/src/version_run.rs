//! What one version did on an input.

use concolic_vm::CodeSite;
use concolic_vm::symbolic::{EventKind, PathEvent, SymbolicProcess, SymbolicRun};
use expr::ExprId;

/// What one version did, and the process it left behind.
pub struct VersionRun<'p> {
    pub process: SymbolicProcess<'p>,
    /// Its path is in the path of the whole run.
    pub run: SymbolicRun,
    /// How many events of the whole path are its own.
    pub own_events: usize,
    /// Its decisions that an earlier version had taken already.
    pub shared: Vec<Shared>,
}

/// A decision that both versions took: where the later one did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shared {
    pub condition: ExprId,
    pub site: CodeSite,
    pub kind: EventKind,
    pub way: u64,
}

impl Shared {
    pub fn of(event: &PathEvent) -> Shared {
        Shared {
            condition: event.condition,
            site: event.site,
            kind: event.kind,
            way: event.way,
        }
    }
}
