//! Which share of all inputs satisfies a conjunction of conditions, counted exactly.
//!
//! Bytes that share no condition, not even through others, are independent: the share is the product of the shares of
//! these *components*. A condition on one byte is the set of its values ([`expr::ByteSet`]). A component of several bytes is
//! counted by trying every combination of the values that the conditions on single bytes leave: three decimal digits
//! are 1,000 combinations, not 2^24. One with more than [`MOST_COMBINATIONS`] is not counted. A condition on two bytes is
//! kept as the table of all their values, since paths combine the same conditions in ever new ways.
//!
//! Counting costs are measured in evaluated terms, not in time, so that the same search gives the same answer.

use expr::{ByteSet, Compiled, ExprId, Op, Store, SymbolId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Combinations that are tried for one component.
const MOST_COMBINATIONS: usize = 1 << 16;
/// So many are tried each time, also for two bytes: a table costs more.
const FEW_COMBINATIONS: usize = 1 << 12;
/// Terms in the conditions of one component.
const MOST_TERMS: usize = 20_000;
/// What trying all values of a single byte counts for, at least, and for each term.
const SINGLE: u64 = 256;
const PER_TERM: u64 = 64;
/// What is remembered of components, and of conditions on two bytes, each 8 KB.
const MOST_REMEMBERED: usize = 1 << 16;
const MOST_TABLES: usize = 2048;

/// Counts, and remembers what was counted. It belongs to one store of terms.
#[derive(Default)]
pub struct Counter {
    /// By condition: the byte that it is about, if it is one, and its values.
    single: FxHashMap<ExprId, Option<(SymbolId, ByteSet)>>,
    components: FxHashMap<Component, f64>,
    /// By condition on two bytes: for which values it holds.
    tables: FxHashMap<ExprId, Rc<Table>>,
    /// Terms that were evaluated.
    spent: u64,
}

/// Bytes with the values that each may have, and the conditions that connect them, in order.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Component {
    bytes: Vec<(SymbolId, ByteSet)>,
    conditions: Vec<ExprId>,
}

/// A bit for each pair of values; the first byte's is the high part of its number.
type Table = [u64; 1024];

impl Counter {
    /// Terms that were evaluated so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Forgets what refers to terms: call it before using another store.
    pub fn forget(&mut self) {
        self.single.clear();
        self.components.clear();
        self.tables.clear();
    }

    fn single(&mut self, store: &Store, condition: ExprId) -> Option<(SymbolId, ByteSet)> {
        if let Some(&known) = self.single.get(&condition) {
            return known;
        }
        let found = store.only_byte(condition).and_then(|symbol| {
            let compiled = Compiled::new(store, &[condition], MOST_TERMS);
            let terms = compiled.as_ref().map_or(MOST_TERMS, Compiled::len);
            self.spent += SINGLE.max(PER_TERM * terms as u64);
            Some((symbol, compiled?.satisfying_bytes()))
        });
        self.single.insert(condition, found);
        found
    }

    /// The share of a component, if it is small enough to be counted with at most `left` evaluated terms.
    fn count(&mut self, store: &Store, component: &Component, left: u64) -> Option<f64> {
        if component.conditions.is_empty() {
            let shares = component.bytes.iter().map(|(_, values)| share(values));
            return Some(shares.product());
        }
        if let Some(&known) = self.components.get(component) {
            return Some(known);
        }
        let sizes = component.bytes.iter().map(|(_, values)| values.len());
        let combinations = sizes.fold(1usize, usize::saturating_mul);
        if combinations > MOST_COMBINATIONS {
            return None;
        }
        if let [high, low] = &component.bytes[..]
            && combinations > FEW_COMBINATIONS
        {
            let share = self.count_pair(store, component, [*high, *low], left)?;
            self.remember(component, share);
            return Some(share);
        }
        let mut compiled = Compiled::new(store, &component.conditions, MOST_TERMS)?;
        let cost = combinations as u64 * compiled.len() as u64;
        if cost > left {
            return None;
        }
        self.spent += cost;
        let values: Vec<Vec<u8>> = component
            .bytes
            .iter()
            .map(|(_, values)| values.iter().collect())
            .collect();
        let place: FxHashMap<SymbolId, usize> = component
            .bytes
            .iter()
            .enumerate()
            .map(|(place, &(symbol, _))| (symbol, place))
            .collect();
        let mut chosen = vec![0; values.len()];
        let mut satisfied = 0u64;
        for number in 0..combinations {
            let mut rest = number;
            for (chosen, values) in chosen.iter_mut().zip(&values) {
                *chosen = values[rest % values.len()];
                rest /= values.len();
            }
            compiled.run(|symbol| u64::from(chosen[place[&symbol]]));
            satisfied += u64::from(compiled.all_hold());
        }
        let share = satisfied as f64 / 256f64.powi(values.len() as i32);
        self.remember(component, share);
        Some(share)
    }

