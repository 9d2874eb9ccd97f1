//! What was found: paths, partitions, abnormal ends, and what keeps the search from being complete.

use crate::messages::{Ending, Partition, VersionReport};
use crate::observable::Observable;
use crate::part::Part;
use crate::path_tree::{PathStep, RunId};
use crate::summary::{ErrorFound, Gap, SpliceCounts, TakenAsIs};
use concolic_vm::linux::MOST_MISSING;
use concolic_vm::symbolic::{Assumption, Coverage, EventKind, SymbolicInput};
use concolic_vm::{Program, StackFrame};
use inputs::InputRecord;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The kind of an abnormal end, and its function, file and line.
type ErrorKey = (String, Option<(String, Option<String>, u32)>);

#[derive(Default)]
pub(super) struct Findings {
    pub(super) paths: u64,
    /// Paths that an earlier session found.
    pub(super) paths_before: u64,
    pub(super) runs: u64,
    pub(super) tests: u64,
    /// By version.
    pub(super) coverage: Vec<Coverage>,
    pub(super) partitions: Vec<Partition>,
    /// How often each kind of difference was found.
    differences: FxHashMap<Vec<Observable>, u32>,
    pub(super) errors: BTreeMap<ErrorKey, ErrorFound>,
    pub(super) gaps: BTreeMap<Gap, u64>,
    /// Versions of which a run did not come to its end.
    pub(super) cut_off: BTreeSet<usize>,
    /// By version and place.
    taken_as_is: BTreeMap<(u8, Assumption), u64>,
    pub(super) missing_files: BTreeSet<Vec<u8>>,
    pub(super) spliced: SpliceCounts,
    pub(super) shares: CountedShares,
}

/// Shares of the input space that were counted as they were found; see [`super::settle`].
#[derive(Default)]
pub(super) struct CountedShares {
    /// Something could not be counted, so nothing more is.
    pub(super) uncounted: bool,
    /// By run: the share of the inputs behind its pruned ways.
    pub(super) pruned: Vec<(RunId, f64)>,
}

impl Findings {
    pub(super) fn new(versions: usize, paths_before: u64) -> Findings {
        Findings {
            paths_before,
            coverage: vec![Coverage::default(); versions],
            ..Findings::default()
        }
    }

    pub(super) fn gap(&mut self, gap: Gap) {
        *self.gaps.entry(gap).or_default() += 1;
    }

    /// Takes in what a run covered; how many places no run had entered before.
    pub(super) fn cover<'r>(&mut self, covered: impl Iterator<Item = &'r Coverage>) -> u64 {
        let all = self.coverage.iter_mut().zip(covered);
        all.map(|(all, covered)| all.merge(covered) as u64).sum()
    }

    /// Takes in what is known of a part of a path; what it is worth if it is a difference. Another example of what is known is worth
    /// less each time.
    pub(super) fn add_partition(&mut self, partition: Partition) -> Option<f64> {
        let worth = match &partition.part {
            Part::Different { observables, .. } => {
                let times = self.differences.entry(observables.clone()).or_default();
                *times += 1;
                Some(1.0 / f64::from(*times))
            }
            _ => None,
        };
        self.partitions.push(partition);
        worth
    }

    pub(super) fn has_difference(&self) -> bool {
        !self.differences.is_empty()
    }

    /// Notes what versions have looked for in vain.
    pub(super) fn note_missing_files(&mut self, versions: &[VersionReport]) {
        for missing in versions.iter().flat_map(|version| &version.missing_files) {
            if self.missing_files.len() < MOST_MISSING {
                self.missing_files.insert(missing.clone());
            }
        }
    }

    /// Notes values that a run concretised.
    pub(super) fn note_taken(&mut self, steps: &[PathStep]) {
        for step in steps {
            if let EventKind::Concretised(what) = step.kind {
                let site = step.site;
                let taken = (step.version, Assumption { site, what });
                *self.taken_as_is.entry(taken).or_default() += 1;
            }
        }
    }

    /// Counts how the run ended; if it is the first to end abnormally in this way and place, by what it is known.
    pub(super) fn note_end(
        &mut self,
        versions: &[VersionReport],
        input: impl FnOnce() -> SymbolicInput,
    ) -> Option<ErrorKey> {
        // When versions are compared, how a run ends is an observable like others.
        let [version] = versions else {
            for (version, number) in versions.iter().zip(0..) {
                if let Ending::Inconclusive(why) = &version.ending {
                    self.gap(Gap::CutOff { why: why.clone() });
                    self.cut_off.insert(number);
                }
            }
            return None;
        };
        let (kind, description, location) = match &version.ending {
            Ending::Exit => return None,
            Ending::Inconclusive(why) => {
                self.gap(Gap::CutOff { why: why.clone() });
                return None;
            }
            Ending::Abnormal {
                kind,
                description,
                location,
            } => (kind, description, location),
        };
        let place = location.as_ref();
        let place = place.map(|frame| (frame.function.clone(), frame.file.clone(), frame.line));
        let key = (kind.clone(), place);
        let mut new = None;
        let found = self.errors.entry(key).or_insert_with_key(|key| {
            new = Some(key.clone());
            ErrorFound {
                kind: kind.clone(),
                description: description.clone(),
                location: location.clone(),
                input: InputRecord::of(&input()),
                paths: 0,
                test: 0,
            }
        });
        found.paths += 1;
        new
    }

    /// Values that were concretised, by what and where in the source.
    pub(super) fn taken_as_is(&self, programs: &[&Program]) -> Vec<TakenAsIs> {
        let mut all: BTreeMap<_, TakenAsIs> = BTreeMap::new();
        for ((version, assumption), runs) in &self.taken_as_is {
            let place = programs[usize::from(*version)].source_frame(assumption.site);
            let what = assumption.what;
            let key = (what, place.as_ref().map(StackFrame::to_string));
            let taken = all.entry(key).or_insert(TakenAsIs {
                what,
                place,
                runs: 0,
            });
            taken.runs += runs;
        }
        all.into_values().collect()
    }
}
