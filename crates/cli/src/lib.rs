//! The command line: one file per subcommand, each a struct of arguments and a function.
//!
//! Exit status: 0 done (`diff`, `bisect`: no change), 1 changes (`diff`, `bisect`), errors found (`explore`), differences that are not accepted (`review`) or tests that did not go as predicted (`replay`), 2 usage or build error with one message on
//! stderr; `run` and `cc` pass on the status of what they ran.

mod accepted_file;
mod bisect;
mod build;
mod build_options;
mod cache;
mod cc;
mod check;
mod commits;
mod complexity;
mod debug;
mod diff;
mod doctor;
mod emitted_tests;
mod explore;
mod final_files;
mod function_tests;
mod graph;
mod impact;
mod init;
pub mod interrupt;
pub mod line_coverage;
mod manual;
mod mutate;
mod native_options;
mod new_file;
mod notation;
mod progress;
mod project_file;
mod replay;
mod replay_queries;
mod report_format;
mod review;
mod revisions;
mod run;
mod saved_report;
mod search_options;
mod solver_options;
mod suite;
mod symbolic_input;
mod table;
mod test_target;
mod tests_to_begin_with;
mod versions;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Parser, Subcommand, ValueEnum};

use program_ir::{Func, Module};

use ::build::Request;

/// Shows what a code change really changes.
#[derive(Parser)]
#[command(name = "parallax", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build a program into one linked module for the VM
    Build(build::Arguments),
    /// Be a C compiler that also leaves code for the VM behind (CC="parallax cc")
    #[command(disable_help_flag = true)]
    Cc(cc::Arguments),
    /// Build a program if needed and run it in the VM
    Run(run::Arguments),
    /// Find inputs on which two versions of a program, or more, behave differently, and prove the others equal
    Check(Box<check::Arguments>),
    /// Write a page, or another format, of a report that `check --save` kept
    Report(saved_report::Arguments),
    /// Go through the differences of a report that `check --save` kept, and accept those that are intended
    Review(review::Arguments),
    /// Write regression tests of the differences in a report that `check --save` kept
    Tests(emitted_tests::Arguments),
    /// Find inputs for the paths of a program, and for the errors on them
    Explore(Box<explore::Arguments>),
    /// Run tests on the native build and compare with what the VM predicted
    Replay(replay::Arguments),
    /// Show what changed between two versions of a program
    Diff(diff::Arguments),
    /// Show what each change between two versions can affect, and which tests can execute a change
    Impact(impact::Arguments),
    /// Measure how complex a change is
    Complexity(complexity::Arguments),
    /// Find the commits that change what a program does on an input
    Bisect(bisect::Arguments),
    /// Look at a project and write parallax.toml
    Init(init::Arguments),
    /// Draw a graph of a program or of a change
    Graph(graph::Arguments),
    /// Make mutants of a C file: copies with one small mistake each, as patches
    Mutate(mutate::Arguments),
    /// Show what the cache of builds holds, and clear it
    Cache(cache::Arguments),
    /// Check that everything Parallax needs is in place, and say how to mend what is not
    Doctor(doctor::Arguments),
    /// Print what a shell needs to complete commands and options
    Completions(manual::CompletionArguments),
    /// Write man pages
    Man(manual::ManArguments),
    /// Print internal forms of a program
    Debug(debug::Arguments),
}

/// What to build; shared by every subcommand that takes a program.
#[derive(Args, Debug)]
pub struct Program {
    /// C, Rust or bitcode files, a program built through `parallax cc`, or a project folder
    #[arg(required = true, value_name = "PROGRAM")]
    pub inputs: Vec<PathBuf>,
    /// Which program or library of a project folder
    #[arg(long, visible_alias = "bin", value_name = "NAME")]
    pub target: Option<String>,
    /// An argument for the compiler; may be repeated
    #[arg(long = "cflag", value_name = "FLAG", allow_hyphen_values = true)]
    pub compiler_arguments: Vec<OsString>,
    /// Leave out sources that do not compile for the VM
    #[arg(long)]
    pub keep_going: bool,
}

impl Program {
    /// What the program is told as its own name, `argv[0]`.
    fn name(&self) -> Vec<u8> {
        self.inputs[0]
            .with_extension("")
            .into_os_string()
            .into_vec()
    }

