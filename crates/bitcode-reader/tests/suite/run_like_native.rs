//! Translated programs do what native code does. The programs under `tests/programs` have
//! no libc, so nothing but the translation and the machine stands between source and
//! output; each is read from three optimisation levels.

use crate::support;

use crate::support::{GUEST_FLAGS, bitcode, run, scratch, tests_folder};
use concolic_vm::linux::{Kernel, KernelConfig};
use concolic_vm::{End, Limits, Machine, Program, Start};
use program_ir::Module;
use std::path::Path;
use std::process::Command;

#[test]
fn integers() {
    check("integers.c");
}

#[test]
fn wide_integers() {
    check("wide_integers.c");
}

#[test]
fn vectors() {
    check("vectors.c");
}

#[test]
fn floats() {
    check("floats.c");
}

#[test]
fn atomics() {
    check("atomics.c");
}

#[test]
fn calls() {
    check("calls.c");
}

#[test]
fn intrinsics() {
    check("intrinsics.ll");
}

fn check(name: &str) {
    let programs = tests_folder().join("programs");
    let (source, printing) = (programs.join(name), programs.join("show.c"));
    let folder = scratch(&format!("run-{name}"));
    let native = native(&source, &printing, &folder);
    for (level, flags) in [
        ("O0", &GUEST_FLAGS[..]),
        ("O1", &["-O1", "-g"]),
        ("O2", &["-O2", "-g"]),
    ] {
        let parts = [folder.join("part.bc"), folder.join("show.bc")];
        // Without `errno`, clang uses intrinsics for the functions of the math library.
        let flags = [flags, &["-fno-math-errno"]].concat();
        bitcode(&source, &flags, &parts[0]);
        bitcode(&printing, &flags, &parts[1]);
        let linked = folder.join(format!("{level}.bc"));
        run(Command::new("llvm-link-22")
            .args(&parts)
            .arg("-o")
            .arg(&linked));
        let module = support::read(&linked);
        let missing = support::unsupported(&module);
        assert!(missing.is_empty(), "{name} at {level}: {missing:#?}");
        let guest = guest(module);
        compare(&format!("{name} at {level}"), &native, &guest);
    }
}

struct Run {
    output: String,
    status: i32,
}

fn native(source: &Path, printing: &Path, folder: &Path) -> Run {
    let executable = folder.join("native");
    let mut clang = Command::new("clang-22");
    clang.args(["-O0", "-w"]).arg(source).arg(printing);
    run(clang.arg("-o").arg(&executable).arg("-lm"));
    let output = Command::new(&executable)
        .output()
        .expect("the program starts");
    Run {
        output: String::from_utf8(output.stdout).expect("the programs print text"),
        status: output.status.code().expect("the programs exit"),
    }
}

fn guest(module: Module) -> Run {
    let program = Program::new(module, 1 << 30).expect("the module can be loaded");
    let kernel = Kernel::new(KernelConfig::default()).expect("the default is valid");
    let start = Start {
        args: vec![b"program".to_vec()],
        environment: Vec::new(),
    };
    let mut machine =
        Machine::start(&program, kernel, Limits::default(), &start).expect("there is a main");
    let outcome = machine.run();
    let status = match outcome.end {
        End::Exit { status } => status,
        ref other => panic!("ended otherwise: {other:?} at {:?}", outcome.stack.first()),
    };
    let output = machine.kernel().stdout().bytes().to_vec();
    Run {
        output: String::from_utf8(output).expect("the programs print text"),
        status,
    }
}

fn compare(what: &str, native: &Run, guest: &Run) {
    let pairs = native.output.lines().zip(guest.output.lines());
    for (number, (native, guest)) in pairs.enumerate() {
        assert_eq!(native, guest, "{what}: line {} (native left)", number + 1);
    }
    let lines = |run: &Run| run.output.lines().count();
    assert_eq!(lines(native), lines(guest), "{what}: number of lines");
    assert_eq!(native.status, guest.status, "{what}: exit status");
}
