//! Inputs in words and for machines.

use std::collections::BTreeMap;
use std::path::Path;

use compare::given::Given;
use exploration::InputRecord;
use native::test_case::shell_word;
use serde_json::{Value, json};

use crate::posix::{assignment, format_of, from_elsewhere, with_newline, word};
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
        let piped = format_of(&input.stdin);
        if piped.len() > MOST_PIPED {
            return None;
        }
        text += &format!("printf '{piped}' | ");
    }
    for (name, value) in &input.environment {
        text += &assignment(name, value);
    }
    let words: Vec<String> = input.args.iter().map(|arg| word(arg)).collect();
    Some(with_newline(text + &words.join(" ")))
}

/// A command that runs the new version on an input, from the folder in which the check was started. The files of the test beside the native
/// program are what is too long to be typed.
fn pasteable(input: &InputRecord, working_folder: &str, example: &Path) -> Option<String> {
    use std::os::unix::ffi::OsStrExt;
    let (program, test) = (example.join("bin/new"), example.join("new"));
    let is_inside = |path: &String| in_folder(working_folder, path) != path;
    if !input.files.keys().all(is_inside) {
        return None;
    }
    let has_files = !input.files.is_empty();
    let place = |path: &Path| match has_files {
        true => from_elsewhere(path),
        false => word(path.as_os_str().as_bytes()),
    };
    let mut text = String::new();
    let piped = format_of(&input.stdin);
    let is_piped = !piped.is_empty() && piped.len() <= MOST_PIPED;
    if is_piped {
        text += &format!("printf '{piped}' | ");
    }
    for (name, value) in &input.environment {
        text += &assignment(name, value);
    }
    if !input.variables.is_empty() {
        text += &format!("PARALLAX_VARIABLES={} ", place(&test.join("variables")));
    }
    text += &place(&program);
    for argument in input.args.iter().skip(1) {
        text += " ";
        text += &word(argument);
    }
    if !input.stdin.is_empty() && !is_piped {
        text += &format!(" <{}", place(&test.join("stdin")));
    } else if input.stdin.is_empty() {
        text += " </dev/null";
    }
    if has_files {
        let files = place(&test.join("files"));
        text = format!("here=$PWD; (cd \"$(mktemp -d)\" && cp -R {files}/. . && {text})");
    }
    Some(with_newline(text))
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

/// The input as one would type it, in lines. If native programs that show something on it are left behind in a folder, it runs the new one.
pub(crate) fn typed_input(given: &Given, working_folder: &str, example: Option<&Path>) -> String {
    let input = &given.input;
    let example = example.filter(|_| given.call.is_none());
    let command = example.and_then(|example| pasteable(input, working_folder, example));
    let Some(command) = command.or_else(|| given_command(given)) else {
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
