//! Random terms together with what they must evaluate to: every term is built by the simplifying
//! constructors and, beside it, its values under a few models are computed by an independent reference.

#![allow(dead_code, unreachable_pub)]

use expr::{ExprId, Model, Op, Store, Symbol, SymbolId};
use random::SplitMix;

pub mod reference;

/// How many models each term's reference values are kept for.
pub const MODELS: usize = 6;

#[derive(Clone, Copy)]
pub struct Term {
    pub id: ExprId,
    pub width: u32,
    pub values: [u128; MODELS],
}

pub struct Generator {
    pub store: Store,
    pub rng: SplitMix,
    pub pool: Vec<Term>,
    pub models: Vec<Model>,
    pub widths: Vec<u32>,
    pub floats: bool,
}

impl Generator {
    /// A pool that starts with `symbols` input bytes.
    pub fn new(seed: u64, symbols: u32, widths: &[u32]) -> Generator {
        let mut generator = Generator {
            store: Store::new(),
            rng: SplitMix(seed),
            pool: Vec::new(),
            models: vec![Model::new(); MODELS],
            widths: widths.to_vec(),
            floats: false,
        };
        for offset in 0..symbols {
            let symbol = Symbol::Stdin { offset };
            let id = generator.store.symbol_term(&symbol);
            let mut values = [0; MODELS];
            for (model, value) in generator.models.iter_mut().zip(&mut values) {
                let byte = match generator.rng.below(4) {
                    0 => generator.rng.pick(&[0u64, 1, 0x7f, 0x80, 0xff]),
                    _ => generator.rng.draw() & 0xff,
                };
                model.set(SymbolId(offset), byte);
                *value = byte as u128;
            }
            generator.pool.push(Term {
                id,
                width: 8,
                values,
            });
        }
        generator
    }

    pub fn constant(&mut self, width: u32) -> Term {
        let mask = reference::mask(width);
        let value = match self.rng.below(8) {
            0 => 0,
            1 => 1,
            2 => mask,
            3 => mask >> 1,
            4 => (mask >> 1) + 1,
            5 => 1u128 << self.rng.below(width as usize),
            6 => self.rng.draw() as u128 & 7,
            _ => (self.rng.draw() as u128) << 64 | self.rng.draw() as u128,
        } & mask;
        Term {
            id: self.store.constant(value, width),
            width,
            values: [value; MODELS],
        }
    }

    /// A term of exactly `width` bits: from the pool, adapted, or a constant.
    pub fn operand(&mut self, width: u32) -> Term {
        if self.rng.chance(15) {
            return self.constant(width);
        }
        // Prefer recent terms, so that terms get deep.
        let recent = self.pool.len().min(12);
        let index = if self.rng.chance(60) {
            self.pool.len() - 1 - self.rng.below(recent)
        } else {
            self.rng.below(self.pool.len())
        };
        let term = self.pool[index];
        self.adapt(term, width)
    }

    pub fn adapt(&mut self, term: Term, width: u32) -> Term {
        if term.width == width {
            return term;
        }
        if term.width > width {
            let low = self.rng.below((term.width - width + 1) as usize) as u32;
            let low = if self.rng.chance(50) { 0 } else { low };
            return self.extract(term, low, width);
        }
        match self.rng.below(3) {
            0 => {
                let id = self.store.sext(term.id, width);
                self.unary_term(Op::SExt, id, width, term)
            }
            1 => {
                let id = self.store.zext(term.id, width);
                Term {
                    id,
                    width,
                    values: term.values,
                }
            }
            _ => {
                let other = self.operand(width - term.width);
                if self.rng.chance(50) {
                    self.concat(term, other)
                } else {
                    self.concat(other, term)
                }
            }
        }
    }

