//! Links guest modules with the guest libc into one.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::boxed::{self, Reach};
use super::cache::{Cache, Key};
use super::error::{IoContext, Result};
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
    (tools, cache): (&Toolchain, &Cache),
    work: &Path,
    output: &Path,
) -> Result<Linked> {
    let program = match modules {
        // What was just compiled is whole.
        [only] if only.starts_with(work) => only.clone(),
        _ => {
            let program = work.join("program.bc");
            merge(modules, tools, &program)?;
            program
        }
    };
    let defined = definitions(&program, tools)?;
    let defines = |wanted: &str| defined.iter().any(|symbol| symbol.name == wanted);
    let has_main = defines("main");

    let is_new = !defines(START_FUNCTION);
    let libc_bitcode = match is_new {
        true => libc_beside(&defined, libc, (tools, cache), work)?,
        // Linked by us before: what it defines is libc's own.
        false => libc.bitcode(),
    };
    // libc comes second and only fills gaps.
    let with_start = work.join("with-start.bc");
    // A module that was linked by us before has its start already.
    let base = if has_main && is_new {
        merge(&[program, libc.start()], tools, &with_start)?;
        with_start
    } else {
        program
    };
    let base = need_intrinsics_functions(base, tools, work)?;
    let mut command = Command::new(&tools.llvm_link);
    command
        .arg("--only-needed")
        .arg(&base)
        .arg(libc_bitcode)
        .arg("-o")
        .arg(output);
    run(&mut command, "linking with the guest libc", &[], Some(work))?;

    let mut unresolved = symbols(output, &["--undefined-only", "--no-weak"], tools)?;
    unresolved.retain(|name| !is_vm_function(name));
    unresolved.sort();
    unresolved.dedup();
    Ok(Linked {
        has_main,
        unresolved,
    })
}

/// libc for a program that may define functions of the same names: libc itself calls its own, as the host's shared
/// libc does, whose calls of its own functions go by no name that a program could take. So these are made local to
/// libc. Variables stay shared: the host's libc takes a program's definition of those. So do the functions that the VM
/// provides (`malloc` and its relatives): they are not in libc, and a program's own are taken by both.
fn libc_beside(
    program: &[Definition],
    libc: &Libc,
    (tools, cache): (&Toolchain, &Cache),
    work: &Path,
) -> Result<PathBuf> {
    let own: HashSet<&str> = functions(program).collect();
    let taken: HashSet<String> = libc_functions(libc, tools, cache)?
        .into_iter()
        .filter(|name| own.contains(name.as_str()))
        .collect();
    if taken.is_empty() {
        return Ok(libc.bitcode());
    }
    let kept = symbols(&libc.bitcode(), &["--defined-only"], tools)?;
    let kept: Vec<String> = kept
        .into_iter()
        .filter(|name| !taken.contains(name))
        .map(|name| format!("preserve-gv={name}"))
        .collect();
    let output = work.join("libc-beside.bc");
    let mut command = Command::new(&tools.opt);
    command
        .arg(format!("-passes=internalize<{}>", kept.join(";")))
        .arg(libc.bitcode())
        .arg("-o")
        .arg(&output);
    let task = "keeping libc's calls of its own functions";
    run(&mut command, task, &[], Some(work))?;
    Ok(output)
}

/// What a module defines for others.
struct Definition {
    name: String,
    /// As `nm` tells it.
    kind: String,
}

/// Names of the functions among what a module defines.
fn functions(definitions: &[Definition]) -> impl Iterator<Item = &str> {
    let functions = definitions
        .iter()
        .filter(|symbol| matches!(symbol.kind.as_str(), "T" | "W"));
    functions.map(|symbol| symbol.name.as_str())
}

/// Names of the functions that libc defines for others, listed once for each libc.
fn libc_functions(libc: &Libc, tools: &Toolchain, cache: &Cache) -> Result<Vec<String>> {
    const KIND: &str = "libc-functions";
    let name = Key::new("functions of libc 1").add(&libc.id).finish();
    if let Ok(listed) = std::fs::read_to_string(cache.entry(KIND, &name)) {
        return Ok(listed.lines().map(str::to_owned).collect());
    }
    let definitions = definitions(&libc.bitcode(), tools)?;
    let names: Vec<String> = functions(&definitions).map(str::to_owned).collect();
    cache.publish_bytes(names.join("\n").as_bytes(), KIND, &name)?;
    Ok(names)
}

