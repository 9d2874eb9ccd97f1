//! What is known of a change without a run: its points in both versions, and which ways cannot lead to
//! one (eXpress §4.4). How far ways are from a change is in `change_distances`.
//!
//! **Both versions by the same means.** `version_diff` promises: a run of the new version that executes no
//! change point behaves as the old version does. Comparing the versions the other way round gives change points
//! of the *old* version with the mirrored promise. So each version has facts of its own, which speak of that
//! version's runs alone; no mapping between the versions is needed.
//!
//! **The modules are those that the VM runs**, libraries included, and line numbers count as they are: nothing
//! is taken for unchanged that a run could show.
//!
//! **What is not known may reach a change.** A place in code that the analysis does not know, a way of which only
//! "elsewhere" is known, or a program in which a signal handler may execute a change, is never called
//! irrelevant.

use crate::both::both;
use crate::diffs::Diffs;
use crate::subject::{Subject, Version};
use crate::system_calls::installs_handler;
use concolic_vm::symbolic::{EventKind, Watch};
use concolic_vm::{CodeSite, Program};
use program_graphs::default_roots;
use program_ir::{
    Block, Callee, Constant, EntityRef, Func, Inst, InstData, Module, Type, Value, ValueDef,
};
use rustc_hash::{FxHashMap, FxHashSet};
use search::Target;
use std::collections::{BTreeSet, HashMap};
use version_diff::ChangeSet;
use version_diff::calls::Calls;
use version_diff::express::{Branch, IrrelevantBranches, Points, irrelevant_branches, points_of};

/// Changes with distances of their own; more are taken together.
const MOST_CHANGES: usize = 48;

/// The static facts of a version pair, by version: 0 is the old one.
#[derive(Clone, Debug)]
pub struct ChangeFacts {
    versions: [VersionFacts; 2],
}

/// A change of one version: what one block has of a changed statement, of an added function, or of uses of a
/// changed global. By block, because what a new condition guards is another thing to reach than the condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// In ascending order.
    pub points: Vec<(Func, Inst)>,
    /// Where it is in the source, as `file:line`, if that is known.
    pub place: Option<String>,
}

/// Whether a way can matter for a difference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relevance {
    /// A change may be executed behind it.
    MayReach,
    /// A branch of B_E − B_P: no change is executed behind it.
    CannotExecute,
    /// A branch of B_P: nor was one executed before it.
    CannotPropagate,
}

#[derive(Clone, Debug)]
struct VersionFacts {
    changes: Vec<Change>,
    points: FxHashSet<(Func, Inst)>,
    /// Blocks with points, each with the changes in it.
    blocks: Vec<(Func, Block, Vec<usize>)>,
    watch: Watch,
    /// Functions that a run may execute.
    reached: Vec<Func>,
    /// Whether irrelevance is known at all.
    prunable: bool,
    /// Per function and instruction: its block, and its place in it.
    places: Vec<Vec<Option<(Block, u32)>>>,
    irrelevant: FxHashMap<(Func, Block, Block), Relevance>,
    quiet_from: FxHashMap<(Func, Block), u32>,
}

impl ChangeFacts {
    /// Compares the programs that are run.
    pub fn of(old: &Version<'_>, new: &Version<'_>, diffs: &Diffs) -> ChangeFacts {
        let of = |version: usize| match version {
            0 => VersionFacts::of(new, old, &diffs.backward(old, new)),
            _ => VersionFacts::of(old, new, &diffs.forward(old, new)),
        };
        ChangeFacts { versions: both(of) }
    }

    fn version(&self, version: u8) -> &VersionFacts {
        &self.versions[usize::from(version)]
    }

    /// The changes of a version. Those of the other version have other numbers.
    pub fn changes(&self, version: u8) -> &[Change] {
        &self.version(version).changes
    }

    /// Neither version has a change point.
    pub fn is_empty(&self) -> bool {
        self.versions.iter().all(|facts| facts.points.is_empty())
    }

    /// Whether a run of the version that executes no change point behaves as the other version does.
    pub fn are_complete(&self, version: u8) -> bool {
        self.version(version).prunable
    }

