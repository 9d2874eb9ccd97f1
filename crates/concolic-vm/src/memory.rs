//! Guest memory: objects, addressed as `object id << 32 | offset`.
//!
//! Every global, heap block, stack variable and mapping is an object of its own.
//! An access is an index into the object table and one comparison with the
//! object's length, so out-of-bounds accesses, uses after free and null dereferences
//! are caught where they happen. Addresses do not depend on sizes or on the
//! host, and the objects of two versions can be matched by allocation order.
//!
//! The check is against the object that an address falls into. Arithmetic that leaves an
//! object by a multiple of 4 GiB lands in another one unnoticed, as it can natively.
//!
//! All bytes live in one arena, so a snapshot is a clone: two memory copies.
//!
//! A byte may carry the id of the term that it equals ([`shadow`]). All operations
//! here keep those terms right, except the two that the stepping loop uses for single
//! loads and stores: whoever observes the run sees these accesses itself.
//!
//! Invariants:
//! - object 0 is null and never alive; a dead object has length 0;
//! - an id is not given out again before [`QUARANTINE`] other objects have died
//!   after it, so a dangling pointer meets a dead object, not a stranger;
//! - fresh memory is zero.

mod shadow;

use self::shadow::Shadows;
use crate::site::CodeSite;
use std::collections::{HashMap, VecDeque};

/// An address in the guest.
pub type Address = u64;

pub const fn address_of(object: u32, offset: u32) -> Address {
    (object as u64) << 32 | offset as u64
}

pub const fn object_of(address: Address) -> u32 {
    (address >> 32) as u32
}

pub const fn offset_of(address: Address) -> u32 {
    address as u32
}

/// How many objects may be dead before ids are used again.
const QUARANTINE: usize = 1 << 20;

/// Freed blocks are kept by size class: powers of two from 16 bytes up. The largest object is as
/// large as the largest class.
const CLASSES: usize = 28;
const LARGEST_OBJECT: u64 = 16 << (CLASSES - 1);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    Null,
    /// `start` of the object is the function's index.
    Function,
    Global(u32),
    Heap,
    Stack,
    /// From `mmap`, `brk`, or made by the machine for the process (argv, environment).
    Mapping,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    /// Where its bytes begin in the arena; a function's index for functions.
    pub(crate) start: u32,
    /// Length in bytes; 0 once dead.
    pub(crate) len: u32,
    writable: bool,
    alive: bool,
    /// Whether some of its bytes may carry terms.
    pub(crate) shadowed: bool,
}

/// What is known of an object beyond what an access needs.
#[derive(Clone, Copy, Debug)]
pub struct ObjectInfo {
    pub kind: ObjectKind,
    /// Length when it was alive.
    pub size: u32,
    pub alive: bool,
    pub writable: bool,
    /// The instruction that made it, and the one that ended it.
    pub born: CodeSite,
    pub died: CodeSite,
}

#[derive(Clone, Copy, Debug)]
struct ColdInfo {
    kind: ObjectKind,
    size: u32,
    born: CodeSite,
    died: CodeSite,
}

/// What `mprotect` has said about parts of an object, the last word last.
#[derive(Clone, Debug)]
struct Guarded {
    len: u32,
    writable: bool,
    ranges: Vec<GuardedRange>,
}

#[derive(Clone, Debug)]
struct GuardedRange {
    range: std::ops::Range<u32>,
    readable: bool,
    writable: bool,
}

impl Guarded {
    fn allows(&self, offset: u32, size: u32, access: Access) -> bool {
        let end = u64::from(offset) + u64::from(size);
        if end > u64::from(self.len) {
            return false;
        }
        (offset..end as u32).all(|byte| {
            let word = self
                .ranges
                .iter()
                .rev()
                .find(|guard| guard.range.contains(&byte));
            match (word, access) {
                (Some(guard), Access::Read) => guard.readable,
                (Some(guard), _) => guard.writable,
                (None, Access::Read) => true,
                (None, _) => self.writable,
            }
        })
    }
}

#[derive(Clone, Debug)]
pub struct Memory {
    pub(crate) objects: Vec<Object>,
    infos: Vec<ColdInfo>,
    pub(crate) arena: Vec<u8>,
    pub(crate) shadows: Shadows,
    free: Vec<Vec<u32>>,
    dead: VecDeque<u32>,
    /// Mappings of which only parts may be accessed. In the object table their length is
    /// 0, so that accesses come here.
    guarded: HashMap<u32, Guarded>,
    in_use: u64,
    limit: u64,
    /// What the kernel and the builtins wrote, if somebody keeps count.
    pub(crate) written: Option<Vec<(Address, u64)>>,
    /// If wanted: the objects that have ended.
    pub(crate) ended: Option<Vec<u32>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Read,
    Write,
    Call,
    Free,
}

