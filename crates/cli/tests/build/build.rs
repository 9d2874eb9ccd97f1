//! `parallax build` and `run` up to the VM: every kind of input, the cache, and bad input.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::{Bench, assert_defines, defined, said};

const HELLO: &str =
    "#include <stdio.h>\n#include \"text.h\"\nint main(void) { puts(TEXT); return 0; }\n";

#[test]
fn a_c_program_is_linked_with_what_it_needs_of_libc() {
    let bench = Bench::new();
    bench.write("hello.c", HELLO);
    bench.write("text.h", "#define TEXT \"hello\"\n");
    let module = bench.build(&["hello.c"]);
    assert_defines(&module, &["main", "puts", "exit", "__parallax_start"]);
    assert!(!defined(&module).iter().any(|name| name == "qsort"));
    bench.assert_no_leftovers();
}

#[test]
fn the_program_overrides_libc() {
    let bench = Bench::new();
    bench.write(
        "own.c",
        "int puts(const char *s) { return 7; }\nint main(void) { return puts(\"\"); }\n",
    );
    let module = bench.build(&["own.c"]);
    assert_defines(&module, &["main", "puts"]);
}

#[test]
fn several_files_and_flags() {
    let bench = Bench::new();
    bench.write(
        "main.c",
        "int other(void);\nint main(void) { return other() + VALUE; }\n",
    );
    bench.write("other.c", "int other(void) { return 1; }\n");
    assert_defines(
        &bench.build(&["main.c", "other.c", "--cflag=-DVALUE=3"]),
        &["main", "other"],
    );
}

#[test]
fn unresolved_symbols_are_named() {
    let bench = Bench::new();
    bench.write(
        "open.c",
        "void nobody_defines_me(void);\nint main(void) { nobody_defines_me(); }\n",
    );
    let said = bench.parallax(&["build", "open.c"]);
    assert_eq!(said.status, 0);
    assert!(said.stderr.contains("nobody_defines_me"), "{}", said.stderr);
    let json = bench.parallax(&["build", "open.c", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(
        report["unresolved"],
        serde_json::json!(["nobody_defines_me"])
    );
    assert_eq!(report["from_cache"], true);
}

/// A compiler that counts its calls.
fn spy(bench: &Bench) -> std::path::PathBuf {
    bench.write_script(
        "spy",
        "#!/bin/sh\necho called >>\"$(dirname \"$0\")/calls\"\nexec clang-22 \"$@\"\n",
    )
}

fn calls(bench: &Bench) -> usize {
    fs::read_to_string(bench.path("calls"))
        .unwrap_or_default()
        .lines()
        .count()
}

#[test]
fn only_a_changed_program_is_compiled_again() {
    let bench = Bench::new();
    bench.write("hello.c", HELLO);
    bench.write("text.h", "#define TEXT \"hello\"\n");
    let spy = spy(&bench);
    let build = |more: &[&str]| {
        let output = said(
            bench
                .command(crate::support::parallax())
                .env("PARALLAX_CLANG", &spy)
                .args(["build", "hello.c"])
                .args(more),
        );
        assert_eq!(output.status, 0, "{}", output.stderr);
        output.stdout
    };
    let first = build(&[]);
    assert_eq!(calls(&bench), 1);
    assert_eq!(build(&[]), first);
    assert_eq!(calls(&bench), 1, "nothing changed");
    bench.write("text.h", "#define TEXT \"howdy\"\n");
    let second = build(&[]);
    assert_eq!(calls(&bench), 2, "a header changed");
    assert_ne!(second, first);
    build(&["--cflag=-DUNUSED"]);
    assert_eq!(calls(&bench), 3, "a flag changed");
    bench.write("text.h", "#define TEXT \"hello\"\n");
    assert_eq!(build(&[]), first, "same content, same module");
}

#[test]
fn two_builders_at_once_agree() {
    let bench = Bench::new();
    bench.write("hello.c", HELLO);
    bench.write("text.h", "#define TEXT \"hello\"\n");
    let modules: Vec<_> = std::thread::scope(|scope| {
        let builds: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| bench.build(&["hello.c"])))
            .collect();
        builds
            .into_iter()
            .map(|build| build.join().unwrap())
            .collect()
    });
    assert!(
        modules
            .iter()
            .all(|module| *module == modules[0] && module.is_file())
    );
    bench.assert_no_leftovers();
}

