//! The tests of `expr`, in one executable: linking is most of what a small test costs.

mod canonical_form;
mod random_terms;
mod support;
mod words;
