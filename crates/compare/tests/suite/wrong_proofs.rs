//! Proofs that are wrong on purpose: what they rest on lies, and native runs or tests give it away.

use std::path::Path;

use compare::spec::Mode;
use compare::trusted::Trusted;
use compare::{Comparison, Unobserved, Verdict};
use exploration::{StaticFacts, Strategy};
use expr::Store;
use native::test_case::TestCase;
use solver::{Answer, LayerStatistics, Query, Solver};

use crate::support::{source, specification, with_stdin};

/// Says that nothing satisfies anything: every proof that rests on it is wrong.
struct Liar;

impl Solver for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn solve(&mut self, _: &Store, _: &Query) -> Answer {
        Answer::Unsat
    }

    fn statistics(&self) -> Vec<LayerStatistics> {
        Vec::new()
    }

    fn reset(&mut self) {}
}

/// What is asked of a comparison of two programs that read a byte.
#[derive(Clone, Copy, Default)]
struct Asked<'a> {
    paranoid: bool,
    verify_only: bool,
    seeds: Option<&'a Path>,
}

/// The verdict, and whether a proof was refuted.
fn compared(
    folder: &Path,
    old: &str,
    new: &str,
    asked: Asked<'_>,
    trusted: &Trusted<'_>,
) -> (Verdict, bool) {
    let file = |name: &str, code: &str| {
        let text = format!(
            "#include <stdio.h>\n#include <string.h>\nint main(void) {{ int c = getchar(); {code} }}\n"
        );
        source(folder, name, &text)
    };
    let files = [file("old.c", old), file("new.c", new)];
    let mut spec = with_stdin(specification(&files, folder), 1);
    if asked.paranoid {
        spec.confirm.proofs = true;
        spec.search.prune = false;
        spec.search.proof_beside = false;
        spec.search.short_proofs = false;
    }
    if asked.verify_only {
        spec.search.mode = Mode::VerifyOnly;
        spec.search.strategy = Strategy::Dart;
        spec.search.propagate = false;
        spec.search.slices = true;
        spec.search.proof_beside = false;
    }
    if let Some(seeds) = asked.seeds {
        spec.input.seeds = TestCase::read_all(seeds).unwrap();
        // This strategy prunes from the beginning.
        spec.search.strategy = Strategy::Dart;
        spec.search.propagate = false;
        spec.search.proof_beside = false;
    }
    let report = Comparison::run_trusting(&spec, trusted, &Unobserved::default()).unwrap();
    (report.verdict, report.proofs.refuted().is_some())
}

#[test]
fn a_wrong_proof_is_caught_and_left_behind_for_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let honest = Trusted::OWN;
    let lying = Trusted {
        make_solver: &|_| Box::new(Liar),
        ..honest
    };
    let (old, new) = ("putchar(c & 127); return 0;", "putchar(c); return 0;");
    // What the host's C library says of an unknown error is its own affair, and the same in both versions.
    let message = |sum: &str| format!("fputs(strerror(9000 + ({sum})), stdout); return 0;");
    let (sum, other_sum) = (message("c + 5"), message("(c ^ 5) + 2 * (c & 5)"));
    let bundle = folder.path().join("tests/internal-error");
    let asked = Asked {
        paranoid: true,
        ..Asked::default()
    };
    let compared = |old: &str, new: &str, trusted: &Trusted<'_>| {
        compared(folder.path(), old, new, asked, trusted)
    };
    assert_eq!(
        compared(&sum, &other_sum, &honest),
        (Verdict::Equivalent, false)
    );
    assert_eq!(compared(old, new, &honest), (Verdict::Different, false));
    assert!(!bundle.exists());
    assert_eq!(compared(old, new, &lying), (Verdict::Undecided, true));
    for name in [
        "README",
        "condition",
        "input/stdin",
        "old/stdout",
        "new/stdout",
        "old/executable",
        "new/executable",
        "old/source/old.c",
        "new/source/new.c",
    ] {
        assert!(bundle.join(name).is_file(), "{name}");
    }
    let written = |which: &str| std::fs::read(bundle.join(which).join("stdout")).unwrap();
    assert_ne!(written("old"), written("new"));
    let text = std::fs::read_to_string(bundle.join("README")).unwrap();
    assert!(text.contains("the proof is wrong"), "{text}");
}

/// Facts that know of no change prune every way. A test behind one that shows a difference gives them away.
#[test]
fn a_wrong_pruning_is_given_away_by_a_test() {
    let folder = tempfile::tempdir().unwrap();
    // While no way is left to take, nothing is asked of the facts: 'y' is one.
    let code =
        |word: &str| format!("if (c == 'x') puts(\"{word}\"); if (c == 'y') return 3; return 0;");
    let (old, new) = (code("cross"), code("tick"));
    let seeds = folder.path().join("seeds");
    for (name, stdin) in [("1", "a"), ("2", "x")] {
        std::fs::create_dir_all(seeds.join(name)).unwrap();
        std::fs::write(seeds.join(name).join("argv"), "").unwrap();
        std::fs::write(seeds.join(name).join("stdin"), stdin).unwrap();
    }
    let asked = Asked {
        seeds: Some(&seeds),
        ..Asked::default()
    };
    let blind = Trusted {
        make_facts: |old, _, _| StaticFacts::new(old, old),
        ..Trusted::OWN
    };
    let bundle = folder.path().join("tests/internal-error");
    assert_eq!(
        compared(folder.path(), &old, &new, asked, &Trusted::OWN),
        (Verdict::Different, false),
        "what is pruned rightly is no error"
    );
    assert!(!bundle.exists());
    let refuted = (Verdict::Different, true);
    assert_eq!(compared(folder.path(), &old, &new, asked, &blind), refuted);
    let text = std::fs::read_to_string(bundle.join("README")).unwrap();
    assert!(text.contains("pruning is wrong"), "{text}");
    assert_eq!(std::fs::read(bundle.join("input/stdin")).unwrap(), b"x");
    // It is a difference all the same.
    let example = folder.path().join("tests/001/new/stdin");
    assert_eq!(std::fs::read(example).unwrap(), b"x");
}

/// Facts that know of no change leave everything open. An input that decides otherwise what was left out gives them away.
#[test]
fn a_wrong_slice_is_given_away_by_an_input_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let code =
        |word: &str| format!("if (c == 'x') puts(\"{word}\"); if (c == 'y') return 3; return 0;");
    let (old, new) = (code("cross"), code("tick"));
    let blind = Trusted {
        make_facts: |old, _, _| StaticFacts::new(old, old),
        ..Trusted::OWN
    };
    let asked = Asked {
        verify_only: true,
        ..Asked::default()
    };
    let found = compared(folder.path(), &old, &new, asked, &blind);
    assert_eq!(found.0, Verdict::Different);
}
