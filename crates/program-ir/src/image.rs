//! The binary form of a [`Module`]: what the build cache holds.
//!
//! The bitcode reader runs in its own process and hands its result over as an
//! image, so that no LLVM code runs in the process that uses the module, and so that
//! a cached program starts in milliseconds.

use crate::{Module, VerifyError, verify};

/// Changes whenever the meaning of the bytes does.
const MAGIC: &[u8; 16] = b"parallax-image-4";

#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    #[error("not a Parallax program image (or one of another version of Parallax)")]
    NotAnImage,
    #[error("damaged program image: {0}")]
    Damaged(#[from] postcard::Error),
    #[error("damaged program image: {0} bytes follow its end")]
    TooLong(usize),
    #[error("unsound program image: {0}")]
    Unsound(VerifyError),
}

pub fn write_image(module: &Module) -> Result<Vec<u8>, ImageError> {
    let bytes = postcard::to_extend(module, MAGIC.to_vec())?;
    Ok(bytes)
}

/// Reads an image that we wrote ourselves. Damage that shows in the encoding is an error
/// and memory use is proportional to the image, but the module is not verified.
pub fn read_image(bytes: &[u8]) -> Result<Module, ImageError> {
    let body = bytes
        .strip_prefix(MAGIC.as_slice())
        .ok_or(ImageError::NotAnImage)?;
    match postcard::take_from_bytes(body)? {
        (module, []) => Ok(module),
        (_, rest) => Err(ImageError::TooLong(rest.len())),
    }
}

/// Reads an image from anywhere: a module that comes back keeps every invariant of the
/// [verifier](crate::verify), so whatever relies on those can use it.
pub fn read_foreign_image(bytes: &[u8]) -> Result<Module, ImageError> {
    let module = read_image(bytes)?;
    match verify(&module).into_iter().next() {
        None => Ok(module),
        Some(error) => Err(ImageError::Unsound(error)),
    }
}
