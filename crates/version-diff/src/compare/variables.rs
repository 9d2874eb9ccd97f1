//! The source variables that hold a value at a point of a body.

use super::Body;
use crate::operation::constant_of;
use program_ir::{Inst, Value, Variable, VariablePlace};
use std::collections::HashMap;

/// What a variable was last bound to, and the instruction just before which.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) value: Option<Value>,
    pub(super) before: Inst,
}

/// The bindings of a body, by the instruction that they precede.
pub(super) struct Variables {
    before: HashMap<Inst, Vec<(Variable, Option<Value>)>>,
    /// Names of the variables that ever hold a value.
    names: HashMap<Value, Vec<Variable>>,
}

impl Variables {
    pub(super) fn of(body: &Body<'_>) -> Self {
        let mut before: HashMap<Inst, Vec<_>> = HashMap::new();
        let mut names: HashMap<Value, Vec<Variable>> = HashMap::new();
        for binding in &body.function.bindings {
            let value = match binding.place {
                VariablePlace::Value(value) => Some(value),
                VariablePlace::Memory(_) | VariablePlace::Gone => None,
            };
            before
                .entry(binding.before)
                .or_default()
                .push((binding.variable, value));
            if let Some(value) = value
                && constant_of(body.function, value).is_none()
            {
                names.entry(value).or_default().push(binding.variable);
            }
        }
        Variables { before, names }
    }

    /// Whether both values have names in the source and none in common.
    pub(super) fn differ(
        &self,
        body: &Body<'_>,
        value: Value,
        other: &Variables,
        other_body: &Body<'_>,
        other_value: Value,
    ) -> bool {
        let (Some(mine), Some(theirs)) = (self.names.get(&value), other.names.get(&other_value))
        else {
            return false;
        };
        let name = |variable: &Variable| &body.function.variables[*variable].name;
        let other_name = |variable: &Variable| &other_body.function.variables[*variable].name;
        !mine
            .iter()
            .any(|variable| theirs.iter().any(|one| name(variable) == other_name(one)))
    }

    /// The variables that hold `value` just before `at`, with where they got it. Follows
    /// the dominator tree, so that the bindings found are executed before `at`.
    pub(super) fn holding(
        &self,
        body: &Body<'_>,
        value: Value,
        at: Inst,
    ) -> Vec<(Variable, Binding)> {
        let Some((mut block, mut index)) = body.position[at] else {
            return Vec::new();
        };
        let mut last: Vec<(Variable, Binding)> = Vec::new();
        loop {
            for &inst in body.function.blocks[block].insts[..=index as usize]
                .iter()
                .rev()
            {
                for &(variable, value) in self.before.get(&inst).into_iter().flatten().rev() {
                    if !last.iter().any(|(known, _)| *known == variable) {
                        let before = inst;
                        last.push((variable, Binding { value, before }));
                    }
                }
            }
            match body.dominators.immediate(block) {
                Some(above) => {
                    block = above;
                    index = body.function.blocks[above].insts.len() as u32 - 1;
                }
                None => break,
            }
        }
        last.retain(|(_, binding)| {
            binding.value.is_some_and(|held| {
                held == value
                    || (constant_of(body.function, held).is_some()
                        && constant_of(body.function, held) == constant_of(body.function, value)
                        && body.function.ty(held) == body.function.ty(value))
            })
        });
        last
    }
}
