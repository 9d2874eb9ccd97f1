//! Intrinsics on floats.
//!
//! The machine rounds to nearest and does not record exceptions, so the constrained
//! variants are the plain ones. Functions beyond arithmetic are calls of the C library,
//! which is part of the program.

use crate::function::FunctionReader;
use crate::llvm;
use crate::shape::Shape;
use crate::translation::int_bits;
use program_ir::{BinaryOp, CastOp, FloatPredicate, InstData, TernaryOp, Type, UnaryOp, Value};

/// Intrinsics that are functions of the C library, one result, with the same arguments;
/// and the names of those functions for `double`, `float` and `long double`.
macro_rules! library {
    ($($name:literal),*) => {
        const LIBRARY: &[&str] = &[$($name),*];

        /// Library functions that translated intrinsics may call. A program can need one
        /// of them without naming it, so whoever links it with a library that is taken
        /// only as far as needed has to ask for these too.
        pub const LIBRARY_FUNCTIONS_OF_INTRINSICS: &[&str] = &[
            $($name, concat!($name, "f"), concat!($name, "l"),)*
        ];
    };
}

library!(
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2",
    "exp10", "log", "log2", "log10", "pow"
);

impl FunctionReader<'_, '_> {
    /// `None` if it is not an intrinsic on floats.
    pub(crate) fn read_float_intrinsic(
        &mut self,
        call: llvm::Value,
        name: &str,
        shape: &Shape,
    ) -> Option<Vec<Value>> {
        let name = name
            .strip_prefix("experimental.constrained.")
            .unwrap_or(name);
        if let Some(op) = unary_op(name) {
            return Some(self.map_argument(call, |this, arg| this.unary(op, arg)));
        }
        if let Some(op) = binary_op(name) {
            return Some(
                self.map_two_arguments(call, |this, left, right| this.binary(op, left, right)),
            );
        }
        if let Some(op) = cast_op(name) {
            let args = self.operand(call.argument(0));
            let pairs = args.into_iter().zip(&shape.scalars);
            return Some(pairs.map(|(arg, &to)| self.cast(op, arg, to)).collect());
        }
        if LIBRARY.contains(&name) {
            return Some(self.library_lanes(call, name, shape));
        }
        Some(match name {
            "canonicalize" => self.operand(call.argument(0)),
            "fma" => self.map_three_arguments(call, TernaryOp::FMulAdd),
            "fmuladd" => self.multiply_then_add(call),
            "is.fpclass" => {
                let mask = int_bits(call.argument(1)).unwrap_or(0) as u16;
                self.map_argument(call, |this, arg| {
                    this.emit_one(InstData::FloatClass { mask, arg }, Type::I1)
                })
            }
            "lrint" | "llrint" | "lround" | "llround" => {
                let op = match name.ends_with("rint") {
                    true => UnaryOp::FRoundEven,
                    false => UnaryOp::FRoundAway,
                };
                let args = self.operand(call.argument(0));
                let pairs = args.into_iter().zip(&shape.scalars);
                pairs
                    .map(|(arg, &to)| {
                        let rounded = self.unary(op, arg);
                        self.cast(CastOp::FloatToSigned, rounded, to)
                    })
                    .collect()
            }
            "convert.to.fp16" => self.map_argument(call, |this, arg| {
                let half = this.cast(CastOp::FloatTruncate, arg, Type::F16);
                this.as_int(half)
            }),
            "convert.from.fp16" => {
                let to = *shape.scalars.first()?;
                self.map_argument(call, |this, arg| {
                    let half = this.int_as(arg, Type::F16);
                    this.cast(CastOp::FloatExtend, half, to)
                })
            }
            "fcmp" | "fcmps" => self.constrained_compare(call)?,
            "sincos" => {
                let args = self.operand(call.argument(0));
                let mut results = Vec::new();
                for function in ["sin", "cos"] {
                    for &arg in &args {
                        results.extend(self.library(function, &[arg]));
                    }
                }
                results
            }
            _ => return self.read_float_parts(call, name, shape),
        })
    }

    /// Without a fused instruction in the baseline instruction set, compilers for x86-64
    /// make two roundings of it; so do we.
    fn multiply_then_add(&mut self, call: llvm::Value) -> Vec<Value> {
        let products = self.map_two_arguments(call, |this, left, right| {
            this.binary(BinaryOp::FMul, left, right)
        });
        let addends = self.operand(call.argument(2));
        products
            .into_iter()
            .zip(addends)
            .map(|(product, addend)| self.binary(BinaryOp::FAdd, product, addend))
            .collect()
    }

