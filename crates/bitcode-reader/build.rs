//! Compiles the part of the linker that LLVM offers to C++ alone.

use std::process::Command;

fn main() {
    const SOURCE: &str = "src/linking/linker.cpp";
    println!("cargo:rerun-if-changed={SOURCE}");
    // Named by llvm-sys, which has found it.
    let config = std::env::vars()
        .find(|(name, _)| name.starts_with("DEP_LLVM_") && name.ends_with("_CONFIG_PATH"))
        .map(|(_, path)| path)
        .expect("llvm-sys says where llvm-config is");
    let output = Command::new(config)
        .arg("--includedir")
        .output()
        .expect("llvm-config starts");
    let folder = String::from_utf8(output.stdout).expect("folder names are text");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-isystem")
        .flag(folder.trim())
        .file(SOURCE)
        .compile("parallax_linker");
}
