//! The first level: a program with its own file tree, processes, users, network and names.
//!
//! The launcher leaves the host's namespaces, makes a file tree in memory and puts the system's folders into it, read-only. Its first
//! child is the first process of the new process namespace: when it ends, for whatever reason, the kernel kills all others. The
//! second child is the program, with the process number that the VM gives it.
//!
//! Root outside is mapped to root inside, for the launcher alone, and a number that no account has to the program's user; a process
//! that stays outside has to do that. For any other user there is only one number to map: the program's.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::guest::{self, Ready, tell, told};
use super::kernel::{self, Forked};
use super::walls::{self, Files, Wall};
use super::watch::{self, Members};
use super::{
    Because, DEVICES, Failure, NOBODY, Outcome, STREAMS, SYSTEM_FILES, SYSTEM_FOLDERS, c_path,
    folder,
};
use crate::request::Request;
use crate::{End, Folders, Level, Limits, Program};

/// As in `concolic_vm::linux::KernelConfig`.
const USER: u32 = 1000;
const PROCESS: i32 = 1000;
const HOST_NAME: &str = "localhost";
const DOMAIN_NAME: &str = "(none)";
const WORKING_FOLDER: &str = "/home/user";

/// Where the program and its variables are, seen from inside.
const EXECUTABLE: &str = "/program";
const VARIABLES: &str = "/variables";

/// Of the new network. Buffers of TCP, at least, at first and at most: the kernel would let them grow to megabytes each. And how many
/// connections wait at a socket, at most: they have no descriptor.
const NETWORK: [(&str, &str); 3] = [
    ("ipv4/tcp_wmem", "4096 16384 131072"),
    ("ipv4/tcp_rmem", "4096 131072 131072"),
    ("core/somaxconn", "128"),
];

const READ_ONLY: u64 = 1;
const NO_SET_USER_ID: u64 = 2;
const NO_DEVICES: u64 = 4;
const NO_PROGRAMS: u64 = 8;

/// What the program did, and the files in its folder.
pub(super) fn run(request: &Request, place: &Path) -> Outcome<(End, folder::Left)> {
    let meminfo = File::open("/proc/meminfo").ok();
    let is_root = leave_the_host()?;
    build_tree(request, place)?;
    let owner = is_root.then_some((USER, USER));
    if is_root {
        for path in ["home", "tmp"] {
            folder::give(Path::new(path), owner)?;
        }
    }
    let working = &here(WORKING_FOLDER);
    folder::write(working, &request.program.files, owner)?;
    if let Some((_, content)) = &request.program.variables {
        std::fs::write(here(VARIABLES), content).because("write the variables")?;
    }
    close_folder(Path::new("."))?;
    // The folder itself, whatever the program puts in its place.
    let working = File::open(working).because("open the working folder")?;
    let end = supervise(request, is_root, meminfo.as_ref())?;
    if request.program.folders.is_some() {
        // A build leaves what it makes in the host's folders.
        return Ok((end, folder::Left::default()));
    }
    kernel::enter(working.as_fd()).because("enter the working folder")?;
    Ok(
        match folder::read(Path::new("."), &request.program.limits) {
            Ok(left) => (end, left),
            Err(limit) => (End::Limit(limit), folder::Left::default()),
        },
    )
}

/// Enters new namespaces; whether this is root there.
fn leave_the_host() -> Outcome<bool> {
    let (user, group) = kernel::identity();
    let is_root = user == 0;
    let mapped = match is_root {
        true => Some(Mapper::start()?),
        false => None,
    };
    let all = libc::CLONE_NEWUSER
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWCGROUP;
    kernel::unshare(all).because("make namespaces")?;
    match mapped {
        Some(mapper) => mapper.map()?,
        None => {
            let one = |own: u32| format!("{USER} {own} 1\n");
            let write =
                |name: &str, text: &str| std::fs::write(Path::new("/proc/self").join(name), text);
            write("setgroups", "deny").because("give up the right to choose groups")?;
            write("uid_map", &one(user)).because("map users")?;
            write("gid_map", &one(group)).because("map groups")?;
        }
    }
    kernel::set_names(HOST_NAME, DOMAIN_NAME).because("name the host")?;
    kernel::loopback_up().because("switch the loopback interface on")?;
    // Where these cannot be written, the host's bounds are left, and that sockets are counted.
    for (name, value) in NETWORK {
        let _ = std::fs::write(Path::new("/proc/sys/net").join(name), value);
    }
    Ok(is_root)
}

