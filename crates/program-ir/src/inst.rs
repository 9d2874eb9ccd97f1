//! Instructions.
//!
//! Widths and float formats are not part of an opcode: they are the types of the
//! operands and results. Integer values are always taken modulo their width.

use crate::{Block, Func, Type, Value};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum InstData {
    // Pure computations.
    Unary {
        op: UnaryOp,
        arg: Value,
    },
    Binary {
        op: BinaryOp,
        flags: ArithFlags,
        args: [Value; 2],
    },
    Ternary {
        op: TernaryOp,
        args: [Value; 3],
    },
    /// Two results: the wrapped value, and an `i1` that says whether it wrapped.
    Overflow {
        op: OverflowOp,
        args: [Value; 2],
    },
    IntCompare {
        predicate: IntPredicate,
        args: [Value; 2],
    },
    FloatCompare {
        predicate: FloatPredicate,
        args: [Value; 2],
    },
    /// Whether a float is in one of the classes of LLVM's `is.fpclass` mask.
    FloatClass {
        mask: u16,
        arg: Value,
    },
    /// The target type is the type of the result.
    Cast {
        op: CastOp,
        arg: Value,
    },
    /// `base + offset + Σ index·scale`, wrapping in 64 bits. Every index is `i64`.
    PtrAdd {
        base: Value,
        offset: i64,
        terms: Box<[PtrTerm]>,
        inbounds: bool,
    },

    // Memory.
    /// A new stack object of `count · element_size` bytes that lives until the
    /// function returns (or a `StackRestore` below it).
    Alloca {
        count: Value,
        element_size: u64,
        align: u32,
    },
    StackSave,
    StackRestore {
        token: Value,
    },
    /// The type read is the type of the result.
    Load {
        address: Value,
        align: u32,
        volatile: bool,
    },
    /// The type written is the type of `value`.
    Store {
        address: Value,
        value: Value,
        align: u32,
        volatile: bool,
    },
    /// `memcpy` (operands must not overlap) and `memmove`.
    MemCopy {
        destination: Value,
        source: Value,
        length: Value,
        may_overlap: bool,
    },
    MemSet {
        destination: Value,
        byte: Value,
        length: Value,
    },
    /// Result: the value before.
    AtomicRmw {
        op: AtomicRmwOp,
        address: Value,
        value: Value,
    },
    /// Two results: the value before, and an `i1` for success.
    CompareExchange {
        address: Value,
        expected: Value,
        replacement: Value,
    },
    Fence,

    // Calls and what belongs to them.
    Call(Box<CallData>),
    VaStart {
        list: Value,
    },
    VaCopy {
        destination: Value,
        source: Value,
    },
    VaEnd {
        list: Value,
    },
    /// `asm "syscall"`: number and six arguments (absent ones are zero), all `i64`.
    Syscall {
        args: [Value; 7],
    },
    /// The base of the thread control block (`%fs:0`).
    ThreadPointer,
    /// Four `i32` results: eax, ebx, ecx, edx.
    Cpuid {
        leaf: Value,
        subleaf: Value,
    },
    /// Two results, as LLVM's `{ ptr, i32 }`. Reached only when something throws.
    LandingPad,
    /// An operation that has no translation. Fails when executed; results are of
    /// the types that the program expects.
    Unsupported {
        what: Box<str>,
        /// Which operands it has, in a form that tells two operations apart and says nothing else.
        operands: Box<str>,
    },

    // Terminators.
    Jump(BlockCall),
    Branch {
        condition: Value,
        then: BlockCall,
        otherwise: BlockCall,
    },
    Switch {
        arg: Value,
        cases: Box<[(u128, BlockCall)]>,
        default: BlockCall,
    },
    /// Computed goto. Every target that the address can be is listed.
    IndirectJump {
        address: Value,
        targets: Box<[BlockCall]>,
    },
    Return {
        values: Box<[Value]>,
    },
    /// A call that may throw. Its results are defined in `normal`.
    Invoke {
        call: Box<CallData>,
        normal: BlockCall,
        unwind: BlockCall,
    },
    Resume,
    /// Reached only by undefined behaviour.
    Unreachable,
    /// `llvm.trap` and its relatives.
    Trap,
    /// A terminator without translation.
    UnsupportedTerminator {
        what: Box<str>,
        operands: Box<str>,
    },
}

