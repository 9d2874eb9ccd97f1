//! Renamed, moved and re-signatured functions are compared with their former selves; the
//! common input space says which parameter is which.

use crate::c_source::compile;
use program_ir::Module;
use std::collections::BTreeSet;
use version_diff::{ChangeSet, MatchKind, StatementKind, diff};

fn names(module: &Module, funcs: &[program_ir::Func]) -> Vec<String> {
    funcs
        .iter()
        .map(|&func| module.functions[func].name.clone())
        .collect()
}

fn kind_of(changes: &ChangeSet, new: &Module, name: &str) -> Option<MatchKind> {
    let func = new.function_named(name)?;
    changes
        .matches
        .iter()
        .find(|found| found.new == func)
        .map(|found| found.kind)
}

fn changed_lines(changes: &ChangeSet, new: &Module, name: &str) -> Vec<(StatementKind, u32)> {
    let func = new.function_named(name).expect("the function exists");
    let statements = changes
        .function(func)
        .map(|change| change.statements.clone());
    statements
        .unwrap_or_default()
        .iter()
        .map(|statement| (statement.kind, statement.new.expect("it has a line").line))
        .collect()
}

const SUM: &str = "
extern void put(int);
static int sum(const int *numbers, int count) {
  int total = 0;
  for (int i = 0; i < count; i++)
    total += numbers[i];
  if (total < 0)
    put(-1);
  return total;
}
int main(void) { int some[3] = {1, 2, 3}; put(sum(some, 3)); return 0; }
";

#[test]
fn a_renamed_and_changed_function_is_one_change() {
    let old = compile("sum.c", SUM);
    let text = SUM
        .replace("sum(", "add_up(")
        .replace("total += numbers[i];", "total += numbers[i] * 2;");
    let new = compile("sum.c", &text);
    let changes = diff(&old, &new);
    assert_eq!(kind_of(&changes, &new, "add_up"), Some(MatchKind::Renamed));
    assert!(changes.added_functions.is_empty() && changes.removed_functions.is_empty());
    assert_eq!(
        changed_lines(&changes, &new, "add_up"),
        [(StatementKind::Modified, 6)]
    );
    assert_eq!(changed_lines(&changes, &new, "main"), []);
}

