//! A small language for random tests: programs, edits, lowering to IR, and a run of IR.
//!
//! Deliberately apart from the real machine: it executes only what the lowering emits,
//! and it tells which instructions were executed.

#![allow(dead_code, unreachable_pub)]

pub mod edit;
pub mod lower;
pub mod run;

use random::SplitMix;

/// Local variables are numbered; the first ones are the parameters.
pub type Local = usize;

#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Number(i64),
    Local(Local),
    Global(usize),
    Operation(Operator, Box<Expression>, Box<Expression>),
    Call(usize, Vec<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Less,
    Equal,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    Assign(Local, Expression),
    SetGlobal(usize, Expression),
    Print(Expression),
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// Runs its body at most so many times.
    While(Expression, Vec<Statement>),
    Return(Expression),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Routine {
    pub name: String,
    pub parameters: usize,
    pub locals: usize,
    pub body: Vec<Statement>,
}

/// The last routine is the program's entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    pub routines: Vec<Routine>,
    pub globals: Vec<i64>,
}

pub const PARAMETERS: usize = 2;
const LOCALS: usize = 4;

pub fn random_program(random: &mut SplitMix) -> Program {
    let count = 1 + random.below(3);
    let globals = (0..2).map(|_| random.below(3) as i64).collect();
    let mut routines = Vec::new();
    for index in 0..count {
        let mut body = random_block(random, index, 3, 4);
        body.push(Statement::Return(random_expression(random, index, 2)));
        routines.push(Routine {
            name: format!("routine{index}"),
            parameters: PARAMETERS,
            locals: LOCALS,
            body,
        });
    }
    Program { routines, globals }
}

/// `callable`: routines below this number may be called, so there is no recursion.
pub fn random_statement(random: &mut SplitMix, callable: usize, depth: usize) -> Statement {
    let expression = |random: &mut SplitMix| random_expression(random, callable, 2);
    match random.below(if depth == 0 { 6 } else { 10 }) {
        0..=2 => Statement::Assign(random.below(LOCALS), expression(random)),
        3 => Statement::SetGlobal(random.below(2), expression(random)),
        4 => Statement::Print(expression(random)),
        5 if random.chance(30) => Statement::Return(expression(random)),
        5 => Statement::Assign(random.below(LOCALS), expression(random)),
        6..=8 => {
            let then = random_block(random, callable, depth - 1, 2);
            let otherwise = random_block(random, callable, depth - 1, 2);
            Statement::If(expression(random), then, otherwise)
        }
        _ => {
            let body = random_block(random, callable, depth - 1, 2);
            Statement::While(expression(random), body)
        }
    }
}

fn random_block(
    random: &mut SplitMix,
    callable: usize,
    depth: usize,
    longest: usize,
) -> Vec<Statement> {
    let length = random.below(longest + 1);
    (0..length)
        .map(|_| random_statement(random, callable, depth))
        .collect()
}

pub fn random_expression(random: &mut SplitMix, callable: usize, depth: usize) -> Expression {
    match random.below(if depth == 0 { 5 } else { 9 }) {
        0 | 1 => Expression::Number(random.below(3) as i64 - 1),
        2 | 3 => Expression::Local(random.below(LOCALS)),
        4 => Expression::Global(random.below(2)),
        8 if callable > 0 && random.chance(40) => {
            let routine = random.below(callable);
            let arguments = (0..PARAMETERS)
                .map(|_| random_expression(random, callable, depth - 1))
                .collect();
            Expression::Call(routine, arguments)
        }
        _ => {
            let operators = [
                Operator::Add,
                Operator::Subtract,
                Operator::Multiply,
                Operator::Less,
                Operator::Equal,
            ];
            let operator = operators[random.below(operators.len())];
            let left = random_expression(random, callable, depth - 1);
            let right = random_expression(random, callable, depth - 1);
            Expression::Operation(operator, Box::new(left), Box::new(right))
        }
    }
}
