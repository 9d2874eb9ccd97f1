//! An input in few bytes: what a search keeps of each run, and what is sent to an executor.

use concolic_vm::symbolic::SymbolicInput;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An input as the number of its shape and its symbolic bytes: what a search keeps of each run.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct CompactInput {
    pub shape: u32,
    bytes: Box<[u8]>,
    variables: BTreeMap<String, Vec<u8>>,
}

impl CompactInput {
    pub fn new(shape: u32, input: &SymbolicInput) -> CompactInput {
        let mut bytes = Vec::new();
        let parts = input
            .args
            .iter()
            .chain(input.environment.iter().map(|entry| &entry.1))
            .chain([&input.stdin])
            .chain(input.files.values());
        for part in parts.filter(|part| part.symbolic) {
            bytes.extend_from_slice(&part.bytes);
        }
        CompactInput {
            shape,
            bytes: bytes.into(),
            variables: input.variables.clone(),
        }
    }

    pub fn expand(&self, shapes: &[SymbolicInput]) -> SymbolicInput {
        let mut input = shapes[self.shape as usize].clone();
        let mut rest = &self.bytes[..];
        let parts = input
            .args
            .iter_mut()
            .chain(input.environment.iter_mut().map(|entry| &mut entry.1))
            .chain([&mut input.stdin])
            .chain(input.files.values_mut());
        for part in parts.filter(|part| part.symbolic) {
            let (own, others) = rest.split_at(part.bytes.len());
            part.bytes.copy_from_slice(own);
            rest = others;
        }
        input.variables = self.variables.clone();
        input
    }
}
