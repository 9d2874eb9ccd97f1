//! Terms into Z3: one Z3 term per node. 1-bit terms become truth values and are turned into
//! bit-vectors only where one is needed.

use expr::{ExprId, Node, Op, Rounding, canonical_nan, mask};
use rustc_hash::FxHashMap;

use super::ffi::{Ast, Context, Failed};

/// A node on its way to the thread that runs Z3, with what lives in the store besides it.
#[derive(Clone, Debug)]
pub(super) struct Shipped {
    pub(super) id: ExprId,
    pub(super) node: Node,
    pub(super) content: Content,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    Constant(u128),
    Symbol(u32),
    Table(Box<[ExprId]>),
    Operator,
}

#[derive(Clone, Copy)]
struct Translated {
    /// A truth value if `width` is 1, else a bit-vector.
    ast: Ast,
    width: u32,
}

#[derive(Default)]
pub(super) struct Terms {
    known: FxHashMap<ExprId, Translated>,
    bits: FxHashMap<ExprId, Ast>,
}

impl Terms {
    pub(super) fn add(&mut self, context: &Context, shipped: &Shipped) -> Result<(), Failed> {
        let width = shipped.node.width();
        let ast = self.translate(context, shipped)?;
        self.known.insert(shipped.id, Translated { ast, width });
        Ok(())
    }

    /// The truth value of a 1-bit term.
    pub(super) fn truth(&self, id: ExprId) -> Ast {
        debug_assert_eq!(self.known[&id].width, 1);
        self.known[&id].ast
    }

    /// The unknown of a symbol's term.
    pub(super) fn vector(&mut self, context: &Context, id: ExprId) -> Result<Ast, Failed> {
        let Translated { ast, width } = self.known[&id];
        if width > 1 {
            return Ok(ast);
        }
        if let Some(&bits) = self.bits.get(&id) {
            return Ok(bits);
        }
        let (one, zero) = (context.constant(1, 1)?, context.constant(0, 1)?);
        let bits = context.ite(ast, one, zero)?;
        self.bits.insert(id, bits);
        Ok(bits)
    }

    /// The result as it is kept: 1-bit vectors become truth values.
    fn translate(&mut self, context: &Context, shipped: &Shipped) -> Result<Ast, Failed> {
        let node = &shipped.node;
        let width = node.width();
        let arity = node.op().arity();
        if width == 1 {
            let truth = |index: usize| self.known[&node.arg(index)].ast;
            match node.op() {
                Op::Const => {
                    let one = context.constant(1, 1)?;
                    let value = matches!(shipped.content, Content::Constant(1)) as u128;
                    let value = context.constant(value, 1)?;
                    return context.eq(value, one);
                }
                Op::And => return context.connect(true, truth(0), truth(1)),
                Op::Or => return context.connect(false, truth(0), truth(1)),
                Op::Xor => return context.xor(truth(0), truth(1)),
                Op::Not => return context.not(truth(0)),
                Op::Ite => return context.ite(truth(0), truth(1), truth(2)),
                _ => {}
            }
        }
        let mut operands = Vec::with_capacity(arity);
        for (index, operand) in node.operands().enumerate() {
            let condition = node.op() == Op::Ite && index == 0;
            operands.push(match condition {
                true => self.truth(operand),
                false => self.vector(context, operand)?,
            });
        }
        if node.op().is_comparison() {
            let from = self.known[&node.arg(0)].width;
            return compare(context, node.op(), from, operands[0], operands[1]);
        }
        let vector = match &shipped.content {
            Content::Constant(value) => context.constant(*value, width)?,
            Content::Symbol(name) => context.unknown(*name, width)?,
            Content::Table(elements) => {
                let mut values = Vec::with_capacity(elements.len());
                for &element in elements.iter() {
                    values.push(self.vector(context, element)?);
                }
                let index_width = self.known[&node.arg(0)].width;
                table(context, &values, 0, operands[0], index_width)?
            }
            Content::Operator => {
                let from = self.known[&node.arg(0)].width;
                operator(context, node, from, &operands)?
            }
        };
        if width > 1 {
            return Ok(vector);
        }
        let one = context.constant(1, 1)?;
        context.eq(vector, one)
    }
}

