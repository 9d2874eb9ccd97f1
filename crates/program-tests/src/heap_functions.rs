//! Random pairs of functions over lists, arrays and a global, with so few values that all their inputs can be run natively: pointers that
//! are NULL or the same, nodes that are made, linked to each other and put into a ring. Half of the edits keep their meaning.
//!
//! [`enumeration`] is the program that runs all inputs. It knows nothing of Parallax: it builds both heaps itself, and tells them apart by
//! trying to map one to the other, node by node from the roots, rather than by writing them down.

use std::fmt::Write;

use crate::chance::Chance;

/// What both versions begin with.
pub const COMMON: &str = "#include <stdlib.h>\n\
     struct node { unsigned v : 1; struct node *next; };\n\
     static struct node *head; static _Bool flag;\n\
     void keep(struct node *n, _Bool f) { head = n; flag = f; }\n";

/// A function of both versions, as text behind its name.
pub struct HeapFunctions {
    pub old: String,
    pub new: String,
}

/// Parameters, as declared; `c` is an array of two.
const PARAMETERS: &str = "(struct node *a, struct node *b, _Bool *c, _Bool x)";

pub fn heap_functions(chance: &mut Chance) -> HeapFunctions {
    let mut old: Vec<String> = Vec::new();
    for _ in 0..chance.between(1, 4) {
        old.push(statement(chance));
    }
    let mut new = old.clone();
    let keeps = chance.one_in(2);
    for _ in 0..chance.between(1, 2) {
        let at = chance.below(new.len() as u64) as usize;
        match (keeps, chance.below(3)) {
            (true, 0) => new[at] = format!("if (!x) {{ {0} }} else {{ {0} }}", new[at]),
            (true, 1) => new[at] = format!("if (a != b || a == b) {{ {} }}", new[at]),
            (true, _) => new.insert(at, "x = !x; x = !x;".to_owned()),
            (false, 0) => new[at] = statement(chance),
            (false, 1) => new[at] = format!("if ({}) {{ {} }}", condition(chance), new[at]),
            (false, _) => new.insert(at, statement(chance)),
        }
    }
    let last = returned(chance);
    let other = match !keeps && chance.one_in(3) {
        true => returned(chance),
        false => last.clone(),
    };
    let text = |statements: &[String], last: &str| {
        let mut text = format!("{PARAMETERS} {{\n    struct node *n, *made = 0;\n");
        for statement in statements {
            let _ = writeln!(text, "    {statement}");
        }
        let _ = writeln!(text, "    {last}\n}}");
        text
    };
    HeapFunctions {
        old: text(&old, &last),
        new: text(&new, &other),
    }
}

fn bit(chance: &mut Chance) -> &'static str {
    chance.pick(&[
        "x",
        "!x",
        "0",
        "1",
        "c[0]",
        "c[1]",
        "flag",
        "(a == b)",
        "(head != 0)",
        "(a && a->v)",
        "(b && b->next)",
    ])
}

fn condition(chance: &mut Chance) -> String {
    let (one, other) = (bit(chance), bit(chance));
    match chance.below(4) {
        0 => format!("{one} && {other}"),
        1 => format!("{one} != {other}"),
        _ => one.to_owned(),
    }
}

fn node(chance: &mut Chance) -> &'static str {
    chance.pick(&["a", "b", "head", "made"])
}

fn pointer(chance: &mut Chance) -> String {
    let node = node(chance);
    match chance.below(4) {
        0 => "0".to_owned(),
        1 => format!("({node} ? {node}->next : 0)"),
        _ => node.to_owned(),
    }
}

fn statement(chance: &mut Chance) -> String {
    let (node, bit) = (node(chance), bit(chance));
    match chance.below(9) {
        0 => format!("if ({node}) {node}->v = {bit};"),
        1 => format!("if ({node}) {node}->next = {};", pointer(chance)),
        2 => format!(
            "made = malloc(sizeof *made); made->v = {bit}; made->next = {};",
            pointer(chance)
        ),
        3 => format!("c[{}] = {bit};", chance.below(2)),
        4 => format!("flag = {bit};"),
        5 => format!("head = {};", pointer(chance)),
        6 => format!(
            "for (n = {node}; n && n->next && n->v; n = n->next) {{ n->v = 0; x = {bit}; }}"
        ),
        7 => format!("if ({}) {{ n = a; a = b; b = n; }}", condition(chance)),
        _ => format!("if ({}) {{ {} }}", condition(chance), statement(chance)),
    }
}

fn returned(chance: &mut Chance) -> String {
    format!("return {};", pointer(chance))
}

