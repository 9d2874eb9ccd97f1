//! Understands a C compiler's command line as far as it must: which sources become which objects, and
//! which arguments matter to the meaning of a source.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::error::{IoContext, Result};

/// What one compiler call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Sources to objects (`-c`).
    Compile,
    /// To an executable, library or relocatable object; sources may be among the inputs.
    Link,
    /// Preprocess, assemble, print something: no object comes out.
    Other,
}

/// The language of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
    Assembly,
    Preprocessed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// As written; `-` is standard input.
    pub name: OsString,
    pub language: Language,
}

/// A compiler call, understood.
#[derive(Debug, Clone)]
pub struct CommandLine {
    pub mode: Mode,
    pub sources: Vec<Source>,
    pub output: Option<OsString>,
    /// The arguments a guest compilation of the sources keeps. Optimisation, code generation, warnings,
    /// sanitizers and dependency files belong to the native compilation alone. A list of what is kept,
    /// not of what is dropped: an option of another compiler must not break the guest.
    pub guest_arguments: Vec<OsString>,
    /// Processor features (`-mavx2`) asked for. A guest does without them if it can: the source then
    /// takes its portable path.
    pub feature_arguments: Vec<OsString>,
    pub link_time_optimisation: bool,
    /// Static archives among the inputs of a link, as written.
    pub archives: Vec<OsString>,
    /// Names after `-l` and folders after `-L`.
    pub libraries: Vec<OsString>,
    pub library_folders: Vec<OsString>,
}

/// Options whose value is the next argument.
const WITH_VALUE: &[&str] = &[
    "--param",
    "--sysroot",
    "-A",
    "-B",
    "-D",
    "-I",
    "-L",
    "-MF",
    "-MQ",
    "-MT",
    "-T",
    "-U",
    "-V",
    "-Xanalyzer",
    "-Xassembler",
    "-Xclang",
    "-Xlinker",
    "-Xpreprocessor",
    "-arch",
    "-aux-info",
    "-b",
    "-dumpbase",
    "-dumpdir",
    "-e",
    "-framework",
    "-idirafter",
    "-imacros",
    "-imultilib",
    "-include",
    "-include-pch",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-l",
    "-mllvm",
    "-o",
    "-rpath",
    "-soname",
    "-specs",
    "-target",
    "-u",
    "-wrapper",
    "-x",
    "-z",
];

/// Options with a value that a guest compilation keeps.
const KEPT_WITH_VALUE: &[&str] = &[
    "-D",
    "-I",
    "-U",
    "-idirafter",
    "-imacros",
    "-include",
    "-iquote",
    "-isystem",
];

/// Beginnings of other options that a guest compilation keeps, because they change what the source
/// means rather than how it is compiled.
const KEPT: &[&str] = &[
    "-Wno-",
    "-ansi",
    "-fblocks",
    "-fcommon",
    "-fdollars-in-identifiers",
    "-fexec-charset=",
    "-ffreestanding",
    "-fgnu89-inline",
    "-finput-charset=",
    "-fms-extensions",
    "-fno-asm",
    "-fno-builtin",
    "-fno-common",
    "-fno-signed-char",
    "-fno-unsigned-char",
    "-fpack-struct",
    "-fshort-enums",
    "-fshort-wchar",
    "-fsigned-char",
    "-funsigned-char",
    "-fwide-exec-charset=",
    "-fwrapv",
    "-pthread",
    "-std=",
    "-trigraphs",
    "-undef",
];

/// Beginnings of options that enable instructions beyond the baseline.
const FEATURES: &[&str] = &[
    "-madx",
    "-maes",
    "-mavx",
    "-mbmi",
    "-mf16c",
    "-mfma",
    "-mgfni",
    "-mlzcnt",
    "-mmovbe",
    "-mpclmul",
    "-mpopcnt",
    "-mrdrnd",
    "-mrdseed",
    "-msha",
    "-msse",
    "-mssse",
    "-mvaes",
    "-mvpclmulqdq",
    "-mxsave",
];

/// Options that make the compiler stop before an object, or print and stop.
const NO_OBJECT: &[&str] = &[
    "--help",
    "--version",
    "-###",
    "-E",
    "-M",
    "-MM",
    "-S",
    "-dumpmachine",
    "-dumpversion",
    "-emit-llvm",
    "-fsyntax-only",
    "--analyze",
];

