//! Tables of [`Op::Lookup`](crate::Op::Lookup), interned.
//!
//! A program reads the same memory at symbolic addresses again and again and changes little of it in between, so most
//! tables are another one with a few elements changed. What is known of a table is therefore gathered by *chunks*, and
//! [`Store::changed_table`] looks only at chunks that are not those of the table before.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::facts::Facts;
use crate::op::ExprId;
use crate::store::Store;
use crate::symbol_set::SymbolSetId;

/// Elements in a chunk; the last one may have fewer.
pub const TABLE_CHUNK: usize = 32;

/// An interned table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TableId(pub(crate) u32);

#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) elements: Box<[ExprId]>,
    chunks: Box<[Chunk]>,
    hash: u64,
    pub(crate) width: u32,
    pub(crate) facts: Facts,
    pub(crate) symbols: SymbolSetId,
    pub(crate) uniform: bool,
}

#[derive(Clone, Copy, Debug)]
struct Chunk {
    hash: u64,
    facts: Facts,
    symbols: SymbolSetId,
    /// Whether all elements are the first one.
    uniform: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Tables {
    all: Vec<Table>,
    by_hash: HashTable<TableId>,
}

impl Tables {
    pub(crate) fn get(&self, id: TableId) -> &Table {
        &self.all[id.0 as usize]
    }
}

impl Store {
    /// The table of these elements, for [`Store::lookup_in`].
    pub fn table_of(&mut self, elements: &[ExprId]) -> TableId {
        assert!(!elements.is_empty(), "an empty table");
        let width = self.width(elements[0]);
        let chunks = elements.chunks(TABLE_CHUNK);
        let chunks: Box<[Chunk]> = chunks.map(|chunk| self.chunk(chunk, width)).collect();
        let hash = hash_of(&chunks);
        let Tables { all, by_hash } = &self.tables;
        let same = |&TableId(id): &TableId| *all[id as usize].elements == *elements;
        match by_hash.find(hash, same) {
            Some(&id) => id,
            None => self.add_table(elements.into(), chunks, hash, width),
        }
    }

    /// A table that is another one but for some chunks, given with their numbers in ascending order.
    pub fn changed_table(&mut self, before: TableId, changed: &[(usize, Vec<ExprId>)]) -> TableId {
        let width = self.table(before).width;
        let mut chunks = self.table(before).chunks.clone();
        debug_assert!(changed.is_sorted_by_key(|(number, _)| number));
        for (number, chunk) in changed {
            let left = self.table(before).elements.len() - number * TABLE_CHUNK;
            assert_eq!(chunk.len(), left.min(TABLE_CHUNK), "part of a chunk");
            chunks[*number] = self.chunk(chunk, width);
        }
        // A run mostly makes the tables of the runs before it again.
        let hash = hash_of(&chunks);
        let Tables { all, by_hash } = &self.tables;
        let before = &all[before.0 as usize].elements;
        let same = |&TableId(id): &TableId| are(&all[id as usize].elements, before, changed);
        if let Some(&id) = by_hash.find(hash, same) {
            return id;
        }
        let mut elements = before.clone();
        for (number, chunk) in changed {
            let first = number * TABLE_CHUNK;
            elements[first..first + chunk.len()].copy_from_slice(chunk);
        }
        self.add_table(elements, chunks, hash, width)
    }

    /// The elements of a table.
    pub fn elements_of(&self, table: TableId) -> &[ExprId] {
        &self.table(table).elements
    }

    fn chunk(&mut self, elements: &[ExprId], width: u32) -> Chunk {
        self.work += elements.len() as u64;
        let mut hasher = FxHasher::default();
        let mut symbols = SymbolSetId::EMPTY;
        let mut facts: Option<Facts> = None;
        for &element in elements {
            let own = self.width(element);
            assert_eq!(own, width, "table elements of different widths");
            element.hash(&mut hasher);
            symbols = self.union_symbols(symbols, self.symbol_set_id(element));
            if let Some(element) = self.facts(element) {
                facts = Some(facts.map_or(element, |facts| facts.join(&element)));
            }
        }
        Chunk {
            hash: hasher.finish(),
            facts: facts.unwrap_or(Facts::unknown(64)),
            symbols,
            uniform: elements.iter().all(|&element| element == elements[0]),
        }
    }

