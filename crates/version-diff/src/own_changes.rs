//! Two versions of a program that were built, compared: the changes of the program itself.
//!
//! Both versions are linked with the same libraries (musl, Rust's standard library), but only with the parts
//! each of them uses, so a new call of `strtol` brings half of the C library along; that is no change of
//! ours.
//!
//! The two versions may lie in different places, so the name of a source file, as `__FILE__` puts it into
//! the program, is compared without the folder of its version.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::{ChangeSet, CompareOptions, FunctionMatch, GlobalChange, GlobalDifference, diff_with};
use program_ir::{Constant, File, Func, Global, Loc, Module};

/// What every comparison here leaves out, for the user to read.
pub const NOT_COMPARED: [&str; 4] = [
    "line numbers in `__LINE__` and panics",
    "folders in `__FILE__` and panics",
    "library code",
    "assembly outside functions and priorities of constructors",
];

/// Both versions in our own representation, and what changed.
pub struct Compared {
    pub old: Module,
    pub new: Module,
    pub changes: ChangeSet,
}

/// The two versions share no function of their own.
#[derive(Debug, thiserror::Error)]
#[error("the two versions have no function in common, so they are not two versions of one program")]
pub struct NothingInCommon;

/// Where a version was built from, if it is still there or not.
pub enum Place {
    Folder(PathBuf),
    /// The version is this file.
    File(PathBuf),
}

impl Place {
    pub fn of(input: &Path) -> Place {
        let absolute = std::path::absolute(input).unwrap_or_else(|_| input.to_owned());
        match absolute.is_dir() {
            true => Place::Folder(absolute),
            false => Place::File(absolute),
        }
    }
}

/// A source file of a version that its compiler was told to call by another name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renamed {
    pub file: PathBuf,
    pub called: PathBuf,
}

/// Makes a built version comparable.
pub fn prepare(module: &mut Module, place: &Place, renamed: &[Renamed]) {
    restore_names(module, renamed);
    drop_version_folder(module, place, renamed);
    lift_inlined_library_code(module);
}

/// Calls files by their own names in the source map, where excerpts are taken from. (Clang renames in `__FILE__` alone, rustc in
/// debug information too.)
fn restore_names(module: &mut Module, renamed: &[Renamed]) {
    for Renamed { file, called } in renamed {
        let files = &mut module.source.files;
        let is = |name: &str, path: &Path| Path::new(name) == path;
        if files.values().any(|data| is(&data.name, file)) {
            continue;
        }
        for data in files.values_mut().filter(|data| is(&data.name, called)) {
            data.name = file.display().to_string();
        }
    }
}

/// Compares two prepared versions.
pub fn compare(old: Module, new: Module) -> Result<Compared, NothingInCommon> {
    let options = CompareOptions {
        ignore_line_numbers: true,
    };
    let mut changes = diff_with(&old, &new, options);
    let common =
        |found: &FunctionMatch| is_own_code(&old, found.old) && is_own_code(&new, found.new);
    if !changes.matches.iter().any(common) {
        return Err(NothingInCommon);
    }
    changes
        .functions
        .retain(|change| !is_c_library(&new, change.new));
    changes
        .added_functions
        .retain(|&func| !is_library(&new, func));
    changes
        .removed_functions
        .retain(|&func| !is_library(&old, func));
    changes
        .globals
        .retain(|change| !is_of_library(&old, &new, change));
    Ok(Compared { old, new, changes })
}

fn is_own_code(module: &Module, func: Func) -> bool {
    !module.functions[func].is_declaration() && !is_library(module, func)
}

/// Whether a function came with a library. One without debug information counts as the program's, and so
/// does a generic one of Rust's library into which code of the program was inlined.
pub fn is_library(module: &Module, func: Func) -> bool {
    let function = &module.functions[func];
    let Some(scope) = function.scope else {
        return false;
    };
    let source = &module.source;
    let is_own = |loc| !is_library_file(module, source.scopes[source.locs[loc].scope].file);
    is_library_file(module, source.scopes[scope].file)
        && !function
            .insts
            .values()
            .any(|node| node.loc.is_some_and(is_own))
}

/// The C library is the same code in both versions; it differs by what the linker put in place of a weak
/// symbol. A function of Rust's library may differ because of the type or closure it was made for.
pub fn is_c_library(module: &Module, func: Func) -> bool {
    let scope = module.functions[func].scope;
    scope.is_some_and(|scope| is_c_library_file(module, module.source.scopes[scope].file))
}

