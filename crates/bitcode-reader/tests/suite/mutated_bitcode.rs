//! Damaged bitcode: whatever LLVM does with it, the executable answers in one line,
//! survives, and leaves no file behind.
//!
//! Ten thousand mutants of small modules go through the executable's batch mode, which
//! forks for each of them. The mutants are the same in every run.

use crate::support::{GUEST_FLAGS, scratch};
use random::SplitMix;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const READER: &str = env!("CARGO_BIN_EXE_parallax-read-bitcode");
const MUTANTS: usize = 10_000;
const WORKERS: usize = 2;

const SEEDS: [(&str, &str); 4] = [
    (
        "calls.c",
        "struct pair { long a; double b; };\n\
         static int table[4] = { 1, 2, 3, 4 };\n\
         __attribute__((noinline)) struct pair make(long a) { return (struct pair){ a, a / 2.0 }; }\n\
         int main(int argc, char **argv) {\n\
         \tint sum = 0;\n\
         \tfor (int i = 0; i < argc; i++)\n\
         \t\tswitch (i & 3) { case 0: sum += table[i & 3]; break; case 1: sum ^= 7; break;\n\
         \t\tdefault: sum += (int)make(i).a; }\n\
         \treturn sum;\n\
         }\n",
    ),
    (
        "data.c",
        "static const char *names[] = { \"one\", \"two\", 0 };\n\
         extern int missing(const char *, ...) __attribute__((weak));\n\
         long double scale = 1.5L;\n\
         union { float f; int i; } both;\n\
         int main(void) {\n\
         \t__int128 big = 1; char buffer[names[0][0]];\n\
         \tbuffer[0] = (char)(big << 70 >> 68);\n\
         \treturn missing ? missing(names[1], 1.0, buffer) : (int)(scale * both.f);\n\
         }\n",
    ),
    (
        "vectors.ll",
        "target triple = \"x86_64-pc-linux-gnu\"\n\
         declare <4 x i32> @llvm.umax.v4i32(<4 x i32>, <4 x i32>)\n\
         define i32 @main(i32 %n) {\n\
         \x20 %v = insertelement <4 x i32> zeroinitializer, i32 %n, i32 %n\n\
         \x20 %m = call <4 x i32> @llvm.umax.v4i32(<4 x i32> %v, <4 x i32> <i32 1, i32 2, i32 3, i32 4>)\n\
         \x20 %s = shufflevector <4 x i32> %m, <4 x i32> %v, <4 x i32> <i32 0, i32 5, i32 poison, i32 2>\n\
         \x20 %c = icmp slt <4 x i32> %s, %v\n\
         \x20 %r = select <4 x i1> %c, <4 x i32> %s, <4 x i32> %m\n\
         \x20 %e = extractelement <4 x i32> %r, i64 2\n\
         \x20 ret i32 %e\n\
         }\n",
    ),
    (
        "loop.ll",
        "target triple = \"x86_64-pc-linux-gnu\"\n\
         @g = global { i32, [3 x ptr] } { i32 4, [3 x ptr] [ptr @f, ptr null, ptr @g] }\n\
         @a = alias i32 (i32), ptr @f\n\
         define i32 @f(i32 %x) { ret i32 %x }\n\
         define i32 @main(i32 %n) {\n\
         entry:\n\
         \x20 br label %loop\n\
         loop:\n\
         \x20 %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n\
         \x20 %x = atomicrmw add ptr @g, i32 %i seq_cst\n\
         \x20 %next = call i32 @a(i32 %x)\n\
         \x20 %more = icmp ult i32 %next, %n\n\
         \x20 br i1 %more, label %loop, label %done\n\
         done:\n\
         \x20 ret i32 %next\n\
         }\n",
    ),
];

#[test]
fn mutants_are_answered() {
    let folder = scratch("mutants");
    let seeds = seeds(&folder);
    let endings: Vec<Endings> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|worker| {
                let (folder, seeds) = (folder.join(format!("worker-{worker}")), &seeds);
                scope.spawn(move || feed(worker, &folder, seeds))
            })
            .collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined
            .map(|worker| worker.expect("no worker fails"))
            .collect()
    });
    let sum = |count: fn(&Endings) -> usize| endings.iter().map(count).sum::<usize>();
    let (read, refused, died) = (sum(|e| e.read), sum(|e| e.refused), sum(|e| e.died));
    println!("{MUTANTS} mutants: {read} read, {refused} refused, LLVM died of {died}");
    assert_eq!(read + refused + died, MUTANTS);
    // Otherwise the mutants would test nothing but the header.
    assert!(read > MUTANTS / 100, "too few mutants are valid");
    assert!(refused > MUTANTS / 100, "too few mutants are damaged");
}

