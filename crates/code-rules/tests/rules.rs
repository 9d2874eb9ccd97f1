//! Holds every crate of the workspace to the rules of `code-rules`.
//!
//! Exceptions are listed here, each with its reason. One that is not needed any more fails the test, so the lists only shrink.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use code_rules::{cycles, sizes, wording};

const BY_CASES: &str = "one match with an arm for each opcode, system call or library function";
const HOT: &str =
    "the registers of the stepping loop; grouping them would cost an indirection in each step";
const MENDED_NEXT: &str = "to be split";

/// Larger than the rule allows.
const LARGE: &[(&str, &str)] = &[
    ("bitcode-reader::intrinsics::read_intrinsic", BY_CASES),
    ("cli::explore::execute", MENDED_NEXT),
    ("concolic-vm::decode::inst", BY_CASES),
    ("concolic-vm::linux::Kernel", MENDED_NEXT),
    ("concolic-vm::linux::dispatch::dispatch", BY_CASES),
    ("concolic-vm::live_slots::reads", BY_CASES),
    ("concolic-vm::machine::Machine", HOT),
    ("concolic-vm::machine::call_site", MENDED_NEXT),
    ("concolic-vm::observe::tracer::Tracer", MENDED_NEXT),
    ("concolic-vm::step::step_until_end", BY_CASES),
    ("concolic-vm::symbolic::recorder::Record", MENDED_NEXT),
    ("expr::store::Store", MENDED_NEXT),
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
    ("program-graphs::points_to::solver::Solver", MENDED_NEXT),
    ("program-ir::text::parse_inst::special", BY_CASES),
    ("program-ir::text::print_inst::write_data", BY_CASES),
    ("program-ir::verify::instruction::type_problem", BY_CASES),
    ("program-tests::subject_inputs::tokenizer", BY_CASES),
    ("relational::alone::summary::execute", BY_CASES),
    ("version-diff::render::svg::svg", MENDED_NEXT),
    ("version-diff::statements::statements", BY_CASES),
];

const ONE_TYPE: &str = "one type whose methods are spread over files by idea";

/// The first module of each group of siblings that import each other.
const CIRCLES: &[(&str, &str)] = &[
    ("bitcode-reader::debug_info", ONE_TYPE),
    ("cli::commits", MENDED_NEXT),
    ("cli::explore", MENDED_NEXT),
    ("concolic-vm::builtins", ONE_TYPE),
    ("concolic-vm::eval", MENDED_NEXT),
    ("concolic-vm::memory", MENDED_NEXT),
    ("concolic-vm::observe", MENDED_NEXT),
    ("concolic-vm::observe::dependence_trace", MENDED_NEXT),
    ("concolic-vm::symbolic::access", ONE_TYPE),
    ("expr::eval", ONE_TYPE),
    ("program-ir::text::print", ONE_TYPE),
];

const RENAMED_NEXT: &str = "to be given a name of its own";
const THE_MEANING: &str = "the meaning that the glossary gives the word";

/// Types with a name that says too little.
const VAGUE: &[(&str, &str)] = &[
    ("build::native::Found", RENAMED_NEXT),
    ("campaign::bisect::Found", RENAMED_NEXT),
    ("campaign::bisect::Search", RENAMED_NEXT),
    ("campaign::bisect::Version", RENAMED_NEXT),
    ("campaign::bisect::line::Step", RENAMED_NEXT),
    ("campaign::history::plan::Version", RENAMED_NEXT),
    ("cli::bisect::report::Report", RENAMED_NEXT),
    ("cli::explore::Report", RENAMED_NEXT),
    ("cli::replay::Report", RENAMED_NEXT),
    ("compare::confirm::minimise::Step", RENAMED_NEXT),
    ("compare::report::Report", THE_MEANING),
    ("compare::search::observe::Search", RENAMED_NEXT),
    ("compare::search::partitions::Known", RENAMED_NEXT),
    ("compare::versions::run::Step", RENAMED_NEXT),
    ("expr::eval::Step", RENAMED_NEXT),
    ("program-tests::function_pairs::Step", RENAMED_NEXT),
    ("program-tests::vm::Report", RENAMED_NEXT),
    ("relational::subject::Version", THE_MEANING),
    ("sandbox::request::Report", RENAMED_NEXT),
    ("solver::backends::z3::translate::Known", RENAMED_NEXT),
    ("solver::layers::boxes::search::Found", RENAMED_NEXT),
    ("solver::layers::boxes::search::Search", RENAMED_NEXT),
    ("solver::layers::quick::Search", RENAMED_NEXT),
    ("solver::layers::simplify::Known", RENAMED_NEXT),
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