/// A program that prints for each pair of functions `o0`, `n0`, `o1`, … how many of its inputs differ.
///
/// The inputs are those of `--fn-depth 2 --fn-array 2 --fn-null`: `a` and `b` are NULL or lists of one or two nodes, `b` may be a node of `a`; `c` has
/// two elements (NULL is left out by an assumption); `head` is such a list, NULL, or a node of `a` or `b`.
pub fn enumeration(pairs: &[HeapFunctions]) -> String {
    let mut text = COMMON.to_owned();
    for (number, pair) in pairs.iter().enumerate() {
        for (name, body) in [("o", &pair.old), ("n", &pair.new)] {
            let _ = writeln!(text, "struct node *{name}{number}{body}");
        }
    }
    text += ENUMERATION;
    let names = (0..pairs.len()).map(|number| format!("{{o{number}, n{number}}}"));
    let names: Vec<String> = names.collect();
    let _ = writeln!(
        text,
        "int main(void) {{ call *all[][2] = {{{}}}; for (int i = 0; i < {}; i++) printf(\"%d\\n\", differing(all[i])); return 0; }}",
        names.join(", "),
        pairs.len()
    );
    text
}

const ENUMERATION: &str = r#"
#include <stdio.h>
#include <string.h>
typedef struct node *call(struct node *, struct node *, _Bool *, _Bool);
/* A list by number: NULL, one node, two nodes, and their values. */
enum { LISTS = 7, A = 0, B = 2, HEAD = 4, OWN = 6 };
struct side { struct node nodes[OWN]; _Bool c[2], is_there, flag; struct node *result, *head; };

static struct node *list(struct side *side, int first, int number)
{
    struct node *nodes = side->nodes + first;
    if (number == 0) return NULL;
    nodes[0].v = (number - 1) & 1;
    if (number > 2) nodes[0].v = (number - 3) & 1, nodes[1].v = (number - 3) >> 1, nodes[0].next = &nodes[1];
    return nodes;
}

/* The first or second node of a list, if that has one. */
static struct node *element(struct side *side, int first, int number, int at)
{
    int count = number == 0 || number >= LISTS ? 0 : number < 3 ? 1 : 2;
    return at < count ? side->nodes + first + at : NULL;
}

/* From 7 on: `b` is the first or second node of `a`; `h` is one of `a`, or of `b`'s own. */
static void run(call *f, struct side *side, int a, int b, int h, int c, int x, int g)
{
    memset(side, 0, sizeof *side);
    struct node *first = list(side, A, a), *second = b < LISTS ? list(side, B, b) : element(side, A, a, b - LISTS);
    head = h < LISTS ? list(side, HEAD, h) : h < LISTS + 2 ? element(side, A, a, h - LISTS) : element(side, B, b, h - LISTS - 2);
    flag = g;
    side->c[0] = c & 1, side->c[1] = c >> 1;
    side->result = f(first, second, side->c, x);
    side->head = head, side->flag = flag;
}

enum { MOST = 64 };
static struct node *here[MOST], *there[MOST];
static int known;

static int is_own(struct side *side, struct node *node) { return node >= side->nodes && node < side->nodes + OWN; }

/* Whether a map of nodes can be made that maps `one` to `other`. */
static int alike(struct side *old, struct side *new, struct node *one, struct node *other)
{
    if (!one || !other) return one == other;
    if (is_own(old, one) || is_own(new, other))
        return is_own(old, one) && is_own(new, other) && one - old->nodes == other - new->nodes;
    for (int i = 0; i < known; i++)
        if (here[i] == one || there[i] == other) return here[i] == one && there[i] == other;
    if (known == MOST) abort();
    here[known] = one, there[known++] = other;
    return one->v == other->v && alike(old, new, one->next, other->next);
}

static int same(struct side *old, struct side *new)
{
    known = 0;
    for (int i = 0; i < OWN; i++)
        if (old->nodes[i].v != new->nodes[i].v || !alike(old, new, old->nodes[i].next, new->nodes[i].next)) return 0;
    return old->flag == new->flag && memcmp(old->c, new->c, sizeof old->c) == 0 && alike(old, new, old->result, new->result)
        && alike(old, new, old->head, new->head);
}

static int differing(call *pair[2])
{
    static struct side old, new;
    int count = 0;
    for (int a = 0; a < LISTS; a++) for (int b = 0; b < LISTS + 2; b++) for (int h = 0; h < LISTS + 4; h++)
        for (int c = 0; c < 4; c++) for (int x = 0; x < 2; x++) for (int g = 0; g < 2; g++) {
            run(pair[0], &old, a, b, h, c, x, g);
            run(pair[1], &new, a, b, h, c, x, g);
            count += !same(&old, &new);
        }
    return count;
}
"#;
