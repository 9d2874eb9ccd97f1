//! `mutants.txt` of a subject: the mutants to measure with, and what native runs say of each.
//!
//! A line is a mutant's id and its fate:
//!
//! - `killed N`: N is the first input, of those that [`crate::subject_inputs`] makes, on which it differs;
//! - `killed N endless`: it does not end there;
//! - `killed N undefined`: the sanitizers object there, so another machine may see something else;
//! - `survived N`: it does not differ on the first N inputs.
//!
//! `#` begins a comment.
//!
//! `survivors.md` says of each that survived whether it can be told from the original at all ([`survivors`]).

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Killed { input: usize, how: How },
    Survived { inputs: usize },
}

/// How a killed mutant shows itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Differs,
    Endless,
    Undefined,
}

/// The number of a mutant, and its fate.
pub type Entry = (u32, Fate);

impl fmt::Display for Fate {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fate::Killed { input, how } => {
                let mark = match how {
                    How::Differs => "",
                    How::Endless => " endless",
                    How::Undefined => " undefined",
                };
                write!(formatter, "killed {input}{mark}")
            }
            Fate::Survived { inputs } => write!(formatter, "survived {inputs}"),
        }
    }
}

/// The entries of a list, or what is wrong with it.
pub fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| entry(line).ok_or_else(|| format!("cannot read `{line}`")))
        .collect()
}

fn entry(line: &str) -> Option<Entry> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (id, fate) = words.split_first()?;
    let number = id.strip_prefix('m')?.parse().ok()?;
    let how = match fate.get(2) {
        None => How::Differs,
        Some(&"endless") => How::Endless,
        Some(&"undefined") => How::Undefined,
        Some(_) => return None,
    };
    let fate = match fate {
        ["killed", input, ..] => Fate::Killed {
            input: input.parse().ok()?,
            how,
        },
        ["survived", inputs] => Fate::Survived {
            inputs: inputs.parse().ok()?,
        },
        _ => return None,
    };
    Some((number, fate))
}

/// What is said of a mutant that survived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survivor {
    pub number: u32,
    pub verdict: Judgement,
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// No input tells it from the original.
    Equivalent,
    /// The reason holds the arguments of an input that does, between backticks.
    Different,
    /// Only its undefined behaviour does, which the VM and the sanitizers report.
    UndefinedOnly,
}

/// The rows of `survivors.md`: `| mutant | change | verdict | why |`.
pub fn survivors(text: &str) -> Result<Vec<Survivor>, String> {
    let is_row = |line: &&str| {
        let id = line.strip_prefix("| m");
        id.is_some_and(|id| id.starts_with(|digit: char| digit.is_ascii_digit()))
    };
    let rows = text.lines().filter(is_row);
    let survivor = |line: &str| {
        let columns: Vec<&str> = line.trim_matches(['|', ' ']).split(" | ").collect();
        let [id, _, verdict, reason] = columns[..] else {
            return None;
        };
        Some(Survivor {
            number: id.strip_prefix('m')?.parse().ok()?,
            verdict: match verdict {
                "equivalent" => Judgement::Equivalent,
                "different" => Judgement::Different,
                "undefined behaviour" => Judgement::UndefinedOnly,
                _ => return None,
            },
            reason: reason.to_owned(),
        })
    };
    rows.map(|line| survivor(line).ok_or_else(|| format!("cannot read the row `{line}`")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn survivors_are_read_from_their_table() {
        let row = |verdict: &str| {
            format!(
                "| mutant | change | verdict | why |\n| m0042 | `a|b` | {verdict} | why not |\n"
            )
        };
        let expected = |verdict| Survivor {
            number: 42,
            verdict,
            reason: "why not".to_owned(),
        };
        for (words, verdict) in [
            ("equivalent", Judgement::Equivalent),
            ("different", Judgement::Different),
            ("undefined behaviour", Judgement::UndefinedOnly),
        ] {
            assert_eq!(survivors(&row(words)), Ok(vec![expected(verdict)]));
        }
        assert!(survivors(&row("unclear")).is_err());
        assert_eq!(survivors("None"), Ok(Vec::new()));
    }

    #[test]
    fn a_list_is_read_as_it_is_written() {
        let killed = |how| Fate::Killed { input: 17, how };
        let fates = [
            killed(How::Differs),
            killed(How::Endless),
            killed(How::Undefined),
            Fate::Survived { inputs: 20_000 },
        ];
        let text: String = fates.iter().map(|fate| format!("m0042 {fate}\n")).collect();
        let expected = fates.map(|fate| (42, fate));
        assert_eq!(parse(&format!("# head\n{text}")).unwrap(), expected);
        assert!(parse("m0001").is_err());
        assert!(parse("m0001 killed 2 quickly").is_err());
        assert!(parse("1 killed 2").is_err());
    }
}
