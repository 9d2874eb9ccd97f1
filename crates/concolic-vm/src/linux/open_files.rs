//! The descriptor table and open file descriptions.
//!
//! As on Linux a descriptor names an open file *description*, which `dup` shares; offset and status
//! flags belong to the description, close-on-exec to the descriptor.

use super::errno::Errno;
use super::file_system::{Inode, InodeId, Node, PipeEnd};
use super::paths::Walk;
use super::{Kernel, Outcome};
use std::collections::BTreeMap;

pub(super) const O_RDONLY: u32 = 0;
pub(super) const O_WRONLY: u32 = 1;
pub(super) const O_ACCMODE: u32 = 3;
pub(super) const O_CREAT: u32 = 0o100;
pub(super) const O_EXCL: u32 = 0o200;
pub(super) const O_NOCTTY: u32 = 0o400;
pub(super) const O_TRUNC: u32 = 0o1000;
pub(super) const O_APPEND: u32 = 0o2000;
pub(super) const O_NONBLOCK: u32 = 0o4000;
pub(super) const O_LARGEFILE: u32 = 0o100000;
pub(super) const O_DIRECTORY: u32 = 0o200000;
pub(super) const O_NOFOLLOW: u32 = 0o400000;
pub(super) const O_NOATIME: u32 = 0o1000000;
pub(super) const O_CLOEXEC: u32 = 0o2000000;
pub(super) const O_PATH: u32 = 0o10000000;
/// The bit of `O_TMPFILE` that is not `O_DIRECTORY`.
pub(super) const O_TMPFILE_BIT: u32 = 0o20000000;

pub(super) const AT_FDCWD: i32 = -100;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct OpenFileId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Descriptor {
    pub(super) file: OpenFileId,
    pub(super) close_on_exec: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OpenFile {
    pub(super) inode: InodeId,
    /// In a directory the position of the next entry to list.
    pub(super) offset: u64,
    /// Access mode and status flags, as `F_GETFL` reports them.
    pub(super) flags: u32,
}

impl OpenFile {
    pub(super) fn readable(&self) -> bool {
        self.flags & O_PATH == 0 && self.flags & O_ACCMODE != O_WRONLY
    }

    pub(super) fn writable(&self) -> bool {
        self.flags & O_PATH == 0 && self.flags & O_ACCMODE != O_RDONLY
    }

    pub(super) fn non_blocking(&self) -> bool {
        self.flags & O_NONBLOCK != 0
    }
}

/// The descriptors of the process, and the open files that they stand for.
///
/// Invariant: each descriptor's file is among the open files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct OpenFiles {
    pub(super) descriptors: BTreeMap<i32, Descriptor>,
    pub(super) files: BTreeMap<OpenFileId, OpenFile>,
    next: u32,
}

impl Kernel {
    pub(super) fn descriptor(&self, descriptor: i32) -> Result<Descriptor, Errno> {
        self.open_files
            .descriptors
            .get(&descriptor)
            .copied()
            .ok_or(Errno::EBADF)
    }

    /// The description behind a descriptor, whatever it may be used for.
    pub(super) fn any_file(&self, descriptor: i32) -> Result<OpenFile, Errno> {
        Ok(self.open_files.files[&self.descriptor(descriptor)?.file])
    }

    /// The description behind a descriptor that was not opened with `O_PATH`.
    pub(super) fn file(&self, descriptor: i32) -> Result<OpenFile, Errno> {
        let file = self.any_file(descriptor)?;
        if file.flags & O_PATH != 0 {
            return Err(Errno::EBADF);
        }
        Ok(file)
    }

    pub(super) fn file_mut(&mut self, descriptor: i32) -> Result<&mut OpenFile, Errno> {
        let id = self.descriptor(descriptor)?.file;
        Ok(self
            .open_files
            .files
            .get_mut(&id)
            .expect("a descriptor names an open file"))
    }

    pub(super) fn readable_file(&self, descriptor: i32) -> Result<OpenFile, Errno> {
        let file = self.file(descriptor)?;
        if file.readable() {
            Ok(file)
        } else {
            Err(Errno::EBADF)
        }
    }

    pub(super) fn writable_file(&self, descriptor: i32) -> Result<OpenFile, Errno> {
        let file = self.file(descriptor)?;
        if file.writable() {
            Ok(file)
        } else {
            Err(Errno::EBADF)
        }
    }

    /// The lowest free descriptor that is at least `minimum`.
    pub(super) fn free_descriptor(&self, minimum: i32) -> Result<i32, Errno> {
        let mut candidate = minimum;
        for &taken in self
            .open_files
            .descriptors
            .range(minimum..)
            .map(|(taken, _)| taken)
        {
            if taken != candidate {
                break;
            }
            candidate += 1;
        }
        if candidate as u32 >= self.limits.open_files {
            return Err(Errno::EMFILE);
        }
        Ok(candidate)
    }

