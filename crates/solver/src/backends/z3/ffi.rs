//! The only module that talks to Z3's C interface. [`Context`] owns a Z3 context without reference
//! counting: every term it makes lives as long as the context, so an [`Ast`] is a plain copyable handle.

#![allow(unsafe_code)]

use std::ffi::CStr;

use z3_sys::*;

/// Z3 refused to build a term or broke down while solving.
#[derive(Clone, Debug)]
pub(super) struct Failed(pub(super) String);

#[derive(Clone, Copy)]
pub(super) struct Ast(Z3_ast);

#[derive(Clone, Copy)]
pub(super) struct Sort(Z3_sort);

/// What an argument looks like on the C side.
trait Raw {
    type Raw;
    fn raw(self) -> Self::Raw;
}

impl Raw for Ast {
    type Raw = Z3_ast;
    fn raw(self) -> Z3_ast {
        self.0
    }
}

impl Raw for Sort {
    type Raw = Z3_sort;
    fn raw(self) -> Z3_sort {
        self.0
    }
}

impl Raw for u32 {
    type Raw = u32;
    fn raw(self) -> u32 {
        self
    }
}

impl Raw for f64 {
    type Raw = f64;
    fn raw(self) -> f64 {
        self
    }
}

pub(super) enum Check {
    Sat,
    Unsat,
    Unknown(String),
}

/// Stops a running check from another thread.
pub(super) struct Interrupter(Z3_context);

// SAFETY: Z3 documents Z3_interrupt as callable from any thread, and it is all an Interrupter does.
unsafe impl Send for Interrupter {}

impl Interrupter {
    /// The context must still exist; see the life cycle in the parent module.
    pub(super) fn interrupt(&self) {
        // SAFETY: the parent module deletes a context only after its last interrupter is gone.
        unsafe { Z3_interrupt(self.0) }
    }
}

pub(super) struct Context {
    raw: Z3_context,
    /// Assumption-based, for bit-vectors.
    incremental: Z3_solver,
}

macro_rules! constructors {
    ($($name:ident($($argument:ident: $type:ty),*) $function:ident;)*) => {
        impl Context {
            $(pub(super) fn $name(&self, $($argument: $type),*) -> Result<Ast, Failed> {
                // SAFETY: the context is alive, and its terms live as long as it does.
                let result = unsafe { $function(self.raw, $($argument.raw()),*) };
                result.map(Ast).ok_or_else(|| self.failure(stringify!($function)))
            })*
        }
    };
}

constructors! {
    bvadd(a: Ast, b: Ast) Z3_mk_bvadd;
    bvsub(a: Ast, b: Ast) Z3_mk_bvsub;
    bvmul(a: Ast, b: Ast) Z3_mk_bvmul;
    bvudiv(a: Ast, b: Ast) Z3_mk_bvudiv;
    bvsdiv(a: Ast, b: Ast) Z3_mk_bvsdiv;
    bvurem(a: Ast, b: Ast) Z3_mk_bvurem;
    bvsrem(a: Ast, b: Ast) Z3_mk_bvsrem;
    bvand(a: Ast, b: Ast) Z3_mk_bvand;
    bvor(a: Ast, b: Ast) Z3_mk_bvor;
    bvxor(a: Ast, b: Ast) Z3_mk_bvxor;
    bvnot(a: Ast) Z3_mk_bvnot;
    bvneg(a: Ast) Z3_mk_bvneg;
    bvshl(a: Ast, b: Ast) Z3_mk_bvshl;
    bvlshr(a: Ast, b: Ast) Z3_mk_bvlshr;
    bvashr(a: Ast, b: Ast) Z3_mk_bvashr;
    bvult(a: Ast, b: Ast) Z3_mk_bvult;
    bvule(a: Ast, b: Ast) Z3_mk_bvule;
    bvslt(a: Ast, b: Ast) Z3_mk_bvslt;
    bvsle(a: Ast, b: Ast) Z3_mk_bvsle;
    eq(a: Ast, b: Ast) Z3_mk_eq;
    not(a: Ast) Z3_mk_not;
    implies(a: Ast, b: Ast) Z3_mk_implies;
    xor(a: Ast, b: Ast) Z3_mk_xor;
    ite(condition: Ast, then: Ast, otherwise: Ast) Z3_mk_ite;
    concat(high: Ast, low: Ast) Z3_mk_concat;
    extract(high: u32, low: u32, a: Ast) Z3_mk_extract;
    sign_ext(by: u32, a: Ast) Z3_mk_sign_ext;
    zero_ext(by: u32, a: Ast) Z3_mk_zero_ext;
    nearest_even() Z3_mk_fpa_rne;
    nearest_away() Z3_mk_fpa_rna;
    upward() Z3_mk_fpa_rtp;
    downward() Z3_mk_fpa_rtn;
    towards_zero() Z3_mk_fpa_rtz;
    float_of_f64(value: f64, sort: Sort) Z3_mk_fpa_numeral_double;
    float_of_bits(bits: Ast, sort: Sort) Z3_mk_fpa_to_fp_bv;
    bits_of_float(float: Ast) Z3_mk_fpa_to_ieee_bv;
    float_of_float(rounding: Ast, float: Ast, sort: Sort) Z3_mk_fpa_to_fp_float;
    float_of_signed(rounding: Ast, a: Ast, sort: Sort) Z3_mk_fpa_to_fp_signed;
    float_of_unsigned(rounding: Ast, a: Ast, sort: Sort) Z3_mk_fpa_to_fp_unsigned;
    signed_of_float(rounding: Ast, float: Ast, width: u32) Z3_mk_fpa_to_sbv;
    unsigned_of_float(rounding: Ast, float: Ast, width: u32) Z3_mk_fpa_to_ubv;
    fadd(rounding: Ast, a: Ast, b: Ast) Z3_mk_fpa_add;
    fsub(rounding: Ast, a: Ast, b: Ast) Z3_mk_fpa_sub;
    fmul(rounding: Ast, a: Ast, b: Ast) Z3_mk_fpa_mul;
    fdiv(rounding: Ast, a: Ast, b: Ast) Z3_mk_fpa_div;
    ffma(rounding: Ast, a: Ast, b: Ast, c: Ast) Z3_mk_fpa_fma;
    fsqrt(rounding: Ast, a: Ast) Z3_mk_fpa_sqrt;
    fround(rounding: Ast, a: Ast) Z3_mk_fpa_round_to_integral;
    fneg(a: Ast) Z3_mk_fpa_neg;
    feq(a: Ast, b: Ast) Z3_mk_fpa_eq;
    flt(a: Ast, b: Ast) Z3_mk_fpa_lt;
    fle(a: Ast, b: Ast) Z3_mk_fpa_leq;
    fge(a: Ast, b: Ast) Z3_mk_fpa_geq;
    is_nan(a: Ast) Z3_mk_fpa_is_nan;
}