/// A process that stays outside, and may therefore map more than one user.
struct Mapper {
    process: i32,
    go: std::io::PipeWriter,
    failures: std::io::PipeReader,
}

impl Mapper {
    fn start() -> Outcome<Mapper> {
        let (mut ready, go) = std::io::pipe().because("make a pipe")?;
        let (failures, mut failed) = std::io::pipe().because("make a pipe")?;
        let launcher = PathBuf::from(format!("/proc/{}", kernel::getpid()));
        match kernel::fork().because("start a process that maps users")? {
            Forked::Parent(process) => Ok(Mapper {
                process,
                go,
                failures,
            }),
            Forked::Child => {
                drop(go);
                let maps = format!("0 0 1\n{USER} {NOBODY} 1\n");
                let map = |name: &str| std::fs::write(launcher.join(name), &maps);
                if ready.read_exact(&mut [0]).is_ok() {
                    let mapped = map("uid_map").and_then(|()| map("gid_map"));
                    if let Err(failure) = mapped.because("map an unprivileged user") {
                        tell(&mut failed, &failure);
                    }
                }
                kernel::exit_now(0)
            }
        }
    }

    /// Called when the launcher is in its new namespace.
    fn map(mut self) -> Outcome<()> {
        self.go.write_all(&[1]).because("map users")?;
        kernel::reap_one(self.process);
        told(self.failures)
    }
}

/// A path of the new file tree, as long as that is the current folder and not yet the root.
fn here(path: &str) -> PathBuf {
    PathBuf::from(path.trim_start_matches('/'))
}

/// Makes the file tree and enters it. The first process makes it the root.
fn build_tree(request: &Request, place: &Path) -> Outcome<()> {
    let limits = &request.program.limits;
    let private = libc::MS_REC | libc::MS_PRIVATE;
    kernel::mount(None, c"/", None, private, None).because("make mounts private")?;
    let options = format!(
        "mode=755,size={},nr_inodes={}",
        limits.folder_bytes, limits.folder_files
    );
    let options = super::c_bytes(options.as_bytes())?;
    let flags = libc::MS_NOSUID | libc::MS_NODEV;
    kernel::mount(
        Some(c"tmpfs"),
        &c_path(place)?,
        Some(c"tmpfs"),
        flags,
        Some(&options),
    )
    .because("mount a file system in memory")?;
    std::env::set_current_dir(place).because("enter the new file tree")?;
    for (folder, mode) in [
        ("home/user", 0o755),
        ("tmp", 0o1777),
        ("dev", 0o755),
        ("etc", 0o755),
        ("proc", 0o755),
    ] {
        make_folder(Path::new(folder))?;
        std::fs::set_permissions(folder, PermissionsExt::from_mode(mode))
            .because("open a folder")?;
    }
    let system = READ_ONLY | NO_SET_USER_ID | NO_DEVICES;
    for path in SYSTEM_FOLDERS.iter().chain(&SYSTEM_FILES) {
        show(Path::new(path), system)?;
    }
    for device in DEVICES {
        show(Path::new(device), READ_ONLY | NO_SET_USER_ID | NO_PROGRAMS)?;
    }
    for (link, target) in STREAMS {
        symlink(target, link).because("make a link")?;
    }
    if let Some(folders) = &request.program.folders {
        show_folders(folders, system)?;
    }
    show_executable(request, system)?;
    for library in &request.libraries {
        show(library, system)?;
    }
    Ok(())
}