#[test]
fn unrelated_functions_are_not_matched() {
    let old = compile("sum.c", SUM);
    let text = "
extern void put(int);
static void shout(char *text) { while (*text) { if (*text >= 'a' && *text <= 'z') *text -= 32; text++; } }
int main(void) { char word[] = \"x\"; shout(word); put(word[0]); return 0; }
";
    let new = compile("sum.c", text);
    let changes = diff(&old, &new);
    assert_eq!(names(&new, &changes.added_functions), ["shout"]);
    assert_eq!(names(&old, &changes.removed_functions), ["sum"]);
}

#[test]
fn an_added_parameter_leaves_the_others_common() {
    let old = compile("sum.c", SUM);
    let text = SUM
        .replace(
            "(const int *numbers, int count)",
            "(const int *numbers, int start, int count)",
        )
        .replace("int i = 0;", "int i = start;")
        .replace("sum(some, 3)", "sum(some, 0, 3)");
    let new = compile("sum.c", &text);
    let changes = diff(&old, &new);
    assert_eq!(
        kind_of(&changes, &new, "sum"),
        Some(MatchKind::OtherSignature)
    );
    let sum = changes
        .function(new.function_named("sum").expect("it exists"))
        .expect("it changed");
    assert_eq!(sum.inputs.old_of_new, [Some(0), None, Some(1)]);
    assert_eq!(sum.inputs.only_new, [1]);
    assert!(sum.inputs.only_old.is_empty());
    // The call passes something else; nothing but the loop's start changed inside.
    assert_eq!(changed_lines(&changes, &new, "main").len(), 1);
    assert_eq!(sum.statements.len(), 1, "{:?}", sum.statements);
}

#[test]
fn reordered_parameters_with_reordered_calls_are_no_change_of_behaviour() {
    let text = |parameters: &str, arguments: &str| {
        format!(
            "extern void put(int);
static int minus(int {parameters}) {{ return left - right; }}
int main(int count, char **words) {{ put(minus({arguments})); return 0; }}"
        )
    };
    let old = compile("minus.c", &text("left, int right", "count, 1"));
    let new = compile("minus.c", &text("right, int left", "1, count"));
    let changes = diff(&old, &new);
    assert!(
        changes.points(&new).is_empty(),
        "{:?}",
        changes.points(&new)
    );
    let minus = changes.function(new.function_named("minus").expect("it exists"));
    assert_eq!(
        minus.expect("its inputs moved").inputs.old_of_new,
        [Some(1), Some(0)]
    );
    // Calls that stayed as they were now pass something else.
    let new = compile("minus.c", &text("right, int left", "count, 1"));
    let changes = diff(&old, &new);
    assert_eq!(changed_lines(&changes, &new, "main").len(), 1);
}

#[test]
fn a_deletion_leaves_a_marker() {
    let text = |check: &str| {
        format!(
            "extern void put(int);
int main(int count, char **words) {{
  put(1);
{check}
  put(2);
  return 0;
}}"
        )
    };
    let old = compile("check.c", &text("  if (count > 5) return 1;"));
    let new = compile("check.c", &text(""));
    let changes = diff(&old, &new);
    let main = changes
        .function(new.function_named("main").expect("it exists"))
        .expect("it changed");
    let [statement] = main.statements.as_slice() else {
        panic!("one deletion: {:?}", main.statements);
    };
    assert_eq!(statement.kind, StatementKind::Deleted);
    assert_eq!(statement.old.map(|line| line.line), Some(4));
    // It would stand before what now comes next.
    assert_eq!(statement.new.map(|line| line.line), Some(5));
    assert_eq!(statement.points.len(), 1);
}

#[test]
fn functions_of_one_name_in_several_files_are_told_apart() {
    // As a linker leaves them: the second one gets a number, whichever it is.
    let helper = |name: &str, file: &str, line: u32, number: u32| {
        format!(
            "# {line} \"{file}\"
static int {name}(int n) {{ return n + {number}; }}
int use_{file_stem}(int n) {{ return {name}(n); }}
",
            file_stem = file.trim_end_matches(".c")
        )
    };
    let old_text = format!(
        "{}{}",
        helper("helper", "one.c", 1, 1),
        helper("helper_", "two.c", 1, 2)
    );
    let new_text = format!(
        "{}{}",
        helper("helper", "two.c", 1, 2),
        helper("helper_", "one.c", 1, 1)
    );
    let mut old = compile("linked.c", &old_text);
    let mut new = compile("linked.c", &new_text);
    for module in [&mut old, &mut new] {
        for function in module.functions.values_mut() {
            if function.name == "helper_" {
                function.name = "helper.1".into();
            }
        }
    }
    let changes = diff(&old, &new);
    let affected: BTreeSet<String> = names(
        &new,
        &changes.affected_functions().into_iter().collect::<Vec<_>>(),
    )
    .into_iter()
    .collect();
    assert!(changes.is_empty(), "{affected:?}");
}

#[test]
fn moved_lines_in_rust_are_no_change() {
    let compile_rust = |text: &str| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("demo.rs"), text).expect("written");
        let output = std::process::Command::new("rustc")
            .args([
                "--crate-type=lib",
                "--emit=llvm-bc",
                "-g",
                "-C",
                "codegen-units=1",
            ])
            .args(["--edition=2024", "-o", "demo.bc", "demo.rs"])
            .current_dir(folder.path())
            .output()
            .expect("rustc is installed");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let bytes = std::fs::read(folder.path().join("demo.bc")).expect("rustc wrote it");
        bitcode_reader::read_module(&bytes, &bitcode_reader::ReadOptions::default())
            .expect("rustc's bitcode can be read")
    };
    let text = "pub fn pick(list: &[u32], at: usize) -> u32 { let found = list[at]; found / 3 }\n\
                pub fn name(word: &str) -> String { format!(\"<{word}>\") }\n";
    let old = compile_rust(text);
    let moved = text
        .replace("found", "picked")
        .replace("{ let", "{\n\n  // here\n  let");
    let new = compile_rust(&moved);
    let changes = diff(&old, &new);
    let described: Vec<_> = changes
        .functions
        .iter()
        .map(|change| (&new.functions[change.new].name, &change.statements))
        .collect();
    assert!(changes.is_empty(), "{described:?}");
    let edited = compile_rust(&text.replace("/ 3", "/ 4"));
    let changes = diff(&old, &edited);
    let affected = names(
        &edited,
        &changes.affected_functions().into_iter().collect::<Vec<_>>(),
    );
    assert!(
        affected.len() == 1 && affected[0].contains("pick"),
        "{affected:?}"
    );
}
