//! The change effect propagation tree (Qi et al., §3.2, Definition 2): how far did the effect of a change come in one
//! run, and where did it stop?
//!
//! **Nodes** are the instances of one version's run whose operands differ from those of the corresponding instance of
//! the other version's; instances without a corresponding one; and executed change points. There is an edge from a node to a node that
//! depends on it, by data or control. Both versions run deterministically on the same input, so every difference
//! stems from a change: no walk from the change points is needed to find the nodes.
//!
//! Operands are compared by value; pointers by the object they point to and the place in it (the paper leaves
//! addresses out altogether). What a load reads is its operand too. Copies on control-flow edges are no statements: a
//! use is a use of what was copied.
//!
//! **Leaves** are where the effect stops, in the paper's three kinds:
//! - [`Leaf::NotUsed`]: a value differs, and nothing used it;
//! - [`Leaf::NoTransfer`]: an operand differs, the result does not;
//! - [`Leaf::SameWay`]: an operand of a branch differs, and both versions go the same way. A branch that only this
//!   version has counts too: the other version goes on as if it had been decided one way.
//!
//! Beyond the paper: both versions' results are terms over the same input, so it can be seen that a result is the same
//! *by chance*: equal values of different terms. The first such instances, and the branches with different conditions, are leaves of
//! the second and third kind too; a difference may arise there for another input though none did for this one.

use super::align::{Aligned, NONE};
use super::matching::{OperationKind, SameValues, Statements};
use concolic_vm::observe::{Instance, UnpackedTrace};
use concolic_vm::{CodeSite, Program};
use expr::ExprId;
use program_ir::InstData;
use std::collections::BTreeMap;

/// One version's run.
#[derive(Clone, Copy)]
pub struct Side<'t> {
    pub program: &'t Program,
    pub trace: &'t UnpackedTrace,
    pub statements: &'t Statements,
}

/// Where the effect of a change stops.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Leaf {
    /// Both versions' branch decides the same; or only one version has the branch, and nothing came of it.
    SameWay {
        instance: Instance,
        partner: Option<Instance>,
    },
    /// The result is the same.
    NoTransfer {
        instance: Instance,
        partner: Instance,
    },
    /// Nothing used the value.
    NotUsed { instance: Instance },
}

