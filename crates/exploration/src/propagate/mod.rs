//! Propagating the effect of a change to an output (Qi et al., §3.2, Algorithm 2).
//!
//! A run that executes a change need not show it. [`Propagation`] finds where its effect stopped
//! ([`effect_tree`]) and asks the solver for inputs with which it goes farther:
//!
//! - **PropCjmp**, at a branch that decides the same in both versions: the paths of both versions up to it, and the
//!   branch decided differently, in both directions.
//! - **PropTransfer**, at a result that is the same: the paths of both up to it, and "the results differ". If no input
//!   does that, this version's path alone and the operation's transfer condition ([`transfer`]).
//! - **PropNouse**, at a value that was not used: its static uses ([`uses`]) are targets for Algorithm 1. Of the ways
//!   that the run did not take, those with the smallest distance to a use are solved; the runs that come out are looked
//!   at in turn.
//!
//! First on the new version's run; if that gives no input, on the old version's.
//!
//! Looks at runs take turns with the search, after all seeds. The inputs are *candidates*: the search runs them before
//! it goes on (like seeds), so what a candidate shows is found
//! and proved as everything else is. A wrong alignment costs a useless candidate, never a wrong answer.
//!
//! Deviations: all leaves are tried in one go, within [`Limits`], and not one by one with a run after each; branches
//! come first, since they need no second step. Runs whose trees have the same leaves as [`TIMES_A_TREE`] earlier ones are
//! passed over, and so are runs that decide the same ways; the rest is thinned out ([`FIRST_LOOKS`]): the paper's programs
//! have few runs.

pub mod align;
pub mod effect_tree;
pub mod matching;
pub mod transfer;
pub mod uses;

use crate::attribution::trace_facts;
use crate::path_tree::Target;
use crate::static_facts::StaticFacts;
use crate::subject::Version;
use crate::worker::{Ran, Worker, relevant_conditions};
use align::{Aligned, Sequence, align};
use concolic_vm::observe::{DependenceTrace, Instance, TraceFacts};
use concolic_vm::symbolic::{SymbolicInput, SymbolicRun, SymbolicStartError};
use effect_tree::{EffectTree, Leaf, Side};
use expr::{ExprId, Store};
use matching::{Matching, SameValues};
use program_graphs::Distances;
use program_ir::{Func, Inst};
use rustc_hash::{FxHashMap, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How much is spent on one run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Instances of a trace; a longer one is not looked at.
    pub instances: usize,
    pub queries: usize,
    pub candidates: usize,
    /// For one query, and for all: hard ones must not take all the time.
    pub query: Duration,
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            instances: 4 << 20,
            queries: 24,
            candidates: 6,
            query: Duration::from_millis(200),
            time: Duration::from_millis(800),
        }
    }
}

/// How often trees with the same leaves are looked at: what cannot be solved on one path may be on another.
pub const TIMES_A_TREE: u32 = 4;
/// A look at a run costs as much as many runs. So many runs with a change are looked at, and then one of so many more.
pub const FIRST_LOOKS: u64 = 12;
pub const RUNS_PER_LOOK: u64 = 24;
/// The search goes on between two looks. Seeds come before all looks.
pub const FLIPS_PER_LOOK: u32 = 2;

/// Which procedure of Algorithm 2 gave an input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// PropNouse.
    NotUsed,
    /// PropTransfer.
    NoTransfer,
    /// PropCjmp.
    SameWay,
}

/// An input that may take the effect of a change farther.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    pub rule: Rule,
    /// The version whose run was looked at: 0 is the old one.
    pub version: u8,
    pub input: SymbolicInput,
}

/// What propagation did in a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PropagationCounts {
    /// Runs that may have executed a change and showed no difference.
    pub runs: u64,
    /// Of these, runs that were traced: not too many, and not always the same ways.
    pub looks: u64,
    /// Of these, runs with the same leaves as several earlier ones.
    pub seen_before: u64,
    pub queries: u64,
    /// Candidates from the old version's runs.
    pub from_old: u64,
    pub by_rule: BTreeMap<Rule, RuleCounts>,
    pub time: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RuleCounts {
    pub candidates: u64,
    /// Candidates whose paths were known already.
    pub known: u64,
    /// Candidates on whose paths the versions differ.
    pub different: u64,
}

/// What looking at one run gave.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub candidates: Vec<Candidate>,
    pub seen_before: bool,
    pub queries: u64,
}

/// All that is known of a version pair before anything runs.
pub struct Propagation<'p> {
    versions: [Version<'p>; 2],
    facts: &'p StaticFacts<'p>,
    matching: Matching,
    trace_facts: [TraceFacts; 2],
    /// By version and definition, or change point.
    distances: Mutex<FxHashMap<(u8, Func, Inst), Arc<Distances>>>,
    pub limits: Limits,
}