fn definitions(module: &Path, tools: &Toolchain) -> Result<Vec<Definition>> {
    let mut command = Command::new(&tools.llvm_nm);
    command
        .args(["--extern-only", "--defined-only", "--quiet"])
        .args(["--format=posix", "--no-sort"])
        .arg(module);
    let output = run(&mut command, "listing functions", &[module], None)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let definition = |line: &str| {
        let mut words = line.split_whitespace().map(str::to_owned);
        let (name, kind) = (words.next()?, words.next()?);
        Some(Definition { name, kind })
    };
    Ok(text.lines().filter_map(definition).collect())
}

/// Intrinsics that the reader turns into calls of the libc function of the same name, with the suffix
/// of the operand's type: `llvm.sin.f32` calls `sinf`.
const LIBRARY_INTRINSICS: &[&str] = &[
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2",
    "exp10", "log", "log2", "log10", "pow",
];

/// rustc, and clang without `errno`, write `llvm.sin.f64` where they mean `sin`, which a linker that only
/// fills gaps cannot know. Adds a table of the functions so meant; the reader drops it again.
fn need_intrinsics_functions(base: PathBuf, tools: &Toolchain, work: &Path) -> Result<PathBuf> {
    let bytes = std::fs::read(&base).context("read", &base)?;
    let meant = library_functions_meant(&bytes);
    if meant.is_empty() {
        return Ok(base);
    }
    let declarations: String = meant
        .iter()
        .map(|name| format!("declare void @{name}()\n"))
        .collect();
    let entries: Vec<String> = meant.iter().map(|name| format!("ptr @{name}")).collect();
    let table = format!(
        "{declarations}@__parallax_meant = global [{} x ptr] [{}]\n",
        entries.len(),
        entries.join(", ")
    );
    let source = work.join("meant.ll");
    std::fs::write(&source, table).context("write", &source)?;
    let output = work.join("with-meant.bc");
    merge(&[base, source], tools, &output)?;
    Ok(output)
}

/// Names of intrinsics stand in a bitcode file as they are.
fn library_functions_meant(bitcode: &[u8]) -> BTreeSet<String> {
    let prefix = b"llvm.";
    let mut meant = BTreeSet::new();
    for start in 0..bitcode.len().saturating_sub(prefix.len()) {
        if !bitcode[start..].starts_with(prefix) {
            continue;
        }
        let rest = &bitcode[start + prefix.len()..];
        for name in LIBRARY_INTRINSICS {
            let Some(rest) = rest.strip_prefix(name.as_bytes()) else {
                continue;
            };
            for (ty, suffix) in [(".f64", ""), (".f32", "f"), (".f80", "l")] {
                if rest.starts_with(ty.as_bytes()) {
                    meant.insert(format!("{name}{suffix}"));
                }
            }
        }
    }
    meant
}

fn is_vm_function(name: &str) -> bool {
    name.starts_with("__parallax_") || name == "parallax_symbolic" || VM_FUNCTIONS.contains(&name)
}

/// Merges modules completely.
fn merge(modules: &[PathBuf], tools: &Toolchain, output: &Path) -> Result<()> {
    let mut command = Command::new(&tools.llvm_link);
    command.args(modules).arg("-o").arg(output);
    let read: Vec<&Path> = modules.iter().map(PathBuf::as_path).collect();
    let task = "linking the program's parts";
    run(&mut command, task, &read, output.parent()).map(drop)
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

#[cfg(test)]
mod tests {
    use super::library_functions_meant;

    #[test]
    fn intrinsics_name_their_library_functions() {
        let meant =
            library_functions_meant(b"xllvm.sin.f64llvm.exp2.f32\0llvm.sinh.f80llvm.sqrt.f64");
        let names: Vec<&str> = meant.iter().map(String::as_str).collect();
        assert_eq!(names, ["exp2f", "sin", "sinhl"]);
    }
}
