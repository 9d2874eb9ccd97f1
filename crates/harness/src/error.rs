//! Why there is no harness for what is to be called, by what a front end does about it.

use build::error::BuildError;
use program_ir::ImageError;

/// The message of each says what was tried, on what, and what to do next.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Build(#[from] BuildError),

    /// What was asked for is not there, or does not say enough.
    #[error("{0}")]
    Usage(String),

    /// What was asked for is there, and no driver can call it.
    #[error("{0}")]
    Unsupported(String),

    /// A file that the bitcode reader wrote is none.
    #[error("{tried}")]
    Image { tried: String, source: ImageError },

    #[error("{tried}")]
    Io {
        tried: String,
        source: std::io::Error,
    },

    /// Which version it is about.
    #[error("{which}")]
    Version { which: String, source: Box<Error> },
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

/// Says which version an error is about.
pub(crate) trait OfVersion<T> {
    fn of_version(self, which: &str) -> Result<T>;
}

impl<T> OfVersion<T> for Result<T> {
    fn of_version(self, which: &str) -> Result<T> {
        self.map_err(|source| Error::Version {
            which: format!("the {which} version"),
            source: Box::new(source),
        })
    }
}