impl CommandLine {
    /// `arguments` without the compiler itself and with response files expanded.
    pub fn parse(arguments: &[OsString]) -> CommandLine {
        let mut line = CommandLine {
            mode: Mode::Link,
            sources: Vec::new(),
            output: None,
            guest_arguments: Vec::new(),
            feature_arguments: Vec::new(),
            link_time_optimisation: false,
            archives: Vec::new(),
            libraries: Vec::new(),
            library_folders: Vec::new(),
        };
        let mut language = None;
        let mut inputs = 0;
        let mut compile = false;
        let mut other = false;
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let text = argument.as_bytes();
            if text == b"-" || !text.starts_with(b"-") {
                inputs += 1;
                if let Some(language) = language.or_else(|| language_of(argument)) {
                    line.sources.push(Source {
                        name: argument.clone(),
                        language,
                    });
                } else if text.ends_with(b".a") {
                    line.archives.push(argument.clone());
                }
                continue;
            }
            let option = argument.to_string_lossy();
            if WITH_VALUE.contains(&&*option) {
                let Some(value) = arguments.next() else {
                    continue;
                };
                match &*option {
                    "-o" => line.output = Some(value.clone()),
                    "-l" => line.libraries.push(value.clone()),
                    "-L" => line.library_folders.push(value.clone()),
                    "-x" => language = language_named(value),
                    name if KEPT_WITH_VALUE.contains(&name) => line.keep(name, value),
                    _ => {}
                }
                continue;
            }
            match &*option {
                "-c" => compile = true,
                name if NO_OBJECT.contains(&name)
                    || name.starts_with("-print-")
                    || name.starts_with("--print-") =>
                {
                    other = true;
                }
                name if name.starts_with("-flto") => line.link_time_optimisation = true,
                name if name.starts_with("-fno-lto") => line.link_time_optimisation = false,
                _ => {}
            }
            if let Some(value) = option.strip_prefix("-o") {
                line.output = Some(value.into());
            } else if let Some(value) = option.strip_prefix("-l") {
                line.libraries.push(value.into());
            } else if option.starts_with("-L") {
                line.library_folders
                    .push(OsStr::from_bytes(&text[2..]).to_owned());
            } else if let Some(value) = option.strip_prefix("-x") {
                language = language_named(OsStr::new(value));
            } else if let Some(definitions) = option.strip_prefix("-Wp,") {
                for definition in definitions
                    .split(',')
                    .filter(|part| part.starts_with("-D") || part.starts_with("-U"))
                {
                    line.guest_arguments.push(definition.into());
                }
            } else if let Some(name) = KEPT_WITH_VALUE
                .iter()
                .find(|name| name.len() == 2 && option.starts_with(**name))
            {
                line.keep(name, OsStr::from_bytes(&text[2..]));
            } else if let Some(name) = ["-isystem", "-iquote", "-idirafter", "-include"]
                .iter()
                .find(|name| option.starts_with(**name))
            {
                line.keep(name, OsStr::from_bytes(&text[name.len()..]));
            } else if FEATURES.iter().any(|feature| option.starts_with(feature)) {
                line.feature_arguments.push(argument.clone());
            } else if KEPT.iter().any(|kept| option.starts_with(kept)) {
                line.guest_arguments.push(argument.clone());
            }
        }
        line.mode = if other || inputs == 0 {
            Mode::Other
        } else if compile {
            Mode::Compile
        } else {
            Mode::Link
        };
        line
    }

    fn keep(&mut self, option: &str, value: &OsStr) {
        // The host libc's headers must not be seen by a guest; anything below them may be.
        let folders = ["-I", "-isystem", "-iquote", "-idirafter"];
        let host = ["/usr/include", "/usr/include/x86_64-linux-gnu"];
        if folders.contains(&option)
            && host
                .iter()
                .any(|folder| Path::new(value) == Path::new(folder))
        {
            return;
        }
        self.guest_arguments.push(option.into());
        self.guest_arguments.push(value.to_owned());
    }

    /// Static archives that the link may take members from, resolved from `folder`.
    pub fn linked_archives(&self, folder: &Path) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = self.archives.iter().map(|name| folder.join(name)).collect();
        for library in &self.libraries {
            let mut name = OsString::from("lib");
            name.push(library);
            name.push(".a");
            let places = self
                .library_folders
                .iter()
                .map(|place| folder.join(place).join(&name));
            found.extend(places.into_iter().find(|path| path.is_file()));
        }
        found.retain(|path| path.is_file());
        found
    }

    /// The object a source becomes in `Mode::Compile`.
    pub fn object_of(&self, source: &Source) -> PathBuf {
        match &self.output {
            Some(output) => PathBuf::from(output),
            None => Path::new(Path::new(&source.name).file_name().unwrap_or_default())
                .with_extension("o"),
        }
    }
}

