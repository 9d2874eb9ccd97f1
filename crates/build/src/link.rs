//! Links guest modules with the guest libc into one.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::boxed::{self, Reach};
use super::error::Result;
use super::libc::Libc;
use super::toolchain::Toolchain;

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

/// What a link produced.
#[derive(Debug)]
pub struct Linked {
    pub module: PathBuf,
    /// What the VM loads, if the module can be read.
    pub image: Option<PathBuf>,
    pub has_main: bool,
    /// Symbols that neither the program nor libc nor the VM defines, sorted.
    pub unresolved: Vec<String>,
}

/// Links `modules` whole and libc as far as it is needed, into `linked.bc` of a folder of one's own, and reads the result into `image.pir`
/// there if it can be read. Without a `main` the result is a library: program start is left out.
pub fn link(modules: &[PathBuf], libc: &Libc, reader: &Path, work: &Path) -> Result<Linked> {
    let (module, image) = (work.join("linked.bc"), work.join("image.pir"));
    let mut command = Command::new(reader);
    command.arg("--link").arg(&module);
    command.arg("--start").arg(libc.start());
    command.arg("--libc").arg(libc.bitcode());
    command.arg("--image").arg(&image);
    command.args(modules);
    let mut read: Vec<&Path> = modules.iter().map(PathBuf::as_path).collect();
    read.push(&libc.folder);
    let output = run(
        &mut command,
        "linking with the guest libc",
        &read,
        Some(work),
    )?;
    let said = String::from_utf8_lossy(&output.stdout);
    let undefined = said
        .lines()
        .filter_map(|line| line.strip_prefix("undefined "));
    Ok(Linked {
        module,
        image: image.is_file().then_some(image),
        has_main: said.lines().next() == Some("main"),
        unresolved: undefined
            .filter(|name| !is_vm_function(name))
            .map(str::to_owned)
            .collect(),
    })
}

fn is_vm_function(name: &str) -> bool {
    name.starts_with("__parallax_") || name == "parallax_symbolic" || VM_FUNCTIONS.contains(&name)
}

/// Which members of an archive a program still needs: those that define what is undefined, and so on,
/// as a linker searches an archive.
pub fn take_members(
    program: &[PathBuf],
    members: &[PathBuf],
    tools: &Toolchain,
) -> Result<Vec<PathBuf>> {
    if members.is_empty() {
        return Ok(Vec::new());
    }
    let mut defined = HashSet::new();
    let mut wanted = Vec::new();
    for part in symbol_tables(program, tools)? {
        defined.extend(part.defined);
        wanted.extend(part.undefined);
    }
    let tables = symbol_tables(members, tools)?;
    let mut providers = HashMap::new();
    for (number, table) in tables.iter().enumerate() {
        for name in &table.defined {
            providers.entry(name.as_str()).or_insert(number);
        }
    }
    let mut taken = BTreeSet::new();
    while let Some(name) = wanted.pop() {
        if defined.contains(&name) {
            continue;
        }
        if let Some(&number) = providers.get(name.as_str())
            && taken.insert(number)
        {
            defined.extend(tables[number].defined.iter().cloned());
            wanted.extend(tables[number].undefined.iter().cloned());
        }
    }
    Ok(taken
        .into_iter()
        .map(|number| members[number].clone())
        .collect())
}

#[derive(Default)]
struct SymbolTable {
    defined: Vec<String>,
    undefined: Vec<String>,
}

/// The symbol tables of many modules, in order, by one call.
fn symbol_tables(modules: &[PathBuf], tools: &Toolchain) -> Result<Vec<SymbolTable>> {
    let mut command = Command::new(&tools.llvm_nm);
    command.args([
        "--extern-only",
        "--quiet",
        "--print-file-name",
        "--no-sort",
        "--format=posix",
    ]);
    command.args(modules);
    let read: Vec<&Path> = modules.iter().map(PathBuf::as_path).collect();
    let output = run(&mut command, "listing symbols", &read, None)?;
    let numbers: HashMap<String, usize> = modules
        .iter()
        .enumerate()
        .map(|(number, path)| (path.display().to_string(), number))
        .collect();
    let mut tables: Vec<SymbolTable> = Vec::new();
    tables.resize_with(modules.len(), SymbolTable::default);
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        // `FILE: NAME KIND …`
        let Some((file, symbol)) = line.split_once(": ") else {
            continue;
        };
        let mut words = symbol.split_whitespace();
        if let (Some(&number), Some(name), Some(kind)) =
            (numbers.get(file), words.next(), words.next())
        {
            match kind {
                "U" => tables[number].undefined.push(name.to_owned()),
                "w" | "v" => {}
                _ => tables[number].defined.push(name.to_owned()),
            }
        }
    }
    Ok(tables)
}

/// Runs a tool of LLVM on a version's modules.
fn run(command: &mut Command, task: &str, read: &[&Path], write: Option<&Path>) -> Result<Output> {
    let reach = Reach {
        read,
        write: write.as_slice(),
        ..Reach::default()
    };
    boxed::run(command, task, reach)
}

/// Global symbol names of a module.
pub fn symbols(module: &Path, options: &[&str], tools: &Toolchain) -> Result<Vec<String>> {
    let mut command = Command::new(&tools.llvm_nm);
    command
        .args(["--just-symbol-name", "--extern-only", "--quiet"])
        .args(options)
        .arg(module);
    let output = run(&mut command, "listing symbols", &[module], None)?;
    Ok(String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| line.trim().to_owned())
        .collect())
}
