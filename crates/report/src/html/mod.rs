//! The report as one page that needs nothing else: no network, no other file. What it says is in the page itself, made here from a
//! template that escapes everything put into it; the script only filters, copies, moves and draws.
//!
//! | module | idea |
//! |---|---|
//! | [`sides`] | two outputs side by side, with what differs marked |
//! | [`source`] | source lines around a responsible change |
//! | [`space`] | the input space as a treemap, and as a plane over two inputs |
//! | [`treemap`], [`plane`] | their geometry |

mod plane;
mod sides;
mod source;
mod space;
mod treemap;

use compare::Report;
use compare::report::ShareMethod;
use compare::search::partitions::{Entry, PartitionStatus};
use compare::verdict::Verdict;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Value, context};
use serde::Serialize;

use crate::observables::name;
use crate::partitions::{proof, said, shortened};
use crate::triage::Rank;
use crate::view::{Contrast, View, answer, compared, reservations, views};
use crate::words;
use crate::{accepted, excerpt};
use sides::Row;
use source::Excerpt;
pub use source::Sources;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("page.js");

/// All outputs together have about so many characters.
const MOST_OF_OUTPUTS: usize = 2_500_000;
/// How much of a single text is shown.
const MOST_OF_TEXT: usize = 1_000;

/// The report as a page. `sources` has the files that changed lines are in.
pub fn html(report: &Report, sources: &Sources) -> String {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment
        .add_template("page.html", PAGE)
        .expect("the template is part of this program");
    let page = environment.get_template("page.html");
    let page = page.expect("the template was added");
    page.render(page_context(report, sources))
        .expect("the template uses what it is given")
}

fn page_context(report: &Report, sources: &Sources) -> Value {
    let views = views(report);
    let contrasts: usize = views.iter().map(|view| view.observed.len()).sum();
    let most = (MOST_OF_OUTPUTS / (2 * contrasts.max(1))).clamp(600, 20_000);
    let differences = views.iter().map(|view| shown(view, sources, most));
    let differences: Vec<Shown> = differences.collect();
    let partitions = report.partitions.entries.iter().enumerate();
    let partitions = partitions.map(|(number, entry)| partition(report, number + 1, entry));
    let partitions: Vec<ShownPartition> = partitions.collect();
    let listed: u64 = report
        .partitions
        .entries
        .iter()
        .map(|entry| entry.count)
        .sum();
    let unlisted = report.partitions.counts.all().saturating_sub(listed);
    let clean = |texts: Vec<String>| -> Vec<String> {
        texts
            .iter()
            .map(|text| excerpt::words(text, MOST_OF_TEXT))
            .collect()
    };
    let answer = answer(report);
    let (verdict, why) = answer.split_once(": ").unwrap_or((&answer, ""));
    context! {
        style => Value::from_safe_string(STYLE.to_owned()),
        script => Value::from_safe_string(SCRIPT.to_owned()),
        verdict => verdict,
        kind => kind(report),
        why => why,
        compared => compared(report),
        glance => Value::from(Serde(glance(report))),
        differences => Value::from(Serde(&differences)),
        partitions => Value::from(Serde(&partitions)),
        unlisted => unlisted,
        cells => Value::from(Serde(space::cells(report))),
        cells_by_share => space::is_by_share(report),
        plane => Value::from_safe_string(in_script(&space::plane(report))),
        reservations => clean(all_reservations(report)),
        bounds => clean(bounds(report)),
        assumptions => clean(words::assumptions(report)),
        version => env!("CARGO_PKG_VERSION"),
    }
}

/// The colour of the verdict.
fn kind(report: &Report) -> &'static str {
    match accepted::verdict(report) {
        _ if report.proofs.refuted().is_some() => "open",
        Verdict::Equivalent => "equal",
        Verdict::Different => "different",
        Verdict::NotExercised | Verdict::Undecided => "open",
    }
}

/// Data for the script: nothing in it ends the element that it is in.
fn in_script(data: &impl Serialize) -> String {
    let text = serde_json::to_string(data).expect("texts and numbers");
    text.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
}

