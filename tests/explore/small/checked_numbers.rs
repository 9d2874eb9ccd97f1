// Checked and saturating arithmetic, with an overflow that ends the run.
//@ explore: --sym-stdin 1
//@ run: fits
//@ stdin: \x14
use std::io::Read;

fn main() {
    let mut byte = [0u8; 1];
    std::io::stdin().read_exact(&mut byte).expect("one byte");
    let value = byte[0];
    let doubled = value.checked_mul(2);
    let added = value.saturating_add(100);
    if let Some(doubled) = doubled {
        println!("{}", if doubled > 200 { "nearly" } else { "fits" });
    } else if added < u8::MAX {
        println!("half");
    } else if value == 0xee {
        panic!("unlucky");
    }
    std::process::exit(i32::from(added == 120));
}
