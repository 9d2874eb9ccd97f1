//! The one source of random numbers: the same seed gives the same ones, in every version and on every machine.
//!
//! SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators"). It is written out here, because its
//! numbers are promised: what `getrandom` gives a guest, which mutants a `--sample` takes, and which way a search with
//! a given `--seed` goes, also when it goes on from a journal of an earlier version. Crates of the field (`fastrand`, `rand`) keep
//! the right to give other numbers for the same seed in their next version.

/// A generator; the field is its seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// Any number of 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.draw()) * count as u128) >> 64) as usize
    }

    /// One of several things.
    pub fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Bytes, eight of each number, the lowest first.
    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(length.next_multiple_of(8));
        while bytes.len() < length {
            bytes.extend_from_slice(&self.draw().to_le_bytes());
        }
        bytes.truncate(length);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix;

    #[test]
    fn the_numbers_are_those_of_the_reference() {
        // From the authors' C code (`splitmix64.c`), begun with 1234567.
        let mut random = SplitMix(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(expected.map(|_| random.draw()), expected);
    }

    #[test]
    fn every_number_below_a_bound_comes() {
        let mut random = SplitMix(0);
        let mut seen = [0; 7];
        for _ in 0..700 {
            seen[random.below(7)] += 1;
        }
        assert!(seen.iter().all(|&times| times > 50), "{seen:?}");
        assert_eq!(random.bytes(9).len(), 9);
    }
}
