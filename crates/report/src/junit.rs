//! The report as JUnit XML, for the test pages of CI servers. One test case asks whether the versions behave the same; each
//! difference is a failed test case of its own, named by its fingerprint, so that a server that compares runs follows it. `undecided`
//! is an error: a file without failures means `equivalent`.

use compare::Report;
use compare::verdict::Verdict;
use quick_junit::{
    NonSuccessKind, Property, Report as Suites, TestCase, TestCaseStatus, TestSuite,
};

use crate::view::{View, answer, compared, reservations, views};
use crate::words;
use crate::{accepted, excerpt};

/// How much of an output is shown.
const MOST_OF_OUTPUT: usize = 4_000;
/// More differences than this are counted.
const MOST_CASES: usize = 1_000;

/// The report as JUnit XML.
pub fn junit(report: &Report) -> String {
    let mut suite = TestSuite::new(format!("parallax check: {}", compared(report)));
    suite.add_property(Property::new("verdict", words::verdict(report.verdict)));
    suite.add_property(Property::new(
        "bounds",
        excerpt::words(&report.bounds.input.join("; "), MOST_OF_OUTPUT),
    ));
    for assumption in words::assumptions(report) {
        suite.add_property(Property::new(
            "assumption",
            excerpt::words(&assumption, MOST_OF_OUTPUT),
        ));
    }
    let views = views(report);
    suite.add_test_case(whole(report, views.len()));
    suite.add_test_cases(views.iter().take(MOST_CASES).map(case));
    let mut suites = Suites::new("parallax");
    suites.add_test_suite(suite);
    let text = suites.to_string().expect("XML of texts that were cleaned");
    // Jenkins' schema has this attribute for one suite, not for all.
    let skipped = views.iter().take(MOST_CASES);
    let skipped = skipped.filter(|view| view.accepted.is_some()).count();
    text.replacen(&format!(" skipped=\"{skipped}\""), "", 1)
}

/// Do the versions behave the same?
fn whole(report: &Report, differences: usize) -> TestCase {
    let answer = answer(report);
    let mut status = match (accepted::verdict(report), report.proofs.refuted()) {
        (_, Some(_)) => TestCaseStatus::non_success(NonSuccessKind::Error),
        (Verdict::Equivalent, None) => TestCaseStatus::success(),
        (Verdict::Different, None) => TestCaseStatus::non_success(NonSuccessKind::Failure),
        (Verdict::NotExercised | Verdict::Undecided, None) => {
            TestCaseStatus::non_success(NonSuccessKind::Error)
        }
    };
    status.set_message(answer.as_str());
    status.set_type(words::verdict(report.verdict));
    let mut text = answer.clone();
    if differences > MOST_CASES {
        text += &format!(
            "\n{} more differences are not listed",
            differences - MOST_CASES
        );
    }
    for what in reservations(report) {
        text += &format!("\n{what}");
    }
    let text = excerpt::words(&text, MOST_OF_OUTPUT);
    status.set_description(text);
    let mut case = TestCase::new(
        "the versions behave the same on every input within the bounds",
        status,
    );
    case.set_classname("parallax.verdict");
    case.set_time(report.wall);
    case
}

fn case(view: &View<'_>) -> TestCase {
    let mut status = match view.accepted {
        Some(_) => TestCaseStatus::skipped(),
        None => TestCaseStatus::non_success(NonSuccessKind::Failure),
    };
    status.set_message(match view.accepted {
        Some(acceptance) => format!("accepted: {}", accepted::because(acceptance)),
        None => format!("{} on {}", view.title, view.command),
    });
    status.set_type(match view.triage.intended {
        Some(_) => "difference, probably intended",
        None => "difference",
    });
    status.set_description(body(view));
    let name = format!("{} ({})", view.title, view.fingerprint);
    let mut case = TestCase::new(name, status);
    case.set_classname("parallax.difference");
    case
}

fn body(view: &View<'_>) -> String {
    let mut text = view.input.clone();
    let [old_name, new_name] = view.versions;
    for one in &view.observed {
        let [old, new] = one.in_lines(MOST_OF_OUTPUT);
        text += &format!(
            "\n{}, {old_name}:\n{old}\n{}, {new_name}:\n{new}\n",
            one.name, one.name
        );
    }
    if !view.changes.is_empty() {
        text += "\nchanged lines behind it:\n";
    }
    for change in view.changes {
        let code = change.code.as_deref().unwrap_or_default();
        let gone = if change.is_removed { " (removed)" } else { "" };
        let line = format!(
            "{}:{} in {}{gone}: {code}",
            change.file, change.line, change.function
        );
        text += &format!("  {}\n", excerpt::words(&line, MOST_OF_OUTPUT));
    }
    if let Some(why) = &view.triage.intended {
        text += &format!("\nprobably intended: {why}\n");
    }
    if let Some(steps) = &view.undefined {
        text += &format!("\nundefined behaviour: {steps}\n");
    }
    if let Some(why) = &view.unconfirmed {
        text += &format!("\nseen in the VM only: {why}\n");
    }
    if let Some(shown) = &view.reproduction {
        text += &format!("\nreproduce: {}\n", shown.command);
        text.extend(shown.outside.iter().map(|files| format!("{files}\n")));
    }
    text
}
