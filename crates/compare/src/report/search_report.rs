//! What a report says of the search: how far it came, what is missing, what it cost.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use exploration::part::WhyUnknown;
use exploration::propagate::{PropagationCounts, Rule};
use exploration::settled::{Method, Settled, Share};
use exploration::summary::TakenAsIs;
use exploration::worker::Part;
use exploration::{Category, Gap, Partition, Pruned, Stop, Summary};
use serde::{Deserialize, Serialize};

/// What was explored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SearchReport {
    /// Every path was run to its end, or pruned.
    pub exhausted: bool,
    pub stop: Stopped,
    /// Flips that were not looked at.
    pub open_flips: u64,
    pub paths: u64,
    /// Of these, found by an earlier comparison.
    pub paths_before: u64,
    pub runs: u64,
    /// What keeps the exploration from being complete, and how often.
    pub gaps: Vec<GapReport>,
    /// What of the runs a reader should know.
    pub notes: Vec<Note>,
    /// Why partitions are not known.
    pub unknown: BTreeSet<String>,
    /// With which undefined behaviour both versions end, where both do.
    pub both_undefined: BTreeSet<String>,
    /// Partitions on which versions differ.
    pub different: u64,
    pub settled: Option<SettledReport>,
    pub pruned: PrunedReport,
    pub propagation: PropagationReport,
    pub costs: Costs,
}

/// Why the exploration ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stopped {
    pub why: String,
    /// No flip was left.
    pub finished: bool,
    /// A budget was used up, or somebody interrupted: the same comparison can go on from there.
    pub can_go_on: bool,
}

/// Something that keeps an exploration from being complete.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GapReport {
    pub what: String,
    /// Why a run was cut off, if that is what happened.
    pub cut_off: Option<String>,
    pub times: u64,
}

/// Something of the runs that a reader should know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Note {
    /// A value was concretised: where, and whether other values were tried, in words.
    Concretised(String),
    /// A file was opened that does not exist.
    MissingFile(Vec<u8>),
}

/// A share of the input space, with the interval in which it lies with 95% confidence.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ShareReport {
    pub share: f64,
    pub interval: (f64, f64),
}

/// How shares of the input space were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShareMethod {
    /// All is proved equal.
    Complete,
    Counted,
    /// By so many random inputs.
    Sampled(u64),
}

/// How much of the input space is settled.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SettledReport {
    pub method: ShareMethod,
    pub equal: ShareReport,
    pub different: ShareReport,
    pub open: ShareReport,
    /// The largest distance of a share from the end of its interval.
    pub uncertainty: f64,
}

/// Why a way was pruned (eXpress).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pruning {
    NotPropagated,
    NotExecuted,
    NotInfected,
}

/// Ways that were left out because no difference can be behind them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PrunedReport {
    pub not_propagated: u64,
    pub not_executed: u64,
    pub not_infected: u64,
    pub places: Vec<PrunedPlace>,
}

impl PrunedReport {
    pub fn ways(&self) -> u64 {
        self.not_propagated + self.not_executed + self.not_infected
    }
}

/// Ways out of one place that were left out for one reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PrunedPlace {
    pub why: Pruning,
    /// The same in words.
    pub meaning: String,
    /// The number of the version.
    pub version: usize,
    pub place: Option<String>,
    pub ways: u64,
}

/// What became of inputs that were made to show differences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Made {
    pub inputs: u64,
    /// Their paths were known already, or no difference can be behind them.
    pub known: u64,
    pub different: u64,
}

/// What was done to make differences show.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PropagationReport {
    pub looks: u64,
    pub same_way: Made,
    pub no_transfer: Made,
    pub not_used: Made,
    pub another_state: Made,
    /// How often a look was cut off, by the limit.
    pub cut: BTreeMap<String, u64>,
    pub time: Duration,
    /// From pieces of other inputs.
    pub spliced: Made,
    pub splicing: Duration,
    /// With `--trials`.
    pub trials: Option<TrialsReport>,
}

/// Inputs that were run without terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TrialsReport {
    pub inputs: u64,
    /// Those that showed something new.
    pub kept: u64,
    pub different: u64,
    /// Cut off in all versions.
    pub cut_off: u64,
}

/// How the time was spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Costs {
    pub queries: u64,
    /// Traces of which only a relevant slice was kept.
    pub sliced: u64,
    pub search: Duration,
    pub solving: Duration,
    pub running: Duration,
    pub tracing: Duration,
    pub slicing: Duration,
}

