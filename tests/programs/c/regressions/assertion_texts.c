// The message of a failed assertion names the function with its type and the expression as written.
//@ run: static function
//@ args: 1
//@ run: pointers
//@ args: 2
//@ run: macros in the expression
//@ args: 3
//@ run: main
//@ args: 4
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct Pair { int a, b; };
#define LIMIT 3

static int half(int n) {
    assert(n % 2 == 0);
    return n / 2;
}

struct Pair *checked(struct Pair *pair, const char *const *names, unsigned long (*f)(double, ...)) {
    assert(pair && "a pair is needed");
    return names && f ? pair : 0;
}

void bounded(int n) { assert((n < LIMIT)   &&   n != 'x'); }

int main(int argc, char **argv) {
    int which = argc > 1 ? atoi(argv[1]) : 0;
    if (which == 1) half(5);
    if (which == 2) checked(0, 0, 0);
    if (which == 3) bounded(7);
    assert(which != 4);
#define NDEBUG
#include <assert.h>
    assert(which == 99);
#undef NDEBUG
#include <assert.h>
    assert(which == 0);
    puts("unreached");
    return 0;
}
