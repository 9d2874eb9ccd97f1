//! The partial guarantee, by brute force: how much of the input space a comparison says it has settled, and what a
//! comparison that is interrupted again and again comes to.
//!
//! Generated programs use each byte of their input modulo a small number. So every input behaves as one of a few
//! representatives, and brute force over these gives exact shares: each has the weight of the bytes that it stands for.

use std::sync::Mutex;
use std::time::Duration;

use concolic_vm::symbolic::{SymbolicInput, parameter_name};
use exploration::journal::Earlier;
use exploration::settled::Method;
use exploration::worker::{Part, Ran};
use exploration::{
    Category, InputRecord, Members, Note, Observer, Partition, Probe, PrunedInputs, Strategy,
    Summary, Verdict,
};
use program_generator::Settings;
use program_generator::ast::Program;
use program_tests::brute_force::{Explorable, How, Slices};
use program_tests::generated::Pairs;
use random::SplitMix;
use serde::{Deserialize, Serialize};

const MOST_INPUTS: usize = 300;

/// One input for each combination of remainders, with the share of all inputs that it stands for.
fn representatives(program: &Program) -> Vec<(InputRecord, f64)> {
    let mut all = vec![(Vec::new(), 1.0)];
    for byte in &program.input {
        let mut longer = Vec::new();
        for (bytes, weight) in &all {
            for remainder in 0..byte.modulus {
                let same = (0..=u8::MAX).filter(|value| value % byte.modulus == remainder);
                let bytes = [&bytes[..], &[remainder]].concat();
                longer.push((bytes, weight * same.count() as f64 / 256.0));
            }
        }
        all = longer;
    }
    let record = |(bytes, weight): (Vec<u8>, f64)| {
        let variables = bytes.into_iter().enumerate();
        let variables = variables.map(|(number, byte)| (parameter_name(number), vec![byte]));
        let record = InputRecord {
            variables: variables.collect(),
            args: vec![Vec::new()],
            ..InputRecord::default()
        };
        (record, weight)
    };
    all.into_iter().map(record).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Word {
    Equal,
    Different,
    Open,
}

/// What the partitions and pruned ways say of each input.
struct Collector<'i> {
    inputs: &'i [SymbolicInput],
    words: Mutex<Vec<Word>>,
    /// Whether random inputs of partitions are looked at.
    samples: bool,
    /// Random inputs of a partition that are not in it.
    strays: Mutex<usize>,
}

/// What is said of inputs, by their numbers.
#[derive(Serialize, Deserialize)]
struct Said {
    word: Word,
    inputs: Vec<usize>,
    strays: usize,
}

impl Probe for Collector<'_> {
    fn partition(
        &self,
        partition: &Partition,
        _: &Ran<'_>,
        members: &mut Members<'_, '_>,
    ) -> Option<Note> {
        let word = match partition.part {
            Part::Equal { .. } => Word::Equal,
            Part::Different { .. } => Word::Different,
            Part::Unknown { .. } => Word::Open,
        };
        let inside = (0..self.inputs.len()).filter(|&number| members.contain(&self.inputs[number]));
        let inputs = inside.collect();
        let samples = match self.samples {
            true => members.sample(3, 7),
            false => Vec::new(),
        };
        let strays = samples.iter().filter(|input| !members.contain(input));
        Some(Note::of(&Said {
            word,
            inputs,
            strays: strays.count(),
        }))
    }

    fn pruned(&self, _: Category, behind: &mut PrunedInputs<'_, '_>) -> Option<Note> {
        let inside = (0..self.inputs.len()).filter(|&number| behind.contain(&self.inputs[number]));
        Some(Note::of(&Said {
            word: Word::Equal,
            inputs: inside.collect(),
            strays: 0,
        }))
    }
}

impl Observer for Collector<'_> {
    fn settling(&self) -> Option<Duration> {
        Some(exploration::SETTLING)
    }

    fn note(&self, note: &Note) -> std::io::Result<()> {
        let said: Said = note.read();
        let mut words = self.words.lock().expect("no panic");
        for number in said.inputs {
            words[number] = said.word;
        }
        *self.strays.lock().expect("no panic") += said.strays;
        Ok(())
    }
}

struct Compared {
    summary: Summary,
    words: Vec<Word>,
    journal: String,
}

fn compare(
    old: &Explorable<'_>,
    new: &Explorable<'_>,
    how: &How,
    earlier: Earlier,
    inputs: &[SymbolicInput],
    samples: bool,
) -> Compared {
    let collector = Collector {
        inputs,
        words: Mutex::new(vec![Word::Open; inputs.len()]),
        samples,
        strays: Mutex::new(0),
    };
    let (summary, journal) = old.compare_after(new, how, earlier, &collector);
    assert_eq!(collector.strays.into_inner().expect("no panic"), 0);
    Compared {
        summary,
        words: collector.words.into_inner().expect("no panic"),
        journal,
    }
}

fn pairs(seed: u64, count: usize, faults: bool) -> Pairs {
    let settings = Settings { size: 10, faults };
    Pairs::new(seed, count, MOST_INPUTS, settings).expect("the pairs can be compiled")
}

