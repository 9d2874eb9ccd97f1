//! Text that is not ours (what programs put out, what they are given, names of files, source lines), made fit to be read: nothing in
//! it controls a terminal, hides, or turns the direction of what follows, and it is as long as one reads.
//!
//! Bytes that are no UTF-8, control characters and characters without a picture become escapes (`\x1b`, `\u{202e}`), and a backslash
//! becomes two, so that what is shown says which bytes there were. What is left out is counted. Escaping for a format (HTML, XML,
//! Markdown) comes after this and belongs to the format.

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
