//! How versions are built.

use std::ffi::OsString;
use std::path::PathBuf;

use build::Request;

/// What all versions of a program have in common when they are built.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BuildOptions {
    /// Which program or library of a project folder.
    pub target: Option<String>,
    /// Arguments for the compiler.
    pub compiler_arguments: Vec<OsString>,
    /// Leave out sources that do not compile for the VM.
    pub keep_going: bool,
}

impl BuildOptions {
    /// What to build of a version, with some more arguments for the compiler.
    pub fn request(&self, inputs: &[PathBuf], more: &[OsString]) -> Request {
        Request {
            inputs: inputs.to_vec(),
            target: self.target.clone(),
            compiler_arguments: [more, &self.compiler_arguments].concat(),
            keep_going: self.keep_going,
            folder: None,
        }
    }
}
