//! What is asked of git, always by running the `git` program: which commits a range holds, and the files of
//! one of them.
//!
//! Files are written with an index of our own into a folder of our own, and objects that only we need into a
//! store of our own. The user's files, index, objects, branches, stash and list of worktrees are never touched.

mod checkout;
mod own_settings;
mod snapshot;
mod span;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::boxed;
use super::error::BuildError;
use super::toolchain::output_of;
pub use checkout::Checkout;
pub use snapshot::Snapshot;
pub use span::{End, Span, short};

/// Why git could not answer.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    #[error("`git` was not found; install the Debian package git")]
    GitMissing,

    #[error("`{folder}` is not in a git repository; run this inside one")]
    NotARepository { folder: PathBuf },

    #[error("the repository has no revision `{revision}`; `git log` lists what it has{hint}")]
    UnknownRevision {
        revision: String,
        hint: &'static str,
    },

    #[error(
        "`{range}` is not a range of commits here; give one revision, or A..B for the commits after A up to B"
    )]
    UnusualRange { range: String },

    #[error("no commit lies in `{range}`; in A..B the older revision comes first")]
    EmptyRange { range: String },

    #[error(
        "`{span}` does not name two versions; give OLD..NEW, OLD.. for the working tree, OLD for OLD..HEAD, or \
         BRANCH... for what came since the merge base with BRANCH"
    )]
    UnusualSpan { span: String },

    #[error("`{span}` compares `{revision}` with itself; {next}")]
    SameRevision {
        span: String,
        revision: String,
        next: &'static str,
    },

    #[error(
        "`{old}` and `{new}` have no common ancestor, so there is no merge base to begin with; give OLD..NEW{hint}"
    )]
    NoMergeBase {
        old: String,
        new: String,
        hint: &'static str,
    },

    #[error("the repository `{}` has no working tree; give OLD..NEW with a revision on both sides", .place.display())]
    NoWorkingTree { place: PathBuf },

    #[error(
        "the submodule `{}` has uncommitted changes, which no revision holds; commit them there (or stash them), or \
         compare committed revisions with OLD..NEW",
        .path.display()
    )]
    DirtySubmodule { path: PathBuf },

    #[error("`git {task}` failed: {message}")]
    Failed { task: String, message: String },

    #[error(transparent)]
    CannotRun(#[from] BuildError),
}

type Result<T> = std::result::Result<T, GitError>;

/// A repository, and the folder in it that the user stands in.
#[derive(Debug, Clone)]
pub struct Repository {
    git_folder: PathBuf,
    /// Relative to the top of the tree; empty at the top.
    pub prefix: PathBuf,
    /// The top of the user's working tree; a bare repository has none.
    pub top: Option<PathBuf>,
    /// A store of our own for objects that the user's does not have; see `reads_own_objects`.
    objects: Option<PathBuf>,
    /// Whether the user's store is read beside ours.
    reads_own_objects: bool,
}

/// Where git runs when it writes files.
struct WorkTree<'a> {
    folder: &'a Path,
    index: &'a Path,
}

/// A commit with what it is compared to: its first parent, also if it merges others.
#[derive(Debug, Clone)]
pub struct Commit {
    pub id: String,
    pub subject: String,
    /// The id of its tree, which is a hash of all its files.
    pub tree: String,
    /// The tree of the first parent; a first commit has none.
    pub parent_tree: Option<String>,
    /// Their ids, the first parent first.
    pub parents: Vec<String>,
}

impl Repository {
    pub fn around(folder: &Path) -> Result<Repository> {
        let mut command = Command::new("git");
        command
            .current_dir(folder)
            .args(["rev-parse", "--absolute-git-dir", "--show-prefix"]);
        let output = start(&mut command)?;
        if !output.status.success() {
            return Err(match said(&output).contains("not a git repository") {
                true => GitError::NotARepository {
                    folder: std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()),
                },
                false => failed("rev-parse", &output),
            });
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let mut lines = text.lines();
        let mut repository = Repository {
            git_folder: PathBuf::from(lines.next().unwrap_or_default()),
            prefix: PathBuf::from(lines.next().unwrap_or_default()),
            top: None,
            objects: None,
            reads_own_objects: true,
        };
        let mut command = Command::new("git");
        command
            .current_dir(folder)
            .args(["rev-parse", "--show-toplevel"]);
        let output = start(&mut command)?;
        if output.status.success() {
            let text = String::from_utf8_lossy(&output.stdout);
            repository.top = Some(PathBuf::from(text.trim_end_matches('\n')));
        }
        Ok(repository)
    }

