//! Whether native runs are kept in a sandbox: the user's word, on the command line or in the user's own settings.
//!
//! ```toml
//! # ~/.config/parallax/config.toml, or $XDG_CONFIG_HOME/parallax/config.toml
//! native = "unconfined"
//! ```
//!
//! A project's `parallax.toml` cannot say this: it comes with the code that the sandbox is against.

use std::path::PathBuf;
use std::sync::Once;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use native::confinement::Confinement;
use serde::Deserialize;

use super::announce;

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
        let how = match self.how {
            Some(how) => how,
            None => settings()?.native.unwrap_or(How::Confined),
        };
        Ok(how == How::Confined)
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

/// The user's own settings; never the project's.
fn settings() -> anyhow::Result<UserSettings> {
    let configured = std::env::var_os("XDG_CONFIG_HOME").filter(|path| !path.is_empty());
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".config"));
    let Some(folder) = configured.map(PathBuf::from).or_else(home) else {
        return Ok(UserSettings::default());
    };
    // A relative one would be found in the project's folder.
    if !folder.is_absolute() {
        return Ok(UserSettings::default());
    }
    let file = folder.join("parallax/config.toml");
    match std::fs::read_to_string(&file) {
        Ok(text) => {
            toml::from_str(&text).with_context(|| format!("cannot use `{}`", file.display()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(UserSettings::default()),
        Err(error) => Err(error).with_context(|| format!("cannot read `{}`", file.display())),
    }
}
