//! Ending, signals, time, randomness, and calls that are not modelled.

use concolic_vm::linux::syscall_table::{describe, name, number};
use concolic_vm::linux::{Errno, KernelConfig, Signal, SyscallResult};

use crate::support::Guest;

fn action(guest: &mut Guest, handler: u64, flags: u64, mask: u64) -> u64 {
    let words: Vec<u8> = [handler, flags, 0, mask]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    guest.bytes(&words)
}

fn raise(guest: &mut Guest, signal: u64) -> SyscallResult {
    let pid = guest.value(number::getpid, &[]).unwrap() as u64;
    guest.call(number::tgkill, &[pid, pid, signal])
}

#[test]
fn an_exit_status_has_eight_bits() {
    let mut guest = Guest::new(KernelConfig::default());
    assert_eq!(
        guest.call(number::exit_group, &[0x1ff]),
        SyscallResult::Exit(255)
    );
}

#[test]
fn default_ignored_and_blocked_signals() {
    let mut guest = Guest::new(KernelConfig::default());
    assert_eq!(raise(&mut guest, 0), SyscallResult::Return(0));
    assert_eq!(raise(&mut guest, 17), SyscallResult::Return(0));
    let ignore = action(&mut guest, 1, 0, 0);
    assert_eq!(
        guest.value(number::rt_sigaction, &[15, ignore, 0, 8]),
        Ok(0)
    );
    assert_eq!(raise(&mut guest, 15), SyscallResult::Return(0));
    let abort = guest.bytes(&(1_u64 << 5).to_le_bytes());
    assert_eq!(
        guest.value(number::rt_sigprocmask, &[0, abort, 0, 8]),
        Ok(0)
    );
    assert_eq!(raise(&mut guest, 6), SyscallResult::Return(0));
    let pending = guest.buffer(8);
    assert_eq!(guest.value(number::rt_sigpending, &[pending, 8]), Ok(0));
    assert_eq!(guest.u64_at(pending), 1 << 5);
    assert_eq!(
        guest.call(number::rt_sigprocmask, &[1, abort, 0, 8]),
        SyscallResult::Killed(Signal::SIGABRT)
    );
    assert_eq!(
        guest.value(number::rt_sigaction, &[9, ignore, 0, 8]),
        Err(Errno::EINVAL)
    );
}

#[test]
fn a_handler_runs_with_its_mask_and_the_call_returns_after_it() {
    let mut guest = Guest::new(KernelConfig::default());
    let handler = action(&mut guest, 0x7700, 0, 1 << 11);
    guest
        .value(number::rt_sigaction, &[10, handler, 0, 8])
        .unwrap();
    guest
        .value(number::rt_sigaction, &[12, handler, 0, 8])
        .unwrap();
    let SyscallResult::RunHandler(first) = raise(&mut guest, 10) else {
        panic!("a handler is installed");
    };
    assert_eq!((first.handler, first.arguments), (0x7700, [10, 0, 0]));
    // Signal 12 waits until the handler of 10 is over.
    assert_eq!(raise(&mut guest, 12), SyscallResult::Return(0));
    let next = guest
        .kernel
        .handler_returned(&mut guest.memory, first.frame);
    let SyscallResult::RunHandler(second) = next else {
        panic!("the second signal follows, not {next:?}");
    };
    assert_eq!(second.arguments[0], 12);
    let end = guest
        .kernel
        .handler_returned(&mut guest.memory, second.frame);
    assert_eq!(end, SyscallResult::Return(0));
}

#[test]
fn a_handler_with_information_can_read_it() {
    let mut guest = Guest::new(KernelConfig::default());
    let handler = action(&mut guest, 0x7700, 4, 0);
    guest
        .value(number::rt_sigaction, &[10, handler, 0, 8])
        .unwrap();
    let SyscallResult::RunHandler(call) = raise(&mut guest, 10) else {
        panic!("a handler is installed");
    };
    assert_eq!(guest.u32_at(call.arguments[1]), 10);
    assert_eq!(guest.u32_at(call.arguments[1] + 16), 1000);
    let end = guest.kernel.handler_returned(&mut guest.memory, call.frame);
    assert_eq!(end, SyscallResult::Return(0));
}

