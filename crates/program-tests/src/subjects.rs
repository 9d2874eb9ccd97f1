//! The subjects below `subjects/`: programs of ours to measure with, each with seeds, regressions and mutants.
//!
//! The layout of a subject's folder is described in `docs/subjects.md`.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use exploration::InputSpace;
use serde_json::Value;

use crate::corpus::{Language, Program};
use crate::directives::Run;
use crate::mutant_list::{self, Entry, Survivor};
use crate::subject_space;

/// One subject, with everything in its folder read.
#[derive(Clone, Debug)]
pub struct Subject {
    pub name: String,
    pub folder: PathBuf,
    pub program: Program,
    pub seeds: Vec<Run>,
    pub regressions: Vec<Regression>,
    /// The inputs that a search may choose.
    pub space: InputSpace,
    pub mutants: Vec<Entry>,
    /// What is said of the mutants that survived native runs.
    pub survivors: Vec<Survivor>,
}

/// A hand-made mistake, and an input that shows it.
#[derive(Clone, Debug)]
pub struct Regression {
    pub name: String,
    pub patch: PathBuf,
    pub witness: Run,
}

#[derive(Debug, thiserror::Error)]
pub enum SubjectError {
    #[error("cannot use {path}: {source}")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path}: {problem}")]
    Malformed { path: PathBuf, problem: String },
    #[error("{path} does not apply:\n{message}")]
    DoesNotApply { path: PathBuf, message: String },
}

/// The folder beside the subjects that is none: ordinary programs and edits of them, which the module `first_use` reads.
pub const FIRST_USE: &str = "first-use";

/// Folders beside the subjects that are laid out in another way.
const OTHERS: [&str; 2] = [FIRST_USE, "modules"];

/// All subjects, by name.
pub fn subjects() -> Result<Vec<Subject>, SubjectError> {
    let mut found = folders(&subjects_folder())?;
    found.retain(|folder| !OTHERS.contains(&&*file_name(folder)));
    found.into_iter().map(read).collect()
}

pub fn subjects_folder() -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = crate_folder.ancestors().nth(2).unwrap_or(crate_folder);
    root.join("subjects")
}

fn read(folder: PathBuf) -> Result<Subject, SubjectError> {
    let name = file_name(&folder);
    let mut seeds = Vec::new();
    for seed in folders(&folder.join("seeds"))? {
        seeds.push(read_seed(&seed)?);
    }
    let mut regressions = Vec::new();
    for patch in entries(&folder.join("regressions"))? {
        regressions.push(read_regression(patch)?);
    }
    let malformed = |file: &str| {
        let path = folder.join(file);
        move |problem| SubjectError::Malformed { path, problem }
    };
    let text = |file: &str| read_text(&folder.join(file));
    // They are missing until they are made.
    let made = |file: &str| match folder.join(file).exists() {
        true => text(file),
        false => Ok(String::new()),
    };
    let space = subject_space::parse(&text("subject.toml")?).map_err(malformed("subject.toml"))?;
    let mutants = mutant_list::parse(&made("mutants.txt")?).map_err(malformed("mutants.txt"))?;
    let survivors = mutant_list::survivors(&made("survivors.md")?);
    let survivors = survivors.map_err(malformed("survivors.md"))?;
    Ok(Subject {
        program: c_program(&name, folder.join("program.c")),
        name,
        folder,
        seeds,
        regressions,
        space,
        mutants,
        survivors,
    })
}

pub fn c_program(name: &str, source: PathBuf) -> Program {
    Program {
        name: name.to_owned(),
        source,
        language: Language::C,
    }
}

/// `argv` holds one argument a line; `stdin` may be missing.
fn read_seed(folder: &Path) -> Result<Run, SubjectError> {
    let argv = read_text(&folder.join("argv"))?;
    let stdin = folder.join("stdin");
    Ok(Run {
        name: file_name(folder),
        arguments: argv.lines().map(str::to_owned).collect(),
        stdin: match stdin.exists() {
            true => std::fs::read(&stdin).map_err(|source| SubjectError::Read {
                path: stdin,
                source,
            })?,
            false => Vec::new(),
        },
        ..Run::default()
    })
}

