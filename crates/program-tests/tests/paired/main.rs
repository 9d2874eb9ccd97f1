//! What two versions show on the same inputs: slices, proofs, pruned ways and inputs that propagate an effect, against brute force
//! and against the examples of the papers.

mod calls_hold;
mod change_facts;
mod encoded_messages;
mod first_difference;
mod functions_alone;
mod long_runs;
mod partial_guarantee;
mod propagation;
mod sequences_hold;
mod slices_agree;
mod thesis_examples;
mod units_hold;
