//! `parallax replay`: runs tests on the native build and compares with what the VM predicted.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use serde_json::json;

use super::native_options::NativeOptions;
use super::progress::Progress;
use super::{Format, Program, announce, print};
use crate::interrupt;
use build::Builder;
use build::host::Instrumentation;
use native::process::{self, NativeEnd, Surroundings, Symbolize};
use native::replay::{Needed, Verdict, judge, judge_sanitized, needed};
use native::test_case::{TestCase, shell_word};
use report::words::counted;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    program: Program,
    /// The tests: a folder of folders as `parallax explore` writes them, or one of these
    #[arg(long, value_name = "DIR")]
    tests: PathBuf,
    /// The most time for one native run
    #[arg(long, value_name = "TIME", value_parser = super::notation::duration, default_value = "10s")]
    timeout: Duration,
    /// Whether predicted memory errors are confirmed on a build with sanitizers
    #[arg(long, value_enum, default_value = "auto")]
    sanitize: Sanitize,
    #[command(flatten)]
    native: NativeOptions,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Sanitize {
    /// Where such a build is possible
    Auto,
    Never,
}

/// Exit status after Ctrl-C, as of a shell command.
const INTERRUPTED: u8 = 130;

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let interrupt = interrupt::watch()?;
    let tests = TestCase::read_all(&arguments.tests)?;
    if tests.is_empty() {
        bail!(
            "`{}` holds no tests; write some with `parallax explore … --tests {}`",
            arguments.tests.display(),
            shell_word(arguments.tests.as_os_str().as_bytes())
        );
    }
    let confinement = arguments.native.needed("no test can be replayed")?;
    let builder = Builder::new(&announce)?;
    let request = arguments.program.request();
    let plain = builder.host_program(&request, Instrumentation::Nothing)?;
    let mut sanitized = Sanitized::NotAsked;
    // Errors whose lines a sanitizer has named.
    let mut named = BTreeSet::new();
    process::adopt_umask();
    let program_name = arguments.program.name();
    let plain_surroundings = Surroundings {
        executable: &plain,
        program_name: &program_name,
        timeout: arguments.timeout,
        sanitizers: None,
        confinement: &confinement,
        interrupt: &interrupt,
    };
    let folder = std::env::current_dir().context("cannot tell the current folder")?;
    let start = Instant::now();
    let mut results: Vec<(&str, &TestCase, Verdict)> = Vec::new();
    let progress = Progress::new("tests", tests.len());
    for (name, test) in &tests {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        progress.show(results.len());
        let verdict = match (needed(test), &test.expected) {
            (Needed::Plain, Some(expected)) => {
                let run = process::run(test, &plain_surroundings)?;
                if run.end == NativeEnd::Interrupted {
                    break;
                }
                judge(test, expected, &run)
            }
            (Needed::Sanitizers, Some(expected)) => {
                if let Sanitized::NotAsked = sanitized {
                    sanitized = Sanitized::ask(&builder, arguments)?;
                }
                match &sanitized {
                    Sanitized::Built(executable) => {
                        let end = &expected.end;
                        let place = (end.kind, end.file.clone(), end.line);
                        let symbolize = match named.insert(place) {
                            true => Symbolize::Yes,
                            false => Symbolize::No,
                        };
                        let surroundings = Surroundings {
                            executable,
                            sanitizers: Some(symbolize),
                            ..plain_surroundings
                        };
                        let run = process::run(test, &surroundings)?;
                        if run.end == NativeEnd::Interrupted {
                            break;
                        }
                        judge_sanitized(expected, &run, &folder)
                    }
                    Sanitized::Impossible(why) => {
                        Verdict::NotConfirmed(format!("{}: {why}", expected.end.description))
                    }
                    Sanitized::NotAsked => unreachable!("asked above"),
                }
            }
            (Needed::Nothing(why), _) => Verdict::Skipped(why),
            (_, None) => Verdict::Skipped("it predicts nothing".to_owned()),
        };
        results.push((name, test, verdict));
    }
    progress.clear();
    let report = ReplayReport {
        arguments,
        program_name: &program_name,
        results: &results,
        all: tests.len(),
        wall: start.elapsed(),
    };
    match arguments.format {
        Format::Text => print(&report.text())?,
        Format::Json => print(&format!("{}\n", report.json()))?,
    }
    Ok(if report.count(is_mismatch) > 0 {
        ExitCode::from(1)
    } else if results.len() < tests.len() {
        ExitCode::from(INTERRUPTED)
    } else {
        ExitCode::SUCCESS
    })
}

/// The build with sanitizers, made when the first test needs it.
enum Sanitized {
    NotAsked,
    Built(PathBuf),
    Impossible(String),
}

