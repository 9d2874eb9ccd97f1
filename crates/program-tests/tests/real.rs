//! Programs of real projects do in the VM what they do natively, byte for byte: `make test-real`.
//!
//! The projects are built by `scripts/build-real.sh`. The invocations of each are in
//! `tests/real/PROJECT.txt`, their files in `tests/real/PROJECT/`. At the end a table says how many
//! were identical, and which differed for a reason of libc's that the invocation names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use program_tests::file_tree::{Entry, FileTree};
use program_tests::invocations::{self, Invocation, Stdin};
use program_tests::real::{self, Verdict};
use program_tests::{corpus, vm};

/// A project and where the build leaves its programs, below the project's folder.
const PROJECTS: &[(&str, &str)] = &[
    ("coreutils", "src"),
    ("lua", ""),
    ("zlib", ""),
    ("sqlite", ""),
];

/// What one invocation came to.
struct Tally {
    project: &'static str,
    program: String,
    line: String,
    verdict: Verdict,
    instructions: u64,
}

type Tallies = Arc<Mutex<Vec<Tally>>>;

fn main() -> ExitCode {
    let tallies = Tallies::default();
    let mut trials = Vec::new();
    for &(project, programs) in PROJECTS {
        let folder = real::real_folder().join(project).join(programs);
        let table = corpus::tests_folder()
            .join("real")
            .join(format!("{project}.txt"));
        let text = std::fs::read_to_string(&table).expect("the table of invocations is readable");
        let files = Arc::new(files_of(project).expect("the project's files are readable"));
        for invocation in invocations::parse(&text).expect("the table is well formed") {
            let (folder, files) = (folder.clone(), files.clone());
            let tallies = tallies.clone();
            let name = format!("{project}: {}", invocation.line);
            trials.push(Trial::test(name, move || {
                check(project, &folder, &invocation, &files, &tallies)
            }));
        }
    }
    trials.push(Trial::test("zlib: round trip in the VM", round_trip));
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    print_table(&tallies.lock().unwrap());
    conclusion.exit_code()
}

fn check(
    project: &'static str,
    programs: &Path,
    invocation: &Invocation,
    files: &FileTree,
    tallies: &Tallies,
) -> Result<(), Failed> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let parallax = vm::locate()?;
    let executable = programs.join(&invocation.program);
    if !executable.is_file() {
        return Err(format!(
            "{} is not built: run `make test-real`, or scripts/build-real.sh first",
            executable.display()
        )
        .into());
    }
    let comparison = real::compare(&parallax, &executable, invocation, files, scratch)?;
    let verdict = comparison.verdict(invocation.libc_difference.as_ref());
    tallies.lock().unwrap().push(Tally {
        project,
        program: invocation.program.clone(),
        line: invocation.line.clone(),
        verdict: verdict.clone(),
        instructions: comparison.instructions,
    });
    match verdict {
        Verdict::Identical | Verdict::LibcDiffers { .. } => Ok(()),
        Verdict::Different(difference) => Err(format!("- native, + VM\n{difference}").into()),
    }
}

/// The files that a project's programs find, with those that are too large to keep.
fn files_of(project: &str) -> std::io::Result<FileTree> {
    let folder = corpus::tests_folder().join("real").join(project);
    let mut files = match folder.is_dir() {
        true => FileTree::read(&folder)?,
        false => FileTree::default(),
    };
    if project == "zlib" {
        let mut add = |name: &str, content: Vec<u8>| {
            let file = Entry::File {
                content,
                mode: 0o644,
            };
            files.entries.insert(PathBuf::from(name), file);
        };
        let mut compressed = natively_compressed(&megabyte())?;
        add("megabyte", megabyte());
        add("packed.gz", compressed.clone());
        compressed.truncate(10_000);
        add("truncated.gz", compressed);
    }
    Ok(files)
}

/// What the native minigzip makes of `content`; nothing if it is not built, which the tests then say.
fn natively_compressed(content: &[u8]) -> std::io::Result<Vec<u8>> {
    let minigzip = real::real_folder().join("zlib").join("minigzip");
    if !minigzip.is_file() {
        return Ok(Vec::new());
    }
    let output = real::run_with_input(&mut Command::new(minigzip), content)?;
    Ok(output.stdout)
}

/// Compressing and restoring, both in the VM, gives the bytes back.
fn round_trip() -> Result<(), Failed> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let minigzip = real::real_folder().join("zlib").join("minigzip");
    let run = |arguments: &[&str], stdin: Vec<u8>| {
        let invocation = Invocation {
            program: "minigzip".to_owned(),
            arguments: arguments
                .iter()
                .map(|word| word.as_bytes().to_vec())
                .collect(),
            stdin: Stdin::Text(stdin),
            ..Invocation::default()
        };
        let parallax = vm::locate()?;
        real::compare(
            &parallax,
            &minigzip,
            &invocation,
            &FileTree::default(),
            scratch,
        )
        .map(|comparison| comparison.guest.outcome.stdout)
        .map_err(Failed::from)
    };
    let packed = run(&[], megabyte())?;
    if packed.len() >= megabyte().len() {
        return Err(format!("{} bytes are no compression", packed.len()).into());
    }
    match run(&["-d"], packed)? == megabyte() {
        true => Ok(()),
        false => Err("the restored bytes differ from the original".into()),
    }
}

/// A million bytes, half repetitive text and half noise.
fn megabyte() -> Vec<u8> {
    let words = [
        "tide", "stone", "river", "lantern", "orchard", "the", "of", "and",
    ];
    let mut state = 1u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize
    };
    let mut bytes = Vec::with_capacity(1 << 20);
    while bytes.len() < 500_000 {
        bytes.extend_from_slice(words[next() % words.len()].as_bytes());
        bytes.push(if next() % 9 == 0 { b'\n' } else { b' ' });
    }
    bytes.resize_with(1_000_000, || next() as u8);
    bytes
}

fn print_table(tallies: &[Tally]) {
    println!(
        "| project | programs | invocations | identical | libc differs | different | IR instructions |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for &(project, _) in PROJECTS {
        let own: Vec<&Tally> = tallies.iter().filter(|t| t.project == project).collect();
        let programs: BTreeSet<&str> = own.iter().map(|tally| tally.program.as_str()).collect();
        let count = |is: fn(&Verdict) -> bool| own.iter().filter(|t| is(&t.verdict)).count();
        let instructions: u64 = own.iter().map(|tally| tally.instructions).sum();
        println!(
            "| {project} | {} | {} | {} | {} | {} | {:.1} million |",
            programs.len(),
            own.len(),
            count(|verdict| matches!(verdict, Verdict::Identical)),
            count(|verdict| matches!(verdict, Verdict::LibcDiffers { .. })),
            count(|verdict| matches!(verdict, Verdict::Different(_))),
            instructions as f64 / 1e6
        );
    }
    for tally in tallies {
        if let Verdict::LibcDiffers { reason } = &tally.verdict {
            println!("libc differs: `{}`: {reason}", tally.line);
        }
    }
}
