//! Slices by their definition, for tests: every pair of instances is looked at, and nothing is kept.

use super::{Need, NotSliced, OperationKind, RelevanceFacts, decided_in, has_end};
use concolic_vm::End;
use concolic_vm::observe::{DependenceTrace, Edge, Instance, Slice};
use expr::ExprId;
use program_ir::{EntityRef, Func};
use rustc_hash::FxHashSet;

/// An instance with all that is known of it.
struct Node {
    instance: Instance,
    func: Func,
    operation: u32,
    actor: u32,
    library_call: Option<Instance>,
    frame: u32,
    control: Instance,
    way: bool,
    oldest_read: Option<Instance>,
    data: Vec<Edge>,
}

fn nodes(facts: &RelevanceFacts<'_>, trace: &DependenceTrace) -> Vec<Node> {
    let mut place = trace.at();
    let node = |instance: Instance| {
        let step = place.step(instance);
        Node {
            instance,
            func: Func::new(facts.program.site_of_operation(step.operation).function as usize),
            operation: step.operation,
            actor: step.actor,
            library_call: step.library_call,
            frame: step.frame,
            control: step.control,
            way: step.way,
            oldest_read: step.oldest_read,
            data: step.data.to_vec(),
        }
    };
    trace.instances().map(node).collect()
}

impl RelevanceFacts<'_> {
    /// As [`RelevanceFacts::behaviour`].
    pub fn behaviour_simply(
        &self,
        trace: &DependenceTrace,
        end: &End,
    ) -> Result<FxHashSet<ExprId>, NotSliced> {
        has_end(end)?;
        let nodes = nodes(self, trace);
        let mut criterion: Vec<Instance> = trace.last.into_iter().collect();
        let mut addresses = Vec::new();
        for node in &nodes {
            let is_library = self.trace.is_library(node.func);
            let need = match self.kinds[node.operation as usize] {
                OperationKind::NotFollowed => return Err(NotSliced::NotFollowed),
                _ if is_library && node.actor == DependenceTrace::NO_ACTOR => Need::All,
                OperationKind::Branch => {
                    match self.find_other_ways(node.operation, node.way)?.plain {
                        true => Need::Nothing,
                        false => Need::All,
                    }
                }
                OperationKind::LibraryBranch => {
                    match self.find_computing_ways(node.operation, node.way) {
                        Some(_) => Need::Nothing,
                        None => Need::All,
                    }
                }
                _ => self.needs[node.operation as usize],
            };
            let is_piece = node.data.first().is_some_and(|edge| edge.is_operation());
            match need {
                Need::Nothing => {}
                Need::Address => addresses.push(node.instance),
                Need::Copy if is_piece => {}
                _ => criterion.push(node.instance),
            }
        }
        let slice = self.slice_simply(trace, nodes, &criterion, &addresses)?;
        Ok(decided_in(trace, &slice))
    }

    /// As [`RelevanceFacts::reachability`].
    pub fn reachability_simply(
        &self,
        trace: &DependenceTrace,
        end: &End,
    ) -> Result<FxHashSet<ExprId>, NotSliced> {
        let nodes = nodes(self, trace);
        let mut criterion: Vec<Instance> = self.ending(trace, end)?.into_iter().collect();
        for node in &nodes {
            let matters = match self.kinds[node.operation as usize] {
                OperationKind::Branch => self.find_other_ways(node.operation, node.way)?.change,
                OperationKind::NotFollowed => return Err(NotSliced::NotFollowed),
                _ => node.actor != DependenceTrace::NO_ACTOR && self.calls_change(node.actor),
            };
            if matters {
                criterion.push(node.instance);
            }
        }
        let slice = self.slice_simply(trace, nodes, &criterion, &[])?;
        Ok(decided_in(trace, &slice))
    }

    /// As [`RelevanceFacts::relevant_slice`].
    pub fn relevant_slice_simply(
        &self,
        trace: &DependenceTrace,
        criterion: &[Instance],
    ) -> Result<Slice, NotSliced> {
        self.slice_simply(trace, nodes(self, trace), criterion, &[])
    }

    fn slice_simply(
        &self,
        trace: &DependenceTrace,
        mut nodes: Vec<Node>,
        criterion: &[Instance],
        addresses: &[Instance],
    ) -> Result<Slice, NotSliced> {
        if trace.cut_off {
            return Err(NotSliced::TooLong);
        }
        let mut slice = Slice::new(trace.len());
        // What depends on an instance comes after it.
        let mut inside: Vec<&Node> = Vec::new();
        for node in nodes.iter_mut().rev() {
            let depends = |later: &&Node| {
                later.control == node.instance
                    || later.data.iter().any(|edge| edge.writer == node.instance)
            };
            let belongs = criterion.contains(&node.instance)
                || inside.iter().any(depends)
                || self.potentially(node, &inside)?;
            if !belongs && !addresses.contains(&node.instance) {
                continue;
            }
            slice.insert(node.instance);
            if !belongs {
                // As if it were executed for nothing but its address, and were in no call.
                node.data.retain(|edge| edge.is_address());
                node.oldest_read = None;
                node.library_call = None;
            }
            inside.push(node);
        }
        Ok(slice)
    }

    /// Whether one of the later instances potentially depends on this one.
    fn potentially(&self, node: &Node, inside: &[&Node]) -> Result<bool, NotSliced> {
        let reads_older = |later: &Node, readers: &[u32]| {
            later.oldest_read.is_some_and(|oldest| {
                oldest < node.instance
                    && later.actor != DependenceTrace::NO_ACTOR
                    && readers.contains(&self.readers[later.actor as usize])
            })
        };
        let reads_register = |later: &Node, registers: &[u32]| {
            later.data.iter().any(|edge| {
                let register = edge.register();
                edge.writer < node.instance
                    && registers
                        .iter()
                        .any(|own| register == Some(node.frame + own))
            })
        };
        Ok(match self.kinds[node.operation as usize] {
            OperationKind::Plain | OperationKind::Library => false,
            OperationKind::NotFollowed => return Err(NotSliced::NotFollowed),
            OperationKind::Branch => {
                let ways = self.find_other_ways(node.operation, node.way)?;
                inside.iter().any(|later| {
                    reads_register(later, &ways.registers) || reads_older(later, &ways.readers)
                })
            }
            OperationKind::Effect => {
                let readers = self.find_readers_behind(node.operation);
                inside.iter().any(|later| reads_older(later, &readers))
            }
            OperationKind::LibraryBranch => {
                let computing = self.find_computing_ways(node.operation, node.way);
                if let Some(registers) = computing {
                    return Ok(inside.iter().any(|later| reads_register(later, &registers)));
                }
                let Some(call) = node.library_call else {
                    return Ok(false);
                };
                let same_call = |later: &&Node| later.library_call == Some(call);
                let has_actor = node.actor != DependenceTrace::NO_ACTOR;
                inside.iter().any(same_call)
                    || has_actor && {
                        let readers = self.find_readers_behind(node.actor);
                        inside.iter().any(|later| reads_older(later, &readers))
                    }
            }
        })
    }
}