    /// The change points of a version.
    pub fn points(&self, version: u8) -> impl Iterator<Item = (Func, Inst)> + '_ {
        let changes = self.version(version).changes.iter();
        changes.flat_map(|change| change.points.iter().copied())
    }

    pub fn is_point(&self, version: u8, func: Func, inst: Inst) -> bool {
        self.version(version).points.contains(&(func, inst))
    }

    /// Whether an operation executes a change point.
    pub fn is_point_at(&self, version: u8, program: &Program, site: CodeSite) -> bool {
        site != CodeSite::NONE
            && program
                .inst_at(site)
                .is_some_and(|inst| self.is_point(version, Func::new(site.function as usize), inst))
    }

    /// The blocks of a version that hold change points, each with the numbers of its changes. A run that enters
    /// none of them executes no change.
    pub fn blocks(&self, version: u8) -> &[(Func, Block, Vec<usize>)] {
        &self.version(version).blocks
    }

    /// The functions that a run of the version may execute, ascending.
    pub fn reached(&self, version: u8) -> &[Func] {
        &self.version(version).reached
    }

    /// The same blocks, to ask what a run entered.
    pub fn watch(&self, version: u8) -> &Watch {
        &self.version(version).watch
    }

    /// The numbers of the changes in a block.
    pub fn changes_in(&self, version: u8, func: Func, block: Block) -> &[usize] {
        let blocks = &self.version(version).blocks;
        let place = blocks.binary_search_by_key(&(func, block), |&(func, block, _)| (func, block));
        place.map_or(&[], |place| &blocks[place].2)
    }

    /// Whether no change is executed behind an instruction, once it is done.
    pub fn is_quiet_behind(&self, version: u8, func: Func, inst: Inst) -> bool {
        let facts = self.version(version);
        let quiet_from = |(block, place): (Block, u32)| {
            let from = facts.quiet_from.get(&(func, block));
            from.is_some_and(|&from| from <= place + 1)
        };
        facts.prunable && facts.place(func, inst).is_some_and(quiet_from)
    }

    /// Whether a change can be executed behind a way that a run did not take.
    pub fn relevance(&self, program: &Program, target: &Target) -> Relevance {
        let facts = self.version(target.version);
        if !facts.prunable {
            return Relevance::MayReach;
        }
        let known = match self.edge(program, target) {
            Some(edge) => facts.irrelevant.get(&edge).copied(),
            None => facts.quiet(program, target),
        };
        known.unwrap_or(Relevance::MayReach)
    }

    /// The edge of the control flow that a way goes along, if it is a branch.
    pub fn edge(&self, program: &Program, target: &Target) -> Option<(Func, Block, Block)> {
        if target.site == CodeSite::NONE {
            return None;
        }
        let func = Func::new(target.site.function as usize);
        let inst = program.inst_at(target.site)?;
        let data = &program.module().functions[func].insts[inst].data;
        let toward = match (target.kind, data) {
            (
                EventKind::Branch,
                InstData::Branch {
                    then, otherwise, ..
                },
            ) => match target.way? {
                0 => otherwise.block,
                _ => then.block,
            },
            (EventKind::Switch, InstData::Switch { .. }) => program.block_entered(CodeSite {
                function: target.site.function,
                pc: u32::try_from(target.way?).ok()?,
            })?,
            _ => return None,
        };
        let (block, _) = self.version(target.version).place(func, inst)?;
        Some((func, block, toward))
    }
}

