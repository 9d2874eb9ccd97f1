//! What has changed between two versions, built each by itself.

use std::path::PathBuf;

use build::Builder;
use harness::whole_program::{crate_name, place_of};
use harness::{BuildOptions, read_module};
use program_ir::{Module, SourceMap};
use version_diff::own_changes::{self, Compared, Place};

use crate::error::{During, Result};

/// Builds two versions and compares their code. Each version is one input, or several files that are linked together;
/// `labels` are what messages call the versions, if not by their files.
pub fn changed_code(
    builder: &Builder<'_>,
    [old, new]: [&[PathBuf]; 2],
    options: &BuildOptions,
    labels: Option<&[String]>,
) -> Result<Compared> {
    let more = crate_name(old, new);
    let module = |inputs: &[PathBuf], which: &str| -> Result<Module> {
        let build = || -> Result<Module> {
            let built = builder.module(&options.request(inputs, &more))?;
            for warning in &built.warnings {
                (builder.announce)(warning);
            }
            Ok(read_module(builder, &built)?)
        };
        let mut module = build().during(|| format!("cannot build the {which} version"))?;
        own_changes::prepare(&mut module, &Place::of(&place_of(inputs)), &[]);
        Ok(module)
    };
    own_changes::compare(module(old, "old")?, module(new, "new")?)
        .during(|| cannot_compare(old, new, labels))
}

/// What to say of versions that have nothing in common.
pub(super) fn cannot_compare(
    old: &[PathBuf],
    new: &[PathBuf],
    labels: Option<&[String]>,
) -> String {
    let listed = |inputs: &[PathBuf]| {
        let names = inputs.iter().map(|path| format!("`{}`", path.display()));
        names.collect::<Vec<_>>().join(", ")
    };
    let [old, new] = match labels {
        Some([old, new]) => [old.clone(), new.clone()],
        _ => [listed(old), listed(new)],
    };
    format!("cannot compare {old} with {new}; give the old and the new version of the same program")
}

/// What a module computes: names of variables, lines and files do not count.
pub(super) fn without_debug_information(module: &Module) -> Module {
    let mut module = module.clone();
    module.source = SourceMap::default();
    for function in module.functions.values_mut() {
        function.scope = None;
        // How much stack is taken is not compared.
        function.frame_bytes = 0;
        function.variables.clear();
        function.bindings.clear();
        for inst in function.insts.values_mut() {
            inst.loc = None;
        }
    }
    for global in module.globals.values_mut() {
        global.info = None;
    }
    module
}
