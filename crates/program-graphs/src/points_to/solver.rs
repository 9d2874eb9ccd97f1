//! The least solution of the constraints, by waves (Pereira and Berlin, "Wave Propagation
//! and Deep Propagation for Pointer Analysis").
//!
//! One wave: merge the nodes of every cycle of copies; push what is new along the copies,
//! sources first; then let loads, stores, offsets, block copies and calls see what is new
//! and add copies of their own. Only differences travel, and when a wave adds nothing the
//! solution is reached. Two things keep big programs quick: all loads (stores) through a
//! node share a hub, and nodes that point to very many locations are taken for one.

use super::constraint::{
    Constraint, Node, accepts, call_constraints, function_constraints, program_constraints,
};
use super::nodes::{NO_NODE, Nodes, Reaction};
use super::{CallBinding, CallSite, PointsTo, PointsToConfig, Relative, general_assumptions};
use crate::SparseSet;
use crate::assumptions::Assumptions;
use crate::location::{AbstractMemory, Location, Object, ObjectKind, Offset};
use cranelift_entity::SecondaryMap;
use program_ir::{Func, Inst, Module};
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub(super) fn solve(module: &Module, roots: &[Func], config: &PointsToConfig) -> PointsTo {
    let mut solver = Solver::new(module, config);
    for &root in roots {
        solver.reach(root);
    }
    let mut assumptions = std::mem::take(&mut solver.assumptions);
    let initial = program_constraints(module, roots, &mut |assumption| assumptions.add(assumption));
    solver.assumptions = assumptions;
    solver.add_all(initial);
    while solver.wave() {}
    solver.finish(roots)
}

struct Transfer {
    length: Option<u64>,
    targets: SparseSet,
    parts: BTreeMap<Relative, u32>,
    /// Set if it may copy to wherever the crowd points.
    crowd_hub: Option<u32>,
}

/// The nodes of what is stored at a location and of what a load there can see. One and
/// the same where the offset is exact.
#[derive(Clone, Copy, Default)]
struct Contents {
    stored: Option<u32>,
    loaded: Option<u32>,
}

/// Calls through pointers, and what calls were found to lead to.
#[derive(Default)]
struct Calls {
    sites: Vec<CallSite>,
    targets: BTreeMap<(Func, Inst), BTreeSet<(Func, CallBinding)>>,
    called_by_unknown: BTreeSet<Func>,
}

/// Nodes that point to very many locations are taken for one.
struct Crowd {
    /// Stands for all nodes with more locations than `largest_set`.
    node: Option<u32>,
    largest_set: usize,
    /// Nodes that will join it.
    joining: Vec<u32>,
}

struct Solver<'a> {
    module: &'a Module,
    memory: AbstractMemory,
    assumptions: Assumptions,
    value_base: Vec<u32>,
    node_ids: HashMap<Node, u32>,
    nodes: Nodes,
    contents: SecondaryMap<Location, Contents>,
    /// Per object: block copies out of it, with the place they start at.
    watchers: SecondaryMap<Object, Vec<(u32, Offset)>>,
    transfers: Vec<Transfer>,
    calls: Calls,
    reached: BTreeSet<Func>,
    waiting: Vec<Constraint>,
    crowd: Crowd,
    /// Pairs of nodes found to be equal.
    equal: Vec<(u32, u32)>,
    merged: bool,
}

impl<'a> Solver<'a> {
    fn new(module: &'a Module, config: &PointsToConfig) -> Self {
        let mut value_base = Vec::with_capacity(module.functions.len());
        let mut node_count = 0u32;
        for (_, function) in module.functions.iter() {
            value_base.push(node_count);
            node_count += function.values.len() as u32;
        }
        let mut memory = AbstractMemory::new(config.places_per_object);
        memory.object(module, ObjectKind::World);
        Solver {
            module,
            memory,
            assumptions: general_assumptions(),
            value_base,
            node_ids: HashMap::new(),
            nodes: Nodes::new(node_count),
            contents: SecondaryMap::new(),
            watchers: SecondaryMap::new(),
            transfers: Vec::new(),
            calls: Calls::default(),
            reached: BTreeSet::new(),
            waiting: Vec::new(),
            crowd: Crowd {
                node: None,
                largest_set: config.largest_set,
                joining: Vec::new(),
            },
            equal: Vec::new(),
            merged: false,
        }
    }

