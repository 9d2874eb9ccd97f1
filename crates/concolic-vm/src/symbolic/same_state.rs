//! Whether two programs that differ little are in the same state.

use super::SymbolicProcess;
use crate::machine::Frame;
use crate::program::Program;
use expr::ExprId;
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

/// A register that has the same value in both processes, but not the same term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unlike {
    pub value: u64,
    /// `None`: the value does not depend on the input.
    pub terms: [Option<ExprId>; 2],
}

impl SymbolicProcess<'_> {
    /// Whether all that decides how the run goes on is the same, for every input that came here: frames, registers that may
    /// still be read, memory and the kernel, by values and by terms. How many instructions were executed may differ. Both must
    /// have their terms in the same store, and frames that look alike ([`Program::frames_alike`]).
    pub fn is_like(&self, other: &SymbolicProcess<'_>) -> bool {
        self.unlike(other).is_some_and(|pairs| pairs.is_empty())
    }

    /// The registers whose terms would have to be equal for the states to be the same, of those that may still be read. `None`
    /// if that would not do. All have the same value on the run's own input.
    pub fn unlike(&self, other: &SymbolicProcess<'_>) -> Option<Vec<Unlike>> {
        let (own, theirs) = (&self.machine, &other.machine);
        // A place to jump back to knows its frame by its number.
        let jumps = own.program.may_jump_back() || theirs.program.may_jump_back();
        let (skip, other_skip) = (own.program.constants.len(), theirs.program.constants.len());
        // Constants lie before the frames.
        let moved = |frame: &Frame, skip: usize| Frame {
            base: frame.base - skip,
            serial: if jumps { frame.serial } else { 0 },
            ..*frame
        };
        let same_frame = |(a, b): (&Frame, &Frame)| moved(a, skip) == moved(b, other_skip);
        let same = own.frames.len() == theirs.frames.len()
            && own.frames.iter().zip(&theirs.frames).all(same_frame)
            && (!jumps || own.next_serial == theirs.next_serial)
            && self.record.handed_on == other.record.handed_on
            && own.stack.objects == theirs.stack.objects
            && own.stack.bytes == theirs.stack.bytes
            && own.stack.argument_areas == theirs.stack.argument_areas
            && own.errno_place == theirs.errno_place
            && own.stack.varargs == theirs.stack.varargs
            && own.thread_pointer == theirs.thread_pointer
            && own.limits == theirs.limits
            && own.returned == theirs.returned
            && own.variables == theirs.variables
            && own.memory.is_like(&theirs.memory)
            && own.kernel.is_like(&theirs.kernel);
        same.then(|| self.unlike_registers(other, jumps)).flatten()
    }

    /// The same of registers that may still be read, or `all` of them.
    fn unlike_registers(&self, other: &SymbolicProcess<'_>, all: bool) -> Option<Vec<Unlike>> {
        let (own, theirs) = (&self.machine, &other.machine);
        let mut unlike = Vec::new();
        for (number, (frame, their_frame)) in own.frames.iter().zip(&theirs.frames).enumerate() {
            let code = own.program.code(frame.function)?;
            let slots: Vec<u32> = match all {
                true => (0..code.slots).collect(),
                false => {
                    // The frame above will write the results of its call.
                    let results = own.frames.get(number + 1).map_or(0..0, |above| {
                        let all = own.program.result_words(above.function);
                        above.to..above.to + above.result_words.min(all)
                    });
                    // Both programs have the same code but for changes, which may read other slots.
                    let mut slots = own.program.live_slots(frame.function, frame.pc);
                    slots.extend(theirs.program.live_slots(frame.function, frame.pc));
                    slots.retain(|slot| !results.contains(slot));
                    slots.sort_unstable();
                    slots.dedup();
                    slots
                }
            };
            let term = |process: &SymbolicProcess<'_>, index: usize| {
                let word = process.record.terms.get(index).copied().unwrap_or(0);
                ExprId::from_raw(word)
            };
            for slot in slots {
                let (index, their_index) =
                    (frame.base + slot as usize, their_frame.base + slot as usize);
                let (value, their_value) = (
                    own.registers.get(index)?,
                    theirs.registers.get(their_index)?,
                );
                let terms = [term(self, index), term(other, their_index)];
                if value != their_value {
                    return None;
                }
                if terms[0] != terms[1] {
                    unlike.push(Unlike {
                        value: *value,
                        terms,
                    });
                }
            }
        }
        Some(unlike)
    }
}
