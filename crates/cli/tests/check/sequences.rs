//! `parallax check OLD NEW --sequence TYPE` as a user calls it.

use crate::support::{Bench, Said};

/// The tree of DiffGen's paper (Figure 1): whether an equal key goes to the left is only seen with two of them.
const TREE: &str = "
#include <stdlib.h>
struct node { int key; struct node *left, *right; };
struct tree { struct node *root; int count; };
struct tree *tree_new(void) { return calloc(1, sizeof(struct tree)); }
void tree_insert(struct tree *tree, int key) {
    struct node **place = &tree->root;
    while (*place) place = key < (*place)->key ? &(*place)->left : &(*place)->right;
    *place = calloc(1, sizeof(struct node));
    (*place)->key = key;
    tree->count++;
}
int tree_count(const struct tree *tree) { return tree->count; }
int tree_has(const struct tree *tree, int key) {
    const struct node *node = tree->root;
    while (node && node->key != key) node = key < node->key ? node->left : node->right;
    return node != NULL;
}
";

const STACK: &str = "
#include <stdlib.h>
typedef struct stack { int items[3], count; } Stack;
Stack *stack_new(void) { return calloc(1, sizeof(Stack)); }
int stack_push(Stack *stack, int item) {
    if (stack->count == 3) return 0;
    stack->items[stack->count++] = item;
    return 1;
}
int stack_pop(Stack *stack) {
    if (stack->count == 0) return -1;
    int item = stack->items[--stack->count];
    stack->items[stack->count] = 0;
    return item;
}
int stack_count(const Stack *stack) { return stack->count; }
void stack_free(Stack *stack) { free(stack); }
";

fn bench(old: &str, from: &str, to: &str) -> Bench {
    assert_eq!(old.matches(from).count(), 1, "{from}");
    let bench = Bench::new();
    bench.write("old.c", old);
    bench.write("new.c", &old.replace(from, to));
    bench
}

fn check(bench: &Bench, arguments: &[&str]) -> Said {
    bench.parallax(&[&["check", "old.c", "new.c"], arguments].concat())
}

fn says(said: &Said, all: &[&str]) {
    let text = format!("{}{}", said.stdout, said.stderr);
    for words in all {
        assert!(text.contains(words), "{words}:\n{text}");
    }
}

