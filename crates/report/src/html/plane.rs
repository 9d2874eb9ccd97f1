//! Partitions as regions of a plane: what of their conditions says how single inputs compare with numbers and with each other.
//!
//! A condition is understood if it is a comparison of two operands (`low <= value`, `x == -3`) or a membership
//! (`argv[1][0] in '0'..'9', '-'`, `not in`), where an operand is an input or a constant. Shapes (`2 arguments`) are kept apart: a
//! picture is of one shape. A partition with any other condition is not drawn, and counted, because a region that is too large
//! would be a lie. For the same reason a region is cut where a condition does not say enough: which of two bytes is less depends on whether
//! these are signed, and does not up to 127.

use serde::Serialize;

/// A condition on single inputs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub(super) enum Atom {
    /// `op` is as in C.
    Compare {
        left: Operand,
        op: &'static str,
        right: Operand,
    },
    /// Ranges with both ends.
    In {
        name: String,
        ranges: Vec<(i64, i64)>,
        not: bool,
    },
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Operand {
    Name(String),
    Number(i64),
}

/// A partition as a region.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Region {
    /// How many arguments and bytes there are, in words.
    pub(super) shape: String,
    pub(super) atoms: Vec<Atom>,
    /// Only a part of the partition is in it.
    pub(super) is_cut: bool,
}

/// The region of a partition, if all its conditions are understood.
pub(super) fn region(conditions: &[String]) -> Option<Region> {
    let mut shape = Vec::new();
    let mut atoms = Vec::new();
    let mut cut: Vec<String> = Vec::new();
    for condition in conditions {
        match is_shape(condition) {
            true => shape.push(condition.as_str()),
            false => {
                let atom = atom(condition)?;
                cut.extend(bytes_in_order(&atom).into_iter().flatten());
                atoms.push(atom);
            }
        }
    }
    let is_cut = !cut.is_empty();
    cut.sort();
    cut.dedup();
    atoms.extend(cut.into_iter().map(|name| Atom::In {
        name,
        ranges: vec![(0, 127)],
        not: false,
    }));
    Some(Region {
        is_cut,
        shape: shape.join("; "),
        atoms,
    })
}

/// Both inputs of a condition about which is less, if they may be bytes: they are parts of a text.
fn bytes_in_order(atom: &Atom) -> Option<[String; 2]> {
    let Atom::Compare { left, op, right } = atom else {
        return None;
    };
    let (Operand::Name(left), Operand::Name(right)) = (left, right) else {
        return None;
    };
    let may_be_bytes = [left, right].iter().any(|name| name.contains(['[', '*']));
    (may_be_bytes && !matches!(*op, "==" | "!=")).then(|| [left.clone(), right.clone()])
}

/// As in `2 arguments` and `standard input: 3 bytes`.
fn is_shape(condition: &str) -> bool {
    let counted = condition
        .rsplit_once(": ")
        .map_or(condition, |(_, counted)| counted);
    let Some((number, what)) = counted.split_once(' ') else {
        return condition.ends_with(": empty");
    };
    number.chars().all(|digit| digit.is_ascii_digit())
        && matches!(what, "argument" | "arguments" | "byte" | "bytes")
}

const COMPARISONS: [&str; 6] = ["<=", ">=", "==", "!=", "<", ">"];

fn atom(condition: &str) -> Option<Atom> {
    for (word, not) in [(" not in ", true), (" in ", false)] {
        if let Some((name, set)) = condition.split_once(word) {
            let ranges = ranges(set)?;
            return Some(Atom::In {
                name: input(name)?,
                ranges,
                not,
            });
        }
    }
    let (left, rest) = condition.split_once(' ')?;
    let (op, right) = rest.split_once(' ')?;
    let op = COMPARISONS.into_iter().find(|known| *known == op)?;
    let (left, right) = (operand(left)?, operand(right)?);
    Some(Atom::Compare { left, op, right })
}

fn operand(text: &str) -> Option<Operand> {
    match number(text) {
        Some(number) => Some(Operand::Number(number)),
        None => input(text).map(Operand::Name),
    }
}

/// The name of an input: `value`, `argv[1][0]`, `point.x`, `*count`.
fn input(text: &str) -> Option<String> {
    let name = text.trim_start_matches('*');
    let begins = name
        .chars()
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    let is_plain =
        |c: char| c.is_ascii_alphanumeric() || "_[].".contains(c) || c == '>' || c == '-';
    let arrows = name.replace("->", "");
    let is_name = begins && name.chars().all(is_plain) && !arrows.contains(['-', '>']);
    is_name.then(|| text.to_owned())
}

