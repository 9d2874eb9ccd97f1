//! The `parallax` command.

use std::process::ExitCode;

/// An exploration makes and drops many small things on several threads; see docs/performance.md.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::main()
}
