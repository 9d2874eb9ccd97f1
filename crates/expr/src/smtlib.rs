//! SMT-LIB 2 text of a conjunction of 1-bit terms.
//!
//! Every term is one flat `define-fun` named after its id, so text and parser stay simple for terms of
//! any depth. Booleans are 1-bit vectors here too. What SMT-LIB has no operator for (bit counts,
//! tables, floats as bits) is defined in the text under a `parallax.` name. Floats use the FP theory
//! and Z3's `fp.to_ieee_bv`; a script with `fmod` has no such definition and can only be read back
//! by [`crate::parse_smtlib`].

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::op::{ExprId, Node, Op, Rounding};
use crate::semantics::canonical_nan;
use crate::store::Store;

/// The script that asserts all of `constraints` and asks for satisfiability.
pub fn print_smtlib(store: &Store, constraints: &[ExprId]) -> String {
    let cone = cone(store, constraints);
    let mut out = String::from("(set-logic ALL)\n");
    let mut helpers = BTreeSet::new();
    for &id in &cone {
        helper_of(store, id, &mut helpers);
    }
    for helper in &helpers {
        out.push_str(helper);
        out.push('\n');
    }
    for &id in &cone {
        define(store, id, &mut out);
    }
    for &constraint in constraints {
        let _ = writeln!(out, "(assert (= {} #b1))", Operand(store, constraint));
    }
    out.push_str("(check-sat)\n");
    out
}

/// The terms below `roots`, operands first.
fn cone(store: &Store, roots: &[ExprId]) -> Vec<ExprId> {
    let mut seen = BTreeSet::new();
    let mut pending = roots.to_vec();
    while let Some(id) = pending.pop() {
        if seen.insert(id) {
            store.for_each_child(id, |child| pending.push(child));
        }
    }
    seen.into_iter().collect()
}

/// How a term is spelled where it is used: constants and symbols in place, others by name.
struct Operand<'a>(&'a Store, ExprId);

impl std::fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Operand(store, id) = *self;
        if let Some(value) = store.constant_value(id) {
            return f.write_str(&literal(value, store.width(id)));
        }
        match store.as_symbol(id) {
            Some(symbol) => write!(f, "|{}|", store.symbol(symbol)),
            None => write!(f, "{id}"),
        }
    }
}

fn literal(value: u128, width: u32) -> String {
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = width as usize / 4)
    } else {
        format!("#b{value:0digits$b}", digits = width as usize)
    }
}

fn define(store: &Store, id: ExprId, out: &mut String) {
    let node = store.node(id);
    let width = node.width();
    let result: std::fmt::Result = match node.op() {
        Op::Const => Ok(()),
        Op::Symbol => writeln!(
            out,
            "(declare-const {} (_ BitVec {width}))",
            Operand(store, id)
        ),
        _ => {
            if node.op() == Op::Lookup {
                define_table(store, id, node, out);
            }
            let body = body(store, id, node);
            writeln!(out, "(define-fun {id} () (_ BitVec {width}) {body})")
        }
    };
    result.expect("writing to a string");
}

fn body(store: &Store, id: ExprId, node: &Node) -> String {
    let operand = |index: usize| Operand(store, node.arg(index));
    let from = |index: usize| store.width(node.arg(index));
    let (op, width) = (node.op(), node.width());
    match op {
        Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => {
            format!(
                "(ite ({} {} {}) #b1 #b0)",
                op.text(),
                operand(0),
                operand(1)
            )
        }
        Op::Ite => format!("(ite (= {} #b1) {} {})", operand(0), operand(1), operand(2)),
        Op::Extract => {
            let low = node.immediate();
            format!("((_ extract {} {low}) {})", low + width - 1, operand(0))
        }
        Op::SExt => format!("((_ sign_extend {}) {})", width - from(0), operand(0)),
        Op::Lookup => format!("(parallax.table.{id} {})", operand(0)),
        _ => {
            let name = match op.text().starts_with("parallax.") {
                true => helper_name(store, node),
                false => op.text().to_string(),
            };
            let operands: Vec<String> = (0..op.arity())
                .map(|index| operand(index).to_string())
                .collect();
            format!("({name} {})", operands.join(" "))
        }
    }
}

/// `parallax.fadd.64`, `parallax.f2s.64.32` (from, to), `parallax.fround.64.3` (rounding last).
fn helper_name(store: &Store, node: &Node) -> String {
    let from = store.width(node.arg(0));
    let mut name = format!("{}.{from}", node.op().text());
    if node.op() >= Op::FConvert {
        let _ = write!(name, ".{}", node.width());
    }
    if node.op() == Op::FRound {
        let _ = write!(name, ".{}", node.immediate());
    }
    name
}

/// A table as a balanced tree of comparisons over its index, elements in order.
fn define_table(store: &Store, id: ExprId, node: &Node, out: &mut String) {
    let elements = store.table_elements(node);
    let index_width = store.width(node.arg(0));
    let _ = write!(
        out,
        "(define-fun parallax.table.{id} ((i (_ BitVec {index_width}))) (_ BitVec {}) ",
        node.width()
    );
    tree(store, elements, 0, index_width, out);
    out.push_str(")\n");
}

fn tree(store: &Store, elements: &[ExprId], first: usize, index_width: u32, out: &mut String) {
    if let [element] = elements {
        let _ = write!(out, "{}", Operand(store, *element));
        return;
    }
    let half = elements.len() / 2;
    let cut = literal((first + half) as u128, index_width);
    let _ = write!(out, "(ite (bvult i {cut}) ");
    tree(store, &elements[..half], first, index_width, out);
    out.push(' ');
    tree(store, &elements[half..], first + half, index_width, out);
    out.push(')');
}

