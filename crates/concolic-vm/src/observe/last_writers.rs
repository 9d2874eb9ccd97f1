//! Beside each byte of memory: who wrote it last.
//!
//! A writer is a number that the observer chooses, 0 for nobody. Writers are kept in pages, made when something in
//! them is first written, and given back when their object ends; so they take at most four times the memory of live
//! objects.

use crate::memory::{Address, Memory, object_of, offset_of};

/// Bytes of an object whose writers lie together.
const PAGE: usize = 1 << 10;

#[derive(Default)]
pub(super) struct LastWriters {
    /// By object: its pages, each as long as the object goes on.
    objects: Vec<Vec<Option<Box<[u32]>>>>,
    /// Bytes in use.
    pub(super) memory: usize,
}

impl LastWriters {
    /// Lets the memory tell which objects end.
    pub(super) fn start(memory: &mut Memory) {
        memory.ended = Some(Vec::new());
    }

    pub(super) fn stop(memory: &mut Memory) {
        memory.ended = None;
    }

    /// Forgets the objects that have ended; to be called before an operation.
    #[inline]
    pub(super) fn forget_ended(&mut self, memory: &mut Memory) {
        if let Some(ended) = memory.ended.as_mut().filter(|ended| !ended.is_empty()) {
            let mut freed = 0;
            for object in ended.drain(..) {
                if let Some(pages) = self.objects.get_mut(object as usize) {
                    let pages = std::mem::take(pages);
                    freed += pages.iter().flatten().map(|page| page.len()).sum::<usize>();
                }
            }
            self.memory -= freed * size_of::<u32>();
        }
    }

    /// The writers of a stretch in order, each with how many bytes in a row are its. The length may be anything: what
    /// an operation asks for is not yet known to be inside its object.
    #[inline]
    pub(super) fn runs(&self, address: Address, length: u64, mut run: impl FnMut(u32, u64)) {
        let pages = self.objects.get(object_of(address) as usize);
        let pages = pages.map_or(&[][..], Vec::as_slice);
        let mut at = offset_of(address) as usize;
        let mut left = length;
        let (mut writer, mut count) = (0, 0);
        let mut add = |next: u32, more: u64| {
            if next != writer && count > 0 {
                run(writer, count);
                count = 0;
            }
            writer = next;
            count += more;
        };
        while left > 0 {
            let Some(page) = pages.get(at / PAGE) else {
                add(0, left);
                break;
            };
            let start = at % PAGE;
            let step = ((PAGE - start) as u64).min(left) as usize;
            match page {
                None => add(0, step as u64),
                Some(page) => {
                    let inside = page.get(start..page.len().min(start + step)).unwrap_or(&[]);
                    for &next in inside {
                        add(next, 1);
                    }
                    if inside.len() < step {
                        add(0, (step - inside.len()) as u64);
                    }
                }
            }
            at += step;
            left -= step as u64;
        }
        if count > 0 {
            run(writer, count);
        }
    }

    /// How much of a stretch lies in its object, if that is alive.
    #[inline]
    pub(super) fn within(memory: &Memory, address: Address, length: u64) -> u64 {
        let size = size(memory, object_of(address));
        length.min(u64::from(size.saturating_sub(offset_of(address))))
    }

    /// One writer writes all of a stretch; what lies outside of the object is left out.
    #[inline]
    pub(super) fn fill(&mut self, memory: &Memory, address: Address, length: u64, writer: u32) {
        let length = Self::within(memory, address, length) as usize;
        self.pieces(memory, address, length, |piece| piece.fill(writer));
    }

    /// The parts of a stretch inside a live object, page by page.
    #[inline]
    fn pieces(
        &mut self,
        memory: &Memory,
        address: Address,
        length: usize,
        mut on_piece: impl FnMut(&mut [u32]),
    ) {
        let object = object_of(address) as usize;
        if length == 0 {
            return;
        }
        if self.objects.len() <= object {
            self.objects.resize_with(object + 1, Vec::new);
        }
        let pages = &mut self.objects[object];
        let mut at = offset_of(address) as usize;
        let end = at + length;
        while at < end {
            let (number, start) = (at / PAGE, at % PAGE);
            let stop = PAGE.min(start + end - at);
            if !matches!(pages.get(number), Some(Some(page)) if page.len() >= stop) {
                let size = size(memory, object as u32) as usize;
                self.memory += make_page(pages, number, PAGE.min(size - number * PAGE));
            }
            if let Some(Some(page)) = pages.get_mut(number) {
                on_piece(&mut page[start..stop]);
            }
            at += stop - start;
        }
    }
}

