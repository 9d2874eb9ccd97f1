//! The Linux calls of the launcher, as functions that cannot be misused: each takes care of one call's rules and returns its error.
//!
//! The launcher has one thread, so a forked child may do anything that its parent could.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString};
use std::io::{Error, Result};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::time::Duration;

use libc::{c_int, c_long, c_uint};

fn check(result: c_int) -> Result<c_int> {
    match result {
        -1 => Err(Error::last_os_error()),
        value => Ok(value),
    }
}

fn check_long(result: c_long) -> Result<c_long> {
    match result {
        -1 => Err(Error::last_os_error()),
        value => Ok(value),
    }
}

pub(super) fn getpid() -> i32 {
    // SAFETY: cannot fail and touches no memory.
    unsafe { libc::getpid() }
}

pub(super) fn getppid() -> i32 {
    // SAFETY: cannot fail and touches no memory.
    unsafe { libc::getppid() }
}

/// Effective user and group.
pub(super) fn identity() -> (u32, u32) {
    // SAFETY: neither can fail, nor touches memory.
    unsafe { (libc::geteuid(), libc::getegid()) }
}

pub(super) fn setsid() -> Result<()> {
    // SAFETY: touches no memory.
    check(unsafe { libc::setsid() }).map(drop)
}

pub(super) fn umask(mask: u32) {
    // SAFETY: cannot fail and touches no memory.
    unsafe { libc::umask(mask) };
}

/// The calling process gets `signal` when the thread that started it ends.
pub(super) fn die_with_parent(signal: c_int) -> Result<()> {
    prctl(libc::PR_SET_PDEATHSIG, signal as u64).map(drop)
}

/// Orphans among the descendants become children of this process.
pub(super) fn adopt_orphans() -> Result<()> {
    prctl(libc::PR_SET_CHILD_SUBREAPER, 1).map(drop)
}

/// Nobody without rights over this process may look into its memory.
pub(super) fn hide_memory() -> Result<()> {
    prctl(libc::PR_SET_DUMPABLE, 0).map(drop)
}

pub(super) fn no_new_privileges() -> Result<()> {
    prctl(libc::PR_SET_NO_NEW_PRIVS, 1).map(drop)
}

fn prctl(option: c_int, value: u64) -> Result<c_int> {
    // SAFETY: the options used here take one number and no memory.
    check(unsafe {
        libc::prctl(
            option,
            value,
            0 as libc::c_ulong,
            0 as libc::c_ulong,
            0 as libc::c_ulong,
        )
    })
}

/// Which process is which after a fork.
pub(super) enum Forked {
    Child,
    Parent(i32),
}

pub(super) fn fork() -> Result<Forked> {
    // SAFETY: there is one thread, so the child inherits no lock that nobody will release.
    Ok(match check(unsafe { libc::fork() })? {
        0 => Forked::Child,
        child => Forked::Parent(child),
    })
}

/// A child with this process number, where the kernel lets one choose.
pub(super) fn fork_as(number: i32) -> Result<Forked> {
    let numbers = [number];
    // SAFETY: all fields are numbers, for which zero means that nothing is asked for.
    let mut arguments: libc::clone_args = unsafe { std::mem::zeroed() };
    arguments.exit_signal = libc::SIGCHLD as u64;
    arguments.set_tid = numbers.as_ptr() as u64;
    arguments.set_tid_size = 1;
    // SAFETY: as for `fork`: the child gets a copy of memory and stack. `arguments` and `numbers` outlive the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_clone3,
            &raw mut arguments,
            size_of::<libc::clone_args>(),
        )
    };
    match check_long(result) {
        Ok(0) => Ok(Forked::Child),
        Ok(child) => Ok(Forked::Parent(child as i32)),
        // No right to choose, no such call, or the number is taken.
        Err(_) => fork(),
    }
}

/// Ends the process at once; what was registered for its parent does not run.
pub(super) fn exit_now(status: c_int) -> ! {
    // SAFETY: does not return.
    unsafe { libc::_exit(status) }
}

