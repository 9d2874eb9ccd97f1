//! File attributes: the `stat(2)` family, `access(2)`, `chmod(2)`, `chown(2)`, `utimensat(2)`,
//! `statfs(2)`.

use super::errno::Errno;
use super::file_system::{InodeId, Node, SET_GROUP_ID, SET_USER_ID};
use super::open_files::{AT_FDCWD, descriptor_link};
use super::user_memory::{Layout, UserMemory, write_plain};
use super::{Kernel, Outcome};

pub(super) const AT_SYMLINK_NOFOLLOW: u64 = 0x100;
const AT_EACCESS: u64 = 0x200;
pub(super) const AT_SYMLINK_FOLLOW: u64 = 0x400;
const AT_NO_AUTOMOUNT: u64 = 0x800;
pub(super) const AT_EMPTY_PATH: u64 = 0x1000;
const AT_STATX_SYNC_TYPE: u64 = 0x6000;

const BLOCK_SIZE: u64 = 4096;
/// The one file system's device number.
const DEVICE: (u32, u32) = (8, 1);

const STATX_BASIC_STATS: u32 = 0x7ff;
const STATX_BTIME: u32 = 0x800;

const UTIME_NOW: u64 = 0x3fff_ffff;
const UTIME_OMIT: u64 = 0x3fff_fffe;

impl Kernel {
    pub(super) fn fstat(
        &mut self,
        memory: &mut dyn UserMemory,
        descriptor: i32,
        buffer: u64,
    ) -> Outcome {
        let inode = self.any_file(descriptor)?.inode;
        self.write_stat(memory, inode, buffer)
    }

    pub(super) fn fstatat(
        &mut self,
        memory: &mut dyn UserMemory,
        directory: i32,
        path: u64,
        buffer: u64,
        flags: u64,
    ) -> Outcome {
        if flags & !(AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_EMPTY_PATH | AT_STATX_SYNC_TYPE)
            != 0
        {
            return Err(Errno::EINVAL.into());
        }
        let path = self.read_path_with(memory, path, flags)?;
        let inode =
            self.resolve_or_descriptor(directory, &path, flags & AT_SYMLINK_NOFOLLOW == 0)?;
        self.write_stat(memory, inode, buffer)
    }

    /// A path that may be empty if the flags have `AT_EMPTY_PATH`.
    pub(super) fn read_path_with(
        &mut self,
        memory: &dyn UserMemory,
        address: u64,
        flags: u64,
    ) -> Outcome<Vec<u8>> {
        if flags & AT_EMPTY_PATH != 0 {
            self.read_path_or_empty(memory, address)
        } else {
            self.read_path(memory, address)
        }
    }

    fn write_stat(&self, memory: &mut dyn UserMemory, id: InodeId, buffer: u64) -> Outcome {
        let inode = self.inode(id);
        let stat = Layout::default()
            .u64(encode_device(DEVICE))
            .u64(id.0.into())
            .u64(inode.reported_links().into())
            .u32(inode.full_mode())
            .u32(inode.uid)
            .u32(inode.gid)
            .u32(0)
            .u64(encode_device(inode.device_number()))
            .u64(inode.size())
            .u64(BLOCK_SIZE)
            .u64(blocks(inode.size()))
            .time(inode.accessed)
            .time(inode.modified)
            .time(inode.changed)
            .zeros(24);
        write_plain(memory, buffer, &stat.0)?;
        Ok(0)
    }

