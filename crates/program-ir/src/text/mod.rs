//! The readable form of a [`Module`](crate::Module), and its parser.
//!
//! Printing and parsing are inverse: for every module that satisfies the
//! [verifier](crate::verify), `parse_module(&print_module(m)) == m`.
//! A module that breaks them still prints (dumps are for debugging), only not
//! necessarily into something that parses.
//!
//! ```text
//! file0 = "area.c" in "src"
//! scope0 = function "area" file0:1 signature (type0, type0)
//! loc0 = 2:12 scope0
//! type0 = base "int" bits 32 encoding 5
//!
//! g0 = global local ".str" size 6 align 1 constant {
//!   "hello\0"
//! }
//!
//! fn0 = function exported "area" (i32) -> (i32) scope0 {
//!   constants v1 = i32 3
//!   var0 = "side" scope0 line 1 type type0 parameter 1
//!   bind var0 value v0 before inst0
//! block0(v0: i32):
//!   ; "side" = v0
//!   inst0: v2: i32 = mul nsw v0, i32 3 !loc0 ; area.c:2:12
//!   inst1: return v2
//! }
//!
//! alias "surface" = &fn0:area
//! ```
//!
//! What is not obvious from the example:
//!
//! - Every id is spelled as its `Display`, so that a log line can be searched in a dump.
//!   A function or global that is referred to carries its name after a colon
//!   (`fn3:printf`, `@g2:stdin+8`, `&fn3:printf`, `&fn3:run/block4`). The id decides;
//!   the name may be left out, and must be right if it is there.
//! - A constant operand stands where it is used. The `constants` line holds the ids of
//!   a function's constants; a second constant of the same type and bits is used by its
//!   id. In handwritten text the line may be left out: constants are then numbered
//!   after all other values. `inst…:` may be left out too.
//! - Integers are signed decimals; floats are decimals where those are exact, else bits
//!   in hexadecimal.
//! - Comments run from `;` to the end of the line. Line breaks mean nothing else.

mod lex;
mod names;
mod parse;
mod parse_constant;
mod parse_function;
mod parse_inst;
mod parse_source;
mod print;
mod print_inst;
mod print_source;

pub use lex::ParseError;
pub use parse::parse_module;
pub use print::{print_function, print_module};

/// Longest run of zeros that one `zero` item of an initialiser may stand for. Keeps
/// the size of a parsed module proportional to the size of its text.
const LONGEST_ZERO_RUN: usize = 1024;
