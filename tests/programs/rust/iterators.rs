// Iterator adaptors, custom iterators, folds, zips, windows, chunks, peekable, group-wise work.
struct Collatz(u64);
impl Iterator for Collatz {
    type Item = u64;
    fn next(&mut self) -> Option<u64> {
        if self.0 == 0 { return None }
        let current = self.0;
        self.0 = match current { 1 => 0, n if n % 2 == 0 => n / 2, n => 3 * n + 1 };
        Some(current)
    }
}

fn main() {
    println!("{:?}", Collatz(27).enumerate().max_by_key(|&(i, v)| (v, i)));
    println!("{} {}", Collatz(97).count(), (1..300).map(|n| Collatz(n).count()).sum::<usize>());
    let v: Vec<i32> = (1..=20).collect();
    println!("{:?}", v.iter().filter(|n| *n % 3 == 0).map(|n| n * n).collect::<Vec<_>>());
    println!("{:?}", v.windows(3).map(|w| w.iter().product::<i32>()).step_by(4).collect::<Vec<_>>());
    println!("{:?}", v.chunks(6).map(<[i32]>::to_vec).collect::<Vec<_>>());
    println!("{:?}", v.iter().zip(v.iter().skip(1).rev()).map(|(a, b)| a * 10 - b).take(6).collect::<Vec<_>>());
    println!("{:?}", v.iter().scan(0, |total, n| { *total += n; (*total < 100).then_some(*total) }).last());
    println!("{:?} {:?}", v.iter().position(|n| *n == 7), v.iter().rposition(|n| n % 7 == 0));
    println!("{:?}", v.iter().partition::<Vec<i32>, _>(|n| **n % 2 == 0));
    println!("{} {} {:?}", v.iter().any(|n| *n > 19), v.iter().all(|n| *n > 1), v.iter().min_by_key(|n| (**n - 10).abs()));
    println!("{:?}", v.iter().fold(String::new(), |s, n| s + &n.to_string()));
    println!("{:?}", ["1", "x", "3"].iter().map(|s| s.parse::<i32>()).collect::<Result<Vec<_>, _>>().map_err(|e| e.to_string()));
    println!("{:?}", ["1", "2"].iter().map(|s| s.parse::<i32>().ok()).sum::<Option<i32>>());
    println!("{:?}", (1..4).flat_map(|n| (0..n).map(move |m| (n, m))).collect::<Vec<_>>());
    println!("{:?}", [vec![1], vec![], vec![2, 3]].into_iter().flatten().chain(9..11).cycle().take(12).collect::<Vec<_>>());
    let mut peekable = "aaabccd".chars().peekable();
    let mut runs = Vec::new();
    while let Some(c) = peekable.next() {
        let mut n = 1;
        while peekable.next_if_eq(&c).is_some() { n += 1 }
        runs.push((c, n));
    }
    println!("{runs:?}");
    println!("{:?} {:?}", (0..10).rev().skip_while(|n| *n > 6).take_while(|n| *n > 2).collect::<Vec<_>>(), (0..3).try_fold(0i8, |a, n| a.checked_add(n * 60)));
    println!("{:?}", std::iter::successors(Some(1u32), |n| n.checked_mul(10)).collect::<Vec<_>>());
    println!("{:?}", v.iter().copied().reduce(|a, b| a ^ b));
    println!("{:?} {:?}", (1..=3).cmp(1..=2), [1.0, 2.0].iter().partial_cmp([1.0, 3.0].iter()));
}
