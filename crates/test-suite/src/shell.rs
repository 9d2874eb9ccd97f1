//! Bytes in a POSIX shell, and the body of a test that `sh` and bats share.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use report::posix::format_of;

use crate::case::Case;

/// Bytes as a format of `printf`, in single quotes.
pub(crate) fn printf(bytes: &[u8]) -> String {
    format!("'{}'", format_of(bytes))
}

fn is_printable(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| (b' '..=b'~').contains(byte))
}

/// A word, if no byte of it needs an escape.
fn word(bytes: &[u8]) -> Option<String> {
    let is_bare = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./:,+@".contains(byte);
    if !bytes.is_empty() && bytes.iter().all(is_bare) {
        return Some(String::from_utf8_lossy(bytes).into_owned());
    }
    let quoted = String::from_utf8_lossy(bytes).replace('\'', "'\\''");
    is_printable(bytes).then(|| format!("'{quoted}'"))
}

/// Words of a command, and the lines before it that they need.
struct Words {
    before: Vec<String>,
    words: Vec<String>,
}

fn words(prefix: &str, all: impl Iterator<Item = Vec<u8>>) -> Words {
    let mut found = Words {
        before: Vec::new(),
        words: Vec::new(),
    };
    for bytes in all {
        found.words.push(word(&bytes).unwrap_or_else(|| {
            let name = format!("{prefix}{}", found.before.len() + 1);
            // A command's output loses its last line ends: the point keeps them.
            let format = printf(&[&bytes[..], b"."].concat());
            found
                .before
                .push(format!("{name}=$(printf {format}); {name}=${{{name}%.}}"));
            format!("\"${name}\"")
        }));
    }
    found
}

/// A large content is written in pieces, so that lines stay readable.
const PIECE: usize = 2_000;

/// A command that writes bytes.
fn written(bytes: &[u8]) -> String {
    match bytes.len() {
        0 => ":".to_owned(),
        1..=PIECE => format!("printf {}", printf(bytes)),
        _ => {
            let pieces: Vec<String> = bytes
                .chunks(PIECE)
                .map(|piece| format!("printf {}", printf(piece)))
                .collect();
            format!("{{ {}; }}", pieces.join("; "))
        }
    }
}

fn path(path: &Path) -> String {
    let bytes = path.as_os_str().as_bytes();
    let bytes = if bytes.starts_with(b"-") {
        [b"./", bytes].concat()
    } else {
        bytes.to_vec()
    };
    word(&bytes).unwrap_or_else(|| format!("\"$(printf {})\"", printf(&bytes)))
}

/// The name that the program must have, if what it puts out has it.
fn named(case: &Case) -> Option<&[u8]> {
    let name = &case.program[..];
    let shows =
        |bytes: &[u8]| !name.is_empty() && bytes.windows(name.len()).any(|part| part == name);
    let is_inside =
        !name.starts_with(b"/") && !name.split(|&byte| byte == b'/').any(|part| part == b"..");
    let expected = &case.expected;
    (is_inside && is_printable(name) && (shows(&expected.stdout) || shows(&expected.stderr)))
        .then_some(name)
}

/// The lines of a test, with the name of the function that runs the program. Each ends the test if it fails.
pub(crate) fn body(case: &Case, run: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, content) in &case.files {
        if let Some(folder) = name.parent().filter(|folder| *folder != Path::new("")) {
            lines.push(format!("mkdir -p {}", path(folder)));
        }
        lines.push(format!("{} >{}", written(content), path(name)));
    }
    let environment = case.environment.iter();
    let environment = words(
        "variable",
        environment.map(|(name, value)| [name.as_bytes(), b"=", value].concat()),
    );
    let arguments = words("argument", case.arguments.iter().cloned());
    let own = environment.words;
    lines.extend(environment.before);
    lines.extend(arguments.before);
    let mut command = match named(case).and_then(word) {
        Some(name) => format!("{run}_as {name}"),
        None => run.to_owned(),
    };
    for word in own
        .iter()
        .map(String::as_str)
        .chain(["--"])
        .chain(arguments.words.iter().map(String::as_str))
    {
        command += &format!(" {word}");
    }
    lines.push(match case.stdin.is_empty() {
        true => format!("{command} </dev/null"),
        false => format!(
            "{} >\"$scratch/stdin\" && {command} <\"$scratch/stdin\"",
            written(&case.stdin)
        ),
    });
    let expected = &case.expected;
    lines.push(format!("expect_status {}", expected.status));
    lines.push(format!("{} | expect_stdout", written(&expected.stdout)));
    lines.push(format!("{} | expect_stderr", written(&expected.stderr)));
    for (name, content) in &expected.files {
        lines.push(format!("{} | expect_file {}", written(content), path(name)));
    }
    lines
}

/// What the bodies use. `scratch` is a folder for the test, beside the folder that it runs in.
pub(crate) const HELPERS: &str = r##"# [VARIABLE=VALUE...] -- [ARGUMENT...]: runs the program with these variables alone.
run() {
    launcher=
    run_with "$program" "$@"
}

# NAME and the same: runs it under this name, which a shell finds in this folder.
run_as() {
    launcher='unset PWD OLDPWD; PATH=.; exec "$0" "$@"'
    mkdir -p "$(dirname -- "$1")" && ln -s -- "$program" "$1" || return 1
    run_with "$@"
}

run_with() {
    executable=$1
    shift
    variables=0
    for word in "$@"; do
        if [ "$word" = -- ]; then break; fi
        variables=$((variables + 1))
    done
    # The variables go to `env`, and what follows `--` to the program.
    count=$#
    position=0
    while [ "$position" -lt "$count" ]; do
        word=$1
        shift
        if [ "$position" -ne "$variables" ]; then
            set -- "$@" "$word"
        elif [ -n "$launcher" ]; then
            set -- "$@" /bin/sh -c "$launcher" "$executable"
        else
            set -- "$@" "$executable"
        fi
        position=$((position + 1))
    done
    status=0
    $limit env -i -- "$@" >"$scratch/stdout" 2>"$scratch/stderr" || status=$?
}

expect_status() {
    [ "$status" -eq "$1" ] && return
    echo "# exit status: expected $1, got $status"
    return 1
}

# What is expected is read from standard input.
expect_same() {
    cat >"$scratch/expected"
    cmp -s "$scratch/expected" "$2" && return
    echo "# $1 differs:"
    diff -a -u "$scratch/expected" "$2" | sed -e 1,2d -e 's/^/# /'
    return 1
}

expect_stdout() { expect_same 'standard output' "$scratch/stdout"; }
expect_stderr() { expect_same 'standard error' "$scratch/stderr"; }
expect_file() { expect_same "file $1" "$1"; }
"##;

#[cfg(test)]
mod tests {
    use std::process::Command;

    use proptest::prelude::*;

    use super::*;

    fn shell(script: &str) -> Vec<u8> {
        Command::new("sh")
            .args(["-c", script])
            .env("LC_ALL", "C")
            .output()
            .unwrap()
            .stdout
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// Bytes come out of a shell as they were.
        #[test]
        fn bytes_survive(bytes in prop::collection::vec(1u8.., 0..40)) {
            let one = words("word", std::iter::once(bytes.clone()));
            let script = format!("{}\nprintf %s {}", one.before.join("\n"), one.words[0]);
            prop_assert_eq!(shell(&script), bytes.clone(), "{}", script);
            let zeros = [&bytes[..], b"\0\n\n"].concat();
            prop_assert_eq!(shell(&written(&zeros)), zeros);
        }
    }
}
