//! What can go wrong when a module is read.

/// The LLVM major version whose bitcode is read.
pub const LLVM_MAJOR: u32 = 22;

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error(
        "bitcode written by {producer}, but this Parallax reads LLVM {LLVM_MAJOR}; \
         rebuild it with clang-{LLVM_MAJOR} (or a rustc based on LLVM {LLVM_MAJOR})"
    )]
    OtherLlvm { producer: String },
    #[error("not a valid LLVM {LLVM_MAJOR} module: {0}; rebuild it with clang-{LLVM_MAJOR}")]
    Malformed(String),
    #[error("cannot normalise it: {0}; rebuild it with clang-{LLVM_MAJOR}")]
    Normalise(String),
    #[error("made for {0}, but Parallax runs x86_64 Linux programs; compile it for x86_64-linux")]
    OtherTarget(String),
    #[error("{0}; please report this program")]
    Unsupported(String),
}
