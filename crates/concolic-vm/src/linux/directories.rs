//! Directory entries: `mkdir`, `rmdir`, `unlink`, `link`, `symlink`, `rename`, `mknod`, `getdents64`,
//! `chdir`, `getcwd`.

use super::errno::Errno;
use super::file_system::{Entry, InodeId, MAY_EXECUTE, MAY_READ, MAY_WRITE, NewNode, Node};
use super::open_files::AT_FDCWD;
use super::paths::{Last, Parent};
use super::status::{AT_EMPTY_PATH, AT_SYMLINK_FOLLOW};
use super::user_memory::{Layout, UserMemory, write_plain};
use super::{Kernel, Outcome};

const AT_REMOVEDIR: u64 = 0x200;

const RENAME_NOREPLACE: u64 = 1;
const RENAME_EXCHANGE: u64 = 2;
const RENAME_WHITEOUT: u64 = 4;

impl Kernel {
    fn parent(&self, directory: i32, path: &[u8]) -> Result<Parent, Errno> {
        if path.is_empty() {
            return Err(Errno::ENOENT);
        }
        let start = self.start(directory, path)?;
        self.walk().parent(start, path)
    }

    /// The place of a new entry, which must not exist yet.
    fn vacant(
        &self,
        directory: i32,
        path: &[u8],
        for_directory: bool,
    ) -> Result<(InodeId, Vec<u8>), Errno> {
        let parent = self.parent(directory, path)?;
        let Last::Name(name) = &parent.last else {
            return Err(Errno::EEXIST);
        };
        if self.walk().find(&parent)?.is_some() {
            return Err(Errno::EEXIST);
        }
        if parent.trailing_slash && !for_directory {
            return Err(Errno::ENOENT);
        }
        Ok((parent.directory, name.clone()))
    }

    pub(super) fn mkdirat(
        &mut self,
        memory: &dyn UserMemory,
        directory: i32,
        path: u64,
        mode: u64,
    ) -> Outcome {
        let path = self.read_path(memory, path)?;
        let (parent, name) = self.vacant(directory, &path, true)?;
        let mode = mode as u32 & 0o1777 & !self.umask;
        let now = self.clock.now();
        self.files.create(
            parent,
            &name,
            NewNode::Directory,
            mode,
            &self.credentials,
            now,
        )?;
        Ok(0)
    }

    pub(super) fn mknodat(
        &mut self,
        memory: &dyn UserMemory,
        directory: i32,
        path: u64,
        mode: u64,
    ) -> Outcome {
        const S_IFIFO: u64 = 0o010000;
        match mode & 0o170000 {
            0 | 0o100000 => {}
            S_IFIFO => return self.unsupported("named pipes are not modelled"),
            0o040000 => return Err(Errno::EPERM.into()),
            0o020000 | 0o060000 if !self.credentials.is_root() => {
                return Err(Errno::EPERM.into());
            }
            0o020000 | 0o060000 | 0o140000 => {
                return self.unsupported("making devices and sockets is not modelled");
            }
            _ => return Err(Errno::EINVAL.into()),
        }
        let path = self.read_path(memory, path)?;
        let (parent, name) = self.vacant(directory, &path, false)?;
        let mode = mode as u32 & 0o7777 & !self.umask;
        let now = self.clock.now();
        self.files
            .create(parent, &name, NewNode::File, mode, &self.credentials, now)?;
        Ok(0)
    }

    pub(super) fn symlinkat(
        &mut self,
        memory: &dyn UserMemory,
        target: u64,
        directory: i32,
        path: u64,
    ) -> Outcome {
        let target = self.read_path(memory, target)?;
        if target.is_empty() {
            return Err(Errno::ENOENT.into());
        }
        let path = self.read_path(memory, path)?;
        let (parent, name) = self.vacant(directory, &path, false)?;
        let now = self.clock.now();
        let node = NewNode::Symlink(target);
        self.files
            .create(parent, &name, node, 0o777, &self.credentials, now)?;
        Ok(0)
    }

