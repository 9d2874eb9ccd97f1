//! `generate-program SEED [--pair | --batch COUNT] [--size N] [--faults]`: prints the program of a seed,
//! the pair, or the programs of `COUNT` seeds as one file.

use std::process::ExitCode;

use program_generator::ast::Program;
use program_generator::{Settings, generate, pair, print_batch, print_whole};

const USAGE: &str = "usage: generate-program SEED [--pair | --batch COUNT] [--size N] [--faults]";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("generate-program: {problem}; {USAGE}");
            ExitCode::from(2)
        }
    }
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<String, String> {
    let mut settings = Settings::default();
    let (mut seed, mut as_pair, mut batch) = (None, false, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--pair" => as_pair = true,
            "--faults" => settings.faults = true,
            "--size" => {
                let size = arguments.next().ok_or("`--size` needs a number")?;
                settings.size = number(&size)? as usize;
            }
            "--batch" => {
                let count = arguments.next().ok_or("`--batch` needs a number")?;
                batch = Some(number(&count)?);
            }
            text if seed.is_none() => seed = Some(number(text)?),
            text => return Err(format!("unexpected argument `{text}`")),
        }
    }
    let seed = seed.ok_or("no seed")?;
    if let Some(count) = batch {
        let seeds = seed..seed.saturating_add(count);
        let programs: Vec<Program> = seeds.map(|seed| generate(seed, settings)).collect();
        return Ok(print_batch(&programs));
    }
    if !as_pair {
        return Ok(print_whole(&generate(seed, settings)).text);
    }
    let pair = pair(seed, settings);
    let mut text = String::new();
    for edit in &pair.edits {
        let line = |line: Option<u32>| line.map_or("-".to_owned(), |line| line.to_string());
        let (old, new) = (line(edit.old_line), line(edit.new_line));
        let (kind, name) = (edit.kind, &edit.name);
        text += &format!("// {kind:?} in {name}: old line {old}, new line {new}\n");
    }
    text += &format!("// ---- old\n{}", print_whole(&pair.old).text);
    text += &format!("// ---- new\n{}", print_whole(&pair.new).text);
    Ok(text)
}

fn number(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|error| format!("`{text}` is not a number: {error}"))
}
