//! Functions that the machine provides instead of the guest's libc: memory allocation
//! (each block is an object of its own), block copies, non-local jumps, and the
//! doors to the modelled kernel.

use crate::machine::{Machine, Transfer};
use crate::memory::{Access, Address, Fault, ObjectKind, object_of, offset_of};
use crate::monitor::Monitor;
use crate::outcome::End;
use crate::site::CodeSite;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Builtin {
    Malloc,
    Calloc,
    Realloc,
    Free,
    AlignedAlloc,
    PosixMemalign,
    UsableSize,
    MemCopy,
    MemSet,
    SetJump,
    /// `sigsetjmp`, which can save the signal mask too.
    SignalSetJump,
    LongJump,
    Syscall,
    ThreadPointer,
    SetThreadPointer,
    /// `parallax_symbolic(pointer, size, name)`: an input of the program, by name.
    Symbolic,
    /// `__parallax_object(pointer, description)`: what a pointer points into.
    Object,
    /// `__parallax_holds_pointer(place)`: whether the eight bytes at a place are the address of something.
    HoldsPointer,
    /// `__parallax_static(name)`: the address of a variable by its symbol, also of one that C cannot name from elsewhere.
    Static,
    /// The guest's libc says where its `errno` is.
    ErrnoPlace,
    /// The guest's libc says what it cannot do.
    Unsupported,
}

impl Builtin {
    pub(crate) fn named(name: &str) -> Option<Builtin> {
        Some(match name {
            "malloc" => Builtin::Malloc,
            "calloc" => Builtin::Calloc,
            "realloc" => Builtin::Realloc,
            "free" => Builtin::Free,
            "aligned_alloc" | "memalign" => Builtin::AlignedAlloc,
            "posix_memalign" => Builtin::PosixMemalign,
            "malloc_usable_size" => Builtin::UsableSize,
            "memcpy" | "memmove" => Builtin::MemCopy,
            "memset" => Builtin::MemSet,
            "setjmp" | "_setjmp" => Builtin::SetJump,
            "sigsetjmp" | "__sigsetjmp" => Builtin::SignalSetJump,
            "longjmp" | "_longjmp" | "siglongjmp" => Builtin::LongJump,
            "__parallax_syscall" => Builtin::Syscall,
            "__parallax_thread_pointer" => Builtin::ThreadPointer,
            "__parallax_set_thread_pointer" => Builtin::SetThreadPointer,
            "parallax_symbolic" => Builtin::Symbolic,
            "__parallax_object" => Builtin::Object,
            "__parallax_holds_pointer" => Builtin::HoldsPointer,
            "__parallax_static" => Builtin::Static,
            "__parallax_errno_place" => Builtin::ErrnoPlace,
            "__parallax_unsupported" => Builtin::Unsupported,
            _ => return None,
        })
    }
}

/// Whether a function of this name sets a place to jump to, or jumps to one: control comes back to it or leaves it in other ways
/// than by calls and returns.
pub fn is_jump(name: &str) -> bool {
    matches!(
        Builtin::named(name),
        Some(Builtin::SetJump | Builtin::SignalSetJump | Builtin::LongJump)
    )
}

/// Whether a function of this name makes the system call whose number is its first argument.
pub fn is_system_call(name: &str) -> bool {
    Builtin::named(name) == Some(Builtin::Syscall)
}

/// Of a driver's `struct parallax_object`.
const OBJECT_SIZE: usize = 152;

const EINVAL: u64 = 22;
const ENOMEM: u64 = 12;

/// Marks a `jmp_buf` that `setjmp` has filled.
const JUMP_MAGIC: u64 = 0x7061_7261_6a6d_7031;