/// How long this process has had a processor.
pub(super) fn processor_time() -> Duration {
    // SAFETY: all fields are numbers.
    let mut spent: libc::timespec = unsafe { std::mem::zeroed() };
    // SAFETY: `spent` is writable and outlives the call, which cannot fail for this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut spent) };
    Duration::new(spent.tv_sec as u64, spent.tv_nsec as u32)
}

/// Asks for short turns on a processor, which come sooner among many processes that want one.
pub(super) fn ask_for_short_turns() -> Result<()> {
    /// The kernel's `struct sched_attr` in its first version.
    #[repr(C)]
    #[derive(Default)]
    struct Attributes {
        size: u32,
        policy: u32,
        flags: u64,
        nice: i32,
        priority: u32,
        /// In nanoseconds; of an ordinary process the length of its turns, since Linux 6.12.
        runtime: u64,
        deadline: u64,
        period: u64,
    }
    const SHORTEST: u64 = 100_000;
    let mut attributes = Attributes::default();
    let (own, size) = (0, size_of::<Attributes>());
    // SAFETY: the structure has the size that is passed, and outlives the call.
    let got = unsafe { libc::syscall(libc::SYS_sched_getattr, own, &raw mut attributes, size, 0) };
    check_long(got)?;
    if attributes.policy != libc::SCHED_OTHER as u32 {
        return Ok(());
    }
    attributes.runtime = SHORTEST;
    // SAFETY: as above.
    let set = unsafe { libc::syscall(libc::SYS_sched_setattr, own, &raw mut attributes, 0) };
    check_long(set).map(drop)
}

pub(super) fn unshare(flags: c_int) -> Result<()> {
    // SAFETY: changes what the process sees, no memory.
    check(unsafe { libc::unshare(flags) }).map(drop)
}

pub(super) fn set_names(host: &str, domain: &str) -> Result<()> {
    // SAFETY: both texts are valid for their lengths.
    check(unsafe { libc::sethostname(host.as_ptr().cast(), host.len()) })?;
    // SAFETY: as above.
    check(unsafe { libc::setdomainname(domain.as_ptr().cast(), domain.len()) }).map(drop)
}

/// Switches the loopback interface of the network namespace on.
pub(super) fn loopback_up() -> Result<()> {
    // SAFETY: makes a descriptor, which is owned below.
    let socket =
        check(unsafe { libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0) })?;
    // SAFETY: just made and owned by nobody else.
    let socket = unsafe { OwnedFd::from_raw_fd(socket) };
    // SAFETY: zeros are a valid value of this structure of numbers and bytes.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (place, byte) in request.ifr_name.iter_mut().zip(b"lo\0") {
        *place = *byte as libc::c_char;
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    // SAFETY: the request is of the type that this number asks for, and outlives the call.
    check(unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw mut request) })
        .map(drop)
}

pub(super) fn mount(
    source: Option<&CStr>,
    target: &CStr,
    kind: Option<&CStr>,
    flags: u64,
    data: Option<&CStr>,
) -> Result<()> {
    let pointer = |text: Option<&CStr>| text.map_or(std::ptr::null(), CStr::as_ptr);
    // SAFETY: all texts end with zero and outlive the call; missing ones are null, as the call allows.
    check(unsafe {
        libc::mount(
            pointer(source),
            target.as_ptr(),
            pointer(kind),
            flags,
            pointer(data).cast(),
        )
    })
    .map(drop)
}

