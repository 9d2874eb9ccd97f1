//! Waiting for a program to end, while it stays within its limits.

use std::path::Path;
use std::time::{Duration, Instant};

use super::folder::is_too_large;
use super::kernel::{self, Reaped, Status};
use crate::{End, Limit, Limits};

/// A child has ended; end now.
pub(super) const SIGNALS: [i32; 2] = [libc::SIGCHLD, libc::SIGTERM];

/// Between two looks at what is used up. A program can fill some tens of megabytes in it.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// Looking through a folder takes longer.
const BETWEEN_LOOKS_AT_FILES: Duration = Duration::from_millis(100);

/// Whose processes are looked at.
#[derive(Clone, Copy)]
pub(super) enum Members<'m> {
    /// All that `/proc` shows, but this one.
    All,
    /// The descendants of this process; the folder has no other bound than this.
    Descendants(&'m Path),
    /// None: somebody else watches.
    Nobody,
}

/// Waits for the end of `program`, and reaps what else ends.
pub(super) fn attend(program: i32, limits: &Limits, members: Members<'_>) -> End {
    let mut looked_at_files = Instant::now();
    loop {
        loop {
            match kernel::reap(false) {
                Reaped::Ended(child, status) if child == program => {
                    return match status {
                        Status::Exited(code) => End::Exited(code),
                        Status::Killed(signal) => End::Killed(signal),
                    };
                }
                Reaped::Ended(..) => {}
                Reaped::Running | Reaped::NoChild => break,
            }
        }
        match kernel::wait_signal(&SIGNALS, BETWEEN_LOOKS) {
            Some(libc::SIGTERM) => return End::Stopped,
            Some(_) => continue,
            None => {}
        }
        let processes = used(members);
        if processes.iter().sum::<u64>() > limits.memory_bytes {
            return End::Limit(Limit::Memory);
        }
        if processes.len() as u64 > limits.processes + 1 {
            return End::Limit(Limit::Processes);
        }
        if let Members::Descendants(folder) = members
            && looked_at_files.elapsed() >= BETWEEN_LOOKS_AT_FILES
        {
            if is_too_large(folder, limits) {
                return End::Limit(Limit::Folder);
            }
            looked_at_files = Instant::now();
        }
    }
}

/// The resident memory of each process.
fn used(members: Members<'_>) -> Vec<u64> {
    if let Members::Nobody = members {
        return Vec::new();
    }
    let own = kernel::getpid();
    let mut processes = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(number) = name.to_str().and_then(|name| name.parse::<i32>().ok()) else {
            continue;
        };
        let Ok(text) = std::fs::read_to_string(entry.path().join("stat")) else {
            continue;
        };
        if number != own
            && let Some((parent, pages)) = parse(&text)
        {
            processes.push((number, parent, pages));
        }
    }
    if let Members::Descendants(_) = members {
        let mut ours = std::collections::BTreeSet::from([own]);
        loop {
            let known = ours.len();
            let born = processes
                .iter()
                .filter(|(_, parent, _)| ours.contains(parent));
            ours.extend(born.map(|(number, ..)| *number).collect::<Vec<_>>());
            if ours.len() == known {
                break;
            }
        }
        processes.retain(|(number, ..)| ours.contains(number));
    }
    const PAGE: u64 = 4096;
    processes.iter().map(|(_, _, pages)| pages * PAGE).collect()
}

/// Parent and resident pages of `/proc/N/stat`. The second field is a name in brackets that may hold anything.
fn parse(text: &str) -> Option<(i32, u64)> {
    let rest = &text[text.rfind(')')? + 1..];
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let parent = fields.get(1)?.parse().ok()?;
    let pages = fields.get(21)?.parse().ok()?;
    Some((parent, pages))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_may_be_called_anything() {
        let numbers: Vec<String> = (5..=52).map(|number| number.to_string()).collect();
        let text = format!("7 (a) 3 (b) S 4 {}", numbers.join(" "));
        // Field 4 is the parent, field 24 the resident pages.
        assert_eq!(parse(&text), Some((4, 24)));
    }

    #[test]
    fn this_process_and_its_children_are_seen() {
        let mut child = std::process::Command::new("sleep")
            .arg("1000")
            .spawn()
            .unwrap();
        let used = used(Members::Descendants(Path::new("/nonexistent")));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!used.is_empty() && used.iter().all(|bytes| *bytes < 1 << 40));
    }
}
