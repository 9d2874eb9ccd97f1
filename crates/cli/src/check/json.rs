//! The report for machines. `docs/check-json.md` says what each field means, `docs/check.schema.json` in the
//! language of JSON Schema. A field that gets another meaning, or goes, means another number in `SCHEMA`.

use std::path::Path;
use std::time::Duration;

use exploration::worker::Counts;
use exploration::{Summary, Verdict};
use serde_json::{Value, json};

use super::changes::{ChangedLine, Told, told};
use super::determinism::Dependence;
use super::differences::Group;
use super::examples::Example;
use super::function::FunctionCheck;
use super::paranoid::SelfCheck;
use super::partitions::MOST_LISTED;
use super::report::Report;
use super::settled;
use super::undefined::Read;
use crate::explore::{json_input, milliseconds};
use crate::search_options::propagation_json;
use native::test_case::Expected;

const SCHEMA: &str = "parallax-check-2";

impl Report<'_> {
    pub(super) fn json(&self) -> Value {
        let differences = self.differences.iter().zip(1..);
        let differences =
            differences.map(|((group, example), id)| self.difference_json(id, group, example));
        let mut gaps = gaps(self.summary);
        let cut = self.undefined.cut_in_words();
        gaps.extend(cut.map(|what| json!({"what": what, "times": self.undefined.cut})));
        let count = |of: &dyn Fn(&Summary) -> u64| self.summary.map_or(0, of);
        let spent = |of: &dyn Fn(&Counts) -> Duration| {
            let time = self.summary.map(|summary| of(&summary.effort.counts));
            milliseconds(time.unwrap_or_default())
        };
        json!({
            "schema": SCHEMA,
            "mode": self.arguments.search.mode().name(),
            "verdict": verdict(self.verdict()),
            "matched": self.function.and_then(FunctionCheck::matched),
            "same_code": self.summary.is_none() && self.same_functions.is_empty(),
            "same_functions": self.same_functions,
            "exhausted": self.summary.is_none_or(|summary| summary.exhausted()),
            "stopped": self.summary.map(|summary| summary.stop.to_string()),
            "bounds": {
                "input": self.input_bounds(),
                "instructions": self.arguments.max_steps,
                "decisions": self.arguments.max_decisions,
            },
            "assumptions": self.assumptions(),
            "gaps": gaps,
            "left_out": self.left_out,
            "nondeterministic": dependences(&self.dependences),
            "undefined": self.undefined.reads.iter().map(Read::json).collect::<Vec<_>>(),
            "differences": differences.collect::<Vec<_>>(),
            "partitions": self.partitions.entries,
            "partition_counts": self.partitions.counts,
            "partitions_listed_at_most": MOST_LISTED,
            "settled": settled::json(self.summary, &self.partitions.counts),
            "self_check": self.self_check.as_ref().map(self_check),
            "internal_error": self.refuted().map(|refuted| json!({"why": refuted.why, "bundle": refuted.bundle})),
            "stats": {
                "runs": count(&|summary| summary.runs),
                "paths": count(&|summary| summary.paths),
                "paths_before": count(&|summary| summary.paths_before),
                "queries": count(&|summary| summary.effort.counts.queries),
                "pruned": self.arguments.search.pruned_json(self.summary),
                "propagation": propagation_json(self.summary),
                "wall_ms": milliseconds(self.wall),
                "search_ms": self.summary.map_or(0.0, |summary| milliseconds(summary.effort.wall)),
                "solver_ms": spent(&|counts| counts.solving),
                "run_ms": spent(&|counts| counts.running),
                "trace_ms": spent(&|counts| counts.tracing),
                "slice_ms": spent(&|counts| counts.slicing),
            },
            "first_difference": self.first.map(|(runs, wall)| json!({"runs": runs, "wall_ms": milliseconds(wall)})),
        })
    }

    fn difference_json(&self, id: u64, group: &Group, example: &Example) -> Value {
        let mut value = difference(id, group, example);
        if let Some(function) = self.function {
            let kinds = example.observables.iter();
            let kinds = kinds.map(|kind| function.kind_json(kind).unwrap_or_else(|| json!(kind)));
            value["kind"] = kinds.collect();
            value["input"]["call"] = function.call_json(&example.input);
            value["found_with"]["call"] = function.call_json(&example.found_with);
            value["old"]["call"] = function.outcome_json(&example.old);
            value["new"]["call"] = function.outcome_json(&example.new);
        }
        value
    }
}

pub(super) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Equivalent => "equivalent",
        Verdict::Different => "different",
        Verdict::Undecided => "undecided",
    }
}

pub(super) fn gaps(summary: Option<&Summary>) -> Vec<Value> {
    let gaps = summary.into_iter().flat_map(|summary| &summary.gaps);
    gaps.map(|(gap, times)| json!({"what": gap.to_string(), "times": times}))
        .collect()
}

pub(super) fn dependences(found: &[Dependence]) -> Vec<Value> {
    let dependence = |dependence: &Dependence| {
        json!({
            "version": dependence.version,
            "on": dependence.on,
            "input": json_input(&dependence.input),
        })
    };
    found.iter().map(dependence).collect()
}

pub(super) fn self_check(found: &SelfCheck) -> Value {
    let refuted = found.refuted.as_ref();
    json!({
        "same": found.same,
        "excused": found.excused,
        "excuse": found.excuse,
        "not_run": found.not_run,
        "refuted": refuted.map(|refuted| json!({"why": refuted.why, "bundle": refuted.bundle})),
    })
}

fn difference(id: u64, group: &Group, example: &Example) -> Value {
    let further = group.further(example);
    let (class, unclassified) = match &example.class {
        None => (None, None),
        Some(Ok(class)) => (Some(class.name()), None),
        Some(Err(why)) => (None, Some(why)),
    };
    json!({
        "id": id,
        "kind": example.observables,
        "location": group.locations_of(&example.observables),
        "input": json_input(&example.input),
        "minimal": example.is_minimal,
        "found_with": json_input(&example.found_with),
        "old": outcome(&example.old),
        "new": outcome(&example.new),
        "attributes": example.attributes,
        "confirmed_natively": example.unconfirmed.is_none(),
        "unconfirmed_because": example.unconfirmed,
        "changes": changes(&mut example.changes.iter()),
        "further_changes": changes(&mut further.into_iter()),
        "class": class,
        "unclassified_because": unclassified,
        "partitions": group.partitions,
        "condition": example.condition,
        "tests": example.folder,
        "reproduce": example.reproduce().map(|script| format!("sh {}", word(&script))),
    })
}

pub(super) fn word(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    native::test_case::shell_word(path.as_os_str().as_bytes())
}

pub(super) fn outcome(expected: &Expected) -> Value {
    let files = expected.files.iter().map(|(name, content)| {
        let content = json!(String::from_utf8_lossy(content));
        (name.display().to_string(), content)
    });
    json!({
        "end": expected.end,
        "stdout": String::from_utf8_lossy(&expected.stdout),
        "stderr": String::from_utf8_lossy(&expected.stderr),
        "files": files.collect::<serde_json::Map<_, _>>(),
    })
}

pub(super) fn changes(lines: &mut dyn Iterator<Item = &ChangedLine>) -> Vec<Value> {
    let line = |change: &Told<'_>| {
        json!({
            "file": change.file,
            "line": change.line,
            "function": change.function,
            "removed": change.is_removed,
            "notes": change.notes,
        })
    };
    told(lines).iter().map(line).collect()
}
