//! A change set in words: plain data with names and lines instead of ids, for printing
//! and for serialising elsewhere.
//!
//! Where a change is known only as "this variable gets another value" (SSA form has no
//! instruction for it), its line is looked up in the source text: the nearest assignment
//! to the variable at or above the point. Such lines are marked as found in the text.

use crate::changes::{ChangeSet, GlobalDifference, whole_function};
use crate::match_functions::MatchKind;
use crate::statements::{SourceLine, StatementChange, StatementKind};
use crate::symbols::{readable, rust_path};
use program_ir::{File, Func, Module};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChangeReport {
    pub functions: Vec<FunctionReport>,
    pub globals: Vec<GlobalReport>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionStatus {
    Changed,
    Added,
    Removed,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionReport {
    pub status: FunctionStatus,
    /// The name in the new version (of a removed function, in the old one).
    pub name: String,
    /// The former name, if it was renamed.
    pub old_name: Option<String>,
    pub has_other_signature: bool,
    pub statements: Vec<StatementReport>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementReport {
    pub kind: StatementKind,
    pub old: Option<LineReport>,
    /// Of a deleted statement: the line it would stand before.
    pub new: Option<LineReport>,
    /// Variables that get another value here.
    pub assigned: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineReport {
    /// As the compiler was given it.
    pub file: String,
    /// The folder that `file` is relative to.
    pub directory: String,
    pub line: u32,
    /// The line was found by looking for the assignment in the text.
    pub found_in_text: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalReport {
    pub name: String,
    pub differences: Vec<GlobalDifference>,
    pub line: Option<LineReport>,
    /// Functions of the new version that use it.
    pub users: Vec<String>,
}

/// The two versions' source files. `None`: the text is not at hand.
pub trait Sources {
    fn old_text(&self, line: &LineReport) -> Option<String>;
    fn new_text(&self, line: &LineReport) -> Option<String>;
}

/// No texts.
pub struct NoSources;

impl Sources for NoSources {
    fn old_text(&self, _: &LineReport) -> Option<String> {
        None
    }

    fn new_text(&self, _: &LineReport) -> Option<String> {
        None
    }
}

pub fn report(
    old: &Module,
    new: &Module,
    changes: &ChangeSet,
    sources: &dyn Sources,
) -> ChangeReport {
    let mut functions = Vec::new();
    for change in &changes.functions {
        let found = changes.matches.iter().find(|found| found.new == change.new);
        let kind = found.map_or(MatchKind::SameName, |found| found.kind);
        let old_name = display_name(old, change.old);
        let name = display_name(new, change.new);
        let first_lines = (first_line(old, change.old), first_line(new, change.new));
        functions.push(FunctionReport {
            status: FunctionStatus::Changed,
            old_name: (old_name != name).then_some(old_name),
            has_other_signature: kind == MatchKind::OtherSignature
                || old.functions[change.old].signature != new.functions[change.new].signature,
            statements: change
                .statements
                .iter()
                .map(|statement| statement_report(old, new, statement, first_lines, sources))
                .collect(),
            name,
        });
    }
    let whole = |module: &Module, func: Func, kind: StatementKind, status: FunctionStatus| {
        let statements = whole_function(module, func, kind);
        let first_lines = (0, 0);
        FunctionReport {
            status,
            name: display_name(module, func),
            old_name: None,
            has_other_signature: false,
            statements: statements
                .iter()
                .map(|statement| statement_report(old, new, statement, first_lines, &NoSources))
                .collect(),
        }
    };
    for &func in &changes.added_functions {
        functions.push(whole(
            new,
            func,
            StatementKind::Added,
            FunctionStatus::Added,
        ));
    }
    for &func in &changes.removed_functions {
        functions.push(whole(
            old,
            func,
            StatementKind::Deleted,
            FunctionStatus::Removed,
        ));
    }
    let globals = changes.globals.iter().map(|change| {
        let (module, global) = match (change.new, change.old) {
            (Some(global), _) => (new, Some(global)),
            (None, global) => (old, global),
        };
        let data = global.map(|global| &module.globals[global]);
        let info = data.and_then(|data| data.info.as_ref());
        GlobalReport {
            name: info
                .filter(|info| !info.name.is_empty())
                .map(|info| info.name.clone())
                .or_else(|| data.map(|data| readable(&data.name)))
                .unwrap_or_default(),
            differences: change.differences.clone(),
            line: info.map(|info| line_report(module, info.file, info.line)),
            users: change
                .users
                .keys()
                .map(|&func| display_name(new, func))
                .collect(),
        }
    });
    ChangeReport {
        globals: globals.collect(),
        functions,
    }
}

/// The source's name for a function, or its symbol. Of a Rust function the whole path: many are called
/// `new` or `fmt`.
pub fn display_name(module: &Module, func: Func) -> String {
    let function = &module.functions[func];
    if let Some(path) = rust_path(&function.name) {
        return path;
    }
    let scope = function.scope.map(|scope| &module.source.scopes[scope]);
    scope
        .and_then(|scope| scope.function.clone())
        .unwrap_or_else(|| function.name.clone())
}

fn first_line(module: &Module, func: Func) -> u32 {
    let scope = module.functions[func].scope;
    scope.map_or(0, |scope| module.source.scopes[scope].line)
}

fn line_report(module: &Module, file: File, line: u32) -> LineReport {
    let data = &module.source.files[file];
    LineReport {
        file: data.name.clone(),
        directory: data.directory.clone(),
        line,
        found_in_text: false,
    }
}

fn statement_report(
    old: &Module,
    new: &Module,
    statement: &StatementChange,
    first_lines: (u32, u32),
    sources: &dyn Sources,
) -> StatementReport {
    let place = |module: &Module, line: Option<SourceLine>| {
        line.map(|line| line_report(module, line.file, line.line))
    };
    let mut report = StatementReport {
        kind: statement.kind,
        old: place(old, statement.old),
        new: place(new, statement.new),
        assigned: statement.assigned.clone(),
    };
    if let [variable] = statement.assigned.as_slice() {
        if let Some(line) = &mut report.old {
            let text = sources.old_text(line);
            look_up_assignment(line, text.as_deref(), variable, first_lines.0);
        }
        if let Some(line) = &mut report.new {
            let text = sources.new_text(line);
            look_up_assignment(line, text.as_deref(), variable, first_lines.1);
        }
    }
    report
}

fn look_up_assignment(line: &mut LineReport, text: Option<&str>, variable: &str, first: u32) {
    let Some(text) = text else { return };
    let lines: Vec<&str> = text.lines().collect();
    let last = (line.line as usize).min(lines.len());
    let first = (first as usize).clamp(1, last.max(1));
    for number in (first..=last).rev() {
        if assigns(lines[number - 1], variable) {
            line.line = number as u32;
            line.found_in_text = true;
            return;
        }
    }
}

/// Whether a line of C or Rust text gives the variable a value, by the look of it.
fn assigns(line: &str, variable: &str) -> bool {
    let code = line.split("//").next().unwrap_or(line);
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut from = 0;
    while let Some(at) = code[from..].find(variable) {
        let start = from + at;
        let end = start + variable.len();
        from = end;
        let (before, after) = (&code[..start], code[end..].trim_start());
        let whole = !before.bytes().next_back().is_some_and(is_word)
            && !code[end..].bytes().next().is_some_and(is_word);
        if !whole {
            continue;
        }
        let operator = after.trim_start_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']);
        let compares = after.starts_with("==")
            || after.starts_with("<=")
            || after.starts_with(">=")
            || after.starts_with("=>");
        let steps = |text: &str| text.starts_with("++") || text.starts_with("--");
        let stepped =
            steps(after) || before.trim_end().ends_with("++") || before.trim_end().ends_with("--");
        if stepped || (operator.starts_with('=') && !operator.starts_with("==") && !compares) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::assigns;

    #[test]
    fn assignments_are_recognised() {
        for line in [
            "b = 0;",
            "int a = 1, b = 2;",
            "b += 1;",
            "b++;",
            "--b;",
            "b <<= 2;",
        ] {
            assert!(assigns(line, "b"), "{line}");
        }
        for line in [
            "if (b == 0)",
            "ab = 0;",
            "b <= 1",
            "b_c = 1;",
            "// b = 1;",
            "f(b);",
        ] {
            assert!(!assigns(line, "b"), "{line}");
        }
    }
}
