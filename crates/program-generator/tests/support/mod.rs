//! Builds a batch natively and for the VM, and runs members of it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bitcode_reader::{ReadOptions, read_module};
use concolic_vm::linux::{Kernel, KernelConfig};
use concolic_vm::{End, Limits, Machine};
use program_generator::ast::Program;
use program_generator::{GUEST_FLAGS, Input, print_batch};

pub(crate) const REFERENCE: &[&str] = &["-O0", "-w", "-DNATIVE"];
pub(crate) const SANITIZED: &[&str] = &[
    "-O1",
    "-w",
    "-DNATIVE",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
];

pub(crate) struct Batch {
    folder: tempfile::TempDir,
    source: PathBuf,
}

impl Batch {
    pub(crate) fn new(programs: &[Program]) -> Batch {
        let folder = tempfile::tempdir().expect("a folder for the batch");
        let source = folder.path().join("batch.c");
        std::fs::write(&source, print_batch(programs)).expect("the batch can be written");
        Batch { folder, source }
    }

    pub(crate) fn native(&self, flags: &[&str]) -> PathBuf {
        let executable = self.folder.path().join("native");
        compile(&self.source, flags, &executable);
        executable
    }

    pub(crate) fn guest(&self) -> concolic_vm::Program {
        let bitcode = self.folder.path().join("batch.bc");
        compile(&self.source, GUEST_FLAGS, &bitcode);
        let bytes = std::fs::read(&bitcode).expect("clang has written bitcode");
        let module = read_module(&bytes, &ReadOptions::default()).expect("clang's bitcode is read");
        concolic_vm::Program::new(module, 1 << 30).expect("the module loads")
    }
}

pub(crate) fn compile(source: &Path, flags: &[&str], output: &Path) {
    let mut command = Command::new("clang-22");
    command.args(flags).arg(source).arg("-o").arg(output);
    let result = command.output().expect("clang-22 starts");
    let message = String::from_utf8_lossy(&result.stderr);
    assert!(result.status.success(), "clang: {message}");
}

/// One answer for each question; all of them by one process.
pub(crate) fn ask_native(executable: &Path, questions: &[(usize, Input)]) -> Vec<String> {
    let mut lines = String::new();
    for (number, input) in questions {
        let byte = |index| input.bytes.get(index).copied().unwrap_or(0);
        let _ = writeln!(lines, "{number} {} {} {}", byte(0), byte(1), byte(2));
    }
    let mut child = Command::new(executable)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the batch starts");
    let mut pipe = child.stdin.take().expect("a pipe was asked for");
    let writer = std::thread::spawn(move || pipe.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("the batch ends");
    let written = writer.join().expect("the writer ends");
    let answers: Vec<String> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(str::to_owned)
        .collect();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && written.is_ok() && answers.len() == questions.len(),
        "stopped after {} answers: {}\n{message}",
        answers.len(),
        output.status
    );
    answers
}

/// The same answer from the VM; what is neither a value nor an exit is the kind of error.
pub(crate) fn ask_guest(program: &concolic_vm::Program, number: usize, input: &Input) -> String {
    match call_guest(program, &format!("digest_{number}"), input) {
        (End::Exit { .. }, Some(value)) => format!("value {value}"),
        (End::Exit { status }, None) => format!("exit {status}"),
        (end, _) => end.kind().to_string(),
    }
}

/// How a call of the function ended, and what it returned if it did.
pub(crate) fn call_guest(
    program: &concolic_vm::Program,
    name: &str,
    input: &Input,
) -> (End, Option<u64>) {
    let function = program.module().function_named(name).expect("a member");
    let kernel = Kernel::new(KernelConfig::default()).expect("an empty world");
    let limits = Limits {
        steps: 10_000_000,
        ..Limits::default()
    };
    let mut machine = Machine::new(program, kernel, limits, function).expect("a call starts");
    for (index, &byte) in input.bytes.iter().enumerate() {
        machine.set_argument(index, u64::from(byte));
    }
    let end = machine.run().end;
    (end, machine.returned().first().copied())
}

/// At most `most` of the inputs, spread over all of them.
pub(crate) fn sample(inputs: Vec<Input>, most: usize) -> Vec<Input> {
    let step = inputs.len().div_ceil(most).max(1);
    inputs.into_iter().step_by(step).collect()
}