/// An access that is an error of the program. [`Memory::explain`] says why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    pub access: Access,
    pub address: Address,
    pub size: u64,
}

/// Why a faulting access is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultReason {
    Null,
    /// No object was ever there, or it is not one that can be accessed so.
    Wild,
    OutOfBounds,
    UseAfterFree,
    UseAfterReturn,
    ReadOnly,
    DoubleFree,
    InvalidFree,
}

/// The guest wants more memory than the limit allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    pub requested: u64,
}

impl Memory {
    /// Whether the live objects are the same, with the same bytes and terms, and objects made from here on will be
    /// too. What is left of dead ones is not looked at.
    pub(crate) fn is_like(&self, other: &Memory) -> bool {
        let same_object = |(id, (own, theirs)): (u32, (&Object, &Object))| {
            let (info, other_info) = (&self.infos[id as usize], &other.infos[id as usize]);
            (own.start, own.len, own.writable, own.alive)
                == (theirs.start, theirs.len, theirs.writable, theirs.alive)
                && (info.kind, info.size) == (other_info.kind, other_info.size)
                && (!own.alive
                    || info.kind == ObjectKind::Function
                    || self.content(own) == other.content(theirs)
                        && self.shadows.same_terms(&other.shadows, id))
        };
        // Parts of mappings that may not be accessed are rare.
        self.guarded.is_empty()
            && other.guarded.is_empty()
            && self.objects.len() == other.objects.len()
            && self.free == other.free
            && self.dead == other.dead
            && self.in_use == other.in_use
            && self.limit == other.limit
            && (0..)
                .zip(self.objects.iter().zip(&other.objects))
                .all(same_object)
    }

    fn content(&self, object: &Object) -> &[u8] {
        &self.arena[object.start as usize..][..object.len as usize]
    }

    pub fn new(limit: u64) -> Self {
        let mut memory = Memory {
            objects: Vec::new(),
            infos: Vec::new(),
            arena: Vec::new(),
            shadows: Shadows::default(),
            free: vec![Vec::new(); CLASSES],
            dead: VecDeque::new(),
            guarded: HashMap::new(),
            in_use: 0,
            // Arena positions are 32 bits wide.
            limit: limit.min(u64::from(u32::MAX) - (1 << 20)),
            written: None,
            ended: None,
        };
        memory.push(
            Object {
                start: 0,
                len: 0,
                writable: false,
                alive: false,
                shadowed: false,
            },
            ObjectKind::Null,
            0,
            CodeSite::NONE,
        );
        memory
    }

    /// Bytes of live objects.
    pub fn in_use(&self) -> u64 {
        self.in_use
    }

    pub fn limit(&self) -> u64 {
        self.limit
    }

    // Making and ending objects.

    pub fn add_function(&mut self, index: u32) -> Address {
        let object = Object {
            start: index,
            len: 0,
            writable: false,
            alive: true,
            shadowed: false,
        };
        let id = self.push(object, ObjectKind::Function, 0, CodeSite::NONE);
        address_of(id, 0)
    }

    /// A new object of `size` zero bytes.
    pub fn allocate(
        &mut self,
        kind: ObjectKind,
        size: u64,
        born: CodeSite,
    ) -> Result<Address, OutOfMemory> {
        if size > LARGEST_OBJECT || size > self.limit || self.in_use + size > self.limit {
            return Err(OutOfMemory { requested: size });
        }
        let size = size as u32;
        let start = self.take_block(size)?;
        self.in_use += u64::from(size);
        let object = Object {
            start,
            len: size,
            writable: true,
            alive: true,
            shadowed: false,
        };
        if self.dead.len() >= QUARANTINE
            && let Some(id) = self.dead.pop_front()
        {
            self.objects[id as usize] = object;
            self.infos[id as usize] = ColdInfo {
                kind,
                size,
                born,
                died: CodeSite::NONE,
            };
            return Ok(address_of(id, 0));
        }
        let id = self.push(object, kind, size, born);
        Ok(address_of(id, 0))
    }

