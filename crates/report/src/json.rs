//! The report for machines: one view for two versions (`docs/check.schema.json`) and one for more
//! (`docs/check-versions.schema.json`). `docs/check-json.md` says what each field means. A field that gets another meaning, or goes,
//! means another number in the name of the schema.

use std::time::Duration;

use compare::Report;
use compare::confirm::{Difference, Refuted, SelfCheck, StepDifference, VersionOutcome};
use compare::inspect::{CodePlace, Dependence, UninitialisedRead, UninitialisedUse};
use compare::report::{Costs, StepReport};
use compare::search::partitions::MOST_LISTED;
use compare::spec::Mode;
use compare::verdict::{Finding, Verdict};
use compare::versions::golden::Class;
use compare::versions::groups::Effect;
use serde_json::{Value, json};

use crate::calls;
use crate::causes::first_of_kind;
use crate::changed_lines::json as changes;
use crate::fingerprint::fingerprints;
use crate::functions::{FunctionRow, functions_below_json};
use crate::input::{json_given, json_input, milliseconds};
use crate::observables;
use crate::search::{gaps_json, propagation_json, pruned_json};
use crate::words::{self, word};
use crate::{accepted, exercise, growth, natively, partitions, settled};

const TWO: &str = "parallax-check-3";
const MORE: &str = "parallax-check-versions-2";

/// The report for machines.
pub fn json(report: &Report) -> Value {
    let mut value = common(report);
    let own = match report.versions.len() {
        2 => of_two(report),
        _ => of_more(report),
    };
    if let (Value::Object(value), Value::Object(own)) = (&mut value, own) {
        value.extend(own);
    }
    value["stats"] = stats(report);
    value
}

/// The report with what is found of changed functions by themselves.
pub fn json_with_functions(report: &Report, rows: &[FunctionRow]) -> Value {
    let mut value = json(report);
    value["functions_below"] = functions_below_json(rows);
    value
}

/// What both views have.
fn common(report: &Report) -> Value {
    let search = report.search.as_ref();
    let found = &report.reservations;
    let reads = found.undefined.reads.iter();
    let dependences = found.dependences.iter();
    let first = report.first_difference;
    json!({
        "verdict": words::verdict(report.verdict),
        "unaccepted": accepted::unaccepted(report),
        "verdict_apart_from_accepted": words::verdict(accepted::verdict(report)),
        "exhausted": search.is_none_or(|search| search.exhausted),
        "stopped": search.map(|search| &search.stop.why),
        "bounds": {
            "input": report.bounds.input,
            "grown": growth::json(report),
            "instructions": report.bounds.instructions,
            "decisions": report.bounds.decisions,
        },
        "assumptions": words::assumptions(report),
        "gaps": gaps_json(search),
        "left_out": found.left_out,
        "nondeterministic": dependences.map(|found| dependence(report, found)).collect::<Vec<_>>(),
        "undefined": reads.map(|read| uninitialised_read(report, read)).collect::<Vec<_>>(),
        "partitions": partitions::json(&report.partitions),
        "partition_counts": report.partitions.counts,
        "partitions_listed_at_most": MOST_LISTED,
        "settled": settled::json(search, &report.partitions.counts),
        "native_runs": natively::how(report),
        "self_check": report.proofs.self_check.as_ref().map(self_check),
        "first_difference": first.map(|first| json!({"runs": first.runs, "wall_ms": milliseconds(first.wall)})),
    })
}

fn of_two(report: &Report) -> Value {
    let ids = (1..).zip(first_of_kind(report));
    let differences = report.differences.iter().zip(ids).zip(fingerprints(report));
    let differences =
        differences.map(|((difference, ids), own)| difference_of_two(ids, difference, &own));
    let matched = report.function.as_ref();
    let matched = matched.and_then(|function| function.matched.as_ref());
    let mut gaps = gaps_json(report.search.as_ref());
    let cut = report.reservations.undefined.cut;
    gaps.extend(words::not_inspected(cut).map(|what| json!({"what": what, "times": cut})));
    json!({
        "schema": TWO,
        "mode": mode(report.asked.mode),
        "matched": matched.map(|matched| format!("parameters are matched by name: {matched}")),
        "not_called": report.function.as_ref().map_or(&[][..], |own| &own.not_called),
        "same_code": report.steps.iter().all(|step| step.finding == Finding::SameCode),
        "same_functions": report.same_functions,
        "exercise": report.steps.first().map_or(Value::Null, exercise::json),
        "functions_below": Value::Null,
        "gaps": gaps,
        "differences": differences.collect::<Vec<_>>(),
        "internal_error": report.proofs.refuted().map(refuted),
    })
}

