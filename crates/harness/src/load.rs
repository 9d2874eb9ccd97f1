//! Built versions in our own representation.

use std::path::{Path, PathBuf};

use anyhow::Context;
use build::{Builder, Built};
use program_ir::{File, Module};

/// A built program in our own representation.
pub fn read_module(builder: &Builder, built: &Built) -> anyhow::Result<Module> {
    let image = builder.image(built)?;
    let bytes = std::fs::read(&image)
        .with_context(|| format!("cannot read the program image `{}`", image.display()))?;
    program_ir::read_image(&bytes)
        .with_context(|| format!("cannot use the program image `{}`", image.display()))
}

/// Where a source file of a version is.
pub fn full_path(module: &Module, file: File) -> PathBuf {
    let data = &module.source.files[file];
    Path::new(&data.directory).join(&data.name)
}
