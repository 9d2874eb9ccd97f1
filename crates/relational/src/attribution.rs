//! Which changes are responsible for a difference: those in the dynamic slice of the observable that differs.
//!
//! Both versions are run on the input with a trace. The criterion is what differs first: of a stream, the bytes of the
//! first line that is not the same; of the end or the exit status, the operation that ended the run. A change is
//! responsible if one of its operations is in the backward slice, by data or control, of either version: the old
//! version shows what a deleted statement used to do.
//!
//! **Output is thin.** Inside a library function that only puts something out, where the buffer is and how far it is
//! filled is left out of the slice: by its code, every byte depends on all that was put out before it. What is
//! put out, and that the function was called, stays in.
//!
//! Slices see what happened, not what did not happen. Where a difference comes from something that neither version
//! did on this input, no change is found here, and the caller falls back on what was executed.

use crate::subject::Version;
use concolic_vm::linux::KernelConfig;
use concolic_vm::observe::{
    DependenceTrace, Instance, Place, Slice, TraceFacts, TraceLimits, Written,
};
use concolic_vm::symbolic::{SymbolicInput, SymbolicLimits, SymbolicRun, SymbolicStartError};
use concolic_vm::{Limits, Program};
use expr::Store;
use program_graphs::externals::is_output;
use program_graphs::{Cfg, PostDominators};
use program_ir::{Callee, EntityRef, Func, Inst};
use search::Observable;
use std::collections::BTreeSet;

/// Memory for the trace of one run.
const TRACE_BYTES: usize = 256 << 20;

/// One version on one input, with what depended on what.
pub struct TracedRun<'p> {
    pub program: &'p Program,
    pub run: SymbolicRun,
    pub trace: DependenceTrace,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

/// Where the ways out of each branch of a program meet, and what of it is library code, for its traces.
pub fn trace_facts(program: &Program, is_library: impl Fn(Func) -> bool) -> TraceFacts {
    let immediate = |func: Func| {
        let function = &program.module().functions[func];
        let tree = PostDominators::of(&Cfg::of(function));
        let blocks = function.blocks.keys();
        blocks.map(|block| tree.immediate(block)).collect()
    };
    TraceFacts::new(program, immediate, is_library)
}

impl<'p> TracedRun<'p> {
    pub fn of(
        version: &Version<'p>,
        facts: &TraceFacts,
        kernel: &KernelConfig,
        limits: Limits,
        input: &SymbolicInput,
    ) -> Result<TracedRun<'p>, SymbolicStartError> {
        let mut store = Store::new();
        let symbolic_limits = SymbolicLimits::default();
        let mut process = version.subject.start(
            version.program,
            &mut store,
            kernel.clone(),
            limits,
            symbolic_limits,
            input,
        )?;
        let (run, trace) = process.run_tracing(&mut store, facts, TraceLimits::bytes(TRACE_BYTES));
        let kernel = process.machine().kernel();
        Ok(TracedRun {
            program: version.program,
            run,
            trace,
            stdout: kernel.stdout().bytes().to_vec(),
            stderr: kernel.stderr().bytes().to_vec(),
        })
    }

    /// What an observable comes from, as far as it differs from the other version's.
    fn criterion(&self, other: &TracedRun<'_>, observables: &[Observable]) -> Vec<Instance> {
        let mut criterion = Vec::new();
        for observable in observables {
            match observable {
                Observable::Stdout => criterion.extend(self.line(1, &self.stdout, &other.stdout)),
                Observable::Stderr => criterion.extend(self.line(2, &self.stderr, &other.stderr)),
                Observable::File(_) => {
                    let written = self.trace.written.iter();
                    let to_files = written.filter(|written| written.descriptor > 2);
                    criterion.extend(to_files.filter_map(|written| self.source(written)));
                }
                Observable::End | Observable::ExitStatus | Observable::Returned => {
                    criterion.extend(self.trace.last);
                }
            }
        }
        criterion
    }

    /// The writers of the first line that differs, from the first byte that does.
    fn line(&self, descriptor: u32, own: &[u8], other: &[u8]) -> Vec<Instance> {
        let first = own.iter().zip(other).take_while(|(a, b)| a == b).count();
        let rest = own.get(first..).unwrap_or(&[]);
        let end = rest.iter().position(|&byte| byte == b'\n');
        let end = first + end.map_or(rest.len(), |end| end + 1);
        let (first, end) = (first as u64, end as u64);
        let written = self.trace.written.iter();
        let inside = written.filter(|written| {
            written.descriptor == descriptor
                && written.offset < end
                && written.offset + written.length > first
        });
        inside.filter_map(|written| self.source(written)).collect()
    }

    /// What wrote the bytes that a system call then put out.
    fn source(&self, written: &Written) -> Option<Instance> {
        let mut place = self.trace.at();
        // The call itself comes first.
        let data = place.step(written.instance).data.get(1);
        data.map(|edge| edge.writer)
    }

    /// Whether a library function was called here that only puts something out.
    fn is_output(&self, calls: &mut Place<'_>, call: Instance) -> bool {
        let module = self.program.module();
        let call = calls.place(self.program, call);
        let call = call.and_then(|(func, inst)| module.functions[func].insts[inst].data.call());
        match call.map(|call| &call.callee) {
            Some(Callee::Direct(callee)) => is_output(&module.functions[*callee].name),
            _ => false,
        }
    }

    fn backward_slice(&self, criterion: Vec<Instance>) -> Slice {
        let mut slice = Slice::new(self.trace.len());
        criterion
            .into_iter()
            .for_each(|instance| slice.insert(instance));
        let mut walk = self.trace.backwards();
        let mut calls = self.trace.at();
        while let Some(step) = walk.next() {
            if !slice.contains(step.instance) {
                continue;
            }
            match step.library_call {
                Some(call) if self.is_output(&mut calls, call) => {
                    let values = step.data.iter().filter(|edge| edge.is_value());
                    values.for_each(|edge| slice.insert(edge.writer));
                    slice.insert(call);
                }
                _ => {
                    step.data.iter().for_each(|edge| slice.insert(edge.writer));
                    slice.insert(step.control);
                }
            }
        }
        slice
    }

    /// The instructions in the backward slice of what differs.
    pub fn responsible(
        &self,
        other: &TracedRun<'_>,
        observables: &[Observable],
    ) -> BTreeSet<(Func, Inst)> {
        let slice = self.backward_slice(self.criterion(other, observables));
        let mut place = self.trace.at();
        let operations: BTreeSet<u32> = slice
            .iter()
            .map(|instance| place.step(instance).operation)
            .collect();
        let places = operations.into_iter().map(|operation| {
            let site = self.program.site_of_operation(operation);
            let inst = self.program.inst_at(site)?;
            Some((Func::new(site.function as usize), inst))
        });
        places.flatten().collect()
    }
}
