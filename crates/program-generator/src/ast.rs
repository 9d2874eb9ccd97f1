//! A small language whose programs always end and always mean something.
//!
//! Every operation is total: arithmetic wraps, counts of shifts and indices are reduced to what is
//! allowed, a divisor is never zero, loops and recursion count down. The printer spells this
//! out in C wherever plain C would leave it undefined, so any tree of the right types is a
//! program without undefined behaviour. The exceptions are the operations called
//! `Unchecked…`, [`StatementKind::Abort`] and [`StatementKind::NullWrite`], which occur only in
//! programs made with faults.

/// An integer type of C on x86-64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    pub bits: u8,
    pub signed: bool,
}

impl Type {
    pub const INT: Type = Type {
        bits: 32,
        signed: true,
    };

    pub fn unsigned(self) -> Type {
        Type {
            signed: false,
            ..self
        }
    }

    /// C's integer promotion.
    pub fn promoted(self) -> Type {
        if self.bits < 32 { Type::INT } else { self }
    }

    /// The type in which C combines operands of two types.
    pub fn common(self, other: Type) -> Type {
        let (left, right) = (self.promoted(), other.promoted());
        match left.bits.cmp(&right.bits) {
            std::cmp::Ordering::Less => right,
            std::cmp::Ordering::Greater => left,
            std::cmp::Ordering::Equal => Type {
                bits: left.bits,
                signed: left.signed && right.signed,
            },
        }
    }

    pub fn smallest(self) -> i128 {
        if self.signed {
            -(1 << (self.bits - 1))
        } else {
            0
        }
    }

    pub fn largest(self) -> i128 {
        (1 << (self.bits - u8::from(self.signed))) - 1
    }
}

/// A variable: an index into [`Program::globals`] or [`Function::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variable {
    Global(usize),
    Local(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Scalar(Type),
    Array(Type, usize),
    Struct,
    StructArray(usize),
    /// Always points to something alive.
    Pointer(Type),
    StructPointer,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    pub name: String,
    pub shape: Shape,
    pub initial: Initial,
    /// Counts a loop or the depth of a recursion, from 0 to this; nothing else assigns it.
    pub counts_to: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// A parameter.
    Caller,
    /// One constant for each element or field, in order.
    Constants(Vec<i64>),
    Value(Expression),
    Address(Place),
}

/// Something that can be read and assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Variable(Variable),
    /// The index is taken modulo the length.
    Element(Variable, Box<Expression>),
    /// The index is used as it is, modulo twice the length: it may be out of bounds.
    UncheckedElement(Variable, Box<Expression>),
    Field(Variable, usize),
    ElementField(Variable, Box<Expression>, usize),
    Pointee(Variable),
    PointeeField(Variable, usize),
    /// A whole element of an array of structs; only its address is taken, as of a whole struct.
    StructElement(Variable, Box<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    /// The divisor is reduced to 1..=8 unless it cannot be zero.
    Divide,
    Remainder,
    UncheckedDivide,
    UncheckedRemainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Negate,
    Complement,
    Not,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    Constant(i64),
    /// The `n`th byte of the input, already reduced.
    Input(usize),
    Read(Place),
    Unary(Unary, Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
    Compare(Comparison, Box<Expression>, Box<Expression>),
    /// `&&` and `||`.
    Both(Box<Expression>, Box<Expression>),
    Either(Box<Expression>, Box<Expression>),
    Choose(Box<Expression>, Box<Expression>, Box<Expression>),
    Cast(Type, Box<Expression>),
    /// Only where C fixes the order of evaluation: alone on the right of an assignment to a
    /// local variable or in a `Print`, compared with a constant, and as an operand of `&&` and `||`.
    Call(Callee, Vec<Argument>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callee {
    /// An index into [`Program::functions`], always smaller than the caller's, or the
    /// caller's own in a recursion.
    Function(usize),
    /// Through [`Program::table`], at this index modulo its length.
    Table(Box<Expression>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    Value(Expression),
    Address(Place),
    /// Only the first argument of a recursive function: how deep it may go.
    Depth(Expression),
    /// One less than the depth of the caller.
    Descend,
}

/// Stays the same when the statement is edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub id: StatementId,
    pub kind: StatementKind,
}

pub type Body = Vec<Statement>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    Assign(Place, Expression),
    /// `pointer = condition ? &first : &second`.
    Point(Variable, Expression, Place, Place),
    Call(Callee, Vec<Argument>),
    If(Expression, Body, Body),
    /// Counts up to the bound, which is taken modulo `most + 1`.
    For {
        counter: Variable,
        bound: Expression,
        most: u8,
        body: Body,
    },
    /// As long as the condition holds, but at most `most` times.
    While {
        counter: Variable,
        condition: Expression,
        most: u8,
        body: Body,
    },
    Switch {
        on: Expression,
        cases: Vec<Case>,
        default: Option<Body>,
    },
    /// A jump through a table of labels, by an index modulo its length.
    Dispatch {
        on: Expression,
        bodies: Vec<Body>,
        /// The body that each entry of the table stands for.
        table: Vec<usize>,
        /// The order in which the bodies are written.
        layout: Vec<usize>,
    },
    Print(Expression),
    PrintCharacter(Expression),
    PrintText(String),
    Break,
    Continue,
    Return(Expression),
    /// Ends the process with this status modulo 64.
    Exit(Expression),
    Abort,
    NullWrite(Expression),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub values: Vec<i64>,
    pub body: Body,
    pub falls_through: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub result: Type,
    /// How many of the locals are parameters.
    pub parameters: usize,
    /// The first parameter is the depth, and calls of itself descend.
    pub recursive: bool,
    pub locals: Vec<Declaration>,
    pub body: Body,
    /// What it returns at its end.
    pub value: Expression,
}

/// Where a byte of the input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A character of `argv[1]`; one that is missing counts as 0.
    Argument,
    StandardInput,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputByte {
    pub source: Source,
    /// The program uses the byte modulo this.
    pub modulus: u8,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The characters of the argument come first.
    pub input: Vec<InputByte>,
    /// The types of the fields of the program's one struct.
    pub fields: Vec<Type>,
    pub globals: Vec<Declaration>,
    /// A function calls only those before it and itself. The last is the entry.
    pub functions: Vec<Function>,
    /// Functions of one `int` parameter and an `int` result, for calls through a pointer.
    pub table: Vec<usize>,
}
