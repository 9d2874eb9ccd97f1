//! `parallax init`: looks at a project and writes `parallax.toml`.
//!
//! What the folder shows is tried: a project that needs a build is built once, in the cache, from the files as they lie
//! there, and the programs that come out are listed.

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;

use super::print;
use super::project_file::NAME;
use super::revisions::announce_on_terminal;
use build::Builder;
use build::git::{GitError, Repository, Snapshot};
use build::recipe::{Recipe, System};
use build::revision::{Plan, RevisionError, Tree, Workshop};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The shell command that builds the project, which finds `parallax cc` in $CC [default: what the folder shows]
    #[arg(long, value_name = "COMMAND")]
    build: Option<String>,
    /// Do not try the build
    #[arg(long)]
    no_build: bool,
    /// Replace a parallax.toml that is there
    #[arg(long)]
    force: bool,
}

/// What is known of a project.
struct Project {
    /// In words, with the file that shows it.
    kind: String,
    command: Option<String>,
    programs: Programs,
}

enum Programs {
    Known(Vec<String>),
    /// Why not.
    NotKnown(String),
}

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let is_there = Path::new(NAME).symlink_metadata().is_ok();
    if is_there && !arguments.force {
        bail!("`{NAME}` is already here and stays as it is; give --force to replace it");
    }
    let project = look(arguments)?;
    write(&project.text(), arguments.force)?;
    print(&project.told())?;
    Ok(ExitCode::SUCCESS)
}

fn look(arguments: &Arguments) -> anyhow::Result<Project> {
    let folder = std::env::current_dir().context("cannot find the current folder")?;
    let shown = System::of(&folder)?;
    let (kind, command) = match (&arguments.build, &shown) {
        (Some(command), _) => (
            "a project with a build command".to_owned(),
            Some(command.clone()),
        ),
        (None, Some((system, file))) => {
            let kind = format!("{} (`{}`)", system.name(), file.display());
            (kind, system.command(1))
        }
        (None, None) => bail!(
            "cannot tell how this project is built; looked for {}; give the command with --build 'COMMAND', or start in the \
             folder of the program",
            System::looked_for()
        ),
    };
    let programs = match (&command, shown) {
        (None, Some((system, _))) => Programs::Known(system.programs(&folder)?),
        _ if arguments.no_build => Programs::NotKnown("the build was not tried".to_owned()),
        (Some(command), _) => try_build(&folder, command)?,
        (None, None) => unreachable!("a project without a command is shown by a file"),
    };
    Ok(Project {
        kind,
        command,
        programs,
    })
}

/// The programs that a build of the files as they are makes.
fn try_build(folder: &Path, command: &str) -> anyhow::Result<Programs> {
    let repository = match Repository::around(folder) {
        Err(GitError::NotARepository { .. }) => {
            let why =
                "this is no git repository, so the build was not tried in a folder of its own";
            return Ok(Programs::NotKnown(why.to_owned()));
        }
        result => result?,
    };
    let builder = Builder::new(&announce_on_terminal)?;
    let plan = Plan {
        recipe: Recipe::Command(command.to_owned()),
        target: None,
        compiler_arguments: Vec::new(),
        keep_going: false,
    };
    let snapshot = Snapshot::take(&repository, &builder.cache)?;
    let tree = Tree {
        repository: &snapshot.repository,
        id: &snapshot.tree,
    };
    let workshop = Workshop::new(&builder, &plan)?;
    Ok(match workshop.keep(&builder, tree, "the working tree") {
        Ok(kept) => Programs::Known(kept.program.into_iter().collect()),
        Err(RevisionError::ChooseProgram { candidates }) => Programs::Known(candidates),
        Err(error) => Programs::NotKnown(format!("the build failed: {error}")),
    })
}

impl Project {
    /// The content of `parallax.toml`.
    fn text(&self) -> String {
        let mut text = String::from(
            "# How Parallax builds this project and which inputs it tries. Flags on the command line are stronger.\n\n[build]\n",
        );
        text += &format!("# Recognised: {}.\n", self.kind);
        match &self.command {
            Some(command) => {
                text += "# The build of a revision (`--git`): a shell command that finds its compiler in $CC.\n";
                text += &format!("command = {}\n", quoted(command));
            }
            None => {
                text += "# Its files say how it is built; another way would be said by command = \"…\".\n"
            }
        }
        match &self.programs {
            Programs::NotKnown(why) => {
                for line in why.lines() {
                    text += &format!("# {line}\n");
                }
                text += "# target = \"NAME\"\n";
            }
            Programs::Known(names) => match &names[..] {
                [] => {
                    text +=
                        "# It has no program of its own; `check --fn NAME` compares functions.\n"
                }
                [only] => text += &format!("target = {}\n", quoted(only)),
                [first, ..] => {
                    text += &format!("# Which program is meant; it has {}.\n", names.join(", "));
                    text += &format!("# target = {}\n", quoted(first));
                }
            },
        }
        text += "# More arguments for the compiler, where Parallax calls it itself.\n# cflags = [\"-DNAME=1\"]\n\n";
        text += "[explore]\n# The inputs that `check` and `explore` try; without these lines, small ones of every kind.\n";
        text +=
            "# args = [\"-n\", { sym = 4 }]\n# stdin = { sym = \"0..8\" }\n# timeout = \"5m\"\n";
        text
    }

    /// What the user reads.
    fn told(&self) -> String {
        let mut text = format!("found: {}\n", self.kind);
        if let Some(command) = &self.command {
            text += &format!("build: {command}\n");
        }
        text += &match &self.programs {
            Programs::NotKnown(why) => format!("programs: not known; {why}\n"),
            Programs::Known(names) if names.is_empty() => {
                "programs: none; functions can be compared with `check --fn NAME`\n".to_owned()
            }
            Programs::Known(names) => format!("programs: {}\n", names.join(", ")),
        };
        if let Programs::Known(names) = &self.programs
            && names.len() > 1
        {
            text += &format!(
                "several programs: say which is meant by `target` in {NAME}, or by --target\n"
            );
        }
        text + &format!("wrote {NAME}\n")
    }
}

/// As a text of TOML, which JSON writes the same way.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Complete or not at all.
fn write(text: &str, force: bool) -> anyhow::Result<()> {
    let failing = || format!("cannot write `{NAME}` in this folder");
    let mut file = tempfile::Builder::new()
        .prefix(".parallax-")
        .tempfile_in(".")
        .with_context(failing)?;
    file.write_all(text.as_bytes()).with_context(failing)?;
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    file.as_file()
        .set_permissions(permissions)
        .with_context(failing)?;
    match force {
        true => file.persist(NAME).map(drop).map_err(|error| error.error),
        false => file
            .persist_noclobber(NAME)
            .map(drop)
            .map_err(|error| error.error),
    }
    .or_else(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            bail!("`{NAME}` is already here and stays as it is; give --force to replace it")
        }
        _ => Err(error).with_context(failing),
    })
}
