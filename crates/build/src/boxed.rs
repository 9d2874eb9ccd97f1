//! `--box-build`: whatever is run on a stranger's sources runs in a sandbox, without network.
//!
//! Switched on once, before anything is built, it holds for the whole process: there is no call that could forget it. A tool that is run
//! on a version ([`output_of`]) then sees the system's folders, the compilers, what its call names, and the files of that version;
//! it writes where its call says. The rest of the cache is not there: other versions cannot be read, and nothing that a build
//! leaves is taken for a result of another one. What is run on our own sources alone (the guest libc) stays outside.
//!
//! A build through `parallax cc` writes its records and modules to a cache of its own; they are taken over from there if they are what
//! their names, which are hashes of their content, say ([`super::twin::take_over`]).

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sandbox::{End, Folders, LauncherReport, Level, Limits, Owned, Program, Streams, Walls};

use super::cache::Cache;
use super::error::{BuildError, IoContext, Result};
use super::toolchain::{self, find_program};

/// What every boxed build of this process sees.
struct Box {
    cache: PathBuf,
    read: Vec<PathBuf>,
    environment: Vec<(OsString, OsString)>,
}

static BOX: OnceLock<Box> = OnceLock::new();

/// Becomes true when the user asks for an end.
static INTERRUPT: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// How often a build looks at that.
const PATIENCE: Duration = Duration::from_millis(50);

/// What one tool may use besides.
#[derive(Clone, Copy, Default)]
pub(super) struct Reach<'r> {
    /// Chosen by us, not by what a version says.
    pub(super) read: &'r [&'r Path],
    /// In the cache.
    pub(super) write: &'r [&'r Path],
    /// A cache for this build alone, in place of the cache.
    pub(super) own_cache: Option<&'r Path>,
}

/// What is in the cache besides versions and what was made of them: the guest libc and what it was made of, and the link by which
/// builds call `parallax cc`.
const SHOWN_OF_THE_CACHE: [&str; 4] = ["libc", "sources", "host-texts", "compilers"];

/// Variables that say how to build; a user's other ones may be secrets.
const VARIABLES: [&str; 16] = [
    "PATH",
    "LANG",
    "LC_ALL",
    "TERM",
    "TZ",
    "CFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "CPATH",
    "C_INCLUDE_PATH",
    "RUSTFLAGS",
    "RUSTUP_TOOLCHAIN",
    "CARGO_ENCODED_RUSTFLAGS",
    "SOURCE_DATE_EPOCH",
    "PARALLAX_CC",
    "PARALLAX_CLANG",
];

/// What linkers and `configure` scripts read of the system, beside what every sandbox shows.
const SYSTEM_FILES: [&str; 3] = ["/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/os-release"];

/// The kinds of entries of the cache that hold the files of versions, and how deep below the cache the place of one lies.
const PLACES: [(&str, usize); 2] = [("revisions", 2), ("history", 3)];

/// The home folder of a build: in memory, and empty.
const HOME: &str = "/home/user";

/// More output than this ends a build.
const MOST_OUTPUT: u64 = 64 << 20;

/// From now on, until the process ends, versions are built in a sandbox.
pub fn switch_on(cache: &Cache) -> Result<()> {
    let walls = Walls::find();
    let missing = match &walls {
        Ok(walls) if walls.level == Level::Namespaces => None,
        Ok(walls) => walls.missing.first(),
        Err(unavailable) => unavailable.missing.first(),
    };
    if let Some(missing) = missing {
        return Err(BuildError::NoBuildSandbox {
            why: missing.why.clone(),
            remedy: missing.remedy.in_full(),
        });
    }
    let _ = BOX.set(Box {
        cache: cache.root().to_owned(),
        read: readable(cache)?,
        environment: environment(),
    });
    Ok(())
}

/// Builds in a sandbox end when this becomes true: they are no processes of the terminal, which would tell them by itself.
pub fn end_when(interrupt: &Arc<AtomicBool>) {
    let _ = INTERRUPT.set(interrupt.clone());
}

