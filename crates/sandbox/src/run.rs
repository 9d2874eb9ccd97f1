//! Starting the launcher, and reading what it reports.

use std::ffi::OsStr;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::libraries;
use crate::request::{BoxFolder, REPORT, REQUEST, Request};
use crate::{LauncherReport, Level, Program};

/// Why there was no run.
#[derive(Debug, thiserror::Error)]
pub enum BoxError {
    #[error("`{LAUNCHER}`, which starts native programs, was not found {place}")]
    NoLauncher { place: String },
    #[error("cannot {what} for a native run")]
    Io {
        what: &'static str,
        #[source]
        source: io::Error,
    },
    #[error("`{LAUNCHER}`, which starts native programs, left no report (it ended with {status})")]
    NoReport { status: String },
    /// Only of a level that is tried.
    #[error("{0}")]
    NoWalls(String),
}

const LAUNCHER: &str = "parallax-box";

/// How often it is looked whether a run should end.
const LONGEST_PATIENCE: Duration = Duration::from_millis(50);

/// The launcher: `PARALLAX_BOX`, else beside this executable, else in `PATH`.
pub fn launcher() -> Result<PathBuf, BoxError> {
    if let Some(path) = std::env::var_os("PARALLAX_BOX").filter(|path| !path.is_empty()) {
        let path = PathBuf::from(path);
        let place = format!("where PARALLAX_BOX says, at `{}`", path.display());
        return path
            .is_file()
            .then_some(path)
            .ok_or(BoxError::NoLauncher { place });
    }
    let near = std::env::current_exe().unwrap_or_default();
    // Tests are one folder deeper than the executables.
    let near = near.ancestors().skip(1).take(2).map(Path::to_owned);
    let path = std::env::var_os("PATH").unwrap_or_default();
    // What is below the current folder may be a stranger's.
    let path = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let path: Vec<PathBuf> = path.collect();
    near.chain(path)
        .map(|folder| folder.join(LAUNCHER))
        .find(|file| file.is_file())
        .ok_or_else(|| BoxError::NoLauncher {
            place: "beside this executable or in PATH".to_owned(),
        })
}

/// What the standard streams of a program are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Streams {
    Pipes,
    Nothing,
}

/// A program that was started.
#[derive(Debug)]
pub struct Running {
    /// The launcher. It ends when the program has ended and all its processes are gone.
    /// Told to end (`SIGTERM`), it ends the program first.
    pub launcher: Child,
    folder: BoxFolder,
}

/// Starts a program behind the walls of a level.
pub fn start(level: Level, program: Program, streams: Streams) -> Result<Running, BoxError> {
    let because = |what: &'static str| move |source| BoxError::Io { what, source };
    let folder = tempfile::Builder::new().prefix("parallax-run-").tempdir();
    let folder = folder.map_err(because("make a folder"))?;
    // Whoever the program runs as must be able to come to its own folder, and sees nothing of this one.
    let mode = std::fs::Permissions::from_mode(0o711);
    std::fs::set_permissions(folder.path(), mode).map_err(because("prepare a folder"))?;
    let libraries = match level {
        Level::Namespaces | Level::Landlock => {
            libraries::of(&program.executable, &program.own_folders)
        }
        Level::Unconfined => Vec::new(),
    };
    let request = Request {
        level,
        asked_by: std::process::id(),
        program,
        libraries,
    };
    let bytes = postcard::to_allocvec(&request).map_err(io::Error::other);
    let request = folder.path().join(REQUEST);
    bytes
        .and_then(|bytes| std::fs::write(&request, bytes))
        .and_then(|()| std::fs::set_permissions(&request, PermissionsExt::from_mode(0o600)))
        .map_err(because("write the request"))?;
    let stream = || match streams {
        Streams::Pipes => Stdio::piped(),
        Streams::Nothing => Stdio::null(),
    };
    // The program's environment is in the request: `LD_PRELOAD` in it must not reach the launcher.
    let launcher = Command::new(launcher()?)
        .arg(folder.path())
        .env_clear()
        .current_dir(OsStr::new("/"))
        .stdin(stream())
        .stdout(stream())
        .stderr(stream())
        .spawn()
        .map_err(because("start `parallax-box`"))?;
    Ok(Running {
        launcher,
        folder: BoxFolder { folder },
    })
}

/// Tells a launcher that was not waited for yet to end its program, and then itself.
pub fn stop(launcher: u32) {
    crate::launcher::end(launcher);
}

impl Running {
    /// As [`Running::finish`], but tells the launcher to end as soon as that is asked for.
    pub fn finish_unless(
        mut self,
        is_interrupted: impl Fn() -> bool,
    ) -> Result<LauncherReport, BoxError> {
        let mut patience = Duration::from_millis(1);
        while let Ok(None) = self.launcher.try_wait() {
            if is_interrupted() {
                stop(self.launcher.id());
                break;
            }
            std::thread::sleep(patience);
            patience = (patience * 2).min(LONGEST_PATIENCE);
        }
        self.finish()
    }

    /// Waits for the end, and for what the launcher has to say.
    pub fn finish(mut self) -> Result<LauncherReport, BoxError> {
        let status = self.launcher.wait().map_err(|source| BoxError::Io {
            what: "wait for `parallax-box`",
            source,
        })?;
        let report = std::fs::read(self.folder.folder.path().join(REPORT));
        let report = report
            .ok()
            .and_then(|bytes| postcard::from_bytes(&bytes).ok());
        report.ok_or(BoxError::NoReport {
            status: status.to_string(),
        })
    }
}
