//! Runs a program with `parallax run`.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::corpus::Program;
use crate::directives::Run;
use crate::outcome::Outcome;
use crate::run_directory::RunDirectory;

/// Far above what any test program needs; a guest that runs away ends as a difference, not a hang.
const MAX_STEPS: u64 = 5_000_000_000;

#[derive(Debug, thiserror::Error)]
pub enum VmError {
    #[error(
        "no `parallax` executable: looked for {looked_for}; build it first (`cargo build`), or name one in PARALLAX_BIN"
    )]
    NoBinary { looked_for: String },
    #[error("cannot run {path}: {source}")]
    Start { path: String, source: io::Error },
    #[error("`parallax run --format json` printed no JSON object ({problem}):\n{stdout}\n{stderr}")]
    NotJson {
        problem: String,
        stdout: String,
        stderr: String,
    },
    #[error("preparing the run: {0}")]
    Io(#[from] io::Error),
}

/// The report of a run, as far as the tests look at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryErrorReport {
    pub kind: String,
    /// The one place that a reader is pointed to.
    pub location: Option<Frame>,
    /// Innermost first.
    pub stack: Vec<Frame>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub function: String,
    pub file: String,
    pub line: u32,
}

/// The `parallax` named by `PARALLAX_BIN`, or else the one built beside the running test.
pub fn locate() -> Result<PathBuf, VmError> {
    if let Some(named) = std::env::var_os("PARALLAX_BIN") {
        let path = PathBuf::from(named);
        return match path.is_file() {
            true => Ok(path),
            false => Err(VmError::NoBinary {
                looked_for: path.display().to_string(),
            }),
        };
    }
    // A test executable is <target>/<profile>/deps/<name>, any other <target>/<profile>/<name>.
    let test = std::env::current_exe()?;
    let profile = test.ancestors().nth(2).unwrap_or(Path::new(""));
    let target = profile.parent().unwrap_or(profile);
    let candidates = [
        test.with_file_name("parallax"),
        profile.join("parallax"),
        target.join("release").join("parallax"),
    ];
    match candidates.iter().find(|path| path.is_file()) {
        Some(path) => Ok(path.clone()),
        None => Err(VmError::NoBinary {
            looked_for: candidates.map(|path| path.display().to_string()).join(", "),
        }),
    }
}

/// What the guest did: its own streams and status.
pub fn run(
    parallax: &Path,
    program: &Program,
    run: &Run,
    scratch: &Path,
) -> Result<Outcome, VmError> {
    let output = start(parallax, program, run, scratch, &[], MAX_STEPS)?;
    Ok(Outcome::of_process(output))
}

/// How the guest ended, from the machine-readable form.
pub fn report(
    parallax: &Path,
    program: &Program,
    run: &Run,
    max_steps: Option<u64>,
    scratch: &Path,
) -> Result<MemoryErrorReport, VmError> {
    let steps = max_steps.unwrap_or(MAX_STEPS);
    let output = start(
        parallax,
        program,
        run,
        scratch,
        &["--format", "json"],
        steps,
    )?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    parse_report(&stdout).map_err(|problem| VmError::NotJson {
        problem,
        stdout: stdout.chars().take(2000).collect(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// Everything that two runs at the same time, on the same input, report of themselves.
pub fn report_twice(
    parallax: &Path,
    program: &Program,
    run: &Run,
    scratch: &Path,
) -> Result<[String; 2], VmError> {
    let directory = RunDirectory::create(scratch, run)?;
    let spawn = || {
        command(
            parallax,
            program,
            run,
            &directory,
            &["--format", "json"],
            MAX_STEPS,
        )
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|source| VmError::Start {
            path: parallax.display().to_string(),
            source,
        })
    };
    let (first, second) = (spawn()?, spawn()?);
    let text = |child: std::process::Child| -> Result<String, VmError> {
        let output = child.wait_with_output()?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    Ok([text(first)?, text(second)?])
}

fn start(
    parallax: &Path,
    program: &Program,
    run: &Run,
    scratch: &Path,
    options: &[&str],
    max_steps: u64,
) -> Result<std::process::Output, VmError> {
    let directory = RunDirectory::create(scratch, run)?;
    command(parallax, program, run, &directory, options, max_steps)
        .output()
        .map_err(|source| VmError::Start {
            path: parallax.display().to_string(),
            source,
        })
}

fn command(
    parallax: &Path,
    program: &Program,
    run: &Run,
    directory: &RunDirectory,
    options: &[&str],
    max_steps: u64,
) -> Command {
    let mut arguments: Vec<OsString> = vec!["run".into()];
    arguments.extend(options.iter().map(OsString::from));
    arguments.extend(["--max-steps".into(), max_steps.to_string().into()]);
    arguments.extend(["--stdin".into(), directory.stdin().into()]);
    arguments.extend(["--cwd".into(), directory.working().into()]);
    for (name, value) in &run.environment {
        arguments.extend(["--env".into(), format!("{name}={value}").into()]);
    }
    arguments.push(program.source.clone().into());
    arguments.push("--".into());
    arguments.extend(run.arguments.iter().map(OsString::from));
    let mut command = Command::new(parallax);
    command.args(arguments).stdin(Stdio::null());
    command
}

fn parse_report(text: &str) -> Result<MemoryErrorReport, String> {
    let value: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let outcome = &value["outcome"];
    let kind = outcome["kind"]
        .as_str()
        .ok_or("no outcome.kind")?
        .to_owned();
    let frame = |frame: &Value| Frame {
        function: frame["function"].as_str().unwrap_or_default().to_owned(),
        file: frame["file"].as_str().unwrap_or_default().to_owned(),
        line: frame["line"].as_u64().unwrap_or_default() as u32,
    };
    let stack = outcome["stack"]
        .as_array()
        .map(|frames| frames.iter().map(frame).collect());
    Ok(MemoryErrorReport {
        kind,
        location: outcome["location"]
            .is_object()
            .then(|| frame(&outcome["location"])),
        stack: stack.unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_from_json() {
        let text = r#"{"outcome": {"kind": "out-of-bounds",
            "location": {"function": "main", "file": "a.c", "line": 3},
            "stack": [{"function": "main", "file": "a.c", "line": 3}]}, "stdout": ""}"#;
        let report = parse_report(text).unwrap();
        assert_eq!(report.kind, "out-of-bounds");
        assert_eq!(report.stack[0].line, 3);
        assert_eq!(report.location.as_ref(), report.stack.first());
        assert!(parse_report("{}").is_err());
        assert!(parse_report("not json").is_err());
    }
}