fn is_interrupted() -> bool {
    INTERRUPT
        .get()
        .is_some_and(|flag| flag.load(Ordering::Relaxed))
}

pub fn is_on() -> bool {
    BOX.get().is_some()
}

/// The compilers, as far as they are not in the system's folders.
fn readable(cache: &Cache) -> Result<Vec<PathBuf>> {
    let mut read: Vec<PathBuf> = SYSTEM_FILES.iter().map(PathBuf::from).collect();
    read.push(std::env::current_exe().context("find", "this executable")?);
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    for folder in std::env::split_paths(&path) {
        // A folder of programs, and not one that holds the user's other files.
        let is_home = home.as_ref().is_some_and(|home| home.starts_with(&folder));
        if folder.is_absolute() && folder.is_dir() && !is_home {
            read.push(folder);
        }
    }
    if let Some(cargo) = cargo_home() {
        // Without `credentials.toml`.
        let parts = ["bin", "registry", "git", "config.toml", "config"];
        read.extend(parts.map(|part| cargo.join(part)));
    }
    if let Some(rustup) = rustup_home() {
        let parts = ["toolchains", "settings.toml", "update-hashes"];
        read.extend(parts.map(|part| rustup.join(part)));
    }
    read.extend(SHOWN_OF_THE_CACHE.map(|kind| cache.root().join(kind)));
    Ok(read)
}

fn cargo_home() -> Option<PathBuf> {
    folder_of("CARGO_HOME", ".cargo")
}

fn rustup_home() -> Option<PathBuf> {
    folder_of("RUSTUP_HOME", ".rustup")
}

fn folder_of(variable: &str, in_home: &str) -> Option<PathBuf> {
    let set = std::env::var_os(variable).filter(|value| !value.is_empty());
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(in_home));
    set.map(PathBuf::from).or_else(home)
}

fn environment() -> Vec<(OsString, OsString)> {
    let own = |name: &&str| Some((OsString::from(name), std::env::var_os(name)?));
    let mut all: Vec<(OsString, OsString)> = VARIABLES.iter().filter_map(own).collect();
    let mut set = |name: &str, value: OsString| all.push((name.into(), value));
    set("HOME", HOME.into());
    set("CARGO_NET_OFFLINE", "true".into());
    // A toolchain that is not there would be fetched.
    set("RUSTUP_AUTO_INSTALL", "0".into());
    if let Some(cargo) = cargo_home() {
        set("CARGO_HOME", cargo.into());
    }
    if let Some(rustup) = rustup_home() {
        set("RUSTUP_HOME", rustup.into());
    }
    all
}

/// Runs a tool on a version to its end; a failure carries the tool's own words.
pub(super) fn run(command: &mut Command, task: &str, reach: Reach<'_>) -> Result<Output> {
    let output = output_of(command, reach)?;
    toolchain::succeeded(command, task, output)
}

/// Runs a tool on a version and returns its output whatever its status.
pub(super) fn output_of(command: &mut Command, reach: Reach<'_>) -> Result<Output> {
    match BOX.get() {
        None => toolchain::output_of(command),
        Some(all) => all.output_of(command, reach),
    }
}

impl Box {
    fn output_of(&self, command: &Command, reach: Reach<'_>) -> Result<Output> {
        let name = command.get_program();
        let executable = find_program(name).ok_or_else(|| BuildError::ToolMissing {
            tool: name.to_string_lossy().into_owned(),
            package: "that provides it",
        })?;
        let executable = std::path::absolute(&executable).context("find", &executable)?;
        let folders = self.folders(command, &executable, reach)?;
        let mut given = folders.write.clone();
        given.extend(reach.own_cache.map(Path::to_owned));
        let owned = Owned::give(&given).context("prepare for the sandbox", &self.cache)?;
        let arguments = [name].into_iter().chain(command.get_args());
        let program = Program {
            arguments: arguments.map(|word| word.as_bytes().to_vec()).collect(),
            environment: self.variables(command),
            executable,
            files: Default::default(),
            variables: None,
            // It is the user's own tool, whose libraries may lie anywhere.
            own_folders: vec!["/".into()],
            folders: Some(folders),
            limits: Limits::OF_BUILDS,
        };
        let output = output_in_sandbox(program);
        drop(owned);
        output
    }

