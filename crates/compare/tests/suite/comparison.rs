//! Whole comparisons through the library: what the report says, as data.

use std::path::{Path, PathBuf};

use compare::report::Report;
use compare::verdict::{Finding, Open};
use compare::versions::groups::Effect;
use compare::{Comparison, Spec, Unobserved, Verdict};
use exploration::compare::Observable;
use harness::{CallObservable, FunctionSpec, Value};

use crate::support::{in_repository, source, specification, with_arguments, with_stdin};

/// Runs a comparison. A report says the same when it was written and read.
fn run(spec: &Spec) -> Report {
    let report = Comparison::run(spec, &Unobserved::default()).unwrap();
    let written = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&written).unwrap(), report);
    report
}

fn program(body: &str) -> String {
    format!("#include <stdio.h>\nint main(void) {{ int c = getchar(); {body} }}\n")
}

/// Versions of a program that reads a byte, in a folder.
fn versions(folder: &Path, bodies: &[&str]) -> Vec<PathBuf> {
    let bodies = bodies.iter().enumerate();
    bodies
        .map(|(number, body)| source(folder, &format!("v{number}.c"), &program(body)))
        .collect()
}

#[test]
fn a_discount_that_changes_is_found_confirmed_and_attributed() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["examples/discount/old.c", "examples/discount/new.c"].map(in_repository);
    let spec = with_arguments(specification(&files, folder.path()), 1..=2, 2);
    let report = run(&spec);
    assert_eq!(report.verdict, Verdict::Different);
    assert_eq!(report.steps.len(), 1);
    assert_eq!(report.steps[0].finding, Finding::Different);
    let difference = &report.differences[0];
    let step = &difference.steps[0];
    assert_eq!(step.unconfirmed, None);
    assert!(!step.changes.is_empty());
    assert!(step.changes.iter().all(|change| change.code.is_some()));
    assert_ne!(difference.outcomes[0].stdout, difference.outcomes[1].stdout);
    assert!(step.script.as_ref().is_some_and(|script| script.is_file()));
}

#[test]
fn what_computes_the_same_is_equivalent() {
    let folder = tempfile::tempdir().unwrap();
    let files = versions(
        folder.path(),
        &["return (c & 15) * 2;", "return (c & 15) + (c & 15);"],
    );
    let mut spec = with_stdin(specification(&files, folder.path()), 1);
    // Proofs about functions by themselves would need no run.
    spec.search.short_proofs = false;
    let report = run(&spec);
    assert_eq!(report.verdict, Verdict::Equivalent);
    assert_eq!(report.steps[0].finding, Finding::Equivalent);
    assert!(
        report
            .search
            .as_ref()
            .is_some_and(|search| search.exhausted)
    );
    assert!(report.partitions.counts.equal() > 0 && report.differences.is_empty());
    assert!(!report.assumptions.is_empty());
    // Nothing is left behind but the journals.
    assert!(!folder.path().join("tests/001").exists());
}

#[test]
fn the_same_code_needs_no_search() {
    let folder = tempfile::tempdir().unwrap();
    let code = "return c;";
    let spec = with_stdin(
        specification(&versions(folder.path(), &[code, code]), folder.path()),
        1,
    );
    let report = run(&spec);
    assert_eq!(report.steps[0].finding, Finding::SameCode);
    assert!(report.search.is_none());
    assert!(!folder.path().join("tests").exists());
}

#[test]
fn memory_that_nobody_wrote_keeps_versions_from_being_equivalent() {
    let folder = tempfile::tempdir().unwrap();
    let files = versions(
        folder.path(),
        &[
            "int x; return x + 2 * (c & 1);",
            "int x; return x + (c & 1) + (c & 1);",
        ],
    );
    let mut spec = with_stdin(specification(&files, folder.path()), 1);
    spec.search.short_proofs = false;
    let report = run(&spec);
    let open = Finding::Undecided(Open::UninitialisedRead);
    assert_eq!(
        (report.verdict, report.steps[0].finding),
        (Verdict::Undecided, open)
    );
    let reads = &report.reservations.undefined.reads;
    assert_eq!(
        reads.iter().map(|read| read.version).collect::<Vec<_>>(),
        [0, 1]
    );
}

/// A change that is taken back again: the steps differ, the last version is as the first.
#[test]
fn of_three_versions_each_step_has_its_finding() {
    let folder = tempfile::tempdir().unwrap();
    let files = versions(
        folder.path(),
        &[
            "if (c == 'x') puts(\"old\"); return 0;",
            "if (c == 'x') puts(\"other\"); return 0;",
            "if ('x' == c) puts(\"old\"); return 0 * c;",
        ],
    );
    let report = run(&with_stdin(specification(&files, folder.path()), 1));
    assert_eq!(report.verdict, Verdict::Different);
    let steps = report.steps.iter();
    let steps: Vec<_> = steps
        .map(|step| (step.from, step.to, step.finding.verdict()))
        .collect();
    assert_eq!(
        steps,
        [
            (0, 1, Verdict::Different),
            (1, 2, Verdict::Different),
            (0, 2, Verdict::Equivalent)
        ]
    );
    let [difference] = &report.differences[..] else {
        panic!("{:?}", report.differences);
    };
    let undone = (2, Effect::Undoes { again: vec![0] });
    assert_eq!(
        difference.groups.effects(),
        [(1, Effect::Introduces), undone]
    );
    assert_eq!(difference.given.input.stdin, b"x");
    assert!(difference.is_confirmed());
    assert_eq!(report.steps[1].undoes, [1]);
}

/// A function is called with typed values, and what it returns is one.
#[test]
fn a_function_is_compared_by_its_values() {
    let folder = tempfile::tempdir().unwrap();
    let code =
        |compare: &str| format!("int least(int x, int y) {{ return x {compare} y ? x : y; }}\n");
    let files = [
        source(folder.path(), "old.c", &code("<")),
        source(folder.path(), "new.c", &code(">")),
    ];
    let mut spec = specification(&files, folder.path());
    spec.function = Some(FunctionSpec {
        name: "least".to_owned(),
        ..FunctionSpec::default()
    });
    let report = run(&spec);
    assert_eq!(report.verdict, Verdict::Different);
    let difference = &report.differences[0];
    let call = difference.given.call.as_ref().unwrap();
    assert_eq!(call.function, "least");
    let values: Vec<&Value> = call.arguments.iter().map(|(_, value)| value).collect();
    let [Value::Signed(x), Value::Signed(y)] = values[..] else {
        panic!("{call}");
    };
    let returned = |version: usize| {
        let outcome = difference.outcomes[version].call.as_ref().unwrap();
        outcome.of(&CallObservable::Returned).cloned()
    };
    assert_eq!(returned(0), Some(Value::Signed(*x.min(y))));
    assert_eq!(returned(1), Some(Value::Signed(*x.max(y))));
    let observed = &difference.steps[0].observed[0];
    assert_eq!(observed.of_call, Some(CallObservable::Returned));
    assert!(matches!(observed.observable, Observable::File(_)));
}
