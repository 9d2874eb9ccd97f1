//! `parallax run`: builds a program if needed and runs it in the machine.
//!
//! The guest sees only what it is given here: arguments, environment, standard input, and
//! copies of host files. Its output is passed on while it runs.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, IsTerminal, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use clap::Args;
use concolic_vm::linux::{Bytes, Credentials, FileConfig, FileKind, Kernel, KernelConfig};
use concolic_vm::{Limits, Machine, Outcome, StackFrame, Start};
use serde_json::json;

use super::final_files::FinalFiles;
use harness::read_module;

use super::{Format, Program, ReaderGone, announce, print};
use build::Builder;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    program: Program,
    /// The program's arguments
    #[arg(last = true)]
    arguments: Vec<OsString>,
    /// What the program reads from standard input (default: this command's, unless that is a terminal)
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// A variable of the program's environment, which is empty otherwise; may be repeated
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = pair)]
    environment: Vec<(String, String)>,
    /// Lets the program read a copy of a host file under a name of its own; may be repeated
    #[arg(long = "file", value_name = "HOST=GUEST", value_parser = pair)]
    files: Vec<(String, String)>,
    /// The program's working folder: a copy of this host folder
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Write the working folder, as the program left it, to this new folder
    #[arg(long, value_name = "DIR")]
    files_out: Option<PathBuf>,
    /// The program's own name, argv[0] (default: the file's)
    #[arg(long, value_name = "NAME")]
    arg0: Option<OsString>,
    /// Instructions after which the run is stopped
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    /// Bytes of memory the program may hold
    #[arg(long, value_name = "BYTES", default_value_t = 2 << 30)]
    max_memory: u64,
    /// Nested calls the program may make
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
    /// Bytes of local variables the program may hold, as Linux limits a stack
    #[arg(long, value_name = "BYTES", default_value_t = 8 << 20)]
    max_stack: u64,
    /// Decides the bytes of the program's random sources
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The user and group number that the program runs as
    #[arg(long, value_name = "UID:GID", value_parser = user)]
    user: Option<(u32, u32)>,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Print the number of instructions executed to stderr
    #[arg(long)]
    count: bool,
}

/// How often output is passed on.
const SLICE: u64 = 50_000_000;

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    run(arguments, Trace::Nothing)
}

/// What is written to stderr while the program runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Trace {
    Nothing,
    SystemCalls,
}

pub(super) fn run(arguments: &Arguments, trace: Trace) -> anyhow::Result<ExitCode> {
    let mut config = kernel_config(arguments)?;
    let builder = Builder::new(&announce)?;
    let built = builder.program(&arguments.program.request())?;
    let module = read_module(&builder, &built)?;
    let program = concolic_vm::Program::new(module, arguments.max_memory)?;
    if arguments.stdin.is_none() {
        config.stdin = Bytes::concrete(inherited_input());
    }
    let final_files = match &arguments.files_out {
        Some(folder) => Some(FinalFiles::prepare(folder, &config)?),
        None => None,
    };
    let mut kernel = Kernel::new(config)?;
    if trace == Trace::SystemCalls {
        kernel.record_calls();
    }
    let limits = Limits {
        steps: arguments.max_steps.unwrap_or(u64::MAX),
        depth: arguments.max_depth.unwrap_or(Limits::default().depth),
        stack_bytes: arguments.max_stack,
    };
    let mut machine = Machine::start(&program, kernel, limits, &start(arguments)).context(
        "build the program with a `main` function, or link it with the file that has one",
    )?;

    let mut passed_on = PassedOn::default();
    let mut calls_shown = 0;
    let outcome = loop {
        let outcome = machine.run_slice(SLICE);
        if arguments.format == Format::Text {
            passed_on.pass_on(machine.kernel())?;
        }
        for call in &machine.kernel().recorded_calls()[calls_shown..] {
            eprintln!("{}", crate::printable(&call.to_string()));
        }
        calls_shown = machine.kernel().recorded_calls().len();
        if let Some(outcome) = outcome {
            break outcome;
        }
    };
    if let Some(files) = final_files {
        files.write(machine.kernel())?;
    }
    match arguments.format {
        Format::Text => report(&outcome)?,
        Format::Json => print(&format!("{}\n", json_outcome(&outcome, machine.kernel())))?,
    }
    if arguments.count {
        eprintln!("parallax: {} instructions", outcome.instructions);
    }
    Ok(ExitCode::from(outcome.end.shell_status() as u8))
}

