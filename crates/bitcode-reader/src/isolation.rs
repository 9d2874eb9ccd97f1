//! Runs work in a forked child, so that a crash in it is an answer and not our end.
//!
//! Forking, rather than starting a fresh process, keeps what the dynamic linker and
//! LLVM's static constructors have done: the child starts in about a millisecond. The
//! process has one thread, so the child inherits no lock that nobody will release.
#![allow(unsafe_code)]

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsRawFd, FromRawFd};
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

/// What one child may use up. Some damage sends LLVM's reader into an endless loop.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) cpu_seconds: u64,
    pub(crate) memory_bytes: u64,
}

const FAILED: i32 = 2;
const PANICKED: i32 = 3;

pub(crate) fn run(limits: Limits, work: impl FnOnce() -> Result<(), String>) -> io::Result<Ending> {
    let (mut answer, mut child_answer) = io::pipe()?;
    let mut chatter = anonymous_file()?;
    // SAFETY: there is one thread (see the header); the child leaves by `_exit` only.
    let child = match unsafe { libc::fork() } {
        -1 => return Err(io::Error::last_os_error()),
        0 => {
            // SAFETY: both are open. What LLVM or a panic has to say is not for the user.
            unsafe { libc::dup2(chatter.as_raw_fd(), libc::STDERR_FILENO) };
            // SAFETY: changes nothing but what happens to the child when its parent dies.
            unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
            limit(limits);
            let code = match catch_unwind(AssertUnwindSafe(work)) {
                Ok(Ok(())) => 0,
                Ok(Err(why)) => {
                    // If the parent is gone, nobody wants to know.
                    let _ = child_answer.write_all(why.as_bytes());
                    FAILED
                }
                Err(_) => PANICKED,
            };
            // SAFETY: ends the child without running what was registered for the parent.
            unsafe { libc::_exit(code) }
        }
        child => child,
    };
    drop(child_answer);
    let mut why = String::new();
    let heard = answer.read_to_string(&mut why);
    let status = wait(child)?;
    heard?;
    let code = match libc::WIFSIGNALED(status) {
        true => None,
        false => Some(libc::WEXITSTATUS(status)),
    };
    if code == Some(0) {
        return Ok(Ending::Done);
    }
    if code == Some(FAILED) {
        return Ok(Ending::Failed(why));
    }
    let mut said = Vec::new();
    chatter.rewind()?;
    chatter.read_to_end(&mut said)?;
    let said = one_line(&String::from_utf8_lossy(&said));
    Ok(match code {
        Some(PANICKED) => Ending::Panicked(said),
        code => Ending::Died {
            how: match code {
                Some(code) => format!("exit {code}"),
                None if libc::WTERMSIG(status) == libc::SIGXCPU => {
                    format!("no end after {} s", limits.cpu_seconds)
                }
                None => format!("signal {}", libc::WTERMSIG(status)),
            },
            last_words: said,
        },
    })
}

/// A file without a name, for more text than a pipe holds while nobody reads it.
fn anonymous_file() -> io::Result<File> {
    const FLAGS: libc::c_int = libc::O_TMPFILE | libc::O_RDWR | libc::O_CLOEXEC;
    // SAFETY: a new descriptor that nobody else owns.
    unsafe {
        match libc::memfd_create(c"stderr".as_ptr(), libc::MFD_CLOEXEC) {
            // In a sandbox there are no files that lie in no folder.
            -1 => match libc::open(c"/tmp".as_ptr(), FLAGS, 0o600) {
                -1 => Err(io::Error::last_os_error()),
                descriptor => Ok(File::from_raw_fd(descriptor)),
            },
            descriptor => Ok(File::from_raw_fd(descriptor)),
        }
    }
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
            // A second more than the limit that gives the signal of its name.
            rlim_max: most.saturating_add(1),
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
    const MOST: usize = 200;
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut line = words.join(" ");
    if line.len() > MOST {
        let end = (0..=MOST).rev().find(|&at| line.is_char_boundary(at));
        line.truncate(end.unwrap_or(0));
        line.push('…');
    }
    line
}
