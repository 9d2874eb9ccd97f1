//! Runs a program on the host with a test's input, in the surroundings that the VM gives it.
//!
//! The same are: arguments with the program's own name, environment, standard input (a pipe, as are the
//! outputs), the files of the working folder, the file creation mask. The crate `sandbox` starts it, and keeps it and all that
//! it starts in. What cannot be made the same (clock, random bytes) is listed in `docs/libc-differences.md`.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use sandbox::{End, LauncherReport, Limit, Limits, Program, Streams};

use crate::confinement::Confinement;
use crate::error::{Error, Result, Trying};
use crate::test_case::TestCase;
use build::cache::Cache;
use build::toolchain::{LLVM_MAJOR, find_program};

/// More output than this is not kept, and ends the run.
const MOST_OUTPUT: usize = 64 << 20;
/// How often a waiting run looks whether it should stop.
const PATIENCE: Duration = Duration::from_millis(50);
/// How long output may still arrive from a process that nothing confines, after its end.
const STRAGGLERS: Duration = Duration::from_secs(1);
/// How long the launcher of a run may take to end it.
const GRACE: Duration = Duration::from_secs(5);

/// How a native run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NativeEnd {
    /// As a shell reports it: the exit status, or 128 and the signal's number.
    Status(i32),
    /// It was still running at the time limit.
    TimedOut,
    /// It wrote more than is kept.
    TooMuchOutput,
    /// It used up more than a native run may.
    Limit(Limit),
    /// The user asked to stop.
    Interrupted,
    /// Something else has told its sandbox to end. The user has not: other runs go on.
    Stopped,
    /// Nothing was run, since nothing would have kept it in; see [`Confinement::Off`].
    NotRun,
}

/// What a native run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeRun {
    pub end: NativeEnd,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Regular files of the working folder that were made or changed, by relative path.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// The modes of all regular files there.
    pub modes: BTreeMap<PathBuf, u32>,
}

impl NativeRun {
    fn not_run() -> NativeRun {
        NativeRun {
            end: NativeEnd::NotRun,
            stdout: Vec::new(),
            stderr: Vec::new(),
            files: BTreeMap::new(),
            modes: BTreeMap::new(),
        }
    }
}

/// How to run.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    pub executable: &'a Path,
    /// `argv[0]` of tests that do not say theirs.
    pub program_name: &'a [u8],
    pub timeout: Duration,
    /// Whether it is a build with sanitizers, which need some settings.
    pub sanitizers: Option<Symbolize>,
    pub confinement: &'a Confinement,
    pub interrupt: &'a AtomicBool,
}

/// Whether the sanitizers name functions and lines, which takes them most of their time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbolize {
    Yes,
    No,
}

/// Gives this process, and so what it runs, the VM's file creation mask.
pub fn adopt_umask() {
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
}

/// Runs a program on the input of a test.
pub fn run(test: &TestCase, surroundings: &Surroundings) -> Result<NativeRun> {
    let level = match surroundings.confinement {
        Confinement::Kept(level) => *level,
        Confinement::Off(_) => return Ok(NativeRun::not_run()),
    };
    let mut running = sandbox::start(level, program(test, surroundings), Streams::Pipes)?;
    let (ended_by_us, stdout, stderr) = attend(&mut running.launcher, &test.stdin, surroundings)?;
    let (end, mut files, modes) = match running.finish()? {
        LauncherReport::Ran { end, files, modes } => (end, files, modes),
        LauncherReport::NotStarted(why) => return Err(Error::NotStarted(why)),
        LauncherReport::NoWalls(why) => {
            return Err(Error::NotStarted(format!(
                "cannot build the sandbox of a native run: {why}; nothing was run"
            )));
        }
    };
    let end = match (ended_by_us, end) {
        (Some(end), _) => end,
        (None, End::Exited(status)) => NativeEnd::Status(status),
        (None, End::Killed(signal)) => NativeEnd::Status(128 + signal),
        (None, End::Limit(limit)) => NativeEnd::Limit(limit),
        (None, End::Stopped) => NativeEnd::Stopped,
    };
    let modes = files.keys().cloned().zip(modes).collect();
    files.retain(|name, content| test.files.get(name) != Some(content));
    Ok(NativeRun {
        end,
        stdout,
        stderr,
        files,
        modes,
    })
}

/// What the sandbox is asked to run.
fn program(test: &TestCase, surroundings: &Surroundings) -> Program {
    let name = test.program.as_deref().unwrap_or(surroundings.program_name);
    let arguments = [name]
        .into_iter()
        .chain(test.args.iter().map(Vec::as_slice));
    let settings = surroundings.sanitizers.map(sanitizer_settings);
    let settings = settings.unwrap_or_default();
    let own = test.environment.iter();
    let mut environment: BTreeMap<Vec<u8>, Vec<u8>> = own
        .map(|(name, value)| (name.clone().into_bytes(), value.clone()))
        .collect();
    environment.extend(
        settings
            .into_iter()
            .map(|(name, value)| (name.into(), value.into_vec())),
    );
    let has_variables = !test.variables.is_empty();
    Program {
        executable: surroundings.executable.to_owned(),
        arguments: arguments.map(<[u8]>::to_vec).collect(),
        environment: environment.into_iter().collect(),
        files: test.files.clone(),
        variables: has_variables.then(|| {
            let content = test.variables_text().into_bytes();
            ("PARALLAX_VARIABLES".to_owned(), content)
        }),
        own_folders: own_folders(surroundings.executable),
        folders: None,
        limits: limits(),
    }
}

