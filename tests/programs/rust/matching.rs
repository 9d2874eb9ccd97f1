// Enums and pattern matching: guards, bindings, nested patterns, ranges, let-else, a small interpreter.
#[derive(Debug, Clone, PartialEq)]
enum Expr { Num(f64), Var(char), Neg(Box<Expr>), Bin(Box<Expr>, char, Box<Expr>), Let(char, Box<Expr>, Box<Expr>) }
use Expr::*;

fn parse(input: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<Expr> {
    match input.next()? {
        ' ' => parse(input),
        '~' => Some(Neg(parse(input)?.into())),
        '=' => { let name = input.next()?; Some(Let(name, parse(input)?.into(), parse(input)?.into())) }
        op @ ('+' | '-' | '*' | '/') => { let left = parse(input)?; Some(Bin(left.into(), op, parse(input)?.into())) }
        c @ '0'..='9' => {
            let mut value = f64::from(c.to_digit(10)?);
            while let Some(d) = input.peek().and_then(|c| c.to_digit(10)) { value = value * 10.0 + f64::from(d); input.next(); }
            Some(Num(value))
        }
        c if c.is_ascii_lowercase() => Some(Var(c)),
        _ => None,
    }
}
fn simplify(e: Expr) -> Expr {
    match e {
        Neg(inner) => match simplify(*inner) { Neg(x) => *x, Num(n) => Num(-n), other => Neg(other.into()) },
        Bin(l, op, r) => match (simplify(*l), op, simplify(*r)) {
            (Num(z), '+', x) | (x, '+' | '-', Num(z)) if z == 0.0 => x,
            (Num(z), '*', _) | (_, '*', Num(z)) if z == 0.0 => Num(0.0),
            (Num(one), '*', x) | (x, '*' | '/', Num(one)) if one == 1.0 => x,
            (l, '-', r) if l == r => Num(0.0),
            (l, op, r) => Bin(l.into(), op, r.into()),
        },
        Let(name, value, body) => Let(name, simplify(*value).into(), simplify(*body).into()),
        other => other,
    }
}
fn eval(e: &Expr, env: &mut Vec<(char, f64)>) -> Result<f64, String> {
    Ok(match e {
        Num(n) => *n,
        Var(v) => { let Some((_, value)) = env.iter().rev().find(|(name, _)| name == v) else { return Err(format!("unbound {v}")) }; *value }
        Neg(inner) => -eval(inner, env)?,
        Bin(l, op, r) => match (eval(l, env)?, op, eval(r, env)?) { (a, '+', b) => a + b, (a, '-', b) => a - b, (a, '*', b) => a * b, (_, '/', 0.0) => return Err("zero".into()), (a, _, b) => a / b },
        Let(name, value, body) => { let v = eval(value, env)?; env.push((*name, v)); let r = eval(body, env); env.pop(); r? }
    })
}
fn classify(n: i64) -> &'static str {
    match n { i64::MIN..=-1 => "negative", 0 => "zero", 1 | 2 | 3 | 5 | 7 => "small prime", x if x % 2 == 0 => "even", 9..=99 => "two digits", _ => "other" }
}

fn main() {
    for text in ["+ 1 2", "* + 1 2 ~ 3", "= x 5 * x x", "+ 0 * 1 y", "/ 1 0", "~ ~ z", "- a a", "= a 2 = b + a a * b a", "+ 1", "? "] {
        match parse(&mut text.chars().peekable()) {
            None => println!("{text}: syntax"),
            Some(e) => { let s = simplify(e.clone()); println!("{text}: {:?} {:?} {}", s, eval(&e, &mut vec![]), eval(&s, &mut vec![]) == eval(&e, &mut vec![])) }
        }
    }
    println!("{:?}", [-5, 0, 7, 8, 15, 101].map(classify));
    let reference = &Some((1, "x"));
    if let Some((n @ 1..=9, text)) = reference { println!("{n} {text}") }
}
