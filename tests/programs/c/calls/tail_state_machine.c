// A state machine whose states are functions returning the next state.
//@ stdin: 12 +  x1*(34- _tmp)/5 \n\n "quoted text" != 0x1F; a<=b // rest\nlast
#include <ctype.h>
#include <stdio.h>

struct machine;
typedef struct state { struct state (*next)(struct machine *); } state;
struct machine { int c; unsigned tokens[5]; unsigned hash; int length; };

static void advance(struct machine *m) { m->hash = m->hash * 33 + (unsigned)m->c, m->length++, m->c = getchar(); }
static state start(struct machine *m);
static state finish(struct machine *m, int kind) {
    printf("%d:%d ", kind, m->length);
    m->tokens[kind]++, m->length = 0;
    return (state){start};
}
static state number(struct machine *m) {
    if (isalnum(m->c)) { advance(m); return (state){number}; }
    return finish(m, 0);
}
static state name(struct machine *m) {
    if (isalnum(m->c) || m->c == '_') { advance(m); return (state){name}; }
    return finish(m, 1);
}
static state string(struct machine *m) {
    int done = m->c == '"' || m->c == EOF;
    advance(m);
    return done ? finish(m, 2) : (state){string};
}
static state comment(struct machine *m) {
    if (m->c != '\n' && m->c != EOF) { advance(m); return (state){comment}; }
    return finish(m, 4);
}
static state symbol(struct machine *m) {
    int first = m->c;
    advance(m);
    if (first == '/' && m->c == '/') return (state){comment};
    if (m->c == '=') advance(m);
    return finish(m, 3);
}
static state start(struct machine *m) {
    if (m->c == EOF) return (state){0};
    if (isspace(m->c)) { m->c = getchar(); return (state){start}; }
    if (isdigit(m->c)) return (state){number};
    if (isalpha(m->c) || m->c == '_') return (state){name};
    if (m->c == '"') { advance(m); return (state){string}; }
    return (state){symbol};
}

int main(void) {
    struct machine m = {.c = getchar(), .hash = 5381};
    for (state s = {start}; s.next;) s = s.next(&m);
    printf("\n%u %u %u %u %u %08x\n", m.tokens[0], m.tokens[1], m.tokens[2], m.tokens[3], m.tokens[4], m.hash);
    return 0;
}
