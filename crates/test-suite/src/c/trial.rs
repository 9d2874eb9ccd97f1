//! Which tests of a function hold: the file is compiled with both versions, and each test is run by itself, several times, in the
//! sandbox in which all native runs are. A test holds if it passes each time on the version that it expects, and fails each time on the
//! other. One that cannot be compiled with either version is none.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use build::Builder;
use build::error::BuildError;
use build::test_program::TestProgram;
use native::confinement::Confinement;
use native::process::{NativeEnd, Surroundings, run};
use native::test_case::TestCase;

use super::case::FunctionCase;
use super::file::{About, text};
use crate::Framework;
use crate::trial::{TIMES, Trial, TrialError, judged};

/// The most time for one test.
const MOST_TIME: Duration = Duration::from_secs(15);

/// What tests are tried out with.
#[derive(Clone, Copy)]
pub struct Trying<'t> {
    pub framework: Framework,
    pub about: &'t About<'t>,
    pub builder: &'t Builder<'t>,
    pub confinement: &'t Confinement,
    pub interrupt: &'t AtomicBool,
}

/// Tries out all tests.
pub fn trials(trying: &Trying<'_>, cases: &[FunctionCase]) -> Result<Vec<Trial>, TrialError> {
    if let Some(why) = trying.confinement.off() {
        return Err(TrialError::Off(why.to_string()));
    }
    // Most often all can be compiled; if not, each says whether it can.
    if let Ok(programs) = trying.programs(cases)? {
        return trying.all(cases, &programs);
    }
    let mut trials = Vec::new();
    for case in cases {
        let one = std::slice::from_ref(case);
        trials.push(match trying.programs(one)? {
            Ok(programs) => trying.all(one, &programs)?.remove(0),
            Err(why) => Trial::Not(why),
        });
    }
    Ok(trials)
}

impl Trying<'_> {
    /// The programs of both versions, or why one cannot be compiled.
    fn programs(&self, cases: &[FunctionCase]) -> Result<Result<[PathBuf; 2], String>, TrialError> {
        let text = text(self.framework, self.about, cases);
        let mut programs = Vec::new();
        for (version, name) in ["old", "new"].into_iter().enumerate() {
            match self.program(&text, version) {
                Ok(program) => programs.push(program),
                Err(BuildError::DoesNotCompileNatively { message, .. }) => {
                    let lacks = [
                        "cmocka.h",
                        "gtest/gtest.h",
                        "unity.h",
                        "-lcmocka",
                        "-lgtest",
                    ];
                    let is_lacking = |line: &str| {
                        lacks.iter().any(|lacking| line.contains(lacking))
                            && (line.contains("not found")
                                || line.contains("No such file")
                                || line.contains("cannot find"))
                    };
                    if message.lines().any(is_lacking) {
                        return Err(TrialError::NotInstalled(self.framework));
                    }
                    let mut lines = message.lines().filter(|line| line.contains("error"));
                    let said = lines.next().unwrap_or(message.trim());
                    return Ok(Err(format!(
                        "it does not compile with the {name} version: {said}"
                    )));
                }
                Err(error) => return Err(TrialError::NotRun(error.into())),
            }
        }
        Ok(programs.try_into().map_err(|_| String::new()))
    }

    fn program(&self, text: &str, version: usize) -> Result<PathBuf, BuildError> {
        let sources = &self.about.sources[version];
        let unity = unity();
        let (headers, framework) = match self.framework {
            Framework::Unity => {
                let folder = unity.as_deref();
                (
                    folder.map(Path::to_owned),
                    folder.map(|folder| folder.join("unity.c")),
                )
            }
            _ => (None, None),
        };
        self.builder.test_program(&TestProgram {
            file_name: match self.framework {
                Framework::Googletest => "tests.cc",
                _ => "tests.c",
            },
            text,
            included: &sources.included,
            others: &sources.others,
            compiler_arguments: &sources.compiler_arguments,
            is_mixed: self.framework == Framework::Googletest,
            headers: headers.as_deref(),
            framework: framework.as_deref(),
            libraries: match self.framework {
                Framework::Cmocka => &["cmocka"],
                Framework::Googletest => &["gtest", "gtest_main"],
                _ => &[],
            },
        })
    }

    fn all(
        &self,
        cases: &[FunctionCase],
        programs: &[PathBuf; 2],
    ) -> Result<Vec<Trial>, TrialError> {
        let mut trials = Vec::new();
        for case in cases {
            let mut passed = [0; 2];
            for _ in 0..TIMES {
                for (version, program) in programs.iter().enumerate() {
                    passed[version] += usize::from(self.passes(program, Some(&case.name))?);
                }
            }
            trials.push(judged(case.expected_of, passed));
        }
        // One after the other, in one process, they must not disturb each other.
        if let [case, ..] = cases
            && trials.iter().all(|trial| *trial == Trial::Holds)
            && !self.passes(&programs[case.expected_of], None)?
        {
            let why = "it holds alone, and the tests of this function do not pass one after the other in one process";
            return Ok(cases.iter().map(|_| Trial::Not(why.to_owned())).collect());
        }
        Ok(trials)
    }

    /// Whether a program passes one of its tests, or all.
    fn passes(&self, program: &Path, name: Option<&str>) -> Result<bool, TrialError> {
        let argument = name.map(|name| match self.framework {
            Framework::Googletest => format!("--gtest_filter=*.{name}"),
            _ => name.to_owned(),
        });
        let test = TestCase {
            program: None,
            args: argument.into_iter().map(String::into_bytes).collect(),
            stdin: Vec::new(),
            environment: Default::default(),
            files: Default::default(),
            variables: Default::default(),
            expected: None,
        };
        let surroundings = Surroundings {
            executable: program,
            program_name: b"tests",
            timeout: MOST_TIME,
            sanitizers: None,
            confinement: self.confinement,
            interrupt: self.interrupt,
        };
        let done = run(&test, &surroundings).map_err(|error| TrialError::NotRun(error.into()))?;
        match done.end {
            NativeEnd::Interrupted | NativeEnd::NotRun | NativeEnd::Stopped => {
                let said = String::from_utf8_lossy(&done.stderr).into_owned();
                Err(TrialError::NoResults {
                    end: done.end,
                    said,
                })
            }
            end => Ok(end == NativeEnd::Status(0)),
        }
    }
}

/// The folder of Unity's source: no package of Debian has it.
fn unity() -> Option<PathBuf> {
    let named = std::env::var_os("UNITY").map(PathBuf::from);
    let usual = [
        "/usr/local/src/unity",
        "/usr/share/unity/src",
        "/usr/src/unity",
    ];
    let mut all = named.into_iter().chain(usual.map(PathBuf::from));
    all.find(|folder| folder.join("unity.c").is_file())
}
