//! When do two operands correspond, and if they do not, which change explains it?
//!
//! Operands correspond if they are equal constants, or results or parameters that are
//! partners. A use whose operands do not correspond is a change itself, unless a change
//! point that is met on every way to it explains the difference:
//! 1. the new operand is computed by an added or modified instruction (a definition
//!    dominates its uses);
//! 2. the old operand was computed by an instruction whose deletion is marked before the
//!    use;
//! 3. one operand is a parameter of a block without partner, and what the edges into the
//!    block pass corresponds to the other operand, but for edges that are change points;
//! 4. both are the value of one source variable, which was given another value at a point
//!    that dominates the use.
//!
//! If the source calls the two operands by different names, the statement that uses them
//! was edited, and 1 and 2 do not excuse it.

use super::variables::Variables;
use super::{Body, ChangeKind, ChangePoint, CompareOptions};
use crate::align::Alignment;
use crate::operation::{constant_of, edges};
use program_ir::{Block, Callee, Constant, Inst, Value, ValueDef};

#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) old: Value,
    pub(super) new: Value,
    /// The block parameter that takes it, for what an edge passes.
    pub(super) into: Option<Value>,
}

#[derive(Clone, Debug)]
pub(super) enum Explanation {
    Same,
    /// These points explain it.
    Flags(Vec<ChangePoint>),
    /// Explained if the deletion of this old instruction is marked before the use.
    IfDeletionIsMarked(Inst),
    Changed,
}

pub(super) struct Correspondence<'a, 'b> {
    old: &'a Body<'b>,
    new: &'a Body<'b>,
    alignment: &'a Alignment,
    options: CompareOptions,
    old_variables: Variables,
    new_variables: Variables,
}

impl<'a, 'b> Correspondence<'a, 'b> {
    pub(super) fn new(
        old: &'a Body<'b>,
        new: &'a Body<'b>,
        alignment: &'a Alignment,
        options: CompareOptions,
    ) -> Self {
        Correspondence {
            old,
            new,
            alignment,
            options,
            old_variables: Variables::of(old),
            new_variables: Variables::of(new),
        }
    }

    pub(super) fn explain(
        &self,
        operand: Operand,
        old_use: Inst,
        new_use: Inst,
        changed: &dyn Fn(Inst) -> bool,
    ) -> Explanation {
        if self.same(operand) || self.is_own_line(operand, old_use, new_use) {
            return Explanation::Same;
        }
        let renamed = self.old_variables.differ(
            self.old,
            operand.old,
            &self.new_variables,
            self.new,
            operand.new,
        );
        let new_def = self.new.function.values[operand.new].def;
        let old_def = self.old.function.values[operand.old].def;
        if let ValueDef::Result(inst, _) = new_def
            && changed(inst)
            && !renamed
        {
            return Explanation::Flags(Vec::new());
        }
        if let ValueDef::Result(inst, _) = old_def
            && self.alignment.new_of_old[inst].is_none()
            && !renamed
        {
            return Explanation::IfDeletionIsMarked(inst);
        }
        if let Some(point) = self.reassigned(operand, old_use, new_use) {
            return Explanation::Flags(vec![point]);
        }
        if let ValueDef::Param(block, _) = new_def
            && self.alignment.old_value_of_new[operand.new].is_none()
            && let Some(points) = self.through_new_param(operand, block, changed)
        {
            return Explanation::Flags(points);
        }
        if let ValueDef::Param(block, _) = old_def
            && self.alignment.new_value_of_old[operand.old].is_none()
            && let Some(points) = self.through_old_param(operand, block, changed)
        {
            return Explanation::Flags(points);
        }
        Explanation::Changed
    }

    fn same(&self, operand: Operand) -> bool {
        let (old, new) = (self.old.function, self.new.function);
        match (constant_of(old, operand.old), constant_of(new, operand.new)) {
            (Some(in_old), Some(in_new)) => {
                let key = self.old.version.constant_key(in_old);
                old.ty(operand.old) == new.ty(operand.new)
                    && key.is_some()
                    && key == self.new.version.constant_key(in_new)
            }
            (None, None) => self.alignment.old_value_of_new[operand.new] == Some(operand.old),
            _ => false,
        }
    }

