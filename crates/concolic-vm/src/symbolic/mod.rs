//! The symbolic side of a run: what the program computed as terms over its input, and
//! the conditions under which another input would take the same path.
//!
//! A [`SymbolicProcess`] is a machine whose inputs are symbols with concrete values. The
//! machine computes concretely as always; beside it the recorder keeps a term for
//! every register and byte that depends on a symbol, and puts a [`PathEvent`] on the path
//! wherever the run depended on one.
//!
//! **What a path promises.** Every input that satisfies all conditions of a path's first
//! `n` events runs through the same operations up to event `n`, with the registers and
//! bytes that the terms give under that input. Nothing is dropped silently: where a
//! value has to be concretised, "it is this value" becomes an event too, of kind
//! [`EventKind::Concretised`], whose alternative can be explored like any other.

mod access;
mod called;
mod computation;
mod decision_limit;
mod floats;
mod input;
pub mod integers;
mod operations;
mod process;
mod recorder;
mod same_state;
mod tracing;
mod undefined;
mod watch;

pub use crate::coverage::Coverage;
pub use called::Called;
pub use computation::{Argument, Computation};
pub use input::{InputBytes, SymbolicInput};
pub use operations::Operation;
pub use process::{SymbolicProcess, SymbolicRun, SymbolicStartError, parameter_name};
pub use same_state::Unlike;
pub use undefined::{NeverWritten, UndefinedHow, UndefinedUse};
pub use watch::{Entered, Watch};

use crate::site::CodeSite;
use expr::ExprId;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// A place where the run went one way because of its input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathEvent {
    pub site: CodeSite,
    pub kind: EventKind,
    /// What is true of the input that was run.
    pub condition: ExprId,
    /// Which way the run took, as a number that means the same in every run that gets here:
    /// whether a condition held, the target of a switch, the value that was taken.
    pub way: u64,
    /// The other ways. Their conditions exclude `condition` and each other; together they
    /// cover all that it leaves out.
    pub alternatives: SmallVec<[Alternative; 1]>,
    /// Instructions counted when it happened; see [`SymbolicProcess::run_before`].
    pub instructions: u64,
}

impl PathEvent {
    /// Whether it says that the input is exactly the one that was run. One that has been flipped says that it is not.
    pub fn takes_input(&self) -> bool {
        self.kind == EventKind::Concretised(Reason::ManyDecisions) && !self.alternatives.is_empty()
    }
}

/// What is true of inputs that go another way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alternative {
    pub condition: ExprId,
    /// The way, if there is only one that the condition leads to.
    pub way: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum EventKind {
    Branch,
    Switch,
    /// An access stays inside its object, or leaves it.
    Bounds,
    /// The divisor is zero, or the quotient does not fit.
    Division,
    /// The number whose zeros are counted is zero, for which the language leaves the count undefined. The run goes
    /// on as for others: the way is there so that some run shows it.
    ZerosOfZero,
    /// A value was concretised in this run.
    Concretised(Reason),
}

/// Why a symbolic value was concretised.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Reason {
    /// The address of an access that reaches over more bytes than [`SymbolicLimits`].
    LargeObject,
    /// A pointer to a block that is copied, filled or passed as a whole.
    Pointer,
    /// How many bytes are copied or filled.
    Length,
    /// The size of a new object.
    AllocationSize,
    /// The function called, or the label jumped to.
    Callee,
    SyscallArgument,
    /// A byte that the kernel itself reads, as in a path.
    KernelRead,
    /// A float that is neither 32 nor 64 bits wide.
    FloatFormat,
    /// The whole input, once a run has decided [`SymbolicLimits::decisions`] times.
    ManyDecisions,
}

impl Reason {
    /// What a reader should know who does not explore the alternatives.
    pub fn describe(self) -> &'static str {
        match self {
            Reason::LargeObject => "an index into a large object was concretised",
            Reason::Pointer => "a pointer to a block was concretised",
            Reason::Length => "the length of a block was concretised",
            Reason::AllocationSize => "the size of an allocation was concretised",
            Reason::Callee => "the target of an indirect call or jump was concretised",
            Reason::SyscallArgument => "an argument of a system call was concretised",
            Reason::KernelRead => "a byte that the kernel reads was concretised",
            Reason::FloatFormat => "a long double or half float was concretised",
            Reason::ManyDecisions => {
                "the whole input was concretised after very many decisions (raise with --max-decisions)"
            }
        }
    }
}

/// A value that the run concretised.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Assumption {
    pub site: CodeSite,
    pub what: Reason,
}

/// Bounds of what is computed exactly. Beyond them a value is concretised, by an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymbolicLimits {
    /// Bytes that a load at a symbolic address may choose from.
    pub read_window: u32,
    /// Bytes that a store at a symbolic address may change.
    pub write_window: u32,
    /// Events of one run. One that goes on deciding goes on for this input alone.
    pub decisions: u32,
}

impl Default for SymbolicLimits {
    fn default() -> Self {
        SymbolicLimits {
            read_window: 4096,
            write_window: 256,
            decisions: 10_000,
        }
    }
}
