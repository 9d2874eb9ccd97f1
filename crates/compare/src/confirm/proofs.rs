//! What was proved equal is tried out (`--paranoid`). Some inputs of each such partition are run natively on both versions.
//!
//! The two native runs are compared with each other, not with the VM: where the host's C library words a message
//! otherwise, it does so for both. They may differ for reasons that no proof speaks of: a version is not deterministic
//! natively, or its behaviour is undefined. Those are counted apart. Everything else means that a proof is wrong: a mistake
//! in Parallax, which is reported loudly and left behind for a bug report.
//!
//! A difference that a seed shows behind a way that pruning left out is such a mistake too, whether proofs are to be tried out or not.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use exploration::{InputRecord, WronglyPruned};
use native::confirmation::{Natively, observably_equal};
use native::prediction::predict;
use native::process::{NativeEnd, NativeRun};
use native::replay::same_behaviour;
use native::test_case::{TestCase, write_tree};
use serde::{Deserialize, Serialize};

use crate::error::{Result, Trying};
use crate::inspect::undefined::{Inspector, Wanted};
use crate::observer::{Event, Observer};
use crate::search::findings::Claim;
use crate::versions::groups::Groups;
use crate::versions::run::Versions;

/// What native runs of such inputs have shown.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SelfCheck {
    /// Inputs on which both versions did the same.
    pub same: u64,
    /// Inputs on which they did not, for a reason that no proof speaks of; one of the reasons.
    pub excused: u64,
    pub excuse: Option<String>,
    /// Inputs that were not run, since the time was up.
    pub not_run: u64,
    pub refuted: Option<Refuted>,
    pub time: Duration,
}

impl SelfCheck {
    /// Adds what was found of other versions.
    pub(crate) fn add(&mut self, other: SelfCheck) {
        self.same += other.same;
        self.excused += other.excused;
        self.excuse = self.excuse.take().or(other.excuse);
        self.not_run += other.not_run;
        self.refuted = self.refuted.take().or(other.refuted);
        self.time += other.time;
    }
}

/// A proof that does not hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refuted {
    pub why: String,
    /// What a bug report needs.
    pub bundle: PathBuf,
}

/// Two versions of which something was proved.
pub(super) struct Proofs<'p> {
    pub(super) versions: &'p Versions<'p>,
    /// Their numbers.
    pub(super) pair: [usize; 2],
    /// The files of each.
    pub(super) files: [&'p [PathBuf]; 2],
    /// What the user typed.
    pub(super) command: &'p str,
    /// Where a bundle is made.
    pub(super) folder: &'p Path,
    pub(super) observer: &'p dyn Observer,
    /// The most time.
    pub(super) time: Duration,
}

