//! Loads and stores of symbolic bytes, and at symbolic addresses.
//!
//! The object of an access is the one that the concrete address is in. Whether the
//! address stays inside it is an event whose alternatives are "behind it", "below the next
//! one" (each an overflow, if it can happen), "another object" and "no object". Inside, a load
//! chooses from all positions that the address can have by what is known of its bits,
//! and a store changes each of them if the address is equal to it. Beyond the limits of
//! [`super::SymbolicLimits`] the address is concretised.

use super::recorder::Recorder;
use super::{EventKind, Reason};
use crate::machine::Machine;
use crate::memory::{address_of, object_of, offset_of};
use crate::monitor::{At, Place};
use crate::op::{Operand, Reg};
use expr::{ExprId, Store, TABLE_CHUNK, TableId};
use program_ir::{AtomicRmwOp, BinaryOp};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// The positions that an access may have in its object: `first + k · stride`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Positions {
    first: u32,
    last: u32,
    /// As a power of two: what is known of the low bits.
    stride_bits: u32,
}

impl Positions {
    /// Bytes from the first position to the end of an access at the last one.
    fn window(self, size: u32) -> u32 {
        self.last - self.first + size
    }

    fn count(self) -> usize {
        ((self.last - self.first) >> self.stride_bits) as usize + 1
    }

    /// The bytes of elements of a size at some of the positions, from the first position on.
    fn bytes(self, numbers: &Range<usize>, size: u32) -> Range<usize> {
        let at = |number: usize| number << self.stride_bits;
        at(numbers.start)..at(numbers.end - 1) + size as usize
    }

    fn contain(self, position: u32) -> bool {
        let aligned = (position.wrapping_sub(self.first)).trailing_zeros() >= self.stride_bits;
        position >= self.first && position <= self.last && aligned
    }
}

/// More bytes of memory than this are not kept beside their tables.
const MOST_KEPT: usize = 1 << 20;

/// The tables that were read at symbolic addresses.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptTables {
    /// By object, the positions, and the size of an element.
    tables: FxHashMap<(u32, Positions, u32), Arc<KeptTable>>,
    bytes: usize,
}

impl KeptTables {
    fn get(&self, place: &SymbolicPlace) -> Option<&Arc<KeptTable>> {
        let key = (place.object, place.positions, place.size);
        self.tables.get(&key)
    }

    fn insert(&mut self, place: &SymbolicPlace, table: KeptTable) {
        if self.bytes > MOST_KEPT {
            *self = KeptTables::default();
        }
        self.bytes += table.bytes.len();
        let key = (place.object, place.positions, place.size);
        if let Some(before) = self.tables.insert(key, Arc::new(table)) {
            self.bytes -= before.bytes.len();
        }
    }
}

/// A table of elements, and what was in memory when it was made.
#[derive(Debug)]
pub(super) struct KeptTable {
    bytes: Box<[u8]>,
    terms: Option<Box<[u32]>>,
    table: TableId,
}

impl KeptTable {
    /// Whether memory still has the same bytes and terms there.
    fn has(&self, range: Range<usize>, bytes: &[u8], terms: Option<&[u32]>) -> bool {
        let before = self.terms.as_ref().map(|terms| &terms[range.clone()]);
        self.bytes[range.clone()] == bytes[range.clone()]
            && before == terms.map(|terms| &terms[range])
    }
}

/// An access at a symbolic address whose object is settled.
struct SymbolicPlace {
    object: u32,
    /// The offset in the object, as a term of 32 bits.
    offset: ExprId,
    positions: Positions,
    size: u32,
}

fn bytes_of(width: u8) -> u32 {
    u32::from(width).div_ceil(8)
}

