//! Node layout: the operators and the fixed 16-byte record that every term is stored in.

use std::fmt;
use std::num::NonZeroU32;

/// Widest term. Terms wider than [`MAX_ARITH_WIDTH`] exist only as `Concat` and `Ite`.
pub const MAX_WIDTH: u32 = 256;
/// Widest term with a value of its own: constants, symbols and the result of every operator except
/// `Concat` and `Ite`.
pub const MAX_ARITH_WIDTH: u32 = 128;

/// A term in a [`Store`](crate::Store). Never zero, so `Option<ExprId>` is four bytes and a plain
/// `u32` shadow can use 0 for "concrete".
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(NonZeroU32);

impl ExprId {
    /// The term behind a raw shadow value; 0 means "no term".
    #[inline]
    pub fn from_raw(raw: u32) -> Option<ExprId> {
        NonZeroU32::new(raw).map(ExprId)
    }

    /// The shadow value: never 0.
    #[inline]
    pub fn raw(self) -> u32 {
        self.0.get()
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0.get() as usize
    }

    #[inline]
    pub(crate) fn stored(raw: u32) -> ExprId {
        ExprId(NonZeroU32::new(raw).expect("a stored operand is never 0"))
    }
}

impl fmt::Display for ExprId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "e{}", self.0)
    }
}

impl fmt::Debug for ExprId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident $arity:literal $text:literal,)*) => {
        /// What a node computes. Booleans are 1-bit vectors.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Op { $($(#[$doc])* $name,)* }

        impl Op {
            /// Every operator, in declaration order.
            pub const ALL: &'static [Op] = &[$(Op::$name,)*];

            /// How many operand terms a node of this operator has (a table's elements not counted).
            #[inline]
            pub fn arity(self) -> usize {
                match self { $(Op::$name => $arity,)* }
            }

            /// The spelling in SMT-LIB text; `parallax.` names are defined in the printed preamble.
            pub fn text(self) -> &'static str {
                match self { $(Op::$name => $text,)* }
            }
        }
    };
}

operators! {
    /// A constant of at most 128 bits.
    Const 0 "const",
    /// An input byte or count.
    Symbol 0 "symbol",
    /// Element `index` of a table; an index past the end reads the last element.
    Lookup 1 "parallax.lookup",
    Add 2 "bvadd",
    /// Never left in canonical form: `a - b` is `a + (-b)`.
    Sub 2 "bvsub",
    Mul 2 "bvmul",
    /// Division by zero gives all ones (SMT-LIB).
    UDiv 2 "bvudiv",
    /// Division by zero gives 1 for a negative dividend, else -1 (SMT-LIB).
    SDiv 2 "bvsdiv",
    /// Remainder by zero gives the dividend (SMT-LIB).
    URem 2 "bvurem",
    /// Remainder with the sign of the dividend; by zero gives the dividend (SMT-LIB).
    SRem 2 "bvsrem",
    And 2 "bvand",
    Or 2 "bvor",
    Xor 2 "bvxor",
    Not 1 "bvnot",
    Neg 1 "bvneg",
    /// A shift by the width or more gives 0.
    Shl 2 "bvshl",
    /// A shift by the width or more gives 0.
    LShr 2 "bvlshr",
    /// A shift by the width or more gives copies of the sign bit.
    AShr 2 "bvashr",
    Eq 2 "=",
    Ult 2 "bvult",
    Ule 2 "bvule",
    Slt 2 "bvslt",
    Sle 2 "bvsle",
    /// Condition (1 bit), then, else.
    Ite 3 "ite",
    /// High part, low part.
    Concat 2 "concat",
    /// `width` bits from bit `low` (kept in the second argument slot).
    Extract 1 "extract",
    SExt 1 "sign_extend",
    PopCount 1 "parallax.popcount",
    /// Leading zeros; the width for 0.
    CountLeadingZeros 1 "parallax.clz",
    /// Trailing zeros; the width for 0.
    CountTrailingZeros 1 "parallax.ctz",
    FAdd 2 "parallax.fadd",
    /// Never left in canonical form: `a - b` is `a + (-b)`.
    FSub 2 "parallax.fsub",
    FMul 2 "parallax.fmul",
    FDiv 2 "parallax.fdiv",
    /// C's `fmod` (not the IEEE remainder).
    FRem 2 "parallax.frem",
    FSqrt 1 "parallax.fsqrt",
    /// `a * b + c`, rounded once.
    FFma 3 "parallax.ffma",
    /// Round to integral in the mode kept in the second argument slot.
    FRound 1 "parallax.fround",
    /// Ordered equality.
    FEq 2 "parallax.feq",
    /// Ordered less-than.
    FLt 2 "parallax.flt",
    /// Ordered less-or-equal.
    FLe 2 "parallax.fle",
    /// f32 to f64 or back (nearest, ties to even).
    FConvert 1 "parallax.fconvert",
    /// Signed integer to float (nearest, ties to even).
    SignedToFloat 1 "parallax.s2f",
    /// Unsigned integer to float (nearest, ties to even).
    UnsignedToFloat 1 "parallax.u2f",
    /// Towards zero, saturating; NaN gives 0.
    FloatToSigned 1 "parallax.f2s",
    /// Towards zero, saturating; NaN gives 0.
    FloatToUnsigned 1 "parallax.f2u",
}

