//! Which parts of the input are symbolic: flags, and the project file where flags are silent.
//!
//! The flags are KLEE's. `--sym-arg` and `--sym-args` may also stand among the program's own arguments
//! behind `--`, where their position says which arguments they stand for.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::Args;
use concolic_vm::linux::KernelConfig;
use exploration::InputSpace;
use exploration::input::{ArgSpace, StreamSpace, ValueSpace};

use super::announce;
use super::notation::lengths;
use super::project_file::ExploreSettings;

#[derive(Args, Debug)]
pub(super) struct SymbolicArguments {
    /// Between MIN and MAX arguments of any content, each of up to LEN bytes; may be repeated
    #[arg(long, num_args = 3, value_names = ["MIN", "MAX", "LEN"], action = clap::ArgAction::Append)]
    sym_args: Vec<usize>,
    /// One argument of any content of up to LEN bytes; may be repeated
    #[arg(long, value_name = "LEN")]
    sym_arg: Vec<usize>,
    /// Standard input of any content, of N bytes or of every length from MIN to MAX
    #[arg(long, value_name = "N|MIN..MAX", value_parser = lengths)]
    sym_stdin: Option<RangeInclusive<usize>>,
    /// A file of any content in the working folder; may be repeated
    #[arg(long, num_args = 2, value_names = ["NAME", "N|MIN..MAX"], action = clap::ArgAction::Append)]
    sym_file: Vec<String>,
    /// A variable of the environment with any content of up to LEN bytes; may be repeated
    #[arg(long, num_args = 2, value_names = ["NAME", "LEN"], action = clap::ArgAction::Append)]
    sym_env: Vec<String>,
    /// What the program reads from standard input, if that is fixed
    #[arg(long, value_name = "FILE", conflicts_with = "sym_stdin")]
    stdin: Option<PathBuf>,
    /// A fixed variable of the program's environment, which is empty otherwise; may be repeated
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = super::run::pair)]
    environment: Vec<(String, String)>,
    /// A fixed file of the working folder: a copy of a host file; may be repeated
    #[arg(long = "file", value_name = "HOST=GUEST", value_parser = super::run::pair)]
    files: Vec<(String, String)>,
    /// The program's arguments; `--sym-arg LEN` and `--sym-args MIN MAX LEN` may stand among them
    #[arg(last = true)]
    arguments: Vec<OsString>,
}

/// What is explored if nothing is said.
const DEFAULT_ARGS: (RangeInclusive<usize>, usize) = (0..=2, 4);
const DEFAULT_STDIN: RangeInclusive<usize> = 0..=8;

/// An input space that the user asked for.
pub(super) struct Asked {
    pub(super) space: InputSpace,
    /// Whether flags or the project file say anything of it.
    is_said: bool,
}

impl Asked {
    /// The space that is explored if nothing is said, and nothing else says what varies.
    pub(super) fn otherwise(&self) -> Option<InputSpace> {
        if self.is_said || self.space.is_symbolic() {
            return None;
        }
        let mut space = self.space.clone();
        let (count, length) = DEFAULT_ARGS;
        space.args.push(ArgSpace::Symbolic { count, length });
        space.stdin = StreamSpace::Symbolic(DEFAULT_STDIN);
        Some(space)
    }

    /// The space to explore. A single input will do for a harness, which makes its own variables symbolic.
    pub(super) fn for_exploring(self, harness: bool) -> anyhow::Result<InputSpace> {
        if harness || self.space.is_symbolic() {
            return Ok(self.space);
        }
        let Some(otherwise) = self.otherwise() else {
            bail!(
                "nothing of the input is symbolic, so there is one path; make a part symbolic with \
                 `--sym-arg LEN`, `--sym-args MIN MAX LEN`, `--sym-stdin N`, `--sym-file NAME N` or \
                 `--sym-env NAME LEN`, or use `parallax run`"
            );
        };
        announce(&report::progress::default_input(&otherwise));
        Ok(otherwise)
    }
}

impl SymbolicArguments {
    /// Whether anything is said about the program's arguments.
    pub(super) fn has_arguments(&self) -> bool {
        !self.sym_args.is_empty() || !self.sym_arg.is_empty() || !self.arguments.is_empty()
    }

