//! `parallax complexity --git`: the complexity of every commit of a range.
//!
//! Rows appear in the order of the commits, as soon as all before them are there. After Ctrl-C what is done
//! is printed, and the exit status is 130.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Context, bail};
use signal_hook::consts::{SIGINT, SIGTERM};
use version_diff::render::distribution::{Series, distribution};

use super::progress::Progress;
use super::table::{self, Summary, TableFormat};
use super::versions::BuildOptions;
use super::{complain, print};
use crate::interrupt;
use build::git::Commit;
use build::recipe::Recipe;
use build::revision::Plan;
use campaign::history::{History, Measured, Outcome, detect, of_sources};

/// What the command line asks for.
pub(super) struct Wanted<'a> {
    pub(super) range: &'a str,
    pub(super) sources: &'a [PathBuf],
    pub(super) command: Option<&'a str>,
    pub(super) options: &'a BuildOptions,
    pub(super) workers: Option<usize>,
    pub(super) plot: Option<&'a Path>,
    pub(super) format: TableFormat,
}

pub(super) fn execute(wanted: &Wanted) -> anyhow::Result<ExitCode> {
    let folder = std::env::current_dir().context("cannot find the current folder")?;
    let history = History::of(&folder, wanted.range, |repository, newest| {
        let recipe = match (wanted.command, wanted.sources) {
            (Some(command), _) => Recipe::Command(command.to_owned()),
            (None, []) => detect(repository, newest)?,
            (None, sources) => of_sources(sources, repository, newest)?,
        };
        Ok(Plan {
            recipe,
            target: wanted.options.target.clone(),
            compiler_arguments: wanted.options.compiler_arguments.clone(),
            keep_going: wanted.options.keep_going,
        })
    })?;
    // A name that cannot be written to costs nothing if it is tried first.
    if let Some(path) = wanted.plot {
        std::fs::write(path, "").with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    let workers = wanted
        .workers
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get));
    // Set in the signal's handler: a compiler that the same signal ended must not look like a commit that
    // does not build.
    let interrupted = interrupt::watch()?;
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])
        .context("cannot watch for Ctrl-C")?;
    let output = Mutex::new(Output::new(history.commits.clone(), wanted, workers));
    let lock = || output.lock().expect("printing does not panic");
    lock().start()?;
    let handle = signals.handle();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            if let Some(signal) = signals.forever().next() {
                let status = match lock().finish(true) {
                    Ok(_) => 128 + signal,
                    Err(error) => {
                        complain(&error);
                        2
                    }
                };
                // Compilers may still be at work; what they leave is removed by the next build.
                std::process::exit(status);
            }
        });
        let result = history.measure(workers, &|number, outcome| {
            let mut output = lock();
            if !interrupted.load(Ordering::SeqCst) {
                output.take(number, outcome);
            }
        });
        handle.close();
        result?;
        // A signal that came with the last row: no other thread may be left to see it.
        let is_interrupted = interrupted.load(Ordering::SeqCst);
        lock().finish(is_interrupted)
    })
}

/// What has been measured so far, and how much of it has been printed.
struct Output<'a> {
    commits: Vec<Commit>,
    outcomes: Vec<Option<Outcome>>,
    /// Rows before this one are printed.
    printed: usize,
    progress: Progress,
    wanted: Wanted<'a>,
    workers: usize,
    start: Instant,
    /// The first failure to print, which ends the command when the work is done.
    failure: Option<anyhow::Error>,
}

impl<'a> Output<'a> {
    fn new(commits: Vec<Commit>, wanted: &Wanted<'a>, workers: usize) -> Output<'a> {
        Output {
            outcomes: vec![None; commits.len()],
            progress: Progress::new("commits", commits.len()),
            commits,
            printed: 0,
            wanted: Wanted { ..*wanted },
            workers,
            start: Instant::now(),
            failure: None,
        }
    }

    fn start(&self) -> anyhow::Result<()> {
        self.progress.show(0);
        self.say(&table::header(self.wanted.format))
    }

    fn take(&mut self, number: usize, outcome: Outcome) {
        self.outcomes[number] = Some(outcome);
        while let Some(Some(outcome)) = self.outcomes.get(self.printed) {
            let row = table::row(&self.commits[self.printed], outcome, self.wanted.format);
            if let Err(error) = self.say(&row) {
                self.failure.get_or_insert(error);
            }
            self.printed += 1;
        }
        let done = self.outcomes.iter().flatten().count();
        self.progress.show(done);
    }

    /// Prints the rest: what is done but was waiting for others before it, and the summary.
    fn finish(&mut self, is_interrupted: bool) -> anyhow::Result<ExitCode> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let done: Vec<(&Commit, &Outcome)> = self
            .commits
            .iter()
            .zip(&self.outcomes)
            .filter_map(|(commit, outcome)| Some((commit, outcome.as_ref()?)))
            .collect();
        let rest = self.commits.iter().zip(&self.outcomes).skip(self.printed);
        for (commit, outcome) in rest {
            if let Some(outcome) = outcome {
                self.say(&table::row(commit, outcome, self.wanted.format))?;
            }
        }
        let summary = Summary::of(&done, self.commits.len(), is_interrupted);
        self.say(&table::end(&done, &summary, self.wanted.format))?;
        self.progress.clear();
        if self.wanted.format == TableFormat::Text {
            eprintln!(
                "parallax: {:.1} s in all, with {} at a time",
                self.start.elapsed().as_secs_f64(),
                self.workers
            );
        }
        let measured: Vec<&Measured> = summary.measured.clone();
        if let Some(path) = self.wanted.plot {
            let picture = draw(&measured, &summary, self.wanted.range);
            std::fs::write(path, picture)
                .with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        if measured.is_empty() && !is_interrupted {
            bail!("no commit could be measured; the lines above say why");
        }
        Ok(ExitCode::SUCCESS)
    }

    /// To standard output, with the progress bar out of the way.
    fn say(&self, text: &str) -> anyhow::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.progress.clear();
        print(text)?;
        // A row is seen when it is there.
        let _ = std::io::stdout().flush();
        Ok(())
    }
}

fn draw(measured: &[&Measured], summary: &Summary, range: &str) -> String {
    let changed = measured.iter().filter(|one| one.complexity.nodes > 0);
    let values = |value: fn(&Measured) -> u64| changed.clone().map(|one| value(one)).collect();
    let series = [
        Series {
            name: "CyCC".to_owned(),
            meaning: "cyclomatic change complexity".to_owned(),
            values: values(|one| one.complexity.cycc),
        },
        Series {
            name: "CLoC".to_owned(),
            meaning: "changed executable lines".to_owned(),
            values: values(|one| one.complexity.cloc),
        },
    ];
    distribution(
        &format!("Complexity of the commits {range}"),
        &summary.in_words(),
        &series,
    )
}
