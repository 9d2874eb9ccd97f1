//! Intervals hold what they claim: exhaustively for small widths, at random for all operators and wide words.

use super::Interval;
use crate::op::{Node, Op};
use crate::semantics::{Operands, apply, mask, signed};
use random::SplitMix;

const SMALL: [u32; 3] = [1, 3, 4];

/// Operators on two operands of one width.
const BINARY: [Op; 17] = [
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::UDiv,
    Op::URem,
    Op::SDiv,
    Op::SRem,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Shl,
    Op::LShr,
    Op::AShr,
    Op::Eq,
    Op::Ult,
    Op::Slt,
    Op::Concat,
];

fn interval(rng: &mut SplitMix, width: u32) -> Interval {
    let near = |rng: &mut SplitMix| {
        let anchor = rng.pick(&[0, 1, mask(width), mask(width) >> 1, (mask(width) >> 1) + 1]);
        let wide = (rng.draw() as u128) << 64 | rng.draw() as u128;
        match rng.below(3) {
            0 => anchor.wrapping_add(rng.below(40) as u128) & mask(width),
            1 => anchor.wrapping_sub(rng.below(40) as u128) & mask(width),
            _ => wide >> rng.below(128) & mask(width),
        }
    };
    let (low, high) = (near(rng), near(rng));
    match rng.below(4) {
        0 => Interval::single(low),
        _ => Interval::single(low).to(&Interval::single(high), width),
    }
}

fn member(rng: &mut SplitMix, interval: Interval, width: u32) -> u128 {
    let (low, span) = (interval.first(), interval.span());
    let step = match rng.below(4) {
        0 => 0,
        1 => span,
        _ => (((rng.draw() as u128) << 64 | rng.draw() as u128) >> rng.below(128)).min(span),
    };
    low.wrapping_add(step) & mask(width)
}

fn result_width(op: Op, widths: &[u32]) -> u32 {
    match op {
        op if op.is_comparison() => 1,
        Op::Concat => widths[0] + widths[1],
        Op::Ite => widths[1],
        _ => widths[0],
    }
}

fn value(node: &Node, members: &[(u128, u32)]) -> u128 {
    let mut operands = Operands {
        values: [0; 3],
        widths: [0; 3],
        immediate: node.immediate(),
    };
    for (index, &(value, width)) in members.iter().enumerate() {
        operands.values[index] = value;
        operands.widths[index] = width;
    }
    apply(node.op(), node.width(), &operands)
}

#[test]
fn every_pair_of_small_intervals_is_covered() {
    for width in SMALL {
        let all: Vec<Interval> = (0..=mask(width))
            .flat_map(|low| {
                (0..=mask(width))
                    .map(move |high| Interval::single(low).to(&Interval::single(high), width))
            })
            .collect();
        for op in BINARY {
            let node = Node::new(op, result_width(op, &[width, width]), [1, 1, 0]);
            let values: Vec<u128> = (0..=mask(2 * width))
                .map(|pair| {
                    value(
                        &node,
                        &[(pair >> width, width), (pair & mask(width), width)],
                    )
                })
                .collect();
            for x in &all {
                for y in &all {
                    let result = Interval::of(&node, &[(*x, width), (*y, width)]);
                    for a in (0..=x.span()).map(|step| x.first().wrapping_add(step) & mask(width)) {
                        for b in
                            (0..=y.span()).map(|step| y.first().wrapping_add(step) & mask(width))
                        {
                            let value = values[(a << width | b) as usize];
                            assert!(
                                result.contains(value, node.width()),
                                "{op:?} of {a} in {x:?} and {b} in {y:?} is {value}, not in {result:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn random_members_stay_inside() {
    let mut rng = SplitMix(3);
    for _ in 0..60_000 {
        let op = rng.pick(&Op::ALL[3..]);
        let float = op >= Op::FAdd;
        let width = if float {
            rng.pick(&[32, 64])
        } else {
            rng.pick(&[1, 7, 8, 32, 63, 64, 128])
        };
        let widths: &[u32] = match op {
            Op::Ite => &[1, width, width],
            Op::Concat => &[width.min(64), 64],
            _ => &[width, width, width][..op.arity()],
        };
        let (immediate, result) = match op {
            Op::Extract => {
                let low = rng.below(width as usize) as u32;
                (low, 1 + rng.below((width - low) as usize) as u32)
            }
            Op::SExt => (0, width + rng.below((129 - width) as usize) as u32),
            Op::FRound => (rng.below(5) as u32, width),
            Op::FConvert => (0, 96 - width),
            Op::SignedToFloat | Op::UnsignedToFloat => (0, rng.pick(&[32, 64])),
            Op::FloatToSigned | Op::FloatToUnsigned => (0, rng.pick(&[8, 32, 64, 128])),
            _ => (0, result_width(op, widths)),
        };
        let second = if op.arity() > 1 { 1 } else { immediate };
        let node = Node::new(op, result, [1, second, 1]);
        let intervals: Vec<_> = widths
            .iter()
            .map(|&width| (interval(&mut rng, width), width))
            .collect();
        let result = Interval::of(&node, &intervals);
        for _ in 0..4 {
            let members: Vec<_> = intervals
                .iter()
                .map(|&(interval, width)| (member(&mut rng, interval, width), width))
                .collect();
            let value = value(&node, &members);
            assert!(
                result.contains(value, node.width()),
                "{op:?} of {members:x?} in {intervals:x?} is {value:x}, not in {result:x?}"
            );
        }
    }
}

/// What two intervals have in common is in their meet, and everything else about them is exact.
#[test]
fn meets_joins_and_complements() {
    let width = 4;
    let values = || 0..=mask(width);
    let all: Vec<Interval> = values()
        .flat_map(|low| {
            values().map(move |high| Interval::single(low).to(&Interval::single(high), width))
        })
        .collect();
    for x in &all {
        let complement = x.complement(width);
        for value in values() {
            let inside = x.contains(value, width);
            assert_eq!(
                inside,
                !complement.is_some_and(|others| others.contains(value, width))
            );
            assert_eq!(
                inside,
                x.negated(width)
                    .contains(value.wrapping_neg() & mask(width), width)
            );
            assert_eq!(
                inside,
                x.shifted(5, width)
                    .contains((value + 5) & mask(width), width)
            );
            let (low, high) = x.unsigned(width);
            assert!(!inside || (low <= value && value <= high));
            let (low, high) = x.signed(width);
            assert!(!inside || (low..=high).contains(&signed(value, width)));
        }
        for y in &all {
            let (meet, join) = (x.meet(y, width), x.join(y, width));
            let mut common = false;
            for value in values() {
                let (in_x, in_y) = (x.contains(value, width), y.contains(value, width));
                common |= in_x && in_y;
                assert!(!(in_x && in_y) || meet.is_some_and(|meet| meet.contains(value, width)));
                assert!(!(in_x || in_y) || join.contains(value, width));
            }
            assert_eq!(common, meet.is_some(), "{x:?} and {y:?}");
        }
    }
}
