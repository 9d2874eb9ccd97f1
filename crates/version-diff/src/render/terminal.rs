//! A change report as text over excerpts of the sources.

use crate::changes::GlobalDifference;
use crate::report::{
    ChangeReport, FunctionReport, FunctionStatus, LineReport, Sources, StatementReport,
};
use crate::statements::StatementKind;
use std::fmt::Write;

#[derive(Clone, Copy, Debug)]
pub struct TerminalOptions {
    pub coloured: bool,
}

pub fn terminal(report: &ChangeReport, sources: &dyn Sources, options: TerminalOptions) -> String {
    let paint = Paint {
        on: options.coloured,
    };
    if report.functions.is_empty() && report.globals.is_empty() {
        return "no change\n".to_owned();
    }
    let mut text = String::new();
    for function in &report.functions {
        function_text(&mut text, function, sources, &paint);
    }
    for global in &report.globals {
        let what: Vec<&str> = global
            .differences
            .iter()
            .map(|&one| difference(one))
            .collect();
        let heading = format!("global {}: {}", global.name, what.join(", "));
        let _ = write!(text, "{}", paint.bold(&heading));
        if let Some(line) = &global.line {
            let _ = write!(text, " ({}:{})", line.file, line.line);
        }
        text.push('\n');
        statements_text(
            &mut text,
            &global.statements,
            LONGEST_WHOLE,
            sources,
            &paint,
        );
        if !global.users.is_empty() {
            let _ = writeln!(text, "  used by {}", global.users.join(", "));
        }
    }
    text
}

fn function_text(
    text: &mut String,
    function: &FunctionReport,
    sources: &dyn Sources,
    paint: &Paint,
) {
    let status = match function.status {
        FunctionStatus::Changed => "changed",
        FunctionStatus::Added => "added",
        FunctionStatus::Removed => "removed",
    };
    let mut heading = format!("{status} {}", function.name);
    if let Some(old_name) = &function.old_name {
        let _ = write!(heading, " (was {old_name})");
    }
    if !function.inlined_into.is_empty() {
        let _ = write!(
            heading,
            " (inlined into {})",
            function.inlined_into.join(", ")
        );
    }
    if let (true, Some(line)) = (function.statements.is_empty(), &function.line) {
        let _ = write!(heading, " ({}:{})", line.file, line.line);
    }
    let _ = writeln!(text, "{}", paint.bold(&heading));
    if let Some(parameters) = &function.parameters {
        for sentence in parameters.sentences() {
            let _ = writeln!(text, "  {sentence}");
        }
    }
    let shown = match function.status {
        FunctionStatus::Changed => function.statements.len(),
        FunctionStatus::Added | FunctionStatus::Removed => LONGEST_WHOLE,
    };
    statements_text(text, &function.statements, shown, sources, paint);
}

/// Lines shown of an added or removed function, or of a global's definition.
const LONGEST_WHOLE: usize = 12;

fn statements_text(
    text: &mut String,
    statements: &[StatementReport],
    shown: usize,
    sources: &dyn Sources,
    paint: &Paint,
) {
    for (at, statement) in statements.iter().take(shown).enumerate() {
        let next = statements.get(at + 1);
        statement_text(text, statement, next, sources, paint);
    }
    let more = statements.len().saturating_sub(shown);
    if more > 0 {
        let _ = writeln!(text, "    … {more} more lines");
    }
}

fn statement_text(
    text: &mut String,
    statement: &StatementReport,
    next: Option<&StatementReport>,
    sources: &dyn Sources,
    paint: &Paint,
) {
    let old = statement.old.as_ref();
    let new = statement.new.as_ref();
    let gone = |text: &mut String| {
        if let Some(line) = old {
            let line = excerpt(line, sources.old_text(line));
            let _ = write!(text, "{}", paint.red(&format!("  - {line}")));
        }
    };
    let fresh = |text: &mut String| {
        if let Some(line) = new {
            let line = excerpt(line, sources.new_text(line));
            let _ = writeln!(text, "{}", paint.green(&format!("  + {line}")));
        }
    };
    match statement.kind {
        StatementKind::Added => fresh(text),
        StatementKind::Modified if statement.has_same_text => {
            if let Some(line) = new {
                let _ = writeln!(text, "  = {}", excerpt(line, sources.new_text(line)));
            }
        }
        StatementKind::Modified => {
            if old.is_some() {
                gone(text);
                text.push('\n');
            }
            fresh(text);
        }
        StatementKind::Deleted => {
            gone(text);
            // Said once for several, and not where something else has taken the place.
            let same_place = next.is_some_and(|next| next.new.as_ref() == new);
            if let Some(line) = new.filter(|_| !same_place) {
                let _ = write!(text, "  [before {}:{}]", line.file, line.line);
            }
            text.push('\n');
        }
    }
    // Said once for several.
    let said_again = next.is_some_and(|next| {
        next.has_same_text == statement.has_same_text && next.notes == statement.notes
    });
    if statement.has_same_text && !said_again && statement.assigned.is_empty() {
        let why = match statement.notes.is_empty() {
            true => "the compiled code differs".to_owned(),
            false => statement.notes.join("; "),
        };
        let _ = writeln!(text, "      same text, but {why}");
    }
    if !statement.has_same_text {
        for note in &statement.notes {
            let _ = writeln!(text, "      {note}");
        }
    }
    if !statement.assigned.is_empty() {
        let names = statement.assigned.join(", ");
        let _ = writeln!(text, "      another value for {names}");
    }
}

fn excerpt(line: &LineReport, text: Option<String>) -> String {
    let place = format!("{}:{}", line.file, line.line);
    let code = text.and_then(|text| {
        let index = (line.line as usize).checked_sub(1)?;
        text.lines()
            .nth(index)
            .map(|code| code.trim_end().to_owned())
    });
    match code {
        Some(code) => format!("{place}  {}", code.trim_start()),
        None => place,
    }
}

fn difference(difference: GlobalDifference) -> &'static str {
    match difference {
        GlobalDifference::Added => "added, or newly used",
        GlobalDifference::Removed => "removed, or no longer used",
        GlobalDifference::Size => "other size",
        GlobalDifference::Initialiser => "other initial value",
        GlobalDifference::Constness => "other constness",
        GlobalDifference::Section => "other section",
        GlobalDifference::Definition => "defined in one version only",
    }
}

struct Paint {
    on: bool,
}

impl Paint {
    fn wrap(&self, code: &str, text: &str) -> String {
        if self.on {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    fn bold(&self, text: &str) -> String {
        self.wrap("1", text)
    }

    fn green(&self, text: &str) -> String {
        self.wrap("32", text)
    }

    fn red(&self, text: &str) -> String {
        self.wrap("31", text)
    }
}
