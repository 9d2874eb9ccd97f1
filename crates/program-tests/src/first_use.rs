//! Ordinary programs below `subjects/first-use`, each with ten edits and the truth about each edit.
//!
//! The layout of the folder and the meaning of each field is described in `subjects/first-use/README.md`.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::corpus::{Language, Program};
use crate::directives::Run;
use crate::outcome::Outcome;
use crate::subjects;

/// A program and its edits.
#[derive(Clone, Debug)]
pub struct Edited {
    pub name: String,
    pub old: Program,
    pub edits: Vec<Edit>,
    pub ingredients: Ingredients,
}

/// One edit: the program after it, and what is true of the two.
#[derive(Clone, Debug)]
pub struct Edit {
    /// Such as `calc/03-right-associative-minus`.
    pub name: String,
    pub new: Program,
    pub truth: Truth,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Truth {
    pub kind: Kind,
    /// What the edit does, in a sentence.
    pub change: String,
    pub verdict: Verdict,
    /// Why an edit that looks as if it changed something does not.
    pub why: Option<String>,
    /// What differs on the witness; a report of the difference must name one of these.
    #[serde(default)]
    pub names: Vec<Observable>,
    /// How large the smallest input is that shows the difference.
    pub needs: Option<String>,
    /// The version with undefined behaviour on the witness, if that alone makes the difference.
    pub undefined: Option<Side>,
    pub witness: Option<Input>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Refactoring,
    Fix,
    Feature,
    Fault,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Equivalent,
    Different,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    Old,
    New,
}

/// What of a run can differ.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub enum Observable {
    #[serde(rename = "exit status")]
    ExitStatus,
    #[serde(rename = "stdout")]
    Stdout,
    #[serde(rename = "stderr")]
    Stderr,
    /// One version has undefined behaviour.
    #[serde(rename = "undefined")]
    Undefined,
}

/// An input of a program.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    pub arguments: Vec<String>,
    #[serde(default)]
    pub stdin: String,
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
}

/// What inputs of a program are made from.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ingredients {
    /// Arguments that mean something to the program, and a few that do not.
    pub words: Vec<String>,
    pub most_words: u64,
    /// Parts of standard input.
    pub pieces: Vec<String>,
    pub most_pieces: u64,
    /// Parts of the files that the program opens, by their names.
    #[serde(default)]
    pub files: BTreeMap<String, Vec<String>>,
    /// Inputs made by hand.
    #[serde(default)]
    pub inputs: Vec<Input>,
}

#[derive(Debug, thiserror::Error)]
pub enum FirstUseError {
    #[error("cannot read {path}: {source}")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path} is not as subjects/first-use/README.md says: {problem}")]
    Malformed { path: PathBuf, problem: String },
}

/// All programs, by name.
pub fn programs() -> Result<Vec<Edited>, FirstUseError> {
    let folders = folders(&subjects::subjects_folder().join(subjects::FIRST_USE))?;
    folders.iter().map(|folder| read(folder)).collect()
}

fn read(folder: &Path) -> Result<Edited, FirstUseError> {
    let name = file_name(folder);
    let edits = folders(folder)?;
    let edits = edits.iter().map(|edit| read_edit(&name, edit));
    Ok(Edited {
        old: version(&name, folder, "old")?,
        edits: edits.collect::<Result<_, _>>()?,
        ingredients: read_toml(&folder.join("inputs.toml"))?,
        name,
    })
}

fn read_edit(program: &str, folder: &Path) -> Result<Edit, FirstUseError> {
    let name = format!("{program}/{}", file_name(folder));
    let path = folder.join("truth.toml");
    let truth: Truth = read_toml(&path)?;
    if let Some(problem) = truth.problem() {
        let problem = problem.to_owned();
        return Err(FirstUseError::Malformed { path, problem });
    }
    Ok(Edit {
        new: version(&name, folder, "new")?,
        name,
        truth,
    })
}

/// `old.c` or `old.rs`, whichever there is.
fn version(name: &str, folder: &Path, stem: &str) -> Result<Program, FirstUseError> {
    for (ending, language) in [("c", Language::C), ("rs", Language::Rust)] {
        let source = folder.join(format!("{stem}.{ending}"));
        if source.is_file() {
            return Ok(Program {
                name: name.to_owned(),
                source,
                language,
            });
        }
    }
    Err(FirstUseError::Malformed {
        path: folder.to_owned(),
        problem: format!("there is neither {stem}.c nor {stem}.rs"),
    })
}

impl Truth {
    /// What is wrong with the fields taken together.
    fn problem(&self) -> Option<&'static str> {
        let names_undefined = self.names.contains(&Observable::Undefined);
        match self.verdict {
            Verdict::Equivalent if self.witness.is_some() || self.needs.is_some() => {
                Some("an equivalent edit has no witness")
            }
            Verdict::Different if self.witness.is_none() || self.needs.is_none() => {
                Some("a different edit has a witness, and says what the smallest one needs")
            }
            Verdict::Different if self.names.is_empty() => Some("nothing is said to differ"),
            _ if names_undefined != self.undefined.is_some() => {
                Some("`undefined` in the names and the field `undefined` go together")
            }
            _ => None,
        }
    }
}

impl Input {
    pub fn run(&self, name: &str) -> Run {
        let files = self.files.iter();
        let environment = self.environment.iter();
        Run {
            name: name.to_owned(),
            arguments: self.arguments.clone(),
            stdin: self.stdin.clone().into_bytes(),
            environment: environment
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
            files: files
                .map(|(name, text)| (name.clone(), text.clone().into_bytes()))
                .collect(),
        }
    }
}

impl Observable {
    /// What two runs differ in.
    pub fn differing(old: &Outcome, new: &Outcome) -> Vec<Observable> {
        let mut differing = Vec::new();
        if old.status != new.status {
            differing.push(Observable::ExitStatus);
        }
        if old.stdout != new.stdout {
            differing.push(Observable::Stdout);
        }
        if old.stderr != new.stderr {
            differing.push(Observable::Stderr);
        }
        differing
    }

    /// Words of which a report that names this observable has one.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Observable::ExitStatus => &["exit status", "status", "ends"],
            Observable::Stdout => &["standard output", "stdout"],
            Observable::Stderr => &["standard error", "stderr"],
            Observable::Undefined => &["undefined"],
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Refactoring => "refactoring",
            Kind::Fix => "fix",
            Kind::Feature => "feature",
            Kind::Fault => "fault",
        })
    }
}

impl fmt::Display for Observable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Observable::ExitStatus => "exit status",
            Observable::Stdout => "stdout",
            Observable::Stderr => "stderr",
            Observable::Undefined => "undefined",
        })
    }
}

fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T, FirstUseError> {
    let text = std::fs::read_to_string(path).map_err(|source| FirstUseError::Read {
        path: path.to_owned(),
        source,
    })?;
    toml::from_str(&text).map_err(|error| FirstUseError::Malformed {
        path: path.to_owned(),
        problem: error.to_string(),
    })
}

/// The folders in `folder`, by name.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, FirstUseError> {
    let read = || -> io::Result<Vec<PathBuf>> {
        let entries = std::fs::read_dir(folder)?;
        entries.map(|entry| Ok(entry?.path())).collect()
    };
    let mut found = read().map_err(|source| FirstUseError::Read {
        path: folder.to_owned(),
        source,
    })?;
    found.retain(|path| path.is_dir());
    found.sort();
    Ok(found)
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
