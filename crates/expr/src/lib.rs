//! Terms: what a program computed, as a function of its symbolic input.
//!
//! A [`Store`] holds hash-consed bit-vector terms of 1 to 256 bits over input bytes ([`Symbol`]).
//! Booleans are 1-bit vectors; floats are carried as their bits. Constructors keep every term in the
//! canonical form whose numbered rules are listed in [`rules`], so equal ids mean equal values, and
//! often the other way round.
//!
//! Limits: a value has at most 128 bits. Wider terms are only formed by `concat` and `ite`, and every
//! `extract` and `eq` on them is rewritten into parts of at most 128 bits, so none is ever evaluated.
//!
//! Floats: f32 and f64, rounding to nearest even (the other directions exist for rounding to an
//! integral value only). An operation that computes a float returns the one canonical NaN for any NaN
//! result, `0x7fc00000` or `0x7ff8000000000000`; moving, negating and taking the absolute value keep
//! all bits. Which NaN a *machine* returns is not modelled: whoever mixes concrete and symbolic runs
//! canonicalises the concrete NaN or records an assumption. Conversions to integers saturate, NaN
//! gives 0.

mod build;
mod eval;
mod facts;
mod interned;
mod interval;
mod op;
mod rewrite;
pub mod rules;
mod semantics;
mod smtlib;
mod smtlib_parse;
mod store;
mod substitute;
mod symbol;
mod symbol_set;
mod table;
mod words;

pub use eval::{Compiled, Evaluation};
pub use facts::Facts;
pub use interval::{Interval, IntervalOperand};
pub use op::{ExprId, MAX_ARITH_WIDTH, MAX_WIDTH, Node, Op, Rounding};
pub use rules::Rule;
pub use semantics::{canonical_nan, mask, signed};
pub use smtlib::print_smtlib;
pub use smtlib_parse::{ParseError, parse_smtlib};
pub use store::{Rewrite, Store};
pub use symbol::{Model, Symbol, SymbolId};
pub use symbol_set::{SymbolSet, SymbolSetId};
pub use table::{TABLE_CHUNK, TableId};
pub use words::{ByteSet, VariableKind, VariableKinds};
