//! Invariant 7: definitions dominate uses.
//!
//! Immediate dominators by Cooper, Harvey and Kennedy's iteration over reverse postorder
//! numbers; "dominates" is then an interval test on the dominator tree.

use super::Check;
use crate::{Block, EntityRef, EntitySet, Inst, InstData, Value, ValueDef};

impl Check<'_> {
    pub(super) fn dominance(&mut self) {
        let Some(entry) = self.function.entry() else {
            return;
        };
        let tree = DominatorTree::of(self, entry);
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
                    self.fail(
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
                // Defined on the normal edge: where that edge dominates. A shared target
                // would be entered without a result as well.
                let only =
                    normal.block != unwind.block && tree.predecessors[normal.block.index()] == 1;
                Some(only && tree.dominates(normal.block, user))
            }
            _ if def_block == user => None,
            _ => Some(tree.dominates(def_block, user)),
        }
    }
}

struct DominatorTree {
    /// Interval of a depth-first walk of the tree; empty for unreachable blocks.
    interval: Vec<(u32, u32)>,
    /// How many edges of reachable blocks enter a block.
    predecessors: Vec<u32>,
}

impl DominatorTree {
    fn of(check: &Check<'_>, entry: Block) -> DominatorTree {
        let function = check.function;
        let count = function.blocks.len();
        let order = reverse_postorder(check, entry);
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
        let mut counts = vec![0; count];
        for (index, &block) in order.iter().enumerate() {
            counts[block.index()] = predecessors[index].len() as u32;
        }
        DominatorTree {
            interval: intervals(&idom, &order, count),
            predecessors: counts,
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

fn reverse_postorder(check: &Check<'_>, entry: Block) -> Vec<Block> {
    let mut seen = EntitySet::new();
    seen.insert(entry);
    let mut order = Vec::new();
    let mut stack = vec![(entry, check.function.successors(entry))];
    while let Some((block, todo)) = stack.last_mut() {
        match todo.pop() {
            Some(next) => {
                if seen.insert(next) {
                    stack.push((next, check.function.successors(next)));
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
