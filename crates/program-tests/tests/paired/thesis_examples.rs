//! The examples of Böhme's thesis, written anew: the partitions that they have there are found, no more and no fewer,
//! with the same outputs.
//!
//! Inputs are of one byte, so that adding one never overflows; the thesis computes with numbers of any size. Some of
//! them are tried on every partition.

use std::sync::Mutex;

use concolic_vm::symbolic::{SymbolicInput, parameter_name};
use exploration::outputs::SymbolicOutput;
use exploration::worker::{Part, Proof, Ran};
use exploration::{InputRecord, Members, Note, Observer, Partition, Probe, Strategy};
use program_tests::brute_force::{Explorable, How, Slices};
use program_tests::generated::compile;
use serde::{Deserialize, Serialize};

/// A partition as it was found.
#[derive(Serialize, Deserialize)]
struct Listed {
    part: Part,
    condition: Vec<String>,
    outputs: Vec<SymbolicOutput>,
    /// Its inputs.
    inside: Vec<Vec<i8>>,
}

struct Collector {
    inputs: Vec<(Vec<i8>, SymbolicInput)>,
    listed: Mutex<Vec<Listed>>,
}

impl Probe for Collector {
    fn partition(
        &self,
        partition: &Partition,
        _: &Ran<'_>,
        members: &mut Members<'_, '_>,
    ) -> Option<Note> {
        let inputs = self.inputs.iter();
        let inside = inputs.filter(|(_, input)| members.contain(input));
        let inside = inside.map(|(values, _)| values.clone()).collect();
        let listed = Listed {
            part: partition.part.clone(),
            condition: members.describe(),
            outputs: members.outputs(),
            inside,
        };
        Some(Note::of(&listed))
    }
}

impl Observer for Collector {
    fn note(&self, note: &Note) -> std::io::Result<()> {
        self.listed.lock().unwrap().push(note.read());
        Ok(())
    }
}

/// Values of each parameter that are tried.
const TRIED: [i8; 9] = [i8::MIN, -77, -2, -1, 0, 1, 2, 77, i8::MAX];

/// The partitions of a function `f` of some `signed char`s.
fn partitions(old: &str, new: &str, parameters: usize) -> Vec<Listed> {
    let (old, new) = (compile(old).unwrap(), compile(new).unwrap());
    let [old, new] = [&old, &new].map(|program| Explorable::call(program, "f"));
    let mut inputs: Vec<Vec<i8>> = vec![Vec::new()];
    for _ in 0..parameters {
        let longer = |values: &Vec<i8>| {
            let values = values.clone();
            TRIED.map(move |value| [&values[..], &[value]].concat())
        };
        inputs = inputs.iter().flat_map(longer).collect();
    }
    let shaped = |values: Vec<i8>| {
        let named = values.iter().enumerate();
        let named = named.map(|(number, &value)| (parameter_name(number), vec![value as u8]));
        let record = InputRecord {
            variables: named.collect(),
            args: vec![Vec::new()],
            ..InputRecord::default()
        };
        let input = old.shaped(&record).expect("an input of the function").1;
        (values, input)
    };
    let collector = Collector {
        inputs: inputs.into_iter().map(shaped).collect(),
        listed: Mutex::default(),
    };
    let mut how = How::new(Strategy::Dart, 1);
    how.slices = Slices::All;
    let summary = old.compare_with(&new, &how, &collector);
    assert!(summary.exhausted());
    collector.listed.into_inner().unwrap()
}

/// What a partition should be: its inputs, and what each version returns.
type Expected<'e> = (&'e dyn Fn(&[i8]) -> bool, &'e str, &'e str);

