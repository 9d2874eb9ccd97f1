//! Inputs in words and for machines.

use std::collections::BTreeMap;

use compare::given::Given;
use exploration::InputRecord;
use native::test_case::shell_word;
use serde_json::{Value, json};

use crate::{calls, excerpt};

/// With three digits behind the point.
pub fn milliseconds(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// For machines.
pub fn json_input(input: &InputRecord) -> Value {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let texts = |map: &BTreeMap<String, Vec<u8>>| {
        let entries = map
            .iter()
            .map(|(name, bytes)| (name.clone(), json!(text(bytes))));
        Value::Object(entries.collect())
    };
    json!({
        "argv": input.args.iter().skip(1).map(|arg| text(arg)).collect::<Vec<_>>(),
        "stdin": text(&input.stdin),
        "files": texts(&input.files),
        "env": texts(&input.environment),
        "variables": texts(&input.variables),
        "exact": input,
    })
}

/// An input as a person would type it.
pub fn input_as_typed(input: &InputRecord) -> String {
    let mut text = String::from("  input: ");
    for (name, value) in &input.environment {
        text += &format!("{name}={} ", shell_word(value));
    }
    let words: Vec<String> = input.args.iter().map(|arg| shell_word(arg)).collect();
    text += &words.join(" ");
    text.push('\n');
    if !input.stdin.is_empty() {
        text += &format!("  stdin: {}\n", shell_word(&input.stdin));
    }
    for (name, content) in &input.files {
        text += &format!("  file {}: {}\n", excerpt::name(name), shell_word(content));
    }
    for (name, value) in &input.variables {
        text += &format!("  {name}: {}\n", number_or_bytes(value));
    }
    text
}

/// A variable's value: small ones as the numbers they are read as most often.
pub fn number_or_bytes(bytes: &[u8]) -> String {
    let mut wide = [0; 8];
    match bytes.len() {
        1 | 2 | 4 | 8 => {
            wide[..bytes.len()].copy_from_slice(bytes);
            let value = u64::from_le_bytes(wide);
            let shift = 64 - 8 * bytes.len() as u32;
            let signed = (value << shift) as i64 >> shift;
            if signed < 0 {
                format!("{signed} ({value:#x})")
            } else {
                format!("{value}")
            }
        }
        _ => shell_word(bytes),
    }
}

/// Longer standard input is not part of a command.
const MOST_PIPED: usize = 60;

/// The call with its standard input, if that is short.
fn command(input: &InputRecord) -> Option<String> {
    let mut text = String::new();
    if !input.stdin.is_empty() {
        let piped = printf(&input.stdin);
        if piped.len() > MOST_PIPED {
            return None;
        }
        text += &format!("printf '{piped}' | ");
    }
    for (name, value) in &input.environment {
        text += &format!("{name}={} ", shell_word(value));
    }
    let words: Vec<String> = input.args.iter().map(|arg| shell_word(arg)).collect();
    Some(text + &words.join(" "))
}

/// The command, or the call of a function, that an input stands for, if that is short.
pub(crate) fn given_command(given: &Given) -> Option<String> {
    let Some(call) = &given.call else {
        return command(&given.input);
    };
    // Standard input and environment as for a program, and the call in its place.
    let program = InputRecord {
        args: vec![b"f".to_vec()],
        ..given.input.clone()
    };
    let before = command(&program)?;
    let before = before.strip_suffix('f').unwrap_or_default();
    Some(format!("{before}{call}"))
}

/// An input that shows something, as one types it, if that is short.
pub(crate) fn as_for(given: &Given) -> String {
    match given_command(given) {
        Some(command) => format!(", as for `{command}`"),
        None => String::new(),
    }
}

/// The input as one would type it, in lines.
pub(crate) fn typed_input(given: &Given, working_folder: &str) -> String {
    let input = &given.input;
    let Some(command) = given_command(given) else {
        let lines = input_as_typed(input);
        let lines = lines.lines().map(|line| format!("{}\n", line.trim_start()));
        return lines.collect();
    };
    let mut text = format!("input: {command}\n");
    for (path, content) in &input.files {
        let name = in_folder(working_folder, path);
        text += &format!("file {}: {}\n", excerpt::name(name), shell_word(content));
    }
    // Those of a function are its arguments.
    for (name, value) in input.variables.iter().filter(|_| given.call.is_none()) {
        text += &format!("{name}: {}\n", number_or_bytes(value));
    }
    text
}

/// A path as one writes it in a folder.
pub(crate) fn in_folder<'p>(folder: &str, path: &'p str) -> &'p str {
    let inside = path.strip_prefix(folder);
    let inside = inside.and_then(|rest| rest.strip_prefix('/'));
    inside.unwrap_or(path)
}

/// For machines, with the call of a function.
pub(crate) fn json_given(given: &Given) -> Value {
    let mut value = json_input(&given.input);
    if let Some(call) = &given.call {
        value["call"] = calls::json_call(call);
    }
    value
}

/// Bytes as a format of `printf` in single quotes.
fn printf(bytes: &[u8]) -> String {
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

    #[test]
    fn standard_input_is_piped_as_a_shell_does() {
        let odd: Vec<u8> = (0..=255).collect();
        for bytes in [&b"a b\n"[..], b"-n a", b"100% 'sure'\\n\t", &odd] {
            let script = format!("printf '{}'", printf(bytes));
            let output = std::process::Command::new("sh")
                .args(["-c", &script])
                .output();
            assert_eq!(output.unwrap().stdout, bytes, "{script}");
        }
    }
}
