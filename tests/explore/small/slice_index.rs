// An index into a slice that is checked at run time.
//@ explore: --sym-stdin 1
//@ run: inside
//@ stdin: c
use std::io::Read;

fn main() {
    let mut byte = [0u8; 1];
    std::io::stdin().read_exact(&mut byte).expect("one byte");
    let table = [3u8, 1, 4, 1, 5];
    let index = usize::from(byte[0].wrapping_sub(b'a'));
    if index >= 8 {
        println!("far away");
        return;
    }
    let value = table[index];
    println!("{}", if value > 3 { "large" } else { "small" });
}
