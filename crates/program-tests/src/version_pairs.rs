//! Pairs of versions of the subjects: the program, and one of its mutants or hand-made regressions.
//!
//! The changed versions are written below the cache of builds, at the same place every time, so nothing is built twice.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use build::host::Instrumentation;
use build::{Builder, Request};
use concolic_vm::Program;
use concolic_vm::symbolic::Coverage;

use crate::mutant_list::{Fate, Judgement};
use crate::subjects::{self, Subject};

pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A changed version of a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The mutant's id or the regression's file name.
    pub name: String,
    /// Whether no input tells it from the original.
    pub equivalent: bool,
    change: Change,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Change {
    Regression(PathBuf),
    Mutant(u32),
}

/// The pairs that some input tells apart, or those that none does. Regressions come first.
pub fn pairs(subject: &Subject, equivalent: bool) -> Vec<Pair> {
    let regressions = subject.regressions.iter().map(|regression| Pair {
        name: regression.name.trim_end_matches(".patch").to_owned(),
        equivalent: false,
        change: Change::Regression(regression.patch.clone()),
    });
    let mutants = subject.mutants.iter().map(|&(number, fate)| Pair {
        name: format!("m{number:04}"),
        equivalent: matches!(fate, Fate::Survived { .. }) && is_equivalent(subject, number),
        change: Change::Mutant(number),
    });
    let all = regressions.chain(mutants);
    all.filter(|pair| pair.equivalent == equivalent).collect()
}

fn is_equivalent(subject: &Subject, number: u32) -> bool {
    let mut survivors = subject.survivors.iter();
    let said = survivors.find(|survivor| survivor.number == number);
    said.is_some_and(|survivor| survivor.verdict == Judgement::Equivalent)
}

/// At most so many of the pairs, spread evenly over all.
pub fn spread(pairs: Vec<Pair>, limit: usize) -> Vec<Pair> {
    let count = pairs.len();
    let kept = limit.min(count);
    let chosen: Vec<usize> = (0..kept).map(|index| index * count / kept).collect();
    let numbered = pairs.into_iter().enumerate();
    let chosen = numbered.filter(|(index, _)| chosen.contains(index));
    chosen.map(|(_, pair)| pair).collect()
}

/// Both versions as they are built.
pub struct Versions {
    pub requests: [Request; 2],
    /// The lines that the change touches, in each version; of the same length as the change.
    pub changed: [Range<u32>; 2],
}

impl Pair {
    /// Whether it was made by hand.
    pub fn is_regression(&self) -> bool {
        matches!(self.change, Change::Regression(_))
    }

    /// Writes the changed version.
    pub fn write(&self, subject: &Subject, builder: &Builder<'_>) -> Result<Versions, Failure> {
        let folder = builder.cache.root().join("version-pairs");
        let program = match &self.change {
            Change::Regression(patch) => subjects::apply(subject, patch, &folder)?,
            Change::Mutant(number) => subjects::mutant(subject, *number, &folder)?,
        };
        let old = std::fs::read_to_string(&subject.program.source)?;
        let new = std::fs::read_to_string(&program.source)?;
        Ok(Versions {
            requests: [request(&subject.program.source), request(&program.source)],
            changed: changed_lines(&old, &new),
        })
    }
}

impl Versions {
    /// The versions through a file that includes `program.c`: copies of it beside each of them.
    pub fn through(&self, driver: &Path, folder: &Path) -> Result<[PathBuf; 2], Failure> {
        let [old, new] = ["old", "new"].map(|name| folder.join(name));
        let name = driver.file_name().ok_or("a driver is a file")?;
        for (own, request) in [&old, &new].into_iter().zip(&self.requests) {
            std::fs::create_dir_all(own)?;
            std::fs::copy(&request.inputs[0], own.join("program.c"))?;
            std::fs::copy(driver, own.join(name))?;
        }
        Ok([old.join(name), new.join(name)])
    }
}

/// A program of one file.
pub fn request(source: &Path) -> Request {
    Request {
        inputs: vec![source.to_owned()],
        ..Request::default()
    }
}

/// What is left of two texts without their first and last lines that are equal, as numbers of lines from 1.
fn changed_lines(old: &str, new: &str) -> [Range<u32>; 2] {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let shorter = old.len().min(new.len());
    let head = (0..shorter).take_while(|&i| old[i] == new[i]).count();
    let same_from_end = |&i: &usize| old[old.len() - 1 - i] == new[new.len() - 1 - i];
    let tail = (0..shorter - head).take_while(same_from_end).count();
    [&old, &new].map(|lines| head as u32 + 1..(lines.len() - tail) as u32 + 1)
}

/// Whether one of these lines of the program's own file was executed; `None` if they hold no code, as the lines of a
/// constant do.
pub fn executed(program: &Program, coverage: &Coverage, lines: &Range<u32>) -> Option<bool> {
    let module = program.module();
    let mut result = None;
    for (func, function) in module.functions.iter() {
        for (block, data) in function.blocks.iter() {
            let on_a_line = data.insts.iter().any(|&inst| {
                function.insts[inst].loc.is_some_and(|loc| {
                    lines.contains(&module.source.locs[loc].line)
                        && module.source.file_name(loc).ends_with("program.c")
                })
            });
            if on_a_line {
                let executed = coverage.contains(program, func, block);
                result = Some(result.unwrap_or(false) || executed);
            }
        }
    }
    result
}

/// A program as the VM runs it.
pub fn load(builder: &Builder<'_>, request: &Request) -> Result<Program, Failure> {
    let image = builder.image(&builder.program(request)?)?;
    let module = program_ir::read_image(&std::fs::read(image)?)?;
    Ok(Program::new(module, 2 << 30)?)
}

/// Builds both versions of all pairs for the VM and natively, as many at a time as there are processors.
pub fn build_all(work: &[(&Subject, &Pair)]) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let build = || -> Result<(), Failure> {
        let builder = Builder::new(&|_| {})?;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some((subject, pair)) = work.get(index) else {
                return Ok(());
            };
            for request in &pair.write(subject, &builder)?.requests {
                builder.image(&builder.program(request)?)?;
                builder.host_program(request, Instrumentation::Nothing)?;
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(build)).collect();
        let mut done = workers
            .into_iter()
            .map(|worker| worker.join().expect("no panic"));
        done.find(Result::is_err).unwrap_or(Ok(()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_lines_are_what_is_not_common() {
        let old = "a\nb\nc\n";
        assert_eq!(changed_lines(old, "a\nX\nc\n"), [2..3, 2..3]);
        assert_eq!(changed_lines(old, "a\nc\n"), [2..3, 2..2]);
        assert_eq!(changed_lines(old, "a\nb\nb\nc\n"), [3..3, 3..4]);
        assert_eq!(changed_lines(old, old), [4..4, 4..4]);
    }

    #[test]
    fn pairs_are_spread_evenly() {
        let pair = |number| Pair {
            name: format!("m{number:04}"),
            equivalent: false,
            change: Change::Mutant(number),
        };
        let names = |limit| {
            let pairs = spread((0..10).map(pair).collect(), limit);
            pairs.into_iter().map(|pair| pair.name).collect::<Vec<_>>()
        };
        assert_eq!(names(3), ["m0000", "m0003", "m0006"]);
        assert_eq!(names(20).len(), 10);
        assert!(names(0).is_empty());
    }
}
