//! A test as a folder of plain files: what a program is given, and what it is expected to do.
//!
//! ```text
//! program           the program's own name, its `argv[0]`, quoted in the same way
//! argv              one argument per line, without the program's own name; `$'…'` where a line would not do
//! stdin             the bytes of standard input
//! environment       NAME=VALUE, one per line, quoted in the same way
//! files/NAME        files in the working folder
//! variables         NAME=HEX, what `parallax_symbolic` gave out
//! expected.json     how the run ends
//! expected.stdout   the bytes written
//! expected.stderr
//! expected.files/   files in the working folder that the program made or changed
//! ```
//!
//! Everything but `argv` may be missing. A folder without `expected.json` is an input, and serves as a seed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

pub use concolic_vm::EndKind;
use concolic_vm::linux::{FileState, Kernel};
use concolic_vm::memory::ObjectKind;
use concolic_vm::{End, ObjectDescription, Outcome};
use exploration::InputRecord;
use serde::{Deserialize, Serialize};

use crate::bounded;
use crate::error::{Error, Result, Trying};
use crate::outside::{Outside, relative};

/// How a run ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExpectedEnd {
    pub kind: EndKind,
    /// What a shell reports of the native run, if the kind decides that.
    pub shell_status: Option<i32>,
    pub description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Of a memory error: whether the access was about a memory mapping.
    #[serde(default, skip_serializing_if = "is_false")]
    pub in_mapping: bool,
    /// Of a memory error about an object that has ended: whether the access was not where the object had been.
    #[serde(default, skip_serializing_if = "is_false")]
    pub beside_object: bool,
    /// Whether the language leaves open what a native program does here.
    pub undefined: bool,
}

impl ExpectedEnd {
    pub fn of(outcome: &Outcome) -> ExpectedEnd {
        let undefined = is_undefined(&outcome.end);
        let place = match outcome.end {
            End::Exit { .. } => None,
            _ => outcome.location(),
        };
        let object = match &outcome.end {
            End::Memory(error) => error.object.as_ref(),
            _ => None,
        };
        let kind = outcome.end.kind();
        ExpectedEnd {
            kind,
            shell_status: (!undefined && !outcome.end.is_inconclusive())
                .then(|| outcome.end.shell_status() & 0xff),
            description: outcome.end.to_string(),
            function: place.map(|frame| frame.function.clone()),
            file: place.and_then(|frame| frame.file.clone()),
            line: place.filter(|frame| frame.line > 0).map(|frame| frame.line),
            in_mapping: object.is_some_and(|object| object.kind == ObjectKind::Mapping),
            beside_object: object.is_some_and(|object| is_beside(kind, object)),
            undefined,
        }
    }
}

/// Whether an access to an object that has ended was not where the object had been.
fn is_beside(kind: EndKind, object: &ObjectDescription) -> bool {
    let ended = matches!(kind, EndKind::UseAfterFree | EndKind::UseAfterReturn);
    ended && !u64::try_from(object.offset).is_ok_and(|offset| offset < object.size)
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Whether C gives a program that ends this way no meaning.
fn is_undefined(end: &End) -> bool {
    match end {
        End::Memory(_)
        | End::DivisionByZero
        | End::DivisionOverflow
        | End::Unreachable
        | End::DeadJump
        | End::StackOverflow { .. } => true,
        End::Exit { .. }
        | End::Abort
        | End::Assert
        | End::Panic
        | End::Killed { .. }
        | End::Trap
        | End::StepLimit { .. }
        | End::MemoryLimit { .. }
        | End::Unsupported { .. } => false,
    }
}

/// What a run did that another run of the same input can be compared with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    pub end: ExpectedEnd,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Regular files of the working folder that were made or changed, by relative path.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// Not compared, and not kept with a test.
    pub outside: Outside,
}

impl Expected {
    pub fn of(outcome: &Outcome, kernel: &Kernel, working_folder: &[u8]) -> Expected {
        let mut files = BTreeMap::new();
        for change in kernel.file_changes() {
            let Some(name) = relative(&change.path, working_folder) else {
                continue;
            };
            if let Some(FileState::File { content, .. }) = change.after {
                files.insert(name, content.bytes().to_vec());
            }
        }
        Expected {
            end: ExpectedEnd::of(outcome),
            stdout: kernel.stdout().bytes().to_vec(),
            stderr: kernel.stderr().bytes().to_vec(),
            files,
            outside: Outside::of(kernel, working_folder),
        }
    }
}

