//! Mappings and the heap.

use concolic_vm::linux::syscall_table::number;
use concolic_vm::linux::{Errno, FileConfig, KernelConfig, SyscallResult, UserMemory};

use crate::support::Guest;

const READ_WRITE: u64 = 3;
const PRIVATE_ANONYMOUS: u64 = 0x22;

#[test]
fn mappings_are_made_grown_and_ended() {
    let mut guest = Guest::new(KernelConfig::default());
    let arguments = [0, 5000, READ_WRITE, PRIVATE_ANONYMOUS, u64::MAX, 0];
    let address = guest.value(number::mmap, &arguments).unwrap() as u64;
    assert_eq!(guest.memory.readable(address).map(<[u8]>::len), Some(8192));
    let grown = guest.value(number::mremap, &[address, 8192, 20000, 1]);
    assert_eq!(grown, Ok(address as i64));
    assert_eq!(guest.memory.readable(address).map(<[u8]>::len), Some(20480));
    assert_eq!(guest.value(number::munmap, &[address + 4096, 16384]), Ok(0));
    assert_eq!(guest.memory.readable(address).map(<[u8]>::len), Some(4096));
    assert_eq!(guest.value(number::munmap, &[address, 4096]), Ok(0));
    assert_eq!(guest.memory.readable(address), None);
    // Unmapping nothing is fine, remapping nothing is not.
    assert_eq!(guest.value(number::munmap, &[address, 4096]), Ok(0));
    assert_eq!(
        guest.value(number::mremap, &[address, 4096, 8192, 1]),
        Err(Errno::EFAULT)
    );
}

#[test]
fn a_file_is_mapped_with_zeros_to_the_end_of_the_page() {
    let mut config = KernelConfig::default();
    config
        .files
        .insert(b"/home/user/f".to_vec(), FileConfig::file("data"));
    let mut guest = Guest::new(config);
    let file = guest.open("f", libc::O_RDONLY).unwrap();
    let address = guest.value(number::mmap, &[0, 4, 1, 2, file, 0]).unwrap() as u64;
    assert_eq!(guest.memory_at(address, 6), b"data\0\0");
    assert!(!guest.memory.write(address, b"x", None), "read-only");
}

#[test]
fn wrong_mappings_have_the_right_errors() {
    let mut guest = Guest::new(KernelConfig::default());
    let mut map = |arguments: [u64; 6]| guest.call(number::mmap, &arguments);
    let error = |errno: Errno| SyscallResult::Return(-i64::from(errno.0));
    let none = u64::MAX;
    assert_eq!(
        map([0, 0, 3, PRIVATE_ANONYMOUS, none, 0]),
        error(Errno::EINVAL)
    );
    assert_eq!(map([0, 9, 3, 2, none, 0]), error(Errno::EBADF));
    assert_eq!(
        map([0, 9, 3, PRIVATE_ANONYMOUS, none, 1]),
        error(Errno::EINVAL)
    );
    assert_eq!(
        map([0, 1 << 40, 3, PRIVATE_ANONYMOUS, none, 0]),
        error(Errno::ENOMEM)
    );
    assert_eq!(
        map([4096, 9, 3, PRIVATE_ANONYMOUS | 0x10, none, 0]),
        SyscallResult::Unsupported(
            "mmap (9): mapping at a chosen address is not modelled".to_string()
        )
    );
}

#[test]
fn the_heap_grows_to_its_limit_and_comes_back_zeroed() {
    let mut config = KernelConfig::default();
    config.limits.heap_bytes = 8192;
    let mut guest = Guest::new(config);
    let start = guest.value(number::brk, &[0]).unwrap() as u64;
    assert_eq!(
        guest.value(number::brk, &[start + 8192]),
        Ok(start as i64 + 8192)
    );
    assert!(guest.memory.write(start, b"x", None));
    assert_eq!(
        guest.value(number::brk, &[start + 8193]),
        Ok(start as i64 + 8192)
    );
    assert_eq!(guest.value(number::brk, &[start]), Ok(start as i64));
    assert_eq!(guest.value(number::brk, &[start + 1]), Ok(start as i64 + 1));
    assert_eq!(guest.memory_at(start, 1), [0]);
}
