//! Boolean gates as clauses: each gate is one variable, simplified and shared where possible.

use rustc_hash::FxHashMap;

/// A literal: a variable's number, negative for its negation.
pub(super) type Bit = i32;

/// The literal that is always true.
pub(super) const TRUE: Bit = 1;
pub(super) const FALSE: Bit = -TRUE;

/// Builds gates and collects the clauses that define them.
pub(super) struct Gates {
    variables: i32,
    /// Clauses not yet given to the SAT solver, each ended by 0.
    pub(super) clauses: Vec<Bit>,
    ands: FxHashMap<(Bit, Bit), Bit>,
    xors: FxHashMap<(Bit, Bit), Bit>,
    muxes: FxHashMap<(Bit, Bit, Bit), Bit>,
}

pub(super) fn constant(value: bool) -> Bit {
    if value { TRUE } else { FALSE }
}

impl Gates {
    pub(super) fn new() -> Gates {
        Gates {
            variables: TRUE,
            clauses: vec![TRUE, 0],
            ands: FxHashMap::default(),
            xors: FxHashMap::default(),
            muxes: FxHashMap::default(),
        }
    }

    pub(super) fn variables(&self) -> usize {
        self.variables as usize
    }

    pub(super) fn fresh(&mut self) -> Bit {
        self.variables += 1;
        self.variables
    }

    fn clause(&mut self, literals: &[Bit]) {
        self.clauses.extend_from_slice(literals);
        self.clauses.push(0);
    }

    pub(super) fn and(&mut self, a: Bit, b: Bit) -> Bit {
        if a == FALSE || b == FALSE || a == -b {
            return FALSE;
        }
        if a == TRUE || a == b {
            return b;
        }
        if b == TRUE {
            return a;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&gate) = self.ands.get(&key) {
            return gate;
        }
        let gate = self.fresh();
        self.clause(&[-gate, a]);
        self.clause(&[-gate, b]);
        self.clause(&[gate, -a, -b]);
        self.ands.insert(key, gate);
        gate
    }

    pub(super) fn or(&mut self, a: Bit, b: Bit) -> Bit {
        -self.and(-a, -b)
    }

    pub(super) fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        if a.abs() == TRUE {
            return if a == TRUE { -b } else { b };
        }
        if b.abs() == TRUE {
            return if b == TRUE { -a } else { a };
        }
        if a.abs() == b.abs() {
            return constant(a != b);
        }
        // The gate is kept for the positive operands; signs move to the outside.
        let sign = if (a < 0) != (b < 0) { -1 } else { 1 };
        let (a, b) = (a.abs(), b.abs());
        let key = (a.min(b), a.max(b));
        if let Some(&gate) = self.xors.get(&key) {
            return sign * gate;
        }
        let gate = self.fresh();
        self.clause(&[-gate, a, b]);
        self.clause(&[-gate, -a, -b]);
        self.clause(&[gate, -a, b]);
        self.clause(&[gate, a, -b]);
        self.xors.insert(key, gate);
        sign * gate
    }

    pub(super) fn mux(&mut self, condition: Bit, then: Bit, otherwise: Bit) -> Bit {
        if condition == TRUE || then == otherwise {
            return then;
        }
        if condition == FALSE {
            return otherwise;
        }
        if then == -otherwise {
            return self.xor(condition, otherwise);
        }
        if then.abs() == TRUE || then.abs() == condition.abs() {
            let then_true = then == TRUE || then == condition;
            return match then_true {
                true => self.or(condition, otherwise),
                false => self.and(-condition, otherwise),
            };
        }
        if otherwise.abs() == TRUE || otherwise.abs() == condition.abs() {
            let otherwise_true = otherwise == TRUE || otherwise == -condition;
            return match otherwise_true {
                true => self.or(-condition, then),
                false => self.and(condition, then),
            };
        }
        if condition < 0 {
            return self.mux(-condition, otherwise, then);
        }
        let key = (condition, then, otherwise);
        if let Some(&gate) = self.muxes.get(&key) {
            return gate;
        }
        let gate = self.fresh();
        self.clause(&[-condition, -then, gate]);
        self.clause(&[-condition, then, -gate]);
        self.clause(&[condition, -otherwise, gate]);
        self.clause(&[condition, otherwise, -gate]);
        // Implied, and it helps propagation.
        self.clause(&[-then, -otherwise, gate]);
        self.clause(&[then, otherwise, -gate]);
        self.muxes.insert(key, gate);
        gate
    }

    /// Sum and carry of three bits.
    pub(super) fn full_adder(&mut self, a: Bit, b: Bit, carry: Bit) -> (Bit, Bit) {
        let half = self.xor(a, b);
        let sum = self.xor(half, carry);
        let carry = self.mux(half, carry, a);
        (sum, carry)
    }
}
