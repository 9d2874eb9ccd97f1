//! A process with symbolic input: start, run, snapshot, go on with another input.

use super::recorder::{Record, Recorder};
use super::{Assumption, Entered, EventKind, PathEvent, SymbolicInput, SymbolicLimits};
use crate::coverage::Coverage;
use crate::linux::{ConfigError, Kernel, KernelConfig};
use crate::machine::{Limits, Machine};
use crate::outcome::{End, Outcome};
use crate::process::StartError;
use crate::program::Program;
use expr::{Evaluation, ExprId, Model, Store, Symbol};
use program_ir::Func;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Instructions of a run after which it is asked whether it should go on: about a tenth of a second, if all of them make
/// terms.
pub(super) const BETWEEN_QUESTIONS: u64 = 1 << 17;

/// A block is executed as a whole or not at all: one that is longer needs more.
pub(super) fn next_span(span: u64, is_enough: bool) -> u64 {
    match is_enough {
        true => BETWEEN_QUESTIONS,
        false => span.saturating_mul(2),
    }
}

/// A machine with terms beside its values. A clone is a snapshot.
#[derive(Clone)]
pub struct SymbolicProcess<'p> {
    pub(super) machine: Machine<'p>,
    pub(super) record: Record,
}

#[derive(Debug, thiserror::Error)]
pub enum SymbolicStartError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Start(#[from] StartError),
}

/// The variable that stands for a parameter of the function that is called.
pub fn parameter_name(number: usize) -> String {
    format!("parameter {number}")
}

/// What a run has shown.
#[derive(Clone, Debug)]
pub struct SymbolicRun {
    pub outcome: Outcome,
    pub path: Vec<PathEvent>,
    pub coverage: Coverage,
    /// The places that it came to, each once, in order.
    pub entered: Vec<Entered>,
    /// The exit status (8 bits), if it depends on the input.
    pub exit_status: Option<ExprId>,
    /// The words that the entry function returned, where they depend on the input.
    pub returned: Vec<Option<ExprId>>,
    /// Name and size of the variables that the program asked for.
    pub variables: Vec<(Arc<str>, u32)>,
}

impl SymbolicRun {
    /// What the run concretised, each place once.
    pub fn assumptions(&self) -> Vec<Assumption> {
        let taken = self.path.iter().filter_map(|event| match event.kind {
            EventKind::Concretised(what) => Some(Assumption {
                site: event.site,
                what,
            }),
            _ => None,
        });
        taken.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

impl<'p> SymbolicProcess<'p> {
    /// A whole program that is about to execute its first instruction. `kernel` describes
    /// everything but the input.
    pub fn start(
        program: &'p Program,
        store: &mut Store,
        mut kernel: KernelConfig,
        limits: Limits,
        symbolic_limits: SymbolicLimits,
        input: &SymbolicInput,
    ) -> Result<SymbolicProcess<'p>, SymbolicStartError> {
        input.place(store, &mut kernel);
        let kernel = Kernel::new(kernel)?;
        let (args, environment) = input.strings(store);
        let machine = Machine::start_with(program, kernel, limits, &args, &environment)?;
        let mut process = SymbolicProcess::around(machine, symbolic_limits);
        process.set_input(input);
        Ok(process)
    }

    /// A call of one function; give it arguments with [`SymbolicProcess::set_argument`].
    pub fn call(
        program: &'p Program,
        kernel: Kernel,
        limits: Limits,
        symbolic_limits: SymbolicLimits,
        function: Func,
    ) -> Result<SymbolicProcess<'p>, End> {
        let machine = Machine::new(program, kernel, limits, function)?;
        Ok(SymbolicProcess::around(machine, symbolic_limits))
    }

