//! Inputs for the programs of [`crate::first_use`]: those made by hand, the witnesses of all edits, and random ones.
//!
//! A random input has the arguments of one made by hand, or words of the program in any number and order; standard
//! input and files are put together of pieces. Slips change a character here and there. Inputs only depend on
//! `inputs.toml`, the truths, and the number of the input.

use crate::chance::Chance;
use crate::directives::Run;
use crate::first_use::{Edited, Input, Side};

/// The witnesses and the inputs made by hand, and then `random` others.
pub fn inputs(program: &Edited, random: u64) -> Vec<Run> {
    let known = known(program);
    let mut runs: Vec<Run> = known.iter().map(|input| input.run("known")).collect();
    runs.extend((0..random).map(|number| random_input(program, &known, number)));
    runs
}

/// Without the witnesses on which the old version has undefined behaviour: two equivalent versions may do different
/// things there.
fn known(program: &Edited) -> Vec<Input> {
    let edits = program.edits.iter();
    let defined = edits.filter(|edit| edit.truth.undefined != Some(Side::Old));
    let witnesses = defined.filter_map(|edit| edit.truth.witness.clone());
    witnesses
        .chain(program.ingredients.inputs.iter().cloned())
        .collect()
}

fn random_input(program: &Edited, known: &[Input], number: u64) -> Run {
    let mut chance = Chance::new(number);
    let ingredients = &program.ingredients;
    let arguments = match chance.one_in(2) {
        true => words(&mut chance, &ingredients.words, ingredients.most_words),
        false => {
            let at = chance.below(known.len() as u64) as usize;
            known[at].arguments.clone()
        }
    };
    let stdin = words(&mut chance, &ingredients.pieces, ingredients.most_pieces).concat();
    let mut files = Vec::new();
    for (name, pieces) in &ingredients.files {
        // Now and then there is no such file.
        if !chance.one_in(8) {
            let text = words(&mut chance, pieces, 8).concat();
            files.push((name.clone(), text.into_bytes()));
        }
    }
    Run {
        name: format!("random {number}"),
        arguments,
        stdin: stdin.into_bytes(),
        files,
        ..Run::default()
    }
}

/// Up to `most` of `among`, with slips.
fn words(chance: &mut Chance, among: &[String], most: u64) -> Vec<String> {
    if among.is_empty() {
        return Vec::new();
    }
    let count = chance.below(most + 1);
    let mut chosen = Vec::new();
    for _ in 0..count {
        let at = chance.below(among.len() as u64) as usize;
        chosen.push(chance.slip(among[at].clone()));
    }
    chosen
}
