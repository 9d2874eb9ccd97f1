//! First stage: the versions are built, loaded and compared as code, and what an earlier comparison left is read.

mod built;
mod changed_code;
pub(crate) mod folder;
pub mod journal_file;
mod kept;
mod no_main;
pub mod seeds;

use build::Builder;
use concolic_vm::Program;
use concolic_vm::linux::KernelConfig;
use concolic_vm::symbolic::SymbolicInput;
use exploration::{Diffs, InputSpace, Strategy, Subject, Version, alone};
use harness::whole_program::is_rust;
use harness::{CFunction, CallSequence, Harness, WholeProgram};
use program_ir::Module;
use version_diff::own_changes::{self, Place};

use crate::error::{During, Error, Result};
use crate::growing_bounds;
use crate::observer::{Event, Observer};
use crate::spec::{MOST_VERSIONS, Spec};
use crate::trusted::Trusted;
use crate::versions::as_built::AsBuilt;
use crate::versions::changes::Changes;
use crate::versions::golden::Golden;
use crate::versions::run::{Tracing, VersionStep, Versions, steps};
use built::Built;
pub use changed_code::changed_code;
use changed_code::{cannot_compare, without_debug_information};
use folder::{Folder, Journals, remove_examples};
use kept::Compared;
use seeds::Seeds;

/// What the report calls two versions, and more.
const TWO: [&str; 2] = ["old", "new"];
const LABELS: [&str; MOST_VERSIONS] = [
    "V0", "V1", "V2", "V3", "V4", "V5", "V6", "V7", "V8", "V9", "V10", "V11", "V12", "V13", "V14",
    "V15",
];

const NEVER_CALLED: &str = "no argument is left by `--fn-assume`: the function is never called, and there is nothing to \
     compare. Give a condition that some arguments satisfy";

/// What the report calls so many versions.
fn names(versions: usize) -> Vec<&'static str> {
    match versions {
        2 => TWO.to_vec(),
        more => LABELS[..more].to_vec(),
    }
}

/// The versions, ready to be searched.
pub(crate) struct Prepared {
    pub(crate) names: Vec<&'static str>,
    pub(crate) harness: Box<dyn Harness>,
    pub(crate) programs: Vec<Program>,
    /// The same as they were built.
    pub(crate) as_built: Vec<AsBuilt>,
    golden: Option<Golden>,
    code: Code,
    /// Parts of the versions that are not compared.
    pub(crate) left_out: Vec<String>,
    pub(crate) space: InputSpace,
    /// Nobody has said what varies: the space is where to begin.
    pub(crate) may_grow: bool,
    /// Of the versions' content.
    pub(crate) hashes: Vec<String>,
    pub(crate) shapes: Vec<SymbolicInput>,
    pub(crate) kernel: KernelConfig,
    pub(crate) seeds: Seeds,
    pub(crate) folder: Folder,
    /// Changed functions that were proved to do the same by themselves, if all were.
    pub(crate) same_functions: Option<Vec<String>>,
}

/// What is known of the versions' code without a run.
struct Code {
    /// For each version, the first one with the same code; `None` if not all code is there.
    first_same: Option<Vec<usize>>,
    /// By single step; nothing for versions in different languages.
    changes: Vec<Changes>,
    /// Of two versions: their code compared as the VM runs it.
    diffs: Diffs,
}

impl Code {
    fn is_same(&self, one: usize, other: usize) -> bool {
        let same = self.first_same.as_ref();
        same.is_some_and(|same| same[one] == same[other])
    }
}

impl Prepared {
    /// Of two versions: their code compared as the VM runs it.
    pub(crate) fn diffs(&self) -> &Diffs {
        &self.code.diffs
    }

    /// Whether all versions are the same code.
    pub(crate) fn all_same_code(&self) -> bool {
        (1..self.programs.len()).all(|version| self.code.is_same(0, version))
    }

    pub(crate) fn nothing_to_explore(&self) -> bool {
        self.all_same_code() || self.same_functions.is_some()
    }

