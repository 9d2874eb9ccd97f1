//! Propagate (Qi et al., Algorithm 2) on small version pairs: each rule gives the input that shows the difference, after
//! a run that reached the change and showed nothing.

use std::process::Command;
use std::sync::Mutex;

use concolic_vm::linux::KernelConfig;
use concolic_vm::observe::UnpackedTrace;
use concolic_vm::symbolic::{SymbolicInput, SymbolicLimits, parameter_name};
use concolic_vm::{Limits as RunLimits, Program};
use exploration::propagate::effect_tree::{Leaf, TreeCut, TreeLimits};
use exploration::propagate::{Cut, Limits, Propagation, Rule, trace_limits};
use exploration::worker::Ran;
use exploration::{
    InputSpace, Members, Note, Observer, Partition, Probe, StaticFacts, Strategy, Subject, Summary,
    Version,
};
use expr::Store;
use program_generator::GUEST_FLAGS;
use program_tests::brute_force::{Explorable, How};
use program_tests::generated;
use serde::{Deserialize, Serialize};

fn compile(source: &str) -> Program {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (file, bitcode) = (
        folder.path().join("version.c"),
        folder.path().join("version.bc"),
    );
    std::fs::write(&file, source).expect("it can be written");
    let mut compiler = Command::new("clang-22");
    let output = compiler
        .args(GUEST_FLAGS)
        .arg("-g")
        .arg(&file)
        .arg("-o")
        .arg(&bitcode)
        .output();
    let output = output.expect("clang-22 starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    generated::load(&bitcode).expect("the VM reads it")
}

/// Two versions of a function `probe` of up to three `int`s.
struct Pair {
    programs: [Program; 2],
}

impl Pair {
    /// `CHOOSE(old, new)` in the text is one of the two.
    fn of(source: &str) -> Pair {
        let version = |number: u32| {
            let choice = match number {
                0 => "#define CHOOSE(old, new) old\n",
                _ => "#define CHOOSE(old, new) new\n",
            };
            // Lines count as in the text, whose first is empty.
            compile(&format!("{choice}{}", source.trim_start()))
        };
        Pair {
            programs: [version(0), version(1)],
        }
    }

    fn versions(&self) -> [Version<'_>; 2] {
        self.programs.each_ref().map(|program| {
            let probe = program
                .module()
                .function_named("probe")
                .expect("it has a probe");
            Version {
                program,
                subject: Subject::Call(probe),
            }
        })
    }

    fn input(&self, values: &[i32]) -> SymbolicInput {
        let mut input = InputSpace::default().shapes().remove(0);
        for (number, value) in values.iter().enumerate() {
            input
                .variables
                .insert(parameter_name(number), value.to_le_bytes().to_vec());
        }
        input
    }

    /// Compares from one input on.
    fn search(&self, first: &[i32], propagate: bool, runs: u64) -> Searched {
        self.search_within(first, propagate.then(Limits::default), runs)
    }

    fn search_within(&self, first: &[i32], propagate: Option<Limits>, runs: u64) -> Searched {
        let [old, new] = self.versions().map(|version| Explorable {
            program: version.program,
            subject: version.subject,
            shapes: InputSpace::default().shapes(),
        });
        let mut how = How::new(Strategy::Dart, 1);
        how.runs = Some(runs);
        how.seeds = vec![(0, self.input(first))];
        how.propagate = propagate;
        let watcher = Watcher::default();
        let summary = old.compare_with(&new, &how, &watcher);
        let seen = watcher.0.into_inner().expect("no panic");
        Searched {
            summary,
            inputs: seen.inputs,
            first_difference: seen.first_difference,
        }
    }

    /// Both versions' traces of at most so many instances.
    fn traces(&self, plan: &Propagation<'_>, values: &[i32], most: usize) -> [UnpackedTrace; 2] {
        let mut store = Store::new();
        let mut trace = |number: usize| -> UnpackedTrace {
            let version = self.versions()[number];
            let started = version.subject.start(
                version.program,
                &mut store,
                KernelConfig::default(),
                RunLimits::default(),
                SymbolicLimits::default(),
                &self.input(values),
            );
            let mut process = started.expect("the call starts");
            let limits = trace_limits(most);
            let (_, trace) = process.run_tracing(&mut store, plan.trace_facts(number), limits);
            trace.unpacked()
        };
        [trace(0), trace(1)]
    }

    fn facts(&self) -> StaticFacts<'_> {
        let [old, new] = self.versions();
        StaticFacts::new(old, new)
    }

    /// The leaves of a version's effect tree: source line, and kind.
    fn leaves(&self, values: &[i32], version: usize) -> Vec<(u32, &'static str)> {
        let facts = self.facts();
        let plan = Propagation::of(&facts, Limits::default());
        let traces = self.traces(&plan, values, 1 << 20);
        let aligned = plan.aligned(&traces);
        let tree = plan.tree(version, &traces, &aligned, TreeLimits::NONE);
        let program = &self.programs[version];
        let line = |leaf: &Leaf| {
            let site = traces[version].site(program, leaf.instance());
            program.source_frame(site).map_or(0, |frame| frame.line)
        };
        let kind = |leaf: &Leaf| match leaf {
            Leaf::SameWay { .. } => "same way",
            Leaf::NoTransfer { .. } => "no transfer",
            Leaf::NotUsed { .. } => "not used",
        };
        tree.leaves
            .iter()
            .map(|leaf| (line(leaf), kind(leaf)))
            .collect()
    }
}

