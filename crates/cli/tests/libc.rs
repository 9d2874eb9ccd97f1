//! What must hold for the guest libc as a whole.

use std::process::Command;

use build::cache::Cache;
use build::libc::{self, Libc};
use build::link::{VM_FUNCTIONS, symbols};
use build::toolchain::Toolchain;

fn built() -> (Libc, Toolchain) {
    let cache = Cache::locate().unwrap();
    let tools = Toolchain::locate().unwrap();
    let libc = libc::ensure(&cache, &tools, &|_| {}).expect("the guest libc; run `make setup`");
    (libc, tools)
}

/// The text of the whole libc, as LLVM prints it.
fn text(libc: &Libc) -> String {
    let output = Command::new("llvm-dis-22")
        .arg(libc.bitcode())
        .args(["-o", "-"])
        .output()
        .unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn no_assembly_and_no_rounding_modes_are_left() {
    let (libc, _) = built();
    let text = text(&libc);
    for (number, line) in text.lines().enumerate() {
        assert!(!line.contains(" asm "), "line {number}: {line}");
        assert!(
            !line.contains("llvm.experimental.constrained"),
            "line {number}: {line}"
        );
    }
    assert!(text.contains("@printf("), "this is libc");
}

#[test]
fn only_the_vm_is_asked_for() {
    let (libc, tools) = built();
    let open = symbols(&libc.bitcode(), &["--undefined-only", "--no-weak"], &tools).unwrap();
    let foreign: Vec<_> = open
        .iter()
        .filter(|name| !name.starts_with("__parallax_") && !VM_FUNCTIONS.contains(&name.as_str()))
        .collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    let own = symbols(&libc.bitcode(), &["--defined-only"], &tools).unwrap();
    for name in VM_FUNCTIONS {
        assert!(
            !own.iter().any(|defined| defined == name),
            "{name} is the VM's"
        );
    }
}

/// A function that implements a loop must not have become a call of itself, and the string functions must
/// read single bytes.
#[test]
fn string_functions_are_byte_wise_loops() {
    let (libc, _) = built();
    let text = text(&libc);
    for name in [
        "strlen",
        "memchr",
        "__stpcpy",
        "__strchrnul",
        "memccpy",
        "strlcpy",
        "__stpncpy",
        "strcmp",
        "memcmp",
    ] {
        let called = format!("@{name}(");
        let body: Vec<&str> = text
            .lines()
            .skip_while(|line| !(line.starts_with("define") && line.contains(&called)))
            .take_while(|line| *line != "}")
            .collect();
        assert!(body.len() > 2, "{name} is missing");
        for line in &body[1..] {
            assert!(
                !line.contains("load i64") && !line.contains("load i32"),
                "{name}: {line}"
            );
            assert!(!line.contains(&called), "{name}: {line}");
        }
    }
}
