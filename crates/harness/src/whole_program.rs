//! The program as it is, from `main`: its input is its command line, standard input, files and environment.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use build::Request;
use concolic_vm::Program;
use concolic_vm::symbolic::Coverage;
use exploration::compare::Observable;
use exploration::outputs::SymbolicOutput;
use exploration::{InputRecord, InputSpace};
use expr::VariableKinds;
use program_ir::Module;
use version_diff::own_changes::Renamed;

use crate::build_options::BuildOptions;
use crate::call::{Call, CallObservable, CallOutcome};
use crate::value::Value;
use crate::{Harness, RawFile, folder_of};

/// The versions of a program.
pub struct WholeProgram {
    /// The files of each version.
    versions: Vec<Vec<PathBuf>>,
    /// The program when it runs, and the folder of its differences, if not that of the last version.
    name: Option<PathBuf>,
    requests: Vec<Request>,
    /// By version.
    renamed: Vec<Vec<Renamed>>,
    golden: Option<Request>,
}

impl WholeProgram {
    /// `versions` are the files of each version, in order; `golden` those of one that behaves as intended, if there are any;
    /// `name` is that of the program, if its files do not say it.
    pub fn new(
        versions: &[Vec<PathBuf>],
        golden: &[PathBuf],
        options: &BuildOptions,
        name: Option<PathBuf>,
    ) -> WholeProgram {
        let last = versions.last().map(Vec::as_slice).unwrap_or_default();
        let request = |files: &[PathBuf]| request(files, last, options);
        let (requests, renamed) = versions.iter().map(|files| request(files)).unzip();
        WholeProgram {
            versions: versions.to_vec(),
            name,
            requests,
            renamed,
            golden: (!golden.is_empty()).then(|| request(golden).0),
        }
    }
}

/// The name that all versions are run under, their `argv[0]`: that of the last one.
pub fn program_name(versions: &[Vec<PathBuf>]) -> Vec<u8> {
    let last = versions.last().and_then(|files| files.first());
    let name = last.map(|file| file.with_extension("")).unwrap_or_default();
    name.into_os_string().into_vec()
}

/// All versions have the last one's name to the program: where a version lies is no difference.
fn request(files: &[PathBuf], last: &[PathBuf], options: &BuildOptions) -> (Request, Vec<Renamed>) {
    let mut more = crate_name(files, last);
    let mut renamed = Vec::new();
    if options.given(files).is_some() {
        // What is built of a revision names no place.
        return (options.request(files, &more), renamed);
    }
    for (file, new) in files.iter().zip(last) {
        let kind = |path: &Path| path.extension().unwrap_or_default().to_owned();
        let flag = match kind(new).to_str() {
            _ if file == new || kind(file) != kind(new) => continue,
            Some("c") => "-fmacro-prefix-map=",
            Some("rs") => "--remap-path-prefix=",
            _ => continue,
        };
        let mut flag = OsString::from(flag);
        flag.push(file);
        flag.push("=");
        flag.push(new);
        more.push(flag);
        renamed.push(Renamed {
            file: file.clone(),
            called: new.clone(),
        });
    }
    (options.request(files, &more), renamed)
}

/// A Rust file by itself is a crate of the file's name, which is part of every symbol. `old.rs` and `new.rs`
/// are versions of one crate.
pub fn crate_name(old: &[PathBuf], new: &[PathBuf]) -> Vec<OsString> {
    let is_rust = |path: &&PathBuf| path.extension().is_some_and(|kind| kind == "rs");
    match (old, new) {
        ([old], [new]) if is_rust(&old) && is_rust(&new) => {
            let stem = new.file_stem().unwrap_or_default().to_string_lossy();
            let word = |character: char| match character.is_ascii_alphanumeric() {
                true => character,
                false => '_',
            };
            let name: String = stem.chars().map(word).collect();
            let name = match name.starts_with(|first: char| first.is_ascii_digit()) {
                true => format!("_{name}"),
                false => name,
            };
            vec![OsString::from(format!("--crate-name={name}"))]
        }
        _ => Vec::new(),
    }
}

/// Whether a version is written in Rust.
pub fn is_rust(files: &[PathBuf]) -> bool {
    let is_rust = |file: &PathBuf| {
        file.extension().is_some_and(|kind| kind == "rs") || file.join("Cargo.toml").is_file()
    };
    files.iter().any(is_rust)
}

/// The one input, or the folder that holds all.
pub fn place_of(inputs: &[PathBuf]) -> PathBuf {
    let [first, rest @ ..] = inputs else {
        return PathBuf::new();
    };
    if rest.is_empty() {
        return first.clone();
    }
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let mut folder = absolute(first);
    while rest.iter().any(|path| !absolute(path).starts_with(&folder)) && folder.pop() {}
    folder
}

impl Harness for WholeProgram {
    fn requests(&self) -> &[Request] {
        &self.requests
    }

    fn golden(&self) -> Option<&Request> {
        self.golden.as_ref()
    }

    fn function(&self) -> Option<&str> {
        None
    }

    fn program_name(&self) -> Vec<u8> {
        match &self.name {
            Some(name) => name.clone().into_os_string().into_vec(),
            None => program_name(&self.versions),
        }
    }

    /// Of three versions or more, beside that of a check of two.
    fn default_folder(&self) -> PathBuf {
        let last = self.versions.last().and_then(|files| files.first());
        let named = self.name.as_ref().or(last);
        let folder = folder_of(named.map_or(Path::new(""), PathBuf::as_path));
        if self.versions.len() == 2 {
            return folder;
        }
        let mut name = folder.file_name().unwrap_or_default().to_owned();
        name.push("-versions");
        folder.parent().unwrap_or(Path::new("")).join(name)
    }

    fn sources(&self) -> &[PathBuf] {
        &[]
    }

    fn place(&self, version: usize) -> PathBuf {
        place_of(&self.versions[version])
    }

    fn renamed(&self, version: usize) -> &[Renamed] {
        &self.renamed[version]
    }

    fn has_own_input(&self, modules: &[Module]) -> bool {
        let has = |module: &Module| module.function_named("parallax_symbolic").is_some();
        modules.iter().all(has)
    }

    fn fit(&self, _: &mut InputSpace) {}

    fn bounds(&self, space: &InputSpace) -> Vec<String> {
        space.bounds()
    }

    fn variable_kinds(&self) -> Arc<VariableKinds> {
        Arc::default()
    }

    fn leaves_out_inputs(&self) -> bool {
        false
    }

    fn may_be_called(&self, _: &Module) -> bool {
        true
    }

    fn is_meant(&self, _: &Program, _: &Coverage) -> bool {
        true
    }

    fn call(&self, _: &InputRecord) -> Option<Call> {
        None
    }

    fn matched(&self) -> Option<&str> {
        None
    }

    fn left_out(&self) -> &[String] {
        &[]
    }

    fn observed(&self, _: &Observable) -> Option<CallObservable> {
        None
    }

    fn outcome(&self, _: &BTreeMap<PathBuf, Vec<u8>>) -> Option<CallOutcome> {
        None
    }

    fn symbolic_values(&self, _: &SymbolicOutput) -> Option<Vec<Value>> {
        None
    }

    fn raw_files(&self) -> Vec<RawFile> {
        Vec::new()
    }
}
