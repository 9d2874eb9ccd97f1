//! What `parallax check` says of a difference: a small input, a class, a script that shows it, and each kind once.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::support::{Bench, said};
use compare::minimise::reductions;
use exploration::InputRecord;
use serde_json::Value;

fn bench(old: &str, new: &str) -> Bench {
    let bench = Bench::new();
    bench.write("old.c", old);
    bench.write("new.c", new);
    bench
}

fn json(bench: &Bench, arguments: &[&str]) -> Value {
    let all = [&["check", "old.c", "new.c", "--format", "json"], arguments].concat();
    let said = bench.parallax(&all);
    serde_json::from_str(&said.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", said.stdout, said.stderr))
}

fn differences(report: &Value) -> &Vec<Value> {
    report["differences"].as_array().unwrap()
}

/// Runs a command as a user who pastes it into a shell does.
fn pasted(bench: &Bench, command: &str) -> crate::support::Said {
    said(bench.command("sh").args(["-c", command]))
}

const OPTIONS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    int number = 0, verbose = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-v")) verbose = 1;
        else number = atoi(argv[i]);
    }
    if (verbose) printf("verbose\n");
    printf("%d\n", number > 20 ? 20 : number);
    return 0;
}
"#;

#[test]
fn an_example_is_as_small_as_possible() {
    let bench = bench(OPTIONS, &OPTIONS.replace("number > 20", "number > 30"));
    // A long test of the user, from which the search begins and finds nothing smaller.
    bench.write(
        "parallax.toml",
        "[[test]]\ncommand = [\"prog\", \"-v\", \"0029\", \"-v\"]\n",
    );
    let report = json(
        &bench,
        &["--sym-args", "0", "3", "4", "--runs", "4", "--minimise"],
    );
    let first = &differences(&report)[0];
    assert_eq!(first["confirmed_natively"], true, "{report:#}");
    assert_eq!(first["minimal"], true);
    assert_eq!(
        first["found_with"]["argv"],
        serde_json::json!(["-v", "0029", "-v"])
    );
    assert_eq!(
        first["input"]["argv"],
        serde_json::json!(["21"]),
        "{report:#}"
    );
    assert_eq!(first["old"]["stdout"], "20\n");
    assert_eq!(first["new"]["stdout"], "21\n");
    // Natively, too, nothing of it can be left out or made simpler.
    let input: InputRecord = serde_json::from_value(first["input"]["exact"].clone()).unwrap();
    let folder = bench.path(first["tests"].as_str().unwrap());
    let run = |version: &str, input: &InputRecord| {
        let arguments = input.args[1..].iter().map(|arg| OsStr::from_bytes(arg));
        said(
            bench
                .command(folder.join("bin").join(version))
                .args(arguments),
        )
        .stdout
    };
    let differs = |input: &InputRecord| run("old", input) != run("new", input);
    assert!(differs(&input));
    for step in reductions(&input) {
        assert!(!differs(&step.apply(&input)), "{step:?}");
    }
    // The number of arguments is part of the bounds.
    let report = json(
        &bench,
        &["--sym-args", "3", "3", "4", "--runs", "1", "--minimise"],
    );
    let argv = differences(&report)[0]["input"]["argv"].as_array().unwrap();
    assert_eq!(argv.len(), 3, "{report:#}");
}