/// The length of a live object, guarded parts included.
#[inline]
fn size(memory: &Memory, object: u32) -> u32 {
    let info = memory.info(object).filter(|info| info.alive);
    info.map_or(0, |info| info.size)
}

/// Makes a page, or lengthens one whose object has grown; says how many bytes more it takes.
#[cold]
fn make_page(pages: &mut Vec<Option<Box<[u32]>>>, number: usize, length: usize) -> usize {
    if pages.len() <= number {
        pages.resize(number + 1, None);
    }
    let mut page = pages[number].take().map_or(Vec::new(), Vec::from);
    let before = page.len();
    page.resize(length, 0);
    pages[number] = Some(page.into());
    (length - before) * size_of::<u32>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::ObjectKind;
    use crate::site::CodeSite;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[derive(Clone, Debug)]
    enum Action {
        Make {
            size: u64,
        },
        End {
            which: usize,
        },
        Fill {
            which: usize,
            offset: u64,
            length: u64,
        },
        Read {
            which: usize,
            offset: u64,
            length: u64,
        },
    }

    fn action() -> impl Strategy<Value = Action> {
        let stretch = (0..8usize, 0..3_000u64, 0..3_000u64);
        prop_oneof![
            (1..5_000u64).prop_map(|size| Action::Make { size }),
            (0..8usize).prop_map(|which| Action::End { which }),
            stretch
                .clone()
                .prop_map(|(which, offset, length)| Action::Fill {
                    which,
                    offset,
                    length
                }),
            stretch.prop_map(|(which, offset, length)| Action::Read {
                which,
                offset,
                length
            }),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn each_byte_has_its_last_writer(actions in prop::collection::vec(action(), 1..60)) {
            let mut memory = Memory::new(1 << 20);
            let mut writers = LastWriters::default();
            LastWriters::start(&mut memory);
            let mut objects: Vec<(Address, u64)> = Vec::new();
            let mut simply: BTreeMap<Address, u32> = BTreeMap::new();
            for (number, action) in (1..).zip(actions) {
                writers.forget_ended(&mut memory);
                let object = |which: usize| objects.get(which % objects.len().max(1)).copied();
                match action {
                    Action::Make { size } => {
                        let made = memory.allocate(ObjectKind::Heap, size, CodeSite::NONE);
                        objects.extend(made.map(|address| (address, size)));
                    }
                    Action::End { which } => {
                        if let Some((address, _)) = object(which) {
                            memory.end(object_of(address), CodeSite::NONE);
                            objects.retain(|object| object.0 != address);
                            simply.retain(|&at, _| object_of(at) != object_of(address));
                        }
                    }
                    Action::Fill { which, offset, length } => {
                        if let Some((address, size)) = object(which) {
                            writers.fill(&memory, address + offset, length, number);
                            let end = size.min(offset + length);
                            simply.extend((offset..end).map(|at| (address + at, number)));
                        }
                    }
                    Action::Read { which, offset, length } => {
                        if let Some((address, _)) = object(which) {
                            let mut found = Vec::new();
                            let mut before = None;
                            writers.runs(address + offset, length, |writer, count| {
                                assert_ne!(before.replace(writer), Some(writer), "two runs in place of one");
                                found.extend(std::iter::repeat_n(writer, count as usize));
                            });
                            let wanted = (offset..offset + length)
                                .map(|at| simply.get(&(address + at)).copied().unwrap_or(0));
                            prop_assert_eq!(found, wanted.collect::<Vec<u32>>());
                        }
                    }
                }
            }
            for (address, _) in objects {
                memory.end(object_of(address), CodeSite::NONE);
            }
            writers.forget_ended(&mut memory);
            prop_assert_eq!(writers.memory, 0);
        }
    }
}
