//! Accesses that surely succeed because the same access has just succeeded.
//!
//! `*at >= 'A' && *at <= 'Z'` reads the same place twice. Whenever the second read is executed, the first one was, and nothing in
//! between can have ended the life of what is there: so the second one does not fail, and which way the branch between them goes
//! may be left open ([`super::plain`]). This is the analysis of *available expressions* of compilers, for addresses.
//!
//! Two addresses are the same if they are computed in the same way from the same values, and none of these was computed
//! anew in between. A read repeats a read or a write of the same type, a write only a write. Whatever may free memory (a call of
//! anything but a plain function, a system call, an end of variables before their function's) makes all forgotten.

use super::effects::does_more;
use super::plain::PlainFunctions;
use program_graphs::Cfg;
use program_ir::{
    BinaryOp, Block, CastOp, Constant, EntityRef, Func, Function, Inst, InstData, Module, Type,
    Value, ValueDef,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::OnceLock;

/// By function, found when it is first asked for: the accesses that repeat another one.
pub(super) struct RepeatedAccesses(Vec<OnceLock<FxHashSet<Inst>>>);

impl RepeatedAccesses {
    pub(super) fn none_known(module: &Module) -> RepeatedAccesses {
        let functions = module.functions.keys();
        RepeatedAccesses(functions.map(|_| OnceLock::new()).collect())
    }

    /// Whether an instruction of a function is one.
    pub(super) fn contain(
        &self,
        plain: &PlainFunctions<'_>,
        func: Func,
        function: &Function,
        cfg: &Cfg,
        inst: Inst,
    ) -> bool {
        if access(function, inst).is_none() {
            return false;
        }
        let known = self.0[func.index()].get_or_init(|| repeated(plain, function, cfg));
        known.contains(&inst)
    }
}

/// How a value is computed, of values that are numbered already.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Shape {
    /// In a way that is not looked at.
    Given(Value),
    Constant(Type, Constant),
    Sum(u32, i64, Vec<(u32, i64)>),
    Cast(CastOp, Type, u32),
    Binary(BinaryOp, [u32; 2]),
}

/// Numbers of values: the same number means the same value, as long as what it is computed from stays.
#[derive(Default)]
struct Numbers {
    of_shape: FxHashMap<Shape, u32>,
    /// By number: the values that are given.
    given: Vec<Vec<Value>>,
    of_value: FxHashMap<Value, u32>,
}

/// Values that are computed from one another in more steps are not looked through.
const DEEPEST: u32 = 8;

impl Numbers {
    fn of(&mut self, function: &Function, value: Value, depth: u32) -> u32 {
        if let Some(&number) = self.of_value.get(&value) {
            return number;
        }
        let mut parts = Vec::new();
        let mut part = |numbers: &mut Numbers, value: Value| {
            let number = numbers.of(function, value, depth + 1);
            parts.push(number);
            number
        };
        let shape = match function.values[value].def {
            ValueDef::Constant(constant) => Shape::Constant(function.ty(value), constant),
            ValueDef::Result(inst, 0) if depth < DEEPEST => match &function.insts[inst].data {
                InstData::PtrAdd {
                    base,
                    offset,
                    terms,
                    ..
                } => {
                    let base = part(self, *base);
                    let terms = terms
                        .iter()
                        .map(|term| (part(self, term.index), term.scale));
                    Shape::Sum(base, *offset, terms.collect())
                }
                InstData::Cast { op, arg } => {
                    Shape::Cast(*op, function.ty(value), part(self, *arg))
                }
                InstData::Binary { op, args, .. } => {
                    Shape::Binary(*op, args.map(|arg| part(self, arg)))
                }
                _ => Shape::Given(value),
            },
            _ => Shape::Given(value),
        };
        let mut given: Vec<Value> = match shape {
            Shape::Given(value) => vec![value],
            _ => parts
                .iter()
                .flat_map(|&part| self.given[part as usize].clone())
                .collect(),
        };
        given.sort_unstable();
        given.dedup();
        let next = self.given.len() as u32;
        let number = *self.of_shape.entry(shape).or_insert(next);
        if number == next {
            self.given.push(given);
        }
        // A value that is not looked through here may be elsewhere.
        if depth == 0 {
            self.of_value.insert(value, number);
        }
        number
    }
}

