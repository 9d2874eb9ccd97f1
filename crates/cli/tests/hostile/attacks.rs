//! Programs that try to do harm, run natively by every command and at every level of the sandbox, by root and by an ordinary user:
//! nothing outside changes, and each ends with a clear result. `tests/hostile` holds the programs.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::outside::{Outside, SECRET};
use crate::place::{Forbid, Place, User, programs};
use crate::support;
use native::confinement::Confinement;
use native::process::{NativeEnd, Surroundings, run};
use native::test_case::TestCase;
use sandbox::{Level, Limit};

/// Set for the process that an ordinary user runs.
const AS_USER: &str = "PARALLAX_HOSTILE_PROGRAMS";

/// Programs that use up time, memory or processes, those that kill their neighbours, those that look at what they were given, and those that
/// leave a folder which nobody can list (where files are on a disk, that ends a run). The others run together in one program.
const ALONE: [&str; 49] = [
    "chain_of_children",
    "daemon",
    "deaf_child",
    "disk_filler",
    "disk_filler_at_once",
    "disk_filler_closed",
    "disk_filler_deep",
    "disk_filler_hidden",
    "disk_filler_many",
    "disk_filler_nameless",
    "disk_filler_with_orphans",
    "endless_errors",
    "endless_output",
    "file_filler",
    "fork_bomb",
    "fork_bomb_doubling",
    "hold_streams",
    "kill_all",
    "kill_parent",
    "large_buffers",
    "leave_special_files",
    "leave_strange_names",
    "listen",
    "many_locks",
    "many_mappings",
    "many_watches",
    "memory_bomb",
    "memory_bomb_leaderless",
    "memory_bomb_many",
    "memory_bomb_shared",
    "memory_bomb_with_orphans",
    "memory_outside_processes",
    "more_rights",
    "orphaned_connections",
    "page_tables",
    "pages_in_sockets",
    "pinned_pages",
    "race_with_links",
    "reopen_streams",
    "replace_folder",
    "second_table",
    "siblings",
    "sleep_for_ever",
    "socket_buffers",
    "sockets_in_flight",
    "sockets_with_orphans",
    "spin_for_ever",
    "thread_bomb",
    "unaccepted",
];

/// `check` gives a run ten seconds and runs each version natively, so this one would only burn a processor for them. What ends it is what
/// ends `sleep_for_ever`.
const UNCHECKED: &str = "spin_for_ever";

/// What ends these at a level. The programs wait for it: how late a limit is noticed depends on what else the machine does.
const LIMITS: [(&str, Level, Limit); 12] = [
    ("disk_filler_with_orphans", Level::Landlock, Limit::Folder),
    ("many_locks", Level::Namespaces, Limit::Memory),
    ("many_watches", Level::Namespaces, Limit::Descriptors),
    ("memory_bomb", Level::Namespaces, Limit::Memory),
    ("memory_bomb_leaderless", Level::Namespaces, Limit::Memory),
    ("memory_bomb_many", Level::Namespaces, Limit::Memory),
    ("memory_bomb_shared", Level::Namespaces, Limit::Memory),
    ("memory_bomb_with_orphans", Level::Landlock, Limit::Memory),
    ("memory_bomb_with_orphans", Level::Namespaces, Limit::Memory),
    ("page_tables", Level::Namespaces, Limit::Memory),
    ("socket_buffers", Level::Namespaces, Limit::Descriptors),
    (
        "sockets_with_orphans",
        Level::Namespaces,
        Limit::Descriptors,
    ),
];

/// For a program that waits for a limit.
const TIME: Duration = Duration::from_secs(120);

#[test]
fn there_are_enough_of_them() {
    let all = programs();
    assert!(all.len() >= 40, "{} programs", all.len());
    let limited = LIMITS.iter().map(|(name, ..)| name);
    for name in ALONE.iter().chain(limited).chain([&UNCHECKED]) {
        assert!(
            all.iter().any(|program| program == name),
            "there is no {name}"
        );
    }
    // The documentation says so, too.
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/security.md");
    let said = std::fs::read_to_string(folder).unwrap();
    let count = format!("`tests/hostile` holds {} programs", all.len());
    let alone = format!("{} that have to be alone", ALONE.len());
    for words in [count, alone] {
        assert!(
            said.contains(&words),
            "docs/security.md does not say: {words}"
        );
    }
}

/// Every program by itself, at both levels.
#[test]
fn each_program_is_kept_in() {
    if let Some(folder) = std::env::var_os(AS_USER) {
        return run_all(Path::new(&folder));
    }
    let place = Place::new();
    let mut outside = Outside::new(place.ordinary());
    let folder = place.compile_all(&outside.flags());
    run_all(&folder);
    outside.assert_untouched("all programs");
    match place.ordinary() {
        None => eprintln!("not run by root: all programs were run by an ordinary user alone"),
        Some(_) => {
            let own = place.bring(&std::env::current_exe().unwrap());
            let mut command = place.command(&own, User::Ordinary, Forbid::Nothing);
            command
                .args(["--exact", "attacks::each_program_is_kept_in", "--nocapture"])
                .env(AS_USER, &folder);
            let said = support::said(&mut command);
            assert_eq!(
                said.status, 0,
                "as an ordinary user: {}{}",
                said.stdout, said.stderr
            );
            assert!(said.stdout.contains("1 passed"), "{}", said.stdout);
            outside.assert_untouched("all programs, run by an ordinary user");
        }
    }
    place.assert_unchanged(&folder);
}

