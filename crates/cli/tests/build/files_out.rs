//! `parallax run --files-out`: the working folder as the program left it, and the host's untouched.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::Bench;

const PROGRAM: &str = "#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    FILE *file = fopen(\"made/new.txt\", \"w\");
    if (!file || fputs(\"written\\n\", file) < 0 || fclose(file)) return 1;
    return unlink(\"gone.txt\") || symlink(\"kept.txt\", \"link\") || chmod(\"made\", 0500);
}
";

#[test]
fn the_working_folder_is_written_as_the_program_left_it() {
    let bench = Bench::new();
    bench.write("program.c", PROGRAM);
    bench.write("data/kept.txt", "kept");
    bench.write("data/gone.txt", "gone");
    bench.write("data/made/old.txt", "old");
    let run = ["run", "program.c", "--cwd", "data", "--files-out", "after"];
    let said = bench.parallax(&run);
    assert_eq!(said.status, 0, "{}", said.stderr);

    let read = |name: &str| fs::read_to_string(bench.path(name)).unwrap();
    assert_eq!(read("after/kept.txt"), "kept");
    assert_eq!(read("after/made/old.txt"), "old");
    assert_eq!(read("after/made/new.txt"), "written\n");
    assert!(!bench.path("after/gone.txt").exists());
    let link = fs::read_link(bench.path("after/link")).unwrap();
    assert_eq!(link.to_str(), Some("kept.txt"));
    let mode = bench.path("after/made").metadata().unwrap().permissions();
    assert_eq!(mode.mode() & 0o777, 0o500);
    // So that the folder can be removed.
    fs::set_permissions(bench.path("after/made"), fs::Permissions::from_mode(0o700)).unwrap();

    assert_eq!(read("data/gone.txt"), "gone");
    assert!(!bench.path("data/made/new.txt").exists());

    let again = bench.parallax(&run);
    assert_eq!(again.status, 2, "an existing folder is not written to");
    assert!(again.stderr.contains("`after`"), "{}", again.stderr);
    bench.assert_no_leftovers();
}
