// Panics raised by the language and the library.
//@ run: index
//@ args: index
//@ run: slice
//@ args: slice
//@ run: unwrap none
//@ args: none
//@ run: unwrap error
//@ args: error
//@ run: expect
//@ args: expect
//@ run: division
//@ args: division
//@ run: character boundary
//@ args: boundary
//@ run: borrow
//@ args: borrow
//@ run: overflow
//@ args: overflow
//@ run: unreachable
//@ args: unreachable
//@ run: assertion
//@ args: assertion
//@ run: condition
//@ args: condition
use std::cell::RefCell;
use std::hint::black_box;

fn main() {
    let kind = std::env::args().nth(1).unwrap_or_default();
    println!("panicking: {kind}");
    let values = vec![1, 2, 3];
    let zero = black_box(0);
    match kind.as_str() {
        "index" => println!("{}", values[black_box(3)]),
        "slice" => println!("{:?}", &values[black_box(2)..black_box(1)]),
        "none" => println!("{}", values.iter().find(|v| **v > 5).unwrap()),
        "error" => println!("{}", "12x".parse::<i32>().unwrap()),
        "expect" => println!("{}", std::fs::read_to_string("absent").map_err(|e| e.kind()).expect("the file is there")),
        "division" => println!("{}", 10 / zero),
        "boundary" => println!("{}", &"aé"[..black_box(2)]),
        "borrow" => {
            let cell = RefCell::new(1);
            let _first = cell.borrow_mut();
            println!("{}", cell.borrow());
        }
        "overflow" => println!("{}", i32::MAX.checked_add(1 + zero).expect("no overflow")),
        "unreachable" => unreachable!("state {}", 7),
        "assertion" => assert_eq!(1 + 1 + zero, 3, "arithmetic with {zero}"),
        "condition" => assert!(zero != 0, "zero is {zero}"),
        other => println!("unknown {other}"),
    }
}
