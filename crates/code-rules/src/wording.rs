//! Words in comments and names of types that a reader would have to guess.
//!
//! A doc comment is read alone, in an editor's window or on a page of the documentation. One that only points at its neighbours
//! (`That it does.`) says nothing there. And a type name such as `Search` that several crates use for several things makes the reader ask
//! each time which one is meant.

use std::collections::BTreeMap;

use crate::{Crate, Module};

/// What was written before, and what `docs/glossary.md` has for it.
const PHRASES: &[(&str, &str)] = &[
    ("taken as it is", "concretised"),
    ("took as it is", "concretised"),
    ("taken as they are", "concretised"),
    ("took as they are", "concretised"),
    ("Explore them too", "name what is explored"),
];

/// A doc comment of so few words that begins with one of [`POINTING`] does not stand alone.
const FEW: usize = 4;
const POINTING: &[&str] = &["That", "There", "Them", "Those", "They", "Likewise"];

/// Words that say too little to name several types.
const NAMES: &[&str] = &[
    "Search", "Found", "Known", "Behind", "Report", "Version", "Step",
];

/// Comments that a reader has to guess: file and line, with what is wrong.
///
/// # Panics
///
/// Panics if a file cannot be read.
pub fn riddles(of: &Crate) -> Vec<String> {
    of.modules.iter().flat_map(riddles_of_module).collect()
}

fn riddles_of_module(module: &Module) -> Vec<String> {
    let text = std::fs::read_to_string(&module.file).expect("the file was read before");
    let place = |line: usize| format!("{}:{}", module.file.display(), line + 1);
    let mut found = Vec::new();
    let mut comment: Vec<&str> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for (phrase, instead) in PHRASES {
            // The list above is no use of its phrases.
            if line.contains(phrase) && !line.trim_start().starts_with("(\"") {
                found.push(format!("{}: `{phrase}`: {instead}", place(number)));
            }
        }
        match line.trim_start().strip_prefix("/// ") {
            Some(words) => comment.push(words),
            None => {
                if points_elsewhere(&comment.join(" ")) {
                    let said = comment.join(" ");
                    found.push(format!("{}: `{said}` does not stand alone", place(number)));
                }
                comment.clear();
            }
        }
    }
    found
}

fn points_elsewhere(comment: &str) -> bool {
    let words: Vec<&str> = comment.split_whitespace().collect();
    let first = words.first().map(|word| word.trim_end_matches(['.', ',']));
    words.len() <= FEW && first.is_some_and(|first| POINTING.contains(&first))
}

/// Where each of the names that say too little is given to a type: `crate::module::Name`.
pub fn vague_names(crates: &[Crate]) -> BTreeMap<&'static str, Vec<String>> {
    let mut all: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    for one in crates {
        for module in &one.modules {
            for item in &module.syntax.items {
                let name = match item {
                    syn::Item::Struct(item) => &item.ident,
                    syn::Item::Enum(item) => &item.ident,
                    syn::Item::Trait(item) => &item.ident,
                    syn::Item::Type(item) => &item.ident,
                    _ => continue,
                };
                if let Some(vague) = NAMES.iter().find(|vague| name == **vague) {
                    let mut place = vec![one.name.clone()];
                    place.extend(module.path.iter().cloned());
                    place.push((*vague).to_owned());
                    all.entry(vague).or_default().push(place.join("::"));
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::points_elsewhere;

    #[test]
    fn comments_that_point_elsewhere() {
        for comment in ["That it does.", "There.", "Those that do."] {
            assert!(points_elsewhere(comment), "{comment}");
        }
        for comment in [
            "To this instruction.",
            "Those that need a change to aim at.",
            "The condition under which such a call makes a difference.",
            "",
        ] {
            assert!(!points_elsewhere(comment), "{comment}");
        }
    }
}
