//! Programs that `parallax cc` has built are built once more, with sanitizers, when a memory error is to be
//! seen natively.

use crate::support::Bench;

/// Reads one byte past a block, if the first byte is the letter; the rest is in an archive.
const MAIN: &str = "#include <stdio.h>\n#include \"parts.h\"\n\
                    int main(void) { int c = getchar(); printf(\"%d\\n\", last_of(c)); return 0; }\n";
const PARTS: &str = "#include <stdlib.h>\n#include \"parts.h\"\n\
                     int last_of(int c) { char *p = calloc(4, 1); int x = p[c == 'q' ? LAST : 0]; free(p); return x; }\n";
const BUILD: &str = "for v in old new; do (cd $v; $CC -O2 -Iinclude -c main.c parts.c; rm -f lib.a; ar rc lib.a parts.o; \
                     $CC -o prog main.o lib.a -lm); done";

fn two_versions() -> Bench {
    let bench = Bench::new();
    for (version, last) in [("old", 4), ("new", 3)] {
        bench.write(&format!("{version}/main.c"), MAIN);
        bench.write(&format!("{version}/parts.c"), PARTS);
        bench.write(
            &format!("{version}/include/parts.h"),
            &format!("#define LAST {last}\nint last_of(int);\n"),
        );
    }
    let made = bench.shell(BUILD);
    assert_eq!(made.status, 0, "{}", made.stderr);
    bench
}

#[test]
fn a_memory_error_of_a_built_program_is_seen_natively() {
    let bench = two_versions();
    let checked = bench.parallax(&["check", "old/prog", "new/prog", "--sym-stdin", "1"]);
    assert_eq!(checked.status, 1, "{}{}", checked.stdout, checked.stderr);
    assert!(
        checked.stdout.contains("seen natively"),
        "{}",
        checked.stdout
    );
    bench.assert_no_leftovers();
}

/// What would be built now is not what ran in the VM.
#[test]
fn a_source_that_has_changed_since_is_refused() {
    let bench = two_versions();
    let edited = bench.shell("touch -d '1 hour' old/include/parts.h");
    assert_eq!(edited.status, 0, "{}", edited.stderr);
    let checked = bench.parallax(&["check", "old/prog", "new/prog", "--sym-stdin", "1"]);
    assert_eq!(checked.status, 3, "{}{}", checked.stdout, checked.stderr);
    let said = "parts.h` has changed since it was built";
    assert!(checked.stdout.contains(said), "{}", checked.stdout);
    bench.assert_no_leftovers();
}
