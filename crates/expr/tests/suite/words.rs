//! Conditions read as a user would write them.

use std::sync::Arc;

use expr::{ExprId, Store, Symbol, VariableKind};

fn variable(store: &mut Store, name: &str, size: u32) -> ExprId {
    let bytes: Vec<ExprId> = (0..size)
        .map(|offset| {
            store.symbol_term(&Symbol::Variable {
                name: name.into(),
                offset,
                size,
            })
        })
        .collect();
    store.concat_le(&bytes)
}

fn check(build: impl FnOnce(&mut Store) -> Vec<ExprId>, expected: &[&str]) {
    let mut store = Store::new();
    let conjunction = build(&mut store);
    assert_eq!(store.describe(&conjunction), expected);
}

#[test]
fn one_byte() {
    check(
        |store| {
            let byte = store.symbol_term(&Symbol::Arg { arg: 1, offset: 0 });
            let int = store.sext(byte, 32);
            let dash = store.constant(45, 32);
            vec![store.eq(int, dash)]
        },
        &["argv[1][0] == '-'"],
    );
}

#[test]
fn digit_test_of_the_c_library() {
    check(
        |store| {
            let byte = store.symbol_term(&Symbol::Stdin { offset: 3 });
            let int = store.zext(byte, 32);
            let zero = store.constant(48, 32);
            let ten = store.constant(10, 32);
            let digit = store.sub(int, zero);
            vec![store.ult(digit, ten)]
        },
        &["stdin[3] in '0'..'9'"],
    );
}

#[test]
fn conditions_over_one_byte_are_merged() {
    check(
        |store| {
            let name = "f".into();
            let byte = store.symbol_term(&Symbol::File { name, offset: 2 });
            let (a, z, q) = (
                store.constant(97, 8),
                store.constant(122, 8),
                store.constant(113, 8),
            );
            vec![store.ule(a, byte), store.ule(byte, z), store.ne(byte, q)]
        },
        &["file \"f\"[2] in 'a'..'p', 'r'..'z'"],
    );
}

#[test]
fn excluded_bytes() {
    check(
        |store| {
            let byte = store.symbol_term(&Symbol::Stdin { offset: 0 });
            let (newline, zero) = (store.constant(10, 8), store.constant(0, 8));
            vec![store.ne(byte, newline), store.ne(byte, zero)]
        },
        &["stdin[0] not in '\\0', '\\n'"],
    );
}

#[test]
fn whole_variables() {
    let mut store = Store::new();
    let n = variable(&mut store, "n", 4);
    let m = variable(&mut store, "m", 4);
    let five = store.constant(5, 32);
    let zero = store.constant(0, 32);
    let conditions = [
        (store.slt(five, n), "n > 5"),
        (store.eq(n, five), "n == 5"),
        (store.ne(n, five), "n != 5"),
        (store.slt(n, m), "n < m"),
        (store.ule(n, m), "n <= m (unsigned)"),
        (store.slt(n, zero), "n < 0"),
        (store.sle(zero, n), "n >= 0"),
    ];
    for (condition, text) in conditions {
        assert_eq!(store.describe(&[condition]), [text]);
    }
}

#[test]
fn arithmetic_reads_like_c() {
    let mut store = Store::new();
    let n = variable(&mut store, "n", 4);
    let m = variable(&mut store, "m", 4);
    let ten = store.constant(10, 32);
    let product = store.mul(n, ten);
    let difference = store.sub(product, m);
    let limit = store.constant(100, 32);
    let condition = store.slt(difference, limit);
    assert_eq!(store.describe(&[condition]), ["((n * 10) - m) < 100"]);
}

#[test]
fn counts_have_names() {
    let mut store = Store::new();
    let argc = store.symbol_term(&Symbol::ArgCount);
    let two = store.constant(2, 32);
    let condition = store.slt(argc, two);
    assert_eq!(store.describe(&[condition]), ["argc < 2"]);
}

#[test]
fn symbols_parse_back() {
    let symbols = [
        Symbol::Arg { arg: 1, offset: 20 },
        Symbol::Stdin { offset: 3 },
        Symbol::File {
            name: "a \"b\"|\n".into(),
            offset: 7,
        },
        Symbol::Env {
            name: "HOME".into(),
            offset: 0,
        },
        Symbol::Variable {
            name: "n of 4".into(),
            offset: 2,
            size: 4,
        },
        Symbol::Unknown {
            name: "global 3".into(),
            offset: 5,
        },
        Symbol::ArgCount,
        Symbol::ArgLength { arg: 2 },
        Symbol::StdinSize,
        Symbol::FileSize { name: "f".into() },
        Symbol::EnvLength {
            name: "PATH".into(),
        },
    ];
    for symbol in symbols {
        assert_eq!(Symbol::parse(&symbol.to_string()), Some(symbol));
    }
}

