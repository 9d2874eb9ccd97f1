//! The obvious twin: write down every edge between instructions with its weight, and
//! relax all of them until nothing gets shorter (Bellman and Ford).

use crate::program_facts::ProgramFacts;
use program_ir::{Func, Inst};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    Entry(Func),
    Inst(Func, Inst),
}

/// The length of the shortest way from each place to a target; missing where there is
/// none.
pub fn distances(facts: &ProgramFacts, targets: &[(Func, Inst)]) -> BTreeMap<Place, u32> {
    let mut edges: Vec<(Place, Place, u32)> = Vec::new();
    let mut live = Vec::new();
    for &func in &facts.calls.reached {
        let function = &facts.module.functions[func];
        let flow = facts.control_flow(func);
        for &block in flow.cfg.reverse_post_order() {
            for &inst in flow.cfg.live_insts(function, block) {
                let place = Place::Inst(func, inst);
                live.push((func, inst));
                if flow.runs_always(block) {
                    edges.push((Place::Entry(func), place, 1));
                }
                for controller in flow.control_dependence.controllers(block) {
                    for decider in flow.cfg.deciders(function, controller) {
                        edges.push((Place::Inst(func, decider), place, 1));
                    }
                }
                for target in facts.calls.targets(func, inst) {
                    edges.push((place, Place::Entry(target.func), 0));
                }
            }
        }
    }
    let mut distances: BTreeMap<Place, u32> = targets
        .iter()
        .filter(|target| live.contains(target))
        .map(|&(func, inst)| (Place::Inst(func, inst), 0))
        .collect();
    loop {
        let mut shorter = false;
        for &(from, to, weight) in &edges {
            if let Some(&rest) = distances.get(&to) {
                let known = distances.entry(from).or_insert(u32::MAX);
                if rest + weight < *known {
                    *known = rest + weight;
                    shorter = true;
                }
            }
        }
        if !shorter {
            return distances;
        }
    }
}
