//! Runs a native program on thousands of inputs: no folder for each run, one pipe for all it prints, and an end
//! for those that do not end.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::directives::Run;
use crate::outcome::Outcome;

/// What a program that prints without end is cut to.
const MAX_OUTPUT: u64 = 1 << 20;

/// What a run did; both streams are in `stdout`, in the order of writing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuickOutcome {
    Ended(Outcome),
    /// It ran for too long, or printed too much.
    Endless,
}

/// Runs `executable` with exactly this environment.
pub fn run(
    executable: &Path,
    run: &Run,
    environment: &[(&str, &str)],
    patience: Duration,
) -> io::Result<QuickOutcome> {
    let (mut reader, writer) = io::pipe()?;
    let mut command = Command::new(executable);
    command
        .args(&run.arguments)
        .env_clear()
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(writer.try_clone()?)
        .stderr(writer);
    let mut child = command.spawn()?;
    // The command holds writing ends of the pipe.
    drop(command);
    if let Some(mut pipe) = child.stdin.take() {
        // A program need not read all of its input.
        let _ = pipe.write_all(&run.stdin);
    }
    let watched = Watched::start(child, patience);
    let mut stdout = Vec::new();
    (&mut reader).take(MAX_OUTPUT).read_to_end(&mut stdout)?;
    let too_much = stdout.len() as u64 == MAX_OUTPUT;
    let (status, expired) = watched.finish(too_much)?;
    if too_much || expired {
        return Ok(QuickOutcome::Endless);
    }
    Ok(QuickOutcome::Ended(Outcome::of_process(
        std::process::Output {
            status,
            stdout,
            stderr: Vec::new(),
        },
    )))
}

/// A child and a thread that ends it when its time is over.
struct Watched {
    child: Arc<Mutex<Child>>,
    done: Arc<(Mutex<bool>, Condvar)>,
    watcher: std::thread::JoinHandle<bool>,
}

impl Watched {
    fn start(child: Child, patience: Duration) -> Watched {
        let child = Arc::new(Mutex::new(child));
        let done = Arc::new((Mutex::new(false), Condvar::new()));
        let (their_child, their_done) = (Arc::clone(&child), Arc::clone(&done));
        let deadline = Instant::now() + patience;
        let watcher = std::thread::spawn(move || {
            let (lock, signal) = &*their_done;
            let mut is_done = lock.lock().expect("no panic while it is held");
            while !*is_done {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    // It may have ended just now.
                    let _ = their_child
                        .lock()
                        .expect("no panic while it is held")
                        .kill();
                    return true;
                }
                let waited = signal.wait_timeout(is_done, left);
                is_done = waited.expect("no panic while it is held").0;
            }
            false
        });
        Watched {
            child,
            done,
            watcher,
        }
    }

    /// The status, and whether time was over.
    fn finish(self, end_now: bool) -> io::Result<(std::process::ExitStatus, bool)> {
        *self.done.0.lock().expect("no panic while it is held") = true;
        self.done.1.notify_one();
        let expired = self.watcher.join().expect("the watcher does not panic");
        let mut child = self.child.lock().expect("no panic while it is held");
        if end_now {
            child.kill()?;
        }
        Ok((child.wait()?, expired))
    }
}