/// What one wants to know first.
#[derive(Serialize)]
struct Glance {
    shares: Vec<Share>,
    shares_how: String,
    partitions: u64,
    equal: u64,
    different: u64,
    unknown: u64,
    both_undefined: u64,
    confirmed: usize,
    explored: String,
    is_explored: bool,
    cost: String,
}

/// A part of the input space.
#[derive(Serialize)]
struct Share {
    kind: &'static str,
    word: &'static str,
    percent: f64,
    said: String,
}

fn glance(report: &Report) -> Glance {
    let counts = &report.partitions.counts;
    let search = report.search.as_ref();
    let (shares, shares_how) = space::shares(report);
    let names = [
        ("equal", "equal"),
        ("different", "different"),
        ("open", "open"),
    ];
    let shares = names
        .into_iter()
        .zip(shares)
        .map(|((kind, word), share)| Share {
            kind,
            word,
            percent: 100.0 * share,
            said: percent(share),
        });
    Glance {
        shares: shares.collect(),
        shares_how,
        partitions: counts.all(),
        equal: counts.equal(),
        different: counts.different,
        unknown: counts.unknown,
        both_undefined: counts.both_undefined,
        confirmed: report
            .differences
            .iter()
            .filter(|one| one.is_confirmed())
            .count(),
        explored: match search {
            None => "no run was needed".to_owned(),
            Some(search) if search.exhausted => {
                "every path was explored, or proved not to matter".to_owned()
            }
            Some(search) => excerpt::words(&search.stop.why, 200),
        },
        is_explored: search.is_none_or(|search| search.exhausted),
        cost: match search {
            None => format!("{:.1} s", report.wall.as_secs_f64()),
            Some(search) => format!(
                "{}, {}, {:.1} s",
                words::counted(search.paths, "path"),
                words::counted(search.runs, "run"),
                report.wall.as_secs_f64()
            ),
        },
    }
}

/// Never all or nothing where that is not so.
fn percent(share: f64) -> String {
    match share {
        none if none <= 0.0 => "0%".to_owned(),
        all if all >= 1.0 => "100%".to_owned(),
        small if small < 0.001 => "< 0.1%".to_owned(),
        large if large > 0.999 => "> 99.9%".to_owned(),
        share => format!("{:.1}%", 100.0 * share),
    }
}

/// What stands against the verdict.
fn all_reservations(report: &Report) -> Vec<String> {
    let refuted = report.proofs.refuted().into_iter();
    let refuted =
        refuted.map(|refuted| format!("internal error: a proof is refuted: {}", refuted.why));
    refuted.chain(reservations(report)).collect()
}

fn bounds(report: &Report) -> Vec<String> {
    let mut bounds = report.bounds.input.clone();
    if report.bounds.empty_environment {
        bounds.push("environment: empty".to_owned());
    }
    bounds.push(format!(
        "runs of up to {} instructions and a stack of {} bytes",
        report.bounds.instructions, report.bounds.stack
    ));
    bounds
}

/// A difference on the page.
#[derive(Serialize)]
struct Shown {
    number: usize,
    fingerprint: String,
    title: String,
    command: String,
    input: String,
    versions: [String; 2],
    /// The rank, as a word.
    rank: &'static str,
    remarks: Remarks,
    observed: Vec<ShownContrast>,
    changes: Vec<Excerpt>,
    reproduce: Option<String>,
    /// What that changes outside of its folder.
    outside: Option<String>,
    partitions: u64,
}

/// What is known of a difference besides what differs.
#[derive(Serialize)]
struct Remarks {
    /// Why it is probably intended.
    intended: Option<String>,
    /// Who has accepted it, and why.
    accepted: Option<String>,
    undefined: Option<String>,
    class: Option<ShownClass>,
    /// Why native runs did not show it.
    unconfirmed: Option<String>,
}

/// What a golden version makes of a difference.
#[derive(Serialize)]
struct ShownClass {
    sentence: &'static str,
    word: &'static str,
}

