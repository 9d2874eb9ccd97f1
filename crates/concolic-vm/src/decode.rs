//! From IR functions to [`Code`].
//!
//! Phis are already edge arguments; here they become moves on the edge, ordered so
//! that no move overwrites what a later one reads. A comparison whose only use is the
//! branch right behind it is fused with the branch. Address arithmetic with a
//! constant offset whose only uses are accesses is folded into them.

mod edges;

use crate::op::{CallSite, Code, Op, Operand, Pc, PureKind, PureOp, Reg, SiteCallee, Stop};
use crate::program::{Addresses, Constants};
use program_ir::{
    BinaryOp, Block, CallData, Callee, CastOp, Func, Function, Inst, InstData, IntPredicate,
    Module, SecondaryMap, TernaryOp, Type, Value, ValueDef,
};

const NO_SLOT: u32 = u32::MAX;

pub(crate) fn decode(
    module: &Module,
    func: Func,
    addresses: &Addresses,
    constants: &mut Constants,
) -> Code {
    let function = &module.functions[func];
    let mut decoder = Decoder {
        module,
        function,
        addresses,
        constants,
        slots: SecondaryMap::with_default(NO_SLOT),
        uses: SecondaryMap::with_capacity(function.values.len()),
        folded: SecondaryMap::new(),
        code: Code::default(),
        fixups: Vec::new(),
        origin: u32::MAX,
    };
    decoder.count_uses();
    decoder.assign_slots();
    decoder.find_folded_addresses();
    for block in function.blocks.keys() {
        decoder.block(block);
    }
    decoder.patch_targets();
    decoder.note_slots();
    decoder.code
}

struct Decoder<'a> {
    module: &'a Module,
    function: &'a Function,
    addresses: &'a Addresses,
    constants: &'a mut Constants,
    slots: SecondaryMap<Value, u32>,
    uses: SecondaryMap<Value, u32>,
    /// Address computations that only feed accesses: base and offset to use instead.
    folded: SecondaryMap<Value, Option<(Value, i32)>>,
    code: Code,
    /// Operations whose target is still a block number.
    fixups: Vec<Fixup>,
    origin: u32,
}

enum Fixup {
    Op(usize),
    Table(usize),
}

/// Until patched, a target with this bit is a block; without it, a place in the code.
const BLOCK_TARGET: Pc = 1 << 31;

