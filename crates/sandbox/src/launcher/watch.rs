//! Waiting for a program to end, while it stays within its limits.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::folder::is_too_large;
use super::kernel::{self, Reaped, Status};
use super::usage::{self, Held, SharedMemory};
use crate::{End, Limit, Limits};

/// A child has ended; end now. The first process of a sandbox is not told to end, it is killed: programs inside can signal it.
pub(super) const SIGNALS: [i32; 2] = [libc::SIGCHLD, libc::SIGTERM];
/// What it waits for. From inside, nothing else reaches it: the kernel drops what such a process neither holds back nor handles.
pub(super) const SIGNALS_INSIDE: [i32; 1] = [libc::SIGCHLD];

/// Between two looks at what is used up. A program can fill some tens of megabytes in it.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// Where there is nothing to look at.
const LONG: Duration = Duration::from_secs(3600);
/// So many children are reaped at once, at most.
const MOST_REAPED: u32 = 64;
/// Looking through a folder, or at what each process holds, takes longer.
const BETWEEN_LONG_LOOKS: Duration = Duration::from_millis(100);

/// For each process that there may be: what `/proc` says of its mappings and locks. A program with few libraries needs 3 KB of it; the others
/// may have what it does not use.
const DESCRIBED_BYTES: u64 = 128 << 10;

/// Whose processes are looked at.
#[derive(Clone, Copy)]
pub(super) enum Members<'m> {
    /// All that `/proc` shows, but this one; and folders that have no other bound than this.
    All(&'m [PathBuf]),
    /// The descendants of this process; the folder has no other bound than this.
    Descendants(&'m Path),
    /// None: somebody else watches.
    Nobody,
}

/// Waits for the end of `program`, and reaps what else ends. `memory` is the host's `/proc/meminfo`.
pub(super) fn attend(
    program: i32,
    limits: &Limits,
    members: Members<'_>,
    memory: Option<&File>,
) -> End {
    let mut watch = Watch {
        limits,
        members,
        shared: memory.and_then(SharedMemory::begin),
        next_long_look: Instant::now() + BETWEEN_LONG_LOOKS,
    };
    if !matches!(members, Members::Nobody) {
        // After the program was started, which would inherit it. Older kernels know of no such wish.
        let _ = kernel::ask_for_short_turns();
    }
    let between_looks = match members {
        Members::Nobody => LONG,
        Members::All(_) | Members::Descendants(_) => BETWEEN_LOOKS,
    };
    // A moment, not a time to wait: a program can have children of its children end as often as it likes, and each is a signal.
    let mut next_look = Instant::now() + between_looks;
    let signals = match members {
        Members::All(_) => &SIGNALS_INSIDE[..],
        Members::Descendants(_) | Members::Nobody => &SIGNALS,
    };
    loop {
        let time = match reap_some(program) {
            Turn::Over(end) => return end,
            Turn::More => Duration::ZERO,
            Turn::Idle => next_look.saturating_duration_since(Instant::now()),
        };
        // Of two that wait, the kernel gives the one with the smaller number.
        if kernel::wait_signal(signals, time) == Some(libc::SIGTERM) {
            return End::Stopped;
        }
        if Instant::now() < next_look {
            continue;
        }
        if let Some(limit) = watch.exceeded() {
            return End::Limit(limit);
        }
        next_look = Instant::now() + between_looks;
    }
}

/// What has become of the children.
enum Turn {
    /// The program has ended.
    Over(End),
    /// There may be more that have ended.
    More,
    Idle,
}

/// Reaps some of what has ended: no stream of others keeps from looking.
fn reap_some(program: i32) -> Turn {
    for _ in 0..MOST_REAPED {
        match kernel::reap(false) {
            Reaped::Ended(child, status) if child == program => {
                return Turn::Over(match status {
                    Status::Exited(code) => End::Exited(code),
                    Status::Killed(signal) => End::Killed(signal),
                });
            }
            Reaped::Ended(..) => {}
            Reaped::Running | Reaped::NoChild => return Turn::Idle,
        }
    }
    Turn::More
}

struct Watch<'w> {
    limits: &'w Limits,
    members: Members<'w>,
    shared: Option<SharedMemory<'w>>,
    next_long_look: Instant,
}

impl Watch<'_> {
    /// The limit that is exceeded now.
    fn exceeded(&mut self) -> Option<Limit> {
        let processes = match self.members {
            Members::Nobody => return None,
            Members::All(_) => usage::others(),
            Members::Descendants(_) => usage::descendants(),
        };
        let memory: u64 = processes.iter().map(|process| process.memory_bytes).sum();
        let threads: u64 = processes.iter().map(|process| process.threads).sum();
        if memory > self.limits.memory_bytes {
            return Some(Limit::Memory);
        }
        if threads > self.limits.processes {
            return Some(Limit::Processes);
        }
        // Where there are sockets, they are in a network of the run's own.
        let sockets = match self.members {
            Members::All(_) => usage::sockets(),
            Members::Descendants(_) | Members::Nobody => 0,
        };
        if sockets > self.limits.descriptors
            || usage::have_more_descriptors(&processes, self.limits.descriptors)
        {
            return Some(Limit::Descriptors);
        }
        if Instant::now() < self.next_long_look {
            return None;
        }
        let before = kernel::processor_time();
        let limit = self.exceeded_on_a_long_look(&processes);
        // Looking through much takes a tenth of a processor at most. What it waits for others' turns is not its own time: on a busy machine
        // it would look too seldom.
        let spent = kernel::processor_time().saturating_sub(before);
        self.next_long_look = Instant::now() + BETWEEN_LONG_LOOKS.max(10 * spent);
        limit
    }

    fn exceeded_on_a_long_look(&self, processes: &[usage::Process]) -> Option<Limit> {
        let limits = self.limits;
        let most_described = limits.processes.saturating_mul(DESCRIBED_BYTES);
        let held = Held::by(processes, most_described);
        if held.described_bytes > most_described {
            return Some(Limit::Memory);
        }
        if held.descriptors > limits.descriptors {
            return Some(Limit::Descriptors);
        }
        let shared = self.shared.as_ref().map_or(0, SharedMemory::growth);
        if shared > limits.memory_bytes && held.shares_memory {
            return Some(Limit::Memory);
        }
        let is_too_much = match self.members {
            Members::Nobody => false,
            Members::All(folders) => {
                let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
                !folders.is_empty() && is_too_large(&folders, limits, &held)
            }
            // Nothing but looking bounds what is on the host's disk: what cannot be seen must not be.
            Members::Descendants(folder) => {
                held.is_hidden || is_too_large(&[folder], limits, &held)
            }
        };
        is_too_much.then_some(Limit::Folder)
    }
}
