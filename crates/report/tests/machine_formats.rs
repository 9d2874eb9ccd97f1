//! SARIF, JUnit XML and Markdown: valid, complete, and unmoved by hostile content.
//!
//! SARIF is validated against the schema of the standard, as the package `serde-sarif` brings it, and JUnit XML with `xmllint` against
//! the schema of Jenkins' readers, as the package `junit-report` brings it.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use compare::confirm::defined::UndefinedStep;
use compare::inspect::{CodePlace, Operation};
use compare::verdict::{Finding, Verdict};
use serde_json::Value;
use support::{hostile, report, several, undecided};

/// Where the source of a package lies: cargo knows.
fn package(name: &str) -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .args([
            "--manifest-path",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
        ])
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo's metadata");
    let mut packages = metadata["packages"].as_array().unwrap().iter();
    let package = packages.find(|package| package["name"] == name).unwrap();
    let manifest = Path::new(package["manifest_path"].as_str().unwrap());
    manifest.parent().unwrap().to_owned()
}

/// The schema of SARIF 2.1.0.
fn schema() -> Value {
    let schema = std::fs::read(package("serde-sarif").join("src/schema.json")).unwrap();
    serde_json::from_slice(&schema).unwrap()
}

/// What `xmllint` says of a JUnit file; nothing if it is valid.
fn xml_faults(schema: &Path, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.xml");
    std::fs::write(&file, text).unwrap();
    let output = Command::new("xmllint")
        .args(["--nonet", "--noout", "--schema"])
        .args([schema, &file])
        .output()
        .expect("xmllint runs; `make test` installs it (Debian's package libxml2-utils)");
    match output.status.success() {
        true => String::new(),
        false => String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Where a value is not as a schema says. Knows the keywords that SARIF's schema uses, and refuses others; of patterns and formats, that
/// of a URI reference.
fn faults(root: &Value, schema: &Value, value: &Value, place: &str, found: &mut Vec<String>) {
    let mut own = Vec::new();
    let mut fault = |what: String| own.push(format!("{place}: {what}"));
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let keywords = schema.as_object().expect("a schema is an object");
    for (keyword, wanted) in keywords {
        match keyword.as_str() {
            "$schema" | "$id" | "title" | "description" | "default" | "definitions" | "pattern" => {
            }
            "type" => {
                let fits = match wanted.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    other => panic!("unknown type {other}"),
                };
                if !fits {
                    fault(format!("{value} is not of type {wanted}"));
                }
            }
            "enum" if !list(wanted).contains(value) => {
                fault(format!("{value} is none of {wanted}"))
            }
            "enum" => {}
            "minimum" if value.as_f64() < wanted.as_f64() => fault(format!("{value} < {wanted}")),
            "maximum" if value.as_f64() > wanted.as_f64() => fault(format!("{value} > {wanted}")),
            "minimum" | "maximum" => {}
            "minItems" if (list(value).len() as u64) < wanted.as_u64().unwrap() => {
                fault("too few items".to_owned())
            }
            "minItems" => {}
            "uniqueItems" => {
                let items = list(value);
                if (1..items.len()).any(|at| items[..at].contains(&items[at])) {
                    fault("an item is there twice".to_owned());
                }
            }
            "required" => {
                for name in list(wanted) {
                    if value.get(name.as_str().unwrap()).is_none() {
                        fault(format!("{name} is missing"));
                    }
                }
            }
            "format" => {
                let text = value.as_str().unwrap_or_default();
                let is_uri = wanted == "uri" || wanted == "uri-reference";
                if is_uri
                    && text
                        .chars()
                        .any(|c| !c.is_ascii_graphic() || "<>\"{}|\\^`".contains(c))
                {
                    fault(format!("{text:?} is no URI"));
                }
            }
            "properties" => {
                for (name, wanted) in wanted.as_object().unwrap() {
                    if let Some(part) = value.get(name) {
                        faults(root, wanted, part, &format!("{place}.{name}"), found);
                    }
                }
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object);
                for (name, part) in value.as_object().into_iter().flatten() {
                    let is_known = known.is_some_and(|known| known.contains_key(name));
                    match wanted {
                        _ if is_known => {}
                        Value::Bool(true) => {}
                        Value::Bool(false) => found.push(format!("{place}: {name} is not known")),
                        wanted => faults(root, wanted, part, &format!("{place}.{name}"), found),
                    }
                }
            }
            "items" => {
                for (at, part) in list(value).iter().enumerate() {
                    faults(root, wanted, part, &format!("{place}[{at}]"), found);
                }
            }
            "anyOf" | "oneOf" => {
                let fitting = list(wanted)
                    .iter()
                    .filter(|schema| {
                        let mut inner = Vec::new();
                        faults(root, schema, value, place, &mut inner);
                        inner.is_empty()
                    })
                    .count();
                if fitting == 0 || keyword == "oneOf" && fitting > 1 {
                    found.push(format!("{place}: {fitting} alternatives fit"));
                }
            }
            "$ref" => {
                let pointer = wanted
                    .as_str()
                    .unwrap()
                    .strip_prefix('#')
                    .expect("in this file");
                faults(root, root.pointer(pointer).unwrap(), value, place, found);
            }
            other => panic!("the validator does not know the keyword `{other}`"),
        }
    }
    found.extend(own);
}