fn language_named(name: &OsStr) -> Option<Language> {
    match name.to_str()? {
        "c" => Some(Language::C),
        "c++" => Some(Language::Cpp),
        "assembler" | "assembler-with-cpp" => Some(Language::Assembly),
        "cpp-output" | "c++-cpp-output" => Some(Language::Preprocessed),
        _ => None,
    }
}

fn language_of(file: &OsStr) -> Option<Language> {
    match Path::new(file).extension()?.to_str()? {
        "c" => Some(Language::C),
        "cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" => Some(Language::Cpp),
        "s" | "S" | "sx" => Some(Language::Assembly),
        "i" | "ii" => Some(Language::Preprocessed),
        _ => None,
    }
}

/// Replaces every `@file` by the words in that file, as compilers do.
pub fn expand_response_files(arguments: &[OsString], folder: &Path) -> Result<Vec<OsString>> {
    let mut expanded = Vec::new();
    for argument in arguments {
        let file = argument
            .as_bytes()
            .strip_prefix(b"@")
            .map(|name| folder.join(OsStr::from_bytes(name)));
        match file {
            // A name that does not exist is an ordinary argument.
            Some(file) if file.is_file() => {
                let text = std::fs::read(&file).context("read", &file)?;
                expanded.extend(expand_response_files(&split_words(&text), folder)?);
            }
            _ => expanded.push(argument.clone()),
        }
    }
    Ok(expanded)
}

/// Splits text into words as a shell does: blanks separate, quotes group, a backslash escapes.
pub fn split_words(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (Some(mark), _) if byte == mark => quote = None,
            (None | Some(b'"'), b'\\') => word.get_or_insert_default().extend(bytes.next()),
            (None, b'\'' | b'"') => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (None, b' ' | b'\t' | b'\n' | b'\r') => {
                words.extend(word.take().map(OsString::from_vec))
            }
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word.map(OsString::from_vec));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> CommandLine {
        CommandLine::parse(&split_words(line.as_bytes()))
    }

    fn guest(line: &str) -> Vec<String> {
        parse(line)
            .guest_arguments
            .iter()
            .map(|argument| argument.to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn modes() {
        assert_eq!(parse("-c a.c -o a.o").mode, Mode::Compile);
        assert_eq!(parse("a.o b.o -o prog").mode, Mode::Link);
        assert_eq!(parse("a.c").mode, Mode::Link);
        assert_eq!(parse("-E a.c").mode, Mode::Other);
        assert_eq!(parse("-c -MM a.c").mode, Mode::Other);
        assert_eq!(parse("-c -MD a.c").mode, Mode::Compile);
        assert_eq!(parse("--version").mode, Mode::Other);
        assert_eq!(parse("-v").mode, Mode::Other);
        assert_eq!(parse("-print-prog-name=ld").mode, Mode::Other);
    }

    #[test]
    fn only_meaning_is_kept_for_the_guest() {
        let line = "-O2 -g -Wall -Werror -march=native -flto -fsanitize=address -MD -MF x.d -DA=1 -D B -Iinc \
                    -I /usr/include -isystem sys -std=gnu11 -fwrapv -Wno-foo -Wp,-DX,-MD,y.d -c a.c -o a.o";
        let kept = [
            "-D",
            "A=1",
            "-D",
            "B",
            "-I",
            "inc",
            "-isystem",
            "sys",
            "-std=gnu11",
            "-fwrapv",
            "-Wno-foo",
            "-DX",
        ];
        assert_eq!(guest(line), kept);
        assert!(parse(line).link_time_optimisation);
    }

    #[test]
    fn sources_and_objects() {
        let line = parse("-c dir/a.c -x c - -x assembler b.txt lib.a -Dc.c");
        let named: Vec<_> = line
            .sources
            .iter()
            .map(|source| (source.name.to_str().unwrap(), source.language))
            .collect();
        assert_eq!(named[..2], [("dir/a.c", Language::C), ("-", Language::C)]);
        assert_eq!(named[2], ("b.txt", Language::Assembly));
        assert_eq!(line.object_of(&line.sources[0]), Path::new("a.o"));
    }

    #[test]
    fn values_are_not_inputs() {
        let line = parse("-include config.c -o out.c -Xlinker x.c y.o");
        assert!(line.sources.is_empty());
        assert_eq!(line.output.as_deref(), Some(OsStr::new("out.c")));
    }

    #[test]
    fn words() {
        let words = split_words(b"-DX=\"a b\" 'c d'\\ e \"\" -DY=\\\"q\\\"\n");
        assert_eq!(words, ["-DX=a b", "c d e", "", "-DY=\"q\""]);
    }
}
