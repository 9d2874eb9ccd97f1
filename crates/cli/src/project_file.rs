//! `parallax.toml` in the current folder: what a project would otherwise repeat on the command line.
//!
//! ```toml
//! native = "confined"              # versions run in a sandbox even if the user's settings say otherwise; "unconfined" is refused
//!
//! [build]                          # how a revision of the repository is built (`--git`)
//! command = "make"                 # finds `parallax cc` in $CC; or sources = ["a.c", "b.c"]
//! target = "prog"                  # which program of those that it builds
//! cflags = ["-DX=1"]               # more arguments for the compiler, where Parallax calls it
//!
//! [explore]
//! args = ["-n", { sym = 4 }, { sym = 3, min = 0, max = 2 }]
//! stdin = { sym = 8 }              # or { sym = "0..8" }, or { file = "seed.txt" }
//! files = { "table.txt" = { sym = 16 } }
//! env = { MODE = { sym = 4 }, LANG = "C" }
//! strategy = "coverage"
//! workers = 2
//! timeout = "5m"
//!
//! [[test]]                         # an existing test: a search begins with its input
//! command = ["prog", "-n", "3"]
//! stdin = "one line\n"             # or { file = "tests/3.txt" }
//! files = { "table.txt" = { file = "tests/table.txt" } }
//! env = { LANG = "C" }
//!
//! [sequence.stack]                 # what the functions of a type are for (`check --sequence stack`); all lists may be left out
//! constructors = ["stack_new"]     # or "NULL", if a NULL pointer is an empty one
//! mutators = ["stack_push"]
//! observers = ["stack_top"]        # change nothing, so they are called at the end
//! destructors = ["stack_free"]
//! leave_out = ["stack_dump"]
//! compare = "calls"                # only what calls give out, not what is in the objects; or "objects", as without it
//! assume = { stack_new = "capacity >= 0 && capacity < 4" }
//! ```
//!
//! Flags that say something of the input replace all of the file's input; others replace their own entry.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use exploration::input::{ArgSpace, StreamSpace, ValueSpace};
use exploration::{InputSpace, Strategy};
use serde::Deserialize;

use harness::{Role, Roles};
use native::bounded;
use native::test_case::{TestCase, shell_word};

pub(super) const NAME: &str = "parallax.toml";
const MOST_BYTES: u64 = 16 << 20;

#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct ProjectFile {
    #[serde(default)]
    pub(super) build: BuildSettings,
    #[serde(default)]
    pub(super) explore: ExploreSettings,
    #[serde(default, rename = "test")]
    pub(super) tests: Vec<ListedTest>,
    #[serde(default, rename = "sequence")]
    sequences: BTreeMap<String, SequenceSettings>,
    /// `"confined"`, or nothing.
    native: Option<toml::Value>,
}

/// How a version of the project is built, where flags are silent.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct BuildSettings {
    pub(super) command: Option<String>,
    #[serde(default)]
    pub(super) sources: Vec<PathBuf>,
    pub(super) target: Option<String>,
    #[serde(default)]
    pub(super) cflags: Vec<String>,
}