    fn reach(&mut self, func: Func) {
        if self.module.functions[func].is_declaration() || !self.reached.insert(func) {
            return;
        }
        let assumptions = &mut self.assumptions;
        let constraints = function_constraints(self.module, func, &mut |assumption| {
            assumptions.add(assumption);
        });
        self.add_all(constraints);
    }

    // Nodes.

    fn id(&mut self, node: Node) -> u32 {
        let id = match node {
            Node::Value(func, value) => self.value_base[func.as_u32() as usize] + value.as_u32(),
            _ => match self.node_ids.get(&node) {
                Some(&id) => id,
                None => {
                    let id = self.nodes.add();
                    self.node_ids.insert(node, id);
                    id
                }
            },
        };
        self.find(id)
    }

    fn find(&mut self, node: u32) -> u32 {
        self.nodes.find(node)
    }

    fn add_location(&mut self, node: u32, object: ObjectKind, offset: Offset) {
        let object = self.memory.object(self.module, object);
        let location = self.memory.location(object, offset);
        let node = self.find(node);
        self.nodes.current[node as usize].insert(location.as_u32());
    }

    fn add_copy(&mut self, from: u32, to: u32) {
        let (from, to) = (self.find(from), self.find(to));
        if from != to && !self.nodes.copies[from as usize].contains(to) {
            self.nodes.fresh[from as usize].insert(to);
        }
    }

    fn add_reaction(&mut self, node: u32, reaction: Reaction) {
        let node = self.find(node);
        let known = self.nodes.pushed[node as usize].clone();
        self.react(&reaction, &known);
        // Reacting can merge nothing, so `node` still stands for itself.
        self.nodes.reactions[node as usize].push(reaction);
    }

    /// All loads through a node share one node for what they see, and all stores one for
    /// what they store, so that each location is joined to few nodes.
    fn hub(&mut self, address: u32, is_load: bool) -> u32 {
        let hubs = if is_load {
            &self.nodes.load_hub
        } else {
            &self.nodes.store_hub
        };
        let known = hubs[address as usize];
        if known != NO_NODE {
            return self.find(known);
        }
        let hub = self.nodes.add();
        if is_load {
            self.nodes.load_hub[address as usize] = hub;
            self.add_reaction(address, Reaction::LoadInto(hub));
        } else {
            self.nodes.store_hub[address as usize] = hub;
            self.add_reaction(address, Reaction::StoreFrom(hub));
        }
        hub
    }

    // Constraints.

    fn add_all(&mut self, constraints: Vec<Constraint>) {
        self.waiting.extend(constraints);
        if self.waiting.is_empty() {
            return;
        }
        // Adding may reach functions, which adds constraints: a queue, not recursion.
        while let Some(constraint) = self.waiting.pop() {
            self.add(constraint);
        }
    }

    fn add(&mut self, constraint: Constraint) {
        match constraint {
            Constraint::PointsTo {
                node,
                object,
                offset,
            } => {
                let node = self.id(node);
                self.add_location(node, object, offset);
            }
            Constraint::Holds {
                holder,
                at,
                object,
                offset,
            } => {
                let holder = self.memory.object(self.module, holder);
                let place = self.memory.location(holder, at);
                let stored = self.stored(place);
                self.add_location(stored, object, offset);
            }
            Constraint::Copy {
                from,
                to,
                delta,
                stride,
            } => {
                let (from, to) = (self.id(from), self.id(to));
                if delta == 0 && stride == 0 {
                    self.add_copy(from, to);
                } else {
                    self.add_reaction(from, Reaction::Move(to, delta, stride));
                }
            }
            Constraint::Load { address, to } => {
                let (address, to) = (self.id(address), self.id(to));
                let hub = self.hub(address, true);
                self.add_copy(hub, to);
            }
            Constraint::Store { address, from } => {
                let (address, from) = (self.id(address), self.id(from));
                let hub = self.hub(address, false);
                self.add_copy(from, hub);
            }
            Constraint::Transfer { to, from, length } => {
                let transfer = self.transfers.len() as u32;
                self.transfers.push(Transfer {
                    length,
                    targets: SparseSet::new(),
                    parts: BTreeMap::new(),
                    crowd_hub: None,
                });
                let (to, from) = (self.id(to), self.id(from));
                self.add_reaction(to, Reaction::TransferTo(transfer));
                self.add_reaction(from, Reaction::TransferFrom(transfer));
            }
            Constraint::CallThrough { target, call } => {
                let index = self.calls.sites.len() as u32;
                self.calls.sites.push(call);
                let target = self.id(target);
                self.add_reaction(target, Reaction::Call(index));
            }
            Constraint::CallDirect { target, call } => self.connect(&call, target),
        }
    }

