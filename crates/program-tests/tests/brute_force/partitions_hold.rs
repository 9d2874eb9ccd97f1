//! Random pairs of versions, with and without faults: what their comparison says of each partition is true of
//! every input in it, by brute force over all inputs.
//!
//! **What is demanded** of each pair:
//! - every input belongs to exactly one partition;
//! - every input of an `Equal` partition behaves the same in both versions, every input of a `Different` one
//!   does not;
//! - the verdict is `Equivalent` exactly if no input behaves differently. It may be open only if both versions
//!   end with the same undefined behaviour, or if the solver gave up, which must be rare.
//!
//! The same is demanded of a comparison that is stopped after some runs, except that inputs may be in no
//! partition, and that the verdict may be open.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use concolic_vm::symbolic::parameter_name;
use exploration::input::StreamSpace;
use exploration::part::WhyUnknown;
use exploration::worker::{Part, Proof};
use exploration::{InputRecord, InputSpace, Strategy, Subject};
use libtest_mimic::{Failed, Trial};
use program_generator::{Settings, pair};
use program_tests::brute_force::{Explorable, How, Slices};
use program_tests::generated::{Batch, Pairs, compile};
use program_tests::partition_check::{Compared, Listed, behaves_the_same, compare};

/// Pairs in a batch, and batches without and with faults. `PAIRS` names another number of batches.
const IN_BATCH: usize = 50;
const BATCHES: u64 = 4;
/// Pairs with more inputs are left out.
const MOST_INPUTS: usize = 300;
const MOST_RUNS: u64 = 20_000;
/// After few decisions there are as many ways to go as there are inputs.
const RUNS_WITH_LIMIT: u64 = 40;

static PAIRS: AtomicUsize = AtomicUsize::new(0);
static INPUTS: AtomicUsize = AtomicUsize::new(0);
static EQUAL: AtomicUsize = AtomicUsize::new(0);
static DIFFERENT: AtomicUsize = AtomicUsize::new(0);
static UNDEFINED: AtomicUsize = AtomicUsize::new(0);
static UNKNOWN: AtomicUsize = AtomicUsize::new(0);
static EQUIVALENT: AtomicUsize = AtomicUsize::new(0);
/// Partitions of whole paths, and of slices.
static PATHS: AtomicUsize = AtomicUsize::new(0);
static SLICED: AtomicUsize = AtomicUsize::new(0);
/// Partitions in which no change is executed.
static UNREACHED: AtomicUsize = AtomicUsize::new(0);
static CONVERGED: AtomicUsize = AtomicUsize::new(0);
/// Partitions that were proved by what is called.
static CALLED: AtomicUsize = AtomicUsize::new(0);
/// Runs that went on with their input alone.
static LIMITED: AtomicUsize = AtomicUsize::new(0);

fn batches() -> u64 {
    std::env::var("PAIRS").map_or(BATCHES, |text| text.parse().expect("PAIRS is a number"))
}

/// A trial of this suite.
fn trial(
    name: impl std::fmt::Display,
    check: impl FnOnce() -> Result<(), Failed> + Send + 'static,
) -> Trial {
    Trial::test(format!("partitions_hold::{name}"), check)
}

pub(crate) fn trials() -> Vec<Trial> {
    let batch = |number: u64| {
        let faults = number % 2 == 1;
        let name = format!("batch {number}{}", if faults { " with faults" } else { "" });
        trial(name, move || check_batch(number, faults))
    };
    let mut trials: Vec<Trial> = (0..batches()).map(batch).collect();
    trials.push(trial("the check can fail", the_check_can_fail));
    trials.push(trial("another address may be written", || {
        small_pair(
            "char text[2] = {0}; int at = 0; if (in == 98) at = 1; text[at] = 120; \
             if (text[1] == 120) return changed(); return 0;",
        )
    }));
    trials.push(trial("a loop may write a register again", || {
        small_pair(
            "int sum = 0; for (int i = 0; i < (in & 3); i++) sum += in; \
             if (sum == 6) return changed(); return 0;",
        )
    }));
    trials.push(trial("a run may end early", || {
        small_pair("int table[4] = {0}; if (table[in & 7]) return 1; if (in == 3) return changed(); return 0;")
    }));
    for (name, body, operators) in CONVERGING {
        trials.push(trial(name, move || pair_that_converges(body, operators)));
    }
    for (name, body) in WITH_LIBRARY {
        trials.push(trial(name, move || {
            library_pair(body, &[Slices::None, Slices::Unreached, Slices::All])
        }));
        // The same with a change that every input executes.
        trials.push(trial(format!("{name}, changed first"), move || {
            let body = format!("kept = changed(); {body}");
            library_pair(&body, &[Slices::All])
        }));
    }
    trials
}

