//! Addresses that are not those of variables: of labels, and of symbols that nobody defines.

use crate::c_source::compile;
use version_diff::{GlobalDifference, diff};

const JUMP: &str = "int run(int i) {\n  static const void *const table[] = {TABLE};\n  goto *table[i & 1];\nONE: return 10;\nTWO: return 20;\n}\nint main(void) { return run(1); }\n";

/// `ONE` and `TWO` in the order of `first`, with a table of both.
fn jumps(table: &str, swapped: bool) -> String {
    let text = JUMP.replace("TABLE", table);
    match swapped {
        true => text.replace(
            "ONE: return 10;\nTWO: return 20;",
            "TWO: return 20;\nONE: return 10;",
        ),
        false => text,
    }
}

#[test]
fn the_same_labels_are_no_change() {
    let text = jumps("&&ONE, &&TWO", false);
    let changes = diff(&compile("a.c", &text), &compile("a.c", &text));
    assert!(changes.is_empty(), "{changes:?}");
}

#[test]
fn a_table_of_other_labels_is_a_change() {
    let old = compile("a.c", &jumps("&&ONE, &&TWO", false));
    let new = compile("a.c", &jumps("&&TWO, &&ONE", false));
    let changes = diff(&old, &new);
    let table = changes.globals.iter().find(|change| change.new.is_some());
    let table = table.expect("the table has changed");
    assert_eq!(table.differences, [GlobalDifference::Initialiser]);
    assert!(!table.users.is_empty(), "the jump depends on the table");
}

#[test]
fn labels_in_another_order_of_blocks_are_no_counterparts() {
    // The numbers of the blocks in the table are the same in both versions.
    let old = compile("a.c", &jumps("&&ONE, &&TWO", false));
    let new = compile("a.c", &jumps("&&TWO, &&ONE", true));
    for (old, new) in [(&old, &new), (&new, &old)] {
        let changes = diff(old, new);
        let table = changes.globals.iter().find(|change| change.new.is_some());
        let table = table.expect("the table has changed");
        assert!(!table.users.is_empty(), "the jump depends on the table");
    }
}

#[test]
fn labels_of_a_changed_function_are_no_counterparts_elsewhere() {
    let text = "void *place;\nint run(int i) {\n  place = &&ONE;\n  if (i == EDIT) goto *place;\nONE: return i;\n}\n\
                static void *const *const where = &place;\nint main(void) { return run(1) + (*where == 0); }\n";
    let old = compile("a.c", &text.replace("EDIT", "4"));
    let new = compile("a.c", &text.replace("EDIT", "5"));
    let changes = diff(&old, &new);
    let run = new.function_named("run").expect("it is there");
    let points = changes.points(&new);
    let stores = points[&run].iter().filter(|point| {
        let data = &new.functions[run].insts[point.inst].data;
        matches!(data, program_ir::InstData::Store { .. })
    });
    assert_eq!(stores.count(), 1, "what keeps the label is a change");
}

#[test]
fn a_weak_function_that_is_defined_now_changes_who_asks_for_it() {
    let declared = "extern void hook(void) __attribute__((weak));\nint main(void) { if (hook) hook(); return 0; }\n";
    let defined = "void hook(void) {}\nint main(void) { if (hook) hook(); return 0; }\n".replace(
        "if (hook)",
        // Without this, the compiler knows the answer.
        "void (*volatile asked)(void) = hook; if (asked)",
    );
    let declared = declared.replace(
        "if (hook)",
        "void (*volatile asked)(void) = hook; if (asked)",
    );
    let (old, new) = (compile("a.c", &declared), compile("a.c", &defined));
    for (old, new) in [(&old, &new), (&new, &old)] {
        let main = new.function_named("main").expect("it is there");
        let points = diff(old, new).points(new);
        assert!(points.contains_key(&main), "main takes another address");
    }
}

#[test]
fn a_weak_variable_that_is_defined_now_changes_who_asks_for_it() {
    let program = "int main(void) { int *volatile asked = &extra; return asked != 0; }\n";
    let old = compile(
        "a.c",
        &format!("extern int extra __attribute__((weak));\n{program}"),
    );
    let new = compile("a.c", &format!("int extra;\n{program}"));
    for (old, new) in [(&old, &new), (&new, &old)] {
        let main = new.function_named("main").expect("it is there");
        let points = diff(old, new).points(new);
        assert!(points.contains_key(&main), "main takes another address");
    }
}

#[test]
fn two_functions_without_counterpart_are_not_the_same() {
    let program =
        "extern int NAME(int);\nint main(int count, char **all) { return NAME(count); }\n";
    let old = compile("a.c", &program.replace("NAME", "first_one"));
    let new = compile("a.c", &program.replace("NAME", "second_one"));
    let main = new.function_named("main").expect("it is there");
    assert!(diff(&old, &new).points(&new).contains_key(&main));
}

#[test]
fn an_added_parameter_that_is_a_struct_is_a_change_of_the_call() {
    let old = "#include <stdio.h>\nstatic void f(int n) { printf(\"%d\\n\", n); }\n\
               int main(int c, char **v) { if (c < 2) return 1; f(v[1][0] & 3); return 0; }\n";
    let new = "#include <stdio.h>\nstruct l { unsigned long p, s; };\n\
               static void f(struct l l, int n) { printf(\"%d\\n\", n + (int)l.s); }\n\
               int main(int c, char **v) { struct l l = { 0, 0 }; if (c < 2) return 1; f(l, v[1][0] & 3); return 0; }\n";
    let (old, new) = (compile("a.c", old), compile("a.c", new));
    for (old, new) in [(&old, &new), (&new, &old)] {
        let main = new.function_named("main").expect("it is there");
        assert!(diff(old, new).points(new).contains_key(&main));
    }
}
