//! Reads the `//@ key: value` lines at the head of a test program, and its `// ERROR` markers.
//!
//! Directives end at the first line that is neither a comment nor a feature-test macro. Those
//! before the first `//@ run:` hold for every run. An unknown or malformed directive is an error,
//! so that a misspelt one cannot silently test nothing.

use std::path::Path;

use crate::domain::Domain;

/// Everything a program file says about how to run it and what to expect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directives {
    /// At least one.
    pub runs: Vec<Run>,
    pub expectation: Option<Expectation>,
    /// The input that is symbolic when the program is explored.
    pub explore: Option<Domain>,
}

/// One invocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    pub name: String,
    pub arguments: Vec<String>,
    pub stdin: Vec<u8>,
    pub environment: Vec<(String, String)>,
    pub files: Vec<(String, Vec<u8>)>,
}

/// What a misbehaving program must be reported as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    pub kind: String,
    /// Lines that carry `// ERROR`: any of them is right.
    pub lines: Vec<u32>,
    /// The program's own functions, innermost first; `...` stands for any number of frames.
    pub stack: Vec<String>,
    pub sanitizer: Sanitizer,
    pub max_steps: Option<u64>,
}

/// Which of clang's sanitizers must confirm the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sanitizer {
    Address,
    Undefined,
    /// No sanitizer sees this one, for the reason given.
    None(String),
}

/// The kinds of outcome a misbehaving program may name.
pub const OUTCOME_KINDS: &[&str] = &[
    "exit",
    "abort",
    "assert",
    "panic",
    "signal",
    "trap",
    "dead-jump",
    "out-of-bounds",
    "use-after-free",
    "use-after-return",
    "double-free",
    "invalid-free",
    "null-dereference",
    "wild-dereference",
    "read-only-write",
    "division-by-zero",
    "division-overflow",
    "unreachable",
    "stack-overflow",
    "step-limit",
    "memory-limit",
    "unsupported",
];

#[derive(Debug, thiserror::Error)]
pub enum DirectiveError {
    #[error("cannot read {path}: {source}")]
    Read {
        path: String,
        source: std::io::Error,
    },
    #[error("line {line}: {problem}")]
    Malformed { line: usize, problem: String },
    #[error("{0}")]
    Incomplete(&'static str),
}

impl Directives {
    pub fn read(path: &Path) -> Result<Directives, DirectiveError> {
        let text = std::fs::read_to_string(path).map_err(|source| DirectiveError::Read {
            path: path.display().to_string(),
            source,
        })?;
        Directives::parse(&text)
    }

    pub fn parse(text: &str) -> Result<Directives, DirectiveError> {
        let mut common = Run::default();
        let mut runs: Vec<Run> = Vec::new();
        let mut kind = None;
        let mut stack = Vec::new();
        let mut sanitizer = None;
        let mut max_steps = None;
        let mut explore = None;
        for (index, line) in text.lines().enumerate() {
            if line.starts_with("#define _") {
                continue;
            }
            if !line.starts_with("//") {
                break;
            }
            let Some(directive) = line.strip_prefix("//@ ") else {
                continue;
            };
            let malformed = |problem: String| DirectiveError::Malformed {
                line: index + 1,
                problem,
            };
            let (key, value) = directive
                .split_once(':')
                .ok_or_else(|| malformed(format!("`{directive}` has no colon")))?;
            let value = value.strip_prefix(' ').unwrap_or(value);
            let run = runs.last_mut().unwrap_or(&mut common);
            match key {
                "run" => {
                    let name = value.to_owned();
                    runs.push(Run {
                        name,
                        ..common.clone()
                    });
                }
                "args" => run.arguments = split_words(value).map_err(malformed)?,
                "stdin" => run.stdin.extend(unescape(value).map_err(malformed)?),
                "env" => run.environment.push(pair(value).map_err(malformed)?),
                "file" => {
                    let (name, content) = pair(value).map_err(malformed)?;
                    let content = unescape(&content).map_err(malformed)?;
                    run.files.push((name, content));
                }
                "explore" => explore = Some(Domain::parse(value).map_err(malformed)?),
                "outcome" if OUTCOME_KINDS.contains(&value) => kind = Some(value.to_owned()),
                "stack" => stack = value.split_whitespace().map(str::to_owned).collect(),
                "sanitizer" => sanitizer = Some(parse_sanitizer(value).map_err(malformed)?),
                "max-steps" => {
                    let steps = value.parse().map_err(|e| malformed(format!("{e}")))?;
                    max_steps = Some(steps);
                }
                _ => return Err(malformed(format!("unknown directive `{directive}`"))),
            }
        }
        if runs.is_empty() {
            runs.push(common);
        }
        let expectation = match (kind, sanitizer) {
            (None, None) => None,
            (Some(kind), Some(sanitizer)) => Some(Expectation {
                kind,
                lines: marked_lines(text),
                stack,
                sanitizer,
                max_steps,
            }),
            _ => {
                let problem = "`outcome` and `sanitizer` must be given together";
                return Err(DirectiveError::Incomplete(problem));
            }
        };
        Ok(Directives {
            runs,
            expectation,
            explore,
        })
    }
}

impl Expectation {
    /// Whether `functions`, innermost first, is the stack the program names.
    pub fn stack_matches(&self, functions: &[&str]) -> bool {
        let Some(at) = self.stack.iter().position(|name| name == "...") else {
            return self.stack == functions;
        };
        let (inner, outer) = (&self.stack[..at], &self.stack[at + 1..]);
        functions.len() >= inner.len() + outer.len()
            && inner == &functions[..inner.len()]
            && outer == &functions[functions.len() - outer.len()..]
    }
}

fn marked_lines(text: &str) -> Vec<u32> {
    let marked = |line: &str| line.trim_end().ends_with("// ERROR");
    let numbered = text.lines().zip(1u32..);
    numbered
        .filter(|(line, _)| marked(line))
        .map(|(_, number)| number)
        .collect()
}

fn parse_sanitizer(value: &str) -> Result<Sanitizer, String> {
    match value {
        "address" => Ok(Sanitizer::Address),
        "undefined" => Ok(Sanitizer::Undefined),
        _ => value
            .strip_prefix("none(")
            .and_then(|rest| rest.strip_suffix(')'))
            .filter(|reason| !reason.is_empty())
            .map(|reason| Sanitizer::None(reason.to_owned()))
            .ok_or_else(|| format!("`{value}` is not address, undefined or none(reason)")),
    }
}

fn pair(value: &str) -> Result<(String, String), String> {
    let (name, content) = value
        .split_once('=')
        .ok_or_else(|| format!("`{value}` has no ="))?;
    Ok((name.to_owned(), content.to_owned()))
}

/// Splits at blanks; single and double quotes keep blanks and are removed; a backslash outside
/// single quotes stands for the next character.
fn split_words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c == ' ' => words.extend(word.take()),
            _ if c == '\\' && quote != Some('\'') => {
                let next = characters.next().ok_or("backslash at the end")?;
                word.get_or_insert_default().push(next);
            }
            _ => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(format!("unclosed quote in `{text}`"));
    }
    words.extend(word);
    Ok(words)
}

