//! Which tests hold: the file is run by its framework on both native versions, several times, in the sandbox in which all native
//! runs are. A test holds if it passes each time on the version that it expects, and fails each time on the other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use native::bounded;
use native::confinement::Confinement;
use native::process::{NativeEnd, NativeRun, Surroundings, run};
use native::test_case::TestCase;

use crate::Framework;
use crate::case::Case;

/// How often each version is run.
pub const TIMES: usize = 5;
/// The most time for one test, and for what is around them.
const MOST_TIME: Duration = Duration::from_secs(12);

/// What became of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trial {
    Holds,
    /// With the reason.
    Not(String),
}

/// Why tests could not be tried out.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    #[error(
        "tests are run natively, and native runs are off: {0}; `parallax tests … --no-run` writes tests that nobody has tried"
    )]
    Off(String),
    #[error(
        "cannot read `{}`, which the check has left: run this in the folder of the check, check again, or write tests without running \
         them (`parallax tests … --no-run`)", path.display()
    )]
    NoExecutable {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(
        "the framework is not installed ({}); `parallax tests … --no-run` writes tests that nobody has tried",
        .0.installation()
    )]
    NotInstalled(Framework),
    #[error("cannot run the tests natively")]
    NotRun(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the tests do not run: {end:?}: {said}")]
    NoResults { end: NativeEnd, said: String },
    #[error("the tests did not come as far as `{0}`")]
    NotReached(String),
}

/// Runs all tests. Those of one report have the same executables.
pub fn trials(
    framework: Framework,
    cases: &[Case],
    confinement: &Confinement,
    interrupt: &AtomicBool,
) -> Result<Vec<Trial>, TrialError> {
    let Some(first) = cases.first() else {
        return Ok(Vec::new());
    };
    if let Some(why) = confinement.off() {
        return Err(TrialError::Off(why.to_string()));
    }
    let executables = first.executables.each_ref().map(|path| executable(path));
    let [old, new] = executables;
    let executables = [old?, new?];
    let text = framework.text(cases);
    let mut passed: Vec<[usize; 2]> = vec![[0; 2]; cases.len()];
    for _ in 0..TIMES {
        for (version, executable) in executables.iter().enumerate() {
            let results = results(
                framework,
                &text,
                executable,
                cases.len(),
                confinement,
                interrupt,
            )?;
            for (case, counts) in cases.iter().zip(&mut passed) {
                match results.get(&case.name) {
                    Some(true) => counts[version] += 1,
                    Some(false) => {}
                    None => return Err(TrialError::NotReached(case.name.clone())),
                }
            }
        }
    }
    Ok(cases
        .iter()
        .zip(passed)
        .map(|(case, counts)| judged(case.expected_of, counts))
        .collect())
}

/// What passed runs of both versions say of a test that expects one of them.
pub(crate) fn judged(expected_of: usize, counts: [usize; 2]) -> Trial {
    let names = ["old", "new"];
    let (this, that) = (expected_of, 1 - expected_of);
    let (good, bad) = (counts[this], counts[that]);
    match (good, bad) {
        (TIMES, 0) => Trial::Holds,
        (0, _) => Trial::Not(format!(
            "it fails on the {} version, whose behaviour it asks for",
            names[this]
        )),
        (TIMES, TIMES) => Trial::Not("it passes on both versions".to_owned()),
        _ => Trial::Not(format!(
            "it is flaky: of {TIMES} runs each, {good} pass on the {} version and {bad} on the {} one",
            names[this], names[that]
        )),
    }
}

fn executable(path: &Path) -> Result<Vec<u8>, TrialError> {
    // A report that somebody else has made names any file.
    bounded::read(path, bounded::TEST_BYTES).map_err(|source| TrialError::NoExecutable {
        path: path.to_owned(),
        source,
    })
}

/// Whether each test passed, by name.
fn results(
    framework: Framework,
    text: &str,
    executable: &[u8],
    count: usize,
    confinement: &Confinement,
    interrupt: &AtomicBool,
) -> Result<BTreeMap<String, bool>, TrialError> {
    let (file, command) = match framework {
        Framework::Sh => (
            "tests.sh",
            "command -v sh >/dev/null || exit 127; exec sh tests.sh",
        ),
        Framework::Bats => (
            "tests.bats",
            "command -v bats >/dev/null || exit 127; exec bats --tap tests.bats",
        ),
        Framework::Pytest => (
            "test_program.py",
            "/usr/bin/python3 -c 'import pytest' 2>/dev/null || exit 127; \
             exec /usr/bin/python3 -m pytest -p no:cacheprovider -v --tb=no test_program.py",
        ),
        _ => unreachable!("tests of functions are tried out by `c::trial`"),
    };
    let script =
        format!("chmod +x program && PROGRAM=$PWD/program && export PROGRAM && {{ {command}; }}");
    let environment = [
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("HOME", "/tmp"),
        ("PYTHONDONTWRITEBYTECODE", "1"),
    ];
    let test = TestCase {
        program: Some(b"sh".to_vec()),
        args: vec![b"-c".to_vec(), script.into_bytes()],
        stdin: Vec::new(),
        environment: environment
            .map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec()))
            .into(),
        files: BTreeMap::from([
            (PathBuf::from(file), text.as_bytes().to_vec()),
            (PathBuf::from("program"), executable.to_vec()),
        ]),
        variables: BTreeMap::new(),
        expected: None,
    };
    let surroundings = Surroundings {
        executable: Path::new("/bin/sh"),
        program_name: b"sh",
        timeout: MOST_TIME * (count as u32 + 1),
        sanitizers: None,
        confinement,
        interrupt,
    };
    let done = run(&test, &surroundings).map_err(|error| TrialError::NotRun(error.into()))?;
    if done.end == NativeEnd::Status(127) {
        return Err(TrialError::NotInstalled(framework));
    }
    read(framework, &done)
}

/// What a framework says of its tests.
fn read(framework: Framework, done: &NativeRun) -> Result<BTreeMap<String, bool>, TrialError> {
    let text = String::from_utf8_lossy(&done.stdout);
    let tap = |line: &str| {
        let (passed, rest) = match line.strip_prefix("not ok ") {
            Some(rest) => (false, rest),
            None => (true, line.strip_prefix("ok ")?),
        };
        let (_, name) = rest.split_once(' ')?;
        Some((name.trim_start_matches("- ").to_owned(), passed))
    };
    let pytest = |line: &str| {
        let (_, rest) = line.split_once("::test_")?;
        let (name, said) = rest.split_once(' ')?;
        Some((name.to_owned(), said.starts_with("PASSED")))
    };
    let results: BTreeMap<String, bool> = match framework {
        Framework::Sh | Framework::Bats => text.lines().filter_map(tap).collect(),
        Framework::Pytest => text.lines().filter_map(pytest).collect(),
        _ => unreachable!("tests of functions are tried out by `c::trial`"),
    };
    if results.is_empty() {
        let stderr = String::from_utf8_lossy(&done.stderr);
        let said: String = text.chars().chain(stderr.chars()).take(2_000).collect();
        return Err(TrialError::NoResults {
            end: done.end,
            said: said.escape_debug().to_string(),
        });
    }
    Ok(results)
}
