//! Compiles Rust programs to one guest module with the standard library inside.
//!
//! Fat link-time optimisation makes rustc merge std's bitcode with the program's; only libc symbols stay
//! open, which musl resolves. Panics abort: unwinding needs machine-level tables that bitcode has not.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::boxed::{self, Reach};
use super::error::{BuildError, IoContext, Result};
use super::guest_c::parse_depfile;
use super::parts::Parts;
use super::toolchain::find_program;
use super::{Builder, Request, bitcode, cache};

/// Code generation flags of every crate.
///
/// Optimised, because unoptimised std is ten times the code; without vectors, which the VM would have to
/// take apart again.
const FLAGS: &[&str] = &[
    "-Cno-vectorize-loops",
    "-Cno-vectorize-slp",
    "-Ctarget-cpu=x86-64",
    "-Cembed-bitcode=yes",
];

/// The executable that rustc links on the way to bitcode is never run, so what only the VM provides
/// (`parallax_symbolic`) may be missing in it.
const LINK_ANYWAY: &str = "-Clink-arg=-Wl,--unresolved-symbols=ignore-all";

/// The profile of the final crate and its dependencies, as cargo's environment variables spell it.
pub(super) const PROFILE: &[(&str, &str)] = &[
    ("CARGO_PROFILE_RELEASE_LTO", "fat"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1"),
    ("CARGO_PROFILE_RELEASE_PANIC", "abort"),
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "2"),
    ("CARGO_PROFILE_RELEASE_STRIP", "none"),
];

/// The flags above, for cache keys.
pub fn flags() -> &'static [&'static str] {
    FLAGS
}

pub(super) fn compile_file(
    source: &Path,
    request: &Request,
    output: &Path,
    parts: &mut Parts,
) -> Result<()> {
    let rustc = program("rustc")?;
    let depfile = output.with_extension("d");
    // Without a link there is no link-time optimisation, hence no standard library in the module.
    let executable = output.with_extension("exe");
    let mut command = Command::new(&rustc);
    command.args([
        "--edition=2024",
        "--crate-type=bin",
        "-Clto=fat",
        "-Ccodegen-units=1",
        "-Cpanic=abort",
    ]);
    command
        .args(["-Copt-level=1", "-Cdebuginfo=2", LINK_ANYWAY])
        .args(FLAGS)
        .args(&request.compiler_arguments);
    command.args(without_place(request));
    // Intermediate files go there too, not into the user's folder.
    let work_folder = output.parent().unwrap_or(Path::new("."));
    command.arg("--out-dir").arg(work_folder);
    command
        .arg(emit("llvm-bc", output))
        .arg(emit("dep-info", &depfile))
        .arg(emit("link", &executable))
        .arg(source);
    let reach = Reach {
        read: &[source],
        write: &[work_folder],
        ..Reach::default()
    };
    let result = boxed::output_of(&mut command, reach)?;
    if !result.status.success() {
        return Err(BuildError::DoesNotCompile {
            file: source.to_owned(),
            message: boxed::with_explanation(&result.stderr),
        });
    }
    let rules = std::fs::read_to_string(&depfile).context("read", &depfile)?;
    for file in parse_depfile(&rules) {
        parts
            .files
            .push(std::path::absolute(&file).context("resolve", file)?);
    }
    bitcode::check(output)?;
    parts.modules.push(output.to_owned());
    add_toolchain(source.parent().unwrap_or(Path::new(".")), parts)
}

/// Compiles one target of a package, in a target folder of its own so that the user's is left alone.
pub(super) fn compile_package(
    builder: &Builder,
    folder: &Path,
    request: &Request,
    work: &Path,
    parts: &mut Parts,
) -> Result<()> {
    let folder = folder.canonicalize().context("resolve", folder)?;
    let package = read_package(&folder)?;
    let chosen = choose_target(&folder, &package, request.target.as_deref())?;
    let name = guest_target(&folder);
    let _lock = builder.cache.lock(&format!("cargo-{name}"))?;
    let target = builder.cache.entry("cargo", &name);

    std::fs::create_dir_all(&target).context("create", &target)?;
    let deps = target.join("release/deps");
    run_cargo(&folder, &target, &chosen, request)?;
    let mut modules = modules_of(&deps, &chosen)?;
    if modules.len() > 1 {
        // For each set of flags and dependencies cargo keeps a module under a name of its own. Which one is
        // meant is sure only if there is one.
        forget(&target.join("release/.fingerprint"), &package.name)?;
        for module in &modules {
            std::fs::remove_file(module).context("remove", module)?;
        }
        run_cargo(&folder, &target, &chosen, request)?;
        modules = modules_of(&deps, &chosen)?;
    }
    let module = modules.pop().ok_or_else(|| BuildError::ToolFailed {
        tool: "cargo".to_owned(),
        task: format!("compiling `{}`", chosen.name),
        message: "it left no bitcode behind".to_owned(),
    })?;
    bitcode::check(&module)?;
    // The next build overwrites it, and the lock ends here.
    let kept = work.join("package.bc");
    std::fs::copy(&module, &kept).context("copy", &module)?;
    parts.modules.push(kept);

    let depfile = target.join("release").join(chosen.depfile());
    let rules = std::fs::read_to_string(&depfile).context("read", &depfile)?;
    parts
        .files
        .extend(parse_depfile(&rules).into_iter().map(PathBuf::from));
    for ancestor in folder.ancestors() {
        for name in ["Cargo.toml", "Cargo.lock", ".cargo/config.toml"] {
            parts
                .files
                .extend(Some(ancestor.join(name)).filter(|file| file.is_file()));
        }
    }
    add_toolchain(&folder, parts)
}

