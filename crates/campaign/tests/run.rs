//! `parallax run`: what its report says of where a run ended, and how files get their names.

mod support;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use support::{Bench, parallax, said};

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
