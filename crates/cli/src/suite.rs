//! A suite of tests for a program, and what each of them executes.
//!
//! A suite is a text file with one test per line: the program's arguments as a shell would split them
//! (quotes and backslashes, nothing else), then `< FILE` if there is standard input. Empty lines and lines
//! that begin with `#` are left out. Files are looked for beside the suite.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use concolic_vm::linux::{Bytes, Kernel, KernelConfig};
use concolic_vm::{End, Limits, Machine, Program, Start};
use native::bounded::TEST_BYTES;
use program_ir::Module;
use version_diff::test_selection::TestCoverage;

use super::run::add_folder;

/// One line of a suite.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Test {
    /// The line itself.
    pub(super) name: String,
    arguments: Vec<String>,
    input: Option<PathBuf>,
}

/// How the tests are run.
pub(super) struct SuiteOptions<'a> {
    pub(super) program_name: Vec<u8>,
    /// A copy of it is the working folder of each test.
    pub(super) folder: Option<&'a Path>,
    pub(super) max_steps: u64,
}

/// What came of one test.
pub(super) struct TestRun {
    pub(super) coverage: TestCoverage,
    /// Why the run could not be followed to its end; it may do more than was seen.
    pub(super) undecided: Option<String>,
}

pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Test>> {
    let text = native::bounded::read(path, TEST_BYTES)
        .with_context(|| format!("cannot read the tests in `{}`", path.display()))?;
    let text = String::from_utf8_lossy(&text);
    let mut tests = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('#') || line.is_empty() {
            continue;
        }
        let test = parse(line, path.parent().unwrap_or(Path::new("")));
        tests.push(test.with_context(|| {
            format!("line {} of `{}` is not a test", number + 1, path.display())
        })?);
    }
    ensure!(
        !tests.is_empty(),
        "`{}` has no test; write the arguments of one run on each line",
        path.display()
    );
    Ok(tests)
}

fn parse(line: &str, folder: &Path) -> anyhow::Result<Test> {
    let mut arguments = Vec::new();
    let mut input = None;
    let mut words = words(line)?.into_iter();
    while let Some(word) = words.next() {
        if word != Word::Redirection {
            arguments.extend(word.text());
            continue;
        }
        match words.next().and_then(Word::text) {
            Some(file) if input.is_none() => input = Some(folder.join(file)),
            Some(_) => bail!("it has two files for standard input"),
            None => bail!("`<` is not followed by a file"),
        }
    }
    Ok(Test {
        name: line.to_owned(),
        arguments,
        input,
    })
}

#[derive(PartialEq, Eq, Debug)]
enum Word {
    Text(String),
    Redirection,
}

impl Word {
    fn text(self) -> Option<String> {
        match self {
            Word::Text(text) => Some(text),
            Word::Redirection => None,
        }
    }
}

/// Splits as a shell does, without any expansion.
fn words(line: &str) -> anyhow::Result<Vec<Word>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' => words.extend(word.take().map(Word::Text)),
            '<' => {
                words.extend(word.take().map(Word::Text));
                words.push(Word::Redirection);
            }
            '\\' => match characters.next() {
                Some(next) => word.get_or_insert_default().push(next),
                None => bail!("it ends with a backslash"),
            },
            '\'' | '"' => {
                let quoted = word.get_or_insert_default();
                loop {
                    match characters.next() {
                        Some(next) if next == character => break,
                        Some('\\') if character == '"' => quoted.extend(characters.next()),
                        Some(next) => quoted.push(next),
                        None => bail!("a quote is not closed"),
                    }
                }
            }
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word.map(Word::Text));
    Ok(words)
}

/// Runs every test in the machine, in order.
pub(super) fn run(
    module: Module,
    tests: &[Test],
    options: &SuiteOptions,
) -> anyhow::Result<Vec<TestRun>> {
    let program = Program::new(module, 2 << 30)?;
    let mut config = KernelConfig::default();
    if let Some(folder) = options.folder {
        let folder = folder
            .canonicalize()
            .with_context(|| format!("cannot use `{}` as working folder", folder.display()))?;
        config.working_directory = folder.as_os_str().as_encoded_bytes().to_vec();
        add_folder(&mut config.files, &folder)?;
    }
    let one = |test: &Test| run_one(&program, test, &config, options);
    tests.iter().map(one).collect()
}

fn run_one(
    program: &Program,
    test: &Test,
    config: &KernelConfig,
    options: &SuiteOptions,
) -> anyhow::Result<TestRun> {
    let mut config = config.clone();
    if let Some(path) = &test.input {
        let content = native::bounded::read(path, TEST_BYTES).with_context(|| {
            format!(
                "cannot read `{}`, the input of test `{}`",
                path.display(),
                test.name
            )
        })?;
        config.stdin = Bytes::concrete(content);
    }
    let limits = Limits {
        steps: options.max_steps,
        ..Limits::default()
    };
    let name = std::iter::once(options.program_name.clone());
    let arguments = test.arguments.iter().map(|text| text.clone().into_bytes());
    let start = Start {
        args: name.chain(arguments).collect(),
        environment: Vec::new(),
    };
    let mut machine = Machine::start(program, Kernel::new(config)?, limits, &start)
        .context("build the old version with a `main` function")?;
    let (outcome, coverage) = machine.run_covering();
    let undecided = match &outcome.end {
        End::StepLimit { .. }
        | End::MemoryLimit { .. }
        | End::StackOverflow { .. }
        | End::Unsupported { .. } => Some(outcome.end.to_string()),
        _ => None,
    };
    let mut blocks = std::collections::BTreeSet::new();
    for func in program.module().functions.keys() {
        let entered = coverage.blocks(program, func);
        blocks.extend(entered.into_iter().map(|block| (func, block)));
    }
    Ok(TestRun {
        coverage: TestCoverage {
            name: test.name.clone(),
            blocks,
        },
        undecided,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(line: &str) -> Test {
        parse(line, Path::new("suite")).expect(line)
    }

    #[test]
    fn a_line_is_split_as_a_shell_would() {
        let quoted = test(r#"-n 2 'two words' "a \"b\"" c\ d '' <in.txt"#);
        assert_eq!(
            quoted.arguments,
            ["-n", "2", "two words", "a \"b\"", "c d", ""]
        );
        assert_eq!(quoted.input, Some(PathBuf::from("suite/in.txt")));
        assert_eq!(test("< 'my input'").arguments, [""; 0]);
        assert_eq!(test("\\<").arguments, ["<"]);
    }

    #[test]
    fn lines_that_no_shell_would_take_are_refused() {
        for line in ["'open", "a <", "a < b < c", "a\\"] {
            assert!(parse(line, Path::new("")).is_err(), "{line}");
        }
    }
}