impl Leaf {
    pub fn instance(self) -> Instance {
        match self {
            Leaf::SameWay { instance, .. }
            | Leaf::NoTransfer { instance, .. }
            | Leaf::NotUsed { instance } => instance,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct EffectTree {
    /// By instance.
    is_node: Vec<bool>,
    /// In the order of execution.
    pub leaves: Vec<Leaf>,
    /// Whether a change point was executed.
    pub executes_change: bool,
}

impl EffectTree {
    /// The effects in the run of `this` version, against that of the `other`. `aligned` gives partners from `this` (as
    /// the new one) to the `other`.
    pub fn of(
        this: Side<'_>,
        other: Side<'_>,
        aligned: &Aligned,
        mut values: SameValues,
    ) -> EffectTree {
        let trace = this.trace;
        let count = trace.len();
        let is_used = uses(this);
        let ways = conditions(this);
        let other_ways = conditions(other);
        let mut tree = EffectTree {
            is_node: vec![false; count],
            ..EffectTree::default()
        };
        // Nodes whose effect goes on: what depends on them is in the tree.
        let mut affected = vec![false; count];
        let mut goes_on = vec![false; count];
        // Equal by chance, or behind such a one.
        let mut by_chance = vec![false; count];
        for instance in trace.instances() {
            let index = instance.0 as usize;
            let operation = trace.operation(instance) as usize;
            if is_copy(this, instance) {
                let mut from = trace.data(instance).iter().map(|on| on.0 as usize);
                by_chance[index] = from.any(|on| by_chance[on]);
                continue;
            }
            let is_point = this.statements.is_point[operation];
            tree.executes_change |= is_point;
            let depends = |tree: &EffectTree, affected: &[bool], goes_on: &mut [bool]| {
                for on in sources(this, instance) {
                    let on = on.0 as usize;
                    goes_on[on] |= affected[on] && tree.is_node[index];
                }
            };
            let Some(partner) = aligned.old_of(instance.0).map(Instance) else {
                tree.is_node[index] = true;
                affected[index] = !is_branch(this, instance);
                depends(&tree, &affected, &mut goes_on);
                let is_new = this.statements.statement[operation] == NONE;
                if is_new && is_branch(this, instance) && ways.contains_key(&instance) {
                    let partner = None;
                    tree.leaves.push(Leaf::SameWay { instance, partner });
                }
                continue;
            };
            let (value, other_value) = (trace.value(instance), other.trace.value(partner));
            if makes_object(this, instance) {
                values.made(value, other_value);
            }
            let operands_differ = operands_differ(this, instance, other, partner, &values);
            let branch = is_branch(this, instance);
            let same_result = match branch {
                true => same_way(this, instance, other, partner),
                false => values.same(value, other_value),
            };
            let differs = is_point || operands_differ || !same_result;
            let mut on = trace.data(instance).iter().map(|on| on.0 as usize);
            let from_chance = on.any(|on| by_chance[on]);
            let other_formula = match branch {
                true => ways.get(&instance) != other_ways.get(&partner),
                false => trace.term(instance) != other.trace.term(partner),
            };
            let is_chance = same_result && !makes_object(this, instance) && other_formula;
            by_chance[index] = is_chance || from_chance;
            tree.is_node[index] = differs;
            affected[index] = !same_result && !branch;
            if differs {
                depends(&tree, &affected, &mut goes_on);
            }
            if !same_result {
                continue;
            }
            // A change point whose formula is the same is a mark for something else.
            if branch && (operands_differ || is_chance) {
                let partner = Some(partner);
                tree.leaves.push(Leaf::SameWay { instance, partner });
            } else if !branch && (operands_differ || is_chance && !from_chance) {
                tree.leaves.push(Leaf::NoTransfer { instance, partner });
            }
        }
        let executed = executed(this);
        let is_point = |instance| this.statements.is_point[trace.operation(instance) as usize];
        for instance in trace.instances() {
            let index = instance.0 as usize;
            let is_definition =
                affected[index] && kind(this, instance) == OperationKind::Definition;
            let is_lost = is_definition && !goes_on[index] && !is_used[index];
            if is_lost || is_point(instance) && not_taken_over(this, instance, &executed) {
                tree.leaves.push(Leaf::NotUsed { instance });
            }
        }
        tree.leaves.sort_by_key(|leaf| leaf.instance());
        tree
    }

    pub fn contains(&self, instance: Instance) -> bool {
        self.is_node[instance.0 as usize]
    }

    pub fn nodes(&self) -> impl Iterator<Item = Instance> + '_ {
        let all = self.is_node.iter().zip(0..);
        all.filter(|(is_node, _)| **is_node)
            .map(|(_, index)| Instance(index))
    }

    /// The nodes that a node depends on.
    pub fn parents(&self, side: Side<'_>, instance: Instance) -> Vec<Instance> {
        let mut parents = sources(side, instance);
        parents.extend(side.trace.control(instance));
        parents.retain(|&parent| self.contains(parent));
        parents
    }
}

/// A copy on an edge of the control flow.
fn is_copy(side: Side<'_>, instance: Instance) -> bool {
    kind(side, instance) == OperationKind::Copy
}

/// What an instance depends on by data, with copies followed to what was copied.
fn sources(side: Side<'_>, instance: Instance) -> Vec<Instance> {
    let mut found = Vec::new();
    let mut work: Vec<Instance> = side.trace.data(instance).to_vec();
    while let Some(on) = work.pop() {
        match is_copy(side, on) {
            true => work.extend(side.trace.data(on)),
            false => found.push(on),
        }
    }
    found
}

/// By instance: whether anything used its result, copies apart.
fn uses(side: Side<'_>) -> Vec<bool> {
    let mut is_used = vec![false; side.trace.len()];
    for instance in side.trace.instances().rev() {
        if is_copy(side, instance) && !is_used[instance.0 as usize] {
            continue;
        }
        for on in side.trace.data(instance) {
            is_used[on.0 as usize] = true;
        }
    }
    is_used
}

/// By operation.
fn executed(side: Side<'_>) -> Vec<bool> {
    let mut executed = vec![false; side.statements.statement.len()];
    for instance in side.trace.instances() {
        executed[side.trace.operation(instance) as usize] = true;
    }
    executed
}

/// A change that gives a variable another value without an instruction of its own, and no use of it was executed.
fn not_taken_over(side: Side<'_>, instance: Instance, executed: &[bool]) -> bool {
    let Some(place) = side.trace.place(side.program, instance) else {
        return false;
    };
    let Some(takers) = side.statements.takers.get(&place) else {
        return false;
    };
    let was_executed = |&(func, inst): &(program_ir::Func, program_ir::Inst)| {
        let function = func.as_u32();
        (0..side.program.operation_count_of(func)).any(|pc| {
            let site = CodeSite { function, pc };
            executed[side.program.operation_number(site) as usize]
                && side.program.inst_at(site) == Some(inst)
        })
    };
    !takers.is_empty() && !takers.iter().any(was_executed)
}

/// The conditions that each instance decided.
fn conditions(side: Side<'_>) -> BTreeMap<Instance, Vec<ExprId>> {
    let mut found: BTreeMap<Instance, Vec<ExprId>> = BTreeMap::new();
    for &(instance, condition) in &side.trace.conditions {
        found.entry(instance).or_default().push(condition);
    }
    found
}

fn kind(side: Side<'_>, instance: Instance) -> OperationKind {
    side.statements.kind[side.trace.operation(instance) as usize]
}

fn is_branch(side: Side<'_>, instance: Instance) -> bool {
    kind(side, instance) == OperationKind::Branch
}

fn makes_object(side: Side<'_>, instance: Instance) -> bool {
    matches!(
        kind(side, instance),
        OperationKind::Alloca | OperationKind::Call
    )
}

fn switch<'t>(side: Side<'t>, instance: Instance) -> Option<&'t InstData> {
    let (func, inst) = side.trace.place(side.program, instance)?;
    let data = &side.program.module().functions[func].insts[inst].data;
    matches!(data, InstData::Switch { .. }).then_some(data)
}

