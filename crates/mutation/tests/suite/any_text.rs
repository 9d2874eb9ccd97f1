//! Whatever the text is, finding mutants ends well, and each mutant is one real edit.

use mutation::{Options, Patch, mutants};
use proptest::prelude::*;

const WORDS: &[&str] = &[
    "int",
    "f",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "if",
    "else",
    "for",
    "while",
    "do",
    "return",
    "x",
    "y",
    "<",
    "<=",
    "==",
    "&&",
    "||",
    "!",
    "+",
    "-",
    "++",
    "+=",
    "&",
    "|=",
    "~",
    "=",
    "?",
    ":",
    "0",
    "12",
    "-1",
    "0x1F",
    "1.5f",
    "'a'",
    "\"text\"",
    "#define A 1 +",
    "#if x > 2",
    "#else",
    "#endif",
    "\n",
    "\n",
    "assert(",
    "static_assert(",
    "case",
    "switch",
    "goto",
    "sizeof",
    "/*",
    "*/",
    "//",
    "\\",
    "__attribute__((",
    "asm(",
    "struct",
    "*",
    "->",
    ".",
    "\"",
    "'",
    "08",
    "99999999999",
];

fn check(source: &[u8]) {
    let everything = Options {
        asserts: true,
        directives: true,
        strings: true,
    };
    for options in [Options::default(), everything] {
        let found = mutants(source, options).expect("the parser does not give up");
        for (index, mutant) in found.iter().enumerate() {
            assert_eq!(mutant.number as usize, index + 1);
            assert!(mutant.start < mutant.end && mutant.end <= source.len());
            assert_ne!(mutant.original(source), mutant.replacement);
            // A patch compares whole files; some are enough.
            if index % 40 == 0 {
                let patch = Patch {
                    mutant,
                    source,
                    file: "a.c",
                };
                assert!(patch.to_bytes().starts_with(b"Mutant: m"));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn bytes(source in proptest::collection::vec(any::<u8>(), 0..300)) {
        check(&source);
    }

    #[test]
    fn words(words in proptest::collection::vec(proptest::sample::select(WORDS), 0..80)) {
        check(words.join(" ").as_bytes());
    }

    /// A real program with a piece cut out or put elsewhere.
    #[test]
    fn torn_programs(from in 0usize..8000, length in 0usize..400, to in 0usize..8000) {
        let program = include_bytes!("../../../../subjects/tokenizer/program.c");
        let from = from.min(program.len());
        let end = (from + length).min(program.len());
        let piece = &program[from..end];
        let mut torn = [&program[..from], &program[end..]].concat();
        let to = to.min(torn.len());
        torn.splice(to..to, piece.iter().copied());
        check(&torn);
    }
}

#[test]
fn deep_nesting_is_no_danger() {
    let depth = 20_000;
    let expression = format!(
        "int f(int x) {{ return {}x{}; }}\n",
        "(".repeat(depth),
        ")".repeat(depth)
    );
    check(expression.as_bytes());
    let blocks = format!(
        "int f(int x) {{ {}x++;{} }}\n",
        "if (x < 1) {".repeat(depth / 10),
        "}".repeat(depth / 10)
    );
    check(blocks.as_bytes());
    check(b"");
}
