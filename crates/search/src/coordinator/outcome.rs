//! What follows from the outcome of a job.

use super::Coordinator;
use super::publish::Origin;
use super::purpose::{Errand, Patience, Purpose, Ticket};
use crate::journal::Entry;
use crate::messages::{
    EarlierRun, Inspected, Job, LookOffer, Looked, Outcome, Partition, RunReport, VersionReport,
};
use crate::part::Undecided;
use crate::path_tree::{Flip, RunId, Target};
use crate::propagation::{Cut, FIRST_LOOKS, RUNS_PER_LOOK};
use crate::shares::Source;
use crate::summary::Gap;
use concolic_vm::symbolic::{Coverage, Entered};

impl Coordinator<'_> {
    /// What is to be done next for the same piece of work.
    pub(super) fn go_on(&mut self, ticket: &Ticket, outcome: Outcome) -> Option<(Errand, Job)> {
        match (&ticket.errand, outcome) {
            (Errand::First { shape }, Outcome::Ran(report)) => {
                let next = self.publish(*report, Origin::new(None, Source::Flips));
                self.runs.roots[*shape as usize] = inspected(&next.0);
                Some(next)
            }
            (
                Errand::Random,
                Outcome::Random {
                    versions,
                    partition,
                },
            ) => {
                self.take_random(versions, partition);
                None
            }
            (Errand::Repeat(earlier), Outcome::Ran(report)) => {
                Some(self.repeated(earlier, *report))
            }
            (
                Errand::Flip {
                    flip,
                    target,
                    patience,
                },
                outcome,
            ) => self.flipped((flip, *target), *patience, outcome),
            (Errand::Place { .. }, Outcome::Walked(walked)) => self.placed(ticket, walked),
            (
                Errand::Follow {
                    purpose,
                    flip,
                    target,
                },
                Outcome::Ran(report),
            ) => Some(self.followed((flip, *target), *purpose, *report)),
            (Errand::Inspect { .. } | Errand::Compare { .. }, Outcome::Inspected(inspected)) => {
                self.inspected(ticket, *inspected);
                None
            }
            (Errand::Look, Outcome::Looked(looked)) => {
                self.looked(*looked);
                None
            }
            (Errand::Facts, Outcome::Done) => {
                let runs = self.facts_found();
                let errand = Errand::CountPruned(runs.iter().map(|(run, _)| *run).collect());
                let counts = self.counts_shares();
                (!runs.is_empty()).then_some((errand, Job::CountPruned { runs, counts }))
            }
            (Errand::CountPruned(runs), Outcome::CountedPruned(shares)) => {
                self.counted_pruned(runs, shares);
                None
            }
            (errand, outcome) => unreachable!("{outcome:?} is no answer to {errand:?}"),
        }
    }

    fn repeated(&mut self, earlier: &EarlierRun, report: RunReport) -> (Errand, Job) {
        let taken = report.steps.first().map(|step| step.taken());
        let target = match self.settings.sliced {
            true => taken,
            // Where the rest of its alternative leads is not known, nor needed.
            false => taken.map(|taken| Target { way: None, ..taken }),
        };
        let came_from = earlier.record.origin.clone().zip(target);
        let origin = Origin {
            again: Some(earlier.record.run),
            ..Origin::new(came_from, Source::Flips)
        };
        self.publish(report, origin)
    }

    fn followed(
        &mut self,
        (flip, target): (&Flip, Option<Target>),
        purpose: Purpose,
        report: RunReport,
    ) -> (Errand, Job) {
        let target = target.or(report.steps.first().map(|step| step.taken()));
        let came_from = target.map(|target| (flip.clone(), target));
        let origin = Origin {
            purpose: Some(purpose),
            ..Origin::new(came_from, purpose.source())
        };
        let next = self.publish(report, origin);
        if purpose == Purpose::Seed {
            self.runs.seeded.extend(inspected(&next.0));
        }
        next
    }

    fn flipped(
        &mut self,
        (flip, target): (&Flip, Target),
        patience: Patience,
        outcome: Outcome,
    ) -> Option<(Errand, Job)> {
        match outcome {
            Outcome::Ran(report) => {
                let origin = Origin::new(Some((flip.clone(), target)), Source::Flips);
                return Some(self.publish(*report, origin));
            }
            Outcome::Infeasible { conflicts } => self.infeasible(flip, &conflicts),
            Outcome::Undecided(Undecided::Timeout)
                if patience == Patience::Little && self.settings.query_timeout > super::QUICK =>
            {
                self.schedule.hard.push_back((flip.clone(), target));
                // What a search without an order costs here is not known.
                self.facts.work_left = 0;
            }
            Outcome::Undecided(why) => {
                self.findings.gap(Gap::Undecided { why });
                self.frontier.undecided(flip);
            }
            outcome => unreachable!("{outcome:?} is no answer to a flip"),
        }
        None
    }

    /// Notes that no input goes the way of a flip.
    fn infeasible(&mut self, flip: &Flip, conflicts: &[u32]) {
        self.record.journal.add(|| Entry::Infeasible(flip.clone()));
        let mut in_its_way = Vec::new();
        if self.frontier.is_change_directed() {
            for &event in conflicts {
                in_its_way.extend(self.tree.open_at(flip.run, event));
            }
        }
        self.frontier.infeasible(flip, &in_its_way);
    }

    /// Takes in the run of a random input, which has no place in the tree.
    fn take_random(&mut self, versions: Vec<VersionReport>, partition: Option<Partition>) {
        self.findings.runs += 1;
        let covered: Vec<Coverage> = versions
            .iter()
            .map(|version| Coverage::of(version.entered.iter().map(Entered::operation)))
            .collect();
        self.findings.cover(covered.iter());
        self.findings.note_missing_files(&versions);
        if let Some(partition) = partition {
            self.add_partition(partition, None, Source::Flips);
        }
    }

    fn add_partition(&mut self, partition: Partition, came_from: Option<&Flip>, source: Source) {
        if let Some(worth) = self.findings.add_partition(partition) {
            self.earn(source, came_from, worth);
            if let Some(flip) = came_from {
                self.frontier.reward(flip, worth);
            }
        }
    }

    /// Takes in what was found out about a run.
    fn inspected(&mut self, ticket: &Ticket, found: Inspected) {
        let (run, came_from, source, purpose) = match &ticket.errand {
            Errand::Inspect {
                run,
                came_from,
                source,
                purpose,
            } => (*run, came_from.as_ref(), *source, *purpose),
            Errand::Compare { run } => (*run, None, Source::Comparisons, None),
            errand => unreachable!("{errand:?} inspects no run"),
        };
        if found.is_hard {
            self.schedule.hard_comparisons.push_back(run);
        }
        let is_different = |partition: &Partition| partition.part.is_different();
        let different = found.partitions.iter().any(is_different);
        for partition in found.partitions {
            self.add_partition(partition, came_from, source);
        }
        if let Some(parts) = found.compared {
            self.record.words_left = self.record.words_left.saturating_sub(found.words);
            self.record.journal.add(|| Entry::Compared(run, parts));
        }
        if let Some(flip) = came_from {
            self.frontier.done(flip);
        }
        let shares = &mut self.findings.shares;
        shares.uncounted |= found.is_uncounted;
        shares
            .pruned
            .extend(found.pruned_share.map(|share| (run, share)));
        if let Some(offer) = found.look.filter(|_| !different) {
            self.offer_look(run, offer);
        }
        if let Some(purpose) = purpose {
            self.shown(ticket, purpose, Some(different));
        }
    }

    /// Takes in a run to be looked at, unless that is not worth it.
    fn offer_look(&mut self, run: RunId, offer: LookOffer) {
        let counts = &mut self.looks.counts;
        match offer {
            LookOffer::NoChange => {}
            LookOffer::TooLong => {
                counts.runs += 1;
                *counts.cut.entry(Cut::Instances).or_default() += 1;
            }
            LookOffer::Ways(key) => {
                counts.runs += 1;
                let allowed = FIRST_LOOKS + counts.runs / RUNS_PER_LOOK;
                if counts.looks < allowed && self.looks.is_seen_seldom(key) {
                    self.looks.counts.looks += 1;
                    let input = self.runs.get(run).input.clone();
                    self.schedule.offer_look(input);
                }
            }
        }
    }

    /// Takes in inputs that may take the effect of a change farther.
    fn looked(&mut self, found: Looked) {
        for tree in found.trees {
            self.looks.is_seen_seldom(tree);
        }
        let counts = &mut self.looks.counts;
        counts.seen_before += u64::from(found.seen_before);
        counts.queries += found.queries;
        if let Some(cut) = found.cut {
            *counts.cut.entry(cut).or_default() += 1;
        }
        counts.time += found.time;
        for candidate in &found.candidates {
            counts.by_rule.entry(candidate.rule).or_default().candidates += 1;
            counts.from_old += u64::from(candidate.version == 0);
        }
        self.schedule.candidates.extend(found.candidates);
    }
}

/// The run that is inspected next.
fn inspected(errand: &Errand) -> Option<RunId> {
    match errand {
        Errand::Inspect { run, .. } => Some(*run),
        _ => None,
    }
}
