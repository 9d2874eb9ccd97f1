//! The process itself: identity, limits, system information, ending, and the single thread's futexes.

use super::errno::Errno;
use super::file_system::Credentials;
use super::user_memory::{Layout, UserMemory, write_plain};
use super::{Interrupt, Kernel, Outcome, SyscallResult};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Process {
    pub(super) pid: u32,
    host_name: String,
    /// Soft and hard limit by `RLIMIT_` number, where changed.
    limits: std::collections::BTreeMap<u64, (u64, u64)>,
    name: [u8; 16],
    real_ids: (u32, u32),
}

impl Process {
    pub(super) fn new(pid: u32, host_name: String, who: &Credentials) -> Process {
        let mut name = [0; 16];
        name[..7].copy_from_slice(b"program");
        Process {
            pid,
            host_name,
            limits: Default::default(),
            name,
            real_ids: (who.uid, who.gid),
        }
    }
}

const RLIM_INFINITY: u64 = u64::MAX;
const RLIMIT_STACK: u64 = 3;
const RLIMIT_CORE: u64 = 4;
const RLIMIT_NPROC: u64 = 6;
const RLIMIT_NOFILE: u64 = 7;
const RLIMIT_NICE: u64 = 13;
const RLIMIT_RTPRIO: u64 = 14;
const RLIMIT_COUNT: u64 = 16;

impl Kernel {
    pub(super) fn exit(&mut self, status: u64) -> Outcome {
        Err(Interrupt::Stop(SyscallResult::Exit((status & 0xff) as i32)))
    }

    pub(super) fn arch_prctl(&mut self, code: u64, address: u64) -> Outcome {
        const ARCH_SET_FS: u64 = 0x1002;
        match code {
            ARCH_SET_FS => Err(Interrupt::Stop(SyscallResult::SetThreadPointer(address))),
            0x1001 | 0x1003 | 0x1004 => {
                self.unsupported("only setting the thread pointer is modelled")
            }
            _ => Err(Errno::EINVAL.into()),
        }
    }

    pub(super) fn setuid(&mut self, uid: u64) -> Outcome {
        let uid = uid as u32;
        if self.credentials.is_root() {
            self.credentials.uid = uid;
            self.process.real_ids.0 = uid;
            return Ok(0);
        }
        if uid == self.process.real_ids.0 || uid == self.credentials.uid {
            self.credentials.uid = uid;
            return Ok(0);
        }
        Err(Errno::EPERM.into())
    }

    pub(super) fn setgid(&mut self, gid: u64) -> Outcome {
        let gid = gid as u32;
        if self.credentials.is_root() {
            self.credentials.gid = gid;
            self.process.real_ids.1 = gid;
            return Ok(0);
        }
        if gid == self.process.real_ids.1 || gid == self.credentials.gid {
            self.credentials.gid = gid;
            return Ok(0);
        }
        Err(Errno::EPERM.into())
    }

    pub(super) fn real_ids(&self) -> (u32, u32) {
        self.process.real_ids
    }

    /// `getresuid`, `getresgid`: the saved id is the effective one.
    pub(super) fn getresid(
        &mut self,
        memory: &mut dyn UserMemory,
        addresses: [u64; 3],
        real: u32,
        effective: u32,
    ) -> Outcome {
        for (address, id) in addresses.into_iter().zip([real, effective, effective]) {
            write_plain(memory, address, &id.to_le_bytes())?;
        }
        Ok(0)
    }

    pub(super) fn getgroups(
        &mut self,
        memory: &mut dyn UserMemory,
        size: u64,
        list: u64,
    ) -> Outcome {
        let size = size as i32;
        let count = self.credentials.groups.len() as i32;
        if size < 0 || (size != 0 && size < count) {
            return Err(Errno::EINVAL.into());
        }
        if size != 0 {
            let mut groups = Layout::default();
            for &group in &self.credentials.groups {
                groups = groups.u32(group);
            }
            write_plain(memory, list, &groups.0)?;
        }
        Ok(count.into())
    }

