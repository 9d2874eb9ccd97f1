//! Random programs over symbolic parameters, for the tests of the symbolic side.

use program_ir::{
    ArithFlags, AtomicRmwOp, BinaryOp, Block, BlockCall, CallData, Callee, CastOp, Constant,
    FloatPredicate, Func, Function, InstData, IntPredicate, Linkage, Module, OverflowOp, PtrTerm,
    Signature, TernaryOp, Type, UnaryOp, Value,
};
use random::SplitMix;

pub(crate) struct Random(pub(crate) SplitMix);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0.draw()
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    pub(crate) fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A value of `width` bits, often near a boundary.
    pub(crate) fn operand(&mut self, width: u32) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        let top = 1u128 << (width - 1);
        let value = match self.below(12) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => top,
            4 => top - 1,
            5..=7 => wide % 20,
            8 => wide >> self.below(128),
            9 => u128::from((wide as u32 as i32 as f64).to_bits()),
            _ => wide,
        };
        value & mask(width)
    }
}

pub(crate) fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

const INTS: [u8; 9] = [1, 8, 16, 24, 32, 33, 64, 80, 128];

pub(crate) const PARAM_TYPES: [Type; 8] = [
    Type::I8,
    Type::I16,
    Type::I32,
    Type::I64,
    Type::I128,
    Type::F32,
    Type::F64,
    Type::Int(24),
];

/// Which operations a program may contain.
#[derive(Clone, Copy)]
pub(crate) struct Kinds {
    pub(crate) floats: bool,
    pub(crate) memory: bool,
    pub(crate) wide: bool,
    pub(crate) calls: bool,
}

/// Bytes of the array that programs read and write.
const ARRAY: u32 = 24;

pub(crate) struct Builder<'r> {
    random: &'r mut Random,
    function: Function,
    block: Block,
    /// Values that may be used here.
    values: Vec<(Value, Type)>,
    array: Option<Value>,
    kinds: Kinds,
    helper: Option<(Func, Vec<Type>, Vec<Type>)>,
    depth: u32,
}

/// A module whose function `subject` has the given parameters and some results.
pub(crate) fn random_module(random: &mut Random, kinds: Kinds) -> (Module, Func, Vec<Type>) {
    let mut module = Module::default();
    let mut helper = None;
    if kinds.calls {
        let (function, params, results) = random_function(random, "helper", kinds, None, 6);
        let func = module.functions.push(function);
        helper = Some((func, params, results));
    }
    let statements = 6 + random.below(16);
    let (function, params, _) = random_function(random, "subject", kinds, helper, statements);
    let func = module.functions.push(function);
    (module, func, params)
}

fn random_function(
    random: &mut Random,
    name: &str,
    kinds: Kinds,
    helper: Option<(Func, Vec<Type>, Vec<Type>)>,
    statements: usize,
) -> (Function, Vec<Type>, Vec<Type>) {
    let count = 1 + random.below(3);
    let params: Vec<Type> = (0..count)
        .map(|_| {
            loop {
                let ty = random.pick(&PARAM_TYPES);
                if (kinds.floats || !ty.is_float()) && (kinds.wide || !ty.is_wide()) {
                    return ty;
                }
            }
        })
        .collect();
    let signature = Signature {
        params: params.clone(),
        returns: Vec::new(),
        variadic: false,
    };
    let mut function = Function::new(name, Linkage::Exported, signature);
    let block = function.add_block();
    let values = params
        .iter()
        .map(|&ty| (function.add_block_param(block, ty), ty))
        .collect();
    let mut builder = Builder {
        random,
        function,
        block,
        values,
        array: None,
        kinds,
        helper,
        depth: 0,
    };
    if kinds.memory {
        builder.make_array();
    }
    builder.statements(statements);
    let results: Vec<(Value, Type)> = (0..3).map(|_| builder.any_value()).collect();
    let types: Vec<Type> = results.iter().map(|result| result.1).collect();
    let values = results.iter().map(|result| result.0).collect();
    builder.emit(InstData::Return { values }, &[]);
    builder.function.signature.returns = types.clone();
    (builder.function, params, types)
}

