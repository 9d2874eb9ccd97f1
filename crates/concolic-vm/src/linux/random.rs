//! Randomness from a seed: `getrandom(2)`, `/dev/urandom`, and the bytes behind `AT_RANDOM`.

use super::errno::Errno;
use super::user_memory::{UserMemory, write_plain};
use super::{Kernel, Outcome};

/// The SplitMix64 generator: small, well mixed, and the same everywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Random {
    state: u64,
}

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    pub(super) fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(length.next_multiple_of(8));
        while bytes.len() < length {
            bytes.extend_from_slice(&self.next().to_le_bytes());
        }
        bytes.truncate(length);
        bytes
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

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