/// The head of the patch names the witness: `Breaks:` in words, `Argv:` and `Stdin:` in JSON.
fn read_regression(patch: PathBuf) -> Result<Regression, SubjectError> {
    let text = read_text(&patch)?;
    let field = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        line.map(str::trim).ok_or_else(|| SubjectError::Malformed {
            path: patch.clone(),
            problem: format!("the head has no `{key}` line"),
        })
    };
    let json = |key: &str| {
        serde_json::from_str::<Value>(field(key)?).map_err(|error| SubjectError::Malformed {
            path: patch.clone(),
            problem: format!("`{key}` is not followed by JSON: {error}"),
        })
    };
    field("Breaks:")?;
    let argv = json("Argv:")?;
    let argv = argv.as_array().into_iter().flatten();
    let name = file_name(&patch);
    Ok(Regression {
        witness: Run {
            name: name.clone(),
            arguments: argv.filter_map(Value::as_str).map(str::to_owned).collect(),
            stdin: json("Stdin:")?.as_str().unwrap_or_default().into(),
            ..Run::default()
        },
        name,
        patch,
    })
}

/// A copy of the subject's program with the patch applied, strictly.
pub fn apply(subject: &Subject, patch: &Path, scratch: &Path) -> Result<Program, SubjectError> {
    let stem = patch.file_stem().unwrap_or_default();
    let folder = scratch.join("patched").join(&subject.name).join(stem);
    let source = folder.join("program.c");
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| SubjectError::Read { path, source }
    };
    std::fs::create_dir_all(&folder).map_err(io(&folder))?;
    std::fs::copy(&subject.program.source, &source).map_err(io(&source))?;
    let output = Command::new("patch")
        .args(["-p1", "--fuzz=0", "--batch", "--input"])
        .arg(patch)
        .current_dir(&folder)
        .output()
        .map_err(io(Path::new("patch")))?;
    if !output.status.success() {
        return Err(SubjectError::DoesNotApply {
            path: patch.to_owned(),
            message: String::from_utf8_lossy(&output.stdout).into_owned(),
        });
    }
    Ok(c_program(&subject.name, source))
}

/// A mutant of the subject's program, written into a folder of its own.
pub fn mutant(subject: &Subject, number: u32, scratch: &Path) -> Result<Program, SubjectError> {
    let source = std::fs::read(&subject.program.source).map_err(|error| SubjectError::Read {
        path: subject.program.source.clone(),
        source: error,
    })?;
    let missing = |problem: String| SubjectError::Malformed {
        path: subject.program.source.clone(),
        problem,
    };
    let mutants = mutation::mutants(&source, mutation::Options::default())
        .map_err(|error| missing(error.to_string()))?;
    let mutant = mutants.iter().find(|mutant| mutant.number == number);
    let mutant = mutant.ok_or_else(|| missing(format!("it has no mutant m{number:04}")))?;
    let folder = scratch
        .join("mutants")
        .join(&subject.name)
        .join(mutant.id());
    let program = c_program(&subject.name, folder.join("program.c"));
    let written = std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(&program.source, mutant.apply(&source)));
    written.map_err(|source| SubjectError::Read {
        path: program.source.clone(),
        source,
    })?;
    Ok(program)
}

fn folders(folder: &Path) -> Result<Vec<PathBuf>, SubjectError> {
    let mut found = entries(folder)?;
    found.retain(|path| path.is_dir());
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, SubjectError> {
    let read = || -> io::Result<Vec<PathBuf>> {
        let entries = std::fs::read_dir(folder)?;
        entries.map(|entry| Ok(entry?.path())).collect()
    };
    let mut found = read().map_err(|source| SubjectError::Read {
        path: folder.to_owned(),
        source,
    })?;
    found.sort();
    Ok(found)
}

fn read_text(path: &Path) -> Result<String, SubjectError> {
    std::fs::read_to_string(path).map_err(|source| SubjectError::Read {
        path: path.to_owned(),
        source,
    })
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