    fn remember(&mut self, component: &Component, share: f64) {
        if self.components.len() >= MOST_REMEMBERED {
            self.components.clear();
        }
        self.components.insert(component.clone(), share);
    }

    /// The share of a component of two bytes.
    fn count_pair(
        &mut self,
        store: &Store,
        component: &Component,
        bytes: [(SymbolId, ByteSet); 2],
        left: u64,
    ) -> Option<f64> {
        let end = self.spent.saturating_add(left);
        let mut all: Box<Table> = Box::new([u64::MAX; 1024]);
        for &condition in &component.conditions {
            let node = store.node(condition);
            let is_negated = node.op() == Op::Not;
            let plain = if is_negated { node.arg(0) } else { condition };
            let left = end.saturating_sub(self.spent);
            let table = self.table(store, plain, bytes.map(|byte| byte.0), left)?;
            for (all, &word) in all.iter_mut().zip(table.iter()) {
                *all &= if is_negated { !word } else { word };
            }
        }
        let [(_, high), (_, low)] = bytes;
        let low: [u64; 4] = std::array::from_fn(|word| {
            let values = (0..64).filter(|bit| low.contains((64 * word + bit) as u8));
            values.fold(0, |all, bit| all | 1 << bit)
        });
        let satisfied: u32 = high
            .iter()
            .map(|value| {
                let row = &all[usize::from(value) * 4..][..4];
                let both = row.iter().zip(low).map(|(word, low)| word & low);
                both.map(u64::count_ones).sum::<u32>()
            })
            .sum();
        Some(f64::from(satisfied) / 65536.0)
    }

    /// For which values of two bytes a condition on them holds.
    fn table(
        &mut self,
        store: &Store,
        condition: ExprId,
        [high, low]: [SymbolId; 2],
        left: u64,
    ) -> Option<Rc<Table>> {
        if let Some(known) = self.tables.get(&condition) {
            return Some(known.clone());
        }
        let mut compiled = Compiled::new(store, &[condition], MOST_TERMS)?;
        let cost = 65536 * compiled.len() as u64;
        if cost > left {
            return None;
        }
        self.spent += cost;
        let mut table: Table = [0; 1024];
        for number in 0..1 << 16 {
            compiled.run(|symbol| match symbol == high {
                true => number >> 8,
                false => {
                    debug_assert_eq!(symbol, low);
                    number & 255
                }
            });
            table[number as usize / 64] |= u64::from(compiled.all_hold()) << (number % 64);
        }
        if self.tables.len() >= MOST_TABLES {
            self.tables.clear();
        }
        let table = Rc::new(table);
        self.tables.insert(condition, table.clone());
        Some(table)
    }
}

fn share(values: &ByteSet) -> f64 {
    values.len() as f64 / 256.0
}

/// Conditions that all hold, by component. Conditions are added one by one.
#[derive(Clone, Default)]
pub struct Conjunction {
    /// By byte: its component.
    owners: FxHashMap<SymbolId, usize>,
    components: Vec<Component>,
    /// By component: its share, unless it has changed since it was counted.
    counted: Vec<Option<f64>>,
    /// A condition speaks of something that is no byte.
    is_strange: bool,
    is_false: bool,
}

impl Conjunction {
    pub fn add(&mut self, counter: &mut Counter, store: &Store, condition: ExprId) {
        let mut pending = vec![condition];
        while let Some(condition) = pending.pop() {
            let node = store.node(condition);
            if node.op() == Op::And {
                pending.extend([node.arg(0), node.arg(1)]);
            } else if store.is_false(condition) {
                self.is_false = true;
            } else if !store.is_true(condition) {
                self.add_one(counter, store, condition);
            }
        }
    }

    fn add_one(&mut self, counter: &mut Counter, store: &Store, condition: ExprId) {
        if let Some((symbol, values)) = counter.single(store, condition) {
            let owner = self.owner(symbol);
            let bytes = &mut self.components[owner].bytes;
            let (_, known) = bytes
                .iter_mut()
                .find(|(byte, _)| *byte == symbol)
                .expect("a component has its bytes");
            let narrowed = known.intersection(&values);
            if narrowed != *known {
                *known = narrowed;
                self.counted[owner] = None;
            }
            return;
        }
        let symbols: Vec<SymbolId> = store.symbols_of(condition).iter().collect();
        self.is_strange |= symbols
            .iter()
            .any(|&symbol| store.symbol(symbol).width() != 8);
        let mut symbols = symbols.into_iter();
        let Some(first) = symbols.next().filter(|_| !self.is_strange) else {
            return;
        };
        let owner = self.owner(first);
        for symbol in symbols {
            self.join(owner, symbol);
        }
        let conditions = &mut self.components[owner].conditions;
        if let Err(place) = conditions.binary_search(&condition) {
            conditions.insert(place, condition);
            self.counted[owner] = None;
        }
    }

