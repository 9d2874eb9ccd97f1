//! Records a [`DependenceTrace`] while a program runs.
//!
//! Beside each register and each byte of memory stands the instance that wrote it last.
//!
//! **The kernel** is one more place where data goes: a system call depends on the calls before it. Reading
//! standard input and writing the two output streams each depend only on calls of their own and on those
//! that are neither, until a descriptor is duplicated or a standard one closed: from then on, all on all.

use super::dependence_trace::{DependenceTrace, SPARE_CALLS, TraceLimits, Written};
use super::instance::{Activation, Edge, Instance};
use super::last_writers::LastWriters;
use super::trace_code::Head;
use crate::builtins::Builtin;
use crate::linux::syscall_table::number;
use crate::machine::Machine;
use crate::memory::{Address, object_of, offset_of};
use crate::monitor::{At, Place};
use crate::op::{CallSite, Operand, PureKind, PureOp, Reg};
use crate::program::Program;
use program_ir::{Block, EntityRef, Func};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What a trace needs to know of the program's text.
#[derive(Clone, Debug, Default)]
pub struct TraceFacts {
    /// Where the ways out of a branch meet again, by function and block: the first operation of the immediate
    /// post-dominator.
    meeting_points: Vec<Vec<u32>>,
    /// Functions whose work counts as done by the call in the program's own code that led to them.
    is_library: Vec<bool>,
}

const NOWHERE: u32 = u32::MAX;

/// System calls that read no more of the program's memory than what their arguments point to, and the vectors of `readv` and
/// `writev`.
const FLAT_CALLS: [u64; 61] = [
    number::read,
    number::write,
    number::open,
    number::close,
    number::stat,
    number::fstat,
    number::lstat,
    number::poll,
    number::lseek,
    number::mmap,
    number::mprotect,
    number::munmap,
    number::brk,
    number::rt_sigprocmask,
    number::ioctl,
    number::pread64,
    number::pwrite64,
    number::readv,
    number::writev,
    number::access,
    number::pipe,
    number::dup,
    number::dup2,
    number::nanosleep,
    number::getpid,
    number::exit,
    number::uname,
    number::fcntl,
    number::truncate,
    number::ftruncate,
    number::getcwd,
    number::chdir,
    number::rename,
    number::mkdir,
    number::rmdir,
    number::unlink,
    number::readlink,
    number::chmod,
    number::umask,
    number::gettimeofday,
    number::getuid,
    number::getgid,
    number::geteuid,
    number::getegid,
    number::getppid,
    number::arch_prctl,
    number::gettid,
    number::time,
    number::futex,
    number::set_tid_address,
    number::fadvise64,
    number::clock_gettime,
    number::exit_group,
    number::openat,
    number::mkdirat,
    number::newfstatat,
    number::unlinkat,
    number::dup3,
    number::pipe2,
    number::getrandom,
    number::statx,
];

/// Instances between two looks at the memory in use.
const BETWEEN_LOOKS: usize = 1 << 12;

impl TraceFacts {
    /// `immediate` gives the immediate post-dominators of a function's blocks.
    pub fn new(
        program: &Program,
        mut immediate: impl FnMut(Func) -> Vec<Option<Block>>,
        is_library: impl Fn(Func) -> bool,
    ) -> TraceFacts {
        let functions: Vec<Func> = program.module().functions.keys().collect();
        let meeting_points = functions.iter().map(|&func| {
            let Some(code) = program.code(func.as_u32()) else {
                return Vec::new();
            };
            let start = |block: Block| code.block_starts[block.index()];
            let blocks = immediate(func).into_iter();
            blocks.map(|block| block.map_or(NOWHERE, start)).collect()
        });
        TraceFacts {
            meeting_points: meeting_points.collect(),
            is_library: functions.iter().map(|&func| is_library(func)).collect(),
        }
    }

    fn meeting_point(&self, program: &Program, function: u32, pc: u32) -> u32 {
        let Some(code) = program.code(function) else {
            return NOWHERE;
        };
        let block = code.block_starts.partition_point(|&start| start <= pc);
        let starts = &self.meeting_points[function as usize];
        starts.get(block - 1).copied().unwrap_or(NOWHERE)
    }
}

/// Something that an instance reads, and who wrote it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Read {
    /// In the register file, or [`Edge::MEMORY`].
    register: u32,
    writer: Instance,
}

impl Read {
    const NOTHING: Read = Read {
        register: Edge::MEMORY,
        writer: Instance::NONE,
    };

    /// The address of an access.
    fn as_address(self) -> Read {
        match self.register {
            Edge::MEMORY => self,
            register => Read {
                register: register | Edge::ADDRESS,
                ..self
            },
        }
    }

