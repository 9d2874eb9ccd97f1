//! Edits of real files of coreutils, Lua and zlib, made by tools and by rule: `make test-real`.
//!
//! Behaviour-neutral ones give an empty change set; edits outside function bodies give one that points at
//! functions which depend on them. Each test prints a table. Line numbers (`__LINE__`, `assert`) are not
//! compared, as in `parallax diff`. The text of a condition that `assert` puts into the program is: an edit
//! inside one does change what a failed assertion prints, and is no false positive.

#[path = "suite/c_source/mod.rs"]
mod c_source;

use c_source::compile_file_with;
use c_source::tokens::{laid_out, tokens};
use program_ir::Module;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use version_diff::{ChangeSet, diff};

/// Project, its folder of sources, file.
const FILES: [(&str, &str, &str); 12] = [
    ("coreutils", "src", "cut.c"),
    ("coreutils", "src", "tr.c"),
    ("coreutils", "src", "wc.c"),
    ("coreutils", "src", "uniq.c"),
    ("lua", "src", "lstrlib.c"),
    ("lua", "src", "ltable.c"),
    ("lua", "src", "lparser.c"),
    ("lua", "src", "lcode.c"),
    ("zlib", "", "deflate.c"),
    ("zlib", "", "inflate.c"),
    ("zlib", "", "trees.c"),
    ("zlib", "", "gzread.c"),
];

struct Real {
    name: String,
    text: String,
    arguments: Vec<String>,
}

fn real_files() -> Vec<Real> {
    let cache = std::env::var_os("PARALLAX_CACHE").map(PathBuf::from);
    let home = PathBuf::from(std::env::var_os("HOME").expect("a home folder"));
    let cache = cache
        .unwrap_or_else(|| home.join(".cache/parallax"))
        .join("real");
    let file = |&(project, folder, file): &(&str, &str, &str)| {
        let sources = cache.join(project).join(folder);
        let text = std::fs::read(sources.join(file)).unwrap_or_else(|error| {
            let path = sources.join(file);
            panic!("{}: {error}; run scripts/build-real.sh", path.display())
        });
        let include = |folder: &Path| format!("-I{}", folder.display());
        let mut arguments = vec![include(&sources)];
        if project == "coreutils" {
            arguments.push(include(&cache.join("coreutils/lib")));
            arguments.push(include(&cache.join("coreutils")));
        }
        Real {
            name: file.to_owned(),
            text: String::from_utf8(text).expect("UTF-8"),
            arguments,
        }
    };
    FILES.iter().map(file).collect()
}

impl Real {
    fn compile(&self, text: &str) -> Result<Module, String> {
        self.compile_with(text, &[])
    }

    fn compile_with(&self, text: &str, more: &[String]) -> Result<Module, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(&self.name);
        std::fs::write(&path, text).expect("a written source");
        compile_file_with(&path, &[&self.arguments, more].concat())
    }

    /// Whether two texts are the same but for assertions.
    fn differ_in_assertions(&self, text: &str) -> bool {
        let without = |text| {
            let module = self.compile_with(text, &["-DNDEBUG".to_owned()]);
            module.expect("it compiles without assertions")
        };
        diff(&without(&self.text), &without(text)).is_empty()
    }
}

type Edit = fn(&Real, &Module) -> Option<String>;

const NEUTRAL: [(&str, Edit); 13] = [
    ("clang-format, LLVM", |real, _| formatted(real, "LLVM")),
    ("clang-format, Google", |real, _| formatted(real, "Google")),
    ("clang-format, Mozilla", |real, _| {
        formatted(real, "Mozilla")
    }),
    ("clang-format, WebKit", |real, _| formatted(real, "WebKit")),
    ("clang-format, GNU", |real, _| formatted(real, "GNU")),
    ("comments stripped", |real, _| {
        Some(without_comments(&real.text))
    }),
    ("comments inserted", |real, _| {
        let text = laid_out(&without_comments(&real.text), " /* note */ ");
        Some(text)
    }),
    ("a token on each line", |real, _| {
        Some(laid_out(&without_comments(&real.text), "\n"))
    }),
    ("a long header comment", |real, _| {
        Some(format!("/*{}*/\n{}", "words\n".repeat(300), real.text))
    }),
    ("renamed locals", renamed_locals),
    ("functions in another order", |real, module| {
        swapped_functions(&real.text, module)
    }),
    ("includes in another order", |real, _| {
        swapped_includes(&real.text)
    }),
    ("split declarations", |real, _| {
        split_declarations(&real.text)
    }),
];

