//! `parallax graph`: graphs of a program, or of a change, as Graphviz text or SVG.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use clap::{Args, Subcommand, ValueEnum};
use program_graphs::library::without_library;
use program_graphs::{DependenceConfig, DependenceGraph, FactsConfig, ProgramFacts, default_roots};
use program_ir::{Func, Module};
use version_diff::calls::Calls;
use version_diff::change_sequence_graph::of_changed_blocks;
use version_diff::express::{Points, points_of};
use version_diff::render::svg::svg;
use version_diff::render::{Drawing, EdgeStyle, NodeStyle, graphs};
use version_diff::report::display_name;

use super::versions::{BuildOptions, Versions, compare, is_c_library, is_library};
use super::{find_function, print};
use campaign::history::measure::with_calls;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(subcommand)]
    graph: Graph,
}

#[derive(Subcommand, Debug)]
enum Graph {
    /// The control flow of a function
    Cfg(OfFunction),
    /// The control dependences in a function
    Cdg(OfFunction),
    /// The control (dashed) and data dependences between the lines of a function
    Pdg(OfFunction),
    /// Which function of the program calls which, with the library functions that it calls itself
    Calls(OfProgram),
    /// In which orders the changes between two versions can be executed
    Csg(Box<OfChange>),
}

#[derive(Args, Debug)]
struct OfFunction {
    #[command(flatten)]
    program: OfProgram,
    /// The function
    #[arg(long, value_name = "NAME")]
    function: String,
}

#[derive(Args, Debug)]
struct OfProgram {
    /// A C, Rust or bitcode file, a program built through `parallax cc`, or a folder: a Cargo package, a
    /// project with compile_commands.json or a built program, or just C files
    program: PathBuf,
    /// Mark what changed since this version
    #[arg(long, value_name = "OLD")]
    since: Option<PathBuf>,
    #[command(flatten)]
    options: BuildOptions,
    #[arg(long, value_enum, default_value = "dot")]
    format: GraphFormat,
}

#[derive(Args, Debug)]
#[command(override_usage = "parallax graph csg [OPTIONS] <OLD> <NEW>\n       \
                      parallax graph csg [OPTIONS] --old <FILE>... --new <FILE>...\n       \
                      parallax graph csg [OPTIONS] --git <OLD..NEW>")]
struct OfChange {
    #[command(flatten)]
    versions: Versions,
    #[arg(long, value_enum, default_value = "dot")]
    format: GraphFormat,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum GraphFormat {
    Dot,
    Svg,
}

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (drawing, format) = match &arguments.graph {
        Graph::Cfg(of) => {
            let (module, points) = of.program.read()?;
            let func = of.function(&module)?;
            (
                graphs::control_flow(&module, func, &points),
                of.program.format,
            )
        }
        Graph::Cdg(of) => {
            let (module, points) = of.program.read()?;
            let func = of.function(&module)?;
            let module = without_c_library(&module, func);
            let facts = ProgramFacts::of(&module, &FactsConfig::default());
            let drawing = graphs::control_dependence(&facts, func, &points);
            (drawing, of.program.format)
        }
        Graph::Pdg(of) => {
            let (module, points) = of.program.read()?;
            let func = of.function(&module)?;
            let module = without_c_library(&module, func);
            let facts = ProgramFacts::of(&module, &FactsConfig::default());
            let dependence = DependenceGraph::of(&facts, &DependenceConfig::default());
            let drawing = graphs::program_dependence(&module, &dependence, func, &points);
            (drawing, of.program.format)
        }
        Graph::Calls(of) => {
            let (module, points) = of.read()?;
            (own_calls(&module, &points), of.format)
        }
        Graph::Csg(of) => {
            let compared = of.versions.compare()?;
            let new = &compared.new;
            let points = points_of(&compared.changes, new);
            let sequences = with_calls(new, |calls| of_changed_blocks(calls, &points));
            (graphs::change_sequences(new, &sequences, &[]), of.format)
        }
    };
    print(&match format {
        GraphFormat::Dot => drawing.to_dot(),
        GraphFormat::Svg => svg(&drawing),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The program by itself, unless the function is one of the C library's: most of the work would be the
/// library.
fn without_c_library(module: &Module, func: Func) -> Module {
    if is_c_library(module, func) {
        return module.clone();
    }
    without_library(module, |func| is_c_library(module, func))
}

impl OfProgram {
    fn read(&self) -> anyhow::Result<(Module, Points)> {
        let inputs = [self.program.clone()];
        let Some(old) = &self.since else {
            return Ok((self.options.module(&inputs)?, Points::new()));
        };
        let compared = compare(std::slice::from_ref(old), &inputs, &self.options)?;
        let points = points_of(&compared.changes, &compared.new);
        Ok((compared.new, points))
    }
}

impl OfFunction {
    fn function(&self, module: &Module) -> anyhow::Result<Func> {
        let func = find_function(module, &self.function)?;
        ensure!(
            !module.functions[func].is_declaration(),
            "nothing in the linked program defines `{}`, so there is no graph of it; add the file that does",
            self.function
        );
        Ok(func)
    }
}

/// Library functions are leaves: how the C library calls itself is not the program's.
fn own_calls(module: &Module, points: &Points) -> Drawing {
    let facts = ProgramFacts::of(module, &FactsConfig::default());
    let calls = Calls::from_graph(module, &facts.calls, default_roots(module));
    let mut called: BTreeSet<(Func, Func)> = BTreeSet::new();
    let mut shown: BTreeSet<Func> = BTreeSet::new();
    for &caller in &calls.reached {
        if is_library(module, caller) {
            continue;
        }
        shown.insert(caller);
        for inst in module.functions[caller].insts.keys() {
            for &callee in calls.targets(caller, inst) {
                called.insert((caller, callee));
                shown.insert(callee);
            }
        }
    }
    let mut drawing = Drawing::new("calls");
    let mut node_of: BTreeMap<Func, usize> = BTreeMap::new();
    for func in shown {
        let outside = is_library(module, func) || module.functions[func].is_declaration();
        let style = match (points.contains_key(&func), outside) {
            (true, _) => NodeStyle::Changed,
            (false, true) => NodeStyle::Terminal,
            (false, false) => NodeStyle::Plain,
        };
        node_of.insert(func, drawing.node(display_name(module, func), style));
    }
    for (caller, callee) in called {
        drawing.edge(node_of[&caller], node_of[&callee], "", EdgeStyle::Solid);
    }
    drawing
}
