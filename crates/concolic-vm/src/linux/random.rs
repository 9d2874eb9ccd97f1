//! Randomness from a seed: `getrandom(2)`, `/dev/urandom`, and the bytes behind `AT_RANDOM`.

use super::errno::Errno;
use super::user_memory::{UserMemory, write_plain};
use super::{Kernel, Outcome};

impl Kernel {
    pub(super) fn getrandom(
        &mut self,
        memory: &mut dyn UserMemory,
        buffer: u64,
        length: u64,
        flags: u64,
    ) -> Outcome {
        // GRND_RANDOM and GRND_INSECURE exclude each other.
        if flags & !7 != 0 || flags & 6 == 6 {
            return Err(Errno::EINVAL.into());
        }
        let length = length.min(i32::MAX as u64) as usize;
        let bytes = self.random.bytes(length);
        write_plain(memory, buffer, &bytes)?;
        Ok(length as i64)
    }

    /// Random bytes for the machine's own use, for instance the 16 that `AT_RANDOM` points to.
    pub fn random_bytes(&mut self, length: usize) -> Vec<u8> {
        self.random.bytes(length)
    }
}
