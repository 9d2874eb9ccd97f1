//! A sound module passes, and for every invariant something that breaks it is found.

use super::verify;
use crate::{
    ArithFlags, BinaryOp, Block, BlockCall, CallData, Callee, CastOp, Constant, EntityRef, File,
    Func, Function, Global, GlobalData, Initialiser, Inst, InstData, Linkage, Loc, LocData, Module,
    Relocation, Scope, Signature, Type, Value, ValueDef,
};

fn jump(block: Block, args: &[Value]) -> BlockCall {
    BlockCall {
        block,
        args: args.into(),
    }
}

/// `int f(int x) { return x == 0 ? 7 : x + 1; }` with its blocks spelled out:
/// inst0 compare, inst1 branch; inst2 add, inst3 jump; inst4 return.
fn sound() -> Module {
    let signature = Signature {
        params: vec![Type::I32],
        returns: vec![Type::I32],
        variadic: false,
    };
    let mut f = Function::new("f", Linkage::Exported, signature);
    let (entry, other, join) = (f.add_block(), f.add_block(), f.add_block());
    let x = f.add_block_param(entry, Type::I32);
    let result = f.add_block_param(join, Type::I32);
    let zero = f.add_constant(Type::I32, Constant::ZERO);
    let seven = f.add_constant(Type::I32, Constant::Bits(7));
    let compare = InstData::IntCompare {
        predicate: crate::IntPredicate::Eq,
        args: [x, zero],
    };
    let compare = f.append(entry, compare, &[Type::I1], None);
    let condition = f.results(compare).next().unwrap();
    let branch = InstData::Branch {
        condition,
        then: jump(join, &[seven]),
        otherwise: jump(other, &[]),
    };
    f.append(entry, branch, &[], None);
    let add = InstData::Binary {
        op: BinaryOp::Add,
        flags: ArithFlags::default(),
        args: [x, seven],
    };
    let add = f.append(other, add, &[Type::I32], None);
    let sum = f.results(add).next().unwrap();
    f.append(other, InstData::Jump(jump(join, &[sum])), &[], None);
    let values = Box::new([result]);
    f.append(join, InstData::Return { values }, &[], None);

    let mut module = Module::default();
    let func = module.functions.push(f);
    module.globals.push(GlobalData {
        name: "table".to_owned(),
        linkage: Linkage::Local,
        size: 16,
        align: 8,
        constant: true,
        thread_local: false,
        section: None,
        initialiser: Initialiser {
            bytes: vec![1],
            relocations: vec![relocation(8, Constant::FunctionAddress(func))],
        },
        info: None,
    });
    module
}

fn relocation(offset: u64, constant: Constant) -> Relocation {
    Relocation {
        offset,
        size: 8,
        constant,
        minus: None,
    }
}

/// Breaks a sound module and expects to hear of exactly that invariant.
fn finds(invariant: u8, what: &str, break_it: impl FnOnce(&mut Module)) {
    let mut module = sound();
    break_it(&mut module);
    let errors = verify(&module);
    assert!(!errors.is_empty(), "{what}: nothing found");
    for error in errors {
        assert_eq!(error.invariant, invariant, "{what}: {error}");
    }
}

fn f(module: &mut Module) -> &mut Function {
    &mut module.functions[Func::new(0)]
}

fn table(module: &mut Module) -> &mut GlobalData {
    &mut module.globals[Global::new(0)]
}

fn inst(module: &mut Module, index: usize) -> &mut InstData {
    &mut f(module).insts[Inst::new(index)].data
}

#[test]
fn a_sound_module_passes() {
    assert_eq!(verify(&sound()), []);
}

#[test]
fn mentioned_ids_exist() {
    finds(1, "operand", |module| {
        *inst(module, 4) = InstData::Return {
            values: Box::new([Value::new(99)]),
        };
    });
    finds(1, "edge", |module| {
        *inst(module, 3) = InstData::Jump(jump(Block::new(9), &[]));
    });
    finds(1, "location", |module| {
        f(module).insts[Inst::new(0)].loc = Some(Loc::new(3));
    });
    finds(1, "scope of a location", |module| {
        module.source.locs.push(LocData {
            line: 1,
            column: 1,
            scope: Scope::new(5),
            inlined_at: None,
        });
    });
    finds(1, "file of a global", |module| {
        table(module).info = Some(crate::GlobalVariableInfo {
            name: "table".to_owned(),
            file: File::new(0),
            line: 1,
            ty: None,
        });
    });
    finds(1, "relocation", |module| {
        let missing = Constant::FunctionAddress(Func::new(8));
        table(module).initialiser.relocations[0].constant = missing;
    });
    finds(1, "alias", |module| {
        let missing = Constant::BlockAddress {
            func: Func::new(0),
            block: Block::new(7),
        };
        module.aliases.insert("label".to_owned(), missing);
    });
}

