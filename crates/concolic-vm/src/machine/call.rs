//! Calls that are more than copying words: through a pointer, of builtins, with variadic arguments or structs by value.

use super::{FrameKind, Machine, Transfer, VarArg};
use crate::builtins::Builtin;
use crate::memory::{Access, Address, Fault};
use crate::monitor::{At, Monitor};
use crate::op::{CallSite, SiteCallee};
use crate::outcome::End;
use crate::program::Body;
use program_ir::{ByVal, EntityRef, Func};

/// What a call passes.
struct Passed {
    /// The words of the parameters, with their terms.
    words: Vec<u64>,
    terms: Vec<u32>,
    /// The arguments of the list.
    varargs: Vec<VarArg>,
}

impl Machine<'_> {
    /// The caller's frame has its `pc` set to the operation behind the call.
    pub(crate) fn call_site<M: Monitor>(
        &mut self,
        site: &CallSite,
        to: u32,
        at: At,
        monitor: &mut M,
    ) -> Result<Transfer, End> {
        let caller = *self.frames.last().expect("a caller");
        let own_objects = self.stack.objects.len() as u32;
        let function = self.callee(site, caller.base, at, monitor)?;
        let program = self.program;
        let body = &program.functions[function as usize].body;
        if let Body::Builtin(builtin) = body {
            monitor.builtin(self, at, *builtin, site);
        }
        let mut passed = self.pass(site, function, caller.base, at, monitor)?;
        match body {
            Body::Builtin(Builtin::Syscall) => {
                let mut all = [0; 7];
                for (word, &value) in all.iter_mut().zip(&passed.words) {
                    *word = value;
                }
                self.syscall(all, at, monitor)
            }
            Body::Builtin(Builtin::Symbolic) => self.make_symbolic(&passed.words, monitor),
            Body::Builtin(builtin) => {
                self.call_builtin(*builtin, &passed.words, monitor.byte_set(), at.site())
            }
            Body::Missing => Err(End::Unsupported {
                what: format!(
                    "call of '{}', which is not defined in the program and not modelled; add the file or \
                     library that defines it",
                    program.module.functions[Func::new(function as usize)].name
                ),
            }),
            Body::Code(code) => {
                let caller_code = program
                    .code(caller.function)
                    .expect("the caller is running");
                let base = caller.base + caller_code.slots as usize;
                self.push_frame(function, code, base, to, site.result_words, FrameKind::Call)?;
                self.frames.last_mut().expect("just pushed").objects = own_objects;
                passed.words.resize(code.param_words as usize, 0);
                passed.terms.resize(code.param_words as usize, 0);
                self.registers[base..base + passed.words.len()].copy_from_slice(&passed.words);
                monitor.goes_to(self, function, 0);
                monitor.words_set(self, base, &passed.terms);
                self.stack.varargs.extend(passed.varargs);
                Ok(Transfer::Enter)
            }
        }
    }

    /// The function that is called.
    fn callee<M: Monitor>(
        &mut self,
        site: &CallSite,
        base: usize,
        at: At,
        monitor: &mut M,
    ) -> Result<u32, End> {
        match site.callee {
            SiteCallee::Function(function) => Ok(function),
            SiteCallee::Address(operand) => {
                monitor.callee(self, at, operand);
                let address = self.registers[operand.index(base)];
                self.memory.function_at(address).ok_or_else(|| {
                    self.memory_error(Fault {
                        access: Access::Call,
                        address,
                        size: 0,
                    })
                })
            }
        }
    }

    /// Reads the arguments from the caller's registers, which begin at `base`.
    fn pass<M: Monitor>(
        &mut self,
        site: &CallSite,
        function: u32,
        base: usize,
        at: At,
        monitor: &mut M,
    ) -> Result<Passed, End> {
        let mut passed = Passed {
            words: Vec::with_capacity(site.args.len() + 1),
            terms: Vec::with_capacity(site.args.len() + 1),
            varargs: Vec::new(),
        };
        let program = self.program;
        let signature = &program.module.functions[Func::new(function as usize)].signature;
        // A call without a prototype in sight takes all its arguments for named ones.
        let named = signature.params.len().min(site.fixed_args as usize);
        for (index, &(operand, ty)) in site.args.iter().enumerate() {
            let low_index = operand.index(base);
            let high_index = ty.is_wide().then(|| operand.high().index(base));
            let mut low = self.registers[low_index];
            let high = high_index.map(|index| self.registers[index]);
            let by_val = site
                .by_val
                .iter()
                .find(|by_val| by_val.arg as usize == index);
            let in_list = signature.variadic && index >= named;
            let entries = match (in_list, by_val) {
                (false, _) => 0,
                (true, Some(by_val)) => by_val.size.div_ceil(8) as u32,
                (true, None) => 1,
            };
            monitor.passes(self, low_index, entries, ty.is_wide());
            if let Some(by_val) = by_val {
                monitor.by_value(self, at, operand, by_val.size);
                if in_list {
                    self.push_struct_argument(&mut passed.varargs, low, by_val)?;
                    continue;
                }
                // The copy is the callee's: it ends with its frame.
                let copy = self.stack_object(by_val.size, at.site())?;
                self.memory
                    .copy(copy, low, by_val.size)
                    .map_err(|fault| self.memory_error(fault))?;
                low = copy;
            }
            if in_list {
                passed.varargs.push(VarArg {
                    words: [low, high.unwrap_or(0)],
                    terms: variadic_terms(monitor, self, low_index, high_index),
                    wide: ty.is_wide(),
                    aligned: ty.is_wide(),
                });
            } else {
                passed.words.push(low);
                passed.words.extend(high);
                passed.terms.push(if by_val.is_some() {
                    0
                } else {
                    monitor.word(low_index)
                });
                passed
                    .terms
                    .extend(high_index.map(|index| monitor.word(index)));
            }
        }
        Ok(passed)
    }

    /// A struct passed in memory lies in the argument area as it is, in words.
    fn push_struct_argument(
        &mut self,
        varargs: &mut Vec<VarArg>,
        address: Address,
        by_val: &ByVal,
    ) -> Result<(), End> {
        let mut bytes = self
            .memory
            .bytes(address, by_val.size)
            .map_err(|fault| self.memory_error(fault))?
            .to_vec();
        let mut terms = match self.memory.terms(address, by_val.size) {
            Some(terms) => terms.to_vec(),
            None => vec![0; bytes.len()],
        };
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        terms.resize(bytes.len(), 0);
        let words = bytes.chunks_exact(8).zip(terms.chunks_exact(8)).enumerate();
        varargs.extend(words.map(|(index, (chunk, terms))| VarArg {
            words: [u64::from_le_bytes(chunk.try_into().expect("8 bytes")), 0],
            terms: terms.iter().any(|&term| term != 0).then(|| {
                let mut both = [0; 16];
                both[..8].copy_from_slice(terms);
                Box::new(both)
            }),
            wide: false,
            aligned: index == 0 && by_val.align >= 16,
        }));
        Ok(())
    }
}

/// The terms of a variadic argument's bytes.
fn variadic_terms<M: Monitor>(
    monitor: &mut M,
    machine: &mut Machine<'_>,
    low: usize,
    high: Option<usize>,
) -> Option<Box<[u32; 16]>> {
    let low = monitor.word_bytes(machine, low);
    let high = high.and_then(|index| monitor.word_bytes(machine, index));
    if low.is_none() && high.is_none() {
        return None;
    }
    let mut terms = [0; 16];
    terms[..8].copy_from_slice(&low.unwrap_or_default());
    terms[8..].copy_from_slice(&high.unwrap_or_default());
    Some(Box::new(terms))
}
