//! One look at a run: both versions are traced, the leaves of the change effect trees are chosen, and for each the solver is asked
//! for an input.

use super::{Ran, RunError, Worker, relevant_conditions};
use concolic_vm::observe::{Instance, UnpackedTrace};
use concolic_vm::symbolic::{SymbolicInput, SymbolicRun};
use expr::{ExprId, Store};
use relational::propagate::effect_tree::{EffectTree, Leaf, Side, TreeCut, TreeLimits};
use relational::propagate::{
    Candidate, Cut, Goal, Propagation, Rule, RunCandidates, trace_limits, transfer,
};
use rustc_hash::{FxHashMap, FxHasher};
use search::Target;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::time::{Duration, Instant};

/// Both versions' runs of one input, and the questions asked about them.
struct Attempt<'w, 'p, 'x, 'f> {
    worker: &'w mut Worker<'p>,
    plan: &'x Propagation<'f>,
    traces: &'x [UnpackedTrace; 2],
    runs: &'x [SymbolicRun; 2],
    input: &'x SymbolicInput,
    deadline: Instant,
    found: RunCandidates,
}

impl<'p> Worker<'p> {
    /// Algorithm 2 for an input that showed no difference. `is_new` says whether a tree with these
    /// leaves is still worth a look.
    pub(crate) fn propagate(
        &mut self,
        plan: &Propagation<'_>,
        input: &SymbolicInput,
        mut is_new: impl FnMut(u64) -> bool,
        time_left: Option<Duration>,
    ) -> Result<RunCandidates, RunError> {
        let time = time_left.map_or(plan.limits.time, |left| left.min(plan.limits.time));
        let deadline = Instant::now() + time;
        self.tidy();
        let terms_before = self.store.len();
        let mut trace = |version: usize| -> Result<_, RunError> {
            let facts = plan.trace_facts(version);
            let limits = trace_limits(plan.limits.instances);
            let (run, trace) = self.trace(version, input, facts, limits)?;
            Ok((run, trace.unpacked()))
        };
        let ((old_run, old), (new_run, new)) = (trace(0)?, trace(1)?);
        let (runs, traces) = ([old_run, new_run], [old, new]);
        let mut attempt = Attempt {
            worker: self,
            plan,
            traces: &traces,
            runs: &runs,
            input,
            deadline,
            found: RunCandidates::default(),
        };
        let new_terms = attempt.worker.store.len() - terms_before;
        attempt.found.cut = if traces.iter().any(|trace| trace.cut_off) {
            Some(Cut::Instances)
        } else if new_terms > plan.limits.terms {
            Some(Cut::Terms)
        } else {
            (Instant::now() >= deadline).then_some(Cut::Time)
        };
        if attempt.found.cut.is_some() {
            return Ok(attempt.found);
        }
        let tree_limits = TreeLimits {
            nodes: plan.limits.nodes,
            leaves: plan.limits.leaves,
            deadline: Some(deadline),
        };
        let aligned = plan.aligned(&traces);
        let mut any_new = false;
        for version in [1, 0] {
            let tree = plan.tree(version, &traces, &aligned, tree_limits);
            attempt.found.cut = attempt.found.cut.or(tree.cut.map(|cut| match cut {
                TreeCut::Nodes => Cut::Nodes,
                TreeCut::Leaves => Cut::Leaves,
                TreeCut::Time => Cut::Time,
            }));
            let this = plan.side(version, &traces[version]);
            let leaves = chosen(&tree, this);
            if leaves.is_empty() || !is_new(key(version, &leaves, this)) {
                continue;
            }
            any_new = true;
            for leaf in leaves {
                if attempt.is_over() {
                    break;
                }
                attempt.leaf(version as u8, leaf);
            }
            if !attempt.found.candidates.is_empty() {
                break;
            }
        }
        for version in [1, 0] {
            if !attempt.found.candidates.is_empty() {
                break;
            }
            let points = executed_points(plan.side(version, &traces[version]));
            attempt.another_state(version as u8, points);
        }
        attempt.found.seen_before = !any_new;
        Ok(attempt.found)
    }
}

/// A number that runs share whose input decided the same ways at the same places, however often.
pub(crate) fn ways_key(ran: &Ran<'_>) -> u64 {
    let of_old = ran.versions.first().map_or(0, |old| old.own_events);
    let events = ran.path.events.iter().enumerate();
    let mut ways: Vec<_> = events
        .map(|(number, event)| (number < of_old, event.site, event.way))
        .collect();
    ways.sort_unstable();
    ways.dedup();
    let mut hasher = FxHasher::default();
    ways.hash(&mut hasher);
    hasher.finish()
}