/// What the functions of a type are for (`--sequence`), where their signatures do not say it.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields)]
struct SequenceSettings {
    #[serde(default)]
    constructors: Vec<String>,
    #[serde(default)]
    mutators: Vec<String>,
    #[serde(default)]
    observers: Vec<String>,
    #[serde(default)]
    destructors: Vec<String>,
    #[serde(default)]
    leave_out: Vec<String>,
    /// `"calls"`: only what calls give out.
    compare: Option<Compared>,
    /// By function, a condition in C over its parameters.
    #[serde(default)]
    assume: BTreeMap<String, String>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
enum Compared {
    Objects,
    Calls,
}

/// What a project says of sequences of calls on a type.
#[derive(Debug, Default)]
pub(super) struct SequenceFacts {
    pub(super) roles: Roles,
    pub(super) calls_only: bool,
    /// Each with the name of a function in front.
    pub(super) assumed: Vec<String>,
}

impl ProjectFile {
    pub(super) fn sequence(&self, handle: &str) -> anyhow::Result<SequenceFacts> {
        let plain = |name: &str| name.strip_prefix("struct ").unwrap_or(name).to_owned();
        let mut all = self.sequences.iter();
        let Some((_, own)) = all.find(|(name, _)| plain(name) == plain(handle)) else {
            return Ok(SequenceFacts::default());
        };
        let mut facts = SequenceFacts {
            calls_only: own.compare == Some(Compared::Calls),
            ..SequenceFacts::default()
        };
        facts.roles.leave_out = own.leave_out.iter().cloned().collect();
        for (names, role) in [
            (&own.constructors, Role::Constructor),
            (&own.mutators, Role::Mutator),
            (&own.observers, Role::Observer),
            (&own.destructors, Role::Destructor),
        ] {
            for name in names {
                let before = facts.roles.named.insert(name.clone(), role);
                if before.is_some() || own.leave_out.contains(name) {
                    bail!(
                        "{NAME}: `{name}` stands in two lists of `[sequence.{handle}]`; leave it in one"
                    );
                }
            }
        }
        let assumed = own.assume.iter();
        facts.assumed = assumed
            .map(|(function, condition)| format!("{function}: {condition}"))
            .collect();
        Ok(facts)
    }
}

/// A test of the project, as one would call the program.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct ListedTest {
    /// The program, whatever it is called, and its arguments.
    command: Vec<String>,
    stdin: Option<Content>,
    #[serde(default)]
    files: BTreeMap<String, Content>,
    #[serde(default)]
    env: BTreeMap<String, String>,
}

/// Text, or the content of a file.
#[derive(Deserialize, Debug)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected a text or { file = NAME }"
)]
enum Content {
    Text(String),
    File { file: String },
}

impl Content {
    fn read(&self) -> anyhow::Result<Vec<u8>> {
        match self {
            Content::Text(text) => Ok(text.clone().into_bytes()),
            Content::File { file } => read_named(file),
        }
    }
}

fn read_named(file: &str) -> anyhow::Result<Vec<u8>> {
    bounded::read(Path::new(file), bounded::TEST_BYTES)
        .with_context(|| format!("cannot read `{file}`, which `{NAME}` names"))
}

impl ListedTest {
    /// For messages.
    pub(super) fn name(&self, number: usize) -> String {
        let words: Vec<String> = self
            .command
            .iter()
            .map(|word| shell_word(word.as_bytes()))
            .collect();
        format!("test {number} of {NAME} (`{}`)", words.join(" "))
    }

    pub(super) fn test_case(&self) -> anyhow::Result<TestCase> {
        let Some((_, args)) = self.command.split_first() else {
            bail!(
                "{NAME}: the command of a test is empty; write the program and its arguments, as in [\"prog\", \"-n\"]"
            );
        };
        let mut files = BTreeMap::new();
        for (name, content) in &self.files {
            let path = Path::new(name);
            let mut parts = path.components();
            if !parts.all(|part| matches!(part, Component::Normal(_))) {
                bail!(
                    "{NAME}: a test's file `{name}` must lie in the working folder, so its name has no `..` and no `/` in front"
                );
            }
            files.insert(path.to_owned(), content.read()?);
        }
        let env = self.env.iter();
        Ok(TestCase {
            program: None,
            args: args.iter().map(|arg| arg.clone().into_bytes()).collect(),
            stdin: self.stdin.as_ref().map_or(Ok(Vec::new()), Content::read)?,
            environment: env
                .map(|(name, value)| (name.clone(), value.clone().into_bytes()))
                .collect(),
            files,
            variables: BTreeMap::new(),
            expected: None,
        })
    }
}

