//! A private cache and working folder for each test, and one way to run the real executable.

#![allow(dead_code, reason = "each test file uses its own part")]

pub(crate) mod repository;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use build::cache::Cache;
use build::libc;
use build::toolchain::Toolchain;

pub(crate) struct Bench {
    root: tempfile::TempDir,
}

/// What a command said and how it ended.
pub(crate) struct Said {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Said {
    /// The report that was asked for with `--format json`.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}{}", self.stdout, self.stderr))
    }
}

impl Bench {
    /// The guest libc is borrowed from the user's cache (and built there if need be); everything else
    /// starts empty.
    pub(crate) fn new() -> Bench {
        static LIBC: OnceLock<PathBuf> = OnceLock::new();
        let real = LIBC.get_or_init(|| {
            let cache = Cache::locate().expect("a cache folder");
            let tools = Toolchain::locate().expect("clang and LLVM tools");
            libc::ensure(&cache, &tools, &|_| {}).expect("the guest libc; run `make setup`");
            cache.root().to_owned()
        });
        let root = tempfile::tempdir().expect("a temporary folder");
        let bench = Bench { root };
        fs::create_dir(bench.cache()).unwrap();
        fs::create_dir(bench.folder()).unwrap();
        for kind in ["sources", "libc", "host-texts"] {
            symlink(real.join(kind), bench.cache().join(kind)).unwrap();
        }
        bench
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.root.path().join("cache")
    }

    /// The folder commands run in.
    pub(crate) fn folder(&self) -> PathBuf {
        self.root.path().join("work")
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn write_script(&self, name: &str, text: &str) -> PathBuf {
        self.write(name, text);
        let path = self.path(name);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.folder())
            .env("PARALLAX_CACHE", self.cache());
        command
            .env_remove("PARALLAX_CC")
            .env_remove("PARALLAX_CLANG")
            .env_remove("PARALLAX_READER");
        command
    }

    pub(crate) fn parallax(&self, arguments: &[&str]) -> Said {
        said(self.command(parallax()).args(arguments))
    }

    /// A shell command with `$CC` set to the wrapper.
    pub(crate) fn shell(&self, script: &str) -> Said {
        let compiler = format!("{} cc", parallax().display());
        said(
            self.command("sh")
                .args(["-euc", script])
                .env("CC", compiler),
        )
    }

    /// Builds, expects success, and returns the module's path.
    pub(crate) fn build(&self, arguments: &[&str]) -> PathBuf {
        let mut all = vec!["build"];
        all.extend(arguments);
        let said = self.parallax(&all);
        assert_eq!(said.status, 0, "{}", said.stderr);
        PathBuf::from(said.stdout.trim())
    }

    /// No work folder may stay behind, whatever happened.
    pub(crate) fn assert_no_leftovers(&self) {
        let tmp = self.cache().join("tmp");
        let left: Vec<_> = fs::read_dir(tmp)
            .map(|entries| entries.flatten().collect())
            .unwrap_or_default();
        assert!(left.is_empty(), "left behind: {left:?}");
    }
}

pub(crate) fn parallax() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_parallax"))
}

pub(crate) fn said(command: &mut Command) -> Said {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().expect("the command starts");
    Said {
        status: status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
    }
}

/// Names of the functions and variables that a module defines.
pub(crate) fn defined(module: &Path) -> Vec<String> {
    let tools = Toolchain::locate().unwrap();
    build::link::symbols(module, &["--defined-only"], &tools).unwrap()
}

pub(crate) fn assert_defines(module: &Path, names: &[&str]) {
    let all = defined(module);
    for name in names {
        assert!(
            all.iter().any(|known| known == name),
            "{name} is missing in {}",
            module.display()
        );
    }
}
