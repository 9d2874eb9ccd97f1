//! Two versions as one argument names them: `A..B`, `A...B`, `A..` or `A`.

use super::{GitError, Repository, Result};

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    Commit {
        id: String,
        tree: String,
        /// As the user wrote it, or what stands for it.
        name: String,
    },
    /// The user's files as they lie there, committed or not.
    WorkingTree,
}

impl End {
    /// For headings and messages.
    pub fn label(&self) -> String {
        match self {
            End::WorkingTree => "the working tree".to_owned(),
            End::Commit { id, name, .. } if id.starts_with(name.as_str()) => short(id).to_owned(),
            End::Commit { id, name, .. } => format!("{name} ({})", short(id)),
        }
    }
}

/// A commit's id, as long as people write it.
pub fn short(id: &str) -> &str {
    &id[..id.len().min(10)]
}

/// What is compared with what.
#[derive(Debug, Clone)]
pub struct Span {
    pub old: End,
    pub new: End,
}

impl Repository {
    /// - `A..B`: A and B; an omitted A is HEAD, an omitted B the working tree.
    /// - `A...B`: the merge base of A and B, and B; what is omitted is HEAD.
    /// - `A`: A and HEAD.
    pub fn span(&self, text: &str) -> Result<Span> {
        if text.starts_with('-') || text.contains(char::is_whitespace) || text.is_empty() {
            return Err(GitError::UnusualSpan {
                span: text.to_owned(),
            });
        }
        let or_head = |name: &str| match name {
            "" => "HEAD".to_owned(),
            name => name.to_owned(),
        };
        if let Some((old, new)) = text.split_once("...") {
            let (old, new) = (or_head(old), or_head(new));
            let new = self.end(&new)?;
            return Ok(Span {
                old: self.merge_base(&old, &new)?,
                new,
            });
        }
        if let Some((old, new)) = text.split_once("..") {
            let old = self.end(&or_head(old))?;
            let new = match new {
                "" => End::WorkingTree,
                name => self.end(name)?,
            };
            return Ok(Span { old, new });
        }
        let (old, new) = (self.end(text)?, self.end("HEAD")?);
        match (&old, &new) {
            (End::Commit { id, .. }, End::Commit { id: head, .. }) if id == head => {
                Err(GitError::SameRevision {
                    span: text.to_owned(),
                    revision: "HEAD".to_owned(),
                    next: "HEAD~1 compares the last commit with the one before, HEAD.. what is not committed with HEAD",
                })
            }
            _ => Ok(Span { old, new }),
        }
    }

    /// One revision.
    pub fn end(&self, name: &str) -> Result<End> {
        let id = self.commit_id(name)?;
        Ok(End::Commit {
            tree: self.tree_id(&id)?,
            id,
            name: name.to_owned(),
        })
    }

    fn merge_base(&self, old: &str, new: &End) -> Result<End> {
        let End::Commit { id: new, name, .. } = new else {
            unreachable!("a revision was asked for");
        };
        let old_id = self.commit_id(old)?;
        let base = match self.ask(&["merge-base", &old_id, new]) {
            Ok(base) => base,
            Err(GitError::Failed { .. }) => {
                return Err(GitError::NoMergeBase {
                    old: old.to_owned(),
                    new: name.clone(),
                    hint: self.hint_if_shallow(),
                });
            }
            Err(error) => return Err(error),
        };
        Ok(End::Commit {
            tree: self.tree_id(&base)?,
            id: base,
            name: format!("merge base of {old} and {name}"),
        })
    }
}
