//! `reproduce.sh`: shows a difference with plain tools, from any folder.
//!
//! The script lies beside the two tests and the two native executables. It runs both as they were run here
//! (name, arguments, environment, standard input, files), prints what each did, and then a diff.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use harness::RawFile;
use native::confirmation::Natively;
use native::outside::Outside;
use native::process::{Symbolize, sanitizer_settings};
use native::test_case::TestCase;

use crate::error::{Result, Trying};

/// The script's name in the folder of a difference.
pub(crate) const SCRIPT: &str = "reproduce.sh";

pub(crate) fn write(
    natively: &mut Natively<'_>,
    tests: [&TestCase; 2],
    folder: &Path,
    raw_files: &[RawFile],
) -> Result<()> {
    let executables = folder.join("bin");
    let fail = || format!("cannot write the script that shows `{}`", folder.display());
    std::fs::create_dir_all(&executables).trying(fail)?;
    let mut sanitized = [false; 2];
    for (version, which) in ["old", "new"].into_iter().enumerate() {
        let undefined = tests[version].expected.as_ref();
        let undefined = undefined.is_some_and(|expected| expected.end.undefined);
        let executable = natively.executable(version, undefined)?;
        sanitized[version] = executable != natively.plain[version];
        natively
            .place(&executable, executables.join(which))
            .trying(fail)?;
    }
    std::fs::write(folder.join(SCRIPT), script(tests, sanitized, raw_files)).trying(fail)
}

/// Bytes as one word of any POSIX shell.
fn word(bytes: &[u8]) -> Vec<u8> {
    let mut word = vec![b'\''];
    for &byte in bytes {
        match byte {
            b'\'' => word.extend(b"'\\''"),
            _ => word.push(byte),
        }
    }
    word.push(b'\'');
    word
}

fn script(tests: [&TestCase; 2], sanitized: [bool; 2], raw_files: &[RawFile]) -> Vec<u8> {
    // Both have the same input.
    let test = tests[1];
    let mut environment = Vec::new();
    if !test.variables.is_empty() {
        environment.extend(b"PARALLAX_VARIABLES=\"$here/new/variables\" ");
    }
    let settings = match sanitized {
        [false, false] => Vec::new(),
        _ => sanitizer_settings(Symbolize::Yes),
    };
    let builds = ["old", "new"].into_iter().zip(sanitized);
    let builds = builds.map(|(version, sanitized)| match sanitized {
        true => format!("{version}_build=' (built with sanitizers)'\n"),
        false => format!("{version}_build=\n"),
    });
    let builds: String = builds.collect();
    let settings = settings.iter();
    let settings = settings.map(|(name, value)| (name.as_bytes(), value.as_bytes()));
    let own = test.environment.iter();
    let own = own.map(|(name, value)| (name.as_bytes(), value.as_slice()));
    for (name, value) in own.chain(settings) {
        environment.extend(word(&[name, b"=", value].concat()));
        environment.push(b' ');
    }
    // Only bash can start a program under another name, and with nothing at all in its environment.
    let empty: &[u8] = if environment.is_empty() { b"-c " } else { b"" };
    let name = word(test.program.as_deref().unwrap_or(b"program"));
    let arguments = test.args.iter().map(|argument| word(argument));
    let arguments = arguments.collect::<Vec<_>>().join(&b' ');
    let mut readable = Vec::new();
    for file in raw_files {
        let what = file.observed.to_string();
        let words = [&file.name, file.format, &what].map(|text| word(text.as_bytes()));
        readable.extend([&b"    raw "[..], &words.join(&b' '), b"\n"].concat());
    }
    if readable.is_empty() {
        readable.extend(b"    :\n");
    }
    let warning = warning(tests);
    let parts: [&[u8]; 20] = [
        HEAD.as_bytes(),
        warning.as_bytes(),
        builds.as_bytes(),
        START.as_bytes(),
        b"    if command -v bash >/dev/null; then\n        $limit env -i -- ",
        &environment,
        b"bash -c 'exec ",
        empty,
        b"-a \"$0\" \"$@\"' ",
        &name,
        b" \"$@\"\n    else\n        $limit env -i -- ",
        &environment,
        b"\"$@\"\n    fi\n",
        RAW.as_bytes(),
        &readable,
        b"}\n",
        MIDDLE.as_bytes(),
        &arguments,
        b"\nshow new ",
        &arguments,
    ];
    let mut script = parts.concat();
    script.extend(END.as_bytes());
    script
}

/// A warning, if a version leaves its folder.
fn warning(tests: [&TestCase; 2]) -> String {
    let outside = tests.map(|test| {
        let expected = test.expected.as_ref();
        expected.map_or_else(Outside::default, |expected| expected.outside.clone())
    });
    let lines = outside[0].both(&outside[1]).warning();
    lines.iter().map(|line| format!("# {line}\n")).collect()
}

const HEAD: &str = r#"#!/bin/sh
# Runs the old and the new version on one input, and shows what they do differently.
# Exit status: 1 if they differ, 0 if not, 2 if something is in the way.
# Parallax has run them in a sandbox; this script runs them with all of your rights, as if you had started them yourself.
here=$(cd "$(dirname "$0")" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
umask 022
ulimit -c 0
ulimit -f 131072
limit=
if command -v timeout >/dev/null; then limit='timeout 5'; fi
# A version whose behaviour is undefined is run in a build that reports it.
"#;

const START: &str = r#"
# A program with its arguments, in the surroundings of the test.
start() {
"#;

const RAW: &str = r#"}

# A file of raw values, how `od` reads it, and what it is: puts text in its place.
raw() {
    file=$work/$version/files/$1
    [ -f "$file" ] || return 0
    od -An -v -t "$2" "$file" >"$file.txt" || exit 2
    rm "$file"
    echo "== $version, $3:$(tr -s ' \n' ' ' <"$file.txt")"
}

readable() {
"#;

const MIDDLE: &str = r#"
# A version and the arguments: runs it and prints what it did.
show() {
    version=$1
    shift
    mkdir -p "$work/$version/files" || exit 2
    if [ -d "$here/$version/files" ]; then
        cp -R "$here/$version/files/." "$work/$version/files" || exit 2
    fi
    input=/dev/null
    if [ -f "$here/$version/stdin" ]; then input=$here/$version/stdin; fi
    (
        cd "$work/$version/files" || exit 2
        cat "$input" | start "$here/bin/$version" "$@" >../stdout 2>../stderr
        status=$?
        case $status in
        124) echo 'still running after 5 s' >../end ;;
        *) echo "exit status $status" >../end ;;
        esac
        find . -type f | LC_ALL=C sort | while IFS= read -r file; do
            echo "$(ls -ld "$file" | cut -c1-10) $file"
        done >../modes
    ) 2>/dev/null
    case $version in
    old) build=$old_build ;;
    *) build=$new_build ;;
    esac
    echo "== $version$build: $(cat "$work/$version/end")"
    cat "$work/$version/stdout"
    if [ -s "$work/$version/stderr" ]; then
        echo "== $version, standard error:"
        cat "$work/$version/stderr"
    fi
    readable
}

show old "#;

const END: &str = r#"

echo '== what differs:'
cd "$work" && diff -r -a -u old new
"#;
