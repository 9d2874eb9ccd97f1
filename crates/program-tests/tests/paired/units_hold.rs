//! Verdicts of `parallax check --fn` on random functions over lists, arrays and globals, against native runs of all their inputs.

use std::path::Path;
use std::process::Command;

use build::toolchain::Toolchain;
use program_tests::chance::Chance;
use program_tests::heap_functions::{COMMON, HeapFunctions, enumeration, heap_functions};
use program_tests::vm;

/// Sources, each with so many functions. `UNITS` names another number of sources.
const SOURCES: u64 = 2;
const FUNCTIONS: usize = 8;

#[test]
fn verdicts_on_functions_over_heaps_hold() {
    let sources = std::env::var("UNITS").map_or(SOURCES, |text| text.parse().unwrap());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("units-hold");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let (mut equivalent, mut different, mut open) = (0, 0, 0);
    for seed in 0..sources {
        let mut chance = Chance::new(77_000 + seed);
        let pairs: Vec<HeapFunctions> = (0..FUNCTIONS)
            .map(|_| heap_functions(&mut chance))
            .collect();
        let differing = enumerate(&folder, &pairs);
        let source = |of: fn(&HeapFunctions) -> &String| {
            let functions = pairs.iter().enumerate();
            let functions = functions.map(|(at, pair)| format!("struct node *f{at}{}", of(pair)));
            COMMON.to_owned() + &functions.collect::<String>()
        };
        std::fs::write(folder.join("old.c"), source(|pair| &pair.old)).unwrap();
        std::fs::write(folder.join("new.c"), source(|pair| &pair.new)).unwrap();
        for (number, (pair, differing)) in pairs.iter().zip(differing).enumerate() {
            let (status, said) = check(&folder, number);
            let what = || {
                format!(
                    "seed {seed}, f{number}: {differing} inputs differ\n{}\n{}\n{said}",
                    pair.old, pair.new
                )
            };
            match status {
                0 => assert_eq!(differing, 0, "{}", what()),
                1 => assert!(differing > 0, "{}", what()),
                3 => open += 1,
                _ => panic!("{}", what()),
            }
            equivalent += u64::from(status == 0);
            different += u64::from(status == 1);
            if status == 3 {
                println!("{}", what());
            }
        }
    }
    println!("{equivalent} equivalent, {different} different, {open} open");
    assert!(equivalent > sources && different > sources);
    assert!(open * 4 <= equivalent + different, "{open} are open");
}

/// How many inputs of each pair differ.
fn enumerate(folder: &Path, pairs: &[HeapFunctions]) -> Vec<u64> {
    std::fs::write(folder.join("all.c"), enumeration(pairs)).unwrap();
    let program = folder.join("all");
    let status = Command::new(Toolchain::locate().unwrap().clang)
        .args(["-O1", "-w", "-o"])
        .arg(&program)
        .arg(folder.join("all.c"))
        .status()
        .unwrap();
    assert!(status.success());
    let output = Command::new(&program).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

fn check(folder: &Path, number: usize) -> (i32, String) {
    let output = Command::new(vm::locate().expect("parallax is built"))
        .args(["check", "old.c", "new.c", "--fn"])
        .arg(format!("f{number}"))
        .args(["--fn-depth", "2", "--fn-array", "2", "--fn-null"])
        .args(["--fn-assume", "c", "--timeout", "20s"])
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), said)
}
