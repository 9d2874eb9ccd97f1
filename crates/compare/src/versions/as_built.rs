//! A version with and without its source lines.
//!
//! Versions are compared without the lines of their panics and assertions (`version_diff::source_locations`), unless `--exact` is
//! given. What runs natively has them, so a test predicts what the version does as it was built. Two native runs that
//! differ show no difference if each is what the VM predicts of its version as it was built, and the VM predicts the same of both
//! without lines: then lines are all that they differ in.

use std::sync::OnceLock;

use concolic_vm::linux::KernelConfig;
use concolic_vm::{Limits, Program};
use exploration::InputRecord;
use native::confirmation::observably_equal;
use native::prediction::predict;
use native::process::NativeRun;
use native::replay::{Verdict, judge};
use native::test_case::{Expected, TestCase};
use program_ir::Module;
use version_diff::source_locations::SourceLocations;

/// What a version was built with and is not compared.
#[derive(Default)]
pub(crate) struct AsBuilt {
    taken: SourceLocations,
    /// Made when needed.
    program: OnceLock<Program>,
}

impl AsBuilt {
    /// Takes source lines out of a module.
    pub(crate) fn without_lines(module: &mut Module) -> AsBuilt {
        AsBuilt {
            taken: SourceLocations::take(module),
            program: OnceLock::new(),
        }
    }

    /// Whether something was taken out.
    pub(crate) fn has_lines(&self) -> bool {
        !self.taken.is_empty()
    }

    /// The version as it was built; `compared` is how it is compared.
    pub(crate) fn program<'p>(&'p self, compared: &'p Program, memory: u64) -> &'p Program {
        if self.taken.is_empty() {
            return compared;
        }
        self.program.get_or_init(|| {
            let mut module = compared.module().clone();
            self.taken.put_back(&mut module);
            Program::new(module, memory).expect("it could be loaded without its lines")
        })
    }
}

/// A program with what it was built with.
#[derive(Clone, Copy)]
pub(crate) struct Lined<'p> {
    pub(crate) compared: &'p Program,
    pub(crate) as_built: &'p AsBuilt,
}

/// What a run in the VM is given besides its input.
#[derive(Clone, Copy)]
pub(crate) struct VmSettings<'s> {
    pub(crate) kernel: &'s KernelConfig,
    pub(crate) limits: Limits,
    /// In bytes, of a version as it was built.
    pub(crate) memory: u64,
}

impl VmSettings<'_> {
    /// What a program does on an input, as it is compared.
    pub(crate) fn predicted_without_lines(
        &self,
        program: &Program,
        input: &InputRecord,
    ) -> Option<Expected> {
        predict(program, self.kernel, self.limits, input)
    }

    /// What a program does on an input as it was built; nothing if it cannot be started with it.
    pub(crate) fn predicted(&self, of: Lined<'_>, input: &InputRecord) -> Option<Expected> {
        let program = of.as_built.program(of.compared, self.memory);
        predict(program, self.kernel, self.limits, input)
    }

    /// Whether two native runs of an input differ in source lines at most.
    pub(crate) fn differ_in_lines_only(
        &self,
        input: &InputRecord,
        programs: [Lined<'_>; 2],
        runs: [&NativeRun; 2],
    ) -> bool {
        if !programs.iter().any(|of| of.as_built.has_lines()) {
            return false;
        }
        let test = TestCase::new(input, &self.kernel.working_directory, None);
        let mut as_predicted = programs.iter().zip(runs).map(|(&of, run)| {
            let expected = self.predicted(of, input);
            expected.is_some_and(|expected| judge(&test, &expected, run) == Verdict::AsPredicted)
        });
        let without_lines = programs.map(|of| self.predicted_without_lines(of.compared, input));
        match without_lines {
            [Some(one), Some(other)] => {
                observably_equal(&one, &other) && as_predicted.all(|is_one| is_one)
            }
            _ => false,
        }
    }
}
