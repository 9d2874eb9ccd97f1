//! Inputs beside those within the bounds: with a file or a variable that versions asked for, or with words that they know as whole arguments.
//!
//! None of them is wider than the bounds, since no input within these is among them: with a file, no input is the same as without it. Each grows by
//! itself, small sizes first, and is proved besides.

use exploration::input::{ArgSpace, StreamSpace, ValueSpace};
use exploration::{InputRecord, InputSpace};

use crate::growing_bounds::{Grown, Reads};

/// The most bytes of a file, of a variable, and of each argument beside words that are given, in the order in which they are tried.
const FILE: &[usize] = &[1, 2, 3, 4, 5, 6, 8, 12, 16, 24];
const VARIABLE: &[usize] = &[1, 2, 4, 8];
const FREE_ARGUMENT: &[usize] = &[1, 3, 5, 6, 8, 10, 12];
const FREE_PIECE: &[usize] = &[1, 2, 3, 4, 5, 6, 8];
/// The most free pieces of a stream.
const MOST_PIECES: usize = 3;
/// The longest stream that is gone around.
const LONGEST_STREAM: usize = 64;

/// What is there besides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// A file of the working folder.
    File { name: String, path: String },
    /// A variable of the environment.
    Variable(String),
    /// Arguments: words, and what is free between them.
    Words(Vec<Option<Vec<u8>>>),
    /// Standard input: words, and what is free (`None`) between them; with these arguments.
    Stream {
        arguments: Vec<Vec<u8>>,
        pieces: Vec<Option<Vec<u8>>>,
    },
}

/// One such way to go beside the bounds.
pub(super) struct Aside {
    pub(super) what: What,
    /// The bounds of everything else.
    within: Grown,
    /// The size that is tried next.
    step: usize,
    given_up: bool,
    /// Sizes one after the other that executed no new code.
    without_news: u32,
    /// The place of what is proved among the words for it.
    pub(super) proved: Option<usize>,
}

impl Aside {
    pub(super) fn new(what: What, within: Grown) -> Aside {
        Aside {
            what,
            within,
            step: 0,
            given_up: false,
            without_news: 0,
            proved: None,
        }
    }

    /// Whether versions asked for it.
    pub(super) fn is_asked_for(&self) -> bool {
        matches!(self.what, What::File { .. } | What::Variable(_))
    }

    pub(super) fn step(&self) -> usize {
        self.step
    }

