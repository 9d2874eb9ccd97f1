//! Refactorings of real C functions, listed in `tests/refactorings/cases.toml`.
//!
//! Each case takes one function, with what it needs, out of a Debian source package: that is the old version. The new
//! version has our own text of the function in its place, or another one that upstream wrote. The *wrong* versions are the
//! new one with a mistake such as one makes when rewriting. `parallax check --fn` must prove the new version
//! equal to the old one, and tell the wrong ones apart.
//!
//! Nothing of the packages is kept here: the versions are put together in `real/refactorings` of the cache.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::debian_pairs::{self, Result};
use crate::{c_definitions, corpus, processor_time, real};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(rename = "case")]
    cases: Vec<Case>,
}

/// One refactoring.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub name: String,
    /// Where `new.c` is and, if needed, `around.c`, what stands before the definitions; by default the name.
    pub folder: Option<String>,
    /// The Debian source package.
    pub package: String,
    /// The file in it.
    pub file: PathBuf,
    /// Definitions that the function needs, from the same file.
    #[serde(default)]
    pub needs: Vec<String>,
    pub function: String,
    /// In one line.
    pub refactoring: String,
    /// Where upstream has the function as it is in the new version; otherwise that is `new.c`.
    pub upstream: Option<Upstream>,
    /// Arguments of `parallax check`: the bounds.
    pub check: Vec<String>,
    #[serde(default)]
    pub wrong: Vec<Wrong>,
    /// Why it is not proved, if it is not.
    pub open: Option<String>,
    /// Wider bounds, for which it is none.
    pub beyond: Option<Beyond>,
    /// Whether `make test` looks at it too.
    #[serde(default)]
    pub quick: bool,
}

/// A definition of the same function elsewhere.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Upstream {
    pub package: String,
    pub file: PathBuf,
    /// Which of several, in the branches of an `#if`, from 1.
    pub number: usize,
}

/// A mistake: what is replaced by what in the new version. It must be there once.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    pub mistake: String,
    pub from: String,
    pub to: String,
}

/// Where the new version is another function.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Beyond {
    /// What differs there.
    pub why: String,
    /// Arguments of `parallax check`.
    pub check: Vec<String>,
}

/// The files of a case.
struct Versions {
    /// Where the command is run.
    folder: PathBuf,
    wrong: Vec<String>,
}

const OLD: &str = "old.c";
const NEW: &str = "new.c";

/// A case that is as it should be.
pub struct Judgement {
    /// The partitions of the proof.
    pub partitions: u64,
    /// Of the proof, compilers included.
    pub processor_seconds: f64,
    /// For each wrong version, and for the wider bounds, a call that shows the difference.
    pub told_apart: Vec<String>,
}

fn folder() -> PathBuf {
    corpus::tests_folder().join("refactorings")
}

pub fn read_list() -> Result<Vec<Case>> {
    let path = folder().join("cases.toml");
    let list: List =
        toml::from_str(&read(&path)?).map_err(|error| format!("`{}`: {error}", path.display()))?;
    for case in &list.cases {
        if case.open.is_none() && case.wrong.is_empty() {
            return Err(format!(
                "{}: no mistake shows that this is no proof of everything",
                case.name
            )
            .into());
        }
    }
    Ok(list.cases)
}