struct Searched {
    summary: Summary,
    inputs: Vec<SymbolicInput>,
    /// The number of the run that showed it, from 1.
    first_difference: Option<usize>,
}

impl Searched {
    fn of_rule(&self, rule: Rule) -> (u64, u64) {
        let counts = self
            .summary
            .made
            .propagation
            .by_rule
            .get(&rule)
            .copied()
            .unwrap_or_default();
        (counts.candidates, counts.different)
    }

    fn number(&self, run: usize, parameter: usize) -> i32 {
        let bytes = self.inputs[run - 1]
            .variables
            .get(&parameter_name(parameter));
        let mut word = [0; 4];
        if let Some(bytes) = bytes {
            word[..bytes.len()].copy_from_slice(bytes);
        }
        i32::from_le_bytes(word)
    }
}

#[derive(Default)]
struct Watcher(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    inputs: Vec<SymbolicInput>,
    first_difference: Option<usize>,
}

#[derive(Serialize, Deserialize)]
enum RunNote {
    Path(SymbolicInput),
    Different,
}

impl Probe for Watcher {
    fn path(&self, ran: &Ran<'_>) -> Option<Note> {
        Some(Note::of(&RunNote::Path(ran.input.clone())))
    }

    fn partition(
        &self,
        partition: &Partition,
        _: &Ran<'_>,
        _: &mut Members<'_, '_>,
    ) -> Option<Note> {
        let is_different = partition.part.is_different();
        is_different.then(|| Note::of(&RunNote::Different))
    }
}

impl Observer for Watcher {
    fn note(&self, note: &Note) -> std::io::Result<()> {
        let mut seen = self.0.lock().expect("no panic");
        match note.read() {
            RunNote::Path(input) => seen.inputs.push(input),
            RunNote::Different => {
                let run = seen.inputs.len();
                seen.first_difference.get_or_insert(run);
            }
        }
        Ok(())
    }
}

/// The shape of the paper's motivating example: a constant behind a guard, which matters to a second branch only.
const MARGIN: &str = "
int probe(int points) {
    int margin = 0, grade = 0;
    if (points > 10) {
        margin = CHOOSE(7, 5);
        if (points - margin > 20)
            grade = 2;
        else
            grade = 1;
    }
    int even = points / 2;
    if (even == 3)
        grade += 4;
    return grade;
}
";

#[test]
fn the_motivating_example_is_solved_in_two_runs() {
    let pair = Pair::of(MARGIN);
    // 11 reaches the change; both versions answer 1.
    assert_eq!(pair.leaves(&[11], 1), [(6, "same way")]);
    let found = pair.search(&[11], true, 50);
    assert_eq!(found.first_difference, Some(2));
    assert!(
        (26..28).contains(&found.number(2, 0)),
        "{}",
        found.number(2, 0)
    );
    assert!(found.of_rule(Rule::SameWay).1 >= 1);
}

#[test]
fn both_directions_of_a_branch_are_tried() {
    // Only an input with a larger new bound differs: the old version's branch has to be kept.
    let pair = Pair::of(&MARGIN.replace("CHOOSE(7, 5)", "CHOOSE(5, 7)"));
    let found = pair.search(&[11], true, 50);
    assert_eq!(found.first_difference, Some(2));
    assert!((26..28).contains(&found.number(2, 0)));
}

const FACTOR: &str = "
int probe(int load, int factor) {
    int total = factor * CHOOSE(5, 6);
    if (load == 1) load = 12;
    if (load == 2) load = 15;
    if (factor == 0)
        return load;
    return load + total;
}
";

#[test]
fn a_product_with_zero_is_made_to_transfer() {
    let pair = Pair::of(FACTOR);
    assert_eq!(pair.leaves(&[0, 0], 1), [(3, "no transfer")]);
    let found = pair.search(&[0, 0], true, 50);
    assert_eq!(found.first_difference, Some(2));
    assert_ne!(found.number(2, 1), 0);
    assert!(found.of_rule(Rule::NoTransfer).1 >= 1);
}

