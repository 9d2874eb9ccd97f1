//! What a command costs in processor seconds: on a shared machine wall time says little.

use std::process::{Command, Stdio};
use std::time::Duration;

/// What this process has used so far, in all its threads.
pub fn of_this_process() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// What one run of a command cost, and what it wrote.
pub struct Measured {
    /// User and system time; at least the clock's resolution.
    pub seconds: f64,
    /// `None` if a signal ended it.
    pub status: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// As [`measure`]; a status other than 0 is an error.
pub fn measure_once(command: &mut Command) -> Result<Measured> {
    let measured = measure(command)?;
    match measured.status {
        Some(0) => Ok(measured),
        _ => Err(measured.stderr.into()),
    }
}

/// Runs a command below a shell, whose `time` knows the processor seconds of its children. Its standard
/// input is empty.
pub fn measure(command: &mut Command) -> Result<Measured> {
    let script = "TIMEFORMAT='%3U %3S'; time \"$0\" \"$@\" </dev/null";
    let mut shell = Command::new("bash");
    shell
        .args(["-c", script])
        .arg(command.get_program())
        .args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        shell.env(name, value.unwrap_or_default());
    }
    let output = shell.stdin(Stdio::null()).output()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let (stderr, times) = text
        .trim_end()
        .rsplit_once('\n')
        .unwrap_or(("", text.trim_end()));
    let seconds = times
        .split(' ')
        .map(str::parse::<f64>)
        .sum::<std::result::Result<f64, _>>()?;
    Ok(Measured {
        seconds: seconds.max(0.001),
        status: output.status.code(),
        stdout: output.stdout,
        stderr: stderr.to_owned(),
    })
}
