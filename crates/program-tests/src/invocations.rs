//! Reads the tables of invocations under `tests/real`: one command line each.
//!
//! Words are separated by blanks and quoted as in a shell: `'as it is'`, or `"with \n \t \\ \" \xHH"`.
//! `< FILE` gives a file of the working folder as standard input, `<<< TEXT` a text. Blank lines and
//! lines that start with `#` are left out.
//!
//! A line `@libc VM-TEXT NATIVE-TEXT REASON` says that the next invocation prints one text in the VM
//! and another natively, because musl and the host's libc differ; everything else must still be equal.

/// One line of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    /// The line itself, which names the test.
    pub line: String,
    pub program: String,
    pub arguments: Vec<Vec<u8>>,
    pub stdin: Stdin,
    pub libc_difference: Option<LibcDifference>,
}

/// What the two C libraries print differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibcDifference {
    pub vm: Vec<u8>,
    pub native: Vec<u8>,
    pub reason: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Stdin {
    #[default]
    Empty,
    /// A file of the working folder.
    File(String),
    Text(Vec<u8>),
}

#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct TableError {
    line: usize,
    problem: String,
}

pub fn parse(table: &str) -> Result<Vec<Invocation>, TableError> {
    let mut invocations = Vec::new();
    let mut libc_difference = None;
    for (index, line) in table.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let malformed = |problem| TableError {
            line: index + 1,
            problem,
        };
        if let Some(words) = line.strip_prefix("@libc ") {
            libc_difference = Some(parse_difference(words).map_err(malformed)?);
            continue;
        }
        let mut invocation = parse_line(line).map_err(malformed)?;
        invocation.libc_difference = libc_difference.take();
        invocations.push(invocation);
    }
    Ok(invocations)
}

fn parse_difference(words: &str) -> Result<LibcDifference, String> {
    let mut words = split(words)?.into_iter().map(|word| word.bytes);
    let mut next = |what: &str| words.next().ok_or(format!("{what} is missing"));
    let (vm, native) = (next("the VM's text")?, next("the native text")?);
    let reason: Vec<Vec<u8>> = words.collect();
    if vm.is_empty() || native.is_empty() || reason.is_empty() {
        return Err("two texts and a reason are needed".to_owned());
    }
    Ok(LibcDifference {
        vm,
        native,
        reason: String::from_utf8_lossy(&reason.join(&b' ')).into_owned(),
    })
}

fn parse_line(line: &str) -> Result<Invocation, String> {
    let mut words = split(line)?.into_iter();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).map_err(|error| error.to_string());
    let mut invocation = Invocation {
        line: line.to_owned(),
        program: text(words.next().ok_or("no program")?.bytes)?,
        ..Invocation::default()
    };
    while let Some(word) = words.next() {
        let redirection = match &word.bytes[..] {
            b"<" | b"<<<" if !word.quoted => Some(word.bytes.len()),
            _ => None,
        };
        let Some(length) = redirection else {
            invocation.arguments.push(word.bytes);
            continue;
        };
        let content = words.next().ok_or("nothing follows the `<`")?.bytes;
        invocation.stdin = match length {
            1 => Stdin::File(text(content)?),
            _ => Stdin::Text(content),
        };
    }
    Ok(invocation)
}

#[derive(Default)]
struct Word {
    bytes: Vec<u8>,
    quoted: bool,
}

fn split(line: &str) -> Result<Vec<Word>, String> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut bytes = line.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b' ' {
            words.extend(word.take());
            continue;
        }
        let current = word.get_or_insert_default();
        match byte {
            b'\'' => {
                current.quoted = true;
                loop {
                    match bytes.next().ok_or("a `'` is not closed")? {
                        b'\'' => break,
                        byte => current.bytes.push(byte),
                    }
                }
            }
            b'"' => {
                current.quoted = true;
                loop {
                    match bytes.next().ok_or("a `\"` is not closed")? {
                        b'"' => break,
                        b'\\' => current.bytes.push(escaped(&mut bytes)?),
                        byte => current.bytes.push(byte),
                    }
                }
            }
            byte => current.bytes.push(byte),
        }
    }
    words.extend(word);
    Ok(words)
}

fn escaped(bytes: &mut impl Iterator<Item = u8>) -> Result<u8, String> {
    match bytes.next() {
        Some(b'n') => Ok(b'\n'),
        Some(b't') => Ok(b'\t'),
        Some(byte @ (b'\\' | b'"')) => Ok(byte),
        Some(b'x') => {
            let digits: String = bytes.by_ref().take(2).map(char::from).collect();
            u8::from_str_radix(&digits, 16).map_err(|_| format!("`\\x{digits}` is no byte"))
        }
        other => Err(format!(
            "unknown escape `\\{}`",
            other.map_or(' ', char::from)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_as_in_a_shell() {
        let table = "# comment\n\nprintf '%s\\n' \"a\\tb\\x41\" x'y z' ''\n";
        let invocations = parse(table).unwrap();
        assert_eq!(invocations.len(), 1);
        assert_eq!(invocations[0].program, "printf");
        let expected: [&[u8]; 4] = [b"%s\\n", b"a\tbA", b"xy z", b""];
        assert_eq!(invocations[0].arguments, expected);
    }

    #[test]
    fn standard_input_is_a_file_or_a_text() {
        let invocations = parse("sort -u < words\nsort <<< \"b\\na\\n\"\nexpr 1 '<' 2").unwrap();
        assert_eq!(invocations[0].stdin, Stdin::File("words".to_owned()));
        assert_eq!(invocations[1].stdin, Stdin::Text(b"b\na\n".to_vec()));
        assert_eq!(invocations[2].arguments.len(), 3);
    }

    #[test]
    fn a_libc_difference_belongs_to_the_next_line() {
        let invocations = parse("@libc one 'two words' they differ\nfirst\nsecond").unwrap();
        let difference = invocations[0].libc_difference.as_ref().unwrap();
        assert_eq!(difference.native, b"two words");
        assert_eq!(difference.reason, "they differ");
        assert_eq!(invocations[1].libc_difference, None);
        assert!(parse("@libc one two\nfirst").is_err());
    }

    #[test]
    fn a_malformed_line_is_named() {
        let error = parse("true\nsort 'open").unwrap_err();
        assert!(error.to_string().starts_with("line 2:"), "{error}");
        assert!(parse("sort <").is_err());
        assert!(parse("sort \"\\q\"").is_err());
    }
}