#[test]
fn a_golden_version_says_what_a_difference_is() {
    let program = r#"
        #include <stdio.h>
        int main(int argc, char **argv) {
            switch (argv[1][0]) {
            case 'a': puts("OLD_A"); break;
            case 'b': puts("OLD_B"); break;
            case 'c': puts("OLD_C"); break;
            default: puts("other");
            }
            return 0;
        }
    "#;
    let old = program;
    let new = program
        .replace("OLD_A", "good a")
        .replace("OLD_B", "bad b")
        .replace("OLD_C", "bad c");
    let golden = program
        .replace("OLD_A", "good a")
        .replace("OLD_C", "good c");
    let bench = bench(old, &new);
    bench.write("golden.c", &golden);
    let report = json(&bench, &["--sym-arg", "1", "--golden", "golden.c"]);
    let mut classes: Vec<(&str, &str)> = differences(&report)
        .iter()
        .map(|one| {
            (
                one["input"]["argv"][0].as_str().unwrap(),
                one["class"].as_str().unwrap(),
            )
        })
        .collect();
    classes.sort_unstable();
    assert_eq!(
        classes,
        [
            ("a", "progression"),
            ("b", "regression"),
            ("c", "intermediate")
        ],
        "{report:#}"
    );
    let said = bench.parallax(&[
        "check",
        "old.c",
        "new.c",
        "--sym-arg",
        "1",
        "--golden",
        "golden.c",
    ]);
    for words in [
        "progression: the new version",
        "regression: the old",
        "intermediate: neither",
    ] {
        assert!(said.stdout.contains(words), "{}", said.stdout);
    }
    // Without one there is no class.
    let report = json(&bench, &["--sym-arg", "1"]);
    assert_eq!(differences(&report)[0]["class"], Value::Null);
}

#[test]
fn kinds_are_told_apart_by_where_the_output_differs() {
    let program = r#"
        #include <stdio.h>
        #include <string.h>
        static int size(const char *text) { return strlen(text); }
        int main(int argc, char **argv) {
            for (int i = 1; i < argc; i++) {
                if (argv[i][0] == 'w') printf("width: %d\n", size(argv[i]));
                else printf("name: %d\n", size(argv[i]));
            }
            return 0;
        }
    "#;
    let new = program.replace(
        "return strlen(text)",
        "return strlen(text) + (text[0] >= 'w')",
    );
    let report = json(&bench(program, &new), &["--sym-args", "0", "3", "2"]);
    let mut places: Vec<&str> = differences(&report)
        .iter()
        .map(|one| one["location"][0].as_str().unwrap())
        .collect();
    places.sort_unstable();
    assert_eq!(places, ["name:", "width:"], "{report:#}");
    for one in differences(&report) {
        assert!(one["partitions"].as_u64().unwrap() > 5, "{report:#}");
        assert_eq!(
            one["input"]["argv"].as_array().unwrap().len(),
            1,
            "{report:#}"
        );
    }
}

