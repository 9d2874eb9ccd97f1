//! What is made of pointers and memory, in words: all that inputs do *not* vary must be said here, since a verdict is about nothing else.

use super::layout::{Block, Link};
use super::space::{Choice, Common};
use crate::types::Shape;

/// More objects, or pointers, are not named.
const MOST_NAMED: usize = 8;

pub(crate) fn memory_bounds(common: &Common) -> Vec<String> {
    let view = &common.views[1];
    let blocks: Vec<&Block> = view.all().collect();
    let links: Vec<&Link> = blocks.iter().flat_map(|block| &block.links).collect();
    let targets = blocks.iter().filter(|block| !block.by_value);
    let mut bounds = shortened(
        targets.map(|block| object(common, block)).collect(),
        "objects",
    );
    if links.iter().any(|link| link.is_recursive) {
        bounds.push(format!(
            "at most {} objects of one type follow each other, without sharing and cycles",
            common.extent.depth
        ));
    }
    bounds.extend(pointers(common, &links));
    if !common.kept.is_empty() {
        let kept = shortened(common.kept.clone(), "variables");
        bounds.push(format!(
            "first values, also if they are written: {}",
            kept.join(", ")
        ));
    }
    if blocks.iter().any(|block| block.has_padding()) {
        bounds.push("bytes between the members of structs are zero".to_owned());
    }
    let unions = blocks.iter().flat_map(|block| &block.unions);
    let unions: Vec<&str> = unions.map(String::as_str).collect();
    if !unions.is_empty() {
        bounds.push(format!(
            "of unions with pointers only the first member is varied ({})",
            unions.join(", ")
        ));
    }
    if links
        .iter()
        .any(|link| matches!(link.shape, Shape::Function(_)))
    {
        bounds.push(
            "functions that are passed come back, answer every number, or NULL, look at nothing but what their arguments lead to, change no \
             memory and write nothing; no two are the same"
                .to_owned(),
        );
    }
    if links.iter().any(|link| link.shape == Shape::Stream) {
        bounds.push(format!(
            "streams are files of up to {} bytes, open for reading and writing at their beginning",
            common.extent.elements
        ));
    }
    if common.further > 0 {
        bounds.push(format!("{} further arguments of type long", common.further));
    }
    bounds
}

/// What a pointer's own object is.
fn object(common: &Common, block: &Block) -> String {
    let name = &block.name;
    if matches!(block.shape, Shape::Opaque { .. }) {
        return format!(
            "{name}: {} zero bytes, of which nothing is known",
            block.size
        );
    }
    let is_text = block.leaves.last().is_some_and(|leaf| !leaf.is_input);
    if is_text {
        return format!("{name}: texts of up to {} bytes", common.extent.elements);
    }
    let elements = block.size.checked_div(block.element).unwrap_or(0);
    let mut lengths = common.lengths.iter();
    match (lengths.find(|(pointer, _)| pointer == name), elements) {
        (Some((_, length)), _) => {
            let most = common.elements_of_both(name);
            match most == elements {
                true => format!("{name}: {elements} elements, {length} from 0 to that"),
                false => format!("{name}: {elements} elements, {length} from 0 to {most}"),
            }
        }
        (None, 1) => format!("{name}: 1 element"),
        (None, _) => format!("{name}: {elements} elements"),
    }
}

/// Where pointers may point to.
fn pointers(common: &Common, links: &[&Link]) -> Vec<String> {
    if links.is_empty() {
        return Vec::new();
    }
    let null = match (
        common.extent.null,
        links.iter().any(|link| link.is_recursive),
    ) {
        (true, _) => "are NULL or",
        (false, true) => "are not NULL, but for those that end lists and trees, and",
        (false, false) => "are not NULL and",
    };
    let aliases = links.iter().filter_map(|link| {
        let choices = common.choices_of(&link.name).iter();
        let others: Vec<&str> = choices
            .filter_map(|choice| match choice {
                Choice::Alias(other) => Some(other.as_str()),
                _ => None,
            })
            .collect();
        (!others.is_empty()).then(|| format!("{} may be {}", link.name, others.join(" or ")))
    });
    let aliases = shortened(aliases.collect(), "such pointers");
    let shared = match aliases.is_empty() {
        true => String::new(),
        false => format!(", but that {}", aliases.join(", ")),
    };
    let mut bounds = vec![format!(
        "pointers {null} point to the beginning of memory of their own{shared}"
    )];
    let cut: Vec<String> = (links.iter())
        .filter(|link| link.is_cut)
        .map(|link| link.name.clone())
        .collect();
    if !cut.is_empty() {
        bounds.push(format!(
            "NULL, since there would be too many objects: {}",
            shortened(cut, "pointers").join(", ")
        ));
    }
    bounds
}

pub(crate) fn shortened(mut all: Vec<String>, what: &str) -> Vec<String> {
    if all.len() > MOST_NAMED {
        let more = all.len() - MOST_NAMED;
        all.truncate(MOST_NAMED);
        all.push(format!("and {more} more {what}"));
    }
    all
}
