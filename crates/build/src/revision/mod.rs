//! Versions out of a git repository: the files of a tree in a folder of ours, built once by a recipe, and kept
//! under the tree's id, which hashes all files, the recipe and the compilers.
//!
//! Two kinds of result are kept. A *module* is all that the VM needs: its files lie in a work folder that the next
//! version takes over ([`Workshop::module`]). A *kept version* has its files and what the build made of them for as
//! long as the cache has room, for native runs and excerpts of the source ([`Workshop::keep`]).

mod command;
mod keep;
mod place;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use serde::{Deserialize, Serialize};

use super::cache::Key;
use super::error::BuildError;
use super::git::{Checkout, GitError, Repository};
use super::libc::Libc;
use super::recipe::{Recipe, System};
use super::toolchain::output_of;
use super::{Builder, Request, boxed, native};
pub use keep::KeptVersion;
pub use place::WorkPlace;

const KIND: &str = "versions";

/// How every version of a repository is built.
#[derive(Debug, Clone)]
pub struct Plan {
    pub recipe: Recipe,
    /// Which program or library of a project.
    pub target: Option<String>,
    pub compiler_arguments: Vec<OsString>,
    pub keep_going: bool,
}

/// Why a version could not be built.
#[derive(Debug, thiserror::Error)]
pub enum RevisionError {
    #[error(transparent)]
    Git(#[from] GitError),

    #[error(transparent)]
    Build(#[from] BuildError),

    #[error("it has no folder `{}`", .folder.display())]
    NoFolder { folder: PathBuf },

    #[error(
        "nothing shows how it is built; looked for {}; say it in `parallax.toml`, as in [build] command = \"make\", or \
         with --build 'COMMAND' or --source FILE...",
        System::looked_for()
    )]
    NoRecipe,

    #[error("`{command}` ended with {status}:\n{message}{}{}", list_missing(.submodules), in_sandbox(.message))]
    CommandFailed {
        command: String,
        status: std::process::ExitStatus,
        message: String,
        /// Submodules without files, which may be why.
        submodules: Vec<PathBuf>,
    },

    #[error(
        "`{command}` succeeded, but no program in the folder was built through `parallax cc`; a build must use the \
         compiler that it finds in $CC"
    )]
    NothingBuilt { command: String },

    #[error(
        "it builds several programs or libraries; say which with --target NAME, or in `parallax.toml` as [build] \
         target = \"NAME\": {}", .candidates.join(", ")
    )]
    ChooseProgram { candidates: Vec<String> },

    #[error("it builds no program or library named `{name}`; it builds {}", .candidates.join(", "))]
    NoSuchProgram {
        name: String,
        candidates: Vec<String>,
    },

    #[error("its linked module was removed from the cache meanwhile")]
    Removed,
}

fn in_sandbox(message: &str) -> String {
    boxed::explain(message).map_or_else(String::new, |text| format!("\n{text}"))
}

fn list_missing(submodules: &[PathBuf]) -> String {
    match submodules {
        [] => String::new(),
        [first, ..] => format!(
            "\n{} submodule(s) of it are not here; `git submodule update --init {}` brings the first",
            submodules.len(),
            first.display()
        ),
    }
}

type Result<T> = std::result::Result<T, RevisionError>;

/// A version as the VM runs it.
#[derive(Debug, Clone)]
pub struct Module {
    pub image: PathBuf,
    /// Content hash of the linked module.
    pub hash: String,
    pub has_main: bool,
    /// Where it was built, as far as the module may name it.
    pub place: PathBuf,
    /// Whether it was built now, not found in the cache.
    pub is_new: bool,
}

/// A version in the cache.
#[derive(Serialize, Deserialize)]
struct Record {
    module: String,
    has_main: bool,
    place: PathBuf,
}

/// Everything that all versions of a repository have in common.
pub struct Workshop<'a> {
    plan: &'a Plan,
    libc: Libc,
    rustc: Vec<u8>,
}

/// A tree of a repository.
#[derive(Debug, Clone, Copy)]
pub struct Tree<'a> {
    pub repository: &'a Repository,
    pub id: &'a str,
}

/// What to build of a checkout.
struct Prepared {
    request: Request,
    /// Where the names of its sources start.
    place: PathBuf,
    /// The name of the program that the build has made.
    program: Option<String>,
}