/// What a native run may use: less or more memory if the user says so, in megabytes.
fn limits() -> Limits {
    let set = std::env::var("PARALLAX_NATIVE_MEMORY").ok();
    let megabytes: Option<u64> = set.and_then(|text| text.parse().ok());
    let limits = Limits::default();
    Limits {
        memory_bytes: megabytes.map_or(limits.memory_bytes, |most| most.saturating_mul(1 << 20)),
        ..limits
    }
}

/// Where the work is: what lies there may be shown to a program that names it as its library.
fn own_folders(executable: &Path) -> Vec<PathBuf> {
    let cache = Cache::locate().ok().map(|cache| cache.root().to_owned());
    let beside = std::path::absolute(executable)
        .ok()
        .and_then(|path| Some(path.parent()?.to_owned()));
    let all = [beside, std::env::current_dir().ok(), cache];
    let all = all.into_iter().flatten();
    // Who works in the root folder does not mean all files.
    all.filter(|folder| folder.parent().is_some()).collect()
}

enum Event {
    Exited,
    Closed,
    TooMuch,
}

/// Feeds a program and collects what it writes until it ends or has to be ended; how it was ended, if so.
fn attend(
    launcher: &mut Child,
    stdin: &[u8],
    surroundings: &Surroundings,
) -> Result<(Option<NativeEnd>, Vec<u8>, Vec<u8>)> {
    let deadline = Instant::now() + surroundings.timeout;
    let pid = Pid::from_child(launcher);
    let (sender, events) = channel();
    if let Some(mut pipe) = launcher.stdin.take() {
        let stdin = stdin.to_vec();
        // A program need not read all of it. The thread ends with the pipe's other end.
        std::thread::spawn(move || {
            let _ = pipe.write_all(&stdin);
        });
    }
    let stdout = collect(launcher.stdout.take(), sender.clone());
    let stderr = collect(launcher.stderr.take(), sender.clone());
    std::thread::spawn(move || {
        // The launcher stays a zombie, so its number names no other process yet.
        let _ = waitid(
            WaitId::Pid(pid),
            WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
        );
        let _ = sender.send(Event::Exited);
    });
    let mut closed = 0;
    let mut ended_by_us = loop {
        match events.recv_timeout(PATIENCE) {
            Ok(Event::Exited) => break None,
            Ok(Event::Closed) => closed += 1,
            Ok(Event::TooMuch) => break Some(NativeEnd::TooMuchOutput),
            Err(RecvTimeoutError::Disconnected) => break None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if surroundings.interrupt.load(Ordering::Relaxed) {
            break Some(NativeEnd::Interrupted);
        }
        if Instant::now() >= deadline {
            break Some(NativeEnd::TimedOut);
        }
    };
    if ended_by_us.is_some() {
        let _ = kill_process(pid, Signal::TERM);
        closed += wait_for_end(&events, pid);
    }
    launcher
        .wait()
        .trying(|| "cannot wait for a native run".to_owned())?;
    if drain(&events, closed) {
        ended_by_us.get_or_insert(NativeEnd::TooMuchOutput);
    }
    let take = |bytes: Arc<Mutex<Vec<u8>>>| std::mem::take(&mut *bytes.lock().expect("no panic"));
    Ok((ended_by_us, take(stdout), take(stderr)))
}

/// Waits for a launcher that was told to end, and ends it if it does not; how many outputs were closed meanwhile.
fn wait_for_end(events: &Receiver<Event>, pid: Pid) -> u32 {
    let deadline = Instant::now() + GRACE;
    let mut closed = 0;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match events.recv_timeout(left) {
            Ok(Event::Exited) => return closed,
            Ok(Event::Closed | Event::TooMuch) => closed += 1,
            Err(_) => {
                let _ = kill_process(pid, Signal::KILL);
                return closed;
            }
        }
    }
}

/// Waits until both outputs are read to their end; whether one was too long.
fn drain(events: &Receiver<Event>, mut closed: u32) -> bool {
    let deadline = Instant::now() + STRAGGLERS;
    let mut too_much = false;
    while closed < 2 {
        let left = deadline.saturating_duration_since(Instant::now());
        match events.recv_timeout(left) {
            Ok(Event::Closed) => closed += 1,
            Ok(Event::TooMuch) => {
                too_much = true;
                closed += 1;
            }
            Ok(Event::Exited) => {}
            Err(_) => break,
        }
    }
    too_much
}

