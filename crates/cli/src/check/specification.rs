//! What the arguments ask for, as plain data.

use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use anyhow::ensure;
use compare::Spec;
use compare::spec::{ConfirmSpec, InputSpec, LimitSpec, Listing, MOST_VERSIONS, Named, SearchSpec};
use concolic_vm::linux::KernelConfig;
use harness::whole_program::program_name;
use harness::{FunctionSpec, SequenceSpec};

use super::arguments::{Arguments, Explained, FunctionOptions, Globals, SequenceOptions};
use crate::project_file::ProjectFile;
use crate::{project_file, tests_to_begin_with};

/// The comparison that the arguments and the project file ask for.
pub(super) fn specification(arguments: &Arguments) -> anyhow::Result<Spec> {
    let search = match arguments.later.is_empty() {
        true => arguments.search.for_two()?,
        false => {
            refuse_what_is_about_two(arguments)?;
            arguments.search.for_several()?
        }
    };
    let versions = versions(arguments)?;
    let project = project_file::read()?;
    let sequence = sequence(arguments, &project)?;
    let function = match sequence {
        Some(_) => None,
        None => function(arguments)?,
    };
    let kernel = KernelConfig::default();
    let labels = arguments.versions.labels()?;
    let program = arguments.versions.program_name()?;
    let named = labels.zip(program).map(|(labels, program)| Named {
        labels: labels.to_vec(),
        program,
    });
    let name = match &named {
        Some(named) => named.program.clone().into_os_string().into_vec(),
        None => program_name(&versions),
    };
    let asked = arguments.input.asked(name, &project.explore, &kernel)?;
    // What the project file says of the program's command line is not about a function.
    let tests = match function.is_some() || sequence.is_some() {
        true => &[],
        false => &project.tests[..],
    };
    Ok(Spec {
        versions,
        named,
        build: arguments.versions.build()?,
        function,
        sequence,
        golden: arguments.golden.clone(),
        exact: arguments.exact,
        input: InputSpec {
            otherwise: asked.otherwise(),
            space: asked.space,
            seeds: tests_to_begin_with::read(arguments.seeds.as_deref(), tests)?,
        },
        search: SearchSpec {
            seed: arguments.seed,
            workers: arguments.workers.into(),
            fresh: arguments.fresh,
            ..search
        },
        limits: LimitSpec {
            time: arguments.timeout,
            runs: arguments.runs,
            memory: arguments.memory << 20,
            steps: arguments.max_steps,
            decisions: arguments.max_decisions,
            depth: arguments.max_depth,
            stack: arguments.max_stack,
            run_memory: arguments.max_memory,
            query: arguments.query_timeout,
        },
        confirm: ConfirmSpec {
            minimise: arguments.minimise,
            proofs: arguments.paranoid,
            confined: arguments.native.is_confined()?,
        },
        listing: Listing {
            partitions: arguments.partitions.map(|which| which.plain()),
            pruning: arguments.search.explains_pruning(),
            explain: Explained::plain(&arguments.explain),
        },
        folder: arguments.tests.clone(),
        command: std::env::args().collect::<Vec<_>>().join(" "),
    })
}

/// The files of each version.
fn versions(arguments: &Arguments) -> anyhow::Result<Vec<Vec<PathBuf>>> {
    let mut files = vec![
        arguments.versions.old_version()?,
        arguments.versions.new_version()?,
    ];
    files.extend(arguments.later.iter().map(|later| vec![later.clone()]));
    Ok(files)
}

/// The sequences that are compared, if it is not the program.
fn sequence(arguments: &Arguments, project: &ProjectFile) -> anyhow::Result<Option<SequenceSpec>> {
    let SequenceOptions { sequence, length } = &arguments.sequence;
    let Some(handle) = sequence else {
        return Ok(None);
    };
    ensure!(
        !arguments.input.has_arguments(),
        "`--sequence` calls functions, which have no command line: leave `--sym-arg`, `--sym-args` and the program's \
         arguments out. All arguments of the functions are tried"
    );
    let options = &arguments.function;
    ensure!(
        options.globals.is_none(),
        "`--globals` is for `--fn`: with `--sequence`, globals have their first values, and what calls make of them"
    );
    let settings = project.sequence(handle)?;
    let assumed = options.fn_assume.iter().cloned();
    Ok(Some(SequenceSpec {
        handle: handle.clone(),
        length: *length,
        roles: settings.roles,
        calls_only: settings.calls_only,
        arguments: FunctionSpec {
            name: String::new(),
            elements: options.fn_array,
            depth: options.fn_depth,
            first_values: true,
            null: options.fn_null,
            assumed: settings.assumed.into_iter().chain(assumed).collect(),
            exact: arguments.exact,
        },
    }))
}

/// The function that is compared, if it is not the program.
fn function(arguments: &Arguments) -> anyhow::Result<Option<FunctionSpec>> {
    let FunctionOptions {
        function,
        all_changed,
        fn_array,
        fn_depth,
        globals,
        fn_null,
        fn_assume,
    } = &arguments.function;
    // The names of all changed functions are found out later.
    let every = all_changed.then(String::new);
    let Some(name) = function.as_ref().or(every.as_ref()) else {
        ensure!(
            fn_assume.is_empty()
                && fn_array.is_none()
                && fn_depth.is_none()
                && globals.is_none()
                && !fn_null,
            "`--fn-assume`, `--fn-array`, `--fn-depth`, `--fn-null` and `--globals` are about the arguments of a function; say which with `--fn NAME`, or a type with `--sequence TYPE`"
        );
        return Ok(None);
    };
    if !all_changed {
        harness::c_function::check_name(name)?;
    }
    ensure!(
        !arguments.input.has_arguments(),
        "`--fn` calls a function, which has no command line: leave `--sym-arg`, `--sym-args` and the program's \
         arguments out. All arguments of the function are tried"
    );
    Ok(Some(FunctionSpec {
        name: name.clone(),
        elements: *fn_array,
        depth: *fn_depth,
        first_values: *globals == Some(Globals::First),
        null: *fn_null,
        assumed: fn_assume.clone(),
        exact: arguments.exact,
    }))
}

/// Refuses what is about two versions.
fn refuse_what_is_about_two(arguments: &Arguments) -> anyhow::Result<()> {
    let instead = "check two versions at a time for that";
    ensure!(
        arguments.golden.is_empty(),
        "`--golden` measures the change between two versions, and there are more: {instead}, or give the golden version as \
         one of the versions"
    );
    let options = &arguments.function;
    ensure!(
        options.function.is_none()
            && !options.all_changed
            && options.fn_assume.is_empty()
            && options.fn_array.is_none(),
        "`--fn` compares a function of two versions, and there are more: {instead}, as in `parallax check V0 V1 --fn NAME`"
    );
    ensure!(
        arguments.sequence.sequence.is_none(),
        "`--sequence` compares calls of two versions, and there are more: {instead}"
    );
    let count = arguments.later.len() + 2;
    ensure!(
        count <= MOST_VERSIONS,
        "{count} versions are too many: at most {MOST_VERSIONS} are compared at once; leave out some"
    );
    Ok(())
}
