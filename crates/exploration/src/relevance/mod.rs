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
//! its end ([`RelevanceFacts::behaviour`]). Of an access that may fail, only the address belongs to it, with what was
//! decided about it: what is read or written may change as long as nothing that is seen depends on it.
//!
//! Potential dependence is over-approximated from static facts about the program without its C library
//! (`program_graphs`: points-to, effects of calls, models of library functions); library code counts as done by
//! the call that led to it.
//!
//! **Not sound for every program, so only tests use it.** Known to be missed: the condition under which a value was taken as
//! it is (a length, a size, a callee, a path), if a later branch asks for the same; pointers that are copied in pieces or made
//! by arithmetic, of which the points-to analysis knows nothing; and what models of library functions leave out.
//!
//! Where this deviates from the thesis: slices are of operations instead of statements, and a write potentially
//! happens if it is anywhere between a branch and the meeting point of its ways, calls included.

mod known_ways;
mod pair;
mod plain;
mod simple;

pub use known_ways::KnownWays;

pub use pair::{OwnCode, PairRelevance};

use crate::subject::{Subject, Version};
use concolic_vm::observe::{DependenceTrace, Edge, Instance, Slice, Step, TraceFacts};
use concolic_vm::symbolic::Coverage;
use concolic_vm::{CodeSite, End, Program};
use expr::ExprId;
use known_ways::{OldestReads, ReaderList, Way};
use plain::{PlainFunctions, is_acyclic};
use program_graphs::externals::external_model;
use program_graphs::memory_access::AccessKind;
use program_graphs::mod_ref::inst_effects;
use program_graphs::{Cfg, FactsConfig, PostDominators, ProgramFacts, SparseSet, default_roots};
use program_ir::{Block, Callee, EntityRef, Func, Inst, InstData, Module};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

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
    /// By operation: what must stay as it is so that nothing else is seen.
    needs: Vec<Need>,
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

/// What of an operation must stay as it is for a run to look and end the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Need {
    Nothing,
    /// That it is executed, and where it reads or writes: elsewhere it might fail. What it reads or writes may change.
    Address,
    /// As `All`, of a copy: the pieces that are copied may change.
    Copy,
    All,
    /// Depends on what may happen on the other ways.
    Branch,
}

/// What a region may do; its readers are not yet a list.
struct Region {
    change: bool,
    plain: bool,
    readers: Vec<u32>,
    registers: Vec<u32>,
}

/// Why a run is taken as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NotSliced {
    /// Its trace takes more memory than it may.
    TooLong,
    /// Something was executed that the static facts do not know.
    NotFollowed,
    /// It was cut off, or ran out of stack: what comes after is not known.
    NoEnd,
}

