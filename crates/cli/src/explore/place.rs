//! The folder that keeps an exploration from one call to the next: its tests and its journal.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use build::cache::Key;
use compare::journal_file::{self, KeptJournal};
use concolic_vm::symbolic::SymbolicInput;
use exploration::InputSpace;
use exploration::journal::Earlier;

use super::Arguments;
use crate::announce;

/// Where an exploration is kept: `.parallax/explore/NAME-KEY`.
pub(super) struct Place {
    folder: PathBuf,
    pub(super) tests: PathBuf,
    /// Held while the exploration goes on.
    _lock: File,
}

impl Place {
    pub(super) fn open(
        arguments: &Arguments,
        program: &str,
        space: &InputSpace,
    ) -> anyhow::Result<Place> {
        let mut key = Key::new("explore 1");
        // Another Parallax may number events and their alternatives in another way.
        if let Ok(tool) = std::env::current_exe() {
            key.add_tool(&tool)?;
        }
        key.add(program);
        key.add(format!("{space:?}"));
        key.add(arguments.max_steps.to_le_bytes());
        key.add(arguments.max_decisions.to_le_bytes());
        key.add(arguments.max_depth.to_le_bytes());
        let name = arguments.program.inputs[0].file_stem().unwrap_or_default();
        let name = format!("{}-{}", name.to_string_lossy(), &key.finish()[..12]);
        let folder = Path::new(".parallax").join("explore").join(name);
        let fail = || {
            format!(
                "cannot keep the exploration in `{}`; run in a folder that can be written to, or give \
                 `--dry-run` to keep nothing",
                folder.display()
            )
        };
        native::own_folder::prepare(&folder).with_context(fail)?;
        let lock = journal_file::lock(&folder, "explore", "use `--dry-run`")?;
        let tests = arguments
            .tests
            .clone()
            .unwrap_or_else(|| folder.join("tests"));
        if arguments.fresh {
            let remove = |result: std::io::Result<()>| match result {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
            journal_file::remove(&folder.join(journal_file::JOURNAL))?;
            // Tests that the user asked to have elsewhere are the user's.
            remove(std::fs::remove_dir_all(folder.join("tests"))).with_context(fail)?;
        }
        std::fs::create_dir_all(&tests)
            .with_context(|| format!("cannot make the folder `{}` for tests", tests.display()))?;
        Ok(Place {
            folder,
            tests,
            _lock: lock,
        })
    }

    pub(super) fn earlier(&self, shapes: &[SymbolicInput]) -> anyhow::Result<Earlier> {
        let journal = self.folder.join(journal_file::JOURNAL);
        let text = match journal_file::read(&journal)? {
            KeptJournal::Ours(text) => text,
            KeptJournal::Nothing => String::new(),
            KeptJournal::Foreign => {
                announce(&format!(
                    "`{}` is not used: it was not begun here by your Parallax, and may have come with the files",
                    journal.display()
                ));
                journal_file::remove(&journal)?;
                String::new()
            }
        };
        Earlier::read(&text, shapes).with_context(|| {
            format!(
                "cannot go on from `{}`; begin anew with `--fresh`",
                self.folder.join(journal_file::JOURNAL).display()
            )
        })
    }

    pub(super) fn journal(&self) -> anyhow::Result<Box<dyn Write + Send>> {
        let path = self.folder.join(journal_file::JOURNAL);
        Ok(journal_file::append(&path)?)
    }
}
