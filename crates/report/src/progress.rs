//! What a comparison does, in words: lines that are announced, and one that is written over again and again.

use compare::{Event, NotUsed};
use exploration::InputSpace;
use exploration::input::{ArgSpace, StreamSpace};
use native::confinement::{Remedy, Unavailable};

use crate::changed_lines;
use crate::input::as_for;
use crate::words::counted;

/// How many tests that do not fit are named.
const NAMED: usize = 5;

/// Words for an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// Lines that stay.
    Announcement(Vec<String>),
    /// A line that the next one replaces.
    Progress(String),
    /// The progress is over.
    End,
}

pub fn message(event: &Event<'_>) -> Message {
    let announce = |line: String| Message::Announcement(vec![line]);
    match event {
        Event::Building(what) => announce((*what).to_owned()),
        Event::LanguagesDiffer => announce(
            "the versions are written in different languages: their behaviour is compared, and no changed lines are named"
                .to_owned(),
        ),
        Event::DefaultInput { space, grows } => announce(match grows {
            true => default_input(space).replace("; taking ", "; beginning with "),
            false => default_input(space),
        }),
        Event::SeedsNotUsed { reasons, used, all } => {
            Message::Announcement(seeds_not_used(reasons, *used, *all))
        }
        Event::JournalNotUsed { journal, why } => {
            let journal = journal.display();
            announce(match why {
                NotUsed::Changed { what, seeds } => {
                    let with = match seeds {
                        0 => String::new(),
                        &count => format!(
                            ", with {} that showed a difference then",
                            counted(count as u64, "input")
                        ),
                    };
                    format!(
                        "what an earlier check left in `{journal}` is not used: {} changed since; the proof begins anew{with}",
                        what.join(", ")
                    )
                }
                NotUsed::SaysNothing => format!(
                    "what an earlier check left in `{journal}` is not used: it does not say what was compared; the check begins \
                     anew"
                ),
                NotUsed::Foreign => format!(
                    "`{journal}` is not used: it was not begun here by your Parallax, and may have come with the files; the check \
                     begins anew"
                ),
            })
        }
        Event::Searching { progress, kinds } => Message::Progress(format!(
            "{:>4.0} s  {} paths  {} open  {} kind{} of difference",
            progress.wall.as_secs_f64(),
            progress.paths,
            progress.open_flips,
            kinds,
            if *kinds == 1 { "" } else { "s" },
        )),
        Event::Confirmed {
            given,
            observables,
            after,
            is_last,
        } => {
            let what: Vec<String> = observables.iter().map(ToString::to_string).collect();
            let verb = if what.len() == 1 { "differs" } else { "differ" };
            let next = match is_last {
                true => "",
                false => "; the search goes on",
            };
            announce(format!(
                "after {:.1} s: {} {verb}, seen natively{}{next}",
                after.as_secs_f64(),
                what.join(" and "),
                as_for(given)
            ))
        }
        Event::NotExecutedYet { lines } => announce(format!(
            "a difference is found, and no input has executed {} so far: larger inputs are tried (--first ends with the first difference)",
            changed_lines::places(lines)
        )),
        Event::Inspecting => Message::Progress(
            "looking for memory that is read and was never written".to_owned(),
        ),
        Event::NativeRunsOff(why) => Message::Announcement(native_runs_off(why)),
        Event::Confirming { number, of } => Message::Progress(format!(
            "running natively: {number} of {of} kinds of difference"
        )),
        Event::SelfChecking { number, of } => Message::Progress(format!(
            "self-check: running natively what was proved equal, {number} of {of} inputs"
        )),
        Event::Done => Message::End,
    }
}

/// That nothing is run natively, and what to do about it: first what keeps the sandbox.
pub fn native_runs_off(why: &Unavailable) -> Vec<String> {
    let remedies = || why.missing.iter().map(|missing| missing.remedy);
    let in_short: Vec<&str> = remedies().map(|remedy| remedy.in_short()).collect();
    let mut lines = vec![
        format!("native runs are off: {why}"),
        format!(
            "no difference counts as confirmed without them; to have them in a sandbox: {} (`parallax doctor` says more)",
            in_short.join(", or ")
        ),
    ];
    if remedies().all(Remedy::allows_unconfined) {
        lines.push(
            "without one (`--native unconfined`), the programs, on inputs that nobody has typed, can change and delete your files"
                .to_owned(),
        );
    }
    lines
}

/// What is explored if nothing is said.
pub fn default_input(space: &InputSpace) -> String {
    let mut words = Vec::new();
    for arg in &space.args {
        if let ArgSpace::Symbolic { count, length } = arg {
            words.push(format!(
                "--sym-args {} {} {length}",
                count.start(),
                count.end()
            ));
        }
    }
    if let StreamSpace::Symbolic(lengths) = &space.stdin {
        words.push(format!(
            "--sym-stdin {}..{}",
            lengths.start(),
            lengths.end()
        ));
    }
    format!("nothing says what is symbolic; taking {}", words.join(" "))
}

/// Tests that a search does not begin with.
pub fn seeds_not_used(reasons: &[String], used: usize, all: usize) -> Vec<String> {
    let named = reasons.iter().take(NAMED);
    let mut lines: Vec<String> = named
        .map(|why| format!("not used as a seed: {why}"))
        .collect();
    if reasons.len() > NAMED {
        let more = counted((reasons.len() - NAMED) as u64, "more seed");
        lines.push(format!("not used as a seed: {more}, for such reasons"));
    }
    if !reasons.is_empty() {
        lines.push(format!("{used} of {} used", counted(all as u64, "seed")));
    }
    lines
}
