//! The report of several versions for machines. `docs/check-json.md` says what each field means. A field that gets another
//! meaning, or goes, means another number in `SCHEMA`.

use exploration::Summary;
use serde_json::{Value, json};

use super::super::json::{changes, dependences, gaps, outcome, self_check, verdict, word};
use super::super::partitions::MOST_LISTED;
use super::super::undefined::Read;
use super::super::{examples, settled};
use super::examples::Example;
use super::groups::{Effect, label};
use super::line::Between;
use super::report::{Finding, Report};
use super::search::Kind;
use crate::explore::{json_input, milliseconds};

const SCHEMA: &str = "parallax-check-versions-1";

impl Report<'_> {
    pub(super) fn json(&self) -> Value {
        let versions = self.files.iter().enumerate();
        let versions =
            versions.map(|(version, files)| json!({"name": label(version), "files": files}));
        let pairs = self.line.pairs.iter().enumerate();
        let pairs = pairs.map(|(number, pair)| self.pair_json(number, pair));
        let differences = self.examples.iter().zip(1..);
        let differences =
            differences.map(|((kind, example), id)| self.difference_json(id, kind, example));
        let count = |of: &dyn Fn(&Summary) -> u64| self.summary.map_or(0, of);
        json!({
            "schema": SCHEMA,
            "verdict": verdict(self.verdict()),
            "versions": versions.collect::<Vec<_>>(),
            "pairs": pairs.collect::<Vec<_>>(),
            "exhausted": self.summary.is_none_or(|summary| summary.exhausted()),
            "stopped": self.summary.map(|summary| summary.stop.to_string()),
            "bounds": {
                "input": self.space.bounds(),
                "instructions": self.arguments.max_steps,
                "decisions": self.arguments.max_decisions,
            },
            "assumptions": self.assumptions(),
            "gaps": gaps(self.summary),
            "left_out": self.left_out,
            "nondeterministic": dependences(&self.dependences),
            "undefined": self.undefined.reads.iter().map(Read::json).collect::<Vec<_>>(),
            "differences": differences.collect::<Vec<_>>(),
            "partitions": self.partitions.entries,
            "partition_counts": self.partitions.counts,
            "partitions_listed_at_most": MOST_LISTED,
            "settled": settled::json(self.summary, &self.partitions.counts),
            "self_check": self.self_check.as_ref().map(self_check),
            "stats": {
                "runs": count(&|summary| summary.runs),
                "paths": count(&|summary| summary.paths),
                "paths_before": count(&|summary| summary.paths_before),
                "queries": count(&|summary| summary.effort.counts.queries),
                "wall_ms": milliseconds(self.wall),
                "search_ms": self.summary.map_or(0.0, |summary| milliseconds(summary.effort.wall)),
                "solver_ms": self.summary.map_or(0.0, |summary| milliseconds(summary.effort.counts.solving)),
            },
            "first_difference": self.first.map(|(runs, wall)| json!({"runs": runs, "wall_ms": milliseconds(wall)})),
        })
    }

    fn pair_json(&self, number: usize, pair: &Between<'_>) -> Value {
        let finding = self.finding(number, pair);
        let kinds = self.kinds(pair);
        json!({
            "from": pair.one,
            "to": pair.other,
            "verdict": verdict(finding.verdict()),
            "same_code": finding == Finding::SameCode,
            "undecided_because": match finding {
                Finding::Undecided(why) => Some(why),
                _ => None,
            },
            "differences": kinds.all,
            "undoes": kinds.undoes,
            "introduces": kinds.introduces,
        })
    }

    fn difference_json(&self, id: u64, kind: &Kind, example: &Example) -> Value {
        let groups = &kind.symptom.groups;
        let effects = groups.effects().into_iter();
        let effects = effects.map(|(version, effect)| {
            json!({
                "version": version,
                "effect": effect.name(),
                "as": match effect {
                    Effect::Undoes { again } => again,
                    Effect::Introduces | Effect::Changes => Vec::new(),
                },
            })
        });
        let pairs = example.pairs.iter();
        let pairs = pairs.map(|(pair, own)| self.example_json(*pair, example, own));
        let mut value = json!({
            "id": id,
            "effects": effects.collect::<Vec<_>>(),
            "kind": kind.symptom.observables,
            "input": json_input(&example.input),
            "minimal": example.is_minimal,
            "found_with": json_input(&example.found_with),
            "condition": example.condition,
            "outcomes": example.shown.outcomes.iter().map(outcome).collect::<Vec<_>>(),
            "confirmed_natively": example.is_confirmed(),
            "pairs": pairs.collect::<Vec<_>>(),
            "partitions": kind.partitions,
        });
        for (name, part) in json!(groups).as_object().into_iter().flatten() {
            value[name] = part.clone();
        }
        value
    }

    /// Two versions that a difference tells apart.
    fn example_json(&self, pair: usize, example: &Example, own: &examples::Example) -> Value {
        let between = &self.line.pairs[pair];
        json!({
            "from": between.one,
            "to": between.other,
            "kind": example.shown.pairs[pair].symptom.observables,
            "attributes": own.attributes,
            "confirmed_natively": own.unconfirmed.is_none(),
            "unconfirmed_because": own.unconfirmed,
            "changes": changes(&mut own.changes.iter()),
            "tests": own.folder,
            "reproduce": own.reproduce().map(|script| format!("sh {}", word(&script))),
        })
    }
}
