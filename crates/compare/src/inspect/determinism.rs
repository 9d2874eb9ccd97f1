//! Does what a version does depend on more than its input?
//!
//! The VM gives every run the same time, process number and random bytes, so a comparison says nothing about
//! others. Some inputs of the search are run once more with other ones. What then differs is reported: such
//! versions are not called equivalent.

use concolic_vm::linux::KernelConfig;
use exploration::InputRecord;

use harness::Harness;
use native::confirmation::observably_equal;
use native::prediction::predict;
use serde::{Deserialize, Serialize};

use crate::given::Given;
use crate::versions::run::Versions;

/// Makes something other than it usually is.
type Change = fn(&mut KernelConfig);

/// What a run is given besides its input.
const SURROUNDINGS: [(Surrounding, Change); 3] = [
    (Surrounding::Time, |kernel| {
        kernel.time += 86_400 * 400 + 3_723
    }),
    (Surrounding::ProcessNumber, |kernel| kernel.pid += 3_217),
    (Surrounding::RandomBytes, |kernel| {
        kernel.seed = !kernel.seed
    }),
];

/// Something that a run is given besides its input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Surrounding {
    Time,
    ProcessNumber,
    RandomBytes,
}

/// A version whose behaviour its input does not decide.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Dependence {
    /// Its number.
    pub version: usize,
    pub on: Surrounding,
    /// An input for which this was seen.
    pub given: Given,
}

/// For each version, what some of these inputs show that it depends on.
pub(crate) fn dependences(
    versions: &Versions<'_>,
    harness: &dyn Harness,
    samples: &[InputRecord],
) -> Vec<Dependence> {
    let mut found: Vec<Dependence> = Vec::new();
    for (version, &program) in versions.programs.iter().enumerate() {
        let run = |kernel: &KernelConfig, input| predict(program, kernel, versions.limits, input);
        let changed = |change: &[Change]| {
            let mut kernel = versions.kernel.clone();
            change.iter().for_each(|change| change(&mut kernel));
            kernel
        };
        let all_changed = changed(&SURROUNDINGS.map(|(_, change)| change));
        for input in samples {
            let Some(usual) = run(&versions.kernel, input) else {
                continue;
            };
            let same = |kernel: &KernelConfig| {
                run(kernel, input).is_some_and(|other| observably_equal(&usual, &other))
            };
            if same(&all_changed) {
                continue;
            }
            for (on, change) in SURROUNDINGS {
                let is_known = found
                    .iter()
                    .any(|known| known.version == version && known.on == on);
                if !is_known && !same(&changed(&[change])) {
                    found.push(Dependence {
                        version,
                        on,
                        given: Given::of(harness, input),
                    });
                }
            }
        }
    }
    found
}
