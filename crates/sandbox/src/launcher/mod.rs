//! The process that builds the walls around one program, starts it, and watches it.
//!
//! ```text
//! Parallax ── launcher ─────────────────── program          Landlock, unconfined
//! Parallax ── launcher ── first process ── program          namespaces
//! ```
//!
//! The launcher reads its request, builds what a level needs, and starts the program as its last step with nothing left to
//! give up. When the program has ended, all that it has started is killed before the report is written. Told to end (`SIGTERM`, also
//! when Parallax dies), the launcher does the same at once.

mod folder;
mod guest;
mod kernel;
mod landlocked;
mod namespaces;
mod seccomp;
mod usage;
mod walls;
mod watch;

use std::ffi::{CString, OsStr};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::request::{REPORT, REQUEST, Request};
use crate::{LauncherReport, Level};

/// Called by this name the launcher does nothing: the program with which a level is tried.
pub(crate) const NOTHING: &[u8] = b"parallax-box-nothing";

/// What programs and their libraries are made of.
pub(crate) const SYSTEM_FOLDERS: [&str; 8] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
];
/// What the dynamic linker reads beside them.
const SYSTEM_FILES: [&str; 2] = ["/etc/ld.so.cache", "/etc/alternatives"];
const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];
/// Beside these: its own descriptors, by name, as the VM has them.
const STREAMS: [(&str, &str); 4] = [
    ("dev/fd", "/proc/self/fd"),
    ("dev/stdin", "/proc/self/fd/0"),
    ("dev/stdout", "/proc/self/fd/1"),
    ("dev/stderr", "/proc/self/fd/2"),
];

/// Whom the program is when Parallax is run by root: a number that no account has.
pub(crate) const NOBODY: u32 = 65_533;

/// What went wrong while the walls were built or the program was started.
#[derive(Debug)]
enum Failure {
    NoWalls(String),
    NotStarted(String),
}

type Outcome<T> = Result<T, Failure>;

/// Says what was tried when a call failed.
trait Because<T> {
    fn because(self, what: &str) -> Outcome<T>;
}

impl<T, E: std::fmt::Display> Because<T> for Result<T, E> {
    fn because(self, what: &str) -> Outcome<T> {
        self.map_err(|error| Failure::NoWalls(format!("cannot {what}: {error}")))
    }
}

/// A path for the kernel.
fn c_path(path: &Path) -> Outcome<CString> {
    c_bytes(path.as_os_str().as_bytes())
}

fn c_bytes(bytes: &[u8]) -> Outcome<CString> {
    CString::new(bytes).map_err(|_| {
        let text = String::from_utf8_lossy(bytes);
        Failure::NotStarted(format!("`{}` holds a zero byte", text.escape_debug()))
    })
}

/// Tells a launcher to end.
pub(crate) fn end(launcher: u32) {
    // One that has ended is a zombie until it is waited for, so the number names no other process.
    let _ = kernel::kill(launcher as i32, libc::SIGTERM);
}

/// Whether this process is root's.
pub(crate) fn is_root() -> bool {
    kernel::identity().0 == 0
}

/// The whole life of the launcher; `parallax-box` calls it and nobody else.
pub fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    if arguments
        .next()
        .is_some_and(|name| name.as_bytes() == NOTHING)
    {
        return ExitCode::SUCCESS;
    }
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        eprintln!(
            "parallax-box: Parallax starts it to run native programs; there is nothing to call it for by hand"
        );
        return ExitCode::from(2);
    };
    match serve(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("parallax-box: {error}");
            ExitCode::from(2)
        }
    }
}

fn serve(folder: &Path) -> std::io::Result<()> {
    let request = std::fs::read(folder.join(REQUEST))?;
    let request: Request = postcard::from_bytes(&request).map_err(std::io::Error::other)?;
    // Opened now: later the launcher may be somewhere else.
    let mut report = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(folder.join(REPORT))?;
    kernel::umask(0o022);
    let result = prepare(&request).and_then(|()| match request.level {
        Level::Namespaces => namespaces::run(&request, folder),
        Level::Landlock | Level::Unconfined if request.program.folders.is_some() => Err(
            Failure::NoWalls("only namespaces can show a build its folders alone".to_owned()),
        ),
        Level::Landlock | Level::Unconfined => landlocked::run(&request, folder),
    });
    let result = match result {
        Ok((end, (files, modes))) => LauncherReport::Ran { end, files, modes },
        Err(Failure::NoWalls(why)) => LauncherReport::NoWalls(why),
        Err(Failure::NotStarted(why)) => LauncherReport::NotStarted(why),
    };
    let bytes = postcard::to_allocvec(&result).map_err(std::io::Error::other)?;
    report.write_all(&bytes)
}

/// What holds for every level: the launcher ends with Parallax, and nobody's keyboard reaches it.
fn prepare(request: &Request) -> Outcome<()> {
    kernel::hold_back(&watch::SIGNALS).because("hold signals back")?;
    kernel::die_with_parent(libc::SIGTERM).because("tie the run to Parallax")?;
    if kernel::getppid() != request.asked_by as i32 {
        return Err(Failure::NoWalls("Parallax is gone".to_owned()));
    }
    kernel::setsid().because("make a session")
}

/// The names of a request's files, without those that would lead out of the folder.
fn is_inside(name: &Path) -> bool {
    use std::path::Component;
    name.components()
        .all(|part| matches!(part, Component::Normal(_)))
        && name != Path::new("")
        && !OsStr::as_bytes(name.as_os_str()).contains(&0)
}
