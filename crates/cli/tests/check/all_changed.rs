//! `parallax check OLD NEW --all-changed`: a row for each changed function, and for callers of those with another interface.

use crate::support::Bench;

/// A patch of two functions in one file: one is the same, one differs. `main` is the program itself.
#[test]
fn each_changed_function_has_a_row_the_worst_first() {
    let bench = Bench::new();
    let common = "int untouched(int x) { return x + 1; }\n";
    bench.write(
        "old.c",
        &format!("{common}int twice(int x) {{ return x * 2; }}\nint sign(int x) {{ return x < 0 ? -1 : 1; }}\nint main(void) {{ return twice(1) + sign(1); }}\n"),
    );
    bench.write(
        "new.c",
        &format!("{common}int twice(int x) {{ return x << 1; }}\nint sign(int x) {{ return x < 0 ? -1 : x > 0; }}\nint main(void) {{ return twice(1) + sign(1); }}\n"),
    );
    let said = bench.parallax(&["check", "old.c", "new.c", "--all-changed"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let lines: Vec<&str> = said.stdout.lines().collect();
    assert_eq!(
        lines[0], "different: 2 changed functions: 1 different, 1 equivalent",
        "{}",
        said.stdout
    );
    assert!(
        lines[2].starts_with("different      sign   sign(x = 0)"),
        "{}",
        said.stdout
    );
    assert!(
        lines[3].starts_with("equivalent     twice"),
        "{}",
        said.stdout
    );
    let said = bench.parallax(&[
        "check",
        "old.c",
        "new.c",
        "--all-changed",
        "--format",
        "json",
    ]);
    let json: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(json["verdict"], "different");
    assert_eq!(json["functions"][0]["function"], "sign");
    assert_eq!(json["functions"][1]["report"]["verdict"], "equivalent");
}

/// A patch over two files: a helper takes one more argument, so its callers are looked at, up to one with the same interface. Two
/// functions have one name.
#[test]
fn callers_are_compared_up_to_the_same_interface() {
    let bench = Bench::new();
    bench.write("old/scale.c", "int scale(int x) { return x * 3; }\nstatic int step(int x) { return x + 1; }\nint up(int x) { return step(x); }\n");
    bench.write("new/scale.c", "int scale(int x, int by) { return x * by; }\nstatic int step(int x) { return x > 5 ? x + 1 : 1 + x; }\nint up(int x) { return step(x); }\n");
    let main = "int up(int);\nstatic int step(int x) { return x - 1; }\nint area(int x) { return CALL; }\nint all(int x) { return area(x) + area(x + 1); }\nint main(void) { return step(all(1)) + up(1); }\n";
    bench.write(
        "old/main.c",
        &format!("int scale(int);\n{}", main.replace("CALL", "scale(x)")),
    );
    bench.write(
        "new/main.c",
        &format!(
            "int scale(int, int);\n{}",
            main.replace("CALL", "scale(x, 3)")
        ),
    );
    let said = bench.parallax(&["check", "old", "new", "--all-changed"]);
    let words = format!("{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("equivalent     area"), "{words}");
    assert!(
        said.stdout.contains("equivalent     scale.c:step"),
        "{words}"
    );
    assert!(said.stdout.contains("different      scale"), "{words}");
    assert!(!said.stdout.contains(" all\n"), "{words}");
    assert_eq!(said.status, 1, "{words}");
}

/// Nothing is said of versions whose functions are the same, and of options that are about one function.
#[test]
fn what_cannot_be_asked_is_said() {
    let bench = Bench::new();
    bench.write(
        "old.c",
        "int f(int x) { return x; }\nint main(void) { return 0; }\n",
    );
    bench.write(
        "new.c",
        "int f(int x) { return x; }\nint main(void) { return 1; }\n",
    );
    let said = bench.parallax(&["check", "old.c", "new.c", "--all-changed"]);
    assert_eq!(said.status, 2, "{}{}", said.stdout, said.stderr);
    assert!(said.stderr.contains("but for `main`"), "{}", said.stderr);
    let said = bench.parallax(&["check", "old.c", "new.c", "--all-changed", "--fn", "f"]);
    assert_eq!(said.status, 2, "{}{}", said.stdout, said.stderr);
}
