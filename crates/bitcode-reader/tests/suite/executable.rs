//! `parallax-read-bitcode` and bad input: exit status 2, one line that names the file,
//! the cause and the next step, and no file left behind.

use crate::support::{GUEST_FLAGS, bitcode, scratch};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn reader(arguments: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_parallax-read-bitcode"))
        .args(arguments)
        .output()
        .expect("the reader starts")
}

/// An empty folder.
fn fresh(name: &str) -> PathBuf {
    let folder = scratch(name);
    fs::remove_dir_all(&folder).expect("it was just made");
    scratch(name)
}

fn refuses(input: &Path, folder: &Path, cause: &str) {
    let before = fs::read_dir(folder).expect("it exists").count();
    let output = reader(&[input, Path::new("--out"), &folder.join("out.pir")]);
    let said = String::from_utf8(output.stderr).expect("messages are text");
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(output.stdout.is_empty());
    assert_eq!(said.lines().count(), 1, "{said}");
    let start = format!("parallax-read-bitcode: {}: ", input.display());
    assert!(said.starts_with(&start), "{said}");
    assert!(said.contains(cause) && said.contains("; "), "{said}");
    let after = fs::read_dir(folder).expect("it exists").count();
    assert_eq!(before, after, "something was left behind");
}

fn module(folder: &Path) -> PathBuf {
    let (source, output) = (folder.join("program.c"), folder.join("program.bc"));
    fs::write(&source, "int main(void) { return 42; }\n").expect("the folder is writable");
    bitcode(&source, &GUEST_FLAGS, &output);
    output
}

#[test]
fn a_module_becomes_an_image() {
    let folder = fresh("executable-good");
    let (input, image) = (module(&folder), folder.join("out.pir"));
    let output = reader(&[&input, Path::new("--out"), &image]);
    assert!(output.status.success() && output.stderr.is_empty());
    let image = fs::read(&image).expect("it was written");
    let module = program_ir::read_image(&image).expect("it is an image");
    assert!(module.function_named("main").is_some());
}

#[test]
fn missing_files_are_refused() {
    let folder = fresh("executable-missing");
    refuses(&folder.join("nothing.bc"), &folder, "cannot read it");
}

#[test]
fn other_files_are_refused() {
    let folder = fresh("executable-other");
    let whole = fs::read(module(&folder)).expect("clang wrote it");
    let noise: Vec<u8> = (0..4096_u32)
        .map(|n| (n.wrapping_mul(0x9e37_79b1) >> 13) as u8)
        .collect();
    for (name, bytes) in [
        ("empty.bc", &[][..]),
        ("noise.bc", &noise),
        ("text.bc", b"int main(void) { return 0; }\n"),
        ("truncated.bc", &whole[..whole.len() / 2]),
    ] {
        let input = folder.join(name);
        fs::write(&input, bytes).expect("the folder is writable");
        refuses(&input, &folder, "");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_refused() {
    let folder = fresh("executable-output");
    let input = module(&folder);
    let output = reader(&[&input, Path::new("--out"), &folder.join("missing/out.pir")]);
    let said = String::from_utf8(output.stderr).expect("messages are text");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said.contains("cannot write") && said.lines().count() == 1,
        "{said}"
    );
}

#[test]
fn unknown_arguments_are_refused() {
    for arguments in [
        &["--frobnicate"][..],
        &["a.bc"],
        &["a.bc", "--out"],
        &["a", "b", "--out", "c"],
    ] {
        let arguments: Vec<&Path> = arguments.iter().map(Path::new).collect();
        let output = reader(&arguments);
        let said = String::from_utf8(output.stderr).expect("messages are text");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(said.contains("usage: "), "{arguments:?}: {said}");
    }
}
