//! Random edits of a program.

use super::{Expression, Operator, Program, Statement, random_expression, random_statement};
use random::SplitMix;

/// One to three edits.
pub fn edited(program: &Program, random: &mut SplitMix) -> Program {
    let mut new = program.clone();
    for _ in 0..1 + random.below(3) {
        if random.chance(5) {
            let global = random.below(new.globals.len());
            new.globals[global] += 1;
            continue;
        }
        let routine = random.below(new.routines.len());
        let mut body = std::mem::take(&mut new.routines[routine].body);
        let size = count(&body);
        let mut target = random.below(size.max(1)) as isize;
        edit_block(&mut body, &mut target, routine, random);
        new.routines[routine].body = body;
    }
    new
}

fn count(body: &[Statement]) -> usize {
    let inner = |statement: &Statement| match statement {
        Statement::If(_, then, otherwise) => count(then) + count(otherwise),
        Statement::While(_, body) => count(body),
        _ => 0,
    };
    body.iter().map(|statement| 1 + inner(statement)).sum()
}

/// Edits the `target`-th statement, counted depth first.
fn edit_block(
    body: &mut Vec<Statement>,
    target: &mut isize,
    callable: usize,
    random: &mut SplitMix,
) {
    for index in 0..body.len() {
        if *target == 0 {
            *target = -1;
            edit_at(body, index, callable, random);
            return;
        }
        *target -= 1;
        match &mut body[index] {
            Statement::If(_, then, otherwise) => {
                edit_block(then, target, callable, random);
                if *target >= 0 {
                    edit_block(otherwise, target, callable, random);
                }
            }
            Statement::While(_, body) => edit_block(body, target, callable, random),
            _ => {}
        }
        if *target < 0 {
            return;
        }
    }
}

fn edit_at(body: &mut Vec<Statement>, index: usize, callable: usize, random: &mut SplitMix) {
    match random.below(7) {
        0 => body.insert(index, random_statement(random, callable, 1)),
        1 if body.len() > 1 => {
            body.remove(index);
        }
        2 => {
            let inner = body[index].clone();
            let condition = random_expression(random, callable, 1);
            body[index] = Statement::If(condition, vec![inner], Vec::new());
        }
        3 => match body[index].clone() {
            Statement::If(_, then, _) | Statement::While(_, then) => {
                body.splice(index..=index, then);
            }
            _ => edit_statement(&mut body[index], callable, random),
        },
        4 if index + 1 < body.len() => body.swap(index, index + 1),
        _ => edit_statement(&mut body[index], callable, random),
    }
}

fn edit_statement(statement: &mut Statement, callable: usize, random: &mut SplitMix) {
    match statement {
        Statement::Assign(local, _) if random.chance(20) => *local = (*local + 1) % 4,
        Statement::Assign(_, expression)
        | Statement::SetGlobal(_, expression)
        | Statement::Print(expression)
        | Statement::If(expression, ..)
        | Statement::While(expression, _)
        | Statement::Return(expression) => edit_expression(expression, callable, random),
    }
}

fn edit_expression(expression: &mut Expression, callable: usize, random: &mut SplitMix) {
    match expression {
        Expression::Number(number) => *number += 1,
        Expression::Operation(operator, left, right) => match random.below(4) {
            0 => {
                *operator = match operator {
                    Operator::Add => Operator::Subtract,
                    Operator::Less => Operator::Equal,
                    _ => Operator::Add,
                }
            }
            1 => edit_expression(left, callable, random),
            2 => edit_expression(right, callable, random),
            _ => *expression = random_expression(random, callable, 1),
        },
        _ => *expression = random_expression(random, callable, 1),
    }
}
