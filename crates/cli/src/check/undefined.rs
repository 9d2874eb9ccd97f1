//! What the versions do that C leaves undefined and the VM does not: the runs of a search are looked at, and
//! what is found is put into words. Versions that depend on memory that nobody wrote are not called equivalent; for
//! other operations a verdict says what it assumes, and where.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use concolic_vm::StackFrame;
use concolic_vm::observe::UndefinedOperation;
use concolic_vm::symbolic::{NeverWritten, SymbolicInput, UndefinedHow};
use exploration::InputRecord;
use exploration::input::CompactInput;
use serde_json::{Value, json};

use super::paired::Versions;
use crate::explore::json_input;
use compare::undefined::{Inspector, Wanted};

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
    /// How many were not looked at for want of time, or because of Ctrl-C.
    pub(super) cut: u64,
}

/// What a look at the runs may take when the search has used up all of its time.
const AT_LEAST: Duration = Duration::from_secs(1);

/// Looks at the runs of a search. That costs about as much as they did, so it is done when the search has ended: all of
/// them are looked at if the versions would be called equivalent, and some otherwise.
pub(super) struct Inspection<'v> {
    pub(super) versions: &'v Versions<'v>,
    pub(super) shapes: &'v [SymbolicInput],
    pub(super) workers: usize,
    pub(super) interrupt: &'v AtomicBool,
    /// When it ends at the latest.
    pub(super) until: Instant,
}

/// A look at the runs of a search has what is left of its time.
pub(super) fn ends_at(search_began: Instant, timeout: Duration) -> Instant {
    let now = Instant::now();
    let left = timeout.saturating_sub(now - search_began);
    now + left.max(AT_LEAST)
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
            symbolic_limits,
            ..
        } = self.versions;
        let inspector = |&program: &_| {
            Inspector::new(program, kernel.clone(), *limits, *symbolic_limits).until(self.until)
        };
        let mut inspectors: Vec<_> = programs.iter().map(inspector).collect();
        for (at, input) in inputs.iter().enumerate() {
            let expanded = input.expand(self.shapes);
            for (inspector, &version) in inspectors.iter_mut().zip(&self.versions.names) {
                if self.interrupt.load(Ordering::Relaxed) || Instant::now() >= self.until {
                    let mut found = lock();
                    found.unfinished = true;
                    found.cut += (inputs.len() - at) as u64;
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
    /// What was left out for want of time, in words.
    pub(super) fn cut_in_words(&self) -> Option<&'static str> {
        match self.cut {
            0 => None,
            1 => Some(
                "run was not looked at, before the check ended, for memory that is read and was never written",
            ),
            _ => Some(
                "runs were not looked at, before the check ended, for memory that is read and was never written",
            ),
        }
    }

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
        new: compare::undefined::Undefined,
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

#[cfg(test)]
mod tests {
    use concolic_vm::linux::KernelConfig;
    use concolic_vm::symbolic::SymbolicLimits;
    use concolic_vm::{Limits, Program};
    use exploration::InputSpace;

    use super::super::changes::Changes;
    use super::*;
    use crate::read_module;
    use build::{Builder, Request};

    /// It ends in time, and says what it did not look at: that keeps a verdict from being `equivalent`.
    #[test]
    fn a_look_at_the_runs_ends_with_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("p.c");
        std::fs::write(&source, "int main(void) { int x; return x == 5; }\n").unwrap();
        let builder = Builder::new(&|_| {}).unwrap();
        let request = Request {
            inputs: vec![source],
            target: None,
            compiler_arguments: Vec::new(),
            keep_going: false,
            folder: None,
        };
        let built = builder.program(&request).unwrap();
        let program = || {
            let module = read_module(&builder, &built).unwrap();
            Program::new(module, 1 << 30).unwrap()
        };
        let programs = [program(), program()];
        let versions = Versions {
            programs: programs.iter().collect(),
            names: vec!["old", "new"],
            kernel: KernelConfig::default(),
            limits: Limits::default(),
            symbolic_limits: SymbolicLimits::default(),
            changes: &Changes::none(),
            trace_facts: Default::default(),
            tracing: Mutex::default(),
            golden: None,
        };
        let shapes = InputSpace::default().shapes();
        let inputs: Vec<CompactInput> = (0..3).map(|_| CompactInput::new(0, &shapes[0])).collect();
        let look = |until: Instant| {
            let inspection = Inspection {
                versions: &versions,
                shapes: &shapes,
                workers: 2,
                interrupt: &AtomicBool::new(false),
                until,
            };
            inspection.of(&inputs)
        };
        let long = look(Instant::now() + Duration::from_secs(600));
        assert_eq!((long.reads.len(), long.unfinished, long.cut), (2, false, 0));
        assert_eq!(long.cut_in_words(), None);
        let none = look(Instant::now());
        assert_eq!((none.reads.len(), none.unfinished, none.cut), (0, true, 3));
        assert!(none.cut_in_words().is_some());
    }

    #[test]
    fn what_is_left_of_the_time_is_used() {
        let before = Instant::now();
        let ends = ends_at(before, Duration::from_secs(60)) - before;
        assert!(ends >= Duration::from_secs(60) && ends < Duration::from_secs(61));
        let ends = ends_at(before, Duration::ZERO) - before;
        assert!(ends >= AT_LEAST && ends < 2 * AT_LEAST);
    }
}