/// The name of cargo's folder for the guest build of a package, among the entries `cargo`.
pub(super) fn guest_target(package: &Path) -> String {
    cache::Key::new("cargo 1").add_path(package).finish()
}

/// The name of cargo's folder for the native build of a package, among the entries `cargo-native`.
pub(super) fn native_target(package: &Path) -> String {
    cache::Key::new("cargo native 1").add_path(package).finish()
}

fn run_cargo(folder: &Path, target: &Path, chosen: &Target, request: &Request) -> Result<()> {
    let mut rustflags: Vec<String> = FLAGS.iter().map(|&flag| flag.to_owned()).collect();
    for argument in &request.compiler_arguments {
        rustflags.push(argument.to_string_lossy().into_owned());
    }
    rustflags.extend(without_place(request));
    let mut command = Command::new(program("cargo")?);
    command
        .current_dir(folder)
        .args(["rustc", "--release", "--quiet", "--target-dir"])
        .arg(target)
        .envs(PROFILE.iter().copied());
    if chosen.is_binary() {
        command.args(["--bin", &chosen.name, "--", "--emit=llvm-bc", LINK_ANYWAY]);
    } else {
        // Without a link there is no link-time optimisation: what the crate uses of others stays open, as
        // with a C library. `link-dead-code` keeps functions that nothing in the crate itself calls.
        command
            .args(["--lib", "--crate-type=lib", "--"])
            .args(["--emit=llvm-bc", "-Clink-dead-code"])
            .env("CARGO_PROFILE_RELEASE_LTO", "off");
    }
    command
        .env("CARGO_ENCODED_RUSTFLAGS", rustflags.join("\x1f"))
        .env_remove("RUSTFLAGS");
    let reach = Reach {
        write: &[folder, target],
        ..Reach::default()
    };
    let result = boxed::output_of(&mut command, reach)?;
    if result.status.success() {
        return Ok(());
    }
    Err(BuildError::DoesNotCompile {
        file: folder.to_owned(),
        message: boxed::with_explanation(&result.stderr),
    })
}

/// The flag by which the compiler names no place of a version.
pub(super) fn without_place(request: &Request) -> Option<String> {
    let place = request.folder.as_ref()?;
    Some(format!("--remap-path-prefix={}=.", place.display()))
}

pub(super) fn emit(kind: &str, path: &Path) -> OsString {
    let mut argument = OsString::from(format!("--emit={kind}="));
    argument.push(path);
    argument
}

pub(super) fn program(name: &str) -> Result<PathBuf> {
    find_program(OsStr::new(name)).ok_or_else(|| BuildError::ToolMissing {
        tool: name.to_owned(),
        package: "of Rust 1.95 or newer through rustup",
    })
}

/// The compiler that really ran: behind rustup's proxy, the toolchain this folder selects.
pub(super) fn add_toolchain(folder: &Path, parts: &mut Parts) -> Result<()> {
    let mut command = Command::new(program("rustc")?);
    command.current_dir(if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    });
    let output = boxed::run(
        command.args(["--print", "sysroot"]),
        "asking for its folder",
        Reach::default(),
    )?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    parts.tools.push(sysroot.join("bin/rustc"));
    Ok(())
}

/// The modules that cargo has left of a target, in whatever configuration.
fn modules_of(folder: &Path, target: &Target) -> Result<Vec<PathBuf>> {
    let prefix = format!("{}-", target.name.replace('-', "_"));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).context("list", folder)? {
        let path = entry.context("list", folder)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // `NAME-HASH.bc`; the hash holds no `-`.
        let hash = name
            .strip_prefix(&prefix)
            .and_then(|rest| rest.strip_suffix(".bc"));
        if hash.is_some_and(|hash| !hash.contains('-')) {
            found.push(path);
        }
    }
    Ok(found)
}

