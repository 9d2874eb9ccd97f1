//! What a program sees and can do behind the walls of each level.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sandbox::{End, Folders, LauncherReport, Level, Limit, Limits, Program, Streams, start};

fn shell(script: &str) -> Program {
    Program {
        executable: PathBuf::from("/bin/sh"),
        arguments: [&b"our-name"[..], b"-c", script.as_bytes()]
            .map(<[u8]>::to_vec)
            .to_vec(),
        environment: vec![(b"PATH".to_vec(), b"/usr/bin:/bin".to_vec())],
        files: BTreeMap::from([(PathBuf::from("folder/given"), b"content\n".to_vec())]),
        variables: Some(("VARIABLES".to_owned(), b"variables\n".to_vec())),
        own_folders: Vec::new(),
        folders: None,
        limits: Limits::default(),
    }
}

struct Said {
    end: End,
    stdout: String,
    stderr: String,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

fn run(level: Level, program: Program) -> Said {
    let mut running = start(level, program, Streams::Pipes).unwrap();
    drop(running.launcher.stdin.take());
    let (mut stdout, mut stderr) = (String::new(), String::new());
    running
        .launcher
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut stdout)
        .unwrap();
    running
        .launcher
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    match running.finish().unwrap() {
        LauncherReport::Ran { end, files, .. } => Said {
            end,
            stdout,
            stderr,
            files,
        },
        other => panic!("{level:?}: {other:?}"),
    }
}

#[test]
fn a_program_runs_as_it_was_asked_for() {
    for level in [Level::Namespaces, Level::Landlock, Level::Unconfined] {
        let said = run(
            level,
            shell("echo $0; cat folder/given $VARIABLES; umask; echo new >made; exit 7"),
        );
        assert_eq!(
            said.stdout, "our-name\ncontent\nvariables\n0022\n",
            "{level:?}: {}",
            said.stderr
        );
        assert_eq!(said.end, End::Exited(7));
        assert_eq!(said.files[Path::new("made")], b"new\n");
        assert_eq!(said.files[Path::new("folder/given")], b"content\n");
        assert_eq!(said.files.len(), 2);
        let said = run(level, shell("kill -ABRT $$"));
        assert_eq!(said.end, End::Killed(6), "{level:?}");
    }
}

/// For an ordinary user their descriptors are as closed as those of who hides them.
#[test]
fn children_that_have_ended_are_no_harm() {
    let script = "for i in 1 2 3 4 5 6; do true & done; exec sleep 0.4";
    for level in [Level::Namespaces, Level::Landlock] {
        assert_eq!(run(level, shell(script)).end, End::Exited(0), "{level:?}");
    }
}

/// Set for the process that stands for Parallax in the next test, and is killed.
const TO_BE_KILLED: &str = "PARALLAX_TO_BE_KILLED";

#[test]
fn nothing_stays_when_parallax_is_killed() {
    if let Some(mark) = std::env::var_os(TO_BE_KILLED) {
        let mark = mark.into_string().unwrap();
        let level = match mark.ends_with("Landlock") {
            true => Level::Landlock,
            false => Level::Namespaces,
        };
        // One child leaves the session, and no stream is Parallax's.
        let script = format!(
            "setsid sh -c 'sleep 1000; : {mark}' </dev/null >/dev/null 2>&1 & sleep 1000; : {mark}"
        );
        let _running = start(level, shell(&script), Streams::Nothing).unwrap();
        std::thread::sleep(Duration::from_secs(600));
    }
    for level in [Level::Namespaces, Level::Landlock] {
        let place = tempfile::tempdir().unwrap();
        let mark = format!("mark-{}-{level:?}", std::process::id());
        let mut parallax = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "nothing_stays_when_parallax_is_killed"])
            .env(TO_BE_KILLED, &mark)
            .env("TMPDIR", place.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        wait_for(&mark, 2);
        parallax.kill().unwrap();
        parallax.wait().unwrap();
        wait_for(&mark, 0);
        wait_until_only_files_of_a_run_are_left(place.path(), level);
    }
}

