//! A build with sanitizers of a program that `parallax cc` has built.
//!
//! The program's records name each source with its folder and arguments, so it can be compiled once more,
//! without the project's own build. What it was linked from archives is put into an archive again; shared
//! libraries of the system are linked by the names that the program asks for. Sources that have changed
//! since the program was built would make another program, and are refused.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::boxed;
use super::cache::Key;
use super::error::{BuildError, IoContext, Result};
use super::guest_c::parse_depfile;
use super::host::{C_FLAGS, SANITIZERS, compile, writing};
use super::parts::Parts;
use super::twin::{self, Record, Twin};
use super::{Builder, native};

impl Builder<'_> {
    /// The sanitized twin of a program that lies at `program`.
    pub(super) fn sanitized_program(&self, program: &Path) -> Result<PathBuf> {
        let refuse = |reason: String| BuildError::NoNativeBuild {
            path: program.to_owned(),
            reason,
        };
        let file = program.canonicalize().context("resolve", program)?;
        let Some(about) = twin::read_native(&file)?.filter(|about| !about.records.is_empty())
        else {
            return Err(refuse("`parallax cc` did not build it".to_owned()));
        };
        if let Some(library) = native::needed_libraries(&file, program, &about).first() {
            let library = library.display();
            return Err(refuse(format!(
                "it needs `{library}`, which would have to be built with sanitizers too"
            )));
        }
        let sources = self.sources(&about.records).map_err(&refuse)?;
        let mut key = Key::new("sanitized 1");
        key.add_tool(&self.tools.clang)?;
        for name in &about.records {
            key.add(name);
        }
        for flag in C_FLAGS.iter().chain(SANITIZERS) {
            key.add(flag);
        }
        let built = file
            .metadata()
            .and_then(|about| about.modified())
            .context("examine", &file)?;
        self.kept_program(key, |work, output, parts| {
            let mut link = Command::new(&self.tools.clang);
            link.args(SANITIZERS);
            let mut members = Vec::new();
            for (number, source) in sources.iter().enumerate() {
                let object = work.join(format!("part-{number}.o"));
                self.compile_sanitized(&source.record, &object, parts)?;
                match source.member {
                    true => members.push(object),
                    false => _ = link.arg(object),
                }
            }
            for file in &parts.files {
                let changed = file.metadata().and_then(|about| about.modified());
                if changed.is_ok_and(|changed| changed > built) {
                    let file = file.display();
                    return Err(refuse(format!("`{file}` has changed since it was built")));
                }
            }
            link.arg(self.harness(work)?);
            if !members.is_empty() {
                let archive = work.join("members.a");
                let mut command = Command::new("ar");
                command.arg("rcs").arg(&archive).args(members);
                boxed::run(&mut command, "collecting archive members", writing(&[work]))?;
                link.arg(archive);
            }
            for library in about.needed.iter().filter(|name| !is_implied(name)) {
                link.arg(format!("-l:{library}"));
            }
            link.arg("-o").arg(output);
            compile(&mut link, program, writing(&[work]))
        })
    }

    /// What a program's records say it was made from.
    fn sources(&self, records: &[String]) -> std::result::Result<Vec<SourceOf>, String> {
        let mut sources = Vec::new();
        let mut members = Vec::new();
        let mut seen = BTreeSet::new();
        for name in records {
            let record = self.record(name)?;
            match record.twin {
                Twin::Archive(names) => members.extend(names),
                _ if seen.insert(name.clone()) => sources.push(SourceOf {
                    record,
                    member: false,
                }),
                _ => {}
            }
        }
        for name in members {
            if seen.insert(name.clone()) {
                let record = self.record(&name)?;
                sources.push(SourceOf {
                    record,
                    member: true,
                });
            }
        }
        Ok(sources)
    }

    fn record(&self, name: &str) -> std::result::Result<Record, String> {
        let record = twin::load(&self.cache, name)
            .ok_or_else(|| "the cache no longer says what it was made from".to_owned())?;
        match record.source == Path::new("-") {
            true => Err("a part of it was compiled from standard input".to_owned()),
            false => Ok(record),
        }
    }

    fn compile_sanitized(&self, record: &Record, object: &Path, parts: &mut Parts) -> Result<()> {
        let depfile = object.with_extension("d");
        let mut command = Command::new(&self.tools.clang);
        command
            .args(&record.arguments)
            .args(C_FLAGS)
            .args(SANITIZERS)
            .args(["-MD", "-MT", "unit", "-MF"])
            .arg(&depfile)
            .arg("-o")
            .arg(object)
            .arg("-c")
            .arg(&record.source)
            .current_dir(&record.folder);
        let work = object.parent().unwrap_or(Path::new("."));
        let source = record.folder.join(&record.source);
        compile(&mut command, &source, writing(&[work]))?;
        // Assembly has none.
        let rules = std::fs::read_to_string(&depfile).unwrap_or_default();
        for file in parse_depfile(&rules) {
            parts.files.push(record.folder.join(file));
        }
        Ok(())
    }
}

/// One source of a program.
struct SourceOf {
    record: Record,
    /// Of an archive that the link could take it from.
    member: bool,
}

/// Whether every link has this library.
fn is_implied(library: &str) -> bool {
    library.starts_with("libc.so") || library.starts_with("ld-linux")
}