impl Sanitized {
    fn ask(builder: &Builder, arguments: &Arguments) -> anyhow::Result<Sanitized> {
        if arguments.sanitize == Sanitize::Never {
            return Ok(Sanitized::Impossible(
                "--sanitize never was given".to_owned(),
            ));
        }
        let request = arguments.program.request();
        if let Some(why) = builder.no_sanitizers(&request)? {
            return Ok(Sanitized::Impossible(why));
        }
        let executable = builder.host_program(&request, Instrumentation::Sanitizers)?;
        Ok(Sanitized::Built(executable))
    }
}

/// Whether a verdict is of a kind.
type Choice = fn(&Verdict) -> bool;

fn is_mismatch(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Mismatch(_))
}

/// The result, for people and for machines.
struct ReplayReport<'r> {
    arguments: &'r Arguments,
    program_name: &'r [u8],
    results: &'r [(&'r str, &'r TestCase, Verdict)],
    all: usize,
    wall: Duration,
}

impl ReplayReport<'_> {
    fn count(&self, is: Choice) -> usize {
        self.results
            .iter()
            .filter(|(_, _, verdict)| is(verdict))
            .count()
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (name, test, verdict) in self.results {
            let (head, body) = match verdict {
                Verdict::AsPredicted | Verdict::Skipped(_) => continue,
                Verdict::Confirmed(report) => {
                    text += &format!("{name}: confirmed: {report}\n");
                    continue;
                }
                Verdict::NotConfirmed(why) => {
                    text += &format!("{name}: not confirmed: {why}\n");
                    continue;
                }
                Verdict::Mismatch(body) => ("not as predicted", body),
            };
            text += &format!("{name}: {head}\n");
            let words: Vec<String> = test
                .program
                .iter()
                .chain(&test.args)
                .map(|arg| shell_word(arg))
                .collect();
            text += &format!("  input: {}\n", words.join(" "));
            if !test.stdin.is_empty() {
                text += &format!("  stdin: {}\n", shell_word(&test.stdin));
            }
            for line in body.lines() {
                text += &format!("  {line}\n");
            }
        }
        text += &format!(
            "{}: {} of {} replayed in {:.1} s: {} as predicted",
            self.arguments.program.inputs[0].display(),
            self.results.len() - self.count(|verdict| matches!(verdict, Verdict::Skipped(_))),
            counted(self.all as u64, "test"),
            self.wall.as_secs_f64(),
            self.count(|v| matches!(v, Verdict::AsPredicted | Verdict::Confirmed(_))),
        );
        let parts: [(Choice, &str); 4] = [
            (
                |verdict| matches!(verdict, Verdict::Confirmed(_)),
                "of these confirmed by a sanitizer",
            ),
            (is_mismatch, "not as predicted"),
            (
                |verdict| matches!(verdict, Verdict::NotConfirmed(_)),
                "not confirmed",
            ),
            (
                |verdict| matches!(verdict, Verdict::Skipped(_)),
                "skipped because they predict nothing",
            ),
        ];
        for (is, words) in parts {
            let count = self.count(is);
            if count > 0 {
                text += &format!(", {count} {words}");
            }
        }
        if self.results.len() < self.all {
            text += "; interrupted";
        }
        text.push('\n');
        text
    }

    fn json(&self) -> serde_json::Value {
        let list = |select: fn(&Verdict) -> Option<&String>| -> Vec<serde_json::Value> {
            let chosen = self.results.iter().filter_map(|(name, _, verdict)| {
                let why = select(verdict)?;
                let test = self.path(name);
                Some(json!({"test": test, "what": why.trim_end()}))
            });
            chosen.collect()
        };
        json!({
            "program": self.arguments.program.inputs,
            "argv0": String::from_utf8_lossy(self.program_name),
            "tests": self.all,
            "as_predicted": self.count(|v| matches!(v, Verdict::AsPredicted | Verdict::Confirmed(_))),
            "confirmed": list(|verdict| match verdict { Verdict::Confirmed(what) => Some(what), _ => None }),
            "mismatches": list(|verdict| match verdict { Verdict::Mismatch(what) => Some(what), _ => None }),
            "not_confirmed": list(|verdict| match verdict { Verdict::NotConfirmed(what) => Some(what), _ => None }),
            "skipped": list(|verdict| match verdict { Verdict::Skipped(what) => Some(what), _ => None }),
            "interrupted": self.results.len() < self.all,
            "wall_ms": self.wall.as_millis() as u64,
        })
    }

    /// A folder of tests, or a single test.
    fn path(&self, name: &str) -> PathBuf {
        let folder: &Path = &self.arguments.tests;
        match folder.join("argv").is_file() {
            true => folder.to_owned(),
            false => folder.join(name),
        }
    }
}
