//! `parallax review`: somebody goes through the differences of a saved report and says which are intended. These are listed in
//! `parallax-accepted.toml`, and later checks tell them apart from the others.
//!
//! Each decision is written when it is made, so nothing is lost when a review is broken off.
//!
//! Exit status: 0 if every difference is accepted, 1 if not, 2 for errors.

use std::collections::BTreeMap;
use std::io::{BufRead, IsTerminal, StdinLock, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ::build::git::Repository;
use anyhow::{Context, bail};
use clap::Args;
use compare::Report;
use compare::confirm::Acceptance;
use report::Marks;
use report::review::{Reviewed, reviewed};
use report::words::counted;

use crate::accepted_file::{AcceptedFile, AcceptedOptions};
use crate::report_format::marks;
use crate::{announce, print, saved_report};

const KEYS: &str =
    "i intended, with a reason; r regression; l later; u undo; s show again; f filter; q quit";

#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// What `parallax check --save FILE` has written
    #[arg(value_name = "FILE")]
    saved: PathBuf,
    #[command(flatten)]
    accepted: AcceptedOptions,
    /// List the differences with their fingerprints, and decide nothing
    #[arg(long, conflicts_with_all = ["accept", "forget"])]
    list: bool,
    /// Accept the difference with this fingerprint, without asking; may be repeated
    #[arg(long, value_name = "FINGERPRINT", requires = "reason")]
    accept: Vec<String>,
    /// Take back that the difference with this fingerprint is accepted; may be repeated
    #[arg(long, value_name = "FINGERPRINT")]
    forget: Vec<String>,
    /// Why the difference is intended
    #[arg(long, value_name = "TEXT", requires = "accept")]
    reason: Option<String>,
    /// Who decides [default: the name that git has, or the user's]
    #[arg(long, value_name = "NAME")]
    author: Option<String>,
    /// Only differences in whose text this occurs
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let found = saved_report::read(&arguments.saved)?;
    let mut file = arguments.accepted.file()?;
    let all = reviewed(&found);
    if arguments.list {
        print(&list(&all, file.entries()))?;
    } else if !arguments.accept.is_empty() || !arguments.forget.is_empty() {
        as_told(arguments, &all, &mut file)?;
    } else {
        let author = author(arguments);
        let only = arguments.only.clone().unwrap_or_default();
        let mut review = Review {
            found: &found,
            all: &all,
            file,
            author,
            only,
            regressions: Vec::new(),
            input: std::io::stdin().lock(),
        };
        review.walk()?;
        print(&review.closing())?;
        file = review.file;
    }
    let is_left = all.iter().any(|one| !is_accepted(one, file.entries()));
    Ok(ExitCode::from(u8::from(is_left)))
}

fn is_accepted(one: &Reviewed, accepted: &BTreeMap<String, Acceptance>) -> bool {
    accepted.contains_key(&one.fingerprint)
}

/// A line for each difference.
fn list(all: &[Reviewed], accepted: &BTreeMap<String, Acceptance>) -> String {
    let lines = all.iter().map(|one| {
        let state = match accepted.get(&one.fingerprint) {
            Some(acceptance) => format!("accepted: {}", report::accepted::because(acceptance)),
            None => match &one.intended {
                Some(why) => format!("open; probably intended: {why}"),
                None => "open".to_owned(),
            },
        };
        format!(
            "{}  {}. {}\n              {state}\n",
            one.fingerprint, one.number, one.what
        )
    });
    lines.collect()
}

/// Decisions from the command line.
fn as_told(arguments: &Arguments, all: &[Reviewed], file: &mut AcceptedFile) -> anyhow::Result<()> {
    // All are looked for before one is decided.
    let mut accept = Vec::new();
    for fingerprint in &arguments.accept {
        let mut known = all.iter();
        let Some(one) = known.find(|one| one.fingerprint == *fingerprint) else {
            bail!(
                "the report has no difference {fingerprint}; `parallax review {} --list` lists what it has",
                arguments.saved.display()
            );
        };
        accept.push(one);
    }
    for fingerprint in &arguments.forget {
        if !file.entries().contains_key(fingerprint) {
            bail!(
                "`{}` does not accept {fingerprint}, so there is nothing to take back",
                file.path().display()
            );
        }
    }
    let reason = arguments.reason.as_deref().unwrap_or_default().trim();
    if !accept.is_empty() && reason.is_empty() {
        bail!("`--reason` is empty; say why the difference is intended");
    }
    let acceptance = || Acceptance {
        reason: reason.to_owned(),
        author: author(arguments),
        date: today(),
    };
    for one in accept {
        file.accept(one, acceptance())?;
    }
    for fingerprint in &arguments.forget {
        file.forget(fingerprint)?;
    }
    announce(&format!("wrote {}", file.path().display()));
    Ok(())
}

fn author(arguments: &Arguments) -> String {
    let of_git = || Repository::around(Path::new(".")).ok()?.user_name();
    let of_system = || std::env::var("USER").ok();
    let author = arguments.author.clone().or_else(of_git).or_else(of_system);
    author.unwrap_or_else(|| "unknown".to_owned())
}

fn today() -> String {
    chrono::Local::now().format("%Y-%m-%d").to_string()
}