/// There are exactly these partitions.
fn demand(found: &[Listed], expected: &[Expected<'_>]) {
    let conditions: Vec<_> = found.iter().map(|listed| &listed.condition).collect();
    assert_eq!(found.len(), expected.len(), "{conditions:#?}");
    for &(holds, old, new) in expected {
        let same = |listed: &&Listed| {
            let inside = listed.inside.iter().all(|input| holds(input));
            inside && !listed.inside.is_empty()
        };
        let listed = found
            .iter()
            .find(same)
            .expect("a partition of these inputs");
        let [output] = &listed.outputs[..] else {
            panic!("{:?}", listed.outputs);
        };
        assert_eq!(output.versions, [old, new]);
        let differs = matches!(listed.part, Part::Different { .. });
        assert_eq!(differs, old != new, "{:?}", listed.condition);
    }
    // No input is in two of them, and none is left out.
    let mut all: Vec<_> = found.iter().flat_map(|listed| &listed.inside).collect();
    let (inside, parameters) = (all.len(), all[0].len());
    all.sort_unstable();
    all.dedup();
    assert_eq!(
        (all.len(), inside),
        (inside, TRIED.len().pow(parameters as u32))
    );
}

/// An incomplete bug fix (Figure 3.2): the input 0 is a partition of its own, since the versions part there.
#[test]
fn an_incomplete_fix_has_three_partitions() {
    let version = |value: &str| {
        format!(
            "int f(signed char i) {{
                int seen = 0, out = 0, value = {value};
                if (value > 0) seen++;
                if (seen > 0) out = value;
                return out;
            }}"
        )
    };
    let found = partitions(&version("i"), &version("i + 1"), 1);
    demand(
        &found,
        &[
            (&|i| i[0] < 0, "0", "0"),
            (&|i| i[0] == 0, "0", "parameter 0 + 1"),
            (&|i| i[0] > 0, "parameter 0", "parameter 0 + 1"),
        ],
    );
}

/// Three changes that act together (Figures 2.1 and 2.13).
#[test]
fn three_changes_have_six_regions() {
    let version = |[first, second, third]: [&str; 3]| {
        format!(
            "int f(signed char i, signed char j) {{
                int a = {first}, b = 0, out = 0;
                if (a > 0) {{ b = {second}; out = 1; }}
                if (b > 0) out = {third};
                return out;
            }}"
        )
    };
    let old = version(["i", "j", "2"]);
    let new = version(["i + 1", "j + 1", "out + 1"]);
    let found = partitions(&old, &new, 2);
    demand(
        &found,
        &[
            (&|i| i[0] <= -1, "0", "0"),
            (&|i| i[0] == 0 && i[1] <= -1, "0", "1"),
            (&|i| i[0] == 0 && i[1] > -1, "0", "2"),
            (&|i| i[0] > 0 && i[1] <= -1, "1", "1"),
            (&|i| i[0] > 0 && i[1] == 0, "1", "2"),
            (&|i| i[0] > 0 && i[1] > 0, "2", "2"),
        ],
    );
}

/// Inputs that do not reach a change are grouped by the reason (Figure 3.4): neither the loop nor what it computes
/// plays a part.
#[test]
fn inputs_that_do_not_reach_a_change_are_grouped_by_the_reason() {
    let version = |value: &str| {
        format!(
            "int f(signed char i, signed char j) {{
                int a = 0, b = 0, out = 0;
                if (i > 0) a = 1;
                for (int c = 0; c < j; c++) b += c;
                if (j > 0) {{
                    if (a > 0) out = {value};
                }}
                return out + 0 * b;
            }}"
        )
    };
    let found = partitions(&version("1"), &version("2"), 2);
    let unreached = found.iter().filter(|listed| {
        listed.part
            == Part::Equal {
                by: Proof::ChangeNotReached,
            }
    });
    let mut unreached: Vec<&Vec<Vec<i8>>> = unreached.map(|listed| &listed.inside).collect();
    unreached.sort_by_key(|inside| inside.len());
    let count = |holds: &dyn Fn(&[i8]) -> bool| {
        let matching = |inside: &&&Vec<Vec<i8>>| inside.iter().all(|input| holds(input));
        unreached.iter().filter(matching).count()
    };
    assert_eq!(unreached.len(), 2);
    assert_eq!(count(&|i| i[1] <= 0), 1);
    assert_eq!(count(&|i| i[1] > 0 && i[0] <= 0), 1);
    let inside: usize = unreached.iter().map(|inside| inside.len()).sum();
    assert_eq!(inside, 9 * 9 - 4 * 4);
}
