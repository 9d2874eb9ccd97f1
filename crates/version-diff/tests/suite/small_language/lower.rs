//! Lowering to IR in the manner of the bitcode reader: locals become SSA values with
//! debug bindings, joins get block parameters, each statement a line of its own.

use super::{Expression, Operator, Program, Routine, Statement};
use program_ir::{
    ArithFlags, BinaryOp, Block, BlockCall, CallData, Callee, Constant, Func, Function, Global,
    GlobalData, Initialiser, Inst, InstData, IntPredicate, Linkage, Loc, LocData, Module, Scope,
    ScopeData, Signature, SourceMap, Type, Value, ValueDef, Variable, VariableBinding,
    VariableData, VariablePlace,
};

/// Which locals get parameters at joins: a reader that prunes gives fewer.
#[derive(Clone, Copy, Default)]
pub struct LowerOptions {
    pub no_bindings: bool,
    /// Locals in reverse order at joins, as other declaration orders would give.
    pub reversed_params: bool,
    pub line_offset: u32,
    /// Only locals that differ between the incoming edges get a parameter.
    pub pruned: bool,
}

/// Function 0 is the external `print`.
pub fn lower(program: &Program, options: LowerOptions) -> Module {
    let mut module = Module::default();
    let file = module.source.files.push(program_ir::FileData {
        name: "program.small".into(),
        directory: String::new(),
    });
    let print = Function::new(
        "print",
        Linkage::Import,
        Signature {
            params: vec![Type::I64],
            returns: Vec::new(),
            variadic: false,
        },
    );
    module.functions.push(print);
    for (index, &value) in program.globals.iter().enumerate() {
        module.globals.push(GlobalData {
            name: format!("global{index}"),
            linkage: Linkage::Exported,
            size: 8,
            align: 8,
            constant: false,
            thread_local: false,
            section: None,
            initialiser: Initialiser {
                bytes: value.to_le_bytes().to_vec(),
                relocations: Vec::new(),
            },
            info: None,
        });
    }
    let mut line = 1 + options.line_offset;
    for routine in &program.routines {
        let scope = module.source.scopes.push(ScopeData {
            function: Some(routine.name.clone()),
            file,
            line,
            parent: None,
            signature: Vec::new(),
        });
        line += 1;
        let function = Lowering::run(routine, options, scope, &mut line, &mut module.source);
        module.functions.push(function);
    }
    module
}

struct Lowering<'a> {
    function: Function,
    options: LowerOptions,
    source: &'a mut SourceMap,
    scope: Scope,
    line: &'a mut u32,
    loc: Option<Loc>,
    locals: Vec<Value>,
    variables: Vec<Variable>,
    /// Bindings waiting for the next instruction.
    waiting: Vec<(Variable, Value)>,
    /// Where code is appended; `None` after a return.
    block: Option<Block>,
}

