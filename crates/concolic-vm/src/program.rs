//! A module made ready to run: addresses assigned, functions decoded, initial memory
//! laid out. Immutable; any number of machines can share one.

use crate::builtins::Builtin;
use crate::decode;
use crate::memory::{Address, Memory, ObjectKind, object_of};
use crate::op::{Code, Op};
use crate::outcome::StackFrame;
use crate::site::CodeSite;
use program_ir::{Block, Constant, EntityRef, Func, Global, Linkage, Module, SecondaryMap};
use std::collections::HashMap;

pub struct Program {
    pub(crate) module: Module,
    pub(crate) functions: Vec<ProgramFunction>,
    pub(crate) addresses: Addresses,
    /// The words that lie before all frames in the register file.
    pub(crate) constants: Vec<u64>,
    memory: Memory,
    /// Where each function's operations begin when all are counted through, and their
    /// number as the last entry.
    pub(crate) operation_starts: Vec<usize>,
}

pub(crate) struct ProgramFunction {
    pub(crate) body: Body,
}

#[expect(
    clippy::large_enum_variant,
    reason = "most functions have code, and a call should not follow one more pointer"
)]
pub(crate) enum Body {
    Code(Code),
    Builtin(Builtin),
    /// Declared, and nothing models it.
    Missing,
}

/// Where functions and globals are.
pub(crate) struct Addresses {
    pub(crate) functions: SecondaryMap<Func, Address>,
    pub(crate) globals: Vec<Address>,
}

#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error(
        "global '{name}' of {size} bytes does not fit into the memory limit of {limit} bytes \
         (raise with --max-memory)"
    )]
    GlobalTooLarge { name: String, size: u64, limit: u64 },
}

impl Program {
    pub fn new(module: Module, memory_limit: u64) -> Result<Program, LoadError> {
        let mut memory = Memory::new(memory_limit);
        let addresses = Addresses::assign(&module, &mut memory)?;
        initialise_globals(&module, &addresses, &mut memory);
        let mut constants = Constants::default();
        let functions: Vec<ProgramFunction> = module
            .functions
            .keys()
            .map(|func| {
                let function = &module.functions[func];
                let body = if !function.is_declaration() {
                    Body::Code(decode::decode(&module, func, &addresses, &mut constants))
                } else if let Some(builtin) = Builtin::named(&function.name) {
                    Body::Builtin(builtin)
                } else {
                    Body::Missing
                };
                ProgramFunction { body }
            })
            .collect();
        let mut operation_starts = vec![0];
        let mut operations = 0;
        for function in &functions {
            if let Body::Code(code) = &function.body {
                operations += code.ops.len();
            }
            operation_starts.push(operations);
        }
        Ok(Program {
            operation_starts,
            module,
            functions,
            addresses,
            constants: constants.words,
            memory,
        })
    }

    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Names of functions and variables that are used but neither defined nor modelled.
    /// The program fails only if it reaches one.
    pub fn unresolved(&self) -> Vec<&str> {
        let functions = self
            .module
            .functions
            .iter()
            .filter(|(func, function)| {
                function.linkage == Linkage::Import
                    && matches!(self.functions[func.index()].body, Body::Missing)
            })
            .map(|(_, function)| function.name.as_str());
        let globals = self
            .module
            .globals
            .values()
            .filter(|global| global.linkage == Linkage::Import)
            .map(|global| global.name.as_str());
        functions.chain(globals).collect()
    }

    /// Memory as it is before the first instruction.
    pub(crate) fn initial_memory(&self) -> Memory {
        self.memory.clone()
    }

    pub(crate) fn operation_count(&self) -> usize {
        self.operation_starts.last().copied().unwrap_or(0)
    }

    /// Whether a call of a function executes operations of the program; builtins have none.
    pub fn has_code(&self, func: Func) -> bool {
        self.code(func.as_u32()).is_some()
    }

