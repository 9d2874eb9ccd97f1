// A number in the base-128 format; two bytes of it can exceed the table that it indexes.
//@ explore: --sym-stdin 5
//@ outcome: panic
//@ stack: entry main
//@ sanitizer: none(the program checks the index itself; the native run aborts)
//@ run: witness
//@ stdin: VI\xc8\x01\x8c
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00
use std::io::Read;

fn varint(bytes: &[u8]) -> Option<usize> {
    let mut value = 0;
    for (index, byte) in bytes.iter().enumerate() {
        value |= usize::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[inline(never)]
fn entry(table: &[u16], index: usize) -> u16 {
    table[index] // ERROR
}

fn main() {
    let table: Vec<u16> = (0..200).map(|n| n * 3).collect();
    let mut data = [0u8; 5];
    if std::io::stdin().read_exact(&mut data).is_err() || &data[..2] != b"VI" {
        println!("no number");
        return;
    }
    if data[4] != data[2] ^ data[3] ^ 0x45 {
        println!("damaged");
        return;
    }
    match varint(&data[2..4]) {
        Some(index) if index <= 200 => println!("{}", entry(&table, index)),
        Some(_) => println!("outside"),
        None => println!("endless"),
    }
}
