//! A small guest memory, and a process that makes system calls with it.

use std::collections::BTreeMap;

use concolic_vm::linux::syscall_table::number;
use concolic_vm::linux::{
    Bytes, BytesView, Errno, Kernel, KernelConfig, Protection, SyscallResult, UserMemory,
};

/// Objects at multiples of 4 GiB, as in the machine.
#[derive(Default)]
pub(crate) struct TestMemory {
    objects: BTreeMap<u64, Object>,
    next: u64,
}

struct Object {
    content: Bytes,
    protection: Protection,
}

impl TestMemory {
    pub(crate) fn allocate(&mut self, content: BytesView<'_>, length: usize) -> u64 {
        self.map(length as u64, content, Protection::READ_WRITE)
            .expect("test memory is never exhausted")
    }

    fn object(&self, address: u64) -> Option<&Object> {
        self.objects.get(&(address >> 32))
    }
}

impl UserMemory for TestMemory {
    fn readable(&self, address: u64) -> Option<&[u8]> {
        let object = self.object(address)?;
        let readable = object.protection.read.then(|| object.content.bytes())?;
        readable.get(address as u32 as usize..)
    }

    fn terms(&self, address: u64, length: usize) -> Option<&[u32]> {
        let start = address as u32 as usize;
        self.object(address)?
            .content
            .terms()?
            .get(start..start + length)
    }

    fn write(&mut self, address: u64, bytes: &[u8], terms: Option<&[u32]>) -> bool {
        let start = address as u32 as usize;
        let Some(object) = self.objects.get_mut(&(address >> 32)) else {
            return false;
        };
        if !object.protection.write || start + bytes.len() > object.content.len() {
            return false;
        }
        object.content.write_at(start, BytesView { bytes, terms });
        true
    }

    fn map(&mut self, length: u64, content: BytesView<'_>, protection: Protection) -> Option<u64> {
        self.next += 1;
        let mut bytes = content.to_bytes();
        bytes.resize(length as usize);
        self.objects.insert(
            self.next,
            Object {
                content: bytes,
                protection,
            },
        );
        Some(self.next << 32)
    }

    fn resize(&mut self, address: u64, length: u64) -> bool {
        let object = self.objects.get_mut(&(address >> 32)).unwrap();
        object.content.resize(length as usize);
        true
    }

    fn unmap(&mut self, address: u64) {
        self.objects.remove(&(address >> 32)).expect("a mapping");
    }

    fn protect(&mut self, address: u64, length: u64, protection: Protection) -> bool {
        let Some(object) = self.objects.get_mut(&(address >> 32)) else {
            return false;
        };
        let (start, end) = (address as u32 as u64, address as u32 as u64 + length);
        if end > object.content.len() as u64 {
            return false;
        }
        // Protections of parts are not kept by this memory.
        if start == 0 && end == object.content.len() as u64 {
            object.protection = protection;
        }
        true
    }
}

/// A process under test.
pub(crate) struct Guest {
    pub(crate) kernel: Kernel,
    pub(crate) memory: TestMemory,
}

impl Guest {
    pub(crate) fn new(config: KernelConfig) -> Guest {
        Guest {
            kernel: Kernel::new(config).expect("a valid configuration"),
            memory: TestMemory::default(),
        }
    }

    pub(crate) fn call(&mut self, call: u64, args: &[u64]) -> SyscallResult {
        let mut all = [0; 6];
        all[..args.len()].copy_from_slice(args);
        self.kernel.syscall(&mut self.memory, call, all)
    }

    /// A call that returns: the value or the error.
    pub(crate) fn value(&mut self, call: u64, args: &[u64]) -> Result<i64, Errno> {
        match self.call(call, args) {
            SyscallResult::Return(value) if value < 0 => Err(Errno(-value as i32)),
            SyscallResult::Return(value) => Ok(value),
            other => panic!("expected a return, got {other:?}"),
        }
    }

    pub(crate) fn unsupported(&mut self, call: u64, args: &[u64]) -> String {
        match self.call(call, args) {
            SyscallResult::Unsupported(reason) => reason,
            other => panic!("expected an unsupported call, got {other:?}"),
        }
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> u64 {
        self.memory
            .allocate(BytesView::concrete(bytes), bytes.len())
    }

    pub(crate) fn buffer(&mut self, length: usize) -> u64 {
        self.memory.allocate(BytesView::concrete(&[]), length)
    }

    /// A zero-terminated string.
    pub(crate) fn text(&mut self, text: &str) -> u64 {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        self.bytes(&bytes)
    }

    pub(crate) fn memory_at(&self, address: u64, length: usize) -> &[u8] {
        &self.memory.readable(address).expect("readable memory")[..length]
    }

    pub(crate) fn u64_at(&self, address: u64) -> u64 {
        u64::from_le_bytes(self.memory_at(address, 8).try_into().unwrap())
    }

    pub(crate) fn u32_at(&self, address: u64) -> u32 {
        u32::from_le_bytes(self.memory_at(address, 4).try_into().unwrap())
    }

    pub(crate) fn open(&mut self, path: &str, flags: i32) -> Result<u64, Errno> {
        let path = self.text(path);
        self.value(number::open, &[path, flags as u64, 0o644])
            .map(|descriptor| descriptor as u64)
    }

    pub(crate) fn write(&mut self, descriptor: u64, bytes: &[u8]) -> Result<i64, Errno> {
        let address = self.bytes(bytes);
        self.value(number::write, &[descriptor, address, bytes.len() as u64])
    }

    pub(crate) fn read(&mut self, descriptor: u64, length: usize) -> Result<Vec<u8>, Errno> {
        let address = self.buffer(length);
        let count = self.value(number::read, &[descriptor, address, length as u64])?;
        Ok(self.memory_at(address, count as usize).to_vec())
    }
}
