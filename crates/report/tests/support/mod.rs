//! A report to write down: two versions with differences of several kinds, whose texts can be made hostile.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use compare::Report;
use compare::confirm::{Difference, Observed, StepDifference, VersionOutcome};
use compare::given::Given;
use compare::report::{
    Asked, Bounds, Costs, Proofs, PropagationReport, PrunedReport, Reservations, SearchReport,
    SettledReport, ShareMethod, ShareReport, StepReport, Stopped, VersionReport,
};
use compare::search::partitions::{Counts, Entry, PartitionList, PartitionStatus};
use compare::spec::{Listing, Mode};
use compare::verdict::{Finding, Open, Verdict};
use compare::versions::changed_line::ReportedChange;
use compare::versions::groups::Groups;
use exploration::InputRecord;
use exploration::compare::Observable;
use exploration::worker::Proof;
use native::test_case::{EndKind, ExpectedEnd};

/// Text that tries to be more than text: terminal codes, markup of every format, bytes that are no text.
pub(crate) const HOSTILE: &[u8] = b"\x1b[2J\x1b]0;owned\x07<script>alert(1)</script>\"'--><!-- ]]> `````\n# @everyone [x](javascript:alert(1)) \\u0000 \0\xff\xfe\xed\xa0\x80 \xe2\x80\xaeabc\r\n</details><b>&amp;&#0;{{ 7*7 }}{% raw %}${x}\n";

pub(crate) fn exit(status: i32) -> ExpectedEnd {
    ExpectedEnd {
        kind: EndKind::Exit,
        shell_status: Some(status),
        description: format!("exit status {status}"),
        function: None,
        file: None,
        line: None,
        in_mapping: false,
        beside_object: false,
        undefined: false,
    }
}

pub(crate) fn crash() -> ExpectedEnd {
    ExpectedEnd {
        kind: EndKind::OutOfBounds,
        shell_status: None,
        description: "reads outside of an object".to_owned(),
        function: Some("price".to_owned()),
        file: Some("new.c".to_owned()),
        line: Some(7),
        in_mapping: false,
        beside_object: false,
        undefined: true,
    }
}

pub(crate) fn outcome(end: ExpectedEnd, stdout: &[u8]) -> VersionOutcome {
    VersionOutcome {
        end,
        stdout: stdout.to_vec(),
        stderr: Vec::new(),
        files: BTreeMap::new(),
        outside: Default::default(),
        call: None,
    }
}

pub(crate) fn change(line: u32, code: &str) -> ReportedChange {
    ReportedChange {
        file: "src/new.c".to_owned(),
        line,
        function: "price".to_owned(),
        is_removed: false,
        is_used: false,
        notes: Vec::new(),
        code: Some(code.to_owned()),
    }
}

pub(crate) fn difference(
    number: usize,
    argument: &[u8],
    observables: &[Observable],
    outcomes: [VersionOutcome; 2],
    changes: Vec<ReportedChange>,
) -> Difference {
    let observed: Vec<Observed> = (observables.iter())
        .map(|observable| Observed {
            observable: observable.clone(),
            of_call: None,
        })
        .collect();
    let given = Given {
        input: InputRecord {
            args: vec![b"program".to_vec(), argument.to_vec()],
            ..InputRecord::default()
        },
        call: None,
    };
    let folder = PathBuf::from(format!(".parallax/check/new/{number:03}"));
    Difference {
        observed: observed.clone(),
        groups: Groups {
            groups: vec![vec![0], vec![1]],
            not_known: Vec::new(),
        },
        given: given.clone(),
        found_with: given,
        condition: vec!["1 argument".to_owned()],
        is_minimal: true,
        outcomes: outcomes.to_vec(),
        test_code: None,
        class: None,
        steps: vec![StepDifference {
            step: 0,
            locations: vec![String::new(); observed.len()],
            observed,
            attributes: BTreeMap::new(),
            changes,
            unconfirmed: None,
            accepted: None,
            script: Some(folder.join("reproduce.sh")),
            folder,
        }],
        further_changes: Vec::new(),
        undefined: Vec::new(),
        partitions: 2,
    }
}

fn share(share: f64) -> ShareReport {
    ShareReport {
        share,
        interval: (share - 0.01, share + 0.01),
    }
}

