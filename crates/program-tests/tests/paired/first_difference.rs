//! What `bench_check` counts: a kill is a difference that native runs show, and nothing else is a kill.

use std::path::Path;
use std::time::Duration;

use build::{Builder, Request};
use exploration::InputRecord;
use program_tests::directives::Run;
use program_tests::first_difference::{Method, Outcome, Searched, search};
use program_tests::native::{self, Build};
use program_tests::subject_space::{Start, parse, seeded, unseeded};
use program_tests::subjects::{Subject, mutant, subjects};
use program_tests::version_pairs::{Pair, Versions, load, pairs};

fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

fn subject(name: &str) -> Subject {
    let mut all = subjects().unwrap().into_iter();
    all.find(|subject| subject.name == name).unwrap()
}

/// Altitude, rates and time may vary within two digits; the rest is as in the seeds.
fn small_space() -> Start {
    let text = r#"
        args = ["319", "-1200", 1, "-600", 1, "3", "0", "1", "2", "1", "0", "0"]
        sym_stdin = 0
        files = []
    "#;
    unseeded(&parse(text).unwrap())
}

fn searched(versions: &Versions, start: &Start) -> Searched {
    let builder = Builder::new(&|_| {}).unwrap();
    let programs = [0, 1].map(|version| load(&builder, &versions.requests[version]).unwrap());
    let method = Method {
        direction: "dart".parse().unwrap(),
        workers: 1,
        timeout: Duration::from_secs(60),
        query_timeout: Duration::from_secs(5),
        query_log: None,
    };
    let [old, new] = &programs;
    search(&builder, [old, new], versions, start, &method).unwrap()
}

fn search_mutant(subject: &Subject, number: u32, start: &Start) -> Searched {
    let named = |pair: &&Pair| pair.name == format!("m{number:04}");
    let all = [pairs(subject, false), pairs(subject, true)].concat();
    let pair = all.iter().find(named).expect("the list has it");
    let builder = Builder::new(&|_| {}).unwrap();
    searched(&pair.write(subject, &builder).unwrap(), start)
}

/// Whether builds of our own, by the plain compiler, do something else.
fn differs_natively(subject: &Subject, number: u32, input: &InputRecord) -> bool {
    let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).unwrap();
    let run = Run {
        arguments: input.args.iter().skip(1).map(text).collect(),
        stdin: input.stdin.clone(),
        ..Run::default()
    };
    let changed = mutant(subject, number, scratch()).unwrap();
    let [old, new] = [&subject.program, &changed].map(|program| {
        let executable = native::build(program, Build::Reference, scratch()).unwrap();
        native::run(&executable, &run, scratch()).unwrap()
    });
    old != new
}

#[test]
fn a_kill_differs_natively() {
    let subject = subject("altitude_advisory");
    // The first is killed by a seed, the second by a flip.
    let seeds = seeded(&subject.space, &subject.seeds);
    for (number, start) in [(357, &seeds), (88, &small_space())] {
        let result = search_mutant(&subject, number, start);
        let Outcome::Killed { input, .. } = &result.outcome else {
            panic!("m{number:04}: {result:?}");
        };
        assert!(differs_natively(&subject, number, input), "{result:?}");
        assert!(result.reached == Some(true) && result.runs > 0);
    }
}

/// The mutant reads before an argument, where the sanitizers see nothing. Natively it prints something else.
#[test]
fn an_error_that_sanitizers_miss_is_a_kill_if_it_shows() {
    let subject = subject("line_range_cutter");
    let start = seeded(&subject.space, &subject.seeds);
    let result = search_mutant(&subject, 48, &start);
    let Outcome::Killed { input, .. } = &result.outcome else {
        panic!("{result:?}");
    };
    assert!(differs_natively(&subject, 48, input), "{result:?}");
}

#[test]
fn an_equivalent_mutant_is_proved_and_not_killed() {
    let subject = subject("altitude_advisory");
    for number in [93, 154] {
        let result = search_mutant(&subject, number, &small_space());
        assert_eq!(result.outcome, Outcome::Proved, "m{number:04}: {result:?}");
    }
}

#[test]
fn what_only_the_vm_shows_is_no_kill() {
    let folder = tempfile::tempdir_in(scratch()).unwrap();
    let write = |name: &str, shown: &str| {
        let path = folder.path().join(name);
        let text = format!(
            "#include <stdio.h>\n#include <time.h>\n\
             int main(int argc, char **argv) {{\n\
             if (argv[1][0] == 'x') {shown}\n\
             return 0;\n}}\n"
        );
        std::fs::write(&path, text).unwrap();
        Request {
            inputs: vec![path],
            ..Request::default()
        }
    };
    // The guest's clock stands still.
    let versions = Versions {
        requests: [
            write("old.c", "puts(\"same\");"),
            write(
                "new.c",
                "{ clock_t end = clock(); long i = 0; while (i < 100000 && clock() == end) i++;\n\
                 puts(i < 100000 ? \"same\" : \"other\"); }",
            ),
        ],
        changed: [4..5, 4..6],
    };
    let space = parse("args = [1]\nsym_stdin = 0\nfiles = []\n").unwrap();
    let result = searched(&versions, &unseeded(&space));
    assert!(
        matches!(result.outcome, Outcome::Survived { .. }),
        "{result:?}"
    );
    assert_eq!(result.not_confirmed.len(), 1, "{result:?}");
}