fn of_more(report: &Report) -> Value {
    let versions = report.versions.iter();
    let versions = versions.map(|version| json!({"name": version.name, "files": version.files}));
    let ids = (1..).zip(first_of_kind(report));
    let differences = report.differences.iter().zip(ids).zip(fingerprints(report));
    let differences = differences
        .map(|((difference, ids), own)| difference_of_more(report, ids, difference, &own));
    json!({
        "schema": MORE,
        "versions": versions.collect::<Vec<_>>(),
        "pairs": report.steps.iter().map(step).collect::<Vec<_>>(),
        "differences": differences.collect::<Vec<_>>(),
    })
}

fn stats(report: &Report) -> Value {
    let search = report.search.as_ref();
    let costs = search.map(|search| search.costs).unwrap_or_default();
    let Costs {
        queries,
        search: searching,
        solving,
        running,
        tracing,
        slicing,
        ..
    } = costs;
    let spent = |time: Duration| match search {
        Some(_) => milliseconds(time),
        None => 0.0,
    };
    let mut stats = json!({
        "runs": search.map_or(0, |search| search.runs),
        "paths": search.map_or(0, |search| search.paths),
        "paths_before": search.map_or(0, |search| search.paths_before),
        "queries": queries,
        "wall_ms": milliseconds(report.wall),
        "search_ms": spent(searching),
        "solver_ms": spent(solving),
    });
    if report.versions.len() == 2 {
        stats["pruned"] = pruned_json(report);
        stats["propagation"] = propagation_json(search);
        stats["run_ms"] = json!(spent(running));
        stats["trace_ms"] = json!(spent(tracing));
        stats["slice_ms"] = json!(spent(slicing));
    }
    stats
}

fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::FindAndVerify => "find-and-verify",
        Mode::FindOnly => "find-only",
        Mode::VerifyOnly => "verify-only",
    }
}

fn dependence(report: &Report, found: &Dependence) -> Value {
    json!({
        "version": report.versions[found.version].name,
        "on": words::surrounding(found.on),
        "input": json_input(&found.given.input),
    })
}

fn uninitialised_read(report: &Report, read: &UninitialisedRead) -> Value {
    let place = |place: &Option<CodePlace>| {
        place.as_ref().map_or(
            Value::Null,
            |place| json!({"file": place.file, "line": place.line, "function": place.function}),
        )
    };
    json!({
        "version": report.versions[read.version].name,
        "memory": read.memory,
        "made_at": place(&read.made_at),
        "read_at": place(&read.read_at),
        "used_at": place(&read.used_at),
        "use": match &read.used {
            UninitialisedUse::Decision => "decision",
            UninitialisedUse::PutOut(name) => name,
            UninitialisedUse::ExitStatus => "exit status",
        },
        "input": json_input(&read.given.input),
    })
}

fn refuted(refuted: &Refuted) -> Value {
    json!({"why": refuted.why, "bundle": refuted.bundle})
}

fn self_check(found: &SelfCheck) -> Value {
    json!({
        "same": found.same,
        "excused": found.excused,
        "excuse": found.excuse,
        "not_run": found.not_run,
        "refuted": found.refuted.as_ref().map(refuted),
    })
}

fn step(step: &StepReport) -> Value {
    let verdict: Verdict = step.finding.verdict();
    json!({
        "from": step.from,
        "to": step.to,
        "verdict": words::verdict(verdict),
        "same_code": step.finding == Finding::SameCode,
        "undecided_because": match step.finding {
            Finding::Undecided(open) => Some(words::open_step(open)),
            _ => None,
        },
        "exercise": exercise::json(step),
        "differences": step.differences,
        "undoes": step.undoes,
        "introduces": step.introduces,
    })
}

fn class(class: Class) -> &'static str {
    match class {
        Class::Progression => "progression",
        Class::Regression => "regression",
        Class::Intermediate => "intermediate",
    }
}

