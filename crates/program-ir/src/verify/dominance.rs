//! Invariant 7: definitions dominate uses.
//!
//! Immediate dominators by Cooper, Harvey and Kennedy's iteration over reverse postorder
//! numbers; "dominates" is then an interval test on the dominator tree.

use super::Check;
use crate::{Block, EntityRef, EntitySet, Function, Inst, InstData, Value, ValueDef};

impl Check<'_> {
    pub(super) fn dominance(&mut self) {
        let Some(entry) = self.function.entry() else {
            return;
        };
        let tree = DominatorTree::of(self.function, entry);
        let mut position = vec![0_u32; self.function.insts.len()];
        let mut home = vec![entry; self.function.insts.len()];
        for (block, data) in self.function.blocks.iter() {
            for (index, inst) in data.insts.iter().enumerate() {
                position[inst.index()] = index as u32;
                home[inst.index()] = block;
            }
        }
        for block in self.reachable(entry) {
            for &inst in &self.function.blocks[block].insts {
                let data = &self.function.insts[inst].data;
                let mut broken: Option<Value> = None;
                data.for_each_operand(|operand| {
                    let holds = match self.function.values[operand].def {
                        ValueDef::Constant(_) => true,
                        ValueDef::Param(home, _) => tree.dominates(home, block),
                        ValueDef::Result(def, _) => {
                            let def_block = home[def.index()];
                            self.result_reaches(&tree, def, def_block, block)
                                .unwrap_or_else(|| position[def.index()] < position[inst.index()])
                        }
                    };
                    if !holds {
                        broken = Some(operand);
                    }
                });
                if let Some(operand) = broken {
                    self.fail_at(
                        7,
                        inst,
                        format!("{operand} is used where it is not defined"),
                    );
                }
            }
        }
    }

    /// Whether a result is defined throughout `user`; `None` if both are in one block, so
    /// that the order there decides.
    fn result_reaches(
        &self,
        tree: &DominatorTree,
        def: Inst,
        def_block: Block,
        user: Block,
    ) -> Option<bool> {
        match &self.function.insts[def].data {
            InstData::Invoke { normal, unwind, .. } => {
                // Defined on the normal edge: where that edge dominates. Other edges may
                // enter its target only from where it has been taken already.
                let edge_dominates = normal.block != unwind.block
                    && tree.predecessors[normal.block.index()]
                        .iter()
                        .all(|&from| from == def_block || tree.dominates(normal.block, from));
                Some(edge_dominates && tree.dominates(normal.block, user))
            }
            _ if def_block == user => None,
            _ => Some(tree.dominates(def_block, user)),
        }
    }
}

struct DominatorTree {
    /// Interval of a depth-first walk of the tree; empty for unreachable blocks.
    interval: Vec<(u32, u32)>,
    /// The reachable blocks from which edges enter a block.
    predecessors: Vec<Vec<Block>>,
}

impl DominatorTree {
    fn of(function: &Function, entry: Block) -> DominatorTree {
        let count = function.blocks.len();
        let order = reverse_postorder(function, entry);
        let mut number = vec![usize::MAX; count];
        for (index, block) in order.iter().enumerate() {
            number[block.index()] = index;
        }
        let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
        for (index, &block) in order.iter().enumerate() {
            for next in function.successors(block) {
                predecessors[number[next.index()]].push(index);
            }
        }
        let mut idom = vec![usize::MAX; order.len()];
        idom[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for index in 1..order.len() {
                let mut new = usize::MAX;
                // From the last on: where many blocks lead to one (`goto out`), each
                // intersection then goes on where the one before it ended.
                for &predecessor in predecessors[index].iter().rev() {
                    if idom[predecessor] == usize::MAX {
                        continue;
                    }
                    new = match new {
                        usize::MAX => predecessor,
                        other => intersect(&idom, predecessor, other),
                    };
                }
                if idom[index] != new {
                    idom[index] = new;
                    changed = true;
                }
            }
        }
        let mut of_blocks = vec![Vec::new(); count];
        for (index, &block) in order.iter().enumerate() {
            let numbers = predecessors[index].iter();
            of_blocks[block.index()] = numbers.map(|&number| order[number]).collect();
        }
        DominatorTree {
            interval: intervals(&idom, &order, count),
            predecessors: of_blocks,
        }
    }

    fn dominates(&self, dominator: Block, block: Block) -> bool {
        let (start, end) = self.interval[dominator.index()];
        let (at, _) = self.interval[block.index()];
        start <= at && at < end
    }
}

fn intersect(idom: &[usize], mut left: usize, mut right: usize) -> usize {
    while left != right {
        while left > right {
            left = idom[left];
        }
        while right > left {
            right = idom[right];
        }
    }
    left
}

fn intervals(idom: &[usize], order: &[Block], count: usize) -> Vec<(u32, u32)> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
    for (index, &parent) in idom.iter().enumerate().skip(1) {
        children[parent].push(index);
    }
    let mut interval = vec![(u32::MAX, 0); count];
    let mut clock = 0;
    let mut stack = vec![(0, 0)];
    while let Some((node, done)) = stack.pop() {
        let block = order[node].index();
        if done == 0 {
            interval[block].0 = clock;
            clock += 1;
        }
        match children[node].get(done) {
            Some(&child) => {
                stack.push((node, done + 1));
                stack.push((child, 0));
            }
            None => interval[block].1 = clock,
        }
    }
    interval
}

fn reverse_postorder(function: &Function, entry: Block) -> Vec<Block> {
    let mut seen = EntitySet::new();
    seen.insert(entry);
    let mut order = Vec::new();
    let mut stack = vec![(entry, function.successors(entry))];
    while let Some((block, todo)) = stack.last_mut() {
        match todo.pop() {
            Some(next) => {
                if seen.insert(next) {
                    stack.push((next, function.successors(next)));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockCall, Linkage, Signature};
    use proptest::prelude::*;

    /// Whether `block` can be reached from the entry without passing `avoided`.
    fn reached_without(function: &Function, avoided: Option<Block>, block: Block) -> bool {
        let mut seen = EntitySet::new();
        let mut stack = vec![Block::new(0)];
        while let Some(next) = stack.pop() {
            if Some(next) != avoided && seen.insert(next) {
                stack.extend(function.successors(next));
            }
        }
        seen.contains(block)
    }

    proptest! {
        /// The definition, taken literally: every path to `block` passes `dominator`.
        #[test]
        fn dominance_is_as_defined(
            graph in (1..12_usize).prop_flat_map(|count| {
                prop::collection::vec(prop::collection::vec(0..count, 0..3), count)
            })
        ) {
            let signature = Signature { params: vec![], returns: vec![], variadic: false };
            let mut function = Function::new("graph", Linkage::Local, signature);
            for targets in &graph {
                let targets = targets.iter().map(|&target| BlockCall {
                    block: Block::new(target),
                    args: Box::default(),
                });
                let block = function.add_block();
                let jump = InstData::IndirectJump {
                    address: Value::new(0),
                    targets: targets.collect(),
                };
                function.append(block, jump, &[], None);
            }
            let tree = DominatorTree::of(&function, Block::new(0));
            for block in function.blocks.keys() {
                for dominator in function.blocks.keys() {
                    if reached_without(&function, None, block) {
                        let dominates = !reached_without(&function, Some(dominator), block);
                        assert_eq!(tree.dominates(dominator, block), dominates);
                    }
                }
            }
        }
    }
}
