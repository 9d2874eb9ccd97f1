//! Verdicts of `parallax check --sequence` on mutants of modules, against native runs of all sequences over a few arguments.

use std::path::{Path, PathBuf};
use std::process::Command;

use build::toolchain::Toolchain;
use mutation::{Options, mutants, shuffled};
use program_tests::vm;

/// Calls after the constructor.
const LENGTH: &str = "3";

/// Mutants of each module. `SEQUENCES` names another number.
const MUTANTS: usize = 3;

struct Module {
    name: &'static str,
    handle: &'static str,
    /// The arguments that are enumerated.
    settings: &'static str,
}

const MODULES: [Module; 2] = [
    Module {
        name: "search_tree",
        handle: "tree",
        settings: "[sequence.tree]
leave_out = [\"tree_free\"]
[sequence.tree.assume]
tree_insert = \"key >= 0 && key < 3\"
tree_remove = \"key >= 0 && key < 3\"
tree_contains = \"key >= 0 && key < 3\"
tree_least = \"otherwise == 7\"
",
    },
    Module {
        name: "bounded_stack",
        handle: "stack",
        settings: "[sequence.stack]
leave_out = [\"stack_free\", \"stack_equals\"]
[sequence.stack.assume]
stack_push = \"item == 0 || item == 1\"
stack_remove = \"item == 0 || item == 1\"
stack_contains = \"item == 0 || item == 1\"
stack_top = \"otherwise == 7\"
",
    },
];

#[test]
fn verdicts_on_sequences_hold() {
    let most = std::env::var("SEQUENCES").map_or(MUTANTS, |text| text.parse().unwrap());
    let (mut equivalent, mut different, mut open) = (0, 0, 0);
    for module in &MODULES {
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sequences-{}", module.name));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("parallax.toml"), module.settings).unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/modules");
        let source = root.join(module.name).join(format!("{}.c", module.name));
        let old = std::fs::read(&source).unwrap();
        std::fs::write(folder.join("old.c"), &old).unwrap();
        let before = enumerated(&folder, module, "old").expect("the module itself can be compiled");
        let all = mutants(&old, Options::default()).unwrap();
        let mut tried = 0;
        for number in shuffled(all.len(), 5) {
            let mutant = &all[number];
            if tried == most {
                break;
            }
            std::fs::write(folder.join("new.c"), mutant.apply(&old)).unwrap();
            let Some(after) = enumerated(&folder, module, "new") else {
                continue;
            };
            // What is undefined may do anything natively.
            if after.contains("crash") {
                continue;
            }
            tried += 1;
            let (status, said) = check(&folder, module);
            let (lines, others) = (before.lines(), after.lines());
            let differing = lines.zip(others).filter(|(old, new)| old != new).count();
            let what = || {
                let mutant = format!("{} {:?}", mutant.id(), mutant.line);
                format!(
                    "{} {mutant}: {differing} sequences differ\n{said}",
                    module.name
                )
            };
            println!("{}", what());
            match status {
                0 => assert_eq!(differing, 0, "{}", what()),
                1 => assert!(differing > 0, "{}", what()),
                3 => open += 1,
                _ => panic!("{}", what()),
            }
            equivalent += u64::from(status == 0);
            different += u64::from(status == 1);
        }
    }
    println!("{equivalent} equivalent, {different} different, {open} open");
    assert!(different > 0);
    assert!(open <= equivalent + different, "{open} are open");
}

/// What all sequences do; `None` if a compiler refuses the version, or finds what is not meant to be run.
fn enumerated(folder: &Path, module: &Module, version: &str) -> Option<String> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/paired/sequences");
    let program: PathBuf = folder.join(version);
    let status = Command::new(Toolchain::locate().unwrap().clang)
        .args([
            "-O1",
            "-w",
            "-Werror=uninitialized",
            "-Werror=return-type",
            "-include",
        ])
        .arg(folder.join(format!("{version}.c")))
        .arg("-o")
        .arg(&program)
        .arg(own.join(format!("{}.c", module.name)))
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    if !status.success() {
        return None;
    }
    let output = Command::new(&program).arg(LENGTH).output().unwrap();
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap())
}

fn check(folder: &Path, module: &Module) -> (i32, String) {
    let output = Command::new(vm::locate().expect("parallax is built"))
        .args(["check", "old.c", "new.c", "--sequence", module.handle])
        .args(["--length", LENGTH, "--timeout", "30s", "--first", "--fresh"])
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), said)
}
