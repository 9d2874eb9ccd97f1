//! Descriptors as such: `dup`, `pipe`, `fcntl`, `ioctl`, `close_range`.

use super::errno::Errno;
use super::file_system::{Node, Pipe};
use super::open_files::{
    Descriptor, O_ACCMODE, O_APPEND, O_CLOEXEC, O_NOATIME, O_NONBLOCK, O_RDONLY, O_WRONLY,
};
use super::transfer::PIPE_CAPACITY;
use super::user_memory::{UserMemory, write_plain};
use super::{Kernel, Outcome};

const O_ASYNC: u32 = 0o20000;
const O_DIRECT: u32 = 0o40000;

const FD_CLOEXEC: u64 = 1;

impl Kernel {
    pub(super) fn dup(&mut self, old: i32) -> Outcome {
        self.duplicate(old, 0, false)
    }

    fn duplicate(&mut self, old: i32, minimum: i32, close_on_exec: bool) -> Outcome {
        let file = self.descriptor(old)?.file;
        let new = self.free_descriptor(minimum)?;
        self.open_files.descriptors.insert(
            new,
            Descriptor {
                file,
                close_on_exec,
            },
        );
        Ok(new.into())
    }

    pub(super) fn dup2(&mut self, old: i32, new: i32) -> Outcome {
        if old == new {
            self.descriptor(old)?;
            return Ok(new.into());
        }
        self.dup3(old, new, 0)
    }

    pub(super) fn dup3(&mut self, old: i32, new: i32, flags: u64) -> Outcome {
        if flags & !u64::from(O_CLOEXEC) != 0 || old == new {
            return Err(Errno::EINVAL.into());
        }
        if new as u32 >= self.limits.open_files {
            return Err(Errno::EBADF.into());
        }
        let file = self.descriptor(old)?.file;
        if self.open_files.descriptors.contains_key(&new) {
            self.close(new)?;
        }
        self.open_files.descriptors.insert(
            new,
            Descriptor {
                file,
                close_on_exec: flags != 0,
            },
        );
        Ok(new.into())
    }

    pub(super) fn close_range(&mut self, first: u64, last: u64, flags: u64) -> Outcome {
        const CLOSE_RANGE_UNSHARE: u64 = 2;
        const CLOSE_RANGE_CLOEXEC: u64 = 4;
        let (first, last) = (first as u32, last as u32);
        if first > last || flags & !(CLOSE_RANGE_UNSHARE | CLOSE_RANGE_CLOEXEC) != 0 {
            return Err(Errno::EINVAL.into());
        }
        let inside: Vec<i32> = self
            .open_files
            .descriptors
            .keys()
            .copied()
            .filter(|&descriptor| (first..=last).contains(&(descriptor as u32)))
            .collect();
        for descriptor in inside {
            if flags & CLOSE_RANGE_CLOEXEC != 0 {
                if let Some(entry) = self.open_files.descriptors.get_mut(&descriptor) {
                    entry.close_on_exec = true;
                }
            } else {
                self.close(descriptor)?;
            }
        }
        Ok(0)
    }

    pub(super) fn pipe2(&mut self, memory: &mut dyn UserMemory, ends: u64, flags: u64) -> Outcome {
        let flags = flags as u32;
        if flags & O_DIRECT != 0 {
            return self.unsupported("packet pipes are not modelled");
        }
        if flags & !(O_CLOEXEC | O_NONBLOCK) != 0 {
            return Err(Errno::EINVAL.into());
        }
        let reader = self.free_descriptor(0)?;
        let writer = self.free_descriptor(reader + 1)?;
        let mut numbers = reader.to_le_bytes().to_vec();
        numbers.extend_from_slice(&writer.to_le_bytes());
        write_plain(memory, ends, &numbers)?;
        let node = Node::Pipe(Pipe::default());
        let inode = self
            .files
            .add(node, 0o600, &self.credentials, self.clock.now());
        self.install_at(reader, inode, flags | O_RDONLY);
        self.install_at(writer, inode, flags | O_WRONLY);
        Ok(0)
    }

