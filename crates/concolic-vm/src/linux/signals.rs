//! Signals a process sends itself: dispositions, the mask, delivery.
//!
//! No signal comes from outside, so one can only become deliverable during a system call. Delivery to
//! a handler is a contract with the machine: it gets a [`HandlerCall`], calls the function with the
//! three arguments, and when that returns asks [`Kernel::handler_returned`] how to go on.

use super::bytes::BytesView;
use super::errno::Errno;
use super::user_memory::{Layout, Protection, UserMemory, write_plain};
use super::{Kernel, Outcome, SyscallResult};

/// A signal number, 1 to 64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Signal(pub u8);

impl Signal {
    pub const SIGABRT: Signal = Signal(6);
    pub const SIGKILL: Signal = Signal(9);
    pub const SIGSEGV: Signal = Signal(11);
    pub const SIGPIPE: Signal = Signal(13);
    pub const SIGCHLD: Signal = Signal(17);
    pub const SIGCONT: Signal = Signal(18);
    pub const SIGSTOP: Signal = Signal(19);
    pub const SIGTSTP: Signal = Signal(20);
    pub const SIGTTIN: Signal = Signal(21);
    pub const SIGTTOU: Signal = Signal(22);
    pub const SIGURG: Signal = Signal(23);
    pub const SIGWINCH: Signal = Signal(28);

    fn bit(self) -> u64 {
        1 << (self.0 - 1)
    }

    fn new(number: u64) -> Result<Signal, Errno> {
        match number as i32 {
            number @ 1..=64 => Ok(Signal(number as u8)),
            _ => Err(Errno::EINVAL),
        }
    }
}

impl std::fmt::Display for Signal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const NAMES: [&str; 31] = [
            "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV",
            "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN",
            "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
        ];
        match NAMES.get(usize::from(self.0) - 1) {
            Some(name) => write!(f, "SIG{name}"),
            None => write!(f, "real-time signal {}", self.0),
        }
    }
}

/// The machine calls `handler(arguments...)`, then [`Kernel::handler_returned`] with `frame`. If the
/// guest leaves the handler by `longjmp`, nothing needs to be called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HandlerCall {
    pub signal: Signal,
    /// The guest function.
    pub handler: u64,
    /// The signal number, and with `SA_SIGINFO` a `siginfo_t *` and an all-zero `ucontext_t *`.
    pub arguments: [u64; 3],
    pub frame: u32,
}

const SIG_DFL: u64 = 0;
const SIG_IGN: u64 = 1;

const SA_SIGINFO: u64 = 4;
const SA_NODEFER: u64 = 0x4000_0000;
const SA_RESETHAND: u64 = 0x8000_0000;

/// `SIGKILL` and `SIGSTOP`.
const UNBLOCKABLE: u64 = 1 << 8 | 1 << 18;

const SIGINFO_BYTES: u64 = 128;
const UCONTEXT_BYTES: u64 = 968;

/// `struct sigaction` as the kernel has it: handler, flags, restorer, mask.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Action {
    handler: u64,
    flags: u64,
    restorer: u64,
    mask: u64,
}

/// What to restore when a handler returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Frame {
    mask: u64,
    /// The result of the interrupted system call.
    result: i64,
    /// Memory handed to an `SA_SIGINFO` handler.
    information: Option<u64>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Signals {
    actions: [Action; 64],
    mask: u64,
    pending: u64,
    frames: Vec<Frame>,
    /// `stack_t`: address, flags, size.
    alternate_stack: (u64, u32, u64),
}

impl Default for Signals {
    fn default() -> Signals {
        const SS_DISABLE: u32 = 2;
        Signals {
            actions: [Action::default(); 64],
            mask: 0,
            pending: 0,
            frames: Vec::new(),
            alternate_stack: (0, SS_DISABLE, 0),
        }
    }
}

impl Signals {
    fn action(&mut self, signal: Signal) -> &mut Action {
        &mut self.actions[usize::from(signal.0) - 1]
    }

    /// Whether the disposition is to do nothing.
    fn is_ignored(&mut self, signal: Signal) -> bool {
        let ignored_by_default = [
            Signal::SIGCHLD,
            Signal::SIGCONT,
            Signal::SIGURG,
            Signal::SIGWINCH,
        ];
        match self.action(signal).handler {
            SIG_IGN => true,
            SIG_DFL => ignored_by_default.contains(&signal),
            _ => false,
        }
    }
}

impl Kernel {
    /// Whether the program handles or ignores a signal that an error of its own raises natively.
    pub fn handles_faults(&self) -> bool {
        /// `SIGILL`, `SIGTRAP`, `SIGBUS`, `SIGFPE` and `SIGSEGV`.
        const FAULTS: [usize; 5] = [4, 5, 7, 8, 11];
        let handler = |signal: usize| self.signals.actions[signal - 1].handler;
        FAULTS.into_iter().any(|signal| handler(signal) != SIG_DFL)
    }

    /// Makes a signal pending for this process.
    pub(super) fn raise(&mut self, signal: Signal) {
        let blocked = self.signals.mask & signal.bit() != 0;
        if blocked || !self.signals.is_ignored(signal) {
            self.signals.pending |= signal.bit();
        }
    }

