//! Opening, reading, writing, seeking, streams and devices.

use concolic_vm::linux::syscall_table::number;
use concolic_vm::linux::{
    Bytes, Errno, FileConfig, FileState, KernelConfig, Signal, StandardStream, SyscallResult,
};

use crate::support::Guest;

fn with_file(path: &str, content: &str) -> Guest {
    let mut config = KernelConfig::default();
    config
        .files
        .insert(path.as_bytes().to_vec(), FileConfig::file(content));
    Guest::new(config)
}

#[test]
fn standard_output_and_error_are_kept_apart_and_complete() {
    let mut guest = Guest::new(KernelConfig::default());
    assert_eq!(guest.write(1, b"out"), Ok(3));
    assert_eq!(guest.write(2, b"err"), Ok(3));
    assert_eq!(guest.write(1, b"put"), Ok(3));
    assert_eq!(guest.kernel.stdout().bytes(), b"output");
    assert_eq!(guest.kernel.stderr().bytes(), b"err");
}

#[test]
fn standard_input_ends_when_used_up() {
    let mut guest = Guest::new(KernelConfig {
        stdin: Bytes::from("abc"),
        ..KernelConfig::default()
    });
    assert_eq!(guest.read(0, 2), Ok(b"ab".to_vec()));
    assert_eq!(guest.read(0, 2), Ok(b"c".to_vec()));
    assert_eq!(guest.read(0, 2), Ok(Vec::new()));
    assert_eq!(guest.value(number::lseek, &[0, 0, 0]), Err(Errno::ESPIPE));
}

#[test]
fn standard_input_may_be_a_file_or_closed() {
    let mut guest = Guest::new(KernelConfig {
        stdin: Bytes::from("abc"),
        streams: [
            StandardStream::File,
            StandardStream::File,
            StandardStream::Closed,
        ],
        ..KernelConfig::default()
    });
    assert_eq!(guest.read(0, 9), Ok(b"abc".to_vec()));
    assert_eq!(guest.value(number::lseek, &[0, 1, 0]), Ok(1));
    assert_eq!(guest.read(0, 9), Ok(b"bc".to_vec()));
    assert_eq!(guest.write(2, b"x"), Err(Errno::EBADF));
    assert_eq!(guest.write(1, b"kept"), Ok(4));
    assert_eq!(guest.value(number::close, &[1]), Ok(0));
    assert_eq!(guest.kernel.stdout().bytes(), b"kept");
}

#[test]
fn what_was_written_is_read_back_and_reported_as_a_change() {
    let mut guest = with_file("/home/user/a", "old");
    let descriptor = guest.open("b", libc::O_CREAT | libc::O_RDWR).unwrap();
    assert_eq!(guest.write(descriptor, b"hello"), Ok(5));
    assert_eq!(guest.value(number::lseek, &[descriptor, 1, 0]), Ok(1));
    assert_eq!(guest.read(descriptor, 3), Ok(b"ell".to_vec()));
    let old = guest.text("a");
    assert_eq!(guest.value(number::unlink, &[old]), Ok(0));
    let changes = guest.kernel.file_changes();
    let paths: Vec<_> = changes
        .iter()
        .map(|change| change.path.as_slice())
        .collect();
    assert_eq!(paths, [&b"/home/user/a"[..], b"/home/user/b"]);
    assert!(changes[0].after.is_none() && changes[1].before.is_none());
    let Some(FileState::File { content, mode, .. }) = &changes[1].after else {
        panic!("a new file, not {:?}", changes[1].after);
    };
    assert_eq!((content.bytes(), *mode), (&b"hello"[..], 0o644));
}

#[test]
fn an_unlinked_file_lives_until_it_is_closed() {
    let mut guest = with_file("/home/user/a", "content");
    let descriptor = guest.open("a", libc::O_RDONLY).unwrap();
    let path = guest.text("a");
    assert_eq!(guest.value(number::unlink, &[path]), Ok(0));
    assert_eq!(guest.open("a", libc::O_RDONLY), Err(Errno::ENOENT));
    assert_eq!(guest.read(descriptor, 99), Ok(b"content".to_vec()));
}

