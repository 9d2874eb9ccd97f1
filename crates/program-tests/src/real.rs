//! Runs the programs of real projects, built by `scripts/build-real.sh` through `parallax cc`, natively
//! and in the VM.
//!
//! Both see the same arguments, environment, standard input and working folder (the VM a copy of it, at
//! the same path). Compared are standard output, standard error, exit status and the working folder
//! afterwards.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::file_tree::FileTree;
use crate::invocations::{Invocation, LibcDifference, Stdin};
use crate::outcome::Outcome;

/// The whole environment of every run.
const ENVIRONMENT: &[(&str, &str)] = &[("LC_ALL", "C"), ("PATH", "/usr/bin:/bin"), ("TZ", "UTC0")];

/// Far above what any invocation needs.
const MAX_STEPS: u64 = 50_000_000_000;

/// What one run did.
#[derive(Clone, Debug)]
pub struct RealRun {
    pub outcome: Outcome,
    pub files: FileTree,
}

/// The two runs of one invocation.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub native: RealRun,
    pub guest: RealRun,
    /// IR instructions that the VM executed.
    pub instructions: u64,
}

/// What a comparison came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Identical,
    /// Equal but for the text that the two C libraries print differently.
    LibcDiffers {
        reason: String,
    },
    Different(String),
}

impl Comparison {
    pub fn verdict(&self, known: Option<&LibcDifference>) -> Verdict {
        match (self.difference(), known) {
            (None, None) => Verdict::Identical,
            (None, Some(_)) => {
                Verdict::Different("the `@libc` line above it is not needed\n".to_owned())
            }
            (Some(difference), None) => Verdict::Different(difference),
            (Some(_), Some(known)) => match self.with_native_text(known).difference() {
                None => Verdict::LibcDiffers {
                    reason: known.reason.clone(),
                },
                Some(difference) => Verdict::Different(difference),
            },
        }
    }

    /// `None` when the runs did the same.
    fn difference(&self) -> Option<String> {
        let outcome = self.native.outcome.difference(&self.guest.outcome);
        let files = self.native.files.difference(&self.guest.files);
        let report: String = outcome.into_iter().chain(files).collect();
        (!report.is_empty()).then_some(report)
    }

    /// The comparison with the native text in place of the VM's.
    fn with_native_text(&self, known: &LibcDifference) -> Comparison {
        let mut changed = self.clone();
        let outcome = &mut changed.guest.outcome;
        for stream in [&mut outcome.stdout, &mut outcome.stderr] {
            let found = stream
                .windows(known.vm.len())
                .position(|window| window == known.vm);
            if let Some(at) = found {
                stream.splice(at..at + known.vm.len(), known.native.iter().copied());
            }
        }
        changed
    }
}

/// The folder that `scripts/build-real.sh` fills.
pub fn real_folder() -> PathBuf {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let cache = variable("PARALLAX_CACHE").map(PathBuf::from).or_else(|| {
        let caches = variable("XDG_CACHE_HOME")
            .map(PathBuf::from)
            .or_else(|| Some(PathBuf::from(variable("HOME")?).join(".cache")))?;
        Some(caches.join("parallax"))
    });
    cache.unwrap_or_default().join("real")
}

/// Runs `executable` both ways in fresh copies of `files` below `scratch`.
pub fn compare(
    parallax: &Path,
    executable: &Path,
    invocation: &Invocation,
    files: &FileTree,
    scratch: &Path,
) -> io::Result<Comparison> {
    let folder = RunFolder::create(scratch, files)?;
    let stdin = match &invocation.stdin {
        Stdin::Empty => Vec::new(),
        Stdin::Text(text) => text.clone(),
        Stdin::File(name) => std::fs::read(folder.working().join(name))?,
    };
    // The VM first: it works on a copy, while the native program changes the folder itself.
    let (guest, instructions) = run_guest(parallax, executable, invocation, &stdin, &folder)?;
    let native = run_native(executable, invocation, &stdin, &folder)?;
    Ok(Comparison {
        native,
        guest,
        instructions,
    })
}

