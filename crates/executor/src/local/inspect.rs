//! Comparing the versions on the path of a run that was taken in, and what is noted of it.

use super::LocalExecutor;
use crate::members::Members;
use crate::probe::FoundTest;
use crate::worker::{Ran, RelatedPart, ways_key};
use concolic_vm::symbolic::PathEvent;
use search::messages::{
    ComparedPart, ComparedPath, Inspected, Inspection, LookOffer, PartVerdict, Test,
};
use search::{Part, Partition, RunId};
use std::time::{Duration, Instant};

/// A run that is being inspected.
struct Inspecting<'i, 'p> {
    inspection: &'i Inspection,
    ran: &'i Ran<'p>,
    begun: Instant,
    found: Inspected,
}

impl Inspecting<'_, '_> {
    fn run(&self) -> RunId {
        self.inspection.run.run
    }

    fn time_left(&self) -> Option<Duration> {
        let time = self.inspection.time;
        time.map(|time| time.saturating_sub(self.begun.elapsed()))
    }

    fn is_counted(&self) -> bool {
        self.inspection.counts && !self.found.is_uncounted
    }

    fn is_different(&self) -> bool {
        let mut partitions = self.found.partitions.iter();
        partitions.any(|partition| partition.part.is_different())
    }
}

impl<'p> LocalExecutor<'p, '_> {
    pub(super) fn inspect(&mut self, inspection: &Inspection, ran: &Ran<'p>) -> Inspected {
        let mut inspecting = Inspecting {
            inspection,
            ran,
            begun: Instant::now(),
            found: Inspected::default(),
        };
        if inspection.is_new {
            self.worker.keep(inspection.run.clone(), ran);
            self.send(self.with.probe.path(ran));
        }
        if ran.versions.len() > 1 && !ran.diverged {
            self.compare(&mut inspecting);
        }
        if !inspection.pruned.is_empty() {
            if inspection.counts {
                let share = match inspecting.is_counted() {
                    true => self.worker.shares_of_ways(&ran.path, &inspection.pruned),
                    false => None,
                };
                inspecting.found.pruned_share = share;
                inspecting.found.is_uncounted |= share.is_none();
            }
            self.note_pruned(&ran.path, &inspection.pruned);
        }
        if let Some(test) = inspection.test {
            self.note_test(test, ran);
        }
        if inspection.offers_look && !inspecting.is_different() {
            inspecting.found.look = self.look_offer(ran);
        }
        inspecting.found
    }

    /// Finds out how the versions relate on the path. What is hard for the solver is left for later if there is little time.
    fn compare(&mut self, inspecting: &mut Inspecting<'_, 'p>) {
        let (inspection, ran) = (inspecting.inspection, inspecting.ran);
        let earlier = inspection.earlier.as_ref();
        if let Some(known) = earlier.and_then(|known| self.worker.compare_again(ran, known)) {
            for part in &known {
                self.add_part(inspecting, part);
            }
            return;
        }
        let (mut comparison, first) = self.worker.begin_comparison(ran);
        let differs_here = first.part.part.is_different();
        let mut parts = vec![first];
        if comparison.is_open() && !differs_here {
            // Whether there is another part says whether this one has all inputs of the path.
            let time = inspection.quick.or(inspecting.time_left());
            match self.worker.another_part(&mut comparison, ran, time) {
                None => parts = parts.into_iter().map(RelatedPart::without_others).collect(),
                Some(another) if inspection.quick.is_some() && another.part.part.timed_out() => {
                    inspecting.found.is_hard = true;
                    return;
                }
                Some(another) => parts.push(another),
            }
        }
        for part in &parts {
            self.add_part(inspecting, part);
        }
        // A difference is told before anything more is asked.
        if differs_here && !self.with.probe.proves() && comparison.rest_is_equal() {
            if earlier.is_none() {
                self.write_down(inspecting, &parts, false);
            }
            return;
        }
        loop {
            let time = inspecting.time_left();
            let Some(another) = self.worker.another_part(&mut comparison, ran, time) else {
                break;
            };
            self.add_part(inspecting, &another);
            parts.push(another);
        }
        let known: Vec<&Part> = parts.iter().map(|part| &part.part.part).collect();
        if !earlier.is_some_and(|earlier| earlier.are(&known)) {
            self.write_down(inspecting, &parts, true);
        }
    }

    /// Puts together what the journal is to say of a path.
    fn write_down(&self, inspecting: &mut Inspecting<'_, 'p>, parts: &[RelatedPart], done: bool) {
        let Some(words) = inspecting.inspection.words else {
            return;
        };
        let ran = inspecting.ran;
        // Words for long paths cost more than their proofs.
        let conditions = ran.path.events.len() * parts.len();
        let in_words = conditions <= words;
        let record = |related: &RelatedPart| ComparedPart {
            condition: match in_words {
                true => self.worker.describe(ran, &related.part),
                false => Vec::new(),
            },
            verdict: PartVerdict::of(&related.part.part),
        };
        inspecting.found.words = if in_words { conditions } else { 0 };
        inspecting.found.compared = Some(ComparedPath {
            parts: parts.iter().map(record).collect(),
            done,
        });
    }

    fn add_part(&mut self, inspecting: &mut Inspecting<'_, 'p>, related: &RelatedPart) {
        let is_unknown = matches!(related.part.part, Part::Unknown { .. });
        let mut share = None;
        if inspecting.is_counted() && !is_unknown {
            share = self.worker.share_of(inspecting.ran, &related.part);
            inspecting.found.is_uncounted |= share.is_none();
        }
        let partition = self.note_partition(inspecting.run(), inspecting.ran, related, share);
        inspecting.found.partitions.push(partition);
    }

    pub(super) fn note_partition(
        &mut self,
        run: RunId,
        ran: &Ran<'p>,
        related: &RelatedPart,
        share: Option<f64>,
    ) -> Partition {
        let part = &related.part;
        let partition = Partition {
            run,
            part: part.part.clone(),
            relations: related.relations.clone(),
            share,
        };
        let worker = &mut self.worker;
        let mut members = Members { worker, ran, part };
        let note = self.with.probe.partition(&partition, ran, &mut members);
        self.send(note);
        partition
    }

    fn note_test(&self, test: Test, ran: &Ran<'p>) {
        let note = self.with.probe.test(&FoundTest {
            test: test.number,
            input: &ran.input,
            outcome: &ran.versions[0].run.outcome,
            kernel: ran.versions[0].process.machine().kernel(),
            covers_new: test.covers_new,
            new_error: test.new_error,
        });
        self.send(note);
    }

    /// Whether a look at a run may be worth it.
    fn look_offer(&self, ran: &Ran<'p>) -> Option<LookOffer> {
        let limits = self.with.propagate.filter(|_| ran.versions.len() == 2)?;
        // As long as nothing is known of the change, every run may have executed it.
        let plan = self.with.propagation.get();
        if plan.is_some_and(|plan| !plan.may_execute_change(&ran.versions)) {
            return Some(LookOffer::NoChange);
        }
        let most = limits.instances as u64;
        let mut versions = ran.versions.iter();
        let too_long = versions.any(|version| version.run.outcome.instructions > most);
        // Behind many decisions nothing is known of the effect of a change but on this input.
        let too_many = ran.path.events.iter().any(PathEvent::takes_input);
        Some(match too_long || too_many {
            true => LookOffer::TooLong,
            false => LookOffer::Ways(ways_key(ran)),
        })
    }
}
