//! The system calls that a program is refused, whatever else stands around it.
//!
//! The filter is a list of what is refused, not of what is allowed: a native run should see the system that the program was
//! written for. Namespaces and Landlock are the walls; the filter takes away what gets around them: calls that reach the
//! kernel's administration, other processes or other namespaces, kinds of sockets that no network namespace holds, and memory that belongs to no process.
//! Where Landlock stands alone, it also refuses what Landlock does not watch.

use std::collections::BTreeMap;

use libc::{c_long, *};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};

use super::{Because, Failure, Outcome};
use crate::Level;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// The kernel's own affairs, and other processes'.
const ADMINISTRATION: [c_long; 56] = [
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_move_mount,
    SYS_open_tree,
    SYS_OPEN_TREE_ATTR,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_process_madvise,
    SYS_process_mrelease,
    SYS_kcmp,
    SYS_pidfd_getfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_quotactl,
    SYS_quotactl_fd,
    SYS_acct,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_syslog,
    SYS_iopl,
    SYS_ioperm,
    SYS_lookup_dcookie,
    SYS_nfsservctl,
    SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    SYS_fanotify_init,
    SYS_fanotify_mark,
    SYS_userfaultfd,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_vhangup,
    SYS_migrate_pages,
    SYS_move_pages,
];

/// Memory that is in no process, and so outside the bound on memory; a second way to every other call; and watches, which are
/// set on files themselves and so tell what the host does with the system's.
const UNBOUNDED: [c_long; 17] = [
    SYS_memfd_create,
    SYS_memfd_secret,
    SYS_shmget,
    SYS_shmat,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_io_setup,
    SYS_landlock_create_ruleset,
    // A descriptor keeps its filter when the process is gone.
    SYS_seccomp,
    // A byte in a pipe keeps the large page in which it lies.
    SYS_vmsplice,
    SYS_inotify_init,
    SYS_inotify_init1,
    SYS_inotify_add_watch,
];

/// Calls that put a page of a file into a pipe or a socket. It stays there when the file is gone, and nothing counts it: a few hundred
/// sockets hold gigabytes. On a disk's file system it can be a large page. Who copies by these calls can do so by others.
const PAGES_OF_FILES: [c_long; 3] = [SYS_splice, SYS_tee, SYS_sendfile];

/// What Landlock does not watch: modes, owners, times and attributes of files, priorities, and objects of the kernel that have
/// names of their own.
const UNWATCHED: [c_long; 35] = [
    SYS_chmod,
    SYS_fchmod,
    SYS_fchmodat,
    SYS_FCHMODAT2,
    SYS_chown,
    SYS_fchown,
    SYS_lchown,
    SYS_fchownat,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_REMOVEXATTRAT,
    SYS_FILE_SETATTR,
    SYS_setpriority,
    SYS_sched_setaffinity,
    SYS_sched_setscheduler,
    SYS_sched_setparam,
    SYS_sched_setattr,
    SYS_ioprio_set,
    SYS_semop,
    SYS_semtimedop,
    SYS_semctl,
    SYS_shmctl,
    SYS_msgctl,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_mq_unlink,
    SYS_pidfd_send_signal,
];

/// Requests about files that others use too: being told of their use, and making them wait for it.
const OF_OTHERS: [c_int; 2] = [F_NOTIFY, F_SETLEASE];

/// Sizes of a socket's buffers. Asked for more the kernel says yes and gives what it likes; here it gives nothing.
const BUFFERS: [c_int; 2] = [SO_SNDBUF, SO_RCVBUF];

/// Filters of sockets: their machine code counts against one bound of the whole machine.
const FILTERS: [c_int; 4] = [
    SO_ATTACH_FILTER,
    SO_ATTACH_BPF,
    SO_ATTACH_REUSEPORT_CBPF,
    SO_ATTACH_REUSEPORT_EBPF,
];

/// Calls that have every disk of the machine written to. Nothing of what a run can see depends on it.
const FLUSHES: [c_long; 2] = [SYS_sync, SYS_syncfs];

/// Calls that give a file an attribute; the fourth argument is its size. Lists of access rights are kept in memory that no limit counts.
const ATTRIBUTES: [c_long; 3] = [SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr];
const LARGEST_ATTRIBUTE: u64 = 4096;

/// Calls that give a file its mode, and which argument that is.
const MODES: [(c_long, u8); 7] = [
    (SYS_chmod, 1),
    (SYS_fchmod, 1),
    (SYS_fchmodat, 2),
    (SYS_FCHMODAT2, 2),
    (SYS_creat, 1),
    (SYS_mknod, 1),
    (SYS_mknodat, 2),
];

/// Newer than the table of the crate `libc`.
const SYS_FCHMODAT2: c_long = 452;
const SYS_SETXATTRAT: c_long = 463;
const SYS_REMOVEXATTRAT: c_long = 466;
const SYS_OPEN_TREE_ATTR: c_long = 467;
const SYS_FILE_SETATTR: c_long = 469;
/// The first call that nobody has looked at: this and later ones are unknown, as to an older kernel.
const FIRST_UNKNOWN: u32 = 470;