impl VersionFacts {
    /// The facts of `this`, as a change of `before`.
    fn of(before: &Version<'_>, this: &Version<'_>, changes: &ChangeSet) -> VersionFacts {
        let new = this.program.module();
        let points = points_of(changes, new);
        let (calls, taken) = calls_of(this);
        let irrelevant = irrelevant_branches(&calls, &points);
        let all = points
            .iter()
            .flat_map(|(&func, insts)| insts.iter().map(move |&inst| (func, inst)));
        let mut found = VersionFacts {
            changes: Vec::new(),
            points: all.collect(),
            blocks: Vec::new(),
            watch: Watch::new(this.program, std::iter::empty()),
            reached: calls.reached.clone(),
            prunable: begins_alike(before, this, changes)
                && !handlers_may_change(new, &calls, &taken, &irrelevant, &points),
            places: places(new, calls.reached.iter().chain(points.keys())),
            irrelevant: FxHashMap::default(),
            quiet_from: FxHashMap::default(),
        };
        found.changes = separate(changes, new, &points, |point| found.place(point.0, point.1));
        found.note_irrelevant(new, &irrelevant);
        found.note_blocks();
        let blocks = found.blocks.iter().map(|&(func, block, _)| (func, block));
        found.watch = Watch::new(this.program, blocks);
        found
    }

    fn place(&self, func: Func, inst: Inst) -> Option<(Block, u32)> {
        *self.places.get(func.index())?.get(inst.index())?
    }

    fn note_irrelevant(&mut self, module: &Module, irrelevant: &IrrelevantBranches) {
        let IrrelevantBranches {
            cannot_execute,
            cannot_propagate,
            decided,
            ..
        } = irrelevant;
        for branch in cannot_execute.iter().chain(decided) {
            let function = &module.functions[branch.func];
            let Some(last) = function.terminator(branch.block) else {
                continue;
            };
            let ways = function.insts[last].data.successors();
            let toward = ways[branch.edge as usize];
            // A way is known by the block that it leads to; other edges may lead there too.
            let is_known = |edge: u32| {
                let branch = Branch { edge, ..*branch };
                cannot_execute.contains(&branch) || decided.contains(&branch)
            };
            let mut others = (0..).zip(&ways).filter(|(_, block)| **block == toward);
            if !others.all(|(edge, _)| is_known(edge)) {
                continue;
            }
            let relevance = match cannot_propagate.contains(branch) {
                true => Relevance::CannotPropagate,
                false => Relevance::CannotExecute,
            };
            self.irrelevant
                .insert((branch.func, branch.block, toward), relevance);
        }
        self.quiet_from = irrelevant
            .quiet_from
            .iter()
            .map(|(&block, &place)| (block, place))
            .collect();
    }

    fn note_blocks(&mut self) {
        let mut blocks: FxHashMap<(Func, Block), Vec<usize>> = FxHashMap::default();
        for (number, change) in self.changes.iter().enumerate() {
            for &(func, inst) in &change.points {
                if let Some((block, _)) = self.place(func, inst) {
                    let changes = blocks.entry((func, block)).or_default();
                    if changes.last() != Some(&number) {
                        changes.push(number);
                    }
                }
            }
        }
        let plain = |((func, block), changes)| (func, block, changes);
        self.blocks = blocks.into_iter().map(plain).collect();
        self.blocks.sort_unstable();
    }

    /// A way that is no branch goes on in the middle of its block.
    fn quiet(&self, program: &Program, target: &Target) -> Option<Relevance> {
        let is_branch = matches!(target.kind, EventKind::Branch | EventKind::Switch);
        if is_branch || target.site == CodeSite::NONE {
            return None;
        }
        let func = Func::new(target.site.function as usize);
        let inst = program.inst_at(target.site)?;
        // Where a computed jump goes is not known.
        let data = &program.module().functions[func].insts[inst].data;
        if matches!(data, InstData::IndirectJump { .. }) {
            return None;
        }
        let (block, place) = self.place(func, inst)?;
        let from = *self.quiet_from.get(&(func, block))?;
        (place >= from).then_some(Relevance::CannotExecute)
    }
}

/// What a version's calls may call, and the functions whose address is taken. From its text: a points-to analysis would
/// cost more than all else here, and a call that it misses would prune what should not be.
pub(crate) fn calls_of<'p>(version: &Version<'p>) -> (Calls<'p>, BTreeSet<Func>) {
    let module = version.program.module();
    let handed = handed_over(module);
    let taken = functions_taken(module, &handed);
    let calls = Calls::by_text(module, version.roots(), &taken, handed);
    (calls, taken)
}

