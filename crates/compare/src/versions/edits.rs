//! Which lines a user edited, for changes that the compiler gives to other ones.
//!
//! A compiler gives what an edit changes to the lines around it: an operand of `||` that is gone to a statement that it
//! guarded, another initialiser to the uses of the variable. `parallax diff` places changes in the source texts
//! (`version_diff::report`), and what it says is used here:
//!
//! - A line that it shows is named as it is, with the reason if its text is the same: another macro, say.
//! - Of a changed variable, a line of its definition is named.
//! - Any other line stands for the nearest edit of its function.
//!
//! Where the texts are not at hand, the compiler's line is named.

use std::path::PathBuf;

use program_ir::Module;
use version_diff::report::{ChangeReport, LineReport, StatementReport, report};
use version_diff::{ChangeSet, StatementKind};

use super::changed_line::{ChangedLine, Edit};
use super::source_files::{SourceFiles, path};

pub(crate) struct Edits {
    report: ChangeReport,
}

/// Where a changed variable is defined.
pub(crate) type Definition = (PathBuf, u32);

impl Edits {
    pub(crate) fn of(old: &Module, new: &Module, changes: &ChangeSet) -> Edits {
        Edits {
            report: report(old, new, changes, &SourceFiles::default()),
        }
    }

    /// What to say of a line. `written_in` is the function whose text it is in; `variable` is one that it uses and that changed.
    pub(crate) fn behind(
        &self,
        changed: &ChangedLine,
        written_in: &str,
        variable: Option<&Definition>,
    ) -> Option<Edit> {
        let here = |line: &LineReport| line.line == changed.line && path(line) == changed.path;
        let functions = self.report.functions.iter();
        let mut statements = functions.clone().flat_map(|function| &function.statements);
        let is_removed = |statement: &StatementReport| statement.kind == StatementKind::Deleted;
        let shown = statements
            .find(|statement| !is_removed(statement) && statement.new.as_ref().is_some_and(here));
        if let Some(shown) = shown {
            return Edit::of(shown);
        }
        if let Some((file, line)) = variable {
            let mut globals = self.report.globals.iter();
            let defined = |at: &LineReport| at.line == *line && path(at) == *file;
            let global = globals.find(|global| global.line.as_ref().is_some_and(defined))?;
            let mut lines = global.statements.iter();
            let edited = lines
                .clone()
                .find(|line| line.kind != StatementKind::Deleted);
            let edit = Edit::of(edited.or_else(|| lines.next())?)?;
            return Some(Edit {
                is_used: true,
                ..edit
            });
        }
        let named = |name: &str| functions.clone().find(|function| function.name == name);
        let function = named(written_in).or_else(|| named(&changed.function))?;
        let edits = function.statements.iter();
        let edits = edits.filter(|statement| !statement.has_same_text);
        let far = |statement: &&StatementReport| {
            let at = statement.new.as_ref().or(statement.old.as_ref());
            at.map_or(u32::MAX, |at| at.line.abs_diff(changed.line))
        };
        Edit::of(edits.min_by_key(far)?)
    }
}

impl Edit {
    fn of(statement: &StatementReport) -> Option<Edit> {
        let is_removed = statement.kind == StatementKind::Deleted;
        let line = match is_removed {
            true => statement.old.as_ref()?,
            false => statement.new.as_ref()?,
        };
        Some(Edit {
            file: line.file.clone(),
            line: line.line,
            path: path(line),
            is_removed,
            is_used: false,
            notes: match statement.has_same_text {
                true => statement.notes.clone(),
                false => Vec::new(),
            },
        })
    }
}
