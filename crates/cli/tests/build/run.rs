//! `parallax run`: what its report says of where a run ended, and how files get their names.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use crate::support::{Bench, parallax, said};

#[test]
fn the_location_is_where_the_program_called_the_library() {
    let bench = Bench::new();
    let program = "#include <stdlib.h>\nint main(void) {\n    abort();\n}\n";
    bench.write("stops.c", program);
    let report = bench.parallax(&["run", "stops.c", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&report.stdout).unwrap();
    let outcome = &report["outcome"];
    assert_eq!(outcome["kind"], "abort");
    assert_eq!(outcome["location"]["function"], "main");
    assert_eq!(outcome["location"]["line"], 3);
    let innermost = outcome["stack"][0]["file"].as_str().unwrap();
    assert!(!innermost.ends_with("stops.c"), "{innermost}");
}

#[test]
fn files_go_into_a_working_folder_whose_name_is_not_text() {
    let bench = Bench::new();
    let program = "#include <stdio.h>\nint main(void) {\n    FILE *f = fopen(\"given\", \"r\");\n    return f ? fgetc(f) : 1;\n}\n";
    bench.write("reads.c", program);
    bench.write("seven", "\x07");
    let folder = OsStr::from_bytes(b"not\xfftext");
    fs::create_dir(bench.folder().join(folder)).unwrap();
    let mut run = bench.command(parallax());
    run.args(["run", "reads.c", "--file", "seven=given", "--cwd"]);
    let said = said(run.arg(folder));
    assert_eq!(said.status, 7, "{}", said.stderr);
}

#[test]
fn a_limit_that_is_met_is_named_with_the_option_that_raises_it() {
    let bench = Bench::new();
    let program = "#include <sys/resource.h>
int main(void) {
    volatile char local[9 << 20];
    struct rlimit limit;
    local[0] = 1;
    return getrlimit(RLIMIT_STACK, &limit) ? 2 : limit.rlim_cur == 16 << 20 ? 0 : 3;
}
";
    bench.write("local.c", program);
    let met = bench.parallax(&["run", "local.c"]);
    assert_eq!(met.status, 139, "{}", met.stderr);
    assert!(met.stderr.contains("--max-stack"), "{}", met.stderr);
    let raised = bench.parallax(&["run", "local.c", "--max-stack", "16777216"]);
    assert_eq!(raised.status, 0, "{}", raised.stderr);

    let program = "static char map[1 << 20];\nint main(void) { return map[1]; }\n";
    bench.write("global.c", program);
    let met = bench.parallax(&["run", "global.c", "--max-memory", "1000000"]);
    assert_eq!(met.status, 2, "{}", met.stderr);
    assert!(met.stderr.contains("--max-memory"), "{}", met.stderr);
}

/// With musl's code for cancelling threads and for asynchronous transfers, each of these calls could end the thread, run
/// destructors and come back to `exit`: one recursion through most of the program, which graphs are slow on.
#[test]
fn reading_and_writing_brings_in_no_threads() {
    let bench = Bench::new();
    let program = "#include <stdio.h>\n#include <unistd.h>\nint main(void) { char c; read(0, &c, 1); write(1, &c, 1); \
                   close(2); return fflush(stdout); }\n";
    bench.write("p.c", program);
    let said = bench.parallax(&["debug", "ir", "p.c"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let is_function = |line: &&str| line.contains("= function") && line.ends_with('{');
    let functions = said.stdout.lines().filter(is_function).count();
    assert!(
        said.stdout.contains("\"write\"") && functions < 45,
        "{functions}"
    );
    for name in ["pthread_cancel", "__pthread_exit", "aio_cancel"] {
        assert!(!said.stdout.contains(&format!("\"{name}\"")), "{name}");
    }
    // Only a thread that cancels itself would notice.
    let program =
        "#include <pthread.h>\nint main(void) { return pthread_cancel(pthread_self()); }\n";
    bench.write("p.c", program);
    let said = bench.parallax(&["run", "p.c"]);
    assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
    assert!(said.stderr.contains("(pthread_cancel)"), "{}", said.stderr);
}
