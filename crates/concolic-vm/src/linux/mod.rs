//! A modelled Linux kernel: what a guest program's system calls mean.
//!
//! The kernel does no input or output of its own and reads no clock: everything a program can
//! observe comes from the [`KernelConfig`], so equal configurations give equal runs. It can be cloned
//! at any time, which is how a snapshot of a process is taken.
//!
//! **Specification.** The man pages of section 2, and for the order of checks the kernel's own; the
//! test `differential` runs random sequences of calls here and on the real kernel. Each `impl Kernel`
//! block is in the file of its man-page area. What is not modelled is [`SyscallResult::Unsupported`]
//! with the call's name and the reason, never a made-up result.
//!
//! **Symbolic data** passes through: bytes in files, pipes and output streams keep their terms. Where
//! the kernel must look at a symbolic byte itself (a path), it uses the concrete value and notes a
//! [`Concretisation`].
//!
//! Deviations that programs could see: the clock stands still except for sleeping; access times are
//! not updated by reading; files have no holes; directories list in creation order.

mod bytes;
mod changes;
mod config;
mod descriptors;
mod directories;
mod dispatch;
mod errno;
mod file_system;
mod files;
mod memory;
mod named_outside;
mod open_files;
mod paths;
mod process;
mod random;
mod readiness;
mod record;
mod signals;
mod status;
mod time;
mod transfer;
mod user_memory;

use std::collections::BTreeSet;
use std::sync::Arc;

pub use bytes::{Bytes, BytesView};
pub use changes::{FileChange, FileState};
pub use config::{ConfigError, FileConfig, FileKind, KernelConfig, Limits, StandardStream};
pub use errno::Errno;
pub use file_system::Credentials;
pub use named_outside::{MOST_NAMED, NamedOutside};
pub use record::CallRecord;
pub use signals::{HandlerCall, Signal};
pub use user_memory::{Concretisation, Protection, UserMemory};

pub use program_ir::syscall_table;

use ::random::SplitMix;
use file_system::{FileSystem, InodeId, Node};
use named_outside::is_the_systems;

/// What the machine does after a system call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SyscallResult {
    /// The call returns this; an error is a negative error number.
    Return(i64),
    /// The process ends with this status (0 to 255).
    Exit(i32),
    /// The process dies of a signal whose default action is to kill.
    Killed(Signal),
    /// The machine calls a signal handler of the guest; when that returns, it asks
    /// [`Kernel::handler_returned`] what the system call's result is.
    RunHandler(HandlerCall),
    /// `arch_prctl(ARCH_SET_FS)`: the thread pointer becomes this and the call returns 0.
    SetThreadPointer(u64),
    /// The guest passed memory it may not access. The real kernel would return `-EFAULT`
    /// ([`Errno::EFAULT`]) or silently use neighbouring memory, as chance will have it; the machine
    /// decides whether this is that error or a memory error of the program.
    Fault {
        address: u64,
        length: u64,
        write: bool,
    },
    /// The model ends here: `socket (41): networking is not modelled`.
    Unsupported(String),
}

/// The state of the modelled kernel for one process.
#[derive(Clone, Debug)]
pub struct Kernel {
    files: FileSystem,
    /// The file system as it was at the start, to tell what changed.
    initial_files: Arc<FileSystem>,
    open_files: open_files::OpenFiles,
    /// The inodes behind descriptors 0, 1 and 2 at the start.
    streams: [Option<InodeId>; 3],
    working_directory: InodeId,
    credentials: Credentials,
    umask: u32,
    process: process::Process,
    signals: signals::Signals,
    memory: memory::Mappings,
    clock: time::Clock,
    random: SplitMix,
    limits: Limits,
    /// The number of the system call being executed.
    current: u64,
    notes: Notes,
}

/// What is noted of the calls for whoever looks at the run. No answer to the guest depends on it.
#[derive(Clone, Debug)]
struct Notes {
    concretisations: Vec<Concretisation>,
    output_order: Vec<OutputPiece>,
    /// See [`Kernel::missing_files`].
    missing_files: BTreeSet<Vec<u8>>,
    named_outside: NamedOutside,
    /// Whether names that have no terms do not depend on symbolic input.
    names_are_fixed: bool,
    recorder: record::Recorder,
}

impl Default for Notes {
    fn default() -> Notes {
        Notes {
            concretisations: Vec::new(),
            output_order: Vec::new(),
            missing_files: BTreeSet::new(),
            named_outside: NamedOutside::default(),
            names_are_fixed: true,
            recorder: record::Recorder::default(),
        }
    }
}

/// Files that do not exist whose names are kept.
pub const MOST_MISSING: usize = 8;

/// Bytes that were written to one output stream before the other one was written to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutputPiece {
    /// 1 or 2.
    pub descriptor: usize,
    pub length: usize,
}

/// Why a system call does not simply return a value.
enum Interrupt {
    Error(Errno),
    Stop(SyscallResult),
}

