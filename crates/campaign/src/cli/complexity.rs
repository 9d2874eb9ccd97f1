//! `parallax complexity`: cyclomatic change complexity and changed lines of two versions.

use std::process::ExitCode;

use clap::Args;
use program_graphs::{FactsConfig, ProgramFacts, default_roots};
use serde_json::json;
use version_diff::calls::Calls;
use version_diff::complexity::complexity;

use super::versions::Versions;
use super::{Format, print};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    versions: Versions,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let compared = arguments.versions.compare()?;
    let new = &compared.new;
    // `main` is called through a pointer. By signature alone every callback of three arguments could
    // call it, and its changes would seem to be executed in far more orders than they are.
    let facts = ProgramFacts::of(new, &FactsConfig::default());
    let calls = Calls::from_graph(new, &facts.calls, default_roots(new));
    let found = complexity(&compared.old, new, &compared.changes, &calls);
    print(&match arguments.format {
        Format::Json => {
            let fields = json!({
                "cycc": found.cycc,
                "cloc": found.cloc,
                "nodes": found.nodes,
                "edges": found.edges,
            });
            format!("{fields:#}\n")
        }
        Format::Text => format!(
            "CyCC {}, of {} nodes and {} edges in the change sequence graph\nCLoC {}\n",
            found.cycc, found.nodes, found.edges, found.cloc
        ),
    })?;
    Ok(ExitCode::SUCCESS)
}
