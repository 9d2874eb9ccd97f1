//! Inputs that a search begins with: the folders of `--seeds`, and the tests that `parallax.toml` lists.
//!
//! A test that does not lie in the explored space is named with the reason, and the search goes on without it.

use std::path::Path;

use anyhow::bail;
use concolic_vm::linux::KernelConfig;
use concolic_vm::symbolic::SymbolicInput;
use exploration::InputSpace;

use super::project_file::ListedTest;
use super::{announce, counted};
use native::test_case::TestCase;

/// How many tests that do not fit are named.
const NAMED: usize = 5;

/// The seeds, each with the number of its shape.
pub(super) fn read(
    folder: Option<&Path>,
    listed: &[ListedTest],
    space: &InputSpace,
    shapes: &[SymbolicInput],
    kernel: &KernelConfig,
) -> anyhow::Result<Vec<(u32, SymbolicInput)>> {
    let mut tests: Vec<(String, TestCase)> = Vec::new();
    for (test, number) in listed.iter().zip(1..) {
        tests.push((test.name(number), test.test_case()?));
    }
    if let Some(folder) = folder {
        let found = TestCase::read_all(folder)?;
        if found.is_empty() {
            bail!(
                "`{}` holds no seeds; each is a folder with a file `argv` (one argument per line) and, if needed, `stdin`",
                folder.display()
            );
        }
        tests.extend(found);
    }
    let working_folder = String::from_utf8_lossy(&kernel.working_directory);
    let all = tests.len();
    let mut seeds = Vec::new();
    let mut unfit = Vec::new();
    for (name, test) in tests {
        let record = test.input(&space.program_name, &working_folder)?;
        if let Some(why) = space.misfit(&record) {
            unfit.push(format!("{name}: {why}"));
            continue;
        }
        let fits = |(number, shape): (u32, &SymbolicInput)| Some((number, record.in_shape(shape)?));
        seeds.extend((0..).zip(shapes).find_map(fits));
    }
    for why in unfit.iter().take(NAMED) {
        announce(&format!("not used as a seed: {why}"));
    }
    if unfit.len() > NAMED {
        let more = counted((unfit.len() - NAMED) as u64, "more seed");
        announce(&format!("not used as a seed: {more}, for such reasons"));
    }
    if !unfit.is_empty() {
        announce(&format!(
            "{} of {} used",
            seeds.len(),
            counted(all as u64, "seed")
        ));
    }
    Ok(seeds)
}
