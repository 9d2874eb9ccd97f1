//! A record of the system calls that a process made, for people to read.

use super::errno::Errno;
use super::syscall_table::{name, number};
use super::user_memory::UserMemory;
use super::{Kernel, SyscallResult};
use std::fmt;

/// One system call: what was asked, and what came of it.
#[derive(Clone, Debug)]
pub struct CallRecord {
    pub number: u64,
    pub args: [u64; 6],
    /// The text behind each argument that names a file.
    pub paths: [Option<String>; 6],
    pub result: SyscallResult,
}

/// What is recorded; nothing, unless asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Recorder {
    calls: Option<Vec<CallRecord>>,
}

impl Recorder {
    pub(super) fn is_on(&self) -> bool {
        self.calls.is_some()
    }

    pub(super) fn add(&mut self, record: CallRecord) {
        if let Some(calls) = &mut self.calls {
            calls.push(record);
        }
    }
}

impl Kernel {
    /// Keeps a record of every system call from now on.
    pub fn record_calls(&mut self) {
        self.notes.recorder.calls.get_or_insert_default();
    }

    /// The calls recorded so far.
    pub fn recorded_calls(&self) -> &[CallRecord] {
        self.notes.recorder.calls.as_deref().unwrap_or_default()
    }
}

/// The texts of a call's path arguments, read before the call can change them.
pub(super) fn paths(memory: &dyn UserMemory, call: u64, args: &[u64; 6]) -> [Option<String>; 6] {
    const LONGEST: usize = 4096;
    let mut paths = [const { None }; 6];
    for &position in path_positions(call) {
        paths[position] = memory.readable(args[position]).map(|bytes| {
            let bytes = &bytes[..bytes.len().min(LONGEST)];
            let end = bytes.iter().position(|&byte| byte == 0);
            String::from_utf8_lossy(&bytes[..end.unwrap_or(bytes.len())]).into_owned()
        });
    }
    paths
}

/// Which arguments of a system call are paths.
fn path_positions(call: u64) -> &'static [usize] {
    match call {
        number::open
        | number::creat
        | number::truncate
        | number::stat
        | number::lstat
        | number::access
        | number::chmod
        | number::chown
        | number::lchown
        | number::utime
        | number::utimes
        | number::statfs
        | number::readlink
        | number::mkdir
        | number::mknod
        | number::rmdir
        | number::unlink
        | number::chdir
        | number::execve => &[0],
        number::link | number::symlink | number::rename => &[0, 1],
        number::openat
        | number::openat2
        | number::newfstatat
        | number::statx
        | number::faccessat
        | number::faccessat2
        | number::fchmodat
        | number::fchmodat2
        | number::fchownat
        | number::utimensat
        | number::futimesat
        | number::readlinkat
        | number::mkdirat
        | number::mknodat
        | number::unlinkat => &[1],
        number::symlinkat => &[0, 2],
        number::linkat | number::renameat | number::renameat2 => &[1, 3],
        _ => &[],
    }
}

/// `openat(-100, "notes.txt", 0x8000, …) = 3`. The table does not say how many arguments a call has, so
/// zeros after the first argument are left out.
impl fmt::Display for CallRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match name(self.number) {
            Some(name) => f.write_str(name)?,
            None => write!(f, "system call {}", self.number)?,
        }
        f.write_str("(")?;
        let last = self.args.iter().rposition(|&arg| arg != 0).unwrap_or(0);
        for position in 0..=last {
            if position > 0 {
                f.write_str(", ")?;
            }
            write_argument(f, self.args[position], self.paths[position].as_deref())?;
        }
        f.write_str(")")?;
        match &self.result {
            SyscallResult::Return(value @ -4095..0) => {
                write!(f, " = {value} ({:?})", Errno(-*value as i32))
            }
            SyscallResult::Return(value) => {
                f.write_str(" = ")?;
                write_argument(f, *value as u64, None)
            }
            SyscallResult::Exit(_) => Ok(()),
            SyscallResult::Killed(signal) => write!(f, " kills the process, signal {}", signal.0),
            SyscallResult::RunHandler(_) => f.write_str(" runs a signal handler"),
            SyscallResult::SetThreadPointer(_) => f.write_str(" = 0"),
            SyscallResult::Fault { address, .. } => {
                write!(
                    f,
                    " was given {address:#x}, which the process may not access"
                )
            }
            SyscallResult::Unsupported(why) => write!(f, " is not modelled: {why}"),
        }
    }
}

/// Small numbers in decimal, with their sign as `int`; flags and addresses in hexadecimal.
fn write_argument(f: &mut fmt::Formatter<'_>, value: u64, path: Option<&str>) -> fmt::Result {
    const SMALL: i64 = 10_000;
    if let Some(path) = path {
        return write!(f, "{path:?}");
    }
    let as_int = i64::from(value as u32 as i32);
    if (value as i64).abs() < SMALL {
        write!(f, "{}", value as i64)
    } else if value <= u64::from(u32::MAX) && (-SMALL..0).contains(&as_int) {
        write!(f, "{as_int}")
    } else {
        write!(f, "{value:#x}")
    }
}
