//! What is needed to go on after a stop: one line of JSON for each run, for each flip that has no input, and for what two
//! versions do on the path of a run.
//!
//! A line is handed to the writer in one piece as soon as its run is over, so a process that is killed
//! loses only the runs in flight. A journal that was cut off in the middle of a line is read up to it.
//! Paths are not written: running the inputs again gives them, without a solver. What was proved of a path is taken over:
//! the same Parallax has proved it of the same versions. What was not known is asked again.

//!
//! The coordinator queues lines while it changes what it knows; they are put into text and written after that, by [`Writer`].

use crate::messages::{ComparedPart, ComparedPath, EarlierRun, PartVerdict};
use crate::observable::Observable;
use crate::part::Proof;
use crate::path_tree::{Flip, RunId};
use crate::runs::{PathShape, RunRecord};
use concolic_vm::symbolic::SymbolicInput;
use inputs::{CompactInput, InputRecord};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::io::Write;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Run {
        id: RunId,
        shape: u32,
        input: InputRecord,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        flip: Option<FlipLine>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        residual: bool,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        diverged: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<PathLine>,
    },
    Infeasible(FlipLine),
    /// The last line about a run counts.
    Compared {
        run: RunId,
        #[serde(flatten)]
        parts: PartsLine,
    },
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct FlipLine {
    run: RunId,
    event: u32,
    alternative: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    excluded: Vec<RunId>,
}

impl From<Flip> for FlipLine {
    fn from(flip: Flip) -> FlipLine {
        let Flip {
            run,
            event,
            alternative,
            excluded,
        } = flip;
        FlipLine {
            run,
            event,
            alternative,
            excluded,
        }
    }
}

impl From<FlipLine> for Flip {
    fn from(line: FlipLine) -> Flip {
        Flip {
            run: line.run,
            event: line.event,
            alternative: line.alternative,
            excluded: line.excluded,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct PathLine {
    hash: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cut: Option<u32>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct PartsLine {
    parts: Vec<PartLine>,
    done: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct PartLine {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    condition: Vec<String>,
    #[serde(flatten)]
    verdict: VerdictLine,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "verdict")]
enum VerdictLine {
    Equal {
        proof: Proof,
    },
    Different {
        observables: Vec<Observable>,
        witness: InputRecord,
    },
    Unknown {
        reason: String,
    },
}

impl From<ComparedPart> for PartLine {
    fn from(part: ComparedPart) -> PartLine {
        PartLine {
            condition: part.condition,
            verdict: match part.verdict {
                PartVerdict::Equal { proof } => VerdictLine::Equal { proof },
                PartVerdict::Different {
                    observables,
                    witness,
                } => VerdictLine::Different {
                    observables,
                    witness: InputRecord::exact(&witness),
                },
                PartVerdict::Unknown { reason } => VerdictLine::Unknown { reason },
            },
        }
    }
}

impl PartLine {
    /// What it says, of inputs of this shape.
    fn read(self, shape: &SymbolicInput) -> Option<ComparedPart> {
        let verdict = match self.verdict {
            VerdictLine::Equal { proof } => PartVerdict::Equal { proof },
            VerdictLine::Different {
                observables,
                witness,
            } => PartVerdict::Different {
                observables,
                witness: witness.in_shape(shape)?,
            },
            VerdictLine::Unknown { reason } => PartVerdict::Unknown { reason },
        };
        Some(ComparedPart {
            condition: self.condition,
            verdict,
        })
    }
}

/// Everything an earlier session wrote down.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Earlier {
    pub runs: Vec<EarlierRun>,
    pub infeasible: Vec<Flip>,
    /// By run.
    pub parts: BTreeMap<RunId, ComparedPath>,
}

#[derive(Debug, thiserror::Error)]
#[error("line {line} of the journal cannot be used: {why}")]
pub struct JournalError {
    line: usize,
    why: String,
}

impl Earlier {
    pub fn read(text: &str, shapes: &[SymbolicInput]) -> Result<Earlier, JournalError> {
        let mut earlier = Earlier::default();
        // What stands behind the last line end was cut off.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        for (number, line) in whole.lines().enumerate() {
            let fail = |why: String| JournalError {
                line: number + 1,
                why,
            };
            let line = serde_json::from_str(line).map_err(|error| fail(error.to_string()))?;
            match line {
                Line::Infeasible(flip) => earlier.infeasible.push(flip.into()),
                Line::Compared { run, parts } => {
                    let done = parts.done;
                    // A run comes before what is known of it, and has a shape.
                    let Some(of) = earlier.runs.get(run.0 as usize) else {
                        continue;
                    };
                    let shape = &shapes[of.record.input.shape as usize];
                    let parts = parts.parts.into_iter().map(|part| part.read(shape));
                    match parts.collect() {
                        Some(parts) => earlier.parts.insert(run, ComparedPath { parts, done }),
                        // It is found out again.
                        None => earlier.parts.remove(&run),
                    };
                }
                Line::Run {
                    id,
                    shape,
                    input,
                    flip,
                    residual,
                    diverged,
                    path,
                } => {
                    if id.0 as usize != earlier.runs.len() {
                        return Err(fail(format!("run {} is out of order", id.0)));
                    }
                    if flip.as_ref().is_some_and(|flip| flip.run >= id) {
                        return Err(fail(format!(
                            "run {} comes before the one it follows",
                            id.0
                        )));
                    }
                    let of_shape = shapes.get(shape as usize);
                    let input = of_shape.and_then(|shape| input.in_shape(shape));
                    let input =
                        input.ok_or_else(|| fail("the input has another shape".to_owned()))?;
                    let input = CompactInput::new(shape, &input);
                    earlier.runs.push(EarlierRun {
                        record: RunRecord {
                            run: id,
                            input,
                            origin: flip.map(Flip::from),
                            path: path.map(|PathLine { hash, cut }| PathShape { hash, cut }),
                        },
                        residual,
                        diverged,
                    });
                }
            }
        }
        Ok(earlier)
    }
}

/// The inputs in a journal on which versions differed, whatever versions and bounds it is of. Lines that cannot be read are left
/// out: these are inputs to try, and nothing rests on them.
pub fn witnesses(text: &str) -> Vec<InputRecord> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for line in text.lines() {
        let Ok(Line::Compared { parts, .. }) = serde_json::from_str(line) else {
            continue;
        };
        for part in parts.parts {
            if let VerdictLine::Different { witness, .. } = part.verdict
                && seen.insert(witness.clone())
            {
                found.push(witness);
            }
        }
    }
    found
}

/// Lines that wait to be written.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    is_kept: bool,
    waiting: Vec<Entry>,
}

