//! Sets of u32 that are mostly empty or clustered: sorted 64-bit chunks.

#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct SparseSet {
    /// Invariant: ascending keys, no zero words. A chunk holds `64·key .. 64·key + 64`.
    chunks: Vec<(u32, u64)>,
}

impl SparseSet {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    pub fn len(&self) -> usize {
        self.chunks
            .iter()
            .map(|(_, word)| word.count_ones() as usize)
            .sum()
    }

    /// A measure of what set operations cost.
    pub fn chunk_count(&self) -> usize {
        self.chunks.len()
    }

    pub fn contains(&self, element: u32) -> bool {
        match self.find(element / 64) {
            Ok(at) => self.chunks[at].1 >> (element % 64) & 1 == 1,
            Err(_) => false,
        }
    }

    /// Whether the element is new.
    pub fn insert(&mut self, element: u32) -> bool {
        let bit = 1u64 << (element % 64);
        match self.find(element / 64) {
            Ok(at) => {
                let word = &mut self.chunks[at].1;
                let is_new = *word & bit == 0;
                *word |= bit;
                is_new
            }
            Err(at) => {
                self.chunks.insert(at, (element / 64, bit));
                true
            }
        }
    }

    /// Whether anything is new.
    pub fn union_with(&mut self, other: &SparseSet) -> bool {
        if other.chunks.len() * 4 < self.chunks.len() {
            return self.union_with_few(other);
        }
        let mut changed = false;
        let mut missing = 0;
        let mut at = 0;
        for &(key, word) in &other.chunks {
            while at < self.chunks.len() && self.chunks[at].0 < key {
                at += 1;
            }
            match self.chunks.get_mut(at) {
                Some((own_key, own)) if *own_key == key => {
                    changed |= word & !*own != 0;
                    *own |= word;
                }
                _ => missing += 1,
            }
        }
        if missing == 0 {
            return changed;
        }
        let mut merged = Vec::with_capacity(self.chunks.len() + missing);
        let (mut own, mut theirs) = (
            self.chunks.iter().peekable(),
            other.chunks.iter().peekable(),
        );
        loop {
            match (own.peek(), theirs.peek()) {
                (Some(&&(key, word)), Some(&&(other_key, other_word))) => {
                    merged.push((
                        key.min(other_key),
                        if key < other_key {
                            word
                        } else if other_key < key {
                            other_word
                        } else {
                            word | other_word
                        },
                    ));
                    if key <= other_key {
                        own.next();
                    }
                    if other_key <= key {
                        theirs.next();
                    }
                }
                (Some(&&chunk), None) => {
                    merged.push(chunk);
                    own.next();
                }
                (None, Some(&&chunk)) => {
                    merged.push(chunk);
                    theirs.next();
                }
                (None, None) => break,
            }
        }
        self.chunks = merged;
        true
    }

    fn union_with_few(&mut self, other: &SparseSet) -> bool {
        let mut changed = false;
        for &(key, word) in &other.chunks {
            match self.find(key) {
                Ok(at) => {
                    let own = &mut self.chunks[at].1;
                    changed |= word & !*own != 0;
                    *own |= word;
                }
                Err(at) => {
                    self.chunks.insert(at, (key, word));
                    changed = true;
                }
            }
        }
        changed
    }

    /// What is in `self` and not in `other`.
    pub fn difference(&self, other: &SparseSet) -> SparseSet {
        self.combine(other, |own, theirs| own & !theirs)
    }

    pub fn intersection(&self, other: &SparseSet) -> SparseSet {
        self.combine(other, |own, theirs| own & theirs)
    }

    fn combine(&self, other: &SparseSet, word: impl Fn(u64, u64) -> u64) -> SparseSet {
        let mut chunks = Vec::new();
        let mut at = 0;
        for &(key, own) in &self.chunks {
            while at < other.chunks.len() && other.chunks[at].0 < key {
                at += 1;
            }
            let theirs = match other.chunks.get(at) {
                Some((other_key, theirs)) if *other_key == key => *theirs,
                _ => 0,
            };
            let combined = word(own, theirs);
            if combined != 0 {
                chunks.push((key, combined));
            }
        }
        SparseSet { chunks }
    }

    pub fn intersects(&self, other: &SparseSet) -> bool {
        let (small, large) = if self.chunks.len() <= other.chunks.len() {
            (self, other)
        } else {
            (other, self)
        };
        small.chunks.iter().any(|&(key, word)| {
            large
                .find(key)
                .is_ok_and(|at| large.chunks[at].1 & word != 0)
        })
    }

    /// Ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.chunks.iter().flat_map(|&(key, word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    key * 64 + bit
                })
            })
        })
    }

    fn find(&self, key: u32) -> Result<usize, usize> {
        self.chunks.binary_search_by_key(&key, |chunk| chunk.0)
    }
}

impl FromIterator<u32> for SparseSet {
    fn from_iter<I: IntoIterator<Item = u32>>(elements: I) -> Self {
        let mut sorted: Vec<u32> = elements.into_iter().collect();
        sorted.sort_unstable();
        let mut chunks: Vec<(u32, u64)> = Vec::new();
        for element in sorted {
            let bit = 1u64 << (element % 64);
            match chunks.last_mut() {
                Some((key, word)) if *key == element / 64 => *word |= bit,
                _ => chunks.push((element / 64, bit)),
            }
        }
        SparseSet { chunks }
    }
}
