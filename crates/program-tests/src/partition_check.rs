//! Partitions held against brute force: what a comparison says of each must be true of every input in it.

use std::sync::Mutex;

use concolic_vm::symbolic::{Reason, SymbolicInput};
use exploration::worker::{Part, Ran};
use exploration::{InputRecord, Members, Note, Observer, Partition, Probe, Verdict};

use crate::brute_force::{Effect, Explorable, How};

/// What a user sees: not the place of an error, nor the way there.
pub fn behaves_the_same(old: &Explorable<'_>, new: &Explorable<'_>, input: &InputRecord) -> bool {
    seen(old, input) == seen(new, input)
}

/// How a run ends and what it puts out.
pub fn seen(version: &Explorable<'_>, input: &InputRecord) -> (String, Effect) {
    let run = version.run(input);
    let kind = run.behaviour.1.split(" in ").next();
    (kind.unwrap_or_default().to_owned(), run.effect)
}

/// A partition, with the inputs in it by number.
pub type Listed = (Part, Vec<usize>);

/// What a comparison said.
pub struct Compared {
    pub verdict: Verdict,
    /// Whether the solver gave up on a way.
    pub gaps: bool,
    pub partitions: Vec<Listed>,
    /// Runs that went on with their input alone, after many decisions.
    pub with_input_alone: u64,
}

struct Collector<'i> {
    inputs: &'i [SymbolicInput],
    partitions: Mutex<Vec<Listed>>,
}

impl Probe for Collector<'_> {
    fn partition(
        &self,
        partition: &Partition,
        _: &Ran<'_>,
        members: &mut Members<'_, '_>,
    ) -> Option<Note> {
        let inside = self.inputs.iter().enumerate();
        let inside = inside
            .filter(|(_, input)| members.contain(input))
            .map(|(number, _)| number);
        let listed: Listed = (partition.part.clone(), inside.collect());
        Some(Note::of(&listed))
    }
}

impl Observer for Collector<'_> {
    fn note(&self, note: &Note) -> std::io::Result<()> {
        self.partitions.lock().expect("no panic").push(note.read());
        Ok(())
    }
}

/// Compares two versions on all of some inputs.
pub fn compare(
    old: &Explorable<'_>,
    new: &Explorable<'_>,
    how: &How,
    inputs: &[InputRecord],
) -> Compared {
    let shaped = |input: &InputRecord| old.shaped(input).expect("an input of the function").1;
    let inputs: Vec<SymbolicInput> = inputs.iter().map(shaped).collect();
    let collector = Collector {
        inputs: &inputs,
        partitions: Mutex::default(),
    };
    let summary = old.compare_with(new, how, &collector);
    let taken = summary.assumed.taken_as_is.iter();
    let with_input_alone = taken.filter(|taken| taken.what == Reason::ManyDecisions);
    Compared {
        with_input_alone: with_input_alone.map(|taken| taken.runs).sum(),
        verdict: summary.verdict(),
        gaps: !summary.gaps.is_empty(),
        partitions: collector.partitions.into_inner().expect("no panic"),
    }
}

impl Compared {
    /// Holds the partitions against what brute force saw of each input.
    pub fn check(&self, same: &[bool], whole: bool) -> Result<(), String> {
        let whole = whole && !self.gaps;
        let mut owners = vec![0; same.len()];
        for (part, inside) in &self.partitions {
            for &input in inside {
                owners[input] += 1;
                match part {
                    Part::Equal { .. } if !same[input] => {
                        return Err(format!("input {input} differs in a partition proved equal"));
                    }
                    Part::Different { .. } if same[input] => {
                        return Err(format!(
                            "input {input} is the same in a partition called different"
                        ));
                    }
                    _ => {}
                }
            }
        }
        if let Some(input) = owners.iter().position(|&owners| owners > 1) {
            return Err(format!("input {input} is in {} partitions", owners[input]));
        }
        if whole && let Some(input) = owners.iter().position(|&owners| owners == 0) {
            return Err(format!("input {input} is in no partition"));
        }
        let unknown = |(part, _): &Listed| matches!(part, Part::Unknown { .. });
        let has_unknown = self.partitions.iter().any(unknown);
        let all_same = same.iter().all(|&same| same);
        match self.verdict {
            Verdict::Equivalent if !all_same => {
                Err("called equivalent, and an input differs".to_owned())
            }
            Verdict::Different if all_same => {
                Err("called different, and no input differs".to_owned())
            }
            Verdict::Undecided if whole && !has_unknown => {
                Err("undecided after all paths".to_owned())
            }
            _ => Ok(()),
        }
    }
}
