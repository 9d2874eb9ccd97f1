//! A changed line: where the compiler has it, and what a user is told of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::source_line::source_line;

/// A changed line of the new version.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct ChangedLine {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) function: String,
    /// Where the file was when the version was built.
    pub(crate) path: PathBuf,
    /// The old version's lines that are changed or gone with it, each in its file.
    pub(crate) before: Vec<(PathBuf, u32)>,
    /// What was edited, if that is known.
    #[serde(with = "shared_edit")]
    pub(crate) edit: Option<Arc<Edit>>,
}

mod shared_edit {
    use super::{Arc, Edit};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        edit: &Option<Arc<Edit>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        edit.as_deref().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Arc<Edit>>, D::Error> {
        Ok(Option::<Edit>::deserialize(from)?.map(Arc::new))
    }
}

/// What is said of a changed line, instead of where the compiler has it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Edit {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) path: PathBuf,
    /// It is a line of the old version.
    pub(crate) is_removed: bool,
    /// It is in the definition of a variable, which is used in the function.
    pub(crate) is_used: bool,
    /// Why it is not the same although its text is.
    pub(crate) notes: Vec<String>,
}

/// What a user is told of a changed line. Several that the compiler has may come from one edit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReportedChange {
    pub file: String,
    pub line: u32,
    pub function: String,
    /// It is a line of the old version.
    pub is_removed: bool,
    /// It is outside of the function, in which it is used.
    pub is_used: bool,
    /// Why it is not the same although its text is.
    pub notes: Vec<String>,
    /// Its text, or the part of it that has changed, if the source is still there.
    pub code: Option<String>,
}

/// The same as places in files.
struct Told<'c> {
    file: &'c str,
    line: u32,
    function: &'c str,
    path: &'c Path,
    is_removed: bool,
    is_used: bool,
    notes: &'c [String],
    /// The old version's lines that it may have been.
    before: &'c [(PathBuf, u32)],
}

impl ChangedLine {
    /// What tells it apart for a user.
    pub(crate) fn place(&self) -> (&Path, u32, bool, &str) {
        let told = self.told();
        (told.path, told.line, told.is_removed, told.function)
    }

    fn told(&self) -> Told<'_> {
        let function = self.function.as_str();
        match self.edit.as_deref() {
            Some(edit) => Told {
                file: &edit.file,
                line: edit.line,
                function,
                path: &edit.path,
                is_removed: edit.is_removed,
                is_used: edit.is_used,
                notes: &edit.notes,
                before: match edit.line == self.line && edit.path == self.path {
                    true => &self.before,
                    false => &[],
                },
            },
            None => Told {
                file: &self.file,
                line: self.line,
                function,
                path: &self.path,
                is_removed: false,
                is_used: false,
                notes: &[],
                before: &self.before,
            },
        }
    }
}

/// What a user is told of changed lines: each edit once.
pub(crate) fn reported<'c>(
    lines: impl IntoIterator<Item = &'c ChangedLine>,
) -> Vec<ReportedChange> {
    let mut known = BTreeSet::new();
    let lines = lines.into_iter().filter(|line| known.insert(line.place()));
    let lines = lines.map(|line| {
        let told = line.told();
        ReportedChange {
            file: told.file.to_owned(),
            line: told.line,
            function: told.function.to_owned(),
            is_removed: told.is_removed,
            is_used: told.is_used,
            notes: told.notes.to_vec(),
            code: source_line(told.path, told.line, told.before),
        }
    });
    lines.collect()
}