/// Shares that were counted are those of brute force, those that were sampled lie in their intervals; whether the comparison
/// was finished or stopped, whole paths or slices, with or without pruning.
#[test]
fn shares_are_those_of_brute_force() {
    let (mut counted, mut sampled, mut in_interval, mut stopped) = (0, 0, 0, 0);
    for (first, faults) in [(70_000, false), (71_000, true)] {
        let Pairs { old, new, seeds } = pairs(first, 18, faults);
        for (member, seed) in seeds.into_iter().enumerate() {
            let representatives = representatives(&old.programs[member]);
            let (old, new) = (old.member(member), new.member(member));
            let shaped = |input: &InputRecord| old.shaped(input).expect("an input").1;
            let inputs: Vec<_> = representatives
                .iter()
                .map(|(input, _)| shaped(input))
                .collect();
            for runs in [None, Some(1 + seed % 5)] {
                let mut how = How::new(Strategy::ALL[member % Strategy::ALL.len()], 1);
                how.runs = runs;
                how.seed = seed;
                how.query_timeout = Duration::from_secs(5);
                how.prune = seed % 3 == 0;
                how.slices = match seed % 3 {
                    1 => Slices::All,
                    _ => Slices::None,
                };
                let compared = compare(&old, &new, &how, Earlier::default(), &inputs, true);
                let settled = compared.summary.settled.clone().expect("two versions");
                let share = |word: Word| -> f64 {
                    let all = compared.words.iter().zip(&representatives);
                    let own = all.filter(|(said, _)| **said == word);
                    own.map(|(_, (_, weight))| weight).sum()
                };
                stopped += usize::from(share(Word::Open) > 0.0);
                for (word, said) in [
                    (Word::Equal, settled.equal),
                    (Word::Different, settled.different),
                    (Word::Open, settled.open),
                ] {
                    let wanted = share(word);
                    match settled.method {
                        Method::Complete | Method::Counted => {
                            counted += 1;
                            assert!(
                                (wanted - said.share).abs() < 1e-9,
                                "seed {seed}, {runs:?}: {word:?} is {wanted}, said {settled:?}"
                            );
                        }
                        // How many inputs there is time for depends on the machine.
                        Method::Sampled { .. } => {
                            sampled += 1;
                            let (low, high) = said.interval;
                            let is_in = low - 1e-9 <= wanted && wanted <= high + 1e-9;
                            in_interval += u32::from(is_in);
                            assert!(
                                (wanted - said.share).abs() <= 1.5 * (high - low) + 1e-9,
                                "seed {seed}, {runs:?}: {word:?} is {wanted}, said {settled:?}"
                            );
                        }
                    }
                }
            }
        }
    }
    println!(
        "{counted} shares counted, {sampled} sampled, {in_interval} of them in their intervals; {stopped} comparisons with open inputs"
    );
    assert!(counted > 60 && sampled > 20 && stopped > 10);
    assert!(in_interval * 100 >= sampled * 80);
}

/// A comparison that is stopped after a few runs, loses the end of its journal, and goes on, again and again, comes to
/// the same end as one that is left alone. When it is over, another one asks the solver nothing.
#[test]
fn an_interrupted_comparison_comes_to_the_same_end() {
    let (mut sessions, mut torn, mut taken_over) = (0, 0, 0);
    for (first, faults) in [(80_000, false), (81_000, true)] {
        let Pairs { old, new, seeds } = pairs(first, 14, faults);
        for (member, seed) in seeds.into_iter().enumerate() {
            let inputs: Vec<InputRecord> = old.inputs(member);
            let (old, new) = (old.member(member), new.member(member));
            let shaped = |input: &InputRecord| old.shaped(input).expect("an input").1;
            let inputs: Vec<_> = inputs.iter().map(shaped).collect();
            let mut how = How::new(Strategy::ALL[member % Strategy::ALL.len()], 1 + member % 2);
            how.query_timeout = Duration::from_secs(20);
            how.prune = seed % 3 == 0;
            how.slices = match seed % 3 {
                1 => Slices::All,
                _ => Slices::None,
            };
            let alone = compare(&old, &new, &how, Earlier::default(), &inputs, false);
            let read = |journal: &str| {
                Earlier::read(journal, &old.shapes).expect("a journal can be read back")
            };
            let mut journal = String::new();
            let mut random = SplitMix(seed);
            let whole = loop {
                sessions += 1;
                how.runs = (sessions % 40 != 0).then_some(1 + random.below(6) as u64);
                let session = compare(&old, &new, &how, read(&journal), &inputs, false);
                journal += &session.journal;
                if session.summary.stop == exploration::Stop::Finished {
                    break session;
                }
                // As if it had been killed while it wrote the last line.
                if random.chance(50)
                    && let Some(before) = journal[..journal.len() - 1].rfind('\n')
                {
                    let end = before + 1 + random.below(journal.len() - before - 1);
                    journal.truncate(end);
                    torn += 1;
                }
                journal.truncate(journal.rfind('\n').map_or(0, |end| end + 1));
            };
            assert_eq!(whole.words, alone.words, "seed {seed}");
            let verdict = |of: &Compared| of.summary.verdict();
            assert_eq!(verdict(&whole), verdict(&alone), "seed {seed}");
            assert_eq!(whole.summary.paths, alone.summary.paths, "seed {seed}");
            how.runs = None;
            let again = compare(&old, &new, &how, read(&journal), &inputs, false);
            assert_eq!(again.words, alone.words, "seed {seed}");
            assert_eq!(verdict(&again), verdict(&alone), "seed {seed}");
            if verdict(&alone) != Verdict::Undecided && alone.summary.gaps.is_empty() {
                assert_eq!(again.summary.runs, 0, "seed {seed}");
                assert_eq!(again.summary.effort.counts.queries, 0, "seed {seed}");
                taken_over += 1;
            }
        }
    }
    println!(
        "{sessions} sessions, {torn} journals torn, {taken_over} comparisons taken over whole"
    );
    assert!(torn > 15 && taken_over > 15);
}
