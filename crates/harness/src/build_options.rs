//! How versions are built.

use std::ffi::OsString;
use std::path::PathBuf;

use build::Request;

/// What all versions of a program have in common when they are built.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// Which program or library of a project folder.
    pub target: Option<String>,
    /// Arguments for the compiler.
    pub compiler_arguments: Vec<OsString>,
    /// Leave out sources that do not compile for the VM.
    pub keep_going: bool,
    /// Versions that are built in a way of their own (git revisions), found by their inputs.
    pub given: Vec<Request>,
}

impl BuildOptions {
    /// What to build of a version, with some more arguments for the compiler.
    pub fn request(&self, inputs: &[PathBuf], more: &[OsString]) -> Request {
        if let Some(given) = self.given(inputs) {
            return Request {
                compiler_arguments: [more, &given.compiler_arguments].concat(),
                ..given.clone()
            };
        }
        Request {
            inputs: inputs.to_vec(),
            target: self.target.clone(),
            compiler_arguments: [more, &self.compiler_arguments].concat(),
            support: Vec::new(),
            keep_going: self.keep_going,
            folder: None,
        }
    }

    /// How a version is built that has a way of its own.
    pub fn given(&self, inputs: &[PathBuf]) -> Option<&Request> {
        self.given.iter().find(|given| given.inputs == inputs)
    }
}
