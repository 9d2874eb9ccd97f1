//! `parallax impact`: what each change can affect, which changes may interfere, and which tests can
//! execute a change.
//!
//! The C library counts by what its standard says about each function, and only statements of the program
//! are listed; `--all` goes through the library's code instead.
//!
//! Exit status: 0 no change, 1 changes.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use program_graphs::library::without_library;
use program_graphs::{Assumption, Assumptions, DependenceConfig, DependenceGraph};
use program_graphs::{FactsConfig, ProgramFacts};
use program_ir::Module;
use serde_json::{Value, json};
use version_diff::impact::{Change, ChangedThing, Impact};
use version_diff::report::{LineReport, display_name};
use version_diff::test_selection::select_by_old_run;
use version_diff::{ChangeSet, SourceLine, StatementKind};

use super::diff::ReportFormat;
use super::print;
use super::suite::{self, SuiteOptions};
use super::versions::{Compared, Versions, is_c_library, is_library_file};
use compare::versions::source_files::SourceFiles;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    versions: Versions,
    /// A file with one test per line: arguments, then `< FILE` for standard input. Each is run in the VM on
    /// the old version
    #[arg(long, value_name = "FILE")]
    tests: Option<PathBuf>,
    /// The working folder of each test: a copy of this host folder
    #[arg(long, value_name = "DIR", requires = "tests")]
    cwd: Option<PathBuf>,
    /// Instructions after which a test is stopped; it then counts as one that can execute a change
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1_000_000_000,
        requires = "tests"
    )]
    max_steps: u64,
    /// Follow changes through the code of the C library, and list affected statements of libraries too
    #[arg(long)]
    all: bool,
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,
}

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let compared = arguments.versions.compare()?;
    let tests = match &arguments.tests {
        Some(path) => Some(select_tests(arguments, &compared, &suite::read(path)?)?),
        None => None,
    };
    let report = ImpactReport::of(&compared, arguments.all, tests);
    print(&match arguments.format {
        ReportFormat::Text => report.text(),
        ReportFormat::Json => format!("{:#}\n", report.json()),
        ReportFormat::Markdown => report.markdown(),
    })?;
    Ok(ExitCode::from(u8::from(report.changed)))
}

/// All in words, ready to be printed.
struct ImpactReport {
    /// Whether anything has changed, if only by removal.
    changed: bool,
    changes: Vec<ChangeImpact>,
    /// Numbers of changes, from 1, and where they may meet.
    interferences: Vec<(Vec<usize>, Vec<LineReport>)>,
    tests: Option<Tests>,
    assumptions: Vec<String>,
    sources: SourceFiles,
}

struct ChangeImpact {
    kind: &'static str,
    /// The function or global that has changed.
    inside: String,
    old: Option<LineReport>,
    new: Option<LineReport>,
    /// Without the changed line itself.
    affects: Vec<LineReport>,
}

/// Names of tests.
#[derive(Default)]
struct Tests {
    can: Vec<String>,
    cannot: Vec<String>,
    /// With the reason. They may execute a change.
    undecided: Vec<(String, String)>,
}

fn select_tests(
    arguments: &Arguments,
    compared: &Compared,
    tests: &[suite::Test],
) -> anyhow::Result<Tests> {
    let options = SuiteOptions {
        program_name: arguments.versions.old_name()?.into_encoded_bytes(),
        folder: arguments.cwd.as_deref(),
        max_steps: arguments.max_steps,
    };
    let runs = suite::run(arguments.versions.old_module()?, tests, &options)?;
    let mut selected = Tests::default();
    for run in runs {
        let name = run.coverage.name.clone();
        let suite = [run.coverage];
        let (old, new) = (&compared.old, &compared.new);
        let selection = select_by_old_run(old, new, &compared.changes, &suite);
        if !selection.selected.is_empty() {
            selected.can.push(name);
        } else if let Some(why) = run.undecided {
            selected.undecided.push((name, why));
        } else {
            selected.cannot.push(name);
        }
    }
    Ok(selected)
}

/// The dependence graph of a version, and what it takes for granted.
fn dependences(module: &Module) -> (DependenceGraph, Assumptions) {
    let facts = ProgramFacts::of(module, &FactsConfig::default());
    let graph = DependenceGraph::of(&facts, &DependenceConfig::default());
    (graph, facts.assumptions)
}

impl ImpactReport {
    fn of(compared: &Compared, all: bool, tests: Option<Tests>) -> ImpactReport {
        let mut report = ImpactReport {
            changed: !compared.changes.is_empty(),
            changes: Vec::new(),
            interferences: Vec::new(),
            tests,
            assumptions: Vec::new(),
            sources: SourceFiles::default(),
        };
        if compared.changes.is_empty() {
            return report;
        }
        if all {
            report.fill(&compared.old, &compared.new, &compared.changes, true);
        } else {
            let own = |module: &Module| without_library(module, |func| is_c_library(module, func));
            let (old, new) = (own(&compared.old), own(&compared.new));
            report.fill(&old, &new, &compared.changes, false);
        }
        report
    }

