//! What is known of both versions before they run, so that their paths can be sliced.

use super::RelevanceFacts;
use crate::alone::CallsAlike;
use crate::static_facts::StaticFacts;
use crate::subject::Version;

/// The facts of both versions.
pub struct PairRelevance<'a> {
    pub versions: [RelevanceFacts<'a>; 2],
    /// Whether runs that execute a change are sliced too.
    pub behaviour: bool,
    /// Whether states of the versions can be compared; see [`crate::infection`].
    pub same_shape: bool,
    /// Calls that can be compared where they are made.
    pub calls: Option<CallsAlike<'a>>,
}

impl<'a> PairRelevance<'a> {
    /// `None` if the changes are not fully known.
    pub fn of(
        versions: &[Version<'a>; 2],
        facts: &StaticFacts<'_>,
        behaviour: bool,
    ) -> Option<PairRelevance<'a>> {
        let changes = facts.changes();
        let of_version =
            |number: usize| RelevanceFacts::of(&versions[number], changes.points(number as u8));
        let is_known = changes.are_complete(0) && changes.are_complete(1);
        is_known.then(|| PairRelevance {
            versions: [of_version(0), of_version(1)],
            behaviour,
            same_shape: facts.same_shape(),
            calls: behaviour
                .then(|| CallsAlike::of(versions, changes, &facts.diffs_of(versions)))
                .flatten(),
        })
    }
}
