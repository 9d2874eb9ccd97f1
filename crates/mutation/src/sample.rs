//! A choice among mutants that only depends on a seed.

use random::SplitMix;

/// The numbers below `count` in an order that depends on `seed` alone (Fisher and Yates's shuffle).
pub fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut chance = SplitMix(seed);
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        let other = chance.draw() % (last as u64 + 1);
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
