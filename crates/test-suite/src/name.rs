//! Names that say what happens, as in `cut_f_0_exits_1`.

use std::path::Path;

use compare::confirm::VersionOutcome;
use exploration::InputRecord;

use crate::expected::Expected;

/// The parts before what happens have at most so many characters.
const MOST: usize = 48;

/// What a person would call a test.
pub(crate) fn name(
    program: &[u8],
    input: &InputRecord,
    expected: &Expected,
    outcome: &VersionOutcome,
) -> String {
    let program = String::from_utf8_lossy(program).into_owned();
    let program = Path::new(&program).file_stem();
    let program = program.map_or("program".into(), |stem| stem.to_string_lossy());
    let mut given = vec![words(program.as_bytes())];
    given.extend(input.args.iter().skip(1).map(|argument| words(argument)));
    if input.args.len() < 2 && input.stdin.is_empty() && input.files.is_empty() {
        given.push("without_input".to_owned());
    }
    if !input.stdin.is_empty() {
        given.push(format!("reading_{}", words(&input.stdin)));
    }
    given.extend(input.files.keys().map(|path| {
        let file = Path::new(path).file_name().unwrap_or_default();
        format!("with_{}", words(file.as_encoded_bytes()))
    }));
    let mut given = given.join("_");
    given.truncate(MOST);
    let name = format!(
        "{}_{}",
        given.trim_end_matches('_'),
        happens(expected, outcome)
    );
    match name.starts_with(|first: char| first.is_ascii_digit()) {
        true => format!("program_{name}"),
        false => name,
    }
}

fn happens(expected: &Expected, outcome: &VersionOutcome) -> String {
    if expected.is_signal {
        return format!("ends_by_{}", words(outcome.end.kind.name().as_bytes()));
    }
    if expected.status != 0 {
        return format!("exits_{}", expected.status);
    }
    if expected.stdout.is_empty() {
        return match expected.files.is_empty() {
            true => "prints_nothing".to_owned(),
            false => "writes_a_file".to_owned(),
        };
    }
    let mut printed = words(&expected.stdout);
    printed.truncate(24);
    format!("prints_{}", printed.trim_end_matches('_'))
}

/// Letters and digits; a sign of a number, and text without any, in words.
pub(crate) fn words(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "empty".to_owned();
    }
    let mut text = String::new();
    for (at, &byte) in bytes.iter().enumerate().take(MOST) {
        let before_digit = bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        match byte {
            b'a'..=b'z' | b'0'..=b'9' => text.push(byte as char),
            b'A'..=b'Z' => text.push(byte.to_ascii_lowercase() as char),
            b'-' if before_digit && (at == 0 || b" {".contains(&bytes[at - 1])) => {
                let gap = text.is_empty() || text.ends_with('_');
                text += if gap { "minus_" } else { "_minus_" };
            }
            _ if text.is_empty() || text.ends_with('_') => {}
            _ => text.push('_'),
        }
    }
    match text.trim_matches('_') {
        "" => "signs".to_owned(),
        text => text.to_owned(),
    }
}

/// The name, with a number if it is taken.
pub(crate) fn distinct(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut own = name.to_owned();
    for number in 2.. {
        if !taken(&own) {
            break;
        }
        own = format!("{name}_{number}");
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_words() {
        for (text, expected) in [
            (&b"-1"[..], "minus_1"),
            (b"{-2, -3}", "minus_2_minus_3"),
            (b"Total: 12 EUR\n", "total_12_eur"),
            (b"--help", "help"),
            (b"", "empty"),
            (b"\xff\n?", "signs"),
        ] {
            assert_eq!(words(text), expected);
        }
    }

    #[test]
    fn names_are_distinct() {
        let taken = ["a", "a_2"];
        assert_eq!(distinct("a", |name| taken.contains(&name)), "a_3");
        assert_eq!(distinct("b", |name| taken.contains(&name)), "b");
    }
}
