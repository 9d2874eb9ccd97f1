//! The files of the two versions, and how they are built.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use program_ir::{Module, SourceMap};

use super::Arguments;
use crate::versions::{Versions, crate_name};
use build::Request;
use native::test_case::shell_word;

/// The files of the two versions.
pub(super) struct VersionFiles {
    pub(super) old: Vec<PathBuf>,
    pub(super) new: Vec<PathBuf>,
    /// What messages call the versions, if not by their files.
    labels: Option<[String; 2]>,
    /// What the program is called, and the folder of its differences.
    name: PathBuf,
}

impl VersionFiles {
    pub(super) fn new(old: Vec<PathBuf>, new: Vec<PathBuf>) -> VersionFiles {
        VersionFiles {
            labels: None,
            name: new[0].with_extension(""),
            old,
            new,
        }
    }

    /// Those that the command line names.
    pub(super) fn of(versions: &Versions) -> anyhow::Result<VersionFiles> {
        let mut files = VersionFiles::new(versions.old_version()?, versions.new_version()?);
        files.labels = versions.labels()?;
        if let Some(name) = versions.program_name()? {
            files.name = name;
        }
        Ok(files)
    }

    /// What to call the old and the new version.
    pub(super) fn shown(&self) -> [String; 2] {
        match &self.labels {
            Some(labels) => labels.clone(),
            None => [typed(&self.old), typed(&self.new)],
        }
    }

    pub(super) fn requests(&self, arguments: &Arguments) -> [Request; 2] {
        [
            self.request(&self.old, arguments),
            self.request(&self.new, arguments),
        ]
    }

    /// All versions have the new one's name to the program: where a version lies is no difference.
    pub(super) fn request(&self, files: &[PathBuf], arguments: &Arguments) -> Request {
        let mut more = crate_name(files, &self.new);
        if self.labels.is_some() {
            // What is built of a revision names no place.
            return arguments.versions.request(files, &more);
        }
        for (file, new) in files.iter().zip(&self.new) {
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
        }
        arguments.versions.request(files, &more)
    }

    /// Whether one version is written in Rust and the other is not.
    pub(super) fn languages_differ(&self) -> bool {
        is_rust(&self.old) != is_rust(&self.new)
    }

    /// The name that both versions are run under.
    pub(super) fn program(&self) -> Vec<u8> {
        self.name.clone().into_os_string().into_vec()
    }

    /// Named as the new version is, folders included: programs of one name are many.
    pub(super) fn default_folder(&self) -> PathBuf {
        let mut folder = Path::new(".parallax").join("check");
        let name = &self.name;
        for component in name.components() {
            match component {
                Component::Normal(name) => folder.push(name),
                Component::ParentDir => folder.push("up"),
                Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
            }
        }
        if !name
            .components()
            .any(|component| matches!(component, Component::Normal(_)))
        {
            folder.push("program");
        }
        folder
    }
}

/// Files as one would type them.
pub(super) fn typed(files: &[PathBuf]) -> String {
    let words: Vec<String> = files
        .iter()
        .map(|file| shell_word(file.as_os_str().as_bytes()))
        .collect();
    words.join(" ")
}

/// What a module computes: names of variables, lines and files do not count.
pub(super) fn without_debug_information(module: &Module) -> Module {
    let mut module = module.clone();
    module.source = SourceMap::default();
    for function in module.functions.values_mut() {
        function.scope = None;
        // How much stack is taken is not compared.
        function.frame_bytes = 0;
        function.variables.clear();
        function.bindings.clear();
        for inst in function.insts.values_mut() {
            inst.loc = None;
        }
    }
    for global in module.globals.values_mut() {
        global.info = None;
    }
    module
}

/// Whether a version is written in Rust.
pub(super) fn is_rust(files: &[PathBuf]) -> bool {
    let is_rust = |file: &PathBuf| {
        file.extension().is_some_and(|kind| kind == "rs") || file.join("Cargo.toml").is_file()
    };
    files.iter().any(is_rust)
}
