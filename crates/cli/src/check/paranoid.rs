//! `--paranoid`: what was proved equal is tried out. Some inputs of each such partition are run natively on both versions.
//!
//! The two native runs are compared with each other, not with the VM: where the host's C library words a message
//! otherwise, it does so for both. They may differ for reasons that no proof speaks of: a version is not deterministic
//! natively, or its behaviour is undefined. Those are counted apart. Everything else means that a proof is wrong: a mistake
//! in Parallax, which is reported loudly and left behind for a bug report.
//!
//! A difference that a seed shows behind a way that pruning left out is such a mistake too, `--paranoid` or not.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use concolic_vm::symbolic::SymbolicInput;
use exploration::{InputRecord, WronglyPruned};

use super::paired::Versions;
use super::version_files::VersionFiles;
use crate::progress::LiveLine;
use compare::undefined::{Inspector, Wanted};
use native::confirmation::{Natively, observably_equal};
use native::prediction::predict;
use native::process::{NativeEnd, NativeRun};
use native::replay::same_behaviour;
use native::test_case::{TestCase, write_tree};

/// Inputs of each partition that are run.
pub(super) const INPUTS: usize = 4;

/// `parallax check` ends with this status if a proof was refuted.
pub(super) const STATUS: u8 = 4;

/// An input that was proved to behave the same.
pub(super) struct Claim {
    pub(super) input: InputRecord,
    pub(super) given: SymbolicInput,
    /// Of its partition, in the user's words.
    pub(super) condition: Vec<String>,
    /// How it was proved.
    pub(super) proof: String,
}

/// What native runs of such inputs have shown.
#[derive(Default)]
pub(super) struct SelfCheck {
    /// Inputs on which both versions did the same.
    pub(super) same: u64,
    /// Inputs on which they did not, for a reason that no proof speaks of; one of the reasons.
    pub(super) excused: u64,
    pub(super) excuse: Option<String>,
    /// Inputs that were not run, since the time was up.
    pub(super) not_run: u64,
    pub(super) refuted: Option<Refuted>,
    pub(super) time: Duration,
}

impl SelfCheck {
    /// Adds what was found of other versions.
    pub(super) fn add(&mut self, other: SelfCheck) {
        self.same += other.same;
        self.excused += other.excused;
        self.excuse = self.excuse.take().or(other.excuse);
        self.not_run += other.not_run;
        self.refuted = self.refuted.take().or(other.refuted);
        self.time += other.time;
    }
}

/// A proof that does not hold.
pub(super) struct Refuted {
    pub(super) why: String,
    /// What a bug report needs.
    pub(super) bundle: PathBuf,
}

pub(super) struct Paranoid<'p> {
    pub(super) versions: &'p Versions<'p>,
    pub(super) names: &'p VersionFiles,
    /// Where a bundle is made.
    pub(super) folder: &'p Path,
    pub(super) interrupt: &'p AtomicBool,
    pub(super) live: &'p LiveLine,
    /// The most time.
    pub(super) time: Duration,
}