    pub(super) fn linkat(
        &mut self,
        memory: &dyn UserMemory,
        [old_directory, old_path, new_directory, new_path, flags, _]: [u64; 6],
    ) -> Outcome {
        if flags & !(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH) != 0 {
            return Err(Errno::EINVAL.into());
        }
        let old_path = self.read_path_with(memory, old_path, flags)?;
        let new_path = self.read_path_or_empty(memory, new_path)?;
        let target = self.resolve_or_descriptor(
            old_directory as i32,
            &old_path,
            flags & AT_SYMLINK_FOLLOW != 0,
        )?;
        let (directory, name) = self.vacant(new_directory as i32, &new_path, false)?;
        self.may_link(target)?;
        let now = self.clock.now();
        self.files
            .link(target, directory, &name, &self.credentials, now)?;
        Ok(0)
    }

    /// The `protected_hardlinks` rule that every current distribution switches on.
    fn may_link(&self, target: InodeId) -> Result<(), Errno> {
        let inode = self.inode(target);
        if self.credentials.is_root() || inode.uid == self.credentials.uid {
            return Ok(());
        }
        let privileged = inode.mode & 0o4000 != 0 || inode.mode & 0o2010 == 0o2010;
        let accessible = self
            .files
            .permission(target, MAY_READ | MAY_WRITE, &self.credentials)
            .is_ok();
        if matches!(inode.node, Node::File(_)) && !privileged && accessible {
            Ok(())
        } else {
            Err(Errno::EPERM)
        }
    }

    pub(super) fn unlinkat(
        &mut self,
        memory: &dyn UserMemory,
        directory: i32,
        path: u64,
        flags: u64,
    ) -> Outcome {
        if flags & !AT_REMOVEDIR != 0 {
            return Err(Errno::EINVAL.into());
        }
        let path = self.read_path(memory, path)?;
        if flags & AT_REMOVEDIR != 0 {
            self.remove_directory(directory, &path)
        } else {
            self.remove_file(directory, &path)
        }
    }

    fn remove_file(&mut self, directory: i32, path: &[u8]) -> Outcome {
        let parent = self.parent(directory, path)?;
        let Last::Name(name) = &parent.last else {
            return Err(Errno::EISDIR.into());
        };
        let victim = self.walk().find(&parent)?.ok_or(Errno::ENOENT)?;
        if parent.trailing_slash {
            let is_directory = self.inode(victim).is_directory();
            let error = if is_directory {
                Errno::EISDIR
            } else {
                Errno::ENOTDIR
            };
            return Err(error.into());
        }
        let now = self.clock.now();
        self.files
            .unlink(parent.directory, name, victim, &self.credentials, now)?;
        self.release(victim);
        Ok(0)
    }

    fn remove_directory(&mut self, directory: i32, path: &[u8]) -> Outcome {
        let parent = self.parent(directory, path)?;
        let name = match &parent.last {
            Last::Name(name) => name,
            Last::Dot => return Err(Errno::EINVAL.into()),
            Last::DotDot => return Err(Errno::ENOTEMPTY.into()),
            Last::Root => return Err(Errno::EBUSY.into()),
        };
        let victim = self.walk().find(&parent)?.ok_or(Errno::ENOENT)?;
        let now = self.clock.now();
        self.files
            .remove_directory(parent.directory, name, victim, &self.credentials, now)?;
        Ok(0)
    }

