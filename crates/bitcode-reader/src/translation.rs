//! The state of one translation, and the constants that functions and globals share.

use crate::block_order::BlockOrder;
use crate::debug_info::DebugInfo;
use crate::llvm::{self, Opcode, TypeKind, ValueKind};
use crate::sections::CollectedSection;
use crate::shape::{Shape, Shapes};
use program_ir::{Constant, Func, Function, Global, Linkage, Module, Signature, Type};
use std::collections::HashMap;
use std::rc::Rc;

pub(crate) struct Translation<'m> {
    pub(crate) llvm: &'m llvm::Module,
    pub(crate) module: Module,
    pub(crate) debug: DebugInfo,
    /// Addresses of functions, globals and aliases.
    pub(crate) addresses: HashMap<llvm::Value, Constant>,
    pub(crate) functions_by_name: HashMap<String, Func>,
    pub(crate) attributes: AttributeKinds,
    /// Declarations of the symbols at the ends of linker-made arrays.
    pub(crate) array_ends: Vec<(llvm::Value, String)>,
    pub(crate) collected_sections: Vec<CollectedSection>,
    /// See `relative_tables`.
    pub(crate) tables_of_addresses: HashMap<llvm::Value, Option<Global>>,
    shapes: Shapes,
    block_orders: HashMap<llvm::Value, Rc<BlockOrder>>,
    intrinsics: HashMap<llvm::Value, Option<Rc<str>>>,
}

#[derive(Clone, Copy)]
pub(crate) struct AttributeKinds {
    pub(crate) by_val: u32,
    pub(crate) align: u32,
    pub(crate) in_alloca: u32,
    pub(crate) preallocated: u32,
}

/// `plus − minus + offset`: what address arithmetic on constants folds to.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub(crate) struct Linear {
    pub(crate) plus: Option<Constant>,
    pub(crate) minus: Option<Constant>,
    pub(crate) offset: i64,
}

impl<'m> Translation<'m> {
    pub(crate) fn new(llvm: &'m llvm::Module) -> Self {
        Translation {
            llvm,
            module: Module::default(),
            debug: DebugInfo::default(),
            addresses: HashMap::new(),
            functions_by_name: HashMap::new(),
            attributes: AttributeKinds {
                by_val: llvm::attribute_kind("byval"),
                align: llvm::attribute_kind("align"),
                in_alloca: llvm::attribute_kind("inalloca"),
                preallocated: llvm::attribute_kind("preallocated"),
            },
            array_ends: Vec::new(),
            collected_sections: Vec::new(),
            tables_of_addresses: HashMap::new(),
            shapes: Shapes::default(),
            block_orders: HashMap::new(),
            intrinsics: HashMap::new(),
        }
    }

    pub(crate) fn shape(&mut self, ty: llvm::Type) -> Rc<Shape> {
        self.shapes.of(self.llvm, ty)
    }

    /// Base name of the intrinsic that `function` is, without `llvm.`.
    pub(crate) fn intrinsic(&mut self, function: llvm::Value) -> Option<Rc<str>> {
        self.intrinsics
            .entry(function)
            .or_insert_with(|| {
                let name = function.intrinsic_name()?;
                Some(Rc::from(name.strip_prefix("llvm.").unwrap_or(&name)))
            })
            .clone()
    }

    pub(crate) fn block_order(&mut self, function: llvm::Value) -> Rc<BlockOrder> {
        let order = self
            .block_orders
            .entry(function)
            .or_insert_with(|| Rc::new(BlockOrder::of(function)));
        Rc::clone(order)
    }

    /// Parameters and results of a function type; the problem of the first that has one.
    pub(crate) fn signature(&mut self, ty: llvm::Type) -> (Signature, Option<String>) {
        let mut problem = None;
        let mut flatten = |this: &mut Self, ty| {
            let shape = this.shape(ty);
            if problem.is_none() {
                problem = shape.problem.clone();
            }
            shape
        };
        let mut params = Vec::new();
        for param in ty.param_types() {
            params.extend_from_slice(&flatten(self, param).scalars);
        }
        let returns = flatten(self, ty.return_type()).scalars.clone();
        let signature = Signature {
            params,
            returns,
            variadic: ty.is_variadic(),
        };
        (signature, problem)
    }

