//! The machine's specialised operations against the plain definitions in `eval`, on
//! boundary and random operands, for many widths; operands come both from registers
//! and from constants.

use concolic_vm::eval::{self, EvalError};
use concolic_vm::linux::{Kernel, KernelConfig};
use concolic_vm::{End, Limits, Machine, Program};
use program_ir::{
    ArithFlags, BinaryOp, Block, BlockCall, CastOp, Constant, Function, InstData, IntPredicate,
    Linkage, Module, OverflowOp, Signature, TernaryOp, Type, UnaryOp, Value,
};
use random::SplitMix;

struct Random(SplitMix);

impl Random {
    fn next(&mut self) -> u64 {
        self.0.draw()
    }

    /// A value of `width` bits, often near a boundary.
    fn operand(&mut self, width: u32) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        let top = 1u128 << (width - 1);
        let value = match self.next() % 10 {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => top,
            4 => top - 1,
            5 => wide % 200,
            6 => wide >> (self.next() % 128),
            _ => wide,
        };
        value & expr::mask(width)
    }
}

/// `fn(params…) -> result` with the operation that `build` appends; `constants`
/// says which arguments are constants instead of parameters.
fn run_one(
    types: &[Type],
    args: &[u128],
    constant: &[bool],
    results: &[Type],
    data: impl Fn(&[Value]) -> InstData,
) -> Result<Vec<u128>, End> {
    let params: Vec<Type> = types
        .iter()
        .zip(constant)
        .filter(|&(_, constant)| !constant)
        .map(|(&ty, _)| ty)
        .collect();
    let signature = Signature {
        params,
        returns: results.to_vec(),
        variadic: false,
    };
    let mut function = Function::new("operation", Linkage::Exported, signature);
    let entry = function.add_block();
    let mut words = Vec::new();
    let values: Vec<Value> = types
        .iter()
        .zip(args)
        .zip(constant)
        .map(|((&ty, &arg), &constant)| {
            if constant {
                function.add_constant(ty, Constant::Bits(arg))
            } else {
                words.push(arg as u64);
                if ty.is_wide() {
                    words.push((arg >> 64) as u64);
                }
                function.add_block_param(entry, ty)
            }
        })
        .collect();
    let inst = function.append(entry, data(&values), results, None);
    let values = function.results(inst).collect();
    function.append(entry, InstData::Return { values }, &[], None);
    let words_back = run(function, &words)?;
    let mut words_back = words_back.into_iter();
    Ok(results
        .iter()
        .map(|ty| {
            let low = u128::from(words_back.next().expect("a word per result"));
            if ty.is_wide() {
                low | u128::from(words_back.next().expect("a second word")) << 64
            } else {
                low
            }
        })
        .collect())
}

fn run(function: Function, words: &[u64]) -> Result<Vec<u64>, End> {
    let mut module = Module::default();
    let func = module.functions.push(function);
    let program = Program::new(module, 1 << 20).unwrap();
    let kernel = Kernel::new(KernelConfig::default()).unwrap();
    let mut machine = Machine::new(&program, kernel, Limits::default(), func)?;
    for (index, &word) in words.iter().enumerate() {
        machine.set_argument(index, word);
    }
    let outcome = machine.run();
    match outcome.end {
        End::Exit { .. } => Ok(machine.returned().to_vec()),
        end => Err(end),
    }
}

fn expected(result: Result<u128, EvalError>) -> Result<Vec<u128>, End> {
    match result {
        Ok(value) => Ok(vec![value]),
        Err(EvalError::DivisionByZero) => Err(End::DivisionByZero),
        Err(EvalError::DivisionOverflow) => Err(End::DivisionOverflow),
        Err(EvalError::Unsupported(what)) => Err(End::Unsupported { what: what.into() }),
    }
}

const WIDTHS: [u8; 14] = [1, 2, 7, 8, 9, 16, 24, 31, 32, 33, 63, 64, 65, 128];
const FLOATS: [Type; 4] = [Type::F32, Type::F64, Type::F80, Type::F128];

/// Random bits of a float; x87 numbers only in their normal forms.
fn float_operand(random: &mut Random, ty: Type) -> u128 {
    let double = match random.next() % 8 {
        0 => 0.0,
        1 => -0.0,
        2 => f64::INFINITY,
        3 => 1.0,
        4 => (random.next() as i64) as f64,
        5 => (random.next() % 1000) as f64 / 8.0,
        _ => f64::from_bits(random.next() & !(1 << 62)),
    };
    let bits = u128::from(double.to_bits());
    match ty {
        Type::F64 => bits,
        Type::F32 => eval::cast(CastOp::FloatTruncate, Type::F64, ty, bits),
        _ => eval::cast(CastOp::FloatExtend, Type::F64, ty, bits),
    }
}

