//! Threads that do what the coordinator orders, until the search is over or the budget is used up.
//!
//! The coordinator is under one lock, and changes only between two jobs, so a search can be stopped
//! between any two runs and everything found so far stands. Lines of the journal are written outside of it; who writes
//! holds the writer's lock when it takes them, so they stand in the order in which they were queued.

use crate::coordinator::{Concluded, Coordinator};
use crate::journal::Writer;
use crate::messages::{Job, Order, Outcome};
use crate::observer::Notes;
use crate::service::Executor;
use crate::summary::{Stop, Summary};
use concolic_vm::Program;
use concolic_vm::symbolic::SymbolicInput;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const PROGRESS_EVERY: Duration = Duration::from_millis(250);
/// How often it is looked whether somebody wants the search to stop.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// What a search is done with.
pub struct Crew<'d> {
    pub workers: usize,
    /// Makes the executor of a worker, in the worker's own thread.
    pub executor: &'d (dyn Fn(usize) -> Box<dyn Executor + 'd> + Sync),
    /// Set from outside to stop.
    pub interrupt: &'d AtomicBool,
    /// Set to make executors leave the runs that are under way, which may take seconds.
    pub leave: &'d AtomicBool,
    /// Bytes that the process holds now.
    pub memory_used: &'d (dyn Fn() -> u64 + Sync),
    pub notes: &'d Notes<'d>,
    /// The versions.
    pub programs: &'d [&'d Program],
}

/// Searches to the end. `journal` takes what a next session needs.
pub fn drive(
    coordinator: Coordinator<'_>,
    crew: &Crew<'_>,
    shapes: &[SymbolicInput],
    journal: Option<Box<dyn Write + Send>>,
) -> Summary {
    let shift = Shift {
        crew,
        state: Mutex::new(State {
            coordinator,
            waiting: 0,
            concluded: Concluded::default(),
        }),
        writer: journal.map(|to| Mutex::new(Writer::new(to, shapes))),
        more_work: Condvar::new(),
        over: Condvar::new(),
    };
    std::thread::scope(|scope| {
        for number in 0..crew.workers.max(1) {
            let shift = &shift;
            // Deep terms are walked recursively.
            let thread = std::thread::Builder::new().stack_size(256 << 20);
            let spawned = thread.spawn_scoped(scope, move || shift.work(number));
            spawned.expect("a thread can be started");
        }
        shift.watch();
    });
    let state = shift.state.into_inner().expect("no worker panicked");
    state.coordinator.summary(state.concluded, crew.programs)
}

struct State<'c> {
    coordinator: Coordinator<'c>,
    /// Workers that have nothing to do.
    waiting: usize,
    concluded: Concluded,
}

struct Shift<'s, 'd, 'c> {
    crew: &'s Crew<'d>,
    state: Mutex<State<'c>>,
    writer: Option<Mutex<Writer<'s>>>,
    /// Something may be left to do for workers that wait.
    more_work: Condvar,
    /// The search is over.
    over: Condvar,
}

impl<'c> Shift<'_, '_, 'c> {
    fn lock(&self) -> MutexGuard<'_, State<'c>> {
        self.state.lock().expect("no worker panicked")
    }

    /// Reports progress and watches the budget until the search is over.
    fn watch(&self) {
        let goes_on = |state: &mut State<'_>| {
            let coordinator = &state.coordinator;
            !coordinator.is_over() || coordinator.is_busy()
        };
        let mut state = self.lock();
        while goes_on(&mut state) {
            let until = Instant::now() + PROGRESS_EVERY;
            while goes_on(&mut state) && Instant::now() < until && !self.is_interrupted() {
                (state, _) = self
                    .over
                    .wait_timeout_while(state, LOOK_EVERY, goes_on)
                    .expect("no worker panicked");
            }
            // A search that is over needs no more, whatever it took.
            if goes_on(&mut state) {
                self.check_budget(&mut state.coordinator);
            }
            let progress = state.coordinator.progress();
            drop(state);
            self.crew.notes.observer().progress(&progress);
            state = self.lock();
        }
        self.more_work.notify_all();
    }

    /// Whether somebody wants the search to stop, and it does not yet.
    fn is_interrupted(&self) -> bool {
        let flag = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        flag(self.crew.interrupt) && !flag(self.crew.leave)
    }

    /// Notes a stop if the budget is used up.
    fn check_budget(&self, coordinator: &mut Coordinator<'_>) {
        let stop = match self.crew.interrupt.load(Ordering::Relaxed) {
            true => Some(Stop::Interrupted),
            false => coordinator.used_up(self.crew.memory_used),
        };
        let Some(stop) = stop else {
            return;
        };
        if stop != Stop::Runs {
            // What is under way may take long.
            self.crew.leave.store(true, Ordering::Relaxed);
        }
        coordinator.stop(stop);
    }

    /// The life of one worker.
    fn work(&self, number: usize) {
        let mut executor = (self.crew.executor)(number);
        let mut state = self.lock();
        loop {
            if state.coordinator.is_over() {
                break;
            }
            let Some((ticket, order)) = state.coordinator.next(number) else {
                state.waiting += 1;
                state = self.more_work.wait(state).expect("no worker panicked");
                state.waiting -= 1;
                continue;
            };
            drop(state);
            let mut next = Some(order);
            while let Some(order) = next {
                let ends_all = EndsAll(self);
                let reply = executor.perform(order);
                let mut state = self.lock();
                next = state.coordinator.take(ticket, reply);
                self.stop_if_refused(&mut state.coordinator);
                let has_lines = state.coordinator.has_lines();
                drop(state);
                if has_lines {
                    self.write_lines();
                }
                std::mem::forget(ends_all);
            }
            state = self.lock();
            if state.waiting > 0 {
                self.more_work.notify_all();
            }
        }
        if number == 0 {
            // All that is known by then counts, also what others are just finding out.
            while state.coordinator.is_busy() {
                state = self.more_work.wait(state).expect("no worker panicked");
            }
            self.crew.leave.store(false, Ordering::Relaxed);
            state.concluded = state.coordinator.conclude(number, &mut *executor);
            self.stop_if_refused(&mut state.coordinator);
        }
        drop(state);
        let layers = executor.perform(Order::of(Job::Statistics)).outcome;
        state = self.lock();
        if let Outcome::Statistics(layers) = layers {
            state.coordinator.add_layers(layers);
        }
        drop(state);
        self.more_work.notify_all();
        self.over.notify_all();
    }

    fn stop_if_refused(&self, coordinator: &mut Coordinator<'_>) {
        if let Some(error) = self.crew.notes.refused() {
            coordinator.stop(Stop::CannotWrite(error));
        }
    }

    /// Writes the lines that wait.
    fn write_lines(&self) {
        let Some(writer) = &self.writer else {
            return;
        };
        let mut writer = writer.lock().expect("no worker panicked");
        let lines = self.lock().coordinator.take_lines();
        if let Err(error) = writer.write(lines) {
            let stop = Stop::CannotWrite(error.to_string());
            self.lock().coordinator.stop(stop);
        }
    }
}

/// A worker that panics must not leave the others waiting for it: then nobody would hear of the panic.
struct EndsAll<'a, 's, 'd, 'c>(&'a Shift<'s, 'd, 'c>);

impl Drop for EndsAll<'_, '_, '_, '_> {
    fn drop(&mut self) {
        // The lock may be poisoned; what is under it is not used any more.
        let state = self.0.state.lock();
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.coordinator.abandon();
        drop(state);
        self.0.more_work.notify_all();
        self.0.over.notify_all();
    }
}
