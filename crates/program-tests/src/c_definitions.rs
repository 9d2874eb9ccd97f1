//! Cuts single definitions out of a C file: functions, variables, types and macros.
//!
//! The file is not preprocessed, so that what is cut is what its authors wrote. It is taken apart at the top level by
//! brackets, semicolons and directives; names that stand for nothing C knows (`ZEXPORT`, `_GL_ATTRIBUTE_PURE`) do not
//! matter, and parameters may be declared between the head and the body of a function. Of several definitions, as in
//! the branches of an `#if`, each can be asked for.

use std::ops::Range;

/// Where the definition of `name` is that has this number, from 1.
pub fn definition(text: &str, name: &str, number: usize) -> Option<Range<usize>> {
    let mut found = pieces(text)
        .into_iter()
        .filter(|piece| piece.defines(text, name));
    found.nth(number.checked_sub(1)?).map(|piece| piece.range)
}

/// Something between two ends at the top level.
struct Piece {
    range: Range<usize>,
    /// Its tokens outside all brackets, and the opening brackets.
    tokens: Vec<Range<usize>>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Directive,
    Function,
    Other,
}

impl Piece {
    fn defines(&self, text: &str, name: &str) -> bool {
        let token = |index: usize| self.tokens.get(index).map(|range| &text[range.clone()]);
        match self.kind {
            Kind::Directive => token(1) == Some("define") && token(2) == Some(name),
            Kind::Function => (0..self.tokens.len())
                .any(|at| token(at) == Some(name) && token(at + 1) == Some("(")),
            // Before an initial value. With brackets there it is a prototype, whatever macro its parameters are in.
            Kind::Other => {
                let mut head =
                    (0..self.tokens.len()).map_while(|at| token(at).filter(|&it| it != "="));
                !head.clone().any(|it| it == "(") && head.any(|it| it == name)
            }
        }
    }
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut tokens: Vec<Range<usize>> = Vec::new();
    let mut depth = 0_usize;
    // How deep each `#if` began: its branches may open the same bracket, which one of them closes.
    let mut branches = Vec::new();
    for token in tokens_of(text) {
        let word = &text[token.clone()];
        if word.starts_with('#') {
            let words = words(text, token.clone());
            match words.get(1).map(|range| &text[range.clone()]) {
                Some("if" | "ifdef" | "ifndef") => branches.push(depth),
                Some("else" | "elif") => depth = branches.last().copied().unwrap_or(depth),
                Some("endif") => drop(branches.pop()),
                _ => {}
            }
            if depth == 0 {
                tokens.clear();
                pieces.push(Piece {
                    tokens: words,
                    range: token,
                    kind: Kind::Directive,
                });
            }
            continue;
        }
        if matches!(word, ")" | "]" | "}") {
            depth = depth.saturating_sub(1);
        }
        if depth == 0 {
            tokens.push(token.clone());
        }
        if matches!(word, "(" | "[" | "{") {
            depth += 1;
        }
        if depth > 0 {
            continue;
        }
        let kind = match word {
            "}" if is_body(text, &tokens) => Kind::Function,
            ";" if !declares_parameters(text, &tokens) => Kind::Other,
            _ => continue,
        };
        pieces.push(Piece {
            range: tokens[0].start..token.end,
            tokens: std::mem::take(&mut tokens),
            kind,
        });
    }
    pieces
}

/// Whether the braces that end here follow a function's head, or parameters that were declared after it.
fn is_body(text: &str, tokens: &[Range<usize>]) -> bool {
    let before = tokens.len().checked_sub(3);
    before.is_some_and(|before| matches!(&text[tokens[before].clone()], ")" | ";"))
}

/// Whether this semicolon ends a parameter's declaration between a function's head and its body: there are two
/// words at least behind the head. (Behind a prototype there may be one, such as an attribute.)
fn declares_parameters(text: &str, tokens: &[Range<usize>]) -> bool {
    let word = |range: &Range<usize>| &text[range.clone()];
    let Some(close) = tokens.iter().position(|range| word(range) == ")") else {
        return false;
    };
    let is_name = |range: &&Range<usize>| word(range).starts_with(|c: char| is_word(c as u32));
    let has_value = tokens.iter().any(|range| word(range) == "=");
    !has_value && tokens[close..].iter().filter(is_name).count() >= 2
}

