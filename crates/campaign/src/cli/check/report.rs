//! What is reported, whatever the format.

use std::time::Duration;

use exploration::worker::{Part, Proof};
use exploration::{InputSpace, Summary, Verdict};

use super::Arguments;
use super::differences::Group;
use super::examples::Example;
use super::version_files::VersionFiles;

/// The result, for people and for machines.
pub(super) struct Report<'r> {
    pub(super) arguments: &'r Arguments,
    pub(super) names: &'r VersionFiles,
    pub(super) space: &'r InputSpace,
    /// `None` if both versions are the same code.
    pub(super) summary: Option<&'r Summary>,
    pub(super) differences: Vec<(&'r Group, Example)>,
    pub(super) first: Option<(u64, Duration)>,
    /// Parts of the versions that the VM does not have.
    pub(super) left_out: Vec<String>,
    pub(super) wall: Duration,
}

/// Partitions by what is known of them.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) same_terms: u64,
    pub(super) by_solver: u64,
    pub(super) different: u64,
    pub(super) unknown: u64,
}

impl Report<'_> {
    /// A difference counts when native runs have shown it; one that only the VM shows leaves the answer open.
    pub(super) fn verdict(&self) -> Verdict {
        let Some(summary) = self.summary else {
            return Verdict::Equivalent;
        };
        match summary.verdict() {
            Verdict::Different if self.confirmed() == 0 => Verdict::Undecided,
            Verdict::Equivalent if !self.left_out.is_empty() => Verdict::Undecided,
            verdict => verdict,
        }
    }

    pub(super) fn confirmed(&self) -> usize {
        self.differences
            .iter()
            .filter(|(_, example)| example.unconfirmed.is_none())
            .count()
    }

    pub(super) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for partition in self.summary.iter().flat_map(|summary| &summary.partitions) {
            match partition.part {
                Part::Equal {
                    by: Proof::SameTerms,
                } => counts.same_terms += 1,
                Part::Equal { by: Proof::Solver } => counts.by_solver += 1,
                Part::Different { .. } => counts.different += 1,
                Part::Unknown { .. } => counts.unknown += 1,
            }
        }
        counts
    }

    pub(super) fn bounds(&self) -> Vec<String> {
        let mut bounds = self.space.bounds();
        if self.space.environment.is_empty() {
            bounds.push("environment: empty".to_owned());
        }
        bounds.push(format!(
            "runs of up to {} instructions",
            self.arguments.max_steps
        ));
        bounds
    }
}
