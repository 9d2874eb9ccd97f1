//! `parallax debug`: prints internal forms.

use std::process::{Command, ExitCode};

use anyhow::{Context, bail, ensure};
use clap::{Args, Subcommand};
use program_ir::{Func, Function, Module, print_function, print_module};

use harness::read_module;

use super::{Program, announce, find_function, print, run};
use build::Builder;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(subcommand)]
    form: Form,
}

#[derive(Subcommand, Debug)]
enum Form {
    /// The linked LLVM module, as LLVM's own text
    Bitcode(Program),
    /// The program in Parallax's own representation
    Ir(Selection),
    /// The control-flow graph of a function, as text for Graphviz's `dot`
    Cfg(Selection),
    /// The operations that the machine steps over
    Code(Selection),
    /// Run the program and write its system calls to stderr
    Syscalls(Box<run::Arguments>),
    /// Ask the questions to the solver that an exploration has logged once more
    ReplayQueries(super::replay_queries::Arguments),
}

#[derive(Args, Debug)]
struct Selection {
    #[command(flatten)]
    program: Program,
    /// Only this function
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
}

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.form {
        Form::Bitcode(program) => bitcode(program)?,
        Form::Ir(selection) => {
            let module = selection.module()?;
            print(&match selection.function(&module)? {
                Some(func) => print_function(&module, func),
                None => print_module(&module),
            })?;
        }
        Form::Cfg(selection) => {
            let module = selection.module()?;
            let Some(func) = selection.function(&module)? else {
                bail!("a graph shows one function; give `--function NAME`");
            };
            print(&graph(&module, func))?;
        }
        Form::Code(selection) => {
            const MEMORY_LIMIT: u64 = 2 << 30;
            let module = selection.module()?;
            let chosen = selection.function(&module)?;
            let program = concolic_vm::Program::new(module, MEMORY_LIMIT)?;
            for func in program.module().functions.keys() {
                if chosen.is_none_or(|chosen| chosen == func) {
                    print(&program.dump_code(func))?;
                }
            }
        }
        Form::ReplayQueries(arguments) => super::replay_queries::execute(arguments)?,
        Form::Syscalls(arguments) => return run::run(arguments, run::Trace::SystemCalls),
    }
    Ok(ExitCode::SUCCESS)
}

impl Selection {
    fn module(&self) -> anyhow::Result<Module> {
        let builder = Builder::new(&announce)?;
        let built = builder.module(&self.program.request())?;
        Ok(read_module(&builder, &built)?)
    }

    fn function(&self, module: &Module) -> anyhow::Result<Option<Func>> {
        let wanted = self.function.as_deref();
        wanted
            .map(|wanted| find_function(module, wanted))
            .transpose()
    }
}

fn bitcode(program: &Program) -> anyhow::Result<()> {
    let builder = Builder::new(&announce)?;
    let built = builder.module(&program.request())?;
    let status = Command::new("llvm-dis-22")
        .arg(&built.module)
        .args(["-o", "-"])
        .status()
        .context("cannot run `llvm-dis-22`; install the Debian package llvm-22")?;
    ensure!(
        status.success(),
        "`llvm-dis-22` failed on `{}`",
        built.module.display()
    );
    Ok(())
}

/// The blocks of a function with their instructions, and the edges between them.
fn graph(module: &Module, func: Func) -> String {
    let function = &module.functions[func];
    let mut dot = format!(
        "digraph \"{}\" {{\n  node [shape=box fontname=monospace]\n",
        escape(&function.name)
    );
    let written = print_function(module, func);
    for (block, lines) in function.blocks.keys().zip(blocks(&written)) {
        let label: String = lines.iter().map(|line| escape(line) + "\\l").collect();
        dot += &format!("  {block} [label=\"{label}\"]\n");
        dot += &edges(function, block);
    }
    dot + "}\n"
}

fn edges(function: &Function, block: program_ir::Block) -> String {
    function
        .successors(block)
        .iter()
        .map(|next| format!("  {block} -> {next}\n"))
        .collect()
}

/// The lines of each block of a function's text: a block's head is not indented, what is in it is.
fn blocks(function: &str) -> Vec<Vec<&str>> {
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    for line in function.lines() {
        if line.starts_with("block") {
            blocks.push(vec![line]);
        } else if line.starts_with(' ')
            && let Some(block) = blocks.last_mut()
        {
            block.push(line);
        }
    }
    blocks
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
