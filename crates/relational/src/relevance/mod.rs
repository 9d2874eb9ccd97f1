//! Which decisions of a run matter: relevant slices (thesis §2.2.3) and the reachability condition (Definitions 4
//! and 5).
//!
//! A *relevant slice* of some instances is closed under dynamic data dependence, dynamic control dependence and
//! **potential dependence**: a reading instance depends on an earlier branch that, had it gone another way, might have
//! written what is read. Every input that satisfies the conditions decided in the slice executes the slice
//! again, with the same terms; what other branches do is left open.
//!
//! **Reachability.** The criterion (what the slice starts from) are the branches that, had they gone another way, might have executed a change
//! before their ways meet again, and what ended the run early: an input without it may go on to a change. If a run
//! executes no change, then neither does any input that satisfies the conditions in the relevant slice of these: both
//! versions do the same there. Another way may fail or never end, which then happens in both versions.
//!
//! **Behaviour.** Where a change is executed, the criterion is everything that can be seen of a run or may keep it from
//! its end ([`RelevanceFacts::behaviour`]). Of an access that may fail, only the address belongs to it, with what was
//! decided about it: what is read or written may change as long as nothing that is seen depends on it. An access that
//! surely succeeds because the same one has just succeeded ([`repeated`]) does not belong to it.
//!
//! **In both** the criterion has whatever fixed a value to that of this input, concretised it (a size, a length, a path), since from
//! there on nothing in the run shows that it depends on the input; calls through pointers; builtins and system calls with
//! all they are given (but not what they put out: that is behaviour), so these are the same in every run of a slice;
//! and branches with ways that do such things. For reachability, what comes after the last branch that might have executed a
//! change does not matter any more.
//!
//! **Potential dependence is over-approximated from the text** ([`variables`], [`effects`], [`other_ways`]), the C
//! library's included: what a branch's other ways may write is known where they write variables by their names and call
//! functions that do so; all other writes may be anywhere but in variables whose address is used for nothing else. There is no
//! points-to analysis and no model of library functions, since what these miss would make a proof wrong.
//!
//! **Assumed**: on ways not taken, arithmetic on an address does not lead from one object into another (by a multiple of 4
//! GiB). Not sliced are runs that set a place to jump to, or install a handler of signals, or whose stack is nearly full.
//!
//! Where this deviates from the thesis: slices are of operations instead of statements, and a write potentially
//! happens if it is anywhere between a branch and the meeting point of its ways, calls included.

mod effects;
mod known_ways;
mod other_ways;
mod pair;
mod plain;
mod repeated;
mod simple;
mod variables;

pub use known_ways::KnownWays;

pub use pair::PairRelevance;
pub use search::NotSliced;

use crate::changes::calls_of;
use crate::subject::Version;
use concolic_vm::observe::{DependenceTrace, Edge, Instance, Slice, TraceEntry, TraceFacts};
use concolic_vm::symbolic::Coverage;
use concolic_vm::{CodeSite, End, Program};
use expr::ExprId;
use known_ways::{OldestReads, Way};
use other_ways::{Region, Ways};
use program_ir::{Block, Callee, EntityRef, Func, Function, Inst, InstData};
use rustc_hash::{FxHashMap, FxHashSet};
use variables::{Cell, Variables};

/// No reader, or no lower bound.
const NONE: u32 = u32::MAX;

/// What is known of one version before it runs.
pub struct RelevanceFacts<'a> {
    program: &'a Program,
    pub trace: TraceFacts,
    ways: Ways<'a>,
    changed_blocks: Vec<(Func, Block)>,
    /// By operation: whether it is in one of these, or on the way out of a block of the same function.
    changed: Vec<bool>,
    kinds: Vec<OperationKind>,
    /// By operation: what must stay as it is so that nothing else is seen.
    needs: Vec<Need>,
    /// By operation: the number of its instruction among those that read memory.
    readers: Vec<u32>,
    reader_count: usize,
    /// By cell: its readers.
    readers_of_cell: FxHashMap<Cell, Vec<u32>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OperationKind {
    /// Surely succeeds and is not seen; see [`plain`].
    Plain,
    /// Accesses memory.
    Access,
    /// Does more: a builtin, or a call through a pointer.
    Effect,
    Branch,
    /// Control may come back to it or leave it in other ways than the graphs of functions show.
    NotFollowed,
}

