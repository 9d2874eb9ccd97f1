//! C text as tokens, to be laid out anew.

/// C tokens; preprocessor lines are kept whole, comments are dropped.
pub fn tokens(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line_start = true;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'\n' => {
                line_start = true;
                at += 1;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'#' if line_start => {
                while at < bytes.len() && (bytes[at] != b'\n' || bytes[at - 1] == b'\\') {
                    at += 1;
                }
            }
            b'/' if bytes[at..].starts_with(b"//") => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
                continue;
            }
            b'/' if bytes[at..].starts_with(b"/*") => {
                at += 2;
                while !bytes[at..].starts_with(b"*/") {
                    at += 1;
                }
                at += 2;
                continue;
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                while at < bytes.len()
                    && (bytes[at].is_ascii_alphanumeric()
                        || matches!(bytes[at], b'_' | b'.')
                        || (matches!(bytes[at], b'+' | b'-')
                            && bytes[start].is_ascii_digit()
                            && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P')
                            && !bytes[start..at].starts_with(b"0x")))
                {
                    if bytes[at] == b'.' && !bytes[start].is_ascii_digit() {
                        break;
                    }
                    at += 1;
                }
            }
            _ => {
                const LONG: [&[u8]; 22] = [
                    b"...", b"<<=", b">>=", b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==",
                    b"!=", b"&&", b"||", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=",
                ];
                let long = LONG.iter().find(|long| bytes[at..].starts_with(long));
                at += long.map_or(1, |long| long.len());
            }
        }
        line_start = false;
        tokens.push(text[start..at].to_owned());
    }
    tokens
}

/// Joins tokens with `separator`, preprocessor lines on lines of their own.
pub fn laid_out(text: &str, separator: &str) -> String {
    let mut out = String::new();
    for token in tokens(text) {
        if token.starts_with('#') {
            out.push_str(&format!("\n{token}\n"));
        } else {
            out.push_str(&token);
            out.push_str(separator);
        }
    }
    out
}
