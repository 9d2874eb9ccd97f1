//! What can go wrong between a program's source and its module: each variant says what was tried, on
//! what, why it failed and what to do next.

use std::path::PathBuf;

/// Why a program could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("`{tool}` was not found; install the Debian package {package} (`make setup` does)")]
    ToolMissing { tool: String, package: &'static str },

    #[error(
        "--box-build needs a sandbox with namespaces, which cannot be had here: {why}; to have it, {remedy}"
    )]
    NoBuildSandbox { why: String, remedy: &'static str },

    #[error("in the sandbox of a build (--box-build): {why}")]
    BuildSandbox { why: String },

    #[error("`{tool}` failed while {task}:\n{message}")]
    ToolFailed {
        tool: String,
        task: String,
        message: String,
    },

    #[error(
        "`{path}` does not exist; give a .c, .rs or .bc file, a built program, or a project folder"
    )]
    MissingInput { path: PathBuf },

    #[error(
        "cannot tell what `{path}` is: {reason}; give a .c, .rs or .bc file, a program built with \
         CC=\"parallax cc\", or a project folder with a Cargo.toml, a compile_commands.json, such a program, or C files and no build system"
    )]
    UnknownInput { path: PathBuf, reason: String },

    #[error("`{file}` does not compile for the guest; fix what the compiler reports:\n{message}")]
    DoesNotCompile { file: PathBuf, message: String },

    #[error("`{file}` does not compile natively; fix what the compiler reports:\n{message}")]
    DoesNotCompileNatively { file: PathBuf, message: String },

    #[error(
        "`{path}` has no native build: {reason}; give C files, a .rs file, a Cargo package, or a program built \
         with CC=\"parallax cc\""
    )]
    NoNativeBuild { path: PathBuf, reason: String },

    #[error(
        "`{path}` is not usable LLVM bitcode: {reason}; compile it with `clang-22 -c -emit-llvm`"
    )]
    NotBitcode { path: PathBuf, reason: String },

    #[error(
        "`{path}` was written by {producer}, but LLVM {expected} is needed; recompile it with \
         clang-{expected} or a rustc that carries LLVM {expected}"
    )]
    OtherLlvm {
        path: PathBuf,
        producer: String,
        expected: u32,
    },

    #[error("{inputs} has no `main` function, so it cannot be run; add the file that defines it")]
    NoMain { inputs: String },

    #[error(
        "{}; give `--target NAME` to choose one of: {}", .problem, .candidates.join(", ")
    )]
    ChooseTarget {
        problem: String,
        candidates: Vec<String>,
    },

    #[error("no program or library named `{name}` in `{folder}`{}", list_candidates(.candidates))]
    UnknownTarget {
        folder: PathBuf,
        name: String,
        candidates: Vec<String>,
    },

    #[error(
        "`{path}` carries no guest code; build it with CC=\"parallax cc\" (and clean first, so that every \
         object is compiled anew)"
    )]
    NoGuestCode { path: PathBuf },

    #[error(
        "`{path}` was built by `parallax cc`, but the guest code of {missing} of its objects is no longer \
         in the cache; clean and build the project again"
    )]
    GuestCodeLost { path: PathBuf, missing: usize },

    #[error(
        "{count} of the sources of `{path}` did not compile for the guest (against musl's headers); fix \
         them, or pass --keep-going to leave them out:\n{messages}"
    )]
    GuestDidNotCompile {
        path: PathBuf,
        count: usize,
        messages: String,
    },

    #[error("`{path}` is not a usable compilation database: {reason}")]
    CompileCommands { path: PathBuf, reason: String },

    #[error(
        "the musl source is not in the cache ({folder}); `parallax doctor --mend` fetches it (Debian's source package musl)"
    )]
    MuslSourceMissing { folder: PathBuf },

    #[error(
        "the bitcode reader `parallax-read-bitcode` was not found next to `{near}`; build it with \
         `cargo build --release`, or name it in PARALLAX_READER"
    )]
    ReaderMissing { near: PathBuf },

    #[error("the linked program cannot be translated: {message}")]
    ReaderFailed { message: String },

    #[error("no home folder for the cache; set PARALLAX_CACHE to a writable folder")]
    NoCacheFolder,

    #[error("cannot {action} `{path}`: {source}")]
    Io {
        action: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },
}

impl BuildError {
    /// Whether a folder was searched for something that `parallax cc` built, and there is nothing at all.
    pub(super) fn nothing_was_built(&self) -> bool {
        match self {
            BuildError::UnknownInput { .. } => true,
            BuildError::UnknownTarget { candidates, .. } => candidates.is_empty(),
            _ => false,
        }
    }
}

pub type Result<T> = std::result::Result<T, BuildError>;

/// Attaches what was tried, and on what, to an IO error.
pub trait IoContext<T> {
    fn context(self, action: &'static str, path: impl Into<PathBuf>) -> Result<T>;
}

impl<T> IoContext<T> for std::io::Result<T> {
    fn context(self, action: &'static str, path: impl Into<PathBuf>) -> Result<T> {
        self.map_err(|source| BuildError::Io {
            action,
            path: path.into(),
            source,
        })
    }
}

fn list_candidates(candidates: &[String]) -> String {
    if candidates.is_empty() {
        "; nothing there can be built".to_owned()
    } else {
        format!("; there are: {}", candidates.join(", "))
    }
}
