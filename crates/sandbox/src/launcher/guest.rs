//! The last steps of a process before it becomes the program.

use std::ffi::CString;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::{Because, Failure, NOBODY, Outcome, c_bytes, c_path, kernel, seccomp};
use crate::request::Request;
use crate::{Level, Limits};

/// Descriptors of one process.
pub(super) const MOST_DESCRIPTORS: u64 = 1024;

/// A program as the kernel wants it.
pub(super) struct Ready {
    executable: CString,
    arguments: Vec<CString>,
    environment: Vec<CString>,
}

impl Ready {
    /// `executable` and `variables` are where the program finds them.
    pub(super) fn new(request: &Request, executable: &Path, variables: &Path) -> Outcome<Ready> {
        let program = &request.program;
        let mut environment = Vec::new();
        for (name, value) in &program.environment {
            environment.push(c_bytes(&[name, &b"="[..], value].concat())?);
        }
        if let Some((name, _)) = &program.variables {
            let path = variables.as_os_str().as_bytes();
            environment.push(c_bytes(&[name.as_bytes(), b"=", path].concat())?);
        }
        let arguments = program.arguments.iter().map(|argument| c_bytes(argument));
        Ok(Ready {
            executable: c_path(executable)?,
            arguments: arguments.collect::<Outcome<_>>()?,
            environment,
        })
    }

    /// Becomes the program. Whatever fails is told through `failed`, which closes when the program starts.
    pub(super) fn become_program(
        &self,
        mut failed: std::io::PipeWriter,
        last_steps: impl FnOnce() -> Outcome<()>,
    ) -> ! {
        let failure = match last_steps() {
            Err(failure) => failure,
            Ok(()) => {
                let error = kernel::execute(&self.executable, &self.arguments, &self.environment);
                let path = self.executable.to_string_lossy();
                Failure::NotStarted(format!("cannot run `{path}`: {error}"))
            }
        };
        tell(&mut failed, &failure);
        kernel::exit_now(127)
    }
}

/// Tells another process of ours what went wrong.
pub(super) fn tell(pipe: &mut std::io::PipeWriter, failure: &Failure) {
    let (kind, text) = match failure {
        Failure::NoWalls(text) => ("w", text),
        Failure::NotStarted(text) => ("p", text),
    };
    // If the other one is gone, nobody wants to know.
    let _ = pipe.write_all(format!("{kind}{text}").as_bytes());
}

/// What another process of ours has told; nothing if all went well. All other ends must be closed or about to be.
pub(super) fn told(mut pipe: std::io::PipeReader) -> Outcome<()> {
    let mut text = String::new();
    let _ = pipe.read_to_string(&mut text);
    match text.split_at_checked(1) {
        None => Ok(()),
        Some(("p", text)) => Err(Failure::NotStarted(text.to_owned())),
        Some((_, text)) => Err(Failure::NoWalls(text.to_owned())),
    }
}

/// Signals, session, descriptors and limits as a new program has them.
pub(super) fn fresh_process(level: Level, limits: &Limits) -> Outcome<()> {
    kernel::default_signals().because("reset signals")?;
    kernel::setsid().because("make a session")?;
    kernel::close_others_on_exec().because("close descriptors")?;
    if level == Level::Unconfined {
        return kernel::die_with_parent(libc::SIGKILL).because("tie the program to its launcher");
    }
    // One byte, unlike none, also keeps the kernel from calling a program that collects dumps.
    let bounds = [
        (libc::RLIMIT_CORE, 1),
        (libc::RLIMIT_FSIZE, limits.file_bytes),
        (libc::RLIMIT_NOFILE, MOST_DESCRIPTORS),
        (libc::RLIMIT_MEMLOCK, 8 << 20),
        (libc::RLIMIT_MSGQUEUE, 0),
        (libc::RLIMIT_SIGPENDING, 1024),
        (libc::RLIMIT_RTPRIO, 0),
        (libc::RLIMIT_NICE, 0),
    ];
    for (resource, most) in bounds {
        kernel::limit(resource, most, most).because("limit a resource")?;
    }
    // When memory is short all the same, the program goes first.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    Ok(())
}

/// Who the program is. Root becomes nobody; another user stays who they are, and can gain nothing.
pub(super) fn unprivileged(user: Option<u32>) -> Outcome<()> {
    kernel::bound_capabilities();
    if let Some(user) = user {
        kernel::set_groups(&[user]).because("leave all groups")?;
        kernel::become_user(user, user).because("become an unprivileged user")?;
    }
    kernel::no_new_privileges().because("refuse new privileges")?;
    kernel::drop_capabilities().because("drop all capabilities")?;
    // Another user's processes do not inherit this.
    kernel::die_with_parent(libc::SIGKILL).because("tie the program to its launcher")
}

/// The system-call filter, after which nothing above is possible any more.
pub(super) fn filtered(level: Level, is_build: bool) -> Outcome<()> {
    seccomp::enforce(level, is_build)
}

/// Whom root's programs are outside of any namespace.
pub(super) fn nobody_for(user: u32) -> Option<u32> {
    (user == 0).then_some(NOBODY)
}