fn compare(context: &Context, op: Op, width: u32, a: Ast, b: Ast) -> Result<Ast, Failed> {
    match op {
        Op::Eq => context.eq(a, b),
        Op::Ult => context.bvult(a, b),
        Op::Ule => context.bvule(a, b),
        Op::Slt => context.bvslt(a, b),
        Op::Sle => context.bvsle(a, b),
        _ => {
            let sort = context.float_sort(width)?;
            let (a, b) = (
                context.float_of_bits(a, sort)?,
                context.float_of_bits(b, sort)?,
            );
            match op {
                Op::FEq => context.feq(a, b),
                Op::FLt => context.flt(a, b),
                _ => context.fle(a, b),
            }
        }
    }
}

/// A balanced tree of comparisons over the index.
fn table(
    context: &Context,
    elements: &[Ast],
    first: usize,
    index: Ast,
    index_width: u32,
) -> Result<Ast, Failed> {
    if let [element] = elements {
        return Ok(*element);
    }
    let half = elements.len() / 2;
    let cut = (first + half) as u128;
    let low = table(context, &elements[..half], first, index, index_width)?;
    if cut > mask(index_width) {
        return Ok(low);
    }
    let high = table(context, &elements[half..], first + half, index, index_width)?;
    let cut = context.constant(cut, index_width)?;
    let below = context.bvult(index, cut)?;
    context.ite(below, low, high)
}

fn operator(context: &Context, node: &Node, from: u32, x: &[Ast]) -> Result<Ast, Failed> {
    let width = node.width();
    match node.op() {
        Op::Add => context.bvadd(x[0], x[1]),
        Op::Sub => context.bvsub(x[0], x[1]),
        Op::Mul => context.bvmul(x[0], x[1]),
        Op::UDiv => context.bvudiv(x[0], x[1]),
        Op::SDiv => context.bvsdiv(x[0], x[1]),
        Op::URem => context.bvurem(x[0], x[1]),
        Op::SRem => context.bvsrem(x[0], x[1]),
        Op::And => context.bvand(x[0], x[1]),
        Op::Or => context.bvor(x[0], x[1]),
        Op::Xor => context.bvxor(x[0], x[1]),
        Op::Not => context.bvnot(x[0]),
        Op::Neg => context.bvneg(x[0]),
        Op::Shl => context.bvshl(x[0], x[1]),
        Op::LShr => context.bvlshr(x[0], x[1]),
        Op::AShr => context.bvashr(x[0], x[1]),
        Op::Ite => context.ite(x[0], x[1], x[2]),
        Op::Concat => context.concat(x[0], x[1]),
        Op::Extract => context.extract(node.immediate() + width - 1, node.immediate(), x[0]),
        Op::SExt => context.sign_ext(width - from, x[0]),
        Op::PopCount => {
            let mut sum = context.constant(0, width)?;
            for bit in 0..width {
                let bit = context.extract(bit, bit, x[0])?;
                let bit = context.zero_ext(width - 1, bit)?;
                sum = context.bvadd(sum, bit)?;
            }
            Ok(sum)
        }
        Op::CountLeadingZeros => {
            first_set_bit(context, 0..width, width, x[0], |bit| width - 1 - bit)
        }
        Op::CountTrailingZeros => first_set_bit(context, (0..width).rev(), width, x[0], |bit| bit),
        _ => float_operator(context, node, from, x),
    }
}

