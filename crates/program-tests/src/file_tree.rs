//! The content of a folder as a value: written out for a run, read back and compared afterwards.

use std::collections::BTreeMap;
use std::fs::{File, FileTimes, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Files by path relative to the folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTree {
    pub entries: BTreeMap<PathBuf, Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    File { content: Vec<u8>, mode: u32 },
    Folder { mode: u32 },
    Link { target: PathBuf },
}

/// When the VM's clock stands, and when every file was last changed.
const START_OF_TIME: u64 = 1_700_000_000;

/// How many files a difference names.
const SHOWN: usize = 8;

impl FileTree {
    pub fn read(folder: &Path) -> io::Result<FileTree> {
        let mut tree = FileTree::default();
        tree.add(folder, Path::new(""))?;
        Ok(tree)
    }

    fn add(&mut self, root: &Path, below: &Path) -> io::Result<()> {
        for found in std::fs::read_dir(root.join(below))? {
            let name = below.join(found?.file_name());
            let path = root.join(&name);
            let metadata = path.symlink_metadata()?;
            let mode = metadata.permissions().mode() & 0o7777;
            let entry = if metadata.is_symlink() {
                Entry::Link {
                    target: std::fs::read_link(&path)?,
                }
            } else if metadata.is_dir() {
                self.add(root, &name)?;
                Entry::Folder { mode }
            } else {
                Entry::File {
                    content: std::fs::read(&path)?,
                    mode,
                }
            };
            self.entries.insert(name, entry);
        }
        Ok(())
    }

    /// Writes the tree into an existing folder, with the times that files have in the VM.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        for (name, entry) in &self.entries {
            let path = folder.join(name);
            match entry {
                Entry::File { content, mode } => {
                    std::fs::write(&path, content)?;
                    std::fs::set_permissions(&path, Permissions::from_mode(*mode))?;
                }
                Entry::Folder { .. } => std::fs::create_dir(&path)?,
                Entry::Link { target } => std::os::unix::fs::symlink(target, &path)?,
            }
        }
        for (name, entry) in self.entries.iter().rev() {
            let path = folder.join(name);
            if let Entry::Folder { mode } = entry {
                std::fs::set_permissions(&path, Permissions::from_mode(*mode))?;
            }
            if !matches!(entry, Entry::Link { .. }) {
                let time = SystemTime::UNIX_EPOCH + Duration::from_secs(START_OF_TIME);
                let times = FileTimes::new().set_accessed(time).set_modified(time);
                File::open(&path)?.set_times(times)?;
            }
        }
        Ok(())
    }

    /// `None` when equal, else one line for each of the first paths that differ.
    pub fn difference(&self, actual: &FileTree) -> Option<String> {
        let mut names: Vec<&PathBuf> = self.entries.keys().chain(actual.entries.keys()).collect();
        names.sort();
        names.dedup();
        let differs = |name: &&PathBuf| self.entries.get(*name) != actual.entries.get(*name);
        let mut report = String::new();
        for (index, name) in names.into_iter().filter(differs).enumerate() {
            let (expected, got) = (self.entries.get(name), actual.entries.get(name));
            if index == SHOWN {
                report += "and more files\n";
            }
            if index < SHOWN {
                report += &format!(
                    "file {}: expected {}, got {}\n",
                    name.display(),
                    describe(expected),
                    describe(got)
                );
            }
        }
        (!report.is_empty()).then_some(report)
    }
}

fn describe(entry: Option<&Entry>) -> String {
    match entry {
        None => "nothing".to_owned(),
        Some(Entry::Folder { mode }) => format!("a folder (mode {mode:o})"),
        Some(Entry::Link { target }) => format!("a link to {}", target.display()),
        Some(Entry::File { content, mode }) => {
            let start = String::from_utf8_lossy(&content[..content.len().min(60)]).into_owned();
            format!("{} bytes (mode {mode:o}) {start:?}", content.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(content: &str) -> Entry {
        Entry::File {
            content: content.into(),
            mode: 0o644,
        }
    }

    #[test]
    fn every_path_that_differs_is_named() {
        let tree = |files: &[(&str, &str)]| FileTree {
            entries: files
                .iter()
                .map(|(name, content)| (PathBuf::from(name), file(content)))
                .collect(),
        };
        let expected = tree(&[("same", "1"), ("changed", "2"), ("gone", "3")]);
        let actual = tree(&[("same", "1"), ("changed", "4"), ("added", "5")]);
        let report = expected.difference(&actual).unwrap();
        for name in ["changed", "gone", "added"] {
            assert!(report.contains(&format!("file {name}: ")), "{report}");
        }
        assert!(!report.contains("same"), "{report}");
        assert_eq!(expected.difference(&expected.clone()), None);
    }
}
