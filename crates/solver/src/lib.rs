//! Deciding conjunctions of terms.
