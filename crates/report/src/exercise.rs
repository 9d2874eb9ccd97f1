//! What is said of the changed lines: which no input has executed, why, and which command may execute them.

use compare::Report;
use compare::report::{ExerciseReport, Note, StepReport, Widest};
use compare::verdict::Finding;
use compare::versions::input_sources::InputSource;
use compare::versions::obstacles::Obstacle;
use serde_json::{Value, json};

use crate::changed_lines;
use crate::words::{called, counted, word};

/// The headline of a comparison whose change was not executed, behind the verdict.
pub(crate) fn headline(report: &Report, step: &StepReport) -> String {
    let exercise = step.exercise.as_ref();
    let (old, new) = (
        called(&report.versions[step.from]),
        called(&report.versions[step.to]),
    );
    match exercise.map(|exercise| &exercise.first_values[..]) {
        Some(globals @ [_, ..]) => {
            let names: Vec<String> = globals.iter().map(|name| format!("`{name}`")).collect();
            let keep = match globals.len() {
                1 => "it keeps its first value",
                _ => "they keep their first values",
            };
            format!(
                "the changed code reads {}, which the program may write, and here {keep}",
                names.join(" and ")
            )
        }
        _ => {
            let lines = |exercise: &ExerciseReport| {
                exercise.not_executed.len() + exercise.executed_undefined.len()
            };
            let all = match exercise.map(lines) {
                Some(1) => "the changed line".to_owned(),
                Some(lines @ 2..) => format!("any of the {lines} changed lines"),
                _ => "the change".to_owned(),
            };
            if exercise.is_some_and(|exercise| exercise.is_undefined) {
                return format!(
                    "every input within the bounds that executes {all} is undefined in both versions{}; so nothing is known of the \
                     change",
                    kinds_of_undefined(report)
                );
            }
            format!(
                "no input within the bounds executes {all}; {old} and {new} are equal on these inputs, which says nothing of the \
                 change"
            )
        }
    }
}

/// The same of two of several versions.
pub(crate) fn headline_of_step(step: &StepReport) -> &'static str {
    match step.exercise.as_ref().is_some_and(|own| own.is_undefined) {
        true => {
            "both versions are undefined on every input within the bounds that executes the change"
        }
        false => "no input within the bounds executes the change",
    }
}

/// Below the headline: what was not executed, what is in the way, and what to do.
pub(crate) fn text(report: &Report, step: &StepReport) -> String {
    let Some(exercise) = &step.exercise else {
        return String::new();
    };
    if step.finding == Finding::SameCode {
        return String::new();
    }
    let mut text = String::new();
    let all = exercise.lines();
    let (within, beyond) = (exercise.executed.len(), exercise.executed_beyond.len());
    let were = |lines: usize| if lines == 1 { "was" } else { "were" };
    let undefined = &exercise.executed_undefined;
    let missing = exercise.not_executed.len() + undefined.len();
    let is_partial = within + beyond > 0 && beyond + missing > 0;
    if is_partial {
        let all = counted(all as u64, "changed line");
        let mut executed = Vec::new();
        if within > 0 {
            executed.push(format!(
                "{within} of {all} {} executed by some input",
                were(within)
            ));
        }
        if beyond > 0 {
            let of = match within {
                0 => format!(" of {all}"),
                _ => String::new(),
            };
            executed.push(format!("{beyond}{of} only by runs beyond the bounds"));
        }
        text += &executed.join(", ");
        text += match exercise.not_executed.is_empty() {
            true => "\n",
            false => "; not executed:\n",
        };
    } else if step.finding != Finding::NotExercised && !exercise.not_executed.is_empty() {
        text += match step.finding {
            // What was changed is not in these lines.
            Finding::Different => "no input has executed these changed lines so far:\n",
            _ => "no input has executed a changed line so far:\n",
        };
    }
    text += &changed_lines::text(&exercise.not_executed);
    if !undefined.is_empty() {
        let kinds = kinds_of_undefined(report);
        text += &format!("executed only by inputs on which both versions are undefined{kinds}:\n");
        text += &changed_lines::text(undefined);
    }
    for obstacle in &exercise.obstacles {
        text += &format!("  {}\n", in_the_way(report, obstacle));
    }
    if step.finding == Finding::NotExercised
        && let Some(command) = wider(report, exercise)
    {
        text += &format!("next: {command}\n");
    } else if step.finding == Finding::NotExercised && exercise.is_undefined {
        text += "next: larger arrays and texts may leave it defined: `--fn-array 16`\n";
    }
    if !exercise.unreachable.is_empty() {
        text += &match exercise.unreachable.len() {
            1 => "1 changed line can be executed by no input, within whatever bounds:\n".to_owned(),
            lines => format!(
                "{lines} changed lines can be executed by no input, within whatever bounds:\n"
            ),
        };
        text += &changed_lines::text(&exercise.unreachable);
    }
    text
}

