// Slices: stable and unstable sorts, binary search, rotate, dedup, split, swap, patterns, copy_within.
fn main() {
    let mut state = 1u64;
    let mut random = move || { state ^= state << 13; state ^= state >> 7; state ^= state << 17; state };
    let mut pairs: Vec<(u8, usize)> = (0..500).map(|i| ((random() % 20) as u8, i)).collect();
    pairs.sort_by_key(|p| p.0);
    let stable = pairs.windows(2).all(|w| w[0] < w[1]);
    let mut numbers: Vec<u64> = (0..1000).map(|_| random() % 10_000).collect();
    numbers.sort_unstable();
    let hash = numbers.iter().fold(0u64, |h, n| h.wrapping_mul(31).wrapping_add(*n));
    println!("{stable} {hash} {}", numbers.is_sorted());
    numbers.dedup();
    println!("{} {:?} {:?}", numbers.len(), numbers.binary_search(&numbers[77]), numbers.binary_search(&10_001).is_err());
    println!("{}", numbers.partition_point(|n| *n < 5000));
    let mut v: Vec<i32> = (0..12).collect();
    v.rotate_left(5);
    v.swap(0, 11);
    v[2..9].reverse();
    v.copy_within(8.., 1);
    println!("{v:?}");
    let (left, right) = v.split_at_mut(6);
    left.copy_from_slice(right);
    left[0] += right[5];
    println!("{v:?} {:?}", v.split(|n| n % 4 == 0).map(<[i32]>::len).collect::<Vec<_>>());
    println!("{:?} {:?}", v.drain(3..6).collect::<Vec<_>>(), v.splice(1..2, [100, 200, 300]).collect::<Vec<_>>());
    v.retain(|n| n % 2 == 0);
    v.insert(1, -1);
    println!("{v:?} {:?} {:?}", v.first(), v.get(99));
    match v.as_slice() {
        [first, .., last] if first > last => println!("falling {first} {last}"),
        [first, middle @ .., last] => println!("rising {first} {} {last}", middle.len()),
        _ => println!("short"),
    }
    println!("{:?} {:?}", [[1, 2], [3, 4]].concat(), ["a", "b"].join("-"));
    println!("{} {} {}", v.contains(&300), v.starts_with(&[]), v.ends_with(&[7]));
    let mut floats = vec![2.5, -1.0, 9.75, 0.0];
    floats.sort_by(|a, b| b.partial_cmp(a).unwrap());
    println!("{floats:?}");
    println!("{:?}", floats.select_nth_unstable_by(1, f64::total_cmp).1);
    println!("{:?}", b"bytes \xff\n".escape_ascii().to_string());
}
