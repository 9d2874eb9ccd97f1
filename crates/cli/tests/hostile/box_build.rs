//! `--box-build`: the build of a stranger's revision does nothing outside its folder, and ordinary projects build as they do without.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::outside::{Outside, SECRET};
use crate::place::{Forbid, Place, User};
use crate::support::{Said, said};

/// A repository of a user, in a folder of its own.
struct Repository<'p> {
    place: &'p Place,
    user: User,
    folder: PathBuf,
    home: PathBuf,
}

const OLD: &str = r#"#include <stdio.h>
#include "limit.h"
int main(void) { int c = getchar(); puts(c > LIMIT ? "large" : "small"); return 0; }
"#;

impl<'p> Repository<'p> {
    /// Two commits: these files, and then another limit.
    fn new(place: &'p Place, user: User, home: &Path, name: &str, files: &[(&str, &str)]) -> Self {
        let repository = Repository {
            place,
            user,
            folder: place.work(user).join(name),
            home: home.to_owned(),
        };
        repository.run("mkdir", &[name], &place.work(user));
        repository.git(&["init", "-q", "."]);
        for (name, text) in files {
            repository.write(name, text);
        }
        repository.commit("one");
        let limit = match files.iter().any(|(name, _)| *name == "src/main.rs") {
            true => ("src/limit.rs", "pub const LIMIT: u8 = 101;\n"),
            false => ("limit.h", "#define LIMIT 101\n"),
        };
        repository.write(limit.0, limit.1);
        repository.commit("two");
        repository
    }

    fn write(&self, name: &str, text: &str) {
        let script =
            "mkdir -p \"$(dirname \"$1\")\" && printf %s \"$2\" >\"$1\" && chmod 755 \"$1\"";
        self.run("sh", &["-c", script, "sh", name, text], &self.folder);
    }

    fn commit(&self, subject: &str) {
        self.git(&["add", "-A"]);
        self.git(&[
            "-c",
            "user.name=n",
            "-c",
            "user.email=n@example.org",
            "commit",
            "-qm",
            subject,
        ]);
    }

    fn git(&self, arguments: &[&str]) {
        self.run("git", arguments, &self.folder);
    }

    fn run(&self, program: &str, arguments: &[&str], folder: &Path) {
        let mut command = self
            .place
            .command(Path::new(program), self.user, Forbid::Nothing);
        command
            .args(arguments)
            .current_dir(folder)
            .env("HOME", &self.home);
        let said = said(&mut command);
        assert_eq!(
            said.status, 0,
            "{program} {arguments:?}: {}{}",
            said.stdout, said.stderr
        );
    }

    fn parallax(&self, arguments: &[&str], forbid: Forbid) -> Said {
        let mut command = self.place.parallax(self.user, forbid);
        let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
        for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            let set = std::env::var_os(name).unwrap_or_else(|| home.join(folder).into());
            command.env(name, set);
        }
        command
            .args(arguments)
            .current_dir(&self.folder)
            .env("HOME", &self.home);
        said(&mut command)
    }

    fn check(&self, more: &[&str]) -> Said {
        let fixed = [
            "check",
            "--git",
            "HEAD~1..HEAD",
            "--sym-stdin",
            "1",
            "--fresh",
            "--format",
            "json",
        ];
        self.parallax(&[&fixed, more].concat(), Forbid::Nothing)
    }
}

