//! The decoded form of a function: what the machine steps over.
//!
//! A function is a flat array of 16-byte operations over numbered register slots.
//! A value of up to 64 bits has one slot and is kept zero-extended there; a wider one
//! has two, low word first. Casts that change no bits (zero extension, pointer to
//! integer, float to its bits) need no operation: both values share a slot.
//!
//! The hot operations are specialised for 32 and 64 bits; `N` forms take any width
//! up to 64. Operations that compute alike at every width carry it for the observers. Everything rare goes through [`Op::Pure`] and the plain semantics in
//! [`crate::eval`], with which the specialised operations are compared in tests.
//!
//! Terminators carry the number of IR instructions in their block, so counting
//! costs nothing inside a block.

use program_ir::{
    BinaryOp, CastOp, FloatPredicate, IntPredicate, OverflowOp, TernaryOp, Type, UnaryOp,
};

/// A register slot of the current frame.
pub(crate) type Reg = u32;

/// Where an operand is read from: a slot of the frame if not negative, else an
/// entry of the program's constants, which lie before all frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Operand(pub(crate) i32);

impl Operand {
    pub(crate) fn reg(slot: Reg) -> Self {
        Operand(i32::try_from(slot).expect("fewer than 2^31 slots"))
    }

    pub(crate) fn constant(index: u32) -> Self {
        Operand(!i32::try_from(index).expect("fewer than 2^31 constants"))
    }

    /// The high word of a wide operand whose low word this is.
    pub(crate) fn high(self) -> Self {
        if self.0 < 0 {
            Operand(self.0 - 1)
        } else {
            Operand(self.0 + 1)
        }
    }

    #[inline(always)]
    pub(crate) fn index(self, base: usize) -> usize {
        if self.0 < 0 {
            !self.0 as usize
        } else {
            base + self.0 as usize
        }
    }
}

/// An index into the operations of the same function.
pub(crate) type Pc = u32;

