//! Second stage: all versions are explored together, path by path (`exploration`). On each path the inputs that behave the same are
//! proved equal, and an input that does not is a difference.

mod both;
pub(crate) mod findings;
pub(crate) mod kinds;
mod location;
pub mod memory;
mod observe;
pub mod partitions;

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use exploration::journal::Earlier;
use exploration::{Subject, Summary, Verdict, Version};
use harness::Harness;

use crate::observer::Observer;
use crate::prepare::Prepared;
use crate::prepare::folder::Journals;
use crate::spec::Spec;
use crate::trusted::Trusted;
use crate::versions::run::Versions;
use findings::Findings;
use kinds::folded;
use observe::{PairFacts, Role, Search};

/// What a search has found.
pub(crate) struct Searched {
    /// `None` if there was nothing to explore.
    pub(crate) summary: Option<Summary>,
    pub(crate) found: Findings,
    pub(crate) began: Instant,
}

impl Searched {
    /// Refuses what would be equivalent only because no input was admitted: of a function whose assumptions cannot be satisfied
    /// nothing was compared.
    pub(crate) fn refuse_if_nothing_was_meant(&self, harness: &dyn Harness) -> anyhow::Result<()> {
        let verdict = self.summary.as_ref().map(Summary::verdict);
        let is_empty = harness.leaves_out_inputs() && !self.found.meant;
        anyhow::ensure!(
            !is_empty || verdict != Some(Verdict::Equivalent),
            "no argument is left by `--fn-assume`: no input satisfies it, the function is never called, and there is nothing to \
             compare. Give a condition that some arguments satisfy"
        );
        Ok(())
    }
}

/// Explores the versions, if that is needed. `start` is when the comparison began.
pub(crate) fn search(
    prepared: &Prepared,
    versions: &Versions<'_>,
    journals: &mut Journals,
    (spec, trusted): (&Spec, &Trusted<'_>),
    start: Instant,
    observer: &dyn Observer,
) -> Searched {
    let began = Instant::now();
    if prepared.nothing_to_explore() {
        return Searched {
            summary: None,
            found: Findings::default(),
            began,
        };
    }
    let whole = |&program: &_| Version {
        program,
        subject: Subject::Whole,
    };
    let whole: Vec<Version<'_>> = versions.programs.iter().map(whole).collect();
    let facts = match whole[..] {
        [old, new] => Some((trusted.make_facts)(old, new, prepared.diffs.clone())),
        _ => None,
    };
    let relevance = OnceLock::new();
    let facts = PairFacts {
        facts: facts.as_ref(),
        versions: &whole,
        relevance: &relevance,
    };
    let search = |role: Role, interrupt| Search {
        spec,
        versions,
        harness: &*prepared.harness,
        kinds: prepared.harness.variable_kinds(),
        facts,
        make_solver: trusted.make_solver,
        role,
        interrupt,
        observer,
        start,
        found: Mutex::new(Findings::default()),
    };
    let mut seeds = prepared.seeds.clone();
    let (earlier, journal) = match journals.search.take() {
        Some(mut kept) => {
            if prepared.harness.function().is_some() {
                let kinds = prepared.harness.variable_kinds();
                for (_, seed) in &mut kept.seeds {
                    seed.variables.retain(|name, _| kinds.contains_key(name));
                }
            }
            seeds.extend(kept.seeds);
            (kept.earlier, Some(kept.journal))
        }
        None => (Earlier::default(), None),
    };
    let shapes = || prepared.shapes.clone();
    let (summary, mut found) = if spec.search.proof_beside {
        let (proved, slices) = match journals.proof.take() {
            Some(kept) => (kept.earlier, Some(kept.journal)),
            None => (Earlier::default(), None),
        };
        let (stop_search, stop_proof) = (AtomicBool::new(false), AtomicBool::new(false));
        both::search_and_prove(
            |search| search.explore(&whole, shapes(), seeds, earlier, journal),
            |proof| proof.explore(&whole, shapes(), Vec::new(), proved, slices),
            [
                search(Role::Search, &stop_search),
                search(Role::Proof, &stop_proof),
            ],
            [&stop_search, &stop_proof],
            observer.interrupt(),
        )
    } else {
        let search = search(Role::Search, observer.interrupt());
        let summary = search.explore(&whole, shapes(), seeds, earlier, journal);
        let found = search.found.into_inner().expect("no worker panicked");
        (summary, found)
    };
    found.kinds = folded(std::mem::take(&mut found.kinds));
    Searched {
        summary: Some(summary),
        found,
        began,
    }
}
