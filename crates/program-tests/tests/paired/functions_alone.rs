//! Random pairs of functions: those that are proved to do the same by themselves do so natively, on every argument and global
//! out of a set with the extremes.
//!
//! Of those whose edits keep their meaning most must be proved, or the proofs would be worth nothing.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;

use exploration::{Subject, Version, alone};
use program_tests::chance::Chance;
use program_tests::function_pairs::{COMMON, FunctionPair, function_pair};
use program_tests::generated::compile;

const MODULES: u64 = 12;
const FUNCTIONS: usize = 50;

/// Prints what each function does with all arguments and globals of the set.
const HARNESS: &str = "
#ifdef NATIVE
int printf(const char *, ...);
int main(void) {
    static const int some[] = {0, 1, -1, 2, 3, 5, 7, 8, 100, -128, 127, 255, 32767, 2147483647, -2147483647 - 1};
    enum { COUNT = sizeof some / sizeof *some };
    for (int number = 0; number < sizeof functions / sizeof *functions; number++) {
        unsigned long all = 0;
        for (int i = 0; i < COUNT; i++) for (int j = 0; j < COUNT; j++) for (int k = 0; k < COUNT; k++) {
            g0 = some[k]; g1 = some[(k + j) % COUNT]; g2 = some[(k + 2 * i) % COUNT];
            for (int e = 0; e < 4; e++) table[e] = some[(k + e) % COUNT];
            all = all * 31 + functions[number](some[i], some[j]);
            all = all * 31 + g0; all = all * 31 + g1; all = all * 31 + g2;
            for (int e = 0; e < 4; e++) all = all * 31 + table[e];
        }
        printf(\"f%d %lu\\n\", number, all);
    }
    return 0;
}
#endif
";

fn source<'t>(functions: impl Iterator<Item = &'t String>) -> String {
    let mut text = String::from(COMMON);
    let mut names = String::new();
    for (number, function) in functions.enumerate() {
        write!(text, "int f{number}{function}").unwrap();
        write!(names, "f{number}, ").unwrap();
    }
    // Only the harness takes their addresses.
    write!(
        text,
        "#ifdef NATIVE\nint (*const functions[])(int, short) = {{{names}}};\n#endif\n{HARNESS}"
    )
    .unwrap();
    text
}

fn natively(source: &str) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let (file, program) = (folder.path().join("all.c"), folder.path().join("all"));
    std::fs::write(&file, source).unwrap();
    let built = Command::new("clang-22")
        .args(["-DNATIVE", "-O1", "-fwrapv", "-w"])
        .arg(&file)
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap();
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let said = Command::new(&program).output().unwrap();
    let lines = String::from_utf8(said.stdout).unwrap();
    let pair = |line: &str| {
        let (name, sum) = line.split_once(' ').unwrap();
        (name.to_owned(), sum.to_owned())
    };
    lines.lines().map(pair).collect()
}

#[test]
fn what_is_proved_of_functions_holds() {
    let (mut proved, mut kept, mut different) = (0, 0, 0);
    for seed in 0..MODULES {
        let mut chance = Chance::new(seed);
        let pairs: Vec<FunctionPair> = (0..FUNCTIONS).map(|_| function_pair(&mut chance)).collect();
        let old = source(pairs.iter().map(|pair| &pair.old));
        let new = source(pairs.iter().map(|pair| &pair.new));
        let sums = [natively(&old), natively(&new)];
        let programs = [compile(&old).unwrap(), compile(&new).unwrap()];
        let [before, after] = programs.each_ref().map(|program| Version {
            program,
            subject: Subject::Whole,
        });
        let mut solver = solver::chain(&solver::Config::default());
        let judged = alone::each_by_itself(&before, &after, &mut *solver);
        for (name, is_same) in judged {
            let number: usize = name[1..].parse().unwrap();
            let does_same = sums[0][&name] == sums[1][&name];
            assert!(
                does_same || !is_same,
                "seed {seed}: {name} is proved and differs:\n{old}\n{new}"
            );
            proved += usize::from(is_same);
            kept += usize::from(pairs[number].keeps);
            different += usize::from(!does_same);
        }
    }
    println!(
        "{proved} proved of {kept} rewritten with the same meaning; {different} are different"
    );
    assert!(different > 100 && kept > 100, "{different} {kept}");
    assert!(proved * 4 > kept * 3, "{proved} of {kept}");
}
