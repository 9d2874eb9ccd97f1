//! Files that came with a stranger's repository: a folder `.parallax` with links, damaged journals and cache entries, strange tests, and a
//! project file that asks for too much. Each leads to a message, and nothing outside changes.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Bench, Said};

const OLD: &str = "#include <stdio.h>\nint main(void) { return getchar() == 'x'; }\n";
const NEW: &str = "#include <stdio.h>\nint main(void) { return getchar() == 'y'; }\n";

/// A bench with two versions, and a folder that nothing may change.
struct Repository {
    bench: Bench,
    outside: PathBuf,
}

impl Repository {
    fn new() -> Repository {
        let bench = Bench::new();
        bench.write("old.c", OLD);
        bench.write("new.c", NEW);
        let outside = bench.folder().with_file_name("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("file"), "content\n").unwrap();
        Repository { bench, outside }
    }

    fn check(&self, more: &[&str]) -> Said {
        let words = ["check", "old.c", "new.c", "--sym-stdin", "1"];
        self.bench.parallax(&[&words[..], more].concat())
    }

    fn replay(&self) -> Said {
        self.bench
            .parallax(&["replay", "new.c", "--tests", "tests", "--timeout", "5s"])
    }

    /// A test whose files are then made strange.
    fn write_test(&self) {
        let end = r#"{"kind": "exit", "shell_status": 0, "description": "exit with status 0", "undefined": false}"#;
        for (name, text) in [
            ("argv", ""),
            ("stdin", "x"),
            ("files/given", "given"),
            ("expected.json", end),
        ] {
            self.bench.write(&format!("tests/one/{name}"), text);
        }
    }

    fn assert_outside_unchanged(&self) {
        let names: Vec<_> = fs::read_dir(&self.outside)
            .unwrap()
            .flatten()
            .map(|entry| entry.file_name())
            .collect();
        assert_eq!(names, ["file"]);
        assert_eq!(
            fs::read_to_string(self.outside.join("file")).unwrap(),
            "content\n"
        );
    }
}

fn assert_refused(said: &Said, words: &str) {
    assert_eq!(said.status, 2, "{}{}", said.stdout, said.stderr);
    assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
    assert_eq!(
        said.stderr.matches("parallax: error:").count(),
        1,
        "{}",
        said.stderr
    );
}

#[test]
fn links_in_the_folder_of_results_are_refused() {
    for (link, target) in [
        (".parallax", ""),
        (".parallax/check", ""),
        (".parallax/check/new", ""),
        (".parallax/check/new/lock", "file"),
        (".parallax/check/new/journal", "file"),
        (".parallax/check/new/001", ""),
        (".parallax/check/new/001/old", ""),
    ] {
        let repository = Repository::new();
        let path = repository.bench.path(link);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(repository.outside.join(target), &path).unwrap();
        assert_refused(&repository.check(&[]), "is a link");
        repository.assert_outside_unchanged();
    }
}

/// Who opens a pipe waits for somebody at its other end.
#[test]
fn pipes_in_the_folder_of_results_are_refused() {
    for name in ["lock", "journal", "001/new/stdin"] {
        let repository = Repository::new();
        let path = repository.bench.path(".parallax/check/new").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        assert!(
            Command::new("mkfifo")
                .arg(&path)
                .status()
                .unwrap()
                .success()
        );
        assert_refused(&repository.check(&[]), "no ordinary file");
    }
}

/// Names and arguments go into a script that the user starts, and onto a terminal.
#[test]
fn hostile_names_run_nothing_in_the_script() {
    let repository = Repository::new();
    // Who runs it says 42000.
    let command = "echo $((6*7000))";
    let name = format!("'; {command}; echo '$({command})`{command}`\"\n{command}\n");
    for (file, value) in [("old.c", 1), ("new.c", 2)] {
        let text = format!(
            "#include <stdio.h>\nint main(int c, char **v) {{ FILE *f = fopen(v[1], \"r\"); return f && getc(f) == '\\'' ? {value} : 0; }}\n"
        );
        repository.bench.write(file, &text);
    }
    let said = repository.bench.parallax(&[
        "check",
        "old.c",
        "new.c",
        "--sym-file",
        &name,
        "1",
        "--",
        &name,
        "\u{1b}[31m",
    ]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    for text in [&said.stdout, &said.stderr] {
        assert!(!text.contains('\u{1b}'), "{text}");
    }
    let script = Command::new("sh")
        .arg(
            repository
                .bench
                .path(".parallax/check/new/001/reproduce.sh"),
        )
        .current_dir(repository.bench.folder())
        .output()
        .unwrap();
    assert_eq!(script.status.code(), Some(1), "{script:?}");
    let said = [script.stdout, script.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    // The versions say 1 and 2 only if they find the file, so the name came through as it is.
    for expected in ["== old: exit status 1", "== new: exit status 2"] {
        assert!(said.contains(expected), "{said}");
    }
    assert!(!said.contains("42000"), "{said}");
    repository.assert_outside_unchanged();
}

/// Whether a text could do anything but show itself, or says what a line of its own would mean to somebody.
fn assert_shows_itself_alone(what: &str, text: &str) {
    let hidden =
        |c: char| (c.is_control() && !"\n\t".contains(c)) || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!text.contains(hidden), "{what}: {}", text.escape_debug());
    assert!(
        !text.lines().any(|line| line.starts_with("::error")),
        "{what}: {text}"
    );
}

/// What versions put out, how they name their files, and what their lines say, on a terminal and in each format.
#[test]
fn what_others_wrote_controls_no_terminal() {
    let repository = Repository::new();
    // Titles, colours, C1 controls, another direction, and a line that a CI server would take for an order.
    const ORDER: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}\r";
    for (file, value) in [("old.c", '1'), ("new.c", '2')] {
        let name = r"a\x1b[31m<script>\n::error::file\xc2\x9bz";
        let text = format!(
            "#include <stdio.h>\nint main(void) {{ int c = getchar();\nFILE *f = fopen(\"{name}\", \"w\");\n\
             if (c == 'x') fputc('{value}', f); /* {ORDER} */ fclose(f);\n\
             if (c == 'x') printf(\"\\x1b[2J\\x9b\\n::error::{value}\\n\");\nreturn 0; }}\n"
        );
        repository.bench.write(file, &text);
    }
    let said = repository.check(&["--save", "saved.json", "--html", "page.html"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout.contains("changed lines behind it"),
        "{}",
        said.stdout
    );
    assert_shows_itself_alone("check", &(said.stdout + &said.stderr));
    let page = fs::read_to_string(repository.bench.path("page.html")).unwrap();
    assert!(
        !page.contains(ORDER) && !page.contains("<script>\n"),
        "{page}"
    );
    for format in ["text", "json", "sarif", "markdown"] {
        let said = repository
            .bench
            .parallax(&["report", "saved.json", "--format", format]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        assert_shows_itself_alone(format, &(said.stdout + &said.stderr));
    }
    for command in ["diff", "impact"] {
        let said = repository.bench.parallax(&[command, "old.c", "new.c"]);
        assert!(said.stdout.contains(":4"), "{}{}", said.stdout, said.stderr);
        assert_shows_itself_alone(command, &(said.stdout + &said.stderr));
    }
    // A message, too.
    let said = repository
        .bench
        .parallax(&["check", "old.c", "none\u{1b}[2J.c"]);
    assert_eq!(said.status, 2);
    assert_shows_itself_alone("an error", &said.stderr);
}

/// A version says itself which file its lines come from. Reports show these lines.
#[test]
fn a_line_directive_shows_no_private_file() {
    const SECRET: &str = "the secret of a private file";
    let repository = Repository::new();
    let private = repository.outside.join("file");
    fs::write(&private, format!("{SECRET}\n").repeat(9)).unwrap();
    fs::set_permissions(&private, fs::Permissions::from_mode(0o600)).unwrap();
    let pipe = repository.bench.path("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for named in [
        private.to_str().unwrap(),
        pipe.to_str().unwrap(),
        "/dev/zero",
        "/proc/self/environ",
    ] {
        for (file, value) in [("old.c", 1), ("new.c", 2)] {
            let text = format!(
                "#include <stdio.h>\nint part(int c) {{\n#line 1 \"{named}\"\nreturn c == 'x' ? {value} : 0; }}\n\
                 int main(void) {{ return part(getchar()); }}\n"
            );
            repository.bench.write(file, &text);
        }
        let files = ["old.c", "new.c"];
        let whole = [
            "--sym-stdin",
            "1",
            "--fresh",
            "--save",
            "saved.json",
            "--html",
            "page.html",
        ];
        let of_function = ["--fn", "part", "--fresh"];
        for arguments in [
            [&["check"], &files[..], &whole].concat(),
            [&["check"], &files[..], &of_function].concat(),
            [&["diff"], &files[..]].concat(),
            [&["impact"], &files[..]].concat(),
        ] {
            let said = repository.bench.parallax(&arguments);
            assert!(
                said.status <= 1,
                "{arguments:?}: {}{}",
                said.stdout,
                said.stderr
            );
            let kept = ["saved.json", "page.html"]
                .map(|name| fs::read_to_string(repository.bench.path(name)).unwrap());
            for text in [&said.stdout, &said.stderr, &kept[0], &kept[1]] {
                assert!(
                    !text.contains(SECRET) && !text.contains("PARALLAX_CACHE="),
                    "{arguments:?}: {text}"
                );
            }
        }
    }
    // The same file is shown if it is nobody's secret: the test above can fail.
    fs::set_permissions(&private, fs::Permissions::from_mode(0o644)).unwrap();
    let text = |value: u32| {
        let named = private.display();
        format!(
            "#include <stdio.h>\nint main(void) {{\n#line 1 \"{named}\"\nreturn getchar() == 'x' ? {value} : 0; }}\n"
        )
    };
    repository.bench.write("old.c", &text(1));
    repository.bench.write("new.c", &text(2));
    let said = repository.check(&[]);
    assert!(
        said.stdout.contains(SECRET),
        "{}{}",
        said.stdout,
        said.stderr
    );
}

/// Files that a command reads because others have put them where it looks.
#[test]
fn what_has_no_end_is_not_read() {
    let repository = Repository::new();
    fs::create_dir(repository.bench.path("made")).unwrap();
    symlink("/dev/zero", repository.bench.path("saved.json")).unwrap();
    symlink("/dev/zero", repository.bench.path("suite")).unwrap();
    repository.bench.write("inputs", "< zero\n");
    symlink("/dev/zero", repository.bench.path("zero")).unwrap();
    for arguments in [
        &["report", "saved.json"][..],
        &["tests", "saved.json"],
        &["impact", "old.c", "new.c", "--tests", "suite"],
        &["impact", "old.c", "new.c", "--tests", "inputs"],
    ] {
        assert_refused(&repository.bench.parallax(arguments), "no regular file");
    }
    // Where tests are to be written, a pipe waits.
    let pipe = repository.bench.path("made/test_new.sh");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let said = repository.check(&["--write-tests", "made"]);
    assert!(
        said.stderr.contains("no regular file"),
        "{}{}",
        said.stdout,
        said.stderr
    );
    // A report of a stranger is deep, or is not what it seems.
    for text in [
        &"[".repeat(1 << 20)[..],
        "{\"schema\": \"parallax-report-1\", \"parallax\": \"\u{1b}[2J\", \"report\": {}}",
    ] {
        repository.bench.write("deep.json", text);
        let said = repository.bench.parallax(&["report", "deep.json"]);
        assert_eq!(said.status, 2, "{}", said.stderr);
        assert_shows_itself_alone("a saved report", &said.stderr);
    }
    repository.assert_outside_unchanged();
}

#[test]
fn an_exploration_follows_no_links_either() {
    let repository = Repository::new();
    symlink(&repository.outside, repository.bench.path(".parallax")).unwrap();
    let said = repository
        .bench
        .parallax(&["explore", "new.c", "--sym-stdin", "1"]);
    assert_refused(&said, "is a link");
    repository.assert_outside_unchanged();
}

/// A journal claims proofs. One that came with the files, and was not begun here, proves nothing.
#[test]
fn a_journal_that_came_with_the_files_is_not_used() {
    const FOREIGN: &str = "it was not begun here by your Parallax";
    let repository = Repository::new();
    assert_eq!(repository.check(&[]).status, 1);
    let again = repository.check(&[]);
    assert!(!again.stderr.contains(FOREIGN), "{}", again.stderr);
    let journal = repository.bench.path(".parallax/check/new/journal");
    let kept = fs::read(&journal).unwrap();
    // Beside it first, so that it is another file for sure.
    let other = journal.with_extension("other");
    fs::write(&other, &kept).unwrap();
    fs::rename(&other, &journal).unwrap();
    let said = repository.check(&[]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(said.stderr.contains(FOREIGN), "{}", said.stderr);
    // The one that was begun now is used.
    let again = repository.check(&[]);
    assert!(!again.stderr.contains(FOREIGN), "{}", again.stderr);
    let explore = || {
        let arguments = ["explore", "new.c", "--sym-stdin", "1"];
        repository.bench.parallax(&arguments)
    };
    assert_eq!(explore().status, 0);
    let folder = repository.bench.path(".parallax/explore");
    let folder = fs::read_dir(folder).unwrap().next().unwrap().unwrap();
    let journal = folder.path().join("journal");
    fs::write(&other, fs::read(&journal).unwrap()).unwrap();
    fs::rename(&other, &journal).unwrap();
    let said = explore();
    assert!(
        said.stderr.contains(FOREIGN),
        "{}{}",
        said.stdout,
        said.stderr
    );
}

#[test]
fn a_damaged_journal_is_said_to_be_so() {
    let repository = Repository::new();
    assert_eq!(repository.check(&[]).status, 1);
    let journal = repository.bench.path(".parallax/check/new/journal");
    let first = fs::read(&journal).unwrap();
    let first = first.split(|&byte| byte == b'\n').next().unwrap();
    for damage in [
        &b"\xff\xfe../../etc/passwd\n"[..],
        b"{\"path\": \"../../outside/file\"}\n",
        &[b'['; 100_000],
        b"\0\0\0\n",
    ] {
        fs::write(&journal, [first, b"\n", damage].concat()).unwrap();
        let said = repository.check(&[]);
        // What cannot be read is an error with its next step, or is left out; the difference is found all the same.
        assert!(
            said.status == 1 || said.stderr.contains("--fresh"),
            "{} {}{}",
            said.status,
            said.stdout,
            said.stderr
        );
        assert_eq!(repository.check(&["--fresh"]).status, 1);
        repository.assert_outside_unchanged();
    }
}

#[test]
fn a_damaged_cache_leads_to_a_message() {
    let repository = Repository::new();
    assert_eq!(repository.check(&[]).status, 1);
    let is_ours = |path: &PathBuf| !path.is_symlink();
    let mut damaged = 0;
    let mut pending: Vec<PathBuf> = fs::read_dir(repository.bench.cache())
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .filter(is_ours)
        .collect();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .flatten()
                    .map(|entry| entry.path()),
            );
        } else if !path.is_symlink() && path.metadata().unwrap().len() > 0 {
            fs::remove_file(&path).unwrap();
            match damaged % 2 {
                0 => fs::write(&path, "damaged").unwrap(),
                _ => symlink(repository.outside.join("file"), &path).unwrap(),
            }
            damaged += 1;
        }
    }
    assert!(damaged > 3, "{damaged} files in the cache");
    let said = repository.check(&["--fresh"]);
    assert!(
        (0..=3).contains(&said.status),
        "{}{}",
        said.stdout,
        said.stderr
    );
    assert!(
        said.status != 2 || said.stderr.contains("parallax: error:"),
        "{}",
        said.stderr
    );
    repository.assert_outside_unchanged();
}

#[test]
fn strange_tests_are_refused_or_harmless() {
    let pipe =
        |path: PathBuf| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    let test = |make: &dyn Fn(&Repository)| {
        let repository = Repository::new();
        repository.write_test();
        make(&repository);
        let said = repository.replay();
        repository.assert_outside_unchanged();
        said
    };
    let replace = |repository: &Repository, name: &str, target: &str| {
        let path = repository.bench.path("tests/one").join(name);
        let _ = fs::remove_file(&path);
        symlink(target, path).unwrap();
    };
    // What never ends.
    assert_refused(
        &test(&|repository| replace(repository, "stdin", "/dev/zero")),
        "no regular file",
    );
    assert_refused(
        &test(&|repository| replace(repository, "environment", "/dev/zero")),
        "no regular file",
    );
    assert_refused(
        &test(&|repository| {
            fs::remove_file(repository.bench.path("tests/one/stdin")).unwrap();
            pipe(repository.bench.path("tests/one/stdin"));
        }),
        "no regular file",
    );
    assert_refused(
        &test(&|repository| {
            let file = fs::File::create(repository.bench.path("tests/one/stdin")).unwrap();
            file.set_len(1 << 40).unwrap();
        }),
        "larger than",
    );
    // Links and pipes among the files are left out; names may be anything.
    let said = test(&|repository| {
        replace(
            repository,
            "files/link",
            repository.outside.join("file").to_str().unwrap(),
        );
        replace(
            repository,
            "files/folder",
            repository.outside.to_str().unwrap(),
        );
        pipe(repository.bench.path("tests/one/files/pipe"));
        repository
            .bench
            .write("tests/one/files/a\nname\tof -rf \u{1b}[31m", "x");
    });
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    // A library in the environment reaches the program in its sandbox, and not who starts it.
    let said = test(&|repository| {
        let source = format!(
            "#include <fcntl.h>\n#include <unistd.h>\n__attribute__((constructor)) static void loaded(void) {{ close(open(\"{}/loaded\", O_WRONLY | O_CREAT, 0644)); }}\n",
            repository.outside.display()
        );
        repository.bench.write("library.c", &source);
        let library = repository.bench.path("library.so");
        let built = Command::new("clang-22")
            .args(["-shared", "-fPIC"])
            .arg(repository.bench.path("library.c"))
            .arg("-o")
            .arg(&library)
            .status();
        assert!(built.unwrap().success());
        repository.bench.write(
            "tests/one/environment",
            &format!("LD_PRELOAD={}\nLD_LIBRARY_PATH=/\n", library.display()),
        );
    });
    assert!(
        said.stdout.contains("1 of 1 test replayed"),
        "{}{}",
        said.stdout,
        said.stderr
    );
}

#[test]
fn a_project_file_cannot_ask_for_more() {
    for (text, words) in [
        ("native = \"unconfined\"\n", "not for a project to say"),
        (
            "[[test]]\ncommand = [\"p\"]\nfiles = { \"../outside/file\" = \"x\" }\n",
            "working folder",
        ),
        (
            "[[test]]\ncommand = [\"p\"]\nfiles = { \"/etc/passwd\" = \"x\" }\n",
            "working folder",
        ),
        (
            "[[test]]\ncommand = [\"p\"]\nstdin = { file = \"/dev/zero\" }\n",
            "no regular file",
        ),
        (
            "[explore]\nstdin = { file = \"/dev/zero\" }\n",
            "no regular file",
        ),
        ("[explore]\ntests = \"/etc\"\n", "unknown field"),
    ] {
        let repository = Repository::new();
        repository.bench.write("parallax.toml", text);
        let said = repository.bench.parallax(&["check", "old.c", "new.c"]);
        assert_refused(&said, words);
        repository.assert_outside_unchanged();
    }
    let repository = Repository::new();
    symlink("/dev/zero", repository.bench.path("parallax.toml")).unwrap();
    assert_refused(&repository.check(&[]), "no regular file");
}

fn said_with(arguments: &[&str], repository: &Repository, config: &Path) -> Said {
    let mut command = repository.bench.command(crate::support::parallax());
    command.args(arguments).env("XDG_CONFIG_HOME", config);
    crate::support::said(&mut command)
}

#[test]
fn the_user_may_do_without_a_sandbox() {
    let repository = Repository::new();
    repository.write_test();
    let config = repository.bench.folder().with_file_name("config");
    fs::create_dir_all(config.join("parallax")).unwrap();
    // The program says whether it has a name that only the sandbox gives.
    repository.bench.write(
        "new.c",
        "#include <unistd.h>\nint main(void) { return getpid() != 1000; }\n",
    );
    let replay = || {
        said_with(
            &["replay", "new.c", "--tests", "tests"],
            &repository,
            &config,
        )
    };
    assert_eq!(replay().status, 0, "in the sandbox it is process 1000");
    fs::write(
        config.join("parallax/config.toml"),
        "native = \"unconfined\"\n",
    )
    .unwrap();
    assert_eq!(replay().status, 1, "the user's own settings count");
    let said = said_with(&["doctor"], &repository, &config);
    assert!(
        said.stdout.contains("CAREFUL  sandbox") && said.stdout.contains("in no sandbox"),
        "{}",
        said.stdout
    );
    let arguments = ["check", "old.c", "new.c", "--sym-stdin", "1"];
    let said = said_with(&arguments, &repository, &config);
    assert!(
        said.stdout.contains("\nnative runs were in no sandbox"),
        "{}",
        said.stdout
    );
    let said = said_with(
        &[&arguments[..], &["--format", "json"]].concat(),
        &repository,
        &config,
    );
    assert_eq!(said.json()["native_runs"], "unconfined");
    // A project can ask for less.
    repository
        .bench
        .write("parallax.toml", "native = \"confined\"\n");
    assert_eq!(replay().status, 0, "the project wants a sandbox");
    fs::remove_file(repository.bench.path("parallax.toml")).unwrap();
    fs::write(
        config.join("parallax/config.toml"),
        "native = \"sometimes\"\n",
    )
    .unwrap();
    assert_refused(&replay(), "config.toml");
}

/// Every text in a saved report may be a stranger's: names, paths, code, inputs.
#[test]
fn a_saved_report_writes_and_runs_nothing_elsewhere() {
    let repository = Repository::new();
    repository.bench.write(
        "new.c",
        "#include <stdio.h>\nint main(void) { if (getchar() == 'x') { FILE *f = fopen(\"made\", \"w\"); if (f) fputs(\"x\", f); } return 0; }\n",
    );
    let said = repository.check(&["--save", "saved.json"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let saved = fs::read_to_string(repository.bench.path("saved.json")).unwrap();
    let saved: serde_json::Value = serde_json::from_str(&saved).unwrap();
    let made = repository.outside.join("made");
    let made = made.display();
    let touch = format!("touch {made}");
    let texts = [
        "../../outside/file".to_owned(),
        format!(
            "x'\n{touch}\n$({touch})`{touch}`\"; {touch}; import os\nos.system('{touch}')\n\u{1b}[2J</script><script>a()</script>\n* [a](javascript:a)"
        ),
    ];
    let number = saved.pointer("/report").map_or(0, texts_in);
    assert!(number > 20, "{number} texts");
    let mut written = 0;
    for text in &texts {
        for place in 0..number {
            let mut changed = saved.clone();
            replace_text(&mut changed["report"], &mut place.clone(), text);
            repository.bench.write("changed.json", &changed.to_string());
            for arguments in [
                &["report", "changed.json", "--out", "page.html"][..],
                &["report", "changed.json", "--format", "text"],
                &["tests", "changed.json", "--dir", "emitted", "--no-run"],
            ] {
                let said = repository.bench.parallax(arguments);
                assert!(
                    (0..=2).contains(&said.status),
                    "{place}: {}{}",
                    said.stdout,
                    said.stderr
                );
                assert_shows_itself_alone("a changed report", &(said.stdout + &said.stderr));
            }
            let page = fs::read_to_string(repository.bench.path("page.html")).unwrap_or_default();
            assert!(!page.contains("<script>a()"), "{place}: {page}");
            let scripts = fs::read_dir(repository.bench.path("emitted"));
            for script in scripts.into_iter().flatten().flatten() {
                written += 1;
                let mut command = repository.bench.command("sh");
                command.arg(script.path()).env("PROGRAM", "/bin/true");
                let _ = crate::support::said(&mut command);
                fs::remove_file(script.path()).unwrap();
            }
            repository.assert_outside_unchanged();
            let _ = fs::remove_file(repository.bench.path("page.html"));
        }
    }
    assert!(written > 10, "{written} tests were written and run");
}

/// Names of files and variables in a saved report, which a test of a user's own program would use.
#[test]
fn a_saved_report_names_nothing_outside_for_a_test() {
    let repository = Repository::new();
    let order = format!("MODE=touch {}/made", repository.outside.display());
    let said = repository.check(&["--env", &order, "--save", "saved.json"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let saved = fs::read_to_string(repository.bench.path("saved.json")).unwrap();
    let saved: serde_json::Value = serde_json::from_str(&saved).unwrap();
    let file = repository.outside.join("file").display().to_string();
    type Strange<'s> = (&'s str, &'s str, &'s str, &'s str);
    let strange: [Strange<'_>; 8] = [
        ("", "files", &file, "working folder"),
        ("/", "files", &file, ""),
        (
            "/home/user",
            "files",
            "/home/user/../../outside/file",
            "working folder",
        ),
        (
            "/home/user",
            "outcome",
            "../../outside/file",
            "working folder",
        ),
        ("/home/user", "outcome", &file, "working folder"),
        ("/home/user", "environment", "LD_PRELOAD", "LD_PRELOAD"),
        (
            "/home/user",
            "environment",
            "--split-string",
            "split-string",
        ),
        ("/home/user", "environment", "-C..", "-C.."),
    ];
    for (folder, what, name, reason) in strange {
        let mut changed = saved.clone();
        changed["report"]["bounds"]["working_folder"] = folder.into();
        let difference = &mut changed["report"]["differences"][0];
        let input = &mut difference["given"]["input"];
        let (bytes, value) = (input["stdin"].clone(), input["environment"]["MODE"].clone());
        match what {
            "outcome" => difference["outcomes"][0]["files"][name] = serde_json::json!([120]),
            "environment" => input[what][name] = value,
            _ => input[what][name] = bytes,
        }
        repository.bench.write("changed.json", &changed.to_string());
        for format in ["sh", "bats", "pytest"] {
            let arguments = ["tests", "changed.json", "--no-run", "--test-format", format];
            let said = repository.bench.parallax(&arguments);
            let text = format!("{}{}", said.stdout, said.stderr);
            match reason {
                "" => assert!(said.status <= 1, "{text}"),
                reason => {
                    assert!(text.contains("no test is written"), "{name}: {text}");
                    assert!(text.contains(reason), "{name}: {text}");
                }
            }
        }
        for test in ["test_new.sh", "test_changed.sh"] {
            let test = repository.bench.path(test);
            if test.exists() {
                let mut command = repository.bench.command("sh");
                command.arg(test).env("PROGRAM", "/bin/true");
                let _ = crate::support::said(&mut command);
            }
        }
        repository.assert_outside_unchanged();
    }
}

/// Numbers in a saved report stand for versions, steps and differences.
#[test]
fn wrong_numbers_in_a_saved_report_are_a_message() {
    let repository = Repository::new();
    let said = repository.check(&["--save", "saved.json"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let saved = fs::read_to_string(repository.bench.path("saved.json")).unwrap();
    let saved: serde_json::Value = serde_json::from_str(&saved).unwrap();
    let mut pointers = Vec::new();
    numbers_in(&saved["report"], "/report".to_owned(), &mut pointers);
    // Fewer of what there is for each version.
    let lists = [
        "versions",
        "steps",
        "differences/0/outcomes",
        "differences/0/steps",
    ];
    let lists = lists.map(|list| format!("/report/{list}"));
    let wrong = pointers.iter().map(|place| (place, serde_json::json!(99)));
    let fewer = lists.iter().map(|place| (place, serde_json::json!([])));
    for (place, value) in wrong.chain(fewer) {
        let mut changed = saved.clone();
        *changed.pointer_mut(place).expect("it was found there") = value;
        repository.bench.write("changed.json", &changed.to_string());
        for arguments in [
            &["report", "changed.json", "--format", "text"][..],
            &["report", "changed.json", "--format", "json"],
            &["report", "changed.json", "--format", "sarif"],
            &["report", "changed.json", "--out", "page.html"],
            &["tests", "changed.json", "--no-run", "--force"],
            &["review", "changed.json", "--list"],
        ] {
            let said = repository.bench.parallax(arguments);
            assert!(
                (0..=2).contains(&said.status),
                "{place}, {arguments:?}: {}{}",
                said.stdout,
                said.stderr
            );
        }
    }
}

/// Where there are numbers in a value, but for bytes.
fn numbers_in(value: &serde_json::Value, place: String, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Number(_) => found.push(place),
        serde_json::Value::Array(all) => {
            for (number, value) in all.iter().enumerate().take(3) {
                numbers_in(value, format!("{place}/{number}"), found);
            }
        }
        serde_json::Value::Object(all) => {
            for (name, value) in all {
                let name = name.replace('~', "~0").replace('/', "~1");
                numbers_in(value, format!("{place}/{name}"), found);
            }
        }
        _ => {}
    }
}

/// How many texts there are in a value.
fn texts_in(value: &serde_json::Value) -> usize {
    match value {
        serde_json::Value::String(_) => 1,
        serde_json::Value::Array(all) => all.iter().map(texts_in).sum(),
        serde_json::Value::Object(all) => all.values().map(texts_in).sum(),
        _ => 0,
    }
}

/// Puts another in the place of the text before which there are `left` others.
fn replace_text(value: &mut serde_json::Value, left: &mut usize, text: &str) {
    match value {
        serde_json::Value::String(old) => {
            if *left == 0 {
                text.clone_into(old);
            }
            *left = left.wrapping_sub(1);
        }
        serde_json::Value::Array(all) => {
            for value in all {
                replace_text(value, left, text);
            }
        }
        serde_json::Value::Object(all) => {
            for value in all.values_mut() {
                replace_text(value, left, text);
            }
        }
        _ => {}
    }
}

/// What is accepted, and by whom, came with the repository too.
#[test]
fn a_strange_list_of_accepted_differences_is_a_message() {
    let repository = Repository::new();
    for text in [
        format!("a = {}", "[".repeat(200_000)),
        format!("[{}a]\n", "a.".repeat(200_000)),
        format!("{}a = 1\n", "[[a]]\n".repeat(3)),
        "\u{1b}[2J = 1\n".to_owned(),
    ] {
        for file in ["parallax-accepted.toml", "parallax.toml"] {
            repository.bench.write(file, &text);
            let said = repository.check(&[]);
            assert_eq!(said.status, 2, "{file}: {}{}", said.stdout, said.stderr);
            assert_shows_itself_alone(file, &(said.stdout + &said.stderr));
            fs::remove_file(repository.bench.path(file)).unwrap();
        }
    }
    let path = repository.bench.path("parallax-accepted.toml");
    symlink("/dev/zero", &path).unwrap();
    let said = repository.check(&[]);
    assert_eq!(said.status, 2, "{}{}", said.stdout, said.stderr);
    repository.assert_outside_unchanged();
}
