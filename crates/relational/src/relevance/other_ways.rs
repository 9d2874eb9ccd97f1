//! What may happen on the ways out of a branch that a run did not take, up to where all its ways meet again.

use super::effects::{Effects, FunctionEffects};
use super::plain::{PlainFunctions, is_acyclic};
use super::repeated::RepeatedAccesses;
use super::variables::{Cell, Variables};
use concolic_vm::{CodeSite, Program};
use program_graphs::{Cfg, PostDominators};
use program_ir::{Block, EntityRef, Func, Inst, InstData};
use rustc_hash::{FxHashMap, FxHashSet};

/// What may happen between a branch and the meeting point of its ways.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Region {
    /// A change may be executed.
    pub(super) change: bool,
    /// All of it is plain.
    pub(super) plain: bool,
    /// What is done may be more than writing memory, and the run may go on after it.
    pub(super) anything: bool,
    /// What may be written, if the run may go on after it.
    pub(super) writes: Vec<Cell>,
    /// Registers of the frame that may be written.
    pub(super) registers: Vec<u32>,
}

/// The text of a program, for finding regions.
pub(super) struct Ways<'a> {
    program: &'a Program,
    pub(super) variables: Variables,
    effects: FunctionEffects,
    pub(super) plain: PlainFunctions<'a>,
    repeated: RepeatedAccesses,
    /// Instructions that may execute a change, by themselves or through a call.
    changing: FxHashSet<(Func, Inst)>,
    graphs: Vec<Option<(Cfg, PostDominators)>>,
    blocks: FxHashMap<(Func, Inst), Block>,
}

impl<'a> Ways<'a> {
    pub(super) fn new(program: &'a Program, changing: FxHashSet<(Func, Inst)>) -> Ways<'a> {
        let module = program.module();
        let variables = Variables::of(module);
        let mut blocks = FxHashMap::default();
        let mut graphs = Vec::with_capacity(module.functions.len());
        for (func, function) in module.functions.iter() {
            graphs.push(program.has_code(func).then(|| {
                let cfg = Cfg::of(function);
                let tree = PostDominators::of(&cfg);
                (cfg, tree)
            }));
            for (block, data) in function.blocks.iter() {
                if let Some(&last) = data.insts.last() {
                    blocks.insert((func, last), block);
                }
            }
        }
        Ways {
            program,
            effects: FunctionEffects::of(program, &variables),
            variables,
            plain: PlainFunctions::of(program),
            repeated: RepeatedAccesses::none_known(module),
            changing,
            graphs,
            blocks,
        }
    }

    /// The immediate post-dominators of a function's blocks.
    pub(super) fn meeting_points(&self, func: Func) -> Vec<Option<Block>> {
        let blocks = self.program.module().functions[func].blocks.keys();
        match &self.graphs[func.index()] {
            Some((_, tree)) => blocks.map(|block| tree.immediate(block)).collect(),
            None => blocks.map(|_| None).collect(),
        }
    }

    /// Whether an operation may execute a change, by itself or through a call.
    pub(super) fn may_change(&self, site: CodeSite) -> bool {
        let func = Func::new(site.function as usize);
        let inst = self.program.inst_at(site);
        inst.is_some_and(|inst| self.changing.contains(&(func, inst)))
    }

    /// Whether a change may be executed after an operation, before its function is left.
    pub(super) fn may_change_behind(&self, site: CodeSite) -> bool {
        let func = Func::new(site.function as usize);
        let function = &self.program.module().functions[func];
        let (Some(inst), Some((cfg, _))) = (self.program.inst_at(site), &self.graphs[func.index()])
        else {
            return true;
        };
        let mut blocks = function.blocks.iter();
        let Some((block, _)) = blocks.find(|(_, data)| data.insts.contains(&inst)) else {
            return true;
        };
        let insts = &function.blocks[block].insts;
        let behind = insts.iter().skip_while(|&&other| other != inst).skip(1);
        let changes = |inst: &Inst| self.changing.contains(&(func, *inst));
        if behind.into_iter().any(changes) {
            return true;
        }
        let mut open: Vec<Block> = cfg.successors(block).collect();
        let mut seen: FxHashSet<Block> = FxHashSet::default();
        while let Some(block) = open.pop() {
            if seen.insert(block) {
                if function.blocks[block].insts.iter().any(changes) {
                    return true;
                }
                open.extend(cfg.successors(block));
            }
        }
        false
    }

    /// What may happen on the ways other than the one `taken`. `None` if the operation is no branch that is known.
    pub(super) fn others(&self, site: CodeSite, taken: bool) -> Option<Region> {
        let func = Func::new(site.function as usize);
        let inst = self.program.inst_at(site)?;
        let data = &self.program.module().functions[func].insts[inst].data;
        let starts = match data {
            InstData::Branch {
                then, otherwise, ..
            } => vec![match taken {
                false => then.block,
                true => otherwise.block,
            }],
            InstData::Switch { .. } | InstData::IndirectJump { .. } => data.successors(),
            _ => return None,
        };
        let (cfg, tree) = self.graphs[func.index()].as_ref()?;
        let block = *self.blocks.get(&(func, inst))?;
        Some(self.region(func, cfg, &starts, tree.immediate(block)))
    }

    /// Whether an access surely succeeds because the same one has; see [`super::repeated`].
    pub(super) fn is_repeated(&self, func: Func, inst: Inst) -> bool {
        let function = &self.program.module().functions[func];
        self.graphs[func.index()].as_ref().is_some_and(|(cfg, _)| {
            self.repeated
                .contain(&self.plain, func, function, cfg, inst)
        })
    }

    /// What may happen from `starts` on before `end`.
    fn region(&self, func: Func, cfg: &Cfg, starts: &[Block], end: Option<Block>) -> Region {
        let function = &self.program.module().functions[func];
        let mut open: Vec<Block> = starts.to_vec();
        let mut seen: FxHashSet<Block> = FxHashSet::default();
        let mut effects = Effects::default();
        // The meeting point's parameters are written on the way there.
        let end_registers = end.map_or(&[][..], |end| self.program.registers_defined(func, end));
        let mut found = Region {
            plain: is_acyclic(cfg, starts, end),
            registers: end_registers.to_vec(),
            ..Region::default()
        };
        let mut goes_on = false;
        while let Some(block) = open.pop() {
            if Some(block) == end {
                goes_on = true;
                continue;
            }
            if !seen.insert(block) {
                continue;
            }
            open.extend(cfg.successors(block));
            let registers = self.program.registers_defined(func, block);
            found.registers.extend_from_slice(registers);
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst].data;
                goes_on |= matches!(data, InstData::Return { .. });
                found.change |= self.changing.contains(&(func, inst));
                found.plain &= self.plain.is_plain(function, inst) || self.is_repeated(func, inst);
                let (program, variables) = (self.program, &self.variables);
                self.effects
                    .of_inst(program, variables, func, data, &mut effects);
            }
        }
        if goes_on {
            found.anything = effects.anything;
            found.writes = effects.writes.into_iter().collect();
        }
        found
    }
}
