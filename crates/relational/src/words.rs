//! Words that the programs know: texts and numbers that stand in their own code, not in that of their libraries.
//!
//! A program that waits for `--verbose`, for `GET` or for 1024 says so in its constants. Inputs that are made without a solver have
//! little hope to hit such a word by chance, so they are made of these ([`search::mutate`]). A list of byte strings is all that is
//! handed on: whoever knows more words adds them.

use concolic_vm::Program;
use program_ir::{Constant, Function, Global, InstData, Module, ValueDef};
use std::collections::BTreeSet;

/// Longer texts are messages rather than words.
const LONGEST: usize = 24;
/// More words than this are no help.
const MOST: usize = 512;

/// The words of all programs, each once. Those that only one of the programs has come first: they are part of the change.
pub fn words(programs: &[&Program]) -> Vec<Vec<u8>> {
    let of_each: Vec<BTreeSet<Vec<u8>>> = programs
        .iter()
        .map(|program| words_of(program.module()))
        .collect();
    let is_shared = |word: &Vec<u8>| of_each.iter().all(|words| words.contains(word));
    let all: BTreeSet<&Vec<u8>> = of_each.iter().flatten().collect();
    let (shared, own): (Vec<&Vec<u8>>, Vec<&Vec<u8>>) =
        all.into_iter().partition(|word| is_shared(word));
    let ordered = own.into_iter().chain(shared);
    ordered.take(MOST).cloned().collect()
}

fn words_of(module: &Module) -> BTreeSet<Vec<u8>> {
    let mut found = FoundWords::default();
    for (func, function) in &module.functions {
        if !function.is_declaration() && !version_diff::own_changes::is_library(module, func) {
            found.function(function);
        }
    }
    let mut seen = BTreeSet::new();
    let mut left: Vec<Global> = found.globals.iter().copied().collect();
    while let Some(global) = left.pop() {
        if !seen.insert(global) {
            continue;
        }
        let initialiser = &module.globals[global].initialiser;
        found.texts(&initialiser.bytes);
        // Tables of texts.
        for relocation in &initialiser.relocations {
            if let Constant::GlobalAddress { global, .. } = relocation.constant {
                left.push(global);
            }
        }
    }
    found.words
}

#[derive(Default)]
struct FoundWords {
    words: BTreeSet<Vec<u8>>,
    globals: BTreeSet<Global>,
}

impl FoundWords {
    fn function(&mut self, function: &Function) {
        for node in function.insts.values() {
            if let InstData::Switch { arg, cases, .. } = &node.data {
                let width = function.values[*arg].ty.bits();
                for (value, _) in cases {
                    self.number(*value, width);
                }
            }
            let is_computation = matches!(
                node.data,
                InstData::IntCompare { .. } | InstData::Binary { .. } | InstData::Call(_)
            );
            node.data.for_each_operand(|value| {
                let value = &function.values[value];
                match value.def {
                    ValueDef::Constant(Constant::Bits(bits)) if is_computation => {
                        self.number(bits, value.ty.bits());
                    }
                    ValueDef::Constant(Constant::GlobalAddress { global, .. }) => {
                        self.globals.insert(global);
                    }
                    _ => {}
                }
            });
        }
    }

    /// A number as text, and as the character that it may be.
    fn number(&mut self, bits: u128, width: u32) {
        if !(8..=64).contains(&width) {
            return;
        }
        if (32..127).contains(&bits) || [9, 10, 13].contains(&bits) {
            self.words.insert(vec![bits as u8]);
        }
        let value = (bits << (128 - width)) as i128 >> (128 - width);
        self.words.insert(value.to_string().into_bytes());
    }

    /// The printable texts in the bytes of a variable.
    fn texts(&mut self, bytes: &[u8]) {
        for text in bytes.split(|&byte| byte == 0) {
            let is_text = text
                .iter()
                .all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
            if is_text && (1..=LONGEST).contains(&text.len()) {
                self.words.insert(text.to_vec());
            }
        }
    }
}
