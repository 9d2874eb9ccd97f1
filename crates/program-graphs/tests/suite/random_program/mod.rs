//! Small random programs, built from a recipe of bytes that shrinks well.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test binary uses its own part"
)]

use program_ir::{
    ArithFlags, BinaryOp, Block, BlockCall, CallData, Callee, CastOp, Constant, EntityRef, Func,
    Function, GlobalData, Initialiser, InstData, IntPredicate, Linkage, Module, PtrTerm,
    Relocation, Signature, TernaryOp, Type, Value,
};
use proptest::prelude::*;

#[derive(Clone, Debug)]
pub struct Recipe {
    pub functions: Vec<Vec<BlockRecipe>>,
    pub features: Features,
}

#[derive(Clone, Debug)]
pub struct BlockRecipe {
    pub ops: Vec<[u8; 4]>,
    pub end: [u8; 4],
}

#[derive(Clone, Copy, Debug)]
pub struct Features {
    pub recursion: bool,
    pub indirect_calls: bool,
    pub unknown_externals: bool,
    pub setjmp: bool,
    pub max_functions: usize,
    pub max_blocks: usize,
    pub max_ops: usize,
}

pub fn recipes(features: Features) -> impl Strategy<Value = Recipe> {
    let block = (
        proptest::collection::vec(any::<[u8; 4]>(), 0..=features.max_ops),
        any::<[u8; 4]>(),
    )
        .prop_map(|(ops, end)| BlockRecipe { ops, end });
    let function = proptest::collection::vec(block, 1..=features.max_blocks);
    proptest::collection::vec(function, 1..=features.max_functions).prop_map(move |functions| {
        Recipe {
            functions,
            features,
        }
    })
}

/// Function 0 is `main`; then the other functions, then the externals.
pub fn build(recipe: &Recipe) -> Module {
    let mut module = Module::default();
    let defined = recipe.functions.len();
    let signature = Signature {
        params: vec![Type::Ptr, Type::I64],
        returns: vec![Type::Ptr],
        variadic: false,
    };
    for index in 0..defined {
        let name = if index == 0 {
            "main".to_string()
        } else {
            format!("function_{index}")
        };
        module
            .functions
            .push(Function::new(name, Linkage::Local, signature.clone()));
    }
    for name in ["malloc", "exit", "mystery", "setjmp"] {
        module
            .functions
            .push(Function::new(name, Linkage::Import, signature.clone()));
    }
    for (index, size) in [8u64, 16, 32].into_iter().enumerate() {
        let mut relocations = Vec::new();
        if index == 1 {
            relocations.push(Relocation {
                offset: 8,
                size: 8,
                constant: Constant::FunctionAddress(Func::new(defined - 1)),
                minus: None,
            });
        }
        module.globals.push(GlobalData {
            name: format!("global_{index}"),
            linkage: Linkage::Local,
            size,
            align: 8,
            constant: false,
            thread_local: false,
            section: None,
            initialiser: Initialiser {
                bytes: Vec::new(),
                relocations,
            },
            info: None,
        });
    }
    for (index, blocks) in recipe.functions.iter().enumerate() {
        let mut builder = Builder {
            function: &mut module.functions[Func::new(index)],
            index,
            defined,
            features: recipe.features,
            pointers: Vec::new(),
            numbers: Vec::new(),
        };
        builder.body(blocks);
    }
    module
}

struct Builder<'a> {
    function: &'a mut Function,
    index: usize,
    defined: usize,
    features: Features,
    pointers: Vec<Value>,
    numbers: Vec<Value>,
}

