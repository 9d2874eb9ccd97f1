// String and str: searching, splitting, replacing, trimming, case, bytes and char boundaries.
fn main() {
    let text = "  Grüße, Jürgen ❤ 日本語!  ";
    println!("[{}] [{}] [{}]", text.trim(), text.trim_start(), text.trim_end());
    println!("{} {} {}", text.len(), text.chars().count(), text.char_indices().filter(|(i, _)| i % 3 == 0).count());
    println!("{} {}", text.to_uppercase(), text.to_lowercase());
    println!("{:?} {:?} {:?}", text.find('ü'), text.rfind("n"), text.find("none"));
    println!("{:?}", text.split([' ', ',']).collect::<Vec<_>>());
    println!("{:?}", "a=1;b=2;;c".split(';').map(|p| p.split_once('=')).collect::<Vec<_>>());
    println!("{:?}", "one two  three".splitn(2, ' ').collect::<Vec<_>>());
    println!("{:?}", "l1\nl2\r\nl3".lines().rev().collect::<Vec<_>>());
    println!("{} {}", "abcabc".replace("bc", "-"), "abcabc".replacen('a', "A", 1));
    println!("{:?} {:?}", "prefix-x".strip_prefix("prefix-"), "x.rs".strip_suffix(".c"));
    println!("{} {}", "ab".repeat(3), ["x", "y", "z"].join("/"));
    let mut owned = String::with_capacity(2);
    for (i, c) in "hello wörld".chars().rev().enumerate() {
        if i % 2 == 0 { owned.push(c) } else { owned.insert(0, c) }
    }
    println!("{owned} {:?} {:?}", owned.pop(), owned.remove(1));
    owned.truncate(4);
    owned.extend(['1', '2']);
    owned.retain(|c| c != '1');
    println!("{owned} {}", owned.is_char_boundary(2));
    println!("{:?} {:?}", "é".bytes().collect::<Vec<_>>(), 'é'.len_utf8());
    println!("{:?}", std::str::from_utf8(&std::hint::black_box([0x66, 0xff, 0x6f])).map_err(|e| e.valid_up_to()));
    println!("{}", String::from_utf8_lossy(&[0x66, 0xff, 0x6f, 0xe2, 0x82]));
    println!("{:?}", "tab\t\"quote\" \u{1F600} \0 \x7f".to_string());
    println!("{}", "ß é".escape_unicode());
    println!("{:?} {:?}", "apple".cmp("apples"), "Zebra" < "apple");
    println!("{:?}", "a,b;c".match_indices([',', ';']).collect::<Vec<_>>());
}