/// Whether both versions begin in the same function with the same parameters. (Which function a program
/// begins with is a matter of its name.)
pub(crate) fn begins_alike(before: &Version<'_>, this: &Version<'_>, changes: &ChangeSet) -> bool {
    match (before.subject, this.subject) {
        (Subject::Whole, Subject::Whole) => {
            let first = |module: &Module| {
                let roots = default_roots(module);
                roots
                    .first()
                    .map(|&root| module.functions[root].name.clone())
            };
            first(before.program.module()) == first(this.program.module())
        }
        (Subject::Call(old), Subject::Call(new)) => {
            let matched = changes.matches.iter();
            let matched = matched.filter(|found| found.old == old && found.new == new);
            let same_inputs = |found: &version_diff::FunctionMatch| {
                let change = changes.function(found.new);
                change.is_none_or(|change| change.inputs.is_identity())
            };
            matched.take(1).any(same_inputs)
        }
        _ => false,
    }
}

/// Whether the kernel may call a function that executes a change. The call graph knows of no such calls.
fn handlers_may_change(
    module: &Module,
    calls: &Calls<'_>,
    taken: &BTreeSet<Func>,
    irrelevant: &IrrelevantBranches,
    points: &Points,
) -> bool {
    let installs = |&func: &Func| installs_handler(module, &module.functions[func]);
    if !calls.reached.iter().any(installs) {
        return false;
    }
    let may_handle = |func: &Func| {
        let function = &module.functions[*func];
        let params = &function.signature.params;
        let by_number = params.first().is_none_or(|&first| first != Type::Ptr);
        params.len() <= 3 && by_number && !function.is_declaration()
    };
    let mut handlers = taken.iter().copied().filter(may_handle);
    handlers.any(|func| {
        irrelevant.reaching_functions.contains(&func)
            || calls.reached.binary_search(&func).is_err() && may_execute(module, func, points)
    })
}

/// Functions that the first function of a program hands to a function that only calls them, by that call: so `main`
/// comes to the library.
fn handed_over(module: &Module) -> HashMap<(Func, Inst), Vec<Func>> {
    let mut handed: HashMap<(Func, Inst), Vec<Func>> = HashMap::new();
    let Some(&first) = default_roots(module).first() else {
        return handed;
    };
    let function = &module.functions[first];
    let mut other_uses = false;
    for node in function.insts.values() {
        let call = node.data.call();
        let callee = match call.map(|call| &call.callee) {
            Some(Callee::Direct(callee)) if !module.functions[*callee].is_declaration() => *callee,
            _ => {
                node.data.for_each_operand(|value| {
                    other_uses |= function_address(function, value).is_some();
                });
                continue;
            }
        };
        let (taker, arguments) = (&module.functions[callee], call.map(|call| &call.args));
        for (number, &value) in arguments.into_iter().flatten().enumerate() {
            let Some(given) = function_address(function, value) else {
                continue;
            };
            let Some(&parameter) = taker.params().get(number) else {
                other_uses = true;
                continue;
            };
            for (inst, node) in taker.insts.iter() {
                let mut uses = 0;
                node.data
                    .for_each_operand(|value| uses += usize::from(value == parameter));
                let called = node.data.call().is_some_and(
                    |call| matches!(call.callee, Callee::Indirect(target) if target == parameter),
                );
                other_uses |= uses > usize::from(called);
                if called {
                    handed.entry((callee, inst)).or_default().push(given);
                }
            }
        }
    }
    if other_uses {
        handed.clear();
    }
    handed
}

fn function_address(function: &program_ir::Function, value: Value) -> Option<Func> {
    match function.values[value].def {
        ValueDef::Constant(Constant::FunctionAddress(func)) => Some(func),
        _ => None,
    }
}

