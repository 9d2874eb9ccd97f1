//! The report as SARIF 2.1.0, for code scanning. One result for each difference: at the first responsible change, with the others as
//! a code flow, and with a fingerprint that stays when lines move. What keeps a verdict from being a proof is a notification of the
//! run, so that a file without results does not read as `equivalent`.

use std::collections::BTreeMap;
use std::path::Path;

use compare::Report;
use compare::verdict::Verdict;
use compare::versions::changed_line::ReportedChange;
use serde_json::{Value, json};
use serde_sarif::sarif::{
    ArtifactContent, ArtifactLocation, CodeFlow, Invocation, Location, LogicalLocation, Message,
    MultiformatMessageString, Notification, PhysicalLocation, PropertyBag, Region,
    ReportingConfiguration, ReportingDescriptor, Result as SarifResult, ResultLevel, Run, Sarif,
    Suppression, ThreadFlow, ThreadFlowLocation, Tool, ToolComponent,
};

use crate::accepted::because;
use crate::excerpt;
use crate::triage::Rank;
use crate::view::{Contrast, View, What, answer, compared, is_settled, reservations, views};
use crate::words;

/// The name under which the fingerprint is kept; another way to make it needs another number.
pub const FINGERPRINT: &str = "parallaxDifference/v1";
/// GitHub's code scanning takes so many results of a run, and shows so many places of a flow.
const MOST_RESULTS: usize = 5_000;
const MOST_PLACES: usize = 100;
/// How much of an output is in a message, and in the properties.
const MOST_IN_MESSAGE: usize = 200;
const MOST_IN_PROPERTIES: usize = 2_000;

/// The report as SARIF, in lines.
pub fn sarif(report: &Report) -> String {
    let views = views(report);
    let results: Vec<SarifResult> = views
        .iter()
        .take(MOST_RESULTS)
        .map(|view| result(report, view))
        .collect();
    let driver = ToolComponent::builder()
        .name("Parallax")
        .version(env!("CARGO_PKG_VERSION"))
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .rules(What::ALL.map(rule).to_vec())
        .build();
    let left_out = views.len().saturating_sub(MOST_RESULTS);
    let invocation = Invocation::builder()
        .execution_successful(report.proofs.refuted().is_none())
        .tool_execution_notifications(notifications(report, left_out))
        .build();
    let run = Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .invocations(vec![invocation])
        .column_kind(json!("utf16CodeUnits"))
        .results(results)
        .properties(bag([
            ("verdict", json!(words::verdict(report.verdict))),
            ("answer", json!(answer(report))),
            ("bounds", readable(&report.bounds.input)),
            ("assumptions", readable(&words::assumptions(report))),
        ]))
        .build();
    let log = Sarif::builder()
        .schema(serde_sarif::sarif::SCHEMA_URL)
        .version(json!("2.1.0"))
        .runs(vec![run])
        .build();
    let text = serde_json::to_string_pretty(&log).expect("SARIF is made of texts and numbers");
    text + "\n"
}

fn bag<const N: usize>(properties: [(&str, Value); N]) -> PropertyBag {
    let properties = properties.into_iter();
    let properties = properties.filter(|(_, value)| !value.is_null());
    let properties = properties.map(|(name, value)| (name.to_owned(), value));
    PropertyBag::builder()
        .additional_properties(properties.collect::<BTreeMap<_, _>>())
        .build()
}

fn readable(texts: &[String]) -> Value {
    let texts = texts.iter();
    texts
        .map(|text| excerpt::words(text, MOST_IN_PROPERTIES))
        .collect()
}

fn message(text: impl Into<String>) -> Message {
    Message::builder().text(text.into()).build()
}

