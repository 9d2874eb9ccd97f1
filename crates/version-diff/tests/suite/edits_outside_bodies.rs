//! Edits outside function bodies are changes of the functions that they reach.

use crate::c_source::compile_with;
use std::collections::BTreeSet;
use version_diff::diff;

const HEADER: &str = "\
#define SIZE 8
#define STEP(x) ((x) + 1)
#define GREETING \"hello\"
enum colour { RED, GREEN = 5, BLUE };
typedef int amount;
typedef unsigned char byte;
struct point { int x; int y; };
struct row { struct point at; char tag; long weight; };
struct flags { unsigned open : 1; unsigned shut : 1; };
union cell { int whole; char parts[4]; };
static inline int twice(int n) { return n * 2; }
static inline int thrice(int n) { return n * 3; }
extern void show(const char *text, long number);
";

const SOURCE: &str = "\
#include \"shared.h\"
int limit = 10;
static const int weights[4] = {1, 2, 3, 4};
static const char *const names[] = {\"one\", \"two\"};
static int (*const operation)(int) = twice;
static struct point origin = {1, 2};
char buffer[SIZE];
const double factor = 1.5;
static int hidden;
int *const pointer = &hidden;

int use_limit(void) { return limit; }
int use_weight(int i) { return weights[i & 3]; }
const char *use_name(int i) { return names[i & 1]; }
int use_operation(int i) { return operation(i); }
int use_origin(void) { return origin.y; }
void use_buffer(int i) { buffer[i] = 1; }
double use_factor(void) { return factor; }
int use_size(void) { return SIZE; }
int use_step(int i) { return STEP(i); }
void use_greeting(void) { show(GREETING, 0); }
int use_colour(int c) { return c == GREEN; }
int use_blue(void) { return BLUE; }
int use_amount(int i) { amount a = i; return a / 3; }
int use_byte(int i) { byte b = i; return b; }
int use_point(struct point *p) { return p->y; }
long use_row(struct row *r) { return r->weight; }
int use_flags(struct flags *f) { return f->shut; }
int use_union(union cell *c) { return sizeof *c + c->parts[0]; }
int use_twice(int i) { return twice(i); }
int use_thrice(int i) { return thrice(i); }
int *use_pointer(void) { return pointer; }
int use_nothing(int i) { return i; }
int main(void) { return use_limit() + use_nothing(1); }
";

#[test]
fn each_edit_points_at_the_functions_it_reaches() {
    // What is edited (in the header or the source), and the functions that must be named.
    // Others may not.
    let edits: [(&str, &str, &[&str]); 30] = [
        (
            "#define SIZE 8",
            "#define SIZE 9",
            &["use_size", "use_buffer"],
        ),
        ("((x) + 1)", "((x) + 2)", &["use_step"]),
        ("((x) + 1)", "((x) - 1)", &["use_step"]),
        ("\"hello\"", "\"hallo\"", &["use_greeting"]),
        ("GREEN = 5", "GREEN = 6", &["use_colour", "use_blue"]),
        (
            "enum colour { RED, GREEN = 5, BLUE }",
            "enum colour { RED, GREEN = 5, GREY, BLUE }",
            &["use_blue"],
        ),
        (
            "typedef int amount",
            "typedef unsigned amount",
            &["use_amount"],
        ),
        (
            "typedef int amount",
            "typedef short amount",
            &["use_amount"],
        ),
        (
            "typedef unsigned char byte",
            "typedef signed char byte",
            &["use_byte"],
        ),
        (
            "typedef unsigned char byte",
            "typedef unsigned short byte",
            &["use_byte"],
        ),
        (
            "struct point { int x; int y; }",
            "struct point { int y; int x; }",
            &["use_point", "use_origin"],
        ),
        (
            "struct point { int x; int y; }",
            "struct point { int x; int z; int y; }",
            &["use_point", "use_origin"],
        ),
        (
            "char tag; long weight",
            "long weight; char tag",
            &["use_row"],
        ),
        (
            "char tag; long weight",
            "char tag[20]; long weight",
            &["use_row"],
        ),
        ("long weight", "int weight", &["use_row"]),
        ("unsigned open : 1", "unsigned open : 2", &["use_flags"]),
        ("char parts[4]", "char parts[5]", &["use_union"]),
        ("return n * 2;", "return n << 2;", &["twice"]),
        ("return n * 3;", "return n + n + n;", &["thrice"]),
        (
            "static inline int thrice(int n)",
            "static inline int thrice(long n)",
            &["thrice", "use_thrice"],
        ),
        ("int limit = 10", "int limit = 11", &["use_limit"]),
        ("{1, 2, 3, 4}", "{1, 2, 30, 4}", &["use_weight"]),
        ("\"two\"", "\"deux\"", &["use_name"]),
        ("= twice;", "= thrice;", &["use_operation"]),
        ("origin = {1, 2}", "origin = {1, 3}", &["use_origin"]),
        (
            "char buffer[SIZE]",
            "char buffer[SIZE + 1]",
            &["use_buffer"],
        ),
        ("factor = 1.5", "factor = 1.25", &["use_factor"]),
        (
            "static int hidden;",
            "static int hidden = 4;",
            &["use_pointer"],
        ),
        (
            "static const int weights",
            "static const short weights",
            &["use_weight"],
        ),
        ("pointer = &hidden", "pointer = &limit", &["use_pointer"]),
    ];
    let old = compile_with("edited.c", SOURCE, &[("shared.h", HEADER)]);
    for (from, to, expected) in edits {
        let found = HEADER.matches(from).count() + SOURCE.matches(from).count();
        assert_eq!(found, 1, "{from} is in one place");
        let (header, source) = (HEADER.replace(from, to), SOURCE.replace(from, to));
        let new = compile_with("edited.c", &source, &[("shared.h", &header)]);
        let changes = diff(&old, &new);
        assert!(!changes.is_empty(), "{from} → {to}");
        let affected = changes.affected_functions();
        let named: BTreeSet<&str> = affected
            .iter()
            .map(|&func| new.functions[func].name.as_str())
            .collect();
        let expected: BTreeSet<&str> = expected.iter().copied().collect();
        assert_eq!(named, expected, "{from} → {to}");
    }
}
