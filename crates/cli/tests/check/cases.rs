//! Small pairs of versions, each with the command as one would type it and what is true: `tests/cases/NAME`.
//!
//! `cmd` is run in a copy of the folder, with [`TIMEOUT`] for each check. `truth` says in words what is true, and `expect.toml` what of
//! that the output must show: the headline's first words, the exit status, texts that must be said and texts that must not.
//!
//! Cases that do not come out right yet are in [`OPEN`] with the reason. Such a case must not become worse, and the
//! test fails when it comes out right: the list only shrinks.

use crate::support::{Bench, Said, parallax};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// For each check; most need a second.
const TIMEOUT: &str = "parallax check --timeout 20s";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// The first words of the headline; any of them.
    headline: Vec<String>,
    status: i32,
    /// Texts that must be in the headline.
    #[serde(default)]
    headline_says: Vec<String>,
    /// A report that nobody reads to its end is no answer.
    most_lines: Option<usize>,
    #[serde(default)]
    says: Vec<String>,
    #[serde(default)]
    never_says: Vec<String>,
}

/// A case that does not come out right yet. Until then its headline must not be `equivalent`.
struct Open {
    name: &'static str,
    why: &'static str,
}

const fn open(name: &'static str, why: &'static str) -> Open {
    Open { name, why }
}

const OPEN: &[Open] = &[
    open(
        "functions-first-use",
        "its command is a description; `first_use.rs` goes through its functions",
    ),
    open(
        "undefined-inner-array",
        "an index beyond an inner array is not noticed",
    ),
];

macro_rules! cases {
    ($($name:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                check(&stringify!($name).replace('_', "-"));
            }
        )*
    };
}

cases! {
    assume_assigns
    assume_nothing
    assume_other_constant
    big_local
    change_behind_settings
    change_never_called
    change_not_executed
    change_partly_executed
    csv_refactoring
    dangling_pointer
    deep_recursion
    false_undefined
    file_mode
    fix_for_third_argument
    function_address_in_integer
    function_alias_of_const
    function_array_grows
    function_array_of_texts
    function_array_parameter_grows
    function_callback_answers_struct
    function_callback_sees_memory
    function_callback_variadic
    function_continues_strtok
    function_first_value_changes
    function_global_first_value
    function_hidden_pointer
    function_joins_streams
    function_large_variable
    function_leaves_file_open
    function_length_of_both
    function_list_in_member
    function_marker_pointers
    function_moves_in_file
    function_own_strcmp
    function_own_write
    function_padding
    function_reads_on
    function_seeds_random
    function_sets_environment
    function_sets_handler
    function_sets_mask
    function_static_by_pointer
    function_statics_of_one_name
    function_table_mutable
    function_text_in_block
    function_union_grows
    function_union_with_number
    function_unnamed_members
    functions_first_use
    header_constants
    labels_as_values
    labels_share
    long_option
    malloc_of_any_size
    missing_etc_file
    nan_payload
    own_strlen
    panic_struct_parameter
    pointer_in_global
    realloc_zero
    rust_refactoring
    section_init_array
    standard_input_is_a_pipe
    undefined_bool
    undefined_conversion
    undefined_inner_array
    vacuous_all_undefined
    vacuous_some_undefined
    working_folder
}

#[test]
fn every_folder_is_a_case() {
    let folders = std::fs::read_dir(folder()).expect("the cases are there");
    let folders: BTreeSet<String> = folders
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let names: BTreeSet<String> = NAMES.iter().map(|name| name.replace('_', "-")).collect();
    assert_eq!(folders, names);
    for open in OPEN {
        assert!(names.contains(open.name), "{} is no case", open.name);
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases")
}

fn check(name: &str) {
    let source = folder().join(name);
    let read = |file: &str| {
        std::fs::read_to_string(source.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    };
    let expected: Expected = toml::from_str(&read("expect.toml")).expect("what is expected");
    let bench = Bench::new();
    copy(&source, &bench.folder());
    let command = read("cmd").replace("parallax check", TIMEOUT);
    let tools = parallax().parent().expect("it is in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let said = crate::support::said(
        bench
            .command("sh")
            .args(["-c", &command])
            .env("PATH", format!("{}:{path}", tools.display())),
    );
    let wrong = expected.unlike(&said);
    let headline = headline(&said);
    match OPEN.iter().find(|open| open.name == name) {
        None => assert!(
            wrong.is_empty(),
            "{name}: {wrong:?}\n{}{}",
            said.stdout,
            said.stderr
        ),
        Some(Open { why, .. }) if wrong.is_empty() => {
            panic!("{name} comes out right now: take it off the list (it was there because {why})")
        }
        Some(_) => assert!(
            !headline.starts_with("equivalent"),
            "{name} is wrongly called equivalent:\n{}",
            said.stdout
        ),
    }
}

impl Expected {
    /// What is not as it should be.
    fn unlike(&self, said: &Said) -> Vec<String> {
        let mut wrong = Vec::new();
        let headline = headline(said);
        if !self
            .headline
            .iter()
            .any(|words| headline.starts_with(words))
        {
            wrong.push(format!("the headline is `{headline}`"));
        }
        let missing = self
            .headline_says
            .iter()
            .filter(|text| !headline.contains(*text));
        wrong.extend(missing.map(|text| format!("`{text}` is not in the headline")));
        let lines = said.stdout.lines().count();
        if self.most_lines.is_some_and(|most| lines > most) {
            wrong.push(format!("the report has {lines} lines"));
        }
        if said.status != self.status {
            wrong.push(format!("the exit status is {}", said.status));
        }
        let all = format!("{}{}", said.stdout, said.stderr);
        let missing = self.says.iter().filter(|text| !all.contains(*text));
        wrong.extend(missing.map(|text| format!("`{text}` is not said")));
        let said_too = self.never_says.iter().filter(|text| all.contains(*text));
        wrong.extend(said_too.map(|text| format!("`{text}` is said")));
        wrong
    }
}

/// The first line of a report or an error, without what other programs said before it.
fn headline(said: &Said) -> &str {
    const FIRST_WORDS: [&str; 5] = [
        "equivalent",
        "different",
        "undecided",
        "not exercised",
        "nothing to compare",
    ];
    let is_headline = |line: &&str| FIRST_WORDS.iter().any(|word| line.starts_with(word));
    let mut lines = said.stdout.lines().chain(said.stderr.lines());
    let error = |line: &&str| line.starts_with("parallax: error");
    lines
        .clone()
        .find(is_headline)
        .or_else(|| lines.find(error))
        .unwrap_or_default()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from)
        .expect("a readable folder")
        .flatten()
    {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &target),
            false => {
                std::fs::copy(entry.path(), target).expect("a copied file");
            }
        }
    }
}
