//! What is needed to go on after a stop: one line of JSON for each run, and for each flip that has no input.
//!
//! A line is handed to the writer in one piece as soon as its run is over, so a process that is killed
//! loses only the runs in flight. A journal that was cut off in the middle of a line is read up to it.
//! Paths are not written: running the inputs again gives them, without a solver.

use crate::input::{CompactInput, InputRecord};
use crate::path_tree::{Flip, RunId};
use concolic_vm::symbolic::SymbolicInput;
use serde::{Deserialize, Serialize};
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
    },
    Infeasible(Flip),
}

/// A run of an earlier session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EarlierRun {
    pub id: RunId,
    pub input: CompactInput,
    pub flip: Option<Flip>,
    pub residual: bool,
}

/// Everything an earlier session wrote down.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Earlier {
    pub runs: Vec<EarlierRun>,
    pub infeasible: Vec<Flip>,
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
                Line::Run {
                    id,
                    shape,
                    input,
                    flip,
                    residual,
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
                    });
                }
            }
        }
        Ok(earlier)
    }
}

pub(crate) struct Journal {
    to: Option<Box<dyn Write + Send>>,
}

impl Journal {
    pub(crate) fn new(to: Option<Box<dyn Write + Send>>) -> Journal {
        Journal { to }
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
        shape: u32,
        input: &SymbolicInput,
        flip: Option<&Flip>,
        residual: bool,
    ) -> std::io::Result<()> {
        if self.to.is_none() {
            return Ok(());
        }
        self.write(&Line::Run {
            id,
            shape,
            input: InputRecord::exact(input),
            flip: flip.cloned(),
            residual,
        })
    }

    pub(crate) fn infeasible(&mut self, flip: &Flip) -> std::io::Result<()> {
        if self.to.is_none() {
            return Ok(());
        }
        self.write(&Line::Infeasible(flip.clone()))
    }
}