    /// The versions as they are run.
    pub(crate) fn versions(&self, spec: &Spec) -> Versions<'_> {
        let count = self.programs.len();
        let step = |(from, to): (usize, usize)| VersionStep {
            from,
            to,
            changes: (to == from + 1).then(|| &self.code.changes[from]),
            same_code: self.code.is_same(from, to),
        };
        Versions {
            programs: self.programs.iter().collect(),
            as_built: self.as_built.iter().collect(),
            names: self.names.clone(),
            steps: steps(count).into_iter().map(step).collect(),
            kernel: self.kernel.clone(),
            limits: spec.limits.of_run(),
            run_memory: spec.limits.run_memory,
            symbolic_limits: spec.limits.symbolic(),
            golden: self.golden.as_ref(),
            tracing: Tracing::of(count),
        }
    }
}

/// Builds and loads the versions; opens the folder.
pub(crate) fn prepare(
    builder: &Builder<'_>,
    spec: &Spec,
    trusted: &Trusted<'_>,
    observer: &dyn Observer,
) -> Result<(Prepared, Journals)> {
    let names = names(spec.versions.len());
    let harness = harness(builder, spec)?;
    let explain = |error| match &spec.versions[..] {
        [old, new] => no_main::suggest_functions(error, || {
            changed_code(builder, [old, new], &spec.build, labels(spec, 0))
        }),
        _ => Error::from(error),
    };
    let mut built = Built::new(builder, harness.requests(), &names, explain)?;
    let as_built = built.as_compared(spec.exact);
    let mut modules = built.modules.iter();
    if !modules.all(|module| harness.may_be_called(module)) {
        return Err(Error::Usage(NEVER_CALLED.to_owned()));
    }
    let golden = harness
        .golden()
        .map(|request| Golden::build(builder, request, spec.exact));
    let golden = golden.transpose()?;
    let code = code(spec, &*harness, &built, observer)?;
    let kernel = KernelConfig::default();
    let may_grow = may_grow(spec) && !harness.has_own_input(&built.modules);
    let space = space(spec, &*harness, (&built.modules, may_grow), observer);
    let shapes = space.shapes();
    let seeds = Seeds::of(&spec.input.seeds, (&space, may_grow), &shapes, &kernel)?;
    if !seeds.reasons.is_empty() {
        observer.event(Event::SeedsNotUsed {
            reasons: &seeds.reasons,
            used: seeds.records.len(),
            all: seeds.all,
        });
    }
    let folder = spec.folder.clone();
    let folder = Folder::make(folder.unwrap_or_else(|| harness.default_folder()))?;
    let mut programs = Vec::new();
    for module in built.modules {
        programs.push(Program::new(module, spec.limits.run_memory)?);
    }
    let mut prepared = Prepared {
        names,
        harness,
        programs,
        as_built,
        golden,
        code,
        left_out: built.left_out,
        may_grow,
        hashes: built.hashes,
        space,
        shapes,
        kernel,
        seeds,
        folder,
        same_functions: None,
    };
    prepared.same_functions = same_functions(&prepared, spec, trusted);
    let journals = match prepared.nothing_to_explore() || spec.search.strategy == Strategy::Random {
        true => Journals::default(),
        false => {
            let (names, harness) = (&prepared.names, &*prepared.harness);
            let (cache, hashes) = (&builder.cache, &prepared.hashes);
            let compared = Compared::new(cache, spec, names, hashes, &prepared.space, harness)?;
            let (folder, shapes) = (&prepared.folder, &prepared.shapes);
            Journals::open(folder, &compared, shapes, &spec.search, observer)?
        }
    };
    remove_examples(&prepared.folder.path, &LABELS)?;
    Ok((prepared, journals))
}

/// What messages call the versions of a step, if not by their files.
fn labels(spec: &Spec, from: usize) -> Option<&[String]> {
    let named = spec.named.as_ref()?;
    named.labels.get(from..from + 2)
}

