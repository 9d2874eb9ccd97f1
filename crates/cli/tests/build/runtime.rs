//! Files of `runtime/` that stand for the host's libc, compared with the host's libc itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use build::cache::Cache;
use build::libc::host_texts;
use build::toolchain::Toolchain;

/// Compiles a driver natively, with the runtime files on its include path.
fn compile(driver: &str, flags: &[&str], folder: &Path) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/build/runtime_drivers");
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    let program = folder.join(format!("{driver}{}", flags.len()));
    // musl's internal headers, which the files include: what they need of them the driver defines.
    for header in ["libc.h", "locale_impl.h"] {
        std::fs::write(folder.join(header), "").unwrap();
    }
    let texts = host_texts::header(&Cache::at(folder), &Toolchain::locate().unwrap()).unwrap();
    std::fs::write(folder.join(host_texts::HEADER), texts).unwrap();
    let compiled = Command::new("clang-22")
        .args(["-w", "-O1", "-I"])
        .arg(runtime)
        .arg("-I")
        .arg(folder)
        .args(flags)
        .arg(tests.join(format!("{driver}.c")))
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap();
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    program
}

fn run(program: &Path) -> Output {
    Command::new(program)
        .env("LC_ALL", "C")
        .env_remove("POSIXLY_CORRECT")
        .output()
        .unwrap()
}

#[test]
fn random_numbers_sorting_and_messages() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&compile("driver", &[], folder.path()));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}

#[test]
fn option_parsing() {
    let folder = tempfile::tempdir().unwrap();
    let host = run(&compile("options", &[], folder.path())).stderr;
    let ours = run(&compile("options", &["-DOURS"], folder.path())).stderr;
    assert!(
        host.len() > 1_000_000,
        "the driver tries many argument lists"
    );
    if host != ours {
        let (host, ours) = (
            String::from_utf8_lossy(&host),
            String::from_utf8_lossy(&ours),
        );
        let (line, (host, ours)) = host
            .lines()
            .zip(ours.lines())
            .enumerate()
            .find(|(_, (host, ours))| host != ours)
            .unwrap();
        panic!("line {line}: the host says `{host}`, we say `{ours}`");
    }
}