#[test]
fn neutral_edits_are_no_change() {
    let mut wrong = Vec::new();
    let mut edits = 0;
    let mut table: BTreeMap<&str, Row> = BTreeMap::new();
    for real in real_files() {
        let old = real.compile(&real.text).expect("the file compiles");
        for (what, edit) in NEUTRAL {
            let row = table.entry(what).or_default();
            let Some(text) = edit(&real, &old).filter(|text| *text != real.text) else {
                continue;
            };
            let new = match real.compile(&text) {
                Ok(new) => new,
                Err(message) => {
                    row.broken.push(real.name.clone());
                    eprintln!(
                        "{what} of {}: {}",
                        real.name,
                        message.lines().next().unwrap_or("")
                    );
                    continue;
                }
            };
            edits += 1;
            row.files += 1;
            let changes = diff(&old, &new);
            if changes.is_empty() && changes.removed_functions.is_empty() {
                row.same += 1;
            } else if real.differ_in_assertions(&text) {
                row.asserting += 1;
            } else {
                let found = describe(&changes, &new);
                wrong.push(format!("{what} of {}: {found}", real.name));
            }
        }
    }
    println!(
        "{:<28} {:>6} {:>10} {:>16}  edit does not compile for",
        "edit", "files", "no change", "assertion texts"
    );
    for (what, row) in &table {
        let broken = row.broken.join(", ");
        let (files, same, asserting) = (row.files, row.same, row.asserting);
        println!("{what:<28} {files:>6} {same:>10} {asserting:>16}  {broken}");
    }
    println!("{edits} neutral edits, {} false positives", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let tried = |row: &Row| row.files >= 3;
    let same: usize = table.values().map(|row| row.same).sum();
    assert!(same >= 100 && table.values().all(tried));
}

#[derive(Default)]
struct Row {
    files: usize,
    same: usize,
    /// Only the texts of assertions differ.
    asserting: usize,
    /// Files for which the edit gives no valid C.
    broken: Vec<String>,
}

fn describe(changes: &ChangeSet, new: &Module) -> String {
    let mut names: Vec<String> = changes
        .functions
        .iter()
        .map(|change| {
            let lines = change.statements.iter().map(|one| (one.old, one.new));
            let name = &new.functions[change.new].name;
            format!("{name} {:?}", lines.collect::<Vec<_>>())
        })
        .collect();
    let globals = changes.globals.iter().filter_map(|change| change.new);
    names.extend(globals.map(|global| new.globals[global].name.clone()));
    let added = changes.added_functions.iter();
    names.extend(added.map(|&func| format!("added {}", new.functions[func].name)));
    names.join(", ")
}

/// Includes stay in their order: that is an edit of its own.
fn formatted(real: &Real, style: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(&real.name);
    std::fs::write(&path, &real.text).expect("a written source");
    let style = format!("--style={{BasedOnStyle: {style}, SortIncludes: Never}}");
    let output = Command::new("clang-format-22")
        .arg(style)
        .arg(&path)
        .output();
    let output = output.expect("clang-format-22 runs; install the Debian package clang-format-22");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

/// Each comment becomes a space; line ends inside it stay, so that directives stay apart.
fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            let length = rest.find("*/").map_or(rest.len(), |at| at + 2);
            out.push(' ');
            out.extend(rest[..length].matches('\n'));
            length
        } else if first == '"' || first == '\'' {
            let bytes = rest.as_bytes();
            let mut at = 1;
            while at < bytes.len() && bytes[at] != first as u8 && bytes[at] != b'\n' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            let end = (at + 1).min(bytes.len());
            out.push_str(&rest[..end]);
            end
        } else {
            out.push(first);
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    out
}

/// Locals whose names stand for nothing else in the file or its headers get other names.
fn renamed_locals(real: &Real, module: &Module) -> Option<String> {
    let text = without_comments(&real.text);
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut before = String::new();
    let mut includes = String::new();
    for token in tokens(&text) {
        if token.starts_with('#') {
            taken.extend(tokens(&token[1..]));
            includes += &format!("{token}\n");
        } else if before == "." || before == "->" {
            taken.insert(token.clone());
        }
        before = token;
    }
    // Names of headers: what the file's directives alone expand to.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("headers.c");
    std::fs::write(&path, &includes).expect("a written source");
    let headers = Command::new("clang-22")
        .args(["-E", "-dD", "-w"])
        .args(&real.arguments)
        .arg(&path)
        .output()
        .expect("clang-22 is installed");
    let headers = String::from_utf8_lossy(&headers.stdout).into_owned();
    taken.extend(
        tokens(&headers)
            .into_iter()
            .flat_map(|token| match token.strip_prefix('#') {
                Some(directive) => tokens(directive),
                None => vec![token],
            }),
    );
    taken.extend(
        module
            .functions
            .values()
            .map(|function| function.name.clone()),
    );
    taken.extend(module.globals.values().map(|global| global.name.clone()));
    let locals: BTreeSet<&str> = module
        .functions
        .values()
        .flat_map(|function| function.variables.values())
        .map(|variable| variable.name.as_str())
        .filter(|name| name.len() > 1 && !taken.contains(*name))
        .collect();
    let mut out = String::new();
    for token in tokens(&text) {
        if token.starts_with('#') {
            out += &format!("\n{token}\n");
        } else if locals.contains(token.as_str()) {
            out += &format!("renamed_{token} ");
        } else {
            out += &format!("{token} ");
        }
    }
    (locals.len() >= 3).then_some(out)
}

/// Neighbouring functions change places where the second does not mention the first.
fn swapped_functions(text: &str, module: &Module) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    // Functions by the lines between the closing braces in the first column.
    let ends: Vec<usize> = (0..lines.len())
        .filter(|&at| lines[at].trim_end() == "}")
        .collect();
    let names: BTreeSet<&str> = module
        .functions
        .values()
        .map(|one| one.name.as_str())
        .collect();
    let plain = |range: std::ops::Range<usize>| {
        let part = without_comments(&lines[range].concat());
        let code = part.trim();
        let header = code.split('{').next().unwrap_or("");
        let opens = code.matches('{').count();
        let is_function = header.contains('(') && !header.contains(['=', ';', '#']);
        let directives = code.lines().any(|line| line.trim_start().starts_with('#'));
        (is_function && !directives && opens == code.matches('}').count()).then(|| {
            let called: BTreeSet<String> = tokens(&part).into_iter().collect();
            let own = tokens(header)
                .into_iter()
                .find(|token| names.contains(token.as_str()));
            (called, own)
        })
    };
    let mut out = String::new();
    let mut swaps = 0;
    let mut from = 0;
    let mut at = 0;
    while at + 2 < ends.len() {
        let (start, middle, end) = (ends[at] + 1, ends[at + 1] + 1, ends[at + 2] + 1);
        if let (Some((_, Some(first))), Some((called, Some(_)))) =
            (plain(start..middle), plain(middle..end))
            && !called.contains(&first)
        {
            out += &lines[from..start].concat();
            out += &lines[middle..end].concat();
            out += &lines[start..middle].concat();
            from = end;
            swaps += 1;
            at += 2;
        } else {
            at += 1;
        }
    }
    out += &lines[from..].concat();
    (swaps > 0).then_some(out)
}