/// What somebody decides on a difference.
enum Decision {
    Intended(String),
    Regression,
    Later,
    Undo,
    Show,
    Filter(String),
    Quit,
}

/// A walk through the differences.
struct Review<'r> {
    found: &'r Report,
    all: &'r [Reviewed],
    file: AcceptedFile,
    author: String,
    /// Only differences in whose text this occurs.
    only: String,
    /// By their places in the list.
    regressions: Vec<usize>,
    input: StdinLock<'static>,
}

impl Review<'_> {
    fn walk(&mut self) -> anyhow::Result<()> {
        let open = self.all.iter();
        let open = open.filter(|one| !is_accepted(one, self.file.entries()));
        let many = counted(open.count() as u64, "difference");
        self.say(&format!(
            "{many} to decide on; decisions are written to {}\n{KEYS}\n",
            self.file.path().display()
        ))?;
        // What was decided on, in order.
        let mut decided: Vec<usize> = Vec::new();
        let mut at = 0;
        while let Some(place) = self.next_open(at) {
            self.show(place)?;
            match self.decision()? {
                Decision::Intended(reason) => {
                    let acceptance = Acceptance {
                        reason,
                        author: self.author.clone(),
                        date: today(),
                    };
                    self.file.accept(&self.all[place], acceptance)?;
                    decided.push(place);
                    at = place + 1;
                }
                Decision::Regression => {
                    self.regressions.push(place);
                    decided.push(place);
                    at = place + 1;
                }
                Decision::Later => {
                    decided.push(place);
                    at = place + 1;
                }
                Decision::Undo => match decided.pop() {
                    None => self.say("nothing was decided yet\n")?,
                    Some(last) => {
                        let fingerprint = &self.all[last].fingerprint;
                        if self.file.entries().contains_key(fingerprint) {
                            self.file.forget(fingerprint)?;
                        }
                        self.regressions.retain(|&own| own != last);
                        at = last;
                    }
                },
                Decision::Show => at = place,
                Decision::Filter(only) => {
                    self.only = only;
                    at = 0;
                }
                Decision::Quit => return Ok(()),
            }
        }
        Ok(())
    }

    /// The first difference from this place on that nobody has decided on.
    fn next_open(&self, from: usize) -> Option<usize> {
        (from..self.all.len()).find(|&place| {
            let one = &self.all[place];
            let text = self.text(one, Marks::Signs);
            !is_accepted(one, self.file.entries())
                && !self.regressions.contains(&place)
                && text.contains(&self.only)
        })
    }

    fn text(&self, one: &Reviewed, marks: Marks) -> String {
        let mut text = report::one_difference(self.found, one.number, marks);
        text += &format!("   fingerprint: {}\n", one.fingerprint);
        if let Some(why) = &one.intended {
            text += &format!("   probably intended: {why}\n");
        }
        text
    }

    fn show(&self, place: usize) -> anyhow::Result<()> {
        let text = self.text(&self.all[place], marks());
        let of = self.all.len();
        self.say(&format!("\n[{} of {of}] {text}", place + 1))
    }

    fn say(&self, text: &str) -> anyhow::Result<()> {
        print(text)?;
        std::io::stdout()
            .flush()
            .context("cannot write to standard output")
    }

    /// A line of the user's; nothing at the end of the input.
    fn ask(&mut self, prompt: &str) -> anyhow::Result<Option<String>> {
        self.say(prompt)?;
        let mut line = String::new();
        let read = self.input.read_line(&mut line);
        let read = read.context("cannot read what you type")?;
        if !std::io::stdin().is_terminal() || read == 0 {
            self.say("\n")?;
        }
        Ok((read > 0).then(|| line.trim().to_owned()))
    }

    fn decision(&mut self) -> anyhow::Result<Decision> {
        loop {
            let Some(key) = self.ask("i, r, l, u, s, f, q or ? > ")? else {
                return Ok(Decision::Quit);
            };
            return Ok(match key.as_str() {
                "i" => match self.ask("why is it intended? > ")? {
                    None => Decision::Quit,
                    Some(reason) if reason.is_empty() => {
                        self.say("an accepted difference needs a reason\n")?;
                        continue;
                    }
                    Some(reason) => Decision::Intended(reason),
                },
                "r" => Decision::Regression,
                "l" => Decision::Later,
                "u" => Decision::Undo,
                "s" => Decision::Show,
                "f" => match self.ask("only those with this text (empty: all) > ")? {
                    None => Decision::Quit,
                    Some(only) => Decision::Filter(only),
                },
                "q" => Decision::Quit,
                _ => {
                    self.say(&format!("{KEYS}\n"))?;
                    continue;
                }
            });
        }
    }

    /// What has come of it.
    fn closing(&self) -> String {
        let (accepted, open): (Vec<_>, Vec<_>) =
            (self.all.iter()).partition(|one| is_accepted(one, self.file.entries()));
        let regressions = self.regressions.len();
        let mut text = format!(
            "\n{} accepted, {}, {} open\n",
            counted(accepted.len() as u64, "difference"),
            counted(regressions as u64, "regression"),
            open.len() - regressions
        );
        for &place in &self.regressions {
            let one = &self.all[place];
            text += &format!(
                "regression: {}. {} [{}]\n",
                one.number, one.what, one.fingerprint
            );
        }
        text
    }
}
