//! A check's report for people and for machines: every word that a user reads of it. All is made from a [`compare::Report`] alone.
//!
//! | module | what it writes |
//! |---|---|
//! | [`mod@text`] | the report for people; [`mod@headline`] its first lines, [`difference`] one kind of difference in it, [`contrast`] two outputs side by side |
//! | [`mod@json`] | the report for machines, one view for two versions and one for more |
//! | [`functions`] | all changed functions, a row for each |
//! | [`mod@sarif`], [`mod@junit`], [`mod@markdown`] | the same for code scanning, test pages and comments; [`view`] is a difference as these show it |
//! | [`mod@html`] | one page to look at, without network |
//! | [`fingerprint`] | ids of differences that survive unrelated edits |
//! | [`accepted`], [`review`] | differences that somebody wants; all of them, to decide on |
//! | [`triage`] | which differences to look at first |
//! | [`natively`] | how native runs were kept in, and what versions do outside of their folder |
//! | [`excerpt`] | text of others, made fit to be read |
//! | [`words`] | verdicts, reasons, assumptions |
//! | [`advice`] | what to do about an `undecided` |
//! | [`progress`] | what is announced while a comparison runs |
//! | [`mod@exercise`], [`mod@growth`], [`input`], [`calls`], [`observables`], [`partitions`], [`search`], [`settled`] | the parts of a report, in words and for machines |
//! | [`posix`], [`folding`], [`causes`] | words for a shell; lines that are alike; differences with the same cause |
//!
//! Another format is another module beside these.

pub mod accepted;
pub mod advice;
mod calls;
mod causes;
mod changed_lines;
pub mod contrast;
mod difference;
mod excerpt;
mod exercise;
pub mod fingerprint;
mod folding;
mod functions;
mod growth;
mod headline;
mod html;
pub mod input;
mod json;
mod junit;
mod markdown;
pub mod natively;
mod observables;
mod partitions;
pub mod posix;
pub mod progress;
pub mod review;
mod sarif;
mod search;
mod settled;
mod text;
pub mod triage;
mod view;
pub mod words;

pub use contrast::Marks;
pub use excerpt::printable;
pub use functions::{
    FunctionRow, functions_below, functions_json, functions_text, overall, sort_functions,
};
pub use html::{Sources, html};
pub use json::{json, json_with_functions};
pub use junit::junit;
pub use markdown::markdown;
pub use sarif::{FINGERPRINT, sarif};
pub use text::{one_difference, text};
