//! Which slots of a frame may still be read before they are written again.
//!
//! A slot that is taken for live although it is not only makes states look different that are not. So what an operation reads
//! is known in full, and what it writes only where that is simple.

use crate::builtins::Builtin;
use crate::op::{Code, Op, Operand, Reg, SiteCallee};
use crate::program::Program;
use program_ir::Func;
use std::ops::Range;

impl Program {
    /// Whether control may come back to a place in a function from elsewhere (`setjmp`): then no slot is surely dead.
    pub(crate) fn may_jump_back(&self) -> bool {
        let mut functions = self.module().functions.values();
        functions.any(|function| {
            let builtin = Builtin::named(&function.name);
            matches!(builtin, Some(Builtin::SetJump | Builtin::SignalSetJump))
        })
    }

    /// The live slots just before the operation at `pc`, ascending.
    pub(crate) fn live_slots(&self, function: u32, pc: u32) -> Vec<u32> {
        let Some(code) = self.code(function) else {
            return Vec::new();
        };
        let words = (code.slots as usize).div_ceil(64);
        let mut live = vec![0u64; words * code.ops.len()];
        let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); code.ops.len()];
        for (place, op) in (0..).zip(&code.ops) {
            for next in successors(code, op, place) {
                if let Some(before) = predecessors.get_mut(next as usize) {
                    before.push(place);
                }
            }
        }
        let mut open: Vec<u32> = (0..code.ops.len() as u32).collect();
        while let Some(place) = open.pop() {
            let op = &code.ops[place as usize];
            let mut now = vec![0u64; words];
            for next in successors(code, op, place) {
                let start = next as usize * words;
                let after = live.get(start..start + words).unwrap_or(&[]);
                now.iter_mut()
                    .zip(after)
                    .for_each(|(own, more)| *own |= more);
            }
            for slot in self.writes(code, op) {
                now[slot as usize / 64] &= !(1 << (slot % 64));
            }
            self.reads(code, op, |operand| {
                if let Ok(slot) = usize::try_from(operand.0)
                    && slot < code.slots as usize
                {
                    now[slot / 64] |= 1 << (slot % 64);
                }
            });
            let known = &mut live[place as usize * words..][..words];
            if *known != now[..] {
                known.copy_from_slice(&now);
                open.extend(&predecessors[place as usize]);
            }
        }
        let start = pc as usize * words;
        let live = live.get(start..start + words).unwrap_or(&[]);
        let is_live = |slot: &u32| {
            live.get(*slot as usize / 64)
                .is_some_and(|word| word >> (slot % 64) & 1 == 1)
        };
        (0..code.slots).filter(is_live).collect()
    }

    /// The words of what a function returns.
    pub(crate) fn result_words(&self, function: u32) -> u32 {
        let function = &self.module().functions[Func::from_u32(function)];
        let types = function.signature.returns.iter();
        types.map(|ty| if ty.is_wide() { 2 } else { 1 }).sum()
    }

    /// The slots that an operation surely writes before the next one.
    fn writes(&self, code: &Code, op: &Op) -> Range<Reg> {
        match *op {
            Op::Call { to, function, .. } => to..to + self.result_words(function),
            Op::CallSite { to, site } => to..to + code.sites[site as usize].result_words.min(1),
            _ => written(op).map_or(0..0, |to| to..to + 1),
        }
    }

    /// Everything that an operation reads.
    fn reads(&self, code: &Code, op: &Op, mut visit: impl FnMut(Operand)) {
        let pool = |start: u32, count: usize| &code.pool[start as usize..start as usize + count];
        match *op {
            Op::Move { from: a, .. }
            | Op::Truncate { a, .. }
            | Op::SignExtend { a, .. }
            | Op::SignedToF64 { a, .. }
            | Op::Alloca { count: a, .. }
            | Op::StackRestore { token: a }
            | Op::VaStart { list: a }
            | Op::Cpuid { leaf: a, .. }
            | Op::BranchIf { condition: a, .. }
            | Op::IndirectJump { address: a, .. }
            | Op::Load8 { address: a, .. }
            | Op::Load16 { address: a, .. }
            | Op::Load32 { address: a, .. }
            | Op::Load64 { address: a, .. }
            | Op::LoadN { address: a, .. }
            | Op::Switch { arg: a, .. } => wide(&[a], visit),
            Op::Add32 { a, b, .. }
            | Op::Add64 { a, b, .. }
            | Op::AddN { a, b, .. }
            | Op::Sub32 { a, b, .. }
            | Op::Sub64 { a, b, .. }
            | Op::SubN { a, b, .. }
            | Op::Mul32 { a, b, .. }
            | Op::Mul64 { a, b, .. }
            | Op::MulN { a, b, .. }
            | Op::And { a, b, .. }
            | Op::Or { a, b, .. }
            | Op::Xor { a, b, .. }
            | Op::Shl32 { a, b, .. }
            | Op::Shl64 { a, b, .. }
            | Op::LShr32 { a, b, .. }
            | Op::LShr64 { a, b, .. }
            | Op::AShr32 { a, b, .. }
            | Op::AShr64 { a, b, .. }
            | Op::UDiv { a, b, .. }
            | Op::SDivN { a, b, .. }
            | Op::URem { a, b, .. }
            | Op::SRemN { a, b, .. }
            | Op::Eq { a, b, .. }
            | Op::Ne { a, b, .. }
            | Op::Ult { a, b, .. }
            | Op::Ule { a, b, .. }
            | Op::Slt { a, b, .. }
            | Op::Sle { a, b, .. }
            | Op::FAdd64 { a, b, .. }
            | Op::FSub64 { a, b, .. }
            | Op::FMul64 { a, b, .. }
            | Op::FDiv64 { a, b, .. }
            | Op::FCompare64 { a, b, .. }
            | Op::PtrIndex {
                base: a, index: b, ..
            }
            | Op::VaCopy { to: a, from: b }
            | Op::BranchEq { a, b, .. }
            | Op::BranchNe { a, b, .. }
            | Op::BranchUlt { a, b, .. }
            | Op::BranchUle { a, b, .. }
            | Op::BranchSlt32 { a, b, .. }
            | Op::BranchSle32 { a, b, .. }
            | Op::BranchSlt64 { a, b, .. }
            | Op::BranchSle64 { a, b, .. }
            | Op::Store8 {
                value: a,
                address: b,
                ..
            }
            | Op::Store16 {
                value: a,
                address: b,
                ..
            }
            | Op::Store32 {
                value: a,
                address: b,
                ..
            }
            | Op::Store64 {
                value: a,
                address: b,
                ..
            } => [a, b].into_iter().for_each(visit),
            Op::StoreN { value, address, .. } => {
                [value, value.high(), address].into_iter().for_each(visit);
            }
            Op::Select {
                condition,
                pool: at,
                ..
            } => {
                visit(condition);
                pool(at, 2).iter().copied().for_each(visit);
            }
            Op::MemCopy { to, from, length } => [to, from, length].into_iter().for_each(visit),
            Op::MemSet { to, byte, length } => [to, byte, length].into_iter().for_each(visit),
            Op::AtomicRmw { pool: at, .. } => wide(pool(at, 2), visit),
            Op::CompareExchange { pool: at, .. } => wide(pool(at, 3), visit),
            Op::Pure { index } => wide(&code.pures[index as usize].args, visit),
            Op::Call {
                function, pool: at, ..
            } => {
                let words = self.code(function).map_or(0, |code| code.param_words);
                pool(at, words as usize).iter().copied().for_each(visit);
            }
            Op::CallSite { site, .. } => {
                let site = &code.sites[site as usize];
                if let SiteCallee::Address(address) = site.callee {
                    visit(address);
                }
                for (argument, _) in &site.args {
                    wide(&[*argument], &mut visit);
                }
            }
            Op::Syscall { pool: at, .. } => pool(at, 7).iter().copied().for_each(visit),
            Op::Return {
                values, pool: at, ..
            } => wide(pool(at, usize::from(values)), visit),
            Op::StackSave { .. }
            | Op::ThreadPointer { .. }
            | Op::Jump { .. }
            | Op::Stop { .. }
            | Op::Count { .. } => {}
        }
    }
}

