//! Runs lowered programs and tells what was executed.

use program_ir::{
    BinaryOp, Block, BlockCall, Callee, Constant, Func, Global, Inst, InstData, IntPredicate,
    Module, Type, Value, ValueDef,
};
use std::collections::HashMap;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    pub printed: Vec<i64>,
    pub returned: Option<i64>,
    pub globals: Vec<i64>,
    /// In order, calls before what they run.
    pub executed: Vec<(Func, Inst)>,
    /// For everything executed, which call of a function it belongs to.
    pub frames: Vec<usize>,
    /// Values that were given, with the place in `executed` of what gave them.
    pub given: Vec<(usize, Value)>,
    /// Globals that were written, with the place in `executed`.
    pub written: Vec<(usize, Global)>,
    /// For branches: the place in `executed` and which edge was taken.
    pub branches: Vec<(usize, usize)>,
}

impl Run {
    pub fn behaviour(&self) -> (&[i64], Option<i64>, &[i64]) {
        (&self.printed, self.returned, &self.globals)
    }
}

/// Calls the last function.
pub fn run(module: &Module, arguments: &[i64]) -> Run {
    let mut run = Run::default();
    for global in module.globals.values() {
        let mut bytes = [0; 8];
        bytes[..global.initialiser.bytes.len()].copy_from_slice(&global.initialiser.bytes);
        run.globals.push(i64::from_le_bytes(bytes));
    }
    let entry = Func::from_u32(module.functions.len() as u32 - 1);
    run.returned = Some(call(module, entry, arguments, &mut run));
    run
}

fn call(module: &Module, func: Func, arguments: &[i64], run: &mut Run) -> i64 {
    let function = &module.functions[func];
    let mut values: HashMap<Value, i64> = HashMap::new();
    let frame = run.executed.len();
    for (&param, &argument) in function.params().iter().zip(arguments) {
        values.insert(param, argument);
    }
    let mut block = Block::from_u32(0);
    'blocks: loop {
        for &inst in &function.blocks[block].insts {
            run.executed.push((func, inst));
            run.frames.push(frame);
            let now = run.executed.len() - 1;
            let get = |value: Value| match function.values[value].def {
                ValueDef::Constant(Constant::Bits(bits)) => bits as i64,
                _ => values[&value],
            };
            let global = |value: Value| match function.values[value].def {
                ValueDef::Constant(Constant::GlobalAddress { global, .. }) => {
                    global.as_u32() as usize
                }
                _ => panic!("not an address"),
            };
            let result = match &function.insts[inst].data {
                InstData::Binary { op, args, .. } => {
                    let [left, right] = args.map(get);
                    match op {
                        BinaryOp::Add => left.wrapping_add(right),
                        BinaryOp::Sub => left.wrapping_sub(right),
                        BinaryOp::Mul => left.wrapping_mul(right),
                        other => panic!("{other:?} is not lowered to"),
                    }
                }
                InstData::IntCompare { predicate, args } => {
                    let [left, right] = args.map(get);
                    i64::from(match predicate {
                        IntPredicate::Eq => left == right,
                        IntPredicate::Ne => left != right,
                        IntPredicate::Slt => left < right,
                        other => panic!("{other:?} is not lowered to"),
                    })
                }
                InstData::Cast { arg, .. } => get(*arg),
                InstData::Load { address, .. } => run.globals[global(*address)],
                InstData::Store { address, value, .. } => {
                    run.globals[global(*address)] = get(*value);
                    let written = Global::from_u32(global(*address) as u32);
                    run.written.push((now, written));
                    0
                }
                InstData::Call(data) => {
                    let Callee::Direct(callee) = data.callee else {
                        panic!("no indirect calls are lowered to");
                    };
                    let arguments: Vec<i64> = data.args.iter().map(|&arg| get(arg)).collect();
                    if module.functions[callee].is_declaration() {
                        run.printed.push(arguments[0]);
                        0
                    } else {
                        call(module, callee, &arguments, run)
                    }
                }
                InstData::Return { values } => return get(values[0]),
                InstData::Jump(edge) => {
                    block = enter(module, func, edge, &mut values);
                    let params = function.blocks[block].params.iter();
                    run.given.extend(params.map(|&param| (now, param)));
                    continue 'blocks;
                }
                InstData::Branch {
                    condition,
                    then,
                    otherwise,
                } => {
                    let taken = get(*condition) != 0;
                    run.branches
                        .push((run.executed.len() - 1, usize::from(!taken)));
                    let edge = if taken { then } else { otherwise };
                    block = enter(module, func, edge, &mut values);
                    let params = function.blocks[block].params.iter();
                    run.given.extend(params.map(|&param| (now, param)));
                    continue 'blocks;
                }
                other => panic!("{other:?} is not lowered to"),
            };
            if let Some(value) = function.results(inst).next() {
                run.given.push((now, value));
                let wide = function.ty(value) == Type::I64;
                values.insert(value, if wide { result } else { result & 1 });
            }
        }
    }
}

fn enter(module: &Module, func: Func, edge: &BlockCall, values: &mut HashMap<Value, i64>) -> Block {
    let function = &module.functions[func];
    let passed: Vec<i64> = edge
        .args
        .iter()
        .map(|&arg| match function.values[arg].def {
            ValueDef::Constant(Constant::Bits(bits)) => bits as i64,
            _ => values[&arg],
        })
        .collect();
    let params = &function.blocks[edge.block].params;
    values.extend(params.iter().copied().zip(passed));
    edge.block
}
