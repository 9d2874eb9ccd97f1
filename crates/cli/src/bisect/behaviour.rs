//! What a version does on the input: all that `check` compares, as one value.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use anyhow::Context;
use concolic_vm::linux::{Bytes, FileConfig, FileState, Kernel, KernelConfig};
use concolic_vm::{EndKind, Limits, Machine, Program, Start};
use serde_json::{Value, json};

use campaign::bisect::Answer;
use native::test_case::{ExpectedEnd, TestCase};

/// How much of an output is shown.
const MOST_CHARACTERS: usize = 60;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Behaviour {
    /// How it ended, without the place in the source: lines move from commit to commit.
    end: EndKind,
    status: Option<i32>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    /// Paths that were made, changed or removed, with what they are then.
    files: BTreeMap<Vec<u8>, Option<FileState>>,
}

impl Behaviour {
    /// What is not the same in another version, each with what it was and is.
    pub(super) fn differences(&self, new: &Behaviour) -> Vec<(String, String, String)> {
        let mut found = Vec::new();
        if (&self.end, self.status) != (&new.end, new.status) {
            found.push(("end".to_owned(), self.ended(), new.ended()));
        }
        for (name, old, new) in [
            ("stdout", &self.stdout, &new.stdout),
            ("stderr", &self.stderr, &new.stderr),
        ] {
            if old != new {
                found.push((name.to_owned(), excerpt(old), excerpt(new)));
            }
        }
        let mut names: Vec<&Vec<u8>> = self.files.keys().chain(new.files.keys()).collect();
        names.sort();
        names.dedup();
        for name in names {
            let (old, new) = (self.files.get(name), new.files.get(name));
            if old != new {
                let name = String::from_utf8_lossy(name);
                found.push((format!("file {name}"), state(old), state(new)));
            }
        }
        found
    }

    fn ended(&self) -> String {
        match (self.end, self.status) {
            (EndKind::Exit, Some(status)) => format!("exit status {status}"),
            (end, _) => end.to_string(),
        }
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "end": self.end,
            "status": self.status,
            "stdout": String::from_utf8_lossy(&self.stdout),
            "stderr": String::from_utf8_lossy(&self.stderr),
            "files": self
                .files
                .keys()
                .map(|name| String::from_utf8_lossy(name).into_owned())
                .collect::<Vec<_>>(),
        })
    }
}

fn state(state: Option<&Option<FileState>>) -> String {
    match state {
        None => "as it was".to_owned(),
        Some(None) => "removed".to_owned(),
        Some(Some(FileState::File { content, .. })) => excerpt(content.bytes()),
        Some(Some(_)) => "no regular file".to_owned(),
    }
}

/// An output in quotes, on one line.
fn excerpt(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let shown: String = text.chars().take(MOST_CHARACTERS).collect();
    let more = if shown.len() < text.len() { "…" } else { "" };
    format!("{shown:?}{more}")
}

/// Where versions are run: one input for all of them.
pub(super) struct Stage {
    config: KernelConfig,
    start: Start,
    limits: Limits,
}

impl Stage {
    pub(super) fn new(test: &TestCase, program_name: &[u8], steps: u64) -> Stage {
        let mut config = KernelConfig {
            stdin: Bytes::concrete(test.stdin.clone()),
            ..KernelConfig::default()
        };
        let folder = Path::new(OsStr::from_bytes(&config.working_directory)).to_owned();
        for (name, content) in &test.files {
            let path = folder.join(name).into_os_string().into_vec();
            let file = FileConfig::file(Bytes::concrete(content.clone()));
            config.files.insert(path, file);
        }
        let mut args = vec![program_name.to_vec()];
        args.extend(test.args.iter().cloned());
        let environment = test.environment.iter();
        Stage {
            config,
            start: Start {
                args,
                environment: environment
                    .map(|(name, value)| [name.as_bytes(), b"=", value].concat())
                    .collect(),
            },
            limits: Limits {
                steps,
                ..Limits::default()
            },
        }
    }

    /// Runs a program image. A run that the VM cannot finish tells nothing.
    pub(super) fn run(&self, image: &Path) -> anyhow::Result<Answer<Behaviour>> {
        let bytes = std::fs::read(image)
            .with_context(|| format!("cannot read the program image `{}`", image.display()))?;
        let module = program_ir::read_image(&bytes)
            .with_context(|| format!("cannot use the program image `{}`", image.display()))?;
        let program = Program::new(module, 2 << 30)?;
        let kernel = Kernel::new(self.config.clone())?;
        let mut machine = Machine::start(&program, kernel, self.limits, &self.start)?;
        let outcome = machine.run();
        if outcome.end.is_inconclusive() {
            return Ok(Err(format!("its run is not known: {}", outcome.end)));
        }
        let end = ExpectedEnd::of(&outcome);
        let kernel = machine.kernel();
        let changes = kernel.file_changes().into_iter();
        Ok(Ok(Behaviour {
            end: end.kind,
            status: end.shell_status,
            stdout: kernel.stdout().bytes().to_vec(),
            stderr: kernel.stderr().bytes().to_vec(),
            files: changes.map(|change| (change.path, change.after)).collect(),
        }))
    }
}