/// A line before it is text.
#[derive(Debug)]
pub(crate) enum Entry {
    Run {
        record: RunRecord,
        residual: bool,
        diverged: bool,
    },
    Infeasible(Flip),
    Compared(RunId, ComparedPath),
}

impl Journal {
    pub(crate) fn new(is_kept: bool) -> Journal {
        Journal {
            is_kept,
            waiting: Vec::new(),
        }
    }

    /// Whether anything is written at all.
    pub(crate) fn is_kept(&self) -> bool {
        self.is_kept
    }

    pub(crate) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    pub(crate) fn add(&mut self, entry: impl FnOnce() -> Entry) {
        if self.is_kept {
            self.waiting.push(entry());
        }
    }

    /// Hands over what waits.
    pub(crate) fn take(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.waiting)
    }
}

/// Writes lines, each in one piece.
pub(crate) struct Writer<'w> {
    to: Box<dyn Write + Send>,
    shapes: &'w [SymbolicInput],
}

impl<'w> Writer<'w> {
    pub(crate) fn new(to: Box<dyn Write + Send>, shapes: &'w [SymbolicInput]) -> Writer<'w> {
        Writer { to, shapes }
    }

    pub(crate) fn write(&mut self, entries: Vec<Entry>) -> std::io::Result<()> {
        for entry in entries {
            let line = self.line(entry);
            let mut text = serde_json::to_string(&line).expect("a line can be written");
            text.push('\n');
            self.to.write_all(text.as_bytes())?;
        }
        Ok(())
    }

    fn line(&self, entry: Entry) -> Line {
        match entry {
            Entry::Run {
                record,
                residual,
                diverged,
            } => Line::Run {
                id: record.run,
                shape: record.input.shape,
                input: InputRecord::exact(&record.input.expand(self.shapes)),
                flip: record.origin.map(FlipLine::from),
                residual,
                diverged,
                path: record
                    .path
                    .map(|PathShape { hash, cut }| PathLine { hash, cut }),
            },
            Entry::Infeasible(flip) => Line::Infeasible(flip.into()),
            Entry::Compared(run, ComparedPath { parts, done }) => Line::Compared {
                run,
                parts: PartsLine {
                    parts: parts.into_iter().map(PartLine::from).collect(),
                    done,
                },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_proved_is_read_back_up_to_a_torn_line() {
        let shape = SymbolicInput {
            args: vec![concolic_vm::symbolic::InputBytes::concrete("p")],
            stdin: concolic_vm::symbolic::InputBytes::symbolic(vec![b'a', 0xff]),
            ..SymbolicInput::default()
        };
        let parts = |done| ComparedPath {
            parts: vec![
                ComparedPart {
                    condition: vec!["stdin[0] == 'a'".to_owned()],
                    verdict: PartVerdict::Different {
                        observables: vec![Observable::Stdout, Observable::File("f".to_owned())],
                        witness: shape.clone(),
                    },
                },
                ComparedPart {
                    condition: Vec::new(),
                    verdict: PartVerdict::Equal {
                        proof: Proof::Solver,
                    },
                },
            ],
            done,
        };
        let shapes = [shape.clone()];
        let line = |run, done| {
            let writer = Writer::new(Box::new(std::io::sink()), &shapes);
            let line = writer.line(Entry::Compared(RunId(run), parts(done)));
            serde_json::to_string(&line).unwrap() + "\n"
        };
        let run = |run| {
            let writer = Writer::new(Box::new(std::io::sink()), &shapes);
            let line = writer.line(Entry::Run {
                record: RunRecord {
                    run: RunId(run),
                    input: CompactInput::new(0, &shape),
                    origin: None,
                    path: None,
                },
                residual: false,
                diverged: false,
            });
            serde_json::to_string(&line).unwrap() + "\n"
        };
        let text = [run(0), run(1), line(0, false), line(0, true), line(1, true)].concat();
        let read = |text: &str| Earlier::read(text, &shapes).unwrap().parts;
        let both = [(RunId(0), parts(true)), (RunId(1), parts(true))];
        assert_eq!(read(&text), BTreeMap::from(both.clone()));
        let torn = &text[..text.len() - 1];
        assert_eq!(read(torn), BTreeMap::from([both[0].clone()]));
    }
}