#[test]
fn integer_operations_mean_what_eval_says() {
    use BinaryOp::*;
    let ops = [
        Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, UMin, UMax, SMin,
        SMax, UAddSat, SAddSat, USubSat, SSubSat,
    ];
    let mut random = Random(SplitMix(1));
    for op in ops {
        for width in WIDTHS {
            let ty = Type::Int(width);
            for round in 0..24 {
                let (a, b) = (random.operand(width.into()), random.operand(width.into()));
                let constant = [round % 3 == 1, round % 3 == 2];
                let got = run_one(&[ty, ty], &[a, b], &constant, &[ty], |args| {
                    InstData::Binary {
                        op,
                        flags: ArithFlags::default(),
                        args: [args[0], args[1]],
                    }
                });
                let want = expected(eval::binary(op, ty, a, b));
                assert_eq!(got, want, "{op:?} {ty} {a:#x} {b:#x}");
            }
        }
    }
}

#[test]
fn float_operations_mean_what_eval_says() {
    use BinaryOp::*;
    let mut random = Random(SplitMix(2));
    for op in [
        FAdd, FSub, FMul, FDiv, FRem, FCopySign, FMinNum, FMaxNum, FMinimum, FMaximum,
    ] {
        for ty in FLOATS {
            for _ in 0..40 {
                let (a, b) = (
                    float_operand(&mut random, ty),
                    float_operand(&mut random, ty),
                );
                let got = run_one(&[ty, ty], &[a, b], &[false, false], &[ty], |args| {
                    InstData::Binary {
                        op,
                        flags: ArithFlags::default(),
                        args: [args[0], args[1]],
                    }
                });
                assert_eq!(got, expected(eval::binary(op, ty, a, b)), "{op:?} {ty}");
            }
        }
    }
}

#[test]
fn comparisons_mean_what_eval_says_also_when_fused_with_a_branch() {
    use IntPredicate::*;
    let mut random = Random(SplitMix(3));
    for predicate in [Eq, Ne, Ult, Ule, Ugt, Uge, Slt, Sle, Sgt, Sge] {
        for width in WIDTHS {
            let ty = Type::Int(width);
            for round in 0..24 {
                let a = random.operand(width.into());
                let b = if round % 4 == 0 {
                    a
                } else {
                    random.operand(width.into())
                };
                let want = u128::from(eval::int_compare(predicate, ty, a, b));
                let got = run_one(
                    &[ty, ty],
                    &[a, b],
                    &[false, round % 2 == 0],
                    &[Type::I1],
                    |args| InstData::IntCompare {
                        predicate,
                        args: [args[0], args[1]],
                    },
                );
                assert_eq!(got, Ok(vec![want]), "{predicate:?} {ty} {a:#x} {b:#x}");
                let fused = run_branch(predicate, ty, a, b).unwrap();
                assert_eq!(u128::from(fused), want, "branch {predicate:?} {ty}");
            }
        }
    }
}

fn run_branch(predicate: IntPredicate, ty: Type, a: u128, b: u128) -> Result<u64, End> {
    let signature = Signature {
        params: vec![],
        returns: vec![Type::I64],
        variadic: false,
    };
    let mut function = Function::new("branch", Linkage::Exported, signature);
    let blocks: Vec<Block> = (0..3).map(|_| function.add_block()).collect();
    let args = [a, b].map(|bits| function.add_constant(ty, Constant::Bits(bits)));
    let compare = function.append(
        blocks[0],
        InstData::IntCompare { predicate, args },
        &[Type::I1],
        None,
    );
    let condition = function.results(compare).next().unwrap();
    let to = |block| BlockCall {
        block,
        args: [].into(),
    };
    let branch = InstData::Branch {
        condition,
        then: to(blocks[1]),
        otherwise: to(blocks[2]),
    };
    function.append(blocks[0], branch, &[], None);
    for (block, bits) in [(blocks[1], 1), (blocks[2], 0)] {
        let value = function.add_constant(Type::I64, Constant::Bits(bits));
        let values = [value].into();
        function.append(block, InstData::Return { values }, &[], None);
    }
    Ok(run(function, &[])?[0])
}

#[test]
fn casts_mean_what_eval_says() {
    let mut random = Random(SplitMix(4));
    for from in WIDTHS {
        for to in WIDTHS {
            let (from_ty, to_ty) = (Type::Int(from), Type::Int(to));
            let ops: &[CastOp] = if to > from {
                &[CastOp::ZeroExtend, CastOp::SignExtend]
            } else if to < from {
                &[CastOp::Truncate]
            } else {
                &[]
            };
            for &op in ops {
                for round in 0..8 {
                    let a = random.operand(from.into());
                    let got = run_one(&[from_ty], &[a], &[round % 2 == 0], &[to_ty], |args| {
                        InstData::Cast { op, arg: args[0] }
                    });
                    assert_eq!(got, Ok(vec![eval::cast(op, from_ty, to_ty, a)]));
                }
            }
        }
        for to in FLOATS {
            for op in [CastOp::SignedToFloat, CastOp::UnsignedToFloat] {
                let a = random.operand(from.into());
                let from = Type::Int(from);
                let got = run_one(&[from], &[a], &[false], &[to], |args| InstData::Cast {
                    op,
                    arg: args[0],
                });
                assert_eq!(got, Ok(vec![eval::cast(op, from, to, a)]), "{op:?} {to}");
            }
        }
    }
}

