//! eXpress's static facts: branches that cannot lead to a change (§4.4).
//!
//! - **B_E**: no path that takes the branch reaches a changed vertex afterwards.
//! - **B_P** ⊆ B_E: moreover, no path from a changed vertex leads to the branch.
//!
//! The paper finds them by searching a minimal inter-procedural CFG (Algorithm 1), which
//! expands a called method once, and not at all if it cannot reach a change. Here every
//! function is summarised once instead, which comes to the same graph with every call
//! expanded (`minimal_cfg` draws it): whether calling it may execute a change, and
//! whether a change may be executed after it has returned. The second is where the paper
//! is silent: a branch in a helper is relevant if the change lies in a caller, after the
//! call. It is found over all calls of the function, hence safe and the same for all.
//!
//! Beyond the paper, branches behind which constants decide that no change comes; see `constants`.
//!
//! **Safety.** No run that takes a branch of B_E executes a change point afterwards; no
//! run that takes a branch of B_P has executed or will execute one.

mod constants;
pub mod minimal_cfg;

use crate::calls::Calls;
use crate::changes::ChangeSet;
use crate::operation::edges;
use program_graphs::Cfg;
use program_ir::{Block, EntityRef, Func, Inst, InstData};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// One way out of a block that has several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Branch {
    pub func: Func,
    pub block: Block,
    /// Place among the terminator's edges.
    pub edge: u32,
}

#[derive(Clone, Debug, Default)]
pub struct IrrelevantBranches {
    /// B_E: no change is executed after such a branch.
    pub cannot_execute: BTreeSet<Branch>,
    /// B_P: nor before it.
    pub cannot_propagate: BTreeSet<Branch>,
    /// Not in B_E, yet no change is executed after such a branch either: constants decide what follows it.
    pub decided: BTreeSet<Branch>,
    /// Functions that may execute a change, by themselves or through calls.
    pub reaching_functions: BTreeSet<Func>,
    /// Per block, the place in it from which on no change is executed; blocks that have none
    /// are left out.
    pub quiet_from: BTreeMap<(Func, Block), u32>,
}

/// The change points of the new version, as places in its code.
pub type Points = BTreeMap<Func, HashSet<Inst>>;

pub fn points_of(changes: &ChangeSet, new: &program_ir::Module) -> Points {
    let points = changes.points(new).into_iter();
    points
        .map(|(func, points)| (func, points.into_iter().map(|point| point.inst).collect()))
        .collect()
}

pub fn irrelevant_branches(calls: &Calls<'_>, points: &Points) -> IrrelevantBranches {
    let mut search = BranchSearch::new(calls, points);
    search.find_reaching();
    search.find_reaching_after_return();
    search.find_after_change();
    IrrelevantBranches {
        decided: constants::decided(&search),
        ..search.branches()
    }
}

struct BranchSearch<'a> {
    calls: &'a Calls<'a>,
    points: &'a Points,
    non_local_jumps: bool,
    flows: BTreeMap<Func, Flow>,
    /// Calling the function may execute a change.
    reaching: Vec<bool>,
    /// After the function has returned a change may be executed.
    reaching_after: Vec<bool>,
    /// The function may be called after a change has been executed.
    called_after_change: Vec<bool>,
}

struct Flow {
    cfg: Cfg,
    /// Per block: the places of change points and calls, in order.
    events: Vec<Vec<(u32, Event)>>,
    call_places: HashMap<Inst, (Block, u32)>,
    /// Per block: from its start, a change may be executed before the function is left.
    within: Vec<bool>,
    /// Per block: from its start, the function may be left for its caller.
    leaves: Vec<bool>,
}

#[derive(Clone, Copy)]
enum Event {
    Change,
    Call(Inst),
}

impl<'a> BranchSearch<'a> {
    fn new(calls: &'a Calls<'a>, points: &'a Points) -> Self {
        let non_local_jumps = calls.has_non_local_jumps();
        let mut flows = BTreeMap::new();
        for &func in &calls.reached {
            flows.insert(
                func,
                Flow::of(calls, func, points.get(&func), non_local_jumps),
            );
        }
        let count = calls.module.functions.len();
        BranchSearch {
            calls,
            points,
            non_local_jumps,
            flows,
            reaching: vec![false; count],
            reaching_after: vec![false; count],
            called_after_change: vec![false; count],
        }
    }

