//! The folder of a comparison: examples of differences, and the journal that the next comparison goes on from.

use std::fs::File;
use std::path::{Path, PathBuf};

use build::cache::Cache;
use concolic_vm::symbolic::SymbolicInput;
use exploration::InputSpace;

use super::Prepared;
use super::journal_file::JOURNAL;
use super::kept::{self, Compared, Kept, SLICES};
use crate::error::{During, Result, Trying};
use crate::observer::{Event, Observer};
use crate::spec::{SearchSpec, Spec};

pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    was_there: bool,
}

impl Folder {
    /// A folder that cannot be used is better known before the search than after it.
    pub(super) fn make(path: PathBuf) -> Result<Folder> {
        let was_there = path.exists();
        native::own_folder::prepare(&path)
            .during(|| format!("cannot make the folder `{}` for tests", path.display()))?;
        Ok(Folder { path, was_there })
    }

    /// Removes it if this comparison made it and left nothing there.
    pub(crate) fn tidy(&self, has_examples: bool) {
        if !has_examples && !self.was_there {
            let _ = std::fs::remove_dir(&self.path);
        }
    }
}

/// What an earlier comparison left, and where this one writes. The folder stays locked as long as this lives.
#[derive(Default)]
pub(crate) struct Journals {
    pub(crate) search: Option<Kept>,
    /// Of the proof beside the search.
    pub(crate) proof: Option<Kept>,
    _lock: Option<File>,
}

impl Journals {
    pub(super) fn open(
        folder: &Folder,
        compared: &Compared,
        shapes: &[SymbolicInput],
        search: &SearchSpec,
        observer: &dyn Observer,
    ) -> Result<Journals> {
        let lock = kept::lock(&folder.path)?;
        let (whole, sliced) = (folder.path.join(JOURNAL), folder.path.join(SLICES));
        let path = match search.slices {
            true => &sliced,
            false => &whole,
        };
        let say = |why: &_| observer.event(Event::JournalNotUsed { journal: path, why });
        let kept = Kept::open(path, compared, shapes, search.fresh, say)?;
        // Of the proof beside the search nothing is said.
        let beside = search.proof_beside;
        let beside = beside.then(|| Kept::open(&sliced, compared, shapes, search.fresh, |_| ()));
        Ok(Journals {
            search: Some(kept),
            proof: beside.transpose()?,
            _lock: Some(lock),
        })
    }
}

impl Journals {
    /// Those of a round of a search whose folder is locked: what was proved within these bounds stays proved. Without them a
    /// round begins anew. A round has a number, and may have been begun before by the same comparison.
    pub(crate) fn of_round(
        cache: &Cache,
        prepared: &Prepared,
        spec: &Spec,
        (number, is_again): (usize, bool),
        (space, shapes): (&InputSpace, &[SymbolicInput]),
    ) -> Journals {
        let harness = &*prepared.harness;
        let names = &prepared.names;
        let search = &spec.search;
        let open = |name: &str| {
            let compared =
                Compared::new(cache, spec, names, &prepared.hashes, space, harness).ok()?;
            let name = match number {
                0 => name.to_owned(),
                later => format!("{name}-{}", later + 1),
            };
            let path = prepared.folder.path.join(name);
            let fresh = search.fresh && !is_again;
            Kept::open(&path, &compared, shapes, fresh, |_| ()).ok()
        };
        let first = if search.slices { SLICES } else { JOURNAL };
        Journals {
            search: open(first),
            proof: match search.proof_beside {
                true => open(SLICES),
                false => None,
            },
            _lock: None,
        }
    }
}

/// Removes the examples of an earlier comparison, and nothing else.
pub(super) fn remove_examples(folder: &Path, names: &[&str]) -> Result<()> {
    for number in 1.. {
        let place = folder.join(format!("{number:03}"));
        if !is_test_pair(&place) && !has_test_pairs(&place, names) {
            return Ok(());
        }
        std::fs::remove_dir_all(&place)
            .trying(|| format!("cannot remove the earlier example `{}`", place.display()))?;
    }
    Ok(())
}

fn is_test_pair(place: &Path) -> bool {
    place.join("old/argv").is_file() && place.join("new/argv").is_file()
}

/// Whether a folder holds examples for each two of several versions.
fn has_test_pairs(place: &Path, names: &[&str]) -> bool {
    let inside = std::fs::read_dir(place).into_iter().flatten().flatten();
    let mut inside = inside.map(|entry| (entry.file_name(), entry.path()));
    let are_versions = |name: &str| {
        let both = name.split_once('-');
        both.is_some_and(|(one, other)| names.contains(&one) && names.contains(&other))
    };
    inside.any(|(name, path)| name.to_str().is_some_and(are_versions) && is_test_pair(&path))
}
