//! Why code differs where its text does not: definitions elsewhere in the text that it
//! depends on. Macros, typedefs, enumeration constants, structs and unions, and Rust's
//! constants are found by their look, in the file and in what it includes.
//!
//! The compiler is not asked. Of a name with several definitions (under `#if`) any
//! difference counts, and definitions on the command line are not seen; what is said is
//! then less, and never the reason why something is or is not a change.

use super::text::{Text, is_name};
use std::collections::{BTreeMap, BTreeSet};

/// A definition longer than this is not repeated.
const LONGEST_SHOWN: usize = 40;

/// A file's name, as the user gave it, and its text.
pub(super) type Named = (String, Text);

#[derive(Clone, PartialEq, Eq, Debug)]
struct Definition {
    kind: &'static str,
    /// What the name stands for.
    tokens: Vec<String>,
    place: String,
}

/// The definitions that differ, and what depends on them.
#[derive(Clone, Debug, Default)]
pub(super) struct Causes {
    old: Definitions,
    new: Definitions,
    /// For each name whose meaning differs, the definition that was edited.
    roots: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Default)]
struct Definitions {
    by_name: BTreeMap<String, Vec<Definition>>,
    /// Structs and unions by the names of their fields.
    by_field: BTreeMap<String, BTreeSet<String>>,
}

impl Causes {
    pub(super) fn between(old: &[Named], new: &[Named]) -> Self {
        let (old, new) = (Definitions::of(old), Definitions::of(new));
        let names: BTreeSet<&String> = old.by_name.keys().chain(new.by_name.keys()).collect();
        let mut roots: BTreeMap<String, String> = BTreeMap::new();
        let tokens = |side: &Definitions, name: &str| -> Vec<Vec<String>> {
            let all = side.by_name.get(name).into_iter().flatten();
            all.map(|one| one.tokens.clone()).collect()
        };
        for name in &names {
            if tokens(&old, name) != tokens(&new, name) {
                roots.insert((*name).clone(), (*name).clone());
            }
        }
        loop {
            let mut found = Vec::new();
            for name in names.iter().filter(|name| !roots.contains_key(**name)) {
                let mut inside = [&old, &new].into_iter().flat_map(|side| tokens(side, name));
                let root = inside.find_map(|tokens| {
                    let mut tokens = tokens.into_iter();
                    tokens.find_map(|token| roots.get(&token).cloned())
                });
                found.extend(root.map(|root| ((*name).clone(), root)));
            }
            if found.is_empty() {
                break;
            }
            roots.extend(found);
        }
        Causes { old, new, roots }
    }

    /// What makes a line mean something else. `types`: names of types that the variables
    /// on the line are made of.
    pub(super) fn of_line(&self, tokens: &[String], types: &BTreeSet<String>) -> Vec<String> {
        let mut names: Vec<&String> = Vec::new();
        for (at, token) in tokens
            .iter()
            .enumerate()
            .filter(|(_, token)| is_name(token))
        {
            if at > 0 && matches!(tokens[at - 1].as_str(), "." | "->") {
                for side in [&self.old, &self.new] {
                    names.extend(side.by_field.get(token).into_iter().flatten());
                }
            } else {
                names.push(token);
            }
        }
        names.extend(types);
        let found = names
            .iter()
            .filter_map(|name| self.roots.get_key_value(*name));
        let mut roots: Vec<(&String, &String)> = Vec::new();
        // What the line itself names says more than what leads to it.
        let (direct, through): (Vec<_>, Vec<_>) = found.partition(|(name, root)| name == root);
        for one in direct.into_iter().chain(through) {
            if !roots.iter().any(|known| known.1 == one.1) {
                roots.push(one);
            }
        }
        let say = |(name, root): (&String, &String)| {
            let through = match name == root {
                true => String::new(),
                false => format!(", through {name}"),
            };
            format!("{}{through}", self.difference(root))
        };
        roots.into_iter().map(say).collect()
    }

    fn difference(&self, name: &str) -> String {
        let last = |side: &'_ Definitions| side.by_name.get(name)?.last().cloned();
        match (last(&self.old), last(&self.new)) {
            (Some(old), Some(new)) => {
                let what = format!("{} {name}", new.kind);
                let texts = [&new, &old].map(|one| spelled(&one.tokens));
                let short = |text: &String| !text.is_empty() && text.len() <= LONGEST_SHOWN;
                let quoted = |text: &String| match text.contains(' ') {
                    true => format!("`{text}`"),
                    false => text.clone(),
                };
                match texts[0] != texts[1] && texts.iter().all(short) {
                    true => {
                        let [is, was] = texts.each_ref().map(quoted);
                        format!("{what} is {is}, was {was} ({})", new.place)
                    }
                    false => format!("{what} is defined differently ({})", new.place),
                }
            }
            (None, Some(new)) => format!("{} {name} is new ({})", new.kind, new.place),
            (Some(old), None) => format!("{} {name} is gone ({})", old.kind, old.place),
            (None, None) => format!("{name} differs"),
        }
    }
}