/// Prints what was looked at, and says whether that was enough.
pub(crate) fn conclude(complete: bool) -> bool {
    let count = |of: &AtomicUsize| of.load(Ordering::Relaxed);
    println!(
        "{} pairs, {} of them equivalent; {} inputs; {} partitions proved equal, {} different, {} with the same error in both, {} not known; {} partitions without slices, {} with, {} of these by what is called",
        count(&PAIRS),
        count(&EQUIVALENT),
        count(&INPUTS),
        count(&EQUAL),
        count(&DIFFERENT),
        count(&UNDEFINED),
        count(&UNKNOWN),
        count(&PATHS),
        count(&SLICED),
        count(&CALLED)
    );
    let all = complete && batches() >= BATCHES;
    if all && (count(&UNREACHED) == 0 || count(&CONVERGED) == 0 || count(&SLICED) >= count(&PATHS))
    {
        println!("slices have left nothing out");
        return false;
    }
    if all && count(&LIMITED) == 0 {
        println!("no run has met the limit of decisions");
        return false;
    }
    if count(&UNKNOWN) * 100 > count(&PAIRS) {
        println!("the solver gave up too often");
        return false;
    }
    true
}

fn check_batch(number: u64, faults: bool) -> Result<(), Failed> {
    let settings = Settings { size: 10, faults };
    let Pairs { old, new, seeds } = Pairs::new(number * 1_000, IN_BATCH, MOST_INPUTS, settings)?;
    let mut problems = Vec::new();
    for (member, seed) in seeds.into_iter().enumerate() {
        let inputs = old.inputs(member);
        let (old, new) = (old.member(member), new.member(member));
        let same: Vec<bool> = inputs
            .iter()
            .map(|input| behaves_the_same(&old, &new, input))
            .collect();
        PAIRS.fetch_add(1, Ordering::Relaxed);
        INPUTS.fetch_add(inputs.len(), Ordering::Relaxed);
        if same.iter().all(|&same| same) {
            EQUIVALENT.fetch_add(1, Ordering::Relaxed);
        }
        let strategy = Strategy::ALL[member % Strategy::ALL.len()];
        let mut how = How::new(strategy, 1 + member % 2);
        how.runs = Some(MOST_RUNS);
        how.query_timeout = Duration::from_secs(5);
        // Inputs that are run out of turn must not disturb the partitions.
        how.propagate = (member % 3 == 0).then(exploration::propagate::Limits::default);
        let whole = compare(&old, &new, &how, &inputs);
        count(&whole);
        if let Err(problem) = whole.check(&same, true) {
            problems.push(format!("seed {seed}, {strategy}: {problem}"));
        }
        how.slices = [Slices::All, Slices::Unreached][seed as usize % 2];
        let sliced = compare(&old, &new, &how, &inputs);
        PATHS.fetch_add(whole.partitions.len(), Ordering::Relaxed);
        SLICED.fetch_add(sliced.partitions.len(), Ordering::Relaxed);
        note_proofs(&sliced.partitions);
        if let Err(problem) = sliced.check(&same, true) {
            problems.push(format!("seed {seed}, {strategy}, sliced: {problem}"));
        }
        how.slices = [Slices::None, Slices::Unreached, Slices::All][seed as usize % 3];
        let limited = How {
            decisions: 1 + (seed as u32 / 3) % 8,
            runs: Some(RUNS_WITH_LIMIT),
            ..how.clone()
        };
        let decisions = limited.decisions;
        let limited = compare(&old, &new, &limited, &inputs);
        LIMITED.fetch_add(limited.with_input_alone as usize, Ordering::Relaxed);
        if let Err(problem) = limited.check(&same, false) {
            problems.push(format!(
                "seed {seed}, {strategy}, {decisions} decisions: {problem}"
            ));
        }
        how.runs = Some(1 + seed % 7);
        if let Err(problem) = compare(&old, &new, &how, &inputs).check(&same, false) {
            problems.push(format!("seed {seed}, {strategy}, stopped: {problem}"));
        }
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.join("\n").into()),
    }
}