/// Tests the bits so that the last of `order` decides first; `count` is the answer for a bit.
fn first_set_bit(
    context: &Context,
    order: impl Iterator<Item = u32>,
    width: u32,
    value: Ast,
    count: impl Fn(u32) -> u32,
) -> Result<Ast, Failed> {
    let one = context.constant(1, 1)?;
    let mut result = context.constant(width as u128, width)?;
    for bit in order {
        let answer = context.constant(count(bit) as u128, width)?;
        let extracted = context.extract(bit, bit, value)?;
        let set = context.eq(extracted, one)?;
        result = context.ite(set, answer, result)?;
    }
    Ok(result)
}

fn float_operator(context: &Context, node: &Node, from: u32, x: &[Ast]) -> Result<Ast, Failed> {
    let width = node.width();
    let nearest = context.nearest_even()?;
    let result = match node.op() {
        Op::SignedToFloat => context.float_of_signed(nearest, x[0], context.float_sort(width)?)?,
        Op::UnsignedToFloat => {
            context.float_of_unsigned(nearest, x[0], context.float_sort(width)?)?
        }
        op => {
            let sort = context.float_sort(from)?;
            let mut floats = Vec::with_capacity(x.len());
            for &bits in x {
                floats.push(context.float_of_bits(bits, sort)?);
            }
            let f = &floats;
            match op {
                Op::FAdd => context.fadd(nearest, f[0], f[1])?,
                Op::FSub => context.fsub(nearest, f[0], f[1])?,
                Op::FMul => context.fmul(nearest, f[0], f[1])?,
                Op::FDiv => context.fdiv(nearest, f[0], f[1])?,
                Op::FSqrt => context.fsqrt(nearest, f[0])?,
                Op::FFma => context.ffma(nearest, f[0], f[1], f[2])?,
                Op::FConvert => {
                    context.float_of_float(nearest, f[0], context.float_sort(width)?)?
                }
                Op::FRound => {
                    let rounding = match Rounding::ALL[node.immediate() as usize] {
                        Rounding::NearestEven => nearest,
                        Rounding::NearestAway => context.nearest_away()?,
                        Rounding::Up => context.upward()?,
                        Rounding::Down => context.downward()?,
                        Rounding::TowardsZero => context.towards_zero()?,
                    };
                    context.fround(rounding, f[0])?
                }
                Op::FloatToSigned | Op::FloatToUnsigned => {
                    return saturating(context, op == Op::FloatToSigned, from, width, f[0]);
                }
                _ => return Err(Failed(format!("{op:?} is not translated"))),
            }
        }
    };
    let nan = context.constant(canonical_nan(width), width)?;
    let (is_nan, bits) = (context.is_nan(result)?, context.bits_of_float(result)?);
    context.ite(is_nan, nan, bits)
}

/// Towards zero, saturating, NaN to 0.
fn saturating(
    context: &Context,
    signed: bool,
    from: u32,
    width: u32,
    float: Ast,
) -> Result<Ast, Failed> {
    let sort = context.float_sort(from)?;
    let rounding = context.towards_zero()?;
    let magnitude = 2f64.powi(if signed {
        width as i32 - 1
    } else {
        width as i32
    });
    let limit = context.float_of_f64(magnitude, sort)?;
    let too_large = context.fge(float, limit)?;
    let zero = context.constant(0, width)?;
    let (too_small, least, most, inside) = if signed {
        let negative = context.fneg(limit)?;
        (
            context.flt(float, negative)?,
            context.constant(1 << (width - 1), width)?,
            context.constant(mask(width - 1), width)?,
            context.signed_of_float(rounding, float, width)?,
        )
    } else {
        let nothing = context.float_of_f64(0.0, sort)?;
        (
            context.fle(float, nothing)?,
            zero,
            context.constant(mask(width), width)?,
            context.unsigned_of_float(rounding, float, width)?,
        )
    };
    let upper = context.ite(too_large, most, inside)?;
    let bounded = context.ite(too_small, least, upper)?;
    let is_nan = context.is_nan(float)?;
    context.ite(is_nan, zero, bounded)
}
