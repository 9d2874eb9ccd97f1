//! Holds every crate of the workspace to the rules of `code-rules`.
//!
//! Exceptions are listed here, each with its reason. One that is not needed any more fails the test, so the lists only shrink.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use code_rules::{cycles, sizes, wording};

const BY_CASES: &str = "one match with an arm for each opcode, system call or library function";

/// Larger than the rule allows.
const LARGE: &[(&str, &str)] = &[
    ("bitcode-reader::intrinsics::read_intrinsic", BY_CASES),
    ("concolic-vm::builtins::call_builtin", BY_CASES),
    ("concolic-vm::decode::inst", BY_CASES),
    ("concolic-vm::linux::dispatch::dispatch", BY_CASES),
    ("concolic-vm::live_slots::reads", BY_CASES),
    ("concolic-vm::step::step_until_end", BY_CASES),
    ("program-generator::print::statement", BY_CASES),
    ("program-graphs::memory_access::external", BY_CASES),
    (
        "program-graphs::points_to::constraint::external_constraints",
        BY_CASES,
    ),
    (
        "program-graphs::points_to::constraint::instruction",
        BY_CASES,
    ),
    ("program-ir::text::parse_inst::special", BY_CASES),
    ("program-ir::text::print_inst::write_data", BY_CASES),
    ("program-ir::verify::instruction::type_problem", BY_CASES),
    ("program-tests::subject_inputs::tokenizer", BY_CASES),
    ("relational::alone::summary::execute", BY_CASES),
    ("version-diff::statements::statements", BY_CASES),
];

const ONE_TYPE: &str = "one type whose methods are spread over files by idea";

/// The first module of each group of siblings that import each other.
const CIRCLES: &[(&str, &str)] = &[
    ("bitcode-reader::debug_info", ONE_TYPE),
    ("concolic-vm::builtins", ONE_TYPE),
    ("concolic-vm::symbolic::access", ONE_TYPE),
    ("expr::eval", ONE_TYPE),
    ("program-ir::text::print", ONE_TYPE),
];

const THE_MEANING: &str = "the meaning that the glossary gives the word";

/// Types with a name that says too little.
const VAGUE: &[(&str, &str)] = &[
    ("compare::report::Report", THE_MEANING),
    ("relational::subject::Version", THE_MEANING),
];

fn crates() -> Vec<code_rules::Crate> {
    code_rules::crates(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
}

/// Fails if something was found that is no exception, or an exception was not found.
fn only(exceptions: &[(&str, &str)], found: &[(String, String)]) {
    let allowed: BTreeSet<&str> = exceptions.iter().map(|(name, _)| *name).collect();
    let wrong = found.iter().filter(|(name, _)| !allowed.contains(&**name));
    let wrong: Vec<&str> = wrong.map(|(_, what)| &**what).collect();
    assert!(wrong.is_empty(), "against the rules:\n{}", wrong.join("\n"));
    let found: BTreeSet<&str> = found.iter().map(|(name, _)| &**name).collect();
    let gone: Vec<&&str> = allowed.difference(&found).collect();
    assert!(gone.is_empty(), "no exception is needed for {gone:?}");
}

#[test]
fn functions_and_structs_are_small() {
    let crates = crates();
    let found = crates.iter().flat_map(sizes::too_large).map(|large| {
        let what = format!("{}: {} {}", large.name, large.size, large.what);
        (large.name, what)
    });
    only(LARGE, &found.collect::<Vec<_>>());
}

#[test]
fn modules_have_an_order() {
    let crates = crates();
    let found = crates.iter().flat_map(cycles::circles).map(|circle| {
        let first = circle[0].clone();
        (
            first,
            format!("these import each other: {}", circle.join(", ")),
        )
    });
    only(CIRCLES, &found.collect::<Vec<_>>());
}

#[test]
fn comments_are_no_riddles() {
    let riddles: Vec<String> = crates().iter().flat_map(wording::riddles).collect();
    assert!(riddles.is_empty(), "{}", riddles.join("\n"));
}

#[test]
fn one_name_for_one_thing() {
    let found = wording::vague_names(&crates());
    let found = found.into_values().flatten().map(|name| {
        let what = format!("{name}: other types have this name too");
        (name, what)
    });
    only(VAGUE, &found.collect::<Vec<_>>());
}

/// Errors of libraries are typed. `anyhow` is for the command line, which only prints them.
#[test]
fn errors_of_libraries_are_typed() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut untyped = Vec::new();
    for folder in crates.read_dir().expect("the crates are there") {
        let folder = folder.expect("it can be listed").path();
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml"));
        let manifest = manifest.unwrap_or_default();
        if manifest.lines().any(|line| line.starts_with("anyhow")) {
            untyped.push(folder.file_name().unwrap_or_default().to_owned());
        }
    }
    assert_eq!(untyped, ["cli"]);
}

/// A dependency of tests that turns on another feature of a crate below the product has everything above that crate compiled once
/// more for the tests: minutes. The workspace's `Cargo.toml` says what is done about it.
#[test]
fn tests_share_what_a_build_compiles() {
    let features = |edges: &str| -> BTreeSet<String> {
        let output = Command::new(env!("CARGO"))
            .args([
                "tree",
                "--workspace",
                "--offline",
                "--locked",
                "--no-dedupe",
            ])
            .args(["--prefix", "none", "--format", "{p} {f}", "--edges", edges])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("cargo starts");
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().map(str::to_owned).collect()
    };
    let (built, tested) = (features("normal"), features("normal,dev"));
    assert!(built.len() > 50, "{built:?}");
    let twice: Vec<&String> = built.difference(&tested).collect();
    assert!(twice.is_empty(), "tests turn on features of {twice:?}");
}