#[test]
fn contents_lie_inside_their_global() {
    finds(2, "too many bytes", |module| {
        table(module).initialiser.bytes = vec![0; 17];
    });
    finds(2, "relocation past the end", |module| {
        table(module).initialiser.relocations[0].offset = 9;
    });
    finds(2, "overlapping relocations", |module| {
        let constant = Constant::FunctionAddress(Func::new(0));
        let both = vec![relocation(0, constant), relocation(4, constant)];
        table(module).initialiser.relocations = both;
    });
    finds(2, "import with contents", |module| {
        table(module).linkage = Linkage::Import;
    });
    finds(2, "import with a body", |module| {
        f(module).linkage = Linkage::Import;
    });
    finds(2, "definition without a body", |module| {
        let signature = module.functions[Func::new(0)].signature.clone();
        let function = Function::new("g", Linkage::Local, signature);
        module.functions.push(function);
    });
}

#[test]
fn the_entry_has_the_parameters_of_the_signature_and_no_predecessor() {
    finds(3, "missing parameter", |module| {
        f(module).signature.params.push(Type::Ptr);
    });
    finds(3, "edge to the entry", |module| {
        *inst(module, 3) = InstData::Jump(jump(Block::new(0), &[Value::new(0)]));
    });
}

#[test]
fn blocks_end_with_their_only_terminator() {
    finds(4, "no terminator", |module| {
        *inst(module, 4) = InstData::Fence;
    });
    finds(4, "terminator in the middle", |module| {
        *inst(module, 2) = InstData::Trap;
    });
    finds(4, "empty block", |module| {
        f(module).add_block();
    });
    finds(4, "instruction in two blocks", |module| {
        f(module).blocks[Block::new(1)]
            .insts
            .insert(0, Inst::new(0));
    });
    finds(4, "instruction in no block", |module| {
        f(module).blocks[Block::new(1)].insts.remove(0);
    });
}

#[test]
fn values_and_definitions_name_each_other() {
    finds(5, "wrong parameter", |module| {
        f(module).values[Value::new(1)].def = ValueDef::Param(Block::new(2), 1);
    });
    finds(5, "wrong result", |module| {
        f(module).insts[Inst::new(0)].first_result = Some(Value::new(5));
    });
}

#[test]
fn types_fit() {
    finds(6, "constant too wide", |module| {
        let wide = ValueDef::Constant(Constant::Bits(1 << 32));
        f(module).values[Value::new(3)].def = wide;
    });
    finds(6, "integer of width 0", |module| {
        f(module).add_constant(Type::Int(0), Constant::Undef);
    });
    finds(6, "address as i32", |module| {
        let address = Constant::FunctionAddress(Func::new(0));
        f(module).values[Value::new(3)].def = ValueDef::Constant(address);
    });
    finds(6, "float operation on integers", |module| {
        *inst(module, 2) = InstData::Binary {
            op: BinaryOp::FAdd,
            flags: ArithFlags::default(),
            args: [Value::new(0); 2],
        };
    });
    finds(6, "widening truncation", |module| {
        *inst(module, 2) = InstData::Cast {
            op: CastOp::Truncate,
            arg: Value::new(0),
        };
    });
    finds(6, "load from an integer", |module| {
        *inst(module, 2) = InstData::Load {
            address: Value::new(0),
            align: 4,
            volatile: false,
        };
    });
    finds(6, "edge without its argument", |module| {
        *inst(module, 3) = InstData::Jump(jump(Block::new(2), &[]));
    });
    finds(6, "return without a value", |module| {
        *inst(module, 4) = InstData::Return {
            values: Box::default(),
        };
    });
    finds(6, "call with too few arguments", |module| {
        *inst(module, 2) = InstData::Call(Box::new(CallData {
            callee: Callee::Direct(Func::new(0)),
            args: Box::default(),
            fixed_args: 0,
            by_val: Box::default(),
            returns: Box::new([Type::I32]),
        }));
    });
}

#[test]
fn definitions_dominate_uses() {
    finds(7, "use on another path", |module| {
        let sum = f(module).results(Inst::new(2)).next().unwrap();
        *inst(module, 4) = InstData::Return {
            values: Box::new([sum]),
        };
    });
    finds(7, "use before the definition", |module| {
        let sum = f(module).results(Inst::new(2)).next().unwrap();
        *inst(module, 2) = InstData::Binary {
            op: BinaryOp::Add,
            flags: ArithFlags::default(),
            args: [sum; 2],
        };
    });
    finds(7, "result of an invoke on its own edge", |module| {
        let pad = f(module).add_block();
        f(module).append(pad, InstData::Resume, &[], None);
        let sum = f(module).results(Inst::new(2)).next().unwrap();
        let invoke = InstData::Invoke {
            call: Box::new(CallData {
                callee: Callee::Direct(Func::new(0)),
                args: Box::new([Value::new(0)]),
                fixed_args: 1,
                by_val: Box::default(),
                returns: Box::new([Type::I32]),
            }),
            normal: jump(Block::new(2), &[sum]),
            unwind: jump(pad, &[]),
        };
        // The invoke takes the place of the addition; the jump becomes a block of its own.
        *inst(module, 2) = invoke;
        f(module).blocks[Block::new(1)].insts.pop();
        let rest = f(module).add_block();
        f(module).blocks[rest].insts.push(Inst::new(3));
        *inst(module, 3) = InstData::Unreachable;
    });
}

