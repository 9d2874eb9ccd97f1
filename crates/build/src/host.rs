//! Builds a program to run on the host, from the same request that the guest's module is built from.
//!
//! C files become one executable of `clang -O0`, a Rust file one of `rustc` with the guest's profile, a Cargo
//! package its own binary in a target folder of ours; what `parallax cc` has built is there already, and
//! is compiled once more for a build with sanitizers (`sanitized.rs`).
//! Each is linked with `native_harness.c`, which gives `parallax_symbolic` a native meaning. As with
//! guest modules, a build that would read the same files again is not repeated.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use super::boxed::{self, Reach};
use super::cache::{Key, hash_file};
use super::error::{BuildError, IoContext, Result};
use super::guest_c::parse_depfile;
use super::manifest::Sources;
use super::parts::Parts;
use super::{Builder, Request, c_folder, native, rust};

const KIND: &str = "native";
/// The kind of the entries of [`HARNESS`], compiled.
const HARNESSES: &str = "native-harness";
const HARNESS: &str = include_str!("native_harness.c");

/// What is added to the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instrumentation {
    Nothing,
    /// The address and undefined-behaviour sanitizers. They end the run at the errors that the VM has too;
    /// what the VM computes as x86-64 does (overflow, shifts, alignment) is let pass.
    Sanitizers,
}

/// The macro is for our own drivers, which know more of memory in the VM than natively.
pub(super) const C_FLAGS: &[&str] = &[
    "-O0",
    "-g",
    "-w",
    "-ffp-contract=off",
    "-D__PARALLAX_NATIVE__",
];
pub(super) const SANITIZERS: &[&str] = &[
    "-fno-omit-frame-pointer",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fsanitize-recover=signed-integer-overflow,shift,alignment,float-cast-overflow,enum,bool,function,\
     pointer-overflow,nonnull-attribute",
];

#[derive(Serialize, Deserialize)]
struct Made {
    sources: Sources,
    /// Content hash of the executable, which lies in the cache under that name.
    executable: String,
}

/// The kinds of input that have a native build.
enum Kind {
    C,
    RustFile,
    Package(PathBuf),
    Built(PathBuf),
    /// The C files of a folder without a build system.
    Folder(Vec<PathBuf>),
}

