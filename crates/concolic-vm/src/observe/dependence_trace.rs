//! The dependence trace of a run: its statement instances and what each depended on.
//!
//! An *instance* is one execution of one operation. It has
//! - **data dependences**: the instances that wrote the registers it read and, byte by byte, the memory;
//! - a **control dependence** (Xin and Zhang's online form of the static definition): the latest instance of a
//!   branch, in the same activation, between which and its immediate post-dominator the instance lies; outside of
//!   all branches, the call that made the activation.
//!
//! Instances are numbered from 1 in the order of execution, so everything an instance depends on has a smaller
//! number and a slice is one walk backwards ([`DependenceTrace::backwards`]). Number 0 is "nothing": constants and
//! the state at the start.
//!
//! What leaves the program byte by byte (`write`) has one instance for each stretch of bytes with the same writer,
//! and so has what is copied: copying does not make a byte depend on its neighbours.
//!
//! A trace is kept in few bytes ([`super::trace_code`]) and meant to be walked. Who looks at instances in any order
//! unpacks it first ([`DependenceTrace::unpacked`]). Values and terms of results are kept only if asked for.

use super::instance::{Activation, Edge, Instance};
use super::trace_code::{Chunk, Code, Head};
use crate::program::Program;
use crate::site::CodeSite;
use expr::ExprId;
use program_ir::{EntityRef, Func, Inst};

/// Calls in one another that a branch might lead to had it gone another way, as far as anybody asks.
pub const SPARE_CALLS: u32 = 16;

/// A stretch of bytes that the program wrote to a file descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    pub descriptor: u32,
    /// Position among all bytes written to the descriptor.
    pub offset: u64,
    pub length: u64,
    pub instance: Instance,
}

/// What is kept of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceLimits {
    /// More instances are cut off.
    pub instances: usize,
    /// Once the trace and what it takes to record it need more memory, the rest is cut off.
    pub bytes: usize,
    /// Whether the values and terms of results are kept: 12 bytes an instance.
    pub results: bool,
}

impl TraceLimits {
    /// As much as fits into so many bytes, without results.
    pub fn bytes(bytes: usize) -> TraceLimits {
        TraceLimits {
            instances: u32::MAX as usize - 1,
            bytes,
            results: false,
        }
    }
}

/// One instance, as a walk meets it.
#[derive(Clone, Copy, Debug)]
pub struct TraceEntry<'t> {
    pub instance: Instance,
    /// The operation counted through the program; see [`Program::operation_number`].
    pub operation: u32,
    /// In library code, the call of the program's own code that led there.
    pub library_call: Option<Instance>,
    /// The first register of the frame.
    pub frame: u32,
    /// [`Instance::NONE`] if there is none.
    pub control: Instance,
    /// Of a branch on a condition: whether it holds.
    pub way: bool,
    /// If memory was read, the oldest writer of what was read.
    pub oldest_read: Option<Instance>,
    /// In the order of the operands, without those that nobody wrote.
    pub data: &'t [Edge],
}

#[derive(Clone, Debug, Default)]
pub struct DependenceTrace {
    pub(super) code: Code,
    pub(super) activations: Vec<Activation>,
    /// By instance, if kept: the result's low word. For a branch, where it went; for a store, what was stored.
    pub(super) values: Vec<u64>,
    /// By instance, if kept: the term that the result equals, 0 if there is none.
    pub(super) terms: Vec<u32>,
    /// What an instance decided or concretised. One condition may be met several times.
    pub conditions: Vec<(Instance, ExprId)>,
    /// Instances that concretised a value of the input: from there on nothing shows that it depends on the input.
    pub taken: Vec<Instance>,
    pub written: Vec<Written>,
    /// The instance that ended the run.
    pub last: Option<Instance>,
    /// More was executed than is kept; what came after is missing.
    pub cut_off: bool,
    /// Whether there was room for [`SPARE_CALLS`] more calls at every branch.
    pub has_room: bool,
    /// Whether what system calls read of the program's memory is known.
    pub is_followed: bool,
    /// Registers that the register file had at most.
    pub registers: usize,
    /// Bytes that recording took at most, beside the trace itself.
    pub recording: usize,
}

impl DependenceTrace {
    /// Instances, and number 0.
    pub fn len(&self) -> usize {
        self.code.count as usize + 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    pub fn instances(&self) -> impl DoubleEndedIterator<Item = Instance> + use<> {
        (1..self.len() as u32).map(Instance)
    }

    /// A walk from the latest instance to the first.
    pub fn backwards(&self) -> Backwards<'_> {
        Backwards {
            place: Place::new(self),
            next: self.len() as u32,
        }
    }

    /// For looking at single instances; near ones are found fast.
    pub fn at(&self) -> Place<'_> {
        Place::new(self)
    }

    /// A new instance.
    pub(super) fn push(&mut self, head: &Head, edges: impl Iterator<Item = Edge>) -> Instance {
        let base = self.activations[head.activation as usize].base;
        self.code.push(head, base, edges);
        Instance(self.code.count)
    }

    /// Bytes that the trace holds.
    pub fn memory(&self) -> usize {
        self.code.memory()
            + self.activations.capacity() * size_of::<Activation>()
            + self.values.capacity() * size_of::<u64>()
            + self.terms.capacity() * size_of::<u32>()
            + self.conditions.capacity() * size_of::<(Instance, ExprId)>()
            + self.taken.capacity() * size_of::<Instance>()
            + self.written.capacity() * size_of::<Written>()
    }
}

/// Looks at single instances of a trace; the neighbours of the last one are at hand.
pub struct Place<'t> {
    trace: &'t DependenceTrace,
    chunk: Chunk,
    number: usize,
}

impl<'t> Place<'t> {
    fn new(trace: &'t DependenceTrace) -> Place<'t> {
        Place {
            trace,
            chunk: Chunk::default(),
            number: usize::MAX,
        }
    }

    /// Must not be asked for number 0.
    #[inline]
    pub fn step(&mut self, instance: Instance) -> TraceEntry<'_> {
        let number = Chunk::number_of(instance);
        if number != self.number {
            self.chunk
                .read(&self.trace.code, number, &self.trace.activations);
            self.number = number;
        }
        let (head, data) = self.chunk.get(instance);
        let activation = &self.trace.activations[head.activation as usize];
        TraceEntry {
            instance,
            operation: head.operation,
            library_call: activation
                .library_call
                .filter(|call| *call != Instance::NONE),
            frame: activation.base,
            control: head.control,
            way: head.way,
            oldest_read: head.oldest_read,
            data,
        }
    }

    pub fn site(&mut self, program: &Program, instance: Instance) -> CodeSite {
        program.site_of_operation(self.step(instance).operation)
    }

    /// The instruction, if the operation comes from one.
    pub fn place(&mut self, program: &Program, instance: Instance) -> Option<(Func, Inst)> {
        let site = self.site(program, instance);
        let inst = program.inst_at(site)?;
        Some((Func::new(site.function as usize), inst))
    }
}

/// A walk from the latest instance to the first.
pub struct Backwards<'t> {
    place: Place<'t>,
    next: u32,
}

impl Backwards<'_> {
    /// The instance before.
    #[inline]
    #[expect(
        clippy::should_implement_trait,
        reason = "what it gives is borrowed from the walk"
    )]
    pub fn next(&mut self) -> Option<TraceEntry<'_>> {
        self.next -= 1;
        match self.next {
            0 => {
                self.next = 1;
                None
            }
            instance => Some(self.place.step(Instance(instance))),
        }
    }
}
