//! The versions as the VM runs them.

use anyhow::Context;
use harness::read_module;
use program_ir::Module;

use build::error::BuildError;
use build::host::Instrumentation;
use build::{Builder, Request};

use crate::versions::as_built::AsBuilt;

pub(crate) struct Built {
    pub(crate) modules: Vec<Module>,
    /// Of their content.
    pub(crate) hashes: Vec<String>,
    /// What is not in the modules that are compared.
    pub(crate) left_out: Vec<String>,
}

impl Built {
    /// Takes out of the versions what is not compared: source lines, unless all is compared exactly.
    pub(crate) fn as_compared(&mut self, exact: bool) -> Vec<AsBuilt> {
        let versions = self.modules.iter_mut().map(|module| match exact {
            true => AsBuilt::default(),
            false => AsBuilt::without_lines(module),
        });
        versions.collect()
    }

    /// `names` are what messages call the versions; `explain` adds to an error what else can be done.
    pub(crate) fn new(
        builder: &Builder<'_>,
        requests: &[Request],
        names: &[&str],
        explain: impl Fn(BuildError) -> anyhow::Error,
    ) -> anyhow::Result<Built> {
        let mut all = Built {
            modules: Vec::new(),
            hashes: Vec::new(),
            left_out: Vec::new(),
        };
        for (request, which) in requests.iter().zip(names) {
            let built = builder
                .program(request)
                .map_err(&explain)
                .with_context(|| format!("cannot build the {which} version"))?;
            if !built.unresolved.is_empty() {
                // What only assembly or the host's library defines links natively.
                builder
                    .host_program(request, Instrumentation::Nothing)
                    .with_context(|| format!("cannot link the {which} version"))?;
            }
            let missing = built.unresolved.iter();
            let missing =
                missing.map(|name| format!("{which}: nothing defines `{name}` for the VM"));
            all.left_out.extend(missing);
            let warnings = built.warnings.iter();
            let warnings = warnings.map(|warning| format!("{which}: {warning}"));
            all.left_out.extend(warnings);
            all.modules.push(read_module(builder, &built)?);
            all.hashes.push(built.hash);
        }
        Ok(all)
    }
}
