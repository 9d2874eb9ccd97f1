//! What C makes of an expression: its type, and a range that its value never leaves.
//!
//! The printer asks for ranges to leave out the casts and masks that an operand does not need.

use crate::ast::{
    Callee, Expression, Function, Operator, Place, Program, Shape, Type, Unary, Variable,
};

/// An expression is looked at inside one function.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) program: &'a Program,
    pub(crate) function: &'a Function,
}

/// Lowest and highest value.
pub(crate) type Range = (i128, i128);

fn full(ty: Type) -> Range {
    (ty.smallest(), ty.largest())
}

fn fits(range: Range, ty: Type) -> bool {
    ty.smallest() <= range.0 && range.1 <= ty.largest()
}

/// The range after a conversion, which wraps.
pub(crate) fn converted(range: Range, ty: Type) -> Range {
    if fits(range, ty) { range } else { full(ty) }
}

impl<'a> Scope<'a> {
    pub(crate) fn declaration(self, variable: Variable) -> &'a crate::ast::Declaration {
        match variable {
            Variable::Global(index) => &self.program.globals[index],
            Variable::Local(index) => &self.function.locals[index],
        }
    }

    /// The type of a scalar place.
    pub(crate) fn place_type(self, place: &Place) -> Type {
        let fields = &self.program.fields;
        match *place {
            Place::Variable(variable)
            | Place::Element(variable, _)
            | Place::UncheckedElement(variable, _)
            | Place::Pointee(variable) => match self.declaration(variable).shape {
                Shape::Scalar(ty) | Shape::Array(ty, _) | Shape::Pointer(ty) => ty,
                _ => unreachable!("a scalar place has a scalar type"),
            },
            Place::Field(_, field)
            | Place::ElementField(_, _, field)
            | Place::PointeeField(_, field) => fields[field],
            Place::StructElement(..) => unreachable!("a struct is no scalar"),
        }
    }

    pub(crate) fn length(self, array: Variable) -> usize {
        match self.declaration(array).shape {
            Shape::Array(_, length) | Shape::StructArray(length) => length,
            _ => unreachable!("only arrays are indexed"),
        }
    }

    pub(crate) fn type_of(self, expression: &Expression) -> Type {
        match expression {
            Expression::Constant(value) if i32::try_from(*value).is_ok() => Type::INT,
            Expression::Constant(_) => Type {
                bits: 64,
                signed: true,
            },
            Expression::Input(_) => Type {
                bits: 8,
                signed: false,
            },
            Expression::Read(place) => self.place_type(place),
            Expression::Unary(Unary::Not, _)
            | Expression::Compare(..)
            | Expression::Both(..)
            | Expression::Either(..)
            | Expression::Call(Callee::Table(_), _) => Type::INT,
            Expression::Unary(_, operand) => self.type_of(operand).promoted(),
            Expression::Binary(Operator::ShiftLeft | Operator::ShiftRight, left, _) => {
                self.type_of(left).promoted()
            }
            Expression::Binary(_, left, right) | Expression::Choose(_, left, right) => {
                self.type_of(left).common(self.type_of(right))
            }
            Expression::Cast(ty, _) => *ty,
            Expression::Call(Callee::Function(index), _) => self.program.functions[*index].result,
        }
    }

    pub(crate) fn range(self, expression: &Expression) -> Range {
        let ty = self.type_of(expression);
        match expression {
            Expression::Constant(value) => (i128::from(*value), i128::from(*value)),
            Expression::Input(index) => (0, i128::from(self.program.input[*index].modulus) - 1),
            Expression::Read(Place::Variable(variable)) => {
                match self.declaration(*variable).counts_to {
                    Some(most) => (0, i128::from(most)),
                    None => full(ty),
                }
            }
            Expression::Unary(Unary::Not, _)
            | Expression::Compare(..)
            | Expression::Both(..)
            | Expression::Either(..) => (0, 1),
            Expression::Unary(Unary::Negate, operand) => {
                let (low, high) = self.range(operand);
                converted((-high, -low), ty)
            }
            Expression::Binary(operator, left, right) => {
                let (left, right) = match operator {
                    Operator::ShiftLeft | Operator::ShiftRight => {
                        (self.range(left), self.range(right))
                    }
                    _ => (
                        converted(self.range(left), ty),
                        converted(self.range(right), ty),
                    ),
                };
                converted(self.combined(*operator, left, right, ty), ty)
            }
            Expression::Choose(_, left, right) => {
                let left = converted(self.range(left), ty);
                let right = converted(self.range(right), ty);
                (left.0.min(right.0), left.1.max(right.1))
            }
            Expression::Cast(_, operand) => converted(self.range(operand), ty),
            Expression::Read(_) | Expression::Unary(..) | Expression::Call(..) => full(ty),
        }
    }

    /// Before wrapping, so that the printer sees whether it can wrap.
    pub(crate) fn combined(self, operator: Operator, left: Range, right: Range, ty: Type) -> Range {
        let positive = left.0 >= 0 && right.0 >= 0;
        match operator {
            Operator::Add => (left.0 + right.0, left.1 + right.1),
            Operator::Subtract => (left.0 - right.1, left.1 - right.0),
            Operator::Multiply => {
                let ends = [left.0, left.1].map(|l| [l * right.0, l * right.1]);
                let ends = ends.as_flattened();
                let low = ends.iter().min().copied().unwrap_or_default();
                (low, ends.iter().max().copied().unwrap_or_default())
            }
            Operator::And if positive => (0, left.1.min(right.1)),
            Operator::And if left.0 >= 0 => (0, left.1),
            Operator::And if right.0 >= 0 => (0, right.1),
            Operator::Or | Operator::Xor if positive => {
                let bits = 128 - left.1.max(right.1).leading_zeros();
                (0, (1 << bits) - 1)
            }
            Operator::ShiftRight if left.0 >= 0 => (0, left.1),
            Operator::Divide
                if left.0 >= 0 && (right.0 >= 0 || !divisor_is_safe(left, right, ty)) =>
            {
                (0, left.1)
            }
            Operator::Remainder if left.0 >= 0 => match divisor_is_safe(left, right, ty) {
                true if right.0 > 0 => (0, left.1.min(right.1 - 1)),
                true => (0, left.1),
                false => (0, left.1.min(7)),
            },
            _ => full(ty),
        }
    }
}

/// Whether a division by this is defined as it stands.
pub(crate) fn divisor_is_safe(left: Range, right: Range, ty: Type) -> bool {
    let zero = right.0 <= 0 && 0 <= right.1;
    let overflow = ty.signed && left.0 == ty.smallest() && right.0 <= -1 && -1 <= right.1;
    !zero && !overflow
}
