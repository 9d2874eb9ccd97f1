//! Path exploration: dynamic symbolic execution of one program, or of two versions or more on the same inputs.
//!
//! A *run* executes one input and shows a path: the places where the input decided how the run went on.
//! A *flip* asks for an input that follows a run up to one of these places and goes another way there.
//! Exploring is taking flips from the frontier, solving them, and running what comes out, until none is
//! left (**exhausted**: every path that an input of the given shapes can take has been run) or a budget is
//! used up.
//!
//! | module | idea |
//! |---|---|
//! | [`subject`] | what is explored: a program, or one function of it |
//! | [`input`] | the shapes of inputs, and inputs as records |
//! | `shape_words` | what conditions over bytes do not say: how many there are |
//! | [`fit`] | whether an input lies in the space that is explored, and why not |
//! | [`path_tree`] | runs hang in a tree; each way out of a path is handed out exactly once |
//! | [`frontier`] | strategies: which flip is next |
//! | [`dart_order`] | the order of `dart`, also while others search with it |
//! | `bases` | from which input a flip starts |
//! | [`guards`] | branches that decide the operands of conditions near a change |
//! | [`reach`], [`auto`] | strategies that aim at a change |
//! | [`splice`] | inputs from pieces of known ones, and random ones between |
//! | [`shares`] | how much time each way of making inputs has |
//! | [`random`] | random inputs, to compare with |
//! | [`pruning`] | which ways cannot show a difference |
//! | [`worker`] | solves a flip and runs the input |
//! | [`static_facts`] | what is known of two versions without a run, found when it is asked for |
//! | [`changes`] | static facts of a change: its points, irrelevant ways |
//! | `system_calls` | which system calls a function makes, as far as its text says |
//! | [`change_distances`] | how far ways are from a change |
//! | [`alone`] | changed functions that do the same by themselves |
//! | [`infection`] | changes that were executed without an effect on the state |
//! | [`relevance`] | which decisions of a run matter: relevant slices |
//! | [`attribution`] | which changes are responsible for a difference |
//! | [`compare`] | what two versions did on one path, and for which inputs it differs |
//! | [`part`] | what is known of the versions on a set of inputs, and why |
//! | [`relations`] | which of the versions behave the same |
//! | [`propagate`] | makes a change's effect go farther: where did it stop, and which inputs get past that |
//! | [`settled`] | how much of the input space is proved equal, different, or open |
//! | [`search`] | workers, budget, stopping |
//! | [`journal`] | what is needed to go on after a stop, as lines appended to a file |
//! | [`summary`] | what was found and what was not looked at |
//!
//! The crate opens no files.

pub mod alone;
pub mod attribution;
pub mod auto;
mod bases;
pub mod change_distances;
pub mod changes;
pub mod compare;
pub mod dart_order;
pub mod fit;
pub mod frontier;
pub mod guards;
pub mod infection;
pub mod input;
pub mod journal;
pub mod outputs;
pub mod part;
pub mod path_tree;
pub mod propagate;
pub mod pruning;
pub mod random;
pub mod reach;
pub mod relations;
pub mod relevance;
pub mod search;
pub mod settled;
mod shape_words;
pub mod shares;
pub mod splice;
pub mod static_facts;
pub mod subject;
pub mod summary;
mod system_calls;
pub mod worker;

pub use changes::{ChangeFacts, Relevance};
pub use frontier::Strategy;
pub use input::{InputRecord, InputSpace};
pub use path_tree::{Flip, RunId};
pub use pruning::{Category, Pruned, PrunedPlace, PrunedWay};
pub use search::{Behind, Budget, Config, Found, Members, Observer, Progress, explore};
pub use static_facts::StaticFacts;
pub use subject::{Subject, Version};
pub use summary::{Gap, Partition, SpliceCounts, Stop, Summary, Verdict, WronglyPruned};
