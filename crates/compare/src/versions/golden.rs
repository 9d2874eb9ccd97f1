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

use concolic_vm::Program;
use exploration::InputRecord;
use harness::read_module;
use serde::{Deserialize, Serialize};

use build::host::Instrumentation;
use build::{Builder, Request};
use native::confirmation::Natively;
use native::confirmation::observably_equal;
use native::process::NativeEnd;
use native::replay::same_behaviour;
use native::test_case::{Expected, TestCase};

use crate::error::{self, During};

use super::as_built::{AsBuilt, Lined, VmSettings};
use super::outcome::is_cut_off;

/// What a difference is, measured by a golden version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    Progression,
    Regression,
    Intermediate,
}

impl Class {
    fn of(old_is_golden: bool, new_is_golden: bool) -> Result<Class, Unclassified> {
        match (old_is_golden, new_is_golden) {
            (false, true) => Ok(Class::Progression),
            (true, false) => Ok(Class::Regression),
            (false, false) => Ok(Class::Intermediate),
            (true, true) => Err(Unclassified::BothAsGolden),
        }
    }
}

/// Why a difference has no class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unclassified {
    BothAsGolden,
    /// Native runs do not show the difference, and the golden version does not tell the versions apart in the VM.
    NotToldApart,
    /// Two native runs of the golden version differ.
    NotDeterministic,
}

/// What a difference is, as far as a golden version tells.
pub type Classified = Result<Class, Unclassified>;

/// How the program should behave. At least one build is there.
pub(crate) struct Golden {
    native: Option<PathBuf>,
    program: Option<(Program, AsBuilt)>,
}

impl Golden {
    pub(crate) fn build(
        builder: &Builder<'_>,
        request: &Request,
        exact: bool,
    ) -> error::Result<Golden> {
        let native = builder.host_program(request, Instrumentation::Nothing).ok();
        let program = || -> error::Result<(Program, AsBuilt)> {
            let built = builder.program(request)?;
            let mut module = read_module(builder, &built)?;
            let as_built = match exact {
                true => AsBuilt::default(),
                false => AsBuilt::without_lines(&mut module),
            };
            Ok((Program::new(module, 2 << 30)?, as_built))
        };
        let program = match program() {
            Ok(program) => Some(program),
            Err(_) if native.is_some() => None,
            Err(error) => {
                return Err(error).during(|| "cannot build the golden version".to_owned());
            }
        };
        Ok(Golden { native, program })
    }

    /// What a difference is in the VM, where the golden version can be run there.
    pub(crate) fn class_in_vm(
        &self,
        settings: &VmSettings<'_>,
        input: &InputRecord,
        old: &Expected,
        new: &Expected,
    ) -> Option<Class> {
        let (program, _) = self.program.as_ref()?;
        let golden = settings.predicted_without_lines(program, input)?;
        let is_golden = |expected| observably_equal(&golden, expected);
        Class::of(is_golden(old), is_golden(new)).ok()
    }

    /// The class of a difference on an input. `runs` is what the VM did; `is_confirmed` if native runs show the difference.
    pub(crate) fn classify(
        &self,
        natively: &Natively<'_>,
        (settings, versions): (&VmSettings<'_>, [Lined<'_>; 2]),
        input: &InputRecord,
        runs: [&Expected; 2],
        is_confirmed: bool,
    ) -> error::Result<Classified> {
        let Some(executable) = self.native.as_ref().filter(|_| is_confirmed) else {
            let class = self.class_in_vm(settings, input, runs[0], runs[1]);
            return Ok(class.ok_or(Unclassified::NotToldApart));
        };
        let test = TestCase::new(input, &settings.kernel.working_directory, None);
        let golden = natively.run(&test, executable, false)?;
        if !same_behaviour(&golden, &natively.run(&test, executable, false)?) {
            return Ok(Err(Unclassified::NotDeterministic));
        }
        let own = self.program.as_ref();
        let own = own.map(|(compared, as_built)| Lined { compared, as_built });
        let is_golden = |version: usize| -> error::Result<bool> {
            let end = &runs[version].end;
            // What a native program does in the first case is chance. In the second it has been seen.
            if end.undefined || is_cut_off(end) && golden.end != NativeEnd::TimedOut {
                return Ok(false);
            }
            let run = natively.run(&test, &natively.plain[version], false)?;
            Ok(same_behaviour(&golden, &run)
                || own.is_some_and(|own| {
                    let programs = [own, versions[version]];
                    settings.differ_in_lines_only(input, programs, [&golden, &run])
                }))
        };
        Ok(Class::of(is_golden(0)?, is_golden(1)?))
    }
}
