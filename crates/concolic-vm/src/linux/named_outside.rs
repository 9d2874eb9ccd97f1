//! Names that a run gives to system calls and that lead, or may lead, out of the working folder: absolute paths, and paths with `..`.
//!
//! They are for people who are about to run the program natively, where such a file may be there that the model does not have. So it
//! does not matter what became of a call.

use std::collections::BTreeSet;

use super::{Kernel, syscall_table};

/// How many names are kept of each kind. A program can name others first.
pub const MOST_NAMED: usize = 64;

/// What a run names outside of its working folder.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NamedOutside {
    /// To make, change or remove it, also by opening it for that.
    pub to_change: BTreeSet<Vec<u8>>,
    /// To look at it. What the C library looks for by itself is left out.
    pub to_look_at: BTreeSet<Vec<u8>>,
}

/// System calls that change files by their names. Which calls of `open` do, their flags say.
const CHANGES: [u64; 30] = {
    use syscall_table::number::*;
    [
        creat,
        truncate,
        chmod,
        fchmodat,
        fchmodat2,
        chown,
        lchown,
        fchownat,
        utimensat,
        utimes,
        utime,
        futimesat,
        mkdir,
        mkdirat,
        mknod,
        mknodat,
        rmdir,
        unlink,
        unlinkat,
        link,
        linkat,
        symlink,
        symlinkat,
        rename,
        renameat,
        renameat2,
        setxattr,
        lsetxattr,
        removexattr,
        lremovexattr,
    ]
};

/// Whether the C library looks for this by itself.
pub(super) fn is_the_systems(path: &[u8]) -> bool {
    const OF_THE_SYSTEM: [&[u8]; 7] = [
        b"/usr/",
        b"/share/",
        b"/proc/",
        b"/sys/",
        b"/dev/",
        b"/etc/localtime",
        b"/etc/zoneinfo/",
    ];
    OF_THE_SYSTEM.iter().any(|start| path.starts_with(start))
}

fn may_lead_out(path: &[u8]) -> bool {
    let mut parts = path.split(|&byte| byte == b'/');
    path.starts_with(b"/") || parts.any(|part| part == b"..")
}

fn keep(names: &mut BTreeSet<Vec<u8>>, path: &[u8]) {
    if names.len() < MOST_NAMED {
        names.insert(path.to_vec());
    }
}

impl Kernel {
    pub fn named_outside(&self) -> &NamedOutside {
        &self.notes.named_outside
    }

    /// Notes a name that the current call is given.
    pub(super) fn note_name(&mut self, path: &[u8]) {
        if CHANGES.contains(&self.current) {
            self.note_change(path);
        } else if may_lead_out(path) && !is_the_systems(path) {
            keep(&mut self.notes.named_outside.to_look_at, path);
        }
    }

    /// Notes a name that the current call is given to change what it names.
    pub(super) fn note_change(&mut self, path: &[u8]) {
        // The devices that everybody writes to do not change.
        const HARMLESS: [&[u8]; 4] = [b"/dev/null", b"/dev/tty", b"/dev/stdout", b"/dev/stderr"];
        if may_lead_out(path) && !HARMLESS.contains(&path) {
            keep(&mut self.notes.named_outside.to_change, path);
        }
    }
}