fn operands_differ(
    this: Side<'_>,
    instance: Instance,
    other: Side<'_>,
    partner: Instance,
    values: &SameValues,
) -> bool {
    let (own, theirs) = (this.trace.data(instance), other.trace.data(partner));
    own.len() != theirs.len()
        || own
            .iter()
            .zip(theirs)
            .any(|(&own, &theirs)| !values.same(this.trace.value(own), other.trace.value(theirs)))
}

/// Whether two branches went to corresponding places.
fn same_way(this: Side<'_>, instance: Instance, other: Side<'_>, partner: Instance) -> bool {
    let (own, theirs) = (this.trace.value(instance), other.trace.value(partner));
    if switch(this, instance).is_none() {
        return own == theirs;
    }
    // A switch's way is a place in the code: the ways correspond if the same cases lead there.
    let case = |side: Side<'_>, instance: Instance, way: u64| {
        let site = side.trace.site(side.program, instance);
        let entered = side.program.block_entered(CodeSite {
            function: site.function,
            pc: way as u32,
        })?;
        let Some(InstData::Switch { cases, default, .. }) = switch(side, instance) else {
            return None;
        };
        let values: Vec<u128> = cases
            .iter()
            .filter(|(_, edge)| edge.block == entered)
            .map(|(value, _)| *value)
            .collect();
        Some((values, default.block == entered))
    };
    match (case(this, instance, own), case(other, partner, theirs)) {
        (Some(own), Some(theirs)) => own == theirs,
        _ => true,
    }
}