    /// Opens an inode under the lowest free descriptor.
    pub(super) fn install(&mut self, inode: InodeId, flags: u32) -> Result<i32, Errno> {
        let descriptor = self.free_descriptor(0)?;
        self.install_at(descriptor, inode, flags);
        Ok(descriptor)
    }

    pub(super) fn install_at(&mut self, descriptor: i32, inode: InodeId, flags: u32) {
        let id = OpenFileId(self.open_files.next);
        self.open_files.next += 1;
        let transient = O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_CLOEXEC;
        self.open_files.files.insert(
            id,
            OpenFile {
                inode,
                offset: 0,
                flags: flags & !transient,
            },
        );
        self.open_files.descriptors.insert(
            descriptor,
            Descriptor {
                file: id,
                close_on_exec: flags & O_CLOEXEC != 0,
            },
        );
    }

    pub(super) fn close(&mut self, descriptor: i32) -> Outcome {
        let closed = self
            .open_files
            .descriptors
            .remove(&descriptor)
            .ok_or(Errno::EBADF)?;
        let shared = self
            .open_files
            .descriptors
            .values()
            .any(|other| other.file == closed.file);
        if !shared && let Some(file) = self.open_files.files.remove(&closed.file) {
            self.release(file.inode);
        }
        Ok(0)
    }

    /// Forgets an inode if neither a directory nor an open file refers to it any more.
    pub(super) fn release(&mut self, inode: InodeId) {
        let open = self
            .open_files
            .files
            .values()
            .any(|file| file.inode == inode);
        if !open && inode != self.working_directory {
            self.files.forget(inode);
        }
    }

    /// Whether the process holds the other end of a pipe open: (readers, writers).
    pub(super) fn pipe_users(&self, inode: InodeId) -> (bool, bool) {
        let mut users = (false, false);
        for file in self
            .open_files
            .files
            .values()
            .filter(|file| file.inode == inode)
        {
            users.0 |= file.readable();
            users.1 |= file.writable();
        }
        match &self.files.inode(inode).node {
            Node::Pipe(pipe) => match pipe.end {
                PipeEnd::Inside => users,
                PipeEnd::WrittenOutside => users,
                PipeEnd::ReadOutside => (true, users.1),
            },
            _ => users,
        }
    }

    /// The directory a relative path starts from.
    pub(super) fn start(&self, descriptor: i32, path: &[u8]) -> Result<InodeId, Errno> {
        if path.first() == Some(&b'/') {
            return Ok(self.files.root);
        }
        if descriptor == AT_FDCWD {
            return Ok(self.working_directory);
        }
        let file = self.any_file(descriptor)?;
        self.files.directory(file.inode)?;
        Ok(file.inode)
    }

    pub(super) fn walk(&self) -> Walk<'_> {
        Walk::new(&self.files, &self.credentials)
    }

    /// The inode a path leads to.
    pub(super) fn resolve(
        &self,
        directory: i32,
        path: &[u8],
        follow: bool,
    ) -> Result<InodeId, Errno> {
        if let Some(link) = descriptor_link(path) {
            let inode = self.any_file(link).map_err(|_| Errno::ENOENT)?.inode;
            return Ok(inode);
        }
        let start = self.start(directory, path)?;
        self.walk().target(start, path, follow)
    }

    /// What a path or, if it is empty, the descriptor itself leads to: the `AT_EMPTY_PATH` rule.
    pub(super) fn resolve_or_descriptor(
        &self,
        directory: i32,
        path: &[u8],
        follow: bool,
    ) -> Result<InodeId, Errno> {
        if path.is_empty() {
            if directory == AT_FDCWD {
                return Ok(self.working_directory);
            }
            return Ok(self.any_file(directory)?.inode);
        }
        self.resolve(directory, path, follow)
    }

    pub(super) fn inode(&self, id: InodeId) -> &Inode {
        self.files.inode(id)
    }
}

/// The descriptor that `/dev/stdin`, `/dev/fd/3` or `/proc/self/fd/3` stands for.
pub(super) fn descriptor_link(path: &[u8]) -> Option<i32> {
    match path {
        b"/dev/stdin" => return Some(0),
        b"/dev/stdout" => return Some(1),
        b"/dev/stderr" => return Some(2),
        _ => {}
    }
    let number = path
        .strip_prefix(b"/dev/fd/")
        .or_else(|| path.strip_prefix(b"/proc/self/fd/"))?;
    let canonical = number == b"0" || !number.starts_with(b"0");
    let digits = canonical && number.iter().all(u8::is_ascii_digit);
    digits
        .then(|| std::str::from_utf8(number).ok()?.parse().ok())
        .flatten()
}
