//! Terms travel with the bytes; where the kernel looks at a byte itself, it says so.

use concolic_vm::linux::syscall_table::number;
use concolic_vm::linux::{
    Bytes, BytesView, Concretisation, FileConfig, FileState, KernelConfig, UserMemory,
};

use crate::support::Guest;

#[test]
fn a_symbolic_byte_written_to_a_file_is_read_back_symbolic() {
    let mut guest = Guest::new(KernelConfig {
        stdin: Bytes::symbolic(*b"abc", [7, 0, 9]),
        ..KernelConfig::default()
    });
    let buffer = guest.buffer(3);
    assert_eq!(guest.value(number::read, &[0, buffer, 3]), Ok(3));
    assert_eq!(guest.memory.terms(buffer, 3), Some(&[7, 0, 9][..]));
    let file = guest.open("f", libc::O_CREAT | libc::O_RDWR).unwrap();
    assert_eq!(guest.write(file, b"--"), Ok(2));
    assert_eq!(guest.value(number::write, &[file, buffer, 3]), Ok(3));
    let copy = guest.buffer(4);
    assert_eq!(guest.value(number::pread64, &[file, copy, 4, 1]), Ok(4));
    assert_eq!(guest.memory.terms(copy, 4), Some(&[0, 7, 0, 9][..]));
    let Some(FileState::File { content, .. }) = guest.kernel.file_state(b"/home/user/f") else {
        panic!("the file exists");
    };
    assert_eq!(content, Bytes::symbolic(*b"--abc", [0, 0, 7, 0, 9]));
    assert_eq!(guest.kernel.take_concretisations(), []);
}

#[test]
fn symbolic_output_keeps_its_terms() {
    let mut guest = Guest::new(KernelConfig::default());
    let content = Bytes::symbolic(*b"xy", [0, 5]);
    let address = guest.memory.allocate(content.view(), 2);
    assert_eq!(guest.value(number::write, &[1, address, 2]), Ok(2));
    assert_eq!(guest.write(1, b"z"), Ok(1));
    assert_eq!(guest.kernel.stdout(), Bytes::symbolic(*b"xyz", [0, 5, 0]));
}

#[test]
fn a_mapped_file_and_a_pipe_keep_terms() {
    let mut config = KernelConfig::default();
    let content = Bytes::symbolic(*b"map", [1, 2, 3]);
    config
        .files
        .insert(b"/home/user/m".to_vec(), FileConfig::file(content));
    let mut guest = Guest::new(config);
    let file = guest.open("m", libc::O_RDONLY).unwrap();
    let address = guest.value(number::mmap, &[0, 3, 1, 2, file, 0]).unwrap() as u64;
    assert_eq!(guest.memory.terms(address, 4), Some(&[1, 2, 3, 0][..]));
    let ends = guest.buffer(8);
    guest.value(number::pipe, &[ends]).unwrap();
    assert_eq!(guest.value(number::write, &[5, address, 3]), Ok(3));
    let buffer = guest.buffer(2);
    assert_eq!(guest.value(number::read, &[4, buffer, 2]), Ok(2));
    assert_eq!(guest.memory.terms(buffer, 2), Some(&[1, 2][..]));
}

#[test]
fn a_symbolic_path_is_noted_as_concretised() {
    let mut guest = Guest::new(KernelConfig::default());
    let path = Bytes::symbolic(*b"no\0", [4, 0, 6]);
    let address = guest.memory.allocate(path.view(), 3);
    assert!(guest.value(number::open, &[address, 0, 0]).is_err());
    let note = |term, value| Concretisation {
        term,
        value,
        syscall: number::open,
    };
    assert_eq!(
        guest.kernel.take_concretisations(),
        [note(4, b'n'), note(6, 0)]
    );
    assert_eq!(guest.kernel.take_concretisations(), []);
}

#[test]
fn overwriting_with_concrete_bytes_forgets_terms() {
    let mut content = Bytes::symbolic(*b"ab", [1, 2]);
    content.write_at(0, BytesView::concrete(b"xy"));
    assert_eq!(content, Bytes::from("xy"));
    content.resize(4);
    assert_eq!(content.bytes(), b"xy\0\0");
}

#[test]
fn a_snapshot_is_independent() {
    let mut guest = Guest::new(KernelConfig::default());
    let file = guest.open("f", libc::O_CREAT | libc::O_RDWR).unwrap();
    guest.write(file, b"one").unwrap();
    let snapshot = guest.kernel.clone();
    guest.write(file, b"two").unwrap();
    let content = |kernel: &concolic_vm::linux::Kernel| match kernel.file_state(b"/home/user/f") {
        Some(FileState::File { content, .. }) => content.bytes().to_vec(),
        other => panic!("a file, not {other:?}"),
    };
    assert_eq!(content(&snapshot), b"one");
    assert_eq!(content(&guest.kernel), b"onetwo");
}