    /// `__LINE__`, passed to a call. It is the line where the use of a macro ends, and the
    /// call is where it begins: for an assertion over several lines it is a later one.
    fn is_own_line(&self, operand: Operand, old_use: Inst, new_use: Inst) -> bool {
        let own = |body: &Body<'_>, value: Value, inst: Inst| {
            let Some(call) = body.data(inst).call() else {
                return false;
            };
            let asserts = match call.callee {
                Callee::Direct(func) => body.version.module.functions[func].name == "__assert_fail",
                Callee::Indirect(_) => false,
            };
            let line = body.line(inst).map(u128::from);
            match (constant_of(body.function, value), line) {
                (Some(Constant::Bits(bits)), Some(line)) => {
                    line > 0 && (bits == line || (asserts && bits > line))
                }
                _ => false,
            }
        };
        self.options.ignore_line_numbers
            && own(self.old, operand.old, old_use)
            && own(self.new, operand.new, new_use)
    }

    fn reassigned(&self, operand: Operand, old_use: Inst, new_use: Inst) -> Option<ChangePoint> {
        let in_new = self.new_variables.holding(self.new, operand.new, new_use);
        if in_new.is_empty() {
            return None;
        }
        let in_old = self.old_variables.holding(self.old, operand.old, old_use);
        let name = |body: &Body<'b>, variable| &body.function.variables[variable].name;
        // The one bound first: others took the value over from it.
        let found = in_new.into_iter().rev().find(|(variable, _)| {
            in_old
                .iter()
                .any(|(one, _)| name(self.old, *one) == name(self.new, *variable))
        });
        found.map(|(variable, binding)| ChangePoint {
            inst: binding.before,
            kind: ChangeKind::Assigned(variable),
        })
    }

    fn through_new_param(
        &self,
        operand: Operand,
        block: Block,
        changed: &dyn Fn(Inst) -> bool,
    ) -> Option<Vec<ChangePoint>> {
        let mut points = Vec::new();
        let mut corresponds = false;
        let mut seen = vec![operand.new];
        let mut open = vec![(operand.new, block)];
        while let Some((param, block)) = open.pop() {
            for (terminator, arg) in incoming(self.new, block, param)? {
                if seen.contains(&arg) {
                    continue;
                }
                let pair = Operand {
                    old: operand.old,
                    new: arg,
                    into: None,
                };
                if self.same(pair) {
                    corresponds = true;
                } else if let ValueDef::Param(above, _) = self.new.function.values[arg].def
                    && Some(above) != self.new.function.entry()
                    && self.alignment.old_value_of_new[arg].is_none()
                {
                    seen.push(arg);
                    open.push((arg, above));
                } else if !changed(terminator) {
                    points.push(self.assigned_on_edge(terminator, arg));
                }
            }
        }
        corresponds.then_some(points)
    }

    fn through_old_param(
        &self,
        operand: Operand,
        block: Block,
        changed: &dyn Fn(Inst) -> bool,
    ) -> Option<Vec<ChangePoint>> {
        let mut points = Vec::new();
        let mut corresponds = false;
        for (terminator, arg) in incoming(self.old, block, operand.old)? {
            let pair = Operand {
                old: arg,
                new: operand.new,
                into: None,
            };
            if arg == operand.old {
                continue;
            } else if self.same(pair) {
                corresponds = true;
            } else {
                match self.alignment.new_of_old[terminator] {
                    Some(in_new) if !self.left_in_step(terminator, in_new) => return None,
                    Some(in_new) if changed(in_new) => {}
                    Some(in_new) => points.push(ChangePoint {
                        inst: in_new,
                        kind: ChangeKind::Modified,
                    }),
                    // The old version comes there only after the two are out of step.
                    None if self.follows_deletion(terminator) => {}
                    None => return None,
                }
            }
        }
        corresponds.then_some(points)
    }

    /// Whether an old terminator without partner is reached only through an instruction
    /// without partner. (Jumps need no partner, so one alone proves nothing.)
    fn follows_deletion(&self, terminator: Inst) -> bool {
        let deleted =
            |inst: Inst| !self.old.is_jump(inst) && self.alignment.new_of_old[inst].is_none();
        deleted(terminator)
            || before_jump(self.old, terminator).is_some_and(|(inst, _)| deleted(inst))
    }

    /// Whether control comes to these two terminators in step: they are no jumps, or what
    /// comes right before the jumps is in step.
    fn left_in_step(&self, old: Inst, new: Inst) -> bool {
        if !self.old.is_jump(old) && !self.new.is_jump(new) {
            return self.alignment.old_of_new[new] == Some(old);
        }
        match (before_jump(self.old, old), before_jump(self.new, new)) {
            (Some((old, old_place)), Some((new, new_place))) => {
                old_place == new_place && self.alignment.old_of_new[new] == Some(old)
            }
            _ => false,
        }
    }

    /// The point where a variable gets the value that an edge passes.
    fn assigned_on_edge(&self, terminator: Inst, arg: Value) -> ChangePoint {
        let holding = self.new_variables.holding(self.new, arg, terminator);
        match holding.first() {
            Some((variable, binding)) => ChangePoint {
                inst: binding.before,
                kind: ChangeKind::Assigned(*variable),
            },
            None => ChangePoint {
                inst: terminator,
                kind: ChangeKind::Modified,
            },
        }
    }
}

/// What the edges into `block` pass for `param`; `None` for a function's parameter.
fn incoming(body: &Body<'_>, block: Block, param: Value) -> Option<Vec<(Inst, Value)>> {
    if Some(block) == body.function.entry() {
        return None;
    }
    let params = &body.function.blocks[block].params;
    let place = params.iter().position(|&one| one == param)?;
    let mut passed = Vec::new();
    for before in body.cfg.predecessors(block) {
        let Some(last) = body.function.terminator(before) else {
            continue;
        };
        if body.cfg.is_reachable(before) {
            for edge in edges(body.data(last)) {
                if edge.block == block {
                    passed.push((last, edge.args[place]));
                }
            }
        }
    }
    Some(passed)
}

/// What comes right before a jump: an instruction of its block, or the terminator of the
/// only block before, with the place of its edge.
fn before_jump(body: &Body<'_>, jump: Inst) -> Option<(Inst, usize)> {
    let (block, index) = body.position[jump]?;
    let insts = body.function.blocks[block].insts[..index as usize].iter();
    if let Some(&inst) = insts.rev().find(|inst| !body.is_slot(**inst)) {
        return Some((inst, 0));
    }
    let above = body.cfg.predecessors(block).next()?;
    let last = body.function.terminator(above)?;
    let entering = |edge: &&program_ir::BlockCall| edge.block == block;
    let place = edges(body.data(last)).iter().position(entering)?;
    (body.entries[block] == 1 && !body.is_jump(last)).then_some((last, place))
}