/// Two versions of one small function that calls another, which has changed; compared with and without slices.
fn small_pair(body: &str) -> Result<(), Failed> {
    let version = |value: &str| {
        let changed = format!("static int changed(void) {{ return {value}; }}\n");
        format!("{changed}int small(unsigned char in) {{ {body} }}\n")
    };
    small_versions(&version("1"), &version("2")).map(|_| ())
}

/// The same with two operators in place of `OPERATOR`, whose difference has no lasting effect on some inputs.
fn pair_that_converges(body: &str, operators: [&str; 2]) -> Result<(), Failed> {
    let version = |operator: &str| {
        let body = body.replace("OPERATOR", operator);
        format!("int small(unsigned char in) {{ {body} }}\n")
    };
    match small_versions(&version(operators[0]), &version(operators[1]))? {
        0 => Err("no partition was proved by states that are the same".into()),
        _ => Ok(()),
    }
}

/// How many partitions were proved by states that are the same.
fn small_versions(old: &str, new: &str) -> Result<usize, Failed> {
    let (old, new) = (compile(old)?, compile(new)?);
    let version = |program| Explorable::call(program, "small");
    let (old, new) = (version(&old), version(&new));
    let record = |byte: u8| InputRecord {
        variables: [(parameter_name(0), vec![byte])].into_iter().collect(),
        args: vec![Vec::new()],
        ..InputRecord::default()
    };
    let inputs: Vec<InputRecord> = (0..=u8::MAX).map(record).collect();
    let same: Vec<bool> = inputs
        .iter()
        .map(|input| behaves_the_same(&old, &new, input))
        .collect();
    let mut converged = 0;
    let all = [Slices::None, Slices::Unreached, Slices::All];
    let unlimited = How::new(Strategy::Dart, 1).decisions;
    let ways = all.map(|slices| (slices, unlimited));
    for (slices, decisions) in ways.into_iter().chain(all.map(|slices| (slices, 2))) {
        let mut how = How::new(Strategy::Dart, 1);
        (how.slices, how.decisions) = (slices, decisions);
        let compared = compare(&old, &new, &how, &inputs);
        converged += note_proofs(&compared.partitions);
        let checked = compared.check(&same, true);
        checked.map_err(|problem| format!("{slices:?}, {decisions} decisions: {problem}"))?;
    }
    Ok(converged)
}

/// Counts proofs by what slices find. How many were by states that are the same.
fn note_proofs(partitions: &[Listed]) -> usize {
    let count = |by: Proof| {
        let equal = partitions.iter();
        equal
            .filter(|(part, _)| *part == Part::Equal { by })
            .count()
    };
    let converged = count(Proof::SameState);
    UNREACHED.fetch_add(count(Proof::ChangeNotReached), Ordering::Relaxed);
    CONVERGED.fetch_add(converged, Ordering::Relaxed);
    CALLED.fetch_add(count(Proof::SameCall), Ordering::Relaxed);
    converged
}

/// Changes of an operator that come to the same state on some inputs or all.
const CONVERGING: [(&str, &str, [&str; 2]); 4] = [
    (
        "converges: the larger one",
        "int other = 100, larger = other; if (in OPERATOR other) larger = in; \
         if (larger > 150) return 1; if (larger > 120) return in & 1; return larger;",
        [">", ">="],
    ),
    (
        "converges: a loop that ends as late",
        "int sum = 0; for (int i = 0; i OPERATOR 4; i++) sum += in & 1; \
         if (in > 200) return sum; if (in > 100) return in; return sum + 1;",
        ["<", "!="],
    ),
    (
        "converges: an effect that is overwritten",
        "static int kept; kept = in OPERATOR 7; if (in & 1) kept = 3; if (in > 99) return kept; return in > 50;",
        ["+", "^"],
    ),
    (
        "converges: an effect that comes late",
        "static int kept; if (in OPERATOR 9) kept = in; if (in & 16) return 5; if (in & 32) return 6; return kept;",
        [">", ">="],
    ),
];

