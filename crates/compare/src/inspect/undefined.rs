//! What a program does that C leaves undefined and the VM does not.
//!
//! An input is run twice more. One run has a symbol for every byte that nobody wrote (`concolic_vm::symbolic`): a
//! program that decides by one, uses it as an address or puts it out does natively what the compiler and
//! chance make of it. Whether it really depends on the byte, the solver is asked. The input is symbolic, too, so the
//! answer holds for all inputs of the path. The other run watches for signed overflow, large shifts, overlapping
//! `memcpy` and `__builtin_clz(0)` on this very input.

use std::time::{Duration, Instant};

use concolic_vm::linux::KernelConfig;
use concolic_vm::observe::UndefinedOperation;
use concolic_vm::symbolic::{
    PathEvent, SymbolicInput, SymbolicLimits, SymbolicProcess, SymbolicRun, UndefinedUse,
};
use concolic_vm::{Limits, Program, StackFrame};
use expr::{ExprId, Model, Store};
use rustc_hash::FxHashMap;
use solver::{Answer, Query, Solver};

/// For the question whether memory that was never written matters.
const QUESTION: Duration = Duration::from_secs(2);
/// Terms after which an empty store is better.
const MOST_TERMS: usize = 1 << 20;

/// How many times more decisions than in a search are looked at: few questions are asked about them, and a run that goes on
/// for its own input alone is not looked at to its end.
const MORE_DECISIONS: u32 = 10;

/// What a run did, each place once.
#[derive(Default)]
pub struct Undefined {
    /// Uses of memory that was never written.
    pub reads: Vec<UndefinedUse>,
    pub operations: Vec<(UndefinedOperation, StackFrame)>,
    /// The look was stopped before its end: there may be more uses and operations.
    pub unfinished: bool,
}

/// Which of these to look for.
#[derive(Clone, Copy)]
pub struct Wanted {
    pub reads: bool,
    pub operations: bool,
}

/// Looks at runs of one program.
pub struct Inspector<'p> {
    program: &'p Program,
    kernel: KernelConfig,
    limits: Limits,
    symbolic_limits: SymbolicLimits,
    store: Store,
    /// By shape: a process before the input has decided anything.
    bases: Vec<Option<SymbolicProcess<'p>>>,
    answered: Answered,
    solver: Option<Box<dyn Solver>>,
    /// Nothing is asked any more from then on.
    until: Option<Instant>,
}

