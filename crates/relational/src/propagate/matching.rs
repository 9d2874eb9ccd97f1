//! The static side of comparing two traces: which operation of one version is which of the other, which execute a
//! change point, and which objects of memory are the same thing.

use super::align::{LEFT_OUT, NONE};
use crate::changes::ChangeFacts;
use crate::static_facts::StaticFacts;
use concolic_vm::memory::object_of;
use concolic_vm::{CodeSite, Program};
use program_ir::{EntityRef, Func, Inst, InstData, Linkage, Module};
use rustc_hash::FxHashMap;
use version_diff::{Alignment, Taker};

/// What is known of one version's operations, by their number through the program.
#[derive(Debug, Default)]
pub struct Statements {
    /// The statement, by a number that both versions share; [`NONE`] without partner, [`LEFT_OUT`] for what belongs to
    /// an edge.
    pub statement: Vec<u32>,
    pub kind: Vec<OperationKind>,
    /// Whether it executes a change point.
    pub is_point: Vec<bool>,
    /// Of the operations that do: which changes, as bits.
    pub changes: FxHashMap<u32, u64>,
    /// What takes over the value that a change gives without an instruction of its own: by the change point.
    pub takers: FxHashMap<(Func, Inst), Vec<(Func, Inst)>>,
}

/// What an operation is for the effect of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperationKind {
    /// A copy on an edge of the control flow.
    Copy,
    Branch,
    /// It may answer with a new object.
    Call,
    /// A local variable.
    Alloca,
    /// It defines a value, in a register or in memory.
    Definition,
    Other,
}

impl OperationKind {
    fn at(program: &Program, site: CodeSite) -> OperationKind {
        let Some(inst) = program.inst_at(site) else {
            return OperationKind::Copy;
        };
        let function = &program.module().functions[Func::new(site.function as usize)];
        match &function.insts[inst].data {
            InstData::Branch { .. } | InstData::Switch { .. } | InstData::IndirectJump { .. } => {
                OperationKind::Branch
            }
            InstData::Call(_) | InstData::Invoke { .. } => OperationKind::Call,
            InstData::Alloca { .. } => OperationKind::Alloca,
            InstData::Store { .. } | InstData::MemSet { .. } => OperationKind::Definition,
            _ if function.results(inst).next().is_some() => OperationKind::Definition,
            _ => OperationKind::Other,
        }
    }
}

/// By version: 0 is the old one.
#[derive(Debug)]
pub struct Matching {
    pub versions: [Statements; 2],
    /// Objects that are there from the start, from the old version's to the new one's.
    pub objects: FxHashMap<u32, u32>,
}

impl Matching {
    pub fn of(facts: &StaticFacts<'_>) -> Matching {
        let [old, new] = &facts.versions;
        let changes = facts.forward();
        let reverse = facts.backward();
        let facts = facts.changes();
        let (old, new) = (old.program, new.program);
        let mut versions = [(0, old), (1, new)].map(|(version, program)| Statements {
            statement: operations(program)
                .map(|site| left_out(program, site))
                .collect(),
            kind: operations(program)
                .map(|site| OperationKind::at(program, site))
                .collect(),
            is_point: operations(program)
                .map(|site| facts.is_point_at(version, program, site))
                .collect(),
            changes: change_bits(version, program, facts),
            takers: FxHashMap::default(),
        });
        for found in &changes.matches {
            let alignment = match changes.function(found.new) {
                Some(change) => Some(&change.comparison.alignment),
                None => changes.other_forms.get(&found.new),
            };
            let pairs = match alignment {
                Some(alignment) => aligned_operations(old, found.old, new, found.new, alignment),
                None => same_operations(old, found.old, new, found.new),
            };
            for (in_old, in_new) in pairs {
                if versions[1].statement[in_new as usize] != LEFT_OUT {
                    versions[0].statement[in_old as usize] = in_new;
                    versions[1].statement[in_new as usize] = in_new;
                }
            }
        }
        for (statements, changes, module) in
            [(0, &reverse, old.module()), (1, &changes, new.module())]
        {
            for change in &changes.functions {
                for (point, taker) in &change.comparison.takers {
                    // A point that takes over its own difference has a result like any other.
                    if *taker != Taker::Inst(*point) {
                        let takers = taker_insts(module, change.new, *taker);
                        let known = versions[statements].takers.entry((change.new, *point));
                        known.or_default().extend(takers);
                    }
                }
            }
        }
        let mut objects = FxHashMap::default();
        for found in &changes.matches {
            let (old, new) = (
                old.function_address(found.old),
                new.function_address(found.new),
            );
            objects.insert(object_of(old), object_of(new));
        }
        let named = |module: &Module| -> FxHashMap<String, program_ir::Global> {
            let globals = module.globals.iter();
            let kept = globals.filter(|(_, data)| data.linkage != Linkage::WeakImport);
            kept.map(|(global, data)| (data.name.clone(), global))
                .collect()
        };
        let in_new = named(new.module());
        for (name, in_old) in named(old.module()) {
            if let Some(&in_new) = in_new.get(&name) {
                let (old, new) = (old.global_address(in_old), new.global_address(in_new));
                objects.insert(object_of(old), object_of(new));
            }
        }
        Matching { versions, objects }
    }
}