    pub(super) fn statx(
        &mut self,
        memory: &mut dyn UserMemory,
        [directory, path, flags, mask, buffer, _]: [u64; 6],
    ) -> Outcome {
        let known = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_EMPTY_PATH | AT_STATX_SYNC_TYPE;
        if mask & 0x8000_0000 != 0
            || flags & AT_STATX_SYNC_TYPE == AT_STATX_SYNC_TYPE
            || flags & !known != 0
        {
            return Err(Errno::EINVAL.into());
        }
        // Since 6.11 a null path means the descriptor itself.
        let path = if path == 0 && flags & AT_EMPTY_PATH != 0 {
            Vec::new()
        } else {
            self.read_path_with(memory, path, flags)?
        };
        let id =
            self.resolve_or_descriptor(directory as i32, &path, flags & AT_SYMLINK_NOFOLLOW == 0)?;
        let inode = self.inode(id);
        let time = |layout: Layout, time: i64| {
            layout
                .u64(time.div_euclid(1_000_000_000) as u64)
                .u32(time.rem_euclid(1_000_000_000) as u32)
                .u32(0)
        };
        let mut statx = Layout::default()
            .u32(STATX_BASIC_STATS | STATX_BTIME)
            .u32(BLOCK_SIZE as u32)
            .u64(0)
            .u32(inode.reported_links())
            .u32(inode.uid)
            .u32(inode.gid)
            .u16(inode.full_mode() as u16)
            .u16(0)
            .u64(id.0.into())
            .u64(inode.size())
            .u64(blocks(inode.size()))
            .u64(0);
        // The birth of a file is its first change; the fixed clock makes them coincide.
        for moment in [inode.accessed, inode.changed, inode.changed, inode.modified] {
            statx = time(statx, moment);
        }
        let (major, minor) = inode.device_number();
        let statx = statx
            .u32(major)
            .u32(minor)
            .u32(DEVICE.0)
            .u32(DEVICE.1)
            .zeros(112);
        write_plain(memory, buffer, &statx.0)?;
        Ok(0)
    }

    pub(super) fn faccessat(
        &mut self,
        memory: &dyn UserMemory,
        directory: i32,
        path: u64,
        mode: u64,
        flags: u64,
    ) -> Outcome {
        if mode & !7 != 0 || flags & !(AT_EACCESS | AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) != 0 {
            return Err(Errno::EINVAL.into());
        }
        let path = self.read_path_with(memory, path, flags)?;
        let inode =
            self.resolve_or_descriptor(directory, &path, flags & AT_SYMLINK_NOFOLLOW == 0)?;
        self.files
            .permission(inode, mode as u32, &self.credentials)?;
        Ok(0)
    }

    pub(super) fn fchmod(&mut self, descriptor: i32, mode: u64) -> Outcome {
        let inode = self.file(descriptor)?.inode;
        self.change_mode(inode, mode)
    }

    pub(super) fn fchmodat(
        &mut self,
        memory: &dyn UserMemory,
        directory: i32,
        path: u64,
        mode: u64,
        flags: u64,
    ) -> Outcome {
        if flags & !(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) != 0 {
            return Err(Errno::EINVAL.into());
        }
        let path = self.read_path_with(memory, path, flags)?;
        let inode =
            self.resolve_or_descriptor(directory, &path, flags & AT_SYMLINK_NOFOLLOW == 0)?;
        self.change_mode(inode, mode)
    }

    fn change_mode(&mut self, id: InodeId, mode: u64) -> Outcome {
        if matches!(self.inode(id).node, Node::Symlink(_)) {
            return Err(Errno::EOPNOTSUPP.into());
        }
        self.must_own(id)?;
        let mut mode = mode as u32 & 0o7777;
        let outsider = !self.credentials.is_member(self.inode(id).gid);
        if outsider && !self.credentials.is_root() {
            mode &= !SET_GROUP_ID;
        }
        let now = self.clock.now();
        let inode = self.files.inode_mut(id);
        inode.mode = mode;
        inode.changed = now;
        Ok(0)
    }

    fn must_own(&self, id: InodeId) -> Result<(), Errno> {
        if self.credentials.is_root() || self.inode(id).uid == self.credentials.uid {
            Ok(())
        } else {
            Err(Errno::EPERM)
        }
    }

    pub(super) fn fchown(&mut self, descriptor: i32, owner: u64, group: u64) -> Outcome {
        let inode = self.file(descriptor)?.inode;
        self.change_owner(inode, owner as u32, group as u32)
    }

