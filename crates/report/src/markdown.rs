//! The report as Markdown for a comment on a pull request. What programs put out is in code blocks whose fence is longer than any
//! run of backticks in them, and in code spans of which the same is true, so nothing of it is taken for Markdown, HTML or a mention
//! of somebody. The whole stays below what GitHub takes as one comment.

use compare::Report;
use compare::verdict::Verdict;

use crate::accepted::{because, verdict};
use crate::excerpt;
use crate::view::{Contrast, View, answer, compared, reservations, views};
use crate::words;

/// A comment has at most 65,536 characters.
const MOST_CHARACTERS: usize = 60_000;
/// How much of an output is shown.
const MOST_OF_OUTPUT: usize = 1_500;
const MOST_CHANGES: usize = 8;
const MOST_RESERVATIONS: usize = 20;
/// Differences that are open when the page is.
const OPEN: usize = 3;

/// The report as Markdown.
pub fn markdown(report: &Report) -> String {
    let mut text = format!("## Parallax: {}\n\n", plain(&answer(report)));
    text += &format!("Compared: {}\n\n", span(&compared(report)));
    let end = closing(report);
    let views = views(report);
    for (number, view) in views.iter().enumerate() {
        let one = difference(view, number < OPEN && view.accepted.is_none());
        if text.len() + one.len() + end.len() > MOST_CHARACTERS {
            let left = views.len() - number;
            let what = if left == 1 {
                "difference"
            } else {
                "differences"
            };
            text += &format!("… and {left} more {what}\n\n");
            break;
        }
        text += &one;
    }
    text + &end
}

/// What the verdict is about, and rests on.
fn closing(report: &Report) -> String {
    let mut text = String::new();
    if report.search.is_some() {
        let counts = &report.partitions.counts;
        if !report.finds_only() {
            text += &format!(
                "{}: {} proved equal, {} different, {} not known, {} undefined in both.\n\n",
                words::counted(counts.all(), "partition"),
                counts.equal(),
                counts.different,
                counts.unknown,
                counts.both_undefined
            );
        }
    }
    let all = reservations(report);
    for what in all.iter().take(MOST_RESERVATIONS) {
        text += &format!("- {}\n", plain(&excerpt::words(what, 300)));
    }
    if all.len() > MOST_RESERVATIONS {
        text += &format!("- and {} more\n", all.len() - MOST_RESERVATIONS);
    }
    let mut bounds: Vec<String> = report
        .bounds
        .input
        .iter()
        .map(|bound| plain(&excerpt::words(bound, 300)))
        .collect();
    bounds.push(format!(
        "runs of up to {} instructions",
        report.bounds.instructions
    ));
    text += &format!(
        "\n<details><summary>Bounds and assumptions</summary>\n\nBounds: {}\n\n",
        bounds.join("; ")
    );
    if verdict(report) != Verdict::Different {
        for assumption in words::assumptions(report).iter().take(40) {
            text += &format!("- {}\n", plain(&excerpt::words(assumption, 600)));
        }
    }
    text + "\n</details>\n"
}

