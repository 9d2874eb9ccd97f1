// Ends in different ways: exit codes, return from main, ExitCode, Termination of Err.
//@ run: code
//@ args: exit 42
//@ run: negative
//@ args: exit -1
//@ run: large
//@ args: exit 300
//@ run: return
//@ args: return 7
//@ run: error
//@ args: error 0
//@ run: abort
//@ args: abort 0
//@ run: none
use std::process::{self, ExitCode, Termination};

struct Loud;
impl Drop for Loud { fn drop(&mut self) { println!("dropped") } }

fn failing() -> Result<(), String> { Err("something\nbroke".into()) }

fn main() -> ExitCode {
    let _loud = Loud;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    println!("{arguments:?} {:?}", std::env::var("UNSET").is_err());
    let code = arguments.get(1).and_then(|a| a.parse::<i32>().ok()).unwrap_or(0);
    match arguments.first().map(String::as_str) {
        Some("exit") => process::exit(code),
        Some("return") => ExitCode::from(code as u8),
        Some("error") => failing().report(),
        Some("abort") => process::abort(),
        _ => ExitCode::SUCCESS,
    }
}
