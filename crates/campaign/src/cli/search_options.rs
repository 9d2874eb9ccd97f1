//! How `check` searches: the strategy, and which ways are left out.

use clap::Args;
use exploration::{Category, Pruned, Strategy, Summary};

#[derive(Args, Debug)]
pub(super) struct SearchOptions {
    /// Which way is tried next: auto (towards the changes first), reach, dart, dfs, bfs, random-path, coverage,
    /// or random (inputs by chance)
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub(super) strategy: Strategy,
    /// Leave out ways on which no change can be executed [default with the strategy auto]
    #[arg(long, overrides_with = "no_prune")]
    prune: bool,
    /// Explore them too
    #[arg(long, overrides_with = "prune")]
    no_prune: bool,
    /// List the places where ways were left out, and why
    #[arg(long)]
    explain_pruning: bool,
}

impl SearchOptions {
    /// Whether ways are left out.
    pub(super) fn prunes(&self) -> bool {
        match self.strategy {
            Strategy::Auto => !self.no_prune,
            Strategy::Random => false,
            _ => self.prune,
        }
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

fn name(category: Category) -> &'static str {
    match category {
        Category::NotPropagated => "not_p",
        Category::NotExecuted => "not_e",
        Category::NotInfected => "not_i",
    }
}
