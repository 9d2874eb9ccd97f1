// Option and the question mark over an argument of at most two characters.
//@ explore: --sym-args 1 1 2
//@ run: product
//@ args: 34
//@ run: nothing
//@ args: 3
fn product(text: &[u8]) -> Option<u8> {
    let first = digit(*text.first()?)?;
    let second = digit(*text.get(1)?)?;
    first.checked_mul(second).filter(|product| *product > 0)
}

fn digit(byte: u8) -> Option<u8> {
    byte.is_ascii_digit().then(|| byte - b'0')
}

fn main() {
    use std::os::unix::ffi::OsStrExt;
    let argument = std::env::args_os().nth(1).unwrap_or_default();
    match product(argument.as_bytes()) {
        Some(product) if product > 40 => println!("large"),
        Some(_) => println!("small"),
        None => println!("nothing"),
    }
}
