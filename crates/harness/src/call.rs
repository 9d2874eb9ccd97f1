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
}

impl fmt::Display for Call {
    /// `min(x = 3, y = -1)`; `next() with counter = 7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
