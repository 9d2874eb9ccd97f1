//! `parallax check --format json` prints what `docs/check.schema.json` says, and for three versions or more
//! `docs/check-versions.schema.json`.
//!
//! The validator below knows the part of JSON Schema that the file uses, and refuses a keyword that it does
//! not know: nothing in the file goes unchecked.

use crate::support::Bench;
use serde_json::{Value, json};

fn schema_named(name: &str) -> Value {
    let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn schema() -> Value {
    schema_named("check.schema.json")
}

/// Where a value is not as the schema says, and why.
fn faults(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let mut inner = Vec::new();
    let mut own = Vec::new();
    for (keyword, wanted) in schema.as_object().expect("a schema is an object") {
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" => {}
            "type" => {
                let names = match wanted {
                    Value::Array(names) => names.clone(),
                    name => vec![name.clone()],
                };
                if !names
                    .iter()
                    .any(|name| has_type(value, name.as_str().unwrap()))
                {
                    own.push(format!("{value} is not of type {wanted}"));
                }
            }
            "const" if value != wanted => own.push(format!("{value} is not {wanted}")),
            "const" => {}
            "enum" if !wanted.as_array().unwrap().contains(value) => {
                own.push(format!("{value} is none of {wanted}"));
            }
            "enum" => {}
            "minimum" => {
                if value
                    .as_f64()
                    .is_some_and(|number| number < wanted.as_f64().unwrap())
                {
                    own.push(format!("{value} is less than {wanted}"));
                }
            }
            "required" => {
                for name in wanted.as_array().unwrap() {
                    let name = name.as_str().unwrap();
                    if value
                        .as_object()
                        .is_some_and(|object| !object.contains_key(name))
                    {
                        own.push(format!("`{name}` is missing"));
                    }
                }
            }
            "properties" => {
                for (name, wanted) in wanted.as_object().unwrap() {
                    if let Some(part) = value.get(name) {
                        inner.extend(faults(root, wanted, part, &format!("{place}.{name}")));
                    }
                }
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object);
                for (name, part) in value.as_object().into_iter().flatten() {
                    if known.is_some_and(|known| known.contains_key(name)) {
                        continue;
                    }
                    match wanted {
                        Value::Bool(false) => own.push(format!("`{name}` is not known")),
                        wanted => {
                            inner.extend(faults(root, wanted, part, &format!("{place}.{name}")))
                        }
                    }
                }
            }
            "items" => {
                for (index, part) in value.as_array().into_iter().flatten().enumerate() {
                    inner.extend(faults(root, wanted, part, &format!("{place}[{index}]")));
                }
            }
            "anyOf" => {
                let fits = |schema: &Value| faults(root, schema, value, place).is_empty();
                if !wanted.as_array().unwrap().iter().any(fits) {
                    own.push(format!("{value} fits none of the alternatives"));
                }
            }
            "$ref" => {
                let pointer = wanted
                    .as_str()
                    .unwrap()
                    .strip_prefix('#')
                    .expect("in this file");
                let target = root
                    .pointer(pointer)
                    .unwrap_or_else(|| panic!("no {pointer}"));
                inner.extend(faults(root, target, value, place));
            }
            other => panic!("the validator does not know the keyword `{other}`"),
        }
    }
    inner.extend(own.iter().map(|why| format!("{place}: {why}")));
    inner
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("the validator does not know the type `{other}`"),
    }
}

fn wrong(value: &Value) -> Vec<String> {
    let schema = schema();
    faults(&schema, &schema, value, "report")
}

fn report(old: &str, new: &str, arguments: &[&str]) -> Value {
    let bench = Bench::new();
    bench.write("old.c", old);
    bench.write("new.c", new);
    bench.write("golden.c", old);
    let all = [&["check", "old.c", "new.c", "--format", "json"], arguments].concat();
    let said = bench.parallax(&all);
    serde_json::from_str(&said.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", said.stdout, said.stderr))
}

const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    char text[9] = "";
    char *mode = getenv("MODE");
    FILE *table = fopen("table", "r");
    if (table) fgets(text, sizeof text, table);
    if (mode && *mode == 'f') fputs(text, fopen("copy", "w"));
    if (argc > 1 && argv[1][0] > 'x') abort();
    printf("%s\n", argc > 1 ? argv[1] : "none");
    return getchar() == 'q';
}
"#;

