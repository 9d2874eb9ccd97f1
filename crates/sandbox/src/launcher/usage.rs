//! What the processes of a run use up, as `/proc` shows it.
//!
//! The program knows that it is watched. So memory is looked for wherever a process can have it: in pages, in swap, in the tables of its pages, in
//! a process whose first thread has ended (which shows no memory of its own), in buffers of sockets (each is a
//! descriptor), and in files and shared pages that nothing but a descriptor or a mapping holds.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::guest::MOST_DESCRIPTORS;
use super::kernel;

/// One process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Process {
    pub(super) number: i32,
    parent: i32,
    /// Resident and swapped pages, and the tables of pages.
    pub(super) memory_bytes: u64,
    pub(super) threads: u64,
    /// For so many descriptors its first thread has a table; it has no more than that.
    descriptor_table: u64,
}

/// All processes that `/proc` shows, but this one.
pub(super) fn others() -> Vec<Process> {
    let own = kernel::getpid();
    let numbers = numbers_in(Path::new("/proc"));
    let others = numbers.filter(|&number| number != own);
    others.filter_map(process).collect()
}

/// The descendants of this process.
pub(super) fn descendants() -> Vec<Process> {
    let mut processes = others();
    let mut ours = BTreeSet::from([kernel::getpid()]);
    loop {
        let known = ours.len();
        let born = processes
            .iter()
            .filter(|process| ours.contains(&process.parent));
        ours.extend(born.map(|process| process.number).collect::<Vec<_>>());
        if ours.len() == known {
            break;
        }
    }
    processes.retain(|process| ours.contains(&process.number));
    processes
}

/// The entries of a folder that are numbers.
fn numbers_in(folder: &Path) -> impl Iterator<Item = i32> + use<> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn process(number: i32) -> Option<Process> {
    let place = place(number);
    let status = |folder: &Path| std::fs::read_to_string(folder.join("status")).ok();
    let mut found = parse(number, &status(&place)?)?;
    if found.memory_bytes == 0 && found.threads > 1 {
        // Its first thread has ended. The others have the memory, all the same one.
        let threads = numbers_in(&place.join("task"));
        let memory = threads.filter_map(|thread| {
            let text = status(&place.join("task").join(thread.to_string()))?;
            Some(parse(thread, &text)?.memory_bytes)
        });
        found.memory_bytes = memory.max().unwrap_or(0);
    }
    Some(found)
}

fn place(number: i32) -> PathBuf {
    PathBuf::from(format!("/proc/{number}"))
}

/// Out of `/proc/N/status`. The first line is the process's own choice, which the kernel keeps on one line.
fn parse(number: i32, status: &str) -> Option<Process> {
    let value = |name: &str| -> Option<u64> {
        let mut lines = status.lines();
        let rest = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        rest.split_whitespace().next()?.parse().ok()
    };
    let memory = ["VmRSS", "VmSwap", "VmPTE"].map(|name| value(name).unwrap_or(0));
    Some(Process {
        number,
        parent: value("PPid")? as i32,
        memory_bytes: memory.iter().sum::<u64>() * 1024,
        threads: value("Threads")?,
        descriptor_table: value("FDSize").unwrap_or(u64::MAX),
    })
}

/// Whether the first threads of some processes have more descriptors than `most`. This is quickly told, so that nobody fills many sockets
/// between two long looks.
pub(super) fn have_more_descriptors(processes: &[Process], most: u64) -> bool {
    let tables = processes.iter().map(|process| process.descriptor_table);
    if tables.fold(0, u64::saturating_add) <= most {
        return false;
    }
    let mut left = most;
    processes.iter().any(|process| {
        let entries = std::fs::read_dir(place(process.number).join("fd"));
        let number = entries.into_iter().flatten().count() as u64;
        let is_too_many = number > left;
        left = left.saturating_sub(number);
        is_too_many
    })
}

/// How many sockets there are in this process's network, whoever has them: those that nobody has accepted, and those that are on
/// their way to another process, have no descriptor.
pub(super) fn sockets() -> u64 {
    let text = std::fs::read_to_string("/proc/self/net/sockstat").unwrap_or_default();
    let used = text
        .lines()
        .find_map(|line| line.strip_prefix("sockets: used "));
    used.and_then(|number| number.trim().parse().ok())
        .unwrap_or(0)
}

