// Function pointers: tables, callbacks, returned pointers, comparison, in structs.
#include <stdio.h>
#include <string.h>

typedef long binary(long, long);
static long add(long a, long b) { return a + b; }
static long sub(long a, long b) { return a - b; }
static long mul(long a, long b) { return a * b; }
static long power(long a, long b) { return b ? a * power(a, b - 1) : 1; }
static const struct { char symbol; binary *apply; int precedence; } operators[] = {{'+', add, 1}, {'-', &sub, 1}, {'*', mul, 2}, {'^', *power, 3}};

static binary *find(char symbol) {
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].symbol == symbol) return operators[i].apply;
    return 0;
}
static long fold(const long *v, int n, long start, binary *f) { for (int i = 0; i < n; i++) start = f(start, v[i]); return start; }
static void each(int n, void (*visit)(int, void *), void *context) { for (int i = 0; i < n; i++) visit(i, context); }
static void collect(int i, void *context) { char *text = context; sprintf(text + strlen(text), "<%d>", i * i); }
static void (*choose(int n))(int, void *) { return n ? collect : 0; }

struct shape { double (*area)(const struct shape *); double a, b; };
static double rectangle(const struct shape *s) { return s->a * s->b; }
static double triangle(const struct shape *s) { return s->a * s->b / 2; }

int main(void) {
    const long values[] = {2, 3, 5, 7};
    for (const char *p = "+-*^?"; *p; p++) {
        binary *f = find(*p);
        if (!f) { printf("%c unknown\n", *p); continue; }
        printf("%c %ld %ld %ld\n", *p, f(7, 3), (*f)(-2, 5), fold(values, *p == '^' ? 2 : 4, 2, f));
    }
    char text[100] = "";
    each(6, choose(1), text);
    printf("%s %d %d %d\n", text, choose(0) == 0, find('+') == add, find('-') == mul);
    struct shape shapes[] = {{rectangle, 2, 3}, {triangle, 4, 5}};
    for (int i = 0; i < 2; i++) printf("%g ", shapes[i].area(&shapes[i]));
    long (*swap)(long, long) = add, (*table[2])(long, long) = {mul, swap};
    printf("%ld %ld\n", table[0](6, 7), (values[0] > 1 ? table[1] : table[0])(6, 7));
    return 0;
}
