//! The versions as the VM runs them.

use std::panic::resume_unwind;

use harness::read_module;
use program_ir::Module;

use build::error::BuildError;
use build::host::Instrumentation;
use build::{Builder, Request};

use crate::error::{Error, Result};
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
        explain: impl Fn(BuildError) -> Error,
    ) -> Result<Built> {
        let mut all = Built {
            modules: Vec::new(),
            hashes: Vec::new(),
            left_out: Vec::new(),
        };
        for (version, which) in each_built(builder, requests).into_iter().zip(names) {
            let version = version.map_err(|failure| match failure {
                Failure::Build(error) => {
                    explain(error).while_trying(format!("cannot build the {which} version"))
                }
                Failure::Link(error) => {
                    Error::from(error).while_trying(format!("cannot link the {which} version"))
                }
                Failure::Read(error) => error.into(),
            })?;
            let missing = version.built.unresolved.iter();
            let missing =
                missing.map(|name| format!("{which}: nothing defines `{name}` for the VM"));
            all.left_out.extend(missing);
            let warnings = version.built.warnings.iter();
            let warnings = warnings.map(|warning| format!("{which}: {warning}"));
            all.left_out.extend(warnings);
            all.modules.push(version.module);
            all.hashes.push(version.built.hash);
        }
        Ok(all)
    }
}

struct BuiltVersion {
    built: build::Built,
    module: Module,
}

/// Why a version cannot be used.
enum Failure {
    Build(BuildError),
    /// Natively: what only assembly or the host's library defines links there alone.
    Link(BuildError),
    Read(harness::Error),
}

/// Builds all versions, as many at the same time as there are processors.
fn each_built(builder: &Builder<'_>, requests: &[Request]) -> Vec<Result<BuiltVersion, Failure>> {
    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all = Vec::with_capacity(requests.len());
    for requests in requests.chunks(at_once) {
        std::thread::scope(|scope| {
            let builds = requests.iter().map(|request| {
                let version = || build_version(builder, request);
                scope.spawn(version)
            });
            let builds: Vec<_> = builds.collect();
            for build in builds {
                all.push(build.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
        });
    }
    all
}

fn build_version(builder: &Builder<'_>, request: &Request) -> Result<BuiltVersion, Failure> {
    let built = builder.program(request).map_err(Failure::Build)?;
    if !built.unresolved.is_empty() {
        builder
            .host_program(request, Instrumentation::Nothing)
            .map_err(Failure::Link)?;
    }
    let module = read_module(builder, &built).map_err(Failure::Read)?;
    Ok(BuiltVersion { built, module })
}
