//! The versions on one input, in the VM.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use concolic_vm::linux::{FileState, KernelConfig};
use concolic_vm::observe::TraceFacts;
use concolic_vm::symbolic::{SymbolicLimits, SymbolicRun};
use concolic_vm::{Limits, Program};
use exploration::attribution::{TracedRun, trace_facts};
use exploration::compare::{Difference, Observable, difference};
use exploration::part::WhyUnknown;
use exploration::relations::{Relation, Relations};
use exploration::worker::VersionRun;
use exploration::{InputRecord, Subject, Version};
use expr::Store;
use native::prediction::{exactly, expected, run_exactly};
use native::test_case::Expected;
use version_diff::own_changes::is_c_library;

use super::as_built::{AsBuilt, Lined, VmSettings};
use super::changed_line::ChangedLine;
use super::changes::Changes;
use super::golden::{Class, Golden};
use super::groups::Groups;
use super::outcome::{ending, is_cut_off};

/// The versions, in order, and how they are run.
pub(crate) struct Versions<'v> {
    pub(crate) programs: Vec<&'v Program>,
    /// The same as they were built.
    pub(crate) as_built: Vec<&'v AsBuilt>,
    /// What the report calls them.
    pub(crate) names: Vec<&'static str>,
    /// Which are compared with each other; see [`steps`].
    pub(crate) steps: Vec<VersionStep<'v>>,
    pub(crate) kernel: KernelConfig,
    pub(crate) limits: Limits,
    /// Bytes of memory that a run may hold.
    pub(crate) run_memory: u64,
    pub(crate) symbolic_limits: SymbolicLimits,
    pub(crate) golden: Option<&'v Golden>,
    pub(crate) tracing: Tracing,
}

/// What traced runs share. Traces are large: one pair of them at a time.
#[derive(Default)]
pub(crate) struct Tracing {
    turn: Mutex<()>,
    /// Made when needed, by version.
    facts: Vec<OnceLock<TraceFacts>>,
}

impl Tracing {
    pub(crate) fn of(versions: usize) -> Tracing {
        Tracing {
            turn: Mutex::default(),
            facts: (0..versions).map(|_| OnceLock::new()).collect(),
        }
    }
}

/// Two versions that a report compares, by their numbers.
pub(crate) struct VersionStep<'v> {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// What has changed; nothing is known of versions that do not follow each other.
    pub(crate) changes: Option<&'v Changes>,
    pub(crate) same_code: bool,
}

/// Which versions a report compares: each with the one before, in order. Of three or more, also the last with the first.
pub(crate) fn steps(versions: usize) -> Vec<(usize, usize)> {
    let steps = (1..versions).map(|version| (version - 1, version));
    let whole = (versions > 2).then_some((0, versions - 1));
    steps.chain(whole).collect()
}

/// What the versions did on an input.
pub(crate) struct Shown {
    pub(crate) groups: Groups,
    /// By version.
    pub(crate) outcomes: Vec<Expected>,
    /// By step.
    pub(crate) steps: Vec<ShownStep>,
    /// Executed by all together.
    pub(crate) instructions: u64,
}

/// What two versions did on an input.
pub(crate) struct ShownStep {
    pub(crate) symptom: StepSymptom,
    /// All that differs, also besides what makes the symptom; nothing if that is not known.
    pub(crate) observables: Vec<Observable>,
    /// Changed lines that are responsible for it.
    pub(crate) changes: Vec<ChangedLine>,
    /// Files that have another kind, mode or owner in one version than in the other, each with both.
    pub(crate) attributes: BTreeMap<String, [String; 2]>,
}

/// What a user sees of a difference between two versions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StepSymptom {
    /// What differs.
    pub(crate) observables: Vec<Observable>,
    /// How both versions end, and where, if not normally.
    pub(crate) ends: [String; 2],
    /// What it is to a golden version in the VM, if there is one.
    pub(crate) class: Option<Class>,
}

impl ShownStep {
    /// Whether this shows what another shows, over no other changes; over whichever if it `is_open`.
    fn shows_same(&self, other: &ShownStep, is_open: bool) -> bool {
        let known = |change: &ChangedLine| other.changes.contains(change);
        self.symptom == other.symptom
            && (is_open
                || self.changes.iter().all(known)
                    && self.changes.is_empty() == other.changes.is_empty())
    }
}