    /// The function of this name, declared now if the module does not have it.
    pub(crate) fn function_or_import(&mut self, name: &str, signature: Signature) -> Func {
        if let Some(&func) = self.functions_by_name.get(name) {
            return func;
        }
        let function = Function::new(name, Linkage::Import, signature);
        let func = self.module.functions.push(function);
        self.functions_by_name.insert(name.to_owned(), func);
        func
    }

    /// Whether the body of a function belongs to the program (and is not just a copy for
    /// the inliner).
    pub(crate) fn is_defined_here(&self, func: Func) -> bool {
        matches!(
            self.module.functions[func].linkage,
            Linkage::Local | Linkage::Exported
        )
    }

    /// Folds a constant made of addresses and integers.
    pub(crate) fn linear(&mut self, value: llvm::Value) -> Option<Linear> {
        let base = |constant| Linear {
            plus: Some(constant),
            ..Linear::default()
        };
        match value.kind() {
            ValueKind::LLVMConstantIntValueKind => {
                let bits = int_bits(value)?;
                Some(Linear {
                    offset: i64::try_from(bits as i128)
                        .or_else(|_| u64::try_from(bits).map(|bits| bits as i64))
                        .ok()?,
                    ..Linear::default()
                })
            }
            ValueKind::LLVMConstantPointerNullValueKind => Some(Linear::default()),
            ValueKind::LLVMFunctionValueKind
            | ValueKind::LLVMGlobalVariableValueKind
            | ValueKind::LLVMGlobalAliasValueKind
            | ValueKind::LLVMGlobalIFuncValueKind => self.addresses.get(&value).copied().map(base),
            ValueKind::LLVMBlockAddressValueKind => self.block_address(value).map(base),
            ValueKind::LLVMConstantExprValueKind => self.linear_expression(value),
            _ => None,
        }
    }

    fn linear_expression(&mut self, value: llvm::Value) -> Option<Linear> {
        match value.const_opcode() {
            Opcode::LLVMPtrToInt
            | Opcode::LLVMPtrToAddr
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMTrunc => self.linear(value.operand(0)),
            Opcode::LLVMAdd => {
                let (left, right) = (
                    self.linear(value.operand(0))?,
                    self.linear(value.operand(1))?,
                );
                left.plus_linear(right)
            }
            Opcode::LLVMSub => {
                let (left, right) = (
                    self.linear(value.operand(0))?,
                    self.linear(value.operand(1))?,
                );
                left.plus_linear(Linear {
                    plus: right.minus,
                    minus: right.plus,
                    offset: right.offset.wrapping_neg(),
                })
            }
            Opcode::LLVMGetElementPtr => {
                if value.ty().kind() != TypeKind::LLVMPointerTypeKind {
                    return None;
                }
                let base = self.linear(value.operand(0))?;
                let mut offset = 0_i64;
                for step in self.gep_steps(value)? {
                    match step {
                        GepStep::Field(bytes) => offset = offset.wrapping_add(bytes as i64),
                        GepStep::Index { index, stride } => {
                            let index = signed_bits(index)? as i64;
                            offset = offset.wrapping_add(index.wrapping_mul(stride as i64));
                        }
                    }
                }
                base.plus_linear(Linear {
                    offset,
                    ..Linear::default()
                })
            }
            _ => None,
        }
    }

    pub(crate) fn block_address(&mut self, value: llvm::Value) -> Option<Constant> {
        let function = value.block_address_function();
        let Some(&Constant::FunctionAddress(func)) = self.addresses.get(&function) else {
            return None;
        };
        let order = self.block_order(function);
        let block = *order.numbers.get(&value.block_address_block())?;
        Some(Constant::BlockAddress { func, block })
    }

