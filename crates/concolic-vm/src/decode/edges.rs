//! Decoding terminators: branches, the moves on edges, and jump targets.

use super::{BLOCK_TARGET, Decoder, Fixup};
use crate::op::{Op, Operand, Pc, Reg, Stop, SwitchTable};
use program_ir::{BlockCall, Inst, InstData, IntPredicate, Value};

impl Decoder<'_> {
    pub(super) fn terminator(
        &mut self,
        inst: Inst,
        cost: u16,
        fused: Option<(IntPredicate, [Value; 2])>,
    ) {
        let function = self.function;
        match &function.insts[inst].data {
            InstData::Jump(edge) => self.edge(edge, cost),
            InstData::Branch {
                condition,
                then,
                otherwise,
            } => {
                let branch = match fused {
                    Some((predicate, args)) => self.fused_branch(predicate, args, cost),
                    None => {
                        let condition = self.operand(*condition);
                        self.emit(Op::BranchIf {
                            cost,
                            condition,
                            target: 0,
                        })
                    }
                };
                self.edge(otherwise, 0);
                let target = self.edge_target(then);
                set_target(&mut self.code.ops[branch], target);
                self.fixups.push(Fixup::Op(branch));
            }
            InstData::Switch {
                arg,
                cases,
                default,
            } => {
                let ty = function.ty(*arg);
                let wide = ty.is_wide();
                let arg = self.operand(*arg);
                let table = self.code.switches.len();
                self.emit(Op::Switch {
                    width: ty.bits() as u8,
                    cost,
                    arg,
                    table: table as u32,
                });
                let default = self.edge_target(default);
                let mut targets: Vec<(u128, Pc)> = cases
                    .iter()
                    .map(|(value, edge)| (*value, self.edge_target(edge)))
                    .collect();
                targets.sort_by_key(|case| case.0);
                self.code
                    .switches
                    .push(switch_table(targets, default, wide));
                self.fixups.push(Fixup::Table(table));
            }
            InstData::IndirectJump { address, targets } => {
                // Label addresses lead to block starts, so no edge may carry values
                // that differ by source; the moves are done before the jump.
                let carried = targets.iter().any(|edge| !edge.args.is_empty());
                let address = self.operand(*address);
                if carried {
                    self.indirect_with_moves(address, targets, cost);
                } else {
                    self.emit(Op::IndirectJump { cost, address });
                }
            }
            InstData::Return { values } => {
                let operands = self.words_of(values);
                let pool = self.pool(&operands);
                self.emit(Op::Return {
                    cost,
                    values: operands.len() as u16,
                    pool,
                });
            }
            InstData::Invoke { call, normal, .. } => {
                self.call(inst, call);
                self.edge(normal, cost);
            }
            InstData::Resume => self.stop(Stop::Unsupported, "exception handling".into()),
            InstData::Unreachable => self.stop(Stop::Unreachable, String::new()),
            InstData::Trap => self.stop(Stop::Trap, String::new()),
            InstData::UnsupportedTerminator { what, .. } => {
                self.stop(Stop::Unsupported, what.to_string());
            }
            _ => unreachable!("a block ends with a terminator: the verifier ensures it"),
        }
    }

    /// Computed goto into blocks with parameters: a comparison of the address with
    /// each label leads to that edge's moves.
    fn indirect_with_moves(&mut self, address: Operand, targets: &[BlockCall], cost: u16) {
        let own = self
            .module
            .functions
            .iter()
            .find(|(_, function)| std::ptr::eq(*function, self.function))
            .map(|(func, _)| self.addresses.functions[func])
            .expect("the function is in its module");
        let cases = targets
            .iter()
            .map(|edge| {
                let label = crate::program::label_address(own, edge.block.as_u32());
                (u128::from(label), edge)
            })
            .collect::<Vec<_>>();
        let table = self.code.switches.len();
        self.emit(Op::Switch {
            width: 64,
            cost,
            arg: address,
            table: table as u32,
        });
        let wild = self.code.ops.len() as Pc;
        self.emit(Op::IndirectJump { cost: 0, address });
        let mut entries: Vec<(u128, Pc)> = cases
            .into_iter()
            .map(|(label, edge)| (label, self.edge_target(edge)))
            .collect();
        entries.sort_by_key(|case| case.0);
        entries.dedup_by_key(|case| case.0);
        self.code
            .switches
            .insert(table, switch_table(entries, wild, false));
        self.fixups.push(Fixup::Table(table));
    }

    fn fused_branch(&mut self, predicate: IntPredicate, args: [Value; 2], cost: u16) -> usize {
        let width = self.function.ty(args[0]).bits() as u8;
        let wide = width == 64;
        let (a, b) = (self.operand(args[0]), self.operand(args[1]));
        let target = 0;
        let (swapped_a, swapped_b) = (b, a);
        self.emit(match (predicate, wide) {
            (IntPredicate::Eq, _) => Op::BranchEq {
                width,
                cost,
                a,
                b,
                target,
            },
            (IntPredicate::Ne, _) => Op::BranchNe {
                width,
                cost,
                a,
                b,
                target,
            },
            (IntPredicate::Ult, _) => Op::BranchUlt {
                width,
                cost,
                a,
                b,
                target,
            },
            (IntPredicate::Ule, _) => Op::BranchUle {
                width,
                cost,
                a,
                b,
                target,
            },
            (IntPredicate::Ugt, _) => Op::BranchUlt {
                width,
                cost,
                a: swapped_a,
                b: swapped_b,
                target,
            },
            (IntPredicate::Uge, _) => Op::BranchUle {
                width,
                cost,
                a: swapped_a,
                b: swapped_b,
                target,
            },
            (IntPredicate::Slt, false) => Op::BranchSlt32 { cost, a, b, target },
            (IntPredicate::Sle, false) => Op::BranchSle32 { cost, a, b, target },
            (IntPredicate::Slt, true) => Op::BranchSlt64 { cost, a, b, target },
            (IntPredicate::Sle, true) => Op::BranchSle64 { cost, a, b, target },
            (IntPredicate::Sgt, false) => Op::BranchSlt32 {
                cost,
                a: swapped_a,
                b: swapped_b,
                target,
            },
            (IntPredicate::Sge, false) => Op::BranchSle32 {
                cost,
                a: swapped_a,
                b: swapped_b,
                target,
            },
            (IntPredicate::Sgt, true) => Op::BranchSlt64 {
                cost,
                a: swapped_a,
                b: swapped_b,
                target,
            },
            (IntPredicate::Sge, true) => Op::BranchSle64 {
                cost,
                a: swapped_a,
                b: swapped_b,
                target,
            },
        })
    }

    /// Where a jump along `edge` goes: the block itself, or the edge's moves.
    fn edge_target(&mut self, edge: &BlockCall) -> Pc {
        if edge.args.is_empty() {
            return BLOCK_TARGET | edge.block.as_u32();
        }
        let start = self.code.ops.len() as Pc;
        self.edge(edge, 0);
        start
    }

    /// The moves of an edge, then the jump.
    fn edge(&mut self, edge: &BlockCall, cost: u16) {
        let mut moves = Vec::new();
        let params = &self.function.blocks[edge.block].params;
        for (&param, &arg) in params.iter().zip(&edge.args) {
            let from = self.operand(arg);
            let to = self.slots[param];
            moves.push((to, from));
            if self.function.ty(param).is_wide() {
                moves.push((to + 1, from.high()));
            }
        }
        self.parallel_moves(moves);
        let jump = self.emit(Op::Jump {
            cost,
            target: BLOCK_TARGET | edge.block.as_u32(),
        });
        self.fixups.push(Fixup::Op(jump));
    }

    /// Emits moves that happen at once: one is emitted when nobody still reads its
    /// target; when only cycles are left, one is broken with a temporary.
    fn parallel_moves(&mut self, mut moves: Vec<(Reg, Operand)>) {
        moves.retain(|&(to, from)| Operand::reg(to) != from);
        while !moves.is_empty() {
            let ready = moves.iter().position(|&(to, _)| {
                !moves
                    .iter()
                    .any(|&(other, from)| from == Operand::reg(to) && other != to)
            });
            match ready {
                Some(index) => {
                    let (to, from) = moves.swap_remove(index);
                    self.emit(Op::Move { to, from });
                }
                None => {
                    let target = moves[0].0;
                    let saved = self.temporary(1);
                    self.emit(Op::Move {
                        to: saved,
                        from: Operand::reg(target),
                    });
                    for (_, from) in &mut moves {
                        if *from == Operand::reg(target) {
                            *from = Operand::reg(saved);
                        }
                    }
                }
            }
        }
    }

    pub(super) fn patch_targets(&mut self) {
        let starts = &self.code.block_starts;
        let resolve = |target: &mut Pc| {
            if *target & BLOCK_TARGET != 0 {
                *target = starts[(*target & !BLOCK_TARGET) as usize];
            }
        };
        for fixup in &self.fixups {
            match *fixup {
                Fixup::Op(index) => {
                    if let Some(target) = target_of(&mut self.code.ops[index]) {
                        resolve(target);
                    }
                }
                Fixup::Table(index) => match &mut self.code.switches[index] {
                    SwitchTable::Dense {
                        targets, default, ..
                    } => {
                        targets.iter_mut().for_each(resolve);
                        resolve(default);
                    }
                    SwitchTable::Sparse { cases, default } => {
                        cases.iter_mut().for_each(|case| resolve(&mut case.1));
                        resolve(default);
                    }
                    SwitchTable::Wide { cases, default } => {
                        cases.iter_mut().for_each(|case| resolve(&mut case.1));
                        resolve(default);
                    }
                },
            }
        }
    }
}

