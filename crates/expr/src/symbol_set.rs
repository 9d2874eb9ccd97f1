//! Interned sets of symbols: each term carries the id of the set of symbols it depends on, so asking
//! for a term's symbols, or whether two terms share one, never walks the term.

use rustc_hash::FxHashMap;

use crate::symbol::SymbolId;

/// An interned set; equal sets have equal ids. 0 is the empty set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymbolSetId(pub(crate) u32);

impl SymbolSetId {
    pub const EMPTY: SymbolSetId = SymbolSetId(0);

    pub fn is_empty(self) -> bool {
        self == SymbolSetId::EMPTY
    }
}

/// A set of symbols as a bit map from `first_word` on, without empty words at either end.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct SymbolSet {
    first_word: u32,
    words: Box<[u64]>,
}

impl SymbolSet {
    fn single(symbol: SymbolId) -> SymbolSet {
        SymbolSet {
            first_word: symbol.0 / 64,
            words: Box::new([1 << (symbol.0 % 64)]),
        }
    }

    pub fn contains(&self, symbol: SymbolId) -> bool {
        let word = (symbol.0 / 64).checked_sub(self.first_word);
        word.and_then(|word| self.words.get(word as usize))
            .is_some_and(|word| word >> (symbol.0 % 64) & 1 == 1)
    }

    pub fn iter(&self) -> impl Iterator<Item = SymbolId> + '_ {
        self.words
            .iter()
            .enumerate()
            .flat_map(move |(index, &word)| {
                let base = (self.first_word + index as u32) * 64;
                (0..64)
                    .filter(move |bit| word >> bit & 1 == 1)
                    .map(move |bit| SymbolId(base + bit))
            })
    }

    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub fn intersects(&self, other: &SymbolSet) -> bool {
        let start = self.first_word.max(other.first_word);
        let end = self.end_word().min(other.end_word());
        (start..end).any(|word| self.word(word) & other.word(word) != 0)
    }

    pub fn union(&self, other: &SymbolSet) -> SymbolSet {
        if self.is_empty() {
            return other.clone();
        }
        if other.is_empty() {
            return self.clone();
        }
        let first_word = self.first_word.min(other.first_word);
        let end = self.end_word().max(other.end_word());
        let words = (first_word..end)
            .map(|word| self.word(word) | other.word(word))
            .collect();
        SymbolSet { first_word, words }
    }

    fn end_word(&self) -> u32 {
        self.first_word + self.words.len() as u32
    }

    fn word(&self, word: u32) -> u64 {
        let index = word.checked_sub(self.first_word);
        index
            .and_then(|index| self.words.get(index as usize))
            .copied()
            .unwrap_or(0)
    }
}

/// The interning table of one store.
#[derive(Debug)]
pub(crate) struct SymbolSets {
    sets: Vec<SymbolSet>,
    ids: FxHashMap<SymbolSet, SymbolSetId>,
    unions: FxHashMap<(SymbolSetId, SymbolSetId), SymbolSetId>,
}

impl SymbolSets {
    pub(crate) fn new() -> SymbolSets {
        let mut sets = SymbolSets {
            sets: Vec::new(),
            ids: FxHashMap::default(),
            unions: FxHashMap::default(),
        };
        sets.intern(SymbolSet::default());
        sets
    }

    pub(crate) fn single(&mut self, symbol: SymbolId) -> SymbolSetId {
        self.intern(SymbolSet::single(symbol))
    }

    pub(crate) fn get(&self, id: SymbolSetId) -> &SymbolSet {
        &self.sets[id.0 as usize]
    }

    #[inline]
    pub(crate) fn union(&mut self, a: SymbolSetId, b: SymbolSetId) -> SymbolSetId {
        if a == b || b.is_empty() {
            return a;
        }
        if a.is_empty() {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&id) = self.unions.get(&key) {
            return id;
        }
        let id = self.intern(self.get(a).union(self.get(b)));
        self.unions.insert(key, id);
        id
    }

    fn intern(&mut self, set: SymbolSet) -> SymbolSetId {
        if let Some(&id) = self.ids.get(&set) {
            return id;
        }
        let id = SymbolSetId(self.sets.len() as u32);
        self.sets.push(set.clone());
        self.ids.insert(set, id);
        id
    }
}
