//! Words that a version knows: texts and numbers that its own code holds, for inputs to be made of.
//!
//! What a program compares its input with stands in its constants: names of options and commands, keywords, limits. An input made of
//! these goes farther than one that a search puts together byte by byte. Nothing rests on them but where a search begins.
//!
//! | where it stands | what is taken |
//! |---|---|
//! | argument of `strcmp` and its relatives | the text |
//! | letters of `getopt` | `-x` for each |
//! | names in the table of `getopt_long` | `--name` |
//! | format of `scanf` and its relatives | a text that it reads |
//! | a short text without spaces, also in a table | the text |
//! | any other text, a help text above all | its options, then its other words |
//! | operand of a comparison of integers | the number; of a byte, what may stand between words |
//! | a number whose bytes are letters, as a compiler makes it of a comparison with a text | the text |
//! | size of a variable, number that a call is given | the number, as how many bytes fit |

use std::collections::BTreeSet;

use program_ir::{
    Callee, Constant, Func, Function, Global, InstData, Module, Type, Value, ValueDef,
};
use version_diff::own_changes::is_library;

use super::input_sources;

/// The longest word.
const LONGEST: usize = 16;
/// The longest text that input is compared with as a whole: nothing but this text gets behind that.
const LONGEST_COMPARED: usize = 64;
/// The most words, numbers and read texts that are kept of each kind.
const MOST: usize = 24;
/// The most words in capitals that are tried as names of variables.
const MOST_CAPITALS: usize = 3;
/// The fewest and the most of something that an input is to fill.
const SIZES: std::ops::RangeInclusive<u128> = 3..=600;
/// The longest text that is cut into words.
const LONGEST_TEXT: usize = 4096;

const COMPARERS: &[&str] = &[
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "memcmp",
    "bcmp",
    "strstr",
    "strchr",
];
/// Readers by format, with the place of the format.
const SCANNERS: &[(&str, usize)] = &[
    ("scanf", 0),
    ("fscanf", 1),
    ("sscanf", 1),
    ("__isoc99_scanf", 0),
    ("__isoc99_fscanf", 1),
    ("__isoc99_sscanf", 1),
];
/// Parsers of options; letters are their argument 2, the table of names argument 3.
const OPTION_PARSERS: &[&str] = &["getopt", "getopt_long", "getopt_long_only"];

/// How likely a word is one of the input; the likeliest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Option,
    Compared,
    Short,
    OfText,
}

/// What versions know.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct KnownWords {
    /// Options, commands, keywords: the likeliest first, and before the others those that not all versions know.
    pub(crate) words: Vec<String>,
    /// Texts that formats of `scanf` read.
    pub(crate) read: Vec<String>,
    /// Numbers that something is compared with.
    pub(crate) numbers: Vec<String>,
    /// Words in capitals that not all versions know: names of variables of the environment look like that.
    pub(crate) capitals: Vec<String>,
    /// What may stand between words: punctuation that bytes are compared with, or that is kept in a variable.
    pub(crate) separators: Vec<String>,
    /// How many of something there may be: numbers that something is compared with.
    pub(crate) limits: Vec<usize>,
    /// How many bytes fit: of variables, and numbers that calls are given.
    pub(crate) lengths: Vec<usize>,
}

impl KnownWords {
    pub(crate) fn of<'m>(modules: impl IntoIterator<Item = &'m Module>) -> KnownWords {
        let own: Vec<VersionWords> = modules.into_iter().map(VersionWords::of).collect();
        let numbers = |of: fn(&VersionWords) -> &BTreeSet<(u128, String)>| {
            let all = in_order(&own, of);
            all.iter()
                .filter_map(|number| number.parse().ok())
                .collect()
        };
        let words = in_order(&own, |found| &found.words);
        let is_new = |word: &&String| {
            let has = |version: &VersionWords| version.words.iter().any(|(_, own)| own == *word);
            !own.iter().all(has)
        };
        let is_name = |word: &&String| {
            let is_of_name = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
            word.len() > 2 && word.bytes().all(is_of_name)
        };
        let capitals = words.iter().filter(is_new).filter(is_name);
        KnownWords {
            capitals: capitals.take(MOST_CAPITALS).cloned().collect(),
            words,
            read: in_order(&own, |found| &found.read),
            numbers: in_order(&own, |found| &found.numbers),
            separators: in_order(&own, |found| &found.separators),
            limits: numbers(|found| &found.limits),
            lengths: numbers(|found| &found.lengths),
        }
    }
}

