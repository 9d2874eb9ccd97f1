//! Whether native runs are kept in a sandbox: the user's word, on the command line or in the user's own settings.
//!
//! ```toml
//! # ~/.config/parallax/config.toml, or $XDG_CONFIG_HOME/parallax/config.toml
//! native = "unconfined"
//! ```
//!
//! A project's `parallax.toml` cannot say this: it comes with the code that the sandbox is against. It can say `confined`, which
//! counts more than the user's settings and less than the command line.

use std::path::PathBuf;
use std::sync::Once;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use native::confinement::Confinement;
use serde::Deserialize;

use super::{announce, project_file};

#[derive(Args, Debug)]
pub(super) struct NativeOptions {
    /// How versions are run natively: where they cannot touch anything outside their folder, or with all of the user's rights
    /// [default: confined, or what the user's own settings say]
    #[arg(long = "native", value_name = "HOW", value_enum)]
    how: Option<How>,
}

#[derive(ValueEnum, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum How {
    /// In a sandbox; not at all where none can be had
    Confined,
    /// With the user's rights
    Unconfined,
}

#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields)]
struct UserSettings {
    native: Option<How>,
}

impl NativeOptions {
    /// How native runs are confined. What follows from a missing sandbox is said once.
    pub(super) fn confinement(&self) -> anyhow::Result<Confinement> {
        if !self.is_confined()? {
            return Ok(Confinement::unconfined());
        }
        let confinement = Confinement::found();
        static SAID: Once = Once::new();
        if let Some(why) = confinement.off() {
            SAID.call_once(|| {
                for line in report::progress::native_runs_off(why) {
                    announce(&line);
                }
            });
        }
        Ok(confinement)
    }

    /// Whether native runs are to be kept in a sandbox.
    pub(super) fn is_confined(&self) -> anyhow::Result<bool> {
        Ok(match self.how {
            Some(how) => how == How::Confined,
            None => unconfined_by_settings()?.is_none() || project_file::read()?.is_confined(),
        })
    }

    /// The same for who can do nothing without native runs, and says so.
    pub(super) fn needed(&self, otherwise: &str) -> anyhow::Result<Confinement> {
        let confinement = self.confinement()?;
        match confinement.off() {
            Some(why) => bail!("{otherwise}: {why}"),
            None => Ok(confinement),
        }
    }
}

/// The file of the user's settings, if it lets native runs out of the sandbox.
pub(super) fn unconfined_by_settings() -> anyhow::Result<Option<PathBuf>> {
    let found = settings()?;
    let found = found.filter(|(_, settings)| settings.native == Some(How::Unconfined));
    Ok(found.map(|(file, _)| file))
}

/// The user's own settings with their file, if there are any; never the project's.
fn settings() -> anyhow::Result<Option<(PathBuf, UserSettings)>> {
    let configured = std::env::var_os("XDG_CONFIG_HOME").filter(|path| !path.is_empty());
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".config"));
    // A relative one would be found in the project's folder.
    let folder = configured.map(PathBuf::from).or_else(home);
    let Some(folder) = folder.filter(|folder| folder.is_absolute()) else {
        return Ok(None);
    };
    let file = folder.join("parallax/config.toml");
    match std::fs::read_to_string(&file) {
        Ok(text) => {
            let settings = toml::from_str(&text)
                .with_context(|| format!("cannot use `{}`", file.display()))?;
            Ok(Some((file, settings)))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read `{}`", file.display())),
    }
}
