//! `mmap(2)`, `munmap(2)`, `mremap(2)`, `mprotect(2)`, `brk(2)` and advice about memory.
//!
//! Each mapping is one object of guest memory; the kernel remembers which it handed out. Mappings
//! grow in place, so `mremap` never moves one. Unmapping part of a mapping shrinks it at its end and
//! makes it inaccessible elsewhere.

use std::collections::BTreeMap;

use super::bytes::BytesView;
use super::errno::Errno;
use super::file_system::Node;
use super::user_memory::{Protection, UserMemory};
use super::{Kernel, Outcome};

const PAGE: u64 = 4096;

const PROT_READ: u64 = 1;
const PROT_WRITE: u64 = 2;
const PROT_EXEC: u64 = 4;

const MAP_SHARED: u64 = 1;
const MAP_PRIVATE: u64 = 2;
const MAP_SHARED_VALIDATE: u64 = 3;
const MAP_TYPE: u64 = 0xf;
const MAP_FIXED: u64 = 0x10;
const MAP_ANONYMOUS: u64 = 0x20;
const MAP_FIXED_NOREPLACE: u64 = 0x10_0000;

const MREMAP_MAYMOVE: u64 = 1;
const MREMAP_FIXED: u64 = 2;
const MREMAP_DONTUNMAP: u64 = 4;

/// The largest mapping; an object's offsets have 32 bits.
const MAXIMUM_LENGTH: u64 = 1 << 32;

/// What the process has mapped: start and length.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Mappings {
    lengths: BTreeMap<u64, u64>,
    heap: Option<Heap>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Heap {
    start: u64,
    end: u64,
}

impl Mappings {
    /// The mapping that contains `address`: start and length.
    fn containing(&self, address: u64) -> Option<(u64, u64)> {
        let (&start, &length) = self.lengths.range(..=address).next_back()?;
        (address - start < length).then_some((start, length))
    }
}

impl Kernel {
    pub(super) fn mmap(
        &mut self,
        memory: &mut dyn UserMemory,
        [_, length, protection, flags, descriptor, offset]: [u64; 6],
    ) -> Outcome {
        if !offset.is_multiple_of(PAGE) {
            return Err(Errno::EINVAL.into());
        }
        let anonymous = flags & MAP_ANONYMOUS != 0;
        let file = if anonymous {
            None
        } else {
            Some(self.file(descriptor as i32)?)
        };
        if length == 0 {
            return Err(Errno::EINVAL.into());
        }
        let shared = match flags & MAP_TYPE {
            MAP_SHARED | MAP_SHARED_VALIDATE => true,
            MAP_PRIVATE => false,
            _ => return Err(Errno::EINVAL.into()),
        };
        if flags & (MAP_FIXED | MAP_FIXED_NOREPLACE) != 0 {
            return self.unsupported("mapping at a chosen address is not modelled");
        }
        if protection & PROT_EXEC != 0 {
            return self.unsupported("executable memory is not modelled");
        }
        if length > MAXIMUM_LENGTH - PAGE {
            return Err(Errno::ENOMEM.into());
        }
        let length = length.next_multiple_of(PAGE);
        let mut content = BytesView::concrete(&[]);
        if let Some(file) = file {
            if !file.readable() {
                return Err(Errno::EACCES.into());
            }
            if shared && protection & PROT_WRITE != 0 {
                if !file.writable() {
                    return Err(Errno::EACCES.into());
                }
                return self.unsupported("writing to a file through memory is not modelled");
            }
            content = match &self.files.inode(file.inode).node {
                Node::File(content) => content.slice(offset, length as usize),
                _ => return Err(Errno::ENODEV.into()),
            };
        }
        let address = memory
            .map(length, content, decode(protection))
            .ok_or(Errno::ENOMEM)?;
        self.memory.lengths.insert(address, length);
        Ok(address as i64)
    }

    pub(super) fn munmap(
        &mut self,
        memory: &mut dyn UserMemory,
        address: u64,
        length: u64,
    ) -> Outcome {
        if !address.is_multiple_of(PAGE) || length == 0 || length > MAXIMUM_LENGTH {
            return Err(Errno::EINVAL.into());
        }
        let length = length.next_multiple_of(PAGE);
        let Some((start, mapped)) = self.memory.containing(address) else {
            return Ok(0);
        };
        let before = address - start;
        let reaches_end = before + length >= mapped;
        if before == 0 && reaches_end {
            memory.unmap(start);
            self.memory.lengths.remove(&start);
        } else if reaches_end {
            memory.resize(start, before);
            self.memory.lengths.insert(start, before);
        } else {
            memory.protect(address, length, Protection::NONE);
        }
        Ok(0)
    }

