//! `make coverage-table`: how much of real programs the generated tests execute, measured natively.
//!
//! Each program is explored for a minute by two workers. The tests it leaves are run on a native build with
//! clang's coverage instrumentation, and `llvm-cov` counts the lines; then as many random inputs of the same
//! shape are run in the same way. A random input has a random number of arguments of random lengths up to the
//! bound; nine of ten bytes are printable.
//!
//! Programs are chosen so that no input makes them write files.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use native::test_case::TestCase;
use program_tests::{corpus, real, vm};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

struct Utility {
    name: &'static str,
    most_args: usize,
    length: usize,
    stdin: usize,
}

const UTILITIES: [Utility; 10] = [
    utility("cut", 2, 4, 6),
    utility("wc", 2, 3, 6),
    utility("expr", 3, 3, 0),
    utility("seq", 3, 3, 0),
    utility("tr", 2, 4, 4),
    utility("head", 2, 4, 6),
    utility("nl", 2, 4, 6),
    utility("od", 2, 4, 6),
    utility("fold", 2, 4, 6),
    utility("printf", 2, 5, 0),
];

const fn utility(name: &'static str, most_args: usize, length: usize, stdin: usize) -> Utility {
    Utility {
        name,
        most_args,
        length,
        stdin,
    }
}

/// Seconds of exploration for each program.
const SECONDS: u32 = 60;

fn main() -> Result<()> {
    let parallax = vm::locate()?;
    let programs = instrumented_programs()?;
    println!(
        "| program | flags | paths | tests | lines of the program, generated | random | lines with libraries, generated | random |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    for utility in &UTILITIES {
        let scratch = tempfile::tempdir()?;
        let flags = flags(utility);
        let (paths, tests) = explore(&parallax, utility, &flags, scratch.path())?;
        let program = programs.join(utility.name);
        let generated = coverage(
            &program,
            utility.name,
            &tests,
            &scratch.path().join("generated"),
        )?;
        let inputs = random_inputs(utility, tests.len());
        let random = coverage(
            &program,
            utility.name,
            &inputs,
            &scratch.path().join("random"),
        )?;
        println!(
            "| {} | `{flags}` | {paths} | {} | {} | {} | {} | {} |",
            utility.name,
            tests.len(),
            generated.own,
            random.own,
            generated.all,
            random.all
        );
    }
    Ok(())
}

fn flags(utility: &Utility) -> String {
    let mut flags = format!("--sym-args 0 {} {}", utility.most_args, utility.length);
    if utility.stdin > 0 {
        flags += &format!(" --sym-stdin {}", utility.stdin);
    }
    flags
}

fn instrumented_programs() -> Result<PathBuf> {
    let script = corpus::tests_folder().with_file_name("scripts/build-coverage.sh");
    let output = Command::new(script)
        .args(UTILITIES.map(|utility| utility.name))
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err("the instrumented build failed".into());
    }
    Ok(String::from_utf8(output.stdout)?.trim_end().into())
}

fn explore(
    parallax: &Path,
    utility: &Utility,
    flags: &str,
    folder: &Path,
) -> Result<(u64, Vec<TestCase>)> {
    let tests = folder.join("tests");
    let output = Command::new(parallax)
        .arg("explore")
        .arg(real::real_folder().join("coreutils/src").join(utility.name))
        .args(flags.split(' '))
        .args([
            "-j",
            "2",
            "--strategy",
            "coverage",
            "--format",
            "json",
            "--timeout",
        ])
        .arg(format!("{SECONDS}s"))
        .arg("--tests")
        .arg(&tests)
        .current_dir(folder)
        .stderr(Stdio::inherit())
        .output()?;
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let tests = TestCase::read_all(&tests)?;
    let tests = tests.into_iter().map(|(_, test)| test).collect();
    Ok((report["paths"].as_u64().unwrap_or(0), tests))
}

/// Executed lines as `executed/all (percent)`.
struct Lines {
    /// Of the program's own file.
    own: String,
    /// Of all files linked in.
    all: String,
}

fn coverage(program: &Path, name: &str, inputs: &[TestCase], folder: &Path) -> Result<Lines> {
    std::fs::create_dir_all(folder)?;
    let profile = folder.join("merged-%4m.profraw");
    for input in inputs {
        run(program, name, input, &profile)?;
    }
    let raw: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|kind| kind == "profraw"))
        .collect();
    let data = folder.join("data");
    let mut merge = Command::new("llvm-profdata-22");
    succeed(merge.args(["merge", "-sparse", "-o"]).arg(&data).args(&raw))?;
    let mut export = Command::new("llvm-cov-22");
    export
        .args(["export", "-summary-only", "-instr-profile"])
        .arg(&data)
        .arg(program);
    let report: serde_json::Value = serde_json::from_slice(&succeed(&mut export)?)?;
    let lines = |counts: &serde_json::Value| {
        let count = |name: &str| counts["lines"][name].as_u64().unwrap_or(0);
        let (covered, all) = (count("covered"), count("count"));
        format!(
            "{covered}/{all} ({:.0}%)",
            100.0 * covered as f64 / all.max(1) as f64
        )
    };
    let report = &report["data"][0];
    let own_name = format!("src/{name}.c");
    let files = report["files"]
        .as_array()
        .ok_or("llvm-cov named no files")?;
    let own = files
        .iter()
        .find(|file| {
            file["filename"]
                .as_str()
                .is_some_and(|file| file.ends_with(&own_name))
        })
        .ok_or("llvm-cov does not know the program's file")?;
    Ok(Lines {
        own: lines(&own["summary"]),
        all: lines(&report["totals"]),
    })
}

/// Runs one input in an empty folder; what it prints does not matter here.
fn run(program: &Path, name: &str, input: &TestCase, profile: &Path) -> Result<()> {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::process::CommandExt;
    let folder = tempfile::tempdir()?;
    let stdin = folder.path().join("stdin");
    std::fs::write(&stdin, &input.stdin)?;
    let working = folder.path().join("working");
    std::fs::create_dir(&working)?;
    // `timeout` ends programs that wait for more input.
    Command::new("timeout")
        .args(["5"])
        .arg(program)
        .arg0(name)
        .args(
            input
                .args
                .iter()
                .map(|arg| std::ffi::OsStr::from_bytes(arg)),
        )
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("LLVM_PROFILE_FILE", profile)
        .current_dir(working)
        .stdin(File::open(&stdin)?)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(())
}

fn succeed(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{command:?} failed").into());
    }
    Ok(output.stdout)
}

fn random_inputs(utility: &Utility, count: usize) -> Vec<TestCase> {
    let mut random = exploration::frontier::SplitMix(1);
    let byte = |random: &mut exploration::frontier::SplitMix| match random.below(10) {
        0 => 1 + random.below(255) as u8,
        _ => b' ' + random.below(95) as u8,
    };
    let mut inputs = Vec::with_capacity(count);
    for _ in 0..count {
        let args = (0..random.below(utility.most_args + 1))
            .map(|_| {
                (0..random.below(utility.length + 1))
                    .map(|_| byte(&mut random))
                    .collect()
            })
            .collect();
        let stdin = (0..utility.stdin).map(|_| byte(&mut random)).collect();
        inputs.push(TestCase {
            program: None,
            args,
            stdin,
            environment: Default::default(),
            files: Default::default(),
            variables: Default::default(),
            expected: None,
        });
    }
    inputs
}
