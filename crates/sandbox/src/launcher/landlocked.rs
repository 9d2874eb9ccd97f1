//! The second level, for where namespaces are forbidden: Landlock and a system-call filter around a process of the host. And, by
//! the user's word alone, the same without walls.
//!
//! The launcher first gives up signalling anybody outside (a Landlock domain of its own), so that at the end one `kill(-1)` reaches
//! exactly what the program has started and is still there, however it has hidden (where a probe shows that this does not hold, descendants
//! are killed one by one). The program's own domain lies inside that one
//! and adds the rules for files.

use std::fs::File;
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::guest::{self, Ready, told};
use super::kernel::{self, Forked, Reaped};
use super::walls::{self, Files, Wall};
use super::watch::{self, Members};
use super::{Because, Failure, Outcome, SYSTEM_FILES, SYSTEM_FOLDERS, folder, usage};
use crate::request::Request;
use crate::{End, Level, Limits};

/// What the program did, and the files in its folder.
pub(super) fn run(request: &Request, place: &Path) -> Outcome<(End, folder::Left)> {
    let is_confined = request.level == Level::Landlock;
    let nobody = guest::nobody_for(kernel::identity().0).filter(|_| is_confined);
    let owner = nobody.map(|user| (user, user));
    let working = place.join("work");
    std::fs::create_dir(&working).because("make the working folder")?;
    folder::write(&working, &request.program.files, owner)?;
    let variables = place.join("variables");
    if let Some((_, content)) = &request.program.variables {
        std::fs::write(&variables, content).because("write the variables")?;
    }
    let executable = match nobody {
        // The one in root's folders could not be reached.
        Some(_) => copy(&request.program.executable, &place.join("program"))?,
        None => request.program.executable.clone(),
    };
    let ready = Ready::new(request, &executable, &variables)?;
    let limits = &request.program.limits;
    let processes = match nobody {
        None if is_confined => limits.processes + threads_of(kernel::identity().0),
        _ => limits.processes,
    };
    let null = File::options()
        .read(true)
        .write(true)
        .open("/dev/null")
        .because("open /dev/null")?;
    let meminfo = File::open("/proc/meminfo").ok();
    kernel::adopt_orphans().because("adopt orphans")?;
    if is_confined {
        walls::keep_signals_in()?;
    }
    let (failures, failed) = std::io::pipe().because("make a pipe")?;
    let program = match kernel::fork().because("start the program")? {
        Forked::Parent(program) => program,
        Forked::Child => ready.become_program(failed, || {
            guest::fresh_process(request.level, limits)?;
            std::env::set_current_dir(&working).because("enter the working folder")?;
            if !is_confined {
                return Ok(());
            }
            kernel::limit(libc::RLIMIT_NPROC, processes, processes).because("limit processes")?;
            guest::unprivileged(nobody)?;
            confine(request, &executable, &variables, &working)
        }),
    };
    drop(failed);
    kernel::let_go_of_streams(null.as_fd()).because("let go of the streams")?;
    let (limits, members) = match is_confined {
        true => (*limits, Members::Descendants(&working)),
        false => (Limits::UNLIMITED, Members::Nobody),
    };
    let end = watch::attend(program, &limits, members, meminfo.as_ref());
    kill_the_rest(program, is_confined);
    told(failures)?;
    let left = match folder::read(&working, &limits) {
        Ok(left) => (end, left),
        Err(limit) => (End::Limit(limit), folder::Left::default()),
    };
    if is_confined {
        // Who has asked could not remove what a program has made as deep or as closed as it likes.
        folder::remove(&working);
    }
    Ok(left)
}

/// Files, network, signals and calls.
fn confine(request: &Request, executable: &Path, variables: &Path, working: &Path) -> Outcome<()> {
    // A rule is about a file, not a name: this is the program's own folder there, as its number stays the same.
    let own = PathBuf::from(format!("/proc/{}", kernel::getpid()));
    let system = SYSTEM_FOLDERS.iter().chain(&SYSTEM_FILES).map(Path::new);
    let given = [executable, variables, &own].into_iter();
    let libraries = request.libraries.iter().map(PathBuf::as_path);
    let read: Vec<&Path> = system.chain(given).chain(libraries).collect();
    let files = Files {
        read: &read,
        write: &[working],
    };
    walls::restrict(&files, Wall::Only)?;
    guest::filtered(Level::Landlock, false)
}

/// Kills what the program has left behind, and waits until it is gone.
fn kill_the_rest(program: i32, is_confined: bool) {
    if !is_confined {
        // The session, as long as nobody has left it. What has left it stays: nothing confines it.
        let _ = kernel::kill(-program, libc::SIGKILL);
        let _ = kernel::kill(program, libc::SIGKILL);
        while let Reaped::Ended(..) = kernel::reap(false) {}
        return;
    }
    if is_kept_in() {
        // Everybody that this process may signal: its Landlock domain, at one moment.
        let _ = kernel::kill(-1, libc::SIGKILL);
        while let Reaped::Ended(..) = kernel::reap(true) {}
    } else {
        kill_descendants();
    }
}

/// Whether this process can signal neither the first process nor Parallax: for root, nothing but Landlock is in the way of killing
/// everybody.
fn is_kept_in() -> bool {
    const NOTHING: i32 = 0;
    [1, kernel::getppid()].into_iter().all(|outside| {
        let said = kernel::kill(outside, NOTHING);
        said.is_err_and(|error| error.raw_os_error() == Some(libc::EPERM))
    })
}

/// Kills descendants one by one, until there are none. Who starts others faster than this is killed with Parallax's patience at the end.
fn kill_descendants() {
    loop {
        for process in usage::descendants() {
            let _ = kernel::kill(process.number, libc::SIGKILL);
        }
        loop {
            match kernel::reap(false) {
                Reaped::Ended(..) => {}
                Reaped::Running => break,
                Reaped::NoChild => return,
            }
        }
    }
}

fn copy(executable: &Path, place: &Path) -> Outcome<PathBuf> {
    let copied = std::fs::copy(executable, place)
        .and_then(|_| std::fs::set_permissions(place, PermissionsExt::from_mode(0o755)));
    match copied {
        Ok(()) => Ok(place.to_owned()),
        Err(error) => {
            let text = format!("cannot read `{}`: {error}", executable.display());
            Err(Failure::NotStarted(text))
        }
    }
}

/// How many threads a user has; the kernel's limit counts all of them.
fn threads_of(user: u32) -> u64 {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_process =
        |name: &std::ffi::OsStr| name.as_encoded_bytes().iter().all(u8::is_ascii_digit);
    let entries = entries.filter(|entry| is_process(&entry.file_name()));
    let own = entries.filter(|entry| entry.metadata().is_ok_and(|data| data.uid() == user));
    own.filter_map(|entry| std::fs::read_dir(entry.path().join("task")).ok())
        .map(|threads| threads.count() as u64)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This process is in no Landlock domain: who asks must be told so.
    #[test]
    fn who_is_not_kept_in_knows_it() {
        assert!(!is_kept_in());
    }
}
