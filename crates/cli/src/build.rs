//! `parallax build`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use serde_json::json;

use super::{Format, Program, announce, print};
use build::Builder;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    program: Program,
    /// Copy the linked module to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let builder = Builder::new(&announce)?;
    let built = builder.module(&arguments.program.request())?;
    let mut module = built.module.clone();
    if let Some(output) = &arguments.output {
        std::fs::copy(&built.module, output)
            .with_context(|| format!("cannot write `{}`", output.display()))?;
        module.clone_from(output);
    }
    match arguments.format {
        Format::Json => {
            let report = json!({
                "module": module,
                "has_main": built.has_main,
                "unresolved": built.unresolved,
                "warnings": built.warnings,
                "from_cache": built.from_cache,
            });
            print(&format!("{report:#}\n"))?;
        }
        Format::Text => {
            for warning in &built.warnings {
                announce(&format!("warning: {warning}"));
            }
            if !built.unresolved.is_empty() {
                let names = built.unresolved.join(", ");
                announce(&format!(
                    "warning: nothing defines {names}; a run that reaches one of them ends there"
                ));
            }
            print(&format!("{}\n", module.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
