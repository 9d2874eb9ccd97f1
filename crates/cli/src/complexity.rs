//! `parallax complexity`: cyclomatic change complexity and changed lines of two versions, or of every commit
//! of a range.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use serde_json::json;

use super::table::TableFormat;
use super::versions::{BuildOptions, FilePair};
use super::{commits, print};
use campaign::history::measure::of_changes;

#[derive(Args, Debug)]
#[command(override_usage = "parallax complexity [OPTIONS] <OLD> <NEW>\n       \
                      parallax complexity [OPTIONS] --old <FILE>... --new <FILE>...\n       \
                      parallax complexity [OPTIONS] --git <REV|A..B>")]
pub(super) struct Arguments {
    #[command(flatten)]
    versions: FilePair,
    #[command(flatten)]
    options: BuildOptions,
    /// Measure commits of this git repository, each against its first parent: one revision, or A..B for
    /// those after A up to B. Their files are written to the cache; yours are not touched
    #[arg(long, value_name = "REV|A..B", conflicts_with_all = ["old", "new", "old_files", "new_files"])]
    git: Option<String>,
    /// With --git: a commit's program is these C or Rust files (without this or --build, it is what the
    /// folder is: a Cargo package, or C files)
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "git", conflicts_with = "build")]
    source: Vec<PathBuf>,
    /// With --git: a commit is built by this shell command, which finds `parallax cc` in $CC
    #[arg(long, value_name = "COMMAND", requires = "git")]
    build: Option<String>,
    /// With --git: build in a sandbox, without network, where nothing but the commit's own folder can be written
    #[arg(long, requires = "git")]
    box_build: bool,
    /// With --git: how many commits at a time (default: one for each processor)
    #[arg(short, long, value_name = "N", requires = "git")]
    jobs: Option<std::num::NonZeroUsize>,
    /// With --git: draw how CyCC and CLoC are distributed, as SVG
    #[arg(long, value_name = "FILE", requires = "git")]
    plot: Option<PathBuf>,
    #[arg(long, value_enum, default_value = "text")]
    format: TableFormat,
}

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(range) = &arguments.git {
        super::revisions::box_builds(arguments.box_build)?;
        return commits::execute(&commits::Wanted {
            range,
            sources: &arguments.source,
            command: arguments.build.as_deref(),
            options: &arguments.options,
            workers: arguments.jobs.map(usize::from),
            plot: arguments.plot.as_deref(),
            format: arguments.format,
        });
    }
    if arguments.box_build {
        bail!("--box-build builds commits in a sandbox, and nothing else: say which with --git");
    }
    if !arguments.versions.are_given() {
        bail!(
            "nothing to measure: give <OLD> <NEW>, or --git <REV|A..B> for the commits of a repository"
        );
    }
    let compared = arguments.versions.compare(&arguments.options)?;
    let found = of_changes(&compared);
    print(&match arguments.format {
        TableFormat::Json => {
            let fields = json!({
                "cycc": found.cycc,
                "cloc": found.cloc,
                "nodes": found.nodes,
                "edges": found.edges,
            });
            format!("{fields:#}\n")
        }
        TableFormat::Text => format!(
            "CyCC {}, of {} nodes and {} edges in the change sequence graph\nCLoC {}\n",
            found.cycc, found.nodes, found.edges, found.cloc
        ),
        TableFormat::Markdown => format!(
            "| CyCC | CLoC | nodes | edges |\n|---:|---:|---:|---:|\n| {} | {} | {} | {} |\n",
            found.cycc, found.cloc, found.nodes, found.edges
        ),
    })?;
    Ok(ExitCode::SUCCESS)
}
