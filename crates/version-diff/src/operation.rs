//! An instruction without its operands: what it does, in words comparable across versions.
//!
//! Two instructions with equal words and corresponding operands compute the same. Left
//! out on purpose: alignments (they change no value), source locations, block numbers.

use crate::version::{ClassifiedModule, Definition, UNMATCHED};
use program_ir::{
    BlockCall, CallData, Callee, Constant, Function, Inst, InstData, Type, Value, ValueDef,
};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Opcode, immediates, called function and all types.
pub(crate) fn words(version: &ClassifiedModule<'_>, function: &Function, inst: Inst) -> Vec<u64> {
    let data = &function.insts[inst].data;
    let mut words = Vec::with_capacity(8);
    describe(version, data, &mut words);
    for value in plain_operands(data) {
        words.push(type_word(function.ty(value)));
    }
    words.push(u64::MAX);
    for value in function.results(inst) {
        words.push(type_word(function.ty(value)));
    }
    words
}

/// The operands other than those on edges, in order.
pub(crate) fn plain_operands(data: &InstData) -> Vec<Value> {
    let mut operands = Vec::new();
    data.for_each_operand(|value| operands.push(value));
    let mut on_edges = 0;
    data.for_each_edge(|edge| on_edges += edge.args.len());
    operands.truncate(operands.len() - on_edges);
    operands
}

pub(crate) fn edges(data: &InstData) -> Vec<&BlockCall> {
    let mut edges = Vec::new();
    data.for_each_edge(|edge| edges.push(edge));
    edges
}

/// Opcode alone: instructions of one kind may be two versions of one another.
pub(crate) fn kind(data: &InstData) -> u64 {
    use InstData::*;
    match data {
        Unary { .. } => 1,
        Binary { .. } | Ternary { .. } | Overflow { .. } => 2,
        IntCompare { .. } | FloatCompare { .. } | FloatClass { .. } => 3,
        Cast { .. } => 4,
        PtrAdd { .. } => 5,
        Alloca { .. } => 6,
        StackSave => 7,
        StackRestore { .. } => 8,
        Load { .. } => 9,
        Store { .. } => 10,
        MemCopy { .. } => 11,
        MemSet { .. } => 12,
        AtomicRmw { .. } => 13,
        CompareExchange { .. } => 14,
        Fence => 15,
        Call(_) => 16,
        VaStart { .. } => 17,
        VaCopy { .. } => 18,
        VaEnd { .. } => 19,
        Syscall { .. } => 20,
        ThreadPointer => 21,
        Cpuid { .. } => 22,
        LandingPad => 23,
        Unsupported { .. } => 24,
        Jump(_) => 25,
        Branch { .. } => 26,
        Switch { .. } => 27,
        IndirectJump { .. } => 28,
        Return { .. } => 29,
        Invoke { .. } => 30,
        Resume => 31,
        Unreachable => 32,
        Trap => 33,
        UnsupportedTerminator { .. } => 34,
    }
}

fn describe(version: &ClassifiedModule<'_>, data: &InstData, words: &mut Vec<u64>) {
    use InstData::*;
    words.push(kind(data));
    match data {
        Unary { op, .. } => words.push(*op as u64),
        Binary { op, flags, .. } => {
            let flags = u64::from(flags.no_signed_wrap)
                | u64::from(flags.no_unsigned_wrap) << 1
                | u64::from(flags.exact) << 2;
            words.extend([0, *op as u64, flags]);
        }
        Ternary { op, .. } => words.extend([1, *op as u64]),
        Overflow { op, .. } => words.extend([2, *op as u64]),
        IntCompare { predicate, .. } => words.extend([0, *predicate as u64]),
        FloatCompare { predicate, .. } => words.extend([1, *predicate as u64]),
        FloatClass { mask, .. } => words.extend([2, u64::from(*mask)]),
        Cast { op, .. } => words.push(*op as u64),
        PtrAdd {
            offset,
            terms,
            inbounds,
            ..
        } => {
            words.extend([*offset as u64, u64::from(*inbounds)]);
            words.extend(terms.iter().map(|term| term.scale as u64));
        }
        Alloca { element_size, .. } => words.push(*element_size),
        Load { volatile, .. } | Store { volatile, .. } => words.push(u64::from(*volatile)),
        MemCopy { may_overlap, .. } => words.push(u64::from(*may_overlap)),
        AtomicRmw { op, .. } => words.push(*op as u64),
        Call(call) | Invoke { call, .. } => describe_call(version, call, words),
        Unsupported { what, operands } | UnsupportedTerminator { what, operands } => {
            words.extend([hash_of(what), hash_of(operands)]);
        }
        Switch { cases, .. } => {
            for (value, _) in cases {
                words.extend([*value as u64, (*value >> 64) as u64]);
            }
        }
        IndirectJump { targets, .. } => words.push(targets.len() as u64),
        Jump(_)
        | Branch { .. }
        | StackSave
        | StackRestore { .. }
        | MemSet { .. }
        | CompareExchange { .. }
        | Fence
        | VaStart { .. }
        | VaCopy { .. }
        | VaEnd { .. }
        | Syscall { .. }
        | ThreadPointer
        | Cpuid { .. }
        | LandingPad
        | Return { .. }
        | Resume
        | Unreachable
        | Trap => {}
    }
}

fn describe_call(version: &ClassifiedModule<'_>, call: &CallData, words: &mut Vec<u64>) {
    match call.callee {
        Callee::Direct(func) => {
            let function = &version.module.functions[func];
            words.push(match version.function_class(func) {
                // Two functions without counterpart are not the same function.
                UNMATCHED => hash_of(&function.name) | 1 << 32,
                class => u64::from(class),
            });
            words.push(Definition::from(function.linkage) as u64);
        }
        Callee::Indirect(_) => words.push(u64::MAX),
    }
    words.push(u64::from(call.fixed_args));
    for by_val in &call.by_val {
        words.extend([u64::from(by_val.arg), by_val.size]);
    }
    words.extend(call.returns.iter().map(|&ty| type_word(ty)));
}

pub(crate) fn type_word(ty: Type) -> u64 {
    match ty {
        Type::Int(width) => u64::from(width),
        Type::Ptr => 1000,
        Type::F16 => 1001,
        Type::F32 => 1002,
        Type::F64 => 1003,
        Type::F80 => 1004,
        Type::F128 => 1005,
    }
}

pub(crate) fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

pub(crate) fn constant_of(function: &Function, value: Value) -> Option<Constant> {
    match function.values[value].def {
        ValueDef::Constant(constant) => Some(constant),
        _ => None,
    }
}

/// The hash of a constant operand's content, 0 for other operands.
pub(crate) fn constant_hash(
    version: &ClassifiedModule<'_>,
    function: &Function,
    value: Value,
) -> u64 {
    match constant_of(function, value) {
        Some(constant) => match version.constant_key(constant) {
            Some(key) => hash_of(&key) | 1,
            None => 2,
        },
        None => 0,
    }
}
