//! Symbols: functions, global variables with their initial bytes, and aliases. What a linker makes of sections
//! is in [`crate::sections`].

use crate::ReadError;
use crate::llvm::{self, TypeKind, ValueKind};
use crate::sections;
use crate::shape;
use crate::translation::{Linear, Translation, int_bits, truncate};
use crate::wide_integers;
use program_ir::{
    CallData, Callee, Constant, Function, GlobalData, Initialiser, InstData, Linkage, Relocation,
    Type,
};

impl Translation<'_> {
    /// Gives every symbol its id, and every global its contents.
    pub(crate) fn read_symbols(&mut self) -> Result<(), ReadError> {
        self.declare_functions();
        self.declare_globals()?;
        self.declare_linker_arrays()?;
        self.declare_ifuncs();
        self.resolve_aliases()?;
        self.fill_linker_arrays()?;
        self.fill_collected_sections()?;
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

    fn declare_globals(&mut self) -> Result<(), ReadError> {
        self.declare_collected_sections();
        let mut next = self.llvm.first_global();
        while let Some(variable) = next {
            next = variable.next_global();
            let name = variable.name();
            if name.starts_with("llvm.") {
                continue;
            }
            if sections::is_array_end(&name) && is_import(linkage(variable)) {
                self.array_ends.push((variable, name));
                continue;
            }
            if self.addresses.contains_key(&variable) {
                // Part of a collected section.
                continue;
            }
            let section = variable.section();
            sections::check(section.as_deref(), &name)?;
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
                section,
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
        Ok(())
    }

    /// An indirect function is chosen at load time by code of the program, its resolver. Calling it
    /// is unsupported; the call of the resolver before that makes a change of the resolver a change of the function.
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
            if let Some(resolver) = self.resolver(ifunc) {
                let signature = &self.module.functions[resolver].signature;
                let call = CallData {
                    callee: Callee::Direct(resolver),
                    args: Box::default(),
                    fixed_args: 0,
                    by_val: Box::default(),
                    returns: signature.returns.clone().into(),
                };
                let returns = signature.returns.clone();
                function.append(entry, InstData::Call(Box::new(call)), &returns, None);
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
}

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
            let is_given = variable.initialiser().is_some() && !self.is_collected(global);
            if is_import(self.module.globals[global].linkage) || !is_given {
                continue;
            }
            self.module.globals[global].initialiser = self.initialiser_of(&[(variable, 0)])?;
        }
        Ok(())
    }

    /// The initial contents of one global that holds these variables at these offsets.
    pub(crate) fn initialiser_of(
        &mut self,
        variables: &[(llvm::Value, u64)],
    ) -> Result<Initialiser, ReadError> {
        let mut initialiser = Initialiser::default();
        for &(variable, offset) in variables {
            let Some(constant) = variable.initialiser() else {
                continue;
            };
            self.write_constant(&mut initialiser, offset, constant)
                .map_err(|what| {
                    let name = variable.name();
                    ReadError::Unsupported(format!("global `{name}` is initialised with {what}"))
                })?;
        }
        let end = initialiser.bytes.iter().rposition(|&byte| byte != 0);
        initialiser.bytes.truncate(end.map_or(0, |end| end + 1));
        Ok(initialiser)
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

pub(crate) fn linkage(symbol: llvm::Value) -> Linkage {
    use llvm::Linkage as L;
    match symbol.linkage() {
        L::LLVMExternalWeakLinkage => Linkage::WeakImport,
        L::LLVMAvailableExternallyLinkage => Linkage::Import,
        _ if symbol.is_declaration() => Linkage::Import,
        L::LLVMInternalLinkage | L::LLVMPrivateLinkage => Linkage::Local,
        _ => Linkage::Exported,
    }
}

pub(crate) fn is_import(linkage: Linkage) -> bool {
    matches!(linkage, Linkage::Import | Linkage::WeakImport)
}