/// What processes hold by descriptors, mappings and locks.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Held {
    pub(super) descriptors: u64,
    /// Files without a name.
    pub(super) nameless_files: u64,
    /// What these take on disk; of those that are mapped alone, only that they are there can be seen.
    pub(super) nameless_bytes: u64,
    pub(super) only_mapped_files: u64,
    /// There is memory that belongs to several processes, or to none any more.
    pub(super) shares_memory: bool,
    /// A process does not let itself be looked at.
    pub(super) is_hidden: bool,
    /// How much `/proc` has to say of mappings and locks. Each is an object of the kernel, and reading takes the time of who watches.
    pub(super) described_bytes: u64,
    most_described: u64,
}

impl Held {
    /// Of what there is to read of mappings and locks, a little more than `most_described` is.
    pub(super) fn by(processes: &[Process], most_described: u64) -> Held {
        let mut held = Held {
            most_described,
            ..Held::default()
        };
        let (mut open, mut mapped) = (BTreeSet::new(), BTreeSet::new());
        for process in processes {
            let place = place(process.number);
            match process.threads {
                0 | 1 => held.add_descriptors(&place, &mut open),
                // A thread can have descriptors of its own.
                _ => {
                    for thread in numbers_in(&place.join("task")) {
                        let place = place.join("task").join(thread.to_string());
                        held.add_descriptors(&place, &mut open);
                    }
                }
            }
            held.add_mappings(&place, &mut mapped);
        }
        held.only_mapped_files = mapped.difference(&open).count() as u64;
        held.nameless_files = open.union(&mapped).count() as u64;
        held
    }

    fn add_descriptors(&mut self, place: &Path, nameless: &mut BTreeSet<(u64, u64)>) {
        let entries = match std::fs::read_dir(place.join("fd")) {
            Ok(entries) => entries,
            Err(error) => {
                if error.kind() == ErrorKind::PermissionDenied && !has_ended(place) {
                    self.is_hidden = true;
                    self.descriptors += MOST_DESCRIPTORS;
                }
                return;
            }
        };
        for entry in entries.flatten() {
            self.descriptors += 1;
            // Of the file that is open.
            let Ok(data) = std::fs::metadata(entry.path()) else {
                continue;
            };
            if !data.is_file() {
                continue;
            }
            self.describe(&place.join("fdinfo").join(entry.file_name()), |_| {});
            if data.nlink() == 0 && nameless.insert((data.dev(), data.ino())) {
                self.nameless_bytes += data.blocks() * 512;
            }
        }
    }

    /// Hands the lines of a file of `/proc` on, as long as there were not too many.
    fn describe(&mut self, path: &Path, mut line_to: impl FnMut(&[u8])) {
        let Ok(file) = File::open(path) else {
            return;
        };
        let left = self.most_described.saturating_sub(self.described_bytes);
        let mut text = BufReader::new(file).take(left.saturating_add(1));
        let mut line = Vec::new();
        loop {
            line.clear();
            match text.read_until(b'\n', &mut line) {
                Ok(0) => return,
                Ok(length) => self.described_bytes += length as u64,
                // So much that the kernel cannot say it.
                Err(error) if error.kind() == ErrorKind::OutOfMemory => {
                    self.described_bytes = u64::MAX;
                    return;
                }
                Err(_) => return,
            }
            line_to(line.strip_suffix(b"\n").unwrap_or(&line));
        }
    }

    fn add_mappings(&mut self, place: &Path, nameless: &mut BTreeSet<(u64, u64)>) {
        let mut shares_memory = false;
        self.describe(&place.join("maps"), |line| {
            if let Some((device, file, path)) = deleted_mapping(line) {
                match path.starts_with("/dev/zero") {
                    true => shares_memory = true,
                    false => drop(nameless.insert((device, file))),
                }
            }
        });
        self.shares_memory |= shares_memory;
    }
}

/// Whether a thread has no memory any more, and waits for its parent to notice. Nobody may look at its descriptors, and it has none.
fn has_ended(place: &Path) -> bool {
    let status = std::fs::read_to_string(place.join("status"));
    status.map_or(true, |text| !text.contains("\nVmRSS:"))
}

