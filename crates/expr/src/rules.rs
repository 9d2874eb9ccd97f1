//! The canonical form, as numbered rules.
//!
//! Every constructor of [`Store`](crate::Store) applies the first rule that matches and builds the
//! result with the other constructors, so a term that was built is a term to which no rule applies.
//! Each rule is an equality of terms that holds for all values of the operands; a test of the solver
//! crate records applications ([`Store::record_rewrites`](crate::Store::record_rewrites)) and has Z3
//! prove at least 200 of each rule. [`Store::rule_counts`](crate::Store::rule_counts) says how often
//! each fired.
//!
//! The shape that results:
//! - `Sub`, `FSub` and shifts by a constant do not occur; zero extension is a `Concat` with 0.
//! - A constant is the right operand of a commutative operator; otherwise the older term is left.
//! - A `Concat`'s high part is never a `Concat`; its neighbouring parts are never both constant and
//!   never neighbouring bits of one term. So bytes stored and loaded again give back the same term.
//! - 1-bit negations sit directly on equalities, float comparisons, symbols' bits and the like: they
//!   are pushed through and/or/ite and absorbed by the order comparisons.
//! - `Ule`/`Sle` never have a constant operand; `Eq` with a constant has no invertible operator left.
//!
//! `C`, `D` are constants, `x:n` is a term of n bits, `x[h:l]` an extract.

macro_rules! rules {
    ($($number:literal $name:ident $meaning:literal,)*) => {
        /// A rewrite of the canonical form.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum Rule { $(#[doc = $meaning] $name,)* }

        impl Rule {
            /// Every rule, in order of its number.
            pub const ALL: &'static [Rule] = &[$(Rule::$name,)*];

            /// The number that names the rule in documents and test output.
            pub fn number(self) -> u32 {
                match self { $(Rule::$name => $number,)* }
            }

            /// The equality the rule applies from left to right.
            pub fn meaning(self) -> &'static str {
                match self { $(Rule::$name => $meaning,)* }
            }
        }
    };
}

