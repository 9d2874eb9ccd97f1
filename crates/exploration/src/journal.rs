//! What is needed to go on after a stop: one line of JSON for each run, for each flip that has no input, and for what two
//! versions do on the path of a run.
//!
//! A line is handed to the writer in one piece as soon as its run is over, so a process that is killed
//! loses only the runs in flight. A journal that was cut off in the middle of a line is read up to it.
//! Paths are not written: running the inputs again gives them, without a solver. What was proved of a path is taken over:
//! the same Parallax has proved it of the same versions. What was not known is asked again.

use crate::compare::Observable;
use crate::input::{CompactInput, InputRecord};
use crate::path_tree::{Flip, RunId};
use crate::worker::{Part, PathShape, Proof, Ran};
use concolic_vm::symbolic::SymbolicInput;
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
        flip: Option<Flip>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        residual: bool,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        diverged: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<PathShape>,
    },
    Infeasible(Flip),
    /// The last line about a run counts.
    Compared {
        run: RunId,
        #[serde(flatten)]
        parts: EarlierParts,
    },
}

/// What is known of two versions on the path of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EarlierParts {
    pub parts: Vec<EarlierPart>,
    /// Whether these are all parts of the path.
    pub done: bool,
}

impl EarlierParts {
    /// Whether these are all parts, and no others were known before.
    pub(crate) fn are(&self, parts: &[&Part]) -> bool {
        let verdict = |part: &&Part| EarlierPart::new(part, Vec::new()).verdict;
        let own = self.parts.iter().map(|part| &part.verdict);
        self.done && own.eq(parts.iter().map(verdict).collect::<Vec<_>>().iter())
    }
}

/// A part of a path: which inputs, as far as that was put into words, and what is known of them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EarlierPart {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub condition: Vec<String>,
    #[serde(flatten)]
    pub verdict: EarlierVerdict,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "verdict")]
pub enum EarlierVerdict {
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

impl EarlierPart {
    pub(crate) fn new(part: &Part, condition: Vec<String>) -> EarlierPart {
        let verdict = match part {
            Part::Equal { by } => EarlierVerdict::Equal { proof: *by },
            Part::Different {
                observables,
                witness,
            } => EarlierVerdict::Different {
                observables: observables.clone(),
                witness: InputRecord::exact(witness),
            },
            Part::Unknown { why } => EarlierVerdict::Unknown {
                reason: why.to_string(),
            },
        };
        EarlierPart { condition, verdict }
    }
}

/// A run of an earlier session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EarlierRun {
    pub id: RunId,
    pub input: CompactInput,
    pub flip: Option<Flip>,
    pub residual: bool,
    pub diverged: bool,
    pub path: Option<PathShape>,
}

/// Everything an earlier session wrote down.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Earlier {
    pub runs: Vec<EarlierRun>,
    pub infeasible: Vec<Flip>,
    /// By run.
    pub parts: BTreeMap<RunId, EarlierParts>,
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
                Line::Infeasible(flip) => earlier.infeasible.push(flip),
                Line::Compared { run, parts } => {
                    earlier.parts.insert(run, parts);
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
                        id,
                        input,
                        flip,
                        residual,
                        diverged,
                        path,
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
            if let EarlierVerdict::Different { witness, .. } = part.verdict
                && seen.insert(witness.clone())
            {
                found.push(witness);
            }
        }
    }
    found
}

pub(crate) struct Journal {
    to: Option<Box<dyn Write + Send>>,
}

impl Journal {
    pub(crate) fn new(to: Option<Box<dyn Write + Send>>) -> Journal {
        Journal { to }
    }

    /// Whether anything is written at all.
    pub(crate) fn is_kept(&self) -> bool {
        self.to.is_some()
    }

    fn write(&mut self, line: &Line) -> std::io::Result<()> {
        let Some(to) = &mut self.to else {
            return Ok(());
        };
        let mut text = serde_json::to_string(line).expect("a line can be written");
        text.push('\n');
        to.write_all(text.as_bytes())
    }

    pub(crate) fn run(
        &mut self,
        id: RunId,
        ran: &Ran<'_>,
        flip: Option<&Flip>,
    ) -> std::io::Result<()> {
        if self.to.is_none() {
            return Ok(());
        }
        self.write(&Line::Run {
            id,
            shape: ran.shape,
            input: InputRecord::exact(&ran.input),
            flip: flip.cloned(),
            residual: ran.residual,
            diverged: ran.diverged,
            path: Some(ran.path.shape(ran.cut)),
        })
    }

    pub(crate) fn infeasible(&mut self, flip: &Flip) -> std::io::Result<()> {
        if self.to.is_none() {
            return Ok(());
        }
        self.write(&Line::Infeasible(flip.clone()))
    }

    pub(crate) fn compared(&mut self, run: RunId, parts: EarlierParts) -> std::io::Result<()> {
        self.write(&Line::Compared { run, parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_proved_is_read_back_up_to_a_torn_line() {
        let parts = |done| EarlierParts {
            parts: vec![
                EarlierPart {
                    condition: vec!["stdin[0] == 'a'".to_owned()],
                    verdict: EarlierVerdict::Different {
                        observables: vec![Observable::Stdout, Observable::File("f".to_owned())],
                        witness: InputRecord {
                            stdin: vec![b'a', 0xff],
                            ..InputRecord::default()
                        },
                    },
                },
                EarlierPart {
                    condition: Vec::new(),
                    verdict: EarlierVerdict::Equal {
                        proof: Proof::Solver,
                    },
                },
            ],
            done,
        };
        let line = |run, done| {
            let line = Line::Compared {
                run: RunId(run),
                parts: parts(done),
            };
            serde_json::to_string(&line).unwrap() + "\n"
        };
        let text = [line(0, false), line(0, true), line(1, true)].concat();
        let read = |text: &str| Earlier::read(text, &[]).unwrap().parts;
        let both = [(RunId(0), parts(true)), (RunId(1), parts(true))];
        assert_eq!(read(&text), BTreeMap::from(both.clone()));
        let torn = &text[..text.len() - 1];
        assert_eq!(read(torn), BTreeMap::from([both[0].clone()]));
    }
}