    pub(super) fn mremap(
        &mut self,
        memory: &mut dyn UserMemory,
        [address, old_length, new_length, flags, ..]: [u64; 6],
    ) -> Outcome {
        if flags & !(MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP) != 0
            || !address.is_multiple_of(PAGE)
            || new_length == 0
        {
            return Err(Errno::EINVAL.into());
        }
        if flags & (MREMAP_FIXED | MREMAP_DONTUNMAP) != 0 {
            return self.unsupported("moving a mapping to a chosen address is not modelled");
        }
        let (start, mapped) = self.memory.containing(address).ok_or(Errno::EFAULT)?;
        let old_length = old_length.next_multiple_of(PAGE);
        if start != address || old_length != mapped {
            return self.unsupported("resizing part of a mapping is not modelled");
        }
        if new_length > MAXIMUM_LENGTH - PAGE {
            return Err(Errno::ENOMEM.into());
        }
        let new_length = new_length.next_multiple_of(PAGE);
        if !memory.resize(address, new_length) {
            return Err(Errno::ENOMEM.into());
        }
        self.memory.lengths.insert(address, new_length);
        Ok(address as i64)
    }

    pub(super) fn mprotect(
        &mut self,
        memory: &mut dyn UserMemory,
        address: u64,
        length: u64,
        protection: u64,
    ) -> Outcome {
        if !address.is_multiple_of(PAGE) || protection & !(PROT_READ | PROT_WRITE | PROT_EXEC) != 0
        {
            return Err(Errno::EINVAL.into());
        }
        if length == 0 {
            return Ok(0);
        }
        if protection & PROT_EXEC != 0 {
            return self.unsupported("executable memory is not modelled");
        }
        if length <= MAXIMUM_LENGTH
            && memory.protect(address, length.next_multiple_of(PAGE), decode(protection))
        {
            Ok(0)
        } else {
            Err(Errno::ENOMEM.into())
        }
    }

    pub(super) fn madvise(
        &mut self,
        memory: &mut dyn UserMemory,
        address: u64,
        length: u64,
        advice: u64,
    ) -> Outcome {
        const MADV_DONTNEED: u64 = 4;
        const MADV_FREE: u64 = 8;
        if !address.is_multiple_of(PAGE) {
            return Err(Errno::EINVAL.into());
        }
        match advice {
            // The content of private anonymous memory is lost.
            MADV_DONTNEED => {
                let zeros = vec![0; length.min(MAXIMUM_LENGTH).next_multiple_of(PAGE) as usize];
                if memory.write(address, &zeros, None) {
                    Ok(0)
                } else {
                    Err(Errno::ENOMEM.into())
                }
            }
            // Freed pages may keep their content; here they always do.
            0..=3 | MADV_FREE | 10..=25 => Ok(0),
            9 => self.unsupported("removing pages is not modelled"),
            _ => Err(Errno::EINVAL.into()),
        }
    }

    /// The heap is one mapping of `limits.heap_bytes`, made when first asked for.
    pub(super) fn brk(&mut self, memory: &mut dyn UserMemory, wanted: u64) -> Outcome {
        let limit = self.limits.heap_bytes;
        let mut heap = match self.memory.heap {
            Some(heap) => heap,
            None if limit == 0 => return Ok(0),
            None => {
                let empty = BytesView::concrete(&[]);
                let start = memory
                    .map(limit, empty, Protection::READ_WRITE)
                    .ok_or(Errno::ENOMEM)?;
                Heap { start, end: start }
            }
        };
        if (heap.start..=heap.start + limit).contains(&wanted) {
            // What is given back and taken again is zero again.
            if wanted < heap.end {
                let zeros = vec![0; (heap.end - wanted) as usize];
                memory.write(wanted, &zeros, None);
            }
            heap.end = wanted;
        }
        self.memory.heap = Some(heap);
        Ok(heap.end as i64)
    }

    /// `mincore`, `mlock` and the like: everything mapped is resident.
    pub(super) fn mlock(&mut self, memory: &dyn UserMemory, address: u64, length: u64) -> Outcome {
        let readable = memory.readable(address).map_or(0, <[u8]>::len) as u64;
        if length == 0 || readable >= length {
            Ok(0)
        } else {
            Err(Errno::ENOMEM.into())
        }
    }
}

fn decode(protection: u64) -> Protection {
    Protection {
        // On x86-64 what can be written can be read.
        read: protection & (PROT_READ | PROT_WRITE) != 0,
        write: protection & PROT_WRITE != 0,
    }
}
