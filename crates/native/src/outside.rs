//! What a run does, or tries to do, outside of its working folder. Only for people who are about to run the program with their own
//! rights: it is not compared, and not kept with a test.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use concolic_vm::linux::{Kernel, MOST_NAMED};
use serde::{Deserialize, Serialize};

/// Names of files outside of the working folder, as the program has them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Outside {
    /// They are made, changed or removed, or that was tried.
    pub changed: BTreeSet<Vec<u8>>,
    /// They are only looked for. What the C library looks for by itself is left out.
    pub looked_for: BTreeSet<Vec<u8>>,
}

impl Outside {
    pub fn of(kernel: &Kernel, working_folder: &[u8]) -> Outside {
        let is_outside = |path: &&Vec<u8>| {
            relative(path, working_folder).is_none() && !is_above(path, working_folder)
        };
        let named = kernel.named_outside();
        let kept = |names: &BTreeSet<Vec<u8>>| -> BTreeSet<Vec<u8>> {
            names.iter().filter(is_outside).cloned().collect()
        };
        let mut changed = kept(&named.to_change);
        let places: BTreeSet<PathBuf> = changed
            .iter()
            .map(|name| place(name, working_folder))
            .collect();
        let changes = kernel.file_changes().into_iter().map(|change| change.path);
        let is_named = |path: &Vec<u8>| places.contains(Path::new(OsStr::from_bytes(path)));
        // A folder above changes with what is in it.
        changed.extend(changes.filter(|path| is_outside(&path) && !is_named(path)));
        let mut looked_for = kept(&named.to_look_at);
        looked_for.retain(|path| !changed.contains(path));
        Outside {
            changed,
            looked_for,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.looked_for.is_empty()
    }

    /// What either of two runs does.
    pub fn both(&self, other: &Outside) -> Outside {
        let changed: BTreeSet<Vec<u8>> = self.changed.union(&other.changed).cloned().collect();
        let looked_for = self.looked_for.union(&other.looked_for);
        let looked_for = looked_for.filter(|path| !changed.contains(*path));
        Outside {
            looked_for: looked_for.cloned().collect(),
            changed,
        }
    }

    /// The same as lines of a comment, without its marks: a warning, and a name in each line. No name ends a line.
    pub fn warning(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let groups = [
            (
                &self.changed,
                "CAREFUL: on this input the program changes files outside its folder, or tries to:",
            ),
            (
                &self.looked_for,
                "On this input the program looks for files outside its folder:",
            ),
        ];
        for (names, heading) in groups {
            if names.is_empty() {
                continue;
            }
            lines.push(heading.to_owned());
            let shown = names.iter().take(MOST_NAMED);
            lines.extend(shown.map(|name| format!("  {}", name.escape_ascii())));
            if names.len() >= MOST_NAMED {
                lines.push("  and maybe others".to_owned());
            }
        }
        lines
    }
}

/// Where a name leads from the working folder, as far as no link is on the way.
fn place(name: &[u8], working_folder: &[u8]) -> PathBuf {
    let mut place = PathBuf::new();
    let whole = Path::new(OsStr::from_bytes(working_folder)).join(OsStr::from_bytes(name));
    for part in whole.components() {
        match part {
            Component::ParentDir => {
                place.pop();
            }
            Component::CurDir => {}
            part => place.push(part),
        }
    }
    place
}

fn is_above(path: &[u8], folder: &[u8]) -> bool {
    Path::new(OsStr::from_bytes(folder)).starts_with(OsStr::from_bytes(path))
}

/// The path of something in a folder, from that folder on; nothing if it leaves the folder.
pub fn relative(path: &[u8], folder: &[u8]) -> Option<PathBuf> {
    let path = Path::new(OsStr::from_bytes(path));
    let name = path.strip_prefix(OsStr::from_bytes(folder)).ok()?;
    let plain = name
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    (plain && name != Path::new("")).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> BTreeSet<Vec<u8>> {
        names.iter().map(|name| name.as_bytes().to_vec()).collect()
    }

    #[test]
    fn a_name_cannot_end_its_line_of_a_warning() {
        let outside = Outside {
            changed: names(&["/srv/a\nrm -rf ~", "/srv/\u{202e}b\x1b[2J"]),
            looked_for: names(&["../c"]),
        };
        let warning = outside.warning();
        assert_eq!(warning.len(), 5, "{warning:?}");
        let is_plain = |line: &String| line.chars().all(|c| c == ' ' || c.is_ascii_graphic());
        assert!(warning.iter().all(is_plain), "{warning:?}");
        assert!(Outside::default().warning().is_empty());
    }

    #[test]
    fn what_one_version_changes_the_other_may_look_for() {
        let one = Outside {
            changed: names(&["/srv/a"]),
            ..Outside::default()
        };
        let other = Outside {
            looked_for: names(&["/srv/a", "/srv/b"]),
            ..Outside::default()
        };
        let both = one.both(&other);
        assert_eq!(both.changed, names(&["/srv/a"]));
        assert_eq!(both.looked_for, names(&["/srv/b"]));
    }

    #[test]
    fn a_folder_is_not_above_for_the_letters_it_begins_with() {
        assert!(is_above(b"/home", b"/home/user"));
        assert!(!is_above(b"/home/us", b"/home/user"));
        assert_eq!(place(b".././x/../y", b"/home/user"), Path::new("/home/y"));
        assert_eq!(place(b"/../srv", b"/home/user"), Path::new("/srv"));
        assert_eq!(relative(b"/home/user/../x", b"/home/user"), None);
        assert_eq!(relative(b"/home/user/x", b"/home/user"), Some("x".into()));
    }
}
