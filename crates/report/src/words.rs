//! What is said of verdicts, reasons and assumptions.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use compare::confirm::defined::UndefinedStep;
use compare::inspect::{
    AssumedOperation, CodePlace, Operation, Surrounding, UninitialisedRead, UninitialisedUse,
};
use compare::report::{Assumption, Note, Report, VersionReport};
use compare::verdict::{Open, Verdict};
use compare::versions::golden::{Class, Unclassified};
use compare::versions::groups::{Effect, label};
use native::test_case::shell_word;

/// `1 path`, `2 paths`.
pub fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

pub(crate) fn kinds_of_difference(number: usize) -> String {
    match number {
        1 => "1 kind of difference".to_owned(),
        number => format!("{number} kinds of difference"),
    }
}

pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Equivalent => "equivalent",
        Verdict::Different => "different",
        Verdict::NotExercised => "not exercised",
        Verdict::Undecided => "undecided",
    }
}

/// Why there is no answer about two versions.
pub(crate) fn open(open: Open, finds_only: bool) -> &'static str {
    match open {
        Open::ProofRefuted => "a proof was refuted, see below",
        Open::NothingToProve => "nothing was found; nothing was proved",
        Open::NotConfirmed if finds_only => "no difference was confirmed; nothing was proved",
        Open::NotConfirmed => "no difference was confirmed, and not everything is proved equal",
        Open::StoppedGrowing => {
            "no difference was found, and the bounds, which grow by themselves, stopped growing: give bounds to have the rest explored"
        }
        Open::NotExplored | Open::NotProved => {
            "no difference was found, and not everything is proved equal"
        }
        Open::CodeLeftOut => "no difference was found, but not all code was compared",
        Open::ExecutedBeyond => {
            "no difference was found, but only runs beyond the bounds that are proved execute the change"
        }
        Open::UninitialisedRead => {
            "no difference was found, but what a version does depends on memory that it never wrote"
        }
        Open::NotInspected => {
            "no difference was found, but not every run was looked at for memory that is read and was never written"
        }
        Open::NotDeterministic => {
            "no difference was found, but what the versions do depends on more than their input"
        }
    }
}

/// The same of two of several versions.
pub(crate) fn open_step(open: Open) -> &'static str {
    match open {
        Open::ProofRefuted => "a proof was refuted by native runs, see below",
        Open::NotConfirmed => "a difference was found, and native runs do not confirm it",
        Open::NothingToProve => "nothing was found; nothing was proved",
        Open::StoppedGrowing => "no difference was found, and the bounds stopped growing",
        Open::NotExplored => "no difference was found, and not everything was explored",
        Open::NotProved => "no difference was found, and not everything is proved equal",
        Open::CodeLeftOut => "no difference was found, but not all code was compared",
        Open::ExecutedBeyond => {
            "no difference was found, but only runs beyond the bounds that are proved execute the change"
        }
        Open::UninitialisedRead => {
            "no difference was found, but what they do depends on memory that was never written"
        }
        Open::NotInspected => {
            "no difference was found, but not every run was looked at for memory that is read and was never written"
        }
        Open::NotDeterministic => {
            "no difference was found, but what they do depends on more than their input"
        }
    }
}

pub(crate) fn assumption(assumption: Assumption) -> String {
    match assumption {
        Assumption::Unseen {
            nothing_run,
            sliced,
        } => {
            let mut unseen = vec![
                "memory that was never written is zero",
                "what C leaves undefined does the same in both versions",
            ];
            if sliced {
                unseen.push("an address computed from that of an object stays in it or is in none");
            }
            let place = match nothing_run {
                true => "",
                false => "on ways that no run took, ",
            };
            return format!("{place}{}", unseen.join(", and "));
        }
        Assumption::UndefinedButDone => {
            "signed overflow wraps, shifts take their distance modulo the width, and `memcpy` moves blocks that overlap, also \
             where no run showed it"
        }
        Assumption::FixedSurroundings => {
            "time, user, process number, host name, random bytes, the processor, the program's name and the system's limits are \
             fixed, the working folder is `/home/user`, standard input and both outputs are pipes, and no files exist but those \
             given"
        }
        Assumption::LibraryIsMusl => {
            "the C library does what musl does, and its headers say what the host's say, but for what docs/libc-differences.md lists"
        }
        Assumption::AddressesOfVm => {
            "addresses are those of the VM, where none is given out again after it was freed"
        }
        Assumption::StackIsLargeEnough => "the stack is large enough",
        Assumption::NoAddressMatters => {
            "nothing depends on where variables and blocks of memory lie"
        }
        Assumption::PanicsEnd => {
            "a panic ends the program, since both versions are built with `panic=abort`"
        }
        Assumption::RustOfReleases => {
            "Rust is compiled as for a release, without checks of overflow and without `debug_assert`: there a debug build may panic"
        }
        Assumption::LinesDoNotCount => {
            "line and column in the messages of panics and of `assert` are no behaviour (`--exact` compares them)"
        }
    }
    .to_owned()
}

