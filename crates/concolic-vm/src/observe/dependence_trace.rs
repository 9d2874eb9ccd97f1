//! The dependence trace of a run: its statement instances and what each depended on.
//!
//! An *instance* is one execution of one operation. It has
//! - **data dependences**: the instances that wrote the registers it read and, byte by byte, the memory;
//! - a **control dependence** (Xin and Zhang's online form of the static definition): the latest instance of a
//!   branch, in the same activation, between which and its immediate post-dominator the instance lies; outside of
//!   all branches, the call that made the activation.
//!
//! Instances are numbered from 1 in the order of execution, so everything an instance depends on has a smaller
//! number and a slice is one walk backwards. Number 0 is "nothing": constants and the state at the start.
//!
//! What leaves the program byte by byte (`write`) has one instance for each stretch of bytes with the same writer,
//! and so has what is copied: copying does not make a byte depend on its neighbours.

use super::slice::Slice;
use crate::program::Program;
use crate::site::CodeSite;
use expr::ExprId;
use program_ir::{EntityRef, Func, Inst};

/// One execution of one operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Instance(pub u32);

impl Instance {
    /// The state before the first operation.
    pub const NONE: Instance = Instance(0);
}

/// A stretch of bytes that the program wrote to a file descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    pub descriptor: u32,
    /// Position among all bytes written to the descriptor.
    pub offset: u64,
    pub length: u64,
    pub instance: Instance,
}

#[derive(Clone, Debug, Default)]
pub struct DependenceTrace {
    /// By instance: the operation, counted through the program.
    pub(super) operations: Vec<u32>,
    /// By instance: the operation of the program's own code that counts as doing it.
    pub(super) actors: Vec<u32>,
    /// By instance: where its data dependences end in `data`.
    pub(super) data_ends: Vec<u32>,
    pub(super) data: Vec<Instance>,
    /// Through which register each data dependence goes, in the register file; [`DependenceTrace::MEMORY`] if it
    /// goes another way.
    pub(super) through: Vec<u32>,
    /// By instance: the first register of its frame.
    pub(super) bases: Vec<u32>,
    /// By instance: in library code, the call of the program's own code that led there.
    pub(super) library_calls: Vec<Instance>,
    pub(super) control: Vec<Instance>,
    /// The result: the low word. For a branch, where it went; for a store, what was stored.
    pub(super) values: Vec<u64>,
    /// The term that the result equals, 0 if there is none.
    pub(super) terms: Vec<u32>,
    /// What an instance decided or took as it is. One condition may be met several times.
    pub conditions: Vec<(Instance, ExprId)>,
    pub written: Vec<Written>,
    /// The instances that read memory, in order, each with the oldest writer of what it read.
    pub reads: Vec<(Instance, Instance)>,
    /// The instance that ended the run.
    pub last: Option<Instance>,
    /// More instances than are kept were executed; what came after is missing.
    pub cut_off: bool,
}

impl DependenceTrace {
    /// The actor of library code that no own code led to: before `main` and after it.
    pub const NO_ACTOR: u32 = u32::MAX;
    /// A dependence that goes through no register.
    pub const MEMORY: u32 = u32::MAX;
    /// The dependence of a stretch of bytes on the operation that copies or puts out all of them.
    pub(super) const OPERATION: u32 = u32::MAX - 1;
    /// Marks a register that holds the address of an access.
    pub(super) const ADDRESS: u32 = 1 << 31;

    /// Instances, and number 0.
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    pub fn instances(&self) -> impl DoubleEndedIterator<Item = Instance> + use<> {
        (1..self.len() as u32).map(Instance)
    }

    pub fn site(&self, program: &Program, instance: Instance) -> CodeSite {
        program.site_of_operation(self.operations[instance.0 as usize])
    }

    /// The operation counted through the program; see [`Program::operation_number`].
    pub fn operation(&self, instance: Instance) -> u32 {
        self.operations[instance.0 as usize]
    }

    /// As [`DependenceTrace::operation`], of the program's own code that counts as doing it: for library code, the
    /// call that led there.
    pub fn actor(&self, instance: Instance) -> u32 {
        self.actors[instance.0 as usize]
    }

    pub fn place(&self, program: &Program, instance: Instance) -> Option<(Func, Inst)> {
        let site = self.site(program, instance);
        let inst = program.inst_at(site)?;
        Some((Func::new(site.function as usize), inst))
    }

    pub fn data(&self, instance: Instance) -> &[Instance] {
        let index = instance.0 as usize;
        let start = match index {
            0 => 0,
            _ => self.data_ends[index - 1],
        };
        &self.data[start as usize..self.data_ends[index] as usize]
    }