/// What all versions hold, by what only some do and by rank.
fn in_order<R: Ord + Copy>(
    versions: &[VersionWords],
    of: impl Fn(&VersionWords) -> &BTreeSet<(R, String)>,
) -> Vec<String> {
    let mut all = BTreeSet::new();
    for version in versions {
        for (rank, word) in of(version) {
            let has = |other: &VersionWords| of(other).iter().any(|(_, other)| other == word);
            all.insert((versions.iter().all(has), *rank, word));
        }
    }
    let mut words = Vec::new();
    for (_, _, word) in all {
        if words.len() < MOST && !words.contains(word) {
            words.push(word.clone());
        }
    }
    words
}

/// What one version holds.
#[derive(Default)]
struct VersionWords {
    words: BTreeSet<(Rank, String)>,
    read: BTreeSet<((), String)>,
    numbers: BTreeSet<(u128, String)>,
    separators: BTreeSet<((), String)>,
    limits: BTreeSet<(u128, String)>,
    lengths: BTreeSet<(u128, String)>,
}

impl VersionWords {
    fn of(module: &Module) -> VersionWords {
        let mut found = VersionWords::default();
        let mut tables = BTreeSet::new();
        for (func, function) in module.functions.iter() {
            if function.is_declaration() || is_library(module, func) || is_of_rust(module, func) {
                continue;
            }
            for node in function.insts.values() {
                found.instruction(module, function, &node.data, &mut tables);
            }
        }
        for global in tables {
            for text in texts_of_table(module, global) {
                found.text(&text);
            }
        }
        found
    }

    fn instruction(
        &mut self,
        module: &Module,
        function: &Function,
        data: &InstData,
        tables: &mut BTreeSet<Global>,
    ) {
        if let Some(call) = data.call()
            && let Callee::Direct(callee) = call.callee
        {
            self.call(module, function, callee, &call.args);
            for &value in &call.args {
                if let ValueDef::Constant(Constant::Bits(bits)) = function.values[value].def {
                    self.length(bits);
                }
            }
        }
        match data {
            InstData::IntCompare { args, .. } => {
                for &value in args {
                    self.number(function, value);
                    self.byte(function, value);
                    self.letters(function, value);
                }
            }
            InstData::Binary { args, .. } => {
                for &value in args {
                    self.letters(function, value);
                }
            }
            InstData::Store { value, .. } => self.byte(function, *value),
            InstData::Switch { arg, cases, .. } => {
                let width = function.values[*arg].ty;
                for (case, _) in cases {
                    self.byte_of(*case, width);
                }
            }
            InstData::Alloca {
                count,
                element_size,
                ..
            } => {
                if let ValueDef::Constant(Constant::Bits(count)) = function.values[*count].def {
                    self.length(count * u128::from(*element_size));
                }
            }
            _ => {}
        }
        data.for_each_operand(|value| {
            if let Some((global, offset)) = place(function, value) {
                tables.insert(global);
                if let Some(text) = text_at(module, global, offset) {
                    self.text(&text);
                }
            }
        });
    }

    fn call(&mut self, module: &Module, function: &Function, callee: Func, args: &[Value]) {
        let name = module.functions[callee].name.as_str();
        let text = |number: usize| {
            let (global, offset) = place(function, *args.get(number)?)?;
            text_at(module, global, offset)
        };
        if COMPARERS.contains(&name) {
            for text in (0..2).filter_map(text) {
                self.word(Rank::Compared, &text);
            }
        } else if OPTION_PARSERS.contains(&name) {
            let letters = text(2).unwrap_or_default();
            for letter in letters.chars().filter(char::is_ascii_alphanumeric) {
                self.word(Rank::Option, &format!("-{letter}"));
            }
            let table = args.get(3).and_then(|&table| place(function, table));
            for name in table.map_or_else(Vec::new, |(table, _)| texts_of_table(module, table)) {
                self.word(Rank::Option, &format!("--{name}"));
            }
        } else if let Some((_, format)) = SCANNERS.iter().find(|(scanner, _)| *scanner == name) {
            let read = text(*format).map(|format| read_by(&format));
            let read = read.into_iter().flatten();
            let read = read.filter(|read| !read.is_empty() && read.len() <= LONGEST);
            self.read.extend(read.map(|read| ((), read)));
        }
    }

