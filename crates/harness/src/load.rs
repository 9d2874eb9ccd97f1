//! Built versions in our own representation.

use std::path::{Path, PathBuf};

use build::{Builder, Built};
use program_ir::{File, Module};

use crate::error::{Error, Result, Trying};

/// A built program in our own representation.
pub fn read_module(builder: &Builder, built: &Built) -> Result<Module> {
    let image = builder.image(built)?;
    let bytes = std::fs::read(&image)
        .trying(|| format!("cannot read the program image `{}`", image.display()))?;
    let mut module = program_ir::read_image(&bytes).map_err(|source| Error::Image {
        tried: format!("cannot use the program image `{}`", image.display()),
        source,
    })?;
    if let Some(place) = &built.place {
        locate_sources(&mut module, place);
    }
    Ok(module)
}

/// Where a source file of a version is.
pub fn full_path(module: &Module, file: File) -> PathBuf {
    let data = &module.source.files[file];
    Path::new(&data.directory).join(&data.name)
}

/// Says where the sources of a module are that was built without naming its place.
fn locate_sources(module: &mut Module, place: &Path) {
    for file in module.source.files.values_mut() {
        let inside = match file.directory.as_str() {
            "." => Some(""),
            // The compiler was given a full path, which is without its folder now.
            "" => file.name.strip_prefix("./").map(|_| ""),
            directory => directory.strip_prefix("./"),
        };
        if let Some(inside) = inside {
            file.directory = match inside.is_empty() {
                true => place.display().to_string(),
                false => place.join(inside).display().to_string(),
            };
            if let Some(name) = file.name.strip_prefix("./") {
                file.name = name.to_owned();
            }
        }
    }
}
