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
    /// `None` if there is code that the facts do not follow, or if the changes are not fully known.
    ///
    /// The facts are about all code that is run, the C library included: nothing about it is taken on trust.
    pub fn of(
        versions: &[Version<'a>; 2],
        changes: &ChangeFacts,
        behaviour: bool,
    ) -> Option<PairRelevance<'a>> {
        let facts = |number: usize| {
            let points = changes.points(number as u8);
            let version = &versions[number];
            RelevanceFacts::of(version, version.program.module(), points)
        };
        let is_known = changes.are_complete(0) && changes.are_complete(1);
        is_known.then_some(())?;
        Some(PairRelevance {
            versions: [facts(0)?, facts(1)?],
            behaviour,
        })
    }
}