/// Of each change point that was executed, the last instance.
fn executed_points(side: Side<'_>) -> Vec<Instance> {
    let mut last: BTreeMap<u32, Instance> = BTreeMap::new();
    for instance in side.trace.instances() {
        let operation = side.trace.operation(instance);
        if side.statements.is_point[operation as usize] {
            last.insert(operation, instance);
        }
    }
    last.into_values().collect()
}

/// The leaves to try: of each operation's the first and the last. Leaves that depend on the same changes make a group, and
/// the groups take turns; in a group, branches come first.
fn chosen(tree: &EffectTree, side: Side<'_>) -> Vec<Leaf> {
    let rank = |leaf: &Leaf| match leaf {
        Leaf::SameWay { .. } => 0,
        Leaf::NoTransfer { .. } => 1,
        Leaf::NotUsed { .. } => 2,
    };
    let mut by_operation: BTreeMap<(u64, u8, u32), (Leaf, Leaf)> = BTreeMap::new();
    for leaf in &tree.leaves {
        let changes = tree.changes_behind(leaf.instance());
        let key = (changes, rank(leaf), side.trace.operation(leaf.instance()));
        let ends = by_operation.entry(key).or_insert((*leaf, *leaf));
        ends.1 = *leaf;
    }
    let mut leaves: Vec<Leaf> = Vec::new();
    for (first, last) in by_operation.into_values() {
        leaves.push(first);
        if last != first {
            leaves.push(last);
        }
    }
    leaves.sort_by_key(|leaf| (rank(leaf), leaf.instance()));
    let mut turns: FxHashMap<u64, u32> = FxHashMap::default();
    let mut ordered: Vec<(u32, Leaf)> = Vec::new();
    for leaf in leaves {
        let turn = turns
            .entry(tree.changes_behind(leaf.instance()))
            .or_default();
        ordered.push((*turn, leaf));
        *turn += 1;
    }
    ordered.sort_by_key(|(turn, leaf)| (*turn, rank(leaf), leaf.instance()));
    ordered.into_iter().map(|(_, leaf)| leaf).collect()
}

/// A number that trees with the same leaves share, if their runs execute the changes equally often.
fn key(version: usize, leaves: &[Leaf], side: Side<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    version.hash(&mut hasher);
    let is_point = |&operation: &usize| side.statements.is_point[operation];
    let executed = side.trace.instances();
    let executed = executed.map(|instance| side.trace.operation(instance) as usize);
    // Each number of times is worth a look, as long as it is small.
    executed.filter(is_point).take(16).count().hash(&mut hasher);
    let mut operations: Vec<(u8, u32)> = leaves
        .iter()
        .map(|leaf| {
            let kind = match leaf {
                Leaf::SameWay { .. } => 0,
                Leaf::NoTransfer { .. } => 1,
                Leaf::NotUsed { .. } => 2,
            };
            (kind, side.trace.operation(leaf.instance()))
        })
        .collect();
    operations.sort_unstable();
    operations.dedup();
    operations.hash(&mut hasher);
    hasher.finish()
}

impl Attempt<'_, '_, '_, '_> {
    fn is_over(&self) -> bool {
        let limits = &self.plan.limits;
        self.found.queries >= limits.queries as u64
            || self.found.candidates.len() >= limits.candidates
            || Instant::now() >= self.deadline
    }

    fn leaf(&mut self, version: u8, leaf: Leaf) {
        match leaf {
            Leaf::SameWay { instance, partner } => self.same_way(version, instance, partner),
            Leaf::NoTransfer { instance, partner } => self.no_transfer(version, instance, partner),
            Leaf::NotUsed { instance } => self.not_used(version, instance),
        }
    }

    fn trace(&self, version: u8) -> &UnpackedTrace {
        &self.traces[usize::from(version)]
    }

    /// The partial path condition: what a version had decided before an instance.
    fn path_before(&self, version: u8, instance: Instance) -> Vec<ExprId> {
        let conditions = &self.trace(version).conditions;
        let end = conditions.partition_point(|&(at, _)| at < instance);
        conditions[..end]
            .iter()
            .map(|&(_, condition)| condition)
            .collect()
    }

    fn decided_at(&self, version: u8, instance: Instance) -> Vec<ExprId> {
        let conditions = &self.trace(version).conditions;
        let start = conditions.partition_point(|&(at, _)| at < instance);
        let own = conditions[start..]
            .iter()
            .take_while(|&&(at, _)| at == instance);
        own.map(|&(_, condition)| condition).collect()
    }