#[derive(Serialize)]
struct ShownContrast {
    name: String,
    rows: Vec<Row>,
    /// Nothing was put out.
    old_is_empty: bool,
    new_is_empty: bool,
}

fn shown(view: &View<'_>, sources: &Sources, most: usize) -> Shown {
    Shown {
        number: view.number,
        fingerprint: view.fingerprint.clone(),
        title: view.title.clone(),
        command: view.command.clone(),
        input: view.input.trim_end().to_owned(),
        versions: view.versions.map(str::to_owned),
        rank: match view.triage.rank {
            Rank::BadEnd => "bad end",
            Rank::End => "exit",
            Rank::ErrorOutput => "error output",
            Rank::Output => "output",
        },
        remarks: remarks(view),
        observed: view
            .observed
            .iter()
            .map(|one| contrast(one, most))
            .collect(),
        changes: source::excerpts(view.changes, sources),
        reproduce: view
            .reproduction
            .as_ref()
            .map(|shown| shown.command.clone()),
        outside: view
            .reproduction
            .as_ref()
            .and_then(|shown| shown.outside.clone()),
        partitions: view.partitions,
    }
}

fn remarks(view: &View<'_>) -> Remarks {
    let intended = view.triage.intended.as_deref();
    Remarks {
        intended: intended.map(|why| excerpt::words(why, MOST_OF_TEXT)),
        accepted: view.accepted.map(accepted::because),
        undefined: view.undefined.clone(),
        class: view.class.map(|sentence| ShownClass {
            sentence,
            word: sentence.split(':').next().unwrap_or_default(),
        }),
        unconfirmed: view.unconfirmed.clone(),
    }
}

fn contrast(one: &Contrast, most: usize) -> ShownContrast {
    let [mut old, mut new] = one.in_lines(most);
    // That only one ends its last line is a difference, too.
    if old.ends_with('\n') != new.ends_with('\n') && !old.is_empty() && !new.is_empty() {
        let bare = if old.ends_with('\n') {
            &mut new
        } else {
            &mut old
        };
        *bare += " (no line end)";
    }
    ShownContrast {
        name: one.name.clone(),
        rows: sides::rows(&old, &new),
        old_is_empty: one.old.is_empty(),
        new_is_empty: one.new.is_empty(),
    }
}

/// A partition on the page.
#[derive(Serialize)]
struct ShownPartition {
    number: usize,
    kind: &'static str,
    how: String,
    condition: String,
    outputs: Vec<(String, String)>,
    count: u64,
}

fn partition(report: &Report, number: usize, entry: &Entry) -> ShownPartition {
    let (kind, how) = match (&entry.known, &entry.groups) {
        (PartitionStatus::Equal(by), _) => ("equal", format!("proved by {}", proof(*by))),
        (PartitionStatus::Different, Some(groups)) => ("different", groups.to_string()),
        (PartitionStatus::Different, None) => ("different", "the versions differ".to_owned()),
        (PartitionStatus::Unknown(why), _) => ("open", excerpt::words(why, MOST_OF_TEXT)),
    };
    let condition = match &entry.condition[..] {
        [] => "every input".to_owned(),
        conditions => excerpt::words(&shortened(conditions), MOST_OF_TEXT),
    };
    let outputs = entry.outputs.iter().map(|output| {
        let name = name(report, &output.observable, output.of_call.as_ref());
        (
            excerpt::words(&name, 100),
            excerpt::words(&said(output), MOST_OF_TEXT),
        )
    });
    ShownPartition {
        number,
        kind,
        how,
        condition,
        outputs: outputs.collect(),
        count: entry.count,
    }
}

/// How shares were found.
fn method(method: ShareMethod, uncertainty: f64) -> String {
    match method {
        ShareMethod::Complete => "of the inputs within the bounds; all is proved".to_owned(),
        ShareMethod::Counted => "of the inputs within the bounds; counted".to_owned(),
        ShareMethod::Sampled(inputs) => format!(
            "of the inputs within the bounds; sampled with {inputs} inputs, ±{:.1}% at 95%",
            (1000.0 * uncertainty).ceil() / 10.0
        ),
    }
}