    fn add_table(
        &mut self,
        elements: Box<[ExprId]>,
        chunks: Box<[Chunk]>,
        hash: u64,
        width: u32,
    ) -> TableId {
        let mut symbols = SymbolSetId::EMPTY;
        let mut facts = chunks[0].facts;
        for chunk in &chunks {
            symbols = self.union_symbols(symbols, chunk.symbols);
            facts = facts.join(&chunk.facts);
        }
        let mut firsts = elements.iter().step_by(TABLE_CHUNK);
        let uniform = firsts.all(|&first| first == elements[0]);
        let Tables { all, by_hash } = &mut self.tables;
        let id = TableId(all.len() as u32);
        all.push(Table {
            uniform: uniform && chunks.iter().all(|chunk| chunk.uniform),
            elements,
            chunks,
            hash,
            width,
            facts,
            symbols,
        });
        by_hash.insert_unique(hash, id, |id| all[id.0 as usize].hash);
        id
    }
}

fn hash_of(chunks: &[Chunk]) -> u64 {
    let mut hasher = FxHasher::default();
    for chunk in chunks {
        chunk.hash.hash(&mut hasher);
    }
    hasher.finish()
}

/// Whether elements are those of another table but for the changed chunks.
fn are(elements: &[ExprId], before: &[ExprId], changed: &[(usize, Vec<ExprId>)]) -> bool {
    if elements.len() != before.len() {
        return false;
    }
    let mut compared = 0;
    for (number, chunk) in changed {
        let first = number * TABLE_CHUNK;
        let (same, end) = (compared..first, first + chunk.len());
        if elements[same.clone()] != before[same] || elements[first..end] != **chunk {
            return false;
        }
        compared = end;
    }
    elements[compared..] == before[compared..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Symbol;
    use proptest::prelude::*;

    fn store() -> (Store, Vec<ExprId>) {
        let mut store = Store::new();
        let mut terms: Vec<ExprId> = (0..3).map(|value| store.constant(value, 8)).collect();
        terms.push(store.symbol_term(&Symbol::Stdin { offset: 0 }));
        (store, terms)
    }

    proptest! {
        #[test]
        fn a_changed_table_is_the_table_of_its_elements(
            before in proptest::collection::vec(0..4_usize, 1..150),
            changes in proptest::collection::vec((0..150_usize, 0..4_usize), 0..6),
        ) {
            let (mut store, terms) = store();
            let before: Vec<ExprId> = before.into_iter().map(|which| terms[which]).collect();
            let mut after = before.clone();
            for (place, which) in changes {
                let place = place % after.len();
                after[place] = terms[which];
            }
            let pairs = before.chunks(TABLE_CHUNK).zip(after.chunks(TABLE_CHUNK)).enumerate();
            let changed = pairs.filter(|(_, (before, after))| before != after);
            let changed: Vec<_> = changed.map(|(number, (_, after))| (number, after.to_vec())).collect();
            let table = store.table_of(&before);
            let table = store.changed_table(table, &changed);
            prop_assert_eq!(&store.table(table).elements[..], &after[..]);
            // It is the same as if it had been made first, in what is known of it too.
            prop_assert_eq!(store.table_of(&after), table);
            let (mut fresh, _) = self::store();
            let alone = fresh.table_of(&after);
            let (alone, table) = (fresh.table(alone), store.table(table));
            prop_assert_eq!(alone.facts, table.facts);
            prop_assert_eq!(alone.uniform, table.uniform);
            prop_assert_eq!(alone.uniform, after.iter().all(|&term| term == after[0]));
            prop_assert_eq!(fresh.symbol_set(alone.symbols), store.symbol_set(table.symbols));
        }
    }
}