impl Machine<'_> {
    /// Runs a builtin. `args` are the words of its arguments; `byte_set` is the term of
    /// the byte that a `memset` stores.
    pub(crate) fn call_builtin(
        &mut self,
        builtin: Builtin,
        args: &[u64],
        byte_set: u32,
        site: CodeSite,
    ) -> Result<Transfer, End> {
        let arg = |index: usize| args.get(index).copied().unwrap_or(0);
        let value = match builtin {
            Builtin::Malloc => self.heap_block(arg(0), site)?,
            Builtin::Calloc => match arg(0).checked_mul(arg(1)) {
                Some(size) => self.heap_block(size, site)?,
                None => self.fails_with(ENOMEM),
            },
            Builtin::Realloc => self.reallocate(arg(0), arg(1), site)?,
            Builtin::Free => {
                self.memory
                    .free(arg(0), site)
                    .map_err(|fault| self.memory_error(fault))?;
                0
            }
            Builtin::AlignedAlloc => {
                if arg(0).is_power_of_two() {
                    self.heap_block(arg(1), site)?
                } else {
                    self.fails_with(EINVAL)
                }
            }
            Builtin::PosixMemalign => {
                let (place, alignment, size) = (arg(0), arg(1), arg(2));
                if !alignment.is_power_of_two() || alignment < 8 {
                    EINVAL
                } else {
                    match self.heap_block(size, site)? {
                        0 => ENOMEM,
                        block => {
                            self.memory
                                .write_bytes(place, &block.to_le_bytes())
                                .map_err(|fault| self.memory_error(fault))?;
                            0
                        }
                    }
                }
            }
            Builtin::UsableSize => match self.memory.info(object_of(arg(0))) {
                Some(info) if info.alive => u64::from(info.size),
                _ => 0,
            },
            Builtin::MemCopy => {
                self.memory
                    .copy(arg(0), arg(1), arg(2))
                    .map_err(|fault| self.memory_error(fault))?;
                arg(0)
            }
            Builtin::MemSet => {
                self.memory
                    .fill_with_term(arg(0), arg(1) as u8, byte_set, arg(2))
                    .map_err(|fault| self.memory_error(fault))?;
                arg(0)
            }
            Builtin::SetJump => {
                self.remember_jump(arg(0), None, site)?;
                0
            }
            Builtin::SignalSetJump => {
                let mask = (arg(1) as u32 != 0).then(|| self.kernel.signal_mask());
                self.remember_jump(arg(0), mask, site)?;
                0
            }
            Builtin::LongJump => return self.jump_back(arg(0), arg(1) as u32),
            Builtin::Syscall | Builtin::Symbolic => unreachable!("needs the monitor"),
            Builtin::ThreadPointer => self.thread_pointer,
            Builtin::SetThreadPointer => {
                self.thread_pointer = arg(0);
                0
            }
            Builtin::Object => {
                let description = self.describe(arg(0));
                self.memory
                    .write_bytes(arg(1), &description)
                    .map_err(|fault| self.memory_error(fault))?;
                0
            }
            Builtin::HoldsPointer => {
                let bytes = self
                    .memory
                    .load::<8>(arg(0))
                    .map_err(|fault| self.memory_error(fault))?;
                self.kind_of_address(Address::from_le_bytes(bytes))
            }
            Builtin::Static => {
                let name = self.c_string(arg(0))?;
                let global = self.program.module().global_named(&name);
                global.map_or(0, |global| self.program.global_address(global))
            }
            Builtin::ErrnoPlace => {
                self.errno_place = arg(0);
                0
            }
            Builtin::Unsupported => {
                let what = self.c_string(arg(0))?;
                return Err(End::Unsupported { what });
            }
        };
        Ok(Transfer::Return(value))
    }

    /// What a pointer points into, as `struct parallax_object` of a driver: how far behind the object's beginning the pointer is,
    /// the object's size, what it is, and its name. No address is in it: what follows the pointer is known to come from it.
    fn describe(&self, pointer: Address) -> [u8; OBJECT_SIZE] {
        let info = self.memory.info(object_of(pointer));
        let module = self.program.module();
        let (kind, name) = match info {
            None => (0, ""),
            Some(info) => match info.kind {
                ObjectKind::Null => (0, ""),
                ObjectKind::Function => {
                    let func = self.memory.function_at(pointer);
                    let func = func.map(program_ir::Func::from_u32);
                    (5, func.map_or("", |func| &module.functions[func].name))
                }
                _ if !info.alive => (2, ""),
                ObjectKind::Heap => (1, ""),
                ObjectKind::Global(index) => {
                    let name = &module.globals[program_ir::Global::from_u32(index)].name;
                    (3, name.as_str())
                }
                ObjectKind::Stack | ObjectKind::Mapping => (4, ""),
            },
        };
        let size = info.map_or(0, |info| info.size);
        let mut bytes = [0; OBJECT_SIZE];
        bytes[..8].copy_from_slice(&u64::from(offset_of(pointer)).to_le_bytes());
        bytes[8..16].copy_from_slice(&u64::from(size).to_le_bytes());
        bytes[16] = kind;
        let name = &name.as_bytes()[..name.len().min(OBJECT_SIZE - 25)];
        bytes[24..24 + name.len()].copy_from_slice(name);
        bytes
    }

    /// 1 for an address in a block of the heap, 2 for one in a variable, 0 for any other number. Numbers of the input count with the
    /// value that they have in this run: what is taken for an address by mistake is only reported as not compared.
    fn kind_of_address(&self, value: Address) -> u64 {
        let info = self.memory.info(object_of(value));
        let info = info.filter(|info| info.alive && offset_of(value) <= info.size);
        match info.map(|info| info.kind) {
            Some(ObjectKind::Heap) => 1,
            Some(ObjectKind::Global(_)) => 2,
            _ => 0,
        }
    }

    /// `parallax_symbolic`: the variable's content comes from the input, zeros where that
    /// has none. A name that is used again is another variable.
    pub(crate) fn make_symbolic<M: Monitor>(
        &mut self,
        args: &[u64],
        monitor: &mut M,
    ) -> Result<Transfer, End> {
        let &[address, size, name] = args else {
            return Err(End::Unsupported {
                what: "parallax_symbolic takes a pointer, a size and a name".into(),
            });
        };
        let name = self.c_string(name)?;
        let mut unique = name.clone();
        let mut times = 1;
        while self
            .variables
            .named
            .iter()
            .any(|(used, _)| **used == *unique)
        {
            times += 1;
            unique = format!("{name}#{times}");
        }
        let name: Arc<str> = unique.into();
        let size = u32::try_from(size).map_err(|_| {
            self.memory_error(Fault {
                access: Access::Write,
                address,
                size,
            })
        })?;
        let mut bytes = self
            .variables
            .values
            .get(&*name)
            .cloned()
            .unwrap_or_default();
        bytes.resize(size as usize, 0);
        self.memory
            .write_bytes(address, &bytes)
            .map_err(|fault| self.memory_error(fault))?;
        self.variables.named.push((name.clone(), size));
        monitor.named(self, address, &name, size);
        Ok(Transfer::Return(0))
    }

    fn c_string(&self, address: Address) -> Result<String, End> {
        let mut text = Vec::new();
        loop {
            let place = address.wrapping_add(text.len() as u64);
            let [byte] = self
                .memory
                .load::<1>(place)
                .map_err(|fault| self.memory_error(fault))?;
            if byte == 0 {
                return Ok(String::from_utf8_lossy(&text).into_owned());
            }
            text.push(byte);
        }
    }

    /// A heap block, or null where every malloc would refuse: more than half the
    /// address space. A size that only this run's limit forbids ends the run.
    fn heap_block(&mut self, size: u64, site: CodeSite) -> Result<Address, End> {
        if size > i64::MAX as u64 {
            return Ok(self.fails_with(ENOMEM));
        }
        self.allocate(ObjectKind::Heap, size, site)
    }

    fn reallocate(&mut self, old: Address, size: u64, site: CodeSite) -> Result<Address, End> {
        if old == 0 {
            return self.heap_block(size, site);
        }
        if size > i64::MAX as u64 {
            return Ok(self.fails_with(ENOMEM));
        }
        let old_size = match self.memory.info(object_of(old)) {
            Some(info) if info.alive && info.kind == ObjectKind::Heap && offset_of(old) == 0 => {
                u64::from(info.size)
            }
            _ => {
                let fault = self
                    .memory
                    .free(old, site)
                    .expect_err("not a live heap block");
                return Err(self.memory_error(fault));
            }
        };
        if size == 0 {
            // As glibc does; C leaves it open.
            self.memory
                .free(old, site)
                .map_err(|fault| self.memory_error(fault))?;
            return Ok(0);
        }
        let new = self.heap_block(size, site)?;
        self.memory
            .copy(new, old, old_size.min(size))
            .map_err(|fault| self.memory_error(fault))?;
        self.memory
            .free(old, site)
            .map_err(|fault| self.memory_error(fault))?;
        Ok(new)
    }

    /// Sets the guest's `errno`; the null that a failing allocation returns.
    fn fails_with(&mut self, errno: u64) -> Address {
        // A program without our libc has no place for it.
        let _ = self
            .memory
            .write_bytes(self.errno_place, &(errno as u32).to_le_bytes());
        0
    }

    /// `setjmp`: the buffer remembers the frame and the call, and the signal mask if asked to.
    fn remember_jump(
        &mut self,
        buffer: Address,
        mask: Option<u64>,
        site: CodeSite,
    ) -> Result<(), End> {
        let depth = self.frames.len() as u64 - 1;
        let serial = self.frames[depth as usize].serial;
        let words = [
            JUMP_MAGIC,
            depth,
            serial,
            u64::from(site.pc),
            u64::from(mask.is_some()),
            mask.unwrap_or(0),
        ];
        for (index, word) in words.into_iter().enumerate() {
            self.memory
                .write_bytes(buffer + 8 * index as u64, &word.to_le_bytes())
                .map_err(|fault| self.memory_error(fault))?;
        }
        Ok(())
    }

    /// `longjmp`: ends every frame above the one that called `setjmp`.
    fn jump_back(&mut self, buffer: Address, value: u32) -> Result<Transfer, End> {
        let mut words = [0; 6];
        for (index, word) in words.iter_mut().enumerate() {
            let bytes = self
                .memory
                .load::<8>(buffer + 8 * index as u64)
                .map_err(|fault| self.memory_error(fault))?;
            *word = u64::from_le_bytes(bytes);
        }
        let [magic, depth, serial, pc, has_mask, mask] = words;
        let target = self.frames.get(depth as usize);
        if magic != JUMP_MAGIC || target.is_none_or(|frame| frame.serial != serial) {
            return Err(End::DeadJump);
        }
        while self.frames.len() as u64 > depth + 1 {
            self.end_frame();
        }
        if has_mask != 0 {
            self.kernel.set_signal_mask(mask);
        }
        Ok(Transfer::Resume {
            pc: pc as u32,
            value: u64::from(value.max(1)),
        })
    }
}