    /// The data dependences that go through registers, each with the register.
    pub fn registers_read(&self, instance: Instance) -> impl Iterator<Item = (u32, Instance)> + '_ {
        let end = self.data_ends[instance.0 as usize] as usize;
        let start = end - self.data(instance).len();
        let through = self.through[start..end].iter().copied();
        let all = through.zip(self.data(instance).iter().copied());
        all.filter(|read| read.0 < DependenceTrace::OPERATION)
            .map(|(register, writer)| (register & !DependenceTrace::ADDRESS, writer))
    }

    /// The data dependences without those of addresses and lengths: where values come from, not where they lie.
    pub fn values_read(&self, instance: Instance) -> impl Iterator<Item = Instance> + '_ {
        let end = self.data_ends[instance.0 as usize] as usize;
        let data = self.data(instance);
        let through = &self.through[end - data.len()..end];
        let is_value = |through: u32| {
            through == DependenceTrace::MEMORY || through & DependenceTrace::ADDRESS == 0
        };
        let all = through.iter().zip(data);
        all.filter(move |&(&through, _)| is_value(through))
            .map(|(_, &writer)| writer)
    }

    /// The first register of the frame.
    pub fn frame(&self, instance: Instance) -> u32 {
        self.bases[instance.0 as usize]
    }

    /// In library code, the call of the program's own code that led there.
    pub fn library_call(&self, instance: Instance) -> Option<Instance> {
        let call = self.library_calls[instance.0 as usize];
        (call != Instance::NONE).then_some(call)
    }

    pub fn control(&self, instance: Instance) -> Option<Instance> {
        let parent = self.control[instance.0 as usize];
        (parent != Instance::NONE).then_some(parent)
    }

    pub fn value(&self, instance: Instance) -> u64 {
        self.values[instance.0 as usize]
    }

    pub fn term(&self, instance: Instance) -> Option<ExprId> {
        ExprId::from_raw(self.terms[instance.0 as usize])
    }

    /// Everything that the given instances depended on, by data or control, and they themselves.
    pub fn backward_slice(&self, from: impl IntoIterator<Item = Instance>) -> Slice {
        self.slice_backwards(from, |_, _| false)
    }

    /// The same with further dependences: `more` is asked of every instance, the latest first, whether it is in
    /// the slice so far; it says whether the instance belongs to it for other reasons.
    pub fn slice_backwards(
        &self,
        from: impl IntoIterator<Item = Instance>,
        mut more: impl FnMut(Instance, bool) -> bool,
    ) -> Slice {
        let mut slice = Slice::new(self.len());
        let mut highest = 0;
        for instance in from {
            slice.insert(instance);
            highest = highest.max(instance.0);
        }
        for index in (1..=highest).rev() {
            let instance = Instance(index);
            let contained = slice.contains(instance);
            if more(instance, contained) || contained {
                slice.insert(instance);
                slice.insert(self.control[index as usize]);
                for &dependence in self.data(instance) {
                    slice.insert(dependence);
                }
            }
        }
        slice
    }

    /// Everything that depends on the given instances, and they themselves.
    pub fn forward_slice(&self, from: impl IntoIterator<Item = Instance>) -> Slice {
        let mut slice = Slice::new(self.len());
        let mut lowest = u32::MAX;
        for instance in from {
            slice.insert(instance);
            lowest = lowest.min(instance.0);
        }
        for index in lowest..self.len() as u32 {
            let instance = Instance(index);
            let control = self.control[index as usize];
            let depends =
                slice.contains(control) || self.data(instance).iter().any(|&on| slice.contains(on));
            if depends {
                slice.insert(instance);
            }
        }
        slice
    }

    /// A new instance; its data dependences are the ones pushed since the last.
    pub(super) fn push(
        &mut self,
        operation: u32,
        (actor, library_call): (u32, Instance),
        base: u32,
        control: Instance,
    ) -> Instance {
        let instance = Instance(self.operations.len() as u32);
        self.operations.push(operation);
        self.actors.push(actor);
        self.library_calls.push(library_call);
        self.bases.push(base);
        self.data_ends.push(self.data.len() as u32);
        self.control.push(control);
        self.values.push(0);
        self.terms.push(0);
        instance
    }

    pub(super) fn set_result(&mut self, instance: Instance, value: u64, term: u32) {
        self.values[instance.0 as usize] = value;
        self.terms[instance.0 as usize] = term;
    }

    /// Bytes that the trace holds.
    pub fn memory(&self) -> usize {
        let per_instance = size_of::<u32>() * 7 + size_of::<u64>();
        self.operations.capacity() * per_instance
            + self.data.capacity() * 2 * size_of::<Instance>()
            + self.conditions.capacity() * size_of::<(Instance, ExprId)>()
            + self.written.capacity() * size_of::<Written>()
    }
}