    /// The first operation of a block, counted through the program.
    pub(crate) fn first_operation(&self, func: Func, block: Block) -> Option<usize> {
        let code = self.code(func.as_u32())?;
        let start = *code.block_starts.get(block.index())?;
        Some(self.operation_starts[func.index()] + start as usize)
    }

    /// An operation counted through the program.
    pub fn operation_number(&self, site: CodeSite) -> u32 {
        self.operation_starts[site.function as usize] as u32 + site.pc
    }

    /// The place of an operation that was counted through the program.
    pub fn site_of_operation(&self, operation: u32) -> CodeSite {
        let starts = &self.operation_starts;
        let function = starts.partition_point(|&start| start <= operation as usize) - 1;
        CodeSite {
            function: function as u32,
            pc: operation - starts[function] as u32,
        }
    }

    /// Whether control may go several ways from an operation.
    pub fn is_branch(&self, site: CodeSite) -> bool {
        let operation = self
            .code(site.function)
            .and_then(|code| code.ops.get(site.pc as usize));
        operation.is_some_and(Op::is_branch)
    }

    /// The registers of a frame that a block's parameters and results are kept in.
    pub fn registers_defined(&self, func: Func, block: Block) -> &[u32] {
        let Some(code) = self.code(func.as_u32()) else {
            return &[];
        };
        let index = block.index();
        let start = index
            .checked_sub(1)
            .map_or(0, |before| code.slots_ends[before]);
        &code.slots_defined[start as usize..code.slots_ends[index] as usize]
    }

    /// Where a function is.
    pub fn function_address(&self, func: Func) -> Address {
        self.addresses.functions[func]
    }

    /// Where a global variable is.
    pub fn global_address(&self, global: Global) -> Address {
        self.addresses.globals[global.index()]
    }

    /// How many operations a function has.
    pub fn operation_count_of(&self, func: Func) -> u32 {
        (self.operation_starts[func.index() + 1] - self.operation_starts[func.index()]) as u32
    }

    /// The block that control is on its way to at a place that a branch leads to: the block that begins
    /// there, or the one behind the moves of an edge.
    pub fn block_entered(&self, site: CodeSite) -> Option<Block> {
        let code = self.code(site.function)?;
        let mut pc = site.pc;
        loop {
            if let Ok(block) = code.block_starts.binary_search(&pc) {
                return Some(Block::new(block));
            }
            match *code.ops.get(pc as usize)? {
                Op::Move { .. } => pc += 1,
                Op::Jump { target, .. } => pc = target,
                _ => return None,
            }
        }
    }

    /// The instruction that an operation comes from.
    pub fn inst_at(&self, site: CodeSite) -> Option<program_ir::Inst> {
        let code = self.code(site.function)?;
        let origin = *code.origins.get(site.pc as usize)?;
        (origin != u32::MAX).then(|| program_ir::Inst::from_u32(origin))
    }

    /// The innermost source frame of a place in the code.
    pub fn source_frame(&self, site: CodeSite) -> Option<StackFrame> {
        if site == CodeSite::NONE {
            return None;
        }
        self.source_frames(site).into_iter().next()
    }

    /// The source frames of a place: inlined calls first, then the function itself.
    pub(crate) fn source_frames(&self, site: CodeSite) -> Vec<StackFrame> {
        let module = &self.module;
        let function = &module.functions[Func::new(site.function as usize)];
        let mut loc = self.inst_at(site).and_then(|inst| function.insts[inst].loc);
        if loc.is_none() {
            return vec![StackFrame {
                function: function.name.clone(),
                file: None,
                line: 0,
                column: 0,
            }];
        }
        let mut frames = Vec::new();
        while let Some(here) = loc {
            let data = &module.source.locs[here];
            frames.push(StackFrame {
                function: module
                    .source
                    .function_name(here)
                    .unwrap_or(&function.name)
                    .to_string(),
                file: Some(module.source.file_name(here).to_string()),
                line: data.line,
                column: data.column,
            });
            loc = data.inlined_at;
        }
        frames
    }

