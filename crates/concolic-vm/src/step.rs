//! The stepping loop: one match over the decoded operations.
//!
//! The concrete value is always computed here, natively. Registers are indexed with
//! bounds checks, memory through the object table; there is no unsafe code.

use crate::eval::{self, EvalError};
use crate::float;
use crate::machine::{FrameKind, Machine, Transfer};
use crate::memory::{Access, Fault};
use crate::monitor::{At, Monitor, Place};
use crate::op::{Code, Op, Operand, PureKind, PureOp, Stop};
use crate::outcome::End;
use expr::mask;
use program_ir::{AtomicRmwOp, BinaryOp, IntPredicate, Type};

#[inline(always)]
fn mask64(width: u8) -> u64 {
    u64::MAX >> (64 - u32::from(width))
}

#[inline(always)]
fn sign_extend(value: u64, width: u8) -> i64 {
    let shift = 64 - u32::from(width);
    ((value << shift) as i64) >> shift
}

impl Machine<'_> {
    /// Runs until the program ends. The innermost frame's `pc` is then the operation
    /// that ended it.
    pub(crate) fn step_until_end<M: Monitor>(&mut self, monitor: &mut M) -> End {
        let program = self.program;
        let Some(frame) = self.frames.last() else {
            return End::Exit { status: 0 };
        };
        let mut function = frame.function;
        let mut code: &Code = program.code(function).expect("a frame has code");
        let mut ops: &[Op] = &code.ops;
        let mut pc = frame.pc as usize;
        let mut base = frame.base;

        macro_rules! get {
            ($operand:expr) => {
                self.registers[$operand.index(base)]
            };
        }
        macro_rules! set {
            ($to:expr, $value:expr) => {{
                let value = $value;
                self.registers[base + $to as usize] = value;
            }};
        }
        macro_rules! at {
            () => {
                At {
                    function,
                    pc: pc as u32,
                    base,
                }
            };
        }
        macro_rules! here {
            () => {
                at!().site()
            };
        }
        /// Announces the operation to the monitor.
        macro_rules! tell {
            ($event:ident $(, $argument:expr)*) => {
                monitor.$event(self, at!() $(, $argument)*)
            };
        }
        macro_rules! end {
            ($end:expr) => {{
                let end = $end;
                self.frames.last_mut().expect("running").pc = pc as u32;
                return end;
            }};
        }
        macro_rules! check {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(fault) => end!(self.memory_error(fault)),
                }
            };
        }
        /// Continues in the innermost frame.
        macro_rules! enter {
            () => {{
                let frame = self.frames.last().expect("running");
                function = frame.function;
                code = program.code(function).expect("a frame has code");
                ops = &code.ops;
                pc = frame.pc as usize;
                base = frame.base;
                continue;
            }};
        }
        macro_rules! count {
            ($cost:expr) => {{
                // Counted only if it is executed: a run can go on from here.
                let instructions = self.instructions + u64::from($cost);
                if instructions > self.step_limit {
                    end!(End::StepLimit {
                        limit: self.step_limit
                    });
                }
                self.instructions = instructions;
            }};
        }
        macro_rules! branch {
            ($cost:expr, $taken:expr, $target:expr $(, $event:ident, $($argument:expr),*)?) => {{
                count!($cost);
                $(tell!($event, $($argument,)* $taken);)?
                if $taken {
                    monitor.goes_to(self, function, $target);
                    monitor.went(function, pc as u32, $target);
                    pc = $target as usize;
                    continue;
                }
            }};
        }
        macro_rules! address {
            ($address:expr, $offset:expr) => {
                get!($address).wrapping_add($offset as i64 as u64)
            };
        }
        macro_rules! transfer {
            ($to:expr, $words:expr, $transfer:expr) => {
                match $transfer {
                    Ok(Transfer::Return(value)) => {
                        tell!(answered, value);
                        if $words > 0 {
                            tell!(define, $to, 1);
                            set!($to, value);
                        }
                    }
                    Ok(Transfer::Enter) => enter!(),
                    Ok(Transfer::Resume { pc: at, value }) => {
                        let frame = self.frames.last_mut().expect("running");
                        frame.pc = at + 1;
                        let resumed = program.code(frame.function).expect("a frame has code");
                        if let Op::CallSite { to, .. } = resumed.ops[at as usize] {
                            let slot = frame.base + to as usize;
                            self.registers[slot] = value;
                            monitor.jumped(slot);
                        }
                        enter!()
                    }
                    Err(end) => end!(end),
                }
            };
        }

        loop {
            match ops[pc] {
                Op::Move { to, from } => {
                    tell!(copy, to, from);
                    set!(to, get!(from))
                }

                Op::Add32 { to, a, b } => {
                    tell!(binary, BinaryOp::Add, 32, to, [a, b]);
                    set!(to, u64::from((get!(a) as u32).wrapping_add(get!(b) as u32)))
                }
                Op::Add64 { to, a, b } => {
                    tell!(binary, BinaryOp::Add, 64, to, [a, b]);
                    set!(to, get!(a).wrapping_add(get!(b)))
                }
                Op::AddN { width, to, a, b } => {
                    tell!(binary, BinaryOp::Add, width, to, [a, b]);
                    set!(to, get!(a).wrapping_add(get!(b)) & mask64(width))
                }
                Op::Sub32 { to, a, b } => {
                    tell!(binary, BinaryOp::Sub, 32, to, [a, b]);
                    set!(to, u64::from((get!(a) as u32).wrapping_sub(get!(b) as u32)))
                }
                Op::Sub64 { to, a, b } => {
                    tell!(binary, BinaryOp::Sub, 64, to, [a, b]);
                    set!(to, get!(a).wrapping_sub(get!(b)))
                }
                Op::SubN { width, to, a, b } => {
                    tell!(binary, BinaryOp::Sub, width, to, [a, b]);
                    set!(to, get!(a).wrapping_sub(get!(b)) & mask64(width))
                }
                Op::Mul32 { to, a, b } => {
                    tell!(binary, BinaryOp::Mul, 32, to, [a, b]);
                    set!(to, u64::from((get!(a) as u32).wrapping_mul(get!(b) as u32)))
                }
                Op::Mul64 { to, a, b } => {
                    tell!(binary, BinaryOp::Mul, 64, to, [a, b]);
                    set!(to, get!(a).wrapping_mul(get!(b)))
                }
                Op::MulN { width, to, a, b } => {
                    tell!(binary, BinaryOp::Mul, width, to, [a, b]);
                    set!(to, get!(a).wrapping_mul(get!(b)) & mask64(width))
                }
                Op::And { width, to, a, b } => {
                    tell!(binary, BinaryOp::And, width, to, [a, b]);
                    set!(to, get!(a) & get!(b))
                }
                Op::Or { width, to, a, b } => {
                    tell!(binary, BinaryOp::Or, width, to, [a, b]);
                    set!(to, get!(a) | get!(b))
                }
                Op::Xor { width, to, a, b } => {
                    tell!(binary, BinaryOp::Xor, width, to, [a, b]);
                    set!(to, get!(a) ^ get!(b))
                }
                Op::Shl32 { to, a, b } => {
                    tell!(binary, BinaryOp::Shl, 32, to, [a, b]);
                    set!(to, u64::from((get!(a) as u32).wrapping_shl(get!(b) as u32)))
                }
                Op::Shl64 { to, a, b } => {
                    tell!(binary, BinaryOp::Shl, 64, to, [a, b]);
                    set!(to, get!(a).wrapping_shl(get!(b) as u32))
                }
                Op::LShr32 { to, a, b } => {
                    tell!(binary, BinaryOp::LShr, 32, to, [a, b]);
                    set!(to, u64::from((get!(a) as u32).wrapping_shr(get!(b) as u32)))
                }
                Op::LShr64 { to, a, b } => {
                    tell!(binary, BinaryOp::LShr, 64, to, [a, b]);
                    set!(to, get!(a).wrapping_shr(get!(b) as u32))
                }
                Op::AShr32 { to, a, b } => {
                    tell!(binary, BinaryOp::AShr, 32, to, [a, b]);
                    set!(
                        to,
                        u64::from((get!(a) as i32).wrapping_shr(get!(b) as u32) as u32)
                    )
                }
                Op::AShr64 { to, a, b } => {
                    tell!(binary, BinaryOp::AShr, 64, to, [a, b]);
                    set!(to, (get!(a) as i64).wrapping_shr(get!(b) as u32) as u64)
                }
                Op::UDiv { width, to, a, b } => {
                    tell!(binary, BinaryOp::UDiv, width, to, [a, b]);
                    match get!(a).checked_div(get!(b)) {
                        Some(value) => set!(to, value),
                        None => end!(End::DivisionByZero),
                    }
                }
                Op::URem { width, to, a, b } => {
                    tell!(binary, BinaryOp::URem, width, to, [a, b]);
                    match get!(a).checked_rem(get!(b)) {
                        Some(value) => set!(to, value),
                        None => end!(End::DivisionByZero),
                    }
                }
                Op::SDivN { width, to, a, b } => {
                    tell!(binary, BinaryOp::SDiv, width, to, [a, b]);
                    let (a, b) = (sign_extend(get!(a), width), sign_extend(get!(b), width));
                    match signed_division(a, b, width) {
                        Ok(()) => set!(to, a.wrapping_div(b) as u64 & mask64(width)),
                        Err(end) => end!(end),
                    }
                }
                Op::SRemN { width, to, a, b } => {
                    tell!(binary, BinaryOp::SRem, width, to, [a, b]);
                    let (a, b) = (sign_extend(get!(a), width), sign_extend(get!(b), width));
                    match signed_division(a, b, width) {
                        Ok(()) => set!(to, a.wrapping_rem(b) as u64 & mask64(width)),
                        Err(end) => end!(end),
                    }
                }

                Op::Eq { width, to, a, b } => {
                    tell!(compare, IntPredicate::Eq, width, to, [a, b]);
                    set!(to, u64::from(get!(a) == get!(b)))
                }
                Op::Ne { width, to, a, b } => {
                    tell!(compare, IntPredicate::Ne, width, to, [a, b]);
                    set!(to, u64::from(get!(a) != get!(b)))
                }
                Op::Ult { width, to, a, b } => {
                    tell!(compare, IntPredicate::Ult, width, to, [a, b]);
                    set!(to, u64::from(get!(a) < get!(b)))
                }
                Op::Ule { width, to, a, b } => {
                    tell!(compare, IntPredicate::Ule, width, to, [a, b]);
                    set!(to, u64::from(get!(a) <= get!(b)))
                }
                Op::Slt { width, to, a, b } => {
                    tell!(compare, IntPredicate::Slt, width, to, [a, b]);
                    set!(
                        to,
                        u64::from(sign_extend(get!(a), width) < sign_extend(get!(b), width))
                    )
                }
                Op::Sle { width, to, a, b } => {
                    tell!(compare, IntPredicate::Sle, width, to, [a, b]);
                    set!(
                        to,
                        u64::from(sign_extend(get!(a), width) <= sign_extend(get!(b), width))
                    )
                }

                Op::Truncate { width, to, a } => {
                    tell!(truncate, width, to, a);
                    set!(to, get!(a) & mask64(width))
                }
                Op::SignExtend { from, width, to, a } => {
                    tell!(sign_extend, from, width, to, a);
                    set!(to, sign_extend(get!(a), from) as u64 & mask64(width))
                }
                Op::Select {
                    width,
                    to,
                    condition,
                    pool,
                } => {
                    let arms = [code.pool[pool as usize], code.pool[pool as usize + 1]];
                    tell!(select, width, to, condition, arms);
                    let chosen = pool as usize + usize::from(get!(condition) & 1 == 0);
                    set!(to, get!(code.pool[chosen]))
                }

                Op::FAdd64 { to, a, b } => {
                    tell!(binary, BinaryOp::FAdd, 64, to, [a, b]);
                    set!(
                        to,
                        float::result64(
                            f64::from_bits(get!(a)) + f64::from_bits(get!(b)),
                            &[get!(a), get!(b)]
                        )
                    )
                }
                Op::FSub64 { to, a, b } => {
                    tell!(binary, BinaryOp::FSub, 64, to, [a, b]);
                    set!(
                        to,
                        float::result64(
                            f64::from_bits(get!(a)) - f64::from_bits(get!(b)),
                            &[get!(a), get!(b)]
                        )
                    )
                }
                Op::FMul64 { to, a, b } => {
                    tell!(binary, BinaryOp::FMul, 64, to, [a, b]);
                    set!(
                        to,
                        float::result64(
                            f64::from_bits(get!(a)) * f64::from_bits(get!(b)),
                            &[get!(a), get!(b)]
                        )
                    )
                }
                Op::FDiv64 { to, a, b } => {
                    tell!(binary, BinaryOp::FDiv, 64, to, [a, b]);
                    set!(
                        to,
                        float::result64(
                            f64::from_bits(get!(a)) / f64::from_bits(get!(b)),
                            &[get!(a), get!(b)]
                        )
                    )
                }
                Op::FCompare64 {
                    predicate,
                    to,
                    a,
                    b,
                } => {
                    tell!(float_compare, predicate, to, [a, b]);
                    let order = f64::from_bits(get!(a)).partial_cmp(&f64::from_bits(get!(b)));
                    set!(to, u64::from(float::holds(predicate, order)))
                }
                Op::SignedToF64 { from, to, a } => {
                    tell!(signed_to_f64, from, to, a);
                    set!(to, (sign_extend(get!(a), from) as f64).to_bits())
                }

                Op::PtrIndex {
                    scale,
                    to,
                    base: pointer,
                    index,
                } => {
                    tell!(pointer_index, scale, to, pointer, index);
                    set!(
                        to,
                        get!(pointer).wrapping_add(get!(index).wrapping_mul(u64::from(scale)))
                    )
                }

                Op::Load8 {
                    to,
                    address,
                    offset,
                } => {
                    tell!(
                        load,
                        to,
                        Place {
                            width: 8,
                            address,
                            offset
                        }
                    );
                    let bytes = check!(self.memory.load::<1>(address!(address, offset)));
                    set!(to, u64::from(bytes[0]))
                }
                Op::Load16 {
                    to,
                    address,
                    offset,
                } => {
                    tell!(
                        load,
                        to,
                        Place {
                            width: 16,
                            address,
                            offset
                        }
                    );
                    let bytes = check!(self.memory.load::<2>(address!(address, offset)));
                    set!(to, u64::from(u16::from_le_bytes(bytes)))
                }
                Op::Load32 {
                    to,
                    address,
                    offset,
                } => {
                    tell!(
                        load,
                        to,
                        Place {
                            width: 32,
                            address,
                            offset
                        }
                    );
                    let bytes = check!(self.memory.load::<4>(address!(address, offset)));
                    set!(to, u64::from(u32::from_le_bytes(bytes)))
                }
                Op::Load64 {
                    to,
                    address,
                    offset,
                } => {
                    tell!(
                        load,
                        to,
                        Place {
                            width: 64,
                            address,
                            offset
                        }
                    );
                    let bytes = check!(self.memory.load::<8>(address!(address, offset)));
                    set!(to, u64::from_le_bytes(bytes))
                }
                Op::LoadN {
                    width,
                    to,
                    address,
                    offset,
                } => {
                    tell!(
                        load,
                        to,
                        Place {
                            width,
                            address,
                            offset
                        }
                    );
                    let value = check!(self.load_bits(address!(address, offset), width));
                    set!(to, value as u64);
                    if width > 64 {
                        set!(to + 1, (value >> 64) as u64);
                    }
                }
                Op::Store8 {
                    value,
                    address,
                    offset,
                } => {
                    tell!(
                        store,
                        value,
                        Place {
                            width: 8,
                            address,
                            offset
                        }
                    );
                    let bytes = (get!(value) as u8).to_le_bytes();
                    check!(self.memory.store(address!(address, offset), bytes))
                }
                Op::Store16 {
                    value,
                    address,
                    offset,
                } => {
                    tell!(
                        store,
                        value,
                        Place {
                            width: 16,
                            address,
                            offset
                        }
                    );
                    let bytes = (get!(value) as u16).to_le_bytes();
                    check!(self.memory.store(address!(address, offset), bytes))
                }
                Op::Store32 {
                    value,
                    address,
                    offset,
                } => {
                    tell!(
                        store,
                        value,
                        Place {
                            width: 32,
                            address,
                            offset
                        }
                    );
                    let bytes = (get!(value) as u32).to_le_bytes();
                    check!(self.memory.store(address!(address, offset), bytes))
                }
                Op::Store64 {
                    value,
                    address,
                    offset,
                } => {
                    tell!(
                        store,
                        value,
                        Place {
                            width: 64,
                            address,
                            offset
                        }
                    );
                    let bytes = get!(value).to_le_bytes();
                    check!(self.memory.store(address!(address, offset), bytes))
                }
                Op::StoreN {
                    width,
                    value,
                    address,
                    offset,
                } => {
                    tell!(
                        store,
                        value,
                        Place {
                            width,
                            address,
                            offset
                        }
                    );
                    let high = if width > 64 { get!(value.high()) } else { 0 };
                    let bits = u128::from(high) << 64 | u128::from(get!(value));
                    check!(self.store_bits(address!(address, offset), width, bits))
                }

                Op::Alloca { to, count, literal } => {
                    tell!(alloca, to, count);
                    let size = get!(count).saturating_mul(code.literals[literal as usize]);
                    match self.stack_object(size, here!()) {
                        Ok(address) => {
                            tell!(allocated, address);
                            set!(to, address)
                        }
                        Err(end) => end!(end),
                    }
                }
                Op::StackSave { to } => {
                    tell!(define, to, 1);
                    set!(to, self.stack.objects.len() as u64)
                }
                Op::StackRestore { token } => {
                    let down_to = get!(token) as usize;
                    self.end_stack_objects(down_to, here!());
                }
                Op::MemCopy { to, from, length } => {
                    tell!(memory_copy, to, from, length);
                    check!(self.memory.copy(get!(to), get!(from), get!(length)))
                }
                Op::MemSet { to, byte, length } => {
                    let term = tell!(memory_set, to, byte, length);
                    let (value, length) = (get!(byte) as u8, get!(length));
                    check!(self.memory.fill_with_term(get!(to), value, term, length))
                }
                Op::AtomicRmw {
                    op,
                    width,
                    to,
                    pool,
                } => {
                    let (address, value) = (code.pool[pool as usize], code.pool[pool as usize + 1]);
                    tell!(atomic_rmw, op, width, to, [address, value]);
                    let (address, operand) = (get!(address), get!(value));
                    let before = check!(self.load_bits(address, width));
                    let after = atomic_result(op, width, before, u128::from(operand));
                    check!(self.store_bits(address, width, after));
                    set!(to, before as u64)
                }
                Op::CompareExchange { width, to, pool } => {
                    let [address, expected, replacement] =
                        [0, 1, 2].map(|i| code.pool[pool as usize + i]);
                    tell!(
                        compare_exchange,
                        width,
                        to,
                        [address, expected, replacement]
                    );
                    let address = get!(address);
                    let expected = u128::from(get!(expected));
                    let replacement = u128::from(get!(replacement));
                    let before = check!(self.load_bits(address, width));
                    let success = before == expected;
                    if success {
                        check!(self.store_bits(address, width, replacement));
                    }
                    set!(to, before as u64);
                    set!(to + 1, u64::from(success))
                }

                Op::Pure { index } => {
                    let op = &code.pures[index as usize];
                    tell!(pure, op);
                    if let Err(error) = self.pure(op, base) {
                        end!(match error {
                            EvalError::DivisionByZero => End::DivisionByZero,
                            EvalError::DivisionOverflow => End::DivisionOverflow,
                            EvalError::Unsupported(what) => End::Unsupported { what: what.into() },
                        })
                    }
                }

                Op::Call {
                    to,
                    function: callee,
                    pool,
                } => {
                    let callee_code = program.code(callee).expect("decoded as a call of code");
                    let new_base = base + code.slots as usize;
                    let words = callee_code.param_words as usize;
                    self.frames.last_mut().expect("running").pc = pc as u32 + 1;
                    if let Err(end) = self.push_frame(
                        callee,
                        callee_code,
                        new_base,
                        to,
                        u32::MAX,
                        FrameKind::Call,
                    ) {
                        end!(end)
                    }
                    let operands = &code.pool[pool as usize..pool as usize + words];
                    for (index, operand) in operands.iter().enumerate() {
                        self.registers[new_base + index] = get!(operand);
                    }
                    tell!(call, callee, new_base, operands);
                    function = callee;
                    code = callee_code;
                    ops = &code.ops;
                    base = new_base;
                    pc = 0;
                    continue;
                }
                Op::CallSite { to, site } => {
                    let site = &code.sites[site as usize];
                    self.frames.last_mut().expect("running").pc = pc as u32 + 1;
                    transfer!(
                        to,
                        site.result_words,
                        self.call_site(site, to, at!(), monitor)
                    )
                }
                Op::VaStart { list } => {
                    tell!(va_list, list);
                    if let Err(end) = self.va_start(get!(list), here!()) {
                        end!(end)
                    }
                }
                Op::VaCopy { to, from } => {
                    tell!(va_copy, to, from);
                    check!(self.memory.copy(get!(to), get!(from), 24))
                }
                Op::Syscall { to, pool } => {
                    let operands = &code.pool[pool as usize..pool as usize + 7];
                    tell!(syscall, operands);
                    let mut words = [0; 7];
                    for (word, operand) in words.iter_mut().zip(operands) {
                        *word = get!(operand);
                    }
                    self.frames.last_mut().expect("running").pc = pc as u32 + 1;
                    transfer!(to, 1, self.syscall(words, at!(), monitor))
                }
                Op::ThreadPointer { to } => {
                    tell!(define, to, 1);
                    set!(to, self.thread_pointer)
                }
                Op::Cpuid { to, leaf } => {
                    tell!(define, to, 4);
                    for (index, word) in (0..).zip(cpuid(get!(leaf) as u32)) {
                        set!(to + index, u64::from(word));
                    }
                }

                Op::Jump { cost, target } => branch!(cost, true, target),
                Op::BranchIf {
                    cost,
                    condition,
                    target,
                } => {
                    let taken = get!(condition) & 1 != 0;
                    branch!(cost, taken, target, branch_if, condition)
                }
                Op::BranchEq {
                    width,
                    cost,
                    a,
                    b,
                    target,
                } => {
                    let taken = get!(a) == get!(b);
                    branch!(cost, taken, target, branch, IntPredicate::Eq, width, [a, b])
                }
                Op::BranchNe {
                    width,
                    cost,
                    a,
                    b,
                    target,
                } => {
                    let taken = get!(a) != get!(b);
                    branch!(cost, taken, target, branch, IntPredicate::Ne, width, [a, b])
                }
                Op::BranchUlt {
                    width,
                    cost,
                    a,
                    b,
                    target,
                } => {
                    let taken = get!(a) < get!(b);
                    branch!(
                        cost,
                        taken,
                        target,
                        branch,
                        IntPredicate::Ult,
                        width,
                        [a, b]
                    )
                }
                Op::BranchUle {
                    width,
                    cost,
                    a,
                    b,
                    target,
                } => {
                    let taken = get!(a) <= get!(b);
                    branch!(
                        cost,
                        taken,
                        target,
                        branch,
                        IntPredicate::Ule,
                        width,
                        [a, b]
                    )
                }
                Op::BranchSlt32 { cost, a, b, target } => {
                    let taken = (get!(a) as i32) < get!(b) as i32;
                    branch!(cost, taken, target, branch, IntPredicate::Slt, 32, [a, b])
                }
                Op::BranchSle32 { cost, a, b, target } => {
                    let taken = get!(a) as i32 <= get!(b) as i32;
                    branch!(cost, taken, target, branch, IntPredicate::Sle, 32, [a, b])
                }
                Op::BranchSlt64 { cost, a, b, target } => {
                    let taken = (get!(a) as i64) < get!(b) as i64;
                    branch!(cost, taken, target, branch, IntPredicate::Slt, 64, [a, b])
                }
                Op::BranchSle64 { cost, a, b, target } => {
                    let taken = get!(a) as i64 <= get!(b) as i64;
                    branch!(cost, taken, target, branch, IntPredicate::Sle, 64, [a, b])
                }
                Op::Switch {
                    width,
                    cost,
                    arg,
                    table,
                } => {
                    let low = get!(arg);
                    let table = &code.switches[table as usize];
                    let target = table.target(low, || get!(arg.high()));
                    count!(cost);
                    tell!(switch, width, arg, table, target);
                    monitor.goes_to(self, function, target);
                    monitor.went(function, pc as u32, target);
                    pc = target as usize;
                    continue;
                }
                Op::IndirectJump { cost, address } => {
                    count!(cost);
                    tell!(indirect_jump, address);
                    let address = get!(address);
                    let own =
                        self.program.addresses.functions[program_ir::Func::from_u32(function)];
                    let label = address.wrapping_sub(own + 1);
                    match usize::try_from(label)
                        .ok()
                        .and_then(|l| code.block_starts.get(l))
                    {
                        Some(&start) => {
                            monitor.goes_to(self, function, start);
                            monitor.went(function, pc as u32, start);
                            pc = start as usize
                        }
                        None => end!(self.memory_error(Fault {
                            access: Access::Call,
                            address,
                            size: 0,
                        })),
                    }
                    continue;
                }
                Op::Return { cost, values, pool } => {
                    count!(cost);
                    let operands = &code.pool[pool as usize..pool as usize + usize::from(values)];
                    let frame = *self.frames.last().expect("running");
                    if self.frames.len() == 1 {
                        tell!(entry_returns, operands);
                        self.returned = operands.iter().map(|operand| get!(operand)).collect();
                        let status = self.returned.first().map_or(0, |&word| word as i32);
                        end!(End::Exit {
                            status: status & 0xff
                        });
                    }
                    if let FrameKind::SignalHandler(handler) = frame.kind {
                        self.end_frame();
                        let result = self.kernel.handler_returned(&mut self.memory, handler);
                        // The call that was interrupted stands right before its frame's pc.
                        let caller = *self.frames.last().expect("the interrupted frame");
                        let caller_code = program.code(caller.function).expect("a frame has code");
                        let to = match caller_code.ops[caller.pc as usize - 1] {
                            Op::Syscall { to, .. } | Op::CallSite { to, .. } => to,
                            _ => unreachable!("a handler runs at a system call"),
                        };
                        match self.after_syscall(result, at!(), monitor) {
                            Ok(Transfer::Return(value)) => {
                                self.registers[caller.base + to as usize] = value;
                                monitor.words_set(self, caller.base + to as usize, &[0]);
                                enter!()
                            }
                            Ok(_) => enter!(),
                            Err(end) => {
                                self.frames.last_mut().expect("running").pc -= 1;
                                return end;
                            }
                        }
                    }
                    // The caller's slots lie below this frame's: copying upwards is safe.
                    let caller_base = self.frames[self.frames.len() - 2].base;
                    let target = caller_base + frame.to as usize;
                    tell!(returns, operands, target, frame.result_words as usize);
                    for (index, operand) in operands
                        .iter()
                        .enumerate()
                        .take(frame.result_words as usize)
                    {
                        self.registers[target + index] = get!(operand);
                    }
                    if frame.result_words != u32::MAX {
                        for index in operands.len()..frame.result_words as usize {
                            self.registers[target + index] = 0;
                        }
                    }
                    self.frames.last_mut().expect("running").pc = pc as u32;
                    self.end_frame();
                    enter!()
                }
                Op::Stop { stop, message } => end!(match stop {
                    Stop::Unreachable => End::Unreachable,
                    Stop::Trap => End::Trap,
                    Stop::Unsupported => End::Unsupported {
                        what: code.messages[message as usize].clone(),
                    },
                }),
                Op::Count { instructions } => count!(instructions),
            }
            pc += 1;
        }
    }

    /// Any width that has no operation of its own; low bits of whole bytes.
    #[inline(never)]
    fn load_bits(&self, address: u64, width: u8) -> Result<u128, Fault> {
        let size = usize::from(width).div_ceil(8);
        let mut bytes = [0; 16];
        bytes[..size].copy_from_slice(self.memory.bytes(address, size as u64)?);
        Ok(u128::from_le_bytes(bytes) & mask(u32::from(width)))
    }

    #[inline(never)]
    fn store_bits(&mut self, address: u64, width: u8, value: u128) -> Result<(), Fault> {
        let size = usize::from(width).div_ceil(8);
        let bytes = value.to_le_bytes();
        self.memory
            .bytes_mut_beside_terms(address, size as u64)?
            .copy_from_slice(&bytes[..size]);
        Ok(())
    }

    #[inline(never)]
    fn pure(&mut self, op: &PureOp, base: usize) -> Result<(), EvalError> {
        let read = |operand: Operand, ty: Type| {
            let low = u128::from(self.registers[operand.index(base)]);
            if ty.is_wide() {
                u128::from(self.registers[operand.high().index(base)]) << 64 | low
            } else {
                low
            }
        };
        let ty = op.ty;
        let [a, b, c] = op.args;
        let value = match op.kind {
            PureKind::Unary(unary) => eval::unary(unary, ty, read(a, ty))?,
            PureKind::Binary(binary) => eval::binary(binary, ty, read(a, ty), read(b, ty))?,
            PureKind::Ternary(ternary) => {
                let first = match ternary {
                    program_ir::TernaryOp::Select => read(a, Type::I1),
                    _ => read(a, ty),
                };
                eval::ternary(ternary, ty, first, read(b, ty), read(c, ty))
            }
            PureKind::Overflow(overflow) => {
                let (value, wrapped) = eval::overflow(overflow, ty, read(a, ty), read(b, ty));
                let flag = op.to + if ty.is_wide() { 2 } else { 1 };
                self.registers[base + flag as usize] = u64::from(wrapped);
                value
            }
            PureKind::IntCompare(predicate) => {
                u128::from(eval::int_compare(predicate, ty, read(a, ty), read(b, ty)))
            }
            PureKind::FloatCompare(predicate) => {
                u128::from(float::compare(predicate, ty, read(a, ty), read(b, ty)))
            }
            PureKind::FloatClass(mask) => u128::from(float::class(ty, mask, read(a, ty))),
            PureKind::Cast(cast) => eval::cast(cast, ty, op.result, read(a, ty)),
        };
        let to = base + op.to as usize;
        self.registers[to] = value as u64;
        if op.result.is_wide() {
            self.registers[to + 1] = (value >> 64) as u64;
        }
        Ok(())
    }
}

