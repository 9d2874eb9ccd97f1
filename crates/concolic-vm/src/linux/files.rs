//! `open(2)`, `lseek(2)`, `truncate(2)`, `fallocate(2)` and the calls that only make data durable.

use super::errno::Errno;
use super::file_system::{InodeId, MAY_READ, MAY_WRITE, NewNode, Node};
use super::open_files::{
    AT_FDCWD, O_ACCMODE, O_APPEND, O_CLOEXEC, O_CREAT, O_DIRECTORY, O_EXCL, O_LARGEFILE, O_NOATIME,
    O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_PATH, O_RDONLY, O_TMPFILE_BIT, O_TRUNC, O_WRONLY,
    descriptor_link,
};
use super::paths::{Last, Walk};
use super::user_memory::UserMemory;
use super::{Bytes, Kernel, Outcome};

/// All flags `open` knows; the others are ignored, as Linux does.
const OPEN_FLAGS: u32 = O_ACCMODE
    | O_CREAT
    | O_EXCL
    | O_NOCTTY
    | O_TRUNC
    | O_APPEND
    | O_NONBLOCK
    | O_LARGEFILE
    | O_DIRECTORY
    | O_NOFOLLOW
    | O_NOATIME
    | O_CLOEXEC
    | O_PATH
    | O_TMPFILE_BIT
    | 0o4010000 // O_SYNC
    | 0o20000 // O_ASYNC
    | 0o40000; // O_DIRECT

pub(super) const SEEK_SET: u64 = 0;
pub(super) const SEEK_CUR: u64 = 1;
pub(super) const SEEK_END: u64 = 2;
const SEEK_DATA: u64 = 3;
const SEEK_HOLE: u64 = 4;

const FALLOC_KEEP_SIZE: u64 = 1;

impl Kernel {
    pub(super) fn open(
        &mut self,
        memory: &dyn UserMemory,
        directory: i32,
        path: u64,
        flags: u64,
        mode: u64,
    ) -> Outcome {
        let flags = self.check_open_flags(flags as u32 & OPEN_FLAGS)?;
        let path = self.read_path(memory, path)?;
        if flags & O_ACCMODE != O_RDONLY || flags & (O_CREAT | O_TRUNC) != 0 {
            self.note_change(&path);
        }
        // A full descriptor table is noticed before the path is looked at.
        self.free_descriptor(0)?;
        let mode = mode as u32 & 0o7777;
        if let Some(link) = descriptor_link(&path) {
            let inode = self.any_file(link).map_err(|_| Errno::ENOENT)?.inode;
            self.open_existing(inode, flags, true)?;
            return Ok(self.install(inode, flags)?.into());
        }
        let start = self.start(directory, &path)?;
        let inode = if flags & O_TMPFILE_BIT != 0 {
            self.open_unnamed(start, &path, mode)?
        } else {
            self.open_path(start, &path, flags, mode)?
        };
        let large = if flags & O_PATH == 0 { O_LARGEFILE } else { 0 };
        Ok(self.install(inode, flags | large)?.into())
    }

