//! An input as a report shows it.

use exploration::InputRecord;
use harness::{Call, Harness};
use serde::{Deserialize, Serialize};

/// An input, with the call that it stands for if a function is compared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Given {
    pub input: InputRecord,
    pub call: Option<Call>,
}

impl Given {
    pub(crate) fn of(harness: &dyn Harness, input: &InputRecord) -> Given {
        Given {
            call: harness.call(input),
            input: input.clone(),
        }
    }
}