    /// Asks for an input that follows `path` and satisfies `wanted`; whether there is one.
    fn ask(&mut self, rule: Rule, version: u8, path: &[ExprId], wanted: &[ExprId]) -> bool {
        if wanted.iter().any(|&term| self.worker.store.is_false(term)) {
            return false;
        }
        let constraints = relevant_conditions(&self.worker.store, path, wanted);
        let left = self.deadline.saturating_duration_since(Instant::now());
        let left = left.min(self.plan.limits.query);
        self.found.queries += 1;
        let Some(model) = self.worker.model(&constraints, left) else {
            return false;
        };
        let input = self.input.with_model(&self.worker.store, &model);
        let is_new = input != *self.input
            && self
                .found
                .candidates
                .iter()
                .all(|other| other.input != input);
        if is_new {
            self.found.candidates.push(Candidate {
                rule,
                version,
                input,
            });
        }
        true
    }

    /// PropCjmp.
    fn same_way(&mut self, version: u8, instance: Instance, partner: Option<Instance>) {
        let other = 1 - version;
        let mut path = self.path_before(version, instance);
        let Some(partner) = partner else {
            let decided = self.decided_at(version, instance);
            let store = &mut self.worker.store;
            let stays = decided
                .iter()
                .fold(store.truth(true), |all, &one| store.and(all, one));
            let goes_elsewhere = store.not(stays);
            self.ask(Rule::SameWay, version, &path, &[goes_elsewhere]);
            return;
        };
        path.extend(self.path_before(other, partner));
        let decided = [
            self.decided_at(version, instance),
            self.decided_at(other, partner),
        ];
        if decided.iter().all(Vec::is_empty) {
            self.another_state(version, vec![instance]);
            let program = self.plan.program(version);
            if let Some((func, inst)) = self.trace(version).place(program, instance) {
                self.approach(
                    Rule::AnotherState,
                    version,
                    Goal::Place(version, func, inst),
                );
            }
            return;
        }
        for flipped in [0, 1] {
            let (kept, left) = (&decided[1 - flipped], &decided[flipped]);
            if left.is_empty() || kept == left {
                continue;
            }
            let store = &mut self.worker.store;
            let stays = left
                .iter()
                .fold(store.truth(true), |all, &one| store.and(all, one));
            let mut wanted = kept.clone();
            wanted.push(store.not(stays));
            self.ask(Rule::SameWay, version, &path, &wanted);
        }
    }

    /// Takes the latest decisions that some instances depend on the other way.
    fn another_state(&mut self, version: u8, instances: Vec<Instance>) {
        const DECISIONS: usize = 4;
        let traces = self.traces;
        let trace = &traces[usize::from(version)];
        let slice = trace.backward_slice(instances);
        let decided = trace.conditions.iter().rev();
        let in_slice = decided.filter(|&&(instance, _)| slice.contains(instance));
        let mut tried: Vec<ExprId> = Vec::new();
        for &(instance, condition) in in_slice {
            if tried.len() >= DECISIONS || self.is_over() {
                break;
            }
            if tried.contains(&condition) {
                continue;
            }
            tried.push(condition);
            let path = self.path_before(version, instance);
            let other_way = self.worker.store.not(condition);
            self.ask(Rule::AnotherState, version, &path, &[other_way]);
        }
    }

    /// PropTransfer.
    fn no_transfer(&mut self, version: u8, instance: Instance, partner: Instance) {
        let other = 1 - version;
        let own_path = self.path_before(version, instance);
        let mut path = own_path.clone();
        path.extend(self.path_before(other, partner));
        let here = (
            self.trace(version).value(instance),
            self.trace(version).term(instance),
        );
        let there = (
            self.trace(other).value(partner),
            self.trace(other).term(partner),
        );
        let differ = terms_differ(&mut self.worker.store, here, there);
        if let Some(differ) = differ
            && self.ask(Rule::NoTransfer, version, &path, &[differ])
        {
            return;
        }
        if let Some(wanted) = self.transfer_condition(version, instance, partner) {
            self.ask(Rule::NoTransfer, version, &own_path, &wanted);
        }
    }

