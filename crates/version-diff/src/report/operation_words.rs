//! How two versions of an instruction differ, in words of the source language.

use crate::operation::plain_operands;
use program_ir::{
    BinaryOp, Callee, Constant, Function, Inst, InstData, IntPredicate, Module, Type, Value,
};

/// One body of a comparison.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) module: &'a Module,
    pub(super) function: &'a Function,
}

/// `None`: they do the same, or differ in what they are applied to.
pub(super) fn difference(
    old: Side<'_>,
    in_old: Inst,
    new: Side<'_>,
    in_new: Inst,
) -> Option<String> {
    let (old_data, new_data) = (data(old, in_old), data(new, in_new));
    let (was, is) = (operation(old, old_data), operation(new, new_data));
    if was != is
        && let (Some(was), Some(is)) = (was, is)
    {
        return Some(format!("{is}, was {was}"));
    }
    if let (InstData::Switch { cases: was, .. }, InstData::Switch { cases: is, .. }) =
        (old_data, new_data)
    {
        let values = |cases: &[(u128, _)]| -> Vec<u128> { cases.iter().map(|one| one.0).collect() };
        let spelled = |cases: &[u128]| {
            let texts: Vec<String> = cases.iter().map(u128::to_string).collect();
            texts.join(", ")
        };
        let (was, is) = (values(was), values(is));
        if was != is {
            return Some(format!("cases {}, were {}", spelled(&is), spelled(&was)));
        }
    }
    let size = |side: Side<'_>, inst| match data(side, inst) {
        InstData::Load { .. } => {
            let result = side.function.results(inst).next()?;
            Some(format!("reads {}", type_words(side.function.ty(result))))
        }
        InstData::Store { value, .. } => {
            Some(format!("writes {}", type_words(side.function.ty(*value))))
        }
        InstData::Cast { .. } => {
            let result = side.function.results(inst).next()?;
            Some(format!(
                "converts to {}",
                type_words(side.function.ty(result))
            ))
        }
        _ => None,
    };
    if let (Some(was), Some(is)) = (size(old, in_old), size(new, in_new))
        && was != is
    {
        return Some(format!("{is}, was: {was}"));
    }
    let (was, is) = (plain_operands(old_data), plain_operands(new_data));
    was.into_iter().zip(is).find_map(|(was, is)| {
        let (was, is) = (number(old.function, was)?, number(new.function, is)?);
        (was != is).then(|| format!("constant {is}, was {was}"))
    })
}

fn data<'a>(side: Side<'a>, inst: Inst) -> &'a InstData {
    &side.function.insts[inst].data
}

/// A constant number, signed as its width says.
fn number(function: &Function, value: Value) -> Option<i128> {
    let Some(Constant::Bits(bits)) = function.constant(value) else {
        return None;
    };
    Some(match function.ty(value) {
        Type::Int(width @ 2..=127) => (bits << (128 - width)) as i128 >> (128 - width),
        _ => bits as i128,
    })
}

fn type_words(ty: Type) -> String {
    match ty {
        Type::Int(bits) if bits % 8 == 0 => format!("{} bytes", bits / 8),
        Type::Int(bits) => format!("{bits} bits"),
        Type::Ptr => "a pointer".into(),
        Type::F32 => "a float".into(),
        Type::F64 => "a double".into(),
        other => format!("{other:?}"),
    }
}

/// What an operation is called, where the source has a word for it.
fn operation(side: Side<'_>, data: &InstData) -> Option<String> {
    Some(match data {
        InstData::Binary { op, .. } => binary(*op).into(),
        InstData::IntCompare { predicate, .. } => comparison(*predicate).into(),
        InstData::PtrAdd { offset, terms, .. } => match terms.first() {
            Some(term) => format!("elements of {} bytes at offset {offset}", term.scale),
            None => format!("offset {offset}"),
        },
        InstData::Alloca {
            element_size,
            count,
            ..
        } => {
            let count = number(side.function, *count)?;
            format!("room for {} bytes", count * i128::from(*element_size))
        }
        InstData::Call(call) | InstData::Invoke { call, .. } => match call.callee {
            Callee::Direct(func) => format!("calls {}", super::display_name(side.module, func)),
            Callee::Indirect(_) => "calls through a pointer".into(),
        },
        _ => return None,
    })
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "adds",
        BinaryOp::Sub => "subtracts",
        BinaryOp::Mul => "multiplies",
        BinaryOp::UDiv => "divides unsigned",
        BinaryOp::SDiv => "divides signed",
        BinaryOp::URem => "unsigned remainder",
        BinaryOp::SRem => "signed remainder",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::LShr => "unsigned >>",
        BinaryOp::AShr => "signed >>",
        _ => "another operation",
    }
}

fn comparison(predicate: IntPredicate) -> &'static str {
    match predicate {
        IntPredicate::Eq => "==",
        IntPredicate::Ne => "!=",
        IntPredicate::Slt => "signed <",
        IntPredicate::Sle => "signed <=",
        IntPredicate::Sgt => "signed >",
        IntPredicate::Sge => "signed >=",
        IntPredicate::Ult => "unsigned <",
        IntPredicate::Ule => "unsigned <=",
        IntPredicate::Ugt => "unsigned >",
        IntPredicate::Uge => "unsigned >=",
    }
}
