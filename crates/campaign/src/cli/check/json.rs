//! The report for machines.

use exploration::{Summary, Verdict};
use serde_json::json;

use super::report::Report;
use crate::cli::explore::{json_input, milliseconds};
use crate::test_case::Expected;

impl Report<'_> {
    pub(super) fn json(&self) -> serde_json::Value {
        let outcome = |expected: &Expected| {
            json!({
                "end": expected.end,
                "stdout": String::from_utf8_lossy(&expected.stdout),
                "stderr": String::from_utf8_lossy(&expected.stderr),
                "files": expected.files.iter().map(|(name, content)| {
                    (name.display().to_string(), json!(String::from_utf8_lossy(content)))
                }).collect::<serde_json::Map<_, _>>(),
            })
        };
        let differences: Vec<_> = self
            .differences
            .iter()
            .zip(1..)
            .map(|((group, example), id)| {
                json!({
                    "id": id,
                    "kind": group.observables,
                    "input": json_input(&example.input),
                    "old": outcome(&example.old),
                    "new": outcome(&example.new),
                    "confirmed_natively": example.unconfirmed.is_none(),
                    "unconfirmed_because": example.unconfirmed,
                    "changes": group.changes.iter().map(|change| json!({
                        "file": change.file, "line": change.line, "function": change.function,
                    })).collect::<Vec<_>>(),
                    "further_changes": group.also.iter().map(|change| json!({
                        "file": change.file, "line": change.line, "function": change.function,
                    })).collect::<Vec<_>>(),
                    "partitions": group.partitions,
                    "condition": example.condition,
                    "tests": example.folder,
                })
            })
            .collect();
        let counts = self.counts();
        let empty = Vec::new();
        let assumptions: Vec<_> = self
            .summary
            .map_or(&empty, |summary| &summary.taken_as_is)
            .iter()
            .map(|taken| {
                json!({
                    "what": taken.what.describe(),
                    "place": taken.place.as_ref().map(ToString::to_string),
                    "runs": taken.runs,
                })
            })
            .collect();
        let gaps = self.summary.map(|summary| {
            let gap = |(gap, times): (&exploration::Gap, &u64)| json!({"what": gap.to_string(), "times": times});
            summary.gaps.iter().map(gap).collect::<Vec<_>>()
        });
        let number = |of: &dyn Fn(&Summary) -> f64| self.summary.map_or(0.0, of);
        json!({
            "schema": "parallax-check-1",
            "verdict": match self.verdict() {
                Verdict::Equivalent => "equivalent",
                Verdict::Different => "different",
                Verdict::Undecided => "undecided",
            },
            "same_code": self.summary.is_none(),
            "exhausted": self.summary.is_none_or(|summary| summary.exhausted()),
            "stopped": self.summary.map(|summary| summary.stop.to_string()),
            "bounds": self.bounds(),
            "assumptions": assumptions,
            "gaps": gaps.unwrap_or_default(),
            "left_out": self.left_out,
            "differences": differences,
            "partitions": {
                "equal_by_terms": counts.same_terms,
                "equal_by_solver": counts.by_solver,
                "different": counts.different,
                "unknown": counts.unknown,
            },
            "stats": {
                "runs": number(&|summary| summary.runs as f64) as u64,
                "paths": number(&|summary| summary.paths as f64) as u64,
                "queries": number(&|summary| summary.counts.queries as f64) as u64,
                "wall_ms": milliseconds(self.wall),
                "solver_ms": number(&|summary| milliseconds(summary.counts.solving)),
            },
            "first_difference": self.first.map(|(runs, wall)| json!({"runs": runs, "wall_ms": milliseconds(wall)})),
        })
    }
}
