//! Waiting for a program to end, while it stays within its limits.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::folder::is_too_large;
use super::kernel::{self, Reaped, Status};
use crate::{End, Limit, Limits};

/// A child has ended; end now.
pub(super) const SIGNALS: [i32; 2] = [libc::SIGCHLD, libc::SIGTERM];

/// Between two looks at what is used up. A program can fill some tens of megabytes in it.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// Where there is nothing to look at.
const LONG: Duration = Duration::from_secs(3600);
/// Looking through a folder takes longer.
const BETWEEN_LOOKS_AT_FILES: Duration = Duration::from_millis(100);

/// Whose processes are looked at.
#[derive(Clone, Copy)]
pub(super) enum Members<'m> {
    /// All that `/proc` shows, but this one; and folders that have no other bound than this.
    All(&'m [PathBuf]),
    /// The descendants of this process; the folder has no other bound than this.
    Descendants(&'m Path),
    /// None: somebody else watches.
    Nobody,
}

/// Waits for the end of `program`, and reaps what else ends.
pub(super) fn attend(program: i32, limits: &Limits, members: Members<'_>) -> End {
    let mut next_look_at_files = Instant::now() + BETWEEN_LOOKS_AT_FILES;
    let folders: Vec<&Path> = match members {
        Members::All(folders) => folders.iter().map(PathBuf::as_path).collect(),
        Members::Descendants(folder) => vec![folder],
        Members::Nobody => Vec::new(),
    };
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
        let time = match members {
            Members::Nobody => LONG,
            Members::All(_) | Members::Descendants(_) => BETWEEN_LOOKS,
        };
        match kernel::wait_signal(&SIGNALS, time) {
            Some(libc::SIGTERM) => return End::Stopped,
            Some(_) => continue,
            None => {}
        }
        let processes = used(members);
        if processes.memory_bytes > limits.memory_bytes {
            return End::Limit(Limit::Memory);
        }
        if processes.threads > limits.processes {
            return End::Limit(Limit::Processes);
        }
        let look = Instant::now();
        if !folders.is_empty() && look >= next_look_at_files {
            if is_too_large(&folders, limits) {
                return End::Limit(Limit::Folder);
            }
            // Looking through a large tree must not take the time of who fills it.
            next_look_at_files = Instant::now() + BETWEEN_LOOKS_AT_FILES.max(10 * look.elapsed());
        }
    }
}

/// What processes use up together.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Used {
    /// Resident.
    memory_bytes: u64,
    threads: u64,
}

fn used(members: Members<'_>) -> Used {
    if let Members::Nobody = members {
        return Used::default();
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
            && let Some((parent, used)) = parse(&text)
        {
            processes.push((number, parent, used));
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
    let mut sum = Used::default();
    for (_, _, used) in processes {
        sum.memory_bytes += used.memory_bytes;
        sum.threads += used.threads;
    }
    sum
}

/// Parent, memory and threads, out of `/proc/N/stat`. The second field is a name in brackets that may hold anything.
fn parse(text: &str) -> Option<(i32, Used)> {
    const PAGE: u64 = 4096;
    let rest = &text[text.rfind(')')? + 1..];
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let parent = fields.get(1)?.parse().ok()?;
    let pages: u64 = fields.get(21)?.parse().ok()?;
    let used = Used {
        memory_bytes: pages * PAGE,
        threads: fields.get(17)?.parse().ok()?,
    };
    Some((parent, used))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_may_be_called_anything() {
        let numbers: Vec<String> = (5..=52).map(|number| number.to_string()).collect();
        let text = format!("7 (a) 3 (b) S 4 {}", numbers.join(" "));
        // Field 4 is the parent, field 20 the number of threads, field 24 that of resident pages.
        let used = Used {
            memory_bytes: 24 * 4096,
            threads: 20,
        };
        assert_eq!(parse(&text), Some((4, used)));
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
        assert!(used.threads > 0 && used.memory_bytes > 0 && used.memory_bytes < 1 << 40);
    }
}
