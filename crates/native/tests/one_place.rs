//! Programs of a user are started in one place, the crate `sandbox`. Whatever else starts a process starts a tool of ours or of the
//! system, and is listed here with what it is.

use std::collections::BTreeMap;
use std::path::Path;

const COMPILER: &str = "compilers and linkers, on the versions' sources";
const BUILD: &str = "the versions' own build, as the user would call it";
const GIT: &str = "git";
const READER: &str = "the bitcode reader, or the child it reads in";
const OWN: &str = "a program of ours that prints the C library's messages";
const FETCH: &str = "the script that fetches a source package of the system";
const LAUNCHER: &str = "the launcher of the sandbox, or a process of it that becomes the program";

/// Where processes are started, how often the source says so, and what they are.
const KNOWN: &[(&str, usize, &str)] = &[
    ("bitcode-reader/src/isolation.rs", 1, READER),
    ("build/src/cc.rs", 5, COMPILER),
    ("build/src/git/mod.rs", 3, GIT),
    ("build/src/guest_c.rs", 1, COMPILER),
    ("build/src/host.rs", 4, COMPILER),
    ("build/src/image.rs", 1, READER),
    ("build/src/libc/compile.rs", 2, COMPILER),
    ("build/src/libc/host_texts.rs", 2, OWN),
    ("build/src/libc/source.rs", 1, FETCH),
    ("build/src/link.rs", 3, COMPILER),
    ("build/src/revision/command.rs", 1, BUILD),
    ("build/src/revision/mod.rs", 1, COMPILER),
    ("build/src/rust.rs", 4, COMPILER),
    ("build/src/sanitized.rs", 3, COMPILER),
    ("build/src/support.rs", 1, COMPILER),
    ("build/src/test_program.rs", 3, COMPILER),
    ("build/src/toolchain.rs", 1, COMPILER),
    ("campaign/src/mutants.rs", 1, COMPILER),
    ("cli/src/debug.rs", 1, COMPILER),
    ("cli/src/doctor.rs", 2, COMPILER),
    ("sandbox/src/launcher/kernel.rs", 3, LAUNCHER),
    ("sandbox/src/launcher/landlocked.rs", 1, LAUNCHER),
    ("sandbox/src/launcher/namespaces.rs", 3, LAUNCHER),
    ("sandbox/src/run.rs", 1, LAUNCHER),
];

/// Crates that run only programs of our own, as tests and measurements.
const TESTS: [&str; 2] = ["program-tests", "program-generator"];

/// How a process is started.
const WAYS: [&str; 12] = [
    "Command::new(",
    "libc::fork(",
    "kernel::fork",
    "posix_spawn",
    "libc::SYS_clone",
    "libc::clone(",
    "libc::exec",
    "execvp",
    ".exec()",
    "libc::vfork",
    "libc::system(",
    "libc::popen(",
];

#[test]
fn programs_of_a_user_are_started_in_one_place() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for entry in std::fs::read_dir(&crates).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if !TESTS.contains(&&*name) {
            look(
                &entry.path().join("src"),
                &format!("{name}/src"),
                &mut found,
            );
        }
    }
    assert!(
        found.contains_key("sandbox/src/run.rs"),
        "the test does not see the sources"
    );
    let known = KNOWN
        .iter()
        .map(|(file, number, _)| ((*file).to_owned(), *number));
    assert_eq!(
        found,
        known.collect(),
        "where processes are started (left), and where it is known (right): a program of a user is started by `sandbox::start`; anything \
         else is listed in this test"
    );
}

fn look(folder: &Path, name: &str, found: &mut BTreeMap<String, usize>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            look(&path, &name, found);
        } else if name.ends_with(".rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            // Tests of a module are behind it.
            let code = text
                .split("#[cfg(test)]\nmod tests {")
                .next()
                .unwrap_or(&text);
            let code = code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            let number: usize = code
                .map(|line| {
                    WAYS.iter()
                        .map(|way| line.matches(way).count())
                        .sum::<usize>()
                })
                .sum();
            if number > 0 {
                found.insert(name, number);
            }
        }
    }
}
