//! C text into a module, as the build does it.

#![allow(dead_code, unreachable_pub)]

pub mod tokens;

use bitcode_reader::{ReadOptions, read_module};
use program_ir::Module;
use std::path::Path;
use std::process::Command;

/// Compiles a file called `name` with this text.
pub fn compile(name: &str, text: &str) -> Module {
    compile_with(name, text, &[])
}

/// With further files beside it.
pub fn compile_with(name: &str, text: &str, others: &[(&str, &str)]) -> Module {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (other, text) in others {
        std::fs::write(folder.path().join(other), text).expect("a written header");
    }
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("a written source");
    compile_file(&path)
        .unwrap_or_else(|messages| panic!("{name} must compile:\n{messages}\n{text}"))
}

/// Compiled from its own folder, so that `__FILE__` does not name the folder.
pub fn compile_file(path: &Path) -> Result<Module, String> {
    compile_file_with(path, &[])
}

/// With further arguments for the compiler.
pub fn compile_file_with(path: &Path, arguments: &[String]) -> Result<Module, String> {
    let bitcode = tempfile::NamedTempFile::new().expect("a temporary file");
    let output = Command::new("clang-22")
        .args(["-O0", "-Xclang", "-disable-O0-optnone", "-g", "-w"])
        .args(arguments)
        .args(["-emit-llvm", "-c", "-o"])
        .arg(bitcode.path())
        .arg(path.file_name().expect("a file"))
        .current_dir(path.parent().expect("in a folder"))
        .output()
        .expect("clang-22 is installed");
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let bytes = std::fs::read(bitcode.path()).expect("clang wrote it");
    Ok(read_module(&bytes, &ReadOptions::default()).expect("clang's bitcode can be read"))
}