    /// `within` of every block and `reaching` of every function, callers after callees.
    fn find_reaching(&mut self) {
        let mut open: Vec<Func> = self.points.keys().copied().collect();
        while let Some(func) = open.pop() {
            let Some(flow) = self.flows.get_mut(&func) else {
                continue;
            };
            let calls = self.calls;
            let reaching = &self.reaching;
            let happens = |event: &(u32, Event)| match event.1 {
                Event::Change => true,
                Event::Call(inst) => {
                    let targets = calls.targets(func, inst);
                    targets.iter().any(|callee| reaching[callee.index()])
                }
            };
            let seeds = flow
                .cfg
                .reverse_post_order()
                .iter()
                .filter(|block| flow.events[block.index()].iter().any(happens))
                .map(|block| block.as_u32());
            flow.within = flow.cfg.reverse_graph().reachable_from(seeds);
            let entry = flow.cfg.entry();
            let reaches = entry.is_some_and(|entry| flow.within[entry.index()]);
            if reaches && !std::mem::replace(&mut self.reaching[func.index()], true) {
                open.extend(self.calls.callers(func).iter().map(|(caller, _)| *caller));
            }
        }
    }

    fn event_happens(&self, func: Func, event: Event) -> bool {
        match event {
            Event::Change => true,
            Event::Call(inst) => {
                let targets = self.calls.targets(func, inst);
                targets.iter().any(|callee| self.reaching[callee.index()])
            }
        }
    }

    /// What can follow once the call at `inst` has returned: a change before the caller
    /// is left, and whether the caller can be left at all.
    fn after_call(&self, caller: Func, inst: Inst) -> (bool, bool) {
        let Some(flow) = self.flows.get(&caller) else {
            return (true, true);
        };
        let Some((block, index)) = flow.place_of_call(inst) else {
            return (false, false);
        };
        let later = flow.events[block.index()]
            .iter()
            .any(|&(at, event)| at > index && self.event_happens(caller, event));
        let within = later
            || flow
                .cfg
                .successors(block)
                .any(|next| flow.within[next.index()]);
        let leaves = self.non_local_jumps || flow.leaves[block.index()];
        (within, leaves)
    }

    fn find_reaching_after_return(&mut self) {
        let mut open: Vec<Func> = Vec::new();
        for &func in &self.calls.reached {
            let continues = |&(caller, inst): &(Func, Inst)| self.after_call(caller, inst).0;
            if self.calls.callers(func).iter().any(continues) {
                self.reaching_after[func.index()] = true;
                open.push(func);
            }
        }
        // What a function calls last returns into the function's own caller.
        while let Some(caller) = open.pop() {
            let Some(flow) = self.flows.get(&caller) else {
                continue;
            };
            let mut called = Vec::new();
            for events in &flow.events {
                for &(_, event) in events {
                    if let Event::Call(inst) = event
                        && self.after_call(caller, inst).1
                    {
                        called.extend_from_slice(self.calls.targets(caller, inst));
                    }
                }
            }
            for callee in called {
                if !std::mem::replace(&mut self.reaching_after[callee.index()], true) {
                    open.push(callee);
                }
            }
        }
    }

    /// Which functions can be called after a change has been executed.
    fn find_after_change(&mut self) {
        let mut open: Vec<Func> = self.calls.reached.clone();
        while let Some(func) = open.pop() {
            let Some(flow) = self.flows.get(&func) else {
                continue;
            };
            let starts = self.starts_after_change(func, flow);
            let mut newly = Vec::new();
            for (block, events) in flow.events.iter().enumerate() {
                let mut after = starts[block];
                for &(_, event) in events {
                    if let Event::Call(inst) = event
                        && (after
                            || self
                                .points
                                .get(&func)
                                .is_some_and(|set| set.contains(&inst)))
                    {
                        newly.extend_from_slice(self.calls.targets(func, inst));
                    }
                    after |= self.event_happens(func, event);
                }
            }
            for callee in newly {
                if !std::mem::replace(&mut self.called_after_change[callee.index()], true) {
                    open.push(callee);
                }
            }
        }
    }

