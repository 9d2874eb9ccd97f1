// An index that comes from the input is not checked against the length.
//@ outcome: panic
//@ stack: score main
//@ sanitizer: none(the program checks the index itself; the native run aborts)
//@ args: 3

#[inline(never)]
fn score(table: &[u32], player: usize) -> u32 {
    table[player] // ERROR
}

fn main() {
    let table = [30, 12, 25];
    println!("{}", score(&table, 1));
    let player = std::env::args().nth(1).and_then(|text| text.parse().ok());
    println!("{}", score(&table, player.unwrap_or(0)));
}
