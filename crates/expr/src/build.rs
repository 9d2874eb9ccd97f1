//! The constructors. Each checks widths and hands a node to [`Store::make`], which applies the rules;
//! operations without an operator of their own are expanded here.

use crate::op::{ExprId, MAX_ARITH_WIDTH, MAX_WIDTH, Node, Op, Rounding};
use crate::semantics::mask;
use crate::store::Store;
use crate::table::TableId;

macro_rules! binary_constructors {
    ($($(#[$doc:meta])* $name:ident $op:ident,)*) => {
        impl Store {
            $($(#[$doc])* #[inline] pub fn $name(&mut self, a: ExprId, b: ExprId) -> ExprId {
                self.binary(Op::$op, a, b)
            })*
        }
    };
}

binary_constructors! {
    add Add,
    sub Sub,
    mul Mul,
    /// See [`Op::UDiv`] for division by zero.
    udiv UDiv,
    /// See [`Op::SDiv`] for division by zero.
    sdiv SDiv,
    /// See [`Op::URem`] for division by zero.
    urem URem,
    /// See [`Op::SRem`] for division by zero.
    srem SRem,
    and And,
    or Or,
    xor Xor,
    shl Shl,
    lshr LShr,
    ashr AShr,
    eq Eq,
    ult Ult,
    ule Ule,
    slt Slt,
    sle Sle,
    fadd FAdd,
    fsub FSub,
    fmul FMul,
    fdiv FDiv,
    /// C's `fmod`.
    frem FRem,
    /// Ordered and equal.
    feq FEq,
    /// Ordered and less.
    flt FLt,
    /// Ordered and less or equal.
    fle FLe,
}

impl Store {
    /// A term of an operator with two operands of one width.
    #[inline]
    pub fn binary(&mut self, op: Op, a: ExprId, b: ExprId) -> ExprId {
        let operand_width = self.width(a);
        debug_assert_eq!(op.arity(), 2);
        assert_eq!(
            operand_width,
            self.width(b),
            "{op:?} of operands of different widths"
        );
        assert!(
            operand_width <= MAX_ARITH_WIDTH || op == Op::Eq,
            "{op:?} of {operand_width} bits"
        );
        if op >= Op::FAdd {
            assert!(
                operand_width == 32 || operand_width == 64,
                "{op:?} of {operand_width} bits"
            );
        }
        let width = if op.is_comparison() { 1 } else { operand_width };
        self.make(Node::binary(op, width, a, b))
    }

    /// Bitwise complement; negation of a 1-bit term.
    #[inline]
    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.same_width(Op::Not, a)
    }

    #[inline]
    pub fn neg(&mut self, a: ExprId) -> ExprId {
        self.same_width(Op::Neg, a)
    }

    /// Number of set bits, at the operand's width.
    pub fn popcount(&mut self, a: ExprId) -> ExprId {
        self.same_width(Op::PopCount, a)
    }

    /// Leading zeros, at the operand's width; the width itself for 0.
    pub fn count_leading_zeros(&mut self, a: ExprId) -> ExprId {
        self.same_width(Op::CountLeadingZeros, a)
    }

    /// Trailing zeros, at the operand's width; the width itself for 0.
    pub fn count_trailing_zeros(&mut self, a: ExprId) -> ExprId {
        self.same_width(Op::CountTrailingZeros, a)
    }

    fn same_width(&mut self, op: Op, a: ExprId) -> ExprId {
        let width = self.width(a);
        assert!(width <= MAX_ARITH_WIDTH, "{op:?} of {width} bits");
        self.make(Node::unary(op, width, a))
    }

    pub fn ne(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// `condition` is one bit wide.
    #[inline]
    pub fn ite(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        assert_eq!(self.width(condition), 1, "condition of an ite");
        let width = self.width(then);
        assert_eq!(width, self.width(otherwise), "arms of an ite");
        let args = [condition.raw(), then.raw(), otherwise.raw()];
        self.make(Node::new(Op::Ite, width, args))
    }

    /// `high` above `low`.
    #[inline]
    pub fn concat(&mut self, high: ExprId, low: ExprId) -> ExprId {
        let width = self.width(high) + self.width(low);
        assert!(width <= MAX_WIDTH, "concat of {width} bits");
        self.make(Node::binary(Op::Concat, width, high, low))
    }

    /// `width` bits of `a` from bit `low` on; at most 128.
    #[inline]
    pub fn extract(&mut self, a: ExprId, low: u32, width: u32) -> ExprId {
        let whole = self.width(a);
        assert!(
            width >= 1 && low + width <= whole,
            "bits {low}+{width} of {whole}"
        );
        self.make(Node::new(Op::Extract, width, [a.raw(), low, 0]))
    }

    /// The low `width` bits.
    pub fn trunc(&mut self, a: ExprId, width: u32) -> ExprId {
        self.extract(a, 0, width)
    }

    pub fn zext(&mut self, a: ExprId, width: u32) -> ExprId {
        let narrow = self.width(a);
        assert!(
            narrow <= width,
            "zero extension from {narrow} to {width} bits"
        );
        let mut result = a;
        let mut missing = width - narrow;
        while missing > 0 {
            let part = missing.min(MAX_ARITH_WIDTH);
            let zeros = self.constant(0, part);
            result = self.concat(zeros, result);
            missing -= part;
        }
        result
    }

    pub fn sext(&mut self, a: ExprId, width: u32) -> ExprId {
        let narrow = self.width(a);
        assert!(
            narrow <= width && width <= MAX_ARITH_WIDTH,
            "sext from {narrow} to {width} bits"
        );
        self.make(Node::unary(Op::SExt, width, a))
    }

    /// One term from little-endian bytes (any equal-sized parts): what a load does.
    pub fn concat_le(&mut self, parts: &[ExprId]) -> ExprId {
        if let Some(whole) = self.stored_whole(parts) {
            return whole;
        }
        let mut result = parts[0];
        for &part in &parts[1..] {
            result = self.concat(part, result);
        }
        result
    }

    /// A term of another width: its low bits, or with zeros above.
    pub fn resized(&mut self, term: ExprId, width: u32) -> ExprId {
        match self.width(term).cmp(&width) {
            std::cmp::Ordering::Equal => term,
            std::cmp::Ordering::Less => self.zext(term, width),
            std::cmp::Ordering::Greater => self.trunc(term, width),
        }
    }

    /// The term whose consecutive parts these are: one of them still shows it.
    fn stored_whole(&mut self, parts: &[ExprId]) -> Option<ExprId> {
        let part_width = self.width(parts[0]);
        let total = part_width * parts.len() as u32;
        let base = parts.iter().enumerate().find_map(|(index, &part)| {
            let node = self.node(part);
            let extract = node.op == Op::Extract && node.args[1] == index as u32 * part_width;
            (extract && self.width(node.arg(0)) == total).then(|| node.arg(0))
        })?;
        for (index, &part) in parts.iter().enumerate() {
            if self.width(part) != part_width
                || self.extract(base, index as u32 * part_width, part_width) != part
            {
                return None;
            }
        }
        Some(base)
    }

    /// Byte `index` (little-endian) of a term: what a store does.
    #[inline]
    pub fn byte(&mut self, a: ExprId, index: u32) -> ExprId {
        self.extract(a, index * 8, 8)
    }

    /// Element `index` of `elements`; an index past the end reads the last element.
    pub fn lookup(&mut self, elements: &[ExprId], index: ExprId) -> ExprId {
        let table = self.table_of(elements);
        self.lookup_in(table, index)
    }

    /// The same for elements that are a table already.
    pub fn lookup_in(&mut self, table: TableId, index: ExprId) -> ExprId {
        let width = self.table(table).width;
        assert!(width <= MAX_ARITH_WIDTH, "table elements of {width} bits");
        self.make(Node::new(Op::Lookup, width, [index.raw(), table.0, 0]))
    }

    /// `a + b` does not fit, unsigned.
    pub fn add_overflows_unsigned(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let sum = self.add(a, b);
        self.ult(sum, a)
    }

    /// `a + b` does not fit, signed: both operands' signs differ from the sum's.
    pub fn add_overflows_signed(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let sum = self.add(a, b);
        let (x, y) = (self.xor(a, sum), self.xor(b, sum));
        let both = self.and(x, y);
        self.sign_bit(both)
    }

    /// `a - b` does not fit, unsigned.
    pub fn sub_overflows_unsigned(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.ult(a, b)
    }

    /// `a - b` does not fit, signed: the signs of `a` and `b` differ, and those of `a` and the result.
    pub fn sub_overflows_signed(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let difference = self.sub(a, b);
        let (x, y) = (self.xor(a, b), self.xor(a, difference));
        let both = self.and(x, y);
        self.sign_bit(both)
    }

    /// `a * b` does not fit, unsigned. Up to 64 bits by a product of double width, beyond by division.
    pub fn mul_overflows_unsigned(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        if width * 2 <= MAX_ARITH_WIDTH {
            let (x, y) = (self.zext(a, width * 2), self.zext(b, width * 2));
            let product = self.mul(x, y);
            let high = self.extract(product, width, width);
            let zero = self.constant(0, width);
            return self.ne(high, zero);
        }
        let product = self.mul(a, b);
        let quotient = self.udiv(product, a);
        let changed = self.ne(quotient, b);
        let zero = self.constant(0, width);
        let nonzero = self.ne(a, zero);
        self.and(nonzero, changed)
    }

    /// `a * b` does not fit, signed. Up to 64 bits by a product of double width, beyond by division.
    pub fn mul_overflows_signed(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        if width * 2 <= MAX_ARITH_WIDTH {
            let (x, y) = (self.sext(a, width * 2), self.sext(b, width * 2));
            let product = self.mul(x, y);
            let low = self.trunc(product, width);
            let back = self.sext(low, width * 2);
            return self.ne(product, back);
        }
        let product = self.mul(a, b);
        let quotient = self.sdiv(product, a);
        let changed = self.ne(quotient, b);
        let minus_one = self.constant(mask(width), width);
        let smallest = self.constant(1 << (width - 1), width);
        let (negated, extreme) = (self.eq(a, minus_one), self.eq(b, smallest));
        let unrepresentable = self.and(negated, extreme);
        let wrong = self.or(changed, unrepresentable);
        let zero = self.constant(0, width);
        let nonzero = self.ne(a, zero);
        self.and(nonzero, wrong)
    }

    pub fn sign_bit(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        self.extract(a, width - 1, 1)
    }

    /// The float with its sign flipped, payload kept.
    pub fn fneg(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        let sign = self.constant(1 << (width - 1), width);
        self.xor(a, sign)
    }

    /// The float with its sign cleared, payload kept.
    pub fn fabs(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        let magnitude = self.constant(mask(width - 1), width);
        self.and(a, magnitude)
    }

    /// `magnitude` with the sign of `sign`.
    pub fn fcopysign(&mut self, magnitude: ExprId, sign: ExprId) -> ExprId {
        let width = self.width(magnitude);
        let low = self.trunc(magnitude, width - 1);
        let high = self.sign_bit(sign);
        self.concat(high, low)
    }

    pub fn is_nan(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        let infinity = if width == 32 {
            0x7f80_0000
        } else {
            0x7ff0_0000_0000_0000
        };
        let infinity = self.constant(infinity, width - 1);
        let magnitude = self.trunc(a, width - 1);
        self.ult(infinity, magnitude)
    }

    /// One of the floats is a NaN. The unordered comparisons are this `or` the ordered one.
    pub fn unordered(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (x, y) = (self.is_nan(a), self.is_nan(b));
        self.or(x, y)
    }

    /// The smaller float, the other one if one is NaN (C's `fmin`; of -0 and +0 the second).
    pub fn fmin(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let less = self.flt(a, b);
        self.fpick(less, a, b)
    }

    /// The larger float, the other one if one is NaN (C's `fmax`; of -0 and +0 the second).
    pub fn fmax(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let greater = self.flt(b, a);
        self.fpick(greater, a, b)
    }

    fn fpick(&mut self, first: ExprId, a: ExprId, b: ExprId) -> ExprId {
        let b_nan = self.is_nan(b);
        let take = self.or(first, b_nan);
        self.ite(take, a, b)
    }

    pub fn fsqrt(&mut self, a: ExprId) -> ExprId {
        self.float_unary(Op::FSqrt, a, 0)
    }

    pub fn fround(&mut self, a: ExprId, rounding: Rounding) -> ExprId {
        self.float_unary(Op::FRound, a, rounding as u32)
    }

    fn float_unary(&mut self, op: Op, a: ExprId, immediate: u32) -> ExprId {
        let width = self.width(a);
        assert!(width == 32 || width == 64, "{op:?} of {width} bits");
        self.make(Node::new(op, width, [a.raw(), immediate, 0]))
    }

    /// `a * b + c` rounded once.
    pub fn ffma(&mut self, a: ExprId, b: ExprId, c: ExprId) -> ExprId {
        let width = self.width(a);
        assert!(
            width == 32 || width == 64,
            "fused multiply-add of {width} bits"
        );
        assert!(
            self.width(b) == width && self.width(c) == width,
            "operands of different widths"
        );
        self.make(Node::new(Op::FFma, width, [a.raw(), b.raw(), c.raw()]))
    }

    /// Between f32 and f64. A conversion to the same format is the identity.
    pub fn fconvert(&mut self, a: ExprId, width: u32) -> ExprId {
        if self.width(a) == width {
            return a;
        }
        self.conversion(Op::FConvert, a, width)
    }

    pub fn signed_to_float(&mut self, a: ExprId, width: u32) -> ExprId {
        self.conversion(Op::SignedToFloat, a, width)
    }

    pub fn unsigned_to_float(&mut self, a: ExprId, width: u32) -> ExprId {
        self.conversion(Op::UnsignedToFloat, a, width)
    }

    /// Towards zero, saturating, NaN gives 0; round first for another direction.
    pub fn float_to_signed(&mut self, a: ExprId, width: u32) -> ExprId {
        self.conversion(Op::FloatToSigned, a, width)
    }

    /// Towards zero, saturating, NaN gives 0; round first for another direction.
    pub fn float_to_unsigned(&mut self, a: ExprId, width: u32) -> ExprId {
        self.conversion(Op::FloatToUnsigned, a, width)
    }

    fn conversion(&mut self, op: Op, a: ExprId, width: u32) -> ExprId {
        let float = |width| width == 32 || width == 64;
        let from = self.width(a);
        let formats = match op {
            Op::FConvert => float(from) && float(width),
            Op::FloatToSigned | Op::FloatToUnsigned => float(from),
            _ => float(width),
        };
        assert!(
            formats && width <= MAX_ARITH_WIDTH,
            "{op:?} from {from} to {width} bits"
        );
        self.make(Node::unary(op, width, a))
    }

    /// The node's operator over other operands (and, for a lookup, over other elements): what
    /// substitution and parsing need.
    pub fn rebuild(&mut self, node: &Node, operands: &[ExprId], elements: &[ExprId]) -> ExprId {
        match (node.op, operands) {
            (Op::Const | Op::Symbol, _) => self.make(*node),
            (Op::Lookup, &[index]) => self.lookup(elements, index),
            (Op::Ite, &[condition, then, otherwise]) => self.ite(condition, then, otherwise),
            (Op::FFma, &[a, b, c]) => self.ffma(a, b, c),
            (Op::Concat, &[high, low]) => self.concat(high, low),
            (Op::Extract, &[a]) => self.extract(a, node.immediate(), node.width()),
            (Op::SExt, &[a]) => self.sext(a, node.width()),
            (Op::FRound | Op::FSqrt, &[a]) => self.float_unary(node.op, a, node.immediate()),
            (op, &[a]) if op >= Op::FConvert => self.conversion(op, a, node.width()),
            (op, &[a]) => self.same_width(op, a),
            (op, &[a, b]) => self.binary(op, a, b),
            (op, _) => panic!("{op:?} over {} operands", operands.len()),
        }
    }
}
