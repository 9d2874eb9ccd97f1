//! The text form: what is printed parses back to the same module, and no text makes
//! the parser fail in another way than with an error.

use crate::support::{INST_KINDS, Words};
use program_ir::{Func, Module, parse_module, print_function, print_module};
use proptest::prelude::*;

fn assert_round_trip(module: &Module) {
    let text = print_module(module);
    match parse_module(&text) {
        Ok(parsed) => assert!(parsed == *module, "another module came back from:\n{text}"),
        Err(error) => panic!("{error}\n{text}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_printed_module_parses_to_the_same(words in prop::collection::vec(any::<u32>(), 0..600)) {
        assert_round_trip(&Words::new(&words).module());
    }

    #[test]
    fn damaged_text_never_panics(
        words in prop::collection::vec(any::<u32>(), 0..300),
        damages in prop::collection::vec((any::<usize>(), 0..4, any::<u8>()), 1..6),
    ) {
        let mut text = print_module(&Words::new(&words).module()).into_bytes();
        for (place, kind, byte) in damages {
            if text.is_empty() {
                break;
            }
            let place = place % text.len();
            match kind {
                0 => text[place] = byte,
                1 => text.insert(place, byte),
                2 => text.truncate(place),
                _ => {
                    let end = (place + usize::from(byte)).min(text.len());
                    text.drain(place..end);
                }
            }
        }
        // What still parses prints again, and that parses to the same.
        if let Ok(module) = parse_module(&String::from_utf8_lossy(&text)) {
            assert_round_trip(&module);
        }
    }

    #[test]
    fn no_text_panics(text in "[ -~\n]{0,60}|(fn0|g0|v1|i32|=|\\{|\\(|[0-9]|-|\"|:| ){0,40}") {
        let _ = parse_module(&text);
    }
}

/// Random modules might leave some operation out.
#[test]
fn every_operation_round_trips() {
    for kind in 0..INST_KINDS {
        for variant in 0..40 {
            let words: Vec<u32> = (0..40).map(|word| variant + word * (variant + 1)).collect();
            let data = Words::new(&words).inst(kind);
            let mut module = Module::default();
            let mut function = program_ir::Function::new(
                "f",
                program_ir::Linkage::Local,
                program_ir::Signature {
                    params: Vec::new(),
                    returns: Vec::new(),
                    variadic: false,
                },
            );
            let block = function.add_block();
            function.append(block, data, &[program_ir::Type::I32], None);
            module.functions.push(function);
            assert_round_trip(&module);
        }
    }
}

#[test]
fn a_function_prints_as_in_its_module() {
    let words: Vec<u32> = (0..600_u32)
        .map(|word| word.wrapping_mul(2_654_435_761))
        .collect();
    let module = Words::new(&words).module();
    assert!(!module.functions.is_empty());
    let whole = print_module(&module);
    for func in module.functions.keys() {
        assert!(whole.contains(&print_function(&module, func)));
    }
}

#[test]
fn handwritten_text_may_leave_numbers_out() {
    let short = r#"
        fn0 = function local "f" (i32) -> (i32) {
        block0(v0: i32):
          v1: i32 = add v0, i32 5
          v2: i32 = mul v1, i32 5
          return v2
        }
    "#;
    let long = r#"
        fn0 = function local "f" (i32) -> (i32) {
          constants v3 = i32 5
        block0(v0: i32):
          inst0: v1: i32 = add v0, v3
          inst1: v2: i32 = mul v1, v3
          inst2: return v2
        }
    "#;
    let module = parse_module(short).unwrap();
    assert_eq!(module, parse_module(long).unwrap());
    assert_eq!(program_ir::verify(&module), []);
    assert!(module.functions.is_valid(Func::from_u32(0)));
}

#[track_caller]
fn refused(text: &str, line: u32, column: u32, message: &str) {
    let error = parse_module(text).expect_err("it should not parse");
    assert_eq!(
        error.to_string(),
        format!("line {line}, column {column}: {message}")
    );
}

#[test]
fn errors_say_where_and_what() {
    refused(
        "hello",
        1,
        1,
        "expected a file, scope, loc, type, global (`g0 = …`), function (`fn0 = …`) or `alias`, \
         found `hello`",
    );
    refused("file0 = \"größe.c\" on", 1, 19, "expected `in`, found `on`");
    refused(
        "g1 = global",
        1,
        1,
        "expected `g0`, the next in order, found `g1`",
    );
    refused(
        "g0 = global local \"x",
        1,
        19,
        "this string does not end on its line",
    );
    refused("g0 % 1", 1, 4, "`%` has no meaning here");
    let body = |line: &str| format!("fn0 = function local \"f\" () {{\nblock0:\n  {line}\n}}\n");
    refused(
        &body("v0: i32 = ad i32 1, i32 2"),
        3,
        13,
        "expected an operation, found `ad`",
    );
    refused(
        &body("return i8 300, i8 -300"),
        3,
        21,
        "expected a constant of type i8, found `-300`",
    );
    refused(
        &body("return f64 1"),
        3,
        14,
        "expected a constant of type f64, found `1`",
    );
    refused(
        &body("v1: i32 = fence"),
        3,
        3,
        "`v1` is defined, but `v0` is not",
    );
    refused(
        &body("inst0: fence inst0: fence"),
        3,
        16,
        "`inst0` is defined a second time",
    );
    refused(
        &body("call fn0:g()"),
        3,
        12,
        "fn0 has another name than this",
    );
    refused(&body("call fn7:g()"), 3, 12, "there is no fn7");
    refused(
        &body("jump"),
        4,
        1,
        "expected `block` and a number, found `}`",
    );
}

#[test]
fn a_short_text_cannot_ask_for_much_memory() {
    refused(
        "g0 = global local \"x\" size 1 align 1 { zero 4000000000 }",
        1,
        45,
        "expected at most 1024 zeros at a time",
    );
    refused(
        "fn0 = function local \"f\" () {\nblock0(v4000000000: i32):\n}",
        2,
        8,
        "`v4000000000` is defined, but `v0` is not",
    );
}
