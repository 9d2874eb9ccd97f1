//! Rules 110 to 128: unsigned and signed order.

use super::Applied;
use crate::op::{ExprId, Op};
use crate::rules::Rule;
use crate::semantics::{mask, signed};
use crate::store::Store;

impl Store {
    pub(super) fn rewrite_ult(&mut self, a: ExprId, b: ExprId) -> Applied {
        if a == b {
            return Some((Rule::UltSelf, self.truth(false)));
        }
        let width = self.width(a);
        if width == 1 {
            let not_a = self.not(a);
            return Some((Rule::UltBit, self.and(not_a, b)));
        }
        let max = mask(width);
        match (self.constant_value(a), self.constant_value(b)) {
            (_, Some(0)) => return Some((Rule::UltBounds, self.truth(false))),
            (Some(c), _) if c == max => return Some((Rule::UltBounds, self.truth(false))),
            (_, Some(1)) => {
                let zero = self.constant(0, width);
                return Some((Rule::UltBounds, self.eq(a, zero)));
            }
            (Some(0), _) => return Some((Rule::UltBounds, self.ne(b, a))),
            (_, Some(d)) if d == max => return Some((Rule::UltBounds, self.ne(a, b))),
            (Some(c), _) if c == max - 1 => {
                let last = self.constant(max, width);
                return Some((Rule::UltBounds, self.eq(b, last)));
            }
            _ => {}
        }
        if let Some(result) = self.order_by_high_part(Op::Ult, a, b) {
            return Some((Rule::UltHighPart, result));
        }
        self.ult_udiv(width, a, b)
    }

    pub(super) fn rewrite_ule(&mut self, a: ExprId, b: ExprId) -> Applied {
        if a == b {
            return Some((Rule::UleSelf, self.truth(true)));
        }
        let width = self.width(a);
        if width == 1 {
            let not_a = self.not(a);
            return Some((Rule::UleBit, self.or(not_a, b)));
        }
        if let Some(c) = self.constant_value(a) {
            if c == 0 {
                return Some((Rule::UleConstant, self.truth(true)));
            }
            let c = self.constant(c - 1, width);
            return Some((Rule::UleConstant, self.ult(c, b)));
        }
        if let Some(d) = self.constant_value(b) {
            if d == mask(width) {
                return Some((Rule::UleConstant, self.truth(true)));
            }
            let d = self.constant(d + 1, width);
            return Some((Rule::UleConstant, self.ult(a, d)));
        }
        let result = self.order_by_high_part(Op::Ule, a, b)?;
        Some((Rule::UleHighPart, result))
    }

    /// Compares `C:x` with `D:y` (either may be a constant altogether) by their constant high parts,
    /// and `x:y` with `x:z` by their low parts.
    fn order_by_high_part(&mut self, op: Op, a: ExprId, b: ExprId) -> Option<ExprId> {
        let width = self.width(a);
        if let (Some((x, y)), Some((u, v))) = (self.as_concat(a), self.as_concat(b))
            && x == u
        {
            return Some(self.binary(op, y, v));
        }
        let shared = self.constant_high_width(a).min(self.constant_high_width(b));
        if shared == 0 || shared == width {
            return None;
        }
        let low = width - shared;
        let (high_a, high_b) = (self.extract(a, low, shared), self.extract(b, low, shared));
        let (c, d) = (self.constant_value(high_a)?, self.constant_value(high_b)?);
        Some(match c.cmp(&d) {
            std::cmp::Ordering::Less => self.truth(true),
            std::cmp::Ordering::Greater => self.truth(false),
            std::cmp::Ordering::Equal => {
                let (a, b) = (self.trunc(a, low), self.trunc(b, low));
                self.binary(op, a, b)
            }
        })
    }

    fn constant_high_width(&self, id: ExprId) -> u32 {
        if self.is_constant(id) {
            return self.width(id);
        }
        match self.as_concat(id) {
            Some((high, _)) if self.is_constant(high) => self.width(high),
            _ => 0,
        }
    }