    /// A call of one function with symbolic parameters: parameter `n` is the variable
    /// [`parameter_name`]`(n)` of the input. `kernel` describes everything but the input.
    pub fn start_call(
        program: &'p Program,
        store: &mut Store,
        mut kernel: KernelConfig,
        limits: Limits,
        symbolic_limits: SymbolicLimits,
        function: Func,
        input: &SymbolicInput,
    ) -> Result<SymbolicProcess<'p>, SymbolicStartError> {
        input.place(store, &mut kernel);
        let kernel = Kernel::new(kernel)?;
        let mut process = SymbolicProcess::call(program, kernel, limits, symbolic_limits, function)
            .map_err(StartError::Failed)?;
        process.set_input(input);
        let mut word = 0;
        let parameters = &program.module().functions[function].signature.params;
        for (number, ty) in parameters.iter().enumerate() {
            let name: Arc<str> = parameter_name(number).into();
            let size = ty.store_bytes();
            for first in (0..size).step_by(8) {
                let offsets = first..size.min(first + 8);
                let bytes: Vec<ExprId> = offsets
                    .clone()
                    .map(|offset| {
                        let name = name.clone();
                        store.symbol_term(&Symbol::Variable { name, offset, size })
                    })
                    .collect();
                let value = offsets.rev().fold(0, |value, offset| {
                    value << 8 | u64::from(input.variable_byte(&name, offset))
                });
                let width = (ty.bits() - 8 * first).min(64);
                let term = store.concat_le(&bytes);
                let term = store.trunc(term, width);
                process.set_argument(word, value & expr::mask(width) as u64, Some(term));
                word += 1;
            }
            process.machine.variables.named.push((name, size));
        }
        Ok(process)
    }

    fn around(mut machine: Machine<'p>, limits: SymbolicLimits) -> SymbolicProcess<'p> {
        let mut record = Record::new(limits, Coverage::new(machine.program));
        record.terms.resize(machine.registers.len(), 0);
        let first = machine.frames[0].function;
        record.cover(&mut machine, first, 0);
        SymbolicProcess { machine, record }
    }

    /// Sets a parameter word of the entry function: its value, and the term it equals.
    pub fn set_argument(&mut self, index: usize, value: u64, term: Option<ExprId>) {
        self.machine.set_argument(index, value);
        let place = self.machine.frames[0].base + index;
        self.record.terms[place] = term.map_or(0, ExprId::raw);
    }

    pub fn machine(&self) -> &Machine<'p> {
        &self.machine
    }

    pub fn machine_mut(&mut self) -> &mut Machine<'p> {
        &mut self.machine
    }

    pub fn path(&self) -> &[PathEvent] {
        &self.record.path
    }

    /// Runs to the end.
    pub fn run(&mut self, store: &mut Store) -> SymbolicRun {
        match self.run_up_to(store, u64::MAX) {
            Some(run) => run,
            None => unreachable!("a run without a bound ends"),
        }
    }

    /// Runs to the end, unless somebody who is asked now and then says that it should not go on.
    pub fn run_while(
        &mut self,
        store: &mut Store,
        mut goes_on: impl FnMut() -> bool,
    ) -> Option<SymbolicRun> {
        let mut span = BETWEEN_QUESTIONS;
        while goes_on() {
            let before = self.machine.instructions;
            if let Some(run) = self.run_up_to(store, before.saturating_add(span)) {
                return Some(run);
            }
            span = next_span(span, self.machine.instructions > before);
        }
        None
    }

    /// Runs until just before an event that an earlier run of the same input has shown;
    /// whether that was possible. A clone taken here serves every input that satisfies
    /// the conditions on the path so far.
    pub fn run_before(&mut self, store: &mut Store, event: &PathEvent) -> bool {
        match event.instructions.checked_sub(1) {
            Some(limit) => self.run_up_to(store, limit).is_none(),
            // The event is in the very first block.
            None => false,
        }
    }

    /// Runs until `instructions` have been executed in all; `None` if there is more to
    /// run.
    pub fn run_up_to(&mut self, store: &mut Store, instructions: u64) -> Option<SymbolicRun> {
        loop {
            self.machine.step_limit = instructions.min(self.machine.limits.steps);
            let mut recorder = Recorder {
                store,
                record: &mut self.record,
            };
            match self.machine.step_until_end(&mut recorder) {
                End::StepLimit { limit } if limit < self.machine.limits.steps => {
                    // Who waits for a call wants to know more of it than one input.
                    let goes_on = recorder.record.awaited.is_none();
                    if !recorder.record.decision_limit.stops() || !goes_on {
                        return None;
                    }
                    recorder.take_input_as_it_is(&mut self.machine);
                }
                end => return Some(self.finished(end)),
            }
        }
    }

    fn set_input(&mut self, input: &SymbolicInput) {
        self.machine.set_variables(input.variables.clone());
        self.record
            .decision_limit
            .set_input(input, self.record.limits);
    }

    pub(super) fn finished(&mut self, end: End) -> SymbolicRun {
        let returned = self.record.handed_on.returned.iter();
        SymbolicRun {
            outcome: self.machine.outcome(end),
            path: std::mem::take(&mut self.record.path),
            coverage: self.record.coverage.clone(),
            entered: std::mem::take(&mut self.record.entered),
            exit_status: ExprId::from_raw(self.record.handed_on.exit_status),
            returned: returned.map(|&term| ExprId::from_raw(term)).collect(),
            variables: self.machine.variables.named.clone(),
        }
    }

    /// The values of the symbols in `input`, with variables of the sizes that the program
    /// has asked for so far.
    pub fn model(&self, store: &mut Store, input: &SymbolicInput) -> Model {
        input.model(store, &self.machine.variables.named)
    }

    /// Goes on with another input. **It must satisfy the conditions on the path so far**:
    /// then it runs through the same operations up to here, and the state it has here is
    /// given by the terms. So every value that has a term is computed anew, in registers,
    /// memory, variadic arguments and files; all others are the same.
    pub fn reseed(&mut self, store: &mut Store, input: &SymbolicInput) {
        let model = self.model(store, input);
        self.set_input(input);
        self.reassign(store, model);
    }

    /// As [`SymbolicProcess::reseed`], for symbols that are not part of a
    /// [`SymbolicInput`].
    pub fn reassign(&mut self, store: &Store, model: Model) {
        let mut evaluation = Evaluation::new(model);
        let mut value_of = |term: u32| {
            let term = ExprId::from_raw(term).expect("a symbolic value has a term");
            evaluation.value(store, term)
        };
        debug_assert!(
            self.record
                .path
                .iter()
                .all(|event| value_of(event.condition.raw()) == 1),
            "the input takes another path"
        );
        let machine = &mut self.machine;
        // What lies above the innermost frame is left over from calls that have returned.
        let live = machine.frames.last().map_or(0, |frame| {
            let code = machine.program.code(frame.function);
            frame.base + code.map_or(0, |code| code.slots as usize)
        });
        let shadows = &self.record.terms[..live.min(self.record.terms.len())];
        for (register, &term) in machine.registers.iter_mut().zip(shadows) {
            if term != 0 {
                *register = value_of(term) as u64;
            }
        }
        for argument in &mut machine.stack.varargs {
            let Some(terms) = &argument.terms else {
                continue;
            };
            for (index, &term) in terms.iter().enumerate().filter(|&(_, &term)| term != 0) {
                let shift = 8 * (index % 8);
                let word = &mut argument.words[index / 8];
                *word = *word & !(0xff << shift) | (value_of(term) as u64 & 0xff) << shift;
            }
        }
        machine.memory.reassign_terms(|term| value_of(term) as u8);
        machine
            .kernel
            .reassign_terms(&mut |term| value_of(term) as u8);
    }

    /// The first value beside a term that the term does not have under the model: there
    /// is none unless the machine and the term layer disagree. For tests.
    pub fn first_disagreement(&self, store: &Store, model: &Model) -> Option<String> {
        let mut evaluation = Evaluation::new(model.clone());
        let mut differs = |term: u32, value: u64| {
            let term = ExprId::from_raw(term)?;
            let expected = evaluation.value(store, term);
            (expected != u128::from(value)).then(|| {
                let text = expr::print_smtlib(store, &[term]);
                format!("{value:#x} instead of {expected:#x} = {text}")
            })
        };
        let live = self.machine.frames.last().map_or(0, |frame| frame.base);
        let registers = self.machine.registers.iter().zip(&self.record.terms);
        for (index, (&value, &term)) in registers.enumerate().take(live) {
            if let Some(text) = differs(term, value) {
                return Some(format!("register {index} is {text}"));
            }
        }
        for (address, term, value) in self.machine.memory.symbolic_bytes() {
            if let Some(text) = differs(term, u64::from(value)) {
                return Some(format!("the byte at {address:#x} is {text}"));
            }
        }
        None
    }
}