fn faults_of(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    faults(schema, schema, value, "log", &mut found);
    found
}

#[test]
fn sarif_is_as_its_schema_says() {
    let schema = schema();
    for report in [several(), undecided(), report(Vec::new()), hostile()] {
        let text = ::report::sarif(&report);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(faults_of(&schema, &value), [""; 0], "{text}");
        // And it is what the types say: nothing is lost on the way there and back.
        let typed: serde_sarif::sarif::Sarif = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_value(&typed).unwrap(), value);
    }
    // The validator can fail.
    let mut value: Value = serde_json::from_str(&::report::sarif(&several())).unwrap();
    value["runs"][0]["results"][0]["level"] = "alarming".into();
    value["runs"][0]["tool"]["driver"]["nmae"] = "x".into();
    value["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] =
        0.into();
    assert_eq!(faults_of(&schema, &value).len(), 3);
}

/// GitHub shows a result at its place, follows it by its fingerprint, and explains it by its rule.
#[test]
fn sarif_has_what_code_scanning_needs() {
    let value: Value = serde_json::from_str(&report::sarif(&several())).unwrap();
    let run = &value["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for rule in rules {
        for needed in [
            "id",
            "name",
            "shortDescription",
            "fullDescription",
            "help",
            "defaultConfiguration",
        ] {
            assert!(rule.get(needed).is_some(), "{rule}");
        }
        assert!(
            rule["properties"]["tags"].is_array() && rule["properties"]["precision"].is_string()
        );
    }
    let results = run["results"].as_array().unwrap();
    let levels: Vec<&str> = results
        .iter()
        .map(|result| result["level"].as_str().unwrap())
        .collect();
    // A crash first, what failed before and succeeds now last.
    assert_eq!(levels, ["error", "warning", "note"]);
    for result in results {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "src/new.c");
        assert!(place["region"]["startLine"].as_u64().unwrap() >= 1);
        let flow = &result["codeFlows"][0]["threadFlows"][0]["locations"];
        assert!(!flow.as_array().unwrap().is_empty());
        let fingerprint = &result["partialFingerprints"][report::FINGERPRINT];
        assert_eq!(fingerprint.as_str().unwrap().len(), 12);
    }
    let message = results[1]["message"]["text"].as_str().unwrap();
    assert!(
        message.starts_with("Standard output differs on program 10\n"),
        "{message}"
    );
    assert!(message.contains("old 120\\n | new 90\\n"), "{message}");
}

/// A file without results must not read as a proof.
#[test]
fn undecided_is_said_in_every_format() {
    let report = undecided();
    let sarif: Value = serde_json::from_str(&::report::sarif(&report)).unwrap();
    let note = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(note["level"], "warning");
    assert!(
        note["message"]["text"]
            .as_str()
            .unwrap()
            .starts_with("undecided: ")
    );
    let junit = quick_junit::Report::deserialize_from_str(&::report::junit(&report)).unwrap();
    assert_eq!(junit.test_suites[0].errors, 1);
    assert!(::report::markdown(&report).starts_with("## Parallax: undecided: "));
}

/// What C leaves undefined is named with the difference, which is not taken for an intended one; and where no difference is without
/// it, the answer says so.
#[test]
fn undefined_behaviour_is_said_in_every_format() {
    let mut report = several();
    for difference in &mut report.differences {
        difference.undefined = vec![UndefinedStep {
            version: 1,
            operation: Operation::SignedOverflow,
            at: CodePlace {
                file: Some("src/new.c".to_owned()),
                line: 7,
                function: "price".to_owned(),
            },
        }];
    }
    let answer = "different only through undefined behaviour: ";
    let sarif: Value = serde_json::from_str(&::report::sarif(&report)).unwrap();
    let run = &sarif["runs"][0];
    assert!(
        run["properties"]["answer"]
            .as_str()
            .unwrap()
            .starts_with(answer)
    );
    for result in run["results"].as_array().unwrap() {
        let said = result["message"]["text"].as_str().unwrap();
        assert!(
            said.contains("Undefined behaviour: signed overflow at src/new.c:7 in price (new)")
        );
        assert_eq!(result["level"], "error", "{said}");
    }
    let junit = ::report::junit(&report);
    assert!(junit.contains(answer) && junit.contains("undefined behaviour: signed overflow at "));
    let markdown = ::report::markdown(&report);
    assert!(markdown.starts_with(&format!("## Parallax: {answer}")));
    assert!(markdown.contains("Undefined behaviour: signed overflow at "));
}

