//! The two back ends: Z3, which knows every operation, and our own bit-blaster over CaDiCaL.

pub mod bitblast;
pub mod z3;
