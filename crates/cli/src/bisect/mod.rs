//! `parallax bisect`: which commits of a range change what a program does on one input, and which undo it.
//!
//! Each commit that is asked is built once, in a work folder in the cache, and run in the VM, where a run is the same
//! every time. Exit status: 0 nothing changes, 1 changes found, 2 usage or build error.

mod behaviour;
mod report;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use clap::Args;

use super::build_options::BuildOptions;
use super::revisions::RecipeArguments;
use super::{Format, announce, print};
use behaviour::{Behaviour, Stage};
use build::Builder;
use build::git::{Repository, short};
use build::revision::{Tree, WorkPlace, Workshop};
use campaign::bisect::{Answer, AskError, Bisection, Revision, Thoroughness};
use native::test_case::TestCase;
use report::BisectReport;

#[derive(Args, Debug)]
#[command(
    override_usage = "parallax bisect [OPTIONS] --git <GOOD..BAD> <TEST>\n       \
                      parallax bisect [OPTIONS] --git <GOOD..BAD> [--stdin <FILE>] -- [ARGUMENT]..."
)]
pub(super) struct Arguments {
    /// The input: a test as `check` and `explore` write it, a folder with `argv`, or with `new/argv`
    #[arg(value_name = "TEST", conflicts_with_all = ["stdin", "environment", "files", "arguments"])]
    test: Option<PathBuf>,
    /// The commits to look at, along first parents: those after GOOD up to BAD; GOOD.. means up to HEAD. They are built in
    /// the cache; your files are not touched
    #[arg(long, value_name = "GOOD..BAD", required = true)]
    git: String,
    #[command(flatten)]
    recipe: RecipeArguments,
    #[command(flatten)]
    options: BuildOptions,
    /// Ask every commit, to find every change. Without this the range is halved until one change is found
    #[arg(long)]
    all: bool,
    /// What the program reads from standard input, which is empty otherwise
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// A variable of the program's environment, which is empty otherwise; may be repeated
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = super::run::pair)]
    environment: Vec<(String, String)>,
    /// A file of the working folder: a copy of a host file; may be repeated
    #[arg(long = "file", value_name = "HOST=GUEST", value_parser = super::run::pair)]
    files: Vec<(String, String)>,
    /// Instructions after which a run counts as one that does not end
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    max_steps: u64,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// The program's arguments
    #[arg(last = true)]
    arguments: Vec<OsString>,
}

/// If the ends of a range do the same, every commit is asked if there are no more than these.
const FEW: usize = 32;

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let test = arguments.input()?;
    let (old, _) = arguments.ends()?;
    let folder = std::env::current_dir().context("cannot find the current folder")?;
    let repository = Repository::around(&folder)?;
    let plan = arguments.recipe.plan(&arguments.options)?;
    let builder = Builder::new(&announce)?;
    let workshop = Workshop::new(&builder, &plan)?;
    let place = WorkPlace::take(&builder.cache, repository.place())?;
    let name = test.program.clone().or_else(|| {
        let target = plan.target.clone().map(String::into_bytes);
        target.or_else(|| Some(folder.file_name()?.as_bytes().to_vec()))
    });
    let stage = Stage::new(
        &test,
        name.as_deref().unwrap_or(b"program"),
        arguments.max_steps,
    );
    let mut built = 0;
    let mut ask = |version: &Revision| -> Result<Answer<Behaviour>, AskError> {
        let tree = Tree {
            repository: &repository,
            id: &version.tree,
        };
        let module = match workshop.module(&builder, &place, tree) {
            Ok(module) => module,
            Err(error) => {
                let place = format!("{}/", place.folder().display());
                let reason = error.to_string().replace(&place, "");
                built += 1;
                return Ok(Err(format!("it does not build: {reason}")));
            }
        };
        built += usize::from(module.is_new);
        if !module.has_main {
            return Ok(Err("it builds no program with a `main`".to_owned()));
        }
        Ok(stage.run(&module.image)?)
    };
    let mut search = Bisection::new(&repository, &mut ask);
    let thoroughness = match arguments.all {
        true => Thoroughness::Every,
        false => Thoroughness::Halving,
    };
    let mut found = search.run(&arguments.git, thoroughness)?;
    let mut every = arguments.all;
    if found.changes.is_empty() && !every && found.line.len() <= FEW {
        found = search.run(&arguments.git, Thoroughness::Every)?;
        every = true;
    }
    let asked = search.asked();
    every |= search.all_asked(&found.line);
    let base = repository.commit_id(&old)?;
    if found.line[0].commit != base {
        announce(&format!(
            "{old} is not on the line of first parents: it is followed from {}, where the two parted",
            short(&found.line[0].commit)
        ));
    }
    let report = BisectReport {
        range: &arguments.git,
        found: &found,
        asked,
        built,
        every,
    };
    print(&match arguments.format {
        Format::Text => report.text(),
        Format::Json => format!("{:#}\n", report.json()),
    })?;
    Ok(ExitCode::from(u8::from(!found.changes.is_empty())))
}

impl Arguments {
    /// The two revisions of the range.
    fn ends(&self) -> anyhow::Result<(String, String)> {
        let Some((old, new)) = self.git.split_once("..") else {
            bail!(
                "`{}` is one revision; give GOOD..BAD, the range in which the behaviour changed",
                self.git
            );
        };
        let or_head = |name: &str| match name {
            "" => "HEAD".to_owned(),
            name => name.to_owned(),
        };
        Ok((or_head(old), or_head(new)))
    }

    fn input(&self) -> anyhow::Result<TestCase> {
        if let Some(folder) = &self.test {
            return read_test(folder);
        }
        let stdin = match &self.stdin {
            Some(path) => std::fs::read(path)
                .with_context(|| format!("cannot read standard input from `{}`", path.display()))?,
            None => Vec::new(),
        };
        let mut files = BTreeMap::new();
        for (host, guest) in &self.files {
            let content = std::fs::read(host)
                .with_context(|| format!("cannot read host file `{host}` for `--file`"))?;
            files.insert(PathBuf::from(guest), content);
        }
        let environment = self.environment.iter();
        Ok(TestCase {
            program: None,
            args: self
                .arguments
                .iter()
                .map(|argument| argument.as_bytes().to_vec())
                .collect(),
            stdin,
            environment: environment
                .map(|(name, value)| (name.clone(), value.clone().into_bytes()))
                .collect(),
            files,
            variables: BTreeMap::new(),
            expected: None,
        })
    }
}

/// A test by itself, or the one in the folder of a difference.
fn read_test(folder: &Path) -> anyhow::Result<TestCase> {
    let places = [folder.to_owned(), folder.join("new")];
    let Some(place) = places.iter().find(|place| place.join("argv").is_file()) else {
        bail!(
            "`{}` is no test: it has neither `argv` nor `new/argv`; give the folder of a test or of a difference, or the \
             program's arguments behind `--`",
            folder.display()
        );
    };
    let test = TestCase::read(place)?;
    ensure!(
        test.variables.is_empty(),
        "`{}` is a test of one function, made by a driver that no commit has; give an input of the whole program",
        place.display()
    );
    Ok(test)
}
