//! The change set of a version pair: eXpress's code-difference identification (§4.1) on
//! whole programs, with global variables as well as code.
//!
//! Bodies that are the same but for numbering are passed over by a linear comparison, so
//! the cost beyond that is paid for changed functions only.
//!
//! A global with another initial value, size, constness or section, or that only one version defines, is a *changed
//! global*. Its
//! change takes effect where it is accessed, and an access must have taken its address
//! first, so the instructions that mention it, or mention a global whose initialiser
//! leads to it, count as change points too (`GlobalChange::users`).

use crate::align::{Alignment, align};
use crate::compare::{
    Body, ChangeKind, ChangePoint, CompareOptions, Comparison, InputSpaces, compare,
};
use crate::fingerprint::identical_bodies;
use crate::input_space::{CommonInputSpace, addresses_taken};
use crate::match_functions::{self, FunctionMatch};
use crate::match_globals::{self, content, is_anonymous};
use crate::statements::{StatementChange, StatementKind, lines, statements};
use crate::version::{ClassifiedModule, Definition};
use program_ir::{Callee, Constant, Func, Function, Global, Inst, Module, ValueDef};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Everything that differs between two versions of a program.
#[derive(Clone, Debug, Default)]
pub struct ChangeSet {
    pub matches: Vec<FunctionMatch>,
    /// Functions of both versions whose bodies differ, by their place in the new module.
    pub functions: Vec<FunctionChange>,
    /// Functions with a body in the new version only.
    pub added_functions: Vec<Func>,
    /// Functions with a body in the old version only.
    pub removed_functions: Vec<Func>,
    pub globals: Vec<GlobalChange>,
    /// Globals of both versions that have a name of their own, changed or not.
    pub global_pairs: Vec<(Global, Global)>,
    /// Functions of the new version without changes whose bodies have another form, by
    /// another order of declarations for instance. Those of all others are the same
    /// instruction by instruction.
    pub other_forms: BTreeMap<Func, Alignment>,
}

#[derive(Clone, Debug)]
pub struct FunctionChange {
    pub old: Func,
    pub new: Func,
    pub inputs: CommonInputSpace,
    pub comparison: Comparison,
    pub statements: Vec<StatementChange>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GlobalDifference {
    Added,
    Removed,
    Size,
    Initialiser,
    Constness,
    Section,
    /// One version defines it, the other does not.
    Definition,
}

#[derive(Clone, Debug)]
pub struct GlobalChange {
    pub old: Option<Global>,
    pub new: Option<Global>,
    pub differences: Vec<GlobalDifference>,
    /// Instructions of the new version that take its address.
    pub users: BTreeMap<Func, Vec<Inst>>,
}

impl ChangeSet {
    /// No function and no global that is in use differs. (A function or global that
    /// nothing in either version mentions may still have come or gone.)
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.globals.is_empty() && self.added_functions.is_empty()
    }

    /// Functions with a body in both versions. None: these are not two versions of one
    /// program.
    pub fn common_functions(&self, old: &Module, new: &Module) -> usize {
        let has_bodies = |found: &&FunctionMatch| {
            let old = &old.functions[found.old];
            !old.is_declaration() && !new.functions[found.new].is_declaration()
        };
        self.matches.iter().filter(has_bodies).count()
    }

    /// The change points of every function of the new version: those of its body, all of
    /// an added function, and the uses of changed globals.
    pub fn points(&self, new: &Module) -> BTreeMap<Func, Vec<ChangePoint>> {
        let mut points: BTreeMap<Func, BTreeMap<Inst, ChangeKind>> = BTreeMap::new();
        for change in &self.functions {
            for point in &change.comparison.points {
                let of_function = points.entry(change.new).or_default();
                of_function.insert(point.inst, point.kind);
            }
        }
        for &func in &self.added_functions {
            for block in new.functions[func].blocks.values() {
                for &inst in &block.insts {
                    points
                        .entry(func)
                        .or_default()
                        .insert(inst, ChangeKind::Added);
                }
            }
        }
        for change in &self.globals {
            for (&func, insts) in &change.users {
                for &inst in insts {
                    let of_function = points.entry(func).or_default();
                    of_function.entry(inst).or_insert(ChangeKind::Modified);
                }
            }
        }
        let plain = |(func, of_function): (Func, BTreeMap<Inst, ChangeKind>)| {
            let all = of_function.into_iter();
            (
                func,
                all.map(|(inst, kind)| ChangePoint { inst, kind }).collect(),
            )
        };
        points.into_iter().map(plain).collect()
    }