fn difference(view: &View<'_>, is_open: bool) -> String {
    let open = if is_open { " open" } else { "" };
    let command = format!("<code>{}</code>", html(&excerpt::words(&view.command, 90)));
    let mut text = format!(
        "<details{open}><summary><b>{}</b>: {}{} on {command}</summary>\n\n",
        view.number,
        if view.accepted.is_some() {
            "accepted: "
        } else {
            ""
        },
        html(&view.title)
    );
    if let Some(acceptance) = view.accepted {
        text += &format!("Accepted: {}\n\n", plain(&because(acceptance)));
    }
    if let Some(class) = view.class {
        text += &format!("**{class}**\n\n");
    }
    if let Some(why) = &view.triage.intended {
        text += &format!("Probably intended: {}.\n\n", plain(why));
    }
    if let Some(steps) = &view.undefined {
        text += &format!("Undefined behaviour: {}\n\n", plain(steps));
    }
    if let Some(why) = &view.unconfirmed {
        text += &format!(
            "Seen in the VM only: {}\n\n",
            plain(&excerpt::words(why, 600))
        );
    }
    text += &fenced("", &excerpt::words(&view.input, MOST_OF_OUTPUT));
    for one in &view.observed {
        text += &contrast(view, one);
    }
    if !view.changes.is_empty() {
        text += "Changed lines behind it:\n\n";
    }
    for change in view.changes.iter().take(MOST_CHANGES) {
        let gone = if change.is_removed { ", removed" } else { "" };
        let place = format!("{}:{}", change.file, change.line);
        let code = change.code.as_deref().unwrap_or_default();
        text += &format!(
            "- {} in {}{gone}: {}\n",
            span(&excerpt::words(&place, 200)),
            span(&excerpt::words(&change.function, 200)),
            span(&excerpt::words(code, 200))
        );
    }
    if view.changes.len() > MOST_CHANGES {
        text += &format!("- and {} more\n", view.changes.len() - MOST_CHANGES);
    }
    if let Some(shown) = &view.reproduction {
        text += &format!(
            "\nReproduce: {}\n",
            span(&excerpt::words(&shown.command, 300))
        );
        if let Some(files) = &shown.outside {
            text += &format!("\nCareful: {}\n", plain(&excerpt::words(files, 600)));
        }
    }
    text + &format!("\nFingerprint: `{}`\n\n</details>\n\n", view.fingerprint)
}

fn contrast(view: &View<'_>, one: &Contrast) -> String {
    let [old, new] = one.in_lines(MOST_OF_OUTPUT);
    let signed = |sign: char, text: &str| -> String {
        let lines = text.lines().map(|line| format!("{sign} {line}\n"));
        lines.collect()
    };
    let both = match (old.is_empty(), new.is_empty()) {
        (true, _) => format!("- (nothing)\n{}", signed('+', &new)),
        (_, true) => format!("{}+ (nothing)\n", signed('-', &old)),
        _ => diffed(&old, &new),
    };
    format!(
        "{} (− {}, + {}):\n\n{}",
        plain(&one.name),
        view.versions[0],
        view.versions[1],
        fenced("diff", &both)
    )
}

/// Lines with the sign of the version that they are of.
fn diffed(old: &str, new: &str) -> String {
    let diff = similar::TextDiff::from_lines(old, new);
    let mut text = String::new();
    for change in diff.iter_all_changes() {
        let sign = match change.tag() {
            similar::ChangeTag::Equal => ' ',
            similar::ChangeTag::Delete => '-',
            similar::ChangeTag::Insert => '+',
        };
        text += &format!("{sign} {}\n", change.value().trim_end_matches('\n'));
    }
    text
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    let runs = text.split(|character| character != '`').map(str::len);
    runs.max().unwrap_or(0)
}

/// A block of code.
fn fenced(language: &str, text: &str) -> String {
    let fence = "`".repeat(3.max(longest_run(text) + 1));
    format!(
        "{fence}{language}\n{}\n{fence}\n\n",
        text.trim_end_matches('\n')
    )
}

/// A span of code, in one line.
fn span(text: &str) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    let ticks = "`".repeat(longest_run(text) + 1);
    format!("{ticks} {} {ticks}", text.replace(['\n', '\r'], " "))
}

/// Words of ours that may have names of others in them: nothing is Markdown, HTML or a mention.
fn plain(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            // Nobody is told of a comment by what a program puts out.
            '@' => escaped += "&#64;",
            '#' => escaped += "&#35;",
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '!' | '~' => {
                escaped.push('\\');
                escaped.push(character);
            }
            '\n' => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}

fn html(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '@' => escaped += "&#64;",
            '\'' | '`' | '*' | '_' | '[' | ']' | '\\' | '~' | '#' | '!' | '|' => {
                escaped += &format!("&#{};", character as u32)
            }
            '\n' => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stays_code() {
        assert_eq!(span("a`b"), "`` a`b ``");
        assert!(fenced("", "```\nx").starts_with("````\n"));
        assert_eq!(plain("<b>*@me*"), "&lt;b&gt;\\*&#64;me\\*");
        assert_eq!(html("<code>`"), "&lt;code&gt;&#96;");
    }
}
