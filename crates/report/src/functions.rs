//! The report on all changed functions: a row for each, the worst first.

use compare::report::Report;
use compare::verdict::Verdict;
use serde_json::json;

use crate::{natively, words};

/// What was found of one changed function.
pub struct FunctionRow {
    pub name: String,
    /// Or why it could not be compared.
    pub found: Result<Report, String>,
}

impl FunctionRow {
    /// What needs a reader's eyes first is least.
    fn rank(&self) -> u8 {
        match self.found.as_ref().map(|report| report.verdict) {
            Ok(Verdict::Different) => 0,
            Err(_) => 1,
            Ok(Verdict::Undecided) => 2,
            Ok(Verdict::NotExercised) => 3,
            Ok(Verdict::Equivalent) => 4,
        }
    }

    fn verdict(&self) -> &'static str {
        match &self.found {
            Ok(report) => words::verdict(report.verdict),
            Err(_) => "not compared",
        }
    }

    /// An input that shows a difference, or what is open.
    fn more(&self) -> String {
        let report = match &self.found {
            Ok(report) => report,
            Err(why) => return why.lines().next().unwrap_or_default().to_owned(),
        };
        let headline = crate::text(report, crate::Marks::Signs);
        let headline = headline.lines().next().unwrap_or_default();
        let call = report
            .differences
            .first()
            .and_then(|first| first.given.call.as_ref());
        match (call, headline.split_once(": ")) {
            (Some(call), _) => call.to_string(),
            (None, Some((_, words))) if is_open(report.verdict) => words.to_owned(),
            _ => String::new(),
        }
    }
}

fn is_open(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Undecided | Verdict::NotExercised)
}

/// The worst first, in the order of the source among those alike.
pub fn sort_functions(rows: &mut [FunctionRow]) {
    rows.sort_by_key(FunctionRow::rank);
}

/// The verdict on all of them: the worst one.
pub fn overall(rows: &[FunctionRow]) -> Verdict {
    let worst = rows.iter().map(FunctionRow::rank).min();
    match worst {
        Some(0) => Verdict::Different,
        Some(1 | 2) => Verdict::Undecided,
        Some(3) => Verdict::NotExercised,
        _ => Verdict::Equivalent,
    }
}

/// How native runs were kept in, if some were not.
fn unconfined(rows: &[FunctionRow]) -> String {
    let mut reports = rows.iter().filter_map(|row| row.found.as_ref().ok());
    let said = reports.find_map(natively::unconfined);
    said.map_or_else(String::new, |said| format!("{said}\n"))
}

/// The report for people.
pub fn functions_text(rows: &[FunctionRow]) -> String {
    let count = |rank: u8| rows.iter().filter(|row| row.rank() == rank).count();
    let counts = [
        (count(0), "different"),
        (count(1), "not compared"),
        (count(2), "undecided"),
        (count(3), "not exercised"),
        (count(4), "equivalent"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let mut text = format!(
        "{}: {}: {}\n{}\n",
        words::verdict(overall(rows)),
        words::counted(rows.len() as u64, "changed function"),
        counts.join(", "),
        unconfined(rows)
    );
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    for row in rows {
        let line = format!(
            "{:<13}  {:<width$}  {}",
            row.verdict(),
            row.name,
            row.more()
        );
        text += line.trim_end();
        text.push('\n');
    }
    text += "\nmore on one of them: the same command with `--fn NAME` instead of `--all-changed`\n";
    text
}

/// The same below a report on the program.
pub fn functions_below(rows: &[FunctionRow]) -> String {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let mut text =
        String::from("changed functions by themselves, whatever the program calls them with:\n");
    for row in rows {
        let more = match &row.found {
            Ok(report) if report.verdict == Verdict::Equivalent => {
                format!(
                    "for all arguments within: {}",
                    report.bounds.input.join(", ")
                )
            }
            _ => row.more(),
        };
        let line = format!("  {:<13}  {:<width$}  {more}", row.verdict(), row.name);
        text += line.trim_end();
        text.push('\n');
    }
    text += &unconfined(rows);
    if let Some(open) = rows.iter().find(|row| row.rank() < 4) {
        text += &format!("next: more on one of them: `--fn {}`\n", open.name);
    }
    text
}

/// The same for machines.
pub(crate) fn functions_below_json(rows: &[FunctionRow]) -> serde_json::Value {
    let row = |row: &FunctionRow| {
        let found = row.found.as_ref().ok();
        let call = found.and_then(|report| report.differences.first()?.given.call.as_ref());
        json!({
            "function": row.name,
            "verdict": row.verdict(),
            "bounds": found.map(|report| &report.bounds.input),
            "why": (!row.more().is_empty()).then(|| row.more()),
            "call": call.map(crate::calls::json_call),
        })
    };
    rows.iter().map(row).collect()
}

/// The report for machines.
pub fn functions_json(rows: &[FunctionRow]) -> serde_json::Value {
    let functions = rows.iter().map(|row| match &row.found {
        Ok(report) => {
            json!({"function": row.name, "verdict": row.verdict(), "report": crate::json(report)})
        }
        Err(why) => json!({"function": row.name, "verdict": row.verdict(), "why": why}),
    });
    json!({
        "verdict": words::verdict(overall(rows)),
        "functions": functions.collect::<Vec<_>>(),
    })
}
