//! Which memory instructions may read and write, as far as the text of the program tells.
//!
//! Memory is divided into **cells**: one for each local variable and each global, and one for all other memory. An
//! access at an address that is computed from a variable's address alone, by adding to it, is inside that variable or
//! fails, since objects are apart ([`concolic_vm`]'s memory). A variable whose address is used for nothing else is
//! *private*: no other access comes to it. All other accesses may be anywhere but in private variables.
//!
//! No more is looked at: where pointers may point to is not asked, so nothing is missed by how they are made or copied.

use program_ir::{
    CastOp, Constant, EntityRef, Func, Function, Global, Inst, InstData, Module, Type, Value,
    ValueDef,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A variable, or [`Variables::ELSEWHERE`].
pub(super) type Cell = u32;

/// The variables of a program.
#[derive(Default)]
pub(super) struct Variables {
    locals: FxHashMap<(Func, Inst), Cell>,
    globals: u32,
    /// Cells whose addresses are used for more than accesses.
    escaped: FxHashSet<Cell>,
}

/// What one instruction may do to memory by itself.
#[derive(Default)]
pub(super) struct Accesses {
    pub(super) reads: Vec<Cell>,
    pub(super) writes: Vec<Cell>,
}

impl Variables {
    /// All memory that is no variable, with those that are not private.
    pub(super) const ELSEWHERE: Cell = 0;

    pub(super) fn of(module: &Module) -> Variables {
        let mut found = Variables {
            globals: module.globals.len() as u32,
            ..Variables::default()
        };
        for (func, function) in module.functions.iter() {
            for &inst in function.blocks.values().flat_map(|block| &block.insts) {
                if matches!(function.insts[inst].data, InstData::Alloca { .. }) {
                    let cell = 1 + found.globals + found.locals.len() as u32;
                    found.locals.insert((func, inst), cell);
                }
            }
        }
        for (func, function) in module.functions.iter() {
            for &inst in function.blocks.values().flat_map(|block| &block.insts) {
                found.note_uses(func, function, &function.insts[inst].data);
            }
        }
        for data in module.globals.values() {
            for relocation in &data.initialiser.relocations {
                let constants = [Some(relocation.constant), relocation.minus];
                for constant in constants.into_iter().flatten() {
                    if let Constant::GlobalAddress { global, .. } = constant {
                        found.escaped.insert(global_cell(global));
                    }
                }
            }
        }
        found
    }

    /// Marks the variables whose addresses an instruction uses for more than an access.
    fn note_uses(&mut self, func: Func, function: &Function, data: &InstData) {
        let mut accessed: [Option<Value>; 2] = [None; 2];
        match data {
            InstData::Load { address, .. } => accessed[0] = Some(*address),
            InstData::Store { address, value, .. } if address != value => {
                accessed[0] = Some(*address);
            }
            InstData::MemCopy {
                destination,
                source,
                length,
                ..
            } if destination != length && source != length => {
                accessed = [Some(*destination), Some(*source)];
            }
            InstData::MemSet {
                destination,
                byte,
                length,
            } if destination != byte && destination != length => accessed[0] = Some(*destination),
            // A sum or a copy of an address is looked at where it is used.
            InstData::PtrAdd { base, terms, .. }
                if terms.iter().all(|term| term.index != *base) =>
            {
                accessed[0] = Some(*base);
            }
            InstData::Cast {
                op: CastOp::Bits,
                arg,
            } if function.ty(*arg) == Type::Ptr => accessed[0] = Some(*arg),
            InstData::IntCompare { args, .. } => accessed = args.map(Some),
            _ => {}
        }
        data.for_each_operand(|value| {
            if !accessed.contains(&Some(value))
                && let Some(cell) = self.variable(func, function, value)
            {
                self.escaped.insert(cell);
            }
        });
    }

    /// The variable that an address is computed from.
    pub(super) fn variable(&self, func: Func, function: &Function, address: Value) -> Option<Cell> {
        let mut at = address;
        loop {
            let inst = match function.values[at].def {
                ValueDef::Result(inst, _) => inst,
                ValueDef::Constant(Constant::GlobalAddress { global, .. }) => {
                    return Some(global_cell(global));
                }
                _ => return None,
            };
            at = match &function.insts[inst].data {
                InstData::PtrAdd { base, .. } => *base,
                InstData::Cast {
                    op: CastOp::Bits,
                    arg,
                } if function.ty(*arg) == Type::Ptr => *arg,
                InstData::Alloca { .. } => return self.locals.get(&(func, inst)).copied(),
                _ => return None,
            };
        }
    }

    /// Whether a cell is a local variable.
    pub(super) fn is_local(&self, cell: Cell) -> bool {
        cell > self.globals
    }

    pub(super) fn is_private(&self, cell: Cell) -> bool {
        cell != Variables::ELSEWHERE && !self.escaped.contains(&cell)
    }

    pub(super) fn escaped(&self) -> impl Iterator<Item = Cell> + '_ {
        self.escaped.iter().copied()
    }

    /// Where an instruction reads and writes; calls do so elsewhere, through what they call.
    pub(super) fn accesses(&self, func: Func, function: &Function, data: &InstData) -> Accesses {
        let at = |address: Value| {
            let variable = self.variable(func, function, address);
            vec![variable.unwrap_or(Variables::ELSEWHERE)]
        };
        let both = |cells: Vec<Cell>| Accesses {
            reads: cells.clone(),
            writes: cells,
        };
        match data {
            InstData::Load { address, .. } => Accesses {
                reads: at(*address),
                writes: Vec::new(),
            },
            // A place that depends on the input is written as a whole: what it was is read.
            InstData::Store { address, .. }
            | InstData::AtomicRmw { address, .. }
            | InstData::CompareExchange { address, .. } => both(at(*address)),
            InstData::MemCopy {
                destination,
                source,
                ..
            } => Accesses {
                reads: at(*source),
                writes: at(*destination),
            },
            InstData::MemSet { destination, .. } => both(at(*destination)),
            _ if computes(data) || matches!(data, InstData::Alloca { .. }) => Accesses::default(),
            _ => both(vec![Variables::ELSEWHERE]),
        }
    }
}

/// Whether an instruction does no more than compute and say where control goes.
pub(super) fn computes(data: &InstData) -> bool {
    matches!(
        data,
        InstData::Unary { .. }
            | InstData::Binary { .. }
            | InstData::Ternary { .. }
            | InstData::Overflow { .. }
            | InstData::IntCompare { .. }
            | InstData::FloatCompare { .. }
            | InstData::FloatClass { .. }
            | InstData::Cast { .. }
            | InstData::PtrAdd { .. }
            | InstData::Jump(_)
            | InstData::Branch { .. }
            | InstData::Switch { .. }
            | InstData::IndirectJump { .. }
            | InstData::Return { .. }
            | InstData::Unreachable
            | InstData::Trap
    )
}

fn global_cell(global: Global) -> Cell {
    1 + global.index() as u32
}
