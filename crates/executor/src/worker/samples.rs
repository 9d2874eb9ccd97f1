//! Inputs of a part of a path, chosen at random, so that what was proved of the part can be tried out.
//!
//! A walk begins at an input of the part, changes one byte after the other, and takes back what leaves the part. Bytes
//! that no condition mentions become any bytes at once. Some walks begin at a model of the solver in which one byte has a
//! value chosen at random: conditions that connect bytes would hold a walk in one corner of the part.

use concolic_vm::symbolic::SymbolicInput;
use expr::{Evaluation, ExprId, Model, SymbolId};
use rustc_hash::FxHashMap;
use solver::Answer;
use std::time::Duration;

use super::{PathPart, Ran, Worker};
use inputs::SplitMix;

/// Steps of one walk.
const STEPS: usize = 48;
/// Conditions that are evaluated for the inputs of one part.
const MOST_CONDITIONS: usize = 50_000;
/// The most time for one question to the solver.
const PATIENCE: Duration = Duration::from_millis(200);

impl<'p> Worker<'p> {
    /// At most `count` inputs of a part, no two of them alike.
    pub fn sample(
        &mut self,
        ran: &Ran<'p>,
        part: &PathPart,
        count: usize,
        random: &mut SplitMix,
    ) -> Vec<SymbolicInput> {
        let first = match self.contains(ran, part, &ran.input) {
            true => ran.input.clone(),
            false => {
                let wanted: Vec<ExprId> = part.condition.into_iter().collect();
                match self.ask(&ran.path.events, &wanted, Some(PATIENCE)) {
                    Answer::Sat(model) => ran.input.with_model(&self.store, &model),
                    _ => return Vec::new(),
                }
            }
        };
        let path = ran.path.events.iter().map(|event| event.condition);
        let conditions: Vec<ExprId> = path.chain(part.condition).collect();
        let mut about: FxHashMap<SymbolId, Vec<ExprId>> = FxHashMap::default();
        for &condition in &conditions {
            for symbol in self.store.symbols_of(condition).iter() {
                about.entry(symbol).or_default().push(condition);
            }
        }
        let mut left = MOST_CONDITIONS;
        let mut at = self.evaluation(&first, ran).model().clone();
        let mut found = vec![first.clone()];
        for walk in 1..count {
            if walk % 2 == 0
                && let Some(model) = self.elsewhere(ran, part, &about, random)
            {
                at = self.evaluation(&first, ran).model().clone();
                at.extend(&model);
            }
            self.walk(&mut at, &about, &mut left, random);
            let input = first.with_model(&self.store, &at);
            if !found.contains(&input) && self.contains(ran, part, &input) {
                found.push(input);
            }
        }
        found
    }

    /// A model of the part in which a byte has a random value.
    fn elsewhere(
        &mut self,
        ran: &Ran<'p>,
        part: &PathPart,
        about: &FxHashMap<SymbolId, Vec<ExprId>>,
        random: &mut SplitMix,
    ) -> Option<Model> {
        let mut symbols: Vec<SymbolId> = about.keys().copied().collect();
        symbols.sort_unstable();
        let symbol = *symbols.get(random.below(symbols.len().max(1)))?;
        let term = self.store.symbol_id_term(symbol);
        let width = self.store.width(term);
        let value = self.store.constant(random.below(256) as u128, width);
        let chosen = self.store.eq(term, value);
        let wanted: Vec<ExprId> = part.condition.into_iter().chain([chosen]).collect();
        match self.ask(&ran.path.events, &wanted, Some(PATIENCE)) {
            Answer::Sat(model) => Some(model),
            _ => None,
        }
    }

    fn walk(
        &self,
        at: &mut Model,
        about: &FxHashMap<SymbolId, Vec<ExprId>>,
        left: &mut usize,
        random: &mut SplitMix,
    ) {
        let values: Vec<(SymbolId, u64)> = at.iter().collect();
        let bytes = values
            .iter()
            .map(|&(symbol, _)| symbol)
            .filter(|&symbol| self.store.symbol(symbol).width() == 8);
        let (free, bound): (Vec<_>, Vec<_>) = bytes.partition(|symbol| !about.contains_key(symbol));
        for symbol in free {
            at.set(symbol, random.below(256) as u64);
        }
        if bound.is_empty() {
            return;
        }
        for _ in 0..STEPS {
            let symbol = bound[random.below(bound.len())];
            let before = at.value(symbol);
            let other = at.value(bound[random.below(bound.len())]);
            let value = match random.below(4) {
                0 => before.wrapping_add(1) & 255,
                1 => before.wrapping_sub(1) & 255,
                2 => other,
                _ => random.below(256) as u64,
            };
            at.set(symbol, value);
            let conditions = &about[&symbol];
            if conditions.len() > *left {
                at.set(symbol, before);
                return;
            }
            *left -= conditions.len();
            let mut evaluation = Evaluation::new(at.clone());
            let mut all = conditions.iter();
            if !all.all(|&condition| evaluation.holds(&self.store, condition)) {
                at.set(symbol, before);
            }
        }
    }
}
