//! The tests of `concolic-vm`, in one executable: linking is most of what a small test costs.

mod random_paths;
mod semantics;
mod symbolic_features;
