//! The dependences of a run: which instruction used what which instruction had written
//! to memory, who called whom, and along which edges control went.
//!
//! Registers are left out: their definitions and uses can be read off the program.
//!
//! Library functions may be folded: what they do then counts as done by the call in the
//! program's own code that led to them.

use super::last_writers::LastWriters;
use crate::builtins::Builtin;
use crate::linux::syscall_table::number;
use crate::machine::Machine;
use crate::memory::{Address, ObjectKind, object_of};
use crate::monitor::{At, Monitor, Place};
use crate::op::{CallSite, Operand, Reg};
use crate::outcome::Outcome;
use program_ir::{AtomicRmwOp, Block, EntityRef, Func, Inst};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// An instruction of the program.
pub type CodePlace = (Func, Inst);

/// One instruction read a byte that another wrote last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThroughMemory {
    pub writer: CodePlace,
    pub reader: CodePlace,
    /// The byte lies in an object that folded code made, or in a global.
    pub in_library: bool,
    /// The global, where it is in one.
    pub global: Option<u32>,
}

#[derive(Clone, Debug, Default)]
pub struct ObservedDependences {
    pub through_memory: BTreeSet<ThroughMemory>,
    pub calls: BTreeSet<(CodePlace, Func)>,
    /// Within one function, not through folded ones.
    pub steps: BTreeSet<(Func, Block, Block)>,
    /// The run made more objects than can be told apart; what came after is left out.
    pub stopped_early: bool,
}

/// Object numbers are used again only after this many objects.
const MOST_OBJECTS: u64 = 60_000;

impl Machine<'_> {
    /// Runs to the end, and says what depended on what. `is_folded` names the library.
    pub fn run_observing(
        &mut self,
        is_folded: impl Fn(Func) -> bool,
    ) -> (Outcome, ObservedDependences) {
        let functions = self.program.functions.len();
        let mut observer = Observer {
            folded: (0..functions)
                .map(|index| is_folded(Func::new(index)))
                .collect(),
            writers: LastWriters::default(),
            pairs: FxHashSet::default(),
            calls: FxHashSet::default(),
            steps: FxHashSet::default(),
            made_by_library: FxHashMap::default(),
            objects: 0,
            answer: Answer::Nothing,
        };
        LastWriters::start(&mut self.memory);
        self.step_limit = self.limits.steps;
        let end = self.step_until_end(&mut observer);
        LastWriters::stop(&mut self.memory);
        let dependences = observer.finish(self);
        (self.outcome(end), dependences)
    }
}

/// What the result of the call under way says.
#[derive(Clone, Copy)]
enum Answer {
    Nothing,
    /// A block whose first bytes were copied into it.
    Block {
        copied: u64,
    },
    /// How many bytes from here on the kernel has written.
    Read {
        buffer: Address,
    },
}

/// Operations are numbered through the program, from 1; 0 is none.
struct Observer {
    folded: Vec<bool>,
    writers: LastWriters,
    pairs: FxHashSet<(u32, u32, u32)>,
    calls: FxHashSet<(u32, u32)>,
    steps: FxHashSet<(u32, u32, u32)>,
    made_by_library: FxHashMap<u32, bool>,
    objects: u64,
    answer: Answer,
}

impl Observer {
    fn is_full(&self) -> bool {
        self.objects >= MOST_OBJECTS
    }

    /// The operation that counts as doing what happens now; 0 if no own code is under way.
    fn actor(&self, m: &Machine<'_>, at: At) -> u32 {
        let number =
            |function: u32, pc: u32| m.program.operation_starts[function as usize] as u32 + pc + 1;
        if !self.folded[at.function as usize] {
            return number(at.function, at.pc);
        }
        let outer = m.frames.iter().rev();
        let own = outer
            .skip_while(|frame| frame.base >= at.base)
            .find(|frame| !self.folded[frame.function as usize]);
        // Outer frames stand behind their call.
        own.map_or(0, |frame| number(frame.function, frame.pc - 1))
    }

    fn reads(&mut self, m: &Machine<'_>, at: At, address: Address, length: u64) {
        if self.is_full() {
            return;
        }
        let object = object_of(address);
        let reader = self.actor(m, at);
        let pairs = &mut self.pairs;
        self.writers.runs(address, length, |writer, _| {
            if writer != 0 && reader != 0 {
                pairs.insert((writer, reader, object));
            }
        });
    }

