//! The papers' worked examples, as programs of our own in the same shape.

use program_graphs::{
    DependenceConfig, DependenceGraph, Direction, Distances, FactsConfig, ProgramFacts, Slice,
};
use program_ir::{
    ArithFlags, BinaryOp, Block, BlockCall, CallData, Callee, Constant, EntityRef, FileData, Func,
    Function, Inst, InstData, IntPredicate, Linkage, Loc, LocData, Module, ScopeData, Signature,
    Type, Value,
};
use std::collections::BTreeSet;

/// Writes `main` one source line at a time, with variables in memory as an unoptimised
/// compiler leaves them.
struct Source {
    module: Module,
    function: Function,
    block: Block,
    loc: Option<Loc>,
}

impl Source {
    fn new() -> Source {
        let mut module = Module::default();
        let file = module.source.files.push(FileData {
            name: "example.c".to_string(),
            directory: String::new(),
        });
        let scope = module.source.scopes.push(ScopeData {
            function: Some("main".to_string()),
            file,
            line: 1,
            parent: None,
            signature: Vec::new(),
        });
        for line in 0..30 {
            module.source.locs.push(LocData {
                line,
                column: 1,
                scope,
                inlined_at: None,
            });
        }
        let mut function = Function::new(
            "main",
            Linkage::Exported,
            Signature {
                params: Vec::new(),
                returns: Vec::new(),
                variadic: false,
            },
        );
        let block = function.add_block();
        module.functions.push(Function::new(
            "input",
            Linkage::Import,
            Signature {
                params: Vec::new(),
                returns: vec![Type::I32],
                variadic: false,
            },
        ));
        module.functions.push(Function::new(
            "putchar",
            Linkage::Import,
            Signature {
                params: vec![Type::I32],
                returns: vec![Type::I32],
                variadic: false,
            },
        ));
        Source {
            module,
            function,
            block,
            loc: None,
        }
    }

    fn line(&mut self, line: u32) {
        self.loc = Some(Loc::from_u32(line));
    }

    fn push(&mut self, data: InstData, results: &[Type]) -> Inst {
        self.function.append(self.block, data, results, self.loc)
    }

    fn value(&mut self, data: InstData, ty: Type) -> Value {
        let inst = self.push(data, &[ty]);
        self.function.results(inst).next().expect("one result")
    }

    fn number(&mut self, number: u128) -> Value {
        self.function
            .add_constant(Type::I32, Constant::Bits(number))
    }

    fn variable(&mut self) -> Value {
        let count = self.number(1);
        let data = InstData::Alloca {
            count,
            element_size: 4,
            align: 4,
        };
        let inst = self.function.append(self.block, data, &[Type::Ptr], None);
        self.function.results(inst).next().expect("an address")
    }

    fn get(&mut self, address: Value) -> Value {
        self.value(
            InstData::Load {
                address,
                align: 4,
                volatile: false,
            },
            Type::I32,
        )
    }

    fn set(&mut self, address: Value, value: Value) {
        self.push(
            InstData::Store {
                address,
                value,
                align: 4,
                volatile: false,
            },
            &[],
        );
    }

    fn call(&mut self, callee: usize, args: &[Value]) -> Value {
        let data = InstData::Call(Box::new(CallData {
            callee: Callee::Direct(Func::new(callee)),
            args: args.into(),
            fixed_args: args.len() as u32,
            by_val: Box::new([]),
            returns: Box::new([Type::I32]),
        }));
        self.value(data, Type::I32)
    }

    fn add(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
        let data = InstData::Binary {
            op,
            flags: ArithFlags::default(),
            args: [left, right],
        };
        self.value(data, Type::I32)
    }

    /// `if (variable > bound)`: goes on in the first new block; the second is returned.
    fn if_greater(&mut self, left: Value, bound: u128) -> (Block, Block) {
        let bound = self.number(bound);
        let condition = self.value(
            InstData::IntCompare {
                predicate: IntPredicate::Sgt,
                args: [left, bound],
            },
            Type::I1,
        );
        let (then, otherwise) = (self.function.add_block(), self.function.add_block());
        self.push(
            InstData::Branch {
                condition,
                then: to(then),
                otherwise: to(otherwise),
            },
            &[],
        );
        (then, otherwise)
    }

    fn jump(&mut self, block: Block) {
        self.push(InstData::Jump(to(block)), &[]);
    }

    fn finish(mut self) -> Module {
        self.push(
            InstData::Return {
                values: Box::new([]),
            },
            &[],
        );
        self.module.functions.push(self.function);
        self.module
    }
}

fn to(block: Block) -> BlockCall {
    BlockCall {
        block,
        args: Box::new([]),
    }
}

/// The running example of the thesis (Fig. 2.1), original or modified version.
fn running_example(modified: bool) -> Module {
    const INPUT: usize = 0;
    const OUTPUT: usize = 1;
    let mut source = Source::new();
    let [i, j, a, b, o] = [0; 5].map(|_| source.variable());
    source.line(1);
    for variable in [i, j] {
        let value = source.call(INPUT, &[]);
        source.set(variable, value);
    }
    source.line(2);
    let mut value = source.get(i);
    if modified {
        let one = source.number(1);
        value = source.add(BinaryOp::Add, value, one);
    }
    source.set(a, value);
    source.line(3);
    let zero = source.number(0);
    source.set(b, zero);
    source.line(4);
    source.set(o, zero);
    source.line(5);
    let value = source.get(a);
    let (then, after) = source.if_greater(value, 0);
    source.block = then;
    source.line(6);
    let mut value = source.get(j);
    if modified {
        let one = source.number(1);
        value = source.add(BinaryOp::Add, value, one);
    }
    source.set(b, value);
    source.line(7);
    let one = source.number(1);
    source.set(o, one);
    source.line(8);
    source.jump(after);
    source.block = after;
    source.line(9);
    let value = source.get(b);
    let (then, after) = source.if_greater(value, 0);
    source.block = then;
    source.line(10);
    if modified {
        let value = source.get(o);
        let one = source.number(1);
        let value = source.add(BinaryOp::Add, value, one);
        source.set(o, value);
    } else {
        let two = source.number(2);
        source.set(o, two);
    }
    source.jump(after);
    source.block = after;
    source.line(11);
    let value = source.get(o);
    source.call(OUTPUT, &[value]);
    source.loc = None;
    source.finish()
}

