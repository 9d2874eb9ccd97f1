// A checked addition overflows.
//@ outcome: panic
//@ stack: total main
//@ sanitizer: none(the program checks the addition itself; the native run aborts)

#[inline(never)]
fn total(parts: &[u8]) -> u8 {
    let mut sum = 0u8;
    for part in parts {
        sum = sum.checked_add(*part).unwrap(); // ERROR
    }
    sum
}

fn main() {
    println!("{}", total(&[100, 100, 55]));
    println!("{}", total(&[100, 100, 56]));
}