    pub(super) fn fcntl(
        &mut self,
        memory: &mut dyn UserMemory,
        descriptor: i32,
        command: u64,
        argument: u64,
    ) -> Outcome {
        const F_DUPFD: u64 = 0;
        const F_GETFD: u64 = 1;
        const F_SETFD: u64 = 2;
        const F_GETFL: u64 = 3;
        const F_SETFL: u64 = 4;
        const F_GETLK: u64 = 5;
        const F_SETLK: u64 = 6;
        const F_SETLKW: u64 = 7;
        const F_DUPFD_CLOEXEC: u64 = 1030;
        const F_SETPIPE_SZ: u64 = 1031;
        const F_GETPIPE_SZ: u64 = 1032;
        const F_UNLCK: u16 = 2;
        let entry = self.descriptor(descriptor)?;
        let file = self.any_file(descriptor)?;
        if !matches!(
            command,
            F_DUPFD | F_DUPFD_CLOEXEC | F_GETFD | F_SETFD | F_GETFL
        ) {
            self.file(descriptor)?;
        }
        match command {
            F_DUPFD | F_DUPFD_CLOEXEC => {
                if argument as u32 >= self.limits.open_files {
                    return Err(Errno::EINVAL.into());
                }
                self.duplicate(descriptor, argument as i32, command == F_DUPFD_CLOEXEC)
            }
            F_GETFD => Ok(entry.close_on_exec.into()),
            F_SETFD => {
                let close_on_exec = argument & FD_CLOEXEC != 0;
                self.open_files.descriptors.insert(
                    descriptor,
                    Descriptor {
                        close_on_exec,
                        ..entry
                    },
                );
                Ok(0)
            }
            F_GETFL => Ok(file.flags.into()),
            F_SETFL => {
                let changeable = O_APPEND | O_NONBLOCK | O_NOATIME | O_ASYNC | O_DIRECT;
                let flags = (argument as u32 & changeable) | (file.flags & !changeable);
                self.file_mut(descriptor)?.flags = flags;
                Ok(0)
            }
            // Locks never conflict: there is one process.
            F_GETLK => {
                self.read_plain(memory, argument, 32)?;
                write_plain(memory, argument, &F_UNLCK.to_le_bytes())?;
                Ok(0)
            }
            F_SETLK | F_SETLKW => {
                let lock = self.read_plain(memory, argument, 32)?;
                let access = file.flags & O_ACCMODE;
                match lock[0] {
                    0 if access == O_WRONLY => Err(Errno::EBADF.into()),
                    1 if access == O_RDONLY => Err(Errno::EBADF.into()),
                    0..=2 => Ok(0),
                    _ => Err(Errno::EINVAL.into()),
                }
            }
            F_SETPIPE_SZ | F_GETPIPE_SZ => match self.inode(file.inode).node {
                Node::Pipe(_) if command == F_GETPIPE_SZ => Ok(PIPE_CAPACITY as i64),
                Node::Pipe(_) => self.unsupported("the capacity of a pipe is fixed"),
                _ => Err(Errno::EBADF.into()),
            },
            8..=16 | 36..=38 | 1024..=1036 => {
                self.unsupported(&format!("command {command} is not modelled"))
            }
            _ => Err(Errno::EINVAL.into()),
        }
    }

    pub(super) fn ioctl(
        &mut self,
        memory: &mut dyn UserMemory,
        descriptor: i32,
        request: u64,
        argument: u64,
    ) -> Outcome {
        const FIONCLEX: u64 = 0x5450;
        const FIOCLEX: u64 = 0x5451;
        const FIONBIO: u64 = 0x5421;
        const FIONREAD: u64 = 0x541b;
        const TERMINAL_REQUESTS: std::ops::RangeInclusive<u64> = 0x5401..=0x545f;
        const FICLONE: u64 = 0x4004_9409;
        const FICLONERANGE: u64 = 0x4020_940d;
        let entry = self.descriptor(descriptor)?;
        let file = self.file(descriptor)?;
        match request & 0xffff_ffff {
            FIOCLEX | FIONCLEX => {
                self.open_files.descriptors.insert(
                    descriptor,
                    Descriptor {
                        close_on_exec: request == FIOCLEX,
                        ..entry
                    },
                );
                Ok(0)
            }
            FIONBIO => {
                let on = self.read_u32(memory, argument)? != 0;
                let flags = &mut self.file_mut(descriptor)?.flags;
                *flags = (*flags & !O_NONBLOCK) | if on { O_NONBLOCK } else { 0 };
                Ok(0)
            }
            FIONREAD => {
                let available = match &self.inode(file.inode).node {
                    Node::File(content) => content.len() as i64 - file.offset as i64,
                    Node::Pipe(pipe) => (pipe.content.len() - pipe.consumed) as i64,
                    _ => return Err(Errno::ENOTTY.into()),
                };
                write_plain(memory, argument, &(available as i32).to_le_bytes())?;
                Ok(0)
            }
            // Nothing here is a terminal.
            request if TERMINAL_REQUESTS.contains(&request) => Err(Errno::ENOTTY.into()),
            // No file system here shares extents; programs fall back to copying.
            FICLONE | FICLONERANGE => Err(Errno::EOPNOTSUPP.into()),
            request => self.unsupported(&format!("request {request:#x} is not modelled")),
        }
    }
}