impl Context {
    pub(super) fn new() -> Result<Context, Failed> {
        let broken = |what: &str| Failed(format!("Z3 could not make {what}"));
        // SAFETY: plain creation calls in the documented order; each result is checked.
        unsafe {
            let config = Z3_mk_config().ok_or_else(|| broken("a configuration"))?;
            let raw = Z3_mk_context(config);
            Z3_del_config(config);
            let raw = raw.ok_or_else(|| broken("a context"))?;
            Z3_set_error_handler(raw, None);
            let logic =
                Z3_mk_string_symbol(raw, c"QF_BV".as_ptr()).ok_or_else(|| broken("a symbol"))?;
            let incremental =
                Z3_mk_solver_for_logic(raw, logic).ok_or_else(|| broken("a solver"))?;
            Z3_solver_inc_ref(raw, incremental);
            Ok(Context { raw, incremental })
        }
    }

    /// Deletes the context. Not done on drop: after a breakdown it is safer to leak it.
    pub(super) fn delete(self) {
        // SAFETY: the solver and the context are ours, and `self` is consumed.
        unsafe {
            Z3_solver_dec_ref(self.raw, self.incremental);
            Z3_del_context(self.raw);
        }
    }

    pub(super) fn interrupter(&self) -> Interrupter {
        Interrupter(self.raw)
    }

    fn failure(&self, function: &str) -> Failed {
        // SAFETY: the error code and its message belong to the living context; the text is copied.
        let message = unsafe {
            let code = Z3_get_error_code(self.raw);
            CStr::from_ptr(Z3_get_error_msg(self.raw, code))
                .to_string_lossy()
                .into_owned()
        };
        Failed(format!("{function}: {message}"))
    }

    pub(super) fn bit_vector_sort(&self, width: u32) -> Result<Sort, Failed> {
        // SAFETY: the context is alive.
        let sort = unsafe { Z3_mk_bv_sort(self.raw, width) };
        sort.map(Sort).ok_or_else(|| self.failure("Z3_mk_bv_sort"))
    }

    /// The sort of f32 or f64.
    pub(super) fn float_sort(&self, width: u32) -> Result<Sort, Failed> {
        let (exponent, significand) = if width == 32 { (8, 24) } else { (11, 53) };
        // SAFETY: the context is alive.
        let sort = unsafe { Z3_mk_fpa_sort(self.raw, exponent, significand) };
        sort.map(Sort).ok_or_else(|| self.failure("Z3_mk_fpa_sort"))
    }

    /// A constant of at most 128 bits.
    pub(super) fn constant(&self, value: u128, width: u32) -> Result<Ast, Failed> {
        if width > 64 {
            let high = self.constant(value >> 64, width - 64)?;
            let low = self.constant(value & u64::MAX as u128, 64)?;
            return self.concat(high, low);
        }
        let sort = self.bit_vector_sort(width)?;
        // SAFETY: the context is alive and the sort is its own.
        let ast = unsafe { Z3_mk_unsigned_int64(self.raw, value as u64, sort.0) };
        ast.map(Ast)
            .ok_or_else(|| self.failure("Z3_mk_unsigned_int64"))
    }