    /// A name for the repository among others on this machine.
    pub fn place(&self) -> &Path {
        &self.git_folder
    }

    /// One revision, or `A..B`: the commits along first parents that are in B and not in A, oldest first.
    pub fn commits(&self, range: &str) -> Result<Vec<Commit>> {
        if range.contains("...") || range.starts_with('-') || range.contains(char::is_whitespace) {
            return Err(GitError::UnusualRange {
                range: range.to_owned(),
            });
        }
        let mut arguments = vec![
            "log".to_owned(),
            "--first-parent".to_owned(),
            "--reverse".to_owned(),
            "--no-show-signature".to_owned(),
            "--format=%H%x00%T%x00%P%x00%s".to_owned(),
        ];
        match range.split_once("..") {
            Some((old, new)) => {
                let named = |name: &str| match name {
                    "" => "HEAD".to_owned(),
                    name => name.to_owned(),
                };
                let old = self.commit_id(&named(old))?;
                let new = self.commit_id(&named(new))?;
                arguments.push(format!("{old}..{new}"));
            }
            None => arguments.extend(["-1".to_owned(), self.commit_id(range)?]),
        }
        let output = self.run(&arguments, None)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let mut commits: Vec<Commit> = Vec::new();
        for line in text.lines() {
            let mut parts = line.splitn(4, '\0').map(str::to_owned);
            let mut next = || parts.next().unwrap_or_default();
            let (id, tree, parents, subject) = (next(), next(), next(), next());
            let parent_tree = match (parents.split(' ').next(), commits.last()) {
                (None | Some(""), _) => None,
                (Some(parent), Some(last)) if last.id == parent => Some(last.tree.clone()),
                (Some(parent), _) => Some(self.tree_id(parent)?),
            };
            let parents = parents.split_whitespace().map(str::to_owned).collect();
            commits.push(Commit {
                id,
                subject,
                tree,
                parent_tree,
                parents,
            });
        }
        match commits.is_empty() {
            true => Err(GitError::EmptyRange {
                range: range.to_owned(),
            }),
            false => Ok(commits),
        }
    }

    /// Whether a tree has this file.
    pub fn has_file(&self, tree: &str, path: &Path) -> Result<bool> {
        let names = self.list(tree, Some(path))?;
        Ok(!names.is_empty())
    }

    /// Names in a folder of a tree, without those in folders below.
    pub fn files_in(&self, tree: &str, folder: &Path) -> Result<Vec<String>> {
        let mut folder = folder.to_owned();
        if !folder.as_os_str().is_empty() {
            // With the slash at its end it means what is inside.
            folder.push("");
        }
        self.list(
            tree,
            Some(folder.as_path()).filter(|path| !path.as_os_str().is_empty()),
        )
    }

    fn list(&self, tree: &str, path: Option<&Path>) -> Result<Vec<String>> {
        let mut arguments: Vec<&OsStr> = ["ls-tree", "-z", "--name-only", tree]
            .into_iter()
            .map(OsStr::new)
            .collect();
        if let Some(path) = path {
            arguments.extend([OsStr::new("--"), path.as_os_str()]);
        }
        let output = self.run(&arguments, None)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let names = text.split('\0').filter(|name| !name.is_empty());
        Ok(names.map(str::to_owned).collect())
    }

    pub fn commit_id(&self, revision: &str) -> Result<String> {
        let unknown = |hint| GitError::UnknownRevision {
            revision: revision.to_owned(),
            hint,
        };
        let found = self.ask(&[
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &format!("{revision}^{{commit}}"),
        ]);
        match found {
            Ok(id) => Ok(id),
            Err(GitError::Failed { .. }) => Err(unknown(self.hint_if_shallow())),
            Err(error) => Err(error),
        }
    }

