//! What the tests share: compilers, and what must hold for every module that was read.
#![allow(dead_code)] // Every test file uses its part of this.

use bitcode_reader::{ReadOptions, read_module};
use program_ir::{InstData, Module};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// A folder for this test's files.
pub(crate) fn scratch(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}

/// Runs a tool that must succeed.
pub(crate) fn run(command: &mut Command) {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed:\n{said}");
}

/// How guest programs are compiled.
pub(crate) const GUEST_FLAGS: [&str; 4] = ["-O0", "-Xclang", "-disable-O0-optnone", "-g"];

/// Compiles C or LLVM IR to bitcode.
pub(crate) fn bitcode(source: &Path, flags: &[&str], output: &Path) {
    let mut clang = Command::new("clang-22");
    clang.args(flags).args(["-w", "-emit-llvm", "-c"]);
    run(clang.arg(source).arg("-o").arg(output));
}

/// Reads a module and checks what must hold for each: the verifier is content, and the
/// text form says everything.
pub(crate) fn read(path: &Path) -> Module {
    let bytes = std::fs::read(path).expect("the module was just made");
    let module = read_module(&bytes, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let broken = program_ir::verify(&module);
    assert!(broken.is_empty(), "{}: {broken:#?}", path.display());
    let text = program_ir::print_module(&module);
    let parsed = program_ir::parse_module(&text)
        .unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
    assert!(
        parsed == module,
        "{}: the text form loses something",
        path.display()
    );
    module
}

/// Everything in a module that has no translation, with the function it is in.
pub(crate) fn unsupported(module: &Module) -> Vec<String> {
    let mut found = Vec::new();
    for function in module.functions.values() {
        for node in function.insts.values() {
            if let InstData::Unsupported { what, .. }
            | InstData::UnsupportedTerminator { what, .. } = &node.data
            {
                found.push(format!("{}: {what}", function.name));
            }
        }
    }
    found
}
