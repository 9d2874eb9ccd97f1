//! What can go wrong around a native run, by what a front end does about it. What a *program* does wrong is no error.

use build::error::BuildError;
use sandbox::BoxError;

/// Why a test could not be read or run. The message of each says what was tried, on what, and what to do next.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no native program to run.
    #[error(transparent)]
    Build(#[from] BuildError),

    /// The sandbox of a native run could not be asked.
    #[error(transparent)]
    Sandbox(#[from] BoxError),

    /// Nothing was run.
    #[error("{0}")]
    NotStarted(String),

    /// A folder holds what Parallax has not put there.
    #[error("{0}")]
    Foreign(String),

    /// A folder that is to be a test is none.
    #[error("{problem}")]
    BadTest {
        problem: String,
        source: Option<serde_json::Error>,
    },

    #[error("{tried}")]
    Io {
        tried: String,
        source: std::io::Error,
    },
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn bad_test(problem: String) -> Error {
        Error::BadTest {
            problem,
            source: None,
        }
    }
}

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
