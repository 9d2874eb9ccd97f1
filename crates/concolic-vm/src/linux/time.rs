//! Clocks and sleeping.
//!
//! The clock is virtual: it stands still while the program computes and moves when it sleeps.

use super::errno::Errno;
use super::user_memory::{Layout, UserMemory, write_plain};
use super::{Kernel, Outcome};

const SECOND: i64 = 1_000_000_000;
/// How long the machine has been up when the process starts.
const UPTIME: i64 = 1000 * SECOND;

const TIMER_ABSTIME: u64 = 1;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Clock {
    start: i64,
    now: i64,
}

impl Clock {
    pub(super) fn new(now: i64) -> Clock {
        Clock { start: now, now }
    }

    /// Nanoseconds since 1970.
    pub(super) fn now(&self) -> i64 {
        self.now
    }

    pub(super) fn since_boot(&self) -> i64 {
        UPTIME + (self.now - self.start)
    }

    pub(super) fn advance(&mut self, nanoseconds: i64) {
        self.now = self.now.saturating_add(nanoseconds.max(0));
    }

    /// The value of a clock of `clock_gettime`; a process that only sleeps uses no processor time.
    fn read(&self, clock: u64) -> Result<i64, Errno> {
        match clock {
            0 | 5 | 8 | 11 => Ok(self.now),
            1 | 4 | 6 | 7 | 9 => Ok(self.since_boot()),
            2 | 3 => Ok(0),
            _ => Err(Errno::EINVAL),
        }
    }
}

impl Kernel {
    pub(super) fn clock_gettime(
        &mut self,
        memory: &mut dyn UserMemory,
        clock: u64,
        address: u64,
    ) -> Outcome {
        let time = self.clock.read(clock)?;
        write_plain(memory, address, &Layout::default().time(time).0)?;
        Ok(0)
    }

    pub(super) fn clock_getres(
        &mut self,
        memory: &mut dyn UserMemory,
        clock: u64,
        address: u64,
    ) -> Outcome {
        self.clock.read(clock)?;
        let resolution = if matches!(clock, 5 | 6) { 4_000_000 } else { 1 };
        if address != 0 {
            write_plain(memory, address, &Layout::default().time(resolution).0)?;
        }
        Ok(0)
    }

    pub(super) fn gettimeofday(
        &mut self,
        memory: &mut dyn UserMemory,
        time: u64,
        zone: u64,
    ) -> Outcome {
        let now = self.clock.now();
        if time != 0 {
            let timeval = Layout::default()
                .u64(now.div_euclid(SECOND) as u64)
                .u64((now.rem_euclid(SECOND) / 1000) as u64);
            write_plain(memory, time, &timeval.0)?;
        }
        if zone != 0 {
            write_plain(memory, zone, &[0; 8])?;
        }
        Ok(0)
    }

    pub(super) fn time(&mut self, memory: &mut dyn UserMemory, address: u64) -> Outcome {
        let seconds = self.clock.now().div_euclid(SECOND);
        if address != 0 {
            write_plain(memory, address, &seconds.to_le_bytes())?;
        }
        Ok(seconds)
    }

    pub(super) fn nanosleep(&mut self, memory: &dyn UserMemory, request: u64) -> Outcome {
        let duration = self.read_duration(memory, request)?;
        self.clock.advance(duration);
        Ok(0)
    }

    pub(super) fn clock_nanosleep(
        &mut self,
        memory: &dyn UserMemory,
        clock: u64,
        flags: u64,
        request: u64,
    ) -> Outcome {
        let now = self.clock.read(clock)?;
        let duration = self.read_duration(memory, request)?;
        match clock {
            2 => return self.unsupported("waiting for processor time is not modelled"),
            3 => return Err(Errno::EINVAL.into()),
            4..=6 => return Err(Errno::EOPNOTSUPP.into()),
            _ => {}
        }
        if flags & TIMER_ABSTIME != 0 {
            self.clock.advance(duration - now);
        } else {
            self.clock.advance(duration);
        }
        Ok(0)
    }

    fn read_duration(&mut self, memory: &dyn UserMemory, address: u64) -> Outcome<i64> {
        let (seconds, nanoseconds) = self.read_pair(memory, address)?;
        if (seconds as i64) < 0 || nanoseconds >= SECOND as u64 {
            return Err(Errno::EINVAL.into());
        }
        Ok((seconds as i64)
            .saturating_mul(SECOND)
            .saturating_add(nanoseconds as i64))
    }

    /// Clock ticks since boot; the process itself has used none.
    pub(super) fn times(&mut self, memory: &mut dyn UserMemory, address: u64) -> Outcome {
        if address != 0 {
            write_plain(memory, address, &[0; 32])?;
        }
        Ok(self.clock.since_boot() / (SECOND / 100))
    }

    /// No timer ever runs: setting one to zero is harmless, anything else would need a signal later.
    pub(super) fn alarm(&mut self, seconds: u64) -> Outcome {
        if seconds as u32 == 0 {
            return Ok(0);
        }
        self.unsupported("signals that arrive later are not modelled")
    }

    pub(super) fn setitimer(
        &mut self,
        memory: &mut dyn UserMemory,
        which: u64,
        new: u64,
        old: u64,
    ) -> Outcome {
        if which > 2 {
            return Err(Errno::EINVAL.into());
        }
        if new != 0 {
            let timer = self.read_plain(memory, new, 32)?;
            if timer[16..].iter().any(|&byte| byte != 0) {
                return self.unsupported("signals that arrive later are not modelled");
            }
        }
        self.getitimer(memory, which, old)
    }

    pub(super) fn getitimer(
        &mut self,
        memory: &mut dyn UserMemory,
        which: u64,
        old: u64,
    ) -> Outcome {
        if which > 2 {
            return Err(Errno::EINVAL.into());
        }
        if old != 0 {
            write_plain(memory, old, &[0; 32])?;
        }
        Ok(0)
    }
}
