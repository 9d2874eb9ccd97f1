//! Is a difference that the VM found also there natively?
//!
//! Both versions are run natively on the same input. It is confirmed if each does what it did in the VM, and what
//! differs there differs natively too. An error that the language leaves open has to be reported by a sanitizer, or
//! else the ordinary build has to do something else than the other version's. A run that does not end in the VM must not
//! end natively either, within [`HANG_LIMIT`].

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use exploration::compare::Observable;

use crate::confinement::Confinement;
use crate::error::{self, Trying};
use crate::process::{self as native, NativeEnd, NativeRun, Surroundings, Symbolize};
use crate::replay::{self, judge, judge_sanitized, same_behaviour, without_thread_ids};
use crate::test_case::{EndKind, Expected, TestCase};
use build::host::Instrumentation;
use build::{Builder, Request};

/// The most time for one native run.
pub const NATIVE_LIMIT: Duration = Duration::from_secs(10);
/// The most time for a run that did not end in the VM: a native program executes far more in it than the VM did.
pub const HANG_LIMIT: Duration = Duration::from_secs(3);

static NEVER: AtomicBool = AtomicBool::new(false);

/// What is said of a difference when nothing is run natively.
pub const NATIVE_RUNS_ARE_OFF: &str = "native runs are off";

/// Whether two runs look the same to a user of the program.
pub fn observably_equal(old: &Expected, new: &Expected) -> bool {
    let end = |expected: &Expected| (expected.end.kind, expected.end.shell_status);
    end(old) == end(new)
        && (&old.stdout, &old.files) == (&new.stdout, &new.files)
        && without_thread_ids(&old.stderr) == without_thread_ids(&new.stderr)
}

/// What a version did natively, as it was predicted.
struct Seen {
    run: NativeRun,
    /// The error that ended it, if it was no normal end.
    error: Option<String>,
}

/// Runs examples natively on both versions. A first Ctrl-C ends the search, not this: what was found is
/// confirmed.
pub struct Natively<'n> {
    builder: &'n Builder<'n>,
    requests: &'n [Request; 2],
    runs: Runs<'n>,
    /// What messages call the versions.
    pub names: [&'static str; 2],
    pub plain: [PathBuf; 2],
    /// Builds with sanitizers, made when needed; an error says why there is none.
    sanitized: [Option<Result<PathBuf, String>>; 2],
    /// Executables that lie beside an example already, and where.
    placed: BTreeMap<PathBuf, PathBuf>,
    /// By version: the latest difference was shown by the plain build, although its behaviour is undefined.
    shown_plainly: [bool; 2],
}