/// Libraries come without debug information of their globals. A global without it is a library's if
/// only library code uses it; or if it came or went, since that alone changes nothing: the statements
/// that use it have changed.
fn is_of_library(old: &Module, new: &Module, change: &GlobalChange) -> bool {
    let infos = [(old, change.old), (new, change.new)].map(|(module, global)| {
        let info = module.globals[global?].info.as_ref()?;
        Some(is_library_file(module, info.file))
    });
    if let Some(in_library) = infos[1].or(infos[0]) {
        return in_library;
    }
    let comes_or_goes = change.differences.iter().all(|difference| {
        matches!(
            difference,
            GlobalDifference::Added | GlobalDifference::Removed
        )
    });
    comes_or_goes || change.users.keys().all(|&func| is_library(new, func))
}

pub fn is_library_file(module: &Module, file: File) -> bool {
    let data = &module.source.files[file];
    is_c_library_file(module, file)
        || data.directory.starts_with("/rustc/")
        || data.name.starts_with("/rustc/")
}

/// By the names that the guest's C library is compiled under.
fn is_c_library_file(module: &Module, file: File) -> bool {
    let data = &module.source.files[file];
    ["", "musl"].contains(&data.directory.as_str())
        && (data.name.starts_with("musl/") || data.name.starts_with("parallax-runtime/"))
}

/// Library code that was inlined into the program counts as the line of the program that called it.
fn lift_inlined_library_code(module: &mut Module) {
    let mut lifted = Vec::new();
    let source = &module.source;
    let is_own = |loc: Loc| !is_library_file(module, source.scopes[source.locs[loc].scope].file);
    for loc in source.locs.keys().filter(|&loc| !is_own(loc)) {
        let callers = std::iter::successors(source.locs[loc].inlined_at, |&caller| {
            source.locs[caller].inlined_at
        });
        if let Some(caller) = callers.into_iter().find(|&caller| is_own(caller)) {
            lifted.push((loc, source.locs[caller].clone()));
        }
    }
    for (loc, caller) in lifted {
        module.source.locs[loc] = caller;
    }
}

/// In constants that begin with the name of one of the version's source files, leaves the version's
/// folder out. A file that is the whole version has the same name in both: `old.c` and `new.c` may be compared.
fn drop_version_folder(module: &mut Module, place: &Place, renamed: &[Renamed]) {
    let (folder, whole) = match place {
        Place::Folder(folder) => (Some(folder.as_path()), None),
        Place::File(file) => (file.parent(), Some(file.as_path())),
    };
    let mut names: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    for (file, data) in module.source.files.iter() {
        let full = Path::new(&data.directory).join(&data.name);
        let inside = folder.and_then(|folder| full.strip_prefix(folder).ok());
        if let Some(inside) = inside.filter(|_| !is_library_file(module, file)) {
            let short = match Some(full.as_path()) == whole {
                true => Path::new("source").with_extension(inside.extension().unwrap_or_default()),
                false => inside.to_owned(),
            };
            let short = short.into_os_string().into_encoded_bytes();
            let own_name = Path::new(&data.name);
            let is_it = |path: &Path| path == own_name || path == full;
            for Renamed { called, .. } in renamed.iter().filter(|renamed| is_it(&renamed.file)) {
                let called = called.as_os_str().as_encoded_bytes().to_vec();
                names.push((called, short.clone()));
            }
            // Debug information gives the folder apart even where the compiler was given a full path.
            names.push((data.name.clone().into_bytes(), short.clone()));
            names.push((full.into_os_string().into_encoded_bytes(), short));
        }
    }
    let mut lengths: HashMap<Global, (u64, u64)> = HashMap::new();
    for (global, data) in module.globals.iter_mut() {
        let initialiser = &mut data.initialiser;
        if !data.constant || !initialiser.relocations.is_empty() {
            continue;
        }
        let name = names.iter().find(|(name, _)| {
            let rest = initialiser.bytes.strip_prefix(name.as_slice());
            rest.is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_alphanumeric))
        });
        if let Some((name, short)) = name {
            let before = text_length(&initialiser.bytes);
            initialiser
                .bytes
                .splice(..name.len(), short.iter().copied());
            data.size = data.size - name.len() as u64 + short.len() as u64;
            lengths.insert(global, (before, text_length(&initialiser.bytes)));
        }
    }
    // Rust's string slices hold the length behind the address.
    for data in module.globals.values_mut() {
        let initialiser = &mut data.initialiser;
        for relocation in &initialiser.relocations {
            let Constant::GlobalAddress { global, offset: 0 } = relocation.constant else {
                continue;
            };
            let at = relocation.offset as usize + 8;
            let length = initialiser.bytes.get_mut(at..at + 8);
            if let (Some(&(before, after)), Some(length)) = (lengths.get(&global), length)
                && *length == before.to_le_bytes()
            {
                length.copy_from_slice(&after.to_le_bytes());
            }
        }
    }
}

fn text_length(bytes: &[u8]) -> u64 {
    bytes.strip_suffix(b"\0").unwrap_or(bytes).len() as u64
}