    fn connect(&mut self, call: &CallSite, target: Func) {
        match call.at {
            Some(at) => {
                let binding = if call.is_callback {
                    CallBinding::Callback
                } else {
                    CallBinding::Arguments
                };
                if !self
                    .calls
                    .targets
                    .entry(at)
                    .or_default()
                    .insert((target, binding))
                {
                    return;
                }
            }
            None => {
                if !self.calls.called_by_unknown.insert(target) {
                    return;
                }
            }
        }
        let assumptions = &mut self.assumptions;
        let constraints = call_constraints(self.module, call, target, &mut |assumption| {
            assumptions.add(assumption);
        });
        self.waiting.extend(constraints);
        if !self.module.functions[target].is_declaration() && self.reached.insert(target) {
            let assumptions = &mut self.assumptions;
            let body = function_constraints(self.module, target, &mut |assumption| {
                assumptions.add(assumption);
            });
            self.waiting.extend(body);
        }
    }

    fn react(&mut self, reaction: &Reaction, new: &SparseSet) {
        // What adds many elements to one set is gathered first.
        match *reaction {
            Reaction::Move(to, delta, stride) => {
                let moved: SparseSet = new
                    .iter()
                    .map(|location| {
                        let data = self.memory.locations[Location::from_u32(location)];
                        let offset = data.offset.plus(delta).spread(stride);
                        self.memory.location(data.object, offset).as_u32()
                    })
                    .collect();
                let to = self.find(to);
                self.nodes.current[to as usize].union_with(&moved);
            }
            Reaction::StoreFrom(from) => {
                let stored: Vec<u32> = new
                    .iter()
                    .map(|location| self.stored(Location::from_u32(location)))
                    .collect();
                let stored: SparseSet = stored.into_iter().map(|node| self.find(node)).collect();
                let from = self.find(from);
                let added = stored.difference(&self.nodes.copies[from as usize]);
                self.nodes.fresh[from as usize].union_with(&added);
            }
            _ => {
                for location in new.iter() {
                    self.react_to(reaction, Location::from_u32(location));
                }
            }
        }
    }

    fn react_to(&mut self, reaction: &Reaction, location: Location) {
        let data = self.memory.locations[location];
        match *reaction {
            Reaction::Move(..) | Reaction::StoreFrom(_) => {}
            Reaction::LoadInto(to) => {
                let loaded = self.loaded(location);
                self.add_copy(loaded, to);
            }
            Reaction::TransferTo(transfer) => {
                if !self.transfers[transfer as usize]
                    .targets
                    .insert(location.as_u32())
                {
                    return;
                }
                let parts: Vec<(Relative, u32)> = self.transfers[transfer as usize]
                    .parts
                    .iter()
                    .map(|(&relative, &part)| (relative, part))
                    .collect();
                for (relative, part) in parts {
                    self.land(location, relative, part);
                }
            }
            Reaction::TransferFrom(transfer) => {
                self.watchers[data.object].push((transfer, data.offset));
                for held in self.memory.objects[data.object].locations.clone() {
                    if self.contents[held].stored.is_some() {
                        self.take_along(transfer, data.offset, held);
                    }
                }
            }
            Reaction::Call(index) => {
                if let ObjectKind::Function(target) = self.memory.objects[data.object].kind {
                    let call = self.calls.sites[index as usize].clone();
                    if accepts(&self.module.functions[target], &call) {
                        self.connect(&call, target);
                    }
                }
            }
        }
    }

    // Memory.

    fn stored(&mut self, location: Location) -> u32 {
        self.materialise(location).0
    }

    fn loaded(&mut self, location: Location) -> u32 {
        self.materialise(location).1
    }

    fn materialise(&mut self, location: Location) -> (u32, u32) {
        if let Contents {
            stored: Some(stored),
            loaded: Some(loaded),
        } = self.contents[location]
        {
            return (stored, loaded);
        }
        let data = self.memory.locations[location];
        let stored = self.nodes.add();
        let loaded = if data.offset.is_exact() {
            stored
        } else {
            let loaded = self.nodes.add();
            self.add_copy(stored, loaded);
            loaded
        };
        for other in self.memory.objects[data.object].locations.clone() {
            if let Contents {
                stored: Some(other_stored),
                loaded: Some(other_loaded),
            } = self.contents[other]
                && self.memory.locations[other].offset.meets(data.offset)
            {
                self.add_copy(stored, other_loaded);
                self.add_copy(other_stored, loaded);
            }
        }
        self.contents[location] = Contents {
            stored: Some(stored),
            loaded: Some(loaded),
        };
        for (transfer, start) in self.watchers[data.object].clone() {
            self.take_along(transfer, start, location);
        }
        (stored, loaded)
    }

