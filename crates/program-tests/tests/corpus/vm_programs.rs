//! Every program under `tests/programs` does in the VM what its native twin does: same standard
//! output, standard error and exit status.

use std::path::Path;

use libtest_mimic::{Failed, Trial};
use program_tests::corpus::{self, Program};
use program_tests::directives::Directives;
use program_tests::native::{self, Build};
use program_tests::vm;

pub(crate) fn trials() -> Vec<Trial> {
    let programs = corpus::programs().expect("the tests folder is readable");
    programs
        .into_iter()
        .map(|program| {
            Trial::test(format!("vm_programs::{}", program.name), move || {
                check(&program)
            })
        })
        .collect()
}

fn check(program: &Program) -> Result<(), Failed> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let parallax = vm::locate()?;
    let directives = Directives::read(&program.source)?;
    let executable = native::build(program, Build::Reference, scratch)?;
    for run in &directives.runs {
        let native = native::run(&executable, run, scratch)?.normalised();
        let guest = vm::run(&parallax, program, run, scratch)?;
        let guest = guest.without_report().normalised();
        if let Some(difference) = native.difference(&guest) {
            let heading = format!("run `{}`: - native, + VM", run.name);
            return Err(format!("{heading}\n{difference}").into());
        }
    }
    Ok(())
}
