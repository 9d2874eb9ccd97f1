//! How `check` searches: the strategy, and which ways are left out.

use clap::Args;
use compare::spec::{Mode, SearchSpec};
use exploration::Strategy;

#[derive(Args, Debug)]
pub(super) struct SearchOptions {
    /// Which way is tried next: auto (towards the changes first; inputs that take their effect farther; pieces of
    /// tests put together), reach, dart, dfs, bfs, random-path, coverage, or random (inputs by chance). With three versions
    /// or more, auto is coverage, and reach and random are not possible
    #[arg(long, value_name = "NAME", default_value = "auto")]
    strategy: Strategy,
    /// Only search for differences and prove nothing: the verdict is `different` or `undecided`, and `equivalent` only
    /// if both versions are the same code
    #[arg(long, conflicts_with_all = ["verify_only", "partitions", "paranoid"])]
    find_only: bool,
    /// Stop at the first difference that native runs show
    #[arg(long, conflicts_with = "verify_only")]
    first: bool,
    /// A baseline to compare with: instead of a search, tests are generated for each version alone, as they cover it (up to 2000 paths), and
    /// run on both. Proves nothing
    #[arg(long, conflicts_with_all = ["verify_only", "partitions", "paranoid", "prune"])]
    separate: bool,
    /// Only prove, partition by partition: every way in turn, as `dart` takes them, with slices (only what matters of a path
    /// is kept), without inputs that are made to find differences; those that come up are reported
    #[arg(long, conflicts_with = "strategy")]
    verify_only: bool,
    /// Leave out ways on which no change can be executed [default with the strategy auto and with --verify-only]
    #[arg(long, conflicts_with = "no_prune")]
    prune: bool,
    /// Explore also the ways on which no change can be executed
    #[arg(long)]
    no_prune: bool,
    /// List the places where ways were left out, and why
    #[arg(long)]
    explain_pruning: bool,
}

impl SearchOptions {
    fn mode(&self) -> Mode {
        match (self.find_only || self.separate, self.verify_only) {
            (true, _) => Mode::FindOnly,
            (_, true) => Mode::VerifyOnly,
            _ => Mode::FindAndVerify,
        }
    }

    /// The search between two versions.
    pub(super) fn for_two(&self) -> anyhow::Result<SearchSpec> {
        anyhow::ensure!(
            !self.prune || self.strategy != Strategy::Random,
            "`--strategy random` takes inputs by chance and cannot leave out ways; leave out `--prune`, or use the \
             strategy auto"
        );
        let mode = self.mode();
        let strategy = match mode {
            Mode::VerifyOnly => Strategy::Dart,
            Mode::FindAndVerify | Mode::FindOnly => self.strategy,
        };
        let is_auto = strategy == Strategy::Auto;
        let proof_beside = mode == Mode::FindAndVerify && is_auto && !self.no_prune;
        Ok(SearchSpec {
            mode,
            strategy,
            prune: match strategy {
                _ if self.verify_only || is_auto => !self.no_prune,
                Strategy::Random => false,
                _ => self.prune,
            },
            propagate: is_auto,
            slices: self.verify_only,
            proof_beside,
            short_proofs: proof_beside || self.verify_only && !self.no_prune,
            seed: 0,
            first: self.first || self.separate,
            separate: self.separate,
            inspect_all: false,
            workers: 1,
            fresh: false,
        })
    }

    /// The search between three versions or more. Other strategies, and pruning, go by the change between two versions.
    pub(super) fn for_several(&self) -> anyhow::Result<SearchSpec> {
        let per_step = "leave it out, or check two versions at a time";
        anyhow::ensure!(
            !self.prune && !self.explain_pruning,
            "`--prune` and `--explain-pruning` are about the change between two versions, and there are more: {per_step}"
        );
        anyhow::ensure!(
            !self.find_only && !self.verify_only && !self.separate,
            "`--find-only`, `--verify-only` and `--separate` are for two versions, and there are more: {per_step}"
        );
        let strategy = match self.strategy {
            // What no run has covered yet comes first: there is no one change to go for.
            Strategy::Auto => Strategy::Coverage,
            strategy if Strategy::ALL.contains(&strategy) => strategy,
            strategy => anyhow::bail!(
                "`--strategy {strategy}` is for two versions, and there are more: {per_step}; with more versions, it is one of {}",
                Strategy::ALL.map(Strategy::name).join(", ")
            ),
        };
        Ok(SearchSpec {
            mode: Mode::FindAndVerify,
            strategy,
            prune: false,
            propagate: false,
            slices: false,
            proof_beside: false,
            short_proofs: false,
            seed: 0,
            first: self.first,
            separate: false,
            inspect_all: false,
            workers: 1,
            fresh: false,
        })
    }

    /// Whether the places where ways were left out are listed.
    pub(super) fn explains_pruning(&self) -> bool {
        self.explain_pruning
    }
}