/// An access that has succeeded: the number of its address, the type, and whether it writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Done {
    address: u32,
    ty: Type,
    align: u32,
    writes: bool,
}

/// What a load or store accesses: the address, the type, the alignment that is promised, and whether it writes.
fn access(function: &Function, inst: Inst) -> Option<(Value, Type, u32, bool)> {
    match &function.insts[inst].data {
        InstData::Load {
            address,
            align,
            volatile: false,
        } => {
            let result = function.insts[inst].first_result?;
            Some((*address, function.ty(result), *align, false))
        }
        InstData::Store {
            address,
            value,
            align,
            volatile: false,
        } => Some((*address, function.ty(*value), *align, true)),
        _ => None,
    }
}

/// What a block begins with: `None` if no way there is known yet.
type AlwaysDone = Option<FxHashSet<Done>>;

fn repeated(plain: &PlainFunctions<'_>, function: &Function, cfg: &Cfg) -> FxHashSet<Inst> {
    let mut numbers = Numbers::default();
    let mut before: Vec<AlwaysDone> = vec![None; function.blocks.len()];
    let Some(entry) = function.entry() else {
        return FxHashSet::default();
    };
    before[entry.index()] = Some(FxHashSet::default());
    let mut open: Vec<Block> = vec![entry];
    while let Some(block) = open.pop() {
        let Some(mut done) = before[block.index()].clone() else {
            continue;
        };
        pass(plain, function, &mut numbers, block, &mut done, |_| {});
        for next in cfg.successors(block) {
            let at_next = &mut before[next.index()];
            let common = match at_next {
                None => done.clone(),
                Some(known) => known.intersection(&done).copied().collect(),
            };
            if at_next.as_ref() != Some(&common) {
                *at_next = Some(common);
                open.push(next);
            }
        }
    }
    let mut found = FxHashSet::default();
    for block in function.blocks.keys() {
        if let Some(mut done) = before[block.index()].take() {
            pass(plain, function, &mut numbers, block, &mut done, |inst| {
                found.insert(inst);
            });
        }
    }
    found
}

/// Goes through a block. `done` is what is known at its beginning and, afterwards, at its end.
fn pass(
    plain: &PlainFunctions<'_>,
    function: &Function,
    numbers: &mut Numbers,
    block: Block,
    done: &mut FxHashSet<Done>,
    mut repeats: impl FnMut(Inst),
) {
    let data = &function.blocks[block];
    forget(numbers, done, &data.params);
    for &inst in &data.insts {
        let node = &function.insts[inst];
        if let Some((address, ty, align, writes)) = access(function, inst) {
            let address = numbers.of(function, address, 0);
            let of = |writes: bool| Done {
                address,
                ty,
                align,
                writes,
            };
            if done.contains(&of(true)) || !writes && done.contains(&of(false)) {
                repeats(inst);
            }
            done.insert(of(writes));
        } else if !keeps_memory(plain, function, inst) {
            done.clear();
        }
        let results = node.first_result.into_iter();
        let results = results
            .flat_map(|first| (0..node.result_count).map(move |n| first.index() + usize::from(n)));
        let results: Vec<Value> = results.map(Value::new).collect();
        forget(numbers, done, &results);
    }
}

/// Forgets accesses at addresses that are computed from values which are new.
fn forget(numbers: &Numbers, done: &mut FxHashSet<Done>, new: &[Value]) {
    let is_given = |value: &Value, done: &Done| {
        let given = &numbers.given[done.address as usize];
        given.binary_search(value).is_ok()
    };
    if !done.is_empty() {
        done.retain(|done| !new.iter().any(|value| is_given(value, done)));
    }
}

/// Whether everything that is alive before an instruction is alive behind it.
fn keeps_memory(plain: &PlainFunctions<'_>, function: &Function, inst: Inst) -> bool {
    let data = &function.insts[inst].data;
    let is_alloca = matches!(data, InstData::Alloca { .. });
    is_alloca || !does_more(data) || plain.is_plain(function, inst)
}

#[cfg(test)]
mod tests {
    use super::*;
    use concolic_vm::Program;

    const NONE: [usize; 0] = [];

