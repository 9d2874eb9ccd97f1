//! `parallax-read-bitcode INPUT --out OUTPUT [--keep SYMBOL]...`: reads a module and
//! writes it as a program image.
//!
//! `parallax-read-bitcode --link OUTPUT --start FILE --libc FILE --image IMAGE MODULE...`: links the modules of a program with libc,
//! reads what comes of it, and says on stdout `main` if the program has one and `undefined NAME` of each symbol that nothing defines.
//! A module that is linked and cannot be read has no image; who asks for one is told why.
//!
//! A program of its own, so that LLVM is loaded only where it is needed. It ends with 0
//! and the whole output in place, or with 2, one line on stderr that says what is wrong
//! and what to do, and nothing left behind; also if LLVM crashes, because the reading
//! itself happens in a child (see [`isolation`]).

mod isolation;

use bitcode_reader::{LLVM_MAJOR, LinkRequest, ReadOptions, read_module};
use isolation::{Ending, Limits};
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: parallax-read-bitcode INPUT --out OUTPUT [--keep SYMBOL]..., or \
    parallax-read-bitcode --link OUTPUT --start FILE --libc FILE --image IMAGE MODULE...";

fn main() -> ExitCode {
    let done = match parse(std::env::args_os().skip(1)) {
        Ok(Job::One {
            input,
            output,
            options,
        }) => convert(&input, &output, &options, generous_limits),
        Ok(Job::Link {
            request,
            output,
            image,
        }) => link(&request, &output, &image),
        Ok(Job::Batch) => batch().map_err(|error| format!("batch: {error}; check its input")),
        Err(problem) => Err(problem),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("parallax-read-bitcode: {problem}");
            ExitCode::from(2)
        }
    }
}

enum Job {
    One {
        input: PathBuf,
        output: PathBuf,
        options: ReadOptions,
    },
    Link {
        request: LinkRequest,
        output: PathBuf,
        image: PathBuf,
    },
    /// Undocumented, for tests that read thousands of modules: starting LLVM takes far
    /// longer than reading a small one.
    Batch,
}

fn parse(mut arguments: impl Iterator<Item = OsString>) -> Result<Job, String> {
    let (mut input, mut output) = (None, None);
    let mut options = ReadOptions::default();
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--batch") => return Ok(Job::Batch),
            Some("--link") => return parse_link(arguments),
            Some("--out") => {
                let path = arguments.next();
                output = Some(path.ok_or(format!("`--out` needs a file; {USAGE}"))?.into());
            }
            Some("--keep") => {
                let symbol = arguments.next().and_then(|name| name.into_string().ok());
                let symbol = symbol.ok_or(format!("`--keep` needs a symbol; {USAGE}"))?;
                options.keep_symbols.push(symbol);
            }
            Some(flag) if flag.starts_with("--") => {
                return Err(format!("unknown flag {flag}; {USAGE}"));
            }
            _ if input.is_none() => input = Some(argument.into()),
            _ => {
                let argument = argument.to_string_lossy();
                return Err(format!("unexpected argument `{argument}`; {USAGE}"));
            }
        }
    }
    Ok(Job::One {
        input: input.ok_or(format!("no input; {USAGE}"))?,
        output: output.ok_or(format!("no output; {USAGE}"))?,
        options,
    })
}

/// What follows `--link`.
fn parse_link(mut arguments: impl Iterator<Item = OsString>) -> Result<Job, String> {
    let file = |argument: Option<OsString>| {
        let argument = argument.ok_or(format!("a file is missing; {USAGE}"));
        argument.map(PathBuf::from)
    };
    let output = file(arguments.next())?;
    let mut request = LinkRequest::default();
    let mut image = PathBuf::new();
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--start") => request.start = file(arguments.next())?,
            Some("--libc") => request.libc = file(arguments.next())?,
            Some("--image") => image = file(arguments.next())?,
            _ => request.modules.push(argument.into()),
        }
    }
    Ok(Job::Link {
        request,
        output,
        image,
    })
}