/// An edge of the control-flow graph: the block entered, and its parameters' values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BlockCall {
    pub block: Block,
    pub args: Box<[Value]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PtrTerm {
    pub index: Value,
    pub scale: i64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CallData {
    pub callee: Callee,
    pub args: Box<[Value]>,
    /// How many of `args` are named parameters; the others are variadic.
    pub fixed_args: u32,
    /// Arguments passed as pointers to a copy that the callee owns.
    pub by_val: Box<[ByVal]>,
    /// Types of the results, also when nobody uses them.
    pub returns: Box<[Type]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ByVal {
    pub arg: u32,
    pub size: u64,
    pub align: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Callee {
    Direct(Func),
    Indirect(Value),
}

/// What the source language promised about an operation. Breaking a promise is
/// undefined behaviour; the machine computes the wrapped result and reports the
/// breach only when asked to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct ArithFlags {
    pub no_signed_wrap: bool,
    pub no_unsigned_wrap: bool,
    pub exact: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum UnaryOp {
    // Integer.
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    /// The same, where the language leaves the zeros of 0 undefined. The machine counts them.
    LeadingZerosOfNonzero,
    TrailingZerosOfNonzero,
    ByteSwap,
    BitReverse,
    Abs,
    // Float.
    FNeg,
    FAbs,
    FSqrt,
    FFloor,
    FCeil,
    FTrunc,
    /// To the nearest integer, halves to even.
    FRoundEven,
    /// To the nearest integer, halves away from zero.
    FRoundAway,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
    UMin,
    UMax,
    SMin,
    SMax,
    UAddSat,
    SAddSat,
    USubSat,
    SSubSat,
    UShlSat,
    SShlSat,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
    FCopySign,
    /// The other operand if one is a NaN.
    FMinNum,
    FMaxNum,
    /// A NaN if one is a NaN; −0 below +0.
    FMinimum,
    FMaximum,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum TernaryOp {
    /// `condition, if_true, if_false`
    Select,
    /// `a·b + c` with one rounding.
    FMulAdd,
    /// High half of `(a:b) << (c mod width)`.
    FunnelShl,
    /// Low half of `(a:b) >> (c mod width)`.
    FunnelShr,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum OverflowOp {
    UAdd,
    SAdd,
    USub,
    SSub,
    UMul,
    SMul,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum IntPredicate {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// LLVM's float predicates: `O…` is false, `U…` true if an operand is a NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FloatPredicate {
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CastOp {
    Truncate,
    ZeroExtend,
    SignExtend,
    FloatTruncate,
    FloatExtend,
    FloatToUnsigned,
    FloatToSigned,
    FloatToUnsignedSaturating,
    FloatToSignedSaturating,
    UnsignedToFloat,
    SignedToFloat,
    /// Same bits, other type: integer and float of one width.
    Bits,
    /// `ptr` to `i64`.
    PtrToInt,
    /// `i64` to `ptr`.
    IntToPtr,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum AtomicRmwOp {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    SMax,
    SMin,
    UMax,
    UMin,
    FAdd,
    FSub,
}

/// All edges of an instruction, in source order.
macro_rules! each_edge {
    ($data:expr, $visit:expr) => {
        match $data {
            InstData::Jump(target) => $visit(target),
            InstData::Branch {
                then, otherwise, ..
            } => {
                $visit(then);
                $visit(otherwise);
            }
            InstData::Switch { cases, default, .. } => {
                for (_, edge) in cases {
                    $visit(edge);
                }
                $visit(default);
            }
            InstData::IndirectJump { targets, .. } => {
                for edge in targets {
                    $visit(edge);
                }
            }
            InstData::Invoke { normal, unwind, .. } => {
                $visit(normal);
                $visit(unwind);
            }
            _ => {}
        }
    };
}

/// All operands of an instruction, to read or (`mut`) to change: those on edges come last.
macro_rules! each_operand {
    ($data:expr, $visit:ident $(, $mut:tt)?) => {{
        let data: & $($mut)? InstData = $data;
        match data {
            InstData::Unary { arg, .. }
            | InstData::FloatClass { arg, .. }
            | InstData::Cast { arg, .. } => $visit(arg),
            InstData::Binary { args, .. }
            | InstData::Overflow { args, .. }
            | InstData::IntCompare { args, .. }
            | InstData::FloatCompare { args, .. } => {
                for arg in args {
                    $visit(arg);
                }
            }
            InstData::Ternary { args, .. } => {
                for arg in args {
                    $visit(arg);
                }
            }
            InstData::PtrAdd { base, terms, .. } => {
                $visit(base);
                for term in terms {
                    $visit(& $($mut)? term.index);
                }
            }
            InstData::Alloca { count, .. } => $visit(count),
            InstData::StackRestore { token } => $visit(token),
            InstData::Load { address, .. } => $visit(address),
            InstData::Store { address, value, .. } | InstData::AtomicRmw { address, value, .. } => {
                $visit(address);
                $visit(value);
            }
            InstData::MemCopy {
                destination,
                source,
                length,
                ..
            } => {
                $visit(destination);
                $visit(source);
                $visit(length);
            }
            InstData::MemSet {
                destination,
                byte,
                length,
            } => {
                $visit(destination);
                $visit(byte);
                $visit(length);
            }
            InstData::CompareExchange {
                address,
                expected,
                replacement,
            } => {
                $visit(address);
                $visit(expected);
                $visit(replacement);
            }
            InstData::Call(call) | InstData::Invoke { call, .. } => {
                if let Callee::Indirect(target) = & $($mut)? call.callee {
                    $visit(target);
                }
                for arg in & $($mut)? call.args {
                    $visit(arg);
                }
            }
            InstData::VaStart { list } | InstData::VaEnd { list } => $visit(list),
            InstData::VaCopy {
                destination,
                source,
            } => {
                $visit(destination);
                $visit(source);
            }
            InstData::Syscall { args } => {
                for arg in args {
                    $visit(arg);
                }
            }
            InstData::Cpuid { leaf, subleaf } => {
                $visit(leaf);
                $visit(subleaf);
            }
            InstData::Branch { condition, .. } => $visit(condition),
            InstData::Switch { arg, .. } => $visit(arg),
            InstData::IndirectJump { address, .. } => $visit(address),
            InstData::Return { values } => {
                for value in values {
                    $visit(value);
                }
            }
            InstData::StackSave
            | InstData::Fence
            | InstData::ThreadPointer
            | InstData::LandingPad
            | InstData::Unsupported { .. }
            | InstData::Jump(_)
            | InstData::Resume
            | InstData::Unreachable
            | InstData::Trap
            | InstData::UnsupportedTerminator { .. } => {}
        }
        let mut on_edge = |edge: & $($mut)? BlockCall| {
            for arg in & $($mut)? edge.args {
                $visit(arg);
            }
        };
        each_edge!(data, on_edge);
    }};
}

impl InstData {
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            InstData::Jump(_)
                | InstData::Branch { .. }
                | InstData::Switch { .. }
                | InstData::IndirectJump { .. }
                | InstData::Return { .. }
                | InstData::Invoke { .. }
                | InstData::Resume
                | InstData::Unreachable
                | InstData::Trap
                | InstData::UnsupportedTerminator { .. }
        )
    }

    /// The call of a `Call` or an `Invoke`.
    pub fn call(&self) -> Option<&CallData> {
        match self {
            InstData::Call(call) | InstData::Invoke { call, .. } => Some(call),
            _ => None,
        }
    }

    /// Calls `visit` with every edge that leaves this terminator, in source order.
    /// Non-terminators have none.
    pub fn for_each_edge<'a>(&'a self, mut visit: impl FnMut(&'a BlockCall)) {
        each_edge!(self, visit);
    }

    /// The blocks that this terminator can continue at, in source order, with repeats.
    pub fn successors(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        self.for_each_edge(|edge| blocks.push(edge.block));
        blocks
    }

    /// Calls `visit` with every operand, those on edges included.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Value)) {
        let mut visit = |operand: &Value| visit(*operand);
        each_operand!(self, visit);
    }

    /// This instruction with other operands, those on edges included.
    pub fn with_operands(&self, mut other: impl FnMut(Value) -> Value) -> InstData {
        let mut data = self.clone();
        let mut visit = |operand: &mut Value| *operand = other(*operand);
        each_operand!(&mut data, visit, mut);
        data
    }
}

impl IntPredicate {
    /// Whether it holds of two numbers of the given width.
    pub fn holds(self, width: u32, a: u128, b: u128) -> bool {
        let signed = |bits: u128| {
            let unused = 128 - width;
            ((bits << unused) as i128) >> unused
        };
        match self {
            IntPredicate::Eq => a == b,
            IntPredicate::Ne => a != b,
            IntPredicate::Ult => a < b,
            IntPredicate::Ule => a <= b,
            IntPredicate::Ugt => a > b,
            IntPredicate::Uge => a >= b,
            IntPredicate::Slt => signed(a) < signed(b),
            IntPredicate::Sle => signed(a) <= signed(b),
            IntPredicate::Sgt => signed(a) > signed(b),
            IntPredicate::Sge => signed(a) >= signed(b),
        }
    }
}

impl BinaryOp {
    pub const fn is_float(self) -> bool {
        use BinaryOp::*;
        matches!(
            self,
            FAdd | FSub | FMul | FDiv | FRem | FCopySign | FMinNum | FMaxNum | FMinimum | FMaximum
        )
    }
}

impl UnaryOp {
    pub const fn is_float(self) -> bool {
        use UnaryOp::*;
        matches!(
            self,
            FNeg | FAbs | FSqrt | FFloor | FCeil | FTrunc | FRoundEven | FRoundAway
        )
    }

    /// Whether the language leaves the result for 0 undefined.
    pub const fn is_undefined_for_zero(self) -> bool {
        matches!(
            self,
            UnaryOp::LeadingZerosOfNonzero | UnaryOp::TrailingZerosOfNonzero
        )
    }
}
