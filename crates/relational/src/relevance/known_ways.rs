//! What was found out about branches and calls, kept from slice to slice.

use rustc_hash::FxHashMap;

/// What may happen on the ways out of a branch that were not taken; see [`super::other_ways::Region`].
#[derive(Clone, Debug, Default)]
pub(super) struct Way {
    pub(super) change: bool,
    pub(super) plain: bool,
    pub(super) anything: bool,
    /// Readers of what may be written.
    pub(super) readers: ReaderList,
    pub(super) registers: Box<[u32]>,
}

/// A sorted list of readers, by number; 0 is the empty one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ReaderList(u32);

/// The ways that were looked at, kept by each worker.
#[derive(Default)]
pub struct KnownWays {
    /// By operation, and by whether its condition holds: the number in `ways`, counted from 1.
    of_branch: Vec<[u32; 2]>,
    ways: Vec<Way>,
    /// By operation: the list of readers of what it may write, counted from 1.
    behind: Vec<u32>,
    lists: Vec<Box<[u32]>>,
    numbers: FxHashMap<Box<[u32]>, ReaderList>,
}

impl KnownWays {
    /// Makes room for a program's operations.
    pub(super) fn prepare(&mut self, operations: usize) {
        if self.of_branch.len() < operations {
            self.of_branch.resize(operations, [0; 2]);
            self.behind.resize(operations, 0);
        }
        if self.lists.is_empty() {
            self.list(Vec::new());
        }
    }

    pub(super) fn list(&mut self, readers: Vec<u32>) -> ReaderList {
        let readers: Box<[u32]> = readers.into();
        if let Some(&known) = self.numbers.get(&readers) {
            return known;
        }
        let number = ReaderList(self.lists.len() as u32);
        self.lists.push(readers.clone());
        self.numbers.insert(readers, number);
        number
    }

    #[inline]
    pub(super) fn way(&self, operation: u32, holds: bool) -> Option<&Way> {
        let number = self.of_branch[operation as usize][usize::from(holds)];
        Some(&self.ways[number.checked_sub(1)? as usize])
    }

    pub(super) fn set_way(&mut self, operation: u32, holds: bool, way: Way) {
        self.ways.push(way);
        self.of_branch[operation as usize][usize::from(holds)] = self.ways.len() as u32;
    }

    #[inline]
    pub(super) fn behind(&self, operation: u32) -> Option<ReaderList> {
        self.behind[operation as usize]
            .checked_sub(1)
            .map(ReaderList)
    }

    pub(super) fn set_behind(&mut self, operation: u32, list: ReaderList) {
        self.behind[operation as usize] = list.0 + 1;
    }
}

/// How old the memory is that instances in a slice have read: by reader, the oldest writer.
///
/// Whether one of a list of readers has read something older than an instance is asked at every branch. The answer for a
/// list is kept, and brought up to date by what has changed since it was last asked for, unless looking at the
/// whole list is less work.
pub(super) struct OldestReads {
    oldest: Vec<u32>,
    /// Readers whose entry has gone down, in order.
    lowered: Vec<u32>,
    /// By list: the lowest entry, and how much of `lowered` is in it.
    lowest: Vec<(u32, u32)>,
}

const NOTHING_READ: u32 = u32::MAX;

impl OldestReads {
    pub(super) fn new(readers: usize) -> OldestReads {
        OldestReads {
            oldest: vec![NOTHING_READ; readers],
            lowered: Vec::new(),
            lowest: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn add(&mut self, reader: u32, writer: u32) {
        if let Some(oldest) = self.oldest.get_mut(reader as usize)
            && writer < *oldest
        {
            *oldest = writer;
            self.lowered.push(reader);
        }
    }

    /// Whether a reader of the list has read something written before this instance.
    #[inline]
    pub(super) fn is_before(&mut self, known: &KnownWays, list: ReaderList, instance: u32) -> bool {
        if list == ReaderList::default() {
            return false;
        }
        let number = list.0 as usize;
        if self.lowest.len() <= number {
            self.lowest
                .resize(known.lists.len().max(number + 1), (NOTHING_READ, 0));
        }
        let (lowest, seen) = &mut self.lowest[number];
        if *lowest >= instance && (*seen as usize) < self.lowered.len() {
            let readers = &known.lists[number][..];
            let news = &self.lowered[*seen as usize..];
            let few = news.len() < readers.len() / 8;
            for reader in if few { news } else { readers } {
                let oldest = self.oldest[*reader as usize];
                if oldest < *lowest && (!few || readers.binary_search(reader).is_ok()) {
                    *lowest = oldest;
                    // What is left to look at is looked at when this one does not do.
                    if oldest < instance {
                        return true;
                    }
                }
            }
            *seen = self.lowered.len() as u32;
        }
        *lowest < instance
    }
}
