//! Kinds of difference: differences with the same responsible changes have one cause. They are one kind, and each is a variant of it: with
//! other observables, another end, or at another place of the output.
//!
//! A difference without a responsible change is of a kind of its own, and so are those of different classes.

use std::collections::BTreeMap;

use compare::Report;
use compare::confirm::Difference;
use compare::versions::changed_line::ReportedChange;
use compare::versions::golden::Classified;

use crate::words::{counted, kinds_of_difference};

/// A changed line by its place: step, file, line, function, and whether it is gone.
type Place<'r> = (usize, &'r str, u32, &'r str, bool);

/// By difference: the number of the first one of its kind, from 1.
pub(crate) fn first_of_kind(report: &Report) -> Vec<usize> {
    // By places: the first difference of each class.
    let mut known: BTreeMap<Vec<Place<'_>>, Vec<(Option<Classified>, usize)>> = BTreeMap::new();
    let numbered = report.differences.iter().zip(1..);
    let firsts = numbered.map(|(difference, number)| {
        let places = places(difference);
        match places.is_empty() {
            true => number,
            false => {
                let firsts = known.entry(places).or_default();
                let same = firsts.iter().find(|(class, _)| *class == difference.class);
                match same {
                    Some(&(_, first)) => first,
                    None => {
                        firsts.push((difference.class, number));
                        number
                    }
                }
            }
        }
    });
    firsts.collect()
}

/// The number of another difference of whose kind this one is a variant.
pub(crate) fn variant_of(report: &Report, number: usize) -> Option<usize> {
    let first = first_of_kind(report)[number - 1];
    (first != number).then_some(first)
}

/// What follows the title of a variant.
pub(crate) fn by_the_same_change(report: &Report, number: usize) -> String {
    let Some(first) = variant_of(report, number) else {
        return String::new();
    };
    let steps = &report.differences[number - 1].steps;
    let lines: usize = steps.iter().map(|step| step.changes.len()).sum();
    let changes = if lines == 1 { "change" } else { "changes" };
    format!("by the same {changes} as {first}")
}

/// How many kinds some of the differences are of, in words.
pub(crate) fn kinds_of(report: &Report, numbers: impl Iterator<Item = usize>) -> String {
    let firsts = first_of_kind(report);
    let all: Vec<usize> = numbers.map(|number| firsts[number - 1]).collect();
    let mut kinds = all.clone();
    kinds.sort_unstable();
    kinds.dedup();
    let text = kinds_of_difference(kinds.len());
    match all.len() > kinds.len() {
        true => format!("{text} in {}", counted(all.len() as u64, "variant")),
        false => text,
    }
}

fn places(difference: &Difference) -> Vec<Place<'_>> {
    let steps = difference.steps.iter();
    let lines = steps.flat_map(|step| {
        let lines = step.changes.iter();
        lines.map(|line| place_of(step.step, line))
    });
    let mut lines: Vec<Place<'_>> = lines.collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

fn place_of(step: usize, line: &ReportedChange) -> Place<'_> {
    (step, &line.file, line.line, &line.function, line.is_removed)
}