impl SearchReport {
    pub(super) fn of(summary: &Summary) -> SearchReport {
        let exhausted = summary.exhausted();
        let is_different =
            |partition: &&Partition| matches!(partition.part, Part::Different { .. });
        let gap = |(gap, &times): (&Gap, &u64)| GapReport {
            what: gap.to_string(),
            cut_off: match gap {
                Gap::CutOff { why } => Some(why.clone()),
                Gap::Undecided { .. } | Gap::Diverged => None,
            },
            times,
        };
        let concretised = |taken: &TakenAsIs| Note::Concretised(taken.note(exhausted));
        let notes = summary.assumed.taken_as_is.iter().map(concretised);
        let missing = summary
            .assumed
            .missing_files
            .iter()
            .cloned()
            .map(Note::MissingFile);
        SearchReport {
            exhausted,
            stop: Stopped::of(&summary.stop),
            open_flips: summary.open_flips as u64,
            paths: summary.paths,
            paths_before: summary.paths_before,
            runs: summary.runs,
            gaps: summary.gaps.iter().map(gap).collect(),
            notes: notes.chain(missing).collect(),
            unknown: reasons(&summary.partitions, |why| match why {
                WhyUnknown::BothUndefined(_) => None,
                why => Some(why.to_string()),
            }),
            both_undefined: reasons(&summary.partitions, |why| match why {
                WhyUnknown::BothUndefined(kind) => Some(kind.clone()),
                _ => None,
            }),
            different: summary.partitions.iter().filter(is_different).count() as u64,
            settled: summary.settled.as_ref().map(SettledReport::of),
            pruned: PrunedReport::of(&summary.pruned),
            propagation: PropagationReport::of(summary),
            costs: Costs {
                queries: summary.effort.counts.queries,
                sliced: summary.effort.counts.sliced,
                search: summary.effort.wall,
                solving: summary.effort.counts.solving,
                running: summary.effort.counts.running,
                tracing: summary.effort.counts.tracing,
                slicing: summary.effort.counts.slicing,
            },
        }
    }
}

/// Why partitions are not known, as far as it is asked for.
fn reasons(
    partitions: &[Partition],
    asked: impl Fn(&WhyUnknown) -> Option<String>,
) -> BTreeSet<String> {
    let mut reasons = BTreeSet::new();
    for partition in partitions {
        if let Part::Unknown { why } = &partition.part {
            reasons.extend(asked(why));
        }
        reasons.extend(partition.relations.open().and_then(&asked));
    }
    reasons
}

impl Stopped {
    fn of(stop: &Stop) -> Stopped {
        Stopped {
            why: stop.to_string(),
            finished: *stop == Stop::Finished,
            can_go_on: match stop {
                Stop::Time | Stop::Runs | Stop::Instructions | Stop::Memory | Stop::Interrupted => {
                    true
                }
                Stop::Finished | Stop::CannotStart(_) | Stop::OtherPath | Stop::CannotWrite(_) => {
                    false
                }
            },
        }
    }
}

impl SettledReport {
    fn of(settled: &Settled) -> SettledReport {
        let share = |share: &Share| ShareReport {
            share: share.share,
            interval: share.interval,
        };
        SettledReport {
            method: match settled.method {
                Method::Complete => ShareMethod::Complete,
                Method::Counted => ShareMethod::Counted,
                Method::Sampled { inputs } => ShareMethod::Sampled(inputs),
            },
            equal: share(&settled.equal),
            different: share(&settled.different),
            open: share(&settled.open),
            uncertainty: settled.uncertainty(),
        }
    }
}

impl PrunedReport {
    fn of(pruned: &Pruned) -> PrunedReport {
        let places = pruned.places.iter().map(|place| PrunedPlace {
            why: match place.category {
                Category::NotPropagated => Pruning::NotPropagated,
                Category::NotExecuted => Pruning::NotExecuted,
                Category::NotInfected => Pruning::NotInfected,
            },
            meaning: place.category.to_string(),
            version: usize::from(place.version),
            place: place.place.as_ref().map(ToString::to_string),
            ways: place.ways,
        });
        PrunedReport {
            not_propagated: pruned.not_p,
            not_executed: pruned.not_e,
            not_infected: pruned.not_i,
            places: places.collect(),
        }
    }
}

impl PropagationReport {
    fn of(summary: &Summary) -> PropagationReport {
        let PropagationCounts {
            looks,
            cut,
            by_rule,
            time,
            ..
        } = &summary.made.propagation;
        let rule = |rule: Rule| {
            let counts = by_rule.get(&rule).copied().unwrap_or_default();
            Made {
                inputs: counts.candidates,
                known: counts.known,
                different: counts.different,
            }
        };
        let cut = cut.iter();
        PropagationReport {
            looks: *looks,
            same_way: rule(Rule::SameWay),
            no_transfer: rule(Rule::NoTransfer),
            not_used: rule(Rule::NotUsed),
            another_state: rule(Rule::AnotherState),
            cut: cut
                .map(|(cut, &times)| (cut.name().to_owned(), times))
                .collect(),
            time: *time,
            spliced: Made {
                inputs: summary.made.spliced.inputs,
                known: summary.made.spliced.known,
                different: summary.made.spliced.different,
            },
            splicing: summary.made.spliced.time,
            trials: summary.made.trials.map(|trials| TrialsReport {
                inputs: trials.inputs,
                kept: trials.kept,
                different: trials.different,
                cut_off: trials.cut_off,
            }),
        }
    }
}
