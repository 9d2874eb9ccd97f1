//! Whether two programs that differ little are in the same state.

use super::SymbolicProcess;
use crate::machine::{Frame, Machine};
use crate::program::Program;
use program_ir::Func;

impl Program {
    /// Whether a frame of the function looks the same in both programs: the same instruction at each place in its
    /// code, and each value in the same slot.
    pub fn frames_alike(&self, other: &Program, func: Func) -> bool {
        match (self.code(func.as_u32()), other.code(func.as_u32())) {
            (Some(own), Some(theirs)) => {
                own.origins == theirs.origins
                    && own.block_starts == theirs.block_starts
                    && own.slots == theirs.slots
                    && own.param_words == theirs.param_words
                    && own.slots_ends == theirs.slots_ends
                    && own.slots_defined == theirs.slots_defined
            }
            (None, None) => true,
            _ => false,
        }
    }
}

impl SymbolicProcess<'_> {
    /// Whether all that decides how the run goes on is the same, for every input that came here, and as many
    /// instructions were executed: frames, registers, memory and the kernel, by values and by terms. Both must have
    /// their terms in the same store, and frames that look alike ([`Program::frames_alike`]).
    pub fn is_like(&self, other: &SymbolicProcess<'_>) -> bool {
        let (own, theirs) = (&self.machine, &other.machine);
        // Constants lie before the frames.
        let (skip, other_skip) = (own.program.constants.len(), theirs.program.constants.len());
        let moved = |frame: &Frame, skip: usize| Frame {
            base: frame.base - skip,
            ..*frame
        };
        let same_frame = |(a, b): (&Frame, &Frame)| moved(a, skip) == moved(b, other_skip);
        let (live, other_live) = (live_registers(own), live_registers(theirs));
        let terms = |process: &SymbolicProcess<'_>, from: usize, to: usize| -> Vec<u32> {
            let mut terms = process.record.terms.clone();
            terms.resize(to.max(terms.len()), 0);
            terms[from..to].to_vec()
        };
        own.instructions == theirs.instructions
            && own.frames.len() == theirs.frames.len()
            && own.frames.iter().zip(&theirs.frames).all(same_frame)
            && own.registers[skip..live] == theirs.registers[other_skip..other_live]
            && terms(self, skip, live) == terms(other, other_skip, other_live)
            && self.record.transient() == other.record.transient()
            && own.stack_objects == theirs.stack_objects
            && own.stack_bytes == theirs.stack_bytes
            && own.argument_areas == theirs.argument_areas
            && own.errno_place == theirs.errno_place
            && own.varargs == theirs.varargs
            && own.thread_pointer == theirs.thread_pointer
            && own.limits == theirs.limits
            && own.next_serial == theirs.next_serial
            && own.returned == theirs.returned
            && own.variables == theirs.variables
            && own.named_variables == theirs.named_variables
            && own.memory.is_like(&theirs.memory)
            && own.kernel.is_like(&theirs.kernel)
    }
}

/// Where the slots of the innermost frame end.
fn live_registers(machine: &Machine<'_>) -> usize {
    let last = machine.frames.last();
    last.map_or(machine.program.constants.len(), |frame| {
        let code = machine.program.code(frame.function);
        frame.base + code.map_or(0, |code| code.slots as usize)
    })
}
