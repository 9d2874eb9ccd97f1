//! What the versions do that C leaves undefined and the VM does not: the runs of a search are looked at. Versions that depend on
//! memory that nobody wrote are not called equivalent; for other operations a verdict says what it assumes, and where.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use concolic_vm::StackFrame;
use concolic_vm::observe::UndefinedOperation;
use concolic_vm::symbolic::{SymbolicInput, UndefinedHow, UndefinedUse};
use exploration::InputRecord;
use exploration::input::CompactInput;
use harness::Harness;
use serde::{Deserialize, Serialize};

use super::undefined::{self, Inspector, Wanted};
use crate::given::Given;
use crate::versions::run::Versions;

/// Places of each kind, in one version, after which no more are looked for.
const ENOUGH: usize = 4;

/// A place in the code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CodePlace {
    pub function: String,
    pub file: Option<String>,
    pub line: u32,
}

impl CodePlace {
    pub(crate) fn of(frame: &StackFrame) -> CodePlace {
        CodePlace {
            function: frame.function.clone(),
            file: frame.file.clone(),
            line: frame.line,
        }
    }

    /// What tells places apart for a user.
    pub fn source_line(&self) -> Option<(&str, u32)> {
        Some((self.file.as_deref()?, self.line))
    }
}

/// How something that was never written is used.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UninitialisedUse {
    /// It decides how the run goes on.
    Decision,
    /// It is put out to a stream or a file of this name.
    PutOut(String),
    ExitStatus,
}

/// A use of memory that was never written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UninitialisedRead {
    /// Its number.
    pub version: usize,
    pub used: UninitialisedUse,
    /// `variable 'x'`, `a heap block`.
    pub memory: String,
    pub made_at: Option<CodePlace>,
    pub read_at: Option<CodePlace>,
    pub used_at: Option<CodePlace>,
    pub given: Given,
}

/// An operation that C leaves undefined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    SignedOverflow,
    /// By the width of the number or more.
    LargeShift,
    OverlappingCopy,
    /// `__builtin_clz(0)`.
    ZerosOfZero,
    /// Of a floating-point number to an integer type that does not have it.
    ConversionOutOfRange,
    /// A `_Bool` that is neither 0 nor 1.
    OtherBool,
}

impl Operation {
    pub(crate) fn of(operation: UndefinedOperation) -> Operation {
        match operation {
            UndefinedOperation::SignedOverflow => Operation::SignedOverflow,
            UndefinedOperation::LargeShift => Operation::LargeShift,
            UndefinedOperation::OverlappingCopy => Operation::OverlappingCopy,
            UndefinedOperation::ZerosOfZero => Operation::ZerosOfZero,
            UndefinedOperation::ConversionOutOfRange => Operation::ConversionOutOfRange,
            UndefinedOperation::OtherBool => Operation::OtherBool,
        }
    }
}

/// An operation whose meaning is an assumption.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AssumedOperation {
    /// Its number.
    pub version: usize,
    pub operation: Operation,
    pub at: CodePlace,
    pub given: Given,
}

/// What the versions do that C leaves undefined.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Undefined {
    pub reads: Vec<UninitialisedRead>,
    pub assumed: Vec<AssumedOperation>,
    /// Not every run was looked at.
    pub unfinished: bool,
    /// How many were not looked at for want of time, or because of an interruption.
    pub cut: u64,
}

/// Looks at runs of a search. That costs about as much as they did, so all of them are looked at only where versions would be called
/// equivalent.
pub(super) struct Inspection<'v> {
    pub(super) versions: &'v Versions<'v>,
    pub(super) harness: &'v dyn Harness,
    pub(super) shapes: &'v [SymbolicInput],
    pub(super) workers: usize,
    pub(super) interrupt: &'v AtomicBool,
    /// When it ends at the latest.
    pub(super) until: Instant,
}

impl Inspection<'_> {
    pub(super) fn of(&self, inputs: &[CompactInput]) -> Undefined {
        // What is found of a version is nothing to the others.
        let versions = 0..self.versions.programs.len();
        let of_version = |version| self.of_version(version, inputs);
        let found: Vec<Undefined> = std::thread::scope(|scope| {
            let found = versions.map(|version| scope.spawn(move || of_version(version)));
            let found: Vec<_> = found.collect();
            let found = found.into_iter();
            found
                .map(|found| found.join().expect("no worker panicked"))
                .collect()
        });
        Undefined::of_versions(found)
    }

    fn of_version(&self, version: usize, inputs: &[CompactInput]) -> Undefined {
        let found = Mutex::new(Undefined::default());
        let share = inputs.len().div_ceil(self.workers).max(1);
        std::thread::scope(|scope| {
            for inputs in inputs.chunks(share) {
                scope.spawn(|| self.work(version, inputs, &found));
            }
        });
        found.into_inner().expect("no worker panicked")
    }

    fn work(&self, version: usize, inputs: &[CompactInput], found: &Mutex<Undefined>) {
        let lock = || found.lock().expect("no worker panicked");
        let Versions {
            programs,
            kernel,
            limits,
            symbolic_limits,
            ..
        } = self.versions;
        let mut inspector =
            Inspector::new(programs[version], kernel.clone(), *limits, *symbolic_limits)
                .until(self.until);
        for (at, input) in inputs.iter().enumerate() {
            if self.interrupt.load(Ordering::Relaxed) || Instant::now() >= self.until {
                let mut found = lock();
                found.unfinished = true;
                found.cut += (inputs.len() - at) as u64;
                return;
            }
            let expanded = input.expand(self.shapes);
            let wanted = lock().wanted(version);
            if wanted.reads || wanted.operations {
                let new = inspector.inspect(input.shape, &expanded, wanted);
                lock().unfinished |= new.unfinished;
                if !new.reads.is_empty() || !new.operations.is_empty() {
                    let given = Given::of(self.harness, &InputRecord::of(&expanded));
                    lock().add(version, new, &given);
                }
            }
        }
    }
}

