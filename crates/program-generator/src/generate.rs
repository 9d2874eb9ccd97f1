//! Makes a random program.
//!
//! Programs stay small in time as well: each function knows about how many statements a call of
//! it executes, and calls that would exceed [`MOST_WORK`] are not made.

mod places;
mod statements;
mod values;

use crate::ast::{
    Body, Comparison, Declaration, Expression, Function, Initial, InputByte, Operator, Place,
    Program, Shape, Source, Statement, StatementId, StatementKind, Type, Variable,
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
/// One program of so many has tables of labels.
const WITH_LABELS: u64 = 5;
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
        labels: seed % WITH_LABELS == WITH_LABELS - 1,
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
    /// Whether the program jumps through tables of labels where it would have a `switch`.
    labels: bool,
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