#[test]
fn the_module_can_be_copied_out_and_built_again() {
    let bench = Bench::new();
    bench.write("hello.c", HELLO);
    bench.write("text.h", "#define TEXT \"hello\"\n");
    bench.build(&["hello.c", "-o", "hello.bc"]);
    assert_defines(&bench.build(&["hello.bc"]), &["main", "puts"]);
}

#[test]
fn bitcode_without_libc_is_linked() {
    let bench = Bench::new();
    bench.write(
        "part.c",
        "int puts(const char *);\nint main(void) { return puts(\"x\"); }\n",
    );
    let compile = "clang-22 --target=x86_64-unknown-linux-gnu -c -emit-llvm part.c -o part.bc";
    assert_eq!(bench.shell(compile).status, 0);
    assert_defines(&bench.build(&["part.bc"]), &["main", "puts"]);
}

#[test]
fn a_compilation_database() {
    let bench = Bench::new();
    bench.write("main.c", "int f(void);\nint main(void) { return f(); }\n");
    bench.write(
        "second.c",
        "int f(void);\nint main(void) { return f() + 1; }\n",
    );
    bench.write("sub/f.c", "#include \"v.h\"\nint f(void) { return V; }\n");
    bench.write("sub/inc/v.h", "#define V W\n");
    let root = bench.folder();
    let root = root.display();
    bench.write(
        "compile_commands.json",
        &format!(
            r#"[{{"directory": "{root}", "file": "main.c", "arguments": ["cc", "-O2", "-c", "main.c"],
                 "output": "CMakeFiles/first.dir/main.c.o"}},
                {{"directory": "{root}", "file": "second.c", "command": "cc -c second.c -o second.o"}},
                {{"directory": "{root}/sub", "file": "f.c", "command": "cc -Iinc \"-DW=2\" -c f.c -o f.o"}}]"#
        ),
    );
    let said = bench.parallax(&["build", "."]);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("--target NAME") && said.stderr.contains("main, second"),
        "{}",
        said.stderr
    );
    assert_defines(&bench.build(&[".", "--target", "first"]), &["main", "f"]);
    assert_defines(&bench.build(&[".", "--target", "second"]), &["main", "f"]);
}

