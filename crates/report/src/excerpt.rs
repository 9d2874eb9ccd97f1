//! Text that is not ours (what programs put out, what they are given, names of files, source lines), made fit to be read: nothing in
//! it controls a terminal, hides, or turns the direction of what follows, and it is as long as one reads.
//!
//! Bytes that are no UTF-8, control characters and characters without a picture become escapes (`\x1b`, `\u{202e}`), and a backslash
//! becomes two, so that what is shown says which bytes there were. What is left out is counted. Escaping for a format (HTML, XML,
//! Markdown) comes after this and belongs to the format.

use std::borrow::Cow;

use crate::contrast::Marks;

/// Whether a character has no picture of its own, or changes how others look.
fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{fffe}'
                | '\u{ffff}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

fn push_character(text: &mut String, character: char) {
    match character {
        '\\' => text.push_str("\\\\"),
        '\n' => text.push_str("\\n"),
        '\t' => text.push_str("\\t"),
        '\r' => text.push_str("\\r"),
        '\0'..='\x7f' if is_unseen(character) => {
            text.push_str(&format!("\\x{:02x}", character as u32));
        }
        _ if is_unseen(character) => {
            text.push_str(&format!("\\u{{{:x}}}", character as u32));
        }
        _ => text.push(character),
    }
}

/// What our own marks put around words on a terminal: bold, old, new, and the end of each.
const MARKS: [&str; 4] = ["\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[0m"];

/// A whole text that is about to be printed, with words of others in it: beside line ends and tabs, and our own marks if there are
/// any, nothing in it controls a terminal. The escapes are those of JSON, and mean the same there.
pub fn printable(text: &str, marks: Marks) -> Cow<'_, str> {
    let is_kept = |character: char| matches!(character, '\n' | '\t') || !is_unseen(character);
    if text.chars().all(is_kept) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
        if let (Some(mark), Marks::Colours) = (mark, marks) {
            shown.push_str(mark);
            rest = &rest[mark.len()..];
            continue;
        }
        if is_kept(character) {
            shown.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                shown.push_str(&format!("\\u{unit:04x}"));
            }
        }
        rest = &rest[character.len_utf8()..];
    }
    Cow::Owned(shown)
}

/// The same in one line, for names.
pub(crate) fn name(text: &str) -> String {
    printable(text, Marks::Signs).replace('\n', "\\n")
}

/// Bytes as text of at most about so many characters. With `lines`, line ends and tabs stay what they are.
fn readable(bytes: &[u8], most: usize, lines: bool) -> String {
    let mut text = String::new();
    let mut shown = 0;
    let mut read = 0;
    'all: for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if shown >= most {
                break 'all;
            }
            match character {
                '\n' | '\t' if lines => text.push(character),
                _ => push_character(&mut text, character),
            }
            shown += 1;
            read += character.len_utf8();
        }
        for byte in chunk.invalid() {
            if shown >= most {
                break 'all;
            }
            text.push_str(&format!("\\x{byte:02x}"));
            shown += 1;
            read += 1;
        }
    }
    match bytes.len() - read {
        0 => text,
        1 => text + "… (1 more byte)",
        more => text + &format!("… ({more} more bytes)"),
    }
}

/// In one line.
pub(crate) fn in_line(bytes: &[u8], most: usize) -> String {
    readable(bytes, most, false)
}

/// In lines, as they are.
pub(crate) fn in_lines(bytes: &[u8], most: usize) -> String {
    readable(bytes, most, true)
}

/// Words of ours with names or code of others in them: unseen characters become escapes, backslashes stay.
pub(crate) fn words(text: &str, most: usize) -> String {
    let mut shown = String::new();
    for (number, character) in text.chars().enumerate() {
        if number == most {
            let more = text.chars().count() - most;
            return shown + &format!("… ({more} more characters)");
        }
        match character {
            '\\' | '\n' => shown.push(character),
            '\t' => shown.push(' '),
            _ => push_character(&mut shown, character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_that_controls_a_terminal_or_hides_is_left() {
        assert_eq!(in_line(b"\x1b[31mred\x1b[0m", 99), "\\x1b[31mred\\x1b[0m");
        assert_eq!(in_line(b"a\0b\xff\xc3", 99), "a\\x00b\\xff\\xc3");
        assert_eq!(
            in_line("a\u{202e}b\u{85}".as_bytes(), 99),
            "a\\u{202e}b\\u{85}"
        );
        assert_eq!(in_line(b"a\tb\r\n\\n", 99), "a\\tb\\r\\n\\\\n");
        assert_eq!(in_lines(b"a\tb\r\nc", 99), "a\tb\\r\nc");
        assert_eq!(words("C:\\x \u{7}", 99), "C:\\x \\x07");
    }

    #[test]
    fn a_text_to_print_keeps_our_marks_alone() {
        let ours = "\x1b[1mdifferent\x1b[0m:\ta \\ \x1b[31mold\x1b[0m\n";
        assert_eq!(printable(ours, Marks::Colours), ours);
        assert_eq!(printable("\x1b[1mx\n", Marks::Signs), "\\u001b[1mx\n");
        let theirs = "\x1b]0;t\x07\x1b[2J\x1b[8m\r";
        let shown = "\\u001b]0;t\\u0007\\u001b[2J\\u001b[8m\\u000d";
        assert_eq!(printable(theirs, Marks::Colours), shown);
        let shown = "\\u009b31m\\u007f\\u202e\\udb40\\udc01é";
        assert_eq!(
            printable("\u{9b}31m\u{7f}\u{202e}\u{e0001}é", Marks::Colours),
            shown
        );
        assert_eq!(name("a\n::error::b\x1b[1m"), "a\\n::error::b\\u001b[1m");
        // It stays the same JSON.
        let value = serde_json::json!({"a\u{9b}": "\x1b\u{202e}\u{e0001}\n\\"});
        let text = value.to_string();
        let read: serde_json::Value =
            serde_json::from_str(&printable(&text, Marks::Signs)).unwrap();
        assert_eq!(read, value);
    }

    #[test]
    fn what_is_left_out_is_counted() {
        assert_eq!(in_line(b"abcdef", 6), "abcdef");
        assert_eq!(in_line(b"abcdef", 5), "abcde… (1 more byte)");
        let megabytes = vec![b'x'; 5 << 20];
        assert_eq!(in_lines(&megabytes, 3), "xxx… (5242877 more bytes)");
        assert_eq!(words("abcdef", 2), "ab… (4 more characters)");
    }

    proptest! {
        #[test]
        fn any_bytes_become_text_that_can_be_seen(bytes in prop::collection::vec(any::<u8>(), 0..99)) {
            let line = in_line(&bytes, 1000);
            prop_assert!(!line.chars().any(is_unseen), "{line:?}");
            let lines = in_lines(&bytes, 1000);
            prop_assert!(!lines.chars().any(|c| is_unseen(c) && c != '\n' && c != '\t'));
        }

        /// What is shown says which bytes there were.
        #[test]
        fn different_bytes_look_different(
            one in prop::collection::vec(any::<u8>(), 0..9),
            other in prop::collection::vec(any::<u8>(), 0..9),
        ) {
            prop_assert_eq!(in_line(&one, 99) == in_line(&other, 99), one == other);
        }
    }
}