    fn writes(&mut self, m: &Machine<'_>, at: At, address: Address, length: u64) {
        if self.is_full() {
            return;
        }
        let object = object_of(address);
        let Some(info) = m.memory.info(object) else {
            return;
        };
        let actor = self.actor(m, at);
        self.writers.fill(&m.memory, address, length, actor);
        let made = self.folded[match info.born.function {
            u32::MAX => at.function as usize,
            function => function as usize,
        }];
        self.made_by_library.insert(object, made);
    }

    fn get(m: &Machine<'_>, at: At, operand: Operand) -> u64 {
        m.registers[operand.index(at.base)]
    }

    fn place(m: &Machine<'_>, at: At, place: Place) -> (Address, u64) {
        let address = Self::get(m, at, place.address).wrapping_add(place.offset as i64 as u64);
        (address, u64::from(place.width).div_ceil(8))
    }

    fn called(&mut self, m: &Machine<'_>, at: At, callee: u32) {
        let actor = self.actor(m, at);
        if actor != 0 && !self.folded[callee as usize] {
            self.calls.insert((actor, callee));
        }
    }

    fn finish(self, m: &Machine<'_>) -> ObservedDependences {
        let place = |operation: u32| {
            let operation = operation as usize - 1;
            let starts = &m.program.operation_starts;
            let function = starts.partition_point(|&start| start <= operation) - 1;
            let code = m.program.code(function as u32)?;
            let origin = *code.origins.get(operation - starts[function])?;
            (origin != u32::MAX).then(|| (Func::new(function), Inst::from_u32(origin)))
        };
        let mut found = ObservedDependences {
            stopped_early: self.is_full(),
            ..ObservedDependences::default()
        };
        for &(writer, reader, object) in &self.pairs {
            let (Some(writer), Some(reader)) = (place(writer), place(reader)) else {
                continue;
            };
            let global = m.memory.info(object).and_then(|info| match info.kind {
                ObjectKind::Global(global) => Some(global),
                _ => None,
            });
            found.through_memory.insert(ThroughMemory {
                writer,
                reader,
                in_library: self.made_by_library.get(&object) == Some(&true),
                global,
            });
        }
        let calls = self.calls.iter();
        let calls = calls.filter_map(|&(at, callee)| Some((place(at)?, Func::from_u32(callee))));
        found.calls = calls.collect();
        for &(function, from, to) in &self.steps {
            let Some(code) = m.program.code(function) else {
                continue;
            };
            // A jump may lead to moves on an edge; those end in a jump to a block.
            let block_at = |pc: u32| code.block_starts.iter().position(|&start| start == pc);
            let blocks = code.block_starts.iter().enumerate();
            let source = blocks.filter(|(_, start)| **start <= from);
            let source = source.max_by_key(|(_, start)| **start);
            if let (Some((source, _)), Some(target)) = (source, block_at(to)) {
                let func = Func::from_u32(function);
                let (source, target) = (Block::new(source), Block::new(target));
                found.steps.insert((func, source, target));
            }
        }
        found
    }
}

#[rustfmt::skip]
impl Monitor for Observer {
    fn load(&mut self, m: &mut Machine<'_>, at: At, _: Reg, place: Place) {
        let (address, length) = Self::place(m, at, place);
        self.reads(m, at, address, length);
    }

    fn store(&mut self, m: &mut Machine<'_>, at: At, _: Operand, place: Place) {
        self.writers.forget_ended(&mut m.memory);
        let (address, length) = Self::place(m, at, place);
        self.writes(m, at, address, length);
    }

    fn alloca(&mut self, _: &mut Machine<'_>, _: At, _: Reg, _: Operand) {
        self.objects += 1;
    }

    fn memory_copy(&mut self, m: &mut Machine<'_>, at: At, to: Operand, from: Operand, length: Operand) {
        let length = Self::get(m, at, length);
        self.reads(m, at, Self::get(m, at, from), length);
        self.writes(m, at, Self::get(m, at, to), length);
    }

    fn memory_set(&mut self, m: &mut Machine<'_>, at: At, to: Operand, _: Operand, length: Operand) -> u32 {
        self.writes(m, at, Self::get(m, at, to), Self::get(m, at, length));
        0
    }

    fn atomic_rmw(&mut self, m: &mut Machine<'_>, at: At, _: AtomicRmwOp, width: u8, _: Reg, operands: [Operand; 2]) {
        let (address, length) = (Self::get(m, at, operands[0]), u64::from(width).div_ceil(8));
        self.reads(m, at, address, length);
        self.writes(m, at, address, length);
    }