    fn request(&self) -> Request {
        Request {
            inputs: self.inputs.clone(),
            target: self.target.clone(),
            compiler_arguments: self.compiler_arguments.clone(),
            support: Vec::new(),
            keep_going: self.keep_going,
            folder: None,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
}

/// Parses the process's arguments, does what they say, and reports an error as one message.
pub fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let result = match compiler_call(&arguments) {
        Some(rest) => cc::execute(rest),
        None => match Cli::parse_from(&arguments).command {
            Command::Build(arguments) => build::execute(&arguments),
            Command::Cc(arguments) => cc::execute(&arguments.arguments),
            Command::Run(arguments) => run::execute(&arguments),
            Command::Check(arguments) => check::execute(&arguments),
            Command::Report(arguments) => saved_report::execute(&arguments),
            Command::Review(arguments) => review::execute(&arguments),
            Command::Tests(arguments) => emitted_tests::execute(&arguments),
            Command::Explore(arguments) => explore::execute(&arguments),
            Command::Replay(arguments) => replay::execute(&arguments),
            Command::Diff(arguments) => diff::execute(&arguments),
            Command::Impact(arguments) => impact::execute(&arguments),
            Command::Complexity(arguments) => complexity::execute(&arguments),
            Command::Bisect(arguments) => bisect::execute(&arguments),
            Command::Init(arguments) => init::execute(&arguments),
            Command::Graph(arguments) => graph::execute(&arguments),
            Command::Mutate(arguments) => mutate::execute(&arguments),
            Command::Cache(arguments) => cache::execute(&arguments),
            Command::Doctor(arguments) => doctor::execute(&arguments),
            Command::Completions(arguments) => manual::completions(&arguments),
            Command::Man(arguments) => manual::man(&arguments),
            Command::Debug(arguments) => debug::execute(&arguments),
        },
    };
    result.unwrap_or_else(|error| {
        if error.is::<ReaderGone>() {
            return ExitCode::from(ReaderGone::STATUS);
        }
        complain(&error);
        ExitCode::from(2)
    })
}

/// `parallax cc …`, or a link to this executable called `parallax-cc` for build systems that want one
/// word. Everything after is the compiler's, `--help` and `--version` included.
fn compiler_call(arguments: &[OsString]) -> Option<&[OsString]> {
    let (name, rest) = arguments.split_first()?;
    if Path::new(name)
        .file_name()
        .is_some_and(|name| name == "parallax-cc")
    {
        return Some(rest);
    }
    let (first, rest) = rest.split_first()?;
    (first == "cc").then_some(rest)
}

/// The function of that symbol, or else the only one that the source calls so: by its whole name, or by the
/// last part of a Rust path.
fn find_function(module: &Module, wanted: &str) -> anyhow::Result<Func> {
    let functions = || module.functions.iter();
    if let Some((func, _)) = functions().find(|(_, function)| function.name == wanted) {
        return Ok(func);
    }
    let name = |func: Func| version_diff::report::display_name(module, func);
    let in_source = |func: Func| {
        let scope = module.functions[func].scope;
        scope.and_then(|scope| module.source.scopes[scope].function.clone())
    };
    let whole: Vec<Func> = module
        .functions
        .keys()
        .filter(|&func| name(func) == wanted)
        .collect();
    let short: Vec<Func> = module
        .functions
        .keys()
        .filter(|&func| in_source(func).is_some_and(|name| name == wanted))
        .collect();
    for same in [whole, short] {
        if let [func] = same[..] {
            return Ok(func);
        }
    }
    const SHOWN: usize = 5;
    let names = module.functions.keys().map(name);
    let similar: Vec<String> = names
        .filter(|name| name.contains(wanted))
        .take(SHOWN)
        .collect();
    if similar.is_empty() {
        bail!(
            "the linked program has no function `{wanted}`; `parallax debug ir` lists what it has \
             (functions that are never used are left out)"
        );
    }
    bail!(
        "the linked program has no function `{wanted}`, or several; similar names: {}",
        similar.join(", ")
    )
}

/// Who read a program's output has enough (`parallax run … | head`). That ends a native program quietly, too.
#[derive(Debug, thiserror::Error)]
#[error("nobody reads the output any more")]
struct ReaderGone;

impl ReaderGone {
    /// As a shell reports a program that SIGPIPE ended.
    const STATUS: u8 = 141;
}

/// A text with words of others in it, in which nothing controls a terminal.
fn printable(text: &str) -> std::borrow::Cow<'_, str> {
    report::printable(text, report::Marks::Signs)
}

/// What others have named or written does nothing to the terminal. A reader that stops early (`head`) is not an error.
fn print(text: &str) -> anyhow::Result<()> {
    let text = match std::io::stdout().is_terminal() {
        true => report::printable(text, report::Marks::Colours),
        false => printable(text),
    };
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Long work is announced on stderr.
fn announce(message: &str) {
    eprintln!("parallax: {}", printable(message));
}

/// Why a command ended without its result.
fn complain(error: &anyhow::Error) {
    eprintln!("parallax: error: {}", printable(&format!("{error:#}")));
}
