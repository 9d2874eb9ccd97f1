//! Beyond the paper: branches behind which constants decide that no change comes.
//!
//! A helper that meets bad input returns a constant, its caller looks at it and gives up. In the graph of §4.4 the return leads
//! back to the caller, and from there to everything that follows a good result. Here the ways out of a branch are followed with what
//! is known on them: constants handed to blocks, the condition of each branch that was taken, what a call
//! returned. A branch that this decides is followed one way only.
//!
//! What follows a return is asked by function and returned constant, over all its calls: the least solution of
//! "a change may follow if it may follow one of the calls with this result". A result that is not known is one of which
//! the graph alone speaks.
//!
//! **Safety** is that of B_E: everything that is followed is what a run may do, and where too much would have to be followed
//! a change counts as reached. Not looked at where jumps leave functions other than by returning.

use super::{Branch, BranchSearch};
use crate::operation::edges;
use program_graphs::Cfg;
use program_ir::{
    Block, BlockCall, Callee, CastOp, Constant, EntityRef, Func, Function, Inst, InstData,
    IntPredicate, TernaryOp, Type, Value, ValueDef,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Blocks that are followed for one question.
const MOST_BLOCKS: usize = 96;
/// How often a block is entered with what is known; after that, with nothing.
const MOST_VISITS: u32 = 4;

/// What values are on a way.
type KnownValues = BTreeMap<Value, u128>;

/// The branches that are not in B_E and yet lead to no change.
pub(super) fn decided(search: &BranchSearch<'_>) -> BTreeSet<Branch> {
    if search.non_local_jumps {
        return BTreeSet::new();
    }
    let mut constants = Constants {
        search,
        after: HashMap::new(),
    };
    for (&func, flow) in &search.flows {
        if search.reaching_after[func.index()] {
            for constant in returned(&search.calls.module.functions[func], &flow.cfg) {
                constants.after.insert((func, constant), false);
            }
        }
    }
    loop {
        constants.settle();
        let asked = constants.after.len();
        let found = constants.branches();
        if constants.after.len() == asked {
            return found;
        }
    }
}

struct Constants<'s, 'a> {
    search: &'s BranchSearch<'a>,
    /// Whether a change may follow once a function has returned a constant.
    after: HashMap<(Func, u128), bool>,
}

impl<'a> Constants<'_, 'a> {
    fn function(&self, func: Func) -> &'a Function {
        &self.search.calls.module.functions[func]
    }

    /// Answers what was asked of returns. An answer can only turn to yes.
    fn settle(&mut self) {
        loop {
            let open = self.after.iter().filter(|(_, after)| !**after);
            let open: Vec<(Func, u128)> = open.map(|(&asked, _)| asked).collect();
            let before = self.after.len();
            let mut grew = false;
            for (func, constant) in open {
                if self.follows_return(func, constant) {
                    self.after.insert((func, constant), true);
                    grew = true;
                }
            }
            if !grew && self.after.len() == before {
                return;
            }
        }
    }

    fn follows_return(&mut self, func: Func, constant: u128) -> bool {
        let calls = self.search.calls;
        let returns = &self.function(func).signature.returns;
        calls.callers(func).iter().any(|&(caller, inst)| {
            let Some(flow) = self.search.flows.get(&caller) else {
                return true;
            };
            let Some((block, index)) = flow.place_of_call(inst) else {
                return false;
            };
            let function = self.function(caller);
            let call = function.insts[inst].data.call();
            // What else an external does that calls back is not known.
            if !call.is_some_and(|call| match call.callee {
                Callee::Direct(callee) => callee == func,
                Callee::Indirect(_) => true,
            }) {
                return true;
            }
            let mut known = KnownValues::new();
            // A call through a pointer may take the result for something else.
            if let ([result], [ty]) = (&Vec::from_iter(function.results(inst))[..], &returns[..])
                && function.ty(*result) == *ty
            {
                known.insert(*result, constant);
            }
            self.may_follow(caller, vec![(block, index + 1, known)])
        })
    }

    fn branches(&mut self) -> BTreeSet<Branch> {
        let mut found = BTreeSet::new();
        let quiet: HashSet<Func> = self
            .after
            .iter()
            .filter_map(|(&(func, _), &after)| (!after).then_some(func))
            .collect();
        let search = self.search;
        for (&func, flow) in &search.flows {
            if !flow.within.contains(&true) && !quiet.contains(&func) {
                continue;
            }
            let function = self.function(func);
            for &block in flow.cfg.reverse_post_order() {
                let Some(&last) = flow.cfg.live_insts(function, block).last() else {
                    continue;
                };
                let ways = edges(&function.insts[last].data);
                if ways.len() < 2 {
                    continue;
                }
                for (edge, way) in (0..).zip(ways) {
                    if search.is_quiet(func, flow, way.block) {
                        continue;
                    }
                    let mut known = KnownValues::new();
                    learn(function, &function.insts[last].data, edge, &mut known);
                    let known = entering(function, way, &known);
                    if !self.may_follow(func, vec![(way.block, 0, known)]) {
                        let edge = edge as u32;
                        found.insert(Branch { func, block, edge });
                    }
                }
            }
        }
        found
    }

    /// Whether a change may be executed from places in a function on, each with what is known there.
    fn may_follow(&mut self, func: Func, mut open: Vec<(Block, u32, KnownValues)>) -> bool {
        let search = self.search;
        let (function, flow) = (self.function(func), &search.flows[&func]);
        let mut seen: HashSet<(Block, KnownValues)> = HashSet::new();
        let mut visits: HashMap<Block, u32> = HashMap::new();
        let mut followed = 0;
        while let Some((block, from, mut known)) = open.pop() {
            followed += 1;
            let mut events = flow.events[block.index()].iter();
            if followed > MOST_BLOCKS
                || events.any(|&(at, event)| at >= from && search.event_happens(func, event))
            {
                return true;
            }
            let insts = flow.cfg.live_insts(function, block);
            for &inst in insts.iter().skip(from as usize) {
                compute(function, inst, &mut known);
            }
            let Some(&last) = insts.last() else {
                continue;
            };
            let data = &function.insts[last].data;
            match data {
                InstData::Return { values } if search.reaching_after[func.index()] => {
                    let constant = match values[..] {
                        [value] => value_of(function, value, &known),
                        _ => None,
                    };
                    let Some(constant) = constant else {
                        return true;
                    };
                    if *self.after.entry((func, constant)).or_insert(false) {
                        return true;
                    }
                }
                InstData::Resume if search.reaching_after[func.index()] => return true,
                _ => {}
            }
            for (edge, way) in edges(data).into_iter().enumerate() {
                if !is_possible(function, data, edge, &known)
                    || search.is_quiet(func, flow, way.block)
                {
                    continue;
                }
                let mut there = known.clone();
                learn(function, data, edge, &mut there);
                let mut there = entering(function, way, &there);
                let visits = visits.entry(way.block).or_default();
                *visits += 1;
                if *visits > MOST_VISITS {
                    there.clear();
                }
                if seen.insert((way.block, there.clone())) {
                    open.push((way.block, 0, there));
                }
            }
        }
        false
    }
}