    /// Functions of the new version that a change touches.
    pub fn affected_functions(&self) -> BTreeSet<Func> {
        let mut affected: BTreeSet<Func> = self.functions.iter().map(|change| change.new).collect();
        affected.extend(self.added_functions.iter().copied());
        for change in &self.globals {
            affected.extend(change.users.keys().copied());
        }
        affected
    }

    pub fn function(&self, new: Func) -> Option<&FunctionChange> {
        self.functions.iter().find(|change| change.new == new)
    }
}

pub fn diff(old: &Module, new: &Module) -> ChangeSet {
    diff_with(old, new, CompareOptions::default())
}

pub fn diff_with(old: &Module, new: &Module, options: CompareOptions) -> ChangeSet {
    let Classified {
        versions: [old_version, new_version],
        matches,
        inputs,
        global_pairs,
    } = &Classified::new(old, new, options);

    let mut changes = ChangeSet::default();
    for found in matches {
        let (in_old, in_new) = (&old.functions[found.old], &new.functions[found.new]);
        match (in_old.is_declaration(), in_new.is_declaration()) {
            (true, true) => {}
            (true, false) => changes.added_functions.push(found.new),
            (false, true) => changes.removed_functions.push(found.old),
            (false, false) => {
                if same_bodies(old_version, new_version, found, inputs) {
                    continue;
                }
                let space = inputs
                    .get(&new_version.function_class(found.new))
                    .cloned()
                    .unwrap_or_else(|| CommonInputSpace::of(in_old, in_new, false));
                match compare_functions(old_version, new_version, found, space, inputs, options) {
                    Ok(change) => changes.functions.push(change),
                    Err(same) => {
                        changes.other_forms.insert(found.new, *same);
                    }
                }
            }
        }
    }
    changes.functions.sort_by_key(|change| change.new);
    let mut matched_old = vec![false; old.functions.len()];
    let mut matched_new = vec![false; new.functions.len()];
    for found in matches {
        matched_old[found.old.as_u32() as usize] = true;
        matched_new[found.new.as_u32() as usize] = true;
    }
    let only_here = |module: &Module, matched: &[bool]| -> Vec<Func> {
        let unmatched = |(func, function): (Func, &Function)| {
            (!matched[func.as_u32() as usize] && !function.is_declaration()).then_some(func)
        };
        module.functions.iter().filter_map(unmatched).collect()
    };
    changes
        .removed_functions
        .extend(only_here(old, &matched_old));
    changes.added_functions.extend(only_here(new, &matched_new));
    changes.removed_functions.sort_unstable();
    changes.added_functions.sort_unstable();
    changes.globals = compare_globals(old_version, new_version, global_pairs);
    changes.global_pairs = global_pairs.clone();
    changes.matches = matches.clone();
    changes
}

/// Both versions with what is the same thing in both.
struct Classified<'a> {
    versions: [ClassifiedModule<'a>; 2],
    matches: Vec<FunctionMatch>,
    inputs: InputSpaces,
    global_pairs: Vec<(Global, Global)>,
}

impl<'a> Classified<'a> {
    /// Labels are taken to be the same by the numbers of their blocks until a function shows that its bodies differ;
    /// then its labels are forgotten, which may show that others differ. What is left in the end supports itself.
    fn new(old: &'a Module, new: &'a Module, options: CompareOptions) -> Self {
        let mut versions = [ClassifiedModule::new(old), ClassifiedModule::new(new)];
        let [old_labels, new_labels] = [versions[0].labelled(), versions[1].labelled()];
        loop {
            let mut classified = Classified::with_labels(versions, options);
            let Classified {
                versions: [old_version, new_version],
                matches,
                inputs,
                ..
            } = &classified;
            let differs = |found: &&FunctionMatch| {
                (old_labels.contains(&found.old) || new_labels.contains(&found.new))
                    && !same_bodies(old_version, new_version, found, inputs)
            };
            let differing: Vec<FunctionMatch> = matches.iter().filter(differs).copied().collect();
            let mut learned = false;
            for found in differing {
                learned |= classified.versions[0].forget_labels(found.old);
                learned |= classified.versions[1].forget_labels(found.new);
            }
            if !learned {
                return classified;
            }
            versions = classified.versions.map(ClassifiedModule::without_classes);
        }
    }

