//! A program without the bodies of its library's functions.
//!
//! What a library function does is then what its standard says (`externals`), not how it
//! happens to be coded. That is quicker, since most of a small program is its C library,
//! and it tells more: by its code, each `printf` depends on all before it through the
//! buffer that they share.
//!
//! Variables of the library that the program itself uses (`optind`, `stdout`) count as
//! external, so every unknown library function may read and change them.

use program_ir::{Constant, Func, Function, Global, Linkage, Module, ValueDef};
use std::collections::BTreeSet;

/// The same program, with declarations in place of the functions that `is_library` names.
/// All numbers (of functions, globals, instructions) stay what they are.
pub fn without_library(module: &Module, is_library: impl Fn(Func) -> bool) -> Module {
    let mut own = Module {
        functions: Default::default(),
        globals: module.globals.clone(),
        source: module.source.clone(),
        aliases: module.aliases.clone(),
    };
    let mut used_by_library = BTreeSet::new();
    let mut used_by_program = BTreeSet::new();
    for (func, function) in module.functions.iter() {
        if function.is_declaration() || !is_library(func) {
            used_by_program.extend(used_globals(function));
            own.functions.push(function.clone());
            continue;
        }
        used_by_library.extend(used_globals(function));
        let signature = function.signature.clone();
        let mut declaration = Function::new(function.name.clone(), Linkage::Import, signature);
        declaration.scope = function.scope;
        own.functions.push(declaration);
    }
    reach_through_initialisers(module, &mut used_by_library);
    reach_through_initialisers(module, &mut used_by_program);
    for &global in used_by_library.intersection(&used_by_program) {
        own.globals[global].linkage = Linkage::Import;
    }
    own
}

fn used_globals(function: &Function) -> impl Iterator<Item = Global> {
    function
        .values
        .values()
        .filter_map(|value| match value.def {
            ValueDef::Constant(constant) => global_of(constant),
            _ => None,
        })
}

fn global_of(constant: Constant) -> Option<Global> {
    match constant {
        Constant::GlobalAddress { global, .. } => Some(global),
        _ => None,
    }
}

fn reach_through_initialisers(module: &Module, globals: &mut BTreeSet<Global>) {
    let mut work: Vec<Global> = globals.iter().copied().collect();
    while let Some(global) = work.pop() {
        for relocation in &module.globals[global].initialiser.relocations {
            if let Some(next) = global_of(relocation.constant)
                && globals.insert(next)
            {
                work.push(next);
            }
        }
    }
}