    fn word(&mut self, rank: Rank, word: &str) {
        let is_plain = |byte: u8| byte.is_ascii_graphic();
        let longest = match rank {
            Rank::Option | Rank::Compared => LONGEST_COMPARED,
            Rank::Short | Rank::OfText => LONGEST,
        };
        if !word.is_empty() && word.len() <= longest && word.bytes().all(is_plain) {
            self.words.insert((rank, word.to_owned()));
        }
    }

    /// A text of which nothing else is known.
    fn text(&mut self, text: &str) {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-_+.:/=".contains(&byte);
        if text.bytes().all(is_word) {
            return self.word(Rank::Short, text);
        }
        for word in text.split(|letter: char| !letter.is_ascii() || !is_word(letter as u8)) {
            let word = word.trim_matches(['.', ':', '/', '=']);
            let is_option = word.len() > 1 && word.starts_with('-');
            let is_name = word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
            match (is_option, is_name) {
                (true, _) => self.word(Rank::Option, word),
                (_, true) => self.word(Rank::OfText, word),
                _ => {}
            }
        }
    }

    fn number(&mut self, function: &Function, value: Value) {
        let data = &function.values[value];
        let (ValueDef::Constant(Constant::Bits(bits)), Type::Int(width)) = (&data.def, data.ty)
        else {
            return;
        };
        // Characters and error codes are not what a number in a text is compared with.
        if width >= 16 && (2..1 << 31).contains(bits) {
            if SIZES.contains(bits) {
                self.limits.insert((*bits, bits.to_string()));
            }
            for number in [*bits, *bits + 1] {
                self.numbers.insert((number, number.to_string()));
            }
        }
    }

    fn length(&mut self, length: u128) {
        // Numbers and pointers are no texts.
        if SIZES.contains(&length) && length != 4 && length != 8 {
            self.lengths.insert((length, length.to_string()));
        }
    }

    /// What may stand between words.
    fn byte(&mut self, function: &Function, value: Value) {
        let data = &function.values[value];
        if let ValueDef::Constant(Constant::Bits(bits)) = data.def {
            self.byte_of(bits, data.ty);
        }
    }

    fn byte_of(&mut self, bits: u128, ty: Type) {
        if let (Ok(byte), Type::Int(8 | 32)) = (u8::try_from(bits), ty)
            && byte.is_ascii_punctuation()
        {
            self.separators.insert(((), char::from(byte).to_string()));
        }
    }

    /// A text that is compared as a number. Of a longer one each end is compared, and the two may overlap.
    fn letters(&mut self, function: &Function, value: Value) {
        let data = &function.values[value];
        let (ValueDef::Constant(Constant::Bits(bits)), Type::Int(width @ (16 | 24 | 32 | 64))) =
            (&data.def, data.ty)
        else {
            return;
        };
        let bytes = &bits.to_le_bytes()[..width as usize / 8];
        let is_letter = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'-';
        if bytes.iter().all(is_letter)
            && let Ok(text) = std::str::from_utf8(bytes)
        {
            self.word(Rank::Short, text);
        }
    }
}

/// Whether a function is of Rust's own library, which knows words of debug information and of its own files.
fn is_of_rust(module: &Module, func: Func) -> bool {
    let scope = module.functions[func].scope;
    scope.is_some_and(|scope| {
        let file = &module.source.files[module.source.scopes[scope].file].name;
        let places = ["library/", "/rustc/", "/rust/deps/"];
        places.iter().any(|place| file.starts_with(place))
    })
}

/// The global that a constant points into, and where.
fn place(function: &Function, value: Value) -> Option<(Global, i64)> {
    match function.values[value].def {
        ValueDef::Constant(Constant::GlobalAddress { global, offset }) => Some((global, offset)),
        _ => None,
    }
}