/// Programs that call the C library, by what in them may be overlooked. `a` and `b` are the two bytes of standard
/// input; `changed` has changed.
const WITH_LIBRARY: [(&str, &str); 33] = [
    (
        "library: a letter decides nothing",
        "int n = 0; if (isalpha(a)) n = toupper(a); seen = n; if (b == 'q') printf(\"%d\", changed()); return 0;",
    ),
    (
        "library: a letter decides at last",
        "int n = 0; if (isupper(a)) n = tolower(a); if (b == 'q') printf(\"%d\", changed()); return n == 'q';",
    ),
    (
        "library: a number that is not used",
        "char text[3] = {a, b, 0}; seen = strtol(text, 0, 10) > 7; if (a == '-') return changed(); return 3;",
    ),
    (
        "library: a number that is used",
        "char text[3] = {a, b, 0}; long n = strtol(text, 0, 10); if (n > 7) return changed(); return n == 3;",
    ),
    (
        "library: a length",
        "char text[3] = {a, b, 0}; size_t n = strlen(text); if (n == 1) puts(\"one\"); if (a == 'q') return changed(); return 0;",
    ),
    (
        "library: a sorted array",
        "int all[3] = {a, b, 7}; qsort(all, 3, sizeof *all, by_value); if (all[0] == 7) return changed(); return all[2] == 7;",
    ),
    (
        "library: text that is kept",
        "char text[20]; sprintf(text, \"%d-%d\", a, b); seen = text[0]; if (text[1] == '-' && b == 'q') puts(changed() == 1 ? \"one\" : text); return 0;",
    ),
    (
        "library: bytes that are copied",
        "char from[2] = {a, b}, to[4] = {0}; memcpy(to + 1, from, 2); if (to[2] == 'q') return changed(); seen = to[1]; return to[3];",
    ),
    (
        "library: a store through a chosen pointer",
        "int one = 0, two = 0; int *to = isdigit(a) ? &one : &two; *to = b; if (one == 'q') return changed(); return 0;",
    ),
    (
        "library: a store that may fail",
        "int table[4]; table[abs(a - 'a') % 5] = b; if (b == 'q') return changed(); return 0;",
    ),
    (
        "library: a quotient that may fail",
        "div_t parts = div(a, b); seen = parts.quot; if (a == 'q') return changed(); return 0;",
    ),
    (
        "library: a string without end",
        "char *text = malloc(2); text[0] = a; text[1] = b; seen = strlen(text) == 1; free(text); if (a == 'q') return changed(); return 0;",
    ),
    (
        "library: what a function remembers",
        "srand(a); if (isdigit(b)) rand(); int n = rand(); if (n % 4 == 1) return changed(); char text[4] = {a, ',', b, 0}; strtok(text, \",\"); if (b == 'x') strtok(0, \",\"); return strtok(0, \",\") == 0;",
    ),
    (
        "library: output that is put off",
        "setvbuf(stdout, 0, isupper(a) ? _IONBF : _IOFBF, 64); printf(\"%c\", a == 'q' ? 'x' : 'y'); if (b == 'z') abort(); if (b == 'q') return changed(); return 0;",
    ),
    (
        "library: a size concretised",
        "size_t n = a == 'q' ? 1 : b & 3; char *text = calloc(n + 1, 1); if (text && malloc_usable_size(text) > 2 && n == 3) seen = 1; free(text); if (n == 3) return changed(); return 0;",
    ),
    (
        "library: a length concretised",
        "char from[8] = \"abcdefg\", to[8] = {0}; memcpy(to, from, b & 7); if ((b & 7) == 5) return changed(); return to[6];",
    ),
    (
        "library: a callee concretised",
        "int (*all[2])(int) = {abs, toupper}; int n = all[b & 1](a); seen = n; if ((b & 1) && a == 'x') return changed(); return 0;",
    ),
    (
        "library: a pointer copied in pieces",
        "int target = 0; int *from = &target, *to = 0; for (size_t i = 0; i < sizeof from; i++) ((volatile char *)&to)[i] = ((volatile char *)&from)[i]; if (a == 'q') *to = 1; if (target) return changed(); return 0;",
    ),
    (
        "library: a pointer made by arithmetic",
        "int target = 0; unsigned long half = (unsigned long)&target / 2 * 2; if (a == 'q') *(int *)half = 1; if (target) return changed(); return 0;",
    ),
    (
        "library: a closed stream",
        "setbuf(stdout, 0); if (a == 'q') close(1); if (putchar('k') == EOF) return changed(); return 0;",
    ),
    (
        "library: a file in between",
        "FILE *file = fopen(\"f\", \"w\"); if (a == 'q') fputc('x', file); fclose(file); file = fopen(\"f\", \"r\"); int c = fgetc(file); fclose(file); if (c == 'x') return changed(); return 0;",
    ),
    (
        "library: the environment",
        "extern char **environ; static char *own[] = {\"A=1\", 0}; if (a == 'q') environ = own; if (b == 'x') setenv(\"A\", \"2\", 1); if (getenv(\"A\")) return changed(); return 0;",
    ),
    (
        "library: a stream in memory",
        "char *text = 0; size_t n = 0; FILE *file = open_memstream(&text, &n); if (a == 'q') fputc('x', file); fclose(file); if (n == 1) return changed(); return 0;",
    ),
    (
        "library: a large variable",
        "if (a == 'q') { char large[1 << 16]; memset(large, b, sizeof large); seen = large[b]; } if (b == 'x') return changed(); return 0;",
    ),
    (
        "library: pointers that are sorted",
        "int x = 1, y = 2, *all[2] = {&x, &y}; if (a == 'q') { int *t = all[0]; all[0] = all[1]; all[1] = t; } *all[0] = 7; if (y == 7) return changed(); return 0;",
    ),
    (
        "library: an end in another function",
        "leave(a); return changed();",
    ),
    (
        "library: an end in a loop",
        "for (int i = 0; i < 3; i++) leave(a + i); if (b == 'q') return 7; return changed();",
    ),
    (
        "library: a pipe in between",
        "int ends[2]; char v = odd(a), r = 9; if (pipe(ends)) return 77; write(ends[1], &v, 1); read(ends[0], &r, 1); if (r == 1) return changed(); return 5;",
    ),
    (
        "library: much that is written to a file",
        "static char large[5000]; large[4500] = odd(a); int file = open(\"f\", O_RDWR | O_CREAT, 0600); unlink(\"f\"); pwrite(file, large, 5000, 0); char r = 9; pread(file, &r, 1, 4500); if (r == 1) return changed(); return 5;",
    ),
    (
        "library: a vector that is written",
        "char v = odd(a), r = 9; struct iovec all = {&v, 1}; int file = open(\"f\", O_RDWR | O_CREAT, 0600); unlink(\"f\"); pwritev(file, &all, 1, 0); pread(file, &r, 1, 0); if (r == 1) return changed(); return 5;",
    ),
    (
        "library: a list that is copied",
        "if (second(1, 0, odd(a)) == 1) return changed(); return 5;",
    ),
    (
        "library: reads of the same place",
        "char *p = malloc(2); p[0] = a; p[1] = b; if (p[0] > 'a' && p[0] < 'z') seen++; if (p[1] == 'q' || p[1] == 'x') return changed(); return 5;",
    ),
    (
        "library: reads of a place that is freed in between",
        "char *p = malloc(2); p[0] = a; if (p[0] == 'q') free(p); int n = changed(); if (b == 'x' && p[0] > 'b') seen++; return n;",
    ),
];

