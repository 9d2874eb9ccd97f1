//! Intrinsics that take floats apart or put them together, spelled out exactly in
//! arithmetic. They are library functions elsewhere, but a program that has only the
//! intrinsic need not be linked with them.

use crate::function::FunctionReader;
use crate::llvm;
use crate::shape::Shape;
use program_ir::{BinaryOp, BlockCall, CastOp, InstData, IntPredicate, Type, UnaryOp, Value};

/// The layout of a float type: sign, exponent, and what is below the exponent.
#[derive(Clone, Copy)]
struct Format {
    /// Bits below the exponent. In an x87 number, the first of them is the integer bit.
    low_bits: u32,
    exponent_bits: u32,
    /// Bits of the significand, the integer bit included.
    precision: i64,
}

impl Format {
    fn of(ty: Type) -> Option<Format> {
        let (low_bits, exponent_bits, precision) = match ty {
            Type::F16 => (10, 5, 11),
            Type::F32 => (23, 8, 24),
            Type::F64 => (52, 11, 53),
            Type::F80 => (64, 15, 64),
            Type::F128 => (112, 15, 113),
            _ => return None,
        };
        Some(Format {
            low_bits,
            exponent_bits,
            precision,
        })
    }

    fn bias(self) -> i64 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    fn exponent_mask(self) -> u128 {
        (1 << self.exponent_bits) - 1
    }

    /// The bits of 2 to the power of `exponent`, which is that of a normal number.
    fn power_of_two(self, exponent: i64) -> u128 {
        let field = (exponent + self.bias()) as u128;
        let explicit = match self.precision == i64::from(self.low_bits) {
            true => 1 << (self.low_bits - 1),
            false => 0,
        };
        field << self.low_bits | explicit
    }
}

impl FunctionReader<'_, '_> {
    /// `None` if it is not one of them.
    pub(crate) fn read_float_parts(
        &mut self,
        call: llvm::Value,
        name: &str,
        shape: &Shape,
    ) -> Option<Vec<Value>> {
        if !matches!(name, "modf" | "frexp" | "ldexp" | "powi") {
            return None;
        }
        let args = self.operand(call.argument(0));
        let ty = self.ty(args[0]);
        let Some(format) = Format::of(ty) else {
            return Some(self.unsupported(format!("llvm.{name} on {ty}"), &shape.scalars));
        };
        let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
        for (lane, &arg) in args.iter().enumerate() {
            match name {
                "modf" => {
                    let (fraction, whole) = self.split_at_point(arg);
                    firsts.push(fraction);
                    seconds.push(whole);
                }
                "frexp" => {
                    let (fraction, exponent) = self.split_exponent(arg, format);
                    firsts.push(fraction);
                    let wanted = shape.scalars[args.len() + lane];
                    seconds.push(self.resize(exponent, wanted, true));
                }
                _ => {
                    let exponents = self.operand(call.argument(1));
                    let exponent = exponents[lane.min(exponents.len() - 1)];
                    firsts.push(match name {
                        "ldexp" => self.scale(arg, exponent, format),
                        _ => self.integer_power(arg, exponent, format),
                    });
                }
            }
        }
        firsts.extend(seconds);
        Some(firsts)
    }

    /// Fraction and whole part, both with the sign of `arg`.
    fn split_at_point(&mut self, arg: Value) -> (Value, Value) {
        const INFINITIES: u16 = 0x204;
        let whole = self.unary(UnaryOp::FTrunc, arg);
        let rest = self.binary(BinaryOp::FSub, arg, whole);
        let mask = INFINITIES;
        let infinite = self.emit_one(InstData::FloatClass { mask, arg }, Type::I1);
        let ty = self.ty(arg);
        let zero = self.constant(ty, 0);
        let rest = self.select(infinite, zero, rest);
        (self.binary(BinaryOp::FCopySign, rest, arg), whole)
    }

    /// `fraction · 2^exponent = arg` with the fraction in [½, 1). Zeros, infinities and
    /// NaNs are their own fraction, with exponent 0.
    fn split_exponent(&mut self, arg: Value, format: Format) -> (Value, Value) {
        let ty = self.ty(arg);
        let int = Type::Int(ty.bits() as u8);
        let lift = format.precision + 1;

        let field = self.exponent_field(arg, format);
        let no_exponent = self.constant(int, 0);
        let subnormal = self.compare(IntPredicate::Eq, field, no_exponent);
        let factor = self.constant(ty, format.power_of_two(lift));
        let lifted = self.binary(BinaryOp::FMul, arg, factor);
        let normal = self.select(subnormal, lifted, arg);

        let normal_field = self.exponent_field(normal, format);
        let narrow = self.resize(normal_field, Type::I32, false);
        let usual = self.constant(Type::I32, (format.bias() - 1) as u128);
        let lowered = self.constant(Type::I32, (format.bias() - 1 + lift) as u128);
        let taken = self.select(subnormal, lowered, usual);
        let exponent = self.binary(BinaryOp::Sub, narrow, taken);

        let bits = self.as_int(normal);
        let others = self.constant(int, !(format.exponent_mask() << format.low_bits));
        let cleared = self.binary(BinaryOp::And, bits, others);
        let half = self.constant(int, ((format.bias() - 1) as u128) << format.low_bits);
        let fraction = self.binary(BinaryOp::Or, cleared, half);
        let fraction = self.int_as(fraction, ty);

        const NANS_INFINITIES_AND_ZEROS: u16 = 0x003 | 0x204 | 0x060;
        let mask = NANS_INFINITIES_AND_ZEROS;
        let special = self.emit_one(InstData::FloatClass { mask, arg }, Type::I1);
        let zero = self.constant(Type::I32, 0);
        (
            self.select(special, arg, fraction),
            self.select(special, zero, exponent),
        )
    }