    /// Ends a system call that would return `result`: pending signals come first.
    pub(super) fn deliver_signals(
        &mut self,
        memory: &mut dyn UserMemory,
        result: i64,
    ) -> SyscallResult {
        loop {
            let deliverable = self.signals.pending & !self.signals.mask;
            if deliverable == 0 {
                return SyscallResult::Return(result);
            }
            let signal = Signal(deliverable.trailing_zeros() as u8 + 1);
            self.signals.pending &= !signal.bit();
            if self.signals.is_ignored(signal) {
                continue;
            }
            let action = *self.signals.action(signal);
            if action.handler == SIG_DFL {
                return default_action(signal);
            }
            return self.enter_handler(memory, signal, action, result);
        }
    }

    fn enter_handler(
        &mut self,
        memory: &mut dyn UserMemory,
        signal: Signal,
        action: Action,
        result: i64,
    ) -> SyscallResult {
        let mut arguments = [signal.0.into(), 0, 0];
        let mut information = None;
        if action.flags & SA_SIGINFO != 0 {
            const SI_TKILL: i32 = -6;
            let siginfo = Layout::default()
                .u32(signal.0.into())
                .u32(0)
                .u32(SI_TKILL as u32)
                .u32(0)
                .u32(self.process.pid)
                .u32(self.credentials.uid);
            let length = SIGINFO_BYTES + UCONTEXT_BYTES;
            let content = BytesView::concrete(&siginfo.0);
            let Some(address) = memory.map(length, content, Protection::READ_WRITE) else {
                return SyscallResult::Killed(Signal::SIGSEGV);
            };
            information = Some(address);
            arguments[1] = address;
            arguments[2] = address + SIGINFO_BYTES;
        }
        if action.flags & SA_RESETHAND != 0 {
            self.signals.action(signal).handler = SIG_DFL;
        }
        let frame = self.signals.frames.len() as u32;
        self.signals.frames.push(Frame {
            mask: self.signals.mask,
            result,
            information,
        });
        self.signals.mask |= action.mask & !UNBLOCKABLE;
        if action.flags & SA_NODEFER == 0 {
            self.signals.mask |= signal.bit();
        }
        SyscallResult::RunHandler(HandlerCall {
            signal,
            handler: action.handler,
            arguments,
            frame,
        })
    }

    /// The blocked signals, for `sigsetjmp`.
    pub fn signal_mask(&self) -> u64 {
        self.signals.mask
    }

    /// Restores a mask; signals that it no longer blocks are delivered at the next system call.
    pub fn set_signal_mask(&mut self, mask: u64) {
        self.signals.mask = mask & !UNBLOCKABLE;
    }

    /// A handler has returned: its mask is undone; the next pending signal or the interrupted call's
    /// result follows.
    ///
    /// Panics if the frame is not that of a handler that was entered and has not returned.
    pub fn handler_returned(&mut self, memory: &mut dyn UserMemory, frame: u32) -> SyscallResult {
        // Frames above it belong to handlers that were left by longjmp.
        let left = self.signals.frames.split_off(frame as usize);
        for information in left.iter().filter_map(|frame| frame.information) {
            memory.unmap(information);
        }
        self.signals.mask = left[0].mask;
        self.deliver_signals(memory, left[0].result)
    }

    pub(super) fn rt_sigaction(
        &mut self,
        memory: &mut dyn UserMemory,
        signal: u64,
        new: u64,
        old: u64,
        set_size: u64,
    ) -> Outcome {
        check_set_size(set_size)?;
        let replacement = if new == 0 {
            None
        } else {
            let (handler, flags) = self.read_pair(memory, new)?;
            let (restorer, mask) = self.read_pair(memory, new.wrapping_add(16))?;
            Some(Action {
                handler,
                flags,
                restorer,
                mask,
            })
        };
        let signal = Signal::new(signal)?;
        if replacement.is_some() && signal.bit() & UNBLOCKABLE != 0 {
            return Err(Errno::EINVAL.into());
        }
        let previous = *self.signals.action(signal);
        if let Some(replacement) = replacement {
            *self.signals.action(signal) = replacement;
            if self.signals.is_ignored(signal) {
                self.signals.pending &= !signal.bit();
            }
        }
        if old != 0 {
            let action = Layout::default()
                .u64(previous.handler)
                .u64(previous.flags)
                .u64(previous.restorer)
                .u64(previous.mask);
            write_plain(memory, old, &action.0)?;
        }
        Ok(0)
    }

    pub(super) fn rt_sigprocmask(
        &mut self,
        memory: &mut dyn UserMemory,
        how: u64,
        new: u64,
        old: u64,
        set_size: u64,
    ) -> Outcome {
        check_set_size(set_size)?;
        let previous = self.signals.mask;
        if new != 0 {
            let set = self.read_u64(memory, new)? & !UNBLOCKABLE;
            self.signals.mask = match how as i32 {
                0 => previous | set,
                1 => previous & !set,
                2 => set,
                _ => return Err(Errno::EINVAL.into()),
            };
        }
        if old != 0 {
            write_plain(memory, old, &previous.to_le_bytes())?;
        }
        Ok(0)
    }

