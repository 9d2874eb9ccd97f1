// A state that the program itself calls impossible.
//@ outcome: panic
//@ stack: spend main
//@ sanitizer: none(a panic is no memory error; the native run aborts)

#[inline(never)]
fn spend(balance: u32, amount: u32) -> u32 {
    if amount > balance {
        panic!("{amount} is more than {balance}"); // ERROR
    }
    balance - amount
}

fn main() {
    let balance = spend(100, 70);
    println!("{balance} left");
    println!("{} left", spend(balance, 70));
}
