//! The external programs a build runs: clang and LLVM's tools, found once, and one way to run them.

use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::error::{BuildError, IoContext, Result};

/// The LLVM major version of everything that meets in one module.
pub const LLVM_MAJOR: u32 = 22;

/// Paths of the compiler and tools.
#[derive(Debug, Clone)]
pub struct Toolchain {
    /// Compiles guest code. `PARALLAX_CLANG` overrides it.
    pub clang: PathBuf,
    pub llvm_link: PathBuf,
    pub llvm_nm: PathBuf,
    pub llvm_objcopy: PathBuf,
}

impl Toolchain {
    pub fn locate() -> Result<Toolchain> {
        let clang = match std::env::var_os("PARALLAX_CLANG") {
            Some(name) => {
                find_program(&name).ok_or_else(|| missing(&name.to_string_lossy(), "clang-22"))?
            }
            None => llvm_tool("clang", "clang-22")?,
        };
        Ok(Toolchain {
            clang,
            llvm_link: llvm_tool("llvm-link", "llvm-22")?,
            llvm_nm: llvm_tool("llvm-nm", "llvm-22")?,
            llvm_objcopy: llvm_tool("llvm-objcopy", "llvm-22")?,
        })
    }

    /// Clang's own headers (`immintrin.h`, `stdatomic.h`, …), without starting clang: they lie at a
    /// fixed place relative to the real executable.
    pub fn resource_include(&self) -> Result<PathBuf> {
        let fixed = PathBuf::from(format!(
            "/usr/lib/llvm-{LLVM_MAJOR}/lib/clang/{LLVM_MAJOR}/include"
        ));
        if fixed.is_dir() {
            return Ok(fixed);
        }
        let output = run(
            Command::new(&self.clang).arg("-print-resource-dir"),
            "asking for its headers",
        )?;
        Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()).join("include"))
    }
}

/// Finds an LLVM tool under its Debian name on PATH, or in LLVM's own folder.
fn llvm_tool(name: &str, package: &'static str) -> Result<PathBuf> {
    let versioned = format!("{name}-{LLVM_MAJOR}");
    find_program(OsStr::new(&versioned))
        .or_else(|| {
            let own = PathBuf::from(format!("/usr/lib/llvm-{LLVM_MAJOR}/bin/{name}"));
            own.is_file().then_some(own)
        })
        .ok_or_else(|| missing(&versioned, package))
}

fn missing(tool: &str, package: &'static str) -> BuildError {
    BuildError::ToolMissing {
        tool: tool.to_owned(),
        package,
    }
}

/// Looks a program up as the shell would.
pub fn find_program(name: &OsStr) -> Option<PathBuf> {
    let path = Path::new(name);
    if path.components().count() > 1 {
        return path.is_file().then(|| path.to_owned());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// Runs a tool on our own sources to its end, with its output collected (on a version, see [`super::boxed`]); a failure carries the tool's own words.
pub fn run(command: &mut Command, task: &str) -> Result<Output> {
    let output = output_of(command)?;
    succeeded(command, task, output)
}

/// The output of a tool that succeeded, or its own words.
pub(super) fn succeeded(command: &Command, task: &str, output: Output) -> Result<Output> {
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let message = match output.status.signal() {
        // What follows a crash is a stack of the tool's own functions.
        Some(signal) => format!("it crashed (signal {signal})"),
        None if said.trim().is_empty() => output.status.to_string(),
        None => said.trim_end().to_owned(),
    };
    Err(BuildError::ToolFailed {
        tool: program_name(command),
        task: task.to_owned(),
        message,
    })
}

/// Runs a tool and returns its output whatever its status.
pub fn output_of(command: &mut Command) -> Result<Output> {
    command
        .stdin(Stdio::null())
        .output()
        .context("run", command.get_program())
}

fn program_name(command: &Command) -> String {
    Path::new(command.get_program())
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
