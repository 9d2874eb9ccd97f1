//! Tests for pytest.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::case::Case;

const HEAD: &str = r#"# Run with: PROGRAM=path/to/program python3 -m pytest FILE
# Each test runs the program in a folder of its own, with all of your rights.
import os
import subprocess

PROGRAM = os.path.abspath(os.environ.get("PROGRAM", "program"))


def run(folder, name, *arguments, stdin=b"", environment=None, files=None):
    """Runs the program under a name, in a folder with these files."""
    for path, content in (files or {}).items():
        path = os.path.join(os.fsencode(folder), path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
    return subprocess.run(
        [name, *arguments],
        executable=PROGRAM,
        cwd=folder,
        env=environment or {},
        input=stdin,
        capture_output=True,
        timeout=10,
        preexec_fn=lambda: os.umask(0o022),
    )


def content(folder, path):
    with open(os.path.join(os.fsencode(folder), path), "rb") as file:
        return file.read()
"#;

/// Bytes of Python.
fn literal(bytes: &[u8]) -> String {
    let mut text = String::from("b\"");
    for &byte in bytes {
        match byte {
            b'\n' => text += "\\n",
            b'\t' => text += "\\t",
            b'\\' => text += "\\\\",
            b'"' => text += "\\\"",
            b' '..=b'~' => text.push(byte as char),
            _ => text += &format!("\\x{byte:02x}"),
        }
    }
    text + "\""
}

fn path(path: &Path) -> String {
    literal(path.as_os_str().as_bytes())
}

pub(crate) fn text(cases: &[Case]) -> String {
    let mut text = HEAD.to_owned();
    for case in cases {
        text += &format!("\n\ndef test_{}(tmp_path):\n", case.name);
        text.extend(case.comment.iter().map(|line| format!("    # {line}\n")));
        let words = std::iter::once(&case.program).chain(&case.arguments);
        let mut given: Vec<String> = words.map(|word| literal(word)).collect();
        if !case.stdin.is_empty() {
            given.push(format!("stdin={}", literal(&case.stdin)));
        }
        if !case.environment.is_empty() {
            let pairs = case.environment.iter();
            let pairs: Vec<String> = pairs
                .map(|(name, value)| format!("{}: {}", literal(name.as_bytes()), literal(value)))
                .collect();
            given.push(format!("environment={{{}}}", pairs.join(", ")));
        }
        if !case.files.is_empty() {
            let pairs = case.files.iter();
            let pairs: Vec<String> = pairs
                .map(|(name, content)| format!("{}: {}", path(name), literal(content)))
                .collect();
            given.push(format!("files={{{}}}", pairs.join(", ")));
        }
        text += &format!("    done = run(tmp_path, {})\n", given.join(", "));
        let expected = &case.expected;
        let status = match expected.is_signal {
            true => 128 - expected.status,
            false => expected.status,
        };
        text += &format!("    assert done.returncode == {status}\n");
        text += &format!("    assert done.stdout == {}\n", literal(&expected.stdout));
        text += &format!("    assert done.stderr == {}\n", literal(&expected.stderr));
        for (name, content) in &expected.files {
            text += &format!(
                "    assert content(tmp_path, {}) == {}\n",
                path(name),
                literal(content)
            );
        }
    }
    text
}