#[rustfmt::skip]
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Move { to: Reg, from: Operand },

    Add32 { to: Reg, a: Operand, b: Operand },
    Add64 { to: Reg, a: Operand, b: Operand },
    AddN { width: u8, to: Reg, a: Operand, b: Operand },
    Sub32 { to: Reg, a: Operand, b: Operand },
    Sub64 { to: Reg, a: Operand, b: Operand },
    SubN { width: u8, to: Reg, a: Operand, b: Operand },
    Mul32 { to: Reg, a: Operand, b: Operand },
    Mul64 { to: Reg, a: Operand, b: Operand },
    MulN { width: u8, to: Reg, a: Operand, b: Operand },
    And { width: u8, to: Reg, a: Operand, b: Operand },
    Or { width: u8, to: Reg, a: Operand, b: Operand },
    Xor { width: u8, to: Reg, a: Operand, b: Operand },
    Shl32 { to: Reg, a: Operand, b: Operand },
    Shl64 { to: Reg, a: Operand, b: Operand },
    LShr32 { to: Reg, a: Operand, b: Operand },
    LShr64 { to: Reg, a: Operand, b: Operand },
    AShr32 { to: Reg, a: Operand, b: Operand },
    AShr64 { to: Reg, a: Operand, b: Operand },
    UDiv { width: u8, to: Reg, a: Operand, b: Operand },
    SDivN { width: u8, to: Reg, a: Operand, b: Operand },
    URem { width: u8, to: Reg, a: Operand, b: Operand },
    SRemN { width: u8, to: Reg, a: Operand, b: Operand },

    Eq { width: u8, to: Reg, a: Operand, b: Operand },
    Ne { width: u8, to: Reg, a: Operand, b: Operand },
    Ult { width: u8, to: Reg, a: Operand, b: Operand },
    Ule { width: u8, to: Reg, a: Operand, b: Operand },
    Slt { width: u8, to: Reg, a: Operand, b: Operand },
    Sle { width: u8, to: Reg, a: Operand, b: Operand },

    Truncate { width: u8, to: Reg, a: Operand },
    SignExtend { from: u8, width: u8, to: Reg, a: Operand },
    /// `if_true` and `if_false` are in the operand pool.
    Select { width: u8, to: Reg, condition: Operand, pool: u32 },

    FAdd64 { to: Reg, a: Operand, b: Operand },
    FSub64 { to: Reg, a: Operand, b: Operand },
    FMul64 { to: Reg, a: Operand, b: Operand },
    FDiv64 { to: Reg, a: Operand, b: Operand },
    FCompare64 { predicate: FloatPredicate, to: Reg, a: Operand, b: Operand },
    SignedToF64 { from: u8, to: Reg, a: Operand },

    /// `to = base + index · scale`.
    PtrIndex { scale: u16, to: Reg, base: Operand, index: Operand },

    Load8 { to: Reg, address: Operand, offset: i32 },
    Load16 { to: Reg, address: Operand, offset: i32 },
    Load32 { to: Reg, address: Operand, offset: i32 },
    Load64 { to: Reg, address: Operand, offset: i32 },
    /// Any other width: `bytes` bytes, of which `width` bits count.
    LoadN { width: u8, to: Reg, address: Operand, offset: i32 },
    Store8 { value: Operand, address: Operand, offset: i32 },
    Store16 { value: Operand, address: Operand, offset: i32 },
    Store32 { value: Operand, address: Operand, offset: i32 },
    Store64 { value: Operand, address: Operand, offset: i32 },
    StoreN { width: u8, value: Operand, address: Operand, offset: i32 },

    /// `element_size` comes from the literals.
    Alloca { to: Reg, count: Operand, literal: u32 },
    StackSave { to: Reg },
    StackRestore { token: Operand },
    MemCopy { to: Operand, from: Operand, length: Operand },
    MemSet { to: Operand, byte: Operand, length: Operand },
    /// Operands `address, value` in the pool.
    AtomicRmw { op: program_ir::AtomicRmwOp, width: u8, to: Reg, pool: u32 },
    /// Operands `address, expected, replacement` in the pool; results in `to`, `to + 1`.
    CompareExchange { width: u8, to: Reg, pool: u32 },

    /// Plain semantics of a [`PureOp`].
    Pure { index: u32 },

    /// A direct call of a defined, non-variadic function; the callee's parameter
    /// words are in the pool.
    Call { to: Reg, function: u32, pool: u32 },
    /// Any other call.
    CallSite { to: Reg, site: u32 },
    VaStart { list: Operand },
    VaCopy { to: Operand, from: Operand },
    /// Number and six arguments in the pool.
    Syscall { to: Reg, pool: u32 },
    ThreadPointer { to: Reg },
    Cpuid { to: Reg, leaf: Operand },

    Jump { cost: u16, target: Pc },
    BranchIf { cost: u16, condition: Operand, target: Pc },
    BranchEq { width: u8, cost: u16, a: Operand, b: Operand, target: Pc },
    BranchNe { width: u8, cost: u16, a: Operand, b: Operand, target: Pc },
    BranchUlt { width: u8, cost: u16, a: Operand, b: Operand, target: Pc },
    BranchUle { width: u8, cost: u16, a: Operand, b: Operand, target: Pc },
    BranchSlt32 { cost: u16, a: Operand, b: Operand, target: Pc },
    BranchSle32 { cost: u16, a: Operand, b: Operand, target: Pc },
    BranchSlt64 { cost: u16, a: Operand, b: Operand, target: Pc },
    BranchSle64 { cost: u16, a: Operand, b: Operand, target: Pc },
    Switch { width: u8, cost: u16, arg: Operand, table: u32 },
    IndirectJump { cost: u16, address: Operand },
    Return { cost: u16, values: u16, pool: u32 },
    /// Ends the program: see [`Stop`].
    Stop { stop: Stop, message: u32 },
    /// More instructions than a terminator's `cost` can say.
    Count { instructions: u32 },
}

impl Op {
    /// Whether control may go several ways from here.
    pub(crate) fn is_branch(&self) -> bool {
        matches!(
            self,
            Op::BranchIf { .. }
                | Op::BranchEq { .. }
                | Op::BranchNe { .. }
                | Op::BranchUlt { .. }
                | Op::BranchUle { .. }
                | Op::BranchSlt32 { .. }
                | Op::BranchSle32 { .. }
                | Op::BranchSlt64 { .. }
                | Op::BranchSle64 { .. }
                | Op::Switch { .. }
                | Op::IndirectJump { .. }
        )
    }
}