/// What is compared byte by byte reads as values.
#[test]
fn values_that_differ_or_are_equal_in_their_bytes() {
    let mut store = Store::new();
    let (x, y) = (variable(&mut store, "x", 4), variable(&mut store, "y", 4));
    let one = store.constant(1, 32);
    let sum = store.add(x, one);
    for (left, right, names, is_whole) in [
        (x, y, ["x", "y"], true),
        (sum, y, ["(x + 1)", "y"], true),
        (x, y, ["x", "y"], false),
    ] {
        let count = if is_whole { 4 } else { 3 };
        let mut differs = store.truth(false);
        let mut equal = Vec::new();
        for byte in 0..count {
            let bytes = [left, right].map(|value| store.extract(value, 8 * byte, 8));
            let same = store.eq(bytes[0], bytes[1]);
            let other = store.not(same);
            differs = store.or(differs, other);
            equal.push(same);
        }
        let said = [store.describe(&[differs]), store.describe(&equal)];
        let whole = ["!=", "=="].map(|sign| {
            let one = format!("{} {sign} {}", names[0], names[1]);
            vec![vec![one], vec![format!("{} {sign} {}", names[1], names[0])]]
        });
        for (said, whole) in said.iter().zip(&whole) {
            assert_eq!(whole.contains(said), is_whole, "{said:?}");
        }
    }
}

/// Values are written as the variable's type has them.
#[test]
fn variables_of_a_known_kind() {
    let mut store = Store::new();
    let colours = vec![("RED".to_owned(), 0), ("GREEN".to_owned(), 1)];
    let kinds = [
        ("u", VariableKind::Unsigned),
        ("c", VariableKind::Character),
        ("b", VariableKind::Truth),
        ("f", VariableKind::Float),
        ("e", VariableKind::Enumeration(colours)),
        ("small", VariableKind::Signed),
    ];
    let kinds = kinds.map(|(name, kind)| (name.to_owned(), kind));
    store.set_variable_kinds(Arc::new(kinds.into_iter().collect()));
    let (u, v) = (variable(&mut store, "u", 4), variable(&mut store, "v", 4));
    let (c, b) = (variable(&mut store, "c", 1), variable(&mut store, "b", 1));
    let (f, e) = (variable(&mut store, "f", 8), variable(&mut store, "e", 4));
    let small = variable(&mut store, "small", 1);
    let large = store.constant(0xffff_ffff, 32);
    let less = store.ult(u, v);
    let whole = store.eq(u, large);
    let letter = store.constant(u128::from(b'x'), 8);
    let letter = store.eq(c, letter);
    let truth = store.extract(b, 0, 1);
    let one = store.constant(1.5f64.to_bits().into(), 64);
    let float = store.fle(one, f);
    let green = store.constant(1, 32);
    let green = store.eq(e, green);
    let minus_three = store.constant(253, 8);
    let five = store.constant(5, 8);
    let range = [store.sle(minus_three, small), store.sle(small, five)];
    let lies = store.not(truth);
    for (condition, expected) in [
        (vec![less], "u < v"),
        (vec![whole], "u == 4294967295"),
        (vec![letter], "c == 'x'"),
        (vec![truth], "b"),
        (vec![lies], "!b"),
        (vec![float], "1.5 <= f"),
        (vec![green], "e == GREEN"),
        (range.to_vec(), "small in -3..5"),
    ] {
        assert_eq!(store.describe(&condition), [expected]);
    }
}

/// Whole values are said as such inside other conditions too, and also where only the lowest byte is open.
#[test]
fn bytes_of_one_value_are_said_as_the_value() {
    let mut store = Store::new();
    let (n, m) = (variable(&mut store, "n", 4), variable(&mut store, "m", 4));
    let byte = |store: &mut Store, at: u32| store.extract(n, 8 * at, 8);
    let zero = store.constant(0, 8);
    let upper: Vec<ExprId> = (1..4)
        .map(|at| {
            let byte = byte(&mut store, at);
            store.eq(byte, zero)
        })
        .collect();
    let lowest = byte(&mut store, 0);
    let (three, five) = (store.constant(3, 8), store.constant(5, 8));
    let (least, most) = (store.ule(three, lowest), store.ule(lowest, five));
    let between = [upper.clone(), vec![least, most]].concat();
    assert_eq!(store.describe(&upper), ["n in 0..255"]);
    assert_eq!(store.describe(&between), ["n in 3..5"]);
    let mut none = upper.iter().map(|&one| store.not(one)).collect::<Vec<_>>();
    let first = none.pop().unwrap();
    let outside = none.into_iter().fold(first, |all, one| store.or(all, one));
    assert_eq!(store.describe(&[outside]), ["n not in 0..255"]);
    let inside = upper.iter().fold(least, |all, &one| store.and(all, one));
    let less = store.ult(n, m);
    let either = store.or(less, inside);
    let said = store.describe(&[either]).join("; ");
    assert!(
        said.contains("n in 3..255") && said.contains("n < m (unsigned)"),
        "{said}"
    );
}

