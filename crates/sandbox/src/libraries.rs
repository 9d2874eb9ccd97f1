//! Shared libraries that a program needs and that are not in the system's folders.
//!
//! They are found as the dynamic linker does: by the run paths of the executable and of the libraries themselves. An executable may name
//! any file so, to read it in the sandbox. So only shared libraries count (no dumps, objects and the like), and of these only those that
//! everybody can read, or that lie where the work is.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use object::Endianness;
use object::elf::{DT_NEEDED, DT_RPATH, DT_RUNPATH, ET_DYN, FileHeader64};
use object::read::ReadCache;
use object::read::elf::{Dyn, FileHeader};

/// Of more libraries than this, nobody has heard.
const MOST: usize = 200;

/// What everybody may do with a file, and with a folder on the way to it.
const READ_BY_OTHERS: u32 = 0o004;
const ENTERED_BY_OTHERS: u32 = 0o001;

/// `own` are folders where a library need not be for everybody to read.
pub(crate) fn of(executable: &Path, own: &[PathBuf]) -> Vec<PathBuf> {
    let own = own.iter().filter_map(|folder| folder.canonicalize().ok());
    let own: Vec<PathBuf> = own.collect();
    let mut found = BTreeSet::new();
    let mut pending = vec![(executable.to_owned(), Vec::new())];
    while let Some((file, inherited)) = pending.pop() {
        let Some(said) = Said::by(&file) else {
            continue;
        };
        let mut folders = said.folders;
        folders.extend(inherited);
        for name in said.needed {
            let outside = folders.iter().map(|folder| folder.join(&name));
            let outside = outside.filter(|path| !is_of_the_system(path));
            let library = outside.into_iter().find(|path| is_library(path, &own));
            if let Some(library) = library
                && found.len() < MOST
                && found.insert(library.clone())
            {
                pending.push((library, folders.clone()));
            }
        }
    }
    found.into_iter().collect()
}

fn is_library(path: &Path, own: &[PathBuf]) -> bool {
    // Where links lead.
    let Ok(path) = path.canonicalize() else {
        return false;
    };
    let may_be_shown = own.iter().any(|folder| path.starts_with(folder)) || is_open(&path);
    may_be_shown && Said::by(&path).is_some_and(|said| said.is_library)
}

/// Whether everybody can read a file.
fn is_open(path: &Path) -> bool {
    let allows = |path: &Path, what| path.metadata().is_ok_and(|data| data.mode() & what == what);
    allows(path, READ_BY_OTHERS)
        && path
            .ancestors()
            .skip(1)
            .all(|folder| allows(folder, ENTERED_BY_OTHERS))
}

fn is_of_the_system(path: &Path) -> bool {
    let folders = crate::launcher::SYSTEM_FOLDERS.iter();
    folders.into_iter().any(|folder| path.starts_with(folder))
}

/// What an ELF file says of libraries.
struct Said {
    /// It is one itself.
    is_library: bool,
    needed: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Said {
    /// Nothing if it is no ELF file.
    fn by(file: &Path) -> Option<Said> {
        // A pipe would be waited for.
        if !std::fs::metadata(file).ok()?.is_file() {
            return None;
        }
        let data = &ReadCache::new(File::open(file).ok()?);
        let header = FileHeader64::<Endianness>::parse(data).ok()?;
        let endian = header.endian().ok()?;
        let sections = header.sections(endian, data).ok()?;
        let mut said = Said {
            is_library: false,
            needed: Vec::new(),
            folders: Vec::new(),
        };
        let Some((entries, strings)) = sections.dynamic(endian, data).ok()? else {
            return Some(said);
        };
        said.is_library = header.e_type(endian) == ET_DYN;
        let strings = sections.strings(endian, data, strings).ok()?;
        for entry in entries {
            let Some(tag) = entry.tag32(endian) else {
                continue;
            };
            let text = entry.val32(endian).and_then(|at| strings.get(at).ok());
            let Some(text) = text else { continue };
            match tag {
                DT_NEEDED if !text.contains(&b'/') => {
                    said.needed.push(OsStr::from_bytes(text).into());
                }
                DT_RPATH | DT_RUNPATH => {
                    let here = file.parent().unwrap_or(Path::new("/"));
                    let parts = text.split(|&byte| byte == b':');
                    said.folders
                        .extend(parts.filter_map(|part| folder(part, here)));
                }
                _ => {}
            }
        }
        Some(said)
    }
}

/// A folder of a run path; `$ORIGIN` is the one that the file lies in.
fn folder(part: &[u8], here: &Path) -> Option<PathBuf> {
    for origin in [&b"$ORIGIN"[..], b"${ORIGIN}"] {
        if let Some(rest) = part.strip_prefix(origin) {
            let rest = rest.strip_prefix(b"/").unwrap_or(rest);
            return Some(here.join(OsStr::from_bytes(rest)));
        }
    }
    part.starts_with(b"/")
        .then(|| PathBuf::from(OsStr::from_bytes(part)))
}

#[cfg(test)]
mod tests {
    use std::fs::{Permissions, create_dir, set_permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    fn set_mode(path: &Path, mode: u32) {
        set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    fn compile(folder: &Path, flags: &[&str], output: &str) {
        let made = Command::new("clang-22")
            .args(["-x", "c", "-", "-w", "-o", output])
            .args(flags)
            .stdin(File::open(folder.join("source")).unwrap())
            .current_dir(folder)
            .status();
        assert!(made.unwrap().success(), "{output}");
    }

    #[test]
    fn a_file_that_is_no_library_or_not_for_others_is_not_shown() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        set_mode(&place, 0o755);
        let [work, other] = ["work", "other"].map(|name| place.join(name));
        for folder in [&work, &other] {
            create_dir(folder).unwrap();
            set_mode(folder, 0o755);
            std::fs::write(folder.join("source"), "int f(void) { return 1; }").unwrap();
            compile(folder, &["-shared", "-fPIC"], "libown.so");
        }
        // A library for the linker; what stands in its place later is another file.
        compile(&other, &["-shared", "-fPIC"], "libobject.so");
        let run_path = format!("-Wl,-rpath,{}", other.display());
        std::fs::write(
            work.join("source"),
            "int f(void); int main(void) { return f(); }",
        )
        .unwrap();
        let link = ["-L../other", "-Wl,--no-as-needed", &run_path];
        compile(
            &work,
            &[&link[..], &["-lown", "-lobject"]].concat(),
            "program",
        );
        compile(&other, &["-c"], "libobject.so");
        let program = work.join("program");
        let shown = |own: &[PathBuf]| of(&program, own);
        let library = other.join("libown.so");
        set_mode(&library, 0o644);
        assert_eq!(shown(&[]), std::slice::from_ref(&library));
        set_mode(&library, 0o640);
        assert!(shown(&[]).is_empty());
        assert_eq!(
            shown(std::slice::from_ref(&place)),
            std::slice::from_ref(&library)
        );
        assert!(shown(std::slice::from_ref(&work)).is_empty());
        // As private as the folder that it lies in.
        set_mode(&library, 0o644);
        set_mode(&other, 0o750);
        assert!(shown(&[]).is_empty());
        // A link out of the folder makes nothing its own.
        set_mode(&other, 0o755);
        set_mode(&library, 0o640);
        std::fs::rename(&library, place.join("private.so")).unwrap();
        symlink("../private.so", &library).unwrap();
        assert!(shown(std::slice::from_ref(&other)).is_empty());
    }
}
