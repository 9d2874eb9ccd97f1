//! From a program's source to one linked module with libc inside.
//!
//! ```text
//! Request ── parts ──> guest modules + files read ── link ──> Built ── image ──> IR image
//! ```
//!
//! A finished build leaves a manifest: the files it read, with their content hashes, and what came out.
//! The next build of the same request hashes those files again and stops there if nothing changed. (A
//! new header that would now be found earlier on the include path is not noticed, as with any compiler
//! cache.)

pub mod bitcode;
pub mod boxed;
mod c_folder;
pub mod cache;
pub mod cache_size;
pub mod cc;
pub mod compile_commands;
pub mod compiler_arguments;
pub mod error;
pub mod git;
pub mod guest_c;
pub mod host;
pub mod image;
pub mod libc;
pub mod link;
mod manifest;
pub mod native;
mod parts;
mod produce;
pub mod recipe;
pub mod revision;
pub mod rust;
mod sanitized;
pub mod source_text;
mod support;
pub mod test_program;
pub mod toolchain;
pub mod twin;
mod unit_cache;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub use c_folder::{BUILD_SYSTEMS, sources as c_sources};
use cache::{Cache, Key};
use error::{BuildError, Result};
use manifest::Manifest;
use toolchain::Toolchain;

/// What to build.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// C, Rust or bitcode files, files built by `parallax cc`, or one project folder.
    pub inputs: Vec<PathBuf>,
    /// Which program or library of a project.
    pub target: Option<String>,
    /// Additional compiler arguments for C sources, and for the Rust compiler.
    pub compiler_arguments: Vec<OsString>,
    /// Sources of Parallax's own that are linked with them.
    pub support: Vec<&'static str>,
    /// Leave out sources that do not compile for the guest instead of failing.
    pub keep_going: bool,
    /// Where relative inputs and arguments start, if not in the current folder. What is built in such a
    /// place does not name it, so the same text becomes the same module wherever it lies.
    pub folder: Option<PathBuf>,
}

impl Request {
    /// An input as this process finds it.
    fn locate(&self, input: &Path) -> PathBuf {
        match &self.folder {
            Some(folder) => folder.join(input),
            None => input.to_owned(),
        }
    }
}

/// A linked module in the cache.
#[derive(Debug, Clone)]
pub struct Built {
    pub module: PathBuf,
    /// Content hash of the module.
    pub hash: String,
    pub has_main: bool,
    /// Symbols that nothing defines; reaching one is an outcome of the run.
    pub unresolved: Vec<String>,
    pub warnings: Vec<String>,
    pub from_cache: bool,
    /// Where the names of its sources start, if the module does not say (see `Request::folder`).
    pub place: Option<PathBuf>,
}

/// The place and tools that builds share.
pub struct Builder<'a> {
    pub cache: Cache,
    pub tools: Toolchain,
    /// Told before long work.
    pub announce: &'a (dyn Fn(&str) + Sync),
    /// Naming the libc reads files, and all that is built asks for it.
    libc: OnceLock<libc::Libc>,
    reader: OnceLock<PathBuf>,
}

