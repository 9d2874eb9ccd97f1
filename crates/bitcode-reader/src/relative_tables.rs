//! Tables of distances, as LLVM makes them of `switch` statements in position-independent
//! code: 32-bit differences between an entry's target and the table itself.
//!
//! The machine's objects lie 4 GiB apart, so such a distance does not fit. Where a table
//! is known, which is always so for those that compilers make, `llvm.load.relative` reads
//! a table of whole addresses instead, made here beside the original.

use crate::function::FunctionReader;
use crate::llvm::{self, ValueKind};
use crate::translation::Translation;
use program_ir::{
    Constant, Global, GlobalData, Initialiser, InstData, Linkage, PtrTerm, Relocation, Type, Value,
};

impl FunctionReader<'_, '_> {
    /// `base + load i32 (base + offset)`
    pub(crate) fn load_relative(&mut self, call: llvm::Value) -> Vec<Value> {
        let offset = self.scalar_operand(call.argument(1));
        let offset = self.resize(offset, Type::I64, true);
        if let Some(global) = self.translation.table_of_addresses(call.argument(0)) {
            let table = Constant::GlobalAddress { global, offset: 0 };
            let table = self.constant_of(Type::Ptr, table);
            let entry = self.add_to_address(table, offset, 2);
            let load = InstData::Load {
                address: entry,
                align: 8,
                volatile: false,
            };
            return self.emit_all(load, &[Type::Ptr]);
        }
        let base = self.scalar_operand(call.argument(0));
        let entry = self.add_to_address(base, offset, 1);
        let load = InstData::Load {
            address: entry,
            align: 4,
            volatile: false,
        };
        let distance = self.emit_one(load, Type::I32);
        let distance = self.resize(distance, Type::I64, true);
        vec![self.add_to_address(base, distance, 1)]
    }

    fn add_to_address(&mut self, base: Value, index: Value, scale: i64) -> Value {
        let data = InstData::PtrAdd {
            base,
            offset: 0,
            terms: Box::new([PtrTerm { index, scale }]),
            inbounds: false,
        };
        self.emit_one(data, Type::Ptr)
    }
}

impl Translation<'_> {
    /// The table of whole addresses for a constant table of 32-bit distances to itself.
    fn table_of_addresses(&mut self, table: llvm::Value) -> Option<Global> {
        if let Some(&known) = self.tables_of_addresses.get(&table) {
            return known;
        }
        let made = self.make_table_of_addresses(table);
        self.tables_of_addresses.insert(table, made);
        made
    }

    fn make_table_of_addresses(&mut self, table: llvm::Value) -> Option<Global> {
        if table.kind() != ValueKind::LLVMGlobalVariableValueKind {
            return None;
        }
        let &Constant::GlobalAddress { global, offset: 0 } = self.addresses.get(&table)? else {
            return None;
        };
        let data = &self.module.globals[global];
        let itself = Constant::GlobalAddress { global, offset: 0 };
        let relocations = &data.initialiser.relocations;
        let only_distances = relocations
            .iter()
            .all(|entry| entry.size == 4 && entry.minus == Some(itself));
        if !data.constant || !only_distances || 4 * relocations.len() as u64 != data.size {
            return None;
        }
        let relocations = relocations
            .iter()
            .map(|entry| Relocation {
                offset: 2 * entry.offset,
                size: 8,
                constant: entry.constant,
                minus: None,
            })
            .collect();
        let addresses = GlobalData {
            name: format!("{}.addresses", data.name),
            linkage: Linkage::Local,
            size: 2 * data.size,
            align: 8,
            constant: true,
            thread_local: false,
            section: None,
            initialiser: Initialiser {
                bytes: Vec::new(),
                relocations,
            },
            info: None,
        };
        Some(self.module.globals.push(addresses))
    }
}
