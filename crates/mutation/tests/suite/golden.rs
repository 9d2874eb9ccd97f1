//! All mutants of one small file, as patches. `BLESS=1` rewrites the expectation.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use mutation::{Mutant, Operator, Options, Patch, mutants};

fn golden(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    folder.join(name)
}

fn small() -> Vec<u8> {
    std::fs::read(golden("small.c")).expect("the small file is there")
}

fn patch(mutant: &Mutant, source: &[u8]) -> Vec<u8> {
    let file = "small.c";
    let patch = Patch {
        mutant,
        source,
        file,
    };
    patch.to_bytes()
}

#[test]
fn the_patches_are_the_expected_ones() {
    let source = small();
    let everything = Options {
        asserts: true,
        directives: true,
        strings: true,
    };
    let mutants = mutants(&source, everything).unwrap();
    let text: Vec<u8> = mutants
        .iter()
        .flat_map(|mutant| patch(mutant, &source))
        .collect();
    let path = golden("small.patches");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, text).unwrap();
        return;
    }
    let expected = std::fs::read(path).unwrap_or_default();
    let (text, expected) = (
        String::from_utf8_lossy(&text),
        String::from_utf8_lossy(&expected),
    );
    assert!(
        text == expected,
        "the patches changed; see with BLESS=1 and git diff"
    );
}

/// Options add mutants at the end; the others keep their numbers.
#[test]
fn options_only_add() {
    let source = small();
    let usual = mutants(&source, Options::default()).unwrap();
    let asserts = Options {
        asserts: true,
        ..Options::default()
    };
    let directives = Options {
        directives: true,
        ..Options::default()
    };
    for options in [asserts, directives] {
        let more = mutants(&source, options).unwrap();
        assert!(more.len() > usual.len(), "{options:?} adds nothing");
        assert_eq!(&more[..usual.len()], &usual[..]);
    }
    let texts = |mutants: &[Mutant]| -> BTreeSet<Vec<u8>> {
        mutants.iter().map(|mutant| mutant.apply(&source)).collect()
    };
    let all = texts(&usual);
    assert_eq!(all.len(), usual.len(), "two mutants are the same");
    assert!(!all.contains(&source));
    let lines_left_alone = [1, 2, 6, 9];
    let touched = usual
        .iter()
        .find(|one| lines_left_alone.contains(&one.line));
    assert_eq!(touched, None);
}

#[test]
fn every_patch_applies_to_give_the_mutant() {
    let source = small();
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("small.c");
    let file = folder.path().join("one.patch");
    // With and without a newline at the end, and with those of another system.
    let unix = source.clone();
    let cut = source[..source.len() - 1].to_vec();
    let dos = String::from_utf8(source).unwrap().replace('\n', "\r\n");
    for source in [unix, cut, dos.into_bytes()] {
        for mutant in mutants(&source, Options::default()).unwrap() {
            std::fs::write(&target, &source).unwrap();
            std::fs::write(&file, patch(&mutant, &source)).unwrap();
            let output = Command::new("patch")
                .args(["-p1", "--binary", "--fuzz=0", "--batch", "--input"])
                .arg(&file)
                .current_dir(folder.path())
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{}: {said}", mutant.id());
            assert_eq!(std::fs::read(&target).unwrap(), mutant.apply(&source));
        }
    }
}

#[test]
fn every_operator_finds_places_in_the_subjects() {
    let subjects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects");
    let mut seen = BTreeSet::new();
    for entry in std::fs::read_dir(subjects).expect("the subjects are there") {
        let program = entry.unwrap().path().join("program.c");
        // A folder of other subjects has no program of its own.
        if !program.is_file() {
            continue;
        }
        let source = std::fs::read(program).unwrap();
        let found = mutants(&source, Options::default()).unwrap();
        assert!(found.len() >= 20);
        seen.extend(found.into_iter().map(|mutant| mutant.operator));
    }
    assert_eq!(seen, BTreeSet::from(Operator::ALL));
}