    pub(super) fn set_umask(&mut self, mask: u64) -> Outcome {
        let previous = std::mem::replace(&mut self.umask, mask as u32 & 0o777);
        Ok(previous.into())
    }

    fn resource_limit(&self, resource: u64) -> (u64, u64) {
        if let Some(&limit) = self.process.limits.get(&resource) {
            return limit;
        }
        match resource {
            RLIMIT_STACK => (self.limits.stack_bytes, RLIM_INFINITY),
            RLIMIT_CORE => (0, RLIM_INFINITY),
            RLIMIT_NOFILE => (self.limits.open_files.into(), self.limits.open_files.into()),
            RLIMIT_NPROC => (1, 1),
            RLIMIT_NICE | RLIMIT_RTPRIO => (0, 0),
            _ => (RLIM_INFINITY, RLIM_INFINITY),
        }
    }

    pub(super) fn prlimit(
        &mut self,
        memory: &mut dyn UserMemory,
        pid: u64,
        resource: u64,
        new: u64,
        old: u64,
    ) -> Outcome {
        let resource = u64::from(resource as u32);
        let replacement = if new == 0 {
            None
        } else {
            Some(self.read_pair(memory, new)?)
        };
        if pid as u32 != 0 && pid as u32 != self.process.pid {
            return Err(Errno::ESRCH.into());
        }
        if resource >= RLIMIT_COUNT {
            return Err(Errno::EINVAL.into());
        }
        let previous = self.resource_limit(resource);
        if let Some((soft, hard)) = replacement {
            if soft > hard {
                return Err(Errno::EINVAL.into());
            }
            if hard > previous.1 && !self.credentials.is_root() {
                return Err(Errno::EPERM.into());
            }
            match resource {
                RLIMIT_NOFILE => {
                    if soft > u64::from(u32::MAX >> 1) {
                        return Err(Errno::EPERM.into());
                    }
                    self.limits.open_files = soft as u32;
                }
                RLIMIT_STACK | RLIMIT_CORE | RLIMIT_NPROC => {}
                _ if (soft, hard) == previous => {}
                _ => return self.unsupported("this resource limit is not enforced by the model"),
            }
            self.process.limits.insert(resource, (soft, hard));
        }
        if old != 0 {
            let limit = Layout::default().u64(previous.0).u64(previous.1);
            write_plain(memory, old, &limit.0)?;
        }
        Ok(0)
    }

    pub(super) fn uname(&mut self, memory: &mut dyn UserMemory, buffer: u64) -> Outcome {
        let mut names = Vec::new();
        let host_name = self.process.host_name.clone();
        for field in [
            "Linux",
            host_name.as_str(),
            "6.1.0",
            "#1 SMP",
            "x86_64",
            "(none)",
        ] {
            let mut text = [0; 65];
            let length = field.len().min(64);
            text[..length].copy_from_slice(&field.as_bytes()[..length]);
            names.extend_from_slice(&text);
        }
        write_plain(memory, buffer, &names)?;
        Ok(0)
    }

    pub(super) fn sysinfo(&mut self, memory: &mut dyn UserMemory, buffer: u64) -> Outcome {
        let memory_bytes: u64 = 4 << 30;
        let information = Layout::default()
            .u64((self.clock.since_boot() / 1_000_000_000) as u64)
            .zeros(24)
            .u64(memory_bytes)
            .u64(memory_bytes / 2)
            .zeros(16)
            .zeros(16)
            .u16(1)
            .zeros(6)
            .zeros(16)
            .u32(1)
            .zeros(4);
        write_plain(memory, buffer, &information.0)?;
        Ok(0)
    }

    pub(super) fn getrusage(
        &mut self,
        memory: &mut dyn UserMemory,
        who: u64,
        buffer: u64,
    ) -> Outcome {
        if !(-1..=1).contains(&(who as i32)) {
            return Err(Errno::EINVAL.into());
        }
        write_plain(memory, buffer, &[0; 144])?;
        Ok(0)
    }