    /// What each index of a `getelementptr` adds. `None` for scalable types.
    pub(crate) fn gep_steps(&mut self, gep: llvm::Value) -> Option<Vec<GepStep>> {
        let mut ty = gep.gep_source_type();
        let mut steps = Vec::new();
        for number in 1..gep.operand_count() as u32 {
            let index = gep.operand(number);
            if number > 1 && ty.kind() == TypeKind::LLVMStructTypeKind {
                let field = match index.ty().kind() {
                    TypeKind::LLVMVectorTypeKind => index.aggregate_element(0)?,
                    _ => index,
                };
                let field = u32::try_from(int_bits(field)?).ok()?;
                steps.push(GepStep::Field(self.llvm.field_offset(ty, field)));
                ty = ty.field(field);
                continue;
            }
            if number > 1 {
                ty = ty.element();
            }
            if !ty.is_sized() || contains_scalable(ty) {
                return None;
            }
            let stride = self.llvm.alloc_size(ty);
            steps.push(GepStep::Index { index, stride });
        }
        Some(steps)
    }
}

pub(crate) enum GepStep {
    Field(u64),
    Index { index: llvm::Value, stride: u64 },
}

impl Linear {
    fn plus_linear(self, other: Linear) -> Option<Linear> {
        let one = |a: Option<Constant>, b: Option<Constant>| match (a, b) {
            (Some(_), Some(_)) => None,
            (a, b) => Some(a.or(b)),
        };
        let mut sum = Linear {
            plus: one(self.plus, other.plus)?,
            minus: one(self.minus, other.minus)?,
            offset: self.offset.wrapping_add(other.offset),
        };
        if let (
            Some(Constant::GlobalAddress {
                global: plus,
                offset: added,
            }),
            Some(Constant::GlobalAddress {
                global: minus,
                offset: taken,
            }),
        ) = (sum.plus, sum.minus)
            && plus == minus
        {
            sum = Linear {
                offset: sum.offset.wrapping_add(added).wrapping_sub(taken),
                ..Linear::default()
            };
        }
        Some(sum)
    }

    /// As one constant of `ty`, if it is one.
    pub(crate) fn as_constant(self, ty: Type) -> Option<Constant> {
        match (self.plus, self.minus) {
            (None, None) => Some(Constant::Bits(truncate(self.offset as i128 as u128, ty))),
            (Some(Constant::GlobalAddress { global, offset }), None) if ty.bits() == 64 => {
                Some(Constant::GlobalAddress {
                    global,
                    offset: offset.wrapping_add(self.offset),
                })
            }
            (Some(constant), None) if ty.bits() == 64 && self.offset == 0 => Some(constant),
            _ => None,
        }
    }
}

pub(crate) fn truncate(bits: u128, ty: Type) -> u128 {
    match ty.bits() {
        128 => bits,
        width => bits & ((1 << width) - 1),
    }
}

/// The bits of an integer constant of at most 128 bits, zero-extended.
pub(crate) fn int_bits(value: llvm::Value) -> Option<u128> {
    // A vector of one repeated integer is of the same kind.
    if value.kind() != ValueKind::LLVMConstantIntValueKind
        || value.ty().kind() != TypeKind::LLVMIntegerTypeKind
    {
        return None;
    }
    match value.ty().int_width() {
        0..=64 => Some(u128::from(value.int_bits_64())),
        width @ 65..=128 => {
            // The C interface has no getter for wide integers; LLVM prints them as
            // signed decimals.
            let spelling = value.spelling();
            let digits = spelling.rsplit(' ').next()?;
            let bits = digits.parse::<i128>().ok()? as u128;
            Some(truncate(bits, Type::Int(width as u8)))
        }
        _ => None,
    }
}

/// The value of an integer constant, sign-extended.
pub(crate) fn signed_bits(value: llvm::Value) -> Option<i128> {
    let bits = int_bits(value)?;
    let unused = 128 - value.ty().int_width();
    Some(((bits << unused) as i128) >> unused)
}

pub(crate) fn contains_scalable(ty: llvm::Type) -> bool {
    match ty.kind() {
        TypeKind::LLVMScalableVectorTypeKind | TypeKind::LLVMTargetExtTypeKind => true,
        TypeKind::LLVMArrayTypeKind => contains_scalable(ty.element()),
        TypeKind::LLVMStructTypeKind => {
            (0..ty.field_count()).any(|index| contains_scalable(ty.field(index)))
        }
        _ => false,
    }
}