    /// Ends a live object. The caller has checked that it may be ended.
    pub fn end(&mut self, id: u32, site: CodeSite) {
        self.unguard(id);
        let object = &mut self.objects[id as usize];
        debug_assert!(object.alive);
        let (start, len) = (object.start, object.len);
        object.alive = false;
        object.len = 0;
        if std::mem::take(&mut object.shadowed) {
            self.shadows.drop_object(id);
        }
        self.in_use -= u64::from(len);
        self.give_block(start, len);
        self.infos[id as usize].died = site;
        self.dead.push_back(id);
        if let Some(ended) = &mut self.ended {
            ended.push(id);
        }
    }

    /// `free`: the address must be the beginning of a live heap object, or null.
    pub fn free(&mut self, address: Address, site: CodeSite) -> Result<(), Fault> {
        if address == 0 {
            return Ok(());
        }
        let id = object_of(address);
        match self.info(id) {
            Some(info)
                if info.alive && info.kind == ObjectKind::Heap && offset_of(address) == 0 =>
            {
                self.end(id, site);
                Ok(())
            }
            _ => Err(Fault {
                access: Access::Free,
                address,
                size: 0,
            }),
        }
    }

    /// Grows (with zeros) or shrinks a live object, which keeps its address.
    pub fn resize(&mut self, id: u32, size: u64) -> Result<(), OutOfMemory> {
        self.unguard(id);
        let Object { start, len, .. } = self.objects[id as usize];
        if size > LARGEST_OBJECT
            || size > self.limit
            || self.in_use - u64::from(len) + size > self.limit
        {
            return Err(OutOfMemory { requested: size });
        }
        let size = size as u32;
        let new_start = self.take_block(size)?;
        let kept = len.min(size) as usize;
        let old = start as usize;
        self.arena.copy_within(old..old + kept, new_start as usize);
        self.give_block(start, len);
        self.in_use = self.in_use - u64::from(len) + u64::from(size);
        let object = &mut self.objects[id as usize];
        object.start = new_start;
        object.len = size;
        if object.shadowed {
            self.shadows.resize_object(id, size);
        }
        self.infos[id as usize].size = size;
        Ok(())
    }

    pub fn set_writable(&mut self, id: u32, writable: bool) {
        self.objects[id as usize].writable = writable;
    }

    // Accesses.

    /// Where `size` readable bytes at `address` lie in the arena.
    #[inline(always)]
    pub(crate) fn readable(&self, address: Address, size: u32) -> Result<usize, Fault> {
        if let Some(object) = self.objects.get((address >> 32) as usize) {
            let offset = address as u32;
            if u64::from(offset) + u64::from(size) <= u64::from(object.len) {
                return Ok(object.start as usize + offset as usize);
            }
        }
        self.guarded_access(Access::Read, address, size)
    }

    #[inline(always)]
    pub(crate) fn writable(&self, address: Address, size: u32) -> Result<usize, Fault> {
        if let Some(object) = self.objects.get((address >> 32) as usize) {
            let offset = address as u32;
            if u64::from(offset) + u64::from(size) <= u64::from(object.len) && object.writable {
                return Ok(object.start as usize + offset as usize);
            }
        }
        self.guarded_access(Access::Write, address, size)
    }

    /// An access that the object table does not allow: an error, unless parts of the
    /// object are protected and this is another part.
    #[cold]
    fn guarded_access(&self, access: Access, address: Address, size: u32) -> Result<usize, Fault> {
        let id = object_of(address);
        match self.guarded.get(&id) {
            Some(guarded) if guarded.allows(offset_of(address), size, access) => {
                Ok(self.objects[id as usize].start as usize + offset_of(address) as usize)
            }
            _ => Err(Fault {
                access,
                address,
                size: u64::from(size),
            }),
        }
    }

    /// `mprotect` of a part of a live object.
    pub fn protect_part(&mut self, address: Address, size: u64, readable: bool, writable: bool) {
        let id = object_of(address);
        let object = &mut self.objects[id as usize];
        let guarded = self.guarded.entry(id).or_insert(Guarded {
            len: object.len,
            writable: object.writable,
            ranges: Vec::new(),
        });
        object.len = 0;
        let start = offset_of(address);
        let end = (u64::from(start) + size).min(u64::from(guarded.len)) as u32;
        guarded.ranges.push(GuardedRange {
            range: start..end,
            readable,
            writable,
        });
    }

