//! Each row of the table of attributes, with a pair of modules that differ in it alone.

use bitcode_reader::{ReadOptions, read_module};
use program_ir::Module;
use version_diff::attributes::{ATTRIBUTES, Attribute, Part, Treatment, table};
use version_diff::{ChangeSet, diff};

/// What a module has, `X` and `Y` being the two versions of a text in it.
struct Pair {
    of: Part,
    name: &'static str,
    text: &'static str,
    old: &'static str,
    new: &'static str,
}

const fn pair(
    of: Part,
    name: &'static str,
    text: &'static str,
    old: &'static str,
    new: &'static str,
) -> Pair {
    Pair {
        of,
        name,
        text,
        old,
        new,
    }
}

const USE: &str = "define i32 @main() {\n  %v = load volatile i32, ptr @g\n  ret i32 %v\n}\n";
const CALL: &str = "define i32 @main() {\n  %v = call CC i32 @f(i32 1)\n  ret i32 %v\n}\n";

/// Two functions whose addresses are asked for.
const FUNCTIONS: &str = "define void @first() {\n  ret void\n}\ndefine void @second() {\n  store volatile i32 1, ptr @w\n  ret void\n}\n@w = global i32 0\n";

fn pairs() -> Vec<Pair> {
    use Part::{Function, Global, Initialiser, Instruction};
    vec![
        pair(
            Global,
            "size",
            "@g = global XX zeroinitializer\nUSE",
            "[4 x i8]",
            "[8 x i8]",
        ),
        pair(
            Global,
            "constness",
            "@g = XX i32 1\nUSE",
            "global",
            "constant",
        ),
        pair(
            Global,
            "section",
            "@g = global i32 1XX\nUSE",
            "",
            ", section \"mine\"",
        ),
        pair(
            Global,
            "whether the program defines it",
            "@g = XX\ndefine i1 @main() {\n  %v = icmp eq ptr @g, null\n  ret i1 %v\n}\n",
            "extern_weak global i32",
            "global i32 0",
        ),
        pair(
            Global,
            "linkage of a definition",
            "@g = XXglobal i32 1\nUSE",
            "",
            "internal ",
        ),
        pair(
            Global,
            "visibility",
            "@g = XXglobal i32 1\nUSE",
            "",
            "hidden ",
        ),
        pair(
            Global,
            "comdat",
            "$g = comdat any\n@g = global i32 1XX\nUSE",
            "",
            ", comdat",
        ),
        pair(
            Global,
            "unnamed_addr",
            "@g = XXglobal i32 1\nUSE",
            "",
            "unnamed_addr ",
        ),
        pair(
            Global,
            "alignment",
            "@g = global i32 1, align XX\nUSE",
            "4",
            "64",
        ),
        pair(
            Global,
            "thread_local",
            "@g = XXglobal i32 1\nUSE",
            "",
            "thread_local ",
        ),
        pair(Initialiser, "bytes", "@g = global i32 XX\nUSE", "1", "2"),
        pair(
            Initialiser,
            "vectors",
            "@g = global <4 x i8> <i8 1, i8 2, i8 3, i8 XX>\nUSE",
            "4",
            "5",
        ),
        pair(
            Initialiser,
            "addresses of functions",
            "@g = global ptr @XX\nFUNCTIONSUSE",
            "first",
            "second",
        ),
        pair(
            Initialiser,
            "addresses of variables, with offsets",
            "@t = global [4 x i8] zeroinitializer\n@g = global ptr getelementptr (i8, ptr @t, i64 XX)\nUSE",
            "1",
            "2",
        ),
        pair(
            Initialiser,
            "addresses of labels",
            "@g = global ptr blockaddress(@f, %XX)\ndefine i32 @f(ptr %p) {\n  indirectbr ptr %p, [label %one, label %two]\none:\n  ret i32 1\ntwo:\n  ret i32 2\n}\nUSE",
            "one",
            "two",
        ),
        pair(
            Initialiser,
            "differences of addresses",
            "@g = global i32 trunc (i64 sub (i64 ptrtoint (ptr @XX to i64), i64 ptrtoint (ptr @g to i64)) to i32)\nFUNCTIONSUSE",
            "first",
            "second",
        ),
        pair(
            Initialiser,
            "addresses through an alias",
            "@a = alias void (), ptr @XX\n@g = global ptr @a\nFUNCTIONSUSE",
            "first",
            "second",
        ),
        pair(
            Initialiser,
            "undef and poison",
            "@g = global i32 XX\nUSE",
            "undef",
            "0",
        ),
        pair(
            Function,
            "body",
            "define i32 @f(i32 %a) {\n  ret i32 XX\n}\nCALL",
            "1",
            "2",
        ),
        pair(
            Function,
            "types of parameters and results",
            "define XX @f() {\n  ret XX 1\n}\ndefine i32 @main() {\n  call XX @f()\n  ret i32 0\n}\n",
            "i32",
            "i64",
        ),
        pair(
            Function,
            "whether it takes further arguments",
            "define i32 @f(i32 %a, ...) {\n  ret i32 1\n}\ndefine i32 @main() {\n  %v = call i32 (i32, ...) @f(i32 1XX)\n  ret i32 %v\n}\n",
            "",
            ", i32 2",
        ),
        pair(
            Function,
            "whether the program defines it",
            "XX\ndefine i1 @main() {\n  %v = icmp eq ptr @f, null\n  ret i1 %v\n}\n",
            "declare extern_weak i32 @f()",
            "define i32 @f() {\n  ret i32 0\n}",
        ),
        pair(
            Function,
            "constructors and their order",
            "@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 XX, ptr @first, ptr null }, { i32, ptr, ptr } { i32 200, ptr @second, ptr null }]\nFUNCTIONS\n@__init_array_start = external global ptr\ndefine ptr @main() {\n  %v = load ptr, ptr @__init_array_start\n  ret ptr %v\n}\n",
            "100",
            "300",
        ),
        pair(
            Function,
            "destructors and their order",
            "@llvm.global_dtors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 XX, ptr @first, ptr null }, { i32, ptr, ptr } { i32 200, ptr @second, ptr null }]\nFUNCTIONS\n@__fini_array_start = external global ptr\ndefine ptr @main() {\n  %v = load ptr, ptr @__fini_array_start\n  ret ptr %v\n}\n",
            "100",
            "300",
        ),
        pair(
            Function,
            "what an alias stands for",
            "@a = alias void (), ptr @XX\nFUNCTIONS\ndefine i32 @main() {\n  call void @a()\n  ret i32 0\n}\n",
            "first",
            "second",
        ),
        pair(
            Function,
            "what resolves an indirect function",
            "@a = ifunc void (), ptr @XX\nFUNCTIONS\ndefine ptr @one() {\n  ret ptr @first\n}\ndefine ptr @two() {\n  ret ptr @second\n}\ndefine i32 @main() {\n  call void @a()\n  ret i32 0\n}\n",
            "one",
            "two",
        ),
        pair(
            Function,
            "linkage of a definition",
            "define XX i32 @f(i32 %a) {\n  ret i32 1\n}\nCALL",
            "",
            "internal",
        ),
        pair(
            Function,
            "visibility",
            "define XX i32 @f(i32 %a) {\n  ret i32 1\n}\nCALL",
            "",
            "hidden",
        ),
        pair(
            Function,
            "section",
            "define i32 @f(i32 %a) XX {\n  ret i32 1\n}\nCALL",
            "",
            "section \"mine\"",
        ),
        pair(
            Function,
            "alignment",
            "define i32 @f(i32 %a) XX {\n  ret i32 1\n}\nCALL",
            "",
            "align 64",
        ),
        pair(
            Function,
            "calling convention",
            "define XX i32 @f(i32 %a) {\n  ret i32 1\n}\ndefine i32 @main() {\n  %v = call XX i32 @f(i32 1)\n  ret i32 %v\n}\n",
            "",
            "fastcc",
        ),
        pair(
            Function,
            "attributes such as cold, noinline, nounwind",
            "define i32 @f(i32 %a) XX {\n  ret i32 1\n}\nCALL",
            "",
            "cold noinline nounwind",
        ),
        pair(
            Function,
            "stack that a call takes",
            "define i32 @f(i32 %a) {\n  %x = alloca XX\n  store XX 0, ptr %x\n  ret i32 1\n}\nCALL",
            "i32",
            "i32",
        ),
        pair(
            Instruction,
            "operation and types",
            "define i32 @main() {\n  %v = load volatile i32, ptr @g\n  %r = XX i32 %v, 3\n  ret i32 %r\n}\n@g = global i32 1\n",
            "add",
            "sub",
        ),
        pair(
            Instruction,
            "nsw, nuw, exact",
            "define i32 @main() {\n  %v = load volatile i32, ptr @g\n  %r = add XX i32 %v, 3\n  ret i32 %r\n}\n@g = global i32 1\n",
            "",
            "nsw",
        ),
        pair(
            Instruction,
            "inbounds",
            "define ptr @main(i64 %i) {\n  %r = getelementptr XX i8, ptr @g, i64 %i\n  ret ptr %r\n}\n@g = global i32 1\n",
            "",
            "inbounds",
        ),
        pair(
            Instruction,
            "volatile",
            "define i32 @main() {\n  %v = load XX i32, ptr @g\n  ret i32 %v\n}\n@g = global i32 1\n",
            "",
            "volatile",
        ),
        pair(
            Instruction,
            "cases of a switch",
            "define i32 @main(i32 %v) {\n  switch i32 %v, label %o [ i32 XX, label %t ]\nt:\n  ret i32 1\no:\n  ret i32 0\n}\n",
            "4",
            "5",
        ),
        pair(
            Instruction,
            "arguments passed by value",
            "define i32 @f(ptr %p) {\n  ret i32 1\n}\n@g = global [8 x i8] zeroinitializer\ndefine i32 @main() {\n  %v = call i32 @f(ptr byval(XX) @g)\n  ret i32 %v\n}\n",
            "[4 x i8]",
            "[8 x i8]",
        ),
        pair(
            Instruction,
            "text of inline assembly",
            "define i32 @main() {\n  call void asm sideeffect \"XX\", \"\"()\n  ret i32 0\n}\n",
            "hlt",
            "ud2; hlt",
        ),
        pair(
            Instruction,
            "fast-math flags",
            "define double @main(double %a) {\n  %r = fadd XX double %a, 1.0\n  ret double %r\n}\n",
            "",
            "fast",
        ),
        pair(
            Instruction,
            "atomic ordering",
            "define i32 @main() {\n  %v = load atomic i32, ptr @g XX, align 4\n  ret i32 %v\n}\n@g = global i32 1\n",
            "acquire",
            "seq_cst",
        ),
        pair(
            Instruction,
            "alignment of an access",
            "define i32 @main() {\n  %v = load i32, ptr @g, align XX\n  ret i32 %v\n}\n@g = global i32 1\n",
            "1",
            "4",
        ),
        pair(
            Instruction,
            "tail",
            "define i32 @f(i32 %a) {\n  ret i32 1\n}\ndefine i32 @main() {\n  %v = XX call i32 @f(i32 1)\n  ret i32 %v\n}\n",
            "",
            "tail",
        ),
        pair(
            Instruction,
            "metadata such as !range and !prof",
            "define i32 @main() {\n  %v = load i32, ptr @gXX\n  ret i32 %v\n}\n@g = global i32 1\n!0 = !{i32 0, i32 5}\n",
            "",
            ", !range !0",
        ),
        pair(
            Instruction,
            "debug information",
            "define i32 @main() XX {\n  %v = load i32, ptr @g\n  ret i32 %v\n}\n@g = global i32 1\n!llvm.module.flags = !{!1}\n!1 = !{i32 2, !\"Debug Info Version\", i32 3}\n!llvm.dbg.cu = !{!2}\n!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, emissionKind: FullDebug)\n!3 = !DIFile(filename: \"a.c\", directory: \"/\")\n!4 = distinct !DISubprogram(name: \"main\", file: !3, line: 7, unit: !2, spFlags: DISPFlagDefinition)\n",
            "",
            "!dbg !4",
        ),
    ]
}

