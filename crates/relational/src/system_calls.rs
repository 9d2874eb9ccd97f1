//! Which system calls a function makes, as far as its text says.

use concolic_vm::linux::syscall_table::number;
use program_ir::{Callee, Constant, Function, InstData, Module};

/// A system call in the text of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SystemCall {
    /// The one with this number.
    Number(u128),
    /// Which one is decided when it is made.
    AnyNumber,
}

impl SystemCall {
    /// The system call that an instruction makes, if it makes one.
    pub(crate) fn of(module: &Module, function: &Function, data: &InstData) -> Option<SystemCall> {
        let number = match data {
            InstData::Syscall { args } => args[0],
            InstData::Call(call) | InstData::Invoke { call, .. } => {
                match (call.callee, call.args.first()) {
                    (Callee::Direct(callee), Some(&first))
                        if concolic_vm::is_system_call(&module.functions[callee].name) =>
                    {
                        first
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(match function.constant(number) {
            Some(Constant::Bits(number)) => SystemCall::Number(number),
            _ => SystemCall::AnyNumber,
        })
    }

    /// Whether a call of a function may be seen from outside after it, by another thread, a handler of a signal, or because memory
    /// is put to another use.
    pub(crate) fn is_revealing(self) -> bool {
        match self {
            SystemCall::Number(number) => {
                let mut revealing = REVEALING.into_iter();
                revealing.any(|revealing| u128::from(revealing) == number)
            }
            SystemCall::AnyNumber => true,
        }
    }
}

const REVEALING: [u64; 15] = [
    number::mprotect,
    number::munmap,
    number::rt_sigaction,
    number::mremap,
    number::alarm,
    number::setitimer,
    number::clone,
    number::fork,
    number::vfork,
    number::ptrace,
    number::timer_create,
    number::unshare,
    number::userfaultfd,
    number::pkey_mprotect,
    number::clone3,
];

/// Functions of C libraries that install a handler of a signal.
const INSTALLING: [&str; 4] = [
    "sigaction",
    "__sigaction",
    "__libc_sigaction",
    "rt_sigaction",
];

/// Whether a function installs a handler of a signal itself.
pub(crate) fn installs_handler(module: &Module, function: &Function) -> bool {
    let sigaction = SystemCall::Number(u128::from(number::rt_sigaction));
    let mut calls = function.insts.values();
    INSTALLING.contains(&function.name.as_str())
        || calls.any(|inst| SystemCall::of(module, function, &inst.data) == Some(sigaction))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers that the kernel's own table has under these names.
    #[test]
    fn revealing_calls_are_those_that_are_meant() {
        let numbers = [
            10, 11, 13, 25, 37, 38, 56, 57, 58, 101, 222, 272, 323, 329, 435,
        ];
        assert_eq!(REVEALING, numbers);
    }
}
