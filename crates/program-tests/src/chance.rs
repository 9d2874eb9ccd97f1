//! What random inputs are made of: numbers, choices, texts and slips, all decided by one seed.

use random::SplitMix;

pub struct Chance {
    numbers: SplitMix,
}

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance {
            // Neighbouring seeds would give overlapping numbers.
            numbers: SplitMix(seed.wrapping_mul(0xd134_2543_de82_ef95)),
        }
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.numbers.draw() % bound
    }

    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    pub fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    pub fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len() as u64) as usize]
    }

    pub fn text(&mut self, alphabet: &str, longest: u64) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        (0..self.below(longest + 1))
            .map(|_| self.pick(&letters))
            .collect()
    }

    /// One of several pieces, `count` times.
    pub fn pieces(&mut self, pieces: &[&str], count: u64) -> String {
        (0..count).map(|_| self.pick(pieces)).collect()
    }

    /// Now and then a character too many, too few or wrong.
    pub fn slip(&mut self, text: String) -> String {
        if text.is_empty() || !self.one_in(12) {
            return text;
        }
        let mut letters: Vec<char> = text.chars().collect();
        let at = self.below(letters.len() as u64) as usize;
        let other = self.pick(&[
            '0', 'z', '-', ' ', '\\', ']', '9', ',', '$', '\n', '"', '\u{1}', '\u{b}', '\u{7f}',
        ]);
        match self.below(3) {
            0 => letters[at] = other,
            1 => letters.insert(at, other),
            _ => {
                letters.remove(at);
            }
        }
        letters.into_iter().collect()
    }
}
