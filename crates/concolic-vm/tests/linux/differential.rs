//! The model against the real kernel: random sequences of system calls are executed on both, with the
//! same numbers and arguments, and must have the same results.
//!
//! Each sequence runs on the host in a thread of its own with a private descriptor table, working
//! directory and root (`unshare`, `chroot`), so descriptors and absolute paths are the same on both
//! sides and nothing outside a fresh directory is touched. As root the sequences run once as root and
//! once as an ordinary user, which covers permissions. Without root there is no `chroot`: paths that
//! are absolute or could climb out are then replaced by harmless ones, and the user is the tester's.
//!
//! Directories are only rewound, also after each listing, and not sought in: their offsets mean what each file system likes.
//!
//! Not compared: times, inode and device numbers, sizes of directories, the order of directory
//! entries, and anything about holes, which differ between real file systems too.
#![allow(unsafe_code)]

use std::ffi::CString;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use concolic_vm::linux::syscall_table::{describe, number};
use concolic_vm::linux::{
    Credentials, Errno, FileConfig, FileState, KernelConfig, StandardStream, SyscallResult,
};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::support::Guest;

const ORDINARY_USER: u32 = 12345;
const BUFFER: usize = 4096;

/// An argument of a system call, in a form both sides can be given.
#[derive(Clone, Debug, PartialEq)]
enum Argument {
    Number(i64),
    Path(String),
    /// Bytes to be written.
    Data(Vec<u8>),
    /// Where the kernel writes to.
    Buffer,
    /// An array of `iovec` over pieces of these bytes.
    Vectors(Vec<Vec<u8>>),
    /// A 64-bit number in memory, and the kernel may change it.
    Offset(u64),
}

/// How the bytes a call has left in its buffer are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Compared {
    Nothing,
    /// As many bytes as the call returned.
    Returned,
    /// A fixed number of bytes.
    Fixed(usize),
    Stat,
    Statx,
    Entries,
}

#[derive(Clone, Debug)]
struct Call {
    number: u64,
    arguments: Vec<Argument>,
    compared: Compared,
}

/// What is compared of one call.
#[derive(Debug, PartialEq)]
struct Observed {
    result: i64,
    output: Vec<u8>,
}

#[test]
fn random_sequences_behave_as_on_the_real_kernel_as_ordinary_user() {
    // SAFETY: only asks who we are.
    let root = unsafe { libc::geteuid() } == 0;
    let user = if root {
        ORDINARY_USER
    } else {
        // SAFETY: as above.
        unsafe { libc::geteuid() }
    };
    compare_random_sequences(user, root, 2000, 1);
}

#[test]
fn random_sequences_behave_as_on_the_real_kernel_as_root() {
    // SAFETY: only asks who we are.
    if unsafe { libc::geteuid() } != 0 {
        eprintln!("not run: needs root");
        return;
    }
    compare_random_sequences(0, true, 2000, 2);
}