/// A test: an input, and what is expected of it if that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestCase {
    /// The program's own name, if the test says it.
    pub program: Option<Vec<u8>>,
    /// The program's own name is not part of it.
    pub args: Vec<Vec<u8>>,
    pub stdin: Vec<u8>,
    pub environment: BTreeMap<String, Vec<u8>>,
    /// By path relative to the working folder.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    pub variables: BTreeMap<String, Vec<u8>>,
    pub expected: Option<Expected>,
}

impl TestCase {
    pub fn new(input: &InputRecord, working_folder: &[u8], expected: Option<Expected>) -> TestCase {
        let files = input.files.iter().filter_map(|(path, content)| {
            Some((relative(path.as_bytes(), working_folder)?, content.clone()))
        });
        TestCase {
            program: input.args.first().cloned(),
            args: input.args.iter().skip(1).cloned().collect(),
            stdin: input.stdin.clone(),
            environment: input.environment.clone(),
            files: files.collect(),
            variables: input.variables.clone(),
            expected,
        }
    }

    /// The input for a program of this name in this working folder.
    pub fn input(&self, program_name: &[u8], working_folder: &str) -> Result<InputRecord> {
        let mut args = vec![program_name.to_vec()];
        args.extend(self.args.iter().cloned());
        let mut files = BTreeMap::new();
        for (name, content) in &self.files {
            let path = Path::new(working_folder).join(name);
            let path = path
                .to_str()
                .ok_or_else(|| Error::bad_test("a file's name is not UTF-8".to_owned()))?;
            files.insert(path.to_owned(), content.clone());
        }
        Ok(InputRecord {
            args,
            stdin: self.stdin.clone(),
            files,
            environment: self.environment.clone(),
            variables: self.variables.clone(),
        })
    }

