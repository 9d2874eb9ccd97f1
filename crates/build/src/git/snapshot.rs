//! The user's working tree as a version: all files that git would commit, written down as a tree.
//!
//! The tree is made through a copy of the user's index, and what it holds beyond the commits goes into an object
//! store of ours, so nothing in the repository changes. (If a changed file has the content of an object that is there
//! already, git marks that object as used: its time is new, its content is not.) What git ignores is not part of the
//! tree, nor is what Parallax itself keeps in `.parallax`.

use std::path::{Path, PathBuf};

use super::{GitError, Repository, Result, WorkTree};
use crate::cache::{Cache, WorkFolder};
use crate::error::IoContext;

/// A tree of uncommitted files. It can be read while this lives.
#[derive(Debug)]
pub struct Snapshot {
    /// The repository with the tree in it.
    pub repository: Repository,
    pub tree: String,
    _folder: WorkFolder,
}

impl Snapshot {
    pub fn take(repository: &Repository, cache: &Cache) -> Result<Snapshot> {
        let Some(top) = &repository.top else {
            return Err(GitError::NoWorkingTree {
                place: repository.git_folder.clone(),
            });
        };
        let folder = cache.work_folder()?;
        let index = folder.path().join("index");
        copy_index(repository, &index)?;
        let objects = folder.path().join("objects");
        std::fs::create_dir(&objects).context("create", &objects)?;
        let repository = Repository {
            objects: Some(objects),
            ..repository.clone()
        };
        let place = WorkTree {
            folder: top,
            index: &index,
        };
        let arguments = ["add", "--all", "--", ".", ":(exclude,glob)**/.parallax/**"];
        repository.run(&arguments, Some(&place))?;
        // Without the user's store in sight git does not mark its trees as used.
        let alone = Repository {
            reads_own_objects: false,
            ..repository.clone()
        };
        let written = alone.run(&["write-tree", "--missing-ok"], Some(&place))?;
        let tree = String::from_utf8_lossy(&written.stdout).trim().to_owned();
        for (path, _) in repository.submodules(&tree)? {
            if is_dirty(&top.join(&path))? {
                return Err(GitError::DirtySubmodule { path });
            }
        }
        Ok(Snapshot {
            repository,
            tree,
            _folder: folder,
        })
    }
}

/// With its time: git tells by it which entries it has to look at again.
fn copy_index(repository: &Repository, copy: &Path) -> Result<()> {
    let name = repository.ask(&["rev-parse", "--git-path", "index"])?;
    let own = std::path::absolute(&name).unwrap_or_else(|_| PathBuf::from(name));
    if !own.exists() {
        return Ok(());
    }
    std::fs::copy(&own, copy).context("copy", &own)?;
    let time = std::fs::metadata(&own).and_then(|data| data.modified());
    let time = time.context("inspect", &own)?;
    let file = std::fs::File::options().append(true).open(copy);
    let file = file.context("open", copy)?;
    file.set_modified(time).context("set the time of", copy)?;
    Ok(())
}

/// Whether a submodule's files are not those of its commit. One that is not initialised has no files.
fn is_dirty(folder: &Path) -> Result<bool> {
    let Some(inner) = Repository::exactly_at(folder)? else {
        return Ok(false);
    };
    let index = inner.ask(&["rev-parse", "--git-path", "index"])?;
    let place = WorkTree {
        folder,
        index: &std::path::absolute(&index).unwrap_or_else(|_| PathBuf::from(&index)),
    };
    let status = inner.run(&["status", "--porcelain"], Some(&place))?;
    Ok(!status.stdout.is_empty())
}