    pub(super) fn rt_sigpending(
        &mut self,
        memory: &mut dyn UserMemory,
        set: u64,
        set_size: u64,
    ) -> Outcome {
        if set_size > 8 {
            return Err(Errno::EINVAL.into());
        }
        let pending = self.signals.pending & self.signals.mask;
        write_plain(memory, set, &pending.to_le_bytes()[..set_size as usize])?;
        Ok(0)
    }

    /// Returns at once if a signal is pending; nobody else could send one.
    pub(super) fn rt_sigsuspend(
        &mut self,
        memory: &dyn UserMemory,
        set: u64,
        set_size: u64,
    ) -> Outcome {
        check_set_size(set_size)?;
        let mask = self.read_u64(memory, set)? & !UNBLOCKABLE;
        if self.signals.pending & !mask == 0 {
            return self.unsupported("waits for ever: no signal is pending");
        }
        self.unsupported("a temporary signal mask with a pending signal is not modelled")
    }

    pub(super) fn pause(&mut self) -> Outcome {
        self.unsupported("waits for ever: no signal is pending")
    }

    pub(super) fn rt_sigtimedwait(
        &mut self,
        memory: &mut dyn UserMemory,
        [set, information, timeout, set_size, ..]: [u64; 6],
    ) -> Outcome {
        check_set_size(set_size)?;
        let set = self.read_u64(memory, set)? & !UNBLOCKABLE;
        let waiting = self.signals.pending & set;
        if waiting != 0 {
            let signal = Signal(waiting.trailing_zeros() as u8 + 1);
            self.signals.pending &= !signal.bit();
            if information != 0 {
                let siginfo = Layout::default()
                    .u32(signal.0.into())
                    .zeros(12)
                    .u32(self.process.pid)
                    .u32(self.credentials.uid)
                    .zeros(104);
                write_plain(memory, information, &siginfo.0)?;
            }
            return Ok(signal.0.into());
        }
        if timeout == 0 {
            return self.unsupported("waits for ever: no signal is pending");
        }
        self.nanosleep(memory, timeout)?;
        Err(Errno::EAGAIN.into())
    }

    pub(super) fn sigaltstack(
        &mut self,
        memory: &mut dyn UserMemory,
        new: u64,
        old: u64,
    ) -> Outcome {
        const SS_DISABLE: u32 = 2;
        const MINSIGSTKSZ: u64 = 2048;
        let previous = self.signals.alternate_stack;
        if new != 0 {
            let (address, flags) = self.read_pair(memory, new)?;
            let size = self.read_u64(memory, new.wrapping_add(16))?;
            let flags = flags as u32;
            match flags & !0x8000_0000 {
                SS_DISABLE => self.signals.alternate_stack = (0, SS_DISABLE, 0),
                0 | 1 if size < MINSIGSTKSZ => return Err(Errno::ENOMEM.into()),
                0 | 1 => self.signals.alternate_stack = (address, flags & !1, size),
                _ => return Err(Errno::EINVAL.into()),
            }
        }
        if old != 0 {
            let stack = Layout::default()
                .u64(previous.0)
                .u32(previous.1)
                .u32(0)
                .u64(previous.2);
            write_plain(memory, old, &stack.0)?;
        }
        Ok(0)
    }

    /// `kill`: process 0, -1 and the process group can only mean this process.
    pub(super) fn kill(&mut self, pid: u64, signal: u64) -> Outcome {
        let pid = pid as i32;
        let own = self.process.pid as i32;
        if ![own, 0, -own].contains(&pid) {
            if pid == -1 {
                // Everybody but the caller and init: nobody.
                return self.unsupported("signals to other processes are not modelled");
            }
            return Err(Errno::ESRCH.into());
        }
        self.send_to_self(signal)
    }

    pub(super) fn tgkill(&mut self, group: u64, thread: u64, signal: u64) -> Outcome {
        if (group as i32) <= 0 || (thread as i32) <= 0 {
            return Err(Errno::EINVAL.into());
        }
        let own = self.process.pid;
        if group as u32 != own || thread as u32 != own {
            return Err(Errno::ESRCH.into());
        }
        self.send_to_self(signal)
    }

    fn send_to_self(&mut self, signal: u64) -> Outcome {
        if signal as i32 == 0 {
            return Ok(0);
        }
        let signal = Signal::new(signal)?;
        self.raise(signal);
        Ok(0)
    }
}

fn check_set_size(size: u64) -> Result<(), Errno> {
    if size == 8 {
        Ok(())
    } else {
        Err(Errno::EINVAL)
    }
}

fn default_action(signal: Signal) -> SyscallResult {
    let stops = [
        Signal::SIGSTOP,
        Signal::SIGTSTP,
        Signal::SIGTTIN,
        Signal::SIGTTOU,
    ];
    if stops.contains(&signal) {
        let number = signal.0;
        return SyscallResult::Unsupported(format!(
            "signal {number}: stopping the process is not modelled"
        ));
    }
    SyscallResult::Killed(signal)
}
