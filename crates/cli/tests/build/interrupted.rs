//! A build that is killed half-way leaves no lock and no half-made entry, and the next one cleans up.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::support::{Bench, parallax};

/// A compiler that says when it has started, then waits to be killed.
const STUCK: &str = "#!/bin/sh
echo $$ >\"$(dirname \"$0\")/compiler.new\"
mv \"$(dirname \"$0\")/compiler.new\" \"$(dirname \"$0\")/compiler\"
read forever <\"$(dirname \"$0\")/never\"
";

#[test]
fn a_build() {
    for signal in ["INT", "TERM", "KILL"] {
        let bench = Bench::new();
        bench.write("good.c", "int main(void) { return 0; }\n");
        let stuck = bench.write_script("stuck", STUCK);
        // Nobody writes to this pipe, so reading it does not end.
        let pipe = bench.path("never");
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        // A background job of a shell ignores interrupts, and so would what it starts.
        let mut build = bench
            .command(Path::new("env"))
            .arg("--default-signal=INT,TERM")
            .arg(parallax())
            .args(["build", "good.c"])
            .env("PARALLAX_CLANG", &stuck)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let compiler = wait_for(&bench.path("compiler"), &mut build);
        send(signal, &build.id().to_string());
        assert_eq!(build.wait().unwrap().code(), None, "killed by the signal");
        send("KILL", compiler.trim());

        for kind in ["modules", "builds", "images"] {
            let entries = fs::read_dir(bench.cache().join(kind))
                .into_iter()
                .flatten()
                .count();
            assert_eq!(entries, 0, "{kind} after {signal}");
        }
        bench.build(&["good.c"]);
        bench.assert_no_leftovers();
    }
}

/// The content of a file that the build's compiler is about to rename into place.
fn wait_for(path: &Path, build: &mut Child) -> String {
    loop {
        if let Ok(text) = fs::read_to_string(path) {
            return text;
        }
        let ended = build.try_wait().unwrap();
        assert!(ended.is_none(), "the build ended without its compiler");
        std::thread::yield_now();
    }
}

fn send(signal: &str, process: &str) {
    let script = format!("kill -{signal} {process}");
    let status = Command::new("sh").args(["-c", &script]).status().unwrap();
    assert!(status.success());
}
