//! Version pairs of real C programs: each Debian patch of a package makes one, the source before it and the
//! source after it. `tests/pairs/pairs.toml` lists them.
//!
//! A *version* is a package with the first N patches of its series. It is built once, through `parallax cc`,
//! in `real/pairs/PACKAGE/N` of the cache, so pairs that share a version share its build.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::{corpus, real};

pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The list of pairs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    #[serde(rename = "package")]
    pub packages: Vec<Package>,
}

/// A Debian source package and how it is built.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    pub name: String,
    /// Shell commands for the source folder. `$CC` is `parallax cc`, `$JOBS` a number of processes, `$DRIVERS`
    /// the folder with drivers of our own for libraries.
    pub build: String,
    /// The program that is compared, unless a pair names another.
    pub program: PathBuf,
    #[serde(rename = "pair")]
    pub pairs: Vec<Pair>,
}

/// One patch.
#[derive(Deserialize, Hash)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// Its name in `debian/patches`.
    pub patch: String,
    /// What it changes, in our words.
    pub changes: String,
    pub program: Option<PathBuf>,
    /// Arguments of `parallax check`: what is symbolic.
    pub check: Vec<String>,
    /// Inputs to begin with.
    #[serde(default)]
    pub seeds: Vec<Seed>,
    pub expect: Verdict,
    /// Why no difference is found, where there is one.
    #[serde(default)]
    pub why_not: String,
}

#[derive(Deserialize, Hash)]
#[serde(deny_unknown_fields)]
pub struct Seed {
    #[serde(default)]
    pub args: Vec<String>,
    #[serde(default)]
    pub stdin: String,
    #[serde(default)]
    pub files: std::collections::BTreeMap<PathBuf, String>,
}

/// What `parallax check` says of a pair.
#[derive(Deserialize, Hash, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Different,
    Equivalent,
    /// Equivalent, because both versions compile to the same code.
    SameCode,
    Undecided,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Verdict::Different => "different",
            Verdict::Equivalent => "equivalent",
            Verdict::SameCode => "equivalent: same code",
            Verdict::Undecided => "undecided",
        })
    }
}

/// Where the list and the drivers are.
pub fn list_folder() -> PathBuf {
    corpus::tests_folder().join("pairs")
}

pub fn read_list() -> Result<List> {
    let path = list_folder().join("pairs.toml");
    let text = std::fs::read_to_string(&path)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    toml::from_str(&text).map_err(|error| format!("`{}`: {error}", path.display()).into())
}

/// The folder of a package's versions.
pub fn versions_folder(package: &Package) -> PathBuf {
    real::real_folder().join("pairs").join(&package.name)
}

/// Builds the versions before and after a patch, unless they are built already, and returns their folders'
/// names in `versions_folder`.
pub fn build(package: &Package, pair: &Pair, parallax: &Path) -> Result<[String; 2]> {
    let source = fetch(&package.name)?;
    let series = series(&source)?;
    let Some(before) = series.iter().position(|name| *name == pair.patch) else {
        return Err(format!(
            "`{}` has no patch `{}`; its series may have changed with a new Debian revision",
            package.name, pair.patch
        )
        .into());
    };
    let mut names = Vec::new();
    for applied in [before, before + 1] {
        let name = format!("{applied:02}");
        build_version(package, &source, &series, applied, &name, parallax)?;
        names.push(name);
    }
    Ok([names[0].clone(), names[1].clone()])
}

/// The unpacked source package.
pub fn fetch(package: &str) -> Result<PathBuf> {
    let script = corpus::tests_folder().with_file_name("scripts/fetch-source.sh");
    let output = Command::new(script)
        .arg(package)
        .stderr(Stdio::piped())
        .output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().last().unwrap_or("no message");
        return Err(format!("cannot fetch the source package `{package}`: {last}").into());
    }
    Ok(String::from_utf8(output.stdout)?.trim_end().into())
}

/// The names of a package's patches, in their order.
fn series(source: &Path) -> Result<Vec<String>> {
    let path = source.join("debian/patches/series");
    let text = std::fs::read_to_string(&path)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let names = text.lines().filter_map(|line| {
        let name = line.split_whitespace().next()?;
        (!name.starts_with('#')).then(|| name.to_owned())
    });
    Ok(names.collect())
}

fn build_version(
    package: &Package,
    source: &Path,
    series: &[String],
    applied: usize,
    name: &str,
    parallax: &Path,
) -> Result<()> {
    let folder = versions_folder(package).join(name);
    let stamp = folder.join(".built");
    let key = build_key(package, source)?;
    if std::fs::read_to_string(&stamp).is_ok_and(|built| built == key) {
        return Ok(());
    }
    eprintln!("building {} with {applied} patches", package.name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(versions_folder(package))?;
    // With its times: generated files must not look outdated.
    succeed(Command::new("cp").arg("-a").arg(source).arg(&folder), None)?;
    // Source packages come patched.
    for patch in series[applied..].iter().rev() {
        let file = std::fs::File::open(source.join("debian/patches").join(patch))?;
        let mut command = Command::new("patch");
        command
            .args(["-s", "-R", "-p1", "--no-backup-if-mismatch"])
            .current_dir(&folder)
            .stdin(file);
        succeed(&mut command, None)?;
    }
    let mut compiler = parallax.as_os_str().to_owned();
    compiler.push(" cc");
    let mut commands = Command::new("sh");
    commands
        .args(["-euc", &package.build])
        .current_dir(&folder)
        .env("CC", compiler)
        .env("JOBS", "2")
        .env("DRIVERS", list_folder());
    succeed(&mut commands, Some(&folder.with_extension("log")))?;
    std::fs::write(stamp, key)?;
    Ok(())
}

/// What decides a version's build, apart from its patches: the source, the commands, the drivers, and what
/// `parallax cc` makes of them.
fn build_key(package: &Package, source: &Path) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    package.build.hash(&mut hasher);
    source.metadata()?.modified()?.hash(&mut hasher);
    let root = corpus::tests_folder().with_file_name("");
    let mut files = files_below(&list_folder())?;
    files.retain(|file| file.extension().is_some_and(|kind| kind == "c"));
    for file in ["cc.rs", "compiler_arguments.rs", "guest_c.rs", "twin.rs"] {
        files.push(root.join("crates/build/src").join(file));
    }
    for folder in ["runtime/host", "runtime/include"] {
        files.extend(files_below(&root.join(folder))?);
    }
    files.sort();
    for file in files {
        std::fs::read(file)?.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => files.extend(files_below(&path)?),
            false => files.push(path),
        }
    }
    Ok(files)
}

/// Runs a command to its end, its output in a log or else in the error.
fn succeed(command: &mut Command, log: Option<&Path>) -> Result<()> {
    if let Some(log) = log {
        let file = std::fs::File::create(log)?;
        command.stdout(file.try_clone()?).stderr(file);
        command.stdin(Stdio::null());
    }
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = match log {
        Some(log) => format!("see `{}`", log.display()),
        None => format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ),
    };
    let program = command.get_program().to_string_lossy().into_owned();
    Err(format!("`{program}` failed: {}", said.trim_end()).into())
}
