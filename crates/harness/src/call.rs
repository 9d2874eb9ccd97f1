//! A call of a function: with what, and what is seen of it afterwards.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::value::Value;

/// The call that an input stands for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Call {
    pub function: String,
    /// By name, in the order of the new version's parameters.
    pub arguments: Vec<(String, Value)>,
    /// Variables that are a part of the input, with their values before the call.
    #[serde(default)]
    pub variables: Vec<(String, Value)>,
    /// If it is not one call but several, these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sequence: Vec<SequenceCall>,
}

/// One call of a sequence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SequenceCall {
    /// The variable that what is returned is given to.
    pub sets: Option<String>,
    /// `None` where a variable is set without a call.
    pub function: Option<String>,
    /// By name, in their order.
    pub arguments: Vec<(String, Value)>,
}

impl fmt::Display for SequenceCall {
    /// `s = stack_new(2)`; `push(s, 7)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(variable) = &self.sets {
            write!(f, "{variable} = ")?;
        }
        let values = self.arguments.iter();
        let values: Vec<String> = values.map(|(_, value)| value.to_string()).collect();
        let values = values.join(", ");
        match &self.function {
            Some(function) => write!(f, "{function}({values})"),
            None => f.write_str(&values),
        }
    }
}

impl fmt::Display for Call {
    /// `min(x = 3, y = -1)`; `next() with counter = 7`; `s = stack_new(2); push(s, 7)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.sequence.is_empty() {
            let steps: Vec<String> = self.sequence.iter().map(SequenceCall::to_string).collect();
            return f.write_str(&steps.join("; "));
        }
        let listed = |values: &[(String, Value)]| {
            let values = values.iter();
            let values: Vec<String> = values
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            values.join(", ")
        };
        write!(f, "{}({})", self.function, listed(&self.arguments))?;
        match self.variables.is_empty() {
            true => Ok(()),
            false => write!(f, " with {}", listed(&self.variables)),
        }
    }
}

/// Something that is compared after a call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallObservable {
    Returned,
    /// What a pointer points to, by its name.
    Argument(String),
    Global(String),
    Errno,
    /// Calls of functions that were passed as arguments.
    Calls,
    /// What the C library or the system keeps, in words.
    Kept(String),
    /// What one call of a sequence did, by its number from 1.
    Call(u32),
    /// What the objects of a sequence are like beside what one call of it gave out.
    StateAt(u32),
    /// What an object is like at the end of a sequence, by its name.
    State(String),
    /// A call after the others, of a function that changes nothing.
    Look(String),
}

impl fmt::Display for CallObservable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallObservable::Returned => f.write_str("returned value"),
            CallObservable::Argument(name) => write!(f, "*{name}"),
            CallObservable::Global(name) => write!(f, "global {name}"),
            CallObservable::Errno => f.write_str("errno"),
            CallObservable::Calls => f.write_str("calls of its function arguments"),
            CallObservable::Kept(what) => f.write_str(what),
            CallObservable::Call(number) => write!(f, "call {number}"),
            CallObservable::StateAt(number) => write!(f, "object after call {number}"),
            CallObservable::State(name) => write!(f, "{name} at the end"),
            CallObservable::Look(call) => write!(f, "{call} at the end"),
        }
    }
}

/// What is seen of a call that came back. What it returned comes first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CallOutcome {
    pub values: Vec<(CallObservable, Value)>,
}

impl CallOutcome {
    pub fn of(&self, observable: &CallObservable) -> Option<&Value> {
        let mut values = self.values.iter();
        let own = values.find(|(observed, _)| observed == observable);
        own.map(|(_, value)| value)
    }
}
