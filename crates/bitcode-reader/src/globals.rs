//! Symbols: functions, global variables with their initial bytes, aliases, and the
//! arrays of constructors and destructors that a linker would make.

use crate::ReadError;
use crate::llvm::{self, TypeKind, ValueKind};
use crate::shape;
use crate::translation::{Linear, Translation, int_bits, truncate};
use crate::wide_integers;
use program_ir::{
    Constant, Function, GlobalData, Initialiser, InstData, Linkage, Relocation, Type,
};

impl Translation<'_> {
    /// Gives every symbol its id, and every global its contents.
    pub(crate) fn read_symbols(&mut self) -> Result<(), ReadError> {
        self.declare_functions();
        self.declare_globals();
        self.declare_linker_arrays();
        self.declare_ifuncs();
        self.resolve_aliases()?;
        self.fill_linker_arrays();
        self.read_initialisers()
    }

    fn declare_functions(&mut self) {
        let mut next = self.llvm.first_function();
        while let Some(function) = next {
            next = function.next_function();
            if self.intrinsic(function).is_some() {
                continue;
            }
            let (signature, _) = self.signature(function.global_value_type());
            let name = function.name();
            let linkage = linkage(function);
            let mut declared = Function::new(name.clone(), linkage, signature);
            if let Some(subprogram) = function.subprogram() {
                let source = &mut self.module.source;
                declared.scope = Some(self.debug.scope(self.llvm, source, subprogram));
            }
            let func = self.module.functions.push(declared);
            self.addresses
                .insert(function, Constant::FunctionAddress(func));
            if !name.is_empty() {
                self.functions_by_name.insert(name, func);
            }
        }
    }

    fn declare_globals(&mut self) {
        let mut next = self.llvm.first_global();
        while let Some(variable) = next {
            next = variable.next_global();
            let name = variable.name();
            if name.starts_with("llvm.") {
                continue;
            }
            let is_array_end = LINKER_ARRAYS.iter().any(|(_, _, end)| *end == name);
            if is_array_end && is_import(linkage(variable)) {
                self.array_ends.push((variable, name));
                continue;
            }
            let ty = variable.global_value_type();
            let (size, default_align) = match ty.is_sized() {
                true => (self.llvm.alloc_size(ty), self.llvm.alignment(ty)),
                false => (0, 1),
            };
            let mut data = GlobalData {
                name,
                linkage: linkage(variable),
                size,
                align: match variable.alignment() {
                    0 => default_align,
                    align => align,
                },
                constant: variable.is_global_constant(),
                thread_local: variable.is_thread_local(),
                initialiser: Initialiser::default(),
                info: None,
            };
            if data.name == "__dso_handle" && is_import(data.linkage) {
                (data.linkage, data.size, data.align) = (Linkage::Local, 8, 8);
            }
            let source = &mut self.module.source;
            data.info = self.debug.global(self.llvm, source, variable);
            let global = self.module.globals.push(data);
            let address = Constant::GlobalAddress { global, offset: 0 };
            self.addresses.insert(variable, address);
        }
    }

    /// An indirect function is chosen at load time by code of the program; calling it
    /// is unsupported.
    fn declare_ifuncs(&mut self) {
        let mut next = self.llvm.first_ifunc();
        while let Some(ifunc) = next {
            next = ifunc.next_ifunc();
            let name = ifunc.name();
            let (signature, _) = self.signature(ifunc.global_value_type());
            let mut function = Function::new(name.clone(), linkage(ifunc), signature);
            let entry = function.add_block();
            for ty in function.signature.params.clone() {
                function.add_block_param(entry, ty);
            }
            let what = format!("indirect function `{name}`").into_boxed_str();
            let operands = Box::default();
            let data = InstData::UnsupportedTerminator { what, operands };
            function.append(entry, data, &[], None);
            let func = self.module.functions.push(function);
            self.addresses
                .insert(ifunc, Constant::FunctionAddress(func));
            self.functions_by_name.insert(name, func);
        }
    }

    /// An alias is another name for an address. Aliases of aliases resolve in a later
    /// round.
    fn resolve_aliases(&mut self) -> Result<(), ReadError> {
        let mut open = Vec::new();
        let mut next = self.llvm.first_alias();
        while let Some(alias) = next {
            next = alias.next_alias();
            open.push(alias);
        }
        while !open.is_empty() {
            let before = open.len();
            open.retain(|&alias| {
                let address = self
                    .linear(alias.aliasee())
                    .and_then(|linear| linear.as_constant(Type::Ptr));
                let Some(address) = address else {
                    return true;
                };
                self.addresses.insert(alias, address);
                let name = alias.name();
                if let Constant::FunctionAddress(func) = address {
                    self.functions_by_name.insert(name.clone(), func);
                }
                self.module.aliases.insert(name, address);
                false
            });
            if open.len() == before {
                return Err(ReadError::Unsupported(format!(
                    "the alias `{}` does not resolve to an address",
                    open[0].name()
                )));
            }
        }
        Ok(())
    }

    // Constructors and destructors. A linker gathers them in arrays between two symbols
    // that the C library declares; here it is one global, and the end symbol is an
    // address past its end.

    fn declare_linker_arrays(&mut self) {
        for (list, start, end) in LINKER_ARRAYS {
            let count = self.structors(list).len() as u64;
            let declared = self.module.global_named(start);
            let end_is_used = self.array_ends.iter().any(|(_, name)| name == end);
            if declared.is_none() && count == 0 && !end_is_used {
                continue;
            }
            let data = GlobalData {
                name: start.to_owned(),
                linkage: Linkage::Local,
                size: 8 * count,
                align: 8,
                constant: true,
                thread_local: false,
                initialiser: Initialiser::default(),
                info: None,
            };
            let global = match declared {
                Some(global) => {
                    self.module.globals[global] = data;
                    global
                }
                None => self.module.globals.push(data),
            };
            let offset = 8 * count as i64;
            let end_address = Constant::GlobalAddress { global, offset };
            for (variable, _) in self.array_ends.iter().filter(|(_, name)| name == end) {
                self.addresses.insert(*variable, end_address);
            }
            self.module.aliases.insert(end.to_owned(), end_address);
        }
    }

    fn fill_linker_arrays(&mut self) {
        for (list, start, _) in LINKER_ARRAYS {
            let functions = self.structors(list);
            let Some(global) = self.module.global_named(start) else {
                continue;
            };
            let addresses: Vec<Constant> = functions
                .into_iter()
                .filter_map(|function| self.linear(function)?.as_constant(Type::Ptr))
                .collect();
            let relocations = addresses
                .into_iter()
                .enumerate()
                .map(|(index, constant)| Relocation {
                    offset: 8 * index as u64,
                    size: 8,
                    constant,
                    minus: None,
                })
                .collect();
            self.module.globals[global].initialiser.relocations = relocations;
        }
    }

    /// The functions of `llvm.global_ctors` or `llvm.global_dtors`, by priority.
    fn structors(&self, list: &str) -> Vec<llvm::Value> {
        let mut next = self.llvm.first_global();
        let mut entries = Vec::new();
        while let Some(global) = next {
            next = global.next_global();
            if global.name() != list {
                continue;
            }
            let Some(array) = global.initialiser() else {
                continue;
            };
            let length = match array.ty().kind() {
                TypeKind::LLVMArrayTypeKind => array.ty().array_length() as u32,
                _ => 0,
            };
            for index in 0..length {
                let entry = array.aggregate_element(index);
                let part = |index| entry.and_then(|entry| entry.aggregate_element(index));
                if let (Some(priority), Some(function)) = (part(0), part(1))
                    && !function.is_null()
                {
                    entries.push((int_bits(priority).unwrap_or(65535), function));
                }
            }
        }
        entries.sort_by_key(|(priority, _)| *priority);
        entries.into_iter().map(|(_, function)| function).collect()
    }
}