    fn sizes(&self) -> &'static [usize] {
        match self.what {
            What::File { .. } => FILE,
            What::Variable(_) => VARIABLE,
            What::Words(_) => FREE_ARGUMENT,
            What::Stream { .. } => FREE_PIECE,
        }
    }

    /// Whether something is left to be tried, and worth it.
    pub(super) fn is_open(&self, most_without_news: u32) -> bool {
        !self.given_up && self.without_news < most_without_news && self.step < self.sizes().len()
    }

    /// What the next round is about, and in words.
    pub(super) fn next(&self, first: &InputSpace, reads: Reads) -> Option<(InputSpace, String)> {
        let size = *self.sizes().get(self.step)?;
        let mut space = match self.within.space(first, reads) {
            Some(space) => space,
            None => first.clone(),
        };
        if !reads.arguments {
            space.args.clear();
        }
        if !reads.stdin {
            space.stdin = StreamSpace::default();
        }
        let bytes = match size {
            1 => "1 byte".to_owned(),
            more => format!("{more} bytes"),
        };
        let words = match &self.what {
            What::File { name, path } => {
                let within = space.bounds().join(", ");
                space
                    .files
                    .insert(path.clone(), StreamSpace::Symbolic(0..=size));
                format!("a file `{name}` of up to {bytes} ({within})")
            }
            What::Variable(name) => {
                let within = space.bounds().join(", ");
                let value = ValueSpace::Symbolic(size);
                space.environment.push((name.clone(), value));
                format!("a variable `{name}` of up to {bytes} in the environment ({within})")
            }
            What::Words(arguments) => {
                space.args = with_words(arguments, size);
                let shown = arguments.iter().map(|argument| match argument {
                    Some(word) => String::from_utf8_lossy(word).into_owned(),
                    None => "…".to_owned(),
                });
                let shown: Vec<String> = shown.collect();
                let (_, others) = space
                    .bounds()
                    .into_iter()
                    .partition::<Vec<_>, _>(|bound| bound.contains("argument"));
                let others = others.join(", ");
                format!(
                    "arguments `{}`, each `…` of up to {bytes} ({others})",
                    shown.join(" ")
                )
            }
            What::Stream { arguments, pieces } => {
                let fixed = arguments.iter().cloned().map(ArgSpace::Fixed);
                space.args = fixed.collect();
                space.stdin = StreamSpace::Patterns(patterns(pieces, size));
                let shown = pieces.iter().map(|piece| match piece {
                    Some(word) => word.escape_ascii().to_string(),
                    None => "…".to_owned(),
                });
                let shown: String = shown.collect();
                let arguments = arguments.iter().map(|argument| {
                    format!(" '{}'", String::from_utf8_lossy(argument).escape_debug())
                });
                let arguments: String = arguments.collect();
                let with = match arguments.is_empty() {
                    true => " (no arguments)".to_owned(),
                    false => format!(" (arguments{arguments})"),
                };
                format!("standard input `{shown}`, all `…` together of up to {bytes}{with}")
            }
        };
        space.check().is_ok().then_some((space, words))
    }

    /// What became of the round.
    pub(super) fn went(&mut self, is_proved: bool, is_news: bool) {
        self.step += 1;
        self.given_up |= !is_proved;
        match is_news {
            true => self.without_news = 0,
            false => self.without_news += 1,
        }
    }
}

/// The arguments of a space where free ones have so many bytes. The last free ones may be missing, as long as no word follows.
fn with_words(arguments: &[Option<Vec<u8>>], length: usize) -> Vec<ArgSpace> {
    let mut made: Vec<ArgSpace> = Vec::new();
    for (number, argument) in arguments.iter().enumerate() {
        let is_behind_all = arguments[number..].iter().all(Option::is_none);
        match argument {
            Some(word) => made.push(ArgSpace::Fixed(word.clone())),
            None if is_behind_all => {
                let count = 0..=arguments.len() - number;
                made.push(ArgSpace::Symbolic { count, length });
                break;
            }
            None => made.push(ArgSpace::Symbolic {
                count: 1..=1,
                length,
            }),
        }
    }
    made
}

/// A stream of pieces for each way to share out up to so many bytes among the free ones.
fn patterns(pieces: &[Option<Vec<u8>>], bytes: usize) -> Vec<Vec<Option<u8>>> {
    let mut made: Vec<(usize, Vec<Option<u8>>)> = vec![(0, Vec::new())];
    for piece in pieces {
        made = match piece {
            Some(word) => {
                for (_, stream) in &mut made {
                    stream.extend(word.iter().copied().map(Some));
                }
                made
            }
            None => {
                let longer = made.iter().flat_map(|(used, stream)| {
                    (0..=bytes - *used).map(move |more| {
                        let mut stream = stream.clone();
                        stream.extend(std::iter::repeat_n(None, more));
                        (*used + more, stream)
                    })
                });
                longer.collect()
            }
        };
    }
    let mut made: Vec<Vec<Option<u8>>> = made.into_iter().map(|(_, stream)| stream).collect();
    made.sort();
    made.dedup();
    made
}

