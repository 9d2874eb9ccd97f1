//! What it costs to compare two versions to the end, path by path or slice by slice.

use std::time::Duration;

use exploration::settled::{Method, Settled};
use exploration::worker::{Counts, Part};
use exploration::{Observer, Partition, Probe, Strategy, Summary, Verdict};

use crate::brute_force::{Explorable, How, Slices};
use crate::processor_time;

/// What of a path makes a partition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// All that both versions decide, as with `parallax check --strategy dart`.
    WholePaths,
    /// The same; ways on which no change can be executed are left out, as with `--strategy dart --prune`.
    Pruned,
    /// Only what matters, as with `--verify-only`.
    Slices,
}

/// A comparison of two versions with one worker.
pub struct Cost {
    pub verdict: Verdict,
    /// Nothing was left when it ended.
    pub exhausted: bool,
    pub partitions: usize,
    pub different: usize,
    pub processor: Duration,
    pub wall: Duration,
    pub counts: Counts,
    pub settled: Option<Settled>,
}

struct Watch;

impl Probe for Watch {}

impl Observer for Watch {
    fn settling(&self) -> Option<Duration> {
        Some(exploration::SETTLING)
    }
}

/// Compares two versions until nothing is left, or time is over. What has to be known of the versions beforehand is part
/// of the cost.
pub fn compare(old: &Explorable<'_>, new: &Explorable<'_>, way: Way, time: Duration) -> Cost {
    let mut how = How::new(Strategy::Dart, 1);
    how.time = Some(time);
    how.query_timeout = Duration::from_secs(5);
    how.prune = way != Way::WholePaths;
    how.slices = match way {
        Way::Slices => Slices::All,
        Way::WholePaths | Way::Pruned => Slices::None,
    };
    let before = processor_time::of_this_process();
    let summary = old.compare_with(new, &how, &Watch);
    let processor = processor_time::of_this_process() - before;
    cost(summary, processor)
}

fn cost(summary: Summary, processor: Duration) -> Cost {
    let differs = |partition: &&Partition| matches!(partition.part, Part::Different { .. });
    Cost {
        verdict: summary.verdict(),
        exhausted: summary.exhausted(),
        partitions: summary.partitions.len(),
        different: summary.partitions.iter().filter(differs).count(),
        processor,
        wall: summary.effort.wall,
        counts: summary.effort.counts,
        settled: summary.settled,
    }
}

/// Shares that were counted exactly may differ by so much, by rounding.
const ROUNDING: f64 = 1e-6;

impl Cost {
    /// Which share of the inputs is known to be equal or different.
    pub fn settled_share(&self) -> Option<f64> {
        let settled = self.settled.as_ref()?;
        Some(settled.equal.share + settled.different.share)
    }

    /// What two comparisons of the same versions say that cannot both be true.
    pub fn contradiction(&self, other: &Cost) -> Option<String> {
        let verdicts = [self.verdict, other.verdict];
        if verdicts.contains(&Verdict::Equivalent) && verdicts.contains(&Verdict::Different) {
            return Some("one is equivalent, the other different".to_owned());
        }
        let exact = |cost: &Cost| {
            let settled = cost.settled.as_ref()?;
            let counted = matches!(settled.method, Method::Counted | Method::Complete);
            (cost.exhausted && counted).then_some(settled.different.share)
        };
        let (own, others) = (exact(self)?, exact(other)?);
        ((own - others).abs() > ROUNDING)
            .then(|| format!("{own} and {others} of the inputs behave differently"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(verdict: Verdict, exhausted: bool, different: f64) -> Cost {
        Cost {
            verdict,
            exhausted,
            partitions: 1,
            different: 0,
            processor: Duration::ZERO,
            wall: Duration::ZERO,
            counts: Counts::default(),
            settled: Some(Settled::counted(1.0 - different, different, exhausted)),
        }
    }

    #[test]
    fn what_cannot_both_be_true_is_a_contradiction() {
        let equal = cost(Verdict::Equivalent, true, 0.0);
        let differs = cost(Verdict::Different, true, 0.25);
        let undecided = cost(Verdict::Undecided, false, 0.0);
        assert!(equal.contradiction(&differs).is_some());
        assert!(undecided.contradiction(&equal).is_none());
        assert!(undecided.contradiction(&differs).is_none());
        // Both are different, but not on the same inputs.
        assert!(differs.contradiction(&differs).is_none());
        assert!(
            differs
                .contradiction(&cost(Verdict::Different, true, 0.5))
                .is_some()
        );
        assert!(
            differs
                .contradiction(&cost(Verdict::Different, false, 0.5))
                .is_none()
        );
    }
}