    /// The numbers of the instructions of a function of an address, a number and a truth that repeat an access.
    fn repeated_in(body: &str) -> Vec<usize> {
        let text = format!(
            "fn0 = function import \"release\" (ptr)
            fn1 = function local \"double\" (i64) -> (i64) {{
            block0(v0: i64):
              v1: i64 = add v0, v0
              return v1
            }}
            fn2 = function exported \"main\" (ptr, i64, i1) -> () {{
            block0(v0: ptr, v1: i64, v2: i1):
              {body}
            }}"
        );
        let module = program_ir::parse_module(&text).expect("the text of a module");
        assert_eq!(program_ir::verify(&module), []);
        let program = Program::new(module, 1 << 20).expect("a program");
        let function = program
            .module()
            .function_named("main")
            .expect("it is there");
        let function = &program.module().functions[function];
        let plain = PlainFunctions::of(&program);
        let found = repeated(&plain, function, &Cfg::of(function));
        let mut found: Vec<usize> = found.into_iter().map(|inst| inst.index()).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn an_access_repeats_what_succeeded_before() {
        let read = "v3: i8 = load v0, align 1";
        let again = "v4: i8 = load v0, align 1";
        assert_eq!(repeated_in(&format!("{read} {again} return")), [1]);
        // A write is no less than a read, and more.
        assert_eq!(
            repeated_in(&format!("store i8 0 to v0, align 1 {read} return")),
            [1]
        );
        assert_eq!(
            repeated_in(&format!("{read} store i8 0 to v0, align 1 return")),
            NONE
        );
        // Another type may reach farther.
        let wider = "v4: i16 = load v0, align 1";
        assert_eq!(repeated_in(&format!("{read} {wider} return")), NONE);
    }

    #[test]
    fn what_may_free_memory_makes_all_forgotten() {
        let around = |call: &str, second: &str| {
            repeated_in(&format!(
                "v3: i8 = load v0, align 1 {call} {second}: i8 = load v0, align 1 return"
            ))
        };
        assert_eq!(around("call fn0(v0)", "v4"), NONE);
        assert_eq!(around("v4: i64 = call fn1(v1) -> (i64)", "v5"), [2]);
    }

    #[test]
    fn addresses_are_the_same_by_how_they_are_computed() {
        let second = |sum: &str| {
            repeated_in(&format!(
                "v3: ptr = ptr_add v0, 4, v1 * 2
                v4: i8 = load v3, align 1
                v5: ptr = ptr_add {sum}
                v6: i8 = load v5, align 1
                return"
            ))
        };
        assert_eq!(second("v0, 4, v1 * 2"), [3]);
        assert_eq!(second("v0, 5, v1 * 2"), NONE);
        assert_eq!(second("v0, 4, v1 * 1"), NONE);
    }

    #[test]
    fn it_succeeded_on_every_way() {
        let ways = |one: &str, other: &str, last: &str| {
            repeated_in(&format!(
                "branch v2, block1, block2
            block1:
                {one}
                jump block3
            block2:
                {other}
                jump block3
            block3:
                {last}: i8 = load v0, align 1
                return"
            ))
        };
        let read = |value: &str| format!("{value}: i8 = load v0, align 1");
        assert_eq!(ways(&read("v3"), &read("v4"), "v5"), [5]);
        assert_eq!(ways(&read("v3"), "", "v4"), NONE);
        assert_eq!(
            ways(&read("v3"), &format!("{} call fn0(v0)", read("v4")), "v5"),
            NONE
        );
    }

    #[test]
    fn an_address_of_the_next_round_is_another() {
        // The address moves on, or stays.
        let round = |next: &str| {
            repeated_in(&format!(
                "jump block1(v0)
            block1(v3: ptr):
                v4: ptr = ptr_add v3, 1
                v5: i8 = load v4, align 1
                v6: i8 = load v0, align 1
                branch v2, block1({next}), block2
            block2:
                v7: i8 = load v4, align 1
                v8: i8 = load v0, align 1
                return"
            ))
        };
        // Of the first round nothing is known when a round begins.
        assert_eq!(round("v4"), [5, 6]);
        assert_eq!(round("v3"), [5, 6]);
    }
}
