//! What is around a call: how it ends, what it is given besides its arguments, and what it puts out.

use std::collections::BTreeMap;

/// What is around the call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Around {
    /// The test calls it in a process of its own: it ends that, puts something out, or reads and changes variables that other tests see.
    pub own_process: bool,
    /// As a shell reports it.
    pub status: i32,
    pub stdin: Vec<u8>,
    pub environment: BTreeMap<String, Vec<u8>>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}
