//! Slices by their definition, for tests: every pair of instances is looked at, and nothing is kept.

use super::{Need, NotSliced, OperationKind, RelevanceFacts, decided_in, has_end};
use concolic_vm::End;
use concolic_vm::observe::{DependenceTrace, Edge, Instance, Slice};
use expr::ExprId;
use rustc_hash::FxHashSet;

/// An instance with all that is known of it.
struct Node {
    instance: Instance,
    operation: u32,
    frame: u32,
    control: Instance,
    way: bool,
    oldest_read: Option<Instance>,
    data: Vec<Edge>,
}

impl Node {
    fn is_piece(&self) -> bool {
        self.data.first().is_some_and(|edge| edge.is_operation())
    }
}

fn nodes(trace: &DependenceTrace) -> Vec<Node> {
    let mut place = trace.at();
    let node = |instance: Instance| {
        let step = place.step(instance);
        Node {
            instance,
            operation: step.operation,
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
    fn kind(&self, node: &Node) -> OperationKind {
        self.kinds[node.operation as usize]
    }

    /// As [`RelevanceFacts::behaviour`].
    pub fn behaviour_simply(
        &self,
        trace: &DependenceTrace,
        end: &End,
    ) -> Result<FxHashSet<ExprId>, NotSliced> {
        has_end(end)?;
        if !trace.has_room {
            return Err(NotSliced::NoRoom);
        }
        let nodes = nodes(trace);
        let mut criterion: Vec<Instance> = trace.taken.clone();
        criterion.extend(trace.last);
        let mut addresses = Vec::new();
        for node in &nodes {
            let need = match self.kind(node) {
                OperationKind::Branch => {
                    match self.find_other_ways(node.operation, node.way)?.plain {
                        true => Need::Nothing,
                        false => Need::All,
                    }
                }
                _ => self.needs[node.operation as usize],
            };
            match need {
                Need::Nothing => {}
                Need::Address => addresses.push(node.instance),
                Need::Copy if node.is_piece() => {}
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
        let nodes = nodes(trace);
        let mut criterion: Vec<Instance> = self.ending(trace, end)?;
        // What might have executed a change, and what does more than write memory.
        let mut effects = trace.taken.clone();
        for node in &nodes {
            let (changes, effect) = match self.kind(node) {
                OperationKind::Branch => {
                    let ways = self.find_other_ways(node.operation, node.way)?;
                    (ways.change, ways.anything)
                }
                OperationKind::Effect => {
                    let site = self.program.site_of_operation(node.operation);
                    (self.ways.may_change(site), !node.is_piece())
                }
                _ => (false, false),
            };
            if changes {
                criterion.push(node.instance);
            }
            if effect {
                effects.push(node.instance);
            }
        }
        let last = criterion.iter().max().copied().unwrap_or(Instance::NONE);
        criterion.extend(effects.into_iter().filter(|instance| *instance <= last));
        let slice = self.slice_simply(trace, nodes, &criterion, &[])?;
        Ok(decided_in(trace, &slice))
    }

    /// As [`RelevanceFacts::relevant_slice`].
    pub fn relevant_slice_simply(
        &self,
        trace: &DependenceTrace,
        criterion: &[Instance],
    ) -> Result<Slice, NotSliced> {
        let taken = trace.taken.iter();
        let criterion: Vec<Instance> = criterion.iter().chain(taken).copied().collect();
        self.slice_simply(trace, nodes(trace), &criterion, &[])
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
        if !trace.is_followed {
            return Err(NotSliced::NotFollowed);
        }
        if nodes
            .iter()
            .any(|node| self.kind(node) == OperationKind::NotFollowed)
        {
            return Err(NotSliced::NotFollowed);
        }
        let mut slice = Slice::new(trace.len());
        // What depends on an instance comes after it.
        let mut inside: Vec<&Node> = Vec::new();
        for node in nodes.iter_mut().rev() {
            let depends = |later: &&Node| {
                later.control == node.instance
                    || later.data.iter().any(|edge| edge.writer == node.instance)
            };
            let instance = node.instance;
            let potentially = self.potentially(node, &inside)?;
            let belongs = criterion.contains(&instance)
                || inside.iter().any(depends)
                || potentially == Need::All;
            if !belongs && potentially == Need::Nothing && !addresses.contains(&instance) {
                continue;
            }
            slice.insert(instance);
            if !belongs {
                // As if it were executed for nothing but its address.
                node.data.retain(|edge| edge.is_address());
                node.oldest_read = None;
            }
            inside.push(node);
        }
        Ok(slice)
    }

    /// What one of the later instances potentially depends on.
    fn potentially(&self, node: &Node, inside: &[&Node]) -> Result<Need, NotSliced> {
        let reads_older = |readers: &[u32]| {
            inside.iter().any(|later| {
                later.oldest_read.is_some_and(|oldest| {
                    oldest < node.instance
                        && readers.contains(&self.readers[later.operation as usize])
                })
            })
        };
        let reads_register = |registers: &[u32]| {
            let is_own = |edge: &Edge| {
                let register = edge.register();
                edge.writer < node.instance
                    && registers
                        .iter()
                        .any(|own| register == Some(node.frame + own))
            };
            inside.iter().any(|later| later.data.iter().any(is_own))
        };
        let (matters, need) = match self.kind(node) {
            OperationKind::Plain | OperationKind::NotFollowed => (false, Need::Nothing),
            OperationKind::Branch => {
                let ways = self.find_other_ways(node.operation, node.way)?;
                let readers = self.readers_of(&ways.writes);
                let matters = reads_register(&ways.registers) || reads_older(&readers);
                (matters, Need::All)
            }
            OperationKind::Access | OperationKind::Effect => {
                let readers = self.find_readers_behind(node.operation);
                let need = match self.needs[node.operation as usize] {
                    Need::Address => Need::Address,
                    _ => Need::All,
                };
                (!node.is_piece() && reads_older(&readers), need)
            }
        };
        Ok(match matters {
            true => need,
            false => Need::Nothing,
        })
    }
}