impl<'a> Workshop<'a> {
    pub fn new(builder: &Builder, plan: &'a Plan) -> std::result::Result<Workshop<'a>, BuildError> {
        let libc = builder.libc()?.clone();
        let rustc = match output_of(Command::new("rustc").arg("-vV")) {
            Ok(output) => output.stdout,
            Err(_) => Vec::new(),
        };
        Ok(Workshop { plan, libc, rustc })
    }

    /// Builds a tree in the work place, or finds it built.
    pub fn module(&self, builder: &Builder, place: &WorkPlace, tree: Tree) -> Result<Module> {
        let name = format!("{}.json", self.key(builder, tree)?);
        let found = find(builder, &name);
        let is_new = found.is_none();
        let record = match found {
            Some(found) => found,
            None => {
                let prepared = self.prepare(builder, &place.checkout, tree)?;
                let built = builder.module(&prepared.request)?;
                let record = Record {
                    module: built.hash,
                    has_main: built.has_main,
                    place: prepared.place,
                };
                let json = serde_json::to_vec(&record).expect("a record is plain data");
                builder.cache.publish_bytes(&json, KIND, &name)?;
                record
            }
        };
        let module = builder.linked(&record.module);
        let module = module.ok_or(RevisionError::Removed)?;
        Ok(Module {
            image: builder.image_of(&module, &record.module)?,
            hash: record.module,
            has_main: record.has_main,
            place: record.place,
            is_new,
        })
    }

    /// Writes the tree's files and runs what must be run before a module can be made of them.
    fn prepare(&self, builder: &Builder, checkout: &Checkout, tree: Tree) -> Result<Prepared> {
        let prefix = &tree.repository.prefix;
        let is_command = matches!(self.plan.recipe, Recipe::Command(_));
        // What a stranger's build has left must not be there when git writes the next version.
        let clean = is_command || boxed::is_on();
        let missing = checkout.switch_to(tree.repository, tree.id, clean)?;
        let folder = checkout.folder().join(prefix);
        if !folder.is_dir() {
            return Err(RevisionError::NoFolder {
                folder: prefix.clone(),
            });
        }
        let jobs = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let command = match &self.plan.recipe {
            Recipe::Sources(sources) => {
                return Ok(Prepared {
                    request: self.request(sources.clone(), folder.clone()),
                    place: folder,
                    program: None,
                });
            }
            Recipe::Command(command) => command.clone(),
            Recipe::Folder => match System::of(&folder)? {
                None => return Err(RevisionError::NoRecipe),
                Some((system, _)) => match system.command(jobs) {
                    // As an absolute path: relative, it would be a name for nothing.
                    None => {
                        return Ok(Prepared {
                            request: self.request(vec![folder.clone()], folder.clone()),
                            place: folder,
                            program: None,
                        });
                    }
                    Some(command) => {
                        // What an earlier version's build left there is not this version's.
                        checkout.switch_to(tree.repository, tree.id, true)?;
                        command
                    }
                },
            },
        };
        self.run_command(builder, checkout, &folder, &command, missing)?;
        let program = native::find_target(&folder, self.plan.target.as_deref());
        let program = program.map_err(|error| match error {
            error if error.nothing_was_built() => RevisionError::NothingBuilt { command },
            BuildError::ChooseTarget { candidates, .. } => {
                RevisionError::ChooseProgram { candidates }
            }
            BuildError::UnknownTarget {
                name, candidates, ..
            } => RevisionError::NoSuchProgram { name, candidates },
            error => error.into(),
        })?;
        let top = checkout.folder().to_owned();
        let name = program.file_name().unwrap_or_default();
        Ok(Prepared {
            program: Some(name.to_string_lossy().into_owned()),
            request: self.request(vec![program], top.clone()),
            place: top,
        })
    }

    fn request(&self, inputs: Vec<PathBuf>, folder: PathBuf) -> Request {
        Request {
            inputs,
            target: self.plan.target.clone(),
            compiler_arguments: self.plan.compiler_arguments.clone(),
            support: Vec::new(),
            keep_going: self.plan.keep_going,
            folder: Some(folder),
        }
    }

    fn key(&self, builder: &Builder, tree: Tree) -> Result<String> {
        let mut key = Key::new("revision 2");
        key.add(tree.id).add_path(&tree.repository.prefix);
        match &self.plan.recipe {
            Recipe::Sources(sources) => {
                key.add("sources");
                for source in sources {
                    key.add_path(source);
                }
            }
            Recipe::Folder => {
                key.add("folder");
            }
            Recipe::Command(command) => {
                key.add("command").add(command);
            }
        }
        if !matches!(self.plan.recipe, Recipe::Sources(_)) {
            key.add(&self.rustc);
            for name in ["PARALLAX_CC", "CFLAGS", "CPPFLAGS", "LDFLAGS", "PATH"] {
                let value = std::env::var_os(name).unwrap_or_default();
                key.add(value.as_encoded_bytes());
            }
        }
        key.add([boxed::is_on().into()]);
        let request = self.request(Vec::new(), PathBuf::new());
        builder.add_surroundings(&mut key, &request, &self.libc)?;
        Ok(key.finish())
    }
}

fn find(builder: &Builder, name: &str) -> Option<Record> {
    let json = std::fs::read(builder.cache.entry(KIND, name)).ok()?;
    let record: Record = serde_json::from_slice(&json).ok()?;
    builder.linked(&record.module)?;
    Some(record)
}
