//! Rules 102, 103, 129 and 136: what a comparison of a quotient by a constant says about the dividend.
//!
//! With them a path condition over the digits of a printed number is a set of bounds on the number itself, and no division is
//! left to decide.

use super::Applied;
use crate::op::{ExprId, Op};
use crate::rules::Rule;
use crate::semantics::{mask, signed};
use crate::store::Store;

impl Store {
    /// Rule 129.
    pub(super) fn ult_udiv(&mut self, width: u32, a: ExprId, b: ExprId) -> Applied {
        let fitting = |value: Option<u128>| value.filter(|&value| value <= mask(width));
        if let (Some((x, c)), Some(d)) =
            (self.as_with_constant(a, Op::UDiv), self.constant_value(b))
            && c != 0
        {
            let result = match fitting(c.checked_mul(d)) {
                Some(limit) => {
                    let limit = self.constant(limit, width);
                    self.ult(x, limit)
                }
                None => self.truth(true),
            };
            return Some((Rule::UltUDiv, result));
        }
        let (d, (x, c)) = (self.constant_value(a)?, self.as_with_constant(b, Op::UDiv)?);
        if c == 0 {
            return None;
        }
        let least = d.checked_add(1).and_then(|next| c.checked_mul(next));
        let result = match fitting(least) {
            Some(least) => {
                let below = self.constant(least - 1, width);
                self.ult(below, x)
            }
            None => self.truth(false),
        };
        Some((Rule::UltUDiv, result))
    }

    /// Rule 102, for a quotient `x /u c` and the value `d` that it is compared with.
    pub(super) fn eq_udiv(&mut self, width: u32, x: ExprId, c: u128, d: u128) -> Applied {
        if c == 0 {
            return None;
        }
        let Some(least) = c.checked_mul(d).filter(|&least| least <= mask(width)) else {
            return Some((Rule::EqUDiv, self.truth(false)));
        };
        let most = least.saturating_add(c - 1).min(mask(width));
        let (least, most) = (self.constant(least, width), self.constant(most, width));
        let (not_below, not_above) = (self.ule(least, x), self.ule(x, most));
        Some((Rule::EqUDiv, self.and(not_below, not_above)))
    }

    /// Rule 136.
    pub(super) fn slt_sdiv(&mut self, width: u32, a: ExprId, b: ExprId) -> Applied {
        if let (Some((x, c)), Some(d)) =
            (self.as_with_constant(a, Op::SDiv), self.constant_value(b))
        {
            let most = signed(d, width).checked_sub(1)?;
            let (_, most) = dividends(signed(c, width), most)?;
            return Some((Rule::SltSDiv, self.at_most_signed(width, x, most)));
        }
        let (d, (x, c)) = (self.constant_value(a)?, self.as_with_constant(b, Op::SDiv)?);
        let least = signed(d, width).checked_add(1)?;
        let (least, _) = dividends(signed(c, width), least)?;
        Some((Rule::SltSDiv, self.at_least_signed(width, x, least)))
    }

    /// Rule 103, for a quotient `x /s c` and the value `d` that it is compared with.
    pub(super) fn eq_sdiv(&mut self, width: u32, x: ExprId, c: u128, d: u128) -> Applied {
        let (least, most) = dividends(signed(c, width), signed(d, width))?;
        let not_below = self.at_least_signed(width, x, least);
        let not_above = self.at_most_signed(width, x, most);
        Some((Rule::EqSDiv, self.and(not_below, not_above)))
    }

    fn at_least_signed(&mut self, width: u32, x: ExprId, least: i128) -> ExprId {
        let max = mask(width - 1) as i128;
        if least > max {
            return self.truth(false);
        }
        let least = self.constant(least.max(-max - 1) as u128, width);
        self.sle(least, x)
    }

    fn at_most_signed(&mut self, width: u32, x: ExprId, most: i128) -> ExprId {
        let max = mask(width - 1) as i128;
        if most < -max - 1 {
            return self.truth(false);
        }
        let most = self.constant(most.min(max) as u128, width);
        self.sle(x, most)
    }
}

/// The least and the greatest integer whose quotient by a positive divisor, rounded towards zero, is `quotient`. `None` for
/// other divisors, and where the bounds do not fit 128 bits.
fn dividends(divisor: i128, quotient: i128) -> Option<(i128, i128)> {
    if divisor <= 0 {
        return None;
    }
    let exact = quotient.checked_mul(divisor)?;
    let (below, above) = (
        exact.checked_sub(divisor - 1)?,
        exact.checked_add(divisor - 1)?,
    );
    Some(match quotient.cmp(&0) {
        std::cmp::Ordering::Less => (below, exact),
        std::cmp::Ordering::Equal => (below, above),
        std::cmp::Ordering::Greater => (exact, above),
    })
}
