use std::collections::BTreeMap;
use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut tally = BTreeMap::new();
    for word in text.split_whitespace() {
        *tally.entry(word).or_insert(0) += 1;
    }
    println!("{tally:?}");
}