    pub(super) fn fchownat(
        &mut self,
        memory: &dyn UserMemory,
        [directory, path, owner, group, flags, _]: [u64; 6],
    ) -> Outcome {
        if flags & !(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) != 0 {
            return Err(Errno::EINVAL.into());
        }
        let path = self.read_path_with(memory, path, flags)?;
        let inode =
            self.resolve_or_descriptor(directory as i32, &path, flags & AT_SYMLINK_NOFOLLOW == 0)?;
        self.change_owner(inode, owner as u32, group as u32)
    }

    /// -1 leaves owner or group as it is.
    fn change_owner(&mut self, id: InodeId, owner: u32, group: u32) -> Outcome {
        let inode = self.inode(id);
        if !self.credentials.is_root() {
            let owns = inode.uid == self.credentials.uid;
            let owner_ok = owner == u32::MAX || (owns && owner == inode.uid);
            let group_ok = group == u32::MAX
                || (owns && (group == inode.gid || self.credentials.is_member(group)));
            if !owner_ok || !group_ok {
                return Err(Errno::EPERM.into());
            }
        }
        let now = self.clock.now();
        let inode = self.files.inode_mut(id);
        if owner != u32::MAX {
            inode.uid = owner;
        }
        if group != u32::MAX {
            inode.gid = group;
        }
        if !inode.is_directory() {
            inode.mode &= !SET_USER_ID;
            if inode.mode & 0o010 != 0 {
                inode.mode &= !SET_GROUP_ID;
            }
        }
        inode.changed = now;
        Ok(0)
    }

    /// A null path means the descriptor itself, as `futimens` uses it.
    pub(super) fn utimensat(
        &mut self,
        memory: &dyn UserMemory,
        directory: i32,
        path: u64,
        times: u64,
        flags: u64,
    ) -> Outcome {
        let now = self.clock.now();
        let mut wanted = [Some(now); 2];
        let mut both_now = true;
        if times != 0 {
            let pairs = [
                self.read_pair(memory, times)?,
                self.read_pair(memory, times.wrapping_add(16))?,
            ];
            if pairs.iter().all(|pair| pair.1 == UTIME_OMIT) {
                return Ok(0);
            }
            both_now = pairs.iter().all(|pair| pair.1 == UTIME_NOW);
            for (time, (seconds, nanoseconds)) in wanted.iter_mut().zip(pairs) {
                *time = match nanoseconds {
                    UTIME_NOW => Some(now),
                    UTIME_OMIT => None,
                    0..=999_999_999 => Some(
                        (seconds as i64)
                            .saturating_mul(1_000_000_000)
                            .saturating_add(nanoseconds as i64),
                    ),
                    _ => return Err(Errno::EINVAL.into()),
                };
            }
        }
        self.set_times(memory, directory, path, flags, wanted, both_now)
    }

    /// `utimes`, `futimesat` (microseconds) and `utime` (seconds).
    pub(super) fn old_utimes(
        &mut self,
        memory: &dyn UserMemory,
        directory: i32,
        path: u64,
        times: u64,
        whole_seconds: bool,
    ) -> Outcome {
        let now = self.clock.now();
        let mut wanted = [Some(now); 2];
        if times != 0 {
            let pairs = if whole_seconds {
                let (accessed, modified) = self.read_pair(memory, times)?;
                [(accessed, 0), (modified, 0)]
            } else {
                [
                    self.read_pair(memory, times)?,
                    self.read_pair(memory, times.wrapping_add(16))?,
                ]
            };
            for (time, (seconds, microseconds)) in wanted.iter_mut().zip(pairs) {
                if microseconds >= 1_000_000 {
                    return Err(Errno::EINVAL.into());
                }
                let nanoseconds = microseconds as i64 * 1000;
                *time = Some(
                    (seconds as i64)
                        .saturating_mul(1_000_000_000)
                        .saturating_add(nanoseconds),
                );
            }
        }
        self.set_times(memory, directory, path, 0, wanted, times == 0)
    }

