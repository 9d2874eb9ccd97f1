//! From a point in a body to the next instruction that is not a plain jump.

use super::Body;
use crate::operation::edges;
use program_ir::{Block, Inst};

#[derive(Clone, Debug)]
pub(super) struct Walk {
    /// The first instruction met, a jump or `landing`.
    pub(super) first: Inst,
    /// The edges taken: terminator and place among its edges.
    pub(super) edges: Vec<(Inst, usize)>,
    pub(super) landing: Inst,
    /// Control never comes to anything but jumps; `landing` is one of them.
    pub(super) is_endless: bool,
}

/// Along the edge `index` of a terminator.
pub(super) fn along(body: &Body<'_>, terminator: Inst, index: usize) -> Walk {
    let target = edges(body.data(terminator))[index].block;
    walk(body, Some((terminator, index)), (target, 0))
}

/// From the instruction at `start` on; `through` is the edge that led there.
pub(super) fn walk(body: &Body<'_>, through: Option<(Inst, usize)>, start: (Block, u32)) -> Walk {
    let mut edges_taken: Vec<(Inst, usize)> = through.into_iter().collect();
    let mut first = None;
    let (mut block, mut index) = start;
    loop {
        let inst = body.function.blocks[block].insts[index as usize];
        if body.is_slot(inst) {
            index += 1;
            continue;
        }
        let first = *first.get_or_insert(inst);
        let is_jump = body.is_jump(inst);
        let is_endless = is_jump && edges_taken.contains(&(inst, 0));
        if !is_jump || is_endless {
            return Walk {
                first,
                edges: edges_taken,
                landing: inst,
                is_endless,
            };
        }
        edges_taken.push((inst, 0));
        (block, index) = (edges(body.data(inst))[0].block, 0);
    }
}
