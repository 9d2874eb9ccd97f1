//! Regression tests of differences of functions: a file of C for each function, and for plain C its part of a `CMakeLists.txt`.
//! Only tests that hold are written: see `test_suite::c::trial`.

use anyhow::Context;
use build::Builder;
use compare::Report;
use native::confinement::Confinement;
use report::words::counted;
use test_suite::block::{Comments, Marks};
use test_suite::c::case::sources;
use test_suite::c::file::{About, command, text};
use test_suite::c::trial::{Trying, trials};
use test_suite::c::{FunctionCase, cmake, function_cases};
use test_suite::trial::TIMES;
use test_suite::{Framework, Left};

use crate::new_file::NewFile;
use crate::test_target::{Outcome, Target, before, none, those_that_hold, without_test};
use crate::{announce, interrupt};

const IN_C: Marks<'_> = Marks {
    comments: Comments::C,
    label: "",
};

/// Writes tests of a report about a function.
pub(crate) fn write(
    found: &Report,
    function: &str,
    framework: Framework,
    target: &Target<'_>,
) -> anyhow::Result<Outcome> {
    let (cases, mut left) = function_cases(found, target.options.expect());
    let Some(sources) = sources(found).filter(|_| !cases.is_empty()) else {
        return Ok(none(&left));
    };
    let name = function_name(function);
    let path = target.folder.join(framework.file_name(&name));
    let marks = IN_C;
    let old = before(&path, marks, target.force)?;
    let lists = target.folder.join("CMakeLists.txt");
    let stem = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let own = Marks {
        comments: Comments::Hash,
        label: &stem,
    };
    let old_lists = match framework {
        Framework::C => before_lists(&lists, own, target.force)?,
        _ => None,
    };
    std::fs::create_dir_all(target.folder)
        .with_context(|| format!("cannot make the folder `{}`", target.folder.display()))?;
    let file = NewFile::at(&path)?;
    let about = About {
        function: &name,
        sources,
        file: &path,
    };
    let holding = match &target.tried {
        None => cases,
        Some(confinement) => holding(framework, &about, cases, &mut left, confinement)?,
    };
    if holding.is_empty() {
        return Ok(none(&left));
    }
    let ours = text(framework, &about, &holding);
    let whole = old.and_then(|old| marks.replaced(&old, &ours));
    file.write(&whole.unwrap_or_else(|| marks.file("", &ours)))?;
    if framework == Framework::C {
        let part = cmake::text(&about, &holding);
        let whole = match old_lists {
            None => own.file(cmake::HEAD, &part),
            Some(old) => own
                .replaced(&old, &part)
                .unwrap_or_else(|| old + &own.block(&part)),
        };
        NewFile::at(&lists)?.write(&whole)?;
    }
    let tried = match &target.tried {
        None => "none was run".to_owned(),
        Some(_) => format!(
            "each passes on the version that it expects and fails on the other, {TIMES} times"
        ),
    };
    let expected = usize::from(holding.iter().any(|case| case.expected_of == 1));
    Ok(Outcome {
        said: format!(
            "{} in {}: {tried}\nrun with: {}\n{}",
            counted(holding.len() as u64, "test"),
            path.display(),
            command(framework, &about, expected),
            without_test(&left)
        ),
        is_whole: left.is_empty(),
    })
}

/// `NAME` of `FILE:NAME`, as a part of a file's name.
fn function_name(function: &str) -> String {
    let own = function.rsplit(':').next().unwrap_or(function);
    let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    own.chars().map(word).collect()
}

/// A `CMakeLists.txt` that is there, if it has a part of ours: others are not ours to change.
fn before_lists(
    path: &std::path::Path,
    own: Marks<'_>,
    force: bool,
) -> anyhow::Result<Option<String>> {
    match before(path, own, true)? {
        Some(text) => Ok(Some(text)),
        None => {
            // Parts of other tests stand in it.
            let any = native::bounded::read(path, native::bounded::TEST_BYTES);
            let text = any
                .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
                .ok();
            match text.filter(|text| text.contains("# parallax: begin test_")) {
                Some(text) => Ok(Some(text)),
                None => before(path, own, force),
            }
        }
    }
}

fn holding(
    framework: Framework,
    about: &About<'_>,
    cases: Vec<FunctionCase>,
    left: &mut Vec<Left>,
    confinement: &Confinement,
) -> anyhow::Result<Vec<FunctionCase>> {
    announce(&format!(
        "running {} of {} on both versions, {TIMES} times",
        counted(cases.len() as u64, "test"),
        about.function
    ));
    let interrupt = interrupt::watch()?;
    let tell = |what: &str| announce(what);
    let trying = Trying {
        framework,
        about,
        builder: &Builder::new(&tell)?,
        confinement,
        interrupt: &interrupt,
    };
    let trials = trials(&trying, &cases)?;
    Ok(those_that_hold(cases, trials, |case| case.number, left))
}