    /// The bit-vector unknown with a number for a name.
    pub(super) fn unknown(&self, name: u32, width: u32) -> Result<Ast, Failed> {
        let sort = self.bit_vector_sort(width)?;
        self.named(name, sort)
    }

    /// A truth value unknown with a number for a name; bit-vector unknowns have names of their own.
    pub(super) fn truth_unknown(&self, name: u32) -> Result<Ast, Failed> {
        // SAFETY: the context is alive.
        let sort = unsafe { Z3_mk_bool_sort(self.raw) };
        let sort = sort
            .map(Sort)
            .ok_or_else(|| self.failure("Z3_mk_bool_sort"))?;
        self.named(name, sort)
    }

    fn named(&self, name: u32, sort: Sort) -> Result<Ast, Failed> {
        // SAFETY: the context is alive and the sort is its own.
        let ast = unsafe {
            let symbol = Z3_mk_int_symbol(self.raw, name as i32);
            symbol.and_then(|symbol| Z3_mk_const(self.raw, symbol, sort.0))
        };
        ast.map(Ast).ok_or_else(|| self.failure("Z3_mk_const"))
    }

    /// Conjunction or disjunction of two truth values.
    pub(super) fn connect(&self, conjunction: bool, a: Ast, b: Ast) -> Result<Ast, Failed> {
        let both = [a.0, b.0];
        // SAFETY: two operands of the living context, as the length says.
        let ast = unsafe {
            if conjunction {
                Z3_mk_and(self.raw, 2, both.as_ptr())
            } else {
                Z3_mk_or(self.raw, 2, both.as_ptr())
            }
        };
        ast.map(Ast).ok_or_else(|| self.failure("Z3_mk_and/or"))
    }

    /// Adds a fact to the incremental solver for good.
    pub(super) fn assert_for_good(&self, fact: Ast) {
        // SAFETY: solver and fact belong to the living context.
        unsafe { Z3_solver_assert(self.raw, self.incremental, fact.0) }
    }

    /// Decides the facts of the incremental solver under assumptions, and reads off the unknowns.
    pub(super) fn check_assuming(
        &self,
        assumptions: &[Ast],
        unknowns: &[Ast],
    ) -> Result<(Check, Vec<u64>), Failed> {
        let raw: Vec<Z3_ast> = assumptions.iter().map(|ast| ast.0).collect();
        // SAFETY: solver and assumptions belong to the living context; the length is the vector's.
        let verdict = unsafe {
            Z3_solver_check_assumptions(self.raw, self.incremental, raw.len() as u32, raw.as_ptr())
        };
        self.outcome(self.incremental, verdict, unknowns)
    }

    /// Decides facts in a solver of their own, with the tactics Z3 picks for all theories.
    pub(super) fn check_alone(
        &self,
        facts: &[Ast],
        unknowns: &[Ast],
    ) -> Result<(Check, Vec<u64>), Failed> {
        // SAFETY: the solver lives from here to its dec_ref below; facts belong to the context.
        unsafe {
            let solver = Z3_mk_solver(self.raw).ok_or_else(|| self.failure("Z3_mk_solver"))?;
            Z3_solver_inc_ref(self.raw, solver);
            for fact in facts {
                Z3_solver_assert(self.raw, solver, fact.0);
            }
            let verdict = Z3_solver_check(self.raw, solver);
            let outcome = self.outcome(solver, verdict, unknowns);
            Z3_solver_dec_ref(self.raw, solver);
            outcome
        }
    }

    fn outcome(
        &self,
        solver: Z3_solver,
        verdict: Z3_lbool,
        unknowns: &[Ast],
    ) -> Result<(Check, Vec<u64>), Failed> {
        match verdict {
            Z3_L_FALSE => return Ok((Check::Unsat, Vec::new())),
            Z3_L_TRUE => {}
            _ => {
                // SAFETY: the solver is alive; the text is copied at once.
                let reason = unsafe {
                    CStr::from_ptr(Z3_solver_get_reason_unknown(self.raw, solver))
                        .to_string_lossy()
                        .into_owned()
                };
                return Ok((Check::Unknown(reason), Vec::new()));
            }
        }
        // SAFETY: the model is kept from inc_ref to dec_ref; results are checked before use.
        unsafe {
            let model = Z3_solver_get_model(self.raw, solver)
                .ok_or_else(|| self.failure("Z3_solver_get_model"))?;
            Z3_model_inc_ref(self.raw, model);
            let mut values = Vec::with_capacity(unknowns.len());
            for unknown in unknowns {
                let mut value = unknown.0;
                let mut number = 0;
                if !Z3_model_eval(self.raw, model, unknown.0, true, &mut value)
                    || !Z3_get_numeral_uint64(self.raw, value, &mut number)
                {
                    Z3_model_dec_ref(self.raw, model);
                    return Err(self.failure("Z3_model_eval"));
                }
                values.push(number);
            }
            Z3_model_dec_ref(self.raw, model);
            Ok((Check::Sat, values))
        }
    }
}