/// `cases` is sorted by value.
fn switch_table(cases: Vec<(u128, Pc)>, default: Pc, wide: bool) -> SwitchTable {
    if wide {
        return SwitchTable::Wide { cases, default };
    }
    let cases: Vec<(u64, Pc)> = cases
        .into_iter()
        .map(|(value, target)| (value as u64, target))
        .collect();
    if let (Some(first), Some(last)) = (cases.first(), cases.last()) {
        let low = first.0;
        let span = last.0 - low;
        if span < 4 * cases.len() as u64 + 16 {
            let mut targets = vec![default; span as usize + 1];
            for (value, target) in &cases {
                targets[(value - low) as usize] = *target;
            }
            return SwitchTable::Dense {
                low,
                targets,
                default,
            };
        }
    }
    SwitchTable::Sparse { cases, default }
}

fn target_of(op: &mut Op) -> Option<&mut Pc> {
    match op {
        Op::Jump { target, .. }
        | Op::BranchIf { target, .. }
        | Op::BranchEq { target, .. }
        | Op::BranchNe { target, .. }
        | Op::BranchUlt { target, .. }
        | Op::BranchUle { target, .. }
        | Op::BranchSlt32 { target, .. }
        | Op::BranchSle32 { target, .. }
        | Op::BranchSlt64 { target, .. }
        | Op::BranchSle64 { target, .. } => Some(target),
        _ => None,
    }
}

fn set_target(op: &mut Op, target: Pc) {
    if let Some(place) = target_of(op) {
        *place = target;
    }
}
