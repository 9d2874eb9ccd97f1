//! One example of each kind of difference, confirmed natively if that is possible, and left behind as tests.

use std::path::{Path, PathBuf};

use anyhow::Context;
use exploration::InputRecord;

use super::differences::Group;
use super::natively::Natively;
use super::search::Checker;
use crate::test_case::{Expected, TestCase};

/// What both versions did on one input.
pub(super) struct Example {
    pub(super) input: InputRecord,
    /// Of the partition that the input is in.
    pub(super) condition: Vec<String>,
    pub(super) old: Expected,
    pub(super) new: Expected,
    /// Why native runs did not show it, if so.
    pub(super) unconfirmed: Option<String>,
    pub(super) folder: Option<PathBuf>,
}

/// Removes the examples of an earlier call, and nothing else.
pub(super) fn remove_examples(folder: &Path) -> anyhow::Result<()> {
    for number in 1.. {
        let place = folder.join(format!("{number:03}"));
        if !place.join("old/argv").is_file() || !place.join("new/argv").is_file() {
            return Ok(());
        }
        std::fs::remove_dir_all(&place)
            .with_context(|| format!("cannot remove the earlier example `{}`", place.display()))?;
    }
    Ok(())
}

/// An example of each kind of difference, the first that native runs confirm, written as tests.
pub(super) fn examples(
    checker: &Checker<'_>,
    natively: &mut Natively<'_>,
    groups: &[Group],
    folder: &Path,
) -> anyhow::Result<Vec<Example>> {
    let working_folder = &checker.kernel.working_directory;
    let mut examples = Vec::new();
    for (group, number) in groups.iter().zip(1..) {
        let mut best: Option<Example> = None;
        for (input, condition) in &group.witnesses {
            let (old, new) = (checker.run(0, input)?, checker.run(1, input)?);
            let test =
                |expected: &Expected| TestCase::new(input, working_folder, Some(expected.clone()));
            let (old_test, new_test) = (test(&old), test(&new));
            let objection = match observably_equal(&old, &new) {
                true => Some(
                    "what a test records (streams, exit status, contents of files in the working folder) is \
                     the same"
                        .to_owned(),
                ),
                false => natively.objection(&group.observables, &old_test, &new_test)?,
            };
            let confirmed = objection.is_none();
            if confirmed || best.is_none() {
                let place = folder.join(format!("{number:03}"));
                if best.is_some() {
                    std::fs::remove_dir_all(&place)
                        .with_context(|| format!("cannot renew the tests `{}`", place.display()))?;
                }
                std::fs::create_dir_all(&place)
                    .and_then(|()| old_test.write(&place.join("old")))
                    .and_then(|()| new_test.write(&place.join("new")))
                    .with_context(|| format!("cannot write the tests `{}`", place.display()))?;
                best = Some(Example {
                    input: input.clone(),
                    condition: condition.clone(),
                    old,
                    new,
                    unconfirmed: objection,
                    folder: Some(place),
                });
            }
            if confirmed {
                break;
            }
        }
        examples.push(best.expect("a group has a witness"));
    }
    Ok(examples)
}

/// Whether two runs look the same to a user of the program.
pub(super) fn observably_equal(old: &Expected, new: &Expected) -> bool {
    let end = |expected: &Expected| (expected.end.kind.clone(), expected.end.shell_status);
    end(old) == end(new)
        && (&old.stdout, &old.stderr, &old.files) == (&new.stdout, &new.stderr, &new.files)
}
