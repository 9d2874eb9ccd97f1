// A match with ranges, alternatives and a guard.
//@ explore: --sym-stdin 1
//@ run: digit
//@ stdin: 4
//@ run: word
//@ stdin: _
use std::io::Read;

fn main() {
    let mut byte = [0u8; 1];
    std::io::stdin().read_exact(&mut byte).expect("one byte");
    let kind = match byte[0] {
        b'0'..=b'9' if byte[0] % 2 == 0 => "even digit",
        b'0'..=b'9' => "odd digit",
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => "word",
        0x80.. => "not ASCII",
        _ => "other",
    };
    println!("{kind}");
}