impl Case {
    /// Fetches the sources, unless they are there, and writes the versions.
    fn write(&self) -> Result<Versions> {
        let own = folder().join(self.folder.as_ref().unwrap_or(&self.name));
        let around = match own.join("around.c") {
            path if path.exists() => read(&path)?,
            _ => String::new(),
        };
        let source = source_text(&self.package, &self.file)?;
        let mut before = around;
        for need in &self.needs {
            before += &format!("\n{}\n", self.cut(&source, need, 1)?);
        }
        let old = self.cut(&source, &self.function, 1)?;
        let new = match &self.upstream {
            None => read(&own.join("new.c"))?,
            Some(upstream) => {
                let source = source_text(&upstream.package, &upstream.file)?;
                self.cut(&source, &self.function, upstream.number)?
            }
        };
        let folder = real::real_folder().join("refactorings").join(&self.name);
        std::fs::create_dir_all(&folder)?;
        // Others may be reading what is there already.
        let write = |name: &str, text: &str| {
            let (path, text) = (folder.join(name), format!("{before}\n{text}\n"));
            match std::fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
                true => Ok(()),
                false => std::fs::write(path, text),
            }
        };
        write(OLD, &old)?;
        write(NEW, &new)?;
        let mut wrong = Vec::new();
        for (variant, number) in self.wrong.iter().zip(1..) {
            if new.matches(&variant.from).count() != 1 {
                return Err(format!(
                    "{}: `{}` is not exactly once in the new version",
                    self.name, variant.from
                )
                .into());
            }
            let name = format!("wrong-{number}.c");
            write(&name, &new.replace(&variant.from, &variant.to))?;
            wrong.push(name);
        }
        Ok(Versions { folder, wrong })
    }

    /// The files of the old version and of each version that it is compared with, by name.
    pub fn version_files(&self) -> Result<Vec<(String, [String; 2])>> {
        let versions = self.write()?;
        let path = |name: &str| versions.folder.join(name).to_string_lossy().into_owned();
        let names = [NEW]
            .into_iter()
            .chain(versions.wrong.iter().map(|name| &**name));
        Ok(names
            .map(|name| (name.to_owned(), [path(OLD), path(name)]))
            .collect())
    }

    fn cut(&self, source: &str, name: &str, number: usize) -> Result<String> {
        match c_definitions::definition(source, name, number) {
            Some(range) => Ok(source[range].to_owned()),
            None => Err(format!(
                "{}: definition {number} of `{name}` is not found; the package may have changed",
                self.name
            )
            .into()),
        }
    }

    /// Checks the new version and each wrong one; `more` are further options for the new one. Anything but a proof for the new
    /// version and a difference that native runs show for each wrong one is an error.
    pub fn judge(&self, parallax: &Path, more: &[&str]) -> Result<Judgement> {
        let versions = self.write()?;
        let (report, processor_seconds) =
            self.check(parallax, &versions, NEW, &self.check, more)?;
        let fail = |version: &str, what: &str, report: &Value| -> Result<Judgement> {
            Err(format!("{}: {version}: {what}: {:#}", self.name, in_short(report)).into())
        };
        if report["verdict"] != "equivalent" {
            return fail(NEW, "not proved equal", &report);
        }
        if report["same_code"] != false {
            return fail(NEW, "compiles to the same code", &report);
        }
        let counts = report["partition_counts"].as_object();
        let counts = counts.map(|counts| counts.values().filter_map(Value::as_u64).sum());
        let mut judgement = Judgement {
            partitions: counts.unwrap_or(0),
            processor_seconds,
            told_apart: Vec::new(),
        };
        let wrong = versions.wrong.iter().map(|name| (name, &self.check));
        let new = NEW.to_owned();
        let beyond = self.beyond.iter().map(|beyond| (&new, &beyond.check));
        for (name, bounds) in wrong.chain(beyond) {
            let (report, _) = self.check(parallax, &versions, name, bounds, &[])?;
            if report["verdict"] != "different" {
                return fail(name, "not told apart", &report);
            }
            let differences = report["differences"].as_array().into_iter().flatten();
            let mut seen =
                differences.filter(|difference| difference["confirmed_natively"] == true);
            let call = seen
                .next()
                .and_then(|difference| difference["input"]["call"]["text"].as_str());
            match call {
                None => return fail(name, "not seen natively", &report),
                Some(call) => judgement.told_apart.push(call.to_owned()),
            }
        }
        Ok(judgement)
    }

    /// What is known of a case that is not proved, in words. It is an error if it is told apart.
    pub fn try_open(&self, parallax: &Path) -> Result<String> {
        let versions = self.write()?;
        let report = match self.check(parallax, &versions, NEW, &self.check, &[]) {
            Ok((report, _)) => report,
            Err(error) => {
                let text = error.to_string();
                let line = text.lines().find_map(|line| line.split_once("error: "));
                return Ok(format!("refused: {}", line.ok_or(text.clone())?.1));
            }
        };
        let count = |field: &str| report["partition_counts"][field].as_u64().unwrap_or(0);
        match report["verdict"].as_str() {
            Some("equivalent") => Ok("equivalent, against expectation".to_owned()),
            Some("undecided") => Ok(format!(
                "undecided: {}; {} partitions proved equal, {} not known",
                report["stopped"].as_str().unwrap_or("?"),
                count("equal_by_terms") + count("equal_by_solver") + count("equal_unreached"),
                count("unknown")
            )),
            _ => Err(format!("{}: told apart: {:#}", self.name, in_short(&report)).into()),
        }
    }

    /// The report of `parallax check` on the old version and another one, and the processor seconds of the command.
    fn check(
        &self,
        parallax: &Path,
        versions: &Versions,
        new: &str,
        bounds: &[String],
        more: &[&str],
    ) -> Result<(Value, f64)> {
        let results = tempfile::tempdir()?;
        let mut command = Command::new(parallax);
        command
            .args(["check", OLD, new, "--fn", &self.function])
            .args(["--format", "json", "-j", "1", "--tests"])
            .arg(results.path())
            .args(bounds)
            .args(more)
            .current_dir(&versions.folder);
        let measured = processor_time::measure(&mut command)?;
        if !matches!(measured.status, Some(0 | 1 | 3)) {
            return Err(format!(
                "{}: {new}: `parallax check` failed: {}",
                self.name, measured.stderr
            )
            .into());
        }
        Ok((serde_json::from_slice(&measured.stdout)?, measured.seconds))
    }
}

/// What of a report says why its verdict is not the expected one.
fn in_short(report: &Value) -> Value {
    let call = |difference: &Value| {
        let call = &difference["input"]["call"]["text"];
        json!([
            call,
            difference["old"],
            difference["new"],
            difference["unconfirmed_because"]
        ])
    };
    let differences = report["differences"].as_array().into_iter().flatten();
    let mut short = json!({ "differences": differences.map(call).collect::<Vec<_>>() });
    let fields = [
        "verdict",
        "same_code",
        "stopped",
        "gaps",
        "left_out",
        "undefined",
        "nondeterministic",
        "self_check",
        "partition_counts",
    ];
    for field in fields {
        short[field] = report[field].clone();
    }
    short
}

/// A file of a Debian source package.
fn source_text(package: &str, file: &Path) -> Result<String> {
    let path = debian_pairs::fetch(package)?.join(file);
    let bytes = std::fs::read(&path)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()).into())
}