    pub(crate) fn code(&self, function: u32) -> Option<&Code> {
        match &self.functions[function as usize].body {
            Body::Code(code) => Some(code),
            _ => None,
        }
    }
}

impl Addresses {
    fn assign(module: &Module, memory: &mut Memory) -> Result<Addresses, LoadError> {
        let mut functions = SecondaryMap::new();
        for (func, function) in module.functions.iter() {
            let address = memory.add_function(func.index() as u32);
            functions[func] = match function.linkage {
                Linkage::WeakImport if Builtin::named(&function.name).is_none() => 0,
                _ => address,
            };
        }
        let mut globals = Vec::with_capacity(module.globals.len());
        for (global, data) in module.globals.iter() {
            let address = match data.linkage {
                Linkage::WeakImport => 0,
                // An undefined variable is an object without bytes: using its address
                // is harmless, reading it is not.
                Linkage::Import => memory
                    .allocate(ObjectKind::Global(global.as_u32()), 0, CodeSite::NONE)
                    .expect("an empty object fits"),
                Linkage::Local | Linkage::Exported => memory
                    .allocate(
                        ObjectKind::Global(global.as_u32()),
                        data.size,
                        CodeSite::NONE,
                    )
                    .map_err(|_| LoadError::GlobalTooLarge {
                        name: data.name.clone(),
                        size: data.size,
                        limit: memory.limit(),
                    })?,
            };
            globals.push(address);
        }
        Ok(Addresses { functions, globals })
    }

    pub(crate) fn constant(&self, constant: Constant) -> u128 {
        match constant {
            Constant::Bits(bits) => bits,
            Constant::Undef => 0,
            Constant::GlobalAddress { global, offset } => {
                u128::from(self.globals[global.index()].wrapping_add(offset as u64))
            }
            Constant::FunctionAddress(func) => u128::from(self.functions[func]),
            Constant::BlockAddress { func, block } => {
                u128::from(label_address(self.functions[func], block.as_u32()))
            }
        }
    }
}

/// Labels are addresses inside their function, which has no bytes.
pub(crate) fn label_address(function: Address, block: u32) -> Address {
    function + 1 + u64::from(block)
}

fn initialise_globals(module: &Module, addresses: &Addresses, memory: &mut Memory) {
    for (global, data) in module.globals.iter() {
        let address = addresses.globals[global.index()];
        if !matches!(data.linkage, Linkage::Local | Linkage::Exported) {
            continue;
        }
        memory.initialise(address, &data.initialiser.bytes);
        for relocation in &data.initialiser.relocations {
            let value = addresses.constant(relocation.constant) as u64;
            let minus = relocation
                .minus
                .map_or(0, |constant| addresses.constant(constant) as u64);
            let bytes = value.wrapping_sub(minus).to_le_bytes();
            memory.initialise(
                address + relocation.offset,
                &bytes[..usize::from(relocation.size)],
            );
        }
        if data.constant {
            memory.set_writable(object_of(address), false);
        }
    }
}

/// Interned words of the constant area. A wide constant is two adjacent words.
#[derive(Default)]
pub(crate) struct Constants {
    words: Vec<u64>,
    narrow: HashMap<u64, u32>,
    wide: HashMap<u128, u32>,
}

impl Constants {
    pub(crate) fn narrow(&mut self, value: u64) -> u32 {
        *self.narrow.entry(value).or_insert_with(|| {
            self.words.push(value);
            self.words.len() as u32 - 1
        })
    }

    pub(crate) fn wide(&mut self, value: u128) -> u32 {
        *self.wide.entry(value).or_insert_with(|| {
            self.words.push(value as u64);
            self.words.push((value >> 64) as u64);
            self.words.len() as u32 - 2
        })
    }
}
