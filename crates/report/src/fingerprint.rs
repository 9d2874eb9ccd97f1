//! Ids of differences that stay the same while other things change.
//!
//! The number of a difference says in which order it was found. Its *fingerprint* says what it is: a hash of the responsible changes
//! (the function, and the text of the statement without white space and comments), of what differs and from which words of the
//! output on, and of how each version ends. Line numbers, names of files, inputs and outputs play no part.
//!
//! Where two changes lie on one path, a slice holds both, and what one of them does is seen together with what the other does. If the
//! other is also seen alone, as a difference of its own, then its changes and what it makes differ are left out: what counts of a
//! difference is what simpler ones do not explain. So a fingerprint stays when lines move, functions are reordered, the search finds
//! another input, or another difference appears, and becomes another one when the change behind the difference is edited.

use std::collections::{BTreeMap, BTreeSet};

use compare::Report;
use compare::confirm::{Difference, Observed, StepDifference};
use compare::versions::changed_line::ReportedChange;
use native::test_case::EndKind;

/// How many hexadecimal digits are shown: of 2⁴⁸, with a thousand differences, two are the same by chance once in 500 million checks.
const DIGITS: usize = 12;

/// By number of the difference, and by its steps: their fingerprints. Those that would be the same are numbered, in the order of
/// their inputs.
pub fn fingerprints(report: &Report) -> Vec<Vec<String>> {
    let parts: Vec<Vec<Parts>> = (report.differences.iter())
        .map(|difference| {
            let steps = difference.steps.iter();
            steps
                .map(|step| Parts::of(report, difference, step))
                .collect()
        })
        .collect();
    let mut all: Vec<Vec<String>> = (parts.iter())
        .map(|steps| {
            let steps = steps.iter();
            steps
                .map(|own| hash(&own.unexplained(parts.iter().flatten())))
                .collect()
        })
        .collect();
    let mut same: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for (number, steps) in all.iter().enumerate() {
        for (step, fingerprint) in steps.iter().enumerate() {
            let places = same.entry(fingerprint.clone()).or_default();
            places.push((number, step));
        }
    }
    for places in same.values_mut() {
        places.sort_by_cached_key(|&(number, _)| {
            let input = &report.differences[number].given.input;
            let size: usize = input.args.iter().map(Vec::len).sum();
            (size + input.stdin.len(), format!("{input:?}"))
        });
        for (&(number, step), which) in places.iter().zip(1..).skip(1) {
            all[number][step] += &format!("-{which}");
        }
    }
    all
}

/// What a fingerprint of a step of a difference is made of.
struct Parts {
    step: usize,
    changes: BTreeSet<String>,
    /// What differs, and behind which words.
    places: BTreeSet<String>,
    /// The function, and how both versions end.
    frame: Vec<String>,
}

impl Parts {
    fn of(report: &Report, difference: &Difference, step: &StepDifference) -> Parts {
        let mut frame: Vec<String> = Vec::new();
        frame.extend(report.function.iter().map(|of| format!("fn {}", of.name)));
        let of = &report.steps[step.step];
        for version in [of.from, of.to] {
            let end = &difference.outcomes[version].end;
            let place = match end.kind {
                EndKind::Exit => "",
                _ => end.function.as_deref().unwrap_or_default(),
            };
            frame.push(format!("end {} {place}", end.kind));
        }
        // What the example shows besides is chance.
        let is_told_by =
            |(observed, _): &(&Observed, &String)| difference.observed.contains(observed);
        let places = step.observed.iter().zip(&step.locations);
        let places = places.filter(is_told_by);
        Parts {
            step: step.step,
            changes: step.changes.iter().map(change).collect(),
            places: places
                .map(|(observed, location)| format!("{} at {location}", observable(observed)))
                .collect(),
            frame,
        }
    }

    /// Without what simpler differences explain, those over some of the same changes and no others; with it where nothing else is left.
    fn unexplained<'p>(&self, all: impl Iterator<Item = &'p Parts>) -> Vec<String> {
        let mut changes = self.changes.clone();
        let mut places = self.places.clone();
        let simpler = all.filter(|other| {
            other.step == self.step
                && !other.changes.is_empty()
                && other.changes.len() < self.changes.len()
                && other.changes.is_subset(&self.changes)
        });
        for other in simpler {
            changes.retain(|own| !other.changes.contains(own));
            places.retain(|own| !other.places.contains(own));
        }
        let left = |left: BTreeSet<String>, all: &BTreeSet<String>| match left.is_empty() {
            true => all.clone(),
            false => left,
        };
        let parts = left(changes, &self.changes).into_iter();
        parts
            .chain(left(places, &self.places))
            .chain(self.frame.iter().cloned())
            .collect()
    }
}

fn hash(parts: &[String]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..DIGITS].to_owned()
}

fn change(change: &ReportedChange) -> String {
    let code = change.code.as_deref().map(normalised).unwrap_or_default();
    let gone = if change.is_removed { "removed" } else { "" };
    format!(
        "change {gone} {} {code} {}",
        change.function,
        change.notes.join(" ")
    )
}

fn observable(observed: &Observed) -> String {
    match &observed.of_call {
        Some(of_call) => format!("call {of_call}"),
        None => format!("run {}", observed.observable),
    }
}

/// A statement without white space and comments; what stands in quotes stays.
fn normalised(code: &str) -> String {
    let mut text = String::new();
    let mut characters = code.chars().peekable();
    let mut quote = None;
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(_), '\\') => {
                text.push(character);
                text.extend(characters.next());
                continue;
            }
            (Some(own), _) if own == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '/') if characters.peek() == Some(&'/') => return text,
            (None, '/') if characters.peek() == Some(&'*') => {
                characters.next();
                let mut before = ' ';
                for inner in characters.by_ref() {
                    if before == '*' && inner == '/' {
                        break;
                    }
                    before = inner;
                }
                continue;
            }
            (None, _) if character.is_whitespace() => continue,
            (None, _) => {}
        }
        text.push(character);
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn white_space_and_comments_are_left_out() {
        let plain = normalised("if(x<3)puts(\"a // b\");");
        for same in [
            "  if (x < 3) puts(\"a // b\");",
            "if (x /* the\tage */ < 3)\tputs(\"a // b\"); // why",
            "if (x < 3) puts(\"a // b\"); /* not closed",
        ] {
            assert_eq!(normalised(same), plain, "{same}");
        }
        assert_ne!(normalised("puts(\"a b\")"), normalised("puts(\"ab\")"));
        assert_ne!(normalised("x = '\"'; // \""), normalised("x = '\"'; y"));
    }

    proptest! {
        /// Layout between tokens plays no part.
        #[test]
        fn layout_plays_no_part(
            tokens in prop::collection::vec("[a-z]{1,3}|[0-9]|<=|\\(|\\)|;|\"[ a-z/]{0,4}\"", 1..12),
            gaps in prop::collection::vec(prop::sample::select(vec![" ", "  ", "\t", " /* b */ ", "/**/"]), 12),
        ) {
            let bare: String = tokens.join(" ");
            let laid_out: String = tokens.iter().zip(&gaps).map(|(token, gap)| format!("{token}{gap} ")).collect();
            prop_assert_eq!(normalised(&bare), normalised(&laid_out));
        }
    }
}
