//! The report of several versions for people.

use std::collections::BTreeSet;

use exploration::compare::Observable;
use exploration::worker::Part;
use exploration::{InputRecord, Verdict};

use super::super::contrast::Marks;
use super::super::json::word;
use super::super::report::{ALWAYS_ASSUMED, C_LIBRARY};
use super::super::text::{
    as_for, changes, command, in_folder, known_before, not_known, outputs, provided, unexplored,
};
use super::super::version_files::typed;
use super::super::{examples, settled};
use super::examples::Example;
use super::groups::{label, listed};
use super::line::Between;
use super::report::{Finding, Kinds, Report};
use super::search::Kind;
use crate::counted;
use crate::explore::{input_as_typed, number_or_bytes};
use native::test_case::shell_word;

/// How many kinds of difference are shown in full.
const MOST_SHOWN: usize = 10;

impl Report<'_> {
    pub(super) fn text(&self, marks: Marks) -> String {
        let mut text = self.headline(marks);
        for (version, files) in self.files.iter().enumerate() {
            text += &format!("  {}: {}\n", label(version), typed(files));
        }
        for (number, pair) in self.line.pairs.iter().enumerate() {
            text += &self.pair_text(number, pair);
        }
        let Some(summary) = self.summary else {
            return text;
        };
        let shown = self.examples.iter().take(MOST_SHOWN);
        for ((kind, example), number) in shown.zip(1..) {
            text.push('\n');
            text += &self.difference(number, kind, example, marks);
        }
        if self.examples.len() > MOST_SHOWN {
            let number = self.examples.len() - MOST_SHOWN;
            text += &format!("\n… and {number} more, with --format json\n");
        }
        if !self.examples.is_empty() {
            text.push('\n');
        }
        let counts = &self.partitions.counts;
        text += &format!(
            "{} in {:.1} s: on {} all versions are proved equal ({} by equal terms, {} by the solver), on {} some differ, {} not known\n",
            counted(counts.all(), "partition"),
            self.wall.as_secs_f64(),
            counts.equal(),
            counts.equal_by_terms,
            counts.equal_by_solver,
            counts.different,
            counts.unknown
        );
        if let Some(which) = self.arguments.partitions {
            text += &self
                .partitions
                .text(which, &|observable| self.name(observable));
        }
        text += &known_before(summary);
        text += &settled::text(summary, counts, false);
        text += &self.self_check_text();
        text += &unexplored(summary, true);
        text += &self.reservations();
        for (gap, times) in &summary.gaps {
            text += &format!("incomplete: {gap} ({})\n", counted(*times, "time"));
        }
        for note in self.notes() {
            text += &format!("note: {note}\n");
        }
        let mut pairs = self.line.pairs.iter().enumerate();
        if pairs.any(|(number, pair)| self.finding(number, pair) == Finding::Equivalent) {
            text += &format!("assumed: {}\n", ALWAYS_ASSUMED.join("; "));
        }
        text += &format!("bounds: {}\n", self.bounds().join("; "));
        text
    }

    fn headline(&self, marks: Marks) -> String {
        let heading = |word: &str| marks.heading(word);
        if self.summary.is_none() {
            return format!(
                "{}: nothing has changed, all versions compile to the same code for the VM\nassumed: {C_LIBRARY}\n",
                heading("equivalent")
            );
        }
        match self.verdict() {
            Verdict::Equivalent => format!(
                "{}: all versions behave the same on every input within the bounds\n",
                heading("equivalent")
            ),
            Verdict::Different => {
                let steps = self.line.steps().iter().enumerate();
                let steps = steps
                    .filter(|(number, step)| self.finding(*number, step) == Finding::Different);
                let versions: Vec<usize> = steps.map(|(_, step)| step.other).collect();
                let (behave, before) = match &versions[..] {
                    [only] => ("behaves", label(only - 1)),
                    _ => ("each behave", "the version before".to_owned()),
                };
                format!(
                    "{}: {} {behave} in another way than {before}\n",
                    heading("different"),
                    listed(&versions)
                )
            }
            Verdict::Undecided => format!(
                "{}: not every version is proved to behave as the one before\n",
                heading("undecided")
            ),
        }
    }

    fn pair_text(&self, number: usize, pair: &Between<'_>) -> String {
        let kinds = self.kinds(pair);
        let finding = match self.finding(number, pair) {
            Finding::SameCode => "equivalent, the same code".to_owned(),
            Finding::Equivalent => format!("equivalent{}", self.provided(pair)),
            Finding::Different => format!("different: {}", kinds_text(&kinds)),
            Finding::Undecided(why) => format!("undecided: {why}"),
        };
        format!("{}: {finding}\n", names(pair))
    }

    /// What an `equivalent` depends on that these versions' own runs show.
    fn provided(&self, pair: &Between<'_>) -> String {
        let assumed = self.undefined.assumed.iter();
        let own = assumed.filter(|one| pair.versions.names.contains(&one.version));
        provided(own)
    }

    fn difference(&self, number: usize, kind: &Kind, example: &Example, marks: Marks) -> String {
        let groups = &kind.symptom.groups;
        let effects = groups.effects().into_iter();
        let effects = effects.map(|(version, effect)| effect.in_words(version));
        let effects: Vec<String> = effects.collect();
        let title = format!("{number}. {}", groups.text());
        let seen = match example.confirmed() {
            _ if example.is_confirmed() => "seen natively",
            0 => "seen in the VM only",
            _ => "seen natively in part",
        };
        let mut body = self.input(example);
        let steps = self.line.steps().len();
        for (pair, own) in &example.pairs {
            // The last with the first follows from the steps, if these are known.
            if *pair < steps || !groups.not_known.is_empty() {
                body += &self.pair_difference(*pair, kind, example, own, marks);
            }
        }
        if kind.partitions > 1 {
            body += &format!("the same on {} partitions\n", kind.partitions);
        }
        let body = body.lines().map(|line| format!("   {line}\n"));
        format!(
            "{}: {}, {seen}\n{}",
            marks.heading(&title),
            effects.join("; "),
            body.collect::<String>()
        )
    }

    /// What two versions do on an example.
    fn pair_difference(
        &self,
        pair: usize,
        kind: &Kind,
        example: &Example,
        own: &examples::Example,
        marks: Marks,
    ) -> String {
        let between = &self.line.pairs[pair];
        let seen = &example.shown.pairs[pair].symptom.observables;
        // Given exactly this input, they may do the same.
        let observables = match seen.is_empty() {
            true => &kind.symptom.observables,
            false => seen,
        };
        let mut text = String::new();
        for observable in observables {
            text += &format!("{}, {}:\n", names(between), self.name(observable));
            let both = outputs(observable, own, self.arguments.max_steps, marks);
            let [old, new] = [between.one, between.other].map(label);
            for line in both.lines() {
                let line = match (line.strip_prefix("old: "), line.strip_prefix("new: ")) {
                    (Some(rest), _) => format!("{old:<4} {rest}"),
                    (_, Some(rest)) => format!("{new:<4} {rest}"),
                    _ => line.to_owned(),
                };
                text += &format!("  {line}\n");
            }
        }
        let lines = changes(&own.changes);
        text.extend(lines.lines().map(|line| format!("  {line}\n")));
        match (own.reproduce(), &own.unconfirmed) {
            (Some(script), _) => text += &format!("  reproduce: sh {}\n", word(&script)),
            (None, why) => {
                let why = why.as_deref().unwrap_or_default();
                let why = why.replace('\n', "\n  ");
                text += &format!(
                    "  not seen natively: {why}\n  tests: {}\n",
                    word(&own.folder)
                );
            }
        }
        text
    }

    fn name(&self, observable: &Observable) -> String {
        match observable {
            Observable::File(path) => format!("file {}", in_folder(self.working_folder, path)),
            _ => observable.to_string(),
        }
    }

    /// The input as one would type it.
    fn input(&self, example: &Example) -> String {
        let input = &example.input;
        let Some(command) = command(input) else {
            let lines = input_as_typed(input);
            let lines = lines.lines().map(|line| format!("{}\n", line.trim_start()));
            return lines.collect();
        };
        let mut text = format!("input: {command}\n");
        for (path, content) in &input.files {
            let name = in_folder(self.working_folder, path);
            text += &format!("file {name}: {}\n", shell_word(content));
        }
        for (name, value) in &input.variables {
            text += &format!("{name}: {}\n", number_or_bytes(value));
        }
        text
    }

    fn self_check_text(&self) -> String {
        let Some(found) = &self.self_check else {
            return String::new();
        };
        let mut text = format!(
            "self-check: native runs agree on {} of partitions on which two versions are proved equal",
            counted(found.same, "input")
        );
        if found.not_run > 0 {
            text += &format!("; {} were not run for want of time", found.not_run);
        }
        if let Some(excuse) = &found.excuse {
            text += &format!("; {} say nothing ({excuse})", found.excused);
        }
        if let Some(refuted) = &found.refuted {
            text += &format!(
                "\nINTERNAL ERROR: a proof is refuted: {}; see {}",
                refuted.why,
                refuted.bundle.display()
            );
        }
        text + "\n"
    }

    /// What stands against a verdict.
    fn reservations(&self) -> String {
        let mut text = String::new();
        let as_for = |input: &InputRecord| as_for(command(input));
        let partitions = self.summary.iter().flat_map(|summary| &summary.partitions);
        let mut reasons = BTreeSet::new();
        for partition in partitions {
            if let Part::Unknown { why } = &partition.part {
                reasons.insert(why.to_string());
            }
            reasons.extend(partition.relations.open().map(ToString::to_string));
        }
        if let Some(summary) = self.summary {
            text += &not_known(reasons, summary);
        }
        for what in &self.left_out {
            text += &format!("not compared: {what}\n");
        }
        for dependence in &self.dependences {
            text += &format!(
                "not deterministic: what the {} version does depends on {}{}; it was compared for one choice of it only\n",
                dependence.version,
                dependence.on,
                as_for(&dependence.input)
            );
        }
        for read in &self.undefined.reads {
            text += &format!("undefined: {}{}\n", read.in_words(), as_for(&read.input));
        }
        for assumed in &self.undefined.assumed {
            let input = as_for(&assumed.input);
            text += &format!("assumed here: {}{input}\n", assumed.in_words());
        }
        text
    }
}

/// As in `V0 → V1`.
fn names(pair: &Between<'_>) -> String {
    format!("{} → {}", label(pair.one), label(pair.other))
}

fn kinds_text(kinds: &Kinds) -> String {
    let numbers = |numbers: &[usize]| {
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        numbers.join(", ")
    };
    let mut text = counted(kinds.all.len() as u64, "kind of difference")
        .replace("kind of differences", "kinds of difference");
    text += &format!(" ({})", numbers(&kinds.all));
    // Of the first step, each is new.
    if !kinds.undoes.is_empty() {
        text += &format!("; undoes {}", numbers(&kinds.undoes));
        if !kinds.introduces.is_empty() {
            text += &format!("; introduces {}", numbers(&kinds.introduces));
        }
    }
    text
}