/// A change that no input executed is no proof in any format.
#[test]
fn not_exercised_is_said_in_every_format() {
    let mut report = undecided();
    report.verdict = Verdict::NotExercised;
    report.steps[0].finding = Finding::NotExercised;
    let sarif: Value = serde_json::from_str(&::report::sarif(&report)).unwrap();
    let note = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(note["level"], "warning");
    let junit = quick_junit::Report::deserialize_from_str(&::report::junit(&report)).unwrap();
    assert_eq!(junit.test_suites[0].errors, 1);
    assert!(::report::markdown(&report).starts_with("## Parallax: not exercised: "));
}

#[test]
fn junit_is_as_its_schema_says() {
    let schema = package("junit-report").join("tests/JUnit.xsd");
    for report in [several(), undecided(), report(Vec::new()), hostile()] {
        let text = ::report::junit(&report);
        assert_eq!(xml_faults(&schema, &text), "", "{text}");
    }
    // The validator can fail.
    let text = ::report::junit(&several());
    for (from, to) in [
        ("<testcase name=", "<testcase nmae="),
        ("<failure", "<trouble/><failure"),
        ("</testsuites>", ""),
    ] {
        assert!(text.contains(from));
        assert_ne!(xml_faults(&schema, &text.replacen(from, to, 1)), "");
    }
}

#[test]
fn junit_is_read_back_with_types() {
    for (report, [tests, failures, errors]) in [
        (several(), [4, 4, 0]),
        (undecided(), [1, 0, 1]),
        (report(Vec::new()), [1, 0, 0]),
        (hostile(), [2, 2, 0]),
    ] {
        let text = ::report::junit(&report);
        let read = quick_junit::Report::deserialize_from_str(&text).unwrap();
        let suite = &read.test_suites[0];
        assert_eq!(
            [suite.tests, suite.failures, suite.errors],
            [tests, failures, errors],
            "{text}"
        );
        assert_eq!(suite.test_cases.len(), tests);
        for case in &suite.test_cases {
            assert!(case.classname.is_some() && !case.name.as_str().is_empty());
        }
        // Nothing that XML 1.0 has no place for.
        let is_allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        assert!(text.chars().all(is_allowed));
    }
}

/// What people of others' texts could be made to run, follow, or be told of.
#[test]
fn hostile_content_stays_text() {
    let report = hostile();
    let texts = [
        report::sarif(&report),
        report::junit(&report),
        report::markdown(&report),
    ];
    for text in &texts {
        assert!(text.len() < 200_000, "{} bytes", text.len());
        for bad in ['\x1b', '\u{202e}', '\x07', '\0'] {
            assert!(!text.contains(bad), "{bad:?}");
        }
        assert!(text.contains("more bytes"), "what is left out is counted");
    }
    let [_, junit, markdown] = &texts;
    assert!(!junit.contains("<script"), "{junit}");
    assert!(markdown.len() < 65_536);
    // Outside of code, nothing is markup or a mention.
    let mut fence: Option<usize> = None;
    for line in markdown.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            Some(open) if ticks >= open && line.trim_matches('`').is_empty() => fence = None,
            Some(_) => {}
            None if ticks >= 3 => fence = Some(ticks),
            None => {
                let outside = without_spans(line);
                for bad in ["<script", "<b>&", "@everyone", "x](java", "</details><b>"] {
                    assert!(!outside.contains(bad), "{bad} in {line}");
                }
            }
        }
    }
    assert_eq!(fence, None, "every block is closed");
}

/// A line without its spans of code.
fn without_spans(line: &str) -> String {
    let mut outside = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        outside += &rest[..start];
        let ticks = rest[start..].len() - rest[start..].trim_start_matches('`').len();
        let body = &rest[start + ticks..];
        let close = body
            .match_indices(&"`".repeat(ticks))
            .find(|(at, _)| !body[at + ticks..].starts_with('`') && !body[..*at].ends_with('`'));
        match close {
            Some((at, _)) => rest = &body[at + ticks..],
            None => {
                outside += &rest[start..start + ticks];
                rest = body;
            }
        }
    }
    outside + rest
}

#[test]
fn three_hundred_differences_make_one_comment() {
    let one = several();
    let differences = std::iter::repeat_n(one.differences, 100)
        .flatten()
        .collect();
    let markdown = report::markdown(&report(differences));
    assert!(markdown.len() < 65_536);
    assert!(
        markdown.contains("more differences\n"),
        "the others are counted"
    );
    assert_eq!(
        markdown.matches("<details").count(),
        markdown.matches("</details>").count()
    );
}

/// Fingerprints tell differences apart, also those that look the same.
#[test]
fn fingerprints_are_unique() {
    let one = several();
    let report = report(
        one.differences
            .iter()
            .chain(&one.differences)
            .cloned()
            .collect(),
    );
    let all: Vec<String> = report::fingerprint::fingerprints(&report).concat();
    let distinct: std::collections::BTreeSet<&String> = all.iter().collect();
    assert_eq!(distinct.len(), 6, "{all:?}");
    assert_eq!(all.iter().filter(|own| own.ends_with("-2")).count(), 3);
}
