// An enum made from bits, sorted and counted.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: \x1b
use std::io::Read;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

fn suit(bits: u8) -> Suit {
    [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades][usize::from(bits & 3)]
}

fn main() {
    let mut byte = [0u8; 1];
    std::io::stdin().read_exact(&mut byte).expect("one byte");
    if byte[0] >= 64 {
        return;
    }
    let mut hand = [suit(byte[0]), suit(byte[0] >> 2), suit(byte[0] >> 4)];
    hand.sort_unstable();
    let red = hand.iter().filter(|&&s| s == Suit::Diamonds || s == Suit::Hearts).count();
    let flush = hand[0] == hand[2];
    println!("{red} {flush}");
}
