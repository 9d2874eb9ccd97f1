//! Holds every crate of the workspace to the rules of `code-rules`.
//!
//! Exceptions are listed here, each with its reason. One that is not needed any more fails the test, so the lists only shrink.

use std::collections::BTreeSet;
use std::path::Path;

use code_rules::{cycles, sizes};

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