    fn library_lanes(&mut self, call: llvm::Value, name: &str, shape: &Shape) -> Vec<Value> {
        let arguments: Vec<Vec<Value>> = (0..call.argument_count())
            .map(|index| self.operand(call.argument(index)))
            .filter(|scalars| !scalars.is_empty())
            .collect();
        (0..shape.scalars.len())
            .flat_map(|lane| {
                let args: Vec<Value> = arguments
                    .iter()
                    .map(|scalars| scalars[lane.min(scalars.len() - 1)])
                    .collect();
                self.library(name, &args)
            })
            .collect()
    }

    /// The library function `name` for the float type of its first argument.
    fn library(&mut self, name: &str, args: &[Value]) -> Vec<Value> {
        let ty = self.ty(args[0]);
        match library_suffix(ty) {
            Some(suffix) => self.call_library(&format!("{name}{suffix}"), args, &[ty]),
            None => self.unsupported(format!("llvm.{name} on {ty}"), &[ty]),
        }
    }

    /// The predicate is a metadata string.
    fn constrained_compare(&mut self, call: llvm::Value) -> Option<Vec<Value>> {
        use FloatPredicate::*;
        let predicate = match call.argument(2).metadata_string()?.as_str() {
            "oeq" => Oeq,
            "ogt" => Ogt,
            "oge" => Oge,
            "olt" => Olt,
            "ole" => Ole,
            "one" => One,
            "ord" => Ord,
            "ueq" => Ueq,
            "ugt" => Ugt,
            "uge" => Uge,
            "ult" => Ult,
            "ule" => Ule,
            "une" => Une,
            "uno" => Uno,
            _ => return None,
        };
        Some(self.map_two_arguments(call, |this, left, right| {
            let args = [left, right];
            this.emit_one(InstData::FloatCompare { predicate, args }, Type::I1)
        }))
    }
}

/// What the C library appends to a function's name for a float type.
fn library_suffix(ty: Type) -> Option<&'static str> {
    match ty {
        Type::F32 => Some("f"),
        Type::F64 => Some(""),
        Type::F80 => Some("l"),
        _ => None,
    }
}

/// Names of the library functions that translating this intrinsic may call.
pub(crate) fn library_functions(intrinsic: &str) -> Vec<String> {
    let name = intrinsic
        .strip_prefix("experimental.constrained.")
        .unwrap_or(intrinsic);
    let bases: &[&str] = match name {
        "sincos" => &["sin", "cos"],
        _ if LIBRARY.contains(&name) => &[name],
        _ => &[],
    };
    let suffixes = ["", "f", "l"];
    let names = bases.iter();
    names
        .flat_map(|name| suffixes.map(|suffix| format!("{name}{suffix}")))
        .collect()
}

fn unary_op(name: &str) -> Option<UnaryOp> {
    Some(match name {
        "fabs" => UnaryOp::FAbs,
        "sqrt" => UnaryOp::FSqrt,
        "floor" => UnaryOp::FFloor,
        "ceil" => UnaryOp::FCeil,
        "trunc" => UnaryOp::FTrunc,
        "rint" | "nearbyint" | "roundeven" => UnaryOp::FRoundEven,
        "round" => UnaryOp::FRoundAway,
        _ => return None,
    })
}

fn binary_op(name: &str) -> Option<BinaryOp> {
    Some(match name {
        "copysign" => BinaryOp::FCopySign,
        "minnum" | "minimumnum" => BinaryOp::FMinNum,
        "maxnum" | "maximumnum" => BinaryOp::FMaxNum,
        "minimum" => BinaryOp::FMinimum,
        "maximum" => BinaryOp::FMaximum,
        "fadd" => BinaryOp::FAdd,
        "fsub" => BinaryOp::FSub,
        "fmul" => BinaryOp::FMul,
        "fdiv" => BinaryOp::FDiv,
        "frem" => BinaryOp::FRem,
        _ => return None,
    })
}

fn cast_op(name: &str) -> Option<CastOp> {
    Some(match name {
        "fptoui.sat" => CastOp::FloatToUnsignedSaturating,
        "fptosi.sat" => CastOp::FloatToSignedSaturating,
        "fptoui" => CastOp::FloatToUnsigned,
        "fptosi" => CastOp::FloatToSigned,
        "uitofp" => CastOp::UnsignedToFloat,
        "sitofp" => CastOp::SignedToFloat,
        "fpext" => CastOp::FloatExtend,
        "fptrunc" => CastOp::FloatTruncate,
        _ => return None,
    })
}