    fn compare_exchange(&mut self, m: &mut Machine<'_>, at: At, width: u8, _: Reg, operands: [Operand; 3]) {
        let (address, length) = (Self::get(m, at, operands[0]), u64::from(width).div_ceil(8));
        self.reads(m, at, address, length);
        let mut expected = [0; 16];
        if let Ok(bytes) = m.memory.bytes(address, length) {
            expected[..bytes.len()].copy_from_slice(bytes);
        }
        if u128::from_le_bytes(expected) == u128::from(Self::get(m, at, operands[1])) {
            self.writes(m, at, address, length);
        }
    }

    fn call(&mut self, m: &mut Machine<'_>, at: At, callee: u32, _: usize, _: &[Operand]) {
        self.called(m, at, callee);
    }

    fn by_value(&mut self, m: &mut Machine<'_>, at: At, pointer: Operand, size: u64) {
        self.objects += 1;
        self.reads(m, at, Self::get(m, at, pointer), size);
    }

    fn builtin(&mut self, m: &mut Machine<'_>, at: At, builtin: Builtin, call: &CallSite) {
        let arg = |index: usize| call.args.get(index).map_or(0, |(operand, _)| Self::get(m, at, *operand));
        self.answer = Answer::Nothing;
        match builtin {
            Builtin::Malloc | Builtin::Calloc | Builtin::AlignedAlloc => self.objects += 1,
            Builtin::PosixMemalign => {
                self.objects += 1;
                let place = arg(0);
                self.writes(m, at, place, 8);
            }
            Builtin::Realloc => {
                self.objects += 1;
                let (old, size) = (arg(0), arg(1));
                let old_size = m.memory.info(object_of(old)).map_or(0, |info| u64::from(info.size));
                let copied = old_size.min(size);
                self.reads(m, at, old, copied);
                self.answer = Answer::Block { copied };
            }
            Builtin::HoldsPointer => {
                let place = arg(0);
                self.reads(m, at, place, 8);
            }
            Builtin::Object => {
                let description = arg(1);
                self.writes(m, at, description, 152);
            }
            Builtin::MemCopy => {
                let (to, from, length) = (arg(0), arg(1), arg(2));
                self.reads(m, at, from, length);
                self.writes(m, at, to, length);
            }
            Builtin::MemSet => {
                let (to, length) = (arg(0), arg(2));
                self.writes(m, at, to, length);
            }
            Builtin::SetJump | Builtin::SignalSetJump => {
                let buffer = arg(0);
                self.writes(m, at, buffer, 48);
            }
            Builtin::LongJump => {
                let buffer = arg(0);
                self.reads(m, at, buffer, 48);
            }
            Builtin::Syscall => {
                let words = [arg(0), arg(1), arg(2), arg(3)];
                self.system_call(m, at, words);
            }
            _ => {}
        }
    }

    fn va_list(&mut self, m: &mut Machine<'_>, at: At, list: Operand) {
        self.objects += 1;
        self.writes(m, at, Self::get(m, at, list), 24);
    }

    fn syscall(&mut self, m: &mut Machine<'_>, at: At, operands: &[Operand]) {
        let word = |index: usize| operands.get(index).map_or(0, |operand| Self::get(m, at, *operand));
        let words = [word(0), word(1), word(2), word(3)];
        self.answer = Answer::Nothing;
        self.system_call(m, at, words);
    }

    fn answered(&mut self, m: &mut Machine<'_>, at: At, value: u64) {
        match std::mem::replace(&mut self.answer, Answer::Nothing) {
            Answer::Nothing => {}
            Answer::Block { copied } => self.writes(m, at, value, copied),
            Answer::Read { buffer } if value as i64 > 0 => self.writes(m, at, buffer, value),
            Answer::Read { .. } => {}
        }
    }

    fn goes_to(&mut self, m: &mut Machine<'_>, function: u32, pc: u32) {
        if self.folded[function as usize] {
            return;
        }
        if pc == 0 {
            // A call through a pointer; the caller's frame stands behind it.
            if let [.., caller, _] = m.frames[..] {
                let at = At { function: caller.function, pc: caller.pc - 1, base: caller.base };
                self.called(m, at, function);
            }
        }
    }

    fn went(&mut self, function: u32, from: u32, to: u32) {
        if !self.folded[function as usize] {
            self.steps.insert((function, from, to));
        }
    }
}

impl Observer {
    /// The calls by which most bytes come into a program.
    fn system_call(&mut self, m: &Machine<'_>, at: At, words: [u64; 4]) {
        match words[0] {
            number::read => self.answer = Answer::Read { buffer: words[2] },
            number::write => self.reads(m, at, words[2], words[3]),
            _ => {}
        }
    }
}
