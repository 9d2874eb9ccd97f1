//! Fourth stage: what was found is tried out natively. Each kind of difference gets an example, which is confirmed if native runs
//! show it; proofs are doubted if that is asked for.

pub mod acceptance;
mod budget;
pub mod defined;
pub mod difference;
pub(crate) mod early;
mod examples;
pub mod minimise;
mod proofs;
mod reproduce;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use build::host::Instrumentation;
use build::{Builder, Request};
use concolic_vm::symbolic::SymbolicInput;
use exploration::relations::pairs;
use exploration::{InputRecord, WronglyPruned};
use native::confinement::Confinement;
use native::confirmation::Natively;

pub use acceptance::Acceptance;
pub use difference::{Difference, Observed, StepDifference, VersionOutcome};
pub use proofs::{Refuted, SelfCheck};

use crate::error::Result;
use crate::observer::{Event, Observer};
use crate::prepare::Prepared;
use crate::search::Searched;
use crate::search::findings::Claim;
use crate::search::kinds::Kind;
use crate::spec::Spec;
use crate::versions::groups::Groups;
use crate::versions::run::Versions;
use budget::Budget;
use examples::{Example, Workshop};
use proofs::Proofs;

/// What native runs have shown.
#[derive(Default)]
pub(crate) struct Confirmed {
    pub(crate) differences: Vec<Difference>,
    /// What they say of proofs, if these were tried out.
    pub(crate) self_check: Option<SelfCheck>,
    /// A test that shows that pruning is wrong.
    pub(crate) wrong_pruning: Option<Refuted>,
}

/// What the stage works with.
struct Stage<'s> {
    builder: &'s Builder<'s>,
    prepared: &'s Prepared,
    versions: &'s Versions<'s>,
    spec: &'s Spec,
    observer: &'s dyn Observer,
    confinement: Confinement,
    /// Ends native runs, if somebody does.
    interrupt: Option<&'s AtomicBool>,
}

pub(crate) fn confirm(
    builder: &Builder<'_>,
    prepared: &Prepared,
    versions: &Versions<'_>,
    searched: &mut Searched,
    spec: &Spec,
    observer: &dyn Observer,
) -> Result<Confirmed> {
    let Some(summary) = &searched.summary else {
        return Ok(Confirmed::default());
    };
    let wrong = summary.wrongly_pruned.as_ref();
    if wrong.is_none() && !spec.confirm.proofs && searched.found.kinds.is_empty() {
        return Ok(Confirmed::default());
    }
    let stage = Stage::new(builder, prepared, versions, spec, observer);
    if let Some(why) = stage.confinement.off() {
        observer.event(Event::NativeRunsOff(why));
    }
    let wrong_pruning = wrong.map(|wrong| stage.wrong_pruning(wrong)).transpose()?;
    let doubts = spec.confirm.proofs && wrong_pruning.is_none();
    let self_check = doubts.then(|| stage.self_check(&searched.found.claims));
    let kinds = std::mem::take(&mut searched.found.kinds);
    Ok(Confirmed {
        self_check: self_check.transpose()?,
        differences: stage.differences(kinds, &searched.shapes)?,
        wrong_pruning,
    })
}

/// Does ahead of this stage what every difference needs: finds the sandbox and builds the versions natively. What fails here fails
/// again in the stage, and is told there.
fn get_ready(builder: &Builder<'_>, prepared: &Prepared, spec: &Spec) {
    std::thread::scope(|scope| {
        if spec.confirm.confined {
            scope.spawn(Confinement::found);
        }
        for request in prepared.harness.requests() {
            scope.spawn(|| builder.host_program(request, Instrumentation::Nothing));
        }
    });
}

