//! The host libc's message texts, for the guest libc to use: a program's diagnostics must read the same in
//! the VM and natively. A small program of ours is compiled and run on the host, and prints them as C.
//!
//! The answer is kept in the cache under the identity of the host's libc, because every start needs it to
//! name the guest libc.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cache::{Cache, Key};
use crate::error::{BuildError, IoContext, Result};
use crate::toolchain::{Toolchain, run};

const PROGRAM: &str = include_str!("host_texts.c");

/// The name under which `runtime/messages.c` includes the texts.
pub const HEADER: &str = "host_texts.h";

/// Where a host keeps its libc.
const HOST_LIBC: &[&str] = &[
    "/lib/x86_64-linux-gnu/libc.so.6",
    "/lib64/libc.so.6",
    "/usr/lib/libc.so.6",
];

/// The texts as a C header.
pub fn header(cache: &Cache, tools: &Toolchain) -> Result<String> {
    let mut key = Key::new("host texts 1");
    key.add(PROGRAM);
    if let Some(libc) = HOST_LIBC.iter().map(Path::new).find(|path| path.is_file()) {
        key.add_tool(libc)?;
    }
    let name = format!("{}.h", key.finish());
    if let Ok(text) = fs::read_to_string(cache.entry("host-texts", &name)) {
        return Ok(text);
    }
    let text = ask(cache, tools)?;
    cache.publish_bytes(text.as_bytes(), "host-texts", &name)?;
    Ok(text)
}

fn ask(cache: &Cache, tools: &Toolchain) -> Result<String> {
    let work = cache.work_folder()?;
    let source: PathBuf = work.path().join("host_texts.c");
    let program = work.path().join("host_texts");
    fs::write(&source, PROGRAM).context("write", &source)?;
    let mut compile = Command::new(&tools.clang);
    compile.arg(&source).arg("-o").arg(&program);
    run(
        &mut compile,
        "compiling a native program (its host needs a C library with headers: Debian package libc6-dev)",
    )?;
    let output = run(
        &mut Command::new(&program),
        "printing the host's message texts",
    )?;
    String::from_utf8(output.stdout).map_err(|_| BuildError::UnknownInput {
        path: program,
        reason: "it printed something that is not text".to_owned(),
    })
}