impl Shown {
    /// Whether this shows what another shows, over no other changes. What versions do that do not differ, where others do, is
    /// open.
    pub(crate) fn shows_same(&self, other: &Shown) -> bool {
        let differs = |step: &ShownStep| !step.symptom.observables.is_empty();
        let some_differ = other.steps.iter().any(differs);
        let mut steps = self.steps.iter().zip(&other.steps);
        self.groups == other.groups
            && steps.all(|(own, other)| own.shows_same(other, some_differ && !differs(other)))
    }
}

impl<'v> Versions<'v> {
    /// What the VM is given when a version is run by itself.
    pub(crate) fn settings(&self) -> VmSettings<'_> {
        VmSettings {
            kernel: &self.kernel,
            limits: self.limits,
            memory: self.run_memory,
        }
    }

    /// A version with what it was built with.
    pub(crate) fn lined(&self, version: usize) -> Lined<'_> {
        Lined {
            compared: self.programs[version],
            as_built: self.as_built[version],
        }
    }

    /// Each version with the one before it.
    pub(crate) fn single_steps(&self) -> &[VersionStep<'v>] {
        &self.steps[..self.programs.len() - 1]
    }

    /// Runs all; `None` if a process cannot be started. Where it is not known whether two differ, nothing does.
    pub(crate) fn run(&self, input: &InputRecord) -> Option<Shown> {
        let mut store = Store::new();
        let runs = self.programs.iter().map(|program| {
            let (process, run) =
                run_exactly(program, &mut store, &self.kernel, self.limits, input)?;
            Some(VersionRun {
                process,
                run,
                own_events: 0,
                shared: Vec::new(),
            })
        });
        let runs: Vec<VersionRun<'_>> = runs.collect::<Option<_>>()?;
        let outcome = |run: &VersionRun<'_>| expected(&run.process, &run.run, &self.kernel);
        let outcomes: Vec<Expected> = runs.iter().map(outcome).collect();
        let relations = Relations::new(runs.len(), |one, other| {
            let expected = [&outcomes[one], &outcomes[other]];
            match self.differing(&mut store, [&runs[one], &runs[other]], expected) {
                Ok(observables) if observables.is_empty() => Relation::Same,
                Ok(_) => Relation::Different,
                Err(why) => Relation::NotKnown(why),
            }
        });
        let steps = self
            .steps
            .iter()
            .map(|step| self.step(&mut store, input, step, &runs, &outcomes));
        let steps = steps.collect();
        let instructions = runs.iter().map(|run| run.run.outcome.instructions);
        Some(Shown {
            groups: Groups::of(&relations),
            steps,
            instructions: instructions.sum(),
            outcomes,
        })
    }

    /// What the runs of two versions show.
    fn step(
        &self,
        store: &mut Store,
        input: &InputRecord,
        step: &VersionStep<'_>,
        runs: &[VersionRun<'_>],
        outcomes: &[Expected],
    ) -> ShownStep {
        let both = [&runs[step.from], &runs[step.to]];
        let [old, new] = [&outcomes[step.from], &outcomes[step.to]];
        let observables = self.differing(store, both, [old, new]);
        let observables = observables.unwrap_or_default();
        let class = self.golden.filter(|_| !observables.is_empty());
        let class = class.and_then(|golden| golden.class_in_vm(&self.settings(), input, old, new));
        ShownStep {
            changes: self.responsible(input, step, &both[1].run, &observables),
            attributes: attributes(&observables, both),
            observables: self.all_that_differ(&observables, old, new),
            symptom: StepSymptom {
                observables,
                ends: both.map(|version| ending(&version.run.outcome)),
                class,
            },
        }
    }

    /// The changed lines that are responsible for a difference on this input: those in its dynamic slice, or else, all
    /// that the later version's run executed.
    pub(crate) fn responsible(
        &self,
        input: &InputRecord,
        step: &VersionStep<'_>,
        new: &SymbolicRun,
        observables: &[Observable],
    ) -> Vec<ChangedLine> {
        let Some(changes) = step.changes else {
            return Vec::new();
        };
        let executed = changes.executed(self.programs[step.to], new);
        if observables.is_empty() || executed.len() < 2 {
            return executed;
        }
        let _turn = self.tracing.turn.lock().expect("no worker panicked");
        let exact = exactly(input);
        let traced = |version: usize| {
            let program = self.programs[version];
            let subject = Subject::Whole;
            let facts = self.tracing.facts[version].get_or_init(|| {
                let module = program.module();
                trace_facts(program, |func| is_c_library(module, func))
            });
            let version = Version { program, subject };
            TracedRun::of(&version, facts, &self.kernel, self.limits, &exact).ok()
        };
        let found = match (traced(step.from), traced(step.to)) {
            (Some(old), Some(new)) => changes.responsible(&old, &new, observables),
            _ => Vec::new(),
        };
        match found.is_empty() {
            true => executed,
            false => found,
        }
    }

    /// Where some observables differ, all that do. Those that the versions' terms tell apart for every input hide the others,
    /// and so does how the runs end.
    fn all_that_differ(
        &self,
        known: &[Observable],
        old: &Expected,
        new: &Expected,
    ) -> Vec<Observable> {
        // What a run has put out when it is cut off is chance, and behind undefined behaviour nothing is promised.
        let is_settled =
            |expected: &Expected| !expected.end.undefined && !is_cut_off(&expected.end);
        if known.is_empty() || !is_settled(old) || !is_settled(new) {
            return known.to_vec();
        }
        let folder = String::from_utf8_lossy(&self.kernel.working_directory);
        let names: BTreeSet<&PathBuf> = old.files.keys().chain(new.files.keys()).collect();
        let files = names.into_iter().map(|name| {
            let path = Path::new(&*folder).join(name);
            Observable::File(path.to_string_lossy().into_owned())
        });
        let mut others = vec![Observable::Stdout, Observable::Stderr];
        others.extend(files);
        // How runs end says more than the status.
        if !known.contains(&Observable::End) {
            others.push(Observable::ExitStatus);
        }
        let mut all = known.to_vec();
        for other in others {
            if !all.contains(&other) && self.differ(&other, old, new) {
                all.push(other);
            }
        }
        all.sort_by_key(|observable| (*observable != Observable::End, observable.clone()));
        all
    }

    /// What differs between two runs on an input, which did what is expected; an error if that is not known.
    fn differing(
        &self,
        store: &mut Store,
        [old, new]: [&VersionRun<'_>; 2],
        [old_expected, new_expected]: [&Expected; 2],
    ) -> Result<Vec<Observable>, WhyUnknown> {
        match difference(store, old, new) {
            Difference::Nowhere => Ok(Vec::new()),
            Difference::Everywhere(observables) => Ok(observables),
            // Variables of the input have terms in a plain run, too.
            Difference::Where(conditions) => {
                let observables = conditions.into_iter().map(|(observable, _)| observable);
                Ok(observables
                    .filter(|observable| self.differ(observable, old_expected, new_expected))
                    .collect())
            }
            Difference::NotKnown(why) => Err(why),
        }
    }

    fn differ(&self, observable: &Observable, old: &Expected, new: &Expected) -> bool {
        match observable {
            Observable::Stdout => old.stdout != new.stdout,
            Observable::Stderr => old.stderr != new.stderr,
            Observable::File(path) => {
                let folder = String::from_utf8_lossy(&self.kernel.working_directory);
                match Path::new(path).strip_prefix(&*folder) {
                    Ok(name) => old.files.get(name) != new.files.get(name),
                    // Others are not recorded.
                    Err(_) => true,
                }
            }
            Observable::End | Observable::ExitStatus | Observable::Returned => {
                (&old.end.kind, old.end.shell_status) != (&new.end.kind, new.end.shell_status)
            }
        }
    }

    /// What a difference on this input is to the golden version, if there is one.
    pub(crate) fn class(&self, input: &InputRecord) -> Option<Class> {
        self.golden?;
        self.run(input)?.steps.first()?.symptom.class
    }
}

/// What is said of files that differ in more than their content.
fn attributes(
    observables: &[Observable],
    versions: [&VersionRun<'_>; 2],
) -> BTreeMap<String, [String; 2]> {
    let files = observables
        .iter()
        .filter_map(|observable| match observable {
            Observable::File(path) => Some(path),
            _ => None,
        });
    let described = files.map(|path| {
        let states = versions.map(|version| {
            let kernel = version.process.machine().kernel();
            attributes_of(kernel.file_state(path.as_bytes()).as_ref())
        });
        (path.clone(), states)
    });
    described.filter(|(_, [old, new])| old != new).collect()
}

fn attributes_of(state: Option<&FileState>) -> String {
    let with = |what: &str, mode: &u32, owner: &(u32, u32)| {
        format!(
            "{what}mode {:03o}, owner {}:{}",
            mode & 0o7777,
            owner.0,
            owner.1
        )
    };
    match state {
        None => "there is no such file".to_owned(),
        Some(FileState::File { mode, owner, .. }) => with("", mode, owner),
        Some(FileState::Directory { mode, owner }) => with("a folder, ", mode, owner),
        Some(FileState::Device { mode, owner }) => with("a device, ", mode, owner),
        Some(FileState::Symlink { target }) => {
            format!("a link to {}", String::from_utf8_lossy(target))
        }
    }
}
