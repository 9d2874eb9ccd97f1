//! Which parameter says how many elements another one has, and how many an array parameter is declared with.
//!
//! The debug information says only that a parameter is a pointer. That a number is its length is recognised from the code: it is
//! compared with what indexes the pointer, or indexes it itself, or counts down while the pointer goes on, or goes with the
//! pointer to a function for which that is known. Variables are taken as wholes, whatever the order of the code: this is a guess,
//! and what comes of it is a bound that the report states, never a proof.

use std::collections::{BTreeMap, BTreeSet};

use version_diff::own_changes::is_c_library;

use program_ir::{Callee, Func, Function, InstData, Module, Value, ValueDef};

/// Pairs of parameters by number from 0: a pointer, and its length.
pub(crate) fn lengths(module: &Module, func: Func) -> Vec<(usize, usize)> {
    within(module, func, 0)
}

/// So many calls deep, a pointer and its length are followed.
const MOST_DEPTH: u32 = 3;

fn within(module: &Module, func: Func, depth: u32) -> Vec<(usize, usize)> {
    let function = &module.functions[func];
    let Some(entry) = function.blocks.values().next() else {
        return Vec::new();
    };
    let code = Code::new(module, function, depth);
    // Only where each parameter is one value, numbers of both mean the same.
    let parameters: Vec<Value> = entry.params.iter().map(|&value| code.web(value)).collect();
    let mut found = Vec::new();
    for (pointer, &web) in parameters.iter().enumerate() {
        let use_of = code.use_of(web);
        // What stands right behind the pointer is asked first.
        let mut numbers = (pointer + 1..parameters.len()).chain(0..pointer);
        let own = numbers.find(|&number| use_of.is_length(&code, parameters[number]));
        found.extend(own.map(|number| (pointer, number)));
    }
    found
}

/// A function whose values are put together to *webs*: what a variable of the source holds one after the other. Values are of one
/// web if one is passed for the other along an edge.
struct Code<'m> {
    module: &'m Module,
    function: &'m Function,
    depth: u32,
    webs: BTreeMap<Value, Value>,
}

/// What the code does with a pointer.
struct Use {
    /// Its web, and those of pointers made of it.
    holders: BTreeSet<Value>,
    /// What indexes it.
    indices: BTreeSet<Value>,
    /// Whether it goes on step by step.
    advances: bool,
}

impl<'m> Code<'m> {
    fn new(module: &'m Module, function: &'m Function, depth: u32) -> Code<'m> {
        let mut code = Code {
            module,
            function,
            depth,
            webs: BTreeMap::new(),
        };
        for node in function.insts.values() {
            node.data.for_each_edge(|edge| {
                let parameters = &function.blocks[edge.block].params;
                for (&parameter, &argument) in parameters.iter().zip(&edge.args) {
                    if !matches!(function.values[argument].def, ValueDef::Constant(_)) {
                        let (one, other) = (code.web(parameter), code.web(argument));
                        if one != other {
                            code.webs.insert(one.max(other), one.min(other));
                        }
                    }
                }
            });
        }
        code
    }

    fn web(&self, mut value: Value) -> Value {
        while let Some(&next) = self.webs.get(&value) {
            value = next;
        }
        value
    }

    fn inst(&self, value: Value) -> Option<&InstData> {
        match self.function.values[value].def {
            ValueDef::Result(inst, _) => Some(&self.function.insts[inst].data),
            _ => None,
        }
    }

    /// The webs of all values that a value is computed from, its own included.
    fn origins(&self, value: Value) -> BTreeSet<Value> {
        let mut found = BTreeSet::new();
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            let is_constant = matches!(self.function.values[value].def, ValueDef::Constant(_));
            if is_constant || !found.insert(value) {
                continue;
            }
            if let Some(
                data @ (InstData::Unary { .. }
                | InstData::Binary { .. }
                | InstData::Ternary { .. }
                | InstData::Cast { .. }
                | InstData::PtrAdd { .. }),
            ) = self.inst(value)
            {
                data.for_each_operand(|operand| pending.push(operand));
            }
        }
        found.into_iter().map(|value| self.web(value)).collect()
    }

    /// Whether a pointer is one of some webs, or was made of one.
    fn is_from(&self, mut value: Value, webs: &BTreeSet<Value>) -> bool {
        loop {
            if webs.contains(&self.web(value)) {
                return true;
            }
            match self.inst(value) {
                Some(InstData::PtrAdd { base, .. }) => value = *base,
                Some(InstData::Cast { arg, .. }) => value = *arg,
                _ => return false,
            }
        }
    }

    fn use_of(&self, web: Value) -> Use {
        let mut found = Use {
            holders: BTreeSet::from([web]),
            indices: BTreeSet::new(),
            advances: false,
        };
        for node in self.function.insts.values() {
            let InstData::PtrAdd { base, terms, .. } = &node.data else {
                continue;
            };
            if !self.is_from(*base, &found.holders) {
                continue;
            }
            for term in terms {
                found.indices.extend(self.origins(term.index));
            }
            let result = node.first_result.map(|result| self.web(result));
            found.advances |= result.is_some_and(|result| found.holders.contains(&result));
            found.holders.extend(result);
        }
        found
    }

    /// Whether a variable is counted up or down.
    fn is_counted(&self, web: Value) -> bool {
        self.function.insts.values().any(|node| {
            let InstData::Binary { args, .. } = &node.data else {
                return false;
            };
            let result = node.first_result.map(|result| self.web(result));
            result == Some(web) && args.iter().any(|&arg| self.web(arg) == web)
        })
    }
}