/// What is mounted at `source` and below, once more at `target`, where nothing can be written and no set-user-id bit or device counts.
pub(super) fn bind(source: &CStr, target: &CStr, attributes: u64) -> Result<()> {
    const OPEN_TREE_CLONE: c_uint = 1;
    const AT_RECURSIVE: c_int = 0x8000;
    const MOVE_MOUNT_F_EMPTY_PATH: c_uint = 4;
    let flags = OPEN_TREE_CLONE | libc::O_CLOEXEC as c_uint | AT_RECURSIVE as c_uint;
    // SAFETY: the text ends with zero and outlives the call.
    let tree = check_long(unsafe {
        libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, source.as_ptr(), flags)
    })?;
    // SAFETY: just made and owned by nobody else.
    let tree = unsafe { OwnedFd::from_raw_fd(tree as c_int) };
    // The kernel's `struct mount_attr`: set, clear, propagation, user namespace.
    let change = [attributes, 0, 0, 0_u64];
    let empty = c"";
    // SAFETY: `change` has the layout and the size that are passed, and outlives the call.
    check_long(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree.as_raw_fd(),
            empty.as_ptr(),
            AT_RECURSIVE | libc::AT_EMPTY_PATH,
            change.as_ptr(),
            size_of_val(&change),
        )
    })?;
    // SAFETY: both texts end with zero and outlive the call.
    check_long(unsafe {
        libc::syscall(
            libc::SYS_move_mount,
            tree.as_raw_fd(),
            empty.as_ptr(),
            libc::AT_FDCWD,
            target.as_ptr(),
            MOVE_MOUNT_F_EMPTY_PATH,
        )
    })
    .map(drop)
}

/// Makes the current folder, a mount of its own, the root, and lets go of the old one.
pub(super) fn enter_root() -> Result<()> {
    let here = c".";
    // SAFETY: both texts end with zero. With the same folder twice the old root lies over the new one (pivot_root(2)).
    check_long(unsafe { libc::syscall(libc::SYS_pivot_root, here.as_ptr(), here.as_ptr()) })?;
    // SAFETY: the text ends with zero; this takes the old root away.
    check(unsafe { libc::umount2(here.as_ptr(), libc::MNT_DETACH) }).map(drop)
}

/// Makes an open folder the current one.
pub(super) fn enter(folder: BorrowedFd<'_>) -> Result<()> {
    // SAFETY: the descriptor is open for as long as it is borrowed.
    check(unsafe { libc::fchdir(folder.as_raw_fd()) }).map(drop)
}

pub(super) fn set_groups(groups: &[u32]) -> Result<()> {
    // SAFETY: the list is valid for its length.
    check(unsafe { libc::setgroups(groups.len(), groups.as_ptr()) }).map(drop)
}

/// Real, effective and saved user and group.
pub(super) fn become_user(user: u32, group: u32) -> Result<()> {
    // SAFETY: touches no memory.
    check(unsafe { libc::setresgid(group, group, group) })?;
    // SAFETY: touches no memory.
    check(unsafe { libc::setresuid(user, user, user) }).map(drop)
}

/// No program that is started from now on can bring a capability.
pub(super) fn bound_capabilities() {
    const LAST: u64 = 63;
    for capability in 0..=LAST {
        // One that the kernel does not know, or no right to drop them: then exec cannot bring any either.
        if prctl(libc::PR_CAPBSET_DROP, capability).is_err() {
            break;
        }
    }
}

/// Gives every capability up.
pub(super) fn drop_capabilities() -> Result<()> {
    const VERSION_3: u32 = 0x2008_0522;
    let header = [VERSION_3, 0];
    let none = [0_u32; 6];
    // SAFETY: version 3 reads a header of two words and six words of data; both outlive the call.
    check_long(unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr()) }).map(drop)
}

pub(super) fn limit(resource: libc::__rlimit_resource_t, soft: u64, hard: u64) -> Result<()> {
    let mut known = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: the structure outlives the call.
    check(unsafe { libc::getrlimit(resource, &raw mut known) })?;
    let hard = hard.min(known.rlim_max);
    let wanted = libc::rlimit {
        rlim_cur: soft.min(hard),
        rlim_max: hard,
    };
    // SAFETY: the structure outlives the call.
    check(unsafe { libc::setrlimit(resource, &raw const wanted) }).map(drop)
}

/// Closes every descriptor but the standard streams when a program starts.
pub(super) fn close_others_on_exec() -> Result<()> {
    const CLOSE_RANGE_CLOEXEC: c_uint = 4;
    // SAFETY: only marks descriptors; those in use stay open until then.
    check_long(unsafe {
        libc::syscall(
            libc::SYS_close_range,
            3 as c_uint,
            c_uint::MAX,
            CLOSE_RANGE_CLOEXEC,
        )
    })
    .map(drop)
}