/// Runs all programs of a folder, two at a time.
fn run_all(folder: &Path) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let all = programs();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(name) =
                    all.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    for level in [Level::Namespaces, Level::Landlock] {
                        run_one(folder, name, level);
                    }
                }
            });
        }
    });
}

fn run_one(folder: &Path, name: &str, level: Level) {
    let test = TestCase {
        program: None,
        args: Vec::new(),
        stdin: b"x".to_vec(),
        environment: BTreeMap::new(),
        files: BTreeMap::new(),
        variables: BTreeMap::new(),
        expected: None,
    };
    let never = AtomicBool::new(false);
    let is_endless = name.ends_with("for_ever");
    let surroundings = Surroundings {
        executable: &folder.join(name),
        program_name: b"hostile",
        timeout: if is_endless {
            Duration::from_millis(300)
        } else {
            TIME
        },
        sanitizers: None,
        confinement: &Confinement::Kept(level),
        interrupt: &never,
    };
    let start = Instant::now();
    let said =
        run(&test, &surroundings).unwrap_or_else(|error| panic!("{name}, {level:?}: {error:#}"));
    let files: Vec<u8> = said.files.values().flatten().copied().collect();
    for (what, bytes) in [
        ("stdout", &said.stdout),
        ("stderr", &said.stderr),
        ("files", &files),
    ] {
        for words in ["BROKE OUT", SECRET] {
            let found = bytes
                .windows(words.len())
                .position(|window| window == words.as_bytes());
            if let Some(at) = found {
                let text = String::from_utf8_lossy(&bytes[at..(at + 200).min(bytes.len())]);
                panic!("{name}, {level:?}: {what}: {text}");
            }
        }
    }
    assert_ne!(said.end, NativeEnd::NotRun, "{name}, {level:?}");
    assert_eq!(
        said.end == NativeEnd::TimedOut,
        is_endless,
        "{name}, {level:?}: {:?} after {:?}",
        said.end,
        start.elapsed()
    );
    let mut limits = LIMITS.iter();
    let limit = limits.find(|(limited, at, _)| (*limited, *at) == (name, level));
    if let Some((.., limit)) = limit {
        assert_eq!(said.end, NativeEnd::Limit(*limit), "{name}, {level:?}");
    }
}

/// A command that runs programs natively.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Check,
    CheckFunction,
    Replay,
}

const WAYS: [Way; 3] = [Way::Check, Way::CheckFunction, Way::Replay];

/// `check`, `check --fn` and `replay`, as they are installed.
#[test]
fn commands_keep_them_in() {
    commands_of_a_user_keep_them_in(User::Own);
}

#[test]
fn commands_of_an_ordinary_user_keep_them_in() {
    commands_of_a_user_keep_them_in(User::Ordinary);
}

/// All that can be together, in each way. Those that have to be alone take turns: each goes each way, now by one of the users, now by the other.
fn commands_of_a_user_keep_them_in(user: User) {
    let place = Place::new();
    if !place.users().contains(&user) {
        return;
    }
    let has_turns = place.users().len() > 1;
    let mut outside = Outside::new(place.ordinary());
    let flags = outside.flags();
    let mut together = programs();
    together.retain(|name| !ALONE.contains(&&**name));
    let together: Vec<&str> = together.iter().map(String::as_str).collect();
    for way in WAYS {
        let status = run_commands(&place, way, &together, &flags, user);
        // The difference is confirmed: what goes on natively changes nothing that can be seen.
        let expected = i32::from(way != Way::Replay);
        assert_eq!(status, expected, "{user:?}, {way:?}, all at once");
        outside.assert_untouched(&format!("{way:?} by {user:?}"));
    }
    for (name, number) in ALONE.iter().zip(0..) {
        for (way, turn) in WAYS.into_iter().zip(number..) {
            let is_ours = !has_turns || (turn % 2 == 0) == (user == User::Own);
            if !is_ours || (*name == UNCHECKED && way != Way::Replay) {
                continue;
            }
            run_commands(&place, way, &[name], &flags, user);
            outside.assert_untouched(&format!("{way:?} of {name} by {user:?}"));
        }
    }
}

/// Lets a command run programs natively; its exit status, which says that it came to a result.
fn run_commands(place: &Place, way: Way, names: &[&str], flags: &[String], user: User) -> i32 {
    let (said, clear) = match way {
        Way::Check => (
            place.check(names, flags, user, Forbid::Nothing, false),
            [1, 3],
        ),
        Way::CheckFunction => (
            place.check(names, flags, user, Forbid::Nothing, true),
            [1, 3],
        ),
        Way::Replay => (place.replay(names, flags, user, Forbid::Nothing), [0, 1]),
    };
    let text = format!(
        "{user:?}, {way:?}, {names:?}: {}{}",
        said.stdout, said.stderr
    );
    assert!(clear.contains(&said.status), "{text}");
    match way {
        Way::Check | Way::CheckFunction => {}
        Way::Replay => assert!(said.stdout.contains("1 of 1 test replayed"), "{text}"),
    }
    said.status
}

