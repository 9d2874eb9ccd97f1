//! The tests of `program-graphs`, in one executable: linking is most of what a small test costs.

mod control_flow;
mod dependence;
mod distance;
mod mod_ref;
mod points_to;
mod random_program;
mod worked_examples;