/// Makes cargo compile a package again.
fn forget(fingerprints: &Path, package: &str) -> Result<()> {
    for entry in std::fs::read_dir(fingerprints).context("list", fingerprints)? {
        let path = entry.context("list", fingerprints)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name
            .rsplit_once('-')
            .is_some_and(|(name, _)| name == package)
        {
            std::fs::remove_dir_all(&path).context("remove", &path)?;
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    targets: Vec<Target>,
}

#[derive(Deserialize, Clone)]
struct Target {
    name: String,
    kind: Vec<String>,
}

impl Target {
    fn is_binary(&self) -> bool {
        self.kind.iter().any(|kind| kind == "bin")
    }

    /// Procedural macros run inside the compiler, and are no program of anyone's.
    fn is_library(&self) -> bool {
        const KINDS: [&str; 5] = ["lib", "rlib", "dylib", "cdylib", "staticlib"];
        self.kind.iter().any(|kind| KINDS.contains(&kind.as_str()))
    }

    fn depfile(&self) -> String {
        match self.is_binary() {
            true => format!("{}.d", self.name),
            false => format!("lib{}.d", self.name.replace('-', "_")),
        }
    }
}

fn read_package(folder: &Path) -> Result<Package> {
    let mut command = Command::new(program("cargo")?);
    command
        .current_dir(folder)
        .args(["metadata", "--no-deps", "--format-version=1"]);
    let output = boxed::run(&mut command, "reading the package", Reach::default())?;
    let metadata: Metadata =
        serde_json::from_slice(&output.stdout).map_err(|error| BuildError::ToolFailed {
            tool: "cargo".to_owned(),
            task: "reading the package".to_owned(),
            message: error.to_string(),
        })?;
    let manifest = folder.join("Cargo.toml");
    let members: Vec<String> = metadata
        .packages
        .iter()
        .map(|package| package.name.clone())
        .collect();
    let is_here = |package: &Package| package.manifest_path == manifest;
    metadata
        .packages
        .into_iter()
        .find(is_here)
        .ok_or_else(|| BuildError::UnknownInput {
            path: folder.to_owned(),
            reason: format!(
                "its Cargo.toml describes a workspace and no package of its own; give the folder of one of \
                 its packages: {}",
                members.join(", ")
            ),
        })
}

/// The names of a package's binaries.
pub(super) fn binaries(folder: &Path) -> Result<Vec<String>> {
    let folder = folder.canonicalize().context("resolve", folder)?;
    let package = read_package(&folder)?;
    let binaries = package.targets.into_iter().filter(Target::is_binary);
    Ok(binaries.map(|binary| binary.name).collect())
}

/// The name of the binary that a request means.
pub(super) fn choose_binary(folder: &Path, wanted: Option<&str>) -> Result<String> {
    let package = read_package(folder)?;
    let chosen = choose_target(folder, &package, wanted)?;
    match chosen.is_binary() {
        true => Ok(chosen.name),
        false => Err(BuildError::UnknownInput {
            path: folder.to_owned(),
            reason: format!("`{}` is a library, which cannot be run", chosen.name),
        }),
    }
}

/// The wanted target; else the only binary; else the library.
fn choose_target(folder: &Path, package: &Package, wanted: Option<&str>) -> Result<Target> {
    let binaries: Vec<&Target> = package
        .targets
        .iter()
        .filter(|one| one.is_binary())
        .collect();
    let library = package.targets.iter().find(|one| one.is_library());
    let all = || binaries.iter().copied().chain(library);
    let candidates = || all().map(|target| target.name.clone()).collect();
    let chosen =
        match (wanted, binaries.as_slice()) {
            (Some(name), _) => all().find(|target| target.name == name).ok_or_else(|| {
                BuildError::UnknownTarget {
                    folder: folder.to_owned(),
                    name: name.to_owned(),
                    candidates: candidates(),
                }
            })?,
            (None, [only]) => only,
            (None, []) => library.ok_or_else(|| BuildError::UnknownInput {
                path: folder.to_owned(),
                reason: format!(
                    "the package `{}` has neither a binary nor a library that can be analysed",
                    package.name
                ),
            })?,
            (None, _) => {
                return Err(BuildError::ChooseTarget {
                    problem: format!("the package `{}` has several binaries", folder.display()),
                    candidates: candidates(),
                });
            }
        };
    Ok(chosen.clone())
}
