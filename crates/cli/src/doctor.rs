//! `parallax doctor`: checks everything a build and a run need, and says how to mend what is missing.

use std::ffi::OsStr;
use std::process::{Command, ExitCode};

use clap::Args;
use serde_json::json;

use super::{Format, announce};
use build::cache::Cache;
use build::image::find_reader;
use build::libc;
use build::toolchain::{LLVM_MAJOR, Toolchain, find_program, run};
use native::confinement::{Missing, walls};

use crate::native_options::unconfined_by_settings;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Build the guest libc if it is missing; fetch its source, if need be
    #[arg(long)]
    mend: bool,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// One thing looked at.
struct Finding {
    what: &'static str,
    state: State,
}

/// With what was found, or what is wrong and how to mend it.
enum State {
    Ok(String),
    /// As the user wants it, and dangerous.
    Careful(String),
    Missing(String),
}

impl From<Result<String, String>> for State {
    fn from(result: Result<String, String>) -> State {
        match result {
            Ok(found) => State::Ok(found),
            Err(wrong) => State::Missing(wrong),
        }
    }
}

impl State {
    fn detail(&self) -> &str {
        match self {
            State::Ok(detail) | State::Careful(detail) | State::Missing(detail) => detail,
        }
    }

    fn label(&self) -> &'static str {
        match self {
            State::Ok(_) => "ok",
            State::Careful(_) => "CAREFUL",
            State::Missing(_) => "MISSING",
        }
    }

    fn is_missing(&self) -> bool {
        matches!(self, State::Missing(_))
    }
}

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let tools = Toolchain::locate();
    let findings = [
        Finding {
            what: "clang",
            state: clang(&tools).into(),
        },
        Finding {
            what: "LLVM tools",
            state: llvm_tools(&tools).into(),
        },
        Finding {
            what: "Rust",
            state: rust().into(),
        },
        Finding {
            what: "bitcode reader",
            state: reader().into(),
        },
        Finding {
            what: "cache",
            state: cache().into(),
        },
        Finding {
            what: "sandbox",
            state: sandbox(),
        },
        Finding {
            what: "guest libc",
            state: guest_libc(&tools, arguments.mend).into(),
        },
    ];
    match arguments.format {
        Format::Text => print_text(&findings),
        Format::Json => {
            let list: Vec<_> = findings
                .iter()
                .map(|Finding { what, state }| {
                    let is_careful = matches!(state, State::Careful(_));
                    json!({
                        "what": what,
                        "ok": !state.is_missing(),
                        "careful": is_careful,
                        "detail": state.detail(),
                    })
                })
                .collect();
            println!("{:#}", json!(list));
        }
    }
    let lacks = findings.iter().any(|finding| finding.state.is_missing());
    Ok(ExitCode::from(if lacks { 2 } else { 0 }))
}

fn print_text(findings: &[Finding]) {
    for Finding { what, state } in findings {
        println!("{:<8} {what:<15} {}", state.label(), state.detail());
    }
}

type Located = build::error::Result<Toolchain>;

fn clang(tools: &Located) -> Result<String, String> {
    let tools = tools.as_ref().map_err(ToString::to_string)?;
    let output = run(
        Command::new(&tools.clang).arg("--version"),
        "asking for its version",
    )
    .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.lines().next().unwrap_or_default().to_owned();
    if version.contains(&format!("version {LLVM_MAJOR}.")) {
        Ok(version)
    } else {
        Err(format!(
            "`{version}` is not clang {LLVM_MAJOR}; install the Debian package clang-{LLVM_MAJOR}"
        ))
    }
}

fn llvm_tools(tools: &Located) -> Result<String, String> {
    let tools = tools.as_ref().map_err(ToString::to_string)?;
    let names = [&tools.llvm_link, &tools.llvm_nm, &tools.llvm_objcopy];
    let names: Vec<_> = names
        .iter()
        .map(|tool| tool.display().to_string())
        .collect();
    Ok(names.join(", "))
}