/// Puts `/dev/null` in place of the standard streams.
pub(super) fn let_go_of_streams(null: BorrowedFd<'_>) -> Result<()> {
    for stream in 0..3 {
        // SAFETY: both are descriptors; nothing of this process writes to its standard streams.
        check(unsafe { libc::dup2(null.as_raw_fd(), stream) })?;
    }
    Ok(())
}

/// These signals, as a set.
fn set_of(signals: &[c_int]) -> libc::sigset_t {
    // SAFETY: the set is initialised by `sigemptyset`, which cannot fail.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        for &signal in signals {
            libc::sigaddset(&raw mut set, signal);
        }
        set
    }
}

/// Holds these signals back until they are waited for.
pub(super) fn hold_back(signals: &[c_int]) -> Result<()> {
    let set = set_of(signals);
    // SAFETY: the set outlives the call; the old mask is not wanted.
    check(unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const set, std::ptr::null_mut()) })
        .map(drop)
}

/// All signals as a new program expects them.
pub(super) fn default_signals() -> Result<()> {
    for signal in 1..=64 {
        // SAFETY: sets the default, no handler. Those that cannot be set are at their default.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    hold_back(&[])
}

/// Waits for one of the signals that are held back.
pub(super) fn wait_signal(signals: &[c_int], time: Duration) -> Option<c_int> {
    let set = set_of(signals);
    let time = libc::timespec {
        tv_sec: time.as_secs() as i64,
        tv_nsec: time.subsec_nanos().into(),
    };
    // SAFETY: set and time outlive the call; details are not wanted.
    let signal =
        unsafe { libc::sigtimedwait(&raw const set, std::ptr::null_mut(), &raw const time) };
    (signal > 0).then_some(signal)
}

pub(super) fn kill(process: i32, signal: c_int) -> Result<()> {
    // SAFETY: touches no memory.
    check(unsafe { libc::kill(process, signal) }).map(drop)
}

/// How a child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    Exited(i32),
    Killed(i32),
}

/// What has become of the children.
pub(super) enum Reaped {
    Ended(i32, Status),
    /// There are children, and all of them run.
    Running,
    NoChild,
}

/// Looks for a child that has ended; waits for one if asked to.
pub(super) fn reap(wait: bool) -> Reaped {
    let mut status = 0;
    let options = if wait { 0 } else { libc::WNOHANG };
    loop {
        // SAFETY: the status outlives the call.
        return match unsafe { libc::waitpid(-1, &raw mut status, options) } {
            -1 if Error::last_os_error().raw_os_error() == Some(libc::EINTR) => continue,
            -1 => Reaped::NoChild,
            0 => Reaped::Running,
            child if libc::WIFEXITED(status) => {
                Reaped::Ended(child, Status::Exited(libc::WEXITSTATUS(status)))
            }
            child => Reaped::Ended(child, Status::Killed(libc::WTERMSIG(status))),
        };
    }
}

/// Waits for one child, however it ends.
pub(super) fn reap_one(child: i32) {
    // SAFETY: how it ended is not wanted.
    while unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) } == -1
        && Error::last_os_error().raw_os_error() == Some(libc::EINTR)
    {}
}

pub(super) fn execute(program: &CStr, arguments: &[CString], environment: &[CString]) -> Error {
    let pointers = |texts: &[CString]| -> Vec<*const libc::c_char> {
        let texts = texts.iter().map(|text| text.as_ptr());
        texts.chain([std::ptr::null()]).collect()
    };
    let (arguments, environment) = (pointers(arguments), pointers(environment));
    // SAFETY: both lists end with null, all texts with zero, and all outlive the call, which returns only if it fails.
    unsafe { libc::execve(program.as_ptr(), arguments.as_ptr(), environment.as_ptr()) };
    Error::last_os_error()
}

/// The version of the kernel's Landlock.
pub(super) fn landlock_version() -> Result<i32> {
    const VERSION: c_uint = 1;
    let nothing = std::ptr::null::<u8>();
    // SAFETY: this question takes no memory.
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0_usize, VERSION) };
    check_long(version).map(|version| version as i32)
}