/// The same in a few words.
fn short_assumption(assumption: Assumption) -> &'static str {
    match assumption {
        Assumption::Unseen { nothing_run, .. } => match nothing_run {
            true => "no uninitialised memory matters",
            false => "no uninitialised memory matters on ways that no run took",
        },
        Assumption::UndefinedButDone => "undefined arithmetic wraps",
        Assumption::FixedSurroundings => {
            "fixed surroundings (the working folder is `/home/user`, standard input and both outputs are pipes, no files but those given)"
        }
        Assumption::LibraryIsMusl => "the C library is musl",
        Assumption::AddressesOfVm => "addresses of the VM",
        Assumption::StackIsLargeEnough => "a stack that is large enough",
        Assumption::NoAddressMatters => "no address matters",
        Assumption::PanicsEnd => "a panic ends the program",
        Assumption::RustOfReleases => "a release build of Rust, without checks of overflow",
        Assumption::LinesDoNotCount => {
            "lines of panics and assertions do not count (`--exact` compares them)"
        }
    }
}

/// What a verdict takes for granted, in one line.
pub(crate) fn assumed_line(report: &Report) -> String {
    if report.asked.listing.explain.assumptions {
        return format!("assumed: {}\n", always_assumed(report).join("; "));
    }
    let assumed = report.assumptions.iter().copied().map(short_assumption);
    let assumed: Vec<&str> = assumed.collect();
    format!(
        "assumed: {} (in full: --explain assumptions)\n",
        assumed.join("; ")
    )
}

/// What is taken for granted whatever the runs did.
pub(crate) fn always_assumed(report: &Report) -> Vec<String> {
    report.assumptions.iter().copied().map(assumption).collect()
}

pub(crate) fn note(note: &Note) -> String {
    let file = match note {
        Note::Concretised(words) => return words.clone(),
        Note::MissingFile(file) => file,
    };
    let name = String::from_utf8_lossy(file).escape_debug().to_string();
    let is_plain = name.as_bytes() == &file[..] && !name.is_empty() && !name.starts_with('/');
    let how = match is_plain {
        true => format!("; `--sym-file {name} 0..8` makes one of any content, `--file` copies one"),
        false => String::new(),
    };
    format!("the file `{name}` was opened and does not exist{how}")
}

/// Values that were concretised, and files that were not there.
pub(crate) fn notes(report: &Report) -> Vec<String> {
    let search = report.search.iter();
    search.flat_map(|search| &search.notes).map(note).collect()
}

/// The same without what has no effect on the verdict: where every path was run, so was every value that was concretised.
pub(crate) fn notes_to_tell(report: &Report) -> Vec<String> {
    let explained = report.asked.listing.explain.notes;
    let search = report.search.iter();
    let notes = search.flat_map(|search| {
        let is_told = move |note: &&Note| {
            explained || !search.exhausted || !matches!(note, Note::Concretised(_))
        };
        search.notes.iter().filter(is_told)
    });
    notes.map(note).collect()
}

/// What the verdict rests on besides the bounds.
pub(crate) fn assumptions(report: &Report) -> Vec<String> {
    let mut assumptions = notes(report);
    let assumed = report.reservations.undefined.assumed.iter();
    assumptions.extend(assumed.map(|assumed| operation_there(report, assumed)));
    assumptions.extend(always_assumed(report));
    assumptions
}

/// What is taken for granted where an operation happens.
pub(crate) fn operation(operation: Operation) -> &'static str {
    match operation {
        Operation::SignedOverflow => "signed overflow wraps",
        Operation::LargeShift => "the distance of a shift counts modulo the width",
        Operation::ConversionOutOfRange => {
            "a floating-point number that does not fit an integer becomes what x86-64 makes of it"
        }
        Operation::OtherBool => "a `bool` that holds neither 0 nor 1 is its lowest bit",
        Operation::OverlappingCopy => "`memcpy` moves blocks that overlap",
        Operation::ZerosOfZero => {
            "counting the zeros of 0, as `__builtin_clz(0)` does, gives the width"
        }
    }
}

/// An operation that C leaves undefined.
pub fn undefined_operation(operation: Operation) -> &'static str {
    match operation {
        Operation::SignedOverflow => "signed overflow",
        Operation::LargeShift => "a shift by the width of the number or more",
        Operation::ConversionOutOfRange => {
            "a conversion of a floating-point number that does not fit an integer type"
        }
        Operation::OtherBool => "a `bool` that holds neither 0 nor 1",
        Operation::OverlappingCopy => "a `memcpy` between blocks that overlap",
        Operation::ZerosOfZero => "counting the zeros of 0, as `__builtin_clz(0)` does",
    }
}

/// Where it happens: `signed overflow at old.c:9 in midpoint (old)`.
pub(crate) fn undefined_step(report: &Report, step: &UndefinedStep) -> String {
    let version = &report.versions[step.version].name;
    let what = undefined_operation(step.operation);
    format!("{what} at {} ({version})", place(&step.at))
}

