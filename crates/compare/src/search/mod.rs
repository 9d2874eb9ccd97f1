//! Second stage: all versions are explored together, path by path (`exploration`). On each path the inputs that behave the same are
//! proved equal, and an input that does not is a difference.

mod aside;
mod beyond;
mod both;
pub(crate) mod findings;
pub mod growth;
pub(crate) mod kinds;
mod location;
pub mod memory;
mod observe;
pub mod partitions;
mod probe;
mod separate;
mod until;

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use build::cache::Cache;
use concolic_vm::symbolic::SymbolicInput;
use exploration::journal::Earlier;
use exploration::{InputSpace, Subject, Summary, Verdict, Version};
use harness::Harness;

use crate::error::{Error, Result};
use crate::inspect::{Inspected, Looking, Undefined, dependences, samples};
use crate::observer::Observer;
use crate::prepare::Prepared;
use crate::prepare::folder::Journals;
use crate::spec::{Mode, Spec};
use crate::trusted::Trusted;
use crate::versions::executed::{ChangeNumber, Executed};
use crate::versions::run::Versions;
use findings::{Findings, FoundDifference};
use growth::Growth;
use kinds::{Kind, folded};
use observe::{Explorer, PairFacts, Role};
use until::search_until;

const NOTHING_MEANT: &str = "no argument is left by `--fn-assume`: no input satisfies it, the function is never called, and there is \
     nothing to compare. Give a condition that some arguments satisfy";

const ASSUMED_OTHERWISE: &str = "what `--fn-assume` says does not mean the same in both versions";

const NAME_NOTHING_THAT_DIFFERS: &str = "Something that it names, as a macro, a constant or a function, is another one there: write \
     what you mean instead, as in `n < 8`";

/// What a search has found.
pub(crate) struct Searched {
    /// `None` if there was nothing to explore.
    pub(crate) summary: Option<Summary>,
    pub(crate) found: Findings,
    /// What a look at all runs has found, if that was done when the round was completed.
    looked: Option<Undefined>,
    /// The same of rounds whose inputs are proved besides.
    looked_otherwise: Undefined,
    /// What runs beyond the bounds have executed.
    pub(crate) executed_beyond: Executed,
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
    /// Where differences are sent as they are found.
    pub(crate) early: &'s Sender<FoundDifference>,
}

/// Bounds that are explored to the end, or until the time is over.
pub(crate) struct Round {
    space: InputSpace,
    shapes: Vec<SymbolicInput>,
    /// Each with the number of its shape.
    seeds: Vec<(u32, SymbolicInput)>,
    time: Duration,
    /// Whether a proof goes on beside the search, if there is one at all.
    proves: bool,
    /// It ends as soon as these are executed, if that is all that it is for.
    until: Option<BTreeSet<ChangeNumber>>,
    /// Kinds of difference that are known already.
    kinds: Vec<Kind>,
}

impl Round {
    fn of(space: InputSpace, time: Duration) -> Round {
        Round {
            shapes: space.shapes(),
            space,
            seeds: Vec::new(),
            time,
            proves: true,
            until: None,
            kinds: Vec::new(),
        }
    }

    /// Within the first bounds.
    fn first(prepared: &Prepared, time: Duration) -> Round {
        Round {
            seeds: prepared.seeds.used.clone(),
            ..Round::of(prepared.space.clone(), time)
        }
    }
}

/// What all rounds of a search share.
struct Rounds<'r, 's> {
    searching: &'r Searching<'s>,
    whole: &'r [Version<'s>],
    facts: PairFacts<'r>,
}

impl Searched {
    /// Refuses what would be equivalent only because no input was admitted: of a function whose assumptions cannot be satisfied
    /// nothing was compared.
    pub(crate) fn refuse_if_nothing_was_meant(&self, harness: &dyn Harness) -> Result<()> {
        let verdict = self.summary.as_ref().map(Summary::verdict);
        let is_empty = harness.leaves_out_inputs() && !self.found.meant;
        match is_empty && verdict == Some(Verdict::Equivalent) {
            true => Err(Error::Usage(NOTHING_MEANT.to_owned())),
            false => Ok(()),
        }
    }
}

impl Searched {
    /// Refuses assumptions that leave out other inputs of one version than of the other: what a report calls the same, or different, would be
    /// two calls of which one never happens.
    pub(crate) fn refuse_if_assumptions_differ(&self, harness: &dyn Harness) -> Result<()> {
        let Some(input) = &self.found.meant_in_one else {
            return Ok(());
        };
        let call = harness.call(input);
        let call = call.map_or_else(String::new, |call| {
            format!(": for {call} it holds in one of them")
        });
        Err(Error::Usage(format!(
            "{ASSUMED_OTHERWISE}{call}. {NAME_NOTHING_THAT_DIFFERS}"
        )))
    }

    /// Third stage: looks at the runs. All are looked at if versions would be called equivalent, and some otherwise.
    pub(crate) fn inspect(&mut self, looking: Looking<'_>) -> Inspected {
        let inputs = std::mem::take(&mut self.found.inputs);
        let left = looking
            .spec
            .limits
            .time
            .saturating_sub(self.began.elapsed());
        let look = |inputs| looking.at(inputs, &self.shapes, left);
        let is_wanted =
            looking.spec.search.inspect_all || self.is_proved(looking.versions, StepsProved::Some);
        let is_all = looking.spec.search.mode != Mode::FindOnly && is_wanted;
        let is_whole = is_all || self.looked.is_some();
        let mut undefined = match self.looked.take() {
            Some(looked) => looked,
            None if is_all => look(&inputs),
            None => look(&samples(inputs)),
        };
        undefined.merge(std::mem::take(&mut self.looked_otherwise));
        Inspected {
            undefined,
            dependences: dependences(looking.versions, looking.harness, &self.found.samples),
            is_whole,
        }
    }

