//! How the files of a range's commits become a program.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::HistoryError;
use build::Builder;
use build::git::{Commit, Repository};
use build::recipe::Recipe;
use build::revision::{Module, RevisionError, Tree, WorkPlace, Workshop};

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

/// A version that was built.
#[derive(Debug, Clone)]
pub(super) struct BuiltRevision {
    pub(super) module: Module,
    pub(super) compilation: Duration,
}

/// Builds a tree, or finds it built. An error is in words: it becomes a line of the table.
pub(super) fn build_version(
    workshop: &Workshop,
    builder: &Builder,
    place: &WorkPlace,
    tree: Tree,
) -> Result<BuiltRevision, String> {
    let start = Instant::now();
    let module = workshop.module(builder, place, tree);
    let module = module.map_err(|error| in_words(&error, place.folder()))?;
    Ok(BuiltRevision {
        module,
        compilation: start.elapsed(),
    })
}

/// No place of this run belongs into a message.
fn in_words(error: &RevisionError, place: &Path) -> String {
    let place = format!("{}/", place.display());
    error.to_string().replace(&place, "")
}
