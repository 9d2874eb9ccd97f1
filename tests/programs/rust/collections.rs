// HashMap and HashSet (sorted before printing), BTreeMap ranges and entries.
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

fn main() {
    let text = "the quick brown fox jumps over the lazy dog while the other dog sleeps";
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    for (word, count) in &sorted {
        println!("{word:>8} {count}");
    }
    let odd: HashSet<u32> = (0..50).filter(|n| n % 2 == 1).collect();
    let square: HashSet<u32> = (0..8).map(|n| n * n).collect();
    let mut both: Vec<_> = odd.intersection(&square).copied().collect();
    both.sort_unstable();
    println!("{both:?} {} {}", odd.union(&square).count(), odd.is_disjoint(&square));

    let mut tree: BTreeMap<i32, String> = (0..20).map(|n| (n * 37 % 101, format!("v{n}"))).collect();
    println!("{:?}", tree.range(10..40).collect::<Vec<_>>());
    println!("{:?} {:?}", tree.first_key_value(), tree.last_key_value());
    tree.retain(|key, _| key % 3 != 0);
    let upper = tree.split_off(&50);
    println!("{} {} {:?}", tree.len(), upper.len(), upper.keys().collect::<Vec<_>>());
    tree.entry(7).and_modify(|v| v.push('!')).or_insert_with(|| "new".into());
    println!("{tree:#?}");
    let set: BTreeSet<char> = "hello world".chars().collect();
    println!("{:?} {:?}", set, set.iter().rev().nth(2));
    let mut big: HashMap<u64, u64> = HashMap::with_capacity(4);
    for n in 0..5000u64 {
        big.insert(n.wrapping_mul(0x9e37_79b9_7f4a_7c15), n);
    }
    for n in (0..5000u64).step_by(3) {
        big.remove(&n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    }
    println!("{} {}", big.len(), big.values().sum::<u64>());
}
