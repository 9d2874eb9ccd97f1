//! A set of instances of one trace.

use super::instance::Instance;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slice {
    bits: Vec<u64>,
}

impl Slice {
    pub fn new(instances: usize) -> Slice {
        Slice {
            bits: vec![0; instances.div_ceil(64)],
        }
    }

    /// Instance 0 stands for nothing and is in no slice.
    pub fn insert(&mut self, instance: Instance) {
        let index = instance.0 as usize;
        self.bits[index / 64] |= u64::from(index != 0) << (index % 64);
    }

    pub fn contains(&self, instance: Instance) -> bool {
        let index = instance.0 as usize;
        self.bits[index / 64] >> (index % 64) & 1 == 1
    }

    pub fn iter(&self) -> impl Iterator<Item = Instance> + '_ {
        self.bits.iter().zip(0u32..).flat_map(|(&word, place)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(Instance(place * 64 + bit))
            })
        })
    }

    pub fn len(&self) -> usize {
        self.bits
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|&word| word == 0)
    }
}
