//! Folders that Parallax writes into by itself, such as `.parallax`.
//!
//! A repository can bring a `.parallax` of its own, with links in it: to write a journal through one would change a file somewhere
//! else. So a folder with a link in it is refused, and so are pipes and devices, which would be waited for.

use std::path::{Component, Path, PathBuf};

use crate::error::{Error, Result, Trying};

/// Parallax keeps nothing deeper.
const DEEPEST: usize = 64;

/// Makes a folder if need be, and refuses it if something in it leads elsewhere.
pub fn prepare(folder: &Path) -> Result<()> {
    let mut parts = folder.components();
    if parts.next() == Some(Component::Normal(".parallax".as_ref())) {
        // Nobody has named it: it must really be here.
        let mut path = PathBuf::new();
        for part in folder.components() {
            path.push(part);
            refuse(&path)?;
        }
    }
    std::fs::create_dir_all(folder)
        .trying(|| format!("cannot make the folder `{}`", folder.display()))?;
    let mut pending = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = pending.pop() {
        let unreadable = || format!("cannot list the folder `{}`", folder.display());
        for entry in std::fs::read_dir(&folder).trying(unreadable)? {
            let path = entry.trying(unreadable)?.path();
            if refuse(&path)? && depth < DEEPEST {
                pending.push((path, depth + 1));
            }
        }
    }
    Ok(())
}

/// Refuses what is neither a file nor a folder; whether it is a folder.
fn refuse(path: &Path) -> Result<bool> {
    match path.symlink_metadata() {
        Err(_) => Ok(false),
        Ok(data) if data.is_dir() => Ok(true),
        Ok(data) if data.is_file() => Ok(false),
        Ok(data) => {
            let what = if data.is_symlink() {
                "a link"
            } else {
                "no ordinary file"
            };
            Err(Error::Foreign(format!(
                "`{}` is {what}, and Parallax writes only into folders of its own; remove it, or name another folder with `--tests`",
                path.display().to_string().escape_debug()
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn what_leads_elsewhere_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let outside = root.path().join("outside");
        std::fs::create_dir(&outside).unwrap();
        std::fs::write(outside.join("file"), "content").unwrap();
        for (number, link) in ["journal", "lock", "001", "001/old/stdin"]
            .iter()
            .enumerate()
        {
            let folder = root.path().join(format!("folder{number}"));
            prepare(&folder).unwrap();
            std::fs::create_dir_all(folder.join(link).parent().unwrap()).unwrap();
            symlink(outside.join("file"), folder.join(link)).unwrap();
            let error = prepare(&folder).unwrap_err().to_string();
            assert!(
                error.contains(link) && error.contains("is a link"),
                "{error}"
            );
        }
    }
}
