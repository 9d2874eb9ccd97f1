//! Random pairs of functions without loops. They read and write globals of several widths and an array, and call one another. Half of the
//! edits keep their meaning.

use std::fmt::Write;

use crate::chance::Chance;

/// What the functions of both versions use.
pub const COMMON: &str = "int g0; short g1; unsigned char g2; int table[4];\n\
     static int helper(int a, short b) { return a > b ? a - b : a ^ 5; }\n";

/// A function of both versions, as text behind its name.
pub struct FunctionPair {
    pub old: String,
    pub new: String,
    /// Whether only edits were made that keep its meaning.
    pub keeps: bool,
}

pub fn function_pair(chance: &mut Chance) -> FunctionPair {
    let steps = steps(chance, 2);
    let mut edited = steps.clone();
    let keeps = chance.one_in(2);
    for _ in 0..chance.between(1, 2) {
        edit(chance, &mut edited, keeps);
    }
    let text = |steps: &[Statement]| {
        let mut text = String::from("(int a, short b) {\n    int local = a & b;\n");
        print(steps, &mut text);
        text.push_str("    return local;\n}\n");
        text
    };
    FunctionPair {
        old: text(&steps),
        new: text(&edited),
        keeps,
    }
}

#[derive(Clone)]
enum Term {
    Leaf(String),
    Binary(&'static str, Box<Term>, Box<Term>),
    /// `table[x & 3]`, or a division that cannot fail, or a call of the function before.
    Wrapped(&'static str, Box<Term>, &'static str),
    Choice(Box<Term>, Box<Term>, Box<Term>),
}
use Term::{Binary, Choice, Leaf, Wrapped};

#[derive(Clone)]
enum Statement {
    Set(String, Term),
    If(Term, Vec<Statement>, Vec<Statement>),
    Return(Term),
}

const PLACES: [&str; 6] = ["a", "b", "local", "g0", "g1", "g2"];
const OPERATORS: [&str; 12] = [
    "+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=",
];

fn leaf(chance: &mut Chance) -> Term {
    let constants = ["0", "1", "2", "3", "7", "100", "-1", "-128", "2147483647"];
    Leaf(match chance.one_in(3) {
        true => chance.pick(&constants).to_owned(),
        false => chance.pick(&PLACES).to_owned(),
    })
}

fn term(chance: &mut Chance, depth: u64) -> Term {
    if depth == 0 {
        return leaf(chance);
    }
    let mut below = || Box::new(term(chance, depth - 1));
    let (x, y, z) = (below(), below(), below());
    match chance.below(10) {
        0 => Wrapped("table[(", x, ") & 3]"),
        1 => Wrapped("((", x, ") / 3)"),
        2 => Wrapped("(100 % (((", x, ") & 7) + 1))"),
        3 => Wrapped("helper(", x, ", b)"),
        4 => Wrapped("((signed char)(", x, "))"),
        5 => Choice(x, y, z),
        _ => Binary(chance.pick(&OPERATORS), x, y),
    }
}

fn steps(chance: &mut Chance, depth: u64) -> Vec<Statement> {
    let step = |chance: &mut Chance| match chance.below(6) {
        0 if depth > 0 => Statement::If(
            term(chance, 1),
            steps(chance, depth - 1),
            steps(chance, depth - 1),
        ),
        1 if depth < 2 => Statement::Return(term(chance, 2)),
        _ => Statement::Set(chance.pick(&PLACES).to_owned(), term(chance, 2)),
    };
    (0..chance.between(1, 3)).map(|_| step(chance)).collect()
}

fn text_of(term: &Term) -> String {
    match term {
        Leaf(text) => text.clone(),
        // Products and sums wrap, as the VM has it.
        Binary(sign, x, y) => format!("({} {sign} {})", text_of(x), text_of(y)),
        Wrapped(before, x, after) => format!("{before}{}{after}", text_of(x)),
        Choice(x, y, z) => format!("({} ? {} : {})", text_of(x), text_of(y), text_of(z)),
    }
}

fn print(steps: &[Statement], out: &mut String) {
    for step in steps {
        match step {
            Statement::Set(place, term) => {
                writeln!(out, "    {place} = {};", text_of(term)).unwrap()
            }
            Statement::Return(term) => writeln!(out, "    return {};", text_of(term)).unwrap(),
            Statement::If(condition, then, otherwise) => {
                writeln!(out, "    if ({}) {{", text_of(condition)).unwrap();
                print(then, out);
                out.push_str("    } else {\n");
                print(otherwise, out);
                out.push_str("    }\n");
            }
        }
    }
}

/// Writes a term in another way, or with another meaning.
fn edit_term(chance: &mut Chance, term: &mut Term, keeps: bool) {
    let old = term.clone();
    *term = match old {
        Binary(sign, x, y) if keeps => match sign {
            "+" | "*" | "&" | "|" | "^" | "==" | "!=" => Binary(sign, y, x),
            "<" => Binary(">", y, x),
            ">" => Binary("<", y, x),
            "<=" => Binary(">=", y, x),
            ">=" => Binary("<=", y, x),
            _ => Wrapped("(0 + ", Box::new(Binary(sign, x, y)), ")"),
        },
        Binary(_, x, y) => Binary(chance.pick(&OPERATORS), x, y),
        Choice(x, y, z) if keeps => Choice(Box::new(Wrapped("!(", x, ")")), z, y),
        Choice(x, y, z) => Choice(x, z, y),
        other if keeps => Wrapped("(0 ^ ", Box::new(other), ")"),
        _ => leaf(chance),
    };
}

fn edit(chance: &mut Chance, steps: &mut [Statement], keeps: bool) {
    let number = chance.below(steps.len() as u64) as usize;
    match &mut steps[number] {
        Statement::If(_, then, _) if chance.one_in(2) => edit(chance, then, keeps),
        Statement::If(condition, then, otherwise) if keeps => {
            let turned = Wrapped("!(", Box::new(condition.clone()), ")");
            *condition = turned;
            std::mem::swap(then, otherwise);
        }
        Statement::If(condition, ..) => edit_term(chance, condition, false),
        Statement::Set(_, term) | Statement::Return(term) => edit_term(chance, term, keeps),
    }
}
