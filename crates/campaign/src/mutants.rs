//! Checks mutants with the compiler: those that do not compile are stillborn, those that compile to what the
//! original compiles to are equal.
//!
//! A mutant also counts as stillborn if the compiler now finds a value used before it is set, a function that ends
//! without its value, or a format that does not fit its arguments. What such a program does is left to chance.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use mutation::Mutant;

use build::error::{BuildError, IoContext, Result};
use build::toolchain::Toolchain;

/// What the compiler says of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Compiles, to other code than the original's.
    Viable,
    /// Compiles to the original's code.
    Equal,
    Stillborn,
}

/// The warnings that make a mutant stillborn, unless the original has them too.
const WARNINGS: [&str; 4] = [
    "return-type",
    "uninitialized",
    "sometimes-uninitialized",
    "format",
];

/// How the mutants of one file are compiled.
pub struct Checker<'a> {
    tools: &'a Toolchain,
    folder: &'a Path,
    arguments: Vec<String>,
    original: blake3::Hash,
}

impl<'a> Checker<'a> {
    /// Compiles the original; it must compile.
    pub fn new(
        tools: &'a Toolchain,
        file: &'a Path,
        source: &[u8],
        compiler_arguments: &[String],
    ) -> Result<Checker<'a>> {
        let folder = match file.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let mut checker = Checker {
            tools,
            folder,
            arguments: compiler_arguments.to_vec(),
            original: blake3::hash(b""),
        };
        let compiled = checker.compile(source, &[])?;
        checker.original = compiled.map_err(|message| BuildError::ToolFailed {
            tool: tools
                .clang
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            task: format!(
                "compiling `{}`, which must be a C file that compiles (--cflag gives it include \
                 folders and definitions)",
                file.display()
            ),
            message: message.replace("<stdin>", &file.display().to_string()),
        })?;
        for warning in WARNINGS {
            let argument = format!("-Werror={warning}");
            if checker.compile(source, &[&argument])?.is_ok() {
                checker.arguments.push(argument);
            }
        }
        Ok(checker)
    }

    pub fn check(&self, mutated: &[u8]) -> Result<Verdict> {
        Ok(match self.compile(mutated, &[])? {
            Err(_) => Verdict::Stillborn,
            Ok(hash) if hash == self.original => Verdict::Equal,
            Ok(_) => Verdict::Viable,
        })
    }

    /// The verdicts of several mutants, found by as many threads as the machine has processors.
    pub fn check_all(&self, source: &[u8], mutants: &[&Mutant]) -> Result<Vec<Verdict>> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let next = AtomicUsize::new(0);
        let work = || -> Result<Vec<(usize, Verdict)>> {
            let mut found = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(mutant) = mutants.get(index) else {
                    return Ok(found);
                };
                found.push((index, self.check(&mutant.apply(source))?));
            }
        };
        let mut found = Vec::new();
        std::thread::scope(|scope| -> Result<()> {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            for worker in workers {
                found.extend(worker.join().expect("a worker does not panic")?);
            }
            Ok(())
        })?;
        found.sort_unstable_by_key(|(index, _)| *index);
        Ok(found.into_iter().map(|(_, verdict)| verdict).collect())
    }

    /// A hash of the code without optimisation and debug information, or the compiler's words.
    fn compile(
        &self,
        source: &[u8],
        more: &[&str],
    ) -> Result<std::result::Result<blake3::Hash, String>> {
        let mut command = Command::new(&self.tools.clang);
        command
            .args(["-O0", "-g0", "-ffp-contract=off", "-fno-color-diagnostics"])
            .arg("-iquote")
            .arg(self.folder)
            .args(&self.arguments)
            .args(more)
            .args(["-S", "-emit-llvm", "-o", "-", "-x", "c", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().context("run", &self.tools.clang)?;
        if let Some(mut pipe) = child.stdin.take() {
            // A compiler that stops reading has its own reason, which its exit status tells.
            let _ = pipe.write_all(source);
        }
        let output = child.wait_with_output().context("run", &self.tools.clang)?;
        Ok(match output.status.success() {
            true => Ok(blake3::hash(&output.stdout)),
            false => Err(String::from_utf8_lossy(&output.stderr)
                .trim_end()
                .to_owned()),
        })
    }
}
