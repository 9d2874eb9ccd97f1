//! Runs work in a forked child, so that a crash in it is an answer and not our end.
//!
//! Forking, rather than starting a fresh process, keeps what the dynamic linker and
//! LLVM's static constructors have done: the child starts in about a millisecond. The
//! process has one thread, so the child inherits no lock that nobody will release.
#![allow(unsafe_code)]

use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub(crate) enum Ending {
    Done,
    /// The work returned this.
    Failed(String),
    Panicked(String),
    /// By a signal or an exit that the work did not ask for.
    Died {
        how: String,
        last_words: String,
    },
}

/// What one child may use up; the machine belongs to others too.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) cpu_seconds: u64,
    pub(crate) memory_bytes: u64,
}

const FAILED: i32 = 2;
const PANICKED: i32 = 3;

pub(crate) fn run(limits: Limits, work: impl FnOnce() -> Result<(), String>) -> io::Result<Ending> {
    let (mut reader, writer) = io::pipe()?;
    // SAFETY: there is one thread (see the header); the child leaves by `_exit` only.
    let child = match unsafe { libc::fork() } {
        -1 => return Err(io::Error::last_os_error()),
        0 => {
            drop(reader);
            // SAFETY: both are open. Until it exits, all that the child says goes to us.
            unsafe { libc::dup2(writer.as_raw_fd(), libc::STDERR_FILENO) };
            drop(writer);
            limit(limits);
            let code = match catch_unwind(AssertUnwindSafe(work)) {
                Ok(Ok(())) => 0,
                Ok(Err(why)) => {
                    // If the parent is gone, nobody wants to know.
                    let _ = io::stderr().write_all(why.as_bytes());
                    FAILED
                }
                Err(_) => PANICKED,
            };
            // SAFETY: ends the child without running what was registered for the parent.
            unsafe { libc::_exit(code) }
        }
        child => child,
    };
    drop(writer);
    let mut said = Vec::new();
    let heard = reader.read_to_end(&mut said);
    let status = wait(child)?;
    heard?;
    let said = one_line(&String::from_utf8_lossy(&said));
    let died = |how| Ending::Died {
        how,
        last_words: said.clone(),
    };
    Ok(if libc::WIFSIGNALED(status) {
        died(format!("signal {}", libc::WTERMSIG(status)))
    } else {
        match libc::WEXITSTATUS(status) {
            0 => Ending::Done,
            FAILED => Ending::Failed(said),
            PANICKED => Ending::Panicked(said),
            code => died(format!("exit {code}")),
        }
    })
}

fn limit(limits: Limits) {
    let limits = [
        (libc::RLIMIT_CPU, limits.cpu_seconds),
        (libc::RLIMIT_AS, limits.memory_bytes),
        // A crash is expected, its core dump is not wanted.
        (libc::RLIMIT_CORE, 0),
    ];
    for (resource, most) in limits {
        let most = libc::rlimit {
            rlim_cur: most,
            rlim_max: most,
        };
        // SAFETY: passes a valid structure. A limit that cannot be set (above one that is
        // already there) is no loss.
        unsafe { libc::setrlimit(resource, &most) };
    }
}

fn wait(child: libc::pid_t) -> io::Result<i32> {
    loop {
        let mut status = 0;
        // SAFETY: our own child, waited for once.
        if unsafe { libc::waitpid(child, &mut status, 0) } == child {
            return Ok(status);
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Messages of LLVM and of panics have several lines; ours have one of bounded length.
fn one_line(text: &str) -> String {
    const MOST: usize = 400;
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut line = words.join(" ");
    if line.len() > MOST {
        let end = (0..=MOST).rev().find(|&at| line.is_char_boundary(at));
        line.truncate(end.unwrap_or(0));
        line.push('…');
    }
    line
}