    /// Writes the folder in one step: it is there completely, or not at all.
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        let parent = folder.parent().unwrap_or(Path::new("."));
        let unfinished = tempfile::Builder::new()
            .prefix(".unfinished-")
            .tempdir_in(parent)?;
        self.write_into(unfinished.path())?;
        let unfinished = unfinished.keep();
        std::fs::rename(&unfinished, folder).inspect_err(|_| {
            let _ = std::fs::remove_dir_all(&unfinished);
        })
    }

    fn write_into(&self, folder: &Path) -> std::io::Result<()> {
        let lines = |entries: &mut dyn Iterator<Item = Vec<u8>>| {
            entries.fold(Vec::new(), |mut text, line| {
                text.extend(quoted(&line));
                text.push(b'\n');
                text
            })
        };
        let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes);
        if let Some(program) = &self.program {
            write("program", &lines(&mut [program.clone()].into_iter()))?;
        }
        write("argv", &lines(&mut self.args.iter().cloned()))?;
        if !self.stdin.is_empty() {
            write("stdin", &self.stdin)?;
        }
        if !self.environment.is_empty() {
            let mut entries = self
                .environment
                .iter()
                .map(|(name, value)| [name.as_bytes(), b"=", value].concat());
            write("environment", &lines(&mut entries))?;
        }
        if !self.variables.is_empty() {
            write("variables", self.variables_text().as_bytes())?;
        }
        write_tree(&folder.join("files"), &self.files)?;
        if let Some(expected) = &self.expected {
            let mut text = serde_json::to_string_pretty(&expected.end)?;
            text.push('\n');
            write("expected.json", text.as_bytes())?;
            write("expected.stdout", &expected.stdout)?;
            write("expected.stderr", &expected.stderr)?;
            write_tree(&folder.join("expected.files"), &expected.files)?;
        }
        Ok(())
    }

    /// NAME=HEX, one per line.
    pub fn variables_text(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.variables {
            let hex: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
            let _ = writeln!(text, "{name}={hex}");
        }
        text
    }

    pub fn read(folder: &Path) -> Result<TestCase> {
        let optional = |name: &str| -> Result<Option<Vec<u8>>> {
            match bounded::read(&folder.join(name), bounded::TEST_BYTES) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
                Err(error) => {
                    Err(error).trying(|| format!("cannot read `{}`", folder.join(name).display()))
                }
            }
        };
        let lines = |name: &str| -> Result<Vec<Vec<u8>>> {
            let Some(text) = optional(name)? else {
                return Ok(Vec::new());
            };
            if text.is_empty() {
                return Ok(Vec::new());
            }
            let text = text.strip_suffix(b"\n").unwrap_or(&text);
            let line = |line: &[u8]| {
                unquoted(line).ok_or_else(|| {
                    Error::bad_test(format!(
                        "cannot use `{}`: the quoting of `{}` is wrong; write `$'…'` with \\n, \\t, \\xHH, \\\\ and \\'",
                        folder.join(name).display(),
                        String::from_utf8_lossy(line)
                    ))
                })
            };
            text.split(|&byte| byte == b'\n').map(line).collect()
        };
        if !folder.join("argv").is_file() {
            return Err(Error::bad_test(format!(
                "`{}` is not a test: it has no file `argv` (one argument per line; it may be empty)",
                folder.display()
            )));
        }
        let pair = |line: &[u8], file: &str| -> Result<(String, Vec<u8>)> {
            let text = String::from_utf8_lossy(line).into_owned();
            let place = line.iter().position(|&byte| byte == b'=');
            let place = place.ok_or_else(|| {
                Error::bad_test(format!(
                    "cannot use `{}`: `{text}` has no `=`",
                    folder.join(file).display()
                ))
            })?;
            let name = String::from_utf8_lossy(&line[..place]).into_owned();
            Ok((name, line[place + 1..].to_vec()))
        };
        let mut environment = BTreeMap::new();
        for line in lines("environment")? {
            let (name, value) = pair(&line, "environment")?;
            environment.insert(name, value);
        }
        let mut variables = BTreeMap::new();
        for line in lines("variables")? {
            let (name, value) = pair(&line, "variables")?;
            let digits = std::str::from_utf8(&value)
                .ok()
                .filter(|text| text.len().is_multiple_of(2));
            let bytes: Option<Vec<u8>> = digits.and_then(|text| {
                let pairs = (0..text.len()).step_by(2);
                pairs
                    .map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok())
                    .collect()
            });
            let Some(bytes) = bytes else {
                return Err(Error::bad_test(format!(
                    "cannot use `{}`: the value of `{name}` is not hexadecimal",
                    folder.join("variables").display()
                )));
            };
            variables.insert(name, bytes);
        }
        let expected = match optional("expected.json")? {
            None => None,
            Some(text) => Some(Expected {
                end: serde_json::from_slice(&text).map_err(|error| Error::BadTest {
                    problem: format!("cannot use `{}`", folder.join("expected.json").display()),
                    source: Some(error),
                })?,
                stdout: optional("expected.stdout")?.unwrap_or_default(),
                stderr: optional("expected.stderr")?.unwrap_or_default(),
                files: read_tree(&folder.join("expected.files"))?,
                outside: Outside::default(),
            }),
        };
        Ok(TestCase {
            program: lines("program")?.into_iter().next(),
            args: lines("argv")?,
            stdin: optional("stdin")?.unwrap_or_default(),
            environment,
            files: read_tree(&folder.join("files"))?,
            variables,
            expected,
        })
    }

    /// All tests in a folder, by name.
    pub fn read_all(folder: &Path) -> Result<Vec<(String, TestCase)>> {
        let unreadable = || format!("cannot list the tests in `{}`", folder.display());
        let entries = std::fs::read_dir(folder).trying(unreadable)?;
        if folder.join("argv").is_file() {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            return Ok(vec![(name.into_owned(), TestCase::read(folder)?)]);
        }
        let mut tests = Vec::new();
        for entry in entries {
            let entry = entry.trying(unreadable)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.path().is_dir() && !name.starts_with('.') {
                tests.push((name, TestCase::read(&entry.path())?));
            }
        }
        tests.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(tests)
    }
}

/// Writes files below a folder, with the folders between.
pub fn write_tree(folder: &Path, files: &BTreeMap<PathBuf, Vec<u8>>) -> std::io::Result<()> {
    for (name, content) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
        std::fs::write(path, content)?;
    }
    Ok(())
}

/// The regular files below a folder, by relative path; none if there is no folder.
pub fn read_tree(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut bytes = 0;
    let mut pending = vec![PathBuf::new()];
    while let Some(below) = pending.pop() {
        let here = folder.join(&below);
        if !here.is_dir() {
            continue;
        }
        let unreadable = || format!("cannot read `{}`", here.display());
        for entry in std::fs::read_dir(&here).trying(unreadable)? {
            let entry = entry.trying(unreadable)?;
            let name = below.join(entry.file_name());
            let kind = entry.file_type().trying(unreadable)?;
            if kind.is_dir() {
                pending.push(name);
            } else if kind.is_file() {
                let left = bounded::TEST_BYTES - bytes;
                let unreadable = || format!("cannot read `{}`", entry.path().display());
                let content = bounded::read(&entry.path(), left).trying(unreadable)?;
                bytes += content.len() as u64;
                files.insert(name, content);
            }
        }
    }
    Ok(files)
}