/// What a build needs of the host. A folder comes before what is in it, and what can be written comes last, over what can be read.
fn show_folders(folders: &Folders, attributes: u64) -> Outcome<()> {
    let sorted = |paths: &[PathBuf]| {
        let mut paths = paths.to_vec();
        paths.sort();
        paths
    };
    let writable = |from: &Path, path: &Path| {
        let inside = path.strip_prefix("/").unwrap_or(path);
        make_folder(inside)?;
        let what = format!("show `{}`", path.display());
        kernel::bind(&c_path(from)?, &c_path(inside)?, attributes & !READ_ONLY).because(&what)
    };
    if let Some((from, path)) = &folders.instead {
        let path_of = |bytes| Path::new(OsStr::from_bytes(bytes));
        writable(path_of(from), path_of(path))?;
    }
    for path in sorted(&folders.read) {
        show(&path, attributes)?;
    }
    for path in sorted(&folders.write) {
        writable(&path, &path)?;
    }
    Ok(())
}

/// Shows a file, folder or link of the host at the same place; not if there is none.
fn show(path: &Path, attributes: u64) -> Outcome<()> {
    let Ok(data) = path.symlink_metadata() else {
        return Ok(());
    };
    let inside = path.strip_prefix("/").unwrap_or(path);
    if inside.symlink_metadata().is_ok() {
        return Ok(());
    }
    if let Some(parent) = inside.parent() {
        make_folder(parent)?;
    }
    if data.is_symlink() && path.parent() == Some(Path::new("/")) {
        let target = std::fs::read_link(path).because("read a link of the system")?;
        return symlink(target, inside).because("make a link");
    }
    match path.is_dir() {
        true => make_folder(inside)?,
        false => File::create_new(inside).map(drop).because("make a file")?,
    }
    let what = format!("show `{}`", path.display());
    kernel::bind(&c_path(path)?, &c_path(inside)?, attributes).because(&what)
}

/// The executable, or a copy if the program's user could not read it.
fn show_executable(request: &Request, attributes: u64) -> Outcome<()> {
    let path = request.program.executable.as_path();
    if request.program.folders.is_some() {
        // A compiler looks for its parts beside itself.
        return show(path, attributes);
    }
    let unreadable =
        |error| Failure::NotStarted(format!("cannot read `{}`: {error}", path.display()));
    let inside = &here(EXECUTABLE);
    let data = path.metadata().map_err(unreadable)?;
    if data.mode() & 0o005 == 0o005 {
        File::create_new(inside).because("make a file")?;
        return kernel::bind(&c_path(path)?, &c_path(inside)?, attributes)
            .because("show the program");
    }
    std::fs::copy(path, inside).map_err(unreadable)?;
    let mode = 0o555
        & (data.mode() | data.mode() << 3 | data.mode() << 6 | data.mode() >> 3 | data.mode() >> 6);
    std::fs::set_permissions(inside, PermissionsExt::from_mode(mode))
        .because("prepare a copy of the program")
}

fn make_folder(path: &Path) -> Outcome<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder
        .recursive(true)
        .mode(0o755)
        .create(path)
        .because("make a folder")
}

/// Nobody makes anything here any more.
fn close_folder(path: &Path) -> Outcome<()> {
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o555)).because("close a folder")
}

/// Starts the first process, waits for it, and passes on what it has to say.
fn supervise(request: &Request, is_root: bool, meminfo: Option<&File>) -> Outcome<End> {
    let (failures, failed) = std::io::pipe().because("make a pipe")?;
    let (mut ends, mut ended) = std::io::pipe().because("make a pipe")?;
    let executable = match &request.program.folders {
        Some(_) => request.program.executable.as_path(),
        None => Path::new(EXECUTABLE),
    };
    let ready = Ready::new(request, executable, Path::new(VARIABLES))?;
    // By the host's name, under which nothing else is shown in it; the name is not there later.
    let instead = request.program.folders.as_ref();
    let instead = instead.and_then(|folders| folders.instead.as_ref());
    let instead = instead.map(|(from, _)| File::open(OsStr::from_bytes(from)));
    let instead = instead.transpose().because("open a folder of a build")?;
    let null = File::options()
        .read(true)
        .write(true)
        .open("/dev/null")
        .because("open /dev/null")?;
    let first = match kernel::fork().because("start the first process")? {
        Forked::Parent(first) => first,
        Forked::Child => {
            drop((failures, ends));
            let mut report = failed.try_clone().ok();
            let seen = Seen {
                null: &null,
                meminfo,
                instead: instead.as_ref(),
            };
            let end = first_process(&request.program, &ready, failed, is_root, &seen);
            match (end, &mut report) {
                (Ok(end), _) => {
                    let _ = ended.write_all(&postcard::to_allocvec(&end).unwrap_or_default());
                }
                (Err(failure), Some(report)) => tell(report, &failure),
                (Err(_), None) => {}
            }
            // The kernel kills all that is left, and lets go of this process only then.
            kernel::exit_now(0)
        }
    };
    drop((failed, ended));
    kernel::let_go_of_streams(null.as_fd()).because("let go of the streams")?;
    let end = watch::attend(first, &Limits::UNLIMITED, Members::Nobody, None);
    if end == End::Stopped {
        let _ = kernel::kill(first, libc::SIGKILL);
        while let kernel::Reaped::Ended(..) = kernel::reap(true) {}
    }
    told(failures)?;
    let mut bytes = Vec::new();
    let _ = ends.read_to_end(&mut bytes);
    match postcard::from_bytes(&bytes) {
        Ok(end) => Ok(end),
        Err(_) if end == End::Stopped => Ok(end),
        Err(_) => Err(Failure::NoWalls(format!(
            "the first process of the sandbox ended too early ({end:?})"
        ))),
    }
}