    pub fn tree_id(&self, commit: &str) -> Result<String> {
        match self.ask(&[
            "rev-parse",
            "--verify",
            "--quiet",
            &format!("{commit}^{{tree}}"),
        ]) {
            Err(GitError::Failed { .. }) => Err(GitError::UnknownRevision {
                revision: commit.to_owned(),
                hint: self.hint_if_shallow(),
            }),
            result => result,
        }
    }

    /// The first line of a commit's message.
    pub fn subject(&self, commit: &str) -> Result<String> {
        self.ask(&["log", "-1", "--no-show-signature", "--format=%s", commit])
    }

    /// Whether a commit is on a branch of the user's, or behind what the user has checked out: what came with a fetch alone is not.
    pub fn is_on_own_branch(&self, commit: &str) -> Result<bool> {
        let contains = format!("--contains={commit}");
        let branches = ["for-each-ref", "--count=1", &contains, "refs/heads"];
        if !self.ask(&branches)?.is_empty() {
            return Ok(true);
        }
        // HEAD may be no branch.
        match self.ask(&["merge-base", "--is-ancestor", commit, "HEAD"]) {
            Ok(_) => Ok(true),
            Err(GitError::Failed { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// What the user is called in commits, if that is set.
    pub fn user_name(&self) -> Option<String> {
        let name = self.ask(&["config", "--get", "user.name"]).ok();
        name.filter(|name| !name.is_empty())
    }

    fn hint_if_shallow(&self) -> &'static str {
        match self.ask(&["rev-parse", "--is-shallow-repository"]) {
            Ok(answer) if answer == "true" => {
                ". It is a shallow copy: `git fetch --unshallow` brings the rest"
            }
            _ => "",
        }
    }

    /// Where the user's objects are.
    fn own_objects(&self) -> Result<PathBuf> {
        let plain = Repository {
            objects: None,
            ..self.clone()
        };
        let path = plain.ask(&["rev-parse", "--git-path", "objects"])?;
        // Git names it relative to the folder it runs in.
        let path = std::path::absolute(&path).unwrap_or_else(|_| PathBuf::from(path));
        Ok(path)
    }

    fn ask(&self, arguments: &[&str]) -> Result<String> {
        let output = self.run(arguments, None)?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn run(&self, arguments: &[impl AsRef<OsStr>], place: Option<&WorkTree>) -> Result<Output> {
        let mut command = Command::new("git");
        // No hook and no helper of the user's may see what we do, and nothing is refreshed on the way.
        for setting in [
            "core.hooksPath=/dev/null",
            "core.fsmonitor=false",
            "core.splitIndex=false",
            "advice.addEmbeddedRepo=false",
        ] {
            command.args(["-c", setting]);
        }
        command.arg("--git-dir").arg(&self.git_folder);
        // Messages are looked at; what the user set for another repository is not meant.
        command
            .env("LC_ALL", "C")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .env_remove("GIT_INDEX_FILE");
        if let Some(objects) = &self.objects {
            command.env("GIT_OBJECT_DIRECTORY", objects);
            if self.reads_own_objects {
                command.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", self.own_objects()?);
            }
        }
        if let Some(place) = place {
            command
                .arg("--work-tree")
                .arg(place.folder)
                .current_dir(place.folder)
                .env("GIT_INDEX_FILE", place.index);
        }
        if boxed::is_on() {
            self.distrust_own_settings(&mut command, place.is_some())?;
        }
        let output = start(command.args(arguments))?;
        match output.status.success() {
            true => Ok(output),
            false => {
                let task = arguments
                    .first()
                    .map(|task| task.as_ref().to_string_lossy());
                Err(failed(&task.unwrap_or_default(), &output))
            }
        }
    }
}

fn start(command: &mut Command) -> Result<Output> {
    match output_of(command) {
        Err(BuildError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            Err(GitError::GitMissing)
        }
        result => Ok(result?),
    }
}

fn failed(task: &str, output: &Output) -> GitError {
    GitError::Failed {
        task: task.to_owned(),
        message: said(output),
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim().to_owned()
}