/// What both versions do on the same inputs that C leaves undefined.
fn kinds_of_undefined(report: &Report) -> String {
    let kinds = report
        .search
        .iter()
        .flat_map(|search| &search.both_undefined);
    let kinds: Vec<&str> = kinds.map(String::as_str).collect();
    match kinds.is_empty() {
        true => String::new(),
        false => format!(" ({})", kinds.join("; ")),
    }
}

/// A branch that no run took towards the change.
fn in_the_way(report: &Report, obstacle: &Obstacle) -> String {
    let Obstacle {
        file,
        line,
        function,
        code,
        from,
    } = obstacle;
    let place = match code {
        Some(code) => format!("`{code}` ({file}:{line} in {function})"),
        None => format!("the branch at {file}:{line} in {function}"),
    };
    let sources: Vec<String> = from.iter().map(|source| words(report, source)).collect();
    match sources.is_empty() {
        true => format!("on the way there, {place} never goes that way"),
        false => format!(
            "on the way there, {place} never goes that way; it depends on {}",
            sources.join(", and on ")
        ),
    }
}

/// What a condition is made from, with what was tried of it.
fn words(report: &Report, source: &InputSource) -> String {
    // After a difference, larger inputs than these were tried.
    let grown = report.bounds.grown.as_ref();
    let is_left = grown.is_some_and(|grown| grown.after_difference > 0);
    let widest = report.bounds.widest.as_ref().filter(|_| !is_left);
    match source {
        InputSource::ArgumentCount => {
            let tried = widest.map(|widest| match widest.arguments.0 {
                0 => ": there were none".to_owned(),
                most => format!(": at most {most} were tried"),
            });
            format!("the number of arguments{}", tried.unwrap_or_default())
        }
        InputSource::Arguments => {
            let tried = widest
                .filter(|widest| widest.arguments.0 > 0)
                .map(|widest| {
                    let (most, length) = widest.arguments;
                    format!(
                        ": at most {} of up to {} were tried",
                        most,
                        counted(length as u64, "byte")
                    )
                });
            format!("the arguments{}", tried.unwrap_or_default())
        }
        InputSource::StandardInput => {
            let tried = widest.map(|widest| match widest.stdin {
                0 => ": it was empty".to_owned(),
                most => format!(
                    ": at most {} {} tried",
                    counted(most as u64, "byte"),
                    if most == 1 { "was" } else { "were" }
                ),
            });
            format!("standard input{}", tried.unwrap_or_default())
        }
        InputSource::File(Some(name)) if is_missing(report, name) => {
            format!("a file that does not exist: `{name}`")
        }
        InputSource::File(Some(name)) => format!("the file `{name}`"),
        InputSource::File(None) => "a file".to_owned(),
        InputSource::Environment(name) => {
            let given = is_left || widest.is_some_and(|widest| is_given(&widest.environment, name));
            match given {
                true => format!("the variable `{name}` of the environment"),
                false => format!("the variable `{name}` of the environment, which is not set"),
            }
        }
        InputSource::Global(name) => format!("the global `{name}`"),
        InputSource::Parameter(name) => {
            format!("the parameter `{name}` (pointers are never NULL here)")
        }
    }
}