/// Tokens with spaces as people set them.
fn spelled(tokens: &[String]) -> String {
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| tokens[before].as_str());
        let tight = matches!(token.as_str(), ")" | "]" | "," | ";" | "[")
            || matches!(before, None | Some("(" | "[" | "!" | "~"))
            || (token == "(" && before.is_some_and(is_name))
            || (at == 1 && before == Some("-"));
        if !tight {
            text.push(' ');
        }
        text += token;
    }
    text
}

impl Definitions {
    fn of(files: &[Named]) -> Self {
        let mut found = Definitions::default();
        for (file, text) in files {
            found.read(file, text);
        }
        found
    }

    fn add(&mut self, name: &str, kind: &'static str, tokens: Vec<String>, place: String) {
        let definition = Definition {
            kind,
            tokens,
            place,
        };
        let all = self.by_name.entry(name.to_owned()).or_default();
        if !all.iter().any(|one| one.tokens == definition.tokens) {
            all.push(definition);
        }
    }

    fn read(&mut self, file: &str, text: &Text) {
        let mut code: Vec<(&str, u32)> = Vec::new();
        let mut directive: Option<(u32, Vec<String>)> = None;
        for (number, tokens) in text.numbered() {
            let (start, mut tokens) = match directive.take() {
                Some((start, before)) => (start, [before.as_slice(), tokens].concat()),
                None if tokens.first().is_some_and(|first| first == "#") => {
                    (number, tokens.to_vec())
                }
                None => {
                    code.extend(tokens.iter().map(|token| (token.as_str(), number)));
                    continue;
                }
            };
            if tokens.last().is_some_and(|last| last == "\\") {
                tokens.pop();
                directive = Some((start, tokens));
                continue;
            }
            if let [_, word, name, value @ ..] = tokens.as_slice()
                && word == "define"
            {
                self.add(name, "macro", value.to_vec(), format!("{file}:{start}"));
            }
        }
        let mut at = 0;
        while at < code.len() {
            let end = statement_end(&code[at..]) + at;
            self.read_declaration(file, &code[at..end]);
            at = end;
        }
    }

    /// One declaration or definition at the top level.
    fn read_declaration(&mut self, file: &str, code: &[(&str, u32)]) {
        let place = |at: usize| format!("{file}:{}", code[at].1);
        let owned = |range: std::ops::Range<usize>| -> Vec<String> {
            code[range].iter().map(|token| token.0.to_owned()).collect()
        };
        for at in 0..code.len() {
            let kind = match code[at].0 {
                "struct" => "struct",
                "union" => "union",
                "enum" => "enum",
                _ => continue,
            };
            let named = code.get(at + 1).filter(|token| is_name(token.0));
            let open = at + 1 + usize::from(named.is_some());
            if code.get(open).is_none_or(|token| token.0 != "{") {
                continue;
            }
            let close = open + closing(&code[open..]);
            // An unnamed one may have its name from a typedef.
            let after = code.get(close + 1).filter(|token| is_name(token.0));
            let typedef = after.filter(|_| code[0].0 == "typedef");
            let name = named.or(typedef).map(|token| token.0);
            if kind == "enum" {
                self.read_enumeration(file, &code[open + 1..close]);
            } else if let Some(name) = name {
                for field in fields(&code[open + 1..close]) {
                    let owners = self.by_field.entry(field.to_owned()).or_default();
                    owners.insert(name.to_owned());
                }
                self.add(name, kind, owned(open..close + 1), place(at));
            }
        }
        let last = code.len().saturating_sub(1);
        match code[0].0 {
            "typedef" => {
                let names = (1..last).filter(|&at| is_name(code[at].0));
                let pointer = (2..last).find(|&at| code[at - 2].0 == "(" && code[at - 1].0 == "*");
                let before_array = (1..last)
                    .find(|&at| code[at].0 == "[")
                    .and_then(|at| at.checked_sub(1));
                if let Some(at) = pointer.or(before_array).or(names.max()) {
                    let tokens = [owned(1..at), owned(at + 1..last)].concat();
                    let of_struct = tokens.iter().any(|token| token == "{");
                    if !of_struct {
                        self.add(code[at].0, "typedef", tokens, place(at));
                    }
                }
            }
            "const" if code.len() > 3 && code[2].0 == ":" => {
                if let Some(equals) = (3..last).find(|&at| code[at].0 == "=") {
                    let tokens = owned(equals + 1..last);
                    self.add(code[1].0, "constant", tokens, place(1));
                }
            }
            "pub" if code.len() > 4 && code[1].0 == "const" => {
                self.read_declaration(file, &code[1..]);
            }
            _ => {}
        }
    }

