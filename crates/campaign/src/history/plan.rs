//! How the files of a commit become a program.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::HistoryError;
use super::git::{Checkout, Commit, Repository};
use build::cache::{Cache, Key};
use build::error::BuildError;
use build::libc::{self, Libc};
use build::toolchain::{Toolchain, output_of};
use build::{Builder, Built, Request};

const KIND: &str = "versions";

#[derive(Debug, Clone)]
pub struct Plan {
    pub recipe: Recipe,
    /// Which program or library of a project.
    pub target: Option<String>,
    pub compiler_arguments: Vec<std::ffi::OsString>,
    pub keep_going: bool,
}

/// Paths are relative to the folder of the repository that the user stands in.
#[derive(Debug, Clone)]
pub enum Recipe {
    /// These files together.
    Sources(Vec<PathBuf>),
    /// What the folder is by itself: a Cargo package, a project with a compilation database, or C files.
    Folder,
    /// A shell command with `CC` set to `parallax cc`, then what it has built.
    Command(String),
}

#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error(
        "cannot tell how to build the commits of this repository: {reason}; give --source FILE... for a \
         program of these C or Rust files, --build 'COMMAND' for a project with a build system, or start in \
         the folder of a Cargo package"
    )]
    NoRecipe { reason: String },

    #[error(
        "`{}` is not in {commit}, the newest commit of the range; give a file that git knows there",
        .path.display()
    )]
    NoSuchSource { path: PathBuf, commit: String },
}

impl Recipe {
    /// What the folder looks like in the newest commit.
    pub fn detect(repository: &Repository, newest: &Commit) -> Result<Recipe, HistoryError> {
        let has = |name: &str| repository.has_file(&newest.tree, &repository.prefix.join(name));
        if has("Cargo.toml")? || has("compile_commands.json")? {
            return Ok(Recipe::Folder);
        }
        let here = match repository.prefix.as_os_str().is_empty() {
            true => "its top folder".to_owned(),
            false => format!("`{}`", repository.prefix.display()),
        };
        for name in build::BUILD_SYSTEMS {
            if has(name)? {
                let reason = format!("{here} has a {name}, and what it does must be said");
                return Err(PlanError::NoRecipe { reason }.into());
            }
        }
        let files = repository.files_in(&newest.tree, &repository.prefix)?;
        if files.iter().any(|name| name.ends_with(".c")) {
            return Ok(Recipe::Folder);
        }
        let reason = format!("{here} has neither a Cargo.toml nor C files");
        Err(PlanError::NoRecipe { reason }.into())
    }

    /// These files, which the newest commit must have.
    pub fn of_sources(
        sources: &[PathBuf],
        repository: &Repository,
        newest: &Commit,
    ) -> Result<Recipe, HistoryError> {
        for source in sources {
            if !repository.has_file(&newest.tree, &repository.prefix.join(source))? {
                let error = PlanError::NoSuchSource {
                    path: source.clone(),
                    commit: newest.id[..newest.id.len().min(10)].to_owned(),
                };
                return Err(error.into());
            }
        }
        Ok(Recipe::Sources(sources.to_vec()))
    }
}

/// A version that was built.
#[derive(Debug, Clone)]
pub(super) struct Version {
    pub(super) image: PathBuf,
    /// Content hash of the linked module.
    pub(super) hash: String,
    /// Where it was built, as far as the module may name it.
    pub(super) place: PathBuf,
    pub(super) compilation: Duration,
}

/// A version in the cache.
#[derive(Serialize, Deserialize)]
struct Record {
    module: String,
    place: PathBuf,
}

/// Everything that all versions of a history have in common.
pub(super) struct Surroundings<'a> {
    repository: &'a Repository,
    plan: &'a Plan,
    libc: Libc,
    rustc: Vec<u8>,
}