    pub(super) fn renameat2(
        &mut self,
        memory: &dyn UserMemory,
        [old_directory, old_path, new_directory, new_path, flags, _]: [u64; 6],
    ) -> Outcome {
        let exchange = flags & RENAME_EXCHANGE != 0;
        let no_replace = flags & RENAME_NOREPLACE != 0;
        if flags & !(RENAME_NOREPLACE | RENAME_EXCHANGE | RENAME_WHITEOUT) != 0
            || (exchange && flags & !RENAME_EXCHANGE != 0)
        {
            return Err(Errno::EINVAL.into());
        }
        if flags & RENAME_WHITEOUT != 0 {
            return self.unsupported("leaving a white-out is not modelled");
        }
        let old_path = self.read_path(memory, old_path)?;
        let new_path = self.read_path_or_empty(memory, new_path)?;
        let old = self.parent(old_directory as i32, &old_path)?;
        let new = self.parent(new_directory as i32, &new_path)?;
        let Last::Name(old_name) = &old.last else {
            return Err(Errno::EBUSY.into());
        };
        let Last::Name(new_name) = &new.last else {
            let error = if no_replace {
                Errno::EEXIST
            } else {
                Errno::EBUSY
            };
            return Err(error.into());
        };
        let moved = self.walk().find(&old)?.ok_or(Errno::ENOENT)?;
        let target = self.walk().find(&new)?;
        if no_replace && target.is_some() {
            return Err(Errno::EEXIST.into());
        }
        if exchange {
            let target = target.ok_or(Errno::ENOENT)?;
            if new.trailing_slash && !self.inode(target).is_directory() {
                return Err(Errno::ENOTDIR.into());
            }
        }
        let slash = old.trailing_slash || (new.trailing_slash && !exchange);
        if slash && !self.inode(moved).is_directory() {
            return Err(Errno::ENOTDIR.into());
        }
        if self.files.is_ancestor(moved, new.directory) {
            return Err(Errno::EINVAL.into());
        }
        if let Some(target) = target
            && self.files.is_ancestor(target, old.directory)
        {
            let error = if exchange {
                Errno::EINVAL
            } else {
                Errno::ENOTEMPTY
            };
            return Err(error.into());
        }
        let now = self.clock.now();
        let lost = self.files.rename(
            Entry {
                directory: old.directory,
                name: old_name,
                inode: Some(moved),
            },
            Entry {
                directory: new.directory,
                name: new_name,
                inode: target,
            },
            exchange,
            &self.credentials,
            now,
        )?;
        if let Some(lost) = lost {
            self.release(lost);
        }
        Ok(0)
    }

    pub(super) fn getdents64(
        &mut self,
        memory: &mut dyn UserMemory,
        descriptor: i32,
        buffer: u64,
        size: u64,
    ) -> Outcome {
        let file = self.file(descriptor)?;
        let directory = self.files.directory(file.inode)?;
        if self.inode(file.inode).links == 0 {
            return Err(Errno::ENOENT.into());
        }
        let dots = [(0, &b"."[..], file.inode), (1, b"..", directory.parent)];
        let entries = dots
            .into_iter()
            .filter(|entry| entry.0 >= file.offset)
            .chain(directory.entries_from(file.offset.max(2)));
        let mut listing = Layout::default();
        let mut next = file.offset;
        for (position, name, inode) in entries {
            let length = (19 + name.len() + 1).next_multiple_of(8);
            if listing.0.len() + length > size as u32 as usize {
                if listing.0.is_empty() {
                    return Err(Errno::EINVAL.into());
                }
                break;
            }
            next = position + 1;
            let end = listing.0.len() + length;
            listing = listing.u64(inode.0.into()).u64(next).u16(length as u16);
            listing.0.push(self.inode(inode).type_code());
            listing.0.extend_from_slice(name);
            listing.0.resize(end, 0);
        }
        write_plain(memory, buffer, &listing.0)?;
        self.file_mut(descriptor)?.offset = next;
        Ok(listing.0.len() as i64)
    }

    pub(super) fn chdir(&mut self, memory: &dyn UserMemory, path: u64) -> Outcome {
        let path = self.read_path(memory, path)?;
        let directory = self.resolve(AT_FDCWD, &path, true)?;
        self.enter(directory)
    }

    pub(super) fn fchdir(&mut self, descriptor: i32) -> Outcome {
        let directory = self.any_file(descriptor)?.inode;
        self.enter(directory)
    }

    fn enter(&mut self, directory: InodeId) -> Outcome {
        self.files.directory(directory)?;
        self.files
            .permission(directory, MAY_EXECUTE, &self.credentials)?;
        self.working_directory = directory;
        Ok(0)
    }

    pub(super) fn getcwd(
        &mut self,
        memory: &mut dyn UserMemory,
        buffer: u64,
        size: u64,
    ) -> Outcome {
        let mut path = self
            .files
            .directory_path(self.working_directory)
            .ok_or(Errno::ENOENT)?;
        path.push(0);
        if path.len() as u64 > size {
            return Err(Errno::ERANGE.into());
        }
        write_plain(memory, buffer, &path)?;
        Ok(path.len() as i64)
    }
}