impl Builder<'_> {
    /// The native executable of a request.
    pub fn host_program(
        &self,
        request: &Request,
        instrumentation: Instrumentation,
    ) -> Result<PathBuf> {
        match kind(request)? {
            Kind::Built(path) => match instrumentation {
                Instrumentation::Nothing => std::path::absolute(&path).context("resolve", path),
                Instrumentation::Sanitizers => self.sanitized_program(&path),
            },
            Kind::Package(folder) => self.package(&folder, request),
            Kind::C | Kind::RustFile => self.compile_files(request, instrumentation),
            Kind::Folder(inputs) => {
                let request = Request {
                    inputs,
                    ..request.clone()
                };
                self.compile_files(&request, instrumentation)
            }
        }
    }

    /// Why there cannot be a build with sanitizers, if so.
    pub fn no_sanitizers(&self, request: &Request) -> Result<Option<String>> {
        Ok(match kind(request)? {
            Kind::C | Kind::Folder(_) => None,
            Kind::RustFile | Kind::Package(_) => {
                Some("stable Rust has no build with address sanitizer".to_owned())
            }
            // Only trying tells.
            Kind::Built(path) => self.sanitized_program(&path).err().map(|error| {
                format!("the program cannot be built again with address sanitizer: {error}")
            }),
        })
    }

    fn compile_files(
        &self,
        request: &Request,
        instrumentation: Instrumentation,
    ) -> Result<PathBuf> {
        let mut key = Key::new("native 1");
        key.add_tool(&self.tools.clang)?;
        key.add(HARNESS);
        let here = std::env::current_dir().context("find", ".")?;
        key.add_path(&here);
        for input in &request.inputs {
            key.add_path(input);
        }
        for text in &request.support {
            key.add(text);
        }
        for argument in &request.compiler_arguments {
            key.add(argument.as_encoded_bytes());
        }
        for flag in C_FLAGS.iter().chain(SANITIZERS) {
            key.add(flag);
        }
        key.add([u8::from(instrumentation == Instrumentation::Sanitizers)]);
        self.kept_program(key, |work, output, parts| {
            match is_rust(&request.inputs[0]) {
                true => self.rust_file(request, work, output, parts),
                false => self.c_files(request, instrumentation, work, output, parts),
            }
        })
    }

    /// The program that was built under this key and would be the same today, or else what `build` makes of a
    /// work folder and the name of the executable to write.
    pub(super) fn kept_program(
        &self,
        key: Key,
        build: impl FnOnce(&Path, &Path, &mut Parts) -> Result<()>,
    ) -> Result<PathBuf> {
        let record = self.cache.entry(KIND, &format!("{}.json", key.finish()));
        if let Some(made) = std::fs::read(&record)
            .ok()
            .and_then(|json| serde_json::from_slice::<Made>(&json).ok())
        {
            let executable = self.cache.entry(KIND, &made.executable);
            if executable.is_file() && made.sources.is_current() {
                self.cache.used(&record);
                self.cache.used(&executable);
                return Ok(executable);
            }
        }
        let work = self.cache.work_folder()?;
        let output = work.path().join("program");
        let mut parts = Parts::default();
        build(work.path(), &output, &mut parts)?;
        let made = Made {
            executable: hash_file(&output)?,
            sources: Sources::new(parts.files, parts.tools)?,
        };
        let executable = self.cache.publish(&output, KIND, &made.executable)?;
        let json = serde_json::to_vec_pretty(&made).expect("plain data");
        let name = record.file_name().unwrap_or_default().to_string_lossy();
        self.cache.publish_bytes(&json, KIND, &name)?;
        Ok(executable)
    }

    fn c_files(
        &self,
        request: &Request,
        instrumentation: Instrumentation,
        work: &Path,
        output: &Path,
        parts: &mut Parts,
    ) -> Result<()> {
        let extra = match instrumentation {
            Instrumentation::Nothing => &[],
            Instrumentation::Sanitizers => SANITIZERS,
        };
        let mut arguments = request.compiler_arguments.clone();
        if let Some(place) = &request.folder {
            // As in the guest's module, `__FILE__` begins where the version does.
            let mut flag = OsString::from("-fmacro-prefix-map=");
            flag.push(place);
            flag.push("/=");
            arguments.push(flag);
        }
        let mut link = self.clang_for(request);
        link.args(&request.compiler_arguments).args(extra);
        for (number, source) in request.inputs.iter().enumerate() {
            let object = work.join(format!("part-{number}.o"));
            let depfile = object.with_extension("d");
            let mut command = self.clang_for(request);
            command
                .args(&arguments)
                .args(C_FLAGS)
                .args(extra)
                .args(["-MD", "-MT", "unit", "-MF"])
                .arg(&depfile)
                .arg("-o")
                .arg(&object)
                .arg("-c")
                .arg(source);
            let reach = Reach {
                read: &[source],
                write: &[work],
                ..Reach::default()
            };
            compile(&mut command, source, reach)?;
            let rules = std::fs::read_to_string(&depfile).context("read", &depfile)?;
            for file in parse_depfile(&rules) {
                let file = request.locate(Path::new(&file));
                parts
                    .files
                    .push(std::path::absolute(&file).context("resolve", file)?);
            }
            link.arg(object);
        }
        let support = request.support.iter();
        let support: Result<Vec<PathBuf>> = support
            .map(|text| self.support_object(text, extra))
            .collect();
        let support = support?;
        link.args(&support).arg(self.harness(work)?);
        link.arg("-o").arg(output).arg("-lm");
        let reach = Reach {
            read: &support.iter().map(PathBuf::as_path).collect::<Vec<_>>(),
            write: &[work],
            ..Reach::default()
        };
        compile(&mut link, &request.inputs[0], reach)
    }

    /// Relative arguments start where the version does.
    fn clang_for(&self, request: &Request) -> Command {
        let mut clang = Command::new(&self.tools.clang);
        if let Some(folder) = &request.folder {
            clang.current_dir(folder);
        }
        clang
    }

    fn rust_file(
        &self,
        request: &Request,
        work: &Path,
        output: &Path,
        parts: &mut Parts,
    ) -> Result<()> {
        let source = &request.inputs[0];
        let depfile = work.join("program.d");
        let mut command = Command::new(rust::program("rustc")?);
        command
            .args(["--edition=2024", "--crate-type=bin", "-Cpanic=abort"])
            .args(["-Copt-level=1", "-Cdebuginfo=2"])
            .args(&request.compiler_arguments)
            .args(rust::without_place(request))
            .arg("--out-dir")
            .arg(work)
            .arg(rust::emit("dep-info", &depfile))
            .arg(rust::emit("link", output))
            .arg(link_argument(&self.harness(work)?))
            .arg(source);
        let reach = Reach {
            read: &[source],
            write: &[work],
            ..Reach::default()
        };
        compile(&mut command, source, reach)?;
        let rules = std::fs::read_to_string(&depfile).context("read", &depfile)?;
        for file in parse_depfile(&rules) {
            let file = PathBuf::from(file);
            parts
                .files
                .push(std::path::absolute(&file).context("resolve", file)?);
        }
        rust::add_toolchain(source.parent().unwrap_or(Path::new(".")), parts)
    }

    /// Cargo knows by itself what has changed.
    fn package(&self, folder: &Path, request: &Request) -> Result<PathBuf> {
        let folder = folder.canonicalize().context("resolve", folder)?;
        let binary = rust::choose_binary(&folder, request.target.as_deref())?;
        let name = rust::native_target(&folder);
        let _lock = self.cache.lock(&format!("cargo-native-{name}"))?;
        let target = self.cache.entry("cargo-native", &name);
        std::fs::create_dir_all(&target).context("create", &target)?;
        let flags: Vec<_> = request
            .compiler_arguments
            .iter()
            .map(|argument| argument.to_string_lossy().into_owned())
            .chain(rust::without_place(request))
            .collect();
        let profile = rust::PROFILE.iter().copied();
        let mut command = Command::new(rust::program("cargo")?);
        command
            .current_dir(&folder)
            .args(["rustc", "--release", "--quiet", "--bin", &binary])
            .arg("--target-dir")
            .arg(&target)
            .arg("--")
            .arg(link_argument(&self.harness(&target)?))
            .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
            .env_remove("RUSTFLAGS")
            .envs(profile.filter(|(name, _)| *name != "CARGO_PROFILE_RELEASE_LTO"));
        compile(&mut command, &folder, writing(&[&folder, &target]))?;
        Ok(target.join("release").join(binary))
    }

    /// The object that defines `parallax_symbolic`.
    pub(super) fn harness(&self, work: &Path) -> Result<PathBuf> {
        let source = work.join("native_harness.c");
        let object = work.join("native_harness.o");
        if std::fs::read(&source).is_ok_and(|text| text == HARNESS.as_bytes()) && object.is_file() {
            return Ok(object);
        }
        let compiled = self.compiled_harness()?;
        std::fs::copy(&compiled, &object).context("write", &object)?;
        std::fs::write(&source, HARNESS).context("write", &source)?;
        Ok(object)
    }

    /// The same object for all programs, in the cache.
    fn compiled_harness(&self) -> Result<PathBuf> {
        let mut key = Key::new("native harness 1");
        key.add_tool(&self.tools.clang)?;
        key.add(HARNESS);
        let name = format!("{}.o", key.finish());
        let entry = self.cache.entry(HARNESSES, &name);
        if entry.is_file() {
            return Ok(entry);
        }
        let work = self.cache.work_folder()?;
        let source = work.path().join("native_harness.c");
        let object = work.path().join("native_harness.o");
        std::fs::write(&source, HARNESS).context("write", &source)?;
        let mut command = Command::new(&self.tools.clang);
        command.args(["-O1", "-fPIC", "-c", "-o"]);
        command.arg(&object).arg(&source);
        compile(&mut command, &source, writing(&[work.path()]))?;
        self.cache.publish(&object, HARNESSES, &name)
    }
}