    fn exponent_field(&mut self, arg: Value, format: Format) -> Value {
        let bits = self.as_int(arg);
        let ty = self.ty(bits);
        let shift = self.constant(ty, u128::from(format.low_bits));
        let mask = self.constant(ty, format.exponent_mask());
        let shifted = self.binary(BinaryOp::LShr, bits, shift);
        self.binary(BinaryOp::And, shifted, mask)
    }

    /// `arg · 2^exponent`, rounded once: at most three exact or final multiplications.
    /// Going down, the steps leave room for a whole significand, so that only the last
    /// one can round.
    fn scale(&mut self, arg: Value, exponent: Value, format: Format) -> Value {
        let ty = self.ty(arg);
        let (largest, smallest) = (format.bias(), 1 - format.bias());
        let down = smallest + format.precision;
        let (mut value, mut left) = (arg, self.clamped_exponent(exponent));
        for _ in 0..2 {
            for (step, limit, predicate) in [
                (largest, largest, IntPredicate::Sgt),
                (down, smallest, IntPredicate::Slt),
            ] {
                let limit = self.constant(Type::I32, limit as u128);
                let beyond = self.compare(predicate, left, limit);
                let factor = self.constant(ty, format.power_of_two(step));
                let scaled = self.binary(BinaryOp::FMul, value, factor);
                value = self.select(beyond, scaled, value);
                let step = self.constant(Type::I32, step as u128);
                let rest = self.binary(BinaryOp::Sub, left, step);
                left = self.select(beyond, rest, left);
            }
        }
        let (largest_value, smallest_value) = (
            self.constant(Type::I32, largest as u128),
            self.constant(Type::I32, smallest as u128),
        );
        let left = self.binary(BinaryOp::SMin, left, largest_value);
        let left = self.binary(BinaryOp::SMax, left, smallest_value);

        // The bits of 2^left.
        let int = Type::Int(ty.bits() as u8);
        let bias = self.constant(Type::I32, format.bias() as u128);
        let field = self.binary(BinaryOp::Add, left, bias);
        let field = self.resize(field, int, false);
        let shift = self.constant(int, u128::from(format.low_bits));
        let bits = self.binary(BinaryOp::Shl, field, shift);
        let explicit = format.power_of_two(0) & ((1 << format.low_bits) - 1);
        let explicit = self.constant(int, explicit);
        let bits = self.binary(BinaryOp::Or, bits, explicit);
        let factor = self.int_as(bits, ty);
        self.binary(BinaryOp::FMul, value, factor)
    }

    /// As an `i32` of a size that no further step changes the result of.
    fn clamped_exponent(&mut self, exponent: Value) -> Value {
        const MOST: i128 = 1 << 20;
        let ty = self.ty(exponent);
        if ty.bits() < 32 {
            return self.resize(exponent, Type::I32, true);
        }
        let (low, high) = (
            self.constant(ty, -MOST as u128),
            self.constant(ty, MOST as u128),
        );
        let raised = self.binary(BinaryOp::SMax, exponent, low);
        let clamped = self.binary(BinaryOp::SMin, raised, high);
        self.resize(clamped, Type::I32, true)
    }

    /// By repeated squaring, with the multiplications in the order of the compilers'
    /// support libraries.
    fn integer_power(&mut self, base: Value, exponent: Value, format: Format) -> Value {
        let ty = self.ty(base);
        let exponent = self.resize(exponent, Type::I32, true);
        let zero = self.constant(Type::I32, 0);
        let one_bit = self.constant(Type::I32, 1);
        let one = self.constant(ty, format.power_of_two(0));
        let negative = self.compare(IntPredicate::Slt, exponent, zero);
        let magnitude = self.unary(UnaryOp::Abs, exponent);

        let (head, exit) = (self.function.add_block(), self.function.add_block());
        let square = self.function.add_block_param(head, ty);
        let left = self.function.add_block_param(head, Type::I32);
        let product = self.function.add_block_param(head, ty);
        let result = self.function.add_block_param(exit, ty);
        let edge = |block, args: &[Value]| BlockCall {
            block,
            args: args.into(),
        };
        self.emit(InstData::Jump(edge(head, &[base, magnitude, one])), &[]);

        self.enter(head);
        let odd = self.cast(CastOp::Truncate, left, Type::I1);
        let multiplied = self.binary(BinaryOp::FMul, product, square);
        let next_product = self.select(odd, multiplied, product);
        let next_left = self.binary(BinaryOp::LShr, left, one_bit);
        let next_square = self.binary(BinaryOp::FMul, square, square);
        let condition = self.compare(IntPredicate::Ne, next_left, zero);
        let again = InstData::Branch {
            condition,
            then: edge(head, &[next_square, next_left, next_product]),
            otherwise: edge(exit, &[next_product]),
        };
        self.emit(again, &[]);

        self.enter(exit);
        let inverse = self.binary(BinaryOp::FDiv, one, result);
        self.select(negative, inverse, result)
    }
}