/// File systems' own requests, by their second byte: flags, projects and versions of files, clones, encryption, sealing. A descriptor that was opened to
/// read is enough for them, and Landlock watches devices' requests alone.
const FILE_SYSTEMS: [u64; 5] = [
    b'f' as u64,
    b'X' as u64,
    b'v' as u64,
    /* Btrfs, and clones everywhere */ 0x94,
    /* F2FS */ 0xf5,
];

/// Keeps other processes from a processor's core.
const PR_SCHED_CORE: u64 = 62;

/// Every flag of `clone` that makes a namespace.
const NEW_NAMESPACES: u64 = (CLONE_NEWUSER
    | CLONE_NEWNS
    | CLONE_NEWPID
    | CLONE_NEWNET
    | CLONE_NEWIPC
    | CLONE_NEWUTS
    | CLONE_NEWCGROUP) as u64;

/// Refuses what a level must, from now on.
pub(super) fn enforce(level: Level, is_build: bool) -> Outcome<()> {
    for program in programs(level, is_build)? {
        seccompiler::apply_filter(&program).because("enforce a system-call filter")?;
    }
    Ok(())
}

/// The last one refuses filters, too.
fn programs(level: Level, is_build: bool) -> Outcome<[BpfProgram; 6]> {
    let is_on_disk = is_build || level == Level::Landlock;
    let mut refused = all(&ADMINISTRATION);
    // A process may ask for its own limits, and change them; not another's.
    refused.insert(SYS_prlimit64, vec![rule(&[(0, SeccompCmpOp::Ne, 0)])?]);
    let mut flags = Vec::new();
    for bit in (0..32).map(|bit| 1_u64 << bit) {
        if NEW_NAMESPACES & bit != 0 {
            flags.push(rule(&[(0, SeccompCmpOp::MaskedEq(bit), bit)])?);
        }
    }
    refused.insert(SYS_clone, flags);
    let requests = OF_OTHERS.map(|request| rule(&[(1, SeccompCmpOp::Eq, request as u64)]));
    refused.insert(SYS_fcntl, requests.into_iter().collect::<Outcome<_>>()?);
    // Pages that the administrator has set aside, which no process shows as its own.
    refused.insert(SYS_mmap, vec![rule(&[has(3, MAP_HUGETLB as u64)])?]);
    refused.insert(
        SYS_prctl,
        vec![rule(&[(0, SeccompCmpOp::Eq, PR_SCHED_CORE)])?],
    );
    refused.insert(SYS_setsockopt, options_of_sockets(&FILTERS)?);
    refused.insert(SYS_socket, sockets(level)?);
    refused.insert(SYS_socketpair, pairs_of_sockets(level)?);
    if level == Level::Landlock {
        refused.extend(all(&UNWATCHED));
    }
    // Its flags are in memory, where a filter cannot see them. The C library then uses `clone`.
    let mut unknown = all(&[SYS_clone3, SYS_SETXATTRAT]);
    unknown.extend(all(&UNBOUNDED));
    unknown.extend(all(&PAGES_OF_FILES));
    if is_build {
        // What a build makes stays in folders of the host: no program may be left there that lends its owner's rights to others.
        for (call, argument) in MODES {
            let mut rules = Vec::new();
            for bit in [0o4000, 0o2000] {
                rules.push(rule(&[has(argument, bit)])?);
            }
            refused.insert(call, rules);
        }
        for (call, flags) in [(SYS_open, 1), (SYS_openat, 2)] {
            let mut rules = Vec::new();
            // Only who makes a file says its mode.
            for making in [O_CREAT, O_TMPFILE & !O_DIRECTORY] {
                for bit in [0o4000, 0o2000] {
                    rules.push(rule(&[has(flags, making as u64), has(flags + 1, bit)])?);
                }
            }
            refused.insert(call, rules);
        }
        // Its mode is in memory too.
        unknown.extend(all(&[SYS_openat2]));
    }
    // What a file system without these says.
    let requests = FILE_SYSTEMS.map(|kind| rule(&[(1, SeccompCmpOp::MaskedEq(0xff00), kind << 8)]));
    let requests = requests.into_iter().collect::<Outcome<Vec<_>>>()?;
    let no_requests = Rules::from([(SYS_ioctl, requests)]);
    let mut unsupported = Rules::new();
    for call in ATTRIBUTES {
        unsupported.insert(
            call,
            vec![rule(&[(3, SeccompCmpOp::Gt, LARGEST_ATTRIBUTE)])?],
        );
    }
    if is_on_disk {
        // Takes any room at once, before somebody can look. The C library writes zeros instead.
        unsupported.extend(all(&[SYS_fallocate]));
    }
    // As a kernel says that has no filters.
    let mode = (0, SeccompCmpOp::Eq, PR_SET_SECCOMP as u64);
    let invalid = Rules::from([(SYS_prctl, vec![rule(&[mode])?])]);
    let mut ignored = all(&FLUSHES);
    ignored.insert(SYS_setsockopt, options_of_sockets(&BUFFERS)?);
    Ok([
        compile(refused, EPERM)?,
        compile(no_requests, ENOTTY)?,
        compile(unsupported, EOPNOTSUPP)?,
        compile(ignored, 0)?,
        compile(invalid, EINVAL)?,
        compile(unknown, ENOSYS)?,
    ])
}