    /// How many bytes from `address` on are before the next part that must not be read.
    pub fn unguarded_length(&self, address: Address) -> u64 {
        match self.guarded.get(&object_of(address)) {
            None => u64::MAX,
            Some(guarded) => {
                let from = offset_of(address);
                let readable =
                    (from..guarded.len).take_while(|&byte| guarded.allows(byte, 1, Access::Read));
                readable.count() as u64
            }
        }
    }

    /// Makes a guarded object plain again, with its full length.
    fn unguard(&mut self, id: u32) {
        if let Some(guarded) = self.guarded.remove(&id) {
            self.objects[id as usize].len = guarded.len;
        }
    }

    /// Does not look at terms.
    #[inline(always)]
    pub fn load<const N: usize>(&self, address: Address) -> Result<[u8; N], Fault> {
        let at = self.readable(address, N as u32)?;
        match self.arena.get(at..at + N) {
            Some(bytes) => Ok(bytes.try_into().expect("slice of N bytes")),
            None => unreachable!("object outside the arena"),
        }
    }

    /// Does not touch terms: the caller has told the run's monitor.
    #[inline(always)]
    pub(crate) fn store<const N: usize>(
        &mut self,
        address: Address,
        bytes: [u8; N],
    ) -> Result<(), Fault> {
        let at = self.writable(address, N as u32)?;
        match self.arena.get_mut(at..at + N) {
            Some(place) => {
                place.copy_from_slice(&bytes);
                Ok(())
            }
            None => unreachable!("object outside the arena"),
        }
    }

    pub fn bytes(&self, address: Address, size: u64) -> Result<&[u8], Fault> {
        if size == 0 {
            return Ok(&[]);
        }
        let fault = Fault {
            access: Access::Read,
            address,
            size,
        };
        let len = u32::try_from(size).map_err(|_| fault)?;
        let at = self.readable(address, len)?;
        Ok(&self.arena[at..at + len as usize])
    }

    /// What was written so far is of no interest.
    pub(crate) fn forget_written(&mut self) {
        if let Some(written) = &mut self.written {
            written.clear();
        }
    }

    /// For writing concrete bytes: what terms there are is forgotten.
    pub fn bytes_mut(&mut self, address: Address, size: u64) -> Result<&mut [u8], Fault> {
        self.clear_terms(address, size);
        if let Some(written) = &mut self.written {
            written.push((address, size));
        }
        self.bytes_mut_beside_terms(address, size)
    }

    /// Does not touch terms: the caller has told the run's monitor.
    pub(crate) fn bytes_mut_beside_terms(
        &mut self,
        address: Address,
        size: u64,
    ) -> Result<&mut [u8], Fault> {
        if size == 0 {
            return Ok(&mut []);
        }
        let fault = Fault {
            access: Access::Write,
            address,
            size,
        };
        let len = u32::try_from(size).map_err(|_| fault)?;
        let at = self.writable(address, len)?;
        Ok(&mut self.arena[at..at + len as usize])
    }

    pub fn write_bytes(&mut self, address: Address, bytes: &[u8]) -> Result<(), Fault> {
        let place = self.bytes_mut(address, bytes.len() as u64)?;
        place.copy_from_slice(bytes);
        Ok(())
    }

    /// Copies as `memmove` does.
    pub fn copy(&mut self, to: Address, from: Address, size: u64) -> Result<(), Fault> {
        if size == 0 {
            return Ok(());
        }
        let fault = |access, address| Fault {
            access,
            address,
            size,
        };
        let len = u32::try_from(size).map_err(|_| fault(Access::Read, from))?;
        let source = self.readable(from, len)?;
        let target = self.writable(to, len)?;
        self.arena
            .copy_within(source..source + len as usize, target);
        if self.has_terms(from) || self.has_terms(to) {
            self.copy_terms(to, from, len);
        }
        Ok(())
    }

    pub fn fill(&mut self, address: Address, byte: u8, size: u64) -> Result<(), Fault> {
        self.bytes_mut(address, size)?.fill(byte);
        Ok(())
    }

    /// Fills with a byte that equals a term, unless `term` is 0.
    #[inline]
    pub(crate) fn fill_with_term(
        &mut self,
        address: Address,
        byte: u8,
        term: u32,
        size: u64,
    ) -> Result<(), Fault> {
        self.fill(address, byte, size)?;
        if term != 0 {
            self.set_terms(address, &vec![term; size as usize]);
        }
        Ok(())
    }

