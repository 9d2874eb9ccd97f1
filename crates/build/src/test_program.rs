//! Builds a program of tests for one version of a function: a file that includes the version's source (`#include SOURCE`), with the
//! version's other files and a framework.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Builder;
use super::boxed::Reach;
use super::cache::hash_file;
use super::error::{BuildError, IoContext, Result};
use super::host::{compile, writing};
use super::toolchain::find_program;

/// What a program of tests is made of.
#[derive(Clone, Copy, Debug)]
pub struct TestProgram<'t> {
    pub file_name: &'t str,
    pub text: &'t str,
    /// The file of the version that the tests include.
    pub included: &'t Path,
    pub others: &'t [PathBuf],
    pub compiler_arguments: &'t [OsString],
    /// The file is C++ around C: it is compiled as both.
    pub is_mixed: bool,
    /// Where the framework's headers are, if the compiler does not know.
    pub headers: Option<&'t Path>,
    /// The framework's own source, if it comes as that.
    pub framework: Option<&'t Path>,
    pub libraries: &'t [&'t str],
}

impl Builder<'_> {
    /// The executable, in the cache.
    pub fn test_program(&self, test: &TestProgram<'_>) -> Result<PathBuf> {
        let work = self.cache.work_folder()?;
        let file = work.path().join(test.file_name);
        std::fs::write(&file, test.text).context("write", &file)?;
        let here = std::env::current_dir().context("find", ".")?;
        let mut source = OsString::from("-DSOURCE=\"");
        source.push(std::path::absolute(test.included).context("resolve", test.included)?);
        source.push("\"");
        let one_main = match test.others.is_empty() {
            true => None,
            false => Some("-Dmain=program_main"),
        };
        let mut objects = Vec::new();
        let files = std::iter::once(&file).chain(test.others);
        let files = files.map(PathBuf::as_path).chain(test.framework);
        for (number, input) in files.enumerate() {
            let object = work.path().join(format!("part-{number}.o"));
            let mut command = Command::new(&self.tools.clang);
            command.args(["-O0", "-g", "-w", "-ffp-contract=off", "-iquote"]);
            command.arg(&here);
            if let Some(headers) = test.headers {
                command.arg("-I").arg(headers);
            }
            if Some(input) != test.framework {
                command.args(test.compiler_arguments).args(one_main);
            }
            command.arg(&source).args(["-x", "c", "-c"]);
            command.arg(input).arg("-o").arg(&object);
            let read = [input, test.included];
            let reach = Reach {
                read: &read,
                write: &[work.path()],
                ..Reach::default()
            };
            compile(&mut command, input, reach)?;
            objects.push(object);
        }
        let output = work.path().join("program");
        let mut link = match test.is_mixed {
            true => {
                let mut link = Command::new(cxx()?);
                link.args(["-O0", "-w", "-x", "c++"])
                    .arg(&file)
                    .args(["-x", "none"]);
                link
            }
            false => Command::new(&self.tools.clang),
        };
        link.args(&objects);
        link.args(test.libraries.iter().map(|library| format!("-l{library}")));
        link.arg("-lm").arg("-o").arg(&output);
        compile(&mut link, &file, writing(&[work.path()]))?;
        let hash = hash_file(&output)?;
        self.cache.publish(&output, "native", &hash)
    }
}

/// The system's compiler of C++.
fn cxx() -> Result<PathBuf> {
    let mut names = ["c++", "g++", "clang++"].iter();
    let found = names.find_map(|name| find_program(OsStr::new(name)));
    found.ok_or_else(|| BuildError::NoNativeBuild {
        path: PathBuf::from("c++"),
        reason: "there is no compiler of C++ (Debian's package `g++`)".to_owned(),
    })
}