    pub fn extract(&mut self, term: Term, low: u32, width: u32) -> Term {
        let id = self.store.extract(term.id, low, width);
        Term {
            id,
            width,
            values: term.values.map(|v| v >> low & reference::mask(width)),
        }
    }

    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let id = self.store.concat(high.id, low.id);
        let mut values = [0; MODELS];
        for (index, value) in values.iter_mut().enumerate() {
            *value = high.values[index] << low.width | low.values[index];
        }
        Term {
            id,
            width: high.width + low.width,
            values,
        }
    }

    fn unary_term(&self, op: Op, id: ExprId, width: u32, a: Term) -> Term {
        let values = a
            .values
            .map(|value| reference::unary(op, a.width, width, value));
        Term { id, width, values }
    }

    pub fn binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        let id = self.store.binary(op, a.id, b.id);
        let mut values = [0; MODELS];
        for (index, value) in values.iter_mut().enumerate() {
            *value = reference::binary(op, a.width, a.values[index], b.values[index]);
        }
        Term {
            id,
            width: if op.is_comparison() { 1 } else { a.width },
            values,
        }
    }

    pub fn unary(&mut self, op: Op, a: Term) -> Term {
        let id = match op {
            Op::Not => self.store.not(a.id),
            Op::Neg => self.store.neg(a.id),
            Op::PopCount => self.store.popcount(a.id),
            Op::CountLeadingZeros => self.store.count_leading_zeros(a.id),
            Op::CountTrailingZeros => self.store.count_trailing_zeros(a.id),
            _ => panic!("not a unary integer operator: {op:?}"),
        };
        self.unary_term(op, id, a.width, a)
    }

    pub fn ite(&mut self, c: Term, x: Term, y: Term) -> Term {
        let id = self.store.ite(c.id, x.id, y.id);
        let mut values = [0; MODELS];
        for (index, value) in values.iter_mut().enumerate() {
            *value = if c.values[index] == 1 {
                x.values[index]
            } else {
                y.values[index]
            };
        }
        Term {
            id,
            width: x.width,
            values,
        }
    }

    fn lookup(&mut self, width: u32) -> Term {
        let size = 1 + self.rng.below(12);
        let only_constants = self.rng.chance(60);
        let elements: Vec<Term> = (0..size)
            .map(|_| {
                if only_constants {
                    self.constant(width)
                } else {
                    self.operand(width)
                }
            })
            .collect();
        let index_width = self.rng.pick(&[2, 3, 4, 8]);
        let index = self.operand(index_width);
        let ids: Vec<ExprId> = elements.iter().map(|term| term.id).collect();
        let id = self.store.lookup(&ids, index.id);
        let mut values = [0; MODELS];
        for (model, value) in values.iter_mut().enumerate() {
            *value = elements[(index.values[model] as usize).min(size - 1)].values[model];
        }
        Term { id, width, values }
    }

    /// Adds one random term to the pool and returns it.
    pub fn step(&mut self) -> Term {
        use Op::*;
        let width = {
            let widths = self.widths.clone();
            self.rng.pick(&widths)
        };
        let term = match self.rng.below(100) {
            0..=44 => {
                let op = self.rng.pick(&[
                    Add, Add, Sub, Mul, UDiv, URem, SDiv, SRem, And, And, Or, Or, Xor, Xor, Shl,
                    LShr, AShr,
                ]);
                let a = self.operand(width);
                let mut b = if self.rng.chance(25) {
                    self.constant(width)
                } else {
                    self.operand(width)
                };
                if self.rng.chance(8) {
                    b = self.related(a);
                }
                self.binary(op, a, b)
            }
            45..=54 => {
                let op = self.rng.pick(&[
                    Not,
                    Not,
                    Neg,
                    PopCount,
                    CountLeadingZeros,
                    CountTrailingZeros,
                ]);
                let a = self.operand(width);
                self.unary(op, a)
            }
            55..=74 => {
                let op = self.rng.pick(&[Eq, Eq, Ult, Ule, Slt, Sle]);
                let a = self.operand(width);
                let mut b = if self.rng.chance(40) {
                    self.constant(width)
                } else {
                    self.operand(width)
                };
                if self.rng.chance(15) {
                    b = self.related(a);
                }
                if self.rng.chance(50) {
                    self.binary(op, a, b)
                } else {
                    self.binary(op, b, a)
                }
            }
            75..=86 => {
                let c = self.operand(1);
                let x = self.operand(width);
                let y = if self.rng.chance(30) {
                    self.related(x)
                } else {
                    self.operand(width)
                };
                self.ite(c, x, y)
            }
            87..=95 => self.operand(width),
            _ => self.lookup(width),
        };
        self.pool.push(term);
        term
    }

    /// A term of the same width that shares structure with `a`.
    pub fn related(&mut self, a: Term) -> Term {
        match self.rng.below(7) {
            0 => a,
            1 => self.unary(Op::Not, a),
            2 => self.unary(Op::Neg, a),
            op => {
                let op = [Op::Add, Op::Sub, Op::And, Op::Or][op - 3];
                let b = self.operand(a.width);
                self.binary(op, a, b)
            }
        }
    }
}