impl Builder<'_> {
    fn emit(&mut self, data: InstData, results: &[Type]) -> Vec<Value> {
        let inst = self.function.append(self.block, data, results, None);
        self.function.results(inst).collect()
    }

    fn define(&mut self, data: InstData, ty: Type) -> Value {
        let value = self.emit(data, &[ty])[0];
        self.values.push((value, ty));
        value
    }

    fn constant(&mut self, ty: Type, bits: u128) -> Value {
        self.function.add_constant(ty, Constant::Bits(bits))
    }

    fn any_value(&mut self) -> (Value, Type) {
        // Younger values more often.
        let count = self.values.len();
        let index = self.random.below(count).max(self.random.below(count));
        self.values[index]
    }

    fn int_type(&mut self) -> Type {
        loop {
            let width = self.random.pick(&INTS);
            if self.kinds.wide || width <= 64 {
                return Type::Int(width);
            }
        }
    }

    fn int_value(&mut self, ty: Type) -> Value {
        let have: Vec<Value> = self
            .values
            .iter()
            .filter(|v| v.1 == ty)
            .map(|v| v.0)
            .collect();
        if !have.is_empty() && !self.random.chance(5) {
            return self.random.pick(&have);
        }
        if self.random.chance(4) {
            let bits = self.random.operand(ty.bits());
            return self.constant(ty, bits);
        }
        // Made from another value.
        let (mut value, mut from) = self.any_value();
        if from.is_float() {
            let bits = Type::Int(from.bits() as u8);
            value = self.define(
                InstData::Cast {
                    op: CastOp::Bits,
                    arg: value,
                },
                bits,
            );
            from = bits;
        }
        let op = match from.bits().cmp(&ty.bits()) {
            std::cmp::Ordering::Equal => return value,
            std::cmp::Ordering::Greater => CastOp::Truncate,
            std::cmp::Ordering::Less => self.random.pick(&[CastOp::ZeroExtend, CastOp::SignExtend]),
        };
        self.define(InstData::Cast { op, arg: value }, ty)
    }

    fn float_value(&mut self, ty: Type) -> Value {
        let have: Vec<Value> = self
            .values
            .iter()
            .filter(|v| v.1 == ty)
            .map(|v| v.0)
            .collect();
        if !have.is_empty() && !self.random.chance(5) {
            return self.random.pick(&have);
        }
        if self.random.chance(2) {
            let number = self.random.operand(8) as f64 - 7.5;
            let bits = if ty == Type::F32 {
                u128::from((number as f32).to_bits())
            } else {
                u128::from(number.to_bits())
            };
            return self.constant(ty, bits);
        }
        let from = self.int_type();
        let arg = self.int_value(from);
        let op = self
            .random
            .pick(&[CastOp::SignedToFloat, CastOp::UnsignedToFloat]);
        self.define(InstData::Cast { op, arg }, ty)
    }

    fn value_of(&mut self, ty: Type) -> Value {
        if ty.is_float() {
            self.float_value(ty)
        } else {
            self.int_value(ty)
        }
    }

    fn statements(&mut self, count: usize) {
        for _ in 0..count {
            self.statement();
        }
    }

    fn statement(&mut self) {
        match self.random.below(24) {
            0..=4 => self.integer_operation(),
            5 if self.depth < 3 => self.conditional(),
            6 | 7 => self.comparison(),
            8 | 9 => self.cast(),
            10 | 11 if self.kinds.floats => self.float_operation(),
            12..=14 if self.array.is_some() => self.memory_operation(),
            15 | 16 if self.depth < 3 => self.conditional(),
            17 if self.depth < 2 => self.repeat(),
            18 if self.depth < 3 => self.switch(),
            19 if self.helper.is_some() => self.call(),
            20 => self.select(),
            21 => self.division(),
            _ => self.integer_operation(),
        }
    }

    fn integer_operation(&mut self) {
        let ty = self.int_type();
        match self.random.below(10) {
            0 => {
                let mut ops = vec![
                    UnaryOp::CountOnes,
                    UnaryOp::LeadingZeros,
                    UnaryOp::TrailingZeros,
                    UnaryOp::LeadingZerosOfNonzero,
                    UnaryOp::TrailingZerosOfNonzero,
                    UnaryOp::BitReverse,
                    UnaryOp::Abs,
                ];
                if ty.bits().is_multiple_of(16) {
                    ops.push(UnaryOp::ByteSwap);
                }
                let op = self.random.pick(&ops);
                let arg = self.int_value(ty);
                self.define(InstData::Unary { op, arg }, ty);
            }
            1 => {
                let op = self
                    .random
                    .pick(&[TernaryOp::FunnelShl, TernaryOp::FunnelShr]);
                let args = [self.int_value(ty), self.int_value(ty), self.int_value(ty)];
                self.define(InstData::Ternary { op, args }, ty);
            }
            2 => {
                let op = self.random.pick(&[
                    OverflowOp::UAdd,
                    OverflowOp::SAdd,
                    OverflowOp::USub,
                    OverflowOp::SSub,
                    OverflowOp::UMul,
                    OverflowOp::SMul,
                ]);
                let args = [self.int_value(ty), self.int_value(ty)];
                let results = self.emit(InstData::Overflow { op, args }, &[ty, Type::I1]);
                self.values.push((results[0], ty));
                self.values.push((results[1], Type::I1));
            }
            _ => {
                use BinaryOp::*;
                let op = self.random.pick(&[
                    Add, Sub, Mul, And, Or, Xor, Shl, LShr, AShr, UMin, UMax, SMin, SMax, UAddSat,
                    SAddSat, USubSat, SSubSat, UShlSat, SShlSat, Add, Sub, And, Xor,
                ]);
                let args = [self.int_value(ty), self.int_value(ty)];
                self.binary(op, args, ty);
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, args: [Value; 2], ty: Type) -> Value {
        let flags = ArithFlags::default();
        self.define(InstData::Binary { op, flags, args }, ty)
    }

    fn division(&mut self) {
        use BinaryOp::*;
        let ty = self.int_type();
        let op = self.random.pick(&[UDiv, SDiv, URem, SRem]);
        let dividend = self.int_value(ty);
        let mut divisor = self.int_value(ty);
        if !self.random.chance(4) {
            let one = self.constant(ty, 1);
            divisor = self.binary(Or, [divisor, one], ty);
        }
        self.binary(op, [dividend, divisor], ty);
    }

    fn comparison(&mut self) {
        self.condition();
    }

    fn condition(&mut self) -> Value {
        use IntPredicate::*;
        if self.kinds.floats && self.random.chance(4) {
            use FloatPredicate as F;
            let ty = self.random.pick(&[Type::F32, Type::F64]);
            let predicate = self.random.pick(&[
                F::Oeq,
                F::Ogt,
                F::Oge,
                F::Olt,
                F::Ole,
                F::One,
                F::Ord,
                F::Ueq,
                F::Ugt,
                F::Uge,
                F::Ult,
                F::Ule,
                F::Une,
                F::Uno,
            ]);
            let args = [self.float_value(ty), self.float_value(ty)];
            return self.define(InstData::FloatCompare { predicate, args }, Type::I1);
        }
        // Compare something that the program has computed.
        let (_, ty) = self.any_value();
        let ty = if ty.is_float() { Type::I32 } else { ty };
        let predicate = self
            .random
            .pick(&[Eq, Ne, Ult, Ule, Ugt, Uge, Slt, Sle, Sgt, Sge]);
        let args = [self.int_value(ty), self.int_value(ty)];
        self.define(InstData::IntCompare { predicate, args }, Type::I1)
    }

    fn cast(&mut self) {
        let (value, from) = self.any_value();
        if from.is_float() {
            if self.random.chance(3) {
                let (op, to) = if from == Type::F32 {
                    (CastOp::FloatExtend, Type::F64)
                } else {
                    (CastOp::FloatTruncate, Type::F32)
                };
                self.define(InstData::Cast { op, arg: value }, to);
                return;
            }
            let to = self.int_type();
            let op = self.random.pick(&[
                CastOp::FloatToSigned,
                CastOp::FloatToUnsigned,
                CastOp::FloatToSignedSaturating,
                CastOp::FloatToUnsignedSaturating,
                CastOp::Bits,
            ]);
            let to = if op == CastOp::Bits {
                Type::Int(from.bits() as u8)
            } else {
                to
            };
            self.define(InstData::Cast { op, arg: value }, to);
            return;
        }
        let to = self.int_type();
        if self.kinds.floats && self.random.chance(5) && matches!(from.bits(), 32 | 64) {
            let float = if from.bits() == 32 {
                Type::F32
            } else {
                Type::F64
            };
            self.define(
                InstData::Cast {
                    op: CastOp::Bits,
                    arg: value,
                },
                float,
            );
        } else if to.bits() != from.bits() {
            let op = if to.bits() < from.bits() {
                CastOp::Truncate
            } else {
                self.random.pick(&[CastOp::ZeroExtend, CastOp::SignExtend])
            };
            self.define(InstData::Cast { op, arg: value }, to);
        }
    }

    fn float_operation(&mut self) {
        use BinaryOp::*;
        let ty = self.random.pick(&[Type::F32, Type::F64]);
        match self.random.below(8) {
            0 | 1 => {
                let op = self.random.pick(&[
                    UnaryOp::FNeg,
                    UnaryOp::FAbs,
                    UnaryOp::FSqrt,
                    UnaryOp::FFloor,
                    UnaryOp::FCeil,
                    UnaryOp::FTrunc,
                    UnaryOp::FRoundEven,
                    UnaryOp::FRoundAway,
                ]);
                let arg = self.float_value(ty);
                self.define(InstData::Unary { op, arg }, ty);
            }
            2 => {
                let args = [ty; 3].map(|ty| self.float_value(ty));
                let op = TernaryOp::FMulAdd;
                self.define(InstData::Ternary { op, args }, ty);
            }
            3 => {
                let arg = self.float_value(ty);
                let mask = self.random.below(1024) as u16;
                self.define(InstData::FloatClass { mask, arg }, Type::I1);
            }
            _ => {
                let op = self.random.pick(&[
                    FAdd, FSub, FMul, FDiv, FRem, FCopySign, FMinNum, FMaxNum, FMinimum, FMaximum,
                ]);
                let args = [self.float_value(ty), self.float_value(ty)];
                self.binary(op, args, ty);
            }
        }
    }

    fn select(&mut self) {
        let condition = self.condition();
        let (value, ty) = self.any_value();
        let other = self.value_of(ty);
        let args = [condition, value, other];
        let op = TernaryOp::Select;
        self.define(InstData::Ternary { op, args }, ty);
    }

    fn make_array(&mut self) {
        let count = self.constant(Type::I64, u128::from(ARRAY));
        let alloca = InstData::Alloca {
            count,
            element_size: 1,
            align: 16,
        };
        self.array = Some(self.emit(alloca, &[Type::Ptr])[0]);
        for _ in 0..3 {
            self.store();
        }
    }

    /// An address in the array for `ty`: constant, or symbolic and mostly inside.
    fn address(&mut self, ty: Type) -> Value {
        let base = self.array.expect("memory programs have an array");
        let size = ty.store_bytes();
        let (offset, terms) = if self.random.chance(2) {
            let offset = self.random.below((ARRAY - size + 1) as usize);
            (offset as i64, Vec::new())
        } else {
            let mut index = self.int_value(Type::I64);
            if !self.random.chance(12) {
                let limit = self.random.pick(&[3, 7]);
                let limit = self.constant(Type::I64, limit);
                index = self.binary(BinaryOp::And, [index, limit], Type::I64);
            }
            let scale = self.random.pick(&[1, 1, 2, i64::from(size.min(8))]);
            let scale = if scale * 7 + i64::from(size) > i64::from(ARRAY) {
                1
            } else {
                scale
            };
            let offset = self.random.below(2) as i64;
            (offset, vec![PtrTerm { index, scale }])
        };
        let add = InstData::PtrAdd {
            base,
            offset,
            terms: terms.into(),
            inbounds: false,
        };
        self.emit(add, &[Type::Ptr])[0]
    }

    fn access_type(&mut self) -> Type {
        if self.kinds.floats && self.random.chance(6) {
            return self.random.pick(&[Type::F32, Type::F64]);
        }
        self.int_type()
    }

    fn store(&mut self) {
        let ty = self.access_type();
        let address = self.address(ty);
        let value = self.value_of(ty);
        let store = InstData::Store {
            address,
            value,
            align: 1,
            volatile: false,
        };
        self.emit(store, &[]);
    }

    fn memory_operation(&mut self) {
        match self.random.below(10) {
            0 => {
                let [destination, source] = [self.address(Type::I64), self.address(Type::I64)];
                let length = 1 + self.random.below(8) as u128;
                let length = self.constant(Type::I64, length);
                let copy = InstData::MemCopy {
                    destination,
                    source,
                    length,
                    may_overlap: true,
                };
                self.emit(copy, &[]);
            }
            1 => {
                let destination = self.address(Type::I64);
                let byte = self.int_value(Type::I8);
                let length = 1 + self.random.below(8) as u128;
                let length = self.constant(Type::I64, length);
                let set = InstData::MemSet {
                    destination,
                    byte,
                    length,
                };
                self.emit(set, &[]);
            }
            2 => {
                use AtomicRmwOp::*;
                let ty = self.random.pick(&[Type::I8, Type::I32, Type::I64]);
                let op = self.random.pick(&[
                    Exchange, Add, Sub, And, Nand, Or, Xor, SMax, SMin, UMax, UMin,
                ]);
                let address = self.address(ty);
                let value = self.int_value(ty);
                self.define(InstData::AtomicRmw { op, address, value }, ty);
            }
            3 => {
                let ty = self.random.pick(&[Type::I8, Type::I32, Type::I64]);
                let exchange = InstData::CompareExchange {
                    address: self.address(ty),
                    expected: self.int_value(ty),
                    replacement: self.int_value(ty),
                };
                let results = self.emit(exchange, &[ty, Type::I1]);
                self.values.push((results[0], ty));
                self.values.push((results[1], Type::I1));
            }
            4..=6 => self.store(),
            _ => {
                let ty = self.access_type();
                let address = self.address(ty);
                let load = InstData::Load {
                    address,
                    align: 1,
                    volatile: false,
                };
                self.define(load, ty);
            }
        }
    }

    fn call(&mut self) {
        let (func, params, results) = self.helper.clone().expect("checked");
        let args: Vec<Value> = params.iter().map(|&ty| self.value_of(ty)).collect();
        let call = CallData {
            callee: Callee::Direct(func),
            fixed_args: args.len() as u32,
            args: args.into(),
            by_val: [].into(),
            returns: results.clone().into(),
        };
        let values = self.emit(InstData::Call(Box::new(call)), &results);
        self.values.extend(values.into_iter().zip(results));
    }

    /// Ends the current block; the new one has a parameter for one value of `ty`.
    fn join(&mut self, ty: Type) -> (Block, Value) {
        let block = self.function.add_block();
        let param = self.function.add_block_param(block, ty);
        (block, param)
    }

    fn branch_into(&mut self, block: Block, body: usize, ty: Type, join: Block) {
        let visible = self.values.len();
        self.block = block;
        self.depth += 1;
        self.statements(body);
        self.depth -= 1;
        let value = self.value_of(ty);
        let jump = InstData::Jump(BlockCall {
            block: join,
            args: [value].into(),
        });
        self.emit(jump, &[]);
        self.values.truncate(visible);
    }

    fn conditional(&mut self) {
        let condition = self.condition();
        let (_, ty) = self.any_value();
        let (join, param) = self.join(ty);
        let (then, otherwise) = (self.function.add_block(), self.function.add_block());
        let edge = |block| BlockCall {
            block,
            args: [].into(),
        };
        let branch = InstData::Branch {
            condition,
            then: edge(then),
            otherwise: edge(otherwise),
        };
        self.emit(branch, &[]);
        for block in [then, otherwise] {
            let body = self.random.below(3);
            self.branch_into(block, body, ty, join);
        }
        self.block = join;
        self.values.push((param, ty));
    }

    fn switch(&mut self) {
        let ty = self.int_type();
        let arg = self.int_value(ty);
        let (_, result) = self.any_value();
        let (join, param) = self.join(result);
        let targets: Vec<Block> = (0..3).map(|_| self.function.add_block()).collect();
        let edge = |block| BlockCall {
            block,
            args: [].into(),
        };
        let mut values: Vec<u128> = (0..1 + self.random.below(6))
            .map(|_| match self.random.below(3) {
                0 => self.random.operand(ty.bits()),
                _ => self.random.below(12) as u128 & mask(ty.bits()),
            })
            .collect();
        values.sort_unstable();
        values.dedup();
        let cases: Vec<(u128, BlockCall)> = values
            .into_iter()
            .map(|value| (value, edge(targets[self.random.below(3)])))
            .collect();
        let switch = InstData::Switch {
            arg,
            cases: cases.into(),
            default: edge(targets[0]),
        };
        self.emit(switch, &[]);
        for block in targets {
            let body = self.random.below(2);
            self.branch_into(block, body, result, join);
        }
        self.block = join;
        self.values.push((param, result));
    }

    /// A loop of at most eight rounds, with a bound that may be symbolic.
    fn repeat(&mut self) {
        let (initial, ty) = self.any_value();
        let bound = self.int_value(Type::I32);
        let seven = self.constant(Type::I32, 7);
        let bound = self.binary(BinaryOp::And, [bound, seven], Type::I32);
        let head = self.function.add_block();
        let counter = self.function.add_block_param(head, Type::I32);
        let carried = self.function.add_block_param(head, ty);
        let zero = self.constant(Type::I32, 0);
        self.emit(
            InstData::Jump(BlockCall {
                block: head,
                args: [zero, initial].into(),
            }),
            &[],
        );
        self.block = head;
        let compare = InstData::IntCompare {
            predicate: IntPredicate::Ult,
            args: [counter, bound],
        };
        let condition = self.emit(compare, &[Type::I1])[0];
        let (body, exit) = (self.function.add_block(), self.function.add_block());
        let edge = |block| BlockCall {
            block,
            args: [].into(),
        };
        let branch = InstData::Branch {
            condition,
            then: edge(body),
            otherwise: edge(exit),
        };
        self.emit(branch, &[]);
        let visible = self.values.len();
        self.block = body;
        self.values.push((counter, Type::I32));
        self.values.push((carried, ty));
        self.depth += 1;
        let count = 1 + self.random.below(2);
        self.statements(count);
        self.depth -= 1;
        let next = self.value_of(ty);
        let one = self.constant(Type::I32, 1);
        let step = self.binary(BinaryOp::Add, [counter, one], Type::I32);
        let jump = InstData::Jump(BlockCall {
            block: head,
            args: [step, next].into(),
        });
        self.emit(jump, &[]);
        self.values.truncate(visible);
        self.block = exit;
        self.values.push((carried, ty));
    }
}
