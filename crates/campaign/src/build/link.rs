//! Links guest modules with the guest libc into one.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::error::Result;
use super::libc::Libc;
use super::toolchain::{Toolchain, run};

/// Functions that the VM itself provides; they stay undefined in a linked module. All of
/// `__parallax_*` is the VM's too.
pub const VM_FUNCTIONS: &[&str] = &[
    "_longjmp",
    "_setjmp",
    "__sigsetjmp",
    "aligned_alloc",
    "calloc",
    "free",
    "longjmp",
    "malloc",
    "malloc_usable_size",
    "memalign",
    "memcpy",
    "memmove",
    "memset",
    "posix_memalign",
    "realloc",
    "setjmp",
    "siglongjmp",
    "sigsetjmp",
];

/// Where the VM enters a program.
const START_FUNCTION: &str = "__parallax_start";

/// What a link produced.
#[derive(Debug)]
pub struct Linked {
    pub has_main: bool,
    /// Symbols that neither the program nor libc nor the VM defines, sorted.
    pub unresolved: Vec<String>,
}

/// Links `modules` whole and libc as far as it is needed. Without a `main` the result is a library:
/// program start is left out.
pub fn link(
    modules: &[PathBuf],
    libc: &Libc,
    tools: &Toolchain,
    work: &Path,
    output: &Path,
) -> Result<Linked> {
    let program = work.join("program.bc");
    merge(modules, tools, &program)?;
    let defined = symbols(&program, &["--defined-only"], tools)?;
    let defines = |wanted: &str| defined.iter().any(|name| name == wanted);
    let has_main = defines("main");

    // libc comes second and only fills gaps: a program's own definition of a libc function wins
    // everywhere, as with a static archive.
    let with_start = work.join("with-start.bc");
    // A module that was linked by us before has its start already.
    let base = if has_main && !defines(START_FUNCTION) {
        merge(&[program, libc.start()], tools, &with_start)?;
        with_start
    } else {
        program
    };
    let mut command = Command::new(&tools.llvm_link);
    command
        .arg("--only-needed")
        .arg(&base)
        .arg(libc.bitcode())
        .arg("-o")
        .arg(output);
    run(&mut command, "linking with the guest libc")?;

    let mut unresolved = symbols(output, &["--undefined-only", "--no-weak"], tools)?;
    unresolved.retain(|name| !is_vm_function(name));
    unresolved.sort();
    unresolved.dedup();
    Ok(Linked {
        has_main,
        unresolved,
    })
}

fn is_vm_function(name: &str) -> bool {
    name.starts_with("__parallax_") || VM_FUNCTIONS.contains(&name)
}

/// Merges modules completely.
fn merge(modules: &[PathBuf], tools: &Toolchain, output: &Path) -> Result<()> {
    let mut command = Command::new(&tools.llvm_link);
    command.args(modules).arg("-o").arg(output);
    run(&mut command, "linking the program's parts").map(drop)
}

/// Global symbol names of a module.
pub fn symbols(module: &Path, options: &[&str], tools: &Toolchain) -> Result<Vec<String>> {
    let mut command = Command::new(&tools.llvm_nm);
    command
        .args(["--just-symbol-name", "--extern-only", "--quiet"])
        .args(options)
        .arg(module);
    let output = run(&mut command, "listing symbols")?;
    Ok(String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| line.trim().to_owned())
        .collect())
}
