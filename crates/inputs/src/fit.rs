//! Does an input lie in an input space, and if not, why?

use std::ops::RangeInclusive;

use crate::record::InputRecord;
use crate::space::{ArgSpace, InputSpace, StreamSpace, ValueSpace, one_of};

impl InputSpace {
    /// What keeps an input out of the space, in words; nothing if it is in it. The program's own name does not
    /// matter.
    pub fn misfit(&self, input: &InputRecord) -> Option<String> {
        let args = input.args.get(1..).unwrap_or_default();
        self.misfit_of_args(args)
            .or_else(|| stream("standard input", &self.stdin, &input.stdin))
            .or_else(|| self.misfit_of_files(input))
            .or_else(|| self.misfit_of_environment(input))
    }

    fn misfit_of_args(&self, args: &[Vec<u8>]) -> Option<String> {
        if fits(&self.args, args) {
            return None;
        }
        let counts = self.args.iter().map(|arg| match arg {
            ArgSpace::Fixed(_) => 1..=1,
            ArgSpace::Symbolic { count, .. } => count.clone(),
        });
        let (low, high) = counts.fold((0, 0), |(low, high), count| {
            (low + count.start(), high + count.end())
        });
        if !(low..=high).contains(&args.len()) {
            return Some(format!(
                "it has {}, the input space {}",
                counted(args.len(), "argument"),
                range(&(low..=high), "argument")
            ));
        }
        let longest = self.args.iter().map(|arg| match arg {
            ArgSpace::Fixed(bytes) => bytes.len(),
            ArgSpace::Symbolic { length, .. } => *length,
        });
        let longest = longest.max().unwrap_or(0);
        let too_long = args.iter().find(|arg| arg.len() > longest);
        Some(match too_long {
            Some(arg) => format!(
                "its argument `{}` has {}; the most is {longest}",
                String::from_utf8_lossy(arg).escape_debug(),
                counted(arg.len(), "byte")
            ),
            None => "its arguments are not those of the input space: fixed ones differ, or one is too long for its place"
                .to_owned(),
        })
    }

    fn misfit_of_files(&self, input: &InputRecord) -> Option<String> {
        for (name, space) in &self.files {
            let Some(content) = input.files.get(name) else {
                return Some(format!("it has no file {name}, which the input space has"));
            };
            if let Some(why) = stream(&format!("file {name}"), space, content) {
                return Some(why);
            }
        }
        let unknown = input
            .files
            .keys()
            .find(|name| !self.files.contains_key(*name));
        unknown.map(|name| format!("it has a file {name}, which the input space has not"))
    }

    fn misfit_of_environment(&self, input: &InputRecord) -> Option<String> {
        for (name, space) in &self.environment {
            let value = input.environment.get(name).map_or(&[][..], Vec::as_slice);
            let fits = match space {
                ValueSpace::Fixed(bytes) => bytes == value,
                ValueSpace::Symbolic(length) => value.len() <= *length,
            };
            if !fits {
                return Some(format!(
                    "its variable {name} is `{}`, which the input space does not have",
                    String::from_utf8_lossy(value).escape_debug()
                ));
            }
        }
        let is_known = |name: &String| self.environment.iter().any(|(known, _)| known == name);
        let unknown = input.environment.keys().find(|name| !is_known(name));
        unknown.map(|name| format!("it has a variable {name}, which the input space has not"))
    }
}

/// Whether arguments can be dealt out to the places in order.
fn fits(places: &[ArgSpace], args: &[Vec<u8>]) -> bool {
    let Some((place, places)) = places.split_first() else {
        return args.is_empty();
    };
    match place {
        ArgSpace::Fixed(bytes) => args.first() == Some(bytes) && fits(places, &args[1..]),
        ArgSpace::Symbolic { count, length } => {
            let short = args.iter().take_while(|arg| arg.len() <= *length).count();
            let most = short.min(*count.end());
            (*count.start()..=most).any(|taken| fits(places, &args[taken..]))
        }
    }
}