/// All operations in order.
fn operations(program: &Program) -> impl Iterator<Item = CodeSite> + '_ {
    program.module().functions.keys().flat_map(move |func| {
        let function = func.as_u32();
        (0..program.operation_count_of(func)).map(move |pc| CodeSite { function, pc })
    })
}

/// More changes than bits share them.
fn change_bits(version: u8, program: &Program, facts: &ChangeFacts) -> FxHashMap<u32, u64> {
    let mut bits: FxHashMap<(Func, Inst), u64> = FxHashMap::default();
    for (change, number) in facts.changes(version).iter().zip(0u32..) {
        for &point in &change.points {
            *bits.entry(point).or_default() |= 1 << (number % 64);
        }
    }
    let of_site = |site: CodeSite| {
        let func = Func::new(site.function as usize);
        let bits = bits.get(&(func, program.inst_at(site)?))?;
        Some((program.operation_number(site), *bits))
    };
    operations(program).filter_map(of_site).collect()
}

fn left_out(program: &Program, site: CodeSite) -> u32 {
    match program.inst_at(site) {
        Some(_) => NONE,
        None => LEFT_OUT,
    }
}

fn first_operation(program: &Program, func: Func) -> u32 {
    program.operation_number(CodeSite {
        function: func.as_u32(),
        pc: 0,
    })
}

/// Of bodies that are the same instruction by instruction.
fn same_operations(
    old: &Program,
    old_func: Func,
    new: &Program,
    new_func: Func,
) -> Vec<(u32, u32)> {
    let count = old.operation_count_of(old_func);
    if count != new.operation_count_of(new_func) {
        return Vec::new();
    }
    let (old, new) = (
        first_operation(old, old_func),
        first_operation(new, new_func),
    );
    (0..count).map(|pc| (old + pc, new + pc)).collect()
}

/// Of partners, the first operation with the first, and so on.
fn aligned_operations(
    old: &Program,
    old_func: Func,
    new: &Program,
    new_func: Func,
    alignment: &Alignment,
) -> Vec<(u32, u32)> {
    let numbered = |program: &Program, func: Func| {
        let mut seen: FxHashMap<Inst, u32> = FxHashMap::default();
        let mut all = Vec::new();
        for pc in 0..program.operation_count_of(func) {
            let site = CodeSite {
                function: func.as_u32(),
                pc,
            };
            if let Some(inst) = program.inst_at(site) {
                let number = seen.entry(inst).or_default();
                all.push(((inst, *number), program.operation_number(site)));
                *number += 1;
            }
        }
        all
    };
    let in_old: FxHashMap<(Inst, u32), u32> = numbered(old, old_func).into_iter().collect();
    let news = numbered(new, new_func).into_iter();
    news.filter_map(|((inst, number), operation)| {
        let partner = alignment.old_of_new[inst]?;
        Some((*in_old.get(&(partner, number))?, operation))
    })
    .collect()
}

/// The instructions that take over a value.
fn taker_insts(module: &Module, func: Func, taker: Taker) -> Vec<(Func, Inst)> {
    match taker {
        Taker::Inst(inst) => vec![(func, inst)],
        Taker::Param(param) => super::uses::of_value(&module.functions[func], param)
            .into_iter()
            .map(|inst| (func, inst))
            .collect(),
    }
}

/// Whether two values are the same as far as a program can tell: pointers up to the object they point to.
#[derive(Debug)]
pub struct SameValues {
    /// From the object of this side to that of the other.
    objects: FxHashMap<u32, u32>,
}

impl SameValues {
    pub fn new(objects: impl Iterator<Item = (u32, u32)>) -> SameValues {
        SameValues {
            objects: objects.collect(),
        }
    }

    pub fn same(&self, value: u64, other: u64) -> bool {
        value == other
            || value as u32 == other as u32
                && self.objects.get(&object_of(value)) == Some(&object_of(other))
    }

    /// Two corresponding instances have made an object each.
    pub fn made(&mut self, value: u64, other: u64) {
        let is_start = |address: u64| object_of(address) != 0 && address as u32 == 0;
        if is_start(value) && is_start(other) {
            self.objects.insert(object_of(value), object_of(other));
        }
    }
}
