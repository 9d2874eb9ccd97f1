//! Programs and pairs of versions, small and generated ones, against brute force over all their inputs. Trials are called
//! `suite::trial`.

mod no_path_lost;
mod no_path_lost_generated;
mod partitions_hold;
mod pruning_is_safe;
mod sliced_programs;
mod versions_hold;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

struct Suite {
    trials: fn() -> Vec<Trial>,
    /// Called after the trials with whether all of the suite's were run: prints what they have counted, and whether that shows what the
    /// suite is to show.
    conclude: fn(complete: bool) -> bool,
}

const SUITES: [Suite; 6] = [
    Suite {
        trials: no_path_lost::trials,
        conclude: no_path_lost::conclude,
    },
    Suite {
        trials: no_path_lost_generated::trials,
        conclude: no_path_lost_generated::conclude,
    },
    Suite {
        trials: partitions_hold::trials,
        conclude: partitions_hold::conclude,
    },
    Suite {
        trials: pruning_is_safe::trials,
        conclude: pruning_is_safe::conclude,
    },
    Suite {
        trials: sliced_programs::trials,
        conclude: sliced_programs::conclude,
    },
    Suite {
        trials: versions_hold::trials,
        conclude: versions_hold::conclude,
    },
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut all = Vec::new();
    let mut run = Vec::new();
    for suite in SUITES {
        let trials = (suite.trials)();
        let chosen = trials
            .iter()
            .filter(|trial| is_chosen(&arguments, trial.name()))
            .count();
        if chosen > 0 && !arguments.list {
            run.push((suite, chosen == trials.len()));
        }
        all.extend(trials);
    }
    let conclusion = libtest_mimic::run(&arguments, all);
    let mut enough = true;
    for (suite, complete) in run {
        enough &= (suite.conclude)(complete);
    }
    if enough {
        conclusion.exit_code()
    } else {
        ExitCode::FAILURE
    }
}

/// As `libtest_mimic` chooses.
fn is_chosen(arguments: &Arguments, name: &str) -> bool {
    let matches = |pattern: &String| {
        if arguments.exact {
            name == pattern
        } else {
            name.contains(pattern)
        }
    };
    arguments.filter.as_ref().is_none_or(matches) && !arguments.skip.iter().any(matches)
}