const LINKER_ARRAYS: [(&str, &str, &str); 2] = [
    (
        "llvm.global_ctors",
        "__init_array_start",
        "__init_array_end",
    ),
    (
        "llvm.global_dtors",
        "__fini_array_start",
        "__fini_array_end",
    ),
];

// Initial contents.

impl Translation<'_> {
    fn read_initialisers(&mut self) -> Result<(), ReadError> {
        let mut next = self.llvm.first_global();
        while let Some(variable) = next {
            next = variable.next_global();
            let Some(&Constant::GlobalAddress { global, offset: 0 }) =
                self.addresses.get(&variable)
            else {
                continue;
            };
            if is_import(self.module.globals[global].linkage) {
                continue;
            }
            let Some(constant) = variable.initialiser() else {
                continue;
            };
            let mut initialiser = Initialiser::default();
            self.write_constant(&mut initialiser, 0, constant)
                .map_err(|what| {
                    let name = &self.module.globals[global].name;
                    ReadError::Unsupported(format!("global `{name}` is initialised with {what}"))
                })?;
            let end = initialiser.bytes.iter().rposition(|&byte| byte != 0);
            initialiser.bytes.truncate(end.map_or(0, |end| end + 1));
            self.module.globals[global].initialiser = initialiser;
        }
        Ok(())
    }

    fn write_constant(
        &mut self,
        to: &mut Initialiser,
        offset: u64,
        constant: llvm::Value,
    ) -> Result<(), String> {
        let ty = constant.ty();
        match constant.kind() {
            ValueKind::LLVMConstantAggregateZeroValueKind
            | ValueKind::LLVMConstantPointerNullValueKind
            | ValueKind::LLVMUndefValueValueKind
            | ValueKind::LLVMPoisonValueKind => Ok(()),
            ValueKind::LLVMConstantDataArrayValueKind
            | ValueKind::LLVMConstantDataVectorValueKind => {
                write_bytes(to, offset, &constant.raw_data());
                Ok(())
            }
            ValueKind::LLVMConstantFPValueKind if ty.kind() != TypeKind::LLVMVectorTypeKind => {
                let scalar = shape::scalar(ty).ok_or_else(|| ty.spelling())?;
                let int = self.llvm.int_type(scalar.bits());
                let bits = int_bits(constant.bit_cast(int)).ok_or_else(|| ty.spelling())?;
                write_int(to, offset, bits, scalar);
                Ok(())
            }
            ValueKind::LLVMConstantArrayValueKind => {
                let stride = self.llvm.alloc_size(ty.element());
                for index in 0..ty.array_length() {
                    if let Some(element) = constant.aggregate_element(index as u32) {
                        self.write_constant(to, offset + index * stride, element)?;
                    }
                }
                Ok(())
            }
            ValueKind::LLVMConstantStructValueKind => {
                for index in 0..ty.field_count() {
                    if let Some(field) = constant.aggregate_element(index) {
                        let at = self.llvm.field_offset(ty, index);
                        self.write_constant(to, offset + at, field)?;
                    }
                }
                Ok(())
            }
            _ if ty.kind() == TypeKind::LLVMVectorTypeKind => {
                self.write_vector(to, offset, constant)
            }
            ValueKind::LLVMConstantIntValueKind if let Some(limbs) = wide_integers::limbs(ty) => {
                let values = wide_integers::constant_limbs(constant, limbs.len());
                let values = values.ok_or_else(|| ty.spelling())?;
                for (index, (value, limb)) in values.into_iter().zip(limbs).enumerate() {
                    let bits = truncate(u128::from(value), limb);
                    write_int(to, offset + 8 * index as u64, bits, limb);
                }
                Ok(())
            }
            _ => {
                let scalar = shape::scalar(ty).ok_or_else(|| ty.spelling())?;
                if let Some(bits) = int_bits(constant) {
                    write_int(to, offset, bits, scalar);
                    return Ok(());
                }
                let linear = self.linear(constant);
                let linear = linear.ok_or("an address expression that does not fold")?;
                self.write_linear(to, offset, linear, scalar)
            }
        }
    }

    fn write_vector(
        &mut self,
        to: &mut Initialiser,
        offset: u64,
        constant: llvm::Value,
    ) -> Result<(), String> {
        let ty = constant.ty();
        let scalar = shape::scalar(ty.element()).ok_or_else(|| ty.spelling())?;
        let bits = u64::from(scalar.bits());
        let mut packed = vec![0_u8; (bits * u64::from(ty.vector_size())).div_ceil(8) as usize];
        for index in 0..ty.vector_size() {
            let Some(element) = constant.aggregate_element(index) else {
                continue;
            };
            let start = u64::from(index) * bits;
            if bits.is_multiple_of(8) {
                self.write_constant(to, offset + start / 8, element)?;
                continue;
            }
            let value = int_bits(element).unwrap_or(0);
            for bit in 0..bits {
                let at = start + bit;
                packed[(at / 8) as usize] |= ((value >> bit & 1) as u8) << (at % 8);
            }
        }
        if !bits.is_multiple_of(8) {
            write_bytes(to, offset, &packed);
        }
        Ok(())
    }

    fn write_linear(
        &mut self,
        to: &mut Initialiser,
        offset: u64,
        linear: Linear,
        ty: Type,
    ) -> Result<(), String> {
        let Linear {
            plus,
            minus,
            offset: added,
        } = linear;
        let Some(plus) = plus else {
            if minus.is_some() {
                return Err("a negated address".to_owned());
            }
            write_int(to, offset, truncate(added as i128 as u128, ty), ty);
            return Ok(());
        };
        let (constant, minus) = match (plus, minus) {
            (Constant::GlobalAddress { global, offset }, minus) => (
                Constant::GlobalAddress {
                    global,
                    offset: offset.wrapping_add(added),
                },
                minus,
            ),
            (plus, minus) if added == 0 => (plus, minus),
            (plus, Some(Constant::GlobalAddress { global, offset })) => (
                plus,
                Some(Constant::GlobalAddress {
                    global,
                    offset: offset.wrapping_sub(added),
                }),
            ),
            _ => return Err("an address inside a function".to_owned()),
        };
        to.relocations.push(Relocation {
            offset,
            size: ty.store_bytes() as u8,
            constant,
            minus,
        });
        Ok(())
    }
}

