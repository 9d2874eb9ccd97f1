//! `parallax-box`: starts one program in a sandbox. Only Parallax calls it; see the library for what it is told and answers.

fn main() -> std::process::ExitCode {
    sandbox::launcher::main()
}
