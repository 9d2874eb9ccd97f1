//! Which commits of a range change what a program does on one input, and which undo it.
//!
//! Commits are taken along first parents. Where a merge brings a change, the line that was merged is looked at in the
//! same way, so that the commit is named and not only the merge; if no line that was merged shows it, the merge itself
//! made it.

mod line;

use std::collections::HashMap;

use build::git::{Commit, GitError, Repository};
pub use line::{AnswerChange, every_step, one_step};

/// Why a search cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum BisectError {
    #[error(transparent)]
    Git(#[from] GitError),

    /// Who asks a revision has failed at it.
    #[error(transparent)]
    Asking(#[from] AskError),

    #[error(
        "the {which} end of the range, {commit}, cannot be asked: {reason}; give another range"
    )]
    SilentEnd {
        which: &'static str,
        commit: String,
        reason: String,
    },
}

/// Why a revision could not be asked at all, in the words of who asks.
pub type AskError = Box<dyn std::error::Error + Send + Sync>;

/// What a revision does on the input, or why that is not known.
pub type Answer<A> = Result<A, String>;

/// How much is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoroughness {
    /// Every commit, so that every change is found.
    Every,
    /// Halve the range: one change.
    Halving,
}

/// A commit, or the bounds of one, that changes what the program does.
#[derive(Debug, Clone)]
pub struct Change<A> {
    /// The last commit known to do as before; `None` is the commit that the range begins behind.
    pub before: Revision,
    /// The first commit known to do otherwise.
    pub after: Revision,
    /// What lies between and could not be asked, with the reason.
    pub silent: Vec<(Revision, String)>,
    pub old: A,
    pub new: A,
    /// Where the merged line brought it, if `after` is a merge.
    pub merged: Option<Box<Change<A>>>,
    /// The merge made it: no line that was merged does so by itself.
    pub by_merging: bool,
}

/// A commit on a line, or the one before its first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    pub commit: String,
    pub tree: String,
    pub subject: String,
    pub parents: Vec<String>,
}

impl Revision {
    fn of(commit: &Commit) -> Revision {
        Revision {
            commit: commit.id.clone(),
            tree: commit.tree.clone(),
            subject: commit.subject.clone(),
            parents: commit.parents.clone(),
        }
    }
}

/// What a bisection has found.
#[derive(Debug)]
pub struct Bisected<A> {
    /// The version that the range begins behind, and the commits of the range.
    pub line: Vec<Revision>,
    /// Oldest first.
    pub changes: Vec<Change<A>>,
    /// What the ends do; the same if nothing changed, or everything was undone.
    pub first: A,
    pub last: A,
}

/// Asking the revisions of a repository. Each tree is asked once, however many commits have it.
pub struct Bisection<'s, A> {
    repository: &'s Repository,
    ask: &'s mut dyn FnMut(&Revision) -> Result<Answer<A>, AskError>,
    known: HashMap<String, Answer<A>>,
}

impl<'s, A: Clone + PartialEq> Bisection<'s, A> {
    pub fn new(
        repository: &'s Repository,
        ask: &'s mut dyn FnMut(&Revision) -> Result<Answer<A>, AskError>,
    ) -> Bisection<'s, A> {
        Bisection {
            repository,
            ask,
            known: HashMap::new(),
        }
    }

    /// How many versions were asked.
    pub fn asked(&self) -> usize {
        self.known.len()
    }

    /// Whether none of these versions is left to be asked.
    pub fn all_asked(&self, line: &[Revision]) -> bool {
        line.iter()
            .all(|version| self.known.contains_key(&version.tree))
    }

    /// The commits of a range, `A..B`.
    pub fn run(
        &mut self,
        range: &str,
        thoroughness: Thoroughness,
    ) -> Result<Bisected<A>, BisectError> {
        let line = line_of(self.repository, range)?;
        let last = line.len() - 1;
        let mut ends = Vec::new();
        for (number, which) in [(0, "old"), (last, "new")] {
            match self.answer(&line[number])? {
                Ok(answer) => ends.push(answer),
                Err(reason) => {
                    return Err(BisectError::SilentEnd {
                        which,
                        commit: line[number].commit.clone(),
                        reason,
                    });
                }
            }
        }
        let steps = match thoroughness {
            Thoroughness::Every => every_step(last, |number| self.heard(&line[number]))?,
            Thoroughness::Halving => one_step(last, |number| self.heard(&line[number]))?
                .into_iter()
                .collect(),
        };
        let mut changes = Vec::new();
        for step in steps {
            changes.push(self.change(&line, step)?);
        }
        let mut ends = ends.into_iter();
        let (Some(first), Some(last)) = (ends.next(), ends.next()) else {
            unreachable!("both ends have answered");
        };
        Ok(Bisected {
            line,
            changes,
            first,
            last,
        })
    }

    fn heard(&mut self, version: &Revision) -> Result<Option<A>, BisectError> {
        Ok(self.answer(version)?.ok())
    }

    fn answer(&mut self, version: &Revision) -> Result<Answer<A>, BisectError> {
        if let Some(known) = self.known.get(&version.tree) {
            return Ok(known.clone());
        }
        let answer = (self.ask)(version)?;
        self.known.insert(version.tree.clone(), answer.clone());
        Ok(answer)
    }

    fn change(
        &mut self,
        line: &[Revision],
        step: AnswerChange<A>,
    ) -> Result<Change<A>, BisectError> {
        let mut silent = Vec::new();
        for version in &line[step.before + 1..step.after] {
            if let Err(reason) = self.answer(version)? {
                silent.push((version.clone(), reason));
            }
        }
        let after = line[step.after].clone();
        let mut merged = None;
        let mut by_merging = false;
        if step.is_exact() && after.parents.len() > 1 {
            merged = self.merged(&after, &step.new)?.map(Box::new);
            by_merging = merged.is_none();
        }
        Ok(Change {
            before: line[step.before].clone(),
            after,
            silent,
            old: step.old,
            new: step.new,
            merged,
            by_merging,
        })
    }

    /// Where a line that a merge took in has come to do as the merge does.
    fn merged(&mut self, merge: &Revision, new: &A) -> Result<Option<Change<A>>, BisectError> {
        for parent in &merge.parents[1..] {
            let line = match line_of(self.repository, &format!("{}..{parent}", merge.parents[0])) {
                // Nothing but what the first parent has.
                Err(BisectError::Git(GitError::EmptyRange { .. })) => continue,
                line => line?,
            };
            let last = line.len() - 1;
            let first_answer = self.heard(&line[0])?;
            if first_answer.as_ref().is_none_or(|answer| answer == new)
                || self.heard(&line[last])?.as_ref() != Some(new)
            {
                continue;
            }
            let step = one_step(last, |number| self.heard(&line[number]))?;
            if let Some(step) = step {
                return self.change(&line, step).map(Some);
            }
        }
        Ok(None)
    }
}

/// The commits of a range, behind the one that the first of them follows.
fn line_of(repository: &Repository, range: &str) -> Result<Vec<Revision>, BisectError> {
    let commits = repository.commits(range)?;
    let mut line = Vec::new();
    if let Some(parent) = commits[0].parents.first() {
        line.push(Revision {
            commit: parent.clone(),
            tree: repository.tree_id(parent)?,
            subject: repository.subject(parent)?,
            parents: Vec::new(),
        });
    }
    line.extend(commits.iter().map(Revision::of));
    Ok(line)
}