#[test]
fn a_rust_file_and_a_package() {
    let bench = Bench::new();
    bench.write("hello.rs", "fn main() { println!(\"{}\", 6 * 7); }\n");
    assert_defines(
        &bench.build(&["hello.rs"]),
        &["main", "__parallax_start", "write"],
    );
    bench.write(
        "pack/Cargo.toml",
        "[package]\nname = \"pack\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n",
    );
    bench.write("pack/src/bin/one.rs", "fn main() { println!(\"1\"); }\n");
    bench.write("pack/src/bin/two.rs", "fn main() { println!(\"2\"); }\n");
    let said = bench.parallax(&["build", "pack"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("one, two"), "{}", said.stderr);
    let one = bench.build(&["pack", "--bin", "one"]);
    assert_defines(&one, &["main", "__parallax_start"]);
    assert!(!bench.path("pack/target").exists());
    let again = bench.parallax(&["build", "pack", "--bin", "one", "--format", "json"]);
    assert!(again.stdout.contains("\"from_cache\": true"));
    bench.write("pack/src/bin/one.rs", "fn main() { println!(\"one\"); }\n");
    assert_ne!(bench.build(&["pack", "--bin", "one"]), one);
}

/// Each must end with status 2 and one message that names the cause, and leave nothing behind.
#[test]
fn bad_input() {
    let bench = Bench::new();
    bench.write("broken.c", "int main(void) { return undeclared; }\n");
    bench.write("library.c", "int twice(int x) { return 2 * x; }\n");
    bench.write("random.bc", "this is not bitcode at all");
    bench.write("empty.bc", "");
    bench.write("notes.txt", "words");
    bench.write("broken.rs", "fn main() { undeclared }\n");
    bench.write("json/compile_commands.json", "{");
    fs::create_dir(bench.path("folder")).unwrap();
    bench.write("good.c", "int main(void) { return 0; }\n");
    let whole = "clang-22 -c -emit-llvm good.c -o good.bc; head -c 1500 good.bc >cut.bc; clang-22 good.c -o native; \
        clang-22 -c -emit-llvm library.c -o library.bc; clang-22 --target=aarch64-linux-gnu -c -emit-llvm good.c -o arm.bc";
    assert_eq!(bench.shell(whole).status, 0);

    let cases: &[(&str, &[&str])] = &[
        ("absent.c", &["`absent.c` does not exist"]),
        ("broken.c", &["broken.c:1:", "undeclared"]),
        ("broken.rs", &["broken.rs:1:", "undeclared"]),
        ("library.c", &["no `main`"]),
        (
            "random.bc",
            &["`random.bc` is not usable LLVM bitcode", "clang-22"],
        ),
        ("empty.bc", &["`empty.bc` is not usable LLVM bitcode"]),
        ("cut.bc", &["`cut.bc` is not usable LLVM bitcode"]),
        ("library.bc", &["`library.bc` has no `main`"]),
        (
            "arm.bc",
            &["cannot be translated: made for aarch64", "x86_64"],
        ),
        ("notes.txt", &["`notes.txt`", "neither"]),
        ("json", &["not a usable compilation database"]),
        ("folder", &["`folder`", "parallax cc"]),
        (
            "native",
            &["`native` carries no guest code", "CC=\"parallax cc\""],
        ),
    ];
    for (input, expected) in cases {
        let said = bench.parallax(&["run", input]);
        assert_eq!(said.status, 2, "{input}: {}", said.stderr);
        assert_eq!(said.stdout, "", "{input}");
        for text in *expected {
            assert!(
                said.stderr.contains(text),
                "{input}: {} lacks {text}",
                said.stderr
            );
        }
        assert_eq!(
            said.stderr.matches("parallax: error:").count(),
            1,
            "{input}: {}",
            said.stderr
        );
    }
    let unknown = bench.parallax(&["run", "--no-such-flag", "good.c"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.stderr.contains("--no-such-flag"));
    bench.assert_no_leftovers();
}

/// Flipped bits give an error, or a program that does something else; never a crash of ours.
#[test]
fn damaged_bitcode() {
    const MUTANTS: usize = 16;
    let bench = Bench::new();
    bench.write("good.c", HELLO);
    bench.write("text.h", "#define TEXT \"hello\"\n");
    let compile = "clang-22 -g -c -emit-llvm good.c -o good.bc";
    assert_eq!(bench.shell(compile).status, 0);
    let good = fs::read(bench.path("good.bc")).unwrap();
    let mut errors = 0;
    for mutant in 0..MUTANTS {
        let mut bytes = good.clone();
        // Places spread over the file, behind the part that names the producer.
        let place = 100 + (bytes.len() - 100) * mutant / MUTANTS;
        bytes[place] ^= 1 << (mutant % 8);
        bytes[place + 1] ^= 0x55;
        fs::write(bench.path("mutant.bc"), bytes).unwrap();
        let said = bench.parallax(&["run", "mutant.bc", "--max-steps", "1000000"]);
        assert!(
            said.status >= 0 && !said.stderr.contains("panicked"),
            "byte {place}: {}",
            said.stderr
        );
        if said.stderr.contains("parallax: error:") {
            errors += 1;
            assert_eq!(said.status, 2, "byte {place}: {}", said.stderr);
            assert_eq!(said.stderr.matches("parallax: error:").count(), 1);
        }
    }
    assert!(errors > 0, "some damage is noticed");
    bench.assert_no_leftovers();
}

#[test]
fn bitcode_of_another_llvm() {
    let bench = Bench::new();
    bench.write("good.c", "int main(void) { return 0; }\n");
    assert_eq!(
        bench
            .shell("clang-22 -c -emit-llvm good.c -o good.bc")
            .status,
        0
    );
    // The producer's name is stored in six bits per character, so the digits cannot be replaced as text.
    // LLVM 14 is not asked to be installed; its identification block is short enough to be written out.
    let mut bytes = fs::read(bench.path("good.bc")).unwrap();
    let changed = replace_version(&mut bytes);
    assert!(
        changed,
        "clang-22 names its version in the identification block"
    );
    fs::write(bench.path("other.bc"), bytes).unwrap();
    let said = bench.parallax(&["build", "other.bc"]);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("LLVM92") && said.stderr.contains("LLVM 22 is needed"),
        "{}",
        said.stderr
    );
}

/// Turns `LLVM22` into `LLVM92` in the bit stream: finds the six-bit codes of "LLVM22" and changes the
/// first digit.
fn replace_version(bytes: &mut [u8]) -> bool {
    let code = |c: u8| match c {
        b'A'..=b'Z' => c - b'A' + 26,
        _ => c - b'0' + 52,
    };
    let bit = |bytes: &[u8], at: usize| bytes[at / 8] >> (at % 8) & 1;
    let wanted: Vec<u8> = b"LLVM22"
        .iter()
        .flat_map(|&c| (0..6).map(move |i| code(c) >> i & 1))
        .collect();
    for start in 0..512 {
        if (0..wanted.len()).all(|i| bit(bytes, start + i) == wanted[i]) {
            let digit = start + 4 * 6;
            for i in 0..6 {
                let at = digit + i;
                bytes[at / 8] &= !(1 << (at % 8));
                bytes[at / 8] |= (code(b'9') >> i & 1) << (at % 8);
            }
            return true;
        }
    }
    false
}

#[test]
fn the_doctor_names_what_is_missing() {
    let bench = Bench::new();
    let found = bench.parallax(&["doctor", "--format", "json"]);
    let findings: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    let finding = |what: &str| {
        findings
            .as_array()
            .unwrap()
            .iter()
            .find(|entry| entry["what"] == what)
            .unwrap()
            .clone()
    };
    assert_eq!(finding("clang")["ok"], true);
    assert_eq!(finding("guest libc")["ok"], true);
    fs::remove_file(bench.cache().join("sources")).unwrap();
    let found = bench.parallax(&["doctor"]);
    assert_eq!(found.status, 2);
    assert!(
        found.stdout.contains("MISSING  guest libc")
            && found.stdout.contains("`parallax doctor --mend` fetches it"),
        "{}",
        found.stdout
    );
    // Where it cannot be fetched, the reason is said.
    bench.write(
        "tools/apt-get",
        "#!/bin/sh\necho 'no such mirror' >&2\nexit 100\n",
    );
    let apt = bench.path("tools/apt-get");
    fs::set_permissions(&apt, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!(
        "{}:{}",
        bench.path("tools").display(),
        std::env::var("PATH").unwrap()
    );
    let mut command = bench.command(crate::support::parallax());
    let mended = said(command.args(["doctor", "--mend"]).env("PATH", path));
    assert_eq!(mended.status, 2);
    for words in ["MISSING  guest libc", "no such mirror"] {
        assert!(mended.stdout.contains(words), "{}", mended.stdout);
    }
}

/// What a build makes again can be removed, and is made again.
#[test]
fn the_cache_is_shown_and_cleared() {
    let bench = Bench::new();
    bench.write("p.c", "int main(void) { return 0; }\n");
    bench.build(&["p.c"]);
    let module = |said: &str| {
        let report: serde_json::Value = serde_json::from_str(said).unwrap();
        let kinds = report["kinds"].as_array().unwrap().clone();
        let modules = kinds.into_iter().find(|kind| kind["kind"] == "modules");
        modules.map_or(0, |kind| kind["entries"].as_u64().unwrap())
    };
    let shown = bench.parallax(&["cache", "--format", "json"]);
    assert_eq!(module(&shown.stdout), 1, "{}", shown.stdout);
    let cleared = bench.parallax(&["cache", "--clear", "--format", "json"]);
    assert_eq!(module(&cleared.stdout), 0, "{}", cleared.stdout);
    assert!(bench.cache().join("libc").exists());
    bench.build(&["p.c"]);
    let text = bench.parallax(&["cache"]).stdout;
    assert!(text.contains("modules"), "{text}");
}
