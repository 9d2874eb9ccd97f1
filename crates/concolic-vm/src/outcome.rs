//! How a run ends. A misbehaving program is a result like any other; what Parallax
//! cannot do is a result too, and says so.

use crate::linux::Signal;
use crate::memory::{Access, FaultReason, ObjectKind};
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    pub end: End,
    /// Where it ended, innermost call first; empty after a plain exit. Calls that the
    /// compiler inlined are listed like others.
    pub stack: Vec<StackFrame>,
    /// Frames left out of the middle of a very deep stack.
    pub omitted_frames: usize,
    /// IR instructions executed.
    pub instructions: u64,
}

impl Outcome {
    /// The innermost place in the program's own code, or the innermost of all if there is none.
    pub fn location(&self) -> Option<&StackFrame> {
        self.stack
            .iter()
            .find(|frame| frame.is_programs_own())
            .or(self.stack.first())
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum End {
    /// `exit`, or a return from `main`.
    Exit {
        status: i32,
    },
    /// `abort()`.
    Abort,
    /// A failed `assert`.
    Assert,
    /// A Rust panic.
    Panic,
    /// Any other signal whose default action ends the process.
    Killed {
        signal: Signal,
    },
    Memory(Box<MemoryError>),
    DivisionByZero,
    /// The most negative number divided by −1.
    DivisionOverflow,
    /// Code that the compiler was promised would never run.
    Unreachable,
    Trap,
    /// `longjmp` to a function that has returned.
    DeadJump,
    StackOverflow {
        limit: Limit,
    },
    StepLimit {
        limit: u64,
    },
    MemoryLimit {
        requested: u64,
        limit: u64,
    },
    Unsupported {
        what: String,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    Calls(u32),
    StackBytes(u64),
}

/// An access, call or `free` that is wrong.
#[derive(Clone, PartialEq, Debug)]
pub struct MemoryError {
    pub reason: FaultReason,
    pub access: Access,
    pub address: u64,
    pub size: u64,
    pub object: Option<ObjectDescription>,
}

/// The object that an erroneous access was about, in the user's words.
#[derive(Clone, PartialEq, Debug)]
pub struct ObjectDescription {
    pub kind: ObjectKind,
    /// `variable 'buf'`, `global 'table'`, `heap block`.
    pub what: String,
    pub size: u64,
    /// Where in it the access began.
    pub offset: i64,
    pub made_at: Option<StackFrame>,
    pub ended_at: Option<StackFrame>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StackFrame {
    pub function: String,
    pub file: Option<String>,
    pub line: u32,
    pub column: u32,
}

/// What kind of end a run has, without its details. The names are stable: reports and tests spell them so.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndKind {
    Exit,
    Abort,
    Assert,
    Panic,
    Signal,
    NullDereference,
    WildDereference,
    OutOfBounds,
    UseAfterFree,
    UseAfterReturn,
    ReadOnlyWrite,
    DoubleFree,
    InvalidFree,
    DivisionByZero,
    DivisionOverflow,
    Unreachable,
    Trap,
    DeadJump,
    StackOverflow,
    StepLimit,
    MemoryLimit,
    Unsupported,
}

impl EndKind {
    pub fn name(self) -> &'static str {
        match self {
            EndKind::Exit => "exit",
            EndKind::Abort => "abort",
            EndKind::Assert => "assert",
            EndKind::Panic => "panic",
            EndKind::Signal => "signal",
            EndKind::NullDereference => "null-dereference",
            EndKind::WildDereference => "wild-dereference",
            EndKind::OutOfBounds => "out-of-bounds",
            EndKind::UseAfterFree => "use-after-free",
            EndKind::UseAfterReturn => "use-after-return",
            EndKind::ReadOnlyWrite => "read-only-write",
            EndKind::DoubleFree => "double-free",
            EndKind::InvalidFree => "invalid-free",
            EndKind::DivisionByZero => "division-by-zero",
            EndKind::DivisionOverflow => "division-overflow",
            EndKind::Unreachable => "unreachable",
            EndKind::Trap => "trap",
            EndKind::DeadJump => "dead-jump",
            EndKind::StackOverflow => "stack-overflow",
            EndKind::StepLimit => "step-limit",
            EndKind::MemoryLimit => "memory-limit",
            EndKind::Unsupported => "unsupported",
        }
    }
}

impl fmt::Display for EndKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl End {
    pub fn kind(&self) -> EndKind {
        match self {
            End::Exit { .. } => EndKind::Exit,
            End::Abort => EndKind::Abort,
            End::Assert => EndKind::Assert,
            End::Panic => EndKind::Panic,
            End::Killed { .. } => EndKind::Signal,
            End::Memory(error) => match error.reason {
                FaultReason::Null => EndKind::NullDereference,
                FaultReason::Wild => EndKind::WildDereference,
                FaultReason::OutOfBounds => EndKind::OutOfBounds,
                FaultReason::UseAfterFree => EndKind::UseAfterFree,
                FaultReason::UseAfterReturn => EndKind::UseAfterReturn,
                FaultReason::ReadOnly => EndKind::ReadOnlyWrite,
                FaultReason::DoubleFree => EndKind::DoubleFree,
                FaultReason::InvalidFree => EndKind::InvalidFree,
            },
            End::DivisionByZero => EndKind::DivisionByZero,
            End::DivisionOverflow => EndKind::DivisionOverflow,
            End::Unreachable => EndKind::Unreachable,
            End::Trap => EndKind::Trap,
            End::DeadJump => EndKind::DeadJump,
            End::StackOverflow { .. } => EndKind::StackOverflow,
            End::StepLimit { .. } => EndKind::StepLimit,
            End::MemoryLimit { .. } => EndKind::MemoryLimit,
            End::Unsupported { .. } => EndKind::Unsupported,
        }
    }

    /// Whether the run says nothing about how the program would have gone on: it met
    /// a limit of Parallax or of this run.
    pub fn is_inconclusive(&self) -> bool {
        matches!(
            self,
            End::StepLimit { .. } | End::MemoryLimit { .. } | End::Unsupported { .. }
        )
    }

    /// The exit status that a shell would see from a native run ending this way.
    pub fn shell_status(&self) -> i32 {
        match self {
            End::Exit { status } => *status,
            End::Abort | End::Assert | End::Panic => 128 + 6,
            End::Killed { signal } => 128 + i32::from(signal.0),
            End::Memory(error) => match error.reason {
                FaultReason::DoubleFree | FaultReason::InvalidFree => 128 + 6,
                _ => 128 + 11,
            },
            End::DivisionByZero | End::DivisionOverflow => 128 + 8,
            End::Unreachable | End::Trap => 128 + 4,
            End::DeadJump | End::StackOverflow { .. } => 128 + 11,
            End::StepLimit { .. } | End::MemoryLimit { .. } | End::Unsupported { .. } => 3,
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Exit { status } => write!(f, "exit with status {status}"),
            End::Abort => f.write_str("abort"),
            End::Assert => f.write_str("assertion failed"),
            End::Panic => f.write_str("panic"),
            End::Killed { signal } => write!(f, "killed by signal {} ({signal})", signal.0),
            End::Memory(error) => error.fmt(f),
            End::DivisionByZero => f.write_str("division by zero"),
            End::DivisionOverflow => {
                f.write_str("division overflow: the most negative number divided by -1")
            }
            End::Unreachable => f.write_str("reached code that the program declares unreachable"),
            End::Trap => f.write_str("trap instruction"),
            End::DeadJump => f.write_str("longjmp to a function that has returned"),
            End::StackOverflow {
                limit: Limit::Calls(calls),
            } => write!(
                f,
                "stack overflow: more than {calls} calls deep (raise with --max-depth)"
            ),
            End::StackOverflow {
                limit: Limit::StackBytes(bytes),
            } => write!(
                f,
                "stack overflow: more than {bytes} bytes, counted as natively without optimisation (Linux usually allows 8388608; raise with --max-stack)"
            ),
            End::StepLimit { limit } => write!(
                f,
                "stopped after {limit} instructions (raise with --max-steps)"
            ),
            // Not how many: that may depend on the input, and one reason for many runs is one line.
            End::MemoryLimit { limit, .. } => write!(
                f,
                "stopped: an allocation would exceed the memory limit of {limit} bytes (raise with --max-memory)"
            ),
            End::Unsupported { what } => write!(f, "not supported by Parallax: {what}"),
        }
    }
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = match self.access {
            Access::Read => "read",
            Access::Write => "write",
            Access::Call => "call",
            Access::Free => "free",
        };
        match self.reason {
            FaultReason::DoubleFree => f.write_str("double free")?,
            FaultReason::InvalidFree => {
                f.write_str("free of something that malloc did not return")?
            }
            _ => {
                let reason = match self.reason {
                    FaultReason::Null => "null pointer",
                    FaultReason::Wild => "wild pointer",
                    FaultReason::OutOfBounds => "out-of-bounds",
                    FaultReason::UseAfterFree => "use after free:",
                    FaultReason::UseAfterReturn => "use after return:",
                    FaultReason::ReadOnly => "read-only memory:",
                    FaultReason::DoubleFree | FaultReason::InvalidFree => "",
                };
                write!(f, "{reason} {verb}")?;
                if self.access != Access::Call {
                    write!(f, " of {} byte{}", self.size, plural(self.size))?;
                }
            }
        }
        match &self.object {
            Some(object) => write!(
                f,
                " at offset {} of {} ({} byte{})",
                object.offset,
                object.what,
                object.size,
                plural(object.size)
            ),
            None => write!(f, " at address {:#x}", self.address),
        }
    }
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

impl StackFrame {
    /// Whether this is code of the program, and not of the libraries below it: the guest's C
    /// library and runtime, and Rust's standard library with what that is made from.
    pub fn is_programs_own(&self) -> bool {
        is_programs_own(self.file.as_deref().unwrap_or_default())
    }
}

/// Whether a file is none of a library's.
pub(crate) fn is_programs_own(file: &str) -> bool {
    let is_below = |folder: &&str| file.starts_with(folder);
    let in_c = ["musl/", "parallax-runtime/"].iter().any(is_below);
    // A C project may well have a folder `library` of its own.
    let in_rust =
        file.ends_with(".rs") && ["/rustc/", "/rust/deps/", "library/"].iter().any(is_below);
    !in_c && !in_rust
}

impl fmt::Display for StackFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.function)?;
        match &self.file {
            Some(file) => write!(f, " ({file}:{}:{})", self.line, self.column),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(file: Option<&str>, line: u32) -> StackFrame {
        StackFrame {
            function: "f".to_owned(),
            file: file.map(str::to_owned),
            line,
            column: 1,
        }
    }

    fn line_of(stack: Vec<StackFrame>) -> Option<u32> {
        let outcome = Outcome {
            end: End::Abort,
            stack,
            omitted_frames: 0,
            instructions: 0,
        };
        outcome.location().map(|frame| frame.line)
    }

    #[test]
    fn the_location_is_in_the_programs_own_code() {
        let libraries = [
            frame(Some("musl/src/exit/abort.c"), 1),
            frame(Some("parallax-runtime/start.c"), 2),
            frame(Some("/rustc/0123/library/core/src/panicking.rs"), 3),
            frame(Some("library/std/src/panicking.rs"), 4),
        ];
        let mut stack = libraries.to_vec();
        stack.push(frame(Some("library/table.c"), 5));
        stack.push(frame(Some("main.c"), 6));
        assert_eq!(line_of(stack), Some(5));
        assert_eq!(line_of(vec![libraries[0].clone(), frame(None, 7)]), Some(7));
        assert_eq!(line_of(libraries.to_vec()), Some(1));
        assert_eq!(line_of(Vec::new()), None);
    }
}
