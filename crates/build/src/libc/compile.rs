//! Compiles musl and our runtime files to bitcode and merges them into one module.
//!
//! The architecture's assembly is simply not in the file list, so the C versions beside it are used; the
//! few things that exist in assembly only come from `runtime/`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::overlay;
use crate::cache::Key;
use crate::error::{BuildError, IoContext, Result};
use crate::toolchain::{Toolchain, output_of, run};

/// Flags of every libc file.
///
/// `-O1` makes the guest several times faster than `-O0`, because each libc function runs in registers
/// and small helpers disappear. What optimisation could do to observation is switched off: vectors and
/// unrolling (they hide byte-wise behaviour and blow up the code), recognition of loops as library
/// calls (a `strlen` that calls itself), and the assumptions that turn a caller's mistake into something
/// else (aliasing, overflow, null checks). Line tables keep every instruction's source position,
/// including inlined ones.
const FLAGS: &[&str] = &[
    "-std=c99",
    "-nostdinc",
    "-ffreestanding",
    "-fno-builtin",
    "-D_XOPEN_SOURCE=700",
    "--target=x86_64-unknown-linux-gnu",
    "-march=x86-64",
    "-O1",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-unroll-loops",
    "-fno-strict-aliasing",
    "-fwrapv",
    "-fno-delete-null-pointer-checks",
    "-fno-math-errno",
    "-ffp-contract=off",
    "-fno-stack-protector",
    "-fno-pic",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-fno-ident",
    "-gline-tables-only",
    "-w",
    "-Werror=implicit-function-declaration",
    "-Werror=implicit-int",
    "-c",
    "-emit-llvm",
];

/// Where the parts of one libc build lie.
pub(super) struct Layout<'a> {
    pub(super) source: &'a Path,
    pub(super) runtime: &'a Path,
    /// The folder with the header of the host's message texts.
    pub(super) texts: &'a Path,
    pub(super) include: &'a Path,
    pub(super) objects: &'a Path,
    pub(super) generated: &'a Path,
}

pub(super) fn add_flags_to(key: &mut Key) {
    for flag in FLAGS {
        key.add(flag);
    }
}

/// Writes `libc.bc` and `start.bc` into `target`.
pub(super) fn compile_all(layout: &Layout, tools: &Toolchain, target: &Path) -> Result<()> {
    for folder in [layout.objects, layout.generated] {
        std::fs::create_dir_all(folder).context("create", folder)?;
    }
    let version = layout.generated.join("version.h");
    std::fs::write(&version, "#define VERSION \"parallax\"\n").context("write", &version)?;

    let mut jobs = musl_files(layout)?;
    for (name, _) in overlay::FILES
        .iter()
        .filter(|(name, _)| name.ends_with(".c"))
    {
        let output = if *name == overlay::START {
            target.join("start.bc")
        } else {
            layout
                .objects
                .join(format!("runtime-{}.bc", name.trim_end_matches(".c")))
        };
        jobs.push(Job {
            input: layout.runtime.join(name),
            output,
            flag: None,
        });
    }
    compile_in_parallel(&jobs, layout, tools)?;

    let merged = target.join("libc.bc");
    let mut link = Command::new(&tools.llvm_link);
    link.arg("-o").arg(&merged);
    link.args(
        jobs.iter()
            .map(|job| &job.output)
            .filter(|output| output.starts_with(layout.objects)),
    );
    run(&mut link, "merging the guest libc")?;
    Ok(())
}

struct Job {
    input: PathBuf,
    output: PathBuf,
    flag: Option<String>,
}

/// The C files that musl's own build would compile for an architecture without assembly.
fn musl_files(layout: &Layout) -> Result<Vec<Job>> {
    let src = layout.source.join("src");
    let mut names = Vec::new();
    for area in list(&src)? {
        if !area.is_dir() {
            continue;
        }
        let area_name = file_name(&area);
        for file in list(&area)? {
            if file.is_file() && file.extension().is_some_and(|kind| kind == "c") {
                names.push(format!("{area_name}/{}", file_name(&file)));
            }
        }
    }
    names.retain(|name| !overlay::is_left_out(name));
    names.sort();
    names
        .into_iter()
        .map(|name| musl_job(&src, &name, layout))
        .collect()
}

fn musl_job(src: &Path, name: &str, layout: &Layout) -> Result<Job> {
    let mut input = src.join(name);
    let text = std::fs::read_to_string(&input).context("read", &input)?;
    if let Some(changed) = overlay::change(name, &text)? {
        input = layout.generated.join(name);
        let folder = input.parent().unwrap_or(layout.generated);
        std::fs::create_dir_all(folder).context("create", folder)?;
        std::fs::write(&input, changed).context("write", &input)?;
    }
    Ok(Job {
        input,
        output: layout
            .objects
            .join(name.replace('/', "-").replace(".c", ".bc")),
        flag: overlay::flag(name),
    })
}

fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).context("list", folder)?;
    entries
        .map(|entry| entry.map(|entry| entry.path()).context("list", folder))
        .collect()
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn compile_in_parallel(jobs: &[Job], layout: &Layout, tools: &Toolchain) -> Result<()> {
    let next = AtomicUsize::new(0);
    let failure: Mutex<Option<BuildError>> = Mutex::new(None);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(error) = compile(job, layout, tools) {
                        next.store(jobs.len(), Ordering::Relaxed);
                        failure
                            .lock()
                            .expect("no worker panics")
                            .get_or_insert(error);
                    }
                }
            });
        }
    });
    match failure.into_inner().expect("no worker panics") {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

fn compile(job: &Job, layout: &Layout, tools: &Toolchain) -> Result<()> {
    let mut command = Command::new(&tools.clang);
    command.args(FLAGS);
    command.args(&job.flag);
    for (folder, name) in [
        (layout.source, "musl"),
        (layout.runtime, "parallax-runtime"),
        (layout.generated, "musl/src"),
        (layout.texts, "parallax-runtime"),
    ] {
        command.arg(format!("-ffile-prefix-map={}={name}", folder.display()));
    }
    command.arg("-fdebug-compilation-dir=musl");
    // Ours first; then as musl's own build orders them.
    let source = layout.source;
    for folder in [
        layout.runtime.join("include"),
        source.join("arch/x86_64"),
        source.join("arch/generic"),
        layout.generated.to_owned(),
        source.join("src/include"),
        source.join("src/internal"),
        layout.include.to_owned(),
        layout.texts.to_owned(),
    ] {
        command.arg("-I").arg(folder);
    }
    command.arg(&job.input).arg("-o").arg(&job.output);
    let output = output_of(&mut command)?;
    if output.status.success() {
        return Ok(());
    }
    Err(BuildError::DoesNotCompile {
        file: job.input.clone(),
        message: String::from_utf8_lossy(&output.stderr)
            .trim_end()
            .to_owned(),
    })
}
