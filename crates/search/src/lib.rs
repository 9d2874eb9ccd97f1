//! The search: which input is run next, and what is known by then.
//!
//! A *run* executes one input and shows a path: the branches where the input decided how the run went on.
//! A *flip* asks for an input that follows a run up to one of these branches and takes another alternative there.
//! Exploring is taking flips from the frontier, solving them, and running what comes out, until none is
//! left (**exhausted**: every path that an input of the given shapes can take has been run) or a budget is
//! used up.
//!
//! **This crate knows no terms.** A [coordinator](coordinator) decides what is done next and alone changes what is known; executors
//! solve, run and compare, and get and give plain data ([`messages`]), in threads or on other machines.
//!
//! | module | idea |
//! |---|---|
//! | [`coordinator`] | hands out jobs, takes in outcomes |
//! | [`messages`] | jobs and outcomes |
//! | [`service`] | who does jobs, and how messages come to it |
//! | [`observer`] | who is told of a search while it goes on |
//! | [`drive`](mod@drive) | threads, budget, stopping |
//! | [`path_tree`] | runs hang in a tree; each way out of a path is handed out exactly once |
//! | [`runs`] | what is kept of each run |
//! | [`frontier`] | strategies: which flip is next |
//! | [`dart_order`] | the order of `dart`, also while others search with it |
//! | `flip_queue`, `bases` | flips in a fixed order; from which input a flip starts |
//! | [`reach`], [`auto`] | strategies that aim at a change |
//! | [`splice`] | inputs from pieces of known ones, and random ones between |
//! | [`shares`] | how much time each way of making inputs has |
//! | [`pruning`] | which ways need not be explored, and what is asked of those who know the change |
//! | [`propagation`] | what is kept of looks at runs |
//! | [`part`], [`relations`], [`observable`] | what is known of the versions on a set of inputs |
//! | [`settled`] | how much of the input space is proved equal, different, or open |
//! | [`journal`] | what is needed to go on after a stop, as lines appended to a file |
//! | [`summary`], [`counts`] | what was found, what was not looked at, and what it took |

pub mod auto;
mod bases;
pub mod coordinator;
pub mod counts;
pub mod dart_order;
pub mod drive;
mod flip_queue;
pub mod frontier;
pub mod journal;
pub mod messages;
pub mod observable;
pub mod observer;
pub mod part;
pub mod path_tree;
pub mod propagation;
pub mod pruning;
pub mod reach;
pub mod relations;
pub mod runs;
pub mod service;
pub mod settings;
pub mod settled;
pub mod shares;
pub mod splice;
pub mod summary;

pub use coordinator::{Coordinator, Progress};
pub use counts::{Counts, LayerCounts, NotSliced};
pub use drive::{Crew, drive};
pub use frontier::Strategy;
pub use messages::Partition;
pub use observable::Observable;
pub use observer::{Note, Notes, Observer, SETTLING};
pub use part::{Part, Proof, Undecided, WhyUnknown};
pub use path_tree::{Flip, PathStep, RunId, Target};
pub use pruning::{Category, Change, Pruned, PrunedPlace, PrunedWay};
pub use relations::{Relation, Relations};
pub use runs::{PathShape, RunRecord};
pub use service::{Executor, Transport};
pub use settings::{Budget, Settings};
pub use summary::{Gap, SpliceCounts, Stop, Summary, Verdict, WronglyPruned};
