//! `parallax cc`: a C compiler that behaves as the native one and also leaves guest code behind.
//!
//! The native compiler runs with the user's arguments as they are, so configure checks, warnings,
//! dependency files and links behave as ever. What is added is seen only by Parallax: after a compile,
//! one section in each object; in a link of sources, one more tiny object. A source that does not
//! compile for the guest never fails the native build; it is recorded, and reported when the program is
//! asked for.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use super::cache::Key;
use super::compiler_arguments::{CommandLine, Language, Mode, Source, expand_response_files};
use super::error::{BuildError, IoContext, Result};
use super::guest_c::{self, Unit};
use super::libc::Libc;
use super::toolchain::{find_program, run};
use super::twin::{self, Record, SECTION, Twin};
use super::{Builder, Request, unit_cache};

/// Runs one compiler call; the result is the exit status to end with.
pub fn run_compiler(arguments: &[OsString]) -> Result<i32> {
    let folder = std::env::current_dir().context("find", ".")?;
    let expanded = expand_response_files(arguments, &folder)?;
    let line = CommandLine::parse(&expanded);
    let native = native_compiler()?;
    let archives = archives_with_twins(&line, &folder);
    if !leaves_guest_code(&line, &folder, &archives) {
        let error = Command::new(&native).args(arguments).exec();
        return Err(BuildError::Io {
            action: "run",
            path: native,
            source: error,
        });
    }
    let wrapper = Wrapper::new(native, folder, line)?;
    let status = match wrapper.line.mode {
        Mode::Link => wrapper.link(arguments, archives)?,
        _ => wrapper.compile(arguments)?,
    };
    Ok(status
        .code()
        .unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
}

/// Whether this call turns sources into objects that may become part of a program.
fn leaves_guest_code(line: &CommandLine, folder: &Path, archives: &[Archive]) -> bool {
    let leaves_object = match line.mode {
        Mode::Other => false,
        Mode::Compile => line.output.as_deref() != Some(OsStr::new("/dev/null")),
        Mode::Link => true,
    };
    let is_absent = |source: &Source| source.name != "-" && !folder.join(&source.name).exists();
    leaves_object
        && !(line.sources.is_empty() && archives.is_empty())
        && !line
            .sources
            .iter()
            .any(|source| is_absent(source) || is_probe(source, folder))
}

/// A static archive and the records of its members.
struct Archive {
    path: PathBuf,
    records: Vec<String>,
}

/// The archives of a link that hold guest code. What cannot be read is the linker's to complain about.
fn archives_with_twins(line: &CommandLine, folder: &Path) -> Vec<Archive> {
    if line.mode != Mode::Link {
        return Vec::new();
    }
    let mut archives = Vec::new();
    for path in line.linked_archives(folder) {
        if let Ok(Some(native)) = twin::read_native(&path)
            && !native.records.is_empty()
        {
            archives.push(Archive {
                path,
                records: native.records,
            });
        }
    }
    archives
}

/// The compiler of the native build: `PARALLAX_CC`, else clang of our LLVM version.
fn native_compiler() -> Result<PathBuf> {
    match std::env::var_os("PARALLAX_CC").filter(|name| !name.is_empty()) {
        Some(name) => find_program(&name).ok_or_else(|| BuildError::ToolMissing {
            tool: name.to_string_lossy().into_owned(),
            package: "that provides it, or correct PARALLAX_CC",
        }),
        None => find_program(OsStr::new("clang-22")).ok_or_else(|| BuildError::ToolMissing {
            tool: "clang-22".to_owned(),
            package: "clang-22",
        }),
    }
}

/// Whether the compiler may write names of files into what it makes of a source.
fn names_files(source: &Source) -> bool {
    matches!(source.language, Language::C | Language::Cpp)
}

/// Configure scripts compile hundreds of probes that end up in no program. CMake compiles some from its own folder, so
/// where the compiler runs counts as well as where the source lies.
fn is_probe(source: &Source, folder: &Path) -> bool {
    const FOLDERS: [&str; 5] = [
        "CMakeTmp",
        "CMakeScratch",
        "CompilerIdC",
        "CompilerIdCXX",
        "meson-private",
    ];
    let path = folder.join(&source.name);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut parts = path.components().chain(folder.components());
    name.starts_with("conftest.")
        || parts.any(|part| FOLDERS.iter().any(|folder| part.as_os_str() == *folder))
}

struct Wrapper {
    native: PathBuf,
    folder: PathBuf,
    line: CommandLine,
    /// What the user piped in, if a source is `-`: both compilers need it.
    stdin: Option<Vec<u8>>,
    builder: Builder<'static>,
    libc: Libc,
    /// The folder that a version is built in, which nothing may name.
    place: Option<PathBuf>,
}

impl Wrapper {
    fn new(native: PathBuf, folder: PathBuf, line: CommandLine) -> Result<Wrapper> {
        // Silent: anything on stderr would fail a configure check.
        let builder = Builder::new(&|_| {})?;
        let libc = builder.libc()?.clone();
        let mut stdin = None;
        if line.sources.iter().any(|source| source.name == "-") {
            let mut bytes = Vec::new();
            std::io::stdin()
                .read_to_end(&mut bytes)
                .context("read", "standard input")?;
            stdin = Some(bytes);
        }
        Ok(Wrapper {
            native,
            folder,
            line,
            stdin,
            builder,
            libc,
            place: std::env::var_os(unit_cache::PLACE).map(PathBuf::from),
        })
    }

    fn compile(&self, arguments: &[OsString]) -> Result<ExitStatus> {
        let status = self.run_native(arguments, &[])?;
        if !status.success() {
            return Ok(status);
        }
        for source in &self.line.sources {
            let object = self.folder.join(self.line.object_of(source));
            let record = self.leave_twin(source)?;
            let work = self.builder.cache.work_folder()?;
            let content = work.path().join("section");
            std::fs::write(&content, twin::section_content(&[record]))
                .context("write", &content)?;
            let mut command = Command::new(&self.builder.tools.llvm_objcopy);
            command
                .arg(format!("--add-section={SECTION}={}", content.display()))
                .arg(&object);
            run(&mut command, "marking an object with its guest code")?;
        }
        Ok(status)
    }

    fn link(&self, arguments: &[OsString], archives: Vec<Archive>) -> Result<ExitStatus> {
        let mut records = Vec::new();
        for source in &self.line.sources {
            records.push(self.leave_twin(source)?);
        }
        for archive in archives {
            let record = Record {
                folder: self.folder.clone(),
                source: archive.path,
                arguments: Vec::new(),
                twin: Twin::Archive(archive.records),
            };
            records.push(twin::store(&self.builder.cache, record, None)?);
        }
        let work = self.builder.cache.work_folder()?;
        let marker = work.path().join("twins.o");
        let assembly = work.path().join("twins.s");
        let text: String = records
            .iter()
            .map(|name| format!(".ascii \"{name}\\n\"\n"))
            .collect();
        let text = format!(
            ".section {SECTION},\"\",@progbits\n{text}.section .note.GNU-stack,\"\",@progbits\n"
        );
        std::fs::write(&assembly, text).context("write", &assembly)?;
        let mut command = Command::new(&self.builder.tools.clang);
        command
            .args(["--target=x86_64-unknown-linux-gnu", "-c"])
            .arg(&assembly)
            .arg("-o")
            .arg(&marker);
        run(&mut command, "making the object that names the guest code")?;
        // `-x none`: the user's last `-x` must not apply to our object.
        self.run_native(
            arguments,
            &["-x".into(), "none".into(), marker.into_os_string()],
        )
    }

    fn run_native(&self, arguments: &[OsString], more: &[OsString]) -> Result<ExitStatus> {
        let mut command = Command::new(&self.native);
        command.args(arguments).args(more);
        if self.line.link_time_optimisation && self.line.mode == Mode::Compile {
            // An object of the compiler's intermediate code has no sections to mark.
            command.arg("-fno-lto");
        }
        if let Some(place) = &self.place
            && self.line.sources.iter().any(names_files)
        {
            command.arg(unit_cache::nowhere("-fmacro-prefix-map=", place));
        }
        let Some(bytes) = &self.stdin else {
            return command.status().context("run", &self.native);
        };
        let mut child = command
            .stdin(Stdio::piped())
            .spawn()
            .context("run", &self.native)?;
        if let Some(mut pipe) = child.stdin.take() {
            // A compiler that stops reading has its own reason, which its exit status tells.
            let _ = std::io::Write::write_all(&mut pipe, bytes);
        }
        child.wait().context("run", &self.native)
    }

    /// Compiles the guest twin and returns the name of its record.
    fn leave_twin(&self, source: &Source) -> Result<String> {
        let unsupported = |what: &str| Twin::Unsupported(format!("{what} has no guest code"));
        let work = self.builder.cache.work_folder()?;
        let output = work.path().join("twin.bc");
        let mut bitcode = None;
        let twin = match source.language {
            Language::Cpp => unsupported("C++"),
            Language::Assembly => unsupported("assembly"),
            Language::Preprocessed => unsupported("already preprocessed source"),
            Language::C => match self.compile_guest(source, &output) {
                Ok(module) => {
                    bitcode = Some(module);
                    Twin::Bitcode(String::new())
                }
                Err(BuildError::DoesNotCompile { message, .. }) => Twin::DidNotCompile(message),
                Err(other) => return Err(other),
            },
        };
        // With them the source can be compiled again.
        let mut arguments = self.line.guest_arguments.clone();
        if let Some(place) = &self.place {
            arguments.push(unit_cache::nowhere("-fmacro-prefix-map=", place));
        }
        let record = Record {
            folder: self.folder.clone(),
            source: source.name.clone().into(),
            arguments: arguments
                .iter()
                .map(|argument| argument.to_string_lossy().into_owned())
                .collect(),
            twin,
        };
        twin::store(&self.builder.cache, record, bitcode.as_deref())
    }

    /// The module, at `output` or in the cache.
    fn compile_guest(&self, source: &Source, output: &Path) -> Result<PathBuf> {
        let compile = |arguments: &[OsString]| {
            let unit = Unit {
                folder: &self.folder,
                source: &source.name,
                arguments,
                stdin: self.stdin.as_deref(),
            };
            let (builder, libc) = (&self.builder, &self.libc);
            match &self.place {
                Some(place) if self.stdin.is_none() => {
                    let key = self.unit_key(place, arguments)?;
                    let output = output.to_owned();
                    unit_cache::compile(builder, place, &unit, key, libc, output)
                        .map(|(module, _)| module)
                }
                _ => {
                    guest_c::compile(&unit, libc, &builder.tools, output).map(|_| output.to_owned())
                }
            }
        };
        let features = &self.line.feature_arguments;
        match compile(&self.line.guest_arguments) {
            Err(BuildError::DoesNotCompile { .. }) if !features.is_empty() => {
                compile(&[&self.line.guest_arguments[..], features].concat())
            }
            result => result,
        }
    }

    /// What decides a compilation besides its source. Where headers are looked for is told without the place.
    fn unit_key(&self, place: &Path, arguments: &[OsString]) -> Result<Key> {
        const FOLDERS: [&str; 5] = ["-I", "-isystem", "-iquote", "-idirafter", "-include"];
        let mut key = Key::new("unit of cc 1");
        self.builder
            .add_surroundings(&mut key, &Request::default(), &self.libc)?;
        let mut names_path = false;
        for argument in arguments {
            let text = argument.as_encoded_bytes();
            let flag = FOLDERS
                .iter()
                .find(|flag| text.starts_with(flag.as_bytes()))
                .map_or("", |flag| flag);
            let path = match names_path {
                true => argument.as_os_str(),
                false => OsStr::from_bytes(&text[flag.len()..]),
            };
            let is_path = names_path || !flag.is_empty();
            key.add(if names_path { "" } else { flag });
            match Path::new(path).strip_prefix(place) {
                Ok(inside) if is_path => key.add("in place").add_path(inside),
                _ => key.add(path.as_bytes()),
            };
            names_path = !names_path && !flag.is_empty() && path.is_empty();
        }
        Ok(key)
    }
}
