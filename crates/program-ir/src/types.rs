//! The types of values. All are scalars.

use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Type {
    /// An integer of 1 to 128 bits.
    Int(u8),
    /// A pointer; 64 bits wide, interchangeable with `Int(64)` at run time.
    Ptr,
    F16,
    F32,
    F64,
    /// x87 `long double`: 80 bits of value, stored in 10 bytes of a 16-byte slot.
    F80,
    F128,
}

impl Type {
    pub const I1: Type = Type::Int(1);
    pub const I8: Type = Type::Int(8);
    pub const I16: Type = Type::Int(16);
    pub const I32: Type = Type::Int(32);
    pub const I64: Type = Type::Int(64);
    pub const I128: Type = Type::Int(128);

    /// Width of the value in bits.
    pub const fn bits(self) -> u32 {
        match self {
            Type::Int(width) => width as u32,
            Type::Ptr => 64,
            Type::F16 => 16,
            Type::F32 => 32,
            Type::F64 => 64,
            Type::F80 => 80,
            Type::F128 => 128,
        }
    }

    /// Bytes that a load reads and a store writes: the width rounded up to whole bytes.
    pub const fn store_bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// Whether the value is wider than a 64-bit machine word.
    pub const fn is_wide(self) -> bool {
        self.bits() > 64
    }

    pub const fn is_float(self) -> bool {
        matches!(
            self,
            Type::F16 | Type::F32 | Type::F64 | Type::F80 | Type::F128
        )
    }

    /// Integer or pointer.
    pub const fn is_int_like(self) -> bool {
        !self.is_float()
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(width) => write!(f, "i{width}"),
            Type::Ptr => f.write_str("ptr"),
            Type::F16 => f.write_str("f16"),
            Type::F32 => f.write_str("f32"),
            Type::F64 => f.write_str("f64"),
            Type::F80 => f.write_str("f80"),
            Type::F128 => f.write_str("f128"),
        }
    }
}
