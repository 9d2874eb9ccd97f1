//! The tests of `program-ir`, in one executable: linking is most of what a small test costs.

mod golden;
mod image;
mod support;
mod text;
