//! What `explore` found, for people and for machines.

use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use exploration::{InputSpace, Stop, Strategy, Summary};
use native::test_case::shell_word;
use report::input::{input_as_typed, json_input, milliseconds};
use report::words::counted;
use serde_json::json;

use super::place::Place;
use crate::line_coverage::LineCoverage;

pub(super) struct ExploreReport<'r> {
    /// The program's files, as they were given.
    pub(super) inputs: &'r [PathBuf],
    pub(super) space: &'r InputSpace,
    pub(super) strategy: Strategy,
    pub(super) workers: usize,
    pub(super) summary: &'r Summary,
    pub(super) lines: &'r LineCoverage,
    pub(super) place: Option<&'r Place>,
    pub(super) behind_strings: Vec<(u64, String)>,
}

impl ExploreReport<'_> {
    pub(super) fn text(&self) -> String {
        let summary = self.summary;
        let name = self.inputs[0].display();
        let mut text = format!(
            "{name}: {} in {:.1} s; ",
            counted(summary.paths, "path"),
            summary.effort.wall.as_secs_f64()
        );
        text += &match (&summary.stop, summary.exhausted()) {
            (_, true) => "exhausted: every input within the bounds takes one of them\n".to_owned(),
            (Stop::Finished, false) => "not exhausted, see below\n".to_owned(),
            (stop, _) => format!(
                "not exhausted: {stop}, {} not tried\n",
                counted(summary.open_flips as u64, "way")
            ),
        };
        if let Stop::CannotWrite(_) = summary.stop {
            text += "  make room or choose another folder, and give the same command again: it goes on from here\n";
        }
        if summary.paths_before > 0 {
            text += &format!(
                "  {} known from an earlier exploration\n",
                counted(summary.paths_before, "path")
            );
        }
        text += &format!("  bounds: {}\n", self.space.bounds().join("; "));
        let (executed, all) = self.lines.totals();
        if all > 0 {
            text += &format!(
                "  lines executed: {executed} of {all} ({:.0}%)\n",
                100.0 * executed as f64 / all as f64
            );
        }
        for (gap, times) in &summary.gaps {
            text += &format!("  incomplete: {gap} ({times} times)\n");
        }
        for taken in &summary.assumed.taken_as_is {
            let note = taken.note(summary.exhausted());
            text += &format!("  note: {note}\n");
        }
        if let Some((test, end)) = self.behind_strings.first() {
            text += &format!(
                "  note: {} behind the end of an argument or variable, which the exploration does not follow; \
                 test {test:06}: {end}\n",
                match self.behind_strings.len() {
                    1 => "1 test goes".to_owned(),
                    number => format!("{number} tests go"),
                }
            );
        }
        for (error, number) in summary.shown.errors.iter().zip(1..) {
            text += &format!(
                "\nerror {number}: {} ({})\n",
                error.description,
                counted(error.paths, "path")
            );
            if let Some(place) = &error.location {
                text += &format!("  at {place}\n");
            }
            text += &input_as_typed(&error.input);
            if let Some(place) = self.place {
                text += &format!(
                    "  test: {}\n",
                    place.tests.join(format!("{:06}", error.test)).display()
                );
            }
        }
        if let Some(place) = self.place {
            let programs: Vec<String> = self
                .inputs
                .iter()
                .map(|input| shell_word(input.as_os_str().as_bytes()))
                .collect();
            // Not all of them could be written.
            let up_to = match summary.stop {
                Stop::CannotWrite(_) => "up to ",
                _ => "",
            };
            text += &format!(
                "\n{up_to}{} in {}\nrun them natively: parallax replay {} --tests {}\n",
                counted(summary.shown.tests, "test"),
                place.tests.display(),
                programs.join(" "),
                shell_word(place.tests.as_os_str().as_bytes())
            );
        }
        text
    }

    pub(super) fn json(&self) -> serde_json::Value {
        let summary = self.summary;
        let (executed, all) = self.lines.totals();
        let frame = |frame: &concolic_vm::StackFrame| json!({"function": frame.function, "file": frame.file, "line": frame.line, "column": frame.column});
        let errors: Vec<_> = summary
            .shown
            .errors
            .iter()
            .map(|error| {
                json!({
                    "kind": error.kind,
                    "description": error.description,
                    "location": error.location.as_ref().map(frame),
                    "paths": error.paths,
                    "input": json_input(&error.input),
                    "test": self.place.map(|place| place.tests.join(format!("{:06}", error.test))),
                })
            })
            .collect();
        let behind_strings: Vec<_> = self
            .behind_strings
            .iter()
            .map(|(test, end)| json!({"test": test, "end": end}))
            .collect();
        let gaps: Vec<_> = summary
            .gaps
            .iter()
            .map(|(gap, times)| json!({"what": gap.to_string(), "times": times}))
            .collect();
        let assumptions: Vec<_> = summary
            .assumed
            .taken_as_is
            .iter()
            .map(|taken| {
                json!({
                    "what": taken.what.describe(),
                    "place": taken.place.as_ref().map(frame),
                    "runs": taken.runs,
                    "all_values_tried": summary.exhausted(),
                })
            })
            .collect();
        let layers: Vec<_> = summary
            .effort
            .layers
            .iter()
            .map(|layer| {
                json!({
                    "layer": layer.layer,
                    "asked": layer.asked,
                    "sat": layer.sat,
                    "unsat": layer.unsat,
                    "unknown": layer.unknown,
                    "ms": milliseconds(layer.time),
                })
            })
            .collect();
        json!({
            "schema": "parallax-explore-1",
            "paths": summary.paths,
            "paths_before": summary.paths_before,
            "runs": summary.runs,
            "executions": summary.effort.counts.executions,
            "instructions": summary.effort.counts.instructions,
            "exhausted": summary.exhausted(),
            "stopped": summary.stop.to_string(),
            "open": summary.open_flips,
            "errors": errors,
            "gaps": gaps,
            "assumptions": assumptions,
            "bounds": self.space.bounds(),
            "strategy": self.strategy.name(),
            "workers": self.workers,
            "queries": summary.effort.counts.queries,
            "solver_ms": milliseconds(summary.effort.counts.solving),
            "run_ms": milliseconds(summary.effort.counts.running),
            "wall_ms": milliseconds(summary.effort.wall),
            "behind_strings": behind_strings,
            "layers": layers,
            "lines": {"executed": executed, "all": all},
            "tests": summary.shown.tests,
            "tests_folder": self.place.map(|place| &place.tests),
            "peak_memory_kb": peak_memory(),
        })
    }
}

/// The most memory that this process ever held.
fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