fn collect<R: Read + Send + 'static>(
    pipe: Option<R>,
    events: Sender<Event>,
) -> Arc<Mutex<Vec<u8>>> {
    let bytes = Arc::new(Mutex::new(Vec::new()));
    let Some(mut pipe) = pipe else {
        return bytes;
    };
    let kept = bytes.clone();
    std::thread::spawn(move || {
        let mut part = [0; 1 << 16];
        let event = loop {
            match pipe.read(&mut part) {
                Ok(0) => break Event::Closed,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => break Event::Closed,
                Ok(count) => {
                    let mut kept = kept.lock().expect("no panic");
                    if kept.len() + count > MOST_OUTPUT {
                        break Event::TooMuch;
                    }
                    kept.extend_from_slice(&part[..count]);
                }
            }
        };
        let _ = events.send(event);
    });
    bytes
}

/// The settings under which the sanitizers find most, and name lines.
pub fn sanitizer_settings(symbolize: Symbolize) -> Vec<(&'static str, std::ffi::OsString)> {
    let symbolize = u8::from(symbolize == Symbolize::Yes);
    let mut settings = vec![
        (
            "ASAN_OPTIONS",
            format!(
                "detect_stack_use_after_return=1:detect_leaks=0:abort_on_error=0:allocator_may_return_null=1:\
                 symbolize={symbolize}"
            )
            .into(),
        ),
        (
            "UBSAN_OPTIONS",
            format!("print_stacktrace=1:symbolize={symbolize}").into(),
        ),
    ];
    let symbolizer = find_program(OsStr::new(&format!("llvm-symbolizer-{LLVM_MAJOR}")));
    if let Some(symbolizer) = symbolizer {
        settings.push(("ASAN_SYMBOLIZER_PATH", symbolizer.clone().into()));
        settings.push(("UBSAN_SYMBOLIZER_PATH", symbolizer.into()));
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, timeout: Duration) -> NativeRun {
        shell_in(&Confinement::found(), script, timeout)
    }

    fn shell_in(confinement: &Confinement, script: &str, timeout: Duration) -> NativeRun {
        let test = TestCase {
            program: None,
            args: vec![b"-c".to_vec(), script.as_bytes().to_vec()],
            stdin: b"one\ntwo\n".to_vec(),
            environment: BTreeMap::from([("NAME".to_owned(), b"value".to_vec())]),
            files: BTreeMap::from([
                (PathBuf::from("kept"), b"k".to_vec()),
                (PathBuf::from("changed"), b"c".to_vec()),
            ]),
            variables: BTreeMap::new(),
            expected: None,
        };
        let interrupt = AtomicBool::new(false);
        let surroundings = Surroundings {
            executable: Path::new("/bin/sh"),
            program_name: b"our-name",
            timeout,
            sanitizers: None,
            confinement,
            interrupt: &interrupt,
        };
        run(&test, &surroundings).unwrap()
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_run_sees_the_test_and_nothing_else() {
        let run = shell(
            "cat; env | grep -v '^PWD\\|^_\\|^SHLVL\\|^OLDPWD'; echo $0 >&2; echo x >>changed; echo n >new; exit 7",
            LONG,
        );
        assert_eq!(String::from_utf8_lossy(&run.stderr), "our-name\n");
        assert_eq!(
            String::from_utf8_lossy(&run.stdout),
            "one\ntwo\nNAME=value\n"
        );
        assert_eq!(run.end, NativeEnd::Status(7));
        let files: Vec<_> = run.files.into_iter().collect();
        let expected = [
            (PathBuf::from("changed"), b"cx\n".to_vec()),
            (PathBuf::from("new"), b"n\n".to_vec()),
        ];
        assert_eq!(files, expected);
    }

    #[test]
    fn a_signal_counts_as_for_a_shell() {
        assert_eq!(shell("kill -ABRT $$", LONG).end, NativeEnd::Status(134));
    }

    /// Nothing confines this one, and its parent is the launcher.
    #[test]
    fn who_stops_its_sandbox_interrupts_nobody() {
        let confinement = Confinement::unconfined();
        let run = shell_in(&confinement, "kill -TERM $PPID; sleep 1000", LONG);
        assert_eq!(run.end, NativeEnd::Stopped);
    }

    #[test]
    fn the_whole_group_is_ended_at_the_time_limit() {
        let run = shell("sleep 1000 & sleep 1000", Duration::from_millis(100));
        assert_eq!(run.end, NativeEnd::TimedOut);
    }

    #[test]
    fn what_is_left_in_the_background_does_not_hold_the_run_up() {
        let run = shell("sleep 1000 & echo done", LONG);
        assert_eq!(run.end, NativeEnd::Status(0));
        assert_eq!(run.stdout, b"done\n");
    }

    #[test]
    fn endless_output_ends_the_run() {
        let run = shell("while :; do printf '%65536d' 1; done", LONG);
        assert_eq!(run.end, NativeEnd::TooMuchOutput);
    }
}