    /// Enumerators with their values, spelled as far as they can be known.
    fn read_enumeration(&mut self, file: &str, code: &[(&str, u32)]) {
        let (mut base, mut step) = (Vec::new(), 0i64);
        for item in code.split(|token| token.0 == ",") {
            let [name, value @ ..] = item else { continue };
            if !is_name(name.0) {
                continue;
            }
            if let [("=", _), value @ ..] = value {
                base = value.iter().map(|token| token.0.to_owned()).collect();
                step = 0;
            }
            let value = match (base.concat().parse::<i64>(), base.is_empty()) {
                (_, true) => vec![step.to_string()],
                (Ok(number), _) => vec![(number + step).to_string()],
                (Err(_), _) if step == 0 => base.clone(),
                (Err(_), _) => [base.clone(), vec!["+".into(), step.to_string()]].concat(),
            };
            self.add(name.0, "enum constant", value, format!("{file}:{}", name.1));
            step += 1;
        }
    }
}

/// Behind the `;` or the closing brace that ends the first thing at the top level.
fn statement_end(code: &[(&str, u32)]) -> usize {
    let mut depth = 0;
    for (at, token) in code.iter().enumerate() {
        match token.0 {
            "{" | "(" => depth += 1,
            "}" | ")" => depth -= 1,
            _ => {}
        }
        let next = code.get(at + 1).map(|token| token.0);
        let ends = match token.0 {
            ";" => depth <= 0,
            // A body; what follows a struct's is a name, a star or `;`.
            "}" => {
                depth <= 0
                    && (code[0].0 != "typedef")
                    && !matches!(next, Some(";" | "," | "*" | "="))
            }
            _ => false,
        };
        if ends {
            return at + 1;
        }
    }
    code.len()
}

fn closing(code: &[(&str, u32)]) -> usize {
    let mut depth = 0;
    for (at, token) in code.iter().enumerate() {
        match token.0 {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    code.len() - 1
}

/// The names that are declared between the braces of a struct.
fn fields<'a>(code: &[(&'a str, u32)]) -> Vec<&'a str> {
    let names = code
        .windows(2)
        .filter(|pair| is_name(pair[0].0) && matches!(pair[1].0, ";" | "," | "[" | ":" | ")"));
    names.map(|pair| pair[0].0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn causes(old: &str, new: &str, line: &str, types: &[&str]) -> Vec<String> {
        let side = |text: &str| vec![("x.h".to_owned(), Text::of(text))];
        let types = types.iter().map(|name| (*name).to_owned()).collect();
        Causes::between(&side(old), &side(new)).of_line(Text::of(line).line(1), &types)
    }

    #[test]
    fn definitions_are_found() {
        let cases: [(&str, &str, &str, &[&str], &str); 9] = [
            (
                "#define A 1",
                "#define A 2",
                "x = A;",
                &[],
                "macro A is 2, was 1 (x.h:1)",
            ),
            (
                "#define A 1\n#define B(x) (x + A)",
                "#define A 2\n#define B(x) (x + A)",
                "x = B(1);",
                &[],
                "macro A is 2, was 1 (x.h:1), through B",
            ),
            (
                "enum e { A, B = 5, C };",
                "enum e { A, B = 7, C };",
                "x = C;",
                &[],
                "enum constant C is 8, was 6 (x.h:1)",
            ),
            (
                "typedef int word;",
                "typedef short word;",
                "return a;",
                &["word"],
                "typedef word is short, was int (x.h:1)",
            ),
            (
                "int z;\nstruct p { int x; int y; };",
                "int z;\nstruct p { int y; int x; };",
                "return q->y;",
                &[],
                "struct p is `{ int y; int x; }`, was `{ int x; int y; }` (x.h:2)",
            ),
            (
                "typedef struct { int x; } p;",
                "typedef struct { long x; } p;",
                "return q.x;",
                &[],
                "struct p is `{ long x; }`, was `{ int x; }` (x.h:1)",
            ),
            (
                "#define N 2\nstruct p { int x[N]; };",
                "#define N 3\nstruct p { int x[N]; };",
                "struct p q;",
                &[],
                "macro N is 3, was 2 (x.h:1), through p",
            ),
            (
                "pub const A: i64 = 5;",
                "pub const A: i64 = -6;",
                "A + 1",
                &[],
                "constant A is -6, was 5 (x.h:1)",
            ),
            ("", "#define A 2", "x = A;", &[], "macro A is new (x.h:1)"),
        ];
        for (old, new, line, types, expected) in cases {
            assert_eq!(causes(old, new, line, types), [expected], "{old}");
        }
        let same = "#define A 1\nint f(void) { struct p { int x; } q; return A; }\n";
        assert!(causes(same, same, "x = A + q.x;", &[]).is_empty());
    }
}