/// Constants that a function may return.
fn returned(function: &Function, cfg: &Cfg) -> BTreeSet<u128> {
    let mut found = BTreeSet::new();
    for &block in cfg.reverse_post_order() {
        let last = cfg.live_insts(function, block).last();
        let Some(InstData::Return { values }) = last.map(|&inst| &function.insts[inst].data) else {
            continue;
        };
        let [value] = values[..] else {
            continue;
        };
        found.extend(value_of(function, value, &KnownValues::new()));
        let ValueDef::Param(of, number) = function.values[value].def else {
            continue;
        };
        for &before in cfg.reverse_post_order() {
            let last = cfg.live_insts(function, before).last();
            let ways = last.map(|&inst| edges(&function.insts[inst].data));
            let ways = ways.into_iter().flatten().filter(|way| way.block == of);
            let arguments = ways.filter_map(|way| way.args.get(number as usize));
            found.extend(
                arguments.filter_map(|&argument| value_of(function, argument, &KnownValues::new())),
            );
        }
    }
    found
}

fn width(ty: Type) -> Option<u32> {
    match ty {
        Type::Int(width) => Some(u32::from(width)),
        Type::Ptr => Some(64),
        _ => None,
    }
}

fn value_of(function: &Function, value: Value, known: &KnownValues) -> Option<u128> {
    width(function.ty(value))?;
    match function.constant(value) {
        Some(Constant::Bits(bits)) => Some(bits),
        Some(_) => None,
        None => known.get(&value).copied(),
    }
}