impl<'p> Inspector<'p> {
    pub fn new(
        program: &'p Program,
        kernel: KernelConfig,
        limits: Limits,
        symbolic_limits: SymbolicLimits,
    ) -> Inspector<'p> {
        Inspector {
            program,
            kernel,
            limits,
            symbolic_limits: SymbolicLimits {
                decisions: symbolic_limits.decisions.saturating_mul(MORE_DECISIONS),
                ..symbolic_limits
            },
            store: Store::new(),
            bases: Vec::new(),
            answered: Answered::default(),
            solver: None,
            until: None,
        }
    }

    /// Runs nothing and asks nothing from a moment on.
    pub fn until(self, until: Instant) -> Inspector<'p> {
        Inspector {
            until: Some(until),
            ..self
        }
    }

    /// Runs an input again. All inputs with the same number have the same shape.
    pub fn inspect(&mut self, shape: u32, input: &SymbolicInput, wanted: Wanted) -> Undefined {
        if self.store.len() > MOST_TERMS {
            self.store = Store::new();
            self.bases.clear();
            self.answered = Answered::default();
            self.solver = None;
        }
        let shape = shape as usize;
        if self.bases.len() <= shape {
            self.bases.resize_with(shape + 1, || None);
        }
        match self.bases[shape].take() {
            Some(mut base) => {
                let mut process = base.clone();
                process.reseed(&mut self.store, input);
                let found = self.run(&mut process, input, wanted);
                base.mind_undefined_as(&process);
                self.bases[shape] = Some(base);
                found
            }
            None => {
                let Some(mut process) = self.start(input) else {
                    return Undefined {
                        unfinished: true,
                        ..Undefined::default()
                    };
                };
                let first = self.first_event(&process);
                let found = self.run(&mut process, input, wanted);
                let base = self.start(input);
                self.bases[shape] = base.and_then(|mut base| {
                    let first = first.as_ref();
                    match first.is_some_and(|event| base.run_before(&mut self.store, event)) {
                        true => Some(base),
                        false => self.start(input),
                    }
                });
                found
            }
        }
    }

    /// What a run decides first, if it is found out in time.
    fn first_event(&mut self, process: &SymbolicProcess<'p>) -> Option<PathEvent> {
        let until = self.until;
        let goes_on = || is_before(until);
        let run = process.clone().run_while(&mut self.store, goes_on);
        run?.path.into_iter().next()
    }

    fn start(&mut self, input: &SymbolicInput) -> Option<SymbolicProcess<'p>> {
        let mut process = SymbolicProcess::start(
            self.program,
            &mut self.store,
            self.kernel.clone(),
            self.limits,
            self.symbolic_limits,
            input,
        )
        .ok()?;
        process.mind_undefined();
        Some(process)
    }

    fn run(
        &mut self,
        process: &mut SymbolicProcess<'p>,
        input: &SymbolicInput,
        wanted: Wanted,
    ) -> Undefined {
        // From the very start: a process that is about to decide something has computed what it decides.
        let start = match wanted.operations {
            true => self.start(input),
            false => None,
        };
        let is_watched = start.is_some() || !wanted.operations;
        let operations = start.map_or_else(Vec::new, |mut start| {
            start.machine_mut().run_watching_undefined().1
        });
        let (reads, are_all) = match wanted.reads {
            true => self.reads(process),
            false => (Vec::new(), true),
        };
        Undefined {
            reads,
            operations,
            unfinished: !are_all || !is_watched,
        }
    }

    /// The uses that matter, and whether all were looked at.
    fn reads(&mut self, process: &mut SymbolicProcess<'p>) -> (Vec<UndefinedUse>, bool) {
        let until = self.until;
        let goes_on = || is_before(until);
        let Some(run) = process.run_while(&mut self.store, goes_on) else {
            return (Vec::new(), false);
        };
        let mut uses = process.undefined_uses(&self.store, &run);
        let mut are_all = process.undefined_uses_are_all(&uses);
        if uses.is_empty() {
            return (uses, are_all);
        }
        let mut zeros = Model::new();
        for symbol in process.undefined_symbols() {
            zeros.set(symbol, 0);
        }
        let prefixes = self.answered.prefixes(&mut self.store, &run, &zeros);
        uses.retain(|used| {
            // What the solver cannot tell is not known to be wrong; that something is not known is said.
            let matters = match goes_on() {
                true => self.matters(&zeros, &prefixes[..=used.events], used),
                false => None,
            };
            are_all &= matters.is_some();
            matters == Some(true)
        });
        (uses, are_all)
    }

    /// Whether some input of the path, and some content of the memory, make the term something else than zeros do. `None` if
    /// the solver gave up.
    fn matters(&mut self, zeros: &Model, prefix: &[usize], used: &UndefinedUse) -> Option<bool> {
        let question = (*prefix.last().expect("a path begins somewhere"), used.term);
        if let Some(&answer) = self.answered.answers.get(&question) {
            return Some(answer);
        }
        let store = &mut self.store;
        let with_zeros = store.substitute_model(used.term, zeros);
        let same = store.eq(used.term, with_zeros);
        let mut constraints = vec![store.not(same)];
        let conditions = prefix[1..].iter();
        constraints.extend(conditions.map(|&prefix| self.answered.with_zeros[prefix]));
        constraints.retain(|&condition| !store.is_true(condition));
        let query = Query {
            constraints: &constraints,
            timeout: QUESTION,
        };
        let solver = self
            .solver
            .get_or_insert_with(|| solver::chain(&solver::Config::default()));
        let answer = match solver.solve(store, &query) {
            Answer::Sat(_) => true,
            Answer::Unsat => false,
            Answer::Unknown(_) => return None,
        };
        self.answered.answers.insert(question, answer);
        Some(answer)
    }
}

/// What was asked in earlier runs. Runs of a search share the beginnings of their paths, and with them most questions: an element of an array
/// is read at an index of the input, the elements behind the last written one were never written, and all that follows has terms of
/// them.
#[derive(Default)]
struct Answered {
    /// A beginning of a path, by the beginning before it and its last condition; the empty one is 0.
    prefixes: FxHashMap<(usize, ExprId), usize>,
    /// By beginning: its last condition, where memory that was never written is zeros.
    with_zeros: Vec<ExprId>,
    /// Whether a term behind a beginning matters.
    answers: FxHashMap<(usize, ExprId), bool>,
}

impl Answered {
    /// All beginnings of a path, the empty one first.
    fn prefixes(&mut self, store: &mut Store, run: &SymbolicRun, zeros: &Model) -> Vec<usize> {
        if self.with_zeros.is_empty() {
            self.with_zeros.push(store.constant(1, 1));
        }
        let mut prefixes = vec![0];
        let mut last = 0;
        for event in &run.path {
            last = *self
                .prefixes
                .entry((last, event.condition))
                .or_insert_with(|| {
                    let condition = store.substitute_model(event.condition, zeros);
                    self.with_zeros.push(condition);
                    self.with_zeros.len() - 1
                });
            prefixes.push(last);
        }
        prefixes
    }
}

/// What a run of one input does that C leaves undefined and the VM does not, but for memory that was never written.
pub fn operations(
    program: &Program,
    kernel: &KernelConfig,
    limits: Limits,
    input: &SymbolicInput,
) -> Vec<(UndefinedOperation, StackFrame)> {
    let mut store = Store::new();
    let process = SymbolicProcess::start(
        program,
        &mut store,
        kernel.clone(),
        limits,
        SymbolicLimits::default(),
        input,
    );
    process.map_or_else(
        |_| Vec::new(),
        |mut process| process.machine_mut().run_watching_undefined().1,
    )
}

fn is_before(until: Option<Instant>) -> bool {
    until.is_none_or(|until| Instant::now() < until)
}
