//! How the parameters of a function changed, and what both versions can be given (the
//! common input space, `input_space`).

use crate::input_space::{CommonInputSpace, parameter_names};
use program_ir::Function;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ParameterReport {
    /// The names in both versions, in order.
    pub old: Vec<String>,
    pub new: Vec<String>,
    pub added: Vec<String>,
    pub removed: Vec<String>,
    /// The same name in both versions, and another type.
    pub other_type: Vec<String>,
    /// Old and new name.
    pub renamed: Vec<(String, String)>,
    /// What both versions take comes in another order.
    pub reordered: bool,
    /// The result has another type.
    pub other_result: bool,
    /// What both versions take, by its names in the new version.
    pub common: Vec<String>,
}

impl ParameterReport {
    /// `None` if parameters and result are the same.
    pub(super) fn of(old: &Function, new: &Function, space: &CommonInputSpace) -> Option<Self> {
        let (old_names, new_names) = (names(old), names(new));
        let mut report = ParameterReport {
            other_result: old.signature.returns != new.signature.returns,
            ..ParameterReport::default()
        };
        for (at, from) in space.old_of_new.iter().enumerate() {
            let name = &new_names[at];
            match from.map(|from| &old_names[from as usize]) {
                Some(was) => {
                    if was != name {
                        note(&mut report.renamed, (was.clone(), name.clone()));
                    }
                    note(&mut report.common, name.clone());
                }
                None if space
                    .only_old
                    .iter()
                    .any(|&at| old_names[at as usize] == *name) =>
                {
                    note(&mut report.other_type, name.clone());
                }
                None => note(&mut report.added, name.clone()),
            }
        }
        for &at in &space.only_old {
            let name = &old_names[at as usize];
            if !report.other_type.contains(name) {
                note(&mut report.removed, name.clone());
            }
        }
        let order: Vec<u32> = space.old_of_new.iter().flatten().copied().collect();
        report.reordered = !order.is_sorted();
        old_names
            .into_iter()
            .for_each(|name| note(&mut report.old, name));
        new_names
            .into_iter()
            .for_each(|name| note(&mut report.new, name));
        let same = !report.reordered
            && !report.other_result
            && report.renamed.is_empty()
            && report.added.is_empty()
            && report.removed.is_empty()
            && report.other_type.is_empty();
        (!same).then_some(report)
    }

    /// Whether calls must be written differently.
    pub fn concerns_callers(&self) -> bool {
        self.reordered
            || !self.added.is_empty()
            || !self.removed.is_empty()
            || !self.other_type.is_empty()
    }

    /// What happened, one sentence each.
    pub fn sentences(&self) -> Vec<String> {
        let mut said = Vec::new();
        let mut say = |what: &str, names: &[String]| {
            if !names.is_empty() {
                said.push(format!("{what}: {}", names.join(", ")));
            }
        };
        say("parameters added", &self.added);
        say("parameters removed", &self.removed);
        say("parameters of another type", &self.other_type);
        let renamed = self
            .renamed
            .iter()
            .map(|(old, new)| format!("{new} (was {old})"));
        say("parameters renamed", &renamed.collect::<Vec<_>>());
        if self.reordered {
            let (new, old) = (self.new.join(", "), self.old.join(", "));
            said.push(format!("parameters reordered: ({new}), was ({old})"));
        }
        if self.other_result {
            said.push("result of another type".into());
        }
        if self.concerns_callers() {
            let all = self.common.len() == self.new.len() && self.common.len() == self.old.len();
            said.push(match self.common.is_empty() {
                true => "common inputs: none".into(),
                false if all => "common inputs: all parameters".into(),
                false => format!("common inputs: {}", self.common.join(", ")),
            });
        }
        said
    }
}

/// A parameter in several pieces (a struct passed by value) counts once.
fn note<T: PartialEq>(all: &mut Vec<T>, one: T) {
    if !all.contains(&one) {
        all.push(one);
    }
}

fn names(function: &Function) -> Vec<String> {
    let names = parameter_names(function).into_iter().enumerate();
    names
        .map(|(at, name)| name.unwrap_or_else(|| format!("parameter {}", at + 1)))
        .collect()
}
