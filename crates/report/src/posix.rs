//! Words and commands as any POSIX shell reads them: what is printed can be pasted.

use std::path::Path;

/// Bytes as one word. Behind a trailing newline it needs [`NEWLINE`], as a command substitution takes these away.
pub(crate) fn word(bytes: &[u8]) -> String {
    let is_safe = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./:,+@%^".contains(byte);
    let text = std::str::from_utf8(bytes).ok();
    let text = text.filter(|text| !text.chars().any(char::is_control));
    match text {
        Some(text) if !text.is_empty() && bytes.iter().all(is_safe) => text.to_owned(),
        Some(text) => format!("'{}'", text.replace('\'', "'\\''")),
        None => {
            let end = bytes.iter().rposition(|&byte| byte != b'\n');
            let (text, newlines) = bytes.split_at(end.map_or(0, |end| end + 1));
            let newlines = "$nl".repeat(newlines.len());
            match text.is_empty() {
                true => format!("\"{newlines}\""),
                false => format!("\"$(printf '{}'){newlines}\"", format_of(text)),
            }
        }
    }
}

/// What must come before a command with a word that ends with a newline.
const NEWLINE: &str = "nl=$(printf '\\n.'); nl=${nl%.}; ";

/// A command, with what some of its words need before it.
pub(crate) fn with_newline(command: String) -> String {
    match command.contains("$nl") {
        true => NEWLINE.to_owned() + &command,
        false => command,
    }
}

/// A variable of the environment before a command.
pub(crate) fn assignment(name: &str, value: &[u8]) -> String {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name = name.chars().all(is_letter) && !name.starts_with(|c: char| c.is_ascii_digit());
    match is_name && !name.is_empty() {
        true => format!("{name}={} ", word(value)),
        // A shell has no variables of other names.
        false => {
            let whole = [name.as_bytes(), b"=", value].concat();
            format!("env {} ", word(&whole))
        }
    }
}

/// A path below the folder in which a user has called Parallax, also from within another one; `$here` is that folder.
pub(crate) fn from_elsewhere(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let own = word(path.as_os_str().as_bytes());
    match path.is_absolute() {
        true => own,
        false => format!("\"$here\"/{own}"),
    }
}

/// Bytes as a format of `printf` in single quotes.
pub fn format_of(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (place, &byte) in bytes.iter().enumerate() {
        match byte {
            // At the beginning it would be an option.
            b'-' if place == 0 => text += "\\055",
            b'\n' => text += "\\n",
            b'\t' => text += "\\t",
            b'\\' => text += "\\\\",
            b'%' => text += "%%",
            b'\'' => text += "'\\''",
            b' '..=b'~' => text.push(byte as char),
            _ => text += &format!("\\{byte:03o}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Vec<u8> {
        let output = std::process::Command::new("sh")
            .args(["-c", script])
            .output();
        output.expect("there is a shell").stdout
    }

    #[test]
    fn standard_input_is_piped_as_a_shell_does() {
        let odd: Vec<u8> = (0..=255).collect();
        for bytes in [&b"a b\n"[..], b"-n a", b"100% 'sure'\\n\t", &odd] {
            let script = format!("printf '{}'", format_of(bytes));
            assert_eq!(shell(&script), bytes, "{script}");
        }
    }

    #[test]
    fn a_word_is_what_it_was() {
        let odd: Vec<u8> = (1..=255).collect();
        for bytes in [
            &b""[..],
            b"plain",
            b"a b$c`d\"",
            b"it's",
            b"it's\x01'\\",
            b"-n\n",
            b"\n\n",
            b"a\nb",
            b"~",
            b"a=b",
            &odd,
        ] {
            let command = with_newline(format!("printf '%s' {}", word(bytes)));
            assert_eq!(shell(&command), bytes, "{command}");
        }
    }

    #[test]
    fn an_environment_is_what_it_was() {
        for (name, value) in [("A_1", &b"x y"[..]), ("a.b", b"it's\x02"), ("1", b"\n")] {
            let command = format!("{}env", assignment(name, value));
            let said = shell(&with_newline(command));
            let line = [name.as_bytes(), b"=", value].concat();
            let has_it = said.windows(line.len()).any(|part| part == line);
            assert!(has_it, "{name}");
        }
    }
}
