//! Tests that a search begins with: the folders of `--seeds`, and the tests that `parallax.toml` lists.

use std::path::Path;

use anyhow::bail;
use native::test_case::TestCase;

use super::project_file::ListedTest;

/// The tests, each with a name for messages.
pub(super) fn read(
    folder: Option<&Path>,
    listed: &[ListedTest],
) -> anyhow::Result<Vec<(String, TestCase)>> {
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
    Ok(tests)
}