impl Recorder<'_> {
    // Symbolic bytes at a concrete address.

    #[cold]
    pub(super) fn load_symbolic_bytes(
        &mut self,
        m: &Machine<'_>,
        at: At,
        to: Reg,
        width: u8,
        address: u64,
    ) {
        if m.memory
            .terms(address, u64::from(bytes_of(width)))
            .is_none()
        {
            // All concrete, or not inside the object: then the load ends the run.
            self.set_shadow(at, to, 0);
            if width > 64 {
                self.set_shadow(at, to + 1, 0);
            }
            return;
        }
        if self.record.undefined.is_some() {
            self.note_undefined_read(m, at, address, bytes_of(width));
        }
        let term = self.bytes_term(m, address, width);
        self.set(at, to, term);
    }

    /// What a load of `width` bits at a concrete address gives. The access may fail; the
    /// term is then without use.
    pub(super) fn bytes_term(&mut self, m: &Machine<'_>, address: u64, width: u8) -> ExprId {
        let size = bytes_of(width);
        let Ok(bytes) = m.memory.bytes(address, u64::from(size)) else {
            return self.store.constant(0, u32::from(width));
        };
        let whole = match m.memory.terms(address, u64::from(size)) {
            Some(terms) => join_bytes(self.store, bytes, terms),
            None => bytes_constant(self.store, bytes),
        };
        self.store.trunc(whole, u32::from(width))
    }

    #[cold]
    pub(super) fn store_symbolic_value(
        &mut self,
        m: &mut Machine<'_>,
        at: At,
        value: Operand,
        width: u8,
        address: u64,
    ) {
        let term = self.term(m, at, value, u32::from(width));
        self.store_term(m, address, width, term);
    }

    /// The terms' part of a store at a concrete address.
    pub(super) fn store_term(
        &mut self,
        m: &mut Machine<'_>,
        address: u64,
        width: u8,
        term: ExprId,
    ) {
        let size = bytes_of(width);
        if m.memory.writable(address, size).is_err() {
            return;
        }
        let whole = self.store.zext(term, size * 8);
        let mut terms = [0; 16];
        for (index, word) in (0..size).zip(&mut terms) {
            let byte = self.store.byte(whole, index);
            *word = self.word_of(byte);
        }
        m.memory.set_terms(address, &terms[..size as usize]);
    }

    // Symbolic addresses.

    #[cold]
    pub(super) fn load_at_symbolic_address(
        &mut self,
        m: &Machine<'_>,
        at: At,
        to: Reg,
        place: Place,
        address: u64,
    ) {
        let window = self.record.limits.read_window;
        let term = match self.settle(m, at, place, address, window) {
            Some(symbolic) => {
                let term = self.lookup(m, &symbolic);
                self.store.trunc(term, u32::from(place.width))
            }
            None => self.bytes_term(m, address, place.width),
        };
        self.set(at, to, term);
    }

    /// The element at a symbolic offset.
    fn lookup(&mut self, m: &Machine<'_>, place: &SymbolicPlace) -> ExprId {
        let table = self.table(m, place);
        let stride_bits = place.positions.stride_bits;
        let first = self.store.constant(u128::from(place.positions.first), 32);
        let distance = self.store.sub(place.offset, first);
        let index = self.store.extract(distance, stride_bits, 32 - stride_bits);
        self.store.lookup_in(table, index)
    }

    /// What is at the positions of an access. A loop reads the same ones again and again, and changes little in
    /// between, so they are kept.
    fn table(&mut self, m: &Machine<'_>, place: &SymbolicPlace) -> TableId {
        let (positions, size) = (place.positions, place.size);
        let start = address_of(place.object, positions.first);
        let window = u64::from(positions.window(size));
        let bytes = m.memory.bytes(start, window);
        let bytes = bytes.expect("the positions are inside the object");
        let terms = m.memory.terms(start, window);
        let kept = self.record.tables.get(place);
        if let Some(kept) = kept.filter(|kept| kept.has(0..bytes.len(), bytes, terms)) {
            return kept.table;
        }
        let count = positions.count();
        let mut changed = Vec::new();
        for (number, first) in (0..count).step_by(TABLE_CHUNK).enumerate() {
            let chunk = first..(first + TABLE_CHUNK).min(count);
            let is_kept =
                |kept: &Arc<KeptTable>| kept.has(positions.bytes(&chunk, size), bytes, terms);
            if kept.is_some_and(is_kept) {
                continue;
            }
            let element = |number: usize| {
                let range = positions.bytes(&(number..number + 1), size);
                if let Some(kept) = kept.filter(|kept| kept.has(range.clone(), bytes, terms)) {
                    return self.store.elements_of(kept.table)[number];
                }
                let bytes = &bytes[range.clone()];
                match terms.map(|terms| &terms[range]) {
                    Some(terms) if terms.iter().any(|&term| term != 0) => {
                        join_bytes(self.store, bytes, terms)
                    }
                    _ => bytes_constant(self.store, bytes),
                }
            };
            changed.push((number, chunk.map(element).collect()));
        }
        let table = match kept {
            Some(kept) => self.store.changed_table(kept.table, &changed),
            None => {
                let chunks = changed.into_iter().map(|(_, chunk)| chunk);
                let elements: Vec<ExprId> = chunks.collect::<Vec<Vec<_>>>().concat();
                self.store.table_of(&elements)
            }
        };
        let kept = KeptTable {
            bytes: bytes.into(),
            terms: terms.map(Into::into),
            table,
        };
        self.record.tables.insert(place, kept);
        table
    }

    #[cold]
    pub(super) fn store_at_symbolic_address(
        &mut self,
        m: &mut Machine<'_>,
        at: At,
        value: Operand,
        place: Place,
        address: u64,
    ) {
        let value = self.term(m, at, value, u32::from(place.width));
        let window = self.record.limits.write_window;
        let Some(symbolic) = self.settle(m, at, place, address, window) else {
            self.store_term(m, address, place.width, value);
            return;
        };
        if m.memory.writable(address, symbolic.size).is_err() {
            return;
        }
        let whole = self.store.zext(value, symbolic.size * 8);
        let first = symbolic.positions.first;
        let count = symbolic.positions.window(symbolic.size);
        let start = address_of(symbolic.object, first);
        let mut terms = match m.memory.terms(start, u64::from(count)) {
            Some(terms) => terms.to_vec(),
            None => vec![0; count as usize],
        };
        let before = m.memory.bytes(start, u64::from(count));
        let before = before
            .expect("the positions are inside the object")
            .to_vec();
        for index in 0..count {
            let old = match ExprId::from_raw(terms[index as usize]) {
                Some(term) => term,
                None => self.store.constant(u128::from(before[index as usize]), 8),
            };
            let mut new = old;
            // The byte may be any of the bytes of the value.
            for lane in 0..symbolic.size {
                let Some(position) = (first + index).checked_sub(lane) else {
                    break;
                };
                if !symbolic.positions.contain(position) {
                    continue;
                }
                let position = self.store.constant(u128::from(position), 32);
                let here = self.store.eq(symbolic.offset, position);
                let byte = self.store.byte(whole, lane);
                new = self.store.ite(here, byte, new);
            }
            terms[index as usize] = self.word_of(new);
        }
        m.memory.set_terms(start, &terms);
    }

    /// Concretises the address of a single access.
    pub(super) fn concretise_address(&mut self, m: &Machine<'_>, at: At, place: Place) {
        if self.shadow(at, place.address) != 0 {
            let size = u64::from(bytes_of(place.width));
            self.check_block_of_size(m, at, place.address, size);
            self.concretise(m, at, Reason::Pointer, place.address);
        }
    }

    /// Puts on the path where the address lies. `None` if it has to be concretised, or
    /// if the access fails.
    fn settle(
        &mut self,
        m: &Machine<'_>,
        at: At,
        place: Place,
        address: u64,
        limit: u32,
    ) -> Option<SymbolicPlace> {
        let size = bytes_of(place.width);
        let pointer = self.term(m, at, place.address, 64);
        let distance = self.store.constant(place.offset as i64 as u128, 64);
        let pointer = self.store.add(pointer, distance);
        let length = self.check_bounds(m, at, pointer, address, u64::from(size))?;
        let offset = self.offset_in(pointer, object_of(address));
        let positions = self.positions(offset, length, size);
        match positions {
            Some(positions) if positions.window(size) <= limit => Some(SymbolicPlace {
                object: object_of(address),
                offset: self.store.trunc(offset, 32),
                positions,
                size,
            }),
            _ => {
                let kind = Reason::LargeObject;
                self.concretise_term(m, at, kind, pointer, u128::from(address));
                None
            }
        }
    }

    /// The distance of a pointer from the beginning of an object, 64 bits.
    fn offset_in(&mut self, pointer: ExprId, object: u32) -> ExprId {
        let base = self.store.constant(u128::from(address_of(object, 0)), 64);
        self.store.sub(pointer, base)
    }

    /// The positions that an access inside an object of `length` bytes can have.
    fn positions(&self, offset: ExprId, length: u32, size: u32) -> Option<Positions> {
        let facts = self.store.facts(offset)?;
        let low_known = (facts.zeros | facts.ones).trailing_ones();
        let stride_bits = low_known.min(31);
        let stride = 1u64 << stride_bits;
        let remainder = facts.ones & (stride - 1);
        // The first value from `low` on, and the last up to `high`, with this remainder.
        let low = facts.low;
        let first = low.checked_add(remainder.wrapping_sub(low) & (stride - 1))?;
        let most = facts.high.min(u64::from(length) - u64::from(size));
        if first > most {
            return None;
        }
        let last = first + ((most - first) & !(stride - 1));
        Some(Positions {
            first: first as u32,
            last: last as u32,
            stride_bits,
        })
    }

    /// Puts on the path whether `size` bytes at `pointer` are inside the object of the
    /// concrete `address`. The object's length if they are.
    fn check_bounds(
        &mut self,
        m: &Machine<'_>,
        at: At,
        pointer: ExprId,
        address: u64,
        size: u64,
    ) -> Option<u32> {
        let object = object_of(address);
        let count = m.memory.object_count();
        let high = self.store.extract(pointer, 32, 32);
        let limit = self.store.constant(u128::from(count), 32);
        let exists = self.store.ult(high, limit);
        let wild = self.store.not(exists);
        if object >= count {
            let way = (NO_OBJECT, wild);
            self.event(m, at, EventKind::Bounds, way, &[(None, exists)]);
            return None;
        }
        let id = self.store.constant(u128::from(object), 32);
        let same = self.store.eq(high, id);
        let other = self.store.not(same);
        let elsewhere = self.store.and(exists, other);
        // The parts of the object's address range, by their ends, and which of them is taken.
        let offset = self.offset_in(pointer, object);
        let length = m.memory.live_length(object);
        let room = length.and_then(|length| u64::from(length).checked_sub(size));
        let first_page = u64::from(LAST_OF_FIRST_PAGE);
        let parts = [
            (INSIDE, room),
            (FIRST_PAGE, (object == 0).then_some(first_page)),
            (BEYOND, Some(u64::from(u32::MAX >> 1))),
            (BELOW_NEXT, Some(u64::from(u32::MAX))),
        ];
        let mut alternatives = Vec::with_capacity(parts.len() + 1);
        let mut taken = None;
        let mut start = 0;
        for (part, last) in parts {
            let Some(last) = last.filter(|&last| start <= last) else {
                continue;
            };
            let end = self.store.constant(u128::from(last), 64);
            let mut within = self.store.ule(offset, end);
            if start > 0 {
                let before = self.store.constant(u128::from(start - 1), 64);
                let before = self.store.ule(offset, before);
                let behind = self.store.not(before);
                within = self.store.and(within, behind);
            }
            let way = u64::from(object) << 2 | part;
            if (start..=last).contains(&u64::from(offset_of(address))) {
                taken = Some((part, way, within));
            } else {
                alternatives.push((Some(way), within));
            }
            start = last + 1;
        }
        let (part, way, within) = taken.expect("the parts cover the whole range");
        alternatives.push((None, elsewhere));
        alternatives.push((Some(NO_OBJECT), wild));
        self.event(m, at, EventKind::Bounds, (way, within), &alternatives);
        length.filter(|_| part == INSIDE)
    }

    // Blocks.

    /// Puts on the path whether a block of `length` bytes is inside the object that its
    /// beginning is in: for a symbolic pointer, and for a symbolic length.
    pub(super) fn check_block(
        &mut self,
        m: &Machine<'_>,
        at: At,
        pointer: Operand,
        length: Operand,
    ) {
        let count = m.registers[length.index(at.base)];
        let is_open = self.shadow(at, length) != 0;
        if self.shadow(at, pointer) != 0 {
            // A length that is not decided yet must not be part of the decision: another input that has come here by the
            // same way may have another one.
            let size = if is_open { 1 } else { count };
            self.check_block_of_size(m, at, pointer, size);
        }
        if is_open {
            let address = m.registers[pointer.index(at.base)];
            let object = m.memory.live_length(object_of(address));
            let offset = offset_of(address);
            let room = object.and_then(|object| object.checked_sub(offset));
            let room = u64::from(room.unwrap_or(0));
            // The pointer is concretised anyway, before the length matters.
            self.concretise(m, at, Reason::Pointer, pointer);
            let length = self.term(m, at, length, 64);
            let limit = self.store.constant(u128::from(room), 64);
            let fits = self.store.ule(length, limit);
            self.decide(m, at, EventKind::Bounds, fits, count <= room);
        }
    }

    pub(super) fn check_block_of_size(
        &mut self,
        m: &Machine<'_>,
        at: At,
        pointer: Operand,
        size: u64,
    ) {
        // Copying nothing is never wrong.
        if self.shadow(at, pointer) != 0 && size != 0 {
            let address = m.registers[pointer.index(at.base)];
            let pointer = self.term(m, at, pointer, 64);
            self.check_bounds(m, at, pointer, address, size);
        }
    }

    pub(super) fn atomic_result(
        &mut self,
        op: AtomicRmwOp,
        width: u32,
        before: ExprId,
        operand: ExprId,
    ) -> ExprId {
        use super::integers::binary;
        let store = &mut *self.store;
        let op = match op {
            AtomicRmwOp::Exchange => return operand,
            AtomicRmwOp::Nand => {
                let both = store.and(before, operand);
                return store.not(both);
            }
            AtomicRmwOp::FAdd => {
                return self
                    .record
                    .floats
                    .binary(store, BinaryOp::FAdd, before, operand);
            }
            AtomicRmwOp::FSub => {
                return self
                    .record
                    .floats
                    .binary(store, BinaryOp::FSub, before, operand);
            }
            AtomicRmwOp::Add => BinaryOp::Add,
            AtomicRmwOp::Sub => BinaryOp::Sub,
            AtomicRmwOp::And => BinaryOp::And,
            AtomicRmwOp::Or => BinaryOp::Or,
            AtomicRmwOp::Xor => BinaryOp::Xor,
            AtomicRmwOp::SMax => BinaryOp::SMax,
            AtomicRmwOp::SMin => BinaryOp::SMin,
            AtomicRmwOp::UMax => BinaryOp::UMax,
            AtomicRmwOp::UMin => BinaryOp::UMin,
        };
        binary(store, op, width, before, operand)
    }
}

/// The ways of an address, by the part of an object's address range that it is in. Behind the object,
/// and below the next one, are errors that are told apart.
const INSIDE: u64 = 0;
/// Of no object: an access through a null pointer.
const FIRST_PAGE: u64 = 1;
const BEYOND: u64 = 2;
const BELOW_NEXT: u64 = 3;
/// The way of an address whose object has never existed.
const NO_OBJECT: u64 = u64::MAX;
const LAST_OF_FIRST_PAGE: u32 = 4095;

/// Little-endian bytes, some with terms, as one term.
fn bytes_constant(store: &mut Store, bytes: &[u8]) -> ExprId {
    let mut value = [0; 16];
    value[..bytes.len()].copy_from_slice(bytes);
    store.constant(u128::from_le_bytes(value), bytes.len() as u32 * 8)
}

fn join_bytes(store: &mut Store, bytes: &[u8], terms: &[u32]) -> ExprId {
    let mut parts = [store.truth(false); 16];
    for ((part, &byte), &term) in parts.iter_mut().zip(bytes).zip(terms) {
        *part = match ExprId::from_raw(term) {
            Some(term) => term,
            None => store.constant(u128::from(byte), 8),
        };
    }
    store.concat_le(&parts[..bytes.len()])
}
