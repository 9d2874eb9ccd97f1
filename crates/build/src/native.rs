//! Finds native programs and libraries that `parallax cc` has built, and collects their guest modules.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::cache::Cache;
use super::error::{BuildError, IoContext, Result};
use super::parts::Parts;
use super::twin::{self, Native, Twin};
use super::{Builder, link};

/// Adds the guest modules of a native file, and of the shared libraries it needs that were built the same
/// way.
pub(super) fn collect(
    builder: &Builder,
    path: &Path,
    keep_going: bool,
    parts: &mut Parts,
) -> Result<()> {
    let mut found = NativeRecords::default();
    let mut pending = vec![path.to_owned()];
    let mut seen = Vec::new();
    while let Some(file) = pending.pop() {
        let file = file.canonicalize().context("resolve", &file)?;
        if seen.contains(&file) {
            continue;
        }
        let Some(native) = twin::read_native(&file)? else {
            continue;
        };
        pending.extend(needed_libraries(&file, path, &native));
        for name in &native.records {
            found.add(&builder.cache, name);
        }
        seen.push(file);
    }
    if found.records.is_empty() {
        return Err(BuildError::NoGuestCode {
            path: path.to_owned(),
        });
    }
    parts.files.extend(seen);
    if found.missing > 0 {
        return Err(BuildError::GuestCodeLost {
            path: path.to_owned(),
            missing: found.missing,
        });
    }
    if !found.failures.is_empty() && !keep_going {
        let messages: Vec<_> = found
            .failures
            .iter()
            .map(|(_, message)| message.as_str())
            .collect();
        return Err(BuildError::GuestDidNotCompile {
            path: path.to_owned(),
            count: found.failures.len(),
            messages: messages.join("\n"),
        });
    }
    for (source, _) in &found.failures {
        let source = source.display();
        parts.warnings.push(format!(
            "`{source}` is left out: it does not compile for the guest"
        ));
    }
    parts.warnings.append(&mut found.warnings);
    if found.modules.is_empty() {
        return Err(BuildError::NoGuestCode {
            path: path.to_owned(),
        });
    }
    let members = found.members(&builder.cache);
    let taken = link::take_members(&found.modules, &members, &builder.tools)?;
    parts.modules.extend(found.modules);
    parts.modules.extend(taken);
    Ok(())
}

/// What the records of a native file say.
#[derive(Default)]
struct NativeRecords {
    records: Vec<String>,
    modules: Vec<PathBuf>,
    /// Records of archive members that may be taken.
    available: Vec<String>,
    missing: usize,
    failures: Vec<(PathBuf, String)>,
    warnings: Vec<String>,
}

impl NativeRecords {
    fn add(&mut self, cache: &Cache, name: &str) {
        if self.records.iter().any(|known| known == name) {
            return;
        }
        self.records.push(name.to_owned());
        let Some(record) = twin::load(cache, name) else {
            self.missing += 1;
            return;
        };
        let source = record.folder.join(&record.source);
        match record.twin {
            Twin::Bitcode(hash) => {
                let module = twin::bitcode(cache, &hash);
                if !module.is_file() {
                    self.missing += 1;
                } else if !self.modules.contains(&module) {
                    self.modules.push(module);
                }
            }
            Twin::DidNotCompile(message) => self.failures.push((source, message)),
            Twin::Archive(names) => self.available.extend(names),
            Twin::Unsupported(reason) => {
                self.warnings
                    .push(format!("`{}` is left out: {reason}", source.display()));
            }
        }
    }

    /// The modules of available members that the native link did not take.
    fn members(&self, cache: &Cache) -> Vec<PathBuf> {
        let mut members = Vec::new();
        for name in &self.available {
            if let Some(Twin::Bitcode(hash)) = twin::load(cache, name).map(|record| record.twin) {
                let module = twin::bitcode(cache, &hash);
                if module.is_file() && !self.modules.contains(&module) && !members.contains(&module)
                {
                    members.push(module);
                }
            }
        }
        members
    }
}

