//! Memory that was never written, as symbols of its own.
//!
//! In the machine fresh memory is zero. Natively a local variable, or a block that `malloc` gives, holds anything. A
//! process that [minds this](SymbolicProcess::mind_undefined) gives every such byte a symbol beside its zero. Terms
//! carry the symbols as far as they matter: a copy of padding means nothing, but a decision, an
//! address or output whose term has such a symbol in it is a *use*.
//!
//! A use is one of the term, not yet of the program: `x & 0` loses the symbol, but there are terms that do not
//! depend on all their symbols. Whoever has a solver can ask; see [`UndefinedUse::term`].
//!
//! Deviation: objects that one operation makes share [`SYMBOLS`] symbols, neighbours beginning with different ones. So two
//! bytes that were never written may count as equal.

use super::process::{SymbolicProcess, SymbolicRun};
use super::recorder::Recorder;
use crate::builtins::Builtin;
use crate::linux::{Bytes, FileState};
use crate::machine::Machine;
use crate::memory::{Address, object_of, offset_of};
use crate::monitor::At;
use crate::op::CallSite;
use crate::outcome::StackFrame;
use crate::site::CodeSite;
use expr::{ExprId, Store, Symbol, SymbolId, SymbolSet};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Symbols of the objects that one operation makes.
const SYMBOLS: usize = 8;
/// Larger objects count as zero.
const LARGEST: u32 = 4 << 20;
/// Uses of one run that are kept.
const MOST_USES: usize = 256;

/// A place where a run depended on memory that it had never written.
#[derive(Clone, Debug)]
pub struct UndefinedUse {
    pub how: UndefinedHow,
    /// The value that depends on it: a condition that holds, or what was put out.
    pub term: ExprId,
    /// How many events of the path come before.
    pub events: usize,
    pub memory: NeverWritten,
    /// In the program's own code.
    pub used_at: Option<StackFrame>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UndefinedHow {
    /// The uninitialised value decides a branch of the run.
    Decides,
    PutOut(String),
    ExitStatus,
}

/// An object with bytes that were read and never written.
#[derive(Clone, PartialEq, Debug)]
pub struct NeverWritten {
    /// `variable 'x'`, `a heap block`.
    pub what: String,
    pub made_at: Option<StackFrame>,
    /// Where it was read first, in the program's own code.
    pub read_at: Option<StackFrame>,
}

#[derive(Clone, Default, Debug)]
pub(super) struct Undefined {
    known: Arc<UninitialisedSymbols>,
    /// Made so far.
    objects: usize,
    /// By maker.
    first_reads: FxHashMap<CodeSite, Option<StackFrame>>,
    used: FxHashSet<(CodeSite, ExprId)>,
    uses: Vec<UndefinedUse>,
    /// The builtin under way that makes an object, and how many of its bytes are given.
    making: Option<(Making, u64)>,
}

/// The symbols of a store that stand for memory that was never written.
#[derive(Clone, Default, Debug)]
struct UninitialisedSymbols {
    /// By the operation that makes the objects.
    by_maker: FxHashMap<CodeSite, [u32; SYMBOLS]>,
    symbols: SymbolSet,
    makers: FxHashMap<SymbolId, CodeSite>,
}

#[derive(Clone, Copy, Debug)]
enum Making {
    /// The answer is the object.
    Answer,
    /// The object's address is here if the answer is 0.
    At(Address),
}

impl SymbolicProcess<'_> {
    /// From here on, memory that was never written is told apart from zeros.
    pub fn mind_undefined(&mut self) {
        self.record.undefined = Some(Box::default());
    }

    /// The symbols that a run in the same store has made need not be made again.
    pub fn mind_undefined_as(&mut self, earlier: &SymbolicProcess<'_>) {
        if let (Some(own), Some(earlier)) = (&mut self.record.undefined, &earlier.record.undefined)
        {
            own.known = earlier.known.clone();
        }
    }