impl<'a> Surroundings<'a> {
    pub(super) fn new(
        repository: &'a Repository,
        plan: &'a Plan,
    ) -> Result<Surroundings<'a>, BuildError> {
        let tools = Toolchain::locate()?;
        let libc = libc::ensure(&Cache::locate()?, &tools, &|_| {})?;
        let rustc = match output_of(Command::new("rustc").arg("-vV")) {
            Ok(output) => output.stdout,
            Err(_) => Vec::new(),
        };
        Ok(Surroundings {
            repository,
            plan,
            libc,
            rustc,
        })
    }

    /// Builds a tree, or finds it built. An error is in words: it becomes a line of the table.
    pub(super) fn build(
        &self,
        builder: &Builder,
        checkout: &Checkout,
        tree: &str,
    ) -> Result<Version, String> {
        let start = Instant::now();
        // No place of this run belongs into a message.
        let place = format!("{}/", checkout.folder().display());
        let in_words = |error: &dyn std::fmt::Display| error.to_string().replace(&place, "");
        let name = self.key(builder, tree).map_err(|error| in_words(&error))?;
        let name = format!("{name}.json");
        let record = match self.find(builder, &name) {
            Some(found) => found,
            None => {
                let record = Record {
                    module: self.build_now(builder, checkout, tree)?.hash,
                    place: checkout.folder().join(&self.repository.prefix),
                };
                let json = serde_json::to_vec(&record).expect("a record is plain data");
                let stored = builder.cache.publish_bytes(&json, KIND, &name);
                stored.map_err(|error| in_words(&error))?;
                record
            }
        };
        let module = builder.linked(&record.module);
        let module = module.ok_or("its linked module was removed from the cache meanwhile")?;
        let image = builder.image_of(&module, &record.module);
        Ok(Version {
            image: image.map_err(|error| in_words(&error))?,
            hash: record.module,
            place: record.place,
            compilation: start.elapsed(),
        })
    }

    fn build_now(
        &self,
        builder: &Builder,
        checkout: &Checkout,
        tree: &str,
    ) -> Result<Built, String> {
        let place = format!("{}/", checkout.folder().display());
        let in_words = |error: &dyn std::fmt::Display| error.to_string().replace(&place, "");
        let is_command = matches!(self.plan.recipe, Recipe::Command(_));
        let switched = checkout.switch_to(self.repository, tree, is_command);
        switched.map_err(|error| in_words(&error))?;
        let folder = checkout.folder().join(&self.repository.prefix);
        if !folder.is_dir() {
            return Err(format!(
                "it has no folder `{}`",
                self.repository.prefix.display()
            ));
        }
        let request = match &self.plan.recipe {
            Recipe::Sources(sources) => self.request(sources.clone(), Some(folder)),
            // As an absolute path: relative, it would be a name for nothing.
            Recipe::Folder => self.request(vec![folder.clone()], Some(folder)),
            Recipe::Command(command) => {
                run_command(command, &folder).map_err(|error| error.replace(&place, ""))?;
                self.request(vec![folder], None)
            }
        };
        builder.module(&request).map_err(|error| in_words(&error))
    }

    fn request(&self, inputs: Vec<PathBuf>, folder: Option<PathBuf>) -> Request {
        Request {
            inputs,
            target: self.plan.target.clone(),
            compiler_arguments: self.plan.compiler_arguments.clone(),
            keep_going: self.plan.keep_going,
            folder,
        }
    }

    fn key(&self, builder: &Builder, tree: &str) -> Result<String, BuildError> {
        let mut key = Key::new("history 1");
        key.add(tree).add_path(&self.repository.prefix);
        match &self.plan.recipe {
            Recipe::Sources(sources) => {
                key.add("sources");
                for source in sources {
                    key.add_path(source);
                }
            }
            Recipe::Folder => {
                key.add("folder").add(&self.rustc);
            }
            Recipe::Command(command) => {
                key.add("command").add(command).add(&self.rustc);
                for name in ["PARALLAX_CC", "CFLAGS", "CPPFLAGS", "LDFLAGS", "PATH"] {
                    let value = std::env::var_os(name).unwrap_or_default();
                    key.add(value.as_encoded_bytes());
                }
            }
        }
        let request = self.request(Vec::new(), None);
        builder.add_surroundings(&mut key, &request, &self.libc)?;
        Ok(key.finish())
    }

    fn find(&self, builder: &Builder, name: &str) -> Option<Record> {
        let json = std::fs::read(builder.cache.entry(KIND, name)).ok()?;
        let record: Record = serde_json::from_slice(&json).ok()?;
        builder.linked(&record.module)?;
        Some(record)
    }
}

fn run_command(command: &str, folder: &Path) -> Result<(), String> {
    const LINES_SHOWN: usize = 5;
    let executable = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut shell = Command::new("sh");
    shell
        .args(["-c", command])
        .current_dir(folder)
        .env("CC", format!("{} cc", executable.display()));
    let output = output_of(&mut shell).map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.lines().collect();
    let shown = &lines[lines.len().saturating_sub(LINES_SHOWN)..];
    Err(format!(
        "`{command}` ended with {}:\n{}",
        output.status,
        shown.join("\n")
    ))
}