impl<'a> Builder<'a> {
    pub fn new(announce: &'a (dyn Fn(&str) + Sync)) -> Result<Builder<'a>> {
        let cache = Cache::locate()?;
        cache.keep_within_size();
        Ok(Builder {
            cache,
            tools: Toolchain::locate()?,
            announce,
            libc: OnceLock::new(),
            reader: OnceLock::new(),
        })
    }

    /// The guest libc, built now if it is not in the cache.
    pub fn libc(&self) -> Result<&libc::Libc> {
        if let Some(libc) = self.libc.get() {
            return Ok(libc);
        }
        let libc = libc::ensure(&self.cache, &self.tools, self.announce)?;
        Ok(self.libc.get_or_init(|| libc))
    }

    /// The program that reads bitcode.
    pub(crate) fn reader(&self) -> Result<&Path> {
        if let Some(reader) = self.reader.get() {
            return Ok(reader);
        }
        let reader = image::find_reader()?;
        Ok(self.reader.get_or_init(|| reader))
    }

    /// The linked module of a request, from the cache if nothing it was made from has changed.
    pub fn module(&self, request: &Request) -> Result<Built> {
        for input in &request.inputs {
            if !request.locate(input).exists() {
                return Err(BuildError::MissingInput {
                    path: input.clone(),
                });
            }
        }
        let libc = self.libc()?;
        let key = self.key(request, libc)?;
        if let Some(built) = manifest::find(&self.cache, &key) {
            return Ok(Built {
                place: request.folder.clone(),
                ..built
            });
        }
        let work = self.cache.work_folder()?;
        let parts = produce::produce(self, request, libc, work.path())?;
        let linked = link::link(&parts.modules, libc, self.reader()?, work.path());
        let linked = linked.map_err(|error| match request.inputs.as_slice() {
            [only] if parts.modules == [only.clone()] => bitcode::explain_failure(error, only),
            _ => error,
        })?;
        let hash = cache::hash_file(&linked.module)?;
        if let Some(image) = &linked.image {
            self.cache
                .publish(image, image::KIND, &self.image_name(&hash)?)?;
        }
        let module = self
            .cache
            .publish(&linked.module, "modules", &format!("{hash}.bc"))?;
        let manifest = Manifest::new(parts.files, parts.tools, &hash, &linked, &parts.warnings)?;
        manifest.store(&self.cache, &key)?;
        Ok(Built {
            module,
            hash,
            has_main: linked.has_main,
            unresolved: linked.unresolved,
            warnings: parts.warnings,
            from_cache: false,
            place: request.folder.clone(),
        })
    }

    /// A linked module by its content hash, if it is still in the cache.
    pub fn linked(&self, hash: &str) -> Option<PathBuf> {
        let module = self.cache.entry("modules", &format!("{hash}.bc"));
        module.is_file().then_some(module)
    }

    /// The linked module of a request that is going to be run.
    pub fn program(&self, request: &Request) -> Result<Built> {
        let built = self.module(request)?;
        if built.has_main {
            return Ok(built);
        }
        let names: Vec<_> = request
            .inputs
            .iter()
            .map(|path| format!("`{}`", path.display()))
            .collect();
        Err(BuildError::NoMain {
            inputs: names.join(", "),
        })
    }

    /// Everything a build depends on apart from the content of the files it reads.
    fn key(&self, request: &Request, libc: &libc::Libc) -> Result<String> {
        let mut key = Key::new("build 1");
        for input in &request.inputs {
            let input = request.locate(input);
            // A C file that comes or goes makes another program of a folder of C files.
            if input.is_dir() {
                for source in c_folder::sources(&input)?.unwrap_or_default() {
                    key.add_path(&source);
                }
            }
            let absolute = std::path::absolute(&input).unwrap_or(input);
            key.add_path(&absolute);
        }
        for text in &request.support {
            key.add(text);
        }
        self.add_surroundings(&mut key, request, libc)?;
        Ok(key.finish())
    }

    /// What decides how the request's inputs become modules, apart from where they lie.
    pub fn add_surroundings(
        &self,
        key: &mut Key,
        request: &Request,
        libc: &libc::Libc,
    ) -> Result<()> {
        key.add(&libc.id);
        key.add_tool(&self.tools.clang)?;
        for flag in guest_c::flags().iter().chain(rust::flags()) {
            key.add(flag);
        }
        key.add(request.target.as_deref().unwrap_or_default());
        key.add([request.keep_going.into()]);
        for argument in &request.compiler_arguments {
            key.add(argument.as_encoded_bytes());
        }
        for name in [
            "CPATH",
            "C_INCLUDE_PATH",
            "RUSTFLAGS",
            "RUSTUP_TOOLCHAIN",
            "CARGO_ENCODED_RUSTFLAGS",
        ] {
            key.add(
                std::env::var_os(name)
                    .unwrap_or_default()
                    .as_encoded_bytes(),
            );
        }
        Ok(())
    }
}