    fn take_along(&mut self, transfer: u32, start: Offset, held: Location) {
        let length = self.transfers[transfer as usize].length;
        let held_at = self.memory.locations[held].offset;
        let Some(relative) = Relative::of(start, held_at, length) else {
            return;
        };
        let part = self.part(transfer, relative);
        let stored = self.stored(held);
        self.add_copy(stored, part);
    }

    /// The node of what a block copy carries at one place.
    fn part(&mut self, transfer: u32, relative: Relative) -> u32 {
        if let Some(&part) = self.transfers[transfer as usize].parts.get(&relative) {
            return part;
        }
        let part = self.nodes.add();
        let transfer = &mut self.transfers[transfer as usize];
        transfer.parts.insert(relative, part);
        let (targets, crowd_hub) = (transfer.targets.clone(), transfer.crowd_hub);
        for target in targets.iter() {
            self.land(Location::from_u32(target), relative, part);
        }
        if let Some(hub) = crowd_hub {
            self.add_copy(part, hub);
        }
        part
    }

    fn land(&mut self, target: Location, relative: Relative, part: u32) {
        let data = self.memory.locations[target];
        let place = self
            .memory
            .location(data.object, relative.from(data.offset));
        let stored = self.stored(place);
        self.add_copy(part, stored);
    }

    // Waves.

    /// Whether anything was new.
    fn wave(&mut self) -> bool {
        self.merge_crowd();
        let order = self.merge_cycles();
        let mut seen = Vec::new();
        // Merging may have changed nodes that the order does not hold.
        let mut any = std::mem::take(&mut self.merged);
        for node in order {
            let index = node as usize;
            let is_settled = self.nodes.current[index] == self.nodes.pushed[index];
            if is_settled && self.nodes.fresh[index].is_empty() {
                continue;
            }
            any = true;
            // Fresh copies carry everything, the others what is new.
            let fresh = std::mem::take(&mut self.nodes.fresh[index]);
            for to in fresh.iter() {
                let to = self.find(to);
                if to != node {
                    let all = std::mem::take(&mut self.nodes.current[index]);
                    self.nodes.current[to as usize].union_with(&all);
                    self.nodes.current[index] = all;
                }
            }
            let copies = std::mem::take(&mut self.nodes.copies[index]);
            let mut kept = SparseSet::new();
            let new = self.nodes.current[index].difference(&self.nodes.pushed[index]);
            self.nodes.pushed[index] = self.nodes.current[index].clone();
            for to in copies.iter() {
                let to = self.find(to);
                if to != node && kept.insert(to) && !is_settled {
                    self.nodes.current[to as usize].union_with(&new);
                }
            }
            for to in fresh.iter() {
                let to = self.find(to);
                if to != node {
                    kept.insert(to);
                }
            }
            self.nodes.copies[index] = kept;
            if is_settled {
                continue;
            }
            if self.nodes.current[index].len() > self.crowd.largest_set {
                self.crowd.joining.push(node);
            }
            seen.push((node, new));
        }
        for (node, new) in seen {
            let reactions = self.take_reactions(node);
            for reaction in &reactions {
                self.react(reaction, &new);
            }
            let added = std::mem::replace(&mut self.nodes.reactions[node as usize], reactions);
            self.nodes.reactions[node as usize].extend(added);
            self.add_all(Vec::new());
        }
        any
    }

    /// The node's reactions, each once: merging makes many of them the same.
    fn take_reactions(&mut self, node: u32) -> Vec<Reaction> {
        let mut reactions = std::mem::take(&mut self.nodes.reactions[node as usize]);
        for reaction in &mut reactions {
            if let Reaction::Move(to, ..) | Reaction::LoadInto(to) | Reaction::StoreFrom(to) =
                reaction
            {
                *to = self.find(*to);
            }
        }
        reactions.sort_unstable();
        reactions.dedup();
        reactions
    }