/// The same with namespaces forbidden, and with Landlock forbidden too.
#[test]
fn without_namespaces_and_without_landlock() {
    let place = Place::new();
    let mut outside = Outside::new(place.ordinary());
    let flags = outside.flags();
    let all = programs();
    let names: Vec<&str> = all
        .iter()
        .map(String::as_str)
        .filter(|name| !ALONE.contains(name))
        .collect();
    for user in place.users() {
        let doctor = place
            .parallax(user, Forbid::Namespaces)
            .arg("doctor")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&doctor.stdout).into_owned();
        assert!(
            text.contains("Landlock and a system-call filter, without namespaces"),
            "{text}"
        );
        assert!(text.contains("allow user namespaces"), "{text}");
        for function in [false, true] {
            let said = place.check(&names, &flags, user, Forbid::Namespaces, function);
            assert_eq!(
                said.status, 1,
                "{user:?}, Landlock alone: {}{}",
                said.stdout, said.stderr
            );
            assert!(said.stdout.contains("seen natively"), "{}", said.stdout);
            outside.assert_untouched(&format!("check by {user:?}, with Landlock alone"));
            // Nothing is run natively: the difference is there, and not confirmed.
            let said = place.check(&names, &flags, user, Forbid::Both, function);
            assert_eq!(
                said.status, 3,
                "{user:?}, nothing: {}{}",
                said.stdout, said.stderr
            );
            assert!(
                said.stdout.contains(
                    "seen in the VM only: it was seen in the VM alone: native runs are off"
                ),
                "{}",
                said.stdout
            );
            assert!(
                said.stdout.contains("parallax doctor says"),
                "{}",
                said.stdout
            );
            let reason = "native runs are off: no sandbox can be had here";
            assert_eq!(said.stderr.matches(reason).count(), 1, "{}", said.stderr);
            // What keeps the sandbox comes first, and the rest behind what it may cost.
            let lines: Vec<&str> = said.stderr.lines().collect();
            let first = lines.iter().position(|line| line.contains(reason)).unwrap();
            let said = &lines[first..];
            assert!(said[1].contains("allow user namespaces"), "{said:?}");
            let costs = said[2].contains("can change and delete your files");
            assert!(costs && said[2].contains("--native unconfined"), "{said:?}");
            outside.assert_untouched(&format!("check by {user:?}, with nothing"));
        }
        let said = place.replay(&names, &flags, user, Forbid::Namespaces);
        assert!(
            said.stdout.contains("1 of 1 test replayed"),
            "{}{}",
            said.stdout,
            said.stderr
        );
        let said = place.replay(&names, &flags, user, Forbid::Both);
        assert_eq!(said.status, 2, "{}{}", said.stdout, said.stderr);
        assert!(
            said.stderr.contains("no test can be replayed"),
            "{}",
            said.stderr
        );
        outside.assert_untouched(&format!("replay by {user:?}"));
    }
    // What is equal is proved so all the same.
    let said = place.check_equal(Forbid::Both);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
}

/// As on a kernel without Landlock, whose namespaces do not keep signals from the first process: no run takes one of them for the user's
/// wish to stop.
#[test]
fn without_the_second_wall() {
    let place = Place::new();
    let mut outside = Outside::new(place.ordinary());
    let flags = outside.flags();
    for user in place.users() {
        let doctor = place
            .parallax(user, Forbid::Landlock)
            .arg("doctor")
            .output();
        let text = String::from_utf8_lossy(&doctor.unwrap().stdout).into_owned();
        assert!(text.contains("builds can have it (--box-build)"), "{text}");
        for names in [&["kill_parent"][..], &["kill_all"]] {
            let said = place.replay(names, &flags, user, Forbid::Landlock);
            let text = format!("{user:?}, {names:?}: {}{}", said.stdout, said.stderr);
            assert!(said.stdout.contains("1 of 1 test replayed"), "{text}");
            outside.assert_untouched(&format!("replay of {names:?} by {user:?}"));
        }
    }
}

/// As after `unshare -r`: there is no other user to run programs as, and nothing else would help.
#[test]
fn root_of_a_namespace_without_others_is_told_to_be_somebody_else() {
    let place = Place::new();
    for user in place.users() {
        let mut command = place.command(Path::new("unshare"), user, Forbid::Nothing);
        let parallax = place.bring(support::parallax());
        let said = support::said(
            command
                .args(["-r".as_ref(), parallax.as_os_str()])
                .arg("doctor"),
        );
        assert!(
            said.stdout
                .contains("root in a user namespace that has no other user")
                && said.stdout.contains("as the user that you were before"),
            "{user:?}: {}{}",
            said.stdout,
            said.stderr
        );
        assert!(!said.stdout.contains("sysctl"), "{user:?}: {}", said.stdout);
    }
}