fn start(arguments: &Arguments) -> Start {
    let name = match &arguments.arg0 {
        Some(name) => name.clone(),
        None => arguments.program.inputs[0]
            .with_extension("")
            .into_os_string(),
    };
    let args = std::iter::once(&name)
        .chain(&arguments.arguments)
        .map(|arg| arg.as_bytes().to_vec())
        .collect();
    let environment = arguments
        .environment
        .iter()
        .map(|(name, value)| format!("{name}={value}").into_bytes())
        .collect();
    Start { args, environment }
}

fn kernel_config(arguments: &Arguments) -> anyhow::Result<KernelConfig> {
    let mut config = KernelConfig {
        seed: arguments.seed,
        ..KernelConfig::default()
    };
    if let Some(path) = &arguments.stdin {
        let content = std::fs::read(path)
            .with_context(|| format!("cannot read standard input from `{}`", path.display()))?;
        config.stdin = Bytes::concrete(content);
    }
    if let Some((uid, gid)) = arguments.user {
        config.credentials = Credentials {
            uid,
            gid,
            groups: vec![gid],
        };
    }
    config.limits.stack_bytes = arguments.max_stack;
    if let Some(folder) = &arguments.cwd {
        let folder = folder
            .canonicalize()
            .with_context(|| format!("cannot use `{}` as working folder", folder.display()))?;
        ensure!(
            folder.is_dir(),
            "cannot use `{}` as working folder: it is not a folder; give single files with \
             `--file HOST=GUEST`",
            folder.display()
        );
        config.working_directory = folder.as_os_str().as_bytes().to_vec();
        add_folder(&mut config.files, &folder)?;
    }
    for (host, guest) in &arguments.files {
        let content = std::fs::read(host)
            .with_context(|| format!("cannot read host file `{host}` for `--file`"))?;
        let path = Path::new(OsStr::from_bytes(&config.working_directory))
            .join(guest)
            .into_os_string()
            .into_vec();
        config
            .files
            .insert(path, FileConfig::file(Bytes::concrete(content)));
    }
    Ok(config)
}

/// This command's own standard input. It is read last: a pipe may stay open for long.
fn inherited_input() -> Vec<u8> {
    let mut bytes = Vec::new();
    if !std::io::stdin().is_terminal() {
        // A closed standard input is an empty one.
        let _ = std::io::stdin().read_to_end(&mut bytes);
    }
    bytes
}

/// A copy of a host folder, so that nothing the guest does reaches the host.
pub(super) fn add_folder(
    files: &mut BTreeMap<Vec<u8>, FileConfig>,
    folder: &Path,
) -> anyhow::Result<()> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("cannot list the folder `{}`", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let unreadable = || format!("cannot copy `{}` for the program", path.display());
        let metadata = path.symlink_metadata().with_context(unreadable)?;
        let kind = if metadata.is_symlink() {
            let target = std::fs::read_link(&path).with_context(unreadable)?;
            FileKind::Symlink(target.into_os_string().into_vec())
        } else if metadata.is_dir() {
            FileKind::Directory
        } else if metadata.is_file() {
            FileKind::File(Bytes::concrete(
                std::fs::read(&path).with_context(unreadable)?,
            ))
        } else {
            bail!(
                "cannot copy `{}` for the program: neither file, folder nor symbolic link",
                path.display()
            );
        };
        let is_folder = kind == FileKind::Directory;
        let file = FileConfig {
            kind,
            mode: metadata.permissions().mode() & 0o7777,
            owner: None,
        };
        files.insert(path.as_os_str().as_bytes().to_vec(), file);
        if is_folder {
            add_folder(files, &path)?;
        }
    }
    Ok(())
}

/// How much of the guest's output has been written.
#[derive(Default)]
struct PassedOn {
    /// Pieces of output passed on completely, and bytes of the next one.
    pieces: usize,
    within: usize,
    /// Bytes passed on, by descriptor.
    bytes: [usize; 3],
}