impl Undefined {
    /// Adds what a look at other runs has found.
    pub(crate) fn merge(&mut self, other: Undefined) {
        for read in other.reads {
            if !self.reads.iter().any(|known| known.is_like(&read)) {
                self.reads.push(read);
            }
        }
        for assumed in other.assumed {
            if !self.assumed.iter().any(|known| known.is_like(&assumed)) {
                self.assumed.push(assumed);
            }
        }
        self.unfinished |= other.unfinished;
        self.cut += other.cut;
    }

    /// What was found of each version, in the order of the versions. A run counts as looked at when all versions were.
    fn of_versions(found: Vec<Undefined>) -> Undefined {
        let mut all = Undefined::default();
        for found in found {
            all.reads.extend(found.reads);
            all.assumed.extend(found.assumed);
            all.unfinished |= found.unfinished;
            all.cut = all.cut.max(found.cut);
        }
        all
    }

    fn wanted(&self, version: usize) -> Wanted {
        let reads = self.reads.iter().filter(|read| read.version == version);
        Wanted {
            reads: reads.count() < ENOUGH,
            operations: true,
        }
    }

    fn add(&mut self, version: usize, new: undefined::Undefined, given: &Given) {
        for used in new.reads {
            let read = UninitialisedRead::of(version, used, given);
            if !self.reads.iter().any(|known| known.is_like(&read)) {
                self.reads.push(read);
            }
        }
        for (operation, at) in new.operations {
            let assumed = AssumedOperation {
                version,
                operation: Operation::of(operation),
                at: CodePlace::of(&at),
                given: given.clone(),
            };
            if !self.assumed.iter().any(|known| known.is_like(&assumed)) {
                self.assumed.push(assumed);
            }
        }
    }
}

impl UninitialisedRead {
    fn of(version: usize, used: UndefinedUse, given: &Given) -> UninitialisedRead {
        let place = |frame: &Option<StackFrame>| frame.as_ref().map(CodePlace::of);
        UninitialisedRead {
            version,
            used: match used.how {
                UndefinedHow::Decides => UninitialisedUse::Decision,
                UndefinedHow::PutOut(name) => UninitialisedUse::PutOut(name),
                UndefinedHow::ExitStatus => UninitialisedUse::ExitStatus,
            },
            memory: used.memory.what,
            made_at: place(&used.memory.made_at),
            read_at: place(&used.memory.read_at),
            used_at: place(&used.used_at),
            given: given.clone(),
        }
    }

    /// The same lines, for the same purpose.
    fn is_like(&self, other: &UninitialisedRead) -> bool {
        fn lines(read: &UninitialisedRead) -> [Option<(&str, u32)>; 3] {
            let places = [&read.made_at, &read.read_at, &read.used_at];
            places.map(|place| place.as_ref().and_then(CodePlace::source_line))
        }
        (self.version, &self.used, &self.memory) == (other.version, &other.used, &other.memory)
            && lines(self) == lines(other)
    }
}

impl AssumedOperation {
    fn is_like(&self, other: &AssumedOperation) -> bool {
        (self.version, self.operation) == (other.version, other.operation)
            && self.at.source_line() == other.at.source_line()
    }
}

#[cfg(test)]
mod tests {
    use build::{Builder, Request};
    use concolic_vm::linux::KernelConfig;
    use concolic_vm::symbolic::SymbolicLimits;
    use concolic_vm::{Limits, Program};
    use exploration::InputSpace;
    use harness::{BuildOptions, WholeProgram, read_module};

    use std::time::Duration;

    use super::*;
    use crate::versions::as_built::AsBuilt;
    use crate::versions::run::Tracing;

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
            support: Vec::new(),
            keep_going: false,
            folder: None,
        };
        let built = builder.program(&request).unwrap();
        let program = || {
            let module = read_module(&builder, &built).unwrap();
            Program::new(module, 1 << 30).unwrap()
        };
        let programs = [program(), program()];
        let as_built = [AsBuilt::default(), AsBuilt::default()];
        let versions = Versions {
            programs: programs.iter().collect(),
            as_built: as_built.iter().collect(),
            run_memory: 1 << 30,
            names: vec!["old", "new"],
            kernel: KernelConfig::default(),
            limits: Limits::default(),
            symbolic_limits: SymbolicLimits::default(),
            steps: Vec::new(),
            golden: None,
            tracing: Tracing::default(),
        };
        let shapes = InputSpace::default().shapes();
        let inputs: Vec<CompactInput> = (0..3).map(|_| CompactInput::new(0, &shapes[0])).collect();
        let look = |until: Instant| {
            let inspection = Inspection {
                versions: &versions,
                harness: &WholeProgram::new(&[], &[], &BuildOptions::default(), None),
                shapes: &shapes,
                workers: 2,
                interrupt: &AtomicBool::new(false),
                until,
            };
            inspection.of(&inputs)
        };
        let long = look(Instant::now() + Duration::from_secs(600));
        assert_eq!((long.reads.len(), long.unfinished, long.cut), (2, false, 0));
        let none = look(Instant::now());
        assert_eq!((none.reads.len(), none.unfinished, none.cut), (0, true, 3));
    }
}
