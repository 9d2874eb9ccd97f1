// Stackless coroutines through switch, generators feeding each other, round-robin scheduling.
#include <stdio.h>

struct task { int line, i, j, value; };
#define BEGIN(t) switch ((t)->line) { case 0:
#define YIELD(t, v) do { (t)->line = __LINE__, (t)->value = (v); return 1; case __LINE__:; } while (0)
#define END(t) } (t)->line = -1; return 0

static int triangle(struct task *t) {
    BEGIN(t);
    for (t->i = 1; t->i <= 4; t->i++)
        for (t->j = 1; t->j <= t->i; t->j++) YIELD(t, t->i * 10 + t->j);
    END(t);
}
static int evens(struct task *t) {
    BEGIN(t);
    for (t->i = 0; t->i < 12; t->i += 2) YIELD(t, t->i);
    YIELD(t, -1);
    END(t);
}
static int filtered(struct task *t, struct task *source) {
    BEGIN(t);
    while (triangle(source)) if (source->value % 3) YIELD(t, source->value * 2);
    END(t);
}

int main(void) {
    struct task a = {0}, b = {0}, c = {0}, d = {0};
    int alive = 3, sum = 0;
    for (int turn = 0; alive; turn++) {
        struct task *t = turn % 3 == 0 ? &a : turn % 3 == 1 ? &b : &c;
        if (t->line == -1) continue;
        int ran = turn % 3 == 0 ? triangle(&a) : turn % 3 == 1 ? evens(&b) : filtered(&c, &d);
        if (ran) printf("%c%d ", 'a' + turn % 3, t->value), sum = sum * 7 % 10007 + t->value;
        else alive--, printf("[%c done] ", 'a' + turn % 3);
    }
    printf("\n%d\n", sum);
    return 0;
}
