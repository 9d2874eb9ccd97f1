//! Turns the inputs of a request into guest modules, each kind by its own road.

use std::ffi::OsStr;
use std::path::Path;

use super::error::{BuildError, IoContext, Result};
use super::libc::Libc;
use super::parts::{Parts, produce_c};
use super::{Builder, Request, bitcode, c_folder, compile_commands, link, native, rust};

/// Produces all modules of a request in `work` or in the cache.
pub(super) fn produce(
    builder: &Builder,
    request: &Request,
    libc: &Libc,
    work: &Path,
) -> Result<Parts> {
    let mut parts = Parts::default();
    for (number, input) in request.inputs.iter().enumerate() {
        let output = work.join(format!("part-{number}.bc"));
        let place = request.locate(input);
        if place.is_dir() {
            produce_folder(builder, request, &place, libc, work, &mut parts)?;
            continue;
        }
        match input.extension().and_then(OsStr::to_str) {
            Some("c") => produce_c(builder, request, input, libc, output, &mut parts)?,
            Some("rs") => rust::compile_file(&place, request, &output, &mut parts)?,
            _ => produce_file(builder, request, &place, &mut parts)?,
        }
    }
    for text in &request.support {
        parts.modules.push(builder.support_module(text, libc)?);
    }
    Ok(parts)
}

fn produce_folder(
    builder: &Builder,
    request: &Request,
    folder: &Path,
    libc: &Libc,
    work: &Path,
    parts: &mut Parts,
) -> Result<()> {
    if folder.join("Cargo.toml").is_file() {
        return rust::compile_package(builder, folder, request, work, parts);
    }
    if folder.join("compile_commands.json").is_file() {
        return compile_commands::compile(builder, folder, request, libc, work, parts);
    }
    let program = match native::find_target(folder, request.target.as_deref()) {
        Err(error) if error.nothing_was_built() => {
            let sources = c_folder::sources(folder)?.ok_or(error)?;
            return c_folder::compile(builder, folder, &sources, request, libc, work, parts);
        }
        result => result?,
    };
    native::collect(builder, &program, request.keep_going, parts)
}

/// A file known by its content: bitcode, or something `parallax cc` has built.
fn produce_file(
    builder: &Builder,
    request: &Request,
    path: &Path,
    parts: &mut Parts,
) -> Result<()> {
    let mut start = [0; 4];
    let mut file = std::fs::File::open(path).context("open", path)?;
    let length = std::io::Read::read(&mut file, &mut start).context("read", path)?;
    let start = &start[..length];
    let named_bitcode = path.extension().is_some_and(|kind| kind == "bc");
    if named_bitcode || bitcode::is_bitcode(start) {
        bitcode::check(path)?;
        // LLVM's own opinion, in a process of its own.
        link::symbols(path, &[], &builder.tools)
            .map_err(|error| bitcode::explain_failure(error, path))?;
        parts.modules.push(path.to_owned());
        parts
            .files
            .push(std::path::absolute(path).context("resolve", path)?);
        return Ok(());
    }
    if start.starts_with(b"\x7fELF") || start.starts_with(b"!<") {
        return native::collect(builder, path, request.keep_going, parts);
    }
    Err(BuildError::UnknownInput {
        path: path.to_owned(),
        reason: "it is neither a .c or .rs source, nor LLVM bitcode, nor a program built by `parallax cc`"
            .to_owned(),
    })
}
