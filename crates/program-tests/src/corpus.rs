//! Finds the test programs below `tests/`.

use std::io;
use std::path::{Path, PathBuf};

/// One program file and the name its test carries, such as `c/integers/shifts`.
#[derive(Clone, Debug)]
pub struct Program {
    pub name: String,
    pub source: PathBuf,
    pub language: Language,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Rust,
}

/// The programs that must behave in the VM as they do natively.
pub fn programs() -> io::Result<Vec<Program>> {
    collect(&tests_folder().join("programs"))
}

/// The programs with one error each.
pub fn misbehaving() -> io::Result<Vec<Program>> {
    collect(&tests_folder().join("misbehaving"))
}

/// Small programs whose inputs can all be enumerated.
pub fn explored() -> io::Result<Vec<Program>> {
    collect(&tests_folder().join("explore/small"))
}

/// Programs with one memory error each that only a rare input shows.
pub fn seeded_bugs() -> io::Result<Vec<Program>> {
    collect(&tests_folder().join("explore/bugs"))
}

/// What the speed of exploration is measured on.
pub fn exploration_benchmarks() -> io::Result<Vec<Program>> {
    collect(&tests_folder().join("explore/bench"))
}

/// The `tests` folder at the root of the repository.
pub fn tests_folder() -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = crate_folder.ancestors().nth(2).unwrap_or(crate_folder);
    root.join("tests")
}

fn collect(root: &Path) -> io::Result<Vec<Program>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            let language = match path.extension().and_then(|e| e.to_str()) {
                Some("c") => Language::C,
                Some("rs") => Language::Rust,
                _ if path.is_dir() => {
                    folders.push(path);
                    continue;
                }
                _ => continue,
            };
            let name = path.strip_prefix(root).unwrap_or(&path).with_extension("");
            found.push(Program {
                name: name.to_string_lossy().into_owned(),
                source: path,
                language,
            });
        }
    }
    found.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_has_its_promised_size() {
        let programs = programs().unwrap();
        let count = |language| programs.iter().filter(|p| p.language == language).count();
        assert!(
            count(Language::C) >= 120,
            "{} C programs",
            count(Language::C)
        );
        assert!(
            count(Language::Rust) >= 15,
            "{} Rust programs",
            count(Language::Rust)
        );
        let misbehaving = misbehaving().unwrap();
        assert!(misbehaving.len() >= 25, "{} misbehaving", misbehaving.len());
        let in_rust = |program: &&Program| program.language == Language::Rust;
        let rust = misbehaving.iter().filter(in_rust).count();
        assert!(rust >= 5, "{rust} misbehaving Rust programs");
        let (explored, bugs) = (explored().unwrap(), seeded_bugs().unwrap());
        assert!(explored.len() >= 40, "{} explored", explored.len());
        assert!(bugs.len() >= 20, "{} seeded bugs", bugs.len());
    }
}
