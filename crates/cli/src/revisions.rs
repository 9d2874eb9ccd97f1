//! `--git`: two revisions of a git repository as the versions to compare.
//!
//! Their files are written to folders in the cache and built there by the project's recipe; the user's files and
//! repository stay as they are.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::OnceLock;

use anyhow::{Context, ensure};
use clap::Args;

use super::announce;
use super::build_options::BuildOptions;
use super::project_file::{self, BuildSettings};

use build::Builder;
use build::cache::Cache;
use build::git::{End, Repository, Snapshot};
use build::recipe::Recipe;
use build::revision::{KeptVersion, Plan, Tree, Workshop};

#[derive(Args, Debug)]
pub(super) struct RevisionArguments {
    /// Compare two revisions of this git repository: OLD..NEW. OLD alone means OLD..HEAD, OLD.. takes the working tree
    /// with all uncommitted changes as the new version, and BRANCH... compares the merge base of BRANCH and HEAD with
    /// HEAD. They are built in the cache; your files are not touched. A build runs with your rights: revisions of strangers
    /// are built with --box-build
    #[arg(long, value_name = "OLD..NEW", conflicts_with_all = ["old", "new", "old_files", "new_files"])]
    git: Option<String>,
    #[command(flatten)]
    recipe: RecipeArguments,
    #[arg(skip)]
    pair: OnceLock<Pair>,
}

/// How a revision is built, if `parallax.toml` does not say it and the folder does not show it.
#[derive(Args, Debug)]
pub(super) struct RecipeArguments {
    /// With --git: the program is these C or Rust files
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "git", conflicts_with = "build")]
    source: Vec<PathBuf>,
    /// With --git: a revision is built by this shell command, which finds `parallax cc` in $CC [default: what the folder
    /// shows: a Cargo package, configure, a Makefile, CMake, Meson, or C files]
    #[arg(long, value_name = "COMMAND", requires = "git")]
    build: Option<String>,
    /// With --git: build in a sandbox, without network, where nothing but the revision's own folder can be written, and neither
    /// your files nor your environment can be read. For revisions of strangers. Dependencies must have been fetched
    #[arg(long, requires = "git")]
    box_build: bool,
}

/// `--box-build`, before anything is built.
pub(super) fn box_builds(wanted: bool) -> anyhow::Result<()> {
    match wanted {
        true => Ok(build::boxed::switch_on(&Cache::locate()?)?),
        false => Ok(()),
    }
}

impl RecipeArguments {
    /// What flags say, and `parallax.toml` where they are silent.
    pub(super) fn plan(&self, options: &BuildOptions) -> anyhow::Result<Plan> {
        box_builds(self.box_build)?;
        let settings = project_file::read()?.build;
        let recipe = match (&self.build, &self.source[..]) {
            (Some(command), _) => Recipe::Command(command.clone()),
            (None, []) => settings.recipe()?,
            (None, sources) => Recipe::Sources(sources.to_vec()),
        };
        let cflags = settings.cflags.iter().map(OsString::from);
        let given = options.compiler_arguments.iter().cloned();
        Ok(Plan {
            recipe,
            target: options.target.clone().or(settings.target),
            compiler_arguments: cflags.chain(given).collect(),
            keep_going: options.keep_going,
        })
    }
}

impl BuildSettings {
    fn recipe(&self) -> anyhow::Result<Recipe> {
        ensure!(
            self.command.is_none() || self.sources.is_empty(),
            "{}: [build] has both a `command` and `sources`; one of them says how the program is built",
            project_file::NAME
        );
        Ok(match &self.command {
            Some(command) => Recipe::Command(command.clone()),
            None if self.sources.is_empty() => Recipe::Folder,
            None => Recipe::Sources(self.sources.clone()),
        })
    }
}

/// Two revisions, built.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) old: KeptVersion,
    pub(super) new: KeptVersion,
    pub(super) labels: [String; 2],
    /// What the program is called.
    pub(super) program: PathBuf,
}

impl RevisionArguments {
    /// The two revisions, if they are asked for. They are built by the first who asks.
    pub(super) fn pair(&self, options: &BuildOptions) -> anyhow::Result<Option<&Pair>> {
        let Some(span) = &self.git else {
            // The parser lets these pass beside files.
            ensure!(
                self.recipe.build.is_none() && self.recipe.source.is_empty(),
                "--build and --source say how a revision is built; say which with --git OLD..NEW"
            );
            ensure!(
                !self.recipe.box_build,
                "--box-build builds revisions in a sandbox, and nothing else: compare these files as revisions with --git OLD..NEW, \
                 or without --box-build, which builds them with all of your rights"
            );
            return Ok(None);
        };
        if self.pair.get().is_none() {
            let pair = build_pair(span, &self.recipe.plan(options)?)?;
            // Who was faster has built the same.
            let _ = self.pair.set(pair);
        }
        Ok(self.pair.get())
    }
}

fn build_pair(span: &str, plan: &Plan) -> anyhow::Result<Pair> {
    let folder = std::env::current_dir().context("cannot find the current folder")?;
    let repository = Repository::around(&folder)?;
    let span = repository.span(span)?;
    if !build::boxed::is_on() {
        hint_at_sandbox(&repository, [&span.old, &span.new])?;
    }
    let builder = Builder::new(&announce_on_terminal)?;
    let workshop = Workshop::new(&builder, plan)?;
    let keep = |end: &End| -> anyhow::Result<KeptVersion> {
        let label = end.label();
        let kept = match end {
            End::Commit { tree, .. } => {
                let tree = Tree {
                    repository: &repository,
                    id: tree,
                };
                workshop.keep(&builder, tree, &label)
            }
            End::WorkingTree => {
                let snapshot = Snapshot::take(&repository, &builder.cache)?;
                let tree = Tree {
                    repository: &snapshot.repository,
                    id: &snapshot.tree,
                };
                workshop.keep(&builder, tree, &label)
            }
        };
        kept.with_context(|| format!("cannot build {label}"))
    };
    let labels = [span.old.label(), span.new.label()];
    let (old, new) = (keep(&span.old)?, keep(&span.new)?);
    if let (Some(before), Some(now)) = (&old.program, &new.program)
        && before != now
    {
        announce(&format!(
            "the program is called `{before}` in {} and `{now}` in {}",
            labels[0], labels[1]
        ));
    }
    let program = new.program.clone().or_else(|| plan.target.clone());
    let program = match program {
        Some(name) => PathBuf::from(name),
        None => match (&plan.recipe, folder.file_name()) {
            (Recipe::Sources(sources), _) => sources[0].with_extension(""),
            (_, Some(name)) => PathBuf::from(name),
            (_, None) => PathBuf::from("program"),
        },
    };
    Ok(Pair {
        old,
        new,
        labels,
        program,
    })
}

/// A line for a revision that the user has only fetched: it may be a stranger's. On branches of one's own one builds anyway.
fn hint_at_sandbox(repository: &Repository, ends: [&End; 2]) -> anyhow::Result<()> {
    let mut fetched = Vec::new();
    for end in ends {
        if let End::Commit { id, .. } = end
            && !repository.is_on_own_branch(id)?
        {
            fetched.push(end.label());
        }
    }
    if !fetched.is_empty() {
        announce(&format!(
            "on no branch of yours, and built with all of your rights: {}; `--box-build` builds in a sandbox",
            fetched.join(" and ")
        ));
    }
    Ok(())
}

/// Who reads a pipe wants the result alone.
pub(super) fn announce_on_terminal(message: &str) {
    if std::io::stderr().is_terminal() {
        announce(message);
    }
}
