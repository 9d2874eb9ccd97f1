//! Who calls whom, with calls through pointers resolved by `points_to`.
//!
//! Also which calls never come back: a function never returns if none of its returns can
//! be reached once the calls that never return end their blocks. The least such set is
//! taken, starting from the externals that never return. Calls that control cannot reach
//! are left out, and functions that only such calls mean.

pub mod simple;

use crate::externals::external_model;
use crate::points_to::{CallBinding, PointsTo};
use crate::{Adjacency, CallControl, Cfg, Components};
use program_ir::{EntityRef, Func, Inst, InstData, Module};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CallTarget {
    pub func: Func,
    pub binding: CallBinding,
}

#[derive(Clone, Debug)]
pub struct CallGraph {
    targets: BTreeMap<(Func, Inst), Vec<CallTarget>>,
    /// Per function: the calls that can mean it.
    callers: Vec<Vec<(Func, Inst)>>,
    /// Over function numbers; callees come first.
    pub components: Components,
    recursive: Vec<bool>,
    never_returns: Vec<bool>,
    /// Functions with a body that the roots reach.
    pub reached: Vec<Func>,
    /// Reached calls through pointers that point to no function: executing one is an
    /// error of the program.
    pub unresolved: Vec<(Func, Inst)>,
}

impl CallGraph {
    pub fn of(module: &Module, points_to: &PointsTo) -> Self {
        let mut targets: BTreeMap<(Func, Inst), Vec<CallTarget>> = BTreeMap::new();
        let mut unresolved = Vec::new();
        for &caller in &points_to.reached {
            for (inst, node) in module.functions[caller].insts.iter() {
                if node.data.call().is_none() {
                    continue;
                }
                let called = targets.entry((caller, inst)).or_default();
                for &(func, binding) in points_to.targets.get(&(caller, inst)).into_iter().flatten()
                {
                    called.push(CallTarget { func, binding });
                }
                if called.is_empty() {
                    unresolved.push((caller, inst));
                }
                let is_unknown = |target: &CallTarget| {
                    let function = &module.functions[target.func];
                    function.is_declaration() && external_model(&function.name).is_none()
                };
                if called.iter().any(is_unknown) {
                    for &func in &points_to.called_by_unknown {
                        called.push(CallTarget {
                            func,
                            binding: CallBinding::Callback,
                        });
                    }
                    called.sort_unstable();
                    called.dedup();
                }
            }
        }
        let mut call_graph = CallGraph {
            targets,
            callers: Vec::new(),
            components: Components::of(&Adjacency::default()),
            recursive: Vec::new(),
            never_returns: vec![false; module.functions.len()],
            reached: points_to.reached.iter().copied().collect(),
            unresolved,
        };
        call_graph.index(module);
        call_graph.find_never_returning(module);
        call_graph.drop_dead_calls(module, points_to);
        call_graph.index(module);
        call_graph
    }

    /// Everything that follows from `targets`.
    fn index(&mut self, module: &Module) {
        let mut callers = vec![Vec::new(); module.functions.len()];
        let mut edges = Vec::new();
        for (&(caller, inst), called) in &self.targets {
            for target in called {
                callers[target.func.index()].push((caller, inst));
                edges.push((caller.as_u32(), target.func.as_u32()));
            }
        }
        for calls in &mut callers {
            calls.dedup();
        }
        let graph = Adjacency::from_edges(module.functions.len(), &edges);
        let components = Components::of(&graph);
        self.recursive = (0..module.functions.len() as u32)
            .map(|func| {
                let component = components.component_of[func as usize];
                components.members[component as usize].len() > 1 || graph.of(func).contains(&func)
            })
            .collect();
        self.callers = callers;
        self.components = components;
    }

    /// Keeps only calls that control can reach, and the functions that these reach.
    fn drop_dead_calls(&mut self, module: &Module, points_to: &PointsTo) {
        let mut live = BTreeMap::new();
        let mut reached = BTreeSet::new();
        let mut work = points_to.roots.clone();
        while let Some(func) = work.pop() {
            if module.functions[func].is_declaration() || !reached.insert(func) {
                continue;
            }
            for inst in self
                .cfg(module, func)
                .all_live_insts(&module.functions[func])
            {
                if let Some(called) = self.targets.get(&(func, inst)) {
                    work.extend(called.iter().map(|target| target.func));
                    live.insert((func, inst), called.clone());
                }
            }
        }
        self.unresolved.retain(|call| live.contains_key(call));
        self.targets = live;
        self.reached = reached.into_iter().collect();
    }

    /// What a call can call; empty for other instructions and unreached functions.
    pub fn targets(&self, func: Func, inst: Inst) -> &[CallTarget] {
        self.targets.get(&(func, inst)).map_or(&[], Vec::as_slice)
    }

    pub fn calls(&self) -> impl Iterator<Item = (Func, Inst, &[CallTarget])> {
        self.targets
            .iter()
            .map(|(&(func, inst), targets)| (func, inst, targets.as_slice()))
    }

    pub fn callers(&self, func: Func) -> &[(Func, Inst)] {
        &self.callers[func.index()]
    }

    /// Whether a call of the function can be active twice at a time.
    pub fn is_recursive(&self, func: Func) -> bool {
        self.recursive[func.index()]
    }

    pub fn never_returns(&self, func: Func) -> bool {
        self.never_returns[func.index()]
    }

    pub fn control(&self, module: &Module, func: Func, inst: Inst) -> CallControl {
        let called = self
            .targets(func, inst)
            .iter()
            .filter(|target| target.binding == CallBinding::Arguments);
        let mut never = true;
        let mut any = false;
        for target in called {
            any = true;
            let function = &module.functions[target.func];
            if function.is_declaration()
                && external_model(&function.name)
                    .is_some_and(|model| model.control == CallControl::ReturnsTwice)
            {
                return CallControl::ReturnsTwice;
            }
            never &= self.never_returns[target.func.index()];
        }
        if any && never {
            CallControl::NeverReturns
        } else {
            CallControl::Returns
        }
    }

    /// The control-flow graph, with what is known about calls.
    pub fn cfg(&self, module: &Module, func: Func) -> Cfg {
        Cfg::with_calls(&module.functions[func], |inst| {
            self.control(module, func, inst)
        })
    }

    fn find_never_returning(&mut self, module: &Module) {
        for (func, function) in module.functions.iter() {
            self.never_returns[func.index()] = function.is_declaration()
                && external_model(&function.name)
                    .is_some_and(|model| model.control == CallControl::NeverReturns);
        }
        // Callees first, so that few rounds are needed; a function is looked at again
        // when something it calls turns out never to return.
        let mut queue: std::collections::VecDeque<Func> = self
            .components
            .members
            .iter()
            .flatten()
            .map(|&func| Func::from_u32(func))
            .collect();
        while let Some(func) = queue.pop_front() {
            if self.never_returns[func.index()]
                || module.functions[func].is_declaration()
                || self.can_return(module, func)
            {
                continue;
            }
            self.never_returns[func.index()] = true;
            queue.extend(self.callers[func.index()].iter().map(|(caller, _)| *caller));
        }
    }

    fn can_return(&self, module: &Module, func: Func) -> bool {
        let function = &module.functions[func];
        let cfg = self.cfg(module, func);
        cfg.reverse_post_order().iter().any(|&block| {
            cfg.live_insts(function, block)
                .last()
                .is_some_and(|&inst| matches!(function.insts[inst].data, InstData::Return { .. }))
        })
    }
}
