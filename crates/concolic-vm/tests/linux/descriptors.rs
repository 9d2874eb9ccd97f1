//! Readiness, terminals that are none, and descriptor limits.

use concolic_vm::linux::syscall_table::number;
use concolic_vm::linux::{Bytes, Errno, KernelConfig};

use crate::support::Guest;

#[test]
fn nothing_is_a_terminal() {
    let mut guest = Guest::new(KernelConfig::default());
    let buffer = guest.buffer(64);
    for descriptor in 0..3 {
        for request in [0x5401, 0x5413] {
            let arguments = [descriptor, request, buffer];
            assert_eq!(guest.value(number::ioctl, &arguments), Err(Errno::ENOTTY));
        }
    }
}

#[test]
fn waiting_input_is_counted_and_polled() {
    let mut guest = Guest::new(KernelConfig {
        stdin: Bytes::from("abc"),
        ..KernelConfig::default()
    });
    let count = guest.buffer(4);
    assert_eq!(guest.value(number::ioctl, &[0, 0x541b, count]), Ok(0));
    assert_eq!(guest.u32_at(count), 3);
    let entry = |descriptor: u32, events: u32| [descriptor, events];
    let entries: Vec<u8> = [entry(0, 1), entry(1, 4), entry(50, 1)]
        .concat()
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let array = guest.bytes(&entries);
    assert_eq!(guest.value(number::poll, &[array, 3, 0]), Ok(3));
    let events: Vec<u32> = (0..3)
        .map(|i| guest.u32_at(array + 8 * i + 4) >> 16)
        .collect();
    // Input with its writer gone, output, not open.
    assert_eq!(events, [0x11, 4, 0x20]);
}

#[test]
fn polling_nothing_lets_time_pass() {
    let mut guest = Guest::new(KernelConfig {
        time: 100,
        ..KernelConfig::default()
    });
    assert_eq!(guest.value(number::poll, &[0, 0, 2500]), Ok(0));
    assert_eq!(guest.value(number::time, &[0]), Ok(102));
    let reason = guest.unsupported(number::poll, &[0, 0, u64::MAX]);
    assert!(reason.starts_with("poll (7): waits for ever"), "{reason}");
}

#[test]
fn select_keeps_what_is_ready() {
    let mut guest = Guest::new(KernelConfig::default());
    let set = guest.bytes(&0b10_u64.to_le_bytes());
    assert_eq!(guest.value(number::select, &[3, 0, set, 0, 0]), Ok(1));
    assert_eq!(guest.u64_at(set), 0b10);
}

#[test]
fn the_descriptor_table_has_an_end() {
    let mut config = KernelConfig::default();
    config.limits.open_files = 5;
    let mut guest = Guest::new(config);
    assert_eq!(guest.value(number::dup, &[0]), Ok(3));
    assert_eq!(guest.value(number::dup, &[0]), Ok(4));
    assert_eq!(guest.value(number::dup, &[0]), Err(Errno::EMFILE));
    assert_eq!(guest.open("/dev/null", 0), Err(Errno::EMFILE));
    assert_eq!(guest.value(number::close_range, &[3, u64::MAX, 0]), Ok(0));
    assert_eq!(guest.value(number::dup, &[0]), Ok(3));
}