rules! {
    // any operator
    1 FoldConstants "op(C, D, ..) = value",
    2 KnownBits "x = C when known bits and intervals leave one value",
    3 CommuteOperands "op(C, x) = op(x, C); otherwise the smaller id goes left",
    // add, sub, neg, mul
    9 MulOfBit "0:x:1 * C = ite(x, C, 0)",
    10 AddZero "x + 0 = x",
    11 AddConstants "(x + C) + D = x + (C + D)",
    12 AddConstantLast "(x + C) + y = (x + y) + C",
    13 AddNegatedSelf "x + -x = 0",
    14 AddCancels "(x + y) + -y = x, (x + -y) + y = x",
    15 AddNarrow "(C:x) + (D:y) = E:(x + y) when known bits fix the high part",
    16 SubSelf "x - x = 0",
    17 SubToAdd "x - y = x + -y",
    18 NegNeg "-(-x) = x",
    19 NegAdd "-(x + C) = -x + -C, -(x + -y) = y + -x",
    20 NegMul "-(x * C) = x * -C",
    21 MulZero "x * 0 = 0",
    22 MulOne "x * 1 = x",
    23 MulMinusOne "x * -1 = -x",
    24 MulConstants "(x * C) * D = x * (C * D)",
    25 MulPowerOfTwo "x * 2^k = x << k",
    26 MulDistributes "(x + C) * D = x * D + C * D, -x * D = x * -D",
    27 MulNarrow "(C:x) * (D:y) = E:(x * y) when known bits fix the high part",
    28 MulBit "x:1 * y:1 = x & y, x:1 + y:1 = x ^ y",
    29 NegNarrow "-(C:x) = D:-x when known bits fix the high part",
    // div, rem
    30 UDivOne "x /u 1 = x",
    31 UDivPowerOfTwo "x /u 2^k = x >>u k",
    32 UDivSmall "x /u y = 0 when x < y is known",
    33 UDivNarrow "0:x /u 0:y = 0:(x /u y), y a constant other than 0",
    34 URemOne "x %u 1 = 0",
    35 URemPowerOfTwo "x %u 2^k = 0:x[k-1:0]",
    36 URemSmall "x %u y = x when x < y is known",
    37 URemNarrow "0:x %u 0:y = 0:(x %u y), y a constant other than 0",
    38 SDivUnit "x /s 1 = x, x /s -1 = -x",
    39 SDivNonNegative "x /s y = x /u y when both signs are known to be 0",
    40 SRemUnit "x %s 1 = 0, x %s -1 = 0",
    41 SRemNonNegative "x %s y = x %u y when both signs are known to be 0",
    42 UDivUDiv "(x /u C) /u D = x /u (C * D), or 0 when C * D does not fit; C and D not 0",
    43 SDivSDiv "(x /s C) /s D = x /s (C * D) for C, D > 0 whose product fits",
    44 URemRange "x %u C = x - k * C when k * C <= x < (k + 1) * C is known",
    45 URemURem "(x %u C) %u D = x %u D when D divides C",
    // and, or, xor, not
    50 AndZero "x & 0 = 0",
    51 AndOnes "x & -1 = x",
    52 AndSelf "x & x = x",
    53 AndNot "x & ~x = 0, x & (~x & y) = 0",
    54 AndConstants "(x & C) & D = x & (C & D)",
    55 AndAbsorbs "x & (x & y) = x & y, x & (x | y) = x",
    56 AndMask "x & 0..01..10..0 = 0:x[h:l]:0",
    57 OrZero "x | 0 = x",
    58 OrOnes "x | -1 = -1",
    59 OrSelf "x | x = x",
    60 OrNot "x | ~x = -1, x | (~x | y) = -1",
    61 OrConstants "(x | C) | D = x | (C | D)",
    62 OrAbsorbs "x | (x | y) = x | y, x | (x & y) = x",
    63 JoinDisjoint "(x:0) op (0:y) = x:y for or, xor, add",
    64 XorZero "x ^ 0 = x",
    65 XorOnes "x ^ -1 = ~x",
    66 XorSelf "x ^ x = 0, x ^ (x ^ y) = y",
    67 XorConstants "(x ^ C) ^ D = x ^ (C ^ D)",
    68 XorNot "~x ^ y = ~(x ^ y)",
    69 BitwiseOverConcat "(x:y) op C = (x op C'):(y op C'') for and, or, xor",
    70 NotNot "~~x = x",
    71 NotOrder "~(x < y) = y <= x, ~(x <= y) = y < x",
    72 NotDeMorgan "~(x & y) = ~x | ~y, ~(x | y) = ~x & ~y for small 1-bit terms",
    73 NotIte "~ite(c, x, y) = ite(c, ~x, ~y) for small 1-bit terms",
    74 NotConcat "~(C:x) = ~C:~x, ~(x:C) = ~x:~C",
    75 NotSExt "~sext(x) = sext(~x)",
    // shifts
    80 ShlConstant "x << k = x[w-k-1:0]:0",
    81 LShrConstant "x >>u k = 0:x[w-1:k]",
    82 AShrConstant "x >>s k = sext(x[w-1:k])",
    83 ShiftZeroValue "0 << x = 0, 0 >>u x = 0, 0 >>s x = 0",
    84 ShiftPastEnd "x << y = 0, x >>u y = 0 when y >= w is known",
    85 AShrNonNegative "x >>s y = x >>u y when x's sign is known to be 0",
    // equality
    90 EqSelf "x = x is true",
    91 EqBit "x:1 = 1 is x, x:1 = 0 is ~x, x:1 = y is ~(x ^ y)",
    92 EqAddConstant "x + C = D is x = D - C",
    93 EqInvertible "-x = C, ~x = C, x ^ D = C solved for x",
    94 EqMulOdd "x * C = D is x = D * C^-1 for odd C",
    95 EqConcatConstant "x:y = C is x = C' and y = C''",
    96 EqConcatConcat "x:y = u:v is x = u and y = v when a pair is equal or has a constant",
    97 EqSExt "sext(x) = C is x = C' or false; sext(x) = sext(y) is x = y",
    98 EqIteConstants "ite(c, C, D) = E is c, ~c, true or false",
    99 EqAddCommon "x + y = x + z is y = z, x + y = x is y = 0, x + -y = 0 is x = y",
    100 EqAddBoth "x + C = y + D is x + (C - D) = y",
    101 EqWide "x = y beyond 128 bits is a conjunction of parts",
    102 EqUDiv "x /u C = D is C * D <= x and x < C * (D + 1), or false, for C other than 0",
    103 EqSDiv "x /s C = D is two signed bounds of x, or false, for C > 0",
    // order
    110 UltSelf "x <u x is false",
    111 UltBounds "x <u 1 is x = 0, 0 <u x is x != 0, x <u max is x != max, max-1 <u x is x = max",
    112 UltHighPart "C:x <u D:y is decided by C and D or is x <u y; x:y <u x:z is y <u z",
    113 UltBit "x:1 <u y is ~x & y",
    114 UleConstant "x <=u C is x <u C+1, C <=u x is C-1 <u x, or true",
    115 UleSelf "x <=u x is true",
    116 UleHighPart "C:x <=u D:y is decided by C and D or is x <=u y; x:y <=u x:z is y <=u z",
    117 UleBit "x:1 <=u y is ~x | y",
    118 SltSelf "x <s x is false",
    119 SltSignsKnown "x <s y is x <u y when the signs are known to agree, else decided",
    120 SltZero "x <s 0 is x's sign bit, -1 <s x is its negation",
    121 SltSExt "sext(x) <s sext(y) is x <s y; sext(x) <s C is x <s C' or decided",
    122 SltBounds "x <s max is x != max, min <s x is x != min",
    123 SltBit "x:1 <s y is x & ~y",
    124 SleConstant "x <=s C is x <s C+1, C <=s x is C-1 <s x, or true",
    125 SleSelf "x <=s x is true",
    126 SleSignsKnown "x <=s y is x <=u y when the signs are known to agree, else decided",
    127 SleSExt "sext(x) <=s sext(y) is x <=s y",
    128 SleBit "x:1 <=s y is x | ~y",
    129 UltUDiv "x /u C <u D is x <u C * D, D <u x /u C is C * (D + 1) - 1 <u x, or decided, for C other than 0",
    // ite
    130 IteConstant "ite(true, x, y) = x, ite(false, x, y) = y",
    131 IteSame "ite(c, x, x) = x",
    132 IteNot "ite(~c, x, y) = ite(c, y, x)",
    133 IteBit "1-bit ite with a constant arm, or an arm equal to c, is and/or",
    134 IteNested "ite(c, ite(c, x, y), z) = ite(c, x, z), ite(c, x, ite(c, y, z)) = ite(c, x, z)",
    135 IteCommonPart "ite(c, x:y, x:z) = x:ite(c, y, z), ite(c, x:z, y:z) = ite(c, x, y):z",
    // order once more
    136 SltSDiv "x /s C <s D and D <s x /s C are a signed bound of x, or decided, for C > 0",
    // ite once more
    137 IteArmCondition "ite(c, x:c, y) = ite(c, x:1, y), ite(c, x, y:c) = ite(c, x, y:0), for any part that is c or ~c",
    // concat, extract, sext
    140 ConcatNesting "(x:y):z = x:(y:z)",
    141 ConcatConstants "C:(D:x) = CD:x",
    142 ConcatExtracts "x[h:m]:x[m-1:l] = x[h:l], also in front of a concat",
    143 ConcatItes "ite(c, x, y):ite(c, u, v) = ite(c, x:u, y:v), also in front of a concat",
    144 ConcatKnownBits "C:x[h:l] = x[g:l] when x's bits g to h are known to be C; x[h:l]:C likewise",
    150 ExtractAll "x[w-1:0] = x",
    151 ExtractExtract "x[..:l][h:m] = x[h+l:m+l]",
    152 ExtractConcat "(x:y)[h:l] is a part of x, of y, or x[..]:y[..]",
    153 ExtractSExt "sext(x)[h:l] = x[h:l] inside x, sext(x)[h:0] = sext(x), a bit above x is x's sign",
    154 ExtractNarrow "(x op y)[h:0] = x[h:0] op y[h:0] for add, mul, neg on extended operands",
    155 ExtractIteWide "ite(c, x, y)[h:l] = ite(c, x[h:l], y[h:l]) beyond 128 bits",
    160 SExtSame "sext to the same width is x",
    161 SExtSExt "sext(sext(x)) = sext(x)",
    162 SExtSignKnown "sext(x) = 0:x or -1:x when the sign is known",
    // tables
    170 LookupConstant "table[C] is its element",
    171 LookupUniform "a table of equal elements is that element",
    172 LookupTrimmed "a table is cut to the index's known upper bound",
    // floats
    180 FSubToFAdd "x -f y = x +f (y with its sign flipped)",
    181 FLtSelf "x <f x is false",
    182 FloatOfInt "to-int(to-float(x)) = x extended, when float and target hold every x",
}
