//! The complexity of every commit of a range (thesis §5.4 measures CyCC and CLoC of commits so).
//!
//! ```text
//! git ── commits ──> versions (distinct trees) ── build ──> images ── each commit's two ── measure ──> rows
//! ```
//!
//! A version is built once however many commits need it, and the result is kept under the tree's id, which
//! hashes all its files. Workers take versions in order; who has built the second of a commit's two versions
//! measures the commit.

pub mod measure;
mod plan;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use version_diff::complexity::Complexity;

use build::Builder;
use build::error::BuildError;
use build::git::{Commit, GitError, Repository};
use build::revision::{Plan, Tree, WorkPlace, Workshop};
use plan::BuiltRevision;
pub use plan::{PlanError, detect, of_sources};

/// What became of one commit.
#[derive(Debug, Clone)]
pub enum Outcome {
    Measured(Measured),
    /// Why there is nothing to measure.
    Skipped(String),
}

#[derive(Debug, Clone, Default)]
pub struct Measured {
    pub complexity: Complexity,
    /// Changed, added and removed ones.
    pub changed_functions: usize,
    /// From the two images to the numbers, in processor time.
    pub analysis: Duration,
    /// From the commit's files to its image; next to nothing if it was in the cache.
    pub compilation: Duration,
}

/// Commits to measure, and how each becomes a program.
pub struct History {
    repository: Repository,
    plan: Plan,
    pub commits: Vec<Commit>,
    /// Distinct trees in the order of the commits.
    trees: Vec<String>,
    /// For each commit its parent's tree, if it has one, and its own.
    pairs: Vec<(Option<usize>, usize)>,
}

/// Why a history cannot be measured at all.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Build(#[from] BuildError),
}

type Built = Result<BuiltRevision, String>;

/// What workers share: versions and what is still to be measured.
struct Shared {
    built: Vec<Option<Built>>,
    /// Commits of which both versions are there, or known not to be, and which nobody has taken yet.
    waiting: Vec<usize>,
}

impl History {
    /// The commits of a range, around the user's folder.
    pub fn of(
        folder: &Path,
        range: &str,
        plan: impl FnOnce(&Repository, &Commit) -> Result<Plan, HistoryError>,
    ) -> Result<History, HistoryError> {
        let repository = Repository::around(folder)?;
        let commits = repository.commits(range)?;
        let newest = commits.last().expect("a range is not empty");
        let plan = plan(&repository, newest)?;
        let mut trees: Vec<String> = Vec::new();
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let mut number = |tree: &String| {
            *numbers.entry(tree.clone()).or_insert_with(|| {
                trees.push(tree.clone());
                trees.len() - 1
            })
        };
        let pairs = commits
            .iter()
            .map(|commit| {
                let parent = commit.parent_tree.as_ref().map(&mut number);
                (parent, number(&commit.tree))
            })
            .collect();
        Ok(History {
            repository,
            plan,
            commits,
            trees,
            pairs,
        })
    }

    /// Measures every commit with that many workers, and tells what became of the commit of each number, from
    /// the worker that is done with it.
    pub fn measure(
        &self,
        workers: usize,
        tell: &(dyn Fn(usize, Outcome) + Sync),
    ) -> Result<(), HistoryError> {
        let workshop = Workshop::new(&Builder::new(&|_| {})?, &self.plan)?;
        let next = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        let shared = Mutex::new(Shared {
            built: vec![None; self.trees.len()],
            waiting: Vec::new(),
        });
        let failure: Mutex<Option<HistoryError>> = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..workers.clamp(1, self.trees.len().max(1)) {
                scope.spawn(|| {
                    let work = || -> Result<(), HistoryError> {
                        let builder = Builder::new(&|_| {})?;
                        let place = WorkPlace::take(&builder.cache, self.repository.place())?;
                        self.work(&builder, &place, &workshop, &next, &shared, &stop, tell)
                    };
                    if let Err(error) = work() {
                        stop.store(true, Ordering::Relaxed);
                        failure
                            .lock()
                            .expect("no worker panics")
                            .get_or_insert(error);
                    }
                });
            }
        });
        match failure.into_inner().expect("no worker panics") {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one worker")]
    fn work(
        &self,
        builder: &Builder,
        place: &WorkPlace,
        workshop: &Workshop,
        next: &AtomicUsize,
        shared: &Mutex<Shared>,
        stop: &AtomicBool,
        tell: &(dyn Fn(usize, Outcome) + Sync),
    ) -> Result<(), HistoryError> {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(tree) = self.trees.get(number) else {
                break;
            };
            let tree = Tree {
                repository: &self.repository,
                id: tree,
            };
            let built = plan::build_version(workshop, builder, place, tree);
            {
                let mut shared = shared.lock().expect("no worker panics");
                shared.built[number] = Some(built);
                self.find_ready(number, &mut shared);
            }
            loop {
                let taken = shared.lock().expect("no worker panics").waiting.pop();
                let Some(commit) = taken else { break };
                tell(commit, self.outcome(commit, shared));
            }
        }
        Ok(())
    }

    /// Lists the commits that can be measured now that this version is there.
    fn find_ready(&self, number: usize, shared: &mut Shared) {
        let is_ready = |&(old, new): &(Option<usize>, usize)| {
            (old == Some(number) || new == number)
                && old.is_none_or(|old| shared.built[old].is_some())
                && shared.built[new].is_some()
        };
        let ready = self.pairs.iter().enumerate();
        let mut ready: Vec<usize> = ready
            .filter(|(_, pair)| is_ready(pair))
            .map(|(commit, _)| commit)
            .collect();
        // Taken from the end: the oldest first.
        ready.reverse();
        shared.waiting.splice(0..0, ready);
    }

    fn outcome(&self, commit: usize, shared: &Mutex<Shared>) -> Outcome {
        let (old, new) = self.pairs[commit];
        let Some(old) = old else {
            return Outcome::Skipped(
                "it is the first commit, and there is nothing before it".to_owned(),
            );
        };
        let (old, new) = {
            let shared = shared.lock().expect("no worker panics");
            (shared.built[old].clone(), shared.built[new].clone())
        };
        match (old, new) {
            (Some(Ok(old)), Some(Ok(new))) => match measure::measure(&old, &new) {
                Ok(measured) => Outcome::Measured(measured),
                Err(reason) => Outcome::Skipped(reason),
            },
            (_, Some(Err(reason))) => Outcome::Skipped(format!("it does not build: {reason}")),
            (Some(Err(_)), _) => Outcome::Skipped("its parent does not build".to_owned()),
            (None, _) | (_, None) => unreachable!("a waiting commit has both versions"),
        }
    }
}
