//! Why there is no report, by what a front end does about it. Whatever comes of a comparison that was made is in its report.

use build::error::BuildError;
use concolic_vm::LoadError;
use exploration::journal::JournalError;
use version_diff::own_changes::NothingInCommon;

/// The message of each says what was tried, on what, and what to do next.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Build(#[from] BuildError),

    #[error(transparent)]
    Harness(#[from] harness::Error),

    #[error(transparent)]
    Native(#[from] native::Error),

    /// What was asked for cannot be compared, or there is nothing to compare.
    #[error("{0}")]
    Usage(String),

    /// The versions are nothing that can be compared with each other.
    #[error(transparent)]
    Incomparable(#[from] NothingInCommon),

    /// A version is more than the machine can run.
    #[error(transparent)]
    Program(#[from] LoadError),

    /// The folder is in use by another process.
    #[error("{0}")]
    InUse(String),

    /// What an earlier comparison left cannot be read.
    #[error("{tried}")]
    Journal { tried: String, source: JournalError },

    /// An input that the search ran does not run any more.
    #[error("a process cannot be started with an input that was found")]
    CannotRepeat,

    #[error("{tried}")]
    Io {
        tried: String,
        source: std::io::Error,
    },

    /// What failed, for the reason that its source gives.
    #[error("{tried}")]
    During { tried: String, source: Box<Error> },
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Attaches what was tried to an IO error.
pub(crate) trait Trying<T> {
    fn trying(self, tried: impl FnOnce() -> String) -> Result<T>;
}

impl<T> Trying<T> for std::io::Result<T> {
    fn trying(self, tried: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|source| Error::Io {
            tried: tried(),
            source,
        })
    }
}

impl Error {
    /// Says what was tried when this was met.
    pub(crate) fn while_trying(self, tried: String) -> Error {
        Error::During {
            tried,
            source: Box::new(self),
        }
    }
}

/// Says what an error was met in.
pub(crate) trait During<T> {
    fn during(self, tried: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Into<Error>> During<T> for std::result::Result<T, E> {
    fn during(self, tried: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| error.into().while_trying(tried()))
    }
}