impl Lowering<'_> {
    fn run(
        routine: &Routine,
        options: LowerOptions,
        scope: Scope,
        line: &mut u32,
        source: &mut SourceMap,
    ) -> Function {
        let signature = Signature {
            params: vec![Type::I64; routine.parameters],
            returns: vec![Type::I64],
            variadic: false,
        };
        let mut function = Function::new(routine.name.clone(), Linkage::Exported, signature);
        function.scope = Some(scope);
        let entry = function.add_block();
        let variables = (0..routine.locals).map(|local| {
            function.variables.push(VariableData {
                name: format!("local{local}"),
                scope,
                line: 0,
                ty: None,
                parameter: if local < routine.parameters {
                    local as u16 + 1
                } else {
                    0
                },
            })
        });
        let variables: Vec<Variable> = variables.collect();
        let mut locals = Vec::new();
        for local in 0..routine.locals {
            locals.push(if local < routine.parameters {
                function.add_block_param(entry, Type::I64)
            } else {
                function.add_constant(Type::I64, Constant::Bits(0))
            });
        }
        let mut lowering = Lowering {
            waiting: variables.iter().copied().zip(locals.clone()).collect(),
            function,
            options,
            source,
            scope,
            line,
            loc: None,
            locals,
            variables,
            block: Some(entry),
        };
        lowering.statements(&routine.body);
        if lowering.block.is_some() {
            let zero = lowering.number(0);
            lowering.append(
                InstData::Return {
                    values: Box::new([zero]),
                },
                &[],
            );
        }
        lowering.function
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            *self.line += 1;
            self.loc = Some(self.source.locs.push(LocData {
                line: *self.line,
                column: 1,
                scope: self.scope,
                inlined_at: None,
            }));
            if self.block.is_some() {
                self.statement(statement);
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(local, expression) => {
                let value = self.expression(expression);
                self.locals[*local] = value;
                self.waiting.push((self.variables[*local], value));
            }
            Statement::SetGlobal(global, expression) => {
                let value = self.expression(expression);
                let address = self.global(*global);
                self.append(
                    InstData::Store {
                        address,
                        value,
                        align: 8,
                        volatile: false,
                    },
                    &[],
                );
            }
            Statement::Print(expression) => {
                let value = self.expression(expression);
                self.call(Func::from_u32(0), vec![value], &[]);
            }
            Statement::Return(expression) => {
                let value = self.expression(expression);
                self.append(
                    InstData::Return {
                        values: Box::new([value]),
                    },
                    &[],
                );
                self.block = None;
            }
            Statement::If(condition, then, otherwise) => self.branch(condition, then, otherwise),
            Statement::While(condition, body) => self.repeat(condition, body),
        }
    }

    fn branch(&mut self, condition: &Expression, then: &[Statement], otherwise: &[Statement]) {
        let condition = self.condition(condition);
        let arms = [self.function.add_block(), self.function.add_block()];
        self.append(
            InstData::Branch {
                condition,
                then: edge(arms[0]),
                otherwise: edge(arms[1]),
            },
            &[],
        );
        let before = self.locals.clone();
        let loc = self.loc;
        let mut ends = Vec::new();
        for (arm, statements) in arms.into_iter().zip([then, otherwise]) {
            self.block = Some(arm);
            self.locals = before.clone();
            self.statements(statements);
            if let Some(end) = self.block {
                ends.push((end, self.locals.clone(), std::mem::take(&mut self.waiting)));
            }
            self.waiting.clear();
            self.loc = loc;
        }
        self.block = None;
        if ends.is_empty() {
            return;
        }
        let join = self.function.add_block();
        let joined: Vec<usize> = (0..before.len())
            .filter(|&local| {
                !self.options.pruned || ends.iter().any(|end| end.1[local] != ends[0].1[local])
            })
            .collect();
        for (end, locals, waiting) in ends.clone() {
            self.block = Some(end);
            self.waiting = waiting;
            let args = self.ordered(&joined).map(|local| locals[local]).collect();
            self.append(InstData::Jump(BlockCall { block: join, args }), &[]);
        }
        self.block = Some(join);
        self.locals = ends[0].1.clone();
        self.take_params(join, &joined);
    }

    /// `for (n = 0; n < 3 && condition; n++) body`
    fn repeat(&mut self, condition: &Expression, body: &[Statement]) {
        let header = self.function.add_block();
        let all: Vec<usize> = (0..self.locals.len()).collect();
        let zero = self.number(0);
        let mut args: Vec<Value> = self.ordered(&all).map(|local| self.locals[local]).collect();
        args.push(zero);
        self.jump(header, args);
        self.block = Some(header);
        self.take_params(header, &all);
        let turn = self.function.add_block_param(header, Type::I64);
        let at_header = self.locals.clone();
        let bound = self.number(3);
        let below = self.compare(IntPredicate::Slt, turn, bound);
        let test = self.function.add_block();
        let (inside, exit) = (self.function.add_block(), self.function.add_block());
        self.append(
            InstData::Branch {
                condition: below,
                then: edge(test),
                otherwise: edge(exit),
            },
            &[],
        );
        self.block = Some(test);
        let condition = self.condition(condition);
        self.append(
            InstData::Branch {
                condition,
                then: edge(inside),
                otherwise: edge(exit),
            },
            &[],
        );
        let loc = self.loc;
        self.block = Some(inside);
        self.statements(body);
        self.loc = loc;
        if self.block.is_some() {
            let one = self.number(1);
            let next = self.binary(BinaryOp::Add, turn, one);
            let mut args: Vec<Value> = self.ordered(&all).map(|local| self.locals[local]).collect();
            args.push(next);
            self.jump(header, args);
        }
        self.waiting.clear();
        self.block = Some(exit);
        self.locals = at_header;
    }

    fn ordered<'b>(&self, locals: &'b [usize]) -> impl Iterator<Item = usize> + use<'b> {
        let reversed = self.options.reversed_params;
        (0..locals.len()).map(move |index| {
            locals[if reversed {
                locals.len() - 1 - index
            } else {
                index
            }]
        })
    }

    fn take_params(&mut self, block: Block, locals: &[usize]) {
        let ordered: Vec<usize> = self.ordered(locals).collect();
        for local in ordered {
            let param = self.function.add_block_param(block, Type::I64);
            self.locals[local] = param;
            self.waiting.push((self.variables[local], param));
        }
    }

    fn jump(&mut self, block: Block, args: Vec<Value>) {
        self.append(
            InstData::Jump(BlockCall {
                block,
                args: args.into(),
            }),
            &[],
        );
    }

    fn expression(&mut self, expression: &Expression) -> Value {
        match expression {
            Expression::Number(number) => self.number(*number),
            Expression::Local(local) => self.locals[*local],
            Expression::Global(global) => {
                let address = self.global(*global);
                let inst = self.append(
                    InstData::Load {
                        address,
                        align: 8,
                        volatile: false,
                    },
                    &[Type::I64],
                );
                self.result(inst)
            }
            Expression::Call(routine, arguments) => {
                let arguments = arguments.iter().map(|one| self.expression(one)).collect();
                let inst = self.call(Func::from_u32(*routine as u32 + 1), arguments, &[Type::I64]);
                self.result(inst)
            }
            Expression::Operation(operator, left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                let predicate = match operator {
                    Operator::Add => return self.binary(BinaryOp::Add, left, right),
                    Operator::Subtract => return self.binary(BinaryOp::Sub, left, right),
                    Operator::Multiply => return self.binary(BinaryOp::Mul, left, right),
                    Operator::Less => IntPredicate::Slt,
                    Operator::Equal => IntPredicate::Eq,
                };
                let bit = self.compare(predicate, left, right);
                let inst = self.append(
                    InstData::Cast {
                        op: program_ir::CastOp::ZeroExtend,
                        arg: bit,
                    },
                    &[Type::I64],
                );
                self.result(inst)
            }
        }
    }

    fn condition(&mut self, expression: &Expression) -> Value {
        let value = self.expression(expression);
        let zero = self.number(0);
        self.compare(IntPredicate::Ne, value, zero)
    }

    fn number(&mut self, number: i64) -> Value {
        self.function
            .add_constant(Type::I64, Constant::Bits(u128::from(number as u64)))
    }

    fn global(&mut self, global: usize) -> Value {
        let constant = Constant::GlobalAddress {
            global: Global::from_u32(global as u32),
            offset: 0,
        };
        self.function.add_constant(Type::Ptr, constant)
    }

    fn binary(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
        let data = InstData::Binary {
            op,
            flags: ArithFlags::default(),
            args: [left, right],
        };
        let inst = self.append(data, &[Type::I64]);
        self.result(inst)
    }

    fn compare(&mut self, predicate: IntPredicate, left: Value, right: Value) -> Value {
        let data = InstData::IntCompare {
            predicate,
            args: [left, right],
        };
        let inst = self.append(data, &[Type::I1]);
        self.result(inst)
    }

    fn call(&mut self, func: Func, args: Vec<Value>, returns: &[Type]) -> Inst {
        let call = CallData {
            callee: Callee::Direct(func),
            fixed_args: args.len() as u32,
            args: args.into(),
            by_val: Box::default(),
            returns: returns.into(),
        };
        self.append(InstData::Call(Box::new(call)), returns)
    }

    fn result(&self, inst: Inst) -> Value {
        self.function.results(inst).next().expect("it has a result")
    }

    fn append(&mut self, data: InstData, results: &[Type]) -> Inst {
        let block = self.block.expect("code is live");
        let inst = self.function.append(block, data, results, self.loc);
        for (variable, value) in std::mem::take(&mut self.waiting) {
            if !self.options.no_bindings {
                self.function.bindings.push(VariableBinding {
                    variable,
                    before: inst,
                    place: VariablePlace::Value(value),
                });
            }
        }
        inst
    }
}

fn edge(block: Block) -> BlockCall {
    BlockCall {
        block,
        args: Box::default(),
    }
}

/// For assertions about operands.
pub fn is_constant(function: &Function, value: Value) -> bool {
    matches!(function.values[value].def, ValueDef::Constant(_))
}