/// What may be left is what Parallax itself would have removed: the request, and the report, in a folder that nobody else can read.
/// The launcher ends the program's processes before it removes its folder.
fn wait_until_only_files_of_a_run_are_left(place: &Path, level: Level) {
    let start = Instant::now();
    loop {
        let folders = std::fs::read_dir(place).unwrap().flatten();
        let files = folders.flat_map(|folder| std::fs::read_dir(folder.path()).unwrap().flatten());
        let names: Vec<_> = files.map(|file| file.file_name()).collect();
        let is_known = |name: &OsString| {
            ["request", "report", "variables", "program"]
                .iter()
                .any(|known| name == known)
        };
        if names.iter().all(is_known) {
            return;
        }
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{level:?}: {names:?}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until so many programs of a sandbox that were given these words run.
fn wait_for(mark: &str, number: usize) {
    let start = Instant::now();
    loop {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let found = processes.filter(|process| {
            let words = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
            let words = String::from_utf8_lossy(&words).into_owned();
            words.contains("sleep 1000") && words.contains(mark)
        });
        let found = found.count();
        if found == number {
            return;
        }
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{mark}: {found} processes, not {number}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A build's cache of its own is on the host's disk, under the name of another folder.
#[test]
fn what_stands_for_another_folder_is_bounded_too() {
    let place = tempfile::tempdir().unwrap();
    let [own, name, work] = ["own", "name", "work"].map(|name| place.path().join(name));
    for folder in [&own, &name, &work] {
        std::fs::create_dir(folder).unwrap();
        // Nobody is given the folders here.
        std::fs::set_permissions(folder, PermissionsExt::from_mode(0o777)).unwrap();
    }
    let bytes = |path: &Path| path.as_os_str().as_bytes().to_vec();
    let program = |script: String, kilobytes: u64| Program {
        folders: Some(Folders {
            working: work.clone(),
            instead: Some((bytes(&own), bytes(&name))),
            read: Vec::new(),
            write: vec![work.clone()],
        }),
        files: BTreeMap::new(),
        limits: Limits {
            folder_bytes: kilobytes << 10,
            ..Limits::default()
        },
        ..shell(&script)
    };
    let fill = format!("head -c 16777216 /dev/zero >{}/large; ", name.display());
    let said = run(Level::Namespaces, program(fill.clone(), 65_536));
    assert_eq!(said.end, End::Exited(0), "{}", said.stderr);
    assert!(own.join("large").exists());
    let said = run(Level::Namespaces, program(fill + "sleep 100", 8192));
    assert_eq!(said.end, End::Limit(Limit::Folder), "{}", said.stderr);
}

/// What is reported is the folder that the program was given, whatever stands in its place at the end.
#[test]
fn a_link_in_the_place_of_the_folder_is_not_followed() {
    for level in [Level::Namespaces, Level::Landlock] {
        let script =
            "echo new >made; mv \"$PWD\" \"$PWD-away\" && ln -s /etc/alternatives \"$PWD\"";
        let said = run(level, shell(script));
        let names: Vec<&PathBuf> = said.files.keys().collect();
        let expected = ["folder/given", "made"].map(PathBuf::from);
        assert_eq!(names, expected.iter().collect::<Vec<_>>(), "{level:?}");
    }
}

#[test]
fn the_sandbox_looks_like_the_vm() {
    let script = "id; hostname; pwd; echo $$ $PPID; ls -a / /tmp /dev /home /etc; cat /proc/sys/kernel/hostname; grep Cap /proc/self/status; \
                  ls /proc | grep -c '^[0-9]'";
    let said = run(Level::Namespaces, shell(script));
    for text in [
        "uid=1000 gid=1000 groups=1000",
        "\nlocalhost\n",
        "\n/home/user\n",
        "\n1000 1\n",
        "CapEff:\t0000000000000000",
        "CapBnd:\t0000000000000000",
    ] {
        assert!(said.stdout.contains(text), "{text}: {}", said.stdout);
    }
    // Descriptors of a program's own have names, which shells need; the pipes of Parallax itself are another user's.
    let said = run(
        Level::Namespaces,
        shell("echo one | cat /dev/stdin /dev/fd/0"),
    );
    assert_eq!(said.stdout, "one\n", "{}", said.stderr);
}