    /// Writes to an object whether it is writable or not; for its initial content.
    pub fn initialise(&mut self, address: Address, bytes: &[u8]) {
        self.clear_terms(address, bytes.len() as u64);
        let object = self.objects[object_of(address) as usize];
        let at = object.start as usize + offset_of(address) as usize;
        assert!(offset_of(address) as usize + bytes.len() <= object.len as usize);
        self.arena[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// The index of the function at `address`, if a function begins there.
    #[inline]
    pub fn function_at(&self, address: Address) -> Option<u32> {
        let id = object_of(address) as usize;
        match self.infos.get(id) {
            Some(info) if info.kind == ObjectKind::Function && offset_of(address) == 0 => {
                Some(self.objects[id].start)
            }
            _ => None,
        }
    }

    /// The length of an object that is alive and has bytes.
    pub(crate) fn live_length(&self, id: u32) -> Option<u32> {
        let object = self.objects.get(id as usize)?;
        let has_bytes = self.infos[id as usize].kind != ObjectKind::Function;
        (object.alive && has_bytes).then_some(object.len)
    }

    /// Ids from here on have never been given to an object.
    pub(crate) fn object_count(&self) -> u32 {
        self.objects.len() as u32
    }

    pub fn info(&self, id: u32) -> Option<ObjectInfo> {
        let object = self.objects.get(id as usize)?;
        let cold = self.infos[id as usize];
        Some(ObjectInfo {
            kind: cold.kind,
            size: cold.size,
            alive: object.alive,
            writable: object.writable,
            born: cold.born,
            died: cold.died,
        })
    }

    /// The object that a failed access was meant for, and the offset in it: going below
    /// the beginning of an object leads to the end of the address range before it.
    pub fn intended(&self, address: Address) -> (u32, i64) {
        let (id, offset) = (object_of(address), offset_of(address));
        let inside = self.info(id).is_some_and(|info| offset < info.size);
        match id.checked_add(1) {
            Some(next) if (offset as i32) < 0 && !inside && self.info(next).is_some() => {
                (next, i64::from(offset as i32))
            }
            _ => (id, i64::from(offset)),
        }
    }

    /// Why an access that failed is an error.
    pub fn explain(&self, fault: &Fault) -> FaultReason {
        let (id, offset) = self.intended(fault.address);
        if id == 0 {
            // The first page is what null-based field accesses hit; beyond it the
            // address is an integer that never was a pointer.
            return if offset_of(fault.address) < 4096 {
                FaultReason::Null
            } else {
                FaultReason::Wild
            };
        }
        let Some(info) = self.info(id) else {
            return FaultReason::Wild;
        };
        match fault.access {
            Access::Call => FaultReason::Wild,
            Access::Free => match info.kind {
                ObjectKind::Heap if !info.alive => FaultReason::DoubleFree,
                _ => FaultReason::InvalidFree,
            },
            Access::Read | Access::Write => match info.kind {
                ObjectKind::Null | ObjectKind::Function => FaultReason::Wild,
                ObjectKind::Stack if !info.alive => FaultReason::UseAfterReturn,
                _ if !info.alive => FaultReason::UseAfterFree,
                _ if offset < 0 || offset as u64 + fault.size > u64::from(info.size) => {
                    FaultReason::OutOfBounds
                }
                _ => FaultReason::ReadOnly,
            },
        }
    }

    // The arena.

    fn push(&mut self, object: Object, kind: ObjectKind, size: u32, born: CodeSite) -> u32 {
        let id = u32::try_from(self.objects.len()).expect("fewer than 2^32 objects");
        self.objects.push(object);
        self.infos.push(ColdInfo {
            kind,
            size,
            born,
            died: CodeSite::NONE,
        });
        id
    }

    fn take_block(&mut self, size: u32) -> Result<u32, OutOfMemory> {
        if size == 0 {
            return Ok(0);
        }
        let class = size_class(size);
        if let Some(start) = self.free[class].pop() {
            self.arena[start as usize..start as usize + size as usize].fill(0);
            return Ok(start);
        }
        let start = self.arena.len();
        let end = start + class_size(class) as usize;
        if end > u32::MAX as usize {
            return Err(OutOfMemory {
                requested: u64::from(size),
            });
        }
        self.arena.resize(end, 0);
        Ok(start as u32)
    }

    fn give_block(&mut self, start: u32, size: u32) {
        if size > 0 {
            self.free[size_class(size)].push(start);
        }
    }
}

fn size_class(size: u32) -> usize {
    (size.max(16).next_power_of_two().trailing_zeros() - 4) as usize
}

fn class_size(class: usize) -> u32 {
    16 << class
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heap(memory: &mut Memory, size: u64) -> Address {
        memory
            .allocate(ObjectKind::Heap, size, CodeSite::NONE)
            .unwrap()
    }

    #[test]
    fn accesses_stay_inside_their_object() {
        let mut memory = Memory::new(1 << 20);
        let block = heap(&mut memory, 10);
        memory.store(block + 2, 7u64.to_le_bytes()).unwrap();
        assert_eq!(memory.load::<8>(block + 2).unwrap(), 7u64.to_le_bytes());
        let fault = memory.store(block + 3, 7u64.to_le_bytes()).unwrap_err();
        assert_eq!(memory.explain(&fault), FaultReason::OutOfBounds);
        let below = memory.load::<1>(block.wrapping_sub(1)).unwrap_err();
        assert_eq!(memory.explain(&below), FaultReason::OutOfBounds);
        assert_eq!(memory.intended(below.address), (object_of(block), -1));
    }

    #[test]
    fn a_freed_block_is_recognised() {
        let mut memory = Memory::new(1 << 20);
        let block = heap(&mut memory, 10);
        memory.free(block, CodeSite::NONE).unwrap();
        let fault = memory.load::<1>(block).unwrap_err();
        assert_eq!(memory.explain(&fault), FaultReason::UseAfterFree);
        let again = memory.free(block, CodeSite::NONE).unwrap_err();
        assert_eq!(memory.explain(&again), FaultReason::DoubleFree);
        let inside = heap(&mut memory, 10) + 1;
        let invalid = memory.free(inside, CodeSite::NONE).unwrap_err();
        assert_eq!(memory.explain(&invalid), FaultReason::InvalidFree);
    }

    #[test]
    fn reused_memory_is_zero_and_has_a_new_address() {
        let mut memory = Memory::new(1 << 20);
        let first = heap(&mut memory, 16);
        memory.store(first, [0xff; 16]).unwrap();
        memory.free(first, CodeSite::NONE).unwrap();
        let second = heap(&mut memory, 12);
        assert_ne!(first, second);
        assert_eq!(memory.load::<12>(second).unwrap(), [0; 12]);
    }

    #[test]
    fn null_wild_and_read_only_are_told_apart() {
        let mut memory = Memory::new(1 << 20);
        let block = heap(&mut memory, 8);
        memory.set_writable(object_of(block), false);
        let reasons: Vec<_> = [0x10, 0x12345, 0xdead << 32, block]
            .into_iter()
            .map(|address| {
                let fault = memory.store(address, [0u8; 4]).unwrap_err();
                memory.explain(&fault)
            })
            .collect();
        assert_eq!(
            reasons,
            [
                FaultReason::Null,
                FaultReason::Wild,
                FaultReason::Wild,
                FaultReason::ReadOnly
            ]
        );
    }

    #[test]
    fn a_protected_part_keeps_the_rest_usable() {
        let mut memory = Memory::new(1 << 20);
        let block = heap(&mut memory, 64);
        memory.protect_part(block, 16, false, false);
        assert!(memory.load::<8>(block + 8).is_err());
        assert!(memory.load::<8>(block + 12).is_err());
        memory.store(block + 16, [1; 8]).unwrap();
        assert_eq!(memory.load::<8>(block + 16).unwrap(), [1; 8]);
        assert!(memory.load::<8>(block + 60).is_err());
        memory.protect_part(block, 16, true, false);
        assert!(memory.load::<8>(block).is_ok());
        assert!(memory.store(block, [1; 8]).is_err());
        memory.free(block, CodeSite::NONE).unwrap();
        assert!(memory.load::<8>(block + 16).is_err());
    }

    #[test]
    fn an_object_larger_than_any_class_is_refused() {
        let mut memory = Memory::new(u64::MAX);
        let size = LARGEST_OBJECT + 1;
        let refused = memory.allocate(ObjectKind::Heap, size, CodeSite::NONE);
        assert_eq!(refused, Err(OutOfMemory { requested: size }));
    }

    #[test]
    fn the_limit_holds() {
        let mut memory = Memory::new(1000);
        heap(&mut memory, 600);
        assert!(
            memory
                .allocate(ObjectKind::Heap, 401, CodeSite::NONE)
                .is_err()
        );
        heap(&mut memory, 400);
    }
}