    /// The symbols of memory that was never written.
    pub fn undefined_symbols(&self) -> impl Iterator<Item = SymbolId> + '_ {
        let undefined = self.record.undefined.as_deref();
        undefined
            .into_iter()
            .flat_map(|undefined| undefined.known.symbols.iter())
    }

    /// Whether these are all uses, not only as many as are kept, or those before the input was concretised.
    pub fn undefined_uses_are_all(&self, uses: &[UndefinedUse]) -> bool {
        let decided = self.record.undefined.as_deref();
        let decided = decided.map_or(0, |undefined| undefined.uses.len());
        let has_all_terms = !self.record.has_taken_input();
        has_all_terms && decided < MOST_USES && uses.len() < 2 * MOST_USES
    }

    /// The uses of memory that was never written in a run that has ended, those that decided something first.
    pub fn undefined_uses(&self, store: &Store, run: &SymbolicRun) -> Vec<UndefinedUse> {
        let Some(undefined) = self.record.undefined.as_deref() else {
            return Vec::new();
        };
        let mut uses = undefined.uses.clone();
        let mut note = |how: UndefinedHow, term: ExprId| {
            if let Some(maker) = undefined.maker(store, term)
                && uses.len() < 2 * MOST_USES
            {
                uses.push(UndefinedUse {
                    how,
                    term,
                    events: run.path.len(),
                    memory: undefined.never_written(&self.machine, maker),
                    used_at: None,
                });
            }
        };
        let mut put_out = |name: &str, bytes: &Bytes| {
            let mut seen = FxHashSet::default();
            for &term in bytes.terms().unwrap_or_default() {
                if let Some(term) = ExprId::from_raw(term)
                    && seen.insert(term)
                {
                    note(UndefinedHow::PutOut(name.to_owned()), term);
                }
            }
        };
        let kernel = self.machine.kernel();
        put_out("standard output", &kernel.stdout());
        put_out("standard error", &kernel.stderr());
        for change in kernel.file_changes() {
            if let Some(FileState::File { content, .. }) = &change.after {
                let name = format!("file {}", String::from_utf8_lossy(&change.path));
                put_out(&name, content);
            }
        }
        if let Some(status) = run.exit_status {
            note(UndefinedHow::ExitStatus, status);
        }
        uses
    }
}

impl UninitialisedSymbols {
    fn make(&mut self, store: &mut Store, maker: CodeSite) -> [u32; SYMBOLS] {
        let name: Arc<str> = format!("never written {}:{}", maker.function, maker.pc).into();
        let size = SYMBOLS as u32;
        let terms: [u32; SYMBOLS] = std::array::from_fn(|offset| {
            let (name, offset) = (name.clone(), offset as u32);
            let term = store.symbol_term(&Symbol::Variable { name, offset, size });
            self.symbols = self.symbols.union(store.symbols_of(term));
            if let Some(symbol) = store.as_symbol(term) {
                self.makers.insert(symbol, maker);
            }
            term.raw()
        });
        self.by_maker.insert(maker, terms);
        terms
    }
}

impl Undefined {
    /// Who made the memory that a term depends on, if that is memory never written.
    fn maker(&self, store: &Store, term: ExprId) -> Option<CodeSite> {
        let symbols = store.symbols_of(term);
        if !symbols.intersects(&self.known.symbols) {
            return None;
        }
        let mut makers = symbols
            .iter()
            .filter_map(|symbol| self.known.makers.get(&symbol));
        makers.next().copied()
    }

    fn never_written(&self, m: &Machine<'_>, maker: CodeSite) -> NeverWritten {
        NeverWritten {
            what: match m.variable_made_at(maker) {
                Some(name) => format!("variable '{name}'"),
                None if m.is_alloca(maker) => "a local variable".to_owned(),
                None => "a heap block".to_owned(),
            },
            made_at: m.program.source_frame(maker),
            read_at: self.first_reads.get(&maker).cloned().flatten(),
        }
    }
}

