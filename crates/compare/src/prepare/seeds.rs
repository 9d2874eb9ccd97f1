//! Inputs that a search begins with: tests that lie in the explored space.

use concolic_vm::linux::KernelConfig;
use concolic_vm::symbolic::SymbolicInput;
use exploration::{InputRecord, InputSpace};
use native::test_case::TestCase;

use crate::error::Result;
use crate::growing_bounds;

/// Tests that lie in a space, and why others do not.
pub struct Seeds {
    /// Each with the number of its shape.
    pub used: Vec<(u32, SymbolicInput)>,
    /// Those that lie in the space, whatever its shapes.
    pub records: Vec<InputRecord>,
    /// Each with its name.
    pub reasons: Vec<String>,
    /// How many tests there are.
    pub all: usize,
}

impl Seeds {
    /// `tests` are named for messages. If bounds grow from `space`, they have only to lie in the bounds that are made for them.
    pub fn of(
        tests: &[(String, TestCase)],
        (space, may_grow): (&InputSpace, bool),
        shapes: &[SymbolicInput],
        kernel: &KernelConfig,
    ) -> Result<Seeds> {
        let working_folder = String::from_utf8_lossy(&kernel.working_directory);
        let mut seeds = Seeds {
            used: Vec::new(),
            records: Vec::new(),
            reasons: Vec::new(),
            all: tests.len(),
        };
        let mut records = Vec::new();
        for (name, test) in tests {
            let record = test.input(&space.program_name, &working_folder)?;
            records.push((name, record));
        }
        let space = match may_grow {
            true => &growing_bounds::for_tests(space, records.iter().map(|(_, record)| record)),
            false => space,
        };
        for (name, record) in records {
            if let Some(why) = space.misfit(&record) {
                seeds.reasons.push(format!("{name}: {why}"));
                continue;
            }
            let fits =
                |(number, shape): (u32, &SymbolicInput)| Some((number, record.in_shape(shape)?));
            seeds.used.extend((0..).zip(shapes).find_map(fits));
            seeds.records.push(record);
        }
        Ok(seeds)
    }
}