impl Op {
    /// Whether the operands may be swapped.
    #[inline]
    pub fn is_commutative(self) -> bool {
        use Op::*;
        matches!(self, Add | Mul | And | Or | Xor | Eq | FAdd | FMul | FEq)
    }

    /// Comparisons: two operands of one width, a 1-bit result.
    #[inline]
    pub fn is_comparison(self) -> bool {
        use Op::*;
        matches!(self, Eq | Ult | Ule | Slt | Sle | FEq | FLt | FLe)
    }

    /// Needs floating-point arithmetic (comparisons of floats do not).
    #[inline]
    pub fn is_float_arithmetic(self) -> bool {
        self >= Op::FAdd && !self.is_comparison()
    }
}

/// Rounding of [`Op::FRound`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Rounding {
    /// `rint`, `nearbyint`, `roundeven`.
    NearestEven,
    /// `round`.
    NearestAway,
    /// `ceil`.
    Up,
    /// `floor`.
    Down,
    /// `trunc`.
    TowardsZero,
}

impl Rounding {
    pub const ALL: [Rounding; 5] = [
        Rounding::NearestEven,
        Rounding::NearestAway,
        Rounding::Up,
        Rounding::Down,
        Rounding::TowardsZero,
    ];

    pub(crate) fn from_immediate(value: u32) -> Rounding {
        Rounding::ALL[value as usize]
    }
}

/// One term: operator, width and up to three argument slots. A slot holds an operand's [`ExprId`], or
/// what the operator's comment says (the low bit of an extract, a table, the bits of a constant).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    pub(crate) op: Op,
    pub(crate) width: u16,
    pub(crate) args: [u32; 3],
}

impl Node {
    #[inline]
    pub(crate) fn new(op: Op, width: u32, args: [u32; 3]) -> Node {
        Node {
            op,
            width: width as u16,
            args,
        }
    }

    #[inline]
    pub(crate) fn unary(op: Op, width: u32, a: ExprId) -> Node {
        Node::new(op, width, [a.raw(), 0, 0])
    }

    #[inline]
    pub(crate) fn binary(op: Op, width: u32, a: ExprId, b: ExprId) -> Node {
        Node::new(op, width, [a.raw(), b.raw(), 0])
    }

    #[inline]
    pub fn op(&self) -> Op {
        self.op
    }

    #[inline]
    pub fn width(&self) -> u32 {
        self.width as u32
    }

    /// Operand `index`; panics if the slot holds no operand.
    #[inline]
    pub fn arg(&self, index: usize) -> ExprId {
        debug_assert!(index < self.op.arity());
        ExprId::stored(self.args[index])
    }

    /// The operands, without a table's elements.
    #[inline]
    pub fn operands(&self) -> impl Iterator<Item = ExprId> + use<> {
        let args = self.args;
        (0..self.op.arity()).map(move |i| ExprId::stored(args[i]))
    }

    /// The low bit of an `Extract`, the rounding of an `FRound`, the table of a `Lookup`.
    #[inline]
    pub fn immediate(&self) -> u32 {
        self.args[1]
    }
}
