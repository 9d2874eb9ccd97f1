//! What is explored: a whole program, or one function of it.

use concolic_vm::linux::KernelConfig;
use concolic_vm::symbolic::{SymbolicInput, SymbolicLimits, SymbolicProcess, SymbolicStartError};
use concolic_vm::{Limits, Program};
use expr::Store;
use program_graphs::default_roots;
use program_ir::Func;

/// What programs run in.
#[derive(Clone, Default)]
pub struct MachineConfig {
    pub kernel: KernelConfig,
    pub limits: Limits,
    pub symbolic_limits: SymbolicLimits,
}

/// One of the programs that are run on the same input: one when a program is explored, two when versions
/// are compared.
#[derive(Clone, Copy)]
pub struct Version<'p> {
    pub program: &'p Program,
    pub subject: Subject,
}

impl Version<'_> {
    /// The functions that a run begins with.
    pub fn roots(&self) -> Vec<Func> {
        match self.subject {
            Subject::Whole => default_roots(self.program.module()),
            Subject::Call(func) => vec![func],
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Subject {
    /// The program from its start.
    #[default]
    Whole,
    /// A call of one function. Its parameters are variables of the input, see
    /// [`concolic_vm::symbolic::parameter_name`]; what is missing is zero.
    Call(Func),
}

impl Subject {
    /// A process that is about to execute its first instruction on this input.
    pub fn start<'p>(
        self,
        program: &'p Program,
        store: &mut Store,
        kernel: KernelConfig,
        limits: Limits,
        symbolic_limits: SymbolicLimits,
        input: &SymbolicInput,
    ) -> Result<SymbolicProcess<'p>, SymbolicStartError> {
        match self {
            Subject::Whole => {
                SymbolicProcess::start(program, store, kernel, limits, symbolic_limits, input)
            }
            Subject::Call(function) => SymbolicProcess::start_call(
                program,
                store,
                kernel,
                limits,
                symbolic_limits,
                function,
                input,
            ),
        }
    }
}
