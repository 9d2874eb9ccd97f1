//! How LLVM types fall apart into scalars.
//!
//! Every LLVM value is a list of our scalar values: one for a number or a pointer, one
//! per element for a vector, one per leaf for a struct or an array, one per 64 bits for an
//! integer above 128 bits. The list of a type that has no scalars of ours (a `bfloat`, a
//! scalable vector) is empty and carries a `problem`; instructions that touch such a type
//! become `Unsupported`.

use crate::llvm::{self, TypeKind};
use crate::wide_integers;
use program_ir::Type;
use std::collections::HashMap;
use std::rc::Rc;

/// Beyond this, a first-class array is no value any more (an instruction's results are
/// counted in 16 bits).
const MAX_SCALARS: usize = 16384;

#[derive(Debug, Default)]
pub(crate) struct Shape {
    pub(crate) scalars: Vec<Type>,
    /// Where the scalars lie in memory, in the order of `scalars`.
    pub(crate) pieces: Vec<Piece>,
    pub(crate) problem: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    /// The next scalar, at this byte offset.
    Scalar { offset: u64 },
    /// The next `count` scalars, integers whose width is not a number of bytes, packed
    /// bit by bit from this byte offset on.
    Packed { offset: u64, count: usize },
}

#[derive(Default)]
pub(crate) struct Shapes {
    known: HashMap<llvm::Type, Rc<Shape>>,
}

impl Shapes {
    pub(crate) fn of(&mut self, module: &llvm::Module, ty: llvm::Type) -> Rc<Shape> {
        if let Some(shape) = self.known.get(&ty) {
            return Rc::clone(shape);
        }
        let shape = Rc::new(self.compute(module, ty));
        self.known.insert(ty, Rc::clone(&shape));
        shape
    }

    fn compute(&mut self, module: &llvm::Module, ty: llvm::Type) -> Shape {
        match ty.kind() {
            TypeKind::LLVMVoidTypeKind
            | TypeKind::LLVMLabelTypeKind
            | TypeKind::LLVMMetadataTypeKind
            | TypeKind::LLVMTokenTypeKind => Shape::default(),
            TypeKind::LLVMStructTypeKind if ty.is_opaque_struct() => problem(ty),
            TypeKind::LLVMStructTypeKind => {
                let fields = (0..ty.field_count()).map(|index| ty.field(index)).collect();
                if !ty.is_sized() {
                    return problem(ty);
                }
                let offset = |index: usize| module.field_offset(ty, index as u32);
                self.aggregate(module, ty, fields, &offset)
            }
            TypeKind::LLVMArrayTypeKind => {
                let count = ty.array_length();
                if count > MAX_SCALARS as u64 {
                    return problem(ty);
                }
                let element = ty.element();
                let stride = module.alloc_size(element);
                let fields = vec![element; count as usize];
                self.aggregate(module, ty, fields, &|index| index as u64 * stride)
            }
            TypeKind::LLVMVectorTypeKind => vector(ty),
            TypeKind::LLVMIntegerTypeKind if let Some(limbs) = wide_integers::limbs(ty) => {
                let offsets = (0..limbs.len() as u64).map(|index| 8 * index);
                Shape {
                    pieces: offsets.map(|offset| Piece::Scalar { offset }).collect(),
                    scalars: limbs,
                    problem: None,
                }
            }
            _ => match scalar(ty) {
                Some(scalar) => Shape {
                    scalars: vec![scalar],
                    pieces: vec![Piece::Scalar { offset: 0 }],
                    problem: None,
                },
                None => problem(ty),
            },
        }
    }

    fn aggregate(
        &mut self,
        module: &llvm::Module,
        ty: llvm::Type,
        fields: Vec<llvm::Type>,
        offset_of: &dyn Fn(usize) -> u64,
    ) -> Shape {
        let mut whole = Shape::default();
        for (index, field) in fields.into_iter().enumerate() {
            let part = self.of(module, field);
            if part.problem.is_some() || whole.scalars.len() + part.scalars.len() > MAX_SCALARS {
                return problem(ty);
            }
            let base = offset_of(index);
            whole.scalars.extend_from_slice(&part.scalars);
            whole
                .pieces
                .extend(part.pieces.iter().map(|piece| match *piece {
                    Piece::Scalar { offset } => Piece::Scalar {
                        offset: base + offset,
                    },
                    Piece::Packed { offset, count } => Piece::Packed {
                        offset: base + offset,
                        count,
                    },
                }));
        }
        whole
    }
}

/// The scalar of a scalar type.
pub(crate) fn scalar(ty: llvm::Type) -> Option<Type> {
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => match ty.int_width() {
            width @ 1..=128 => Some(Type::Int(width as u8)),
            _ => None,
        },
        TypeKind::LLVMPointerTypeKind => Some(Type::Ptr),
        TypeKind::LLVMHalfTypeKind => Some(Type::F16),
        TypeKind::LLVMFloatTypeKind => Some(Type::F32),
        TypeKind::LLVMDoubleTypeKind => Some(Type::F64),
        TypeKind::LLVMX86_FP80TypeKind => Some(Type::F80),
        TypeKind::LLVMFP128TypeKind => Some(Type::F128),
        _ => None,
    }
}

fn vector(ty: llvm::Type) -> Shape {
    let count = ty.vector_size() as usize;
    let Some(element) = scalar(ty.element()) else {
        return problem(ty);
    };
    if count > MAX_SCALARS {
        return problem(ty);
    }
    let bits = u64::from(element.bits());
    let pieces = match bits % 8 {
        0 => (0..count as u64)
            .map(|index| Piece::Scalar {
                offset: index * bits / 8,
            })
            .collect(),
        _ => vec![Piece::Packed { offset: 0, count }],
    };
    Shape {
        scalars: vec![element; count],
        pieces,
        problem: None,
    }
}

fn problem(ty: llvm::Type) -> Shape {
    let spelling = llvm::shorten(ty.spelling(), 80);
    Shape {
        problem: Some(format!("value of type `{spelling}`")),
        ..Shape::default()
    }
}