/// What is called of the versions.
fn harness(builder: &Builder<'_>, spec: &Spec) -> Result<Box<dyn Harness>> {
    let (versions, golden) = (&spec.versions[..], &spec.golden[..]);
    if !(2..=MOST_VERSIONS).contains(&versions.len()) {
        return Err(Error::Usage(format!(
            "{} versions cannot be compared at once; give between 2 and {MOST_VERSIONS}",
            versions.len()
        )));
    }
    let name = spec.named.as_ref().map(|named| named.program.clone());
    if let Some(sequence) = &spec.sequence {
        let [old, new] = versions else {
            return Err(Error::Usage(format!(
                "sequences of calls are compared in two versions, and there are {}",
                versions.len()
            )));
        };
        if !golden.is_empty() {
            return Err(Error::Usage(
                "`--golden` is for programs and functions, not for `--sequence`; leave it out"
                    .to_owned(),
            ));
        }
        let files = [&old[..], &new[..]];
        let harness = CallSequence::new(builder, files, &spec.build, sequence)?;
        return Ok(Box::new(harness.named(name)));
    }
    Ok(match (&spec.function, versions) {
        (Some(function), [old, new]) => {
            let files = [&old[..], &new[..]];
            let harness = CFunction::new(builder, files, golden, &spec.build, function)?;
            Box::new(harness.named(name))
        }
        (Some(_), _) => {
            return Err(Error::Usage(format!(
                "a function is compared in two versions, and there are {}",
                versions.len()
            )));
        }
        (None, _) => Box::new(WholeProgram::new(versions, golden, &spec.build, name)),
    })
}

/// What is known of the code without a run.
fn code(
    spec: &Spec,
    harness: &dyn Harness,
    built: &Built,
    observer: &dyn Observer,
) -> Result<Code> {
    let bare: Vec<Module> = built
        .modules
        .iter()
        .map(without_debug_information)
        .collect();
    let first_same = |module: &Module| {
        let first = bare.iter().position(|other| other == module);
        first.expect("a module is like itself")
    };
    let first_same = built
        .left_out
        .is_empty()
        .then(|| bare.iter().map(first_same).collect());
    let mut changes = Vec::new();
    for (from, step) in spec.versions.windows(2).enumerate() {
        changes.push(match is_rust(&step[0]) != is_rust(&step[1]) {
            true => {
                observer.event(Event::LanguagesDiffer);
                Changes::none()
            }
            false if bare[from] == bare[from + 1] => Changes::none(),
            false => {
                let [old, new] = [from, from + 1].map(|version| {
                    let mut module = built.modules[version].clone();
                    let place = Place::of(&harness.place(version));
                    own_changes::prepare(&mut module, &place, harness.renamed(version));
                    module
                });
                let compared = own_changes::compare(old, new);
                let compared = match harness.function() {
                    Some(_) => compared?,
                    None => compared
                        .during(|| cannot_compare(&step[0], &step[1], labels(spec, from)))?,
                };
                Changes::of(&compared)
            }
        });
    }
    Ok(Code {
        first_same,
        changes,
        diffs: Diffs::default(),
    })
}

/// Whether bounds grow: those that somebody gave are kept, and so are those of a search without proofs or with a fixed number of runs.
fn may_grow(spec: &Spec) -> bool {
    spec.input.otherwise.is_some()
        && spec.search.strategy != Strategy::Random
        && spec.limits.runs.is_none()
}

/// The inputs that are tried first.
fn space(
    spec: &Spec,
    harness: &dyn Harness,
    (modules, may_grow): (&[Module], bool),
    observer: &dyn Observer,
) -> InputSpace {
    let mut space = match &spec.input.otherwise {
        Some(otherwise) if may_grow => {
            let first = growing_bounds::first(otherwise);
            observer.event(Event::DefaultInput {
                space: &first,
                grows: true,
            });
            first
        }
        Some(otherwise) if !harness.has_own_input(modules) => {
            observer.event(Event::DefaultInput {
                space: otherwise,
                grows: false,
            });
            otherwise.clone()
        }
        _ => spec.input.space.clone(),
    };
    harness.fit(&mut space);
    space
}

/// Changed functions that do the same by themselves, if that is so of all. Who asks for partitions, or for proofs to be doubted,
/// gets them; and who asks for one function wants to see how it was called.
fn same_functions(prepared: &Prepared, spec: &Spec, trusted: &Trusted<'_>) -> Option<Vec<String>> {
    let may_be_short = spec.search.short_proofs
        && spec.listing.partitions.is_none()
        && !spec.confirm.proofs
        && spec.function.is_none();
    let [old, new] = &prepared.programs[..] else {
        return None;
    };
    if prepared.all_same_code() || !prepared.left_out.is_empty() || !may_be_short {
        return None;
    }
    let [old, new] = [old, new].map(|program| Version {
        program,
        subject: Subject::Whole,
    });
    let solver = &mut *(trusted.make_solver)(0);
    alone::same_by_themselves(&old, &new, prepared.diffs(), solver)
}
