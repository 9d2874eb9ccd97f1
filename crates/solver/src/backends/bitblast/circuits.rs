//! Bit-vector operations as circuits of gates. Vectors have their lowest bit first.
//!
//! Programs compute small numbers in wide words. Where the upper bits of a vector are copies of one bit (its sign, or
//! zeros), arithmetic is done on the lower bits alone and its result extended again, so copies stay copies.

use super::gates::{Bit, FALSE, Gates, TRUE, constant};

/// How many bits hold the signed value: the bits above are copies of the last of them.
fn significant(bits: &[Bit]) -> usize {
    let Some((sign, rest)) = bits.split_last() else {
        return 0;
    };
    bits.len() - rest.iter().rev().take_while(|&bit| bit == sign).count()
}

/// The same signed value in more bits.
fn extended(mut bits: Vec<Bit>, width: usize) -> Vec<Bit> {
    if let Some(&sign) = bits.last() {
        bits.resize(width, sign);
    }
    bits
}

impl Gates {
    pub(super) fn value(value: u128, width: usize) -> Vec<Bit> {
        (0..width)
            .map(|bit| constant(value >> bit & 1 == 1))
            .collect()
    }

    /// `a + b + carry`, without the carry out.
    pub(super) fn add(&mut self, a: &[Bit], b: &[Bit], carry: Bit) -> Vec<Bit> {
        let width = a.len();
        let narrow = width.min(significant(a).max(significant(b)) + 1);
        let sum = self.ripple(&a[..narrow], &b[..narrow], carry);
        extended(sum, width)
    }

