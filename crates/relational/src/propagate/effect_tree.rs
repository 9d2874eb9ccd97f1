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
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::time::Instant;

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

/// How large a tree may become. What is left out lies towards the end of the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeLimits {
    pub nodes: usize,
    pub leaves: usize,
    /// When to stop at the latest.
    pub deadline: Option<Instant>,
}

impl TreeLimits {
    pub const NONE: TreeLimits = TreeLimits {
        nodes: usize::MAX,
        leaves: usize::MAX,
        deadline: None,
    };

    /// Looks at the clock at every so many instances.
    const CLOCK: usize = 1 << 12;

    fn is_late(&self, index: usize) -> bool {
        let look = index.is_multiple_of(TreeLimits::CLOCK);
        look && self.deadline.is_some_and(|limit| Instant::now() >= limit)
    }
}

/// Why a tree ends before its run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TreeCut {
    Nodes,
    Leaves,
    Time,
}

#[derive(Clone, Debug, Default)]
pub struct EffectTree {
    /// By instance.
    is_node: Vec<bool>,
    /// By instance: the changes that it depends on by data, as bits.
    changes: Vec<u64>,
    /// How many nodes there are.
    pub size: usize,
    pub cut: Option<TreeCut>,
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
        limits: TreeLimits,
    ) -> EffectTree {
        let trace = this.trace;
        let count = trace.len();
        let copies = Copies::of(this);
        let is_used = uses(this);
        let ways = conditions(this);
        let other_ways = conditions(other);
        let mut tree = EffectTree {
            is_node: vec![false; count],
            changes: vec![0; count],
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
            tree.size += usize::from(tree.is_node[index - 1]);
            tree.cut = tree.cut_before(index, &limits);
            if tree.cut.is_some() {
                break;
            }
            let behind = trace.data(instance).iter();
            let behind = behind.fold(0, |all, on| all | tree.changes[on.0 as usize]);
            let own = this.statements.changes.get(&(operation as u32));
            tree.changes[index] = behind | own.copied().unwrap_or(0);
            if is_copy(this, instance) {
                by_chance[index] = any_behind(this, instance, &by_chance);
                continue;
            }
            let is_point = this.statements.is_point[operation];
            tree.executes_change |= is_point;
            let depends = |tree: &EffectTree, affected: &[bool], goes_on: &mut [bool]| {
                for on in copies.sources(this, instance) {
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
            let from_chance = any_behind(this, instance, &by_chance);
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
        tree.size += usize::from(count > 1 && tree.is_node[count - 1]);
        tree.add_not_used(this, limits.leaves, |index| {
            affected[index] && !goes_on[index] && !is_used[index]
        });
        tree.leaves.sort_by_key(|leaf| leaf.instance());
        tree
    }

    /// Why the tree ends before an instance, if it does.
    fn cut_before(&self, index: usize, limits: &TreeLimits) -> Option<TreeCut> {
        if self.size >= limits.nodes {
            Some(TreeCut::Nodes)
        } else if self.leaves.len() >= limits.leaves {
            Some(TreeCut::Leaves)
        } else {
            limits.is_late(index).then_some(TreeCut::Time)
        }
    }

    /// Adds the values that nothing used: definitions whose effect does not go on, and changes whose values were not taken over.
    fn add_not_used(&mut self, this: Side<'_>, most: usize, ends: impl Fn(usize) -> bool) {
        let trace = this.trace;
        let executed = executed(this);
        let is_point = |instance| this.statements.is_point[trace.operation(instance) as usize];
        for instance in trace.instances() {
            let is_lost =
                ends(instance.0 as usize) && kind(this, instance) == OperationKind::Definition;
            if self.leaves.len() >= most {
                self.cut.get_or_insert(TreeCut::Leaves);
                break;
            }
            if is_lost || is_point(instance) && not_taken_over(this, instance, &executed) {
                self.leaves.push(Leaf::NotUsed { instance });
            }
        }
    }

    /// The changes that an instance depends on by data, as bits: what one change does, and what several do together.
    pub fn changes_behind(&self, instance: Instance) -> u64 {
        self.changes[instance.0 as usize]
    }

    pub fn contains(&self, instance: Instance) -> bool {
        self.is_node[instance.0 as usize]
    }

    pub fn nodes(&self) -> impl Iterator<Item = Instance> + '_ {
        let all = self.is_node.iter().zip(0..);
        all.filter(|(is_node, _)| **is_node)
            .map(|(_, index)| Instance(index))
    }
}

/// A copy on an edge of the control flow.
fn is_copy(side: Side<'_>, instance: Instance) -> bool {
    kind(side, instance) == OperationKind::Copy
}

/// Copies followed to what was copied. A value may be copied once in each round of a loop, so they are followed once
/// for all, in the order of execution, and not from each use.
struct Copies {
    /// By instance: what was copied, if that is one thing.
    origin: Vec<Instance>,
    /// The words of a wide value may stem from several.
    origins: FxHashMap<Instance, Vec<Instance>>,
}

impl Copies {
    fn of(side: Side<'_>) -> Copies {
        let mut copies = Copies {
            origin: vec![Instance::NONE; side.trace.len()],
            origins: FxHashMap::default(),
        };
        for instance in side.trace.instances() {
            if is_copy(side, instance) {
                match copies.sources(side, instance)[..] {
                    [] => {}
                    [origin] => copies.origin[instance.0 as usize] = origin,
                    ref several => {
                        copies.origins.insert(instance, several.to_vec());
                    }
                }
            }
        }
        copies
    }

    /// What an instance depends on by data, each once.
    fn sources(&self, side: Side<'_>, instance: Instance) -> Vec<Instance> {
        let mut found: Vec<Instance> = Vec::new();
        for &on in side.trace.data(instance) {
            match (self.origin[on.0 as usize], self.origins.get(&on)) {
                (Instance::NONE, None) if is_copy(side, on) => {}
                (Instance::NONE, None) => found.push(on),
                (Instance::NONE, Some(origins)) => found.extend(origins),
                (origin, _) => found.push(origin),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
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

/// Whether something that an instance depends on by data is marked.
fn any_behind(side: Side<'_>, instance: Instance, marked: &[bool]) -> bool {
    let mut behind = side.trace.data(instance).iter();
    behind.any(|on| marked[on.0 as usize])
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
