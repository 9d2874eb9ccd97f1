//! The flags of `parallax check`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use compare::spec;
use concolic_vm::Limits;
use concolic_vm::symbolic::SymbolicLimits;

use crate::accepted_file::AcceptedOptions;
use crate::native_options::NativeOptions;
use crate::notation::{some_time, time_limit};
use crate::report_format::ReportFormat;
use crate::search_options::SearchOptions;
use crate::symbolic_input::SymbolicArguments;
use crate::test_target::TestOptions;
use crate::versions::Versions;

/// Sequences of calls instead of the whole program.
#[derive(Args, Debug)]
pub(super) struct SequenceOptions {
    /// Compare sequences of calls of the functions that take or return a pointer to this struct; or a `typedef` of it. `parallax.toml`
    /// can say what each function is for
    #[arg(long, value_name = "TYPE", conflicts_with_all = ["function", "all_changed"])]
    pub(super) sequence: Option<String>,
    /// With --sequence: how many calls follow the one that makes the object at most [default: as many as the time allows]
    #[arg(long, value_name = "N", requires = "sequence", value_parser = clap::value_parser!(u16).range(0..=i64::from(harness::c_sequence::MOST_LENGTH)))]
    pub(super) length: Option<u16>,
}

/// One function instead of the whole program.
#[derive(Args, Debug)]
pub(super) struct FunctionOptions {
    /// Compare only this function, on all its arguments; FILE:NAME if several files have one of this name
    #[arg(long = "fn", value_name = "NAME")]
    pub(super) function: Option<String>,
    /// Compare each changed function by itself, on all its arguments: a row for each, the worst first. Limits of time and number are
    /// for each function
    #[arg(long, conflicts_with_all = ["function", "fn_assume"])]
    pub(super) all_changed: bool,
    /// With --fn: how many elements a pointer to numbers has, and how many bytes a text has at most [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) fn_array: Option<u16>,
    /// With --fn: how many objects of a type that refers to itself (a list, a tree) follow each other at most [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=16))]
    pub(super) fn_depth: Option<u16>,
    /// With --fn: globals and `static` variables that the function uses and that something writes have any value, or their first one
    /// [default: any]
    #[arg(long, value_enum, value_name = "VALUES")]
    pub(super) globals: Option<Globals>,
    /// With --fn: pointers may be NULL too, also those of types that do not refer to themselves
    #[arg(long)]
    pub(super) fn_null: bool,
    /// With --fn: only arguments for which this C expression over the parameters holds; may be repeated. With --sequence, FUNCTION: and
    /// an expression over its parameters
    #[arg(long, value_name = "EXPRESSION")]
    pub(super) fn_assume: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(super) versions: Versions,
    /// Later versions, in order. All are explored together; the report says which behave the same on which inputs, and what
    /// a version undoes of what an earlier one did. A version of several files is given as a folder
    #[arg(value_name = "LATER", conflicts_with_all = ["old_files", "new_files"])]
    pub(super) later: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) function: FunctionOptions,
    #[command(flatten)]
    pub(super) sequence: SequenceOptions,
    #[command(flatten)]
    pub(super) input: SymbolicArguments,
    #[command(flatten)]
    pub(super) search: SearchOptions,
    #[command(flatten)]
    pub(super) native: NativeOptions,
    /// List the partitions, or some of them: which inputs they hold, and what both versions put out on them. `open` are those
    /// of which it is not known
    #[arg(long, value_name = "WHICH", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    pub(super) partitions: Option<Which>,
    /// Say in full what a report says in a few words otherwise, or leaves out; may be repeated
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(super) explain: Vec<Explained>,
    /// Decides all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
    /// How many workers search at the same time
    #[arg(short = 'j', long = "workers", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) workers: u16,
    /// Stop after this time, as in 30s, 5m or 1h; 0 means no limit
    #[arg(long, value_name = "TIME", value_parser = time_limit, default_value = "60s")]
    pub(super) timeout: Duration,
    /// Stop after so many runs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) runs: Option<u64>,
    /// Stop when this process holds so many megabytes
    #[arg(long, value_name = "MB", default_value_t = 8192)]
    pub(super) memory: u64,
    /// Instructions after which a run counts as one that does not end
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_steps: u64,
    /// Decisions about the input after which a run goes on for its own input alone
    #[arg(long, value_name = "N", default_value_t = SymbolicLimits::default().decisions, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_decisions: u32,
    /// Calls within calls after which a run counts as one whose stack overflows
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_depth: u32,
    /// Bytes of stack, counted as natively without optimisation, after which a run counts as one whose stack overflows
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().stack_bytes, value_parser = clap::value_parser!(u64).range(4096..))]
    pub(super) max_stack: u64,
    /// Bytes of memory that a run may hold; one that asks for more is not followed
    #[arg(long, value_name = "BYTES", default_value_t = 2 << 30)]
    pub(super) max_memory: u64,
    /// The most time for one question to the solver
    #[arg(long, value_name = "TIME", value_parser = some_time, default_value = "5s")]
    pub(super) query_timeout: Duration,
    /// Tests or inputs to begin with: a folder of folders, each with `argv` and, if needed, `stdin` and `files/`
    #[arg(long, value_name = "DIR")]
    pub(super) seeds: Option<PathBuf>,
    /// Make the input of each difference as small as possible. Without this, about a second is spent on it
    #[arg(long, visible_alias = "minimize")]
    pub(super) minimise: bool,
    /// A version that behaves as intended: each difference is then a progression, a regression or intermediate;
    /// repeated if it has several files
    #[arg(long, value_name = "VERSION")]
    pub(super) golden: Vec<PathBuf>,
    /// Compare also what is noise to most: line and column of Rust's panics and of `assert`, and the bits of a NaN that a function
    /// returns
    #[arg(long)]
    pub(super) exact: bool,
    /// Run some inputs of each partition that was proved equal natively, on both versions; a disagreement is an internal error
    #[arg(long)]
    pub(super) paranoid: bool,
    /// Forget what an earlier check of the same versions found and begin anew
    #[arg(long)]
    pub(super) fresh: bool,
    /// Where an example of each difference is written, and what is needed to go on after a stop [default:
    /// .parallax/check/NEW, without its ending; with more versions .parallax/check/LAST-versions]
    #[arg(long, value_name = "DIR")]
    pub(super) tests: Option<PathBuf>,
    #[command(flatten)]
    pub(super) output: OutputOptions,
}

