// Two offsets in a header: their order is not checked before they bound a slice.
//@ explore: --sym-stdin 8
//@ outcome: panic
//@ stack: body main
//@ sanitizer: none(the program checks the slice itself; the native run aborts)
//@ run: witness
//@ stdin: PX\x06\x05\x0babc
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00\x00\x00
use std::io::Read;

#[inline(never)]
fn body(data: &[u8], from: usize, to: usize) -> &[u8] {
    &data[from..to] // ERROR
}

fn main() {
    let mut data = Vec::new();
    std::io::stdin().read_to_end(&mut data).expect("input");
    if data.len() != 8 || !data.starts_with(b"PX") {
        println!("no header");
        return;
    }
    let (from, to, check) = (usize::from(data[2]), usize::from(data[3]), data[4]);
    if from > data.len() || to > data.len() {
        println!("outside");
        return;
    }
    if data[2] + data[3] != check {
        println!("damaged");
        return;
    }
    println!("{}", body(&data, from, to).len());
}