/// A constant: decimal, hexadecimal, or a character.
fn number(text: &str) -> Option<i64> {
    if let Some(quoted) = text
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''))
    {
        return match quoted.as_bytes() {
            [byte] => Some(i64::from(*byte)),
            [b'\\', b'n'] => Some(10),
            [b'\\', b't'] => Some(9),
            [b'\\', b'r'] => Some(13),
            [b'\\', b'0'] => Some(0),
            [b'\\', byte @ (b'\\' | b'\'' | b'"')] => Some(i64::from(*byte)),
            _ => None,
        };
    }
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// `'0'..'9', '-'`; a comma or a blank in quotes separates nothing.
fn ranges(text: &str) -> Option<Vec<(i64, i64)>> {
    let mut ranges = Vec::new();
    let mut rest = text;
    loop {
        let (first, after) = constant(rest)?;
        let (last, after) = match after.strip_prefix("..") {
            Some(after) => constant(after)?,
            None => (first, after),
        };
        match first <= last {
            true => ranges.push((first, last)),
            // Signed bytes in their order.
            false if last >= 0 && first <= 255 => ranges.extend([(first, 255), (0, last)]),
            false => return None,
        }
        match after.strip_prefix(", ") {
            Some(after) => rest = after,
            None => return after.is_empty().then_some(ranges),
        }
    }
}

/// A constant that a text begins with, and what follows.
fn constant(text: &str) -> Option<(i64, &str)> {
    let end = match text.strip_prefix('\'') {
        Some(rest) => {
            let skip = if rest.starts_with('\\') {
                2
            } else {
                rest.chars().next()?.len_utf8()
            };
            1 + skip + rest.get(skip..)?.find('\'')? + 1
        }
        None => {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
            text.find(|c: char| !is_part(c)).unwrap_or(text.len())
        }
    };
    Some((number(text.get(..end)?)?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(conditions: &[&str]) -> Option<Region> {
        let conditions: Vec<String> = conditions.iter().map(|&own| own.to_owned()).collect();
        region(&conditions)
    }

    #[test]
    fn comparisons_and_sets_are_understood() {
        let name = |name: &str| Operand::Name(name.to_owned());
        let region = of(&[
            "2 arguments",
            "low <= value",
            "x == -3",
            "argv[1][0] not in '\\t'..'\\r', ' ', ','",
        ]);
        let region = region.unwrap();
        assert_eq!(region.shape, "2 arguments");
        assert_eq!(
            region.atoms,
            [
                Atom::Compare {
                    left: name("low"),
                    op: "<=",
                    right: name("value")
                },
                Atom::Compare {
                    left: name("x"),
                    op: "==",
                    right: Operand::Number(-3)
                },
                Atom::In {
                    name: "argv[1][0]".to_owned(),
                    ranges: vec![(9, 13), (32, 32), (44, 44)],
                    not: true
                },
            ]
        );
        assert_eq!(of(&["standard input: 3 bytes"]).unwrap().atoms, []);
        let quote = of(&["c in '\\''..0x7f"]).unwrap();
        assert_eq!(
            quote.atoms,
            [Atom::In {
                name: "c".to_owned(),
                ranges: vec![(39, 127)],
                not: false
            }]
        );
    }

    /// Whether bytes are signed is not said.
    #[test]
    fn bytes_are_in_order_up_to_127() {
        let ascii = |name: &str| Atom::In {
            name: name.to_owned(),
            ranges: vec![(0, 127)],
            not: false,
        };
        let region = of(&["argv[1][0] <= argv[2][0]"]).unwrap();
        assert!(region.is_cut);
        assert_eq!(
            region.atoms[1..],
            [ascii("argv[1][0]"), ascii("argv[2][0]")]
        );
        for whole in [
            "argv[1][0] == argv[2][0]",
            "low <= value",
            "argv[1][0] in 'a'..'z'",
        ] {
            assert!(!of(&[whole]).unwrap().is_cut, "{whole}");
        }
        assert_eq!(ranges("0x80..'5'"), Some(vec![(128, 255), (0, 53)]));
    }

    /// A region that is too large would be a lie.
    #[test]
    fn what_is_not_understood_has_no_region() {
        for condition in [
            "(x + 1) < y",
            "not x < 3",
            "a condition on x",
            "x - y == 2",
            "… and 7 more conditions",
            "x in a..b",
        ] {
            assert_eq!(of(&["x < 3", condition]), None, "{condition}");
        }
    }
}
