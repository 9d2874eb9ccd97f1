//! How far each way is from a change (Qi et al., §3.1), by version.
//!
//! Only strategies that go for the changes need this; it costs several times what `changes` costs. A way of which the
//! edge in the control flow is not known has no distance.

use crate::both::both;
use crate::changes::ChangeFacts;
use crate::guards::{self, Guards};
use concolic_vm::Program;
use concolic_vm::symbolic::Coverage;
use program_graphs::{Distances, ProgramFacts};
use program_ir::{Block, Func, Inst};
use search::Target;

/// Changes whose guards are found by themselves.
const OWN_GUARDS: usize = 8;

/// By version: 0 is the old one.
#[derive(Clone, Debug)]
pub struct ChangeDistances {
    versions: [VersionDistances; 2],
}

#[derive(Clone, Debug, Default)]
struct VersionDistances {
    nearest: Distances,
    /// By change.
    distances: Vec<Distances>,
    /// By change: the blocks that it hangs on, the nearest first.
    approach: Vec<Vec<(u32, Func, Block)>>,
    /// By change, the last for all further ones.
    guards: Vec<Guards>,
}

impl ChangeDistances {
    /// `facts` finds those of a version: both versions at the same time.
    pub fn of<'f, 'm: 'f>(
        changes: &ChangeFacts,
        facts: impl Fn(usize) -> &'f ProgramFacts<'m> + Sync,
    ) -> ChangeDistances {
        let of = |version: usize| VersionDistances::of(changes, version as u8, facts(version));
        ChangeDistances { versions: both(of) }
    }

    fn version(&self, target: &Target) -> &VersionDistances {
        &self.versions[usize::from(target.version)]
    }

    /// How many control dependences lie between a way and the nearest change.
    pub fn distance(
        &self,
        changes: &ChangeFacts,
        program: &Program,
        target: &Target,
    ) -> Option<u32> {
        let (func, block, toward) = changes.edge(program, target)?;
        let nearest = &self.version(target).nearest;
        nearest.of_edge(func, block, toward)
    }

    /// The distance from an edge of the control flow to one change of the version.
    pub fn distance_to(&self, change: usize, edge: Edge, target: &Target) -> Option<u32> {
        let (func, block, toward) = edge;
        self.version(target).distances[change].of_edge(func, block, toward)
    }

    /// How near a run has come to a change: the least distance of a block that it entered.
    pub fn approach(
        &self,
        version: u8,
        change: usize,
        program: &Program,
        coverage: &Coverage,
    ) -> Option<u32> {
        let version = &self.versions[usize::from(version)];
        let mut blocks = version.approach[change].iter();
        let nearest = blocks.find(|(_, func, block)| coverage.contains(program, *func, *block));
        nearest.map(|&(distance, ..)| distance)
    }

    /// How many branches lie between a way and a change on a chain of control and data; see [`Guards`].
    pub fn guard_distance_to(&self, change: usize, edge: Edge, target: &Target) -> Option<u32> {
        let (func, block, toward) = edge;
        let version = self.version(target);
        let guards = version.guards.get(change).or(version.guards.last())?;
        guards.of_edge(func, block, toward)
    }
}

/// A way out of a block; see [`ChangeFacts::edge`].
pub type Edge = (Func, Block, Block);

impl VersionDistances {
    fn of(changes: &ChangeFacts, version: u8, facts: &ProgramFacts<'_>) -> VersionDistances {
        let targets: Vec<(Func, Inst)> = changes.points(version).collect();
        let each = changes.changes(version).iter();
        let distances: Vec<Distances> = each
            .map(|change| Distances::to(facts, &change.points))
            .collect();
        let approach = distances.iter().map(|distances| {
            let blocks = distances.blocks();
            let mut blocks: Vec<_> = blocks
                .map(|(func, block, far)| (far, func, block))
                .collect();
            blocks.sort_unstable();
            blocks
        });
        VersionDistances {
            nearest: Distances::to(facts, &targets),
            approach: approach.collect(),
            guards: guards_of(changes, version, facts),
            distances,
        }
    }
}

fn guards_of(changes: &ChangeFacts, version: u8, facts: &ProgramFacts<'_>) -> Vec<Guards> {
    let Some(graph) = guards::graph(facts) else {
        return Vec::new();
    };
    let changes = changes.changes(version);
    let own = changes.len().min(OWN_GUARDS);
    let mut targets: Vec<Vec<(Func, Inst)>> = Vec::new();
    for (number, change) in changes.iter().enumerate() {
        match number <= own {
            true => targets.push(change.points.clone()),
            false => targets[own].extend(&change.points),
        }
    }
    let targets = targets.iter();
    targets
        .map(|points| Guards::to(facts, &graph, points))
        .collect()
}
