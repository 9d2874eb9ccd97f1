//! The tests of `mutation`, in one executable: linking is most of what a small test costs.

mod any_text;
mod golden;
