//! Generated programs as members of one module, to be explored function by function.

use std::path::Path;
use std::process::Command;

use bitcode_reader::{ReadOptions, read_module};
use concolic_vm::symbolic::parameter_name;
use exploration::InputRecord;
use program_generator::ast::Program;
use program_generator::{GUEST_FLAGS, Settings, generate, pair, print_batch};

use crate::brute_force::Explorable;

/// Some programs, compiled together.
pub struct Batch {
    pub programs: Vec<Program>,
    pub module: concolic_vm::Program,
}

impl Batch {
    /// The programs of some seeds.
    pub fn new(seeds: &[u64], settings: Settings) -> Result<Batch, String> {
        let programs = seeds.iter().map(|&seed| generate(seed, settings));
        Batch::of(programs.collect())
    }

    /// Some programs.
    pub fn of(programs: Vec<Program>) -> Result<Batch, String> {
        let module = compile(&print_batch(&programs))?;
        Ok(Batch { programs, module })
    }

    /// The call of a member with any bytes.
    pub fn member(&self, number: usize) -> Explorable<'_> {
        Explorable::call(&self.module, &format!("digest_{number}"))
    }

    /// Inputs that show everything a member can do: each byte once for every remainder that the member
    /// looks at.
    pub fn inputs(&self, number: usize) -> Vec<InputRecord> {
        let inputs = self.programs[number].inputs().into_iter();
        let record = |bytes: Vec<u8>| InputRecord {
            variables: bytes
                .into_iter()
                .enumerate()
                .map(|(number, byte)| (parameter_name(number), vec![byte]))
                .collect(),
            args: vec![Vec::new()],
            ..InputRecord::default()
        };
        inputs.map(|input| record(input.bytes)).collect()
    }
}

/// A C file that includes nothing, as a module for the VM.
pub fn compile(text: &str) -> Result<concolic_vm::Program, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (source, bitcode) = (folder.path().join("a.c"), folder.path().join("a.bc"));
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let mut compiler = Command::new("clang-22");
    compiler
        .args(GUEST_FLAGS)
        .arg(&source)
        .arg("-o")
        .arg(&bitcode);
    let result = compiler
        .output()
        .map_err(|error| format!("clang-22: {error}"))?;
    if !result.status.success() {
        return Err(String::from_utf8_lossy(&result.stderr).into_owned());
    }
    load(&bitcode)
}

/// Generated version pairs: members with the same number are versions of each other.
pub struct Pairs {
    pub old: Batch,
    pub new: Batch,
    /// By member: what it was made from.
    pub seeds: Vec<u64>,
}

impl Pairs {
    /// The first `count` pairs from `seed` on with at most so many inputs.
    pub fn new(
        seed: u64,
        count: usize,
        most_inputs: usize,
        settings: Settings,
    ) -> Result<Pairs, String> {
        let pairs = (seed..).map(|seed| (seed, pair(seed, settings)));
        let small = pairs.filter(|(_, pair)| pair.old.inputs().len() <= most_inputs);
        let (mut olds, mut news, mut seeds) = (Vec::new(), Vec::new(), Vec::new());
        for (seed, pair) in small.take(count) {
            olds.push(pair.old);
            news.push(pair.new);
            seeds.push(seed);
        }
        Ok(Pairs {
            old: Batch::of(olds)?,
            new: Batch::of(news)?,
            seeds,
        })
    }
}

/// A bitcode file as a program for the VM.
pub fn load(bitcode: &Path) -> Result<concolic_vm::Program, String> {
    let bytes =
        std::fs::read(bitcode).map_err(|error| format!("{}: {error}", bitcode.display()))?;
    let module = read_module(&bytes, &ReadOptions::default()).map_err(|error| error.to_string())?;
    concolic_vm::Program::new(module, 1 << 30).map_err(|error| error.to_string())
}
