//! A search whose messages are encoded to bytes and decoded again comes to the same as one that hands them over as they are: the same
//! paths in the same order, the same partitions, the same journal, the same work, and the same is told of it: all that is seen of terms
//! and processes is noted by the executor and sent along. So nothing but what is in the messages passes between coordinator and executor.

use std::sync::Mutex;
use std::time::Duration;

use build::Builder;
use concolic_vm::symbolic::SymbolicInput;
use exploration::compare::Observable;
use exploration::journal::Earlier;
use exploration::worker::{Part, Ran};
use exploration::{
    Category, FoundTest, Members, Note, Observer, Partition, Probe, PrunedInputs, Strategy,
    Summary, Transport, Verdict,
};
use program_generator::Settings;
use program_tests::brute_force::{Explorable, How, Slices};
use program_tests::generated::Pairs;
use program_tests::remembered_answers::Answers;
use program_tests::subject_space::seeded;
use program_tests::subjects::subjects;
use program_tests::version_pairs::{load, pairs};
use serde::{Deserialize, Serialize};

/// What the observer was told of one thing.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum RunNote {
    Path(u32, SymbolicInput),
    /// With the conditions in words, what is put out, and whether the run's own input is one of its.
    Partition(String, Vec<String>, String, bool),
    Pruned(Category, bool),
    /// With how it ended and what it put out.
    Test(u64, SymbolicInput, String, Vec<u8>),
}

/// What the observer was told, in order.
type Told = Vec<RunNote>;

#[derive(Default)]
struct Listener {
    told: Mutex<Told>,
    /// The input of the last path.
    last: Mutex<Option<SymbolicInput>>,
}

impl Probe for Listener {
    fn path(&self, ran: &Ran<'_>) -> Option<Note> {
        *self.last.lock().unwrap() = Some(ran.input.clone());
        Some(Note::of(&RunNote::Path(ran.shape, ran.input.clone())))
    }

    fn partition(
        &self,
        partition: &Partition,
        ran: &Ran<'_>,
        members: &mut Members<'_, '_>,
    ) -> Option<Note> {
        Some(Note::of(&RunNote::Partition(
            format!("{partition:?}"),
            members.describe(),
            format!("{:?}", members.outputs()),
            members.contain(&ran.input),
        )))
    }

    fn pruned(&self, category: Category, behind: &mut PrunedInputs<'_, '_>) -> Option<Note> {
        let last = self.last.lock().unwrap();
        let contains = last.as_ref().is_some_and(|input| behind.contain(input));
        Some(Note::of(&RunNote::Pruned(category, contains)))
    }

    fn test(&self, found: &FoundTest<'_>) -> Option<Note> {
        Some(Note::of(&RunNote::Test(
            found.test,
            found.input.clone(),
            format!("{:?}", found.outcome.end),
            found.kernel.stdout().bytes().to_vec(),
        )))
    }
}

impl Observer for Listener {
    /// Long enough that the number of inputs never depends on the clock.
    fn settling(&self) -> Option<Duration> {
        Some(Duration::from_secs(600))
    }

    fn note(&self, note: &Note) -> std::io::Result<()> {
        self.told.lock().unwrap().push(note.read());
        Ok(())
    }
}

/// All of a summary but what the clock says.
fn comparable(summary: &Summary) -> String {
    let counts = &summary.effort.counts;
    let work = (
        counts.executions,
        counts.recoveries,
        counts.instructions,
        (counts.queries, counts.queries_for_slices),
        (counts.traced, counts.sliced, &counts.not_sliced),
    );
    format!(
        "{:?}",
        (
            (
                &summary.stop,
                summary.paths,
                summary.paths_before,
                summary.runs
            ),
            (summary.open_flips, &summary.gaps, &summary.cut_off),
            (&summary.shown, &summary.assumed),
            (&summary.partitions, &summary.settled, &summary.pruned),
            (
                summary.made.propagation.by_rule.len(),
                summary.made.propagation.looks
            ),
            work,
        )
    )
}

struct Session {
    summary: Summary,
    told: Told,
    journal: String,
}

fn session(old: &Explorable<'_>, new: &Explorable<'_>, how: &How, earlier: Earlier) -> Session {
    let listener = Listener::default();
    let (summary, journal) = old.compare_after(new, how, earlier, &listener);
    Session {
        summary,
        told: listener.told.into_inner().unwrap(),
        journal,
    }
}

