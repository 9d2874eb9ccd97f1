//! The source files of the two versions, for excerpts and to find what a change was caused by.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use version_diff::report::{LineReport, Sources};

/// More files than this are not looked at for what one file includes.
const MOST_INCLUDED: usize = 200;

/// The source files on this machine, each read once.
#[derive(Default)]
pub struct SourceFiles {
    files: RefCell<HashMap<PathBuf, Option<Rc<SourceFile>>>>,
}

struct SourceFile {
    text: String,
    /// Where each line begins in the text.
    starts: Vec<usize>,
}

impl SourceFiles {
    fn read(&self, path: &Path) -> Option<Rc<SourceFile>> {
        let mut files = self.files.borrow_mut();
        let file = files.entry(path.to_owned()).or_insert_with_key(|path| {
            let bytes = build::source_text::read(path)?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let ends = text.match_indices('\n').map(|(at, _)| at + 1);
            let starts = std::iter::once(0).chain(ends).collect();
            Some(Rc::new(SourceFile { text, starts }))
        });
        file.clone()
    }

    fn file(&self, line: &LineReport) -> Option<Rc<SourceFile>> {
        self.read(&path(line))
    }

    /// One line, without the white space around it.
    pub fn line(&self, line: &LineReport) -> Option<String> {
        let index = (line.line as usize).checked_sub(1)?;
        let file = self.file(line)?;
        let start = *file.starts.get(index)?;
        let text = file.text[start..].lines().next()?;
        Some(text.trim().to_owned())
    }

    /// What the line's file includes, directly and indirectly, named like the file itself. Which folders the
    /// compiler was told to search is not known here: headers are looked for beside the file that includes
    /// them, beside the line's file, and in the usual folders above. System headers are left out.
    fn included(&self, line: &LineReport) -> Vec<(String, String)> {
        let folder = Path::new(&line.directory);
        let start = folder.join(&line.file);
        let mut seen = HashSet::from([start.clone()]);
        let mut open = vec![start.clone()];
        let mut found = Vec::new();
        while let Some(file) = open.pop() {
            let Some(including) = self.read(&file) else {
                continue;
            };
            for name in including.text.lines().filter_map(included_name) {
                let header = places(&file, &start, name).find(|path| path.is_file());
                if let Some(header) = header.filter(|header| seen.insert(header.clone()))
                    && found.len() < MOST_INCLUDED
                    && let Some(content) = self.read(&header)
                {
                    let name = header.strip_prefix(folder).unwrap_or(&header);
                    found.push((name.display().to_string(), content.text.clone()));
                    open.push(header);
                }
            }
        }
        found
    }
}

/// Where the file of a line is.
pub(crate) fn path(line: &LineReport) -> PathBuf {
    Path::new(&line.directory).join(&line.file)
}

/// `x.h` of `#include "x.h"` or `#include <x.h>`.
fn included_name(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("include")?.trim_start();
    let end = match rest.chars().next()? {
        '"' => '"',
        '<' => '>',
        _ => return None,
    };
    rest[1..].split_once(end).map(|(name, _)| name)
}

/// Where a header may be.
fn places<'a>(
    from: &'a Path,
    start: &'a Path,
    name: &'a str,
) -> impl Iterator<Item = PathBuf> + 'a {
    let beside = [from, start].into_iter().filter_map(Path::parent);
    let above = start.ancestors().skip(2).take(3);
    let usual = above.flat_map(|folder| ["", "include", "lib", "src"].map(|one| folder.join(one)));
    let folders = beside.map(Path::to_owned).chain(usual);
    folders
        .filter(|folder| folder != Path::new("/"))
        .map(move |folder| folder.join(name))
}

impl Sources for SourceFiles {
    fn old_text(&self, line: &LineReport) -> Option<String> {
        Some(self.file(line)?.text.clone())
    }

    fn new_text(&self, line: &LineReport) -> Option<String> {
        Some(self.file(line)?.text.clone())
    }

    fn old_included(&self, line: &LineReport) -> Vec<(String, String)> {
        self.included(line)
    }

    fn new_included(&self, line: &LineReport) -> Vec<(String, String)> {
        self.included(line)
    }
}
