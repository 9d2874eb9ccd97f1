//! Telling the observer how more than two versions relate on a path.

use super::Search;
use crate::path_tree::{Flip, RunId};
use crate::shares::Source;
use crate::worker::{Part, PathPart, Ran, Worker};

impl<'p> Search<'_, '_, 'p> {
    /// As [`Search::partition`], for three versions or more: whether two of them differ on an input of the path.
    pub(super) fn partition_several(
        &self,
        worker: &mut Worker<'p>,
        ran: &Ran<'p>,
        run: RunId,
        came_from: (Option<&Flip>, Source),
    ) -> bool {
        let earlier = self.lock().earlier_parts.remove(&run);
        let (mut several, first) = worker.compare_several(ran);
        let mut parts: Vec<PathPart> = Vec::new();
        let mut next = Some(first);
        // What is known is told before anything more is asked.
        while let Some(found) = next {
            let relations = Some(found.relations);
            self.note_related(worker, ran, run, &found.part, relations, came_from);
            parts.push(found.part);
            let left = self.config.budget.time;
            let left = left.map(|limit| limit.saturating_sub(self.start.elapsed()));
            next = worker.another_part(&mut several, ran, left);
        }
        let said: Vec<&Part> = parts.iter().map(|part| &part.part).collect();
        if !earlier.is_some_and(|earlier| earlier.are(&said)) {
            self.write_parts(worker, ran, run, &parts, true);
        }
        let is_different = |part: &PathPart| matches!(part.part, Part::Different { .. });
        parts.iter().any(is_different)
    }
}