impl fmt::Display for NotSliced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotSliced::TooLong => "its dependence trace takes too much memory",
            NotSliced::NotFollowed => "it executes code that the static analysis does not follow",
            NotSliced::NoEnd => "it does not come to an end",
        })
    }
}

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
            plain: PlainFunctions::of(program.module(), is_library),
            needs: Vec::new(),
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
        for (func, function) in self.program.module().functions.iter() {
            for pc in 0..self.program.operation_count_of(func) {
                let site = CodeSite {
                    function: func.as_u32(),
                    pc,
                };
                let is_branch = self.program.is_branch(site);
                let inst = self.program.inst_at(site);
                let is_plain = |inst: Inst| self.plain.is_plain(function, inst);
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
                self.needs.push(match inst {
                    _ if is_branch => Need::Branch,
                    Some(inst) if !is_plain(inst) => self.need(&function.insts[inst].data),
                    _ => Need::Nothing,
                });
                let reader = inst.and_then(|inst| numbers.get(&(func, inst)));
                self.readers.push(reader.copied().unwrap_or(NONE));
            }
        }
    }

    /// What must stay as it is of an instruction that may fail or be seen.
    fn need(&self, data: &InstData) -> Need {
        match data {
            InstData::Load { volatile, .. } | InstData::Store { volatile, .. } if !volatile => {
                Need::Address
            }
            InstData::MemCopy { .. } => Need::Copy,
            // What may fail or be seen in the called function is asked for there.
            InstData::Call(call) if call.by_val.is_empty() => match call.callee {
                Callee::Direct(callee) if self.program.has_code(callee) => Need::Nothing,
                _ => Need::All,
            },
            _ => Need::All,
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
        let mut is_reader = vec![0u64; self.reader_count.div_ceil(64)];
        for cell in written.iter() {
            for &reader in self
                .readers_of_cell
                .get(&cell)
                .map_or(&[][..], Vec::as_slice)
            {
                is_reader[reader as usize / 64] |= 1 << (reader % 64);
            }
        }
        let mut readers = Vec::new();
        for (&word, first) in is_reader.iter().zip((0..).step_by(64)) {
            let bits = (0..64).filter(|bit| word >> bit & 1 == 1);
            readers.extend(bits.map(|bit| first + bit));
        }
        readers
    }

    /// What may happen from `starts` on before `end`.
    fn region(&self, func: Func, starts: &[Block], end: Option<Block>) -> Region {
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
        Region {
            change,
            plain,
            readers: self.readers_of(&written),
            registers,
        }
    }

    /// What may happen on the ways out of a branch of the program's own code other than the one that was taken.
    #[inline]
    fn other_ways<'k>(
        &self,
        known: &'k mut KnownWays,
        step: &Step<'_>,
    ) -> Result<&'k Way, NotSliced> {
        let (operation, holds) = (step.operation, step.way);
        if known.way(operation, holds).is_none() {
            let region = self.find_other_ways(operation, holds)?;
            let way = Way {
                change: region.change,
                plain: region.plain,
                readers: known.list(region.readers),
                registers: region.registers.into(),
            };
            known.set_way(operation, holds, way);
        }
        Ok(known.way(operation, holds).expect("just set"))
    }

    fn find_other_ways(&self, operation: u32, taken: bool) -> Result<Region, NotSliced> {
        let site = self.program.site_of_operation(operation);
        let func = Func::new(site.function as usize);
        let (_, post_dominators) = self
            .post_dominators
            .get(&func)
            .ok_or(NotSliced::NotFollowed)?;
        let inst = self.program.inst_at(site).ok_or(NotSliced::NotFollowed)?;
        let data = &self.facts.module.functions[func].insts[inst].data;
        let others = others(data, taken).ok_or(NotSliced::NotFollowed)?;
        let block = self.blocks.get(&(func, inst));
        let block = *block.ok_or(NotSliced::NotFollowed)?;
        Ok(self.region(func, &others, post_dominators.immediate(block)))
    }

    /// The registers of the frame that may be written on the other ways out of a branch of the library, if these do
    /// nothing but compute.
    #[inline]
    fn computing_ways<'k>(&self, known: &'k mut KnownWays, step: &Step<'_>) -> Option<&'k [u32]> {
        let (operation, holds) = (step.operation, step.way);
        if known.way(operation, holds).is_none() {
            let registers = self.find_computing_ways(operation, holds);
            let way = Way {
                change: false,
                plain: registers.is_some(),
                readers: ReaderList::default(),
                registers: registers.unwrap_or_default().into(),
            };
            known.set_way(operation, holds, way);
        }
        let way = known.way(operation, holds).expect("just set");
        way.plain.then_some(&way.registers)
    }

    fn find_computing_ways(&self, operation: u32, taken: bool) -> Option<Vec<u32>> {
        let site = self.program.site_of_operation(operation);
        let func = Func::new(site.function as usize);
        let function = &self.program.module().functions[func];
        let inst = self.program.inst_at(site)?;
        let others = others(&function.insts[inst].data, taken)?;
        let mut blocks = function.blocks.iter();
        let (block, _) = blocks.find(|(_, data)| data.insts.last() == Some(&inst))?;
        let cfg = Cfg::of(function);
        let end = PostDominators::of(&cfg).immediate(block);
        if !is_acyclic(&cfg, &others, end) {
            return None;
        }
        let mut registers = end.map_or(Vec::new(), |end| {
            self.program.registers_defined(func, end).to_vec()
        });
        let mut open = others;
        let mut seen: FxHashSet<Block> = FxHashSet::default();
        while let Some(block) = open.pop() {
            if Some(block) == end || !seen.insert(block) {
                continue;
            }
            open.extend(cfg.successors(block));
            registers.extend_from_slice(self.program.registers_defined(func, block));
            let computes = |&inst: &Inst| {
                let data = &function.insts[inst].data;
                let writes = matches!(
                    data,
                    InstData::Store { .. } | InstData::Call(_) | InstData::Alloca { .. }
                );
                !writes && self.plain.is_plain(function, inst)
            };
            if !cfg.live_insts(function, block).iter().all(computes) {
                return None;
            }
        }
        Some(registers)
    }

    /// Readers of what an operation of the program's own code may write, by itself or through a call.
    #[inline]
    fn readers_behind(&self, known: &mut KnownWays, operation: u32) -> ReaderList {
        if let Some(readers) = known.behind(operation) {
            return readers;
        }
        let readers = self.find_readers_behind(operation);
        let list = known.list(readers);
        known.set_behind(operation, list);
        list
    }

    fn find_readers_behind(&self, operation: u32) -> Vec<u32> {
        let site = self.program.site_of_operation(operation);
        let mut written = SparseSet::new();
        if let Some(inst) = self.program.inst_at(site) {
            self.writes(Func::new(site.function as usize), inst, &mut written);
        }
        self.readers_of(&written)
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
    ) -> Result<FxHashSet<ExprId>, NotSliced> {
        let ending = self.ending(trace, end)?;
        let slice = self.slice(known, trace, ending, |known, step| {
            let matters = match self.kinds[step.operation as usize] {
                OperationKind::Branch => self.other_ways(known, step)?.change,
                OperationKind::NotFollowed => return Err(NotSliced::NotFollowed),
                // Library code may call back, and a pointer may lead to another function.
                _ => {
                    let actor = step.actor;
                    actor != DependenceTrace::NO_ACTOR
                        && known.changes(actor, || self.calls_change(actor))
                }
            };
            Ok(match matters {
                true => Need::All,
                false => Need::Nothing,
            })
        })?;
        Ok(decided_in(trace, &slice))
    }

    /// Conditions under which an input puts out what the trace's one did, as the same terms, and ends in the same
    /// way.
    ///
    /// What may fail, be seen, or go on forever is in the criterion: system calls and builtins with all they are given,
    /// accesses with their addresses, branches with a way on which such a thing may happen. Left open is which way other
    /// branches go and what is computed, if nothing that is seen depends on it. In the library, only branches whose ways do nothing but
    /// compute are left open; of the code before and after `main`, none.
    pub fn behaviour(
        &self,
        known: &mut KnownWays,
        trace: &DependenceTrace,
        end: &End,
    ) -> Result<FxHashSet<ExprId>, NotSliced> {
        has_end(end)?;
        let slice = self.slice(known, trace, trace.last, |known, step| {
            self.needed(known, step)
        })?;
        Ok(decided_in(trace, &slice))
    }

    #[inline]
    fn needed(&self, known: &mut KnownWays, step: &Step<'_>) -> Result<Need, NotSliced> {
        let operation = step.operation as usize;
        let stays_open = match self.kinds[operation] {
            OperationKind::NotFollowed => return Err(NotSliced::NotFollowed),
            OperationKind::Library | OperationKind::LibraryBranch
                if step.actor == DependenceTrace::NO_ACTOR =>
            {
                return Ok(Need::All);
            }
            OperationKind::Branch => self.other_ways(known, step)?.plain,
            OperationKind::LibraryBranch => self.computing_ways(known, step).is_some(),
            _ => return Ok(self.needs[operation].of(step)),
        };
        Ok(match stays_open {
            true => Need::Nothing,
            false => Need::All,
        })
    }

    /// What ended the run: an input that does not end there may go on to a change.
    fn ending(&self, trace: &DependenceTrace, end: &End) -> Result<Option<Instance>, NotSliced> {
        has_end(end)?;
        let Some(last) = trace.last else {
            return Ok(None);
        };
        let mut place = trace.at();
        let step = place.step(last);
        // Whether the function returns matters, not what.
        if self.returns(step.operation) {
            return Ok((step.control != Instance::NONE).then_some(step.control));
        }
        let library_call = step.library_call;
        Ok(Some(match end {
            // What the library does after it was told to exit does not matter.
            End::Exit { .. } => library_call.unwrap_or(last),
            _ => last,
        }))
    }

    /// Whether an operation is the end of a function.
    fn returns(&self, operation: u32) -> bool {
        let site = self.program.site_of_operation(operation);
        let functions = &self.program.module().functions;
        let function = &functions[Func::new(site.function as usize)];
        let inst = self.program.inst_at(site);
        inst.is_some_and(|inst| matches!(function.insts[inst].data, InstData::Return { .. }))
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
    ) -> Result<Slice, NotSliced> {
        self.slice(known, trace, criterion, |_, _| Ok(Need::Nothing))
    }

    /// The same of these instances and all that `criterion` picks, in one walk backwards.
    fn slice(
        &self,
        known: &mut KnownWays,
        trace: &DependenceTrace,
        from: impl IntoIterator<Item = Instance>,
        mut criterion: impl FnMut(&mut KnownWays, &Step<'_>) -> Result<Need, NotSliced>,
    ) -> Result<Slice, NotSliced> {
        if trace.cut_off {
            return Err(NotSliced::TooLong);
        }
        known.prepare(self.kinds.len());
        let mut slice = Slice::new(trace.len());
        from.into_iter().for_each(|instance| slice.insert(instance));
        let mut behind = Behind {
            memory: OldestReads::new(self.reader_count),
            registers: vec![NONE; trace.registers],
            library_calls: Slice::new(trace.len()),
        };
        let mut walk = trace.backwards();
        while let Some(step) = walk.next() {
            let need = criterion(known, &step)?;
            let belongs = need == Need::All
                || slice.contains(step.instance)
                || self.matters_behind(known, &step, &mut behind)?;
            if !belongs {
                if need == Need::Address {
                    // What was decided about the address is kept with it.
                    slice.insert(step.instance);
                    slice.insert(step.control);
                    for edge in step.data.iter().filter(|edge| edge.is_address()) {
                        slice.insert(edge.writer);
                        behind.reads_register(edge);
                    }
                }
                continue;
            }
            slice.insert(step.instance);
            slice.insert(step.control);
            if let Some(call) = step.library_call {
                behind.library_calls.insert(call);
            }
            for edge in step.data {
                slice.insert(edge.writer);
                behind.reads_register(edge);
            }
            if let Some(writer) = step.oldest_read
                && step.actor != DependenceTrace::NO_ACTOR
            {
                behind
                    .memory
                    .add(self.readers[step.actor as usize], writer.0);
            }
        }
        Ok(slice)
    }

    /// Whether an instance behind this one, in the slice, potentially depends on it.
    #[inline]
    fn matters_behind(
        &self,
        known: &mut KnownWays,
        step: &Step<'_>,
        behind: &mut Behind,
    ) -> Result<bool, NotSliced> {
        let instance = step.instance.0;
        Ok(match self.kinds[step.operation as usize] {
            OperationKind::Plain | OperationKind::Library => false,
            OperationKind::NotFollowed => return Err(NotSliced::NotFollowed),
            OperationKind::Branch => {
                let ways = self.other_ways(known, step)?;
                let list = ways.readers;
                behind.registers_matter(step, &ways.registers)
                    || behind.memory.is_before(known, list, instance)
            }
            // What is written elsewhere: an address, a length or a callee may be another.
            OperationKind::Effect => {
                let list = self.readers_behind(known, step.operation);
                behind.memory.is_before(known, list, instance)
            }
            OperationKind::LibraryBranch => {
                if let Some(registers) = self.computing_ways(known, step) {
                    return Ok(behind.registers_matter(step, registers));
                }
                // Another way through library code: the call may write all that it can.
                match step.library_call {
                    Some(call) if behind.library_calls.contains(call) => true,
                    Some(_) if step.actor != DependenceTrace::NO_ACTOR => {
                        let list = self.readers_behind(known, step.actor);
                        behind.memory.is_before(known, list, instance)
                    }
                    _ => false,
                }
            }
        })
    }
}

