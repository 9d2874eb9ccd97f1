//! What to do next about an `undecided`: one line for each reason, with flags that can be added to the command as they are. A test
//! of the command line parses every one of them.

use compare::Report;
use compare::verdict::{Finding, Open};

use crate::natively;

/// Something to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advice {
    /// A proof of ours does not hold.
    Report,
    LookAtDifferences,
    AllowNativeRuns,
    Prove,
    AskLonger,
    RunLonger,
    DeepenStack,
    MoreTime,
    SmallerProgram,
    SmallerFunction,
    AssumeArguments,
    CompileAll,
    Initialise,
    Determine,
    Partitions,
    CompareCaller,
}

impl Advice {
    pub const ALL: [Advice; 16] = [
        Advice::Report,
        Advice::LookAtDifferences,
        Advice::AllowNativeRuns,
        Advice::Prove,
        Advice::AskLonger,
        Advice::RunLonger,
        Advice::DeepenStack,
        Advice::MoreTime,
        Advice::SmallerProgram,
        Advice::SmallerFunction,
        Advice::AssumeArguments,
        Advice::CompileAll,
        Advice::Initialise,
        Advice::Determine,
        Advice::Partitions,
        Advice::CompareCaller,
    ];

    /// Flags stand in backquotes, as they are typed.
    pub fn words(self) -> &'static str {
        match self {
            Advice::Report => "please report this, with the folder that is named above",
            Advice::LookAtDifferences => {
                "see what native runs did instead: each difference above that was seen in the VM only says it"
            }
            Advice::AllowNativeRuns => {
                "let native runs confirm it: parallax doctor says what they lack"
            }
            Advice::Prove => {
                "leave out what keeps it from proving (`--find-only`, `--strategy random`)"
            }
            Advice::AskLonger => "let the solver take longer for a question: `--query-timeout 60s`",
            Advice::RunLonger => "let runs take longer: `--max-steps 200000000`",
            Advice::DeepenStack => {
                "let calls go deeper: `--max-depth 100000 --max-stack 67108864`, as far as the stack is as large natively"
            }
            Advice::MoreTime => "give it more time, it goes on from here: `--timeout 10m`",
            Advice::SmallerProgram => {
                "the same command goes on from here; `--timeout 10m` gives it more time, `--sym-args 0 1 2 --sym-stdin 0..2` \
                 smaller bounds, `--fn NAME` compares one function"
            }
            Advice::SmallerFunction => {
                "the same command goes on from here; `--timeout 10m` gives it more time, `--fn-array 2` shorter arrays and \
                 texts, `--fn-assume 'n >= 0 && n <= 4'` fewer arguments"
            }
            Advice::AssumeArguments => {
                "leave out the arguments on which both are undefined: `--fn-assume 'n >= 0 && n <= 4'`"
            }
            Advice::CompileAll => "give the files that are missing, so that all code is compared",
            Advice::Initialise => "initialise the memory that is named above",
            Advice::Determine => {
                "compare a function that does not depend on it (`--fn NAME`), or take what decides from the input"
            }
            Advice::CompareCaller => {
                "compare a function that calls it (`--fn NAME`) or the program: there, what is named above shows in what is done with it"
            }
            Advice::Partitions => "see which inputs are open: `--partitions=open`",
        }
    }
}

/// What to do about what is open between two versions, if something is.
pub(crate) fn advice(report: &Report) -> Option<Advice> {
    let open = report
        .single_steps()
        .iter()
        .find_map(|step| match step.finding {
            Finding::Undecided(open) => Some(open),
            _ => None,
        })?;
    let search = report.search.as_ref();
    let reasons: Vec<&String> = search
        .iter()
        .flat_map(|search| {
            let gaps = search.gaps.iter().map(|gap| &gap.what);
            search.unknown.iter().chain(gaps)
        })
        .collect();
    let says = |what: &str| reasons.iter().any(|reason| reason.contains(what));
    Some(match open {
        Open::ProofRefuted => Advice::Report,
        Open::NotConfirmed if natively::are_off(report) => Advice::AllowNativeRuns,
        Open::NotConfirmed => Advice::LookAtDifferences,
        Open::NothingToProve => Advice::Prove,
        Open::CodeLeftOut => match report.function {
            Some(_) => Advice::CompareCaller,
            None => Advice::CompileAll,
        },
        Open::UninitialisedRead => Advice::Initialise,
        Open::NotInspected | Open::ExecutedBeyond => Advice::MoreTime,
        Open::NotDeterministic => Advice::Determine,
        Open::NotExplored | Open::StoppedGrowing | Open::NotProved => {
            let cut = search.is_some_and(|search| search.stop.can_go_on);
            match report.function {
                Some(_) if cut => Advice::SmallerFunction,
                None if cut => Advice::SmallerProgram,
                _ if says("time limit") => Advice::AskLonger,
                _ if says("stack overflow") || says("calls within calls") => Advice::DeepenStack,
                _ if says("instructions") => Advice::RunLonger,
                Some(_) if report.partitions.counts.both_undefined > 0 => Advice::AssumeArguments,
                _ => Advice::Partitions,
            }
        }
    })
}
