//! Differences that need undefined behaviour say so, an example without it is preferred, and undefined behaviour in both versions is
//! no difference between them.

use crate::support::{Bench, Said};

fn check(old: &str, new: &str, more: &[&str]) -> Said {
    let bench = Bench::new();
    bench.write("old.c", old);
    bench.write("new.c", new);
    bench.parallax(&[&["check", "old.c", "new.c"], more].concat())
}

#[test]
fn a_difference_that_needs_overflow_says_so() {
    let function = |body: &str| format!("int f(int a, int b) {{ return {body}; }}\n");
    let said = check(&function("a + b > b"), &function("a > 0"), &["--fn", "f"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    let headline = said.stdout.lines().next().unwrap();
    assert!(
        headline.starts_with("different only through undefined behaviour: "),
        "{headline}"
    );
    assert!(headline.contains("signed overflow"), "{headline}");
    let named = "undefined behaviour: signed overflow at old.c:1 in f (old)";
    assert!(said.stdout.contains(named), "{}", said.stdout);
}

/// `(a + b) / 2` and `a + (b - a) / 2` differ for 1 and 0 already: what overflows is not shown.
#[test]
fn an_example_without_overflow_is_preferred() {
    let function = |body: &str| format!("int middle(int a, int b) {{ return {body}; }}\n");
    let said = check(
        &function("(a + b) / 2"),
        &function("a + (b - a) / 2"),
        &["--fn", "middle"],
    );
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(said.stdout.starts_with("different: "), "{}", said.stdout);
    assert!(
        !said.stdout.contains("undefined behaviour"),
        "{}",
        said.stdout
    );
}

const READING: &str = "#include <stdio.h>
static int table[4] = {1, 2, 3, 4};
int main(void) { int c = getchar(); BODY }
";

#[test]
fn undefined_behaviour_in_both_is_no_difference() {
    let program = |body: &str| READING.replace("BODY", body);
    let stdin = ["--sym-stdin", "1..1"];
    // Of one kind, and of two.
    for (old, new) in [
        ("return table[c] + 1;", "return 1 + table[c];"),
        (
            "int d = 9 / (c < 4); int e = table[c]; return d + e;",
            "int e = table[c]; int d = 9 / (c < 4); return d + e;",
        ),
    ] {
        let said = check(&program(old), &program(new), &stdin);
        assert_eq!(said.status, 0, "{old}\n{}", said.stdout);
        let headline = said.stdout.lines().next().unwrap();
        assert!(
            headline.contains("on which their behaviour is defined"),
            "{headline}"
        );
        let named = "undefined in both versions, which is no difference between them: ";
        assert!(said.stdout.contains(named), "{}", said.stdout);
    }
    // In one alone it is a difference.
    let said = check(
        &program("return table[c & 3];"),
        &program("return table[c & 7];"),
        &stdin,
    );
    assert_eq!(said.status, 1, "{}", said.stdout);
}

/// What is put out before it is seen.
#[test]
fn output_before_undefined_behaviour_is_not_forgotten() {
    let program = |body: &str| READING.replace("BODY", body);
    let body = "putchar(LETTER); fflush(stdout); if (c > 100) return table[c]; return 0;";
    let letter = |letter: &str| program(&body.replace("LETTER", letter));
    let said = check(
        &letter("'a'"),
        &letter("c > 100 ? 'b' : 'a'"),
        &["--sym-stdin", "1..1"],
    );
    assert_eq!(said.status, 3, "{}", said.stdout);
    assert!(
        said.stdout.contains("after different output"),
        "{}",
        said.stdout
    );
    assert!(said.stdout.contains("\nnext: "), "{}", said.stdout);
}

/// If nothing else is there, nothing was compared.
#[test]
fn undefined_behaviour_alone_is_not_equivalent() {
    let said = check(
        "int main(void) { int *p = 0; return *p; }\n",
        "int main(void) { int *p = 0; return *p + 1; }\n",
        &["--sym-stdin", "0..0"],
    );
    assert_eq!(said.status, 3, "{}", said.stdout);
}

/// The mode of a file that is written is compared natively too, and the script shows it.
#[test]
fn a_mode_that_differs_is_reproduced() {
    let program = |mode: &str| {
        format!(
            "#include <fcntl.h>\n#include <unistd.h>\nint main(void) {{ int f = open(\"o\", O_CREAT | O_WRONLY, {mode}); \
             write(f, \"x\", 1); return 0; }}\n"
        )
    };
    let bench = Bench::new();
    bench.write("old.c", &program("0644"));
    bench.write("new.c", &program("0600"));
    let said = bench.parallax(&["check", "old.c", "new.c", "--sym-stdin", "0..0"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(said.stdout.contains("seen natively"), "{}", said.stdout);
    let shown = bench.shell("sh .parallax/check/new/001/reproduce.sh || test $? = 1; echo shown");
    assert!(shown.stdout.contains("-rw-------"), "{}", shown.stdout);
}