#[inline(always)]
fn signed_division(a: i64, b: i64, width: u8) -> Result<(), End> {
    if b == 0 {
        return Err(End::DivisionByZero);
    }
    if b == -1 && a == -1i64 << (width - 1) {
        return Err(End::DivisionOverflow);
    }
    Ok(())
}

fn atomic_result(op: AtomicRmwOp, width: u8, before: u128, operand: u128) -> u128 {
    let int = Type::Int(width);
    let float = if width == 32 { Type::F32 } else { Type::F64 };
    let plain = |binary, ty| {
        eval::binary(binary, ty, before, operand).expect("only division has no result")
    };
    match op {
        AtomicRmwOp::Exchange => operand,
        AtomicRmwOp::Add => plain(BinaryOp::Add, int),
        AtomicRmwOp::Sub => plain(BinaryOp::Sub, int),
        AtomicRmwOp::And => plain(BinaryOp::And, int),
        AtomicRmwOp::Nand => !plain(BinaryOp::And, int) & mask(u32::from(width)),
        AtomicRmwOp::Or => plain(BinaryOp::Or, int),
        AtomicRmwOp::Xor => plain(BinaryOp::Xor, int),
        AtomicRmwOp::SMax => plain(BinaryOp::SMax, int),
        AtomicRmwOp::SMin => plain(BinaryOp::SMin, int),
        AtomicRmwOp::UMax => plain(BinaryOp::UMax, int),
        AtomicRmwOp::UMin => plain(BinaryOp::UMin, int),
        AtomicRmwOp::FAdd => plain(BinaryOp::FAdd, float),
        AtomicRmwOp::FSub => plain(BinaryOp::FSub, float),
    }
}

/// A processor with the x86-64 baseline and nothing more, so that programs which choose
/// code by processor features behave the same everywhere.
fn cpuid(leaf: u32) -> [u32; 4] {
    const FPU_TO_SSE2: u32 = 1 | 1 << 4 | 1 << 8 | 1 << 15 | 1 << 23 | 1 << 24 | 1 << 25 | 1 << 26;
    match leaf {
        0 => [1, 0x6172_6150, 0x2078_616c, 0x6c6c_6178],
        1 => [0, 0, 0, FPU_TO_SSE2],
        _ => [0; 4],
    }
}
