//! The guest libc: musl compiled to bitcode once, kept in the cache under the hash of everything it was
//! made from.
//!
//! An entry holds `host/` (what the host's libc has and musl has not), `include/` (musl's headers as
//! installed, for guest programs), `kernel/` (links to the host's Linux headers), `libc.bc` (all of libc
//! as one module, of which a link takes what it needs), `start.bc` (program start, linked whole into every
//! program) and `host_texts.h` (the host's message texts that are inside).

mod compile;
mod headers;
pub mod host_texts;
mod overlay;
pub mod source;

use std::fs;
use std::path::{Path, PathBuf};

use super::cache::{Cache, Key};
use super::error::{BuildError, IoContext, Result};
use super::toolchain::Toolchain;

/// A built guest libc.
#[derive(Debug, Clone)]
pub struct Libc {
    pub folder: PathBuf,
    /// The entry's name; part of the key of everything linked with it.
    pub id: String,
}

impl Libc {
    /// Headers that go before musl's own: a project that was configured on this host expects them.
    pub fn host_include(&self) -> PathBuf {
        self.folder.join("host")
    }

    pub fn include(&self) -> PathBuf {
        self.folder.join("include")
    }

    pub fn kernel_include(&self) -> PathBuf {
        self.folder.join("kernel")
    }

    pub fn bitcode(&self) -> PathBuf {
        self.folder.join("libc.bc")
    }

    pub fn start(&self) -> PathBuf {
        self.folder.join("start.bc")
    }
}

/// The libc if it is already built.
pub fn find(cache: &Cache, tools: &Toolchain) -> Result<Option<Libc>> {
    let id = identity(cache, tools)?;
    let folder = cache.entry("libc", &id);
    Ok(folder.is_dir().then_some(Libc { folder, id }))
}

/// The libc, built now if it is not in the cache. `announce` is called once before the long work.
pub fn ensure(cache: &Cache, tools: &Toolchain, announce: &dyn Fn(&str)) -> Result<Libc> {
    if let Some(libc) = find(cache, tools)? {
        return Ok(libc);
    }
    let _lock = cache.lock("libc")?;
    if let Some(libc) = find(cache, tools)? {
        return Ok(libc);
    }
    announce("building the guest libc (musl) to bitcode, once; this takes about a minute");
    let id = identity(cache, tools)?;
    let work = cache.work_folder()?;
    let finished = work.path().join("libc");
    let texts = host_texts::header(cache, tools)?;
    build(
        &source::folder(cache),
        &texts,
        tools,
        work.path(),
        &finished,
    )?;
    let folder = cache.publish(&finished, "libc", &id)?;
    Ok(Libc { folder, id })
}

/// Names the libc by source version, our runtime files, the host's texts, the flags, and the compiler.
fn identity(cache: &Cache, tools: &Toolchain) -> Result<String> {
    let source = source::folder(cache);
    let read = |name: &str| fs::read(source.join(name));
    let version = read("VERSION").map_err(|_| BuildError::MuslSourceMissing {
        folder: source.clone(),
    })?;
    let mut key = Key::new("libc 1");
    key.add(version);
    // The Debian revision may carry patches.
    let changelog = read("debian/changelog").unwrap_or_default();
    key.add(
        changelog
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default(),
    );
    // Stands for the LLVM release: a wrapper named in PARALLAX_CLANG makes no other libc.
    key.add_tool(&tools.llvm_link)?;
    overlay::add_to(&mut key);
    key.add(host_texts::header(cache, tools)?);
    compile::add_flags_to(&mut key);
    Ok(key.finish())
}

fn build(
    source: &Path,
    texts: &str,
    tools: &Toolchain,
    work: &Path,
    finished: &Path,
) -> Result<()> {
    fs::create_dir_all(finished).context("create", finished)?;
    let header = finished.join(host_texts::HEADER);
    fs::write(&header, texts).context("write", &header)?;
    let runtime = work.join("runtime");
    overlay::unpack(&runtime)?;
    headers::install(source, &finished.join("include"))?;
    overlay::install_host_headers(&finished.join("host"))?;
    headers::link_kernel(&finished.join("kernel"))?;
    compile::compile_all(
        &compile::Layout {
            source,
            runtime: &runtime,
            texts: finished,
            include: &finished.join("include"),
            objects: &work.join("objects"),
            generated: &work.join("generated"),
        },
        tools,
        finished,
    )
}
