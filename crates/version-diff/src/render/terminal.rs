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
    if function.has_other_signature {
        heading.push_str(" (other parameters or result)");
    }
    let _ = writeln!(text, "{}", paint.bold(&heading));
    for statement in &function.statements {
        statement_text(text, statement, sources, paint);
    }
}

fn statement_text(
    text: &mut String,
    statement: &StatementReport,
    sources: &dyn Sources,
    paint: &Paint,
) {
    let old = || {
        statement
            .old
            .as_ref()
            .map(|line| excerpt(line, sources.old_text(line)))
    };
    let new = || {
        statement
            .new
            .as_ref()
            .map(|line| excerpt(line, sources.new_text(line)))
    };
    match statement.kind {
        StatementKind::Added => {
            if let Some(new) = new() {
                let _ = writeln!(text, "{}", paint.green(&format!("  + {new}")));
            }
        }
        StatementKind::Modified => {
            if let Some(old) = old() {
                let _ = writeln!(text, "{}", paint.red(&format!("  - {old}")));
            }
            if let Some(new) = new() {
                let _ = writeln!(text, "{}", paint.green(&format!("  + {new}")));
            }
        }
        StatementKind::Deleted => {
            if let Some(old) = old() {
                let _ = write!(text, "{}", paint.red(&format!("  - {old}")));
            }
            if let Some(line) = &statement.new {
                let _ = write!(text, "  [before {}:{}]", line.file, line.line);
            }
            text.push('\n');
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
        GlobalDifference::Added => "added",
        GlobalDifference::Removed => "removed",
        GlobalDifference::Size => "other size",
        GlobalDifference::Initialiser => "other initial value",
        GlobalDifference::Constness => "other constness",
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