/// Functions whose address is taken, other than by handing them over.
fn functions_taken(module: &Module, handed: &HashMap<(Func, Inst), Vec<Func>>) -> BTreeSet<Func> {
    let mut taken = BTreeSet::default();
    let mut note = |constant: Constant| {
        if let Constant::FunctionAddress(func) = constant {
            taken.insert(func);
        }
    };
    let first = default_roots(module).first().copied();
    let first = first.filter(|_| !handed.is_empty());
    let others = module
        .functions
        .iter()
        .filter(|(func, _)| Some(*func) != first);
    for (_, function) in others {
        for node in function.insts.values() {
            node.data.for_each_operand(|value| {
                if let ValueDef::Constant(constant) = function.values[value].def {
                    note(constant);
                }
            });
        }
    }
    for global in module.globals.values() {
        let relocations = global.initialiser.relocations.iter();
        relocations.for_each(|relocation| note(relocation.constant));
    }
    taken
}

/// Whether a function that nothing else calls may execute a change, as far as its text tells.
fn may_execute(module: &Module, func: Func, points: &Points) -> bool {
    let mut seen = FxHashSet::from_iter([func]);
    let mut open = vec![func];
    while let Some(func) = open.pop() {
        if points.contains_key(&func) {
            return true;
        }
        for node in module.functions[func].insts.values() {
            match node.data.call().map(|call| &call.callee) {
                Some(Callee::Indirect(_)) => return true,
                Some(Callee::Direct(callee)) if seen.insert(*callee) => open.push(*callee),
                _ => {}
            }
        }
    }
    false
}

/// The changes one by one.
fn separate(
    changes: &ChangeSet,
    new: &Module,
    points: &Points,
    place: impl Fn((Func, Inst)) -> Option<(Block, u32)>,
) -> Vec<Change> {
    let mut left: FxHashSet<(Func, Inst)> = FxHashSet::default();
    for (&func, insts) in points {
        left.extend(insts.iter().map(|&inst| (func, inst)));
    }
    let mut found: Vec<Vec<(Func, Inst)>> = Vec::new();
    let mut add = |points: Vec<(Func, Inst)>| {
        let mut own: Vec<_> = points
            .into_iter()
            .filter(|point| left.remove(point))
            .collect();
        let block = |point: (Func, Inst)| (point.0, place(point).map(|place| place.0));
        own.sort_unstable_by_key(|&point| (block(point), point));
        let by_block = own.chunk_by(|&a, &b| block(a) == block(b));
        found.extend(by_block.map(<[_]>::to_vec));
    };
    for change in &changes.functions {
        for statement in &change.statements {
            add(statement
                .points
                .iter()
                .map(|&inst| (change.new, inst))
                .collect());
        }
        let rest = &change.comparison.points;
        add(rest.iter().map(|point| (change.new, point.inst)).collect());
    }
    for &func in &changes.added_functions {
        let insts = points.get(&func).into_iter().flatten();
        add(insts.map(|&inst| (func, inst)).collect());
    }
    for change in &changes.globals {
        let users = change.users.iter();
        add(users
            .flat_map(|(&func, insts)| insts.iter().map(move |&inst| (func, inst)))
            .collect());
    }
    if found.len() > MOST_CHANGES {
        let mut rest: Vec<_> = found.drain(MOST_CHANGES - 1..).flatten().collect();
        rest.sort_unstable();
        found.push(rest);
    }
    let change = |points: Vec<(Func, Inst)>| {
        let mut locs = points
            .iter()
            .filter_map(|&(func, inst)| new.functions[func].insts[inst].loc);
        let place = locs.next().map(|loc| {
            format!(
                "{}:{}",
                new.source.file_name(loc),
                new.source.locs[loc].line
            )
        });
        Change { points, place }
    };
    found.into_iter().map(change).collect()
}

fn places<'f>(
    module: &Module,
    functions: impl Iterator<Item = &'f Func>,
) -> Vec<Vec<Option<(Block, u32)>>> {
    let mut places = vec![Vec::new(); module.functions.len()];
    for &func in functions {
        let function = &module.functions[func];
        let of_function = &mut places[func.index()];
        *of_function = vec![None; function.insts.len()];
        for (block, data) in function.blocks.iter() {
            for (index, &inst) in data.insts.iter().enumerate() {
                of_function[inst.index()] = Some((block, index as u32));
            }
        }
    }
    places
}
