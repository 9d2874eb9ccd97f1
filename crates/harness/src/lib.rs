//! A *harness* says what is called of the versions, how its input is laid out, what of it is observed, and how it runs natively.
//!
//! Two programs that take an input and put something out can be compared; a harness makes such programs of whatever is to be
//! compared. [`WholeProgram`] is the program as it is, from `main`. [`CFunction`] is a *driver* for one function of each
//! version, which takes the arguments from the input and writes what can be seen of the call into files; the harness knows how to
//! read these as typed values. [`CallSequence`] is one for sequences of calls on objects of a type. Another kind of call (a function of
//! Rust) is another implementation.
//!
//! | module | idea |
//! |---|---|
//! | [`value`] | typed values, with their only renderer |
//! | [`call`] | a call and its outcome, as data |
//! | [`test_code`] | a call as a test in C makes it, and what that asks for |
//! | [`literal`] | values as literals of C |
//! | [`types`] | the types of parameters, results and globals |
//! | [`whole_program`] | the program from `main` |
//! | [`c_function`] | one function of C in two versions |
//! | [`c_sequence`] | sequences of calls of the functions of a handle type |
//! | [`build_options`], [`load`] | how versions are built, and read |

pub mod build_options;
pub mod c_function;
pub mod c_sequence;
pub mod call;
pub mod error;
pub mod literal;
pub mod load;
pub mod test_code;
pub mod types;
pub mod value;
pub mod whole_program;

use std::collections::BTreeMap;
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

pub use build_options::BuildOptions;
pub use c_function::{CFunction, FunctionSpec};
pub use c_sequence::{CallSequence, Role, Roles, SequenceSpec};
pub use call::{Call, CallObservable, CallOutcome, SequenceCall};
pub use error::Error;
pub use load::{full_path, read_module};
pub use test_code::{CallCode, Check, TestCode, TestSources, Wanted};
pub use value::Value;
pub use whole_program::WholeProgram;

/// What is called, how its input is laid out, what is observed, how it runs natively.
pub trait Harness: Sync {
    /// What is called: the programs that are built and run, one for each version in their order. They are built for the VM and
    /// natively from the same request.
    fn requests(&self) -> &[Request];

    /// The same of a version that behaves as intended, if there is one.
    fn golden(&self) -> Option<&Request>;

    /// The function that is compared, if it is not the whole program.
    fn function(&self) -> Option<&str>;

    /// The name that all versions are run under, their `argv[0]`.
    fn program_name(&self) -> Vec<u8>;

    /// Where a check leaves examples if nobody says where.
    fn default_folder(&self) -> PathBuf;

    /// The files that hold the code of each version besides what [`Harness::requests`] is made from.
    fn sources(&self) -> &[PathBuf];

    /// Where the source of a version lies: its name is no change.
    fn place(&self, version: usize) -> PathBuf;

    /// The files of a version that its build calls by another name.
    fn renamed(&self, _version: usize) -> &[Renamed] {
        &[]
    }

    /// Whether the versions take input of their own, besides what a program is given.
    fn has_own_input(&self, modules: &[Module]) -> bool;

    /// Leaves out of an input space what nothing reads.
    fn fit(&self, space: &mut InputSpace);

    /// The input space in words.
    fn bounds(&self, space: &InputSpace) -> Vec<String>;

    /// What the variables of the input are; empty if that is not known.
    fn variable_kinds(&self) -> Arc<VariableKinds>;

    /// Whether some inputs of the space are not meant.
    fn leaves_out_inputs(&self) -> bool;

    /// Whether inputs are left out by expressions that each version understands with its own macros and functions.
    fn assumes_expressions(&self) -> bool {
        false
    }

    /// Whether a version calls what is compared at all: a compiler leaves a call out that an assumption excludes by itself.
    fn may_be_called(&self, module: &Module) -> bool;

    /// Whether a run of a version shows an input that is meant.
    fn is_meant(&self, program: &Program, coverage: &Coverage) -> bool;

    /// The call that an input stands for; `None` for a whole program.
    fn call(&self, input: &InputRecord) -> Option<Call>;

    /// Which parameters are compared with which, where that may surprise.
    fn matched(&self) -> Option<&str>;

    /// Functions that no input calls, each with the reason, where one may expect that some do.
    fn not_called(&self) -> &[String] {
        &[]
    }

    /// What should be compared, and is not.
    fn left_out(&self) -> &[String];

    /// What a run of a version showed that should be compared, and is not.
    fn left_out_in(&self, _program: &Program, _coverage: &Coverage) -> Vec<String> {
        Vec::new()
    }

    /// Whether anything in the versions may write a variable, by its symbol. Where that is not known, something may.
    fn is_ever_written(&self, _variable: &str) -> bool {
        true
    }

    /// What an observable of the program that is run is to the call.
    fn observed(&self, observable: &Observable) -> Option<CallObservable>;

    /// What is seen of a call in the files that a run has left; `None` if it did not come back.
    fn outcome(&self, files: &BTreeMap<PathBuf, Vec<u8>>) -> Option<CallOutcome>;

    /// The call that an input stands for as a test in C, with what runs of both versions have left; an error says why there is none.
    /// `None` if it is not about C.
    fn test_code(
        &self,
        _input: &InputRecord,
        _files: [&BTreeMap<PathBuf, Vec<u8>>; 2],
    ) -> Option<Result<TestCode, String>> {
        None
    }

    /// What a test in C is built with, by version.
    fn test_sources(&self) -> &[TestSources] {
        &[]
    }

    /// What the versions leave of something on all inputs of a partition, as values; `None` if that is not about a call, or its
    /// bytes make up no values.
    fn symbolic_values(&self, output: &SymbolicOutput) -> Option<Vec<Value>>;

    /// Files of raw values that a native run leaves.
    fn raw_files(&self) -> Vec<RawFile>;
}

/// A file of raw values: for people, it is read with `od`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawFile {
    pub name: String,
    /// How `od -t` reads it.
    pub format: &'static str,
    pub observed: CallObservable,
}

/// A folder for examples, named as a version is, folders included: programs of one name are many.
pub fn folder_of(version: &Path) -> PathBuf {
    use std::path::Component;
    let mut folder = Path::new(".parallax").join("check");
    let name = version.with_extension("");
    let mut is_named = false;
    for component in name.components() {
        match component {
            Component::Normal(name) => {
                is_named = true;
                folder.push(name);
            }
            Component::ParentDir => folder.push("up"),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    if !is_named {
        folder.push("program");
    }
    folder
}