type Outcome<T = i64> = Result<T, Interrupt>;

impl From<Errno> for Interrupt {
    fn from(errno: Errno) -> Interrupt {
        Interrupt::Error(errno)
    }
}

impl Kernel {
    /// Whether every system call from here on does the same, and what was put out so far is the same.
    pub(crate) fn is_like(&self, other: &Kernel) -> bool {
        self.files == other.files
            && self.open_files == other.open_files
            && self.streams == other.streams
            && self.working_directory == other.working_directory
            && self.credentials == other.credentials
            && self.umask == other.umask
            && self.process == other.process
            && self.signals == other.signals
            && self.memory == other.memory
            && self.clock == other.clock
            && self.random == other.random
            && self.limits == other.limits
            && self.notes.concretisations == other.notes.concretisations
            && self.notes.output_order == other.notes.output_order
    }

    /// Some files that were opened and do not exist, by the names that the program used. Names that depend on symbolic input are
    /// left out, and so is what the C library looks for by itself.
    pub fn missing_files(&self) -> &BTreeSet<Vec<u8>> {
        &self.notes.missing_files
    }

    /// Whether something was taken from standard input: a program that reads none of it does the same whatever is there.
    pub fn has_read_stdin(&self) -> bool {
        let node = self.streams[0].map(|stream| &self.files.inode(stream).node);
        match node {
            Some(Node::Pipe(pipe)) => pipe.consumed > 0,
            Some(_) => true,
            None => false,
        }
    }

    fn note_missing(&mut self, path: &[u8]) {
        let is_fixed = self.notes.names_are_fixed && self.notes.concretisations.is_empty();
        if is_fixed && !is_the_systems(path) && self.notes.missing_files.len() < MOST_MISSING {
            self.notes.missing_files.insert(path.to_vec());
        }
    }

    /// Executes one system call of the guest.
    pub fn syscall(
        &mut self,
        memory: &mut dyn UserMemory,
        number: u64,
        args: [u64; 6],
    ) -> SyscallResult {
        if !self.notes.recorder.is_on() {
            return self.answer(memory, number, args);
        }
        let paths = record::paths(memory, number, &args);
        let result = self.answer(memory, number, args);
        self.notes.recorder.add(CallRecord {
            number,
            args,
            paths,
            result: result.clone(),
        });
        result
    }

    fn answer(
        &mut self,
        memory: &mut dyn UserMemory,
        number: u64,
        args: [u64; 6],
    ) -> SyscallResult {
        self.current = number;
        let result = match self.dispatch(memory, number, args) {
            Ok(value) => value,
            Err(Interrupt::Error(errno)) => -i64::from(errno.0),
            Err(Interrupt::Stop(result)) => return result,
        };
        self.deliver_signals(memory, result)
    }

    /// The user and group that the process runs as.
    pub fn user(&self) -> (u32, u32) {
        (self.credentials.uid, self.credentials.gid)
    }

    /// Everything written to standard output so far.
    pub fn stdout(&self) -> Bytes {
        self.stream(1)
    }

    /// Everything written to standard error so far.
    pub fn stderr(&self) -> Bytes {
        self.stream(2)
    }

    /// How the writes to standard output and standard error followed each other, as far as these
    /// are pipes.
    pub fn output_order(&self) -> &[OutputPiece] {
        &self.notes.output_order
    }

    fn stream(&self, index: usize) -> Bytes {
        match self.streams[index].map(|id| &self.files.inode(id).node) {
            Some(Node::File(content)) => content.clone(),
            Some(Node::Pipe(pipe)) => pipe.content.clone(),
            _ => Bytes::default(),
        }
    }

    /// Takes the notes of symbolic bytes that were used as their concrete values since last asked.
    pub fn take_concretisations(&mut self) -> Vec<Concretisation> {
        std::mem::take(&mut self.notes.concretisations)
    }

    /// Computes every byte of files and streams that has a term anew, because the input is
    /// now another one.
    pub(crate) fn reassign_terms(&mut self, value_of: &mut dyn FnMut(u32) -> u8) {
        let initial = Arc::make_mut(&mut self.initial_files);
        let reassign = &mut |content: &mut Bytes| content.reassign_terms(value_of);
        self.files.change_symbolic(initial, reassign);
    }

    /// From now on all bytes of files and streams are only what they are.
    pub(crate) fn forget_terms(&mut self) {
        let initial = Arc::make_mut(&mut self.initial_files);
        self.files
            .change_symbolic(initial, &mut Bytes::forget_terms);
        self.notes.names_are_fixed = false;
    }

    /// Ends the call as not modelled, for the given reason.
    fn unsupported<T>(&self, reason: &str) -> Outcome<T> {
        let call = syscall_table::describe(self.current);
        Err(Interrupt::Stop(SyscallResult::Unsupported(format!(
            "{call}: {reason}"
        ))))
    }
}
