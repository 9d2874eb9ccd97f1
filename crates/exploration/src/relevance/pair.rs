//! What is known of both versions before they run, so that their paths can be sliced.

use super::RelevanceFacts;
use crate::changes::ChangeFacts;
use crate::subject::Version;
use program_graphs::library::without_library;
use program_ir::{Func, Module};

/// The versions' code without their C library, which is known by what its functions do (`program_graphs::externals`).
pub struct OwnCode([Module; 2]);

impl OwnCode {
    pub fn of(versions: &[Version<'_>; 2], is_library: impl Fn(&Module, Func) -> bool) -> OwnCode {
        OwnCode(versions.map(|version| {
            let module = version.program.module();
            without_library(module, |func| is_library(module, func))
        }))
    }
}

/// The facts of both versions.
pub struct PairRelevance<'a> {
    pub versions: [RelevanceFacts<'a>; 2],
    /// Whether runs that execute a change are sliced too.
    pub behaviour: bool,
}

impl<'a> PairRelevance<'a> {
    /// `None` if there is code that the facts do not follow, or if the changes are not fully known.
    pub fn of(
        versions: &[Version<'a>; 2],
        own: &'a OwnCode,
        changes: &ChangeFacts,
        behaviour: bool,
    ) -> Option<PairRelevance<'a>> {
        let facts = |number: usize| {
            let points = changes.points(number as u8);
            RelevanceFacts::of(&versions[number], &own.0[number], points)
        };
        let is_known = changes.are_complete(0) && changes.are_complete(1);
        is_known.then_some(())?;
        Some(PairRelevance {
            versions: [facts(0)?, facts(1)?],
            behaviour,
        })
    }
}
