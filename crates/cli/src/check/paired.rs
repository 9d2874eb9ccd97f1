//! Both versions on one input, in the VM.

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
use exploration::worker::VersionRun;
use exploration::{InputRecord, Subject, Version};
use expr::Store;

use super::changes::{ChangedLine, Changes};
use super::differences::{Symptom, ending};
use super::golden::{Class, Golden};
use native::prediction::{exactly, expected, run_exactly};
use native::test_case::Expected;
use version_diff::own_changes::is_c_library;

/// The versions, and how they are run.
pub(super) struct Versions<'v> {
    /// Old and new.
    pub(super) programs: Vec<&'v Program>,
    /// What the report calls them.
    pub(super) names: Vec<&'static str>,
    pub(super) kernel: KernelConfig,
    pub(super) limits: Limits,
    pub(super) symbolic_limits: SymbolicLimits,
    pub(super) changes: &'v Changes,
    /// Made when needed, by version.
    pub(super) trace_facts: [OnceLock<TraceFacts>; 2],
    pub(super) tracing: Mutex<()>,
    pub(super) golden: Option<&'v Golden>,
}

/// What both versions did on an input.
pub(super) struct Pair {
    pub(super) old: Expected,
    pub(super) new: Expected,
    pub(super) symptom: Symptom,
    /// All that differs, also besides what makes the symptom; nothing if that is not known.
    pub(super) observables: Vec<Observable>,
    /// Changed lines that are responsible for it.
    pub(super) changes: Vec<ChangedLine>,
    /// Executed by both together.
    pub(super) instructions: u64,
    /// Files that have another kind, mode or owner in one version than in the other, each with both.
    pub(super) attributes: BTreeMap<String, [String; 2]>,
}

impl Pair {
    /// Whether this shows what another shows, over no other changes.
    pub(super) fn shows_same(&self, other: &Pair) -> bool {
        let known = |change: &ChangedLine| other.changes.contains(change);
        self.symptom == other.symptom
            && self.changes.iter().all(known)
            && self.changes.is_empty() == other.changes.is_empty()
    }
}

impl Versions<'_> {
    /// Runs both; `None` if a process cannot be started. Where it is not known whether they differ, nothing does.
    pub(super) fn run(&self, input: &InputRecord) -> Option<Pair> {
        let mut store = Store::new();
        let mut run = |version: usize| self.run_version(version, &mut store, input);
        let (old, new) = (run(0)?, run(1)?);
        Some(self.pair(&mut store, input, &old, &new))
    }

    /// Runs one version.
    pub(super) fn run_version<'v>(
        &'v self,
        version: usize,
        store: &mut Store,
        input: &InputRecord,
    ) -> Option<VersionRun<'v>> {
        let program = self.programs[version];
        let (process, run) = run_exactly(program, store, &self.kernel, self.limits, input)?;
        Some(VersionRun {
            process,
            run,
            own_events: 0,
            shared: Vec::new(),
        })
    }

    /// What two runs on an input show.
    pub(super) fn pair(
        &self,
        store: &mut Store,
        input: &InputRecord,
        old: &VersionRun<'_>,
        new: &VersionRun<'_>,
    ) -> Pair {
        let predicted =
            |version: &VersionRun<'_>| expected(&version.process, &version.run, &self.kernel);
        let (old_expected, new_expected) = (predicted(old), predicted(new));
        let observables = self.differing(store, [old, new], [&old_expected, &new_expected]);
        let observables = observables.unwrap_or_default();
        let changes = self.responsible(input, &new.run, &observables);
        let attributes = attributes(&observables, [old, new]);
        let all = self.all_that_differ(&observables, &old_expected, &new_expected);
        let class = self.golden.filter(|_| !observables.is_empty());
        let class = class.and_then(|golden| {
            let (old, new) = (&old_expected, &new_expected);
            golden.class_in_vm(&self.kernel, self.limits, input, old, new)
        });
        Pair {
            old: old_expected,
            new: new_expected,
            symptom: Symptom {
                observables,
                ends: [old, new].map(|version| ending(&version.run.outcome)),
                class,
            },
            observables: all,
            changes,
            instructions: old.run.outcome.instructions + new.run.outcome.instructions,
            attributes,
        }
    }

    /// The changed lines that are responsible for a difference on this input: those in its dynamic slice, or else, all
    /// that the new version's run executed.
    pub(super) fn responsible(
        &self,
        input: &InputRecord,
        new: &SymbolicRun,
        observables: &[Observable],
    ) -> Vec<ChangedLine> {
        let executed = self.changes.executed(self.programs[1], new);
        if observables.is_empty() || executed.len() < 2 {
            return executed;
        }
        // Traces are large: one pair of them at a time.
        let _turn = self.tracing.lock().expect("no worker panicked");
        let exact = exactly(input);
        let traced = |version: usize| {
            let program = self.programs[version];
            let subject = Subject::Whole;
            let facts = self.trace_facts[version].get_or_init(|| {
                let module = program.module();
                trace_facts(program, |func| is_c_library(module, func))
            });
            let version = Version { program, subject };
            TracedRun::of(&version, facts, &self.kernel, self.limits, &exact).ok()
        };
        let found = match (traced(0), traced(1)) {
            (Some(old), Some(new)) => self.changes.responsible(&old, &new, observables),
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
            |expected: &Expected| !expected.end.undefined && expected.end.kind != "step-limit";
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
    pub(super) fn differing(
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
    pub(super) fn class(&self, input: &InputRecord) -> Option<Class> {
        self.golden?;
        self.run(input)?.symptom.class
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
