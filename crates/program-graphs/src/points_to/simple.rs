//! The solver's obvious twin: apply every constraint to plain sets, over and over, until
//! nothing changes.

use super::constraint::{
    Constraint, Node, accepts, call_constraints, function_constraints, program_constraints,
};
use super::{CallSite, Relative};
use crate::location::{AbstractMemory, Location, ObjectKind, Offset};
use program_ir::{Func, Inst, Module};
use std::collections::{BTreeMap, BTreeSet};

/// Where the call is, whether an external makes it, what it calls.
type Connection = (Option<(Func, Inst)>, bool, Func);

pub struct SimplePointsTo {
    pub memory: AbstractMemory,
    pub sets: BTreeMap<Node, BTreeSet<Location>>,
    stored: BTreeMap<Location, BTreeSet<Location>>,
    pub reached: BTreeSet<Func>,
    connected: BTreeSet<Connection>,
    constraints: Vec<Constraint>,
    changed: bool,
}

impl SimplePointsTo {
    pub fn of(module: &Module, roots: &[Func], places_per_object: usize) -> Self {
        let mut state = SimplePointsTo {
            memory: AbstractMemory::new(places_per_object),
            sets: BTreeMap::new(),
            stored: BTreeMap::new(),
            reached: BTreeSet::new(),
            connected: BTreeSet::new(),
            constraints: program_constraints(module, roots, &mut |_| {}),
            changed: false,
        };
        for &root in roots {
            state.reach(module, root);
        }
        loop {
            state.changed = false;
            for constraint in state.constraints.clone() {
                state.apply(module, &constraint);
            }
            if !state.changed {
                return state;
            }
        }
    }

    fn reach(&mut self, module: &Module, func: Func) {
        if !module.functions[func].is_declaration() && self.reached.insert(func) {
            let body = function_constraints(module, func, &mut |_| {});
            self.constraints.extend(body);
            self.changed = true;
        }
    }

    fn of_node(&self, node: Node) -> BTreeSet<Location> {
        self.sets.get(&node).cloned().unwrap_or_default()
    }

    fn include(&mut self, node: Node, locations: BTreeSet<Location>) {
        let set = self.sets.entry(node).or_default();
        let before = set.len();
        set.extend(locations);
        self.changed |= set.len() != before;
    }

    fn store(&mut self, at: Location, locations: BTreeSet<Location>) {
        self.changed |= !self.stored.contains_key(&at);
        let set = self.stored.entry(at).or_default();
        let before = set.len();
        set.extend(locations);
        self.changed |= set.len() != before;
    }

    fn touch(&mut self, at: Location) {
        self.store(at, BTreeSet::new());
    }

    /// What was stored wherever `at` can be.
    fn contents(&self, at: Location) -> BTreeSet<Location> {
        let place = self.memory.locations[at];
        let mut found = BTreeSet::new();
        for (&other, held) in &self.stored {
            let data = self.memory.locations[other];
            if data.object == place.object && data.offset.meets(place.offset) {
                found.extend(held);
            }
        }
        found
    }

    fn apply(&mut self, module: &Module, constraint: &Constraint) {
        match constraint {
            Constraint::PointsTo {
                node,
                object,
                offset,
            } => {
                let object = self.memory.object(module, *object);
                let location = self.memory.location(object, *offset);
                self.include(*node, BTreeSet::from([location]));
            }
            Constraint::Holds {
                holder,
                at,
                object,
                offset,
            } => {
                let holder = self.memory.object(module, *holder);
                let place = self.memory.location(holder, *at);
                let object = self.memory.object(module, *object);
                let location = self.memory.location(object, *offset);
                self.store(place, BTreeSet::from([location]));
            }
            Constraint::Copy {
                from,
                to,
                delta,
                stride,
            } => {
                let mut moved = BTreeSet::new();
                for location in self.of_node(*from) {
                    let data = self.memory.locations[location];
                    let offset = data.offset.plus(*delta).spread(*stride);
                    moved.insert(self.memory.location(data.object, offset));
                }
                self.include(*to, moved);
            }
            Constraint::Load { address, to } => {
                for at in self.of_node(*address) {
                    self.touch(at);
                    let contents = self.contents(at);
                    self.include(*to, contents);
                }
            }
            Constraint::Store { address, from } => {
                for at in self.of_node(*address) {
                    let value = self.of_node(*from);
                    self.store(at, value);
                }
            }
            Constraint::Transfer { to, from, length } => {
                for source in self.of_node(*from) {
                    for target in self.of_node(*to) {
                        self.transfer(target, source, *length);
                    }
                }
            }
            Constraint::CallThrough { target, call } => {
                for location in self.of_node(*target) {
                    let object = self.memory.locations[location].object;
                    if let ObjectKind::Function(func) = self.memory.objects[object].kind
                        && accepts(&module.functions[func], call)
                    {
                        self.connect(module, call, func);
                    }
                }
            }
            Constraint::CallDirect { target, call } => self.connect(module, call, *target),
        }
    }

    fn connect(&mut self, module: &Module, call: &CallSite, target: Func) {
        if self.connected.insert((call.at, call.is_callback, target)) {
            let bound = call_constraints(module, call, target, &mut |_| {});
            self.constraints.extend(bound);
            self.changed = true;
            self.reach(module, target);
        }
    }

    fn transfer(&mut self, target: Location, source: Location, length: Option<u64>) {
        let start = self.memory.locations[source];
        let to = self.memory.locations[target];
        for held in self.stored.keys().copied().collect::<Vec<_>>() {
            let data = self.memory.locations[held];
            if data.object != start.object {
                continue;
            }
            let Some(relative) = Relative::of(start.offset, data.offset, length) else {
                continue;
            };
            let carried = if data.offset.is_exact() {
                self.contents(held)
            } else {
                self.stored[&held].clone()
            };
            let offset: Offset = relative.from(to.offset);
            let place = self.memory.location(to.object, offset);
            self.store(place, carried);
        }
    }
}