/// Device, number and path of a mapped file that has no name any more.
fn deleted_mapping(line: &[u8]) -> Option<(u64, u64, String)> {
    let line = String::from_utf8_lossy(line.strip_suffix(b" (deleted)")?);
    let mut fields = line.split_ascii_whitespace().skip(3);
    let (major, minor) = fields.next()?.split_once(':')?;
    let part = |text| u32::from_str_radix(text, 16).ok();
    let device = libc::makedev(part(major)?, part(minor)?);
    let file = fields.next()?.parse().ok()?;
    Some((device, file, fields.next()?.to_owned()))
}

/// Memory of the whole machine that files in memory and shared pages take. Shared pages stay as long as a part of their mapping does, and
/// no process counts them then; so their growth is all that can be seen.
pub(super) struct SharedMemory<'m> {
    meminfo: &'m File,
    at_the_start: u64,
}

impl SharedMemory<'_> {
    pub(super) fn begin(meminfo: &File) -> Option<SharedMemory<'_>> {
        let at_the_start = shared_bytes(meminfo)?;
        Some(SharedMemory {
            meminfo,
            at_the_start,
        })
    }

    pub(super) fn growth(&self) -> u64 {
        shared_bytes(self.meminfo).map_or(0, |now| now.saturating_sub(self.at_the_start))
    }
}

/// Shared memory, and what is in swap, where it may have gone.
fn shared_bytes(meminfo: &File) -> Option<u64> {
    let mut bytes = [0; 8192];
    let length = meminfo.read_at(&mut bytes, 0).ok()?;
    let text = std::str::from_utf8(&bytes[..length]).ok()?;
    let value = |name: &str| -> Option<u64> {
        let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
        rest.split_whitespace().next()?.parse().ok()
    };
    let swapped = match (value("SwapTotal:"), value("SwapFree:")) {
        (Some(total), Some(free)) => total.saturating_sub(free),
        _ => 0,
    };
    Some((value("Shmem:")? + swapped) * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_may_be_called_anything() {
        let text = "Name:\tPPid:\\nPPid: 9\nState:\tS\nPPid:\t4\nVmRSS:\t      20 kB\nVmSwap:\t 2 kB\nVmPTE:\t 3 kB\nThreads:\t5\nFDSize:\t64\n";
        let process = Process {
            number: 7,
            parent: 4,
            memory_bytes: 25 * 1024,
            threads: 5,
            descriptor_table: 64,
        };
        assert_eq!(parse(7, text), Some(process));
    }

    #[test]
    fn mapped_files_without_a_name_are_seen() {
        let line = b"7f00-7f01 rw-s 00000000 fd:02 42                 /tmp/a b (deleted)";
        let found = deleted_mapping(line).unwrap();
        assert_eq!(found, (libc::makedev(0xfd, 2), 42, "/tmp/a".to_owned()));
        assert_eq!(
            deleted_mapping(b"7f00-7f01 rw-s 00000000 fd:02 42  /tmp/a"),
            None
        );
    }

    /// A text without end is not read to its end.
    #[test]
    fn so_much_is_read_and_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("maps");
        std::fs::write(&path, "one line\n".repeat(1000)).unwrap();
        let mut held = Held {
            most_described: 100,
            ..Held::default()
        };
        let mut lines = 0;
        held.describe(&path, |_| lines += 1);
        assert_eq!((held.described_bytes, lines), (101, 12));
        held.describe(&path, |_| lines += 1);
        assert_eq!(held.described_bytes, 102);
        held.most_described = 1 << 20;
        held.describe(&path, |line| assert!(line.len() <= 8));
        assert_eq!(held.described_bytes, 9102);
    }

    #[test]
    fn this_process_and_its_children_are_seen() {
        let mut child = std::process::Command::new("sleep")
            .arg("1000")
            .spawn()
            .unwrap();
        let processes = descendants();
        let held = Held::by(&processes, 1 << 20);
        let more = [2, 10_000].map(|most| have_more_descriptors(&processes, most));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = processes
            .iter()
            .find(|process| process.number == child.id() as i32)
            .unwrap();
        assert_eq!(found.threads, 1);
        assert!(found.memory_bytes > 0 && found.memory_bytes < 1 << 40);
        assert!(held.descriptors >= 3 && !held.is_hidden, "{held:?}");
        assert_eq!(more, [true, false]);
    }
}
