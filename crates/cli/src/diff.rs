//! `parallax diff`: what changed between two versions, as changed statements and globals.
//!
//! Exit status: 0 no change, 1 changes.

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use version_diff::render::terminal::{TerminalOptions, terminal};
use version_diff::report::{
    ChangeReport, FunctionReport, FunctionStatus, GlobalReport, LineReport, ParameterReport,
    StatementReport, report,
};
use version_diff::{GlobalDifference, StatementKind};

use super::print;
use super::versions::{NOT_COMPARED, Versions};
use compare::versions::source_files::SourceFiles;

#[derive(Args, Debug)]
#[command(override_usage = "parallax diff [OPTIONS] <OLD> <NEW>\n       \
                      parallax diff [OPTIONS] --old <FILE>... --new <FILE>...\n       \
                      parallax diff [OPTIONS] --git <OLD..NEW>")]
pub(super) struct Arguments {
    #[command(flatten)]
    versions: Versions,
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(super) enum ReportFormat {
    Text,
    Json,
    Markdown,
}

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let compared = arguments.versions.compare()?;
    let sources = SourceFiles::default();
    let report = report(&compared.old, &compared.new, &compared.changes, &sources);
    print(&match arguments.format {
        ReportFormat::Text => text(&report, &sources),
        ReportFormat::Json => format!("{:#}\n", json(&report, &sources)),
        ReportFormat::Markdown => markdown(&report, &sources),
    })?;
    Ok(match is_empty(&report) {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    })
}

fn is_empty(report: &ChangeReport) -> bool {
    report.functions.is_empty() && report.globals.is_empty()
}

fn text(report: &ChangeReport, sources: &SourceFiles) -> String {
    let coloured = std::io::stdout().is_terminal();
    let changes = terminal(report, sources, TerminalOptions { coloured });
    format!("{changes}not compared: {}\n", NOT_COMPARED.join("; "))
}

/// A heading and a `diff` block for each changed thing, whose words are those of the terminal.
fn markdown(report: &ChangeReport, sources: &SourceFiles) -> String {
    let functions = report.functions.iter().map(|function| ChangeReport {
        functions: vec![function.clone()],
        globals: Vec::new(),
    });
    let globals = report.globals.iter().map(|global| ChangeReport {
        functions: Vec::new(),
        globals: vec![global.clone()],
    });
    let mut text = String::new();
    if is_empty(report) {
        text.push_str("No change.\n\n");
    }
    for one in functions.chain(globals) {
        let said = terminal(&one, sources, TerminalOptions { coloured: false });
        let (heading, lines) = said.split_once('\n').unwrap_or((&said, ""));
        text += &format!("### {heading}\n\n");
        if !lines.is_empty() {
            text.push_str("```diff\n");
            for line in lines.lines() {
                text += line.strip_prefix("  ").unwrap_or(line);
                text.push('\n');
            }
            text.push_str("```\n\n");
        }
    }
    text + &format!("Not compared: {}.\n", NOT_COMPARED.join("; "))
}

fn json(report: &ChangeReport, sources: &SourceFiles) -> Value {
    let functions = report.functions.iter();
    let globals = report.globals.iter();
    json!({
        "changed": !is_empty(report),
        "functions": functions.map(|one| function(one, sources)).collect::<Vec<_>>(),
        "globals": globals.map(|one| global(one, sources)).collect::<Vec<_>>(),
        "not_compared": NOT_COMPARED,
    })
}

fn function(function: &FunctionReport, sources: &SourceFiles) -> Value {
    let statements = function.statements.iter();
    json!({
        "status": match function.status {
            FunctionStatus::Changed => "changed",
            FunctionStatus::Added => "added",
            FunctionStatus::Removed => "removed",
        },
        "name": function.name,
        "old_name": function.old_name,
        "inlined_into": function.inlined_into,
        "has_other_signature": function.has_other_signature,
        "parameters": function.parameters.as_ref().map(parameters),
        "line": function.line.as_ref().map(|one| line(one, sources)),
        "statements": statements.map(|one| statement(one, sources)).collect::<Vec<_>>(),
    })
}

fn parameters(parameters: &ParameterReport) -> Value {
    let renamed = parameters.renamed.iter();
    json!({
        "old": parameters.old,
        "new": parameters.new,
        "added": parameters.added,
        "removed": parameters.removed,
        "other_type": parameters.other_type,
        "renamed": renamed.map(|(old, new)| json!({ "old": old, "new": new })).collect::<Vec<_>>(),
        "reordered": parameters.reordered,
        "other_result": parameters.other_result,
        "common_inputs": parameters.common,
    })
}

fn statement(statement: &StatementReport, sources: &SourceFiles) -> Value {
    json!({
        "kind": match statement.kind {
            StatementKind::Added => "added",
            StatementKind::Modified => "modified",
            StatementKind::Deleted => "deleted",
        },
        "old": statement.old.as_ref().map(|one| line(one, sources)),
        "new": statement.new.as_ref().map(|one| line(one, sources)),
        "assigned": statement.assigned,
        "has_same_text": statement.has_same_text,
        "notes": statement.notes,
    })
}

fn global(global: &GlobalReport, sources: &SourceFiles) -> Value {
    let differences = global
        .differences
        .iter()
        .map(|difference| match difference {
            GlobalDifference::Added => "added",
            GlobalDifference::Removed => "removed",
            GlobalDifference::Size => "size",
            GlobalDifference::Initialiser => "initialiser",
            GlobalDifference::Constness => "constness",
            GlobalDifference::Section => "section",
            GlobalDifference::Definition => "definition",
        });
    json!({
        "name": global.name,
        "differences": differences.collect::<Vec<_>>(),
        "line": global.line.as_ref().map(|one| line(one, sources)),
        "users": global.users,
        "statements": global.statements.iter().map(|one| statement(one, sources)).collect::<Vec<_>>(),
    })
}

fn line(line: &LineReport, sources: &SourceFiles) -> Value {
    json!({
        "file": line.file,
        "directory": line.directory,
        "line": line.line,
        "text": sources.line(line),
        "found_in_text": line.found_in_text,
    })
}