impl<'p> Propagation<'p> {
    pub fn of(facts: &'p StaticFacts<'p>, limits: Limits) -> Propagation<'p> {
        let [old, new] = facts.versions;
        Propagation {
            matching: Matching::of(&old, &new, facts.changes()),
            trace_facts: [old, new].map(|version| trace_facts(version.program, |_| false)),
            versions: [old, new],
            facts,
            distances: Mutex::default(),
            limits,
        }
    }

    /// Whether a run may have executed a change: it entered a block with one.
    pub fn may_execute_change(&self, ran: &Ran<'_>) -> bool {
        let versions = self.versions.iter().zip(&ran.versions);
        versions.zip(0..).any(|((version, own), number)| {
            let mut blocks = self.facts.changes().blocks(number).iter();
            blocks.any(|&(func, block, _)| own.run.coverage.contains(version.program, func, block))
        })
    }

    /// What a version's trace needs to know of its text.
    pub fn trace_facts(&self, version: usize) -> &TraceFacts {
        &self.trace_facts[version]
    }

    /// The effects of the change in one version's run.
    pub fn tree(
        &self,
        version: usize,
        traces: &[DependenceTrace; 2],
        aligned: &Aligned,
    ) -> EffectTree {
        let this = self.side(version, &traces[version]);
        let other = self.side(1 - version, &traces[1 - version]);
        let values = self.same_values(version);
        match version {
            0 => EffectTree::of(this, other, &aligned.reversed(), values),
            _ => EffectTree::of(this, other, aligned, values),
        }
    }

    /// One version's run.
    pub fn side<'t>(&'t self, version: usize, trace: &'t DependenceTrace) -> Side<'t> {
        Side {
            program: self.versions[version].program,
            trace,
            statements: &self.matching.versions[version],
        }
    }

    /// Which instances of both runs correspond.
    pub fn aligned(&self, traces: &[DependenceTrace; 2]) -> Aligned {
        let sequence = |version: usize| {
            let trace = &traces[version];
            let statements = &self.matching.versions[version].statement;
            let statement = |instance: Instance| statements[trace.operation(instance) as usize];
            let parent = |instance: Instance| trace.control(instance).map_or(0, |above| above.0);
            Sequence {
                statements: std::iter::once(align::NONE)
                    .chain(trace.instances().map(statement))
                    .collect(),
                parents: std::iter::once(0)
                    .chain(trace.instances().map(parent))
                    .collect(),
            }
        };
        align(&sequence(0), &sequence(1))
    }

    /// Which objects of `version` are which of the other one.
    fn same_values(&self, version: usize) -> SameValues {
        let objects = self.matching.objects.iter();
        SameValues::new(objects.map(|(&old, &new)| match version {
            0 => (old, new),
            _ => (new, old),
        }))
    }

    /// How far each way is from the uses of a definition.
    fn distances(&self, version: u8, (func, inst): (Func, Inst)) -> Arc<Distances> {
        let key = (version, func, inst);
        let known = |known: &Mutex<FxHashMap<_, Arc<Distances>>>| {
            let known = known.lock().expect("no worker panicked");
            known.get(&key).cloned()
        };
        if let Some(known) = known(&self.distances) {
            return known;
        }
        let number = usize::from(version);
        let facts = self.facts.program(number);
        let takers = self.matching.versions[number].takers.get(&(func, inst));
        let targets = match takers {
            Some(takers) => takers.clone(),
            None => uses::of_definition(facts, func, inst),
        };
        let found = Arc::new(Distances::to(facts, &targets));
        let mut distances = self.distances.lock().expect("no worker panicked");
        distances.entry(key).or_insert(found).clone()
    }
}

/// Both versions' runs of one input, and the questions asked about them.
struct Attempt<'w, 'p, 'x, 'f> {
    worker: &'w mut Worker<'p>,
    plan: &'x Propagation<'f>,
    traces: &'x [DependenceTrace; 2],
    runs: &'x [SymbolicRun; 2],
    input: &'x SymbolicInput,
    deadline: Instant,
    found: Found,
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
    ) -> Result<Found, SymbolicStartError> {
        let time = time_left.map_or(plan.limits.time, |left| left.min(plan.limits.time));
        let deadline = Instant::now() + time;
        let mut trace = |version: usize| {
            let facts = &plan.trace_facts[version];
            self.trace(version, input, facts, plan.limits.instances)
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
            found: Found::default(),
        };
        if traces.iter().any(|trace| trace.cut_off) {
            return Ok(attempt.found);
        }
        let aligned = plan.aligned(&traces);
        let mut any_new = false;
        for version in [1, 0] {
            let tree = plan.tree(version, &traces, &aligned);
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

/// The leaves to try: branches first, and of each operation's the first and the last.
fn chosen(tree: &EffectTree, side: Side<'_>) -> Vec<Leaf> {
    let rank = |leaf: &Leaf| match leaf {
        Leaf::SameWay { .. } => 0,
        Leaf::NoTransfer { .. } => 1,
        Leaf::NotUsed { .. } => 2,
    };
    let mut by_operation: BTreeMap<(u8, u32), (Leaf, Leaf)> = BTreeMap::new();
    for leaf in &tree.leaves {
        let key = (rank(leaf), side.trace.operation(leaf.instance()));
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
    leaves
}

/// A number that trees with the same leaves share.
fn key(version: usize, leaves: &[Leaf], side: Side<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    version.hash(&mut hasher);
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

    fn trace(&self, version: u8) -> &DependenceTrace {
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
        const WAYS: usize = 3;
        let plan = self.plan;
        let program = plan.versions[usize::from(version)].program;
        let Some(place) = self.trace(version).place(program, instance) else {
            return;
        };
        let distances = plan.distances(version, place);
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
                let edge = plan.facts.changes().edge(program, &target);
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
            self.ask(Rule::NotUsed, version, &before, &[way]);
        }
    }
}

/// The operation of an instance, and its operands as terms.
fn operand_terms(
    plan: &Propagation<'_>,
    store: &mut Store,
    traces: &[DependenceTrace; 2],
    version: u8,
    instance: Instance,
) -> Option<(concolic_vm::symbolic::Operation, Vec<ExprId>)> {
    let program = plan.versions[usize::from(version)].program;
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