    /// What a stretch of bytes has in common with its neighbours.
    fn operation(writer: Instance) -> Read {
        Read {
            register: Edge::OPERATION,
            writer,
        }
    }

    /// A read that is not through a register.
    fn other(writer: Instance) -> Read {
        Read {
            writer,
            ..Read::NOTHING
        }
    }
}

impl Default for Read {
    fn default() -> Read {
        Read::NOTHING
    }
}

/// An activation that has not ended.
struct Frame {
    base: usize,
    function: u32,
    call: Instance,
    /// Among the trace's activations.
    number: u32,
    /// In library code: the call of the program's own code that led here.
    library_call: Option<Instance>,
    /// Branches under way, each with where its ways meet.
    branches: Vec<(u32, Instance)>,
}

/// What is left to note when an operation has had its effect.
enum Effect {
    Nothing,
    /// The register has its result.
    Register(Instance, usize),
    /// These of the variadic arguments are laid out in memory, for the list at this address.
    ArgumentList(Instance, Address, Range<usize>),
    /// The kernel or a builtin may have written memory, and the register has the answer.
    Answer(Instance),
    /// As `Answer`, and the first bytes of the block it gives were copied from elsewhere.
    Moved(Instance, Vec<Run>),
}

/// Some bytes in a row have the same writer.
type Run = (Instance, u64);

pub(crate) struct Tracer<'t> {
    facts: &'t TraceFacts,
    pub(crate) trace: DependenceTrace,
    limits: TraceLimits,
    registers: Vec<Instance>,
    bytes: LastWriters,
    frames: Vec<Frame>,
    call: CallUnderWay,
    /// Writers of variadic arguments, as the machine keeps these.
    arguments: Vec<Instance>,
    effect: Effect,
    /// The latest instance, and the call that led to it if that is in library code.
    current: Instance,
    current_library_call: Option<Instance>,
    /// The first instance of the operation at hand, which its others depend on.
    pub(crate) head: Instance,
    /// The oldest writer of the memory that the next instance reads, if it reads any.
    oldest_read: Option<Instance>,
    /// A buffer that is used for one operation after the other.
    scratch: Vec<Read>,
    kernel: KernelChains,
}

/// A call between the first argument that it passes and the register that takes its result.
#[derive(Default)]
struct CallUnderWay {
    /// Writers of its arguments: parameters, then those of the list.
    passed: Vec<Instance>,
    passed_in_list: Vec<Instance>,
    /// Whether the latest argument is in the list.
    last_in_list: bool,
    /// Writer of the pointer that the call goes through.
    callee: Read,
    /// The call of a builtin that answers next, and what it answered.
    answerer: Instance,
    answer: u64,
    /// The builtin has returned, and the write to the register of its result is next.
    answering: bool,
}

/// The latest system calls.
#[derive(Default)]
struct KernelChains {
    streams: [Instance; 3],
    others: Instance,
    /// A descriptor may stand for another.
    mixed: bool,
    /// Bytes written so far, by descriptor.
    written: FxHashMap<u32, u64>,
}

