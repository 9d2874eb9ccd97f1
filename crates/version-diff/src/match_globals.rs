//! Which global variable of the new version is which of the old one.
//!
//! A global with a name that the programmer chose is matched by that name (first the
//! exact symbol, then the symbol without linker numbers); its content may differ, which
//! makes it a *changed global*. A local one whose name is gone is matched by what it holds
//! and who uses it. Constants whose names compilers make up (string
//! literals, initialisers of local arrays, Rust's promoted constants) are matched by
//! content alone: a changed literal is a change of the statement that uses it.

use crate::symbols::{base_name, file_stem, is_made_up};
use crate::version::{ClassifiedModule, ConstantKey, UNMATCHED};
use program_ir::{Constant, Global, GlobalData, Linkage, Module, ValueDef};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Gives every global its class. Function classes must have been given before, since
/// initialisers hold function addresses.
pub(crate) fn classify<'a>(
    old: &mut ClassifiedModule<'a>,
    new: &mut ClassifiedModule<'a>,
    ignore_line_numbers: bool,
) -> Vec<(Global, Global)> {
    let mut next_class = 0;
    let mut pairs = match_by_name(old.module, new.module);
    pairs.sort_unstable();
    let renamed = match_renamed(old, new, &pairs);
    pairs.extend(renamed);
    for &(in_old, in_new) in &pairs {
        old.set_global_class(in_old, next_class);
        new.set_global_class(in_new, next_class);
        next_class += 1;
    }
    let mut classes = HashMap::new();
    for version in [&mut *old, &mut *new] {
        let globals: Vec<Global> = version.module.globals.keys().collect();
        let mut in_progress = vec![false; globals.len()];
        for global in globals {
            classify_by_content(
                version,
                global,
                ignore_line_numbers,
                &mut in_progress,
                &mut classes,
                &mut next_class,
            );
        }
    }
    pairs
}

/// Nobody but the compiler chose its name, and nobody writes to it.
pub(crate) fn is_anonymous(data: &GlobalData) -> bool {
    let unnamed = data.info.as_ref().is_none_or(|info| info.name.is_empty());
    data.linkage == Linkage::Local && data.constant && unnamed && is_made_up(&data.name)
}

type Key<'a> = &'a dyn Fn(&Module, Global) -> Option<String>;

fn match_by_name(old: &Module, new: &Module) -> Vec<(Global, Global)> {
    let mut pairs = Vec::new();
    let mut taken_old = vec![false; old.globals.len()];
    let mut taken_new = vec![false; new.globals.len()];
    let keys: [Key<'_>; 3] = [
        &|module, global| Some(module.globals[global].name.clone()),
        &|module, global| {
            let data = &module.globals[global];
            let file = file_stem(&module.source.files[data.info.as_ref()?.file].name);
            Some(format!("{file}:{}", base_name(&data.name)))
        },
        &|module, global| Some(base_name(&module.globals[global].name)),
    ];
    for (step, key) in keys.iter().enumerate() {
        let mut by_key: HashMap<String, Vec<Global>> = HashMap::new();
        for (global, data) in old.globals.iter() {
            if !taken_old[global.as_u32() as usize]
                && !is_anonymous(data)
                && let Some(key) = key(old, global)
            {
                by_key.entry(key).or_default().push(global);
            }
        }
        for (global, data) in new.globals.iter() {
            if taken_new[global.as_u32() as usize] || is_anonymous(data) {
                continue;
            }
            let Some(candidates) = key(new, global).and_then(|key| by_key.get_mut(&key)) else {
                continue;
            };
            // Linker numbers depend on the order of linking: among several locals of one
            // exact symbol there is no choice, later steps go in order of appearance.
            let same_kind =
                |candidate: &Global| step > 0 || source_names_agree(&old.globals[*candidate], data);
            let Some(at) = candidates.iter().position(same_kind) else {
                continue;
            };
            let found = candidates.remove(at);
            taken_old[found.as_u32() as usize] = true;
            taken_new[global.as_u32() as usize] = true;
            pairs.push((found, global));
        }
    }
    pairs
}