fn compare_random_sequences(user: u32, confined: bool, cases: u32, seed: u8) {
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 4000,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let strategy = proptest::collection::vec(call(confined), 1..40);
    let outcome = runner.run(&strategy, |calls| compare(&calls, user, confined));
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

fn compare(calls: &[Call], user: u32, confined: bool) -> Result<(), TestCaseError> {
    let host = on_host(calls, user, confined);
    let model = on_model(calls, user);
    for (index, call) in calls.iter().enumerate() {
        if host.calls[index] != model.calls[index] {
            let name = describe(call.number);
            return Err(TestCaseError::fail(format!(
                "call {index}, {name} {:?}:\n  host  {:?}\n  model {:?}",
                call.arguments, host.calls[index], model.calls[index]
            )));
        }
    }
    prop_assert_eq!(&host.tree, &model.tree, "final file system (host, model)");
    Ok(())
}

struct Run {
    calls: Vec<Observed>,
    /// Path, mode, links, content or target; in path order.
    tree: Vec<String>,
}

// The calls.

fn path(confined: bool) -> impl Strategy<Value = Argument> {
    let component = select(vec![
        "a", "a", "b", "b", "c", "d", "e", "link", "loop", ".", "..", "shut", "foreign",
    ]);
    let components = proptest::collection::vec(component, 1..4);
    let shape = select(vec!["", "", "", "", "", "", "/", "slash", "slash"]);
    let special = select(vec!["", "/", ".", "..", "LONG", "./", "//a", "a//b"]);
    prop_oneof![
        12 => (components, shape).prop_map(move |(components, shape)| {
            let mut path = components.join("/");
            if !confined {
                path = path.replace("..", ".");
            }
            match shape {
                "/" if confined => path.insert_str(0, "/box/"),
                "slash" => path.push('/'),
                _ => {}
            }
            Argument::Path(path)
        }),
        1 => special.prop_map(move |path| Argument::Path(match path {
            "LONG" => "n".repeat(256),
            path if confined || !(path.starts_with('/') || path == "..") => path.to_string(),
            _ => ".".to_string(),
        })),
    ]
}

fn fixed(value: i64) -> BoxedStrategy<Argument> {
    Just(Argument::Number(value)).boxed()
}

fn one_of(values: Vec<i64>) -> BoxedStrategy<Argument> {
    select(values).prop_map(Argument::Number).boxed()
}

/// Mostly a descriptor that may be open; never a standard one.
fn descriptor() -> BoxedStrategy<Argument> {
    one_of(vec![3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 7, 8, 63, -1])
}

fn directory() -> BoxedStrategy<Argument> {
    let here = i64::from(libc::AT_FDCWD);
    one_of(vec![here, here, here, here, here, 3, 4, 5, 63, -1])
}

fn data() -> BoxedStrategy<(Argument, Argument)> {
    proptest::collection::vec(any::<u8>(), 0..40)
        .prop_map(|data| {
            let length = data.len() as i64;
            (Argument::Data(data), Argument::Number(length))
        })
        .boxed()
}

fn open_flags() -> BoxedStrategy<Argument> {
    let bits = [
        libc::O_CREAT,
        libc::O_CREAT,
        libc::O_EXCL,
        libc::O_TRUNC,
        libc::O_APPEND,
        libc::O_DIRECTORY,
        libc::O_NOFOLLOW,
        libc::O_CLOEXEC,
        libc::O_NONBLOCK,
        libc::O_PATH,
    ];
    let access = select(vec![
        libc::O_RDONLY,
        libc::O_WRONLY,
        libc::O_RDWR,
        libc::O_RDWR,
    ]);
    let chosen = proptest::sample::subsequence(bits.to_vec(), 0..4);
    prop_oneof![
        10 => (access, chosen).prop_map(|(access, bits)| {
            Argument::Number(bits.iter().fold(access, |flags, bit| flags | bit).into())
        }),
        1 => Just(Argument::Number((libc::O_TMPFILE | libc::O_RDWR).into())),
    ]
    .boxed()
}

fn mode() -> BoxedStrategy<Argument> {
    one_of(vec![
        0o644, 0o755, 0o600, 0o700, 0o000, 0o444, 0o555, 0o222, 0o1777, 0o4755, 0o2775, 0o666,
    ])
}

fn position() -> BoxedStrategy<Argument> {
    one_of(vec![0, 0, 1, 5, 17, 100, 5000, -1, -7])
}

fn make(
    number: u64,
    compared: Compared,
    arguments: Vec<BoxedStrategy<Argument>>,
) -> BoxedStrategy<Call> {
    arguments
        .prop_map(move |arguments| Call {
            number,
            arguments,
            compared,
        })
        .boxed()
}

fn call(confined: bool) -> BoxedStrategy<Call> {
    use Compared::{Entries, Fixed, Nothing, Returned, Stat, Statx};
    let path = || path(confined).boxed();
    let buffer = || Just(Argument::Buffer).boxed();
    let size = || one_of(vec![0, 1, 7, 40, 4096]);
    let with_data = |call: u64, more: Option<BoxedStrategy<Argument>>| {
        (descriptor(), data(), more.unwrap_or_else(|| fixed(0)))
            .prop_map(move |(descriptor, (data, length), more)| Call {
                number: call,
                arguments: vec![descriptor, data, length, more],
                compared: Nothing,
            })
            .boxed()
    };
    let vectors = proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..9), 0..4)
        .prop_map(|vectors| {
            let count = vectors.len() as i64;
            (Argument::Vectors(vectors), Argument::Number(count))
        });
    let writev = (descriptor(), vectors)
        .prop_map(|(descriptor, (vectors, count))| Call {
            number: number::writev,
            arguments: vec![descriptor, vectors, count],
            compared: Nothing,
        })
        .boxed();
    let offset = || {
        prop_oneof![
            Just(Argument::Number(0)),
            select(vec![0_u64, 3, 20, 5000, u64::MAX]).prop_map(Argument::Offset)
        ]
        .boxed()
    };
    let opening = prop_oneof![
        5 => make(number::open, Nothing, vec![path(), open_flags(), mode()]),
        3 => make(number::openat, Nothing, vec![directory(), path(), open_flags(), mode()]),
        1 => make(number::creat, Nothing, vec![path(), mode()]),
        2 => make(number::close, Nothing, vec![descriptor()]),
        1 => make(number::dup, Nothing, vec![descriptor()]),
        1 => make(number::dup2, Nothing, vec![descriptor(), one_of(vec![3, 4, 5, 9, -1])]),
        1 => make(number::dup3, Nothing,
            vec![descriptor(), one_of(vec![3, 4, 5, 9, -1]), one_of(vec![0, 0o2000000, 1])]),
        1 => make(number::fcntl, Nothing,
            vec![descriptor(), one_of(vec![0, 1, 3, 1030]), one_of(vec![0, 4, 6])]),
        1 => make(number::fcntl, Nothing, vec![descriptor(), fixed(2), one_of(vec![0, 1])]),
        1 => make(number::fcntl, Nothing,
            vec![descriptor(), fixed(4), one_of(vec![0o4000, 0o6000])]),
        1 => make(number::pipe2, Fixed(8), vec![buffer(), one_of(vec![0o4000, 0o2004000, 1])]),
    ];
    let moving = prop_oneof![
        3 => with_data(number::write, None),
        2 => with_data(number::pwrite64, Some(position())),
        2 => writev,
        2 => make(number::read, Returned, vec![descriptor(), buffer(), size()]),
        1 => make(number::pread64, Returned, vec![descriptor(), buffer(), size(), position()]),
        2 => make(number::lseek, Nothing,
            vec![descriptor(), position(), one_of(vec![0, 0, 1, 2, 9])]),
        1 => make(number::ftruncate, Nothing, vec![descriptor(), position()]),
        1 => make(number::truncate, Nothing, vec![path(), position()]),
        1 => make(number::fallocate, Nothing,
            vec![descriptor(), one_of(vec![0, 1]), position(), position()]),
        1 => make(number::sendfile, Nothing, vec![descriptor(), descriptor(), offset(), size()]),
        1 => make(number::copy_file_range, Nothing,
            vec![descriptor(), offset(), descriptor(), offset(), size(), fixed(0)]),
        1 => make(number::ioctl, Nothing,
            vec![descriptor(), one_of(vec![0x5401, 0x5413, 0x5450, 0x5451]), buffer()]),
    ];
    let naming = prop_oneof![
        3 => make(number::mkdir, Nothing, vec![path(), mode()]),
        1 => make(number::mkdirat, Nothing, vec![directory(), path(), mode()]),
        1 => make(number::mknod, Nothing, vec![path(), one_of(vec![0o644, 0o100600, 0o040755])]),
        2 => make(number::rmdir, Nothing, vec![path()]),
        2 => make(number::unlink, Nothing, vec![path()]),
        1 => make(number::unlinkat, Nothing,
            vec![directory(), path(), one_of(vec![0, 0x200, 1])]),
        2 => make(number::link, Nothing, vec![path(), path()]),
        1 => make(number::linkat, Nothing,
            vec![directory(), path(), directory(), path(), one_of(vec![0, 0x400, 3])]),
        2 => make(number::symlink, Nothing, vec![path(), path()]),
        3 => make(number::rename, Nothing, vec![path(), path()]),
        2 => make(number::renameat2, Nothing,
            vec![directory(), path(), directory(), path(), one_of(vec![0, 1, 2, 3, 8])]),
        1 => make(number::readlink, Returned, vec![path(), buffer(), one_of(vec![0, 3, 100])]),
        1 => make(number::readlinkat, Returned,
            vec![directory(), path(), buffer(), one_of(vec![100, -1])]),
        1 => make(number::chdir, Nothing, vec![path()]),
        1 => make(number::fchdir, Nothing, vec![descriptor()]),
        1 => make(number::getdents64, Entries, vec![descriptor(), buffer(), fixed(4096)]),
    ];
    let cwd = make(
        number::getcwd,
        Returned,
        vec![buffer(), one_of(vec![1, 4096])],
    );
    let status = prop_oneof![
        2 => make(number::stat, Stat, vec![path(), buffer()]),
        2 => make(number::lstat, Stat, vec![path(), buffer()]),
        2 => make(number::fstat, Stat, vec![descriptor(), buffer()]),
        2 => make(number::newfstatat, Stat,
            vec![directory(), path(), buffer(), one_of(vec![0, 0x100, 0x1000, 1])]),
        2 => make(number::statx, Statx,
            vec![directory(), path(), one_of(vec![0, 0x100, 0x1000]), fixed(0xfff), buffer()]),
        1 => make(number::access, Nothing, vec![path(), one_of(vec![0, 1, 2, 4, 7, 8])]),
        1 => make(number::faccessat2, Nothing,
            vec![directory(), path(), one_of(vec![0, 1, 4]), one_of(vec![0, 0x200, 0x1100])]),
        2 => make(number::chmod, Nothing, vec![path(), mode()]),
        1 => make(number::fchmod, Nothing, vec![descriptor(), mode()]),
        1 => make(number::chown, Nothing,
            vec![path(), one_of(vec![-1, 0, 12345]), one_of(vec![-1, 0, 12345])]),
        1 => make(number::lchown, Nothing,
            vec![path(), one_of(vec![-1, 777]), one_of(vec![-1, 12345])]),
        1 => make(number::utimensat, Nothing, vec![directory(), path(), fixed(0), fixed(0)]),
        1 => make(number::umask, Nothing, vec![one_of(vec![0, 0o022, 0o077, 0o777])]),
    ];
    if confined {
        prop_oneof![5 => opening, 5 => moving, 6 => naming, 3 => status, 1 => cwd].boxed()
    } else {
        prop_oneof![5 => opening, 5 => moving, 6 => naming, 3 => status].boxed()
    }
}