fn is_given(all: &[(String, usize)], name: &str) -> bool {
    all.iter().any(|(given, _)| given == name)
}

fn is_missing(report: &Report, name: &str) -> bool {
    let notes = report.search.iter().flat_map(|search| &search.notes);
    let mut missing = notes.filter_map(|note| match note {
        Note::MissingFile(file) => Some(&file[..]),
        Note::Concretised(_) => None,
    });
    missing.any(|file| file == name.as_bytes())
}

/// The command with wider bounds: what stands in the way is widened, or everything if that is not known.
fn wider(report: &Report, exercise: &ExerciseReport) -> Option<String> {
    let widest = report.bounds.widest.as_ref()?;
    let obstacles = exercise.obstacles.iter();
    let sources: Vec<&InputSource> = obstacles.flat_map(|obstacle| &obstacle.from).collect();
    let is_known = !sources.is_empty();
    let asks = |of: &[InputSource]| !is_known || sources.iter().any(|source| of.contains(source));
    let arguments = asks(&[InputSource::ArgumentCount, InputSource::Arguments]);
    let stdin = asks(&[InputSource::StandardInput]);
    let Widest {
        arguments: (most, length),
        stdin: bytes,
        files,
        environment,
    } = widest;
    let (most, length) = match arguments {
        true => (most + 2, (2 * length).max(8)),
        false => (*most, *length),
    };
    let bytes = match stdin {
        true => (8 * bytes).max(16),
        false => *bytes,
    };
    let mut flags = String::new();
    if most > 0 {
        flags += &format!(" --sym-args 0 {most} {length}");
    }
    if bytes > 0 {
        flags += &format!(" --sym-stdin 0..{bytes}");
    }
    for (name, length) in files {
        flags += &format!(" --sym-file {} 0..{}", word(name.as_ref()), 2 * length);
    }
    for (name, length) in environment {
        flags += &format!(" --sym-env {} {}", word(name.as_ref()), 2 * length);
    }
    for source in &sources {
        flags += &match source {
            InputSource::File(Some(name)) if is_missing(report, name) => {
                format!(" --sym-file {} 0..8", word(name.as_ref()))
            }
            InputSource::Environment(name) if !is_given(environment, name) => {
                format!(" --sym-env {} 8", word(name.as_ref()))
            }
            _ => String::new(),
        };
    }
    let is_named = report
        .versions
        .iter()
        .any(|version| version.label.is_some());
    let files = report.versions.iter();
    let mut files: Vec<String> = files.map(called).collect();
    if is_named {
        files = vec!["…".to_owned()];
    }
    Some(format!("parallax check {}{flags}", files.join(" ")))
}

/// The same for machines.
pub(crate) fn json(step: &StepReport) -> Value {
    let Some(exercise) = &step.exercise else {
        return Value::Null;
    };
    let obstacles = exercise.obstacles.iter().map(|obstacle| {
        json!({
            "file": obstacle.file,
            "line": obstacle.line,
            "function": obstacle.function,
            "depends_on": obstacle.from.iter().map(source_json).collect::<Vec<_>>(),
        })
    });
    json!({
        "executed": changed_lines::json(&exercise.executed),
        "executed_beyond": changed_lines::json(&exercise.executed_beyond),
        "executed_undefined": changed_lines::json(&exercise.executed_undefined),
        "not_executed": changed_lines::json(&exercise.not_executed),
        "unreachable": changed_lines::json(&exercise.unreachable),
        "obstacles": obstacles.collect::<Vec<_>>(),
        "first_values": exercise.first_values,
    })
}

fn source_json(source: &InputSource) -> Value {
    let (kind, name) = match source {
        InputSource::ArgumentCount => ("argument-count", None),
        InputSource::Arguments => ("arguments", None),
        InputSource::StandardInput => ("stdin", None),
        InputSource::File(name) => ("file", name.as_ref()),
        InputSource::Environment(name) => ("environment", Some(name)),
        InputSource::Global(name) => ("global", Some(name)),
        InputSource::Parameter(name) => ("parameter", Some(name)),
    };
    json!({"kind": kind, "name": name})
}
