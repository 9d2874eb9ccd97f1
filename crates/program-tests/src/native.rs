//! Builds a program with the ordinary compiler and runs it on the host.
//!
//! Executables are cached below the build folder under a hash of source, path, compiler version
//! and arguments. (The path counts because `__FILE__` and panic messages carry it.)

use std::collections::hash_map::DefaultHasher;
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::corpus::{Language, Program};
use crate::directives::Run;
use crate::outcome::Outcome;
use crate::run_directory::RunDirectory;

const CLANG: &str = "clang-22";
const SYMBOLIZER: &str = "/usr/bin/llvm-symbolizer-22";

/// How the executable is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Build {
    /// What the VM is compared with: `-O0` for C, an optimised build that aborts on panic for Rust.
    Reference,
    /// C at `-O1`: a program whose output depends on the level has undefined behaviour.
    Optimised,
    /// C with the address and undefined-behaviour sanitizers, which end the run at the first error.
    Sanitized,
}

#[derive(Debug, thiserror::Error)]
pub enum NativeError {
    #[error("cannot run `{compiler}`: {source}; install it or put it on the PATH")]
    NoCompiler {
        compiler: &'static str,
        source: io::Error,
    },
    #[error("{path} does not compile:\n{message}")]
    DoesNotCompile { path: String, message: String },
    #[error("native run failed: {0}")]
    Io(#[from] io::Error),
}

/// The executable of `program`, from the cache if nothing has changed.
pub fn build(program: &Program, build: Build, cache: &Path) -> Result<PathBuf, NativeError> {
    let (compiler, arguments) = command_line(program.language, build);
    let mut hasher = DefaultHasher::new();
    std::fs::read(&program.source)?.hash(&mut hasher);
    program.source.hash(&mut hasher);
    (compiler, arguments, compiler_version(compiler)?).hash(&mut hasher);

    let stem = program.source.file_stem().unwrap_or_default();
    // The name is the program's own, because messages show it.
    let folder = cache
        .join("native")
        .join(format!("{:016x}", hasher.finish()));
    let executable = folder.join(stem);
    if executable.exists() {
        return Ok(executable);
    }
    std::fs::create_dir_all(&folder)?;
    // Built beside its place and moved there, so that an interrupted build leaves nothing half done, and two
    // at a time, of one process or of two, do no harm.
    static BUILDS: AtomicU32 = AtomicU32::new(0);
    let number = BUILDS.fetch_add(1, Ordering::Relaxed);
    let unfinished = folder.join(format!("unfinished-{}-{number}", std::process::id()));
    let mut command = Command::new(compiler);
    command
        .args(arguments)
        .arg(&program.source)
        .arg("-o")
        .arg(&unfinished);
    if program.language == Language::C {
        command.arg("-lm");
    }
    let output = command
        .output()
        .map_err(|source| NativeError::NoCompiler { compiler, source })?;
    if !output.status.success() {
        return Err(NativeError::DoesNotCompile {
            path: program.source.display().to_string(),
            message: String::from_utf8_lossy(&output.stderr).into_owned(),
        });
    }
    std::fs::rename(&unfinished, &executable)?;
    Ok(executable)
}

/// Runs `executable` in a fresh directory with the run's files and exactly its environment.
pub fn run(executable: &Path, run: &Run, scratch: &Path) -> Result<Outcome, NativeError> {
    run_with(executable, run, scratch, &[])
}

/// Like [`run`], with the settings under which the sanitizers find most and leave no core behind.
pub fn run_sanitized(executable: &Path, run: &Run, scratch: &Path) -> Result<Outcome, NativeError> {
    let address = "detect_stack_use_after_return=1:detect_leaks=0:abort_on_error=0";
    let settings = [
        ("ASAN_OPTIONS", address),
        ("UBSAN_OPTIONS", "print_stacktrace=1"),
        ("ASAN_SYMBOLIZER_PATH", SYMBOLIZER),
        ("UBSAN_SYMBOLIZER_PATH", SYMBOLIZER),
    ];
    run_with(executable, run, scratch, &settings)
}

fn run_with(
    executable: &Path,
    run: &Run,
    scratch: &Path,
    settings: &[(&str, &str)],
) -> Result<Outcome, NativeError> {
    let directory = RunDirectory::create(scratch, run)?;
    let output = Command::new(executable)
        .args(&run.arguments)
        .env_clear()
        .envs(run.environment.iter().map(|(name, value)| (name, value)))
        .envs(settings.iter().copied())
        .current_dir(directory.working())
        .stdin(File::open(directory.stdin())?)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()?;
    Ok(Outcome::of_process(output))
}

fn command_line(language: Language, build: Build) -> (&'static str, &'static [&'static str]) {
    match (language, build) {
        (Language::C, Build::Reference) => (CLANG, &["-O0", "-g", "-w"]),
        (Language::C, Build::Optimised) => (CLANG, &["-O1", "-g", "-w"]),
        (Language::C, Build::Sanitized) => (
            CLANG,
            &[
                "-O0",
                "-g",
                "-w",
                "-fno-omit-frame-pointer",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all",
            ],
        ),
        (Language::Rust, _) => (
            "rustc",
            &[
                "--edition=2024",
                "-O",
                "-C",
                "panic=abort",
                "-D",
                "warnings",
            ],
        ),
    }
}

fn compiler_version(compiler: &'static str) -> Result<&'static str, NativeError> {
    static CLANG_VERSION: OnceLock<String> = OnceLock::new();
    static RUSTC_VERSION: OnceLock<String> = OnceLock::new();
    let cell = if compiler == CLANG {
        &CLANG_VERSION
    } else {
        &RUSTC_VERSION
    };
    if let Some(version) = cell.get() {
        return Ok(version);
    }
    let output = Command::new(compiler)
        .arg("--version")
        .output()
        .map_err(|source| NativeError::NoCompiler { compiler, source })?;
    let version = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(cell.get_or_init(|| version))
}