    /// The space that flags describe, or the project file where flags are silent.
    pub(super) fn asked(
        &self,
        program_name: Vec<u8>,
        settings: &ExploreSettings,
        kernel: &KernelConfig,
    ) -> anyhow::Result<Asked> {
        let guest = |name: &str| {
            let folder = String::from_utf8_lossy(&kernel.working_directory);
            match name.starts_with('/') {
                true => name.to_owned(),
                false => format!("{folder}/{name}"),
            }
        };
        let mut space = InputSpace {
            program_name,
            args: embedded(&self.arguments)?,
            ..InputSpace::default()
        };
        for three in self.sym_args.chunks_exact(3) {
            space.args.push(ArgSpace::Symbolic {
                count: three[0]..=three[1],
                length: three[2],
            });
        }
        for &length in &self.sym_arg {
            space.args.push(ArgSpace::Symbolic {
                count: 1..=1,
                length,
            });
        }
        if let Some(range) = &self.sym_stdin {
            space.stdin = StreamSpace::Symbolic(range.clone());
        }
        if let Some(path) = &self.stdin {
            let content = std::fs::read(path)
                .with_context(|| format!("cannot read standard input from `{}`", path.display()))?;
            space.stdin = StreamSpace::Fixed(content);
        }
        self.add_files(&mut space, &guest)?;
        self.add_environment(&mut space)?;
        let is_said = space
            != InputSpace {
                program_name: space.program_name.clone(),
                ..InputSpace::default()
            };
        if !is_said {
            settings.apply(&mut space, &guest)?;
        }
        space.check()?;
        Ok(Asked {
            space,
            is_said: is_said || settings.says_input(),
        })
    }

    fn add_files(
        &self,
        space: &mut InputSpace,
        guest: &dyn Fn(&str) -> String,
    ) -> anyhow::Result<()> {
        let names = self.sym_file.chunks_exact(2).map(|two| &two[0]);
        for name in names.chain(self.files.iter().map(|(_, name)| name)) {
            let is_name = !name.is_empty() && !name.ends_with('/');
            ensure!(
                is_name,
                "`{name}` is no name of a file; write `--sym-file NAME N`, or `--file HOST=GUEST` for one with a fixed content"
            );
        }
        for (host, name) in &self.files {
            let content = std::fs::read(host)
                .with_context(|| format!("cannot read host file `{host}` for `--file`"))?;
            space.files.insert(guest(name), StreamSpace::Fixed(content));
        }
        for two in self.sym_file.chunks_exact(2) {
            let range = lengths(&two[1])
                .map_err(|why| anyhow::anyhow!("--sym-file {} {}: {why}", two[0], two[1]))?;
            space
                .files
                .insert(guest(&two[0]), StreamSpace::Symbolic(range));
        }
        Ok(())
    }

    fn add_environment(&self, space: &mut InputSpace) -> anyhow::Result<()> {
        for (name, value) in &self.environment {
            let value = ValueSpace::Fixed(value.clone().into_bytes());
            space.environment.push((name.clone(), value));
        }
        for two in self.sym_env.chunks_exact(2) {
            if two[0].is_empty() || two[0].contains('=') {
                bail!(
                    "--sym-env {} {}: no variable can have this name; write `--sym-env NAME LEN`, or `--env NAME=VALUE` \
                     for a variable with a fixed value",
                    two[0],
                    two[1]
                );
            }
            let length = two[1].parse().ok().with_context(|| {
                format!(
                    "--sym-env {} {}: a number of bytes is expected",
                    two[0], two[1]
                )
            })?;
            space
                .environment
                .push((two[0].clone(), ValueSpace::Symbolic(length)));
        }
        Ok(())
    }
}

/// The program's own arguments, with symbolic ones among them.
pub(super) fn embedded(words: &[OsString]) -> anyhow::Result<Vec<ArgSpace>> {
    let mut args = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let wanted = match word.to_str() {
            Some("--sym-arg" | "-sym-arg") => 1,
            Some("--sym-args" | "-sym-args") => 3,
            _ => {
                args.push(ArgSpace::Fixed(word.as_bytes().to_vec()));
                continue;
            }
        };
        let mut numbers = Vec::new();
        for _ in 0..wanted {
            let number = words
                .next()
                .and_then(|word| word.to_str()?.parse::<usize>().ok());
            numbers.push(number.with_context(|| {
                let form = if wanted == 1 {
                    "--sym-arg LEN"
                } else {
                    "--sym-args MIN MAX LEN"
                };
                format!("`{}` is written `{form}`, with numbers", word.display())
            })?);
        }
        args.push(match numbers[..] {
            [min, max, length] => ArgSpace::Symbolic {
                count: min..=max,
                length,
            },
            _ => ArgSpace::Symbolic {
                count: 1..=1,
                length: numbers[0],
            },
        });
    }
    Ok(args)
}