    fn fill(&mut self, old: &Module, new: &Module, changes: &ChangeSet, all: bool) {
        let (old_graph, assumptions) = dependences(old);
        self.assumptions = describe(&assumptions);
        let (new_graph, assumptions) = dependences(new);
        self.assumptions.extend(describe(&assumptions));
        self.assumptions.sort();
        self.assumptions.dedup();
        let impact = Impact::of_both((old, &old_graph), (new, &new_graph), changes);
        let is_shown = |line: &SourceLine| all || !is_library_file(new, line.file);
        let shown = |lines: BTreeSet<SourceLine>| -> Vec<LineReport> {
            let lines = lines.into_iter().filter(is_shown);
            let lines = lines.map(|line| line_report(new, line));
            // A closing brace stands for a `return` that is not written.
            let is_statement = |line: &LineReport| self.sources.line(line).as_deref() != Some("}");
            lines.filter(is_statement).collect()
        };
        let mut changes_shown = Vec::new();
        for (number, change) in impact.changes.iter().enumerate() {
            let mut affected = impact.affected_lines(new, number);
            if !is_deletion(change)
                && let Some(own) = change.line
            {
                affected.remove(&own);
            }
            changes_shown.push(ChangeImpact {
                kind: kind(change),
                inside: match change.what {
                    ChangedThing::Statement(func, _) => display_name(new, func),
                    ChangedThing::Global(global) => new.globals[global].name.clone(),
                },
                old: change.old_line.map(|line| line_report(old, line)),
                new: change.line.map(|line| line_report(new, line)),
                affects: shown(affected),
            });
        }
        let meetings = impact.meeting_lines(new).into_iter();
        let interferences = meetings.map(|(numbers, lines)| {
            let numbers = numbers.into_iter().map(|number| number + 1).collect();
            (numbers, shown(lines))
        });
        let interferences: Vec<(Vec<usize>, Vec<LineReport>)> = interferences
            .filter(|(_, lines)| !lines.is_empty())
            .collect();
        self.changes = changes_shown;
        self.interferences = interferences;
    }