#[test]
fn a_pasted_command_shows_the_difference() {
    let program = r#"
        #include <stdio.h>
        #include <stdlib.h>
        int main(int argc, char **argv) {
            int c, last = 'E';
            char *mode = getenv("MODE");
            FILE *table = fopen("table", "rb");
            int entry = table ? fgetc(table) : -2;
            while ((c = getchar()) != EOF) last = c;
            FILE *out = fopen("out", "wb");
            fprintf(out, "%d\n", last);
            fclose(out);
            if (KEY) { printf("%s: old\n", argv[0]); return 3; }
            printf("%d %d %s\n", argc, entry, mode ? mode : "none");
            return 0;
        }
    "#;
    let flags = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
    // What must be given to show the difference, and the flags that let the search find it.
    let cases = [
        ("argc > 1 && argv[1][0] == '\\''", flags("--sym-args 0 1 2")),
        (
            "argc > 1 && argv[1][0] == '\"' && argv[1][1] == '$'",
            flags("--sym-arg 2"),
        ),
        (
            "argc > 2 && argv[1][0] == 0 && argv[2][0] == '\\n'",
            flags("--sym-args 0 2 1"),
        ),
        (
            "argc > 1 && argv[1][0] == '\\xff' && argv[1][1] == '\\\\'",
            flags("--sym-arg 2"),
        ),
        (
            "argc > 1 && argv[1][0] == '-' && argv[1][1] == 'n'",
            flags("--sym-arg 2"),
        ),
        ("last == 0", flags("--sym-stdin 0..2")),
        ("last == '\\'' || last == 255", flags("--sym-stdin 1")),
        ("entry == 200", flags("--sym-file table 1")),
        (
            "mode && mode[0] == ' ' && mode[1] == '*'",
            flags("--sym-env MODE 2"),
        ),
    ];
    let bench = Bench::new();
    for (key, flags) in cases {
        let old = program.replace("KEY", key);
        bench.write("old.c", &old);
        bench.write("new.c", &old.replace(": old\\n", ": new\\n"));
        let mut all = vec!["check", "old.c", "new.c"];
        all.extend(flags.iter().map(String::as_str));
        let checked = bench.parallax(&all);
        assert_eq!(
            checked.status, 1,
            "{key}: {}{}",
            checked.stdout, checked.stderr
        );
        let command = checked
            .stdout
            .lines()
            .find_map(|line| line.trim().strip_prefix("reproduce: "));
        let command = command.unwrap_or_else(|| panic!("{}", checked.stdout));
        let shown = pasted(&bench, command);
        let text = format!(
            "{key}: {}\n{}{}",
            checked.stdout, shown.stdout, shown.stderr
        );
        assert_eq!(shown.status, 1, "{text}");
        assert!(
            shown.stdout.contains("== old: exit status 3\nnew: old\n"),
            "{text}"
        );
        assert!(
            shown.stdout.contains("== new: exit status 3\nnew: new\n"),
            "{text}"
        );
        assert!(shown.stdout.contains("\n-new: old\n+new: new\n"), "{text}");
        assert!(!shown.stdout.contains("files/out"), "{text}");
        // From another folder, too.
        let script = command.strip_prefix("sh ").unwrap();
        let elsewhere = said(bench.command("sh").arg(bench.path(script)).current_dir("/"));
        assert_eq!(
            elsewhere.status, 1,
            "{}{}",
            elsewhere.stdout, elsewhere.stderr
        );
    }
}

#[test]
fn a_memory_error_is_shown_by_a_sanitizer() {
    let program = r#"
        #include <stdlib.h>
        int main(int argc, char **argv) {
            char *text = malloc(4);
            text[argv[1][0] == 'k' ? 3 : 0] = 1;
            free(text);
            return 0;
        }
    "#;
    let bench = bench(program, &program.replace("? 3", "? 4"));
    let said = bench.parallax(&["check", "old.c", "new.c", "--sym-arg", "1"]);
    assert!(
        said.stdout
            .contains("how the run ends differs, seen natively"),
        "{}",
        said.stdout
    );
    let shown = pasted(&bench, "sh .parallax/check/new/001/reproduce.sh");
    assert_eq!(shown.status, 1, "{}", shown.stdout);
    assert!(
        shown.stdout.contains("heap-buffer-overflow"),
        "{}",
        shown.stdout
    );
}

