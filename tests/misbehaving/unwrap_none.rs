// An absent key is looked up, and its absence not considered.
//@ outcome: panic
//@ stack: colour main
//@ sanitizer: none(a panic is no memory error; the native run aborts)

#[inline(never)]
fn colour(table: &[(&str, u32)], name: &str) -> u32 {
    table.iter().find(|entry| entry.0 == name).map(|entry| entry.1).unwrap() // ERROR
}

fn main() {
    let table = [("red", 0xff0000), ("green", 0x00ff00)];
    println!("{:06x}", colour(&table, "green"));
    println!("{:06x}", colour(&table, "blue"));
}
