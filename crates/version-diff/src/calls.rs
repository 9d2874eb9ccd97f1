//! What each call may call, for the inter-procedural facts of this crate.
//!
//! From the call graph of `program-graphs` where one has been computed. Where it would
//! cost more than the question is worth (the complexity of each of 200 commits), an
//! indirect call is taken to mean every function of fitting signature whose address is
//! taken anywhere: more targets, hence still safe.

use crate::input_space::addresses_taken;
use program_graphs::externals::external_model;
use program_graphs::{CallControl, CallGraph, Cfg, default_roots};
use program_ir::{Callee, EntityRef, Func, Inst, InstData, Module};
use std::collections::{BTreeSet, HashMap};

pub struct Calls<'a> {
    pub module: &'a Module,
    /// Functions with a body that can be called at all, ascending.
    pub reached: Vec<Func>,
    pub roots: Vec<Func>,
    targets: HashMap<(Func, Inst), Vec<Func>>,
    callers: Vec<Vec<(Func, Inst)>>,
    graph: Option<&'a CallGraph>,
    /// Functions that are known never to return; empty if that was not looked for.
    never_returns: Vec<bool>,
}

/// What a call through a pointer may mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pointers {
    /// A function that takes what is passed, or less, whatever the types.
    Fitting,
    /// A call may also pass less than its target takes: the language forbids that, and machines do it.
    Any,
}

impl<'a> Calls<'a> {
    pub fn from_graph(module: &'a Module, graph: &'a CallGraph, roots: Vec<Func>) -> Self {
        let mut targets = HashMap::new();
        for (func, inst, called) in graph.calls() {
            let called: BTreeSet<Func> = called.iter().map(|target| target.func).collect();
            targets.insert((func, inst), called.into_iter().collect());
        }
        let mut calls = Calls {
            module,
            reached: graph.reached.clone(),
            roots,
            targets,
            callers: Vec::new(),
            graph: Some(graph),
            never_returns: Vec::new(),
        };
        calls.index_callers();
        calls
    }

    /// Without points-to analysis.
    pub fn by_signature(module: &'a Module, roots: Vec<Func>) -> Self {
        let is_taken = addresses_taken(module);
        let taken = module.functions.keys();
        let taken: BTreeSet<Func> = taken.filter(|func| is_taken[func.index()]).collect();
        Calls::closed(module, roots, &taken, HashMap::new(), Pointers::Fitting)
    }

    /// Without points-to analysis, and with what the text of the module tells besides: a call through a pointer may mean
    /// any function in `taken`, whatever it is called with, and what is in `known`. Moreover, functions that never return are
    /// found. For proofs.
    pub fn by_text(
        module: &'a Module,
        roots: Vec<Func>,
        taken: &BTreeSet<Func>,
        known: HashMap<(Func, Inst), Vec<Func>>,
    ) -> Self {
        let mut calls = Calls::closed(module, roots, taken, known, Pointers::Any);
        calls.find_never_returning();
        calls
    }

    fn closed(
        module: &'a Module,
        roots: Vec<Func>,
        taken: &BTreeSet<Func>,
        targets: HashMap<(Func, Inst), Vec<Func>>,
        pointers: Pointers,
    ) -> Self {
        let mut calls = Calls {
            module,
            reached: Vec::new(),
            roots: roots.clone(),
            targets,
            callers: Vec::new(),
            graph: None,
            never_returns: Vec::new(),
        };
        calls.close(roots, taken, pointers);
        calls
    }

    /// A function never returns if control comes to none of its returns once calls of such functions end it. The least
    /// such set, as in [`CallGraph`].
    fn find_never_returning(&mut self) {
        let module = self.module;
        let is_known = |(_, function): (Func, &program_ir::Function)| {
            let model = external_model(&function.name);
            function.is_declaration()
                && model.is_some_and(|model| model.control == CallControl::NeverReturns)
        };
        self.never_returns = module.functions.iter().map(is_known).collect();
        let mut open = self.reached.clone();
        while let Some(func) = open.pop() {
            if !self.never_returns[func.index()] && !self.can_return(func) {
                self.never_returns[func.index()] = true;
                open.extend(self.callers[func.index()].iter().map(|(caller, _)| *caller));
            }
        }
    }

    fn can_return(&self, func: Func) -> bool {
        let function = &self.module.functions[func];
        let cfg = self.cfg(func);
        cfg.reverse_post_order().iter().any(|&block| {
            let last = cfg.live_insts(function, block).last();
            last.is_some_and(|&inst| matches!(function.insts[inst].data, InstData::Return { .. }))
        })
    }

