//! What must hold for the guest libc as a whole.

use std::process::Command;

use build::cache::Cache;
use build::libc::{self, Libc};
use build::link::{VM_FUNCTIONS, symbols};
use build::toolchain::Toolchain;

fn built() -> (Libc, Toolchain) {
    let cache = Cache::locate().unwrap();
    let tools = Toolchain::locate().unwrap();
    let libc = libc::ensure(&cache, &tools, &|_| {}).expect("the guest libc; run `make setup`");
    (libc, tools)
}

/// The text of the whole libc, as LLVM prints it.
fn text(libc: &Libc) -> String {
    let output = Command::new("llvm-dis-22")
        .arg(libc.bitcode())
        .args(["-o", "-"])
        .output()
        .unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn no_assembly_and_no_rounding_modes_are_left() {
    let (libc, _) = built();
    let text = text(&libc);
    for (number, line) in text.lines().enumerate() {
        assert!(!line.contains(" asm "), "line {number}: {line}");
        assert!(
            !line.contains("llvm.experimental.constrained"),
            "line {number}: {line}"
        );
    }
    assert!(text.contains("@printf("), "this is libc");
}

#[test]
fn only_the_vm_is_asked_for() {
    let (libc, tools) = built();
    let open = symbols(&libc.bitcode(), &["--undefined-only", "--no-weak"], &tools).unwrap();
    let foreign: Vec<_> = open
        .iter()
        .filter(|name| !name.starts_with("__parallax_") && !VM_FUNCTIONS.contains(&name.as_str()))
        .collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    let own = symbols(&libc.bitcode(), &["--defined-only"], &tools).unwrap();
    for name in VM_FUNCTIONS {
        assert!(
            !own.iter().any(|defined| defined == name),
            "{name} is the VM's"
        );
    }
}

/// A function that implements a loop must not have become a call of itself, and the string functions must
/// read single bytes.
#[test]
fn string_functions_are_byte_wise_loops() {
    let (libc, _) = built();
    let text = text(&libc);
    for name in [
        "strlen",
        "memchr",
        "__stpcpy",
        "__strchrnul",
        "memccpy",
        "strlcpy",
        "__stpncpy",
        "strcmp",
        "memcmp",
    ] {
        let called = format!("@{name}(");
        let body: Vec<&str> = text
            .lines()
            .skip_while(|line| !(line.starts_with("define") && line.contains(&called)))
            .take_while(|line| *line != "}")
            .collect();
        assert!(body.len() > 2, "{name} is missing");
        for line in &body[1..] {
            assert!(
                !line.contains("load i64") && !line.contains("load i32"),
                "{name}: {line}"
            );
            assert!(!line.contains(&called), "{name}: {line}");
        }
    }
}

/// Headers whose constants programs print, compare with or size arrays by.
const HEADERS: &[&str] = &[
    "assert",
    "ctype",
    "errno",
    "fcntl",
    "fenv",
    "float",
    "inttypes",
    "limits",
    "locale",
    "math",
    "setjmp",
    "signal",
    "stdarg",
    "stdbool",
    "stddef",
    "stdint",
    "stdio",
    "stdlib",
    "string",
    "time",
    "unistd",
    "wchar",
    "wctype",
    "sys/types",
    "sys/stat",
    "sys/time",
    "sys/wait",
    "sys/mman",
    "sys/ioctl",
    "sys/resource",
    "dirent",
    "poll",
    "regex",
    "fnmatch",
    "glob",
    "getopt",
    "termios",
    "syslog",
    "sysexits",
];

/// Constants that stay musl's: `docs/libc-differences.md` names them.
const OTHER_CONSTANTS: &[&str] = &[
    "NL_ARGMAX",
    "NL_LANGMAX",
    "NL_MSGMAX",
    "NL_NMAX",
    "NL_SETMAX",
    "NL_TEXTMAX",
    "L_cuserid",
    "SIGSTKSZ",
    "MINSIGSTKSZ",
];

const TYPES: &[&str] = &[
    "int_fast8_t",
    "int_fast16_t",
    "int_fast32_t",
    "int_fast64_t",
    "uint_fast16_t",
    "uint_fast32_t",
    "intmax_t",
    "size_t",
    "ssize_t",
    "off_t",
    "time_t",
    "clock_t",
    "mode_t",
    "nlink_t",
    "ino_t",
    "dev_t",
    "uid_t",
    "pid_t",
    "wchar_t",
    "wint_t",
    "wctype_t",
    "mbstate_t",
    "fpos_t",
    "div_t",
    "ldiv_t",
    "jmp_buf",
    "sigset_t",
    "sig_atomic_t",
    "fenv_t",
    "regex_t",
    "glob_t",
    "ptrdiff_t",
    "struct tm",
    "struct timeval",
    "struct timespec",
    "struct stat",
    "struct dirent",
    "struct lconv",
    "struct sigaction",
    "struct termios",
    "struct pollfd",
];

/// What a compiler says; the text of its errors if it refuses.
fn asked(compiler: &mut Command, arguments: &[&str], text: &str) -> (bool, String) {
    use std::io::Write;
    use std::process::Stdio;
    let mut child = compiler
        .args(arguments)
        .args([
            "-w",
            "-ferror-limit=0",
            "-D_GNU_SOURCE",
            "-x",
            "c",
            "-",
            "-o",
            "-",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let said = if output.status.success() {
        output.stdout
    } else {
        output.stderr
    };
    (
        output.status.success(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

/// Integer constants of the guest's and the host's headers, by name.
fn constants(
    compiler: &dyn Fn() -> Command,
    include: &str,
    expressions: &[(String, String)],
) -> std::collections::BTreeMap<String, String> {
    let mut lines: Vec<String> = include.lines().map(str::to_owned).collect();
    lines.extend(
        expressions
            .iter()
            .map(|(name, value)| format!("long long constant_{name} = (long long)({value});")),
    );
    loop {
        let text = lines.join("\n");
        let (is_good, said) = asked(&mut compiler(), &["-S", "-emit-llvm"], &text);
        if is_good {
            let constant = |line: &str| {
                let rest = line.strip_prefix("@constant_")?;
                let (name, value) = rest.split_once(" = ")?;
                let value = value.rsplit_once("global i64 ")?.1.split(',').next()?;
                value.parse::<i64>().ok()?;
                Some((name.to_owned(), value.to_owned()))
            };
            return said.lines().filter_map(constant).collect();
        }
        // What is no constant is left out.
        let first = |line: &str| -> Option<usize> {
            let place = line.strip_prefix("<stdin>:")?;
            line.contains(" error: ")
                .then(|| place.split(':').next()?.parse().ok())?
        };
        let bad: Vec<usize> = said.lines().filter_map(first).collect();
        assert!(!bad.is_empty(), "{said}");
        for line in bad {
            lines[line - 1] = String::new();
        }
    }
}

/// A compiler that sees the guest's headers.
fn guest_compiler(libc: &Libc, tools: &Toolchain) -> Command {
    let mut command = Command::new(&tools.clang);
    command.args(["--target=x86_64-unknown-linux-gnu", "-nostdinc"]);
    for folder in [
        &libc.host_include(),
        &libc.include(),
        &tools.resource_include().unwrap(),
        &libc.kernel_include(),
    ] {
        command.arg("-isystem").arg(folder);
    }
    command
}

/// GNU findutils decides by these which limits a system has, and refuses strange ones.
#[test]
fn the_standards_that_are_asked_for_are_the_hosts() {
    const NAMES: [&str; 3] = ["_POSIX_SOURCE", "_POSIX_C_SOURCE", "_DEFAULT_SOURCE"];
    let (libc, tools) = built();
    for wish in ["", "#undef _GNU_SOURCE\n"] {
        let text = format!("{wish}#include <stdlib.h>\n");
        let standards = |mut compiler: Command| -> Vec<String> {
            let (is_good, said) = asked(&mut compiler, &["-E", "-dM"], &text);
            assert!(is_good, "{said}");
            let value = |name: &str| {
                let line = format!("#define {name} ");
                let mut found = said.lines().filter_map(|text| text.strip_prefix(&line));
                format!("{name} {}", found.next().unwrap_or("undefined").trim())
            };
            NAMES.map(value).to_vec()
        };
        let host = standards(Command::new(&tools.clang));
        assert!(host[0].ends_with('1'), "{host:?}");
        assert_eq!(standards(guest_compiler(&libc, &tools)), host, "{wish:?}");
    }
}

/// Programs can show the constants of headers, and versions can differ by them.
#[test]
fn headers_say_what_the_hosts_say() {
    let (libc, tools) = built();
    let guest = || guest_compiler(&libc, &tools);
    let host = || Command::new(&tools.clang);
    let mut compared = 0;
    let mut wrong = Vec::new();
    for header in HEADERS {
        let include = format!("#include <{header}.h>");
        let macros = |compiler: &mut Command| {
            let (is_good, said) = asked(compiler, &["-E", "-dM"], &include);
            assert!(is_good, "{header}: {said}");
            let name = |line: &str| {
                let name = line.strip_prefix("#define ")?.split(' ').next()?;
                (!name.contains('(') && !name.starts_with('_')).then(|| name.to_owned())
            };
            said.lines()
                .filter_map(name)
                .collect::<std::collections::BTreeSet<_>>()
        };
        let both: Vec<(String, String)> = macros(&mut guest())
            .intersection(&macros(&mut host()))
            .map(|name| (name.clone(), name.clone()))
            .collect();
        let (own, theirs) = (
            constants(&guest, &include, &both),
            constants(&host, &include, &both),
        );
        for (name, value) in &own {
            let Some(other) = theirs
                .get(name)
                .filter(|_| !OTHER_CONSTANTS.contains(&&name[..]))
            else {
                continue;
            };
            compared += 1;
            if value != other {
                wrong.push(format!("{header}: {name} is {value}, on the host {other}"));
            }
        }
    }
    let all: String = HEADERS
        .iter()
        .map(|header| format!("#include <{header}.h>\n"))
        .collect();
    let sizes: Vec<(String, String)> = TYPES
        .iter()
        .map(|name| (name.replace(' ', "_"), format!("sizeof({name})")))
        .collect();
    let (own, theirs) = (
        constants(&guest, &all, &sizes),
        constants(&host, &all, &sizes),
    );
    assert_eq!(own.len(), TYPES.len(), "{own:?}");
    for (name, value) in &own {
        if theirs[name] != *value {
            wrong.push(format!(
                "{name} has {value} bytes, on the host {}",
                theirs[name]
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared > 900, "only {compared} constants were compared");
}
