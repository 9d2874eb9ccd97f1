//! Code that surely comes to its end, without an error and without being seen from outside.
//!
//! Which way a branch goes may be left open only if nothing on its other ways can end the run, keep it from ending,
//! or put something out. *Plain* instructions compute, or access a variable or global at a known place inside it;
//! *plain* calls are of functions without loops or recursion that consist of plain instructions and call few others in
//! one another. A function with variables in memory is not plain: addresses of what is made later would be others.

use concolic_vm::Program;
use concolic_vm::observe::SPARE_CALLS;
use program_graphs::Cfg;
use program_ir::{
    BinaryOp, Block, CallData, Callee, CastOp, Constant, EntityRef, Function, Inst, InstData,
    Module, Type, UnaryOp, Value, ValueDef,
};
use rustc_hash::FxHashSet;

/// Which functions are plain to call.
pub(super) struct PlainFunctions<'a> {
    module: &'a Module,
    /// How many calls in one another one of a plain function leads to, itself included.
    depths: Vec<Option<u32>>,
}

impl<'a> PlainFunctions<'a> {
    pub(super) fn of(program: &'a Program) -> PlainFunctions<'a> {
        let module = program.module();
        let mut found = PlainFunctions {
            module,
            depths: vec![None; module.functions.len()],
        };
        // Callees before callers: a round more than the longest chain of calls finds nothing new. A function
        // that calls itself is never plain.
        loop {
            let mut more = false;
            for (func, function) in module.functions.iter() {
                // What is called by this name may be the machine's own.
                let is_open = found.depths[func.index()].is_none() && program.has_code(func);
                if is_open && let Some(depth) = found.depth_if_plain(function) {
                    found.depths[func.index()] = Some(depth);
                    more = true;
                }
            }
            if !more {
                return found;
            }
        }
    }

    fn depth_if_plain(&self, function: &Function) -> Option<u32> {
        let entry = function.entry()?;
        let mut depth = 0;
        for &inst in function.blocks.values().flat_map(|block| &block.insts) {
            match &function.insts[inst].data {
                InstData::Call(call) => depth = depth.max(self.plain_call(call)?),
                _ if self.is_plain(function, inst) => {}
                _ => return None,
            }
        }
        let is_plain = !function.signature.variadic
            // There is at least so much room: see `DependenceTrace::has_room`.
            && depth < SPARE_CALLS
            && is_acyclic(&Cfg::of(function), &[entry], None);
        is_plain.then_some(depth + 1)
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
            // What the zeros of 0 are is undefined.
            InstData::Unary { op, .. } => !matches!(
                op,
                UnaryOp::LeadingZerosOfNonzero | UnaryOp::TrailingZerosOfNonzero
            ),
            InstData::Ternary { .. }
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
            InstData::Call(call) => self.plain_call(call).is_some(),
            _ => false,
        }
    }

    fn plain_call(&self, call: &CallData) -> Option<u32> {
        let Callee::Direct(callee) = call.callee else {
            return None;
        };
        let params = &self.module.functions[callee].signature.params;
        let fits = call.by_val.is_empty() && call.args.len() == params.len();
        self.depths[callee.index()].filter(|_| fits)
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

pub(super) fn constant(function: &Function, value: Value) -> Option<u128> {
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