impl Recorder<'_> {
    /// An object was made whose bytes from `given` on were never written.
    pub(super) fn leave_undefined(
        &mut self,
        m: &mut Machine<'_>,
        address: Address,
        given: u64,
        maker: CodeSite,
    ) {
        let Some(undefined) = self.record.undefined.as_deref_mut() else {
            return;
        };
        let size = m.memory.live_length(object_of(address)).unwrap_or(0);
        let Some(length) = u64::from(size)
            .checked_sub(given)
            .filter(|&length| length > 0)
        else {
            return;
        };
        if size > LARGEST || offset_of(address) != 0 {
            return;
        }
        let symbols = match undefined.known.by_maker.get(&maker) {
            Some(symbols) => *symbols,
            None => Arc::make_mut(&mut undefined.known).make(self.store, maker),
        };
        let first = undefined.objects;
        undefined.objects += 1;
        let terms: Vec<u32> = (first..first + length as usize)
            .map(|index| symbols[index % SYMBOLS])
            .collect();
        m.memory.set_terms(address + given, &terms);
    }

    /// Before a builtin that makes an object which nobody has written.
    pub(super) fn expect_undefined(
        &mut self,
        m: &Machine<'_>,
        at: At,
        builtin: Builtin,
        call: &CallSite,
    ) {
        let argument = |index: usize| {
            let operand = call.args.get(index)?.0;
            Some(m.registers[operand.index(at.base)])
        };
        let Some(undefined) = self.record.undefined.as_deref_mut() else {
            return;
        };
        undefined.making = match builtin {
            Builtin::Malloc | Builtin::AlignedAlloc => Some((Making::Answer, 0)),
            Builtin::Realloc => {
                let old = argument(0).and_then(|old| m.memory.info(object_of(old)));
                let kept = old.filter(|old| old.alive).map_or(0, |old| old.size);
                Some((Making::Answer, u64::from(kept)))
            }
            Builtin::PosixMemalign => argument(0).map(|place| (Making::At(place), 0)),
            _ => None,
        };
    }

    /// A builtin has answered.
    pub(super) fn undefined_answer(&mut self, m: &mut Machine<'_>, at: At, value: u64) {
        let undefined = self.record.undefined.as_deref_mut();
        let Some((making, given)) = undefined.and_then(|undefined| undefined.making.take()) else {
            return;
        };
        let address = match making {
            Making::Answer => value,
            Making::At(place) if value == 0 => match m.memory.load::<8>(place) {
                Ok(bytes) => Address::from_le_bytes(bytes),
                Err(_) => return,
            },
            Making::At(_) => return,
        };
        if address != 0 {
            self.leave_undefined(m, address, given, at.site());
        }
    }

    /// Bytes with terms are loaded.
    pub(super) fn note_undefined_read(
        &mut self,
        m: &Machine<'_>,
        at: At,
        address: Address,
        size: u32,
    ) {
        let Some(undefined) = self.record.undefined.as_deref_mut() else {
            return;
        };
        for &term in m.memory.terms(address, u64::from(size)).unwrap_or_default() {
            let symbol = ExprId::from_raw(term).and_then(|term| self.store.as_symbol(term));
            let maker = symbol.and_then(|symbol| undefined.known.makers.get(&symbol));
            if let Some(&maker) = maker {
                undefined
                    .first_reads
                    .entry(maker)
                    .or_insert_with(|| m.own_frame(at));
            }
        }
    }

    /// A condition decided how the run goes on, before `events` are on the path.
    pub(super) fn note_undefined_use(&mut self, m: &Machine<'_>, at: At, condition: ExprId) {
        let events = self.record.path.len();
        let Some(undefined) = self.record.undefined.as_deref_mut() else {
            return;
        };
        let Some(maker) = undefined.maker(self.store, condition) else {
            return;
        };
        if undefined.uses.len() < MOST_USES && undefined.used.insert((at.site(), condition)) {
            let memory = undefined.never_written(m, maker);
            undefined.uses.push(UndefinedUse {
                how: UndefinedHow::Decides,
                term: condition,
                events,
                memory,
                used_at: m.own_frame(at),
            });
        }
    }
}