#[test]
fn sleeping_moves_the_clock_and_nothing_else_does() {
    let mut guest = Guest::new(KernelConfig {
        time: 50,
        ..KernelConfig::default()
    });
    let time = guest.buffer(16);
    for _ in 0..2 {
        guest.value(number::clock_gettime, &[0, time]).unwrap();
        assert_eq!((guest.u64_at(time), guest.u64_at(time + 8)), (50, 0));
    }
    let request = guest.bytes(&[3_u64.to_le_bytes(), 5_u64.to_le_bytes()].concat());
    assert_eq!(guest.value(number::nanosleep, &[request, 0]), Ok(0));
    guest.value(number::clock_gettime, &[0, time]).unwrap();
    assert_eq!((guest.u64_at(time), guest.u64_at(time + 8)), (53, 5));
    assert_eq!(guest.value(number::alarm, &[0]), Ok(0));
    assert_eq!(
        guest.unsupported(number::alarm, &[1]),
        "alarm (37): signals that arrive later are not modelled"
    );
}

#[test]
fn randomness_is_the_seed_s() {
    let draw = |seed| {
        let mut guest = Guest::new(KernelConfig {
            seed,
            ..KernelConfig::default()
        });
        let buffer = guest.buffer(11);
        assert_eq!(guest.value(number::getrandom, &[buffer, 11, 0]), Ok(11));
        guest.memory_at(buffer, 11).to_vec()
    };
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1), draw(2));
}

#[test]
fn a_single_thread_wakes_nobody_and_never_wakes() {
    let mut guest = Guest::new(KernelConfig::default());
    let word = guest.bytes(&5_u32.to_le_bytes());
    assert_eq!(guest.value(number::futex, &[word, 129, 1]), Ok(0));
    assert_eq!(
        guest.value(number::futex, &[word, 128, 4]),
        Err(Errno::EAGAIN)
    );
    let reason = guest.unsupported(number::futex, &[word, 128, 5]);
    assert!(
        reason.starts_with("futex (202): waits for ever"),
        "{reason}"
    );
}

#[test]
fn what_is_not_modelled_says_its_name() {
    let mut guest = Guest::new(KernelConfig::default());
    assert_eq!(
        guest.unsupported(number::socket, &[]),
        "socket (41): networking is not modelled"
    );
    assert_eq!(
        guest.unsupported(9999, &[]),
        "unknown system call (9999): Linux has no such call"
    );
    assert_eq!(describe(0), "read (0)");
    assert_eq!(
        (name(59), name(334), name(400)),
        (Some("execve"), Some("rseq"), None)
    );
}

/// What musl and Rust's standard library do before `main`.
#[test]
fn start_up_calls_succeed() {
    let mut guest = Guest::new(KernelConfig::default());
    assert_eq!(
        guest.call(number::arch_prctl, &[0x1002, 77]),
        SyscallResult::SetThreadPointer(77)
    );
    assert_eq!(guest.value(number::set_tid_address, &[0]), Ok(1000));
    let descriptors: Vec<u8> = (0..3_u64).flat_map(u64::to_le_bytes).collect();
    let array = guest.bytes(&descriptors);
    // Standard input is at its end: the writer has hung up.
    assert_eq!(guest.value(number::poll, &[array, 3, 0]), Ok(1));
    let ignore = action(&mut guest, 1, 0x1400_0000, 0);
    assert_eq!(
        guest.value(number::rt_sigaction, &[13, ignore, 0, 8]),
        Ok(0)
    );
    let old = guest.buffer(32);
    for signal in [7, 11] {
        assert_eq!(
            guest.value(number::rt_sigaction, &[signal, 0, old, 8]),
            Ok(0)
        );
        assert_eq!(guest.u64_at(old), 0);
    }
    let stack = guest.buffer(24);
    assert_eq!(guest.value(number::sigaltstack, &[0, stack]), Ok(0));
    let limit = guest.buffer(16);
    assert_eq!(guest.value(number::prlimit64, &[0, 3, 0, limit]), Ok(0));
    assert_eq!(guest.u64_at(limit), 8 << 20);
    let mask = guest.buffer(128);
    assert_eq!(
        guest.value(number::sched_getaffinity, &[0, 128, mask]),
        Ok(8)
    );
    assert_eq!(guest.value(number::fcntl, &[1, 3, 0]), Ok(1));
}

/// As on Linux: without privileges there are neither raised nor real-time priorities.
#[test]
fn priorities_are_limited_to_none() {
    let mut guest = Guest::new(KernelConfig::default());
    for resource in [13, 14] {
        let limit = guest.buffer(16);
        let asked = guest.value(number::prlimit64, &[0, resource, 0, limit]);
        assert_eq!(asked, Ok(0));
        assert_eq!((guest.u64_at(limit), guest.u64_at(limit + 8)), (0, 0));
    }
}
