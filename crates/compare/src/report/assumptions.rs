//! What a verdict takes for granted whatever the runs did; docs/comparison.md explains it.

use serde::{Deserialize, Serialize};

/// Something that a verdict rests on and nobody has proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assumption {
    /// On ways that no run took, or on all if nothing was run.
    Unseen {
        nothing_run: bool,
        /// Some proofs rest on relevant slices.
        sliced: bool,
    },
    /// What C leaves undefined does what the VM does.
    UndefinedButDone,
    FixedSurroundings,
    LibraryIsMusl,
    AddressesOfVm,
    StackIsLargeEnough,
    NoAddressMatters,
    PanicsEnd,
    /// Rust is compiled as for a release.
    RustOfReleases,
    /// Lines and columns of panics and assertions are not compared.
    LinesDoNotCount,
}

/// What decides which assumptions are made.
pub(super) struct Basis {
    /// Versions were run.
    pub(super) explored: bool,
    /// Changed functions were proved to do the same by themselves.
    pub(super) same_functions: bool,
    /// Partitions were proved by what is called.
    pub(super) by_calls: bool,
    /// Ways were left out.
    pub(super) pruned: bool,
    /// Relevant slices were used.
    pub(super) sliced: bool,
    pub(super) in_rust: bool,
    /// Source lines were taken out of a version.
    pub(super) without_lines: bool,
}

pub(super) fn assumptions(basis: &Basis) -> Vec<Assumption> {
    let lines = basis.without_lines.then_some(Assumption::LinesDoNotCount);
    if !basis.explored && !basis.same_functions {
        let of_rust = basis.in_rust.then_some(Assumption::RustOfReleases);
        let all = [Assumption::LibraryIsMusl].into_iter().chain(of_rust);
        return all.chain(lines).collect();
    }
    let mut assumed = Vec::new();
    if !basis.explored || basis.pruned || basis.sliced {
        assumed.push(Assumption::Unseen {
            nothing_run: !basis.explored,
            sliced: basis.sliced,
        });
    }
    assumed.push(Assumption::UndefinedButDone);
    // A proof about functions by themselves knows of nothing else.
    if basis.explored {
        assumed.extend([
            Assumption::FixedSurroundings,
            Assumption::LibraryIsMusl,
            Assumption::AddressesOfVm,
        ]);
    }
    if !basis.explored || basis.by_calls {
        assumed.extend([Assumption::StackIsLargeEnough, Assumption::NoAddressMatters]);
    }
    if basis.in_rust {
        assumed.extend([Assumption::PanicsEnd, Assumption::RustOfReleases]);
    }
    assumed.extend(lines);
    assumed
}
