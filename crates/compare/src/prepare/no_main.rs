//! Versions without a `main` cannot be run, but their functions can be compared one by one: says how, and which changed.

use build::error::BuildError;
use version_diff::own_changes::Compared;

use crate::error::{Error, Result};

/// How many functions are named.
const NAMED: usize = 5;

/// The error, with what else can be done. `compare` says what has changed.
pub(crate) fn suggest_functions(
    error: BuildError,
    compare: impl FnOnce() -> Result<Compared>,
) -> Error {
    if !matches!(error, BuildError::NoMain { .. }) {
        return error.into();
    }
    let compared = compare().ok();
    let changed: Vec<String> = compared.map_or_else(Vec::new, |compared| {
        let functions = compared.changes.functions.iter();
        functions
            .map(|function| version_diff::report::display_name(&compared.new, function.new))
            .collect()
    });
    let mut which = match changed.len() {
        0 => String::new(),
        _ => "; changed: ".to_owned(),
    };
    let names: Vec<String> = changed
        .iter()
        .take(NAMED)
        .map(|name| format!("`{name}`"))
        .collect();
    which += &names.join(", ");
    if changed.len() > NAMED {
        which += &format!(" and {} more", changed.len() - NAMED);
    }
    Error::Usage(format!(
        "{error}, or compare one function with `--fn NAME`{which}"
    ))
}
