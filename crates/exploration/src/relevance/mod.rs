//! Which decisions of a run matter: relevant slices (thesis §2.2.3) and the reachability condition (Definitions 4
//! and 5).
//!
//! A *relevant slice* of some instances is closed under dynamic data dependence, dynamic control dependence and
//! **potential dependence**: a reading instance depends on an earlier branch that, had it gone another way, might have
//! written what is read. Every input that satisfies the conditions decided in the slice executes the slice
//! again, with the same terms; what other branches do is left open.
//!
//! **Reachability.** The criterion are the branches that, had they gone another way, might have executed a change
//! before their ways meet again. If a run executes no change, then neither does any input that satisfies the
//! conditions in the relevant slice of these: both versions do the same there. How the run ended belongs to the
//! criterion too, since an input that does not end there may go on to a change.
//!
//! **Behaviour.** Where a change is executed, the criterion is everything that can be seen of a run or may keep it from
//! its end ([`RelevanceFacts::behaviour`]).
//!
//! Potential dependence is over-approximated from static facts about the program without its C library
//! (`program_graphs`: points-to, effects of calls, models of library functions); library code counts as done by
//! the call that led to it. The assumptions of those facts come with every verdict that rests on them.
//!
//! Where this deviates from the thesis: slices are of operations instead of statements, and a write potentially
//! happens if it is anywhere between a branch and the meeting point of its ways, calls included.

mod pair;
mod plain;

pub use pair::PairRelevance;

use crate::subject::{Subject, Version};
use concolic_vm::observe::{DependenceTrace, Instance, Slice, TraceFacts};
use concolic_vm::symbolic::Coverage;
use concolic_vm::{CodeSite, End, Program};
use expr::ExprId;
use plain::{PlainFunctions, is_acyclic};
use program_graphs::externals::external_model;
use program_graphs::memory_access::AccessKind;
use program_graphs::mod_ref::inst_effects;
use program_graphs::{Cfg, FactsConfig, PostDominators, ProgramFacts, SparseSet, default_roots};
use program_ir::{Block, EntityRef, Func, Inst, InstData, Module};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// No reader, or no lower bound.
const NONE: u32 = u32::MAX;

/// What is known of one version before it runs.
pub struct RelevanceFacts<'a> {
    program: &'a Program,
    facts: ProgramFacts<'a>,
    pub trace: TraceFacts,
    points: FxHashSet<(Func, Inst)>,
    changed_blocks: Vec<(Func, Block)>,
    /// Functions of which a call may execute a change.
    reaching: Vec<bool>,
    kinds: Vec<OperationKind>,
    plain: PlainFunctions<'a>,
    /// By operation: the number of its instruction among those that read memory.
    readers: Vec<u32>,
    reader_count: usize,
    /// By cell: its readers.
    readers_of_cell: FxHashMap<u32, Vec<u32>>,
    post_dominators: FxHashMap<Func, (Cfg, PostDominators)>,
    blocks: FxHashMap<(Func, Inst), Block>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OperationKind {
    /// Own code that surely succeeds and is not seen; see [`plain`].
    Plain,
    /// Other own code.
    Effect,
    /// A branch of the program's own code.
    Branch,
    Library,
    LibraryBranch,
    /// Of own code that the static facts hold for unreachable.
    NotFollowed,
}

/// What may happen between a branch and the meeting point of its ways, on one of them.
#[derive(Clone, Debug, Default)]
struct Way {
    change: bool,
    /// All of it is plain.
    plain: bool,
    /// Readers of what may be written.
    readers: Vec<u32>,
    /// Registers of the frame that may be written.
    registers: Vec<u32>,
}

/// The ways that were looked at, kept by each worker.
#[derive(Default)]
pub struct KnownWays {
    ways: FxHashMap<(u32, u64), Rc<Way>>,
    /// By call of the program's own code: readers of what it may write.
    calls: FxHashMap<u32, Rc<[u32]>>,
}

/// Something was executed that the static facts do not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotFollowed;

/// Stands for what library functions without a model keep between calls.
const HIDDEN_CELL: u32 = u32::MAX;

