//! Makes a random program.
//!
//! Programs stay small in time as well: each function knows about how many statements a call of
//! it executes, and calls that would exceed [`MOST_WORK`] are not made.

use crate::ast::{
    Argument, Body, Callee, Case, Comparison, Declaration, Expression, Function, Initial,
    InputByte, Operator, Place, Program, Shape, Source, Statement, StatementId, StatementKind,
    Type, Unary, Variable,
};
use crate::random::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// About how many statements the program has.
    pub size: usize,
    /// Whether it may divide by zero, leave an array, call `abort` or write through a null pointer.
    pub faults: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            size: 24,
            faults: false,
        }
    }
}

/// Statements that one call may execute.
const MOST_WORK: usize = 2_000;
/// Inputs of one program.
const MOST_INPUTS: usize = 4_096;
const TYPES: [Type; 8] = [
    Type::INT,
    ty(32, false),
    ty(8, true),
    ty(8, false),
    ty(16, true),
    ty(16, false),
    ty(64, true),
    ty(64, false),
];

const fn ty(bits: u8, signed: bool) -> Type {
    Type { bits, signed }
}

/// The program of a seed.
pub fn generate(seed: u64, settings: Settings) -> Program {
    let mut random = Random::new(seed);
    let input = input(&mut random);
    let fields = (0..2 + random.below(2)).map(|_| *random.pick(&TYPES));
    let fields = fields.collect();
    let mut generator = Generator {
        random,
        settings,
        program: Program {
            input,
            fields,
            globals: Vec::new(),
            functions: Vec::new(),
            table: Vec::new(),
        },
        locals: Vec::new(),
        work_of: Vec::new(),
        in_recursion: false,
        self_calls: 0,
        next_id: 0,
        work: 0,
        factor: 1,
        left: 0,
        loops: 0,
        breakable: false,
        conditional: false,
    };
    generator.globals();
    generator.functions();
    generator.program
}

fn input(random: &mut Random) -> Vec<InputByte> {
    let count = 1 + random.below(3);
    let arguments = match random.below(3) {
        0 => 0,
        1 => count,
        _ => random.below(count + 1),
    };
    let mut total = 1;
    let moduli: &[u8] = match count {
        1 => &[5, 10, 16, 26, 40, 64, 100],
        2 => &[3, 5, 6, 8, 10, 16, 24, 32],
        _ => &[2, 3, 4, 5, 6, 7, 8, 10, 16],
    };
    let bytes = (0..count).map(|index| {
        let modulus = loop {
            let modulus = *random.pick(moduli);
            // A missing character of the argument counts as well.
            if total * (usize::from(modulus) + 1) <= MOST_INPUTS {
                break modulus;
            }
        };
        total *= usize::from(modulus) + 1;
        let source = match index < arguments {
            true => Source::Argument,
            false => Source::StandardInput,
        };
        InputByte { source, modulus }
    });
    bytes.collect()
}

struct Generator {
    random: Random,
    settings: Settings,
    program: Program,
    /// Of the function being made, as is everything below.
    locals: Vec<Declaration>,
    work_of: Vec<usize>,
    in_recursion: bool,
    self_calls: usize,
    next_id: u32,
    work: usize,
    /// How often the present place is executed, at most.
    factor: usize,
    /// Statements that may still be made.
    left: usize,
    loops: usize,
    breakable: bool,
    /// The present body belongs to an `if` or `switch`, so it may end with a jump.
    conditional: bool,
}

impl Generator {
    fn globals(&mut self) {
        for index in 0..3 + self.random.below(4) {
            let name = format!("g{index}");
            let declaration = self.object(name, true);
            self.program.globals.push(declaration);
        }
    }

    /// A variable with constant contents, or a pointer to an earlier one.
    fn object(&mut self, name: String, global: bool) -> Declaration {
        let fields = self.program.fields.clone();
        let element = *self.random.pick(&TYPES);
        let shape = match self.random.below(10) {
            0..=3 => Shape::Scalar(element),
            4..=5 => Shape::Array(element, *self.random.pick(&[3, 4, 5, 8, 10])),
            6 => Shape::Struct,
            7 => Shape::StructArray(2 + self.random.below(3)),
            _ => return self.pointer(name, global),
        };
        let types: Vec<Type> = match &shape {
            Shape::Array(ty, length) => vec![*ty; *length],
            Shape::Struct => fields,
            Shape::StructArray(length) => fields.repeat(*length),
            _ => vec![element],
        };
        let constants = types.into_iter().map(|ty| self.constant_of(ty)).collect();
        let initial = match shape {
            Shape::Scalar(_) if !global => Initial::Value(self.expression(2)),
            _ => Initial::Constants(constants),
        };
        Declaration {
            name,
            shape,
            initial,
            counts_to: None,
        }
    }