/// Why an operation ends the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Unreachable,
    Trap,
    Unsupported,
}

/// A computation without effect, in full generality.
#[derive(Clone, Debug)]
pub(crate) struct PureOp {
    pub(crate) kind: PureKind,
    pub(crate) to: Reg,
    pub(crate) args: [Operand; 3],
    /// Type of the (first) argument that decides the operation.
    pub(crate) ty: Type,
    /// Type of the result.
    pub(crate) result: Type,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum PureKind {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Ternary(TernaryOp),
    Overflow(OverflowOp),
    IntCompare(IntPredicate),
    FloatCompare(FloatPredicate),
    FloatClass(u16),
    Cast(CastOp),
}

/// A call that needs more than copying words.
#[derive(Clone, Debug)]
pub(crate) struct CallSite {
    pub(crate) callee: SiteCallee,
    pub(crate) args: Vec<(Operand, Type)>,
    pub(crate) fixed_args: u32,
    pub(crate) by_val: Vec<program_ir::ByVal>,
    pub(crate) result_words: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum SiteCallee {
    Function(u32),
    Address(Operand),
}

#[derive(Clone, Debug)]
pub(crate) enum SwitchTable {
    /// Targets of `low, low+1, …`.
    Dense {
        low: u64,
        targets: Vec<Pc>,
        default: Pc,
    },
    /// Sorted by value.
    Sparse { cases: Vec<(u64, Pc)>, default: Pc },
    /// An argument wider than 64 bits.
    Wide { cases: Vec<(u128, Pc)>, default: Pc },
}

impl SwitchTable {
    /// Visits the cases in ascending order of their values, then the default.
    pub(crate) fn for_each_case(&self, mut visit: impl FnMut((Option<u128>, Pc))) {
        let default = match self {
            SwitchTable::Dense {
                low,
                targets,
                default,
            } => {
                for (value, &target) in (u128::from(*low)..).zip(targets) {
                    visit((Some(value), target));
                }
                default
            }
            SwitchTable::Sparse { cases, default } => {
                for &(value, target) in cases {
                    visit((Some(u128::from(value)), target));
                }
                default
            }
            SwitchTable::Wide { cases, default } => {
                for &(value, target) in cases {
                    visit((Some(value), target));
                }
                default
            }
        };
        visit((None, *default));
    }

    #[inline]
    pub(crate) fn target(&self, low_word: u64, high_word: impl FnOnce() -> u64) -> Pc {
        match self {
            SwitchTable::Dense {
                low,
                targets,
                default,
            } => {
                let index = low_word.wrapping_sub(*low);
                match usize::try_from(index) {
                    Ok(index) => *targets.get(index).unwrap_or(default),
                    Err(_) => *default,
                }
            }
            SwitchTable::Sparse { cases, default } => {
                match cases.binary_search_by_key(&low_word, |case| case.0) {
                    Ok(found) => cases[found].1,
                    Err(_) => *default,
                }
            }
            SwitchTable::Wide { cases, default } => {
                let value = u128::from(high_word()) << 64 | u128::from(low_word);
                cases
                    .iter()
                    .find(|case| case.0 == value)
                    .map_or(*default, |case| case.1)
            }
        }
    }
}

/// The decoded body of one function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    /// The instruction each operation comes from (`u32::MAX`: an edge).
    pub(crate) origins: Vec<u32>,
    /// Slots of a frame; parameters come first.
    pub(crate) slots: u32,
    /// Words of the parameters.
    pub(crate) param_words: u32,
    /// Bytes of stack that a native call takes beyond its stack objects.
    pub(crate) frame_bytes: u32,
    pub(crate) pool: Vec<Operand>,
    pub(crate) literals: Vec<u64>,
    pub(crate) pures: Vec<PureOp>,
    pub(crate) sites: Vec<CallSite>,
    pub(crate) switches: Vec<SwitchTable>,
    pub(crate) messages: Vec<String>,
    /// Where each block begins; for computed goto and for traces.
    pub(crate) block_starts: Vec<Pc>,
    /// By block: where its entries in `slots_defined` end.
    pub(crate) slots_ends: Vec<u32>,
    /// The slots of each block's parameters and results.
    pub(crate) slots_defined: Vec<Reg>,
}