impl<'a> RelevanceFacts<'a> {
    /// `own` is the program's module without its library; `points` are the change points. `None` if control
    /// may jump from one function into another, which the facts do not follow.
    pub fn of(
        version: &Version<'a>,
        own: &'a Module,
        points: impl IntoIterator<Item = (Func, Inst)>,
    ) -> Option<RelevanceFacts<'a>> {
        let program = version.program;
        let roots = match version.subject {
            Subject::Whole => default_roots(own),
            Subject::Call(func) => vec![func],
        };
        let config = FactsConfig {
            roots,
            ..FactsConfig::default()
        };
        let facts = ProgramFacts::of(own, &config);
        let is_library = |func: Func| {
            own.functions[func].is_declaration()
                && !program.module().functions[func].is_declaration()
        };
        let mut post_dominators = FxHashMap::default();
        for &func in &facts.calls.reached {
            let cfg = facts.calls.cfg(own, func);
            if cfg.returns_twice() {
                return None;
            }
            let tree = PostDominators::of(&cfg);
            post_dominators.insert(func, (cfg, tree));
        }
        let trace = TraceFacts::new(
            program,
            |func| {
                let function = &program.module().functions[func];
                let immediate = |tree: &PostDominators| {
                    let blocks = function.blocks.keys();
                    blocks.map(|block| tree.immediate(block)).collect()
                };
                match post_dominators.get(&func) {
                    Some((_, tree)) => immediate(tree),
                    None => immediate(&PostDominators::of(&Cfg::of(function))),
                }
            },
            is_library,
        );
        let mut found = RelevanceFacts {
            program,
            facts,
            trace,
            points: points.into_iter().collect(),
            changed_blocks: Vec::new(),
            reaching: Vec::new(),
            kinds: Vec::new(),
            plain: PlainFunctions::of(own),
            readers: Vec::new(),
            reader_count: 0,
            readers_of_cell: FxHashMap::default(),
            post_dominators,
            blocks: FxHashMap::default(),
        };
        found.find_changed_blocks();
        found.find_reaching();
        found.find_readers();
        Some(found)
    }

    /// What the static facts take for granted.
    pub fn assumptions(&self) -> impl Iterator<Item = String> + '_ {
        self.facts.assumptions.iter().map(ToString::to_string)
    }

    fn find_changed_blocks(&mut self) {
        let changed: FxHashSet<Func> = self.points.iter().map(|point| point.0).collect();
        for func in changed {
            let blocks = self.program.module().functions[func].blocks.iter();
            let has_point = |inst: &Inst| self.points.contains(&(func, *inst));
            let blocks = blocks.filter(|(_, data)| data.insts.iter().any(has_point));
            self.changed_blocks
                .extend(blocks.map(|(block, _)| (func, block)));
        }
    }

    fn find_reaching(&mut self) {
        let module = self.facts.module;
        self.reaching = vec![false; module.functions.len()];
        let mut open: Vec<Func> = self.points.iter().map(|point| point.0).collect();
        while let Some(func) = open.pop() {
            if std::mem::replace(&mut self.reaching[func.index()], true) {
                continue;
            }
            let callers = self.facts.calls.callers(func).iter();
            open.extend(callers.map(|caller| caller.0));
        }
    }

    fn find_readers(&mut self) {
        let module = self.facts.module;
        let mut numbers: FxHashMap<(Func, Inst), u32> = FxHashMap::default();
        for &func in &self.facts.calls.reached {
            for (block, data) in module.functions[func].blocks.iter() {
                for &inst in &data.insts {
                    self.blocks.insert((func, inst), block);
                }
            }
            for access in self.facts.accesses.of_function(func) {
                if access.kind != AccessKind::Read {
                    continue;
                }
                let next = numbers.len() as u32;
                let number = *numbers.entry((func, access.inst)).or_insert(next);
                for cell in self.facts.accesses.sets[access.cells].cells.iter() {
                    let readers = self.readers_of_cell.entry(cell).or_default();
                    if readers.last() != Some(&number) {
                        readers.push(number);
                    }
                }
            }
        }
        for (func, inst, _) in self.facts.calls.calls() {
            if self.is_unknown(func, inst) {
                let next = numbers.len() as u32;
                let number = *numbers.entry((func, inst)).or_insert(next);
                self.readers_of_cell
                    .entry(HIDDEN_CELL)
                    .or_default()
                    .push(number);
            }
        }
        self.reader_count = numbers.len();
        for func in self.program.module().functions.keys() {
            for pc in 0..self.program.operation_count_of(func) {
                let function = func.as_u32();
                let site = CodeSite { function, pc };
                let is_branch = self.program.is_branch(site);
                let inst = self.program.inst_at(site);
                let function_data = &module.functions[func];
                let is_plain = |inst: Inst| self.plain.is_plain(function_data, inst);
                self.kinds.push(match self.trace.is_library(func) {
                    true if is_branch => OperationKind::LibraryBranch,
                    true => OperationKind::Library,
                    false if !self.post_dominators.contains_key(&func) => {
                        OperationKind::NotFollowed
                    }
                    false if is_branch => OperationKind::Branch,
                    false if inst.is_none_or(is_plain) => OperationKind::Plain,
                    false => OperationKind::Effect,
                });
                let reader = inst.and_then(|inst| numbers.get(&(func, inst)));
                self.readers.push(reader.copied().unwrap_or(NONE));
            }
        }
    }

    /// Whether a call goes to a library function of which only the name is known.
    fn is_unknown(&self, func: Func, inst: Inst) -> bool {
        let targets = self.facts.calls.targets(func, inst);
        targets.iter().any(|target| {
            let function = &self.facts.module.functions[target.func];
            function.is_declaration() && external_model(&function.name).is_none()
        })
    }

    /// Whether an instruction may execute a change, by itself or through a call.
    fn may_change(&self, func: Func, inst: Inst) -> bool {
        let targets = self.facts.calls.targets(func, inst);
        self.points.contains(&(func, inst))
            || targets
                .iter()
                .any(|target| self.reaching[target.func.index()])
    }

    /// The cells that an instruction may write, by itself or through a call.
    fn writes(&self, func: Func, inst: Inst, written: &mut SparseSet) {
        written.union_with(&inst_effects(&self.facts.accesses, func, inst).writes);
        for target in self.facts.calls.targets(func, inst) {
            let effects = self.facts.mod_ref.interface(&self.facts.calls, target.func);
            written.union_with(&effects.writes);
        }
        if self.is_unknown(func, inst) {
            written.insert(HIDDEN_CELL);
        }
    }

    fn readers_of(&self, written: &SparseSet) -> Vec<u32> {
        let readers = written
            .iter()
            .filter_map(|cell| self.readers_of_cell.get(&cell));
        let mut readers: Vec<u32> = readers.flatten().copied().collect();
        readers.sort_unstable();
        readers.dedup();
        readers
    }

    /// What may happen from `starts` on before `end`.
    fn region(&self, func: Func, starts: &[Block], end: Option<Block>) -> Way {
        let (cfg, _) = &self.post_dominators[&func];
        let function = &self.facts.module.functions[func];
        let mut open: Vec<Block> = starts.to_vec();
        let mut seen: FxHashSet<Block> = FxHashSet::default();
        let mut written = SparseSet::new();
        // The meeting point's parameters are written on the way there.
        let end_registers = end.map_or(&[][..], |end| self.program.registers_defined(func, end));
        let mut registers = end_registers.to_vec();
        let mut change = false;
        let mut plain = is_acyclic(cfg, starts, end);
        while let Some(block) = open.pop() {
            if Some(block) == end || !seen.insert(block) {
                continue;
            }
            open.extend(cfg.successors(block));
            registers.extend_from_slice(self.program.registers_defined(func, block));
            for &inst in cfg.live_insts(function, block) {
                change |= self.may_change(func, inst);
                plain = plain && self.plain.is_plain(function, inst);
                self.writes(func, inst, &mut written);
            }
        }
        Way {
            change,
            plain,
            readers: self.readers_of(&written),
            registers,
        }
    }

    /// What may happen on the ways out of a branch other than the one that was taken. `None` for an operation
    /// that is no branch of the program's own code.
    fn other_ways(
        &self,
        known: &mut KnownWays,
        operation: u32,
        taken: u64,
    ) -> Result<Option<Rc<Way>>, NotFollowed> {
        match self.kinds[operation as usize] {
            OperationKind::Branch => {}
            OperationKind::NotFollowed => return Err(NotFollowed),
            _ => return Ok(None),
        }
        if let Some(way) = known.ways.get(&(operation, taken)) {
            return Ok(Some(way.clone()));
        }
        let way = Rc::new(self.find_other_ways(operation, taken)?);
        known.ways.insert((operation, taken), way.clone());
        Ok(Some(way))
    }

    fn find_other_ways(&self, operation: u32, taken: u64) -> Result<Way, NotFollowed> {
        let site = self.program.site_of_operation(operation);
        let func = Func::new(site.function as usize);
        let (_, post_dominators) = self.post_dominators.get(&func).ok_or(NotFollowed)?;
        let inst = self.program.inst_at(site).ok_or(NotFollowed)?;
        let data = &self.facts.module.functions[func].insts[inst].data;
        let others = match data {
            InstData::Branch {
                then, otherwise, ..
            } => match taken {
                0 => vec![then.block],
                _ => vec![otherwise.block],
            },
            InstData::Switch { .. } | InstData::IndirectJump { .. } => data.successors(),
            _ => return Err(NotFollowed),
        };
        let block = *self.blocks.get(&(func, inst)).ok_or(NotFollowed)?;
        Ok(self.region(func, &others, post_dominators.immediate(block)))
    }

    /// Readers of what a call of the program's own code may write.
    fn readers_behind(&self, known: &mut KnownWays, call: u32) -> Rc<[u32]> {
        if let Some(readers) = known.calls.get(&call) {
            return readers.clone();
        }
        let site = self.program.site_of_operation(call);
        let mut written = SparseSet::new();
        if let Some(inst) = self.program.inst_at(site) {
            self.writes(Func::new(site.function as usize), inst, &mut written);
        }
        let readers: Rc<[u32]> = self.readers_of(&written).into();
        known.calls.insert(call, readers.clone());
        readers
    }

    /// Whether a run may have executed a change: it has entered a block with one.
    pub fn reached(&self, coverage: &Coverage) -> bool {
        let mut blocks = self.changed_blocks.iter();
        blocks.any(|&(func, block)| coverage.contains(self.program, func, block))
    }

    /// Conditions under which an input executes no change, given the trace of one that executes none.
    pub fn reachability(
        &self,
        known: &mut KnownWays,
        trace: &DependenceTrace,
        end: &End,
    ) -> Result<FxHashSet<ExprId>, NotFollowed> {
        let mut criterion = self.ending(trace, end)?;
        for instance in trace.instances() {
            let operation = trace.operation(instance);
            let actor = trace.actor(instance);
            let matters = match self.other_ways(known, operation, trace.value(instance))? {
                Some(ways) => ways.change,
                // Library code may call back, and a pointer may lead to another function.
                None => actor != DependenceTrace::NO_ACTOR && self.calls_change(actor),
            };
            if matters {
                criterion.push(instance);
            }
        }
        let slice = self.relevant_slice(known, trace, criterion)?;
        Ok(decided_in(trace, &slice))
    }

    /// Conditions under which an input puts out what the trace's one did, as the same terms, and ends in the same
    /// way.
    ///
    /// Left open is only which way a branch goes whose other ways are plain, if no reader cares: whatever may fail, be
    /// seen, or go on forever is in the criterion, and so is all of the library.
    pub fn behaviour(
        &self,
        known: &mut KnownWays,
        trace: &DependenceTrace,
        end: &End,
    ) -> Result<FxHashSet<ExprId>, NotFollowed> {
        if end.is_inconclusive() || matches!(end, End::StepLimit { .. } | End::StackOverflow { .. })
        {
            return Err(NotFollowed);
        }
        let mut criterion: Vec<Instance> = trace.last.into_iter().collect();
        for instance in trace.instances() {
            let operation = trace.operation(instance);
            let matters = match self.kinds[operation as usize] {
                OperationKind::Plain => false,
                OperationKind::Branch => {
                    let ways = self.other_ways(known, operation, trace.value(instance))?;
                    ways.is_some_and(|ways| !ways.plain)
                }
                OperationKind::NotFollowed => return Err(NotFollowed),
                OperationKind::Effect | OperationKind::Library | OperationKind::LibraryBranch => {
                    true
                }
            };
            if matters {
                criterion.push(instance);
            }
        }
        let slice = self.relevant_slice(known, trace, criterion)?;
        Ok(decided_in(trace, &slice))
    }

    /// What ended the run: an input that does not end there may go on to a change.
    fn ending(&self, trace: &DependenceTrace, end: &End) -> Result<Vec<Instance>, NotFollowed> {
        if end.is_inconclusive() || matches!(end, End::StepLimit { .. } | End::StackOverflow { .. })
        {
            return Err(NotFollowed);
        }
        let last = trace.last;
        let returns = |last: &Instance| {
            let place = trace.place(self.program, *last);
            place.is_some_and(|(func, inst)| {
                let data = &self.program.module().functions[func].insts[inst].data;
                matches!(data, InstData::Return { .. })
            })
        };
        // Whether it returns matters, not what.
        if let Some(last) = last.filter(returns) {
            return Ok(trace.control(last).into_iter().collect());
        }
        let last = match end {
            // What the library does after it was told to exit does not matter.
            End::Exit { .. } => last.map(|last| trace.library_call(last).unwrap_or(last)),
            _ => last,
        };
        Ok(last.into_iter().collect())
    }

    fn calls_change(&self, operation: u32) -> bool {
        let site = self.program.site_of_operation(operation);
        let func = Func::new(site.function as usize);
        let Some(inst) = self.program.inst_at(site) else {
            return false;
        };
        let targets = self.facts.calls.targets(func, inst);
        targets.len() > 1
            && targets
                .iter()
                .any(|target| self.reaching[target.func.index()])
    }

    /// The closure under data, control and potential dependence.
    pub fn relevant_slice(
        &self,
        known: &mut KnownWays,
        trace: &DependenceTrace,
        criterion: impl IntoIterator<Item = Instance>,
    ) -> Result<Slice, NotFollowed> {
        if trace.cut_off {
            return Err(NotFollowed);
        }
        // By reader: the oldest writer of what its instances in the slice have read.
        let mut oldest = vec![NONE; self.reader_count];
        // By register: the same. One that is used again in another frame was read before that frame began.
        let mut oldest_in: FxHashMap<u32, u32> = FxHashMap::default();
        // Library calls with an instance in the slice: all that was decided in them before it matters.
        let mut library_calls: FxHashSet<Instance> = FxHashSet::default();
        let mut reads = trace.reads.iter().rev().peekable();
        let mut not_followed = false;
        let slice = trace.slice_backwards(criterion, |instance, in_slice| {
            while reads.peek().is_some_and(|read| read.0 > instance) {
                reads.next();
            }
            let (operation, actor) = (trace.operation(instance), trace.actor(instance));
            let library_call = trace.library_call(instance);
            let belongs = in_slice || {
                let read_since = |reader: &u32| oldest[*reader as usize] < instance.0;
                match self.other_ways(known, operation, trace.value(instance)) {
                    Ok(Some(ways)) => {
                        let frame = trace.frame(instance);
                        ways.readers.iter().any(read_since)
                            || ways.registers.iter().any(|register| {
                                let oldest = oldest_in.get(&(frame + register));
                                oldest.is_some_and(|&oldest| oldest < instance.0)
                            })
                    }
                    // Another way through library code: the call may write all that it can.
                    Ok(None) => {
                        // What is written elsewhere: an address, a length or a callee may be another.
                        self.kinds[operation as usize] == OperationKind::Effect
                            && self.readers_behind(known, operation).iter().any(read_since)
                            || self.kinds[operation as usize] == OperationKind::LibraryBranch
                                && library_call.is_some_and(|call| {
                                    library_calls.contains(&call)
                                        || self.readers_behind(known, actor).iter().any(read_since)
                                })
                    }
                    Err(NotFollowed) => {
                        not_followed = true;
                        false
                    }
                }
            };
            if belongs {
                library_calls.extend(library_call);
                for (register, writer) in trace.registers_read(instance) {
                    let oldest = oldest_in.entry(register).or_insert(NONE);
                    *oldest = writer.0.min(*oldest);
                }
                if let Some(&(_, writer)) = reads.next_if(|read| read.0 == instance)
                    && actor != DependenceTrace::NO_ACTOR
                    && let Some(oldest) = oldest.get_mut(self.readers[actor as usize] as usize)
                {
                    *oldest = writer.0.min(*oldest);
                }
            }
            belongs
        });
        match not_followed {
            true => Err(NotFollowed),
            false => Ok(slice),
        }
    }
}

/// The conditions that the instances of a slice decided.
fn decided_in(trace: &DependenceTrace, slice: &Slice) -> FxHashSet<ExprId> {
    let conditions = trace.conditions.iter();
    let conditions = conditions.filter(|(instance, _)| slice.contains(*instance));
    conditions.map(|&(_, condition)| condition).collect()
}
