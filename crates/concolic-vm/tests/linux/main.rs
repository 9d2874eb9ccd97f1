//! Tests of the modelled Linux kernel.

mod descriptors;
mod differential;
mod directories;
mod files;
mod memory;
mod processes;
mod support;
mod symbolic;