/// A line as it is, or in the shell's `$'…'`.
pub fn quoted(line: &[u8]) -> Vec<u8> {
    let plain = std::str::from_utf8(line)
        .is_ok_and(|text| text.chars().all(|c| !c.is_control()) && !text.starts_with("$'"));
    if plain {
        return line.to_vec();
    }
    let mut text = b"$'".to_vec();
    for &byte in line {
        match byte {
            b'\n' => text.extend(b"\\n"),
            b'\t' => text.extend(b"\\t"),
            b'\\' => text.extend(b"\\\\"),
            b'\'' => text.extend(b"\\'"),
            b' '..=b'~' => text.push(byte),
            _ => text.extend(format!("\\x{byte:02x}").bytes()),
        }
    }
    text.push(b'\'');
    text
}

fn unquoted(line: &[u8]) -> Option<Vec<u8>> {
    let Some(inner) = line.strip_prefix(b"$'") else {
        return Some(line.to_vec());
    };
    let inner = inner.strip_suffix(b"'")?;
    let mut bytes = Vec::new();
    let mut rest = inner.iter();
    while let Some(&byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next()? {
            b'n' => b'\n',
            b't' => b'\t',
            b'\\' => b'\\',
            b'\'' => b'\'',
            b'x' => {
                let mut digit = || {
                    (*rest.next()? as char)
                        .to_digit(16)
                        .map(|digit| digit as u8)
                };
                digit()? << 4 | digit()?
            }
            _ => return None,
        });
    }
    Some(bytes)
}

/// An argument as one would type it into a shell.
pub fn shell_word(bytes: &[u8]) -> String {
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:,+@%^".contains(&byte);
    if !bytes.is_empty() && bytes.iter().all(|&byte| safe(byte)) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let printable =
        std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(|c| !c.is_control()));
    if printable && !bytes.contains(&b'\'') {
        return format!("'{}'", String::from_utf8_lossy(bytes));
    }
    let quoted_text = if printable {
        // The plain form is no shell quoting.
        let escaped = bytes.iter().flat_map(|&byte| match byte {
            b'\'' | b'\\' => vec![b'\\', byte],
            _ => vec![byte],
        });
        [b"$'".to_vec(), escaped.collect(), b"'".to_vec()].concat()
    } else {
        quoted(bytes)
    };
    String::from_utf8_lossy(&quoted_text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beside_an_ended_object_is_told_apart() {
        let at = |kind: EndKind, offset: i64| {
            let object = ObjectDescription {
                kind: ObjectKind::Heap,
                what: "a heap block".to_owned(),
                size: 16,
                offset,
                made_at: None,
                ended_at: None,
            };
            is_beside(kind, &object)
        };
        assert!(at(EndKind::UseAfterFree, -2147483648) && at(EndKind::UseAfterFree, 16));
        assert!(!at(EndKind::UseAfterFree, 0) && !at(EndKind::UseAfterFree, 15));
        assert!(!at(EndKind::OutOfBounds, 16));
    }

    #[test]
    fn a_test_is_read_back_as_it_was_written() {
        let awkward: Vec<Vec<u8>> = vec![
            b"".to_vec(),
            b"plain".to_vec(),
            b"two words".to_vec(),
            b"$'".to_vec(),
            b"a\nb\\'\xff\x01".to_vec(),
            "ä".as_bytes().to_vec(),
            b"".to_vec(),
        ];
        let folder = tempfile::tempdir().unwrap();
        for args in [vec![], vec![b"".to_vec()], awkward] {
            let test = TestCase {
                program: Some(b"./a program".to_vec()),
                args,
                stdin: b"\0\n".to_vec(),
                environment: BTreeMap::from([("HOME".to_owned(), b"=\n".to_vec())]),
                files: BTreeMap::from([(PathBuf::from("a/b"), b"x".to_vec())]),
                variables: BTreeMap::from([("n".to_owned(), vec![1, 255])]),
                expected: None,
            };
            let place = folder.path().join(format!("{}", test.args.len()));
            test.write(&place).unwrap();
            assert_eq!(TestCase::read(&place).unwrap(), test);
        }
        assert_eq!(TestCase::read_all(folder.path()).unwrap().len(), 3);
    }

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(shell_word(b"-n"), "-n");
        assert_eq!(shell_word(b""), "''");
        assert_eq!(shell_word(b"a b"), "'a b'");
        assert_eq!(shell_word(b"it's"), "$'it\\'s'");
        assert_eq!(shell_word(b"\x01\\"), "$'\\x01\\\\'");
    }
}