    fn pointer(&mut self, name: String, global: bool) -> Declaration {
        let (shape, target) = if self.random.chance(30) {
            (Shape::StructPointer, self.struct_place(global))
        } else {
            let element = *self.random.pick(&TYPES);
            let wanted = self.pointable_type(global).unwrap_or(element);
            (Shape::Pointer(wanted), self.place_of_type(wanted, global))
        };
        match target {
            Some(place) => Declaration {
                name,
                shape,
                initial: Initial::Address(place),
                counts_to: None,
            },
            None => Declaration {
                name,
                shape: Shape::Scalar(Type::INT),
                initial: Initial::Constants(vec![self.random.between(-3, 9)]),
                counts_to: None,
            },
        }
    }

    fn functions(&mut self) {
        let through_pointer = match self.random.chance(40) {
            true => 2 + self.random.below(3),
            false => 0,
        };
        let helpers = 1 + self.random.below(3);
        let share = self.settings.size / (through_pointer / 2 + helpers + 2).max(1);
        for _ in 0..through_pointer {
            self.function(vec![Shape::Scalar(Type::INT)], Type::INT, share / 2, false);
        }
        self.program.table = (0..through_pointer).collect();
        for _ in 0..helpers {
            let recursive = self.random.chance(35);
            let mut shapes = Vec::new();
            for _ in 0..1 + self.random.below(3) {
                let ty = *self.random.pick(&TYPES);
                shapes.push(match self.random.below(6) {
                    0 => self
                        .pointable_type(true)
                        .map_or(Shape::Scalar(ty), Shape::Pointer),
                    1 if self.struct_place(true).is_some() => Shape::StructPointer,
                    _ => Shape::Scalar(ty),
                });
            }
            let result = *self.random.pick(&TYPES);
            self.function(shapes, result, share, recursive);
        }
        let most = 2 * share.max(6);
        self.function(Vec::new(), Type::INT, most, false);
    }

    fn function(&mut self, shapes: Vec<Shape>, result: Type, statements: usize, recursive: bool) {
        self.locals.clear();
        self.in_recursion = recursive;
        self.self_calls = 0;
        self.work = 0;
        self.factor = 1;
        self.left = statements.max(2);
        self.loops = 0;
        self.breakable = false;
        self.conditional = false;
        if recursive {
            self.locals.push(Declaration {
                name: "depth".to_owned(),
                shape: Shape::Scalar(Type::INT),
                initial: Initial::Caller,
                counts_to: Some(3),
            });
        }
        for (index, shape) in shapes.into_iter().enumerate() {
            self.locals.push(Declaration {
                name: format!("a{index}"),
                shape,
                initial: Initial::Caller,
                counts_to: None,
            });
        }
        let parameters = self.locals.len();
        let is_entry = parameters == 0;
        let index = self.program.functions.len();
        // The function's own signature must be known to calls of itself.
        self.program.functions.push(Function {
            name: if is_entry {
                "run".to_owned()
            } else {
                format!("f{index}")
            },
            result,
            parameters,
            recursive,
            locals: self.locals.clone(),
            body: Vec::new(),
            value: Expression::Constant(0),
        });
        for number in 0..1 + self.random.below(4) {
            let local = self.object(format!("v{number}"), false);
            self.locals.push(local);
        }
        let mut body = Vec::new();
        while self.left > 0 {
            body.extend(self.body(0));
        }
        if is_entry {
            body.extend(self.calls_of_helpers());
            for place in self.contents() {
                body.push(self.made(StatementKind::Print(Expression::Read(place))));
            }
        }
        let contents = self.contents().into_iter();
        let contents = contents.map(Expression::Read).take(4);
        // What the function computed should show.
        let value = contents.fold(self.expression(1), |all, part| {
            binary(Operator::Xor, all, part)
        });
        let repeats = [1, 4, 15][self.self_calls.min(2)];
        self.work_of.push((self.work + 3) * repeats);
        let function = &mut self.program.functions[index];
        function.locals = std::mem::take(&mut self.locals);
        function.body = body;
        function.value = value;
    }