    /// Whether versions behave the same on all inputs on which they are defined.
    fn is_proved(&self, versions: &Versions<'_>, which: StepsProved) -> bool {
        let Some(summary) = &self.summary else {
            return false;
        };
        let is_proved = |(from, to)| summary.verdict_where_defined(from, to) == Verdict::Equivalent;
        match which {
            StepsProved::Some => {
                let mut steps = versions.steps.iter();
                steps.any(|step| is_proved((step.from, step.to)))
            }
            StepsProved::All => {
                let mut steps = versions.single_steps().iter();
                steps.all(|step| is_proved((step.from, step.to)))
            }
        }
    }
}

/// Of which steps from one version to another something is said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StepsProved {
    Some,
    All,
}

/// Explores the versions, if that is needed: within the bounds, or within bounds that grow.
pub(crate) fn search(searching: &Searching<'_>, journals: &mut Journals) -> Searched {
    let (prepared, time) = (searching.prepared, searching.spec.limits.time);
    if prepared.nothing_to_explore() {
        let first = Round::first(prepared, time);
        return Searched::new(first, None, Findings::default(), Instant::now());
    }
    let whole = |&program: &_| Version {
        program,
        subject: Subject::Whole,
    };
    let whole: Vec<Version<'_>> = searching.versions.programs.iter().map(whole).collect();
    let facts = match whole[..] {
        [old, new] => {
            let make = searching.trusted.make_facts;
            Some(make(old, new, prepared.diffs().clone()))
        }
        _ => None,
    };
    let relevance = OnceLock::new();
    let rounds = Rounds {
        searching,
        whole: &whole,
        facts: PairFacts {
            facts: facts.as_ref(),
            versions: &whole,
            relevance: &relevance,
        },
    };
    if searching.spec.search.separate {
        return separate::search(searching, &whole, |round, journals| {
            rounds.search(round, journals)
        });
    }
    match prepared.may_grow {
        true => growth::grow(&rounds, journals),
        false => rounds.search(Round::first(prepared, time), journals),
    }
}

impl Searched {
    fn new(round: Round, summary: Option<Summary>, found: Findings, began: Instant) -> Searched {
        Searched {
            summary,
            found,
            looked: None,
            looked_otherwise: Undefined::default(),
            executed_beyond: Executed::default(),
            began,
            space: round.space,
            shapes: round.shapes,
            growth: None,
        }
    }
}

impl Rounds<'_, '_> {
    /// Explores the versions within some bounds.
    fn search(&self, mut round: Round, journals: &mut Journals) -> Searched {
        let Searching {
            prepared,
            versions,
            spec,
            trusted,
            start,
            observer,
            early,
            ..
        } = *self.searching;
        let began = Instant::now();
        let mut seeds = std::mem::take(&mut round.seeds);
        let mut known = Some(std::mem::take(&mut round.kinds));
        let counted: Vec<u64> = known.iter().flatten().map(|kind| kind.partitions).collect();
        let mut search = |role: Role, interrupt| Explorer {
            spec,
            versions,
            harness: &*prepared.harness,
            kinds: prepared.harness.variable_kinds(),
            facts: self.facts,
            make_solver: trusted.make_solver,
            role,
            interrupt,
            observer,
            early,
            start,
            time: round.time,
            found: Mutex::new(Findings::of_known(known.take().unwrap_or_default())),
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
        let all = || round.shapes.clone();
        let (summary, mut found) = if spec.search.proof_beside && round.proves {
            let (proved, slices) = match journals.proof.take() {
                Some(kept) => (kept.earlier, Some(kept.journal)),
                None => (Earlier::default(), None),
            };
            let (stop_search, stop_proof) = (AtomicBool::new(false), AtomicBool::new(false));
            both::search_and_prove(
                |search| search.explore(self.whole, all(), seeds, earlier, journal),
                |proof| proof.explore(self.whole, all(), Vec::new(), proved, slices),
                [
                    search(Role::Search, &stop_search),
                    search(Role::Proof, &stop_proof),
                ],
                [&stop_search, &stop_proof],
                observer.interrupt(),
            )
        } else if let Some(changes) = &round.until {
            let stop = AtomicBool::new(false);
            let search = search(Role::Search, &stop);
            let find = |search: &Explorer<'_, '_>| {
                search.explore(self.whole, all(), seeds, earlier, journal)
            };
            let summary = search_until(changes, find, &search, &stop, observer.interrupt());
            let found = search.found.into_inner().expect("no worker panicked");
            (summary, found)
        } else {
            let search = search(Role::Search, observer.interrupt());
            let summary = search.explore(self.whole, all(), seeds, earlier, journal);
            let found = search.found.into_inner().expect("no worker panicked");
            (summary, found)
        };
        // How many partitions are of a kind is told of those bounds in which it was found.
        for (kind, partitions) in found.kinds.iter_mut().zip(counted) {
            kind.partitions = partitions;
        }
        found.kinds = folded(std::mem::take(&mut found.kinds));
        Searched::new(round, Some(summary), found, began)
    }
}
