//! Random conditions, expressions and constants.

use super::{COMPARISONS, Generator, OPERATORS, TYPES, binary, ty};
use crate::ast::{Expression, Operator, Type, Unary};

impl Generator {
    pub(super) fn condition(&mut self, depth: usize) -> Expression {
        match self.random.below(10) {
            0 if depth > 0 => {
                let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
                Expression::Both(Box::new(left), Box::new(right))
            }
            1 if depth > 0 => {
                let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
                Expression::Either(Box::new(left), Box::new(right))
            }
            2 => {
                let value = self.expression(1);
                let bit = Expression::Constant(1 << self.random.below(4));
                binary(Operator::And, value, bit)
            }
            3 => match self.call() {
                Some((callee, arguments)) => {
                    let call = Expression::Call(callee, arguments);
                    let constant = self.constant();
                    self.comparison(call, constant)
                }
                None => self.expression(1),
            },
            4..=6 => {
                let input = Expression::Input(self.random.below(self.program.input.len()));
                let constant = Expression::Constant(self.random.between(0, 12));
                self.comparison(input, constant)
            }
            _ => {
                let left = self.expression(depth.min(2));
                let right = match self.random.chance(60) {
                    true => self.constant(),
                    false => self.expression(1),
                };
                self.comparison(left, right)
            }
        }
    }

    pub(super) fn comparison(&mut self, left: Expression, right: Expression) -> Expression {
        let comparison = *self.random.pick(&COMPARISONS);
        Expression::Compare(comparison, Box::new(left), Box::new(right))
    }

    /// An expression without calls.
    pub(super) fn expression(&mut self, depth: usize) -> Expression {
        if depth == 0 || self.random.chance(25) {
            return self.leaf();
        }
        match self.random.below(20) {
            0 => {
                let operator = *self
                    .random
                    .pick(&[Unary::Negate, Unary::Complement, Unary::Not]);
                Expression::Unary(operator, Box::new(self.expression(depth - 1)))
            }
            1..=2 => {
                let ty = *self.random.pick(&TYPES);
                Expression::Cast(ty, Box::new(self.expression(depth - 1)))
            }
            3..=4 => {
                let condition = self.plain_condition(depth - 1);
                let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
                Expression::Choose(Box::new(condition), Box::new(left), Box::new(right))
            }
            5 => self.plain_condition(depth - 1),
            6 if self.settings.faults && self.random.chance(40) => {
                let operators = [Operator::UncheckedDivide, Operator::UncheckedRemainder];
                let operator = *self.random.pick(&operators);
                let left = self.expression(depth - 1);
                let input = Expression::Input(self.random.below(self.program.input.len()));
                let offset = Expression::Constant(self.random.between(0, 4));
                binary(operator, left, binary(Operator::Subtract, input, offset))
            }
            _ => {
                let operator = *self.random.pick(&OPERATORS);
                let left = self.expression(depth - 1);
                let right = match operator == Operator::Add && self.random.chance(20) {
                    true => left.clone(),
                    false => self.expression(depth - 1),
                };
                binary(operator, left, right)
            }
        }
    }

    pub(super) fn plain_condition(&mut self, depth: usize) -> Expression {
        let left = self.expression(depth);
        let right = self.constant();
        let first = self.comparison(left, right);
        if !self.random.chance(25) {
            return first;
        }
        let second = self.leaf();
        match self.random.chance(50) {
            true => Expression::Both(Box::new(first), Box::new(second)),
            false => Expression::Either(Box::new(first), Box::new(second)),
        }
    }

    pub(super) fn leaf(&mut self) -> Expression {
        match self.random.below(10) {
            0..=2 => Expression::Input(self.random.below(self.program.input.len())),
            3..=4 => self.constant(),
            _ => match self.scalar_place(false) {
                Some(place) => Expression::Read(place),
                None => self.constant(),
            },
        }
    }

    pub(super) fn constant(&mut self) -> Expression {
        let ty = *self
            .random
            .pick(&[Type::INT, Type::INT, Type::INT, ty(8, false)]);
        Expression::Constant(self.constant_of(ty))
    }

    pub(super) fn constant_of(&mut self, ty: Type) -> i64 {
        let value = match self.random.below(10) {
            0..=6 => self.random.between(0, 9),
            7 => self.random.between(-20, 100),
            8 => self.random.between(-40_000, 70_000),
            _ => *self
                .random
                .pick(&[255, 127, 65_535, 1 << 20, 2_147_483_647, -1]),
        };
        // The printer writes every constant as it is, so it must be one of its type.
        let inside = i128::from(value).clamp(ty.smallest(), ty.largest());
        inside as i64
    }
}