    /// What is said when no statement of the new version has changed.
    fn nothing(&self) -> &'static str {
        match self.changed {
            true => {
                "no statement of the new version has changed; `parallax diff` lists what was removed\n"
            }
            false => "no change\n",
        }
    }

    fn text(&self) -> String {
        if self.changes.is_empty() {
            return self.tests_text(self.nothing().to_owned());
        }
        let mut text = String::new();
        for (number, change) in self.changes.iter().enumerate() {
            let _ = writeln!(text, "change {}: {}", number + 1, self.heading(change));
            if change.affects.is_empty() {
                text.push_str("  affects no other statement\n");
            }
            for line in &change.affects {
                let _ = writeln!(text, "  affects {}", self.excerpt(line));
            }
        }
        for (numbers, lines) in &self.interferences {
            let _ = writeln!(text, "changes {} may interfere", joined(numbers));
            for line in lines {
                let _ = writeln!(text, "  at {}", self.excerpt(line));
            }
        }
        let mut text = self.tests_text(text);
        let _ = writeln!(
            text,
            "taken for granted: {} assumptions, listed by --format json",
            self.assumptions.len()
        );
        text
    }

    fn tests_text(&self, mut text: String) -> String {
        let Some(tests) = &self.tests else {
            return text;
        };
        let all = tests.can.len() + tests.cannot.len() + tests.undecided.len();
        let must = all - tests.cannot.len();
        let _ = writeln!(text, "tests that may execute a change: {must} of {all}");
        for name in &tests.can {
            let _ = writeln!(text, "  can     {name}");
        }
        for (name, why) in &tests.undecided {
            let _ = writeln!(text, "  may     {name}  (not followed to its end: {why})");
        }
        for name in &tests.cannot {
            let _ = writeln!(text, "  cannot  {name}");
        }
        text
    }

    fn markdown(&self) -> String {
        let mut text = String::new();
        if self.changes.is_empty() {
            let _ = writeln!(text, "{}", self.nothing());
        }
        let list = |text: &mut String, lines: &[LineReport]| {
            for line in lines {
                let _ = writeln!(text, "- {}", self.code(line));
            }
            text.push('\n');
        };
        for (number, change) in self.changes.iter().enumerate() {
            let _ = writeln!(text, "### Change {}: {}\n", number + 1, self.title(change));
            if change.affects.is_empty() {
                text.push_str("Affects no other statement.\n\n");
            } else {
                text.push_str("Affects\n\n");
                list(&mut text, &change.affects);
            }
        }
        for (numbers, lines) in &self.interferences {
            let _ = writeln!(text, "### Changes {} may interfere\n", joined(numbers));
            list(&mut text, lines);
        }
        if let Some(tests) = &self.tests {
            text.push_str("### Tests\n\n| test | executes a change |\n|---|---|\n");
            let undecided = tests.undecided.iter();
            let rows = (tests.can.iter().map(|name| (name, "it can".to_owned())))
                .chain(undecided.map(|(name, why)| (name, format!("it may; {why}"))))
                .chain(
                    tests
                        .cannot
                        .iter()
                        .map(|name| (name, "it cannot".to_owned())),
                );
            for (name, verdict) in rows {
                let _ = writeln!(text, "| `{}` | {verdict} |", name.replace('|', "\\|"));
            }
            text.push('\n');
        }
        text
    }

    fn json(&self) -> Value {
        let change = |(number, change): (usize, &ChangeImpact)| {
            json!({
                "number": number + 1,
                "kind": change.kind,
                "inside": change.inside,
                "old": change.old.as_ref().map(|line| self.line(line)),
                "new": change.new.as_ref().map(|line| self.line(line)),
                "affects": self.lines(&change.affects),
            })
        };
        let interference = |(numbers, lines): &(Vec<usize>, Vec<LineReport>)| json!({ "changes": numbers, "at": self.lines(lines) });
        let tests = self.tests.as_ref().map(|tests| {
            let undecided = tests.undecided.iter();
            let undecided = undecided.map(|(name, why)| json!({ "test": name, "why": why }));
            json!({
                "can_execute_a_change": tests.can,
                "cannot_execute_a_change": tests.cannot,
                "undecided": undecided.collect::<Vec<_>>(),
            })
        });
        let changes = self.changes.iter().enumerate().map(change);
        let interferences = self.interferences.iter().map(interference);
        json!({
            "changes": changes.collect::<Vec<_>>(),
            "interferences": interferences.collect::<Vec<_>>(),
            "tests": tests,
            "assumptions": self.assumptions,
        })
    }

    fn lines(&self, lines: &[LineReport]) -> Vec<Value> {
        lines.iter().map(|line| self.line(line)).collect()
    }

    fn line(&self, line: &LineReport) -> Value {
        json!({
            "file": line.file,
            "directory": line.directory,
            "line": line.line,
            "text": self.sources.line(line),
        })
    }

    /// What changed, with the line as it is written.
    fn heading(&self, change: &ChangeImpact) -> String {
        let mut text = self.title(change);
        let line = match change.kind {
            "deleted" => &change.old,
            _ => &change.new,
        };
        if let Some(code) = line.as_ref().and_then(|line| self.sources.line(line)) {
            let _ = write!(text, "  {code}");
        }
        text
    }

    fn title(&self, change: &ChangeImpact) -> String {
        let place = match (change.kind, &change.old, &change.new) {
            ("deleted", Some(line), _) | (_, _, Some(line)) => {
                format!(" {}:{}", line.file, line.line)
            }
            _ => String::new(),
        };
        match change.kind {
            "global" => format!("global {}{place}", change.inside),
            kind => format!("{kind}{place} in {}", change.inside),
        }
    }

    fn excerpt(&self, line: &LineReport) -> String {
        let place = format!("{}:{}", line.file, line.line);
        match self.sources.line(line) {
            Some(code) => format!("{place}  {code}"),
            None => place,
        }
    }

    fn code(&self, line: &LineReport) -> String {
        match self.sources.line(line) {
            Some(code) if !code.contains('`') => {
                format!("{}:{} `{code}`", line.file, line.line)
            }
            _ => format!("{}:{}", line.file, line.line),
        }
    }
}

fn joined(numbers: &[usize]) -> String {
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    numbers.join(", ")
}

fn is_deletion(change: &Change) -> bool {
    matches!(
        change.what,
        ChangedThing::Statement(_, StatementKind::Deleted)
    )
}

fn kind(change: &Change) -> &'static str {
    match change.what {
        ChangedThing::Statement(_, StatementKind::Added) => "added",
        ChangedThing::Statement(_, StatementKind::Modified) => "modified",
        ChangedThing::Statement(_, StatementKind::Deleted) => "deleted",
        ChangedThing::Global(_) => "global",
    }
}

fn line_report(module: &Module, line: SourceLine) -> LineReport {
    let file = &module.source.files[line.file];
    LineReport {
        file: file.name.clone(),
        directory: file.directory.clone(),
        line: line.line,
        found_in_text: false,
    }
}

fn describe(assumptions: &Assumptions) -> Vec<String> {
    assumptions.iter().map(Assumption::to_string).collect()
}
