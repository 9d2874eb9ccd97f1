//! The formats of a report.

use std::io::IsTerminal;

use clap::ValueEnum;
use compare::Report;
use report::{FunctionRow, Marks};

/// What a report is written as.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReportFormat {
    /// For people, on a terminal
    Text,
    /// All of it, for programs; docs/check-json.md
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML, for the test page of a CI server
    Junit,
    /// A comment on a pull request
    Markdown,
}

impl ReportFormat {
    pub(crate) fn write(self, found: &Report) -> String {
        match self {
            ReportFormat::Text => report::text(found, marks()),
            ReportFormat::Json => format!("{:#}\n", report::json(found)),
            ReportFormat::Sarif => report::sarif(found),
            ReportFormat::Junit => report::junit(found),
            ReportFormat::Markdown => report::markdown(found),
        }
    }
}

impl ReportFormat {
    /// The same with what was found of changed functions by themselves, where the format has a place for that.
    pub(crate) fn write_with(self, found: &Report, functions: &[FunctionRow]) -> String {
        match self {
            _ if functions.is_empty() => self.write(found),
            ReportFormat::Text => self.write(found) + &report::functions_below(functions),
            ReportFormat::Json => {
                format!("{:#}\n", report::json_with_functions(found, functions))
            }
            ReportFormat::Sarif | ReportFormat::Junit | ReportFormat::Markdown => self.write(found),
        }
    }
}

/// Colours on a terminal, unless the user wants none (`NO_COLOR`).
pub(crate) fn marks() -> Marks {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    match std::io::stdout().is_terminal() && !unwanted {
        true => Marks::Colours,
        false => Marks::Signs,
    }
}
