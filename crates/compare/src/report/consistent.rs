//! Whether the numbers in a report name what is there: whoever writes a report down relies on it, and one that was read from a file may be
//! somebody else's.

use super::{Report, StepReport};
use crate::confirm::Difference;
use crate::versions::groups::Groups;

impl Report {
    pub fn is_consistent(&self) -> bool {
        let is_version = |version: usize| version < self.versions.len();
        let found = &self.reservations;
        let reads = found.undefined.reads.iter().map(|read| read.version);
        let assumed = found.undefined.assumed.iter().map(|one| one.version);
        let dependences = found.dependences.iter().map(|found| found.version);
        let search = self.search.iter();
        let pruned = search.flat_map(|search| search.pruned.places.iter());
        let pruned = pruned.map(|place| place.version);
        let mut versions = reads.chain(assumed).chain(dependences).chain(pruned);
        let mut groups = (self.partitions.entries.iter()).filter_map(|entry| entry.groups.as_ref());
        self.versions.len() >= 2
            && self.steps.len() == self.expected_steps()
            && self.steps.iter().all(|step| self.is_step(step))
            && versions.all(is_version)
            && groups.all(|groups| self.are_groups(groups))
            && self.differences.iter().all(|one| self.is_difference(one))
    }

    /// Each version with the one before, and of three or more the last with the first.
    fn expected_steps(&self) -> usize {
        match self.versions.len() {
            2 => 1,
            versions => versions,
        }
    }

    fn is_step(&self, step: &StepReport) -> bool {
        let differences = 1..=self.differences.len();
        step.from < step.to
            && step.to < self.versions.len()
            && (step.differences.iter()).all(|number| differences.contains(number))
    }

    /// Whether each version is in one group.
    fn are_groups(&self, groups: &Groups) -> bool {
        let mut grouped: Vec<usize> = groups.groups.iter().flatten().copied().collect();
        grouped.sort_unstable();
        grouped.into_iter().eq(0..self.versions.len())
    }

    fn is_difference(&self, difference: &Difference) -> bool {
        let mut undefined = difference.undefined.iter();
        let mut steps = difference.steps.iter();
        difference.outcomes.len() == self.versions.len()
            && self.are_groups(&difference.groups)
            && undefined.all(|step| step.version < self.versions.len())
            && steps.all(|own| own.step < self.steps.len())
    }
}
