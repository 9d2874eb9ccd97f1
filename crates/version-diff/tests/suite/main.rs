//! The tests of `version-diff`, in one executable: linking is most of what a small test costs.

mod attributes;
mod c_source;
mod changes_explain_differences;
mod decided_branches;
mod edits_outside_bodies;
mod irrelevant_branches_are_safe;
mod labels_and_symbols;
mod matching;
mod neutral_edits;
mod regions_and_selection;
mod rendering;
mod sequences_are_in_the_graph;
mod small_language;
mod worked_examples;
