//! What the sandbox costs: native runs of a small program, plain and at each level of the sandbox, in turn.
//!
//! Wall time, since that is what a user waits for; medians, since a shared machine has outliers.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use native::confinement::Confinement;
use native::process::{NativeEnd, Surroundings, run};
use native::test_case::{TestCase, read_tree, write_tree};
use sandbox::Level;

const ROUNDS: usize = 101;
/// What a run in a sandbox may take longer, in the median.
const MOST: Duration = Duration::from_millis(5);

const PROGRAM: &str = "#include <stdio.h>\nint main(void) { int c = getchar(); FILE *f = fopen(\"made\", \"w\"); fputc(c, f); fclose(f); puts(\"done\"); return 0; }\n";

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let source = scratch.path().join("program.c");
    std::fs::write(&source, PROGRAM)?;
    let executable = scratch.path().join("program");
    let compiled = Command::new("clang-22")
        .arg("-O1")
        .arg(&source)
        .arg("-o")
        .arg(&executable)
        .status()?;
    if !compiled.success() {
        return Err("clang-22 failed".into());
    }
    let test = TestCase {
        program: None,
        args: Vec::new(),
        stdin: b"x".to_vec(),
        environment: BTreeMap::new(),
        files: BTreeMap::from([(PathBuf::from("given"), b"content".to_vec())]),
        variables: BTreeMap::new(),
        expected: None,
    };
    let levels = [Level::Unconfined, Level::Landlock, Level::Namespaces];
    let mut times = vec![Vec::new(); 1 + levels.len()];
    for _ in 0..ROUNDS {
        let start = Instant::now();
        plain(&test, &executable)?;
        times[0].push(start.elapsed());
        for (level, times) in levels.iter().zip(&mut times[1..]) {
            let start = Instant::now();
            boxed(&test, &executable, *level)?;
            times.push(start.elapsed());
        }
    }
    let medians: Vec<Duration> = times
        .into_iter()
        .map(|mut times| {
            times.sort();
            times[ROUNDS / 2]
        })
        .collect();
    println!("| native run of a small program | median of {ROUNDS}, ms | more than plain, ms |");
    println!("|---|---:|---:|");
    let names = [
        "plain, as the user would start it",
        "through the launcher, without walls",
        "Landlock and a system-call filter",
        "own namespaces, Landlock and a system-call filter",
    ];
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    for (name, median) in names.iter().zip(&medians) {
        println!(
            "| {name} | {:.2} | {:.2} |",
            ms(*median),
            ms(*median) - ms(medians[0])
        );
    }
    let more = medians[3].saturating_sub(medians[0]);
    println!(
        "A run in the sandbox takes {:.2} ms more than a plain one; at most {} ms are wanted.",
        ms(more),
        MOST.as_millis()
    );
    Ok(())
}

/// A run as it was before there was a sandbox: a folder, a process, its output, its files.
fn plain(test: &TestCase, executable: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    write_tree(folder.path(), &test.files)?;
    let mut child = Command::new(executable)
        .env_clear()
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    child
        .stdin
        .take()
        .ok_or("no pipe")?
        .write_all(&test.stdin)?;
    let output = child.wait_with_output()?;
    let files = read_tree(folder.path())?;
    expect(output.stdout == b"done\n" && files.len() == 2)
}

fn boxed(test: &TestCase, executable: &Path, level: Level) -> Result<()> {
    let never = AtomicBool::new(false);
    let surroundings = Surroundings {
        executable,
        program_name: b"program",
        timeout: Duration::from_secs(60),
        sanitizers: None,
        confinement: &Confinement::Kept(level),
        interrupt: &never,
    };
    let seen = run(test, &surroundings)?;
    expect(seen.end == NativeEnd::Status(0) && seen.stdout == b"done\n" && seen.files.len() == 1)
}

fn expect(holds: bool) -> Result<()> {
    holds
        .then_some(())
        .ok_or_else(|| "a run did something else".into())
}
