// An explicit panic with a formatted message, after output on both streams.
fn check(values: &[i32]) -> i32 {
    let total: i32 = values.iter().sum();
    if total > 10 {
        panic!("total {total} exceeds {limit}", limit = 10);
    }
    total
}

fn main() {
    println!("{}", check(&[1, 2, 3]));
    eprintln!("about to fail");
    println!("{}", check(&[5, 6, 7]));
}
