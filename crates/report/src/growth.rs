//! What is said of bounds that have grown.

use compare::Report;
use serde_json::{Value, json};

use crate::words::counted;

/// On which inputs versions are equal: `within the bounds`, or how far bounds have grown by themselves; `restricted` says which of these
/// inputs are left out.
pub(crate) fn within(report: &Report, restricted: &str) -> String {
    let (Some(grown), Some(widest)) = (&report.bounds.grown, &report.bounds.widest) else {
        return format!("within the bounds{restricted}");
    };
    let (most, length) = widest.arguments;
    let mut sizes = Vec::new();
    if most > 0 {
        let arguments = counted(most as u64, "argument");
        sizes.push(format!("{arguments} of {}", counted(length as u64, "byte")));
    }
    if widest.stdin > 0 {
        let bytes = counted(widest.stdin as u64, "byte");
        sizes.push(format!("{bytes} of standard input"));
    }
    let mut text = format!("of up to {}", sizes.join(" and "));
    for what in &grown.also {
        text += &format!(", and with {what}");
    }
    text += restricted;
    if grown.beyond > 0 {
        text += &format!(
            "; beyond that nothing different in {}",
            counted(grown.beyond, "run")
        );
    }
    text
}

/// The same for the line of bounds.
pub(crate) fn beyond(report: &Report) -> Vec<String> {
    let Some(grown) = &report.bounds.grown else {
        return Vec::new();
    };
    let also = grown.also.iter().map(|what| format!("and with {what}"));
    let mut words: Vec<String> = also.collect();
    if grown.beyond > 0 {
        let runs = counted(grown.beyond, "run");
        words.push(format!("beyond these, {runs} showed nothing different"));
    }
    if grown.after_difference > 0 {
        let runs = counted(grown.after_difference, "run");
        words.push(format!(
            "after the first difference, {runs} of larger inputs looked for what had not been executed"
        ));
    }
    words
}

/// The same for machines.
pub(crate) fn json(report: &Report) -> Value {
    report.bounds.grown.as_ref().map_or(Value::Null, |grown| {
        json!({
            "rounds": grown.rounds,
            "also": grown.also,
            "beyond": grown.beyond,
            "after_difference": grown.after_difference,
        })
    })
}