/// System headers in the opposite order.
fn swapped_includes(text: &str) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let is_system = |line: &str| line.starts_with("#include <") && !line.contains("config.h");
    let mut edited = false;
    let mut at = 0;
    while at < lines.len() {
        let end = at
            + lines[at..]
                .iter()
                .take_while(|line| is_system(line))
                .count();
        edited |= end > at + 1;
        lines[at..end].reverse();
        at = end.max(at + 1);
    }
    edited.then(|| lines.join("\n") + "\n")
}

/// `int a, b;` becomes `int a; int b;`.
fn split_declarations(text: &str) -> Option<String> {
    const TYPES: [&str; 9] = [
        "int",
        "unsigned",
        "long",
        "char",
        "size_t",
        "bool",
        "lua_Integer",
        "uInt",
        "ulg",
    ];
    let mut edited = false;
    let split = |line: &str| {
        let code = line.trim();
        let (ty, names) = code.split_once(' ')?;
        let names = names.strip_suffix(';')?;
        let plain = |name: &str| {
            let name = name.trim();
            !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        let several = names.contains(',') && names.split(',').all(plain);
        (TYPES.contains(&ty) && several && line.starts_with(' ')).then(|| {
            let one = |name: &str| format!("{ty} {};", name.trim());
            names.split(',').map(one).collect::<Vec<_>>().join(" ")
        })
    };
    let lines = text.lines().map(|line| match split(line) {
        Some(split) => {
            edited = true;
            split
        }
        None => line.to_owned(),
    });
    let text = lines.collect::<Vec<_>>().join("\n") + "\n";
    edited.then_some(text)
}

/// What an edit outside function bodies is about, and the edited text.
struct Outside {
    what: String,
    name: String,
    text: String,
}

/// Values of macros and enumeration constants, entries of tables and initial values, one edit each.
fn outside_bodies(text: &str) -> Vec<Outside> {
    let mut found = Vec::new();
    let mut depth = 0;
    let mut table: Option<String> = None;
    let code = without_comments(text);
    let lines: Vec<&str> = code.lines().collect();
    let mut edit = |what: &str, name: &str, at: usize, line: String| {
        let mut edited: Vec<&str> = lines.clone();
        edited[at] = &line;
        found.push(Outside {
            what: format!("{what} {name}"),
            name: name.to_owned(),
            text: edited.join("\n") + "\n",
        });
    };
    for (at, &line) in lines.iter().enumerate() {
        let words = tokens(line);
        let directive = line.trim_start().strip_prefix('#');
        if let Some(rest) = directive.and_then(|rest| rest.trim_start().strip_prefix("define")) {
            let words = tokens(rest);
            if let [name, value] = words.as_slice()
                && let Ok(number) = value.parse::<i64>()
            {
                let (head, tail) = line.split_once(name.as_str()).expect("it is there");
                let tail = tail.replacen(value, &(number + 1).to_string(), 1);
                edit("macro", name, at, format!("{head}{name}{tail}"));
            }
            continue;
        }
        if let [name, equals, value, ..] = words.as_slice()
            && equals == "="
            && depth == 1
            && table.is_none()
            && let Ok(number) = value.parse::<i64>()
            && words.get(3).is_none_or(|next| next == ",")
        {
            let edited = line.replacen(&format!("= {value}"), &format!("= {}", number + 1), 1);
            edit("enumeration constant", name, at, edited);
        }
        if depth == 0
            && let Some(bracket) = words.iter().position(|word| word == "[")
            && words.iter().any(|word| word == "=")
            && bracket > 0
            && words[bracket - 1].starts_with(|first: char| first.is_ascii_alphabetic())
        {
            table = Some(words[bracket - 1].clone());
        }
        if let Some(name) = &table
            && depth <= 1
            && let Some(number) = words.iter().rev().find(|word| word.parse::<i64>().is_ok())
            && words.iter().any(|word| word == ",")
            && !words.iter().any(|word| word == "[")
            && line.matches(number.as_str()).count() == 1
        {
            let value: i64 = number.parse().expect("a number");
            let edited = line.replacen(number.as_str(), &(value + 1).to_string(), 1);
            edit("entry of", &name.clone(), at, edited);
            table = None;
        }
        for word in &words {
            match word.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                ";" if depth == 0 => table = None,
                _ => {}
            }
        }
    }
    found
}

