//! Names that say what happens, as in `clip_of_0_0_minus_1_returns_minus_1`.

use compare::confirm::VersionOutcome;
use harness::{Call, Check, TestCode, Wanted};

use super::around::Around;
use crate::name::words;

/// The parts before what happens have at most so many characters, and what happens has.
const MOST: usize = 56;
const MOST_THEN: usize = 40;

pub(super) fn name(
    call: &Call,
    code: &TestCode,
    expected_of: usize,
    around: &Around,
    comes_back: bool,
    outcome: &VersionOutcome,
) -> String {
    let mut given = match call.sequence.is_empty() {
        true => one_call(call),
        false => {
            let steps = call.sequence.iter().map(|step| match &step.function {
                Some(function) => words(function.as_bytes()),
                None => "nothing".to_owned(),
            });
            steps.collect::<Vec<_>>().join("_")
        }
    };
    given.truncate(MOST);
    let mut then = match comes_back {
        true => happens(code, expected_of, around),
        false if around.status > 128 => {
            format!("ends_by_{}", words(outcome.end.kind.name().as_bytes()))
        }
        false => format!("exits_{}", around.status),
    };
    then.truncate(MOST_THEN);
    let both = format!("{}_{}", given.trim_matches('_'), then.trim_matches('_'));
    both.replace("__", "_")
}

fn one_call(call: &Call) -> String {
    let function = words(call.function.as_bytes());
    let mut given = vec![];
    for (name, value) in call.arguments.iter().chain(&call.variables) {
        let text = value.to_string();
        given.push(match &text[..] {
            "\"\"" => "empty_text".to_owned(),
            "" => words(name.as_bytes()),
            text => words(text.as_bytes()),
        });
    }
    match given.is_empty() {
        true => function,
        false => format!("{function}_of_{}", given.join("_")),
    }
}

/// What the other version does not do comes first.
fn happens(code: &TestCode, expected_of: usize, around: &Around) -> String {
    let calls = code.calls.iter();
    let own = calls.flat_map(|call| {
        let others = &call.checks[1 - expected_of];
        call.checks[expected_of]
            .iter()
            .map(|check| (check, others.contains(check)))
    });
    let own: Vec<(&Check, bool)> = own.collect();
    let telling = own.iter().find(|(_, is_common)| !is_common).or(own.first());
    let Some((check, _)) = telling else {
        return match around.stdout.is_empty() {
            true => "returns".to_owned(),
            false => format!("prints_{}", words(&around.stdout)),
        };
    };
    let value = value(&check.expected);
    match words(check.actual.as_bytes()) {
        result if result == "result" => format!("returns_{value}"),
        place if place.starts_with("result_") => format!("returns_{}_{value}", &place[7..]),
        place => format!("leaves_{place}_{value}"),
    }
}

fn value(wanted: &Wanted) -> String {
    match wanted {
        Wanted::Signed(text) | Wanted::Unsigned(text) | Wanted::Real(text) => {
            words(text.as_bytes())
        }
        Wanted::NotANumber => "nan".to_owned(),
        Wanted::Text(bytes) if bytes.is_empty() => "empty".to_owned(),
        Wanted::Text(bytes) | Wanted::Bytes(bytes) => words(bytes),
        Wanted::Elements { values, .. } => words(values.join(" ").as_bytes()),
        Wanted::Null => "null".to_owned(),
        Wanted::Address(text) => format!("at_{}", words(text.as_bytes())),
    }
}
