//! Rules 130 to 135, 137 and 170 to 172: ite and table lookups.

use super::Applied;
use crate::op::{ExprId, Node, Op};
use crate::rules::Rule;
use crate::store::Store;
use crate::table::TableId;

impl Store {
    pub(super) fn rewrite_ite(&mut self, width: u32, c: ExprId, x: ExprId, y: ExprId) -> Applied {
        match self.constant_value(c) {
            Some(0) => return Some((Rule::IteConstant, y)),
            Some(_) => return Some((Rule::IteConstant, x)),
            None => {}
        }
        if x == y {
            return Some((Rule::IteSame, x));
        }
        if let Some(c) = self.as_unary(c, Op::Not) {
            return Some((Rule::IteNot, self.ite(c, y, x)));
        }
        if width == 1
            && let Some(result) = self.ite_bit(c, x, y)
        {
            return Some((Rule::IteBit, result));
        }
        let inner = self.node(x);
        if inner.op == Op::Ite && inner.arg(0) == c {
            let x = inner.arg(1);
            return Some((Rule::IteNested, self.ite(c, x, y)));
        }
        let inner = self.node(y);
        if inner.op == Op::Ite && inner.arg(0) == c {
            let y = inner.arg(2);
            return Some((Rule::IteNested, self.ite(c, x, y)));
        }
        let arms = (self.part_known(c, x, true), self.part_known(c, y, false));
        if arms != (x, y) {
            return Some((Rule::IteArmCondition, self.ite(c, arms.0, arms.1)));
        }
        let result = self.ite_common_part(c, x, y)?;
        Some((Rule::IteCommonPart, result))
    }

    fn ite_bit(&mut self, c: ExprId, x: ExprId, y: ExprId) -> Option<ExprId> {
        let constant = |store: &Store, id: ExprId| store.constant_value(id).map(|value| value == 1);
        let then = if x == c {
            Some(true)
        } else {
            constant(self, x)
        };
        let otherwise = if y == c {
            Some(false)
        } else {
            constant(self, y)
        };
        Some(match (then, otherwise) {
            (Some(true), Some(false)) => c,
            (Some(false), Some(true)) => self.not(c),
            (Some(true), Some(true)) => self.truth(true),
            (Some(false), Some(false)) => self.truth(false),
            (Some(true), None) => self.or(c, y),
            (Some(false), None) => {
                let not_c = self.not(c);
                self.and(not_c, y)
            }
            (None, Some(true)) => {
                let not_c = self.not(c);
                self.or(not_c, x)
            }
            (None, Some(false)) => self.and(c, x),
            (None, None) => return None,
        })
    }

    /// A concat whose parts are not `c` or `~c` any more, where `c` has the given value.
    fn part_known(&mut self, c: ExprId, arm: ExprId, truth: bool) -> ExprId {
        if arm == c {
            return self.truth(truth);
        }
        if self.as_unary(arm, Op::Not) == Some(c) {
            return self.truth(!truth);
        }
        let Some((high, low)) = self.as_concat(arm) else {
            return arm;
        };
        let (known_high, known_low) = (
            self.part_known(c, high, truth),
            self.part_known(c, low, truth),
        );
        match (known_high, known_low) == (high, low) {
            true => arm,
            false => self.concat(known_high, known_low),
        }
    }

    fn ite_common_part(&mut self, c: ExprId, x: ExprId, y: ExprId) -> Option<ExprId> {
        let width = self.width(x);
        let zeros = self
            .leading_zeros(x)
            .min(self.leading_zeros(y))
            .min(width - 1);
        if zeros > 0 && (self.as_concat(x).is_some() || self.as_concat(y).is_some()) {
            let (x, y) = (self.trunc(x, width - zeros), self.trunc(y, width - zeros));
            let low = self.ite(c, x, y);
            return Some(self.zext(low, width));
        }
        let ((x_high, x_low), (y_high, y_low)) = (self.as_concat(x)?, self.as_concat(y)?);
        if self.width(x_high) != self.width(y_high) {
            return None;
        }
        if x_high == y_high {
            let low = self.ite(c, x_low, y_low);
            return Some(self.concat(x_high, low));
        }
        if x_low == y_low {
            let high = self.ite(c, x_high, y_high);
            return Some(self.concat(high, x_low));
        }
        None
    }

    pub(super) fn rewrite_lookup(&mut self, node: &Node) -> Applied {
        let index = node.arg(0);
        let table = self.table(TableId(node.args[1]));
        if table.uniform {
            return Some((Rule::LookupUniform, table.elements[0]));
        }
        let last = table.elements.len() - 1;
        if let Some(value) = self.constant_value(index) {
            let position = usize::try_from(value).unwrap_or(last).min(last);
            return Some((
                Rule::LookupConstant,
                self.table(TableId(node.args[1])).elements[position],
            ));
        }
        let high = self.facts(index)?.high;
        if high < last as u64 {
            let kept = table.elements[..=high as usize].to_vec();
            return Some((Rule::LookupTrimmed, self.lookup(&kept, index)));
        }
        None
    }
}
