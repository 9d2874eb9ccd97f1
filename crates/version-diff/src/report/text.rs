//! Source text of C or Rust as lines of tokens, without comments and white space.
//!
//! Good enough to recognise equal lines and to find names; not a parser. A token that runs
//! over several lines (a raw string) belongs to its first line.

/// The tokens of each line.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    lines: Vec<Vec<String>>,
}

impl Text {
    pub(super) fn of(text: &str) -> Self {
        let mut lines: Vec<Vec<String>> = vec![Vec::new()];
        let mut line = 0;
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '\n' => {
                    line += 1;
                    lines.push(Vec::new());
                    1
                }
                _ if first.is_whitespace() => first.len_utf8(),
                _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
                _ if rest.starts_with("/*") => {
                    let length = rest.find("*/").map_or(rest.len(), |at| at + 2);
                    for _ in rest[..length].matches('\n') {
                        line += 1;
                        lines.push(Vec::new());
                    }
                    length
                }
                _ => {
                    let length = token(rest, first);
                    lines[line].push(rest[..length].to_owned());
                    for _ in rest[..length].matches('\n') {
                        line += 1;
                        lines.push(Vec::new());
                    }
                    length
                }
            };
            rest = &rest[length..];
        }
        Text { lines }
    }

    /// Counted from 1; nothing beyond the end.
    pub(super) fn line(&self, number: u32) -> &[String] {
        let index = (number as usize).checked_sub(1);
        let line = index.and_then(|index| self.lines.get(index));
        line.map_or(&[], Vec::as_slice)
    }

    /// The lines of the definition whose name stands on line `first`: from where its
    /// header begins to the brace that closes the body.
    pub(super) fn body(&self, first: u32) -> std::ops::RangeInclusive<u32> {
        let mut start = first.max(1);
        while start > 1 {
            let above = self.line(start - 1);
            let ends = matches!(
                above.last().map(String::as_str),
                None | Some(";" | "}" | "{" | ")")
            );
            if ends || above[0] == "#" {
                break;
            }
            start -= 1;
        }
        if let Some(end) = self.made_by_macro(start) {
            return start..=end;
        }
        let mut depth = 0;
        for number in start..=self.lines.len() as u32 {
            for token in self.line(number) {
                match token.as_str() {
                    "{" => depth += 1,
                    "}" => depth -= 1,
                    _ => continue,
                }
                if depth <= 0 {
                    return start..=number;
                }
            }
        }
        start..=self.lines.len() as u32
    }

    /// Where the parentheses close if what follows them begins something else: the
    /// definition is the use of a macro.
    fn made_by_macro(&self, start: u32) -> Option<u32> {
        let mut depth = 0;
        for number in start..=self.lines.len() as u32 {
            for (at, token) in self.line(number).iter().enumerate() {
                match token.as_str() {
                    "{" => return None,
                    "(" => depth += 1,
                    ")" => depth -= 1,
                    _ => continue,
                }
                if depth == 0 {
                    let mut after = number + 1..=self.lines.len() as u32;
                    let next = after.find_map(|line| self.line(line).first());
                    let continues = next.is_some_and(|next| {
                        matches!(next.as_str(), "{" | "->" | "where" | "(" | "__attribute__")
                    });
                    let is_last = at + 1 == self.line(number).len();
                    return (is_last && !continues).then_some(number);
                }
            }
        }
        None
    }

    /// The lines of the declaration that begins on line `first`: up to its semicolon.
    pub(super) fn declaration(&self, first: u32) -> std::ops::RangeInclusive<u32> {
        let mut depth = 0;
        for number in first.max(1)..=self.lines.len() as u32 {
            for token in self.line(number) {
                match token.as_str() {
                    "{" | "(" | "[" => depth += 1,
                    "}" | ")" | "]" => depth -= 1,
                    ";" if depth == 0 => return first..=number,
                    _ => {}
                }
            }
        }
        first..=first
    }

    /// All lines with their numbers.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (u32, &[String])> {
        let lines = self.lines.iter().enumerate();
        lines.map(|(index, tokens)| (index as u32 + 1, tokens.as_slice()))
    }
}

pub(super) fn is_name(token: &str) -> bool {
    let first = token.chars().next();
    first.is_some_and(|first| first.is_alphabetic() || first == '_')
}

/// The length of the token at the start of `text`.
fn token(text: &str, first: char) -> usize {
    let bytes = text.as_bytes();
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    if is_word(first) {
        let is_number = first.is_ascii_digit();
        let mut before = ' ';
        for (at, character) in text.char_indices() {
            let inside = is_word(character)
                || (is_number && character == '.' && !text[at..].starts_with(".."))
                || (is_number
                    && matches!(character, '+' | '-')
                    && matches!(before, 'e' | 'E' | 'p' | 'P')
                    && !text.starts_with("0x"));
            if !inside {
                return at;
            }
            before = character;
        }
        return text.len();
    }
    if first == '"' {
        return quoted(bytes, b'"');
    }
    if first == '\'' {
        // A lifetime of Rust has no closing quote.
        let end = quoted(bytes, b'\'');
        let is_character = end <= 12 && !text[..end].contains('\n') && bytes[end - 1] == b'\'';
        return if is_character { end } else { 1 };
    }
    const LONG: [&str; 27] = [
        "...", "<<=", ">>=", "..=", "->", "=>", "::", "++", "--", "<<", ">>", "<=", ">=", "==",
        "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##", "..",
    ];
    let long = LONG.iter().find(|long| text.starts_with(**long));
    long.map_or(first.len_utf8(), |long| long.len())
}

fn quoted(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn comments_and_spaces_are_left_out() {
        let text = Text::of("int  f(int a /* one\n two */)\n{ // here\n  return a<<=0x1F;\n}\n");
        let lines: Vec<String> = (1..=5).map(|line| text.line(line).join(" ")).collect();
        assert_eq!(
            lines,
            ["int f ( int a", ")", "{", "return a <<= 0x1F ;", "}"]
        );
        assert_eq!(text.body(1), 1..=5);
    }

    #[test]
    fn strings_characters_and_lifetimes() {
        let text = Text::of("f(\"a // b\", 'c', '\\'', &'a str, 1.5e-3, 0..9)");
        let expected = "f ( \"a // b\" , 'c' , '\\'' , & ' a str , 1.5e-3 , 0 .. 9 )";
        assert_eq!(text.line(1).join(" "), expected);
    }

    #[test]
    fn a_header_over_several_lines() {
        let text = Text::of(
            "int x;\n\nstatic int\nadd(int a,\n    int b)\n{\n  if (a) {\n  }\n}\nint y;\n",
        );
        assert_eq!(text.body(4), 3..=9);
        let text = Text::of("GETTER(one, 1)\nGETTER(two, 2)\n\nstruct s { int a; };\n");
        assert_eq!(text.body(2), 2..=2);
    }
}