impl<'s> Stage<'s> {
    fn new(
        builder: &'s Builder<'s>,
        prepared: &'s Prepared,
        versions: &'s Versions<'s>,
        spec: &'s Spec,
        observer: &'s dyn Observer,
    ) -> Stage<'s> {
        let confinement = match spec.confirm.confined {
            true => Confinement::found(),
            false => Confinement::unconfined(),
        };
        Stage {
            builder,
            prepared,
            versions,
            spec,
            observer,
            confinement,
            interrupt: None,
        }
    }

    fn requests(&self, pair: [usize; 2]) -> [Request; 2] {
        pair.map(|version| self.prepared.harness.requests()[version].clone())
    }

    fn natively<'n>(
        &'n self,
        requests: &'n [Request; 2],
        pair: [usize; 2],
    ) -> Result<Natively<'n>> {
        let name = self.prepared.harness.program_name();
        let mut natively = Natively::new(self.builder, requests, name, self.confinement.clone())?;
        if let Some(interrupt) = self.interrupt {
            natively = natively.interruptible(interrupt);
        }
        natively.names = pair.map(|version| self.versions.names[version]);
        Ok(natively)
    }

    fn proofs(&self, pair: [usize; 2], time: Duration) -> Proofs<'_> {
        Proofs {
            versions: self.versions,
            pair,
            files: pair.map(|version| &self.spec.versions[version][..]),
            command: &self.spec.command,
            folder: &self.prepared.folder.path,
            observer: self.observer,
            time,
        }
    }

    fn wrong_pruning(&self, wrong: &WronglyPruned) -> Result<Refuted> {
        let pair = [0, 1];
        let requests = self.requests(pair);
        let natively = self.natively(&requests, pair)?;
        let proofs = self.proofs(pair, self.spec.limits.time);
        proofs.wrong_pruning(&natively, wrong)
    }

    /// Tries out what was proved, until a proof is refuted.
    fn self_check(&self, claims: &[Claim]) -> Result<SelfCheck> {
        let mut checked = SelfCheck::default();
        for (one, other) in pairs(self.versions.programs.len()) {
            let of_pair = |claim: &&Claim| claim.groups.are_neighbours(one, other);
            let claims: Vec<&Claim> = claims.iter().filter(of_pair).collect();
            if claims.is_empty() || checked.refuted.is_some() {
                continue;
            }
            let pair = [one, other];
            let requests = self.requests(pair);
            let natively = self.natively(&requests, pair)?;
            let left = self.spec.limits.time.saturating_sub(checked.time);
            checked.add(self.proofs(pair, left).check(&natively, &claims)?);
        }
        Ok(checked)
    }

    fn pairs_of_steps(&self) -> impl Iterator<Item = [usize; 2]> {
        let steps = self.versions.steps.iter();
        steps.map(|step| [step.from, step.to])
    }

    fn requests_of_steps(&self) -> Vec<[Request; 2]> {
        let pairs = self.pairs_of_steps();
        pairs.map(|pair| self.requests(pair)).collect()
    }

    fn workshop<'w>(
        &'w self,
        requests: &'w [[Request; 2]],
        shapes: &'w [SymbolicInput],
    ) -> Result<Workshop<'w>> {
        let natively = self.pairs_of_steps().zip(requests);
        let natively = natively.map(|(pair, requests)| self.natively(requests, pair));
        Ok(Workshop {
            versions: self.versions,
            natively: natively.collect::<Result<_>>()?,
            shapes,
            observer: self.observer,
            budget: match self.spec.confirm.minimise {
                true => Budget::LARGE,
                false => Budget::SMALL,
            },
            folder: &self.prepared.folder.path,
            raw_files: self.prepared.harness.raw_files(),
        })
    }

    /// Whether native runs show on an input that some of the versions differ that are told apart.
    fn is_seen_natively(&self, groups: &Groups, input: &InputRecord) -> Result<bool> {
        if self.confinement.off().is_some() {
            return Ok(false);
        }
        let requests = self.requests_of_steps();
        self.workshop(&requests, &[])?
            .is_seen_natively(groups, input)
    }

    /// The kinds of difference, each with an example that is left behind. Those that read the same are one.
    fn differences(&self, kinds: Vec<Kind>, shapes: &[SymbolicInput]) -> Result<Vec<Difference>> {
        if kinds.is_empty() {
            return Ok(Vec::new());
        }
        let harness = &*self.prepared.harness;
        let requests = self.requests_of_steps();
        let mut workshop = self.workshop(&requests, shapes)?;
        let of = kinds.len();
        let mut found: Vec<(Kind, Example)> = Vec::new();
        for (kind, number) in kinds.into_iter().zip(1..) {
            self.observer.event(Event::Confirming { number, of });
            let mut example = workshop.example(&kind)?;
            let mut known = found.iter_mut();
            match known.find(|(_, known)| known.reads_as(&example)) {
                Some((known, _)) => known.absorb(kind),
                None => {
                    workshop.leave(&mut example, found.len() + 1)?;
                    found.push((kind, example));
                }
            }
        }
        let found = found.iter();
        let found = found.map(|(kind, example)| Difference::of(harness, kind, example));
        Ok(found.collect())
    }
}
