// char: classification, conversion, digits, ranges, UTF-16 and case mapping of all of Latin-1.
fn main() {
    let mut totals = [0u32; 8];
    let mut hash = 0u32;
    for code in 0..0x3000u32 {
        let Some(c) = char::from_u32(code) else { continue };
        let bits = [c.is_alphabetic(), c.is_numeric(), c.is_whitespace(), c.is_control(), c.is_uppercase(), c.is_lowercase(), c.is_alphanumeric(), c.is_ascii_punctuation()];
        for (total, bit) in totals.iter_mut().zip(bits) {
            *total += u32::from(bit);
        }
        for mapped in c.to_uppercase().chain(c.to_lowercase()) {
            hash = hash.wrapping_mul(31).wrapping_add(mapped as u32);
        }
    }
    println!("{totals:?} {hash:08x}");
    println!("{:?} {:?} {:?}", '7'.to_digit(10), 'f'.to_digit(16), 'g'.to_digit(16));
    println!("{:?} {:?}", char::from_digit(11, 12), std::char::from_u32(0xd800));
    println!("{}", ('a'..='z').step_by(5).collect::<String>());
    println!("{:?}", "ß".to_uppercase());
    println!("{:?}", "a😀é".encode_utf16().collect::<Vec<_>>());
    println!("{:?}", char::decode_utf16([0xd83d, 0xde00, 0xd800, 0x41]).map(|r| r.unwrap_or('?')).collect::<String>());
    println!("{:?} {:?} {:?}", '\n', '\u{301}', '\'');
    println!("{} {}", 'x' as u32, (b'a' + 3) as char);
    println!("{:?}", "Hello".chars().map(|c| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }).collect::<String>());
    let mut buffer = [0; 4];
    println!("{:?} {}", 'é'.encode_utf8(&mut buffer).len(), u8::try_from('é').is_ok());
}