fn module(pair: &Pair, version: &str) -> Module {
    let text = pair.text.replace("XX", version);
    let text = text.replace("FUNCTIONS", FUNCTIONS).replace("USE", USE);
    let text = text.replace("CALL", CALL).replace(" CC ", " ");
    let text = format!("target triple = \"x86_64-unknown-linux-gnu\"\n{text}");
    read_module(text.as_bytes(), &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{:?} {}: {error}\n{text}", pair.of, pair.name))
}

fn is_change(changes: &ChangeSet, new: &Module) -> bool {
    !changes.points(new).is_empty()
}

#[test]
fn every_row_is_treated_as_it_says() {
    let pairs = pairs();
    for Attribute {
        of,
        name,
        treatment,
    } in ATTRIBUTES
    {
        let mut own = pairs
            .iter()
            .filter(|pair| pair.of == *of && pair.name == *name);
        let pair = own
            .next()
            .unwrap_or_else(|| panic!("no pair for {of:?} {name}"));
        assert!(own.next().is_none(), "two pairs for {of:?} {name}");
        let (old, mut new) = (module(pair, pair.old), module(pair, pair.new));
        if *name == "stack that a call takes" {
            for function in new.functions.values_mut() {
                function.frame_bytes += 64;
            }
        }
        for (old, new) in [(&old, &new), (&new, &old)] {
            let changes = diff(old, new);
            let expected = !matches!(treatment, Treatment::NotCompared(_));
            assert_eq!(
                is_change(&changes, new),
                expected,
                "{of:?} {name}: {changes:#?}"
            );
            assert!(
                expected || changes.is_empty(),
                "{of:?} {name}: {changes:#?}"
            );
        }
    }
    assert_eq!(pairs.len(), ATTRIBUTES.len(), "a pair without a row");
}

#[test]
fn the_documentation_has_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/comparison.md");
    let text = std::fs::read_to_string(path).expect("the page is there");
    let table = table();
    assert!(
        text.contains(&table),
        "docs/comparison.md must have this table:\n{table}"
    );
}
