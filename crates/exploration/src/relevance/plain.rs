//! Code that surely comes to its end, without an error and without being seen from outside.
//!
//! Which way a branch goes may be left open only if nothing on its other ways can end the run, keep it from ending,
//! or put something out. *Plain* instructions compute, or access a variable or global at a known place inside it;
//! *plain* calls are of functions of the program without loops or recursion that consist of plain instructions. Those
//! of a library must not store anything either: what library functions remember is not known to all models of them.

use program_graphs::Cfg;
use program_ir::{
    BinaryOp, Block, CallData, Callee, CastOp, Constant, EntityRef, Func, Function, Inst, InstData,
    Module, Type, Value, ValueDef,
};
use rustc_hash::FxHashSet;

/// Which functions are plain to call.
pub(super) struct PlainFunctions<'a> {
    module: &'a Module,
    plain: Vec<bool>,
}

impl<'a> PlainFunctions<'a> {
    pub(super) fn of(module: &'a Module, is_library: impl Fn(Func) -> bool) -> PlainFunctions<'a> {
        let mut found = PlainFunctions {
            module,
            plain: vec![false; module.functions.len()],
        };
        // Callees before callers: a round more than the longest chain of calls finds nothing new. A function
        // that calls itself is never plain.
        loop {
            let mut more = false;
            for (func, function) in module.functions.iter() {
                let keeps_state = is_library(func) && stores(function);
                let is_known = found.plain[func.index()];
                if !is_known && !keeps_state && found.is_plain_function(function) {
                    found.plain[func.index()] = true;
                    more = true;
                }
            }
            if !more {
                return found;
            }
        }
    }

    fn is_plain_function(&self, function: &Function) -> bool {
        let Some(entry) = function.entry() else {
            return false;
        };
        if function.signature.variadic {
            return false;
        }
        function.blocks.values().all(|block| {
            let mut insts = block.insts.iter();
            insts.all(|&inst| self.is_plain(function, inst))
        }) && is_acyclic(&Cfg::of(function), &[entry], None)
    }

    /// Whether an instruction surely succeeds and is not seen.
    pub(super) fn is_plain(&self, function: &Function, inst: Inst) -> bool {
        let data = &function.insts[inst].data;
        match data {
            InstData::Binary { op, args, .. } => {
                let divides = matches!(
                    op,
                    BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem
                );
                !divides || is_safe_divisor(function, args[1])
            }
            InstData::Unary { .. }
            | InstData::Ternary { .. }
            | InstData::Overflow { .. }
            | InstData::IntCompare { .. }
            | InstData::FloatCompare { .. }
            | InstData::FloatClass { .. }
            | InstData::Cast { .. }
            | InstData::PtrAdd { .. }
            | InstData::Jump(_)
            | InstData::Branch { .. }
            | InstData::Switch { .. }
            | InstData::Return { .. } => true,
            // A block of fixed size in the entry is made whatever happens.
            InstData::Alloca { count, .. } => constant(function, *count).is_some(),
            InstData::Load {
                address, volatile, ..
            } => {
                let result = function.insts[inst].first_result;
                let size = result.map_or(0, |value| function.ty(value).store_bytes());
                !volatile && self.lies_inside(function, *address, size, false)
            }
            InstData::Store {
                address,
                value,
                volatile,
                ..
            } => {
                !volatile
                    && self.lies_inside(function, *address, function.ty(*value).store_bytes(), true)
            }
            InstData::Call(call) => self.is_plain_call(call),
            _ => false,
        }
    }

    fn is_plain_call(&self, call: &CallData) -> bool {
        match call.callee {
            Callee::Direct(callee) => self.plain[callee.index()] && call.by_val.is_empty(),
            Callee::Indirect(_) => false,
        }
    }

    /// Whether an access of `size` bytes is inside a variable of the function or a global.
    fn lies_inside(&self, function: &Function, address: Value, size: u32, writes: bool) -> bool {
        let mut offset: i64 = 0;
        let mut at = address;
        loop {
            let inst = match function.values[at].def {
                ValueDef::Result(inst, _) => inst,
                ValueDef::Constant(Constant::GlobalAddress {
                    global,
                    offset: more,
                }) => {
                    let data = &self.module.globals[global];
                    let start = offset + more;
                    let is_defined = data.linkage != program_ir::Linkage::Import;
                    return is_defined
                        && !(writes && data.constant)
                        && start >= 0
                        && start as u64 + u64::from(size) <= data.size;
                }
                _ => return false,
            };
            match &function.insts[inst].data {
                InstData::PtrAdd {
                    base,
                    offset: more,
                    terms,
                    ..
                } if terms.is_empty() => {
                    offset += more;
                    at = *base;
                }
                InstData::Cast {
                    op: CastOp::Bits,
                    arg,
                } if function.ty(*arg) == Type::Ptr => at = *arg,
                InstData::Alloca {
                    count,
                    element_size,
                    ..
                } => {
                    let count = constant(function, *count).unwrap_or(0);
                    let length = count.saturating_mul(u128::from(*element_size));
                    return offset >= 0 && offset as u128 + u128::from(size) <= length;
                }
                _ => return false,
            }
        }
    }
}

fn stores(function: &Function) -> bool {
    let mut blocks = function.blocks.values();
    let is_store = |inst: &Inst| matches!(function.insts[*inst].data, InstData::Store { .. });
    blocks.any(|block| block.insts.iter().any(is_store))
}

/// Whether no block comes after itself on the way from `starts` to `end`.
pub(super) fn is_acyclic(cfg: &Cfg, starts: &[Block], end: Option<Block>) -> bool {
    let mut done: FxHashSet<Block> = FxHashSet::default();
    let mut open: FxHashSet<Block> = FxHashSet::default();
    let mut stack: Vec<(Block, bool)> = starts.iter().map(|&block| (block, false)).collect();
    while let Some((block, leaves)) = stack.pop() {
        if leaves {
            open.remove(&block);
            done.insert(block);
            continue;
        }
        if Some(block) == end || done.contains(&block) {
            continue;
        }
        if !open.insert(block) {
            return false;
        }
        stack.push((block, true));
        for next in cfg.successors(block) {
            if open.contains(&next) {
                return false;
            }
            stack.push((next, false));
        }
    }
    true
}

fn constant(function: &Function, value: Value) -> Option<u128> {
    match function.values[value].def {
        ValueDef::Constant(Constant::Bits(bits)) => Some(bits),
        _ => None,
    }
}

/// A constant other than 0 and −1.
fn is_safe_divisor(function: &Function, value: Value) -> bool {
    let width = function.ty(value).bits();
    constant(function, value).is_some_and(|bits| bits != 0 && bits != u128::MAX >> (128 - width))
}
