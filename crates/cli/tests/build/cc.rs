//! `parallax cc` as the compiler of a project's own build.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::support::{Bench, assert_defines, defined, said};

const MAIN: &str = "#include <stdio.h>\nint used(int);\nint main(void) { printf(\"%d\\n\", used(20)); return 0; }\n";
const USED: &str = "int used(int x) { return 2 * x + 2; }\n";
const UNUSED: &str = "int never_linked(void) { return 1; }\n";

#[test]
fn a_make_project_with_archive_depfiles_and_warnings_as_errors() {
    let bench = Bench::new();
    bench.write("src/main.c", MAIN);
    bench.write("src/used.c", USED);
    bench.write("src/unused.c", UNUSED);
    bench.write(
        "Makefile",
        "CFLAGS = -O2 -Wall -Wextra -Werror -MD -march=native -flto -fPIC\n\
         prog: main.o libparts.a\n\t$(CC) -o $@ main.o -L. -lparts -Wl,--gc-sections\n\
         libparts.a: used.o unused.o\n\tar rcs $@ $^\n\
         %.o: src/%.c\n\t$(CC) $(CFLAGS) -c $< -o $@\n\
         -include *.d\n",
    );
    let made = bench.shell("make CC=\"$CC\" && ./prog");
    assert_eq!(made.status, 0, "{}", made.stderr);
    assert!(made.stdout.ends_with("42\n"), "{}", made.stdout);
    assert!(
        fs::read_to_string(bench.path("main.d"))
            .unwrap()
            .contains("src/main.c")
    );

    let module = bench.build(&[".", "--target", "prog"]);
    assert_defines(&module, &["main", "used", "printf"]);
    assert!(
        !defined(&module).contains(&"never_linked".to_owned()),
        "an archive member that was not pulled in"
    );
    // The archive by its library name holds both members and no program start.
    let library = bench.build(&[".", "--target", "parts"]);
    assert_defines(&library, &["used", "never_linked"]);
    assert!(!defined(&library).contains(&"__parallax_start".to_owned()));

    let unknown = bench.parallax(&["build", ".", "--target", "nothing"]);
    assert_eq!(unknown.status, 2);
    assert!(
        unknown.stderr.contains("libparts.a, prog"),
        "{}",
        unknown.stderr
    );
    bench.assert_no_leftovers();
}

/// Optimised native code inlines and does not need the archive member; the guest calls it.
#[test]
fn a_member_only_the_guest_needs() {
    let bench = Bench::new();
    bench.write("twice.h", "inline int twice(int x) { return 2 * x; }\n");
    bench.write("twice.c", "#include \"twice.h\"\nextern inline int twice(int);\nint more(void);\nint f(void) { return more(); }\n");
    bench.write("more.c", "int more(void) { return 1; }\n");
    bench.write("unused.c", UNUSED);
    bench.write(
        "main.c",
        "#include \"twice.h\"\nint main(void) { return twice(21) - 42; }\n",
    );
    let script = "$CC -O2 -c twice.c more.c unused.c main.c; ar rc libx.a twice.o more.o unused.o; \
                  $CC main.o -L. -lx -o prog; $CC main.o libx.a -o same; ./prog; ./same";
    let made = bench.shell(script);
    assert_eq!(made.status, 0, "{}", made.stderr);
    for program in ["prog", "same"] {
        let module = bench.build(&[program]);
        assert_defines(&module, &["main", "twice", "more"]);
        assert!(!defined(&module).contains(&"never_linked".to_owned()));
    }
}

#[test]
fn the_marker_survives_moving_stripping_and_relinking() {
    let bench = Bench::new();
    bench.write("main.c", MAIN);
    bench.write("used.c", USED);
    let script = "$CC -c main.c used.c; mkdir away; mv used.o away/u.o; ld -r main.o away/u.o -o both.o; \
                  $CC both.o -o prog; strip prog; ./prog";
    let made = bench.shell(script);
    assert_eq!(
        (made.status, made.stdout.as_str()),
        (0, "42\n"),
        "{}",
        made.stderr
    );
    assert_defines(&bench.build(&["prog"]), &["main", "used"]);
}

#[test]
fn one_step_compile_and_link_with_a_response_file() {
    let bench = Bench::new();
    bench.write(
        "main.c",
        "#ifndef A_B\n#error\n#endif\n#include <stdio.h>\nint main(void) { puts(A_B); }\n",
    );
    bench.write("options", "-DA_B='\"a b\"' -o 'the prog' main.c");
    let made = bench.shell("$CC -g -O1 @options; './the prog'");
    assert_eq!(
        (made.status, made.stdout.as_str()),
        (0, "a b\n"),
        "{}",
        made.stderr
    );
    assert_defines(&bench.build(&["the prog"]), &["main", "puts"]);
}

#[test]
fn a_shared_library_brings_its_guest_code() {
    let bench = Bench::new();
    bench.write("main.c", MAIN);
    bench.write("used.c", USED);
    let script = "$CC -fPIC -c used.c -o used.o; $CC -shared -Wl,-soname,libused.so.1 used.o -o libused.so.1; \
                  ln -s libused.so.1 libused.so; $CC main.c -L. -lused -Wl,-rpath,'$ORIGIN' -o prog; ./prog";
    let made = bench.shell(script);
    assert_eq!(
        (made.status, made.stdout.as_str()),
        (0, "42\n"),
        "{}",
        made.stderr
    );
    assert_defines(&bench.build(&[".", "--target", "prog"]), &["main", "used"]);
    assert_defines(&bench.build(&[".", "--target", "used"]), &["used"]);
}

