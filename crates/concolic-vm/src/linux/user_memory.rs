//! How the kernel sees guest memory, and the ways it copies from and to it.
//!
//! Data (file contents) moves with its terms. What the kernel itself must understand (a path, an
//! `iovec`, a `timespec`) is read as it concretely is; each symbolic byte so used is noted as a
//! [`Concretisation`], because the run then only speaks for inputs that agree in that byte.

use super::bytes::BytesView;
use super::errno::Errno;
use super::{Interrupt, Kernel, Outcome, SyscallResult};

/// Guest memory. Addresses are opaque: nothing is assumed of how two objects lie to each other.
pub trait UserMemory {
    /// The readable bytes from `address` to the end of the object it is in; `None` if it is in none.
    fn readable(&self, address: u64) -> Option<&[u8]>;

    /// The term ids of `length` readable bytes, 0 for a concrete one; `None` if all are concrete.
    fn terms(&self, address: u64, length: usize) -> Option<&[u32]>;

    /// Stores bytes with their terms. `false`, and nothing stored, if not all of them are writable.
    fn write(&mut self, address: u64, bytes: &[u8], terms: Option<&[u32]>) -> bool;

    /// A new mapping of `length` bytes that starts with `content` and is zero after it. `None` if
    /// memory is exhausted.
    fn map(&mut self, length: u64, content: BytesView<'_>, protection: Protection) -> Option<u64>;

    /// Grows (with zeros) or shrinks a mapping in place; `address` is its start.
    fn resize(&mut self, address: u64, length: u64) -> bool;

    /// Ends a whole mapping; `address` is its start.
    fn unmap(&mut self, address: u64);

    /// Changes what may be done with a part of a mapping.
    fn protect(&mut self, address: u64, length: u64, protection: Protection) -> bool;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Protection {
    pub read: bool,
    pub write: bool,
}

impl Protection {
    pub const READ_WRITE: Protection = Protection {
        read: true,
        write: true,
    };
    pub const NONE: Protection = Protection {
        read: false,
        write: false,
    };
}

/// A symbolic byte that the kernel had to treat as the value it has in this run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Concretisation {
    pub term: u32,
    pub value: u8,
    /// The number of the system call that did so.
    pub syscall: u64,
}

/// The longest path, with its terminating zero.
const PATH_MAX: usize = 4096;

impl Kernel {
    /// Bytes that the kernel itself interprets.
    pub(super) fn read_plain(
        &mut self,
        memory: &dyn UserMemory,
        address: u64,
        length: usize,
    ) -> Outcome<Vec<u8>> {
        let view = read_data(memory, address, length)?;
        self.note_concretisations(view);
        Ok(view.bytes.to_vec())
    }

    pub(super) fn read_u64(&mut self, memory: &dyn UserMemory, address: u64) -> Outcome<u64> {
        let bytes = self.read_plain(memory, address, 8)?;
        Ok(u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
    }

    pub(super) fn read_u32(&mut self, memory: &dyn UserMemory, address: u64) -> Outcome<u32> {
        let bytes = self.read_plain(memory, address, 4)?;
        Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }

    /// Two 64-bit numbers: a `timespec`, `timeval`, `iovec` or `rlimit`.
    pub(super) fn read_pair(
        &mut self,
        memory: &dyn UserMemory,
        address: u64,
    ) -> Outcome<(u64, u64)> {
        let first = self.read_u64(memory, address)?;
        let second = self.read_u64(memory, address.wrapping_add(8))?;
        Ok((first, second))
    }

    /// A path, without its terminating zero. An empty one names nothing.
    pub(super) fn read_path(&mut self, memory: &dyn UserMemory, address: u64) -> Outcome<Vec<u8>> {
        let path = self.read_path_or_empty(memory, address)?;
        if path.is_empty() {
            return Err(Errno::ENOENT.into());
        }
        Ok(path)
    }

    /// A path that may be empty, as with `AT_EMPTY_PATH`.
    pub(super) fn read_path_or_empty(
        &mut self,
        memory: &dyn UserMemory,
        address: u64,
    ) -> Outcome<Vec<u8>> {
        let fault = || fault(address, 1, false);
        let readable = memory.readable(address).ok_or_else(fault)?;
        let searched = &readable[..readable.len().min(PATH_MAX)];
        let Some(length) = searched.iter().position(|&byte| byte == 0) else {
            return if searched.len() == PATH_MAX {
                Err(Errno::ENAMETOOLONG.into())
            } else {
                Err(super::user_memory::fault(
                    address,
                    readable.len() + 1,
                    false,
                ))
            };
        };
        let view = read_data(memory, address, length + 1)?;
        self.note_concretisations(view);
        let path = &view.bytes[..length];
        self.note_name(path);
        Ok(path.to_vec())
    }

    fn note_concretisations(&mut self, view: BytesView<'_>) {
        let Some(terms) = view.terms else { return };
        for (&term, &value) in terms.iter().zip(view.bytes) {
            if term != 0 {
                self.notes.concretisations.push(Concretisation {
                    term,
                    value,
                    syscall: self.current,
                });
            }
        }
    }
}

/// Bytes with their terms, to be stored somewhere.
pub(super) fn read_data(
    memory: &dyn UserMemory,
    address: u64,
    length: usize,
) -> Outcome<BytesView<'_>> {
    if length == 0 {
        return Ok(BytesView::concrete(&[]));
    }
    let bytes = memory
        .readable(address)
        .and_then(|bytes| bytes.get(..length))
        .ok_or_else(|| fault(address, length, false))?;
    Ok(BytesView {
        bytes,
        terms: memory.terms(address, length),
    })
}

pub(super) fn write_data(
    memory: &mut dyn UserMemory,
    address: u64,
    data: BytesView<'_>,
) -> Outcome<()> {
    if data.bytes.is_empty() || memory.write(address, data.bytes, data.terms) {
        Ok(())
    } else {
        Err(fault(address, data.bytes.len(), true))
    }
}

pub(super) fn write_plain(memory: &mut dyn UserMemory, address: u64, bytes: &[u8]) -> Outcome<()> {
    write_data(memory, address, BytesView::concrete(bytes))
}

fn fault(address: u64, length: usize, write: bool) -> Interrupt {
    Interrupt::Stop(SyscallResult::Fault {
        address,
        length: length as u64,
        write,
    })
}

/// Lays out a C structure field by field, little-endian.
#[derive(Default)]
pub(super) struct Layout(pub(super) Vec<u8>);

impl Layout {
    pub(super) fn u16(mut self, value: u16) -> Layout {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub(super) fn u32(mut self, value: u32) -> Layout {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub(super) fn u64(mut self, value: u64) -> Layout {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    /// A `timespec` from nanoseconds since 1970.
    pub(super) fn time(self, nanoseconds: i64) -> Layout {
        self.u64(nanoseconds.div_euclid(1_000_000_000) as u64)
            .u64(nanoseconds.rem_euclid(1_000_000_000) as u64)
    }

    pub(super) fn zeros(mut self, count: usize) -> Layout {
        self.0.resize(self.0.len() + count, 0);
        self
    }
}