#[test]
fn devices_behave() {
    let mut guest = Guest::new(KernelConfig::default());
    let null = guest.open("/dev/null", libc::O_RDWR).unwrap();
    assert_eq!(guest.read(null, 5), Ok(Vec::new()));
    assert_eq!(guest.write(null, b"gone"), Ok(4));
    let zero = guest.open("/dev/zero", libc::O_RDONLY).unwrap();
    assert_eq!(guest.read(zero, 3), Ok(vec![0; 3]));
    let full = guest.open("/dev/full", libc::O_WRONLY).unwrap();
    assert_eq!(guest.write(full, b"x"), Err(Errno::ENOSPC));
    assert_eq!(guest.open("/dev/tty", libc::O_RDWR), Err(Errno::ENXIO));
    let random = guest.open("/dev/urandom", libc::O_RDONLY).unwrap();
    let first = guest.read(random, 16).unwrap();
    assert_ne!(first, guest.read(random, 16).unwrap());
}

#[test]
fn standard_streams_can_be_reopened_by_name() {
    let mut guest = Guest::new(KernelConfig {
        stdin: Bytes::from("in"),
        ..KernelConfig::default()
    });
    let input = guest.open("/dev/stdin", libc::O_RDONLY).unwrap();
    assert_eq!(guest.read(input, 9), Ok(b"in".to_vec()));
    let output = guest.open("/proc/self/fd/1", libc::O_WRONLY).unwrap();
    assert_eq!(guest.write(output, b"out"), Ok(3));
    assert_eq!(guest.kernel.stdout().bytes(), b"out");
    assert_eq!(guest.open("/dev/fd/77", libc::O_RDONLY), Err(Errno::ENOENT));
}

#[test]
fn a_file_without_holes_is_all_data() {
    let mut guest = with_file("/home/user/a", "12345");
    let descriptor = guest.open("a", libc::O_RDONLY).unwrap();
    assert_eq!(guest.value(number::lseek, &[descriptor, 2, 3]), Ok(2));
    assert_eq!(guest.value(number::lseek, &[descriptor, 2, 4]), Ok(5));
    assert_eq!(
        guest.value(number::lseek, &[descriptor, 5, 3]),
        Err(Errno::ENXIO)
    );
}

#[test]
fn memory_that_is_not_there_is_a_fault_with_its_address() {
    let mut guest = Guest::new(KernelConfig::default());
    let short = guest.bytes(b"abc");
    assert_eq!(
        guest.call(number::write, &[1, short, 4]),
        SyscallResult::Fault {
            address: short,
            length: 4,
            write: false
        }
    );
    // Less than asked for is read, so the short buffer is enough.
    let empty = guest.open("/dev/null", libc::O_RDONLY).unwrap();
    assert_eq!(guest.value(number::read, &[empty, short, 4000]), Ok(0));
    assert_eq!(
        guest.call(number::open, &[0, 0, 0]),
        SyscallResult::Fault {
            address: 0,
            length: 1,
            write: false
        }
    );
}

#[test]
fn a_file_beyond_the_limit_is_named() {
    let mut guest = with_file("/home/user/a", "");
    let descriptor = guest.open("a", libc::O_RDWR).unwrap();
    let reason = guest.unsupported(number::ftruncate, &[descriptor, 1 << 40]);
    assert!(reason.starts_with("ftruncate (77): a file of "), "{reason}");
}

#[test]
fn a_pipe_without_reader_kills_unless_ignored() {
    let mut guest = Guest::new(KernelConfig::default());
    let ends = guest.buffer(8);
    assert_eq!(guest.value(number::pipe, &[ends]), Ok(0));
    assert_eq!((guest.u32_at(ends), guest.u32_at(ends + 4)), (3, 4));
    assert_eq!(guest.write(4, b"x"), Ok(1));
    assert_eq!(guest.read(3, 5), Ok(b"x".to_vec()));
    let buffer = guest.buffer(5);
    let reason = guest.unsupported(number::read, &[3, buffer, 5]);
    assert!(reason.contains("waits for ever"), "{reason}");
    assert_eq!(guest.value(number::close, &[3]), Ok(0));
    let data = guest.bytes(b"x");
    assert_eq!(
        guest.call(number::write, &[4, data, 1]),
        SyscallResult::Killed(Signal::SIGPIPE)
    );
}