#[test]
fn cases_are_distinct() {
    finds(8, "case twice", |module| {
        let seven = Value::new(3);
        *inst(module, 1) = InstData::Switch {
            arg: Value::new(0),
            cases: [1, 1]
                .map(|bits| (bits, jump(Block::new(2), &[seven])))
                .into(),
            default: jump(Block::new(1), &[]),
        };
    });
}

#[test]
fn alignments_are_powers_of_two() {
    finds(9, "global", |module| table(module).align = 24);
    finds(9, "stack object", |module| {
        let function = f(module);
        let one = function.add_constant(Type::I64, Constant::Bits(1));
        let alloca = InstData::Alloca {
            count: one,
            element_size: 4,
            align: 0,
        };
        prepend(function, alloca, &[Type::Ptr]);
    });
    finds(9, "load", |module| {
        let function = f(module);
        let address = function.add_constant(Type::Ptr, Constant::FunctionAddress(Func::new(0)));
        let load = InstData::Load {
            address,
            align: 3,
            volatile: false,
        };
        prepend(function, load, &[Type::I8]);
    });
}

/// The normal edge of an `Invoke` may enter a loop: the edges back come from where the
/// result is defined. An edge from elsewhere must not enter there.
#[test]
fn results_of_an_invoke_are_defined_behind_its_normal_edge() {
    let text = |start: &str| {
        format!(
            r#"
            fn0 = function import "f" () -> (i1)
            fn1 = function local "loop" (i1) {{
            block0(v0: i1):
              branch v0, {start}
            block1:
              v1: i1 = invoke fn0() -> (i1) to block2 unwind block3
            block2:
              branch v1, block2, block4
            block3:
              resume
            block4:
              return
            }}"#
        )
    };
    let found = |start: &str| verify(&crate::parse_module(&text(start)).unwrap());
    assert_eq!(found("block1, block1"), []);
    assert_eq!(found("block1, block4"), []);
    let errors = found("block1, block2");
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].invariant, 7);
    assert_eq!(errors[0].func, Some(Func::new(1)));
    assert_eq!(errors[0].inst, Some(Inst::new(2)));
}

/// Puts an instruction at the start of the entry block.
fn prepend(function: &mut Function, data: InstData, results: &[Type]) {
    let entry = Block::new(0);
    let inst = function.append(entry, data, results, None);
    function.blocks[entry].insts.pop();
    function.blocks[entry].insts.insert(0, inst);
}

#[test]
fn what_only_images_can_hold_is_found() {
    finds(2, "declaration with a value", |module| {
        let signature = module.functions[Func::new(0)].signature.clone();
        let mut function = Function::new("g", Linkage::Import, signature);
        function.add_constant(Type::I8, Constant::ZERO);
        module.functions.push(function);
    });
    finds(5, "first result without results", |module| {
        f(module).insts[Inst::new(4)].first_result = Some(Value::new(0));
    });
    finds(5, "results past the last value", |module| {
        f(module).insts[Inst::new(4)].first_result = Some(Value::new(u32::MAX as usize - 1));
        f(module).insts[Inst::new(4)].result_count = u16::MAX;
    });
    finds(6, "signature with an integer of width 129", |module| {
        let signature = Signature {
            params: vec![Type::Int(129)],
            returns: Vec::new(),
            variadic: false,
        };
        let function = Function::new("g", Linkage::Import, signature);
        module.functions.push(function);
    });
    finds(6, "float addition of integers in memory", |module| {
        let function = f(module);
        let address = function.add_constant(Type::Ptr, Constant::FunctionAddress(Func::new(0)));
        let add = InstData::AtomicRmw {
            op: crate::AtomicRmwOp::FAdd,
            address,
            value: Value::new(0),
        };
        prepend(function, add, &[Type::I32]);
    });
}

/// A hundred thousand blocks, each of which may leave for a common end: the shape that
/// makes a careless dominator computation quadratic. There is no limit on time here, but
/// a quadratic one would be noticed.
#[test]
fn long_functions_are_verified() {
    let signature = Signature {
        params: vec![Type::I1],
        returns: Vec::new(),
        variadic: false,
    };
    let mut long = Function::new("long", Linkage::Local, signature);
    const COUNT: usize = 100_000;
    for _ in 0..=COUNT {
        long.add_block();
    }
    let end = Block::new(COUNT);
    let condition = long.add_block_param(Block::new(0), Type::I1);
    for index in 0..COUNT {
        let leave = InstData::Branch {
            condition,
            then: jump(Block::new(index + 1), &[]),
            otherwise: jump(end, &[]),
        };
        long.append(Block::new(index), leave, &[], None);
    }
    let values = Box::default();
    long.append(end, InstData::Return { values }, &[], None);
    let mut module = sound();
    module.functions.push(long);
    assert_eq!(verify(&module), []);
}