    pub(super) fn rewrite_slt(&mut self, a: ExprId, b: ExprId) -> Applied {
        if a == b {
            return Some((Rule::SltSelf, self.truth(false)));
        }
        let width = self.width(a);
        if width == 1 {
            let not_b = self.not(b);
            return Some((Rule::SltBit, self.and(a, not_b)));
        }
        if let (Some(x), Some(y)) = (self.known_sign(a), self.known_sign(b)) {
            let result = if x == y {
                self.ult(a, b)
            } else {
                self.truth(x)
            };
            return Some((Rule::SltSignsKnown, result));
        }
        if let Some(bound) = self.slt_sdiv(width, a, b) {
            return Some(bound);
        }
        let (max, min) = (mask(width - 1), 1 << (width - 1));
        match (self.constant_value(a), self.constant_value(b)) {
            (_, Some(0)) => return Some((Rule::SltZero, self.sign_bit(a))),
            (Some(c), _) if c == mask(width) => {
                let sign = self.sign_bit(b);
                return Some((Rule::SltZero, self.not(sign)));
            }
            (_, Some(d)) if d == max => return Some((Rule::SltBounds, self.ne(a, b))),
            (_, Some(d)) if d == min => return Some((Rule::SltBounds, self.truth(false))),
            (Some(c), _) if c == min => return Some((Rule::SltBounds, self.ne(a, b))),
            (Some(c), _) if c == max => return Some((Rule::SltBounds, self.truth(false))),
            _ => {}
        }
        match (self.as_unary(a, Op::SExt), self.as_unary(b, Op::SExt)) {
            (Some(x), Some(y)) if self.width(x) == self.width(y) => {
                Some((Rule::SltSExt, self.slt(x, y)))
            }
            (Some(x), None) => {
                let d = signed(self.constant_value(b)?, width);
                let narrow = self.width(x);
                let result = match fit(d, narrow) {
                    Fit::Inside => {
                        let d = self.constant(d as u128, narrow);
                        self.slt(x, d)
                    }
                    Fit::Above => self.truth(true),
                    Fit::Below => self.truth(false),
                };
                Some((Rule::SltSExt, result))
            }
            (None, Some(y)) => {
                let c = signed(self.constant_value(a)?, width);
                let narrow = self.width(y);
                let result = match fit(c, narrow) {
                    Fit::Inside => {
                        let c = self.constant(c as u128, narrow);
                        self.slt(c, y)
                    }
                    Fit::Above => self.truth(false),
                    Fit::Below => self.truth(true),
                };
                Some((Rule::SltSExt, result))
            }
            _ => None,
        }
    }

    pub(super) fn rewrite_sle(&mut self, a: ExprId, b: ExprId) -> Applied {
        if a == b {
            return Some((Rule::SleSelf, self.truth(true)));
        }
        let width = self.width(a);
        if width == 1 {
            let not_b = self.not(b);
            return Some((Rule::SleBit, self.or(a, not_b)));
        }
        if let Some(c) = self.constant_value(a) {
            if c == 1 << (width - 1) {
                return Some((Rule::SleConstant, self.truth(true)));
            }
            let c = self.constant(c.wrapping_sub(1), width);
            return Some((Rule::SleConstant, self.slt(c, b)));
        }
        if let Some(d) = self.constant_value(b) {
            if d == mask(width - 1) {
                return Some((Rule::SleConstant, self.truth(true)));
            }
            let d = self.constant(d.wrapping_add(1), width);
            return Some((Rule::SleConstant, self.slt(a, d)));
        }
        if let (Some(x), Some(y)) = (self.known_sign(a), self.known_sign(b)) {
            let result = if x == y {
                self.ule(a, b)
            } else {
                self.truth(x)
            };
            return Some((Rule::SleSignsKnown, result));
        }
        match (self.as_unary(a, Op::SExt), self.as_unary(b, Op::SExt)) {
            (Some(x), Some(y)) if self.width(x) == self.width(y) => {
                Some((Rule::SleSExt, self.sle(x, y)))
            }
            _ => None,
        }
    }
}

enum Fit {
    Below,
    Inside,
    Above,
}

/// Where a signed value lies relative to the signed range of `width` bits.
fn fit(value: i128, width: u32) -> Fit {
    let max = mask(width - 1) as i128;
    if value > max {
        Fit::Above
    } else if value < -max - 1 {
        Fit::Below
    } else {
        Fit::Inside
    }
}
