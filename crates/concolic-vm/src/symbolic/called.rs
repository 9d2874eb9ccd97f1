//! What the first call of a function finds: its arguments and all memory, by values and by terms.

use super::SymbolicProcess;
use crate::machine::Machine;
use crate::memory::{Address, Memory};
use crate::op::Op;
use crate::site::CodeSite;
use expr::{ExprId, Store};
use program_ir::{EntityRef, Func};

/// The state in which a function is entered.
#[derive(Clone, Debug)]
pub struct Called {
    /// The parameters' words with their terms.
    words: Vec<(u64, u32)>,
    memory: Memory,
    /// The operation that calls.
    pub caller: CodeSite,
    /// How many events were on the path before.
    pub events: usize,
}

impl Called {
    /// A word of the parameters, so many bits of which are used.
    pub fn word(&self, store: &mut Store, index: usize, width: u32) -> Option<ExprId> {
        let &(value, term) = self.words.get(index)?;
        match ExprId::from_raw(term) {
            // A register holds what its term has, and zeros.
            Some(term) => Some(store.resized(term, width)),
            None => Some(store.constant(u128::from(value) & expr::mask(width), width)),
        }
    }

    /// A byte of memory, if there is one.
    pub fn byte(&self, store: &mut Store, address: Address) -> Option<ExprId> {
        let value = self.memory.bytes(address, 1).ok()?[0];
        let term = self.memory.terms(address, 1).map_or(0, |terms| terms[0]);
        match ExprId::from_raw(term) {
            Some(term) => Some(term),
            None => Some(store.constant(u128::from(value), 8)),
        }
    }
}

/// A function whose first call is waited for, by the number of its first operation.
#[derive(Clone, Debug)]
pub(super) struct Awaited {
    operation: usize,
    called: Option<Called>,
}

impl Awaited {
    /// The frame of the call has been pushed. The run ends with its block.
    pub(super) fn entered(&mut self, machine: &mut Machine<'_>, operation: usize, seen: Seen<'_>) {
        if operation != self.operation {
            return;
        }
        machine.step_limit = 0;
        let [.., caller, frame] = &machine.frames[..] else {
            return;
        };
        let code = |function: u32| machine.program.code(function);
        let (Some(calling), Some(own)) = (code(caller.function), code(frame.function)) else {
            return;
        };
        // Other calls have not handed over their terms yet.
        let at = caller.pc.wrapping_sub(1);
        let call = calling.ops.get(at as usize);
        let is_plain =
            matches!(call, Some(Op::Call { function, .. }) if *function == frame.function);
        let words = frame.base..frame.base + own.param_words as usize;
        let values = machine.registers.get(words.clone());
        let (Some(values), Some(terms), true) = (values, seen.terms.get(words), is_plain) else {
            return;
        };
        self.called = Some(Called {
            words: values.iter().copied().zip(terms.iter().copied()).collect(),
            memory: machine.memory.clone(),
            caller: CodeSite {
                function: caller.function,
                pc: at,
            },
            events: seen.events,
        });
    }
}

/// What the recorder knows at a call.
#[derive(Clone, Copy)]
pub(super) struct Seen<'r> {
    pub(super) terms: &'r [u32],
    pub(super) events: usize,
}

impl SymbolicProcess<'_> {
    /// Runs until a function is called that was not called before. `None` if it is not, or in another way than by its name.
    pub fn run_to_call(&mut self, store: &mut Store, function: Func) -> Option<Called> {
        let operation = *self
            .machine
            .program
            .operation_starts
            .get(function.index())?;
        self.record.awaited = Some(Awaited {
            operation,
            called: None,
        });
        let _ = self.run_up_to(store, u64::MAX);
        self.record.awaited.take()?.called
    }
}