#[derive(Default)]
struct Endings {
    read: usize,
    refused: usize,
    died: usize,
}

fn seeds(folder: &Path) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (name, text) in SEEDS {
        let source = folder.join(name);
        fs::write(&source, text).expect("the folder is writable");
        for (level, flags) in [("0", &GUEST_FLAGS[..]), ("1", &["-O1"])] {
            let output = format!("{name}.{level}.bc");
            // Modules name their source: a path would make other mutants in another folder.
            let compiled = Command::new("clang-22")
                .current_dir(folder)
                .args(flags)
                .args(["-w", "-emit-llvm", "-fdebug-compilation-dir=.", "-c"])
                .args([name, "-o", &output])
                .status();
            assert!(compiled.expect("clang-22 runs").success(), "{name}");
            seeds.push(fs::read(folder.join(output)).expect("clang wrote it"));
        }
    }
    seeds
}

/// Sends this worker's share of the mutants through one process.
fn feed(worker: usize, folder: &Path, seeds: &[Vec<u8>]) -> Endings {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).expect("the folder is writable");
    let (input, output) = (folder.join("mutant.bc"), folder.join("mutant.pir"));
    let mut reader = Command::new(READER)
        .arg("--batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the reader starts");
    let mut requests = reader.stdin.take().expect("it is a pipe");
    let mut answers = BufReader::new(reader.stdout.take().expect("it is a pipe")).lines();
    let mut endings = Endings::default();
    for number in (worker..MUTANTS).step_by(WORKERS) {
        let mutant = mutate(seeds, number as u64);
        fs::write(&input, mutant).expect("the folder is writable");
        writeln!(requests, "{}\t{}", input.display(), output.display())
            .expect("the reader still listens");
        let answer = answers.next().and_then(Result::ok);
        let answer = answer.unwrap_or_else(|| panic!("mutant {number}: no answer"));
        check_answer(number, &answer, &input, &output);
        let left = files(folder);
        assert!(
            left == *std::slice::from_ref(&input),
            "mutant {number} left {left:?}"
        );
        match &answer {
            ok if ok == "ok" => endings.read += 1,
            problem if problem.contains("LLVM gave up") => endings.died += 1,
            _ => endings.refused += 1,
        }
    }
    drop(requests);
    let status = reader.wait().expect("it was started");
    assert!(status.success(), "the batch ended with {status}");
    endings
}

/// Takes the image away if there is one.
fn check_answer(number: usize, answer: &str, input: &Path, output: &Path) {
    if answer == "ok" {
        let image = fs::read(output).expect("`ok` means that there is an image");
        let module = program_ir::read_image(&image);
        let module = module.unwrap_or_else(|error| panic!("mutant {number}: {error}"));
        let broken = program_ir::verify(&module);
        assert!(broken.is_empty(), "mutant {number}: {broken:?}");
        fs::remove_file(output).expect("it was just read");
        return;
    }
    let expected = format!("{}: ", input.display());
    assert!(answer.starts_with(&expected), "mutant {number}: {answer}");
    assert!(
        answer.contains("; "),
        "mutant {number}, no next step: {answer}"
    );
    let our_bug = [
        "the reader failed",
        "translated wrongly",
        "cannot make an image",
    ];
    for words in our_bug {
        if answer.contains(words) {
            let kept = input.with_file_name(format!("mutant-{number}.bc"));
            fs::copy(input, &kept).expect("the folder is writable");
            panic!("mutant {number} (kept as {}): {answer}", kept.display());
        }
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder exists");
    entries
        .map(|entry| entry.expect("it can be listed").path())
        .collect()
}

/// Mutant number `number`.
fn mutate(seeds: &[Vec<u8>], number: u64) -> Vec<u8> {
    let mut random = SplitMix(number);
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(3) {
        let length = bytes.len();
        match random.below(8) {
            // Most damage is small: single bits anywhere.
            0..=3 => {
                for _ in 0..=random.below(4) {
                    bytes[random.below(length)] ^= 1 << random.below(8);
                }
            }
            4 => bytes[random.below(length)] = random.below(256) as u8,
            5 => bytes.truncate((random.below(length) & !3).max(4)),
            // The front of one module and the end of another; bitcode counts in words.
            6 => {
                let other = &seeds[random.below(seeds.len())];
                let cut = random.below(length.min(other.len())) & !3;
                bytes.truncate(cut);
                bytes.extend_from_slice(&other[cut..]);
            }
            _ => {
                let (from, to) = (random.below(length) & !3, random.below(length) & !3);
                let count = (random.below(64) & !3).min(length - from).min(length - to);
                bytes.copy_within(from..from + count, to);
            }
        }
        if bytes.len() < 4 {
            bytes.resize(4, 0);
        }
    }
    bytes
}
