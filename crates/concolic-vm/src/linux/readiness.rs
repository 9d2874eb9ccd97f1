//! `poll(2)` and `select(2)`: which descriptors would not block.
//!
//! Nothing changes while the only thread waits, so a wait that is not satisfied at once either lasts
//! until its time-out, which moves the virtual clock, or for ever, which is reported.

use super::errno::Errno;
use super::file_system::Node;
use super::user_memory::{UserMemory, write_plain};
use super::{Kernel, Outcome};

const POLLIN: u16 = 1;
const POLLOUT: u16 = 4;
const POLLERR: u16 = 8;
const POLLHUP: u16 = 0x10;
const POLLNVAL: u16 = 0x20;
const POLLRDNORM: u16 = 0x40;
const POLLWRNORM: u16 = 0x100;

impl Kernel {
    /// What could be done with a descriptor now.
    fn events(&self, descriptor: i32) -> u16 {
        let Ok(file) = self.file(descriptor) else {
            return POLLNVAL;
        };
        let Node::Pipe(pipe) = &self.inode(file.inode).node else {
            return POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM;
        };
        let (has_reader, has_writer) = self.pipe_users(file.inode);
        let waiting = pipe.content.len() - pipe.consumed;
        let mut events = 0;
        if file.readable() {
            if waiting > 0 {
                events |= POLLIN | POLLRDNORM;
            }
            if !has_writer {
                events |= POLLHUP;
            }
        }
        if file.writable() {
            if waiting < super::transfer::PIPE_CAPACITY || pipe.end != Default::default() {
                events |= POLLOUT | POLLWRNORM;
            }
            if !has_reader {
                events |= POLLERR;
            }
        }
        events
    }

    /// `timeout` in nanoseconds; `None` waits for ever.
    pub(super) fn poll(
        &mut self,
        memory: &mut dyn UserMemory,
        array: u64,
        count: u64,
        timeout: Option<i64>,
    ) -> Outcome {
        if count > u64::from(self.limits.open_files) {
            return Err(Errno::EINVAL.into());
        }
        let mut ready = 0;
        for index in 0..count {
            let entry = array.wrapping_add(8 * index);
            let bytes = self.read_plain(memory, entry, 8)?;
            let descriptor = i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            let wanted = u16::from_le_bytes([bytes[4], bytes[5]]) | POLLERR | POLLHUP | POLLNVAL;
            let events = if descriptor < 0 {
                0
            } else {
                self.events(descriptor) & wanted
            };
            write_plain(memory, entry.wrapping_add(6), &events.to_le_bytes())?;
            ready += i64::from(events != 0);
        }
        if ready == 0 {
            self.wait(timeout)?;
        }
        Ok(ready)
    }

    pub(super) fn ppoll(
        &mut self,
        memory: &mut dyn UserMemory,
        array: u64,
        count: u64,
        timeout: u64,
    ) -> Outcome {
        let timeout = self.read_timeout(memory, timeout, 1)?;
        self.poll(memory, array, count, timeout)
    }

    /// `select` (a `timeval`) and `pselect6` (a `timespec`): `unit` is the nanoseconds of a fraction.
    pub(super) fn select(
        &mut self,
        memory: &mut dyn UserMemory,
        [count, read, write, except, timeout, _]: [u64; 6],
        unit: i64,
    ) -> Outcome {
        if (count as i32) < 0 {
            return Err(Errno::EINVAL.into());
        }
        let count = (count as u32).min(self.limits.open_files) as usize;
        let timeout = self.read_timeout(memory, timeout, unit)?;
        let conditions = [
            (read, POLLIN | POLLHUP | POLLERR),
            (write, POLLOUT | POLLERR),
            (except, 0),
        ];
        let mut ready = 0;
        let mut answers = Vec::new();
        for (address, condition) in conditions {
            if address == 0 {
                continue;
            }
            let bytes = count.div_ceil(64) * 8;
            let mut set = self.read_plain(memory, address, bytes)?;
            for descriptor in 0..count {
                let (byte, bit) = (descriptor / 8, 1 << (descriptor % 8));
                if set[byte] & bit == 0 {
                    continue;
                }
                let events = self.events(descriptor as i32);
                if events == POLLNVAL {
                    return Err(Errno::EBADF.into());
                }
                if events & condition != 0 {
                    ready += 1;
                } else {
                    set[byte] &= !bit;
                }
            }
            answers.push((address, set));
        }
        if ready == 0 {
            self.wait(timeout)?;
        }
        for (address, set) in answers {
            write_plain(memory, address, &set)?;
        }
        Ok(ready)
    }

    fn read_timeout(
        &mut self,
        memory: &dyn UserMemory,
        address: u64,
        unit: i64,
    ) -> Outcome<Option<i64>> {
        if address == 0 {
            return Ok(None);
        }
        let (seconds, fraction) = self.read_pair(memory, address)?;
        let (seconds, fraction) = (seconds as i64, fraction as i64);
        if seconds < 0 || !(0..1_000_000_000 / unit).contains(&fraction) {
            return Err(Errno::EINVAL.into());
        }
        Ok(Some(
            seconds
                .saturating_mul(1_000_000_000)
                .saturating_add(fraction * unit),
        ))
    }

    fn wait(&mut self, timeout: Option<i64>) -> Outcome<()> {
        match timeout {
            Some(nanoseconds) => {
                self.clock.advance(nanoseconds);
                Ok(())
            }
            None => self.unsupported("waits for ever: no descriptor can become ready"),
        }
    }
}
