//! Ties native objects to their guest twins.
//!
//! Each object that `parallax cc` compiles gets a section with one line: the name of a record in the
//! cache. Archivers, `mv` and `ld -r` keep sections, and linkers concatenate them, so any executable or
//! library says by itself which guest modules it consists of, down to the archive members that were
//! really pulled in. The section is not loaded and changes nothing in the program.

use std::fs;
use std::path::{Path, PathBuf};

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection};
use sandbox::{Limit, Limits};
use serde::{Deserialize, Serialize};

use super::cache::{Cache, Key, hash_bytes};
use super::error::{BuildError, IoContext, Result};

/// Name of the section. Not a C identifier, so linkers define no start and stop symbols for it.
pub const SECTION: &str = ".parallax.twins";

const KIND: &str = "twins";
const NAME_LENGTH: usize = 32;
const RECORD_KEY: &str = "twin 1";

/// What is known about the guest twin of one compiled source.
#[derive(Debug, Serialize, Deserialize)]
pub struct Record {
    pub folder: PathBuf,
    pub source: PathBuf,
    pub arguments: Vec<String>,
    pub twin: Twin,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Twin {
    /// Content hash of the bitcode, which lies in the cache under that name.
    Bitcode(String),
    /// The guest compiler's own words.
    DidNotCompile(String),
    /// Not a source: the names of the records of a static archive's members that a link could have
    /// taken. The unoptimised guest calls what the native compiler has inlined, so it may need members
    /// that the native link left out.
    Archive(Vec<String>),
    /// There is no way yet to have guest code for this source.
    Unsupported(String),
}

/// Stores a record, with its bitcode if there is any, and returns its name.
pub fn store(cache: &Cache, mut record: Record, bitcode: Option<&Path>) -> Result<String> {
    if let Some(path) = bitcode {
        let bytes = fs::read(path).context("read", path)?;
        let hash = hash_bytes(&bytes);
        cache.publish_bytes(&bytes, KIND, &format!("{hash}.bc"))?;
        record.twin = Twin::Bitcode(hash);
    }
    let json = serde_json::to_vec_pretty(&record).expect("a record is plain data");
    let name = Key::new(RECORD_KEY).add(&json).finish();
    cache.publish_bytes(&json, KIND, &format!("{name}.json"))?;
    Ok(name)
}

/// No record or module is larger.
const MOST_BYTES: u64 = 256 << 20;

/// Takes over what a build has stored in a cache of its own. Anything may lie there; only what its name, a hash of its content, speaks
/// for is taken, so that nothing can be passed off as the code of another version. Together it is no more than a build may write: files
/// with holes take less room there than here.
pub(super) fn take_over(from: &Cache, to: &Cache) -> Result<()> {
    let folder = from.root().join(KIND);
    let mut left = Limits::OF_BUILDS.folder_bytes;
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let data = path.symlink_metadata().ok();
        let data = data.filter(|data| data.is_file() && data.len() <= MOST_BYTES);
        let name = entry.file_name();
        let (Some(name), Some(data)) = (name.to_str(), data) else {
            continue;
        };
        left = left
            .checked_sub(data.len())
            .ok_or_else(|| BuildError::BuildSandbox {
                why: Limit::Folder.describe_for_a_build().to_owned(),
            })?;
        let bytes = fs::read(&path).context("read", &path)?;
        let meant = match name.rsplit_once('.') {
            Some((stem, "json")) => stem == Key::new(RECORD_KEY).add(&bytes).finish(),
            Some((stem, "bc")) => stem == hash_bytes(&bytes),
            _ => false,
        };
        if meant {
            to.publish_bytes(&bytes, KIND, name)?;
        }
    }
    Ok(())
}

pub fn load(cache: &Cache, name: &str) -> Option<Record> {
    let bytes = fs::read(cache.entry(KIND, &format!("{name}.json"))).ok()?;
    serde_json::from_slice(&bytes).ok()
}

pub fn bitcode(cache: &Cache, hash: &str) -> PathBuf {
    cache.entry(KIND, &format!("{hash}.bc"))
}

