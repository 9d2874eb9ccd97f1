//! Where hostile programs are built and run: a folder, a cache and executables that an ordinary user can reach.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

use super::outside::SECRET;
use crate::support::{Bench, Said, parallax, said};

/// An account that is nobody's, present on every Linux system.
const ORDINARY: u32 = 65_534;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum User {
    /// Who runs the test.
    Own,
    /// Only if the test is run by root.
    Ordinary,
}

/// What a filter around Parallax refuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Forbid {
    Nothing,
    Namespaces,
    /// As on an older kernel: namespaces stand without a second wall.
    Landlock,
    Both,
}

/// The names of all hostile programs.
pub(crate) fn programs() -> Vec<String> {
    let files = fs::read_dir(sources()).unwrap().flatten();
    let names = files.filter_map(|file| {
        let name = file.file_name().into_string().unwrap();
        name.strip_suffix(".c").map(str::to_owned)
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/hostile")
        .canonicalize()
        .unwrap()
}

pub(crate) struct Place {
    folder: tempfile::TempDir,
    /// What the programs looked like when they were made.
    compiled: std::sync::Mutex<BTreeMap<PathBuf, String>>,
}

impl Place {
    pub(crate) fn new() -> Place {
        // Makes the guest's C library if need be.
        let bench = Bench::new();
        let folder = tempfile::Builder::new()
            .prefix("hostile-place-")
            .tempdir()
            .unwrap();
        let place = Place {
            folder,
            compiled: Default::default(),
        };
        place.open(place.folder.path());
        for name in ["bin", "work", "cache", "programs", "config"] {
            fs::create_dir(place.path(name)).unwrap();
            place.open(&place.path(name));
        }
        for user in [User::Own, User::Ordinary] {
            let folder = place.work(user);
            fs::create_dir(&folder).unwrap();
            place.give(&folder, user);
        }
        for user in [User::Own, User::Ordinary] {
            place.copy_cache(&bench.cache(), user);
        }
        let near = parallax().parent().unwrap();
        for name in ["parallax", "parallax-box", "parallax-read-bitcode"] {
            place.bring(&near.join(name));
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The guest's C library, for each user: they could not write into each other's caches.
    fn copy_cache(&self, from: &Path, user: User) {
        let cache = self.cache(user);
        let copied = Command::new("cp")
            .args(["-rL", "--no-preserve=mode"])
            .arg(from)
            .arg(&cache)
            .status();
        assert!(copied.unwrap().success());
        if let (User::Ordinary, Some(number)) = (user, self.ordinary()) {
            let owner = format!("{number}:{number}");
            let given = Command::new("chown")
                .args(["-R", &owner])
                .arg(&cache)
                .status();
            assert!(given.unwrap().success());
        }
    }

    pub(crate) fn cache(&self, user: User) -> PathBuf {
        self.path("cache").join(format!("{user:?}"))
    }

    pub(crate) fn work(&self, user: User) -> PathBuf {
        self.path("work").join(format!("{user:?}"))
    }

    fn open(&self, path: &Path) {
        fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
    }

    fn give(&self, path: &Path, user: User) {
        if let (User::Ordinary, Some(number)) = (user, self.ordinary()) {
            chown(path, Some(number), Some(number)).unwrap();
        }
    }

    /// Copies an executable to where everybody can run it.
    pub(crate) fn bring(&self, executable: &Path) -> PathBuf {
        let place = self.path("bin").join(executable.file_name().unwrap());
        fs::copy(executable, &place)
            .unwrap_or_else(|error| panic!("{}: {error}; run `make setup`", executable.display()));
        self.open(&place);
        place
    }

    /// The ordinary user's number, if this is root.
    pub(crate) fn ordinary(&self) -> Option<u32> {
        (self.folder.path().metadata().unwrap().uid() == 0).then_some(ORDINARY)
    }

    pub(crate) fn users(&self) -> Vec<User> {
        match self.ordinary() {
            Some(_) => vec![User::Own, User::Ordinary],
            None => {
                eprintln!("not run by root: commands are run by an ordinary user alone");
                vec![User::Own]
            }
        }
    }

    /// Every program, built natively.
    pub(crate) fn compile_all(&self, flags: &[String]) -> PathBuf {
        let folder = self.path("programs");
        let all = programs();
        std::thread::scope(|scope| {
            for part in all.chunks(all.len().div_ceil(2)) {
                let folder = &folder;
                scope.spawn(move || {
                    for name in part {
                        let mut clang = Command::new("clang-22");
                        clang
                            .args(["-w", "-pthread"])
                            .args(flags)
                            .arg(sources().join(name).with_extension("c"));
                        assert!(
                            clang
                                .arg("-o")
                                .arg(folder.join(name))
                                .status()
                                .unwrap()
                                .success(),
                            "{name}"
                        );
                    }
                });
            }
        });
        *self.compiled.lock().unwrap() = describe(&folder);
        folder
    }

    /// The programs themselves are outside, too.
    pub(crate) fn assert_unchanged(&self, folder: &Path) {
        assert_eq!(describe(folder), *self.compiled.lock().unwrap());
    }

    /// A command that a user runs, where something is forbidden.
    pub(crate) fn command(&self, program: &Path, user: User, forbid: Forbid) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.work(user))
            .env("PARALLAX_CACHE", self.cache(user))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("SECRET", SECRET)
            .env_remove("PARALLAX_READER")
            .env_remove("PARALLAX_BOX");
        if let (User::Ordinary, Some(number)) = (user, self.ordinary()) {
            command.uid(number).gid(number);
        }
        let filter = match forbid {
            Forbid::Nothing => None,
            Forbid::Namespaces => Some(filter(&[libc::SYS_unshare, libc::SYS_setns])),
            Forbid::Landlock => Some(filter(&[libc::SYS_landlock_create_ruleset])),
            Forbid::Both => Some(filter(&[
                libc::SYS_unshare,
                libc::SYS_setns,
                libc::SYS_landlock_create_ruleset,
            ])),
        };
        if let Some(filter) = filter {
            // SAFETY: between fork and exec only two calls of the kernel are made, on memory that was prepared before.
            unsafe {
                command.pre_exec(move || {
                    seccompiler::apply_filter(&filter).map_err(|_| std::io::ErrorKind::Other.into())
                })
            };
        }
        command
    }

    pub(crate) fn parallax(&self, user: User, forbid: Forbid) -> Command {
        let mut command = self.command(&self.path("bin/parallax"), user, forbid);
        // Filling the usual 2 GiB takes a second each time; `each_program_is_kept_in` does.
        command.env("PARALLAX_NATIVE_MEMORY", "512");
        command
    }

    /// Two versions that each make these attacks, and differ on one input.
    fn write_versions(&self, names: &[&str], user: User) {
        for (file, version) in [("old.c", 1), ("new.c", 2)] {
            let path = self.work(user).join(file);
            fs::write(&path, versions(names, version)).unwrap();
            self.give(&path, user);
        }
    }

    pub(crate) fn check(
        &self,
        names: &[&str],
        flags: &[String],
        user: User,
        forbid: Forbid,
        function: bool,
    ) -> Said {
        self.write_versions(names, user);
        let mut command = self.parallax(user, forbid);
        command
            .args(["check", "old.c", "new.c", "--fresh"])
            .args(cflags(flags));
        match function {
            true => command.args(["--fn", "measured"]),
            false => command.args(["--sym-stdin", "1"]),
        };
        clean(said(&mut command))
    }

    pub(crate) fn replay(
        &self,
        names: &[&str],
        flags: &[String],
        user: User,
        forbid: Forbid,
    ) -> Said {
        self.write_versions(names, user);
        let test = self.work(user).join("tests/one");
        fs::create_dir_all(&test).unwrap();
        for (name, text) in [
            ("argv", ""),
            ("stdin", "x"),
            ("expected.stdout", "version 2\ndone\n"),
            (
                "expected.json",
                r#"{"kind": "exit", "shell_status": 0, "description": "exit with status 0", "undefined": false}"#,
            ),
        ] {
            fs::write(test.join(name), text).unwrap();
        }
        let mut command = self.parallax(user, forbid);
        command
            .args(["replay", "new.c", "--tests", "tests"])
            .args(cflags(flags));
        if names.iter().any(|name| name.ends_with("for_ever")) {
            command.args(["--timeout", "1s"]);
        }
        clean(said(&mut command))
    }

    /// Two versions that do the same.
    pub(crate) fn check_equal(&self, forbid: Forbid) -> Said {
        let code = |sum: &str| {
            format!("#include <stdio.h>\nint main(void) {{ int c = getchar(); return {sum}; }}\n")
        };
        fs::write(self.work(User::Own).join("one.c"), code("c + c")).unwrap();
        fs::write(self.work(User::Own).join("two.c"), code("c * 2")).unwrap();
        said(
            self.parallax(User::Own, forbid)
                .args(["check", "one.c", "two.c", "--sym-stdin", "1"]),
        )
    }
}

/// No output shows a success or a secret.
fn clean(said: Said) -> Said {
    for text in [&said.stdout, &said.stderr] {
        assert!(
            !text.contains("BROKE OUT") && !text.contains(SECRET),
            "{text}"
        );
    }
    said
}

fn cflags(flags: &[String]) -> Vec<String> {
    let folder = format!("--cflag=-I{}", sources().display());
    let flags = flags.iter().map(|flag| format!("--cflag={flag}"));
    flags.chain([folder, "--cflag=-w".to_owned()]).collect()
}

/// One attack, or a program that makes several, each in a process of its own.
fn versions(names: &[&str], version: u32) -> String {
    let head = format!("#define VERSION {version}\n");
    if let [name] = names {
        return format!("{head}#include \"{name}.c\"\n");
    }
    let mut text = head + "#include \"hostile.h\"\n";
    for (number, name) in names.iter().enumerate() {
        text += &format!("#define attack attack{number}\n#include \"{name}.c\"\n#undef attack\n");
    }
    text += "static void one(void (*attack)(void)) {\n    pid_t child = fork();\n    if (child == 0) { attack(); _exit(0); }\n    \
             if (child > 0) waitpid(child, NULL, 0);\n}\n\
             static int tidy(const char *path, const struct stat *data, int kind, struct FTW *where) {\n    \
             (void)data, (void)kind;\n    return where->level ? remove(path) : 0;\n}\nstatic void attack(void) {\n";
    for number in 0..names.len() {
        text += &format!("    one(attack{number});\n");
    }
    // What they leave in the folder is not what the versions differ in.
    text + "    chmod(\"closed\", 0755);\n    nftw(\".\", tidy, 16, FTW_DEPTH | FTW_PHYS);\n}\n"
}

fn filter(calls: &[i64]) -> BpfProgram {
    let rules = calls.iter().map(|&call| (call, Vec::new())).collect();
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        refuse,
        seccompiler::TargetArch::x86_64,
    );
    filter.unwrap().try_into().unwrap()
}

/// Mode, owner, times and content of each file of a folder.
fn describe(folder: &Path) -> BTreeMap<PathBuf, String> {
    let files = fs::read_dir(folder).unwrap().flatten();
    let described = files.map(|file| {
        let data = file.metadata().unwrap();
        let content = blake3::hash(&fs::read(file.path()).unwrap());
        let text = format!(
            "{:o} {} {} {} {content}",
            data.mode(),
            data.uid(),
            data.ctime(),
            data.ctime_nsec()
        );
        (file.path(), text)
    });
    described.collect()
}