fn stream(name: &str, space: &StreamSpace, content: &[u8]) -> Option<String> {
    match space {
        StreamSpace::Fixed(bytes) if bytes == content => None,
        StreamSpace::Fixed(bytes) if bytes.is_empty() => Some(format!(
            "its {name} has {}, that of the input space is empty",
            counted(content.len(), "byte")
        )),
        StreamSpace::Fixed(_) => Some(format!(
            "its {name} is not the fixed one of the input space"
        )),
        StreamSpace::Symbolic(length) if length.contains(&content.len()) => None,
        StreamSpace::Symbolic(length) => Some(format!(
            "its {name} has {}, that of the input space {}",
            counted(content.len(), "byte"),
            range(length, "byte")
        )),
        StreamSpace::Lengths(lengths) if lengths.contains(&content.len()) => None,
        StreamSpace::Lengths(lengths) => Some(format!(
            "its {name} has {}, that of the input space {} bytes",
            counted(content.len(), "byte"),
            one_of(lengths)
        )),
        StreamSpace::Patterns(patterns) => {
            let has = |pattern: &Vec<Option<u8>>| {
                let mut places = pattern.iter().zip(content);
                pattern.len() == content.len()
                    && places.all(|(given, byte)| given.is_none_or(|given| given == *byte))
            };
            let fits = patterns.iter().any(has);
            (!fits).then(|| format!("its {name} is none of those of the input space"))
        }
    }
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn range(range: &RangeInclusive<usize>, what: &str) -> String {
    match range.start() == range.end() {
        true => counted(*range.end(), what),
        false => format!("{} to {}", range.start(), counted(*range.end(), what)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space() -> InputSpace {
        InputSpace {
            program_name: b"prog".to_vec(),
            args: vec![
                ArgSpace::Symbolic {
                    count: 0..=2,
                    length: 2,
                },
                ArgSpace::Fixed(b"--".to_vec()),
                ArgSpace::Symbolic {
                    count: 1..=2,
                    length: 3,
                },
            ],
            stdin: StreamSpace::Symbolic(0..=2),
            files: [("/w/a".to_owned(), StreamSpace::Symbolic(1..=1))].into(),
            environment: vec![("MODE".to_owned(), ValueSpace::Symbolic(1))],
        }
    }

    /// All inputs over a small alphabet: `misfit` and the shapes agree about each.
    #[test]
    fn an_input_fits_if_it_has_one_of_the_shapes() {
        let space = space();
        let shapes = space.shapes();
        let words: [&[u8]; 4] = [b"", b"--", b"abc", b"abcd"];
        let mut lists: Vec<Vec<Vec<u8>>> = vec![vec![]];
        for _ in 0..5 {
            let longer = lists
                .iter()
                .flat_map(|list| words.map(|word| [list.clone(), vec![word.to_vec()]].concat()));
            let longer: Vec<_> = longer.collect();
            lists.extend(longer);
            lists.sort();
            lists.dedup();
        }
        let mut fitting = 0;
        for args in lists {
            for (stdin, file, mode) in [
                ("ab", "x", "m"),
                ("abc", "x", ""),
                ("", "xy", ""),
                ("", "x", "mm"),
            ] {
                let input = InputRecord {
                    args: [vec![b"prog".to_vec()], args.clone()].concat(),
                    stdin: stdin.into(),
                    files: [("/w/a".to_owned(), file.into())].into(),
                    environment: [("MODE".to_owned(), mode.into())].into(),
                    ..InputRecord::default()
                };
                let has_shape = shapes.iter().any(|shape| input.in_shape(shape).is_some());
                assert_eq!(space.misfit(&input).is_none(), has_shape, "{input:?}");
                fitting += usize::from(has_shape);
            }
        }
        assert!(fitting > 10, "{fitting}");
    }

    #[test]
    fn the_reason_is_named() {
        let input = |args: &[&str], stdin: &str| InputRecord {
            args: args.iter().map(|arg| arg.as_bytes().to_vec()).collect(),
            stdin: stdin.into(),
            files: [("/w/a".to_owned(), b"x".to_vec())].into(),
            ..InputRecord::default()
        };
        let why = |input: &InputRecord| space().misfit(input).unwrap_or_default();
        assert_eq!(why(&input(&["p", "--", "a"], "ab")), "");
        assert_eq!(
            why(&input(&["p"], "")),
            "it has 0 arguments, the input space 2 to 5 arguments"
        );
        assert_eq!(
            why(&input(&["p", "--", "abcd"], "")),
            "its argument `abcd` has 4 bytes; the most is 3"
        );
        assert!(why(&input(&["p", "a", "b"], "")).contains("fixed ones differ"));
        assert_eq!(
            why(&input(&["p", "--", "a"], "abc")),
            "its standard input has 3 bytes, that of the input space 0 to 2 bytes"
        );
        let mut other = input(&["p", "--", "a"], "");
        other.files.clear();
        assert!(why(&other).contains("no file /w/a"));
    }
}
