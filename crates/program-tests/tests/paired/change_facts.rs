//! The static facts of small changes: which ways may lead to one, and how far they are.

use concolic_vm::symbolic::EventKind;
use concolic_vm::{CodeSite, Program};
use exploration::change_distances::ChangeDistances;
use exploration::path_tree::Target;
use exploration::{ChangeFacts, Relevance, StaticFacts, Subject, Version};
use program_ir::InstData;
use program_tests::generated::compile;

struct Pair {
    programs: [Program; 2],
    facts: ChangeFacts,
    distances: ChangeDistances,
}

impl Pair {
    /// Of calls of `f`.
    fn of(old: &str, new: &str) -> Pair {
        let programs = [old, new].map(|text| compile(text).expect("it compiles"));
        let version = |program: &'static str, of: &Program| {
            let func = of.module().function_named(program);
            Subject::Call(func.expect("the function is there"))
        };
        let subjects = [version("f", &programs[0]), version("f", &programs[1])];
        let (facts, distances) = {
            let version = |number: usize| Version {
                program: &programs[number],
                subject: subjects[number],
            };
            let facts = StaticFacts::new(version(0), version(1));
            (facts.changes().clone(), facts.distances().clone())
        };
        Pair {
            programs,
            facts,
            distances,
        }
    }

    /// The ways out of the branches on a source line.
    fn ways(&self, version: u8, line: u32) -> Vec<Target> {
        let program = &self.programs[usize::from(version)];
        let mut ways = Vec::new();
        for (func, function) in program.module().functions.iter() {
            let mut last = None;
            for pc in 0.. {
                let function_number = func.as_u32();
                let site = CodeSite {
                    function: function_number,
                    pc,
                };
                if function.is_declaration() {
                    break;
                }
                let Some(inst) = program.inst_at(site) else {
                    break;
                };
                let is_branch = matches!(function.insts[inst].data, InstData::Branch { .. });
                let frame = program.source_frame(site);
                let is_here = frame.is_some_and(|frame| frame.line == line);
                if is_branch && is_here && last.replace(inst) != Some(inst) {
                    ways.extend([0, 1].map(|way| Target {
                        version,
                        site,
                        kind: EventKind::Branch,
                        way: Some(way),
                    }));
                }
            }
        }
        ways
    }

    fn relevances(&self, version: u8, line: u32) -> Vec<Relevance> {
        let program = &self.programs[usize::from(version)];
        let ways = self.ways(version, line);
        let all = ways.iter().map(|way| self.facts.relevance(program, way));
        all.collect()
    }

    fn distances(&self, version: u8, line: u32) -> Vec<Option<u32>> {
        let program = &self.programs[usize::from(version)];
        let ways = self.ways(version, line);
        ways.iter()
            .map(|way| self.distances.distance(&self.facts, program, way))
            .collect()
    }
}

const GUARDED: &str = "int f(int a, int b) {
    if (a > 9) return 1;
    if (b > 3)
        a = a * 2;
    return a;
}";

#[test]
fn a_way_past_the_change_is_irrelevant_in_both_versions() {
    let pair = Pair::of(GUARDED, &GUARDED.replace("a * 2", "a * 3"));
    for version in [0, 1] {
        use Relevance::{CannotExecute, CannotPropagate, MayReach};
        // Way 0 is taken if the condition is false. `a > 9` leads out of the function.
        assert_eq!(pair.relevances(version, 2), [MayReach, CannotPropagate]);
        let past = pair.relevances(version, 3);
        assert!(
            [CannotExecute, CannotPropagate].contains(&past[0]),
            "{past:?}"
        );
        assert_eq!(past[1], MayReach);
        assert_eq!(pair.facts.changes(version).len(), 1);
        // The change hangs on the branch before it, and that on the one before.
        assert_eq!(pair.distances(version, 3), [None, Some(1)]);
        assert_eq!(pair.distances(version, 2), [Some(2), None]);
    }
}

#[test]
fn what_is_deleted_is_a_change_of_the_old_version_and_leaves_a_mark_in_the_new() {
    let new = GUARDED.replace("    if (b > 3)\n        a = a * 2;\n", "");
    let pair = Pair::of(GUARDED, &new);
    for version in [0, 1] {
        assert!(!pair.facts.changes(version).is_empty(), "version {version}");
        let relevances = pair.relevances(version, 2);
        assert_eq!(
            relevances,
            [Relevance::MayReach, Relevance::CannotPropagate]
        );
    }
}

#[test]
fn all_users_of_a_changed_global_are_changes() {
    let old = "int limit = 3;
int f(int a) {
    if (a > 9) return 1;
    if (a > 5) return limit;
    return 0;
}";
    let pair = Pair::of(old, &old.replace("limit = 3", "limit = 4"));
    for version in [0, 1] {
        use Relevance::{CannotPropagate, MayReach};
        assert_eq!(pair.relevances(version, 3), [MayReach, CannotPropagate]);
        assert_eq!(pair.relevances(version, 4), [CannotPropagate, MayReach]);
    }
}

#[test]
fn a_change_behind_a_pointer_call_may_be_reached_by_every_way_to_the_call() {
    let old = "static int one(int a) { return a + 1; }
static int two(int a) { return a + 2; }
int f(int a) {
    int (*step)(int) = a > 9 ? one : two;
    if (a == 7) return 0;
    return step(a);
}";
    let pair = Pair::of(old, &old.replace("a + 1", "a + 3"));
    for version in [0, 1] {
        let relevances = pair.relevances(version, 5);
        assert_eq!(
            relevances,
            [Relevance::MayReach, Relevance::CannotPropagate]
        );
    }
}

#[test]
fn a_branch_that_decides_a_guard_by_data_has_a_distance() {
    let old = "static unsigned long size(const char *text) {
    const char *end = text;
    while (*end)
        end++;
    return end - text;
}
int f(int a, int b) {
    char text[3] = {a, b};
    int flag = 0;
    if (a > 5)
        flag = 1;
    if (flag && size(text) == 2)
        return 3;
    return 0;
}";
    let pair = Pair::of(old, &old.replace("return 3", "return 4"));
    let program = &pair.programs[1];
    let guard = |line| -> Vec<Option<u32>> {
        let ways = pair.ways(1, line);
        let guard = |way| {
            let edge = pair.facts.edge(program, way)?;
            pair.distances.guard_distance_to(0, edge, way)
        };
        ways.iter().map(guard).collect()
    };
    // The change hangs on `size(text) == 2`, that on `flag`.
    assert_eq!(pair.distances(1, 10), [None, None]);
    assert!(guard(10)[1].is_some(), "{:?}", guard(10));
    assert_eq!(pair.distances(1, 3), [None, None]);
    // Another round of the loop makes another size.
    assert_eq!(guard(3), [None, Some(1)]);
}

#[test]
fn nothing_is_irrelevant_if_the_function_takes_other_parameters() {
    let new = GUARDED.replace("int a, int b", "int b, int a");
    let pair = Pair::of(GUARDED, &new);
    for version in [0, 1] {
        for line in [2, 3] {
            assert_eq!(pair.relevances(version, line), [Relevance::MayReach; 2]);
        }
    }
}

#[test]
fn equal_versions_have_no_changes() {
    let pair = Pair::of(GUARDED, &format!("\n\n{GUARDED}"));
    assert!(pair.facts.is_empty());
}