    /// The component of a byte.
    fn owner(&mut self, symbol: SymbolId) -> usize {
        *self.owners.entry(symbol).or_insert_with(|| {
            self.components.push(Component {
                bytes: vec![(symbol, ByteSet::ALL)],
                conditions: Vec::new(),
            });
            self.counted.push(None);
            self.components.len() - 1
        })
    }

    /// Takes a byte's component into another.
    fn join(&mut self, into: usize, symbol: SymbolId) {
        let other = self.owner(symbol);
        if other == into {
            return;
        }
        let Component { bytes, conditions } = std::mem::take(&mut self.components[other]);
        for &(symbol, _) in &bytes {
            self.owners.insert(symbol, into);
        }
        let own = &mut self.components[into];
        own.bytes.extend(bytes);
        own.bytes.sort_by_key(|&(symbol, _)| symbol);
        own.conditions.extend(conditions);
        own.conditions.sort_unstable();
        self.counted[into] = None;
        self.counted[other] = Some(1.0);
    }

    /// The share of the inputs that satisfy all conditions; `None` if a component is too large, or costs more than
    /// `left` evaluated terms.
    pub fn share(&mut self, counter: &mut Counter, store: &Store, left: u64) -> Option<f64> {
        if self.is_false {
            return Some(0.0);
        }
        if self.is_strange {
            return None;
        }
        let end = counter.spent().saturating_add(left);
        let mut all = 1.0;
        for (component, counted) in self.components.iter().zip(&mut self.counted) {
            let share = match *counted {
                Some(share) => share,
                None => {
                    let left = end.saturating_sub(counter.spent());
                    let share = counter.count(store, component, left)?;
                    *counted = Some(share);
                    share
                }
            };
            all *= share;
        }
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expr::{Evaluation, Model, Symbol};
    use inputs::SplitMix;

    /// Random conjunctions over two bytes, against trying all 65,536 inputs.
    #[test]
    fn counting_agrees_with_trying_all_inputs() {
        let mut random = SplitMix(3);
        let mut connected = 0;
        for _ in 0..60 {
            let mut store = Store::new();
            let bytes = [0, 1].map(|offset| store.symbol_term(&Symbol::Stdin { offset }));
            let conditions: Vec<ExprId> = (0..1 + random.below(4))
                .map(|_| {
                    let one = bytes[random.below(2)];
                    let other = match random.below(3) {
                        0 => bytes[random.below(2)],
                        _ => store.constant(random.below(256) as u128, 8),
                    };
                    let sum = store.add(one, other);
                    let limit = store.constant(random.below(256) as u128, 8);
                    let condition = match random.below(3) {
                        0 => store.ult(sum, limit),
                        1 => store.eq(one, limit),
                        _ => store.ult(one, other),
                    };
                    match random.below(2) {
                        0 => store.not(condition),
                        _ => condition,
                    }
                })
                .collect();
            let mut counter = Counter::default();
            let mut all = Conjunction::default();
            for &condition in &conditions {
                all.add(&mut counter, &store, condition);
            }
            let counted = all.share(&mut counter, &store, u64::MAX).unwrap();
            connected += usize::from(all.components.iter().any(|own| own.bytes.len() > 1));
            let symbols = bytes.map(|byte| store.as_symbol(byte).unwrap());
            let mut satisfied = 0u32;
            for number in 0..=u16::MAX {
                let mut model = Model::new();
                model.set(symbols[0], u64::from(number & 255));
                model.set(symbols[1], u64::from(number >> 8));
                let mut evaluation = Evaluation::new(model);
                let mut all = conditions.iter();
                satisfied += u32::from(all.all(|&one| evaluation.holds(&store, one)));
            }
            assert_eq!(counted, f64::from(satisfied) / 65536.0);
        }
        assert!(connected > 5, "{connected}");
    }

    #[test]
    fn values_of_single_bytes_make_larger_components_countable() {
        let mut store = Store::new();
        let bytes = [0, 1, 2].map(|offset| store.symbol_term(&Symbol::Stdin { offset }));
        let part = store.add(bytes[0], bytes[1]);
        let sum = store.add(part, bytes[2]);
        let limit = store.constant(u128::from(3 * b'0' + 5), 8);
        let connecting = store.eq(sum, limit);
        let (mut counter, mut all) = (Counter::default(), Conjunction::default());
        all.add(&mut counter, &store, connecting);
        assert_eq!(all.share(&mut counter, &store, u64::MAX), None);
        for byte in bytes {
            let (low, high) = (store.constant(48, 8), store.constant(57, 8));
            let above = store.ule(low, byte);
            let below = store.ule(byte, high);
            all.add(&mut counter, &store, above);
            all.add(&mut counter, &store, below);
        }
        // Three digits with the sum 5: 21 ways.
        let counted = all.share(&mut counter, &store, u64::MAX);
        assert_eq!(counted, Some(21.0 / 256f64.powi(3)));
        assert_eq!(
            Conjunction::default().share(&mut counter, &store, 0),
            Some(1.0)
        );
    }
}