fn lines(module: &Module, direction: Direction, line: u32) -> Vec<u32> {
    let facts = ProgramFacts::of(module, &FactsConfig::default());
    let graph = DependenceGraph::of(&facts, &DependenceConfig::default());
    let main = module.function_named("main").expect("main");
    let criterion: Vec<(Func, Inst)> = module.functions[main]
        .insts
        .iter()
        .filter(|(_, node)| node.loc == Some(Loc::from_u32(line)))
        .map(|(inst, _)| (main, inst))
        .collect();
    let slice = Slice::of_insts(&graph, direction, &criterion);
    let lines: BTreeSet<u32> = slice
        .lines(&graph, module)
        .into_iter()
        .map(|(_, line)| line)
        .collect();
    lines.into_iter().collect()
}

/// Thesis, Fig. 2.3, left: the original version. The paper leaves the criterion's own
/// line out of the backward slice of line 2; ours always holds the criterion.
#[test]
fn static_slices_of_the_original_version() {
    use Direction::{Backward, Forward};
    let module = running_example(false);
    assert_eq!(lines(&module, Forward, 2), [2, 5, 6, 7, 9, 10, 11]);
    assert_eq!(lines(&module, Backward, 2), [1, 2]);
    assert_eq!(lines(&module, Forward, 6), [6, 9, 10, 11]);
    assert_eq!(lines(&module, Backward, 6), [1, 2, 5, 6]);
    assert_eq!(lines(&module, Forward, 10), [10, 11]);
    assert_eq!(lines(&module, Backward, 10), [1, 2, 3, 5, 6, 9, 10]);
}

/// Thesis, Fig. 2.3, right: in the modified version line 10 uses `o`, so its backward
/// slice gains lines 4 and 7.
#[test]
fn static_slices_of_the_modified_version() {
    use Direction::{Backward, Forward};
    let module = running_example(true);
    assert_eq!(lines(&module, Forward, 2), [2, 5, 6, 7, 9, 10, 11]);
    assert_eq!(lines(&module, Backward, 2), [1, 2]);
    assert_eq!(lines(&module, Forward, 6), [6, 9, 10, 11]);
    assert_eq!(lines(&module, Backward, 6), [1, 2, 5, 6]);
    assert_eq!(lines(&module, Forward, 10), [10, 11]);
    assert_eq!(lines(&module, Backward, 10), [1, 2, 3, 4, 5, 6, 7, 9, 10]);
}

/// Qi, Roychoudhury and Liang, Fig. 1: the change is in line 8; only the branch in line 7
/// leads to it, so it has distance 1, and the branches in lines 9 and 16 have none.
#[test]
fn control_dependence_distances() {
    let mut source = Source::new();
    let [x, y, o] = [0; 3].map(|_| source.variable());
    source.line(5);
    let value = source.call(0, &[]);
    source.set(x, value);
    source.line(7);
    let line_7 = source.block;
    let value = source.get(x);
    let (positive, negative) = source.if_greater(value, 0);
    source.block = positive;
    source.line(8);
    let three = source.number(3);
    source.set(y, three);
    source.line(9);
    let line_9 = source.block;
    let (left, right) = (source.get(x), source.get(y));
    let difference = source.add(BinaryOp::Sub, left, right);
    let (larger, smaller) = source.if_greater(difference, 0);
    let after = source.function.add_block();
    for (block, line, number) in [(larger, 10, 1), (smaller, 12, 0), (negative, 14, u32::MAX)] {
        source.block = block;
        source.line(line);
        let number = source.number(number.into());
        source.set(o, number);
        source.jump(after);
    }
    source.block = after;
    source.line(16);
    let value = source.get(x);
    let (large, end) = source.if_greater(value, 20);
    source.block = large;
    source.line(17);
    let ten = source.number(10);
    source.set(o, ten);
    source.jump(end);
    source.block = end;
    let module = source.finish();

    let main = module.function_named("main").expect("main");
    let change: Vec<(Func, Inst)> = module.functions[main]
        .insts
        .iter()
        .filter(|(_, node)| node.loc == Some(Loc::from_u32(8)))
        .map(|(inst, _)| (main, inst))
        .collect();
    let facts = ProgramFacts::of(&module, &FactsConfig::default());
    let distances = Distances::to(&facts, &change);
    assert_eq!(distances.of_branch(main, line_7), Some(1));
    assert_eq!(distances.of_edge(main, line_7, positive), Some(1));
    assert_eq!(distances.of_edge(main, line_7, negative), None);
    assert_eq!(distances.of_branch(main, line_9), None);
    assert_eq!(distances.of_branch(main, after), None);
    assert_eq!(distances.of_block(main, positive), Some(0));
    assert_eq!(distances.of_entry(main), Some(2));
}