// The model.

fn on_model(calls: &[Call], user: u32) -> Run {
    let mut config = KernelConfig {
        working_directory: b"/box".to_vec(),
        credentials: Credentials {
            uid: user,
            gid: user,
            groups: Vec::new(),
        },
        streams: [StandardStream::Null; 3],
        ..KernelConfig::default()
    };
    for (path, file) in initial_files(user) {
        config.files.insert(path.as_bytes().to_vec(), file);
    }
    let mut guest = Guest::new(config);
    // Rust programs, and so this test on the host, ignore SIGPIPE.
    let ignore = guest.bytes(&[&1_u64.to_le_bytes()[..], &[0; 24]].concat());
    guest
        .value(number::rt_sigaction, &[13, ignore, 0, 8])
        .expect("SIGPIPE can be ignored");
    let calls = calls
        .iter()
        .map(|call| {
            let mut output = None;
            let status = guest.buffer(144);
            let call = &rewind_directory(call, |descriptor| {
                guest.value(number::fstat, &[descriptor as u64, status])?;
                Ok(guest.u32_at(status + 24))
            });
            let arguments: Vec<u64> = call
                .arguments
                .iter()
                .map(|argument| match argument {
                    Argument::Number(number) => *number as u64,
                    Argument::Path(path) => guest.text(path),
                    Argument::Data(data) => guest.bytes(data),
                    Argument::Buffer => {
                        let buffer = guest.buffer(BUFFER);
                        output = Some(buffer);
                        buffer
                    }
                    Argument::Vectors(pieces) => {
                        let mut array = Vec::new();
                        for piece in pieces {
                            let address = guest.bytes(piece);
                            array.extend_from_slice(&address.to_le_bytes());
                            array.extend_from_slice(&(piece.len() as u64).to_le_bytes());
                        }
                        guest.bytes(&array)
                    }
                    Argument::Offset(offset) => guest.bytes(&offset.to_le_bytes()),
                })
                .collect();
            let result = match guest.call(call.number, &arguments) {
                SyscallResult::Return(value) => value,
                other => panic!("{}: {other:?}", describe(call.number)),
            };
            if call.number == number::getdents64 {
                let _ = guest.value(number::lseek, &[arguments[0], 0, 0]);
            }
            let bytes = output.map_or(&[][..], |buffer| guest.memory_at(buffer, BUFFER));
            observe(call.compared, result, bytes)
        })
        .collect();
    let mut tree: Vec<String> = guest
        .kernel
        .file_changes()
        .into_iter()
        .filter(|change| change.path.starts_with(b"/box"))
        .filter_map(|change| {
            let path = String::from_utf8(change.path).unwrap();
            match change.after? {
                FileState::File { content, mode, .. } => {
                    Some(format!("{path} file {mode:o} {:?}", content.bytes()))
                }
                FileState::Directory { mode, .. } => Some(format!("{path} directory {mode:o}")),
                FileState::Symlink { target } => {
                    Some(format!("{path} link {}", String::from_utf8_lossy(&target)))
                }
                FileState::Device { .. } => unreachable!("no devices there"),
            }
        })
        .collect();
    // Unchanged files are not reported; add them, so that the whole tree is compared.
    for (path, file) in initial_files(user) {
        let line = describe_initial(path, &file);
        let changed = guest
            .kernel
            .file_changes()
            .iter()
            .any(|change| change.path == path.as_bytes());
        if !changed {
            tree.push(line);
        }
    }
    tree.sort();
    Run { calls, tree }
}