#[test]
fn reports_are_as_the_schema_says() {
    let different = PROGRAM
        .replace("> 'x'", "> 'y'")
        .replace("== 'q'", "== 'r'")
        .replace("fputs(text", "fputs(text + 1");
    let flags = [
        "--sym-args",
        "0",
        "1",
        "1",
        "--sym-stdin",
        "1",
        "--sym-env",
        "MODE",
        "1",
    ];
    let files = ["--sym-file", "table", "2", "--golden", "golden.c"];
    let all = report(PROGRAM, &different, &[&flags[..], &files].concat());
    assert_eq!(wrong(&all), [""; 0], "{all:#}");
    assert_eq!(all["verdict"], "different");
    let kinds: Vec<&Value> = all["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["kind"][0])
        .collect();
    for kind in [
        json!("exit-status"),
        json!("end"),
        json!({"file": "/home/user/copy"}),
    ] {
        assert!(kinds.contains(&&kind), "{kinds:?}");
    }
    let entries = all["partitions"].as_array().unwrap();
    let counts = all["partition_counts"].as_object().unwrap();
    let counted: u64 = counts.values().map(|count| count.as_u64().unwrap()).sum();
    let listed: u64 = entries
        .iter()
        .map(|entry| entry["count"].as_u64().unwrap())
        .sum();
    assert!(
        entries.len() <= 100 && listed <= counted && !entries.is_empty(),
        "{all:#}"
    );

    let same = report(PROGRAM, PROGRAM, &["--sym-arg", "1"]);
    assert_eq!(wrong(&same), [""; 0], "{same:#}");
    assert_eq!(same["verdict"], "equivalent");
    let stopped = report(PROGRAM, &different, &["--sym-arg", "1", "--runs", "1"]);
    assert_eq!(wrong(&stopped), [""; 0], "{stopped:#}");
}

/// The effect of a change dies before the output: behind it both versions are in the same state, whatever comes then.
#[test]
fn reports_of_a_proof_with_equal_states_are_as_the_schema_says() {
    let old = r#"
#include <stdio.h>
int main(void) {
    int in = getchar(), kept = 3;
    if (in > 9) kept = in;
    if (in & 16) return 5;
    if (in & 32) return 6;
    return kept;
}
"#;
    let new = old.replace("in > 9", "in >= 9");
    let all = report(old, &new, &["--sym-stdin", "1", "--verify-only"]);
    assert_eq!(wrong(&all), [""; 0], "{all:#}");
    let proofs = all["partitions"].as_array().unwrap().iter();
    let converged = proofs
        .filter(|entry| entry["proof"] == "same state")
        .count();
    assert!(converged > 0, "{all:#}");
    let counted = all["partition_counts"]["equal_converged"].as_u64();
    assert_eq!(counted, Some(converged as u64), "{all:#}");
}

/// A change behind a file that nobody makes.
pub(super) const NOT_REACHED: &str = r#"
    #include <stdio.h>
    int twice(int x) { while (x > 1000) x -= 7; return x + x; }
    int main(void) {
        FILE *file = fopen("/etc/no-such-program.conf", "r");
        if (file) printf("%d\n", twice(getc(file)));
        return 0;
    }
"#;

/// Where the program says nothing of a change, the changed functions by themselves do, also to machines.
#[test]
fn functions_below_a_report_are_as_the_schema_says() {
    let new = NOT_REACHED.replace("x + x", "2 * x + (x == 77)");
    let all = report(NOT_REACHED, &new, &["--timeout", "10s"]);
    assert_eq!(wrong(&all), [""; 0], "{all:#}");
    assert_eq!(all["verdict"], "not exercised", "{all:#}");
    let [twice] = &all["functions_below"].as_array().expect("functions")[..] else {
        panic!("{all:#}");
    };
    assert_eq!(twice["function"], "twice");
    assert_eq!(twice["verdict"], "different");
    assert_eq!(twice["call"]["text"], "twice(x = 77)");
    // Bounds that are given are kept, and a program that is decided says all itself.
    let given = report(NOT_REACHED, &new, &["--sym-arg", "1"]);
    assert_eq!(given["functions_below"], json!(null), "{given:#}");
}

#[test]
fn reports_of_a_function_are_as_the_schema_says() {
    let old = r#"
        #include <errno.h>
        #include <stdlib.h>
        int last;
        int put(int *slot, int value) {
            if (value > 9) errno = ERANGE;
            if (value < -9) abort();
            last = value;
            *slot = value;
            return value > 3;
        }
    "#;
    let new = old
        .replace("> 9)", "> 8)")
        .replace("< -9", "< -8")
        .replace("last = value;", "last = value == 5 ? 4 : value;")
        .replace("*slot = value;", "*slot = value == 6 ? 4 : value;")
        .replace("> 3;", "> 2;");
    let all = report(old, &new, &["--fn", "put"]);
    assert_eq!(wrong(&all), [""; 0], "{all:#}");
    let differences = all["differences"].as_array().unwrap();
    let kinds: Vec<&Value> = differences.iter().map(|one| &one["kind"][0]).collect();
    for kind in [
        json!("returned"),
        json!("errno"),
        json!("end"),
        json!({"argument": "slot"}),
        json!({"global": "last"}),
    ] {
        assert!(kinds.contains(&&kind), "{kind}: {kinds:?}");
    }
    let ended = differences
        .iter()
        .find(|one| one["kind"][0] == "end")
        .unwrap();
    assert_eq!(ended["new"]["call"], Value::Null, "{ended:#}");
    assert_eq!(ended["old"]["call"]["returned value"], "0", "{ended:#}");
    assert_eq!(
        ended["input"]["call"]["arguments"]["value"], "-9",
        "{ended:#}"
    );
}

#[test]
fn the_validator_finds_faults() {
    let good = report(
        PROGRAM,
        &PROGRAM.replace("> 'x'", "> 'y'"),
        &["--sym-arg", "1"],
    );
    assert_eq!(wrong(&good), [""; 0], "{good:#}");
    type Spoil = fn(&mut Value);
    let spoil: [(Spoil, &str); 7] = [
        (
            |report| report["schema"] = json!("parallax-check-1"),
            "report.schema",
        ),
        (|report| report["verdict"] = json!("same"), "report.verdict"),
        (
            |report| drop(report.as_object_mut().unwrap().remove("stats")),
            "`stats` is missing",
        ),
        (|report| report["extra"] = json!(1), "`extra` is not known"),
        (
            |report| report["differences"][0]["kind"][0] = json!("smell"),
            "differences[0].kind[0]",
        ),
        (
            |report| report["differences"][0]["class"] = json!("good"),
            "differences[0].class",
        ),
        (
            |report| report["stats"]["pruned"]["not_p"] = json!(-1),
            "less than",
        ),
    ];
    for (spoil, words) in spoil {
        let mut bad = good.clone();
        spoil(&mut bad);
        let found = wrong(&bad).join("; ");
        assert!(found.contains(words), "{words}: {found}");
    }
}

/// Every field is explained.
#[test]
fn the_page_names_every_field() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/check-json.md");
    let page = std::fs::read_to_string(path).unwrap();
    let mut pending = vec![schema(), schema_named("check-versions.schema.json")];
    let mut named = 0;
    while let Some(schema) = pending.pop() {
        for (name, part) in schema
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            assert!(
                page.contains(&format!("`{name}`")),
                "`{name}` is not explained"
            );
            named += 1;
            pending.push(part.clone());
        }
        let parts = schema
            .get("$defs")
            .and_then(Value::as_object)
            .into_iter()
            .flatten();
        pending.extend(parts.map(|(_, part)| part.clone()));
        pending.extend(schema.get("items").cloned());
    }
    assert!(named > 50, "{named}");
}

