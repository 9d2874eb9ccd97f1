//! How operations and predicates are spelled.

use crate::{
    AtomicRmwOp, BinaryOp, CastOp, FloatPredicate, IntPredicate, Linkage, OverflowOp, TernaryOp,
    Type, UnaryOp,
};

macro_rules! names {
    ($ty:ident { $($variant:ident = $name:literal,)* }) => {
        impl $ty {
            /// Every one, in order of declaration.
            pub const ALL: &'static [$ty] = &[$($ty::$variant),*];

            /// As the text form spells it.
            pub const fn name(self) -> &'static str {
                match self {
                    $($ty::$variant => $name,)*
                }
            }

            pub fn from_name(name: &str) -> Option<$ty> {
                match name {
                    $($name => Some($ty::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

names!(UnaryOp {
    CountOnes = "count_ones",
    LeadingZeros = "leading_zeros",
    TrailingZeros = "trailing_zeros",
    LeadingZerosOfNonzero = "leading_zeros_of_nonzero",
    TrailingZerosOfNonzero = "trailing_zeros_of_nonzero",
    ByteSwap = "byte_swap",
    BitReverse = "bit_reverse",
    Abs = "abs",
    FNeg = "fneg",
    FAbs = "fabs",
    FSqrt = "fsqrt",
    FFloor = "ffloor",
    FCeil = "fceil",
    FTrunc = "ftrunc",
    FRoundEven = "fround_even",
    FRoundAway = "fround_away",
});

names!(BinaryOp {
    Add = "add",
    Sub = "sub",
    Mul = "mul",
    UDiv = "udiv",
    SDiv = "sdiv",
    URem = "urem",
    SRem = "srem",
    And = "and",
    Or = "or",
    Xor = "xor",
    Shl = "shl",
    LShr = "lshr",
    AShr = "ashr",
    UMin = "umin",
    UMax = "umax",
    SMin = "smin",
    SMax = "smax",
    UAddSat = "uadd_sat",
    SAddSat = "sadd_sat",
    USubSat = "usub_sat",
    SSubSat = "ssub_sat",
    UShlSat = "ushl_sat",
    SShlSat = "sshl_sat",
    FAdd = "fadd",
    FSub = "fsub",
    FMul = "fmul",
    FDiv = "fdiv",
    FRem = "frem",
    FCopySign = "fcopysign",
    FMinNum = "fminnum",
    FMaxNum = "fmaxnum",
    FMinimum = "fminimum",
    FMaximum = "fmaximum",
});

names!(TernaryOp {
    Select = "select",
    FMulAdd = "fmuladd",
    FunnelShl = "funnel_shl",
    FunnelShr = "funnel_shr",
});

names!(OverflowOp {
    UAdd = "uadd_overflow",
    SAdd = "sadd_overflow",
    USub = "usub_overflow",
    SSub = "ssub_overflow",
    UMul = "umul_overflow",
    SMul = "smul_overflow",
});

names!(IntPredicate {
    Eq = "eq",
    Ne = "ne",
    Ult = "ult",
    Ule = "ule",
    Ugt = "ugt",
    Uge = "uge",
    Slt = "slt",
    Sle = "sle",
    Sgt = "sgt",
    Sge = "sge",
});

names!(FloatPredicate {
    Oeq = "oeq",
    Ogt = "ogt",
    Oge = "oge",
    Olt = "olt",
    Ole = "ole",
    One = "one",
    Ord = "ord",
    Ueq = "ueq",
    Ugt = "ugt",
    Uge = "uge",
    Ult = "ult",
    Ule = "ule",
    Une = "une",
    Uno = "uno",
});

names!(CastOp {
    Truncate = "truncate",
    ZeroExtend = "zero_extend",
    SignExtend = "sign_extend",
    FloatTruncate = "float_truncate",
    FloatExtend = "float_extend",
    FloatToUnsigned = "float_to_unsigned",
    FloatToSigned = "float_to_signed",
    FloatToUnsignedSaturating = "float_to_unsigned_saturating",
    FloatToSignedSaturating = "float_to_signed_saturating",
    UnsignedToFloat = "unsigned_to_float",
    SignedToFloat = "signed_to_float",
    Bits = "bit_cast",
    PtrToInt = "ptr_to_int",
    IntToPtr = "int_to_ptr",
});

names!(AtomicRmwOp {
    Exchange = "exchange",
    Add = "add",
    Sub = "sub",
    And = "and",
    Nand = "nand",
    Or = "or",
    Xor = "xor",
    SMax = "smax",
    SMin = "smin",
    UMax = "umax",
    UMin = "umin",
    FAdd = "fadd",
    FSub = "fsub",
});

names!(Linkage {
    Local = "local",
    Exported = "exported",
    Import = "import",
    WeakImport = "weak_import",
});

impl Type {
    /// The type that `Display` spells as `name`.
    pub fn from_name(name: &str) -> Option<Type> {
        Some(match name {
            "ptr" => Type::Ptr,
            "f16" => Type::F16,
            "f32" => Type::F32,
            "f64" => Type::F64,
            "f80" => Type::F80,
            "f128" => Type::F128,
            _ => Type::Int(plain_decimal(name.strip_prefix('i')?)?.try_into().ok()?),
        })
    }
}

/// A number without sign, leading zeros or anything else that prints differently.
pub(super) fn plain_decimal(digits: &str) -> Option<u32> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'));
    if plain { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn mnemonics_are_unique() {
        let mut seen = HashSet::new();
        let names = UnaryOp::ALL
            .iter()
            .map(|op| op.name())
            .chain(BinaryOp::ALL.iter().map(|op| op.name()))
            .chain(TernaryOp::ALL.iter().map(|op| op.name()))
            .chain(OverflowOp::ALL.iter().map(|op| op.name()))
            .chain(CastOp::ALL.iter().map(|op| op.name()));
        for name in names {
            assert!(seen.insert(name), "{name} names two operations");
        }
    }
}