fn run_native(
    executable: &Path,
    invocation: &Invocation,
    stdin: &[u8],
    folder: &RunFolder,
) -> io::Result<RealRun> {
    let mut command = Command::new(executable);
    command
        .arg0(&invocation.program)
        .args(
            invocation
                .arguments
                .iter()
                .map(|arg| OsStr::from_bytes(arg)),
        )
        .env_clear()
        .envs(ENVIRONMENT.iter().copied())
        .current_dir(folder.working());
    let output = run_with_input(&mut command, stdin)?;
    Ok(RealRun {
        outcome: Outcome::of_process(output),
        files: FileTree::read(&folder.working())?,
    })
}

fn run_guest(
    parallax: &Path,
    executable: &Path,
    invocation: &Invocation,
    stdin: &[u8],
    folder: &RunFolder,
) -> io::Result<(RealRun, u64)> {
    // Files belong to whoever runs the test, and so must the guest.
    let owner = folder.working().metadata()?;
    let mut command = Command::new(parallax);
    command
        .args(["run", "--count", "--max-steps", &MAX_STEPS.to_string()])
        .args(["--user", &format!("{}:{}", owner.uid(), owner.gid())])
        .args(["--arg0", &invocation.program])
        .arg("--cwd")
        .arg(folder.working())
        .arg("--files-out")
        .arg(folder.files_out());
    for file in ["/etc/passwd", "/etc/group"] {
        command.args(["--file", &format!("{file}={file}")]);
    }
    for (name, value) in ENVIRONMENT {
        command.args(["--env", &format!("{name}={value}")]);
    }
    command.arg(executable).arg("--").args(
        invocation
            .arguments
            .iter()
            .map(|arg| OsStr::from_bytes(arg)),
    );
    let mut output = run_with_input(&mut command, stdin)?;
    let instructions = take_count(&mut output.stderr);
    let run = RealRun {
        outcome: Outcome::of_process(output).without_report(),
        files: match folder.files_out().is_dir() {
            true => FileTree::read(&folder.files_out())?,
            false => FileTree::default(),
        },
    };
    Ok((run, instructions))
}

/// Standard input is a pipe on both sides.
pub fn run_with_input(command: &mut Command, stdin: &[u8]) -> io::Result<Output> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let pipe = child.stdin.take();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if let Some(mut pipe) = pipe {
                // A program need not read all of it.
                let _ = pipe.write_all(stdin);
            }
        });
        child.wait_with_output()
    })
}

/// Cuts the line `parallax: N instructions` from the end of standard error.
fn take_count(stderr: &mut Vec<u8>) -> u64 {
    let text = String::from_utf8_lossy(stderr);
    let count = text
        .strip_suffix(" instructions\n")
        .and_then(|text| text.rsplit_once("parallax: "))
        .and_then(|(_, number)| number.parse().ok());
    if let Some(count) = count {
        let line = format!("parallax: {count} instructions\n");
        stderr.truncate(stderr.len() - line.len());
    }
    count.unwrap_or_default()
}

/// A fresh folder for one invocation, removed afterwards.
struct RunFolder {
    root: PathBuf,
}

impl RunFolder {
    fn create(scratch: &Path, files: &FileTree) -> io::Result<RunFolder> {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{number}", std::process::id());
        let folder = RunFolder {
            root: scratch.join("real").join(name),
        };
        std::fs::create_dir_all(folder.working())?;
        files.write(&folder.working())?;
        Ok(folder)
    }

    fn working(&self) -> PathBuf {
        self.root.join("work")
    }

    fn files_out(&self) -> PathBuf {
        self.root.join("guest")
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // A leftover folder below the build folder does no harm; a panic here would hide the result.
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_cut_from_the_end_of_standard_error() {
        let mut stderr = b"no such file parallax: 12 instructions\n".to_vec();
        assert_eq!(take_count(&mut stderr), 12);
        assert_eq!(stderr, b"no such file ");
        let mut stderr = b"parallax: error: no such program\n".to_vec();
        assert_eq!(take_count(&mut stderr), 0);
        assert_eq!(stderr, b"parallax: error: no such program\n");
    }
}