/// A field that is missing, added or of another type is found in the report of several versions, too.
#[test]
fn reports_of_several_versions_are_as_their_schema_says() {
    let schema = schema_named("check-versions.schema.json");
    let wrong = |value: &Value| faults(&schema, &schema, value, "report");
    let bench = Bench::new();
    bench.write("v0.c", PROGRAM);
    let broken = PROGRAM
        .replace("> 'x'", "> 'y'")
        .replace("fputs(text", "fputs(text + 1");
    bench.write("v1.c", &broken);
    bench.write("v2.c", &PROGRAM.replace("== 'q'", "== 'r'"));
    let check = |more: &[&str]| -> Value {
        let all = ["check", "v0.c", "v1.c", "v2.c", "--format", "json"];
        let space = ["--sym-args", "0", "1", "1", "--sym-stdin", "1"];
        let files = ["--sym-env", "MODE", "1", "--sym-file", "table", "2"];
        let said = bench.parallax(&[&all, &space[..], &files, more].concat());
        serde_json::from_str(&said.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}{}", said.stdout, said.stderr))
    };
    let whole = check(&["--paranoid"]);
    assert_eq!(wrong(&whole), [""; 0], "{whole:#}");
    assert_eq!(whole["verdict"], "different");
    assert_eq!(whole["self_check"]["refuted"], Value::Null);
    let stopped = check(&["--runs", "2", "--fresh"]);
    assert_eq!(wrong(&stopped), [""; 0], "{stopped:#}");
    assert_eq!(stopped["exhausted"], false);
    for (place, value) in [
        ("/verdict", json!("perhaps")),
        ("/pairs/0/from", json!("V0")),
        ("/differences/0/groups/0", json!(0)),
        ("/differences/0/effects/0/effect", json!("mends")),
        ("/partitions/0/outputs/0/versions", json!("text")),
    ] {
        let mut changed = whole.clone();
        *changed.pointer_mut(place).unwrap() = value;
        assert!(!wrong(&changed).is_empty(), "{place}");
    }
    let mut more = whole.clone();
    more["differences"][0]["old"] = json!({});
    assert!(!wrong(&more).is_empty());
}
