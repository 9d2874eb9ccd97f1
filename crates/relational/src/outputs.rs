//! What the versions put out on a partition, as terms over the input in the user's words: `old: i`, `new: i + 1`
//! (thesis §3.1, symbolic output).
//!
//! On a path the output has a fixed length, and each byte of it is a constant or a term. Bytes that make up one value
//! are written as that value.

use crate::version_run::VersionRun;
use concolic_vm::End;
use concolic_vm::linux::{Bytes, FileState, Kernel};
use expr::{ExprId, Op, Store};
use search::Observable;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An observable as the versions leave it, on every input of a partition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SymbolicOutput {
    pub observable: Observable,
    /// By version.
    pub versions: Vec<String>,
    /// By version: the exit status, where it is the same on all inputs. Of nothing else.
    pub statuses: Vec<Option<i32>>,
    /// By version: what was written into a file, piece by piece, if it is not long. For those who know more of the file.
    pub pieces: Vec<Option<Vec<Piece>>>,
}

/// A part of what was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Piece {
    Constant(u8),
    /// So many bytes that make up one value.
    Value {
        words: String,
        bytes: usize,
    },
}

/// Of longer text the rest is only counted.
const MOST_CHARACTERS: usize = 240;

/// The outputs of the versions' runs; of streams those that were written, and of files those that all versions wrote.
pub fn symbolic_outputs(store: &mut Store, versions: &[VersionRun<'_>]) -> Vec<SymbolicOutput> {
    let mut outputs = Vec::new();
    let mut add = |observable: Observable, versions: Vec<String>, pieces| {
        outputs.push(SymbolicOutput {
            observable,
            versions,
            statuses: Vec::new(),
            pieces,
        });
    };
    let kernels: Vec<_> = versions
        .iter()
        .map(|version| version.process.machine().kernel())
        .collect();
    let streams: [(Observable, Vec<Bytes>); 2] = [
        (
            Observable::Stdout,
            kernels.iter().map(|kernel| kernel.stdout()).collect(),
        ),
        (
            Observable::Stderr,
            kernels.iter().map(|kernel| kernel.stderr()).collect(),
        ),
    ];
    for (observable, contents) in streams {
        if contents.iter().any(|content| !content.is_empty()) {
            let texts = contents.iter().map(|content| written(store, content).0);
            add(observable, texts.collect(), Vec::new());
        }
    }
    let files: Vec<_> = kernels.into_iter().map(written_files).collect();
    let (first, others) = files.split_first().expect("there are versions");
    for path in first.keys() {
        if others.iter().all(|files| files.contains_key(path)) {
            let name = String::from_utf8_lossy(path).into_owned();
            let contents = files.iter().map(|files| written(store, &files[path]));
            let (texts, pieces) = contents.unzip();
            add(Observable::File(name), texts, pieces);
        }
    }
    let returned = |version: &VersionRun<'_>| !version.process.machine().returned().is_empty();
    let (observable, word): (_, fn(&Store, &VersionRun<'_>) -> String) =
        match versions.iter().all(returned) {
            true => (Observable::Returned, returned_words),
            false => (Observable::ExitStatus, end),
        };
    let words = versions.iter().map(|version| word(store, version));
    let statuses = match observable {
        Observable::ExitStatus => versions.iter().map(constant_status).collect(),
        _ => Vec::new(),
    };
    outputs.push(SymbolicOutput {
        observable,
        versions: words.collect(),
        statuses,
        pieces: Vec::new(),
    });
    outputs
}

fn constant_status(version: &VersionRun<'_>) -> Option<i32> {
    match version.run.outcome.end {
        End::Exit { status } if version.run.exit_status.is_none() => Some(status),
        _ => None,
    }
}

/// Files that a version made or changed, with what they hold then.
fn written_files(kernel: &Kernel) -> BTreeMap<Vec<u8>, Bytes> {
    let changes = kernel.file_changes().into_iter();
    let written = changes.filter_map(|change| match change.after {
        Some(FileState::File { content, .. }) => Some((change.path, content)),
        _ => None,
    });
    written.collect()
}

fn end(store: &Store, version: &VersionRun<'_>) -> String {
    match (&version.run.outcome.end, version.run.exit_status) {
        (End::Exit { .. }, Some(term)) => store.describe_value(term),
        (End::Exit { status }, None) => status.to_string(),
        (end, _) => end.to_string(),
    }
}

fn returned_words(store: &Store, version: &VersionRun<'_>) -> String {
    let values = version.process.machine().returned().iter();
    let terms = version.run.returned.iter().copied();
    let words = values.zip(terms.chain(std::iter::repeat(None)));
    let words = words.map(|(value, term)| match term {
        Some(term) => store.describe_value(term),
        None => value.to_string(),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Written bytes: constants as they are, values in braces; and all of them in pieces.
fn written(store: &mut Store, bytes: &Bytes) -> (String, Option<Vec<Piece>>) {
    let term_at = |index: usize| {
        bytes
            .terms()
            .and_then(|terms| ExprId::from_raw(terms[index]))
    };
    let mut text = String::new();
    let mut pieces = Vec::new();
    let mut index = 0;
    while index < bytes.len() {
        if text.len() > MOST_CHARACTERS {
            let more = match bytes.len() - index {
                1 => "1 more byte".to_owned(),
                more => format!("{more} more bytes"),
            };
            return (format!("{text}… ({more})"), None);
        }
        let Some(first) = term_at(index) else {
            let constant = bytes.bytes()[index];
            text.extend(constant.escape_ascii().map(char::from));
            pieces.push(Piece::Constant(constant));
            index += 1;
            continue;
        };
        let (value, length) = whole_value(store, first, |further| {
            (index + further < bytes.len()).then(|| term_at(index + further))?
        });
        let words = store.describe_value(value);
        text += &format!("{{{words}}}");
        pieces.push(Piece::Value {
            words,
            bytes: length,
        });
        index += length;
    }
    (text, Some(pieces))
}

/// The longest value that a byte and those behind it make up, with its length.
fn whole_value(
    store: &mut Store,
    first: ExprId,
    byte: impl Fn(usize) -> Option<ExprId>,
) -> (ExprId, usize) {
    for length in [8, 4, 2] {
        let further = (1..length).map(&byte);
        let bytes: Option<Vec<ExprId>> = std::iter::once(Some(first)).chain(further).collect();
        let Some(bytes) = bytes else { continue };
        let value = store.concat_le(&bytes);
        if store.op(value) != Op::Concat || store.is_variable(value) {
            return (value, length);
        }
    }
    (first, 1)
}