/// Operands that may be wide, with their high words.
fn wide(operands: &[Operand], mut visit: impl FnMut(Operand)) {
    for &operand in operands {
        visit(operand);
        visit(operand.high());
    }
}

/// The slot that an operation writes whatever happens, if that is simple.
fn written(op: &Op) -> Option<Reg> {
    match *op {
        Op::Move { to, .. }
        | Op::Add32 { to, .. }
        | Op::Add64 { to, .. }
        | Op::AddN { to, .. }
        | Op::Sub32 { to, .. }
        | Op::Sub64 { to, .. }
        | Op::SubN { to, .. }
        | Op::Mul32 { to, .. }
        | Op::Mul64 { to, .. }
        | Op::MulN { to, .. }
        | Op::And { to, .. }
        | Op::Or { to, .. }
        | Op::Xor { to, .. }
        | Op::Shl32 { to, .. }
        | Op::Shl64 { to, .. }
        | Op::LShr32 { to, .. }
        | Op::LShr64 { to, .. }
        | Op::AShr32 { to, .. }
        | Op::AShr64 { to, .. }
        | Op::UDiv { to, .. }
        | Op::SDivN { to, .. }
        | Op::URem { to, .. }
        | Op::SRemN { to, .. }
        | Op::Eq { to, .. }
        | Op::Ne { to, .. }
        | Op::Ult { to, .. }
        | Op::Ule { to, .. }
        | Op::Slt { to, .. }
        | Op::Sle { to, .. }
        | Op::Truncate { to, .. }
        | Op::SignExtend { to, .. }
        | Op::Select { to, .. }
        | Op::FAdd64 { to, .. }
        | Op::FSub64 { to, .. }
        | Op::FMul64 { to, .. }
        | Op::FDiv64 { to, .. }
        | Op::FCompare64 { to, .. }
        | Op::SignedToF64 { to, .. }
        | Op::PtrIndex { to, .. }
        | Op::Load8 { to, .. }
        | Op::Load16 { to, .. }
        | Op::Load32 { to, .. }
        | Op::Load64 { to, .. }
        | Op::LoadN { to, .. }
        | Op::Syscall { to, .. }
        | Op::ThreadPointer { to }
        | Op::StackSave { to }
        | Op::AtomicRmw { to, .. }
        | Op::Alloca { to, .. } => Some(to),
        _ => None,
    }
}

/// Where control may go from an operation.
fn successors(code: &Code, op: &Op, place: u32) -> Vec<u32> {
    match *op {
        Op::Jump { target, .. } => vec![target],
        Op::BranchIf { target, .. }
        | Op::BranchEq { target, .. }
        | Op::BranchNe { target, .. }
        | Op::BranchUlt { target, .. }
        | Op::BranchUle { target, .. }
        | Op::BranchSlt32 { target, .. }
        | Op::BranchSle32 { target, .. }
        | Op::BranchSlt64 { target, .. }
        | Op::BranchSle64 { target, .. } => vec![target, place + 1],
        Op::Switch { table, .. } => {
            let mut targets = Vec::new();
            code.switches[table as usize].for_each_case(|(_, target)| targets.push(target));
            targets
        }
        Op::IndirectJump { .. } => code.block_starts.clone(),
        Op::Return { .. } | Op::Stop { .. } => Vec::new(),
        _ => vec![place + 1],
    }
}