/// The words in the standard input of an input, if there are some and something is free: what to go around.
pub(super) fn around_in_stream(input: &InputRecord, words: &[String]) -> Option<What> {
    let stream = &input.stdin;
    if stream.len() > LONGEST_STREAM {
        return None;
    }
    let mut pieces: Vec<Option<Vec<u8>>> = Vec::new();
    let mut rest = &stream[..];
    while !rest.is_empty() {
        let is_gap = |byte: &u8| byte.is_ascii_whitespace();
        let length = match is_gap(&rest[0]) {
            true => rest.iter().take_while(|byte| is_gap(byte)).count(),
            false => rest.iter().take_while(|byte| !is_gap(byte)).count(),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        let is_word = words.iter().any(|word| word.as_bytes() == token);
        let is_gap = is_gap(&token[0]);
        // A gap belongs to the word before it; what is free takes in gaps between free tokens, but for the ends of lines.
        match pieces.last_mut() {
            Some(Some(last)) if is_word || is_gap => last.extend_from_slice(token),
            Some(None) if is_gap && !token.contains(&b'\n') => {}
            Some(None) if !is_word && !is_gap => {}
            _ => pieces.push((is_word || is_gap).then(|| token.to_vec())),
        }
    }
    let free = pieces.iter().filter(|piece| piece.is_none()).count();
    let has_words = pieces
        .iter()
        .flatten()
        .any(|piece| piece.iter().any(|byte| !byte.is_ascii_whitespace()));
    (has_words && (1..=MOST_PIECES).contains(&free)).then(|| What::Stream {
        arguments: input.args.iter().skip(1).cloned().collect(),
        pieces,
    })
}

/// The words among the arguments of an input, if there are some and something is free: what to go around.
pub(super) fn around(input: &InputRecord, words: &[String]) -> Option<What> {
    let is_word = |argument: &Vec<u8>| words.iter().any(|word| word.as_bytes() == argument);
    let own = input.args.iter().skip(1);
    let arguments: Vec<Option<Vec<u8>>> = own
        .map(|argument| is_word(argument).then(|| argument.clone()))
        .collect();
    let free = arguments
        .iter()
        .filter(|argument| argument.is_none())
        .count();
    (free > 0 && free < arguments.len()).then_some(What::Words(arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_stream_stay() {
        let input = InputRecord {
            args: vec![b"p".to_vec()],
            stdin: b"add a 1\ntake b\n".to_vec(),
            ..InputRecord::default()
        };
        let words = ["add", "take"].map(str::to_owned);
        let Some(What::Stream { pieces, .. }) = around_in_stream(&input, &words) else {
            panic!("there are words");
        };
        let word = |word: &str| Some(word.as_bytes().to_vec());
        let expected = [word("add "), None, word("\ntake "), None, word("\n")];
        assert_eq!(pieces, expected);
        assert_eq!(around_in_stream(&input, &[]), None);
    }

    /// Each stream once, and with more bytes all of those with fewer.
    #[test]
    fn free_bytes_are_shared_out_in_all_ways() {
        let pieces = [None, Some(b"x".to_vec()), None];
        let lengths = |bytes: usize| patterns(&pieces, bytes);
        assert_eq!(lengths(1).len(), 3);
        assert_eq!(lengths(2).len(), 6);
        assert!(lengths(1).iter().all(|stream| lengths(2).contains(stream)));
    }

    #[test]
    fn words_stay_and_the_rest_is_free() {
        let input = InputRecord {
            args: [&b"p"[..], b"bump", b"minor", b"1.2.3"]
                .map(<[u8]>::to_vec)
                .into(),
            ..InputRecord::default()
        };
        let words = ["bump", "minor"].map(str::to_owned);
        let Some(What::Words(arguments)) = around(&input, &words) else {
            panic!("there are words");
        };
        let made = with_words(&arguments, 4);
        let fixed = |word: &str| ArgSpace::Fixed(word.as_bytes().to_vec());
        let free = ArgSpace::Symbolic {
            count: 0..=1,
            length: 4,
        };
        assert_eq!(made, [fixed("bump"), fixed("minor"), free]);
        let all = ["bump", "minor", "1.2.3"].map(str::to_owned);
        assert_eq!(around(&input, &all), None);
        assert_eq!(around(&input, &[]), None);
    }
}
