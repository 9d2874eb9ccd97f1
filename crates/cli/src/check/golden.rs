//! Is a difference wanted? A *golden version* says how the program should behave.
//!
//! Böhme's thesis, §3.5 and Definition 9 of §4.3, for an input on which old and new differ:
//!
//! | class | old | new |
//! |---|---|---|
//! | progression | not as the golden version | as the golden version |
//! | regression | as the golden version | not |
//! | intermediate | not | not |
//!
//! Regressions and intermediate changes are *differential errors*: the new version is not as intended.
//! Behaviour is compared natively. Where native runs did not show the difference, or the golden version has no
//! native build, it is compared in the VM.

use std::path::PathBuf;

use concolic_vm::linux::KernelConfig;
use concolic_vm::{Limits, Program};
use exploration::InputRecord;

use super::examples::Example;
use super::paired::Versions;
use crate::read_module;
use build::host::Instrumentation;
use build::{Builder, Request};
use native::confirmation::Natively;
use native::confirmation::observably_equal;
use native::prediction::predict;
use native::process::NativeEnd;
use native::replay::same_behaviour;
use native::test_case::{Expected, TestCase};

/// What a difference is, measured by a golden version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Progression,
    Regression,
    Intermediate,
}

impl Class {
    fn of(old_is_golden: bool, new_is_golden: bool) -> Result<Class, String> {
        match (old_is_golden, new_is_golden) {
            (false, true) => Ok(Class::Progression),
            (true, false) => Ok(Class::Regression),
            (false, false) => Ok(Class::Intermediate),
            (true, true) => Err("both versions behave as the golden version".to_owned()),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Class::Progression => "progression",
            Class::Regression => "regression",
            Class::Intermediate => "intermediate",
        }
    }

    /// For people.
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Class::Progression => "progression: the new version does what the golden version does",
            Class::Regression => {
                "regression: the old version does what the golden version does, the new one does not"
            }
            Class::Intermediate => {
                "intermediate: neither version does what the golden version does"
            }
        }
    }
}

/// How the program should behave. At least one build is there.
pub(super) struct Golden {
    native: Option<PathBuf>,
    program: Option<Program>,
}

impl Golden {
    pub(super) fn build(builder: &Builder<'_>, request: &Request) -> anyhow::Result<Golden> {
        let native = builder.host_program(request, Instrumentation::Nothing).ok();
        let program = || -> anyhow::Result<Program> {
            let built = builder.program(request)?;
            Ok(Program::new(read_module(builder, &built)?, 2 << 30)?)
        };
        let program = match program() {
            Ok(program) => Some(program),
            Err(_) if native.is_some() => None,
            Err(error) => return Err(error.context("cannot build the golden version")),
        };
        Ok(Golden { native, program })
    }

    /// What a difference is in the VM, where the golden version can be run there.
    pub(super) fn class_in_vm(
        &self,
        kernel: &KernelConfig,
        limits: Limits,
        input: &InputRecord,
        old: &Expected,
        new: &Expected,
    ) -> Option<Class> {
        let golden = predict(self.program.as_ref()?, kernel, limits, input)?;
        let is_golden = |expected| observably_equal(&golden, expected);
        Class::of(is_golden(old), is_golden(new)).ok()
    }

    /// The class of a difference, or why it has none.
    pub(super) fn classify(
        &self,
        natively: &Natively<'_>,
        versions: &Versions<'_>,
        example: &Example,
    ) -> anyhow::Result<Result<Class, String>> {
        let Some(executable) = self
            .native
            .as_ref()
            .filter(|_| example.unconfirmed.is_none())
        else {
            let (kernel, limits) = (&versions.kernel, versions.limits);
            let (old, new) = (&example.old, &example.new);
            let class = self.class_in_vm(kernel, limits, &example.input, old, new);
            return Ok(class.ok_or_else(|| {
                "native runs do not show the difference, and the golden version does not tell the versions apart in \
                 the VM"
                    .to_owned()
            }));
        };
        let test = TestCase::new(&example.input, &versions.kernel.working_directory, None);
        let golden = natively.run(&test, executable, false)?;
        if !same_behaviour(&golden, &natively.run(&test, executable, false)?) {
            return Ok(Err(
                "the golden version is not deterministic: two native runs of this input differ"
                    .to_owned(),
            ));
        }
        let is_golden = |version: usize| -> anyhow::Result<bool> {
            let end = &[&example.old, &example.new][version].end;
            // What a native program does in the first case is chance. In the second it has been seen.
            if end.undefined || end.kind == "step-limit" && golden.end != NativeEnd::TimedOut {
                return Ok(false);
            }
            let run = natively.run(&test, &natively.plain[version], false)?;
            Ok(same_behaviour(&golden, &run))
        };
        Ok(Class::of(is_golden(0)?, is_golden(1)?))
    }
}
