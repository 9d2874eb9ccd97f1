//! Runs a project's own build in a checkout, with `parallax cc` as its compiler.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{Result, RevisionError, Workshop};
use crate::boxed::{self, Reach};
use crate::cache::Cache;
use crate::error::IoContext;
use crate::git::Checkout;
use crate::unit_cache::PLACE;
use crate::{Builder, twin};

/// How much of a failed build's output is shown.
const LINES_SHOWN: usize = 5;

impl Workshop<'_> {
    pub(super) fn run_command(
        &self,
        builder: &Builder,
        checkout: &Checkout,
        folder: &Path,
        command: &str,
        submodules: Vec<PathBuf>,
    ) -> Result<()> {
        checkout
            .level_times()
            .context("set the times of the files in", checkout.folder())?;
        let mut shell = Command::new("sh");
        shell
            .args(["-c", command])
            .current_dir(folder)
            .env("CC", compiler(builder)?)
            .env(PLACE, checkout.folder())
            // A build that asks git for a version must not be told about a repository around the cache.
            .env("GIT_CEILING_DIRECTORIES", checkout.folder())
            .env_remove("GIT_DIR")
            .env_remove("GIT_INDEX_FILE")
            .env_remove("MAKEFLAGS");
        let output = self.output(builder, checkout, &mut shell)?;
        if output.status.success() {
            return Ok(());
        }
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        let lines: Vec<&str> = said.lines().collect();
        let first_error = lines.iter().position(|line| line.contains("error:"));
        let from_end = lines.len().saturating_sub(LINES_SHOWN);
        let start = first_error.map_or(from_end, |at| at.min(from_end));
        let shown = &lines[start..(start + LINES_SHOWN).min(lines.len())];
        Err(RevisionError::CommandFailed {
            command: command.to_owned(),
            status: output.status,
            message: shown.join("\n"),
            submodules,
        })
    }

    /// In a sandbox, `parallax cc` writes to a cache of this build's own.
    fn output(
        &self,
        builder: &Builder,
        checkout: &Checkout,
        shell: &mut Command,
    ) -> Result<Output> {
        if !boxed::is_on() {
            return Ok(boxed::output_of(shell, Reach::default())?);
        }
        let own = checkout.place().join("cache");
        std::fs::create_dir(&own).context("create", &own)?;
        shell.env("PARALLAX_CACHE", builder.cache.root());
        let reach = Reach {
            write: &[checkout.folder()],
            own_cache: Some(&own),
            ..Reach::default()
        };
        let output = boxed::output_of(shell, reach);
        let taken = twin::take_over(&Cache::at(&own), &builder.cache);
        std::fs::remove_dir_all(&own).context("remove", &own)?;
        taken?;
        Ok(output?)
    }
}

/// `parallax cc` as one word, which every build system takes for a compiler: a link to this executable.
fn compiler(builder: &Builder) -> Result<PathBuf> {
    let executable = std::env::current_exe().context("find", "this executable")?;
    let name = crate::cache::Key::new("compiler link 1")
        .add_path(&executable)
        .finish();
    let folder = builder.cache.entry("compilers", &name);
    let link = folder.join("parallax-cc");
    if std::fs::read_link(&link).is_ok_and(|target| target == executable) {
        return Ok(link);
    }
    std::fs::create_dir_all(&folder).context("create", &folder)?;
    match std::os::unix::fs::symlink(&executable, &link) {
        // Somebody else was first.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(link),
        result => {
            result.context("create", &link)?;
            Ok(link)
        }
    }
}