/// A Rust program's panic message has the number of the thread in it, which no two runs share.
#[test]
fn panics_are_seen_natively() {
    let program = r#"
        fn main() {
            let word = std::env::args().nth(1).unwrap_or_default();
            if word.starts_with('z') { panic!("no z"); }
            println!("{}", word.len());
        }
    "#;
    let bench = Bench::new();
    bench.write("old.rs", program);
    bench.write("new.rs", &program.replace("no z", "never z"));
    let said = bench.parallax(&["check", "old.rs", "new.rs", "--sym-arg", "1"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout
            .contains("standard error differs, seen natively"),
        "{}",
        said.stdout
    );
    assert!(
        said.stdout
            .contains("input: .parallax/check/new/001/bin/new z </dev/null\n"),
        "{}",
        said.stdout
    );
}

#[test]
fn several_lines_are_shown_as_a_diff_without_colours() {
    let program = r#"
        #include <stdio.h>
        int main(int argc, char **argv) {
            for (int i = 0; i < 6; i++) printf("%d %d\n", i, i == 4 && argv[1][0] == 't' ? 1 : 0);
            return 0;
        }
    "#;
    let bench = bench(program, &program.replace("? 1 : 0", "? 2 : 0"));
    let said = bench.parallax(&["check", "old.c", "new.c", "--sym-arg", "1"]);
    let wanted = "   (- old, + new)\n     …\n     2 0\n     3 0\n   - 4 1\n   + 4 2\n     5 0\n";
    assert!(said.stdout.contains(wanted), "{}", said.stdout);
    assert!(!said.stdout.contains('\x1b'), "{}", said.stdout);
}

#[test]
fn tests_of_the_project_file_are_seeds() {
    let program = r#"
        #include <stdio.h>
        #include <string.h>
        int main(int argc, char **argv) {
            char line[16] = "";
            fgets(line, sizeof line, stdin);
            return argc > 1 && !strcmp(argv[1], "open") && !strcmp(line, "sesame\n") ? 1 : 0;
        }
    "#;
    let bench = bench(program, &program.replace("? 1 : 0", "? 2 : 0"));
    bench.write("word.txt", "sesame\n");
    bench.write(
        "parallax.toml",
        r#"
            [explore]
            args = [{ sym = 4, min = 0, max = 1 }]
            stdin = { sym = 7 }

            [[test]]
            command = ["prog", "open", "wide"]
            stdin = { file = "word.txt" }

            [[test]]
            command = ["prog", "open"]
            stdin = "no"

            [[test]]
            command = ["prog", "open"]
            stdin = { file = "word.txt" }
        "#,
    );
    let said = bench.parallax(&["check", "old.c", "new.c", "--runs", "2", "--format", "json"]);
    let report: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(differences(&report).len(), 1, "{report:#}");
    // One for each number of arguments.
    assert_eq!(report["first_difference"]["runs"], 2, "{report:#}");
    for words in [
        "test 1 of parallax.toml (`prog open wide`): it has 2 arguments, the input space 0 to 1 argument",
        "test 2 of parallax.toml (`prog open`): its standard input has 2 bytes, that of the input space 7 bytes",
        "1 of 3 seeds used",
    ] {
        assert!(said.stderr.contains(words), "{}", said.stderr);
    }
    let said = bench.parallax(&[
        "explore",
        "old.c",
        "--runs",
        "1",
        "--dry-run",
        "--format",
        "json",
    ]);
    assert!(said.stderr.contains("1 of 3 seeds used"), "{}", said.stderr);
}

/// A difference that tests do not record can be seen again in the VM.
#[test]
fn a_pasted_command_shows_what_only_the_vm_has_seen() {
    let program = r#"
        #include <stdio.h>
        #include <sys/stat.h>
        int main(int argc, char **argv) {
            if (argc > 1 && argv[1][0] == '\'' && getchar() == 'q') mkdir("a", 0700);
            return 0;
        }
    "#;
    let bench = bench(program, &program.replace("\"a\"", "\"b\""));
    let checked = bench.parallax(&[
        "check",
        "old.c",
        "new.c",
        "--sym-arg",
        "1",
        "--sym-stdin",
        "1",
    ]);
    assert_eq!(checked.status, 3, "{}{}", checked.stdout, checked.stderr);
    let commands = checked
        .stdout
        .lines()
        .find_map(|line| line.trim().strip_prefix("in the VM: "));
    let commands = commands.unwrap_or_else(|| panic!("{}", checked.stdout));
    let path = crate::support::parallax().parent().unwrap().display();
    for (command, made) in commands.split("; ").zip(["a", "b"]) {
        let command = command.replace(
            "parallax run",
            &format!("parallax run --files-out out-{made}"),
        );
        let command = format!("PATH={path}:$PATH; {command}");
        let said = said(bench.command("bash").args(["-c", &command]));
        let folder = bench.path(&format!("out-{made}/{made}"));
        assert!(folder.is_dir(), "{command}\n{}", said.stderr);
    }
}

/// On some paths both versions' outputs differ for every input, which hid that the exit status differs for some; and two kinds
/// had the same example.
#[test]
fn kinds_name_all_that_differs_and_do_not_read_the_same() {
    let program = |more: &str, status: &str| {
        format!(
            "#include <stdio.h>\nint main(void) {{\n    int c = getchar();\n    putchar('-');{more}\n    return {status};\n}}\n"
        )
    };
    let bench = bench(
        &program("", "0"),
        &program(
            " if (c >= 'a') puts(\"more\");",
            "c == 'q' ? 7 : c >= 'a' ? c & 1 : 0",
        ),
    );
    let report = json(&bench, &["--sym-stdin", "1", "--minimise"]);
    let mut inputs = Vec::new();
    for one in differences(&report) {
        let differ = one["old"]["end"]["shell_status"] != one["new"]["end"]["shell_status"];
        let kinds = one["kind"].as_array().unwrap();
        assert_eq!(kinds.contains(&"exit-status".into()), differ, "{one:#}");
        assert_eq!(one["location"].as_array().unwrap().len(), kinds.len());
        assert_eq!(one["confirmed_natively"], true, "{one:#}");
        assert!(!inputs.contains(&&one["input"]), "{report:#}");
        inputs.push(&one["input"]);
    }
    let partitions = differences(&report).iter();
    let partitions: u64 = partitions
        .map(|one| one["partitions"].as_u64().unwrap())
        .sum();
    assert_eq!(report["partition_counts"]["different"], partitions);
    let folders = std::fs::read_dir(bench.path(".parallax/check/new")).unwrap();
    let folders = folders.filter(|entry| entry.as_ref().unwrap().path().is_dir());
    assert_eq!(folders.count(), inputs.len());
}

#[test]
fn of_a_long_line_the_changed_part_is_shown() {
    let terms: Vec<String> = (0..30).map(|i| format!("(c == {i} ? {i} : 0)")).collect();
    let program = |last: u32| {
        format!(
            "#include <stdio.h>\nint main(void) {{\n    int c = getchar();\n    int sum = {} + c / {last} + 5 * c;\n    \
             printf(\"%d\\n\", sum);\n    return 0;\n}}\n",
            terms.join(" + ")
        )
    };
    let bench = bench(&program(977), &program(11));
    let said = bench.parallax(&["check", "old.c", "new.c", "--sym-stdin", "1", "--runs", "4"]);
    let mut lines = said.stdout.lines();
    let line = lines.find(|line| line.contains("new.c:4 in main"));
    let line = line.unwrap_or_else(|| panic!("{}{}", said.stdout, said.stderr));
    assert!(line.contains("c / 11") && line.contains("| …"), "{line}");
}

/// One change that shows in two ways is one kind of difference, with a variant below it; machines are told so too.
#[test]
fn one_cause_is_one_kind() {
    let program = r#"
        #include <stdio.h>
        int main(int argc, char **argv) {
            int limit = 5;
            int n = argv[1][0] - '0';
            if (n < 0 || n > 9) return 2;
            if (argv[1][1] == 'q') return n > limit;
            puts(n > limit ? "big" : "small");
            return 0;
        }
    "#;
    let bench = bench(program, &program.replace("limit = 5", "limit = 6"));
    let bounds = ["check", "old.c", "new.c", "--sym-arg", "2"];
    let said = bench.parallax(&bounds).stdout;
    assert!(
        said.starts_with("different: 1 kind of difference in 2 variants\n"),
        "{said}"
    );
    assert!(
        said.contains("\n   2. ") && said.contains("; by the same change as 1\n"),
        "{said}"
    );
    assert_eq!(said.matches("changed lines behind it").count(), 1, "{said}");
    let json = bench
        .parallax(&[&bounds[..], &["--format", "json"]].concat())
        .stdout;
    let json: Value = serde_json::from_str(&json).expect("a report");
    let kinds: Vec<&Value> = json["differences"]
        .as_array()
        .expect("differences")
        .iter()
        .map(|one| &one["kind_of"])
        .collect();
    assert_eq!(kinds, [1, 1], "{json:#}");
    let markdown = bench
        .parallax(&[&bounds[..], &["--format", "markdown"]].concat())
        .stdout;
    assert!(markdown.contains("by the same change as 1"), "{markdown}");
}
