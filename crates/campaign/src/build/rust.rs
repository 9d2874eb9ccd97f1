//! Compiles Rust programs to one guest module with the standard library inside.
//!
//! Fat link-time optimisation makes rustc merge std's bitcode with the program's; only libc symbols stay
//! open, which musl resolves. Panics abort: unwinding needs machine-level tables that bitcode has not.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::error::{BuildError, IoContext, Result};
use super::guest_c::parse_depfile;
use super::parts::Parts;
use super::toolchain::{find_program, output_of, run};
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
    // Intermediate files go there too, not into the user's folder.
    let work_folder = output.parent().unwrap_or(Path::new("."));
    command.arg("--out-dir").arg(work_folder);
    command
        .arg(emit("llvm-bc", output))
        .arg(emit("dep-info", &depfile))
        .arg(emit("link", &executable))
        .arg(source);
    let result = output_of(&mut command)?;
    if !result.status.success() {
        return Err(BuildError::DoesNotCompile {
            file: source.to_owned(),
            message: String::from_utf8_lossy(&result.stderr)
                .trim_end()
                .to_owned(),
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

/// Compiles one binary of a package, in a target folder of its own so that the user's is left alone.
pub(super) fn compile_package(
    builder: &Builder,
    folder: &Path,
    request: &Request,
    parts: &mut Parts,
) -> Result<()> {
    let folder = folder.canonicalize().context("resolve", folder)?;
    let binary = choose_binary(&folder, request.target.as_deref())?;
    let name = cache::Key::new("cargo 1").add_path(&folder).finish();
    let _lock = builder.cache.lock(&format!("cargo-{name}"))?;
    let target = builder.cache.entry("cargo", &name);

    let mut rustflags = FLAGS.join("\x1f");
    for argument in &request.compiler_arguments {
        rustflags.push('\x1f');
        rustflags.push_str(&argument.to_string_lossy());
    }
    let mut command = Command::new(program("cargo")?);
    command
        .current_dir(&folder)
        .args(["rustc", "--release", "--quiet", "--bin", &binary]);
    command.arg("--target-dir").arg(&target);
    command.args(["--", "--emit=llvm-bc", LINK_ANYWAY]);
    command
        .env("CARGO_ENCODED_RUSTFLAGS", rustflags)
        .env_remove("RUSTFLAGS")
        .envs(PROFILE.iter().copied());
    let result = output_of(&mut command)?;
    if !result.status.success() {
        return Err(BuildError::DoesNotCompile {
            file: folder,
            message: String::from_utf8_lossy(&result.stderr)
                .trim_end()
                .to_owned(),
        });
    }
    let module = newest_module(&target.join("release/deps"), &binary)?;
    bitcode::check(&module)?;
    parts.modules.push(module);

    let depfile = target.join("release").join(format!("{binary}.d"));
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
    let output = run(
        command.args(["--print", "sysroot"]),
        "asking for its folder",
    )?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    parts.tools.push(sysroot.join("bin/rustc"));
    Ok(())
}

/// With each change of flags cargo writes under another hash; the newest file is the one just made.
fn newest_module(folder: &Path, binary: &str) -> Result<PathBuf> {
    let prefix = format!("{}-", binary.replace('-', "_"));
    let mut found: Vec<(std::time::SystemTime, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(folder).context("list", folder)? {
        let entry = entry.context("list", folder)?;
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(&prefix) && name.ends_with(".bc") {
            let time = entry
                .metadata()
                .and_then(|data| data.modified())
                .context("inspect", &path)?;
            found.push((time, path));
        }
    }
    found
        .into_iter()
        .max()
        .map(|(_, path)| path)
        .ok_or_else(|| BuildError::ToolFailed {
            tool: "cargo".to_owned(),
            task: format!("compiling `{binary}`"),
            message: "it left no bitcode behind".to_owned(),
        })
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    manifest_path: PathBuf,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

pub(super) fn choose_binary(folder: &Path, wanted: Option<&str>) -> Result<String> {
    let mut command = Command::new(program("cargo")?);
    command
        .current_dir(folder)
        .args(["metadata", "--no-deps", "--format-version=1"]);
    let output = run(&mut command, "reading the package")?;
    let metadata: Metadata =
        serde_json::from_slice(&output.stdout).map_err(|error| BuildError::ToolFailed {
            tool: "cargo".to_owned(),
            task: "reading the package".to_owned(),
            message: error.to_string(),
        })?;
    let manifest = folder.join("Cargo.toml");
    let here: Vec<&Package> = metadata
        .packages
        .iter()
        .filter(|package| package.manifest_path == manifest)
        .collect();
    let binaries: Vec<String> = here
        .iter()
        .flat_map(|package| &package.targets)
        .filter(|target| target.kind.iter().any(|kind| kind == "bin"))
        .map(|target| target.name.clone())
        .collect();
    match (wanted, binaries.as_slice()) {
        (Some(name), names) if names.iter().any(|known| known == name) => Ok(name.to_owned()),
        (None, [only]) => Ok(only.clone()),
        (Some(name), _) => Err(BuildError::UnknownTarget {
            folder: folder.to_owned(),
            name: name.to_owned(),
            candidates: binaries,
        }),
        (None, []) => Err(BuildError::NoMain {
            inputs: format!("the package `{}`", folder.display()),
        }),
        (None, _) => Err(BuildError::ChooseTarget {
            problem: format!("the package `{}` has several binaries", folder.display()),
            candidates: binaries,
        }),
    }
}