impl Decoder<'_> {
    fn count_uses(&mut self) {
        for node in self.function.insts.values() {
            node.data.for_each_operand(|value| self.uses[value] += 1);
        }
    }

    /// Parameters first, in order; then block parameters and results. A cast that
    /// changes no bits shares the slot of its operand: both are constant while alive,
    /// and an operand is assigned again only where the cast is computed again.
    fn assign_slots(&mut self) {
        let function = self.function;
        let mut next = 0;
        let mut assign = |slots: &mut SecondaryMap<Value, u32>, value: Value| {
            slots[value] = next;
            next += if function.ty(value).is_wide() { 2 } else { 1 };
        };
        for &param in function.params() {
            assign(&mut self.slots, param);
        }
        self.code.frame_bytes = function.frame_bytes;
        self.code.param_words = function
            .params()
            .iter()
            .map(|&param| words(function.ty(param)))
            .sum();
        for (value, data) in function.values.iter() {
            match data.def {
                ValueDef::Constant(_) => {}
                ValueDef::Param(block, _) => {
                    if Some(block) != function.entry() {
                        assign(&mut self.slots, value);
                    }
                }
                ValueDef::Result(inst, _) => {
                    if self.shared_operand(inst).is_none() {
                        assign(&mut self.slots, value);
                    }
                }
            }
        }
        self.code.slots = next;
    }

    /// Lists the slots that each block defines.
    fn note_slots(&mut self) {
        let function = self.function;
        for block in function.blocks.values() {
            let results = block.insts.iter().flat_map(|&inst| function.results(inst));
            for value in block.params.iter().copied().chain(results) {
                let slot = self.slots[value];
                if slot != NO_SLOT {
                    let slots = slot..slot + words(function.ty(value));
                    self.code.slots_defined.extend(slots);
                }
            }
            let end = self.code.slots_defined.len() as u32;
            self.code.slots_ends.push(end);
        }
    }

    /// The operand whose slot the result of a bit-preserving cast shares.
    fn shared_operand(&self, inst: Inst) -> Option<Value> {
        let node = &self.function.insts[inst];
        let InstData::Cast { op, arg } = node.data else {
            return None;
        };
        let preserving = matches!(
            op,
            CastOp::ZeroExtend | CastOp::Bits | CastOp::PtrToInt | CastOp::IntToPtr
        );
        let result = node.first_result?;
        let wide = self.function.ty(result).is_wide();
        (preserving && self.function.ty(arg).is_wide() == wide).then_some(arg)
    }

    /// Slot or constant of a value, through shared casts.
    fn operand(&mut self, value: Value) -> Operand {
        let mut value = value;
        loop {
            match self.function.values[value].def {
                ValueDef::Constant(constant) => {
                    let bits = self.addresses.constant(constant);
                    let index = if self.function.ty(value).is_wide() {
                        self.constants.wide(bits)
                    } else {
                        self.constants.narrow(bits as u64)
                    };
                    return Operand::constant(index);
                }
                ValueDef::Result(inst, _) => match self.shared_operand(inst) {
                    Some(arg) => value = arg,
                    None => return Operand::reg(self.slots[value]),
                },
                ValueDef::Param(..) => return Operand::reg(self.slots[value]),
            }
        }
    }

    fn find_folded_addresses(&mut self) {
        let function = self.function;
        // Uses as the address of an access, to be compared with all uses.
        let mut access_uses: SecondaryMap<Value, u32> = SecondaryMap::new();
        for node in function.insts.values() {
            match node.data {
                InstData::Load { address, .. } => access_uses[address] += 1,
                InstData::Store { address, value, .. } if value != address => {
                    access_uses[address] += 1;
                }
                _ => {}
            }
        }
        for node in function.insts.values() {
            if let InstData::PtrAdd {
                base,
                offset,
                terms,
                ..
            } = &node.data
                && terms.is_empty()
                && let Ok(offset) = i32::try_from(*offset)
                && let Some(result) = node.first_result
                && access_uses[result] == self.uses[result]
            {
                self.folded[result] = Some((*base, offset));
            }
        }
    }

    fn emit(&mut self, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.origins.push(self.origin);
        self.code.ops.len() - 1
    }

    fn pool(&mut self, operands: &[Operand]) -> u32 {
        let start = self.code.pool.len() as u32;
        self.code.pool.extend_from_slice(operands);
        start
    }

    /// The words of a list of values.
    fn words_of(&mut self, values: &[Value]) -> Vec<Operand> {
        let mut operands = Vec::with_capacity(values.len());
        for &value in values {
            let operand = self.operand(value);
            operands.push(operand);
            if self.function.ty(value).is_wide() {
                operands.push(operand.high());
            }
        }
        operands
    }

    fn block(&mut self, block: Block) {
        let start = self.code.ops.len() as Pc;
        self.code.block_starts.push(start);
        let insts = &self.function.blocks[block].insts;
        let Some((&terminator, body)) = insts.split_last() else {
            self.stop(Stop::Unsupported, "block without terminator".into());
            return;
        };
        let fused = self.fused_comparison(terminator, body);
        let plain = if fused.is_some() {
            &body[..body.len() - 1]
        } else {
            body
        };
        for &inst in plain {
            self.origin = inst.as_u32();
            self.inst(inst);
        }
        self.origin = terminator.as_u32();
        let mut cost = insts.len();
        if cost > usize::from(u16::MAX) {
            self.emit(Op::Count {
                instructions: cost as u32,
            });
            cost = 0;
        }
        self.terminator(terminator, cost as u16, fused);
    }

    /// The comparison right before a branch that is its only user.
    fn fused_comparison(
        &self,
        terminator: Inst,
        body: &[Inst],
    ) -> Option<(IntPredicate, [Value; 2])> {
        let InstData::Branch { condition, .. } = self.function.insts[terminator].data else {
            return None;
        };
        let node = &self.function.insts[*body.last()?];
        let InstData::IntCompare { predicate, args } = node.data else {
            return None;
        };
        let width = self.function.ty(args[0]).bits();
        let signed = matches!(
            predicate,
            IntPredicate::Slt | IntPredicate::Sle | IntPredicate::Sgt | IntPredicate::Sge
        );
        let fits = if signed {
            width == 32 || width == 64
        } else {
            width <= 64
        };
        (node.first_result == Some(condition) && self.uses[condition] == 1 && fits)
            .then_some((predicate, args))
    }

    fn stop(&mut self, stop: Stop, message: String) {
        let index = self.code.messages.len() as u32;
        self.code.messages.push(message);
        self.emit(Op::Stop {
            stop,
            message: index,
        });
    }

    fn result(&self, inst: Inst) -> Reg {
        match self.function.insts[inst].first_result {
            Some(value) => self.slots[value],
            None => 0,
        }
    }

    fn inst(&mut self, inst: Inst) {
        let function = self.function;
        let node = &function.insts[inst];
        let to = self.result(inst);
        match &node.data {
            InstData::Unary { op, arg } => self.pure(inst, PureKind::Unary(*op), &[*arg]),
            InstData::Binary { op, args, .. } => self.binary(inst, *op, *args),
            InstData::Ternary {
                op: TernaryOp::Select,
                args,
            } if !function.ty(args[1]).is_wide() => {
                let condition = self.operand(args[0]);
                let if_true = self.operand(args[1]);
                let if_false = self.operand(args[2]);
                let pool = self.pool(&[if_true, if_false]);
                self.emit(Op::Select {
                    width: function.ty(args[1]).bits() as u8,
                    to,
                    condition,
                    pool,
                });
            }
            InstData::Ternary { op, args } => self.pure(inst, PureKind::Ternary(*op), args),
            InstData::Overflow { op, args } => self.pure(inst, PureKind::Overflow(*op), args),
            InstData::IntCompare { predicate, args } => {
                self.int_compare(inst, *predicate, *args);
            }
            InstData::FloatCompare { predicate, args } => {
                if function.ty(args[0]) == Type::F64 {
                    let (a, b) = (self.operand(args[0]), self.operand(args[1]));
                    self.emit(Op::FCompare64 {
                        predicate: *predicate,
                        to,
                        a,
                        b,
                    });
                } else {
                    self.pure(inst, PureKind::FloatCompare(*predicate), args);
                }
            }
            InstData::FloatClass { mask, arg } => {
                self.pure(inst, PureKind::FloatClass(*mask), &[*arg]);
            }
            InstData::Cast { op, arg } => self.cast(inst, *op, *arg),
            InstData::PtrAdd {
                base,
                offset,
                terms,
                ..
            } => {
                let result = node.first_result.expect("PtrAdd has a result");
                if self.folded[result].is_some() {
                    return;
                }
                let mut sum = self.operand(*base);
                for term in terms {
                    let index = self.operand(term.index);
                    if let Ok(scale) = u16::try_from(term.scale) {
                        self.emit(Op::PtrIndex {
                            scale,
                            to,
                            base: sum,
                            index,
                        });
                    } else {
                        // The product needs a place of its own before it is added.
                        let product = self.temporary(1);
                        let scale = Operand::constant(self.constants.narrow(term.scale as u64));
                        self.emit(Op::Mul64 {
                            to: product,
                            a: index,
                            b: scale,
                        });
                        self.emit(Op::Add64 {
                            to,
                            a: sum,
                            b: Operand::reg(product),
                        });
                    }
                    sum = Operand::reg(to);
                }
                if *offset != 0 || terms.is_empty() {
                    let b = Operand::constant(self.constants.narrow(*offset as u64));
                    self.emit(Op::Add64 { to, a: sum, b });
                }
            }
            InstData::Alloca {
                count,
                element_size,
                ..
            } => {
                let literal = self.code.literals.len() as u32;
                self.code.literals.push(*element_size);
                let count = self.operand(*count);
                self.emit(Op::Alloca { to, count, literal });
            }
            InstData::StackSave => {
                self.emit(Op::StackSave { to });
            }
            InstData::StackRestore { token } => {
                let token = self.operand(*token);
                self.emit(Op::StackRestore { token });
            }
            InstData::Load { address, .. } => {
                let (address, offset) = self.address(*address);
                let ty = function.ty(node.first_result.expect("a load has a result"));
                self.emit(match ty.bits() {
                    8 => Op::Load8 {
                        to,
                        address,
                        offset,
                    },
                    16 => Op::Load16 {
                        to,
                        address,
                        offset,
                    },
                    32 => Op::Load32 {
                        to,
                        address,
                        offset,
                    },
                    64 => Op::Load64 {
                        to,
                        address,
                        offset,
                    },
                    width => Op::LoadN {
                        width: width as u8,
                        to,
                        address,
                        offset,
                    },
                });
            }
            InstData::Store { address, value, .. } => {
                let (address, offset) = self.address(*address);
                let width = function.ty(*value).bits();
                let value = self.operand(*value);
                self.emit(match width {
                    8 => Op::Store8 {
                        value,
                        address,
                        offset,
                    },
                    16 => Op::Store16 {
                        value,
                        address,
                        offset,
                    },
                    32 => Op::Store32 {
                        value,
                        address,
                        offset,
                    },
                    64 => Op::Store64 {
                        value,
                        address,
                        offset,
                    },
                    width => Op::StoreN {
                        width: width as u8,
                        value,
                        address,
                        offset,
                    },
                });
            }
            InstData::MemCopy {
                destination,
                source,
                length,
                ..
            } => {
                let (to, from) = (self.operand(*destination), self.operand(*source));
                let length = self.operand(*length);
                self.emit(Op::MemCopy { to, from, length });
            }
            InstData::MemSet {
                destination,
                byte,
                length,
            } => {
                let (to, byte) = (self.operand(*destination), self.operand(*byte));
                let length = self.operand(*length);
                self.emit(Op::MemSet { to, byte, length });
            }
            InstData::AtomicRmw { op, address, value } => {
                let ty = function.ty(*value);
                if ty.is_wide() {
                    self.stop(Stop::Unsupported, format!("atomic operation on {ty}"));
                    return;
                }
                let operands = [self.operand(*address), self.operand(*value)];
                let pool = self.pool(&operands);
                self.emit(Op::AtomicRmw {
                    op: *op,
                    width: ty.bits() as u8,
                    to,
                    pool,
                });
            }
            InstData::CompareExchange {
                address,
                expected,
                replacement,
            } => {
                let ty = function.ty(*expected);
                if ty.is_wide() {
                    self.stop(Stop::Unsupported, format!("compare-and-exchange of {ty}"));
                    return;
                }
                let operands = [*address, *expected, *replacement].map(|v| self.operand(v));
                let pool = self.pool(&operands);
                self.emit(Op::CompareExchange {
                    width: ty.bits() as u8,
                    to,
                    pool,
                });
            }
            InstData::Fence | InstData::VaEnd { .. } => {}
            InstData::Call(call) => self.call(inst, call),
            InstData::VaStart { list } => {
                let list = self.operand(*list);
                self.emit(Op::VaStart { list });
            }
            InstData::VaCopy {
                destination,
                source,
            } => {
                let (to, from) = (self.operand(*destination), self.operand(*source));
                self.emit(Op::VaCopy { to, from });
            }
            InstData::Syscall { args } => {
                let operands = args.map(|arg| self.operand(arg));
                let pool = self.pool(&operands);
                self.emit(Op::Syscall { to, pool });
            }
            InstData::ThreadPointer => {
                self.emit(Op::ThreadPointer { to });
            }
            InstData::Cpuid { leaf, .. } => {
                let leaf = self.operand(*leaf);
                self.emit(Op::Cpuid { to, leaf });
            }
            InstData::LandingPad => {
                self.stop(Stop::Unsupported, "exception handling".into());
            }
            InstData::Unsupported { what, .. } => self.stop(Stop::Unsupported, what.to_string()),
            InstData::Jump(_)
            | InstData::Branch { .. }
            | InstData::Switch { .. }
            | InstData::IndirectJump { .. }
            | InstData::Return { .. }
            | InstData::Invoke { .. }
            | InstData::Resume
            | InstData::Unreachable
            | InstData::Trap
            | InstData::UnsupportedTerminator { .. } => {
                unreachable!("terminator inside a block: the verifier excludes it")
            }
        }
    }

    /// The operand and constant offset of an access.
    fn address(&mut self, address: Value) -> (Operand, i32) {
        match self.folded[address] {
            Some((base, offset)) => (self.operand(base), offset),
            None => (self.operand(address), 0),
        }
    }

    fn temporary(&mut self, words: u32) -> Reg {
        let slot = self.code.slots;
        self.code.slots += words;
        slot
    }

    fn pure(&mut self, inst: Inst, kind: PureKind, args: &[Value]) {
        let ty = match kind {
            // What decides is the type of the values chosen from.
            PureKind::Ternary(TernaryOp::Select) => self.function.ty(args[1]),
            _ => self.function.ty(args[0]),
        };
        let first = self.function.insts[inst].first_result;
        let result = self
            .function
            .ty(first.expect("a pure operation has a result"));
        let none = Operand::reg(0);
        let mut operands = [none; 3];
        for (operand, &arg) in operands.iter_mut().zip(args) {
            *operand = self.operand(arg);
        }
        let index = self.code.pures.len() as u32;
        let to = self.result(inst);
        self.code.pures.push(PureOp {
            kind,
            to,
            args: operands,
            ty,
            result,
        });
        self.emit(Op::Pure { index });
    }

    fn binary(&mut self, inst: Inst, op: BinaryOp, args: [Value; 2]) {
        let ty = self.function.ty(args[0]);
        let width = ty.bits() as u8;
        let to = self.result(inst);
        if ty.is_wide() {
            return self.pure(inst, PureKind::Binary(op), &args);
        }
        let (a, b) = (self.operand(args[0]), self.operand(args[1]));
        use BinaryOp::*;
        let fast = match (op, width) {
            (Add, 32) => Op::Add32 { to, a, b },
            (Add, 64) => Op::Add64 { to, a, b },
            (Add, _) => Op::AddN { width, to, a, b },
            (Sub, 32) => Op::Sub32 { to, a, b },
            (Sub, 64) => Op::Sub64 { to, a, b },
            (Sub, _) => Op::SubN { width, to, a, b },
            (Mul, 32) => Op::Mul32 { to, a, b },
            (Mul, 64) => Op::Mul64 { to, a, b },
            (Mul, _) => Op::MulN { width, to, a, b },
            (And, _) => Op::And { width, to, a, b },
            (Or, _) => Op::Or { width, to, a, b },
            (Xor, _) => Op::Xor { width, to, a, b },
            (Shl, 32) => Op::Shl32 { to, a, b },
            (Shl, 64) => Op::Shl64 { to, a, b },
            (LShr, 32) => Op::LShr32 { to, a, b },
            (LShr, 64) => Op::LShr64 { to, a, b },
            (AShr, 32) => Op::AShr32 { to, a, b },
            (AShr, 64) => Op::AShr64 { to, a, b },
            (UDiv, _) => Op::UDiv { width, to, a, b },
            (SDiv, _) => Op::SDivN { width, to, a, b },
            (URem, _) => Op::URem { width, to, a, b },
            (SRem, _) => Op::SRemN { width, to, a, b },
            (FAdd, 64) => Op::FAdd64 { to, a, b },
            (FSub, 64) => Op::FSub64 { to, a, b },
            (FMul, 64) => Op::FMul64 { to, a, b },
            (FDiv, 64) => Op::FDiv64 { to, a, b },
            _ => return self.pure(inst, PureKind::Binary(op), &args),
        };
        self.emit(fast);
    }

    fn int_compare(&mut self, inst: Inst, predicate: IntPredicate, args: [Value; 2]) {
        let ty = self.function.ty(args[0]);
        if ty.is_wide() {
            return self.pure(inst, PureKind::IntCompare(predicate), &args);
        }
        let width = ty.bits() as u8;
        let to = self.result(inst);
        let (a, b) = (self.operand(args[0]), self.operand(args[1]));
        self.emit(match predicate {
            IntPredicate::Eq => Op::Eq { width, to, a, b },
            IntPredicate::Ne => Op::Ne { width, to, a, b },
            IntPredicate::Ult => Op::Ult { width, to, a, b },
            IntPredicate::Ule => Op::Ule { width, to, a, b },
            IntPredicate::Ugt => Op::Ult {
                width,
                to,
                a: b,
                b: a,
            },
            IntPredicate::Uge => Op::Ule {
                width,
                to,
                a: b,
                b: a,
            },
            IntPredicate::Slt => Op::Slt { width, to, a, b },
            IntPredicate::Sle => Op::Sle { width, to, a, b },
            IntPredicate::Sgt => Op::Slt {
                width,
                to,
                a: b,
                b: a,
            },
            IntPredicate::Sge => Op::Sle {
                width,
                to,
                a: b,
                b: a,
            },
        });
    }

    fn cast(&mut self, inst: Inst, op: CastOp, arg: Value) {
        if self.shared_operand(inst).is_some() {
            return;
        }
        let result = self.function.insts[inst].first_result;
        let to_type = self.function.ty(result.expect("a cast has a result"));
        let from_type = self.function.ty(arg);
        let to = self.result(inst);
        let a = self.operand(arg);
        let fast = match op {
            // The low word of a wide operand is its own operand, so this covers both.
            CastOp::Truncate if !to_type.is_wide() => Op::Truncate {
                width: to_type.bits() as u8,
                to,
                a,
            },
            CastOp::SignExtend if !to_type.is_wide() => Op::SignExtend {
                from: from_type.bits() as u8,
                width: to_type.bits() as u8,
                to,
                a,
            },
            CastOp::SignedToFloat if to_type == Type::F64 && !from_type.is_wide() => {
                Op::SignedToF64 {
                    from: from_type.bits() as u8,
                    to,
                    a,
                }
            }
            _ => return self.pure(inst, PureKind::Cast(op), &[arg]),
        };
        self.emit(fast);
    }

    fn call(&mut self, inst: Inst, call: &CallData) {
        let to = self.result(inst);
        let function = self.function;
        if let Callee::Direct(func) = call.callee {
            let callee = &self.module.functions[func];
            let types_match = callee.signature.params.len() == call.args.len()
                && callee
                    .signature
                    .params
                    .iter()
                    .zip(&call.args)
                    .all(|(param, &arg)| param.is_wide() == function.ty(arg).is_wide());
            if !callee.is_declaration()
                && !callee.signature.variadic
                && call.by_val.is_empty()
                && types_match
                && same_words(&callee.signature.returns, &call.returns)
            {
                let operands = self.words_of(&call.args);
                let pool = self.pool(&operands);
                self.emit(Op::Call {
                    to,
                    function: func.as_u32(),
                    pool,
                });
                return;
            }
        }
        let site = CallSite {
            callee: match call.callee {
                Callee::Direct(func) => SiteCallee::Function(func.as_u32()),
                Callee::Indirect(target) => SiteCallee::Address(self.operand(target)),
            },
            args: call
                .args
                .iter()
                .map(|&arg| (self.operand(arg), function.ty(arg)))
                .collect(),
            fixed_args: call.fixed_args,
            by_val: call.by_val.to_vec(),
            result_words: call.returns.iter().map(|&ty| words(ty)).sum(),
        };
        let index = self.code.sites.len() as u32;
        self.code.sites.push(site);
        self.emit(Op::CallSite { to, site: index });
    }
}

fn words(ty: Type) -> u32 {
    if ty.is_wide() { 2 } else { 1 }
}

fn same_words(left: &[Type], right: &[Type]) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(left, right)| left.is_wide() == right.is_wide())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_sixteen_bytes() {
        assert_eq!(size_of::<Op>(), 16);
    }
}