    fn ripple(&mut self, a: &[Bit], b: &[Bit], mut carry: Bit) -> Vec<Bit> {
        let mut sum = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let (bit, next) = self.full_adder(x, y, carry);
            sum.push(bit);
            carry = next;
        }
        sum
    }

    pub(super) fn negate(&mut self, a: &[Bit]) -> Vec<Bit> {
        let inverted: Vec<Bit> = a.iter().map(|bit| -bit).collect();
        self.add(&inverted, &Gates::value(0, a.len()), TRUE)
    }

    /// Shift and add; constant bits of either factor cost nothing.
    pub(super) fn multiply(&mut self, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
        let width = a.len();
        let narrow = width.min(significant(a) + significant(b));
        let (a, b) = (&a[..narrow], &b[..narrow]);
        let fixed = |bits: &[Bit]| bits.iter().filter(|bit| bit.abs() == TRUE).count();
        let (a, b) = if fixed(a) > fixed(b) { (b, a) } else { (a, b) };
        let mut sum = Gates::value(0, a.len());
        for (shift, &factor) in b.iter().enumerate() {
            if factor == FALSE {
                continue;
            }
            let row: Vec<Bit> = a[..a.len() - shift]
                .iter()
                .map(|&bit| self.and(bit, factor))
                .collect();
            let upper = self.ripple(&sum[shift..], &row, FALSE);
            sum.truncate(shift);
            sum.extend(upper);
        }
        extended(sum, width)
    }

    /// Restoring division: quotient and remainder. Division by 0 gives all ones and the dividend.
    pub(super) fn divide(&mut self, a: &[Bit], b: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
        let width = a.len();
        // A remainder is less than the divisor, so it has no more bits.
        let narrow = width - b.iter().rev().take_while(|&&bit| bit == FALSE).count();
        let mut divisor = b[..narrow].to_vec();
        divisor.push(FALSE);
        let inverted: Vec<Bit> = divisor.iter().map(|bit| -bit).collect();
        let mut quotient = vec![FALSE; width];
        let mut remainder = vec![FALSE; narrow + 1];
        for index in (0..width).rev() {
            remainder.pop();
            remainder.insert(0, a[index]);
            let smaller = self.less(&remainder, &divisor);
            quotient[index] = -smaller;
            let difference = self.ripple(&remainder, &inverted, TRUE);
            remainder = self.choose(smaller, &remainder, &difference);
        }
        remainder.truncate(narrow);
        remainder.resize(width, FALSE);
        let nonzero = self.any(&divisor);
        let remainder = self.choose(nonzero, &remainder, a);
        (quotient, remainder)
    }

    pub(super) fn choose(&mut self, condition: Bit, then: &[Bit], otherwise: &[Bit]) -> Vec<Bit> {
        then.iter()
            .zip(otherwise)
            .map(|(&x, &y)| self.mux(condition, x, y))
            .collect()
    }

    /// The value if its sign bit is 0, else its negation.
    pub(super) fn magnitude(&mut self, a: &[Bit]) -> Vec<Bit> {
        // The magnitude of the least number has its sign bit set: it is meant without a sign.
        let narrow = &a[..significant(a)];
        let inverted: Vec<Bit> = narrow.iter().map(|bit| -bit).collect();
        let negated = self.ripple(&inverted, &Gates::value(0, narrow.len()), TRUE);
        let mut magnitude = self.choose(a[a.len() - 1], &negated, narrow);
        magnitude.resize(a.len(), FALSE);
        magnitude
    }

    pub(super) fn equal(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let narrow = significant(a).max(significant(b));
        let mut same = TRUE;
        for (&x, &y) in a[..narrow].iter().zip(b) {
            let differ = self.xor(x, y);
            same = self.and(same, -differ);
        }
        same
    }

    /// Unsigned less-than.
    pub(super) fn less(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let mut less = FALSE;
        for (&x, &y) in a.iter().zip(b) {
            let differ = self.xor(x, y);
            less = self.mux(differ, y, less);
        }
        less
    }

    pub(super) fn less_signed(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let narrow = significant(a).max(significant(b));
        let last = narrow - 1;
        let (mut x, mut y) = (a[..narrow].to_vec(), b[..narrow].to_vec());
        // Flipping the sign bits maps the signed order to the unsigned one.
        x[last] = -x[last];
        y[last] = -y[last];
        self.less(&x, &y)
    }

    pub(super) fn any(&mut self, bits: &[Bit]) -> Bit {
        bits.iter().fold(FALSE, |any, &bit| self.or(any, bit))
    }

    /// Barrel shifter towards the high end or the low end, with `fill` coming in.
    pub(super) fn shift(&mut self, a: &[Bit], amount: &[Bit], left: bool, fill: Bit) -> Vec<Bit> {
        let width = a.len();
        let mut bits = a.to_vec();
        let mut stages = 0;
        while stages < amount.len() && (1usize << stages) < width {
            let step = 1 << stages;
            let moved: Vec<Bit> = (0..width)
                .map(|index| match left {
                    true => index.checked_sub(step).map_or(fill, |source| bits[source]),
                    false => bits.get(index + step).copied().unwrap_or(fill),
                })
                .collect();
            bits = self.choose(amount[stages], &moved, &bits);
            stages += 1;
        }
        let past_end = self.any(&amount[stages..]);
        let filled = vec![fill; width];
        self.choose(past_end, &filled, &bits)
    }

    pub(super) fn count_ones(&mut self, a: &[Bit]) -> Vec<Bit> {
        let mut sum = Gates::value(0, a.len());
        let zero = sum.clone();
        for &bit in a {
            sum = self.add(&sum, &zero, bit);
        }
        sum
    }

    /// The index of the first set bit in `order`, counted from 0; the number of bits if none is set.
    pub(super) fn first_set(&mut self, order: &[Bit]) -> Vec<Bit> {
        let width = order.len();
        let mut result = Gates::value(width as u128, width);
        for (index, &bit) in order.iter().enumerate().rev() {
            result = self.choose(bit, &Gates::value(index as u128, width), &result);
        }
        result
    }

    /// A table as a tree of multiplexers over the index bits; past its end it repeats the last element.
    pub(super) fn table(&mut self, elements: &[&[Bit]], index: &[Bit]) -> Vec<Bit> {
        let last = elements[elements.len() - 1].to_vec();
        let mut level: Vec<Vec<Bit>> = elements.iter().map(|element| element.to_vec()).collect();
        let mut used = 0;
        while level.len() > 1 && used < index.len() {
            let mut next = Vec::with_capacity(level.len().div_ceil(2));
            for pair in level.chunks(2) {
                let odd = pair.get(1).unwrap_or(&last);
                next.push(self.choose(index[used], odd, &pair[0]));
            }
            level = next;
            used += 1;
        }
        let past_end = self.any(&index[used..]);
        self.choose(past_end, &last, &level[0])
    }

    fn is_nan(&mut self, a: &[Bit]) -> Bit {
        let fraction = if a.len() == 32 { 23 } else { 52 };
        let nonzero = self.any(&a[..fraction]);
        a[fraction..a.len() - 1]
            .iter()
            .fold(nonzero, |all, &bit| self.and(all, bit))
    }

    /// Ordered equality of floats.
    pub(super) fn float_equal(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let (ordered, zeros) = (self.ordered(a, b), self.both_zero(a, b));
        let same = self.equal(a, b);
        let either = self.or(same, zeros);
        self.and(ordered, either)
    }

    /// Ordered less-than of floats: by sign, then by magnitude.
    pub(super) fn float_less(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let last = a.len() - 1;
        let (ordered, zeros) = (self.ordered(a, b), self.both_zero(a, b));
        let smaller = self.less(&a[..last], &b[..last]);
        let larger = self.less(&b[..last], &a[..last]);
        let negative = self.mux(b[last], larger, TRUE);
        let positive = self.mux(b[last], FALSE, smaller);
        let less = self.mux(a[last], negative, positive);
        let apart = self.and(ordered, -zeros);
        self.and(apart, less)
    }

    fn ordered(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let (x, y) = (self.is_nan(a), self.is_nan(b));
        self.and(-x, -y)
    }

    fn both_zero(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let last = a.len() - 1;
        let (x, y) = (self.any(&a[..last]), self.any(&b[..last]));
        self.and(-x, -y)
    }
}
