// _Bool: conversion to 0 or 1 from every type, arithmetic, storage, bit-field.
#include <stdbool.h>
#include <stdio.h>

struct flags { bool a : 1; bool b; unsigned c : 3; };
static bool nonzero(double x) { return x; }
static bool pointer(const void *p) { return p; }
static int count(bool a, bool b, bool c) { return a + b + c; }

int main(void) {
    bool values[] = {0, 1, 2, 256, -1, 0.5, 0.0, -0.0, 1e-300, 'a', 1LL << 40};
    for (size_t i = 0; i < sizeof values; i++) printf("%d", values[i]);
    printf("\n%d %d %d\n", nonzero(0.1), nonzero(-0.0), nonzero(__builtin_nan("")));
    printf("%d %d\n", pointer(0), pointer(values));
    printf("%d %d\n", count(7, 0, 256), count(true, !true, !!5));
    bool b = false;
    b++, printf("%d", b);
    b++, printf("%d", b);
    b--, printf("%d", b);
    b |= 4, printf("%d", b);
    b += 255, printf("%d", b);
    b ^= 1, printf("%d\n", b);
    struct flags f = {.a = 2 > 1, .b = 77, .c = 9 & 7};
    printf("%d %d %u %zu\n", f.a, f.b, f.c, sizeof f);
    f.a = 0.25, f.b = f.a && f.c;
    printf("%d %d\n", f.a, f.b);
    printf("%d %d %zu\n", -(bool)5, ~(bool)5, sizeof(bool));
    int calls = 0;
    bool both = (calls++, false) && (calls++, true);
    bool either = (calls++, true) || (calls++, true);
    printf("%d %d %d\n", both, either, calls);
    return 0;
}