/// A rule's id, its name, and what it says.
fn words_of_rule(what: What) -> [&'static str; 3] {
    match what {
        What::Stdout => [
            "parallax/standard-output",
            "StandardOutputDiffers",
            "The change alters what the program writes to standard output",
        ],
        What::Stderr => [
            "parallax/standard-error",
            "StandardErrorDiffers",
            "The change alters what the program writes to standard error",
        ],
        What::File => [
            "parallax/file",
            "FileDiffers",
            "The change alters a file that the program writes",
        ],
        What::End => [
            "parallax/end",
            "EndDiffers",
            "The change alters how the program ends: by an exit, a crash, or not at all",
        ],
        What::ExitStatus => [
            "parallax/exit-status",
            "ExitStatusDiffers",
            "The change alters the program's exit status",
        ],
        What::Returned => [
            "parallax/returned-value",
            "ReturnedValueDiffers",
            "The change alters what the function returns",
        ],
        What::Argument => [
            "parallax/argument",
            "ArgumentDiffers",
            "The change alters what the function writes through an argument",
        ],
        What::Global => [
            "parallax/global",
            "GlobalDiffers",
            "The change alters what the function leaves in a global variable",
        ],
        What::Calls => [
            "parallax/calls",
            "CallsDiffer",
            "The change alters which calls the function makes of its function arguments",
        ],
        What::Errno => [
            "parallax/errno",
            "ErrnoDiffers",
            "The change alters what the function leaves in errno",
        ],
    }
}

const HELP: &str = "Parallax found an input on which the two versions behave differently. The message has the input and what each \
                    version does on it. The places named are the changed lines that are responsible.";

fn rule(what: What) -> ReportingDescriptor {
    let [id, name, says] = words_of_rule(what);
    let text = |text: &str| MultiformatMessageString::builder().text(text).build();
    ReportingDescriptor::builder()
        .id(id)
        .name(name)
        .short_description(text(says))
        .full_description(text(&format!("{says}.")))
        .help(
            MultiformatMessageString::builder()
                .text(HELP)
                .markdown(HELP)
                .build(),
        )
        .default_configuration(
            ReportingConfiguration::builder()
                .level(json!("warning"))
                .build(),
        )
        .properties(PropertyBag {
            tags: Some(vec!["behaviour".to_owned(), "regression".to_owned()]),
            additional_properties: BTreeMap::from([
                ("precision".to_owned(), json!("very-high")),
                ("problem.severity".to_owned(), json!("warning")),
            ]),
        })
        .build()
}

fn result(report: &Report, view: &View<'_>) -> SarifResult {
    // What a rule is about is what one would look at first.
    let most_alarming = |one: &&Contrast| match one.what {
        What::End => 0,
        What::ExitStatus => 1,
        _ => 2,
    };
    let what = view.observed.iter().min_by_key(most_alarming);
    let what = what.map_or(What::End, |one| one.what);
    let places: Vec<Location> = match view.changes {
        [] => vec![whole_version(report)],
        changes => changes.iter().take(MOST_PLACES).map(location).collect(),
    };
    let main = view.changes.iter().position(|change| !change.is_removed);
    let main = places[main.unwrap_or(0).min(places.len() - 1)].clone();
    let steps = places.into_iter();
    let steps = steps.map(|place| ThreadFlowLocation::builder().location(place).build());
    let flow = ThreadFlow::builder()
        .locations(steps.collect::<Vec<_>>())
        .build();
    let mut result = SarifResult::builder()
        .rule_id(words_of_rule(what)[0])
        .rule_index(What::ALL.iter().position(|own| *own == what).unwrap_or(0) as i64)
        .level(level(view))
        .message(message(said(view)))
        .locations(vec![main])
        .code_flows(vec![
            CodeFlow::builder()
                .message(message("The changed lines that are responsible"))
                .thread_flows(vec![flow])
                .build(),
        ])
        .partial_fingerprints(BTreeMap::from([(
            FINGERPRINT.to_owned(),
            view.fingerprint.clone(),
        )]))
        .properties(properties(view))
        .build();
    result.suppressions = view.accepted.map(|acceptance| {
        let suppression = Suppression::builder()
            .kind("external")
            .status("accepted")
            .justification(because(acceptance));
        vec![suppression.build()]
    });
    result
}

fn level(view: &View<'_>) -> ResultLevel {
    match (&view.triage.intended, view.triage.rank) {
        (Some(_), _) => ResultLevel::Note,
        (None, Rank::BadEnd) => ResultLevel::Error,
        (None, _) => ResultLevel::Warning,
    }
}