fn link_argument(object: &Path) -> OsString {
    let mut argument = OsString::from("-Clink-arg=");
    argument.push(object);
    argument
}

/// What a compiler may use that writes in these folders.
pub(super) fn writing<'r>(write: &'r [&'r Path]) -> Reach<'r> {
    Reach {
        write,
        ..Reach::default()
    }
}

pub(super) fn compile(command: &mut Command, file: &Path, reach: Reach<'_>) -> Result<()> {
    let result = boxed::output_of(command, reach)?;
    if result.status.success() {
        return Ok(());
    }
    Err(BuildError::DoesNotCompileNatively {
        file: file.to_owned(),
        message: boxed::with_explanation(&result.stderr),
    })
}

fn is_rust(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("rs"))
}

fn kind(request: &Request) -> Result<Kind> {
    let refuse = |path: &Path, reason: &str| {
        Err(BuildError::NoNativeBuild {
            path: path.to_owned(),
            reason: reason.to_owned(),
        })
    };
    for input in &request.inputs {
        if !input.exists() {
            return Err(BuildError::MissingInput {
                path: input.clone(),
            });
        }
    }
    let is_c = |path: &PathBuf| path.is_file() && path.extension() == Some(OsStr::new("c"));
    if request.inputs.iter().all(is_c) {
        return Ok(Kind::C);
    }
    let [input] = &request.inputs[..] else {
        return refuse(
            &request.inputs[0],
            "it is one of several inputs that are not all C files",
        );
    };
    if input.is_dir() {
        if input.join("Cargo.toml").is_file() {
            return Ok(Kind::Package(input.clone()));
        }
        return match native::find_target(input, request.target.as_deref()) {
            Ok(path) => Ok(Kind::Built(path)),
            Err(error) => match c_folder::sources(input)? {
                Some(sources) => Ok(Kind::Folder(sources)),
                None => Err(error),
            },
        };
    }
    if is_rust(input) {
        return Ok(Kind::RustFile);
    }
    let mut start = [0; 4];
    let mut file = std::fs::File::open(input).context("open", input)?;
    let length = std::io::Read::read(&mut file, &mut start).context("read", input)?;
    match &start[..length] {
        b"\x7fELF" => Ok(Kind::Built(input.clone())),
        _ => refuse(input, "it is neither a source nor an executable"),
    }
}
