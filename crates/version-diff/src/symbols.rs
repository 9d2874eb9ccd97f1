//! Symbol names without what compilers and linkers add to keep them apart.

/// The part of a symbol that the programmer chose. Dropped are the number that a linker
/// appends to the second of two local symbols (`helper.12`), and the hashes by which
/// Rust tells crates and their versions apart.
pub fn base_name(symbol: &str) -> String {
    let without_number = strip_number(symbol);
    if let Some(rest) = without_number.strip_prefix("_ZN")
        && let Some(legacy) = strip_legacy_rust_hash(rest)
    {
        return format!("_ZN{legacy}");
    }
    if without_number.starts_with("_R") {
        return strip_crate_disambiguators(without_number);
    }
    without_number.to_owned()
}

/// A symbol as the programmer would write it: of a Rust symbol its path, without the hashes; any other as it
/// is.
pub fn readable(symbol: &str) -> String {
    match rust_path(symbol) {
        Some(path) => path,
        None => symbol.to_owned(),
    }
}

/// The path that a Rust symbol stands for, as `<shapes::Square as shapes::Shape>::area`.
pub fn rust_path(symbol: &str) -> Option<String> {
    let demangled = rustc_demangle::try_demangle(strip_number(symbol)).ok()?;
    Some(format!("{demangled:#}"))
}

/// `name.12.3` without the trailing numbers; a name that is nothing else stays.
fn strip_number(symbol: &str) -> &str {
    let mut name = symbol;
    while let Some((head, tail)) = name.rsplit_once('.') {
        let numeric = !tail.is_empty() && tail.bytes().all(|byte| byte.is_ascii_digit());
        if !numeric || head.is_empty() {
            break;
        }
        name = head;
    }
    name
}

/// `…17h0123456789abcdefE` without the hash.
fn strip_legacy_rust_hash(mangled: &str) -> Option<&str> {
    let body = mangled.strip_suffix('E')?;
    let split = body.len().checked_sub(19)?;
    let hash = body.get(split..)?.strip_prefix("17h")?;
    let is_hash = hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| &body[..split])
}

/// `_RNvCs1234_7mycrate3foo` as `_RNvC7mycrate3foo`.
fn strip_crate_disambiguators(mangled: &str) -> String {
    let mut name = String::with_capacity(mangled.len());
    let mut rest = mangled;
    while let Some(at) = rest.find("Cs") {
        let (before, after) = rest.split_at(at + 1);
        name.push_str(before);
        let digits = after[1..]
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .count();
        if after.as_bytes().get(digits + 1) == Some(&b'_') {
            rest = &after[digits + 2..];
        } else {
            rest = after;
        }
    }
    name.push_str(rest);
    name
}

/// The last component of a path: the two versions lie in different folders.
pub fn file_stem(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a compiler made this name up, so that it says nothing about which global of
/// the other version it is: string literals, initialisers of local aggregates, Rust's
/// promoted constants.
pub fn is_made_up(symbol: &str) -> bool {
    const PREFIXES: [&str; 7] = [
        ".",
        "str.",
        "__const.",
        "alloc_",
        "anon.",
        "vtable.",
        "switch.table.",
    ];
    symbol.is_empty() || symbol == "str" || PREFIXES.iter().any(|prefix| symbol.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_symbols_are_read() {
        assert_eq!(readable("helper"), "helper");
        assert_eq!(readable("_ZN4demo3run17h0123456789abcdefE.12"), "demo::run");
        assert_eq!(
            readable("_RNvXCs1aB_4demoNtB2_2SqNtB2_5Shape4area"),
            "<demo::Sq as demo::Shape>::area"
        );
    }

    #[test]
    fn linker_numbers_and_rust_hashes_are_dropped() {
        assert_eq!(base_name("helper"), "helper");
        assert_eq!(base_name("helper.12"), "helper");
        assert_eq!(base_name("run.counter.3"), "run.counter");
        assert_eq!(base_name(".5"), ".5");
        assert_eq!(
            base_name("_ZN4demo3run17h0123456789abcdefE"),
            base_name("_ZN4demo3run17hfedcba9876543210E")
        );
        assert_eq!(
            base_name("_RNvCs1aB_4demo3run"),
            base_name("_RNvCsz9_4demo3run")
        );
        assert_ne!(
            base_name("_RNvCs1aB_4demo3run"),
            base_name("_RNvCs1aB_4demo4walk")
        );
    }
}
