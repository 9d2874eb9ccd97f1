//! Second stage: all versions are explored together, path by path (`exploration`). On each path the inputs that behave the same are
//! proved equal, and an input that does not is a difference.

mod both;
pub(crate) mod findings;
pub mod growth;
pub(crate) mod kinds;
mod location;
pub mod memory;
mod observe;
pub mod partitions;

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use build::cache::Cache;
use concolic_vm::symbolic::SymbolicInput;
use exploration::input::CompactInput;
use exploration::journal::Earlier;
use exploration::{InputSpace, Subject, Summary, Verdict, Version};
use harness::Harness;

use crate::observer::Observer;
use crate::prepare::Prepared;
use crate::prepare::folder::Journals;
use crate::spec::Spec;
use crate::trusted::Trusted;
use crate::versions::run::Versions;
use findings::Findings;
use growth::Growth;
use kinds::folded;
use observe::{PairFacts, Role, Search};

/// What a search has found.
pub(crate) struct Searched {
    /// `None` if there was nothing to explore.
    pub(crate) summary: Option<Summary>,
    pub(crate) found: Findings,
    /// Inputs of rounds with something that the space does not have, each with the number of its shape.
    pub(crate) others: Vec<CompactInput>,
    pub(crate) began: Instant,
    /// The bounds that this is about.
    pub(crate) space: InputSpace,
    pub(crate) shapes: Vec<SymbolicInput>,
    /// How far bounds have grown, if they may.
    pub(crate) growth: Option<Growth>,
}

/// What every round of a search has.
pub(crate) struct Searching<'s> {
    pub(crate) cache: &'s Cache,
    pub(crate) prepared: &'s Prepared,
    pub(crate) versions: &'s Versions<'s>,
    pub(crate) spec: &'s Spec,
    pub(crate) trusted: &'s Trusted<'s>,
    /// When the comparison began.
    pub(crate) start: Instant,
    pub(crate) observer: &'s dyn Observer,
}

/// Bounds that are explored to the end, or until the time is over.
pub(crate) struct Round {
    space: InputSpace,
    shapes: Vec<SymbolicInput>,
    /// Each with the number of its shape.
    seeds: Vec<(u32, SymbolicInput)>,
    time: Duration,
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

/// Explores the versions, if that is needed: within the bounds, or within bounds that grow.
pub(crate) fn search(searching: &Searching<'_>, journals: &mut Journals) -> Searched {
    let first = growth::first_round(searching);
    growth::grow(searching, search_round(searching, first, journals))
}

/// Explores the versions within some bounds, if that is needed.
fn search_round(searching: &Searching<'_>, round: Round, journals: &mut Journals) -> Searched {
    let Searching {
        prepared,
        versions,
        spec,
        trusted,
        start,
        observer,
        ..
    } = *searching;
    let began = Instant::now();
    let Round {
        space,
        shapes,
        mut seeds,
        time,
    } = round;
    let searched = |summary, found| Searched {
        summary,
        found,
        others: Vec::new(),
        began,
        space,
        shapes: shapes.clone(),
        growth: None,
    };
    if prepared.nothing_to_explore() {
        return searched(None, Findings::default());
    }
    let whole = |&program: &_| Version {
        program,
        subject: Subject::Whole,
    };
    let whole: Vec<Version<'_>> = versions.programs.iter().map(whole).collect();
    let facts = match whole[..] {
        [old, new] => Some((trusted.make_facts)(old, new, prepared.diffs().clone())),
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
        time,
        found: Mutex::new(Findings::default()),
    };
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
    let all = || shapes.clone();
    let (summary, mut found) = if spec.search.proof_beside {
        let (proved, slices) = match journals.proof.take() {
            Some(kept) => (kept.earlier, Some(kept.journal)),
            None => (Earlier::default(), None),
        };
        let (stop_search, stop_proof) = (AtomicBool::new(false), AtomicBool::new(false));
        both::search_and_prove(
            |search| search.explore(&whole, all(), seeds, earlier, journal),
            |proof| proof.explore(&whole, all(), Vec::new(), proved, slices),
            [
                search(Role::Search, &stop_search),
                search(Role::Proof, &stop_proof),
            ],
            [&stop_search, &stop_proof],
            observer.interrupt(),
        )
    } else {
        let search = search(Role::Search, observer.interrupt());
        let summary = search.explore(&whole, all(), seeds, earlier, journal);
        let found = search.found.into_inner().expect("no worker panicked");
        (summary, found)
    };
    found.kinds = folded(std::mem::take(&mut found.kinds));
    searched(Some(summary), found)
}