    /// "An operand differs, and the operation passes that on."
    fn transfer_condition(
        &mut self,
        version: u8,
        instance: Instance,
        partner: Instance,
    ) -> Option<Vec<ExprId>> {
        let own = operand_terms(
            self.plan,
            &mut self.worker.store,
            self.traces,
            version,
            instance,
        )?;
        let other = 1 - version;
        let theirs = operand_terms(
            self.plan,
            &mut self.worker.store,
            self.traces,
            other,
            partner,
        )?;
        if own.1.len() != theirs.1.len() {
            return None;
        }
        let store = &mut self.worker.store;
        let pairs = own.1.iter().zip(&theirs.1);
        let changed = pairs
            .enumerate()
            .find(|(_, (a, b))| a != b && store.width(**a) == store.width(**b));
        let (changed, (&value, &other)) = changed?;
        let transfer = transfer::transfer(store, own.0, &own.1, changed, other)?;
        let apart = store.ne(value, other);
        Some(vec![apart, transfer.condition])
    }

    /// PropNouse.
    fn not_used(&mut self, version: u8, instance: Instance) {
        let program = self.plan.program(version);
        if let Some((func, inst)) = self.trace(version).place(program, instance) {
            self.approach(Rule::NotUsed, version, Goal::Uses(version, func, inst));
        }
    }

    /// Takes the ways that the run left open and that are nearest to a goal.
    fn approach(&mut self, rule: Rule, version: u8, goal: Goal) {
        const WAYS: usize = 3;
        let plan = self.plan;
        let program = plan.program(version);
        let distances = plan.distances(goal);
        let runs = self.runs;
        let path = &runs[usize::from(version)].path;
        let mut ways: Vec<(u32, std::cmp::Reverse<usize>, usize)> = Vec::new();
        for (event, number) in path.iter().zip(0..) {
            for (alternative, index) in event.alternatives.iter().zip(0..) {
                let target = Target {
                    version,
                    site: event.site,
                    kind: event.kind,
                    way: alternative.way,
                };
                let edge = plan.changes().edge(program, &target);
                let edge = edge.and_then(|(func, block, to)| distances.of_edge(func, block, to));
                if let Some(distance) = edge {
                    ways.push((distance, std::cmp::Reverse(number), index));
                }
            }
        }
        ways.sort_unstable();
        for (_, std::cmp::Reverse(event), alternative) in ways.into_iter().take(WAYS) {
            if self.is_over() {
                break;
            }
            let before: Vec<ExprId> = path[..event].iter().map(|event| event.condition).collect();
            let way = path[event].alternatives[alternative].condition;
            self.ask(rule, version, &before, &[way]);
        }
    }
}

/// The operation of an instance, and its operands as terms.
fn operand_terms(
    plan: &Propagation<'_>,
    store: &mut Store,
    traces: &[UnpackedTrace; 2],
    version: u8,
    instance: Instance,
) -> Option<(concolic_vm::symbolic::Operation, Vec<ExprId>)> {
    let program = plan.program(version);
    let trace = &traces[usize::from(version)];
    let computation = program.computation_at(trace.site(program, instance))?;
    let registers = computation
        .operands
        .iter()
        .filter(|operand| operand.constant.is_none());
    let data = trace.data(instance);
    // Neighbours that are the same are written once, and what the start left is not written at all.
    let all_the_same = data.len() == 1;
    if registers.count() != data.len() && !all_the_same {
        return None;
    }
    let mut next = data.iter();
    let mut terms = Vec::new();
    for operand in &computation.operands {
        let width = operand.width;
        terms.push(match operand.constant {
            Some(value) => store.constant(value, width),
            None => {
                let on = next.next().or(data.first())?;
                match trace.term(*on) {
                    Some(term) => fit(store, term, width),
                    None if width <= 64 => {
                        store.constant(u128::from(trace.value(*on)) & expr::mask(width), width)
                    }
                    None => return None,
                }
            }
        });
    }
    Some((computation.operation, terms))
}

fn fit(store: &mut Store, term: ExprId, width: u32) -> ExprId {
    match store.width(term) < width {
        true => store.zext(term, width),
        false => store.trunc(term, width),
    }
}

/// Two results differ; `None` if neither depends on the input.
fn terms_differ(
    store: &mut Store,
    (value, term): (u64, Option<ExprId>),
    (other_value, other_term): (u64, Option<ExprId>),
) -> Option<ExprId> {
    let widths = [term, other_term]
        .into_iter()
        .flatten()
        .map(|term| store.width(term));
    let width = widths.max()?;
    let mut whole = |value: u64, term: Option<ExprId>| match term {
        Some(term) => fit(store, term, width),
        None => store.constant(u128::from(value) & expr::mask(width), width),
    };
    let (here, there) = (whole(value, term), whole(other_value, other_term));
    Some(store.ne(here, there))
}