/// The text that a constant points to.
fn text_at(module: &Module, global: Global, offset: i64) -> Option<String> {
    let text = input_sources::text_at(module, global, offset);
    text.filter(|text| module.globals[global].constant && text.len() <= LONGEST_TEXT)
        .or_else(|| pieces_at(module, global, offset))
}

/// The readable pieces of a constant that is no text as a whole, as rustc makes one of a format.
fn pieces_at(module: &Module, global: Global, offset: i64) -> Option<String> {
    let global = &module.globals[global];
    let bytes = global
        .initialiser
        .bytes
        .get(usize::try_from(offset).ok()?..)?;
    if !global.constant || bytes.len() > LONGEST_TEXT || !global.initialiser.relocations.is_empty()
    {
        return None;
    }
    let is_readable = |byte: &u8| byte.is_ascii_graphic() || b" \n\t".contains(byte);
    let pieces = bytes.split(|byte| !is_readable(byte));
    let pieces = pieces.filter(|piece| piece.len() > 2);
    let pieces: Vec<&str> = pieces
        .filter_map(|piece| std::str::from_utf8(piece).ok())
        .collect();
    (!pieces.is_empty()).then(|| pieces.join(" "))
}

/// The texts that a table points to.
fn texts_of_table(module: &Module, table: Global) -> Vec<String> {
    let relocations = module.globals[table].initialiser.relocations.iter();
    let texts = relocations.filter_map(|relocation| match relocation.constant {
        Constant::GlobalAddress { global, offset } => text_at(module, global, offset),
        _ => None,
    });
    texts.collect()
}

/// Short texts that a format of `scanf` reads: with one letter for each conversion, and with as many as its width says.
fn read_by(format: &str) -> [String; 2] {
    let mut texts = [String::new(), String::new()];
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            texts.iter_mut().for_each(|text| text.push(letter));
            continue;
        }
        let (mut width, mut is_set) = (0, false);
        for kind in letters.by_ref() {
            let value = match kind {
                _ if is_set && kind != ']' => continue,
                '0'..='9' => {
                    width = (width * 10 + kind as usize - '0' as usize).min(LONGEST);
                    continue;
                }
                '[' => {
                    is_set = true;
                    continue;
                }
                'd' | 'i' | 'u' | 'x' | 'o' | 'f' | 'g' | 'e' => "1",
                's' | 'c' | ']' => "a",
                '%' => "%",
                'n' => "",
                _ => continue,
            };
            texts[0] += value;
            texts[1] += &value.repeat(width.max(1));
            break;
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_turned_into_a_text_that_it_reads() {
        for (format, text) in [
            ("%d-%d-%d", ["1-1-1", "1-1-1"]),
            ("%4d/%2d%n", ["1/1", "1111/11"]),
            ("%2s %ld", ["a 1", "aa 1"]),
            ("%3[^=]=%lf", ["a=1", "aaa=1"]),
            ("%%%c", ["%a", "%a"]),
        ] {
            assert_eq!(read_by(format), text, "{format}");
        }
    }

    #[test]
    fn texts_are_cut_into_options_and_words() {
        let mut found = VersionWords::default();
        found.text("usage: dates [-v] [--iso] weekday DATE | between DATE DATE\n");
        found.text("add");
        found.text("a,b");
        let words: Vec<&str> = found.words.iter().map(|(_, word)| word.as_str()).collect();
        assert_eq!(
            words,
            ["--iso", "-v", "add", "between", "dates", "usage", "weekday"]
        );
    }

    #[test]
    fn what_only_one_version_knows_comes_first() {
        let version = |words: &[(Rank, &str)]| VersionWords {
            words: words
                .iter()
                .map(|(rank, word)| (*rank, (*word).to_owned()))
                .collect(),
            ..VersionWords::default()
        };
        let versions = [
            version(&[(Rank::Option, "-a"), (Rank::Short, "add")]),
            version(&[
                (Rank::Option, "-a"),
                (Rank::Short, "add"),
                (Rank::OfText, "remove"),
            ]),
        ];
        let words = in_order(&versions, |found| &found.words);
        assert_eq!(words, ["remove", "-a", "add"]);
    }
}
