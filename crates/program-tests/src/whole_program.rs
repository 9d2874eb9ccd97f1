//! A test program from its start, with the inputs that its `explore` line names.

use std::path::Path;
use std::process::Command;

use concolic_vm::linux::KernelConfig;
use exploration::input::{ArgSpace, StreamSpace, ValueSpace};
use exploration::{InputRecord, InputSpace, Subject};

use crate::brute_force::Explorable;
use crate::domain::{Domain, DomainInput};
use crate::generated;
use crate::vm;

const NAME: &[u8] = b"program";

/// The program as `parallax build` builds it.
pub fn load(source: &Path) -> Result<concolic_vm::Program, String> {
    let parallax = vm::locate().map_err(|error| error.to_string())?;
    let output = Command::new(parallax).arg("build").arg(source).output();
    let output = output.map_err(|error| format!("`parallax build` does not start: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let module = String::from_utf8_lossy(&output.stdout);
    generated::load(Path::new(module.trim()))
}

pub fn explorable<'p>(program: &'p concolic_vm::Program, domain: &Domain) -> Explorable<'p> {
    Explorable {
        program,
        subject: Subject::Whole,
        shapes: space(domain).shapes(),
    }
}

/// The same with some bytes of standard input given, in several ways, each with the inputs that are left; none if there are too few bytes.
pub fn with_given_bytes<'p>(
    program: &'p concolic_vm::Program,
    domain: &Domain,
) -> Vec<(Explorable<'p>, Vec<InputRecord>)> {
    let Some(size) = domain.stdin.filter(|&size| size >= 2) else {
        return Vec::new();
    };
    let ways: [&[(usize, u8)]; 3] = [&[(0, b'1')], &[(size - 1, b'\n')], &[(0, b'a'), (1, 0)]];
    let with = |given: &[(usize, u8)]| {
        let mut pattern = vec![None; size];
        for &(place, byte) in given {
            pattern[place] = Some(byte);
        }
        let space = InputSpace {
            stdin: StreamSpace::Patterns(vec![pattern]),
            ..space(domain)
        };
        let mut inputs = inputs(domain);
        inputs.retain(|input| space.misfit(input).is_none());
        let explorable = Explorable {
            program,
            subject: Subject::Whole,
            shapes: space.shapes(),
        };
        (explorable, inputs)
    };
    ways.into_iter().map(with).collect()
}

fn in_working_folder(name: &str) -> String {
    let folder = KernelConfig::default().working_directory;
    format!("{}/{name}", String::from_utf8_lossy(&folder))
}

fn space(domain: &Domain) -> InputSpace {
    let arguments = domain.arguments.map(|arguments| ArgSpace::Symbolic {
        count: arguments.least..=arguments.most,
        length: arguments.length,
    });
    let exactly = |size: usize| StreamSpace::Symbolic(size..=size);
    let files = domain.files.iter();
    let variables = domain.environment.iter();
    InputSpace {
        program_name: NAME.to_vec(),
        args: arguments.into_iter().collect(),
        stdin: domain.stdin.map_or_else(StreamSpace::default, exactly),
        files: files
            .map(|(name, size)| (in_working_folder(name), exactly(*size)))
            .collect(),
        environment: variables
            .map(|(name, length)| (name.clone(), ValueSpace::Symbolic(*length)))
            .collect(),
    }
}

/// Every input of a domain.
pub fn inputs(domain: &Domain) -> Vec<InputRecord> {
    let record = |input: DomainInput| {
        let files = input.files.into_iter();
        InputRecord {
            args: [NAME.to_vec()].into_iter().chain(input.arguments).collect(),
            stdin: input.stdin,
            files: files
                .map(|(name, content)| (in_working_folder(&name), content))
                .collect(),
            environment: input.environment.into_iter().collect(),
            ..InputRecord::default()
        }
    };
    domain.inputs().into_iter().map(record).collect()
}