fn describe_initial(path: &str, file: &FileConfig) -> String {
    use concolic_vm::linux::FileKind;
    let mode = file.mode;
    match &file.kind {
        FileKind::File(content) => format!("{path} file {mode:o} {:?}", content.bytes()),
        FileKind::Directory => format!("{path} directory {mode:o}"),
        FileKind::Symlink(target) => {
            format!("{path} link {}", String::from_utf8_lossy(target))
        }
    }
}

/// What both sides start from.
fn initial_files(user: u32) -> Vec<(&'static str, FileConfig)> {
    let owned = |mut file: FileConfig, mode: u32| {
        file.mode = mode;
        file.owner = Some((user, user));
        file
    };
    let mut foreign = owned(FileConfig::file("not yours"), 0o644);
    let mut shut = owned(FileConfig::directory(), 0o755);
    if user == ORDINARY_USER {
        foreign.owner = Some((0, 0));
        shut.owner = Some((0, 0));
    }
    vec![
        ("/box", owned(FileConfig::directory(), 0o755)),
        ("/box/a", owned(FileConfig::file("hello, world"), 0o644)),
        ("/box/b", owned(FileConfig::directory(), 0o755)),
        ("/box/b/c", owned(FileConfig::file(""), 0o600)),
        ("/box/foreign", foreign),
        ("/box/link", owned(FileConfig::symlink("b"), 0o777)),
        ("/box/loop", owned(FileConfig::symlink("loop"), 0o777)),
        ("/box/shut", shut),
    ]
}

