//! `parallax check` on versions, folders and files that it cannot use, and on programs that do not play along.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::{Bench, Said};
use serde_json::Value;

const PROGRAM: &str = r#"
#include <stdio.h>
int main(int argc, char **argv) {
    printf("%d\n", argc > 1 && argv[1][0] == 'x');
    return 0;
}
"#;

fn bench(new: &str) -> Bench {
    let bench = Bench::new();
    bench.write("old.c", PROGRAM);
    bench.write("new.c", new);
    bench
}

fn check(bench: &Bench, more: &[&str]) -> Said {
    bench.parallax(&[&["check", "old.c", "new.c", "--sym-arg", "1"], more].concat())
}

/// One message that says this; nothing on standard output.
fn refused(said: &Said, words: &[&str]) {
    assert_eq!(said.status, 2, "{}{}", said.stdout, said.stderr);
    assert_eq!(said.stdout, "");
    for words in words {
        assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
    }
    assert!(!said.stderr.contains("panicked"), "{}", said.stderr);
}

fn changed() -> String {
    PROGRAM.replace("== 'x'", "== 'y'")
}

#[test]
fn a_version_without_main() {
    let bench = bench("int helper(void) { return 1; }");
    refused(&check(&bench, &[]), &["the new version", "main"]);
    let said = bench.parallax(&["check", "new.c", "old.c", "--sym-arg", "1"]);
    refused(&said, &["the old version", "main"]);
}

