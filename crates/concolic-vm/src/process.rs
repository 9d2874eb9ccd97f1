//! Starting a process: the memory that Linux hands to a new program, and how the
//! modelled kernel reaches the machine's memory.

use crate::linux::{Bytes, BytesView, Kernel, Protection, UserMemory};
use crate::machine::{Limits, Machine};
use crate::memory::{Address, Memory, ObjectKind, object_of, offset_of};
use crate::outcome::End;
use crate::program::Program;
use crate::site::CodeSite;

/// What a program is started with, besides the files and streams that the kernel holds.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// The first is the program's own name.
    pub args: Vec<Vec<u8>>,
    /// `NAME=value`.
    pub environment: Vec<Vec<u8>>,
}

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("the program has no 'main'")]
    NoMain,
    #[error("the process cannot start: {0}")]
    Failed(End),
}

/// The start routine of the bitcode libc.
const LIBC_START: &str = "__parallax_start";

impl<'p> Machine<'p> {
    /// A process that is about to execute its first instruction.
    pub fn start(
        program: &'p Program,
        kernel: Kernel,
        limits: Limits,
        start: &Start,
    ) -> Result<Machine<'p>, StartError> {
        let strings = |all: &[Vec<u8>]| all.iter().map(|text| Bytes::concrete(&text[..])).collect();
        let args: Vec<Bytes> = strings(&start.args);
        Machine::start_with(program, kernel, limits, &args, &strings(&start.environment))
    }

    /// As [`Machine::start`], with strings that may carry terms.
    pub(crate) fn start_with(
        program: &'p Program,
        kernel: Kernel,
        limits: Limits,
        args: &[Bytes],
        environment: &[Bytes],
    ) -> Result<Machine<'p>, StartError> {
        let module = program.module();
        let defined = |name| {
            module
                .function_named(name)
                .filter(|&func| !module.functions[func].is_declaration())
        };
        let main = defined("main").ok_or(StartError::NoMain)?;
        let libc = defined(LIBC_START);
        let entry = libc.unwrap_or(main);
        let mut machine =
            Machine::new(program, kernel, limits, entry).map_err(StartError::Failed)?;
        let stack = machine
            .lay_out_start(args, environment)
            .map_err(StartError::Failed)?;
        if libc.is_some() {
            machine.set_argument(0, stack);
        } else {
            let argc = args.len() as u64;
            let words = [argc, stack + 8, stack + 16 + 8 * argc];
            let params = module.functions[main].signature.params.len();
            for (index, word) in words.into_iter().enumerate().take(params) {
                machine.set_argument(index, word);
            }
        }
        Ok(machine)
    }

    /// The block that the kernel puts on a new stack: argument count, arguments,
    /// environment, auxiliary vector. Returns its address.
    fn lay_out_start(&mut self, args: &[Bytes], environment: &[Bytes]) -> Result<Address, End> {
        let mut words = vec![args.len() as u64];
        for arg in args {
            words.push(self.place_string(arg)?);
        }
        words.push(0);
        for variable in environment {
            words.push(self.place_string(variable)?);
        }
        words.push(0);
        let random = self.place_bytes(&[0x5a; 16])?;
        let (user, group) = self.kernel.user();
        let (user, group) = (u64::from(user), u64::from(group));
        let auxiliary = [
            (AT_PAGESZ, 4096),
            (AT_CLKTCK, 100),
            (AT_UID, user),
            (AT_EUID, user),
            (AT_GID, group),
            (AT_EGID, group),
            (AT_SECURE, 0),
            (AT_RANDOM, random),
            (AT_NULL, 0),
        ];
        words.extend(auxiliary.iter().flat_map(|&(key, value)| [key, value]));
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.place_bytes(&bytes)
    }

    fn place_string(&mut self, text: &Bytes) -> Result<Address, End> {
        let mut bytes = text.bytes().to_vec();
        bytes.push(0);
        let address = self.place_bytes(&bytes)?;
        if let Some(terms) = text.terms() {
            self.memory.set_terms(address, terms);
        }
        Ok(address)
    }

    fn place_bytes(&mut self, bytes: &[u8]) -> Result<Address, End> {
        let address = self.allocate(ObjectKind::Mapping, bytes.len() as u64, CodeSite::NONE)?;
        self.memory.initialise(address, bytes);
        Ok(address)
    }
}

const AT_NULL: u64 = 0;
const AT_PAGESZ: u64 = 6;
const AT_UID: u64 = 11;
const AT_EUID: u64 = 12;
const AT_GID: u64 = 13;
const AT_EGID: u64 = 14;
const AT_CLKTCK: u64 = 17;
const AT_SECURE: u64 = 23;
const AT_RANDOM: u64 = 25;

impl UserMemory for Memory {
    fn readable(&self, address: u64) -> Option<&[u8]> {
        let info = self.info(object_of(address)).filter(|info| info.alive)?;
        let left = u64::from(info.size).checked_sub(u64::from(offset_of(address)))?;
        let readable = left.min(self.unguarded_length(address));
        self.bytes(address, readable).ok()
    }

    fn terms(&self, address: u64, length: usize) -> Option<&[u32]> {
        Memory::terms(self, address, length as u64)
    }

    fn write(&mut self, address: u64, bytes: &[u8], terms: Option<&[u32]>) -> bool {
        match self.bytes_mut(address, bytes.len() as u64) {
            Ok(place) => {
                place.copy_from_slice(bytes);
                if let Some(terms) = terms {
                    self.set_terms(address, terms);
                }
                true
            }
            Err(_) => false,
        }
    }

    fn map(&mut self, length: u64, content: BytesView<'_>, protection: Protection) -> Option<u64> {
        let address = self
            .allocate(ObjectKind::Mapping, length, CodeSite::NONE)
            .ok()?;
        self.initialise(address, content.bytes);
        if let Some(written) = &mut self.written {
            written.push((address, content.bytes.len() as u64));
        }
        if let Some(terms) = content.terms {
            self.set_terms(address, terms);
        }
        self.set_writable(object_of(address), protection.write);
        if !protection.read {
            self.protect_part(address, length, false, protection.write);
        }
        Some(address)
    }

    fn resize(&mut self, address: u64, length: u64) -> bool {
        Memory::resize(self, object_of(address), length).is_ok()
    }

    fn unmap(&mut self, address: u64) {
        self.end(object_of(address), CodeSite::NONE);
    }

    fn protect(&mut self, address: u64, length: u64, protection: Protection) -> bool {
        let alive = self.info(object_of(address)).is_some_and(|info| info.alive);
        if alive {
            self.protect_part(address, length, protection.read, protection.write);
        }
        alive
    }
}