fn is_word(c: u32) -> bool {
    char::from_u32(c).is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The tokens inside a directive, and of its brackets the opening ones at least.
fn words(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let (start, bytes) = (range.start, &text.as_bytes()[range]);
    let mut words = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let from = at;
        at = end_of_word(bytes, at).max(from + 1);
        if !bytes[from].is_ascii_whitespace() {
            words.push(start + from..start + at);
        }
    }
    words
}

fn end_of_word(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && is_word(bytes[at].into()) {
        at += 1;
    }
    at
}

/// All tokens: words, literals, single characters of punctuation, and whole directives. Comments are none.
fn tokens_of(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut line_begins = true;
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'\n' => {
                line_begins = true;
                at += 1;
                continue;
            }
            c if c.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if matches!(bytes.get(at + 1), Some(b'*' | b'/')) => {
                at = end_of_comment(bytes, at);
                continue;
            }
            b'#' if line_begins => at = end_of_directive(bytes, at),
            b'"' | b'\'' => at = end_of_literal(bytes, at),
            c if is_word(c.into()) => at = end_of_word(bytes, at),
            _ => at += text[at..].chars().next().map_or(1, char::len_utf8),
        }
        line_begins = false;
        tokens.push(start..at);
    }
    tokens
}

fn end_of_comment(bytes: &[u8], start: usize) -> usize {
    let end: &[u8] = match bytes[start + 1] {
        b'*' => b"*/",
        _ => b"\n",
    };
    let rest = &bytes[start + 2..];
    let place = rest.windows(end.len()).position(|window| window == end);
    match (place, end.len()) {
        (None, _) => bytes.len(),
        (Some(place), 2) => start + 2 + place + 2,
        // The end of the line matters to what follows.
        (Some(place), _) => start + 2 + place,
    }
}

fn end_of_directive(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'\n' {
        at = match bytes[at] {
            b'\\' => at + 2,
            b'/' if bytes.get(at + 1) == Some(&b'*') => end_of_comment(bytes, at),
            b'"' => end_of_literal(bytes, at),
            _ => at + 1,
        };
    }
    at.min(bytes.len())
}

fn end_of_literal(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::definition;

    const FILE: &str = r#"
/* int f(void) { return 0; } */
#include "x.h"
#define LIMIT 4 /* of
                   all */
#define TWICE(x) \
    ((x) + (x))
extern int f(int a) PURE;
local int g OF((int a));
static const char brace[] = { '{', '"' }, *text = "} f(1) {";
struct pair { int first; struct pair *next; };
typedef struct { int g; } other;
/* counts */
static int
f (int a) // no } here
{
#ifdef X
    if (a) {
#else
    if (!a) {
#endif
        return LIMIT;
    }
    return g(a) + '}';
}

int ZEXPORT g(a, b)
    int a;     /* { */
    char *b;
{
    return a;
}
int h;
#if 0
int h2(void) { return f(1); }
#else
int h2(void) { return f(2); }
#endif
"#;

    fn cut(name: &str, number: usize) -> Option<&'static str> {
        definition(FILE, name, number).map(|range| &FILE[range])
    }

    #[test]
    fn functions_are_cut_whole() {
        let f = cut("f", 1).unwrap();
        assert!(f.starts_with("static int\nf (int a)"), "{f}");
        assert!(f.ends_with("'}';\n}"), "{f}");
        let g = cut("g", 1).unwrap();
        assert!(g.starts_with("int ZEXPORT g(a, b)"), "{g}");
        assert!(g.ends_with("return a;\n}"), "{g}");
        assert_eq!(cut("f", 2), None);
        assert_eq!(cut("g", 2), None);
    }

    #[test]
    fn macros_variables_and_types_are_cut_too() {
        assert!(cut("LIMIT", 1).unwrap().ends_with("all */"));
        assert!(cut("TWICE", 1).unwrap().ends_with("((x) + (x))"));
        assert!(cut("brace", 1).unwrap().ends_with("f(1) {\";"));
        assert!(cut("pair", 1).unwrap().starts_with("struct pair {"));
        assert!(cut("other", 1).unwrap().ends_with("} other;"));
        assert_eq!(cut("h", 1), Some("int h;"));
        assert_eq!(cut("first", 1), None);
    }

    #[test]
    fn alternatives_are_numbered() {
        assert_eq!(cut("h2", 1), Some("int h2(void) { return f(1); }"));
        assert_eq!(cut("h2", 2), Some("int h2(void) { return f(2); }"));
        assert_eq!(cut("h2", 3), None);
        assert_eq!(cut("h2", 0), None);
    }
}