// The host.

/// A directory of the host, removed when done.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("linux-model-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::DirBuilder::new()
            .mode(0o755)
            .create(&path)
            .expect("a scratch directory");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        make_removable(&self.0);
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn make_removable(directory: &Path) {
    let _ = fs::set_permissions(directory, fs::Permissions::from_mode(0o755));
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            make_removable(&entry.path());
        }
    }
}

fn on_host(calls: &[Call], user: u32, confined: bool) -> Run {
    let scratch = Scratch::new();
    populate(&scratch.0, user);
    let calls = std::thread::scope(|scope| {
        scope
            .spawn(|| {
                enter(&scratch.0, user, confined);
                calls.iter().map(call_on_host).collect()
            })
            .join()
            .expect("the host's side runs through")
    });
    let mut tree = Vec::new();
    list(&scratch.0.join("box"), "/box", &mut tree);
    tree.sort();
    Run { calls, tree }
}

fn populate(root: &Path, user: u32) {
    use concolic_vm::linux::FileKind;
    // What the model's root has by itself.
    for system in ["dev", "proc", "tmp"] {
        fs::create_dir(root.join(system)).unwrap();
    }
    for (path, file) in initial_files(user) {
        let path = root.join(path.trim_start_matches('/'));
        match &file.kind {
            FileKind::File(content) => fs::write(&path, content.bytes()).unwrap(),
            FileKind::Directory => fs::create_dir(&path).unwrap(),
            FileKind::Symlink(target) => {
                let target = std::str::from_utf8(target).unwrap();
                std::os::unix::fs::symlink(target, &path).unwrap();
            }
        }
        let (uid, gid) = file.owner.unwrap();
        let _ = std::os::unix::fs::lchown(&path, Some(uid), Some(gid));
        if !matches!(file.kind, FileKind::Symlink(_)) {
            fs::set_permissions(&path, fs::Permissions::from_mode(file.mode)).unwrap();
        }
    }
}