impl Use {
    /// Whether a variable is the pointer's length.
    fn is_length(&self, code: &Code<'_>, number: Value) -> bool {
        if self.holders.contains(&number) {
            return false;
        }
        if self.indices.contains(&number) {
            return true;
        }
        let mut is_compared = false;
        for node in code.function.insts.values() {
            match &node.data {
                InstData::IntCompare { args, .. } => {
                    let [one, other] = args.map(|arg| code.origins(arg));
                    is_compared |= one.contains(&number) || other.contains(&number);
                    for (one, other) in [(&one, &other), (&other, &one)] {
                        if one.contains(&number) && !other.is_disjoint(&self.indices) {
                            return true;
                        }
                    }
                }
                data => {
                    if self.is_passed(code, data, number) {
                        return true;
                    }
                }
            }
        }
        self.advances && is_compared && code.is_counted(number)
    }

    /// Whether both go to where a pointer and its length are taken.
    fn is_passed(&self, code: &Code<'_>, data: &InstData, number: Value) -> bool {
        let goes = |pointer: Value, length: Value| {
            code.is_from(pointer, &self.holders) && code.origins(length).contains(&number)
        };
        match data {
            InstData::MemCopy {
                destination,
                source,
                length,
                ..
            } => goes(*destination, *length) || goes(*source, *length),
            InstData::MemSet {
                destination,
                length,
                ..
            } => goes(*destination, *length),
            data => {
                let Some(call) = data.call() else {
                    return false;
                };
                let Callee::Direct(callee) = call.callee else {
                    return false;
                };
                let known = of_library(&code.module.functions[callee].name);
                let is_own = known.is_empty() && !is_c_library(code.module, callee);
                let pairs = match is_own && code.depth < MOST_DEPTH {
                    true => within(code.module, callee, code.depth + 1),
                    false => known.to_vec(),
                };
                pairs.iter().any(|&(pointer, length)| {
                    let both = call.args.get(pointer).zip(call.args.get(length));
                    both.is_some_and(|(pointer, length)| goes(*pointer, *length))
                })
            }
        }
    }
}

/// Pointers and their lengths, of functions of the C library.
fn of_library(name: &str) -> &'static [(usize, usize)] {
    match name {
        "memcpy" | "memmove" | "memcmp" | "strncmp" | "strncpy" | "strncasecmp" => {
            &[(0, 2), (1, 2)]
        }
        "memset" | "memchr" | "memrchr" => &[(0, 2)],
        "snprintf" | "vsnprintf" | "fgets" | "strnlen" | "getcwd" => &[(0, 1)],
        "strncat" => &[(1, 2)],
        "fread" | "fwrite" => &[(0, 1), (0, 2)],
        "read" | "write" | "send" | "recv" => &[(1, 2)],
        "qsort" => &[(0, 1)],
        "bsearch" => &[(1, 2)],
        _ => &[],
    }
}

/// How many elements array parameters are declared with, by name, in the text of the source: `int v[6]` is only a pointer to
/// the compiler.
pub(crate) fn declared_counts(text: &str, function: &str) -> Vec<(String, u64)> {
    let text = without_comments(text);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for (at, _) in text.match_indices(function) {
        let before = text[..at].chars().next_back();
        let behind = text[at + function.len()..].trim_start();
        if before.is_some_and(is_word) || !behind.starts_with('(') {
            continue;
        }
        let Some((parameters, rest)) = in_parentheses(behind) else {
            continue;
        };
        if rest.trim_start().starts_with('{') {
            return split(parameters).into_iter().filter_map(count).collect();
        }
    }
    Vec::new()
}

/// `int v[6]`: the name and the number.
fn count(parameter: &str) -> Option<(String, u64)> {
    let (declarator, rest) = parameter.split_once('[')?;
    let (number, _) = rest.split_once(']')?;
    let number = number.trim().trim_start_matches("static").trim();
    let number = number
        .parse()
        .ok()
        .filter(|&number| (1..=1024).contains(&number))?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = declarator.trim_end().rsplit(|c| !is_part(c)).next()?;
    Some((name.to_owned(), number))
}

fn in_parentheses(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[1..at], &text[at + 1..]));
        }
    }
    None
}

fn split(parameters: &str) -> Vec<&str> {
    let mut depth = 0;
    parameters
        .split(|character| {
            match character {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            character == ',' && depth == 0
        })
        .collect()
}

fn without_comments(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("/*") {
        plain += &rest[..at];
        plain.push(' ');
        rest = rest[at..].split_once("*/").map_or("", |(_, behind)| behind);
    }
    plain += rest;
    let lines = plain
        .lines()
        .map(|line| line.split("//").next().unwrap_or(line));
    lines.collect::<Vec<&str>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_have_the_elements_that_they_are_declared_with() {
        let text = "int f(int v[6]); /* f(int v[3]) { */\nint f(int v[6], int m[ 2 ][3], char *s,\n  long w[static 4], int x[])\n{ }";
        let counts = declared_counts(text, "f");
        let expected = [("v", 6), ("m", 2), ("w", 4)];
        assert_eq!(
            counts,
            expected.map(|(name, count)| (name.to_owned(), count))
        );
        assert_eq!(declared_counts("int gf(int v[6]) {}", "f"), []);
        assert_eq!(declared_counts("int f(int v[", "f"), []);
    }
}