/// What of an operation must stay as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Need {
    Nothing,
    /// That it is executed, and where it reads or writes: elsewhere it might fail. What it reads or writes may change.
    Address,
    /// As `All`, of a copy: the pieces that are copied may change.
    Copy,
    All,
}

impl<'a> RelevanceFacts<'a> {
    /// `points` are the change points.
    pub fn of(
        version: &Version<'a>,
        points: impl IntoIterator<Item = (Func, Inst)>,
    ) -> RelevanceFacts<'a> {
        let program = version.program;
        let points: FxHashSet<(Func, Inst)> = points.into_iter().collect();
        let ways = Ways::new(program, changing(version, &points));
        let trace = TraceFacts::new(program, |func| ways.meeting_points(func), |_| false);
        let mut found = RelevanceFacts {
            program,
            trace,
            ways,
            changed_blocks: changed_blocks(program, &points),
            changed: Vec::new(),
            kinds: Vec::new(),
            needs: Vec::new(),
            readers: Vec::new(),
            reader_count: 0,
            readers_of_cell: FxHashMap::default(),
        };
        found.find_operations();
        found
    }

    /// What each operation does.
    fn find_operations(&mut self) {
        for (func, function) in self.program.module().functions.iter() {
            let changed = self.changed_blocks.iter().filter(|block| block.0 == func);
            let changed: Vec<Block> = changed.map(|block| block.1).collect();
            let insts = changed
                .iter()
                .flat_map(|&block| &function.blocks[block].insts);
            let changed_insts: FxHashSet<Inst> = insts.copied().collect();
            let mut readers: FxHashMap<Inst, u32> = FxHashMap::default();
            for &inst in function.blocks.values().flat_map(|block| &block.insts) {
                let data = &function.insts[inst].data;
                let mut reads = self.ways.variables.accesses(func, function, data).reads;
                if data.call().is_some() {
                    reads = vec![Variables::ELSEWHERE];
                }
                for cell in reads {
                    let next = self.reader_count as u32;
                    let number = *readers.entry(inst).or_insert(next);
                    self.reader_count = self.reader_count.max(number as usize + 1);
                    self.readers_of_cell.entry(cell).or_default().push(number);
                }
            }
            for pc in 0..self.program.operation_count_of(func) {
                let site = CodeSite {
                    function: func.as_u32(),
                    pc,
                };
                let inst = self.program.inst_at(site);
                self.changed.push(match inst {
                    Some(inst) => changed_insts.contains(&inst),
                    None => !changed.is_empty(),
                });
                let (kind, need) = match inst {
                    _ if self.program.is_branch(site) => (OperationKind::Branch, Need::Nothing),
                    None => (OperationKind::Plain, Need::Nothing),
                    Some(inst) => self.operation(func, function, inst),
                };
                self.kinds.push(kind);
                self.needs.push(need);
                let reader = inst.and_then(|inst| readers.get(&inst));
                self.readers.push(reader.copied().unwrap_or(NONE));
            }
        }
    }

    fn operation(&self, func: Func, function: &Function, inst: Inst) -> (OperationKind, Need) {
        let data = &function.insts[inst].data;
        match data {
            _ if self.ways.plain.is_plain(function, inst) => (OperationKind::Plain, Need::Nothing),
            // Whether it is executed does not matter.
            _ if self.ways.is_repeated(func, inst) => (OperationKind::Access, Need::Nothing),
            InstData::Load { volatile, .. } | InstData::Store { volatile, .. } if !volatile => {
                (OperationKind::Access, Need::Address)
            }
            InstData::MemCopy { .. } => (OperationKind::Access, Need::Copy),
            InstData::Load { .. } | InstData::Store { .. } | InstData::MemSet { .. } => {
                (OperationKind::Access, Need::All)
            }
            InstData::Call(call) => match call.callee {
                // What may fail or be seen in the called function is asked for there.
                Callee::Direct(callee) if self.program.has_code(callee) => {
                    match call.by_val.is_empty() {
                        true => (OperationKind::Plain, Need::Nothing),
                        false => (OperationKind::Effect, Need::All),
                    }
                }
                Callee::Direct(callee) => {
                    let name = &self.program.module().functions[callee].name;
                    match concolic_vm::is_jump(name) {
                        true => (OperationKind::NotFollowed, Need::All),
                        false => (OperationKind::Effect, Need::All),
                    }
                }
                Callee::Indirect(_) => (OperationKind::Effect, Need::All),
            },
            // A variable of fixed size.
            InstData::Alloca { count, .. } if plain::constant(function, *count).is_some() => {
                (OperationKind::Plain, Need::Nothing)
            }
            // May fail.
            InstData::Binary { .. } | InstData::Unary { .. } => (OperationKind::Plain, Need::All),
            _ => (OperationKind::Effect, Need::All),
        }
    }

    fn readers_of(&self, written: &[Cell]) -> Vec<u32> {
        let variables = &self.ways.variables;
        let of_cell = |cell: Cell| {
            let readers = self.readers_of_cell.get(&cell);
            readers.into_iter().flatten().copied()
        };
        let mut readers: Vec<u32> = Vec::new();
        let mut elsewhere = false;
        for &cell in written {
            if variables.is_private(cell) {
                readers.extend(of_cell(cell));
            } else if cell == Variables::ELSEWHERE {
                readers.extend(variables.escaped().flat_map(of_cell));
                elsewhere = true;
            } else {
                readers.extend(of_cell(cell));
                elsewhere = true;
            }
        }
        if elsewhere {
            readers.extend(of_cell(Variables::ELSEWHERE));
        }
        readers.sort_unstable();
        readers.dedup();
        readers
    }

    /// What may happen on the ways out of a branch other than the one that was taken.
    #[inline]
    fn other_ways<'k>(
        &self,
        known: &'k mut KnownWays,
        step: &TraceEntry<'_>,
    ) -> Result<&'k Way, NotSliced> {
        let (operation, holds) = (step.operation, step.way);
        if known.way(operation, holds).is_none() {
            let region = self.find_other_ways(operation, holds)?;
            let way = Way {
                change: region.change,
                plain: region.plain,
                anything: region.anything,
                readers: known.list(self.readers_of(&region.writes)),
                registers: region.registers.into(),
            };
            known.set_way(operation, holds, way);
        }
        Ok(known.way(operation, holds).expect("just set"))
    }

    fn find_other_ways(&self, operation: u32, taken: bool) -> Result<Region, NotSliced> {
        let site = self.program.site_of_operation(operation);
        self.ways.others(site, taken).ok_or(NotSliced::NotFollowed)
    }

    /// Readers of what an access may write.
    #[inline]
    fn readers_behind(&self, known: &mut KnownWays, operation: u32) -> known_ways::ReaderList {
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
        let func = Func::new(site.function as usize);
        let function = &self.program.module().functions[func];
        let Some(inst) = self.program.inst_at(site) else {
            return Vec::new();
        };
        let data = &function.insts[inst].data;
        let accesses = self.ways.variables.accesses(func, function, data);
        self.readers_of(&accesses.writes)
    }

    /// Whether a run may have executed a change: it has entered a block with one.
    pub fn reached(&self, coverage: &Coverage) -> bool {
        let mut blocks = self.changed_blocks.iter();
        blocks.any(|&(func, block)| coverage.contains(self.program, func, block))
    }

    /// The last instance of a change, or none: of a block with one, since an operation may do more than one instruction.
    pub fn last_change(&self, trace: &DependenceTrace) -> Instance {
        let mut walk = trace.backwards();
        while let Some(step) = walk.next() {
            if self.changed[step.operation as usize] {
                return step.instance;
            }
        }
        Instance::NONE
    }

    /// Conditions under which an input executes no change, given the trace of one that executes none.
    pub fn reachability(
        &self,
        known: &mut KnownWays,
        trace: &DependenceTrace,
        end: &End,
    ) -> Result<FxHashSet<ExprId>, NotSliced> {
        self.reachability_after(known, trace, end, Instance::NONE)
    }

    /// The same for what comes after an instance, if all that was decided up to there stays as it is.
    pub fn reachability_after(
        &self,
        known: &mut KnownWays,
        trace: &DependenceTrace,
        end: &End,
        since: Instance,
    ) -> Result<FxHashSet<ExprId>, NotSliced> {
        let ending = self.ending(trace, end)?;
        // What comes after all that might have executed a change is met first, and does not matter.
        let mut matters = !ending.is_empty();
        let slice = self.slice_after(known, trace, ending, since, |known, step, taken| {
            let (changes, effect) = match self.kinds[step.operation as usize] {
                OperationKind::Branch => {
                    let ways = self.other_ways(known, step)?;
                    (ways.change, ways.anything)
                }
                OperationKind::Effect => {
                    let changes = self
                        .ways
                        .may_change(self.program.site_of_operation(step.operation));
                    (changes, Need::Copy.of(step) == Need::All)
                }
                _ => (false, false),
            };
            matters |= changes;
            Ok(match matters && (changes || effect || taken) {
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
    /// branches go and what is computed, if nothing that is seen depends on it.
    pub fn behaviour(
        &self,
        known: &mut KnownWays,
        trace: &DependenceTrace,
        end: &End,
    ) -> Result<FxHashSet<ExprId>, NotSliced> {
        has_end(end)?;
        if !trace.has_room {
            return Err(NotSliced::NoRoom);
        }
        let none = Instance::NONE;
        let slice = self.slice_after(known, trace, trace.last, none, |known, step, taken| {
            let operation = step.operation as usize;
            Ok(match self.kinds[operation] {
                _ if taken => Need::All,
                OperationKind::Branch => match self.other_ways(known, step)?.plain {
                    true => Need::Nothing,
                    false => Need::All,
                },
                _ => self.needs[operation].of(step),
            })
        })?;
        Ok(decided_in(trace, &slice))
    }

    /// What ended the run, if an input without it may go on to a change: an error, or branches under way in functions from which
    /// the run did not come back.
    fn ending(&self, trace: &DependenceTrace, end: &End) -> Result<Vec<Instance>, NotSliced> {
        has_end(end)?;
        let Some(last) = trace.last else {
            return Ok(Vec::new());
        };
        if !matches!(end, End::Exit { .. }) {
            return Ok(vec![last]);
        }
        let mut place = trace.at();
        // From the inside out: branches, and the calls that led to their functions.
        let mut chain: Vec<(Instance, u32)> = Vec::new();
        let mut at = place.step(last).control;
        while at != Instance::NONE {
            let step = place.step(at);
            chain.push((at, step.operation));
            at = step.control;
        }
        let mut goes_on = false;
        let mut ending = Vec::new();
        for (instance, operation) in chain.into_iter().rev() {
            let behind = self
                .ways
                .may_change_behind(self.program.site_of_operation(operation));
            match self.kinds[operation as usize] {
                OperationKind::Branch if goes_on || behind => ending.push(instance),
                OperationKind::Branch => {}
                _ => goes_on |= behind,
            }
        }
        Ok(ending)
    }

    /// The closure under data, control and potential dependence.
    pub fn relevant_slice(
        &self,
        known: &mut KnownWays,
        trace: &DependenceTrace,
        criterion: impl IntoIterator<Item = Instance>,
    ) -> Result<Slice, NotSliced> {
        let none = Instance::NONE;
        self.slice_after(known, trace, criterion, none, |_, _, taken| {
            Ok(match taken {
                true => Need::All,
                false => Need::Nothing,
            })
        })
    }

    /// The slice of these instances and all that `criterion` picks, in one walk backwards down to the instances behind `since`.
    /// `criterion` is told which instances concretised a value.
    fn slice_after(
        &self,
        known: &mut KnownWays,
        trace: &DependenceTrace,
        from: impl IntoIterator<Item = Instance>,
        since: Instance,
        mut criterion: impl FnMut(&mut KnownWays, &TraceEntry<'_>, bool) -> Result<Need, NotSliced>,
    ) -> Result<Slice, NotSliced> {
        if trace.cut_off {
            return Err(NotSliced::TooLong);
        }
        if !trace.is_followed {
            return Err(NotSliced::NotFollowed);
        }
        known.prepare(self.kinds.len());
        let mut slice = Slice::new(trace.len());
        from.into_iter().for_each(|instance| slice.insert(instance));
        let mut taken = trace.taken.iter().rev().peekable();
        let mut behind = LaterReads {
            memory: OldestReads::new(self.reader_count),
            registers: vec![NONE; trace.registers],
        };
        let mut walk = trace.backwards();
        while let Some(step) = walk.next() {
            if self.kinds[step.operation as usize] == OperationKind::NotFollowed {
                return Err(NotSliced::NotFollowed);
            }
            if step.instance <= since {
                continue;
            }
            let is_taken = taken.next_if_eq(&&step.instance).is_some();
            let need = match (
                criterion(known, &step, is_taken)?,
                slice.contains(step.instance),
            ) {
                (_, true) | (Need::All, _) => Need::All,
                (need, false) => match self.needed_behind(known, &step, &mut behind)? {
                    Need::Nothing => need,
                    other => other,
                },
            };
            if need == Need::Nothing {
                continue;
            }
            slice.insert(step.instance);
            slice.insert(step.control);
            if need == Need::Address {
                // What was decided about the address is kept with it.
                for edge in step.data.iter().filter(|edge| edge.is_address()) {
                    slice.insert(edge.writer);
                    behind.reads_register(edge);
                }
                continue;
            }
            for edge in step.data {
                slice.insert(edge.writer);
                behind.reads_register(edge);
            }
            if let Some(writer) = step.oldest_read {
                behind
                    .memory
                    .add(self.readers[step.operation as usize], writer.0);
            }
        }
        Ok(slice)
    }

    /// What an instance behind this one, in the slice, potentially depends on.
    #[inline]
    fn needed_behind(
        &self,
        known: &mut KnownWays,
        step: &TraceEntry<'_>,
        behind: &mut LaterReads,
    ) -> Result<Need, NotSliced> {
        let instance = step.instance.0;
        let (list, need) = match self.kinds[step.operation as usize] {
            OperationKind::Plain | OperationKind::NotFollowed => return Ok(Need::Nothing),
            OperationKind::Branch => {
                let ways = self.other_ways(known, step)?;
                if behind.registers_matter(step, &ways.registers) {
                    return Ok(Need::All);
                }
                (ways.readers, Need::All)
            }
            // What is written elsewhere: the address or the length may be another.
            OperationKind::Access | OperationKind::Effect => {
                let list = self.readers_behind(known, step.operation);
                let is_copied = step.data.first().is_some_and(|edge| edge.is_operation());
                let need = match self.needs[step.operation as usize] {
                    Need::Address => Need::Address,
                    _ if is_copied => return Ok(Need::Nothing),
                    _ => Need::All,
                };
                (list, need)
            }
        };
        Ok(match behind.memory.is_before(known, list, instance) {
            true => need,
            false => Need::Nothing,
        })
    }
}

/// What the instances behind a place that are in the slice have read.
struct LaterReads {
    memory: OldestReads,
    /// By register: the oldest writer of what was read in it. One that is used again in another frame was read before
    /// that frame began.
    registers: Vec<u32>,
}

impl LaterReads {
    #[inline]
    fn reads_register(&mut self, edge: &Edge) {
        if let Some(register) = edge.register() {
            let oldest = &mut self.registers[register as usize];
            *oldest = edge.writer.0.min(*oldest);
        }
    }

    /// Whether one of these registers of the frame was read with an older value.
    #[inline]
    fn registers_matter(&self, step: &TraceEntry<'_>, registers: &[u32]) -> bool {
        registers.iter().any(|register| {
            let oldest = self.registers.get((step.frame + register) as usize);
            oldest.is_some_and(|&oldest| oldest < step.instance.0)
        })
    }
}

impl Need {
    /// What one instance of an operation needs.
    #[inline]
    fn of(self, step: &TraceEntry<'_>) -> Need {
        match self {
            Need::Copy if step.data.first().is_some_and(|edge| edge.is_operation()) => {
                Need::Nothing
            }
            Need::Copy => Need::All,
            other => other,
        }
    }
}

/// Instructions that may execute a change point, by themselves or through a call.
fn changing(version: &Version<'_>, points: &FxHashSet<(Func, Inst)>) -> FxHashSet<(Func, Inst)> {
    let (calls, _) = calls_of(version);
    let mut changing = points.clone();
    let mut seen: FxHashSet<Func> = FxHashSet::default();
    let mut open: Vec<Func> = points.iter().map(|point| point.0).collect();
    while let Some(func) = open.pop() {
        if seen.insert(func) {
            let callers = calls.callers(func);
            changing.extend(callers);
            open.extend(callers.iter().map(|caller| caller.0));
        }
    }
    changing
}

fn changed_blocks(program: &Program, points: &FxHashSet<(Func, Inst)>) -> Vec<(Func, Block)> {
    let changed: FxHashSet<Func> = points.iter().map(|point| point.0).collect();
    let mut found = Vec::new();
    for func in changed {
        let blocks = program.module().functions[func].blocks.iter();
        let has_point = |inst: &Inst| points.contains(&(func, *inst));
        let blocks = blocks.filter(|(_, data)| data.insts.iter().any(has_point));
        found.extend(blocks.map(|(block, _)| (func, block)));
    }
    found
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