    /// Adds what the functions in `open`, and all that they reach, may call as far as their text tells.
    fn close(&mut self, mut open: Vec<Func>, taken: &BTreeSet<Func>, pointers: Pointers) {
        let module = self.module;
        let fits = |func: &&Func, args: usize| {
            let signature = &module.functions[**func].signature;
            signature.params.len() <= args || signature.variadic
        };
        let mut by_count: HashMap<usize, Vec<Func>> = HashMap::new();
        let mut reached = BTreeSet::new();
        while let Some(func) = open.pop() {
            let function = &module.functions[func];
            if function.is_declaration() || !reached.insert(func) {
                continue;
            }
            for &inst in function.blocks.values().flat_map(|block| &block.insts) {
                let Some(call) = function.insts[inst].data.call() else {
                    continue;
                };
                let targets = self.targets.entry((func, inst)).or_default();
                match call.callee {
                    Callee::Direct(callee) => {
                        targets.push(callee);
                        // An external may call back whatever it can get hold of.
                        if may_call_back(module, callee) {
                            targets.extend(taken);
                        }
                    }
                    Callee::Indirect(_) if pointers == Pointers::Any => targets.extend(taken),
                    Callee::Indirect(_) => {
                        let args = call.args.len();
                        let fitting = || taken.iter().filter(|func| fits(func, args)).copied();
                        let fitting = by_count.entry(args).or_insert_with(|| fitting().collect());
                        targets.extend(fitting.iter());
                    }
                }
                targets.sort_unstable();
                targets.dedup();
                open.extend(targets.iter().copied());
            }
        }
        self.reached = reached.into_iter().collect();
        self.index_callers();
    }

    /// As [`Calls::by_signature`], from `main` or whatever the program starts with.
    pub fn from_default_roots(module: &'a Module) -> Self {
        Calls::by_signature(module, default_roots(module))
    }

    fn index_callers(&mut self) {
        let mut callers = vec![Vec::new(); self.module.functions.len()];
        let mut calls: Vec<_> = self.targets.iter().collect();
        calls.sort_unstable_by_key(|(call, _)| **call);
        for (&call, called) in calls {
            for callee in called {
                callers[callee.index()].push(call);
            }
        }
        self.callers = callers;
    }

    pub fn targets(&self, func: Func, inst: Inst) -> &[Func] {
        self.targets.get(&(func, inst)).map_or(&[], Vec::as_slice)
    }

    pub fn callers(&self, func: Func) -> &[(Func, Inst)] {
        &self.callers[func.index()]
    }

    pub fn cfg(&self, func: Func) -> Cfg {
        match self.graph {
            Some(graph) => graph.cfg(self.module, func),
            None => Cfg::with_calls(&self.module.functions[func], |inst| {
                let targets = self.targets(func, inst);
                let never = |callee: &Func| self.never_returns.get(callee.index()) == Some(&true);
                match self.external_control(func, inst) {
                    CallControl::Returns if !targets.is_empty() && targets.iter().all(never) => {
                        CallControl::NeverReturns
                    }
                    control => control,
                }
            }),
        }
    }

    /// Whether some function can be returned to a second time, as by `longjmp`.
    pub fn has_non_local_jumps(&self) -> bool {
        self.reached.iter().any(|&func| {
            let function = &self.module.functions[func];
            let calls = function
                .insts
                .keys()
                .filter(|&inst| function.insts[inst].data.call().is_some());
            calls
                .into_iter()
                .any(|inst| self.external_control(func, inst) == CallControl::ReturnsTwice)
        })
    }

    fn external_control(&self, func: Func, inst: Inst) -> CallControl {
        let mut control = CallControl::Returns;
        if let [callee] = self.targets(func, inst) {
            let function = &self.module.functions[*callee];
            if function.is_declaration()
                && let Some(model) = external_model(&function.name)
            {
                control = model.control;
            }
        }
        control
    }
}

/// An external without a model, or with one that says so.
fn may_call_back(module: &Module, callee: Func) -> bool {
    let function = &module.functions[callee];
    function.is_declaration()
        && external_model(&function.name).is_none_or(|model| {
            let calls_back =
                |effect: &_| matches!(effect, program_graphs::externals::Effect::CallsBack { .. });
            model.effects.iter().any(calls_back)
        })
}
