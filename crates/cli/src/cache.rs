//! `parallax cache`: what the cache holds, and how it is cleared.

use std::process::ExitCode;
use std::time::Duration;

use build::cache::Cache;
use build::cache_size::most_bytes;
use clap::Args;
use serde_json::json;

use super::Format;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Remove all that a build makes again, whoever uses it now; the guest's C library and its sources stay
    #[arg(long, conflicts_with = "trim")]
    clear: bool,
    /// Remove what was used least recently until the cache is within its size
    #[arg(long)]
    trim: bool,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Entries that were used so recently are not removed by size: somebody may be reading them.
const IN_USE: Duration = Duration::from_secs(60 * 60);

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let cache = Cache::locate()?;
    let removed = match (arguments.clear, arguments.trim) {
        (true, _) => Some(cache.trim(0, Duration::ZERO)?),
        (_, true) => Some(cache.trim(most_bytes(), IN_USE)?),
        _ => None,
    };
    let kinds = cache.by_kind();
    match arguments.format {
        Format::Text => {
            println!("{}", cache.root().display());
            if let Some(removed) = removed {
                let size = megabytes(removed.bytes);
                println!("removed: {} entries, {size}", removed.entries);
            }
            for kind in &kinds {
                let note = if kind.removable { "" } else { "  (kept)" };
                let (name, size) = (&kind.kind, megabytes(kind.bytes));
                println!("  {name:<14} {:>7} entries {size:>12}{note}", kind.entries);
            }
            let all = kinds.iter().filter(|kind| kind.removable);
            let all: u64 = all.map(|kind| kind.bytes).sum();
            println!(
                "{} of at most {} that can be made again; PARALLAX_CACHE_SIZE says how many megabytes, `parallax cache --clear` \
                 removes them",
                megabytes(all),
                megabytes(most_bytes())
            );
        }
        Format::Json => {
            let kinds: Vec<_> = kinds
                .iter()
                .map(|kind| {
                    json!({
                        "kind": kind.kind, "entries": kind.entries, "bytes": kind.bytes, "removable": kind.removable,
                    })
                })
                .collect();
            let removed =
                removed.map(|removed| json!({"entries": removed.entries, "bytes": removed.bytes}));
            println!(
                "{:#}",
                json!({
                    "folder": cache.root(), "most_bytes": most_bytes(), "kinds": kinds, "removed": removed,
                })
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
