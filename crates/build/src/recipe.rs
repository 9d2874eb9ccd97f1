//! How the files of a version become a program: by the user's word, or by what the folder shows.

use std::path::{Path, PathBuf};

use super::error::Result;
use super::{c_folder, rust};

/// Paths are relative to the folder of the repository that the user stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipe {
    /// These files together.
    Sources(Vec<PathBuf>),
    /// What each version's folder is by itself: a Cargo package, a project with a build system, or C files.
    Folder,
    /// A shell command with `CC` set to `parallax cc`, then what it has built.
    Command(String),
}

/// How a folder wants to be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    Cargo,
    /// A compilation database is among the files.
    CompilationDatabase,
    Configure,
    /// Autoconf's sources, without the `configure` that is made from them.
    Autoconf,
    Make,
    CMake,
    Meson,
    /// All C files of the folder.
    CFiles,
}

/// The files that show it, in the order in which they are looked for. A `configure` comes before a Makefile, which
/// may only say that `configure` must be run.
const SHOWN_BY: [(&str, System); 12] = [
    ("Cargo.toml", System::Cargo),
    ("compile_commands.json", System::CompilationDatabase),
    ("configure", System::Configure),
    ("GNUmakefile", System::Make),
    ("makefile", System::Make),
    ("Makefile", System::Make),
    ("configure.ac", System::Autoconf),
    ("configure.in", System::Autoconf),
    ("CMakeLists.txt", System::CMake),
    ("meson.build", System::Meson),
    ("Makefile.am", System::Autoconf),
    ("Makefile.in", System::Configure),
];

impl System {
    /// What a folder is, and the file that shows it.
    pub fn of(folder: &Path) -> Result<Option<(System, PathBuf)>> {
        for (name, system) in SHOWN_BY {
            if folder.join(name).is_file() {
                return Ok(Some((system, PathBuf::from(name))));
            }
        }
        let sources = c_folder::sources(folder)?.unwrap_or_default();
        let first = sources.first().and_then(|source| source.file_name());
        Ok(first.map(|name| (System::CFiles, PathBuf::from(name))))
    }

    /// For messages and for `parallax.toml`.
    pub fn name(self) -> &'static str {
        match self {
            System::Cargo => "a Cargo package",
            System::CompilationDatabase => "a project with a compilation database",
            System::Configure => "a project with a configure script",
            System::Autoconf => "an autoconf project without its configure script",
            System::Make => "a project with a Makefile",
            System::CMake => "a CMake project",
            System::Meson => "a Meson project",
            System::CFiles => "a folder of C files",
        }
    }

    /// The shell command that builds it, with `CC` set to `parallax cc`. Some need none: their sources say enough.
    pub fn command(self, jobs: usize) -> Option<String> {
        let make = |more: &str| match jobs {
            ..=1 => format!("make{more}"),
            // A Makefile that does not say what depends on what may need one job after the other.
            _ => format!("{{ make -j{jobs}{more} || make{more}; }}"),
        };
        Some(match self {
            System::Cargo | System::CompilationDatabase | System::CFiles => return None,
            // An assignment in a Makefile is stronger than the environment, and a command line than both.
            System::Make => make(" CC=\"$CC\""),
            System::Configure => format!("sh ./configure && {}", make("")),
            System::Autoconf => format!(
                "{{ if [ -f autogen.sh ]; then NOCONFIGURE=1 sh ./autogen.sh; else autoreconf -fi; fi; }} && \
                 sh ./configure && {}",
                make("")
            ),
            System::CMake => format!(
                "cmake -S . -B {BUILD_FOLDER} && cmake --build {BUILD_FOLDER} --parallel {jobs}"
            ),
            System::Meson => {
                format!("meson setup {BUILD_FOLDER} && meson compile -C {BUILD_FOLDER} -j {jobs}")
            }
        })
    }

    /// The programs of a folder whose sources tell them. Where a build must tell, there are none.
    pub fn programs(self, folder: &Path) -> Result<Vec<String>> {
        match self {
            System::Cargo => rust::binaries(folder),
            System::CFiles => {
                let sources = c_folder::sources(folder)?.unwrap_or_default();
                let has_main = |source: &PathBuf| {
                    let text = std::fs::read(source).unwrap_or_default();
                    let text = String::from_utf8_lossy(&text);
                    text.lines()
                        .any(|line| line.contains("main(") && !line.starts_with([' ', '\t']))
                };
                let stem = |source: PathBuf| {
                    let stem = source.file_stem().unwrap_or_default();
                    stem.to_string_lossy().into_owned()
                };
                Ok(sources.into_iter().filter(has_main).map(stem).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// What was looked for, for who has none of it.
    pub fn looked_for() -> String {
        let mut names: Vec<&str> = SHOWN_BY.iter().map(|(name, _)| *name).collect();
        names.push("C files");
        names.join(", ")
    }
}

/// Where CMake and Meson build, in a folder of ours.
const BUILD_FOLDER: &str = "parallax-build";
