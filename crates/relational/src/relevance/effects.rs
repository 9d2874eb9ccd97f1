//! What calls of functions may do to memory that outlives them.

use super::variables::{Cell, Variables, computes};
use concolic_vm::Program;
use program_ir::{Callee, EntityRef, Func, InstData, Module};
use rustc_hash::FxHashSet;

/// What may be written, if no more than memory is changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    pub(super) writes: FxHashSet<Cell>,
    /// More than that, or by unknown code: a system call, a new object, a call through a pointer. Addresses of objects
    /// made later depend on how many there were.
    pub(super) anything: bool,
}

impl Effects {
    fn add(&mut self, other: &Effects) -> bool {
        let before = (self.writes.len(), self.anything);
        self.writes.extend(&other.writes);
        self.anything |= other.anything;
        before != (self.writes.len(), self.anything)
    }
}

/// The effects of all functions.
pub(super) struct FunctionEffects(Vec<Effects>);

impl FunctionEffects {
    pub(super) fn of(program: &Program, variables: &Variables) -> FunctionEffects {
        let module = program.module();
        let mut callers: Vec<Vec<Func>> = vec![Vec::new(); module.functions.len()];
        let mut effects: Vec<Effects> = Vec::with_capacity(module.functions.len());
        for (func, function) in module.functions.iter() {
            let mut own = Effects::default();
            for &inst in function.blocks.values().flat_map(|block| &block.insts) {
                let data = &function.insts[inst].data;
                if let Some(call) = data.call() {
                    match call.callee {
                        Callee::Direct(callee) if program.has_code(callee) => {
                            callers[callee.index()].push(func);
                        }
                        _ => own.anything = true,
                    }
                    own.anything |= !matches!(data, InstData::Call(_));
                } else {
                    let accesses = variables.accesses(func, function, data);
                    // A function's own variables end with it.
                    let lasting = |cell: &Cell| !variables.is_local(*cell);
                    own.writes
                        .extend(accesses.writes.into_iter().filter(lasting));
                    own.anything |= does_more(data);
                }
            }
            own.anything |= !program.has_code(func);
            effects.push(own);
        }
        let mut open: Vec<Func> = module.functions.keys().collect();
        while let Some(func) = open.pop() {
            let callee = effects[func.index()].clone();
            for &caller in &callers[func.index()] {
                if effects[caller.index()].add(&callee) {
                    open.push(caller);
                }
            }
        }
        FunctionEffects(effects)
    }

    /// Of an instruction, with what it calls. Local variables of the caller are among them.
    pub(super) fn of_inst(
        &self,
        program: &Program,
        variables: &Variables,
        func: Func,
        data: &InstData,
        into: &mut Effects,
    ) {
        let module: &Module = program.module();
        match data.call().map(|call| &call.callee) {
            Some(Callee::Direct(callee)) if matches!(data, InstData::Call(_)) => {
                into.add(&self.0[callee.index()]);
            }
            Some(_) => into.anything = true,
            None => {
                let accesses = variables.accesses(func, &module.functions[func], data);
                into.writes.extend(accesses.writes);
                into.anything |= does_more(data);
            }
        }
    }
}

/// Whether an instruction other than a call does more than compute, go on elsewhere and access memory.
pub(super) fn does_more(data: &InstData) -> bool {
    let accesses = matches!(
        data,
        InstData::Load { .. }
            | InstData::Store { .. }
            | InstData::MemCopy { .. }
            | InstData::MemSet { .. }
            | InstData::AtomicRmw { .. }
            | InstData::CompareExchange { .. }
    );
    !accesses && !computes(data)
}