    fn folders(&self, command: &Command, executable: &Path, reach: Reach<'_>) -> Result<Folders> {
        let mut read = self.read.clone();
        read.push(executable.to_owned());
        let write: Vec<PathBuf> = reach.write.iter().map(|path| absolute(path)).collect();
        for path in &write {
            self.must_be_in_the_cache(path)?;
        }
        let working = command.get_current_dir().map(absolute);
        for path in reach.read.iter().map(|path| absolute(path)) {
            read.extend(self.version_around(&path));
            read.push(path);
        }
        // A version may say where its compiler runs; that alone shows nothing but the version.
        for path in write.iter().chain(&working) {
            read.extend(self.version_around(path));
        }
        read.retain(|path| path.exists() && !write.contains(path));
        let bytes = |path: &Path| path.as_os_str().as_bytes().to_vec();
        Ok(Folders {
            working: working.unwrap_or_else(|| HOME.into()),
            instead: reach.own_cache.map(|own| (bytes(own), bytes(&self.cache))),
            read,
            write,
        })
    }

    /// A link among a version's files must not make another folder writable, be it one of the user's or of another version.
    fn must_be_in_the_cache(&self, path: &Path) -> Result<()> {
        let real = path.canonicalize().context("resolve", path)?;
        let cache = self.cache.canonicalize().context("resolve", &self.cache)?;
        let entry = path
            .strip_prefix(&self.cache)
            .map(entry_of)
            .unwrap_or_default();
        match real.starts_with(cache.join(entry)) {
            true => Ok(()),
            false => Err(BuildError::BuildSandbox {
                why: format!("`{}` leads out of the version's folder", path.display()),
            }),
        }
    }

    /// All files of the version that a path is in: a header may lie beside its folder.
    fn version_around(&self, path: &Path) -> Option<PathBuf> {
        let inside = path.strip_prefix(&self.cache).ok()?;
        let kind = inside.iter().next()?;
        PLACES.iter().find(|(name, _)| *name == kind)?;
        Some(self.cache.join(entry_of(inside)).join(super::cache::TREE))
    }

    /// What the call sets, over what every build has.
    fn variables(&self, command: &Command) -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut all: std::collections::BTreeMap<&OsStr, &OsStr> = self
            .environment
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect();
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => all.insert(name, value),
                None => all.remove(name),
            };
        }
        let bytes = |text: &OsStr| text.as_bytes().to_vec();
        all.into_iter()
            .map(|(name, value)| (bytes(name), bytes(value)))
            .collect()
    }
}

