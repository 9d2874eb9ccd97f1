//! The binary form of a [`Module`]: what the build cache holds.
//!
//! The bitcode reader runs in its own process and hands its result over as an
//! image, so that no LLVM code runs in the process that uses the module, and so that
//! a cached program starts in milliseconds.

use crate::Module;

/// Changes whenever the meaning of the bytes does.
const MAGIC: &[u8; 16] = b"parallax-image-1";

#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    #[error("not a Parallax program image (or one of another version of Parallax)")]
    NotAnImage,
    #[error("damaged program image: {0}")]
    Damaged(#[from] postcard::Error),
}

pub fn write_image(module: &Module) -> Result<Vec<u8>, ImageError> {
    let bytes = postcard::to_extend(module, MAGIC.to_vec())?;
    Ok(bytes)
}

pub fn read_image(bytes: &[u8]) -> Result<Module, ImageError> {
    let body = bytes
        .strip_prefix(MAGIC.as_slice())
        .ok_or(ImageError::NotAnImage)?;
    Ok(postcard::from_bytes(body)?)
}