fn write_int(to: &mut Initialiser, offset: u64, bits: u128, ty: Type) {
    let bytes = bits.to_le_bytes();
    write_bytes(to, offset, &bytes[..ty.store_bytes() as usize]);
}

fn write_bytes(to: &mut Initialiser, offset: u64, bytes: &[u8]) {
    let used = bytes.iter().rposition(|&byte| byte != 0);
    let bytes = &bytes[..used.map_or(0, |last| last + 1)];
    let start = offset as usize;
    if to.bytes.len() < start + bytes.len() && !bytes.is_empty() {
        to.bytes.resize(start + bytes.len(), 0);
    }
    if !bytes.is_empty() {
        to.bytes[start..start + bytes.len()].copy_from_slice(bytes);
    }
}

fn linkage(symbol: llvm::Value) -> Linkage {
    use llvm::Linkage as L;
    match symbol.linkage() {
        L::LLVMExternalWeakLinkage => Linkage::WeakImport,
        L::LLVMAvailableExternallyLinkage => Linkage::Import,
        _ if symbol.is_declaration() => Linkage::Import,
        L::LLVMInternalLinkage | L::LLVMPrivateLinkage => Linkage::Local,
        _ => Linkage::Exported,
    }
}

fn is_import(linkage: Linkage) -> bool {
    matches!(linkage, Linkage::Import | Linkage::WeakImport)
}
