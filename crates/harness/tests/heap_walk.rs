//! Memory is compared by one walk over each heap: it tells exactly those apart that are not isomorphic.

use std::path::Path;
use std::process::Command;

use build::toolchain::Toolchain;

#[test]
fn the_walk_tells_heaps_apart_that_are_not_isomorphic() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("heap-walk");
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("program");
    let status = Command::new(Toolchain::locate().unwrap().clang)
        .args(["-O1", "-w", "-D__PARALLAX_NATIVE__", "-o"])
        .arg(&program)
        .arg(here.join("src/c_function/observe.c"))
        .arg(here.join("tests/heap_walk.c"))
        .status()
        .unwrap();
    assert!(status.success());
    let output = Command::new(&program)
        .current_dir(&folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    println!("{said}");
    assert!(output.status.success(), "{said}");
}
