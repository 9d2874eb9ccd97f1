//! How `check` searches: the strategy, and which ways are left out.

use clap::Args;
use exploration::propagate::{self, Rule};
use exploration::{Category, Pruned, Strategy, Summary};

/// What a check is asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// Search for differences and prove the rest equal, both at once.
    FindAndVerify,
    FindOnly,
    VerifyOnly,
}

impl Mode {
    /// As the report for machines has it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Mode::FindAndVerify => "find-and-verify",
            Mode::FindOnly => "find-only",
            Mode::VerifyOnly => "verify-only",
        }
    }
}

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
    /// Only prove, partition by partition: every way in turn, as `dart` takes them, with slices (only what matters of a path
    /// is kept), without inputs that are made to find differences; those that come up are reported
    #[arg(long, conflicts_with = "strategy")]
    verify_only: bool,
    /// Leave out ways on which no change can be executed [default with the strategy auto and with --verify-only]
    #[arg(long, conflicts_with = "no_prune")]
    prune: bool,
    /// Explore them too
    #[arg(long)]
    no_prune: bool,
    /// List the places where ways were left out, and why
    #[arg(long)]
    explain_pruning: bool,
}

impl SearchOptions {
    /// Refuses what cannot be done.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        anyhow::ensure!(
            !self.prune || self.strategy != Strategy::Random,
            "`--strategy random` takes inputs by chance and cannot leave out ways; leave out `--prune`, or use the \
             strategy auto"
        );
        Ok(())
    }

    pub(super) fn mode(&self) -> Mode {
        match (self.find_only, self.verify_only) {
            (true, _) => Mode::FindOnly,
            (_, true) => Mode::VerifyOnly,
            _ => Mode::FindAndVerify,
        }
    }

    pub(super) fn strategy(&self) -> Strategy {
        match self.mode() {
            Mode::VerifyOnly => Strategy::Dart,
            _ => self.strategy,
        }
    }

    /// Whether a proof goes on beside the search.
    pub(super) fn proves_too(&self) -> bool {
        self.mode() == Mode::FindAndVerify && self.strategy == Strategy::Auto && !self.no_prune
    }

    /// Whether proofs are wanted by whatever way is the shortest.
    pub(super) fn proves(&self) -> bool {
        self.proves_too() || (self.verify_only && !self.no_prune)
    }

    /// Whether only what matters of paths is kept.
    pub(super) fn slices(&self) -> bool {
        self.verify_only
    }

    /// The strategy for three versions or more. All others, and pruning, go by the change between two versions.
    pub(super) fn for_several(&self) -> anyhow::Result<Strategy> {
        let per_step = "leave it out, or check two versions at a time";
        anyhow::ensure!(
            !self.prune && !self.explain_pruning,
            "`--prune` and `--explain-pruning` are about the change between two versions, and there are more: {per_step}"
        );
        anyhow::ensure!(
            !self.find_only && !self.verify_only,
            "`--find-only` and `--verify-only` are for two versions, and there are more: {per_step}"
        );
        match self.strategy {
            // What no run has covered yet comes first: there is no one change to go for.
            Strategy::Auto => Ok(Strategy::Coverage),
            strategy if Strategy::ALL.contains(&strategy) => Ok(strategy),
            strategy => anyhow::bail!(
                "`--strategy {strategy}` is for two versions, and there are more: {per_step}; with more versions, it is one of {}",
                Strategy::ALL.map(Strategy::name).join(", ")
            ),
        }
    }

    /// Whether ways are left out.
    pub(super) fn prunes(&self) -> bool {
        match self.strategy() {
            _ if self.verify_only => !self.no_prune,
            Strategy::Auto => !self.no_prune,
            Strategy::Random => false,
            _ => self.prune,
        }
    }

    /// How much is spent on taking the effect of a change farther, if that is done.
    pub(super) fn propagates(&self) -> Option<propagate::Limits> {
        (self.strategy() == Strategy::Auto).then(propagate::Limits::default)
    }

    /// What was left out, in words: a verdict rests on it.
    pub(super) fn pruned_text(&self, summary: &Summary) -> String {
        let Pruned { places, .. } = &summary.pruned;
        let ways = summary.pruned.ways();
        let mut text = match ways {
            0 => String::new(),
            1 => "1 way was not explored because no change can be executed on it".to_owned(),
            _ => {
                format!("{ways} ways were not explored because no change can be executed on them")
            }
        };
        if summary.pruned.not_i > 0 {
            text += ", or those executed before had no effect on the state";
        }
        if ways > 0 {
            text.push('\n');
        }
        if self.explain_pruning && ways == 0 {
            text += "no way was pruned\n";
        }
        if self.explain_pruning {
            for pruned in places {
                let place = pruned.place.as_ref().map(ToString::to_string);
                let place = place.unwrap_or_else(|| "an unknown place".to_owned());
                let version = ["old", "new"][usize::from(pruned.version)];
                let (name, category) = (name(pruned.category), pruned.category);
                let ways = pruned.ways;
                text += &format!("  {name}  {ways:>6}  {version}  {place}: {category}\n");
            }
        }
        text
    }

    /// What was left out, for machines.
    pub(super) fn pruned_json(&self, summary: Option<&Summary>) -> serde_json::Value {
        let none = Pruned::default();
        let pruned = summary.map_or(&none, |summary| &summary.pruned);
        let mut json = serde_json::json!({
            "not_p": pruned.not_p, "not_e": pruned.not_e, "not_i": pruned.not_i,
        });
        if self.explain_pruning {
            let places = pruned.places.iter().map(|pruned| {
                let version = ["old", "new"][usize::from(pruned.version)];
                serde_json::json!({
                    "category": name(pruned.category),
                    "version": version,
                    "place": pruned.place.as_ref().map(ToString::to_string),
                    "ways": pruned.ways,
                })
            });
            json["places"] = places.collect();
        }
        json
    }
}

/// What was done to make differences show, for machines.
pub(super) fn propagation_json(summary: Option<&Summary>) -> serde_json::Value {
    let counts = summary.map(|summary| summary.made.propagation.clone());
    let counts = counts.unwrap_or_default();
    let rules = [
        ("same_way", Rule::SameWay),
        ("no_transfer", Rule::NoTransfer),
        ("not_used", Rule::NotUsed),
        ("another_state", Rule::AnotherState),
    ];
    let by_rule = rules.map(|(name, rule)| {
        let counts = counts.by_rule.get(&rule).copied().unwrap_or_default();
        let json = serde_json::json!({
            "candidates": counts.candidates, "known": counts.known, "different": counts.different,
        });
        (name.to_owned(), json)
    });
    let cut = counts.cut.iter();
    let cut = cut.map(|(cut, &times)| (cut.name().to_owned(), times.into()));
    let spliced = summary
        .map(|summary| summary.made.spliced)
        .unwrap_or_default();
    serde_json::json!({
        "looks": counts.looks,
        "by_rule": serde_json::Map::from_iter(by_rule),
        "cut": serde_json::Map::from_iter(cut),
        "ms": counts.time.as_millis() as u64,
        "spliced": {
            "inputs": spliced.inputs, "known": spliced.known, "different": spliced.different,
            "ms": spliced.time.as_millis() as u64,
        },
    })
}

fn name(category: Category) -> &'static str {
    match category {
        Category::NotPropagated => "not_p",
        Category::NotExecuted => "not_e",
        Category::NotInfected => "not_i",
    }
}