    /// Scalars in most of the variables, those of the function first.
    fn contents(&mut self) -> Vec<Place> {
        let mut places = Vec::new();
        let locals = (0..self.locals.len()).map(Variable::Local);
        let globals = (0..self.program.globals.len()).map(Variable::Global);
        for variable in locals.chain(globals) {
            let element = |index| Box::new(Expression::Constant(index));
            match self.declaration(variable).shape {
                Shape::Scalar(_) => places.push(Place::Variable(variable)),
                Shape::Array(_, length) => {
                    let indices = (0..length as i64).step_by(2);
                    places.extend(indices.map(|at| Place::Element(variable, element(at))));
                }
                Shape::Struct => places.push(Place::Field(variable, 0)),
                Shape::StructArray(_) => {
                    places.push(Place::ElementField(variable, element(1), 1));
                }
                Shape::Pointer(_) => places.push(Place::Pointee(variable)),
                Shape::StructPointer => places.push(Place::PointeeField(variable, 1)),
            }
        }
        places
    }

    /// So that most of the program is reached.
    fn calls_of_helpers(&mut self) -> Body {
        let mut body = Vec::new();
        for target in self.program.table.len()..self.program.functions.len() - 1 {
            if let Some((callee, arguments)) = self.call_of(target) {
                let call = self.call_statement(callee, arguments);
                body.push(self.made(call));
            }
        }
        body
    }

    fn made(&mut self, kind: StatementKind) -> Statement {
        self.next_id += 1;
        self.work += self.factor;
        Statement {
            id: StatementId(self.next_id),
            kind,
        }
    }

