//! A choice among mutants that only depends on a seed.

/// Random numbers by splitmix64: the same for the same seed, on every machine.
#[derive(Clone, Debug)]
pub struct SplitMix {
    state: u64,
}

impl SplitMix {
    pub fn new(seed: u64) -> SplitMix {
        SplitMix { state: seed }
    }

    pub fn next_bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
}

/// The numbers below `count` in an order that depends on `seed` alone (Fisher and Yates's shuffle).
pub fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut chance = SplitMix::new(seed);
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        let other = chance.next_bits() % (last as u64 + 1);
        order.swap(last, other as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::shuffled;

    #[test]
    fn a_shuffle_keeps_every_number_once() {
        for count in [0, 1, 2, 100] {
            let mut order = shuffled(count, 7);
            assert_eq!(order, shuffled(count, 7));
            order.sort_unstable();
            assert_eq!(order, (0..count).collect::<Vec<_>>());
        }
        assert_ne!(shuffled(100, 7), shuffled(100, 8));
    }
}