impl<'t> Tracer<'t> {
    pub(crate) fn new(facts: &'t TraceFacts, limits: TraceLimits) -> Tracer<'t> {
        let mut trace = DependenceTrace {
            has_room: true,
            is_followed: true,
            ..DependenceTrace::default()
        };
        if limits.results {
            trace.values.push(0);
            trace.terms.push(0);
        }
        // Marks point into the trace's bytes with 32 bits.
        let most = u32::MAX as usize - 1;
        Tracer {
            facts,
            trace,
            limits: TraceLimits {
                instances: limits.instances.min(most),
                bytes: limits.bytes.min(most),
                ..limits
            },
            registers: Vec::new(),
            bytes: LastWriters::default(),
            frames: Vec::new(),
            call: CallUnderWay::default(),
            arguments: Vec::new(),
            effect: Effect::Nothing,
            current: Instance::NONE,
            current_library_call: None,
            head: Instance::NONE,
            oldest_read: None,
            scratch: Vec::new(),
            kernel: KernelChains::default(),
        }
    }

    /// Begins the trace of a process.
    pub(crate) fn start(&mut self, m: &mut Machine<'_>) {
        m.memory.written = Some(Vec::new());
        LastWriters::start(&mut m.memory);
        self.registers.resize(m.registers.len(), Instance::NONE);
    }

    /// Ends the trace. `term` gives the shadow word of a register.
    pub(crate) fn finish(
        mut self,
        m: &mut Machine<'_>,
        term: impl Fn(usize) -> u32,
    ) -> DependenceTrace {
        self.settle(m, term);
        m.memory.written = None;
        LastWriters::stop(&mut m.memory);
        self.look_at_memory();
        self.trace.code.shrink();
        self.trace.registers = self.registers.len();
        let last = self.trace.len() - 1;
        self.trace.last = (last > 0).then_some(Instance(last as u32));
        self.trace
    }

    /// Notes the effect of the operation before.
    pub(crate) fn settle(&mut self, m: &mut Machine<'_>, term: impl Fn(usize) -> u32) {
        if self.registers.len() < m.registers.len() {
            self.registers.resize(m.registers.len(), Instance::NONE);
        }
        self.bytes.forget_ended(&mut m.memory);
        match std::mem::replace(&mut self.effect, Effect::Nothing) {
            Effect::Nothing => m.memory.forget_written(),
            Effect::Register(instance, register) => {
                m.memory.forget_written();
                if self.limits.results {
                    self.set_result(instance, m.registers[register], term(register));
                }
            }
            Effect::Answer(instance) => self.kernel_wrote(m, instance),
            Effect::Moved(instance, writers) => {
                self.kernel_wrote(m, instance);
                self.put(m, self.call.answer, &writers);
            }
            Effect::ArgumentList(instance, list, arguments) => {
                self.argument_list(m, instance, list, arguments);
            }
        }
    }

    fn set_result(&mut self, instance: Instance, value: u64, term: u32) {
        if self.limits.results {
            self.trace.values[instance.0 as usize] = value;
            self.trace.terms[instance.0 as usize] = term;
        }
    }

    fn kernel_wrote(&mut self, m: &mut Machine<'_>, instance: Instance) {
        let written = m.memory.written.as_mut().map(std::mem::take);
        for (address, length) in written.unwrap_or_default() {
            self.write(m, address, length, instance);
        }
    }

    /// `va_start` has put the arguments into memory, in the order and with the gaps of the System V list.
    fn argument_list(
        &mut self,
        m: &mut Machine<'_>,
        instance: Instance,
        list: Address,
        arguments: Range<usize>,
    ) {
        self.kernel_wrote(m, instance);
        let Ok(area) = m.memory.load::<8>(list.wrapping_add(8)) else {
            return;
        };
        let area = Address::from_le_bytes(area);
        let before = arguments.start;
        let mut offset = 0;
        let machine_arguments: Vec<(bool, bool)> = m.stack.varargs[arguments]
            .iter()
            .map(|argument| (argument.aligned, argument.wide))
            .collect();
        for (index, (aligned, wide)) in machine_arguments.into_iter().enumerate() {
            if aligned {
                offset = u64::next_multiple_of(offset, 16);
            }
            let length = if wide { 16 } else { 8 };
            let writer = self
                .arguments
                .get(before + index)
                .copied()
                .unwrap_or_default();
            self.write(m, area.wrapping_add(offset), length, writer);
            offset += length;
        }
    }

    // Instances.

    /// A new instance of the operation at hand with these data dependences.
    pub(crate) fn instance(&mut self, m: &Machine<'_>, at: At, data: &[Read]) -> Instance {
        self.instance_with(m, at, data, false)
    }

    /// The same; of a branch, `way` says whether its condition holds.
    fn instance_with(&mut self, m: &Machine<'_>, at: At, data: &[Read], way: bool) -> Instance {
        let count = self.trace.len();
        if count.is_multiple_of(BETWEEN_LOOKS) {
            self.look_at_memory();
        }
        if self.trace.cut_off || count >= self.limits.instances {
            self.trace.cut_off = true;
            return Instance::NONE;
        }
        let frame = self.frame(at);
        while frame
            .branches
            .last()
            .is_some_and(|branch| branch.0 == at.pc)
        {
            frame.branches.pop();
        }
        let branch = frame.branches.last();
        let control = branch.map_or(frame.call, |branch| branch.1);
        let (activation, library_call) = (frame.number, frame.library_call);
        let operation = m.program.operation_starts[at.function as usize] as u32 + at.pc;
        let head = Head {
            operation,
            activation,
            control,
            way,
            oldest_read: self.oldest_read.take(),
        };
        let mut last = Read::NOTHING;
        let edges = data.iter().filter_map(|&read| {
            let is_new = read.writer != Instance::NONE && read != last;
            is_new.then(|| {
                last = read;
                Edge {
                    through: read.register,
                    writer: read.writer,
                }
            })
        });
        self.current = self.trace.push(&head, edges);
        if self.limits.results {
            self.trace.values.push(0);
            self.trace.terms.push(0);
        }
        self.current_library_call = library_call;
        self.head = self.current;
        self.current
    }

    /// Cuts the trace off if there is no room for more.
    #[cold]
    fn look_at_memory(&mut self) {
        let recording = self.bytes.memory + self.registers.len() * size_of::<Instance>();
        self.trace.recording = self.trace.recording.max(recording);
        if self.trace.memory() + recording > self.limits.bytes {
            self.trace.cut_off = true;
            self.bytes = LastWriters::default();
        }
    }

    /// The call of the program's own code behind the latest instance: itself, or the one that led to it.
    fn leading_call(&self) -> Instance {
        let call = self.current_library_call;
        call.filter(|call| *call != Instance::NONE)
            .unwrap_or(self.current)
    }

    fn frame(&mut self, at: At) -> &mut Frame {
        while self.frames.last().is_some_and(|top| top.base > at.base) {
            self.frames.pop();
        }
        let known = self.frames.last();
        if !known.is_some_and(|top| top.base == at.base && top.function == at.function) {
            if known.is_some_and(|top| top.base == at.base) {
                self.frames.pop();
            }
            let is_library = self.facts.is_library[at.function as usize];
            let library_call = is_library.then(|| self.leading_call());
            let number = self.trace.activations.len() as u32;
            self.trace.activations.push(Activation {
                base: at.base as u32,
                library_call,
            });
            self.frames.push(Frame {
                base: at.base,
                function: at.function,
                call: self.current,
                number,
                library_call,
                branches: Vec::new(),
            });
        }
        self.frames.last_mut().expect("just made")
    }

    /// An instance whose result goes to a register.
    fn defines(&mut self, m: &Machine<'_>, at: At, to: Reg, words: u32, data: &[Read]) {
        let instance = self.instance(m, at, data);
        let first = at.base + to as usize;
        self.registers[first..first + words as usize].fill(instance);
        self.effect = Effect::Register(instance, first);
    }

    fn register(&self, at: At, operand: Operand) -> Read {
        match operand.0 < 0 {
            true => Read::NOTHING,
            false => self.register_at(operand.index(at.base)),
        }
    }

    fn register_at(&self, index: usize) -> Read {
        Read {
            register: index as u32,
            writer: self.registers.get(index).copied().unwrap_or_default(),
        }
    }

    // Memory.

    /// The writers of a stretch of memory, each run of the same one once.
    fn writers(&self, address: Address, length: u64) -> Vec<Run> {
        let mut runs = Vec::new();
        self.bytes.runs(address, length, |writer, count| {
            runs.push((Instance(writer), count));
        });
        runs
    }

    /// Adds the writers of a stretch that the next instance reads.
    #[inline]
    fn read(&mut self, address: Address, length: u64, data: &mut Vec<Read>) {
        let mut oldest = self.oldest_read;
        self.bytes.runs(address, length, |writer, _| {
            let writer = Instance(writer);
            data.push(Read::other(writer));
            oldest = Some(oldest.map_or(writer, |oldest| writer.min(oldest)));
        });
        self.oldest_read = oldest;
    }

    #[inline]
    fn write(&mut self, m: &Machine<'_>, address: Address, length: u64, instance: Instance) {
        let length = LastWriters::within(&m.memory, address, length);
        // A large stretch may take more than there is left.
        if length > BETWEEN_LOOKS as u64
            && self.bytes.memory as u64 + 4 * length > self.limits.bytes as u64
        {
            self.trace.cut_off = true;
        }
        if !self.trace.cut_off {
            self.bytes.fill(&m.memory, address, length, instance.0);
        }
    }

    fn put(&mut self, m: &Machine<'_>, mut address: Address, runs: &[Run]) {
        for &(writer, length) in runs {
            self.write(m, address, length, writer);
            address = address.wrapping_add(length);
        }
    }

    /// The stretch that an access may touch: with an address that depends on the input, its whole object.
    fn reach(m: &Machine<'_>, address: Address, length: u64, symbolic: bool) -> (Address, u64) {
        let info = m.memory.info(object_of(address)).filter(|_| symbolic);
        match info {
            Some(info) => (
                address - u64::from(offset_of(address)),
                u64::from(info.size),
            ),
            None => (address, length),
        }
    }

    pub(crate) fn load(&mut self, m: &Machine<'_>, at: At, to: Reg, place: Place, symbolic: bool) {
        let (address, length) = target(m, at, place);
        let (address, length) = Self::reach(m, address, length, symbolic);
        let mut data = self.scratch();
        data.push(self.register(at, place.address).as_address());
        self.read(address, length, &mut data);
        let words = 1 + u32::from(place.width > 64);
        self.defines(m, at, to, words, &data);
        self.scratch = data;
    }

    pub(crate) fn store(
        &mut self,
        m: &Machine<'_>,
        at: At,
        value: Operand,
        place: Place,
        symbolic: bool,
        term: u32,
    ) {
        let (address, length) = target(m, at, place);
        let (address, length) = Self::reach(m, address, length, symbolic);
        let mut data = self.scratch();
        data.push(self.register(at, place.address).as_address());
        data.push(self.register(at, value));
        if place.width > 64 {
            data.push(self.register(at, value.high()));
        }
        if symbolic {
            // What is not overwritten stays as it was.
            self.read(address, length, &mut data);
        }
        let instance = self.instance(m, at, &data);
        self.scratch = data;
        self.set_result(instance, m.registers[value.index(at.base)], term);
        self.write(m, address, length, instance);
    }

    pub(crate) fn copy_memory(
        &mut self,
        m: &Machine<'_>,
        at: At,
        [to, from, length]: [Operand; 3],
    ) {
        let operands = [to, from, length].map(|operand| self.register(at, operand));
        let get = |operand: Operand| m.registers[operand.index(at.base)];
        let writers = self.copied(m, at, get(from), get(length), &operands);
        self.put(m, get(to), &writers);
    }

    /// An instance for each stretch of bytes with the same writer; these are the new writers.
    fn copied(
        &mut self,
        m: &Machine<'_>,
        at: At,
        from: Address,
        length: u64,
        operands: &[Read],
    ) -> Vec<Run> {
        let length = LastWriters::within(&m.memory, from, length);
        let head = self.instance(m, at, operands);
        let mut runs = self.writers(from, length);
        for run in &mut runs {
            self.oldest_read = Some(run.0);
            run.0 = self.instance(m, at, &[Read::operation(head), Read::other(run.0)]);
        }
        self.head = head;
        runs
    }

    pub(crate) fn set_memory(&mut self, m: &Machine<'_>, at: At, [to, byte, length]: [Operand; 3]) {
        let data = [to, byte, length].map(|operand| self.register(at, operand));
        let instance = self.instance(m, at, &data);
        let get = |operand: Operand| m.registers[operand.index(at.base)];
        self.write(m, get(to), get(length), instance);
    }

    /// An empty list, to be given back to `self.scratch`.
    #[inline]
    fn scratch(&mut self) -> Vec<Read> {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        scratch
    }

    // Computations.

    pub(crate) fn compute(
        &mut self,
        m: &Machine<'_>,
        at: At,
        to: Reg,
        words: u32,
        operands: &[Operand],
    ) {
        let mut data = [Read::NOTHING; 8];
        for (slot, &operand) in data.iter_mut().zip(operands) {
            *slot = self.register(at, operand);
        }
        self.defines(m, at, to, words, &data[..operands.len().min(8)]);
    }

    pub(crate) fn pure(&mut self, m: &Machine<'_>, at: At, op: &PureOp) {
        let count = match op.kind {
            PureKind::Unary(_) | PureKind::FloatClass(_) | PureKind::Cast(_) => 1,
            PureKind::Ternary(_) => 3,
            _ => 2,
        };
        let mut operands = [op.args[0]; 6];
        operands[..count].copy_from_slice(&op.args[..count]);
        let mut all = count;
        if op.ty.is_wide() {
            for &operand in &op.args[..count] {
                operands[all] = operand.high();
                all += 1;
            }
        }
        let words = 1
            + u32::from(op.result.is_wide())
            + u32::from(matches!(op.kind, PureKind::Overflow(_)));
        self.compute(m, at, op.to, words, &operands[..all]);
    }

    pub(crate) fn update_memory(
        &mut self,
        m: &Machine<'_>,
        at: At,
        width: u8,
        to: Reg,
        words: u32,
        operands: &[Operand],
    ) {
        let place = Place {
            width,
            address: operands[0],
            offset: 0,
        };
        let (address, length) = target(m, at, place);
        let mut data: Vec<Read> = operands
            .iter()
            .map(|&operand| self.register(at, operand))
            .collect();
        self.read(address, length, &mut data);
        self.defines(m, at, to, words, &data);
        let instance = self.current;
        self.write(m, address, length, instance);
    }

    // Control.

    /// A branch that goes to `target`; 1 and 0 stand for the two ways out of a branch on a condition.
    pub(crate) fn branches(&mut self, m: &Machine<'_>, at: At, operands: &[Operand], target: u64) {
        let mut data = [Read::NOTHING; 2];
        for (slot, &operand) in data.iter_mut().zip(operands) {
            *slot = self.register(at, operand);
        }
        let instance = self.instance_with(m, at, &data[..operands.len()], target != 0);
        if instance == Instance::NONE {
            return;
        }
        self.trace.has_room &= m.frames.len() + SPARE_CALLS as usize <= m.limits.depth as usize;
        self.set_result(instance, target, 0);
        let meeting = self.facts.meeting_point(m.program, at.function, at.pc);
        let branches = &mut self.frame(at).branches;
        match branches.last_mut() {
            Some(branch) if branch.0 == meeting => branch.1 = instance,
            _ => branches.push((meeting, instance)),
        }
    }

    /// Control has come to another place of the innermost activation.
    pub(crate) fn arrives(&mut self, function: u32, pc: u32) {
        if let Some(top) = self
            .frames
            .last_mut()
            .filter(|top| top.function == function)
        {
            while top.branches.last().is_some_and(|branch| branch.0 == pc) {
                top.branches.pop();
            }
        }
    }

    // Calls.

    /// A frame was pushed whose parameters are `words`: an instance for each of them, and one for the call.
    pub(crate) fn calls(&mut self, m: &Machine<'_>, at: At, base: usize, words: &[Operand]) {
        for (index, &word) in words.iter().enumerate() {
            let read = self.register(at, word);
            self.registers[base + index] = self.passing(m, at, read);
        }
        self.instance(m, at, &[]);
    }

    fn passing(&mut self, m: &Machine<'_>, at: At, read: Read) -> Instance {
        let instance = self.instance(m, at, &[read]);
        if let Some(&value) = m.registers.get(read.register as usize) {
            self.set_result(instance, value, 0);
        }
        instance
    }

    pub(crate) fn calls_through(&mut self, m: &Machine<'_>, at: At, address: Operand) {
        self.call.callee = self.register(at, address);
        self.instance(m, at, &[self.call.callee]);
    }

    /// A frame was pushed by other means than [`Tracer::calls`]; the caller's stands behind its call.
    pub(crate) fn enters(&mut self, m: &Machine<'_>) {
        let [.., caller, callee] = &m.frames[..] else {
            return;
        };
        let at = At {
            function: caller.function,
            pc: caller.pc - 1,
            base: caller.base,
        };
        let through = std::mem::replace(&mut self.call.callee, Read::NOTHING);
        self.instance(m, at, &[through]);
        self.arguments
            .resize(callee.varargs as usize, Instance::NONE);
        self.arguments.append(&mut self.call.passed_in_list);
    }

    /// The innermost frame passes an argument.
    pub(crate) fn passes(&mut self, m: &Machine<'_>, register: usize, entries: u32, wide: bool) {
        let Some(frame) = m.frames.last() else {
            return;
        };
        let at = At {
            function: frame.function,
            pc: frame.pc - 1,
            base: frame.base,
        };
        self.call.last_in_list = entries > 0;
        // Constants lie before all frames.
        let read = |tracer: &Self, word: usize| match register < at.base {
            true => Read::NOTHING,
            false => tracer.register_at(register + word),
        };
        let words = [read(self, 0), read(self, 1)];
        let words = &words[..1 + usize::from(wide)];
        if entries > 0 {
            let instance = self.instance(m, at, words);
            let more = std::iter::repeat_n(instance, entries as usize);
            self.call.passed_in_list.extend(more);
        } else {
            for &word in words {
                let instance = self.passing(m, at, word);
                self.call.passed.push(instance);
            }
        }
    }

    /// An argument is copied as a whole. What is read stands for the pointer to the copy.
    pub(crate) fn by_value(&mut self, m: &Machine<'_>, at: At, pointer: Operand, size: u64) {
        let mut data = vec![self.register(at, pointer)];
        let address = m.registers[pointer.index(at.base)];
        self.read(address, size, &mut data);
        let instance = self.instance(m, at, &data);
        // The argument was announced just before.
        let entries = size.div_ceil(8) as usize;
        match self.call.last_in_list {
            true => self
                .call
                .passed_in_list
                .iter_mut()
                .rev()
                .take(entries)
                .for_each(|entry| *entry = instance),
            false => self
                .call
                .passed
                .iter_mut()
                .rev()
                .take(1)
                .for_each(|word| *word = instance),
        }
    }

    /// The machine has set the parameters of a new frame, or another register.
    pub(crate) fn words_set(&mut self, index: usize, words: usize) {
        if self.registers.len() < index + words {
            self.registers.resize(index + words, Instance::NONE);
        }
        let passed = std::mem::take(&mut self.call.passed);
        for (place, writer) in self.registers[index..index + words]
            .iter_mut()
            .zip(passed.into_iter().chain(std::iter::repeat(self.current)))
        {
            *place = writer;
        }
    }

    pub(crate) fn jumped(&mut self, index: usize) {
        self.registers[index] = self.current;
    }

    pub(crate) fn va_list(&mut self, m: &Machine<'_>, at: At, list: Operand) {
        let writer = self.register(at, list);
        let instance = self.instance(m, at, &[writer]);
        let address = m.registers[list.index(at.base)];
        self.write(m, address, 24, instance);
        // By the time of the effect, another frame may have been pushed.
        let before = m.frames.last().map_or(0, |frame| frame.varargs as usize);
        self.effect = Effect::ArgumentList(instance, address, before..m.stack.varargs.len());
    }

    /// `va_copy`: 24 bytes of memory.
    pub(crate) fn copy_list(&mut self, m: &Machine<'_>, at: At, lists: [Operand; 2]) {
        let operands = lists.map(|operand| self.register(at, operand));
        let [to, from] = lists.map(|operand| m.registers[operand.index(at.base)]);
        let writers = self.copied(m, at, from, 24, &operands);
        self.put(m, to, &writers);
    }

    pub(crate) fn returns(
        &mut self,
        m: &Machine<'_>,
        at: At,
        values: &[Operand],
        term: impl Fn(Operand) -> u32,
        target: usize,
        wanted: usize,
    ) {
        let mut data = self.scratch();
        data.extend(values.iter().map(|&value| self.register(at, value)));
        for (index, &writer) in data.iter().enumerate().take(wanted) {
            let instance = self.instance(m, at, &[writer]);
            let register = values[index].index(at.base);
            if self.limits.results {
                self.set_result(instance, m.registers[register], term(values[index]));
            }
            self.registers[target + index] = instance;
        }
        self.scratch = data;
        if wanted != u32::MAX as usize {
            for index in values.len()..wanted {
                self.registers[target + index] = self.current;
            }
        }
    }

    pub(crate) fn entry_returns(&mut self, m: &Machine<'_>, at: At, values: &[Operand]) {
        let data: Vec<Read> = values
            .iter()
            .map(|&value| self.register(at, value))
            .collect();
        self.instance(m, at, &data);
    }

    pub(crate) fn builtin(&mut self, m: &Machine<'_>, at: At, builtin: Builtin, call: &CallSite) {
        self.call.passed.clear();
        self.call.passed_in_list.clear();
        let argument = |index: usize| call.args.get(index).map(|argument| argument.0);
        let operands: Vec<Operand> = call.args.iter().map(|argument| argument.0).collect();
        let get = |operand: Operand| m.registers[operand.index(at.base)];
        let mut data: Vec<Read> = operands
            .iter()
            .map(|&operand| self.register(at, operand))
            .collect();
        data.push(std::mem::replace(&mut self.call.callee, Read::NOTHING));
        match builtin {
            Builtin::Syscall => return self.system_call(m, at, &operands),
            Builtin::MemCopy | Builtin::MemSet => {
                if let [Some(to), Some(second), Some(length)] = [0, 1, 2].map(argument) {
                    match builtin {
                        Builtin::MemCopy => self.copy_memory(m, at, [to, second, length]),
                        _ => self.set_memory(m, at, [to, second, length]),
                    }
                }
            }
            Builtin::Realloc => {
                let old = argument(0).map_or(0, get);
                let size = m
                    .memory
                    .info(object_of(old))
                    .map_or(0, |info| u64::from(info.size));
                let copied = size.min(argument(1).map_or(0, get));
                let writers = self.copied(m, at, old, copied, &data);
                let instance = self.instance(m, at, &data);
                self.call.answerer = instance;
                self.effect = Effect::Moved(instance, writers);
                return;
            }
            _ => {}
        }
        let instance = self.instance(m, at, &data);
        self.call.answerer = instance;
        self.effect = Effect::Answer(instance);
    }

    /// A builtin or a system call answers with this word.
    pub(crate) fn answered(&mut self, m: &mut Machine<'_>, value: u64) {
        self.set_result(self.call.answerer, value, 0);
        self.call.answer = value;
        self.call.answering = true;
        self.settle(m, |_| 0);
    }

    /// A register gets the answer of a call, or a value from nowhere.
    pub(crate) fn define(&mut self, m: &Machine<'_>, at: At, to: Reg, words: u32) {
        let first = at.base + to as usize;
        // A call that answers has its instance already.
        let writer = match std::mem::take(&mut self.call.answering) {
            true => self.call.answerer,
            false => {
                let instance = self.instance(m, at, &[]);
                self.effect = Effect::Register(instance, first);
                instance
            }
        };
        self.registers[first..first + words as usize].fill(writer);
    }

    pub(crate) fn system_call(&mut self, m: &Machine<'_>, at: At, operands: &[Operand]) {
        let words: Vec<u64> = operands
            .iter()
            .map(|operand| m.registers[operand.index(at.base)])
            .collect();
        let word = |index: usize| words.get(index).copied().unwrap_or(0);
        let (call, descriptor) = (word(0), word(1));
        self.trace.is_followed &= FLAT_CALLS.contains(&call);
        let mut data: Vec<Read> = operands
            .iter()
            .map(|&operand| self.register(at, operand))
            .collect();
        if matches!(
            call,
            number::dup | number::dup2 | number::fcntl | number::dup3
        ) || call == number::close && descriptor < 3
        {
            self.kernel.mixed = true;
        }
        data.push(Read::other(self.kernel.others));
        let stream = match call {
            number::read | number::readv if descriptor == 0 => Some(0),
            number::write | number::writev if (1..3).contains(&descriptor) => {
                Some(descriptor as usize)
            }
            _ => None,
        };
        match stream {
            Some(stream) if !self.kernel.mixed => {
                data.push(Read::other(self.kernel.streams[stream]))
            }
            None if !self.kernel.mixed => {}
            _ => data.extend(self.kernel.streams.map(Read::other)),
        }
        // What goes to a stream is not read again, unless the stream stands for something else.
        let is_kept = !matches!(stream, Some(1 | 2)) || self.kernel.mixed;
        match call {
            number::write => {
                let pieces = self.written(m, at, descriptor, &[(word(2), word(3))], &data);
                data.extend(pieces.into_iter().filter(|_| is_kept));
            }
            number::writev => {
                let vector = m
                    .memory
                    .bytes(word(2), word(3).saturating_mul(16))
                    .unwrap_or(&[]);
                let parts: Vec<(Address, u64)> = vector
                    .chunks_exact(16)
                    .map(|part| {
                        let number =
                            |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("8 bytes"));
                        (number(&part[..8]), number(&part[8..]))
                    })
                    .collect();
                self.read(word(2), word(3).saturating_mul(16), &mut data);
                let pieces = self.written(m, at, descriptor, &parts, &data);
                data.extend(pieces.into_iter().filter(|_| is_kept));
            }
            number::read => {}
            number::readv => self.read(word(2), word(3).saturating_mul(16), &mut data),
            _ => {
                // Whatever the arguments point to may be read.
                for &pointer in words.iter().skip(1) {
                    let info = m.memory.info(object_of(pointer)).filter(|info| info.alive);
                    let left = info.map_or(0, |info| {
                        u64::from(info.size).saturating_sub(u64::from(offset_of(pointer)))
                    });
                    self.read(pointer, left, &mut data);
                }
            }
        }
        // What the kernel knows is as old as the process.
        self.oldest_read = Some(Instance::NONE);
        let head = self.head;
        let instance = self.instance(m, at, &data);
        if matches!(call, number::write | number::writev) {
            self.head = head;
        }
        match stream {
            Some(stream) => self.kernel.streams[stream] = instance,
            None => self.kernel.others = instance,
        }
        self.call.answerer = instance;
        self.effect = Effect::Answer(instance);
    }

    /// Bytes leave the program: an instance for each stretch with the same writer, which are returned.
    fn written(
        &mut self,
        m: &Machine<'_>,
        at: At,
        descriptor: u64,
        parts: &[(Address, u64)],
        operands: &[Read],
    ) -> Vec<Read> {
        let head = self.instance(m, at, operands);
        let mut pieces = Vec::new();
        for &(address, length) in parts {
            let length = LastWriters::within(&m.memory, address, length);
            for (writer, length) in self.writers(address, length) {
                self.oldest_read = Some(writer);
                let instance = self.instance(m, at, &[Read::operation(head), Read::other(writer)]);
                pieces.push(Read::other(instance));
                let descriptor = descriptor as u32;
                let offset = self.kernel.written.entry(descriptor).or_default();
                self.trace.written.push(Written {
                    descriptor,
                    offset: *offset,
                    length,
                    instance,
                });
                *offset += length;
            }
        }
        pieces
    }
}

fn target(m: &Machine<'_>, at: At, place: Place) -> (Address, u64) {
    let address =
        m.registers[place.address.index(at.base)].wrapping_add(place.offset as i64 as u64);
    (address, u64::from(place.width).div_ceil(8))
}