    fn with_labels(versions: [ClassifiedModule<'a>; 2], options: CompareOptions) -> Self {
        let [mut old_version, mut new_version] = versions;
        let (old, new) = (old_version.module, new_version.module);
        let matches = match_functions::classify(&mut old_version, &mut new_version);
        let ignore_line_numbers = options.ignore_line_numbers;
        let global_pairs =
            match_globals::classify(&mut old_version, &mut new_version, ignore_line_numbers);
        let old_taken = addresses_taken(old);
        let new_taken = addresses_taken(new);
        let mut inputs: InputSpaces = HashMap::new();
        for found in &matches {
            let may_reorder =
                !old_taken[found.old.as_u32() as usize] && !new_taken[found.new.as_u32() as usize];
            let (in_old, in_new) = (&old.functions[found.old], &new.functions[found.new]);
            let space = CommonInputSpace::of(in_old, in_new, may_reorder);
            if !space.is_identity() {
                inputs.insert(new_version.function_class(found.new), space);
            }
        }
        Classified {
            versions: [old_version, new_version],
            matches,
            inputs,
            global_pairs,
        }
    }
}

/// Whether two functions are the same instruction by instruction, and mean the same by it.
fn same_bodies(
    old: &ClassifiedModule<'_>,
    new: &ClassifiedModule<'_>,
    found: &FunctionMatch,
    inputs: &InputSpaces,
) -> bool {
    let in_old = &old.module.functions[found.old];
    let in_new = &new.module.functions[found.new];
    let moved = inputs.contains_key(&new.function_class(found.new))
        || calls_moved_parameters(new, in_new, inputs);
    !moved && identical_bodies(old, in_old, new, in_new)
}

/// Whether equal calls in both versions may pass different things.
fn calls_moved_parameters(
    version: &ClassifiedModule<'_>,
    function: &Function,
    inputs: &InputSpaces,
) -> bool {
    !inputs.is_empty()
        && function.insts.values().any(|node| {
            node.data.call().is_some_and(|call| match call.callee {
                Callee::Direct(callee) => inputs.contains_key(&version.function_class(callee)),
                Callee::Indirect(_) => false,
            })
        })
}

/// `Err`: no change, with the alignment that shows it.
fn compare_functions(
    old: &ClassifiedModule<'_>,
    new: &ClassifiedModule<'_>,
    found: &FunctionMatch,
    space: CommonInputSpace,
    inputs: &InputSpaces,
    options: CompareOptions,
) -> Result<FunctionChange, Box<Alignment>> {
    let alignment = align(old, found.old, new, found.new, &space);
    let old_body = Body::of(old, found.old);
    let new_body = Body::of(new, found.new);
    let comparison = compare(&old_body, &new_body, alignment, inputs, options);
    if comparison.points.is_empty() && comparison.deletions.is_empty() && space.is_identity() {
        return Err(Box::new(comparison.alignment));
    }
    let statements = statements(
        old.module,
        old_body.function,
        new.module,
        new_body.function,
        &comparison,
    );
    Ok(FunctionChange {
        old: found.old,
        new: found.new,
        inputs: space,
        comparison,
        statements,
    })
}

fn compare_globals(
    old: &ClassifiedModule<'_>,
    new: &ClassifiedModule<'_>,
    pairs: &[(Global, Global)],
) -> Vec<GlobalChange> {
    let mut changes = Vec::new();
    let mut matched_old = vec![false; old.module.globals.len()];
    let mut matched_new = vec![false; new.module.globals.len()];
    for &(in_old, in_new) in pairs {
        matched_old[in_old.as_u32() as usize] = true;
        matched_new[in_new.as_u32() as usize] = true;
        let (old_data, new_data) = (&old.module.globals[in_old], &new.module.globals[in_new]);
        let mut differences = Vec::new();
        if old_data.size != new_data.size {
            differences.push(GlobalDifference::Size);
        }
        let (old_content, new_content) = (content(old, old_data), content(new, new_data));
        let same = match (old_content, new_content) {
            (Some(old), Some(new)) => (old.1, old.2) == (new.1, new.2),
            _ => false,
        };
        if !same {
            differences.push(GlobalDifference::Initialiser);
        }
        if old_data.constant != new_data.constant {
            differences.push(GlobalDifference::Constness);
        }
        if old_data.section != new_data.section {
            differences.push(GlobalDifference::Section);
        }
        if Definition::from(old_data.linkage) != Definition::from(new_data.linkage) {
            differences.push(GlobalDifference::Definition);
        }
        if !differences.is_empty() {
            changes.push(GlobalChange {
                old: Some(in_old),
                new: Some(in_new),
                differences,
                users: BTreeMap::new(),
            });
        }
    }
    let users = Users::of(new.module);
    for change in &mut changes {
        change.users = change
            .new
            .map(|global| users.of_global(global))
            .unwrap_or_default();
    }
    // A global without counterpart changes nothing by itself: its uses are changes of the
    // statements that use it. It is reported if something does.
    for (global, data) in new.module.globals.iter() {
        if !matched_new[global.as_u32() as usize] && !is_anonymous(data) {
            let users = users.of_global(global);
            if !users.is_empty() {
                changes.push(GlobalChange {
                    old: None,
                    new: Some(global),
                    differences: vec![GlobalDifference::Added],
                    users,
                });
            }
        }
    }
    let old_users = Users::of(old.module);
    for (global, data) in old.module.globals.iter() {
        if !matched_old[global.as_u32() as usize]
            && !is_anonymous(data)
            && !old_users.of_global(global).is_empty()
        {
            changes.push(GlobalChange {
                old: Some(global),
                new: None,
                differences: vec![GlobalDifference::Removed],
                users: BTreeMap::new(),
            });
        }
    }
    changes
}

/// Who mentions which global.
struct Users {
    by_code: HashMap<Global, BTreeMap<Func, Vec<Inst>>>,
    by_initialiser: HashMap<Global, Vec<Global>>,
}

impl Users {
    fn of(module: &Module) -> Self {
        let mut by_code: HashMap<Global, BTreeMap<Func, Vec<Inst>>> = HashMap::new();
        for (func, function) in module.functions.iter() {
            let mentions = |value| match function.values[value].def {
                ValueDef::Constant(Constant::GlobalAddress { global, .. }) => Some(global),
                _ => None,
            };
            for block in function.blocks.values() {
                for &inst in &block.insts {
                    function.insts[inst].data.for_each_operand(|value| {
                        if let Some(global) = mentions(value) {
                            let users = by_code.entry(global).or_default().entry(func).or_default();
                            if users.last() != Some(&inst) {
                                users.push(inst);
                            }
                        }
                    });
                }
            }
        }
        let mut by_initialiser: HashMap<Global, Vec<Global>> = HashMap::new();
        for (holder, data) in module.globals.iter() {
            for relocation in &data.initialiser.relocations {
                for constant in [Some(relocation.constant), relocation.minus] {
                    if let Some(Constant::GlobalAddress { global, .. }) = constant {
                        by_initialiser.entry(global).or_default().push(holder);
                    }
                }
            }
        }
        Users {
            by_code,
            by_initialiser,
        }
    }

