//! A comparison, stage by stage.

use std::time::{Duration, Instant};

use build::Builder;

use crate::confirm::confirm;
use crate::confirm::early::while_confirming;
use crate::error::Result;
use crate::inspect::Looking;
use crate::lengths;
use crate::observer::{Event, Observer};
use crate::prepare::prepare;
use crate::report::{Report, Stages, report};
use crate::search::{Searching, search};
use crate::spec::Spec;
use crate::trusted::Trusted;

/// The same with what building has left of the time, but at least half of it.
fn within_time(spec: &Spec, spent: Duration) -> Spec {
    let mut spec = spec.clone();
    let time = spec.limits.time;
    spec.limits.time = time.saturating_sub(spent).max(time / 2);
    spec
}

/// The question which inputs of a space tell versions apart.
pub struct Comparison;

impl Comparison {
    /// Answers it.
    pub fn run(spec: &Spec, observer: &dyn Observer) -> Result<Report> {
        Comparison::run_trusting(spec, &Trusted::OWN, observer)
    }

    /// Answers it, with proofs that rest on something else.
    pub fn run_trusting(
        spec: &Spec,
        trusted: &Trusted<'_>,
        observer: &dyn Observer,
    ) -> Result<Report> {
        match &spec.sequence {
            Some(sequence) if sequence.length.is_none() => lengths::grow(spec, observer, |round| {
                Comparison::run_once(round, trusted, observer)
            }),
            _ => Comparison::run_once(spec, trusted, observer),
        }
    }

    /// The same of sequences of one length.
    pub(crate) fn run_once(
        spec: &Spec,
        trusted: &Trusted<'_>,
        observer: &dyn Observer,
    ) -> Result<Report> {
        let start = Instant::now();
        let announce = |what: &str| observer.event(Event::Building(what));
        let builder = Builder::new(&announce)?;
        let (prepared, mut journals) = prepare(&builder, spec, trusted, observer)?;
        let spec = &within_time(spec, start.elapsed());
        let versions = prepared.versions(spec);
        let mut searched = while_confirming(
            &builder,
            &prepared,
            &versions,
            spec,
            observer,
            |observer, early| {
                let searching = Searching {
                    cache: &builder.cache,
                    prepared: &prepared,
                    versions: &versions,
                    spec,
                    trusted,
                    start,
                    observer,
                    early,
                };
                search(&searching, &mut journals)
            },
        );
        searched.refuse_if_nothing_was_meant(&*prepared.harness)?;
        searched.refuse_if_assumptions_differ(&*prepared.harness)?;
        let inspected = searched.inspect(Looking {
            versions: &versions,
            harness: &*prepared.harness,
            spec,
            observer,
        });
        let confirmed = confirm(
            &builder,
            &prepared,
            &versions,
            &mut searched,
            spec,
            observer,
        )?;
        observer.event(Event::Done);
        prepared.folder.tidy(!confirmed.differences.is_empty());
        let stages = Stages {
            prepared: &prepared,
            versions: &versions,
            searched,
            inspected,
            confirmed,
        };
        Ok(report(stages, spec, start))
    }
}