    /// One processor.
    pub(super) fn sched_getaffinity(
        &mut self,
        memory: &mut dyn UserMemory,
        pid: u64,
        size: u64,
        mask: u64,
    ) -> Outcome {
        if pid as u32 != 0 && pid as u32 != self.process.pid {
            return Err(Errno::ESRCH.into());
        }
        if size < 8 || !size.is_multiple_of(8) {
            return Err(Errno::EINVAL.into());
        }
        write_plain(memory, mask, &1_u64.to_le_bytes())?;
        Ok(8)
    }

    pub(super) fn getcpu(
        &mut self,
        memory: &mut dyn UserMemory,
        processor: u64,
        node: u64,
    ) -> Outcome {
        for address in [processor, node] {
            if address != 0 {
                write_plain(memory, address, &[0; 4])?;
            }
        }
        Ok(0)
    }

    pub(super) fn prctl(
        &mut self,
        memory: &mut dyn UserMemory,
        option: u64,
        argument: u64,
    ) -> Outcome {
        const PR_SET_PDEATHSIG: u64 = 1;
        const PR_GET_DUMPABLE: u64 = 3;
        const PR_SET_DUMPABLE: u64 = 4;
        const PR_SET_NAME: u64 = 15;
        const PR_GET_NAME: u64 = 16;
        const PR_SET_NO_NEW_PRIVS: u64 = 38;
        const PR_SET_VMA: u64 = 0x5356_4d41;
        match option {
            PR_SET_NAME => {
                let mut name = [0; 16];
                for (index, byte) in name.iter_mut().take(15).enumerate() {
                    *byte = self.read_plain(memory, argument.wrapping_add(index as u64), 1)?[0];
                    if *byte == 0 {
                        break;
                    }
                }
                self.process.name = name;
                Ok(0)
            }
            PR_GET_NAME => {
                write_plain(memory, argument, &self.process.name)?;
                Ok(0)
            }
            PR_GET_DUMPABLE => Ok(1),
            PR_SET_PDEATHSIG | PR_SET_DUMPABLE | PR_SET_NO_NEW_PRIVS => Ok(0),
            // Names for mappings need a kernel built for them.
            PR_SET_VMA => Err(Errno::EINVAL.into()),
            _ => self.unsupported(&format!("option {option} is not modelled")),
        }
    }

    pub(super) fn wait4(&mut self) -> Outcome {
        Err(Errno::ECHILD.into())
    }

    /// A single thread wakes nobody, and a wait that is not over at once lasts for ever.
    pub(super) fn futex(
        &mut self,
        memory: &dyn UserMemory,
        [address, operation, value, timeout, ..]: [u64; 6],
    ) -> Outcome {
        const FUTEX_WAIT: u64 = 0;
        const FUTEX_WAKE: u64 = 1;
        const FUTEX_REQUEUE: u64 = 3;
        const FUTEX_CMP_REQUEUE: u64 = 4;
        const FUTEX_WAKE_OP: u64 = 5;
        const FUTEX_WAIT_BITSET: u64 = 9;
        const FUTEX_WAKE_BITSET: u64 = 10;
        const PRIVATE_AND_CLOCK: u64 = 128 | 256;
        match operation & 0xffff_ffff & !PRIVATE_AND_CLOCK {
            FUTEX_WAKE | FUTEX_WAKE_BITSET => Ok(0),
            FUTEX_WAIT | FUTEX_WAIT_BITSET => {
                if self.read_u32(memory, address)? != value as u32 {
                    return Err(Errno::EAGAIN.into());
                }
                if timeout == 0 {
                    return self.unsupported("waits for ever: no other thread can wake this one");
                }
                let absolute = operation & 0x7f == FUTEX_WAIT_BITSET;
                let clock = if operation & 256 != 0 { 0 } else { 1 };
                self.clock_nanosleep(memory, clock, absolute.into(), timeout)?;
                Err(Errno::ETIMEDOUT.into())
            }
            FUTEX_REQUEUE | FUTEX_CMP_REQUEUE | FUTEX_WAKE_OP => {
                self.unsupported("moving waiting threads is not modelled")
            }
            _ => self.unsupported(&format!("operation {operation} is not modelled")),
        }
    }
}
