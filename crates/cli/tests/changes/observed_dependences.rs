//! Slices are safe: what depended on what in a run of a program is in the program's static slices.
//!
//! Each program of `tests/programs` is run in the VM, watched byte by byte. The C library is left out of
//! the graphs, so what its code does counts as done by the call that led to it, on both sides: this also
//! tests what is said about each library function. Checked are
//!
//! - memory: whoever reads a byte has its last writer in its backward slice;
//! - calls: who was called is a target of the call, and depends on it, unless the library was given it
//!   to call at any time;
//! - control: where control went is an edge of the control-flow graph, and a block behind a branch that it
//!   does not post-dominate has that branch in its backward slice.
//!
//! Taken for granted is `Assumption::OutputSucceeds`: the state of a stream that output functions read is
//! not asked for.
//!
//! A sample is run by default; with `OBSERVED=c` all C programs, with `OBSERVED=all` the Rust ones too.

use std::collections::{BTreeMap, BTreeSet};

use build::{Builder, Request};
use concolic_vm::linux::{Bytes, FileConfig, Kernel, KernelConfig};
use concolic_vm::observe::{CodePlace, ObservedDependences, ThroughMemory};
use concolic_vm::{Limits, Machine, Program, Start};
use program_graphs::externals::is_output;
use program_graphs::library::without_library;
use program_graphs::{
    Assumption, DependenceConfig, DependenceGraph, Direction, FactsConfig, ProgramFacts, Slice,
};
use program_ir::{Block, Func, Module};
use program_tests::corpus::{self, Language};
use program_tests::directives::{Directives, Run};
use version_diff::own_changes::is_c_library;

/// Dependences that break an assumption of the slices: program, line of the reader, which assumption.
const EXCEPTIONS: [(&str, &str, Assumption); 1] = [(
    "c/memory/pointers_and_integers",
    "(line 35)",
    Assumption::PointersAreNotCopiedInPieces,
)];

/// Every so many programs are in the sample.
const SAMPLE: usize = 12;
/// A run that goes on longer is watched up to here.
const STEPS: u64 = 3_000_000;

#[test]
fn observed_dependences_are_in_the_static_slices() {
    let wanted = std::env::var("OBSERVED").unwrap_or_default();
    let mut programs = corpus::programs().expect("the test programs are readable");
    if wanted != "all" {
        programs.retain(|program| program.language == Language::C);
    }
    if wanted.is_empty() {
        programs = programs.into_iter().step_by(SAMPLE).collect();
    }
    let builder = Builder::new(&|_| {}).expect("a builder");
    let mut count = Count::default();
    let mut missing = Vec::new();
    for program in &programs {
        let request = Request {
            inputs: vec![program.source.clone()],
            ..Request::default()
        };
        let built = builder.program(&request).expect(&program.name);
        let image = builder.image(&built).expect(&program.name);
        let image = std::fs::read(image).expect("an image is readable");
        let module = program_ir::read_image(&image).expect("an image is whole");
        let directives = Directives::read(&program.source).expect(&program.name);
        let exceptions = EXCEPTIONS.iter().filter(|(name, ..)| *name == program.name);
        let exceptions: Vec<&str> = exceptions.map(|(_, line, _)| *line).collect();
        let mut problems = check(module, &directives.runs, &mut count);
        for line in exceptions {
            let before = problems.len();
            problems.retain(|problem| !problem.contains(line));
            assert!(
                problems.len() < before,
                "{} {line} is no exception",
                program.name
            );
        }
        let problems = problems.iter();
        missing.extend(problems.map(|problem| format!("{}: {problem}", program.name)));
        count.programs += 1;
    }
    println!(
        "{} programs, {} dependences through memory, {} calls, {} steps of control",
        count.programs, count.memory, count.calls, count.steps
    );
    assert!(
        missing.is_empty(),
        "{} not in the slices:\n{}",
        missing.len(),
        missing.join("\n")
    );
    assert!(count.memory > 100 && count.calls > 10 && count.steps > 100);
}

#[derive(Default)]
struct Count {
    programs: usize,
    memory: usize,
    calls: usize,
    steps: usize,
}

fn check(module: Module, runs: &[Run], count: &mut Count) -> Vec<String> {
    let own = without_library(&module, |func| is_c_library(&module, func));
    let facts = ProgramFacts::of(&own, &FactsConfig::default());
    let graph = DependenceGraph::of(&facts, &DependenceConfig::default());
    let is_folded: Vec<bool> = module
        .functions
        .keys()
        .map(|func| is_c_library(&module, func))
        .collect();
    let program = Program::new(module, 1 << 30).expect("a program");
    let mut slices = Slices {
        graph: &graph,
        backward: BTreeMap::new(),
    };
    let mut missing = BTreeSet::new();
    for run in runs {
        let observed = observe(&program, run, &is_folded);
        count.memory += observed.through_memory.len();
        count.calls += observed.calls.len();
        count.steps += observed.steps.len();
        missing.extend(check_memory(&facts, &mut slices, &observed));
        missing.extend(check_calls(&facts, &mut slices, &observed));
        missing.extend(check_steps(&facts, &mut slices, &observed));
    }
    missing.into_iter().collect()
}

