// Closures: capture by reference, by move and mutably; boxed, returned, stored, composed, memoised.
use std::collections::HashMap;

fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C { move |x| g(f(x)) }
fn adders() -> Vec<Box<dyn Fn(i32) -> i32>> { (1..=4).map(|n| Box::new(move |x| x * 10 + n) as Box<dyn Fn(i32) -> i32>).collect() }
fn counter() -> impl FnMut() -> u32 { let mut n = 0; move || { n += 1; n * n } }
fn apply_n(n: usize, mut f: impl FnMut(usize)) { for i in 0..n { f(i) } }
fn consume(f: impl FnOnce() -> String) -> usize { f().len() }

struct Memo<F: Fn(&mut dyn FnMut(u64) -> u64, u64) -> u64> { f: F, cache: HashMap<u64, u64>, misses: u32 }
impl<F: Fn(&mut dyn FnMut(u64) -> u64, u64) -> u64 + Copy> Memo<F> {
    fn get(&mut self, n: u64) -> u64 {
        if let Some(v) = self.cache.get(&n) { return *v }
        self.misses += 1;
        let f = self.f;
        let v = f(&mut |m| self.get(m), n);
        self.cache.insert(n, v);
        v
    }
}

fn main() {
    println!("{}", compose(|x: i32| x + 1, |y: i32| format!("<{y}>"))(41));
    println!("{:?}", adders().iter().map(|f| f(7)).collect::<Vec<_>>());
    let mut next = counter();
    println!("{} {} {}", next(), next(), next());
    let mut seen = Vec::new();
    apply_n(5, |i| seen.push(i * i));
    println!("{seen:?}");
    println!("{}", consume(move || format!("{seen:?}")));
    let mut memo = Memo { f: |again: &mut dyn FnMut(u64) -> u64, n| if n < 2 { n } else { again(n - 1) + again(n - 2) }, cache: HashMap::new(), misses: 0 };
    println!("{} {} {}", memo.get(80), memo.get(40), memo.misses);
    let table: [(&str, fn(f64, f64) -> f64); 4] = [("add", |a, b| a + b), ("sub", |a, b| a - b), ("max", f64::max), ("div", |a, b| a / b)];
    for (name, f) in table { print!("{name}={} ", f(7.0, 2.0)) }
    println!();
    let mut words = vec!["delta", "Alpha", "charlie", "Bravo"];
    words.sort_by_key(|w| w.to_lowercase());
    let longest = words.iter().max_by_key(|w| w.len());
    println!("{words:?} {longest:?}");
}