/// Searches through each transport, in two sessions: the second goes on from the journal of the first. What both came to.
///
/// Which model the solver finds, and whether it finds one in time, depends on the clock. So its answers are remembered, those
/// that it gave up included, and those of a first search serve the two that are compared.
fn compare_transports(
    old: &Explorable<'_>,
    new: &Explorable<'_>,
    how: &How,
    name: &str,
) -> Summary {
    let answers = Answers::with_those_given_up();
    let transports = [Transport::Direct, Transport::Direct, Transport::Encoded];
    let all = transports.map(|transport| {
        let how = How {
            transport,
            answers: Some(answers.clone()),
            ..how.clone()
        };
        let stopped = How {
            runs: Some(3),
            ..how.clone()
        };
        let first = session(old, new, &stopped, Earlier::default());
        let earlier = Earlier::read(&first.journal, &old.shapes).unwrap();
        [first, session(old, new, &how, earlier)]
    });
    let [_, direct, encoded] = &all;
    for (direct, encoded) in direct.iter().zip(encoded) {
        assert_eq!(direct.told, encoded.told, "{name}");
        assert_eq!(direct.journal, encoded.journal, "{name}");
        assert_eq!(
            comparable(&direct.summary),
            comparable(&encoded.summary),
            "{name}"
        );
    }
    let [_, _, [_, last]] = all;
    last.summary
}

fn ways_to_search() -> Vec<(&'static str, How)> {
    let plain = |strategy| How::new(strategy, 1);
    let pruned = |strategy| How {
        prune: true,
        work_before_facts: 10_000,
        ..How::new(strategy, 1)
    };
    let propagating = How {
        propagate: Some(exploration::propagate::Limits {
            time: Duration::from_secs(60),
            query: Duration::from_secs(60),
            ..exploration::propagate::Limits::default()
        }),
        ..pruned(Strategy::Reach)
    };
    let sliced = How {
        slices: Slices::All,
        ..plain(Strategy::Dart)
    };
    vec![
        ("dart", plain(Strategy::Dart)),
        ("dart with pruning", pruned(Strategy::Dart)),
        ("dfs", plain(Strategy::Dfs)),
        ("reach with pruning and propagation", propagating),
        ("slices", sliced),
    ]
}

#[test]
fn generated_pairs_give_the_same_through_encoded_messages() {
    let (mut pruned, mut different, mut equivalent, mut observables) = (0, 0, 0, Vec::new());
    for (number, faults) in [(71, false), (72, true)] {
        let settings = Settings { size: 10, faults };
        let pairs = Pairs::new(number * 1_000, 12, 600, settings).unwrap();
        for (member, seed) in pairs.seeds.iter().enumerate() {
            let (old, new) = (pairs.old.member(member), pairs.new.member(member));
            for (name, how) in ways_to_search() {
                let summary = compare_transports(&old, &new, &how, &format!("{seed}: {name}"));
                pruned += summary.pruned.ways();
                different += usize::from(summary.verdict() == Verdict::Different);
                equivalent += usize::from(summary.verdict() == Verdict::Equivalent);
                for partition in &summary.partitions {
                    if let Part::Different {
                        observables: own, ..
                    } = &partition.part
                    {
                        observables.extend(own.iter().cloned());
                    }
                }
            }
        }
    }
    // Something was sent.
    assert!(pruned > 0 && different > 0 && equivalent > 0);
    assert!(observables.contains(&Observable::Returned));
}

/// With `ENCODED=all` in every way to search and with more runs, otherwise with slices and directed.
#[test]
fn subjects_give_the_same_through_encoded_messages() {
    let is_whole = std::env::var_os("ENCODED").is_some_and(|value| value == "all");
    let (runs, skipped) = match is_whole {
        true => (40, 0),
        false => (8, 3),
    };
    let builder = Builder::new(&|_| {}).unwrap();
    for subject in subjects().unwrap() {
        let pair = pairs(&subject, false).into_iter().next().unwrap();
        let versions = pair.write(&subject, &builder).unwrap();
        let programs = versions
            .requests
            .each_ref()
            .map(|request| load(&builder, request).unwrap());
        let start = seeded(&subject.space, &subject.seeds);
        let [old, new] = programs.each_ref().map(|program| Explorable {
            program,
            subject: exploration::Subject::Whole,
            shapes: start.shapes.clone(),
        });
        for (name, how) in ways_to_search().into_iter().skip(skipped) {
            let how = How {
                // The first runs of all shapes, the seeds, and some flips.
                runs: Some(start.shapes.len() as u64 + runs),
                seeds: start.seeds.clone(),
                ..how
            };
            let name = format!("{}, {}: {name}", subject.name, pair.name);
            let summary = compare_transports(&old, &new, &how, &name);
            assert!(summary.runs > 0, "{name}");
        }
    }
}