/// The section's content for these records.
pub fn section_content(names: &[String]) -> String {
    names.iter().map(|name| format!("{name}\n")).collect()
}

/// What a native file is, as far as its twins are concerned.
#[derive(Debug, Default)]
pub struct Native {
    /// Names of records, in link order, without repetition.
    pub records: Vec<String>,
    /// Shared libraries it needs.
    pub needed: Vec<String>,
    /// Folders where it looks for them.
    pub library_folders: Vec<String>,
    pub linked: bool,
    /// Linked to be run, not to be linked with.
    pub program: bool,
}

/// Reads an object, archive, executable or shared library; nothing if it is none of these.
pub fn read_native(path: &Path) -> Result<Option<Native>> {
    let bytes = fs::read(path).context("read", path)?;
    if bytes.starts_with(b"\x7fELF") {
        return Ok(read_elf(&bytes));
    }
    if bytes.starts_with(b"!<arch>\n") || bytes.starts_with(b"!<thin>\n") {
        return read_archive(path, &bytes).map(Some);
    }
    Ok(None)
}

fn read_elf(bytes: &[u8]) -> Option<Native> {
    let file = object::File::parse(bytes).ok()?;
    let mut native = Native {
        linked: matches!(
            file.kind(),
            object::ObjectKind::Executable | object::ObjectKind::Dynamic
        ),
        program: file.kind() == object::ObjectKind::Executable
            || file.section_by_name(".interp").is_some(),
        ..Native::default()
    };
    if let Some(content) = file
        .section_by_name(SECTION)
        .and_then(|section| section.data().ok())
    {
        add_records(&mut native.records, content);
    }
    if native.linked {
        let _ = read_dynamic(bytes, &mut native);
    }
    Some(native)
}

fn read_dynamic(bytes: &[u8], native: &mut Native) -> object::read::Result<()> {
    use object::elf;
    use object::read::elf::{Dyn, FileHeader};
    let header = elf::FileHeader64::<object::LittleEndian>::parse(bytes)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, bytes)?;
    let Some((entries, link)) = sections.dynamic(endian, bytes)? else {
        return Ok(());
    };
    let strings = sections.strings(endian, bytes, link)?;
    for entry in entries {
        let text = |entry: &elf::Dyn64<_>| {
            let name = entry.string(endian, strings).unwrap_or_default();
            String::from_utf8_lossy(name).into_owned()
        };
        match entry.tag32(endian) {
            Some(elf::DT_NEEDED) => native.needed.push(text(entry)),
            Some(elf::DT_RUNPATH | elf::DT_RPATH) => {
                native
                    .library_folders
                    .extend(text(entry).split(':').map(str::to_owned));
            }
            _ => {}
        }
    }
    Ok(())
}

fn read_archive(path: &Path, bytes: &[u8]) -> Result<Native> {
    let damaged = |error: object::Error| BuildError::UnknownInput {
        path: path.to_owned(),
        reason: format!("the archive is damaged ({error})"),
    };
    let archive = ArchiveFile::parse(bytes).map_err(damaged)?;
    let mut native = Native {
        linked: true,
        ..Native::default()
    };
    for member in archive.members() {
        let member = member.map_err(damaged)?;
        let part = if member.is_thin() {
            let name = String::from_utf8_lossy(member.name()).into_owned();
            read_native(&path.with_file_name(name))?
        } else {
            read_elf(member.data(bytes).map_err(damaged)?)
        };
        for name in part.unwrap_or_default().records {
            if !native.records.contains(&name) {
                native.records.push(name);
            }
        }
    }
    Ok(native)
}

/// Linkers may pad between contributions, so names are taken by shape.
fn add_records(records: &mut Vec<String>, content: &[u8]) {
    for word in content.split(|byte| !byte.is_ascii_hexdigit()) {
        if word.len() == NAME_LENGTH {
            let name = String::from_utf8_lossy(word).into_owned();
            if !records.contains(&name) {
                records.push(name);
            }
        }
    }
}