const UNUSED: &str = "
int probe(int value, int mode, int other) {
    int scaled = value * 2 + CHOOSE(1, 2);
    int sum = 0;
    if (other == 5) sum = 1;
    if (other == 6) sum = 2;
    if (mode == 77)
        return scaled;
    if (other == 7) sum = 3;
    if (other == 8) sum = 4;
    return sum;
}
";

#[test]
fn a_value_without_use_leads_to_its_uses() {
    let pair = Pair::of(UNUSED);
    assert_eq!(pair.leaves(&[0, 0, 0], 1), [(3, "not used")]);
    let found = pair.search(&[0, 0, 0], true, 50);
    assert_eq!(found.first_difference, Some(2));
    assert_eq!(found.number(2, 1), 77);
    let (candidates, different) = found.of_rule(Rule::NotUsed);
    assert!(candidates >= 1 && different >= 1);
}

/// Only the old version has the branch: the effect cannot be seen in the new one's run.
const REMOVED: &str = "
int probe(int value, int other) {
    int sum = 0;
    if (other == 5) sum = 1;
    if (other == 6) sum = 2;
    if (CHOOSE(value == 42, 0))
        sum = sum + 40;
    if (other == 7) sum = 3;
    return sum;
}
";

#[test]
fn the_old_version_is_looked_at_when_the_new_one_gives_nothing() {
    let pair = Pair::of(REMOVED);
    let found = pair.search(&[0, 0], true, 50);
    assert_eq!(found.first_difference, Some(2));
    assert_eq!(found.number(2, 0), 42);
    assert!(found.summary.made.propagation.from_old >= 1);
}

/// A guard that only the new version has.
#[test]
fn an_added_branch_is_decided_the_other_way() {
    let pair = Pair::of(&REMOVED.replace("CHOOSE(value == 42, 0)", "CHOOSE(0, value == 42)"));
    let found = pair.search(&[0, 0], true, 50);
    assert_eq!(found.first_difference, Some(2));
    assert_eq!(found.number(2, 0), 42);
}

/// Memory, a loop and calls between the change and the output.
const THROUGH_MEMORY: &str = "
static int table[8];
static int step(int at) { return table[at & 7] * 3; }
int probe(int count, int limit) {
    int bias = CHOOSE(3, 4);
    for (int i = 0; i < 4; i++)
        table[i] = i + bias;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += step(i);
    if (sum > limit)
        return 1;
    return count == 9 ? 2 : 0;
}
";

#[test]
fn effects_go_through_memory_loops_and_calls() {
    // The sums are 54 and 66.
    let pair = Pair::of(THROUGH_MEMORY);
    let leaves = pair.leaves(&[0, 10], 1);
    assert_eq!(leaves, [(11, "same way")]);
    let found = pair.search(&[0, 10], true, 50);
    assert_eq!(found.first_difference, Some(2));
    assert!((54..66).contains(&found.number(2, 1)));
}

#[test]
fn equal_versions_have_no_effects() {
    let pair = Pair::of(&THROUGH_MEMORY.replace("CHOOSE(3, 4)", "3"));
    assert_eq!(pair.leaves(&[0, 10], 1), []);
    assert_eq!(pair.leaves(&[0, 10], 0), []);
    let found = pair.search(&[0, 10], true, 50);
    assert_eq!(found.first_difference, None);
    assert_eq!(found.summary.made.propagation.by_rule.len(), 0);
}

/// An inserted statement and one more iteration shift nothing: only what depends on them is in the tree.
const SHIFTED: &str = "
int probe(int count, int limit) {
    int a = 0, b = 0, extra = 0;
    for (int i = 0; i < CHOOSE(3, 4); i++) {
        a += i * count;
        CHOOSE(, extra += 5;)
        b += limit;
    }
    if (b > 1000) return 7;
    return a == 12345 ? extra : 0;
}
";

#[test]
fn inserted_statements_and_iterations_do_not_shift_the_rest() {
    let pair = Pair::of(SHIFTED);
    let leaves = pair.leaves(&[1, 1], 1);
    // The first three iterations agree: no leaf lies on their lines but those of the inserted statement.
    assert!(
        leaves.iter().all(|&(line, _)| line >= 6 || line == 4),
        "{leaves:?}"
    );
    assert!(leaves.contains(&(9, "same way")), "{leaves:?}");
}

#[test]
fn searches_are_deterministic() {
    for source in [MARGIN, FACTOR, UNUSED, REMOVED, THROUGH_MEMORY, SHIFTED] {
        let pair = Pair::of(source);
        let [one, two] = [0, 1].map(|_| pair.search(&[11, 0, 0], true, 50));
        assert_eq!(one.inputs, two.inputs);
        assert_eq!(one.first_difference, two.first_difference);
    }
}

