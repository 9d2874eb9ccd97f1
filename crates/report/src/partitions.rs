//! The list of partitions, in words and for machines.

use compare::report::Report;
use compare::search::partitions::{Entry, Output, PartitionList, PartitionStatus};
use compare::spec::Which;
use compare::versions::groups::label;
use exploration::worker::Proof;
use serde_json::{Value, json};

use crate::observables::name;

/// How much people read of one condition, and of all of a partition.
const MOST_OF_ONE: usize = 240;
const MOST_CHARACTERS: usize = 720;

/// Those that differ or are not known first.
fn rank(entry: &Entry) -> u8 {
    match entry.known {
        PartitionStatus::Different => 0,
        PartitionStatus::Unknown(_) => 1,
        PartitionStatus::Equal(_) => 2,
    }
}

pub(crate) fn proof(proof: Proof) -> &'static str {
    match proof {
        Proof::SameTerms => "terms",
        Proof::Solver => "solver",
        Proof::ChangeNotReached => "change not reached",
        Proof::SameState => "same state",
        Proof::SameCall => "same call",
    }
}

/// For people.
pub(crate) fn text(report: &Report, which: Which) -> String {
    let PartitionList { entries, counts } = &report.partitions;
    let mut entries: Vec<&Entry> = entries.iter().collect();
    entries.sort_by_key(|entry| rank(entry));
    let mut text = String::new();
    let mut listed = 0;
    for entry in entries {
        let lines = entry_text(report, entry);
        text.extend(lines.lines().map(|line| format!("  {line}\n")));
        listed += entry.count;
    }
    match counts.of(which) - listed {
        0 => text,
        more => text + &format!("  and {more} more\n"),
    }
}

fn entry_text(report: &Report, entry: &Entry) -> String {
    let how = match (&entry.known, &entry.groups) {
        (PartitionStatus::Equal(by), _) => format!("equal ({})", proof(*by)),
        (PartitionStatus::Unknown(reason), _) => format!("not known: {reason}"),
        (PartitionStatus::Different, Some(groups)) => groups.to_string(),
        (PartitionStatus::Different, None) => "different".to_owned(),
    };
    let condition = match &entry.condition[..] {
        [] => "every input".to_owned(),
        conditions => shortened(conditions),
    };
    let times = match entry.count {
        1 => String::new(),
        count => format!(" ({count} partitions)"),
    };
    let mut text = format!("{how}{times}: {condition}\n");
    for output in &entry.outputs {
        let name = name(report, &output.observable, output.of_call.as_ref());
        text += &format!("  {name}: {}\n", said(output));
    }
    text
}

pub(crate) fn said(output: &Output) -> String {
    match &output.versions[..] {
        [old, new] if old == new => old.to_string(),
        [old, new] => format!("old {old}, new {new}"),
        versions => {
            let versions: Vec<String> = versions.iter().map(ToString::to_string).collect();
            by_what_they_say(&versions)
        }
    }
}

/// Texts of the versions, each once with the versions that it is of; by itself if it is of all.
fn by_what_they_say(versions: &[String]) -> String {
    let mut texts: Vec<(&String, Vec<String>)> = Vec::new();
    for (version, text) in versions.iter().enumerate() {
        match texts.iter_mut().find(|known| known.0 == text) {
            Some(known) => known.1.push(label(version)),
            None => texts.push((text, vec![label(version)])),
        }
    }
    if let [(text, _)] = &texts[..] {
        return (*text).clone();
    }
    let texts = texts.iter();
    let texts = texts.map(|(text, versions)| format!("{} {text}", versions.join(" and ")));
    texts.collect::<Vec<_>>().join(", ")
}

/// For machines.
pub(crate) fn json(list: &PartitionList) -> Vec<Value> {
    list.entries.iter().map(entry_json).collect()
}

fn entry_json(entry: &Entry) -> Value {
    let outputs = entry.outputs.iter().map(output_json);
    let (verdict, proof, reason) = match &entry.known {
        PartitionStatus::Equal(by) => ("equal", Some(proof(*by)), None),
        PartitionStatus::Different => ("different", Some("witness"), None),
        PartitionStatus::Unknown(reason) => ("unknown", None, Some(reason)),
    };
    let mut value = json!({
        "condition": entry.condition,
        "outputs": outputs.collect::<Vec<_>>(),
        "verdict": verdict,
        "proof": proof,
        "reason": reason,
        "count": entry.count,
    });
    if let Some(groups) = &entry.groups {
        value["groups"] = json!(groups.groups);
        value["not_known"] = json!(groups.not_known);
    }
    value
}

fn output_json(output: &Output) -> Value {
    let versions: Vec<String> = output.versions.iter().map(ToString::to_string).collect();
    match &versions[..] {
        [old, new] => json!({"observable": output.observable, "old": old, "new": new}),
        _ => json!({"observable": output.observable, "versions": versions}),
    }
}

/// For people: as much of the conditions as one reads, and how much more there is.
pub(crate) fn shortened(conditions: &[String]) -> String {
    let mut text = String::new();
    for (number, condition) in conditions.iter().enumerate() {
        let left = conditions.len() - number;
        if text.len() > MOST_CHARACTERS {
            let conditions = if left == 1 { "condition" } else { "conditions" };
            return text + &format!("; … and {left} more {conditions}");
        }
        if number > 0 {
            text += "; ";
        }
        match condition.char_indices().nth(MOST_OF_ONE) {
            None => text += condition,
            Some((end, _)) => {
                let more = condition[end..].chars().count();
                text += &format!("{}… ({more} more characters)", &condition[..end]);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing is left out without a word.
    #[test]
    fn what_is_left_out_is_counted() {
        let of = |text: &str, count: usize| vec![text.to_owned(); count];
        assert_eq!(shortened(&of("a == 1", 3)), "a == 1; a == 1; a == 1");
        let long = "x".repeat(MOST_OF_ONE + 7);
        let cut = format!("{}… (7 more characters)", "x".repeat(MOST_OF_ONE));
        assert_eq!(shortened(&of(&long, 1)), cut);
        let many = shortened(&of(&long, 5));
        assert_eq!(
            many,
            format!("{cut}; {cut}; {cut}; … and 2 more conditions")
        );
    }

    #[test]
    fn the_same_text_is_said_once() {
        let said = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
            by_what_they_say(&texts)
        };
        assert_eq!(said(&["a", "b", "a"]), "V0 and V2 a, V1 b");
        assert_eq!(said(&["a", "a", "a"]), "a");
    }
}
