//! `mutants.txt` of a subject: the mutants to measure with, and what native runs say of each.
//!
//! A line is a mutant's id and `killed N` (N is the first input, of those that [`crate::subject_inputs`] makes, on
//! which it differs), `killed N undefined` (the sanitizers object there, so another machine may see something
//! else), or `survived N` (it does not differ on the first N inputs). `#` begins a comment.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Killed { input: usize, undefined: bool },
    Survived { inputs: usize },
}

/// The number of a mutant, and its fate.
pub type Entry = (u32, Fate);

impl fmt::Display for Fate {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fate::Killed { input, undefined } => {
                let mark = if *undefined { " undefined" } else { "" };
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
    let fate = match fate {
        ["killed", input] => Fate::Killed {
            input: input.parse().ok()?,
            undefined: false,
        },
        ["killed", input, "undefined"] => Fate::Killed {
            input: input.parse().ok()?,
            undefined: true,
        },
        ["survived", inputs] => Fate::Survived {
            inputs: inputs.parse().ok()?,
        },
        _ => return None,
    };
    Some((number, fate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_as_it_is_written() {
        let fates = [
            Fate::Killed {
                input: 3,
                undefined: false,
            },
            Fate::Killed {
                input: 17,
                undefined: true,
            },
            Fate::Survived { inputs: 20_000 },
        ];
        let text: String = fates.iter().map(|fate| format!("m0042 {fate}\n")).collect();
        let expected = fates.map(|fate| (42, fate));
        assert_eq!(parse(&format!("# head\n{text}")).unwrap(), expected);
        assert!(parse("m0001").is_err());
        assert!(parse("1 killed 2").is_err());
    }
}