impl<'n> Natively<'n> {
    pub fn new(
        builder: &'n Builder<'n>,
        requests: &'n [Request; 2],
        name: Vec<u8>,
        confinement: Confinement,
    ) -> error::Result<Natively<'n>> {
        native::adopt_umask();
        let plain =
            |version: usize| builder.host_program(&requests[version], Instrumentation::Nothing);
        Ok(Natively {
            builder,
            requests,
            runs: Runs {
                name,
                confinement,
                folder: std::env::current_dir()
                    .trying(|| "cannot tell the current folder".to_owned())?,
                interrupt: &NEVER,
            },
            names: ["old", "new"],
            plain: [plain(0)?, plain(1)?],
            sanitized: [None, None],
            placed: BTreeMap::new(),
            shown_plainly: [false; 2],
        })
    }

    /// Ends its runs when this is set.
    pub fn interruptible(mut self, interrupt: &'n AtomicBool) -> Natively<'n> {
        self.runs.interrupt = interrupt;
        self
    }

    /// `None` if the difference is there natively too; otherwise what is in the way.
    pub fn objection(
        &mut self,
        observables: &[Observable],
        old: &TestCase,
        new: &TestCase,
    ) -> error::Result<Option<String>> {
        self.shown_plainly = [false; 2];
        if let Some(why) = self.off() {
            return Ok(Some(why));
        }
        let (seen_old, seen_new) = self.both_seen(old, new)?;
        let (old, new) = match (seen_old, seen_new) {
            (Ok(old), Ok(new)) => (old, new),
            (Ok(seen), Err(objection)) => return self.without_sanitizers(&seen, 1, new, objection),
            (Err(objection), Ok(seen)) => return self.without_sanitizers(&seen, 0, old, objection),
            (Err(objection), Err(_)) => return Ok(Some(objection)),
        };
        let differs = |observable: &Observable| match observable {
            Observable::Stdout => old.run.stdout != new.run.stdout,
            // The sanitizers write their reports there.
            Observable::Stderr => {
                old.error.is_none() && new.error.is_none() && old.run.stderr != new.run.stderr
            }
            Observable::File(_) => old.run.files != new.run.files || old.run.modes != new.run.modes,
            Observable::End | Observable::ExitStatus | Observable::Returned => {
                old.error != new.error || old.error.is_none() && old.run.end != new.run.end
            }
        };
        Ok(match observables.iter().any(differs) {
            true => None,
            false => Some("the native runs do not differ in it".to_owned()),
        })
    }

    /// Why nothing is run natively, if so.
    pub fn off(&self) -> Option<String> {
        let off = self.runs.confinement.off();
        off.map(|_| format!("it was seen in the VM alone: {NATIVE_RUNS_ARE_OFF}"))
    }

    /// The sanitizers do not see every error of the language. One that they miss is still a difference if the version
    /// plainly does something else than the other, which did what it did in the VM.
    fn without_sanitizers(
        &mut self,
        other: &Seen,
        version: usize,
        test: &TestCase,
        objection: String,
    ) -> error::Result<Option<String>> {
        let undefined = |expected: &Expected| expected.end.undefined;
        if other.error.is_some() || !test.expected.as_ref().is_some_and(undefined) {
            return Ok(Some(objection));
        }
        let first = self.run(test, &self.plain[version], false)?;
        let second = self.run(test, &self.plain[version], false)?;
        match same_behaviour(&first, &second) && !same_behaviour(&first, &other.run) {
            true => {
                self.shown_plainly[version] = true;
                Ok(None)
            }
            false => Ok(Some(objection)),
        }
    }

    /// What the versions do natively, at the same time: each in a folder of its own.
    fn both_seen(
        &mut self,
        old: &TestCase,
        new: &TestCase,
    ) -> error::Result<(Result<Seen, String>, Result<Seen, String>)> {
        let executables = [self.shown_by(0, old)?, self.shown_by(1, new)?];
        let runs = &self.runs;
        let [old, new] = [(0, old), (1, new)].map(|(version, test)| {
            let (which, plain) = (self.names[version], &self.plain[version]);
            let executable = executables[version].as_ref();
            move || runs.seen(which, test, plain, executable)
        });
        let (old, new) = std::thread::scope(|scope| {
            let new = scope.spawn(new);
            (old(), new.join())
        });
        Ok((old?, new.unwrap_or_else(|panic| resume_unwind(panic))?))
    }

    /// The executable that a test is run with; an error says why there is none.
    fn shown_by(
        &mut self,
        version: usize,
        test: &TestCase,
    ) -> error::Result<Result<PathBuf, String>> {
        let expected = test.expected.as_ref();
        let undefined =
            |expected: &Expected| expected.end.undefined && expected.end.kind != EndKind::StepLimit;
        match expected.is_some_and(undefined) {
            true => self.sanitized(version),
            false => Ok(Ok(self.plain[version].clone())),
        }
    }

    pub fn run(
        &self,
        test: &TestCase,
        executable: &Path,
        sanitized: bool,
    ) -> error::Result<NativeRun> {
        self.runs.run(test, executable, sanitized)
    }

    /// What shows a version's behaviour natively: a build with sanitizers where it is undefined.
    pub fn executable(&mut self, version: usize, undefined: bool) -> error::Result<PathBuf> {
        if undefined
            && !self.shown_plainly[version]
            && let Ok(executable) = self.sanitized(version)?
        {
            return Ok(executable);
        }
        Ok(self.plain[version].clone())
    }

    /// Puts a copy of an executable beside an example. All examples share one.
    pub fn place(&mut self, executable: &Path, place: PathBuf) -> std::io::Result<()> {
        let linked = self.placed.get(executable);
        if linked.is_some_and(|copy| std::fs::hard_link(copy, &place).is_ok()) {
            return Ok(());
        }
        std::fs::copy(executable, &place)?;
        self.placed.insert(executable.to_owned(), place);
        Ok(())
    }

    fn sanitized(&mut self, version: usize) -> error::Result<Result<PathBuf, String>> {
        if self.sanitized[version].is_none() {
            let request = &self.requests[version];
            self.sanitized[version] = Some(match self.builder.no_sanitizers(request)? {
                Some(why) => Err(why.to_owned()),
                None => Ok(self
                    .builder
                    .host_program(request, Instrumentation::Sanitizers)?),
            });
        }
        Ok(self.sanitized[version].clone().expect("just made"))
    }
}