impl Proofs<'_> {
    /// Runs the inputs natively until one refutes its proof.
    pub(crate) fn check(&self, natively: &Natively<'_>, claims: &[&Claim]) -> Result<SelfCheck> {
        let start = Instant::now();
        let mut found = SelfCheck::default();
        if natively.off().is_some() {
            found.not_run = claims.len() as u64;
            return Ok(found);
        }
        let mut seen = HashSet::new();
        for (&claim, number) in claims.iter().zip(1..) {
            let input = claim.input();
            if !seen.insert(input.clone()) {
                continue;
            }
            if start.elapsed() >= self.time || self.observer.interrupt().load(Ordering::Relaxed) {
                found.not_run += 1;
                continue;
            }
            let of = claims.len();
            self.observer.event(Event::SelfChecking { number, of });
            let test = self.test(&input);
            let run = |version: usize| natively.run(&test, &natively.plain[version], false);
            let runs = [run(0)?, run(1)?];
            let lined = self.pair.map(|version| self.versions.lined(version));
            let [old, new] = &runs;
            if same_behaviour(old, new)
                || self
                    .versions
                    .settings()
                    .differ_in_lines_only(&input, lined, [old, new])
            {
                found.same += 1;
                continue;
            }
            let again = [run(0)?, run(1)?];
            match self.excuse(claim, &runs, &again) {
                Some(excuse) => {
                    found.excused += 1;
                    found.excuse.get_or_insert(excuse);
                }
                None => {
                    found.refuted = Some(self.refuted(natively, claim, &test, &runs)?);
                    return Ok(found);
                }
            }
        }
        found.time = start.elapsed();
        Ok(found)
    }

    /// A seed has shown a difference where pruning says that there is none.
    pub(crate) fn wrong_pruning(
        &self,
        natively: &Natively<'_>,
        wrong: &WronglyPruned,
    ) -> Result<Refuted> {
        let which = ["old", "new"][usize::from(wrong.version)];
        let place = wrong.place.as_ref().map(|place| format!(" at {place}"));
        let why = format!(
            "a test shows a difference behind a way of the {which} version{} that is left out because {}: pruning is wrong",
            place.unwrap_or_default(),
            wrong.category
        );
        let claim = Claim {
            groups: Groups::all_same(2),
            given: wrong.given.clone(),
            condition: vec![format!("inputs behind this way: {}", wrong.category)],
            proof: format!("pruning, {:?}", wrong.category),
        };
        let test = self.test(&wrong.input);
        let run = |version: usize| natively.run(&test, &natively.plain[version], false);
        self.bundle(natively, &claim, &test, &[run(0)?, run(1)?], &why)
    }

    fn test(&self, input: &InputRecord) -> TestCase {
        TestCase::new(input, &self.versions.kernel.working_directory, None)
    }

    /// Why native runs may differ although the proof holds.
    fn excuse(
        &self,
        claim: &Claim,
        runs: &[NativeRun; 2],
        again: &[NativeRun; 2],
    ) -> Option<String> {
        let in_time = |run: &&NativeRun| run.end == NativeEnd::TimedOut;
        if runs.iter().chain(again).any(|run| in_time(&run)) {
            return Some("a native run did not end in time".to_owned());
        }
        let names = self.pair.map(|version| self.versions.names[version]);
        for (which, (run, again)) in names.iter().zip(runs.iter().zip(again)) {
            if !same_behaviour(run, again) {
                return Some(format!(
                    "the {which} version is not deterministic: two native runs of an input differ"
                ));
            }
        }
        for (version, which) in self.pair.into_iter().zip(names) {
            let versions = self.versions;
            let program = versions.programs[version];
            let plain = predict(program, &versions.kernel, versions.limits, &claim.input());
            let end = plain.map(|plain| plain.end);
            match end {
                Some(end) if !end.undefined && end.shell_status.is_some() => {}
                // An argument that is read behind its end, say: the proof is about any bytes there.
                Some(end) => return Some(format!("the {which} version: {}", end.description)),
                None => return Some(format!("the {which} version cannot be started in the VM")),
            }
            // What C leaves undefined, two native builds may do in different ways.
            let mut inspector = Inspector::new(
                program,
                versions.kernel.clone(),
                versions.limits,
                versions.symbolic_limits,
            );
            let all = Wanted {
                reads: true,
                operations: true,
            };
            let undefined = inspector.inspect(0, &claim.given, all);
            if !undefined.reads.is_empty() || !undefined.operations.is_empty() {
                return Some(format!(
                    "the {which} version does what C leaves undefined, or reads memory that was never written"
                ));
            }
        }
        None
    }

    fn refuted(
        &self,
        natively: &Natively<'_>,
        claim: &Claim,
        test: &TestCase,
        runs: &[NativeRun; 2],
    ) -> Result<Refuted> {
        let versions = self.versions;
        let plain = |version: usize| {
            let program = versions.programs[self.pair[version]];
            predict(program, &versions.kernel, versions.limits, &claim.input())
        };
        let why = match (plain(0), plain(1)) {
            (Some(old), Some(new)) if observably_equal(&old, &new) => {
                "natively the versions differ on an input on which the VM runs them alike: the VM does not do what \
                 the native program does"
            }
            _ => "the VM itself tells the versions apart on this input: the proof is wrong",
        };
        self.bundle(natively, claim, test, runs, why)
    }

    fn bundle(
        &self,
        natively: &Natively<'_>,
        claim: &Claim,
        test: &TestCase,
        runs: &[NativeRun; 2],
        why: &str,
    ) -> Result<Refuted> {
        let bundle = self.folder.join("internal-error");
        self.write(natively, claim, test, runs, why, &bundle)
            .trying(|| format!("cannot write `{}`", bundle.display()))?;
        Ok(Refuted {
            why: why.to_owned(),
            bundle,
        })
    }

    fn write(
        &self,
        natively: &Natively<'_>,
        claim: &Claim,
        test: &TestCase,
        runs: &[NativeRun; 2],
        why: &str,
        bundle: &Path,
    ) -> std::io::Result<()> {
        if bundle.exists() {
            std::fs::remove_dir_all(bundle)?;
        }
        std::fs::create_dir_all(bundle)?;
        test.write(&bundle.join("input"))?;
        for (version, which) in ["old", "new"].into_iter().enumerate() {
            let place = bundle.join(which);
            std::fs::create_dir_all(place.join("source"))?;
            let run = &runs[version];
            std::fs::write(place.join("stdout"), &run.stdout)?;
            std::fs::write(place.join("stderr"), &run.stderr)?;
            std::fs::write(place.join("end"), format!("{:?}\n", run.end))?;
            write_tree(&place.join("files"), &run.files)?;
            std::fs::copy(&natively.plain[version], place.join("executable"))?;
            for file in self.files[version].iter().filter(|file| file.is_file()) {
                let name = file.file_name().unwrap_or(file.as_os_str());
                std::fs::copy(file, place.join("source").join(name))?;
            }
        }
        let text = format!(
            "Parallax {} has proved that two versions behave the same on an input, and they do not.\n\
             This is a mistake in Parallax. Please send this folder, and what is missing in it to build the versions.\n\n\
             what happened: {why}\n\
             command: {}\n\
             proved by: {}\n\n\
             input/           the input, as a test that `parallax replay` and `parallax run` understand\n\
             old/ and new/    what each version did natively (stdout, stderr, end, files), its executable, and its source \
             if it is single files\n\
             condition        which inputs were proved to behave the same; all lines hold\n",
            env!("CARGO_PKG_VERSION"),
            self.command,
            claim.proof,
        );
        std::fs::write(bundle.join("README"), text)?;
        std::fs::write(bundle.join("condition"), claim.condition.join("\n") + "\n")
    }
}
