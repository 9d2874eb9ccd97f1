//! Inputs that a search begins with: tests that lie in the explored space.

use concolic_vm::linux::KernelConfig;
use concolic_vm::symbolic::SymbolicInput;
use exploration::InputSpace;
use native::test_case::TestCase;

/// Tests that lie in a space, and why others do not.
pub struct Seeds {
    /// Each with the number of its shape.
    pub used: Vec<(u32, SymbolicInput)>,
    /// Each with its name.
    pub reasons: Vec<String>,
    /// How many tests there are.
    pub all: usize,
}

impl Seeds {
    /// `tests` are named for messages.
    pub fn of(
        tests: &[(String, TestCase)],
        space: &InputSpace,
        shapes: &[SymbolicInput],
        kernel: &KernelConfig,
    ) -> anyhow::Result<Seeds> {
        let working_folder = String::from_utf8_lossy(&kernel.working_directory);
        let mut seeds = Seeds {
            used: Vec::new(),
            reasons: Vec::new(),
            all: tests.len(),
        };
        for (name, test) in tests {
            let record = test.input(&space.program_name, &working_folder)?;
            if let Some(why) = space.misfit(&record) {
                seeds.reasons.push(format!("{name}: {why}"));
                continue;
            }
            let fits =
                |(number, shape): (u32, &SymbolicInput)| Some((number, record.in_shape(shape)?));
            seeds.used.extend((0..).zip(shapes).find_map(fits));
        }
        Ok(seeds)
    }
}
