//! The complexity of one commit, from the images of its two versions.

use std::time::{Duration, Instant};

use program_graphs::{CallGraph, PointsTo, PointsToConfig, default_roots};
use program_ir::Module;
use version_diff::calls::Calls;
use version_diff::complexity::{Complexity, complexity};

use super::Measured;
use super::plan::BuiltRevision;
use build::revision;
use version_diff::own_changes::{self as comparison, Compared, Place};

/// The numbers, or in words why there are none.
pub(super) fn measure(old: &BuiltRevision, new: &BuiltRevision) -> Result<Measured, String> {
    let stopwatch = Stopwatch::start();
    let mut measured = Measured {
        compilation: new.compilation,
        ..Measured::default()
    };
    if old.module.hash != new.module.hash {
        let modules = read(&old.module).and_then(|old| Ok((old, read(&new.module)?)));
        let (old, new) = modules?;
        let compared = comparison::compare(old, new).map_err(|error| error.to_string())?;
        let changes = &compared.changes;
        measured.changed_functions = changes.functions.len()
            + changes.added_functions.len()
            + changes.removed_functions.len();
        measured.complexity = of_changes(&compared);
    }
    measured.analysis = stopwatch.elapsed();
    Ok(measured)
}

/// CyCC and CLoC of what changed between two versions.
pub fn of_changes(compared: &Compared) -> Complexity {
    let (new, changes) = (&compared.new, &compared.changes);
    let is_empty = changes.functions.is_empty()
        && changes.added_functions.is_empty()
        && changes.removed_functions.is_empty()
        && changes.globals.is_empty();
    if is_empty {
        return Complexity::default();
    }
    with_calls(new, |calls| complexity(&compared.old, new, changes, calls))
}

/// What calls what, as change sequence graphs take it.
pub fn with_calls<T>(module: &Module, answer: impl FnOnce(&Calls<'_>) -> T) -> T {
    let roots = default_roots(module);
    if module.function_named("main").is_none() {
        // Whoever calls a library may pass it functions and call those it hands out, so points-to analysis
        // has little to tell, at a price.
        return answer(&Calls::by_signature(module, roots));
    }
    // `main` is called through a pointer. By signature alone every callback of three arguments could
    // call it, and its changes would seem to be executed in far more orders than they are.
    let points_to = PointsTo::of(module, &roots, &PointsToConfig::default());
    let graph = CallGraph::of(module, &points_to);
    answer(&Calls::from_graph(module, &graph, roots))
}

fn read(version: &revision::Module) -> Result<Module, String> {
    let image = version.image.display();
    let bytes = std::fs::read(&version.image);
    let bytes = bytes.map_err(|why| format!("cannot read the program image `{image}`: {why}"))?;
    let module = program_ir::read_image(&bytes);
    let mut module =
        module.map_err(|why| format!("cannot use the program image `{image}`: {why}"))?;
    comparison::prepare(&mut module, &Place::Folder(version.place.clone()), &[]);
    Ok(module)
}

/// Processor time of this thread, so that workers beside it and a busy machine do not count; where Linux
/// does not tell it, time.
struct Stopwatch {
    start: Instant,
    used: Option<Duration>,
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch {
            start: Instant::now(),
            used: processor_time(),
        }
    }

    fn elapsed(&self) -> Duration {
        match (self.used, processor_time()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.start.elapsed(),
        }
    }
}

fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
