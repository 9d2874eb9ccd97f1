//! What the versions do that C leaves undefined and the VM does not: the runs of a search are looked at, and
//! what is found is put into words. Versions that depend on memory that nobody wrote are not called equivalent; for
//! other operations a verdict says what it assumes, and where.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use concolic_vm::StackFrame;
use concolic_vm::observe::UndefinedOperation;
use concolic_vm::symbolic::{NeverWritten, SymbolicInput, UndefinedHow};
use exploration::InputRecord;
use exploration::input::CompactInput;
use serde_json::{Value, json};

use super::paired::Versions;
use crate::cli::explore::json_input;
use crate::undefined::{Inspector, Wanted};

/// Places of each kind, in one version, after which no more are looked for.
const ENOUGH: usize = 4;

/// A use of memory that was never written.
pub(super) struct Read {
    /// Its name in the report.
    pub(super) version: &'static str,
    how: UndefinedHow,
    memory: NeverWritten,
    used_at: Option<StackFrame>,
    pub(super) input: InputRecord,
}

/// An operation whose meaning is an assumption.
pub(super) struct Assumed {
    pub(super) version: &'static str,
    pub(super) what: UndefinedOperation,
    at: StackFrame,
    pub(super) input: InputRecord,
}

#[derive(Default)]
pub(super) struct Undefined {
    pub(super) reads: Vec<Read>,
    pub(super) assumed: Vec<Assumed>,
    /// Not every run was looked at.
    pub(super) unfinished: bool,
}

/// Looks at the runs of a search. That costs about as much as they did, so it is done when the search has ended: all of
/// them are looked at if the versions would be called equivalent, and some otherwise.
pub(super) struct Inspection<'v> {
    pub(super) versions: &'v Versions<'v>,
    pub(super) shapes: &'v [SymbolicInput],
    pub(super) workers: usize,
    pub(super) interrupt: &'v AtomicBool,
}

impl Inspection<'_> {
    pub(super) fn of(&self, inputs: &[CompactInput]) -> Undefined {
        let found = Mutex::new(Undefined::default());
        let share = inputs.len().div_ceil(self.workers).max(1);
        std::thread::scope(|scope| {
            for inputs in inputs.chunks(share) {
                scope.spawn(|| self.work(inputs, &found));
            }
        });
        found.into_inner().expect("no worker panicked")
    }

    fn work(&self, inputs: &[CompactInput], found: &Mutex<Undefined>) {
        let lock = || found.lock().expect("no worker panicked");
        let Versions {
            programs,
            kernel,
            limits,
            ..
        } = self.versions;
        let inspector = |&program: &_| Inspector::new(program, kernel.clone(), *limits);
        let mut inspectors: Vec<_> = programs.iter().map(inspector).collect();
        for input in inputs {
            let expanded = input.expand(self.shapes);
            for (inspector, &version) in inspectors.iter_mut().zip(&self.versions.names) {
                if self.interrupt.load(Ordering::Relaxed) {
                    lock().unfinished = true;
                    return;
                }
                let wanted = lock().wanted(version);
                if wanted.reads || wanted.operations {
                    let new = inspector.inspect(input.shape, &expanded, wanted);
                    lock().unfinished |= new.unfinished;
                    if !new.reads.is_empty() || !new.operations.is_empty() {
                        lock().add(version, new, &InputRecord::of(&expanded));
                    }
                }
            }
        }
    }
}

impl Undefined {
    fn wanted(&self, version: &str) -> Wanted {
        let reads = self.reads.iter().filter(|read| read.version == version);
        Wanted {
            reads: reads.count() < ENOUGH,
            operations: true,
        }
    }

    fn add(
        &mut self,
        version: &'static str,
        new: crate::undefined::Undefined,
        input: &InputRecord,
    ) {
        for used in new.reads {
            let read = Read {
                version,
                how: used.how,
                memory: used.memory,
                used_at: used.used_at,
                input: input.clone(),
            };
            if !self.reads.iter().any(|known| known.is_like(&read)) {
                self.reads.push(read);
            }
        }
        for (what, at) in new.operations {
            let assumed = Assumed {
                version,
                what,
                at,
                input: input.clone(),
            };
            if !self.assumed.iter().any(|known| known.is_like(&assumed)) {
                self.assumed.push(assumed);
            }
        }
    }
}

fn line_of(frame: &StackFrame) -> Option<(&str, u32)> {
    Some((frame.file.as_deref()?, frame.line))
}

fn place(frame: &StackFrame) -> String {
    match line_of(frame) {
        Some((file, line)) => format!("{file}:{line} in {}", frame.function),
        None => frame.function.clone(),
    }
}

fn json_place(frame: Option<&StackFrame>) -> Value {
    let Some(frame) = frame else {
        return Value::Null;
    };
    json!({"file": frame.file, "line": frame.line, "function": frame.function})
}

impl Read {
    /// The same lines, for the same purpose.
    fn is_like(&self, other: &Read) -> bool {
        let lines = |read: &Read| {
            let memory = &read.memory;
            let frames = [&memory.made_at, &memory.read_at, &read.used_at];
            frames.map(|frame| {
                let line = frame.as_ref().and_then(line_of);
                line.map(|(file, line)| (file.to_owned(), line))
            })
        };
        self.version == other.version
            && self.how == other.how
            && self.memory.what == other.memory.what
            && lines(self) == lines(other)
    }

    pub(super) fn in_words(&self) -> String {
        let made = match self.memory.made_at.as_ref().and_then(line_of) {
            Some((file, line)) => format!(" ({file}:{line})"),
            None => String::new(),
        };
        let read = match &self.memory.read_at {
            Some(frame) => format!(", read at {}", place(frame)),
            None => String::new(),
        };
        let effect = match (&self.how, &self.used_at) {
            (UndefinedHow::Decides, Some(frame)) => {
                format!("it decides how the run goes on at {}", place(frame))
            }
            (UndefinedHow::Decides, None) => "it decides how the run goes on".to_owned(),
            (UndefinedHow::PutOut(name), _) => format!("it is put out to {name}"),
            (UndefinedHow::ExitStatus, _) => "it is the exit status".to_owned(),
        };
        format!(
            "what the {} version does depends on memory that it never wrote: {}{made}{read}; {effect}",
            self.version, self.memory.what
        )
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "version": self.version,
            "memory": self.memory.what,
            "made_at": json_place(self.memory.made_at.as_ref()),
            "read_at": json_place(self.memory.read_at.as_ref()),
            "used_at": json_place(self.used_at.as_ref()),
            "use": match &self.how {
                UndefinedHow::Decides => "decision".to_owned(),
                UndefinedHow::PutOut(name) => name.clone(),
                UndefinedHow::ExitStatus => "exit status".to_owned(),
            },
            "input": json_input(&self.input),
        })
    }
}

impl Assumed {
    fn is_like(&self, other: &Assumed) -> bool {
        (self.version, self.what) == (other.version, other.what)
            && line_of(&self.at) == line_of(&other.at)
    }

    pub(super) fn in_words(&self) -> String {
        format!(
            "{}, at {} of the {} version",
            self.what.assumption(),
            place(&self.at),
            self.version
        )
    }
}