/// Text with `\n`, `\t`, `\\`, `\"` and `\xHH` as bytes.
fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend(rest[..at].bytes());
        rest = &rest[at + 1..];
        let code = rest.chars().next().ok_or("backslash at the end")?;
        rest = &rest[code.len_utf8()..];
        match code {
            'n' => bytes.push(b'\n'),
            't' => bytes.push(b'\t'),
            '\\' | '"' => bytes.push(code as u8),
            'x' => {
                let digits = rest.get(..2).ok_or("\\x needs two digits")?;
                let byte =
                    u8::from_str_radix(digits, 16).map_err(|e| format!("\\x{digits}: {e}"))?;
                bytes.push(byte);
                rest = &rest[2..];
            }
            other => return Err(format!("unknown escape \\{other}")),
        }
    }
    bytes.extend(rest.bytes());
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_directives_runs_once_with_nothing() {
        let directives = Directives::parse("// Title.\nint main;\n").unwrap();
        assert_eq!(directives.runs, [Run::default()]);
        assert_eq!(directives.expectation, None);
    }

    #[test]
    fn runs_inherit_what_comes_before_them() {
        let text = "//@ env: K=a=b\n//@ run: one\n//@ args: x \"y z\" '' \\\"\n//@ run: two\n//@ stdin: a\\n\\x41\n";
        let runs = Directives::parse(text).unwrap().runs;
        assert_eq!(runs.len(), 2);
        assert_eq!(runs[0].arguments, ["x", "y z", "", "\""]);
        assert_eq!(runs[1].stdin, b"a\nA");
        assert!(
            runs.iter()
                .all(|run| run.environment == [("K".into(), "a=b".into())])
        );
    }

    #[test]
    fn an_expectation_takes_its_lines_from_the_markers() {
        let text = "//@ outcome: out-of-bounds\n//@ stack: f main\n//@ sanitizer: address\nint x; // ERROR\n";
        let expectation = Directives::parse(text).unwrap().expectation.unwrap();
        assert_eq!(expectation.lines, [4]);
        assert_eq!(expectation.stack, ["f", "main"]);
    }

    #[test]
    fn dots_in_a_stack_stand_for_any_number_of_frames() {
        let text = "//@ outcome: stack-overflow\n//@ stack: f f ... main\n//@ sanitizer: address\n";
        let expectation = Directives::parse(text).unwrap().expectation.unwrap();
        assert!(expectation.stack_matches(&["f", "f", "main"]));
        assert!(expectation.stack_matches(&["f", "f", "f", "f", "main"]));
        assert!(!expectation.stack_matches(&["f", "main"]));
        assert!(!expectation.stack_matches(&["f", "g", "main"]));
        assert!(!expectation.stack_matches(&["f", "f", "f"]));
    }

    #[test]
    fn misspelt_directives_are_errors() {
        for text in [
            "//@ arg: x\n",
            "//@ outcome: oob\n",
            "//@ args: \"open\n",
            "//@ sanitizer: none()\n",
            "//@ stdin: \\q\n",
            "//@ outcome: abort\n",
            "//@ explore: --sym-args 1\n",
        ] {
            assert!(Directives::parse(text).is_err(), "{text}");
        }
    }
}