/// What the parameters of a block are when it is entered; all else is as before.
fn entering(function: &Function, way: &BlockCall, known: &KnownValues) -> KnownValues {
    let mut there = known.clone();
    for (&param, &argument) in function.blocks[way.block].params.iter().zip(&way.args[..]) {
        set(&mut there, param, value_of(function, argument, known));
    }
    there
}

fn set(known: &mut KnownValues, value: Value, bits: Option<u128>) {
    match bits {
        Some(bits) => known.insert(value, bits),
        None => known.remove(&value),
    };
}

/// Notes what an instruction's results are.
fn compute(function: &Function, inst: Inst, known: &mut KnownValues) {
    let data = &function.insts[inst].data;
    let of = |value: Value| value_of(function, value, known);
    let mut results = function.results(inst);
    let Some(first) = results.next() else {
        return;
    };
    let bits = match data {
        InstData::IntCompare { predicate, args } => {
            let width = width(function.ty(args[0]));
            match (of(args[0]), of(args[1]), width) {
                (Some(a), Some(b), Some(width)) => Some(predicate.holds(width, a, b).into()),
                _ => None,
            }
        }
        InstData::Cast { op, arg } => {
            let widths = (width(function.ty(*arg)), width(function.ty(first)));
            match (op, of(*arg), widths) {
                (CastOp::Truncate, Some(bits), (_, Some(to))) => Some(bits & mask(to)),
                (CastOp::ZeroExtend, Some(bits), _) => Some(bits),
                (CastOp::SignExtend, Some(bits), (Some(from), Some(to))) => {
                    Some(signed(from, bits) as u128 & mask(to))
                }
                _ => None,
            }
        }
        InstData::Ternary {
            op: TernaryOp::Select,
            args: [condition, then, otherwise],
        } => match of(*condition) {
            Some(0) => of(*otherwise),
            Some(_) => of(*then),
            None => of(*then).filter(|bits| of(*otherwise) == Some(*bits)),
        },
        _ => None,
    };
    set(known, first, bits);
    for result in results {
        known.remove(&result);
    }
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

fn signed(width: u32, bits: u128) -> i128 {
    let unused = 128 - width;
    ((bits << unused) as i128) >> unused
}

/// Whether an edge can be taken, by what is known.
fn is_possible(function: &Function, data: &InstData, edge: usize, known: &KnownValues) -> bool {
    match data {
        InstData::Branch { condition, .. } => match value_of(function, *condition, known) {
            Some(bits) => (bits == 0) == (edge == 1),
            None => true,
        },
        InstData::Switch {
            arg,
            cases,
            default,
        } => match value_of(function, *arg, known) {
            Some(bits) => {
                let taken = cases.iter().find(|case| case.0 == bits);
                let taken = taken.map_or(default, |case| &case.1);
                edges(data)[edge].block == taken.block
            }
            None => true,
        },
        _ => true,
    }
}

/// Notes what the edge that was taken says.
fn learn(function: &Function, data: &InstData, edge: usize, known: &mut KnownValues) {
    let InstData::Branch { condition, .. } = data else {
        return;
    };
    let holds = edge == 0;
    if function.constant(*condition).is_some() {
        return;
    }
    known.insert(*condition, holds.into());
    let ValueDef::Result(inst, 0) = function.values[*condition].def else {
        return;
    };
    let InstData::IntCompare { predicate, args } = &function.insts[inst].data else {
        return;
    };
    let equal = matches!(
        (predicate, holds),
        (IntPredicate::Eq, true) | (IntPredicate::Ne, false)
    );
    if !equal {
        return;
    }
    let [a, b] = args.map(|arg| value_of(function, arg, known));
    for (value, other) in [(args[0], b), (args[1], a)] {
        if let Some(other) = other
            && function.constant(value).is_none()
        {
            known.insert(value, other);
        }
    }
}