    fn check_open_flags(&self, flags: u32) -> Result<u32, Errno> {
        if flags & O_PATH != 0 {
            return Ok(flags & (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        }
        if flags & O_TMPFILE_BIT != 0 {
            if flags & O_DIRECTORY == 0 || flags & O_CREAT != 0 || flags & O_ACCMODE == O_RDONLY {
                return Err(Errno::EINVAL);
            }
        } else if flags & (O_CREAT | O_DIRECTORY) == O_CREAT | O_DIRECTORY {
            return Err(Errno::EINVAL);
        }
        Ok(flags)
    }

    fn open_unnamed(&mut self, start: InodeId, path: &[u8], mode: u32) -> Result<InodeId, Errno> {
        let directory = self.walk().target(start, path, true)?;
        self.files.directory(directory)?;
        self.files
            .permission(directory, MAY_WRITE | 1, &self.credentials)?;
        let mode = mode & !self.umask;
        let node = Node::File(Bytes::default());
        Ok(self
            .files
            .add(node, mode, &self.credentials, self.clock.now()))
    }

    /// Walks to the last component, which may be created, and follows links from there.
    fn open_path(
        &mut self,
        start: InodeId,
        path: &[u8],
        flags: u32,
        mode: u32,
    ) -> Result<InodeId, Errno> {
        let create = flags & O_CREAT != 0;
        let exclusive = create && flags & O_EXCL != 0;
        let mut walk = Walk::new(&self.files, &self.credentials);
        let mut parent = match walk.parent(start, path) {
            Err(Errno::ENOENT) => {
                // Not even its folder is there.
                self.note_missing(path);
                return Err(Errno::ENOENT);
            }
            other => other?,
        };
        let mut slash = false;
        let (inode, name) = loop {
            if create && parent.trailing_slash && matches!(parent.last, Last::Name(_)) {
                return Err(Errno::EISDIR);
            }
            let found = walk.find(&parent)?;
            // A trailing slash demands following, also of what the link leads to.
            slash |= parent.trailing_slash;
            let follow = (flags & O_NOFOLLOW == 0 && !exclusive) || slash;
            match found.map(|id| (id, &self.files.inode(id).node)) {
                Some((_, Node::Symlink(target))) if follow => {
                    walk.count_link()?;
                    parent = walk.parent(parent.directory, target)?;
                }
                Some((id, _)) => break (Some(id), None),
                None => match parent.last {
                    Last::Name(name) => break (None, Some((parent.directory, name))),
                    _ => return Err(Errno::ENOENT),
                },
            }
        };
        let Some(inode) = inode else {
            if !create {
                self.note_missing(path);
                return Err(Errno::ENOENT);
            }
            let (directory, name) = name.expect("a name that does not exist yet");
            let mode = mode & !self.umask;
            let now = self.clock.now();
            return self.files.create(
                directory,
                &name,
                NewNode::File,
                mode,
                &self.credentials,
                now,
            );
        };
        if create {
            if exclusive {
                return Err(Errno::EEXIST);
            }
            if self.inode(inode).is_directory() {
                return Err(Errno::EISDIR);
            }
        }
        if (slash || flags & O_DIRECTORY != 0) && !self.inode(inode).is_directory() {
            return Err(Errno::ENOTDIR);
        }
        self.open_existing(inode, flags, false)?;
        Ok(inode)
    }

    fn open_existing(&mut self, inode: InodeId, flags: u32, reopened: bool) -> Result<(), Errno> {
        if flags & O_PATH != 0 {
            return Ok(());
        }
        let want = match flags & O_ACCMODE {
            O_RDONLY => MAY_READ,
            O_WRONLY => MAY_WRITE,
            _ => MAY_READ | MAY_WRITE,
        } | if flags & O_TRUNC != 0 { MAY_WRITE } else { 0 };
        match &self.inode(inode).node {
            Node::Symlink(_) => return Err(Errno::ELOOP),
            Node::Directory(_) if want & MAY_WRITE != 0 => return Err(Errno::EISDIR),
            _ => {}
        }
        // The standard streams behind `/dev/stdin` may be reopened by whoever was given them.
        if !reopened {
            self.files.permission(inode, want, &self.credentials)?;
        }
        let owner = self.inode(inode).uid;
        if flags & O_NOATIME != 0 && !self.credentials.is_root() && owner != self.credentials.uid {
            return Err(Errno::EPERM);
        }
        if matches!(
            self.inode(inode).node,
            Node::Device(super::file_system::Device::Terminal)
        ) {
            return Err(Errno::ENXIO);
        }
        if flags & O_TRUNC != 0 {
            self.set_size(inode, 0);
        }
        Ok(())
    }

    fn set_size(&mut self, inode: InodeId, size: usize) {
        let now = self.clock.now();
        let ordinary_user = !self.credentials.is_root();
        let inode = self.files.inode_mut(inode);
        if let Node::File(content) = &mut inode.node {
            content.resize(size);
            inode.modified = now;
            inode.changed = now;
            if ordinary_user {
                inode.drop_privileges();
            }
        }
    }

    pub(super) fn creat(&mut self, memory: &dyn UserMemory, path: u64, mode: u64) -> Outcome {
        let flags = O_CREAT | O_WRONLY | O_TRUNC;
        self.open(memory, AT_FDCWD, path, flags.into(), mode)
    }

    /// `openat2(2)`, without its restrictions on path walking.
    pub(super) fn openat2(
        &mut self,
        memory: &dyn UserMemory,
        directory: i32,
        path: u64,
        how: u64,
        size: u64,
    ) -> Outcome {
        if size < 24 {
            return Err(Errno::EINVAL.into());
        }
        let (flags, mode) = self.read_pair(memory, how)?;
        let resolve = self.read_u64(memory, how.wrapping_add(16))?;
        if resolve != 0 || size > 24 {
            return self.unsupported("restrictions on path walking are not modelled");
        }
        if flags & !u64::from(OPEN_FLAGS) != 0 || mode & !0o7777 != 0 {
            return Err(Errno::EINVAL.into());
        }
        let may_create = flags as u32 & (O_CREAT | O_TMPFILE_BIT) != 0;
        if mode != 0 && !may_create {
            return Err(Errno::EINVAL.into());
        }
        self.open(memory, directory, path, flags, mode)
    }

    pub(super) fn lseek(&mut self, descriptor: i32, offset: u64, whence: u64) -> Outcome {
        let file = self.file(descriptor)?;
        if whence > SEEK_HOLE {
            return Err(Errno::EINVAL.into());
        }
        let inode = self.inode(file.inode);
        let size = match inode.node {
            Node::Pipe(_) => return Err(Errno::ESPIPE.into()),
            Node::Device(_) => return Ok(0),
            Node::Directory(_) => i64::MAX,
            _ => inode.size() as i64,
        };
        let offset = offset as i64;
        let is_directory = inode.is_directory();
        let position = match whence {
            SEEK_SET => Some(offset),
            SEEK_CUR => (file.offset as i64).checked_add(offset),
            SEEK_END => size.checked_add(offset),
            _ if is_directory => return Err(Errno::EINVAL.into()),
            _ if offset < 0 || offset >= size => return Err(Errno::ENXIO.into()),
            SEEK_DATA => Some(offset),
            _ => Some(size),
        };
        let position = position.ok_or(Errno::EINVAL)?;
        if position < 0 {
            return Err(Errno::EINVAL.into());
        }
        self.file_mut(descriptor)?.offset = position as u64;
        Ok(position)
    }

    pub(super) fn truncate(&mut self, memory: &dyn UserMemory, path: u64, length: u64) -> Outcome {
        if (length as i64) < 0 {
            return Err(Errno::EINVAL.into());
        }
        let path = self.read_path(memory, path)?;
        let inode = self.resolve(AT_FDCWD, &path, true)?;
        match self.inode(inode).node {
            Node::Directory(_) => return Err(Errno::EISDIR.into()),
            Node::File(_) => {}
            _ => return Err(Errno::EINVAL.into()),
        }
        self.files.permission(inode, MAY_WRITE, &self.credentials)?;
        self.resize_file(inode, length)
    }

    pub(super) fn ftruncate(&mut self, descriptor: i32, length: u64) -> Outcome {
        if (length as i64) < 0 {
            return Err(Errno::EINVAL.into());
        }
        let file = self.file(descriptor)?;
        if !matches!(self.inode(file.inode).node, Node::File(_)) || !file.writable() {
            return Err(Errno::EINVAL.into());
        }
        self.resize_file(file.inode, length)
    }

    fn resize_file(&mut self, inode: InodeId, length: u64) -> Outcome {
        self.check_file_size(length)?;
        self.set_size(inode, length as usize);
        Ok(0)
    }

    /// A file beyond the model's bound ends the run by name.
    pub(super) fn check_file_size(&self, length: u64) -> Outcome<()> {
        if length > self.limits.file_bytes {
            let limit = self.limits.file_bytes;
            return self.unsupported(&format!(
                "a file of {length} bytes exceeds the limit of {limit} for modelled files"
            ));
        }
        Ok(())
    }

    pub(super) fn fallocate(
        &mut self,
        descriptor: i32,
        mode: u64,
        offset: u64,
        length: u64,
    ) -> Outcome {
        let file = self.file(descriptor)?;
        if (offset as i64) < 0 || (length as i64) <= 0 {
            return Err(Errno::EINVAL.into());
        }
        if mode & !FALLOC_KEEP_SIZE != 0 {
            return self.unsupported("punching and moving ranges is not modelled");
        }
        if !file.writable() {
            return Err(Errno::EBADF.into());
        }
        match self.inode(file.inode).node {
            Node::File(_) => {}
            Node::Pipe(_) => return Err(Errno::ESPIPE.into()),
            Node::Directory(_) => return Err(Errno::EISDIR.into()),
            _ => return Err(Errno::ENODEV.into()),
        }
        let end = offset.checked_add(length).ok_or(Errno::EFBIG)?;
        if mode & FALLOC_KEEP_SIZE == 0 && end > self.inode(file.inode).size() {
            return self.resize_file(file.inode, end);
        }
        Ok(0)
    }

    /// `fsync`, `fdatasync`: nothing here can be lost.
    pub(super) fn fsync(&mut self, descriptor: i32) -> Outcome {
        let file = self.file(descriptor)?;
        match self.inode(file.inode).node {
            Node::Pipe(_) | Node::Device(_) => Err(Errno::EINVAL.into()),
            _ => Ok(0),
        }
    }

    pub(super) fn fadvise(&mut self, descriptor: i32, length: u64, advice: u64) -> Outcome {
        let file = self.file(descriptor)?;
        if matches!(self.inode(file.inode).node, Node::Pipe(_)) {
            return Err(Errno::ESPIPE.into());
        }
        if (length as i64) < 0 || advice > 5 {
            return Err(Errno::EINVAL.into());
        }
        Ok(0)
    }

    /// `flock`: a single process never waits for itself; a second description could.
    pub(super) fn flock(&mut self, descriptor: i32, operation: u64) -> Outcome {
        self.file(descriptor)?;
        match operation & !4 {
            1 | 2 | 8 => Ok(0),
            _ => Err(Errno::EINVAL.into()),
        }
    }
}