/// What is made of the report.
#[derive(Args, Debug)]
pub(super) struct OutputOptions {
    /// Also write the report as a page for a browser, which needs nothing else. The sources around changed lines are in it
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    /// Also keep the whole report, for `parallax report` and `parallax tests`
    #[arg(long, value_name = "FILE")]
    pub(super) save: Option<PathBuf>,
    /// Also write regression tests of the differences into this folder, which run without Parallax. Each is tried on both versions
    #[arg(long, value_name = "DIR")]
    pub(super) write_tests: Option<PathBuf>,
    #[command(flatten)]
    pub(super) accepted: AcceptedOptions,
    #[command(flatten)]
    pub(super) tests: TestOptions,
    #[arg(long, value_enum, default_value = "text")]
    pub(super) format: ReportFormat,
}

impl OutputOptions {
    /// Whether the rows of `--all-changed` are written as text, or else as JSON; they have no other form.
    pub(super) fn of_functions(&self) -> anyhow::Result<bool> {
        let is_other = !matches!(self.format, ReportFormat::Text | ReportFormat::Json);
        let asked = [
            ("--html", self.html.is_some()),
            ("--save", self.save.is_some()),
            ("--format", is_other),
        ];
        if let Some((flag, _)) = asked.iter().find(|(_, is_asked)| *is_asked) {
            anyhow::bail!(
                "`{flag}` is for one comparison, and `--all-changed` makes several: use `--format text` or `--format json`, or \
                 name one function with `--fn`"
            );
        }
        Ok(self.format == ReportFormat::Text)
    }
}

/// What is said in full.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Explained {
    /// What the verdict takes for granted
    Assumptions,
    /// Values that runs took as they were, also where all others were tried
    Notes,
    /// The shares of partitions and open ways, beside those of inputs
    Shares,
    All,
}

impl Explained {
    pub(super) fn plain(asked: &[Explained]) -> spec::Explain {
        let has = |what: Explained| asked.contains(&what) || asked.contains(&Explained::All);
        spec::Explain {
            assumptions: has(Explained::Assumptions),
            notes: has(Explained::Notes),
            shares: has(Explained::Shares),
        }
    }
}

impl Arguments {
    pub(super) fn all_changed(&self) -> bool {
        self.function.all_changed
    }
}

/// The values of variables before a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Globals {
    Any,
    First,
}

/// Which partitions are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Which {
    Different,
    Equal,
    // Not known to be either.
    Open,
    All,
}

impl Which {
    pub(super) fn plain(self) -> spec::Which {
        match self {
            Which::Different => spec::Which::Different,
            Which::Equal => spec::Which::Equal,
            Which::Open => spec::Which::Open,
            Which::All => spec::Which::All,
        }
    }
}
