//! Changes that a run executed without an effect on the state (eXpress §4.5, P¬I).
//!
//! The paper compares, for one input, what the changed region may define, and prunes branches of B_E behind it. Here a
//! pruned way is a proof for *all* inputs that go it, so more is demanded, and more is compared:
//!
//! Let a run of the old version take a branch of B_E at its event *e*, after changes were executed, and let *p* be the
//! place just before its next event *f*, which both versions come to after as many instructions. Suppose that
//!
//! 1. the versions are of the same **shape** ([`same_shape`]): code that the old version can execute has the same
//!    instruction at each place in both versions, except at change points of the old one; functions and
//!    globals have the same addresses;
//! 2. what the new version's run has decided up to *p* is decided by the old version's events up to *e*, by the same terms;
//! 3. at *p* both runs have the same **state**: frames, live registers, all live memory, the kernel with all output so far,
//!    by values and by terms ([`concolic_vm::symbolic::SymbolicProcess::is_like`]).
//!
//! Take an input that follows the old version up to some event from *f* on, and there goes a way of B_E. It satisfies the
//! old version's conditions up to *e*, so by 2 it also takes the new version's run to *p*. Terms give its values
//! there, so by 3 it has the same state in both versions. From *e* on the run executes no change point before the
//! way, and behind the way none can be executed (B_E). So the old version executes only instructions that are the same
//! in the new one, on the same state: both behave the same.
//!
//! **Not applied** where the shape differs (an instruction was added or removed), where the versions execute different numbers of instructions before *p*, or
//! allocate differently; to runs that were over before the facts of the change were asked for; and where it would save
//! few ways: comparing costs as much as running both versions.

use crate::changes::ChangeFacts;
use concolic_vm::Program;
use program_ir::{Func, Function, Inst, Value};

/// Ways that must be at stake.
pub(crate) const FEWEST_WAYS: usize = 2;

/// Whether the old version can execute only what the new one has at the same place too, apart from its change
/// points.
pub(crate) fn same_shape(old: &Program, new: &Program, changes: &ChangeFacts) -> bool {
    let (old_module, new_module) = (old.module(), new.module());
    let same_places = || {
        let functions = old_module.functions.keys();
        let globals = old_module.globals.keys();
        let same_name = |func: Func| {
            let (old, new) = (&old_module.functions[func], &new_module.functions[func]);
            old.name == new.name && old.is_declaration() == new.is_declaration()
        };
        functions
            .into_iter()
            .all(|func| same_name(func) && old.function_address(func) == new.function_address(func))
            && globals
                .into_iter()
                .all(|global| old.global_address(global) == new.global_address(global))
    };
    let same_code = |&func: &Func| {
        let (own, theirs) = (&old_module.functions[func], &new_module.functions[func]);
        let is_point = |inst| changes.is_point(0, func, inst);
        old.frames_alike(new, func) && same_function(own, theirs, is_point)
    };
    old_module.functions.len() == new_module.functions.len()
        && old_module.globals.len() == new_module.globals.len()
        && same_places()
        && changes.reached(0).iter().all(same_code)
}

/// Whether two functions have the same instructions at the same places, except at points. Values are told apart by where
/// they come from: how constants are numbered does not count.
fn same_function(old: &Function, new: &Function, is_point: impl Fn(Inst) -> bool) -> bool {
    if old.blocks.len() != new.blocks.len()
        || old.insts.len() != new.insts.len()
        || old.signature != new.signature
    {
        return false;
    }
    let same_types = |own: &[Value], theirs: &[Value]| {
        let mut pairs = own.iter().zip(theirs);
        own.len() == theirs.len() && pairs.all(|(own, theirs)| old.ty(*own) == new.ty(*theirs))
    };
    let same_block = |block| {
        let (own, theirs) = (&old.blocks[block], &new.blocks[block]);
        same_types(&own.params, &theirs.params) && own.insts == theirs.insts
    };
    let same_inst = |inst: Inst| {
        let results = |function: &Function| function.results(inst).collect::<Vec<Value>>();
        same_types(&results(old), &results(new))
            && (is_point(inst) || same_instruction(old, new, inst))
    };
    old.blocks.keys().all(same_block) && old.insts.keys().all(same_inst)
}

/// Whether an instruction does the same with the same operands in both functions.
fn same_instruction(old: &Function, new: &Function, inst: Inst) -> bool {
    let (own, theirs) = (&old.insts[inst].data, &new.insts[inst].data);
    let (mut operands, mut their_operands) = (Vec::new(), Vec::new());
    own.for_each_operand(|value| operands.push(value));
    theirs.for_each_operand(|value| their_operands.push(value));
    let mut pairs = operands.iter().zip(&their_operands);
    let mut renamed = operands.iter();
    operands.len() == their_operands.len()
        && pairs.all(|(own, theirs)| old.values[*own] == new.values[*theirs])
        && theirs.with_operands(|value| renamed.next().copied().unwrap_or(value)) == *own
}
