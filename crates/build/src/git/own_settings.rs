//! What a repository's own settings (`.git/config`) would have git run. No clone brings such settings, but an archive of a whole repository
//! does, and then they are a stranger's: with `--box-build` nothing of them runs outside of the sandbox.

use std::process::Command;

use super::{Repository, Result};

/// What a filter of files consists of; without a word it does nothing.
const OF_A_FILTER: [(&str, &str); 4] = [
    ("smudge", ""),
    ("clean", ""),
    ("process", ""),
    ("required", "false"),
];

impl Repository {
    /// Has a command run no filter of the repository's own on files, and fetch nothing. Filters of the user's settings stay.
    pub(super) fn distrust_own_settings(
        &self,
        command: &mut Command,
        has_files: bool,
    ) -> Result<()> {
        // What is missing of a partial clone would be asked of whom the settings name.
        command.env("GIT_ALLOW_PROTOCOL", "none");
        if !has_files {
            return Ok(());
        }
        // The user may have settings there.
        let known = std::env::var("GIT_CONFIG_COUNT").ok();
        let mut count: usize = known.and_then(|count| count.parse().ok()).unwrap_or(0);
        for filter in self.own_filters()? {
            for (part, value) in OF_A_FILTER {
                command.env(
                    format!("GIT_CONFIG_KEY_{count}"),
                    format!("{filter}.{part}"),
                );
                command.env(format!("GIT_CONFIG_VALUE_{count}"), value);
                count += 1;
            }
        }
        command.env("GIT_CONFIG_COUNT", count.to_string());
        Ok(())
    }

    /// As in `filter.lfs`.
    fn own_filters(&self) -> Result<Vec<String>> {
        let asked = [
            "config",
            "-z",
            "--show-scope",
            "--includes",
            "--name-only",
            "--get-regexp",
            "^filter\\.",
        ];
        // Without one git fails.
        let Ok(output) = self.run(&asked, None) else {
            return Ok(Vec::new());
        };
        let text = String::from_utf8_lossy(&output.stdout);
        let mut words = text.split('\0');
        let mut filters = Vec::new();
        while let (Some(scope), Some(name)) = (words.next(), words.next()) {
            let is_own = !matches!(scope, "system" | "global" | "command");
            if let (true, Some((filter, _))) = (is_own, name.rsplit_once('.')) {
                filters.push(filter.to_owned());
            }
        }
        filters.dedup();
        Ok(filters)
    }
}
