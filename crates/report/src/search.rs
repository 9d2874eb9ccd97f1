//! What is said of the search: how far it came, what was left out.

use compare::report::{Made, PropagationReport, PrunedReport, Pruning, Report, SearchReport};
use compare::verdict::Verdict;
use serde_json::{Value, json};

use crate::words::counted;

/// What was known from an earlier call.
pub(crate) fn known_before(search: &SearchReport) -> String {
    match search.paths_before {
        0 => String::new(),
        paths => format!("{} known from an earlier check\n", counted(paths, "path")),
    }
}

/// What kept the exploration from its end, if anything, and what to do about it where a journal is kept.
pub(crate) fn unexplored(report: &Report, search: &SearchReport) -> String {
    if search.exhausted {
        return String::new();
    }
    let stop = &search.stop;
    if stop.finished {
        return "not everything was explored, see below\n".to_owned();
    }
    let why = match search.open_flips {
        0 => stop.why.clone(),
        open => format!("{}, {} not tried", stop.why, counted(open, "way")),
    };
    if report.asked.first && report.verdict == Verdict::Different {
        return "not everything was explored: stopped at the first difference (--first)\n"
            .to_owned();
    }
    let next = match !report.asked.random && stop.can_go_on {
        true => " (the same command goes on from here)",
        false => "",
    };
    format!("not everything was explored: {why}{next}\n")
}

/// Why partitions are not known, unless a gap says the same.
pub(crate) fn not_known(search: &SearchReport) -> String {
    let is_said = |reason: &String| {
        let mut gaps = search.gaps.iter();
        gaps.any(|gap| gap.cut_off.as_ref() == Some(reason))
    };
    let reasons = search.unknown.iter().filter(|reason| !is_said(reason));
    let reasons = reasons.map(|why| format!("not known: {why}\n"));
    let undefined = search.both_undefined.iter().map(|kind| {
        format!("undefined in both versions, which is no difference between them: {kind}\n")
    });
    reasons.chain(undefined).collect()
}

/// What was left out, in words: a verdict rests on it.
pub(crate) fn pruned_text(report: &Report, pruned: &PrunedReport) -> String {
    let ways = pruned.ways();
    let mut text = match ways {
        0 => String::new(),
        1 => "1 way was not explored because no change can be executed on it".to_owned(),
        _ => format!("{ways} ways were not explored because no change can be executed on them"),
    };
    if pruned.not_infected > 0 {
        text += ", or those executed before had no effect on the state";
    }
    if ways > 0 {
        text.push('\n');
    }
    if !report.asked.listing.pruning {
        return text;
    }
    if ways == 0 {
        text += "no way was pruned\n";
    }
    for pruned in &pruned.places {
        let place = pruned.place.as_deref().unwrap_or("an unknown place");
        let version = &report.versions[pruned.version].name;
        let (name, meaning, ways) = (name(pruned.why), &pruned.meaning, pruned.ways);
        text += &format!("  {name}  {ways:>6}  {version}  {place}: {meaning}\n");
    }
    text
}

/// What was left out, for machines.
pub(crate) fn pruned_json(report: &Report) -> Value {
    let none = PrunedReport::default();
    let search = report.search.as_ref();
    let pruned = search.map_or(&none, |search| &search.pruned);
    let mut json = json!({
        "not_p": pruned.not_propagated,
        "not_e": pruned.not_executed,
        "not_i": pruned.not_infected,
    });
    if report.asked.listing.pruning {
        let places = pruned.places.iter().map(|pruned| {
            json!({
                "category": name(pruned.why),
                "version": report.versions[pruned.version].name,
                "place": pruned.place,
                "ways": pruned.ways,
            })
        });
        json["places"] = places.collect();
    }
    json
}

/// What was done to make differences show, for machines.
pub(crate) fn propagation_json(search: Option<&SearchReport>) -> Value {
    let none = PropagationReport::default();
    let made = search.map_or(&none, |search| &search.propagation);
    let by_rule = |made: &Made| {
        json!({
            "candidates": made.inputs, "known": made.known, "different": made.different,
        })
    };
    json!({
        "looks": made.looks,
        "by_rule": {
            "same_way": by_rule(&made.same_way),
            "no_transfer": by_rule(&made.no_transfer),
            "not_used": by_rule(&made.not_used),
            "another_state": by_rule(&made.another_state),
        },
        "cut": made.cut,
        "ms": made.time.as_millis() as u64,
        "spliced": {
            "inputs": made.spliced.inputs,
            "known": made.spliced.known,
            "different": made.spliced.different,
            "ms": made.splicing.as_millis() as u64,
        },
    })
}

/// What keeps the exploration from being complete, for machines.
pub(crate) fn gaps_json(search: Option<&SearchReport>) -> Vec<Value> {
    let gaps = search.iter().flat_map(|search| &search.gaps);
    gaps.map(|gap| json!({"what": gap.what, "times": gap.times}))
        .collect()
}

fn name(why: Pruning) -> &'static str {
    match why {
        Pruning::NotPropagated => "not_p",
        Pruning::NotExecuted => "not_e",
        Pruning::NotInfected => "not_i",
    }
}