/// What is said of a difference: the first line is all that some tools show.
fn said(view: &View<'_>) -> String {
    let mut text = format!("{} on {}", capital(&view.title), view.command);
    for one in &view.observed {
        let [old, new] = one.in_line(MOST_IN_MESSAGE);
        text += &format!(
            "\n{}: {} {old} | {} {new}",
            one.name, view.versions[0], view.versions[1]
        );
    }
    if let Some(steps) = &view.undefined {
        text += &format!("\nUndefined behaviour: {steps}");
    }
    if let Some(why) = &view.unconfirmed {
        text += &format!("\nSeen in the VM only: {why}");
    }
    if let Some(why) = &view.triage.intended {
        text += &format!("\nProbably intended: {why}");
    }
    if let Some(shown) = &view.reproduction {
        text += &format!("\nReproduce: {}", shown.command);
        let outside = shown.outside.iter();
        text.extend(outside.map(|files| format!("\nCareful: {files}")));
    }
    text
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters).collect()
}

fn properties(view: &View<'_>) -> PropertyBag {
    let observed = view.observed.iter().map(|one| {
        let [old, new] = one.in_line(MOST_IN_PROPERTIES);
        json!({"observable": one.name, "old": old, "new": new})
    });
    let reproduction = view.reproduction.as_ref();
    bag([
        ("number", json!(view.number)),
        ("input", json!(view.input)),
        ("observed", observed.collect()),
        ("confirmedNatively", json!(view.unconfirmed.is_none())),
        ("probablyIntended", json!(view.triage.intended)),
        ("undefinedBehaviour", json!(view.undefined)),
        ("class", json!(view.class)),
        ("partitions", json!(view.partitions)),
        ("reproduce", json!(reproduction.map(|shown| &shown.command))),
    ])
}

fn location(change: &ReportedChange) -> Location {
    let gone = if change.is_removed {
        "removed"
    } else {
        "changed"
    };
    let mut region = Region::builder()
        .start_line(i64::from(change.line.max(1)))
        .build();
    region.snippet = change.code.as_deref().map(|code| {
        ArtifactContent::builder()
            .text(excerpt::words(code, MOST_IN_MESSAGE))
            .build()
    });
    let function = LogicalLocation::builder()
        .name(excerpt::words(&change.function, MOST_IN_MESSAGE))
        .kind("function")
        .build();
    Location::builder()
        .physical_location(
            PhysicalLocation::builder()
                .artifact_location(artifact(Path::new(&change.file)))
                .region(region)
                .build(),
        )
        .logical_locations(vec![function])
        .message(message(format!(
            "{gone} in {}",
            excerpt::words(&change.function, MOST_IN_MESSAGE)
        )))
        .build()
}

/// A place is wanted of every result: where no change is known to be responsible, the version.
fn whole_version(report: &Report) -> Location {
    let last = report.versions.last();
    let file = last.and_then(|version| version.files.first());
    Location::builder()
        .physical_location(
            PhysicalLocation::builder()
                .artifact_location(artifact(file.map_or(Path::new("."), |file| file)))
                .region(Region::builder().start_line(1).build())
                .build(),
        )
        .message(message(format!(
            "no changed line is known to be responsible, of {}",
            compared(report)
        )))
        .build()
}

/// A file as a URI: relative to the folder of the check, or absolute.
fn artifact(path: &Path) -> ArtifactLocation {
    use std::os::unix::ffi::OsStrExt;
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut uri = String::new();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte as char)
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    match path.is_absolute() {
        true => ArtifactLocation::builder()
            .uri(format!("file://{uri}"))
            .build(),
        false => ArtifactLocation::builder()
            .uri(uri)
            .uri_base_id("%SRCROOT%")
            .build(),
    }
}

/// What stands between the results and a proof.
fn notifications(report: &Report, left_out: usize) -> Vec<Notification> {
    let note = |level: &str, text: String| {
        Notification::builder()
            .level(json!(level))
            .message(message(excerpt::words(&text, MOST_IN_PROPERTIES)))
            .build()
    };
    let mut notes = Vec::new();
    if let Some(refuted) = report.proofs.refuted() {
        notes.push(note(
            "error",
            format!("internal error: a proof is refuted: {}", refuted.why),
        ));
    }
    notes.push(match report.verdict {
        Verdict::Equivalent | Verdict::Different if is_settled(report) => {
            note("note", answer(report))
        }
        _ => note("warning", answer(report)),
    });
    if left_out > 0 {
        notes.push(note(
            "warning",
            format!("{left_out} more differences are not in this file"),
        ));
    }
    let reservations = reservations(report).into_iter();
    notes.extend(reservations.map(|what| note("warning", what)));
    notes
}