/// Needed libraries that lie where the program would find them, or beside it, or (libtool) in `.libs`.
pub(super) fn needed_libraries(file: &Path, program: &Path, native: &Native) -> Vec<PathBuf> {
    let origin = file.parent().unwrap_or(Path::new("."));
    let mut folders: Vec<PathBuf> = native
        .library_folders
        .iter()
        .map(|folder| {
            PathBuf::from(
                folder
                    .replace("${ORIGIN}", "$ORIGIN")
                    .replace("$ORIGIN", &origin.to_string_lossy()),
            )
        })
        .collect();
    let listed = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    folders.extend(std::env::split_paths(&listed).filter(|folder| !folder.as_os_str().is_empty()));
    for folder in [Some(origin), program.parent()].into_iter().flatten() {
        folders.push(folder.to_owned());
        folders.push(folder.join(".libs"));
    }
    native
        .needed
        .iter()
        .filter_map(|name| {
            folders
                .iter()
                .map(|folder| folder.join(name))
                .find(|file| file.is_file())
        })
        .collect()
}

/// The program or library called `name` in a build folder; without a name, the only program, or else the only library.
pub(super) fn find_target(folder: &Path, name: Option<&str>) -> Result<PathBuf> {
    let mut targets = Vec::new();
    list_targets(folder, name, &mut targets)?;
    // A file of exactly this name is meant before a library of this name.
    let exact = |path: &Path| name.is_some_and(|name| path.file_name() == Some(OsStr::new(name)));
    if targets.iter().any(|target| exact(&target.path)) {
        targets.retain(|target| exact(&target.path));
    }
    // The same content under several names or places (installed copies, libtool) is one target.
    let mut distinct: Vec<Target> = Vec::new();
    for target in targets {
        if !distinct.iter().any(|known| known.records == target.records) {
            distinct.push(target);
        }
    }
    // A library beside the one program is a part of it.
    if name.is_none() && distinct.iter().filter(|target| target.program).count() == 1 {
        distinct.retain(|target| target.program);
    }
    let relative = |path: &Path| {
        path.strip_prefix(folder)
            .unwrap_or(path)
            .display()
            .to_string()
    };
    let names = || {
        distinct
            .iter()
            .map(|target| relative(&target.path))
            .collect::<Vec<_>>()
    };
    match (distinct.as_slice(), name) {
        ([only], _) => Ok(only.path.clone()),
        ([], Some(name)) => {
            let mut all = Vec::new();
            list_targets(folder, None, &mut all)?;
            Err(BuildError::UnknownTarget {
                folder: folder.to_owned(),
                name: name.to_owned(),
                candidates: all.iter().map(|target| relative(&target.path)).collect(),
            })
        }
        ([], None) => Err(BuildError::UnknownInput {
            path: folder.to_owned(),
            reason: "the folder has no Cargo.toml, no compile_commands.json and nothing that `parallax cc` built"
                .to_owned(),
        }),
        (_, None) => Err(BuildError::ChooseTarget {
            problem: format!("`{}` holds several programs or libraries", folder.display()),
            candidates: names(),
        }),
        (_, Some(name)) => Err(BuildError::ChooseTarget {
            problem: format!("several files in `{}` are called `{name}`", folder.display()),
            candidates: names(),
        }),
    }
}

/// A linked file with guest code.
struct Target {
    path: PathBuf,
    records: Vec<String>,
    program: bool,
}

/// Those below `folder`, in a fixed order.
fn list_targets(folder: &Path, name: Option<&str>, targets: &mut Vec<Target>) -> Result<()> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).context("list", folder)? {
        paths.push(entry.context("list", folder)?.path());
    }
    paths.sort();
    for path in paths {
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            if path.file_name() != Some(OsStr::new(".git")) {
                list_targets(&path, name, targets)?;
            }
        } else if path.is_file()
            && name.is_none_or(|name| is_called(folder, &path, name))
            && let Some(native) = twin::read_native(&path)?
            && native.linked
            && !native.records.is_empty()
        {
            targets.push(Target {
                path,
                records: native.records,
                program: native.program,
            });
        }
    }
    Ok(())
}

/// `name` may be the file name, a path's end, or a library's name without `lib` and suffix.
fn is_called(folder: &Path, path: &Path, name: &str) -> bool {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let library = file
        .strip_prefix("lib")
        .and_then(|rest| rest.strip_prefix(name));
    file == name
        || path == folder.join(name)
        || library.is_some_and(|rest| rest == ".a" || rest.starts_with(".so"))
}