#[test]
fn other_pure_operations_mean_what_eval_says() {
    let mut random = Random(SplitMix(5));
    for width in [8u8, 16, 32, 64, 128] {
        let ty = Type::Int(width);
        for op in [
            UnaryOp::CountOnes,
            UnaryOp::LeadingZeros,
            UnaryOp::TrailingZeros,
            UnaryOp::LeadingZerosOfNonzero,
            UnaryOp::TrailingZerosOfNonzero,
            UnaryOp::ByteSwap,
            UnaryOp::BitReverse,
            UnaryOp::Abs,
        ] {
            let a = random.operand(width.into());
            let got = run_one(&[ty], &[a], &[false], &[ty], |args| InstData::Unary {
                op,
                arg: args[0],
            });
            assert_eq!(got, expected(eval::unary(op, ty, a)), "{op:?} {ty} {a:#x}");
        }
        for op in [
            OverflowOp::UAdd,
            OverflowOp::SAdd,
            OverflowOp::USub,
            OverflowOp::SSub,
            OverflowOp::UMul,
            OverflowOp::SMul,
        ] {
            for _ in 0..20 {
                let (a, b) = (random.operand(width.into()), random.operand(width.into()));
                let got = run_one(
                    &[ty, ty],
                    &[a, b],
                    &[false, false],
                    &[ty, Type::I1],
                    |args| InstData::Overflow {
                        op,
                        args: [args[0], args[1]],
                    },
                );
                let (value, wrapped) = eval::overflow(op, ty, a, b);
                assert_eq!(got, Ok(vec![value, u128::from(wrapped)]), "{op:?} {ty}");
            }
        }
        for op in [TernaryOp::FunnelShl, TernaryOp::FunnelShr] {
            let args = [(); 3].map(|()| random.operand(width.into()));
            let got = run_one(&[ty; 3], &args, &[false; 3], &[ty], |args| {
                InstData::Ternary {
                    op,
                    args: [args[0], args[1], args[2]],
                }
            });
            assert_eq!(
                got,
                Ok(vec![eval::ternary(op, ty, args[0], args[1], args[2])])
            );
        }
        for condition in [0, 1] {
            let (a, b) = (random.operand(width.into()), random.operand(width.into()));
            let got = run_one(
                &[Type::I1, ty, ty],
                &[condition, a, b],
                &[false; 3],
                &[ty],
                |args| InstData::Ternary {
                    op: TernaryOp::Select,
                    args: [args[0], args[1], args[2]],
                },
            );
            assert_eq!(got, Ok(vec![if condition == 1 { a } else { b }]));
        }
    }
}

/// A loop whose parameters rotate: the moves on its back edge form a cycle.
#[test]
fn moves_on_an_edge_happen_at_once() {
    let signature = Signature {
        params: vec![Type::I64; 3],
        returns: vec![Type::I64; 3],
        variadic: false,
    };
    let mut function = Function::new("rotate", Linkage::Exported, signature);
    let entry = function.add_block();
    let head = function.add_block();
    let done = function.add_block();
    let params: Vec<Value> = (0..3)
        .map(|_| function.add_block_param(entry, Type::I64))
        .collect();
    let turning: Vec<Value> = (0..3)
        .map(|_| function.add_block_param(head, Type::I64))
        .collect();
    let counter = function.add_block_param(head, Type::I64);
    let zero = function.add_constant(Type::I64, Constant::ZERO);
    let one = function.add_constant(Type::I64, Constant::Bits(1));
    let four = function.add_constant(Type::I64, Constant::Bits(4));
    let start = BlockCall {
        block: head,
        args: [params.as_slice(), &[zero]].concat().into(),
    };
    function.append(entry, InstData::Jump(start), &[], None);
    let flags = ArithFlags::default();
    let add = InstData::Binary {
        op: BinaryOp::Add,
        flags,
        args: [counter, one],
    };
    let add = function.append(head, add, &[Type::I64], None);
    let next = function.results(add).next().unwrap();
    let compare = InstData::IntCompare {
        predicate: IntPredicate::Ult,
        args: [next, four],
    };
    let compare = function.append(head, compare, &[Type::I1], None);
    let condition = function.results(compare).next().unwrap();
    let again = BlockCall {
        block: head,
        args: [turning[1], turning[2], turning[0], next].into(),
    };
    let leave = BlockCall {
        block: done,
        args: [].into(),
    };
    let branch = InstData::Branch {
        condition,
        then: again,
        otherwise: leave,
    };
    function.append(head, branch, &[], None);
    let values = turning.clone().into();
    function.append(done, InstData::Return { values }, &[], None);
    // Three rotations bring the values back.
    assert_eq!(run(function, &[7, 8, 9]), Ok(vec![7, 8, 9]));
}
