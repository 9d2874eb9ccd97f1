//! The tests of `relational`, in one executable: linking is most of what a small test costs.

mod alignment;
mod transfer_conditions;