fn observe(program: &Program, run: &Run, is_folded: &[bool]) -> ObservedDependences {
    let mut config = KernelConfig {
        stdin: Bytes::concrete(run.stdin.clone()),
        ..KernelConfig::default()
    };
    for (name, content) in &run.files {
        let mut path = config.working_directory.clone();
        path.push(b'/');
        path.extend_from_slice(name.as_bytes());
        let file = FileConfig::file(Bytes::concrete(content.clone()));
        config.files.insert(path, file);
    }
    let name = std::iter::once(b"program".to_vec());
    let arguments = run.arguments.iter().map(|text| text.clone().into_bytes());
    let environment = run.environment.iter();
    let start = Start {
        args: name.chain(arguments).collect(),
        environment: environment
            .map(|(name, value)| format!("{name}={value}").into_bytes())
            .collect(),
    };
    let limits = Limits {
        steps: STEPS,
        ..Limits::default()
    };
    let kernel = Kernel::new(config).expect("a kernel");
    let mut machine = Machine::start(program, kernel, limits, &start).expect("a process");
    machine
        .run_observing(|func| is_folded[func.as_u32() as usize])
        .1
}

struct Slices<'a> {
    graph: &'a DependenceGraph,
    backward: BTreeMap<CodePlace, Slice>,
}

impl Slices<'_> {
    fn contain(&mut self, of: CodePlace, wanted: CodePlace) -> bool {
        let graph = self.graph;
        let slice = self
            .backward
            .entry(of)
            .or_insert_with(|| Slice::of_insts(graph, Direction::Backward, &[of]));
        slice.contains(graph, wanted.0, wanted.1)
    }
}

fn check_memory(
    facts: &ProgramFacts<'_>,
    slices: &mut Slices<'_>,
    observed: &ObservedDependences,
) -> Vec<String> {
    let mut missing = Vec::new();
    for pair in &observed.through_memory {
        if !is_stream_state(facts, pair) && !slices.contain(pair.reader, pair.writer) {
            let (reader, writer) = (pair.reader, pair.writer);
            missing.push(format!(
                "{} reads what {} wrote",
                describe(facts, reader),
                describe(facts, writer)
            ));
        }
    }
    missing
}

/// Output functions read the state of their stream.
fn is_stream_state(facts: &ProgramFacts<'_>, pair: &ThroughMemory) -> bool {
    let targets = facts.calls.targets(pair.reader.0, pair.reader.1);
    let is_output = |func: Func| is_output(&facts.module.functions[func].name);
    let in_library = pair.in_library
        || pair.global.is_some_and(|global| {
            let data = &facts.module.globals[program_ir::Global::from_u32(global)];
            data.info.is_none()
        });
    in_library && targets.iter().any(|target| is_output(target.func))
}

fn check_calls(
    facts: &ProgramFacts<'_>,
    slices: &mut Slices<'_>,
    observed: &ObservedDependences,
) -> Vec<String> {
    let mut missing = Vec::new();
    for &(call, callee) in &observed.calls {
        let mut targets = facts.calls.targets(call.0, call.1).iter();
        let name = &facts.module.functions[callee].name;
        let is_late = facts.points_to.called_by_unknown.contains(&callee)
            || facts.points_to.roots.contains(&callee);
        if !is_late && !targets.any(|target| target.func == callee) {
            missing.push(format!("{} calls {name}", describe(facts, call)));
        } else if !is_late
            && let Some(first) = first_inst(facts, callee)
            && !slices.contain((callee, first), call)
        {
            missing.push(format!(
                "{name} does not depend on {}",
                describe(facts, call)
            ));
        }
    }
    missing
}

fn first_inst(facts: &ProgramFacts<'_>, func: Func) -> Option<program_ir::Inst> {
    let function = &facts.module.functions[func];
    let entry = function.entry()?;
    function.blocks[entry].insts.first().copied()
}

fn check_steps(
    facts: &ProgramFacts<'_>,
    slices: &mut Slices<'_>,
    observed: &ObservedDependences,
) -> Vec<String> {
    let mut missing = Vec::new();
    let mut by_function: BTreeMap<Func, Vec<(Block, Block)>> = BTreeMap::new();
    for &(func, from, to) in &observed.steps {
        by_function.entry(func).or_default().push((from, to));
    }
    for (func, steps) in by_function {
        let name = &facts.module.functions[func].name;
        if !facts.calls.reached.contains(&func) {
            missing.push(format!("{name} is executed"));
            continue;
        }
        let function = &facts.module.functions[func];
        let flow = facts.control_flow(func);
        for (from, to) in steps {
            if !flow.cfg.successors(from).any(|next| next == to) {
                missing.push(format!("{name} goes from {from} to {to}"));
                continue;
            }
            let several = flow.cfg.successors(from).collect::<BTreeSet<_>>().len() > 1;
            let (Some(branch), Some(&first)) =
                (function.terminator(from), function.blocks[to].insts.first())
            else {
                continue;
            };
            if several
                && !flow.post_dominators.post_dominates(to, from)
                && !slices.contain((func, first), (func, branch))
            {
                missing.push(format!(
                    "{name}: {to} does not depend on the branch of {from}"
                ));
            }
        }
    }
    missing
}

fn describe(facts: &ProgramFacts<'_>, (func, inst): CodePlace) -> String {
    let function = &facts.module.functions[func];
    let loc = function.insts[inst].loc;
    let line = loc.map_or(0, |loc| facts.module.source.locs[loc].line);
    let called: Vec<&str> = facts
        .calls
        .targets(func, inst)
        .iter()
        .map(|target| facts.module.functions[target.func].name.as_str())
        .collect();
    format!(
        "{} {inst} (line {line}) {}",
        function.name,
        called.join(" ")
    )
}
