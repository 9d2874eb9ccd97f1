//! What is known of both versions before they run, so that their paths can be sliced.

use super::RelevanceFacts;
use crate::changes::ChangeFacts;
use crate::subject::Version;

/// The facts of both versions.
pub struct PairRelevance<'a> {
    pub versions: [RelevanceFacts<'a>; 2],
    /// Whether runs that execute a change are sliced too.
    pub behaviour: bool,
}

impl<'a> PairRelevance<'a> {
    /// `None` if the changes are not fully known.
    pub fn of(
        versions: &[Version<'a>; 2],
        changes: &ChangeFacts,
        behaviour: bool,
    ) -> Option<PairRelevance<'a>> {
        let facts =
            |number: usize| RelevanceFacts::of(&versions[number], changes.points(number as u8));
        let is_known = changes.are_complete(0) && changes.are_complete(1);
        is_known.then(|| PairRelevance {
            versions: [facts(0), facts(1)],
            behaviour,
        })
    }
}