/// What happens on the example that C leaves undefined.
fn undefined(difference: &Difference) -> Vec<Value> {
    let steps = difference.undefined.iter().map(|step| {
        json!({
            "version": step.version,
            "what": words::undefined_operation(step.operation),
            "file": step.at.file,
            "line": step.at.line,
            "function": step.at.function,
        })
    });
    steps.collect()
}

fn difference_of_two(
    (id, kind): (u64, usize),
    difference: &Difference,
    fingerprints: &[String],
) -> Value {
    let (class, unclassified) = match difference.class {
        None => (None, None),
        Some(Ok(own)) => (Some(class(own)), None),
        Some(Err(why)) => (None, Some(words::unclassified(why))),
    };
    let [old, new] = &difference.outcomes[..] else {
        unreachable!("two versions have two outcomes")
    };
    let of_call = difference.given.call.is_some();
    let mut value = json!({
        "id": id,
        "kind_of": kind,
        "input": json_given(&difference.given),
        "minimal": difference.is_minimal,
        "found_with": json_given(&difference.found_with),
        "old": outcome(old, of_call),
        "new": outcome(new, of_call),
        "further_changes": changes(&difference.further_changes),
        "class": class,
        "unclassified_because": unclassified,
        "undefined": undefined(difference),
        "partitions": difference.partitions,
        "condition": difference.condition,
    });
    for (step, fingerprint) in difference.steps.iter().zip(fingerprints) {
        let own = step_difference(step, fingerprint);
        value["location"] = json!(step.locations);
        if let (Value::Object(value), Value::Object(own)) = (&mut value, own) {
            value.extend(own);
        }
    }
    value
}

/// What two versions do differently.
fn step_difference(step: &StepDifference, fingerprint: &str) -> Value {
    let script = step.script.as_ref();
    json!({
        "fingerprint": fingerprint,
        "kind": observables::json(&step.observed),
        "attributes": step.attributes,
        "accepted": step.accepted,
        "confirmed_natively": step.unconfirmed.is_none(),
        "unconfirmed_because": step.unconfirmed,
        "changes": changes(&step.changes),
        "tests": step.folder,
        "reproduce": script.map(|script| format!("sh {}", word(script))),
    })
}

fn difference_of_more(
    report: &Report,
    (id, kind): (u64, usize),
    difference: &Difference,
    fingerprints: &[String],
) -> Value {
    let groups = &difference.groups;
    let effects = groups.effects().into_iter();
    let effects = effects.map(|(version, effect)| {
        let (name, again) = match effect {
            Effect::Undoes { again } => ("undoes", again),
            Effect::Introduces => ("introduces", Vec::new()),
            Effect::Changes => ("changes", Vec::new()),
        };
        json!({"version": version, "effect": name, "as": again})
    });
    let pairs = difference.steps.iter().zip(fingerprints);
    let pairs = pairs.map(|(own, fingerprint)| {
        let step = &report.steps[own.step];
        let mut value = step_difference(own, fingerprint);
        value["from"] = json!(step.from);
        value["to"] = json!(step.to);
        value
    });
    let outcomes = difference.outcomes.iter();
    let outcomes = outcomes.map(|own| outcome(own, false));
    json!({
        "id": id,
        "kind_of": kind,
        "effects": effects.collect::<Vec<_>>(),
        "groups": groups.groups,
        "not_known": groups.not_known,
        "kind": observables::json(&difference.observed),
        "input": json_given(&difference.given),
        "minimal": difference.is_minimal,
        "found_with": json_given(&difference.found_with),
        "condition": difference.condition,
        "outcomes": outcomes.collect::<Vec<_>>(),
        "confirmed_natively": difference.is_confirmed(),
        "pairs": pairs.collect::<Vec<_>>(),
        "partitions": difference.partitions,
    })
}

fn outcome(outcome: &VersionOutcome, of_call: bool) -> Value {
    let files = outcome.files.iter().map(|(name, content)| {
        let content = json!(String::from_utf8_lossy(content));
        (name.display().to_string(), content)
    });
    let mut value = json!({
        "end": outcome.end,
        "stdout": String::from_utf8_lossy(&outcome.stdout),
        "stderr": String::from_utf8_lossy(&outcome.stderr),
        "files": files.collect::<serde_json::Map<_, _>>(),
        "outside": natively::outside_json(&outcome.outside),
    });
    if of_call {
        value["call"] = calls::json_outcome(outcome.call.as_ref());
    }
    value
}