fn rust() -> Result<String, String> {
    let how = format!(
        "only Rust programs need it; install Rust 1.95 or newer (LLVM {LLVM_MAJOR}) with rustup"
    );
    let rustc =
        find_program(OsStr::new("rustc")).ok_or_else(|| format!("`rustc` was not found; {how}"))?;
    let output = run(Command::new(rustc).arg("-vV"), "asking for its version")
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_default().trim().to_owned()
    };
    let (release, llvm) = (field("release:"), field("LLVM version:"));
    if llvm.starts_with(&format!("{LLVM_MAJOR}.")) {
        Ok(format!("rustc {release} with LLVM {llvm}"))
    } else {
        Err(format!("rustc {release} writes LLVM {llvm} bitcode; {how}"))
    }
}

fn reader() -> Result<String, String> {
    find_reader()
        .map(|path| path.display().to_string())
        .map_err(|error| error.to_string())
}

fn cache() -> Result<String, String> {
    let cache = Cache::locate().map_err(|error| error.to_string())?;
    cache
        .work_folder()
        .map_err(|error| format!("{error}; make the folder writable or set PARALLAX_CACHE"))?;
    let megabytes = cache.size() / 1_000_000;
    Ok(format!("{} ({megabytes} MB)", cache.root().display()))
}

/// How native runs are kept in, and what would keep them in better.
fn sandbox() -> State {
    match unconfined_by_settings() {
        Ok(None) => walls_found().into(),
        Ok(Some(file)) => State::Careful(format!(
            "native runs are in no sandbox, since `{}` says `native = \"unconfined\"`: what is compared runs with all of your rights, on \
             inputs that nobody has typed, and can change and delete your files; without that line {}",
            file.display(),
            walls_found().unwrap_or_else(|missing| missing)
        )),
        Err(error) => State::Missing(format!("{error:#}")),
    }
}

fn walls_found() -> Result<String, String> {
    let remedies = |missing: &[Missing]| -> Vec<String> {
        let remedies = missing.iter();
        let remedies =
            remedies.map(|missing| format!("{}; {}", missing.why, missing.remedy.in_full()));
        remedies.collect()
    };
    match walls() {
        Ok(walls) if walls.missing.is_empty() => Ok(format!(
            "native runs have {}, and builds can have it (--box-build){}",
            walls.level,
            about_dumps()
        )),
        Ok(walls) => Ok(format!(
            "native runs have {}, --box-build cannot be had (better: {}){}",
            walls.level,
            remedies(&walls.missing).join("; or "),
            about_dumps()
        )),
        Err(unavailable) => Err(format!(
            "native runs are off, and differences are seen in the VM alone: {}",
            remedies(&unavailable.missing).join("; or ")
        )),
    }
}

/// What to say of programs that crash in a sandbox. A limit of one byte keeps the kernel from calling a collector of dumps; a hard limit
/// of none cannot be raised to it.
fn about_dumps() -> &'static str {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let has_collector = read("/proc/sys/kernel/core_pattern").starts_with('|');
    let limits = read("/proc/self/limits");
    match has_collector && core_limit_is_none(&limits) {
        true => {
            "; the hard limit of core files is 0 (`ulimit -Hc`), so for each program that crashes in the sandbox the kernel starts the \
             host's collector of dumps: `ulimit -Hc unlimited` in the shell that starts Parallax keeps it from that"
        }
        false => "",
    }
}

fn core_limit_is_none(limits: &str) -> bool {
    let mut lines = limits.lines();
    let line = lines.find_map(|line| line.strip_prefix("Max core file size"));
    line.and_then(|line| line.split_whitespace().nth(1)) == Some("0")
}

fn guest_libc(tools: &Located, mend: bool) -> Result<String, String> {
    let tools = tools
        .as_ref()
        .map_err(|_| "needs clang and the LLVM tools first".to_owned())?;
    let cache = Cache::locate().map_err(|error| error.to_string())?;
    let found = if mend {
        libc::source::fetch(&cache, &announce)
            .and_then(|()| libc::ensure(&cache, tools, &announce))
            .map(Some)
    } else {
        libc::find(&cache, tools)
    };
    match found {
        Ok(Some(libc)) => Ok(libc.folder.display().to_string()),
        Ok(None) => Err("not built yet; run `parallax doctor --mend` (about a minute)".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::core_limit_is_none;

    #[test]
    fn the_hard_limit_of_core_files_is_found() {
        let line = |hard| {
            format!("Max stack size  8388608  0  bytes\nMax core file size  0  {hard}  bytes\n")
        };
        assert!(core_limit_is_none(&line("0")));
        assert!(!core_limit_is_none(&line("unlimited")));
    }
}