#[test]
fn edits_outside_bodies_point_at_functions() {
    let (mut edits, mut missed) = (0, Vec::new());
    println!("{:<12} {:<36} affected functions", "file", "edit");
    for real in real_files() {
        let old = real.compile(&real.text).expect("the file compiles");
        let code = without_comments(&real.text);
        for outside in outside_bodies(&real.text) {
            // One that nothing else in the file mentions is no change of it, or one of its headers'.
            let mentions = tokens(&code)
                .iter()
                .filter(|token| **token == outside.name)
                .count();
            // The definition of a macro is in a directive, which is not among the tokens.
            let definitions = usize::from(!outside.what.starts_with("macro"));
            if mentions <= definitions {
                continue;
            }
            let Ok(new) = real.compile(&outside.text) else {
                continue;
            };
            let changes = diff(&old, &new);
            let affected: BTreeSet<&str> = changes
                .affected_functions()
                .iter()
                .map(|&func| new.functions[func].name.as_str())
                .collect();
            if !affected.is_empty() {
                edits += 1;
                let names = affected.iter().copied().collect::<Vec<_>>().join(", ");
                println!("{:<12} {:<36} {names}", real.name, outside.what);
            } else if is_used(&real, &outside) {
                missed.push(format!("{} {}", real.name, outside.what));
            }
        }
    }
    println!("{edits} edits outside bodies, {} missed", missed.len());
    assert!(missed.is_empty(), "{missed:?}");
    assert!(edits >= 20, "{edits}");
}

/// Whether the preprocessed code behind the headers says something else: an edit of a macro that only a
/// branch of `#if` that is not taken mentions is no change.
fn is_used(real: &Real, outside: &Outside) -> bool {
    let preprocessed = |text: &str| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(&real.name);
        std::fs::write(&path, text).expect("a written source");
        let output = Command::new("clang-22")
            .args(["-E", "-P", "-w"])
            .args(&real.arguments)
            .arg(&path)
            .output();
        output.expect("clang-22 is installed").stdout
    };
    preprocessed(&without_comments(&real.text)) != preprocessed(&outside.text)
}