/// Every way out that a script has. What succeeds says so in a file that the test looks for.
fn attack(outside: &Outside) -> String {
    let (path, canary, port) = (outside.path().display(), outside.canary(), outside.port());
    format!(
        r#"#!/bin/bash
won() {{ echo "BROKE OUT: $1" | tee -a broke-out; }}
for place in "{path}" "$HOME" ~ /root /tmp/../root /etc /usr/bin; do
    for name in file guard home/.bashrc .bashrc .profile new; do
        [ "$place" = "$HOME" ] && [ "$HOME" = /home/user ] && continue
        {{ echo hostile >>"$place/$name"; }} 2>/dev/null && won "write $place/$name"
    done
done
rm -rf "{path}/folder" 2>/dev/null; mv "{path}/file" moved 2>/dev/null && won move
chmod 777 "{path}/file" 2>/dev/null && won chmod
touch "{path}/file" 2>/dev/null && won touch
cat "{path}/private" "{path}/home/.ssh/id_ed25519" >stolen 2>/dev/null && won read
env >environment; cat /proc/*/environ >environments 2>/dev/null
ls -R "{path}" >listed 2>/dev/null && won list
kill -9 {canary} 2>/dev/null && won kill
{{ exec 3<>/dev/tcp/127.0.0.1/{port}; }} 2>/dev/null && won connect
{{ echo x >/dev/udp/127.0.0.1/{port}; }} 2>/dev/null
cp /usr/bin/env lent; chmod 4755 lent 2>/dev/null && won set-user-id
chmod u+s,g+s lent 2>/dev/null && won set-user-id
ln "{path}/file" linked 2>/dev/null && won link
ln -s "{path}/folder" include; mkfifo pipe
cp /usr/bin/sleep hostile-{port}; setsid ./hostile-{port} 1000 >/dev/null 2>&1 </dev/null & disown
mount -t tmpfs none "{path}" 2>/dev/null && won mount
unshare -U true 2>/dev/null && won namespaces
for entry in "$(dirname "$CC")"/../../*/* "$PARALLAX_CACHE"/*/*; do
    case $entry in */libc/*|*/sources/*|*/host-texts/*) {{ echo x >>"$entry/x"; }} 2>/dev/null && won "$entry" ;; esac
done
true
"#
    )
}

const PLAIN: [(&str, &str); 2] = [("main.c", OLD), ("limit.h", "#define LIMIT 100\n")];
const MAKE: (&str, &str) = (
    "Makefile",
    "program: main.c limit.h\n\t[ ! -f attack.sh ] || ./attack.sh\n\t$(CC) -c main.c\n\t$(CC) -o program main.o\n",
);
const CONFIGURE: [(&str, &str); 2] = [
    (
        "configure",
        "#!/bin/sh\n[ ! -f attack.sh ] || ./attack.sh\necho 'int main(void) { return 0; }' >conftest.c && $CC conftest.c -o conftest && ./conftest || exit 1\n\
         sed s/@NAME@/program/ Makefile.in >Makefile\n",
    ),
    ("Makefile.in", "@NAME@: main.c\n\t$(CC) -o @NAME@ main.c\n"),
];
const CMAKE: (&str, &str) = (
    "CMakeLists.txt",
    "cmake_minimum_required(VERSION 3.10)\nproject(p C)\nif(EXISTS ${CMAKE_SOURCE_DIR}/attack.sh)\n  \
     execute_process(COMMAND ${CMAKE_SOURCE_DIR}/attack.sh WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})\nendif()\nadd_executable(program main.c)\n",
);
const CARGO: [(&str, &str); 4] = [
    (
        "Cargo.toml",
        "[package]\nname = \"program\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
    ),
    (
        "build.rs",
        "fn main() { let _ = std::process::Command::new(\"bash\").arg(\"attack.sh\").status(); }\n",
    ),
    (
        "src/main.rs",
        "mod limit;\nuse std::io::Read;\nfn main() {\n    let mut byte = [0];\n    let _ = std::io::stdin().read(&mut byte);\n    \
         println!(\"{}\", if byte[0] > limit::LIMIT { \"large\" } else { \"small\" });\n}\n",
    ),
    ("src/limit.rs", "pub const LIMIT: u8 = 100;\n"),
];

/// The kinds of project, by name.
fn projects() -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    let c = |more: &[(&'static str, &'static str)]| [&PLAIN[..], more].concat();
    vec![
        ("plain", c(&[])),
        ("make", c(&[MAKE])),
        ("configure", c(&CONFIGURE)),
        ("cmake", c(&[CMAKE])),
        ("cargo", CARGO.to_vec()),
    ]
}

/// Compilers of root's home folder are out of an ordinary user's reach.
fn can_use_cargo(user: User) -> bool {
    user == User::Own
}

#[test]
fn hostile_builds_do_nothing_outside() {
    let place = Place::new();
    let mut outside = Outside::new(place.ordinary());
    let attack = attack(&outside);
    for user in place.users() {
        for (name, mut files) in projects() {
            if name == "plain" || (name == "cargo" && !can_use_cargo(user)) {
                continue;
            }
            files.push(("attack.sh", &attack));
            let home = outside.path().join("home");
            let repository =
                Repository::new(&place, user, &home, &format!("hostile-{name}"), &files);
            let said = repository.check(&["--box-build"]);
            assert_eq!(
                said.status, 1,
                "{user:?}, {name}: {}{}",
                said.stdout, said.stderr
            );
            outside.assert_untouched(&format!("the build with {name} by {user:?}"));
            assert_clean(&place.cache(user), &format!("{name}, {user:?}"));
        }
    }
}

/// Nothing stolen, no success, nothing of another owner, and no borrowed rights are in the cache; and the attack was made.
fn assert_clean(cache: &Path, after: &str) {
    let owner = cache.metadata().unwrap().uid();
    let mut attacks = 0;
    let mut pending = vec![cache.join("revisions"), cache.join("twins")];
    while let Some(path) = pending.pop() {
        let Ok(data) = path.symlink_metadata() else {
            continue;
        };
        assert_eq!(data.uid(), owner, "{after}: {}", path.display());
        if data.is_dir() {
            pending.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else if data.is_file() {
            let mode = data.permissions().mode();
            assert_eq!(mode & 0o6000, 0, "{after}: {} is {mode:o}", path.display());
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            attacks += usize::from(name == "environment");
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            let is_script = name == "attack.sh";
            assert!(
                is_script || (!text.contains(SECRET) && !text.contains("BROKE OUT: ")),
                "{after}: {}: {text}",
                path.display()
            );
        }
    }
    assert!(attacks > 0, "{after}: nothing was attacked");
}

/// The same build without the sandbox reaches what it wants: the test above can fail.
#[test]
fn without_the_sandbox_a_build_reaches_everything() {
    let place = Place::new();
    let outside = Outside::new(place.ordinary());
    let made = outside.path().join("made");
    let attack = format!("#!/bin/sh\necho x >'{}'\ntrue\n", made.display());
    let files = [&PLAIN[..], &[MAKE, ("attack.sh", &attack)]].concat();
    let home = outside.path().join("home");
    let repository = Repository::new(&place, User::Own, &home, "open", &files);
    assert_eq!(repository.check(&["--box-build"]).status, 1);
    assert!(!made.exists());
    assert_eq!(repository.check(&[]).status, 1);
    assert!(made.exists());
}

#[test]
fn ordinary_projects_build_the_same() {
    let place = Place::new();
    let home = tempfile::tempdir().unwrap();
    for user in place.users() {
        for (name, files) in projects() {
            if name == "cargo" && !can_use_cargo(user) {
                continue;
            }
            let repository = Repository::new(&place, user, home.path(), name, &files);
            let (boxed, open) = (repository.check(&["--box-build"]), repository.check(&[]));
            for said in [&boxed, &open] {
                assert_eq!(
                    said.status, 1,
                    "{user:?}, {name}: {}{}",
                    said.stdout, said.stderr
                );
            }
            let (boxed, open) = (boxed.json(), open.json());
            for part in ["verdict", "bounds", "assumptions"] {
                assert_eq!(boxed[part], open[part], "{user:?}, {name}: {part}");
            }
            let kinds = |report: &serde_json::Value| report["differences"].as_array().map(Vec::len);
            assert_eq!(kinds(&boxed), kinds(&open), "{user:?}, {name}");
        }
        let repository = Repository::new(&place, user, home.path(), "bisected", &projects()[1].1);
        for (command, status) in [
            (
                &["complexity", "--git", "HEAD", "--build", "make CC=\"$CC\""][..],
                0,
            ),
            (&["diff", "--git", "HEAD~1..HEAD"][..], 1),
        ] {
            let boxed = repository.parallax(&[command, &["--box-build"]].concat(), Forbid::Nothing);
            let open = repository.parallax(command, Forbid::Nothing);
            assert_eq!(
                boxed.status, open.status,
                "{command:?}: {}{}",
                boxed.stdout, boxed.stderr
            );
            assert!(
                boxed.status <= status,
                "{command:?}: {}{}",
                boxed.stdout,
                boxed.stderr
            );
        }
    }
}

#[test]
fn what_a_build_lacks_in_the_sandbox_is_said() {
    let place = Place::new();
    let home = tempfile::tempdir().unwrap();
    let network = "program:\n\tbash -c 'exec 3<>/dev/tcp/example.org/80'\n";
    let files = [&PLAIN[..], &[("Makefile", network)]].concat();
    let repository = Repository::new(&place, User::Own, home.path(), "network", &files);
    let said = repository.check(&["--box-build"]);
    assert_eq!(said.status, 2, "{}{}", said.stdout, said.stderr);
    for words in [
        "it was built in a sandbox (--box-build)",
        "it seems to need the network",
    ] {
        assert!(said.stderr.contains(words), "{}", said.stderr);
    }
    // Without namespaces there is no such sandbox, and nothing is built.
    let fixed = ["check", "--git", "HEAD~1..HEAD", "--box-build"];
    let said = repository.parallax(&fixed, Forbid::Namespaces);
    assert_eq!(said.status, 2, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stderr
            .contains("--box-build needs a sandbox with namespaces"),
        "{}",
        said.stderr
    );
    assert!(
        said.stderr.contains("allow user namespaces"),
        "{}",
        said.stderr
    );
}

/// A version's folder that is a link would be a folder of the user's.
#[test]
fn a_link_does_not_make_a_folder_writable() {
    let place = Place::new();
    let mut outside = Outside::new(place.ordinary());
    let home = outside.path().join("home");
    let files = [&PLAIN[..], &[MAKE]].concat();
    let repository = Repository::new(&place, User::Own, &home, "linked", &files);
    let target = outside.path().join("folder");
    repository.run(
        "ln",
        &["-s", &target.to_string_lossy(), "sub"],
        &repository.folder,
    );
    repository.write("second/main.c", OLD);
    repository.commit("a link");
    repository.run(
        "sh",
        &[
            "-c",
            "rm sub && mkdir sub && cp main.c limit.h Makefile sub",
        ],
        &repository.folder,
    );
    repository.commit("a folder");
    let mut command = place.parallax(User::Own, Forbid::Nothing);
    command
        .args([
            "check",
            "--git",
            "HEAD~1..HEAD",
            "--box-build",
            "--build",
            "echo x >made; make CC=\"$CC\"",
        ])
        .current_dir(repository.folder.join("sub"))
        // Asked where it is, rustup makes itself a folder in a home that has none.
        .env("RUSTUP_HOME", rustup_home())
        .env("HOME", &home);
    let said = said(&mut command);
    assert_eq!(said.status, 2, "{}{}", said.stdout, said.stderr);
    outside.assert_untouched("a build in a link");
}

/// An archive of a whole repository has settings for git, too: filters that its attributes name, hooks, helpers, and where to fetch what is
/// missing. Attributes, links and submodules with commands for URLs come with every clone.
#[test]
fn settings_of_a_repository_run_nothing_outside() {
    let place = Place::new();
    let mut outside = Outside::new(place.ordinary());
    let home = outside.path().join("home");
    let made = outside.path().join("made");
    let order = format!("sh -c 'echo x >{}; cat'", made.display());
    let modules =
        format!("[submodule \"sub\"]\n\tpath = sub\n\turl = ext::{order}\n\tupdate = !{order}\n");
    let stranger = [
        (".gitattributes", "* filter=evil diff=evil ident\n"),
        (".gitmodules", modules.as_str()),
        (".lfsconfig", "[lfs]\n\turl = http://localhost:9/\n"),
    ];
    let files = [&PLAIN[..], &[MAKE], &stranger].concat();
    let repository = Repository::new(&place, User::Own, &home, "settings", &files);
    let module = "160000,1234567890123456789012345678901234567890,sub";
    repository.run("mkdir", &["sub"], &repository.folder);
    repository.git(&["update-index", "--add", "--cacheinfo", module]);
    repository.write("limit.h", "#define LIMIT 102\n");
    repository.commit("another limit, and a submodule that nobody has");
    for name in [
        "filter.evil.smudge",
        "filter.evil.clean",
        "filter.evil.process",
        "core.fsmonitor",
        "core.sshCommand",
        "core.alternateRefsCommand",
        "diff.evil.textconv",
        "diff.external",
        "core.pager",
        "gpg.program",
        "remote.origin.uploadpack",
    ] {
        repository.git(&["config", name, &order]);
    }
    for (name, value) in [
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", &format!("ext::{order}")),
        ("protocol.ext.allow", "always"),
        ("log.showSignature", "true"),
        ("filter.evil.required", "true"),
    ] {
        repository.git(&["config", name, value]);
    }
    for hook in [
        "post-checkout",
        "post-index-change",
        "reference-transaction",
    ] {
        let text = format!("#!/bin/sh\necho x >'{}'\n", made.display());
        repository.write(&format!(".git/hooks/{hook}"), &text);
    }
    for span in ["HEAD~1..HEAD", "HEAD~1.."] {
        let said = repository.parallax(
            &[
                "check",
                "--git",
                span,
                "--box-build",
                "--sym-stdin",
                "1",
                "--fresh",
            ],
            Forbid::Nothing,
        );
        assert_eq!(said.status, 1, "{span}: {}{}", said.stdout, said.stderr);
        outside.assert_untouched(&format!("settings of a repository, {span}"));
    }
    // Without it git does what the repository says, as for everybody who calls it there.
    repository.check(&[]);
    assert!(made.exists(), "nothing was attacked");
}

/// What a build leaves in its own cache is taken over up to the room that it had, and files with holes do not get around that.
#[test]
fn a_build_cannot_fill_the_cache() {
    let place = Place::new();
    let home = tempfile::tempdir().unwrap();
    let fill = "program: main.c limit.h\n\tmkdir -p $$PARALLAX_CACHE/twins\n\tfor i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do \
                truncate -s 256M $$PARALLAX_CACHE/twins/$$i.bc; done\n\t$(CC) -o program main.c\n";
    let files = [&PLAIN[..], &[("Makefile", fill)]].concat();
    let repository = Repository::new(&place, User::Own, home.path(), "filled", &files);
    let said = repository.check(&["--box-build"]);
    assert_eq!(said.status, 2, "{}{}", said.stdout, said.stderr);
    let words = "more files, or larger ones, than a build may write in a sandbox";
    assert!(said.stderr.contains(words), "{}", said.stderr);
}

/// A build that never ends, and has closed its streams, ends when Parallax is told to.
#[test]
fn a_build_ends_when_the_user_says_so() {
    let place = Place::new();
    let home = tempfile::tempdir().unwrap();
    let endless = "program:\n\ttouch started; exec >/dev/null 2>&1; sleep 1000\n";
    let files = [&PLAIN[..], &[("Makefile", endless)]].concat();
    let repository = Repository::new(&place, User::Own, home.path(), "endless", &files);
    let cache = place.cache(User::Own);
    let mut command = place.parallax(User::Own, Forbid::Nothing);
    let mut running = command
        .args([
            "check",
            "--git",
            "HEAD~1..HEAD",
            "--box-build",
            "--sym-stdin",
            "1",
        ])
        .current_dir(&repository.folder)
        .env("HOME", home.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let is_started = || find(&cache.join("revisions"), "started");
    wait_until("the build begins", is_started);
    let asked = Command::new("kill")
        .args(["-TERM", &running.id().to_string()])
        .status();
    assert!(asked.unwrap().success());
    wait_until("the build ends", || running.try_wait().unwrap().is_some());
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "waited too long until {what}"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Whether there is a file of this name somewhere below a folder.
fn find(folder: &Path, name: &str) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        entry.file_name() == name || (is_folder && find(&entry.path(), name))
    })
}

/// Where the toolchains are.
fn rustup_home() -> PathBuf {
    let said = std::env::var_os("RUSTUP_HOME").map(Into::into);
    let home = || std::env::home_dir().unwrap_or_default().join(".rustup");
    said.unwrap_or_else(home)
}