/// Whole programs with the C library, on inputs whose bytes library functions care for.
fn library_pair(body: &str, all_slices: &[Slices]) -> Result<(), Failed> {
    let load = |value: &str| -> Result<concolic_vm::Program, Failed> {
        let folder = tempfile::tempdir()?;
        let source = folder.path().join("small.c");
        let text = format!(
            "#define _GNU_SOURCE\n#include <ctype.h>\n#include <fcntl.h>\n#include <malloc.h>\n#include <stdarg.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/uio.h>\n#include <unistd.h>\n\
             int seen, kept;\n\
             static int __attribute__((noinline)) odd(int c) {{ if (c & 1) {{ kept++; return kept; }} seen++; return 0; }}\n\
             static void __attribute__((noinline)) leave(int c) {{ if (c < 'a') _exit(0); }}\n\
             static int __attribute__((noinline)) second(int n, ...) {{ va_list list, copy; va_start(list, n); va_arg(list, int); \
             va_copy(copy, list); int r = va_arg(copy, int); va_end(list); va_end(copy); return r; }}\n\
             static int changed(void) {{ return {value}; }}\n\
             static int by_value(const void *a, const void *b) {{ return *(const int *)a - *(const int *)b; }}\n\
             int main(void) {{ unsigned char in[2] = {{0}}; if (read(0, in, 2) != 2) return 9; int a = in[0], b = in[1]; \
             (void)by_value; (void)odd; (void)leave; (void)second; {body} }}\n"
        );
        std::fs::write(&source, text)?;
        let builder = build::Builder::new(&|_| {})?;
        let built = builder.program(&build::Request {
            inputs: vec![source],
            ..build::Request::default()
        })?;
        let image = std::fs::read(builder.image(&built)?)?;
        Ok(concolic_vm::Program::new(
            program_ir::read_image(&image)?,
            1 << 30,
        )?)
    };
    let (old, new) = (load("1")?, load("2")?);
    let space = InputSpace {
        program_name: b"program".to_vec(),
        stdin: StreamSpace::Symbolic(2..=2),
        ..InputSpace::default()
    };
    let version = |program| Explorable {
        program,
        subject: Subject::Whole,
        shapes: space.shapes(),
    };
    let (old, new) = (version(&old), version(&new));
    let record = |stdin: [u8; 2]| InputRecord {
        args: vec![b"program".to_vec()],
        stdin: stdin.to_vec(),
        ..InputRecord::default()
    };
    const BYTES: &[u8] = b"\0\n-,059aqxzAQ\xff";
    let inputs = BYTES
        .iter()
        .flat_map(|&a| BYTES.iter().map(move |&b| [a, b]));
    let inputs: Vec<InputRecord> = inputs.map(record).collect();
    let same: Vec<bool> = inputs
        .iter()
        .map(|input| behaves_the_same(&old, &new, input))
        .collect();
    for &slices in all_slices {
        let mut how = How::new(Strategy::Dart, 1);
        how.slices = slices;
        let compared = compare(&old, &new, &how, &inputs);
        let checked = compared.check(&same, true);
        checked.map_err(|problem| format!("{slices:?}: {problem}"))?;
    }
    Ok(())
}