    /// Per block: whether a change may have been executed before it is entered.
    fn starts_after_change(&self, func: Func, flow: &Flow) -> Vec<bool> {
        if self.called_after_change[func.index()] {
            return vec![true; flow.events.len()];
        }
        let happens = |block: &&Block| {
            let events = &flow.events[block.index()];
            events
                .iter()
                .any(|&(_, event)| self.event_happens(func, event))
        };
        let order = flow.cfg.reverse_post_order();
        let next = order
            .iter()
            .filter(happens)
            .flat_map(|&block| flow.cfg.successors(block));
        flow.cfg
            .graph()
            .reachable_from(next.map(|block| block.as_u32()))
    }

    /// The place in a block behind all that may execute a change, if none follows the block.
    fn quiet_from(&self, func: Func, flow: &Flow, block: Block) -> Option<u32> {
        let leaves = self.non_local_jumps || flow.leaves[block.index()];
        let mut next = flow.cfg.successors(block);
        if leaves && self.reaching_after[func.index()] || next.any(|next| flow.within[next.index()])
        {
            return None;
        }
        let events = flow.events[block.index()].iter().rev();
        let mut happening = events.filter(|&&(_, event)| self.event_happens(func, event));
        Some(happening.next().map_or(0, |&(place, _)| place + 1))
    }

    /// Whether no change is executed from the start of a block on.
    fn is_quiet(&self, func: Func, flow: &Flow, block: Block) -> bool {
        let leaves = self.non_local_jumps || flow.leaves[block.index()];
        let reaches = flow.within[block.index()] || leaves && self.reaching_after[func.index()];
        !reaches
    }

    fn branches(&self) -> IrrelevantBranches {
        let mut found = IrrelevantBranches::default();
        for (&func, flow) in &self.flows {
            if self.reaching[func.index()] {
                found.reaching_functions.insert(func);
            }
            let function = &self.calls.module.functions[func];
            let starts = self.starts_after_change(func, flow);
            for &block in flow.cfg.reverse_post_order() {
                if let Some(place) = self.quiet_from(func, flow, block) {
                    found.quiet_from.insert((func, block), place);
                }
                let Some(&last) = flow.cfg.live_insts(function, block).last() else {
                    continue;
                };
                let ways = edges(&function.insts[last].data);
                if ways.len() < 2 {
                    continue;
                }
                let events = &flow.events[block.index()];
                let after_change = starts[block.index()]
                    || events
                        .iter()
                        .any(|&(_, event)| self.event_happens(func, event));
                for (edge, way) in ways.into_iter().enumerate() {
                    if !self.is_quiet(func, flow, way.block) {
                        continue;
                    }
                    let branch = Branch {
                        func,
                        block,
                        edge: edge as u32,
                    };
                    found.cannot_execute.insert(branch);
                    if !after_change {
                        found.cannot_propagate.insert(branch);
                    }
                }
            }
        }
        found
    }
}

impl Flow {
    fn of(
        calls: &Calls<'_>,
        func: Func,
        points: Option<&HashSet<Inst>>,
        non_local_jumps: bool,
    ) -> Self {
        let function = &calls.module.functions[func];
        let cfg = calls.cfg(func);
        let mut events = vec![Vec::new(); function.blocks.len()];
        let mut call_places = HashMap::new();
        let mut leaving = Vec::new();
        for &block in cfg.reverse_post_order() {
            let insts = cfg.live_insts(function, block);
            for (index, inst) in insts.iter().enumerate() {
                if points.is_some_and(|points| points.contains(inst)) {
                    events[block.index()].push((index as u32, Event::Change));
                }
                if function.insts[*inst].data.call().is_some() {
                    events[block.index()].push((index as u32, Event::Call(*inst)));
                    call_places.insert(*inst, (block, index as u32));
                }
            }
            let last = insts.last().map(|&inst| &function.insts[inst].data);
            let returns = matches!(last, Some(InstData::Return { .. } | InstData::Resume));
            if returns || non_local_jumps {
                leaving.push(block.as_u32());
            }
        }
        Flow {
            within: vec![false; function.blocks.len()],
            leaves: cfg.reverse_graph().reachable_from(leaving),
            events,
            call_places,
            cfg,
        }
    }

    fn place_of_call(&self, call: Inst) -> Option<(Block, u32)> {
        self.call_places.get(&call).copied()
    }
}