/// Gives this thread its own descriptors, working directory, root and user.
fn enter(root: &Path, user: u32, confined: bool) {
    let path = CString::new(root.to_str().unwrap()).unwrap();
    let inside = CString::new(if confined { "/box" } else { "box" }).unwrap();
    // SAFETY: these calls change only this thread, which ends with the sequence; the strings outlive
    // them. Raw calls set the ids because the C library would change all threads.
    unsafe {
        assert_eq!(libc::unshare(libc::CLONE_FS | libc::CLONE_FILES), 0);
        assert_eq!(libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0), 0);
        libc::umask(0o022);
        assert_eq!(libc::chdir(path.as_ptr()), 0);
        if confined {
            assert_eq!(libc::chroot(c".".as_ptr()), 0);
            assert_eq!(libc::syscall(libc::SYS_setgroups, 0, 0), 0);
            assert_eq!(libc::syscall(libc::SYS_setresgid, user, user, user), 0);
            assert_eq!(libc::syscall(libc::SYS_setresuid, user, user, user), 0);
        }
        assert_eq!(libc::chdir(inside.as_ptr()), 0);
    }
}

/// Makes a seek in a directory a rewind; `mode` is `st_mode` of a descriptor.
fn rewind_directory(call: &Call, mode: impl FnOnce(i64) -> Result<u32, Errno>) -> Call {
    let mut call = call.clone();
    if call.number == number::lseek
        && let Argument::Number(descriptor) = call.arguments[0]
        && mode(descriptor).is_ok_and(|mode| mode & 0o170000 == 0o040000)
    {
        call.arguments[1] = Argument::Number(0);
        call.arguments[2] = Argument::Number(0);
    }
    call
}