/// A report with these differences.
pub(crate) fn report(differences: Vec<Difference>) -> Report {
    let finding = match differences.is_empty() {
        true => Finding::Equivalent,
        false => Finding::Different,
    };
    let version = |name: &str| VersionReport {
        name: name.to_owned(),
        files: vec![PathBuf::from(format!("src/{name}.c"))],
        label: None,
    };
    let entry = |known: PartitionStatus, condition: &str| Entry {
        condition: vec!["1 argument".to_owned(), condition.to_owned()],
        outputs: Vec::new(),
        known,
        groups: None,
        count: 1,
    };
    Report {
        verdict: finding.verdict(),
        asked: Asked {
            mode: Mode::FindAndVerify,
            first: false,
            random: false,
            unconfined: false,
            listing: Listing::default(),
        },
        versions: vec![version("old"), version("new")],
        function: None,
        steps: vec![StepReport {
            exercise: None,
            from: 0,
            to: 1,
            finding,
            otherwise: Finding::Equivalent,
            differences: (1..=differences.len()).collect(),
            undoes: Vec::new(),
            introduces: Vec::new(),
        }],
        same_functions: Vec::new(),
        search: Some(search(differences.len() as u64)),
        first_difference: None,
        partitions: PartitionList {
            entries: vec![
                entry(PartitionStatus::Different, "argv[1][0] in '0'..'9'"),
                entry(
                    PartitionStatus::Equal(Proof::SameTerms),
                    "argv[1][0] == 'a'",
                ),
                entry(
                    PartitionStatus::Unknown("the solver ran out of time".to_owned()),
                    "argv[1][0] == 'b'",
                ),
            ],
            counts: Counts {
                equal_by_terms: 7,
                different: 2,
                unknown: 1,
                ..Counts::default()
            },
        },
        differences,
        reservations: Reservations::default(),
        assumptions: Vec::new(),
        proofs: Proofs::default(),
        bounds: Bounds {
            grown: None,
            widest: Default::default(),
            input: vec!["1 to 2 arguments of up to 2 bytes".to_owned()],
            empty_environment: true,
            instructions: 20_000_000,
            stack: 8 << 20,
            decisions: 1000,
            working_folder: "/home/user".to_owned(),
        },
        wall: Duration::from_millis(1234),
    }
}

fn search(different: u64) -> SearchReport {
    SearchReport {
        exhausted: true,
        stop: Stopped {
            why: "no flip was left".to_owned(),
            finished: true,
            can_go_on: false,
        },
        open_flips: 0,
        paths: 10,
        paths_before: 0,
        runs: 12,
        gaps: Vec::new(),
        notes: Vec::new(),
        unknown: Default::default(),
        both_undefined: Default::default(),
        different,
        settled: Some(SettledReport {
            method: ShareMethod::Sampled(5000),
            equal: share(0.80),
            different: share(0.15),
            open: share(0.05),
            uncertainty: 0.01,
        }),
        pruned: PrunedReport::default(),
        propagation: PropagationReport::default(),
        costs: Costs::default(),
    }
}

/// Nothing was found, and nothing is proved.
pub(crate) fn undecided() -> Report {
    let mut report = report(Vec::new());
    report.verdict = Verdict::Undecided;
    report.steps[0].finding = Finding::Undecided(Open::NotProved);
    report
}

/// Differences of several kinds.
pub(crate) fn several() -> Report {
    report(vec![
        difference(
            1,
            b"10",
            &[Observable::Stdout],
            [outcome(exit(0), b"120\n"), outcome(exit(0), b"90\n")],
            vec![
                change(10, "int each = number >= BULK_FROM ? BULK : SINGLE;"),
                change(11, "return each * number;"),
            ],
        ),
        difference(
            2,
            b"-1",
            &[Observable::End, Observable::Stdout],
            [
                outcome(exit(0), b"one\ntwo\nthree\n"),
                outcome(crash(), b"one\n"),
            ],
            vec![change(7, "return table[number];")],
        ),
        difference(
            3,
            b"?",
            &[Observable::ExitStatus],
            [outcome(exit(2), b""), outcome(exit(0), b"")],
            vec![change(20, "return 0;")],
        ),
    ])
}

/// Texts of others that are hostile, everywhere where there can be some; and megabytes of output.
pub(crate) fn hostile() -> Report {
    let text = String::from_utf8_lossy(HOSTILE).into_owned();
    let megabytes = [HOSTILE, &vec![b'x'; 3 << 20]].concat();
    let mut one = change(3, &text);
    one.file = format!("src/{text}.c");
    one.function = text.clone();
    one.notes = vec![text.clone()];
    let argument: Vec<u8> = HOSTILE.iter().copied().filter(|&byte| byte != 0).collect();
    let mut first = difference(
        1,
        &argument,
        &[
            Observable::Stdout,
            Observable::File(format!("/home/user/{text}")),
        ],
        [outcome(exit(0), HOSTILE), outcome(exit(0), &megabytes)],
        vec![one],
    );
    first.given.input.stdin = megabytes.clone();
    first
        .given
        .input
        .files
        .insert(format!("/home/user/{text}"), HOSTILE.to_vec());
    first.steps[0].unconfirmed = Some(text.clone());
    let mut report = report(vec![first]);
    report.versions[1].files = vec![PathBuf::from(&text)];
    report.reservations.left_out = vec![text.clone()];
    report.bounds.input = vec![text.clone()];
    for entry in &mut report.partitions.entries {
        entry.condition.push(text.clone());
    }
    if let Some(search) = &mut report.search {
        search.stop.why.clone_from(&text);
        search.stop.finished = false;
    }
    report
}
