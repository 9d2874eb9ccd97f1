//! Path walking: from a name to a directory entry or an inode.
//!
//! Follows `path_resolution(7)`. A walk to the *parent* stops before the last component, which is
//! what calls that create, remove or rename an entry want; a full walk also follows the last one.

use super::errno::Errno;
use super::file_system::{Credentials, FileSystem, InodeId, Node};

/// Longer chains of symbolic links are `ELOOP`.
const MAXIMUM_LINKS: u32 = 40;

/// The last component of a path, not yet looked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Last {
    Name(Vec<u8>),
    Dot,
    DotDot,
    Root,
}

/// Where a path ends: the directory its last component is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Parent {
    pub(super) directory: InodeId,
    pub(super) last: Last,
    pub(super) trailing_slash: bool,
}

/// One path walk; it counts the symbolic links it has followed.
pub(super) struct Walk<'a> {
    pub(super) files: &'a FileSystem,
    pub(super) who: &'a Credentials,
    links: u32,
}

impl<'a> Walk<'a> {
    pub(super) fn new(files: &'a FileSystem, who: &'a Credentials) -> Walk<'a> {
        Walk {
            files,
            who,
            links: 0,
        }
    }

    /// Walks to the directory of the last component.
    pub(super) fn parent(&mut self, start: InodeId, path: &[u8]) -> Result<Parent, Errno> {
        if path.is_empty() {
            return Err(Errno::ENOENT);
        }
        let mut directory = if path[0] == b'/' {
            self.files.root
        } else {
            start
        };
        let trailing_slash = path.ends_with(b"/");
        let mut components = path.split(|&byte| byte == b'/').filter(|c| !c.is_empty());
        let Some(mut component) = components.next() else {
            return Ok(Parent {
                directory,
                last: Last::Root,
                trailing_slash,
            });
        };
        for next in components {
            directory = self.step(directory, component)?;
            component = next;
        }
        // The directory itself must be searchable even if the last component is a dot.
        self.files.directory(directory)?;
        self.files
            .permission(directory, super::file_system::MAY_EXECUTE, self.who)?;
        let last = match component {
            b"." => Last::Dot,
            b".." => Last::DotDot,
            name => Last::Name(name.to_vec()),
        };
        Ok(Parent {
            directory,
            last,
            trailing_slash,
        })
    }

    /// Walks the whole path. A trailing slash demands a directory and follows a last link.
    pub(super) fn target(
        &mut self,
        start: InodeId,
        path: &[u8],
        follow: bool,
    ) -> Result<InodeId, Errno> {
        let parent = self.parent(start, path)?;
        let must_be_directory = parent.trailing_slash;
        let inode = self.find(&parent)?.ok_or(Errno::ENOENT).and_then(|inode| {
            if follow || must_be_directory {
                self.follow(parent.directory, inode)
            } else {
                Ok(inode)
            }
        })?;
        if must_be_directory && !self.files.inode(inode).is_directory() {
            return Err(Errno::ENOTDIR);
        }
        Ok(inode)
    }

    /// Looks up the last component, without following it.
    pub(super) fn find(&self, parent: &Parent) -> Result<Option<InodeId>, Errno> {
        match &parent.last {
            Last::Root | Last::Dot => Ok(Some(parent.directory)),
            Last::DotDot => Ok(Some(self.files.directory(parent.directory)?.parent)),
            Last::Name(name) => self.files.lookup(parent.directory, name, self.who),
        }
    }

    /// Counts one more symbolic link.
    pub(super) fn count_link(&mut self) -> Result<(), Errno> {
        self.links += 1;
        if self.links > MAXIMUM_LINKS {
            Err(Errno::ELOOP)
        } else {
            Ok(())
        }
    }

    fn follow(&mut self, directory: InodeId, inode: InodeId) -> Result<InodeId, Errno> {
        match &self.files.inode(inode).node {
            Node::Symlink(target) => {
                self.count_link()?;
                self.target(directory, target, true)
            }
            _ => Ok(inode),
        }
    }

    fn step(&mut self, directory: InodeId, component: &[u8]) -> Result<InodeId, Errno> {
        self.files.directory(directory)?;
        self.files
            .permission(directory, super::file_system::MAY_EXECUTE, self.who)?;
        let inode = match component {
            b"." => directory,
            b".." => self.files.directory(directory)?.parent,
            name => self
                .files
                .lookup(directory, name, self.who)?
                .ok_or(Errno::ENOENT)?,
        };
        let inode = self.follow(directory, inode)?;
        if self.files.inode(inode).is_directory() {
            Ok(inode)
        } else {
            Err(Errno::ENOTDIR)
        }
    }
}
