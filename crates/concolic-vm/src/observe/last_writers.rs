//! Beside each byte of memory: who wrote it last.
//!
//! A writer is a number that the observer chooses, 0 for nobody. Writers are kept in pages, made when something in
//! them is first written, and given back when their object ends; so they take at most four times the memory of live
//! objects.

use crate::machine::Machine;
use crate::memory::{Address, object_of, offset_of};

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
    /// Lets the machine tell which objects end.
    pub(super) fn start(m: &mut Machine<'_>) {
        m.memory.ended = Some(Vec::new());
    }

    pub(super) fn stop(m: &mut Machine<'_>) {
        m.memory.ended = None;
    }

    /// Forgets the objects that have ended; to be called before an operation.
    #[inline]
    pub(super) fn forget_ended(&mut self, m: &mut Machine<'_>) {
        if let Some(ended) = m.memory.ended.as_mut().filter(|ended| !ended.is_empty()) {
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
    pub(super) fn within(m: &Machine<'_>, address: Address, length: u64) -> u64 {
        let size = size(m, object_of(address));
        length.min(u64::from(size.saturating_sub(offset_of(address))))
    }

    /// One writer writes all of a stretch; what lies outside of the object is left out.
    #[inline]
    pub(super) fn fill(&mut self, m: &Machine<'_>, address: Address, length: u64, writer: u32) {
        let length = Self::within(m, address, length) as usize;
        self.pieces(m, address, length, |piece| piece.fill(writer));
    }

    /// The parts of a stretch inside a live object, page by page.
    #[inline]
    fn pieces(
        &mut self,
        m: &Machine<'_>,
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
                let size = size(m, object as u32) as usize;
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
fn size(m: &Machine<'_>, object: u32) -> u32 {
    let info = m.memory.info(object).filter(|info| info.alive);
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
