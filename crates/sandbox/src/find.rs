//! How far native runs can be confined here, found out by trying.

use std::fmt;

use crate::level::Level;
use crate::remedy::{Remedy, is_root_alone};
use crate::request::{End, LauncherReport, Limits, Program};
use crate::run::{self, BoxError};

/// Why a level cannot be had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    pub level: Level,
    /// What was tried, and why it failed.
    pub why: String,
    pub remedy: Remedy,
}

impl Missing {
    fn at(level: Level, error: &BoxError) -> Missing {
        Missing {
            level,
            why: whole(error),
            remedy: Remedy::of(level),
        }
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
                    missing = vec![Missing::at(Level::Unconfined, &error)];
                    break;
                }
                Err(error) => missing.push(Missing::at(level, &error)),
            }
        }
        // Whatever failed, it was for this.
        if is_root_alone() && missing.iter().all(|own| own.remedy.allows_unconfined()) {
            missing = vec![Missing {
                level: Level::Namespaces,
                why: "you are root in a user namespace that has no other user to run programs as"
                    .to_owned(),
                remedy: Remedy::AnotherUser,
            }];
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