impl Builder<'_> {
    fn body(&mut self, recipe: &[BlockRecipe]) {
        let entry = self.function.add_block();
        let pointer = self.function.add_block_param(entry, Type::Ptr);
        let number = self.function.add_block_param(entry, Type::I64);
        let one = self.number_constant(1);
        let (mut pointers, mut numbers) = (vec![pointer], vec![number, one]);
        for size in [8, 16] {
            pointers.push(self.push(
                entry,
                InstData::Alloca {
                    count: one,
                    element_size: size,
                    align: 8,
                },
                Type::Ptr,
            ));
        }
        for global in 0..3 {
            let constant = Constant::GlobalAddress {
                global: program_ir::Global::new(global),
                offset: 0,
            };
            pointers.push(self.function.add_constant(Type::Ptr, constant));
        }
        if self.features.indirect_calls {
            for func in 0..self.defined {
                let constant = Constant::FunctionAddress(Func::new(func));
                pointers.push(self.function.add_constant(Type::Ptr, constant));
            }
        }
        numbers.push(self.number_constant(5));
        let blocks: Vec<Block> = recipe.iter().map(|_| self.function.add_block()).collect();
        for &block in &blocks {
            self.function.add_block_param(block, Type::Ptr);
            self.function.add_block_param(block, Type::I64);
        }
        let first = self.edge(blocks[0], &pointers, &numbers, 0);
        self.function
            .append(entry, InstData::Jump(first), &[], None);
        for (recipe, &block) in recipe.iter().zip(&blocks) {
            self.pointers = pointers.clone();
            self.numbers = numbers.clone();
            let params = self.function.blocks[block].params.clone();
            self.pointers.push(params[0]);
            self.numbers.push(params[1]);
            for &op in &recipe.ops {
                self.op(block, op);
            }
            self.end(block, &blocks, recipe.end);
        }
    }

    fn number_constant(&mut self, bits: u128) -> Value {
        self.function.add_constant(Type::I64, Constant::Bits(bits))
    }

    fn push(&mut self, block: Block, data: InstData, ty: Type) -> Value {
        let inst = self.function.append(block, data, &[ty], None);
        self.function.results(inst).next().expect("one result")
    }

    fn edge(&self, to: Block, pointers: &[Value], numbers: &[Value], pick: u8) -> BlockCall {
        BlockCall {
            block: to,
            args: Box::new([
                pointers[pick as usize % pointers.len()],
                numbers[pick as usize / 16 % numbers.len()],
            ]),
        }
    }

    /// The newest values are the likeliest.
    fn pointer(&self, pick: u8) -> Value {
        self.pointers[self.pointers.len() - 1 - pick as usize % self.pointers.len()]
    }

    fn number(&self, pick: u8) -> Value {
        self.numbers[self.numbers.len() - 1 - pick as usize % self.numbers.len()]
    }

    fn op(&mut self, block: Block, [kind, first, second, third]: [u8; 4]) {
        let (left, right) = (self.pointer(first), self.pointer(second));
        let load = |address| InstData::Load {
            address,
            align: 8,
            volatile: false,
        };
        let store = |address, value| InstData::Store {
            address,
            value,
            align: 8,
            volatile: false,
        };
        let new_pointer = match kind % 16 {
            0 | 1 => self.push(block, load(left), Type::Ptr),
            2 | 3 => {
                self.function.append(block, store(left, right), &[], None);
                return;
            }
            4 => {
                let number = self.push(block, load(left), Type::I64);
                self.numbers.push(number);
                return;
            }
            5 => {
                let value = self.number(second);
                self.function.append(block, store(left, value), &[], None);
                return;
            }
            6 | 7 => {
                let data = InstData::PtrAdd {
                    base: left,
                    offset: i64::from(second % 3) * 8,
                    terms: if second < 200 {
                        Box::new([])
                    } else {
                        Box::new([PtrTerm {
                            index: self.number(third),
                            scale: if third % 2 == 0 { 8 } else { 16 },
                        }])
                    },
                    inbounds: true,
                };
                self.push(block, data, Type::Ptr)
            }
            8 => {
                let length = self.number_constant(u128::from(third % 3 + 1) * 8);
                let data = InstData::MemCopy {
                    destination: left,
                    source: right,
                    length,
                    may_overlap: true,
                };
                self.function.append(block, data, &[], None);
                return;
            }
            9 => {
                let data = InstData::Binary {
                    op: if third % 2 == 0 {
                        BinaryOp::Add
                    } else {
                        BinaryOp::Sub
                    },
                    flags: ArithFlags::default(),
                    args: [self.number(first), self.number(second)],
                };
                let number = self.push(block, data, Type::I64);
                self.numbers.push(number);
                return;
            }
            10 => {
                let data = InstData::Cast {
                    op: CastOp::PtrToInt,
                    arg: left,
                };
                let number = self.push(block, data, Type::I64);
                self.numbers.push(number);
                return;
            }
            11 => {
                let data = InstData::Cast {
                    op: CastOp::IntToPtr,
                    arg: self.number(first),
                };
                self.push(block, data, Type::Ptr)
            }
            12 => {
                let condition = self.condition(block, first);
                let data = InstData::Ternary {
                    op: TernaryOp::Select,
                    args: [condition, left, right],
                };
                self.push(block, data, Type::Ptr)
            }
            13..=15 => match self.callee(second, third) {
                Some(callee) => {
                    let data = InstData::Call(Box::new(CallData {
                        callee,
                        args: Box::new([left, self.number(third)]),
                        fixed_args: 2,
                        by_val: Box::new([]),
                        returns: Box::new([Type::Ptr]),
                    }));
                    self.push(block, data, Type::Ptr)
                }
                None => return,
            },
            _ => return,
        };
        self.pointers.push(new_pointer);
    }

    fn callee(&self, pick: u8, which: u8) -> Option<Callee> {
        let external = |index| Some(Callee::Direct(Func::new(self.defined + index)));
        match pick % 16 {
            0 => external(0),
            1 => external(1),
            2 if self.features.unknown_externals => external(2),
            3 if self.features.setjmp => external(3),
            4..=6 if self.features.indirect_calls => {
                Some(Callee::Indirect(self.pointer(pick / 16)))
            }
            _ if self.features.recursion => {
                let target = which as usize % self.defined;
                Some(Callee::Direct(Func::new(target)))
            }
            _ => {
                let later = self.defined - 1 - self.index;
                (later > 0)
                    .then(|| Callee::Direct(Func::new(self.index + 1 + which as usize % later)))
            }
        }
    }

    fn condition(&mut self, block: Block, pick: u8) -> Value {
        let zero = self.number_constant(0);
        let data = InstData::IntCompare {
            predicate: IntPredicate::Sgt,
            args: [self.number(pick), zero],
        };
        self.push(block, data, Type::I1)
    }

    fn end(&mut self, block: Block, blocks: &[Block], [kind, first, second, pick]: [u8; 4]) {
        let pointers = self.pointers.clone();
        let numbers = self.numbers.clone();
        let target = |pick: u8| blocks[pick as usize % blocks.len()];
        let data = match kind % 8 {
            0..=2 => InstData::Return {
                values: Box::new([self.pointer(pick)]),
            },
            3 => InstData::Jump(self.edge(target(first), &pointers, &numbers, pick)),
            4..=6 => InstData::Branch {
                condition: self.condition(block, pick),
                then: self.edge(target(first), &pointers, &numbers, pick),
                otherwise: self.edge(target(second), &pointers, &numbers, pick / 2),
            },
            _ => InstData::Switch {
                arg: self.number(pick),
                cases: Box::new([
                    (0, self.edge(target(first), &pointers, &numbers, pick)),
                    (1, self.edge(target(second), &pointers, &numbers, pick / 2)),
                ]),
                default: self.edge(target(first ^ second), &pointers, &numbers, pick / 4),
            },
        };
        self.function.append(block, data, &[], None);
    }
}
