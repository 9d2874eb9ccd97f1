//! Shared libraries that a program needs and that are not in the system's folders.
//!
//! They are found as the dynamic linker does: by the run paths of the executable and of the libraries themselves. Only ELF files count,
//! so that an executable cannot name a private file as its library and read it in the sandbox.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use object::Endianness;
use object::elf::{DT_NEEDED, DT_RPATH, DT_RUNPATH, FileHeader64};
use object::read::ReadCache;
use object::read::elf::{Dyn, FileHeader};

/// Of more libraries than this, nobody has heard.
const MOST: usize = 200;

pub(crate) fn of(executable: &Path) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    let mut pending = vec![(executable.to_owned(), Vec::new())];
    while let Some((file, inherited)) = pending.pop() {
        let Some((needed, mut folders)) = needs(&file) else {
            continue;
        };
        folders.extend(inherited);
        for name in needed {
            let outside = folders.iter().map(|folder| folder.join(&name));
            let outside = outside.filter(|path| !is_of_the_system(path));
            let library = outside.into_iter().find(|path| needs(path).is_some());
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

fn is_of_the_system(path: &Path) -> bool {
    let folders = crate::launcher::SYSTEM_FOLDERS.iter();
    folders.into_iter().any(|folder| path.starts_with(folder))
}

/// The names of the libraries that an ELF file needs, and the folders that it names; nothing if it is none.
fn needs(file: &Path) -> Option<(Vec<PathBuf>, Vec<PathBuf>)> {
    // A pipe would be waited for.
    if !std::fs::metadata(file).ok()?.is_file() {
        return None;
    }
    let data = &ReadCache::new(File::open(file).ok()?);
    let header = FileHeader64::<Endianness>::parse(data).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.sections(endian, data).ok()?;
    let (mut needed, mut folders) = (Vec::new(), Vec::new());
    let Some((entries, strings)) = sections.dynamic(endian, data).ok()? else {
        return Some((needed, folders));
    };
    let strings = sections.strings(endian, data, strings).ok()?;
    for entry in entries {
        let Some(tag) = entry.tag32(endian) else {
            continue;
        };
        let text = entry.val32(endian).and_then(|at| strings.get(at).ok());
        let Some(text) = text else { continue };
        match tag {
            DT_NEEDED if !text.contains(&b'/') => needed.push(OsStr::from_bytes(text).into()),
            DT_RPATH | DT_RUNPATH => {
                let here = file.parent().unwrap_or(Path::new("/"));
                let parts = text.split(|&byte| byte == b':');
                folders.extend(parts.filter_map(|part| folder(part, here)));
            }
            _ => {}
        }
    }
    Some((needed, folders))
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
