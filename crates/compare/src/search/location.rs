//! Where in an output two versions first differ, in a form that other inputs share.
//!
//! The place is the first byte for which the versions compute different terms. Its number says little: the
//! same `printf` is reached after more or less other output. So it is named by the program's own words before it
//! in its line: what comes from the input, digits, and everything but the last two words are left out.

use std::path::Path;

use concolic_vm::linux::{Bytes, FileState, Kernel};
use exploration::compare::Observable;
use exploration::worker::VersionRun;

/// How many of the program's words name a place.
const WORDS: usize = 2;

/// The place of the first difference in an observable; empty for those that are no output.
pub(crate) fn location(
    observable: &Observable,
    old: &VersionRun<'_>,
    new: &VersionRun<'_>,
) -> String {
    let output = |version: &VersionRun<'_>| {
        let kernel = version.process.machine().kernel();
        match observable {
            Observable::Stdout => Some(kernel.stdout().clone()),
            Observable::Stderr => Some(kernel.stderr().clone()),
            Observable::File(path) => file(kernel, path),
            Observable::End | Observable::ExitStatus | Observable::Returned => None,
        }
    };
    match (output(old), output(new)) {
        (Some(old), Some(new)) => words_before(&old, &new),
        _ => String::new(),
    }
}

fn file(kernel: &Kernel, path: &str) -> Option<Bytes> {
    let mut changes = kernel.file_changes().into_iter();
    let change = changes.find(|change| Path::new(path) == as_path(&change.path))?;
    match change.after? {
        FileState::File { content, .. } => Some(content),
        _ => None,
    }
}

fn as_path(bytes: &[u8]) -> &Path {
    use std::os::unix::ffi::OsStrExt;
    Path::new(std::ffi::OsStr::from_bytes(bytes))
}

/// The program's own words in the line of the first difference, before it.
fn words_before(old: &Bytes, new: &Bytes) -> String {
    let term = |bytes: &Bytes, at: usize| bytes.terms().map_or(0, |terms| terms[at]);
    let same = |at: &usize| {
        let (old_term, new_term) = (term(old, *at), term(new, *at));
        old_term == new_term && (old_term != 0 || old.bytes()[*at] == new.bytes()[*at])
    };
    let common = (0..old.len().min(new.len())).take_while(same).count();
    let line = old.bytes()[..common]
        .iter()
        .rposition(|&byte| byte == b'\n');
    let line = line.map_or(0, |newline| newline + 1);
    let own = |at: usize| {
        let byte = old.bytes()[at];
        let is_own = term(old, at) == 0 && !byte.is_ascii_digit() && (b' '..=b'~').contains(&byte);
        if is_own { byte as char } else { ' ' }
    };
    let text: String = (line..common).map(own).collect();
    // A word that the difference is in the middle of may be longer or shorter.
    let whole = match old.bytes()[line..common].last() {
        Some(b' ' | b'\t' | b':' | b'=' | b',' | b'(' | b'[' | b'"') | None => text.len(),
        Some(_) => text.rfind(' ').map_or(0, |space| space + 1),
    };
    let words: Vec<&str> = text[..whole].split_whitespace().collect();
    words[words.len().saturating_sub(WORDS)..].join(" ")
}
