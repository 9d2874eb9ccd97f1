//! Reference semantics of the integer operators, bit by bit or by the textbook, and deliberately not
//! by the code under test.

use expr::Op;

pub fn mask(width: u32) -> u128 {
    (0..width).fold(0, |mask, bit| mask | 1 << bit)
}

fn bit(value: u128, index: u32) -> bool {
    index < 128 && value >> index & 1 == 1
}

fn from_bits(width: u32, bits: impl Fn(u32) -> bool) -> u128 {
    (0..width).fold(0, |value, index| value | (bits(index) as u128) << index)
}

fn negate(width: u32, value: u128) -> u128 {
    add(width, !value & mask(width), 1)
}

fn add(width: u32, a: u128, b: u128) -> u128 {
    let mut carry = false;
    let mut sum = 0;
    for index in 0..width {
        let (x, y) = (bit(a, index), bit(b, index));
        sum |= ((x ^ y ^ carry) as u128) << index;
        carry = (x && y) || (carry && (x || y));
    }
    sum
}

/// Schoolbook long division.
fn divide(width: u32, a: u128, b: u128) -> (u128, u128) {
    if b == 0 {
        return (mask(width), a);
    }
    let (mut quotient, mut remainder) = (0u128, 0u128);
    for index in (0..width).rev() {
        let overflow = bit(remainder, 127);
        remainder = remainder << 1 | bit(a, index) as u128;
        if overflow || remainder >= b {
            remainder = remainder.wrapping_sub(b);
            quotient |= 1 << index;
        }
    }
    (quotient, remainder)
}

fn less_signed(width: u32, a: u128, b: u128) -> bool {
    match (bit(a, width - 1), bit(b, width - 1)) {
        (true, false) => true,
        (false, true) => false,
        _ => a < b,
    }
}

pub fn unary(op: Op, from: u32, to: u32, a: u128) -> u128 {
    match op {
        Op::Not => from_bits(to, |index| !bit(a, index)),
        Op::Neg => negate(to, a),
        Op::SExt => from_bits(to, |index| bit(a, index.min(from - 1))),
        Op::PopCount => (0..from).filter(|&index| bit(a, index)).count() as u128,
        Op::CountLeadingZeros => {
            (0..from).rev().take_while(|&index| !bit(a, index)).count() as u128
        }
        Op::CountTrailingZeros => (0..from).take_while(|&index| !bit(a, index)).count() as u128,
        _ => panic!("no reference for {op:?}"),
    }
}

pub fn binary(op: Op, width: u32, a: u128, b: u128) -> u128 {
    let negative = |value: u128| bit(value, width - 1);
    let magnitude = |value: u128| {
        if negative(value) {
            negate(width, value)
        } else {
            value
        }
    };
    match op {
        Op::Add => add(width, a, b),
        Op::Sub => add(width, a, negate(width, b)),
        Op::Mul => (0..width)
            .filter(|&index| bit(b, index))
            .fold(0, |sum, index| add(width, sum, (a << index) & mask(width))),
        Op::UDiv => divide(width, a, b).0,
        Op::URem => divide(width, a, b).1,
        Op::SDiv => {
            let (quotient, _) = divide(width, magnitude(a), magnitude(b));
            if negative(a) != negative(b) {
                negate(width, quotient)
            } else {
                quotient
            }
        }
        Op::SRem => {
            let (_, remainder) = divide(width, magnitude(a), magnitude(b));
            if negative(a) {
                negate(width, remainder)
            } else {
                remainder
            }
        }
        Op::And => from_bits(width, |index| bit(a, index) && bit(b, index)),
        Op::Or => from_bits(width, |index| bit(a, index) || bit(b, index)),
        Op::Xor => from_bits(width, |index| bit(a, index) != bit(b, index)),
        Op::Shl => from_bits(width, |index| {
            (b <= index as u128) && bit(a, index - b as u32)
        }),
        Op::LShr => from_bits(width, |index| {
            b < width as u128 && index + (b as u32) < width && bit(a, index + b as u32)
        }),
        Op::AShr => from_bits(width, |index| {
            let source = index as u128 + b.min(width as u128);
            bit(a, source.min(width as u128 - 1) as u32)
        }),
        Op::Eq => (a == b) as u128,
        Op::Ult => (a < b) as u128,
        Op::Ule => (a <= b) as u128,
        Op::Slt => less_signed(width, a, b) as u128,
        Op::Sle => !less_signed(width, b, a) as u128,
        _ => panic!("no reference for {op:?}"),
    }
}
