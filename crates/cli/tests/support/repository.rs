//! A git repository in a test's working folder, and what must not change in it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::{Bench, said};

/// Every file of a folder: a hash of its content, mode and time.
pub(crate) type Everything = BTreeMap<PathBuf, String>;

/// Lists what is not the same.
pub(crate) fn assert_same(before: &Everything, after: &Everything, when: &str) {
    let names = before.keys().chain(after.keys());
    let mut changed: Vec<_> = names
        .filter(|name| before.get(*name) != after.get(*name))
        .map(|name| (name, before.get(name), after.get(name)))
        .collect();
    changed.dedup();
    assert!(changed.is_empty(), "{when}: {changed:#?}");
}

impl Bench {
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        self.git_in("", arguments)
    }

    /// In a folder below the working folder.
    pub(crate) fn git_in(&self, folder: &str, arguments: &[&str]) -> String {
        let mut command = self.command("git");
        command
            .current_dir(self.path(folder))
            .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"])
            .args(["-c", "init.defaultBranch=main"])
            .args(["-c", "commit.gpgSign=false"])
            .args(["-c", "protocol.file.allow=always"])
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null");
        let said = said(&mut command);
        assert_eq!(said.status, 0, "git {arguments:?}: {}", said.stderr);
        said.stdout.trim().to_owned()
    }

    /// Commits everything; the commit's id.
    pub(crate) fn commit_all(&self, subject: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", subject]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Writes a file and commits everything.
    pub(crate) fn commit_file(&self, name: &str, text: &str, subject: &str) -> String {
        self.write(name, text);
        self.commit_all(subject)
    }

    /// Every file of the working folder, `.git` included, by content, mode and time. What `check` itself leaves, its
    /// folder `.parallax`, is not the user's.
    pub(crate) fn everything(&self) -> Everything {
        let mut found = BTreeMap::new();
        collect(&self.folder(), &mut found);
        found
    }
}

fn collect(folder: &Path, found: &mut Everything) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().is_some_and(|name| name == ".parallax") {
            continue;
        }
        let data = path.symlink_metadata().unwrap();
        let content = match () {
            () if data.is_dir() => Vec::new(),
            () if data.is_symlink() => fs::read_link(&path)
                .unwrap()
                .into_os_string()
                .into_encoded_bytes(),
            () => fs::read(&path).unwrap(),
        };
        let (mut time, mode) = ((data.mtime(), data.mtime_nsec()), data.mode());
        if data.is_dir() {
            collect(&path, found);
            // A folder's time changes when a file comes and goes.
            time = (0, 0);
        }
        if path.components().any(|part| part.as_os_str() == "objects") {
            // Git marks an object as used, without a change of its content, when it would write the same one.
            time = (0, 0);
        }
        let hash = build::cache::hash_bytes(&content);
        found.insert(path, format!("{hash} {mode:o} {time:?}"));
    }
}