/// Their behaviour can be compared; their lines cannot.
#[test]
fn versions_in_different_languages() {
    let bench = bench("");
    let same = r#"
        fn main() {
            use std::os::unix::ffi::OsStrExt;
            let word = std::env::args_os().nth(1);
            let is_x = word.is_some_and(|word| word.as_bytes().first() == Some(&b'x'));
            println!("{}", u8::from(is_x));
        }
    "#;
    bench.write("same.rs", same);
    bench.write("other.rs", &same.replace("b'x'", "b'y'"));
    let said = bench.parallax(&["check", "old.c", "same.rs", "--sym-arg", "1"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let words =
        "in different languages: their behaviour is compared, and no changed lines are named";
    assert!(said.stderr.contains(words), "{}", said.stderr);
    let said = bench.parallax(&["check", "old.c", "other.rs", "--sym-arg", "1"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("seen natively"), "{}", said.stdout);
    assert!(!said.stdout.contains("changed lines"), "{}", said.stdout);
}

#[test]
fn an_empty_change_is_equivalent_at_once() {
    let bench = bench(&PROGRAM.replace("int main", "/* the same */ int main"));
    let said = check(&bench, &[]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout.contains("equivalent: nothing has changed"),
        "{}",
        said.stdout
    );
    assert!(!bench.path(".parallax/check/new").exists());
}

#[test]
fn an_unknown_golden_version() {
    let bench = bench(&changed());
    refused(
        &check(&bench, &["--golden", "none.c"]),
        &["golden version", "none.c"],
    );
    bench.write("golden.c", "int main(void) { return nothing; }");
    refused(
        &check(&bench, &["--golden", "golden.c"]),
        &["golden version", "golden.c"],
    );
}

#[test]
fn folders_that_cannot_be_used() {
    let bench = bench(&changed());
    fs::create_dir(bench.path("empty")).unwrap();
    refused(
        &check(&bench, &["--seeds", "empty"]),
        &["`empty` holds no seeds", "argv"],
    );
    refused(&check(&bench, &["--seeds", "none"]), &["`none`"]);
    // A file in the way of the folder for tests.
    bench.write("file", "mine");
    refused(
        &check(&bench, &["--tests", "file/tests"]),
        &["`file/tests`"],
    );
    refused(&check(&bench, &["--tests", "file"]), &["`file`"]);
    assert_eq!(fs::read_to_string(bench.path("file")).unwrap(), "mine");
}

/// The superuser may read and write everywhere, so this says nothing there.
#[test]
fn folders_without_permission() {
    let bench = bench(&changed());
    let closed = bench.path("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let may_do_all = fs::read_dir(&closed).is_ok();
    let seeds = check(&bench, &["--seeds", "closed"]);
    let tests = check(&bench, &["--tests", "closed/tests"]);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
    if !may_do_all {
        refused(&seeds, &["`closed`"]);
        refused(&tests, &["`closed/tests`"]);
    }
}

#[test]
fn a_wrong_list_of_tests() {
    let bench = bench(&changed());
    for (text, words) in [
        ("[[test]]\ncommand = \"prog x\"\n", "command"),
        ("[[test]]\ncommand = []\n", "is empty"),
        (
            "[[test]]\ncommand = [\"prog\"]\nstdin = { file = \"none.txt\" }\n",
            "none.txt",
        ),
        ("[[tests]]\ncommand = [\"prog\"]\n", "tests"),
    ] {
        bench.write("parallax.toml", text);
        refused(&check(&bench, &[]), &["parallax.toml", words]);
    }
}

/// Versions whose output depends on more than their input are not called equivalent.
#[test]
fn programs_that_are_not_deterministic() {
    let program = r#"
        #include <stdio.h>
        #include <stdlib.h>
        #include <time.h>
        #include <unistd.h>
        int main(int argc, char **argv) {
            int twice = 2 * (argv[1][0] == 'x');
            if (argv[1][0] == 'y') printf("%ld\n", (long)WHAT);
            return twice;
        }
    "#;
    for (what, words) in [
        ("time(0)", "depends on the time"),
        ("getpid()", "depends on the process number"),
    ] {
        let old = program.replace("WHAT", what);
        let bench = Bench::new();
        bench.write("old.c", &old);
        bench.write(
            "new.c",
            &old.replace("2 * (argv[1][0] == 'x')", "argv[1][0] == 'x' ? 2 : 0"),
        );
        let said = check(&bench, &[]);
        assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
        for version in ["old", "new"] {
            let words = format!(
                "not deterministic: what the {version} version does {words}, as for `new y`"
            );
            assert!(said.stdout.contains(&words), "{words}: {}", said.stdout);
        }
        let said = check(&bench, &["--format", "json"]);
        let report: Value = serde_json::from_str(&said.stdout).unwrap();
        assert_eq!(
            report["nondeterministic"].as_array().unwrap().len(),
            2,
            "{report:#}"
        );
    }
}

/// A panic message has a number in it that comes from the process number. That is no dependence of the program.
/// And it names the source file, which has the new version's name in both.
#[test]
fn panics_are_deterministic() {
    let program = r#"
        fn main() {
            let word = std::env::args_os().nth(1).unwrap_or_default();
            if word.len() > 0 {
                panic!("something");
            }
        }
    "#;
    let bench = Bench::new();
    bench.write("old.rs", program);
    bench.write(
        "new.rs",
        &program.replace("word.len() > 0", "word.len() != 0"),
    );
    let said = bench.parallax(&["check", "old.rs", "new.rs", "--sym-arg", "1"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
}

/// What the VM cannot vary is found by running natively twice.
#[test]
fn a_difference_in_chance_is_not_confirmed() {
    let program = r#"
        #include <stdio.h>
        #include <stdlib.h>
        int main(int argc, char **argv) {
            void *place = malloc(1 << 20);
            printf("%p\n", argv[1][0] == 'x' ? place : 0);
            return 0;
        }
    "#;
    let bench = Bench::new();
    bench.write("old.c", program);
    bench.write(
        "new.c",
        &program.replace("'x' ? place", "'x' ? (char *)place + 1"),
    );
    let said = check(&bench, &[]);
    assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout.contains("seen in the VM only"),
        "{}",
        said.stdout
    );
    assert!(said.stdout.contains("not deterministic"), "{}", said.stdout);
}

#[test]
fn a_version_that_does_not_end() {
    let bench = bench(&PROGRAM.replace(
        "printf",
        "while (argc > 1 && argv[1][0] == 'h') argc |= 2;\n    printf",
    ));
    let said = check(&bench, &["--max-steps", "100000"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let words = "   input: .parallax/check/new/001/bin/new h </dev/null\n   old: exit with status 0\n   new: does not end within 100000 instructions\n";
    assert!(said.stdout.contains(words), "{}", said.stdout);
    assert!(
        said.stdout
            .contains("how the run ends differs, seen natively"),
        "{}",
        said.stdout
    );
    let shown = bench.shell("sh .parallax/check/new/001/reproduce.sh || true");
    assert!(
        shown.stdout.contains("== new: still running after 5 s"),
        "{}",
        shown.stdout
    );
    // And both: nothing is known then.
    bench.write(
        "old.c",
        &PROGRAM.replace("printf", "while (argc > 1) argc |= 2;\n    printf"),
    );
    bench.write(
        "new.c",
        &PROGRAM.replace("printf", "while (argc > 1) argc |= 6;\n    printf"),
    );
    let said = check(&bench, &["--max-steps", "100000"]);
    assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
}

/// `parallax run … | head` ends as quietly as the program itself would.
#[test]
fn a_reader_that_has_enough() {
    let bench = Bench::new();
    bench.write(
        "yes.c",
        "#include <stdio.h>\nint main(void) { for (;;) puts(\"y\"); }\n",
    );
    let parallax = crate::support::parallax().display();
    let script = format!("{{ {parallax} run yes.c || echo status $? >&2; }} | head -n 1");
    let said = bench.shell(&script);
    assert_eq!(said.stdout, "y\n");
    assert_eq!(said.stderr, "status 141\n");
    bench.write("old.c", PROGRAM);
    bench.write("new.c", &changed());
    let script = format!("{parallax} check old.c new.c --sym-arg 1 --format json | true");
    let said = bench.shell(&script);
    assert_eq!(said.stderr, "");
}

/// The VM rounds to nearest and tracks no exception flags. Natively, both calls below change what is printed: to fail, or to say
/// that no flag is set, would be a wrong answer.
#[test]
fn rounding_modes_and_exception_flags_leave_the_answer_open() {
    let program = |odd: &str, third: &str| {
        format!(
            "#include <fenv.h>\n#include <stdio.h>\nint main(void) {{\n    int c = getchar();\n    volatile double one = 1;\n    \
             if (c == 'x') {{ {odd} }}\n    printf(\"%.20f\\n\", {third});\n    return 0;\n}}\n"
        )
    };
    for (odd, name) in [
        ("if (fesetround(FE_UPWARD)) return 1;", "fesetround"),
        (
            "one /= 3; if (fetestexcept(FE_INEXACT)) return 1;",
            "fetestexcept",
        ),
        // The mode depends on the input; behind the call, the change is executed.
        (
            "} if (fesetround((c >> 3 & 1) * FE_UPWARD)) { return 1;",
            "fesetround",
        ),
    ] {
        let bench = Bench::new();
        bench.write("old.c", &program(odd, "one / 3"));
        bench.write("new.c", &program(odd, "0 + one / 3"));
        let said = bench.parallax(&["check", "old.c", "new.c", "--sym-stdin", "1"]);
        assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
        let words = format!("({name})");
        assert!(said.stdout.contains(&words), "{}", said.stdout);
        bench.write("x", "x");
        let said = bench.parallax(&["run", "old.c", "--stdin", "x"]);
        assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
        assert!(said.stderr.contains(&words), "{}", said.stderr);
        // To nearest is what it does.
        let nearest =
            "fesetround(FE_TONEAREST); feclearexcept(FE_ALL_EXCEPT); fesetenv(FE_DFL_ENV);";
        bench.write("old.c", &program(nearest, "one / 3"));
        bench.write("new.c", &program(nearest, "0 + one / 3"));
        let said = bench.parallax(&["check", "old.c", "new.c", "--sym-stdin", "1"]);
        assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    }
}

#[test]
fn a_sandbox_for_builds_of_revisions_is_not_for_files() {
    let said = check(&bench(&changed()), &["--box-build"]);
    refused(&said, &["--box-build", "--git OLD..NEW"]);
}

/// In the VM there is nothing to remove. Where the script is run, there may be.
#[test]
fn the_script_names_what_the_program_fails_to_change_outside() {
    let program = |answer: char| {
        PROGRAM
            .replace("#include <stdio.h>", "#include <stdio.h>\n#include <unistd.h>")
            .replace(
                "    return 0;",
                "    unlink(\"/srv/precious\");\n    rename(\"../a\", \"b\");\n    access(\"inside\", R_OK);\n    return 0;",
            )
            .replace("== 'x'", &format!("== '{answer}'"))
    };
    let bench = bench(&program('y'));
    bench.write("old.c", &program('x'));
    let said = check(&bench, &[]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let script = bench.path(".parallax/check/new/001/reproduce.sh");
    let script = fs::read_to_string(script).expect("there is a script");
    for line in [
        "CAREFUL",
        "with all of your rights",
        "#   /srv/precious\n",
        "#   ../a\n",
    ] {
        assert!(script.contains(line), "{line}: {script}");
    }
    assert!(!script.contains("inside"), "{script}");
}
