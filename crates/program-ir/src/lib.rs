//! The program representation that every other crate reads.
//!
//! A [`Module`] is a whole linked program (libc included) in static single
//! assignment form. It differs from LLVM's in three ways that make the machine,
//! the term layer and the static analyses simple:
//!
//! 1. **Scalar.** Vectors and first-class aggregates do not exist. The bitcode
//!    reader splits them into their scalars; functions and calls may have several
//!    results.
//! 2. **Block parameters instead of phis.** An edge ([`BlockCall`]) carries the
//!    arguments of the block it enters.
//! 3. **One kind of operand.** A constant is a [`Value`] whose definition is a
//!    [`Constant`], so operands need no second case.
//!
//! Nothing here knows LLVM, expressions or the machine.

mod constant;
mod entities;
mod function;
mod image;
mod inst;
mod module;
mod source;
pub mod syscall_table;
mod text;
mod types;
mod verify;

pub use constant::Constant;
pub use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
pub use entities::{Block, DebugType, File, Func, Global, Inst, Loc, Scope, Value, Variable};
pub use function::{BlockData, Function, InstNode, Linkage, Signature, ValueData, ValueDef};
pub use image::{ImageError, read_foreign_image, read_image, write_image};
pub use inst::{
    ArithFlags, AtomicRmwOp, BinaryOp, BlockCall, ByVal, CallData, Callee, CastOp, FloatPredicate,
    InstData, IntPredicate, OverflowOp, PtrTerm, TernaryOp, UnaryOp,
};
pub use module::{GlobalData, Initialiser, Module, Relocation};
pub use source::{
    DebugField, DebugTypeData, FileData, GlobalVariableInfo, LocData, ScopeData, SourceMap,
    VariableBinding, VariableData, VariablePlace,
};
pub use text::{ParseError, parse_module, print_function, print_module};
pub use types::Type;
pub use verify::{VerifyError, verify, verify_function};