    fn body(&mut self, depth: usize) -> Body {
        let mut body = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            if self.left == 0 && !body.is_empty() {
                break;
            }
            self.left = self.left.saturating_sub(1);
            let kind = self.statement(depth);
            let ends = is_exit(&kind);
            let statement = self.made(kind);
            body.push(statement);
            if ends {
                break;
            }
        }
        body
    }

    fn conditional_body(&mut self, depth: usize) -> Body {
        let before = std::mem::replace(&mut self.conditional, true);
        let body = self.body(depth);
        self.conditional = before;
        body
    }

    fn statement(&mut self, depth: usize) -> StatementKind {
        let nested = depth < 3 && self.left > 0;
        match self.random.below(100) {
            0..=23 if nested => {
                let condition = self.condition(2);
                let then = self.conditional_body(depth + 1);
                let otherwise = match self.random.chance(55) {
                    true => self.conditional_body(depth + 1),
                    false => Vec::new(),
                };
                StatementKind::If(condition, then, otherwise)
            }
            24..=33 if nested && self.loops < 2 => self.repetition(depth, true),
            34..=41 if nested && self.loops < 2 => self.repetition(depth, false),
            42..=49 if nested => self.switch(depth),
            50..=59 => self.call_into_local().unwrap_or_else(|| self.assignment()),
            60..=63 => self.repoint().unwrap_or_else(|| self.assignment()),
            64..=71 => StatementKind::Print(self.expression(2)),
            72..=74 => StatementKind::PrintCharacter(self.expression(1)),
            75..=76 => {
                let words = ["low", "high", "left", "right", "even", "odd", "none"];
                StatementKind::PrintText((*self.random.pick(&words)).to_owned())
            }
            77..=80 if self.conditional && self.loops > 0 => {
                match self.breakable && self.random.chance(50) {
                    true => StatementKind::Break,
                    false => StatementKind::Continue,
                }
            }
            81..=84 if self.conditional => StatementKind::Return(self.expression(2)),
            85 if self.conditional => StatementKind::Exit(self.expression(1)),
            86..=87 if self.conditional && self.settings.faults => match self.random.chance(50) {
                true => StatementKind::Abort,
                false => StatementKind::NullWrite(self.expression(1)),
            },
            _ => self.assignment(),
        }
    }

    fn repetition(&mut self, depth: usize, counted: bool) -> StatementKind {
        let most = *self.random.pick(&[2u8, 3, 3, 4, 5, 6]);
        let counter = Variable::Local(self.locals.len());
        let prefix = if counted { "i" } else { "n" };
        self.locals.push(Declaration {
            name: format!("{prefix}{}", self.locals.len()),
            shape: Shape::Scalar(Type::INT),
            initial: Initial::Constants(vec![0]),
            counts_to: Some(most),
        });
        let bound = match self.random.chance(60) {
            true => Expression::Input(self.random.below(self.program.input.len())),
            false => self.expression(1),
        };
        let condition = match counted {
            true => bound,
            false => self.condition(2),
        };
        let before = (self.factor, self.breakable, self.conditional);
        self.factor *= usize::from(most);
        self.loops += 1;
        (self.breakable, self.conditional) = (true, false);
        let body = self.body(depth + 1);
        self.loops -= 1;
        (self.factor, self.breakable, self.conditional) = before;
        match counted {
            true => StatementKind::For {
                counter,
                bound: condition,
                most,
                body,
            },
            false => StatementKind::While {
                counter,
                condition,
                most,
                body,
            },
        }
    }

    fn switch(&mut self, depth: usize) -> StatementKind {
        let on = match self.random.chance(50) {
            true => Expression::Input(self.random.below(self.program.input.len())),
            false => {
                let input = Expression::Input(self.random.below(self.program.input.len()));
                let value = binary(Operator::Add, input, self.expression(1));
                let mask = *self.random.pick(&[3, 7, 15]);
                binary(Operator::And, value, Expression::Constant(mask))
            }
        };
        let breakable = std::mem::replace(&mut self.breakable, false);
        let mut free: Vec<i64> = (0..8).collect();
        let mut cases = Vec::new();
        for _ in 0..2 + self.random.below(3) {
            let mut values = Vec::new();
            for _ in 0..1 + self.random.below(2) {
                values.push(free.swap_remove(self.random.below(free.len())));
            }
            cases.push(Case {
                values,
                body: self.conditional_body(depth + 1),
                falls_through: self.random.chance(30),
            });
            if free.len() < 2 {
                break;
            }
        }
        let default = match self.random.chance(60) {
            true => Some(self.conditional_body(depth + 1)),
            false => None,
        };
        self.breakable = breakable;
        StatementKind::Switch { on, cases, default }
    }

    fn assignment(&mut self) -> StatementKind {
        let place = self.scalar_place(true);
        let value = self.expression(3);
        match place {
            Some(place) => StatementKind::Assign(place, value),
            None => StatementKind::Print(value),
        }
    }

    fn call_into_local(&mut self) -> Option<StatementKind> {
        let (callee, arguments) = self.call()?;
        Some(self.call_statement(callee, arguments))
    }

    /// A call whose result is kept, printed or dropped.
    fn call_statement(&mut self, callee: Callee, arguments: Vec<Argument>) -> StatementKind {
        let scalars: Vec<Variable> = self
            .variables(false)
            .into_iter()
            .filter(|&variable| {
                let declaration = self.declaration(variable);
                matches!(variable, Variable::Local(_))
                    && declaration.counts_to.is_none()
                    && matches!(declaration.shape, Shape::Scalar(_))
            })
            .collect();
        let call = Expression::Call(callee.clone(), arguments.clone());
        match self.random.below(10) {
            0 => StatementKind::Call(callee, arguments),
            1..=2 => StatementKind::Print(call),
            _ if scalars.is_empty() => StatementKind::Print(call),
            _ => {
                let place = Place::Variable(*self.random.pick(&scalars));
                StatementKind::Assign(place, call)
            }
        }
    }

    fn repoint(&mut self) -> Option<StatementKind> {
        let pointers: Vec<Variable> = self
            .variables(false)
            .into_iter()
            .filter(|&variable| {
                let shape = &self.declaration(variable).shape;
                matches!(shape, Shape::Pointer(_) | Shape::StructPointer)
            })
            .collect();
        if pointers.is_empty() {
            return None;
        }
        let pointer = *self.random.pick(&pointers);
        // A global pointer outlives the locals.
        let global = matches!(pointer, Variable::Global(_));
        let shape = self.declaration(pointer).shape.clone();
        let mut target = || match shape {
            Shape::Pointer(ty) => self.place_of_type(ty, global),
            _ => self.struct_place(global),
        };
        let (first, second) = (target()?, target()?);
        let condition = self.condition(1);
        Some(StatementKind::Point(pointer, condition, first, second))
    }

    fn call(&mut self) -> Option<(Callee, Vec<Argument>)> {
        let own = self.program.functions.len() - 1;
        let table = &self.program.table;
        let above_table = table.iter().all(|&member| member < own);
        if !table.is_empty() && above_table && self.random.chance(35) {
            let works = table.iter().map(|&member| self.work_of[member]);
            let most = works.max().unwrap_or_default();
            self.spend(most)?;
            let index = self.expression(1);
            let value = self.expression(2);
            return Some((Callee::Table(Box::new(index)), vec![Argument::Value(value)]));
        }
        let recursion = self.in_recursion && self.loops == 0 && self.self_calls < 2;
        let target = match recursion && self.random.chance(60) {
            true => own,
            false if own == 0 => return None,
            false => self.random.below(own),
        };
        self.call_of(target)
    }

    fn call_of(&mut self, target: usize) -> Option<(Callee, Vec<Argument>)> {
        let own = self.program.functions.len() - 1;
        if target == own {
            self.self_calls += 1;
        } else {
            self.spend(self.work_of[target])?;
        }
        let function = &self.program.functions[target];
        let (recursive, count) = (function.recursive, function.parameters);
        let shapes: Vec<Shape> = function.locals[..count]
            .iter()
            .map(|parameter| parameter.shape.clone())
            .collect();
        let mut arguments = Vec::new();
        for (index, shape) in shapes.into_iter().enumerate() {
            arguments.push(match shape {
                _ if recursive && index == 0 && target == own => Argument::Descend,
                _ if recursive && index == 0 => Argument::Depth(self.expression(1)),
                Shape::Pointer(ty) => Argument::Address(self.place_of_type(ty, false)?),
                Shape::StructPointer => Argument::Address(self.struct_place(false)?),
                _ => Argument::Value(self.expression(2)),
            });
        }
        Some((Callee::Function(target), arguments))
    }

    fn spend(&mut self, work: usize) -> Option<()> {
        let more = self.factor * work;
        if self.work + more > MOST_WORK {
            return None;
        }
        self.work += more;
        Some(())
    }

    fn condition(&mut self, depth: usize) -> Expression {
        match self.random.below(10) {
            0 if depth > 0 => {
                let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
                Expression::Both(Box::new(left), Box::new(right))
            }
            1 if depth > 0 => {
                let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
                Expression::Either(Box::new(left), Box::new(right))
            }
            2 => {
                let value = self.expression(1);
                let bit = Expression::Constant(1 << self.random.below(4));
                binary(Operator::And, value, bit)
            }
            3 => match self.call() {
                Some((callee, arguments)) => {
                    let call = Expression::Call(callee, arguments);
                    let constant = self.constant();
                    self.comparison(call, constant)
                }
                None => self.expression(1),
            },
            4..=6 => {
                let input = Expression::Input(self.random.below(self.program.input.len()));
                let constant = Expression::Constant(self.random.between(0, 12));
                self.comparison(input, constant)
            }
            _ => {
                let left = self.expression(depth.min(2));
                let right = match self.random.chance(60) {
                    true => self.constant(),
                    false => self.expression(1),
                };
                self.comparison(left, right)
            }
        }
    }

    fn comparison(&mut self, left: Expression, right: Expression) -> Expression {
        let comparison = *self.random.pick(&COMPARISONS);
        Expression::Compare(comparison, Box::new(left), Box::new(right))
    }

    /// An expression without calls.
    fn expression(&mut self, depth: usize) -> Expression {
        if depth == 0 || self.random.chance(25) {
            return self.leaf();
        }
        match self.random.below(20) {
            0 => {
                let operator = *self
                    .random
                    .pick(&[Unary::Negate, Unary::Complement, Unary::Not]);
                Expression::Unary(operator, Box::new(self.expression(depth - 1)))
            }
            1..=2 => {
                let ty = *self.random.pick(&TYPES);
                Expression::Cast(ty, Box::new(self.expression(depth - 1)))
            }
            3..=4 => {
                let condition = self.plain_condition(depth - 1);
                let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
                Expression::Choose(Box::new(condition), Box::new(left), Box::new(right))
            }
            5 => self.plain_condition(depth - 1),
            6 if self.settings.faults && self.random.chance(40) => {
                let operators = [Operator::UncheckedDivide, Operator::UncheckedRemainder];
                let operator = *self.random.pick(&operators);
                let left = self.expression(depth - 1);
                let input = Expression::Input(self.random.below(self.program.input.len()));
                let offset = Expression::Constant(self.random.between(0, 4));
                binary(operator, left, binary(Operator::Subtract, input, offset))
            }
            _ => {
                let operator = *self.random.pick(&OPERATORS);
                let left = self.expression(depth - 1);
                let right = match operator == Operator::Add && self.random.chance(20) {
                    true => left.clone(),
                    false => self.expression(depth - 1),
                };
                binary(operator, left, right)
            }
        }
    }

    fn plain_condition(&mut self, depth: usize) -> Expression {
        let left = self.expression(depth);
        let right = self.constant();
        let first = self.comparison(left, right);
        if !self.random.chance(25) {
            return first;
        }
        let second = self.leaf();
        match self.random.chance(50) {
            true => Expression::Both(Box::new(first), Box::new(second)),
            false => Expression::Either(Box::new(first), Box::new(second)),
        }
    }

    fn leaf(&mut self) -> Expression {
        match self.random.below(10) {
            0..=2 => Expression::Input(self.random.below(self.program.input.len())),
            3..=4 => self.constant(),
            _ => match self.scalar_place(false) {
                Some(place) => Expression::Read(place),
                None => self.constant(),
            },
        }
    }

    fn constant(&mut self) -> Expression {
        let ty = *self
            .random
            .pick(&[Type::INT, Type::INT, Type::INT, ty(8, false)]);
        Expression::Constant(self.constant_of(ty))
    }

    fn constant_of(&mut self, ty: Type) -> i64 {
        let value = match self.random.below(10) {
            0..=6 => self.random.between(0, 9),
            7 => self.random.between(-20, 100),
            8 => self.random.between(-40_000, 70_000),
            _ => *self
                .random
                .pick(&[255, 127, 65_535, 1 << 20, 2_147_483_647, -1]),
        };
        // The printer writes every constant as it is, so it must be one of its type.
        let inside = i128::from(value).clamp(ty.smallest(), ty.largest());
        inside as i64
    }

    fn index(&mut self) -> Box<Expression> {
        let counters: Vec<Variable> = (0..self.locals.len())
            .map(Variable::Local)
            .filter(|&variable| self.declaration(variable).counts_to.is_some())
            .collect();
        Box::new(match self.random.below(4) {
            0 if !counters.is_empty() => {
                Expression::Read(Place::Variable(*self.random.pick(&counters)))
            }
            1 => Expression::Constant(self.random.between(0, 3)),
            2 => {
                let input = Expression::Input(self.random.below(self.program.input.len()));
                let offset = Expression::Constant(self.random.between(1, 3));
                binary(Operator::Add, input, offset)
            }
            _ => Expression::Input(self.random.below(self.program.input.len())),
        })
    }

    fn declaration(&self, variable: Variable) -> &Declaration {
        match variable {
            Variable::Global(index) => &self.program.globals[index],
            Variable::Local(index) => &self.locals[index],
        }
    }

    fn variables(&self, only_global: bool) -> Vec<Variable> {
        let globals = (0..self.program.globals.len()).map(Variable::Global);
        let locals = (0..self.locals.len()).map(Variable::Local);
        match only_global {
            true => globals.collect(),
            // Locals twice, so that they are used as often as globals.
            false => globals.chain(locals.clone()).chain(locals).collect(),
        }
    }

    /// Something to read, or to assign.
    fn scalar_place(&mut self, assigned: bool) -> Option<Place> {
        let variables: Vec<Variable> = self
            .variables(false)
            .into_iter()
            .filter(|&variable| !assigned || self.declaration(variable).counts_to.is_none())
            .collect();
        if variables.is_empty() {
            return None;
        }
        let variable = *self.random.pick(&variables);
        let field = self.random.below(self.program.fields.len());
        let unchecked = self.settings.faults && self.random.chance(12);
        Some(match self.declaration(variable).shape {
            Shape::Scalar(_) => Place::Variable(variable),
            Shape::Array(..) if unchecked => Place::UncheckedElement(variable, self.index()),
            Shape::Array(..) => Place::Element(variable, self.index()),
            Shape::Struct => Place::Field(variable, field),
            Shape::StructArray(_) => Place::ElementField(variable, self.index(), field),
            Shape::Pointer(_) => Place::Pointee(variable),
            Shape::StructPointer => Place::PointeeField(variable, field),
        })
    }

    /// A type of which there is something to point to.
    fn pointable_type(&mut self, global: bool) -> Option<Type> {
        let mut types = Vec::new();
        for variable in self.variables(global) {
            let declaration = self.declaration(variable);
            match declaration.shape {
                Shape::Scalar(ty) if declaration.counts_to.is_none() => types.push(ty),
                Shape::Array(ty, _) => types.push(ty),
                Shape::Struct | Shape::StructArray(_) => types.extend(&self.program.fields),
                _ => {}
            }
        }
        (!types.is_empty()).then(|| *self.random.pick(&types))
    }

    /// Something of this type whose address can be taken.
    fn place_of_type(&mut self, wanted: Type, global: bool) -> Option<Place> {
        let field = self.program.fields.iter().position(|&ty| ty == wanted);
        let mut places = Vec::new();
        for variable in self.variables(global) {
            let declaration = self.declaration(variable);
            let constant = Box::new(Expression::Constant(0));
            match (&declaration.shape, field) {
                (Shape::Scalar(ty), _) if *ty == wanted && declaration.counts_to.is_none() => {
                    places.push(Place::Variable(variable));
                }
                (Shape::Array(ty, _), _) if *ty == wanted => {
                    places.push(Place::Element(variable, constant));
                }
                (Shape::Struct, Some(field)) => places.push(Place::Field(variable, field)),
                (Shape::StructArray(_), Some(field)) => {
                    places.push(Place::ElementField(variable, constant, field));
                }
                _ => {}
            }
        }
        if places.is_empty() {
            return None;
        }
        let place = self.random.pick(&places).clone();
        Some(self.indexed(place, global))
    }

    fn struct_place(&mut self, global: bool) -> Option<Place> {
        let mut places = Vec::new();
        for variable in self.variables(global) {
            match self.declaration(variable).shape {
                Shape::Struct => places.push(Place::Variable(variable)),
                Shape::StructArray(_) => {
                    let constant = Box::new(Expression::Constant(0));
                    places.push(Place::StructElement(variable, constant));
                }
                _ => {}
            }
        }
        if places.is_empty() {
            return None;
        }
        let place = self.random.pick(&places).clone();
        Some(self.indexed(place, global))
    }

    /// Chooses the element; in the initial value of a global it must be constant.
    fn indexed(&mut self, place: Place, global: bool) -> Place {
        let mut index = || match global {
            true => Box::new(Expression::Constant(self.random.between(0, 1))),
            false => self.index(),
        };
        match place {
            Place::Element(array, _) => Place::Element(array, index()),
            Place::ElementField(array, _, field) => Place::ElementField(array, index(), field),
            Place::StructElement(array, _) => Place::StructElement(array, index()),
            other => other,
        }
    }
}

pub(crate) const COMPARISONS: [Comparison; 6] = [
    Comparison::Equal,
    Comparison::NotEqual,
    Comparison::Less,
    Comparison::LessOrEqual,
    Comparison::Greater,
    Comparison::GreaterOrEqual,
];

pub(crate) const OPERATORS: [Operator; 10] = [
    Operator::Add,
    Operator::Subtract,
    Operator::Multiply,
    Operator::Divide,
    Operator::Remainder,
    Operator::And,
    Operator::Or,
    Operator::Xor,
    Operator::ShiftLeft,
    Operator::ShiftRight,
];

pub(crate) fn binary(operator: Operator, left: Expression, right: Expression) -> Expression {
    Expression::Binary(operator, Box::new(left), Box::new(right))
}

/// Whether nothing after it in the same body is reached.
fn is_exit(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Return(_)
            | StatementKind::Exit(_)
            | StatementKind::Abort
    )
}
