//! Comparisons without the executable: a specification with the command line's defaults, on sources in a folder.

#![allow(dead_code)] // Each test executable uses a part of it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use compare::spec::{ConfirmSpec, InputSpec, LimitSpec, Listing, Mode, SearchSpec, Spec};
use concolic_vm::Limits;
use concolic_vm::symbolic::SymbolicLimits;
use exploration::input::{ArgSpace, StreamSpace};
use exploration::{InputSpace, Strategy};
use harness::BuildOptions;
use harness::whole_program::program_name;

/// A file of the repository.
pub(crate) fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// Writes a source.
pub(crate) fn source(folder: &Path, name: &str, code: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, code).unwrap();
    path
}

/// What `parallax check` does without options, on one input, in a folder.
pub(crate) fn specification(versions: &[PathBuf], folder: &Path) -> Spec {
    let versions: Vec<Vec<PathBuf>> = versions.iter().map(|file| vec![file.clone()]).collect();
    let is_two = versions.len() == 2;
    Spec {
        named: None,
        input: InputSpec {
            space: InputSpace {
                program_name: program_name(&versions),
                ..InputSpace::default()
            },
            otherwise: None,
            seeds: Vec::new(),
        },
        versions,
        build: BuildOptions::default(),
        function: None,
        sequence: None,
        golden: Vec::new(),
        exact: false,
        search: SearchSpec {
            mode: Mode::FindAndVerify,
            strategy: match is_two {
                true => Strategy::Auto,
                false => Strategy::Coverage,
            },
            prune: is_two,
            propagate: is_two,
            slices: false,
            proof_beside: is_two,
            short_proofs: is_two,
            seed: 0,
            workers: 1,
            first: false,
            separate: false,
            inspect_all: false,
            fresh: true,
        },
        limits: LimitSpec {
            run_memory: 2 << 30,
            time: Duration::from_secs(60),
            runs: None,
            memory: 8 << 30,
            steps: 20_000_000,
            decisions: SymbolicLimits::default().decisions,
            depth: Limits::default().depth,
            stack: Limits::default().stack_bytes,
            query: Duration::from_secs(5),
        },
        confirm: ConfirmSpec {
            minimise: false,
            proofs: false,
            confined: true,
        },
        listing: Listing::default(),
        folder: Some(folder.join("tests")),
        command: "a test".to_owned(),
    }
}

/// With so many bytes of standard input.
pub(crate) fn with_stdin(mut spec: Spec, bytes: usize) -> Spec {
    spec.input.space.stdin = StreamSpace::Symbolic(bytes..=bytes);
    spec
}

/// With up to so many arguments of up to so many bytes.
pub(crate) fn with_arguments(
    mut spec: Spec,
    count: std::ops::RangeInclusive<usize>,
    length: usize,
) -> Spec {
    spec.input
        .space
        .args
        .push(ArgSpace::Symbolic { count, length });
    spec
}