/// Deep terms are written out like others, as long as they are not long.
#[test]
fn nothing_is_left_out_of_a_deep_term() {
    let mut store = Store::new();
    let (n, m) = (variable(&mut store, "n", 4), variable(&mut store, "m", 4));
    let mut term = n;
    for step in 0..30 {
        let number = store.constant(step + 3, 32);
        term = store.xor(term, m);
        term = store.mul(term, number);
    }
    let equal = store.eq(term, m);
    let said = store.describe(&[equal]).join("; ");
    assert!(!said.contains("..."), "{said}");
    assert!(said.contains("(n ^ m) * 3"), "{said}");
}

/// Of several bounds the closest count, and two that meet are a range.
#[test]
fn bounds_of_a_term_are_said_once() {
    let mut store = Store::new();
    let (n, m) = (variable(&mut store, "n", 4), variable(&mut store, "m", 4));
    let numbers: Vec<ExprId> = (0..20).map(|value| store.constant(value, 32)).collect();
    let number = |value: usize| numbers[value];
    let sum = store.add(n, m);
    let large = store.constant(0xffff_fff0, 32);
    let conditions = [
        (
            vec![store.slt(number(10), n), store.slt(number(11), n)],
            vec!["n > 11"],
        ),
        (
            vec![store.slt(number(10), n), store.slt(n, number(12))],
            vec!["n == 11"],
        ),
        (
            vec![store.slt(number(10), sum), store.sle(sum, number(12))],
            vec!["(n + m) in 11..12"],
        ),
        (
            vec![store.ult(number(10), n), store.ult(n, number(15))],
            vec!["n in 11..14"],
        ),
        (vec![store.ult(n, number(15))], vec!["n in 0..14"]),
        (
            vec![store.ult(number(10), n), store.ult(n, large)],
            vec!["n in 11..4294967279 (unsigned)"],
        ),
        (
            vec![store.slt(number(10), n), store.ult(number(15), n)],
            vec!["n > 10", "n > 15 (unsigned)"],
        ),
        // No value is both; that is not for words to settle.
        (
            vec![store.slt(number(10), n), store.slt(n, number(5))],
            vec!["n > 10", "n < 5"],
        ),
    ];
    for (conditions, expected) in conditions {
        assert_eq!(store.describe(&conditions), expected);
    }
}

/// A term whose bytes are compared to constants, one by one.
#[test]
fn a_term_and_a_number_in_their_bytes() {
    let mut store = Store::new();
    let (n, m) = (variable(&mut store, "n", 4), variable(&mut store, "m", 4));
    let sum = store.add(n, m);
    let mut differs = store.truth(false);
    let mut equal = Vec::new();
    for (at, value) in [44u8, 1, 0, 0].into_iter().enumerate() {
        let byte = store.extract(sum, 8 * at as u32, 8);
        let value = store.constant(value.into(), 8);
        let same = store.eq(byte, value);
        let other = store.not(same);
        differs = store.or(differs, other);
        equal.push(same);
    }
    assert_eq!(store.describe(&[differs]), ["(n + m) != 300"]);
    assert_eq!(store.describe(&equal), ["(n + m) == 300"]);
}

/// `(n + m == 0) + k` is no `n + m == 0 + k`.
#[test]
fn truth_values_keep_their_parentheses() {
    let mut store = Store::new();
    let (n, m) = (variable(&mut store, "n", 4), variable(&mut store, "m", 4));
    let k = variable(&mut store, "k", 4);
    let (zero, five) = (store.constant(0, 32), store.constant(5, 32));
    let sum = store.add(n, m);
    let is_zero = store.eq(sum, zero);
    let truth = store.zext(is_zero, 32);
    let term = store.mul(truth, k);
    let condition = store.slt(five, term);
    let said = store.describe(&[condition]).join("; ");
    assert!(said.contains("((n + m) == 0)"), "{said}");
}

/// Operations on single bits that are no condition of C's.
#[test]
fn single_bits_are_written_too() {
    let mut store = Store::new();
    let (n, m) = (variable(&mut store, "n", 4), variable(&mut store, "m", 4));
    let (less, same) = (store.slt(n, m), store.eq(n, m));
    let one = store.xor(less, same);
    let said = store.describe(&[one]).join("; ");
    for part in ["n < m", "n == m"] {
        assert!(said.contains(part), "{said}");
    }
    assert!(!said.contains("..."), "{said}");
}