/// Files of the host that the first process keeps.
struct Seen<'s> {
    null: &'s File,
    meminfo: Option<&'s File>,
    /// See [`Folders::instead`].
    instead: Option<&'s File>,
}

/// The first process: starts the program, and ends when the program does.
fn first_process(
    asked: &Program,
    ready: &Ready,
    failed: std::io::PipeWriter,
    is_root: bool,
    seen: &Seen<'_>,
) -> Outcome<End> {
    kernel::die_with_parent(libc::SIGKILL).because("tie the sandbox to its launcher")?;
    kernel::hold_back(&watch::SIGNALS_INSIDE).because("hold signals back")?;
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    // While the host's is still seen: where it cannot be, no other may be.
    kernel::mount(
        Some(c"proc"),
        c"proc",
        Some(c"proc"),
        flags,
        Some(c"subset=pid"),
    )
    .because("mount /proc")?;
    kernel::enter_root().because("make the new file tree the root")?;
    std::env::set_current_dir("/").because("enter the new root")?;
    kernel::hide_memory().because("hide the launcher's memory")?;
    let program = match kernel::fork_as(PROCESS).because("start the program")? {
        Forked::Parent(program) => program,
        Forked::Child => ready.become_program(failed, || last_steps(asked, is_root)),
    };
    drop(failed);
    kernel::let_go_of_streams(seen.null.as_fd()).because("let go of the streams")?;
    let mut folders = match &asked.folders {
        Some(all) => all.write.clone(),
        None => Vec::new(),
    };
    let instead = seen.instead.map(AsRawFd::as_raw_fd);
    folders.extend(instead.map(|number| PathBuf::from(format!("/proc/self/fd/{number}"))));
    let members = Members::All(&folders);
    Ok(watch::attend(program, &asked.limits, members, seen.meminfo))
}

/// What the program's own process gives up before it becomes the program.
fn last_steps(asked: &Program, is_root: bool) -> Outcome<()> {
    let limits = &asked.limits;
    guest::fresh_process(Level::Namespaces, limits)?;
    kernel::limit(libc::RLIMIT_NPROC, limits.processes, limits.processes)
        .because("limit processes")?;
    let working = asked.folders.as_ref().map(|folders| &*folders.working);
    let working = working.unwrap_or(Path::new(WORKING_FOLDER));
    std::env::set_current_dir(working).because("enter the working folder")?;
    guest::unprivileged(is_root.then_some(USER))?;
    let mut write = vec![Path::new("/home"), Path::new("/tmp")];
    if let Some(folders) = &asked.folders {
        write.extend(folders.write.iter().map(PathBuf::as_path));
        let instead = folders.instead.as_ref();
        write.extend(instead.map(|(_, path)| Path::new(OsStr::from_bytes(path))));
    }
    let files = Files {
        read: &[Path::new("/")],
        write: &write,
    };
    walls::restrict(&files, Wall::Second)?;
    guest::filtered(Level::Namespaces, asked.folders.is_some())
}
