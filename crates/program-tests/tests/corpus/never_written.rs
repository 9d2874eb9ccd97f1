//! The programs under `tests/programs` do natively what they do in the VM, on every machine. So none of them
//! depends on memory that it never wrote, and none may be said to: whatever padding it copies.

use compare::undefined::{Inspector, Wanted};
use concolic_vm::Limits;
use concolic_vm::linux::KernelConfig;
use exploration::InputRecord;
use libtest_mimic::{Failed, Trial};
use native::prediction::exactly;
use program_tests::corpus::{self, Program};
use program_tests::directives::Directives;
use program_tests::whole_program;

/// Longer runs are cut off: what they showed until then counts.
const MOST_STEPS: u64 = 3_000_000;

pub(crate) fn trials() -> Vec<Trial> {
    let programs = corpus::programs().expect("the tests folder is readable");
    programs
        .into_iter()
        .map(|program| {
            Trial::test(format!("never_written::{}", program.name), move || {
                check(&program)
            })
        })
        .collect()
}

fn check(program: &Program) -> Result<(), Failed> {
    let code = whole_program::load(&program.source)?;
    let kernel = KernelConfig::default();
    let limits = Limits {
        steps: MOST_STEPS,
        ..Limits::default()
    };
    let folder = String::from_utf8_lossy(&kernel.working_directory).into_owned();
    let mut inspector = Inspector::new(&code, kernel, limits, Default::default());
    let wanted = Wanted {
        reads: true,
        operations: false,
    };
    for (run, shape) in Directives::read(&program.source)?.runs.into_iter().zip(0..) {
        let arguments = run.arguments.into_iter().map(String::into_bytes);
        let files = run.files.into_iter();
        let variables = run.environment.into_iter();
        let input = InputRecord {
            args: [b"program".to_vec()].into_iter().chain(arguments).collect(),
            stdin: run.stdin,
            files: files
                .map(|(name, content)| (format!("{folder}/{name}"), content))
                .collect(),
            environment: variables
                .map(|(name, value)| (name, value.into_bytes()))
                .collect(),
            ..InputRecord::default()
        };
        let found = inspector.inspect(shape, &exactly(&input), wanted);
        if let Some(used) = found.reads.first() {
            let used = format!("{:?} at {:?}", used.memory, used.used_at);
            return Err(format!("run `{}`: {used}", run.name).into());
        }
    }
    Ok(())
}