fn call_on_host(call: &Call) -> Observed {
    let call = &rewind_directory(call, |descriptor| {
        // SAFETY: a zeroed stat is a valid one, and fstat fills it.
        unsafe {
            let mut status: libc::stat = std::mem::zeroed();
            libc::fstat(descriptor as i32, &mut status);
            Ok(status.st_mode)
        }
    });
    let mut buffer = vec![0_u8; BUFFER];
    // Everything an argument points to lives here until the call is over.
    let mut texts = Vec::new();
    let mut arrays: Vec<Vec<u64>> = Vec::new();
    let mut arguments = [0_i64; 6];
    for (slot, argument) in arguments.iter_mut().zip(&call.arguments) {
        *slot = match argument {
            Argument::Number(number) => *number,
            Argument::Path(path) => {
                texts.push(CString::new(path.as_str()).unwrap());
                texts.last().unwrap().as_ptr() as i64
            }
            Argument::Data(data) => data.as_ptr() as i64,
            Argument::Buffer => buffer.as_mut_ptr() as i64,
            Argument::Vectors(pieces) => {
                arrays.push(
                    pieces
                        .iter()
                        .flat_map(|piece| [piece.as_ptr() as u64, piece.len() as u64])
                        .collect(),
                );
                arrays.last().unwrap().as_ptr() as i64
            }
            Argument::Offset(offset) => {
                arrays.push(vec![*offset]);
                arrays.last_mut().unwrap().as_mut_ptr() as i64
            }
        };
    }
    let [a, b, c, d, e, f] = arguments;
    // SAFETY: the pointers are to live memory of at least the lengths passed, and the calls are those
    // listed above: none of them touches other memory of this process or descriptors 0 to 2.
    let result = unsafe { libc::syscall(call.number as i64, a, b, c, d, e, f) };
    let result = if result == -1 {
        -i64::from(std::io::Error::last_os_error().raw_os_error().unwrap())
    } else {
        result
    };
    if call.number == number::getdents64 {
        // SAFETY: takes numbers only.
        unsafe { libc::lseek(a as i32, 0, libc::SEEK_SET) };
    }
    observe(call.compared, result, &buffer)
}

fn list(directory: &Path, name: &str, tree: &mut Vec<String>) {
    let Ok(status) = fs::symlink_metadata(directory) else {
        return;
    };
    let mode = status.mode() & 0o7777;
    if status.is_symlink() {
        let target = fs::read_link(directory).unwrap();
        tree.push(format!("{name} link {}", target.display()));
        return;
    }
    let private = fs::Permissions::from_mode(0o700);
    if status.is_file() {
        let _ = fs::set_permissions(directory, private);
        tree.push(format!(
            "{name} file {mode:o} {:?}",
            fs::read(directory).unwrap()
        ));
        let _ = fs::set_permissions(directory, fs::Permissions::from_mode(mode));
        return;
    }
    tree.push(format!("{name} directory {mode:o}"));
    let _ = fs::set_permissions(directory, private);
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{name}/{}", entry.file_name().to_str().unwrap());
        list(&entry.path(), &name, tree);
    }
}

/// Reduces what a call left behind to what is compared.
fn observe(compared: Compared, result: i64, buffer: &[u8]) -> Observed {
    let word = |offset: usize, length: usize| buffer[offset..offset + length].to_vec();
    let is_directory = |mode: u16| mode & 0o170000 == 0o040000;
    let output = match compared {
        _ if result < 0 => Vec::new(),
        Compared::Nothing => Vec::new(),
        Compared::Returned => buffer[..result as usize].to_vec(),
        Compared::Fixed(length) => buffer[..length].to_vec(),
        Compared::Stat => {
            let mode = u16::from_le_bytes([buffer[24], buffer[25]]);
            let mut fields = [word(16, 8), word(24, 12)].concat();
            if !is_directory(mode) {
                fields.extend(word(48, 8));
            }
            fields
        }
        Compared::Statx => {
            let mode = u16::from_le_bytes([buffer[28], buffer[29]]);
            let mut fields = word(16, 14);
            if !is_directory(mode) {
                fields.extend(word(40, 8));
            }
            fields
        }
        Compared::Entries => {
            let mut names = Vec::new();
            let mut rest = &buffer[..result as usize];
            while !rest.is_empty() {
                let length = usize::from(u16::from_le_bytes([rest[16], rest[17]]));
                let name = rest[19..length].split(|&byte| byte == 0).next().unwrap();
                names.push([&[rest[18]], name].concat());
                rest = &rest[length..];
            }
            names.sort();
            names.concat()
        }
    };
    let result = match compared {
        // Record lengths follow from the names alone, so the sum is compared too.
        Compared::Fixed(_) => result.min(0),
        _ => result,
    };
    Observed { result, output }
}