/// Without it the same searches take longer, or the tests above show nothing.
#[test]
fn the_search_alone_takes_more_runs() {
    let cases: [(&str, &[i32]); 3] = [(UNUSED, &[0, 0, 0]), (REMOVED, &[0, 0]), (FACTOR, &[0, 0])];
    let runs = |propagate: bool| -> usize {
        let of = |(source, first): &(&str, &[i32])| {
            let found = Pair::of(source).search(first, propagate, 50);
            found.first_difference.expect("it is found")
        };
        cases.iter().map(of).sum()
    };
    let (with, without) = (runs(true), runs(false));
    assert!(with < without, "{with} runs with, {without} without");
}

/// A run whose every access depends on a whole table, since the place depends on the input.
const TABLE: &str = "
static unsigned char table[1024];
int probe(int at) {
    for (int i = 0; i < 1024; i++)
        table[i] = i;
    int sum = CHOOSE(0, 1);
    for (int i = 0; i < 3000; i++)
        sum += table[(at + i) & 1023];
    return sum > 1000;
}
";

/// Propagation once took 24 GB: dependences were not counted, only instances.
#[test]
fn a_trace_holds_a_bounded_number_of_dependences() {
    let pair = Pair::of(TABLE);
    let most = 1 << 16;
    for trace in pair.traces(
        &Propagation::of(&pair.facts(), Limits::default()),
        &[3],
        most,
    ) {
        assert!(trace.len() < most, "instances alone would not stop it");
        assert!(trace.cut_off);
        // At most a dependence a byte, and 28 bytes for each instance; vectors may be twice as large as they need.
        assert!(
            trace.memory() <= 2 * most * (4 * 32 + 28),
            "{}",
            trace.memory()
        );
    }
}

/// A change that touches every round of a long loop.
const LONG: &str = "
int probe(int limit) {
    unsigned sum = 1;
    if (limit == 9)
        sum = 2;
    for (int i = 0; i < 20000; i++) {
        sum = sum * 3 + CHOOSE(1, 2);
        if (sum == 77 && limit == 5)
            return 1;
    }
    return 0;
}
";

#[test]
fn a_tree_of_a_long_run_is_bounded_and_says_so() {
    let pair = Pair::of(LONG);
    let facts = pair.facts();
    let plan = Propagation::of(&facts, Limits::default());
    let traces = pair.traces(&plan, &[0], 1 << 20);
    let aligned = plan.aligned(&traces);
    let tree = |nodes, leaves| {
        let limits = TreeLimits {
            nodes,
            leaves,
            ..TreeLimits::NONE
        };
        plan.tree(1, &traces, &aligned, limits)
    };
    let whole = tree(usize::MAX, usize::MAX);
    assert_eq!((whole.cut, whole.nodes().count()), (None, whole.size));
    assert!(whole.size > 20_000 && whole.leaves.len() > 10_000);
    let few_nodes = tree(500, usize::MAX);
    assert_eq!((few_nodes.cut, few_nodes.size), (Some(TreeCut::Nodes), 500));
    let few_leaves = tree(usize::MAX, 40);
    assert_eq!(
        (few_leaves.cut, few_leaves.leaves.len()),
        (Some(TreeCut::Leaves), 40)
    );
    // What is left is the beginning.
    assert_eq!(few_leaves.leaves[..], whole.leaves[..40]);
}

#[test]
fn what_a_search_cut_off_is_counted() {
    let pair = Pair::of(LONG);
    let cut = |limits: Limits| {
        let found = pair.search_within(&[0], Some(limits), 3);
        found.summary.made.propagation.cut
    };
    let short = Limits {
        instances: 1000,
        ..Limits::default()
    };
    assert!(cut(short)[&Cut::Instances] >= 1);
    let narrow = Limits {
        leaves: 10,
        time: std::time::Duration::from_secs(60),
        ..Limits::default()
    };
    assert!(cut(narrow)[&Cut::Leaves] >= 1);
}

/// Wide values that are copied twice in each round: each copy has two words, so that following them from each use
/// doubled with every round.
const WIDE: &str = "
int probe(int value, int limit) {
    unsigned __int128 a = value + CHOOSE(1, 2), b = (unsigned __int128)value << 70;
    for (int i = 0; i < 400; i++) {
        unsigned __int128 t = a;
        a = b;
        b = t;
    }
    return (int)(a >> 64) > limit || (int)b == 123456;
}
";

#[test]
fn copies_of_wide_values_are_followed_in_linear_time() {
    let pair = Pair::of(WIDE);
    let leaves = pair.leaves(&[5, 1000], 1);
    assert!(
        leaves.contains(&(9, "same way")) || leaves.contains(&(9, "no transfer")),
        "{leaves:?}"
    );
}