#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct ExploreSettings {
    #[serde(default)]
    args: Vec<Part>,
    stdin: Option<Part>,
    #[serde(default)]
    files: BTreeMap<String, Part>,
    #[serde(default)]
    env: BTreeMap<String, Part>,
    pub(super) strategy: Option<Strategy>,
    pub(super) workers: Option<usize>,
    timeout: Option<String>,
}

/// Fixed text, the content of a file, or anything of a length.
#[derive(Deserialize, Debug)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected a text, { sym = LEN }, { sym = LEN, min = MIN, max = MAX } or { file = NAME }"
)]
enum Part {
    Text(String),
    Symbolic {
        sym: Length,
        min: Option<usize>,
        max: Option<usize>,
    },
    File {
        file: String,
    },
}

#[derive(Deserialize, Debug)]
#[serde(
    untagged,
    expecting = "expected a number of bytes or a range such as \"0..8\""
)]
enum Length {
    Number(usize),
    Range(String),
}

impl Length {
    fn range(&self) -> anyhow::Result<RangeInclusive<usize>> {
        match self {
            Length::Number(number) => Ok(*number..=*number),
            Length::Range(text) => {
                super::notation::lengths(text).map_err(|why| anyhow!("{NAME}: {why}"))
            }
        }
    }

    fn most(&self) -> anyhow::Result<usize> {
        Ok(*self.range()?.end())
    }
}

pub(super) fn read() -> anyhow::Result<ProjectFile> {
    let text = match bounded::read(Path::new(NAME), MOST_BYTES) {
        Ok(text) => String::from_utf8(text).with_context(|| format!("cannot use `{NAME}`"))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(ProjectFile::default());
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read `{NAME}`")),
    };
    parse(&text)
}

fn parse(text: &str) -> anyhow::Result<ProjectFile> {
    let file: ProjectFile = toml::from_str(text).with_context(|| format!("cannot use `{NAME}`"))?;
    let native = file.native.as_ref();
    if native.is_some_and(|how| how.as_str() != Some("confined")) {
        bail!(
            "{NAME}: `native` can only be \"confined\" here: that versions run without a sandbox is not for a project to say; pass \
             `--native`, or write `native` into your own `~/.config/parallax/config.toml`"
        );
    }
    Ok(file)
}

impl ProjectFile {
    /// Whether the project wants native runs in a sandbox, whatever the user's settings say.
    pub(super) fn is_confined(&self) -> bool {
        self.native.is_some()
    }
}

impl ExploreSettings {
    pub(super) fn says_input(&self) -> bool {
        !self.args.is_empty()
            || self.stdin.is_some()
            || !self.files.is_empty()
            || !self.env.is_empty()
    }

    pub(super) fn timeout(&self) -> anyhow::Result<Option<Duration>> {
        let parse = |text: &String| {
            super::notation::time_limit(text).map_err(|why| anyhow!("{NAME}: {why}"))
        };
        self.timeout.as_ref().map(parse).transpose()
    }

