//! Compiles one C source for the guest: musl's headers, no optimisation, full debug information.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::boxed::{self, Reach};
use super::error::{BuildError, IoContext, Result};
use super::libc::Libc;
use super::toolchain::Toolchain;

/// Flags of every guest source.
///
/// No optimisation, so that the module says what the source says, yet without the `optnone` attribute,
/// which would keep the reader's normalisation from running. No contraction of `a * b + c`: the native
/// baseline rounds twice. No stack protector: the VM sees the overflow itself.
const FLAGS: &[&str] = &[
    "--target=x86_64-unknown-linux-gnu",
    "-march=x86-64",
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    "-g",
    "-ffp-contract=off",
    "-fno-stack-protector",
    "-fno-lto",
    "-fno-color-diagnostics",
    "-w",
    "-nostdinc",
];

/// One compilation.
pub struct Unit<'a> {
    /// Where the compiler runs; relative paths in the arguments start here.
    pub folder: &'a Path,
    /// The source file, or `-` for `stdin`.
    pub source: &'a OsStr,
    /// Arguments that matter to the meaning of the source: `-D`, `-I`, `-std`, ….
    pub arguments: &'a [OsString],
    pub stdin: Option<&'a [u8]>,
}

/// The flags above, for cache keys.
pub fn flags() -> &'static [&'static str] {
    FLAGS
}

/// Compiles to bitcode at `output` and returns the files that were read, without libc's own headers.
pub fn compile(unit: &Unit, libc: &Libc, tools: &Toolchain, output: &Path) -> Result<Vec<PathBuf>> {
    let depfile = output.with_extension("d");
    let resource_include = tools.resource_include()?;
    let mut command = Command::new(&tools.clang);
    command
        .current_dir(unit.folder)
        .args(unit.arguments)
        .args(FLAGS);
    for folder in [
        &libc.host_include(),
        &libc.include(),
        &resource_include,
        &libc.kernel_include(),
    ] {
        command.arg("-isystem").arg(folder);
    }
    command
        .args(["-c", "-emit-llvm", "-MD", "-MT", "unit", "-MF"])
        .arg(&depfile);
    command
        .arg("-o")
        .arg(output)
        .args(["-x", "c"])
        .arg(unit.source);
    let result = match unit.stdin {
        Some(bytes) => fed(&mut command, bytes).context("run", &tools.clang)?,
        None => {
            let reach = Reach {
                read: &[&libc.folder, Path::new(unit.source)],
                write: &[output.parent().unwrap_or(Path::new("."))],
                ..Reach::default()
            };
            boxed::output_of(&mut command, reach)?
        }
    };
    if !result.status.success() {
        return Err(BuildError::DoesNotCompile {
            file: PathBuf::from(unit.source),
            message: String::from_utf8_lossy(&result.stderr)
                .trim_end()
                .to_owned(),
        });
    }
    let rules = std::fs::read_to_string(&depfile).context("read", &depfile)?;
    let mut read = Vec::new();
    for name in parse_depfile(&rules) {
        let path = unit.folder.join(name);
        let own = [&libc.folder, &resource_include];
        if !own.iter().any(|folder| path.starts_with(folder)) {
            read.push(path);
        }
    }
    Ok(read)
}

/// Runs a compiler on what `parallax cc` was given as standard input.
fn fed(command: &mut Command, bytes: &[u8]) -> std::io::Result<Output> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        // A compiler that stops reading has its own reason, which its exit status tells.
        let _ = std::io::Write::write_all(&mut pipe, bytes);
    }
    child.wait_with_output()
}

/// The prerequisites in a make rule as compilers write them: `\` escapes spaces and joins lines.
pub fn parse_depfile(rules: &str) -> Vec<String> {
    let rules = rules.replace("\\\n", " ");
    let mut names = Vec::new();
    for rule in rules.lines() {
        let Some((_, prerequisites)) = rule.split_once(": ") else {
            continue;
        };
        let mut name = String::new();
        let mut characters = prerequisites.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\\' if characters
                    .peek()
                    .is_some_and(|next| *next == ' ' || *next == '#') =>
                {
                    name.extend(characters.next());
                }
                '$' if characters.peek() == Some(&'$') => name.extend(characters.next()),
                ' ' | '\t' => names.push(std::mem::take(&mut name)),
                other => name.push(other),
            }
        }
        names.push(name);
    }
    names.retain(|name| !name.is_empty());
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depfiles_may_hold_spaces_and_continuations() {
        let rules = "unit: my\\ prog.c a.h \\\n  dir/b.h cost$$.h\n\na.h:\n";
        assert_eq!(
            parse_depfile(rules),
            ["my prog.c", "a.h", "dir/b.h", "cost$.h"]
        );
    }
}