#[test]
fn an_equal_key_needs_two_calls() {
    let bench = bench(TREE, "place = key < (*place)", "place = key <= (*place)");
    let one = check(&bench, &["--sequence", "tree", "--length", "1"]);
    assert_ne!(one.status, 1, "{}", one.stdout);
    let said = check(&bench, &["--sequence", "tree", "--format", "json"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let report = said.json();
    let call = &report["differences"][0]["input"]["call"];
    assert_eq!(
        call["text"],
        "t = tree_new(); tree_insert(t, 0); tree_insert(t, 0)"
    );
    assert_eq!(call["sequence"].as_array().unwrap().len(), 3);
    assert_eq!(report["differences"][0]["confirmed_natively"], true);
}

#[test]
fn a_report_reads_as_code() {
    let bench = bench(
        STACK,
        "int item = stack->items[--stack->count];",
        "--stack->count; int item = 0;",
    );
    let said = check(&bench, &["--sequence", "Stack", "--length", "2"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let shown = said.stdout.split("\n\n").nth(1).unwrap();
    assert_eq!(
        shown,
        "1. call 3 differs, seen natively
   input: s = stack_new(); stack_push(s, 1); stack_pop(s)
   old: stack_pop(s) returns 1
   new: stack_pop(s) returns 0
                             ^
   changed lines behind it:
     new.c:12 in stack_pop  | --stack->count; int item = 0;
   reproduce: sh .parallax/check/new.stack-sequences/001/reproduce.sh"
    );
    let script = bench.shell("sh .parallax/check/new.stack-sequences/001/reproduce.sh");
    assert_eq!(script.status, 1, "{}{}", script.stdout, script.stderr);
    says(&script, &["call 3"]);
}

#[test]
fn what_is_proved_names_functions_and_length() {
    let bench = bench(
        STACK,
        "if (stack->count == 3) return 0;",
        "if (stack->count > 2) return 0;",
    );
    let said = check(&bench, &["--sequence", "struct stack", "--length", "2"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    says(
        &said,
        &[
            "equivalent: sequences of up to 2 calls on struct stack",
            "sequences that begin with stack_new",
            "then up to 2 calls of stack_push, stack_pop",
            "of stack_free at most one, which is the last call",
            "at the end stack_count",
        ],
    );
}

/// The same things kept in another way are the same if only calls are compared.
#[test]
fn objects_may_be_left_to_calls() {
    let cleared = "stack->items[stack->count] = 0;";
    let bench = bench(STACK, cleared, "");
    let flags = ["--sequence", "stack", "--length", "2"];
    let said = check(&bench, &flags);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    says(&said, &["s at the end differs"]);
    bench.write("parallax.toml", "[sequence.stack]\ncompare = \"calls\"\n");
    let said = check(&bench, &flags);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    says(
        &said,
        &["objects are compared by what calls give out alone"],
    );
}

#[test]
fn who_knows_better_says_what_functions_are_for() {
    let pushed = "stack->items[stack->count++] = item;";
    let bench = bench(
        STACK,
        pushed,
        "stack->items[stack->count] = item; stack->count += 1;",
    );
    bench.write(
        "parallax.toml",
        "[sequence.\"struct stack\"]\nleave_out = [\"stack_pop\"]\nassume = { stack_push = \"item > 0\" }\n",
    );
    let said = check(&bench, &["--sequence", "stack", "--length", "1"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    says(&said, &["of stack_push;", "stack_push only where item > 0"]);
    bench.write(
        "parallax.toml",
        "[sequence.stack]\nmutators = [\"stack_clear\"]\n",
    );
    let said = check(&bench, &["--sequence", "stack"]);
    assert_eq!(said.status, 2);
    says(&said, &["`stack_clear`, which `parallax.toml`"]);
}

#[test]
fn what_cannot_be_called_is_said() {
    let visit = "void stack_visit(Stack *stack, void (*visit)(int)) { visit(stack->count); }\nvoid stack_free(";
    let bench = bench(STACK, "void stack_free(", visit);
    let old = STACK.replace(
        "void stack_free(",
        "int stack_sum(const Stack *s) { return s->count; }\nvoid stack_free(",
    );
    bench.write("old.c", &old.replace("void stack_free(", visit));
    let said = check(&bench, &["--sequence", "stack", "--length", "1"]);
    says(
        &said,
        &[
            "not called: stack_sum: it is only in the old version",
            "not called: stack_visit: its parameter `visit` is a pointer to a function",
        ],
    );
}

#[test]
fn bad_input_is_answered() {
    let bench = bench(STACK, "return -1;", "return -2;");
    for (arguments, words) in [
        (&["--sequence", "stak"][..], "similar: `struct stack`"),
        (&["--sequence", "struct queue"], "there is no struct"),
        (
            &["--sequence", "stack", "--fn", "stack_pop"],
            "cannot be used with",
        ),
        (&["--length", "2"], "--sequence"),
        (&["--sequence", "stack", "--length", "33"], "33"),
        (
            &["--sequence", "stack", "--fn-assume", "item > 0"],
            "FUNCTION: CONDITION",
        ),
        (
            &["--sequence", "stack", "--fn-assume", "stack_push: item >"],
            "the compiler says",
        ),
        (
            &["--sequence", "stack", "--fn-assume", "stack_put: item > 0"],
            "`stack_push`",
        ),
    ] {
        let said = check(&bench, arguments);
        assert_eq!(said.status, 2, "{arguments:?}: {}", said.stdout);
        says(&said, &[words]);
    }
    let only = STACK.replace("Stack *stack_new(void)", "static Stack *stack_new(void)");
    bench.write("old.c", &only);
    bench.write("new.c", &only);
    let said = check(&bench, &["--sequence", "stack"]);
    assert_eq!(said.status, 2);
    says(&said, &["nothing makes a `struct stack`", "constructors ="]);
}

const LIST: &str = "
#include <stdlib.h>
typedef struct node { int value; struct node *next; } Node;
Node *list_insert(Node *list, int value) {
    Node *node = calloc(1, sizeof *node);
    node->value = value;
    node->next = list;
    return node;
}
const Node *list_find(const Node *list, int value) {
    while (list && list->value != value) list = list->next;
    return list;
}
void list_append(Node **list, Node **other) {
    while (*list) list = &(*list)->next;
    *list = *other;
    *other = NULL;
}
";

const EMPTY: &str = "[sequence.Node]\nconstructors = [\"NULL\"]\n";

/// Two nodes with the same value are two: it counts which of them is found.
#[test]
fn a_pointer_that_is_given_points_to_a_place() {
    let last = "const Node *found = NULL;
    for (; list; list = list->next) if (list->value == value) found = list;
    return found;";
    let found = "while (list && list->value != value) list = list->next;
    return list;";
    let bench = bench(LIST, found, last);
    bench.write("parallax.toml", EMPTY);
    let said = check(&bench, &["--sequence", "Node", "--length", "2"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    says(
        &said,
        &["n = list_insert(n, 0); n = list_insert(n, 0); list_find(n, 0)"],
    );
}

/// Objects that begin as NULL, two of them.
#[test]
fn a_call_may_take_two_objects() {
    let bench = bench(LIST, "    *other = NULL;\n", "");
    bench.write("parallax.toml", EMPTY);
    let said = check(&bench, &["--sequence", "Node", "--length", "3"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    says(&said, &["n2 = NULL;", "list_append("]);
}

/// The baseline finds what a path of one version shows, and proves nothing.
#[test]
fn versions_are_tested_one_by_one() {
    let found = bench(STACK, "return -1;", "return -2;");
    let flags = ["--sequence", "stack", "--length", "1", "--separate"];
    assert_eq!(check(&found, &flags).status, 1);
    let same = bench(
        STACK,
        "if (stack->count == 3) return 0;",
        "if (stack->count > 2) return 0;",
    );
    let said = check(&same, &flags);
    assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
}
