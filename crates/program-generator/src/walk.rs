//! Goes through the statements and expressions of a tree.

use crate::ast::{
    Argument, Body, Callee, Expression, Function, Place, Statement, StatementId, StatementKind,
};

/// Every body in the function, outer before inner.
pub(crate) fn for_each_body(function: &mut Function, visit: &mut impl FnMut(&mut Body)) {
    bodies(&mut function.body, visit);
}

fn bodies(body: &mut Body, visit: &mut impl FnMut(&mut Body)) {
    visit(body);
    for statement in body {
        match &mut statement.kind {
            StatementKind::If(_, then, otherwise) => {
                bodies(then, visit);
                bodies(otherwise, visit);
            }
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                bodies(body, visit);
            }
            StatementKind::Switch { cases, default, .. } => {
                for case in cases {
                    bodies(&mut case.body, visit);
                }
                if let Some(default) = default {
                    bodies(default, visit);
                }
            }
            StatementKind::Dispatch { bodies: all, .. } => {
                for body in all {
                    bodies(body, visit);
                }
            }
            _ => {}
        }
    }
}

/// Calls `change` with the body that holds the statement, and its place there.
pub(crate) fn at<T>(
    function: &mut Function,
    id: StatementId,
    change: impl FnOnce(&mut Body, usize) -> Option<T>,
) -> Option<T> {
    let mut change = Some(change);
    let mut result = None;
    for_each_body(function, &mut |body| {
        let position = body.iter().position(|statement| statement.id == id);
        if let Some(position) = position
            && let Some(change) = change.take()
        {
            result = change(body, position);
        }
    });
    result
}

/// Every expression that belongs to the statement itself, outer before inner; not those in its
/// bodies.
pub(crate) fn for_each_expression(
    statement: &mut Statement,
    visit: &mut impl FnMut(&mut Expression),
) {
    match &mut statement.kind {
        StatementKind::Assign(target, value) => {
            place(target, visit);
            expression(value, visit);
        }
        StatementKind::Point(_, condition, first, second) => {
            expression(condition, visit);
            place(first, visit);
            place(second, visit);
        }
        StatementKind::Call(callee, arguments) => call(callee, arguments, visit),
        StatementKind::If(value, ..)
        | StatementKind::For { bound: value, .. }
        | StatementKind::While {
            condition: value, ..
        }
        | StatementKind::Switch { on: value, .. }
        | StatementKind::Dispatch { on: value, .. }
        | StatementKind::Print(value)
        | StatementKind::PrintCharacter(value)
        | StatementKind::Return(value)
        | StatementKind::Exit(value)
        | StatementKind::NullWrite(value) => expression(value, visit),
        StatementKind::PrintText(_)
        | StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Abort => {}
    }
}

fn expression(whole: &mut Expression, visit: &mut impl FnMut(&mut Expression)) {
    visit(whole);
    match whole {
        Expression::Constant(_) | Expression::Input(_) => {}
        Expression::Read(read) => place(read, visit),
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => expression(operand, visit),
        Expression::Binary(_, left, right)
        | Expression::Compare(_, left, right)
        | Expression::Both(left, right)
        | Expression::Either(left, right) => {
            expression(left, visit);
            expression(right, visit);
        }
        Expression::Choose(condition, left, right) => {
            for part in [condition, left, right] {
                expression(part, visit);
            }
        }
        Expression::Call(callee, arguments) => call(callee, arguments, visit),
    }
}

fn call(callee: &mut Callee, arguments: &mut [Argument], visit: &mut impl FnMut(&mut Expression)) {
    if let Callee::Table(index) = callee {
        expression(index, visit);
    }
    for argument in arguments {
        match argument {
            Argument::Value(value) | Argument::Depth(value) => expression(value, visit),
            Argument::Address(target) => place(target, visit),
            Argument::Descend => {}
        }
    }
}

fn place(place: &mut Place, visit: &mut impl FnMut(&mut Expression)) {
    match place {
        Place::Element(_, index)
        | Place::UncheckedElement(_, index)
        | Place::ElementField(_, index, _)
        | Place::StructElement(_, index) => expression(index, visit),
        Place::Variable(_) | Place::Field(..) | Place::Pointee(_) | Place::PointeeField(..) => {}
    }
}