/// Pairs what is left of local variables if size, initial bytes and using functions agree,
/// in order of appearance. Any such pairing is safe: all uses are compared under it.
fn match_renamed(
    old: &ClassifiedModule<'_>,
    new: &ClassifiedModule<'_>,
    pairs: &[(Global, Global)],
) -> Vec<(Global, Global)> {
    let taken_old: HashSet<Global> = pairs.iter().map(|pair| pair.0).collect();
    let taken_new: HashSet<Global> = pairs.iter().map(|pair| pair.1).collect();
    let left = |module: &Module, taken: &HashSet<Global>| -> Vec<Global> {
        let open = |(global, data): (Global, &GlobalData)| {
            let named = !is_anonymous(data) && data.linkage == Linkage::Local;
            (named && !taken.contains(&global)).then_some(global)
        };
        module.globals.iter().filter_map(open).collect()
    };
    let (left_old, left_new) = (left(old.module, &taken_old), left(new.module, &taken_new));
    if left_old.is_empty() || left_new.is_empty() {
        return Vec::new();
    }
    let key =
        |version: &ClassifiedModule<'_>, users: &HashMap<Global, BTreeSet<u32>>, global: Global| {
            let data = &version.module.globals[global];
            let users: Vec<u32> = users.get(&global).into_iter().flatten().copied().collect();
            let relocations = data.initialiser.relocations.len();
            (
                data.size,
                data.constant,
                data.initialiser.bytes.clone(),
                relocations,
                users,
            )
        };
    let (old_users, new_users) = (using_classes(old), using_classes(new));
    let mut by_key: HashMap<_, Vec<Global>> = HashMap::new();
    for &global in left_old.iter().rev() {
        by_key
            .entry(key(old, &old_users, global))
            .or_default()
            .push(global);
    }
    let mut found = Vec::new();
    for global in left_new {
        let candidates = by_key.get_mut(&key(new, &new_users, global));
        if let Some(in_old) = candidates.and_then(Vec::pop) {
            found.push((in_old, global));
        }
    }
    found
}

/// The classes of the functions that mention each global.
fn using_classes(version: &ClassifiedModule<'_>) -> HashMap<Global, BTreeSet<u32>> {
    let mut users: HashMap<Global, BTreeSet<u32>> = HashMap::new();
    for (func, function) in version.module.functions.iter() {
        for value in function.values.values() {
            if let ValueDef::Constant(Constant::GlobalAddress { global, .. }) = value.def {
                users
                    .entry(global)
                    .or_default()
                    .insert(version.function_class(func));
            }
        }
    }
    users
}

/// `counter.1` of one version need not be `counter.1` of the other: the source name and
/// the kind of linkage must agree too.
fn source_names_agree(old: &GlobalData, new: &GlobalData) -> bool {
    match (&old.info, &new.info) {
        (Some(old), Some(new)) => old.name == new.name,
        _ => true,
    }
}

type Content = (
    u64,
    Vec<u8>,
    Vec<(u64, u8, ConstantKey, Option<ConstantKey>)>,
);

fn classify_by_content(
    version: &mut ClassifiedModule<'_>,
    global: Global,
    ignore_line_numbers: bool,
    in_progress: &mut [bool],
    classes: &mut HashMap<Content, u32>,
    next_class: &mut u32,
) {
    let index = global.as_u32() as usize;
    let data = &version.module.globals[global];
    let done = version.global_class(global) != UNMATCHED || in_progress[index];
    if done || !is_anonymous(data) {
        return;
    }
    in_progress[index] = true;
    let initialiser = &data.initialiser;
    for relocation in &initialiser.relocations {
        for constant in [Some(relocation.constant), relocation.minus] {
            if let Some(Constant::GlobalAddress { global, .. }) = constant {
                classify_by_content(
                    version,
                    global,
                    ignore_line_numbers,
                    in_progress,
                    classes,
                    next_class,
                );
            }
        }
    }
    if let Some(mut content) = content(version, data) {
        if ignore_line_numbers && is_rust_location(version.module, data) {
            content.1.truncate(16);
        }
        let class = *classes.entry(content).or_insert_with(|| {
            *next_class += 1;
            *next_class - 1
        });
        version.set_global_class(global, class);
    }
}

/// `None` if it holds the address of something without counterpart.
pub(crate) fn content(version: &ClassifiedModule<'_>, data: &GlobalData) -> Option<Content> {
    let mut bytes = data.initialiser.bytes.clone();
    let mut relocations = Vec::new();
    for relocation in &data.initialiser.relocations {
        let start = (relocation.offset as usize).min(bytes.len());
        let end = (start + usize::from(relocation.size)).min(bytes.len());
        bytes[start..end].fill(0);
        let minus = match relocation.minus {
            Some(minus) => Some(version.constant_key(minus)?),
            None => None,
        };
        relocations.push((
            relocation.offset,
            relocation.size,
            version.constant_key(relocation.constant)?,
            minus,
        ));
    }
    let length = bytes
        .iter()
        .rposition(|&byte| byte != 0)
        .map_or(0, |last| last + 1);
    bytes.truncate(length);
    Some((data.size, bytes, relocations))
}

/// A `core::panic::Location`: file name, its length, line and column.
fn is_rust_location(module: &Module, data: &GlobalData) -> bool {
    let [relocation] = data.initialiser.relocations.as_slice() else {
        return false;
    };
    let Constant::GlobalAddress { global, offset: 0 } = relocation.constant else {
        return false;
    };
    let file = &module.globals[global].initialiser.bytes;
    let file = file.strip_suffix(b"\0").unwrap_or(file);
    let length = data.initialiser.bytes.get(8..16);
    data.size == 24
        && relocation.offset == 0
        && length.is_some_and(|bytes| bytes == (file.len() as u64).to_le_bytes())
        && file.ends_with(b".rs")
}
