//! How far native runs can be confined here, found out by trying.

use std::fmt;

use crate::level::Level;
use crate::request::{End, LauncherReport, Limits, Program};
use crate::run::{self, BoxError};

/// Why a level cannot be had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    pub level: Level,
    /// What was tried, and why it failed.
    pub why: String,
}

impl Missing {
    /// What would help.
    pub fn remedy(&self) -> &'static str {
        match self.level {
            Level::Namespaces => {
                "allow user namespaces: `sysctl user.max_user_namespaces` must not be 0; on Debian and Ubuntu \
                 `sysctl kernel.unprivileged_userns_clone=1` and \
                 `sysctl kernel.apparmor_restrict_unprivileged_userns=0` where these exist; in a container, start it with a \
                 seccomp profile that allows `unshare` and `mount`, and an unmasked /proc"
            }
            Level::Landlock => {
                "use Linux 6.12 or newer with Landlock enabled (`lsm=` of the kernel's command line names it), and in a \
                 container a seccomp profile that allows the `landlock_*` calls"
            }
            Level::Unconfined => {
                "run `make setup`, or set PARALLAX_BOX to the program `parallax-box` of the same version"
            }
        }
    }

    /// Whether native runs without a sandbox could be had all the same.
    pub fn allows_unconfined(&self) -> bool {
        self.level != Level::Unconfined
    }
}

/// The best level that can be had here, and what is missing for better ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walls {
    pub level: Level,
    pub missing: Vec<Missing>,
}

/// Neither namespaces nor Landlock can keep a program in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unavailable {
    pub missing: Vec<Missing>,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("no sandbox can be had here")?;
        for missing in &self.missing {
            write!(formatter, "; {}: {}", name(missing.level), missing.why)?;
        }
        Ok(())
    }
}

impl std::error::Error for Unavailable {}

fn name(level: Level) -> &'static str {
    match level {
        Level::Namespaces => "with namespaces",
        Level::Landlock => "with Landlock",
        Level::Unconfined => "the launcher",
    }
}

impl Walls {
    /// Tries the levels from the strongest on, each with a program that does nothing.
    pub fn find() -> Result<Walls, Unavailable> {
        let mut missing = Vec::new();
        for level in [Level::Namespaces, Level::Landlock] {
            match try_level(level) {
                Ok(()) => return Ok(Walls { level, missing }),
                // Without the launcher there is nothing else to try, and nothing else to mend.
                Err(error @ (BoxError::NoLauncher { .. } | BoxError::NoReport { .. })) => {
                    let level = Level::Unconfined;
                    let why = whole(&error);
                    missing = vec![Missing { level, why }];
                    break;
                }
                Err(error) => {
                    let why = whole(&error);
                    missing.push(Missing { level, why });
                }
            }
        }
        Err(Unavailable { missing })
    }
}

/// An error with its cause.
fn whole(error: &dyn std::error::Error) -> String {
    match error.source() {
        None => error.to_string(),
        Some(cause) => format!("{error}: {}", whole(cause)),
    }
}

/// Whether the launcher, as the program itself, starts and ends behind the walls of a level.
fn try_level(level: Level) -> Result<(), BoxError> {
    let launcher = run::launcher()?;
    let program = Program {
        executable: launcher,
        arguments: vec![crate::launcher::NOTHING.to_vec()],
        environment: Vec::new(),
        files: [("probe".into(), b"probe".to_vec())].into(),
        variables: None,
        own_folders: Vec::new(),
        folders: None,
        limits: Limits::default(),
    };
    let report =
        run::start(level, program, run::Streams::Nothing).and_then(run::Running::finish)?;
    match report {
        LauncherReport::Ran {
            end: End::Exited(0),
            files,
            ..
        } if files.len() == 1 => Ok(()),
        LauncherReport::Ran { end, files, .. } => Err(BoxError::NoWalls(format!(
            "a program that does nothing ended otherwise ({end:?}, {} files)",
            files.len()
        ))),
        LauncherReport::NoWalls(why) | LauncherReport::NotStarted(why) => {
            Err(BoxError::NoWalls(why))
        }
    }
}