/// The entry of the cache that a path below the cache is in.
fn entry_of(inside: &Path) -> PathBuf {
    let kind = inside.iter().next().unwrap_or_default();
    let place = PLACES.iter().find(|(name, _)| *name == kind);
    let depth = place.map_or(2, |(_, depth)| *depth);
    inside.iter().take(depth).collect()
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn output_in_sandbox(program: Program) -> Result<Output> {
    let failed = |why: String| BuildError::BuildSandbox { why };
    let mut running = sandbox::start(Level::Namespaces, program, Streams::Pipes)
        .map_err(|error| failed(error.to_string()))?;
    drop(running.launcher.stdin.take());
    let number = running.launcher.id();
    let (stdout, stderr) = (
        running.launcher.stdout.take(),
        running.launcher.stderr.take(),
    );
    let (stdout, stderr) = std::thread::scope(|scope| {
        let errors = scope.spawn(|| collect(stderr, number));
        let (over, is_over) = channel::<()>();
        scope.spawn(move || {
            while is_over.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                if is_interrupted() {
                    // It was not waited for yet.
                    sandbox::stop(number);
                    return;
                }
            }
        });
        let output = collect(stdout, number);
        let errors = errors.join().unwrap_or_default();
        drop(over);
        (output, errors)
    });
    // It may have closed its streams, and go on.
    let report = running
        .finish_unless(is_interrupted)
        .map_err(|error| failed(error.to_string()))?;
    let raw = match report {
        LauncherReport::Ran { end, .. } => match end {
            End::Exited(status) => status << 8,
            End::Killed(signal) => signal,
            End::Limit(limit) => {
                return Err(failed(format!(
                    "it was ended: {}",
                    limit.describe_for_a_build()
                )));
            }
            End::Stopped => {
                let why = match is_interrupted() {
                    true => "it was interrupted",
                    false => "it was ended: it printed more than 64 MB",
                };
                return Err(failed(why.to_owned()));
            }
        },
        LauncherReport::NoWalls(why) | LauncherReport::NotStarted(why) => return Err(failed(why)),
    };
    Ok(Output {
        status: ExitStatus::from_raw(raw),
        stdout,
        stderr,
    })
}

/// All that is printed; who prints too much is ended.
fn collect(pipe: Option<impl Read>, launcher: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.by_ref().take(MOST_OUTPUT + 1).read_to_end(&mut bytes);
        if bytes.len() as u64 > MOST_OUTPUT {
            sandbox::stop(launcher);
        }
    }
    bytes
}

/// A compiler's own words, and what to say of them.
pub(super) fn with_explanation(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(said).trim_end().to_owned();
    match explain(&said) {
        Some(text) => format!("{said}\n{text}"),
        None => said,
    }
}

/// What to say of a build that failed in the sandbox; nothing if it was not in one.
pub(super) fn explain(message: &str) -> Option<String> {
    const NETWORK: [&str; 8] = [
        "Could not resolve",
        "could not resolve",
        "name resolution",
        "Network is unreachable",
        "network is unreachable",
        "offline",
        "Failed to connect",
        "unable to connect",
    ];
    const OUTSIDE: [&str; 4] = [
        "Read-only file system",
        "Permission denied",
        "Operation not permitted",
        "No such file or directory",
    ];
    BOX.get()?;
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    let reason = if says(&NETWORK) {
        "it seems to need the network, which it had not: fetch what it needs first (as `cargo fetch` does)"
    } else if says(&OUTSIDE) {
        "it may need something outside its folder: it sees the system's folders, the compilers and its own files, and writes in its own folder and /tmp"
    } else {
        "it had no network, and saw the system's folders, the compilers and its own files alone"
    };
    Some(format!(
        "it was built in a sandbox (--box-build); {reason}; without --box-build it is built with your rights"
    ))
}

#[cfg(test)]
mod tests {
    use std::fs::create_dir_all;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_makes_nothing_writable_but_the_version_itself() {
        let folder = tempfile::tempdir().unwrap();
        let all = Box {
            cache: folder.path().join("cache"),
            read: Vec::new(),
            environment: Vec::new(),
        };
        let [own, other, work, outside] = [
            "cache/revisions/own/tree/sub",
            "cache/revisions/other/tree",
            "cache/tmp/work-1",
            "outside",
        ]
        .map(|name| folder.path().join(name));
        for folder in [&own, &other, &work, &outside] {
            create_dir_all(folder).unwrap();
        }
        let tree = own.parent().unwrap();
        for (name, target) in [("inner", &own), ("other", &other), ("away", &outside)] {
            symlink(target, tree.join(name)).unwrap();
        }
        let is_allowed = |path: &Path| all.must_be_in_the_cache(path).is_ok();
        for path in [&own, &tree.to_owned(), &tree.join("inner"), &work] {
            assert!(is_allowed(path), "{}", path.display());
        }
        for path in [tree.join("other"), tree.join("away")] {
            assert!(!is_allowed(&path), "{}", path.display());
        }
    }
}