impl PassedOn {
    /// Writes what is new, in the order in which the program wrote it.
    fn pass_on(&mut self, kernel: &Kernel) -> anyhow::Result<()> {
        let (output, errors) = (kernel.stdout(), kernel.stderr());
        let order = kernel.output_order();
        for (number, piece) in order.iter().enumerate().skip(self.pieces) {
            if number > self.pieces {
                (self.pieces, self.within) = (number, 0);
            }
            let done = &mut self.bytes[piece.descriptor];
            let new = *done..*done + piece.length - self.within;
            if piece.descriptor == 1 {
                write_now(&mut std::io::stdout().lock(), &output.bytes()[new.clone()])
            } else {
                write_now(&mut std::io::stderr().lock(), &errors.bytes()[new.clone()])
            }
            .map_err(|error| match error.kind() {
                ErrorKind::BrokenPipe => anyhow::Error::new(ReaderGone),
                _ => anyhow::Error::new(error).context("cannot write the program's output"),
            })?;
            *done = new.end;
            self.within = piece.length;
        }
        Ok(())
    }
}

fn write_now(to: &mut impl Write, bytes: &[u8]) -> std::io::Result<()> {
    to.write_all(bytes)?;
    to.flush()
}

/// An abnormal end is described on stderr, behind what the program wrote there.
fn report(outcome: &Outcome) -> anyhow::Result<()> {
    use concolic_vm::End;
    if matches!(outcome.end, End::Exit { .. }) {
        return Ok(());
    }
    let mut text = format!("parallax: {}\n", outcome.end);
    let mut frames = outcome.stack.iter().peekable();
    let mut word = "at";
    while let Some(frame) = frames.next() {
        text += &format!("  {word} {frame}\n");
        word = "by";
        // Of calls inside libraries the innermost one tells enough.
        let mut folded = 0;
        while !frame.is_programs_own() && frames.next_if(|frame| !frame.is_programs_own()).is_some()
        {
            folded += 1;
        }
        if folded > 0 {
            text += &format!("  ({folded} more inside libraries)\n");
        }
    }
    if outcome.omitted_frames > 0 {
        text += &format!(
            "  ({} calls in between are not shown)\n",
            outcome.omitted_frames
        );
    }
    if let End::Memory(error) = &outcome.end
        && let Some(object) = &error.object
    {
        if let Some(made) = &object.made_at {
            text += &format!("  {} was made at {made}\n", object.what);
        }
        if let Some(ended) = &object.ended_at {
            text += &format!("  and ended at {ended}\n");
        }
    }
    let text = crate::printable(&text);
    std::io::stderr().lock().write_all(text.as_bytes())?;
    Ok(())
}

fn json_outcome(outcome: &Outcome, kernel: &Kernel) -> serde_json::Value {
    use concolic_vm::End;
    let frame = |frame: &StackFrame| {
        json!({
            "function": frame.function,
            "file": frame.file,
            "line": frame.line,
            "column": frame.column,
        })
    };
    let mut end = json!({
        "kind": outcome.end.kind(),
        "description": outcome.end.to_string(),
        "shell_status": outcome.end.shell_status(),
        "location": outcome.location().map(frame),
        "stack": outcome.stack.iter().map(frame).collect::<Vec<_>>(),
        "omitted_frames": outcome.omitted_frames,
    });
    match &outcome.end {
        End::Exit { status } => end["status"] = json!(status),
        End::Killed { signal } => end["signal"] = json!(signal.0),
        _ => {}
    }
    let (stdout, stderr) = (kernel.stdout(), kernel.stderr());
    json!({
        "outcome": end,
        "stdout": String::from_utf8_lossy(stdout.bytes()),
        "stdout_bytes": stdout.len(),
        "stderr": String::from_utf8_lossy(stderr.bytes()),
        "stderr_bytes": stderr.len(),
        "instructions": outcome.instructions,
    })
}

/// `NAME=VALUE`; the value may hold further `=`.
pub(super) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("two parts joined by `=` are expected".to_owned()),
    }
}

/// `UID:GID`.
fn user(text: &str) -> Result<(u32, u32), String> {
    let parse = |part: &str| {
        part.parse()
            .map_err(|_| format!("`{part}` is not a number"))
    };
    match text.split_once(':') {
        Some((uid, gid)) => Ok((parse(uid)?, parse(gid)?)),
        None => Err("two numbers joined by `:` are expected".to_owned()),
    }
}
