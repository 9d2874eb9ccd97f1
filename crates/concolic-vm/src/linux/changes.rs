//! What a run has done to the file system, compared with its start.

use super::bytes::Bytes;
use super::file_system::{Credentials, FileSystem, InodeId, Node};
use super::{Kernel, paths};

/// A path that was created, deleted or changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileChange {
    /// Absolute.
    pub path: Vec<u8>,
    /// `None` if the path did not exist.
    pub before: Option<FileState>,
    /// `None` if the path does not exist any more.
    pub after: Option<FileState>,
}

/// What a path names, without times, which are not compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileState {
    File {
        content: Bytes,
        mode: u32,
        owner: (u32, u32),
    },
    Directory {
        mode: u32,
        owner: (u32, u32),
    },
    Symlink {
        target: Vec<u8>,
    },
    /// A device; none can be made, but one can be removed or changed.
    Device {
        mode: u32,
        owner: (u32, u32),
    },
}

impl Kernel {
    /// Every path whose state differs from the start, in byte order of the paths' components.
    pub fn file_changes(&self) -> Vec<FileChange> {
        let mut changes = Vec::new();
        let roots = (Some(self.initial_files.root), Some(self.files.root));
        self.compare(b"", roots, &mut changes);
        changes
    }

    /// What an absolute path names now, links followed.
    pub fn file_state(&self, path: &[u8]) -> Option<FileState> {
        let inode = paths::Walk::new(&self.files, &Credentials::ROOT)
            .target(self.files.root, path, true)
            .ok()?;
        state(&self.files, inode)
    }

    fn compare(
        &self,
        path: &[u8],
        (before, after): (Option<InodeId>, Option<InodeId>),
        changes: &mut Vec<FileChange>,
    ) {
        let old = before.and_then(|inode| state(&self.initial_files, inode));
        let new = after.and_then(|inode| state(&self.files, inode));
        let unchanged = match (before, after) {
            (Some(before), Some(after)) => {
                before == after && self.files.shares(&self.initial_files, before)
            }
            _ => false,
        };
        if !unchanged && old != new {
            changes.push(FileChange {
                path: if path.is_empty() {
                    b"/".to_vec()
                } else {
                    path.to_vec()
                },
                before: old,
                after: new,
            });
        }
        let old_entries = entries(&self.initial_files, before);
        let new_entries = entries(&self.files, after);
        let mut names: Vec<&[u8]> = old_entries
            .iter()
            .chain(&new_entries)
            .map(|e| e.0)
            .collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let find = |entries: &[(&[u8], InodeId)]| {
                entries
                    .iter()
                    .find(|entry| entry.0 == name)
                    .map(|entry| entry.1)
            };
            let mut child = path.to_vec();
            child.push(b'/');
            child.extend_from_slice(name);
            self.compare(&child, (find(&old_entries), find(&new_entries)), changes);
        }
    }
}

fn entries(files: &FileSystem, inode: Option<InodeId>) -> Vec<(&[u8], InodeId)> {
    inode
        .and_then(|inode| files.directory(inode).ok())
        .map(|directory| directory.names().collect())
        .unwrap_or_default()
}

fn state(files: &FileSystem, inode: InodeId) -> Option<FileState> {
    let inode = files.inode(inode);
    let (mode, owner) = (inode.mode, (inode.uid, inode.gid));
    match &inode.node {
        Node::File(content) => Some(FileState::File {
            content: content.clone(),
            mode,
            owner,
        }),
        Node::Directory(_) => Some(FileState::Directory { mode, owner }),
        Node::Symlink(target) => Some(FileState::Symlink {
            target: target.clone(),
        }),
        Node::Device(_) => Some(FileState::Device { mode, owner }),
        Node::Pipe(_) => None,
    }
}