    fn set_times(
        &mut self,
        memory: &dyn UserMemory,
        directory: i32,
        path: u64,
        flags: u64,
        wanted: [Option<i64>; 2],
        both_now: bool,
    ) -> Outcome {
        let id = if path == 0 && directory != AT_FDCWD {
            if flags != 0 {
                return Err(Errno::EINVAL.into());
            }
            self.file(directory)?.inode
        } else {
            if flags & !(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) != 0 {
                return Err(Errno::EINVAL.into());
            }
            let path = self.read_path_with(memory, path, flags)?;
            self.resolve_or_descriptor(directory, &path, flags & AT_SYMLINK_NOFOLLOW == 0)?
        };
        if self.must_own(id).is_err() {
            if !both_now {
                return Err(Errno::EPERM.into());
            }
            let want = super::file_system::MAY_WRITE;
            self.files.permission(id, want, &self.credentials)?;
        }
        let now = self.clock.now();
        let inode = self.files.inode_mut(id);
        if let Some(accessed) = wanted[0] {
            inode.accessed = accessed;
        }
        if let Some(modified) = wanted[1] {
            inode.modified = modified;
        }
        inode.changed = now;
        Ok(0)
    }

    pub(super) fn statfs(
        &mut self,
        memory: &mut dyn UserMemory,
        path: u64,
        buffer: u64,
    ) -> Outcome {
        let path = self.read_path(memory, path)?;
        self.resolve(AT_FDCWD, &path, true)?;
        write_statfs(memory, buffer)
    }

    pub(super) fn fstatfs(
        &mut self,
        memory: &mut dyn UserMemory,
        descriptor: i32,
        buffer: u64,
    ) -> Outcome {
        self.any_file(descriptor)?;
        write_statfs(memory, buffer)
    }

    pub(super) fn readlink(
        &mut self,
        memory: &mut dyn UserMemory,
        directory: i32,
        path: u64,
        buffer: u64,
        size: u64,
    ) -> Outcome {
        if (size as i32) <= 0 {
            return Err(Errno::EINVAL.into());
        }
        let path = self.read_path_or_empty(memory, path)?;
        let target = match descriptor_link(&path) {
            Some(link) => {
                let inode = self.any_file(link).map_err(|_| Errno::ENOENT)?.inode;
                match &self.inode(inode).node {
                    Node::Pipe(_) => format!("pipe:[{}]", inode.0).into_bytes(),
                    Node::Directory(_) => self.files.directory_path(inode).ok_or(Errno::ENOENT)?,
                    _ => return self.unsupported("the name of an open file is not kept"),
                }
            }
            None => {
                let inode = self.resolve_or_descriptor(directory, &path, false)?;
                match &self.inode(inode).node {
                    Node::Symlink(target) => target.clone(),
                    // A descriptor that is no link has no name to read.
                    _ if path.is_empty() => return Err(Errno::ENOENT.into()),
                    _ => return Err(Errno::EINVAL.into()),
                }
            }
        };
        let count = target.len().min(size as u32 as usize);
        write_plain(memory, buffer, &target[..count])?;
        Ok(count as i64)
    }
}

fn blocks(size: u64) -> u64 {
    size.div_ceil(BLOCK_SIZE) * (BLOCK_SIZE / 512)
}

/// `makedev(3)`, for the small numbers used here.
fn encode_device((major, minor): (u32, u32)) -> u64 {
    u64::from(major) << 8 | u64::from(minor)
}

/// A fixed, roomy ext4.
fn write_statfs(memory: &mut dyn UserMemory, buffer: u64) -> Outcome {
    let total = 1 << 24;
    let statfs = Layout::default()
        .u64(0xef53)
        .u64(BLOCK_SIZE)
        .u64(total)
        .u64(total / 2)
        .u64(total / 2)
        .u64(1 << 22)
        .u64(1 << 21)
        .u64(0)
        .u64(255)
        .u64(BLOCK_SIZE)
        .zeros(40);
    write_plain(memory, buffer, &statfs.0)?;
    Ok(0)
}