fn link(request: &LinkRequest, output: &Path, image: &Path) -> Result<(), String> {
    let linked = bitcode_reader::link(request);
    let linked = linked.map_err(|error| format!("error: {}", in_one_line(&error.to_string())))?;
    let cannot_write = |error: io::Error| {
        let place = output.display();
        format!("error: cannot write {place}: {error}; check the folder and the space in it")
    };
    std::fs::write(output, &linked.bitcode).map_err(cannot_write)?;
    let limits = generous_limits(linked.bitcode.len() as u64);
    // Why it cannot be read is said to who asks for the image.
    let _ = isolation::run(limits, || {
        let read = image_of(&linked.bitcode, &ReadOptions::default())?;
        let mut unfinished = image.as_os_str().to_owned();
        unfinished.push(".tmp");
        std::fs::write(&unfinished, read)
            .and_then(|()| std::fs::rename(&unfinished, image))
            .map_err(|error| error.to_string())
    });
    let mut said = String::new();
    if linked.has_main {
        said.push_str("main\n");
    }
    for name in &linked.undefined {
        said.push_str(&format!("undefined {name}\n"));
    }
    let written = io::stdout().write_all(said.as_bytes());
    written.map_err(|error| format!("error: cannot say what it has linked: {error}"))
}

/// More than a hundred times what reading a module of that size takes.
fn generous_limits(module_bytes: u64) -> Limits {
    Limits {
        cpu_seconds: 20 + module_bytes / 20_000,
        memory_bytes: (2 << 30) + module_bytes * 2000,
    }
}

/// For every line `INPUT<tab>OUTPUT` on stdin, answers `ok` or the error in one line.
fn batch() -> io::Result<()> {
    let limits = |_| Limits {
        cpu_seconds: 1,
        memory_bytes: 2 << 30,
    };
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (input, output) = line.split_once('\t').ok_or(io::ErrorKind::InvalidInput)?;
        let options = ReadOptions::default();
        let done = convert(Path::new(input), Path::new(output), &options, limits);
        let answer = done.err().unwrap_or("ok".to_owned());
        let mut stdout = io::stdout().lock();
        writeln!(stdout, "{answer}")?;
        stdout.flush()?;
    }
    Ok(())
}

/// Puts the image of `input` at `output`, or leaves `output` as it was.
fn convert(
    input: &Path,
    output: &Path,
    options: &ReadOptions,
    limits: impl Fn(u64) -> Limits,
) -> Result<(), String> {
    let bytes = std::fs::read(input)
        .map_err(|error| format!("cannot read it: {error}; check the path of the module"));
    let cannot_write = |error: io::Error| {
        let place = output.display();
        format!("cannot write {place}: {error}; check the folder and the space in it")
    };
    let mut unfinished = output.as_os_str().to_owned();
    unfinished.push(format!(".{}.tmp", std::process::id()));
    let unfinished = PathBuf::from(unfinished);

    let written = bytes.and_then(|bytes| {
        let ending = isolation::run(limits(bytes.len() as u64), || {
            let image = image_of(&bytes, options)?;
            std::fs::write(&unfinished, image).map_err(cannot_write)
        });
        explain(ending)
    });
    let done = written.and_then(|()| std::fs::rename(&unfinished, output).map_err(cannot_write));
    done.map_err(|problem| {
        // Often there is none. The first error is the one to report.
        let _ = std::fs::remove_file(&unfinished);
        format!("{}: {}", input.display(), in_one_line(&problem))
    })
}

/// Messages may quote a damaged module: what would break the line or the terminal is escaped.
fn in_one_line(problem: &str) -> String {
    problem
        .chars()
        .flat_map(|c| {
            let plain = (!c.is_control()).then_some(c);
            let escaped = plain.is_none().then(|| c.escape_default());
            plain.into_iter().chain(escaped.into_iter().flatten())
        })
        .collect()
}

fn image_of(bytes: &[u8], options: &ReadOptions) -> Result<Vec<u8>, String> {
    let module = read_module(bytes, options).map_err(|error| error.to_string())?;
    if let Some(broken) = program_ir::verify(&module).first() {
        return Err(format!(
            "translated wrongly at {broken}; please report this module"
        ));
    }
    program_ir::write_image(&module)
        .map_err(|error| format!("cannot make an image: {error}; please report this module"))
}

fn explain(ending: io::Result<Ending>) -> Result<(), String> {
    match ending {
        Ok(Ending::Done) => Ok(()),
        Ok(Ending::Failed(problem)) => Err(problem),
        Ok(Ending::Panicked(words)) => Err(format!(
            "the reader failed ({words}); please report this module"
        )),
        Ok(Ending::Died { how, last_words }) => {
            let colon = if last_words.is_empty() { "" } else { ": " };
            Err(format!(
                "LLVM gave up on it ({how}{colon}{last_words}); it is probably damaged, \
                 rebuild it with clang-{LLVM_MAJOR}"
            ))
        }
        Err(error) => Err(format!(
            "cannot start a process to read it: {error}; try again"
        )),
    }
}
