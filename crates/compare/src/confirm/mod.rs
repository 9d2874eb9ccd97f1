//! Fourth stage: what was found is tried out natively. Each kind of difference gets an example, which is confirmed if native runs
//! show it; proofs are doubted if that is asked for.

mod budget;
pub mod defined;
pub mod difference;
mod examples;
pub mod minimise;
mod proofs;
mod reproduce;

use std::time::Duration;

use build::{Builder, Request};
use concolic_vm::symbolic::SymbolicInput;
use exploration::WronglyPruned;
use exploration::relations::pairs;
use native::confinement::Confinement;
use native::confirmation::Natively;

pub use difference::{Difference, Observed, StepDifference, VersionOutcome};
pub use proofs::{Refuted, SelfCheck};

use crate::observer::{Event, Observer};
use crate::prepare::Prepared;
use crate::search::Searched;
use crate::search::findings::Claim;
use crate::search::kinds::Kind;
use crate::spec::Spec;
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
}

pub(crate) fn confirm(
    builder: &Builder<'_>,
    prepared: &Prepared,
    versions: &Versions<'_>,
    searched: &mut Searched,
    spec: &Spec,
    observer: &dyn Observer,
) -> anyhow::Result<Confirmed> {
    let Some(summary) = &searched.summary else {
        return Ok(Confirmed::default());
    };
    let wrong = summary.wrongly_pruned.as_ref();
    if wrong.is_none() && !spec.confirm.proofs && searched.found.kinds.is_empty() {
        return Ok(Confirmed::default());
    }
    let confinement = match spec.confirm.confined {
        true => Confinement::found(),
        false => Confinement::unconfined(),
    };
    if let Some(why) = confinement.off() {
        observer.event(Event::NativeRunsOff(why));
    }
    let stage = Stage {
        builder,
        prepared,
        versions,
        spec,
        observer,
        confinement,
    };
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

impl Stage<'_> {
    fn requests(&self, pair: [usize; 2]) -> [Request; 2] {
        pair.map(|version| self.prepared.harness.requests()[version].clone())
    }

    fn natively<'n>(
        &'n self,
        requests: &'n [Request; 2],
        pair: [usize; 2],
    ) -> anyhow::Result<Natively<'n>> {
        let name = self.prepared.harness.program_name();
        let mut natively = Natively::new(self.builder, requests, name, self.confinement.clone())?;
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

    fn wrong_pruning(&self, wrong: &WronglyPruned) -> anyhow::Result<Refuted> {
        let pair = [0, 1];
        let requests = self.requests(pair);
        let natively = self.natively(&requests, pair)?;
        let proofs = self.proofs(pair, self.spec.limits.time);
        proofs.wrong_pruning(&natively, wrong)
    }

    /// Tries out what was proved, until a proof is refuted.
    fn self_check(&self, claims: &[Claim]) -> anyhow::Result<SelfCheck> {
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

    /// The kinds of difference, each with an example that is left behind. Those that read the same are one.
    fn differences(
        &self,
        kinds: Vec<Kind>,
        shapes: &[SymbolicInput],
    ) -> anyhow::Result<Vec<Difference>> {
        if kinds.is_empty() {
            return Ok(Vec::new());
        }
        let harness = &*self.prepared.harness;
        let steps = self.versions.steps.iter();
        let pairs: Vec<[usize; 2]> = steps.map(|step| [step.from, step.to]).collect();
        let requests = pairs.iter().map(|&pair| self.requests(pair));
        let requests: Vec<[Request; 2]> = requests.collect();
        let natively = pairs.iter().zip(&requests);
        let natively = natively.map(|(&pair, requests)| self.natively(requests, pair));
        let mut workshop = Workshop {
            versions: self.versions,
            natively: natively.collect::<anyhow::Result<_>>()?,
            shapes,
            observer: self.observer,
            budget: match self.spec.confirm.minimise {
                true => Budget::LARGE,
                false => Budget::SMALL,
            },
            folder: &self.prepared.folder.path,
            raw_files: harness.raw_files(),
        };
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