    /// Merges every cycle of copies into one node. The representatives, sources first.
    fn merge_cycles(&mut self) -> Vec<u32> {
        let (order, cycles) = self.nodes.cycles();
        for group in cycles {
            // The last member is the one in the order; it stands for all.
            if let Some((&representative, others)) = group.split_last() {
                let pairs = others.iter().map(|&other| (other, representative));
                self.equal.extend(pairs);
            }
        }
        self.merge_equal();
        order
    }

    fn merge_equal(&mut self) {
        while let Some((member, into)) = self.equal.pop() {
            let (member, into) = (self.find(member), self.find(into));
            if member != into {
                self.merge(member, into);
            }
        }
        self.add_all(Vec::new());
    }

    fn merge(&mut self, member: u32, into: u32) {
        let (from, to) = (member as usize, into as usize);
        self.nodes.parent[from] = into;
        self.merged = true;
        let current = std::mem::take(&mut self.nodes.current[from]);
        self.nodes.current[to].union_with(&current);
        // What the other has pushed is new to this one's copies and reactions.
        let pushed = std::mem::take(&mut self.nodes.pushed[from]);
        let missed = self.nodes.pushed[to].difference(&pushed);
        let mut copies = std::mem::take(&mut self.nodes.copies[from]);
        copies.union_with(&std::mem::take(&mut self.nodes.fresh[from]));
        self.nodes.fresh[to].union_with(&copies);
        let is_crowd = self
            .crowd
            .node
            .is_some_and(|crowd| self.find(crowd) == into);
        for reaction in std::mem::take(&mut self.nodes.reactions[from]) {
            match reaction {
                // The hubs become one, and the other's has seen everything.
                Reaction::LoadInto(_) if self.nodes.load_hub[to] != NO_NODE => {}
                Reaction::StoreFrom(_) if self.nodes.store_hub[to] != NO_NODE => {}
                // The crowd points anywhere in its objects, so it holds what is moved.
                Reaction::Move(moved, ..) if is_crowd && self.find(moved) != into => {
                    self.equal.push((moved, into));
                }
                Reaction::TransferTo(transfer) if is_crowd => {
                    let hub = self.hub(into, false);
                    self.transfers[transfer as usize].crowd_hub = Some(hub);
                    let parts = self.transfers[transfer as usize].parts.clone();
                    for part in parts.into_values() {
                        self.add_copy(part, hub);
                    }
                }
                Reaction::TransferFrom(transfer) if is_crowd => {
                    let hub = self.hub(into, true);
                    let part = self.part(transfer, Relative::Any);
                    self.add_copy(hub, part);
                }
                _ => {
                    self.react(&reaction, &missed);
                    self.nodes.reactions[to].push(reaction);
                }
            }
        }
        for hubs in [&mut self.nodes.load_hub, &mut self.nodes.store_hub] {
            let hub = std::mem::replace(&mut hubs[from], NO_NODE);
            if hubs[to] == NO_NODE {
                hubs[to] = hub;
            } else if hub != NO_NODE {
                self.equal.push((hub, hubs[to]));
            }
        }
    }

    /// Nodes that point to very many locations become one.
    fn merge_crowd(&mut self) {
        let crowding = std::mem::take(&mut self.crowd.joining);
        if self.crowd.node.is_none() && !crowding.is_empty() {
            let crowd = self.nodes.add();
            self.add_reaction(crowd, Reaction::Move(crowd, 0, 1));
            self.crowd.node = Some(crowd);
        }
        if let Some(crowd) = self.crowd.node {
            self.equal
                .extend(crowding.into_iter().map(|node| (node, crowd)));
        }
        self.merge_equal();
    }

    fn finish(mut self, roots: &[Func]) -> PointsTo {
        let representatives = (0..self.nodes.parent.len() as u32)
            .map(|node| self.find(node))
            .collect();
        let unknown = self.id(Node::Unknown);
        let error_number = self.id(Node::ErrorNumber);
        let stored = self
            .memory
            .locations
            .keys()
            .filter_map(|location| Some((location, self.contents[location].stored?)))
            .collect();
        PointsTo {
            escaped: self.nodes.current[unknown as usize].clone(),
            error_numbers: self.nodes.current[error_number as usize].clone(),
            memory: self.memory,
            assumptions: self.assumptions,
            value_base: self.value_base,
            representatives,
            sets: self.nodes.current,
            stored,
            targets: self.calls.targets,
            reached: self.reached,
            roots: roots.to_vec(),
            called_by_unknown: self.calls.called_by_unknown,
        }
    }
}