    fn of_global(&self, global: Global) -> BTreeMap<Func, Vec<Inst>> {
        let mut seen = BTreeSet::from([global]);
        let mut open = vec![global];
        let mut users: BTreeMap<Func, BTreeSet<Inst>> = BTreeMap::new();
        while let Some(global) = open.pop() {
            for (func, insts) in self.by_code.get(&global).into_iter().flatten() {
                users.entry(*func).or_default().extend(insts);
            }
            for &holder in self.by_initialiser.get(&global).into_iter().flatten() {
                if seen.insert(holder) {
                    open.push(holder);
                }
            }
        }
        let sorted = |(func, insts): (Func, BTreeSet<Inst>)| (func, insts.into_iter().collect());
        users.into_iter().map(sorted).collect()
    }
}

/// The statements of an added or removed function, all of one kind.
pub fn whole_function(module: &Module, func: Func, kind: StatementKind) -> Vec<StatementChange> {
    let function = &module.functions[func];
    let lines = lines(module, function);
    let mut by_line: BTreeMap<_, Vec<Inst>> = BTreeMap::new();
    for block in function.blocks.values() {
        for &inst in &block.insts {
            by_line.entry(lines[inst]).or_default().push(inst);
        }
    }
    let statement = |(line, insts): (_, Vec<Inst>)| {
        let added = kind == StatementKind::Added;
        StatementChange {
            kind,
            old: if added { None } else { line },
            new: if added { line } else { None },
            assigned: Vec::new(),
            points: if added { insts.clone() } else { Vec::new() },
            gone: if added { Vec::new() } else { insts },
        }
    };
    by_line.into_iter().map(statement).collect()
}
