//! The tests of `bitcode-reader`, in one executable: linking is most of what a small test costs.

mod executable;
mod mutated_bitcode;
mod run_like_native;
mod stack_frames;
mod support;
mod translate;
