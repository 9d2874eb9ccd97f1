//! The files of a tree in a folder of ours.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{GitError, Repository, Result, WorkTree};
use crate::cache::TREE;

/// A folder that takes the files of one tree after another.
#[derive(Debug)]
pub struct Checkout {
    place: PathBuf,
    folder: PathBuf,
    index: PathBuf,
}

impl Checkout {
    /// In `place`, which must be empty and ours.
    pub fn new(place: &Path) -> std::io::Result<Checkout> {
        let folder = place.join(TREE);
        std::fs::create_dir_all(&folder)?;
        Ok(Checkout {
            folder,
            index: place.join("index"),
            place: place.to_owned(),
        })
    }

    /// What else belongs to this tree is kept here, beside the files.
    pub fn place(&self) -> &Path {
        &self.place
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the folder hold this tree. Files that stay the same are not written again, so that build tools
    /// see what changed; what a build left there stays, unless it is to be clean.
    ///
    /// Submodules are filled from the user's own copies of them; returned are those that the user has no copy of.
    pub fn switch_to(
        &self,
        repository: &Repository,
        tree: &str,
        clean: bool,
    ) -> Result<Vec<PathBuf>> {
        let place = WorkTree {
            folder: &self.folder,
            index: &self.index,
        };
        let submodules = repository.submodules(tree)?;
        // Git leaves a submodule's files where they are when the next tree has none there.
        let mark = self.place.join("submodules");
        let had_submodules = mark.exists();
        if clean || had_submodules {
            repository.run(&["read-tree", "--empty"], Some(&place))?;
            self.failing(std::fs::remove_dir_all(&self.folder))?;
            self.failing(std::fs::create_dir(&self.folder))?;
            if had_submodules {
                self.failing(std::fs::remove_file(&mark))?;
            }
        }
        repository.run(&["read-tree", "--reset", "-u", tree], Some(&place))?;
        if submodules.is_empty() {
            return Ok(Vec::new());
        }
        self.failing(std::fs::write(&mark, ""))?;
        let mut missing = Vec::new();
        for (number, (path, commit)) in submodules.iter().enumerate() {
            let inner = repository.submodule(path)?;
            let found = inner.and_then(|inner| Some((inner.tree_id(commit).ok()?, inner)));
            let Some((tree, inner)) = found else {
                missing.push(path.clone());
                continue;
            };
            let place = self.place.join(format!("submodule-{number}"));
            let within = Checkout {
                folder: self.folder.join(path),
                index: place.join("index"),
                place,
            };
            if within.place.exists() {
                self.failing(std::fs::remove_dir_all(&within.place))?;
            }
            self.failing(std::fs::create_dir_all(&within.place))?;
            self.failing(std::fs::create_dir_all(&within.folder))?;
            let more = within.switch_to(&inner, &tree, false)?;
            missing.extend(more.into_iter().map(|inside| path.join(inside)));
        }
        Ok(missing)
    }

    /// Gives all files one time, so that no build tool takes a generated file that was committed for older than
    /// what it was made from.
    pub fn level_times(&self) -> std::io::Result<()> {
        level_times(&self.folder)
    }

    fn failing<T>(&self, result: std::io::Result<T>) -> Result<T> {
        result.map_err(|error| GitError::Failed {
            task: "read-tree".to_owned(),
            message: format!("cannot change `{}`: {error}", self.folder.display()),
        })
    }
}

fn level_times(folder: &Path) -> std::io::Result<()> {
    const SECONDS: u64 = 1_000_000_000;
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(SECONDS);
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            level_times(&path)?;
        } else {
            std::fs::File::open(&path)?.set_modified(time)?;
        }
    }
    Ok(())
}

impl Repository {
    /// The submodules of a tree: where each lies, and its commit.
    pub(super) fn submodules(&self, tree: &str) -> Result<Vec<(PathBuf, String)>> {
        let output = self.run(&["ls-tree", "-r", "-z", "--full-tree", tree], None)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let mut found = Vec::new();
        for line in text.split('\0') {
            let Some((about, path)) = line.split_once('\t') else {
                continue;
            };
            let words: Vec<&str> = about.split(' ').collect();
            if let ["160000", "commit", commit] = words[..] {
                found.push((PathBuf::from(path), commit.to_owned()));
            }
        }
        Ok(found)
    }

    /// The user's copy of a submodule, if there is one.
    fn submodule(&self, path: &Path) -> Result<Option<Repository>> {
        let top = self.top.iter().map(|top| top.join(path));
        let kept = self.git_folder.join("modules").join(path);
        for place in top {
            if let Some(inner) = Repository::exactly_at(&place)? {
                return Ok(Some(inner));
            }
        }
        Ok(kept.join("HEAD").exists().then(|| Repository {
            git_folder: kept,
            prefix: PathBuf::new(),
            top: None,
            objects: None,
            reads_own_objects: true,
        }))
    }

    /// The repository whose working tree begins at this folder.
    pub(super) fn exactly_at(folder: &Path) -> Result<Option<Repository>> {
        if !folder.join(".git").exists() {
            return Ok(None);
        }
        Repository::around(folder).map(Some)
    }
}