    /// Puts the input that the file describes into a space that says nothing yet.
    pub(super) fn apply(
        &self,
        space: &mut InputSpace,
        guest: &dyn Fn(&str) -> String,
    ) -> anyhow::Result<()> {
        for part in &self.args {
            space.args.push(match part {
                Part::Text(text) => ArgSpace::Fixed(text.clone().into_bytes()),
                Part::Symbolic { sym, min, max } => {
                    let min = min.unwrap_or(if max.is_some() { 0 } else { 1 });
                    ArgSpace::Symbolic {
                        count: min..=max.unwrap_or(min),
                        length: sym.most()?,
                    }
                }
                Part::File { .. } => {
                    bail!("{NAME}: an argument is a text or {{ sym = LEN }}, not a file")
                }
            });
        }
        let stream = |part: &Part| match part {
            Part::Text(text) => Ok(StreamSpace::Fixed(text.clone().into_bytes())),
            Part::Symbolic {
                sym,
                min: None,
                max: None,
            } => Ok(StreamSpace::Symbolic(sym.range()?)),
            Part::Symbolic { .. } => bail!(
                "{NAME}: `min` and `max` are for arguments; write the range as {{ sym = \"0..8\" }}"
            ),
            Part::File { file } => read_named(file).map(StreamSpace::Fixed),
        };
        if let Some(part) = &self.stdin {
            space.stdin = stream(part)?;
        }
        for (name, part) in &self.files {
            space.files.insert(guest(name), stream(part)?);
        }
        for (name, part) in &self.env {
            let value = match part {
                Part::Text(text) => ValueSpace::Fixed(text.clone().into_bytes()),
                Part::Symbolic { sym, .. } => ValueSpace::Symbolic(sym.most()?),
                Part::File { .. } => {
                    bail!("{NAME}: a variable is a text or {{ sym = LEN }}, not a file")
                }
            };
            space.environment.push((name.clone(), value));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_in_the_header_can_be_used() {
        let text = r#"
            [explore]
            args = ["-n", { sym = 4 }, { sym = 3, min = 0, max = 2 }]
            stdin = { sym = "0..8" }
            files = { "table.txt" = { sym = 16 } }
            env = { MODE = { sym = 4 }, LANG = "C" }
            strategy = "coverage"
            workers = 2
            timeout = "5m"
        "#;
        let settings = parse(text).unwrap().explore;
        let mut space = InputSpace::default();
        settings
            .apply(&mut space, &|name| format!("/w/{name}"))
            .unwrap();
        assert_eq!(space.args.len(), 3);
        assert_eq!(
            space.args[2],
            ArgSpace::Symbolic {
                count: 0..=2,
                length: 3
            }
        );
        assert_eq!(space.stdin, StreamSpace::Symbolic(0..=8));
        assert_eq!(space.files["/w/table.txt"], StreamSpace::Symbolic(16..=16));
        assert_eq!(settings.timeout().unwrap(), Some(Duration::from_secs(300)));
        assert_eq!(settings.strategy, Some(Strategy::Coverage));
    }

    #[test]
    fn tests_are_listed() {
        let text = r#"
            [[test]]
            command = ["prog", "-n", "3"]
            stdin = "one line\n"
            files = { "table.txt" = "a b" }
            env = { LANG = "C" }

            [[test]]
            command = ["prog"]
        "#;
        let tests = parse(text).unwrap().tests;
        let first = tests[0].test_case().unwrap();
        assert_eq!(first.args, [b"-n", b"3" as &[u8]]);
        assert_eq!(first.stdin, b"one line\n");
        assert_eq!(first.files[Path::new("table.txt")], b"a b");
        assert_eq!(tests[1].test_case().unwrap().args.len(), 0);
        assert_eq!(tests[1].name(2), "test 2 of parallax.toml (`prog`)");
        let wrong = |text: &str| {
            let tests = parse(text)?.tests;
            tests[0].test_case()
        };
        for (text, words) in [
            ("[[test]]\ncommand = []", "is empty"),
            (
                "[[test]]\ncommand = [\"p\"]\nfiles = {\"../x\" = \"\"}",
                "working folder",
            ),
            (
                "[[test]]\ncommand = [\"p\"]\nstdin = {file = \"/none\"}",
                "/none",
            ),
            ("[[test]]\ncommand = [\"p\"]\nstdin = 3", "expected a text"),
            ("[[test]]\nstdin = \"\"", "command"),
        ] {
            let error = format!("{:#}", wrong(text).unwrap_err());
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_project_cannot_leave_the_sandbox() {
        for weaker in ["\"unconfined\"", "\"Confined\"", "[\"confined\"]", "true"] {
            let error = format!("{:#}", parse(&format!("native = {weaker}\n")).unwrap_err());
            assert!(error.contains("not for a project to say"), "{error}");
        }
        assert!(parse("native = \"confined\"\n").is_ok());
    }

    #[test]
    fn what_it_does_not_know_is_an_error() {
        let error = format!("{:#}", parse("[explore]\nworker = 2\n").unwrap_err());
        assert!(error.contains("worker"), "{error}");
    }
}
