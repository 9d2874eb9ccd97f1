//! `parallax report`: a report that `check --save` kept, as a page or in any other format, without checking again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use build::cache::{Cache, hash_bytes};
use clap::{Args, ValueEnum};
use compare::Report;
use report::Sources;
use serde::{Deserialize, Serialize};

use crate::accepted_file::AcceptedOptions;
use crate::new_file::NewFile;
use crate::report_format::ReportFormat;
use crate::{announce, print};

/// What a saved report begins with. A report of another number is refused.
const SCHEMA: &str = "parallax-report-1";
/// A larger file is no source that a person looks at.
const MOST_OF_SOURCE: usize = 4 << 20;
/// Nor is a larger one a report.
const MOST_OF_REPORT: u64 = 1 << 30;

#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// What `parallax check --save FILE` has written
    #[arg(value_name = "FILE")]
    saved: PathBuf,
    /// What to write
    #[arg(long, value_enum, default_value = "html")]
    format: PageFormat,
    /// Where to write it [default for html: FILE with the ending .html; for others standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    accepted: AcceptedOptions,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum PageFormat {
    /// One page for a browser, which needs nothing else
    Html,
    Text,
    Json,
    Sarif,
    Junit,
    Markdown,
}

impl PageFormat {
    fn other(self) -> Option<ReportFormat> {
        match self {
            PageFormat::Html => None,
            PageFormat::Text => Some(ReportFormat::Text),
            PageFormat::Json => Some(ReportFormat::Json),
            PageFormat::Sarif => Some(ReportFormat::Sarif),
            PageFormat::Junit => Some(ReportFormat::Junit),
            PageFormat::Markdown => Some(ReportFormat::Markdown),
        }
    }
}

pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut found = read(&arguments.saved)?;
    report::accepted::accept(&mut found, &arguments.accepted.read()?);
    let text = match arguments.format.other() {
        Some(format) => format.write(&found),
        None => page(&found),
    };
    let out = match (&arguments.out, arguments.format) {
        (Some(out), _) => out.clone(),
        (None, PageFormat::Html) => arguments.saved.with_extension("html"),
        (None, _) => {
            print(&text)?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    NewFile::at(&out)?.write(&text)?;
    announce(&format!("wrote {}", out.display()));
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Kept<'r> {
    schema: &'r str,
    parallax: &'r str,
    report: &'r Report,
}

#[derive(Deserialize)]
struct Read {
    schema: String,
    parallax: String,
    report: serde_json::Value,
}

/// A report as it is saved.
pub(crate) fn saved(found: &Report) -> String {
    let kept = Kept {
        schema: SCHEMA,
        parallax: env!("CARGO_PKG_VERSION"),
        report: found,
    };
    serde_json::to_string(&kept).expect("a report is made of texts and numbers") + "\n"
}

/// The kind of the entries of the cache that name the content of reports which this user's Parallax has saved.
const KIND: &str = "saved-reports";

/// Notes that the report is one of ours.
pub(crate) fn remember(text: &str) -> anyhow::Result<()> {
    Cache::locate()?.publish_bytes(b"", KIND, &hash_bytes(text.as_bytes()))?;
    Ok(())
}

/// Refuses a report of somebody else's where tests of functions are made of it: they are code that the report brings along.
pub(crate) fn ensure_own(path: &Path) -> anyhow::Result<()> {
    let text = native::bounded::read(path, MOST_OF_REPORT)
        .with_context(|| format!("cannot read the report `{}`", path.display()))?;
    ensure!(
        Cache::locate()?.entry(KIND, &hash_bytes(&text)).is_file(),
        "`{}` was not saved by a check of yours on this machine, and tests of functions are code that a report brings along; `parallax check \
         … --write-tests` makes them of the sources",
        path.display()
    );
    Ok(())
}

/// A report that was saved.
pub(crate) fn read(path: &Path) -> anyhow::Result<Report> {
    let text = native::bounded::read(path, MOST_OF_REPORT).with_context(|| {
        format!(
            "cannot read the report `{}`; `parallax check … --save {}` writes one",
            path.display(),
            path.display()
        )
    })?;
    let read: Read = serde_json::from_slice(&text).with_context(|| {
        format!(
            "`{}` is no saved report; `parallax check … --save FILE` writes one",
            path.display()
        )
    })?;
    if read.schema != SCHEMA {
        bail!(
            "`{}` was saved by another Parallax ({}, {}); check again with `--save`",
            path.display(),
            read.parallax,
            read.schema
        );
    }
    let unreadable = || {
        format!(
            "`{}` was saved by Parallax {} and cannot be read by this one; check again with `--save`",
            path.display(),
            read.parallax
        )
    };
    let found: Report = serde_json::from_value(read.report).with_context(unreadable)?;
    ensure!(
        found.is_consistent(),
        "{}: a number in it stands for nothing",
        unreadable()
    );
    Ok(found)
}

/// The page of a report, with the sources that are still there.
pub(crate) fn page(found: &Report) -> String {
    let steps = found.differences.iter().flat_map(|one| &one.steps);
    let files: BTreeSet<&String> = steps
        .flat_map(|step| &step.changes)
        .map(|change| &change.file)
        .collect();
    let mut sources = Sources::new();
    for file in files {
        let text = build::source_text::read(Path::new(file));
        if let Some(text) = text.filter(|text| text.len() <= MOST_OF_SOURCE) {
            sources.insert(file.clone(), String::from_utf8_lossy(&text).into_owned());
        }
    }
    report::html(found, &sources)
}
