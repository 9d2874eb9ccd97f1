//! Calls of functions, in words and for machines.

use compare::confirm::VersionOutcome;
use harness::{Call, CallObservable, CallOutcome, Value};
use serde_json::json;

/// How a call ended that came back.
pub(crate) fn came_back(call: &CallOutcome) -> String {
    match call.of(&CallObservable::Returned) {
        None | Some(Value::Nothing) => "returns".to_owned(),
        Some(value) => format!("returns {value}"),
    }
}

/// What a version did to something that is observed of a call, in one line.
pub(crate) fn outcome(observable: &CallObservable, outcome: &VersionOutcome) -> Option<String> {
    let call = outcome.call.as_ref()?;
    let value = call.of(observable)?;
    Some(match observable {
        CallObservable::Returned => came_back(call),
        CallObservable::Argument(_)
        | CallObservable::Global(_)
        | CallObservable::Errno
        | CallObservable::Calls
        | CallObservable::Kept(_) => {
            format!("{observable} = {value}")
        }
        CallObservable::Call(_)
        | CallObservable::Look(_)
        | CallObservable::State(_)
        | CallObservable::StateAt(_) => value.to_string(),
    })
}

pub(crate) fn json_call(call: &Call) -> serde_json::Value {
    let listed = |values: &[(String, Value)]| -> serde_json::Map<String, serde_json::Value> {
        let values = values.iter();
        values
            .map(|(name, value)| (name.clone(), value.to_string().into()))
            .collect()
    };
    let mut json = json!({"text": call.to_string(), "arguments": listed(&call.arguments)});
    if !call.variables.is_empty() {
        json["variables"] = listed(&call.variables).into();
    }
    if !call.sequence.is_empty() {
        let steps = call.sequence.iter().map(|step| {
            let text = step.to_string();
            json!({"text": text, "function": step.function, "arguments": listed(&step.arguments)})
        });
        json["sequence"] = steps.collect();
    }
    json
}

/// All that is known of a call; null if it did not come back.
pub(crate) fn json_outcome(call: Option<&CallOutcome>) -> serde_json::Value {
    let Some(call) = call else {
        return serde_json::Value::Null;
    };
    let values = call.values.iter();
    let values = values.filter(|(_, value)| *value != Value::Nothing);
    let values =
        values.map(|(observable, value)| (observable.to_string(), value.to_string().into()));
    serde_json::Value::Object(values.collect())
}

pub(crate) fn json_observable(observable: &CallObservable) -> serde_json::Value {
    match observable {
        CallObservable::Returned => json!("returned"),
        CallObservable::Argument(name) => json!({"argument": name}),
        CallObservable::Global(name) => json!({"global": name}),
        CallObservable::Errno => json!("errno"),
        CallObservable::Calls => json!("calls"),
        CallObservable::Kept(what) => json!({"kept": what}),
        CallObservable::Call(number) => json!({"call": number}),
        CallObservable::StateAt(number) => json!({"state_after_call": number}),
        CallObservable::State(name) => json!({"state": name}),
        CallObservable::Look(call) => json!({"look": call}),
    }
}