fn options_of_sockets(options: &[c_int]) -> Outcome<Vec<SeccompRule>> {
    let of_sockets = (1, SeccompCmpOp::Eq, SOL_SOCKET as u64);
    let rules = options
        .iter()
        .map(|&option| rule(&[of_sockets.clone(), (2, SeccompCmpOp::Eq, option as u64)]));
    rules.collect()
}

/// Only local sockets and the Internet's are confined by a network namespace; without one there are none.
fn sockets(level: Level) -> Outcome<Vec<SeccompRule>> {
    if level == Level::Landlock {
        return Ok(Vec::new());
    }
    let known = [AF_UNIX, AF_INET, AF_INET6].map(|family| (0, SeccompCmpOp::Ne, family as u64));
    let mut rules = vec![rule(&known)?];
    // For other kinds and protocols the kernel asks for modules that are seldom looked at.
    let streams = &[0, IPPROTO_TCP][..];
    for (family, of_packets) in [
        (AF_INET, [0, IPPROTO_UDP, IPPROTO_ICMP]),
        (AF_INET6, [0, IPPROTO_UDP, IPPROTO_ICMPV6]),
    ] {
        let of_family = (0, SeccompCmpOp::Eq, family as u64);
        for kind in 0..=KINDS {
            let of_kind = (1, SeccompCmpOp::MaskedEq(KINDS), kind);
            let protocols = match kind as c_int {
                SOCK_STREAM => streams,
                SOCK_DGRAM => &of_packets,
                _ => &[],
            };
            let others = protocols
                .iter()
                .map(|&protocol| (2, SeccompCmpOp::Ne, protocol as u64));
            let conditions = [of_family.clone(), of_kind].into_iter().chain(others);
            rules.push(rule(&conditions.collect::<Vec<_>>())?);
        }
    }
    Ok(rules)
}

/// A half of a pair can send to any socket with a name, which Landlock does not watch; and what is sent through a pair, files too, no
/// limit counts. Inside of namespaces there are no other sockets, and descriptors are counted.
fn pairs_of_sockets(level: Level) -> Outcome<Vec<SeccompRule>> {
    match level {
        Level::Landlock => Ok(Vec::new()),
        _ => Ok(vec![rule(&[(0, SeccompCmpOp::Ne, AF_UNIX as u64)])?]),
    }
}

/// The bits of a socket's type that are its kind.
const KINDS: u64 = 0xf;

fn all(calls: &[c_long]) -> Rules {
    calls.iter().map(|&call| (call, Vec::new())).collect()
}

/// An argument with this bit.
fn has(argument: u8, bit: u64) -> (u8, SeccompCmpOp, u64) {
    (argument, SeccompCmpOp::MaskedEq(bit), bit)
}

/// A call whose arguments are all so.
fn rule(conditions: &[(u8, SeccompCmpOp, u64)]) -> Outcome<SeccompRule> {
    let conditions = conditions.iter().map(|(argument, comparison, value)| {
        SeccompCondition::new(
            *argument,
            SeccompCmpArgLen::Dword,
            comparison.clone(),
            *value,
        )
    });
    let conditions: Result<Vec<_>, _> = conditions.collect();
    conditions
        .and_then(SeccompRule::new)
        .because("make a rule of a system-call filter")
}

fn compile(rules: Rules, error: c_int) -> Outcome<BpfProgram> {
    let architecture = match std::env::consts::ARCH {
        "x86_64" => TargetArch::x86_64,
        other => {
            return Err(Failure::NoWalls(format!(
                "there is no system-call filter for {other}"
            )));
        }
    };
    let refused = SeccompAction::Errno(error as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, architecture);
    let program: BpfProgram = filter
        .and_then(TryInto::try_into)
        .because("make a system-call filter")?;
    Ok([no_unknown_calls(), program].concat())
}

/// Newer calls are refused before the numbers are looked at. So is the second table of x86-64 ("x32"), whose numbers are larger.
fn no_unknown_calls() -> BpfProgram {
    const LOAD: u16 = (BPF_LD | BPF_W | BPF_ABS) as u16;
    const AT_LEAST: u16 = (BPF_JMP | BPF_JGE | BPF_K) as u16;
    const RETURN: u16 = (BPF_RET | BPF_K) as u16;
    let step = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        step(LOAD, 0, 0, 0),
        step(AT_LEAST, 0, 1, FIRST_UNKNOWN),
        step(RETURN, 0, 0, SECCOMP_RET_ERRNO | ENOSYS as u32),
    ]
}