/// Before C11, musl's headers define the type of streams themselves.
#[test]
fn sources_of_older_standards() {
    let bench = Bench::new();
    bench.write(
        "main.c",
        "#include <wchar.h>\n#include <stdio.h>\nint main() { return fileno(stdin) + puts(\"old\") < 0; }\n",
    );
    for standard in ["gnu89", "gnu99"] {
        let made = bench.shell(&format!("$CC -std={standard} main.c -o prog; ./prog"));
        assert_eq!(
            (made.status, made.stdout.as_str()),
            (0, "old\n"),
            "{}",
            made.stderr
        );
        assert_defines(&bench.build(&["prog"]), &["main", "puts"]);
    }
}

#[test]
fn source_from_standard_input() {
    let bench = Bench::new();
    let mut child = bench
        .command(crate::support::parallax())
        .args(["cc", "-x", "c", "-", "-o", "prog"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"int main(void) { return 3; }\n")
        .unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(bench.shell("./prog").status, 3);
    assert_defines(&bench.build(&["prog"]), &["main"]);
}

/// Calls that leave no object must be the native compiler's word for word.
#[test]
fn other_modes_are_the_native_compiler() {
    let bench = Bench::new();
    bench.write("main.c", MAIN);
    bench.write("broken.c", "int main(void) { return x; }\n");
    for arguments in [
        "--version",
        "-v",
        "-E main.c",
        "-S main.c -o -",
        "-MM main.c",
        "-fsyntax-only main.c",
        "-dumpmachine",
        "-c broken.c",
        "broken.c -o prog",
        "absent.c",
        "-Wall -Werror -c main.c -DX=1 -DX=2",
    ] {
        let ours = bench.shell(&format!("$CC {arguments}"));
        let native = bench.shell(&format!("clang-22 {arguments}"));
        assert_eq!(ours.status, native.status, "{arguments}");
        assert_eq!(ours.stdout, native.stdout, "{arguments}");
        assert_eq!(ours.stderr, native.stderr, "{arguments}");
    }
}

#[test]
fn a_source_that_only_the_host_understands() {
    let bench = Bench::new();
    // glibc has this header, musl has not: a configured project may rely on it.
    bench.write(
        "main.c",
        "#include <gnu/libc-version.h>\nint main(void) { return !*gnu_get_libc_version(); }\n",
    );
    bench.write(
        "start.s",
        ".globl assembled\nassembled: ret\n.section .note.GNU-stack,\"\",@progbits\n",
    );
    let made = bench.shell("$CC -Wall -Werror main.c start.s -o prog && ./prog");
    assert_eq!((made.status, made.stderr.as_str()), (0, ""));
    let asked = bench.parallax(&["build", "prog"]);
    assert_eq!(asked.status, 2);
    assert!(
        asked.stderr.contains("gnu/libc-version.h") && asked.stderr.contains("--keep-going"),
        "{}",
        asked.stderr
    );

    bench.write("other.c", "int main(void) { return 0; }\n");
    assert_eq!(bench.shell("$CC other.c start.s -o other").status, 0);
    let other = bench.parallax(&["build", "other"]);
    assert_eq!(other.status, 0, "{}", other.stderr);
    assert!(
        other.stderr.contains("start.s` is left out: assembly"),
        "{}",
        other.stderr
    );
}

#[test]
fn a_lost_cache_is_explained() {
    let bench = Bench::new();
    bench.write("main.c", MAIN.replace("used(20)", "42").as_str());
    assert_eq!(bench.shell("$CC main.c -o prog").status, 0);
    fs::remove_dir_all(bench.cache().join("twins")).unwrap();
    let asked = bench.parallax(&["build", "prog"]);
    assert_eq!(asked.status, 2);
    assert!(
        asked.stderr.contains("no longer in the cache"),
        "{}",
        asked.stderr
    );
}

#[test]
fn configure_probes_cost_nothing() {
    let bench = Bench::new();
    bench.write("conftest.c", "int main(void) { return 0; }\n");
    assert_eq!(
        bench
            .shell("$CC conftest.c -o conftest && ./conftest")
            .status,
        0
    );
    assert!(!bench.cache().join("twins").exists());
}

#[test]
fn a_cmake_project() {
    let bench = Bench::new();
    bench.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(demo C)\nadd_library(parts STATIC used.c unused.c)\n\
         add_executable(prog main.c)\ntarget_link_libraries(prog parts)\n",
    );
    bench.write("main.c", MAIN);
    bench.write("used.c", USED);
    bench.write("unused.c", UNUSED);
    let link = bench.path("parallax-cc");
    std::os::unix::fs::symlink(crate::support::parallax(), &link).unwrap();
    let made = said(
        bench
            .command("sh")
            .args([
                "-euc",
                "cmake -S . -B out >/dev/null && cmake --build out >/dev/null && out/prog",
            ])
            .env("CC", &link),
    );
    assert_eq!(
        (made.status, made.stdout.as_str()),
        (0, "42\n"),
        "{}",
        made.stderr
    );
    assert_defines(
        &bench.build(&["out", "--target", "prog"]),
        &["main", "used"],
    );
}