/// What the instances behind a place that are in the slice have read and where they are.
struct Behind {
    memory: OldestReads,
    /// By register: the oldest writer of what was read in it. One that is used again in another frame was read before
    /// that frame began.
    registers: Vec<u32>,
    /// Library calls with an instance in the slice: all that was decided in them before it matters.
    library_calls: Slice,
}

impl Behind {
    #[inline]
    fn reads_register(&mut self, edge: &Edge) {
        if let Some(register) = edge.register() {
            let oldest = &mut self.registers[register as usize];
            *oldest = edge.writer.0.min(*oldest);
        }
    }

    /// Whether one of these registers of the frame was read with an older value.
    #[inline]
    fn registers_matter(&self, step: &Step<'_>, registers: &[u32]) -> bool {
        registers.iter().any(|register| {
            let oldest = self.registers.get((step.frame + register) as usize);
            oldest.is_some_and(|&oldest| oldest < step.instance.0)
        })
    }
}

impl Need {
    /// What one instance of an operation needs.
    #[inline]
    fn of(self, step: &Step<'_>) -> Need {
        match self {
            Need::Copy if step.data.first().is_some_and(|edge| edge.is_operation()) => {
                Need::Nothing
            }
            Need::Copy => Need::All,
            other => other,
        }
    }
}

/// Where a branch goes if not the way it was taken.
fn others(data: &InstData, taken: bool) -> Option<Vec<Block>> {
    match data {
        InstData::Branch {
            then, otherwise, ..
        } => Some(vec![match taken {
            false => then.block,
            true => otherwise.block,
        }]),
        InstData::Switch { .. } | InstData::IndirectJump { .. } => Some(data.successors()),
        _ => None,
    }
}

/// Whether it is known how a run ended.
fn has_end(end: &End) -> Result<(), NotSliced> {
    let stopped = matches!(end, End::StepLimit { .. } | End::StackOverflow { .. });
    match end.is_inconclusive() || stopped {
        true => Err(NotSliced::NoEnd),
        false => Ok(()),
    }
}

/// The conditions that the instances of a slice decided.
fn decided_in(trace: &DependenceTrace, slice: &Slice) -> FxHashSet<ExprId> {
    let conditions = trace.conditions.iter();
    let conditions = conditions.filter(|(instance, _)| slice.contains(*instance));
    conditions.map(|&(_, condition)| condition).collect()
}