impl Paranoid<'_> {
    /// Runs the inputs natively until one refutes its proof.
    pub(super) fn check(
        &self,
        natively: &Natively<'_>,
        claims: &[&Claim],
    ) -> anyhow::Result<SelfCheck> {
        let start = Instant::now();
        let mut found = SelfCheck::default();
        if natively.off().is_some() {
            found.not_run = claims.len() as u64;
            return Ok(found);
        }
        let mut seen = HashSet::new();
        for (&claim, number) in claims.iter().zip(1..) {
            if !seen.insert(&claim.input) {
                continue;
            }
            if start.elapsed() >= self.time || self.interrupt.load(Ordering::Relaxed) {
                found.not_run += 1;
                continue;
            }
            self.live.show(&format!(
                "self-check: running natively what was proved equal, {number} of {} inputs",
                claims.len()
            ));
            let test = self.test(&claim.input);
            let run = |version: usize| natively.run(&test, &natively.plain[version], false);
            let runs = [run(0)?, run(1)?];
            if same_behaviour(&runs[0], &runs[1]) {
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
    pub(super) fn wrong_pruning(
        &self,
        natively: &Natively<'_>,
        wrong: &WronglyPruned,
    ) -> anyhow::Result<Refuted> {
        let which = ["old", "new"][usize::from(wrong.version)];
        let place = wrong.place.as_ref().map(|place| format!(" at {place}"));
        let why = format!(
            "a test shows a difference behind a way of the {which} version{} that is left out because {}: pruning is wrong",
            place.unwrap_or_default(),
            wrong.category
        );
        let claim = Claim {
            input: wrong.input.clone(),
            given: wrong.given.clone(),
            condition: vec![format!("inputs behind this way: {}", wrong.category)],
            proof: format!("pruning, {:?}", wrong.category),
        };
        let test = self.test(&claim.input);
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
        let names = &self.versions.names;
        for (which, (run, again)) in names.iter().zip(runs.iter().zip(again)) {
            if !same_behaviour(run, again) {
                return Some(format!(
                    "the {which} version is not deterministic: two native runs of an input differ"
                ));
            }
        }
        for (&program, which) in self.versions.programs.iter().zip(names) {
            let versions = self.versions;
            let plain = predict(program, &versions.kernel, versions.limits, &claim.input);
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
    ) -> anyhow::Result<Refuted> {
        let versions = self.versions;
        let plain = |version: usize| {
            let program = versions.programs[version];
            predict(program, &versions.kernel, versions.limits, &claim.input)
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
    ) -> anyhow::Result<Refuted> {
        let bundle = self.folder.join("internal-error");
        self.write(natively, claim, test, runs, why, &bundle)
            .with_context(|| format!("cannot write `{}`", bundle.display()))?;
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
        let files = [&self.names.old, &self.names.new];
        for (version, which) in ["old", "new"].into_iter().enumerate() {
            let place = bundle.join(which);
            std::fs::create_dir_all(place.join("source"))?;
            let run = &runs[version];
            std::fs::write(place.join("stdout"), &run.stdout)?;
            std::fs::write(place.join("stderr"), &run.stderr)?;
            std::fs::write(place.join("end"), format!("{:?}\n", run.end))?;
            write_tree(&place.join("files"), &run.files)?;
            std::fs::copy(&natively.plain[version], place.join("executable"))?;
            for file in files[version].iter().filter(|file| file.is_file()) {
                let name = file.file_name().unwrap_or(file.as_os_str());
                std::fs::copy(file, place.join("source").join(name))?;
            }
        }
        let command: Vec<String> = std::env::args().collect();
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
            command.join(" "),
            claim.proof,
        );
        std::fs::write(bundle.join("README"), text)?;
        std::fs::write(bundle.join("condition"), claim.condition.join("\n") + "\n")
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use expr::Store;
    use solver::{Answer, LayerStatistics, Query, Solver};

    use super::*;
    use crate::check::{Trusted, check};
    use crate::{Cli, Command};

    /// Says that nothing satisfies anything: every proof that rests on it is wrong.
    struct Liar;

    impl Solver for Liar {
        fn name(&self) -> &'static str {
            "liar"
        }

        fn solve(&mut self, _: &Store, _: &Query) -> Answer {
            Answer::Unsat
        }

        fn statistics(&self) -> Vec<LayerStatistics> {
            Vec::new()
        }

        fn reset(&mut self) {}
    }

    /// The exit status of `parallax check` on two programs that read a byte.
    fn status(folder: &Path, old: &str, new: &str, more: &[&str], trusted: &Trusted<'_>) -> u8 {
        let file = |name: &str, code: &str| {
            let path = folder.join(name);
            let text = format!(
                "#include <stdio.h>\n#include <string.h>\nint main(void) {{ int c = getchar(); {code} }}\n"
            );
            std::fs::write(&path, text).unwrap();
            path.into_os_string().into_string().unwrap()
        };
        let (old, new) = (file("old.c", old), file("new.c", new));
        let tests = folder.join("tests").into_os_string().into_string().unwrap();
        let words = ["parallax", "check", &old, &new, "--sym-stdin", "1"];
        let words = [&words[..], &["--fresh", "--tests", &tests], more].concat();
        let cli = Cli::try_parse_from(words).unwrap();
        let Command::Check(arguments) = cli.command else {
            panic!("another command");
        };
        check(&arguments, trusted).unwrap()
    }

    const PARANOID: [&str; 2] = ["--no-prune", "--paranoid"];

    #[test]
    fn a_wrong_proof_is_caught_and_left_behind_for_a_report() {
        let folder = tempfile::tempdir().unwrap();
        let honest = Trusted::OWN;
        let lying = Trusted {
            make_solver: &|_| Box::new(Liar),
            ..honest
        };
        let (old, new) = ("putchar(c & 127); return 0;", "putchar(c); return 0;");
        // What the host's C library says of an unknown error is its own affair, and the same in both versions.
        let message = |sum: &str| format!("fputs(strerror(9000 + ({sum})), stdout); return 0;");
        let (sum, other_sum) = (message("c + 5"), message("(c ^ 5) + 2 * (c & 5)"));
        let bundle = folder.path().join("tests/internal-error");
        let status = |old: &str, new: &str, trusted: &Trusted<'_>| {
            status(folder.path(), old, new, &PARANOID, trusted)
        };
        assert_eq!(status(&sum, &other_sum, &honest), 0);
        assert_eq!(status(old, new, &honest), 1);
        assert!(!bundle.exists());
        assert_eq!(status(old, new, &lying), STATUS);
        for name in [
            "README",
            "condition",
            "input/stdin",
            "old/stdout",
            "new/stdout",
            "old/executable",
            "new/executable",
            "old/source/old.c",
            "new/source/new.c",
        ] {
            assert!(bundle.join(name).is_file(), "{name}");
        }
        let written = |which: &str| std::fs::read(bundle.join(which).join("stdout")).unwrap();
        assert_ne!(written("old"), written("new"));
        let text = std::fs::read_to_string(bundle.join("README")).unwrap();
        assert!(text.contains("the proof is wrong"), "{text}");
    }

    /// Facts that know of no change prune every way. A test behind one that shows a difference gives them away.
    #[test]
    fn a_wrong_pruning_is_given_away_by_a_test() {
        let folder = tempfile::tempdir().unwrap();
        // While no way is left to take, nothing is asked of the facts: 'y' is one.
        let code = |word: &str| {
            format!("if (c == 'x') puts(\"{word}\"); if (c == 'y') return 3; return 0;")
        };
        let (old, new) = (code("cross"), code("tick"));
        let seeds = folder.path().join("seeds");
        for (name, stdin) in [("1", "a"), ("2", "x")] {
            std::fs::create_dir_all(seeds.join(name)).unwrap();
            std::fs::write(seeds.join(name).join("argv"), "").unwrap();
            std::fs::write(seeds.join(name).join("stdin"), stdin).unwrap();
        }
        let seeds = seeds.into_os_string().into_string().unwrap();
        let more = ["--seeds", &seeds];
        let blind = Trusted {
            make_facts: |old, _| exploration::StaticFacts::new(old, old),
            ..Trusted::OWN
        };
        let bundle = folder.path().join("tests/internal-error");
        assert_eq!(
            status(folder.path(), &old, &new, &more, &Trusted::OWN),
            1,
            "what is pruned rightly is no error"
        );
        assert!(!bundle.exists());
        assert_eq!(status(folder.path(), &old, &new, &more, &blind), STATUS);
        let text = std::fs::read_to_string(bundle.join("README")).unwrap();
        assert!(text.contains("pruning is wrong"), "{text}");
        assert_eq!(std::fs::read(bundle.join("input/stdin")).unwrap(), b"x");
        // It is a difference all the same.
        let example = folder.path().join("tests/001/new/stdin");
        assert_eq!(std::fs::read(example).unwrap(), b"x");
    }

    /// Facts that know of no change leave everything open. An input that decides otherwise what was left out gives them away.
    #[test]
    fn a_wrong_slice_is_given_away_by_an_input_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let code = |word: &str| {
            format!("if (c == 'x') puts(\"{word}\"); if (c == 'y') return 3; return 0;")
        };
        let (old, new) = (code("cross"), code("tick"));
        let blind = Trusted {
            make_facts: |old, _| exploration::StaticFacts::new(old, old),
            ..Trusted::OWN
        };
        let more = ["--verify-only"];
        assert_eq!(status(folder.path(), &old, &new, &more, &blind), 1);
    }
}