/// A check that always passes would be worthless: it objects to a wrong word about any partition.
fn the_check_can_fail() -> Result<(), Failed> {
    let settings = Settings {
        size: 10,
        faults: false,
    };
    let pair = (0..).map(|seed| pair(seed, settings));
    let mut found = None;
    for pair in pair.take(200) {
        let (old, new) = (Batch::of(vec![pair.old])?, Batch::of(vec![pair.new])?);
        let inputs = old.inputs(0);
        let (old, new) = (old.member(0), new.member(0));
        let same: Vec<bool> = inputs
            .iter()
            .map(|input| behaves_the_same(&old, &new, input))
            .collect();
        if inputs.len() <= MOST_INPUTS && same.contains(&true) && same.contains(&false) {
            let compared = compare(&old, &new, &How::new(Strategy::Dart, 1), &inputs);
            compared.check(&same, true)?;
            found = Some((compared, same));
            break;
        }
    }
    let (compared, same) = found.ok_or("no pair that differs on some inputs")?;
    for index in 0..same.len() {
        let mut wrong = same.clone();
        wrong[index] = !wrong[index];
        if compared.check(&wrong, true).is_ok() {
            return Err(format!("a wrong word about input {index} goes unnoticed").into());
        }
    }
    Ok(())
}

fn count(compared: &Compared) {
    UNKNOWN.fetch_add(usize::from(compared.gaps), Ordering::Relaxed);
    for (part, _) in &compared.partitions {
        match part {
            Part::Equal { .. } => EQUAL.fetch_add(1, Ordering::Relaxed),
            Part::Different { .. } => DIFFERENT.fetch_add(1, Ordering::Relaxed),
            Part::Unknown {
                why: WhyUnknown::BothUndefined(_) | WhyUnknown::BothUndefinedAndSeen(_),
            } => UNDEFINED.fetch_add(1, Ordering::Relaxed),
            Part::Unknown { .. } => UNKNOWN.fetch_add(1, Ordering::Relaxed),
        };
    }
}