pub(crate) fn operation_there(report: &Report, assumed: &AssumedOperation) -> String {
    let version = &report.versions[assumed.version].name;
    let (what, place) = (operation(assumed.operation), place(&assumed.at));
    format!("{what}, at {place} of the {version} version")
}

fn place(place: &CodePlace) -> String {
    match place.source_line() {
        Some((file, line)) => format!("{file}:{line} in {}", place.function),
        None => place.function.clone(),
    }
}

pub(crate) fn uninitialised_read(report: &Report, read: &UninitialisedRead) -> String {
    let made = match read.made_at.as_ref().and_then(CodePlace::source_line) {
        Some((file, line)) => format!(" ({file}:{line})"),
        None => String::new(),
    };
    let at = match &read.read_at {
        Some(frame) => format!(", read at {}", place(frame)),
        None => String::new(),
    };
    let effect = match (&read.used, &read.used_at) {
        (UninitialisedUse::Decision, Some(frame)) => {
            format!("it decides how the run goes on at {}", place(frame))
        }
        (UninitialisedUse::Decision, None) => "it decides how the run goes on".to_owned(),
        (UninitialisedUse::PutOut(name), _) => format!("it is put out to {name}"),
        (UninitialisedUse::ExitStatus, _) => "it is the exit status".to_owned(),
    };
    let version = &report.versions[read.version].name;
    format!(
        "what the {version} version does depends on memory that it never wrote: {}{made}{at}; {effect}",
        read.memory
    )
}

/// What is said of runs that were not looked at.
pub(crate) fn not_inspected(runs: u64) -> Option<&'static str> {
    match runs {
        0 => None,
        1 => Some(
            "run was not looked at, before the check ended, for memory that is read and was never written",
        ),
        _ => Some(
            "runs were not looked at, before the check ended, for memory that is read and was never written",
        ),
    }
}

pub(crate) fn surrounding(surrounding: Surrounding) -> &'static str {
    match surrounding {
        Surrounding::Time => "the time",
        Surrounding::ProcessNumber => "the process number",
        Surrounding::RandomBytes => "random bytes",
    }
}

pub(crate) fn class(class: Class) -> &'static str {
    match class {
        Class::Progression => "progression: the new version does what the golden version does",
        Class::Regression => {
            "regression: the old version does what the golden version does, the new one does not"
        }
        Class::Intermediate => "intermediate: neither version does what the golden version does",
    }
}

pub(crate) fn unclassified(why: Unclassified) -> &'static str {
    match why {
        Unclassified::BothAsGolden => "both versions behave as the golden version",
        Unclassified::NotToldApart => {
            "native runs do not show the difference, and the golden version does not tell the versions apart in the VM"
        }
        Unclassified::NotDeterministic => {
            "the golden version is not deterministic: two native runs of this input differ"
        }
    }
}

pub(crate) fn effect(effect: &Effect, version: usize) -> String {
    let name = label(version);
    match effect {
        Effect::Undoes { again } => format!("{name} behaves as {} again", listed(again)),
        Effect::Introduces if version == 1 => {
            format!("{name} behaves in another way than {}", label(0))
        }
        Effect::Introduces => format!("{name} behaves as no version before"),
        Effect::Changes => format!("{name} behaves in another way than {}", label(version - 1)),
    }
}

/// As in `V0, V1 and V3`.
pub(crate) fn listed(versions: &[usize]) -> String {
    let labels = |versions: &[usize]| {
        let labels: Vec<String> = versions.iter().map(|&version| label(version)).collect();
        labels.join(", ")
    };
    match versions {
        [first @ .., last] if !first.is_empty() => {
            format!("{} and {}", labels(first), label(*last))
        }
        _ => labels(versions),
    }
}

/// A path as a word of a shell.
pub(crate) fn word(path: &Path) -> String {
    shell_word(path.as_os_str().as_bytes())
}

/// Files as one would type them.
pub(crate) fn typed(files: &[PathBuf]) -> String {
    let words: Vec<String> = files.iter().map(|file| word(file)).collect();
    words.join(" ")
}

/// A version as the user named it: a git revision, or its files.
pub(crate) fn called(version: &VersionReport) -> String {
    let files = || typed(&version.files);
    version.label.clone().unwrap_or_else(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_version_does_to_the_one_before() {
        let undoes = |again: &[usize]| Effect::Undoes {
            again: again.to_vec(),
        };
        for (what, version, words) in [
            (Effect::Introduces, 1, "V1 behaves in another way than V0"),
            (undoes(&[0]), 2, "V2 behaves as V0 again"),
            (undoes(&[0, 1]), 3, "V3 behaves as V0 and V1 again"),
            (Effect::Introduces, 2, "V2 behaves as no version before"),
            (Effect::Changes, 2, "V2 behaves in another way than V1"),
        ] {
            assert_eq!(effect(&what, version), words);
        }
    }
}
