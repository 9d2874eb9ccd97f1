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

use anyhow::Context;
use concolic_vm::Program;

use super::examples::{Example, observably_equal};
use super::natively::Natively;
use super::paired::Versions;
use crate::build::host::Instrumentation;
use crate::build::{Builder, Request};
use crate::cli::read_module;
use crate::prediction::predict;
use crate::replay::same_behaviour;
use crate::test_case::TestCase;

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

/// How the program should behave.
pub(super) struct Golden<'g> {
    builder: &'g Builder<'g>,
    request: Request,
    native: Option<std::path::PathBuf>,
    /// For the VM, made when needed.
    program: Option<Program>,
}

impl<'g> Golden<'g> {
    /// Builds it, natively if possible.
    pub(super) fn build(builder: &'g Builder<'g>, request: Request) -> anyhow::Result<Golden<'g>> {
        let native = builder.host_program(&request, Instrumentation::Nothing);
        let mut golden = Golden {
            builder,
            request,
            native: native.ok(),
            program: None,
        };
        if golden.native.is_none() {
            golden.program()?;
        }
        Ok(golden)
    }

    fn program(&mut self) -> anyhow::Result<&Program> {
        if self.program.is_none() {
            let built = self
                .builder
                .program(&self.request)
                .context("cannot build the golden version")?;
            let module = read_module(self.builder, &built)?;
            self.program = Some(Program::new(module, 2 << 30)?);
        }
        Ok(self.program.as_ref().expect("just made"))
    }

    /// The class of a difference, or why it has none.
    pub(super) fn classify(
        &mut self,
        natively: &Natively<'_>,
        versions: &Versions<'_>,
        example: &Example,
    ) -> anyhow::Result<Result<Class, String>> {
        if let Some(executable) = &self.native
            && example.unconfirmed.is_none()
        {
            let test = TestCase::new(&example.input, &versions.kernel.working_directory, None);
            let golden = natively.run(&test, executable, false)?;
            if !same_behaviour(&golden, &natively.run(&test, executable, false)?) {
                return Ok(Err(
                    "the golden version is not deterministic: two native runs of this input differ"
                        .to_owned(),
                ));
            }
            let is_golden = |version: usize| -> anyhow::Result<bool> {
                let expected = [&example.old, &example.new][version];
                // What a native program does then is chance.
                if expected.end.undefined {
                    return Ok(false);
                }
                let run = natively.run(&test, &natively.plain[version], false)?;
                Ok(same_behaviour(&golden, &run))
            };
            return Ok(Class::of(is_golden(0)?, is_golden(1)?));
        }
        let program = self.program()?;
        let golden = predict(program, &versions.kernel, versions.limits, &example.input);
        let golden = golden.context("the golden version cannot be started with an input")?;
        Ok(Class::of(
            observably_equal(&golden, &example.old),
            observably_equal(&golden, &example.new),
        ))
    }
}
