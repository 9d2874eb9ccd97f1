//! `change_points OLD NEW`: the change points of two LLVM modules, for looking at what
//! the alignment does, and the complexity of the change. Times go to standard error.

use bitcode_reader::{ReadOptions, read_module};
use std::time::Instant;
use version_diff::calls::Calls;
use version_diff::complexity::complexity;
use version_diff::express::{irrelevant_branches, points_of};

fn main() {
    let mut paths = std::env::args().skip(1);
    let mut read = || {
        let path = paths.next().expect("usage: change_points OLD NEW");
        let bytes = std::fs::read(&path).expect("a readable module");
        read_module(&bytes, &ReadOptions::default()).expect("a module of LLVM 22")
    };
    let start = Instant::now();
    let (old, new) = (read(), read());
    let lap = Instant::now();
    let changes = version_diff::diff(&old, &new);
    eprintln!("read {:?}, diff {:?}", lap - start, lap.elapsed());
    let lap = Instant::now();
    let calls = Calls::from_default_roots(&new);
    eprintln!("calls {:?}", lap.elapsed());
    let lap = Instant::now();
    let irrelevant = irrelevant_branches(&calls, &points_of(&changes, &new));
    eprintln!("irrelevant branches {:?}", lap.elapsed());
    println!(
        "{} branches cannot execute a change, {} cannot propagate one",
        irrelevant.cannot_execute.len(),
        irrelevant.cannot_propagate.len()
    );
    let lap = Instant::now();
    println!("{:?}", complexity(&old, &new, &changes, &calls));
    eprintln!("complexity {:?}", lap.elapsed());
    for change in &changes.functions {
        let function = &new.functions[change.new];
        println!(
            "{} ({} points)",
            function.name,
            change.comparison.points.len()
        );
        for statement in &change.statements {
            println!("  {statement:?}");
        }
    }
    for &func in &changes.added_functions {
        println!("added {}", new.functions[func].name);
    }
    for &func in &changes.removed_functions {
        println!("removed {}", old.functions[func].name);
    }
    for change in &changes.globals {
        let name = match (change.new, change.old) {
            (Some(global), _) => &new.globals[global].name,
            (None, Some(global)) => &old.globals[global].name,
            (None, None) => continue,
        };
        let users: Vec<&str> = change
            .users
            .keys()
            .map(|&func| new.functions[func].name.as_str())
            .collect();
        println!("global {name} {:?} used by {users:?}", change.differences);
    }
}