/// How native runs are made.
struct Runs<'n> {
    name: Vec<u8>,
    confinement: Confinement,
    /// Where the programs were built.
    folder: PathBuf,
    /// Ends a run; nobody sets it unless somebody else is named here.
    interrupt: &'n AtomicBool,
}

impl Runs<'_> {
    /// What a version does natively, if that is what it did in the VM. `executable` is the one that shows it.
    fn seen(
        &self,
        which: &str,
        test: &TestCase,
        plain: &Path,
        executable: Result<&PathBuf, &String>,
    ) -> error::Result<Result<Seen, String>> {
        let Some(expected) = &test.expected else {
            return Ok(Err("nothing was predicted".to_owned()));
        };
        if expected.end.kind == EndKind::StepLimit {
            let run = self.run_for(test, plain, false, HANG_LIMIT)?;
            let limit = HANG_LIMIT.as_secs();
            return Ok(match run.end {
                NativeEnd::TimedOut | NativeEnd::TooMuchOutput => {
                    let error = Some("no end".to_owned());
                    Ok(Seen { run, error })
                }
                _ => Err(format!(
                    "the {which} version ends natively within {limit} s"
                )),
            });
        }
        let (run, error, verdict) = if expected.end.undefined {
            let executable = match executable {
                Ok(executable) => executable,
                Err(why) => return Ok(Err(format!("{}: {why}", expected.end.description))),
            };
            let run = self.run(test, executable, true)?;
            let verdict = judge_sanitized(expected, &run, &self.folder);
            (run, Some(expected.end.kind.to_string()), verdict)
        } else {
            let first = self.run(test, plain, false)?;
            let second = self.run(test, plain, false)?;
            if !same_behaviour(&first, &second) {
                return Ok(Err(format!(
                    "the {which} version is not deterministic: two native runs of this input differ"
                )));
            }
            let verdict = judge(test, expected, &first);
            (first, None, verdict)
        };
        Ok(match verdict {
            replay::Verdict::AsPredicted | replay::Verdict::Confirmed(_) => Ok(Seen { run, error }),
            replay::Verdict::Mismatch(text) => {
                Err(format!("the {which} version natively: {}", text.trim_end()))
            }
            replay::Verdict::NotConfirmed(why) | replay::Verdict::Skipped(why) => {
                Err(format!("{which}: {why}"))
            }
        })
    }

    fn run(&self, test: &TestCase, executable: &Path, sanitized: bool) -> error::Result<NativeRun> {
        self.run_for(test, executable, sanitized, NATIVE_LIMIT)
    }

    fn run_for(
        &self,
        test: &TestCase,
        executable: &Path,
        sanitized: bool,
        timeout: Duration,
    ) -> error::Result<NativeRun> {
        let surroundings = Surroundings {
            executable,
            program_name: &self.name,
            timeout,
            sanitizers: sanitized.then_some(Symbolize::Yes),
            confinement: &self.confinement,
            interrupt: self.interrupt,
        };
        native::run(test, &surroundings)
    }
}