/// The definition of the helper a term needs.
fn helper_of(store: &Store, id: ExprId, helpers: &mut BTreeSet<String>) {
    let node = store.node(id);
    let op = node.op();
    if !op.text().starts_with("parallax.") || op == Op::Lookup || op == Op::FRem {
        return;
    }
    let (name, width) = (helper_name(store, node), node.width());
    let from = store.width(node.arg(0));
    let format = |width: u32| if width == 32 { "8 24" } else { "11 53" };
    let float = |name: &str| format!("((_ to_fp {}) {name})", format(from));
    let bits = |float: String| {
        let nan = literal(canonical_nan(width), width);
        format!("(let ((r {float})) (ite (fp.isNaN r) {nan} (fp.to_ieee_bv r)))")
    };
    let truth = |condition: String| format!("(ite {condition} #b1 #b0)");
    let body = match op {
        Op::PopCount => sum_of_bits(width),
        Op::CountLeadingZeros => first_set_bit((0..width).collect(), width, |bit| width - 1 - bit),
        Op::CountTrailingZeros => first_set_bit((0..width).rev().collect(), width, |bit| bit),
        Op::FAdd => bits(format!("(fp.add RNE {} {})", float("a"), float("b"))),
        Op::FSub => bits(format!("(fp.sub RNE {} {})", float("a"), float("b"))),
        Op::FMul => bits(format!("(fp.mul RNE {} {})", float("a"), float("b"))),
        Op::FDiv => bits(format!("(fp.div RNE {} {})", float("a"), float("b"))),
        Op::FSqrt => bits(format!("(fp.sqrt RNE {})", float("a"))),
        Op::FFma => bits(format!(
            "(fp.fma RNE {} {} {})",
            float("a"),
            float("b"),
            float("c")
        )),
        Op::FRound => {
            let rounding = match Rounding::from_immediate(node.immediate()) {
                Rounding::NearestEven => "RNE",
                Rounding::NearestAway => "RNA",
                Rounding::Up => "RTP",
                Rounding::Down => "RTN",
                Rounding::TowardsZero => "RTZ",
            };
            bits(format!("(fp.roundToIntegral {rounding} {})", float("a")))
        }
        Op::FEq => truth(format!("(fp.eq {} {})", float("a"), float("b"))),
        Op::FLt => truth(format!("(fp.lt {} {})", float("a"), float("b"))),
        Op::FLe => truth(format!("(fp.leq {} {})", float("a"), float("b"))),
        Op::FConvert => bits(format!("((_ to_fp {}) RNE {})", format(width), float("a"))),
        Op::SignedToFloat => bits(format!("((_ to_fp {}) RNE a)", format(width))),
        Op::UnsignedToFloat => bits(format!("((_ to_fp_unsigned {}) RNE a)", format(width))),
        _ => saturating_conversion(op == Op::FloatToSigned, &float("a"), format(from), width),
    };
    let parameters: Vec<String> = ["a", "b", "c"][..op.arity()]
        .iter()
        .map(|name| format!("({name} (_ BitVec {from}))"))
        .collect();
    helpers.insert(format!(
        "(define-fun {name} ({}) (_ BitVec {width}) {body})",
        parameters.join(" ")
    ));
}

/// Towards zero, saturating, NaN to 0: compares with the powers of two at the ends of the range.
fn saturating_conversion(signed: bool, float: &str, format: &str, width: u32) -> String {
    let power = |exponent: u32| {
        let one = format!("(concat #b01 (_ bv0 {exponent}))");
        format!("((_ to_fp {format}) RTZ {one})")
    };
    let (least, most, low, high, convert) = if signed {
        let limit = power(width - 1);
        (
            format!("(fp.lt x (fp.neg {limit}))"),
            format!("(fp.geq x {limit})"),
            literal(1 << (width - 1), width),
            literal(crate::semantics::mask(width - 1), width),
            "fp.to_sbv",
        )
    } else {
        (
            format!("(fp.leq x ((_ to_fp {format}) RTZ (_ bv0 2)))"),
            format!("(fp.geq x {})", power(width)),
            literal(0, width),
            literal(crate::semantics::mask(width), width),
            "fp.to_ubv",
        )
    };
    let zero = literal(0, width);
    format!(
        "(let ((x {float})) (ite (fp.isNaN x) {zero} (ite {least} {low} (ite {most} {high} ((_ {convert} {width}) RTZ x)))))"
    )
}

fn sum_of_bits(width: u32) -> String {
    let bits: Vec<String> = (0..width)
        .map(|bit| match width {
            1 => "a".to_string(),
            _ => format!(
                "((_ zero_extend {}) ((_ extract {bit} {bit}) a))",
                width - 1
            ),
        })
        .collect();
    match bits.len() {
        1 => bits[0].clone(),
        _ => format!("(bvadd {})", bits.join(" ")),
    }
}

/// Tests the bits so that the last of `order` decides first; `count` is the answer for a bit.
fn first_set_bit(order: Vec<u32>, width: u32, count: impl Fn(u32) -> u32) -> String {
    let none = literal(width as u128, width);
    order.into_iter().fold(none, |rest, bit| {
        let answer = literal(count(bit) as u128, width);
        format!("(ite (= ((_ extract {bit} {bit}) a) #b1) {answer} {rest})")
    })
}
